// What follows the micro-steps and the scalar: the impulses, and the end of what still approaches.
#include "impact/wave.h"

#include "impact/inelastic.h"
#include "impact/qce.h"

// The elastic finish: theta of QCE, and sweeps before Poisson's rule ends it.
#define FINISH_THETA 1e-3
enum { FINISH_SWEEPS = 100 };
// Approach after the inelastic finish, in the tolerance, that is left to sweeps: it has stalled.
#define FINISH_LEFT 10
// Approach, in the fastest, that the inelastic finish may leave to sweeps in large islands.
#define FINISH_COARSE 1e-5

static carom_status sweep_elastic(const wave_field *field, carom_contact_set set,
                                  carom_arena *arena, carom_motion *motion,
                                  carom_impact_report *report, carom_error *err);

// Impulses of the contacts of all islands, in the rows of the problem.
static void store_impulses(const wave_field *field, const wave_run *runs, carom_motion *motion)
{
    const carom_problem *problem = field->problem;
    CAROM_TEAM_EACH (island, problem->island_count, problem->threads)
        for (int k = problem->first_island[island]; k < problem->first_island[island + 1]; ++k) {
            int i = problem->island_contacts[k], place = field->rank_of[i];
            motion->p[i][0] = runs[island].scale * field->lambda[place];
            if (runs[island].frictional) {
                vec3 t1, t2, p = field->dissipative[place].impulse;
                vec3_tangents(field->contacts[place].d, &t1, &t2);
                motion->p[i][1] = vec3_dot(p, t1);
                motion->p[i][2] = vec3_dot(p, t2);
            }
        }
}
CAROM_TEAM_SHARE3(store_impulses, const wave_field *, const wave_run *, carom_motion *)

// What contact i does to a body.
static void move_body(const wave_field *field, int i, double p, bool is_b, carom_twist *v)
{
    const carom_row *row = &field->problem->normal[i];
    double inverse = is_b ? row->inv_b : row->inv_a;
    if (!field->problem->tangent) {
        double signed_p = is_b ? p : -p;
        v->linear = vec3_axpy(v->linear, signed_p * inverse, row->d);
        v->angular = vec3_axpy(v->angular, signed_p, is_b ? row->turn_b : row->turn_a);
        return;
    }
    const wave_dissipative *state = &field->dissipative[field->rank_of[i]];
    const wave_contact *c = &field->contacts[field->rank_of[i]];
    vec3 impulse = is_b ? state->impulse : vec3_neg(state->impulse);
    vec3 torque = vec3_cross(is_b ? state->arm_b : state->arm_a, impulse);
    v->linear = vec3_axpy(v->linear, inverse, impulse);
    v->angular = vec3_add(v->angular, sym3_mul(field->inverse_inertia[is_b ? c->b : c->a], torque));
}

// Body by body in the order of contacts: the same sums as applying row after row.
static void apply_share(const wave_field *field, carom_motion *motion)
{
    const carom_problem *problem = field->problem;
    int end = carom_team_end(problem->body_count, problem->threads);
    for (int body = carom_team_begin(problem->body_count, problem->threads); body < end; ++body)
        for (int k = problem->first_contact[body]; k < problem->first_contact[body + 1]; ++k) {
            int i = problem->contact_list[k];
            if (motion->p[i][0] != 0)
                move_body(field, i, motion->p[i][0], problem->normal[i].b == body,
                          &motion->v[body]);
        }
}
CAROM_TEAM_SHARE2(apply_share, const wave_field *, carom_motion *)

void carom_wave_finish_apply(const wave_field *field, const wave_run *runs, carom_motion *motion)
{
    CAROM_TEAM(field->problem->threads, store_impulses(field, runs, motion));
    CAROM_TEAM(field->problem->threads, apply_share(field, motion));
}

carom_status carom_wave_finish_settle(const wave_field *field, const wave_run *runs,
                                      carom_arena *arena, carom_motion *motion,
                                      carom_impact_report *report, carom_error *err)
{
    const carom_problem *problem = field->problem;
    int *elastic, count = 0, others = 0;
    double tolerance = field->set.tolerance * problem->fastest;
    TAKE(arena, elastic, problem->contact_count, err);
    for (int island = 0; island < problem->island_count; ++island) {
        others += runs[island].state == WAVE_RESTS;
        others += runs[island].lossy && wave_needs_finish(&runs[island]);
        if (!runs[island].lossy && wave_needs_finish(&runs[island]))
            for (int k = problem->first_island[island]; k < problem->first_island[island + 1]; ++k)
                elastic[count++] = problem->island_contacts[k];
    }
    if (count > 0)
        TRY(sweep_elastic(field, (carom_contact_set){ elastic, count }, arena, motion, report,
                          err));
    for (int island = 0; island < problem->island_count && others > 0; ++island) {
        carom_contact_set set = carom_inelastic_island(problem, island);
        if (runs[island].state == WAVE_RESTS)
            TRY(carom_wave_rest(field, set, arena, motion, report, err));
        else if (runs[island].lossy && wave_needs_finish(&runs[island])) {
            bool fine = set.count <= WAVE_SMALL && !problem->coarse;
            double left, coarse = fine ? 0 : FINISH_COARSE * problem->fastest;
            TRY(carom_inelastic_stop_approach(problem, &set, fmax(tolerance, coarse), arena, motion,
                                              &left, &report->solver_residual, err));
            if (left > FINISH_LEFT * tolerance) // an iteration that has stalled
                TRY(sweep_elastic(field, set, arena, motion, report, err));
        }
    }
    return CAROM_OK;
}

// QCE sweeps keep energy, momentum and lambda >= 0 and end with nothing approaching. Where they
// have no end the rest follows Poisson's law.
static carom_status sweep_elastic(const wave_field *field, carom_contact_set set,
                                  carom_arena *arena, carom_motion *motion,
                                  carom_impact_report *report, carom_error *err)
{
    const carom_problem *problem = field->problem;
    carom_qce_settings settings = { .tolerance = field->set.tolerance * problem->fastest,
                                    .theta = FINISH_THETA,
                                    .sweeps = FINISH_SWEEPS,
                                    .extended = true };
    bool all = set.count == problem->contact_count;
    int steps = report->sweeps; // those of the law are its micro-steps
    TRY(carom_qce_settle(problem, all ? NULL : &set, &settings, arena, motion, report, err));
    report->sweeps = steps;
    return CAROM_OK;
}
