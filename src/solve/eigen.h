// Eigenvalues and eigenvectors of a dense symmetric matrix.
#ifndef CAROM_SOLVE_EIGEN_H
#define CAROM_SOLVE_EIGEN_H

#include <stdbool.h>

// a (n x n, row by row, symmetric) is replaced by the eigenvectors: column k, a[i * n + k], belongs
// to value[k], ascending. `work` holds 2 n numbers. False when the iteration budget ended, which
// finite input does not bring about.
bool carom_eigen_symmetric(int n, double *a, double *value, double *work);

#endif
