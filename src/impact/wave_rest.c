// One moving body with restitution 0 at all of its contacts: a box that lands flat or on an edge, a
// ball in a groove. It must not leave what stops it, however it slides, so its end is the exact
// inelastic solve with friction [QCE, eq 19 and 21] instead of springs.
//
// Friction opposes the slip of the moment. The solve knows one moment only, the end; that is right
// where no slip turns on the way. Elsewhere the approach is ended in stages: after stage k of n
// each contact approaches with (1 - k/n) of its speed before at most. Each stage has its own
// friction, and the sum stays in the cone. For n to infinity this is Routh's path.
#include "impact/wave.h"

#include "impact/friction.h"

enum { STAGES = 12 };
// Relative to the slip before and after: it has kept its direction, or has not stopped. Slips below
// NO_SLIP of the fastest contact do not count.
#define TURNED 1e-9
#define NO_SLIP 1e-12

typedef struct solve {
    const carom_problem *problem;
    carom_contact_set set;
    carom_arena *arena;
    carom_twist *v;
    double (*p)[3];
    double *target;
    double residual;
    bool stalled;
} solve;

bool carom_wave_rest_applies(const wave_field *field, const wave_run *run)
{
    if (run->body_count != 1 || run->count < 2)
        return false;
    for (int i = run->first; i < run->first + run->count; ++i) {
        const carom_impact_contact *contact = &field->problem->contacts[field->order[i]];
        if (contact->restitution > 0 || contact->gap > 0)
            return false;
    }
    return true;
}

// Ends the approach down to (1 - done) of what it was before; adds the impulses to `sum`.
static carom_status solve_stage(solve *s, double done, double (*sum)[3], carom_error *err)
{
    carom_friction_conditions conditions = { .target = s->target };
    carom_friction_report report = { 0 };
    for (int k = 0; k < s->set.count; ++k) {
        s->target[k] = (1 - done) * fmin(s->problem->u[s->set.index[k]], 0);
        for (int part = 0; part < 3; ++part)
            s->p[k][part] = 0;
    }
    if (carom_friction_needed(s->problem, &s->set)) {
        TRY(carom_friction_solve(s->problem, &s->set, &conditions, s->arena, s->v, s->p, &report,
                                 err));
    } else {
        carom_arena_mark mark = carom_arena_mark_here(s->arena);
        double *lambda;
        TAKE(s->arena, lambda, s->set.count, err);
        TRY(carom_inelastic_solve(s->problem, &s->set, s->target, s->arena, s->v, lambda,
                                  &s->residual, err));
        for (int k = 0; k < s->set.count; ++k)
            s->p[k][0] = lambda[k];
        carom_arena_rewind(s->arena, mark);
    }
    s->residual = fmax(s->residual, report.residual);
    s->stalled = s->stalled || report.stalled;
    for (int k = 0; k < s->set.count; ++k)
        for (int part = 0; part < 3; ++part)
            sum[k][part] += s->p[k][part];
    return CAROM_OK;
}

// Some pressed contact has ended in another direction of slip than it began with, or has stopped.
// `before`: the moving body's velocity.
static bool slip_turned(const solve *s, const carom_twist *before)
{
    for (int k = 0; k < s->set.count; ++k) {
        int i = s->set.index[k];
        const carom_row *row = &s->problem->normal[i];
        if (s->p[k][0] == 0 || s->problem->contacts[i].friction == 0)
            continue;
        bool is_b = row->inv_b > 0;
        vec3 was = carom_problem_relative_velocity(s->problem, i, is_b ? &s->v[row->a] : before,
                                                   is_b ? before : &s->v[row->b]);
        vec3 is = carom_problem_relative_velocity(s->problem, i, &s->v[row->a], &s->v[row->b]);
        was = vec3_axpy(was, -vec3_dot(was, row->d), row->d);
        is = vec3_axpy(is, -vec3_dot(is, row->d), row->d);
        double moved = vec3_length(was), moves = vec3_length(is);
        if (moved <= NO_SLIP * s->problem->fastest && moves <= NO_SLIP * s->problem->fastest)
            continue;
        if (!(vec3_dot(was, is) > (1 - TURNED) * moved * moves) || moves < TURNED * moved)
            return true;
    }
    return false;
}

// The whole way.
static carom_status solve_in_stages(solve *s, double (*sum)[3], carom_error *err)
{
    for (int k = 1; k <= STAGES; ++k)
        TRY(solve_stage(s, (double)k / STAGES, sum, err));
    return CAROM_OK;
}

carom_status carom_wave_rest(const wave_field *field, carom_contact_set island, carom_arena *arena,
                             carom_motion *motion, carom_impact_report *report, carom_error *err)
{
    const carom_problem *problem = field->problem;
    const carom_row *row = &problem->normal[island.index[0]];
    const int body = row->inv_a > 0 ? row->a : row->b;
    const carom_twist before = motion->v[body];
    carom_arena_mark mark = carom_arena_mark_here(arena);
    solve once = { .problem = problem, .set = island, .arena = arena, .v = motion->v };
    double(*first)[3], (*second)[3];
    TAKE(arena, once.p, island.count, err);
    TAKE(arena, once.target, island.count, err);
    TAKE_ZEROS(arena, first, island.count, err);
    TAKE_ZEROS(arena, second, island.count, err);
    TRY(solve_stage(&once, 1, first, err));
    if (slip_turned(&once, &before)) {
        const carom_twist ended = motion->v[body];
        solve again = once;
        again.stalled = false;
        again.residual = 0;
        motion->v[body] = before;
        TRY(solve_in_stages(&again, second, err));
        if (again.stalled && !once.stalled) {
            motion->v[body] = ended;
        } else {
            once = again;
            first = second;
        }
    }
    for (int k = 0; k < island.count; ++k)
        for (int part = 0; part < 3; ++part)
            motion->p[island.index[k]][part] = first[k][part];
    report->solver_residual = fmax(report->solver_residual, once.residual);
    if (once.stalled || once.residual > CAROM_INELASTIC_STALLED)
        report->end = CAROM_IMPACT_STALLED;
    carom_arena_rewind(arena, mark);
    return CAROM_OK;
}
