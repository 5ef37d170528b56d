// Contacts that no motion can open; see locked.h.
//
// Who is locked: ask for speed 1 at every contact. Where no motion has it the exact solve names
// contacts whose pushes are in balance; they are locked. Ask again with exactly 0 at those: an
// answer without a motion names new ones each time, and a motion opens all the others.
#include "impact/locked.h"

#include "impact/cap.h"
#include "impact/jacobian.h"

enum { USUAL_SWEEPS = 1000 };

// An island on its way to the end.
typedef struct ending {
    const carom_problem *problem;
    const carom_contact_set *set;
    carom_arena *scratch;
    carom_motion *motion;
    carom_impact_report *report;
    double tolerance;
    const bool *locked; // per position of the set
    int *index;         // the contacts of a solve
    double *target, *lambda;
} ending;

carom_status carom_locked_find(const carom_problem *problem, const carom_contact_set *set,
                               carom_arena *scratch, bool *locked, int *count, carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    carom_jacobian jacobian;
    carom_lcp_report report = { .infeasible = true };
    double *b, *x, *y;
    bool *blamed;
    TRY(carom_jacobian_build(problem, set, 1, scratch, &jacobian, err));
    TAKE(scratch, b, set->count, err);
    TAKE(scratch, x, set->count, err);
    TAKE(scratch, y, jacobian.rows.width, err);
    TAKE_ZEROS(scratch, blamed, set->count, err);
    carom_lcp_problem lcp = { .rows = jacobian.rows,
                              .b = b,
                              .equality = locked,
                              .contradiction = blamed,
                              .progress = carom_progress_of(problem->stop) };
    *count = 0;
    for (int i = 0; i < set->count; ++i)
        locked[i] = false;
    for (int known = -1; report.infeasible && *count > known;) {
        known = *count;
        for (int i = 0; i < set->count; ++i) {
            b[i] = !locked[i];
            blamed[i] = false;
        }
        TRY(carom_lcp_basic(&lcp, scratch, x, y, &report, err));
        for (int i = 0; i < set->count && report.infeasible; ++i)
            if (blamed[i] && !locked[i]) {
                locked[i] = true;
                ++*count;
            }
    }
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

// An immovable body of the island moves.
static bool is_driven(const carom_problem *problem, const carom_contact_set *set)
{
    for (int i = 0; i < set->count; ++i) {
        const carom_impact_contact *c = &problem->contacts[set->index[i]];
        for (int side = 0; side < 2; ++side) {
            const carom_impact_body *body = &problem->bodies[side ? c->b : c->a];
            vec3 v = vec3_from(body->velocity), w = vec3_from(body->spin);
            if (body->inverse_mass == 0 && vec3_dot(v, v) + vec3_dot(w, w) > 0)
                return true;
        }
    }
    return false;
}

// The locked contacts to 0 and, where `reflecting`, those that approach to minus their speed.
// Returns how many of the latter there were.
static carom_status solve(ending *e, bool reflecting, int *violated, carom_error *err)
{
    carom_contact_set some = { e->index, 0 };
    *violated = 0;
    for (int i = 0; i < e->set->count; ++i) {
        int contact = e->set->index[i];
        double u = carom_row_speed(&e->problem->normal[contact], e->motion->v);
        bool late = reflecting && !e->locked[i] && u < -e->tolerance;
        *violated += late;
        if (!late && !e->locked[i])
            continue;
        e->target[some.count] = late ? -u : 0;
        e->index[some.count++] = contact;
    }
    if (reflecting && *violated == 0)
        return CAROM_OK;
    TRY(carom_inelastic_solve(e->problem, &some, e->target, e->scratch, e->motion->v, e->lambda,
                              &e->report->solver_residual, err));
    for (int i = 0; i < some.count; ++i)
        e->motion->p[e->index[i]][0] += e->lambda[i];
    e->report->events += some.count;
    return CAROM_OK;
}

// Reflections with the locked contacts held.
static carom_status reflect(ending *e, bool *done, carom_error *err)
{
    int sweeps = carom_cap_sweeps(e->problem, e->set), violated = 1;
    sweeps = sweeps > USUAL_SWEEPS ? sweeps : USUAL_SWEEPS;
    for (int sweep = 0; sweep < sweeps && violated > 0; ++sweep) {
        TRY(solve(e, true, &violated, err));
        TRY(carom_problem_query_stop(e->problem, e->set->count, err));
        e->report->sweeps += violated > 0;
        carom_problem_report(e->problem, e->report->sweeps, (const double(*)[3])e->motion->p);
    }
    *done = violated == 0;
    return CAROM_OK;
}

carom_status carom_locked_finish(const carom_problem *problem, const carom_contact_set *set,
                                 double tolerance, carom_arena *scratch, carom_motion *motion,
                                 carom_impact_report *report, bool *ended, carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    ending e = { .problem = problem,
                 .set = set,
                 .scratch = scratch,
                 .motion = motion,
                 .report = report,
                 .tolerance = tolerance };
    int count = 0;
    bool *locked, done = false;
    *ended = false;
    if (set->count > CAROM_LOCKED_MAX || is_driven(problem, set))
        return CAROM_OK;
    TAKE(scratch, locked, set->count, err);
    TAKE(scratch, e.index, set->count, err);
    TAKE(scratch, e.target, set->count, err);
    TAKE(scratch, e.lambda, set->count, err);
    e.locked = locked;
    TRY(carom_locked_find(problem, set, scratch, locked, &count, err));
    if (count > 0) {
        TRY(solve(&e, false, &count, err));
        TRY(reflect(&e, &done, err));
        carom_impact_end end = done ? CAROM_IMPACT_ENDLESS : CAROM_IMPACT_CAPPED;
        report->end = end > report->end ? end : report->end;
        if (!done)
            TRY(carom_inelastic_stop_approach(problem, set, tolerance, scratch, motion, NULL,
                                              &report->solver_residual, err));
        *ended = true;
    }
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}
