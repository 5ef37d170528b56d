// The periodic box of a scene: {"x": [low, high], ...}.
#include "scene/scene_world.h"

typedef struct periodic_values {
    carom_numbers axis[3];
} periodic_values;

#define AXIS(name, index)                                                                          \
    {                                                                                              \
        name, CAROM_FIELD_NUMBERS,                                                                 \
            offsetof(periodic_values, axis) + (index) * sizeof(carom_numbers),                     \
            .shown = "not periodic", .range = { .unit = "m" },                                     \
            .doc = "[low, high]: the two ends that are one"                                        \
    }
static const carom_field periodic_fields[] = { AXIS("x", 0), AXIS("y", 1), AXIS("z", 2), { 0 } };
const carom_field_table carom_scene_periodic_table = {
    "periodic box",
    "A box that repeats itself: what leaves it at one end enters at the other, and bodies touch "
    "across the ends. No body but planes may be wider than 0.48 of it.",
    periodic_fields
};

carom_status carom_scene_periodic_read(carom_scene_world *scene, const carom_value *root,
                                       carom_error *err)
{
    static const char *const names[] = { "x", "y", "z" };
    carom_value item, axis;
    periodic_values v;
    if (!carom_value_member(root, "periodic", &item))
        return CAROM_OK;
    TRY(carom_field_read(&item, &carom_scene_periodic_table, &v, err));
    for (int k = 0; k < 3; ++k) {
        if (!carom_value_member(&item, names[k], &axis))
            continue;
        if (v.axis[k].count != 2 || !(v.axis[k].values[0] < v.axis[k].values[1]))
            return carom_value_fail(&axis, err, "write [low, high], in m, the lower end first",
                                    "a periodic box has two ends along %s", names[k]);
        for (int end = 0; end < 2; ++end)
            scene->options.periodic[k][end] = v.axis[k].values[end];
    }
    return CAROM_OK;
}
