// Sphere: centre at the origin.
#include "shape/kinds.h"
#include "math/constants.h"

#include <stdlib.h>

carom_status carom_sphere_create(double radius, carom_shape **out, carom_error *err)
{
    NEED(err, out);
    *out = NULL;
    TRY(carom_shape_positive(radius, "the radius of a sphere", err));
    TRY(carom_shape_new(CAROM_SHAPE_SPHERE, out, err));
    carom_shape *shape = *out;
    double volume = 4.0 / 3 * CAROM_PI * radius * radius * radius,
           i = 0.4 * volume * radius * radius;
    shape->radius = shape->bounding_radius = radius;
    shape->bounds = (carom_bounds){ { -radius, -radius, -radius }, { radius, radius, radius } };
    shape->mass = (carom_mass){ volume, { i, i, i, 0, 0, 0 } };
    return CAROM_OK;
}

carom_nearest carom_sphere_nearest(const carom_shape *shape, vec3 point)
{
    double length = vec3_length(point);
    vec3 normal = length > 0 ? vec3_scale(1 / length, point) : vec3_make(0, 0, 1);
    return (carom_nearest){ vec3_scale(shape->radius, normal), normal, length - shape->radius, 0 };
}
