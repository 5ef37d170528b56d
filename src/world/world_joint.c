// Joints.
//
// What is known of them: ends in the bodies' own frames, and the pairs that must not collide
// because they are joined. How they act: in time linkage_flow.c, in the instant of an impact
// impact_phase_joints.c.
#include <stdlib.h>
#include <string.h>
#include "world/step.h"
#include "world/world_handle.h"
#include "world/world_sleep.h"

static vec3 to_body(const carom_world *world, int i, vec3 point)
{
    if (i < 0)
        return point;
    return quat_rotate(quat_conjugate(world->now.rotation[i]),
                       vec3_sub(point, world->now.position[i]));
}

static vec3 to_world(const carom_world *world, int i, vec3 v)
{
    return i < 0 ? v : quat_rotate(world->now.rotation[i], v);
}

static bool reserve(carom_world *world);
static void join(carom_world *world, int a, int b);
static void note(carom_world *world, const carom_world_joint *joint);

// The slot of a joint's end; -1: the world.
static carom_status end_of(const carom_world *world, carom_body_id id, int *end, carom_error *err)
{
    *end = -1;
    return id.generation == 0 && id.slot == 0 ? CAROM_OK
                                              : carom_world_handle_body(world, id, end, err);
}

carom_status carom_world_add_joint(carom_world *world, const carom_joint *joint, carom_joint_id *id,
                                   carom_error *err)
{
    NEED(err, world, joint);
    int a, b;
    TRY(end_of(world, joint->a, &a, err));
    TRY(end_of(world, joint->b, &b, err));
    if (a == b) {
        carom_error_set(err, CAROM_BAD_INPUT, "the joint connects %d with itself", a);
        return carom_error_fix(err, "name two different bodies; all zeros are the world");
    }
    if ((a < 0 || world->fixed[a]) && (b < 0 || world->fixed[b])) {
        carom_error_set(err, CAROM_BAD_INPUT,
                        "the joint connects %d and %d, neither of which can move", a, b);
        return carom_error_fix(err, "join at least one moving body");
    }
    vec3 pa = vec3_from(joint->anchor_a), pb = vec3_from(joint->anchor_b),
         axis = vec3_unit(vec3_from(joint->axis));
    double distance = vec3_length(vec3_sub(pb, pa)),
           length = joint->length > 0 ? joint->length : distance;
    if (joint->kind == CAROM_JOINT_STRING && !(length > 0 && distance <= length * (1 + 1e-9))) {
        carom_error_set(err, CAROM_BAD_INPUT, "the string is %g m long, its anchors are %g m apart",
                        length, distance);
        return carom_error_fix(err, "use a length of at least the distance, above 0 m");
    }
    if (!(joint->restitution >= 0 && joint->restitution <= 1)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the restitution of the joint is %g",
                        joint->restitution);
        return carom_error_fix(err, "use a value from 0 (no bounce) to 1 (no loss)");
    }
    if (joint->kind != CAROM_JOINT_STRING && distance > 1e-9) {
        carom_error_set(err, CAROM_BAD_INPUT, "the anchors of the joint are %g m apart", distance);
        return carom_error_fix(err, "give both anchors the same point");
    }
    if (joint->kind == CAROM_JOINT_HINGE && vec3_length(axis) == 0) {
        carom_error_set(err, CAROM_BAD_INPUT, "the hinge has no axis");
        return carom_error_fix(err, "give the direction it turns about");
    }
    for (int k = 0; k < 2; ++k)
        if ((k ? b : a) >= 0)
            carom_world_sleep_wake(world, k ? b : a);
    char *name;
    int j = -1;
    if (carom_world_handle_copy_name(joint->name, &name) && reserve(world))
        j = carom_world_handle_take_joint(world);
    if (j < 0) {
        free(name);
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for joint %d", world->joint_count);
    }
    quat qa = a < 0 ? quat_identity() : world->now.rotation[a],
         qb = b < 0 ? quat_identity() : world->now.rotation[b];
    world->joints[j] = (carom_world_joint){ .kind = joint->kind,
                                            .generation = world->joints[j].generation,
                                            .name = name,
                                            .a = a,
                                            .b = b,
                                            .anchor_a = to_body(world, a, pa),
                                            .anchor_b = to_body(world, b, pb),
                                            .axis_a = quat_rotate(quat_conjugate(qa), axis),
                                            .axis_b = quat_rotate(quat_conjugate(qb), axis),
                                            .turn = quat_mul(quat_conjugate(qa), qb),
                                            .length = length,
                                            .restitution = joint->restitution };
    note(world, &world->joints[j]);
    world->linkage_stale = true;
    if (id)
        *id = carom_world_joint_at(world, j);
    return CAROM_OK;
}

// Which pair the joint keeps from colliding, or who hangs on it.
static void note(carom_world *world, const carom_world_joint *joint)
{
    int a = joint->a, b = joint->b;
    if (joint->kind != CAROM_JOINT_STRING)
        join(world, a, b);
    else if (a >= 0)
        world->tethered[a] = 1;
    if (joint->kind == CAROM_JOINT_STRING && b >= 0)
        world->tethered[b] = 1;
}

void carom_world_joint_renew(carom_world *world)
{
    world->joined_count = 0;
    memset(world->tethered, 0, (size_t)world->count * sizeof *world->tethered);
    for (int j = 0; j < world->joint_count; ++j)
        note(world, &world->joints[j]);
}

static uint64_t key_of(int a, int b)
{
    uint32_t low = (uint32_t)(a < b ? a : b), high = (uint32_t)(a < b ? b : a);
    return (uint64_t)low << 32 | high;
}

// How many of the joined pairs come before this one.
static int place_of(const carom_world *world, uint64_t key)
{
    int low = 0, high = world->joined_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (world->joined[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool carom_world_joint_joins(const carom_world *world, int a, int b)
{
    uint64_t key = key_of(a, b);
    int place = world->joined_count ? place_of(world, key) : 0;
    return place < world->joined_count && world->joined[place] == key;
}

// Room for one more pair than there are joints.
static bool reserve(carom_world *world)
{
    return carom_world_grow((void **)&world->joined, (size_t)world->joint_count + 1,
                            sizeof *world->joined);
}

// Notes that two bodies must not collide; there is room for a pair of every joint.
static void join(carom_world *world, int a, int b)
{
    if (a < 0 || b < 0 || carom_world_joint_joins(world, a, b))
        return;
    uint64_t key = key_of(a, b);
    int place = place_of(world, key);
    memmove(world->joined + place + 1, world->joined + place,
            (size_t)(world->joined_count - place) * sizeof *world->joined);
    world->joined[place] = key;
    ++world->joined_count;
}

void carom_world_joint_ends(const carom_world *world, const carom_world_joint *joint,
                            vec3 anchor[2], vec3 axis[2])
{
    int a = joint->a, b = joint->b;
    vec3 arm_a = to_world(world, a, joint->anchor_a), arm_b = to_world(world, b, joint->anchor_b);
    anchor[0] = a < 0 ? arm_a : vec3_add(world->now.position[a], arm_a);
    anchor[1] = b < 0 ? arm_b : vec3_add(world->now.position[b], arm_b);
    axis[0] = to_world(world, a, joint->axis_a);
    axis[1] = to_world(world, b, joint->axis_b);
}
