// Bullet and ODE as their manuals recommend them for many bodies: Bullet's sequential impulses (10
// iterations) and ODE's quick step (20 iterations), defaults otherwise. Nothing may fall asleep: the
// figures are for a step that is really computed.
#include "peers.h"

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletDynamicsCommon.h>
#include <ode/ode.h>
#include <vector>

namespace {

struct bullet_world {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{ &configuration };
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{ &dispatcher, &broadphase, &solver, &configuration };
    std::vector<btCollisionShape *> shapes;
    std::vector<btRigidBody *> bodies;
    std::vector<btTypedConstraint *> joints;
    std::vector<btTriangleMesh *> meshes;
};

// Half the thickness of walls, m.
const btScalar wall = 100;

btVector3 vector(const double *v)
{
    return btVector3(btScalar(v[0]), btScalar(v[1]), btScalar(v[2]));
}

// Bullet's shape for meshes that move.
btCollisionShape *bullet_mesh(bullet_world *w, const peer_body &b)
{
    auto *mesh = new btTriangleMesh;
    for (int t = 0; t < b.triangle_count; ++t)
        mesh->addTriangle(vector(b.points + 3 * b.triangles[3 * t]), vector(b.points + 3 * b.triangles[3 * t + 1]),
                          vector(b.points + 3 * b.triangles[3 * t + 2]));
    auto *shape = new btGImpactMeshShape(mesh);
    shape->setMargin(btScalar(0.001));
    shape->updateBound();
    w->meshes.push_back(mesh);
    return shape;
}

btCollisionShape *bullet_shape(bullet_world *w, const peer_body &b)
{
    switch (b.kind) {
    case PEER_MESH:
        return bullet_mesh(w, b);
    case PEER_SPHERE:
        return new btSphereShape(btScalar(b.size[0]));
    case PEER_BOX:
        return new btBoxShape(btVector3(btScalar(b.size[0]), btScalar(b.size[1]), btScalar(b.size[2])));
    case PEER_HULL: {
        auto *hull = new btConvexHullShape;
        for (int i = 0; i < b.point_count; ++i)
            hull->addPoint(btVector3(btScalar(b.points[3 * i]), btScalar(b.points[3 * i + 1]),
                                     btScalar(b.points[3 * i + 2])), false);
        hull->setMargin(btScalar(0.001)); // the default, .04 m, is the size of the hulls here
        hull->recalcLocalAabb();
        return hull;
    }
    case PEER_PLANE:
        break;
    }
    // a plane has a box round it without end, so that every body would be paired with it
    return new btBoxShape(btVector3(wall, wall, wall));
}

void *bullet_create(const peer_body *bodies, int count, double friction, double restitution)
{
    auto *w = new bullet_world;
    btGImpactCollisionAlgorithm::registerAlgorithm(&w->dispatcher);
    w->world.setGravity(btVector3(0, 0, btScalar(-9.81)));
    for (int i = 0; i < count; ++i) {
        const peer_body &b = bodies[i];
        btCollisionShape *shape = bullet_shape(w, b);
        btTransform place;
        place.setIdentity();
        btVector3 inertia(0, 0, 0);
        if (b.kind == PEER_PLANE) {
            btVector3 normal(btScalar(b.normal[0]), btScalar(b.normal[1]), btScalar(b.normal[2]));
            place.setRotation(shortestArcQuat(btVector3(0, 0, 1), normal));
            place.setOrigin(btVector3(btScalar(b.position[0]), btScalar(b.position[1]), btScalar(b.position[2])) -
                            wall * normal);
        }
        if (b.kind != PEER_PLANE) {
            place.setOrigin(btVector3(btScalar(b.position[0]), btScalar(b.position[1]), btScalar(b.position[2])));
            place.setRotation(btQuaternion(btScalar(b.rotation[1]), btScalar(b.rotation[2]), btScalar(b.rotation[3]),
                                           btScalar(b.rotation[0])));
            inertia = btVector3(btScalar(b.inertia[0]), btScalar(b.inertia[1]), btScalar(b.inertia[2]));
        }
        btRigidBody::btRigidBodyConstructionInfo info(btScalar(b.kind == PEER_PLANE ? 0 : b.mass), nullptr, shape,
                                                      inertia);
        info.m_startWorldTransform = place;
        // Bullet multiplies the coefficients of the two bodies
        info.m_friction = btScalar(sqrt(friction));
        info.m_restitution = btScalar(sqrt(restitution));
        auto *body = new btRigidBody(info);
        body->setActivationState(DISABLE_DEACTIVATION);
        body->setLinearVelocity(btVector3(btScalar(b.velocity[0]), btScalar(b.velocity[1]), btScalar(b.velocity[2])));
        body->setAngularVelocity(btVector3(btScalar(b.spin[0]), btScalar(b.spin[1]), btScalar(b.spin[2])));
        w->world.addRigidBody(body);
        w->shapes.push_back(shape);
        w->bodies.push_back(body);
    }
    return w;
}

void bullet_gravity(void *world, double z)
{
    static_cast<bullet_world *>(world)->world.setGravity(btVector3(0, 0, btScalar(z)));
}

void bullet_step(void *world, double dt)
{
    static_cast<bullet_world *>(world)->world.stepSimulation(btScalar(dt), 0);
}

void bullet_state(void *world, int i, peer_state *out)
{
    btRigidBody *body = static_cast<bullet_world *>(world)->bodies[size_t(i)];
    btTransform place = body->getWorldTransform();
    btQuaternion q = place.getRotation();
    for (int k = 0; k < 3; ++k) {
        out->position[k] = double(place.getOrigin()[k]);
        out->velocity[k] = double(body->getLinearVelocity()[k]);
        out->spin[k] = double(body->getAngularVelocity()[k]);
    }
    const double parts[4] = { double(q.w()), double(q.x()), double(q.y()), double(q.z()) };
    for (int k = 0; k < 4; ++k)
        out->rotation[k] = parts[k];
}

int bullet_contacts(void *world)
{
    auto *w = static_cast<bullet_world *>(world);
    int count = 0;
    for (int i = 0; i < w->dispatcher.getNumManifolds(); ++i)
        count += w->dispatcher.getManifoldByIndexInternal(i)->getNumContacts();
    return count;
}

void bullet_destroy(void *world)
{
    auto *w = static_cast<bullet_world *>(world);
    for (btTypedConstraint *joint : w->joints) {
        w->world.removeConstraint(joint);
        delete joint;
    }
    for (btRigidBody *body : w->bodies) {
        w->world.removeRigidBody(body);
        delete body;
    }
    for (btCollisionShape *shape : w->shapes)
        delete shape;
    for (btTriangleMesh *mesh : w->meshes)
        delete mesh;
    delete w;
}

// A frame of a body at the joint, its z along the axis.
btTransform bullet_frame(const btRigidBody *body, const peer_joint &joint)
{
    btTransform at(shortestArcQuat(btVector3(0, 0, 1), vector(joint.axis)), vector(joint.point));
    return body->getWorldTransform().inverse() * at;
}

void bullet_join(void *world, const peer_joint *joints, int count)
{
    auto *w = static_cast<bullet_world *>(world);
    for (int i = 0; i < count; ++i) {
        btRigidBody *a = w->bodies[size_t(joints[i].a)];
        btRigidBody *b = joints[i].b < 0 ? &btTypedConstraint::getFixedBody() : w->bodies[size_t(joints[i].b)];
        btTransform fa = bullet_frame(a, joints[i]), fb = bullet_frame(b, joints[i]);
        btTypedConstraint *joint;
        if (joints[i].hinge)
            joint = new btHingeConstraint(*a, *b, fa, fb);
        else
            joint = new btPoint2PointConstraint(*a, *b, fa.getOrigin(), fb.getOrigin());
        w->world.addConstraint(joint, true);
        w->joints.push_back(joint);
    }
}

const peer bullet = { "Bullet", bullet_create, bullet_gravity, bullet_step, bullet_state, bullet_contacts, bullet_destroy,
                      bullet_join };

struct ode_world {
    dWorldID world;
    dSpaceID space;
    dJointGroupID group;
    std::vector<dBodyID> bodies;
    std::vector<dTriMeshDataID> meshes;
    double friction, restitution;
    int contacts;
};

dGeomID ode_geom(ode_world *w, const peer_body &b)
{
    if (b.kind == PEER_SPHERE)
        return dCreateSphere(w->space, b.size[0]);
    if (b.kind == PEER_BOX)
        return dCreateBox(w->space, 2 * b.size[0], 2 * b.size[1], 2 * b.size[2]);
    dTriMeshDataID mesh = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(mesh, b.points, 3 * sizeof(double), b.point_count, b.triangles, 3 * b.triangle_count,
                                3 * sizeof(int));
    w->meshes.push_back(mesh);
    return dCreateTriMesh(w->space, mesh, nullptr, nullptr, nullptr);
}

void *ode_create(const peer_body *bodies, int count, double friction, double restitution)
{
    dInitODE2(0);
    auto *w = new ode_world;
    w->world = dWorldCreate();
    w->space = dHashSpaceCreate(nullptr);
    w->group = dJointGroupCreate(0);
    w->friction = friction;
    w->restitution = restitution;
    dWorldSetGravity(w->world, 0, 0, -9.81);
    for (int i = 0; i < count; ++i) {
        const peer_body &b = bodies[i];
        if (b.kind == PEER_PLANE) {
            double offset = 0;
            for (int k = 0; k < 3; ++k)
                offset += b.normal[k] * b.position[k];
            dCreatePlane(w->space, b.normal[0], b.normal[1], b.normal[2], offset);
            w->bodies.push_back(nullptr);
            continue;
        }
        dBodyID body = dBodyCreate(w->world);
        dMass mass;
        dMassSetParameters(&mass, b.mass, 0, 0, 0, b.inertia[0], b.inertia[1], b.inertia[2], 0, 0, 0);
        dBodySetMass(body, &mass);
        dBodySetPosition(body, b.position[0], b.position[1], b.position[2]);
        dBodySetQuaternion(body, b.rotation);
        dBodySetLinearVel(body, b.velocity[0], b.velocity[1], b.velocity[2]);
        dBodySetAngularVel(body, b.spin[0], b.spin[1], b.spin[2]);
        dGeomSetBody(ode_geom(w, b), body);
        w->bodies.push_back(body);
    }
    return w;
}

void ode_near(void *data, dGeomID a, dGeomID b)
{
    auto *w = static_cast<ode_world *>(data);
    dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    if ((!body_a && !body_b) || (body_a && body_b && dAreConnectedExcluding(body_a, body_b, dJointTypeContact)))
        return;
    dContact contact[8];
    int count = dCollide(a, b, 8, &contact[0].geom, sizeof contact[0]);
    for (int i = 0; i < count; ++i) {
        contact[i].surface.mode = dContactBounce | dContactApprox1;
        contact[i].surface.mu = w->friction;
        contact[i].surface.bounce = w->restitution;
        contact[i].surface.bounce_vel = 0.01;
        dJointAttach(dJointCreateContact(w->world, w->group, &contact[i]), body_a, body_b);
    }
    w->contacts += count;
}

void ode_gravity(void *world, double z)
{
    dWorldSetGravity(static_cast<ode_world *>(world)->world, 0, 0, z);
}

void ode_step(void *world, double dt)
{
    auto *w = static_cast<ode_world *>(world);
    dJointGroupEmpty(w->group);
    w->contacts = 0;
    dSpaceCollide(w->space, w, ode_near);
    dWorldQuickStep(w->world, dt);
}

void ode_state(void *world, int i, peer_state *out)
{
    dBodyID body = static_cast<ode_world *>(world)->bodies[size_t(i)];
    *out = peer_state{};
    out->rotation[0] = 1;
    if (!body)
        return;
    for (int k = 0; k < 3; ++k) {
        out->position[k] = dBodyGetPosition(body)[k];
        out->velocity[k] = dBodyGetLinearVel(body)[k];
        out->spin[k] = dBodyGetAngularVel(body)[k];
    }
    for (int k = 0; k < 4; ++k)
        out->rotation[k] = dBodyGetQuaternion(body)[k];
}

int ode_contacts(void *world)
{
    return static_cast<ode_world *>(world)->contacts;
}

void ode_destroy(void *world)
{
    auto *w = static_cast<ode_world *>(world);
    dJointGroupDestroy(w->group);
    dSpaceDestroy(w->space);
    dWorldDestroy(w->world);
    for (dTriMeshDataID mesh : w->meshes)
        dGeomTriMeshDataDestroy(mesh);
    delete w;
    dCloseODE();
}

void ode_join(void *world, const peer_joint *joints, int count)
{
    auto *w = static_cast<ode_world *>(world);
    for (int i = 0; i < count; ++i) {
        const peer_joint &j = joints[i];
        dJointID joint = j.hinge ? dJointCreateHinge(w->world, nullptr) : dJointCreateBall(w->world, nullptr);
        dJointAttach(joint, w->bodies[size_t(j.a)], j.b < 0 ? nullptr : w->bodies[size_t(j.b)]);
        if (j.hinge) {
            dJointSetHingeAnchor(joint, j.point[0], j.point[1], j.point[2]);
            dJointSetHingeAxis(joint, j.axis[0], j.axis[1], j.axis[2]);
        } else {
            dJointSetBallAnchor(joint, j.point[0], j.point[1], j.point[2]);
        }
    }
}

const peer ode = { "ODE", ode_create, ode_gravity, ode_step, ode_state, ode_contacts, ode_destroy, ode_join };

} // namespace

extern "C" const peer *const peers[] = { &bullet, &ode };
extern "C" const int peer_count = 2;
