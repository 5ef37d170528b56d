// Length equations as a penalty [Collapse, 8.4]: the limit is Gauss's principle, reached as 1/M;
// and a solver that stops early [footnote 3] keeps the symmetry of what it is given.
#include "carom/tower.h"
#include "support/check.h"
#include <math.h>
#include <stdio.h>

static carom_error err;

static carom_tower *load(const char *name)
{
    carom_tower *tower = NULL;
    char path[300];
    snprintf(path, sizeof path, "%s/scenes/tower/%s.json", CAROM_SOURCE_DIR, name);
    CHECK(carom_tower_file_load(path, &tower, &err) == CAROM_OK, "%s: %s", name, err.what);
    return tower;
}

static double error_at(const carom_tower *tower, double penalty, double *stretch)
{
    carom_tower_instant rigid, soft;
    double worst = 0;
    CHECK(carom_tower_initial(tower, CAROM_TOWER_AUTO, &rigid, &err) == CAROM_OK, "%s", err.what);
    CHECK(carom_tower_penalty_initial(tower, penalty, &soft, stretch, &err) == CAROM_OK, "%s",
          err.what);
    CHECK(rigid.bodies == soft.bodies, "accelerations are those of the bricks");
    for (int n = 0; n < 3 * rigid.bodies && n < 3 * soft.bodies; ++n)
        worst = fmax(worst, fabs(rigid.accelerations[n] - soft.accelerations[n]));
    carom_tower_initial_free(&rigid);
    carom_tower_initial_free(&soft);
    return worst;
}

// The constraint is met up to force / (M |e|^2): first order in 1/M, exactly in the limit.
static void check_limit(const char *name)
{
    carom_tower *tower = load(name);
    double stretch[2], coarse = error_at(tower, 1e7, &stretch[0]),
                       fine = error_at(tower, 1e9, &stretch[1]);
    CHECK_NEAR(log10(coarse / fine) / 2, 1, 0.02, "%s: order in 1/M (%.1e, %.1e)", name, coarse,
               fine);
    CHECK_NEAR(log10(stretch[0] / stretch[1]) / 2, 1, 0.02, "%s: so do the bars", name);
    CHECK_MOST(fine, 1e-5, "%s: at M = 10^9", name);
    carom_tower_destroy(tower);
}

// Closed form: a brick of four corner masses m, height h, stands on the ground. The bracket of an
// upright bar is h times the acceleration a of its upper end, so m (a + g) = -M h^2 a: each column
// sags with g m / (m + M h^2). The diagonal joins in no more than round-off: its bracket vanishes
// by a sideways slip of the top, whose inertia is of higher order. Half the mass sags.
static void check_column(void)
{
    carom_tower *tower = carom_tower_create(1);
    carom_tower_body brick = { .width = 1, .height = 0.25, .y = 0.125, .mass = 1 };
    brick.spread = CAROM_TOWER_CORNERS;
    carom_tower_add_body(tower, &brick, NULL, &err);
    carom_tower_add_ground(tower, (double[]){ 0, 0 }, (double[]){ 0, 1 }, &err);
    carom_tower_instant soft;
    const double M = 1e8, m = 0.25, h = 0.25;
    CHECK(carom_tower_penalty_initial(tower, M, &soft, NULL, &err) == CAROM_OK, "%s", err.what);
    CHECK_NEAR(soft.accelerations[1], -0.5 * m / (m + M * h * h), 1e-4 * m / (M * h * h),
               "a standing brick sags as its columns give");
    CHECK_NEAR(soft.support_force, 1, 1e-6, "and is carried");
    carom_tower_initial_free(&soft);
    carom_tower_destroy(tower);
}

static void check_recording(void)
{
    carom_tower *tower = load("triangle3");
    double size[2];
    for (int n = 0; n < 2; ++n) {
        carom_tower_recording recording;
        carom_tower_motion_options options = carom_tower_motion_default();
        options.penalty = 100;
        options.variant = CAROM_TOWER_PROJECTED;
        options.dt = n ? 1.0 / 256 : 1.0 / 128;
        CHECK(carom_tower_record(tower, &options, n ? 200 : 100, 100, &recording, &err) == CAROM_OK,
              "%s", err.what);
        CHECK(recording.bodies == 6, "a film of bricks, not of points");
        CHECK_NEAR(recording.place[0], 0, 1e-12, "the first brick stands in the middle");
        CHECK_NEAR(recording.place[1], 0.125, 1e-12, "on the ground");
        size[n] = recording.audit.size_error;
        carom_tower_recording_free(&recording);
    }
    CHECK_NEAR(log2(size[0] / size[1]), 2, 0.05, "lengths err by dt^2 / M: %.2e, %.2e", size[0],
               size[1]);
    carom_tower_destroy(tower);
}

// An interior point's path is as symmetric as its problem: stopped anywhere, the two halves of the
// tower mirror each other to what 300 steps make of round-off.
static void check_early_stop(void)
{
    static const double tolerances[3] = { 1e-6, 1e-3, 1e-1 };
    carom_tower *tower = load("diamond5_corners");
    for (int n = 0; n < 3; ++n) {
        carom_tower_recording recording;
        carom_tower_motion_options options = carom_tower_motion_default();
        options.ignore_symmetry = true;
        options.stop_early = tolerances[n];
        CHECK(carom_tower_record(tower, &options, 300, 300, &recording, &err) == CAROM_OK, "%s",
              err.what);
        const double *end =
            recording.place + 3 * (size_t)(recording.frames - 1) * (size_t)recording.bodies;
        CHECK_MOST(fabs(end[3 * 10] + end[3 * 14]), 1e-9, "stopped at %g: wing tips mirror",
                   tolerances[n]);
        CHECK(recording.audit.kkt > 1e-13, "the solver did stop early (residual %.1e)",
              recording.audit.kkt);
        CHECK(end[3 * 10 + 1] < 1, "and the wing has fallen");
        carom_tower_recording_free(&recording);
    }
    carom_tower_destroy(tower);
}

static void check_refusals(void)
{
    static const double triangle[6] = { 0, 0, 1, 0, 0, 1 };
    carom_tower *tower = carom_tower_create(1);
    carom_tower_body body = { .corners = triangle, .corner_count = 3 };
    carom_tower_instant soft;
    carom_tower_add_body(tower, &body, NULL, &err);
    CHECK(carom_tower_penalty_initial(tower, 100, &soft, NULL, &err) == CAROM_UNSUPPORTED &&
              err.fix[0],
          "a triangle is refused: %s", err.what);
    CHECK(carom_tower_penalty_initial(tower, NAN, &soft, NULL, &err) == CAROM_BAD_INPUT,
          "so is a factor that is no number: %s", err.what);
    carom_tower_destroy(tower);
}

int main(void)
{
    check_limit("diamond5");
    check_limit("diamond5_corners");
    check_limit("tipping");
    check_column();
    check_recording();
    check_early_stop();
    check_refusals();
    return check_report();
}
