// Surfaces as triangles, for pictures and exports.
#ifndef CAROM_SHAPE_SURFACE_H
#define CAROM_SHAPE_SURFACE_H

#include "shape/shape.h"

typedef struct carom_surface_visitor {
    int segments;  // sides of a full circle, at least 3
    double extent; // half width of the square that stands for a plane, m
    void (*triangle)(void *context, const double corners[9]);
    void *context;
} carom_surface_visitor;

void carom_surface_visit(const carom_shape *shape, const carom_pose *pose,
                         const carom_surface_visitor *visitor);

#endif
