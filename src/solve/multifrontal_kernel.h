// Dense kernels of the fronts.
#ifndef CAROM_SOLVE_MULTIFRONTAL_KERNEL_H
#define CAROM_SOLVE_MULTIFRONTAL_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

enum { CAROM_MULTIFRONTAL_BLOCK = 48 }; // columns eliminated together

// A panel holds the first k columns of a front with f rows in blocks of columns; a block starts at
// the row of its first column, so that next to nothing above the diagonal is stored.
static inline size_t carom_multifrontal_panel_size(int f, int k)
{
    size_t blocks = (size_t)(k / CAROM_MULTIFRONTAL_BLOCK),
           start = blocks * CAROM_MULTIFRONTAL_BLOCK;
    return start * (size_t)f - (start * start - start * CAROM_MULTIFRONTAL_BLOCK) / 2 +
           ((size_t)k - start) * ((size_t)f - start);
}
// Column j: entry i >= j is at [i].
static inline double *carom_multifrontal_column(double *panel, int f, int j)
{
    int start = j / CAROM_MULTIFRONTAL_BLOCK * CAROM_MULTIFRONTAL_BLOCK;
    return panel + carom_multifrontal_panel_size(f, start) +
           (size_t)(j - start) * (size_t)(f - start) - start;
}

// One product C -= A diag(d) B^T: A are the rows from `a` on of the panel's first k columns, m of
// them, B those from `b` on, n of them; C is m x n, column by column.
typedef struct carom_multifrontal_product {
    double *panel;
    const double *d;
    double *c;
    size_t ldc;
    int f, k, a, b, m, n;
    bool lower; // m = n, and only i >= j is wanted (some of the rest is written, too)
} carom_multifrontal_product;

// What the kernels need beside the fronts: on the heap, for a thread's packed tile is larger than
// some systems' whole stack.
typedef struct carom_multifrontal_kernel {
    struct carom_multifrontal_tile *tiles; // one per thread
    double *d;                             // pivots of the front in work
    int threads;
} carom_multifrontal_kernel;

// For fronts of up to `rows` rows; no more threads than their tiles can keep busy. False where
// there is no memory; is to be destroyed in any case.
bool carom_multifrontal_kernel_create(carom_multifrontal_kernel *kernel, int rows, int threads);
void carom_multifrontal_kernel_destroy(carom_multifrontal_kernel *kernel);

// Eliminates the first k columns of a front: panel becomes L (unit lower) with D on its diagonal,
// rest ((f - k)^2, lower triangle) what is left. Returns the first column whose pivot is zero or
// not a number, or -1.
int carom_multifrontal_kernel_eliminate(const carom_multifrontal_kernel *kernel, double *panel,
                                        double *rest, int f, int k);

#endif
