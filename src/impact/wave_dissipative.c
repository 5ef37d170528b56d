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
// Opening speed, in the first speed, below which a contact counts as held: HELD, plus
// HELD_INELASTIC (1 - HELD_FALL e^2) where that is positive, e < 0.1.
#define HELD 1e-12
#define HELD_INELASTIC 0.02
#define HELD_FALL 100

typedef wave_group group;

// -- the ledger -----------------------------------------------------------------------------------

// Kicks in a row up to the one of micro-step `step`.
LANES_INLINE double pressed_until(const wave_dissipative *state, int step)
{
    return state->seen == step ? state->pressed : 0;
}

// Accounts for a kick of the micro-step before, which has led to the normal speed u. Where u
// changes its sign within the kick the part before 0 was loading (speed is linear in the impulse),
// and the cycle ends. Speeds below `held` are those of a contact that is held: that is loading.
LANES_INLINE void end_group(const wave_field *field, const wave_lines *lines, const wave_run *run,
                            const group *g, const bool lossy, const wave_shape shape)
{
    wave_dissipative *const states = field->dissipative;
    const lanes zero = lanes_all(0), half = lanes_all(0.5), one = lanes_all(1);
    lanes ledger[LANES], kick[LANES], release[LANES], share[LANES];
    lanes u = lanes3_dot(g->d, wave_speed_at(lines, g, shape));
    const lanes e2 = lossy ? g->e2 : one;
    lanes held = lanes_all(HELD) +
                 lanes_all(HELD_INELASTIC) * lanes_max(one - lanes_all(HELD_FALL) * e2, zero);
    held *= lanes_all(run->first_speed);
    lanes closing = lanes_max(-g->u0, zero) + lanes_max(-u, zero);
    lanes opening = lanes_max(g->u0, zero) + lanes_max(u, zero);
    lanes load = (closing + held) / (closing + opening + held), rest = one - load;
    lanes3 all = lanes3_axpy(g->x, g->dp, g->d);
    lanes_flags turned = (g->u0 < zero) & (u >= zero);
    for (int k = 0; k < LANES; ++k)
        ledger[k] = lanes_load(&states[g->place[k]].stored);
    lanes_transpose(ledger);
    lanes stored = ledger[0] + half * closing * load * g->dp;
    ledger[0] = lanes_keep(~turned, stored);
    ledger[1] += lanes_keep(turned, e2 * stored);
    ledger[2] += half * opening * rest * g->dp;
    for (int k = 0; k < LANES; ++k)
        ledger[3][k] = pressed_until(&states[g->place[k]], run->step - 2) + 1;
    lanes_transpose(ledger);
    wave_rows(all, zero, kick);
    wave_rows(lanes3_scale(rest, all), zero, release);
    wave_rows(lanes3_scale(one / g->full, g->x), g->dp / g->full, share);
    for (int k = 0; k < g->count; ++k) {
        wave_dissipative *state = &states[g->place[k]];
        lanes_store(&state->friction_before.x, lanes_load(&state->friction.x));
        lanes_store(&state->friction.x, share[k]);
        lanes_store(&state->stored, ledger[k]);
        lanes_store(&state->impulse.x, lanes_load(&state->impulse.x) + kick[k]);
        lanes_store(&state->release.x, lanes_load(&state->release.x) + release[k]);
        state->seen = run->step - 1;
        if (lossy && g->e2[k] == 0 && g->dp[k] == 0)
            field->idle[g->place[k]] = run->step - 1;
    }
}

// At the beginning of the next micro-step, or the end of the block: velocities have stayed since.
LANES_INLINE void end_piece(const wave_field *field, const wave_run *run, int piece,
                            const wave_shape shape)
{
    const int which = run->first_piece + piece;
    const group *groups = field->groups + wave_first_group(field, which);
    const int count = wave_group_count(field, which);
    const wave_lines lines = wave_lines_of(field);
    for (int i = 0; i < count; ++i)
        end_group(field, &lines, run, &groups[i], field->lossy, shape);
}

// -- who is compressed ----------------------------------------------------------------------------

LANES_INLINE lanes sum_of_rows(lanes row[LANES])
{
    lanes_transpose(row);
    return row[0] + row[1] + row[2];
}

// How deep four contacts are, as wave_gap; of those behind the last, no matter what.
LANES_INLINE lanes depth_of(const wave_field *field, const wave_run *run, const wave_contact *c,
                            const int *place, int rest)
{
    lanes row[LANES];
    for (int k = 0; k < LANES; ++k) {
        lanes d = (lanes)((lanes_flags)lanes_load(&c[k].d.x) & (lanes_flags){ -1, -1, -1, 0 });
        const wave_body *bodies = field->bodies;
        row[k] = d * (lanes_load(&bodies[c[k].b].q.x) - lanes_load(&bodies[c[k].a].q.x));
    }
    lanes gap = sum_of_rows(row);
    for (int k = 0; k < rest && field->springs; ++k)
        gap[k] += field->springs[place[k]].gap;
    if (field->arms) {
        for (int k = 0; k < LANES; ++k) {
            const wave_arm *arm = &field->arms[place[k < rest ? k : 0]];
            row[k] = lanes_load(&arm->b.x) * lanes_load(&field->spins[c[k].b].q.x) -
                     lanes_load(&arm->a.x) * lanes_load(&field->spins[c[k].a].q.x);
        }
        gap += sum_of_rows(row);
    }
    for (int k = 0; k < rest && field->driven_speed; ++k)
        gap[k] += run->clock * field->driven_speed[place[k]];
    return -gap;
}

// Begins to load what a kick needs of a contact.
LANES_INLINE void fetch(const wave_dissipative *state)
{
    __builtin_prefetch(state);
    __builtin_prefetch(&state->mu);
    __builtin_prefetch(&state->stored);
    __builtin_prefetch(&state->release);
}

// Without restitution a contact that opens stays as deep as it is, and gives nothing, until it
// closes: then it goes on.
LANES_INLINE bool is_idle(const wave_field *field, const wave_run *run, const wave_contact *c,
                          int place)
{
    if (field->idle[place] != run->step - 1)
        return false;
    if (wave_speed(field, c, place) > IDLE * run->first_speed) {
        field->idle[place] = run->step;
        return true;
    }
    field->dissipative[place].seen = run->step - 1;
    return false;
}

// Lists the compressed ones of the active contacts.
LANES_INLINE void find_compressed(wave_field *field, const wave_run *run, int piece)
{
    const int which = run->first_piece + piece, first = field->first_place[which];
    const int count = field->active_count[which], *place = field->active_contacts + first;
    const wave_contact *c = wave_listed(field, which);
    const bool gathered = wave_gathered(run, piece);
    const lanes deep = lanes_all(wave_least_depth(run));
    int *compressed = field->compressed + first, found = 0;
    double *depths = field->depth + first;
    for (int j = 0; j < count; j += LANES) {
        const int rest = count - j < LANES ? count - j : LANES;
        const lanes depth = depth_of(field, run, c + j, place + j, rest);
        const lanes_flags is = depth > deep;
        for (int k = 0; k < rest && gathered; ++k)
            field->pushed[place[j + k]] = -1;
        if (!lanes_any(is))
            continue;
        for (int k = 0; k < rest; ++k)
            if (is[k] && !(field->lossy && is_idle(field, run, &c[j + k], place[j + k]))) {
                fetch(&field->dissipative[place[j + k]]);
                compressed[found] = place[j + k];
                depths[found++] = depth[k];
            }
    }
    field->compressed_count[which] = found;
}

// -- the first guess ------------------------------------------------------------------------------

// As full_kick of wave_kick.c.
LANES_INLINE lanes full_kick(const wave_field *field, const wave_run *run, const group *g,
                             lanes depth)
{
    const carom_impact_contact *contacts = field->problem->contacts;
    lanes k = lanes_all(contacts[0].stiffness), power;
    for (int i = 0; i < LANES && field->springs; ++i)
        k[i] = field->springs[g->place[i]].k;
    lanes hk = lanes_all(run->h) * k;
    if (run->hertz)
        return hk * (depth * lanes_sqrt(depth));
    for (int i = 0; i < LANES; ++i) {
        double own = contacts[field->order[g->place[i]]].exponent;
        power[i] = carom_power(depth[i], field->set.exponent > 0 ? field->set.exponent : own);
    }
    return hk * power;
}

// Shares of the full kick in the last two kicks, and for how many it has been compressed.
typedef struct shares {
    lanes normal, normal_before, pressed;
    lanes3 friction, friction_before;
} shares;

// Four contacts into lanes; where there are fewer, the first once more.
LANES_INLINE shares load_contacts(const wave_field *field, const wave_run *run, const int *place,
                                  int count, group *g, const wave_shape shape)
{
    lanes d[LANES], last[LANES], before[LANES], own[LANES], ends[LANES];
    const wave_dissipative *state[LANES];
    double pressed[LANES];
    shares all;
    g->count = count < LANES ? count : LANES;
    for (int k = 0; k < LANES; ++k) {
        int i = place[k < count ? k : 0];
        const wave_contact *c = &field->contacts[i];
        state[k] = &field->dissipative[i];
        g->place[k] = i;
        g->a[k] = WAVE_LINE * (size_t)c->a;
        g->b[k] = WAVE_LINE * (size_t)c->b;
        d[k] = lanes_load(&c->d.x);
        last[k] = lanes_load(&state[k]->friction.x);
        before[k] = lanes_load(&state[k]->friction_before.x);
        own[k] = lanes_load(&state[k]->mu);
        ends[k] = lanes_load(&state[k]->wnn_a);
        pressed[k] = pressed_until(state[k], run->step - 1);
    }
    all.pressed = lanes_load(pressed);
    g->d = wave_columns(d);
    all.friction = wave_columns(last);
    all.normal = last[3];
    all.friction_before = wave_columns(before);
    all.normal_before = before[3];
    lanes_transpose(own);
    g->mu = own[0];
    if (field->lossy)
        g->e2 = own[1];
    g->reach_a = own[2];
    g->reach_b = own[3];
    lanes_transpose(ends);
    g->wnn_a = ends[0];
    g->wnn_b = ends[1];
    g->wtt_a = ends[2];
    g->wtt_b = ends[3];
    if (shape == WAVE_TURNING) {
        for (int k = 0; k < LANES; ++k) {
            d[k] = lanes_load(&state[k]->arm_a.x);
            last[k] = lanes_load(&state[k]->arm_b.x);
        }
        g->arm_a = wave_columns(d);
        g->arm_b = wave_columns(last);
    }
    return all;
}

// The last two shares of the full kick, carried on.
LANES_INLINE wave_change extrapolate(group *g, const shares *s, const bool lossy)
{
    const lanes zero = lanes_all(0), one = lanes_all(1);
    const lanes_flags old = s->pressed > zero;
    lanes on = lanes_keep(s->pressed > one, g->resolved), normal = one;
    lanes3 friction =
        lanes3_keep(old, lanes3_axpy(s->friction, on, lanes3_sub(s->friction, s->friction_before)));
    if (lossy) {
        normal = lanes_pick(old, s->normal + on * (s->normal - s->normal_before), one);
        normal = lanes_min(lanes_max(normal, g->e2), one);
        g->dp_iterate = g->full * normal;
    }
    g->dp = g->full * normal;
    g->x = g->x_iterate = lanes3_scale(g->full, lanes3_clip(friction, g->mu * normal));
    g->settled = lanes_flags_all(0);
    return (wave_change){ lanes3_axpy(g->x, g->dp, g->d), g->x, g->on };
}

// Guesses.
//   resolved: 1 where the micro-steps follow the spring (a kick changes the speed by half of the
//   approach at 8 steps per contact time), falling to 0 where they do not, as for a light body
//   between heavy ones. There the contact neither extrapolates nor gathers momentum, and moves by a
//   quarter only: the motion of the light body would be chaotic, and round-off decide what becomes
//   of it.
LANES_INLINE wave_change begin_group(const wave_field *field, const wave_lines *lines,
                                     const wave_run *run, group *g, const int *place,
                                     const double *depths, int count, const wave_shape shape)
{
    const lanes zero = lanes_all(0), one = lanes_all(1), first_speed = lanes_all(run->first_speed);
    const bool lossy = field->lossy;
    const shares s = load_contacts(field, run, place, count, g, shape);
    const lanes_flags used = (lanes_flags){ 0, 1, 2, 3 } < lanes_flags_all(count);
    lanes depth = lanes_load(depths);
    for (int k = count; k < LANES; ++k)
        depth[k] = 0;
    lanes3 speed = wave_speed_at(lines, g, shape);
    lanes u = lanes3_dot(g->d, speed);
    g->on = used;
    g->full = lanes_keep(g->on, full_kick(field, run, g, depth));
    g->u0 = u;
    g->slip0 = lanes3_axpy(speed, -u, g->d);
    lanes jump = (g->wnn_a + g->wnn_b) * g->full / first_speed;
    g->resolved = lanes_min(lanes_max(lanes_all(2) - jump / lanes_all(RESOLVED), zero), one);
    return extrapolate(g, &s, lossy);
}

LANES_INLINE int begin_piece(wave_field *field, const wave_run *run, int piece,
                             const wave_shape shape)
{
    const int which = run->first_piece + piece, first = field->first_place[which];
    const int *compressed = field->compressed + first;
    const double *depths = field->depth + first;
    const lanes faint = lanes_all(FAINT * run->first_speed * FAINT_STEPS / run->steps);
    const wave_lines lines = wave_lines_of(field);
    const bool gathered = wave_gathered(run, piece);
    group *g = field->groups + wave_first_group(field, which);
    lanes_flags pressed = lanes_flags_all(0);
    if (run->step % WAVE_BLOCK > 0)
        end_piece(field, run, piece, shape);
    find_compressed(field, run, piece);
    for (int j = 0, rest = field->compressed_count[which]; rest > 0; j += LANES, rest -= LANES) {
        wave_change guess =
            begin_group(field, &lines, run, g, compressed + j, depths + j, rest, shape);
        pressed += g->on & (g->dp * (g->wnn_a + g->wnn_b) > faint);
        if (gathered)
            wave_push_outer(field, run, g++, &guess, 0, shape);
        else
            wave_push_bodies(&lines, g++, &guess, shape);
    }
    return -(int)(pressed[0] + pressed[1] + pressed[2] + pressed[3]);
}

CAROM_LANES_WIDE static int begin_turning(wave_field *field, const wave_run *run, int piece)
{
    return begin_piece(field, run, piece, WAVE_TURNING);
}

CAROM_LANES_WIDE static int begin_round(wave_field *field, const wave_run *run, int piece)
{
    return begin_piece(field, run, piece, WAVE_ROUND);
}

CAROM_LANES_WIDE static int begin_straight(wave_field *field, const wave_run *run, int piece)
{
    return begin_piece(field, run, piece, WAVE_STRAIGHT);
}

int carom_wave_dissipative_begin(wave_field *field, const wave_run *run, int piece)
{
    if (field->shape == WAVE_STRAIGHT)
        return begin_straight(field, run, piece);
    return field->shape == WAVE_ROUND ? begin_round(field, run, piece)
                                      : begin_turning(field, run, piece);
}

CAROM_LANES_WIDE static void end_turning(const wave_field *field, const wave_run *run, int piece)
{
    end_piece(field, run, piece, WAVE_TURNING);
}

CAROM_LANES_WIDE static void end_round(const wave_field *field, const wave_run *run, int piece)
{
    end_piece(field, run, piece, WAVE_ROUND);
}

CAROM_LANES_WIDE static void end_straight(const wave_field *field, const wave_run *run, int piece)
{
    end_piece(field, run, piece, WAVE_STRAIGHT);
}

void carom_wave_dissipative_end(wave_field *field, const wave_run *run, int piece)
{
    if (field->shape == WAVE_STRAIGHT)
        end_straight(field, run, piece);
    else if (field->shape == WAVE_ROUND)
        end_round(field, run, piece);
    else
        end_turning(field, run, piece);
}
