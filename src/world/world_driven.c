// Driven bodies in a step: the velocities that contacts see, that of a belt included, and the work
// that contacts take from them.
#include <string.h>
#include "base/team.h"
#include "world/motion.h"
#include "world/step.h"

// What contacts see of a body that moves with v.
static vec3 of_surface(const carom_world *world, int i, vec3 v)
{
    vec3 belt = vec3_from(world->drive[i].belt);
    return vec3_dot(belt, belt) > 0 ? vec3_add(v, belt) : v;
}

// Impacts see the velocity a driven body has at this moment.
void carom_world_driven_now(const carom_step *step)
{
    carom_world *world = step->world;
    for (int i = 0; i < world->count; ++i) {
        vec3 position, velocity;
        if (world->kind[i] != CAROM_BODY_DRIVEN)
            continue;
        carom_motion_drive(world, i, world->now.ledger.time, &position, &velocity);
        world->now.velocity[i] = of_surface(world, i, velocity);
    }
}

// Resting contacts see the mean velocity of a driven body over the interval, so that they arrive
// where it arrives.
void carom_world_driven_mean(const carom_step *step)
{
    carom_world *world = step->world;
    for (int i = 0; i < world->count; ++i) {
        vec3 end, velocity;
        if (world->kind[i] != CAROM_BODY_DRIVEN || step->h == 0)
            continue; // an impact right at the start: no time passes
        carom_motion_drive(world, i, world->now.ledger.time + step->h, &end, &velocity);
        vec3 mean = vec3_scale(1 / step->h, vec3_sub(end, world->now.position[i]));
        world->now.velocity[i] = of_surface(world, i, mean);
    }
}

// Says of this share who is held, and which blocks of the resting contacts have to do with driven
// bodies. A body may be held by contacts of two threads.
static void hold_share(const carom_step *step, bool *driven, int threads)
{
    const unsigned char *kind = step->world->kind;
    CAROM_TEAM_EACH (b, carom_team_blocks(step->resting_count), threads) {
        int end = carom_team_block(step->resting_count, b + 1);
        driven[b] = false;
        for (int i = carom_team_block(step->resting_count, b); i < end; ++i) {
            const carom_resting_contact *contact = &step->resting_contacts[i];
            int a = contact->a, to = contact->b;
            if (!(vec3_dot(contact->impulse, contact->impulse) > 0))
                continue;
            __atomic_store_n(&step->held[a], 1, __ATOMIC_RELAXED);
            __atomic_store_n(&step->held[to], 1, __ATOMIC_RELAXED);
            driven[b] = driven[b] || kind[a] == CAROM_BODY_DRIVEN || kind[to] == CAROM_BODY_DRIVEN;
        }
    }
}
CAROM_TEAM_SHARE3(hold_share, const carom_step *, bool *, int)

// Through the resting contacts of one block, J.
static double add_work(const carom_step *step, int b, double work)
{
    const unsigned char *kind = step->world->kind;
    for (int i = carom_team_block(step->resting_count, b);
         i < carom_team_block(step->resting_count, b + 1); ++i) {
        const carom_resting_contact *contact = &step->resting_contacts[i];
        if (kind[contact->a] == CAROM_BODY_DRIVEN || kind[contact->b] == CAROM_BODY_DRIVEN)
            work += carom_step_driven_work(step->world, &step->candidates[contact->candidate],
                                           contact->impulse);
    }
    return work;
}

void carom_world_driven_hold(carom_step *step)
{
    const carom_world *world = step->world;
    int team = carom_team_worth(step->resting_count, world->options.threads);
    bool driven[CAROM_TEAM_BLOCKS];
    double work = 0;
    CAROM_TEAM(team, hold_share(step, driven, team));
    for (int b = 0; b < carom_team_blocks(step->resting_count); ++b)
        if (driven[b])
            work = add_work(step, b, work);
    bool any = memchr(world->kind, CAROM_BODY_DRIVEN, (size_t)world->count);
    for (int i = 0; i < step->candidate_count && step->rolling_impulses && any; ++i)
        work += carom_step_driven_turn(world, &step->candidates[i], step->rolling_impulses[i]);
    step->driven_work = work;
}
