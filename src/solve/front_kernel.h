// Dense kernels of the fronts; matrices are column by column.
#ifndef CAROM_SOLVE_FRONT_KERNEL_H
#define CAROM_SOLVE_FRONT_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

// Vector code chosen when the program starts. No fused operations: all widths give the same bits.
#if defined(__x86_64__) && defined(__GNUC__)
#define CAROM_FRONT_WIDE __attribute__((target_clones("default", "avx2")))
#else
#define CAROM_FRONT_WIDE
#endif

// One product C -= A diag(d) B^T: A is m x k, B n x k, C m x n.
typedef struct carom_front_product {
    const double *a, *b, *d;
    double *c;
    size_t lda, ldb, ldc;
    int m, n, k;
    bool lower; // m = n, and only i >= j is wanted (some of the rest is written, too)
    int threads;
} carom_front_product;

void carom_front_kernel_multiply(const carom_front_product *p);

// Eliminates the first k columns of a front: panel (f rows, k columns) becomes L (unit lower) with
// D on its diagonal, rest ((f - k)^2, lower triangle) what is left. Returns the first column whose
// pivot is zero or not a number, or -1.
int carom_front_kernel_eliminate(double *panel, double *rest, int f, int k, int threads);

#endif
