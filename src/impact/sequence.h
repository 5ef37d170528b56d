// What the sequential laws share: one island with its contacts as pairs, their normal speeds in a
// queue, and the feasible end for a process that has none.
#ifndef CAROM_IMPACT_SEQUENCE_H
#define CAROM_IMPACT_SEQUENCE_H

#include "base/queue.h"
#include "impact/two_body.h"

typedef struct carom_sequence {
    const carom_problem *problem;
    carom_motion *motion;
    carom_impact_report *report;
    carom_arena *scratch;
    const int *contacts; // of the island, ascending
    int count;
    carom_two_body *pairs; // one per contact of the island
    carom_queue speeds;    // keyed by normal speed, the fastest approach first
    int *local;            // contact of the problem -> place in the island; shared by all islands
    double tolerance;      // m/s: approach below this counts as none
    double kept;           // smallest share of friction used, 1 where none was cut
    bool tangential;       // given: pairs have their tangential restitution
    bool in_turn;          // hits follow the law's own order: the queue is left stale
    double spare;          // J, dissipated so far and not stored: what friction may give back
    bool frictionless;     // given: the law has no friction
    int64_t work;          // contact updates since somebody was last asked whether to go on
} carom_sequence;

// Resolves one island; the options are the law's values.
typedef carom_status (*carom_sequence_step)(carom_sequence *sequence, const double *options,
                                            carom_error *err);

// A law's function `name`: every island by `island`, approach below the option at `tolerance`
// counts as none. What follows are fields of carom_sequence that differ from zero.
#define CAROM_SEQUENCE_RESOLVE(name, island, tolerance_option, ...)                                \
    static carom_status name(const carom_problem *problem, const carom_law_options *options,       \
                             carom_arena *scratch, carom_motion *motion,                           \
                             carom_impact_report *report, carom_error *err)                        \
    {                                                                                              \
        carom_sequence sequence = { .problem = problem,                                            \
                                    .motion = motion,                                              \
                                    .report = report,                                              \
                                    .scratch = scratch,                                            \
                                    __VA_ARGS__ };                                                 \
        return carom_sequence_run(&sequence, options->value[tolerance_option], island,             \
                                  options->value, err);                                            \
    }

// Runs `step` on every island in turn with `tolerance` times the island's largest |u|, and books
// the limiter. Problem, motion, report, scratch, tangential and frictionless of `sequence` are
// given; the rest is filled.
carom_status carom_sequence_run(carom_sequence *sequence, double tolerance,
                                carom_sequence_step step, const double *options, carom_error *err);

// Changes the normal speed of pair `i` by dn, applies the impulse, refreshes the queue around it
// and books the tangential work in `spare`; the normal work is the law's to book. Returns the
// impulse.
vec3 carom_sequence_hit(carom_sequence *sequence, int i, vec3 u, double dn);

// Applies an impulse to pair `i` and refreshes the queue around it.
void carom_sequence_push(carom_sequence *sequence, int i, vec3 p);

// Whether to go on: as carom_problem_query_stop, for the work since the last query.
carom_status carom_sequence_query_stop(carom_sequence *sequence, carom_error *err);

// Hits the fastest approaching contact, again and again, until none approaches: `event` resolves
// the contact at place i. After `own` events per contact (0: 300, and as many as an elastic island
// may need) the island is finished. Counts events as sweeps and shows them to observers.
typedef carom_status (*carom_sequence_event)(carom_sequence *sequence, int i, const double *options,
                                             carom_error *err);
carom_status carom_sequence_fastest_first(carom_sequence *sequence, int own,
                                          carom_sequence_event event, const double *options,
                                          carom_error *err);

// The options `tolerance` and `events` of such laws, as table entries.
#define CAROM_SEQUENCE_OPTIONS                                                                     \
    { "tolerance",                                                                                 \
      "approach speeds below this fraction of the island's fastest count as none",                 \
      CAROM_OPTION_NUMBER,                                                                         \
      1e-9,                                                                                        \
      1e-14,                                                                                       \
      1e-2,                                                                                        \
      NULL },                                                                                      \
    {                                                                                              \
        "events",                                                                                  \
            "events per contact before the rest is ended inelastically; 0: 300, and as many as "   \
            "the masses and angles of an elastic island may need",                                 \
            CAROM_OPTION_INTEGER, 0, 0, 1e6, NULL                                                  \
    }

// Brings the queue up to date after hits with `in_turn`.
void carom_sequence_reorder(carom_sequence *sequence);

// Raises a cap on the events of the island to what its masses and angles may need (cap.h), where it
// is elastic and has an end.
carom_status carom_sequence_extend(carom_sequence *sequence, int64_t *max, carom_error *err);

// Ends the island. Where it is elastic and some contacts are locked (parallel walls), for only then
// can an elastic process go on for ever: by locked.h, which loses what no contact lets through and
// nothing else. Else by the inelastic solve on all its contacts: feasible, never gains energy. The
// report says `endless` where no motion separates all contacts at once, otherwise `capped`.
carom_status carom_sequence_finish(carom_sequence *sequence, carom_error *err);

#endif
