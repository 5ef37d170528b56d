// The quadratic program of the first instant in space, for the files of this room.
#ifndef CAROM_TOWER_SPACE_INITIAL_H
#define CAROM_TOWER_SPACE_INITIAL_H

#include "tower/tower_space.h"

// Finds the contacts (release contacts->item with free also after a failure) and makes the program
// for y = (a - g, L^T alpha); everything else lives in the arena.
carom_status carom_tower_space_initial_problem(const carom_tower_space *tower,
                                               space_contacts *contacts, carom_arena *arena,
                                               carom_qp *qp, carom_error *err);

#endif
