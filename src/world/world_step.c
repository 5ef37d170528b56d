// One step of the world.
//
// The impact phase comes before the kick of gravity: at that moment a resting contact has no
// approach speed, so that only true impacts exceed the resting speed, whatever the step. Bodies
// that no contact held move on exact parabolas; held ones with the velocity at the end of the
// interval (Moreau's scheme).
#include "world/step.h"

#include <string.h>
#include "base/clock.h"
#include "base/progress.h"
#include "base/team.h"
#include "world/ledger.h"
#include "world/linkage.h"
#include "world/motion.h"

static void step_save(carom_world *world);
static carom_status step_interval(carom_step *step, carom_error *err);
static void step_driven_begin(carom_step *step);
static carom_status step_kick_and_rest(carom_step *step, carom_error *err);
static carom_status step_move(carom_step *step, const unsigned char *held, double *loss,
                              carom_error *err);
static carom_status step_audit(carom_world *world, double dt, carom_error *err);
static void step_undo(carom_world *world);

// The time since the last call goes to a phase.
static void lap(carom_world *world, double *phase)
{
    double now = carom_clock_seconds();
    *phase += now - world->lap;
    world->lap = now;
}

carom_status carom_world_step(carom_world *world, double dt, carom_error *err)
{
    if (!(dt > 0) || !isfinite(dt)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the step is %g s", dt);
        return carom_error_fix(err, "use a step above 0 s");
    }
    lap(world, &world->times.move); // starts the clock
    world->times = (carom_times){ 0 };
    carom_progress_begin(&world->stop, world->progress);
    step_save(world);
    carom_journal_begin(world);
    bool elastic = world->options.stepping == CAROM_STEPPING_ELASTIC;
    carom_step step = { .world = world, .whole = dt, .to_event = !elastic };
    carom_ledger *ledger = &world->now.ledger;
    ledger->sweeps = ledger->rest_sweeps = 0;
    ledger->rest_residual = 0;
    carom_status status = CAROM_OK;
    double left = dt;
    for (int k = 0; (step.remaining > 0 || left > 0) && status == CAROM_OK; ++k) {
        if (step.remaining <= 0) {
            step.remaining = carom_motion_steady(world, left);
            left = step.remaining < left ? left - step.remaining : 0;
        }
        int64_t impacts = ledger->impacts;
        step.to_event = step.to_event && k < world->options.events;
        status = step_interval(&step, err);
        // without time and without an impact nothing has changed: the next would be the same
        if (step.h == 0 && ledger->impacts == impacts)
            step.to_event = false;
    }
    if (status == CAROM_OK)
        status = step_audit(world, dt, err);
    if (status != CAROM_OK)
        step_undo(world);
    lap(world, &world->times.move);
    if (status == CAROM_OK)
        carom_world_profile_add(world);
    return status;
}

static void save_share(carom_world *world, int threads)
{
    size_t first = (size_t)carom_team_begin(world->count, threads);
    size_t n = (size_t)carom_team_end(world->count, threads) - first;
    carom_world_state *to = &world->saved, *from = &world->now;
    memcpy(to->position + first, from->position + first, n * sizeof(vec3));
    memcpy(to->rotation + first, from->rotation + first, n * sizeof(quat));
    memcpy(to->velocity + first, from->velocity + first, n * sizeof(vec3));
    memcpy(to->spin + first, from->spin + first, n * sizeof(vec3));
}
CAROM_TEAM_SHARE2(save_share, carom_world *, int)

static void step_save(carom_world *world)
{
    int team = carom_team_worth(world->count, world->options.threads);
    CAROM_TEAM(team, save_share(world, team));
    world->saved.ledger = world->now.ledger;
    world->saved_memory.needed = true;
}

static void step_undo(carom_world *world)
{
    carom_world_state spoilt = world->now;
    world->now = world->saved;
    world->saved = spoilt;
    if (!world->saved_memory.needed)
        carom_world_swap_memory(world);
    carom_journal_undo(world);
}

void carom_world_swap_memory(carom_world *world)
{
    carom_world_memory *list = world->memory;
    vec3 *turns = world->turns;
    int count = world->memory_count, capacity = world->memory_capacity;
    double interval = world->memory_interval;
    world->memory = world->saved_memory.list;
    world->turns = world->saved_memory.turns;
    world->memory_count = world->saved_memory.count;
    world->memory_capacity = world->saved_memory.capacity;
    world->memory_interval = world->saved_memory.interval;
    world->saved_memory.list = list;
    world->saved_memory.turns = turns;
    world->saved_memory.count = count;
    world->saved_memory.capacity = capacity;
    world->saved_memory.interval = interval;
    world->saved_memory.needed = false;
}

// Whether to go on: asked where a step can be given up without a trace.
static carom_status ask(const carom_world *world, carom_error *err)
{
    return carom_progress_tell(world->progress, 0, 1, "step", err);
}

// Whether somebody was struck and will go farther than contacts were looked for.
static bool leaves_reach(const carom_step *step)
{
    const carom_world *world = step->world;
    for (int i = 0; i < world->count; ++i) {
        double turn = world->round[i] ? 0 : vec3_length(world->now.spin[i]);
        double speed = vec3_length(world->now.velocity[i]);
        if (world->fixed[i])
            continue;
        if (turn > 0)
            speed += turn * carom_shape_radius(world->shape[i]);
        if (speed * step->remaining > world->reach[i] + world->options.slop)
            return true;
    }
    return false;
}

static carom_status step_interval(carom_step *step, carom_error *err)
{
    carom_world *world = step->world;
    carom_arena_rewind(world->scratch, (carom_arena_mark){ 0 });
    step->h = step->remaining;
    lap(world, &world->times.move);
    TRY(ask(world, err));
    carom_motion_refresh(world);
    step_driven_begin(step);
    TRY(carom_touch_find(step, err));
    carom_event_choose(step);
    TRY(ask(world, err));
    lap(world, &world->times.collide);
    int64_t impacts = world->now.ledger.impacts;
    if (world->options.stepping != CAROM_STEPPING_ELASTIC) // there it follows the resting solve
        TRY(carom_clash_resolve(step, err));
    TRY(ask(world, err));
    lap(world, &world->times.impact);
    if (world->now.ledger.impacts > impacts && step->locates && leaves_reach(step)) {
        step->h = 0; // time stands still, and all is looked at anew
        return CAROM_OK;
    }
    TRY(carom_linkage_predict(step, err));
    TRY(carom_event_limit(step, err));
    TRY(carom_linkage_choose(step, err));
    lap(world, &world->times.locate);
    ++world->profile.intervals;
    if (step->h > 0 || !step->links) // no time passes: nothing rests
        TRY(step_kick_and_rest(step, err));
    step->remaining = step->h < step->remaining ? step->remaining - step->h : 0;
    world->now.ledger.time += step->h;
    return CAROM_OK;
}

// Impacts see the velocity a driven body has at this moment.
static void step_driven_begin(carom_step *step)
{
    carom_world *world = step->world;
    for (int i = 0; i < world->count; ++i) {
        vec3 position;
        if (world->kind[i] == CAROM_BODY_DRIVEN)
            carom_motion_drive(world, i, world->now.ledger.time, &position,
                               &world->now.velocity[i]);
    }
}

// Resting contacts see the mean velocity of a driven body over the interval, so that they arrive
// where it arrives.
static void step_driven_mean(carom_step *step)
{
    carom_world *world = step->world;
    for (int i = 0; i < world->count; ++i) {
        vec3 end, velocity;
        if (world->kind[i] != CAROM_BODY_DRIVEN || step->h == 0)
            continue; // an impact right at the start: no time passes
        carom_motion_drive(world, i, world->now.ledger.time + step->h, &end, &velocity);
        world->now.velocity[i] = vec3_scale(1 / step->h, vec3_sub(end, world->now.position[i]));
    }
}

static double driven_work(const carom_step *step)
{
    double work = 0;
    for (int i = 0; i < step->press_count; ++i)
        work += carom_step_driven_work(step->world, &step->touches[step->presses[i].touch],
                                       step->presses[i].impulse);
    for (int i = 0; i < step->touch_count && step->moments; ++i)
        work += carom_step_driven_turn(step->world, &step->touches[i], step->moments[i]);
    return work;
}

// Notes velocities and energies, and lets gravity act.
static void kick_share(carom_step *step, int threads)
{
    carom_world *world = step->world;
    vec3 kick = vec3_scale(step->h, vec3_from(world->options.gravity));
    int end = carom_team_end(world->count, threads);
    for (int i = carom_team_begin(world->count, threads); i < end; ++i) {
        world->before[i] = world->now.velocity[i];
        if (world->fixed[i])
            continue;
        step->energy[i] = carom_ledger_energy(world, i);
        world->now.velocity[i] = vec3_add(world->now.velocity[i], kick);
    }
}
CAROM_TEAM_SHARE2(kick_share, carom_step *, int)

static carom_status step_kick_and_rest(carom_step *step, carom_error *err)
{
    carom_world *world = step->world;
    carom_ledger *ledger = &world->now.ledger;
    unsigned char *held;
    TAKE_ZEROS(world->scratch, held, world->count, err);
    TAKE(world->scratch, step->energy, world->count, err);
    int team = carom_team_worth(world->count, world->options.threads);
    step_driven_mean(step);
    CAROM_TEAM(team, kick_share(step, team));
    TRY(carom_rest_solve(step, err));
    TRY(carom_elastic_step_solve(step, held, err));
    carom_journal_rest(step);
    lap(world, &world->times.rest);
    for (int i = 0; i < step->press_count; ++i) {
        const carom_press *press = &step->presses[i];
        const carom_touch *touch = &step->touches[press->touch];
        if (vec3_dot(press->impulse, press->impulse) > 0)
            held[touch->a] = held[touch->b] = 1;
    }
    double work = driven_work(step);
    carom_linkage_press(step);
    TRY(carom_drift_find(step, err));
    double loss = 0;
    TRY(step_move(step, held, &loss, err));
    carom_linkage_move(step);
    carom_elastic_step_replace(step, &loss);
    ledger->driven += work;
    ledger->rest += work + loss;
    carom_drift_apply(step);
    carom_linkage_mend(step);
    return CAROM_OK;
}

static carom_status unfollowed(const carom_step *step, int body, carom_error *err)
{
    carom_error_set(err, CAROM_BROKE_PROMISE,
                    "a body turns by %.3g rad in one interval, %d at most",
                    vec3_length(step->world->now.spin[body]) * step->h, CAROM_MOTION_MOST);
    carom_error_where(err, "body %d, step %lld", body, (long long)step->world->now.ledger.steps);
    carom_error_body(err, body);
    return carom_error_fix(err, "use a smaller step, or look at what makes this body spin");
}

// False where it turns too fast.
static bool move_body(const carom_step *step, int i, bool held)
{
    carom_world *world = step->world;
    const sym3 round = { 1, 1, 1, 0, 0, 0 };
    // the mean of the velocities before and after: an exact parabola in free flight
    vec3 mean = vec3_scale(0.5, vec3_add(world->before[i], world->now.velocity[i]));
    vec3 velocity = held ? world->now.velocity[i] : mean;
    world->now.position[i] = vec3_axpy(world->now.position[i], step->h, velocity);
    return carom_motion_turn(world->fixed[i] ? round : world->inertia[i], step->h,
                             &world->now.rotation[i], &world->now.spin[i]);
}

// What happened to a block of bodies.
typedef struct moved {
    double loss; // J, what resting contact took from those it held, in motion and in height
    int bad;     // the first that turns too fast; none: -1
} moved;

static void move_share(const carom_step *step, const unsigned char *held, moved *part, int threads)
{
    const carom_world *world = step->world;
    CAROM_TEAM_EACH (b, carom_team_blocks(world->count), threads) {
        moved all = { 0, -1 };
        int end = carom_team_block(world->count, b + 1);
        for (int i = carom_team_block(world->count, b); i < end; ++i) {
            if (world->kind[i] == CAROM_BODY_FIXED || world->kind[i] == CAROM_BODY_REMOVED ||
                (step->linked && step->linked[i]))
                continue;
            if (!move_body(step, i, held[i]) && all.bad < 0)
                all.bad = i;
            if (held[i] && !world->fixed[i])
                all.loss += step->energy[i] - carom_ledger_energy(world, i);
        }
        part[b] = all;
    }
}
CAROM_TEAM_SHARE4(move_share, const carom_step *, const unsigned char *, moved *, int)

static carom_status step_move(carom_step *step, const unsigned char *held, double *loss,
                              carom_error *err)
{
    moved part[CAROM_TEAM_BLOCKS];
    int count = step->world->count, team = carom_team_worth(count, step->world->options.threads);
    CAROM_TEAM(team, move_share(step, held, part, team));
    for (int b = 0; b < carom_team_blocks(count); ++b) {
        if (part[b].bad >= 0)
            return unfollowed(step, part[b].bad, err);
        *loss += part[b].loss;
    }
    return CAROM_OK;
}

// Energy out of nothing: what this step gained, or the run has in all, beyond what driven bodies
// brought, is more than half of what was at stake before it. Less than that is for the report of
// the run (`scheme`, and the law's own verdict) to tell. Laws that do not promise to keep kinetic
// energy may gain.
static bool diverged(const carom_world *world, double dt, double *gain)
{
    const carom_ledger *now = &world->now.ledger, *was = &world->saved.ledger;
    double driven = now->driven - was->driven, law = now->law - was->law;
    double mass = world->moving_mass, stake = carom_ledger_stake(was);
    bool keeps = carom_law_promises(world->options.law) & CAROM_KIN;
    vec3 kick = vec3_scale(dt, vec3_from(world->options.gravity));
    double energy = now->kinetic + now->potential, before = was->kinetic + was->potential;
    // what one step of gravity moves, and the round-off of the sums
    double least = mass * vec3_dot(kick, kick) + 1e-9 * (fabs(before) + fabs(now->start));
    double step = energy - before - driven + (keeps ? 0 : fmin(law, 0));
    double all = energy - now->start - now->driven + (keeps ? 0 : fmin(now->law, 0));
    *gain = fmax(step, all);
    return *gain > 0.5 * stake + fabs(driven) + least;
}

// The body that gained most motion.
static int wildest(const carom_world *world)
{
    double most = -HUGE_VAL;
    int body = 0;
    for (int i = 0; i < world->count; ++i) {
        vec3 v = world->now.velocity[i], w = world->now.spin[i];
        vec3 was_v = world->saved.velocity[i], was_w = world->saved.spin[i];
        double r = world->fixed[i] ? 0 : carom_shape_radius(world->shape[i]);
        double gain = world->mass[i] * (vec3_dot(v, v) - vec3_dot(was_v, was_v) +
                                        r * r * (vec3_dot(w, w) - vec3_dot(was_w, was_w)));
        if (!world->fixed[i] && gain > most) {
            most = gain;
            body = i;
        }
    }
    return body;
}

static carom_status no_number(const carom_world *world, carom_error *err)
{
    for (int i = 0; i < world->count; ++i) {
        vec3 p = world->now.position[i], v = world->now.velocity[i], w = world->now.spin[i];
        if (!isfinite(p.x + p.y + p.z + v.x + v.y + v.z + w.x + w.y + w.z)) {
            carom_error_set(err, CAROM_BROKE_PROMISE, "the state is no longer a number at %.9g s",
                            world->now.ledger.time);
            carom_error_where(err, "body %d, step %lld", i, (long long)world->now.ledger.steps - 1);
            carom_error_body(err, i);
            return carom_error_fix(err, "use a smaller step, or look at the contacts of this body");
        }
    }
    return CAROM_OK;
}

static carom_status step_audit(carom_world *world, double dt, carom_error *err)
{
    const carom_ledger *ledger = &world->now.ledger;
    double gain;
    carom_ledger_close(world);
    // one body that is nowhere, and the sums are no numbers either
    vec3 momentum = vec3_from(ledger->momentum), angular = vec3_from(ledger->angular);
    if (!isfinite(ledger->kinetic + ledger->potential + momentum.x + momentum.y + momentum.z +
                  angular.x + angular.y + angular.z))
        TRY(no_number(world, err));
    if (diverged(world, dt, &gain)) {
        carom_error_set(err, CAROM_BROKE_PROMISE, "%.3g J have come out of nothing at %.9g s", gain,
                        world->now.ledger.time);
        int body = wildest(world);
        carom_error_where(err, "body %d, step %lld", body, (long long)world->now.ledger.steps - 1);
        carom_error_body(err, body);
        return carom_error_fix(err, "use a smaller step or more rest_sweeps, or look at this body");
    }
    return CAROM_OK;
}
