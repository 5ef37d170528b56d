// Lanczos on clusters: eigenvalues as often as they are there, however many copies, however narrow.
//
// K is diagonal, M the identity: the answer is known without any computation. Level l has 2 l + 1
// (or more) copies, as the vibrations of a sphere have, either exactly equal or spread by a small
// share of the level, as on a lattice that breaks the symmetry.
#include "solve/lanczos.h"
#include "support/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = CAROM_LANCZOS_BLOCK };

typedef struct levels {
    int rows;
    double shift;
    double *entry; // ascending
} levels;

static void identity(void *context, const double *x, double *y)
{
    const levels *d = context;
    memcpy(y, x, (size_t)d->rows * LANES * sizeof *y);
}

static void divide(void *context, double *x)
{
    const levels *d = context;
    for (int i = 0; i < d->rows * LANES; ++i)
        x[i] /= d->entry[i / LANES] + d->shift;
}

// Level k at k^(2/3), as the frequencies of a solid grow; `copies` of level l, 0: 2 l + 1.
static levels make(int rows, int copies, double spread)
{
    levels d = { rows, 0.01, malloc((size_t)rows * sizeof *d.entry) };
    for (int i = 0, level = 1; i < rows; ++level) {
        int count = copies ? copies : 2 * level + 1;
        double base = pow(i + 1, 2. / 3);
        for (int c = 0; c < count && i < rows; ++c, ++i)
            d.entry[i] = base * (1 + spread * c / count);
    }
    return d;
}

// The eigenvalues, counted with their copies, and vectors that are eigenvectors.
static void lowest(int rows, int copies, double spread, int wanted, int blocks_max)
{
    levels d = make(rows, copies, spread);
    carom_lanczos_problem problem = { rows, d.shift, identity, divide, &d,
                                      NULL, wanted,  1e-9,     1,      blocks_max };
    carom_lanczos_result result;
    carom_error err = { 0 };
    carom_status status = carom_lanczos_lowest(&problem, NULL, &result, &err);
    CHECK(status == CAROM_OK, "%d of %d, %d copies spread by %g: %s", wanted, rows, copies, spread,
          err.what);
    double worst = 0, apart = 0;
    for (int i = 0; status == CAROM_OK && i < wanted; ++i) {
        const double *v = result.vectors + (size_t)(i / LANES) * (size_t)rows * LANES + i % LANES;
        double squared = 0, norm = 0;
        for (int r = 0; r < rows; ++r) {
            double x = v[(size_t)r * LANES];
            squared += x * x * pow(1 / (d.entry[r] + 0.01) - 1 / (result.lambda[i] + 0.01), 2);
            norm += x * x;
        }
        worst = fmax(worst, fabs(result.lambda[i] / d.entry[i] - 1));
        apart = fmax(apart, sqrt(squared / norm) * (result.lambda[i] + 0.01));
    }
    // Ritz values err by the square of the residual, 1e-18, or within MISSED of a copy left out
    CHECK_MOST(worst, spread > 0 ? 1e-6 : 1e-12, "%d of %d, %d copies spread by %g", wanted, rows,
               copies, spread);
    CHECK_MOST(apart, 1e-8, "residuals computed from the matrix, %d of %d", wanted, rows);
    if (status == CAROM_OK)
        carom_lanczos_free(&result);
    free(d.entry);
}

int main(void)
{
    static const int WANTED[] = { 8, 45, 120 };
    for (int i = 0; i < check_effort(3, 2); ++i) {
        int n = WANTED[i];
        lowest(700, 0, 0, n, 0);                              // 2 l + 1 copies, exactly
        lowest(700, 20, 0, n, 0);                             // more copies than a block has lanes
        lowest(700, 0, 1e-4, n, (n + LANES - 1) / LANES + 5); // little memory at first
    }
    lowest(700, 20, 1e-3, 88, 0); // nearly equal
    if (check_effort(1, 0)) {
        lowest(700, 61, 0, 120, 0);
        lowest(700, 61, 0, 120, 20);
    }
    return check_report();
}
