// Sine and cosine with the same bits everywhere.
//
// The C library may choose another variant per processor, whose last bit differs; this one uses
// only additions and multiplications in a fixed order.
#ifndef CAROM_MATH_TURN_H
#define CAROM_MATH_TURN_H

// sine_cosine[0] = sin, [1] = cos of an angle in degrees; exact at multiples of 90, within 1e-15
// elsewhere.
void carom_turn_degrees(double degrees, double sine_cosine[2]);

#endif
