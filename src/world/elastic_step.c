// Time stepping with elastic contacts without times of impact [EC, section 6].
//
// The complementarity of gaps and impulses holds at the end of a step only for inelastic contacts:
// after an elastic impact a gap has formed. The scheme therefore takes two solutions of one step:
//   1. All contacts are inelastic: 0 <= lambda, gap(t + h) >= 0, lambda gap = 0. This is the
//      resting solve of the whole step. Bodies move with its velocities, so that nothing overlaps
//      at the end. Where lambda > 0 an impact has occurred within the step [EC, eq 3].
//   2. The velocities are replaced: the impact law is asked on the contacts with lambda > 0, with
//      the velocities before the impact. With the law `fixed-point` that is the paper's iteration
//      over pairs [EC, eqs 16 and 17], which is free of dispersion; any other law can take its
//      place.
// One impact per contact and step, whenever within the step it would happen: what bounces more
// often (a ball coming to rest) loses bounces, as the paper says.
//
// Where this goes beyond the paper, which has no gravity and one dimension:
//   - The paper takes the velocities at the beginning of the step, v0, for those of the impact.
//     Under gravity that would cost m g dz per impact. Instead each group of bodies that press on
//     each other gets v0 + g tau, with tau such that the kinetic energy gained is the work of
//     gravity on the way that the group really goes in this step; bodies that also rest on
//     something keep v0, as their support carries them. Where no tau does that (all of them rest,
//     or the turning of a body lifts it higher than its fall would pay for) all velocities of the
//     group are scaled.
//   - A group in which nothing approaches faster than the resting speed keeps its inelastic
//     velocities: it rests.
//   - The law sees the bodies as they stand at the beginning of the step. The spin it gives then
//     turns with the body, which keeps the energy exactly; for bodies that are not spheres the
//     angular momentum errs by the angle of that turn.
#include <string.h>
#include "base/sets.h"
#include "world/ledger.h"
#include "world/step.h"

// What a group of bodies has in all; kept at its root.
typedef struct group {
    bool hit;       // something of it approaches
    double work;    // J, of gravity on the way of this step
    double kinetic; // J, at the beginning of the step
    double falling; // kg, of what does not rest
    double power;   // W, of gravity on that, at the beginning of the step
    double tau;     // s
    double later;   // s, the other root; at most 0: none
    double scale;   // of all velocities
} group;

typedef struct carom_elastic_step {
    vec3 *velocity, *spin;       // per body: of the first solution at first, then of the second
    unsigned char *struck;       // per body: the second counts
    int *parent;                 // groups of bodies that press on each other
    group *groups;               // per body, at the roots
    unsigned char *pressed;      // per body: some contact of it has an impulse
    unsigned char *rests;        // per body: it lies on something that it does not approach
    carom_candidate *candidates; // those that press
    int *press_of;               // per such candidate: its place among the resting contacts
    int count;
} carom_elastic_step;

static carom_status make(carom_step *step, carom_elastic_step **out, carom_error *err)
{
    carom_world *world = step->world;
    carom_elastic_step *e;
    TAKE_ZEROS(world->scratch, e, 1, err);
    TAKE(world->scratch, e->velocity, world->count, err);
    TAKE(world->scratch, e->spin, world->count, err);
    TAKE(world->scratch, e->parent, world->count, err);
    TAKE_ZEROS(world->scratch, e->struck, world->count, err);
    TAKE_ZEROS(world->scratch, e->groups, world->count, err);
    TAKE_ZEROS(world->scratch, e->pressed, world->count, err);
    TAKE_ZEROS(world->scratch, e->rests, world->count, err);
    TAKE(world->scratch, e->candidates, step->resting_count, err);
    TAKE(world->scratch, e->press_of, step->resting_count, err);
    for (int i = 0; i < world->count; ++i)
        e->parent[i] = i;
    *out = e;
    return CAROM_OK;
}

static double speed(const carom_world *world, const carom_candidate *candidate)
{
    return vec3_dot(candidate->normal, carom_step_relative_velocity(world, candidate));
}

// The contacts with an impulse, and the groups they make. They hold their bodies, which move as in
// the first solution.
static void collect(const carom_step *step, carom_elastic_step *e)
{
    const unsigned char *fixed = step->world->fixed;
    for (int i = 0; i < step->resting_count; ++i) {
        const carom_resting_contact *resting = &step->resting_contacts[i];
        const carom_candidate *candidate = &step->candidates[resting->candidate];
        if (!(vec3_dot(resting->impulse, candidate->normal) > 0))
            continue;
        e->candidates[e->count] = *candidate;
        e->candidates[e->count].located = false;
        e->press_of[e->count++] = i;
        step->held[candidate->a] = step->held[candidate->b] = 1;
        e->pressed[candidate->a] = !fixed[candidate->a];
        e->pressed[candidate->b] = !fixed[candidate->b];
        if (!fixed[candidate->a] && !fixed[candidate->b])
            sets_join(e->parent, candidate->a, candidate->b);
    }
}

// Back to the velocities at the beginning of the step; those of the first solution are kept.
static void rewind_velocities(carom_world *world, carom_elastic_step *e)
{
    for (int i = 0; i < world->count; ++i) {
        e->velocity[i] = world->now.velocity[i];
        e->spin[i] = world->now.spin[i];
        if (world->fixed[i])
            continue; // a driven body has its mean velocity
        world->now.velocity[i] = world->saved.velocity[i];
        world->now.spin[i] = world->saved.spin[i];
    }
}

static void add_up(const carom_step *step, carom_elastic_step *e)
{
    carom_world *world = step->world;
    vec3 g = vec3_from(world->options.gravity);
    for (int i = 0; i < e->count; ++i) {
        const carom_candidate *candidate = &e->candidates[i];
        if (candidate->gap <= world->options.slop &&
            fabs(speed(world, candidate)) <= carom_resting_fine(world))
            e->rests[candidate->a] = e->rests[candidate->b] = 1;
    }
    for (int i = 0; i < world->count; ++i) {
        if (!e->pressed[i])
            continue;
        group *of = &e->groups[sets_find(e->parent, i)];
        vec3 v = world->now.velocity[i];
        double m = world->mass[i];
        of->work += m * step->h * vec3_dot(g, e->velocity[i]);
        of->kinetic += carom_ledger_kinetic_at(world, i, (carom_twist){ v, world->now.spin[i] });
        of->falling += e->rests[i] ? 0 : m;
        of->power += e->rests[i] ? 0 : m * vec3_dot(v, g);
    }
}

// tau: the root of falling g^2 tau^2 / 2 + power tau = work that is nearest to 0. Where the group
// rises there may be a later one: it comes back.
static void balance(group *of, double gg)
{
    double a = of->falling * gg, square = of->power * of->power + 2 * a * of->work;
    of->scale = 1;
    if (a > 0 && square >= 0) {
        of->tau = ((of->power < 0 ? -sqrt(square) : sqrt(square)) - of->power) / a;
        of->later = of->power < 0 ? (sqrt(square) - of->power) / a : 0;
    } else if (of->kinetic > 0) {
        of->scale = sqrt(fmax(0, 1 + of->work / of->kinetic));
    }
}

static group *group_of(const carom_world *world, carom_elastic_step *e,
                       const carom_candidate *candidate)
{
    return &e->groups[sets_find(e->parent,
                                world->fixed[candidate->a] ? candidate->b : candidate->a)];
}

// The speeds of the candidates, and which groups are in impact.
static void judge(const carom_world *world, carom_elastic_step *e)
{
    for (int i = 0; i < e->count; ++i) {
        carom_candidate *candidate = &e->candidates[i];
        candidate->u = speed(world, candidate);
        if (candidate->u < -carom_resting_fine(world))
            group_of(world, e, candidate)->hit = true;
    }
}

// From the beginning of the step to the impact. A group that presses on something without
// approaching it has risen and comes back within the step.
static void fall(const carom_step *step, carom_elastic_step *e)
{
    carom_world *world = step->world;
    vec3 g = vec3_from(world->options.gravity);
    add_up(step, e);
    for (int i = 0; i < world->count; ++i)
        if (e->pressed[i] && e->parent[i] == i)
            balance(&e->groups[i], vec3_dot(g, g));
    for (int i = 0; i < world->count; ++i) {
        if (!e->pressed[i])
            continue;
        const group *of = &e->groups[sets_find(e->parent, i)];
        vec3 v = vec3_scale(of->scale, world->now.velocity[i]);
        world->now.velocity[i] = e->rests[i] ? v : vec3_axpy(v, of->tau, g);
        world->now.spin[i] = vec3_scale(of->scale, world->now.spin[i]);
    }
    judge(world, e);
    for (int i = 0; i < world->count; ++i) {
        const group *of = &e->groups[sets_find(e->parent, i)];
        if (e->pressed[i] && !e->rests[i] && !of->hit && of->later > 0 && of->later <= step->h)
            world->now.velocity[i] = vec3_axpy(world->now.velocity[i], of->later - of->tau, g);
    }
    judge(world, e);
}

// Leaves only the candidates of groups in impact; all others keep the first solution.
static void choose(carom_step *step, carom_elastic_step *e)
{
    carom_world *world = step->world;
    int kept = 0;
    for (int i = 0; i < e->count; ++i) {
        int a = e->candidates[i].a, b = e->candidates[i].b;
        if (!group_of(world, e, &e->candidates[i])->hit)
            continue;
        e->struck[a] = !world->fixed[a];
        e->struck[b] = !world->fixed[b];
        // the law's impulse takes the place of the inelastic one
        step->resting_contacts[e->press_of[i]].impulse = vec3_make(0, 0, 0);
        e->candidates[kept] = e->candidates[i];
        e->candidates[kept].gap = fmin(e->candidates[i].gap, 0); // it closes within the step
        ++kept;
    }
    e->count = kept;
    for (int i = 0; i < world->count; ++i) {
        if (e->struck[i])
            continue;
        world->now.velocity[i] = e->velocity[i];
        world->now.spin[i] = e->spin[i];
    }
}

// The law's velocities are set aside while the bodies move with those of the first solution.
// Joints may have brought in bodies that no contact has struck.
static void exchange(carom_world *world, carom_elastic_step *e)
{
    for (int i = 0; i < world->count; ++i) {
        vec3 v = world->now.velocity[i], w = world->now.spin[i];
        e->struck[i] =
            e->struck[i] || (!world->fixed[i] && (memcmp(&v, &e->velocity[i], sizeof v) != 0 ||
                                                  memcmp(&w, &e->spin[i], sizeof w) != 0));
        world->now.velocity[i] = e->velocity[i];
        world->now.spin[i] = e->spin[i];
        e->velocity[i] = v;
        e->spin[i] = w;
    }
}

carom_status carom_elastic_step_solve(carom_step *step, carom_error *err)
{
    carom_world *world = step->world;
    carom_elastic_step *e = NULL;
    step->elastic = NULL;
    if (world->options.stepping != CAROM_STEPPING_ELASTIC || step->resting_count == 0)
        return CAROM_OK;
    TRY(make(step, &e, err));
    collect(step, e);
    rewind_velocities(world, e);
    fall(step, e);
    choose(step, e);
    if (e->count > 0) {
        carom_step instant = *step;
        instant.candidates = e->candidates;
        instant.candidate_count = e->count;
        TRY(carom_impact_phase_resolve(&instant, err));
    }
    exchange(world, e);
    step->elastic = e;
    return CAROM_OK;
}

void carom_elastic_step_replace(carom_step *step, double *loss)
{
    carom_world *world = step->world;
    const carom_elastic_step *e = step->elastic;
    for (int i = 0; e && i < world->count; ++i) {
        if (!e->struck[i])
            continue;
        *loss -= step->energy[i] - carom_ledger_energy(world, i); // the law has booked its own
        world->now.velocity[i] = e->velocity[i];
        quat turn = quat_mul(world->now.rotation[i], quat_conjugate(world->saved.rotation[i]));
        world->now.spin[i] = world->sphere[i] ? e->spin[i] : quat_rotate(turn, e->spin[i]);
    }
}
