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
//     y  <- y + MOMENTUM (y - y of the projection before)    where the contact stirs
//
// What a projection aims at is not the speed at the end of the kick alone: within a kick speeds
// change evenly with time, as far as the contact's own force does not jump.
//   Normal: next_normal. Friction while it goes on sliding: against the mean of the slips before
//   and after, which is right to the second order; where it stops, the slip after.
//
// Response. With W the response of the contact alone and n contacts pressing on a body, W (1 +
// SHARE (n - 1)) bounds what all of them together do: n W at worst (SHARE = 1), where all push
// alike. SHARE = 0.75 is 4/3 beyond that in the limit; the iteration with this momentum is stable
// up to (2 + 2 MOMENTUM) / (1 + 2 MOMENTUM) = 1.42.
//
// Who is projected. A contact stirs where a projection changes it by more than CONVERGED, as a
// speed: L times the change is the slack that was left. Where nothing has stirred at both of its
// bodies it is projected once more without momentum, if it has any, and then left alone until
// something stirs there again. Small changes gather no momentum. A contact that shares neither body
// with another pressed one is done after two projections.
//
// Ledger: the change of kinetic energy in a kick is exactly the sum over contacts of
// 1/2 (before + after) . kick. Its normal part is accounted as stored or returned; see
// wave_scale.c.
#include "impact/wave.h"

#define SHARE 0.75
#define MOMENTUM 0.7
// Slack, in the first speed, below which a contact does not stir.
#define CONVERGED 3e-3
#define CONVERGED_SLIP 1e-2
// In the first speed: what a contact may still add to a speed by each of FAINT_STEPS kicks of a
// contact time when it is left, and the opening speed from which one with e = 0 that gives nothing
// rests.
#define FAINT 1e-4
#define FAINT_STEPS 8
#define IDLE 1e-6
// Opening speed below which a contact counts as held: HELD, plus HELD_INELASTIC (1 - HELD_FALL e^2)
// where that is positive, e < 0.1.
#define HELD 1e-12
#define HELD_INELASTIC 0.02
#define HELD_FALL 100
// Change of speed by a kick, in the first speed, up to which the micro-steps follow the spring; at
// twice that they do not at all, and the contact moves by UNRESOLVED of its way only.
#define RESOLVED 0.75
#define UNRESOLVED 0.25

static inline double held_speed(const wave_dissipative *state, const wave_run *run);
static double resolved(const wave_dissipative *state, double speed);
static void account(wave_dissipative *state, vec3 d, double u, double still);
static void extrapolate(wave_dissipative *state, vec3 d);
static void set_response(wave_dissipative *state, const int *pressing, double speed);
static void project(wave_dissipative *state, vec3 d, vec3 speed, double momentum);
static double next_normal(const wave_dissipative *state, double u);
static inline void push_body(wave_field *field, const wave_run *run, int i, bool is_b,
                             int projection);

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
static inline vec3 speed_at(const wave_field *field, const wave_contact *c,
                            const wave_dissipative *state)
{
    vec3 v = vec3_sub(field->bodies[c->b].v, field->bodies[c->a].v);
    if (!field->spins)
        return v;
    return vec3_add(v, vec3_sub(vec3_cross(field->spins[c->b].w, state->arm_b),
                                vec3_cross(field->spins[c->a].w, state->arm_a)));
}

int carom_wave_dissipative_begin(wave_field *field, const wave_run *run, int piece)
{
    const int first = field->first_place[run->first_piece + piece];
    const int *active_contacts = field->active_contacts + first;
    const double faint = FAINT * run->first_speed * FAINT_STEPS / run->steps;
    const double deep = wave_least_depth(run), still = IDLE * run->first_speed;
    int pressed = 0, *compressed = field->compressed + first, found = 0;
    for (int j = 0; j < field->active_count[run->first_piece + piece]; ++j) {
        int i = active_contacts[j];
        const wave_contact *c = &field->contacts[i];
        wave_dissipative *state = &field->dissipative[i];
        double depth = -wave_gap(field, run, c, i);
        if (depth <= deep && state->full == 0)
            continue;
        vec3 speed = speed_at(field, c, state);
        double u = vec3_dot(c->d, speed);
        if (state->full > 0)
            account(state, c->d, u, held_speed(state, run));
        // Without restitution a contact that opens stays as deep as it is, and gives nothing.
        bool idle = state->e2 == 0 && state->pressed > 0 && state->dp == 0 && u > still;
        state->full = depth > deep && !idle ? carom_wave_kick_full(field, run, i, depth) : 0;
        if (depth <= deep)
            state->pressed = 0;
        if (!(state->full > 0))
            continue;
        state->u0 = u;
        state->slip0 = vec3_axpy(speed, -u, c->d);
        state->resolved = resolved(state, run->first_speed);
        extrapolate(state, c->d);
        compressed[found++] = i;
        pressed += state->dp * (state->wnn_a + state->wnn_b) > faint;
    }
    field->compressed_count[run->first_piece + piece] = found;
    return pressed;
}

// Opening speed below which a contact counts as held: round-off, but where nothing or next to
// nothing is returned (e < 0.1) up to a fiftieth of the approach. What such a contact gives while
// it opens faster is an error, to be taken back by the scalar.
static inline double held_speed(const wave_dissipative *state, const wave_run *run)
{
    return run->first_speed * (HELD + HELD_INELASTIC * larger(1 - HELD_FALL * state->e2, 0));
}

// 1 where the micro-steps follow the spring (a kick changes the speed by half of the approach at 8
// steps per contact time), falling to 0 where they do not, as for a light body between heavy ones.
// There the contact neither extrapolates nor gathers momentum, and moves by a quarter only: the
// motion of the light body would be chaotic, and round-off decide what becomes of it.
static double resolved(const wave_dissipative *state, double speed)
{
    double jump = (state->wnn_a + state->wnn_b) * state->full / speed;
    return lesser(larger(2 - jump / RESOLVED, 0), 1);
}

// Accounts for the last kick, which has led to the normal speed u. Where u changes its sign within
// the kick the part before 0 was loading (speed is linear in the impulse), and the cycle ends.
// Speeds below `still` are those of a contact that is held: that is loading.
static void account(wave_dissipative *state, vec3 d, double u, double still)
{
    double closing = larger(-state->u0, 0) + larger(-u, 0);
    double opening = larger(state->u0, 0) + larger(u, 0);
    double load = (closing + still) / (closing + opening + still);
    vec3 kick = vec3_axpy(state->x, state->dp, d);
    state->stored += 0.5 * closing * load * state->dp;
    state->returned += 0.5 * opening * (1 - load) * state->dp;
    state->release = vec3_axpy(state->release, 1 - load, kick);
    state->impulse = vec3_add(state->impulse, kick);
    if (state->u0 < 0 && u >= 0) {
        state->due += state->e2 * state->stored;
        state->stored = 0;
    }
    double part = 1 / state->full;
    state->normal_before = state->normal;
    state->friction_before = state->friction;
    state->normal = part * state->dp;
    state->friction = vec3_scale(part, state->x);
    ++state->pressed;
}

// Within the disc of friction of a normal part.
static inline vec3 project_on_disc(vec3 x, double max)
{
    double square = vec3_dot(x, x);
    return square > max * max ? vec3_scale(max / sqrt(square), x) : x;
}

// The last two shares of the full kick, carried on.
static void extrapolate(wave_dissipative *state, vec3 d)
{
    double normal = state->pressed > 0 ? state->normal : 1, on = state->resolved;
    vec3 friction = state->pressed > 0 ? state->friction : vec3_make(0, 0, 0);
    if (state->pressed > 1) {
        normal += on * (state->normal - state->normal_before);
        friction = vec3_axpy(friction, on, vec3_sub(state->friction, state->friction_before));
    }
    normal = lesser(larger(normal, state->e2), 1);
    state->dp = state->dp_iterate = state->full * normal;
    state->x = state->x_iterate =
        vec3_scale(state->full, project_on_disc(friction, state->mu * normal));
    state->change = vec3_axpy(state->x, state->dp, d);
    state->stirs = true;
    state->settled = false;
}

bool carom_wave_dissipative_project(wave_field *field, const wave_run *run, int piece,
                                    int projection)
{
    const int *compressed = field->compressed + field->first_place[run->first_piece + piece];
    bool more = false;
    for (int j = 0; j < field->compressed_count[run->first_piece + piece]; ++j) {
        const wave_contact *c = &field->contacts[compressed[j]];
        wave_dissipative *state = &field->dissipative[compressed[j]];
        bool calm = field->stirred[c->a] < projection && field->stirred[c->b] < projection;
        state->done = calm && state->settled;
        if (state->done)
            continue;
        const int pressing[2] = { field->compressed_at[c->a], field->compressed_at[c->b] };
        if (projection == 1)
            set_response(state, pressing, run->first_speed);
        bool alone = pressing[0] <= 1 && pressing[1] <= 1;
        bool last = run->last || calm || (alone && projection == 2);
        project(state, c->d, speed_at(field, c, state), last ? 0 : MOMENTUM * state->resolved);
        state->settled = last || !state->stirs;
        state->stirs = state->stirs && !(alone && projection == 2);
        more = more || state->stirs;
    }
    return more;
}

// What a projection needs of all contacts pressing on the bodies; they stay the same in a kick.
static void set_response(wave_dissipative *state, const int *pressing, double speed)
{
    double a = 1 + SHARE * (pressing[0] - 1), b = 1 + SHARE * (pressing[1] - 1);
    double l_n = a * state->wnn_a + b * state->wnn_b, l_t = a * state->wtt_a + b * state->wtt_b;
    double small_n = CONVERGED * speed / l_n, small_t = CONVERGED_SLIP * speed / l_t;
    double way = UNRESOLVED + (1 - UNRESOLVED) * state->resolved;
    state->part = way * (state->wnn_a + state->wnn_b) / l_n;
    state->give = state->mu > 0 ? 1 / l_t : 0;
    state->small_n = small_n * small_n;
    state->small_t = state->mu > 0 ? small_t * small_t : 0;
}

// One projection; `change` gets what the bodies do not have yet.
static void project(wave_dissipative *state, vec3 d, vec3 speed, double momentum)
{
    double u = vec3_dot(speed, d), normal = state->full;
    vec3 x = { 0, 0, 0 };
    if (state->e2 < 1)
        normal = next_normal(state, u);
    if (state->mu > 0) {
        vec3 slip = vec3_axpy(speed, -u, d);
        double along = vec3_dot(slip, state->slip0);
        if (along > 0) {
            double max = larger(vec3_dot(slip, slip), vec3_dot(state->slip0, state->slip0));
            slip = vec3_axpy(slip, 0.5 * along / max, vec3_sub(state->slip0, slip));
        }
        x = project_on_disc(vec3_axpy(state->x, -state->give, slip), state->mu * normal);
    }
    double more = normal - state->dp;
    vec3 slide = vec3_sub(x, state->x);
    state->stirs = more * more > state->small_n || vec3_dot(slide, slide) > state->small_t;
    state->change = vec3_axpy(slide, more, d);
    state->dp = normal;
    state->x = x;
    if (state->stirs && momentum > 0) {
        double on = momentum * (normal - state->dp_iterate);
        slide = vec3_scale(momentum, vec3_sub(x, state->x_iterate));
        state->change = vec3_add(state->change, vec3_axpy(slide, on, d));
        state->dp += on;
        state->x = vec3_add(state->x, slide);
    }
    state->dp_iterate = normal;
    state->x_iterate = x;
}

// The normal part towards which a kick dp with speeds u0 before and u after moves. What the others
// do raises u evenly; the contact's own force is F = full until u = 0, then e^2 F if u rises on
// even so, else what keeps u = 0. Likewise from above.
//   slow, fast: the change of u in the whole kick if the own part were e^2 F or F throughout.
// All cases meet where they border on each other: round-off must not decide.
static double next_normal(const wave_dissipative *state, double u)
{
    double own = state->wnn_a + state->wnn_b, min = state->e2 * state->full, u0 = state->u0;
    double dp = state->dp, slow = u - u0 - own * (dp - min), range = state->full - min;
    double fast = slow + own * range;
    double hold = lesser(larger(dp - u / own, min), state->full), wanted = hold;
    if (slow > 0) // turns at -u0 / fast of the time
        wanted = min + (u0 < 0 ? lesser(-u0 / fast, 1) * range : 0);
    else if (u0 > 0 && fast < 0) // closes again at -u0 / slow of the time
        wanted = state->full - lesser(-u0 / slow, 1) * range;
    wanted = hold + state->resolved * (wanted - hold);
    return lesser(larger(dp + state->part * (wanted - dp), min), state->full);
}

void carom_wave_dissipative_bodies(wave_field *field, const wave_run *run, int piece,
                                   int projection)
{
    const int *compressed = field->compressed + field->first_place[run->first_piece + piece];
    const int *active_bodies = field->active_bodies + run->first_body + piece * field->piece;
    const int pressed = field->compressed_count[run->first_piece + piece];
    const int count = field->active_body_count[run->first_body_piece + piece];
    const bool first = projection == 0, last = run->last;
    const bool outer = run->pieces > run->inner;
    for (int j = 0; j < count && first; ++j)
        field->compressed_at[active_bodies[j]] = field->stirred[active_bodies[j]] = 0;
    for (int j = 0; j < pressed; ++j) {
        if (!first && field->dissipative[compressed[j]].done)
            continue;
        push_body(field, run, compressed[j], false, projection);
        push_body(field, run, compressed[j], true, projection);
    }
    for (int j = 0; j < count && (outer || last); ++j) {
        int i = active_bodies[j];
        const int *near = field->active_around + field->first_around[i];
        for (int k = 0; k < field->active_around_count[i]; ++k) {
            int contact = near[k] >= 0 ? near[k] : ~near[k];
            if (field->dissipative[contact].full > 0 &&
                (first || !field->dissipative[contact].done))
                push_body(field, run, contact, near[k] >= 0, projection);
        }
        if (!last)
            continue;
        wave_body *body = &field->bodies[i];
        body->q = vec3_axpy(body->q, run->h, body->v);
        if (field->arms)
            field->spins[i].q = vec3_axpy(field->spins[i].q, run->h, field->spins[i].w);
    }
}

// What has changed at contact i, to one of its bodies; the first guess counts it there.
static inline void push_body(wave_field *field, const wave_run *run, int i, bool is_b,
                             int projection)
{
    const wave_dissipative *state = &field->dissipative[i];
    const int which = is_b ? field->contacts[i].b : field->contacts[i].a;
    wave_body *body = &field->bodies[which];
    if (body->inverse_mass == 0)
        return;
    vec3 impulse = is_b ? state->change : vec3_neg(state->change);
    body->v = vec3_axpy(body->v, body->inverse_mass, impulse);
    if (field->spins) {
        wave_spin *spin = &field->spins[which];
        vec3 torque = vec3_cross(is_b ? state->arm_b : state->arm_a, impulse);
        spin->w = vec3_add(spin->w, sym3_mul(spin->inverse_inertia, torque));
    }
    if (state->stirs)
        field->stirred[which] = projection + 1;
    if (projection == 0) {
        ++field->compressed_at[which];
        field->disturbed[!run->present][which] = 1;
    }
}

void carom_wave_dissipative_end(wave_field *field, const wave_run *run)
{
    for (int i = run->first; i < run->first + run->count; ++i) {
        wave_dissipative *state = &field->dissipative[i];
        const wave_contact *c = &field->contacts[i];
        if (state->full > 0) {
            double u = vec3_dot(c->d, speed_at(field, c, state));
            account(state, c->d, u, held_speed(state, run));
        }
        field->lambda[i] = vec3_dot(state->impulse, c->d);
        state->full = 0;
    }
}
