// Sine and cosine with the same bits on every machine: only additions and multiplications, in one
// order. The C library's may pick another algorithm on another processor.
#ifndef CAROM_MATH_TRIG_H
#define CAROM_MATH_TRIG_H

// |x| up to 1e5; error below 2e-16 absolute there.
double carom_trig_sin(double x);
double carom_trig_cos(double x);

// sine_cosine[0] = sin, [1] = cos of an angle in degrees; exact at multiples of 90, within 1e-15
// elsewhere.
void carom_trig_degrees(double degrees, double sine_cosine[2]);

#endif
