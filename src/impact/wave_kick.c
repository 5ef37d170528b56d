// The passes of a micro-step of the law `wave` without loss and friction, piece by piece. Plain
// problems have quicker loops (wave_plain.c).
#include "impact/wave.h"

#include "math/power.h"

static void apply_kick(wave_field *field, const wave_run *run, int i, bool is_b);

// The kick of a spring without loss.
static double full_kick(const wave_field *field, const wave_run *run, int i, double depth)
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
        return carom_wave_plain_contacts(field, run, piece);
    const int *active_contacts =
        field->active_contacts + field->first_place[run->first_piece + piece];
    const double deep = wave_least_depth(run);
    int pressed = 0;
    for (int j = 0; j < field->active_count[run->first_piece + piece]; ++j) {
        int i = active_contacts[j];
        double depth = -wave_gap(field, run, &field->contacts[i], i);
        field->kick[i] = depth > 0 ? full_kick(field, run, i, depth) : 0;
        field->lambda[i] += field->kick[i];
        pressed += depth > deep;
    }
    return pressed;
}

void carom_wave_kick_bodies(wave_field *field, const wave_run *run, int piece)
{
    if (field->plain) {
        carom_wave_plain_bodies(field, run, piece);
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
        spin->w = vec3_axpy(spin->w, kick, sym3_mul(field->inverse_inertia[which], arm));
    }
}
