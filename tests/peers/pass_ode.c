// ODE with the pass of examples/pass/ode.h.
#include "pass_peer.h"

#include "../../examples/pass/ode.h"
#include <stdlib.h>

typedef struct world {
    pass_ode pass;
    dJointGroupID joints;
    dBodyID bodies[64];
} world;

const char *const pass_peer_name = "ODE";

void *pass_peer_create(const pass_ball *balls, int count, double radius, double dt)
{
    world *w = calloc(1, sizeof *w);
    dMass mass;
    (void)dt;
    if (!w || carom_pass_create(NULL, &w->pass.pass, NULL) != CAROM_OK)
        abort();
    dInitODE2(0);
    w->pass.world = dWorldCreate();
    dWorldSetContactSurfaceLayer(w->pass.world, 1e-4);
    w->pass.space = dHashSpaceCreate(NULL);
    w->pass.surface.mode = dContactBounce | dContactApprox1;
    w->pass.surface.bounce = 1;
    w->joints = dJointGroupCreate(0);
    dMassSetSphereTotal(&mass, 1, radius);
    for (int i = 0; i < count; ++i) {
        const double *x = balls[i].position, *v = balls[i].velocity;
        dBodyID body = w->bodies[i] = dBodyCreate(w->pass.world);
        dBodySetMass(body, &mass);
        dBodySetPosition(body, x[0], x[1], x[2]);
        dBodySetLinearVel(body, v[0], v[1], v[2]);
        dBodySetData(body, w);
        dGeomSetBody(dCreateSphere(w->pass.space, radius), body);
    }
    return w;
}

void pass_peer_step(void *data, double dt)
{
    world *w = data;
    if (pass_ode_step(&w->pass, dt, w->joints, NULL) != CAROM_OK)
        abort();
}

void pass_peer_state(void *data, int ball, pass_ball *out)
{
    world *w = data;
    if (dBodyGetData(w->bodies[ball]) != w) // the pass gives it back
        abort();
    memcpy(out->position, dBodyGetPosition(w->bodies[ball]), sizeof out->position);
    memcpy(out->velocity, dBodyGetLinearVel(w->bodies[ball]), sizeof out->velocity);
}

void pass_peer_destroy(void *data)
{
    world *w = data;
    carom_pass_destroy(w->pass.pass);
    dJointGroupDestroy(w->joints);
    dSpaceDestroy(w->pass.space);
    dWorldDestroy(w->pass.world);
    dCloseODE();
    free(w);
}
