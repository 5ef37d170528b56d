// Sine and cosine by fixed polynomials after reduction to a quadrant, the angle by one after
// reduction to the nearest of nine directions; accuracy about one unit in the last place.
#include "math/trig.h"

#include <math.h>
#include "math/constants.h"

// Taylor series for |x| <= pi/4, innermost bracket first so that the small terms come first; the
// first term left out is below 1e-17.
static double series_sine(double x)
{
    double square = x * x, sum = 1;
    for (int k = 8; k >= 1; --k)
        sum = 1 - square / ((2 * k) * (2 * k + 1)) * sum;
    return x * sum;
}

static double series_cosine_minus_1(double x)
{
    double square = x * x, sum = 1;
    for (int k = 8; k >= 2; --k)
        sum = 1 - square / ((2 * k - 1) * (2 * k)) * sum;
    return -square / 2 * sum;
}

static double series_cosine(double x)
{
    return 1 + series_cosine_minus_1(x);
}

// x minus the nearest multiple of pi/2, whose high parts are exact in 33 bits each (Cody and
// Waite). What is no number, or too large to have a quadrant, has the first.
static double reduce(double x, int *quadrant)
{
    const double part1 = 0x1.921fb544p+0, part2 = 0x1.0b4611a6p-34, part3 = 0x1.3198a2e037073p-69;
    double k = rint(x * 0x1.45f306dc9c883p-1);
    *quadrant = fabs(k) < 0x1p62 ? (int)((long long)k & 3) : 0;
    return ((x - k * part1) - k * part2) - k * part3;
}

double carom_trig_sin(double x)
{
    int quadrant;
    double r = reduce(x, &quadrant);
    double value = quadrant & 1 ? series_cosine(r) : series_sine(r);
    return quadrant & 2 ? -value : value;
}

double carom_trig_cos(double x)
{
    int quadrant;
    double r = reduce(x, &quadrant);
    double value = quadrant & 1 ? series_sine(r) : series_cosine(r);
    return quadrant == 1 || quadrant == 2 ? -value : value;
}

void carom_trig_expm1(double x, double *cosine_minus_1, double *sine)
{
    int quadrant;
    double r = reduce(x, &quadrant);
    *cosine_minus_1 = quadrant == 0 ? series_cosine_minus_1(r) : carom_trig_cos(x) - 1;
    *sine = quadrant == 0 ? series_sine(r) : carom_trig_sin(x);
}

void carom_trig_degrees(double degrees, double sine_cosine[2])
{
    double quarter = floor(degrees / 90 + 0.5);
    double x = (degrees - 90 * quarter) * CAROM_RADIANS_PER_DEGREE; // exact difference: both close
    double sine = series_sine(x), cosine = series_cosine(x);
    int turns = isfinite(quarter) ? (int)fmod(quarter, 4) : 0;
    switch (turns < 0 ? turns + 4 : turns) {
    case 0:
        sine_cosine[0] = sine;
        sine_cosine[1] = cosine;
        break;
    case 1:
        sine_cosine[0] = cosine;
        sine_cosine[1] = -sine;
        break;
    case 2:
        sine_cosine[0] = -sine;
        sine_cosine[1] = -cosine;
        break;
    default:
        sine_cosine[0] = -cosine;
        sine_cosine[1] = sine;
    }
}

void carom_trig_circle(int k, int n, double *cosine, double *sine)
{
    long eighth = 8L * (k % n) / n, rest = 8L * (k % n) % n;
    long part = eighth % 2 ? n - rest : rest; // from the nearer axis, in n-ths of 45 degrees
    double x = CAROM_PI / 4 * ((double)part / n), c = series_cosine(x), s = series_sine(x);
    if (part == n) // the diagonal itself: both are sqrt(1/2), to the bit
        c = s = sqrt(0.5);
    // Eighths 1, 2, 5, 6 lie about the y axis.
    if ((eighth + 1) / 2 % 2 == 1) {
        double swap = c;
        c = s;
        s = swap;
    }
    *cosine = eighth >= 2 && eighth < 6 ? -c : c;
    *sine = eighth >= 4 ? -s : s;
}

// -- angles -------------------------------------------------------------------------------------

// atan(low / high) for 0 <= low <= high, high > 0: with t = k/8 the nearest eighth,
// atan(low / high) = atan t + atan((low - t high) / (high + t low)), whose last argument is at most
// 1/16; the first term left out of its series is below 1e-23.
static double octant_angle(double low, double high)
{
    static const double eighth[] = { 0,
                                     0x1.fd5ba9aac2f6ep-4,
                                     0x1.f5b75f92c80ddp-3,
                                     0x1.6f61941e4def1p-2,
                                     0x1.dac670561bb4fp-2,
                                     0x1.1e00babdefeb4p-1,
                                     0x1.4978fa3269ee1p-1,
                                     0x1.700a7c5784634p-1,
                                     0x1.921fb54442d18p-1 };
    int k = (int)(8 * (low / high) + 0.5);
    double t = k / 8.0, r = (low - t * high) / (high + t * low), square = r * r, sum = 0;
    for (int j = 8; j >= 1; --j)
        sum = 1.0 / (2 * j + 1) - square * sum;
    return eighth[k] + (r - r * (square * sum));
}

double carom_trig_atan2(double y, double x)
{
    double across = fabs(y), along = fabs(x), most = fmax(across, along);
    if (isnan(x) || isnan(y))
        return x + y;
    if (isinf(most)) { // directions of infinite vectors: axes and diagonals
        across = isinf(across) ? 1 : 0;
        along = isinf(along) ? 1 : 0;
    } else if (most > 0x1p1000) { // so that no product overflows
        across *= 0x1p-10;
        along *= 0x1p-10;
    }
    double angle = 0;
    if (most > 0)
        angle = across <= along ? octant_angle(across, along)
                                : CAROM_PI / 2 - octant_angle(along, across);
    if (signbit(x))
        angle = CAROM_PI - angle;
    return copysign(angle, y);
}

double carom_trig_acos(double c)
{
    return carom_trig_atan2(sqrt((1 - c) * (1 + c)), c);
}
