// The exact bounce: no time step, events located.
//
// Symbols: z rigid displacement with z'' = w l; q_i modes with q_i'' = -omega_i^2 q_i + a_i l; gap
// g = z + sum a_i q_i; l contact force, 0 <= l _|_ g >= 0; an approach ends in an inelastic impulse
// L = -g' / (w + S), S = sum a_i^2. While the contact is closed the motion is a sum of constrained
// modes, whose squared frequencies x are the roots of sum a_i^2 / (omega_i^2 - x) = w / x, one
// between each two neighbours of 0, omega_1^2, omega_2^2, ... Their shapes are q_i = a_i l /
// (omega_i^2 - x), z = -w l / x. The contact opens where l falls below zero; a free flight ends
// where g does. Both are sums of sines: they are probed PROBES times per shortest period (by
// turning every sine on by one probe, without trigonometry) and the crossing is bisected. A flight
// starts with g = g' = 0 and opens slowly, like t^2 or t^3: its first probes double from OPENING
// probes on.
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include "bounce/bounce.h"
#include "math/constants.h"
#include "math/trig.h"

enum { PROBES = 16, HALVINGS = 80, PHASES = 100000 };
#define OPENING (1.0 / 256)

typedef struct flight {
    int m;
    double w, sum;     // rigid response, and S
    double *a, *omega; // modes that take part, sorted, equal frequencies merged
    double *q, *speed;
    double z, rigid; // rigid part
    double *x,
        *shape; // constrained: squared frequencies; shape[k * m + i], with its force in force[k]
    double *shape_z, *force, *freq;
    double *c, *c_speed;    // constrained coordinates
    double *turn, *rise;    // free, then constrained modes: cos and sin of one probe
    double *along, *across; // a sum of sines on its way from probe to probe
    double probe;           // s
    long probes, budget;
} flight;

static carom_status begin(const carom_bounce_case *one, const carom_bounce_options *options,
                          flight *f, void **memory, carom_error *err);
static void solve_constrained(flight *f);
static double contact_phase(flight *f);
static double free_phase(flight *f, bool *left);
static bool fly(flight *f, carom_bounce_result *result);

carom_status carom_bounce_exact(const carom_bounce_case *one, const carom_bounce_options *options,
                                carom_bounce_result *result, carom_error *err)
{
    NEED(err, one);
    TRY(carom_bounce_check(one, options, err));
    if (options->damping > 0) {
        carom_error_set(err, CAROM_UNSUPPORTED, "the exact solver was asked for a damping of %g s",
                        options->damping);
        return carom_error_fix(err, "use the production or the literal solver for damped bodies");
    }
    if (carom_bounce_rigid(one, result))
        return CAROM_OK;
    flight f = { 0 };
    void *memory = NULL;
    TRY(begin(one, options, &f, &memory, err));
    solve_constrained(&f);
    *result = (carom_bounce_result){ 0 };
    result->end = fly(&f, result) ? CAROM_BOUNCE_LEFT : CAROM_BOUNCE_CAPPED;
    result->epsilon = f.rigid;
    result->impulse = (1 + f.rigid) / f.w;
    result->steps = f.probes;
    free(memory);
    return CAROM_OK;
}

typedef struct mode {
    double omega, weight;
} mode;

static int by_omega(const void *left, const void *right)
{
    double a = ((const mode *)left)->omega, b = ((const mode *)right)->omega;
    return (a > b) - (a < b);
}

// Equal frequencies act as one whose weights add: all modes start at rest and obey q_i'' = -omega^2
// q_i + a_i l, so q_i = a_i r with one r'' = -omega^2 r + l, and sum a_i q_i = A Q with A^2 = sum
// a_i^2, Q = A r, Q'' = -omega^2 Q + A l. (Two equal poles would leave a root between them no
// room.) Modes that do not take part are left out.
static int merge(const carom_bounce_case *one, mode *modes)
{
    int count = 0, kept = 0;
    for (int i = 0; i < one->mode_count; ++i)
        if (one->a[i] != 0)
            modes[count++] = (mode){ one->omega[i], one->a[i] * one->a[i] };
    if (count == 0)
        return 0;
    qsort(modes, (size_t)count, sizeof *modes, by_omega);
    for (int i = 1; i < count; ++i) {
        if (modes[i].omega - modes[kept].omega <= 1e-13 * modes[i].omega)
            modes[kept].weight += modes[i].weight;
        else
            modes[++kept] = modes[i];
    }
    return kept + 1;
}

static carom_status begin(const carom_bounce_case *one, const carom_bounce_options *options,
                          flight *f, void **memory, carom_error *err)
{
    size_t n = (size_t)one->mode_count;
    mode *modes = malloc((n + 1) * sizeof *modes);
    double *block = calloc(16 * n + n * n + 1, sizeof *block);
    if (!modes || !block) {
        free(modes);
        free(block);
        return carom_error_no_memory(err, "%d modes", one->mode_count);
    }
    *f = (flight){ .m = merge(one, modes), .w = one->w, .rigid = -1, .budget = options->budget };
    double **arrays[] = { &f->a,     &f->omega, &f->q, &f->speed,   &f->x,     &f->shape_z,
                          &f->force, &f->freq,  &f->c, &f->c_speed, &f->along, &f->across };
    for (int k = 0; k < 12; ++k)
        *arrays[k] = block + (size_t)k * n;
    f->turn = block + 12 * n;
    f->rise = block + 14 * n;
    f->shape = block + 16 * n;
    for (int i = 0; i < f->m; ++i) {
        f->omega[i] = modes[i].omega;
        f->a[i] = sqrt(modes[i].weight);
        f->sum += modes[i].weight;
    }
    f->probe = f->m ? CAROM_TWO_PI / (PROBES * f->omega[f->m - 1]) : 0;
    *memory = block;
    free(modes);
    return CAROM_OK;
}

static double sine(double angle)
{
    return carom_trig_sin(angle);
}
static double cosine(double angle)
{
    return carom_trig_cos(angle);
}

// The secular function sum a^2/(omega^2 - x) - w/x at x = pole + d, with differences taken before
// squaring so that a root next to a pole keeps its digits.
static double secular(const flight *f, double root_pole, double d)
{
    double sum = -f->w / (root_pole * root_pole + d);
    for (int i = 0; i < f->m; ++i)
        sum += f->a[i] * f->a[i] / ((f->omega[i] - root_pole) * (f->omega[i] + root_pole) - d);
    return sum;
}

// The function grows from -infinity to +infinity between two neighbouring poles: bisection cannot
// fail. The offset is measured from the nearer pole.
static void find_root(flight *f, int k)
{
    double low_pole = k ? f->omega[k - 1] : 0, high_pole = f->omega[k];
    double width = (high_pole - low_pole) * (high_pole + low_pole);
    bool from_low = secular(f, low_pole, 0.5 * width) > 0;
    double pole = from_low ? low_pole : high_pole;
    double low = from_low ? 0 : -0.5 * width, high = from_low ? 0.5 * width : 0;
    for (int n = 0; n < 200; ++n) {
        double d = 0.5 * (low + high);
        if (d == low || d == high)
            break;
        *(secular(f, pole, d) < 0 ? &low : &high) = d;
    }
    double d = from_low ? high : low;
    f->x[k] = pole * pole + d;
    f->freq[k] = sqrt(f->x[k]);
    double norm = f->w / (f->x[k] * f->x[k]);
    for (int i = 0; i < f->m; ++i) {
        double shape = f->a[i] / ((f->omega[i] - pole) * (f->omega[i] + pole) - d);
        f->shape[(size_t)k * (size_t)f->m + (size_t)i] = shape;
        norm += shape * shape;
    }
    f->force[k] = 1 / sqrt(norm);
    f->shape_z[k] = -f->w / f->x[k] * f->force[k];
    for (int i = 0; i < f->m; ++i)
        f->shape[(size_t)k * (size_t)f->m + (size_t)i] *= f->force[k];
}

static void solve_constrained(flight *f)
{
    for (int k = 0; k < f->m; ++k) {
        find_root(f, k);
        f->turn[k] = cosine(f->omega[k] * f->probe);
        f->rise[k] = sine(f->omega[k] * f->probe);
        f->turn[f->m + k] = cosine(f->freq[k] * f->probe);
        f->rise[f->m + k] = sine(f->freq[k] * f->probe);
    }
}

// Takes a sum of sines one probe on and returns it; `which` is 0 for free, m for constrained modes.
static double spin(flight *f, int which)
{
    const double *turn = f->turn + which, *rise = f->rise + which;
    double sum = 0;
    for (int k = 0; k < f->m; ++k) {
        double x = f->along[k], y = f->across[k];
        f->along[k] = x * turn[k] + y * rise[k];
        f->across[k] = y * turn[k] - x * rise[k];
        sum += f->along[k];
    }
    ++f->probes;
    return sum;
}

static double force_at(const flight *f, double t)
{
    double sum = 0;
    for (int k = 0; k < f->m; ++k)
        sum += f->force[k] * (f->c[k] * cosine(f->freq[k] * t) +
                              f->c_speed[k] / f->freq[k] * sine(f->freq[k] * t));
    return sum;
}

static double gap_at(const flight *f, double t)
{
    double sum = f->z + f->rigid * t;
    for (int i = 0; i < f->m; ++i)
        sum += f->a[i] * (f->q[i] * cosine(f->omega[i] * t) +
                          f->speed[i] / f->omega[i] * sine(f->omega[i] * t));
    return sum;
}

// The crossing from above zero to below, between two times.
static double crossing(const flight *f, double (*value)(const flight *, double), double low,
                       double high)
{
    for (int n = 0; n < HALVINGS; ++n) {
        double middle = 0.5 * (low + high);
        if (middle == low || middle == high)
            break;
        *(value(f, middle) > 0 ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

// From modes to constrained coordinates, along to the opening, and back. Returns how long the
// contact stayed closed.
static double contact_phase(flight *f)
{
    double pull = 0, scale = 0;
    for (int i = 0; i < f->m; ++i) {
        pull += f->a[i] * f->omega[i] * f->omega[i] * f->q[i];
        scale += fabs(f->a[i] * f->omega[i] * f->omega[i] * f->q[i]);
    }
    if (pull < -1e-14 * scale) // held only by pulling: it opens at once
        return 0;
    for (int k = 0; k < f->m; ++k) {
        const double *shape = f->shape + (size_t)k * (size_t)f->m;
        f->c[k] = f->shape_z[k] * f->z / f->w;
        f->c_speed[k] = f->shape_z[k] * f->rigid / f->w;
        for (int i = 0; i < f->m; ++i) {
            f->c[k] += shape[i] * f->q[i];
            f->c_speed[k] += shape[i] * f->speed[i];
        }
    }
    for (int k = 0; k < f->m; ++k) {
        f->along[k] = f->force[k] * f->c[k];
        f->across[k] = f->force[k] * f->c_speed[k] / f->freq[k];
    }
    long n = 0;
    while (f->probes < f->budget && spin(f, f->m) > 0)
        ++n;
    double t = crossing(f, force_at, (double)n * f->probe, (double)(n + 1) * f->probe);
    for (int k = 0; k < f->m; ++k) {
        double c = cosine(f->freq[k] * t), s = sine(f->freq[k] * t), start = f->c[k];
        f->c[k] = start * c + f->c_speed[k] / f->freq[k] * s;
        f->c_speed[k] = -start * f->freq[k] * s + f->c_speed[k] * c;
    }
    f->z = f->rigid = 0;
    for (int i = 0; i < f->m; ++i)
        f->q[i] = f->speed[i] = 0;
    for (int k = 0; k < f->m; ++k) {
        const double *shape = f->shape + (size_t)k * (size_t)f->m;
        f->z += f->shape_z[k] * f->c[k];
        f->rigid += f->shape_z[k] * f->c_speed[k];
        for (int i = 0; i < f->m; ++i) {
            f->q[i] += shape[i] * f->c[k];
            f->speed[i] += shape[i] * f->c_speed[k];
        }
    }
    return t;
}

// The time of the next closing, or a negative one where the body leaves for ever.
static double closing_time(flight *f, double reach)
{
    double t = 0;
    for (double next = OPENING * f->probe; next <= f->probe; next *= 2) {
        ++f->probes;
        if (gap_at(f, next) <= 0)
            return crossing(f, gap_at, t, next);
        t = next;
    }
    for (int i = 0; i < f->m; ++i) {
        double angle = f->omega[i] * t, x = f->a[i] * f->q[i],
               y = f->a[i] * f->speed[i] / f->omega[i];
        f->along[i] = x * cosine(angle) + y * sine(angle);
        f->across[i] = y * cosine(angle) - x * sine(angle);
    }
    while (f->probes < f->budget) {
        if (f->rigid > 0 && f->z + f->rigid * t > reach)
            return -1;
        double next = t + f->probe;
        if (spin(f, 0) + f->z + f->rigid * next <= 0)
            return crossing(f, gap_at, t, next);
        t = next;
    }
    return t;
}

// Flies until the gap closes again, or for ever. Returns the time flown.
static double free_phase(flight *f, bool *left)
{
    double reach = 0;
    for (int i = 0; i < f->m; ++i)
        reach += f->a[i] *
                 sqrt(f->q[i] * f->q[i] + f->speed[i] * f->speed[i] / (f->omega[i] * f->omega[i]));
    double t = closing_time(f, reach);
    *left = t < 0;
    if (*left)
        return 0;
    for (int i = 0; i < f->m; ++i) {
        double c = cosine(f->omega[i] * t), s = sine(f->omega[i] * t), start = f->q[i];
        f->q[i] = start * c + f->speed[i] / f->omega[i] * s;
        f->speed[i] = -start * f->omega[i] * s + f->speed[i] * c;
    }
    f->z += f->rigid * t;
    return t;
}

static void impulse(flight *f)
{
    double approach = f->rigid;
    for (int i = 0; i < f->m; ++i)
        approach += f->a[i] * f->speed[i];
    double size = fmax(0, -approach / (f->w + f->sum));
    f->rigid += f->w * size;
    for (int i = 0; i < f->m; ++i)
        f->speed[i] += f->a[i] * size;
}

static bool fly(flight *f, carom_bounce_result *result)
{
    double time = 0;
    bool left = false;
    result->micro = 0;
    for (int phase = 0; phase < PHASES && f->probes < f->budget; ++phase) {
        impulse(f);
        time += contact_phase(f);
        ++result->micro;
        result->tau = time;
        time += free_phase(f, &left);
        if (left)
            return true;
    }
    return false;
}
