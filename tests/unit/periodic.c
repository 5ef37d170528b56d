// Pairs and contacts in a periodic box against all pairs looked at one by one, at the nearest
// images of their centres; questions to such a world against the same world with its copies laid
// out; and what such a world refuses.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/random.h"
#include "carom/world_change.h"
#include "carom/world_query.h"
#include "collide/collide.h"
#include "collide/narrow.h"
#include "support/check.h"
#include "support/small_world.h"

enum { MOST = 400 };

static carom_error err;
static const carom_shape *shape[MOST];
static vec3 position[MOST];
static quat rotation[MOST];
static double reach[MOST];

static vec3 any(carom_random *random, double size)
{
    return vec3_make(carom_random_between(random, -size, size),
                     carom_random_between(random, -size, size),
                     carom_random_between(random, -size, size));
}

static quat any_turn(carom_random *random)
{
    return quat_unit((quat){ carom_random_normal(random), carom_random_normal(random),
                             carom_random_normal(random), carom_random_normal(random) });
}

// Sizes over two decades, up to a twelfth of the box; places in whichever copy of it; some planes.
static carom_collide_bodies fill(carom_random *random, int count, const carom_period *period)
{
    for (int i = 0; i < count; ++i) {
        carom_shape *made = NULL;
        double size = pow(10, carom_random_between(random, -3, -1.1));
        double half[3] = { size, 0.5 * size, 0.7 * size };
        // in the middle of the list, so that both orders of a pair occur
        bool plane = i % 97 == 50 && !(period->length[2] > 0);
        if (plane)
            carom_plane_create(&made, &err);
        else if (carom_random_below(random, 2))
            carom_sphere_create(size, &made, &err);
        else
            carom_box_create(half, &made, &err);
        shape[i] = made;
        position[i] = plane ? vec3_make(0, 0, -0.1) : any(random, 2.5);
        if (!(period->length[2] > 0) && !plane)
            position[i].z *= 0.2;
        rotation[i] = plane ? quat_identity() : any_turn(random);
        reach[i] = plane ? 0 : carom_random_between(random, 0, 0.01);
    }
    return (carom_collide_bodies){ .count = count,
                                   .shape = shape,
                                   .position = position,
                                   .rotation = rotation,
                                   .reach = reach,
                                   .margin = 0.01,
                                   .threads = 1,
                                   .period = period };
}

// The contacts of a pair at its nearest images, by the narrow phase alone.
static int contacts_of(const carom_collide_bodies *bodies, int a, int b, carom_manifold *out)
{
    vec3 shift = carom_collide_shift(bodies->period, shape[a], shape[b], position[a], position[b]);
    carom_pose pa = carom_pose_make(position[a], rotation[a]),
               pb = carom_pose_make(vec3_add(position[b], shift), rotation[b]);
    carom_narrow_touch(shape[a], &pa, shape[b], &pb, bodies->margin + reach[a] + reach[b], 0, NULL,
                       out);
    return out->count;
}

static void against_all_pairs(const carom_period *period, int count, uint64_t seed)
{
    carom_random random = carom_random_make(seed, 1);
    carom_collide_bodies bodies = fill(&random, count, period);
    carom_collide *collide;
    CHECK(carom_collide_create(&collide, &err) == CAROM_OK, "%s", err.what);
    CHECK(carom_collide_find(collide, &bodies, &err) == CAROM_OK, "%s", err.what);
    static carom_manifold manifold;
    int found, at = 0, wrong = 0, across = 0;
    const carom_contact *list = carom_collide_list(collide, &found);
    for (int a = 0; a < count; ++a)
        for (int b = a + 1; b < count; ++b) {
            int n = contacts_of(&bodies, a, b, &manifold);
            vec3 shift = carom_collide_shift(period, shape[a], shape[b], position[a], position[b]);
            across += n > 0 && vec3_length(shift) > 0;
            for (int k = 0; k < n; ++k, ++at) {
                const carom_contact *c = at < found ? &list[at] : NULL;
                wrong += !c || c->a != a || c->b != b || c->gap != manifold.points[k].gap ||
                         vec3_length(vec3_sub(c->point, manifold.points[k].point)) != 0;
            }
        }
    CHECK(found == at && wrong == 0, "%d contacts, %d by all pairs, %d of them differ", found, at,
          wrong);
    CHECK(across > 5, "some of them across the ends: %d", across);
    size_t bytes = carom_collide_bytes(collide);
    CHECK(carom_collide_find(collide, &bodies, &err) == CAROM_OK, "once more");
    CHECK(carom_collide_bytes(collide) == bytes, "nothing grows any more");
    carom_collide_destroy(collide);
    for (int i = 0; i < count; ++i)
        carom_shape_release(shape[i]);
}

// -- questions ------------------------------------------------------------------------------------

enum { BALLS = 12, COPIES = 9 };
static const double ends[2] = { -0.3, 0.7 };

static small_world crowd(bool periodic, int copies)
{
    carom_random random = carom_random_make(7, 1);
    small_world s = small_world_make("qce");
    for (int k = 0; k < 2 && periodic; ++k)
        memcpy(s.options.periodic[k], ends, sizeof ends);
    for (int i = 0; i < BALLS; ++i) {
        vec3 at = any(&random, 0.5);
        quat turn = any_turn(&random);
        double half[3] = { 0.05, 0.03, 0.08 }, moved[3];
        memcpy(s.rotation, &turn, sizeof turn);
        for (int c = 0; c < copies * copies; ++c) {
            moved[0] = at.x + c % copies - copies / 2;
            moved[1] = at.y + c / copies - copies / 2;
            moved[2] = at.z;
            if (i % 2)
                small_world_ball(&s, 0.07, 1, moved, NULL);
            else
                small_world_box(&s, half, 1, moved, NULL);
        }
    }
    small_world_floor(&s, (double[]){ 0, 0, 1 }, -0.8);
    return s;
}

static void same_hit(const carom_hit *one, const carom_hit *other, const char *what)
{
    CHECK((one->body.generation == 0) == (other->body.generation == 0), "%s: both or none", what);
    CHECK_NEAR(one->distance, other->distance, 1e-12, "%s: distance", what);
    for (int k = 0; k < 3; ++k)
        CHECK_NEAR(one->point[k], other->point[k], 1e-12, "%s: point", what);
}

static void against_copies(void)
{
    small_world box = crowd(true, 1), wide = crowd(false, COPIES);
    carom_random random = carom_random_make(8, 1);
    carom_shape *ball;
    carom_sphere_create(0.1, &ball, &err);
    carom_placed placed = carom_world_placed_default(ball);
    for (int i = 0; i < 200; ++i) {
        carom_hit one, other, many[2][40];
        carom_body_id bodies[2][200];
        double origin[3], way[3];
        int count[2];
        vec3_store(any(&random, 0.9), origin);
        vec3_store(any(&random, 2), way);
        carom_world_cast_ray(box.world, origin, way, NULL, &one, &err);
        carom_world_cast_ray(wide.world, origin, way, NULL, &other, &err);
        same_hit(&one, &other, "ray");
        carom_world_cast_ray_all(box.world, origin, way, NULL, many[0], 40, &count[0], &err);
        carom_world_cast_ray_all(wide.world, origin, way, NULL, many[1], 40, &count[1], &err);
        CHECK(count[0] == count[1], "all hits of a ray: %d, %d", count[0], count[1]);
        carom_world_nearest(box.world, origin, i % 2 ? 1e9 : 0.05, NULL, &one, &err);
        carom_world_nearest(wide.world, origin, i % 2 ? 1e9 : 0.05, NULL, &other, &err);
        same_hit(&one, &other, "nearest");
        memcpy(placed.position, origin, sizeof origin);
        carom_world_cast_shape(box.world, &placed, way, NULL, &one, &err);
        carom_world_cast_shape(wide.world, &placed, way, NULL, &other, &err);
        CHECK_NEAR(one.distance, other.distance, 1e-9, "a ball on its way");
        carom_world_overlap(box.world, &placed, NULL, bodies[0], 200, &count[0], &err);
        carom_world_overlap(wide.world, &placed, NULL, bodies[1], 200, &count[1], &err);
        CHECK(count[0] == count[1], "what overlaps a ball: %d, %d", count[0], count[1]);
    }
    carom_hit hit;
    double origin[3] = { 0, 0, 0 }, way[3] = { 1e9, 0, 0 };
    CHECK(carom_world_cast_ray(box.world, origin, way, NULL, &hit, &err) == CAROM_BAD_INPUT,
          "a ray around the box a billion times is refused");
    carom_shape_release(ball);
    small_world_end(&box);
    small_world_end(&wide);
}

// -- what is refused ------------------------------------------------------------------------------

static carom_world *periodic_world(double low, double high)
{
    carom_world_options options = carom_world_options_default();
    carom_world *world = NULL;
    options.periodic[0][0] = low;
    options.periodic[0][1] = high;
    carom_world_create(&options, &world, &err);
    return world;
}

static carom_status add(carom_world *world, carom_shape *made, const double turn[4], double speed,
                        carom_body_kind kind)
{
    carom_body body = carom_world_body_default();
    body.shape = made;
    body.kind = kind;
    body.velocity[0] = speed;
    if (turn)
        memcpy(body.rotation, turn, sizeof body.rotation);
    carom_status status = carom_world_add_body(world, &body, NULL, &err);
    carom_shape_release(made);
    return status;
}

// Far from the box: the same place in a copy of it, as long as copies can be counted.
static void far_away(void)
{
    carom_world *world = periodic_world(0, 1);
    carom_shape *made;
    carom_hit hit;
    carom_sphere_create(0.125, &made, &err);
    CHECK(add(world, made, NULL, 0, CAROM_BODY_MOVING) == CAROM_OK, "a ball: %s", err.what);
    double near[3] = { 0x1p20 + 0.5, 0, 0 }, far[3] = { 0x1p40 + 0.5, 0, 0 };
    CHECK(carom_world_nearest(world, near, 0.5, NULL, &hit, &err) == CAROM_OK &&
              hit.body.generation != 0,
          "a million copies away: %s", err.what);
    CHECK_NEAR(hit.distance, 0.375, 1e-9, "its distance"); // a million has 10 digits left
    CHECK(carom_world_nearest(world, far, 0.5, NULL, &hit, &err) == CAROM_BAD_INPUT,
          "too far away");
    CHECK(strstr(err.what, "copies of the periodic box away"), "says so: %s", err.what);
    carom_world_destroy(world);
}

static void refusals(void)
{
    double turn[4], ends_of[2] = { 1, 0 };
    carom_shape *made;
    CHECK(!periodic_world(ends_of[0], ends_of[1]), "the wrong way round: %s", err.what);
    CHECK(!periodic_world(0, NAN), "no number: %s", err.what);
    CHECK(!periodic_world(0, HUGE_VAL), "no end: %s", err.what);
    carom_world *world = periodic_world(0, 1);
    carom_plane_towards((double[]){ 1, 0, 0 }, turn, &made, &err);
    CHECK(add(world, made, turn, 0, CAROM_BODY_FIXED) == CAROM_BAD_INPUT, "a wall across");
    CHECK(strstr(err.what, "along x") && strstr(err.fix, "not periodic"), "says why: %s", err.what);
    carom_plane_towards((double[]){ 0, 1, 1 }, turn, &made, &err);
    CHECK(add(world, made, turn, 0, CAROM_BODY_FIXED) == CAROM_OK, "a slope along x");
    double tilted[4] = { sqrt(0.5), 0, sqrt(0.5), 0 };
    CHECK(carom_world_set_pose(world, carom_world_body_at(world, 0), NULL, tilted, &err) ==
              CAROM_BAD_INPUT,
          "which may not be turned across");
    carom_sphere_create(0.25, &made, &err);
    CHECK(add(world, made, NULL, 0, CAROM_BODY_MOVING) == CAROM_BAD_INPUT, "half of the box");
    CHECK(strstr(err.fix, "widen it to 1.04"), "says how much: %s", err.fix);
    carom_sphere_create(0.23, &made, &err);
    CHECK(add(world, made, NULL, 1e6, CAROM_BODY_MOVING) == CAROM_OK, "a little less");
    CHECK(carom_world_step(world, 0.01, &err) == CAROM_BAD_INPUT, "10,000 rounds in a step");
    CHECK(strstr(err.fix, "smaller step"), "says what to do: %s", err.fix);
    CHECK(carom_world_step(world, 1e-7, &err) == CAROM_OK, "a tenth of a round: %s", err.what);
    carom_world_destroy(world);
}

int main(void)
{
    const carom_period all = { { -0.3, 0, 2 }, { 1, 1.1, 0.9 } }, flat = { { 0 }, { 1, 1.2, 0 } },
                       one = { { -7 }, { 1, 0, 0 } };
    for (uint64_t seed = 1; seed <= (uint64_t)check_effort(6, 2); ++seed) {
        against_all_pairs(&all, MOST, seed);
        against_all_pairs(&flat, MOST, seed);
        against_all_pairs(&one, MOST, seed);
    }
    against_copies();
    far_away();
    refusals();
    return check_report();
}
