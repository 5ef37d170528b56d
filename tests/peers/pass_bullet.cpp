// Bullet with the pass of examples/pass/bullet.h.
#include "pass_peer.h"

#include "../../examples/pass/bullet.h"
#include <vector>

namespace
{
struct world {
    explicit world(double radius) : ball(radius) {}
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{ &configuration };
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    PassWorld bullet{ &dispatcher, &broadphase, &solver, &configuration };
    btSphereShape ball;
    std::vector<btRigidBody *> bodies;
};
} // namespace

const char *const pass_peer_name = "Bullet";

void *pass_peer_create(const pass_ball *balls, int count, double radius, double)
{
    auto *w = new world(radius);
    btVector3 inertia;
    w->ball.calculateLocalInertia(1, inertia);
    w->bullet.setGravity(btVector3(0, 0, 0));
    w->bullet.getSolverInfo().m_linearSlop = 1e-4;
    for (int i = 0; i < count; ++i) {
        btRigidBody::btRigidBodyConstructionInfo info(1, nullptr, &w->ball, inertia);
        const double *x = balls[i].position, *v = balls[i].velocity;
        info.m_startWorldTransform =
            btTransform(btQuaternion::getIdentity(), btVector3(x[0], x[1], x[2]));
        info.m_friction = 0;
        info.m_restitution = 1;
        auto *body = new btRigidBody(info);
        body->setActivationState(DISABLE_DEACTIVATION);
        body->setLinearVelocity(btVector3(v[0], v[1], v[2]));
        w->bullet.addRigidBody(body);
        w->bodies.push_back(body);
    }
    return w;
}

void pass_peer_step(void *data, double dt)
{
    static_cast<world *>(data)->bullet.stepSimulation(dt, 0);
}

void pass_peer_state(void *data, int ball, pass_ball *out)
{
    const btRigidBody *body = static_cast<world *>(data)->bodies[size_t(ball)];
    for (int k = 0; k < 3; ++k) {
        out->position[k] = body->getCenterOfMassPosition()[k];
        out->velocity[k] = body->getLinearVelocity()[k];
    }
}

void pass_peer_destroy(void *data)
{
    auto *w = static_cast<world *>(data);
    for (btRigidBody *body : w->bodies) {
        w->bullet.removeRigidBody(body);
        delete body;
    }
    delete w;
}
