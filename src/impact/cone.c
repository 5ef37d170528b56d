// Projected Gauss-Seidel on Coulomb's cones; see cone.h. It converges slowly where contacts share a
// load in many ways and R = 0: the report has the residual.
#include "impact/cone.h"

#include "impact/two_body.h"

#define CONVERGED 1e-13

carom_cone_block carom_cone_make(const carom_problem *problem, int contact, double softness)
{
    carom_two_body pair = carom_two_body_make(problem, contact);
    double r = softness * pair.k.xx;
    double n = pair.k.xx + fabs(pair.k.xy) + fabs(pair.k.xz);
    double s = pair.k.yy + fabs(pair.k.xy) + fabs(pair.k.yz);
    double t = pair.k.zz + fabs(pair.k.xz) + fabs(pair.k.yz);
    return (carom_cone_block){ r, 1 / (fmax(n, fmax(s, t)) + r), { 0, 0, 0 } };
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
static double visit(const carom_problem *problem, int contact, const carom_cone_block *b,
                    carom_motion *motion)
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

carom_status carom_cone_minimise(const carom_problem *problem, const carom_contact_set *set,
                                 const carom_cone_block *blocks, int most, carom_motion *motion,
                                 carom_impact_report *report, carom_error *err)
{
    int sweeps = 0;
    double first = 0, change = HUGE_VAL;
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
