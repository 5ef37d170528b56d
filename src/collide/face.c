// Support faces.
#include "collide/face.h"

static void polytope_face(const carom_core *core, vec3 direction, carom_face *face)
{
    const carom_polytope *p = core->shape->polytope;
    vec3 local = mat3_tmul(core->pose.rotation, direction);
    // Only faces at the farthest corner qualify: on a needle the best aligned face may be
    // elsewhere.
    int corner = carom_polytope_support(p, local), best = -1;
    double max = -2;
    for (int f = 0; f < p->face_count; ++f) {
        double along = vec3_dot(p->normal[f], local);
        if (along <= max)
            continue;
        for (int i = p->first[f]; i < p->first[f + 1]; ++i)
            if (p->loop[i] == corner) {
                max = along;
                best = f;
                break;
            }
    }
    face->count = p->first[best + 1] - p->first[best];
    face->normal = mat3_mul(core->pose.rotation, p->normal[best]);
    face->offset = p->offset[best] + vec3_dot(face->normal, core->pose.position);
    face->name = CAROM_FEATURE_FACE | (uint32_t)best;
    for (int k = 0; k < face->count; ++k) {
        int i = p->first[best] + k;
        face->corner[k] = carom_pose_out(&core->pose, p->vertex[p->loop[i]]);
        face->corner_name[k] = CAROM_FEATURE_VERTEX | (uint32_t)p->loop[i];
        face->side_name[k] = CAROM_FEATURE_EDGE | (uint32_t)p->loop_edge[i];
    }
}

// Box faces need no search: the axis with the largest share of the direction. Loops as in
// shape/box.c.
static void box_face(const carom_core *core, vec3 direction, carom_face *face)
{
    const carom_polytope *p = core->shape->polytope;
    vec3 local = mat3_tmul(core->pose.rotation, direction);
    double ax = fabs(local.x), ay = fabs(local.y), az = fabs(local.z);
    int axis = ax >= ay && ax >= az ? 0 : ay >= az ? 1 : 2;
    double share = axis == 0 ? local.x : axis == 1 ? local.y : local.z;
    int f = 2 * axis + (share < 0);
    face->count = 4;
    face->normal = vec3_scale(share < 0 ? -1 : 1, carom_pose_column(&core->pose, axis));
    face->offset = p->offset[f] + vec3_dot(face->normal, core->pose.position);
    face->name = CAROM_FEATURE_FACE | (uint32_t)f;
    for (int k = 0; k < 4; ++k) {
        int i = 4 * f + k;
        face->corner[k] = carom_pose_out(&core->pose, p->vertex[p->loop[i]]);
        face->corner_name[k] = CAROM_FEATURE_VERTEX | (uint32_t)p->loop[i];
        face->side_name[k] = CAROM_FEATURE_EDGE | (uint32_t)p->loop_edge[i];
    }
}

static void segment_face(vec3 a, vec3 b, vec3 direction, carom_face *face)
{
    vec3 along = vec3_unit(vec3_sub(b, a));
    face->count = 2;
    face->normal = vec3_unit(vec3_axpy(direction, -vec3_dot(direction, along), along));
    face->offset = vec3_dot(face->normal, a);
    face->name = face->side_name[0] = face->side_name[1] = CAROM_FEATURE_EDGE;
    face->corner[0] = a;
    face->corner[1] = b;
    face->corner_name[0] = CAROM_FEATURE_VERTEX | 0;
    face->corner_name[1] = CAROM_FEATURE_VERTEX | 1;
}

static void point_face(vec3 point, vec3 direction, uint32_t name, carom_face *face)
{
    face->count = 1;
    face->normal = direction;
    face->offset = vec3_dot(direction, point);
    face->corner[0] = point;
    face->name = face->corner_name[0] = face->side_name[0] = name;
}

// cos and sin of k * 22.5 degrees.
static const double rim_cos[CAROM_FACE_RIM] = {
    1,  0.92387953251128674,  0.70710678118654752,  0.38268343236508977,
    0,  -0.38268343236508977, -0.70710678118654752, -0.92387953251128674,
    -1, -0.92387953251128674, -0.70710678118654752, -0.38268343236508977,
    0,  0.38268343236508977,  0.70710678118654752,  0.92387953251128674
};

static void cap_face(const carom_core *core, double sign, carom_face *face)
{
    double r = core->shape->radius, h = sign * core->shape->half_length;
    uint32_t cap = sign < 0;
    face->count = CAROM_FACE_RIM;
    face->normal = vec3_scale(sign, carom_pose_column(&core->pose, 2));
    face->offset = core->shape->half_length + vec3_dot(face->normal, core->pose.position);
    face->name = CAROM_FEATURE_FACE | (1 + cap);
    for (int k = 0; k < CAROM_FACE_RIM; ++k) {
        // Counter-clockwise about +z for the upper cap, clockwise for the lower one.
        int at = sign > 0 ? k : (CAROM_FACE_RIM - k) % CAROM_FACE_RIM;
        double c = rim_cos[at], s = rim_cos[(at + 3 * CAROM_FACE_RIM / 4) % CAROM_FACE_RIM];
        face->corner[k] = carom_pose_out(&core->pose, vec3_make(r * c, r * s, h));
        face->corner_name[k] = CAROM_FEATURE_VERTEX | (cap << 8) | (uint32_t)at;
        face->side_name[k] = CAROM_FEATURE_EDGE | (cap << 8) | (uint32_t)at;
    }
}

// The cap when it looks the right way within 8 degrees, the nearest line of the barrel within 8
// degrees of broadside, else the point of the rim.
static void cylinder_face(const carom_core *core, vec3 direction, carom_face *face)
{
    vec3 local = mat3_tmul(core->pose.rotation, direction);
    double r = core->shape->radius, h = core->shape->half_length;
    double rho = sqrt(local.x * local.x + local.y * local.y);
    if (fabs(local.z) > 0.99) {
        cap_face(core, local.z < 0 ? -1 : 1, face);
        return;
    }
    double x = r * local.x / rho, y = r * local.y / rho;
    vec3 low = carom_pose_out(&core->pose, vec3_make(x, y, -h));
    vec3 high = carom_pose_out(&core->pose, vec3_make(x, y, h));
    if (fabs(local.z) < 0.14)
        segment_face(low, high, direction, face);
    else
        point_face(local.z < 0 ? low : high, direction,
                   CAROM_FEATURE_VERTEX | 0x1000u | (local.z < 0), face);
}

static void capsule_face(const carom_core *core, vec3 direction, carom_face *face)
{
    double h = core->shape->half_length;
    double z = vec3_dot(direction, carom_pose_column(&core->pose, 2));
    vec3 low = carom_pose_out(&core->pose, vec3_make(0, 0, -h));
    vec3 high = carom_pose_out(&core->pose, vec3_make(0, 0, h));
    if (fabs(z) < 0.5)
        segment_face(low, high, direction, face);
    else
        point_face(z < 0 ? low : high, direction, CAROM_FEATURE_VERTEX | (z >= 0), face);
}

void carom_face_towards(const carom_core *core, vec3 direction, carom_face *face)
{
    if (core->shape->kind == CAROM_SHAPE_BOX)
        box_face(core, direction, face);
    else if (core->shape->kind == CAROM_SHAPE_HULL)
        polytope_face(core, direction, face);
    else if (core->shape->kind == CAROM_SHAPE_CYLINDER)
        cylinder_face(core, direction, face);
    else
        capsule_face(core, direction, face);
}
