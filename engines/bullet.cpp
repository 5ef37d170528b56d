// Bullet in double precision: its sequential impulses. Restitution is at work from any speed on; nothing falls asleep.
#include "adapter.h"

#include <btBulletDynamicsCommon.h>
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
};

btVector3 vector(const double v[3])
{
    return btVector3(v[0], v[1], v[2]);
}

btCollisionShape *make_shape(const carom_engine_body &b)
{
    if (b.shape == CAROM_ENGINE_PLANE)
        return new btStaticPlaneShape(btVector3(0, 0, 1), 0);
    if (b.shape == CAROM_ENGINE_SPHERE)
        return new btSphereShape(b.size[0]);
    return new btBoxShape(vector(b.size));
}

// A shape off the centre of mass is a compound of one.
btCollisionShape *place_shape(bullet_world *w, const carom_engine_body &b)
{
    btCollisionShape *shape = make_shape(b);
    w->shapes.push_back(shape);
    if (vector(b.offset).length2() == 0)
        return shape;
    auto *compound = new btCompoundShape;
    compound->addChildShape(btTransform(btQuaternion::getIdentity(), vector(b.offset)), shape);
    w->shapes.push_back(compound);
    return compound;
}

void *create(const carom_engine_scene *scene, char *, size_t)
{
    auto *w = new bullet_world;
    w->world.setGravity(vector(scene->gravity));
    if (scene->iterations > 0)
        w->world.getSolverInfo().m_numIterations = scene->iterations;
    w->world.getSolverInfo().m_restitutionVelocityThreshold = 0;
    for (int i = 0; i < scene->body_count; ++i) {
        const carom_engine_body &b = scene->bodies[i];
        btRigidBody::btRigidBodyConstructionInfo info(b.mass, nullptr, place_shape(w, b), vector(b.inertia));
        info.m_startWorldTransform = btTransform(
            btQuaternion(b.rotation[1], b.rotation[2], b.rotation[3], b.rotation[0]), vector(b.position));
        info.m_friction = sqrt(scene->friction); // Bullet multiplies those of the two bodies
        info.m_restitution = sqrt(scene->restitution);
        if (scene->elastic_walls && b.mass == 0)
            info.m_restitution = 1 / sqrt(scene->restitution);
        auto *body = new btRigidBody(info);
        body->setActivationState(DISABLE_DEACTIVATION);
        if (b.mass > 0) {
            body->setLinearVelocity(vector(b.velocity));
            body->setAngularVelocity(vector(b.spin));
        }
        w->world.addRigidBody(body);
        w->bodies.push_back(body);
    }
    for (int i = 0; i < scene->joint_count; ++i) {
        const carom_engine_joint &j = scene->joints[i];
        btRigidBody &a = *w->bodies[size_t(j.a)], &b = *w->bodies[size_t(j.b)];
        w->joints.push_back(new btPoint2PointConstraint(a, b, a.getWorldTransform().inverse() * vector(j.anchor),
                                                        b.getWorldTransform().inverse() * vector(j.anchor)));
        w->world.addConstraint(w->joints.back());
    }
    return w;
}

void step(void *world, double dt)
{
    static_cast<bullet_world *>(world)->world.stepSimulation(dt, 0);
}

void state(void *world, int i, carom_engine_state *out)
{
    btRigidBody *body = static_cast<bullet_world *>(world)->bodies[size_t(i)];
    btTransform place = body->getWorldTransform();
    btQuaternion q = place.getRotation();
    for (int k = 0; k < 3; ++k) {
        out->position[k] = place.getOrigin()[k];
        out->velocity[k] = body->getLinearVelocity()[k];
        out->spin[k] = body->getAngularVelocity()[k];
    }
    const double parts[4] = { q.w(), q.x(), q.y(), q.z() };
    for (int k = 0; k < 4; ++k)
        out->rotation[k] = parts[k];
}

void destroy(void *world)
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
    delete w;
}

} // namespace

int main()
{
    const adapter engine = { "Bullet 3.24", create, step, state, destroy };
    return adapter_main(&engine);
}
