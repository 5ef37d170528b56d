// The contact solver alone: what its partition promises, that sweeps end at a solution of Coulomb's
// conditions, the same one in both kinds of records, and that acceleration only shortens the way.
#include <stdlib.h>
#include <string.h>
#include "base/random.h"
#include "contact/contact.h"
#include "support/check.h"

enum { SIDE = 4, HEIGHT = 8, COUNT = SIDE * SIDE * HEIGHT, FLOOR = COUNT, MOST = 4 * COUNT };
enum { SLABS = 4, SWEEPS = 20000 };

// A cubic packing of spheres on a floor, thrown about at random, in both kinds of records.
typedef struct packing {
    carom_contact_body bodies[COUNT + 1];
    carom_contact_record contacts[MOST];
    carom_contact_sphere_body spheres[COUNT + 1];
    carom_contact_sphere_record sphere_contacts[MOST];
    carom_contact_link links[MOST];
    carom_contact_range ranges[CAROM_CONTACT_RANGES];
    vec3 last[MOST], direction[MOST];
    carom_contact_twist body_last[COUNT], body_direction[COUNT];
    int member[COUNT], pair[MOST][2], slab[COUNT], order[MOST], place[MOST];
    carom_contact_system system;
    carom_contact_island island;
} packing;

static const vec3 none = { 0, 0, 0 };

static void add(packing *p, int a, int b, vec3 n, vec3 point)
{
    int i = p->island.count++;
    p->contacts[i] = carom_contact_general_make(p->bodies, a, b, n, point, none);
    p->contacts[i].friction = 0.4;
    p->contacts[i].target = i % 7 == 0 ? 0.1 : 0;
    p->pair[i][0] = a == FLOOR ? -1 : a;
    p->pair[i][1] = b;
}

static void make_contacts(packing *p)
{
    const int step[3] = { 1, SIDE, SIDE * SIDE }, sides[3] = { SIDE, SIDE, HEIGHT };
    for (int i = 0; i < COUNT; ++i) {
        int at[3] = { i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE };
        vec3 x = p->bodies[i].x;
        if (at[2] == 0)
            add(p, FLOOR, i, vec3_make(0, 0, 1), vec3_make(x.x, x.y, -0.5));
        for (int k = 0; k < 3; ++k) {
            vec3 n = vec3_make(k == 0, k == 1, k == 2);
            if (at[k] + 1 < sides[k])
                add(p, i, i + step[k], n, vec3_axpy(x, 0.5, n));
        }
    }
}

// The contacts as the partition orders them, with records of spheres beside.
static void sort(packing *p, int slabs)
{
    static carom_contact_record before[MOST];
    carom_contact_cut cut = { &p->bodies[0].x.x,
                              sizeof(carom_contact_body) / sizeof(double),
                              p->member,
                              COUNT,
                              p->island.count,
                              (const int(*)[2])p->pair,
                              slabs,
                              p->slab,
                              p->order,
                              p->place,
                              1 };
    if (slabs < 2) {
        carom_contact_partition_whole(&p->island, p->ranges);
        for (int i = 0; i < p->island.count; ++i)
            p->order[i] = i;
    } else {
        carom_contact_partition(&cut, &p->island, p->ranges);
    }
    memcpy(before, p->contacts, sizeof before);
    for (int i = 0; i < p->island.count; ++i) {
        const carom_contact_record *c = &before[p->order[i]];
        p->contacts[i] = *c;
        p->links[i] = (carom_contact_link){ c->a, c->b, 0 };
        p->sphere_contacts[i] = (carom_contact_sphere_record){ .n = c->n,
                                                               .arm_a = c->a == FLOOR ? 0 : 0.5,
                                                               .arm_b = 0.5,
                                                               .normal_mass = c->normal_mass,
                                                               .tangent_mass = c->tangent_mass,
                                                               .target = c->target,
                                                               .friction = c->friction };
    }
}

static packing *make(int slabs)
{
    packing *p = calloc(1, sizeof *p);
    carom_random random = carom_random_make(3, 0);
    for (int i = 0; i < COUNT; ++i) {
        double v[6];
        for (int k = 0; k < 6; ++k)
            v[k] = carom_random_unit(&random) - 0.5 - (k == 2);
        p->member[i] = i;
        p->bodies[i] = (carom_contact_body){ .v = vec3_from(v),
                                             .inverse_mass = 1 + i % 3,
                                             .w = vec3_from(v + 3),
                                             .inverse_inertia = { 10, 10, 10, 0, 0, 0 } };
        p->bodies[i].x = vec3_make(i % SIDE, i / SIDE % SIDE, (double)(i / SIDE / SIDE));
        p->spheres[i] =
            (carom_contact_sphere_body){ p->bodies[i].v, 1 + i % 3, p->bodies[i].w, 10 };
    }
    p->system = (carom_contact_system){ .bodies = p->bodies,
                                        .contacts = p->contacts,
                                        .sphere_bodies = p->spheres,
                                        .sphere_contacts = p->sphere_contacts,
                                        .links = p->links,
                                        .ranges = p->ranges,
                                        .last = p->last,
                                        .direction = p->direction,
                                        .body_last = p->body_last,
                                        .body_direction = p->body_direction };
    p->island = (carom_contact_island){ .body_count = COUNT, .member = p->member };
    make_contacts(p);
    sort(p, slabs);
    return p;
}

static int solve(packing *p, bool spheres, bool accelerated, int threads)
{
    carom_contact_plan plan = { .cap = SWEEPS,
                                .tolerance = 1e-10,
                                .min = -1,
                                .accelerated = accelerated,
                                .cycle = 1,
                                .threads = threads };
    int sweeps = 0;
    p->island.spheres = spheres;
    double change = carom_contact_sweep_island(&p->system, &p->island, &plan, &sweeps);
    CHECK_MOST(change, plan.tolerance, "%d sweeps are enough", sweeps);
    return sweeps;
}

static void check_partition(int slabs)
{
    packing *p = make(slabs);
    int range = 0, seen = 0, *taken = calloc(COUNT, sizeof *taken);
    for (int phase = 0; phase < CAROM_CONTACT_PHASES; ++phase) {
        bool apart = true;
        memset(taken, 0, COUNT * sizeof *taken);
        for (int r = 0; r < p->island.phase_count[phase]; ++r, ++range)
            for (int i = p->ranges[range].begin; i < p->ranges[range].end; ++i, ++seen)
                for (int end = 0; end < 2; ++end) {
                    int body = end ? p->contacts[i].b : p->contacts[i].a;
                    if (body == FLOOR)
                        continue;
                    apart = apart && (taken[body] == 0 || taken[body] == r + 1);
                    taken[body] = r + 1;
                }
        CHECK(apart, "%d slabs: the ranges of phase %d share no movable body", slabs, phase);
    }
    CHECK(seen == p->island.count, "all contacts are in a range: %d of %d", seen, p->island.count);
    CHECK(p->ranges[0].end > p->island.count / (2 * slabs), "the first slab has its share");
    const carom_contact_range *farther = &p->ranges[2 * slabs - 1];
    CHECK((farther->end == farther->begin) == (slabs <= HEIGHT),
          "%d slabs: %d contacts reach beyond the next slab", slabs, farther->end - farther->begin);
    free(taken);
    free(p);
}

// So many contacts that threads share the work: the same ranges in the same order.
static void check_shared_partition(void)
{
    enum { BODIES = 5000, CONTACTS = 9000, MANY = 16 };
    static double position[BODIES][3];
    static int pair[CONTACTS][2], slab[BODIES], order[2][CONTACTS], place[CONTACTS];
    carom_contact_range ranges[2][CAROM_CONTACT_RANGES] = { { { 0 } } };
    carom_random random = carom_random_make(5, 0);
    for (int i = 0; i < BODIES; ++i)
        for (int k = 0; k < 3; ++k)
            position[i][k] = (k == 1 ? 9 : 2) * carom_random_unit(&random);
    for (int i = 0; i < CONTACTS; ++i) {
        pair[i][0] = (int)carom_random_below(&random, BODIES);
        pair[i][1] = i % 10 ? (int)carom_random_below(&random, BODIES) : -1;
    }
    for (int k = 0; k < 2; ++k) {
        carom_contact_island island = { .count = CONTACTS };
        carom_contact_cut cut = { position[0],  3,        pair[0],
                                  2 * CONTACTS, CONTACTS, (const int(*)[2])pair,
                                  MANY,         slab,     order[k],
                                  place,        k ? 3 : 1 };
        carom_contact_partition(&cut, &island, ranges[k]);
    }
    CHECK(memcmp(order[0], order[1], sizeof order[0]) == 0, "three threads: the same order");
    CHECK(memcmp(ranges[0], ranges[1], sizeof ranges[0]) == 0, "three threads: the same ranges");
    CHECK(ranges[0][2 * MANY - 1].end == CONTACTS, "all contacts are in a range");
}

// How far a contact is from Coulomb's conditions, m/s.
static double error_of(const packing *p, const carom_contact_record *c)
{
    vec3 u = carom_contact_velocity_at(&p->system, (int)(c - p->contacts));
    double normal = vec3_dot(c->n, u), pressed = vec3_dot(c->n, c->impulse);
    vec3 slip = vec3_axpy(u, -normal, c->n), q = vec3_axpy(c->impulse, -pressed, c->n);
    double error = fmax(0, c->target - normal), max = c->friction * pressed;
    if (pressed > 0)
        error = fabs(normal - c->target);
    if (vec3_length(q) < (1 - 1e-9) * max)
        return fmax(error, vec3_length(slip)); // sticks
    // slides: against the slip
    vec3 across = vec3_cross(slip, vec3_unit(q));
    return fmax(error, fmax(vec3_dot(slip, vec3_unit(q)), vec3_length(across)));
}

static void check_conditions(const packing *p)
{
    double error = 0, beyond = 0;
    int slide = 0, stick = 0, open = 0;
    for (int i = 0; i < p->island.count; ++i) {
        const carom_contact_record *c = &p->contacts[i];
        double pressed = vec3_dot(c->n, c->impulse);
        double q = vec3_length(vec3_axpy(c->impulse, -pressed, c->n));
        error = fmax(error, error_of(p, c));
        beyond = fmax(beyond, fmax(-pressed, q - c->friction * pressed));
        open += pressed == 0;
        stick += pressed > 0 && q < 0.99 * c->friction * pressed;
        slide += pressed > 0 && q >= 0.99 * c->friction * pressed;
    }
    CHECK(slide > 50 && stick > 50 && open > 50, "%d slide, %d stick, %d are open", slide, stick,
          open);
    // the last sweep changed 1e-10 m/s, and what is left shrinks by some percent per sweep
    CHECK_MOST(error, 1e-8, "Coulomb's conditions");
    CHECK_MOST(beyond, 1e-15, "impulses within their bounds to round-off");
}

static double apart(const packing *p, const packing *q, bool spheres)
{
    double max = 0;
    for (int i = 0; i < COUNT; ++i) {
        vec3 v = spheres ? q->spheres[i].v : q->bodies[i].v;
        vec3 w = spheres ? q->spheres[i].w : q->bodies[i].w;
        max = fmax(max, vec3_length(vec3_sub(v, p->bodies[i].v)));
        max = fmax(max, vec3_length(vec3_sub(w, p->bodies[i].w)));
    }
    return max;
}

// One visit of one contact that comes down without slip, touched beside its centre: the normal
// impulse alone would make the point slip, by its change times K n, and friction answers that slip
// at once. Mass 1, inertia 1/12 about every axis, the arm to the contact r (-1, 0, -1) with r =
// 1 / sqrt(8): K = 1 + 12 (arm^2 - arm arm^T), so K_nn = 2.5, K_tn = -1.5 in the plane, and across
// it 4, the largest eigenvalue. p = 1 / 2.5 stops the point, which then slips with -1.5 p, and
// friction is 1.5 p / 4 = 0.15.
static void check_first_visit(void)
{
    double r = 1 / sqrt(8);
    carom_contact_body bodies[2] = { { .v = { 0, 0, -1 },
                                       .inverse_mass = 1,
                                       .x = { 0, 0, r },
                                       .inverse_inertia = { 12, 12, 12, 0, 0, 0 } } };
    carom_contact_record contact =
        carom_contact_general_make(bodies, 1, 0, vec3_make(0, 0, 1), vec3_make(-r, 0, 0), none);
    carom_contact_range range = { .begin = 0, .end = 1 };
    carom_contact_system system = { .bodies = bodies, .contacts = &contact, .ranges = &range };
    contact.friction = 10;
    carom_contact_general_sweep(&system, &range,
                                &(carom_contact_pass){ .number = 1, .min = -1, .forward = true });
    CHECK_NEAR(contact.impulse.z, 0.4, 1e-15, "the normal impulse stops the end");
    CHECK_NEAR(contact.impulse.x, 0.15, 1e-15, "friction answers the slip that it makes");
    CHECK_NEAR(contact.impulse.y, 0, 1e-15, "and no other");
}

int main(void)
{
    check_first_visit();
    check_partition(SLABS);
    check_partition(HEIGHT);     // one layer each: steps between slabs of even and of odd number
    check_partition(2 * HEIGHT); // thinner than a layer: contacts reach beyond the next slab
    check_shared_partition();
    packing *plain = make(1), *spheres = make(1), *led = make(1), *cut = make(SLABS);
    packing *shared = make(SLABS);
    int sweeps = solve(plain, false, false, 1);
    check_conditions(plain);
    solve(spheres, true, false, 1);
    CHECK_MOST(apart(plain, spheres, true), 1e-8, "records of spheres say the same");
    int led_sweeps = solve(led, false, true, 1);
    CHECK(3 * led_sweeps < 2 * sweeps, "acceleration: %d of %d sweeps", led_sweeps, sweeps);
    check_conditions(led);
    solve(cut, true, true, 1);
    solve(shared, true, true, 3);
    CHECK(memcmp(cut->spheres, shared->spheres, sizeof cut->spheres) == 0,
          "three threads give the bits of one");
    packing *all[] = { plain, spheres, led, cut, shared };
    for (int i = 0; i < 5; ++i)
        free(all[i]);
    return check_report();
}
