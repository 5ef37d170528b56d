// Carom through the same face as the others: `setting` is the impact law.
#include "adapter.h"

#include <stdio.h>
#include <string.h>
#include "carom/law.h"
#include "carom/version.h"
#include "carom/world.h"

enum { MOVING = 1, WALLS = 2 }; // materials

static carom_status add_body(carom_world *world, const carom_engine_body *b, carom_error *err)
{
    carom_body body = carom_world_body_default();
    carom_shape *shape = NULL, *part = NULL;
    carom_status status = b->shape == CAROM_ENGINE_PLANE ? carom_plane_create(&shape, err)
                          : b->shape == CAROM_ENGINE_SPHERE
                              ? carom_sphere_create(b->size[0], &shape, err)
                              : carom_box_create(b->size, &shape, err);
    if (status == CAROM_OK && (b->offset[0] != 0 || b->offset[1] != 0 || b->offset[2] != 0)) {
        carom_error_set(err, CAROM_BAD_INPUT,
                        "shapes off the centre of mass are not in this adapter");
        status = CAROM_BAD_INPUT;
    }
    body.shape = shape;
    body.material = b->mass > 0 ? MOVING : WALLS;
    body.kind = b->mass > 0 ? CAROM_BODY_MOVING : CAROM_BODY_FIXED;
    body.mass = b->mass;
    memcpy(body.position, b->position, sizeof body.position);
    memcpy(body.rotation, b->rotation, sizeof body.rotation);
    if (b->mass > 0) {
        memcpy(body.inertia, b->inertia, sizeof b->inertia);
        memcpy(body.velocity, b->velocity, sizeof body.velocity);
        memcpy(body.spin, b->spin, sizeof body.spin);
    }
    if (status == CAROM_OK)
        status = carom_world_add_body(world, &body, NULL, err);
    carom_shape_release(shape);
    carom_shape_release(part);
    return status;
}

// Both materials are the scene's; what touches walls may bounce without loss.
static carom_status add_materials(carom_world *world, const carom_engine_scene *scene,
                                  carom_error *err)
{
    carom_material material = carom_world_material_default();
    material.restitution = scene->restitution;
    material.friction = scene->friction;
    carom_status status = carom_world_add_material(world, &material, NULL, err);
    if (status == CAROM_OK)
        status = carom_world_add_material(world, &material, NULL, err);
    if (status == CAROM_OK && scene->elastic_walls)
        status = carom_world_pair(world, MOVING, WALLS, 1, scene->friction, err);
    return status;
}

static carom_status add_joint(carom_world *world, const carom_engine_joint *j, carom_error *err)
{
    carom_joint joint = { .kind = CAROM_JOINT_BALL,
                          .a = carom_world_body_at(world, j->a),
                          .b = carom_world_body_at(world, j->b) };
    memcpy(joint.anchor_a, j->anchor, sizeof joint.anchor_a);
    memcpy(joint.anchor_b, j->anchor, sizeof joint.anchor_b);
    return carom_world_add_joint(world, &joint, NULL, err);
}

static void *create(const carom_engine_scene *scene, char *why, size_t size)
{
    carom_error err = { 0 };
    carom_world_options options = carom_world_options_default();
    carom_world *world = NULL;
    memcpy(options.gravity, scene->gravity, sizeof options.gravity);
    options.law = scene->setting ? carom_law_find(scene->setting, &err) : carom_law_default();
    if (options.law)
        options.law_options = carom_law_defaults(options.law);
    carom_status status =
        options.law ? carom_world_create(&options, &world, &err) : CAROM_BAD_INPUT;
    if (status == CAROM_OK)
        status = add_materials(world, scene, &err);
    for (int i = 0; i < scene->body_count && status == CAROM_OK; ++i)
        status = add_body(world, &scene->bodies[i], &err);
    for (int i = 0; i < scene->joint_count && status == CAROM_OK; ++i)
        status = add_joint(world, &scene->joints[i], &err);
    if (status == CAROM_OK)
        return world;
    snprintf(why, size, "%s", err.what);
    carom_world_destroy(world);
    return NULL;
}

// A step that fails leaves the world as it was: what it stands still at is the answer.
static void step(void *world, double dt)
{
    carom_error err = { 0 };
    carom_world_step(world, dt, &err);
}

static void state(void *world, int i, carom_engine_state *out)
{
    carom_world_body(world, carom_world_body_at(world, i), out->position, out->rotation,
                     out->velocity, out->spin);
}

static void destroy(void *world)
{
    carom_world_destroy(world);
}

int main(void)
{
    char name[64];
    snprintf(name, sizeof name, "Carom %s", carom_version());
    const adapter engine = { name, create, step, state, destroy };
    return adapter_main(&engine);
}
