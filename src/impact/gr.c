// Generalized reflections (Smith et al. 2012, as in [QCE, section 2]): reflect at all violated
// contacts at once, and again, until none is violated:
//
//     repeat  V = {i : u_i < -tol};  lam_V = 2 LCP(W_VV, u_V);  v += M^-1 J^T lam
//
// 2 LCP(W, u) is the LCP with the wanted speeds -u. Each reflection keeps the energy exactly. Where
// some x has J x > 0 the process ends after finitely many sweeps; a ball between parallel walls has
// none and never ends: at the cap the contacts that no motion opens are stopped, and the
// reflections go on to an end that is proved (locked.h). Where that cannot be (too many contacts,
// driven walls) the rest is finished by one more reflection on all contacts and an inelastic solve
// (Poisson's rule), which keeps KIN, MOM, ONE, SYM and lets nothing penetrate.
//
// Restitution c < 1: the elastic result v_c is the prediction, and 0 <= lam _|_ J v - c J v_c >= 0
// the law [QCE, eq 19], with c per contact; the limiter serves islands with different c.
#include "impact/gr.h"

#include "impact/cap.h"
#include "impact/law.h"
#include "impact/complementarity.h"
#include "impact/locked.h"

// After these the islands are finished, or looked at more closely. Larger islands than EXTENDED
// contacts are finished: each reflection is a complementarity problem.
enum { USUAL_SWEEPS = 1000, EXTENDED = 64 };

typedef struct reflection {
    const carom_problem *problem;
    carom_motion *motion;
    carom_arena *scratch;
    int live_count, *live; // islands not yet settled
    double *tolerance;     // m/s per island
    int *index;            // V
    double *target, *lambda;
} reflection;

static carom_status restitute(const carom_problem *problem, carom_arena *scratch,
                              carom_motion *motion, carom_impact_report *report, carom_error *err);
static carom_status reflection_init(reflection *r, double tolerance, carom_error *err);
static carom_contact_set violated(reflection *r);
static carom_status reflect(reflection *r, const carom_contact_set *set, bool bounce,
                            carom_impact_report *report, carom_error *err);
static carom_status finish(reflection *r, carom_impact_report *report, carom_error *err);
static carom_status extend(reflection *r, int *cap, carom_error *err);
static carom_status has_no_end(reflection *r, int island, bool *endless, carom_error *err);

static carom_status resolve_gr(const carom_problem *problem, const carom_law_options *options,
                               carom_arena *scratch, carom_motion *motion,
                               carom_impact_report *report, carom_error *err)
{
    carom_gr_settings settings = CAROM_GR_SETTINGS(options);
    TRY(carom_gr_reflect(problem, &settings, scratch, motion, report, err));
    for (int i = 0; i < problem->contact_count; ++i)
        if (problem->contacts[i].restitution < 1)
            return restitute(problem, scratch, motion, report, err);
    return CAROM_OK;
}

carom_status carom_gr_reflect(const carom_problem *problem, const carom_gr_settings *settings,
                              carom_arena *scratch, carom_motion *motion,
                              carom_impact_report *report, carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    reflection r = { .problem = problem, .motion = motion, .scratch = scratch };
    int own = settings->sweeps, cap = own ? own : USUAL_SWEEPS;
    bool extended = false;
    TRY(reflection_init(&r, settings->tolerance, err));
    for (;;) {
        carom_contact_set set = violated(&r);
        if (set.count == 0)
            break;
        if (report->sweeps >= cap && !extended) {
            extended = true;
            if (own == 0)
                TRY(extend(&r, &cap, err));
        }
        if (report->sweeps >= cap) {
            TRY(finish(&r, report, err));
            break;
        }
        TRY(reflect(&r, &set, true, report, err));
        TRY(carom_problem_query_stop(problem, set.count, err));
        ++report->sweeps;
        carom_problem_report(problem, report->sweeps, (const double(*)[3])motion->p);
    }
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

static carom_status reflection_init(reflection *r, double tolerance, carom_error *err)
{
    const carom_problem *problem = r->problem;
    TAKE(r->scratch, r->live, problem->island_count, err);
    TAKE(r->scratch, r->tolerance, problem->island_count, err);
    TAKE(r->scratch, r->index, problem->contact_count, err);
    TAKE(r->scratch, r->target, problem->contact_count, err);
    TAKE(r->scratch, r->lambda, problem->contact_count, err);
    r->live_count = problem->island_count;
    for (int k = 0; k < problem->island_count; ++k) {
        double fastest = 0;
        for (int i = problem->first_island[k]; i < problem->first_island[k + 1]; ++i)
            fastest = fmax(fastest, fabs(problem->u[problem->island_contacts[i]]));
        r->live[k] = k;
        r->tolerance[k] = tolerance * fastest;
    }
    return CAROM_OK;
}

// V of all islands that are not settled; forgets those that are. Targets become -u.
static carom_contact_set violated(reflection *r)
{
    const carom_problem *problem = r->problem;
    int count = 0, live = 0;
    for (int l = 0; l < r->live_count; ++l) {
        int k = r->live[l], start = count;
        for (int i = problem->first_island[k]; i < problem->first_island[k + 1]; ++i) {
            int contact = problem->island_contacts[i];
            double u = carom_problem_speed(problem, contact, r->motion->v);
            if (u < -r->tolerance[k]) {
                r->index[count] = contact;
                r->target[count++] = -u;
            }
        }
        if (count > start)
            r->live[live++] = k;
    }
    r->live_count = live;
    return (carom_contact_set){ r->index, count };
}

static carom_status reflect(reflection *r, const carom_contact_set *set, bool bounce,
                            carom_impact_report *report, carom_error *err)
{
    TRY(carom_inelastic_solve(r->problem, set, bounce ? r->target : NULL, r->scratch, r->motion->v,
                              r->lambda, &report->solver_residual, err));
    for (int i = 0; i < set->count; ++i)
        r->motion->p[set->index[i]][0] += r->lambda[i];
    report->events += set->count;
    return CAROM_OK;
}

// Every island still alive: the locked contacts, or one reflection on all its contacts and then the
// inelastic solve.
static carom_status finish(reflection *r, carom_impact_report *report, carom_error *err)
{
    for (int l = 0; l < r->live_count; ++l) {
        carom_contact_set all = carom_inelastic_island(r->problem, r->live[l]);
        bool endless = false, ended = false;
        TRY(carom_locked_finish(r->problem, &all, r->tolerance[r->live[l]], r->scratch, r->motion,
                                report, &ended, err));
        if (ended)
            continue;
        TRY(has_no_end(r, r->live[l], &endless, err));
        carom_impact_end end = endless ? CAROM_IMPACT_ENDLESS : CAROM_IMPACT_CAPPED;
        report->end = end > report->end ? end : report->end;
        for (int i = 0; i < all.count; ++i)
            r->target[i] = -carom_row_speed(&r->problem->normal[all.index[i]], r->motion->v);
        TRY(reflect(r, &all, true, report, err));
        TRY(reflect(r, &all, false, report, err));
    }
    return CAROM_OK;
}

// Elastic islands that have an end may need more reflections than usual: the largest number of them
// becomes the cap, where all islands alive are such.
static carom_status extend(reflection *r, int *cap, carom_error *err)
{
    int max = 0;
    for (int l = 0; l < r->live_count; ++l) {
        carom_contact_set set = carom_inelastic_island(r->problem, r->live[l]);
        bool endless = false;
        TRY(has_no_end(r, r->live[l], &endless, err));
        if (endless || set.count > EXTENDED || !carom_cap_elastic(r->problem, &set, true))
            return CAROM_OK;
        int sweeps = carom_cap_sweeps(r->problem, &set);
        max = sweeps > max ? sweeps : max;
    }
    *cap = max > *cap ? max : *cap;
    return CAROM_OK;
}

// No motion opens all contacts of the island.
static carom_status has_no_end(reflection *r, int island, bool *endless, carom_error *err)
{
    enum { ASK_MAX = 400 };
    carom_contact_set set = carom_inelastic_island(r->problem, island);
    if (set.count > ASK_MAX)
        return CAROM_OK; // too dear to ask: reported as capped
    bool separable = false;
    TRY(carom_inelastic_separable(r->problem, &set, r->scratch, &separable, err));
    *endless = !separable;
    return CAROM_OK;
}

static carom_status restitute(const carom_problem *problem, carom_arena *scratch,
                              carom_motion *motion, carom_impact_report *report, carom_error *err)
{
    int n = problem->contact_count, sweeps = report->sweeps;
    double *target;
    TAKE(scratch, target, n, err);
    for (int i = 0; i < n; ++i) {
        double wanted = fmax(carom_problem_speed(problem, i, motion->v), 0);
        target[i] = problem->contacts[i].restitution * wanted;
    }
    carom_motion slow;
    TRY(carom_problem_begin_motion(problem, scratch, &slow, err));
    carom_complementarity inelastic = { .friction = CAROM_FRICTION_NONE };
    carom_complementarity bounce = { .friction = CAROM_FRICTION_NONE, .target = target };
    TRY(carom_complementarity_solve(problem, &bounce, scratch, &slow, report, err));
    TRY(carom_complementarity_limit(problem, &inelastic, scratch, &slow, report, err));
    TRY(carom_complementarity_stop_approach(problem, scratch, &slow, report, err));
    report->sweeps = sweeps;
    carom_problem_copy_motion(problem, &slow, motion);
    return CAROM_OK;
}

static const carom_option options[] = { CAROM_GR_OPTIONS, { 0 } };

const carom_law carom_gr_law = {
    .name = "gr",
    .summary = "Generalized reflections: all violated contacts at once, until none is left.",
    .reference = "QCE",
    .paper = "Smith, Kaufman, Vouga, Tamstorf, Grinspun 2012, ACM Transactions on Graphics 31",
    .number = "pool break: corner balls 0.5117753190, 0.2954736180",
    .promises = CAROM_BRK | CAROM_SYM | CAROM_KIN | CAROM_MOM | CAROM_ONE | CAROM_NOP | CAROM_RES,
    .options = options,
    .usual = true,
    .resolve = resolve_gr,
};
