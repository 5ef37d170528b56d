// A micro-step of the law `wave` with loss and friction.
//
// Gaps are frozen during a kick, so the spring of contact i would give `full` = h k delta^eta. With
// u the normal speed and s the slip at the end of the kick, wanted are the normal parts dp and the
// tangential parts x of all kicks at once with
//
//     dp = full while the contact closes, e^2 full while it opens, between them if it stops (u = 0)
//     |x| <= mu dp, and x stops the slip or lies on the rim against it
//
// The first guess, here, is what the two kicks before it lead to; projections follow
// (wave_project.c), and after each the bodies answer (wave_answer.c).
//
// Ledger: the change of kinetic energy in a kick is exactly the sum over contacts of
// 1/2 (before + after) . kick. Its normal part is accounted as stored or returned; see
// wave_scale.c.
//
// Contacts lie in lanes, four in a group (wave_group.h). Functions with `turns` are compiled once
// for bodies that turn and once for others.
#include "impact/wave_group.h"
#include "math/power.h"

// In the first speed: what a contact may still add to a speed by each of FAINT_STEPS kicks of a
// contact time when it is left, and the opening speed from which one with e = 0 that gives nothing
// rests.
#define FAINT 1e-4
#define FAINT_STEPS 8
#define IDLE 1e-6
// Change of speed by a kick, in the first speed, up to which the micro-steps follow the spring; at
// twice that they do not at all.
#define RESOLVED 0.75

typedef wave_group group;

// As wave_gap.
LANES_INLINE lanes gap_of(const wave_field *field, const wave_run *run, const group *g)
{
    lanes gap = lanes3_dot(g->d, wave_difference(g, WAVE_DISPLACEMENT));
    if (field->springs)
        gap += g->gap;
    if (field->arms)
        gap += lanes3_dot(g->turn_b, wave_rows_of(g->w_b, WAVE_DISPLACEMENT)) -
               lanes3_dot(g->turn_a, wave_rows_of(g->w_a, WAVE_DISPLACEMENT));
    if (field->driven_speed)
        gap += lanes_all(run->clock) * g->driven_speed;
    return gap;
}

// -- the first guess ------------------------------------------------------------------------------

// As full_kick of wave_kick.c; a depth that is not positive gives no number.
LANES_INLINE lanes full_kick(const wave_run *run, const group *g, lanes depth)
{
    lanes hk = lanes_all(run->h) * g->k, power;
    if (run->hertz)
        return hk * (depth * lanes_sqrt(depth));
    for (int k = 0; k < LANES; ++k)
        power[k] = depth[k] > 0 ? carom_power(depth[k], g->exponent[k]) : 0;
    return hk * power;
}

// Accounts for the last kick of contacts that had one, which has led to the normal speed u. Where u
// changes its sign within the kick the part before 0 was loading (speed is linear in the impulse),
// and the cycle ends. Speeds below `held` are those of a contact that is held: that is loading.
LANES_INLINE void account(group *g, lanes u)
{
    const lanes zero = lanes_all(0), half = lanes_all(0.5);
    const lanes_flags was = g->full > zero;
    lanes closing = lanes_max(-g->u0, zero) + lanes_max(-u, zero);
    lanes opening = lanes_max(g->u0, zero) + lanes_max(u, zero);
    lanes load = (closing + g->held) / (closing + opening + g->held), rest = lanes_all(1) - load;
    lanes3 kick = lanes3_keep(was, lanes3_axpy(g->x, g->dp, g->d));
    lanes_flags turned = was & (g->u0 < zero) & (u >= zero);
    lanes stored = g->stored + lanes_keep(was, half * closing * load * g->dp);
    g->returned += lanes_keep(was, half * opening * rest * g->dp);
    g->release = lanes3_axpy(g->release, lanes_keep(was, rest), kick);
    g->impulse = lanes3_add(g->impulse, kick);
    g->due += lanes_keep(turned, g->e2 * stored);
    g->stored = lanes_keep(~turned, stored);
    lanes part = lanes_all(1) / g->full;
    g->normal_before = lanes_pick(was, g->normal, g->normal_before);
    g->friction_before = lanes3_pick(was, g->friction, g->friction_before);
    g->normal = lanes_pick(was, part * g->dp, g->normal);
    g->friction = lanes3_pick(was, lanes3_scale(part, g->x), g->friction);
    g->pressed += lanes_keep(was, lanes_all(1));
}

// The last two shares of the full kick, carried on.
LANES_INLINE void extrapolate(group *g)
{
    const lanes_flags old = g->pressed > lanes_all(0);
    lanes on = lanes_keep(g->pressed > lanes_all(1), g->resolved);
    lanes normal = lanes_pick(old, g->normal, lanes_all(1)) + on * (g->normal - g->normal_before);
    lanes3 friction =
        lanes3_axpy(lanes3_keep(old, g->friction), on, lanes3_sub(g->friction, g->friction_before));
    normal = lanes_min(lanes_max(normal, g->e2), lanes_all(1));
    g->dp_iterate = g->full * normal;
    g->x_iterate = lanes3_scale(g->full, lanes3_clip(friction, g->mu * normal));
    g->dp = lanes_pick(g->on, g->dp_iterate, g->dp);
    g->x = lanes3_pick(g->on, g->x_iterate, g->x);
    g->change = lanes3_axpy(g->x, g->dp, g->d);
    g->projects = g->stirs = g->on;
    g->settled = lanes_flags_all(0);
}

// Finds out who is compressed, and guesses. Returns how many press noticeably.
//   resolved: 1 where the micro-steps follow the spring (a kick changes the speed by half of the
//   approach at 8 steps per contact time), falling to 0 where they do not, as for a light body
//   between heavy ones. There the contact neither extrapolates nor gathers momentum, and moves by a
//   quarter only: the motion of the light body would be chaotic, and round-off decide what becomes
//   of it.
LANES_INLINE int begin_group(const wave_field *field, const wave_run *run, group *g,
                             const bool turns)
{
    const lanes zero = lanes_all(0), one = lanes_all(1);
    const lanes deep = lanes_all(wave_least_depth(run)), first_speed = lanes_all(run->first_speed);
    const double faint = FAINT * run->first_speed * FAINT_STEPS / run->steps;
    const lanes_flags used = (lanes_flags){ 0, 1, 2, 3 } < lanes_flags_all(g->count);
    const lanes depth = -gap_of(field, run, g);
    const lanes_flags shallow = depth <= deep, was = g->full != zero;
    g->on = g->projects = lanes_flags_all(0);
    if (!lanes_any(used & (~shallow | was)))
        return 0;
    lanes3 speed = wave_speed_at(g, turns);
    lanes u = lanes3_dot(g->d, speed);
    if (lanes_any(was))
        account(g, u);
    // Without restitution a contact that opens stays as deep as it is, and gives nothing.
    lanes_flags idle = (g->e2 == zero) & (g->pressed > zero) & (g->dp == zero) &
                       (u > lanes_all(IDLE * run->first_speed));
    g->full = lanes_keep(used & (depth > deep) & ~idle, full_kick(run, g, depth));
    g->pressed = lanes_keep(~shallow, g->pressed);
    g->on = g->full > zero;
    if (!lanes_any(g->on))
        return 0;
    g->u0 = u;
    g->slip0 = lanes3_axpy(speed, -u, g->d);
    lanes jump = g->w_nn * g->full / first_speed;
    g->resolved = lanes_min(lanes_max(lanes_all(2) - jump / lanes_all(RESOLVED), zero), one);
    extrapolate(g);
    lanes_flags presses = g->on & (g->dp * g->w_nn > lanes_all(faint));
    return -(int)(presses[0] + presses[1] + presses[2] + presses[3]);
}

LANES_INLINE int begin_piece(wave_field *field, const wave_run *run, int piece, const bool turns)
{
    const int which = run->first_piece + piece, first = wave_first_group(field, which);
    int pressed = 0, found = 0;
    for (int i = first; i < first + wave_group_count(field, which); ++i) {
        pressed += begin_group(field, run, &field->groups[i], turns);
        if (lanes_any(field->groups[i].on))
            field->compressed[first + found++] = i;
    }
    field->compressed_count[which] = found;
    return pressed;
}

CAROM_LANES_WIDE static int begin_turning(wave_field *field, const wave_run *run, int piece)
{
    return begin_piece(field, run, piece, true);
}

CAROM_LANES_WIDE static int begin_straight(wave_field *field, const wave_run *run, int piece)
{
    return begin_piece(field, run, piece, false);
}

int carom_wave_dissipative_begin(wave_field *field, const wave_run *run, int piece)
{
    return field->spins ? begin_turning(field, run, piece) : begin_straight(field, run, piece);
}

// -- the end of a march ---------------------------------------------------------------------------

CAROM_LANES_WIDE static void account_group(group *g, bool turns)
{
    account(g, lanes3_dot(g->d, turns ? wave_speed_at(g, true) : wave_speed_at(g, false)));
}

// Lists the contacts that have had a kick in the last step: only these are left to be accounted.
static void list_kicked(wave_field *field, int piece)
{
    const int first = field->first_place[piece], end = field->first_place[piece + 1];
    int found = 0;
    for (int i = first; i < end; ++i)
        if (field->dissipative[i].full > 0)
            field->active_contacts[first + found++] = i;
    field->active_count[piece] = found;
}

void carom_wave_dissipative_end(wave_field *field, const wave_run *run)
{
    for (int piece = 0; piece < run->pieces; ++piece) {
        const int which = run->first_piece + piece;
        list_kicked(field, which);
        carom_wave_group_pack(field, run, piece);
        for (int i = 0; i < wave_group_count(field, which); ++i)
            account_group(&field->groups[wave_first_group(field, which) + i], field->spins);
        carom_wave_group_unpack(field, run, piece);
    }
    for (int i = run->first; i < run->first + run->count; ++i) {
        wave_dissipative *state = &field->dissipative[i];
        field->lambda[i] = vec3_dot(state->impulse, field->contacts[i].d);
        state->full = 0;
    }
}
