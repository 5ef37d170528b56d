// A sphere against everything: the nearest point of the other shape to its centre.
#include "collide/pairs.h"
#include "shape/mesh.h"

// The nearest point in the other shape's frame, as a contact from the sphere to the shape.
static void add_nearest(const carom_shape *sphere, vec3 centre, const carom_pose *pose,
                        const carom_nearest *nearest, double margin, carom_manifold *out)
{
    double gap = nearest->distance - sphere->radius;
    if (gap > margin)
        return;
    vec3 normal = vec3_neg(mat3_mul(pose->rotation, nearest->normal));
    vec3 on_sphere = vec3_axpy(centre, sphere->radius, normal);
    vec3 on_other = carom_pose_out(pose, nearest->point);
    carom_manifold_add(out, (carom_manifold_point){ vec3_scale(0.5, vec3_add(on_sphere, on_other)),
                                                    normal, gap, 0, nearest->feature });
}

static void touch_mesh(const carom_shape *sphere, vec3 centre, const carom_shape *other,
                       const carom_pose *pose, double margin, carom_manifold *out)
{
    vec3 local = carom_pose_in(pose, centre);
    carom_nearest found[32];
    int count = carom_mesh_local_nearest(other->mesh, local, sphere->radius + margin, found, 32);
    for (int i = 0; i < count; ++i)
        add_nearest(sphere, centre, pose, &found[i], margin, out);
}

void carom_sphere_touch(const carom_shape *sphere, vec3 centre, const carom_shape *other,
                        const carom_pose *pose, double margin, carom_manifold *out)
{
    if (other->kind == CAROM_SHAPE_MESH) {
        touch_mesh(sphere, centre, other, pose, margin, out);
        return;
    }
    if (other->kind == CAROM_SHAPE_SPHERE) {
        // Both surfaces by the same formula, so that the pair comes out alike from either side.
        vec3 d = vec3_sub(pose->position, centre);
        double length = vec3_length(d), gap = length - (sphere->radius + other->radius);
        vec3 n = length > 0 ? vec3_scale(1 / length, d) : vec3_make(0, 0, 1);
        vec3 point = vec3_scale(0.5, vec3_add(vec3_axpy(centre, sphere->radius, n),
                                              vec3_axpy(pose->position, -other->radius, n)));
        if (gap <= margin)
            carom_manifold_add(out, (carom_manifold_point){ point, n, gap, 0, 0 });
        return;
    }
    carom_nearest nearest = carom_shape_nearest(other, carom_pose_in(pose, centre));
    add_nearest(sphere, centre, pose, &nearest, margin, out);
}
