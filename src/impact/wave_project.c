// Projections of a kick with loss and friction: from the first guess (wave_dissipative.c) to what
// the contacts of a micro-step want together. Of Jacobi's type: every contact sees the same
// velocities, so nothing depends on an order.
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
#include "impact/wave_group.h"

#define SHARE 0.75
#define MOMENTUM 0.7
// Slack, in the first speed, below which a contact does not stir.
#define CONVERGED 3e-3
#define CONVERGED_SLIP 1e-2
// Part of its way by which a contact moves whose spring the micro-steps do not follow at all.
#define UNRESOLVED 0.25

typedef wave_group group;

// How many contacts of the bodies have stirred in the last projection; all that press on them have
// in the first guess.
LANES_INLINE double stirs_at(const wave_lines *lines, size_t body)
{
    return ((const wave_body *)(lines->bodies + body))->stirs;
}

LANES_INLINE lanes stirred(const wave_lines *lines, const size_t body[LANES])
{
    return (lanes){ stirs_at(lines, body[0]), stirs_at(lines, body[1]), stirs_at(lines, body[2]),
                    stirs_at(lines, body[3]) };
}

// What a projection needs of all contacts pressing on the bodies; they stay the same in a kick.
LANES_INLINE void set_response(const wave_run *run, group *g, lanes at_a, lanes at_b,
                               const bool lossy)
{
    const lanes one = lanes_all(1), speed = lanes_all(run->slack * run->first_speed);
    const lanes_flags rough = g->mu > lanes_all(0);
    lanes a = one + lanes_all(SHARE) * (at_a - one), b = one + lanes_all(SHARE) * (at_b - one);
    lanes l_t = a * g->wtt_a + b * g->wtt_b;
    lanes small_t = lanes_all(CONVERGED_SLIP) * speed / l_t;
    if (lossy) {
        lanes l_n = a * g->wnn_a + b * g->wnn_b, small_n = lanes_all(CONVERGED) * speed / l_n;
        lanes way = lanes_all(UNRESOLVED) + lanes_all(1 - UNRESOLVED) * g->resolved;
        g->w_nn = g->wnn_a + g->wnn_b;
        g->part = way * g->w_nn / l_n;
        g->small_n = small_n * small_n;
    }
    g->give = lanes_keep(rough, one / l_t);
    g->small_t = lanes_keep(rough, small_t * small_t);
    g->alone = (at_a <= one) & (at_b <= one);
}

// The normal part towards which a kick dp with speeds u0 before and u after moves. What the others
// do raises u evenly; the contact's own force is F = full until u = 0, then e^2 F if u rises on
// even so, else what keeps u = 0. Likewise from above.
//   slow, fast: the change of u in the whole kick if the own part were e^2 F or F throughout.
// All cases meet where they border on each other: round-off must not decide.
LANES_INLINE lanes next_normal(const group *g, lanes u)
{
    const lanes zero = lanes_all(0), one = lanes_all(1), full = g->full, dp = g->dp, u0 = g->u0;
    lanes min = g->e2 * full, slow = u - u0 - g->w_nn * (dp - min), range = full - min;
    lanes fast = slow + g->w_nn * range;
    lanes hold = lanes_min(lanes_max(dp - u / g->w_nn, min), full), wanted = hold;
    lanes_flags turns = slow > zero, closes = ~turns & (u0 > zero) & (fast < zero);
    // turns at -u0 / fast of the time, or closes again at -u0 / slow of it
    lanes at = lanes_min(-u0 / lanes_pick(turns, fast, slow), one) * range;
    wanted = lanes_pick(turns, min + lanes_keep(u0 < zero, at), wanted);
    wanted = lanes_pick(closes, full - at, wanted);
    wanted = hold + g->resolved * (wanted - hold);
    return lanes_min(lanes_max(dp + g->part * (wanted - dp), min), full);
}

// One projection of some lanes.
LANES_INLINE wave_change project(group *g, lanes_flags some, lanes3 speed, lanes momentum,
                                 const bool lossy, const wave_shape shape)
{
    const lanes zero = lanes_all(0);
    lanes u = lanes3_dot(speed, g->d), normal = g->full, more = zero, ahead = zero;
    lanes3 none = { zero, zero, zero }, x = none, slide = none, aside = none;
    lanes_flags stirs = lanes_flags_all(0);
    if (lossy) {
        normal = next_normal(g, u);
        more = lanes_keep(some, normal - g->dp);
        stirs |= more * more > g->small_n;
    }
    if (shape != WAVE_STRAIGHT) {
        lanes3 slip = lanes3_axpy(speed, -u, g->d);
        lanes along = lanes3_dot(slip, g->slip0);
        lanes max = lanes_max(lanes3_dot(slip, slip), lanes3_dot(g->slip0, g->slip0));
        lanes back = lanes_keep(along > zero, lanes_all(0.5) * along / max);
        slip = lanes3_axpy(slip, back, lanes3_sub(g->slip0, slip));
        x = lanes3_clip(lanes3_axpy(g->x, -g->give, slip), g->mu * normal);
        slide = lanes3_keep(some, lanes3_sub(x, g->x));
        stirs |= lanes3_dot(slide, slide) > g->small_t;
    }
    lanes on = lanes_keep(stirs, momentum);
    if (lossy) {
        ahead = lanes_keep(some, on * (normal - g->dp_iterate));
        g->dp = lanes_pick(some, normal + ahead, g->dp);
        g->dp_iterate = lanes_pick(some, normal, g->dp_iterate);
    }
    if (shape != WAVE_STRAIGHT) {
        aside = lanes3_keep(some, lanes3_scale(on, lanes3_sub(x, g->x_iterate)));
        g->x = lanes3_pick(some, lanes3_add(x, aside), g->x);
        g->x_iterate = lanes3_pick(some, x, g->x_iterate);
        slide = lanes3_add(slide, aside);
    }
    return (wave_change){ lanes3_axpy(slide, more + ahead, g->d), slide, stirs };
}

LANES_INLINE bool all_done(const wave_lines *lines, const group *g)
{
    if (lanes_any(g->on & ~g->settled))
        return false;
    const lanes_flags calm = stirred(lines, g->a) + stirred(lines, g->b) == lanes_all(0);
    return !lanes_any(g->on & ~calm);
}

// Those contacts of a group that are not done; stirs says who of them stirs.
LANES_INLINE wave_change project_group(const wave_lines *lines, const wave_run *run, group *g,
                                       int projection, const bool lossy, const wave_shape shape)
{
    const lanes at_a = stirred(lines, g->a), at_b = stirred(lines, g->b);
    const lanes_flags calm = at_a + at_b == lanes_all(0);
    const lanes_flags some = g->on & ~(calm & g->settled);
    if (projection == 1)
        set_response(run, g, at_a, at_b, lossy);
    lanes_flags ends = projection == 2 ? g->alone : lanes_flags_all(0);
    lanes_flags last = run->last ? lanes_flags_all(-1) : calm | ends;
    lanes momentum = lanes_keep(~last, lanes_all(MOMENTUM) * g->resolved);
    lanes3 speed = wave_speed_at(lines, g, shape);
    wave_change change = project(g, some, speed, momentum, lossy, shape);
    g->settled = (some & (last | ~change.stirs)) | (~some & g->settled);
    change.stirs &= ~ends;
    return change;
}

LANES_INLINE bool project_piece(wave_field *field, const wave_run *run, int piece, int projection,
                                const wave_shape shape)
{
    const int which = run->first_piece + piece;
    const int count = wave_group_count(field, which);
    const wave_lines lines = wave_lines_of(field);
    const bool lossy = field->lossy, gathered = wave_gathered(run, piece);
    group *g = field->groups + wave_first_group(field, which);
    lanes_flags more = lanes_flags_all(0);
    for (int i = 0; i < count; ++i, ++g) {
        if (all_done(&lines, g))
            continue;
        const wave_change c = project_group(&lines, run, g, projection, lossy, shape);
        more |= c.stirs;
        if (gathered)
            wave_push_outer(field, run, g, &c, projection, shape);
        else
            wave_push_bodies(&lines, g, &c, shape);
    }
    return lanes_any(more);
}

CAROM_LANES_WIDE static bool project_turning(wave_field *field, const wave_run *run, int piece,
                                             int projection)
{
    return project_piece(field, run, piece, projection, WAVE_TURNING);
}

CAROM_LANES_WIDE static bool project_round(wave_field *field, const wave_run *run, int piece,
                                           int projection)
{
    return project_piece(field, run, piece, projection, WAVE_ROUND);
}

CAROM_LANES_WIDE static bool project_straight(wave_field *field, const wave_run *run, int piece,
                                              int projection)
{
    return project_piece(field, run, piece, projection, WAVE_STRAIGHT);
}

bool carom_wave_project(wave_field *field, const wave_run *run, int piece, int projection)
{
    if (field->shape == WAVE_STRAIGHT)
        return project_straight(field, run, piece, projection);
    return field->shape == WAVE_ROUND ? project_round(field, run, piece, projection)
                                      : project_turning(field, run, piece, projection);
}
