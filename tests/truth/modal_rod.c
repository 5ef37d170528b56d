// A capsule rod falling on a plane at every angle [Bounce, figure 3], through our own modes.
#include "carom/bounce.h"
#include "carom/modal.h"
#include "modal_reference.h"
#include "support/check.h"
#include "support/solids.h"

#include <math.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846, RADIUS = .005, HALF = .095;
static const carom_modal_material STUFF = { 7e10, .3, 2000 };

// The contact under the lower end when the axis (z) is inclined by `degrees`.
static carom_bounce_result fall(const carom_modes *modes, double degrees)
{
    int m = carom_modal_about(modes)->mode_count;
    double a[256], w, turn = degrees * PI / 180;
    double normal[3] = { cos(turn), 0, sin(turn) };
    double point[3] = { RADIUS * normal[0], 0, HALF + RADIUS * normal[2] };
    carom_error err = { 0 };
    carom_bounce_result result = { 0 };
    CHECK(carom_modal_participation(modes, point, normal, a, &w, &err) == CAROM_OK, "%s", err.what);
    carom_bounce_case one = { w, m, a, carom_modal_about(modes)->omega };
    carom_bounce_options options = carom_bounce_options_default();
    CHECK(carom_bounce_exact(&one, &options, &result, &err) == CAROM_OK, "%s", err.what);
    return result;
}

static carom_modes *rod_modes(int count)
{
    carom_shape *capsule = NULL, *mesh = NULL;
    carom_error err = { 0 };
    carom_modal_options options = carom_modal_options_default();
    options.modes = count;
    CHECK(carom_capsule_create(RADIUS, HALF, &capsule, &err) == CAROM_OK, "%s", err.what);
    CHECK(carom_mesh_from(capsule, 128, &mesh, &err) == CAROM_OK, "%s", err.what);
    carom_modes *modes = solids_modes(mesh, &STUFF, &options);
    carom_shape_release(capsule);
    carom_shape_release(mesh);
    return modes;
}

static void forty_six(void)
{
    carom_modes *modes = rod_modes(45);
    const carom_modal_info *info = carom_modal_about(modes);
    double worst = 0, sum = 0;
    CHECK(info->mode_count == 46, "45 would split a pair: 46 are kept");
    CHECK(info->warning_count == 1, "and a sentence says so");
    for (int i = 0; i < 46; ++i)
        worst = fmax(worst, fabs(info->omega[i] / (2 * PI * ROD_FREQUENCY[i]) - 1));
    CHECK_MOST(worst, .005, "frequencies of the rod");
    CHECK_MOST(info->mass_error, .005, "mass of the rod in the cells");
    for (int i = 0; i < 37; ++i)
        sum += fabs(fall(modes, 2.5 * i).epsilon - ROD_EPSILON_46[i]) / 37;
    // .1 % of frequency is worth 3e-3 of epsilon on average
    CHECK_MOST(sum, .01, "epsilon of the rod over all angles, 46 modes");
    carom_modal_destroy(modes);
}

static void hundred_and_forty(void)
{
    carom_modes *modes = rod_modes(140);
    double plateau = 0, least = 1, dip = 0, sum = 0;
    for (int i = 0; i <= 16; ++i)
        plateau += fall(modes, 2.5 * i).epsilon / 17;
    for (int i = 0; i <= 120; ++i) {
        double degrees = 68 + .05 * i, epsilon = fall(modes, degrees).epsilon;
        dip = epsilon < least ? degrees : dip;
        least = fmin(least, epsilon);
    }
    for (int i = 0; i < 37; ++i)
        sum += fabs(fall(modes, 2.5 * i).epsilon - ROD_EPSILON_140[i]) / 37;
    CHECK_NEAR(plateau, .66, .02, "plateau below 40 degrees");
    CHECK_NEAR(dip, 70.85, .4, "where epsilon dips");
    CHECK_NEAR(least, .15, .03, "how deep");
    CHECK_NEAR(fall(modes, 90).epsilon, .977, .006, "end on");
    CHECK(fall(modes, dip - 1).tau > 6 * fall(modes, dip + 1).tau, "contact ends sooner beyond");
    CHECK_MOST(sum, .015, "epsilon of the rod over all angles, 140 modes");
    carom_modal_destroy(modes);
}

int main(void)
{
    forty_six();
    hundred_and_forty();
    return check_report();
}
