// Three balls and cradles of [QCE]: figures 2, 4 and 12, and the readings of restitution.
#include "carom/random.h"
#include "gallery/gallery_instant.h"
#include "gallery/gallery_qce.h"

#include <stdio.h>

static const double ones[16] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };

// Velocities of a row of equal balls after the impact; `out` has `count` numbers.
static carom_status strike(carom_gallery_result *result, int count, const double *velocities,
                           const char *law, double *out, carom_error *err)
{
    carom_gallery_memory mark = *result->memory;
    carom_impact impact;
    carom_impact_outcome outcome;
    carom_status status =
        carom_gallery_instant_chain(result, count, ones, velocities, &impact, err);
    if (status == CAROM_OK)
        status = carom_gallery_instant_resolve(result, &impact, law, &outcome, err);
    for (int i = 0; status == CAROM_OK && i < count; ++i)
        out[i] = outcome.velocities[i][0];
    carom_gallery_memory_rewind(result->memory, mark);
    return status;
}

static double distance(const double *a, const double *b)
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

// -- figure 2 -----------------------------------------------------------------------------------

carom_status carom_gallery_qce_exchange(carom_gallery_result *result, carom_error *err)
{
    static const char *const laws[] = { "springs", "qce", "wave", "newton", "gr", NULL };
    static const double before[3] = { 0.5, 0, -1 }, ideal[3] = { -1, 0, 0.5 };
    static const char *const names[3] = { "A", "B", "C" };
    double steep[3], hertz[3], qce[3], newton[3];
    TRY(carom_gallery_instant_compare(result, "impact/three-balls.json", laws,
                                      "A comes with 0.5 m/s, C with -1 m/s; arrows are velocities "
                                      "after the impact by five laws.",
                                      err));
    TRY(strike(result, 3, before, "springs:exponent=20", steep, err));
    TRY(strike(result, 3, before, "springs:exponent=1.5", hertz, err));
    TRY(strike(result, 3, before, "qce", qce, err));
    TRY(strike(result, 3, before, "newton", newton, err));
    for (int i = 0; i < 3; ++i) {
        char what[80];
        snprintf(what, sizeof what, "steep springs (exponent 20): speed of %s", names[i]);
        carom_gallery_result_near(result, what, "m/s", ideal[i], steep[i], 0.002);
    }
    for (int i = 0; i < 3; ++i) {
        char what[80];
        snprintf(what, sizeof what, "Hertz springs: speed of %s", names[i]);
        carom_gallery_result_near(result, what, "m/s", ideal[i], hertz[i], 0.02);
    }
    for (int i = 0; i < 3; ++i) {
        char what[80];
        snprintf(what, sizeof what, "QCE: speed of %s", names[i]);
        carom_gallery_result_number(result, what, "m/s", ideal[i], qce[i]);
    }
    carom_gallery_result_at_most(result, "distance of QCE to the exchange, of that of LCP", "",
                                 distance(qce, ideal) / distance(newton, ideal), 1);
    return CAROM_OK;
}

// -- figure 4 -----------------------------------------------------------------------------------

enum { CURVES = 6, SPEEDS_MAX = 101 };

// [QCE, algorithm 1] for C at -1 and A at va, worked out by hand.
static void closed_form(double va, double v[3])
{
    double p2 = 2 / (2 - va), s = va + p2, p1 = (s + sqrt(s * s - 4 * (p2 * p2 - p2))) / 2;
    v[0] = va - p1;
    v[1] = p1 - p2;
    v[2] = p2 - 1;
}

typedef struct sweep {
    int count;
    double va[SPEEDS_MAX];
    double v[CURVES][3][SPEEDS_MAX]; // ideal, QCE, LCP, Hooke, Hertz, GR
    double error[CURVES];            // mean distance to the ideal
    double closed;                   // largest distance of QCE to its closed form
    double apart;                    // largest distance of GR to LCP for va > 0
    double last_better;              // largest va with QCE nearer than LCP
} sweep;

static carom_status sweep_run(carom_gallery_result *result, sweep *s, carom_error *err)
{
    static const char *const laws[CURVES] = {
        NULL, "qce:theta=0", "newton", "springs:exponent=1", "springs:exponent=1.5", "gr"
    };
    for (int k = 0; k < s->count; ++k) {
        double va = (double)k / (s->count - 1), before[3] = { va, 0, -1 }, ideal[3] = { -1, 0, va };
        double found[CURVES][3], exact[3], off[CURVES];
        s->va[k] = va;
        closed_form(va, exact);
        for (int c = 0; c < CURVES; ++c) {
            if (c == 0)
                for (int i = 0; i < 3; ++i)
                    found[c][i] = ideal[i];
            else
                TRY(strike(result, 3, before, laws[c], found[c], err));
            for (int i = 0; i < 3; ++i)
                s->v[c][i][k] = found[c][i];
            off[c] = distance(found[c], ideal);
            s->error[c] += off[c] / s->count;
        }
        s->closed = fmax(s->closed, distance(found[1], exact));
        if (k > 0)
            s->apart = fmax(s->apart, distance(found[5], found[2]));
        if (off[1] < off[2])
            s->last_better = va;
    }
    return CAROM_OK;
}

static void sweep_draw(carom_gallery_result *result, sweep *s)
{
    static const char *const names[] = { "ideal", "QCE", "LCP (and GR)", "Hooke", "Hertz" };
    static const char *const balls[] = { "ball A", "ball B", "ball C" };
    static const char *const dashes[] = { "5 3", NULL, NULL, "2 2", "7 2" };
    static const char *const roles[] = { "ink", "s1", "s0", "s2", "s3" };
    carom_plot_series series[3][5];
    carom_plot plots[3];
    for (int i = 0; i < 3; ++i) {
        for (int c = 0; c < 5; ++c)
            series[i][c] = (carom_plot_series){ names[c],        s->va,    s->v[c][i], s->count,
                                                CAROM_PLOT_LINE, roles[c], dashes[c],  0 };
        plots[i] = (carom_plot){ .title = balls[i],
                                 .x = { "speed of A before", "m/s", 0, 1, false, 0 },
                                 .y = { "speed after", "m/s", 0, 0, false, 0 },
                                 .series = series[i],
                                 .count = 5 };
    }
    carom_gallery_result_plots(result, plots, 3, 3,
                               "Speeds of the three balls after the impact over the speed of A "
                               "before; C comes with -1 m/s. GR lies on LCP except at 0.");
}

carom_status carom_gallery_qce_curves(carom_gallery_result *result, carom_error *err)
{
    sweep s = { .count = result->quick ? 21 : 101 };
    TRY(sweep_run(result, &s, err));
    sweep_draw(result, &s);
    if (result->quick)
        carom_gallery_result_smaller(result, "%d speeds of A instead of 101.", s.count);
    carom_gallery_result_at_most(result, "QCE: largest distance to its closed form", "m/s",
                                 s.closed, 1e-9);
    double cradle = fabs(s.v[1][0][0] + 1) + fabs(s.v[1][1][0]) + fabs(s.v[1][2][0]);
    carom_gallery_result_at_most(result, "QCE at 0: distance to the ideal cradle", "m/s", cradle,
                                 1e-12);
    carom_gallery_result_near(result, "GR at 0: speed of A, the ideal", "m/s", -1, s.v[5][0][0],
                              1e-12);
    carom_gallery_result_near(result, "LCP at 0: speed of A, not the ideal", "m/s", -2.0 / 3,
                              s.v[2][0][0], 1e-12);
    carom_gallery_result_at_most(result, "GR above 0: largest distance to LCP", "m/s", s.apart,
                                 1e-9);
    int last = s.count - 1;
    double symmetric = fabs(s.v[1][0][last] + 1) + fabs(s.v[2][0][last] + 1);
    carom_gallery_result_at_most(result, "QCE and LCP at 1 (symmetric): distance to the ideal",
                                 "m/s", symmetric, 1e-12);
    static const char *const means[] = { NULL,
                                         "mean error of QCE",
                                         "mean error of LCP",
                                         "mean error of Hooke's springs",
                                         "mean error of Hertz's springs",
                                         "mean error of GR" };
    for (int c = 1; c < CURVES; ++c)
        carom_gallery_result_number(result, means[c], "m/s", NAN, s.error[c]);
    carom_gallery_result_holds(result, s.error[1] < s.error[2] && s.error[1] < s.error[5],
                               "on the mean QCE is nearer to the ideal than LCP and GR");
    carom_gallery_result_refutes(result, s.last_better < 0.66,
                                 "section 5.1: QCE matches better than LCP and GR for all values; "
                                 "beyond %.3f m/s it does not (crossing at 0.6375)",
                                 s.last_better);
    carom_gallery_result_refutes(
        result, s.error[4] > 0.01,
        "section 5.1: equation 6 itself would give the exact answers; with "
        "Hertz's exponent the mean error is %.4f m/s",
        s.error[4]);
    return CAROM_OK;
}

// -- figure 12 ----------------------------------------------------------------------------------

enum { SIZES = 5, KINDS = 4 };

// Share of random disturbances of 1e-6 that move the result by more than 0.01, and the largest.
static carom_status disturb(carom_gallery_result *result, int n, const char *law, int cases,
                            double *share, double *worst, carom_error *err)
{
    int off = 0;
    *worst = 0;
    for (int k = 0; k < cases; ++k) {
        carom_random random = carom_random_make(55, (uint64_t)k);
        double v[16], after[16], max = 0;
        for (int i = 0; i < n; ++i)
            v[i] = (i == 0) + 1e-6 * carom_random_normal(&random);
        TRY(strike(result, n, v, law, after, err));
        for (int i = 0; i < n; ++i)
            max = fmax(max, fabs(after[i] - (i == n - 1)));
        off += max > 0.01;
        *worst = fmax(*worst, max);
    }
    *share = 100.0 * off / cases;
    return CAROM_OK;
}

carom_status carom_gallery_qce_disturbed(carom_gallery_result *result, carom_error *err)
{
    static const int sizes[SIZES] = { 3, 4, 5, 7, 10 };
    static const char *const laws[KINDS] = { "gr", "qce:theta=0", "qce", "wave" };
    static const char *const names[KINDS] = { "GR", "QCE as printed", "QCE, slow contacts wait",
                                              "wave" };
    int cases = result->quick ? 100 : 400;
    double x[SIZES], share[KINDS][SIZES], worst[KINDS][SIZES];
    for (int k = 0; k < SIZES; ++k) {
        x[k] = sizes[k];
        for (int c = 0; c < KINDS; ++c)
            TRY(disturb(result, sizes[k], laws[c], cases, &share[c][k], &worst[c][k], err));
    }
    carom_plot_series series[KINDS];
    for (int c = 0; c < KINDS; ++c)
        series[c] =
            (carom_plot_series){ names[c], x, share[c], SIZES, CAROM_PLOT_LINE, NULL, NULL, 2 };
    carom_plot plot = { .title = "Disturbances of 1e-6 that change the result by more than 0.01",
                        .x = { "balls in the cradle", "number", 2.5, 10.5, false, 0 },
                        .y = { "share of random disturbances", "%", 0, 100, false, 0 },
                        .series = series,
                        .count = KINDS };
    carom_gallery_result_plots(
        result, &plot, 1, 1,
        "How often a disturbance of a millionth of the speed decides what the "
        "cradle does.");
    carom_gallery_result_note(result, "%d random disturbances per size and law.", cases);
    if (result->quick)
        carom_gallery_result_smaller(result, "%d random disturbances instead of 400.", cases);
    carom_gallery_result_at_least(result, "GR, 5 balls: disturbed results that are off", "%",
                                  share[0][2], 20);
    carom_gallery_result_at_most(result, "QCE, 3 balls: disturbed results that are off", "%",
                                 share[1][0], 0);
    for (int k = 1; k < SIZES; ++k)
        carom_gallery_result_holds(result, share[1][k] < share[0][k] / 3,
                                   "%d balls: QCE as printed is off in %.1f %%, GR in %.0f %%",
                                   sizes[k], share[1][k], share[0][k]);
    double waiting = 0, wave = 0, plain = 0;
    for (int k = 0; k < SIZES; ++k) {
        waiting = fmax(waiting, worst[2][k]);
        wave = fmax(wave, worst[3][k]);
        plain = fmax(plain, worst[1][k]);
    }
    carom_gallery_result_at_most(result, "QCE where slow contacts wait a sweep: largest change",
                                 "m/s", waiting, 1e-4);
    carom_gallery_result_number(result, "wave: distance to the ideal cradle (Hertz disperses)",
                                "m/s", NAN, wave);
    carom_gallery_result_refutes(result, plain > 0.1,
                                 "section 5.5: disturbances have no influence on QCE; from four "
                                 "balls on some of them change a speed by up to %.2f m/s",
                                 plain);
    return CAROM_OK;
}

// -- restitution --------------------------------------------------------------------------------

static carom_status with_restitution(carom_gallery_result *result, const double *before, double c,
                                     const char *law, double *v, double *energy, carom_error *err)
{
    carom_gallery_memory mark = *result->memory;
    carom_impact impact;
    carom_impact_outcome out;
    TRY(carom_gallery_instant_chain(result, 3, ones, before, &impact, err));
    for (int i = 0; i < 2; ++i)
        ((carom_impact_contact *)impact.contacts)[i].restitution = c; // ours, from the arena
    TRY(carom_gallery_instant_resolve(result, &impact, law, &out, err));
    for (int i = 0; i < 3; ++i)
        v[i] = out.velocities[i][0];
    *energy = out.report.energy_after / out.report.energy_before;
    carom_gallery_memory_rewind(result->memory, mark);
    return CAROM_OK;
}

carom_status carom_gallery_qce_readings(carom_gallery_result *result, carom_error *err)
{
    enum { POINTS = 21 };
    static const double before[3] = { 1, 0, 0.6 };
    static const double lcp[3] = { 4.0 / 15, 17.0 / 30, 23.0 / 30 },
                        convex[3] = { 0.25, 0.55, 0.8 };
    double c[POINTS], kept[2][POINTS], v[2][3], apart = 0;
    bool ordered = true, one = true;
    for (int k = 0; k < POINTS; ++k) {
        c[k] = (double)k / (POINTS - 1);
        TRY(with_restitution(result, before, c[k], "qce:reading=lcp", v[0], &kept[0][k], err));
        TRY(with_restitution(result, before, c[k], "qce:reading=convex", v[1], &kept[1][k], err));
        ordered = ordered && kept[0][k] <= kept[1][k] + 1e-12 && kept[1][k] <= 1 + 1e-12;
        if (k == 0 || k == POINTS - 1)
            one = one && distance(v[0], v[1]) < 1e-9;
        apart = fmax(apart, distance(v[0], v[1]));
        if (2 * k == POINTS - 1)
            for (int i = 0; i < 3; ++i) {
                char what[100];
                snprintf(what, sizeof what, "c = 1/2, complementarity: speed of ball %d", i + 1);
                carom_gallery_result_near(result, what, "m/s", lcp[i], v[0][i], 1e-9);
                snprintf(what, sizeof what, "c = 1/2, mixed impulses: speed of ball %d", i + 1);
                carom_gallery_result_near(result, what, "m/s", convex[i], v[1][i], 1e-9);
            }
    }
    carom_plot_series series[] = {
        { "complementarity (eq 19)", c, kept[0], POINTS, CAROM_PLOT_LINE, NULL, NULL, 2 },
        { "mixed impulses (eq 24)", c, kept[1], POINTS, CAROM_PLOT_LINE, NULL, "6 3", 2 },
    };
    carom_plot plot = { .title = "Balls at 1, 0 and 0.6 m/s: energy kept",
                        .x = { "restitution", "", 0, 1, false, 0 },
                        .y = { "energy after over energy before", "", 0.6, 1.02, false, 0 },
                        .series = series,
                        .count = 2 };
    carom_gallery_result_plots(result, &plot, 1, 1,
                               "Energy kept by the two readings of restitution with QCE.");
    carom_gallery_result_holds(result, one,
                               "both readings give QCE at c = 1 and the inelastic result "
                               "at c = 0");
    carom_gallery_result_holds(result, ordered,
                               "energy never grows: complementarity <= mixed impulses <= before");
    carom_gallery_result_refutes(result, apart > 0.01,
                                 "appendix: the mixed impulses solve the complementarity problem "
                                 "(eq 24); the two differ by up to %.4f m/s here",
                                 apart);
    return CAROM_OK;
}
