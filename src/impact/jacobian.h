// Contacts of a set as unit rows for the solvers: rows of J M^-1/2 over the bodies of the set.
//
// M^-1/2 of a body is the root of its inverse mass and the Cholesky factor C of its inverse
// inertia, C C^T = I^-1; unknowns y with v+ = v- + C y. A row divided by its length sqrt(W_ii)
// turns impulses into x_i = sqrt(W_ii) lam_i.
#ifndef CAROM_IMPACT_JACOBIAN_H
#define CAROM_IMPACT_JACOBIAN_H

#include "impact/inelastic.h"
#include "solve/lcp.h"

typedef struct carom_jacobian {
    carom_lcp_rows rows; // one per contact, or three (normal, t1, t2)
    double *scale;       // per row: W_ii^-1/2
    int body_count;
    int *body;         // problem index per local body; immovable bodies have none
    int (*local)[2];   // per contact: local bodies a and b, -1 for immovable ones
    int *columns;      // six per local body: column of y, -1 where no row uses it
    double (*root)[7]; // root of the inverse mass, C as xx xy yy xz yz zz (row by row)
} carom_jacobian;

// Positions of a set grouped into parts that share movable bodies.
typedef struct carom_jacobian_parts {
    int count;
    int *first;    // count + 1
    int *position; // positions of the set, ascending per part; parts by their lowest position
} carom_jacobian_parts;

carom_status carom_jacobian_split(const carom_problem *problem, const carom_contact_set *set,
                                  carom_arena *scratch, carom_jacobian_parts *parts,
                                  carom_error *err);

// `directions` is 1 (normals) or 3 (with tangents; the problem must have them).
carom_status carom_jacobian_build(const carom_problem *problem, const carom_contact_set *set,
                                  int directions, carom_arena *scratch, carom_jacobian *jacobian,
                                  carom_error *err);

// v += C y for the bodies of the set.
void carom_jacobian_add(const carom_jacobian *jacobian, const double *y, carom_twist *v);

// Sum of the sizes of the terms of a row's speed: its round-off is a few 1e-16 of this.
double carom_jacobian_speed_terms(const carom_row *row, const carom_twist *v);

#endif
