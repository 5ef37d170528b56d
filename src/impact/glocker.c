// Two complementarity problems after Glocker and Pfeiffer [GP]: compression is inelastic with
// friction; expansion gives back at least e of every normal impulse of the compression, and e beta
// of every tangential one, which is the reversible part (beta: tangential restitution, as of a
// rubber ball); dry friction acts in both.
//
//     expansion:  0 <= p_n - e p_nc  _|_  u_n >= 0,   Coulomb's law for u_t - s,
//
// s the tangential velocity that the reversible part alone gives, v_r = M^-1 J_t^T e beta p_tc. A
// contact that sticks throughout leaves with u_t = -e beta u_t-. In terms of w = v - v_r this is
// the problem that `poisson` solves, with -J_n v_r as the wanted normal speeds; with beta = 0 it is
// `poisson`. From memory of the paper and of [Glocker, chapter 8]; checked by closed forms of one
// contact and by its theorem that a frictionless impact loses energy.
#include "impact/complementarity.h"
#include "impact/law.h"

enum { OPTION_FRICTION };

// The velocities v_r, and the wanted normal speeds that go with them.
static carom_status reversible(const carom_problem *problem, const carom_motion *compressed,
                               carom_arena *scratch, carom_twist **v, double *target,
                               carom_error *err)
{
    TAKE_ZEROS(scratch, *v, problem->body_count, err);
    for (int i = 0; i < problem->contact_count; ++i) {
        const carom_impact_contact *c = &problem->contacts[i];
        double share = c->restitution * fmax(c->tangential_restitution, 0);
        for (int k = 0; k < 2 && share > 0 && c->friction > 0; ++k)
            carom_row_apply(&carom_problem_tangents(problem, i)[k], share * compressed->p[i][k + 1],
                            *v);
    }
    for (int i = 0; i < problem->contact_count; ++i)
        target[i] = -carom_row_speed(&problem->normal[i], *v);
    return CAROM_OK;
}

static void add(const carom_problem *problem, double sign, const carom_twist *v, carom_twist *to)
{
    for (int i = 0; i < problem->body_count; ++i) {
        to[i].linear = vec3_axpy(to[i].linear, sign, v[i].linear);
        to[i].angular = vec3_axpy(to[i].angular, sign, v[i].angular);
    }
}

static carom_status resolve_glocker(const carom_problem *problem, const carom_law_options *options,
                                    carom_arena *scratch, carom_motion *motion,
                                    carom_impact_report *report, carom_error *err)
{
    int n = problem->contact_count;
    carom_friction_bound friction = (int)options->value[OPTION_FRICTION];
    carom_motion compressed;
    double *base, *target;
    carom_twist *given_back;
    TAKE(scratch, base, n, err);
    TAKE(scratch, target, n, err);
    TRY(carom_problem_begin_motion(problem, scratch, &compressed, err));
    carom_complementarity compression = { .friction = friction };
    TRY(carom_complementarity_solve(problem, &compression, scratch, &compressed, report, err));
    TRY(carom_complementarity_limit(problem, &compression, scratch, &compressed, report, err));
    carom_problem_report(problem, 1, (const double(*)[3])compressed.p);
    for (int i = 0; i < n; ++i)
        base[i] = problem->contacts[i].restitution * compressed.p[i][0];
    carom_problem_copy_motion(problem, &compressed, motion);
    TRY(reversible(problem, &compressed, scratch, &given_back, target, err));
    carom_complementarity expansion = { .friction = friction, .base = base, .target = target };
    add(problem, -1, given_back, motion->v);
    TRY(carom_complementarity_solve(problem, &expansion, scratch, motion, report, err));
    add(problem, 1, given_back, motion->v);
    TRY(carom_complementarity_limit_to(problem, &compressed, scratch, motion, report, err));
    return carom_complementarity_stop_approach(problem, scratch, motion, report, err);
}

static const carom_option options[] = { CAROM_COMPLEMENTARITY_FRICTION_OPTION, { 0 } };

const carom_law carom_glocker_law = {
    .name = "glocker",
    .summary = "Compression and expansion as two problems, with a reversible tangential part.",
    .reference = "GP",
    .paper = "Glocker, Pfeiffer 1995, Nonlinear Dynamics 7",
    .number = "ball that sticks to a floor: leaves with -e beta times its slip",
    .promises = CAROM_SYM | CAROM_KIN | CAROM_MOM | CAROM_ONE | CAROM_NOP,
    .friction = true,
    .tangential = true,
    .options = options,
    .resolve = resolve_glocker,
};
