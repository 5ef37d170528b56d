// Micro-steps: leapfrog in impact time on all contacts of an island at once.
//
//   repeat { kick: dlambda_i = h k_i max(-g_i, 0)^eta for all i, v += M^-1 J^T dlambda; drift: q +=
//   h v }
//
// with half a drift before the first kick. No queue and no order: kicks are made from
// displacements, bodies gather them and drift (wave_kick.c), piece by piece. Every piece is done by
// one thread from numbers of the pass before, so the bits do not depend on the number of threads.
//
// Contacts far from closing are left out: every WAVE_BLOCK steps active ones are listed anew
// (wave_active.c).
#include "impact/cap.h"
#include "impact/wave.h"

// A tail of fewer compressed contacts costs nothing: march on. It begins after TAIL_AFTER contact
// times at the earliest.
enum { TAIL_MIN = 10, TAIL_AFTER = 2 };
// Blocks in a row without approach worth marching: a turning point, where all contacts of a layer
// that lands flat stand still, is shorter than one.
enum { QUIET_BLOCKS = 3 };
// h omega of the stiffest compressed contact at STEPS_SMALL steps, for alike and unlike masses.
#define ANGLE 0.4
#define ANGLE_UNLIKE 0.2
#define ANGLE_STEPS 8
// Speeds and compressions are forgotten by this factor per block.
#define MEMORY 0.95
// Changes of the step within these factors are not made.
#define STEP_SHRINK 0.9
#define STEP_GROWTH 1.15
// Kinetic energy that means divergence, in that of the first step and in m U^2 of a driven contact.
#define ENERGY_GROWTH 1.1
#define ENERGY_DRIVEN 100
// Approach that keeps the march going, and that is flown to, in the first speed.
#define SLOW 1e-2
#define STILL 1e-12

static void begin_march(wave_field *field, wave_run *run);
static void list_active_contacts(wave_field *field, const wave_run *run);
CAROM_TEAM_SHARE2(list_active_contacts, wave_field *, const wave_run *)
static void adapt_step(wave_field *field, wave_run *run);
static void list_active_bodies(wave_field *field, const wave_run *run);
CAROM_TEAM_SHARE2(list_active_bodies, wave_field *, const wave_run *)
static bool diverged(const wave_field *field, wave_run *run);
static bool is_quiet(const wave_field *field, wave_run *run);
static int64_t march_block(wave_field *field, wave_run *run);
static bool skip_free_flight(wave_field *field, wave_run *run);
static void report_impulses(const wave_field *field, const wave_run *run);

// Micro-steps after which the finish takes over.
static int cap_of(const wave_field *field, const wave_run *run)
{
    double limit = run->steps * (field->set.cap + 2.0 * run->count) * (1 + wave_disparity(run));
    return limit < 1e9 ? (int)limit : 1000000000;
}

// Without loss and friction the cap grows to what the masses and angles of the island may need.
static int extended_cap(const wave_field *field, const wave_run *run, int cap)
{
    const carom_contact_set set = { field->problem->island_contacts + run->first, run->count };
    double needed = run->lossy ? 0 : run->steps * carom_cap_sweeps(field->problem, &set);
    return (int)fmin(fmax(cap, needed), fmax(cap, (double)CAROM_CAP_UPDATES / run->count));
}

void carom_wave_march(wave_field *field, wave_run *run)
{
    int cap = cap_of(field, run);
    bool extended = false;
    double tail = field->set.tail * run->count;
    begin_march(field, run);
    while (run->step < cap && !carom_problem_stopped(field->problem)) {
        CAROM_TEAM(run->threads, list_active_contacts(field, run));
        adapt_step(field, run);
        CAROM_TEAM(run->threads, list_active_bodies(field, run));
        if (diverged(field, run)) {
            run->capped = true;
            break;
        }
        if (is_quiet(field, run))
            break;
        int64_t pressed = march_block(field, run);
        carom_progress_count(field->problem->stop, pressed + 1);
        if (field->problem->observer)
            report_impulses(field, run);
        if (pressed == 0 && !skip_free_flight(field, run))
            break;
        if (tail >= TAIL_MIN && (double)pressed <= tail && run->step > TAIL_AFTER * run->steps)
            break;
        if (run->step >= cap && !extended) {
            cap = extended_cap(field, run, cap);
            extended = true;
        }
    }
    run->capped = run->capped || run->step >= cap;
    for (int i = run->first; i < run->first + run->count && field->dissipative; ++i)
        field->lambda[i] = vec3_dot(field->dissipative[i].impulse, field->contacts[i].d);
}

static void drift_share(wave_field *field, const wave_run *run, double time)
{
    int end = carom_team_end(run->body_count, run->threads);
    for (int i = carom_team_begin(run->body_count, run->threads); i < end; ++i)
        wave_drift(field, run->first_body + i, time);
}
CAROM_TEAM_SHARE3(drift_share, wave_field *, const wave_run *, double)

static void drift_all(wave_field *field, wave_run *run, double time)
{
    run->clock += time;
    CAROM_TEAM(run->threads, drift_share(field, run, time));
}

// Half a drift, after which kicks and drifts alternate.
static void begin_march(wave_field *field, wave_run *run)
{
    run->clock = 0;
    run->step = run->present = 0;
    run->kicks = 0;
    drift_all(field, run, 0.5 * run->h);
}

static void list_active_contacts(wave_field *field, const wave_run *run)
{
    CAROM_TEAM_EACH (piece, run->pieces, run->threads)
        carom_wave_active_contacts(field, run, piece);
}

// The micro-step for light bodies between heavy ones: pressed deeper than at their own speeds, they
// vibrate faster than a contact of theirs alone would last. omega = sqrt(eta k w delta^(eta - 1)),
// and h omega = 0.5 at 8 steps per contact time. ANGLE does not bind where all masses are alike.
static double light_body_step(const wave_run *run)
{
    if (!run->hertz || !(run->max_kw2_delta > 0))
        return HUGE_VAL;
    double angle = ANGLE - (ANGLE - ANGLE_UNLIKE) * wave_disparity(run);
    return angle * ANGLE_STEPS / run->steps / sqrt(1.5 * sqrt(run->max_kw2_delta));
}

// Whether a micro-step of h would be too little of a change.
static bool keeps_step(const wave_run *run, double h)
{
    return h > STEP_SHRINK * run->h && h < STEP_GROWTH * run->h;
}

// The micro-step follows the speeds: faster contacts are shorter (too long a step would feed them
// energy), and as the wave spreads and weakens, steps may grow. Kicks and drifts alternate at half
// steps, so a change moves all bodies by half the difference.
static void adapt_step(wave_field *field, wave_run *run)
{
    wave_scales all = { .fastest = 0 };
    for (int piece = 0; piece < run->pieces; ++piece) {
        const wave_scales *part = &field->scales[run->first_piece + piece];
        all.fastest = part->fastest > all.fastest ? part->fastest : all.fastest;
        all.square += part->square;
        all.fourth += part->fourth;
        all.max_kw2_delta =
            part->max_kw2_delta > all.max_kw2_delta ? part->max_kw2_delta : all.max_kw2_delta;
    }
    run->approach = all.square;
    double now = all.square > 0 ? sqrt(all.fourth / all.square) : 0;
    // Speeds are low for a moment when many contacts are compressed most: forget slowly.
    run->characteristic = fmax(now, MEMORY * run->characteristic);
    run->speed = fmax(all.fastest, MEMORY * run->speed);
    run->max_kw2_delta = fmax(all.max_kw2_delta, MEMORY * run->max_kw2_delta);
    double light = light_body_step(run), least, most;
    carom_wave_setup_step_bounds(run, &least, &most);
    if (keeps_step(run, fmin(least, light)) && keeps_step(run, fmin(most, light)))
        return;
    double h = fmin(carom_wave_setup_step(field, run), light);
    if (keeps_step(run, h))
        return;
    double shift = 0.5 * (h - run->h);
    run->h = h;
    drift_all(field, run, shift);
}

static void list_active_bodies(wave_field *field, const wave_run *run)
{
    CAROM_TEAM_EACH (piece, run->body_pieces, run->threads)
        carom_wave_active_bodies(field, run, piece);
}

// Springs only borrow kinetic energy, so more of it than before means that a contact was met too
// late or too fast for the step. Then the sweeps take over. Driven bodies may add energy rightly,
// but not without bound: a contact at speed U with a body of mass m adds at most 2 m U^2.
static bool diverged(const wave_field *field, wave_run *run)
{
    double energy = 0;
    for (int piece = 0; piece < run->body_pieces; ++piece)
        energy += field->energy[run->first_body_piece + piece];
    if (run->step == 0) {
        run->energy = ENERGY_GROWTH * energy;
        for (int i = run->first_body; i < run->first_body + run->body_count && field->driven_speed;
             ++i)
            run->energy += ENERGY_DRIVEN * run->speed * run->speed / field->bodies[i].inverse_mass;
    }
    return !(energy <= run->energy); // also where it is not a number
}

// With loss a large island goes on trembling long after its impact is over: half of the steps would
// end the last hundredth of the energy. Where the caller allows a residual, the march ends when the
// squares of all approach speeds are that part of what they were at first; the finish stops what is
// left.
static bool is_quiet(const wave_field *field, wave_run *run)
{
    double residual = field->dissipative ? field->problem->accuracy : 0;
    if (run->step == 0)
        run->first_approach = run->approach;
    bool quiet = !run->fine && run->approach < residual * run->first_approach;
    run->quiet_blocks = quiet ? run->quiet_blocks + 1 : 0;
    return run->quiet_blocks >= QUIET_BLOCKS;
}

static void add_count(const wave_run *run, int64_t mine, int64_t *sum)
{
    carom_team_lock(run->threads);
    *sum += mine;
    carom_team_unlock(run->threads);
}

// The contacts of a micro-step; `pressed` counts those found compressed. Without loss and friction
// only the outer ones: the kicks of inner contacts need the displacements of their own piece of
// bodies alone, and wait until that is at hand.
static void compress_share(wave_field *field, const wave_run *run, int64_t *pressed)
{
    const int first = field->dissipative ? 0 : run->inner;
    int64_t mine = 0;
    CAROM_TEAM_EACH (piece, run->pieces - first, run->threads)
        mine += field->dissipative ? carom_wave_dissipative_begin(field, run, piece)
                                   : carom_wave_kick_contacts(field, run, first + piece);
    add_count(run, mine, pressed);
}
CAROM_TEAM_SHARE3(compress_share, wave_field *, const wave_run *, int64_t *)

// The inner contacts and the bodies of each piece.
static void kick_share(wave_field *field, const wave_run *run, int64_t *pressed)
{
    int64_t mine = 0;
    CAROM_TEAM_EACH (piece, run->body_pieces, run->threads) {
        mine += carom_wave_kick_contacts(field, run, piece);
        carom_wave_kick_bodies(field, run, piece);
    }
    add_count(run, mine, pressed);
}
CAROM_TEAM_SHARE3(kick_share, wave_field *, const wave_run *, int64_t *)

// One thread: all contacts, then all bodies.
static void kick_alone(wave_field *field, const wave_run *run, int64_t *pressed)
{
    for (int piece = 0; piece < run->pieces; ++piece)
        *pressed += carom_wave_kick_contacts(field, run, piece);
    for (int piece = 0; piece < run->body_pieces; ++piece)
        carom_wave_kick_bodies(field, run, piece);
}

// `more` is raised where a piece needs another projection.
static void project_share(wave_field *field, const wave_run *run, int projection, bool *more)
{
    bool mine = false;
    CAROM_TEAM_EACH (piece, run->pieces, run->threads)
        mine |= carom_wave_project(field, run, piece, projection);
    carom_team_lock(run->threads);
    *more |= mine;
    carom_team_unlock(run->threads);
}
CAROM_TEAM_SHARE4(project_share, wave_field *, const wave_run *, int, bool *)

static void answer_share(wave_field *field, const wave_run *run, int projection)
{
    CAROM_TEAM_EACH (piece, run->body_pieces, run->threads)
        carom_wave_answer(field, run, piece, projection);
}
CAROM_TEAM_SHARE3(answer_share, wave_field *, const wave_run *, int)

static void end_share(wave_field *field, const wave_run *run)
{
    CAROM_TEAM_EACH (piece, run->pieces, run->threads)
        carom_wave_dissipative_end(field, run, piece);
}
CAROM_TEAM_SHARE2(end_share, wave_field *, const wave_run *)

// One micro-step; projections only where something is lost, until nothing stirs.
static void micro_step(wave_field *field, wave_run *run, int64_t *pressed)
{
    if (field->plain && wave_alone(field, run)) {
        kick_alone(field, run, pressed);
        return;
    }
    if (field->dissipative || run->pieces > run->inner)
        CAROM_TEAM(run->threads, compress_share(field, run, pressed));
    if (!field->dissipative) {
        CAROM_TEAM(run->threads, kick_share(field, run, pressed));
        return;
    }
    run->last = false;
    for (int projection = 0; projection <= run->projections && !run->last; ++projection) {
        if (projection > 0) {
            bool more = false;
            run->last = projection == run->projections;
            CAROM_TEAM(run->threads, project_share(field, run, projection, &more));
            run->last = run->last || !more;
        }
        CAROM_TEAM(run->threads, answer_share(field, run, projection));
    }
}

// Returns how many contacts the last micro-step found compressed.
static int64_t march_block(wave_field *field, wave_run *run)
{
    int64_t pressed[WAVE_BLOCK] = { 0 };
    for (int step = 0; step < WAVE_BLOCK; ++step) {
        wave_run at = *run;
        at.clock = run->clock + step * run->h;
        at.step = run->step + step;
        micro_step(field, &at, &pressed[step]);
        run->kicks += pressed[step];
    }
    run->present = !run->present;
    run->step += WAVE_BLOCK;
    if (field->dissipative)
        CAROM_TEAM(run->threads, end_share(field, run));
    run->clock += WAVE_BLOCK * run->h;
    return pressed[WAVE_BLOCK - 1];
}

// Nothing is compressed: go on to shortly before the next closing. False where no contact will
// close faster than the share of the speed that the sweeps may end.
static bool skip_free_flight(wave_field *field, wave_run *run)
{
    const double slow = SLOW * run->first_speed, still = STILL * run->first_speed;
    double soonest = HUGE_VAL;
    bool fast = false;
    for (int i = run->first; i < run->first + run->count; ++i) {
        const wave_contact *c = &field->contacts[i];
        double u = wave_speed(field, c, i);
        // Slow ones do not keep the march going, but none may be flown through; bodies that move
        // together have round-off for u.
        fast = fast || u < -slow;
        if (u < -still)
            soonest = fmin(soonest, fmax(wave_gap(field, run, c, i), 0) / -u);
    }
    if (fast)
        drift_all(field, run, floor(soonest / run->h) * run->h);
    return fast;
}

// Impulses so far, before the energy scalar, for an observer.
static void report_impulses(const wave_field *field, const wave_run *run)
{
    const carom_problem *problem = field->problem;
    for (int place = 0; place < problem->contact_count; ++place) {
        int i = field->order[place];
        double *p = problem->observer->so_far[i];
        p[0] = field->lambda[place];
        if (field->dissipative)
            p[0] = vec3_dot(field->contacts[place].d, field->dissipative[place].impulse);
        for (int k = 1; k < 3; ++k)
            p[k] = problem->tangent ? vec3_dot(carom_problem_tangents(problem, i)[k - 1].d,
                                               field->dissipative[place].impulse)
                                    : 0;
    }
    carom_problem_report(problem, run->step, (const double(*)[3])problem->observer->so_far);
}
