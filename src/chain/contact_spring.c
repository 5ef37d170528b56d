// Contact laws of a chain. See contact_spring.h for the symbols.
//
// Powers come from math/power.h: pow() of the C library differs in its last bits between machines.
#include "chain/contact_spring.h"

#include <math.h>
#include "math/power.h"

static double power(double d, double exponent);
static double part(const carom_contact_spring *touch, double x);

bool carom_contact_spring_smooth(const carom_contact_spring *touch)
{
    if (touch->stiffness == 0 || touch->exponent == 1)
        return true;
    return touch->compliance == 0 && touch->exponent == floor(touch->exponent);
}

double carom_contact_spring_force(const carom_contact_spring *touch, double x)
{
    if (touch->stiffness == 0)
        return x / touch->compliance;
    if (touch->exponent == 1)
        return x / (touch->compliance + 1 / touch->stiffness);
    if (x <= 0 && !carom_contact_spring_smooth(touch))
        return 0;
    return touch->stiffness * power(part(touch, x), touch->exponent);
}

double carom_contact_spring_energy(const carom_contact_spring *touch, double x)
{
    if (x <= 0)
        return 0;
    double force = carom_contact_spring_force(touch, x);
    if (touch->stiffness == 0 || touch->exponent == 1)
        return force * x / 2;
    double d = part(touch, x);
    return force * d / (touch->exponent + 1) + touch->compliance * force * force / 2;
}

double carom_contact_spring_stiffness(const carom_contact_spring *touch, double x)
{
    if (touch->stiffness == 0)
        return 1 / touch->compliance;
    double d = part(touch, x);
    double own = touch->stiffness * touch->exponent;
    if (touch->exponent != 1)
        own *= d > 0 ? power(d, touch->exponent) / d : 0;
    return own > 0 ? 1 / (touch->compliance + 1 / own) : 0;
}

double carom_contact_spring_reach(const carom_contact_spring *touch, double energy)
{
    double low = 0;
    double high = 1;
    for (int i = 0; i < 2000 && carom_contact_spring_energy(touch, high) < energy; i++)
        high *= 2;
    for (int i = 0; i < 2000 && carom_contact_spring_energy(touch, high / 2) > energy; i++)
        high /= 2;
    // Only a bound for the step size: two digits are plenty, rounded up.
    for (int i = 0; i < 12; i++) {
        double middle = (low + high) / 2;
        if (carom_contact_spring_energy(touch, middle) < energy)
            low = middle;
        else
            high = middle;
    }
    return high;
}

// d of the power law in x = d + C k d^p. The right side is convex and increasing, so Newton from d
// = x (too large) falls monotonically onto the root; it ends when rounding stops the fall.
static double part(const carom_contact_spring *touch, double x)
{
    if (touch->compliance == 0 || x <= 0)
        return x;
    double scale = touch->compliance * touch->stiffness;
    if (touch->exponent == 1)
        return x / (1 + scale);
    double d = x;
    for (int i = 0; i < 500; i++) {
        double slope = scale * power(d, touch->exponent) / d;
        double next = d - (d + slope * d - x) / (1 + slope * touch->exponent);
        if (!(next < d) || next <= 0)
            break;
        d = next;
    }
    return d;
}

// d^exponent. Whole exponents by squaring: also for negative d, where the polynomial goes on.
static double power(double d, double exponent)
{
    if (exponent != floor(exponent))
        return carom_power(d, exponent);
    double result = 1;
    double square = d;
    for (int bits = (int)exponent; bits > 0; bits >>= 1) {
        if (bits & 1)
            result *= square;
        square *= square;
    }
    return result;
}
