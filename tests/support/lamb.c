// Roots of Lamb's equations for the vibrations of a free elastic sphere; see lamb.h.
#include "support/lamb.h"

#include <math.h>
#include <stdlib.h>

enum { DEGREES = 16 };

// Spherical Bessel function: the power series, which is good to round-off for the arguments here.
static double bessel(int l, double x)
{
    double term = 1, sum = 0;
    for (int k = 1; k <= l; ++k)
        term *= x / (2 * k + 1);
    for (int k = 0; k < 80; ++k) {
        sum += term;
        term *= -x * x / (2. * (k + 1) * (2 * (l + k) + 3));
    }
    return sum;
}

static double torsional(int l, double y, double ratio)
{
    (void)ratio;
    return (l - 1) * bessel(l, y) - y * bessel(l + 1, y);
}

static double spheroidal(int l, double y, double ratio)
{
    double x = y * ratio, h = y * y / 2;
    if (l == 0)
        return y * y * bessel(0, x) - 4 * x * bessel(1, x);
    double t11 = (l * l - l - h) * bessel(l, x) + 2 * x * bessel(l + 1, x);
    double t13 = l * (l + 1) * torsional(l, y, ratio), t41 = torsional(l, x, ratio);
    double t43 = (l * l - 1 - h) * bessel(l, y) + y * bessel(l + 1, y);
    return t11 * t43 - t13 * t41;
}

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

int lamb_roots(double nu, double top, int max, double *y)
{
    double ratio = sqrt((1 - 2 * nu) / (2 - 2 * nu)); // c_S / c_P
    int count = 0;
    for (int l = 0; l < DEGREES; ++l)
        for (int kind = 0; kind < 2; ++kind) {
            double (*f)(int, double, double) = kind ? spheroidal : torsional;
            if (!kind && l == 0)
                continue;
            double step = 0.01, low = 0.5; // rigid motions are roots at 0
            for (; low < top; low += step) {
                double a = low, b = low + step, fa = f(l, a, ratio);
                if (fa * f(l, b, ratio) > 0)
                    continue;
                while (b - a > 1e-13 * b) {
                    double m = (a + b) / 2, fm = f(l, m, ratio);
                    if (m == a || m == b)
                        break;
                    *(fa * fm > 0 ? &a : &b) = m;
                }
                for (int c = 0; c < 2 * l + 1 && count < max; ++c)
                    y[count++] = a;
            }
        }
    qsort(y, (size_t)count, sizeof *y, ascending);
    return count;
}
