// How thin a solid is, and how narrow the space between its walls.
#ifndef CAROM_MODAL_MODAL_THICKNESS_H
#define CAROM_MODAL_MODAL_THICKNESS_H

#include "base/error.h"
#include "carom/shape.h"

typedef struct carom_modal_thickness {
    double wall; // a twentieth of the wall surface (by area) is thinner
    double gap;  // the same for free space between walls that face each other; infinite: none
    double overlapping; // share of lines on which the solid overlaps itself
    double broken;      // share of lines that do not end outside
} carom_modal_thickness;

// `surface` in lattice units: its box is [0, extent], the longest extent 1.
carom_status carom_modal_thickness_measure(const carom_mesh_source *surface, const double extent[3],
                                           carom_modal_thickness *out, carom_error *err);

#endif
