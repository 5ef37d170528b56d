// Bullet's sequential impulses (double precision) with its default of 10 iterations.
#include "impact_peer.h"

#include <BulletCollision/CollisionDispatch/btSimulationIslandManager.h>
#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <vector>

extern "C" {
extern const char *const impact_peer_name = "Bullet";
extern const char *const impact_peer_law = "impulses";
extern const char *const impact_peer_options = "iterations=10";
}

// Balls that are apart by round-off have no contact in Bullet: a little nearer together than that.
static const double TOUCHING = 1 - 1e-13;

// Contacts in the order in which the solver took them: that of the manifolds, as islands are not
// split.
static void read_contacts(btDispatcher *dispatcher, impact_peer_problem *problem)
{
    problem->contact_count = 0;
    for (int i = 0; i < dispatcher->getNumManifolds(); ++i) {
        btPersistentManifold *manifold = dispatcher->getManifoldByIndexInternal(i);
        if (manifold->getNumContacts() == 0)
            continue;
        problem->contacts[problem->contact_count][0] = manifold->getBody0()->getUserIndex();
        problem->contacts[problem->contact_count][1] = manifold->getBody1()->getUserIndex();
        ++problem->contact_count;
    }
}

void impact_peer_step(impact_peer_problem *problem)
{
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    btSphereShape shape(0.5);
    std::vector<btRigidBody *> balls;
    world.setGravity(btVector3(0, 0, 0));
    world.getSimulationIslandManager()->setSplitIslands(false);
    world.getSolverInfo().m_restitutionVelocityThreshold = 0;
    for (int i = 0; i < problem->count; ++i) {
        btVector3 inertia;
        shape.calculateLocalInertia(1, inertia);
        btRigidBody *ball = new btRigidBody(1, nullptr, &shape, inertia);
        const double *x = problem->position[i], *v = problem->velocity[i];
        ball->setWorldTransform(
            btTransform(btQuaternion::getIdentity(), TOUCHING * btVector3(x[0], x[1], x[2])));
        ball->setLinearVelocity(btVector3(v[0], v[1], v[2]));
        ball->setRestitution(std::sqrt(problem->restitution)); // Bullet multiplies the two
        ball->setFriction(0);
        ball->setUserIndex(i);
        ball->setActivationState(DISABLE_DEACTIVATION);
        world.addRigidBody(ball);
        balls.push_back(ball);
    }
    world.stepSimulation(1e-3, 0);
    read_contacts(&dispatcher, problem);
    for (int i = 0; i < problem->count; ++i) {
        for (int k = 0; k < 3; ++k)
            problem->velocity[i][k] = balls[i]->getLinearVelocity()[k];
        world.removeRigidBody(balls[i]);
        delete balls[i];
    }
}
