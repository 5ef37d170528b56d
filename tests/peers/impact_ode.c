// ODE's exact step (Lemke and Dantzig on the whole system): what sequential impulses tend to.
#include "impact_peer.h"

#include <ode/ode.h>
#include <stddef.h>

const char *const impact_peer_name = "ODE", *const impact_peer_law = "impulses",
                  *const impact_peer_options = "iterations=100000";

void impact_peer_step(impact_peer_problem *problem)
{
    dBodyID balls[IMPACT_PEER_BALLS];
    dInitODE2(0);
    dWorldID world = dWorldCreate();
    dJointGroupID contacts = dJointGroupCreate(0);
    dWorldSetCFM(world, 1e-12);
    for (int i = 0; i < problem->count; ++i) {
        const double *x = problem->position[i], *v = problem->velocity[i];
        dMass mass;
        dMassSetSphereTotal(&mass, 1, 0.5);
        balls[i] = dBodyCreate(world);
        dBodySetMass(balls[i], &mass);
        dBodySetPosition(balls[i], x[0], x[1], x[2]);
        dBodySetLinearVel(balls[i], v[0], v[1], v[2]);
    }
    for (int i = 0; i < problem->contact_count; ++i) {
        int a = problem->contacts[i][0], b = problem->contacts[i][1];
        dContact contact = { .surface = { .mode = dContactBounce,
                                          .bounce = problem->restitution } };
        contact.geom.depth = 1e-12; // its solver gives up at resting contacts that want nothing
        for (int k = 0; k < 3; ++k) {
            const double *xa = problem->position[a], *xb = problem->position[b];
            contact.geom.pos[k] = 0.5 * (xa[k] + xb[k]);
            contact.geom.normal[k] = xa[k] - xb[k]; // into the first; they are 1 apart
        }
        dJointAttach(dJointCreateContact(world, contacts, &contact), balls[a], balls[b]);
    }
    dWorldStep(world, 1e-3);
    for (int i = 0; i < problem->count; ++i)
        for (int k = 0; k < 3; ++k)
            problem->velocity[i][k] = dBodyGetLinearVel(balls[i])[k];
    dJointGroupDestroy(contacts);
    dWorldDestroy(world);
    dCloseODE();
}
