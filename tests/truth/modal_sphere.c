// The vibrations of a free elastic sphere against Lamb's closed form, every frequency counted as
// often as it is there: 2 l + 1 times. A sphere is the body with the widest clusters, and what a
// solver loses of a cluster shifts every frequency above it. Coarse cells; in full default ones and
// up to 300 modes.
#include "carom/modal.h"
#include "support/check.h"
#include "support/lamb.h"
#include "support/solids.h"

#include <math.h>

enum { MOST = 400 };
static const carom_modal_material STEEL = { 2.1e11, 0.3, 7800 };
static const double RADIUS = 0.05;

// Frequencies of the sphere in the unit of Lamb's roots, cut into cells, against the roots.
static void sphere(const carom_shape *mesh, int asked, int unknowns, double allowed)
{
    carom_modal_options options = carom_modal_options_default();
    options.modes = asked;
    options.unknowns_max = unknowns;
    options.threads = 1;
    double nu = STEEL.poisson, y[MOST];
    double shear = sqrt(STEEL.young / (2 * (1 + nu) * STEEL.density));
    int known = lamb_roots(nu, 11, MOST, y);
    carom_modes *modes = solids_modes(mesh, &STEEL, &options);
    const carom_modal_info *info = carom_modal_about(modes);
    double worst = 0;
    for (int i = 0; i < info->mode_count && i < known; ++i)
        worst = fmax(worst, fabs(info->omega[i] * RADIUS / shear / y[i] - 1));
    CHECK(known > asked && info->mode_count >= asked, "%d modes for %d asked, %d roots",
          info->mode_count, asked, known);
    CHECK_MOST(worst, allowed, "%d modes of a sphere, %ld unknowns", info->mode_count,
               info->unknowns);
    carom_modal_destroy(modes);
}

// The modes of a cube, asked for few and many: the same frequencies, none left out.
static void cube(void)
{
    double few[45];
    carom_shape *box = solids_box((double[3]){ 0.05, 0.05, 0.05 }, 0);
    carom_modal_options options = carom_modal_options_default();
    options.threads = 1;
    options.unknowns_max = 2000;
    for (int asked = 45; asked < 150; asked += 75) {
        options.modes = asked;
        carom_modes *modes = solids_modes(box, &STEEL, &options);
        const carom_modal_info *info = carom_modal_about(modes);
        double worst = 0;
        for (int i = 0; i < 45; ++i) {
            few[i] = asked == 45 ? info->omega[i] : few[i];
            worst = fmax(worst, fabs(info->omega[i] / few[i] - 1));
        }
        CHECK_MOST(worst, 1e-9, "the first 45 of %d modes", asked); // errors: residual squared
        carom_modal_destroy(modes);
    }
    carom_shape_release(box);
}

int main(void)
{
    carom_shape *ball = NULL, *mesh = NULL;
    carom_error err = { 0 };
    double y[MOST];
    // [Lamb]'s own figures: the gravest torsional and the gravest spheroidal mode (nu = 1/4)
    CHECK(lamb_roots(0.25, 3, MOST, y) == 10, "five and five modes below 3");
    CHECK_NEAR(y[0] / 3.14159265358979, 0.7961, 1e-4, "torsional, l = 2");
    CHECK_NEAR(y[5] / 3.14159265358979, 0.840, 5e-4, "spheroidal, l = 2");
    CHECK(carom_sphere_create(RADIUS, &ball, &err) == CAROM_OK, "%s", err.what);
    CHECK(carom_mesh_from(ball, 64, &mesh, &err) == CAROM_OK, "%s", err.what);
    // cells as coarse as this err by that; a frequency left out would be some 5 % at mode 80
    sphere(mesh, 20, 3000, 0.008);
    sphere(mesh, 80, 6000, 0.018);
    cube();
    carom_shape_release(mesh);
    if (check_full()) {
        int unknowns = carom_modal_options_default().unknowns_max;
        CHECK(carom_mesh_from(ball, 128, &mesh, &err) == CAROM_OK, "%s", err.what);
        sphere(mesh, 45, unknowns, 0.002); // errors of the cells; one copy lost is some 3 %
        sphere(mesh, 150, unknowns, 0.003);
        sphere(mesh, 300, unknowns, 0.007);
        carom_shape_release(mesh);
    }
    carom_shape_release(ball);
    return check_report();
}
