// Judging a surface for the lattice: closed, oriented, with a positive volume; and its integrals.
#ifndef CAROM_MODAL_MODAL_SURFACE_H
#define CAROM_MODAL_MODAL_SURFACE_H

#include "base/error.h"
#include "carom/shape.h"

// A copy in lattice units, and the exact mass properties at unit density in those units.
typedef struct carom_modal_surface {
    carom_mesh_source source; // vertices owned, triangles of the original
    double *vertices;
    double corner[3], unit; // m
    double volume, centre[3], inertia[6];
} carom_modal_surface;

carom_status carom_modal_surface_make(const carom_mesh_source *given, carom_modal_surface *out,
                                      carom_error *err);
void carom_modal_surface_free(carom_modal_surface *surface);

#endif
