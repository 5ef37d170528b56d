// Friction by sweeps; see friction_sweep.h.
//
// Projected Gauss-Seidel with Coulomb's cone: the normal impulse that brings the contact to its
// target, then friction against the slip that is left, cut to the cone. Tangential impulses are a
// vector in space here, so that no choice of tangents shows.
//
// A large island is cut into slabs across its longest extent, always the same ones: first the
// contacts inside slabs, then those between a slab of even number and the next, then those between
// one of odd number and the next, then the rest. Ranges of one phase share no movable body.
//
// In a deep pile plain sweeps carry a shock by a few contacts each. After the first ones every
// cycle, there and back, is followed by a step along conjugate directions (nonsmooth nonlinear
// conjugate gradients, Silcowitz-Hansen et al. 2010, as in friction.c), with a restart whenever a
// cycle changes more than the last. The end is always a plain cycle, so impulses are within their
// bounds.
//
// Islands of round bodies have arithmetic of their own (friction_round.c).
//
// Symbols: K response of the relative velocity to an impulse at the contact, lift = K n.
#include "impact/friction_sweep.h"

#include <string.h>
#include "base/team.h"
#include "impact/friction_round.h"

enum { SLAB_CONTACTS = CAROM_FRICTION_SWEEP_SHARED / 2, MOST_SLABS = 64, BINS = 1024, PHASES = 4 };

// A body: two lines.
typedef struct mass {
    vec3 v;
    double inverse_mass;
    vec3 w, x;
    sym3 inverse_inertia;
} mass;

typedef struct grip {
    int a, b;
    vec3 n, point, lift;
    vec3 p;    // N s, on b
    vec3 back; // m/s, beta times the slip before
    double normal_mass, tangent_mass;
    double target, base, mu;
} grip;

// Contacts that are relaxed one after the other, and what the last sweep changed there (m/s).
typedef struct range {
    int begin, end;
    double change;
} range;

struct carom_friction_sweeper {
    const carom_problem *problem;
    carom_friction_round round;
    bool rounds;  // the island at work is round
    mass *masses; // by the problem's numbers; loaded for the bodies of the island at work
    grip *grips;
    int *order;             // position in the set, per grip
    int *place;             // for sorting
    vec3 *last, *direction; // N s per grip: before the cycle, and the conjugate direction
    double square;          // of the last cycle's change; 0: there is none
    range ranges[2 * MOST_SLABS];
    int phase_count[PHASES];
    int *slab; // per body
    bool pyramid;
    bool stopping; // sweeps stop what approaches, nothing else
};

typedef struct carom_friction_sweeper sweeper;

static void load_still(sweeper *s, int body);
static void load_masses(sweeper *s, const carom_contact_set *set, const carom_twist *v);
static void cut(sweeper *s, const carom_contact_set *set);
static void load_grips(sweeper *s, const carom_contact_set *set, const carom_friction_stage *stage,
                       double (*p)[3]);
static bool round_grips(const sweeper *s, int count);
static double size_of(const sweeper *s, int count);
static double sweep(sweeper *s, bool forward, int threads);
static void settle(sweeper *s, int count, double tolerance);
static void note(sweeper *s, int count);
static void lead(sweeper *s, int count);
static void store(const sweeper *s, const carom_contact_set *set, carom_twist *v, double (*p)[3]);

static carom_status take_grips(sweeper *s, int largest, carom_arena *scratch, carom_error *err)
{
    TAKE(scratch, s->round.grips, largest, err);
    TAKE(scratch, s->round.back, largest, err);
    TAKE(scratch, s->grips, largest, err);
    TAKE(scratch, s->order, largest, err);
    TAKE(scratch, s->place, largest, err);
    TAKE(scratch, s->last, largest, err);
    TAKE(scratch, s->direction, largest, err);
    return CAROM_OK;
}

carom_status carom_friction_sweep_begin(const carom_problem *problem, int largest,
                                        carom_arena *scratch, sweeper **out, carom_error *err)
{
    sweeper *s;
    TAKE_ZEROS(scratch, s, 1, err);
    s->problem = problem;
    TRY(carom_friction_round_begin(problem, scratch, &s->round, err));
    TAKE(scratch, s->masses, problem->body_count, err);
    TAKE(scratch, s->slab, problem->body_count, err);
    TRY(take_grips(s, largest, scratch, err));
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
    return take_grips(*out, largest, scratch, err);
}

static int sweeps_allowed(const carom_problem *problem, int count)
{
    double work = problem->work > 0 ? problem->work : CAROM_FRICTION_SWEEP_WORK;
    double most = work / CAROM_FRICTION_SWEEP_WORK * CAROM_FRICTION_SWEEP_USUAL;
    return (int)fmin(fmax(work / count, CAROM_FRICTION_SWEEP_FEWEST), most);
}

void carom_friction_sweep_island(sweeper *s, const carom_contact_set *set,
                                 const carom_friction_stage *stage, carom_twist *v, double (*p)[3],
                                 carom_friction_report *report)
{
    *report = (carom_friction_report){ 0 };
    s->pyramid = stage->pyramid;
    bool small = !carom_friction_sweep_large(s->problem, set->count);
    double size, change = 0;
    cut(s, set);
    s->rounds = carom_friction_round_load(&s->round, set, stage, s->order, v, p, &size);
    if (!s->rounds) {
        load_masses(s, set, v);
        load_grips(s, set, stage, p);
        if (small && !round_grips(s, set->count)) {
            report->stalled = true;
            return;
        }
        size = size_of(s, set->count);
    }
    double wanted = size * (small ? CAROM_FRICTION_SWEEP_TIGHT : s->problem->accuracy);
    int cap = stage->cap > 0 ? stage->cap : sweeps_allowed(s->problem, set->count);
    s->square = 0;
    for (int k = 0; k < cap; ++k) {
        bool late = k >= CAROM_FRICTION_SWEEP_PLAIN;
        if (late && k % 2 == 0)
            note(s, set->count);
        change = sweep(s, k % 2 == 0, s->problem->threads);
        ++report->iterations;
        if (s->rounds && set->count == 1) // exact at once
            change = 0;
        if (change <= wanted || carom_problem_stopped(s->problem))
            break;
        if (late && k % 2 == 1 && k + 2 < cap)
            lead(s, set->count);
    }
    report->residual = size > 0 ? change / size : 0;
    report->stalled = change > (small ? 1 : 100) * wanted;
    if (small && report->stalled)
        return;
    if (!small)
        settle(s, set->count, 1e-9 * size);
    if (s->rounds)
        carom_friction_round_store(&s->round, set, s->order, v, p);
    else
        store(s, set, v, p);
}

static bool movable(const sweeper *s, int body)
{
    return s->problem->bodies[body].inverse_mass > 0;
}

static void load_mass(sweeper *s, int body, carom_twist v)
{
    const carom_impact_body *of = &s->problem->bodies[body];
    const double *j = of->inverse_inertia;
    mass *m = &s->masses[body];
    *m = (mass){ .v = v.linear,
                 .inverse_mass = of->inverse_mass,
                 .w = v.angular,
                 .x = vec3_from(of->position) };
    if (of->inverse_mass > 0)
        m->inverse_inertia = (sym3){ j[0], j[1], j[2], j[3], j[4], j[5] };
}

static void load_still(sweeper *s, int body)
{
    const carom_impact_body *of = &s->problem->bodies[body];
    carom_twist given = { vec3_from(of->velocity), vec3_from(of->spin) };
    if (s->round.loaded[body])
        return;
    load_mass(s, body, given);
    carom_friction_round_still(&s->round, body);
}

// Bodies of several contacts are loaded several times: cheaper than to remember which were.
static void load_masses(sweeper *s, const carom_contact_set *set, const carom_twist *v)
{
    for (int i = 0; i < set->count; ++i) {
        const carom_impact_contact *c = &s->problem->contacts[set->index[i]];
        if (movable(s, c->a))
            load_mass(s, c->a, v[c->a]);
        if (movable(s, c->b))
            load_mass(s, c->b, v[c->b]);
    }
}

// -- slabs ---------------------------------------------------------------------------------------

static double coordinate(const carom_problem *problem, int body, int axis)
{
    return problem->bodies[body].position[axis];
}

static int longest(const sweeper *s, const carom_contact_set *set, double span[2])
{
    double low[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL };
    double high[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
    for (int i = 0; i < 2 * set->count; ++i) {
        const carom_impact_contact *c = &s->problem->contacts[set->index[i / 2]];
        int body = i % 2 ? c->b : c->a;
        for (int axis = 0; axis < 3 && movable(s, body); ++axis) {
            double at = coordinate(s->problem, body, axis);
            low[axis] = at < low[axis] ? at : low[axis];
            high[axis] = at > high[axis] ? at : high[axis];
        }
    }
    int best = 0;
    for (int axis = 1; axis < 3; ++axis)
        best = high[axis] - low[axis] > high[best] - low[best] ? axis : best;
    span[0] = low[best];
    span[1] = high[best];
    return best;
}

// Slabs of about equal numbers of contact ends.
static void cut_bodies(sweeper *s, const carom_contact_set *set, int slabs)
{
    int histogram[BINS] = { 0 }, slab_of[BINS], axis;
    double span[2] = { 0, 0 };
    int64_t seen = 0, total = 0;
    axis = longest(s, set, span);
    double per_bin = span[1] > span[0] ? (BINS - 1) / (span[1] - span[0]) : 0;
    for (int i = 0; i < 2 * set->count; ++i) {
        const carom_impact_contact *c = &s->problem->contacts[set->index[i / 2]];
        int body = i % 2 ? c->b : c->a;
        if (!movable(s, body))
            continue;
        s->slab[body] = (int)((coordinate(s->problem, body, axis) - span[0]) * per_bin);
        ++histogram[s->slab[body]];
        ++total;
    }
    for (int k = 0; k < BINS; ++k) {
        slab_of[k] = (int)(seen * slabs / total);
        seen += histogram[k];
    }
    for (int i = 0; i < set->count; ++i) { // a contact's slab may be read before its body's
        const carom_impact_contact *c = &s->problem->contacts[set->index[i]];
        int a = movable(s, c->a) ? slab_of[s->slab[c->a]] : -1;
        int b = movable(s, c->b) ? slab_of[s->slab[c->b]] : -1;
        int low = a < 0 ? b : b < 0 || a < b ? a : b, high = a > b ? a : b, evens = slabs / 2;
        s->place[i] = low == high      ? low
                      : high > low + 1 ? 2 * slabs - 1
                                       : slabs + (low % 2 == 0 ? low / 2 : evens + low / 2);
    }
}

// The order of the contacts: by ranges, within each as they come.
static void cut(sweeper *s, const carom_contact_set *set)
{
    int slabs = set->count / SLAB_CONTACTS, start[2 * MOST_SLABS + 1] = { 0 };
    slabs = slabs > MOST_SLABS ? MOST_SLABS : slabs;
    memset(s->phase_count, 0, sizeof s->phase_count);
    if (slabs < 2) {
        for (int i = 0; i < set->count; ++i)
            s->order[i] = i;
        s->ranges[0] = (range){ .begin = 0, .end = set->count };
        s->phase_count[0] = 1;
        return;
    }
    cut_bodies(s, set, slabs);
    for (int i = 0; i < set->count; ++i)
        ++start[s->place[i] + 1];
    for (int r = 0; r < 2 * slabs; ++r) {
        start[r + 1] += start[r];
        s->ranges[r] = (range){ .begin = start[r], .end = start[r + 1] };
    }
    for (int i = 0; i < set->count; ++i)
        s->order[start[s->place[i]]++] = i;
    s->phase_count[0] = slabs;
    s->phase_count[1] = slabs / 2;
    s->phase_count[2] = slabs - 1 - slabs / 2;
    s->phase_count[3] = 1;
}

// -- contacts ------------------------------------------------------------------------------------

static vec3 respond(const mass *a, const mass *b, vec3 arm_a, vec3 arm_b, vec3 impulse)
{
    vec3 at_a = vec3_cross(sym3_mul(a->inverse_inertia, vec3_cross(arm_a, impulse)), arm_a);
    vec3 at_b = vec3_cross(sym3_mul(b->inverse_inertia, vec3_cross(arm_b, impulse)), arm_b);
    return vec3_axpy(vec3_add(at_a, at_b), a->inverse_mass + b->inverse_mass, impulse);
}

static inline vec3 slip_at(const mass *a, const mass *b, vec3 arm_a, vec3 arm_b)
{
    return vec3_sub(vec3_add(b->v, vec3_cross(b->w, arm_b)),
                    vec3_add(a->v, vec3_cross(a->w, arm_a)));
}

static inline void push(mass *a, mass *b, vec3 arm_a, vec3 arm_b, vec3 impulse)
{
    if (a->inverse_mass > 0) {
        a->v = vec3_axpy(a->v, -a->inverse_mass, impulse);
        a->w = vec3_sub(a->w, sym3_mul(a->inverse_inertia, vec3_cross(arm_a, impulse)));
    }
    if (b->inverse_mass > 0) {
        b->v = vec3_axpy(b->v, b->inverse_mass, impulse);
        b->w = vec3_add(b->w, sym3_mul(b->inverse_inertia, vec3_cross(arm_b, impulse)));
    }
}

// Friction within its bound: the cone's disc, or the pyramid's square along the two tangents.
static inline vec3 hold(vec3 q, double most, vec3 n, bool pyramid)
{
    if (pyramid) {
        vec3 t1, t2;
        vec3_tangents(n, &t1, &t2);
        double first = fmin(fmax(vec3_dot(q, t1), -most), most);
        double second = fmin(fmax(vec3_dot(q, t2), -most), most);
        return vec3_axpy(vec3_scale(first, t1), second, t2);
    }
    double size = vec3_dot(q, q);
    return size > most * most ? vec3_scale(most / sqrt(size), q) : q;
}

// The part of a start that the cone allows.
static vec3 start_of(const grip *g, const double p[3], vec3 t1, vec3 t2, bool pyramid)
{
    double normal = p[0] > g->base ? p[0] : g->base;
    vec3 q = vec3_axpy(vec3_scale(p[1], t1), p[2], t2);
    return vec3_axpy(hold(q, g->mu * normal, g->n, pyramid), normal, g->n);
}

static void load_grips(sweeper *s, const carom_contact_set *set, const carom_friction_stage *stage,
                       double (*p)[3])
{
    for (int k = 0; k < set->count; ++k) {
        int i = s->order[k];
        const carom_impact_contact *c = &s->problem->contacts[set->index[i]];
        const mass *a = &s->masses[c->a], *b = &s->masses[c->b];
        grip *g = &s->grips[k];
        vec3 n = vec3_from(c->normal), point = vec3_from(c->point), t1, t2;
        vec3 arm_a = vec3_sub(point, a->x), arm_b = vec3_sub(point, b->x);
        vec3_tangents(n, &t1, &t2);
        vec3 r1 = respond(a, b, arm_a, arm_b, t1), r2 = respond(a, b, arm_a, arm_b, t2);
        double k11 = vec3_dot(t1, r1), k22 = vec3_dot(t2, r2), k12 = vec3_dot(t1, r2);
        double half = 0.5 * (k11 - k22);
        *g = (grip){ .a = c->a, .b = c->b, .n = n, .point = point };
        g->mu = stage->smooth ? 0 : c->friction;
        g->lift = respond(a, b, arm_a, arm_b, n);
        g->normal_mass = 1 / vec3_dot(n, g->lift);
        g->tangent_mass = 1 / (0.5 * (k11 + k22) + sqrt(half * half + k12 * k12));
        g->target = stage->target ? stage->target[i] : 0;
        g->base = stage->base ? stage->base[i] : 0;
        g->p = start_of(g, p[i], t1, t2, s->pyramid);
        g->back = vec3_scale(carom_friction_rebound(stage, c) - 1, slip_at(a, b, arm_a, arm_b));
    }
}

// Whether normal impulses turn nothing, as between spheres: normal impulses of a small island are
// then nearly always unique, and one relaxation of a contact alone is exact.
static bool round_grips(const sweeper *s, int count)
{
    for (int k = 0; k < count; ++k) {
        const grip *g = &s->grips[k];
        vec3 aside = vec3_axpy(g->lift, -1 / g->normal_mass, g->n);
        if (vec3_dot(aside, aside) * g->normal_mass * g->normal_mass > 1e-24)
            return false;
    }
    return true;
}

// The speeds that residuals are relative to: normal ones and their targets, before the impulses.
static double size_of(const sweeper *s, int count)
{
    double size = 0;
    for (int k = 0; k < count; ++k) {
        const grip *g = &s->grips[k];
        const mass *a = &s->masses[g->a], *b = &s->masses[g->b];
        vec3 slip = slip_at(a, b, vec3_sub(g->point, a->x), vec3_sub(g->point, b->x));
        double u = fabs(vec3_dot(g->n, slip));
        size = u > size ? u : size;
        size = g->target > size ? g->target : size;
    }
    for (int k = 0; k < count; ++k) {
        const grip *g = &s->grips[k];
        mass *a = &s->masses[g->a], *b = &s->masses[g->b];
        if (g->p.x != 0 || g->p.y != 0 || g->p.z != 0)
            push(a, b, vec3_sub(g->point, a->x), vec3_sub(g->point, b->x), g->p);
    }
    return size;
}

// One contact. Returns the square of the change of its impulse.
static inline double relax(mass *masses, grip *g, bool pyramid)
{
    mass *a = &masses[g->a], *b = &masses[g->b];
    vec3 arm_a = vec3_sub(g->point, a->x), arm_b = vec3_sub(g->point, b->x), n = g->n;
    vec3 slip = slip_at(a, b, arm_a, arm_b);
    double old = vec3_dot(n, g->p);
    double p = old - g->normal_mass * (vec3_dot(n, slip) - g->target);
    if (!(p > g->base)) {
        if (g->p.x == 0 && g->p.y == 0 && g->p.z == 0)
            return 0;
        p = g->base;
    }
    slip = vec3_add(vec3_axpy(slip, p - old, g->lift), g->back);
    vec3 q = vec3_axpy(g->p, -g->tangent_mass, slip);
    q = vec3_axpy(q, -vec3_dot(n, q), n);
    q = hold(q, g->mu * p, n, pyramid);
    vec3 impulse = vec3_axpy(q, p, n), change = vec3_sub(impulse, g->p);
    push(a, b, arm_a, arm_b, change);
    g->p = impulse;
    return vec3_dot(change, change);
}

static void sweep_range(sweeper *s, range *r, bool forward)
{
    int count = r->end - r->begin;
    double worst = 0;
    for (int k = 0; k < count; ++k) {
        grip *g = &s->grips[forward ? r->begin + k : r->end - 1 - k];
        double light = s->masses[g->a].inverse_mass + s->masses[g->b].inverse_mass;
        double change = relax(s->masses, g, s->pyramid) * light * light;
        worst = change > worst ? change : worst;
    }
    r->change = sqrt(worst);
}

// One contact without bounce, normal impulse alone and only above what it has. Returns the change
// of its impulse.
static inline double stop(mass *masses, grip *g)
{
    mass *a = &masses[g->a], *b = &masses[g->b];
    vec3 arm_a = vec3_sub(g->point, a->x), arm_b = vec3_sub(g->point, b->x);
    double u = vec3_dot(g->n, slip_at(a, b, arm_a, arm_b)), old = g->base;
    double extra = old - g->normal_mass * u;
    extra = extra > 0 ? extra : 0;
    if (extra == old)
        return 0;
    push(a, b, arm_a, arm_b, vec3_scale(extra - old, g->n));
    g->base = extra;
    return extra - old;
}

static void stop_range(sweeper *s, range *r, bool forward)
{
    int count = r->end - r->begin;
    double worst = 0;
    for (int k = 0; k < count; ++k) {
        grip *g = &s->grips[forward ? r->begin + k : r->end - 1 - k];
        double change = fabs(stop(s->masses, g)) / g->normal_mass;
        worst = change > worst ? change : worst;
    }
    r->change = worst;
}

static void sweep_ranges(sweeper *s, int from, int count, bool forward, int threads)
{
    CAROM_TEAM_EACH (i, count, threads) {
        range *r = &s->ranges[from + i];
        if (s->rounds && s->stopping)
            r->change = carom_friction_round_stop(&s->round, r->begin, r->end, forward);
        else if (s->rounds)
            r->change = carom_friction_round_relax(&s->round, r->begin, r->end, forward);
        else if (s->stopping)
            stop_range(s, r, forward);
        else
            sweep_range(s, r, forward);
    }
}
CAROM_TEAM_SHARE5(sweep_ranges, sweeper *, int, int, bool, int)

// What approaches still is stopped, as far as a few sweeps go: extra normal impulses x >= 0, which
// minimise x.u + 1/2 x.W x, the energy they bring, from x = 0. So they take energy, and friction
// stays within its bound.
static void settle(sweeper *s, int count, double tolerance)
{
    enum { SWEEPS = 6 };
    for (int k = 0; k < count; ++k)
        *(s->rounds ? &s->round.grips[k].base : &s->grips[k].base) = 0;
    s->stopping = true;
    for (int k = 0; k < SWEEPS; ++k)
        if (sweep(s, k % 2 == 0, s->problem->threads) <= tolerance)
            break;
    s->stopping = false;
    for (int k = 0; k < count; ++k)
        if (s->rounds)
            s->round.grips[k].p += s->round.grips[k].base;
        else
            s->grips[k].p = vec3_axpy(s->grips[k].p, s->grips[k].base, s->grips[k].n);
}

// All contacts in turn. Returns the largest change of velocity (m/s).
static double sweep(sweeper *s, bool forward, int threads)
{
    int ranges = 0;
    double worst = 0;
    for (int p = 0; p < PHASES; ++p)
        ranges += s->phase_count[p];
    int first = forward ? 0 : ranges;
    for (int p = 0; p < PHASES; ++p) {
        int count = s->phase_count[forward ? p : PHASES - 1 - p], team = count > 1 ? threads : 1;
        int from = forward ? first : first - count;
        CAROM_TEAM(team, sweep_ranges(s, from, count, forward, team));
        first = forward ? first + count : from;
    }
    for (int r = 0; r < ranges; ++r)
        worst = s->ranges[r].change > worst ? s->ranges[r].change : worst;
    return worst;
}

// -- conjugate directions -------------------------------------------------------------------------

static inline vec3 impulse_of(const sweeper *s, int k)
{
    return s->rounds ? carom_friction_round_impulse(&s->round, k) : s->grips[k].p;
}

static void note(sweeper *s, int count)
{
    for (int k = 0; k < count; ++k)
        s->last[k] = impulse_of(s, k);
}

static void add(sweeper *s, int k, vec3 impulse)
{
    if (s->rounds) {
        carom_friction_round_add(&s->round, k, impulse);
        return;
    }
    grip *g = &s->grips[k];
    mass *a = &s->masses[g->a], *b = &s->masses[g->b];
    push(a, b, vec3_sub(g->point, a->x), vec3_sub(g->point, b->x), impulse);
    g->p = vec3_add(g->p, impulse);
}

// After a cycle: a step along what the cycles before it did, by how their changes shrink.
static void lead(sweeper *s, int count)
{
    double square = 0;
    for (int k = 0; k < count; ++k) {
        vec3 change = vec3_sub(impulse_of(s, k), s->last[k]);
        double light = 1 / (s->rounds ? s->round.grips[k].normal_mass : s->grips[k].normal_mass);
        square += light * vec3_dot(change, change);
    }
    bool goes_on = s->square > 0 && square <= s->square;
    double beta = goes_on ? square / s->square : 0;
    s->square = square;
    for (int k = 0; k < count; ++k) {
        vec3 change = vec3_sub(impulse_of(s, k), s->last[k]);
        if (!goes_on) {
            s->direction[k] = change;
            continue;
        }
        vec3 more = vec3_scale(beta, s->direction[k]);
        s->direction[k] = vec3_add(change, more);
        if (more.x != 0 || more.y != 0 || more.z != 0)
            add(s, k, more);
    }
}

static void store(const sweeper *s, const carom_contact_set *set, carom_twist *v, double (*p)[3])
{
    for (int k = 0; k < set->count; ++k) {
        const grip *g = &s->grips[k];
        const mass *a = &s->masses[g->a], *b = &s->masses[g->b];
        double *out = p[s->order[k]];
        vec3 t1, t2;
        vec3_tangents(g->n, &t1, &t2);
        out[0] = vec3_dot(g->n, g->p);
        out[1] = vec3_dot(t1, g->p);
        out[2] = vec3_dot(t2, g->p);
        if (a->inverse_mass > 0)
            v[g->a] = (carom_twist){ a->v, a->w };
        if (b->inverse_mass > 0)
            v[g->b] = (carom_twist){ b->v, b->w };
    }
}
