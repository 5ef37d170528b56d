// The contact between bodies of any shape: its record, and its relaxation.
//
// Friction is a vector in space, so that no choice of tangents affects the result. The normal
// impulse changes the slip by its change times K n; what friction changes of the normal velocity
// is the next sweep's.
//
// A sweep passes over contacts neither of whose bodies has changed since the sweep before: in a
// pile that has come to rest but for a few bodies, nearly all of them.
#include "contact/contact.h"
#include "math/lanes.h"

typedef carom_contact_body body;
typedef carom_contact_record record;

LANES_INLINE lanes3 all3(vec3 v)
{
    return (lanes3){ lanes_all(v.x), lanes_all(v.y), lanes_all(v.z) };
}

// What an impulse in each lane does to the velocity of one body at the contact by its spin.
LANES_INLINE lanes3 turn(const body *of, vec3 arm, lanes3 impulse)
{
    const sym3 *j = &of->inverse_inertia;
    lanes_sym3 inverse = { lanes_all(j->xx), lanes_all(j->yy), lanes_all(j->zz),
                           lanes_all(j->xy), lanes_all(j->xz), lanes_all(j->yz) };
    return lanes3_cross(lanes_sym3_mul(inverse, lanes3_cross(all3(arm), impulse)), all3(arm));
}

// K times each of three impulses, side by side in lanes.
CAROM_LANES_WIDE static void respond_to_columns(const body *a, const body *b, const vec3 arm[2],
                                                const vec3 impulse[3], vec3 out[3])
{
    lanes3 in = { { impulse[0].x, impulse[1].x, impulse[2].x, 0 },
                  { impulse[0].y, impulse[1].y, impulse[2].y, 0 },
                  { impulse[0].z, impulse[1].z, impulse[2].z, 0 } };
    lanes3 turned = lanes3_add(turn(a, arm[0], in), turn(b, arm[1], in));
    lanes3 all = lanes3_axpy(turned, lanes_all(a->inverse_mass + b->inverse_mass), in);
    for (int k = 0; k < 3; ++k)
        out[k] = (vec3){ all.x[k], all.y[k], all.z[k] };
}

record carom_contact_general_make(const body *bodies, int a, int b, vec3 n, vec3 point, vec3 shift)
{
    vec3 along[3] = { n }, column[3];
    vec3 arm[2] = { vec3_sub(point, bodies[a].x), vec3_sub(vec3_sub(point, shift), bodies[b].x) };
    vec3_tangents(n, &along[1], &along[2]);
    respond_to_columns(&bodies[a], &bodies[b], arm, along, column);
    double k11 = vec3_dot(along[1], column[1]), k22 = vec3_dot(along[2], column[2]);
    double k12 = vec3_dot(along[1], column[2]), half = 0.5 * (k11 - k22);
    return (record){ .a = a,
                     .b = b,
                     .n = n,
                     .point = point,
                     .normal_column = column[0],
                     .normal_mass = 1 / vec3_dot(n, column[0]),
                     .tangent_mass = 1 / (0.5 * (k11 + k22) + sqrt(half * half + k12 * k12)) };
}

// What a few clients have of a contact.
typedef struct extras_of {
    const vec3 *bias, *shift; // null: none
    double lower;
    bool pyramid;
} extras_of;

// One contact. Returns the change of its impulse.
__attribute__((always_inline)) static inline vec3 relax(body *bodies, record *c, extras_of more)
{
    body *a = &bodies[c->a], *b = &bodies[c->b];
    const double lower = more.lower;
    vec3 centre = more.shift ? vec3_add(b->x, *more.shift) : b->x;
    vec3 arm_a = vec3_sub(c->point, a->x), arm_b = vec3_sub(c->point, centre), n = c->n;
    vec3 u = carom_contact_velocity(a, b, arm_a, arm_b);
    double old = vec3_dot(n, c->impulse);
    double p = old - c->normal_mass * (vec3_dot(n, u) - c->target);
    if (!(p > lower)) {
        if (c->impulse.x == 0 && c->impulse.y == 0 && c->impulse.z == 0)
            return c->impulse;
        p = lower;
    }
    u = vec3_axpy(u, p - old, c->normal_column);
    if (more.bias)
        u = vec3_add(u, *more.bias);
    vec3 q = vec3_axpy(c->impulse, -c->tangent_mass, u);
    q = vec3_axpy(q, -vec3_dot(n, q), n);
    q = carom_contact_bound(q, c->friction * (lower < 0 ? fmax(p, 0) : p), n, more.pyramid);
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

// `passing` (over contacts), `extras` (bias, lower bound, pyramid) and `shifted` (images) are
// constants where it is called.
__attribute__((always_inline)) static inline void
sweep(carom_contact_system *s, carom_contact_range *range, const carom_contact_pass *pass,
      const bool passing, const bool extras, const bool shifted)
{
    int count = range->end - range->begin, visited = 0;
    const bool rolls = s->rolling != NULL;
    double worst = 0, size = 0;
    for (int k = 0; k < count; ++k) {
        int i = pass->forward ? range->begin + k : range->end - 1 - k;
        record *c = &s->contacts[i];
        if (passing && s->changed_in[c->a] < pass->number - 1 &&
            s->changed_in[c->b] < pass->number - 1)
            continue;
        ++visited;
        extras_of more = { .shift = shifted ? &s->shift[i] : NULL };
        if (extras)
            more = (extras_of){ &s->bias[i], more.shift, s->lower[i], s->pyramid };
        vec3 change = relax(s->bodies, c, more);
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
    range->visited = visited;
}

void carom_contact_general_sweep(carom_contact_system *s, carom_contact_range *range,
                                 const carom_contact_pass *pass)
{
    if (s->shift && s->bias)
        sweep(s, range, pass, false, true, true);
    else if (s->shift)
        sweep(s, range, pass, pass->min >= 0, false, true);
    else if (s->bias)
        sweep(s, range, pass, false, true, false);
    else if (pass->min >= 0)
        sweep(s, range, pass, true, false, false);
    else
        sweep(s, range, pass, false, false, false);
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
        vec3 arm_a = carom_contact_arm_a(s, i), arm_b = carom_contact_arm_b(s, i);
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
