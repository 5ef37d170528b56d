// Contact candidates: from the collision list to contacts with materials. Impulses to start the
// resting solve from come from warm_start.c.
#include "base/team.h"
#include "world/journal.h"
#include "world/pair_material.h"
#include "world/step.h"
#include "world/world_sleep.h"

enum { AHEAD = 8 }; // contacts whose second body is fetched: the first one's are in a row

static double fastest(const carom_step *step);
static void set_reach(const carom_step *step, double struck_speed, int threads);
CAROM_TEAM_SHARE3(set_reach, const carom_step *, double, int)

// Pairs that are looked at where a state is examined before a run, in all and for each body: sound
// ones touch a dozen others, but 60,000 spheres ten times too large overlap in 78 million pairs,
// and each inside all others in 1.8 thousand million, which fill the memory.
static const double EXAMINED = 1e6, EXAMINED_EACH = 64;

// Whether there are pairs that must not touch.
static bool choosy(const carom_world *world)
{
    bool any = world->joined_count > 0;
    for (int i = 0; i < world->count && !any; ++i)
        any = world->group[i] != 0 || world->kind[i] >= CAROM_BODY_REMOVED || world->sensor[i] ||
              world->layers[i] != 1 || world->mask[i] != UINT32_MAX;
    return any;
}

static bool may_touch(const carom_world *world, int a, int b)
{
    int group = world->group[a];
    return world->kind[a] < CAROM_BODY_REMOVED && world->kind[b] < CAROM_BODY_REMOVED &&
           (group == 0 || group != world->group[b]) && (world->layers[a] & world->mask[b]) &&
           (world->layers[b] & world->mask[a]) && !carom_world_joint_joins(world, a, b);
}

// Who never touches each other: immovable bodies, but driven ones do touch sleepers.
static carom_status list_still(carom_world *world, carom_collide_bodies *bodies, carom_error *err)
{
    unsigned char *still;
    TAKE(world->scratch, still, world->count, err);
    for (int i = 0; i < world->count; ++i)
        still[i] = world->fixed[i] && world->kind[i] != CAROM_BODY_DRIVEN;
    bodies->fixed = still;
    return CAROM_OK;
}

carom_status carom_candidate_list(carom_world *world, const double *reach, double margin,
                                  const carom_contact **contacts, int *count, carom_error *err)
{
    carom_collide_bodies bodies = { .count = world->count,
                                    .shape = world->shape,
                                    .position = world->now.position,
                                    .rotation = world->now.rotation,
                                    .fixed = world->fixed,
                                    .reach = reach,
                                    .turning = reach ? world->turn_reach : NULL,
                                    .margin = margin,
                                    .threads = world->options.threads,
                                    .stop = &world->stop,
                                    .period = world->periodic ? &world->period : NULL };
    carom_body_pair *pairs;
    int pair_count, kept = 0;
    bool sleepers = reach && world->asleep_count > 0;
    if (sleepers) { // driven bodies must find them
        unsigned char *far;
        TRY(list_still(world, &bodies, err));
        TRY(carom_world_sleep_far(world, margin, &far, err));
        bodies.absent = far;
    }
    if (!reach) // no sound state has so many pairs: what is looked at says enough
        bodies.most_pairs = (size_t)(EXAMINED + EXAMINED_EACH * world->count);
    TRY(carom_collide_pairs(world->collide, &bodies, &pairs, &pair_count, err));
    bool all = !choosy(world) && !sleepers;
    for (int i = 0; i < pair_count && !all; ++i) {
        int a = pairs[i].a, b = pairs[i].b;
        if (!may_touch(world, a, b))
            continue;
        if (world->fixed[a] && world->fixed[b]) {
            if (sleepers && (world->asleep[a] || world->asleep[b]))
                carom_world_sleep_touch(world, a, b);
            continue;
        }
        if (!world->sensor[a] && !world->sensor[b])
            pairs[kept++] = pairs[i];
        else if (reach) // in a step
            carom_world_event_sense(world, a, b);
    }
    kept = all ? pair_count : kept;
    bodies.most_pairs = 0;
    TRY(carom_collide_contacts(world->collide, &bodies, pairs, kept, err));
    *contacts = carom_collide_list(world->collide, count);
    return CAROM_OK;
}

// A sphere's spin has no part in the normal speed.
static double normal_speed(const carom_world *world, const carom_candidate *candidate)
{
    const vec3 *v = world->now.velocity;
    if (world->sphere[candidate->a] && world->sphere[candidate->b])
        return vec3_dot(candidate->normal, vec3_sub(v[candidate->b], v[candidate->a]));
    return vec3_dot(candidate->normal, carom_step_relative_velocity(world, candidate));
}

static void find_share(carom_step *step, int threads)
{
    carom_world *world = step->world;
    carom_audit worst = { 0 };
    double deepest = 0, slop = world->options.slop, fine = carom_resting_fine(world);
    int end = carom_team_end(step->candidate_count, threads);
    for (int i = carom_team_begin(step->candidate_count, threads); i < end; ++i) {
        const carom_contact *contact = &step->contacts[i];
        carom_candidate *candidate = &step->candidates[i];
        if (i + AHEAD < end)
            __builtin_prefetch(&world->now.velocity[contact[AHEAD].b]);
        *candidate = (carom_candidate){ .a = contact->a,
                                        .b = contact->b,
                                        .point = contact->point,
                                        .normal = contact->normal,
                                        .shift = carom_world_shift(world, contact->a, contact->b),
                                        .gap = contact->gap,
                                        .resting = fine,
                                        .restitution = -1 };
        candidate->u = normal_speed(world, candidate);
        candidate->friction = carom_pair_material_friction(world, candidate->a, candidate->b);
        step->deep[i] = contact->gap <= -slop;
        if (step->deep[i])
            carom_journal_overlap(
                &worst,
                -contact->gap / fmin(world->thickness[contact->a], world->thickness[contact->b]),
                contact->a, contact->b);
        deepest = -contact->gap > deepest ? -contact->gap : deepest;
    }
    carom_team_lock(threads);
    if (worst.overlap > 0)
        carom_journal_overlap(&world->journal.audit, worst.overlap, worst.overlap_a,
                              worst.overlap_b);
    world->now.ledger.overlap = fmax(world->now.ledger.overlap, deepest);
    carom_team_unlock(threads);
}
CAROM_TEAM_SHARE2(find_share, carom_step *, int)

carom_status carom_candidate_find(carom_step *step, carom_error *err)
{
    carom_world *world = step->world;
    int team = carom_team_worth(world->count, world->options.threads), count;
    CAROM_TEAM(team, set_reach(step, fastest(step), team));
    TRY(carom_candidate_list(world, world->reach, 2 * world->options.slop, &step->contacts, &count,
                             err));
    TAKE(world->scratch, step->candidates, count, err);
    TAKE(world->scratch, step->deep, count, err);
    step->candidate_count = count;
    world->now.ledger.contacts = count;
    world->now.ledger.overlap = 0;
    team = carom_team_worth(count, world->options.threads);
    CAROM_TEAM(team, find_share(step, team));
    carom_cohesion_share(step);
    TRY(carom_warm_start_match(step, err));
    return carom_resting_choose(step, err);
}

// The speed that a body may get from another in this interval's impacts: of the fastest body, or
// twice that of a driven one; none where times of impact are found.
static double fastest(const carom_step *step)
{
    const carom_world *world = step->world;
    double max = 0;
    for (int i = 0; i < world->count && !step->to_event; ++i) {
        if (world->asleep[i])
            continue;
        double square = vec3_dot(world->now.velocity[i], world->now.velocity[i]);
        square *= world->kind[i] == CAROM_BODY_DRIVEN ? 4 : 1;
        max = square > max ? square : max;
    }
    return sqrt(max);
}

// Without times of impact a body may be struck and meet another in the same interval: it reaches as
// far as the fastest would take it, up to a share of its own radius (a single fast body must not
// make neighbours of all).
static void set_reach(const carom_step *step, double struck_speed, int threads)
{
    const double share = 0.2;
    const double unseen = 0.125; // share of its thickness: two that meet stay above a quarter
    carom_world *world = step->world;
    double h = step->remaining, struck = struck_speed * h;
    int end = carom_team_end(world->count, threads);
    for (int i = carom_team_begin(world->count, threads); i < end; ++i) {
        if (world->asleep[i])
            continue; // as it fell asleep
        vec3 w = world->now.spin[i];
        bool turns = !world->sphere[i] &&
                     carom_shape_kind_of(world->shape[i]) != CAROM_SHAPE_SPHERE &&
                     (w.x != 0 || w.y != 0 || w.z != 0);
        double fall = 0.5 * world->pull_size[i] * h * h;
        double turn = turns ? vec3_length(w) * carom_shape_radius(world->shape[i]) : 0;
        world->reach[i] = world->kind[i] == CAROM_BODY_FIXED
                              ? 0
                              : (vec3_length(world->now.velocity[i]) + turn) * h + fall;
        world->turn_reach[i] = turn * h;
        if (world->kind[i] == CAROM_BODY_MOVING)
            world->turn_reach[i] = fmax(0, turn * h - unseen * world->thickness[i]);
        if (world->forced && !world->sphere[i] && !world->fixed[i]) {
            double more = 0.5 * h * h * vec3_length(world->spin_pull[i]) *
                          carom_shape_radius(world->shape[i]);
            world->reach[i] += more;
            world->turn_reach[i] += more;
        }
        if (struck > 0 && !world->fixed[i])
            world->reach[i] =
                fmax(world->reach[i], fmin(struck, share * carom_shape_radius(world->shape[i])));
    }
}
