// The contact between spheres, or a sphere and what does not move: its relaxation.
//
// The arm of an impulse lies along the normal n. A normal impulse therefore turns nothing, K n =
// n (1/ma + 1/mb), and across the normal K is one number, 1/ma + 1/mb + la^2/Ia + lb^2/Ib with the
// arms l: normal and tangential impulse are found one after the other, each exactly.
//
// Most contacts of a sweep have nothing to do: they are open, or in balance. A contact that is open
// by so many m/s stays so until its two bodies have been changed by as much; one in balance, until
// they have been changed by what counts. Each body adds up how far its velocity has travelled, and
// a sweep looks at a contact only when that sum says so.
#include "contact/contact.h"

typedef carom_contact_sphere_body body;
typedef carom_contact_sphere_record record;

#define ALIKE CAROM_CONTACT_SPHERE_ALIKE
// Contacts lie in a row, their bodies do not: those of a contact some way ahead are fetched.
enum { AHEAD = 6 };

// One contact; `bias` null: none. Returns the square of the change of its impulse, and by how much
// it is open now.
__attribute__((always_inline)) static inline double
relax(body *a, body *b, record *c, const vec3 *bias, double lower, double *open)
{
    vec3 n = c->n, between = vec3_sub(b->v, a->v);
    double u = vec3_dot(n, between), old = c->normal_impulse;
    double p = old - c->normal_mass * (u - c->target);
    *open = 0;
    if (!(p > lower)) {
        *open = u - c->target - old / c->normal_mass;
        if (old == 0)
            return 0;
        p = lower;
    }
    vec3 slip = carom_contact_slip_of_spheres(a, b, c, between, u);
    if (bias)
        slip = vec3_add(slip, *bias);
    vec3 q = carom_contact_clip(vec3_axpy(c->friction_impulse, -c->tangent_mass, slip),
                                c->friction * (lower < 0 ? fmax(p, 0) : p));
    vec3 across = vec3_sub(q, c->friction_impulse), change = vec3_axpy(across, p - old, n);
    carom_contact_push_spheres(a, b, c, change, across);
    c->normal_impulse = p;
    c->friction_impulse = q;
    return vec3_dot(change, change);
}

// The same for its rolling resistance. Returns the square of the impulse that would change speeds
// as much, and the share of it that the contact's own friction sees. Where that is none, friction
// has not changed the relative spin either, and the one from before it spares the processor
// waiting.
static inline double relax_rolling(body *a, body *b, const record *c,
                                   carom_contact_rolling *rolling, vec3 spin, double *own)
{
    if (rolling->length == 0) // leaves even the sign of a zero alone
        return 0;
    double mass = 1 / (a->inverse_inertia + b->inverse_inertia);
    double at_a = c->arm_a * a->inverse_inertia, at_b = c->arm_b * b->inverse_inertia;
    double reach = (at_a + at_b) * c->normal_mass, apart = fabs(at_a - at_b);
    if (apart > ALIKE * (at_a + at_b)) {
        *own = apart / (at_a + at_b);
        spin = vec3_sub(b->w, a->w);
    }
    vec3 change = carom_contact_relax_rolling(rolling, mass, spin, c->normal_impulse);
    carom_contact_turn_spheres(a, b, change);
    return vec3_dot(change, change) * reach * reach;
}

static inline void fetch(const carom_contact_system *s, const carom_contact_range *range, int i)
{
    if (i < range->begin || i >= range->end)
        return;
    __builtin_prefetch(&s->sphere_bodies[s->links[i].a], 1);
    __builtin_prefetch(&s->sphere_bodies[s->links[i].b], 1);
}

// `passing` (over contacts), `rolls` and `extras` (bias and lower bound) are constants where it is
// called: most worlds have no rolling resistance, and a sweep that does not ask for it is a
// fifteenth shorter.
__attribute__((always_inline)) static inline void
sweep(carom_contact_system *s, carom_contact_range *range, const carom_contact_pass *pass,
      const bool passing, const bool rolls, const bool extras)
{
    int count = range->end - range->begin, visited = 0;
    double worst = 0, size = 0, *travel = s->travel;
    for (int k = 0; k < count; ++k) {
        int i = pass->forward ? range->begin + k : range->end - 1 - k;
        carom_contact_link *link = &s->links[i];
        if (passing && travel[link->a] + travel[link->b] <= link->idle)
            continue;
        ++visited;
        if (passing && !s->made[i])
            s->make(s->client, i);
        if (!passing)
            fetch(s, range, pass->forward ? i + AHEAD : i - AHEAD);
        body *a = &s->sphere_bodies[link->a], *b = &s->sphere_bodies[link->b];
        record *c = &s->sphere_contacts[i];
        vec3 spin = rolls ? vec3_sub(b->w, a->w) : vec3_make(0, 0, 0);
        double open, change = 0, own = 0;
        double square = extras ? relax(a, b, c, &s->bias[i], s->lower[i], &open)
                               : relax(a, b, c, NULL, 0, &open);
        if (rolls && (square > 0 || c->normal_impulse > 0))
            square += relax_rolling(a, b, c, &s->rolling[i], spin, &own);
        if (square > 0) {
            double length = sqrt(square), mass = a->inverse_mass + b->inverse_mass;
            if (passing) {
                carom_contact_add_travel(&travel[link->a], a, length);
                carom_contact_add_travel(&travel[link->b], b, length);
            }
            change = length * mass;
            size += square * mass;
        }
        if (passing)
            link->idle = travel[link->a] + travel[link->b] + (open > pass->min ? open : pass->min);
        if (passing && rolls && own > 0) // friction and rolling resistance are not in balance
            link->idle -= own * change;
        worst = change > worst ? change : worst;
    }
    range->change = worst;
    range->size = size;
    range->visited = visited;
}

void carom_contact_sphere_sweep(carom_contact_system *s, carom_contact_range *range,
                                const carom_contact_pass *pass)
{
    if (s->bias)
        sweep(s, range, pass, false, false, true);
    else if (!s->travel)
        sweep(s, range, pass, false, false, false);
    else if (s->rolling)
        sweep(s, range, pass, true, true, false);
    else
        sweep(s, range, pass, true, false, false);
}

void carom_contact_sphere_stop(carom_contact_system *s, carom_contact_range *range,
                               const carom_contact_pass *pass, double *extra)
{
    int count = range->end - range->begin;
    double worst = 0;
    for (int k = 0; k < count; ++k) {
        int i = pass->forward ? range->begin + k : range->end - 1 - k;
        fetch(s, range, pass->forward ? i + AHEAD : i - AHEAD);
        body *a = &s->sphere_bodies[s->links[i].a], *b = &s->sphere_bodies[s->links[i].b];
        const record *c = &s->sphere_contacts[i];
        double u = vec3_dot(c->n, vec3_sub(b->v, a->v)), old = extra[i];
        extra[i] = old - c->normal_mass * u;
        extra[i] = extra[i] > 0 ? extra[i] : 0;
        double change = extra[i] - old;
        if (change == 0)
            continue;
        if (a->inverse_mass > 0)
            a->v = vec3_axpy(a->v, -change * a->inverse_mass, c->n);
        if (b->inverse_mass > 0)
            b->v = vec3_axpy(b->v, change * b->inverse_mass, c->n);
        change = fabs(change) * (a->inverse_mass + b->inverse_mass);
        worst = change > worst ? change : worst;
    }
    range->change = worst;
}
