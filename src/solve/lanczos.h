// The lowest eigenpairs of K u = lambda M u, K and M symmetric, M positive definite: block Lanczos
// on (K + shift M)^-1 M with full orthogonalisation and thick restarts [ThickRestart].
//
// Blocks of CAROM_LANCZOS_BLOCK vectors, x[row][lane], go through the factorisation together: it is
// read from memory once per block, not once per vector, and clusters up to the block's width are
// found at once; wider ones are found because every result is verified (see the source). Sums run
// over fixed chunks of rows: any number of threads gives the same bits.
#ifndef CAROM_SOLVE_LANCZOS_H
#define CAROM_SOLVE_LANCZOS_H

#include "base/progress.h"

enum { CAROM_LANCZOS_BLOCK = 8 };

typedef struct carom_lanczos_problem {
    int rows;
    double shift;                                                // > 0
    void (*multiply)(void *context, const double *x, double *y); // y = M x, one block
    void (*solve)(void *context, double *x);                     // x := (K + shift M)^-1 x
    void *context;
    // One block of known eigenvectors, M-orthonormal (zero lanes allowed), kept out of the result
    // exactly; null: none.
    const double *known;
    int wanted;       // eigenpairs; rounded up to whole blocks
    double tolerance; // residual of (K + shift M)^-1 M relative to its eigenvalue
    int threads;
    int blocks_max; // of the basis before a restart, at first; 0: chosen from the memory it takes
} carom_lanczos_problem;

typedef struct carom_lanczos_result {
    int count;        // eigenpairs: at least as many as wanted, in whole blocks
    double *lambda;   // ascending
    double *vectors;  // blocks of lanes: vector i, row r is vectors[(i / 8 * rows + r) * 8 + i % 8]
    double *residual; // of each, relative as above, within the tolerance
    int solves, restarts;
} carom_lanczos_result;

carom_status carom_lanczos_lowest(const carom_lanczos_problem *problem,
                                  const carom_progress *progress, carom_lanczos_result *result,
                                  carom_error *err);
void carom_lanczos_free(carom_lanczos_result *result);

// Makes the lanes of one block M-orthonormal, in place; lanes that depend on earlier ones become
// zero. `image` is scratch of one block. Returns how many are left; -1: no memory.
int carom_lanczos_orthonormal(const carom_lanczos_problem *problem, double *block, double *image);

#endif
