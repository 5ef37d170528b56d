// Cosine and sine with the same bits everywhere.
//
// The C library's versions differ between machines (it picks fused variants at run time), and the
// motion of a tower is compared bit by bit. The angle is halved until it is small, the Taylor sums
// are taken there, and the angle is doubled again.
#ifndef CAROM_TOWER_TURN_H
#define CAROM_TOWER_TURN_H

#include <math.h>

// cos(angle) - 1 and sin(angle) for |angle| <= 1/4, to the last place or two.
static inline void tower_turn_small(double a, double *cos_minus_1, double *sine)
{
    double q = a * a;
    *sine =
        a *
        (1 - q / 6 * (1 - q / 20 * (1 - q / 42 * (1 - q / 72 * (1 - q / 110 * (1 - q / 156))))));
    *cos_minus_1 =
        -q / 2 *
        (1 - q / 12 * (1 - q / 30 * (1 - q / 56 * (1 - q / 90 * (1 - q / 132 * (1 - q / 182))))));
}

// cos(angle) - 1 keeps its accuracy for small angles, where cos(angle) would lose it.
static inline void tower_turn_by(double angle, double *cos_minus_1, double *sine)
{
    int halvings = 0;
    for (; fabs(angle) > 0.25 && halvings < 64; ++halvings)
        angle /= 2;
    double c, s;
    tower_turn_small(angle, &c, &s);
    for (; halvings > 0; --halvings) { // cos 2a - 1 = -2 sin^2 a, sin 2a = 2 sin a cos a
        double doubled = 2 * s * (1 + c);
        c = -2 * s * s;
        s = doubled;
    }
    *cos_minus_1 = c;
    *sine = s;
}

static inline void tower_turn(double angle, double *cosine, double *sine)
{
    double c;
    tower_turn_by(angle, &c, sine);
    *cosine = 1 + c;
    double length = sqrt(*cosine * *cosine + *sine * *sine);
    *cosine /= length;
    *sine /= length;
}

#endif
