// Energy tracking [ETM, section 6, algorithm 2]: compress in small steps and book the energy per
// contact, lose a share of it, release it in small steps; repeat while something approaches.
//
// Symbols: du step of normal speed, one value per cycle (max approach / lambda); E_i energy stored
// at contact i; e restitution; K inverse effective mass, k_nn = n^T K n.
// Deviations, each because the printed form fails: eq 62 has the wrong sign and is zero for a
// contact with u = 0, so one global du; the energy's sign in algorithms 1 and 2; with friction the
// step of eq 49 releases another energy than stored, so the step is found for the actual normal
// impulse (the work of eq 18); friction adds no energy (two_body.h). Endless cycles: the paper
// sets e = 0 after 300 cycles, which tends to the inelastic solve; that is used directly, and also
// where compression or release exceed their budget of steps.
#include "impact/cap.h"
#include "impact/law.h"
#include "impact/sequence.h"

enum { LAMBDA, TOLERANCE, CYCLES };

// Steps per contact of one stage: the refinement lambda times the most that bodies pass to and fro
// in well-scaled problems, and room for the last steps, which shrink geometrically. Elastic islands
// with heavy and light bodies get more of them: one stage relaxes contact after contact, at a rate
// that falls with the square of carom_cap_slowness (25 times that square and the contacts were
// counted between a wall and masses of up to 1e4).
enum { BUDGET_PER_LAMBDA = 20, BUDGET_TAIL = 1000, ELASTIC_STEPS = 40 };
// All stages of an island together take at most this many budgets, or CAROM_CAP_UPDATES.
enum { STAGES = 4 };

// How closely the last step must release the stored energy, and the attempts to find it.
enum { RELEASE_TRIES = 12 };
#define RELEASE_TOLERANCE 1e-12

typedef struct tracking {
    carom_sequence *sequence;
    double *energy;      // E_i, J
    double step;         // du, m/s
    int64_t budget;      // steps left in this stage
    carom_status status; // not CAROM_OK: somebody stopped it
    carom_error *err;
} tracking;

static carom_status track_island(carom_sequence *sequence, const double *options, carom_error *err);
static bool compress(tracking *t);
static void restitute(tracking *t);
static bool release(tracking *t);
static bool release_all(tracking *t);
static void release_step(tracking *t, int i);

CAROM_SEQUENCE_RESOLVE(resolve_etm, track_island, TOLERANCE, .tangential = false)

static double approach(const carom_sequence *sequence)
{
    return -sequence->speeds.key[carom_queue_first(&sequence->speeds)];
}

static int64_t budget_of(const carom_sequence *sequence, double lambda)
{
    carom_contact_set set = { sequence->contacts, sequence->count };
    double usual = (BUDGET_PER_LAMBDA * lambda + BUDGET_TAIL) * sequence->count;
    if (!carom_cap_elastic(sequence->problem, &set, false))
        return (int64_t)usual;
    double slowness = carom_cap_slowness(sequence->problem, &set);
    double needed = ELASTIC_STEPS * slowness * slowness * sequence->count;
    return (int64_t)(needed > CAROM_CAP_UPDATES ? usual : fmax(usual, needed));
}

static carom_status track_island(carom_sequence *sequence, const double *options, carom_error *err)
{
    tracking t = { .sequence = sequence, .err = err };
    int64_t budget = budget_of(sequence, options[LAMBDA]), spent = sequence->report->events;
    int64_t max = spent + (budget > CAROM_CAP_UPDATES ? budget : CAROM_CAP_UPDATES) * STAGES;
    int cycles = 0;
    bool ended = true;
    TAKE(sequence->scratch, t.energy, sequence->count, err);
    while (ended && cycles < (int)options[CYCLES] && sequence->report->events < max &&
           approach(sequence) > sequence->tolerance) {
        for (int i = 0; i < sequence->count; ++i)
            t.energy[i] = 0;
        t.step = approach(sequence) / options[LAMBDA];
        t.budget = budget;
        ended = compress(&t);
        carom_problem_report(sequence->problem, 2 * cycles + 1,
                             (const double(*)[3])sequence->motion->p);
        restitute(&t);
        t.budget = budget;
        ended = ended && release(&t);
        TRY(t.status);
        ++cycles;
        carom_problem_report(sequence->problem, 2 * cycles,
                             (const double(*)[3])sequence->motion->p);
    }
    carom_impact_report *report = sequence->report;
    report->sweeps = cycles > report->sweeps ? cycles : report->sweeps;
    bool settled = ended && approach(sequence) <= sequence->tolerance;
    return settled ? CAROM_OK : carom_sequence_finish(sequence, err);
}

static void report_step(const tracking *t)
{
    const carom_sequence *s = t->sequence;
    double stored = 0;
    if (!carom_problem_reports_steps(s->problem))
        return;
    for (int i = 0; i < s->count; ++i)
        stored += t->energy[i];
    carom_problem_report_step(s->problem, (const double(*)[3])s->motion->p, stored);
}

static bool stopped(tracking *t)
{
    t->status = carom_sequence_query_stop(t->sequence, t->err);
    return t->status != CAROM_OK;
}

// Stage 1: the fastest approach first. False where the budget ended.
static bool compress(tracking *t)
{
    carom_sequence *s = t->sequence;
    for (; approach(s) > s->tolerance; --t->budget) {
        if (t->budget == 0 || stopped(t))
            return false;
        int i = carom_queue_first(&s->speeds);
        vec3 u = carom_two_body_relative_velocity(s->problem, &s->pairs[i], s->motion->v);
        double dn = fmin(t->step, -u.x); // [ETM eq 63]
        vec3 p = carom_sequence_hit(s, i, u, dn);
        t->energy[i] -= 0.5 * (2 * u.x + dn) * p.x; // [ETM eq 18]
        report_step(t);
    }
    return true;
}

// Stage 2, Stronge's hypothesis [ETM eq 65].
static void restitute(tracking *t)
{
    for (int i = 0; i < t->sequence->count; ++i) {
        double e = t->sequence->problem->contacts[t->sequence->contacts[i]].restitution;
        t->sequence->spare += (1 - e * e) * fmax(0, t->energy[i]);
        t->energy[i] *= e * e;
    }
}

// Stage 3: passes over the contacts that hold energy. False where the budget ended.
static bool release(tracking *t)
{
    t->sequence->in_turn = true;
    bool ended = release_all(t);
    t->sequence->in_turn = false;
    carom_sequence_reorder(t->sequence);
    return ended;
}

static bool release_all(tracking *t)
{
    for (bool any = true; any;) {
        any = false;
        for (int i = 0; i < t->sequence->count; ++i) {
            if (t->energy[i] <= 0)
                continue;
            if (t->budget-- == 0 || stopped(t))
                return false;
            release_step(t, i);
            any = true;
        }
    }
    return true;
}

static double work_of(double u, double dn, double p)
{
    return 0.5 * (2 * u + dn) * p; // [ETM eq 18]
}

// One step of release [ETM eq 66]. The largest dn is that which uses up the energy [ETM eqs 48,
// 49]; with friction the normal impulse per dn differs from 1 / k_nn, so that dn is corrected until
// the work is the stored energy.
static void release_step(tracking *t, int i)
{
    carom_sequence *s = t->sequence;
    carom_two_body pair = s->pairs[i];
    vec3 u = carom_two_body_relative_velocity(s->problem, &pair, s->motion->v), p;
    double stored = t->energy[i];
    double max = -u.x + sqrt(u.x * u.x + 2 * stored * pair.k.xx);
    if (pair.frictional) {
        carom_two_body_impulse(&pair, u, max, s->spare, &p);
        for (int k = 0; k < RELEASE_TRIES && p.x > 0; ++k) {
            double work = work_of(u.x, max, p.x);
            if (fabs(work - stored) <= RELEASE_TOLERANCE * stored)
                break;
            max = -u.x + sqrt(u.x * u.x + 2 * stored * max / p.x);
            carom_two_body_impulse(&pair, u, max, s->spare, &p);
            ++s->work;
        }
    }
    double dn = fmin(t->step, max);
    carom_two_body_impulse(&pair, u, dn, s->spare, &p);
    if (work_of(u.x, dn, p.x) > stored * (1 + RELEASE_TOLERANCE)) {
        // No frictional step was found that stays within the store: this one without friction.
        s->pairs[i].frictional = false;
        max = -u.x + sqrt(u.x * u.x + 2 * stored * pair.k.xx);
        dn = fmin(t->step, max);
    }
    p = carom_sequence_hit(s, i, u, dn);
    s->pairs[i].frictional = pair.frictional;
    t->energy[i] = dn < max ? stored - work_of(u.x, dn, p.x) : 0;
    report_step(t);
}

static const carom_option options[] = {
    { "lambda", "steps in which the fastest approach is stopped; more is finer and slower",
      CAROM_OPTION_INTEGER, 30, 1, 1e5, NULL },
    { "tolerance", "approach speeds below this fraction of the island's fastest count as none",
      CAROM_OPTION_NUMBER, 1e-9, 1e-14, 1e-2, NULL },
    { "cycles", "cycles before the rest is ended inelastically", CAROM_OPTION_INTEGER, 300, 1, 1e5,
      NULL },
    { 0 },
};

const carom_law carom_etm_law = {
    .name = "etm",
    .summary = "Energy tracking: compresses and releases in small steps, the energy booked per "
               "contact.",
    .reference = "ETM",
    .paper = "Tang, Paluszny, Zimmerman 2014, section 6",
    .number = "box flat on a floor: spin falls as 1/lambda, at most 25/lambda",
    .promises = CAROM_KIN | CAROM_MOM | CAROM_ONE | CAROM_NOP,
    .friction = true,
    .options = options,
    .usual = true,
    .resolve = resolve_etm,
};
