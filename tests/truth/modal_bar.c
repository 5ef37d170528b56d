// Modes of a cube and of a bar against independent numbers: lattice, oblique lattice, tetrahedra;
// and what they make of 72 contacts and of whole faces.
#include "carom/bounce.h"
#include "carom/modal.h"
#include "modal_reference.h"
#include "support/check.h"
#include "support/solids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;
static const carom_modal_material STUFF = { 7e10, 0.3, 2000 };
enum { BAR_MODES = 45 };

static void cube(void)
{
    double half[3] = { 0.5, 0.5, 0.5 };
    carom_modal_options options = carom_modal_options_default();
    options.modes = 14;
    carom_modal_material unit = { 2.6, 0.3, 1 };
    carom_shape *shape = solids_box(half, 0);
    carom_modes *modes = solids_modes(shape, &unit, &options);
    const carom_modal_info *info = carom_modal_about(modes);
    double worst = 0;
    for (int i = 0; i < 14; ++i)
        worst = fmax(worst, fabs(info->omega[i] / CUBE_OMEGA[i] - 1));
    // five cells a side for 14 modes: quadratic cells converge with h^4
    CHECK_MOST(worst, 0.002, "fourteen frequencies of a cube");
    CHECK_NEAR(info->omega[8] / (PI * sqrt(2)), 1, 0.002, "Lame's mode is pi sqrt 2");
    CHECK_MOST(info->mass_error, 1e-12, "a box along the axes has no cut cells: mass");
    carom_modal_destroy(modes);
    carom_shape_release(shape);
}

static void check_bar(const char *name, const carom_modes *modes, double low, double high)
{
    const carom_modal_info *info = carom_modal_about(modes);
    double worst = 0;
    CHECK(info->mode_count == BAR_MODES, "%s: 45 | 46 is a clean cut", name);
    for (int i = 0; i < 10; ++i)
        worst = fmax(worst, fabs(info->omega[i] / (2 * PI * BAR_FREQUENCY[i]) - 1));
    CHECK_MOST(worst, low, "%s: the first ten frequencies", name);
    CHECK_NEAR(info->omega[44] / (2 * PI * BAR_FREQUENCY[44]), 1, high, "%s: the last", name);
    CHECK_NEAR(info->mass, 0.04, 1e-12, "%s: mass", name);
    CHECK_MOST(info->mass_error, 0.005, "%s: mass in the cells", name);
    CHECK_MOST(info->inertia_error, 0.005, "%s: inertia in the cells", name);
}

static double epsilon_at(const carom_modes *modes, const double point[3], const double normal[3])
{
    double a[64], w;
    carom_error err = { 0 };
    CHECK(carom_modal_participation(modes, point, normal, a, &w, &err) == CAROM_OK, "%s", err.what);
    carom_bounce_batch one = {
        carom_modal_about(modes)->mode_count, 1, carom_modal_about(modes)->omega, &w, a, 1
    };
    carom_bounce_options options = carom_bounce_options_default();
    carom_bounce_result result = { 0 };
    options.turn = 0.05; // within 1e-4 of the exact solver
    CHECK(carom_bounce_many(&one, &options, &result, &err) == CAROM_OK, "%s", err.what);
    return result.epsilon;
}

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

// [Bounce] through our own modes at 72 points; `turn` as in solids_box.
static void contacts(const char *name, const carom_modes *modes, double turn)
{
    double error[72], sum = 0;
    for (int i = 0; i < 72; ++i) {
        double point[3], normal[3];
        solids_turn(BAR_POINT[i], turn, point);
        solids_turn(BAR_POINT[i] + 3, turn, normal);
        error[i] = fabs(epsilon_at(modes, point, normal) - BAR_POINT[i][6]);
        sum += error[i];
    }
    qsort(error, 72, sizeof *error, ascending);
    CHECK_MOST(sum / 72, 0.01, "%s: mean error of epsilon at 72 points", name);
    CHECK_MOST(0.5 * (error[35] + error[36]), 0.004, "%s: median", name);
}

typedef struct statistics {
    double min, max, mean;
} statistics;

// Centroids of the triangles of one quarter of a face (nu x nv squares, two triangles each): u runs
// along `axis` over `length`, the face looks along `normal`.
static statistics face_statistics(const carom_modes *modes, int along, int facing, int nu,
                                  double length)
{
    int m = carom_modal_about(modes)->mode_count, count = 2 * nu * 10, across = 3 - along - facing;
    double *a = malloc((size_t)count * (size_t)m * sizeof *a), w[3000], normal[3] = { 0 };
    static carom_bounce_result result[3000];
    carom_error err = { 0 };
    normal[facing] = 1;
    for (int i = 0; i < count; ++i) {
        int square = i / 2;
        double point[3];
        point[facing] = facing == 0 ? 0.1 : 0.005;
        point[along] = length * (square / 10 + (i % 2 ? 1. / 3 : 2. / 3)) / nu;
        point[across] = 0.0005 * (square % 10 + (i % 2 ? 2. / 3 : 1. / 3));
        CHECK(carom_modal_participation(modes, point, normal, a + (size_t)i * (size_t)m, &w[i],
                                        &err) == CAROM_OK,
              "%s", err.what);
    }
    carom_bounce_batch batch = { m, count, carom_modal_about(modes)->omega, w, a, 1 };
    carom_bounce_options options = carom_bounce_options_default();
    CHECK(carom_bounce_many(&batch, &options, result, &err) == CAROM_OK, "%s", err.what);
    statistics s = { 1, 0, 0 };
    for (int i = 0; i < count; ++i) {
        s.min = fmin(s.min, result[i].epsilon);
        s.max = fmax(s.max, result[i].epsilon);
        s.mean += result[i].epsilon / count;
    }
    free(a);
    return s;
}

static void faces(const carom_modes *modes)
{
    statistics side = face_statistics(modes, 0, 2, 150, 0.1);
    statistics end = face_statistics(modes, 1, 0, 10, 0.005);
    // allowances: what 0.1 to 0.4 % of frequency error does to epsilon, which jumps
    CHECK_NEAR(side.mean, 0.4669, 0.005, "side of the bar, mean");
    CHECK_NEAR(side.min, 0.1035, 0.01, "side of the bar, least");
    CHECK_NEAR(side.max, 0.7836, 0.015, "side of the bar, most");
    CHECK_NEAR(end.mean, 0.634, 0.006, "end of the bar, mean");
    CHECK_NEAR(end.max, 0.921, 0.01, "end of the bar, most");
}

// A mesh of 30 x 5 x 5 cubes with six linear tetrahedra each: upgraded, f1 to f10 within 0.1 %.
static void tetrahedra(void)
{
    carom_modal_options options = carom_modal_options_default();
    options.modes = 11;
    options.threads = 1;
    carom_error err = { 0 };
    carom_tets *tets = solids_tets((int[3]){ 30, 5, 5 }, (double[3]){ 0.2, 0.01, 0.01 });
    carom_modes *modes = NULL;
    CHECK(carom_modal_from_tets(tets, &STUFF, &options, NULL, &modes, &err) == CAROM_OK, "%s",
          err.what);
    const carom_modal_info *info = carom_modal_about(modes);
    double worst = 0;
    for (int i = 0; i < 10; ++i)
        worst = fmax(worst, fabs(info->omega[i] / (2 * PI * BAR_FREQUENCY[i]) - 1));
    CHECK_MOST(worst, 0.001, "tetrahedra: the first ten frequencies");
    CHECK_NEAR(info->mass / 0.04, 1, 1e-6, "tetrahedra: mass");
    CHECK_NEAR(info->inertia[1] / 0.0001336666666666667, 1, 1e-6, "tetrahedra: inertia");
    CHECK_MOST(info->mass_error, 1e-6, "tetrahedra: consistent mass");
    carom_modal_destroy(modes);
    carom_tets_destroy(tets);
}

static void coarse_tetrahedra(void)
{
    carom_error err = { 0 };
    carom_modal_options options = carom_modal_options_default();
    options.threads = 1;
    carom_tets *tets = solids_tets((int[3]){ 60, 3, 3 }, (double[3]){ 0.2, 0.01, 0.01 });
    carom_modes *modes = NULL;
    CHECK(carom_modal_from_tets(tets, &STUFF, &options, NULL, &modes, &err) == CAROM_OK, "%s",
          err.what);
    CHECK_NEAR(carom_modal_about(modes)->omega[44] / (2 * PI * BAR_FREQUENCY[44]), 1, 0.01,
               "tetrahedra: the forty-fifth frequency");
    carom_modal_destroy(modes);
    carom_tets_destroy(tets);
}

int main(void)
{
    double half[3] = { 0.1, 0.005, 0.005 }, oblique = 0.3;
    cube();
    carom_shape *straight = solids_box(half, 0), *turned = solids_box(half, oblique);
    carom_modes *modes = solids_modes(straight, &STUFF, NULL);
    check_bar("lattice", modes, 0.005, 0.01);
    contacts("lattice", modes, 0);
    faces(modes);
    carom_modal_destroy(modes);
    modes = solids_modes(turned, &STUFF, NULL);
    check_bar("oblique lattice", modes, 0.005, 0.01);
    contacts("oblique lattice", modes, oblique);
    carom_modal_destroy(modes);
    carom_shape_release(straight);
    carom_shape_release(turned);
    tetrahedra();
    coarse_tetrahedra();
    return check_report();
}
