// From outside while a run goes on: forces and impulses, and everything that may be set.
//
// Every function of world_change_calls.c makes a carom_change and hands it to carom_world_change,
// which looks up who is meant, asks a table what to do, books what it brought into the energy, and
// records it where somebody wants to do it all again.
#include "world/world_change.h"

#include <string.h>
#include "base/error.h"
#include "world/ledger.h"
#include "world/world_handle.h"
#include "world/world_option.h"
#include "world/world_periodic.h"
#include "world/world_sleep.h"

// -- what may be done -----------------------------------------------------------------------------
// Each takes the slot of the body, if it is about one, and what was given.

typedef carom_status apply(carom_world *world, int i, const carom_change *given, carom_error *err);

static carom_status refuse(carom_error *err, const char *fix, const char *what, double value)
{
    carom_error_set(err, CAROM_BAD_INPUT, "the %s is %g", what, value);
    return carom_error_fix(err, "%s", fix);
}

static carom_status check_moves(const carom_world *world, int i, carom_error *err)
{
    if (!world->fixed[i] || world->kind[i] == CAROM_BODY_WAITING)
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT, "body %d does not obey forces", i);
    return carom_error_fix(err, "make it moving");
}

static carom_status set_velocity(carom_world *world, int i, const carom_change *given,
                                 carom_error *err)
{
    if (world->kind[i] == CAROM_BODY_FIXED) {
        carom_error_set(err, CAROM_BAD_INPUT, "body %d is fixed: it has no velocity", i);
        return carom_error_fix(err, "make it driven or moving");
    }
    if (given->index & 1) {
        vec3 v = vec3_from(given->numbers), change = vec3_sub(v, world->drive_steady[i]);
        // a driven body goes on from where it is: the line that it follows begins at time 0
        world->drive_origin[i] = vec3_axpy(world->drive_origin[i], -world->now.ledger.time, change);
        world->now.velocity[i] = world->drive_steady[i] = v;
        world->altered = world->altered || world->kind[i] == CAROM_BODY_DRIVEN;
    }
    if (given->index & 2)
        world->now.spin[i] = vec3_from(given->numbers + 3);
    return CAROM_OK;
}

static carom_status set_pose(carom_world *world, int i, const carom_change *given, carom_error *err)
{
    const double *q = given->numbers + 3;
    quat turn = { q[0], q[1], q[2], q[3] };
    double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if ((given->index & 2) && !(fabs(square - 1) < 1e-6))
        return refuse(err, "give a unit quaternion w x y z", "length of the rotation quaternion",
                      sqrt(square));
    if (given->index & 2)
        TRY(carom_world_periodic_body(world, world->shape[i], quat_unit(turn), world->now.spin[i],
                                      err));
    if (given->index & 1) {
        vec3 x = vec3_from(given->numbers), shift = vec3_sub(x, world->now.position[i]);
        world->drive_origin[i] = vec3_add(world->drive_origin[i], shift);
        world->now.position[i] = x;
        world->altered = world->altered || world->kind[i] == CAROM_BODY_DRIVEN;
    }
    if (given->index & 2)
        world->now.rotation[i] = quat_unit(turn);
    carom_warm_start_forget(world, i);
    return CAROM_OK;
}

static carom_status set_kind(carom_world *world, int i, const carom_change *given, carom_error *err)
{
    carom_body_kind kind = (carom_body_kind)given->index;
    if (given->index < 0 || given->index > CAROM_BODY_WAITING || kind == CAROM_BODY_REMOVED)
        return refuse(err, "use CAROM_BODY_MOVING, FIXED, DRIVEN or WAITING", "kind", given->index);
    if (kind == CAROM_BODY_MOVING && !(world->own_mass[i] > 0)) {
        carom_error_set(err, CAROM_BAD_INPUT, "body %d has no mass: it cannot move", i);
        return carom_error_fix(err, "give it a mass or a density, and a shape with a volume");
    }
    if (kind == CAROM_BODY_FIXED)
        world->now.velocity[i] = world->now.spin[i] = vec3_make(0, 0, 0);
    if (kind == CAROM_BODY_WAITING)
        carom_warm_start_forget(world, i);
    world->kind[i] = (unsigned char)kind;
    world->drive[i] = (carom_drive){ 0 };
    world->drive_steady[i] = world->now.velocity[i];
    world->drive_origin[i] =
        vec3_axpy(world->now.position[i], -world->now.ledger.time, world->drive_steady[i]);
    world->linkage_stale = world->joint_count > 0;
    world->altered = true;
    carom_world_bodies_weigh(world, i);
    return CAROM_OK;
}

static carom_status set_mass(carom_world *world, int i, const carom_change *given, carom_error *err)
{
    double mass = given->numbers[0], was = world->own_mass[i];
    const double *j = given->numbers + 1;
    sym3 inertia = { j[0], j[1], j[2], j[3], j[4], j[5] };
    if (!(mass > 0))
        return refuse(err, "use a mass above 0 kg", "mass", mass);
    if (!(was > 0))
        return refuse(err, "use a shape with a volume, and a density", "mass of the body", was);
    if (given->index)
        TRY(carom_world_bodies_check_inertia(j, err));
    world->own_inertia[i] = given->index ? inertia : sym3_scale(mass / was, world->own_inertia[i]);
    world->own_mass[i] = mass;
    world->altered = true;
    carom_world_bodies_weigh(world, i);
    return CAROM_OK;
}

static carom_status set_material(carom_world *world, int i, const carom_change *given,
                                 carom_error *err)
{
    if (given->index < 0 || given->index >= world->material_count)
        return refuse(err, "use the index of a material that was added", "material", given->index);
    world->material[i] = given->index;
    world->altered = true;
    return CAROM_OK;
}

static carom_status set_damping(carom_world *world, int i, const carom_change *given,
                                carom_error *err)
{
    for (int k = 0; k < 2; ++k)
        if (!(given->numbers[k] >= 0))
            return refuse(err, "use a rate of at least 0 1/s", "damping", given->numbers[k]);
    world->damping[i] = given->numbers[0];
    world->angular_damping[i] = given->numbers[1];
    world->altered = true;
    return CAROM_OK;
}

static carom_status set_gravity_scale(carom_world *world, int i, const carom_change *given,
                                      carom_error *err)
{
    (void)err;
    world->gravity_scale[i] = given->numbers[0];
    world->altered = true;
    return CAROM_OK;
}

static carom_status set_gravity(carom_world *world, int i, const carom_change *given,
                                carom_error *err)
{
    (void)i, (void)err;
    memcpy(world->options.gravity, given->numbers, sizeof world->options.gravity);
    world->options_altered = true;
    return CAROM_OK;
}

static carom_status set_law(carom_world *world, int i, const carom_change *given, carom_error *err)
{
    (void)i;
    const carom_law *law = carom_law_at(given->index);
    if (!law)
        return refuse(err, "use a law of the list (carom_law_at)", "index of the law",
                      given->index);
    for (int m = 0; m < world->material_count; ++m)
        if (world->materials[m].tangential_restitution != 0 && !carom_law_has_tangential(law)) {
            carom_error_set(err, CAROM_BAD_INPUT,
                            "material %d has a tangential restitution, and the law %s has none", m,
                            carom_law_name(law));
            return carom_error_fix(err, "take the law qce, newton or sqm");
        }
    world->options.law = law;
    memcpy(world->options.law_options.value, given->numbers,
           sizeof world->options.law_options.value);
    world->options_altered = true;
    return CAROM_OK;
}

static carom_status set_option(carom_world *world, int i, const carom_change *given,
                               carom_error *err)
{
    (void)i;
    carom_world_options options = world->options;
    TRY(carom_world_option_put(&options, given->index, given->numbers[0], err));
    TRY(carom_world_option_check(&options, err));
    world->options = options;
    world->options_altered = true;
    carom_world_tell_options(world);
    return CAROM_OK;
}

static carom_status set_force(carom_world *world, int i, const carom_change *given,
                              carom_error *err)
{
    TRY(check_moves(world, i, err));
    if (given->index & 1)
        world->force[i] = vec3_from(given->numbers);
    if (given->index & 2)
        world->torque[i] = vec3_from(given->numbers + 3);
    world->altered = true;
    return CAROM_OK;
}

// The torque of a force at a point is found when it is given: a replay need not find it again.
static carom_status push(carom_world *world, int i, const carom_change *given, carom_error *err)
{
    TRY(check_moves(world, i, err));
    world->push[i] = vec3_add(world->push[i], vec3_from(given->numbers));
    world->push_turn[i] = vec3_add(world->push_turn[i], vec3_from(given->numbers + 3));
    world->altered = world->pushed = true;
    return CAROM_OK;
}

static carom_status strike(carom_world *world, int i, const carom_change *given, carom_error *err)
{
    TRY(check_moves(world, i, err));
    vec3 p = vec3_from(given->numbers), l = vec3_from(given->numbers + 3);
    sym3 inverse =
        sym3_rotate(quat_matrix(world->now.rotation[i]), sym3_inverse(world->inertia[i]));
    world->now.velocity[i] = vec3_axpy(world->now.velocity[i], world->inverse_mass[i], p);
    world->now.spin[i] = vec3_add(world->now.spin[i], sym3_mul(inverse, l));
    return CAROM_OK;
}

static carom_status remove_body(carom_world *world, int i, const carom_change *given,
                                carom_error *err)
{
    (void)given, (void)err;
    carom_world_handle_free_body(world, i);
    return CAROM_OK;
}

static carom_status remove_joint(carom_world *world, int j, const carom_change *given,
                                 carom_error *err)
{
    (void)given, (void)err;
    carom_world_handle_free_joint(world, j);
    return CAROM_OK;
}

static carom_status aim(carom_world *world, int j, const carom_change *given, carom_error *err)
{
    carom_world_joint *joint = &world->joints[j];
    if (joint->kind == CAROM_JOINT_SPRING ||
        (joint->motor == CAROM_MOTOR_NONE && !carom_joint_has_spring(joint))) {
        carom_error_set(err, CAROM_BAD_INPUT, "joint %d has nothing that could be aimed", j);
        return carom_error_fix(err, "give the hinge or slider a motor or a stiffness");
    }
    joint->aim = given->numbers[0];
    return CAROM_OK;
}

typedef enum subject { OF_BODY, OF_JOINT, OF_WORLD } subject;

static const struct way {
    subject of;
    apply *run;
    bool books; // may change the energy
} ways[CAROM_CHANGE_WHATS] = {
    [CAROM_CHANGE_VELOCITY] = { OF_BODY, set_velocity, true },
    [CAROM_CHANGE_POSE] = { OF_BODY, set_pose, true },
    [CAROM_CHANGE_KIND] = { OF_BODY, set_kind, true },
    [CAROM_CHANGE_MASS] = { OF_BODY, set_mass, true },
    [CAROM_CHANGE_MATERIAL] = { OF_BODY, set_material, false },
    [CAROM_CHANGE_DAMPING] = { OF_BODY, set_damping, false },
    [CAROM_CHANGE_GRAVITY_SCALE] = { OF_BODY, set_gravity_scale, true },
    [CAROM_CHANGE_GRAVITY] = { OF_WORLD, set_gravity, true },
    [CAROM_CHANGE_LAW] = { OF_WORLD, set_law, false },
    [CAROM_CHANGE_OPTION] = { OF_WORLD, set_option, false },
    [CAROM_CHANGE_FORCE] = { OF_BODY, set_force, false },
    [CAROM_CHANGE_PUSH] = { OF_BODY, push, false },
    [CAROM_CHANGE_IMPULSE] = { OF_BODY, strike, true },
    [CAROM_CHANGE_REMOVE] = { OF_BODY, remove_body, true },
    [CAROM_CHANGE_REMOVE_JOINT] = { OF_JOINT, remove_joint, true },
    [CAROM_CHANGE_AIM] = { OF_JOINT, aim, true },
};

// -- how it is done -------------------------------------------------------------------------------

carom_status carom_world_change_find(const carom_world *world, const carom_change *change,
                                     int *slot, carom_error *err)
{
    carom_body_id body = { change->slot, change->generation };
    carom_joint_id joint = { change->slot, change->generation };
    *slot = -1;
    if (change->what < 0 || change->what >= CAROM_CHANGE_WHATS)
        return refuse(err, "apply changes that carom_world_changes has recorded", "kind of change",
                      change->what);
    switch (ways[change->what].of) {
    case OF_BODY:
        return carom_world_handle_body(world, body, slot, err);
    case OF_JOINT:
        return carom_world_handle_joint(world, joint, slot, err);
    case OF_WORLD:
        break;
    }
    return CAROM_OK;
}

static bool reserve(carom_world_changes_list *changes)
{
    if (changes->count < changes->capacity)
        return true;
    size_t capacity = changes->capacity ? 2 * (size_t)changes->capacity : 64;
    if (!carom_world_grow((void **)&changes->list, capacity, sizeof *changes->list))
        return false;
    changes->capacity = (int)capacity;
    return true;
}

// What a change may move wakes before it.
static void wake(carom_world *world, const carom_change *change, int slot)
{
    subject of = ways[change->what].of;
    if (of == OF_BODY && world->kind[slot] == CAROM_BODY_DRIVEN &&
        change->what == CAROM_CHANGE_VELOCITY)
        return; // it wakes whom it meets
    if (of == OF_BODY && world->kind[slot] == CAROM_BODY_WAITING &&
        (change->what != CAROM_CHANGE_KIND || change->index == CAROM_BODY_MOVING))
        return; // so does this
    if (of == OF_BODY && world->kind[slot] == CAROM_BODY_MOVING) {
        carom_world_sleep_wake(world, slot);
    } else if (of == OF_JOINT) {
        for (int k = 0; k < 2; ++k) {
            int end = k ? world->joints[slot].b : world->joints[slot].a;
            if (end >= 0)
                carom_world_sleep_wake(world, end);
        }
    } else {
        carom_world_sleep_wake_all(world);
    }
}

carom_status carom_world_change(carom_world *world, const carom_change *change, carom_error *err)
{
    NEED(err, world, change);
    int slot;
    TRY(carom_world_change_find(world, change, &slot, err));
    for (size_t k = 0; k < sizeof change->numbers / sizeof *change->numbers; ++k)
        if (!isfinite(change->numbers[k]))
            return refuse(err, "use finite numbers", "value given", change->numbers[k]);
    if (world->changes.on && !reserve(&world->changes))
        return carom_error_no_memory(err, "a change");
    world->query.fresh = false;
    wake(world, change, slot);
    TRY(ways[change->what].run(world, slot, change, err));
    if (ways[change->what].books)
        carom_ledger_book(world);
    if (world->changes.on) {
        carom_change *entry = &world->changes.list[world->changes.count++];
        *entry = *change;
        entry->step = world->now.ledger.steps;
    }
    return CAROM_OK;
}

// -- the record -----------------------------------------------------------------------------------

void carom_world_record_changes(carom_world *world, int on)
{
    if (!world)
        return;
    world->changes.on = on != 0;
    world->changes.count = 0;
}

const carom_change *carom_world_changes(const carom_world *world, int *count)
{
    if (!world || !count)
        return NULL;
    *count = world->changes.count;
    return world->changes.list;
}
