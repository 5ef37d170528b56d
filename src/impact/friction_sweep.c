// Friction by sweeps; see friction_sweep.h. A client of the contact solver (contact/contact.h):
// loads an island's records, lets them be swept, stops what approaches still, and stores.
//
// Islands of spheres, where the normal of every contact goes through both centres and inertia is a
// number, have records of their own.
//
// Conjugate directions begin after the first sweeps, and follow each cycle there and back.
#include "impact/friction_sweep.h"

#include "contact/contact.h"

enum { SLAB_CONTACTS = CAROM_FRICTION_SWEEP_SHARED / 2 };
enum { MOVABLE, SEEN, STILL, STILL_TURNING }; // bodies: SEEN are in the list of the island at work

struct carom_friction_sweeper {
    const carom_problem *problem;
    carom_contact_system system; // bodies by the problem's numbers, contacts of the island at work
    carom_contact_island island;
    carom_contact_range *ranges;
    unsigned char *kind;           // per body; no two islands share a movable one
    int *member;                   // movable bodies of the island
    int *order;                    // position in the set, per contact
    int *place, (*pair)[2], *slab; // to cut it
    vec3 *bias, *shift;
    double *lower; // N s; then what stops the rest
    double size;   // m/s, the speeds that residuals are relative to: normal ones and their targets
};

typedef struct carom_friction_sweeper sweeper;

static void load_still(sweeper *s, int body);
static void cut(sweeper *s, const carom_contact_set *set);
static bool load_spheres(sweeper *s, const carom_contact_set *set,
                         const carom_friction_conditions *conditions, const carom_twist *v,
                         double (*p)[3]);
static void load_general(sweeper *s, const carom_contact_set *set,
                         const carom_friction_conditions *conditions, const carom_twist *v,
                         double (*p)[3]);
static bool turns_nothing(const sweeper *s);
static void push_start(sweeper *s);
static double sweep(sweeper *s, const carom_friction_conditions *conditions, double wanted,
                    int *sweeps);
static void stop(sweeper *s, double tolerance);
static void store(const sweeper *s, carom_twist *v, double (*p)[3]);

static carom_status take_contacts(sweeper *s, int largest, carom_arena *scratch, carom_error *err)
{
    carom_contact_system *c = &s->system;
    TAKE(scratch, c->sphere_contacts, largest, err);
    TAKE(scratch, c->links, largest, err);
    TAKE(scratch, c->contacts, largest, err);
    TAKE(scratch, c->last, largest, err);
    TAKE(scratch, c->direction, largest, err);
    TAKE(scratch, c->body_last, largest + 1, err);      // bodies that hang together are at most
    TAKE(scratch, c->body_direction, largest + 1, err); // one more than their contacts
    TAKE(scratch, s->member, largest + 1, err);
    TAKE(scratch, s->bias, largest, err);
    TAKE(scratch, s->shift, s->problem->shifted ? largest : 0, err);
    c->shift = s->problem->shifted ? s->shift : NULL;
    TAKE(scratch, s->lower, largest, err);
    TAKE(scratch, s->order, largest, err);
    TAKE(scratch, s->place, largest, err);
    TAKE(scratch, s->pair, largest, err);
    TAKE(scratch, s->ranges, CAROM_CONTACT_RANGES, err); // kilobytes, of which few are used
    s->system.ranges = s->ranges;
    return CAROM_OK;
}

carom_status carom_friction_sweep_begin(const carom_problem *problem, int largest,
                                        carom_arena *scratch, sweeper **out, carom_error *err)
{
    sweeper *s;
    TAKE_ZEROS(scratch, s, 1, err);
    s->problem = problem;
    TAKE(scratch, s->system.bodies, problem->body_count, err);
    TAKE(scratch, s->system.sphere_bodies, problem->body_count, err);
    TAKE(scratch, s->slab, problem->body_count, err);
    TAKE_ZEROS(scratch, s->kind, problem->body_count, err);
    TRY(take_contacts(s, largest, scratch, err));
    for (int i = 0; i < problem->contact_count; ++i) { // immovable bodies belong to all islands
        const carom_problem_link *one = &problem->links[i];
        if (problem->still[i] & CAROM_PROBLEM_STILL_A)
            load_still(s, one->a);
        if (problem->still[i] & CAROM_PROBLEM_STILL_B)
            load_still(s, (int)one->b);
    }
    *out = s;
    return CAROM_OK;
}

carom_status carom_friction_sweep_beside(const sweeper *first, int largest, carom_arena *scratch,
                                         sweeper **out, carom_error *err)
{
    TAKE(scratch, *out, 1, err);
    **out = *first;
    return take_contacts(*out, largest, scratch, err);
}

static bool rebounds(const carom_problem *problem, const carom_contact_set *set,
                     const carom_friction_conditions *conditions)
{
    for (int i = 0; i < set->count && conditions->tangential; ++i)
        if (problem->contacts[set->index[i]].tangential_restitution != 0)
            return true;
    return false;
}

void carom_friction_sweep_island(sweeper *s, const carom_contact_set *set,
                                 const carom_friction_conditions *conditions, carom_twist *v,
                                 double (*p)[3], carom_friction_report *report)
{
    *report = (carom_friction_report){ 0 };
    bool small = conditions->residual == 0 && !carom_friction_sweep_large(s->problem, set->count);
    bool extras = conditions->base || conditions->bound == CAROM_FRICTION_PYRAMID ||
                  conditions->kind == CAROM_FRICTION_BILATERAL ||
                  rebounds(s->problem, set, conditions);
    s->system.pyramid = conditions->bound == CAROM_FRICTION_PYRAMID;
    s->system.bias = extras ? s->bias : NULL;
    s->system.lower = extras ? s->lower : NULL;
    cut(s, set);
    s->island.spheres = load_spheres(s, set, conditions, v, p);
    if (!s->island.spheres) {
        load_general(s, set, conditions, v, p);
        if (small && !turns_nothing(s)) {
            report->stalled = true;
            return;
        }
    }
    push_start(s);
    double residual = conditions->residual > 0 ? conditions->residual : s->problem->accuracy;
    double wanted = s->size * (small ? CAROM_FRICTION_SWEEP_TIGHT : residual);
    double change = sweep(s, conditions, wanted, &report->iterations);
    report->residual = s->size > 0 ? change / s->size : 0;
    report->stalled = change > (small ? 1 : 100) * wanted;
    if (small && report->stalled)
        return;
    if (!small && conditions->residual == 0) // targets below 0 are allowed elsewhere
        stop(s, 1e-9 * s->size);
    store(s, v, p);
}

// -- bodies --------------------------------------------------------------------------------------

static void load_body(sweeper *s, int body, carom_twist v)
{
    const carom_impact_body *of = &s->problem->bodies[body];
    const double *j = of->inverse_inertia;
    carom_contact_body *b = &s->system.bodies[body];
    *b = (carom_contact_body){ .v = v.linear,
                               .inverse_mass = of->inverse_mass,
                               .w = v.angular,
                               .x = vec3_from(of->position) };
    if (of->inverse_mass > 0)
        b->inverse_inertia = (sym3){ j[0], j[1], j[2], j[3], j[4], j[5] };
}

static void load_still(sweeper *s, int body)
{
    const carom_impact_body *of = &s->problem->bodies[body];
    carom_twist given = { vec3_from(of->velocity), vec3_from(of->spin) };
    if (s->kind[body] != MOVABLE)
        return;
    load_body(s, body, given);
    s->system.sphere_bodies[body] = (carom_contact_sphere_body){ .v = given.linear };
    s->kind[body] = vec3_dot(given.angular, given.angular) == 0 ? STILL : STILL_TURNING;
}

static bool movable(const sweeper *s, int body)
{
    return s->kind[body] <= SEEN;
}

// Inertia is a number.
static bool load_sphere(sweeper *s, int body, carom_twist v)
{
    const double noise = 1e-12;
    const carom_impact_body *of = &s->problem->bodies[body];
    const double *j = of->inverse_inertia;
    if (!(fabs(j[1] - j[0]) <= noise * j[0] && fabs(j[2] - j[0]) <= noise * j[0] &&
          fabs(j[3]) + fabs(j[4]) + fabs(j[5]) <= noise * j[0]))
        return false;
    s->system.sphere_bodies[body] =
        (carom_contact_sphere_body){ v.linear, of->inverse_mass, v.angular, j[0] };
    return true;
}

// -- order ---------------------------------------------------------------------------------------

// Bodies and contacts of the island; the order of the contacts: by ranges, within each as they
// come. Slabs hold about equal numbers of contact ends.
static void cut(sweeper *s, const carom_contact_set *set)
{
    int slabs = set->count / SLAB_CONTACTS;
    s->island = (carom_contact_island){ .count = set->count, .member = s->member };
    for (int i = 0; i < 2 * set->count; ++i) {
        const carom_impact_contact *c = &s->problem->contacts[set->index[i / 2]];
        int body = i % 2 ? c->b : c->a;
        s->pair[i / 2][i % 2] = movable(s, body) ? body : -1;
        if (s->kind[body] != MOVABLE)
            continue;
        s->kind[body] = SEEN;
        s->member[s->island.body_count++] = body;
    }
    for (int k = 0; k < s->island.body_count; ++k)
        s->kind[s->member[k]] = MOVABLE;
    if (slabs < 2) {
        for (int i = 0; i < set->count; ++i)
            s->order[i] = i;
        carom_contact_partition_whole(&s->island, s->ranges);
        return;
    }
    carom_contact_cut all = { .position = s->problem->bodies[0].position,
                              .stride = sizeof(carom_impact_body) / sizeof(double),
                              .body = s->pair[0],
                              .body_count = 2 * set->count,
                              .count = set->count,
                              .pair = (const int(*)[2])s->pair,
                              .slabs = slabs < CAROM_CONTACT_SLABS ? slabs : CAROM_CONTACT_SLABS,
                              .slab = s->slab,
                              .order = s->order,
                              .place = s->place };
    carom_contact_partition(&all, &s->island, s->ranges);
}

// -- contacts ------------------------------------------------------------------------------------

// What is wanted of a contact, and the part of the start that its cone allows.
typedef struct given {
    double target, friction, normal_impulse;
    vec3 friction_impulse;
} given;

static given read_conditions(sweeper *s, const carom_friction_conditions *conditions, int k,
                             const carom_impact_contact *c, const double start[3])
{
    int i = s->order[k];
    given g = { .target = conditions->target ? conditions->target[i] : 0,
                .friction = conditions->bound == CAROM_FRICTION_NONE ? 0 : c->friction };
    s->lower[k] = conditions->kind == CAROM_FRICTION_BILATERAL ? -HUGE_VAL
                  : conditions->base                           ? conditions->base[i]
                                                               : 0;
    g.normal_impulse = start[0] > s->lower[k] ? start[0] : s->lower[k];
    if (start[1] != 0 || start[2] != 0) {
        vec3 n = vec3_from(c->normal), t1, t2;
        vec3_tangents(n, &t1, &t2);
        vec3 q = vec3_axpy(vec3_scale(start[1], t1), start[2], t2);
        g.friction_impulse = carom_contact_bound(q, g.friction * fmax(g.normal_impulse, 0), n,
                                                 conditions->bound == CAROM_FRICTION_PYRAMID);
    }
    return g;
}

// The speed before the impulses: u along the normal.
static void note_speed(sweeper *s, double u, double target)
{
    s->size = fabs(u) > s->size ? fabs(u) : s->size;
    s->size = target > s->size ? target : s->size;
}

static void load_general(sweeper *s, const carom_contact_set *set,
                         const carom_friction_conditions *conditions, const carom_twist *v,
                         double (*p)[3])
{
    const carom_contact_body *bodies = s->system.bodies;
    s->size = 0;
    for (int k = 0; k < s->island.body_count; ++k)
        load_body(s, s->member[k], v[s->member[k]]);
    for (int k = 0; k < set->count; ++k) {
        const carom_impact_contact *c = &s->problem->contacts[set->index[s->order[k]]];
        given g = read_conditions(s, conditions, k, c, p[s->order[k]]);
        carom_contact_record *r = &s->system.contacts[k];
        vec3 shift = vec3_from(c->shift);
        *r = carom_contact_general_make(bodies, c->a, c->b, vec3_from(c->normal),
                                        vec3_from(c->point), shift);
        if (s->system.shift)
            s->shift[k] = shift;
        r->target = g.target;
        r->friction = g.friction;
        r->impulse = vec3_axpy(g.friction_impulse, g.normal_impulse, r->n);
        vec3 u = carom_contact_velocity_at(&s->system, k);
        s->bias[k] = vec3_scale(carom_friction_rebound(conditions, c) - 1, u);
        note_speed(s, vec3_dot(r->n, u), r->target);
    }
}

// The length of an arm along the normal; false where it is not along it but for the round-off of
// centre and point.
static bool load_arm(const carom_impact_contact *c, const carom_impact_body *of, vec3 point,
                     double *arm)
{
    const double noise = 0x1p-48; // 16 units in the last place
    vec3 n = vec3_from(c->normal), from = vec3_sub(point, vec3_from(of->position));
    *arm = 0;
    if (of->inverse_mass == 0)
        return true;
    vec3 aside = vec3_cross(from, n);
    *arm = vec3_dot(from, n);
    return vec3_dot(aside, aside) <= noise * noise * carom_problem_arm_size(c, of);
}

static bool load_sphere_contact(sweeper *s, const carom_impact_contact *c, int k)
{
    vec3 n = vec3_from(c->normal);
    const carom_contact_sphere_body *a = &s->system.sphere_bodies[c->a],
                                    *b = &s->system.sphere_bodies[c->b];
    double arm_a, arm_b;
    if (s->kind[c->a] == STILL_TURNING || s->kind[c->b] == STILL_TURNING ||
        !load_arm(c, &s->problem->bodies[c->a], vec3_from(c->point), &arm_a) ||
        !load_arm(c, &s->problem->bodies[c->b], carom_problem_point_of_b(c), &arm_b))
        return false;
    double mass = a->inverse_mass + b->inverse_mass;
    double swing = a->inverse_inertia * arm_a * arm_a + b->inverse_inertia * arm_b * arm_b;
    s->system.links[k] = (carom_contact_link){ c->a, c->b, 0 };
    s->system.sphere_contacts[k] =
        (carom_contact_sphere_record){ .n = n,
                                       .arm_a = arm_a,
                                       .arm_b = -arm_b,
                                       .normal_mass = 1 / mass,
                                       .tangent_mass = 1 / (mass + swing) };
    return true;
}

// False where some body or contact is not that of spheres.
static bool load_spheres(sweeper *s, const carom_contact_set *set,
                         const carom_friction_conditions *conditions, const carom_twist *v,
                         double (*p)[3])
{
    if (conditions->bound == CAROM_FRICTION_PYRAMID)
        return false;
    for (int k = 0; k < s->island.body_count; ++k)
        if (!load_sphere(s, s->member[k], v[s->member[k]]))
            return false;
    s->size = 0;
    for (int k = 0; k < set->count; ++k) {
        const carom_impact_contact *c = &s->problem->contacts[set->index[s->order[k]]];
        if (!load_sphere_contact(s, c, k))
            return false;
        given g = read_conditions(s, conditions, k, c, p[s->order[k]]);
        carom_contact_sphere_record *r = &s->system.sphere_contacts[k];
        const carom_contact_sphere_body *a = &s->system.sphere_bodies[c->a],
                                        *b = &s->system.sphere_bodies[c->b];
        r->target = g.target;
        r->friction = g.friction;
        r->normal_impulse = g.normal_impulse;
        r->friction_impulse = g.friction_impulse;
        vec3 between = vec3_sub(b->v, a->v);
        double u = vec3_dot(r->n, between);
        if (s->system.bias)
            s->bias[k] = vec3_scale(carom_friction_rebound(conditions, c) - 1,
                                    carom_contact_slip_of_spheres(a, b, r, between, u));
        note_speed(s, u, r->target);
    }
    return true;
}

// Whether normal impulses turn nothing, as between spheres: normal impulses of a small island are
// then nearly always unique, and one relaxation of a contact alone is exact.
static bool turns_nothing(const sweeper *s)
{
    for (int k = 0; k < s->island.count; ++k) {
        const carom_contact_record *r = &s->system.contacts[k];
        vec3 aside = vec3_axpy(r->normal_column, -1 / r->normal_mass, r->n);
        if (vec3_dot(aside, aside) * r->normal_mass * r->normal_mass > 1e-24)
            return false;
    }
    return true;
}

static void push_start(sweeper *s)
{
    carom_contact_system *c = &s->system;
    for (int k = 0; k < s->island.count && s->island.spheres; ++k) {
        const carom_contact_sphere_record *r = &c->sphere_contacts[k];
        if (r->normal_impulse != 0)
            carom_contact_push_spheres(&c->sphere_bodies[c->links[k].a],
                                       &c->sphere_bodies[c->links[k].b], r,
                                       carom_contact_sphere_impulse(r), r->friction_impulse);
    }
    for (int k = 0; k < s->island.count && !s->island.spheres; ++k) {
        const carom_contact_record *r = &c->contacts[k];
        if (r->impulse.x != 0 || r->impulse.y != 0 || r->impulse.z != 0)
            carom_contact_push_at(c, k, r->impulse);
    }
}

// -- sweeps --------------------------------------------------------------------------------------

static int sweeps_allowed(const carom_problem *problem, int count)
{
    double work = problem->work > 0 ? problem->work : CAROM_FRICTION_SWEEP_WORK;
    double max = work / CAROM_FRICTION_SWEEP_WORK * CAROM_FRICTION_SWEEP_USUAL;
    return (int)fmin(fmax(work / count, CAROM_FRICTION_SWEEP_FEWEST), max);
}

static bool stopped(void *problem, double change)
{
    (void)change;
    return carom_problem_stopped(problem);
}

// Returns the change of the last sweep (m/s).
static double sweep(sweeper *s, const carom_friction_conditions *conditions, double wanted,
                    int *sweeps)
{
    bool exact = s->island.spheres && s->island.count == 1; // at once
    carom_contact_plan plan = { .tolerance = wanted,
                                .min = -1,
                                .accelerated = true,
                                .plain = CAROM_FRICTION_SWEEP_PLAIN,
                                .cycle = 2,
                                .threads = s->problem->threads,
                                .client = (void *)s->problem,
                                .stopped = stopped };
    plan.cap = conditions->cap > 0 ? conditions->cap : sweeps_allowed(s->problem, s->island.count);
    if (exact)
        plan.cap = 1;
    double change = carom_contact_sweep_island(&s->system, &s->island, &plan, sweeps);
    return exact ? 0 : change;
}

static void stop_range(void *client, carom_contact_range *range, const carom_contact_pass *pass)
{
    sweeper *s = client;
    (s->island.spheres ? carom_contact_sphere_stop : carom_contact_general_stop)(&s->system, range,
                                                                                 pass, s->lower);
}

// What approaches still is stopped, as far as a few sweeps go: extra normal impulses x >= 0, which
// minimise x.u + 1/2 x.W x, the energy they bring, from x = 0. So they take energy, and friction
// stays within its bound.
static void stop(sweeper *s, double tolerance)
{
    enum { SWEEPS = 6 };
    for (int k = 0; k < s->island.count; ++k)
        s->lower[k] = 0;
    for (int k = 0; k < SWEEPS; ++k) {
        carom_contact_pass pass = { .forward = k % 2 == 0, .threads = s->problem->threads };
        if (carom_contact_sweep_ranges(&s->island, s->ranges, &pass, stop_range, s) <= tolerance)
            break;
    }
    for (int k = 0; k < s->island.count; ++k)
        if (s->island.spheres)
            s->system.sphere_contacts[k].normal_impulse += s->lower[k];
        else
            s->system.contacts[k].impulse =
                vec3_axpy(s->system.contacts[k].impulse, s->lower[k], s->system.contacts[k].n);
}

static void store(const sweeper *s, carom_twist *v, double (*p)[3])
{
    const carom_contact_system *c = &s->system;
    bool spheres = s->island.spheres;
    for (int k = 0; k < s->island.count; ++k) {
        vec3 n = spheres ? c->sphere_contacts[k].n : c->contacts[k].n, t1, t2;
        vec3 q = spheres ? c->sphere_contacts[k].friction_impulse : c->contacts[k].impulse;
        double *out = p[s->order[k]];
        vec3_tangents(n, &t1, &t2);
        out[0] = spheres ? c->sphere_contacts[k].normal_impulse : vec3_dot(n, q);
        out[1] = vec3_dot(t1, q);
        out[2] = vec3_dot(t2, q);
    }
    for (int k = 0; k < s->island.body_count; ++k) {
        int i = s->member[k];
        v[i] = spheres ? (carom_twist){ c->sphere_bodies[i].v, c->sphere_bodies[i].w }
                       : (carom_twist){ c->bodies[i].v, c->bodies[i].w };
    }
}
