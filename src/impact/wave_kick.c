// The passes of a micro-step of the law `wave` without loss and friction, piece by piece. The quick
// loops serve plain problems: spheres, Hertz, equal springs.
#include "impact/wave.h"

#include "math/power.h"

static int kick_inner(wave_field *field, const wave_run *run, int piece);
static int kick_outer(wave_field *field, const wave_run *run, int piece);
static void gather_plain(wave_field *field, const wave_run *run, int piece);
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
    if (field->plain)
        return piece < run->inner ? kick_inner(field, run, piece) : kick_outer(field, run, piece);
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
static inline void fetch(const wave_field *field, const int *active_contacts, int j, int count)
{
    enum { CONTACTS = 24, BODIES = 12 };
    if (j + CONTACTS >= count)
        return;
    const wave_contact *later = &field->contacts[active_contacts[j + BODIES]];
    __builtin_prefetch(&field->contacts[active_contacts[j + CONTACTS]]);
    __builtin_prefetch(&field->bodies[later->a]);
    __builtin_prefetch(&field->bodies[later->b]);
}

// How deep two spheres press; negative where they are apart.
static inline double plain_depth(const wave_body *bodies, const wave_contact *c)
{
    return -vec3_dot(c->d, vec3_sub(bodies[c->b].q, bodies[c->a].q));
}

// Inner contacts change the velocities at once: the pass reads displacements only.
static int kick_inner(wave_field *field, const wave_run *run, int piece)
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
        fetch(field, active_contacts, j, count);
        double depth = plain_depth(bodies, c);
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

static int kick_outer(wave_field *field, const wave_run *run, int piece)
{
    const int *active_contacts =
        field->active_contacts + field->first_place[run->first_piece + piece];
    int count = field->active_count[run->first_piece + piece], pressed = 0;
    const double hk = run->h * field->problem->contacts[0].stiffness, min = wave_least_depth(run);
    for (int j = 0; j < count; ++j) {
        int i = active_contacts[j];
        fetch(field, active_contacts, j, count);
        double depth = plain_depth(field->bodies, &field->contacts[i]);
        double kick = depth > 0 ? hk * (depth * sqrt(depth)) : 0;
        field->kick[i] = kick;
        field->lambda[i] += kick;
        pressed += depth > min;
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

static void gather_plain(wave_field *field, const wave_run *run, int piece)
{
    const int *active_bodies = field->active_bodies + run->first_body + piece * field->piece;
    const int *first = field->first_around, *active_around_count = field->active_around_count;
    int count = field->active_body_count[run->first_body_piece + piece];
    for (int j = 0; j < count; ++j) {
        int i = active_bodies[j];
        const int *near = field->active_around + first[i], *end = near + active_around_count[i];
        wave_body *body = &field->bodies[i];
        for (; near < end; ++near) {
            int contact = *near >= 0 ? *near : ~*near;
            double kick = field->kick[contact];
            if (!(kick > 0))
                continue;
            body->v = vec3_axpy(body->v, (*near >= 0 ? kick : -kick) * body->inverse_mass,
                                field->contacts[contact].d);
            field->disturbed[!run->present][i] = 1;
        }
        body->q = vec3_axpy(body->q, run->h, body->v);
    }
}
