// Does a surface meet itself?
#ifndef CAROM_SHAPE_CROSSING_H
#define CAROM_SHAPE_CROSSING_H

#include "shape/mesh.h"

// Counts pairs of triangles that cross or touch although they share no vertex, and pairs that share
// one vertex and cross beyond it. `place` is near where the first of them meet (m).
carom_status carom_crossing_count(const carom_mesh *mesh, int *count, vec3 *place,
                                  carom_error *err);

#endif
