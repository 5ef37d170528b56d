// Rotations and lists of points.
#include "math/trig.h"
#include "scene/scene_world.h"

carom_status carom_scene_pose_rotation(const carom_value *object, const carom_numbers *rotation,
                                       const carom_numbers *turn, quat *out, carom_error *err)
{
    carom_value value;
    *out = quat_identity();
    if (carom_value_member(object, "rotation", &value)) {
        const double *q = rotation->values;
        if (carom_value_member(object, "turn", NULL))
            return carom_value_fail_key(object, "turn", err, "keep one of the two",
                                        "both rotation and turn are given");
        if (rotation->count != 4)
            return carom_value_fail(&value, err, "write a unit quaternion: [w, x, y, z]",
                                    "rotation has %d numbers, not 4", rotation->count);
        double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        if (!(fabs(norm - 1) < 1e-6))
            return carom_value_fail(&value, err,
                                    "divide by its length, or write \"turn\": [x, y, z, degrees]",
                                    "the quaternion has length %.9g, not 1", norm);
        *out = quat_unit((quat){ q[0], q[1], q[2], q[3] });
    } else if (carom_value_member(object, "turn", &value)) {
        if (turn->count != 4)
            return carom_value_fail(&value, err, "write axis and angle: [x, y, z, degrees]",
                                    "turn has %d numbers, not 4", turn->count);
        vec3 axis = vec3_from(turn->values);
        double half[2], length = vec3_length(axis), angle = turn->values[3];
        if (!(length > 0) || !(fabs(angle) <= 1e6))
            return carom_value_fail(&value, err, "write axis and angle: [x, y, z, degrees]",
                                    "turn has an axis of length %g and an angle of %g degrees",
                                    length, angle);
        carom_trig_degrees(0.5 * angle, half);
        axis = vec3_scale(half[0] / length, axis);
        *out = quat_unit((quat){ half[1], axis.x, axis.y, axis.z });
    }
    return CAROM_OK;
}

carom_status carom_scene_pose_points(const carom_value *list, int size, double **points, int *count,
                                     carom_error *err)
{
    TRY(carom_value_array(list, err));
    *count = (int)carom_value_count(list);
    TAKE(carom_reader_memory(list->reader), *points, (size_t)size * (size_t)*count + 1, err);
    for (int i = 0; i < *count; ++i) {
        carom_value item;
        carom_numbers numbers;
        carom_value_item(list, (size_t)i, &item);
        TRY(carom_value_numbers(&item, NULL, &numbers, err));
        if (numbers.count != size)
            return carom_value_fail(&item, err, "give each point the same count of numbers",
                                    "point %d has %d numbers, not %d", i, numbers.count, size);
        for (int k = 0; k < size; ++k)
            (*points)[size * i + k] = numbers.values[k];
    }
    return CAROM_OK;
}
