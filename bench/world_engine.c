// Our own world as one more engine of bench_world.
#include "world_engine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const world_scene *own_scene; // peer.create has no place for it

void world_engine_choose(const world_scene *s)
{
    own_scene = s;
}

// `state`: where it is at rest, or null.
static carom_body body_of(const peer_body *b, const peer_state *state)
{
    carom_body body = carom_world_body_default();
    body.material = 1;
    body.mass = b->mass;
    memcpy(body.position, b->position, sizeof body.position);
    if (b->kind == PEER_PLANE) {
        double q[4] = { 1 + b->normal[2], -b->normal[1], b->normal[0], 0 };
        double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
        body.kind = CAROM_BODY_FIXED;
        for (int k = 0; k < 4; ++k)
            body.rotation[k] = q[k] / length;
    } else if (state) {
        memcpy(body.position, state->position, sizeof body.position);
        memcpy(body.rotation, state->rotation, sizeof body.rotation);
    } else {
        memcpy(body.rotation, b->rotation, sizeof body.rotation);
        memcpy(body.velocity, b->velocity, sizeof body.velocity);
        memcpy(body.spin, b->spin, sizeof body.spin);
    }
    return body;
}

carom_world *world_engine_world(const world_scene *s, const peer_state *states)
{
    carom_error err = { 0 };
    carom_world *world;
    carom_world_options options = carom_world_options_default();
    if (!s->plain) {
        options.events = 0; // dense piles: every contact of a step at once, as the peers do
        // The law that handles friction and dense piles, and the speed below which Bullet does not
        // bounce either.
        options.resting_speed = 0.2;
        options.law = carom_law_find("wave", &err);
        options.law_options = carom_law_defaults(options.law);
    }
    carom_material material = carom_world_material_default();
    material.friction = s->friction;
    material.restitution = s->restitution;
    if (carom_world_create(&options, &world, &err) != CAROM_OK ||
        carom_world_add_material(world, &material, NULL, &err) != CAROM_OK)
        world_scene_fail(err.what);
    carom_shape *shared[5] = { NULL };
    const double *shared_size[5] = { NULL };
    for (int i = 0; i < s->count; ++i) {
        peer_kind kind = s->bodies[i].kind;
        const double *size = s->bodies[i].size;
        if (shared[kind] && memcmp(shared_size[kind], size, sizeof s->bodies[i].size) != 0) {
            carom_shape_release(shared[kind]);
            shared[kind] = NULL;
        }
        if (!shared[kind])
            shared[kind] = world_scene_shape(&s->bodies[i]);
        shared_size[kind] = size;
        carom_body body = body_of(&s->bodies[i], states ? &states[i] : NULL);
        body.shape = shared[kind];
        if (carom_world_add_body(world, &body, NULL, &err) != CAROM_OK)
            world_scene_fail(err.what);
    }
    for (int k = 0; k < 5; ++k)
        if (shared[k])
            carom_shape_release(shared[k]);
    return world;
}

static void *own_create(const peer_body *bodies, int count, double friction, double restitution)
{
    (void)bodies, (void)count, (void)friction, (void)restitution;
    return world_engine_world(own_scene, NULL);
}

static void own_step(void *world, double dt)
{
    carom_error err = { 0 };
    if (carom_world_step(world, dt, &err) != CAROM_OK) {
        fprintf(stderr, "%s\n", err.where);
        world_scene_fail(err.what);
    }
}

static void own_state(void *world, int i, peer_state *out)
{
    carom_world_body(world, carom_world_body_at(world, i), out->position, out->rotation,
                     out->velocity, out->spin);
}

static int own_contacts(void *world)
{
    return (int)carom_world_ledger(world).contacts;
}

static void own_destroy(void *world)
{
    carom_world_destroy(world);
}

static void own_join(void *world, const peer_joint *list, int count)
{
    for (int i = 0; i < count; ++i) {
        carom_error err = { 0 };
        carom_joint joint = { .kind = list[i].hinge ? CAROM_JOINT_HINGE : CAROM_JOINT_BALL };
        joint.a = carom_world_body_at(world, list[i].a);
        if (list[i].b >= 0)
            joint.b = carom_world_body_at(world, list[i].b);
        memcpy(joint.anchor_a, list[i].point, sizeof joint.anchor_a);
        memcpy(joint.anchor_b, list[i].point, sizeof joint.anchor_b);
        memcpy(joint.axis, list[i].axis, sizeof joint.axis);
        if (carom_world_add_joint(world, &joint, NULL, &err) != CAROM_OK)
            world_scene_fail(err.what);
    }
}

const peer world_engine = { "Carom",   own_create,   NULL,        own_step,
                            own_state, own_contacts, own_destroy, own_join };
