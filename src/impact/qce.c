// The law `qce`: quadratic contact energy with restitution and friction [QCE, sections 3 and 4].
//
// Sweeps (qce_sweep.c) give the elastic frictionless velocities v_c and impulses lam_c. Restitution
// c between 0 and 1 has two readings; lam_l is the inelastic impulse:
//   lcp     0 <= lam _|_ W lam + u >= c J v_c      [QCE, eq 19]
//   convex  lam = (1 - c) lam_l + c lam_c          [QCE, eq 24]
// The appendix of the paper calls them the same; they are only where every contact with lam_c > 0
// has J v_l = 0. Both keep energy, momentum and one-sidedness for one c; with different c per
// contact neither does, and the limiter takes out what is gained. Both are put as wanted normal
// speeds to the stage with friction [QCE, eq 21]; the claim there that friction keeps the energy
// bounded is false, and the limiter covers that as well.
#include "impact/qce.h"

#include "impact/cap.h"
#include "impact/friction.h"
#include "impact/law.h"
#include "impact/complementarity.h"

enum { READING, THETA, TOLERANCE, SWEEPS, FRICTION };
enum { LCP, CONVEX };
// After these the island is finished, or looked at more closely.
enum { USUAL_SWEEPS = 100 };

// How the islands split: elastic frictionless ones are done after the sweeps, others need a stage,
// for which those without any restitution need no sweeps.
typedef struct split {
    bool *solved;  // per contact: its island needs the stage
    int *bouncing; // contacts of islands with some restitution
    int *coarse;   // those of islands that the stage solves by sweeps
    int bounce_count, coarse_count, solve_count;
} split;

static carom_status split_islands(const carom_problem *problem, carom_arena *scratch, split *parts,
                                  carom_error *err);
static carom_status bounce_coarse(const carom_problem *problem, const split *parts,
                                  carom_qce_settings settings, carom_arena *scratch,
                                  carom_motion *bounce, carom_impact_report *report,
                                  carom_error *err);
static carom_status wanted_speeds(const carom_problem *problem, bool convex,
                                  const carom_motion *elastic, carom_arena *scratch, double *target,
                                  carom_impact_report *report, carom_error *err);
static void copy_elastic(const carom_problem *problem, const split *parts,
                         const carom_motion *elastic, carom_motion *motion);
static carom_status go_on(const carom_problem *problem, const carom_contact_set *set,
                          const carom_qce_settings *settings, carom_arena *scratch,
                          carom_motion *motion, carom_impact_report *report, bool *closed,
                          carom_error *err);
static carom_status finish_island(const carom_problem *problem, const carom_contact_set *set,
                                  bool endless, carom_arena *scratch, carom_motion *motion,
                                  carom_impact_report *report, carom_error *err);

// e of [QCE, section 5.4]: what the sweeps made of the kinetic energy, beyond the work of driven
// bodies.
static double elastic_error(const carom_problem *problem, const carom_motion *motion, double before)
{
    double work = 0;
    for (int i = 0; i < problem->contact_count; ++i)
        if (problem->still[i])
            work += carom_row_driven_work(&problem->normal[i], motion->p[i][0], motion->v);
    double after = carom_problem_energy(problem, motion->v);
    return before > 0 ? fabs(after - before - work) / before : -1;
}

static carom_status resolve_qce(const carom_problem *problem, const carom_law_options *options,
                                carom_arena *scratch, carom_motion *motion,
                                carom_impact_report *report, carom_error *err)
{
    int sweeps = (int)options->value[SWEEPS];
    carom_qce_settings settings = { .tolerance = options->value[TOLERANCE] * problem->fastest,
                                    .theta = options->value[THETA],
                                    .sweeps = sweeps ? sweeps : USUAL_SWEEPS,
                                    .extended = sweeps == 0 };
    split parts;
    TRY(split_islands(problem, scratch, &parts, err));
    double before = report->energy_before;
    if (parts.solve_count == 0) {
        TRY(carom_qce_settle(problem, NULL, &settings, scratch, motion, report, err));
        report->elastic_error = elastic_error(problem, motion, before);
        return CAROM_OK;
    }

    carom_motion elastic;
    double *target, *start;
    TAKE(scratch, target, problem->contact_count, err);
    TAKE(scratch, start, problem->contact_count, err);
    TRY(carom_problem_begin_motion(problem, scratch, &elastic, err));
    carom_contact_set bouncing = { parts.bouncing, parts.bounce_count };
    TRY(carom_qce_settle(problem, &bouncing, &settings, scratch, &elastic, report, err));
    TRY(bounce_coarse(problem, &parts, settings, scratch, &elastic, report, err));
    if (parts.bounce_count > 0)
        report->elastic_error = elastic_error(problem, &elastic, before);
    carom_impact_report swept = *report;

    TRY(wanted_speeds(problem, options->value[READING] == CONVEX, &elastic, scratch, target, report,
                      err));
    copy_elastic(problem, &parts, &elastic, motion);
    for (int i = 0; i < problem->contact_count; ++i) // exact where contacts are alone
        start[i] = 0.5 * (1 + problem->contacts[i].restitution) * elastic.p[i][0];
    carom_complementarity inelastic = { .friction = (int)options->value[FRICTION] },
                          bounce = inelastic;
    bounce.tangential = true;
    bounce.target = target;
    bounce.start = start;
    bounce.member = parts.solved;
    TRY(carom_complementarity_solve(problem, &bounce, scratch, motion, report, err));
    TRY(carom_complementarity_limit(problem, &inelastic, scratch, motion, report, err));
    TRY(carom_complementarity_stop_approach(problem, scratch, motion, report, err));
    report->sweeps = swept.sweeps; // those of QCE, not iterations of the stage
    report->end = swept.end > report->end ? swept.end : report->end;
    return CAROM_OK;
}

// Wanted speeds that sweeps reach only to the problem's accuracy need no more of the elastic ones,
// and no end either where the cap comes first.
static carom_status bounce_coarse(const carom_problem *problem, const split *parts,
                                  carom_qce_settings settings, carom_arena *scratch,
                                  carom_motion *bounce, carom_impact_report *report,
                                  carom_error *err)
{
    carom_contact_set coarse = { parts->coarse, parts->coarse_count };
    carom_qce_tally tally;
    if (coarse.count == 0)
        return CAROM_OK;
    settings.tolerance = fmax(settings.tolerance, problem->accuracy * problem->fastest);
    TRY(carom_qce_sweep(problem, &coarse, &settings, scratch, bounce, &tally, err));
    report->sweeps = tally.sweeps > report->sweeps ? tally.sweeps : report->sweeps;
    report->events += tally.events;
    return CAROM_OK;
}

static carom_status split_islands(const carom_problem *problem, carom_arena *scratch, split *parts,
                                  carom_error *err)
{
    *parts = (split){ 0 };
    TAKE(scratch, parts->solved, problem->contact_count, err);
    TAKE(scratch, parts->bouncing, problem->contact_count, err);
    TAKE(scratch, parts->coarse, problem->contact_count, err);
    for (int k = 0; k < problem->island_count; ++k) {
        carom_contact_set set = carom_inelastic_island(problem, k);
        bool elastic = !problem->tangent || !carom_friction_needed(problem, &set);
        bool bounces = false;
        for (int i = 0; i < set.count; ++i) {
            double c = problem->contacts[set.index[i]].restitution;
            elastic = elastic && c == 1;
            bounces = bounces || c > 0;
        }
        for (int i = 0; i < set.count; ++i) {
            parts->solved[set.index[i]] = !elastic;
            parts->solve_count += !elastic;
            if (bounces && !elastic && carom_complementarity_sweeps(problem, set.count))
                parts->coarse[parts->coarse_count++] = set.index[i];
            else if (bounces)
                parts->bouncing[parts->bounce_count++] = set.index[i];
        }
    }
    return CAROM_OK;
}

// Normal speeds for the stage: c J v_c, or those of the mixture (which approach nowhere for one c;
// with different c what would approach is stopped).
static carom_status wanted_speeds(const carom_problem *problem, bool convex,
                                  const carom_motion *elastic, carom_arena *scratch, double *target,
                                  carom_impact_report *report, carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    carom_motion mixed = *elastic;
    if (convex) {
        carom_motion reference;
        carom_complementarity inelastic = { 0 };
        TRY(carom_problem_begin_motion(problem, scratch, &reference, err));
        TRY(carom_complementarity_solve(problem, &inelastic, scratch, &reference, report, err));
        TRY(carom_problem_begin_motion(problem, scratch, &mixed, err));
        for (int i = 0; i < problem->contact_count; ++i) {
            double c = problem->contacts[i].restitution;
            carom_row_apply(&problem->normal[i], (1 - c) * reference.p[i][0] + c * elastic->p[i][0],
                            mixed.v);
        }
    }
    for (int i = 0; i < problem->contact_count; ++i) {
        double u = carom_problem_speed(problem, i, mixed.v);
        target[i] = u <= 0 ? 0 : convex ? u : problem->contacts[i].restitution * u;
    }
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

static void copy_elastic(const carom_problem *problem, const split *parts,
                         const carom_motion *elastic, carom_motion *motion)
{
    for (int i = 0; i < problem->contact_count; ++i) {
        if (parts->solved[i])
            continue;
        const carom_row *row = &problem->normal[i];
        motion->v[row->a] = elastic->v[row->a];
        motion->v[row->b] = elastic->v[row->b];
        motion->p[i][0] = elastic->p[i][0];
    }
}

carom_status carom_qce_settle(const carom_problem *problem, const carom_contact_set *set,
                              const carom_qce_settings *settings, carom_arena *scratch,
                              carom_motion *motion, carom_impact_report *report, carom_error *err)
{
    carom_qce_tally tally;
    TRY(carom_qce_sweep(problem, set, settings, scratch, motion, &tally, err));
    report->sweeps = tally.sweeps > report->sweeps ? tally.sweeps : report->sweeps;
    report->events += tally.events;
    if (tally.open == 0)
        return CAROM_OK;

    carom_arena_mark mark = carom_arena_mark_here(scratch);
    bool *member = NULL;
    if (set) {
        TAKE_ZEROS(scratch, member, problem->contact_count, err);
        for (int i = 0; i < set->count; ++i)
            member[set->index[i]] = true;
    }
    for (int k = 0; k < problem->island_count; ++k) {
        carom_contact_set island = carom_inelastic_island(problem, k);
        bool open = false;
        for (int i = 0; i < island.count && (!member || member[island.index[0]]); ++i) {
            double u = carom_problem_speed(problem, island.index[i], motion->v);
            open = open || u < -settings->tolerance;
        }
        bool endless = false, closed = !open;
        if (open)
            TRY(carom_qce_endless(problem, &island, scratch, &endless, err));
        if (open && settings->extended && !endless)
            TRY(go_on(problem, &island, settings, scratch, motion, report, &closed, err));
        if (!closed)
            TRY(finish_island(problem, &island, endless, scratch, motion, report, err));
    }
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

// An elastic island that the cap has ended gets as many sweeps as its masses and angles may need:
// what the finish would lose is not the law's to lose.
static carom_status go_on(const carom_problem *problem, const carom_contact_set *set,
                          const carom_qce_settings *settings, carom_arena *scratch,
                          carom_motion *motion, carom_impact_report *report, bool *closed,
                          carom_error *err)
{
    carom_qce_settings more = *settings;
    carom_qce_tally tally;
    more.sweeps = carom_cap_sweeps(problem, set) - settings->sweeps;
    if (more.sweeps <= 0 || !carom_cap_elastic(problem, set, false))
        return CAROM_OK;
    TRY(carom_qce_sweep(problem, set, &more, scratch, motion, &tally, err));
    int sweeps = settings->sweeps + tally.sweeps;
    report->sweeps = sweeps > report->sweeps ? sweeps : report->sweeps;
    report->events += tally.events;
    *closed = tally.open == 0;
    return CAROM_OK;
}

static carom_status finish_island(const carom_problem *problem, const carom_contact_set *set,
                                  bool endless, carom_arena *scratch, carom_motion *motion,
                                  carom_impact_report *report, carom_error *err)
{
    double *lambda, residual = 0;
    TAKE(scratch, lambda, set->count, err);
    carom_impact_end end = endless ? CAROM_IMPACT_ENDLESS : CAROM_IMPACT_CAPPED;
    for (int part = 0; part < 2; ++part) {
        TRY(carom_inelastic_solve(problem, set, NULL, scratch, motion->v, lambda, &residual, err));
        for (int i = 0; i < set->count; ++i) {
            motion->p[set->index[i]][0] += part == 0 ? 2 * lambda[i] : lambda[i];
            if (part == 0)
                carom_row_apply(&problem->normal[set->index[i]], lambda[i], motion->v);
        }
    }
    if (residual > CAROM_INELASTIC_STALLED)
        end = CAROM_IMPACT_STALLED;
    report->solver_residual = fmax(report->solver_residual, residual);
    report->end = end > report->end ? end : report->end;
    return CAROM_OK;
}

static const carom_option options[] = {
    [READING] = { "reading", "restitution below 1: wanted speeds (lcp) or mixed impulses (convex)",
                  CAROM_OPTION_CHOICE, LCP, LCP, CONVEX, "lcp convex" },
    [THETA] = { "theta", "contacts slower than this fraction of their group's fastest wait a sweep",
                CAROM_OPTION_NUMBER, 1e-3, 0, 1, NULL },
    [TOLERANCE] = { "tolerance", "approach speeds below this fraction of the fastest count as none",
                    CAROM_OPTION_NUMBER, 1e-9, 0, 1e-2, NULL },
    [SWEEPS] = { "sweeps",
                 "sweeps before the finish by Poisson's rule; 0: 100, and as many as the masses "
                 "and angles of an elastic island may need",
                 CAROM_OPTION_INTEGER, 0, 0, 1e9, NULL },
    [FRICTION] = CAROM_COMPLEMENTARITY_FRICTION_OPTION,
    { 0 },
};

const carom_law carom_qce_law = {
    .name = "qce",
    .summary =
        "Quadratic contact energy: contacts push in proportion to their approach until each has "
        "given back its energy, sweep after sweep.",
    .reference = "QCE",
    .paper = "Zhang, Li, Manocha, Wang, Sun 2015, Computer Graphics Forum",
    .number = "three balls, 0.5 against -1: -1.0458195363, 0.2124862029, 1/3",
    .promises = CAROM_BRK | CAROM_SYM | CAROM_KIN | CAROM_MOM | CAROM_ONE | CAROM_WAV | CAROM_NOP,
    .friction = true,
    .tangential = true,
    .options = options,
    .usual = true,
    .resolve = resolve_qce,
};
