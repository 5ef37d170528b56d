// One step of the world.
//
// The impact phase comes before the kick of gravity: at that moment a resting contact has no
// approach speed, so that only true impacts exceed the resting speed, whatever the step. Bodies
// that no contact held move on exact parabolas; held ones with the velocity at the end of the
// interval (Moreau's scheme).
#include "world/step.h"

#include <string.h>
#include "world/ledger.h"
#include "world/motion.h"

static void step_save(carom_world *world);
static carom_status step_interval(carom_step *step, carom_error *err);
static void step_driven_begin(carom_step *step);
static carom_status step_kick_and_rest(carom_step *step, carom_error *err);
static void step_move(carom_step *step, const unsigned char *held);
static carom_status step_audit(carom_world *world, carom_error *err);

carom_status carom_world_step(carom_world *world, double dt, carom_error *err)
{
    if (!(dt > 0) || !isfinite(dt)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the step is %g s", dt);
        return carom_error_fix(err, "use a step above 0 s");
    }
    step_save(world);
    carom_journal_begin(world);
    carom_step step = { .world = world, .remaining = dt };
    carom_ledger *ledger = &world->now.ledger;
    ledger->sweeps = ledger->rest_sweeps = 0;
    ledger->rest_residual = 0;
    carom_status status = CAROM_OK;
    for (int k = 0; step.remaining > 0 && status == CAROM_OK; ++k) {
        step.to_event = k < world->options.events;
        status = step_interval(&step, err);
    }
    if (status == CAROM_OK)
        status = step_audit(world, err);
    if (status != CAROM_OK) {
        carom_world_state spoilt = world->now;
        world->now = world->saved;
        world->saved = spoilt;
        world->memory_count = 0;
        carom_journal_undo(world);
    }
    return status;
}

static void step_save(carom_world *world)
{
    size_t n = (size_t)world->count;
    memcpy(world->saved.position, world->now.position, n * sizeof(vec3));
    memcpy(world->saved.rotation, world->now.rotation, n * sizeof(quat));
    memcpy(world->saved.velocity, world->now.velocity, n * sizeof(vec3));
    memcpy(world->saved.spin, world->now.spin, n * sizeof(vec3));
    world->saved.ledger = world->now.ledger;
}

static carom_status step_interval(carom_step *step, carom_error *err)
{
    carom_world *world = step->world;
    carom_arena_rewind(world->scratch, (carom_arena_mark){ 0 });
    step->h = step->remaining;
    carom_motion_refresh(world);
    step_driven_begin(step);
    TRY(carom_touch_find(step, err));
    TRY(carom_clash_resolve(step, err));
    if (step->to_event)
        TRY(carom_event_limit(step, err));
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
    for (int i = 0; i < step->touch_count; ++i)
        work += carom_step_driven_work(step->world, &step->touches[i], step->touches[i].impulse);
    return work;
}

// What resting contact took from the bodies it held, in motion and in height.
static double rest_loss(const carom_world *world, const unsigned char *held, const double *before)
{
    double loss = 0;
    for (int i = 0; i < world->count; ++i)
        if (held[i] && !world->fixed[i])
            loss += before[i] - carom_ledger_energy(world, i);
    return loss;
}

static carom_status step_kick_and_rest(carom_step *step, carom_error *err)
{
    carom_world *world = step->world;
    carom_ledger *ledger = &world->now.ledger;
    unsigned char *held;
    double *energy;
    TAKE_ZEROS(world->scratch, held, world->count, err);
    TAKE(world->scratch, energy, world->count, err);
    vec3 kick = vec3_scale(step->h, vec3_from(world->options.gravity));
    step_driven_mean(step);
    memcpy(world->before, world->now.velocity, (size_t)world->count * sizeof *world->before);
    for (int i = 0; i < world->count; ++i) {
        if (world->fixed[i])
            continue;
        energy[i] = carom_ledger_energy(world, i);
        world->now.velocity[i] = vec3_add(world->now.velocity[i], kick);
    }
    TRY(carom_rest_solve(step, err));
    carom_journal_rest(step);
    for (int i = 0; i < step->touch_count; ++i) {
        const carom_touch *touch = &step->touches[i];
        if (vec3_dot(touch->impulse, touch->impulse) > 0)
            held[touch->a] = held[touch->b] = 1;
    }
    double work = driven_work(step);
    TRY(carom_drift_find(step, err));
    step_move(step, held);
    ledger->driven += work;
    ledger->rest += work + rest_loss(world, held, energy);
    carom_drift_apply(step);
    return CAROM_OK;
}

static void step_move(carom_step *step, const unsigned char *held)
{
    carom_world *world = step->world;
    double h = step->h;
    const sym3 round = { 1, 1, 1, 0, 0, 0 };
    for (int i = 0; i < world->count; ++i) {
        if (world->kind[i] == CAROM_BODY_FIXED || world->kind[i] == CAROM_BODY_REMOVED)
            continue;
        // the mean of the velocities before and after: an exact parabola in free flight
        vec3 mean = vec3_scale(0.5, vec3_add(world->before[i], world->now.velocity[i]));
        // and a string keeps its length only so
        vec3 velocity = held[i] && !world->strung[i] ? world->now.velocity[i] : mean;
        world->now.position[i] = vec3_axpy(world->now.position[i], h, velocity);
        carom_motion_turn(world->fixed[i] ? round : world->inertia[i], h, &world->now.rotation[i],
                          &world->now.spin[i]);
    }
}

static carom_status step_audit(carom_world *world, carom_error *err)
{
    for (int i = 0; i < world->count; ++i) {
        vec3 p = world->now.position[i], v = world->now.velocity[i], w = world->now.spin[i];
        if (!isfinite(p.x + p.y + p.z + v.x + v.y + v.z + w.x + w.y + w.z)) {
            carom_error_set(err, CAROM_BROKE_PROMISE, "the state is no longer a number at %.9g s",
                            world->now.ledger.time);
            carom_error_where(err, "body %d, step %lld", i, (long long)world->now.ledger.steps);
            return carom_error_fix(err, "use a smaller step, or look at the contacts of this body");
        }
    }
    carom_ledger_close(world);
    return CAROM_OK;
}
