// Sine, cosine and their inverses with the same bits on every machine: only additions,
// multiplications, divisions and square roots, in one order. The C library's may pick another
// algorithm on another processor.
#ifndef CAROM_MATH_TRIG_H
#define CAROM_MATH_TRIG_H

// |x| up to 1e5; error below 2e-16 absolute there.
double carom_trig_sin(double x);
double carom_trig_cos(double x);

// exp(i x) - 1, its real part and its imaginary part: cos x - 1 keeps its digits for small x, where
// the difference would lose them. |x| up to 1e5.
void carom_trig_expm1(double x, double *cosine_minus_1, double *sine);

// sine_cosine[0] = sin, [1] = cos of an angle in degrees; exact at multiples of 90, within 1e-15
// elsewhere.
void carom_trig_degrees(double degrees, double sine_cosine[2]);

// Cosine and sine of k / n of a full turn (0 <= k <= n, n >= 1), within 2 units in the last place,
// exactly symmetric about both axes and diagonals.
void carom_trig_circle(int k, int n, double *cosine, double *sine);

// The angle of (x, y) from the x axis, in [-pi, pi], within 1.5 units in the last place; zeros,
// infinities and what is no number as in C's atan2.
double carom_trig_atan2(double y, double x);

// The angle in [0, pi] whose cosine is c, -1 <= c <= 1; within 4e-16.
double carom_trig_acos(double c);

#endif
