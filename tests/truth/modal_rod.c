// A capsule rod falling on a plane at every angle [Bounce, figure 3], through our own modes.
#include "carom/bounce.h"
#include "carom/modal.h"
#include "modal_reference.h"
#include "support/check.h"
#include "support/solids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846, RADIUS = 0.005, HALF = 0.095;
static const carom_modal_material STUFF = { 7e10, 0.3, 2000 };

// Contacts under the lower end when the axis (z) is inclined by `first`, `first + step`, ..
// degrees, seen by the first m modes.
static void fall(const carom_modes *modes, int m, const double angles[2], int count,
                 carom_bounce_result *results)
{
    double *a = malloc((size_t)count * 140 * sizeof *a), all[160], w[128];
    carom_error err = { 0 };
    for (int i = 0; i < count; ++i) {
        double turn = (angles[0] + i * angles[1]) * PI / 180;
        double normal[3] = { cos(turn), 0, sin(turn) };
        double point[3] = { RADIUS * normal[0], 0, HALF + RADIUS * normal[2] };
        CHECK(carom_modal_participation(modes, point, normal, all, &w[i], &err) == CAROM_OK, "%s",
              err.what);
        memcpy(a + (size_t)i * (size_t)m, all, (size_t)m * sizeof *a);
    }
    carom_bounce_batch batch = { m, count, carom_modal_about(modes)->omega, w, a, 1 };
    carom_bounce_options options = carom_bounce_options_default();
    options.turn = 0.05; // within 1e-4 of the exact solver
    CHECK(carom_bounce_many(&batch, &options, results, &err) == CAROM_OK, "%s", err.what);
    free(a);
}

static double mean_error(const carom_bounce_result *found, const double *wanted)
{
    double sum = 0;
    for (int i = 0; i < 37; ++i)
        sum += fabs(found[i].epsilon - wanted[i]) / 37;
    return sum;
}

static void dip(const carom_modes *modes)
{
    static carom_bounce_result result[121];
    double min = 1, where = 0, about[2] = { 0, 2 };
    fall(modes, 140, (double[2]){ 68, 0.05 }, 121, result);
    for (int i = 0; i <= 120; ++i) {
        where = result[i].epsilon < min ? 68 + 0.05 * i : where;
        min = fmin(min, result[i].epsilon);
    }
    CHECK_NEAR(where, 70.85, 0.4, "where epsilon dips");
    CHECK_NEAR(min, 0.15, 0.03, "how deep");
    about[0] = where - 1;
    fall(modes, 140, about, 2, result);
    CHECK(result[0].tau > 6 * result[1].tau, "contact ends sooner beyond the dip");
}

int main(void)
{
    carom_shape *capsule = NULL, *mesh = NULL;
    carom_error err = { 0 };
    carom_modal_options options = carom_modal_options_default();
    carom_bounce_result result[37];
    options.modes = 140;
    options.threads = 1;
    options.cell = 0.00334; // three cells across: what 45 modes get by themselves
    CHECK(carom_capsule_create(RADIUS, HALF, &capsule, &err) == CAROM_OK, "%s", err.what);
    CHECK(carom_mesh_from(capsule, 128, &mesh, &err) == CAROM_OK, "%s", err.what);
    carom_modes *modes = solids_modes(mesh, &STUFF, &options);
    const carom_modal_info *info = carom_modal_about(modes);
    double worst = 0, plateau = 0;
    for (int i = 0; i < 46; ++i)
        worst = fmax(worst, fabs(info->omega[i] / (2 * PI * ROD_FREQUENCY[i]) - 1));
    CHECK_MOST(worst, 0.005, "frequencies of the rod");
    CHECK_MOST(info->mass_error, 0.005, "mass of the rod in the cells");
    CHECK_MOST(info->inertia_error, 0.005, "inertia of the rod in the cells");
    fall(modes, 46, (double[2]){ 0, 2.5 }, 37, result);
    // 0.1 % of frequency is worth 3e-3 of epsilon on average
    CHECK_MOST(mean_error(result, ROD_EPSILON_46), 0.01, "epsilon over all angles, 46 modes");
    fall(modes, 140, (double[2]){ 0, 2.5 }, 37, result);
    CHECK_MOST(mean_error(result, ROD_EPSILON_140), 0.015, "epsilon over all angles, 140 modes");
    for (int i = 0; i <= 16; ++i)
        plateau += result[i].epsilon / 17;
    CHECK_NEAR(plateau, 0.66, 0.02, "plateau below 40 degrees");
    CHECK_NEAR(result[36].epsilon, 0.977, 0.006, "end on");
    dip(modes);
    carom_modal_destroy(modes);
    carom_shape_release(capsule);
    carom_shape_release(mesh);
    return check_report();
}
