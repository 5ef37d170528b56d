// The solitary wave in a chain of beads: exact, and as found in a chain that was run.
//
// Beads j of mass m that touch without load, F = k r^n with r_j the compression between j and
// j + 1. A wave r_j(t) = R(j - C t) obeys (C^2 m / k) R'' = second difference of R^n, that is
// (C^2 m / k) R = L * R^n with the tent L(x) = max(1 - |x|, 0) (Friesecke and Wattis 1994; English
// and Pego 2005). With R = (C^2 m / k)^(1 / (n - 1)) Q it becomes Q = L * Q^n, one problem for all
// speeds. L is a box of width 1 twice, so that Q^n -> V = box * Q^n -> box * V; V is the velocity
// of the beads. Plain iteration runs off to zero or infinity; Petviashvili's factor S^(n / (n - 1))
// holds it. The bead's speed is v = C^((n + 1) / (n - 1)) V(0), from which C.
//
// Nesterenko's long-wave limit for n = 3/2: C = (16 / 25)^(1/5) v^(1/5) (k / m)^(2/5).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/error.h"
#include "measure/measure.h"

enum { PER_BEAD = 512, HALF = 8 * PER_BEAD, POINTS = 2 * HALF + 1, ITERATIONS_MAX = 500 };
#define SETTLED 1e-13
#define FEW 0.01    // of the fastest: beads slower than that do not count as part of the wave
enum { REACH = 8 }; // beads to each side of the fastest that belong to the wave

typedef struct wave {
    double q[POINTS], power[POINTS], v[POINTS], next[POINTS], sum[POINTS];
} wave;

// out = box of width 1 * in, by the trapezoidal rule; zero outside.
static void box(const double *in, double *sum, double *out)
{
    const double h = 1.0 / PER_BEAD;
    sum[0] = 0;
    for (int i = 1; i < POINTS; ++i)
        sum[i] = sum[i - 1] + h / 2 * (in[i - 1] + in[i]);
    for (int i = 0; i < POINTS; ++i) {
        int right = i + PER_BEAD / 2, left = i - PER_BEAD / 2;
        out[i] = sum[right < POINTS ? right : POINTS - 1] - sum[left > 0 ? left : 0];
    }
}

static bool iterate(wave *w, double n)
{
    for (int i = 0; i < POINTS; ++i) {
        double x = (double)(i - HALF) / PER_BEAD;
        w->q[i] = fabs(x) < 2 ? (1 - x * x / 4) * (1 - x * x / 4) : 0;
    }
    for (int k = 0; k < ITERATIONS_MAX; ++k) {
        double qq = 0, qn = 0, change = 0;
        for (int i = 0; i < POINTS; ++i)
            w->power[i] = pow(w->q[i], n);
        box(w->power, w->sum, w->v);
        box(w->v, w->sum, w->next);
        for (int i = 0; i < POINTS; ++i) {
            qq += w->q[i] * w->q[i];
            qn += w->q[i] * w->next[i];
        }
        double factor = pow(qq / qn, n / (n - 1));
        for (int i = 0; i < POINTS; ++i) {
            change = fmax(change, fabs(factor * w->next[i] - w->q[i]));
            w->q[i] = factor * w->next[i];
        }
        if (change < SETTLED * w->q[HALF])
            return true;
    }
    return false;
}

carom_status carom_measure_wave_exact(double n, carom_measure_wave *out, carom_error *err)
{
    if (!(n > 1) || !(n <= 20)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the exponent is %g", n);
        return carom_error_fix(err, "a solitary wave needs an exponent above 1, up to 20");
    }
    wave *w = malloc(sizeof *w);
    if (!w)
        return carom_error_no_memory(err, "a wave");
    bool settled = iterate(w, n);
    double peak = w->v[HALF], sum = 0;
    int wide = 0;
    for (int i = 0; i < POINTS; ++i) {
        sum += w->v[i] / PER_BEAD;
        wide += w->v[i] > FEW * peak;
    }
    *out = (carom_measure_wave){ .speed = pow(peak, -(n - 1) / (n + 1)),
                                 .continuum = n == 1.5 ? pow(16.0 / 25, 0.2) : (double)NAN,
                                 .width = (double)wide / PER_BEAD,
                                 .momentum = sum / peak };
    free(w);
    return settled ? CAROM_OK
                   : carom_error_set(err, CAROM_NOT_CONVERGED, "no wave after %d iterations",
                                     ITERATIONS_MAX);
}

// Where the wave is, from the momentum of the beads around the fastest.
static carom_status add_sample(carom_measure *m, const carom_chain_history *h, size_t s,
                               carom_error *err)
{
    const double *v = h->velocity + s * h->bodies;
    size_t fastest = 0;
    double sum = 0, moment = 0;
    int wide = 0;
    for (size_t b = 1; b < h->bodies; ++b)
        fastest = v[b] > v[fastest] ? b : fastest;
    size_t from = fastest > REACH ? fastest - REACH : 0;
    for (size_t b = from; b < h->bodies && b <= fastest + REACH; ++b) {
        sum += v[b];
        moment += (double)b * v[b];
        wide += v[b] > FEW * v[fastest];
    }
    m->width = 5;
    return carom_measure_add_row(
        m, (double[]){ h->time[s], moment / sum, v[fastest], wide, sum / v[fastest] }, err);
}

// Where no times are given: from where the wave has passed a fifth of the chain, sixteen beads at
// least (it forms at the striker, which is faster than any bead of it) until it comes near the far
// end (whose last bead flies off, faster than any other).
static carom_status choose_window(carom_measure *m, size_t bodies, carom_error *err)
{
    double formed = fmax(2 * REACH, (double)(bodies / 5)), end = (double)bodies - 1 - REACH;
    double from = m->options.from, to = m->options.to;
    int last = 0, inside = 0;
    while (last < m->rows && m->row[m->width * last + 1] <= end)
        ++last;
    for (int r = last - 1; r >= 0 && m->row[m->width * r + 1] >= formed; --r)
        m->options.from = from > 0 ? from : m->row[m->width * r];
    if (!isfinite(to) && last > 0)
        m->options.to = m->row[m->width * (last - 1)];
    for (int r = 0; r < m->rows; ++r)
        inside += carom_measure_inside(m, m->row[m->width * r]);
    bool formed_ever = last > 0 && m->row[m->width * (last - 1) + 1] >= formed;
    if (inside > 1 && (from > 0 || formed_ever))
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT,
                    "the wave is not seen between bead %g and bead %g, where it is a wave", formed,
                    end);
    return carom_error_fix(err, "use a longer duration or more beads, or give --from and --to");
}

static void finish(carom_measure *m, const carom_chain *chain, const carom_measure_wave *exact)
{
    carom_measure_table *t = &m->table;
    snprintf(t->title, sizeof t->title, "The wave in a chain of %zu beads", chain->body_count);
    t->label = "place of the wave";
    t->unit = "beads";
    double *time = carom_measure_add_column(m, 0, "s", "time");
    double *place = carom_measure_add_column(m, 2, "beads", "measured");
    double *fastest = carom_measure_add_column(m, 0, "m/s", "fastest bead");
    double *wide = carom_measure_add_column(m, 0, "beads", "width");
    carom_measure_add_column(m, 0, "beads", "momentum over that of the fastest");
    double *line = carom_measure_add_column(m, 1, "beads", "exact speed");
    double v = 0, width = 0, n = chain->contacts[0].exponent, centre_t = 0, centre_x = 0;
    int first = -1, count = 0;
    for (int r = 0; r < m->rows; ++r) {
        if (!carom_measure_inside(m, time[r]))
            continue;
        first = first < 0 ? r : first;
        v = fmax(v, fastest[r]);
        width += wide[r];
        centre_t += time[r];
        centre_x += place[r];
        ++count;
    }
    double scale = pow(v, (n - 1) / (n + 1)) *
                   pow(chain->contacts[0].stiffness / chain->bodies[0].mass, 1 / (n + 1));
    for (int r = 0; r < m->rows; ++r)
        line[r] = centre_x / count + exact->speed * scale * (time[r] - centre_t / count);
    double speed = carom_measure_fit_line(time + first, place + first, count).b;
    carom_measure_add_number(m, speed, "beads/s", "speed");
    carom_measure_add_number(m, v, "m/s", "fastest bead");
    carom_measure_add_number(m, exact->speed * scale, "beads/s", "exact speed");
    carom_measure_add_number(m, speed / (exact->speed * scale), "", "speed over exact");
    carom_measure_add_number(m, exact->continuum * scale, "beads/s", "long-wave speed");
    carom_measure_add_number(m, speed / (exact->continuum * scale), "", "speed over long-wave");
    carom_measure_add_number(m, m->options.from, "s", "measured from");
    carom_measure_add_number(m, time[first + count - 1], "s", "measured to");
    carom_measure_add_number(m, width / count, "beads", "width");
    carom_measure_add_number(m, exact->width, "beads", "exact width");
}

static bool is_plain(const carom_chain *chain)
{
    for (size_t b = 0; b < chain->body_count; ++b)
        if (chain->bodies[b].kind != CAROM_CHAIN_MASS ||
            chain->bodies[b].mass != chain->bodies[0].mass)
            return false;
    for (size_t c = 0; c + 1 < chain->body_count; ++c)
        if (chain->contacts[c].gap != 0 || chain->contacts[c].exponent <= 1 ||
            chain->contacts[c].exponent != chain->contacts[0].exponent ||
            chain->contacts[c].stiffness != chain->contacts[0].stiffness)
            return false;
    return chain->body_count > 2 * REACH;
}

carom_status carom_measure_chain(const carom_chain *chain, const carom_chain_result *result,
                                 const carom_measure_options *options, carom_measure **out,
                                 carom_error *err)
{
    NEED(err, chain, out);
    carom_measure_wave exact;
    *out = NULL;
    if (!is_plain(chain)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the chain is not one of equal beads in touch");
        return carom_error_fix(err,
                               "use more than %d equal masses without gaps and an exponent "
                               "above 1",
                               2 * REACH);
    }
    TRY(carom_measure_wave_exact(chain->contacts[0].exponent, &exact, err));
    carom_measure *m = *out = calloc(1, sizeof *m);
    if (!m)
        return carom_error_no_memory(err, "a measurement");
    m->options = *options;
    m->options.of = CAROM_MEASURE_SHOCK;
    m->options.to = options->to > 0 ? options->to : HUGE_VAL;
    carom_status status = CAROM_OK;
    for (size_t s = 0; s < result->history.samples && status == CAROM_OK; ++s)
        status = add_sample(m, &result->history, s, err);
    const carom_measure_table *table;
    if (status == CAROM_OK)
        status = choose_window(m, chain->body_count, err);
    if (status == CAROM_OK)
        status = carom_measure_finish(m, &table, err);
    if (status == CAROM_OK)
        finish(m, chain, &exact);
    if (status != CAROM_OK) {
        carom_measure_destroy(m);
        *out = NULL;
    }
    return status;
}
