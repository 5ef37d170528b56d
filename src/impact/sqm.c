// Sequential impulses: the fastest approaching contact first, one at a time [ETM, appendix A].
//
// Each event reflects one contact, u_n -> -e u_n, with friction as in two_body.h; the speeds of all
// contacts of both bodies change and the next fastest is taken from a heap.
// Deviations: the sliding impulse follows eqs 54-55 (eqs 75-76 of the appendix disagree with each
// other and miss the wanted change), friction adds no energy, and the loop is bounded: after
// `events` events per contact the rest is ended by the inelastic solve (elastic islands that have
// an end go on as far as carom_cap_sweeps).
#include "impact/law.h"
#include "impact/sequence.h"

enum { TOLERANCE, EVENTS };
// Per contact; after these the island is finished, or looked at more closely.
enum { USUAL_EVENTS = 300 };

static carom_status sequence_island(carom_sequence *sequence, const double *options,
                                    carom_error *err);

CAROM_SEQUENCE_RESOLVE(resolve_sqm, sequence_island, TOLERANCE, .tangential = true)

static carom_status sequence_island(carom_sequence *sequence, const double *options,
                                    carom_error *err)
{
    const carom_problem *problem = sequence->problem;
    int own = (int)options[EVENTS];
    int64_t max = (int64_t)(own ? own : USUAL_EVENTS) * sequence->count, events = 0;
    bool extended = own > 0;
    for (; events < max || !extended; ++events) {
        if (events == max) {
            extended = true;
            TRY(carom_sequence_extend(sequence, &max, err));
            if (events == max)
                break;
        }
        int i = carom_queue_first(&sequence->speeds);
        if (sequence->speeds.key[i] >= -sequence->tolerance)
            break;
        const carom_two_body *pair = &sequence->pairs[i];
        vec3 u = carom_two_body_relative_velocity(problem, pair, sequence->motion->v);
        double e = problem->contacts[pair->contact].restitution;
        vec3 p = carom_sequence_hit(sequence, i, u, -(1 + e) * u.x);
        TRY(carom_problem_query_stop(problem, 2, err));
        sequence->spare -= 0.5 * (1 - e) * u.x * p.x; // the normal work is 1/2 (u - e u) p <= 0
        carom_problem_report(problem, (int)events + 1, (const double(*)[3])sequence->motion->p);
    }
    carom_impact_report *report = sequence->report;
    report->sweeps = events > report->sweeps ? (int)events : report->sweeps;
    return events < max ? CAROM_OK : carom_sequence_finish(sequence, err);
}

static const carom_option options[] = {
    { "tolerance", "approach speeds below this fraction of the island's fastest count as none",
      CAROM_OPTION_NUMBER, 1e-9, 1e-14, 1e-2, NULL },
    { "events",
      "events per contact before the rest is ended inelastically; 0: 300, and as many as the "
      "masses and angles of an elastic island may need",
      CAROM_OPTION_INTEGER, 0, 0, 1e6, NULL },
    { 0 },
};

const carom_law carom_sqm_law = {
    .name = "sqm",
    .summary = "Sequential impulses: the fastest approaching contact first, one at a time.",
    .reference = "ETM",
    .promises = CAROM_BRK | CAROM_KIN | CAROM_MOM | CAROM_ONE | CAROM_NOP | CAROM_WAV,
    .friction = true,
    .tangential = true,
    .options = options,
    .resolve = resolve_sqm,
};
