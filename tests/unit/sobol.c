// Sobol's net: every axis is stratified, and pairs of axes are as even as a net has to be.
#include "base/sobol.h"
#include "support/check.h"

#include <string.h>

// Of the first 2^k points one stands in each interval of 2^-k.
static void one_axis(int axis)
{
    static unsigned char seen[1024];
    for (int k = 1; k <= 10; ++k) {
        int n = 1 << k, twice = 0;
        memset(seen, 0, sizeof seen);
        for (int i = 0; i < n; ++i) {
            int place = (int)(carom_sobol_at(axis, (uint64_t)i) * n);
            twice += seen[place]++ > 0;
        }
        CHECK(twice == 0, "axis %d: %d points stand in %d intervals", axis, n, n);
    }
}

// The first two axes are a (0, m, 2) net: one point in every box of area 2^-m, whatever its sides.
static void two_axes(void)
{
    enum { M = 8, N = 1 << M };
    for (int a = 0; a <= M; ++a) {
        unsigned char seen[N] = { 0 };
        int twice = 0;
        for (int i = 0; i < N; ++i) {
            int x = (int)(carom_sobol_at(0, (uint64_t)i) * (1 << a));
            int y = (int)(carom_sobol_at(1, (uint64_t)i) * (1 << (M - a)));
            twice += seen[(x << (M - a)) + y]++ > 0;
        }
        CHECK(twice == 0, "boxes of 2^-%d by 2^-%d hold one point each", a, M - a);
    }
}

// The mean of a product over all axes, which random points have to about 1 / sqrt N.
static void product(void)
{
    enum { N = 1 << 14 };
    double sum = 0;
    for (int i = 0; i < N; ++i) {
        double value = 1;
        for (int axis = 0; axis < CAROM_SOBOL_AXES; ++axis)
            value *= 0.5 + carom_sobol_at(axis, (uint64_t)i);
        sum += value;
    }
    CHECK_NEAR(sum / N, 1, 2e-3, "mean of a product over ten axes"); // random: 1e-2
}

int main(void)
{
    for (int axis = 0; axis < CAROM_SOBOL_AXES; ++axis)
        one_axis(axis);
    two_axes();
    product();
    return check_report();
}
