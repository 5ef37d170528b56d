// Chooses a solver for each island of a complementarity problem and limits the energy; see the
// header. The solvers themselves: inelastic.h (normal impulses), friction.h, friction_sweep.h.
#include "impact/complementarity.h"

#include <string.h>
#include "base/team.h"
#include "impact/friction_sweep.h"
#include "impact/jacobian.h"
#include "impact/qce.h"

enum { WORTH_A_TEAM = 2000 }; // contacts

// Everything that one island needs, by positions of its set.
typedef struct island {
    carom_contact_set set;
    int *index;
    double *target, *base, *lambda, *start;
    double (*p)[3];
} island;

static bool is_bilateral(const carom_complementarity *wanted)
{
    return wanted->kind == CAROM_FRICTION_BILATERAL;
}

static carom_status island_take_arrays(int largest, carom_arena *scratch, island *part,
                                       carom_error *err);
static void island_load(const carom_problem *problem, const carom_complementarity *wanted,
                        int number, island *part);
static carom_status solve_frictionless(const carom_problem *problem,
                                       const carom_complementarity *wanted, island *part,
                                       carom_arena *scratch, carom_twist *v,
                                       carom_impact_report *report, carom_error *err);
static carom_status solve_frictional(const carom_problem *problem,
                                     const carom_complementarity *wanted, island *part,
                                     carom_arena *scratch, carom_twist *v,
                                     carom_impact_report *report, carom_error *err);
static void solve_by_sweeps(const carom_problem *problem, const carom_complementarity *wanted,
                            island *part, carom_friction_sweeper *sweeper, carom_twist *v,
                            bool *done, carom_impact_report *report);

// Islands that are swept side by side: what each thread has, and what it did.
typedef struct worker {
    island part;
    carom_friction_sweeper *sweeper;
    carom_impact_report report;
} worker;

typedef struct sweep_team {
    const carom_problem *problem;
    const carom_complementarity *wanted;
    carom_motion *motion;
    worker *workers;
    bool *done; // per island
} sweep_team;

static void add_impulses(const island *part, carom_motion *motion)
{
    for (int i = 0; i < part->set.count; ++i)
        for (int d = 0; d < 3; ++d)
            motion->p[part->set.index[i]][d] += part->p[i][d];
}

static int size_of(const carom_problem *problem, int k)
{
    return problem->first_island[k + 1] - problem->first_island[k];
}

// A small island that sweeps do not solve stays undone, with velocities as they were.
static void sweep_one(sweep_team *c, worker *h, int k)
{
    island_load(c->problem, c->wanted, k, &h->part);
    c->done[k] = h->part.set.count == 0;
    if (c->done[k])
        return;
    solve_by_sweeps(c->problem, c->wanted, &h->part, h->sweeper, c->motion->v, &c->done[k],
                    &h->report);
    if (c->done[k])
        add_impulses(&h->part, c->motion);
}

// Equal shares of the contacts, by whole islands.
static void sweep_share(sweep_team *c, int threads)
{
    const carom_problem *problem = c->problem;
    int begin = carom_team_begin(problem->contact_count, threads);
    int end = carom_team_end(problem->contact_count, threads);
    for (int k = 0; k < problem->island_count; ++k)
        if (problem->first_island[k] >= begin && problem->first_island[k] < end &&
            size_of(problem, k) < CAROM_FRICTION_SWEEP_SHARED)
            sweep_one(c, &c->workers[carom_team_me(threads)], k);
}
CAROM_TEAM_SHARE2(sweep_share, sweep_team *, int)

static carom_status sweep_islands(sweep_team *c, int largest, carom_arena *scratch,
                                  carom_impact_report *report, carom_error *err)
{
    enum { WORTH_A_THREAD = 1000 }; // contacts
    const carom_problem *problem = c->problem;
    int max = 1 + problem->contact_count / WORTH_A_THREAD;
    int threads = problem->threads < max ? problem->threads : max;
    int beside = largest < CAROM_FRICTION_SWEEP_SHARED ? largest : CAROM_FRICTION_SWEEP_SHARED;
    TAKE_ZEROS(scratch, c->workers, threads, err);
    for (int t = 0; t < threads; ++t) {
        worker *h = &c->workers[t];
        h->report = *report;
        h->report.events = 0;
        TRY(island_take_arrays(t == 0 ? largest : beside, scratch, &h->part, err));
        if (t == 0)
            TRY(carom_friction_sweep_begin(problem, largest, scratch, &h->sweeper, err));
        else
            TRY(carom_friction_sweep_beside(c->workers[0].sweeper, beside, scratch, &h->sweeper,
                                            err));
    }
    for (int k = 0; k < problem->island_count; ++k)
        if (size_of(problem, k) >= CAROM_FRICTION_SWEEP_SHARED)
            sweep_one(c, &c->workers[0], k);
    CAROM_TEAM(threads, sweep_share(c, threads));
    for (int t = 0; t < threads; ++t) {
        const carom_impact_report *one = &c->workers[t].report;
        report->solver_residual = fmax(report->solver_residual, one->solver_residual);
        report->sweeps = one->sweeps > report->sweeps ? one->sweeps : report->sweeps;
        report->events += one->events;
        report->end = one->end > report->end ? one->end : report->end;
    }
    return CAROM_OK;
}

carom_status carom_complementarity_solve(const carom_problem *problem,
                                         const carom_complementarity *wanted, carom_arena *scratch,
                                         carom_motion *motion, carom_impact_report *report,
                                         carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    sweep_team c = { .problem = problem, .wanted = wanted, .motion = motion };
    island part;
    int largest = 0;
    for (int k = 0; k < problem->island_count; ++k)
        largest = size_of(problem, k) > largest ? size_of(problem, k) : largest;
    TAKE_ZEROS(scratch, c.done, problem->island_count, err);
    if (problem->accuracy > 0 && !is_bilateral(wanted))
        TRY(sweep_islands(&c, largest, scratch, report, err));
    TRY(island_take_arrays(largest, scratch, &part, err));
    for (int k = 0; k < problem->island_count; ++k) {
        if (c.done[k])
            continue;
        island_load(problem, wanted, k, &part);
        if (part.set.count == 0)
            continue;
        if (wanted->friction != CAROM_FRICTION_NONE && carom_friction_needed(problem, &part.set))
            TRY(solve_frictional(problem, wanted, &part, scratch, motion->v, report, err));
        else
            TRY(solve_frictionless(problem, wanted, &part, scratch, motion->v, report, err));
        add_impulses(&part, motion);
    }
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

static carom_status island_take_arrays(int largest, carom_arena *scratch, island *part,
                                       carom_error *err)
{
    TAKE(scratch, part->index, largest, err);
    TAKE(scratch, part->target, largest, err);
    TAKE(scratch, part->base, largest, err);
    TAKE(scratch, part->lambda, largest, err);
    TAKE(scratch, part->start, largest, err);
    TAKE(scratch, part->p, largest, err);
    return CAROM_OK;
}

static void island_load(const carom_problem *problem, const carom_complementarity *wanted,
                        int number, island *part)
{
    int count = 0;
    for (int i = problem->first_island[number]; i < problem->first_island[number + 1]; ++i) {
        int contact = problem->island_contacts[i];
        if (wanted->member && !wanted->member[contact])
            continue;
        part->index[count] = contact;
        part->target[count] = wanted->target ? wanted->target[contact] : 0;
        part->base[count] = wanted->base ? wanted->base[contact] : 0;
        part->start[count] = wanted->start ? wanted->start[contact] : 0;
        part->p[count][0] = part->p[count][1] = part->p[count][2] = 0;
        ++count;
    }
    part->set = (carom_contact_set){ part->index, count };
}

// Normal impulses of any sign: least squares of least norm.
static carom_status solve_bilateral(const carom_problem *problem, island *part,
                                    carom_arena *scratch, carom_twist *v, double *residual,
                                    carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    int n = part->set.count;
    carom_jacobian jacobian;
    double *b, *y;
    TRY(carom_jacobian_build(problem, &part->set, 1, scratch, &jacobian, err));
    TAKE(scratch, b, n, err);
    TAKE(scratch, y, jacobian.rows.width, err);
    for (int i = 0; i < n; ++i) {
        const carom_row *row = &problem->normal[part->set.index[i]];
        b[i] = jacobian.scale[i] * (part->target[i] - carom_row_speed(row, v));
    }
    carom_lcp_problem lcp = {
        .rows = jacobian.rows, .b = b, .scale = jacobian.scale, .stop = problem->stop
    };
    carom_lcp_report solved = { 0 };
    if (n <= CAROM_INELASTIC_EXACT)
        TRY(carom_lcp_norm_pseudo(&lcp, scratch, part->lambda, y, err));
    else
        TRY(carom_lcp_large_pseudo(&lcp, 1e-12, CAROM_INELASTIC_CAP, scratch, part->lambda, y,
                                   &solved, err));
    double missed = 0, size = 0;
    for (int i = 0; i < n; ++i) {
        missed = fmax(missed, fabs(carom_lcp_row_dot(&jacobian.rows, i, y) - b[i]));
        size = fmax(size, fabs(b[i]));
        part->lambda[i] *= jacobian.scale[i];
    }
    carom_jacobian_add(&jacobian, y, v);
    *residual = fmax(solved.residual, size > 0 ? missed / size : 0);
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

// Frictionless: the base, then what is still missing.
static carom_status solve_frictionless(const carom_problem *problem,
                                       const carom_complementarity *wanted, island *part,
                                       carom_arena *scratch, carom_twist *v,
                                       carom_impact_report *report, carom_error *err)
{
    int n = part->set.count;
    double residual = 0;
    if (report->sweeps < 1)
        report->sweeps = 1;
    report->events += n;
    if (is_bilateral(wanted)) {
        if (n > 0)
            TRY(solve_bilateral(problem, part, scratch, v, &residual, err));
    } else {
        for (int i = 0; i < n; ++i)
            if (part->base[i] > 0)
                carom_row_apply(&problem->normal[part->set.index[i]], part->base[i], v);
        TRY(carom_inelastic_solve(problem, &part->set, part->target, scratch, v, part->lambda,
                                  &residual, err));
    }
    report->solver_residual = fmax(report->solver_residual, residual);
    if (residual > CAROM_INELASTIC_STALLED)
        report->end = CAROM_IMPACT_STALLED;
    for (int i = 0; i < n; ++i)
        part->p[i][0] = part->lambda[i] + (is_bilateral(wanted) ? 0 : part->base[i]);
    return CAROM_OK;
}

// Largest impulse in units where W_ii = 1.
static double largest_impulse(const carom_problem *problem, const island *part)
{
    double largest = 0;
    for (int i = 0; i < part->set.count; ++i)
        for (int d = 0; d < 3; ++d) {
            double w = problem->normal[part->set.index[i]].diagonal;
            largest = fmax(largest, fabs(part->p[i][d]) * sqrt(w));
        }
    return largest;
}

static void restore_velocities(const carom_problem *problem, const island *part,
                               const carom_twist *kept, carom_twist *v)
{
    for (int i = 0; i < part->set.count; ++i) {
        const carom_row *row = &problem->normal[part->set.index[i]];
        v[row->a] = kept[2 * i];
        v[row->b] = kept[2 * i + 1];
    }
}

// With friction, started from the frictionless solution where that is exact. Coulomb's cones may
// leave no impulses that reach the targets (a ball in a narrow wedge with much friction is held
// whatever pushes it out): the iteration then stalls or drives the impulses beyond all bounds. Such
// an island is solved without bounce, where it is held, and where that fails too, or impulses of
// any sign are wanted, without friction. Large islands keep what the iteration reached.
static carom_status solve_frictional(const carom_problem *problem,
                                     const carom_complementarity *wanted, island *part,
                                     carom_arena *scratch, carom_twist *v,
                                     carom_impact_report *report, carom_error *err)
{
    static const double JAMMED = 1e4; // times the frictionless impulses
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    int n = part->set.count;
    bool exact = n <= CAROM_INELASTIC_EXACT;
    carom_twist *kept; // velocities of both bodies of every contact, to go back to the start
    TAKE(scratch, kept, 2 * (size_t)n, err);
    for (int i = 0; i < n; ++i) {
        const carom_row *row = &problem->normal[part->set.index[i]];
        kept[2 * i] = v[row->a];
        kept[2 * i + 1] = v[row->b];
    }
    if (exact)
        TRY(solve_frictionless(problem, wanted, part, scratch, v, report, err));
    double max = JAMMED * largest_impulse(problem, part);
    carom_friction_conditions friction = { .target = part->target,
                                           .base = wanted->base ? part->base : NULL,
                                           .kind = wanted->kind,
                                           .bound = wanted->friction,
                                           .tangential = wanted->tangential };
    bool held = false;
    bool bouncing = exact && wanted->target && !wanted->base && !is_bilateral(wanted);
    for (int round = 0; round < (bouncing ? 2 : 1) && !held; ++round) {
        carom_friction_report solved;
        restore_velocities(problem, part, kept, v);
        if (round > 0) {
            friction.target = NULL;
            friction.tangential = false;
            memset(part->p, 0, (size_t)n * sizeof *part->p);
        }
        TRY(carom_friction_solve(problem, &part->set, &friction, scratch, v, part->p, &solved,
                                 err));
        report->solver_residual = fmax(report->solver_residual, solved.residual);
        report->sweeps = solved.iterations > report->sweeps ? solved.iterations : report->sweeps;
        report->events += (int64_t)solved.iterations * n;
        held = !solved.stalled && (!exact || largest_impulse(problem, part) <= max);
        if (!held)
            report->end = CAROM_IMPACT_STALLED;
    }
    if (!held && exact) {
        restore_velocities(problem, part, kept, v);
        memset(part->p, 0, (size_t)n * sizeof *part->p);
        TRY(solve_frictionless(problem, wanted, part, scratch, v, report, err));
    }
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

bool carom_complementarity_sweeps(const carom_problem *problem, int count)
{
    return carom_friction_sweep_large(problem, count);
}

static void solve_by_sweeps(const carom_problem *problem, const carom_complementarity *wanted,
                            island *part, carom_friction_sweeper *sweeper, carom_twist *v,
                            bool *done, carom_impact_report *report)
{
    carom_friction_conditions friction = { .target = part->target,
                                           .base = wanted->base ? part->base : NULL,
                                           .bound = wanted->friction,
                                           .tangential = wanted->tangential };
    carom_friction_report solved;
    for (int i = 0; i < part->set.count; ++i)
        part->p[i][0] = part->start[i];
    carom_friction_sweep_island(sweeper, &part->set, &friction, v, part->p, &solved);
    *done = !solved.stalled || carom_complementarity_sweeps(problem, part->set.count);
    if (!*done)
        return;
    report->solver_residual = fmax(report->solver_residual, solved.residual);
    report->sweeps = solved.iterations > report->sweeps ? solved.iterations : report->sweeps;
    report->events += (int64_t)solved.iterations * part->set.count;
    if (solved.stalled)
        report->end = CAROM_IMPACT_STALLED;
}

static bool gains(const carom_problem *problem, int number, const carom_motion *motion)
{
    carom_contact_set set = carom_inelastic_island(problem, number);
    return carom_limiter_needed(problem, &set, motion->v, (const double(*)[3])motion->p);
}

static void gain_share(const carom_problem *problem, const carom_motion *motion, bool *gain,
                       int threads)
{
    int min = carom_team_begin(problem->contact_count, threads);
    int max = carom_team_end(problem->contact_count, threads);
    for (int k = 0; k < problem->island_count; ++k)
        if (problem->first_island[k] >= min && problem->first_island[k] < max)
            gain[k] = gains(problem, k, motion);
}
CAROM_TEAM_SHARE4(gain_share, const carom_problem *, const carom_motion *, bool *, int)

// Islands that gain energy, and what they are blended with.
typedef struct limits {
    const carom_problem *problem;
    const carom_motion *reference; // inelastic
    carom_motion frictionless;     // made when first needed
    carom_motion *motion;
    carom_arena *scratch;
    carom_impact_report *report;
} limits;

// Round-off, or friction that stalled, may leave a reference that gains as well. The inelastic
// result without friction takes its place then: a projection, which never gains and leaves no
// approach.
static carom_status limit_island(limits *l, int number, carom_error *err)
{
    carom_contact_set set = carom_inelastic_island(l->problem, number);
    bool both = gains(l->problem, number, l->reference);
    if (both && !l->frictionless.v) {
        carom_complementarity inelastic = { .friction = CAROM_FRICTION_NONE };
        TRY(carom_problem_begin_motion(l->problem, l->scratch, &l->frictionless, err));
        TRY(carom_complementarity_solve(l->problem, &inelastic, l->scratch, &l->frictionless,
                                        l->report, err));
    }
    carom_limiter_apply(l->problem, &set, both ? &l->frictionless : l->reference, l->motion,
                        l->report);
    return CAROM_OK;
}

carom_status carom_complementarity_limit(const carom_problem *problem,
                                         const carom_complementarity *inelastic,
                                         carom_arena *scratch, carom_motion *motion,
                                         carom_impact_report *report, carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    int *gaining, count = 0;
    bool *gain, *member;
    TAKE(scratch, gain, problem->island_count, err);
    TAKE(scratch, gaining, problem->island_count, err);
    TAKE_ZEROS(scratch, member, problem->contact_count, err);
    int team = problem->contact_count > WORTH_A_TEAM ? problem->threads : 1;
    CAROM_TEAM(team, gain_share(problem, motion, gain, team));
    for (int k = 0; k < problem->island_count; ++k) {
        if (!gain[k])
            continue;
        gaining[count++] = k;
        for (int i = problem->first_island[k]; i < problem->first_island[k + 1]; ++i)
            member[problem->island_contacts[i]] =
                !inelastic->member || inelastic->member[problem->island_contacts[i]];
    }
    if (count > 0) {
        carom_motion reference;
        limits l = { .problem = problem,
                     .reference = &reference,
                     .motion = motion,
                     .scratch = scratch,
                     .report = report };
        carom_complementarity some = *inelastic;
        some.member = member;
        TRY(carom_problem_begin_motion(problem, scratch, &reference, err));
        TRY(carom_complementarity_solve(problem, &some, scratch, &reference, report, err));
        for (int k = 0; k < count; ++k)
            TRY(limit_island(&l, gaining[k], err));
    }
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

carom_status carom_complementarity_limit_to(const carom_problem *problem,
                                            const carom_motion *reference, carom_arena *scratch,
                                            carom_motion *motion, carom_impact_report *report,
                                            carom_error *err)
{
    limits l = { .problem = problem,
                 .reference = reference,
                 .motion = motion,
                 .scratch = scratch,
                 .report = report };
    for (int k = 0; k < problem->island_count; ++k)
        if (gains(problem, k, motion))
            TRY(limit_island(&l, k, err));
    return CAROM_OK;
}

carom_status carom_complementarity_stop_approach(const carom_problem *problem, carom_arena *scratch,
                                                 carom_motion *motion, carom_impact_report *report,
                                                 carom_error *err)
{
    carom_qce_settings settings = { .tolerance = 1e-9 * problem->fastest,
                                    .theta = 1e-3,
                                    .sweeps = 1000 };
    bool any = false;
    for (int k = 0; k < problem->island_count && !any; ++k)
        any = carom_complementarity_sweeps(problem,
                                           problem->first_island[k + 1] - problem->first_island[k]);
    if (!any)
        return CAROM_OK;
    int sweeps = report->sweeps;
    TRY(carom_qce_settle(problem, NULL, &settings, scratch, motion, report, err));
    report->sweeps = sweeps;
    return CAROM_OK;
}
