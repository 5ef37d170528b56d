// Solid cylinder about the z axis.
#include "shape/kinds.h"
#include "math/constants.h"

#include <stddef.h>

carom_status carom_cylinder_create(double radius, double half_length, carom_shape **out,
                                   carom_error *err)
{
    NEED(err, out);
    *out = NULL;
    TRY(carom_shape_positive(radius, "the radius of a cylinder", err));
    TRY(carom_shape_positive(half_length, "the half length of a cylinder", err));
    TRY(carom_shape_new(CAROM_SHAPE_CYLINDER, out, err));
    carom_shape *shape = *out;
    double r = radius, h = half_length, volume = 2 * CAROM_PI * r * r * h;
    double across = volume * (r * r / 4 + h * h / 3);
    shape->radius = r;
    shape->half_length = h;
    shape->bounding_radius = sqrt(r * r + h * h);
    shape->bounds = (carom_bounds){ { -r, -r, -h }, { r, r, h } };
    shape->mass = (carom_mass){ volume, { across, across, volume * r * r / 2, 0, 0, 0 } };
    return CAROM_OK;
}

// Features: 0 barrel, 1 upper cap, 2 lower cap, 3 upper rim, 4 lower rim.
carom_nearest carom_cylinder_nearest(const carom_shape *shape, vec3 point)
{
    double r = shape->radius, h = shape->half_length;
    double rho = sqrt(point.x * point.x + point.y * point.y), side = rho - r;
    double sign = point.z < 0 ? -1 : 1, cap = fabs(point.z) - h;
    vec3 radial = rho > 0 ? vec3_make(point.x / rho, point.y / rho, 0) : vec3_make(1, 0, 0);
    vec3 axial = vec3_make(0, 0, sign);
    uint32_t lower = sign < 0;
    if (side > 0 && cap > 0) {
        vec3 rim = vec3_add(vec3_scale(r, radial), vec3_scale(h, axial));
        vec3 away = vec3_add(vec3_scale(side, radial), vec3_scale(cap, axial));
        double distance = vec3_length(away);
        return (carom_nearest){ rim, vec3_scale(1 / distance, away), distance, 3 + lower };
    }
    if (side >= cap)
        return (carom_nearest){ vec3_make(r * radial.x, r * radial.y, point.z), radial, side, 0 };
    return (carom_nearest){ vec3_make(point.x, point.y, sign * h), axial, cap, 1 + lower };
}
