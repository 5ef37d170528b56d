// Sequential impulses as in Bullet, ODE (quick step), Jolt and Box2D up to version 2 [Catto]: every
// approaching contact is to leave with -e times its speed before, and a fixed number of passes of
// projected Gauss-Seidel goes over normals, then friction. What is left after these is left. No
// limiter, no finish: it stands for the engines as they are. With many passes and without friction
// it tends to the complementarity problem with the targets max(-e u, 0), which is what ODE's exact
// step solves; these targets cure newton's penetration and may gain energy. From memory of these
// engines; checked against Bullet and ODE themselves.
#include "impact/gauss_seidel.h"
#include "impact/law.h"

enum { OPTION_ITERATIONS, OPTION_RELAXATION, OPTION_THRESHOLD };

static carom_status resolve_impulses(const carom_problem *problem, const carom_law_options *options,
                                     carom_arena *scratch, carom_motion *motion,
                                     carom_impact_report *report, carom_error *err)
{
    carom_contact_set all;
    double *target, threshold = options->value[OPTION_THRESHOLD];
    int iterations = (int)options->value[OPTION_ITERATIONS];
    TRY(carom_gauss_seidel_all(problem, scratch, &all, err));
    TAKE(scratch, target, problem->contact_count, err);
    for (int i = 0; i < problem->contact_count; ++i) {
        double u = problem->u[i];
        target[i] = u < 0 && -u >= threshold ? -problem->contacts[i].restitution * u : 0;
    }
    for (int k = 0; k < iterations; ++k) {
        double change = carom_gauss_seidel_normals(problem, &all, target,
                                                   options->value[OPTION_RELAXATION], motion);
        carom_gauss_seidel_tangents(problem, &all, motion);
        carom_problem_report(problem, k + 1, (const double(*)[3])motion->p);
        TRY(carom_problem_query_stop(problem, all.count, err));
        report->sweeps = k + 1;
        report->events += all.count;
        if (change == 0)
            break;
    }
    return CAROM_OK;
}

static const carom_option options[] = {
    [OPTION_ITERATIONS] = { "iterations", "passes over all contacts (Bullet 10, ODE 20, Jolt 10)",
                            CAROM_OPTION_INTEGER, 10, 1, 1e7, NULL },
    [OPTION_RELAXATION] = { "relaxation", "of every step along a normal (ODE 1.3)",
                            CAROM_OPTION_NUMBER, 1, 0.01, 1.99, NULL },
    [OPTION_THRESHOLD] = { "threshold",
                           "approach below this does not bounce, m/s (Bullet 0.2, Jolt 1)",
                           CAROM_OPTION_NUMBER, 0, 0, 1e9, NULL },
    { 0 },
};

const carom_law carom_impulses_law = {
    .name = "impulses",
    .summary = "Sequential impulses of Bullet, ODE, Jolt: n passes towards -e times each approach.",
    .reference = "Catto",
    .paper = "Catto 2005, Game Developers Conference; Bullet, ODE, Jolt",
    .number = "cradle and rack: 1e-6 of Bullet 3.24 and of ODE 0.16",
    .promises = CAROM_MOM | CAROM_ONE,
    .friction = true,
    .options = options,
    .usual = true,
    .resolve = resolve_impulses,
};
