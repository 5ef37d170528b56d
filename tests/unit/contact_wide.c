// Contacts in lanes: a sweep by fours gives the bits of a sweep one by one, in registers of any
// width and with any number of threads, and each group's lanes share no movable body.
#include <stdlib.h>
#include <string.h>
#include "base/random.h"
#include "contact/contact_wide.h"
#include "support/check.h"

// The same lanes in the narrowest registers of this kind of processor: compiled here once more,
// without the choice at the start of the program.
static carom_status narrow_take(carom_arena *arena, int contacts, int bodies,
                                carom_contact_wide **out, carom_error *err) __attribute__((unused));
static void narrow_pack(carom_contact_system *system, const carom_contact_island *island,
                        bool noted, int threads);
static void narrow_unpack(carom_contact_system *system, carom_contact_range *range);
static void narrow_lead(carom_contact_system *system, const carom_contact_range *range,
                        double ratio) __attribute__((unused));
static void narrow_sweep(carom_contact_system *system, carom_contact_range *range,
                         const carom_contact_pass *pass);
#undef CAROM_LANES_WIDE
#define CAROM_LANES_WIDE
#define carom_contact_wide_take narrow_take
#define carom_contact_wide_pack narrow_pack
#define carom_contact_wide_unpack narrow_unpack
#define carom_contact_wide_lead narrow_lead
#define carom_contact_wide_sweep narrow_sweep
#include "contact/contact_wide.c"
#undef carom_contact_wide_take
#undef carom_contact_wide_pack
#undef carom_contact_wide_unpack
#undef carom_contact_wide_lead
#undef carom_contact_wide_sweep

enum { SIDE = 6, BODIES = SIDE * SIDE * SIDE, FLOOR = BODIES, MOST = 24 * BODIES };
enum { SWEEPS = 30, SLABS = 4 };

typedef struct pile {
    carom_contact_body bodies[BODIES + 1];
    carom_contact_record contacts[MOST];
    carom_contact_range ranges[CAROM_CONTACT_RANGES];
    vec3 last[MOST], direction[MOST];
    carom_contact_twist body_last[BODIES], body_direction[BODIES];
    int member[BODIES], changed_in[BODIES + 1];
    int pair[MOST][2], slab[BODIES], order[MOST], place[MOST];
    vec3 shift[MOST];
    carom_contact_system system;
    carom_contact_island island;
} pile;

static bool images; // some bodies are touched at their images, as in a periodic box

// From b to its image: the same for all points of a pair.
static vec3 shift_of(int a, int b)
{
    double by = images ? 0.1 : 0;
    return vec3_make(by * ((a + b) % 3 - 1), by * (b % 3 - 1), by * ((a + 2 * b) % 5 - 2));
}

static double about(carom_random *random, double middle, double spread)
{
    return middle + spread * (carom_random_unit(random) - 0.5);
}

static void make_bodies(pile *p, carom_random *random)
{
    for (int i = 0; i < BODIES; ++i) {
        double v[9];
        for (int k = 0; k < 9; ++k)
            v[k] = about(random, k == 2 ? -1 : 0, 1);
        p->member[i] = i;
        p->bodies[i] =
            (carom_contact_body){ .v = vec3_from(v),
                                  .inverse_mass = about(random, 2, 2),
                                  .w = vec3_from(v + 3),
                                  .x = { i % SIDE, i / SIDE % SIDE, (double)(i / SIDE / SIDE) },
                                  .inverse_inertia = { about(random, 12, 6), about(random, 12, 6),
                                                       about(random, 12, 6), v[6], v[7], v[8] } };
    }
}

// One to six points between neighbours, in the order of the bodies' numbers.
static void touch(pile *p, carom_random *random, int a, int b, vec3 n)
{
    int points = 1 + carom_random_below(random, 6);
    vec3 middle = vec3_axpy(p->bodies[b].x, -0.5, n);
    for (int k = 0; k < points; ++k) {
        vec3 off = vec3_make(about(random, 0, 1), about(random, 0, 1), about(random, 0, 1));
        carom_contact_record *c = &p->contacts[p->island.count];
        *c = carom_contact_general_make(p->bodies, a, b, n,
                                        vec3_add(middle, vec3_axpy(off, -vec3_dot(off, n), n)),
                                        shift_of(a, b));
        c->friction = about(random, 0.4, 0.4);
        c->target = carom_random_below(random, 5) == 0 ? about(random, 0, 0.2) : 0;
        p->pair[p->island.count][0] = a == FLOOR ? -1 : a;
        p->pair[p->island.count++][1] = b;
    }
}

static void cut(pile *p, int slabs)
{
    static carom_contact_record before[MOST];
    carom_contact_partition_whole(&p->island, p->ranges);
    if (slabs < 2)
        return;
    carom_contact_cut how = { &p->bodies[0].x.x,
                              sizeof(carom_contact_body) / sizeof(double),
                              p->member,
                              BODIES,
                              p->island.count,
                              (const int(*)[2])p->pair,
                              slabs,
                              p->slab,
                              p->order,
                              p->place,
                              1 };
    carom_contact_partition(&how, &p->island, p->ranges);
    memcpy(before, p->contacts, sizeof before);
    for (int i = 0; i < p->island.count; ++i)
        p->contacts[i] = before[p->order[i]];
}

static pile *make(carom_arena *arena, int slabs, bool lanes_wanted)
{
    pile *p = calloc(1, sizeof *p);
    carom_random random = carom_random_make(5, 0);
    carom_error err = { 0 };
    make_bodies(p, &random);
    p->island = (carom_contact_island){ .body_count = BODIES, .member = p->member };
    for (int i = 0; i < SIDE * SIDE; ++i)
        touch(p, &random, FLOOR, i, vec3_make(0, 0, 1));
    const int step[3] = { 1, SIDE, SIDE * SIDE };
    for (int i = 0; i < BODIES; ++i)
        for (int k = 0; k < 3; ++k)
            if (i / step[k] % SIDE + 1 < SIDE)
                touch(p, &random, i, i + step[k], vec3_make(k == 0, k == 1, k == 2));
    p->system = (carom_contact_system){ .bodies = p->bodies,
                                        .contacts = p->contacts,
                                        .changed_in = p->changed_in,
                                        .ranges = p->ranges,
                                        .last = p->last,
                                        .direction = p->direction,
                                        .body_last = p->body_last,
                                        .body_direction = p->body_direction };
    cut(p, slabs);
    for (int i = 0; i < p->island.count; ++i)
        p->shift[i] = shift_of(p->contacts[i].a, p->contacts[i].b);
    p->system.shift = images ? p->shift : NULL;
    if (lanes_wanted)
        CHECK(carom_contact_wide_take(arena, p->island.count, BODIES + 1, &p->system.wide, &err) ==
                  CAROM_OK,
              "there is room");
    return p;
}

static bool same(const pile *p, const pile *q)
{
    bool equal = true;
    for (int i = 0; i < BODIES; ++i) // == : a zero may have the other sign
        equal = equal && p->bodies[i].v.x == q->bodies[i].v.x &&
                p->bodies[i].v.y == q->bodies[i].v.y && p->bodies[i].v.z == q->bodies[i].v.z &&
                p->bodies[i].w.x == q->bodies[i].w.x && p->bodies[i].w.y == q->bodies[i].w.y &&
                p->bodies[i].w.z == q->bodies[i].w.z;
    for (int i = 0; i < p->island.count; ++i)
        equal = equal && p->contacts[i].impulse.x == q->contacts[i].impulse.x &&
                p->contacts[i].impulse.y == q->contacts[i].impulse.y &&
                p->contacts[i].impulse.z == q->contacts[i].impulse.z;
    return equal;
}

static double solve(pile *p, double min, bool accelerated, int cap, int threads)
{
    carom_contact_plan plan = { .cap = cap,
                                .tolerance = 1e-12,
                                .min = min,
                                .accelerated = accelerated,
                                .cycle = 1,
                                .threads = threads };
    int sweeps = 0;
    return carom_contact_sweep_island(&p->system, &p->island, &plan, &sweeps);
}

// Lanes against one by one, with and without passing over contacts, for threads 1 to 16.
static void check_bits(carom_arena *arena, double min)
{
    for (int slabs = 1; slabs <= SLABS; slabs += SLABS - 1) {
        pile *one = make(arena, slabs, false);
        double change = solve(one, min, false, SWEEPS, 1);
        for (int threads = 1; threads <= 16; threads *= 2) {
            pile *in_lanes = make(arena, slabs, true);
            double same_change = solve(in_lanes, min, false, SWEEPS, threads);
            CHECK(same(one, in_lanes), "%d slabs, %d threads: the same bits in lanes", slabs,
                  threads);
            CHECK(change == same_change, "and the same change: %g, %g", change, same_change);
            free(in_lanes);
        }
        free(one);
    }
}

// The sweep in registers of this machine and in the narrowest ones.
static void check_widths(carom_arena *arena)
{
    pile *wide = make(arena, 1, true), *narrow = make(arena, 1, true);
    carom_contact_wide_pack(&wide->system, &wide->island, false, 1);
    narrow_pack(&narrow->system, &narrow->island, false, 1);
    CHECK(wide->ranges[0].groups > 0, "the pile is worth lanes: %d groups", wide->ranges[0].groups);
    for (int k = 0; k < SWEEPS; ++k) {
        carom_contact_pass pass = { .number = k + 1, .min = 1e-6, .forward = k % 2 == 0 };
        carom_contact_wide_sweep(&wide->system, &wide->ranges[0], &pass);
        narrow_sweep(&narrow->system, &narrow->ranges[0], &pass);
        CHECK(wide->ranges[0].size == narrow->ranges[0].size, "sweep %d: the same size", k);
    }
    carom_contact_wide_unpack(&wide->system, &wide->ranges[0]);
    narrow_unpack(&narrow->system, &narrow->ranges[0]);
    CHECK(same(wide, narrow), "registers of any width give the same bits");
    free(wide);
    free(narrow);
}

static void check_groups(carom_arena *arena)
{
    pile *p = make(arena, 1, true);
    carom_contact_wide_pack(&p->system, &p->island, false, 1);
    const carom_contact_wide *wide = p->system.wide;
    int pairs = 0, shared = 0, rows = 0;
    for (int g = 0; g < p->ranges[0].groups; ++g) {
        const group *of = &wide->groups[g];
        int used[2 * LANES], count = 0;
        rows += of->count;
        for (int k = 0; k < LANES; ++k) {
            if (wide->contact[of->first][k] < 0)
                continue;
            ++pairs;
            for (int end = 0; end < 2; ++end) {
                int body = end ? of->b[k] : of->a[k];
                for (int i = 0; i < count && body != FLOOR; ++i)
                    shared += used[i] == body;
                used[count++] = body;
            }
        }
    }
    CHECK(shared == 0, "%d bodies are in two lanes of a group", shared);
    CHECK(pairs == 3 * SIDE * SIDE * (SIDE - 1) + SIDE * SIDE, "every pair has a lane: %d", pairs);
    CHECK(LANES * rows < 2 * p->island.count, "%d rows for %d contacts: more than half full", rows,
          p->island.count);
    free(p);
}

// Conjugate directions go by a sum over all lanes, whose last digits its order decides.
static void check_acceleration(carom_arena *arena)
{
    pile *one = make(arena, 1, false), *in_lanes = make(arena, 1, true);
    double apart = 0;
    solve(one, -1, true, SWEEPS, 1);
    solve(in_lanes, -1, true, SWEEPS, 1);
    for (int i = 0; i < BODIES; ++i)
        apart = fmax(apart, vec3_length(vec3_sub(one->bodies[i].v, in_lanes->bodies[i].v)));
    // round-off of speeds of 1 m/s, a hundred times larger by the steps that follow it
    CHECK_MOST(apart, 1e-13, "lanes go the same way");
    free(one);
    free(in_lanes);
}

int main(void)
{
    carom_arena *arena = carom_arena_create(0);
    check_groups(arena);
    check_bits(arena, -1);
    check_bits(arena, 1e-3);
    check_widths(arena);
    images = true;
    check_bits(arena, -1);
    check_bits(arena, 1e-3);
    check_widths(arena);
    check_acceleration(arena);
    carom_arena_destroy(arena);
    return check_report();
}
