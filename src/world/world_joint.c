// Joints of a world.
//
// What is known of them: ends in the bodies' own frames, the load they have held, and the pairs
// that must not collide because they are joined. How they act: in time linkage_flow.c, in the
// instant of an impact impact_phase_joints.c.
//
// A joint breaks at the end of the step in which its mean force or torque was more than it bears.
// Impacts are left out of that mean: between rigid bodies their force has no bound, and any joint
// would break at any blow.
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "math/constants.h"
#include "world/ledger.h"
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

// -- what is refused ----------------------------------------------------------------------------

// The slot of a joint's end; -1: the world.
static carom_status end_of(const carom_world *world, carom_body_id id, int *end, carom_error *err)
{
    *end = -1;
    return id.generation == 0 && id.slot == 0 ? CAROM_OK
                                              : carom_world_handle_body(world, id, end, err);
}

static bool moves(const carom_world *world, int i)
{
    return i >= 0 && (!world->fixed[i] || world->asleep[i]);
}

static void name_end(int i, char out[16])
{
    if (i < 0)
        snprintf(out, 16, "the world");
    else
        snprintf(out, 16, "body %d", i);
}

static carom_status check_bodies(const carom_world *world, int a, int b, carom_error *err)
{
    char name[2][16];
    name_end(a, name[0]);
    name_end(b, name[1]);
    if (a == b) {
        carom_error_set(err, CAROM_BAD_INPUT, "the joint connects %s with itself", name[0]);
        return carom_error_fix(err, "name two different bodies; all zeros are the world");
    }
    if (!moves(world, a) && !moves(world, b)) {
        carom_error_set(err, CAROM_BAD_INPUT,
                        "the joint connects %s and %s, neither of which can move", name[0],
                        name[1]);
        return carom_error_fix(err, "join at least one moving body");
    }
    for (int k = 0; k < 2; ++k) {
        int i = k ? b : a;
        const double *belt = i < 0 ? NULL : world->drive[i].belt;
        if (belt && (belt[0] != 0 || belt[1] != 0 || belt[2] != 0)) {
            carom_error_set(err, CAROM_BAD_INPUT, "the joint holds on to body %d, a belt", i);
            return carom_error_fix(err, "join another body in its place");
        }
    }
    return CAROM_OK;
}

static double distance_of(const carom_joint *joint)
{
    return vec3_length(vec3_sub(vec3_from(joint->anchor_b), vec3_from(joint->anchor_a)));
}

static double length_of(const carom_joint *joint)
{
    return joint->length > 0 ? joint->length : distance_of(joint);
}

// Hinges and sliders: what has an axis has a position along it, and stops and motors there.
static bool has_axis(const carom_joint *joint)
{
    return joint->kind == CAROM_JOINT_HINGE || joint->kind == CAROM_JOINT_SLIDER;
}

static carom_status check_places(const carom_joint *joint, carom_error *err)
{
    const struct {
        const char *name;
        const double *value;
    } places[] = { { "anchor_a", joint->anchor_a },
                   { "anchor_b", joint->anchor_b },
                   { "axis", joint->axis } };
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
        const double *v = places[i].value;
        if (isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]))
            continue;
        carom_error_set(err, CAROM_BAD_INPUT, "%s of the joint is %g %g %g", places[i].name, v[0],
                        v[1], v[2]);
        return carom_error_fix(err, "use finite numbers");
    }
    return CAROM_OK;
}

static carom_status check_ends(const carom_joint *joint, carom_error *err)
{
    double distance = distance_of(joint), length = length_of(joint);
    TRY(check_places(joint, err));
    if (carom_joint_binds(joint->kind) && distance > 1e-9) {
        carom_error_set(err, CAROM_BAD_INPUT, "the anchors of the joint are %g m apart", distance);
        return carom_error_fix(err, "give both anchors the same point");
    }
    if (has_axis(joint) && !(vec3_length(vec3_from(joint->axis)) > 0)) {
        bool hinge = joint->kind == CAROM_JOINT_HINGE;
        carom_error_set(err, CAROM_BAD_INPUT, "the %s has no axis", hinge ? "hinge" : "slider");
        return carom_error_fix(err, hinge ? "give the direction it turns about"
                                          : "give the direction it moves along");
    }
    if (joint->kind == CAROM_JOINT_STRING && !(length > 0 && distance <= length * (1 + 1e-9))) {
        carom_error_set(err, CAROM_BAD_INPUT, "the string is %g m long, its anchors are %g m apart",
                        length, distance);
        return carom_error_fix(err, "use a length of at least the distance, above 0 m");
    }
    if (joint->kind == CAROM_JOINT_ROD &&
        !(length > 0 && fabs(distance - length) <= 1e-9 * length)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the rod is %g m long, its anchors are %g m apart",
                        length, distance);
        return carom_error_fix(err, "use the distance of the anchors, above 0 m");
    }
    if (!(joint->restitution >= 0 && joint->restitution <= 1)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the restitution of the joint is %g",
                        joint->restitution);
        return carom_error_fix(err, "use a value from 0 (no bounce) to 1 (no loss)");
    }
    return CAROM_OK;
}

static carom_status check_numbers(const carom_joint *joint, carom_error *err)
{
    const struct {
        const char *name;
        double value;
    } numbers[] = { { "stiffness", joint->stiffness },
                    { "damping", joint->damping },
                    { "force", joint->force },
                    { "break_force", joint->break_force },
                    { "break_torque", joint->break_torque },
                    { "length", joint->length } };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        if (!(numbers[i].value >= 0 && isfinite(numbers[i].value))) {
            carom_error_set(err, CAROM_BAD_INPUT, "%s of the joint is %g", numbers[i].name,
                            numbers[i].value);
            return carom_error_fix(err, "use a number from 0 on");
        }
    if (!isfinite(joint->speed) || !isfinite(joint->target)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the motor is to reach %g, or go to %g", joint->speed,
                        joint->target);
        return carom_error_fix(err, "use finite numbers");
    }
    return CAROM_OK;
}

static carom_status check_drive(const carom_joint *joint, carom_error *err)
{
    bool stops = joint->lower != 0 || joint->upper != 0;
    bool sprung = joint->stiffness > 0 || joint->damping > 0;
    TRY(check_numbers(joint, err));
    if (!has_axis(joint) && (stops || joint->motor != CAROM_MOTOR_NONE)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the joint has a %s, but no position",
                        stops ? "stop" : "motor");
        return carom_error_fix(err, "give stops and motors to a hinge or slider");
    }
    if (!has_axis(joint) && sprung && joint->kind != CAROM_JOINT_SPRING) {
        carom_error_set(err, CAROM_BAD_INPUT, "the joint has a spring or damper, but no position");
        return carom_error_fix(err, "use a hinge, a slider or a joint of the kind spring");
    }
    if (joint->kind == CAROM_JOINT_SPRING && !sprung) {
        carom_error_set(err, CAROM_BAD_INPUT, "the spring has neither stiffness nor damping");
        return carom_error_fix(err, "give a stiffness (N/m), a damping (N s/m) or both");
    }
    // a stop may be where the joint is; it starts between the two
    if (stops && !(joint->lower < joint->upper && joint->lower <= 0 && joint->upper >= 0)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the stops are %g and %g, the joint begins at 0",
                        joint->lower, joint->upper);
        return carom_error_fix(err, "use lower <= 0 <= upper, and not both 0");
    }
    // at half a turn above and below are one place
    if (stops && joint->kind == CAROM_JOINT_HINGE &&
        ((isfinite(joint->lower) && !(joint->lower > -CAROM_PI)) ||
         (isfinite(joint->upper) && !(joint->upper < CAROM_PI)))) {
        carom_error_set(err, CAROM_BAD_INPUT, "the stops of the hinge are %g and %g rad",
                        joint->lower, joint->upper);
        return carom_error_fix(err, "use angles between -pi and pi");
    }
    if (joint->motor == CAROM_MOTOR_SPEED && !(joint->force > 0)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the motor has no force");
        return carom_error_fix(err, "give the most that it does, above 0 (N, of a hinge N m)");
    }
    if (joint->motor == CAROM_MOTOR_POSITION && !(joint->stiffness > 0)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the servo has no stiffness");
        return carom_error_fix(err, "give its force per way, above 0 (N/m, of a hinge N m/rad)");
    }
    if (joint->motor == CAROM_MOTOR_SPEED && sprung) {
        carom_error_set(err, CAROM_BAD_INPUT, "the joint has a motor and a spring or damper");
        return carom_error_fix(err, "leave one of them out, or use a servo");
    }
    return CAROM_OK;
}

// -- adding -------------------------------------------------------------------------------------

static quat rotation_of(const carom_world *world, int i)
{
    return i < 0 ? quat_identity() : world->now.rotation[i];
}

static carom_world_joint make(const carom_world *world, const carom_joint *joint, int a, int b)
{
    vec3 pa = vec3_from(joint->anchor_a), pb = vec3_from(joint->anchor_b);
    double length = length_of(joint);
    quat back_a = quat_conjugate(rotation_of(world, a)),
         back_b = quat_conjugate(rotation_of(world, b));
    vec3 axis = vec3_unit(vec3_from(joint->axis)), zero, other;
    vec3_tangents(axis, &zero, &other);
    bool stops = joint->lower < joint->upper, servo = joint->motor == CAROM_MOTOR_POSITION;
    double aim = joint->motor == CAROM_MOTOR_SPEED ? joint->speed : joint->target;
    return (carom_world_joint){
        .kind = joint->kind,
        .a = a,
        .b = b,
        .anchor_a = to_body(world, a, pa),
        .anchor_b = to_body(world, b, pb),
        .axis_a = quat_rotate(back_a, axis),
        .axis_b = quat_rotate(back_b, axis),
        .zero_a = quat_rotate(back_a, zero),
        .zero_b = quat_rotate(back_b, zero),
        .turn = quat_mul(back_a, rotation_of(world, b)),
        .length = length,
        .restitution = joint->restitution,
        .bounded = { stops && isfinite(joint->upper), stops && isfinite(joint->lower) },
        .bound = { joint->upper, joint->lower },
        .stiffness = joint->stiffness,
        .damping = joint->damping,
        .motor = joint->motor,
        .force = servo && joint->force == 0 ? HUGE_VAL : joint->force,
        .break_force = joint->break_force > 0 ? joint->break_force : HUGE_VAL,
        .break_torque = joint->break_torque > 0 ? joint->break_torque : HUGE_VAL,
        .aim = joint->kind == CAROM_JOINT_SPRING ? length : aim,
    };
}

// Which pair the joint keeps from colliding, or who hangs on it.
static void note(carom_world *world, const carom_world_joint *joint)
{
    int a = joint->a, b = joint->b;
    if (joint->broken)
        return;
    if (carom_joint_binds(joint->kind))
        join(world, a, b);
    if (joint->kind != CAROM_JOINT_STRING)
        return;
    if (a >= 0)
        world->tethered[a] = 1;
    if (b >= 0)
        world->tethered[b] = 1;
}

void carom_world_joint_renew(carom_world *world)
{
    world->joined_count = 0;
    memset(world->tethered, 0, (size_t)world->count * sizeof *world->tethered);
    for (int j = 0; j < world->joint_count; ++j)
        note(world, &world->joints[j]);
}

// A slot for it, with a copy of its name; -1 without memory.
static int take_slot(carom_world *world, const char *given)
{
    char *name;
    int j = -1;
    if (carom_world_handle_copy_name(given, &name) && reserve(world))
        j = carom_world_handle_take_joint(world);
    if (j < 0)
        carom_memory_free(name);
    else
        world->joints[j].name = name;
    return j;
}

carom_status carom_world_add_joint(carom_world *world, const carom_joint *joint, carom_joint_id *id,
                                   carom_error *err)
{
    NEED(err, world, joint);
    int ends[2];
    TRY(end_of(world, joint->a, &ends[0], err));
    TRY(end_of(world, joint->b, &ends[1], err));
    TRY(check_bodies(world, ends[0], ends[1], err));
    TRY(check_ends(joint, err));
    TRY(check_drive(joint, err));
    int j = take_slot(world, joint->name);
    if (j < 0)
        return carom_error_no_memory(err, "joint %d", world->joint_count);
    for (int k = 0; k < 2; ++k)
        if (ends[k] >= 0)
            carom_world_sleep_wake(world, ends[k]);
    carom_world_joint *slot = &world->joints[j], was = *slot;
    *slot = make(world, joint, ends[0], ends[1]);
    slot->name = was.name;
    slot->generation = was.generation;
    note(world, slot);
    world->linkage_stale = true;
    if (joint->stiffness > 0)
        carom_ledger_book(world); // it may be under load
    if (id)
        *id = carom_world_joint_at(world, j);
    return CAROM_OK;
}

// -- asking ---------------------------------------------------------------------------

carom_joint_ends carom_world_joint_ends(const carom_world *world, const carom_world_joint *joint)
{
    int a = joint->a, b = joint->b;
    vec3 arm_a = to_world(world, a, joint->anchor_a), arm_b = to_world(world, b, joint->anchor_b);
    return (carom_joint_ends){ { a < 0 ? arm_a : vec3_add(world->now.position[a], arm_a),
                                 b < 0 ? arm_b : vec3_add(world->now.position[b], arm_b) },
                               { rotation_of(world, a), rotation_of(world, b) } };
}

double carom_world_joint_energy(const carom_world *world, const carom_world_joint *joint)
{
    if (!(joint->stiffness > 0))
        return 0;
    carom_joint_ends ends = carom_world_joint_ends(world, joint);
    return carom_joint_energy(joint, carom_joint_position(joint, &ends));
}

// Velocity of a point that moves with a body.
static vec3 velocity_at(const carom_world *world, int i, vec3 point)
{
    if (i < 0)
        return vec3_make(0, 0, 0);
    vec3 arm = vec3_sub(point, world->now.position[i]);
    return vec3_add(world->now.velocity[i], vec3_cross(world->now.spin[i], arm));
}

double carom_world_joint_speed(const carom_world *world, const carom_world_joint *joint,
                               const carom_joint_ends *ends)
{
    const vec3 still = { 0, 0, 0 };
    if (joint->kind == CAROM_JOINT_HINGE) {
        vec3 a = joint->a < 0 ? still : world->now.spin[joint->a];
        vec3 b = joint->b < 0 ? still : world->now.spin[joint->b];
        return vec3_dot(carom_joint_axis(joint, ends), vec3_sub(a, b));
    }
    bool slider = joint->kind == CAROM_JOINT_SLIDER;
    vec3 d = slider ? carom_joint_axis(joint, ends)
                    : vec3_unit(vec3_sub(ends->anchor[0], ends->anchor[1]));
    vec3 carried = velocity_at(world, joint->b, ends->anchor[slider ? 0 : 1]);
    return vec3_dot(d, vec3_sub(velocity_at(world, joint->a, ends->anchor[0]), carried));
}

carom_status carom_world_joint_state(const carom_world *world, carom_joint_id id,
                                     carom_joint_state *out, carom_error *err)
{
    NEED(err, world, out);
    int j;
    TRY(carom_world_handle_joint(world, id, &j, err));
    const carom_world_joint *joint = &world->joints[j];
    carom_joint_ends ends = carom_world_joint_ends(world, joint);
    bool none = joint->kind == CAROM_JOINT_BALL || joint->kind == CAROM_JOINT_FIXED;
    *out = (carom_joint_state){ .broken = joint->broken,
                                .position = none ? 0 : carom_joint_position(joint, &ends),
                                .speed = none ? 0 : carom_world_joint_speed(world, joint, &ends),
                                .force = joint->held,
                                .torque = joint->held_torque };
    return CAROM_OK;
}

// -- load and breaking ----------------------------------------------------------------------------

void carom_world_joint_unload(carom_world *world)
{
    const vec3 zero = { 0, 0, 0 };
    for (int j = 0; j < world->joint_count; ++j)
        world->joints[j].impulse = world->joints[j].angular_impulse = zero;
}

void carom_world_joint_set_broken(carom_world *world, int index, bool broken)
{
    if (world->joints[index].broken == broken)
        return;
    world->joints[index].broken = broken;
    carom_world_joint_renew(world);
}

void carom_world_joint_load(carom_world *world, double dt)
{
    for (int j = 0; j < world->joint_count; ++j) {
        carom_world_joint *joint = &world->joints[j];
        joint->held = vec3_length(joint->impulse) / dt;
        joint->held_torque = vec3_length(joint->angular_impulse) / dt;
        if (joint->broken ||
            !(joint->held > joint->break_force || joint->held_torque > joint->break_torque))
            continue;
        double stored = carom_world_joint_energy(world, joint);
        carom_world_joint_set_broken(world, j, true);
        world->now.ledger.breakage += stored;
        world->now.ledger.potential -= stored;
    }
}

// -- pairs that do not collide --------------------------------------------------------------------

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
