// A micro-step of the law `wave` with loss and friction.
//
// Gaps are frozen during a kick, so the spring of contact i would give `full` = h k delta^eta. With
// u the normal speed and s the slip at the end of the kick, wanted are the normal parts dp and the
// tangential parts x of all kicks at once with
//
//     dp = full while the contact closes, e^2 full while it opens, between them if it stops (u = 0)
//     |x| <= mu dp, and x stops the slip or lies on the rim against it
//
// The first guess is what the two kicks before it lead to. Projections follow, of Jacobi's type:
// every contact sees the same velocities, so nothing depends on an order.
//
//     y  <- projection of (y - slack(u, s) / L)    with the response L below
//     y  <- y + MOMENTUM (y - y of the projection before)    except after the last
//
// What a projection aims at is not the speed at the end of the kick alone: within a kick speeds
// change evenly with time, as far as the contact's own force does not jump.
//   Normal: `aim`. Friction while it goes on sliding: against the mean of the slips before and
//   after, which is right to the second order; where it stops, the slip after.
//
// Response. With W the response of the contact alone and n contacts pressing on a body, W (1 +
// SHARE (n - 1)) bounds what all of them together do: n W at worst (SHARE = 1), where all push
// alike. SHARE = .75 is 4/3 beyond that in the limit; the iteration with this momentum is stable up
// to (2 + 2 MOMENTUM) / (1 + 2 MOMENTUM) = 1.42.
//
// A contact that shares neither body with another pressed one is done after two projections.
//
// Ledger: the change of kinetic energy in a kick is exactly the sum over contacts of
// 1/2 (before + after) . kick. Its normal part is booked as stored or returned; see wave_scale.c.
#include "impact/wave.h"

#define SHARE 0.75
#define MOMENTUM 0.7

static inline double held_speed(const wave_grip *grip, const wave_run *run);
static double resolved(const wave_grip *grip, double speed);
static void book(wave_grip *grip, vec3 d, double u, double still);
static void guess(wave_grip *grip, vec3 d);
static void project(wave_grip *grip, vec3 d, vec3 speed, const int *share, double momentum);
static double aim(const wave_grip *grip, double u, double crowd);
static inline void push(wave_field *field, int i, vec3 kick, bool is_b);

// fmin and fmax are calls.
static inline double lesser(double a, double b)
{
    return a < b ? a : b;
}

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

// Velocity of b against a at contact i.
static inline vec3 speed_at(const wave_field *field, const wave_contact *c, const wave_grip *grip)
{
    vec3 v = vec3_sub(field->bodies[c->b].v, field->bodies[c->a].v);
    if (!field->spins)
        return v;
    return vec3_add(v, vec3_sub(vec3_cross(field->spins[c->b].w, grip->arm_b),
                                vec3_cross(field->spins[c->a].w, grip->arm_a)));
}

int carom_wave_grip_begin(wave_field *field, const wave_run *run, int piece)
{
    const int first = field->first_place[run->first_piece + piece];
    const int *play = field->play + first;
    const double faint = 1e-4 * run->first_speed; // what a contact may still add when it is left
    const double deep = wave_least_depth(run), still = 1e-6 * run->first_speed;
    int pressed = 0, *press = field->press + first, found = 0;
    for (int j = 0; j < field->play_count[run->first_piece + piece]; ++j) {
        int i = play[j];
        const wave_contact *c = &field->contacts[i];
        wave_grip *grip = &field->grips[i];
        double depth = -wave_gap(field, run, c, i);
        if (depth <= deep && grip->full == 0)
            continue;
        vec3 speed = speed_at(field, c, grip);
        double u = vec3_dot(c->d, speed);
        if (grip->full > 0)
            book(grip, c->d, u, held_speed(grip, run));
        // Without restitution a contact that opens stays as deep as it is, and gives nothing.
        bool idle = grip->keep == 0 && grip->pressed > 0 && grip->dp == 0 && u > still;
        grip->full = depth > deep && !idle ? carom_wave_kick_full(field, run, i, depth) : 0;
        if (depth <= deep)
            grip->pressed = 0;
        if (!(grip->full > 0))
            continue;
        grip->u0 = u;
        grip->slip0 = vec3_axpy(speed, -u, c->d);
        grip->resolved = resolved(grip, run->first_speed);
        guess(grip, c->d);
        press[found++] = i;
        pressed += grip->dp * (grip->own_a + grip->own_b) > faint;
    }
    field->press_count[run->first_piece + piece] = found;
    return pressed;
}

// Opening speed below which a contact counts as held: round-off, but where nothing or next to
// nothing is returned (e < .1) up to a fiftieth of the approach. What such a contact gives while it
// opens faster is an error, to be taken back by the scalar.
static inline double held_speed(const wave_grip *grip, const wave_run *run)
{
    return run->first_speed * (1e-12 + 0.02 * larger(1 - 100 * grip->keep, 0));
}

// 1 where the micro-steps follow the spring (a kick changes the speed by half of the approach at 8
// steps per contact time), falling to 0 where they do not, as for a light body between heavy ones.
// There the contact neither extrapolates nor gathers momentum, and moves by a quarter only: the
// motion of the light body would be chaotic, and round-off decide what becomes of it.
static double resolved(const wave_grip *grip, double speed)
{
    double jump = (grip->own_a + grip->own_b) * grip->full / speed;
    return lesser(larger(2 - jump / 0.75, 0), 1);
}

// Books the last kick, which has led to the normal speed u. Where u changes its sign within the
// kick the part before 0 was loading (speed is linear in the impulse), and the cycle ends. Speeds
// below `still` are those of a contact that is held: that is loading.
static void book(wave_grip *grip, vec3 d, double u, double still)
{
    double closing = larger(-grip->u0, 0) + larger(-u, 0);
    double opening = larger(grip->u0, 0) + larger(u, 0);
    double load = (closing + still) / (closing + opening + still);
    vec3 kick = vec3_axpy(grip->x, grip->dp, d);
    grip->stored += 0.5 * closing * load * grip->dp;
    grip->returned += 0.5 * opening * (1 - load) * grip->dp;
    grip->release = vec3_axpy(grip->release, 1 - load, kick);
    grip->impulse = vec3_add(grip->impulse, kick);
    if (grip->u0 < 0 && u >= 0) {
        grip->due += grip->keep * grip->stored;
        grip->stored = 0;
    }
    double part = 1 / grip->full;
    grip->normal_before = grip->normal;
    grip->rub_before = grip->rub;
    grip->normal = part * grip->dp;
    grip->rub = vec3_scale(part, grip->x);
    ++grip->pressed;
}

// Within the disc of friction of a normal part.
static inline vec3 within(vec3 x, double most)
{
    double square = vec3_dot(x, x);
    return square > most * most ? vec3_scale(most / sqrt(square), x) : x;
}

// The last two shares of the full kick, carried on.
static void guess(wave_grip *grip, vec3 d)
{
    double normal = grip->pressed > 0 ? grip->normal : 1, on = grip->resolved;
    vec3 rub = grip->pressed > 0 ? grip->rub : vec3_make(0, 0, 0);
    if (grip->pressed > 1) {
        normal += on * (grip->normal - grip->normal_before);
        rub = vec3_axpy(rub, on, vec3_sub(grip->rub, grip->rub_before));
    }
    normal = lesser(larger(normal, grip->keep), 1);
    grip->dp = grip->dp_iterate = grip->full * normal;
    grip->x = grip->x_iterate = vec3_scale(grip->full, within(rub, grip->mu * normal));
    grip->change = vec3_axpy(grip->x, grip->dp, d);
}

void carom_wave_grip_project(wave_field *field, const wave_run *run, int piece, int turn)
{
    const int *press = field->press + field->first_place[run->first_piece + piece];
    for (int j = 0; j < field->press_count[run->first_piece + piece]; ++j) {
        const wave_contact *c = &field->contacts[press[j]];
        wave_grip *grip = &field->grips[press[j]];
        const int share[2] = { field->share[c->a], field->share[c->b] };
        bool alone = share[0] <= 1 && share[1] <= 1;
        grip->done = turn > 2 && alone;
        if (grip->done)
            continue;
        bool last = turn == run->projections || (turn == 2 && alone);
        project(grip, c->d, speed_at(field, c, grip), share, last ? 0 : MOMENTUM * grip->resolved);
    }
}

// One projection; `change` gets what the bodies do not have yet.
static void project(wave_grip *grip, vec3 d, vec3 speed, const int *share, double momentum)
{
    double a = 1 + SHARE * (share[0] - 1), b = 1 + SHARE * (share[1] - 1);
    double u = vec3_dot(speed, d), normal = grip->full;
    vec3 x = { 0, 0, 0 };
    if (grip->keep < 1)
        normal = aim(grip, u, a * grip->own_a + b * grip->own_b);
    if (grip->mu > 0) {
        vec3 slip = vec3_axpy(speed, -u, d);
        double along = vec3_dot(slip, grip->slip0);
        if (along > 0) {
            double most = larger(vec3_dot(slip, slip), vec3_dot(grip->slip0, grip->slip0));
            slip = vec3_axpy(slip, 0.5 * along / most, vec3_sub(grip->slip0, slip));
        }
        x = vec3_axpy(grip->x, -1 / (a * grip->rub_a + b * grip->rub_b), slip);
        x = within(x, grip->mu * normal);
    }
    double dp = normal + momentum * (normal - grip->dp_iterate);
    vec3 rub = vec3_axpy(x, momentum, vec3_sub(x, grip->x_iterate));
    grip->change = vec3_axpy(vec3_sub(rub, grip->x), dp - grip->dp, d);
    grip->dp_iterate = normal;
    grip->x_iterate = x;
    grip->dp = dp;
    grip->x = rub;
}

// The normal part towards which a kick dp with speeds u0 before and u after moves. What the others
// do raises u evenly; the contact's own force is F = full until u = 0, then e^2 F if u rises on
// even so, else what keeps u = 0. Likewise from above.
//   slow, fast: the change of u in the whole kick if the own part were e^2 F or F throughout.
//   crowd: response of all contacts pressing on the bodies.
// All cases meet where they border on each other: round-off must not decide.
static double aim(const wave_grip *grip, double u, double crowd)
{
    double own = grip->own_a + grip->own_b, least = grip->keep * grip->full, u0 = grip->u0;
    double dp = grip->dp, slow = u - u0 - own * (dp - least), range = grip->full - least;
    double fast = slow + own * range;
    double hold = lesser(larger(dp - u / own, least), grip->full), wanted = hold;
    if (slow > 0) // turns at -u0 / fast of the time
        wanted = least + (u0 < 0 ? lesser(-u0 / fast, 1) * range : 0);
    else if (u0 > 0 && fast < 0) // closes again at -u0 / slow of the time
        wanted = grip->full - lesser(-u0 / slow, 1) * range;
    wanted = hold + grip->resolved * (wanted - hold);
    double part = (0.25 + 0.75 * grip->resolved) * own / crowd;
    return lesser(larger(dp + part * (wanted - dp), least), grip->full);
}

void carom_wave_grip_bodies(wave_field *field, const wave_run *run, int piece, int turn)
{
    const int *press = field->press + field->first_place[run->first_piece + piece];
    const int *awake = field->awake + run->first_body + piece * field->piece;
    const int pressed = field->press_count[run->first_piece + piece];
    const int count = field->awake_count[run->first_body_piece + piece];
    const bool first = turn == 0, last = turn == run->projections;
    const bool outer = run->pieces > run->inner;
    for (int j = 0; j < count && first; ++j)
        field->share[awake[j]] = 0;
    for (int j = 0; j < pressed; ++j) {
        const wave_contact *c = &field->contacts[press[j]];
        const wave_grip *grip = &field->grips[press[j]];
        if (!first && grip->done)
            continue;
        push(field, press[j], grip->change, false);
        push(field, press[j], grip->change, true);
        if (first && field->bodies[c->a].inverse_mass > 0)
            field->hot[!run->turn][c->a] = (++field->share[c->a], 1);
        if (first && field->bodies[c->b].inverse_mass > 0)
            field->hot[!run->turn][c->b] = (++field->share[c->b], 1);
    }
    for (int j = 0; j < count && (outer || last); ++j) {
        int i = awake[j];
        const int *near = field->near + field->first_around[i];
        for (int k = 0; k < field->near_count[i]; ++k) {
            int contact = near[k] >= 0 ? near[k] : ~near[k];
            if (!(field->grips[contact].full > 0) || (!first && field->grips[contact].done))
                continue;
            push(field, contact, field->grips[contact].change, near[k] >= 0);
            field->share[i] += first;
            field->hot[!run->turn][i] = 1;
        }
        if (!last)
            continue;
        wave_body *body = &field->bodies[i];
        body->q = vec3_axpy(body->q, run->h, body->v);
        if (field->arms)
            field->spins[i].q = vec3_axpy(field->spins[i].q, run->h, field->spins[i].w);
    }
}

// An impulse of contact i on one of its bodies.
static inline void push(wave_field *field, int i, vec3 kick, bool is_b)
{
    const wave_contact *c = &field->contacts[i];
    const wave_grip *grip = &field->grips[i];
    wave_body *body = &field->bodies[is_b ? c->b : c->a];
    if (body->inverse_mass == 0)
        return;
    vec3 impulse = is_b ? kick : vec3_neg(kick);
    body->v = vec3_axpy(body->v, body->inverse_mass, impulse);
    if (field->spins) {
        wave_spin *spin = &field->spins[is_b ? c->b : c->a];
        vec3 torque = vec3_cross(is_b ? grip->arm_b : grip->arm_a, impulse);
        spin->w = vec3_add(spin->w, sym3_mul(spin->inverse_inertia, torque));
    }
}

void carom_wave_grip_close(wave_field *field, const wave_run *run)
{
    for (int i = run->first; i < run->first + run->count; ++i) {
        wave_grip *grip = &field->grips[i];
        const wave_contact *c = &field->contacts[i];
        if (grip->full > 0) {
            double u = vec3_dot(c->d, speed_at(field, c, grip));
            book(grip, c->d, u, held_speed(grip, run));
        }
        field->lambda[i] = vec3_dot(grip->impulse, c->d);
        grip->full = 0;
    }
}
