// Scenes of pouring, ground, walls that keep a stress and grains that hold together: hopper,
// terrain, triaxial, cliff.
#include <math.h>
#include "carom/world_query.h"
#include "support/check.h"
#include "support/play.h"

// 200 a second: after 0.24 s forty-nine are due. They fall into the hopper and not through it;
// threads change nothing.
static void check_hopper(void)
{
    play p = play_open("hopper"), q = play_open("hopper");
    play_set(&q, "threads", "2");
    play_steps(&p, 120);
    play_steps(&q, 120);
    int waiting = carom_scene_world_waiting(p.scene, p.world);
    CHECK(waiting >= 300 - 49 && waiting < 300 - 30, "%d wait", waiting);
    CHECK(carom_world_hash(p.world) == carom_world_hash(q.world), "two threads, the same bits");
    CHECK_MOST(play_ledger(&p).peak_overlap, 2e-3, "a tenth of a grain's radius at most");
    CHECK_MOST(fabs(play_ledger(&p).integrator), 1e-6 * play_ledger(&p).driven,
               "the ledger has what was poured in");
    play_close(&p);
    play_close(&q);
}

// Stones stay above the ground: straight down from each there is some, a stone's size away at most
// once they lie still.
static void check_terrain(void)
{
    play p = play_open("terrain");
    int stones = 0;
    play_until(&p, 3);
    int ground = play_find(&p, "ground");
    for (int i = 0; i < carom_world_body_count(p.world); ++i) {
        double from[3], down[3] = { 0, 0, -10 };
        carom_filter filter = carom_world_filter_default();
        carom_hit hit = { 0 };
        carom_error err = { 0 };
        if (i == ground)
            continue;
        filter.except = carom_world_body_at(p.world, i);
        vec3_store(play_position(&p, i), from);
        CHECK(carom_world_cast_ray(p.world, from, down, &filter, &hit, &err) == CAROM_OK, "%s",
              err.what);
        stones += hit.distance > 0.07 && hit.distance < 0.25;
        CHECK_MOST(vec3_length(play_velocity(&p, i)), 1e-3, "stone %d lies still", i);
    }
    CHECK(stones == 20, "%d of 20 stones lie on the ground", stones);
    CHECK_MOST(play_ledger(&p).peak_overlap, 2e-3, "not in it");
    play_close(&p);
}

// The walls close in on the grains, and what the fixed ones bear is what the others press with.
static void check_triaxial(void)
{
    play p = play_open("triaxial");
    play_until(&p, 0.2);
    vec3 lid = play_position(&p, play_find(&p, "lid"));
    vec3 right = play_position(&p, play_find(&p, "right"));
    CHECK(lid.z < 0.31 && lid.z > 0.2 && right.x < 0.165 && right.x > 0.1, "they have met: %g %g",
          lid.z, right.x);
    CHECK_MOST(vec3_length(play_velocity(&p, play_find(&p, "lid"))), 0.01, "and come to rest");
    play_close(&p);
}

// The share of the grains that lie beyond the place of the wall at the end, a hundred of them in a
// narrower box.
static double slid(const char *bond, const char *threads, uint64_t *hash)
{
    static const char *const changes[][2] = { { "\"count\": 400", "\"count\": 100" },
                                              { "[-0.2, -0.04, 0]", "[-0.14, -0.04, 0]" },
                                              { "[0.4, 0.08, 0.6]", "[0.28, 0.08, 0.6]" },
                                              { "\"at\": 1.2", "\"at\": 0.5" } };
    const char *bonds[5][2] = { { "\"bond\": 40", bond } };
    for (int i = 0; i < 4; ++i)
        bonds[1 + i][0] = changes[i][0], bonds[1 + i][1] = changes[i][1];
    play p = play_open_changed("cliff", (const char *const(*)[2])bonds, 5);
    play_set(&p, "threads", threads);
    play_until(&p, 1.1);
    int beyond = 0, count = carom_world_body_count(p.world);
    for (int i = 3; i < count; ++i)
        beyond += play_position(&p, i).x > -0.06;
    *hash = carom_world_hash(p.world);
    CHECK_MOST(fabs(play_ledger(&p).integrator), 1e-9, "the ledger is closed");
    CHECK_MOST(play_ledger(&p).peak_overlap, 1e-3, "a tenth of a grain at most");
    play_close(&p);
    return beyond / (count - 3.0);
}

static void check_cliff(void)
{
    uint64_t one, two, dry;
    double held = slid("\"bond\": 40", "1", &one);
    // of 16 such piles with other seeds 4 to 6 lose one grain: it hangs at the face on one or two
    // others, over which cohesion does not keep it from rolling
    CHECK_MOST(held, 0.02, "grains that hold together stand as a cliff");
    slid("\"bond\": 40", "2", &two);
    CHECK(one == two, "two threads, the same bits");
    double share = slid("\"bond\": 0", "1", &dry);
    CHECK(share > 0.3, "dry ones slide down: %g of them", share);
}

int main(void)
{
    check_hopper();
    check_terrain();
    check_triaxial();
    check_cliff();
    return check_report();
}
