// Which contacts may be compressed within the next block of micro-steps: compressed or touching
// now, closing fast enough, or pushed together by something that happens to one of their bodies. A
// body is disturbed where it was kicked in the last block, or where a contact was seen to close
// within this one. A body without active contacts moves evenly: one drift for the whole block.
#include "impact/wave.h"

#include <string.h>
#include "math/lanes.h"

// Active: gaps that close within a block at so many times their speed, or below this in h times the
// characteristic speed. Contacts that close within SOON times that disturb their bodies.
#define CLOSING_MARGIN 1.2
#define TOUCHING 1e-3
#define SOON 2

typedef struct listing {
    const wave_contact *contacts;
    const wave_body *bodies;
    const wave_spring *springs;
    const unsigned char *disturbed;
    unsigned char *soon;
    bool sorted;                 // by compression: inner contacts
    unsigned char *active;       // null where none is gathered
    unsigned char *inner_active; // null where all are
    int *active_contacts, found, apart;
    double common; // stiffness, where springs are alike
    double push, touch, reach;
    wave_scales seen;
} listing;

// Immovable bodies belong to all pieces.
LANES_INLINE void mark_both(unsigned char *flags, const wave_contact *c)
{
    __atomic_store_n(&flags[c->a], 1, __ATOMIC_RELAXED);
    __atomic_store_n(&flags[c->b], 1, __ATOMIC_RELAXED);
}

// Contact i is active. Compressed inner ones come first, the others from the end: the kicks then
// branch in long runs.
LANES_INLINE void add_active(listing *l, int i, double u, double g)
{
    const wave_contact *c = &l->contacts[i];
    if (g < 0 || !l->sorted)
        l->active_contacts[l->found++] = i;
    else
        l->active_contacts[--l->apart] = i;
    if (g < 0) {
        double w = l->bodies[c->a].inverse_mass + l->bodies[c->b].inverse_mass;
        double kw = (l->springs ? l->springs[i].k : l->common) * w, taut = -g * kw * kw;
        l->seen.max_kw2_delta = taut > l->seen.max_kw2_delta ? taut : l->seen.max_kw2_delta;
    }
    if (u < 0) {
        l->seen.fastest = -u > l->seen.fastest ? -u : l->seen.fastest;
        l->seen.square += u * u;
        l->seen.fourth += u * u * u * u;
    }
    if (l->inner_active)
        mark_both(l->inner_active, c);
}

LANES_INLINE void list_one(listing *l, int i, double u, double g)
{
    const wave_contact *c = &l->contacts[i];
    double closing = u < 0 ? -l->reach * u : 0;
    double reach = closing + (l->disturbed[c->a] | l->disturbed[c->b] ? l->push : 0);
    bool is_in = g <= l->touch || g <= reach;
    if (l->active)
        l->active[i] = is_in;
    if (g > 0 && g < SOON * closing)
        mark_both(l->soon, c);
    if (is_in)
        add_active(l, i, u, g);
}

// Speeds and gaps of four contacts.
typedef struct sight {
    lanes u, g;
} sight;

// Between spheres whose springs are at rest: four records to columns.
LANES_INLINE sight look_at_spheres(const wave_contact *c, const wave_body *bodies)
{
    lanes d[LANES], q[LANES], v[LANES];
    for (int k = 0; k < LANES; ++k) {
        const double *a = &bodies[c[k].a].q.x, *b = &bodies[c[k].b].q.x;
        d[k] = lanes_load(&c[k].d.x);
        q[k] = lanes_load(b) - lanes_load(a);
        v[k] = lanes_load(b + LANES) - lanes_load(a + LANES);
    }
    lanes_transpose(d);
    lanes_transpose(q);
    lanes_transpose(v);
    lanes3 normal = { d[0], d[1], d[2] };
    return (sight){ .u = lanes3_dot(normal, (lanes3){ v[0], v[1], v[2] }),
                    .g = lanes3_dot(normal, (lanes3){ q[0], q[1], q[2] }) };
}

// Four at a time: most that are apart are so whatever happens to their bodies, and are not looked
// at more closely. Returns where fewer than four are left. Bytes may alias anything: a listing of
// the function's own need not be read again after each.
CAROM_LANES_WIDE static int list_spheres(listing *all, int first, int end)
{
    listing l = *all;
    const lanes zero = lanes_all(0), reach = lanes_all(l.reach), push = lanes_all(l.push);
    const lanes touch = lanes_all(l.touch), soon = lanes_all(SOON);
    int i = first;
    for (; i + LANES <= end; i += LANES) {
        sight s = look_at_spheres(&l.contacts[i], l.bodies);
        lanes closing = lanes_keep(s.u < zero, -reach * s.u);
        lanes_flags near = (s.g <= touch) | (s.g <= closing + push);
        near |= (s.g > zero) & (s.g < soon * closing);
        if (l.active)
            memset(&l.active[i], 0, LANES);
        if (!lanes_any(near))
            continue;
        for (int k = 0; k < LANES; ++k)
            if (near[k])
                list_one(&l, i + k, s.u[k], s.g[k]);
    }
    *all = l;
    return i;
}

// Few of them, or others.
static void list_one_by_one(listing *all, const wave_field *field, const wave_run *run, int first,
                            int end)
{
    listing l = *all;
    for (int i = first; i < end; ++i) {
        const wave_contact *c = &l.contacts[i];
        list_one(&l, i, wave_speed(field, c, i), wave_gap(field, run, c, i));
    }
    *all = l;
}

// A copy of what is active in a plain problem, or one with loss or friction, for the kicks, filled
// up to fours by contacts without a normal.
static void lay_out(wave_field *field, int which)
{
    const int *active_contacts = field->active_contacts + field->first_place[which];
    wave_contact *listed = wave_listed(field, which);
    int count = field->active_count[which];
    for (int j = 0; j < count; ++j)
        listed[j] = field->contacts[active_contacts[j]];
    for (; count % LANES > 0; ++count)
        listed[count] = (wave_contact){ .a = listed[0].a, .b = listed[0].b };
}

void carom_wave_active_contacts(wave_field *field, const wave_run *run, int piece)
{
    const double span = WAVE_BLOCK * run->h;
    const int which = run->first_piece + piece;
    const int first = field->first_place[which], end = field->first_place[which + 1];
    const bool inner = piece < run->inner, gathered = !inner && !wave_alone(field, run);
    listing l = { .contacts = field->contacts,
                  .bodies = field->bodies,
                  .springs = field->springs,
                  .disturbed = field->disturbed[run->present],
                  .soon = field->disturbed[!run->present],
                  .sorted = inner,
                  .active = gathered ? field->active : NULL,
                  .inner_active = gathered ? NULL : field->inner_active,
                  .active_contacts = field->active_contacts,
                  .found = first,
                  .apart = end,
                  .common = field->problem->contacts[0].stiffness,
                  .push = span * run->characteristic,
                  .touch = TOUCHING * run->h * run->characteristic,
                  .reach = CLOSING_MARGIN * span };
    int next = first;
    if (end - first >= WAVE_MANY && !field->springs && !field->arms)
        next = list_spheres(&l, first, end);
    list_one_by_one(&l, field, run, next, end);
    memmove(l.active_contacts + l.found, l.active_contacts + l.apart,
            (size_t)(end - l.apart) * sizeof(int));
    field->scales[which] = l.seen;
    field->active_count[which] = l.found - first + end - l.apart;
    if (field->dissipative ||
        (field->plain && (gathered || field->active_count[which] >= WAVE_MANY)))
        lay_out(field, which);
}

static double energy_of(const wave_field *field, int i)
{
    const wave_body *body = &field->bodies[i];
    double energy = 0.5 * vec3_dot(body->v, body->v) / body->inverse_mass;
    if (field->spins)
        energy += 0.5 * sym3_divide(field->inverse_inertia[i], field->spins[i].w);
    return energy;
}

// The active ones of a body's outer contacts; how many.
static int list_around(wave_field *field, int i)
{
    int begin = field->first_around[i], count = 0;
    for (int k = begin; k < field->first_around[i + 1]; ++k) {
        int contact = field->around[k] >= 0 ? field->around[k] : ~field->around[k];
        if (field->active[contact])
            field->active_around[begin + count++] = field->around[k];
    }
    field->active_around_count[i] = count;
    return count;
}

// The bodies of those contacts; first those that have outer ones to gather from.
void carom_wave_active_bodies(wave_field *field, const wave_run *run, int piece)
{
    const int first = run->first_body + piece * field->piece;
    const int end = first + wave_piece_size(field, run->body_count, piece);
    const bool alone = wave_alone(field, run);
    int gathering = first, others = end;
    double energy = 0;
    for (int i = first; i < end; ++i) {
        energy += energy_of(field, i);
        if (!alone && list_around(field, i) > 0)
            field->active_bodies[gathering++] = i;
        else if (field->inner_active[i])
            field->active_bodies[--others] = i;
        else
            wave_drift(field, i, WAVE_BLOCK * run->h);
        field->disturbed[run->present][i] = field->inner_active[i] = 0;
    }
    memmove(field->active_bodies + gathering, field->active_bodies + others,
            (size_t)(end - others) * sizeof(int));
    field->energy[run->first_body_piece + piece] = energy;
    field->gathering_count[run->first_body_piece + piece] = gathering - first;
    field->active_body_count[run->first_body_piece + piece] = gathering - first + end - others;
}
