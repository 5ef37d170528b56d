// Bullet (double precision): its own manifolds for pairs that overlap, its GJK for pairs that do not.
#include "peer.h"

#include <btBulletCollisionCommon.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#include <cmath>

extern "C" const char *const peer_name = "Bullet";

static btDefaultCollisionConfiguration *configuration;
static btCollisionDispatcher *dispatcher;
static btDbvtBroadphase *broadphase;
static btCollisionWorld *world;
static btConvexShape *kept[PEER_SLOTS];

void peer_open(void)
{
    configuration = new btDefaultCollisionConfiguration;
    dispatcher = new btCollisionDispatcher(configuration);
    broadphase = new btDbvtBroadphase;
    world = new btCollisionWorld(dispatcher, broadphase, configuration);
}

void peer_close(void)
{
    for (btConvexShape *shape : kept)
        delete shape;
    delete world;
    delete broadphase;
    delete dispatcher;
    delete configuration;
}

static btConvexShape *make(const peer_shape *s)
{
    btConvexShape *made = nullptr;
    switch (s->kind) {
    case PEER_SPHERE:
        return new btSphereShape(s->radius);
    case PEER_CAPSULE:
        return new btCapsuleShapeZ(s->radius, 2 * s->half_length);
    case PEER_CYLINDER:
        made = new btCylinderShapeZ(btVector3(s->radius, s->radius, s->half_length));
        break;
    case PEER_BOX:
        made = new btBoxShape(btVector3(s->half[0], s->half[1], s->half[2]));
        break;
    case PEER_HULL: {
        btConvexHullShape *hull = new btConvexHullShape;
        for (int i = 0; i < s->point_count; ++i)
            hull->addPoint(btVector3(s->points[3 * i], s->points[3 * i + 1], s->points[3 * i + 2]), false);
        hull->recalcLocalAabb();
        made = hull;
        break;
    }
    case PEER_PLANE:
        return nullptr;
    }
    made->setMargin(0);
    return made;
}

static btConvexShape *shape_of(const peer_shape *s)
{
    if (!kept[s->slot])
        kept[s->slot] = make(s);
    return kept[s->slot];
}

static btTransform place(const peer_shape *s)
{
    const double *r = s->rotation;
    return btTransform(btMatrix3x3(r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8]),
                       btVector3(s->position[0], s->position[1], s->position[2]));
}

struct deepest : btCollisionWorld::ContactResultCallback {
    double gap = HUGE_VAL;
    btVector3 normal{ 0, 0, 0 };
    const btCollisionObject *first = nullptr;

    btScalar addSingleResult(btManifoldPoint &point, const btCollisionObjectWrapper *a, int, int,
                             const btCollisionObjectWrapper *, int, int) override
    {
        if (point.getDistance() < gap) {
            gap = point.getDistance();
            normal = point.m_normalWorldOnB; // from b to a
            if (a->getCollisionObject() == first)
                normal = -normal;
        }
        return 0;
    }
};

peer_answer peer_ask(const peer_shape *a, const peer_shape *b)
{
    peer_answer answer = {};
    btConvexShape *sa = shape_of(a), *sb = shape_of(b);
    if (!sa || !sb)
        return answer;
    answer.known = 1;
    btGjkEpaSolver2::sResults results;
    bool apart = btGjkEpaSolver2::Distance(sa, place(a), sb, place(b),
                                           btVector3(1, 0, 0), results);
    // Distance is that of the cores: spheres and capsules carry their radius as a margin.
    double round = (a->kind <= PEER_CAPSULE ? a->radius : 0) + (b->kind <= PEER_CAPSULE ? b->radius : 0);
    if (apart && results.distance - round > 0) {
        answer.measured = 1;
        answer.gap = results.distance - round;
        btVector3 n = (results.witnesses[1] - results.witnesses[0]).normalized();
        for (int k = 0; k < 3; ++k)
            answer.normal[k] = n[k];
        return answer;
    }
    btCollisionObject oa, ob;
    oa.setCollisionShape(sa);
    ob.setCollisionShape(sb);
    oa.setWorldTransform(place(a));
    ob.setWorldTransform(place(b));
    deepest found;
    found.first = &oa;
    world->contactPairTest(&oa, &ob, found);
    answer.overlap = found.gap < 0;
    answer.measured = found.gap < HUGE_VAL;
    answer.gap = found.gap;
    for (int k = 0; k < 3; ++k)
        answer.normal[k] = found.normal[k];
    return answer;
}
