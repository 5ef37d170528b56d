#include "math/turn.h"

#include <math.h>

static const double RADIANS_PER_DEGREE = 0.017453292519943295;

// Taylor series for |x| <= pi/4, innermost bracket first so that the small terms come first; the
// first term left out is below 1e-17.
static double series_sine(double x)
{
    double square = x * x, sum = 1;
    for (int k = 8; k >= 1; --k)
        sum = 1 - square / ((2 * k) * (2 * k + 1)) * sum;
    return x * sum;
}

static double series_cosine(double x)
{
    double square = x * x, sum = 1;
    for (int k = 8; k >= 1; --k)
        sum = 1 - square / ((2 * k - 1) * (2 * k)) * sum;
    return sum;
}

void carom_turn_degrees(double degrees, double sine_cosine[2])
{
    double quarter = floor(degrees / 90 + 0.5);
    double x = (degrees - 90 * quarter) * RADIANS_PER_DEGREE; // exact difference: both close
    double sine = series_sine(x), cosine = series_cosine(x);
    int turns = (int)fmod(quarter, 4);
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
