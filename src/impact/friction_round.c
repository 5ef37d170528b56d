// Friction by sweeps between round bodies; see friction_round.h.
#include "impact/friction_round.h"

typedef carom_friction_round_body body;
typedef carom_friction_round_grip grip;

enum { ABSENT, ROUND, TURNING };

carom_status carom_friction_round_begin(const carom_problem *problem, carom_arena *scratch,
                                        carom_friction_round *out, carom_error *err)
{
    *out = (carom_friction_round){ .problem = problem };
    TAKE(scratch, out->bodies, problem->body_count, err);
    TAKE_ZEROS(scratch, out->loaded, problem->body_count, err);
    return CAROM_OK;
}

// Immovable bodies must not turn.
void carom_friction_round_still(carom_friction_round *r, int index)
{
    const carom_impact_body *of = &r->problem->bodies[index];
    vec3 spin = vec3_from(of->spin);
    r->bodies[index] = (body){ vec3_from(of->velocity), 0, spin, 0 };
    r->loaded[index] = vec3_dot(spin, spin) == 0 ? ROUND : TURNING;
}

// Inertia is a number.
static bool load_body(carom_friction_round *r, int index, const carom_twist *v)
{
    const double noise = 1e-12;
    const carom_impact_body *of = &r->problem->bodies[index];
    const double *j = of->inverse_inertia;
    if (r->loaded[index] != ABSENT)
        return r->loaded[index] == ROUND;
    if (!(fabs(j[1] - j[0]) <= noise * j[0] && fabs(j[2] - j[0]) <= noise * j[0] &&
          fabs(j[3]) + fabs(j[4]) + fabs(j[5]) <= noise * j[0]))
        return false;
    r->bodies[index] = (body){ v[index].linear, of->inverse_mass, v[index].angular, j[0] };
    r->loaded[index] = ROUND;
    return true;
}

// The length of an arm along the normal; false where it is not along it but for the round-off of
// centre and point.
static bool load_arm(const carom_impact_body *of, vec3 point, vec3 n, double *arm)
{
    const double noise = 0x1p-48; // 16 units in the last place
    vec3 centre = vec3_from(of->position), from = vec3_sub(point, centre);
    *arm = 0;
    if (of->inverse_mass == 0)
        return true;
    vec3 aside = vec3_cross(from, n);
    *arm = vec3_dot(from, n);
    return vec3_dot(aside, aside) <=
           noise * noise * (vec3_dot(point, point) + vec3_dot(centre, centre));
}

static vec3 hold(vec3 q, double most)
{
    double size = vec3_dot(q, q);
    return size > most * most ? vec3_scale(most / sqrt(size), q) : q;
}

static inline void push(body *a, body *b, const grip *g, double along, vec3 across)
{
    vec3 impulse = vec3_axpy(across, along, g->n), moment = vec3_cross(g->n, across);
    if (a->inverse_mass > 0) {
        a->v = vec3_axpy(a->v, -a->inverse_mass, impulse);
        a->w = vec3_axpy(a->w, -a->inverse_inertia * g->arm_a, moment);
    }
    if (b->inverse_mass > 0) {
        b->v = vec3_axpy(b->v, b->inverse_mass, impulse);
        b->w = vec3_axpy(b->w, -b->inverse_inertia * g->arm_b, moment);
    }
}

// The slip of a contact whose normal speed is u.
static vec3 slip_of(const body *a, const body *b, const grip *g, double u)
{
    vec3 turn = vec3_axpy(vec3_scale(g->arm_a, a->w), g->arm_b, b->w);
    vec3 between = vec3_sub(b->v, a->v);
    return vec3_sub(vec3_axpy(between, -u, g->n), vec3_cross(turn, g->n));
}

static bool load_grip(carom_friction_round *r, const carom_impact_contact *c, const carom_twist *v,
                      grip *g)
{
    const carom_impact_body *bodies = r->problem->bodies;
    vec3 n = vec3_from(c->normal), point = vec3_from(c->point);
    double arm_a, arm_b;
    if (!load_body(r, c->a, v) || !load_body(r, c->b, v) ||
        !load_arm(&bodies[c->a], point, n, &arm_a) || !load_arm(&bodies[c->b], point, n, &arm_b))
        return false;
    const body *a = &r->bodies[c->a], *b = &r->bodies[c->b];
    double light = a->inverse_mass + b->inverse_mass;
    double swing = a->inverse_inertia * arm_a * arm_a + b->inverse_inertia * arm_b * arm_b;
    *g = (grip){ .a = c->a, .b = c->b, .n = n, .arm_a = arm_a, .arm_b = -arm_b, .mu = c->friction };
    g->light = light;
    g->normal_mass = 1 / light;
    g->tangent_mass = 1 / (light + swing);
    return true;
}

bool carom_friction_round_load(carom_friction_round *r, const carom_contact_set *set,
                               const carom_friction_stage *stage, const int *order,
                               const carom_twist *v, double (*p)[3], double *size)
{
    if (stage->pyramid)
        return false;
    *size = 0;
    r->rebounds = false;
    for (int k = 0; k < set->count; ++k) {
        int i = order[k];
        grip *g = &r->grips[k];
        if (!load_grip(r, &r->problem->contacts[set->index[i]], v, g))
            return false;
        g->mu = stage->smooth ? 0 : g->mu;
        g->target = stage->target ? stage->target[i] : 0;
        g->base = stage->base ? stage->base[i] : 0;
        g->p = p[i][0] > g->base ? p[i][0] : g->base;
        if (p[i][1] != 0 || p[i][2] != 0) {
            vec3 t1, t2;
            vec3_tangents(g->n, &t1, &t2);
            g->q = hold(vec3_axpy(vec3_scale(p[i][1], t1), p[i][2], t2), g->mu * g->p);
        }
        double beta = carom_friction_rebound(stage, &r->problem->contacts[set->index[i]]) - 1;
        double u = vec3_dot(g->n, vec3_sub(r->bodies[g->b].v, r->bodies[g->a].v));
        r->rebounds = r->rebounds || beta != 0;
        if (stage->rebound)
            r->back[k] = vec3_scale(beta, slip_of(&r->bodies[g->a], &r->bodies[g->b], g, u));
        u = fabs(u);
        *size = u > *size ? u : *size;
        *size = g->target > *size ? g->target : *size;
    }
    for (int k = 0; k < set->count; ++k) {
        const grip *g = &r->grips[k];
        if (g->p != 0)
            push(&r->bodies[g->a], &r->bodies[g->b], g, g->p, g->q);
    }
    return true;
}

// One contact, with what tangential restitution adds to its slip (null: nothing). Returns the
// square of the change of its impulse.
static inline double relax(body *bodies, grip *g, const vec3 *back)
{
    body *a = &bodies[g->a], *b = &bodies[g->b];
    vec3 n = g->n, between = vec3_sub(b->v, a->v);
    double u = vec3_dot(n, between), old = g->p, p = old - g->normal_mass * (u - g->target);
    if (!(p > g->base)) {
        if (old == 0)
            return 0;
        p = g->base;
    }
    vec3 turn = vec3_axpy(vec3_scale(g->arm_a, a->w), g->arm_b, b->w);
    vec3 slip = vec3_sub(vec3_axpy(between, -u, n), vec3_cross(turn, n));
    if (back)
        slip = vec3_add(slip, *back);
    vec3 q = hold(vec3_axpy(g->q, -g->tangent_mass, slip), g->mu * p);
    vec3 across = vec3_sub(q, g->q);
    push(a, b, g, p - old, across);
    g->p = p;
    g->q = q;
    return (p - old) * (p - old) + vec3_dot(across, across);
}

// Contacts lie in a row, their bodies do not: those of a contact some way ahead are fetched.
enum { AHEAD = 6 };

static inline void fetch(const carom_friction_round *r, int k, int begin, int end)
{
    if (k < begin || k >= end)
        return;
    __builtin_prefetch(&r->bodies[r->grips[k].a], 1);
    __builtin_prefetch(&r->bodies[r->grips[k].b], 1);
}

double carom_friction_round_relax(carom_friction_round *r, int begin, int end, bool forward)
{
    double worst = 0;
    for (int k = 0; k < end - begin; ++k) {
        int at = forward ? begin + k : end - 1 - k;
        grip *g = &r->grips[at];
        fetch(r, forward ? at + AHEAD : at - AHEAD, begin, end);
        double change = r->rebounds ? relax(r->bodies, g, &r->back[at]) : relax(r->bodies, g, NULL);
        change *= g->light * g->light;
        worst = change > worst ? change : worst;
    }
    return sqrt(worst);
}

double carom_friction_round_stop(carom_friction_round *r, int begin, int end, bool forward)
{
    double worst = 0;
    for (int k = 0; k < end - begin; ++k) {
        int at = forward ? begin + k : end - 1 - k;
        grip *g = &r->grips[at];
        fetch(r, forward ? at + AHEAD : at - AHEAD, begin, end);
        body *a = &r->bodies[g->a], *b = &r->bodies[g->b];
        double u = vec3_dot(g->n, vec3_sub(b->v, a->v)), extra = g->base - g->normal_mass * u;
        extra = extra > 0 ? extra : 0;
        double change = extra - g->base;
        if (change == 0)
            continue;
        if (a->inverse_mass > 0)
            a->v = vec3_axpy(a->v, -change * a->inverse_mass, g->n);
        if (b->inverse_mass > 0)
            b->v = vec3_axpy(b->v, change * b->inverse_mass, g->n);
        g->base = extra;
        change = fabs(change) * g->light;
        worst = change > worst ? change : worst;
    }
    return worst;
}

void carom_friction_round_add(carom_friction_round *r, int k, vec3 impulse)
{
    grip *g = &r->grips[k];
    double along = vec3_dot(g->n, impulse);
    vec3 across = vec3_axpy(impulse, -along, g->n);
    push(&r->bodies[g->a], &r->bodies[g->b], g, along, across);
    g->p += along;
    g->q = vec3_add(g->q, across);
}

void carom_friction_round_store(const carom_friction_round *r, const carom_contact_set *set,
                                const int *order, carom_twist *v, double (*p)[3])
{
    for (int k = 0; k < set->count; ++k) {
        const grip *g = &r->grips[k];
        const body *a = &r->bodies[g->a], *b = &r->bodies[g->b];
        double *out = p[order[k]];
        vec3 t1, t2;
        vec3_tangents(g->n, &t1, &t2);
        out[0] = g->p;
        out[1] = vec3_dot(t1, g->q);
        out[2] = vec3_dot(t2, g->q);
        if (a->inverse_mass > 0)
            v[g->a] = (carom_twist){ a->v, a->w };
        if (b->inverse_mass > 0)
            v[g->b] = (carom_twist){ b->v, b->w };
    }
}
