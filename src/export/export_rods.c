// Lists joints and gives each the pose of a rod between its anchors.
#include "export/export_rods.h"

#include <math.h>
#include "shape/shape.h"

int carom_export_rods_list(const carom_recording *recording, carom_export_rod *out)
{
    int count = 0;
    for (int i = 0; i < recording->joint_count; ++i) {
        const carom_world_joint *joint = &recording->joints[i];
        const int body[2] = { joint->a, joint->b };
        const vec3 anchor[2] = { joint->anchor_a, joint->anchor_b };
        if (carom_joint_is_line(joint->kind)) {
            out[count++] = (carom_export_rod){ { body[0], body[1] }, { anchor[0], anchor[1] } };
            continue;
        }
        for (int k = 0; k < 2; ++k)
            if (body[k] >= 0 &&
                vec3_length(anchor[k]) >
                    carom_shape_radius(recording->forms[recording->form[body[k]]].shape))
                out[count++] =
                    (carom_export_rod){ { body[k], body[k] }, { vec3_make(0, 0, 0), anchor[k] } };
    }
    return count;
}

carom_export_rod_state carom_export_rods_state(const carom_recording *recording,
                                               const carom_export_rod *rod,
                                               const carom_frame *frame)
{
    vec3 end[2];
    for (int k = 0; k < 2; ++k) {
        end[k] = rod->end[k];
        if (rod->body[k] < 0)
            continue;
        carom_recording_body state = carom_recording_state(recording, frame, rod->body[k]);
        end[k] = vec3_add(state.position, quat_rotate(state.rotation, end[k]));
    }
    vec3 along = vec3_sub(end[1], end[0]);
    double length = fmax(vec3_length(along), 1e-9);
    vec3 n = vec3_scale(1 / length, along);
    // The shortest turn from z to n; half a turn about x where n is straight down.
    quat turn = { .w = 1 + n.z, .x = -n.y, .y = n.x, .z = 0 };
    if (n.z < -1 + 1e-12)
        turn = (quat){ .w = 0, .x = 1, .y = 0, .z = 0 };
    return (carom_export_rod_state){ vec3_scale(0.5, vec3_add(end[0], end[1])), quat_unit(turn),
                                     length };
}
