// x^eta for x >= 0 with the same bits on every machine and compiler.
//
// The C library's pow differs between versions and picks fused variants at run time; this one uses
// only + - * / and sqrt, each correctly rounded by IEEE 754.
#ifndef CAROM_MATH_POWER_H
#define CAROM_MATH_POWER_H

#include <math.h>

// The general case: error below 0.51 units in the last place where the result is a normal number.
// x >= 0, 0 < eta < 1e290. Overflow and an infinite x give infinity, underflow gives zero or a
// subnormal number, and no number gives none.
double carom_power_general(double x, double eta);

// x^eta; the exponents of Hooke (1), Hertz (1.5), 2 and 0.75 without the general machinery.
static inline double carom_power(double x, double eta)
{
    if (eta == 1.5)
        return x * sqrt(x);
    if (eta == 1)
        return x;
    if (eta == 2)
        return x * x;
    if (eta == 0.75) { // of restitution that falls with speed
        double root = sqrt(x);
        return root * sqrt(root);
    }
    return carom_power_general(x, eta);
}

#endif
