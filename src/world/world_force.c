// Forces from outside: gravity, what the caller has set, damping.
//
// Over an interval each of them is a constant acceleration. Damping by itself makes v exp(-c t);
// with a constant acceleration a beside it, after h seconds,
//     v exp(-c h) + a (1 - exp(-c h)) / c,
// so that a body that falls for long has the speed a / c whatever the step. The acceleration that
// gives just that after h seconds is what the phases see.
#include <string.h>
#include "world/world_force.h"

#include "base/team.h"
#include "math/power.h"
#include "world/ledger.h"

#define EULER 2.718281828459045

carom_status carom_world_force_ask(carom_world *world, double dt, carom_error *err)
{
    if (world->force_function)
        TRY(world->force_function(world->force_context, world, dt, err));
    bool forced = world->pushed, any = world->special || world->altered;
    for (int i = 0; i < world->count && any && !forced; ++i)
        forced = !world->fixed[i] && (world->gravity_scale[i] != 1 || world->damping[i] != 0 ||
                                      world->angular_damping[i] != 0 ||
                                      vec3_dot(world->force[i], world->force[i]) > 0 ||
                                      vec3_dot(world->torque[i], world->torque[i]) > 0);
    world->forced = forced;
    if ((!forced && !world->cohesive) || world->options.stepping != CAROM_STEPPING_ELASTIC)
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT, "%s not go with elastic stepping",
                    forced ? "forces, damping and gravity_scale do" : "cohesion does");
    return carom_error_fix(err, "use the stepping events");
}

// The share of a constant acceleration that is left beside damping over h, and what damping takes
// from the velocity, both per second.
static double damped(double damping, double h, double *rate)
{
    *rate = 0;
    if (!(damping * h > 0))
        return 1;
    double left = 1 / carom_power_general(EULER, damping * h);
    *rate = (left - 1) / h;
    return (1 - left) / (damping * h);
}

static void act(carom_world *world, int i, double h, vec3 gravity)
{
    double rate;
    vec3 torque = vec3_add(world->torque[i], world->push_turn[i]);
    vec3 pull = vec3_scale(world->gravity_scale[i], gravity);
    pull = vec3_axpy(pull, world->inverse_mass[i], vec3_add(world->force[i], world->push[i]));
    double share = damped(world->damping[i], h, &rate);
    world->pull[i] = vec3_axpy(vec3_scale(share, pull), rate, world->now.velocity[i]);
    world->pull_size[i] = vec3_length(world->pull[i]);
    share = damped(world->angular_damping[i], h, &rate);
    vec3 turn = sym3_mul(world->inverse_inertia[i], torque);
    world->spin_pull[i] = vec3_axpy(vec3_scale(share, turn), rate, world->now.spin[i]);
}

static void find_share(carom_world *world, double h, int threads)
{
    vec3 gravity = vec3_from(world->options.gravity), zero = { 0, 0, 0 };
    double size = vec3_length(gravity);
    int end = carom_team_end(world->count, threads);
    for (int i = carom_team_begin(world->count, threads); i < end; ++i) {
        if (world->asleep[i])
            continue;
        world->pull[i] = world->fixed[i] ? zero : gravity;
        world->pull_size[i] = size;
        if (memcmp(&world->spin_pull[i], &zero, sizeof zero) != 0) // see set_rare in world.c
            world->spin_pull[i] = zero;
        if (world->forced && !world->fixed[i])
            act(world, i, h, gravity);
    }
}
CAROM_TEAM_SHARE3(find_share, carom_world *, double, int)

void carom_world_force_find(carom_world *world, double h)
{
    int team = carom_team_worth(world->count, world->options.threads);
    CAROM_TEAM(team, find_share(world, h, team));
}

vec3 carom_world_force_torque(const carom_world *world, int i)
{
    return carom_ledger_angular_momentum(world, i, world->spin_pull[i]);
}

double carom_world_force_work(const carom_world *world, int i, double h, vec3 way, vec3 spin)
{
    vec3 weight = vec3_scale(world->gravity_scale[i], vec3_from(world->options.gravity));
    vec3 torque = carom_world_force_torque(world, i);
    return world->mass[i] * vec3_dot(vec3_sub(world->pull[i], weight), way) +
           h * vec3_dot(torque, spin);
}

void carom_world_force_end(carom_world *world)
{
    for (int i = 0; world->pushed && i < world->count; ++i)
        world->push[i] = world->push_turn[i] = vec3_make(0, 0, 0);
    world->pushed = false;
}

void carom_world_set_force_function(carom_world *world, carom_force_function function,
                                    void *context)
{
    if (!world)
        return;
    world->force_function = function;
    world->force_context = context;
}
