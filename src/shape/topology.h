// Edges, normals and probes of a clean closed mesh.
#ifndef CAROM_SHAPE_TOPOLOGY_H
#define CAROM_SHAPE_TOPOLOGY_H

#include "shape/mesh.h"

// Fills everything of the mesh that follows from its vertices and triangles (already there).
carom_status carom_topology_build(carom_mesh *mesh, carom_error *err);

#endif
