// Points that hardly span a solid: flat ones, needles, repeated ones, far from the origin. They are
// a hull or are refused beforehand, never by qhull, whose way out (longjmp) is not there in
// WebAssembly.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "carom/random.h"
#include "carom/shape.h"
#include "support/check.h"

enum { POINTS = 40 };

typedef struct tally {
    int made, refused;
} tally;

static void try_points(const double *points, int count, const char *what, tally *sum)
{
    carom_shape *shape = NULL;
    carom_error err = { 0 };
    carom_status status = carom_hull_create(points, count, &shape, &err);
    CHECK((status == CAROM_OK) == (shape != NULL), "%s: a shape exactly on success", what);
    CHECK(status == CAROM_OK || (*err.fix && !strstr(err.what, "qhull")), "%s: %s", what, err.what);
    sum->made += status == CAROM_OK;
    sum->refused += status != CAROM_OK;
    carom_shape_release(shape);
}

// Flat in one direction by `thin`, narrow in another by `narrow`, turned anyhow, somewhere.
static void check_family(double thin, double narrow, double away, bool lattice, tally *sum)
{
    for (int k = 0; k < check_effort(20, 5); ++k) {
        double points[3 * POINTS], axis[3][3], place[3];
        carom_random r = carom_random_make(11, (uint64_t)k);
        for (int i = 0; i < 3; ++i)
            carom_random_direction(&r, axis[i]);
        carom_random_direction(&r, place);
        for (int i = 0; i < POINTS; ++i) {
            double u[3];
            for (int c = 0; c < 3; ++c)
                u[c] = lattice ? carom_random_below(&r, 3) - 1 : carom_random_between(&r, -1, 1);
            for (int c = 0; c < 3; ++c)
                points[3 * i + c] = away * place[c] + u[0] * axis[0][c] +
                                    narrow * u[1] * axis[1][c] + thin * u[2] * axis[2][c];
        }
        char what[80];
        snprintf(what, sizeof what, "thin %g, narrow %g, away %g, number %d", thin, narrow, away,
                 k);
        try_points(points, POINTS, what, sum);
    }
}

int main(void)
{
    tally sum = { 0 };
    const double point[12] = { 0 };
    try_points(point, 4, "one point four times", &sum);
    for (int e = 0; e <= 18; ++e)
        for (int lattice = 0; lattice < 2; ++lattice) {
            check_family(pow(10, -e), 1, 0, lattice, &sum);
            check_family(pow(10, -e), pow(10, -e), 0, lattice, &sum);
            check_family(pow(10, -e), 1, 1000, lattice, &sum);
            check_family(1, 1, pow(10, e), lattice, &sum);
        }
    check_family(0, 1, 0, false, &sum);
    check_family(0, 0, 1, false, &sum);
    CHECK(sum.made > 100 && sum.refused > 100, "%d hulls, %d refused", sum.made, sum.refused);
    return check_report();
}
