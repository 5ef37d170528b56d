// Quadratic contact energy.
#include "impact/qce.h"

#include "impact/law.h"

enum { READING, THETA, TOLERANCE, SWEEPS, CONE };

static carom_status resolve(const carom_problem *problem, const carom_law_options *options,
                            carom_arena *scratch, carom_motion *motion, carom_impact_report *report,
                            carom_error *err)
{
    carom_qce_settings settings = { options->value[TOLERANCE] * problem->fastest,
                                    options->value[THETA], (int)options->value[SWEEPS] };
    carom_qce_tally tally;
    TRY(carom_qce_sweep(problem, NULL, &settings, scratch, motion, &tally, err));
    report->sweeps = tally.sweeps;
    report->events = tally.events;
    return CAROM_OK;
}

static const carom_option options[] = {
    [READING] = { "reading", "restitution below 1: as targets of an LCP, or as a convex mixture",
                  CAROM_OPTION_CHOICE, 0, 0, 1, "lcp convex" },
    [THETA] = { "theta", "contacts slower than this fraction of the fastest of their island wait",
                CAROM_OPTION_NUMBER, 1e-3, 0, 1, NULL },
    [TOLERANCE] = { "tolerance",
                    "approach speeds below this fraction of the fastest count as none",
                    CAROM_OPTION_NUMBER, 1e-9, 0, 1e-2, NULL },
    [SWEEPS] = { "sweeps", "sweeps before the finish by Poisson's rule", CAROM_OPTION_COUNT, 100,
                 0, 1e9, NULL },
    [CONE] = { "friction", "the friction bound", CAROM_OPTION_CHOICE, 0, 0, 1, "cone pyramid" },
    { 0 },
};

const carom_law carom_qce_law = {
    .name = "qce",
    .summary = "Quadratic contact energy: each contact stores and returns energy of its own.",
    .reference = "QCE",
    .promises =
        CAROM_BRK | CAROM_SYM | CAROM_KIN | CAROM_MOM | CAROM_ONE | CAROM_WAV | CAROM_NOP,
    .friction = true,
    .options = options,
    .resolve = resolve,
};
