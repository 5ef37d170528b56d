// Simple solids for tests of modes and bounces.
#ifndef CAROM_TESTS_SOLIDS_H
#define CAROM_TESTS_SOLIDS_H

#include "carom/modal.h"

// A box as a mesh, turned by `turn` about z and then by 1.3 times that about y (rad).
carom_shape *solids_box(const double half[3], double turn);
// The same turn of a vector.
void solids_turn(const double from[3], double turn, double to[3]);
// The modes of a mesh shape; fails the test where they cannot be computed.
carom_modes *solids_modes(const carom_shape *mesh, const carom_modal_material *material,
                          const carom_modal_options *options);
// A box from 0 to `size` cut into n cubes along each axis and six tetrahedra each.
carom_tets *solids_tets(const int n[3], const double size[3]);

#endif
