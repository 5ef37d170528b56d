// The vibrations of a free elastic sphere in closed form.
//
// [Lamb, On the vibrations of an elastic sphere, Proc. London Math. Soc. 13 (1882)], in the form of
// [Eringen, Suhubi, Elastodynamics II (1975), section 8.14]; x = omega R / c_P, y = omega R / c_S:
//   torsional, l >= 1    (l - 1) j_l(y) - y j_l+1(y) = 0
//   radial, l = 0        y^2 j_0(x) = 4 x j_1(x)
//   spheroidal, l >= 1   T11 T43 - T13 T41 = 0 with
//     T11 = (l^2 - l - y^2 / 2) j_l(x) + 2 x j_l+1(x), T13 = l (l + 1) ((l - 1) j_l(y) - y
//     j_l+1(y)) T41 = (l - 1) j_l(x) - x j_l+1(x),               T43 = (l^2 - 1 - y^2 / 2) j_l(y) +
//     y j_l+1(y)
#ifndef CAROM_TESTS_LAMB_H
#define CAROM_TESTS_LAMB_H

// All roots y up to `top` (at most 11), ascending, each as often as it is there: 2 l + 1 times.
// Returns how many, at most `max`.
int lamb_roots(double nu, double top, int max, double *y);

#endif
