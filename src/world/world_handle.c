// Handles: which slot of the world's arrays a body or joint has, and whether what a caller names is
// still there.
//
// Bodies and joints stand in the arrays at their slots. What is removed leaves its slot free, for
// the next that is added, under another generation. Inside of a step a free slot of a body is an
// immovable body that nobody may touch, with a shape of its own that is next to nothing; a free
// slot of a joint is a joint between the world and the world. So no loop over bodies or joints has
// to ask who is there.
#include "world/world_handle.h"

#include <string.h>
#include "base/error.h"
#include "base/memory.h"

carom_status carom_world_handle_body(const carom_world *world, carom_body_id id, int *slot,
                                     carom_error *err)
{
    *slot = id.slot;
    NEED(err, world);
    if (carom_world_has_body(world, id))
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT, "there is no body in slot %d of generation %u", id.slot,
                    id.generation);
    return carom_error_fix(err, "use a handle from carom_world_add_body of this world, and none of "
                                "a body that was removed");
}

carom_status carom_world_handle_joint(const carom_world *world, carom_joint_id id, int *slot,
                                      carom_error *err)
{
    *slot = id.slot;
    NEED(err, world);
    if (carom_world_has_joint(world, id))
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT, "there is no joint in slot %d of generation %u", id.slot,
                    id.generation);
    return carom_error_fix(err,
                           "use a handle from carom_world_add_joint of this world, and none of "
                           "a joint that was removed");
}

int carom_world_has_body(const carom_world *world, carom_body_id id)
{
    return world && id.slot >= 0 && id.slot < world->count &&
           world->kind[id.slot] != CAROM_BODY_REMOVED &&
           world->generation[id.slot] == id.generation;
}

int carom_world_has_joint(const carom_world *world, carom_joint_id id)
{
    return world && id.slot >= 0 && id.slot < world->joint_count &&
           !world->joints[id.slot].removed && world->joints[id.slot].generation == id.generation;
}

carom_body_id carom_world_body_at(const carom_world *world, int slot)
{
    if (!world || slot < 0 || slot >= world->count || world->kind[slot] == CAROM_BODY_REMOVED)
        return (carom_body_id){ 0 };
    return (carom_body_id){ slot, world->generation[slot] };
}

carom_joint_id carom_world_joint_at(const carom_world *world, int slot)
{
    if (!world || slot < 0 || slot >= world->joint_count || world->joints[slot].removed)
        return (carom_joint_id){ 0 };
    return (carom_joint_id){ slot, world->joints[slot].generation };
}

int carom_world_body_count(const carom_world *world)
{
    return world ? world->count : 0;
}

int carom_world_joint_count(const carom_world *world)
{
    return world ? world->joint_count : 0;
}

// -- slots ----------------------------------------------------------------------------------------

int carom_world_handle_take_body(carom_world *world)
{
    int i = world->first_free;
    while (i < world->count && world->kind[i] != CAROM_BODY_REMOVED)
        ++i;
    if (i == world->count) {
        if (!carom_world_bodies_grow(world))
            return -1;
        world->generation[i] = 0;
        world->shape[i] = NULL;
        ++world->count;
    }
    world->first_free = i + 1;
    carom_shape_release(world->shape[i]);
    ++world->generation[i];
    return i;
}

int carom_world_handle_take_joint(carom_world *world)
{
    int i = world->first_free_joint;
    while (i < world->joint_count && !world->joints[i].removed)
        ++i;
    unsigned generation = i < world->joint_count ? world->joints[i].generation : 0;
    if (i == world->joint_count) {
        if (!carom_world_grow((void **)&world->joints, (size_t)i + 1, sizeof *world->joints))
            return -1;
        ++world->joint_count;
    }
    world->first_free_joint = i + 1;
    world->joints[i] = (carom_world_joint){ .a = -1, .b = -1, .generation = generation + 1 };
    return i;
}

void carom_world_handle_free_body(carom_world *world, int i)
{
    carom_shape_release(world->shape[i]);
    carom_memory_free(world->name[i]);
    world->name[i] = NULL;
    world->user[i] = NULL;
    world->shape[i] = carom_shape_retain(world->nothing);
    world->kind[i] = CAROM_BODY_REMOVED;
    world->fixed[i] = 1;
    world->sphere[i] = world->tethered[i] = 0;
    world->mass[i] = world->inverse_mass[i] = 0;
    world->thickness[i] = HUGE_VAL;
    world->bounce[i] = (carom_restitution_source){ 0 };
    world->now.velocity[i] = world->now.spin[i] = vec3_make(0, 0, 0);
    world->first_free = i < world->first_free ? i : world->first_free;
    carom_warm_start_forget(world, i);
    for (int j = 0; j < world->joint_count; ++j)
        if (world->joints[j].a == i || world->joints[j].b == i)
            carom_world_handle_free_joint(world, j);
}

void carom_world_handle_free_joint(carom_world *world, int j)
{
    carom_memory_free(world->joints[j].name);
    world->joints[j] = (carom_world_joint){
        .a = -1, .b = -1, .generation = world->joints[j].generation, .removed = true
    };
    world->first_free_joint = j < world->first_free_joint ? j : world->first_free_joint;
    world->linkage_stale = true;
    carom_world_joint_renew(world);
}

// -- names ----------------------------------------------------------------------------------------

bool carom_world_handle_copy_name(const char *from, char **to)
{
    size_t size = from ? strlen(from) + 1 : 0;
    *to = from ? carom_memory_get(size) : NULL;
    if (*to)
        memcpy(*to, from, size);
    return !from || *to;
}

const char *carom_world_name(const carom_world *world, carom_body_id id)
{
    return carom_world_has_body(world, id) ? world->name[id.slot] : NULL;
}

const char *carom_world_joint_name(const carom_world *world, carom_joint_id id)
{
    return carom_world_has_joint(world, id) ? world->joints[id.slot].name : NULL;
}

const char *carom_world_material_name(const carom_world *world, int material)
{
    return world && material >= 0 && material < world->material_count
               ? world->materials[material].name
               : NULL;
}

static bool same(const char *a, const char *b)
{
    return a && strcmp(a, b) == 0;
}

carom_body_id carom_world_find_body(const carom_world *world, const char *name)
{
    for (int i = 0; world && name && i < world->count; ++i)
        if (same(world->name[i], name))
            return carom_world_body_at(world, i);
    return (carom_body_id){ 0 };
}

carom_joint_id carom_world_find_joint(const carom_world *world, const char *name)
{
    for (int i = 0; world && name && i < world->joint_count; ++i)
        if (same(world->joints[i].name, name))
            return carom_world_joint_at(world, i);
    return (carom_joint_id){ 0 };
}

int carom_world_find_material(const carom_world *world, const char *name)
{
    for (int i = 0; world && name && i < world->material_count; ++i)
        if (same(world->materials[i].name, name))
            return i;
    return -1;
}

// -- the caller's own -----------------------------------------------------------------------------

void *carom_world_user(const carom_world *world, carom_body_id id)
{
    return carom_world_has_body(world, id) ? world->user[id.slot] : NULL;
}

carom_status carom_world_set_user(carom_world *world, carom_body_id body, void *user,
                                  carom_error *err)
{
    int i;
    TRY(carom_world_handle_body(world, body, &i, err));
    world->user[i] = user;
    return CAROM_OK;
}
