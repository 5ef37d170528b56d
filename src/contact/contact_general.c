// The contact between bodies of any shape: its record, and its relaxation.
//
// Friction is a vector in space, so that no choice of tangents affects the result. The normal
// impulse changes the slip by its change times K n; what friction changes of the normal velocity
// is the next sweep's.
//
// A sweep passes over contacts neither of whose bodies has changed since the sweep before: in a
// pile that has come to rest but for a few bodies, nearly all of them.
#include "contact/contact.h"

typedef carom_contact_body body;
typedef carom_contact_record record;

// K times an impulse.
static vec3 respond(const body *a, const body *b, vec3 arm_a, vec3 arm_b, vec3 impulse)
{
    vec3 at_a = vec3_cross(sym3_mul(a->inverse_inertia, vec3_cross(arm_a, impulse)), arm_a);
    vec3 at_b = vec3_cross(sym3_mul(b->inverse_inertia, vec3_cross(arm_b, impulse)), arm_b);
    return vec3_axpy(vec3_add(at_a, at_b), a->inverse_mass + b->inverse_mass, impulse);
}

record carom_contact_general_make(const body *bodies, int a, int b, vec3 n, vec3 point)
{
    const body *at_a = &bodies[a], *at_b = &bodies[b];
    vec3 arm_a = vec3_sub(point, at_a->x), arm_b = vec3_sub(point, at_b->x), t1, t2;
    vec3_tangents(n, &t1, &t2);
    vec3 r1 = respond(at_a, at_b, arm_a, arm_b, t1), r2 = respond(at_a, at_b, arm_a, arm_b, t2);
    double k11 = vec3_dot(t1, r1), k22 = vec3_dot(t2, r2), k12 = vec3_dot(t1, r2);
    double half = 0.5 * (k11 - k22);
    vec3 normal_column = respond(at_a, at_b, arm_a, arm_b, n);
    return (record){ .a = a,
                     .b = b,
                     .n = n,
                     .point = point,
                     .normal_column = normal_column,
                     .normal_mass = 1 / vec3_dot(n, normal_column),
                     .tangent_mass = 1 / (0.5 * (k11 + k22) + sqrt(half * half + k12 * k12)) };
}

// One contact; `bias` null: none. Returns the change of its impulse.
__attribute__((always_inline)) static inline vec3 relax(body *bodies, record *c, const vec3 *bias,
                                                        double lower, bool pyramid)
{
    body *a = &bodies[c->a], *b = &bodies[c->b];
    vec3 arm_a = vec3_sub(c->point, a->x), arm_b = vec3_sub(c->point, b->x), n = c->n;
    vec3 u = carom_contact_velocity(a, b, arm_a, arm_b);
    double old = vec3_dot(n, c->impulse);
    double p = old - c->normal_mass * (vec3_dot(n, u) - c->target);
    if (!(p > lower)) {
        if (c->impulse.x == 0 && c->impulse.y == 0 && c->impulse.z == 0)
            return c->impulse;
        p = lower;
    }
    u = vec3_axpy(u, p - old, c->normal_column);
    if (bias)
        u = vec3_add(u, *bias);
    vec3 q = vec3_axpy(c->impulse, -c->tangent_mass, u);
    q = vec3_axpy(q, -vec3_dot(n, q), n);
    q = carom_contact_bound(q, c->friction * (lower < 0 ? fmax(p, 0) : p), n, pyramid);
    vec3 impulse = vec3_axpy(q, p, n), change = vec3_sub(impulse, c->impulse);
    carom_contact_push(a, b, arm_a, arm_b, change);
    c->impulse = impulse;
    return change;
}

// The same for its rolling resistance. Returns the square of the impulse that would change speeds
// as much.
static double relax_rolling(carom_contact_system *s, int i)
{
    carom_contact_rolling *rolling = &s->rolling[i];
    const carom_contact_rolling_response *response = &s->rolling_response[i];
    const record *c = &s->contacts[i];
    body *a = &s->bodies[c->a], *b = &s->bodies[c->b];
    if (rolling->length == 0) // leaves even the sign of a zero alone
        return 0;
    double p = fmax(vec3_dot(c->n, c->impulse), 0);
    vec3 change = carom_contact_relax_rolling(rolling, response->mass, vec3_sub(b->w, a->w), p);
    carom_contact_turn(a, b, change);
    return vec3_dot(change, change) * response->reach * response->reach;
}

static inline void note_change(carom_contact_system *s, int i, int number)
{
    if (s->bodies[i].inverse_mass > 0)
        s->changed_in[i] = number;
}

// `passing` (over contacts) and `extras` (bias, lower bound, pyramid) are constants where it is
// called.
__attribute__((always_inline)) static inline void sweep(carom_contact_system *s,
                                                        carom_contact_range *range,
                                                        const carom_contact_pass *pass,
                                                        const bool passing, const bool extras)
{
    int count = range->end - range->begin;
    const bool rolls = s->rolling != NULL;
    double worst = 0, size = 0;
    for (int k = 0; k < count; ++k) {
        int i = pass->forward ? range->begin + k : range->end - 1 - k;
        record *c = &s->contacts[i];
        if (passing && s->changed_in[c->a] < pass->number - 1 &&
            s->changed_in[c->b] < pass->number - 1)
            continue;
        vec3 change = extras ? relax(s->bodies, c, &s->bias[i], s->lower[i], s->pyramid)
                             : relax(s->bodies, c, NULL, 0, false);
        double square = vec3_dot(change, change);
        if (rolls)
            square += relax_rolling(s, i);
        double mass = s->bodies[c->a].inverse_mass + s->bodies[c->b].inverse_mass;
        double change_squared = square * mass * mass;
        if (passing && change_squared > pass->min * pass->min) {
            note_change(s, c->a, pass->number);
            note_change(s, c->b, pass->number);
        }
        worst = change_squared > worst ? change_squared : worst;
        size += square * mass;
    }
    range->change = sqrt(worst);
    range->size = size;
}

void carom_contact_general_sweep(carom_contact_system *s, carom_contact_range *range,
                                 const carom_contact_pass *pass)
{
    if (s->bias)
        sweep(s, range, pass, false, true);
    else if (pass->min >= 0)
        sweep(s, range, pass, true, false);
    else
        sweep(s, range, pass, false, false);
}

void carom_contact_general_stop(carom_contact_system *s, carom_contact_range *range,
                                const carom_contact_pass *pass, double *extra)
{
    int count = range->end - range->begin;
    double worst = 0;
    for (int k = 0; k < count; ++k) {
        int i = pass->forward ? range->begin + k : range->end - 1 - k;
        const record *c = &s->contacts[i];
        body *a = &s->bodies[c->a], *b = &s->bodies[c->b];
        vec3 arm_a = vec3_sub(c->point, a->x), arm_b = vec3_sub(c->point, b->x);
        double u = vec3_dot(c->n, carom_contact_velocity(a, b, arm_a, arm_b)), old = extra[i];
        extra[i] = old - c->normal_mass * u;
        extra[i] = extra[i] > 0 ? extra[i] : 0;
        if (extra[i] == old)
            continue;
        carom_contact_push(a, b, arm_a, arm_b, vec3_scale(extra[i] - old, c->n));
        double change = fabs(extra[i] - old) / c->normal_mass;
        worst = change > worst ? change : worst;
    }
    range->change = worst;
}
