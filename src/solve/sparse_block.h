// L D L^T factorisation of sparse symmetric positive definite matrices made of square blocks of
// three or six: one block per rigid body (three numbers in the plane or half of a body in space,
// six in space), coupled as a graph says.
//
// The order of elimination (minimum degree) and the places of all blocks of L are found by
// carom_sparse_block_order; filling, factorising and solving allocate nothing.
#ifndef CAROM_SOLVE_SPARSE_BLOCK_H
#define CAROM_SOLVE_SPARSE_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include "base/arena.h"

typedef struct carom_sparse_block carom_sparse_block;

// `size` of a block: 3 or 6. `limit_bytes` bounds the memory; 0: no bound. Null without memory.
carom_sparse_block *carom_sparse_block_create(int size, size_t limit_bytes);
void carom_sparse_block_destroy(carom_sparse_block *s);

// From now on, elimination may take so much: the sum of the squares of how many nodes each of them
// is coupled with when it goes. 0: no bound.
void carom_sparse_block_bound(carom_sparse_block *s, double most_work);
// Prepares for `count` nodes; edges join two different ones of them and may occur more than once.
// After a failure, and where it would take more than the bound, the matrix has no nodes. What is
// taken from `scratch` is given back.
carom_status carom_sparse_block_order(carom_sparse_block *s, int count, const int (*edges)[2],
                                      int edge_count, carom_arena *scratch, carom_error *err);
int carom_sparse_block_count(const carom_sparse_block *s);

// Where block (i, j) is, for carom_sparse_block_add_at; -1: there is none, as no edge and no
// elimination joins the two.
int carom_sparse_block_place(const carom_sparse_block *s, int i, int j);

// Sets all blocks to zero.
void carom_sparse_block_clear(carom_sparse_block *s);
// Adds `size` numbers to the diagonal of block (i, i).
void carom_sparse_block_add_diagonal(carom_sparse_block *s, int i, const double *weight);
// Adds a whole block, row by row, to that of node i on the diagonal.
void carom_sparse_block_add_block(carom_sparse_block *s, int i, const double *entries);
// Adds weight u w^T to a block and, where it is off the diagonal, the transpose to the one
// opposite.
void carom_sparse_block_add_at(carom_sparse_block *s, int place, double weight, const double *u,
                               const double *w);
// The same by nodes, which are one or have an edge.
void carom_sparse_block_add(carom_sparse_block *s, int i, int j, double weight, const double *u,
                            const double *w);

// False, and the matrix is spoilt, where a pivot is not positive.
bool carom_sparse_block_factor(carom_sparse_block *s);
// x := K^-1 x, `size` numbers per node.
void carom_sparse_block_solve(const carom_sparse_block *s, double *x);

#endif
