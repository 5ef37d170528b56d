// One step of the world: the table of its phases, and the one loop that runs them.
//
// A step is one interval, or several where it is cut at times of impact and where a driven body
// starts or stops; each runs the phases from `collide` to `correct`. The books are closed once, at
// the end. A phase that fails, and a caller who wants to stop between two of them, leave the world
// as it was before the step (world_undo.c).
//
// The impact phase comes before the kick of gravity: at that moment a resting contact has no
// approach speed, so that only true impacts exceed the resting speed, whatever the step. Bodies
// that no contact held move on exact parabolas; held ones with the velocity at the end of the
// interval (Moreau's scheme).
#include "world/step.h"

#include <stddef.h>
#include "base/clock.h"
#include "base/progress.h"
#include "base/team.h"
#include "world/ledger.h"
#include "world/linkage.h"
#include "world/motion.h"
#include "world/world_force.h"
#include "world/world_periodic.h"
#include "world/world_sleep.h"

static carom_status collide(carom_step *step, carom_error *err);
static carom_status impact(carom_step *step, carom_error *err);
static carom_status locate(carom_step *step, carom_error *err);
static carom_status rest(carom_step *step, carom_error *err);
static carom_status move(carom_step *step, carom_error *err);
static carom_status correct(carom_step *step, carom_error *err);
static carom_status audit(carom_step *step, carom_error *err);

enum { COLLIDE, IMPACT, LOCATE, REST, MOVE, CORRECT, AUDIT, PHASES };

static const struct phase {
    const char *name;
    carom_status (*run)(carom_step *step, carom_error *err);
    size_t time; // where in carom_times its time goes
} phases[PHASES] = {
    // of every interval: who may touch whom, and what each contact carried in the last step
    [COLLIDE] = { "collide", collide, offsetof(carom_times, collide) },
    // the law, wherever a touching contact approaches faster than the resting speed
    [IMPACT] = { "impact", impact, offsetof(carom_times, impact) },
    // the interval ends at the first time of impact within it
    [LOCATE] = { "locate", locate, offsetof(carom_times, locate) },
    // gravity, then impulses of resting contacts and their friction
    [REST] = { "rest", rest, offsetof(carom_times, rest) },
    // positions and rotations
    [MOVE] = { "move", move, offsetof(carom_times, move) },
    // overlap is taken out without adding speed
    [CORRECT] = { "correct", correct, offsetof(carom_times, move) },
    // of the whole step: energies and momenta, and whether the law kept what it promises
    [AUDIT] = { "audit", audit, offsetof(carom_times, move) },
};

static carom_status attempt(carom_world *world, double dt, carom_error *err);
static carom_step begin(carom_world *world, double dt);
static int next_phase(carom_step *step, int phase);
static void start_clock(carom_world *world);
static void lap(carom_world *world, double *phase);

carom_status carom_world_step(carom_world *world, double dt, carom_error *err)
{
    NEED(err, world);
    if (!(dt > 0) || !isfinite(dt)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the step is %g s", dt);
        return carom_error_fix(err, "use a step above 0 s");
    }
    world->work = 0;
    TRY(carom_world_periodic_step(world, dt, err));
    TRY(carom_world_force_ask(world, dt, err));
    if (carom_world_sleep_all(world)) {
        carom_world_event_begin(world);
        carom_world_sleep_pass(world, dt);
        return CAROM_OK;
    }
    carom_status status = CAROM_OK;
    carom_team_hook was = carom_team_use(world->tasks);
    do // once more where sleepers were touched: they wake, and the step begins anew
        status = attempt(world, dt, err);
    while (status == CAROM_OK && carom_world_sleep_wake_noted(world));
    carom_team_use(was);
    return status;
}

static carom_status attempt(carom_world *world, double dt, carom_error *err)
{
    carom_step step = begin(world, dt);
    carom_status status = CAROM_OK;
    for (int k = COLLIDE; k < PHASES && status == CAROM_OK && !world->disturbance;
         k = next_phase(&step, k)) {
        status = carom_progress_report(world->progress, 0, 1, phases[k].name, err);
        if (status == CAROM_OK)
            status = phases[k].run(&step, err);
        lap(world, (double *)((char *)&world->times + phases[k].time));
    }
    world->work += (double)atomic_load(&world->stop.all);
    if (status == CAROM_OK && !world->disturbance) {
        carom_world_profile_add(world);
        carom_world_force_end(world);
        carom_world_sleep_settle(&step);
        carom_world_event_close(world);
    } else {
        carom_world_event_begin(world); // nothing has happened
        carom_world_undo(world);
    }
    return status;
}

// -- from phase to phase --------------------------------------------------------------------------

static void start_clock(carom_world *world)
{
    lap(world, &world->times.move);
    world->times = (carom_times){ 0 };
}

// The time since the last call goes to a phase.
static void lap(carom_world *world, double *phase)
{
    double now = carom_clock_seconds();
    *phase += now - world->lap;
    world->lap = now;
}

static void begin_interval(carom_step *step);

static carom_step begin(carom_world *world, double dt)
{
    carom_ledger *ledger = &world->now.ledger;
    start_clock(world);
    carom_progress_begin(&world->stop, world->progress);
    if (world->work_bound > 0) // of all attempts
        carom_progress_bound(&world->stop, fmax(world->work_bound - world->work, 1));
    carom_world_undo_save(world);
    carom_journal_begin(world);
    carom_world_event_begin(world);
    carom_world_joint_unload(world);
    world->query.fresh = false;
    ledger->sweeps = ledger->rest_sweeps = 0;
    ledger->rest_residual = 0;
    carom_step step = { .world = world,
                        .whole = dt,
                        .later = dt,
                        .to_event = world->options.stepping != CAROM_STEPPING_ELASTIC };
    begin_interval(&step);
    return step;
}

// The next interval: up to the end of the step, or until a driven body starts or stops; `locate`
// may shorten it.
static void begin_interval(carom_step *step)
{
    carom_world *world = step->world;
    if (step->remaining <= 0) {
        step->remaining = carom_motion_steady(world, step->later);
        step->later = step->remaining < step->later ? step->later - step->remaining : 0;
    }
    carom_world_periodic_limit(step);
    step->to_event = step->to_event && step->intervals++ < world->options.events;
    step->impacts = world->now.ledger.impacts;
    step->h = step->remaining;
    step->over = step->struck = false;
    carom_arena_rewind(world->scratch, (carom_arena_mark){ 0 });
}

static void end_interval(carom_step *step)
{
    carom_ledger *ledger = &step->world->now.ledger;
    step->remaining = step->h < step->remaining ? step->remaining - step->h : 0;
    ledger->time += step->h;
    // without time and without an impact that changed anything the next one would be the same
    if (step->h == 0 && !step->struck)
        step->to_event = false;
}

static int next_phase(carom_step *step, int phase)
{
    if (phase == AUDIT || (phase != CORRECT && !step->over))
        return phase + 1;
    end_interval(step);
    if (!(step->remaining > 0 || step->later > 0))
        return AUDIT;
    begin_interval(step);
    return COLLIDE;
}

// -- the phases -----------------------------------------------------------------------------------

static carom_status count_interval(carom_step *step, carom_error *err)
{
    carom_world *world = step->world;
    step->dear = carom_time_of_impact_dearness(step);
    carom_progress_count(&world->stop,
                         CAROM_WORLD_VISITS * (CAROM_WORLD_ONCE + (int64_t)world->count +
                                               step->candidate_count + (int64_t)step->dear));
    return carom_progress_beyond(&world->stop) ? carom_progress_check(&world->stop, "step", err)
                                               : CAROM_OK;
}

static carom_status collide(carom_step *step, carom_error *err)
{
    carom_motion_refresh(step->world);
    carom_world_force_find(step->world, step->remaining);
    carom_world_driven_now(step);
    TRY(carom_candidate_find(step, err));
    TRY(count_interval(step, err));
    if (carom_world_sleep_disturbed(step))
        return CAROM_OK;
    carom_world_event_touch(step);
    carom_time_of_impact_choose(step);
    return CAROM_OK;
}

// The time in which nobody goes farther than contacts were looked for by more than `share` of its
// thickness.
static double time_within_reach(const carom_step *step, double share)
{
    const carom_world *world = step->world;
    double time = step->remaining;
    for (int i = 0; i < world->count; ++i) {
        if (world->fixed[i])
            continue;
        double turn = world->sphere[i] ? 0 : vec3_length(world->now.spin[i]);
        double speed = vec3_length(world->now.velocity[i]);
        if (turn > 0)
            speed += turn * carom_shape_radius(world->shape[i]);
        double way = world->reach[i] + world->options.slop + share * world->thickness[i];
        if (speed * time > way)
            time = way / speed;
    }
    return time;
}

// Somebody who was struck may go farther than contacts were looked for. Where the step can afford
// it, time stands still, and all is looked at anew; elsewhere the interval ends before anybody has
// gone so far that it could be inside of another.
static carom_status impact(carom_step *step, carom_error *err)
{
    const double unseen = 0.125;      // share of its thickness: two that meet stay above a quarter
    const double shortest = 1.0 / 32; // of the step
    const carom_world *world = step->world;
    if (world->options.stepping == CAROM_STEPPING_ELASTIC)
        return CAROM_OK; // there it follows the resting solve
    TRY(carom_impact_phase_resolve(step, err));
    if (world->now.ledger.impacts == step->impacts)
        return CAROM_OK;
    if (!step->locates) {
        double time = time_within_reach(step, unseen);
        step->h = fmin(step->h, fmax(time, shortest * step->whole));
    } else if (time_within_reach(step, 0) < step->remaining) {
        step->h = 0;
        step->over = true;
    }
    return CAROM_OK;
}

// Whether a body turns by far less than `far` in so long: what time_of_turn would say, without
// roots.
static bool hardly_turns(const carom_world *world, int i, double far, double time)
{
    vec3 w = world->now.spin[i];
    return vec3_dot(w, w) * time * time < 0.5 * far * far &&
           world->pull_size[i] * time * time < far * carom_shape_radius(world->shape[i]);
}

// How long a body turns by no more than `far`: as it spins, or as it begins to under its own weight
// about a contact at its rim (2 far r / g = t^2).
static double time_of_turn(const carom_world *world, int i, double far)
{
    double spin = vec3_length(world->now.spin[i]), pull = world->pull_size[i];
    double tips = pull > 0 ? sqrt(2 * far * carom_shape_radius(world->shape[i]) / pull) : HUGE_VAL;
    return spin > 0 ? fmin(tips, far / spin) : tips;
}

// A body that touches another and does not bounce moves by its contacts at the start of the
// interval. Where it turns far, others are below it before the interval ends, and it may go through
// what is thin: an arm r that turns by an angle a leaves its tangent by r a^2 / 2, of n parts of a
// turn by r a^2 / 2n; what slides along a face by s meanwhile, by s a (half of Coriolis'
// acceleration times the square of the time). So the interval ends before, as long as the step can
// afford that.
static double time_of_turns(const carom_step *step)
{
    const double far = 0.5;    // rad
    const double share = 0.06; // of the thinner one's thickness
    const carom_world *world = step->world;
    double time = step->h;
    int a = -1, b = -1; // of the pair that was looked at last
    for (int i = 0; i < step->candidate_count && step->locates; ++i) {
        const carom_candidate *candidate = &step->candidates[i];
        if (candidate->located || !(candidate->gap <= world->options.slop) ||
            (candidate->a == a && candidate->b == b))
            continue;
        a = candidate->a;
        b = candidate->b;
        double thin = fmin(world->thickness[a], world->thickness[b]);
        vec3 u = carom_step_relative_velocity(world, candidate);
        for (int k = 0; k < 2; ++k) {
            int body = k ? b : a;
            if (world->sphere[body] || world->fixed[body])
                continue;
            vec3 spin = world->now.spin[body];
            double square = 0.5 * carom_shape_radius(world->shape[body]) * vec3_dot(spin, spin);
            double across = fabs(vec3_dot(candidate->normal, vec3_cross(spin, u)));
            double leaves = step->h * step->h * (square + across);
            if (leaves > share * thin)
                time = fmin(time, step->h * share * thin / leaves);
            if (!hardly_turns(world, body, far, step->h))
                time = fmin(time, time_of_turn(world, body, far));
        }
    }
    return time;
}

static carom_status locate(carom_step *step, carom_error *err)
{
    if (step->world->forced) // damping goes by the velocities after the impacts
        carom_world_force_find(step->world, step->h);
    TRY(carom_linkage_predict(step, err));
    TRY(carom_time_of_impact_limit(step, err));
    step->h = fmin(step->h, time_of_turns(step));
    TRY(carom_linkage_choose(step, err));
    ++step->world->profile.intervals;
    step->over = !(step->h > 0) && step->links; // no time passes: nothing rests
    return CAROM_OK;
}

// Notes velocities and energies, and lets gravity act.
static void kick_share(carom_step *step, int threads)
{
    carom_world *world = step->world;
    int end = carom_team_end(world->count, threads);
    for (int i = carom_team_begin(world->count, threads); i < end; ++i) {
        if (world->asleep[i])
            continue;
        world->before[i] = world->now.velocity[i];
        if (world->fixed[i])
            continue;
        step->energy[i] = carom_ledger_energy(world, i);
        vec3 kick = vec3_scale(step->h, world->pull[i]);
        world->now.velocity[i] = vec3_add(world->now.velocity[i], kick);
        if (world->forced)
            world->now.spin[i] = vec3_axpy(world->now.spin[i], step->h, world->spin_pull[i]);
    }
}
CAROM_TEAM_SHARE2(kick_share, carom_step *, int)

static carom_status rest(carom_step *step, carom_error *err)
{
    carom_world *world = step->world;
    TAKE_ZEROS(world->scratch, step->held, world->count, err);
    TAKE(world->scratch, step->energy, world->count, err);
    int team = carom_team_worth(world->count, world->options.threads);
    carom_world_driven_mean(step);
    if (world->forced)
        carom_world_force_find(world, step->h);
    CAROM_TEAM(team, kick_share(step, team));
    TRY(carom_rest_solve(step, err));
    TRY(carom_elastic_step_solve(step, err));
    carom_journal_rest(step);
    carom_world_event_press(step);
    carom_world_driven_hold(step);
    carom_linkage_apply_contacts(step);
    return CAROM_OK;
}

static carom_status move(carom_step *step, carom_error *err)
{
    carom_ledger *ledger = &step->world->now.ledger;
    double loss = 0, work = 0;
    TRY(carom_position_correction_find(step, err)); // from where the bodies still are
    carom_passing_note(step);
    TRY(carom_world_move_bodies(step, &loss, &work, err));
    ledger->driven += work;
    carom_linkage_move(step);
    carom_elastic_step_replace(step, &loss);
    ledger->driven += step->driven_work;
    ledger->rest += step->driven_work + loss - step->cohesion_work;
    ledger->cohesion += step->cohesion_work;
    return CAROM_OK;
}

static carom_status correct(carom_step *step, carom_error *err)
{
    (void)err; // nothing here can fail
    carom_position_correction_apply(step);
    carom_linkage_project(step);
    return CAROM_OK;
}

static carom_status audit(carom_step *step, carom_error *err)
{
    TRY(carom_progress_end(&step->world->stop, "step", err));
    carom_ledger_close(step->world);
    TRY(carom_world_audit_step(step->world, step->whole, err));
    carom_world_joint_load(step->world, step->whole);
    return CAROM_OK;
}
