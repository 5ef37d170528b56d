// Simbody's stepper with its PLUS solver: mixed rounds, as many as a chain may need. Besides the balls of impact.c also
// bodies on a rough floor, for rough.c.
#include "impact_peer.h"
#include "rough_peer.h"

#include <Simbody.h>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

using namespace SimTK;

extern "C" {
const char *const impact_peer_name = "Simbody", *const impact_peer_law = "plus",
                  *const impact_peer_options = "induced=mixed rounds=100";
}

namespace {

Vec3 vector(const double v[3])
{
    return Vec3(v[0], v[1], v[2]);
}

// Debian's Simbody traces its solver on the standard output: not here.
struct silence {
    int kept = dup(STDOUT_FILENO);
    silence()
    {
        int nowhere = open("/dev/null", O_WRONLY);
        fflush(stdout);
        dup2(nowhere, STDOUT_FILENO);
        close(nowhere);
    }
    ~silence()
    {
        std::cout.flush();
        fflush(stdout);
        dup2(kept, STDOUT_FILENO);
        close(kept);
    }
};

// No gravity, and a step too short for anything to move.
void step(MultibodySystem &system, const State &start, int rounds, State &end)
{
    silence quiet;
    SemiExplicitEulerTimeStepper stepper(system);
    stepper.setConstraintTolerance(1e-7);
    stepper.setPositionProjectionMethod(SemiExplicitEulerTimeStepper::NoPositionProjection);
    if (rounds > 0) {
        stepper.setInducedImpactModel(SemiExplicitEulerTimeStepper::Mixed);
        stepper.setMaxInducedImpactsPerStep(rounds);
    }
    stepper.initialize(start);
    stepper.stepTo(1e-12);
    end = stepper.getState();
}

State rest(MultibodySystem &system)
{
    system.realizeTopology();
    State state = system.getDefaultState();
    system.realizeModel(state);
    return state;
}

} // namespace

extern "C" void impact_peer_step(impact_peer_problem *problem)
{
    MultibodySystem system;
    SimbodyMatterSubsystem matter(system);
    Array_<MobilizedBodyIndex> balls;
    for (int i = 0; i < problem->count; ++i)
        balls.push_back(MobilizedBody::Free(matter.Ground(), Body::Rigid(MassProperties(1, Vec3(0), Inertia(0.1))))
                            .getMobilizedBodyIndex());
    for (int i = 0; i < problem->contact_count; ++i)
        matter.adoptUnilateralContact(new SphereSphereContact(
            matter.updMobilizedBody(balls[problem->contacts[i][0]]), Vec3(0), 0.5,
            matter.updMobilizedBody(balls[problem->contacts[i][1]]), Vec3(0), 0.5, problem->restitution, 0, 0, 0));
    State state = rest(system), end;
    for (int i = 0; i < problem->count; ++i) {
        const MobilizedBody &ball = matter.getMobilizedBody(balls[i]);
        ball.setQToFitTranslation(state, vector(problem->position[i]));
        system.realize(state, Stage::Position);
        ball.setUToFitLinearVelocity(state, vector(problem->velocity[i]));
    }
    step(system, state, 100, end);
    system.realize(end, Stage::Velocity);
    for (int i = 0; i < problem->count; ++i)
        for (int k = 0; k < 3; ++k)
            problem->velocity[i][k] = matter.getMobilizedBody(balls[i]).getBodyOriginVelocity(end)[k];
}

extern "C" void rough_peer_step(rough_peer_body *b)
{
    MultibodySystem system;
    SimbodyMatterSubsystem matter(system);
    MobilizedBody::Free body(matter.Ground(), Body::Rigid(MassProperties(1, Vec3(0), Inertia(vector(b->inertia)))));
    for (int i = 0; i < b->contact_count; ++i)
        matter.adoptUnilateralContact(new PointPlaneContact(matter.updGround(), UnitVec3(0, 0, 1), 0, body,
                                                            vector(b->points[i]), b->restitution, b->friction,
                                                            b->friction, 0));
    State state = rest(system), end;
    body.setQToFitTranslation(state, Vec3(0, 0, b->height));
    system.realize(state, Stage::Position);
    body.setUToFitVelocity(state, SpatialVec(vector(b->spin), vector(b->velocity)));
    step(system, state, 0, end);
    system.realize(end, Stage::Velocity);
    for (int k = 0; k < 3; ++k) {
        b->velocity[k] = body.getBodyOriginVelocity(end)[k];
        b->spin[k] = body.getBodyAngularVelocity(end)[k];
    }
}
