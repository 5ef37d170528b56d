// Carom's impact pass in Box3D (headers of August 2026): pass_box3d_step in place of b3World_Step. A step in which
// bodies meet is taken back and done again, with new velocities. Single precision: let neighbours overlap by 1e-7 m,
// so that they touch; with contactSpeed 0 of the world it does not push that apart, pair by pair.
#pragma once
#include <box3d/box3d.h>
#include <carom/pass.h>
#include <math.h>

enum { PASS_BOX3D_BODIES = 4096, PASS_BOX3D_CONTACTS = 64 };
typedef struct pass_box3d { // zero-initialise, then fill in world, pass, bodies that may move, and count
    b3WorldId world;
    carom_pass *pass;
    b3BodyId bodies[PASS_BOX3D_BODIES];
    b3WorldTransform place[PASS_BOX3D_BODIES]; // before the step
    b3Pos centre[PASS_BOX3D_BODIES];           // of mass, likewise
    int number[PASS_BOX3D_BODIES];             // in the pass, by the index of a body; 0: does not move
    int count;
} pass_box3d;
static inline void pass_box3d_copy(b3Vec3 v, double to[3]) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }
static inline b3Vec3 pass_box3d_vector(const double v[3]) { return (b3Vec3){ v[0], v[1], v[2] }; }
static inline void pass_box3d_add_body(pass_box3d *p, int i)
{
    b3BodyId body = p->bodies[i];
    carom_impact_body one = { .inverse_mass = 1 / b3Body_GetMass(body) };
    b3Matrix3 j = b3Body_GetWorldInverseRotationalInertia(body);
    const float parts[6] = { j.cx.x, j.cy.y, j.cz.z, j.cy.x, j.cz.x, j.cz.y };
    for (int k = 0; k < 6; ++k)
        one.inverse_inertia[k] = parts[k];
    p->centre[i] = b3Body_GetWorldCenter(body), p->place[i] = b3Body_GetTransform(body);
    pass_box3d_copy(b3ToVec3(p->centre[i]), one.position);
    pass_box3d_copy(b3Body_GetLinearVelocity(body), one.velocity);
    pass_box3d_copy(b3Body_GetAngularVelocity(body), one.spin);
    p->number[body.index1] = carom_pass_add_body(p->pass, &one);
}
// The contacts whose first moving body this is, as they were at the beginning of the step.
static inline void pass_box3d_add_contacts(pass_box3d *p, int i)
{
    b3ContactData found[PASS_BOX3D_CONTACTS];
    int n = b3Body_GetContactData(p->bodies[i], found, PASS_BOX3D_CONTACTS);
    for (const b3ContactData *c = found; c < found + n; ++c) {
        b3ShapeId s = c->shapeIdA, t = c->shapeIdB;
        int a = p->number[b3Shape_GetBody(s).index1], b = p->number[b3Shape_GetBody(t).index1];
        for (int k = 0; k < c->manifoldCount && (a ? a : b) == i + 1; ++k)
            for (int q = 0; q < c->manifolds[k].pointCount; ++q) {
                const b3ManifoldPoint *point = &c->manifolds[k].points[q];
                carom_pass_contact one = { .a = a, .b = b, .distance = point->separation };
                b3Pos at = b3OffsetPos(p->centre[i], a ? point->anchorA : point->anchorB);
                one.restitution = fmax(b3Shape_GetRestitution(s), b3Shape_GetRestitution(t));
                one.friction = sqrt(b3Shape_GetFriction(s) * b3Shape_GetFriction(t));
                pass_box3d_copy(b3ToVec3(at), one.point);
                pass_box3d_copy(c->manifolds[k].normal, one.normal);
                carom_pass_add_contact(p->pass, &one);
            }
    }
}
static inline carom_status pass_box3d_step(pass_box3d *p, float dt, int substeps, carom_error *err)
{
    carom_pass_report report = { 0 };
    b3World_SetContactRecycleDistance(p->world, 0); // or spheres overlap by 2 cm before it looks again
    carom_pass_begin(p->pass);
    carom_pass_add_body(p->pass, &(carom_impact_body){ 0 }); // number 0: whatever does not move
    for (int i = 0; i < p->count; ++i)
        pass_box3d_add_body(p, i);
    b3World_Step(p->world, dt, substeps);
    for (int i = 0; i < p->count; ++i)
        pass_box3d_add_contacts(p, i);
    carom_status status = carom_pass_resolve(p->pass, dt, &report, err);
    for (int i = 0; i < p->count && report.impacts > 0; ++i) {
        const carom_pass_motion *motion = carom_pass_body(p->pass, i + 1);
        b3Vec3 shift = pass_box3d_vector(motion->shift);
        b3Body_SetTransform(p->bodies[i], b3OffsetPos(p->place[i].p, shift), p->place[i].q);
        b3Body_SetLinearVelocity(p->bodies[i], pass_box3d_vector(motion->velocity));
        b3Body_SetAngularVelocity(p->bodies[i], pass_box3d_vector(motion->spin));
    }
    b3World_EnableWarmStarting(p->world, false); // what pushed in the first try is undone
    if (report.impacts > 0)
        b3World_Step(p->world, dt, substeps);
    b3World_EnableWarmStarting(p->world, true);
    return status;
}
