// The production kernel: many contacts of one body side by side in vector lanes.
//
// With y_i = a_i q_i the free motion of a mode is y+ = C y - D y-, C = 2 d cos(omega' dt), D = d^2,
// d the damping of one step: an exact rotation, one multiplication and no trigonometry. An impulse
// L at the start of a step adds b_i L to y+, b_i = a_i^2 h_i(dt), h the response of a mode to a
// unit impulse. L is chosen so that the gap at the END of the step is zero: with velocity impulses
// the overlap would drift (worse than the paper's scheme). Where a micro-collision begins inside a
// step, at the fraction th, the impulse acts there: y at the start is replaced by the past it would
// have had, y at the end gets the rest of the arc. What y+ would be without an impulse is computed
// once: its sum decides about the impulse, and the next step begins with it.
//
// The scheme of the paper (algorithm 1: symplectic Euler, kick then drift, impulse that stops the
// predicted velocity) has the same two-term form with C = 2 - k - (omega dt)^2, D = 1 - k,
// k = dt omega^2 beta and b_i = dt a_i^2, so it runs in the same lanes.
//
// Lanes are samples; a lane whose body has left is refilled at once. Every lane does the same
// operations in the same order as a lane alone: results depend neither on lanes nor on threads nor
// on the width of the processor's registers.
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "base/team.h"
#include "bounce/bounce.h"
#include "bounce/bounce_plan.h"
#include "math/lanes.h"

enum { QUADS = 4, ABREAST = LANES * QUADS, CHECK_EVERY = 32 };

// What four lanes know besides their modes.
typedef struct four {
    lanes z, rigid, w, gain; // gain: what a unit impulse adds to the gap at the end of a step
    lanes coming;            // sum of `unforced`: the modes' part of the next gap
    lanes gap, step, last, micro, impulse;
    lanes_flags live, touching, begins;
} four;

// The lanes of one thread: arrays [mode][lane].
typedef struct bank {
    four part[QUADS];
    int groups;       // quads in use
    double *y, *past; // now, one step ago
    double *unforced; // C y - D past: y at the end of the step that comes, without an impulse
    double *rise;     // b
    double *weight;   // a^2
    double reach[ABREAST];
    int sample[ABREAST]; // -1: empty
} bank;

// A queue of samples worked off by one thread.
typedef struct shift {
    const carom_bounce_batch *batch;
    const carom_bounce_options *options;
    const carom_bounce_plan *plan;
    carom_bounce_result *results;
    const carom_bounce_visitor *visitor;
    int next, end, running;
} shift;

static size_t cells_of(int modes)
{
    return (size_t)modes * ABREAST;
}

enum { LANE_ARRAYS = 6 }; // y, past, unforced, rise, weight, arcs

static void work(shift *s, double *memory);

static carom_bounce_case sample_of(const carom_bounce_batch *batch, int s)
{
    return (carom_bounce_case){ batch->w[s], batch->mode_count,
                                batch->a + (size_t)s * (size_t)batch->mode_count, batch->omega };
}

static carom_status check(const carom_bounce_batch *batch, const carom_bounce_options *options,
                          carom_error *err)
{
    for (int s = 0; s < batch->sample_count; ++s) {
        carom_bounce_case one = sample_of(batch, s);
        if (carom_bounce_check(&one, options, err) != CAROM_OK)
            return carom_error_where(err, "sample %d", s);
    }
    return CAROM_OK;
}

// The samples of one share; `failed` becomes the last of all that cannot be solved.
static void solve_events(const carom_bounce_batch *batch, const carom_bounce_options *options,
                         carom_bounce_result *results, atomic_int *failed)
{
    int end = carom_team_end(batch->sample_count, batch->threads);
    for (int s = carom_team_begin(batch->sample_count, batch->threads); s < end; ++s) {
        carom_bounce_case one = sample_of(batch, s);
        int last = atomic_load(failed);
        if (carom_bounce_exact(&one, options, &results[s], NULL) != CAROM_OK)
            while (last < s && !atomic_compare_exchange_weak(failed, &last, s))
                continue;
    }
}
CAROM_TEAM_SHARE4(solve_events, const carom_bounce_batch *, const carom_bounce_options *,
                  carom_bounce_result *, atomic_int *)

static carom_status run_events(const carom_bounce_batch *batch, const carom_bounce_options *options,
                               carom_bounce_result *results, carom_error *err)
{
    atomic_int failed = -1;
    CAROM_TEAM(batch->threads, solve_events(batch, options, results, &failed));
    int last = atomic_load(&failed);
    if (last < 0)
        return CAROM_OK;
    carom_bounce_case one = sample_of(batch, last);
    return carom_bounce_exact(&one, options, &results[last], err);
}

// The rows of all threads, each from a cache line on, and the plan.
static size_t room_of(int modes, int threads)
{
    size_t plan = (carom_bounce_plan_room(modes) + 7) & ~(size_t)7;
    return plan + (size_t)threads * LANE_ARRAYS * cells_of(modes);
}

// One share: all that is the same for all, and the rows of memory, of which each takes its own.
static void do_shift(const shift *common, double *rows)
{
    int threads = common->batch->threads, samples = common->batch->sample_count;
    shift s = *common;
    s.next = carom_team_begin(samples, threads);
    s.end = carom_team_end(samples, threads);
    work(&s, rows + (size_t)carom_team_me(threads) * LANE_ARRAYS * cells_of(common->plan->m));
}
CAROM_TEAM_SHARE2(do_shift, const shift *, double *)

static carom_status run_lanes(const carom_bounce_batch *batch, const carom_bounce_options *options,
                              const carom_bounce_visitor *visitor, double *room,
                              carom_bounce_result *results, carom_error *err)
{
    carom_bounce_plan plan;
    double *rows = room + (room_of(batch->mode_count, 0));
    TRY(carom_bounce_plan_make(batch->omega, batch->mode_count, options, room, &plan, err));
    shift common = {
        .batch = batch, .options = options, .plan = &plan, .results = results, .visitor = visitor
    };
    CAROM_TEAM(batch->threads, do_shift(&common, rows));
    return CAROM_OK;
}

static carom_status run_all(const carom_bounce_batch *batch, const carom_bounce_options *options,
                            const carom_bounce_visitor *visitor, carom_bounce_result *results,
                            carom_error *err)
{
    TRY(check(batch, options, err));
    if (batch->mode_count == 0) {
        for (int s = 0; s < batch->sample_count; ++s)
            carom_bounce_rigid(&(carom_bounce_case){ .w = batch->w[s] }, &results[s]);
        return CAROM_OK;
    }
    if (options->solver == CAROM_BOUNCE_EVENT)
        return run_events(batch, options, results, err);
    int threads = batch->threads > 1 ? batch->threads : 1;
    size_t room = room_of(batch->mode_count, threads);
    double *memory = aligned_alloc(64, (room * sizeof *memory + 63) & ~(size_t)63);
    if (!memory)
        return carom_error_no_memory(err, "%d modes", batch->mode_count);
    carom_status status = run_lanes(batch, options, visitor, memory, results, err);
    free(memory);
    return status;
}

carom_status carom_bounce_many(const carom_bounce_batch *batch, const carom_bounce_options *options,
                               carom_bounce_result *results, carom_error *err)
{
    NEED(err, batch);
    return run_all(batch, options, NULL, results, err);
}

size_t carom_bounce_many_room(int modes)
{
    return room_of(modes, 1);
}

carom_status carom_bounce_many_alone(const carom_bounce_case *one,
                                     const carom_bounce_options *options, double *room,
                                     carom_bounce_result *result, carom_error *err)
{
    carom_bounce_batch batch = { one->mode_count, 1, one->omega, &one->w, one->a, 1 };
    TRY(check(&batch, options, err));
    if (carom_bounce_rigid(one, result))
        return CAROM_OK;
    return run_lanes(&batch, options, NULL, room, result, err);
}

carom_status carom_bounce_trace(const carom_bounce_case *one, const carom_bounce_options *options,
                                const carom_bounce_visitor *visitor, carom_bounce_result *result,
                                carom_error *err)
{
    NEED(err, one);
    carom_bounce_batch batch = { one->mode_count, 1, one->omega, &one->w, one->a, 1 };
    return run_all(&batch, options, visitor, result, err);
}

// -- one step for all lanes: the hot loop ---------------------------------------------------------

// What the contact of each lane does in this step: its impulses. A lane of the production scheme
// touches where its next gap would be negative; one of the literal scheme where the gap is closed
// now and would shrink.
LANES_INLINE lanes decide(const carom_bounce_plan *p, four *f)
{
    lanes zero = { 0 }, one = zero + 1, push;
    lanes next = f->z + p->dt * f->rigid + f->coming;
    lanes_flags closes;
    if (p->literal) {
        closes = (f->gap <= zero + p->closed) & (next < f->gap) & f->live;
        f->begins = closes & ~closes;
        push = lanes_keep(closes, p->recoil * ((f->gap - next) / f->gain));
        f->last = lanes_pick(closes, f->step, f->last);
        f->gap = next + f->gain * push;
    } else {
        closes = (next < zero) & f->live;
        f->begins = closes & ~f->touching & (f->gap > zero) & (f->step > zero);
        push = lanes_keep(closes & ~f->begins, -next / f->gain);
        f->last = lanes_pick(closes, f->step + one, f->last);
        f->gap = lanes_pick(closes & ~f->begins, zero, next);
    }
    f->micro += lanes_keep(closes & ~f->touching, one);
    f->impulse += push;
    f->rigid += f->w * push;
    f->z += p->dt * f->rigid;
    f->touching = closes;
    f->step += one;
    return push;
}

// What was written over y of one step ago is y now.
static void pass(bank *l)
{
    double *was = l->y;
    l->y = l->past;
    l->past = was;
}

// One step of so many quads; both are constants where it is called. The sums are chains of
// additions: with several quads side by side the processor need not wait for one of them.
LANES_INLINE void advance(const carom_bounce_plan *p, bank *l, int groups, bool damped)
{
    const lanes *y = (lanes *)(void *)l->y, *rise = (const lanes *)(const void *)l->rise;
    lanes *end = (lanes *)(void *)l->past, *unforced = (lanes *)(void *)l->unforced;
    lanes sum[QUADS] = { { 0 } }, push[QUADS];
    for (int g = 0; g < groups; ++g)
        push[g] = decide(p, &l->part[g]);
    for (int i = 0; i < p->m; ++i, y += QUADS, rise += QUADS, end += QUADS, unforced += QUADS) {
        double c = p->turn[i], d = damped ? p->damp[i] : 1;
#pragma GCC unroll 4
        for (int g = 0; g < groups; ++g) {
            lanes next = unforced[g] + rise[g] * push[g];
            unforced[g] = c * next - (damped ? d * y[g] : y[g]);
            sum[g] += unforced[g];
            end[g] = next;
        }
    }
    for (int g = 0; g < groups; ++g)
        l->part[g].coming = sum[g];
    pass(l);
}

CAROM_LANES_WIDE static void advance_one(const carom_bounce_plan *p, bank *l)
{
    if (p->damped)
        advance(p, l, 1, true);
    else
        advance(p, l, 1, false);
}
CAROM_LANES_WIDE static void advance_all(const carom_bounce_plan *p, bank *l)
{
    if (p->damped)
        advance(p, l, QUADS, true);
    else
        advance(p, l, QUADS, false);
}

// How far the modes of each lane can reach together. A mode's energy only falls between contacts,
// whatever its damping, so |y| stays below sqrt(y^2 + (y'/omega)^2).
CAROM_LANES_WIDE static void reach_of(const carom_bounce_plan *p, bank *l)
{
    double sum[ABREAST] = { 0 };
    for (int i = 0; i < p->m; ++i) {
        double now = p->speed_now[i], before = p->speed_past[i], bend = p->bend[i],
               room = p->room[i];
        const double *y = l->y + (size_t)i * ABREAST, *past = l->past + (size_t)i * ABREAST;
        for (int k = 0; k < ABREAST; ++k) {
            double speed = now * y[k] - before * past[k];
            double square = y[k] * y[k] + speed * speed - bend * y[k] * speed;
            sum[k] += room * sqrt(square > 0 ? square : 0);
        }
    }
    memcpy(l->reach, sum, sizeof sum);
}

// -- starting, touching, ending -------------------------------------------------------------------

// Skips samples in which no mode takes part.
static bool another(shift *s)
{
    for (; s->next < s->end; ++s->next) {
        carom_bounce_case one = sample_of(s->batch, s->next);
        if (!carom_bounce_rigid(&one, &s->results[s->next]))
            return true;
    }
    return false;
}

static void load(shift *s, bank *l, int k)
{
    const carom_bounce_plan *p = s->plan;
    four *f = &l->part[k / 4];
    int j = k % 4, sample = s->next++;
    double w = s->batch->w[sample], gain = w * p->dt;
    const double *a = s->batch->a + (size_t)sample * (size_t)p->m;
    for (int i = 0; i < p->m; ++i) {
        size_t at = (size_t)i * ABREAST + (size_t)k;
        l->weight[at] = a[i] * a[i];
        l->rise[at] = p->rise[i] * l->weight[at];
        l->y[at] = l->past[at] = l->unforced[at] = 0;
        gain += l->rise[at];
    }
    f->w[j] = w;
    f->gain[j] = gain;
    f->z[j] = f->gap[j] = f->coming[j] = f->step[j] = f->last[j] = f->micro[j] = f->impulse[j] = 0;
    f->rigid[j] = -1;
    f->touching[j] = 0;
    f->live[j] = -1;
    l->sample[k] = sample;
    ++s->running;
}

// A micro-collision begins inside the step that has just been advanced without an impulse. `arcs`
// is scratch for the modes, twice.
static void begin_inside(const carom_bounce_plan *p, bank *l, int k, double before, double *arcs)
{
    four *f = &l->part[k / 4];
    int j = k % 4;
    double at = before / (before - f->gap[j]) * p->dt, rest = p->dt - at;
    double gain = rest * f->w[j], coming = 0, *behind = arcs + p->m;
    carom_bounce_plan_arcs(p, rest, arcs);
    carom_bounce_plan_arcs(p, -at, behind);
    for (int i = 0; i < p->m; ++i) {
        arcs[i] = l->weight[(size_t)i * ABREAST + (size_t)k] * arcs[i];
        gain += arcs[i];
    }
    double impulse = -f->gap[j] / gain;
    for (int i = 0; i < p->m; ++i) {
        size_t lane = (size_t)i * ABREAST + (size_t)k;
        l->y[lane] += arcs[i] * impulse;
        l->past[lane] += l->weight[lane] * behind[i] * impulse;
        l->unforced[lane] = p->turn[i] * l->y[lane] - p->damp[i] * l->past[lane];
        coming += l->unforced[lane];
    }
    f->coming[j] = coming;
    f->rigid[j] += f->w[j] * impulse;
    f->z[j] += f->w[j] * impulse * rest;
    f->impulse[j] += impulse;
    f->gap[j] = 0;
}

static void report(const shift *s, const bank *l)
{
    const four *f = &l->part[0];
    carom_bounce_frame frame = { .time = f->step[0] * s->plan->dt,
                                 .gap = f->gap[0],
                                 .rigid = f->z[0],
                                 .speed = f->rigid[0],
                                 .touching = f->touching[0] != 0 };
    s->visitor->frame(s->visitor->context, &frame);
}

static void step(const shift *s, bank *l, double *arcs)
{
    const carom_bounce_plan *p = s->plan;
    lanes before[QUADS];
    for (int g = 0; g < QUADS; ++g)
        before[g] = l->part[g].gap;
    (l->groups == 1 ? advance_one : advance_all)(p, l);
    for (int g = 0; g < l->groups; ++g) {
        const lanes_flags b = l->part[g].begins;
        if (!(b[0] | b[1] | b[2] | b[3]))
            continue;
        for (int j = 0; j < 4; ++j)
            if (b[j])
                begin_inside(p, l, 4 * g + j, before[g][j], arcs);
    }
    if (s->visitor)
        report(s, l);
}

static bool may_have_left(const bank *l, int k)
{
    const four *f = &l->part[k / 4];
    int j = k % 4;
    return l->sample[k] >= 0 && !f->touching[j] && f->rigid[j] > 0 && f->z[j] > 0;
}

// Takes out the lanes whose bodies have left for good or whose budget is spent, and refills them.
static void harvest(shift *s, bank *l)
{
    bool any = false;
    for (int k = 0; k < ABREAST; ++k)
        any |= may_have_left(l, k);
    if (any)
        reach_of(s->plan, l);
    for (int k = 0; k < ABREAST; ++k) {
        four *f = &l->part[k / 4];
        int j = k % 4;
        bool left = may_have_left(l, k) && f->z[j] > l->reach[k];
        if (l->sample[k] < 0 || (!left && f->step[j] < (double)s->options->budget))
            continue;
        s->results[l->sample[k]] = (carom_bounce_result){
            .epsilon = f->rigid[j],
            .tau = f->last[j] * s->plan->dt,
            .impulse = f->impulse[j],
            .micro = (int)f->micro[j],
            .steps = (long)f->step[j],
            .end = left ? CAROM_BOUNCE_LEFT : CAROM_BOUNCE_CAPPED,
        };
        l->sample[k] = -1;
        f->live[j] = 0;
        --s->running;
        if (another(s))
            load(s, l, k);
    }
}

static void work(shift *s, double *memory)
{
    size_t cells = cells_of(s->plan->m);
    memset(memory, 0, LANE_ARRAYS * cells * sizeof *memory);
    bank l = { .y = memory,
               .past = memory + cells,
               .unforced = memory + 2 * cells,
               .rise = memory + 3 * cells,
               .weight = memory + 4 * cells,
               .groups = s->end - s->next <= 4 ? 1 : QUADS };
    for (int k = 0; k < ABREAST; ++k) {
        l.sample[k] = -1;
        l.part[k / 4].gain[k % 4] = 1;
    }
    for (int k = 0; k < ABREAST && another(s); ++k)
        load(s, &l, k);
    while (s->running > 0) { // ends: every sample leaves or spends its budget
        for (int n = 0; n < CHECK_EVERY; ++n)
            step(s, &l, memory + 5 * cells);
        harvest(s, &l);
    }
}
