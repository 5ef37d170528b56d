// The passes of a micro-step of the law `wave` without loss and friction, piece by piece. The quick
// loops serve plain problems: spheres, Hertz, equal springs.
#include "impact/wave.h"

#include "math/lanes.h"
#include "math/power.h"

static int kick_few(wave_field *field, const wave_run *run, int piece);
CAROM_LANES_WIDE static int kick_many(wave_field *field, const wave_run *run, int piece);
CAROM_LANES_WIDE static int kick_outer(wave_field *field, const wave_run *run, int piece);
CAROM_LANES_WIDE static void gather_plain(wave_field *field, const wave_run *run, int piece);
static void apply_kick(wave_field *field, const wave_run *run, int i, bool is_b);

double carom_wave_kick_full(const wave_field *field, const wave_run *run, int i, double depth)
{
    const carom_impact_contact *contacts = field->problem->contacts;
    double hk = run->h * (field->springs ? field->springs[i].k : contacts[0].stiffness);
    if (run->hertz)
        return hk * (depth * sqrt(depth));
    double own = field->set.exponent > 0 ? field->set.exponent : contacts[field->order[i]].exponent;
    return hk * carom_power(depth, own);
}

int carom_wave_kick_contacts(wave_field *field, const wave_run *run, int piece)
{
    enum { MANY = 512 };
    if (field->plain && piece >= run->inner)
        return kick_outer(field, run, piece);
    if (field->plain)
        return field->active_count[run->first_piece + piece] < MANY ? kick_few(field, run, piece)
                                                                    : kick_many(field, run, piece);
    const int *active_contacts =
        field->active_contacts + field->first_place[run->first_piece + piece];
    const double deep = wave_least_depth(run);
    int pressed = 0;
    for (int j = 0; j < field->active_count[run->first_piece + piece]; ++j) {
        int i = active_contacts[j];
        double depth = -wave_gap(field, run, &field->contacts[i], i);
        field->kick[i] = depth > 0 ? carom_wave_kick_full(field, run, i, depth) : 0;
        field->lambda[i] += field->kick[i];
        pressed += depth > deep;
    }
    return pressed;
}

// Asks for what later rounds need: lists with gaps defeat the processor's own foresight.
LANES_INLINE void fetch(const wave_field *field, const int *active_contacts, int j, int count)
{
    enum { CONTACTS = 48, BODIES = 16 };
    if (j + CONTACTS + LANES > count)
        return;
    for (int k = j; k < j + LANES; ++k) {
        const wave_contact *later = &field->contacts[active_contacts[k + BODIES]];
        __builtin_prefetch(&field->contacts[active_contacts[k + CONTACTS]]);
        __builtin_prefetch(&field->bodies[later->a]);
        __builtin_prefetch(&field->bodies[later->b]);
    }
}

// Four contacts of a list; what is behind its end repeats the last one.
typedef struct four {
    const wave_contact *contact[LANES];
    lanes d[LANES]; // normals, as rows
    lanes depth;    // negative where the spheres are apart
} four;

LANES_INLINE four look_at(const wave_field *field, const int *active_contacts, int j, int count)
{
    four f;
    lanes along[LANES];
    for (int k = 0; k < LANES; ++k) {
        const wave_contact *c =
            &field->contacts[active_contacts[j + k < count ? j + k : count - 1]];
        f.contact[k] = c;
        f.d[k] = (lanes)((lanes_flags)lanes_load(&c->d.x) & (lanes_flags){ -1, -1, -1, 0 });
        along[k] =
            f.d[k] * (lanes_load(&field->bodies[c->b].q.x) - lanes_load(&field->bodies[c->a].q.x));
    }
    lanes_transpose(along);
    f.depth = -(along[0] + along[1] + along[2]);
    return f;
}

// v += s d of a body that is movable.
LANES_INLINE void push(wave_body *bodies, unsigned char *disturbed, int i, double kick, lanes d)
{
    double *v = &bodies[i].v.x, inverse_mass = bodies[i].inverse_mass;
    if (!(inverse_mass > 0))
        return;
    lanes_store(v, lanes_load(v) + lanes_all(kick * inverse_mass) * d);
    disturbed[i] = 1;
}

LANES_INLINE int count_of(lanes_flags set)
{
    return -(int)(set[0] + set[1] + set[2] + set[3]);
}

// Inner contacts change the velocities at once: the pass reads displacements only. Few of them go
// one by one, which takes as long as by fours, or less where there are no vector registers.
static int kick_few(wave_field *field, const wave_run *run, int piece)
{
    const int *active_contacts =
        field->active_contacts + field->first_place[run->first_piece + piece];
    const wave_contact *contacts = field->contacts;
    wave_body *bodies = field->bodies;
    double *lambda = field->lambda;
    unsigned char *disturbed = field->disturbed[!run->present];
    int count = field->active_count[run->first_piece + piece], pressed = 0;
    const double hk = run->h * field->problem->contacts[0].stiffness, min = wave_least_depth(run);
    for (int j = 0; j < count; ++j) {
        const wave_contact *c = &contacts[active_contacts[j]];
        double depth = -vec3_dot(c->d, vec3_sub(bodies[c->b].q, bodies[c->a].q));
        if (!(depth > 0))
            continue;
        double kick = hk * (depth * sqrt(depth));
        wave_body *a = &bodies[c->a], *b = &bodies[c->b];
        lambda[active_contacts[j]] += kick;
        pressed += depth > min;
        if (a->inverse_mass > 0) {
            a->v = vec3_axpy(a->v, -kick * a->inverse_mass, c->d);
            disturbed[c->a] = 1;
        }
        if (b->inverse_mass > 0) {
            b->v = vec3_axpy(b->v, kick * b->inverse_mass, c->d);
            disturbed[c->b] = 1;
        }
    }
    return pressed;
}

// Many by fours: the processor foresees more of them.
CAROM_LANES_WIDE static int kick_many(wave_field *field, const wave_run *run, int piece)
{
    const wave_field f = *field; // bytes may alias anything: what is written cannot change these
    const int which = run->first_piece + piece, count = f.active_count[which];
    const int *active_contacts = f.active_contacts + f.first_place[which];
    unsigned char *disturbed = f.disturbed[!run->present];
    int pressed = 0;
    const lanes hk = lanes_all(run->h * f.problem->contacts[0].stiffness), zero = lanes_all(0);
    const lanes min = lanes_all(wave_least_depth(run));
    for (int j = 0; j < count; j += LANES) {
        fetch(&f, active_contacts, j, count);
        four now = look_at(&f, active_contacts, j, count);
        lanes_flags used = (lanes_flags){ 0, 1, 2, 3 } < lanes_flags_all(count - j);
        lanes_flags closed = (now.depth > zero) & used;
        if (!lanes_any(closed))
            continue;
        lanes depth = lanes_keep(closed, now.depth), kick = hk * (depth * lanes_sqrt(depth));
        pressed += count_of(used & (now.depth > min));
        for (int k = 0; k < LANES; ++k) {
            if (!closed[k])
                continue;
            f.lambda[active_contacts[j + k]] += kick[k];
            push(f.bodies, disturbed, now.contact[k]->a, -kick[k], now.d[k]);
            push(f.bodies, disturbed, now.contact[k]->b, kick[k], now.d[k]);
        }
    }
    return pressed;
}

CAROM_LANES_WIDE static int kick_outer(wave_field *field, const wave_run *run, int piece)
{
    const int which = run->first_piece + piece, count = field->active_count[which];
    const int *active_contacts = field->active_contacts + field->first_place[which];
    const lanes hk = lanes_all(run->h * field->problem->contacts[0].stiffness), zero = lanes_all(0);
    const lanes min = lanes_all(wave_least_depth(run));
    int pressed = 0;
    for (int j = 0; j < count; j += LANES) {
        fetch(field, active_contacts, j, count);
        four now = look_at(field, active_contacts, j, count);
        lanes depth = lanes_max(now.depth, zero), kick = hk * (depth * lanes_sqrt(depth));
        for (int k = 0; k < LANES && j + k < count; ++k) {
            field->kick[active_contacts[j + k]] = kick[k];
            field->lambda[active_contacts[j + k]] += kick[k];
            pressed += now.depth[k] > min[k];
        }
    }
    return pressed;
}

void carom_wave_kick_bodies(wave_field *field, const wave_run *run, int piece)
{
    if (field->plain) {
        gather_plain(field, run, piece);
        return;
    }
    const int *active_contacts =
        field->active_contacts + field->first_place[run->first_piece + piece];
    for (int j = 0; j < field->active_count[run->first_piece + piece]; ++j)
        if (field->kick[active_contacts[j]] > 0) {
            apply_kick(field, run, active_contacts[j], false);
            apply_kick(field, run, active_contacts[j], true);
        }
    const int *active_bodies = field->active_bodies + run->first_body + piece * field->piece;
    for (int j = 0; j < field->active_body_count[run->first_body_piece + piece]; ++j) {
        int i = active_bodies[j];
        wave_body *body = &field->bodies[i];
        const int *near = field->active_around + field->first_around[i];
        for (int k = 0; k < field->active_around_count[i]; ++k) {
            int contact = near[k] >= 0 ? near[k] : ~near[k];
            if (!(field->kick[contact] > 0))
                continue;
            apply_kick(field, run, contact, near[k] >= 0);
        }
        body->q = vec3_axpy(body->q, run->h, body->v);
        if (field->spins)
            field->spins[i].q = vec3_axpy(field->spins[i].q, run->h, field->spins[i].w);
    }
}

// The kick of contact i on one of its bodies.
static void apply_kick(wave_field *field, const wave_run *run, int i, bool is_b)
{
    const wave_contact *c = &field->contacts[i];
    int which = is_b ? c->b : c->a;
    wave_body *body = &field->bodies[which];
    if (body->inverse_mass == 0)
        return;
    double kick = is_b ? field->kick[i] : -field->kick[i];
    field->disturbed[!run->present][which] = 1;
    body->v = vec3_axpy(body->v, kick * body->inverse_mass, c->d);
    if (field->arms) {
        wave_spin *spin = &field->spins[which];
        vec3 arm = is_b ? field->arms[i].b : field->arms[i].a;
        spin->w = vec3_axpy(spin->w, kick, sym3_mul(spin->inverse_inertia, arm));
    }
}

CAROM_LANES_WIDE static void gather_plain(wave_field *field, const wave_run *run, int piece)
{
    const int *active_bodies = field->active_bodies + run->first_body + piece * field->piece;
    const int *first = field->first_around, *active_around_count = field->active_around_count;
    const int count = field->active_body_count[run->first_body_piece + piece];
    const lanes h = lanes_all(run->h);
    for (int j = 0; j < count; ++j) {
        int i = active_bodies[j];
        wave_body *body = &field->bodies[i];
        double *q = &body->q.x;
        for (int k = 0; k < active_around_count[i]; ++k) {
            int near = field->active_around[first[i] + k], contact = near >= 0 ? near : ~near;
            double kick = field->kick[contact];
            if (!(kick > 0))
                continue;
            body->v = vec3_axpy(body->v, (near >= 0 ? kick : -kick) * body->inverse_mass,
                                field->contacts[contact].d);
            field->disturbed[!run->present][i] = 1;
        }
        lanes_store(q, lanes_load(q) + h * lanes_load(q + LANES)); // and the mass stays
    }
}
