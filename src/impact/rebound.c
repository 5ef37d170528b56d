// One pass of restitution after relaxation, as in Box2D from version 3 on and in Box3D: sequential
// impulses without bounce relax all contacts; then every contact that approached and got pressed is
// moved once, in its order, to -e times its speed before. What that pass makes approach stays so: a
// cradle of three balls ends at -1/6, 5/6, 1/3. No limiter, no finish: it stands for the engines as
// they are. Substeps and soft constraints, which an instant does not have, are left out. From
// memory of Box2D's solver; checked by closed forms of three balls and of a single contact.
#include "impact/gauss_seidel.h"
#include "impact/law.h"

enum { OPTION_ITERATIONS, OPTION_THRESHOLD };

static carom_status resolve_rebound(const carom_problem *problem, const carom_law_options *options,
                                    carom_arena *scratch, carom_motion *motion,
                                    carom_impact_report *report, carom_error *err)
{
    carom_contact_set all;
    double *target;
    int iterations = (int)options->value[OPTION_ITERATIONS];
    TRY(carom_gauss_seidel_all(problem, scratch, &all, err));
    TAKE(scratch, target, problem->contact_count, err);
    for (int k = 0; k < iterations; ++k) {
        carom_gauss_seidel_normals(problem, &all, NULL, 1, motion);
        carom_gauss_seidel_tangents(problem, &all, motion);
        carom_problem_report(problem, k + 1, (const double(*)[3])motion->p);
        TRY(carom_problem_query_stop(problem, all.count, err));
    }
    for (int i = 0; i < problem->contact_count; ++i) {
        double e = problem->contacts[i].restitution;
        bool struck = problem->u[i] < 0 && -problem->u[i] >= options->value[OPTION_THRESHOLD];
        if (!struck || e == 0 || motion->p[i][0] == 0)
            continue;
        carom_contact_set one = { &all.index[i], 1 };
        target[i] = -e * problem->u[i];
        carom_gauss_seidel_normals(problem, &one, target, 1, motion);
        carom_gauss_seidel_tangents(problem, &one, motion); // within what is left of its impulse
    }
    report->sweeps = iterations + 1;
    report->events = (int64_t)report->sweeps * all.count;
    return CAROM_OK;
}

static const carom_option options[] = {
    [OPTION_ITERATIONS] = { "iterations", "passes of relaxation", CAROM_OPTION_INTEGER, 8, 1, 1e7,
                            NULL },
    [OPTION_THRESHOLD] = { "threshold", "approach below this does not bounce, m/s (Box2D 1)",
                           CAROM_OPTION_NUMBER, 0, 0, 1e9, NULL },
    { 0 },
};

const carom_law carom_rebound_law = {
    .name = "rebound",
    .summary = "Box2D and Box3D: relaxation without bounce, then one pass of restitution.",
    .reference = "Catto",
    .paper = "Catto; Box2D from version 3 on, Box3D",
    .number = "cradle of 3, relaxed: -1/6, 5/6, 1/3",
    .promises = CAROM_MOM | CAROM_ONE,
    .friction = true,
    .options = options,
    .resolve = resolve_rebound,
};
