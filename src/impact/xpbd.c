// Extended position based dynamics for rigid bodies [XPBD, algorithm 2 and section 3.6], one
// substep at the instant of impact. The pass over positions takes every overlap that the step would
// bring out of it, contact by contact; as velocities that is one pass without bounce. The pass over
// velocities then sets every contact that touched to max(-e u-, 0), by an impulse of either sign,
// and applies friction mu times the normal impulse of the first pass. No limiter, no finish. From
// memory of the paper; checked by closed forms of three balls and of a single contact.
#include "impact/law.h"
#include "impact/problem.h"

enum { OPTION_PASSES };

// Slip is stopped as far as mu times the normal impulse of the positions allows.
static void friction(const carom_problem *problem, int i, double normal, carom_motion *motion)
{
    double most = problem->contacts[i].friction * normal, p[2];
    if (!(most > 0))
        return;
    const carom_row *t = carom_problem_tangents(problem, i);
    for (int k = 0; k < 2; ++k)
        p[k] = -carom_row_speed(&t[k], motion->v) / t[k].diagonal;
    double size = sqrt(p[0] * p[0] + p[1] * p[1]), share = size > most ? most / size : 1;
    for (int k = 0; k < 2; ++k) {
        carom_row_apply(&t[k], share * p[k], motion->v);
        motion->p[i][k + 1] += share * p[k];
    }
}

static void push(const carom_problem *problem, int i, double wanted, carom_motion *motion)
{
    const carom_row *row = &problem->normal[i];
    double p = (wanted - carom_row_speed(row, motion->v)) / row->diagonal;
    carom_row_apply(row, p, motion->v);
    motion->p[i][0] += p;
}

static carom_status resolve_xpbd(const carom_problem *problem, const carom_law_options *options,
                                 carom_arena *scratch, carom_motion *motion,
                                 carom_impact_report *report, carom_error *err)
{
    (void)scratch;
    int n = problem->contact_count, passes = (int)options->value[OPTION_PASSES];
    for (int k = 0; k < passes; ++k) {
        for (int i = 0; i < n; ++i)
            if (carom_row_speed(&problem->normal[i], motion->v) < 0)
                push(problem, i, 0, motion);
        carom_problem_report(problem, k + 1, (const double(*)[3])motion->p);
        TRY(carom_problem_query_stop(problem, n, err));
    }
    for (int i = 0; i < n; ++i) {
        double normal = motion->p[i][0];
        if (normal == 0)
            continue; // its positions were not corrected: it did not touch
        push(problem, i, fmax(-problem->contacts[i].restitution * problem->u[i], 0), motion);
        friction(problem, i, normal, motion);
    }
    report->sweeps = passes + 1;
    report->events = (int64_t)report->sweeps * n;
    return CAROM_OK;
}

static const carom_option options[] = {
    [OPTION_PASSES] = { "passes", "passes over the positions", CAROM_OPTION_INTEGER, 1, 1, 1e6,
                        NULL },
    { 0 },
};

const carom_law carom_xpbd_law = {
    .name = "xpbd",
    .summary = "Position based dynamics: positions corrected in one pass, then velocities set.",
    .reference = "XPBD",
    .paper = "Mueller, Macklin, Chentanez, Jeschke, Kim 2020, Computer Graphics Forum 39",
    .number = "cradle of 3: -1/8, 9/16, 9/16",
    .promises = CAROM_MOM,
    .friction = true,
    .options = options,
    .resolve = resolve_xpbd,
};
