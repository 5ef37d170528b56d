// Box: also a polytope with six faces, so that it meets hulls by the same code.
//
// Vertex v has x = half.x if bit 0 of v is set, else -half.x; likewise y with bit 1, z with bit 2.
// Face 2k is +axis k, face 2k + 1 is -axis k.
#include "shape/kinds.h"
#include "shape/polytope.h"

#include <stdlib.h>

static const int box_first[7] = { 0, 4, 8, 12, 16, 20, 24 };
static const int box_loop[24] = { 1, 3, 7, 5, 0, 4, 6, 2, 2, 6, 7, 3,
                                  0, 1, 5, 4, 4, 5, 7, 6, 0, 2, 3, 1 };

carom_status carom_box_create(const double half[3], carom_shape **out, carom_error *err)
{
    NEED(err, half, out);
    *out = NULL;
    for (int k = 0; k < 3; ++k)
        TRY(carom_shape_positive(half[k], "a half edge of a box", err));
    vec3 h = vec3_from(half), corner[8];
    for (int v = 0; v < 8; ++v)
        corner[v] = vec3_make(v & 1 ? h.x : -h.x, v & 2 ? h.y : -h.y, v & 4 ? h.z : -h.z);
    carom_polytope *polytope;
    TRY(carom_polytope_create(corner, 8, box_first, box_loop, 6, &polytope, err));
    carom_status status = carom_shape_new(CAROM_SHAPE_BOX, out, err);
    if (status != CAROM_OK) {
        carom_polytope_destroy(polytope);
        return status;
    }
    carom_shape *shape = *out;
    double volume = 8 * h.x * h.y * h.z, third = volume / 3;
    shape->half = h;
    shape->polytope = polytope;
    shape->bounding_radius = vec3_length(h);
    shape->bounds = (carom_bounds){ vec3_neg(h), h };
    shape->mass = (carom_mass){ volume,
                                { third * (h.y * h.y + h.z * h.z), third * (h.x * h.x + h.z * h.z),
                                  third * (h.x * h.x + h.y * h.y), 0, 0, 0 } };
    return CAROM_OK;
}

static double clamped(double value, double half)
{
    return value < -half ? -half : value > half ? half : value;
}

// Inside, the nearest face; ties go to x before y before z.
static carom_nearest nearest_inside(vec3 half, vec3 point)
{
    double h[3], p[3], depth = HUGE_VAL, normal[3] = { 0 };
    vec3_store(half, h);
    vec3_store(point, p);
    int axis = 0;
    for (int k = 0; k < 3; ++k)
        if (h[k] - fabs(p[k]) < depth) {
            depth = h[k] - fabs(p[k]);
            axis = k;
        }
    double sign = p[axis] < 0 ? -1 : 1;
    normal[axis] = sign;
    p[axis] = sign * h[axis];
    return (carom_nearest){ vec3_from(p), vec3_from(normal), -depth,
                            (uint32_t)(2 * axis + (sign < 0)) };
}

carom_nearest carom_box_nearest(const carom_shape *shape, vec3 point)
{
    vec3 h = shape->half;
    vec3 q = vec3_make(clamped(point.x, h.x), clamped(point.y, h.y), clamped(point.z, h.z));
    vec3 away = vec3_sub(point, q);
    double distance = vec3_length(away);
    if (distance == 0)
        return nearest_inside(h, point);
    // Which of the 26 features: one base-3 digit per axis (inside, above, below).
    uint32_t digit[3] = { away.x == 0  ? 0
                          : away.x > 0 ? 1
                                       : 2,
                          away.y == 0  ? 0
                          : away.y > 0 ? 1
                                       : 2,
                          away.z == 0  ? 0
                          : away.z > 0 ? 1
                                       : 2 };
    uint32_t feature = digit[0] + 3 * digit[1] + 9 * digit[2];
    // A face keeps its number whether the point is inside or outside.
    uint32_t face = feature == 1    ? 0
                    : feature == 2  ? 1
                    : feature == 3  ? 2
                    : feature == 6  ? 3
                    : feature == 9  ? 4
                    : feature == 18 ? 5
                                    : 0x40000000u | feature;
    return (carom_nearest){ q, vec3_scale(1 / distance, away), distance, face };
}
