// Section 8.4 of [Collapse]: length equations as a penalty, compared with the equations.
#include "gallery/gallery_tower.h"

#include <math.h>
#include <stdio.h>

enum { FACTORS = 8 };

static double apart(const carom_tower_instant *a, const carom_tower_instant *b)
{
    double worst = 0;
    for (int n = 0; n < 3 * a->bodies && a->bodies == b->bodies; ++n)
        worst = fmax(worst, fabs(a->accelerations[n] - b->accelerations[n]));
    return worst;
}

// Largest error of an acceleration at the first instant, for M = 10^2 to 10^9.
static carom_status first_instant(carom_gallery_result *result, const char *scene, double *error,
                                  double *stretch, carom_error *err)
{
    carom_tower *tower = NULL;
    carom_tower_instant rigid = { 0 };
    carom_status status = carom_gallery_tower_load(result, scene, &tower, err);
    if (status == CAROM_OK)
        status = carom_tower_initial(tower, CAROM_TOWER_AUTO, &rigid, err);
    double factor = 100;
    for (int n = 0; n < FACTORS && status == CAROM_OK; ++n, factor *= 10) {
        carom_tower_instant soft = { 0 };
        status = carom_tower_penalty_initial(tower, factor, &soft, &stretch[n], err);
        if (status == CAROM_OK)
            error[n] = apart(&rigid, &soft);
        carom_tower_initial_free(&soft);
    }
    carom_tower_initial_free(&rigid);
    carom_tower_destroy(tower);
    return status;
}

// Largest relative change of a bar's length in a film of the falling triangle.
static carom_status recording(carom_gallery_result *result, double factor, double dt, double *size,
                              carom_error *err)
{
    carom_tower *tower = NULL;
    carom_tower_recording recording = { 0 };
    carom_tower_motion_options options = carom_tower_motion_default();
    options.penalty = factor;
    options.variant = CAROM_TOWER_PROJECTED;
    options.dt = dt;
    carom_status status = carom_gallery_tower_load(result, "tower/triangle3.json", &tower, err);
    if (status == CAROM_OK)
        status =
            carom_tower_record(tower, &options, (long)(0.75 / dt + 0.5), 1 << 20, &recording, err);
    *size = recording.audit.size_error;
    carom_tower_recording_free(&recording);
    carom_tower_destroy(tower);
    return status;
}

carom_status carom_gallery_tower_penalty(carom_gallery_result *result, carom_error *err)
{
    static const char *const names[2] = { "9 points", "corner masses" };
    static const char *const scenes[2] = { "tower/diamond5.json", "tower/diamond5_corners.json" };
    double factor[FACTORS], error[2][FACTORS], stretch[2][FACTORS];
    for (int n = 0; n < FACTORS; ++n)
        factor[n] = n ? 10 * factor[n - 1] : 100;
    carom_plot_series series[2];
    for (int k = 0; k < 2; ++k) {
        char what[120];
        TRY(first_instant(result, scenes[k], error[k], stretch[k], err));
        snprintf(what, sizeof what, "%s: order of the error in 1/M, from 10^7 to 10^9", names[k]);
        carom_gallery_result_near(result, what, "", 1,
                                  log10(error[k][FACTORS - 3] / error[k][FACTORS - 1]) / 2, 0.05);
        snprintf(what, sizeof what, "%s, M = 10^9: largest error of an acceleration", names[k]);
        carom_gallery_result_at_most(result, what, "g", error[k][FACTORS - 1], 1e-5);
        snprintf(what, sizeof what, "%s, M = 100: largest error of an acceleration", names[k]);
        carom_gallery_result_number(result, what, "g", NAN, error[k][0]);
        series[k] = (carom_plot_series){ names[k],        factor, error[k], FACTORS,
                                         CAROM_PLOT_LINE, NULL,   NULL,     2 };
    }
    carom_plot plot = { .title =
                            "First instant of the 5 x 5 tower: penalty against Gauss's principle",
                        .x = { "penalty factor M", "", 50, 4e9, true, 0 },
                        .y = { "largest error of an acceleration", "g", 0, 0, true, 0 },
                        .series = series,
                        .count = 2 };
    carom_gallery_result_plots(
        result, &plot, 1, 1,
        "The error of the accelerations falls as 1/M once the bars carry the "
        "tower; below some 10^4 they do not, and the bricks start to fall as "
        "loose points.");
    double size[3], fine;
    static const double tried[3] = { 100, 1e4, 1e6 };
    for (int n = 0; n < 3; ++n) {
        char what[80];
        TRY(recording(result, tried[n], 1.0 / 128, &size[n], err));
        snprintf(what, sizeof what, "film, M = %g: largest change of a length", tried[n]);
        if (n)
            carom_gallery_result_number(result, what, "", NAN, size[n]);
        else
            carom_gallery_result_at_most(result, what, "", size[n], 1e-3);
    }
    TRY(recording(result, 100, 1.0 / 512, &fine, err));
    carom_gallery_result_near(result, "M = 100: order of the change of length in the step", "", 2,
                              log2(size[0] / fine) / 2, 0.1);
    carom_gallery_result_note(result,
                              "In a film a bar acts as a spring of stiffness M L^2 / dt^2 that "
                              "is stepped implicitly: after a few steps it carries its load at a "
                              "stretch of force times dt^2 / (M L^2), so M = 100 looks rigid, "
                              "although the accelerations of its first step are wrong. Beyond "
                              "M = 10^4 what is left is the bias of (L'') itself.");
    return CAROM_OK;
}
