// Fits: lines, cooling by Haff's law with a free exponent, saturation by Janssen's law.
//
// The two laws have one parameter that is not linear. It is found by golden section over its
// logarithm, which cannot miss where the sum of squares has one minimum, as it has here.
#include <math.h>
#include "measure/measure.h"

enum { STEPS = 90 }; // golden sections: the interval shrinks by 1e-18

carom_measure_line carom_measure_fit_line(const double *x, const double *y, int count)
{
    carom_measure_line line = { NAN, NAN, HUGE_VAL };
    double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
    for (int i = 0; i < count; ++i) {
        mean_x += x[i] / count;
        mean_y += y[i] / count;
    }
    for (int i = 0; i < count; ++i) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    if (count < 2 || !(xx > 0))
        return line;
    line.b = xy / xx;
    line.a = mean_y - line.b * mean_x;
    line.residual = 0;
    for (int i = 0; i < count; ++i) {
        double off = y[i] - line.a - line.b * x[i];
        line.residual += off * off;
    }
    return line;
}

typedef struct problem {
    const double *x, *y;
    double *u; // scratch
    int count;
} problem;

static double golden(double (*cost)(const problem *p, double at), const problem *p, double from,
                     double to)
{
    const double ratio = 0.6180339887498949;
    double a = log(from), b = log(to);
    double left = b - ratio * (b - a), right = a + ratio * (b - a);
    double at_left = cost(p, exp(left)), at_right = cost(p, exp(right));
    for (int i = 0; i < STEPS; ++i) {
        if (at_left < at_right) {
            b = right;
            right = left;
            at_right = at_left;
            left = b - ratio * (b - a);
            at_left = cost(p, exp(left));
        } else {
            a = left;
            left = right;
            at_left = at_right;
            right = a + ratio * (b - a);
            at_right = cost(p, exp(right));
        }
    }
    return exp((a + b) / 2);
}

static carom_measure_line cooling_line(const problem *p, double tau)
{
    for (int i = 0; i < p->count; ++i)
        p->u[i] = log1p((p->x[i] - p->x[0]) / tau);
    return carom_measure_fit_line(p->u, p->y, p->count);
}

static double cooling_cost(const problem *p, double tau)
{
    return cooling_line(p, tau).residual;
}

carom_measure_cooling carom_measure_fit_cooling(const double *t, const double *T, int count,
                                                double *scratch)
{
    carom_measure_cooling fit = { NAN, NAN, NAN, NAN, NAN };
    if (count < 4)
        return fit;
    double *y = scratch, *u = scratch + count, span = t[count - 1] - t[0];
    for (int i = 0; i < count; ++i)
        y[i] = 1 / sqrt(T[i]); // Haff: a line over time
    carom_measure_line haff = carom_measure_fit_line(t, y, count);
    double first = haff.a + haff.b * t[0];
    fit.haff_start = 1 / (first * first);
    fit.haff_tau = first / haff.b;
    for (int i = 0; i < count; ++i)
        y[i] = log(T[i]);
    problem p = { t, y, u, count };
    fit.tau = golden(cooling_cost, &p, 1e-4 * span, 1e2 * span);
    carom_measure_line line = cooling_line(&p, fit.tau);
    fit.start = exp(line.a);
    fit.exponent = -line.b;
    return fit;
}

static double janssen_cost(const problem *p, double saturation)
{
    double sum = 0;
    for (int i = 0; i < p->count; ++i) {
        double off = p->y[i] + saturation * expm1(-p->x[i] / saturation);
        sum += off * off;
    }
    return sum;
}

double carom_measure_fit_janssen(const double *weight, const double *load, int count)
{
    double max = 0;
    for (int i = 0; i < count; ++i)
        max = fmax(max, weight[i]);
    problem p = { weight, load, NULL, count };
    return max > 0 ? golden(janssen_cost, &p, 1e-3 * max, 1e4 * max) : (double)NAN;
}
