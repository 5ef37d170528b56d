// Carom's impact pass in ODE: pass_ode_step in place of dSpaceCollide, contact joints and dWorldQuickStep.
// Rest stays ODE's. Touching must be seen: let neighbours overlap within dWorldSetContactSurfaceLayer.
#pragma once
#include <carom/pass.h>
#include <ode/ode.h>
#include <string.h>
enum { PASS_ODE_BODIES = 4096, PASS_ODE_CONTACTS = 16384, PASS_ODE_PAIR = 8 };
typedef struct pass_ode { // zero-initialise, then fill in world, space, pass and surface
    dWorldID world;
    dSpaceID space;
    carom_pass *pass;
    dSurfaceParameters surface; // mode, mu and bounce of every contact
    dContact contacts[PASS_ODE_CONTACTS];
    dBodyID bodies[PASS_ODE_BODIES];
    void *data[PASS_ODE_BODIES]; // their own, while the pass uses the place
    int contact_count, body_count;
} pass_ode;
// The number of a body in this step, 0 for the ground; bodies come in as their contacts are found.
static inline int pass_ode_body(pass_ode *p, dBodyID body)
{
    dMass m;
    carom_impact_body one = { 0 };
    void **at = body ? (void **)dBodyGetData(body) : NULL;
    if (!body || (at >= p->data && at < p->data + p->body_count && p->bodies[at - p->data] == body))
        return body ? (int)(at - p->data) + 1 : 0;
    dBodyGetMass(body, &m);
    const double inertia[] = { m.I[0], m.I[5], m.I[10], m.I[1], m.I[2], m.I[6] };
    carom_pass_inverse_inertia(inertia, dBodyGetQuaternion(body), one.inverse_inertia);
    one.inverse_mass = dBodyIsKinematic(body) ? 0 : 1 / m.mass;
    memcpy(one.position, dBodyGetPosition(body), sizeof one.position);
    memcpy(one.velocity, dBodyGetLinearVel(body), sizeof one.velocity);
    memcpy(one.spin, dBodyGetAngularVel(body), sizeof one.spin);
    p->bodies[p->body_count] = body;
    p->data[p->body_count] = dBodyGetData(body);
    dBodySetData(body, &p->data[p->body_count++]);
    return carom_pass_add_body(p->pass, &one);
}
static inline void pass_ode_near(void *data, dGeomID a, dGeomID b)
{
    pass_ode *p = (pass_ode *)data;
    dContact *c = &p->contacts[p->contact_count];
    int room = p->contact_count + PASS_ODE_PAIR <= PASS_ODE_CONTACTS && p->body_count + 2 <= PASS_ODE_BODIES;
    int n = room ? dCollide(a, b, PASS_ODE_PAIR, &c->geom, sizeof *c) : 0; // full: as if they did not touch
    for (; n > 0; --n, ++c, ++p->contact_count) {
        carom_pass_contact one = { 0, 0, { 0 }, { 0 }, -c->geom.depth, p->surface.bounce, p->surface.mu };
        one.a = pass_ode_body(p, dGeomGetBody(b)); // ODE's normal points into the first
        one.b = pass_ode_body(p, dGeomGetBody(a));
        memcpy(one.point, c->geom.pos, sizeof one.point);
        memcpy(one.normal, c->geom.normal, sizeof one.normal);
        carom_pass_add_contact(p->pass, &one);
        c->surface = p->surface;
    }
}
// One step of dt seconds; `joints` holds its contacts.
static inline carom_status pass_ode_step(pass_ode *p, dReal dt, dJointGroupID joints, carom_error *err)
{
    carom_pass_begin(p->pass);
    carom_pass_add_body(p->pass, &(carom_impact_body){ 0 });
    p->body_count = p->contact_count = 0;
    dSpaceCollide(p->space, p, pass_ode_near);
    carom_status status = carom_pass_resolve(p->pass, dt, NULL, err);
    for (int i = 0; i < p->body_count; ++i) {
        const carom_pass_motion *m = carom_pass_body(p->pass, i + 1);
        const dReal *x = dBodyGetPosition(p->bodies[i]);
        dBodySetData(p->bodies[i], p->data[i]);
        dBodySetPosition(p->bodies[i], x[0] + m->shift[0], x[1] + m->shift[1], x[2] + m->shift[2]);
        dBodySetLinearVel(p->bodies[i], m->velocity[0], m->velocity[1], m->velocity[2]);
        dBodySetAngularVel(p->bodies[i], m->spin[0], m->spin[1], m->spin[2]);
    }
    dJointGroupEmpty(joints);
    for (int i = 0; i < p->contact_count; ++i) {
        dContact *c = &p->contacts[i];
        if ((c->geom.depth = -carom_pass_distance(p->pass, i)) >= 0 && !carom_pass_parts(p->pass, i))
            dJointAttach(dJointCreateContact(p->world, joints, c), dGeomGetBody(c->geom.g1),
                         dGeomGetBody(c->geom.g2));
    }
    dWorldQuickStep(p->world, dt);
    return status;
}
