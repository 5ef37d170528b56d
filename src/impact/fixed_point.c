// Pair collisions in list order, pass after pass, until a pass finds none [EC, section 6, eqs 16,
// 17]. In one dimension this is the dispersion-free solution: collisions travel to the free ends.
//
// The contacts taking part are those where the inelastic solve shows an impulse; when the passes
// have come to rest and a contact outside that set approaches, the set is found anew. Frictionless.
// Deviations: the paper's one dimension becomes normal speeds at contacts; "converges for partly
// elastic" holds in the limit only, so approach below a tolerance counts as none; the passes are
// bounded (the iteration never ends between two walls) and the rest is ended by the inelastic
// solve.
#include "impact/inelastic.h"
#include "impact/law.h"
#include "impact/sequence.h"

enum { TOLERANCE, PASSES };
// After these the island is finished, or looked at more closely.
enum { USUAL_PASSES = 1000 };

// The contacts of an island that take part, as positions in the island.
typedef struct party {
    int *members;
    int count;
} party;

static carom_status pass_over_island(carom_sequence *sequence, const double *options,
                                     carom_error *err);
static carom_status find_party(carom_sequence *sequence, party *who, carom_error *err);
static carom_status collide(carom_sequence *sequence, const party *who, int cap, int *passes,
                            carom_error *err);
static bool approaching(const carom_sequence *sequence);

CAROM_SEQUENCE_RESOLVE(resolve_fixed_point, pass_over_island, TOLERANCE, .frictionless = true)

// Each round either ends with nothing approaching or spends at least one pass, so the rounds are
// bounded by the cap too.
static carom_status pass_over_island(carom_sequence *sequence, const double *options,
                                     carom_error *err)
{
    int own = (int)options[PASSES], cap = own ? own : USUAL_PASSES, passes = 0;
    party who = { 0 };
    TAKE(sequence->scratch, who.members, sequence->count, err);
    for (int part = 0; part < (own ? 1 : 2); ++part) {
        int64_t max = (int64_t)cap * sequence->count;
        if (part == 1 && approaching(sequence))
            TRY(carom_sequence_extend(sequence, &max, err));
        cap = (int)(max / sequence->count);
        while (approaching(sequence) && passes < cap) {
            TRY(find_party(sequence, &who, err));
            TRY(collide(sequence, &who, cap, &passes, err));
        }
    }
    carom_impact_report *report = sequence->report;
    report->sweeps = passes > report->sweeps ? passes : report->sweeps;
    return approaching(sequence) ? carom_sequence_finish(sequence, err) : CAROM_OK;
}

static double speed(const carom_sequence *sequence, int i)
{
    return carom_row_speed(&sequence->problem->normal[sequence->contacts[i]], sequence->motion->v);
}

static bool approaching(const carom_sequence *sequence)
{
    for (int i = 0; i < sequence->count; ++i)
        if (speed(sequence, i) < -sequence->tolerance)
            return true;
    return false;
}

// [EC, section 6]: "inspecting the solution we know at which contacts impacts occurred".
static carom_status find_party(carom_sequence *sequence, party *who, carom_error *err)
{
    const carom_problem *problem = sequence->problem;
    carom_contact_set set = { sequence->contacts, sequence->count };
    carom_arena_mark mark = carom_arena_mark_here(sequence->scratch);
    carom_twist *trial;
    double *lambda, residual = 0;
    TAKE(sequence->scratch, trial, problem->body_count, err);
    TAKE(sequence->scratch, lambda, sequence->count, err);
    for (int i = 0; i < problem->body_count; ++i)
        trial[i] = sequence->motion->v[i];
    TRY(carom_inelastic_solve(problem, &set, NULL, sequence->scratch, trial, lambda, &residual,
                              err));
    who->count = 0;
    for (int i = 0; i < sequence->count; ++i)
        if (lambda[i] * sequence->pairs[i].k.xx > sequence->tolerance ||
            speed(sequence, i) < -sequence->tolerance)
            who->members[who->count++] = i;
    sequence->report->solver_residual = fmax(sequence->report->solver_residual, residual);
    carom_arena_rewind(sequence->scratch, mark);
    return CAROM_OK;
}

// [EC eq 17]: one f after the other until a pass changes nothing, or up to the cap of all passes.
static carom_status collide(carom_sequence *sequence, const party *who, int cap, int *passes,
                            carom_error *err)
{
    const carom_problem *problem = sequence->problem;
    while (*passes < cap) {
        int hits = 0;
        for (int k = 0; k < who->count; ++k) {
            int i = who->members[k], contact = sequence->contacts[i];
            double u = speed(sequence, i);
            if (u >= -sequence->tolerance)
                continue;
            double p = -(1 + problem->contacts[contact].restitution) * u / sequence->pairs[i].k.xx;
            carom_row_apply(&problem->normal[contact], p, sequence->motion->v);
            sequence->motion->p[contact][0] += p;
            ++hits;
        }
        sequence->report->events += hits;
        if (hits == 0)
            return CAROM_OK;
        ++*passes;
        TRY(carom_problem_query_stop(problem, who->count + 1, err));
        carom_problem_report(problem, *passes, (const double(*)[3])sequence->motion->p);
    }
    return CAROM_OK;
}

static const carom_option options[] = {
    { "tolerance", "approach speeds below this fraction of the island's fastest count as none",
      CAROM_OPTION_NUMBER, 1e-9, 1e-14, 1e-2, NULL },
    { "passes",
      "passes before the rest is ended inelastically; 0: 1000, and as many as the masses and "
      "angles of an elastic island may need",
      CAROM_OPTION_INTEGER, 0, 0, 1e6, NULL },
    { 0 },
};

const carom_law carom_fixed_point_law = {
    .name = "fixed-point",
    .summary = "Pair collisions in list order, pass after pass: no dispersion in one dimension.",
    .reference = "EC",
    .paper = "Preclik, Ruede 2010, section 6",
    .number = "cradles of 3 to 10 balls, any number striking: as many leave",
    .promises = CAROM_BRK | CAROM_KIN | CAROM_MOM | CAROM_ONE | CAROM_NOP | CAROM_WAV | CAROM_RES,
    .options = options,
    .usual = true,
    .resolve = resolve_fixed_point,
};
