// Points of the unit circle with the same bits everywhere.
#ifndef CAROM_SHAPE_CIRCLE_H
#define CAROM_SHAPE_CIRCLE_H

// Cosine and sine of k / n of a full turn (0 <= k <= n, n >= 1), within 1 ulp, exactly symmetric
// about both axes and diagonals.
void carom_circle_point(int k, int n, double *cosine, double *sine);

#endif
