// Half space z <= 0.
#include "shape/kinds.h"

carom_status carom_plane_create(carom_shape **out, carom_error *err)
{
    TRY(carom_shape_new(CAROM_SHAPE_PLANE, out, err));
    double far = HUGE_VAL;
    (*out)->bounding_radius = far;
    (*out)->bounds = (carom_bounds){ { -far, -far, -far }, { far, far, 0 } };
    return CAROM_OK;
}

carom_nearest carom_plane_nearest(const carom_shape *shape, vec3 point)
{
    (void)shape;
    return (carom_nearest){ vec3_make(point.x, point.y, 0), vec3_make(0, 0, 1), point.z, 0 };
}
