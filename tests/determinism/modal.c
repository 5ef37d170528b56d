// Modes have the same bits with any number of threads, from every compiler and optimisation.
//
// The hash may change only with a deliberate change of the method; say so in the commit, and raise
// the number in carom_modal_key.
#include "base/hash.h"
#include "carom/modal.h"
#include "support/check.h"
#include "support/solids.h"

#include <inttypes.h>
#include <stdlib.h>

static const uint64_t GOLDEN_LATTICE = UINT64_C(0xda81981e119fa9c4),
                      GOLDEN_TETS = UINT64_C(0xfc82eb7756401ccf);

// Of the frequencies and of the shapes at some points of the upper side.
static uint64_t hash_of(const carom_modes *modes)
{
    const carom_modal_info *info = carom_modal_about(modes);
    uint64_t hash = carom_hash_doubles(CAROM_HASH_START, info->omega, (size_t)info->mode_count);
    double *shapes = malloc(3 * (size_t)info->mode_count * sizeof *shapes);
    for (int i = 0; i < 20; ++i) {
        double point[3] = { info->centre[0] - 0.028 + 0.0029 * i,
                            info->centre[1] - 0.008 + 0.0008 * i, info->centre[2] + 0.005 };
        carom_error err = { 0 };
        CHECK(carom_modal_shapes_at(modes, point, shapes, &err) == CAROM_OK, "%s", err.what);
        hash = carom_hash_doubles(hash, shapes, 3 * (size_t)info->mode_count);
    }
    free(shapes);
    return hash;
}

int main(void)
{
    carom_modal_material steel;
    carom_error err = { 0 };
    carom_modal_material_named("steel", &steel, &err);
    carom_modal_options options = carom_modal_options_default();
    options.modes = 10;
    options.cell = 0.0047; // slanted sides cut the cells
    // a plate without symmetry
    double outline[16] = { -0.03, -0.01,  0.03,  -0.01, 0.03,  0.004, 0.02,  0.01,
                           0,     0.0101, -0.01, 0.007, -0.02, 0.01,  -0.03, 0.009 };
    carom_shape *odd = NULL;
    CHECK(carom_profile_extrude(outline, 8, 0.005, &odd, &err) == CAROM_OK, "%s", err.what);
    carom_tets *tets = solids_tets((int[3]){ 6, 3, 2 }, (double[3]){ 0.06, 0.02, 0.01 });
    for (int threads = 1; threads <= 3; ++threads) {
        options.threads = threads;
        carom_modes *lattice = solids_modes(odd, &steel, &options), *other = NULL;
        CHECK(carom_modal_from_tets(tets, &steel, &options, NULL, &other, &err) == CAROM_OK, "%s",
              err.what);
        uint64_t hash = hash_of(lattice);
        CHECK(hash == GOLDEN_LATTICE, "lattice, %d threads: hash %016" PRIx64, threads, hash);
        hash = hash_of(other);
        CHECK(hash == GOLDEN_TETS, "tetrahedra, %d threads: hash %016" PRIx64, threads, hash);
        carom_modal_destroy(lattice);
        carom_modal_destroy(other);
    }
    carom_shape_release(odd);
    carom_tets_destroy(tets);
    return check_report();
}
