// Servo walls: a wall that moves freely along one direction (a slider) and is pressed by the stress
// asked for times the area it closes. At rest the grains bear exactly that, whatever they do: no
// controller, no gain. The area follows the walls that bound it.
#include "scene/scene_servo.h"

#include <math.h>
#include "carom/world_change.h"
#include "shape/shape.h"

typedef struct servo_values {
    double stress, direction[3], area;
} servo_values;

static const carom_field servo_fields[] = {
    { "stress", CAROM_FIELD_NUMBER, offsetof(servo_values, stress), .required = true,
      .range = { -1e60, 1e60, .unit = "Pa" }, .doc = "that the wall presses with" },
    { "direction", CAROM_FIELD_VEC3, offsetof(servo_values, direction), .required = true,
      .doc = "in which it presses; a slider along it keeps the wall from turning" },
    { "area", CAROM_FIELD_NUMBER, offsetof(servo_values, area), .shown = "from `between`",
      .range = { 0, 1e60, .above = true, .unit = "m^2" }, .doc = "that it presses on" },
    { "between", CAROM_FIELD_OTHER, .words = "two pairs of names",
      .schema = "{ \"type\": \"array\", \"items\": { \"type\": \"array\", \"items\": { \"type\": "
                "\"string\" }, \"minItems\": 2, \"maxItems\": 2 }, \"minItems\": 2, \"maxItems\": 2 }",
      .doc = "instead of an area: two pairs of bodies, whose gaps (along x, y or z) are its sides at "
             "every time" },
    { 0 },
};
const carom_field_table carom_scene_servo_table = {
    "servo", "A moving body that presses with a given stress, as the walls of a triaxial test.",
    servo_fields
};

static carom_status read_between(const carom_scene_world *scene, const carom_value *value,
                                 carom_scene_servo *out, carom_error *err)
{
    carom_value list, pair, name;
    out->area = 0;
    if (!carom_value_member(value, "between", &list) || carom_value_count(&list) != 2)
        return carom_value_fail(value, err, "give an \"area\", or \"between\": two pairs of names",
                                "the area of the servo is not known");
    for (size_t i = 0; i < 4; ++i) {
        carom_value_item(&list, i / 2, &pair);
        if (!carom_value_item(&pair, i % 2, &name))
            return carom_value_fail(&pair, err, "name two bodies", "this is no pair of names");
        TRY(carom_scene_body_find(scene, &name, &out->side[i / 2][i % 2], err));
    }
    return CAROM_OK;
}

static carom_status read_one(carom_scene_world *scene, carom_value *value, int member,
                             carom_error *err)
{
    servo_values given;
    carom_scene_servo *servo = &scene->servos[scene->servo_count];
    TRY(carom_field_read(value, &carom_scene_servo_table, &given, err));
    double length = vec3_length(vec3_from(given.direction));
    if (!(length > 0))
        return carom_value_fail_key(value, "direction", err, "give the way it presses: [0, 0, -1]",
                                    "the direction has length 0");
    if (scene->members[member].body.kind != CAROM_BODY_MOVING)
        return carom_value_fail(value, err, "make it moving, with a slider",
                                "only a moving body keeps a stress");
    *servo = (carom_scene_servo){ .member = member,
                                  .push = vec3_scale(given.stress / length,
                                                     vec3_from(given.direction)),
                                  .area = given.area };
    if (!carom_value_member(value, "area", NULL))
        TRY(read_between(scene, value, servo, err));
    ++scene->servo_count;
    return CAROM_OK;
}

carom_status carom_scene_servo_read_all(carom_scene_world *scene, const carom_value *root,
                                        carom_error *err)
{
    carom_value list, item, value;
    if (!carom_value_member(root, "bodies", &list))
        return CAROM_OK;
    TAKE(carom_reader_memory(root->reader), scene->servos, carom_value_count(&list) + 1, err);
    for (int i = 0; i < (int)scene->member_count; ++i) {
        int source = scene->members[i].source;
        if (source >= 0 && carom_value_item(&list, (size_t)source, &item) &&
            carom_value_member(&item, "servo", &value))
            TRY(read_one(scene, &value, i, err));
    }
    return CAROM_OK;
}

static double along(vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// The gap between two walls along the axis that they are apart by most.
static double gap_of(const carom_scene_world *scene, const carom_world *world, const int side[2])
{
    carom_bounds bounds[2];
    double gap = 0;
    for (int k = 0; k < 2; ++k) {
        double x[3] = { 0 }, q[4] = { 1, 0, 0, 0 };
        carom_world_body(world, carom_world_body_at(world, side[k]), x, q, NULL, NULL);
        carom_pose pose = carom_pose_make(vec3_from(x), (quat){ q[0], q[1], q[2], q[3] });
        bounds[k] =
            carom_shape_bounds(scene->forms[scene->members[side[k]].form].shape, &pose);
    }
    for (int axis = 0; axis < 3; ++axis) {
        double apart = fmax(along(bounds[1].min, axis) - along(bounds[0].max, axis),
                            along(bounds[0].min, axis) - along(bounds[1].max, axis));
        gap = fmax(gap, apart);
    }
    return gap;
}

void carom_scene_servo_press(const carom_scene_world *scene, carom_world *world)
{
    for (int i = 0; i < scene->servo_count; ++i) {
        const carom_scene_servo *servo = &scene->servos[i];
        double area = servo->area, force[3];
        if (area == 0)
            area = gap_of(scene, world, servo->side[0]) * gap_of(scene, world, servo->side[1]);
        vec3_store(vec3_axpy(scene->members[servo->member].force, area, servo->push), force);
        carom_world_set_force(world, carom_world_body_at(world, servo->member), force, NULL, NULL);
    }
}

bool carom_scene_servo_drives(const carom_scene_world *scene, int member)
{
    for (int i = 0; i < scene->servo_count; ++i)
        if (scene->servos[i].member == member)
            return true;
    return false;
}
