// Capsule: a segment on the z axis, thickened by the radius.
#include "shape/kinds.h"
#include "math/constants.h"

#include <stddef.h>

carom_status carom_capsule_create(double radius, double half_length, carom_shape **out,
                                  carom_error *err)
{
    NEED(err, out);
    *out = NULL;
    TRY(carom_shape_positive(radius, "the radius of a capsule", err));
    TRY(carom_shape_positive(half_length, "the half length of a capsule", err));
    TRY(carom_shape_new(CAROM_SHAPE_CAPSULE, out, err));
    carom_shape *shape = *out;
    double r = radius, h = half_length;
    shape->radius = r;
    shape->half_length = h;
    shape->bounding_radius = r + h;
    shape->bounds = (carom_bounds){ { -r, -r, -r - h }, { r, r, r + h } };
    // Cylinder plus two half balls; a half ball's centre lies 3/8 r beyond the end of the segment,
    // which gives the mixed term h * 3/4 r.
    double barrel = 2 * CAROM_PI * r * r * h, ball = 4.0 / 3 * CAROM_PI * r * r * r;
    double across = barrel * (r * r / 4 + h * h / 3) + ball * (0.4 * r * r + h * h + 0.75 * h * r);
    double along = barrel * r * r / 2 + ball * 0.4 * r * r;
    shape->mass = (carom_mass){ barrel + ball, { across, across, along, 0, 0, 0 } };
    return CAROM_OK;
}

carom_nearest carom_capsule_nearest(const carom_shape *shape, vec3 point)
{
    double h = shape->half_length, z = point.z < -h ? -h : point.z > h ? h : point.z;
    vec3 away = vec3_make(point.x, point.y, point.z - z);
    double length = vec3_length(away);
    vec3 normal = length > 0 ? vec3_scale(1 / length, away) : vec3_make(1, 0, 0);
    uint32_t feature = z == h ? 1 : z == -h ? 2 : 0;
    return (carom_nearest){ vec3_axpy(vec3_make(0, 0, z), shape->radius, normal), normal,
                            length - shape->radius, feature };
}
