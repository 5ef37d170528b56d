// The production kernel: many contacts of one body side by side in vector lanes.
//
// With y_i = a_i q_i the free motion of a mode is y+ = C y - D y-, C = 2 d cos(omega' dt), D = d^2,
// d the damping of one step: an exact rotation, one multiplication and no trigonometry. An impulse
// L at the start of a step adds b_i L to y+, b_i = a_i^2 sin(omega dt)/omega. L is chosen so that
// the gap at the END of the step is zero: with velocity impulses the overlap would drift (worse
// than the paper's scheme). Where a micro-collision begins inside a step, at the fraction th, the
// impulse acts there: y at the start is replaced by the past it would have had, y at the end gets
// the rest of the arc. Every lane does the same operations in the same order as a lane alone: the
// results do not depend on lanes or threads.
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "bounce/bounce.h"
#include "math/trig.h"

enum { LANES = 8, CHECK_EVERY = 32 };

#if defined(__x86_64__) && defined(__GNUC__)
#define WIDE __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define WIDE
#endif

// What all samples share.
typedef struct plan {
    int m;
    double dt;
    double *two_cos, *damp, *rise;  // C, D and sin(omega dt)/omega
    double *cos_one, *inverse_sin2; // for the reach
    const double *omega;
} plan;

// The lanes of one thread: arrays [mode][lane].
typedef struct lanes {
    double *y, *past, *weight; // y now, y one step ago, a^2
    double z[LANES], rigid[LANES], w[LANES],
        response[LANES]; // response: sum of end-gap gains of an impulse
    double moment0[LANES], moment2[LANES], moment4[LANES]; // sum a^2 omega^(0, 2, 4)
    double coming[LANES]; // sum of C y - D past: the modes' part of the next gap
    double gap[LANES], reach[LANES];
    long step[LANES];
    int sample[LANES]; // -1: empty
    bool touching[LANES];
} lanes;

static carom_status plan_make(const carom_bounce_batch *batch, const carom_bounce_options *options,
                              plan *p, carom_error *err);
static bool run_range(const carom_bounce_batch *batch, const carom_bounce_options *options,
                      const plan *p, int range[2], carom_bounce_result *results);

carom_status carom_bounce_many(const carom_bounce_batch *batch, const carom_bounce_options *options,
                               carom_bounce_result *results, carom_error *err)
{
    for (int s = 0; s < batch->sample_count; ++s) {
        carom_bounce_case one = { batch->w[s], batch->mode_count,
                                  batch->a + (size_t)s * (size_t)batch->mode_count, batch->omega };
        if (carom_bounce_check(&one, options, err) != CAROM_OK)
            return carom_error_where(err, "sample %d", s);
    }
    if (batch->mode_count == 0) {
        for (int s = 0; s < batch->sample_count; ++s)
            results[s] = (carom_bounce_result){ .micro = 1, .end = CAROM_BOUNCE_LEFT };
        return CAROM_OK;
    }
    plan p;
    TRY(plan_make(batch, options, &p, err));
    int threads = batch->threads > 1 ? batch->threads : 1, failed = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : failed)
    for (int k = 0; k < threads; ++k) {
        int range[2] = { (int)((long long)batch->sample_count * k / threads),
                         (int)((long long)batch->sample_count * (k + 1) / threads) };
        failed += !run_range(batch, options, &p, range, results);
    }
    free(p.two_cos);
    return failed
               ? carom_error_set(err, CAROM_NO_MEMORY, "no memory for %d modes", batch->mode_count)
               : CAROM_OK;
}

// e^-x for x >= 0 from sums and products only, so that it has the same bits everywhere.
static double fade(double x)
{
    int halvings = 0;
    for (; x > 0.5; x *= 0.5)
        ++halvings;
    double sum = 1;
    for (int k = 20; k >= 1; --k)
        sum = 1 - x / k * sum;
    for (; halvings > 0; --halvings)
        sum *= sum;
    return sum;
}

static carom_status plan_make(const carom_bounce_batch *batch, const carom_bounce_options *options,
                              plan *p, carom_error *err)
{
    size_t m = (size_t)batch->mode_count;
    double fastest = 0;
    for (size_t i = 0; i < m; ++i)
        fastest = fmax(fastest, batch->omega[i]);
    *p = (plan){ .m = (int)m, .dt = options->turn / fastest, .omega = batch->omega };
    p->two_cos = malloc(5 * m * sizeof(double));
    if (!p->two_cos)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %zu modes", m);
    p->damp = p->two_cos + m;
    p->rise = p->damp + m;
    p->cos_one = p->rise + m;
    p->inverse_sin2 = p->cos_one + m;
    for (size_t i = 0; i < m; ++i) {
        double w = batch->omega[i], rate = 0.5 * w * w * options->damping;
        // overdamped modes have no oscillation to keep: they follow as critically damped ones
        double turning = sqrt(fmax(w * w - rate * rate, 1e-12 * w * w));
        double d = fade(rate * p->dt), c = carom_trig_cos(turning * p->dt),
               s = carom_trig_sin(turning * p->dt);
        p->two_cos[i] = 2 * d * c;
        p->damp[i] = d * d;
        p->rise[i] = d * s / turning;
        p->cos_one[i] = c;
        p->inverse_sin2[i] = 1 / (s * s);
    }
    return CAROM_OK;
}

// -- one step for all lanes: the hot loop ---------------------------------------------------------

// Four lanes as one value, twice: the compiler's vector type. Plain loops over lanes are unrolled
// the wrong way round by gcc 12, and wider types than the registers go through memory; both run
// several times slower.
typedef double quad __attribute__((vector_size(4 * sizeof(double))));

WIDE static void advance(const plan *p, lanes *l, const double *given)
{
    quad low = { 0 }, high = { 0 }, push_low, push_high;
    memcpy(&push_low, given, sizeof push_low);
    memcpy(&push_high, given + 4, sizeof push_high);
    quad *y = (quad *)(void *)l->y, *past = (quad *)(void *)l->past;
    const quad *weight = (const quad *)(const void *)l->weight;
    for (int i = 0; i < p->m; ++i) {
        double c = p->two_cos[i], d = p->damp[i], rise = p->rise[i];
        quad now_low = y[2 * i], now_high = y[2 * i + 1];
        quad next_low = c * now_low - d * past[2 * i] + rise * weight[2 * i] * push_low;
        quad next_high = c * now_high - d * past[2 * i + 1] + rise * weight[2 * i + 1] * push_high;
        low += c * next_low - d * now_low;
        high += c * next_high - d * now_high;
        past[2 * i] = next_low;
        past[2 * i + 1] = next_high;
    }
    memcpy(l->coming, &low, sizeof low);
    memcpy(l->coming + 4, &high, sizeof high);
    double *swap = l->y;
    l->y = l->past;
    l->past = swap;
}

// How far the modes of each lane can reach together, from their amplitudes.
WIDE static void reach_of(const plan *p, lanes *l)
{
    double sum[LANES] = { 0 };
    for (int i = 0; i < p->m; ++i) {
        double c = p->cos_one[i], scale = p->inverse_sin2[i];
        const double *y = l->y + (size_t)i * LANES, *past = l->past + (size_t)i * LANES;
        for (int k = 0; k < LANES; ++k) {
            double square = (y[k] * y[k] + past[k] * past[k] - 2 * c * y[k] * past[k]) * scale;
            sum[k] += sqrt(square > 0 ? square : 0);
        }
    }
    memcpy(l->reach, sum, sizeof sum);
}

// -- starting, touching, ending -------------------------------------------------------------------

static void load(const carom_bounce_batch *batch, const plan *p, lanes *l, int k, int sample)
{
    double gain = batch->w[sample] * p->dt;
    l->moment0[k] = l->moment2[k] = l->moment4[k] = 0;
    for (int i = 0; i < p->m; ++i) {
        double a = batch->a[(size_t)sample * (size_t)p->m + (size_t)i],
               square = p->omega[i] * p->omega[i];
        size_t at = (size_t)i * LANES + (size_t)k;
        l->weight[at] = a * a;
        l->y[at] = l->past[at] = 0;
        gain += p->rise[i] * a * a;
        l->moment0[k] += a * a;
        l->moment2[k] += a * a * square;
        l->moment4[k] += a * a * square * square;
    }
    l->w[k] = batch->w[sample];
    l->response[k] = gain;
    l->z[k] = l->gap[k] = l->coming[k] = 0;
    l->rigid[k] = -1;
    l->step[k] = 0;
    l->sample[k] = sample;
    l->touching[k] = false;
}

// sin(omega t)/omega for omega t below one: the series is exact to 1e-10 there.
static double arc(double omega, double t)
{
    double s = omega * t * omega * t;
    return t * (1 - s / 6 * (1 - s / 20 * (1 - s / 42 * (1 - s / 72 * (1 - s / 110)))));
}

// A micro-collision begins at the fraction `at` of the step that has just been advanced without an
// impulse.
static void begin_inside(const plan *p, lanes *l, int k, double at, double end_gap)
{
    double rest = (1 - at) * p->dt, r2 = rest * rest;
    double gain =
        rest * (l->w[k] + l->moment0[k] - l->moment2[k] * r2 / 6 + l->moment4[k] * r2 * r2 / 120);
    double impulse = -end_gap / gain;
    l->coming[k] = 0;
    for (int i = 0; i < p->m; ++i) {
        size_t lane = (size_t)i * LANES + (size_t)k;
        l->y[lane] += l->weight[lane] * arc(p->omega[i], rest) * impulse;
        l->past[lane] -= l->weight[lane] * arc(p->omega[i], at * p->dt) * impulse;
        l->coming[k] += p->two_cos[i] * l->y[lane] - p->damp[i] * l->past[lane];
    }
    l->rigid[k] += l->w[k] * impulse;
    l->z[k] += l->w[k] * impulse * rest;
}

// Takes all lanes one step on. A lane touches where its next gap would be negative.
static void step(const plan *p, lanes *l, carom_bounce_result *results)
{
    double impulse[LANES], next_gap[LANES];
    bool begins[LANES];
    for (int k = 0; k < LANES; ++k) {
        double coming = l->z[k] + p->dt * l->rigid[k] + l->coming[k];
        bool closes = coming < 0 && l->sample[k] >= 0;
        begins[k] = closes && !l->touching[k] && l->step[k] > 0 && l->gap[k] > 0;
        impulse[k] = closes && !begins[k] ? -coming / l->response[k] : 0;
        next_gap[k] = coming;
        if (closes) {
            carom_bounce_result *result = &results[l->sample[k]];
            result->micro += !l->touching[k];
            result->tau = (double)(l->step[k] + 1) * p->dt;
        }
        l->rigid[k] += l->w[k] * impulse[k];
        l->z[k] += p->dt * l->rigid[k];
        l->touching[k] = closes;
        ++l->step[k];
    }
    advance(p, l, impulse);
    for (int k = 0; k < LANES; ++k) {
        if (begins[k])
            begin_inside(p, l, k, l->gap[k] / (l->gap[k] - next_gap[k]), next_gap[k]);
        l->gap[k] = l->touching[k] ? 0 : next_gap[k];
    }
}

static bool run_range(const carom_bounce_batch *batch, const carom_bounce_options *options,
                      const plan *p, int range[2], carom_bounce_result *results)
{
    size_t cells = (size_t)p->m * LANES;
    double *memory = aligned_alloc(64, 3 * cells * sizeof *memory);
    if (!memory)
        return false;
    memset(memory, 0, 3 * cells * sizeof *memory);
    lanes l = { .y = memory, .past = memory + cells, .weight = memory + 2 * cells };
    int next = range[0], running = 0;
    for (int k = 0; k < LANES; ++k) {
        l.sample[k] = -1;
        if (next < range[1]) {
            results[next] = (carom_bounce_result){ .end = CAROM_BOUNCE_CAPPED };
            load(batch, p, &l, k, next++);
            ++running;
        }
    }
    while (running > 0) {
        for (int n = 0; n < CHECK_EVERY; ++n)
            step(p, &l, results);
        reach_of(p, &l);
        for (int k = 0; k < LANES; ++k) {
            if (l.sample[k] < 0)
                continue;
            bool left = !l.touching[k] && l.rigid[k] > 0 && l.z[k] > l.reach[k];
            if (!left && l.step[k] < options->budget)
                continue;
            carom_bounce_result *result = &results[l.sample[k]];
            result->epsilon = l.rigid[k];
            result->steps = l.step[k];
            result->end = left ? CAROM_BOUNCE_LEFT : CAROM_BOUNCE_CAPPED;
            l.sample[k] = -1;
            --running;
            if (next < range[1]) {
                results[next] = (carom_bounce_result){ .end = CAROM_BOUNCE_CAPPED };
                load(batch, p, &l, k, next++);
                ++running;
            }
        }
    }
    free(memory);
    return true;
}
