// Sine and cosine by Taylor series in the first eighth of the circle, the rest by reflection. The C
// library's sin and cos may differ in the last bit between machines; shapes made from them would
// too.
#include "shape/circle.h"

#include <math.h>
#include "math/constants.h"

void carom_circle_point(int k, int n, double *cosine, double *sine)
{
    long eighth = 8L * (k % n) / n, rest = 8L * (k % n) % n;
    long part = eighth % 2 ? n - rest : rest; // from the nearer axis, in n-ths of 45 degrees
    double x = CAROM_PI / 4 * ((double)part / n), xx = x * x, c = 0, s = 0;
    for (int i = 20; i >= 2; i -= 2) {
        c = (1 - c) * xx / (i * (i - 1));
        s = (1 - s) * xx / (i * (i + 1));
    }
    c = 1 - c;
    s = x * (1 - s);
    if (2 * part == 2L * n) // the diagonal itself: both are sqrt(1/2), to the bit
        c = s = sqrt(.5);
    // Eighths 1, 2, 5, 6 lie about the y axis.
    if ((eighth + 1) / 2 % 2 == 1) {
        double swap = c;
        c = s;
        s = swap;
    }
    *cosine = eighth >= 2 && eighth < 6 ? -c : c;
    *sine = eighth >= 4 ? -s : s;
}
