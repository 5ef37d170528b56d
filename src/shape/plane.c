// Half space z <= 0, turned by its body.
//
// A quaternion is rounded: what it makes of z is some 1e-16 off the normal that was asked for, and
// a ball between two such walls leaves its line within a few hundred bounces. So a plane that was
// made with a normal keeps it, for as long as it stands as it did then.
#include "shape/plane.h"

#include "carom/shape.h"
#include "shape/kinds.h"

#define ROUND_OFF 1e-15 // of a unit vector turned by a unit quaternion

carom_status carom_plane_create(carom_shape **out, carom_error *err)
{
    NEED(err, out);
    TRY(carom_shape_new(CAROM_SHAPE_PLANE, out, err));
    double far = HUGE_VAL;
    (*out)->bounding_radius = far;
    (*out)->bounds = (carom_bounds){ { -far, -far, -far }, { far, far, 0 } };
    (*out)->normal = (*out)->turned = vec3_make(0, 0, 1);
    return CAROM_OK;
}

carom_status carom_plane_towards(const double normal[3], double rotation[4], carom_shape **out,
                                 carom_error *err)
{
    NEED(err, normal);
    vec3 n = vec3_from(normal);
    double length = vec3_length(n);
    if (!(length > 0) || !isfinite(length)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the normal of a plane has length %g", length);
        return carom_error_fix(err, "give the direction away from the solid: 0, 0, 1");
    }
    if (fabs(length - 1) > ROUND_OFF)
        n = vec3_scale(1 / length, n);
    // from z to the normal about their common perpendicular; half-angle form without angles
    quat turn = { 1 + n.z, -n.y, n.x, 0 };
    if (turn.w < 1e-12)
        turn = (quat){ 0, 1, 0, 0 };
    turn = quat_unit(turn);
    TRY(carom_plane_create(out, err));
    carom_pose pose = carom_pose_make(vec3_make(0, 0, 0), turn);
    (*out)->normal = n;
    (*out)->turned = carom_pose_column(&pose, 2);
    rotation[0] = turn.w;
    rotation[1] = turn.x;
    rotation[2] = turn.y;
    rotation[3] = turn.z;
    return CAROM_OK;
}

vec3 carom_plane_normal(const carom_shape *plane, vec3 turned)
{
    vec3 off = vec3_sub(turned, plane->turned);
    bool same = fabs(off.x) <= ROUND_OFF && fabs(off.y) <= ROUND_OFF && fabs(off.z) <= ROUND_OFF;
    return same ? plane->normal : turned;
}

carom_nearest carom_plane_nearest(const carom_shape *shape, vec3 point)
{
    (void)shape;
    return (carom_nearest){ vec3_make(point.x, point.y, 0), vec3_make(0, 0, 1), point.z, 0 };
}
