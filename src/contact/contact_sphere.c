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
#include <string.h>
#include "contact/contact.h"
#include "math/lanes.h"

typedef carom_contact_sphere_body body;
typedef carom_contact_sphere_record record;

#define ALIKE CAROM_CONTACT_SPHERE_ALIKE
// Contacts lie in a row, their bodies do not: those of a contact some way ahead are fetched.
enum { AHEAD = 6, FAR = 24 };

// The bodies of a contact: each row is a vector and, behind it, what divides an impulse on it.
typedef struct moving {
    lanes va, wa, vb, wb;
} moving;

_Static_assert(offsetof(body, w) == sizeof(lanes) && sizeof(body) == 2 * sizeof(lanes) &&
                   offsetof(record, friction_impulse) == sizeof(lanes),
               "rows of four numbers");

LANES_INLINE lanes row(const void *of, int number)
{
    lanes a;
    memcpy(&a, (const char *)of + (size_t)number * sizeof a, sizeof a);
    return a;
}

LANES_INLINE void set_row(void *of, int number, lanes a)
{
    memcpy((char *)of + (size_t)number * sizeof a, &a, sizeof a);
}

LANES_INLINE moving load(const body *a, const body *b)
{
    return (moving){ row(a, 0), row(a, 1), row(b, 0), row(b, 1) };
}

// Immovable bodies are never written.
LANES_INLINE void store(const moving *m, body *a, body *b)
{
    if (m->va[3] > 0) {
        set_row(a, 0, m->va);
        set_row(a, 1, m->wa);
    }
    if (m->vb[3] > 0) {
        set_row(b, 0, m->vb);
        set_row(b, 1, m->wb);
    }
}

LANES_INLINE lanes clip(lanes q, double max)
{
    double square = lanes_dot3(q, q);
    return square > max * max ? lanes_all(max / sqrt(square)) * q : q;
}

// One contact; `bias` null: none. Returns the square of the change of its impulse, and by how much
// it is open now.
LANES_INLINE double relax(moving *m, record *c, const vec3 *bias, double lower, double *open)
{
    lanes n = row(c, 0), before = row(c, 1), between = m->vb - m->va;
    double u = lanes_dot3(n, between), old = c->normal_impulse;
    double p = old - c->normal_mass * (u - c->target);
    *open = 0;
    if (!(p > lower)) {
        *open = u - c->target - old / c->normal_mass;
        if (old == 0)
            return 0;
        p = lower;
    }
    lanes spin = lanes_all(c->arm_a) * m->wa + lanes_all(c->arm_b) * m->wb;
    lanes slip = between - lanes_all(u) * n - lanes_cross3(spin, n);
    if (bias)
        slip = slip + (lanes){ bias->x, bias->y, bias->z, 0 };
    lanes q = clip(before - lanes_all(c->tangent_mass) * slip,
                   c->friction * (lower < 0 ? fmax(p, 0) : p));
    lanes across = lanes_only3(q - before);
    lanes change = lanes_only3(across + lanes_all(p - old) * n), turn = lanes_cross3(n, across);
    double inertia_a = m->wa[3], inertia_b = m->wb[3]; // inverse ones
    m->va -= lanes_all(m->va[3]) * change;
    m->wa -= lanes_all(inertia_a * c->arm_a) * turn;
    m->vb += lanes_all(m->vb[3]) * change;
    m->wb -= lanes_all(inertia_b * c->arm_b) * turn;
    q[3] = p;
    set_row(c, 1, q);
    return lanes_dot3(change, change);
}

// The same for its rolling resistance. Returns the square of the impulse that would change speeds
// as much, and the share of it that the contact's own friction sees. Where that is none, friction
// has not changed the relative spin either, and the one from before it spares the processor
// waiting.
LANES_INLINE double relax_rolling(moving *m, const record *c, carom_contact_rolling *rolling,
                                  lanes spin, double *own)
{
    if (rolling->length == 0) // leaves even the sign of a zero alone
        return 0;
    double inertia_a = m->wa[3], inertia_b = m->wb[3], mass = 1 / (inertia_a + inertia_b);
    double at_a = c->arm_a * inertia_a, at_b = c->arm_b * inertia_b;
    double reach = (at_a + at_b) * c->normal_mass, apart = fabs(at_a - at_b);
    if (apart > ALIKE * (at_a + at_b)) {
        *own = apart / (at_a + at_b);
        spin = m->wb - m->wa;
    }
    lanes before = row(rolling, 0);
    lanes next = clip(before - lanes_all(mass) * spin, rolling->length * c->normal_impulse);
    lanes change = lanes_only3(next - before);
    m->wa -= lanes_all(inertia_a) * change;
    m->wb += lanes_all(inertia_b) * change;
    next[3] = rolling->length;
    set_row(rolling, 0, next);
    return lanes_dot3(change, change) * reach * reach;
}

static inline void fetch(const carom_contact_system *s, const carom_contact_range *range, int i)
{
    if (i < range->begin || i >= range->end)
        return;
    __builtin_prefetch(&s->sphere_bodies[s->links[i].a], 1);
    __builtin_prefetch(&s->sphere_bodies[s->links[i].b], 1);
}

// The same of a contact that will be looked at, as far as is known by now: its record lies apart
// from that of the last one, too. Without a branch that nobody can foresee: for all others what is
// at hand is fetched once more.
static inline void fetch_busy(const carom_contact_system *s, const carom_contact_range *range,
                              int i)
{
    if (i < range->begin || i >= range->end)
        return;
    const carom_contact_link *link = &s->links[i];
    bool busy = s->travel[link->a] + s->travel[link->b] > link->idle;
    const void *none = link;
    const record *c = &s->sphere_contacts[i];
    __builtin_prefetch(busy ? (const void *)c : none, 1);
    __builtin_prefetch(busy ? (const void *)&c->arm_a : none, 1);
    __builtin_prefetch(busy ? (const void *)&s->sphere_bodies[link->a] : none, 1);
    __builtin_prefetch(busy ? (const void *)&s->sphere_bodies[link->b] : none, 1);
}

// `passing` (over contacts), `rolls` and `extras` (bias and lower bound) are constants where it is
// called: most worlds have no rolling resistance, and a sweep that does not ask for it is a
// fifteenth shorter.
LANES_INLINE void sweep(carom_contact_system *s, carom_contact_range *range,
                        const carom_contact_pass *pass, const bool passing, const bool rolls,
                        const bool extras)
{
    int count = range->end - range->begin, visited = 0;
    double worst = 0, size = 0, *travel = s->travel;
    for (int k = 0; k < count; ++k) {
        int i = pass->forward ? range->begin + k : range->end - 1 - k;
        carom_contact_link *link = &s->links[i];
        if (passing && pass->scattered)
            fetch_busy(s, range, pass->forward ? i + FAR : i - FAR);
        if (passing && travel[link->a] + travel[link->b] <= link->idle)
            continue;
        ++visited;
        if (!passing)
            fetch(s, range, pass->forward ? i + AHEAD : i - AHEAD);
        body *a = &s->sphere_bodies[link->a], *b = &s->sphere_bodies[link->b];
        record *c = &s->sphere_contacts[i];
        moving m = load(a, b);
        lanes spin = m.wb - m.wa;
        double open, change = 0, own = 0;
        double square =
            extras ? relax(&m, c, &s->bias[i], s->lower[i], &open) : relax(&m, c, NULL, 0, &open);
        if (rolls && (square > 0 || c->normal_impulse > 0))
            square += relax_rolling(&m, c, &s->rolling[i], spin, &own);
        if (square > 0) {
            double length = sqrt(square), mass = m.va[3] + m.vb[3];
            store(&m, a, b);
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

CAROM_LANES_WIDE static void sweep_singly(carom_contact_system *s, carom_contact_range *range,
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

void carom_contact_sphere_sweep(carom_contact_system *s, carom_contact_range *range,
                                const carom_contact_pass *pass)
{
    sweep_singly(s, range, pass);
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
