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
//
// Contacts lie in lanes, four in a group (wave_group.h). Functions with `turns` are compiled once
// for bodies that turn and once for others.
#include "impact/wave_group.h"
#include "math/power.h"

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
// Change of speed by a kick, in the first speed, up to which the micro-steps follow the spring; at
// twice that they do not at all, and the contact moves by UNRESOLVED of its way only.
#define RESOLVED 0.75
#define UNRESOLVED 0.25

typedef wave_group group;

// -- bodies of four contacts ----------------------------------------------------------------------

// Displacements lie before velocities, a row of four numbers each.
_Static_assert(offsetof(wave_body, v) - offsetof(wave_body, q) == LANES * sizeof(double), "rows");
_Static_assert(offsetof(wave_spin, w) - offsetof(wave_spin, q) == LANES * sizeof(double), "rows");
enum { DISPLACEMENT = -LANES, VELOCITY = DISPLACEMENT + LANES };

LANES_INLINE lanes3 columns(lanes row[LANES])
{
    lanes_transpose(row);
    return (lanes3){ row[0], row[1], row[2] };
}

LANES_INLINE lanes3 rows_of(double *const from[LANES], int which)
{
    lanes row[LANES];
    for (int k = 0; k < LANES; ++k)
        row[k] = lanes_load(from[k] + which);
    return columns(row);
}

// What b has more than a.
LANES_INLINE lanes3 difference(const group *g, int which)
{
    lanes row[LANES];
    for (int k = 0; k < LANES; ++k)
        row[k] = lanes_load(g->v_b[k] + which) - lanes_load(g->v_a[k] + which);
    return columns(row);
}

// Velocity of b against a.
LANES_INLINE lanes3 speed_at(const group *g, const bool turns)
{
    lanes3 v = difference(g, VELOCITY);
    if (!turns)
        return v;
    lanes3 w_a = rows_of(g->w_a, VELOCITY), w_b = rows_of(g->w_b, VELOCITY);
    return lanes3_add(v, lanes3_sub(lanes3_cross(w_b, g->arm_b), lanes3_cross(w_a, g->arm_a)));
}

// As wave_gap.
LANES_INLINE lanes gap_of(const wave_field *field, const wave_run *run, const group *g)
{
    lanes gap = lanes3_dot(g->d, difference(g, DISPLACEMENT));
    if (field->springs)
        gap += g->gap;
    if (field->arms)
        gap += lanes3_dot(g->turn_b, rows_of(g->w_b, DISPLACEMENT)) -
               lanes3_dot(g->turn_a, rows_of(g->w_a, DISPLACEMENT));
    if (field->driven_speed)
        gap += lanes_all(run->clock) * g->driven_speed;
    return gap;
}

// -- the first guess ------------------------------------------------------------------------------

// As carom_wave_kick_full; a depth that is not positive gives no number.
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
    lanes3 speed = speed_at(g, turns);
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

// -- projections ----------------------------------------------------------------------------------

// A count of the bodies, such as the contacts pressing on them.
LANES_INLINE lanes_flags counts(const int *of, const int body[LANES])
{
    return (lanes_flags){ of[body[0]], of[body[1]], of[body[2]], of[body[3]] };
}

// What a projection needs of all contacts pressing on the bodies; they stay the same in a kick.
LANES_INLINE void set_response(const wave_field *field, const wave_run *run, group *g)
{
    const lanes_flags at_a = counts(field->compressed_at, g->a);
    const lanes_flags at_b = counts(field->compressed_at, g->b);
    const lanes one = lanes_all(1), speed = lanes_all(run->first_speed);
    const lanes_flags rough = g->mu > lanes_all(0);
    lanes a = one + lanes_all(SHARE) * (lanes_numbers(at_a) - one);
    lanes b = one + lanes_all(SHARE) * (lanes_numbers(at_b) - one);
    lanes l_n = a * g->wnn_a + b * g->wnn_b, l_t = a * g->wtt_a + b * g->wtt_b;
    lanes small_n = lanes_all(CONVERGED) * speed / l_n;
    lanes small_t = lanes_all(CONVERGED_SLIP) * speed / l_t;
    lanes way = lanes_all(UNRESOLVED) + lanes_all(1 - UNRESOLVED) * g->resolved;
    g->part = way * g->w_nn / l_n;
    g->give = lanes_keep(rough, one / l_t);
    g->small_n = small_n * small_n;
    g->small_t = lanes_keep(rough, small_t * small_t);
    g->alone = (at_a <= lanes_flags_all(1)) & (at_b <= lanes_flags_all(1));
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

// One projection; `change` gets what the bodies do not have yet.
LANES_INLINE void project(group *g, lanes3 speed, lanes momentum)
{
    const lanes_flags some = g->projects;
    const lanes zero = lanes_all(0);
    lanes u = lanes3_dot(speed, g->d), normal = g->full;
    lanes3 x = { zero, zero, zero };
    if (g->lossy)
        normal = next_normal(g, u);
    if (g->rough) {
        lanes3 slip = lanes3_axpy(speed, -u, g->d);
        lanes along = lanes3_dot(slip, g->slip0);
        lanes max = lanes_max(lanes3_dot(slip, slip), lanes3_dot(g->slip0, g->slip0));
        lanes back = lanes_keep(along > zero, lanes_all(0.5) * along / max);
        slip = lanes3_axpy(slip, back, lanes3_sub(g->slip0, slip));
        x = lanes3_clip(lanes3_axpy(g->x, -g->give, slip), g->mu * normal);
    }
    lanes more = normal - g->dp;
    lanes3 slide = lanes3_sub(x, g->x);
    lanes_flags stirs =
        some & ((more * more > g->small_n) | (lanes3_dot(slide, slide) > g->small_t));
    lanes on = lanes_keep(stirs, momentum);
    lanes ahead = on * (normal - g->dp_iterate);
    lanes3 aside = lanes3_scale(on, lanes3_sub(x, g->x_iterate));
    g->change = lanes3_add(lanes3_axpy(slide, more, g->d), lanes3_axpy(aside, ahead, g->d));
    g->dp = lanes_pick(some, normal + ahead, g->dp);
    g->x = lanes3_pick(some, lanes3_add(x, aside), g->x);
    g->dp_iterate = lanes_pick(some, normal, g->dp_iterate);
    g->x_iterate = lanes3_pick(some, x, g->x_iterate);
    g->stirs = stirs | (~some & g->stirs);
}

// Those contacts of a group that are not done; true where one of them stirs.
LANES_INLINE bool project_group(const wave_field *field, const wave_run *run, group *g,
                                int projection, const bool turns)
{
    const lanes_flags now = lanes_flags_all(projection);
    lanes_flags calm = (counts(field->stirred, g->a) < now) & (counts(field->stirred, g->b) < now);
    g->projects = g->on & ~(calm & g->settled);
    if (!lanes_any(g->projects))
        return false;
    if (projection == 1)
        set_response(field, run, g);
    lanes_flags ends = projection == 2 ? g->alone : lanes_flags_all(0);
    lanes_flags last = run->last ? lanes_flags_all(-1) : calm | ends;
    lanes momentum = lanes_keep(~last, lanes_all(MOMENTUM) * g->resolved);
    project(g, speed_at(g, turns), momentum);
    g->settled = (g->projects & (last | ~g->stirs)) | (~g->projects & g->settled);
    g->stirs &= ~(g->projects & ends);
    return lanes_any(g->projects & g->stirs);
}

LANES_INLINE bool project_piece(const wave_field *field, const wave_run *run, int piece,
                                int projection, const bool turns)
{
    const int which = run->first_piece + piece;
    const int *compressed = field->compressed + wave_first_group(field, which);
    bool more = false;
    for (int j = 0; j < field->compressed_count[which]; ++j)
        more |= project_group(field, run, &field->groups[compressed[j]], projection, turns);
    return more;
}

CAROM_LANES_WIDE static bool project_turning(const wave_field *field, const wave_run *run,
                                             int piece, int projection)
{
    return project_piece(field, run, piece, projection, true);
}

CAROM_LANES_WIDE static bool project_straight(const wave_field *field, const wave_run *run,
                                              int piece, int projection)
{
    return project_piece(field, run, piece, projection, false);
}

bool carom_wave_dissipative_project(wave_field *field, const wave_run *run, int piece,
                                    int projection)
{
    return field->spins ? project_turning(field, run, piece, projection)
                        : project_straight(field, run, piece, projection);
}

// -- the bodies' answer ---------------------------------------------------------------------------

// What the change does to one end, contact by contact as rows.
typedef struct answer {
    lanes v[LANES], w[LANES];
} answer;

LANES_INLINE answer answer_of(lanes inverse_mass, const lanes_sym3 *inverse_inertia, lanes3 arm,
                              lanes3 impulse, const bool turns)
{
    const lanes zero = lanes_all(0);
    lanes3 v = lanes3_scale(inverse_mass, impulse);
    answer all = { { v.x, v.y, v.z, zero }, { zero, zero, zero, zero } };
    lanes_transpose(all.v);
    if (!turns)
        return all;
    lanes3 w = lanes_sym3_mul(*inverse_inertia, lanes3_cross(arm, impulse));
    all.w[0] = w.x;
    all.w[1] = w.y;
    all.w[2] = w.z;
    lanes_transpose(all.w);
    return all;
}

// The part of lane k in a body.
LANES_INLINE void push_body(double *v, double *w, const answer *part, int k, const bool turns)
{
    lanes_store(v, lanes_load(v) + part->v[k]);
    if (turns)
        lanes_store(w, lanes_load(w) + part->w[k]);
}

// What the contacts around a body should know; the first guess counts who presses on it.
LANES_INLINE void note(wave_field *field, const wave_run *run, int body, bool stirs, int projection)
{
    if (stirs)
        field->stirred[body] = projection + 1;
    if (projection == 0) {
        ++field->compressed_at[body];
        field->disturbed[!run->present][body] = 1;
    }
}

LANES_INLINE answer answer_a(const group *g, const bool turns)
{
    const lanes zero = lanes_all(0);
    lanes3 back = lanes3_sub((lanes3){ zero, zero, zero }, g->change);
    return answer_of(g->inverse_mass_a, &g->inverse_inertia_a, g->arm_a, back, turns);
}

LANES_INLINE answer answer_b(const group *g, const bool turns)
{
    return answer_of(g->inverse_mass_b, &g->inverse_inertia_b, g->arm_b, g->change, turns);
}

LANES_INLINE void push_bodies(wave_field *field, const wave_run *run, const group *g,
                              int projection, const bool turns)
{
    if (!lanes_any(g->projects))
        return;
    const answer a = answer_a(g, turns), b = answer_b(g, turns);
    for (int k = 0; k < LANES; ++k) {
        if (!g->projects[k])
            continue;
        if (g->moves_a[k]) {
            push_body(g->v_a[k], g->w_a[k], &a, k, turns);
            note(field, run, g->a[k], g->stirs[k], projection);
        }
        if (g->moves_b[k]) {
            push_body(g->v_b[k], g->w_b[k], &b, k, turns);
            note(field, run, g->b[k], g->stirs[k], projection);
        }
    }
}

// Outer contacts of body i.
LANES_INLINE void gather_body(wave_field *field, const wave_run *run, int i, int projection,
                              const bool turns)
{
    const int *near = field->active_around + field->first_around[i];
    for (int k = 0; k < field->active_around_count[i]; ++k) {
        bool is_b = near[k] >= 0;
        int slot = field->slot[is_b ? near[k] : ~near[k]], lane = slot % LANES;
        const group *g = &field->groups[slot / LANES];
        if (!g->projects[lane])
            continue;
        const answer part = is_b ? answer_b(g, turns) : answer_a(g, turns);
        push_body(is_b ? g->v_b[lane] : g->v_a[lane], is_b ? g->w_b[lane] : g->w_a[lane], &part,
                  lane, turns);
        note(field, run, i, g->stirs[lane], projection);
    }
}

// Displacements by velocities; what else is in their row stays.
LANES_INLINE void drift_row(double *q, double h)
{
    lanes_store(q, lanes_load(q) + lanes_all(h) * lanes_load(q - DISPLACEMENT));
}

LANES_INLINE void answer_piece(wave_field *field, const wave_run *run, int piece, int projection,
                               const bool turns)
{
    const int which = run->first_piece + piece;
    const int *compressed = field->compressed + wave_first_group(field, which);
    const int *active_bodies = field->active_bodies + run->first_body + piece * field->piece;
    const int count = field->active_body_count[run->first_body_piece + piece];
    const bool outer = run->pieces > run->inner;
    for (int j = 0; j < count && projection == 0; ++j)
        field->compressed_at[active_bodies[j]] = field->stirred[active_bodies[j]] = 0;
    for (int j = 0; j < field->compressed_count[which]; ++j)
        push_bodies(field, run, &field->groups[compressed[j]], projection, turns);
    for (int j = 0; j < count && outer; ++j)
        gather_body(field, run, active_bodies[j], projection, turns);
    for (int j = 0; j < count && run->last; ++j) {
        drift_row(&field->bodies[active_bodies[j]].q.x, run->h);
        if (field->arms)
            drift_row(&field->spins[active_bodies[j]].q.x, run->h);
    }
}

CAROM_LANES_WIDE static void answer_turning(wave_field *field, const wave_run *run, int piece,
                                            int projection)
{
    answer_piece(field, run, piece, projection, true);
}

CAROM_LANES_WIDE static void answer_straight(wave_field *field, const wave_run *run, int piece,
                                             int projection)
{
    answer_piece(field, run, piece, projection, false);
}

void carom_wave_dissipative_bodies(wave_field *field, const wave_run *run, int piece,
                                   int projection)
{
    if (field->spins)
        answer_turning(field, run, piece, projection);
    else
        answer_straight(field, run, piece, projection);
}

// -- the end of a march ---------------------------------------------------------------------------

CAROM_LANES_WIDE static void account_group(group *g, bool turns)
{
    account(g, lanes3_dot(g->d, turns ? speed_at(g, true) : speed_at(g, false)));
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
