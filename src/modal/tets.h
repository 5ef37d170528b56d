// What the readers of tetrahedra hand over, and what they share.
#ifndef CAROM_MODAL_TETS_H
#define CAROM_MODAL_TETS_H

#include <stdbool.h>
#include <stddef.h>
#include "base/cursor.h"
#include "carom/modal.h"

// As read: node numbers count from 0; `per` is 4 or 10 nodes per tetrahedron, in any order of the
// middles.
typedef struct carom_tets_raw {
    double *nodes;
    int *tets;
    int node_count, tet_count, per;
} carom_tets_raw;

// The corners of each edge, in the order of the middle nodes.
extern const int carom_tets_edges[6][2];

carom_status carom_tets_msh(carom_cursor *c, carom_tets_raw *raw, carom_error *err);
carom_status carom_tets_node(carom_cursor *node, carom_cursor *ele, carom_tets_raw *raw,
                             carom_error *err);

#endif
