// Convex regularised contact, as in MuJoCo [Todorov] and Drake [Castro]: the impulses minimise
//
//     1/2 p^T (W + R) p + p.(1 + e) u-   over Coulomb's cones,   R_i = (1 - d) / d W_ii,
//
// d the impedance. Nothing is asked of speeds and impulses together: a sliding contact lifts off a
// little (friction is associated), and a contact that is pressed gives way by R p. Along the
// normals R p + u+ = -e u-, so that a single contact leaves with (d (1 + e) - 1) |u-|, not with e
// |u-|. In MuJoCo's terms it is one step h with damping b h = 1 + e and no stiffness. Where
// restitution is one for all, energy falls by p.W p (1 - e) / (2 (1 + e)) + p.R p / (1 + e); where
// it differs it could grow: the limiter.
//
// Without friction this is a complementarity problem with resistance, solved exactly (regular.h);
// with friction projected Gauss-Seidel over blocks of three rows, which converges as R > 0. From
// memory of the papers; checked against MuJoCo itself and by the closed form of one contact.
#include "impact/complementarity.h"
#include "impact/law.h"
#include "impact/regular.h"
#include "impact/two_body.h"

enum { OPTION_IMPEDANCE, OPTION_ITERATIONS };

#define CONVERGED 1e-13

// A contact as a block of the problem.
typedef struct block {
    double resistance, step; // R, and 1 over a bound of the block of W + R
    vec3 target;             // -e u-
} block;

static block make_block(const carom_problem *problem, int contact, double impedance,
                        const carom_twist *v)
{
    carom_two_body pair = carom_two_body_make(problem, contact);
    double e = problem->contacts[contact].restitution;
    double r = (1 - impedance) / impedance * pair.k.xx;
    double n = pair.k.xx + fabs(pair.k.xy) + fabs(pair.k.xz);
    double s = pair.k.yy + fabs(pair.k.xy) + fabs(pair.k.yz);
    double t = pair.k.zz + fabs(pair.k.xz) + fabs(pair.k.yz);
    vec3 u = carom_two_body_relative_velocity(problem, &pair, v);
    return (block){ r, 1 / (fmax(n, fmax(s, t)) + r), vec3_scale(-e, u) };
}

// The point of Coulomb's cone nearest to p.
static vec3 project(vec3 p, double mu)
{
    double size = sqrt(p.y * p.y + p.z * p.z);
    if (size <= mu * p.x)
        return p;
    if (p.x <= -mu * size)
        return vec3_make(0, 0, 0);
    double normal = (p.x + mu * size) / (1 + mu * mu), share = size > 0 ? mu * normal / size : 0;
    return vec3_make(normal, share * p.y, share * p.z);
}

// One visit of a contact; returns the change of its speeds, m/s.
static double visit(const carom_problem *problem, int contact, const block *b, carom_motion *motion)
{
    double *sum = motion->p[contact], mu = problem->contacts[contact].friction, change = 0;
    const carom_row *normal = &problem->normal[contact];
    const carom_row *t = mu > 0 ? carom_problem_tangents(problem, contact) : NULL;
    const carom_row *rows[3] = { normal, t, t ? t + 1 : NULL };
    double target[3] = { b->target.x, b->target.y, b->target.z }, next[3] = { 0 };
    for (int k = 0; k < (t ? 3 : 1); ++k) {
        double gradient = carom_row_speed(rows[k], motion->v) - target[k] + b->resistance * sum[k];
        next[k] = sum[k] - b->step * gradient;
    }
    vec3 p = project(vec3_make(next[0], next[1], next[2]), mu);
    double to[3] = { p.x, p.y, p.z };
    for (int k = 0; k < (t ? 3 : 1); ++k) {
        change = fmax(change, fabs(to[k] - sum[k]) * rows[k]->diagonal);
        carom_row_apply(rows[k], to[k] - sum[k], motion->v);
        sum[k] = to[k];
    }
    return change;
}

static carom_status solve_rough(const carom_problem *problem, const carom_contact_set *set,
                                const carom_law_options *options, carom_arena *scratch,
                                carom_motion *motion, carom_impact_report *report, carom_error *err)
{
    int sweeps = 0, most = (int)options->value[OPTION_ITERATIONS];
    double first = 0, change = HUGE_VAL;
    block *blocks;
    TAKE(scratch, blocks, set->count, err);
    for (int i = 0; i < set->count; ++i)
        blocks[i] = make_block(problem, set->index[i], options->value[OPTION_IMPEDANCE], motion->v);
    while (sweeps < most && change > CONVERGED * first) {
        change = 0;
        for (int i = 0; i < set->count; ++i)
            change = fmax(change, visit(problem, set->index[i], &blocks[i], motion));
        first = fmax(first, change);
        TRY(carom_problem_query_stop(problem, 3 * set->count, err));
        carom_problem_report(problem, ++sweeps, (const double(*)[3])motion->p);
    }
    report->sweeps = sweeps > report->sweeps ? sweeps : report->sweeps;
    report->events += (int64_t)sweeps * set->count;
    report->solver_residual = fmax(report->solver_residual, first > 0 ? change / first : 0);
    return CAROM_OK;
}

static carom_status solve_smooth(const carom_problem *problem, const carom_contact_set *set,
                                 double impedance, carom_arena *scratch, carom_motion *motion,
                                 carom_impact_report *report, carom_error *err)
{
    double *target, *resistance;
    TAKE(scratch, target, set->count, err);
    TAKE(scratch, resistance, set->count, err);
    for (int i = 0; i < set->count; ++i) {
        int contact = set->index[i];
        target[i] = -problem->contacts[contact].restitution * problem->u[contact];
        resistance[i] = (1 - impedance) / impedance * problem->normal[contact].diagonal;
    }
    report->sweeps = report->sweeps > 1 ? report->sweeps : 1;
    return carom_regular_solve(problem, set, target, resistance, scratch, motion, report, err);
}

static carom_status resolve_soft(const carom_problem *problem, const carom_law_options *options,
                                 carom_arena *scratch, carom_motion *motion,
                                 carom_impact_report *report, carom_error *err)
{
    for (int island = 0; island < problem->island_count; ++island) {
        carom_arena_mark mark = carom_arena_mark_here(scratch);
        carom_contact_set set = carom_inelastic_island(problem, island);
        bool rough = false;
        for (int i = 0; i < set.count; ++i)
            rough = rough || problem->contacts[set.index[i]].friction > 0;
        if (rough)
            TRY(solve_rough(problem, &set, options, scratch, motion, report, err));
        else
            TRY(solve_smooth(problem, &set, options->value[OPTION_IMPEDANCE], scratch, motion,
                             report, err));
        carom_arena_rewind(scratch, mark);
    }
    if (report->solver_residual > CAROM_INELASTIC_STALLED)
        report->end = CAROM_IMPACT_STALLED;
    carom_complementarity rigid = { .friction = CAROM_FRICTION_CONE };
    return carom_complementarity_limit(problem, &rigid, scratch, motion, report, err);
}

static const carom_option options[] = {
    [OPTION_IMPEDANCE] = { "impedance", "how much of its task a contact fulfils: 1 would be rigid",
                           CAROM_OPTION_NUMBER, 0.9, 0.01, 0.9999, NULL },
    [OPTION_ITERATIONS] = { "iterations", "most passes of Gauss-Seidel where there is friction",
                            CAROM_OPTION_INTEGER, 1000, 1, 1e7, NULL },
    { 0 },
};

const carom_law carom_soft_law = {
    .name = "soft",
    .summary = "Convex regularised contact of MuJoCo and Drake: contacts give way a little.",
    .reference = "Todorov",
    .paper = "Todorov 2011, ICRA (MuJoCo); Castro et al. 2023 (Drake)",
    .number = "cradle and rack: 1e-6 of MuJoCo 2.2; one contact: d (1 + e) - 1",
    .promises = CAROM_SYM | CAROM_KIN | CAROM_MOM | CAROM_ONE,
    .friction = true,
    .options = options,
    .resolve = resolve_soft,
};
