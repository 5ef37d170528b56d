// The vibrations of a free elastic sphere against Lamb's closed form, every frequency counted as
// often as it is there: 2 l + 1 times. A sphere is the body with the widest clusters, and what a
// solver loses of a cluster shifts every frequency above it. Here with default cells and up to 300
// modes; tests/truth/modal_sphere.c has coarse ones.
#include "carom/modal.h"
#include "support/check.h"
#include "support/lamb.h"
#include "support/solids.h"

#include <math.h>

enum { MOST = 400 };
static const carom_modal_material STEEL = { 2.1e11, .3, 7800 };
static const double RADIUS = .05;

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

int main(void)
{
    carom_shape *ball = NULL, *mesh = NULL;
    carom_error err = { 0 };
    int unknowns = carom_modal_options_default().unknowns_max;
    CHECK(carom_sphere_create(RADIUS, &ball, &err) == CAROM_OK, "%s", err.what);
    CHECK(carom_mesh_from(ball, 128, &mesh, &err) == CAROM_OK, "%s", err.what);
    sphere(mesh, 45, unknowns, .002); // errors of the cells; one copy lost is some 3 %
    sphere(mesh, 150, unknowns, .003);
    sphere(mesh, 300, unknowns, .007);
    carom_shape_release(mesh);
    carom_shape_release(ball);
    return check_report();
}
