// What each kind of shape offers to shape.c; everybody else goes through shape.h.
#ifndef CAROM_SHAPE_KINDS_H
#define CAROM_SHAPE_KINDS_H

#include "shape/shape.h"

carom_nearest carom_sphere_nearest(const carom_shape *shape, vec3 point);
carom_nearest carom_capsule_nearest(const carom_shape *shape, vec3 point);
carom_nearest carom_cylinder_nearest(const carom_shape *shape, vec3 point);
carom_nearest carom_box_nearest(const carom_shape *shape, vec3 point);
carom_nearest carom_plane_nearest(const carom_shape *shape, vec3 point);
carom_nearest carom_compound_nearest(const carom_shape *shape, vec3 point);

#endif
