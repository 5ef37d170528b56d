// Runs an island contact by contact for sqm, correlation, fixed-point and etm, and ends processes
// that have no end of their own.
#include "impact/sequence.h"

#include "impact/cap.h"
#include "impact/inelastic.h"
#include "impact/locked.h"

static carom_status begin_island(carom_sequence *sequence, int island, double tolerance,
                                 carom_error *err);
static void refresh_body(carom_sequence *sequence, int body);

carom_status carom_sequence_run(carom_sequence *sequence, double tolerance,
                                carom_sequence_step step, const double *options, carom_error *err)
{
    const carom_problem *problem = sequence->problem;
    carom_impact_report *report = sequence->report;
    TAKE(sequence->scratch, sequence->local, problem->contact_count, err);
    for (int island = 0; island < problem->island_count; ++island) {
        carom_arena_mark mark = carom_arena_mark_here(sequence->scratch);
        TRY(begin_island(sequence, island, tolerance, err));
        TRY(step(sequence, options, err));
        carom_arena_rewind(sequence->scratch, mark);
        report->limited += sequence->kept < 1;
        report->limiter = fmin(report->limiter, sequence->kept);
    }
    return CAROM_OK;
}

static carom_status begin_island(carom_sequence *sequence, int island, double tolerance,
                                 carom_error *err)
{
    const carom_problem *problem = sequence->problem;
    int first = problem->first_island[island];
    sequence->contacts = &problem->island_contacts[first];
    sequence->count = problem->first_island[island + 1] - first;
    sequence->kept = 1;
    sequence->spare = 0;
    sequence->in_turn = false;
    TAKE(sequence->scratch, sequence->pairs, sequence->count, err);
    TRY(carom_queue_init(&sequence->speeds, sequence->count, sequence->scratch, err));
    double fastest = 0;
    for (int i = 0; i < sequence->count; ++i) {
        int contact = sequence->contacts[i];
        sequence->local[contact] = i;
        sequence->pairs[i] = carom_two_body_make(problem, contact);
        if (sequence->frictionless)
            sequence->pairs[i].frictional = false;
        if (sequence->tangential)
            sequence->pairs[i].tangential_restitution =
                problem->contacts[contact].tangential_restitution;
    }
    carom_sequence_reorder(sequence);
    for (int i = 0; i < sequence->count; ++i)
        fastest = fmax(fastest, fabs(sequence->speeds.key[i]));
    sequence->tolerance = tolerance * fastest;
    return CAROM_OK;
}

vec3 carom_sequence_hit(carom_sequence *sequence, int i, vec3 u, double dn)
{
    const carom_two_body *pair = &sequence->pairs[i];
    vec3 p;
    double share = carom_two_body_impulse(pair, u, dn, sequence->spare, &p);
    sequence->kept = fmin(sequence->kept, share);
    if (pair->frictional)
        sequence->spare = fmax(0, sequence->spare - carom_two_body_tangential_work(pair, u, p));
    carom_sequence_push(sequence, i, p);
    return p;
}

void carom_sequence_push(carom_sequence *sequence, int i, vec3 p)
{
    const carom_two_body *pair = &sequence->pairs[i];
    const carom_row *row = &sequence->problem->normal[pair->contact];
    carom_two_body_apply(sequence->problem, pair, p, sequence->motion);
    ++sequence->report->events;
    sequence->work += 2;
    if (row->inv_a > 0 && !sequence->in_turn)
        refresh_body(sequence, row->a);
    if (row->inv_b > 0 && !sequence->in_turn)
        refresh_body(sequence, row->b);
}

void carom_sequence_reorder(carom_sequence *sequence)
{
    for (int i = 0; i < sequence->count; ++i)
        sequence->speeds.key[i] =
            carom_row_speed(&sequence->problem->normal[sequence->contacts[i]], sequence->motion->v);
    carom_queue_order(&sequence->speeds);
}

static void refresh_body(carom_sequence *sequence, int body)
{
    const carom_problem *problem = sequence->problem;
    for (int k = problem->first_contact[body]; k < problem->first_contact[body + 1]; ++k) {
        int contact = problem->contact_list[k];
        carom_queue_change(&sequence->speeds, sequence->local[contact],
                           carom_row_speed(&problem->normal[contact], sequence->motion->v));
    }
    sequence->work += problem->first_contact[body + 1] - problem->first_contact[body];
}

carom_status carom_sequence_query_stop(carom_sequence *sequence, carom_error *err)
{
    int64_t work = sequence->work;
    sequence->work = 0;
    return carom_problem_query_stop(sequence->problem, work, err);
}

carom_status carom_sequence_fastest_first(carom_sequence *sequence, int own,
                                          carom_sequence_event event, const double *options,
                                          carom_error *err)
{
    enum { USUAL_EVENTS = 300 }; // per contact; then the island is looked at more closely
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
        TRY(event(sequence, i, options, err));
        TRY(carom_sequence_query_stop(sequence, err));
        carom_problem_report(sequence->problem, (int)events + 1,
                             (const double(*)[3])sequence->motion->p);
    }
    carom_impact_report *report = sequence->report;
    report->sweeps = events > report->sweeps ? (int)events : report->sweeps;
    return events < max ? CAROM_OK : carom_sequence_finish(sequence, err);
}

carom_status carom_sequence_extend(carom_sequence *sequence, int64_t *max, carom_error *err)
{
    carom_contact_set set = { sequence->contacts, sequence->count };
    bool finite = false;
    if (!carom_cap_elastic(sequence->problem, &set, sequence->frictionless))
        return CAROM_OK;
    TRY(carom_inelastic_separable(sequence->problem, &set, sequence->scratch, &finite, err));
    int64_t wanted = (int64_t)carom_cap_sweeps(sequence->problem, &set) * sequence->count;
    if (finite && wanted > *max)
        *max = wanted;
    return CAROM_OK;
}

carom_status carom_sequence_finish(carom_sequence *sequence, carom_error *err)
{
    carom_contact_set set = { sequence->contacts, sequence->count };
    carom_impact_report *report = sequence->report;
    double *lambda, residual = 0;
    bool finite = false, ended = false;
    if (carom_cap_elastic(sequence->problem, &set, sequence->frictionless))
        TRY(carom_locked_finish(sequence->problem, &set, sequence->tolerance, sequence->scratch,
                                sequence->motion, report, &ended, err));
    if (ended)
        return CAROM_OK;
    TAKE(sequence->scratch, lambda, sequence->count, err);
    TRY(carom_inelastic_solve(sequence->problem, &set, NULL, sequence->scratch, sequence->motion->v,
                              lambda, &residual, err));
    for (int i = 0; i < sequence->count; ++i)
        sequence->motion->p[sequence->contacts[i]][0] += lambda[i];
    report->solver_residual = fmax(report->solver_residual, residual);
    TRY(carom_inelastic_separable(sequence->problem, &set, sequence->scratch, &finite, err));
    carom_impact_end end = residual > CAROM_INELASTIC_STALLED ? CAROM_IMPACT_STALLED
                           : finite                           ? CAROM_IMPACT_CAPPED
                                                              : CAROM_IMPACT_ENDLESS;
    report->end = end > report->end ? end : report->end;
    return CAROM_OK;
}
