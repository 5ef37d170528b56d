// Judging a mesh: does it bound a solid?
#ifndef CAROM_SHAPE_EXAMINE_H
#define CAROM_SHAPE_EXAMINE_H

#include "base/shared.h"
#include "shape/mesh.h"

// Welds, repairs as the policy allows, counts every fault, and fills vertices and triangles of
// `mesh` (given zeroed; the caller destroys it, also on failure).
carom_status carom_examine_mesh(const carom_mesh_source *source, carom_mesh_policy policy,
                                carom_mesh_report *report, carom_mesh *mesh, carom_error *err);

// Whether the triangles as they are given (vertices welded) bound a solid: every edge has two that
// run along it in opposite directions. Repairs nothing and does not look for crossings.
CAROM_SHARED carom_status carom_examine_closed(const carom_mesh_source *source, carom_error *err);

#endif
