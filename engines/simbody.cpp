// Simbody: its semi-explicit stepper with the PLUS solver (Uchida, Sherman, Delp 2015). As it comes all impacts of a step
// are one round; with iterations the induced ones follow in so many rounds. Contacts are declared pair by pair: spheres
// on spheres and planes, corners of boxes on planes.
#include "adapter.h"

#include <Simbody.h>
#include <cstdio>
#include <memory>
#include <vector>

namespace {

using namespace SimTK;

// Every pair is a constraint of the system, whether it touches or not.
enum { PAIRS_MAX = 500 };

struct simbody_world {
    MultibodySystem system;
    SimbodyMatterSubsystem matter{ system };
    GeneralForceSubsystem forces{ system };
    std::vector<MobilizedBodyIndex> bodies;
    std::unique_ptr<SemiExplicitEulerTimeStepper> stepper;
};

Vec3 vector(const double v[3])
{
    return Vec3(v[0], v[1], v[2]);
}

Rotation turn(const carom_engine_body &b)
{
    return Rotation(Quaternion(b.rotation[0], b.rotation[1], b.rotation[2], b.rotation[3]));
}

// The joint that holds a body to one before it; null: it is free.
const carom_engine_joint *joint_of(const carom_engine_scene &s, int i)
{
    for (int k = 0; k < s.joint_count; ++k)
        if (s.joints[k].b == i && s.joints[k].a < i)
            return &s.joints[k];
    return nullptr;
}

Vec3 local_anchor(const carom_engine_body &b, const carom_engine_joint &j)
{
    return ~turn(b) * (vector(j.anchor) - vector(b.position));
}

// Joints are mobilizers, as is Simbody's way: its stepper for contacts leaves loop constraints alone.
void add_body(simbody_world *w, const carom_engine_scene &s, int i)
{
    const carom_engine_body &b = s.bodies[i];
    if (b.mass == 0) {
        w->bodies.push_back(MobilizedBodyIndex(0)); // ground
        return;
    }
    Body::Rigid rigid(MassProperties(b.mass, Vec3(0), Inertia(vector(b.inertia))));
    const carom_engine_joint *j = joint_of(s, i);
    if (j) {
        MobilizedBody &parent = w->matter.updMobilizedBody(w->bodies[size_t(j->a)]);
        w->bodies.push_back(MobilizedBody::Ball(parent, Transform(local_anchor(s.bodies[j->a], *j)), rigid,
                                                Transform(local_anchor(b, *j)))
                                .getMobilizedBodyIndex());
        return;
    }
    w->bodies.push_back(MobilizedBody::Free(w->matter.Ground(), rigid).getMobilizedBodyIndex());
}

// Every joint holds a body to one before it, and no body has two such.
bool is_tree(const carom_engine_scene &s)
{
    int held = 0;
    for (int i = 0; i < s.body_count; ++i)
        held += joint_of(s, i) != nullptr;
    return held == s.joint_count;
}

// Planes and fixed bodies belong to the ground, which stands in world axes.
void add_on_plane(simbody_world *w, const carom_engine_scene &s, int plane, int i)
{
    const carom_engine_body &p = s.bodies[plane], &b = s.bodies[i];
    UnitVec3 normal(turn(p) * Vec3(0, 0, 1));
    Real height = dot(normal, vector(p.position)), e = s.elastic_walls ? 1 : s.restitution, mu = s.friction;
    MobilizedBody &body = w->matter.updMobilizedBody(w->bodies[size_t(i)]);
    if (b.shape == CAROM_ENGINE_SPHERE) {
        w->matter.adoptUnilateralContact(new SpherePlaneContact(w->matter.updGround(), normal, height, body,
                                                                vector(b.offset), b.size[0], e, mu, mu, 0));
        return;
    }
    for (int corner = 0; corner < 8; ++corner) {
        Vec3 point = vector(b.offset);
        for (int k = 0; k < 3; ++k)
            point[k] += corner >> k & 1 ? b.size[k] : -b.size[k];
        w->matter.adoptUnilateralContact(
            new PointPlaneContact(w->matter.updGround(), normal, height, body, point, e, mu, mu, 0));
    }
}

void add_spheres(simbody_world *w, const carom_engine_scene &s, int i, int k)
{
    const carom_engine_body &a = s.bodies[i], &b = s.bodies[k];
    w->matter.adoptUnilateralContact(new SphereSphereContact(
        w->matter.updMobilizedBody(w->bodies[size_t(i)]), vector(a.offset), a.size[0],
        w->matter.updMobilizedBody(w->bodies[size_t(k)]), vector(b.offset), b.size[0], s.restitution, s.friction,
        s.friction, 0));
}

bool add_contacts(simbody_world *w, const carom_engine_scene &s, char *why, size_t size)
{
    int pairs = 0;
    for (int i = 0; i < s.body_count; ++i)
        for (int k = i + 1; k < s.body_count; ++k) {
            const carom_engine_body &a = s.bodies[i], &b = s.bodies[k];
            bool planes = a.shape == CAROM_ENGINE_PLANE || b.shape == CAROM_ENGINE_PLANE;
            bool spheres = a.shape == CAROM_ENGINE_SPHERE && b.shape == CAROM_ENGINE_SPHERE;
            if (a.mass == 0 && b.mass == 0)
                continue;
            if (!spheres && (!planes || a.shape == b.shape)) {
                snprintf(why, size, "has no contact between faces");
                return false;
            }
            if (++pairs > PAIRS_MAX) {
                snprintf(why, size, "declares contacts pair by pair: %d bodies are too many", s.body_count);
                return false;
            }
            if (spheres)
                add_spheres(w, s, i, k);
            else
                add_on_plane(w, s, a.shape == CAROM_ENGINE_PLANE ? i : k, a.shape == CAROM_ENGINE_PLANE ? k : i);
        }
    return true;
}

void start(simbody_world *w, const carom_engine_scene &s)
{
    w->system.realizeTopology();
    State state = w->system.getDefaultState();
    w->system.realizeModel(state);
    for (int i = 0; i < s.body_count; ++i) {
        const carom_engine_body &b = s.bodies[i];
        if (b.mass == 0)
            continue;
        const MobilizedBody &body = w->matter.getMobilizedBody(w->bodies[size_t(i)]);
        const carom_engine_joint *j = joint_of(s, i);
        if (j) {
            const carom_engine_body &a = s.bodies[j->a];
            body.setQToFitRotation(state, Rotation(~turn(a) * turn(b)));
            w->system.realize(state, Stage::Position);
            body.setUToFitAngularVelocity(state, ~turn(a) * (vector(b.spin) - vector(a.spin)));
            continue;
        }
        body.setQToFitTransform(state, Transform(turn(b), vector(b.position)));
        w->system.realize(state, Stage::Position);
        body.setUToFitVelocity(state, SpatialVec(vector(b.spin), vector(b.velocity)));
    }
    w->stepper.reset(new SemiExplicitEulerTimeStepper(w->system));
    w->stepper->setConstraintTolerance(1e-6);
    if (s.iterations > 0) {
        w->stepper->setInducedImpactModel(SemiExplicitEulerTimeStepper::Mixed);
        w->stepper->setMaxInducedImpactsPerStep(s.iterations);
    }
    w->stepper->initialize(state);
}

void *create(const carom_engine_scene *scene, char *why, size_t size)
{
    std::unique_ptr<simbody_world> w(new simbody_world);
    w->matter.setShowDefaultGeometry(false);
    if (vector(scene->gravity).norm() > 0)
        Force::Gravity(w->forces, w->matter, vector(scene->gravity));
    if (!is_tree(*scene)) {
        snprintf(why, size, "has joints in trees only, each holding a body to one before it");
        return nullptr;
    }
    for (int i = 0; i < scene->body_count; ++i)
        add_body(w.get(), *scene, i);
    if (!add_contacts(w.get(), *scene, why, size))
        return nullptr;
    try {
        start(w.get(), *scene);
    } catch (const std::exception &wrong) {
        snprintf(why, size, "%.150s", wrong.what());
        return nullptr;
    }
    return w.release();
}

// An exception of Simbody's ends the program, which is how it says that it failed.
void step(void *world, double dt)
{
    SemiExplicitEulerTimeStepper &stepper = *static_cast<simbody_world *>(world)->stepper;
    stepper.stepTo(stepper.getTime() + dt);
}

void state(void *world, int i, carom_engine_state *out)
{
    auto *w = static_cast<simbody_world *>(world);
    const State &now = w->stepper->getState();
    const MobilizedBody &body = w->matter.getMobilizedBody(w->bodies[size_t(i)]);
    w->system.realize(now, Stage::Velocity);
    Quaternion q = body.getBodyRotation(now).convertRotationToQuaternion();
    for (int k = 0; k < 3; ++k) {
        out->position[k] = body.getBodyOriginLocation(now)[k];
        out->velocity[k] = body.getBodyOriginVelocity(now)[k];
        out->spin[k] = body.getBodyAngularVelocity(now)[k];
    }
    for (int k = 0; k < 4; ++k)
        out->rotation[k] = q[k];
}

void destroy(void *world)
{
    delete static_cast<simbody_world *>(world);
}

} // namespace

int main()
{
    const adapter engine = { "Simbody 3.7", create, step, state, destroy };
    return adapter_main(&engine);
}
