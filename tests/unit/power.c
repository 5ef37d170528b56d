// x^eta against exact cases and against the C library (glibc's pow is within 1 unit in the last
// place, so the two may differ by at most 2).
#include "math/power.h"
#include "base/hash.h"
#include "base/random.h"
#include "support/check.h"

#include <math.h>
#include <stdio.h>

static double units_apart(double a, double b)
{
    return fabs(a - b) / (nextafter(fabs(b), INFINITY) - fabs(b));
}

int main(void)
{
    CHECK(carom_power(0, 1.7) == 0, "0^eta is 0");
    CHECK(carom_power(3.5, 1) == 3.5, "Hooke is exact");
    CHECK(carom_power(4, 1.5) == 8, "Hertz is exact on squares");
    CHECK(carom_power(-0.0, 1.5) == 0, "minus zero is zero");

    carom_random random = carom_random_make(7, 1);
    double worst = 0, worst_exact = 0, worst_root = 0;
    uint64_t hash = CAROM_HASH_START;
    for (int i = 0; i < 200000; ++i) {
        int scale = carom_random_below(&random, 80) - 40;
        double x = ldexp(carom_random_between(&random, 0.5, 1), scale);
        double eta = carom_random_between(&random, 1, i % 2 ? 3 : 20);
        double found = carom_power_general(x, eta), wanted = pow(x, eta);
        worst = fmax(worst, units_apart(found, wanted));
        hash = carom_hash_doubles(hash, &found, 1);
        // Whole numbers up to 2^17: the cube is exact in a double.
        double whole = 1 + carom_random_below(&random, 1 << 17);
        worst_exact =
            fmax(worst_exact, fabs(carom_power_general(whole, 3) - whole * whole * whole));
        worst_root =
            fmax(worst_root, fabs(carom_power_general(whole * whole, 1.5) - whole * whole * whole));
    }
    CHECK_MOST(worst, 1, "within one unit of the C library on 200000 pairs");
    CHECK_MOST(worst_exact, 0, "cubes of whole numbers are exact");
    CHECK_MOST(worst_root, 0, "x^1.5 of squares is exact");
    CHECK(hash == 0x2c76e237f6409db, "the same bits on every compiler and machine (%#llx)",
          (unsigned long long)hash);

    CHECK(carom_power_general(1e200, 3) > 1e308, "overflow is infinity");
    CHECK(carom_power_general(1e-200, 3) == 0, "underflow is zero");
    CHECK(isinf(carom_power_general(INFINITY, 0.4)), "infinity stays infinite");
    CHECK(isnan(carom_power_general(NAN, 0.4)), "no number stays none");
    CHECK(carom_power_general(0x1p-1074, 1.25) == 0, "the smallest number to 1.25 is zero");
    CHECK_NEAR(carom_power_general(0x1p-1000, 1.03125), 0x1p-1031 * 0.84089641525371454, 0x1p-1074,
               "a subnormal result");
    return check_report();
}
