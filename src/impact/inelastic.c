// The inelastic solve (inelastic.h) and the law of that name: restitution 0 whatever the contacts
// say, with friction [QCE, eq 19 with c = 0, and eq 21].
#include "impact/inelastic.h"

#include "impact/jacobian.h"
#include "impact/law.h"
#include "impact/complementarity.h"

static carom_status solve_part(const carom_problem *problem, const carom_contact_set *part,
                               const double *target, carom_arena *scratch, carom_twist *v,
                               double *lambda, double *residual, carom_error *err);

carom_status carom_inelastic_solve(const carom_problem *problem, const carom_contact_set *set,
                                   const double *target, carom_arena *scratch, carom_twist *v,
                                   double *lambda, double *residual, carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    carom_jacobian_parts parts;
    int *index;
    double *part_target, *part_lambda;
    // Exact parts take some n^2 steps each of n, in units of contact updates a tenth of that.
    int64_t few = set->count < CAROM_INELASTIC_RESCUE ? set->count : CAROM_INELASTIC_RESCUE;
    TRY(carom_problem_query_stop(problem, few * few, err));
    TRY(carom_jacobian_split(problem, set, scratch, &parts, err));
    TAKE(scratch, index, set->count, err);
    TAKE(scratch, part_target, set->count, err);
    TAKE(scratch, part_lambda, set->count, err);
    for (int k = 0; k < parts.count; ++k) {
        const int *position = parts.position + parts.first[k];
        int n = parts.first[k + 1] - parts.first[k];
        for (int i = 0; i < n; ++i) {
            index[i] = set->index[position[i]];
            part_target[i] = target ? target[position[i]] : 0;
        }
        carom_contact_set part = { index, n };
        TRY(solve_part(problem, &part, part_target, scratch, v, part_lambda, residual, err));
        for (int i = 0; i < n; ++i)
            lambda[position[i]] = part_lambda[i];
    }
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

static void solve_single(const carom_row *row, double target, carom_twist *v, double *lambda)
{
    *lambda = fmax(target - carom_row_speed(row, v), 0) / row->diagonal;
    if (*lambda > 0)
        carom_row_apply(row, *lambda, v);
}

static carom_status solve_part(const carom_problem *problem, const carom_contact_set *part,
                               const double *target, carom_arena *scratch, carom_twist *v,
                               double *lambda, double *residual, carom_error *err)
{
    int n = part->count;
    if (n == 1) {
        solve_single(&problem->normal[part->index[0]], target[0], v, lambda);
        return CAROM_OK;
    }
    double size = 0; // m/s, the fastest approach
    for (int i = 0; i < n; ++i) {
        lambda[i] = 0;
        size = fmax(size, target[i] - carom_row_speed(&problem->normal[part->index[i]], v));
    }
    if (!(size > 0))
        return CAROM_OK;
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    carom_jacobian jacobian;
    double *b, *slack, *y;
    TRY(carom_jacobian_build(problem, part, 1, scratch, &jacobian, err));
    TAKE(scratch, b, n, err);
    TAKE(scratch, slack, n, err);
    TAKE(scratch, y, jacobian.rows.width, err);
    for (int i = 0; i < n; ++i) {
        const carom_row *row = &problem->normal[part->index[i]];
        b[i] = jacobian.scale[i] * (target[i] - carom_row_speed(row, v));
        slack[i] =
            1e-15 * jacobian.scale[i] * (carom_jacobian_speed_terms(row, v) + fabs(target[i]));
    }
    carom_lcp_problem lcp = { .rows = jacobian.rows,
                              .b = b,
                              .slack = slack,
                              .scale = jacobian.scale,
                              .progress = carom_progress_of(problem->stop) };
    carom_lcp_report report;
    bool exact = n <= CAROM_INELASTIC_EXACT;
    if (!exact) {
        double wanted = CAROM_INELASTIC_LARGE_RESIDUAL;
        wanted = fmax(wanted, fmin(problem->slack / size, CAROM_INELASTIC_COARSEST));
        TRY(carom_lcp_large_solve(&lcp, wanted, CAROM_INELASTIC_CAP, scratch, lambda, y, &report,
                                  err));
        // minutes for a few thousand rows: not for an impact whose moment nobody knows
        exact = report.residual > wanted && n <= CAROM_INELASTIC_RESCUE && !problem->coarse;
    }
    if (exact)
        TRY(carom_lcp_solve(&lcp, scratch, lambda, y, &report, err));
    for (int i = 0; i < n; ++i)
        lambda[i] *= jacobian.scale[i];
    carom_jacobian_add(&jacobian, y, v);
    *residual = fmax(*residual, report.residual);
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

carom_status carom_inelastic_stop_approach(const carom_problem *problem,
                                           const carom_contact_set *island, double tolerance,
                                           carom_arena *scratch, carom_motion *motion, double *left,
                                           double *residual, carom_error *err)
{
    carom_problem relaxed = *problem;
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    carom_contact_set set = { NULL, 0 };
    double *lambda;
    int *index;
    unsigned char *member;
    TAKE(scratch, index, island->count, err);
    TAKE(scratch, lambda, island->count, err);
    TAKE_ZEROS(scratch, member, island->count, err);
    set.index = index;
    relaxed.slack = 0.5 * tolerance;
    double max = 0;
    for (bool grew = true; grew;) {
        grew = false;
        set.count = 0;
        max = 0;
        for (int k = 0; k < island->count; ++k) {
            double approach = -carom_row_speed(&problem->normal[island->index[k]], motion->v);
            bool late = approach > tolerance;
            max = fmax(max, approach);
            grew = grew || (late && !member[k]);
            member[k] = member[k] || late;
            if (member[k])
                index[set.count++] = island->index[k];
        }
        if (!grew)
            break;
        TRY(carom_inelastic_solve(&relaxed, &set, NULL, scratch, motion->v, lambda, residual, err));
        for (int k = 0; k < set.count; ++k)
            motion->p[index[k]][0] += lambda[k];
    }
    if (left)
        *left = max;
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

// From rest, ask for speed 1 at each contact: reached if and only if such a motion exists.
carom_status carom_inelastic_separable(const carom_problem *problem, const carom_contact_set *set,
                                       carom_arena *scratch, bool *separable, carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    carom_twist *rest;
    double *target, *lambda, residual = 0;
    TAKE_ZEROS(scratch, rest, problem->body_count, err);
    TAKE(scratch, target, set->count, err);
    TAKE(scratch, lambda, set->count, err);
    for (int i = 0; i < set->count; ++i)
        target[i] = 1;
    TRY(carom_inelastic_solve(problem, set, target, scratch, rest, lambda, &residual, err));
    *separable = residual <= CAROM_INELASTIC_STALLED;
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

enum { OPTION_FRICTION };

static carom_status resolve_inelastic(const carom_problem *problem,
                                      const carom_law_options *options, carom_arena *scratch,
                                      carom_motion *motion, carom_impact_report *report,
                                      carom_error *err)
{
    carom_complementarity wanted = { .friction = (int)options->value[OPTION_FRICTION] };
    TRY(carom_complementarity_solve(problem, &wanted, scratch, motion, report, err));
    TRY(carom_complementarity_limit(problem, &wanted, scratch, motion, report, err));
    return carom_complementarity_stop_approach(problem, scratch, motion, report, err);
}

static const carom_option options[] = { CAROM_COMPLEMENTARITY_FRICTION_OPTION, { 0 } };

const carom_law carom_inelastic_law = {
    .name = "inelastic",
    .summary = "No bounce: the nearest velocities at which no contact approaches.",
    .reference = "QCE",
    .paper = "Zhang et al. 2015, eq 19 with c = 0",
    .number = "cradle of 5, two striking: impulses 0.6, 1.2, 0.8, 0.4",
    .promises = CAROM_SYM | CAROM_KIN | CAROM_MOM | CAROM_ONE | CAROM_NOP | CAROM_RES,
    .friction = true,
    .inelastic = true,
    .options = options,
    .usual = true,
    .resolve = resolve_inelastic,
};
