// Micro-steps: leapfrog in impact time on all contacts of an island at once.
//
//   repeat { kick: dlambda_i = h k_i max(-g_i, 0)^eta for all i, v += M^-1 J^T dlambda; drift: q +=
//   h v }
//
// with half a drift before the first kick. Two passes per step, no queue and no order: a pass over
// contacts reads displacements and makes kicks, a pass over bodies gathers them and drifts
// (wave_kick.c). Every piece is done by one thread from numbers of the pass before, so the bits do
// not depend on the number of threads.
//
// Contacts far from closing are left out: every BLOCK steps active ones are listed anew. A body
// without active contacts moves evenly: one drift for the whole block.
#include "impact/cap.h"
#include "impact/wave.h"

#include <string.h>

enum { BLOCK = 6 };

// A tail of fewer compressed contacts costs nothing: march on. It begins after TAIL_AFTER contact
// times at the earliest.
enum { TAIL_MIN = 10, TAIL_AFTER = 2 };
// Blocks in a row without approach worth marching: a turning point, where all contacts of a layer
// that lands flat stand still, is shorter than one.
enum { QUIET_BLOCKS = 3 };
// Ratios of masses between which an island counts more and more as one of unlike masses.
#define MASS_RATIO_ALIKE 10
#define MASS_RATIO_UNLIKE 50
// h omega of the stiffest compressed contact at STEPS_SMALL steps, for alike and unlike masses.
#define ANGLE 0.4
#define ANGLE_UNLIKE 0.2
#define ANGLE_STEPS 8
// Active: gaps that close within a block at so many times their speed, or below this in h times the
// characteristic speed. Contacts that close within SOON times that disturb their bodies.
#define CLOSING_MARGIN 1.2
#define TOUCHING 1e-3
#define SOON 2
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
static void list_piece(wave_field *field, const wave_run *run, int piece);
static void adapt_step(wave_field *field, wave_run *run);
static void list_active_bodies(wave_field *field, const wave_run *run);
CAROM_TEAM_SHARE2(list_active_bodies, wave_field *, const wave_run *)
static bool diverged(const wave_field *field, wave_run *run);
static bool is_quiet(const wave_field *field, wave_run *run);
static int64_t march_block(wave_field *field, wave_run *run);
static bool skip_free_flight(wave_field *field, wave_run *run);
static void report_impulses(const wave_field *field, const wave_run *run);

// 0 where the masses of the island are alike, or it is large; 1 from a ratio of 50 on.
static double mass_disparity(const wave_run *run)
{
    return run->count <= WAVE_SMALL ? fmin(fmax((run->mass_ratio - MASS_RATIO_ALIKE) /
                                                    (MASS_RATIO_UNLIKE - MASS_RATIO_ALIKE),
                                                0),
                                           1)
                                    : 0;
}

// Micro-steps after which the finish takes over.
static int cap_of(const wave_field *field, const wave_run *run)
{
    double limit = run->steps * (field->set.cap + 2.0 * run->count) * (1 + mass_disparity(run));
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
    if (field->dissipative)
        carom_wave_dissipative_end(field, run);
}

static void drift(wave_field *field, int i, double time)
{
    wave_body *body = &field->bodies[i];
    body->q = vec3_axpy(body->q, time, body->v);
    if (field->spins)
        field->spins[i].q = vec3_axpy(field->spins[i].q, time, field->spins[i].w);
}

static void drift_share(wave_field *field, const wave_run *run, double time)
{
    int end = carom_team_end(run->body_count, run->threads);
    for (int i = carom_team_begin(run->body_count, run->threads); i < end; ++i)
        drift(field, run->first_body + i, time);
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

// Which contacts may be compressed within the next block: compressed or touching now, closing fast
// enough, or pushed together by something that happens to one of their bodies: a body is disturbed
// where it was kicked in the last block, or where a contact was seen to close within this one.
static void list_active_contacts(wave_field *field, const wave_run *run)
{
    CAROM_TEAM_EACH (piece, run->pieces, run->threads)
        list_piece(field, run, piece);
}

// Bytes may alias anything: pointers are taken out of the field, or each store would reload them.
static void list_piece(wave_field *field, const wave_run *run, int piece)
{
    enum { AHEAD = 16 };
    const double span = BLOCK * run->h, push = span * run->characteristic,
                 touch = TOUCHING * run->h * run->characteristic;
    const int which = run->first_piece + piece;
    const int first = field->first_place[which], end = field->first_place[which + 1];
    const bool inner = piece < run->inner;
    const wave_contact *contacts = field->contacts;
    const wave_body *bodies = field->bodies;
    const unsigned char *disturbed = field->disturbed[run->present];
    unsigned char *soon = field->disturbed[!run->present], *active = field->active;
    unsigned char *inner_active = field->inner_active;
    const wave_dissipative *dissipative = field->dissipative;
    const wave_spring *springs = field->springs;
    const double common = field->problem->contacts[0].stiffness;
    const bool plain = field->plain;
    int *active_contacts = field->active_contacts, found = first, apart = end;
    double max_kw2_delta = 0;
    wave_scales seen = { .fastest = 0 };
    for (int i = first; i < end; ++i) {
        const wave_contact *c = &contacts[i];
        if (i + AHEAD < end) {
            __builtin_prefetch(&bodies[c[AHEAD].a]);
            __builtin_prefetch(&bodies[c[AHEAD].b]);
        }
        double u, g;
        if (plain) {
            const wave_body *a = &bodies[c->a], *b = &bodies[c->b];
            g = vec3_dot(c->d, vec3_sub(b->q, a->q));
            u = vec3_dot(c->d, vec3_sub(b->v, a->v));
        } else {
            u = wave_speed(field, c, i);
            g = wave_gap(field, run, c, i);
        }
        double closing = u < 0 ? -CLOSING_MARGIN * span * u : 0;
        double reach = closing + (disturbed[c->a] | disturbed[c->b] ? push : 0);
        bool is_in = g <= touch || g <= reach || (dissipative && dissipative[i].full > 0);
        active[i] = is_in;
        if (g > 0 && g < SOON * closing) {
            __atomic_store_n(&soon[c->a], 1, __ATOMIC_RELAXED);
            __atomic_store_n(&soon[c->b], 1, __ATOMIC_RELAXED);
        }
        if (!is_in)
            continue;
        // Compressed ones first, the others from the end: the kicks then branch in long runs.
        if (g < 0) {
            active_contacts[found++] = i;
            double w = bodies[c->a].inverse_mass + bodies[c->b].inverse_mass;
            double kw = (springs ? springs[i].k : common) * w, taut = -g * kw * kw;
            max_kw2_delta = taut > max_kw2_delta ? taut : max_kw2_delta;
        } else {
            active_contacts[--apart] = i;
        }
        if (u < 0) {
            seen.fastest = -u > seen.fastest ? -u : seen.fastest;
            seen.square += u * u;
            seen.fourth += u * u * u * u;
        }
        if (inner) {
            inner_active[c->a] |= bodies[c->a].inverse_mass > 0;
            inner_active[c->b] |= bodies[c->b].inverse_mass > 0;
        }
    }
    memmove(active_contacts + found, active_contacts + apart, (size_t)(end - apart) * sizeof(int));
    seen.max_kw2_delta = max_kw2_delta;
    field->scales[which] = seen;
    field->active_count[which] = found - first + end - apart;
}

// The micro-step for light bodies between heavy ones: pressed deeper than at their own speeds, they
// vibrate faster than a contact of theirs alone would last. omega = sqrt(eta k w delta^(eta - 1)),
// and h omega = 0.5 at 8 steps per contact time. ANGLE does not bind where all masses are alike.
static double light_body_step(const wave_run *run)
{
    if (!run->hertz || !(run->max_kw2_delta > 0))
        return HUGE_VAL;
    double angle = ANGLE - (ANGLE - ANGLE_UNLIKE) * mass_disparity(run);
    return angle * ANGLE_STEPS / run->steps / sqrt(1.5 * sqrt(run->max_kw2_delta));
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
    double h = carom_wave_setup_step(field, run, run->characteristic, run->speed);
    run->max_kw2_delta = fmax(all.max_kw2_delta, MEMORY * run->max_kw2_delta);
    h = fmin(h, light_body_step(run));
    if (h > STEP_SHRINK * run->h && h < STEP_GROWTH * run->h)
        return;
    double shift = 0.5 * (h - run->h);
    run->h = h;
    drift_all(field, run, shift);
}

static double energy_of(const wave_field *field, int i)
{
    const wave_body *body = &field->bodies[i];
    double energy = 0.5 * vec3_dot(body->v, body->v) / body->inverse_mass;
    if (field->spins)
        energy += 0.5 * sym3_divide(field->spins[i].inverse_inertia, field->spins[i].w);
    return energy;
}

// The bodies of those contacts, each with its active outer contacts.
static void list_active_bodies(wave_field *field, const wave_run *run)
{
    CAROM_TEAM_EACH (piece, run->body_pieces, run->threads) {
        int first = run->first_body + piece * field->piece, found = 0;
        double energy = 0;
        for (int i = first; i < first + wave_piece_size(field, run->body_count, piece); ++i) {
            energy += energy_of(field, i);
            int begin = field->first_around[i], count = 0;
            for (int k = begin; k < field->first_around[i + 1]; ++k) {
                int contact = field->around[k] >= 0 ? field->around[k] : ~field->around[k];
                if (field->active[contact])
                    field->active_around[begin + count++] = field->around[k];
            }
            field->active_around_count[i] = count;
            if (count > 0 || field->inner_active[i])
                field->active_bodies[first + found++] = i;
            else
                drift(field, i, BLOCK * run->h);
            field->disturbed[run->present][i] = field->inner_active[i] = 0;
        }
        field->energy[run->first_body_piece + piece] = energy;
        field->active_body_count[run->first_body_piece + piece] = found;
    }
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
    bool quiet = run->count > WAVE_SMALL && run->approach < residual * run->first_approach;
    run->quiet_blocks = quiet ? run->quiet_blocks + 1 : 0;
    return run->quiet_blocks >= QUIET_BLOCKS;
}

// The contacts of a micro-step; `pressed` counts those found compressed.
static void compress_share(wave_field *field, const wave_run *run, int64_t *pressed)
{
    int64_t mine = 0;
    CAROM_TEAM_EACH (piece, run->pieces, run->threads)
        mine += field->dissipative ? carom_wave_dissipative_begin(field, run, piece)
                                   : carom_wave_kick_contacts(field, run, piece);
    carom_team_lock(run->threads);
    *pressed += mine;
    carom_team_unlock(run->threads);
}
CAROM_TEAM_SHARE3(compress_share, wave_field *, const wave_run *, int64_t *)

static void kick_share(wave_field *field, const wave_run *run)
{
    CAROM_TEAM_EACH (piece, run->body_pieces, run->threads)
        carom_wave_kick_bodies(field, run, piece);
}
CAROM_TEAM_SHARE2(kick_share, wave_field *, const wave_run *)

// `more` is raised where a piece needs another projection.
static void project_share(wave_field *field, const wave_run *run, int projection, bool *more)
{
    bool mine = false;
    CAROM_TEAM_EACH (piece, run->pieces, run->threads)
        mine |= carom_wave_dissipative_project(field, run, piece, projection);
    carom_team_lock(run->threads);
    *more |= mine;
    carom_team_unlock(run->threads);
}
CAROM_TEAM_SHARE4(project_share, wave_field *, const wave_run *, int, bool *)

static void respond_share(wave_field *field, const wave_run *run, int projection)
{
    CAROM_TEAM_EACH (piece, run->body_pieces, run->threads)
        carom_wave_dissipative_bodies(field, run, piece, projection);
}
CAROM_TEAM_SHARE3(respond_share, wave_field *, const wave_run *, int)

// One micro-step; projections only where something is lost, until nothing stirs.
static void micro_step(wave_field *field, wave_run *run, int64_t *pressed)
{
    CAROM_TEAM(run->threads, compress_share(field, run, pressed));
    if (!field->dissipative) {
        CAROM_TEAM(run->threads, kick_share(field, run));
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
        CAROM_TEAM(run->threads, respond_share(field, run, projection));
    }
}

// Returns how many contacts the last micro-step found compressed.
static int64_t march_block(wave_field *field, wave_run *run)
{
    int64_t pressed[BLOCK] = { 0 };
    for (int step = 0; step < BLOCK; ++step) {
        wave_run at = *run;
        at.clock = run->clock + step * run->h;
        micro_step(field, &at, &pressed[step]);
        run->kicks += pressed[step];
    }
    run->present = !run->present;
    run->step += BLOCK;
    run->clock += BLOCK * run->h;
    return pressed[BLOCK - 1];
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
