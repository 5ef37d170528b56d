// Mass properties at unit density: volume, first and second moments, and how they add.
#ifndef CAROM_SHAPE_MASS_H
#define CAROM_SHAPE_MASS_H

#include "shape/pose.h"
#include "carom/shape.h"

// Integrals over a solid about the origin: of 1, of x, and of x x^T.
typedef struct carom_mass_moments {
    double volume;
    vec3 first;
    sym3 second;
} carom_mass_moments;

// Adds the tetrahedron (origin, a, b, c), signed by its orientation. Over the triangles of a closed
// surface (counter-clockwise from outside) the sum is the exact integral over the solid.
void carom_mass_add_triangle(carom_mass_moments *moments, vec3 a, vec3 b, vec3 c);
// Adds a solid with these properties, placed at `pose`.
void carom_mass_add_solid(carom_mass_moments *moments, const carom_mass *mass,
                          const carom_pose *pose);
// Centre of mass, and the properties about it.
vec3 carom_mass_centre(const carom_mass_moments *moments);
carom_mass carom_mass_about_centre(const carom_mass_moments *moments);

#endif
