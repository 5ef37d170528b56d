// Contact springs integrated through the impact: the yardstick of the other laws [QCE, eq 6].
//
// Bodies stay where they are while the springs f = k delta^eta of all contacts act at once; gaps
// are remembered, so a contact that opened may close again later. Integrating the compression delta
// instead of the energy of eq 6 lets a touching contact with u = 0 start. Restitution is energetic
// (Stronge): expansion gives back e^2 of the energy stored; see springs_island.h for the law at u =
// 0. Modes change at events (opening, closing, u = 0, the end of holding), which are located to
// round-off; between two events the motion is smooth and integrated by extrapolation.
//
// No friction. Processes without end (a ball between two walls) stop at a cap on steps and work,
// are reported as endless (capped where they would have ended) and finished feasibly: first with 1
// + e times the inelastic impulses (e the least of the island), then with what is needed so that
// nothing approaches, as in Poisson's law.
#include "impact/law.h"
#include "impact/springs_island.h"

#include "impact/inelastic.h"
#include "impact/qce.h"
#include "math/power.h"

enum { OPTION_EXPONENT, OPTION_TOLERANCE, OPTION_CAP };

// Fractions of a contact's depth and of the island's speed that count as zero at an event.
// Events are located ten times more closely (event_zero), so that what was located is recognised.
static const double gap_zero = 1e-12, speed_zero = 1e-11, event_zero = 1e-13;

typedef struct run {
    springs_island *island;
    double span;  // length of the next trial step
    int *list;    // contacts with speed zero, for the decision about holding
    int *flipped; // per contact: step number of its last change without passage of time
    int step, cap;
    int standing;  // events in a row that took no time
    double zero;   // slack below -zero is past the end of a mode
    bool singular; // some exponent makes the force's derivatives infinite at delta = 0
} run;

static carom_status run_island(const carom_problem *problem, int which,
                               const carom_law_options *options, carom_twist *rate,
                               carom_arena *arena, carom_motion *motion,
                               carom_impact_report *report, carom_error *err);
static carom_status integrate(run *r, const carom_problem *problem, const carom_motion *motion,
                              bool *ended, carom_error *err);
static bool at_rest(const springs_island *island);
static bool fly(run *r);
static void settle_modes(run *r);
static bool settle_one(springs_island *island, int i);
static bool release_hold(springs_island *island, int i);
static bool advance(run *r);
static bool hides_event(const run *r);
static bool flip_at_start(run *r);
static void locate(run *r, double span);
static void accept(run *r);
static double slack(const springs_island *island, const springs_state *at, int i, double *rate);
static carom_status finish(const carom_problem *problem, int which, carom_arena *arena,
                           carom_motion *motion, carom_error *err);

static carom_status resolve_springs(const carom_problem *problem, const carom_law_options *options,
                                    carom_arena *scratch, carom_motion *motion,
                                    carom_impact_report *report, carom_error *err)
{
    carom_twist *rate;
    TAKE_ZEROS(scratch, rate, problem->body_count, err);
    for (int i = 0; i < problem->island_count; ++i) {
        carom_arena_mark mark = carom_arena_mark_here(scratch);
        TRY(run_island(problem, i, options, rate, scratch, motion, report, err));
        carom_arena_rewind(scratch, mark);
    }
    return CAROM_OK;
}

static carom_status run_island(const carom_problem *problem, int which,
                               const carom_law_options *options, carom_twist *rate,
                               carom_arena *arena, carom_motion *motion,
                               carom_impact_report *report, carom_error *err)
{
    springs_island island;
    run r = { .island = &island };
    TRY(carom_springs_island_init(&island, problem, which, options->value[OPTION_EXPONENT], rate,
                                  arena, err));
    if (island.speed == 0)
        return CAROM_OK;
    // The estimate is that of the column before the last; a few hundred steps add up.
    island.tolerance = 0.3 * options->value[OPTION_TOLERANCE];
    TAKE(arena, r.list, island.count, err);
    TAKE_ZEROS(arena, r.flipped, island.count, err);
    double cap = options->value[OPTION_CAP] * (40.0 + island.count);
    r.cap = cap < 1e9 ? (int)cap : 1000000000;
    for (int i = 0; i < island.count; ++i)
        r.singular = r.singular || island.eta[i] != floor(island.eta[i]);

    bool ended = false, endless = false;
    TRY(integrate(&r, problem, motion, &ended, err));
    for (int i = 0; i < island.count; ++i) {
        int contact = island.index[i];
        carom_row_apply(&problem->normal[contact], island.lambda[i], motion->v);
        motion->p[contact][0] += island.lambda[i];
    }
    report->sweeps = report->sweeps > r.step ? report->sweeps : r.step;
    report->events += island.evaluations * island.count;
    if (ended)
        return CAROM_OK;
    carom_contact_set all = carom_inelastic_island(problem, which);
    TRY(carom_qce_endless(problem, &all, arena, &endless, err));
    carom_impact_end end = endless ? CAROM_IMPACT_ENDLESS : CAROM_IMPACT_CAPPED;
    report->end = end > report->end ? end : report->end;
    return finish(problem, which, arena, motion, err);
}

// Runs the island until no spring acts and none will. Not ended where a cap came first: on steps,
// or on forces evaluated (some seconds).
static carom_status integrate(run *r, const carom_problem *problem, const carom_motion *motion,
                              bool *ended, carom_error *err)
{
    const int64_t max = 100000000 / r->island->count;
    springs_island *island = r->island;
    int64_t asked = 0;
    r->zero = event_zero;
    settle_modes(r);
    r->span = 0.1 * island->time_scale;
    for (r->step = 1; r->step <= r->cap && island->evaluations < max; ++r->step) {
        if (at_rest(island)) {
            *ended = !fly(r);
            if (*ended)
                return CAROM_OK;
            settle_modes(r);
        }
        if (!advance(r))
            return CAROM_OK;
        TRY(carom_problem_query_stop(problem, 2 * island->count * (island->evaluations - asked),
                                     err));
        asked = island->evaluations;
        carom_problem_report_some(problem, r->step, motion, island->index, island->lambda,
                                  island->count);
    }
    return CAROM_OK;
}

// No force acts now.
static bool at_rest(const springs_island *island)
{
    for (int i = 0; i < island->count; ++i) {
        double zero = gap_zero * island->depth[i];
        bool pressed = island->now.g[i] < -zero;
        if (pressed && (island->mode[i] == SPRINGS_LOAD || island->now.f[i] > 0))
            return false;
        if (island->now.u[i] < -speed_zero * island->speed && island->now.g[i] <= zero)
            return false;
    }
    return true;
}

// Without forces everything moves evenly: go to the next closing. False where there is none.
static bool fly(run *r)
{
    springs_island *island = r->island;
    double soonest = HUGE_VAL, slow = 10 * island->tolerance * island->speed;
    bool fast = false;
    for (int i = 0; i < island->count; ++i)
        if (island->now.u[i] < 0) {
            // Slow ones do not keep it going, but none may be flown through.
            fast = fast || island->now.u[i] < -slow;
            soonest = fmin(soonest, fmax(island->now.g[i], 0) / -island->now.u[i]);
        }
    if (!fast)
        return false;
    // Nothing closes before the first: a gap below zero would be round-off of a long flight, and a
    // spring compressed by it would push out of nothing.
    for (int i = 0; i < island->count; ++i) {
        double g = island->now.g[i];
        island->now.g[i] = fmax(g + soonest * island->now.u[i], fmin(g, 0));
    }
    return true;
}

// Modes from gaps and speeds. Contacts that do not move and could lose energy go through the
// decision about holding.
static void settle_modes(run *r)
{
    springs_island *island = r->island;
    int undecided = 0;
    for (int i = 0; i < island->count; ++i)
        if (!settle_one(island, i))
            r->list[undecided++] = i;
    if (undecided > 0)
        carom_springs_hold_decide(island, r->list, undecided);
    else
        island->held = 0;
    carom_springs_island_evaluate(island, &island->now);
    double fresh = carom_power_general(island->tolerance, 0.4) * island->time_scale;
    if (r->singular)
        r->span = fmin(r->span, fmax(0.3 * fresh, 1e-7 * island->time_scale));
}

// False where the neighbours decide about the contact; its mode is then the first guess.
static bool settle_one(springs_island *island, int i)
{
    springs_state *now = &island->now;
    double still = speed_zero * island->speed;
    bool rising = now->u[i] > still, falling = now->u[i] < -still;
    // Exactly zero from here on: the remainder is round-off, and would pass for a direction.
    if (!rising && !falling)
        now->u[i] = 0;
    if (fabs(now->g[i]) <= gap_zero * island->depth[i])
        now->g[i] = 0;
    if (release_hold(island, i))
        return false;
    if (now->g[i] > 0 || (now->g[i] == 0 && rising))
        island->mode[i] = SPRINGS_OPEN;
    else if (falling || island->release[i] == 1 || now->g[i] == 0)
        island->mode[i] = SPRINGS_LOAD;
    else
        island->mode[i] = rising ? SPRINGS_UNLOAD : SPRINGS_HOLD;
    return island->mode[i] != SPRINGS_HOLD;
}

// A contact that held until its force reached an end of [e^2 F, F] loads or unloads from here on.
// Its acceleration is still zero, so nothing but the end reached tells which.
static bool release_hold(springs_island *island, int i)
{
    double rate, full = carom_springs_island_full(island, i, island->now.g[i]);
    if (island->mode[i] != SPRINGS_HOLD || slack(island, &island->now, i, &rate) > gap_zero)
        return false;
    bool upper = full - island->now.f[i] < island->now.f[i] - island->release[i] * full;
    island->mode[i] = upper ? SPRINGS_LOAD : SPRINGS_UNLOAD;
    return true;
}

// One step forward in time, to the next event at most. False where no step is short enough.
static bool advance(run *r)
{
    static const double growth[SPRINGS_COLUMNS + 1] = { 0, 3, 3, 3, 2.5, 1.7, 1.2, 0.9, 0.7 };
    springs_island *island = r->island;
    enum { TRIES = 200 };
    for (int tries = 0; tries < TRIES; ++tries) {
        int columns = carom_springs_island_step(island, r->span);
        if (columns == 0) {
            r->span *= 0.3;
            continue;
        }
        if (hides_event(r)) {
            r->span *= 0.5;
            continue;
        }
        if (flip_at_start(r))
            continue;
        double span = r->span;
        r->span = fmin(growth[columns] * span, island->time_scale);
        locate(r, span);
        return true;
    }
    return false;
}

// How far contact i is from the end of its mode, in units of its own scales; negative: past it.
// `rate` gets the derivative, or 0 where it is not known.
static double slack(const springs_island *island, const springs_state *at, int i, double *rate)
{
    double g = at->g[i] / island->depth[i], dg = at->u[i] / island->depth[i];
    double u = at->u[i] / island->speed, du = at->a[i] / island->speed;
    bool lossy = island->release[i] < 1;
    switch ((springs_mode)island->mode[i]) {
    case SPRINGS_OPEN:
        *rate = dg;
        return g;
    case SPRINGS_LOAD:
        *rate = lossy && -u < -g ? -du : -dg;
        return lossy && -u < -g ? -u : -g;
    case SPRINGS_UNLOAD:
        *rate = u < -g ? du : -dg;
        return u < -g ? u : -g;
    default:
        break;
    }
    double full = carom_springs_island_full(island, i, at->g[i]);
    double scale = island->k[i] * carom_power(island->depth[i], island->eta[i]);
    // Solved forces carry more round-off than gaps and speeds: a hundredth of the weight.
    *rate = 0;
    return 0.01 * fmin(full - at->f[i], at->f[i] - island->release[i] * full) / scale;
}

// A contact that was at its boundary already when the step began, without speed to tell the
// direction, changes its mode at once. Each contact does so once per step at most.
static bool flip_at_start(run *r)
{
    springs_island *island = r->island;
    bool any = false;
    for (int i = 0; i < island->count; ++i) {
        double rate, end_rate, start = slack(island, &island->now, i, &rate);
        springs_mode mode = island->mode[i];
        if (slack(island, &island->next, i, &end_rate) >= -r->zero || r->flipped[i] == r->step ||
            mode == SPRINGS_HOLD || fabs(start) > speed_zero || rate * island->time_scale > 1e-9)
            continue;
        bool touching = fabs(island->now.g[i]) <= gap_zero * island->depth[i];
        island->mode[i] = mode == SPRINGS_OPEN                ? SPRINGS_LOAD
                          : mode == SPRINGS_LOAD && !touching ? SPRINGS_UNLOAD
                          : mode == SPRINGS_LOAD              ? SPRINGS_OPEN
                          : touching                          ? SPRINGS_OPEN
                                                              : SPRINGS_LOAD;
        r->flipped[i] = r->step;
        any = true;
    }
    if (any)
        carom_springs_island_evaluate(island, &island->now);
    return any;
}

// True where some contact leaves its mode and returns within the trial step, seen at the quarters
// of Hermite's cubics through gaps and speeds at both ends: then a shorter step finds the event.
static bool hides_event(const run *r)
{
    const springs_island *island = r->island;
    const double h = r->span;
    for (int i = 0; i < island->count; ++i)
        for (int quarter = 1; quarter < 4; ++quarter) {
            double s = 0.25 * quarter, t = 1 - s, unused;
            double a0 = s * t * t * h, a1 = -s * s * t * h;
            double b0 = t * t * (1 + 2 * s), b1 = s * s * (1 + 2 * t);
            const springs_state *x = &island->now, *y = &island->next;
            double g = b0 * x->g[i] + b1 * y->g[i] + a0 * x->u[i] + a1 * y->u[i];
            double u = b0 * x->u[i] + b1 * y->u[i] + a0 * x->a[i] + a1 * y->a[i];
            springs_mode mode = island->mode[i];
            double inside = mode == SPRINGS_OPEN ? g / island->depth[i] : -g / island->depth[i];
            if (island->release[i] < 1 && mode == SPRINGS_LOAD)
                inside = fmin(inside, -u / island->speed);
            if (mode == SPRINGS_UNLOAD)
                inside = fmin(inside, u / island->speed);
            if (mode != SPRINGS_HOLD && inside < -1e-9 && slack(island, y, i, &unused) >= -r->zero)
                return true;
        }
    return false;
}

// The contact that ends its mode first within the trial step, by a straight line from its end;
// -1: none. `when` gets the estimate.
static int first_event(const run *r, double span, double *when)
{
    const springs_island *island = r->island;
    int first = -1;
    *when = HUGE_VAL;
    for (int i = 0; i < island->count; ++i) {
        double rate, value = slack(island, &island->next, i, &rate);
        if (value >= -r->zero || r->flipped[i] == r->step)
            continue;
        double begin, unused;
        begin = slack(island, &island->now, i, &unused);
        double root =
            rate < 0 ? span - value / rate : span * fmax(begin, 0) / (fmax(begin, 0) - value);
        if (root < *when) {
            *when = root;
            first = i;
        }
    }
    return first;
}

// Shortens the trial step until it ends at the first event, accepts it and changes modes there.
static void locate(run *r, double span)
{
    springs_island *island = r->island;
    enum { TRIES = 80 };
    double low = 0, high = span, when;
    int event = first_event(r, span, &when);
    if (event < 0) {
        r->standing = 0;
        r->zero = event_zero;
        accept(r);
        return;
    }
    double reached = span;
    for (int tries = 0; tries < TRIES && high - low > 1e-15 * island->time_scale; ++tries) {
        bool inside = when > low && when < high;
        // Newton's guess, or halving where it leaves the bracket or ceased to help.
        double guess = inside && tries % 8 != 7 ? when : 0.5 * (low + high);
        if (carom_springs_island_step(island, guess) == 0) {
            high = guess; // the step was too long for the tolerance: the event waits
            when = 0.5 * guess;
            r->span = fmin(r->span, guess);
            continue;
        }
        reached = guess;
        double next, rate, value = slack(island, &island->next, event, &rate);
        int other = first_event(r, guess, &next);
        if (other < 0 && fabs(value) <= r->zero)
            break;
        if (other >= 0) {
            high = guess;
            event = other;
            when = next;
        } else {
            low = guess;
            when = rate < 0 ? guess - value / rate : 0.5 * (low + high);
        }
    }
    // Round-off may switch contacts that carry no force back and forth: look less closely then.
    enum { PATIENCE = 10 };
    r->standing = reached < 1e-12 * island->time_scale ? r->standing + 1 : 0;
    r->zero = r->standing > PATIENCE ? fmin(10 * r->zero, 1e-8) : r->zero;
    accept(r);
    settle_modes(r);
}

static void accept(run *r)
{
    springs_island *island = r->island;
    for (int i = 0; i < island->count; ++i)
        island->lambda[i] += fmax(island->gained[i], 0);
    springs_state old = island->now;
    island->now = island->next;
    island->next = old;
}

// Poisson's rule: 1 + e times the impulses that stop all approach, then once more what is left.
static carom_status finish(const carom_problem *problem, int which, carom_arena *arena,
                           carom_motion *motion, carom_error *err)
{
    carom_contact_set set = carom_inelastic_island(problem, which);
    double *lambda, residual = 0, e = 1;
    TAKE(arena, lambda, set.count, err);
    for (int i = 0; i < set.count; ++i)
        e = fmin(e, problem->contacts[set.index[i]].restitution);
    for (int pass = 0; pass < 2; ++pass) {
        TRY(carom_inelastic_solve(problem, &set, NULL, arena, motion->v, lambda, &residual, err));
        for (int i = 0; i < set.count; ++i) {
            motion->p[set.index[i]][0] += (pass == 0 ? 1 + e : 1) * lambda[i];
            if (pass == 0)
                carom_row_apply(&problem->normal[set.index[i]], e * lambda[i], motion->v);
        }
    }
    return CAROM_OK;
}

static const carom_option options[] = {
    [OPTION_EXPONENT] = { "exponent",
                          "exponent of all contacts (1 Hooke, 1.5 Hertz); 0: each its own",
                          CAROM_OPTION_NUMBER, 0, 0, 100, NULL },
    [OPTION_TOLERANCE] = { "tolerance", "error allowed per integration step, relative",
                           CAROM_OPTION_NUMBER, 1e-13, 1e-14, 1e-3, NULL },
    [OPTION_CAP] = { "cap", "steps per contact before the rest is finished by Poisson's rule",
                     CAROM_OPTION_INTEGER, 250, 1, 1e6, NULL },
    { 0 },
};

const carom_law carom_springs_law = {
    .name = "springs",
    .summary = "Contact springs integrated through the impact: slow, exact, the yardstick.",
    .reference = "QCE",
    .paper = "Hertz 1882; in the form of Zhang et al. 2015, eq 6",
    .number = "cradle of 5, two striking, Hertz: last ball 1.1397220317",
    .promises = CAROM_BRK | CAROM_SYM | CAROM_KIN | CAROM_MOM | CAROM_ONE | CAROM_WAV | CAROM_NOP |
                CAROM_RES,
    .options = options,
    .usual = true,
    .resolve = resolve_springs,
};
