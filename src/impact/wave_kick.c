// The passes of a micro-step of the law `wave`, piece by piece.
//
// With e < 1 unloading gives e^2 of the force (Stronge), and each contact keeps a ledger: the work
// of a kick is exactly 1/2 (u + u') dlambda summed over contacts, u before and u' after it. What
// loading stores is added up; where u turns positive, (1 - e^2) of it is booked as lost. See
// docs/wave.md.
#include "impact/wave.h"

#include "math/power.h"

static int kick_inner(wave_field *field, const wave_run *run, int piece);
static int kick_outer(wave_field *field, const wave_run *run, int piece);
static void gather_plain(wave_field *field, const wave_run *run, int piece);
static double lossy_kick(wave_field *field, const wave_run *run, const wave_contact *c, int i,
                         double full);

// Compression that counts: less is round-off between bodies that move together.
static double least_depth(const wave_run *run)
{
    return 1e-4 * run->h * run->first_speed;
}

static double exponent_at(const wave_field *field, int i)
{
    return field->set.exponent > 0 ? field->set.exponent
                                   : field->problem->contacts[field->order[i]].exponent;
}

int carom_wave_kick_contacts(wave_field *field, const wave_run *run, int piece)
{
    if (field->plain)
        return piece < run->inner ? kick_inner(field, run, piece) : kick_outer(field, run, piece);
    const int *play = field->play + field->first_place[run->first_piece + piece];
    const double common = field->problem->contacts[0].stiffness;
    const double faint =
        1e-4 * run->first_speed; // what a lossy contact may still add when it is left
    const double deep = least_depth(run);
    int pressed = 0;
    for (int j = 0; j < field->play_count[run->first_piece + piece]; ++j) {
        int i = play[j];
        wave_contact *c = &field->contacts[i];
        double g = wave_gap(field, run, c, i), depth = g < 0 ? -g : 0;
        double hk = run->h * (field->springs ? field->springs[i].k : common);
        double power = run->hertz  ? depth * sqrt(depth)
                       : depth > 0 ? carom_power(depth, exponent_at(field, i))
                                   : 0;
        double kick = run->lossy ? lossy_kick(field, run, c, i, hk * power) : hk * power;
        field->kick[i] = kick;
        field->lambda[i] += kick;
        pressed += depth > deep && kick > (run->lossy ? faint / field->losses[i].push : 0);
    }
    return pressed;
}

// Asks for what later rounds need: lists with gaps defeat the processor's own foresight.
static inline void fetch(const wave_field *field, const int *play, int j, int count)
{
    enum { CONTACTS = 24, BODIES = 12 };
    if (j + CONTACTS >= count)
        return;
    const wave_contact *later = &field->contacts[play[j + BODIES]];
    __builtin_prefetch(&field->contacts[play[j + CONTACTS]]);
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
    const int *play = field->play + field->first_place[run->first_piece + piece];
    const wave_contact *contacts = field->contacts;
    wave_body *bodies = field->bodies;
    double *lambda = field->lambda;
    unsigned char *hot = field->hot[!run->turn];
    int count = field->play_count[run->first_piece + piece], pressed = 0;
    const double hk = run->h * field->problem->contacts[0].stiffness, least = least_depth(run);
    for (int j = 0; j < count; ++j) {
        const wave_contact *c = &contacts[play[j]];
        fetch(field, play, j, count);
        double depth = plain_depth(bodies, c);
        if (!(depth > 0))
            continue;
        double kick = hk * (depth * sqrt(depth));
        wave_body *a = &bodies[c->a], *b = &bodies[c->b];
        lambda[play[j]] += kick;
        pressed += depth > least;
        if (a->inverse_mass > 0) {
            a->v = vec3_axpy(a->v, -kick * a->inverse_mass, c->d);
            hot[c->a] = 1;
        }
        if (b->inverse_mass > 0) {
            b->v = vec3_axpy(b->v, kick * b->inverse_mass, c->d);
            hot[c->b] = 1;
        }
    }
    return pressed;
}

static int kick_outer(wave_field *field, const wave_run *run, int piece)
{
    const int *play = field->play + field->first_place[run->first_piece + piece];
    int count = field->play_count[run->first_piece + piece], pressed = 0;
    const double hk = run->h * field->problem->contacts[0].stiffness, least = least_depth(run);
    for (int j = 0; j < count; ++j) {
        int i = play[j];
        fetch(field, play, j, count);
        double depth = plain_depth(field->bodies, &field->contacts[i]);
        double kick = depth > 0 ? hk * (depth * sqrt(depth)) : 0;
        field->kick[i] = kick;
        field->lambda[i] += kick;
        pressed += depth > least;
    }
    return pressed;
}

void carom_wave_kick_bodies(wave_field *field, const wave_run *run, int piece)
{
    if (field->plain) {
        gather_plain(field, run, piece);
        return;
    }
    const int *awake = field->awake + run->first_body + piece * WAVE_PIECE;
    for (int j = 0; j < field->awake_count[run->first_body_piece + piece]; ++j) {
        int i = awake[j], share = 0;
        wave_body *body = &field->bodies[i];
        const int *near = field->near + field->first_around[i];
        vec3 linear = { 0, 0, 0 }, angular = { 0, 0, 0 };
        for (int k = 0; k < field->near_count[i]; ++k) {
            bool is_b = near[k] >= 0;
            int contact = is_b ? near[k] : ~near[k];
            const wave_contact *c = &field->contacts[contact];
            double kick = is_b ? field->kick[contact] : -field->kick[contact];
            linear = vec3_axpy(linear, kick, c->d);
            if (field->spins)
                angular = vec3_axpy(angular, kick,
                                    is_b ? field->arms[contact].b : field->arms[contact].a);
            if (run->rough)
                share += field->kick[contact] > 0 && field->roughs[contact].mu > 0;
        }
        field->hot[!run->turn][i] |= vec3_dot(linear, linear) > 0;
        body->v = vec3_axpy(body->v, body->inverse_mass, linear);
        wave_spin *spin = field->spins ? &field->spins[i] : NULL;
        if (spin)
            spin->w = vec3_add(spin->w, sym3_mul(spin->inverse_inertia, angular));
        if (run->rough) {
            field->share[i] = share;
            continue;
        }
        body->q = vec3_axpy(body->q, run->h, body->v);
        if (spin)
            spin->q = vec3_axpy(spin->q, run->h, spin->w);
    }
}

static void gather_plain(wave_field *field, const wave_run *run, int piece)
{
    const int *awake = field->awake + run->first_body + piece * WAVE_PIECE;
    const int *first = field->first_around, *near_count = field->near_count;
    int count = field->awake_count[run->first_body_piece + piece];
    for (int j = 0; j < count; ++j) {
        int i = awake[j];
        const int *near = field->near + first[i], *end = near + near_count[i];
        wave_body *body = &field->bodies[i];
        for (; near < end; ++near) {
            int contact = *near >= 0 ? *near : ~*near;
            double kick = field->kick[contact];
            if (!(kick > 0))
                continue;
            body->v = vec3_axpy(body->v, (*near >= 0 ? kick : -kick) * body->inverse_mass,
                                field->contacts[contact].d);
            field->hot[!run->turn][i] = 1;
        }
        body->q = vec3_axpy(body->q, run->h, body->v);
    }
}

// Books the kick of a micro-step that took the normal speed from loss->u to u. Loading stores its
// work; where the speed turns positive within the kick only the part before zero was loading (speed
// is linear in the impulse), and the cycle ends.
static inline void book(wave_loss *loss, double kick, double u)
{
    double before = loss->u;
    if (before < 0 && u < 0) {
        loss->stored -= 0.5 * (before + u) * kick;
    } else if (before < 0) {
        loss->stored += 0.5 * before * before / (u - before) * kick;
        loss->lost += (1 - loss->keep) * loss->stored;
        loss->stored = 0;
    } else if (u < 0) {
        loss->stored += 0.5 * u * u / (before - u) * kick;
    }
}

static inline vec3 slip_at(const wave_field *field, const wave_contact *c, const wave_rough *rough)
{
    const wave_spin *a = &field->spins[c->a], *b = &field->spins[c->b];
    vec3 slip = vec3_sub(vec3_add(field->bodies[c->b].v, vec3_cross(b->w, rough->arm_b)),
                         vec3_add(field->bodies[c->a].v, vec3_cross(a->w, rough->arm_a)));
    return vec3_axpy(slip, -vec3_dot(slip, c->d), c->d);
}

// Friction's work in the last micro-step, exactly: 1/2 (slip + slip') . impulse, never positive.
static inline void book_friction(wave_field *field, const wave_contact *c, int i)
{
    wave_rough *rough = &field->roughs[i];
    if (vec3_dot(rough->kick, rough->kick) == 0)
        return;
    vec3 both = vec3_add(rough->slip, slip_at(field, c, rough));
    field->losses[i].lost -= 0.5 * vec3_dot(both, rough->kick);
    rough->kick = vec3_make(0, 0, 0);
}

// The kick of a contact with e < 1 from the full kick h F: loading acts with F, unloading with e^2
// F, and a contact pressed by its neighbours at u = 0 holds with something between. What it will be
// within this kick is told by the change of u that the last one brought, which goes on smoothly
// except for the contact's own jump of force, answered by W_ii.
//   hold: the same part of F as in the last kick, corrected by what would be left of u. Dividing by
//   the response of all
//         neighbours together (push) keeps contacts that correct at once from overshooting. While u
//         stays negative this goes up to F: loading.
//   turn: u crosses zero within the kick; before it that part of F goes on, after it e^2 F acts.
// The contact turns where u would still rise with e^2 F, else it holds. Between the two the kick is
// blended: a jump would let round-off decide, and a rotated problem come out otherwise.
static inline double hysteresis(const wave_loss *loss, double u, double change, double full)
{
    const double width = 0.2;
    double least = loss->keep * full, last = loss->part * full, next = u + change;
    double hold = last - next / loss->push;
    hold = hold < least ? least : hold > full ? full : hold;
    if (next <= 0)
        return hold;
    double before = u < 0 ? -u / change : 0;
    double turn = before * last + (1 - before) * least;
    double rise = u < 0 ? change : next, drop = loss->own * (last - least);
    double blend = rise <= drop ? 0 : rise >= (1 + width) * drop ? 1 : (rise / drop - 1) / width;
    return blend * turn + (1 - blend) * hold;
}

static double lossy_kick(wave_field *field, const wave_run *run, const wave_contact *c, int i,
                         double full)
{
    wave_loss *loss = &field->losses[i];
    double u = wave_speed(field, c, i), change = u - loss->u;
    if (run->rough)
        book_friction(field, c, i);
    else if (field->kick[i] > 0)
        book(loss, field->kick[i], u);
    loss->u = u;
    if (loss->keep == 1)
        return full;
    double kick = full > 0 ? hysteresis(loss, u, change, full) : 0;
    loss->part = full > 0 ? kick / full : 1;
    return kick;
}

// s^T K s of one end, K the response of a body to an impulse at the contact.
static double compliance(const wave_field *field, int body, vec3 arm, vec3 s)
{
    double inverse = field->bodies[body].inverse_mass;
    if (inverse == 0)
        return 0;
    vec3 torque = vec3_cross(arm, s);
    return field->share[body] *
           (inverse * vec3_dot(s, s) +
            vec3_dot(torque, sym3_mul(field->spins[body].inverse_inertia, torque)));
}

// Friction after the normal kicks: against the slip, at most mu times the kick, and at most what
// stops the slip when each body's mass is shared among its rubbing contacts. By Cauchy and Schwarz
// |sum of n vectors|^2 <= n times the sum of squares, so the energy all contacts together take out
// is at least what each would with its share, and that is never negative: no limiter is needed.
void carom_wave_kick_rub(wave_field *field, const wave_run *run, int piece)
{
    const int *play = field->play + field->first_place[run->first_piece + piece];
    for (int j = 0; j < field->play_count[run->first_piece + piece]; ++j) {
        int i = play[j];
        wave_contact *c = &field->contacts[i];
        wave_rough *rough = &field->roughs[i];
        if (field->kick[i] > 0)
            book(&field->losses[i], field->kick[i], wave_speed(field, c, i));
        if (!(field->kick[i] > 0) || rough->mu == 0)
            continue;
        vec3 s = slip_at(field, c, rough);
        double square = vec3_dot(s, s);
        double soft =
            compliance(field, c->a, rough->arm_a, s) + compliance(field, c->b, rough->arm_b, s);
        if (!(square > 0) || !(soft > 0))
            continue;
        double factor = fmin(square / soft, rough->mu * field->kick[i] / sqrt(square));
        rough->slip = s;
        rough->kick = vec3_scale(-factor, s);
        rough->impulse = vec3_add(rough->impulse, rough->kick);
    }
}

void carom_wave_kick_rubbed(wave_field *field, const wave_run *run, int piece)
{
    const int *awake = field->awake + run->first_body + piece * WAVE_PIECE;
    for (int j = 0; j < field->awake_count[run->first_body_piece + piece]; ++j) {
        int i = awake[j];
        wave_body *body = &field->bodies[i];
        wave_spin *spin = &field->spins[i];
        const int *near = field->near + field->first_around[i];
        vec3 linear = { 0, 0, 0 }, angular = { 0, 0, 0 };
        for (int k = 0; k < field->near_count[i] && field->share[i] > 0; ++k) {
            bool is_b = near[k] >= 0;
            const wave_rough *rough = &field->roughs[is_b ? near[k] : ~near[k]];
            vec3 kick = is_b ? rough->kick : vec3_neg(rough->kick);
            linear = vec3_add(linear, kick);
            angular = vec3_add(angular, vec3_cross(is_b ? rough->arm_b : rough->arm_a, kick));
        }
        body->v = vec3_axpy(body->v, body->inverse_mass, linear);
        spin->w = vec3_add(spin->w, sym3_mul(spin->inverse_inertia, angular));
        body->q = vec3_axpy(body->q, run->h, body->v);
        spin->q = vec3_axpy(spin->q, run->h, spin->w);
    }
}

void carom_wave_kick_close(wave_field *field, const wave_run *run)
{
    for (int i = run->first; i < run->first + run->count; ++i) {
        const wave_contact *c = &field->contacts[i];
        wave_loss *loss = &field->losses[i];
        if (run->rough)
            book_friction(field, c, i);
        else if (field->kick[i] > 0)
            book(loss, field->kick[i], wave_speed(field, c, i));
        loss->lost += (1 - loss->keep) * loss->stored;
        loss->stored = 0;
    }
}
