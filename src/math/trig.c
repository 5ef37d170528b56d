#include "math/trig.h"

#include <math.h>

// Taylor series on |x| <= pi/4: the first term left out is below 1e-17.
static double sine(double x)
{
    double s = x * x, sum = 0;
    for (int k = 17; k >= 3; k -= 2)
        sum = (1 + sum) * (-s / (double)(k * (k - 1)));
    return x + x * sum;
}

static double cosine(double x)
{
    double s = x * x, sum = 0;
    for (int k = 18; k >= 2; k -= 2)
        sum = (1 + sum) * (-s / (double)(k * (k - 1)));
    return 1 + sum;
}

// x minus the nearest multiple of pi/2, whose high parts are exact in 33 bits each (Cody and
// Waite).
static double reduce(double x, int *quadrant)
{
    const double part1 = 0x1.921fb544p+0, part2 = 0x1.0b4611a6p-34, part3 = 0x1.3198a2e037073p-69;
    double k = rint(x * 0x1.45f306dc9c883p-1);
    *quadrant = (int)((long long)k & 3);
    return ((x - k * part1) - k * part2) - k * part3;
}

double carom_trig_sin(double x)
{
    int quadrant;
    double r = reduce(x, &quadrant);
    double value = quadrant & 1 ? cosine(r) : sine(r);
    return quadrant & 2 ? -value : value;
}

double carom_trig_cos(double x)
{
    int quadrant;
    double r = reduce(x, &quadrant);
    double value = quadrant & 1 ? sine(r) : cosine(r);
    return quadrant == 1 || quadrant == 2 ? -value : value;
}
