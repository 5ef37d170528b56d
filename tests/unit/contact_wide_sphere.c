// Contacts between spheres in lanes: a sweep by fours gives the bits of a sweep one by one, with
// contacts passed over, with rolling resistance and without, in registers of any width and with any
// number of threads.
#include <stdlib.h>
#include <string.h>
#include "base/random.h"
#include "contact/contact_wide.h"
#include "support/check.h"

// The same lanes in the narrowest registers of this kind of processor: compiled here once more,
// without the choice at the start of the program.
static carom_status narrow_take(carom_arena *arena, int contacts, int bodies, bool rolling,
                                carom_contact_wide_sphere **out, carom_error *err)
    __attribute__((unused));
static void narrow_pack(carom_contact_system *system, const carom_contact_island *island,
                        int threads);
static void narrow_unpack(carom_contact_system *system, carom_contact_range *range);
static void narrow_sweep(carom_contact_system *system, carom_contact_range *range,
                         const carom_contact_pass *pass);
#undef CAROM_LANES_WIDE
#define CAROM_LANES_WIDE
#define carom_contact_wide_sphere_take narrow_take
#define carom_contact_wide_sphere_pack narrow_pack
#define carom_contact_wide_sphere_unpack narrow_unpack
#define carom_contact_wide_sphere_sweep narrow_sweep
#include "contact/contact_wide_sphere.c"
#undef carom_contact_wide_sphere_take
#undef carom_contact_wide_sphere_pack
#undef carom_contact_wide_sphere_unpack
#undef carom_contact_wide_sphere_sweep

enum { SIDE = 8, BALLS = SIDE * SIDE * SIDE, FLOOR = BALLS, MOST = 4 * BALLS };
enum { SWEEPS = 30, SLABS = 4 };

typedef struct pile {
    carom_contact_sphere_body bodies[BALLS + 1];
    carom_contact_sphere_record contacts[MOST];
    carom_contact_rolling rolling[MOST];
    carom_contact_link links[MOST];
    carom_contact_range ranges[CAROM_CONTACT_RANGES];
    double travel[BALLS + 1], position[BALLS][3];
    int member[BALLS], pair[MOST][2], slab[BALLS], order[MOST], place[MOST];
    carom_contact_system system;
    carom_contact_island island;
} pile;

static void touch(pile *p, carom_random *random, int a, int b, vec3 n)
{
    int i = p->island.count++;
    const carom_contact_sphere_body *at_a = &p->bodies[a], *at_b = &p->bodies[b];
    double arm_a = a == FLOOR ? 0 : 0.5, arm_b = 0.4 + 0.2 * carom_random_unit(random);
    double mass = at_a->inverse_mass + at_b->inverse_mass;
    double turn = arm_a * arm_a * at_a->inverse_inertia + arm_b * arm_b * at_b->inverse_inertia;
    p->contacts[i] = (carom_contact_sphere_record){ .n = n,
                                                    .arm_a = arm_a,
                                                    .arm_b = i % 2 ? 0.5 : arm_b,
                                                    .normal_mass = 1 / mass,
                                                    .tangent_mass = 1 / (mass + turn),
                                                    .target = i % 7 == 0 ? -0.1 : 0,
                                                    .friction = carom_random_unit(random) };
    p->rolling[i] = (carom_contact_rolling){ .length = i % 5 == 0 ? 0 : 0.02 };
    p->pair[i][0] = a == FLOOR ? -1 : a;
    p->pair[i][1] = b;
    // some are known from the start, some are looked at only when something has moved that far
    p->links[i] = (carom_contact_link){ a, b, i % 3 == 0 ? 0.3 : -1 };
}

static void sort(pile *p)
{
    static pile before;
    before = *p;
    for (int i = 0; i < p->island.count; ++i) {
        int from = p->order[i];
        p->contacts[i] = before.contacts[from];
        p->rolling[i] = before.rolling[from];
        p->links[i] = before.links[from];
    }
}

static pile *make_pile(carom_arena *arena, int slabs, bool rolls, bool lanes_wanted)
{
    pile *p = calloc(1, sizeof *p);
    carom_random random = carom_random_make(9, 0);
    carom_error err = { 0 };
    const int step[3] = { 1, SIDE, SIDE * SIDE };
    for (int i = 0; i < BALLS; ++i) {
        double v[6];
        for (int k = 0; k < 6; ++k)
            v[k] = carom_random_unit(&random) - 0.5 - (k == 2);
        p->member[i] = i;
        for (int k = 0; k < 3; ++k)
            p->position[i][k] = i / step[k] % SIDE;
        p->bodies[i] =
            (carom_contact_sphere_body){ vec3_from(v), 1 + i % 3, vec3_from(v + 3), 8 + i % 5 };
    }
    p->island = (carom_contact_island){ .body_count = BALLS, .spheres = true };
    for (int i = 0; i < SIDE * SIDE; ++i)
        touch(p, &random, FLOOR, i, vec3_make(0, 0, 1));
    for (int i = 0; i < BALLS; ++i)
        for (int k = 0; k < 3; ++k)
            if (i / step[k] % SIDE + 1 < SIDE)
                touch(p, &random, i, i + step[k], vec3_make(k == 0, k == 1, k == 2));
    carom_contact_partition_whole(&p->island, p->ranges);
    carom_contact_cut cut = { &p->position[0][0],
                              3,
                              p->member,
                              BALLS,
                              p->island.count,
                              (const int(*)[2])p->pair,
                              slabs,
                              p->slab,
                              p->order,
                              p->place,
                              1 };
    if (slabs > 1) {
        carom_contact_partition(&cut, &p->island, p->ranges);
        sort(p);
    }
    p->system = (carom_contact_system){ .sphere_bodies = p->bodies,
                                        .sphere_contacts = p->contacts,
                                        .links = p->links,
                                        .travel = p->travel,
                                        .rolling = rolls ? p->rolling : NULL,
                                        .ranges = p->ranges };
    if (lanes_wanted)
        CHECK(carom_contact_wide_sphere_take(arena, p->island.count, BALLS + 1, rolls,
                                             &p->system.wide_spheres, &err) == CAROM_OK,
              "there is room");
    return p;
}

static bool same3(vec3 a, vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z; // a zero may have the other sign
}

static bool same(const pile *p, const pile *q)
{
    bool equal = true;
    for (int i = 0; i < BALLS; ++i)
        equal = equal && same3(p->bodies[i].v, q->bodies[i].v) &&
                same3(p->bodies[i].w, q->bodies[i].w) && p->travel[i] == q->travel[i];
    for (int i = 0; i < p->island.count; ++i)
        equal = equal && p->contacts[i].normal_impulse == q->contacts[i].normal_impulse &&
                same3(p->contacts[i].friction_impulse, q->contacts[i].friction_impulse) &&
                same3(p->rolling[i].impulse, q->rolling[i].impulse) &&
                p->links[i].idle == q->links[i].idle;
    return equal;
}

static double solve(pile *p, int threads)
{
    carom_contact_plan plan = { .cap = SWEEPS, .tolerance = 1e-9, .min = 1e-4, .threads = threads };
    int sweeps = 0;
    return carom_contact_sweep_island(&p->system, &p->island, &plan, &sweeps);
}

static void check_bits(carom_arena *arena, bool rolls)
{
    for (int slabs = 1; slabs <= SLABS; slabs += SLABS - 1) {
        pile *one = make_pile(arena, slabs, rolls, false);
        double change = solve(one, 1);
        int passed = one->island.count - one->ranges[0].visited;
        CHECK(slabs > 1 || (passed > 0 && passed < one->island.count),
              "the last sweep passes over %d of %d contacts", passed, one->island.count);
        for (int threads = 1; threads <= 16; threads *= 2) {
            pile *in_lanes = make_pile(arena, slabs, rolls, true);
            CHECK(solve(in_lanes, threads) == change, "the same change");
            CHECK(same(one, in_lanes), "%d slabs, %d threads: the same bits in lanes", slabs,
                  threads);
            free(in_lanes);
        }
        free(one);
    }
}

// The sweep in registers of this machine and in the narrowest ones.
static void check_widths(carom_arena *arena)
{
    pile *wide = make_pile(arena, 1, true, true), *narrow = make_pile(arena, 1, true, true);
    carom_contact_wide_sphere_pack(&wide->system, &wide->island, 1);
    narrow_pack(&narrow->system, &narrow->island, 1);
    CHECK(wide->ranges[0].groups > 0 && 2 * LANES * wide->ranges[0].groups < 3 * wide->island.count,
          "two lanes in three are in use: %d groups", wide->ranges[0].groups);
    for (int k = 0; k < SWEEPS; ++k) {
        carom_contact_pass pass = { .number = k + 1, .min = 1e-6, .forward = k % 2 == 0 };
        carom_contact_wide_sphere_sweep(&wide->system, &wide->ranges[0], &pass);
        narrow_sweep(&narrow->system, &narrow->ranges[0], &pass);
        CHECK(wide->ranges[0].size == narrow->ranges[0].size, "sweep %d: the same size", k);
    }
    carom_contact_wide_sphere_unpack(&wide->system, &wide->ranges[0]);
    narrow_unpack(&narrow->system, &narrow->ranges[0]);
    CHECK(same(wide, narrow), "registers of any width give the same bits");
    free(wide);
    free(narrow);
}

int main(void)
{
    carom_arena *arena = carom_arena_create(0);
    check_bits(arena, false);
    check_bits(arena, true);
    check_widths(arena);
    carom_arena_destroy(arena);
    return check_report();
}
