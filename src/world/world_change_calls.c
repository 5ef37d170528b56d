// The functions by which a program changes a world: each makes a carom_change of what it is given,
// for carom_world_change (world_change.c) to do.
#include <string.h>
#include "base/error.h"
#include "world/world_change.h"
#include "world/world_option.h"

static carom_change about(int what, carom_body_id body)
{
    return (carom_change){ .what = what, .slot = body.slot, .generation = body.generation };
}

// Up to two vectors, of which either may be missing; `index` says which are there.
static carom_change with_two(carom_change change, const double *one, const double *two, int size)
{
    if (one)
        memcpy(change.numbers, one, 3 * sizeof *one);
    if (two)
        memcpy(change.numbers + 3, two, (size_t)size * sizeof *two);
    change.index = (one ? 1 : 0) + (two ? 2 : 0);
    return change;
}

carom_status carom_world_set_velocity(carom_world *world, carom_body_id body,
                                      const double velocity[3], const double spin[3],
                                      carom_error *err)
{
    carom_change change = with_two(about(CAROM_CHANGE_VELOCITY, body), velocity, spin, 3);
    return carom_world_change(world, &change, err);
}

carom_status carom_world_set_pose(carom_world *world, carom_body_id body, const double position[3],
                                  const double rotation[4], carom_error *err)
{
    carom_change change = with_two(about(CAROM_CHANGE_POSE, body), position, rotation, 4);
    return carom_world_change(world, &change, err);
}

carom_status carom_world_set_kind(carom_world *world, carom_body_id body, carom_body_kind kind,
                                  carom_error *err)
{
    carom_change change = about(CAROM_CHANGE_KIND, body);
    change.index = (int)kind;
    return carom_world_change(world, &change, err);
}

carom_status carom_world_set_mass(carom_world *world, carom_body_id body, double mass,
                                  const double inertia[6], carom_error *err)
{
    carom_change change = about(CAROM_CHANGE_MASS, body);
    change.numbers[0] = mass;
    change.index = inertia != NULL;
    if (inertia)
        memcpy(change.numbers + 1, inertia, 6 * sizeof *inertia);
    return carom_world_change(world, &change, err);
}

carom_status carom_world_set_material(carom_world *world, carom_body_id body, int material,
                                      carom_error *err)
{
    carom_change change = about(CAROM_CHANGE_MATERIAL, body);
    change.index = material;
    return carom_world_change(world, &change, err);
}

carom_status carom_world_set_damping(carom_world *world, carom_body_id body, double damping,
                                     double angular_damping, carom_error *err)
{
    carom_change change = about(CAROM_CHANGE_DAMPING, body);
    change.numbers[0] = damping;
    change.numbers[1] = angular_damping;
    return carom_world_change(world, &change, err);
}

carom_status carom_world_set_gravity_scale(carom_world *world, carom_body_id body, double scale,
                                           carom_error *err)
{
    carom_change change = about(CAROM_CHANGE_GRAVITY_SCALE, body);
    change.numbers[0] = scale;
    return carom_world_change(world, &change, err);
}

carom_status carom_world_set_gravity(carom_world *world, const double gravity[3], carom_error *err)
{
    NEED(err, world, gravity);
    carom_change change = { .what = CAROM_CHANGE_GRAVITY, .slot = -1 };
    memcpy(change.numbers, gravity, 3 * sizeof *gravity);
    return carom_world_change(world, &change, err);
}

carom_status carom_world_set_law(carom_world *world, const carom_law *law,
                                 const carom_law_options *options, carom_error *err)
{
    NEED(err, world, law);
    carom_change change = { .what = CAROM_CHANGE_LAW, .slot = -1, .index = -1 };
    carom_law_options values = options ? *options : carom_law_defaults(law);
    _Static_assert(sizeof values.value <= sizeof change.numbers, "options of a law fit a change");
    for (int k = 0; k < carom_law_count(); ++k)
        if (carom_law_at(k) == law)
            change.index = k;
    memcpy(change.numbers, values.value, sizeof values.value);
    return carom_world_change(world, &change, err);
}

carom_status carom_world_set_option(carom_world *world, const char *name, double value,
                                    carom_error *err)
{
    NEED(err, world, name);
    carom_change change = { .what = CAROM_CHANGE_OPTION,
                            .slot = -1,
                            .index = carom_world_option_find(name) };
    change.numbers[0] = value;
    return carom_world_change(world, &change, err);
}

carom_world_options carom_world_options_now(const carom_world *world)
{
    return world ? world->options : carom_world_options_default();
}

carom_status carom_world_set_force(carom_world *world, carom_body_id body, const double force[3],
                                   const double torque[3], carom_error *err)
{
    carom_change change = with_two(about(CAROM_CHANGE_FORCE, body), force, torque, 3);
    return carom_world_change(world, &change, err);
}

// A force or impulse and its moment about the centre of mass.
static carom_status at_point(carom_world *world, carom_change change, const double vector[3],
                             const double point[3], carom_error *err)
{
    int i;
    NEED(err, world, vector);
    TRY(carom_world_change_find(world, &change, &i, err));
    memcpy(change.numbers, vector, 3 * sizeof *vector);
    if (point) {
        vec3 arm = vec3_sub(vec3_from(point), world->now.position[i]);
        vec3_store(vec3_cross(arm, vec3_from(vector)), change.numbers + 3);
    }
    return carom_world_change(world, &change, err);
}

static carom_status turning(carom_world *world, carom_change change, const double vector[3],
                            carom_error *err)
{
    NEED(err, world, vector);
    memcpy(change.numbers + 3, vector, 3 * sizeof *vector);
    return carom_world_change(world, &change, err);
}

carom_status carom_world_apply_force(carom_world *world, carom_body_id body, const double force[3],
                                     const double point[3], carom_error *err)
{
    return at_point(world, about(CAROM_CHANGE_PUSH, body), force, point, err);
}

carom_status carom_world_apply_torque(carom_world *world, carom_body_id body,
                                      const double torque[3], carom_error *err)
{
    return turning(world, about(CAROM_CHANGE_PUSH, body), torque, err);
}

carom_status carom_world_apply_impulse(carom_world *world, carom_body_id body,
                                       const double impulse[3], const double point[3],
                                       carom_error *err)
{
    return at_point(world, about(CAROM_CHANGE_IMPULSE, body), impulse, point, err);
}

carom_status carom_world_apply_angular_impulse(carom_world *world, carom_body_id body,
                                               const double impulse[3], carom_error *err)
{
    return turning(world, about(CAROM_CHANGE_IMPULSE, body), impulse, err);
}

carom_status carom_world_remove(carom_world *world, carom_body_id body, carom_error *err)
{
    carom_change change = about(CAROM_CHANGE_REMOVE, body);
    return carom_world_change(world, &change, err);
}

static carom_change about_joint(int what, carom_joint_id joint)
{
    return (carom_change){ .what = what, .slot = joint.slot, .generation = joint.generation };
}

carom_status carom_world_remove_joint(carom_world *world, carom_joint_id joint, carom_error *err)
{
    carom_change change = about_joint(CAROM_CHANGE_REMOVE_JOINT, joint);
    return carom_world_change(world, &change, err);
}

carom_status carom_world_joint_aim(carom_world *world, carom_joint_id joint, double aim_at,
                                   carom_error *err)
{
    carom_change change = about_joint(CAROM_CHANGE_AIM, joint);
    change.numbers[0] = aim_at;
    return carom_world_change(world, &change, err);
}
