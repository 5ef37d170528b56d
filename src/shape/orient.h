// Making the triangles of a mesh agree on which side is outside.
#ifndef CAROM_SHAPE_ORIENT_H
#define CAROM_SHAPE_ORIENT_H

#include "shape/mesh.h"

// Counts open and nonmanifold edges and pieces; turns triangles and pieces (on open or nonmanifold
// surfaces only what the counts need).
carom_status carom_orient_mesh(carom_mesh *mesh, carom_mesh_report *report, carom_error *err);

// Counts open and nonmanifold edges, and the others whose two triangles run along them the same
// way; turns nothing.
carom_status carom_orient_edges(const carom_mesh *mesh, carom_mesh_report *report, int *against,
                                carom_error *err);

#endif
