// The entries of [Collapse]; here towers that stand and start to fall: figures 1, 2, 6 and 7, and
// theorem 5.1.
//
// Units as in the paper's pictures: bricks 1 x 1/4 with mass 1, gravity 1, no friction.
#include "gallery/gallery_tower.h"

#include <stdio.h>
#include <string.h>

carom_status carom_gallery_tower_load(const carom_gallery_result *result, const char *scene,
                                      carom_tower **out, carom_error *err)
{
    char path[4200];
    return carom_tower_file_load(carom_gallery_result_scene(result, scene, path, sizeof path), out,
                                 err);
}

carom_status carom_gallery_tower_picture(carom_gallery_result *result, const carom_tower *tower,
                                         const carom_tower_recording *recording,
                                         const char *caption, carom_error *err)
{
    carom_tower_instant instant = { 0 };
    char *svg = NULL;
    carom_status status = carom_tower_initial(tower, CAROM_TOWER_AUTO, &instant, err);
    if (status == CAROM_OK)
        status =
            carom_tower_picture_svg(tower, &instant, recording, result->entry->title, &svg, err);
    if (status == CAROM_OK)
        status = carom_gallery_result_take(result, svg, caption, err);
    carom_tower_initial_free(&instant);
    return status;
}

static carom_status stable(const char *spec, bool *out, double *sum, carom_error *err)
{
    carom_tower *tower = NULL;
    carom_tower_instant instant = { 0 };
    TRY(carom_tower_build(spec, &tower, err));
    carom_status status = carom_tower_initial(tower, CAROM_TOWER_AUTO, &instant, err);
    *out = instant.stable;
    if (sum)
        *sum = instant.sum_m_a2;
    carom_tower_initial_free(&instant);
    carom_tower_destroy(tower);
    return status;
}

// -- figures 1 and 2 ----------------------------------------------------------------------------

static carom_status overhang(carom_gallery_result *result, carom_error *err)
{
    static const double known[4] = { 0.5, 0.75, 1, 1.1678932188134525 }; // (15 - 4 sqrt 2) / 8
    carom_tower *tower = NULL;
    TRY(carom_gallery_tower_load(result, "tower/harmonic5.json", &tower, err));
    carom_status status =
        carom_gallery_tower_picture(result, tower, NULL,
                                    "Five bricks, each as far over the next as balance allows; the "
                                    "width of a line is the force.",
                                    err);
    carom_tower_destroy(tower);
    TRY(status);
    double harmonic[10], sum = 0, x[10];
    for (int n = 1; n <= 10; ++n) {
        sum += 0.5 / n;
        x[n - 1] = n;
        harmonic[n - 1] = sum;
        if (n != 2 && n != 5 && n != 10)
            continue;
        char spec[40], what[120];
        bool below, beyond;
        snprintf(spec, sizeof spec, "harmonic:%d,-1e-6", n);
        TRY(stable(spec, &below, NULL, err));
        snprintf(spec, sizeof spec, "harmonic:%d,1e-6", n);
        TRY(stable(spec, &beyond, NULL, err));
        snprintf(what, sizeof what,
                 "%d bricks one on another: stable a millionth below %.6f "
                 "brick lengths, unstable a millionth beyond",
                 n, sum);
        carom_gallery_result_holds(result, below && !beyond, "%s", what);
    }
    double best[4];
    for (int n = 1; n <= (result->quick ? 3 : 4); ++n) {
        carom_tower_overhang found;
        char what[100];
        TRY(carom_tower_overhang_search(n, 8, 1, &found, err));
        best[n - 1] = found.reach;
        snprintf(what, sizeof what, "%d bricks, searched: largest overhang, proved stable", n);
        carom_gallery_result_near(result, what, "bricks", known[n - 1],
                                  found.proved ? found.reach : 0, 1e-5);
    }
    carom_plot_series series[] = {
        { "one on another", x, harmonic, 10, CAROM_PLOT_LINE, "s0", NULL, 2 },
        { "any stack, searched", x, best, result->quick ? 3 : 4, CAROM_PLOT_DOTS, "s1", NULL, 4 },
    };
    carom_plot plot = { .title = "How far bricks reach over an edge",
                        .x = { "bricks", "number", 0, 10.5, false, 0 },
                        .y = { "overhang", "brick lengths", 0, 1.6, false, 0 },
                        .series = series,
                        .count = 2 };
    carom_gallery_result_plots(result, &plot, 1, 1,
                               "Overhang of one brick on another, and of the best stacks of up to "
                               "four.");
    if (result->quick)
        carom_gallery_result_smaller(result, "stacks of up to 3 bricks are searched; 4 in full.");
    return CAROM_OK;
}

static carom_status unstable(carom_gallery_result *result, carom_error *err)
{
    carom_tower *tower = NULL;
    carom_tower_proof proof = { 0 };
    TRY(carom_gallery_tower_load(result, "tower/diamond5.json", &tower, err));
    carom_status status =
        carom_gallery_tower_picture(result, tower, NULL,
                                    "The 5 x 5 tower, the forces of the first instant, and dashed "
                                    "how it starts to fall.",
                                    err);
    if (status == CAROM_OK)
        status = carom_tower_prove(tower, &proof, err);
    if (status == CAROM_OK) {
        carom_gallery_result_holds(result, !proof.stable,
                                   "5 x 5 is unstable, proved in exact rational arithmetic");
        carom_gallery_result_holds(result, strcmp(proof.sum_m_a2, "216/989") == 0,
                                   "sum of m a^2 at the first instant is exactly %.40s (reference "
                                   "216/989)",
                                   proof.sum_m_a2);
        carom_gallery_result_note(result,
                                  "The forces and the motion are exact; the certificate has "
                                  "numbers of %d bits.",
                                  proof.bits);
    }
    carom_tower_prove_free(&proof);
    carom_tower_destroy(tower);
    for (int n = 2; n <= 4 && status == CAROM_OK; ++n) {
        char spec[20];
        bool stands;
        snprintf(spec, sizeof spec, "diamond:%d", n);
        status = stable(spec, &stands, NULL, err);
        if (status == CAROM_OK)
            carom_gallery_result_holds(result, stands, "%d x %d stands", n, n);
    }
    return status;
}

// -- figures 6 and 7, theorem 5.1 ---------------------------------------------------------------

typedef struct state {
    double place[25][3];
    carom_tower_audit audit;
} state;

static carom_status advance(const carom_tower *tower, carom_tower_motion_options options,
                            const double (*velocity)[3], int steps, state *out, carom_error *err)
{
    carom_tower_motion *motion = NULL;
    TRY(carom_tower_motion_create(tower, &options, &motion, err));
    int bodies = carom_tower_bodies(tower);
    carom_status status = CAROM_OK;
    for (int b = 0; velocity && b < bodies && status == CAROM_OK; ++b)
        status = carom_tower_motion_set_velocity(motion, b, velocity[b], err);
    for (int n = 0; n < steps && status == CAROM_OK; ++n)
        status = carom_tower_motion_step(motion, NULL, err);
    for (int b = 0; b < bodies && b < 25; ++b)
        carom_tower_motion_place(motion, b, out->place[b]);
    out->audit = carom_tower_motion_audit(motion);
    carom_tower_motion_destroy(motion);
    return status;
}

static double apart(const state *a, const state *b, int bodies)
{
    double worst = 0;
    for (int i = 0; i < bodies; ++i)
        for (int k = 0; k < 3; ++k)
            worst = fmax(worst, fabs(a->place[i][k] - b->place[i][k]));
    return worst;
}

enum { DRIFTS = 40 };

// The length of a pendulum's rod over time, by the loop of figure 6, (L'), and ours.
static carom_status drift(const carom_tower *tower, carom_tower_motion_options options,
                          double *time, double *error, carom_error *err)
{
    int steps = (int)(0.25 / options.dt + 0.5); // between two looks
    carom_tower_motion *motion = NULL;
    TRY(carom_tower_motion_create(tower, &options, &motion, err));
    carom_status status = CAROM_OK;
    for (int n = 0; n < DRIFTS && status == CAROM_OK; ++n) {
        for (int k = 0; k < steps && status == CAROM_OK; ++k)
            status = carom_tower_motion_step(motion, NULL, err);
        double p[3];
        carom_tower_motion_place(motion, 0, p);
        time[n] = (n + 1) * 0.25;
        error[n] = 100 * (sqrt(p[0] * p[0] + p[1] * p[1]) - 1);
    }
    carom_tower_motion_destroy(motion);
    return status;
}

static carom_status loops(carom_gallery_result *result, carom_error *err)
{
    static const char *const names[] = { "figure 6, accelerations", "figure 7 with (L')",
                                         "figure 7 with (L'')", "as used here" };
    carom_tower *tower = NULL;
    double time[DRIFTS], error[4][DRIFTS], half[DRIFTS];
    carom_tower_motion_options options[4], halved;
    TRY(carom_gallery_tower_load(result, "tower/pendulum.json", &tower, err));
    for (int k = 0; k < 4; ++k) {
        options[k] = carom_tower_motion_default();
        options[k].dt = 0.01;
    }
    options[0].acceleration = options[0].plain_start = options[1].plain_start = true;
    options[1].variant = CAROM_TOWER_LITERAL;
    options[1].sidedness = 2;
    options[2].variant = CAROM_TOWER_PROJECTED;
    options[3].variant = CAROM_TOWER_SECOND;
    carom_status status = CAROM_OK;
    for (int k = 0; k < 4 && status == CAROM_OK; ++k)
        status = drift(tower, options[k], time, error[k], err);
    halved = options[0];
    halved.dt = 0.005;
    if (status == CAROM_OK)
        status = drift(tower, halved, time, half, err);
    carom_tower_destroy(tower);
    TRY(status);
    carom_plot_series series[4];
    for (int k = 0; k < 4; ++k)
        series[k] =
            (carom_plot_series){ names[k], time, error[k], DRIFTS, CAROM_PLOT_LINE, NULL, NULL, 2 };
    carom_plot plot = { .title = "Length of a rod of the double pendulum, step 0.01",
                        .x = { "time", "brick units", 0, 0, false, 0 },
                        .y = { "change of length", "%", 0, 0, false, 0 },
                        .series = series,
                        .count = 4 };
    carom_gallery_result_plots(result, &plot, 1, 1,
                               "What becomes of a rod without corrections, by both loops.");
    int last = DRIFTS - 1;
    bool six = result->entry->id[13] == '6';
    if (six) {
        carom_gallery_result_number(result, "figure 6: the rod's change of length after t = 10",
                                    "%", NAN, error[0][last]);
        carom_gallery_result_number(result, "the same with half the step", "%", NAN, half[last]);
        carom_gallery_result_near(result, "order of the drift in the step", "", 1,
                                  log2(fabs(error[0][last] / half[last])), 0.25);
        carom_gallery_result_holds(
            result, fabs(error[3][last]) < fabs(half[last]),
            "lengths of second order drift less than figure 6 does with half "
            "the step (%.1e %%)",
            fabs(error[3][last]));
    } else {
        carom_gallery_result_at_most(result, "figure 7 with (L''): largest change of length", "%",
                                     fabs(error[2][last]), 0.1);
        carom_gallery_result_at_most(result, "second-order lengths: largest change of length", "%",
                                     fabs(error[3][last]), 0.01);
        carom_gallery_result_refutes(result, fabs(error[1][last]) > 0.1,
                                     "section 5: the loop of figure 7 needs no corrections; with "
                                     "(L') as printed there the rod changes by %.2f %%, with (L'') "
                                     "of section 8.3 it does not",
                                     error[1][last]);
    }
    return CAROM_OK;
}

static carom_status theorem_5_1(carom_gallery_result *result, carom_error *err)
{
    static const double spin[1][3] = { { 0.3 + 0.125 * 0.5, -0.05, -0.5 } };
    static const double swing[2][3] = { { 0.8, 0.6, 0 }, { 0.8 + 0.3, 0.6 + 0.4, 0 } };
    static const struct {
        const char *scene, *words;
        const double (*velocity)[3];
    } cases[3] = {
        { "tower/diamond5.json", "5 x 5 tower from rest", NULL },
        { "tower/tipping.json", "a brick that slides and turns over an edge", spin },
        { "tower/pendulum.json", "a double pendulum in motion", swing },
    };
    carom_tower_motion_options six = carom_tower_motion_default(), seven;
    six.dt = 0.01;
    six.plain_start = true;
    seven = six;
    six.acceleration = true;
    seven.variant = CAROM_TOWER_LITERAL;
    seven.sidedness = 2;
    double x[3] = { 1, 2, 3 }, found[3];
    for (int k = 0; k < 3; ++k) {
        carom_tower *tower = NULL;
        state a, b;
        TRY(carom_gallery_tower_load(result, cases[k].scene, &tower, err));
        carom_status status = advance(tower, six, cases[k].velocity, 1, &a, err);
        if (status == CAROM_OK)
            status = advance(tower, seven, cases[k].velocity, 1, &b, err);
        found[k] = fmax(apart(&a, &b, carom_tower_bodies(tower)), 1e-18);
        carom_tower_destroy(tower);
        TRY(status);
        char what[140];
        snprintf(what, sizeof what, "%s: largest distance of the two algorithms after a step",
                 cases[k].words);
        carom_gallery_result_at_most(result, what, "brick lengths", found[k], 1e-14);
    }
    // the identity of section 6: displacements d = v dt, so A(d) = A(v) dt^2, not dt^3
    static const double v[3][2] = { { 0.3, -0.1 }, { 0.2, 0.5 }, { -0.4, 0.1 } };
    double areas[2];
    for (int n = 0; n < 2; ++n) {
        double dt = n ? 0.01 : 1, d[3][2];
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 2; ++k)
                d[i][k] = v[i][k] * dt;
        areas[n] =
            (d[1][0] - d[0][0]) * (d[2][1] - d[0][1]) - (d[1][1] - d[0][1]) * (d[2][0] - d[0][0]);
    }
    double power = log(areas[1] / areas[0]) / log(0.01);
    carom_gallery_result_number(result, "power of dt in A(d), printed as 3", "", 3, power);
    carom_gallery_result_refutes(result, fabs(power - 2) < 1e-9,
                                 "section 6: A of the displacements is A of the velocities times "
                                 "dt^3; it is dt^%.0f, so (S') must not divide by dt",
                                 power);
    carom_plot_series series[] = { { "distance", x, found, 3, CAROM_PLOT_BARS, "s0", NULL, 24 } };
    static const char *const ticks[] = { "tower", "brick", "pendulum", NULL };
    carom_plot plot = { .title = "Figures 6 and 7 after one step",
                        .names = ticks,
                        .x = { "scene", "", 0.5, 3.5, false, 0 },
                        .y = { "largest distance", "brick lengths", 1e-19, 1e-12, true, 0 },
                        .series = series,
                        .count = 1 };
    carom_gallery_result_plots(result, &plot, 1, 1,
                               "The two algorithms agree to round-off (none at all is drawn "
                               "as 1e-18).");
    return CAROM_OK;
}

// -- the list -----------------------------------------------------------------------------------

static const carom_gallery_entry entries[] = {
    { "collapse-fig-1",
      "Figure 1",
      "The overhang of a tower",
      "What overhang means: how far the bricks of a stable tower reach beyond the edge of the "
      "table.",
      "One brick on another: stable up to the harmonic sum and not beyond (a millionth to either "
      "side); the best stacks of up to four bricks reach the known optima (1e-5).",
      NULL,
      "carom tower --overhang 4 --svg overhang.svg",
      "tower/harmonic5.json",
      { 8, 1 },
      overhang,
      NULL },
    { "collapse-fig-2",
      "Figure 2",
      "A tower of 5 x 5 bricks, which is unstable",
      "A diamond of 25 bricks that cannot stand; the question is how it starts to fall.",
      "Unstable by exact arithmetic with the reference's sum of m a^2, while 2 x 2 to 4 x 4 stand.",
      NULL,
      "carom tower scenes/tower/diamond5.json --prove --svg diamond5.svg",
      "tower/diamond5.json",
      { 0.5, 0.5 },
      unstable,
      NULL },
    { "collapse-fig-4",
      "Figure 4",
      "A brick made of rigid bars",
      "A rectangle as four point masses with bars along the sides and one diagonal.",
      "The five bars are independent and make it rigid (rank 5), and the framework answers as a "
      "rigid brick with its mass in the corners (1e-12).",
      NULL,
      "carom tower scenes/tower/tipping.json",
      "tower/tipping.json",
      { 0.1, 0.1 },
      carom_gallery_tower_brick,
      NULL },
    { "collapse-fig-5",
      "Figure 5",
      "A corner must not enter another brick",
      "A signed area tells on which side of an edge a corner is; it must stay positive near the "
      "edge, but the corner may go around the end of the edge.",
      "The signs are as drawn, and a brick falls freely past the end of a table (1e-9).",
      NULL,
      "carom tower scenes/tower/parabolic3_edge.json",
      "tower/parabolic3_edge.json",
      { 0.1, 0.1 },
      carom_gallery_tower_sides,
      NULL },
    { "collapse-fig-6",
      "Figure 6",
      "The loop by accelerations",
      "The classical loop: accelerations from Gauss's principle, then velocities, then positions. "
      "The text says that lengths must be monitored and corrected.",
      "A step is right to second order in dt, as the text says: the rod of a pendulum drifts, and "
      "at "
      "a given time in proportion to dt (order 1 within 0.25). What is monitored does not drift.",
      NULL,
      "carom tower scenes/tower/pendulum.json --variant figure6 --steps 1000 --dt 0.01",
      "tower/pendulum.json",
      { 0.3, 0.3 },
      loops,
      NULL },
    { "collapse-fig-7",
      "Figure 7",
      "The loop by positions",
      "The paper's own loop: new positions in one optimisation, without velocities, and without "
      "corrections.",
      "With the lengths of section 8.3 a pendulum's rod keeps its length to 0.1 %, with ours to "
      "0.01 %.",
      "The length condition (L') as printed in figure 7 lets lengths drift: it holds for one step "
      "only if velocities fulfil the first-order condition exactly, which the step itself "
      "destroys. The condition (L'') of section 8.3 does not have this fault.",
      "carom tower scenes/tower/pendulum.json --variant literal --steps 1000 --dt 0.01",
      "tower/pendulum.json",
      { 0.3, 0.3 },
      loops,
      NULL },
    { "collapse-fig-8",
      "Figure 8",
      "The linear form of the sidedness condition",
      "For an edge that does not turn, the condition compares the parts of the motions across the "
      "old edge.",
      "The error of the linear condition is of second order (2 within 0.05).",
      NULL,
      "carom gallery --only collapse-fig-8 --out sidedness",
      "tower/tipping.json",
      { 0.1, 0.1 },
      carom_gallery_tower_linear,
      NULL },
    { "collapse-fig-10",
      "Figure 10",
      "Nine points for a homogeneous rectangle",
      "Masses at nine points such that all moments up to the second are those of the homogeneous "
      "rectangle; one of the bars is redundant.",
      "All six moments to 1e-15, 16 bars of rank 15, and the answer of a homogeneous brick "
      "(1e-12).",
      NULL,
      "carom tower scenes/tower/tipping.json",
      "tower/tipping.json",
      { 0.1, 0.1 },
      carom_gallery_tower_masses,
      NULL },
    { "collapse-fig-11",
      "Figure 11",
      "The collapse of 5 x 5 bricks",
      "A snapshot of the tower of figure 2 on its way down, after a simulation of 1000 steps that "
      "took five minutes. Each brick has its mass in the four corners (footnote 3).",
      "1000 steps with corner masses without overlap (1.6e-5), without gain of energy (1e-4), "
      "symmetric to the last bit, and exactly 144/869 for sum m a^2 at the start; with "
      "homogeneous bricks a wing on the ground at the reference's time.",
      NULL,
      "carom tower scenes/tower/diamond5_corners.json --steps 1000 --html 5x5.html",
      "tower/diamond5_corners.json tower/diamond5.json",
      { 0.5, 0.5 },
      carom_gallery_tower_snapshot,
      NULL },
    { "collapse-theorem-5-1",
      "Theorem 5.1",
      "Both loops give the same positions",
      "If the velocities fulfil the first-order length conditions, the loops of figures 6 and 7 "
      "end in the same positions.",
      "Three scenes, one step each: to 1e-14.",
      "The theorem holds with the right side -2 A(d). The derivation in section 6 prints dt^3 "
      "where the area of displacements has dt^2, and (S') therefore a division by dt that must "
      "not be there.",
      "carom tower scenes/tower/tipping.json --variant figure6 --plain-start --steps 1 --json",
      "tower/diamond5.json tower/tipping.json tower/pendulum.json",
      { 0.2, 0.2 },
      theorem_5_1,
      NULL },
    { "collapse-theorem-7-1",
      "Theorem 7.1",
      "Collisions come out inelastic",
      "Without forces the step by positions gives the velocities nearest to the old ones that "
      "respect all constraints: the totally inelastic impact.",
      "Head on, momentum decides (1e-9); off centre, velocities are those of the impact law "
      "`inelastic` and the loss is that of Carnot's theorem, to the size of a step (2e-3).",
      NULL,
      "carom gallery --only collapse-theorem-7-1 --out inelastic",
      "tower/wall.json",
      { 0.2, 0.2 },
      carom_gallery_tower_crash,
      NULL },
    { "collapse-section-8-4",
      "Section 8.4",
      "Lengths as a penalty",
      "Instead of length equations, which redundant bars make contradictory in floating point, a "
      "term M times the squared errors joins the objective; the authors took M = 100.",
      "Accelerations of the first instant tend to those of Gauss's principle as 1/M (order 1 "
      "within 0.05, for 9 points and for corner masses), and to 1e-5 at M = 10^9. A step bends "
      "bars "
      "in proportion to dt^2 (order 2 within 0.1). A film of M = 100 keeps lengths to 1e-3.",
      NULL,
      "carom tower scenes/tower/diamond5.json --penalty 100 --initial",
      "tower/diamond5.json tower/diamond5_corners.json tower/triangle3.json",
      { 2, 1 },
      carom_gallery_tower_penalty,
      NULL },
    { "collapse-outlook",
      "Section 1, outlook",
      "Towers in three dimensions",
      "The paper stays in the plane and calls the extension to three dimensions straightforward.",
      "The 5 x 5 tower, half a brick deep, has the accelerations of the plane; a block that tips "
      "over a column and a block over a corner have their closed forms; all to 1e-9.",
      NULL,
      "carom tower scenes/tower_space/diamond5.json --initial --prove",
      "tower_space/diamond5.json tower_space/tripod_tips.json tower/diamond5.json",
      { 0.3, 0.3 },
      carom_gallery_tower_space,
      NULL },
    { "collapse-footnote-3",
      "Footnote 3",
      "The asymmetric fall, made on purpose",
      "The symmetric tower falls asymmetrically in the paper's animation; the footnote blames a "
      "solver that stops early.",
      "With corner masses, M = 100 and the contact rule of section 8.5 the fall becomes asymmetric "
      "by more than 0.1 although the solver goes to round-off; with contacts at the ends of "
      "intervals it stays symmetric to 1e-6, wherever the solver is stopped.",
      "An early stop is neither needed nor enough. What breaks the symmetry is the rule of section "
      "8.5, which takes one of two equally good edges by the order of the list (and, with a "
      "penalty, the one diagonal of figure 4); a solver that stops early makes that worse, "
      "the more the earlier it stops, but its own errors are as symmetric as the rows it is given.",
      "carom tower scenes/tower/diamond5_corners.json --steps 1000 --all-corners --plain-start "
      "--ignore-symmetry --penalty 100 --html asymmetric.html",
      "tower/diamond5_corners.json",
      { 7, 4 },
      carom_gallery_tower_footnote,
      NULL },
};

const carom_gallery_paper carom_gallery_tower = { "Collapse", "Rote and Zwick, Collapse", entries,
                                                  sizeof entries / sizeof *entries };
