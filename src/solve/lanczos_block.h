// Products of tall blocks, eight lanes wide.
#ifndef CAROM_SOLVE_LANCZOS_BLOCK_H
#define CAROM_SOLVE_LANCZOS_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include "solve/lanczos.h"

typedef struct carom_lanczos_pair {
    int rows, threads;
    double *partial; // carom_lanczos_block_partial(rows, count) numbers of scratch
} carom_lanczos_pair;

size_t carom_lanczos_block_partial(int rows, int count);
// gram[i][p][q] = sum over rows of v[i][row][p] * y[row][q], i < count.
void carom_lanczos_block_gram(const carom_lanczos_pair *pair, double *const *v, int count,
                              const double *y, double *gram);
// z[row][q] -= sum_i sum_p v[i][row][p] * factor[i][p][q].
void carom_lanczos_block_subtract(const carom_lanczos_pair *pair, double *const *v, int count,
                                  const double *factor, double *z);
// out[k] = sum_i v[i] * s(i, k), s[(8 i + p) * 8 out_count + 8 k + q]; out may be blocks of v.
// False: no memory.
bool carom_lanczos_block_combine(const carom_lanczos_pair *pair, double *const *v, int count,
                                 const double *s, double *const *out, int out_count);

#endif
