// Moves the bodies of an interval that no linkage moves: free ones on exact parabolas, held ones
// with the velocity at the end of the interval, all of them in free rotation (motion.c).
#include "base/team.h"
#include "world/ledger.h"
#include "world/motion.h"
#include "world/step.h"
#include "world/world_force.h"

static carom_status unfollowed(const carom_step *step, int body, carom_error *err)
{
    carom_error_set(err, CAROM_BROKE_PROMISE,
                    "a body turns by %.3g rad in one interval, %d at most",
                    vec3_length(step->world->now.spin[body]) * step->h, CAROM_MOTION_MAX);
    carom_error_where(err, "body %d, step %lld", body, (long long)step->world->now.ledger.steps);
    carom_error_body(err, body);
    return carom_error_fix(err, "use a smaller step, or look at what makes this body spin");
}

// False where it turns too fast.
static bool move_body(const carom_step *step, int i, bool held)
{
    carom_world *world = step->world;
    const sym3 unit = { 1, 1, 1, 0, 0, 0 };
    // the mean of the velocities before and after: an exact parabola in free flight
    vec3 mean = vec3_scale(0.5, vec3_add(world->before[i], world->now.velocity[i]));
    vec3 velocity = held ? world->now.velocity[i] : mean;
    if (world->kind[i] == CAROM_BODY_DRIVEN) {
        vec3 belt = vec3_from(world->drive[i].belt);
        if (vec3_dot(belt, belt) > 0) // its surface runs without it
            velocity = vec3_sub(world->now.velocity[i], belt);
    }
    world->now.position[i] = vec3_axpy(world->now.position[i], step->h, velocity);
    return carom_motion_turn(world->fixed[i] ? unit : world->inertia[i], step->h,
                             &world->now.rotation[i], &world->now.spin[i]);
}

// That torques from outside do their work with: of a free body between the spins before and after
// their kick, of a held one that at the end.
static vec3 mean_spin(const carom_step *step, int i)
{
    const carom_world *world = step->world;
    double back = step->held[i] ? 0 : -0.5 * step->h;
    return vec3_axpy(world->now.spin[i], back, world->spin_pull[i]);
}

// What happened to a block of bodies.
typedef struct moved {
    double loss; // J, what resting contact took from those it held, in motion and in height
    double work; // J, of forces from outside
    int bad;     // the first that turns too fast; none: -1
} moved;

static void move_share(const carom_step *step, moved *part, int threads)
{
    const carom_world *world = step->world;
    CAROM_TEAM_EACH (b, carom_team_blocks(world->count), threads) {
        moved all = { 0, 0, -1 };
        int end = carom_team_block(world->count, b + 1);
        for (int i = carom_team_block(world->count, b); i < end; ++i) {
            if (world->kind[i] == CAROM_BODY_FIXED || world->kind[i] >= CAROM_BODY_REMOVED ||
                world->asleep[i] || (step->linked && step->linked[i]))
                continue;
            vec3 from = world->now.position[i];
            vec3 spin = world->forced ? mean_spin(step, i) : vec3_make(0, 0, 0);
            if (!move_body(step, i, step->held[i]) && all.bad < 0)
                all.bad = i;
            if (world->fixed[i])
                continue;
            vec3 way = vec3_sub(world->now.position[i], from);
            double work = world->forced ? carom_world_force_work(world, i, step->h, way, spin) : 0;
            all.work += work;
            if (step->held[i])
                all.loss += step->energy[i] - carom_ledger_energy(world, i) + work;
        }
        part[b] = all;
    }
}
CAROM_TEAM_SHARE3(move_share, const carom_step *, moved *, int)

carom_status carom_world_move_bodies(const carom_step *step, double *loss, double *work,
                                     carom_error *err)
{
    moved part[CAROM_TEAM_BLOCKS];
    int count = step->world->count, team = carom_team_worth(count, step->world->options.threads);
    CAROM_TEAM(team, move_share(step, part, team));
    for (int b = 0; b < carom_team_blocks(count); ++b) {
        if (part[b].bad >= 0)
            return unfollowed(step, part[b].bad, err);
        *loss += part[b].loss;
        *work += part[b].work;
    }
    return CAROM_OK;
}
