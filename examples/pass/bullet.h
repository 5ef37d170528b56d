// Carom's impact pass in Bullet: PassWorld in place of btDiscreteDynamicsWorld. Resting contact and joints
// stay Bullet's. That neighbours touch has to be seen: let them overlap, within m_linearSlop.
#pragma once
#include <btBulletDynamicsCommon.h>
#include <carom/pass.h>
#include <stdexcept>
#include <string>

class PassWorld : public btDiscreteDynamicsWorld {
public:
    PassWorld(btDispatcher *dispatcher, btBroadphaseInterface *broadphase, btConstraintSolver *solver,
              btCollisionConfiguration *configuration, const carom_pass_options *options = nullptr)
        : btDiscreteDynamicsWorld(dispatcher, broadphase, solver, configuration)
    { must(carom_pass_create(options, &pass, &err)); }
    ~PassWorld() override { carom_pass_destroy(pass); }
protected: // contacts are known now, velocities are those of the beginning of the step
    void solveConstraints(btContactSolverInfo &info) override
    {
        carom_pass_begin(pass);
        for (int i = 0; i < m_collisionObjects.size(); ++i) // their numbers are getWorldArrayIndex()
            add_body(btRigidBody::upcast(m_collisionObjects[i]));
        for (int i = 0; i < m_dispatcher1->getNumManifolds(); ++i)
            add_contacts(*m_dispatcher1->getManifoldByIndexInternal(i));
        must(carom_pass_resolve(pass, info.m_timeStep, nullptr, &err));
        for (int i = 0; i < m_collisionObjects.size(); ++i)
            if (carom_pass_body(pass, i)->struck)
                move(*btRigidBody::upcast(m_collisionObjects[i]), *carom_pass_body(pass, i));
        for (int i = 0, n = 0; i < m_dispatcher1->getNumManifolds(); ++i) {
            btPersistentManifold &all = *m_dispatcher1->getManifoldByIndexInternal(i);
            for (int k = 0; k < all.getNumContacts(); ++k, ++n) // too far for the solver where they part
                all.getContactPoint(k).setDistance(
                    carom_pass_parts(pass, n) ? BT_LARGE_FLOAT * 2 : carom_pass_distance(pass, n));
        }
        btDiscreteDynamicsWorld::solveConstraints(info);
    }
private:
    static btVector3 vector(const double v[3]) { return btVector3(v[0], v[1], v[2]); }
    static void copy(const btVector3 &v, double to[3]) { to[0] = v.x(), to[1] = v.y(), to[2] = v.z(); }
    void must(carom_status status) const
    {
        if (status != CAROM_OK)
            throw std::runtime_error(std::string(err.what) + ". Fix: " + err.fix);
    }
    void add_body(const btRigidBody *body) // null: no rigid body, immovable here
    {
        carom_impact_body one = {};
        if (body) {
            const btMatrix3x3 &j = body->getInvInertiaTensorWorld();
            const double parts[] = { j[0][0], j[1][1], j[2][2], j[0][1], j[0][2], j[1][2] };
            std::copy(parts, parts + 6, one.inverse_inertia);
            one.inverse_mass = body->getInvMass();
            copy(body->getCenterOfMassPosition(), one.position);
            copy(body->getLinearVelocity(), one.velocity);
            copy(body->getAngularVelocity(), one.spin);
        }
        carom_pass_add_body(pass, &one);
    }
    void add_contacts(const btPersistentManifold &manifold)
    {
        for (int k = 0; k < manifold.getNumContacts(); ++k) {
            const btManifoldPoint &point = manifold.getContactPoint(k); // normal: from body 1 to body 0
            carom_pass_contact one = {};
            one.a = manifold.getBody1()->getWorldArrayIndex();
            one.b = manifold.getBody0()->getWorldArrayIndex();
            one.distance = point.getDistance();
            one.restitution = point.m_combinedRestitution, one.friction = point.m_combinedFriction;
            copy(point.getPositionWorldOnB(), one.point);
            copy(point.m_normalWorldOnB, one.normal);
            carom_pass_add_contact(pass, &one);
        }
    }
    static void move(btRigidBody &body, const carom_pass_motion &motion)
    {
        body.setLinearVelocity(vector(motion.velocity));
        body.setAngularVelocity(vector(motion.spin));
        body.getWorldTransform().setOrigin(body.getWorldTransform().getOrigin() + vector(motion.shift));
    }
    carom_pass *pass = nullptr;
    carom_error err = {};
};
