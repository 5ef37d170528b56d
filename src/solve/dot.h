// Scalar products in a fixed order of additions.
#ifndef CAROM_SOLVE_DOT_H
#define CAROM_SOLVE_DOT_H

// Four running sums: a single one would wait for each addition.
static inline double dot_quick(const double *a, const double *b, int count)
{
    double sum[4] = { 0, 0, 0, 0 };
    int k = 0;
    for (; k + 4 <= count; k += 4)
        for (int lane = 0; lane < 4; ++lane)
            sum[lane] += a[k + lane] * b[k + lane];
    for (; k < count; ++k)
        sum[0] += a[k] * b[k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

#endif
