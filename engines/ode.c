// ODE: its quick step with so many iterations, or (iterations 0) its exact step.
#include "adapter.h"

#include <ode/ode.h>
#include <stdlib.h>

enum { CONTACTS = 8 };

typedef struct ode_world {
    dWorldID world;
    dSpaceID space;
    dJointGroupID group;
    dBodyID *bodies;
    double friction, restitution, wall_restitution;
    int iterations;
} ode_world;

static void add_body(ode_world *w, const carom_engine_body *b, int i)
{
    dVector3 normal;
    dMatrix3 turn;
    dQtoR(b->rotation, turn);
    if (b->shape == CAROM_ENGINE_PLANE) {
        for (int k = 0; k < 3; ++k)
            normal[k] = turn[4 * k + 2];
        dCreatePlane(w->space, normal[0], normal[1], normal[2],
                     normal[0] * b->position[0] + normal[1] * b->position[1] +
                         normal[2] * b->position[2]);
        return;
    }
    dGeomID geom = b->shape == CAROM_ENGINE_SPHERE
                       ? dCreateSphere(w->space, b->size[0])
                       : dCreateBox(w->space, 2 * b->size[0], 2 * b->size[1], 2 * b->size[2]);
    if (b->mass == 0) {
        dGeomSetPosition(geom, b->position[0], b->position[1], b->position[2]);
        dGeomSetQuaternion(geom, b->rotation);
        return;
    }
    dMass mass;
    dBodyID body = w->bodies[i] = dBodyCreate(w->world);
    dMassSetParameters(&mass, b->mass, 0, 0, 0, b->inertia[0], b->inertia[1], b->inertia[2], 0, 0,
                       0);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, b->position[0], b->position[1], b->position[2]);
    dBodySetQuaternion(body, b->rotation);
    dBodySetLinearVel(body, b->velocity[0], b->velocity[1], b->velocity[2]);
    dBodySetAngularVel(body, b->spin[0], b->spin[1], b->spin[2]);
    dGeomSetBody(geom, body);
    dGeomSetOffsetPosition(geom, b->offset[0], b->offset[1], b->offset[2]);
}

static void *create(const carom_engine_scene *scene, char *why, size_t size)
{
    (void)why, (void)size;
    ode_world *w = calloc(1, sizeof *w);
    dBodyID *bodies = calloc((size_t)scene->body_count, sizeof *bodies);
    if (!w || !bodies) {
        free(w);
        free(bodies);
        return NULL;
    }
    *w = (ode_world){ .world = dWorldCreate(),
                      .space = dSimpleSpaceCreate(NULL),
                      .group = dJointGroupCreate(0),
                      .bodies = bodies,
                      .friction = scene->friction,
                      .restitution = scene->restitution,
                      .wall_restitution = scene->elastic_walls ? 1 : scene->restitution,
                      .iterations = scene->iterations };
    dWorldSetGravity(w->world, scene->gravity[0], scene->gravity[1], scene->gravity[2]);
    if (scene->iterations > 0)
        dWorldSetQuickStepNumIterations(w->world, scene->iterations);
    for (int i = 0; i < scene->body_count; ++i)
        add_body(w, &scene->bodies[i], i);
    for (int i = 0; i < scene->joint_count; ++i) {
        const carom_engine_joint *j = &scene->joints[i];
        dJointID ball = dJointCreateBall(w->world, NULL);
        dJointAttach(ball, bodies[j->a], bodies[j->b]);
        dJointSetBallAnchor(ball, j->anchor[0], j->anchor[1], j->anchor[2]);
    }
    return w;
}

static void near(void *data, dGeomID a, dGeomID b)
{
    ode_world *w = data;
    dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    dContact contact[CONTACTS];
    if (!body_a && !body_b)
        return;
    int count = dCollide(a, b, CONTACTS, &contact[0].geom, sizeof contact[0]);
    for (int i = 0; i < count; ++i) {
        contact[i].surface.mode = dContactBounce | dContactApprox1;
        contact[i].surface.mu = w->friction;
        contact[i].surface.bounce = body_a && body_b ? w->restitution : w->wall_restitution;
        contact[i].surface.bounce_vel = 0;
        dJointAttach(dJointCreateContact(w->world, w->group, &contact[i]), body_a, body_b);
    }
}

static void step(void *world, double dt)
{
    ode_world *w = world;
    dJointGroupEmpty(w->group);
    dSpaceCollide(w->space, w, near);
    if (w->iterations > 0)
        dWorldQuickStep(w->world, dt);
    else
        dWorldStep(w->world, dt);
}

static void state(void *world, int i, carom_engine_state *out)
{
    dBodyID body = ((ode_world *)world)->bodies[i];
    for (int k = 0; k < 3; ++k) {
        out->position[k] = dBodyGetPosition(body)[k];
        out->velocity[k] = dBodyGetLinearVel(body)[k];
        out->spin[k] = dBodyGetAngularVel(body)[k];
    }
    for (int k = 0; k < 4; ++k)
        out->rotation[k] = dBodyGetQuaternion(body)[k];
}

static void destroy(void *world)
{
    ode_world *w = world;
    dJointGroupDestroy(w->group);
    dSpaceDestroy(w->space);
    dWorldDestroy(w->world);
    free(w->bodies);
    free(w);
}

int main(void)
{
    const adapter engine = { "ODE 0.16", create, step, state, destroy };
    dInitODE2(0);
    int code = adapter_main(&engine);
    dCloseODE();
    return code;
}
