// What follows the micro-steps: the energy scalar, the impulses, and the end of what still
// approaches.
//
// Scaling all impulses P of an island by s changes its energy by s P.u + 1/2 s^2 P.W P, u the
// speeds before. The micro-steps have a ledger of what restitution and friction took, D; s is the
// root next to 1 of 1/2 s^2 P.W P + s P.u + D = 0. For D = 0 it is -2 P.u / P.W P. Scaling keeps
// momentum, lambda >= 0, the friction bound and symmetry.
#include "impact/wave.h"

#include "impact/inelastic.h"
#include "impact/qce.h"

typedef struct energies {
    double work, response; // P.u and P.W P
    double lost;           // D
} energies;

static energies add_up(const wave_field *field, const wave_run *run);
static double root_of(energies e);
static carom_status sweep(const wave_field *field, const wave_run *runs, carom_contact_set set,
                          carom_arena *arena, carom_motion *motion, carom_impact_report *report,
                          carom_error *err);
static carom_status bounce_once(const carom_problem *problem, carom_contact_set set,
                                carom_arena *arena, carom_motion *motion, double factor,
                                carom_impact_report *report, carom_error *err);
static carom_status stop(const wave_field *field, carom_contact_set island, carom_arena *arena,
                         carom_motion *motion, carom_impact_report *report, carom_error *err);

// A march whose impulses are no numbers, or far from what the energy allows, was unstable (masses a
// trillion times apart with friction can do that): it is taken back, and the island left to the
// finish.
void carom_wave_finish_scale(wave_field *field, wave_run *run)
{
    if (run->h == 0) {
        run->scale = 1;
        return;
    }
    energies e = add_up(field, run);
    run->scale = root_of(e);
    bool moved = e.response != 0 || e.work != 0;
    if (isfinite(e.work + e.response + e.lost) && (!moved || (run->scale > 0.1 && run->scale < 10)))
        return;
    for (int i = run->first; i < run->first + run->count; ++i) {
        field->lambda[i] = 0;
        if (field->roughs)
            field->roughs[i].impulse = vec3_make(0, 0, 0);
    }
    run->scale = 0;
    run->capped = true;
    run->h = run->h > 0 ? run->h : 1; // it may be no number any more; the finish goes by its sign
}

// The larger root. Where none exists the ledger asks for more than these impulses can take out;
// then the most they can.
static double root_of(energies e)
{
    if (!(e.response > 0) || !(e.work < 0))
        return 0;
    double inside = e.work * e.work - 2 * e.response * e.lost;
    return (-e.work + sqrt(fmax(inside, 0))) / e.response;
}

// M^-1 times this: what a body gets from all impulses of its contacts, linear and angular.
static void momentum_of(const wave_field *field, int body, vec3 *linear, vec3 *angular)
{
    const carom_problem *problem = field->problem;
    int which = field->body_of[body];
    *linear = *angular = vec3_make(0, 0, 0);
    for (int k = problem->first_contact[which]; k < problem->first_contact[which + 1]; ++k) {
        int i = field->rank_of[problem->contact_list[k]];
        const wave_contact *c = &field->contacts[i];
        bool is_b = c->b == body;
        if (field->lambda[i] == 0)
            continue;
        double sign = is_b ? 1 : -1;
        *linear = vec3_axpy(*linear, sign * field->lambda[i], c->d);
        if (field->arms)
            *angular = vec3_axpy(*angular, sign * field->lambda[i],
                                 is_b ? field->arms[i].b : field->arms[i].a);
        if (field->roughs) {
            const wave_rough *rough = &field->roughs[i];
            *linear = vec3_axpy(*linear, sign, rough->impulse);
            *angular = vec3_axpy(*angular, sign,
                                 vec3_cross(is_b ? rough->arm_b : rough->arm_a, rough->impulse));
        }
    }
}

// Slip before the impact times the tangential impulse.
static double tangential_work(const carom_problem *problem, const wave_rough *rough, int i)
{
    const carom_impact_contact *contact = &problem->contacts[i];
    const carom_impact_body *a = &problem->bodies[contact->a], *b = &problem->bodies[contact->b];
    vec3 va = vec3_add(vec3_from(a->velocity), vec3_cross(vec3_from(a->spin), rough->arm_a));
    vec3 vb = vec3_add(vec3_from(b->velocity), vec3_cross(vec3_from(b->spin), rough->arm_b));
    return vec3_dot(rough->impulse, vec3_sub(vb, va));
}

static energies contact_part(const wave_field *field, const wave_run *run, int piece)
{
    const carom_problem *problem = field->problem;
    energies part = { 0, 0, 0 };
    int first = field->first_place[run->first_piece + piece];
    for (int i = first; i < field->first_place[run->first_piece + piece + 1]; ++i) {
        part.work += field->lambda[i] * problem->u[field->order[i]];
        if (run->rough)
            part.work += tangential_work(problem, &field->roughs[i], field->order[i]);
        if (run->lossy)
            part.lost += field->losses[i].lost;
    }
    return part;
}

static double body_part(const wave_field *field, const wave_run *run, int piece)
{
    double part = 0;
    int first = run->first_body + piece * WAVE_PIECE;
    for (int body = first; body < first + wave_piece_size(run->body_count, piece); ++body) {
        vec3 linear, angular;
        momentum_of(field, body, &linear, &angular);
        part += field->bodies[body].inverse_mass * vec3_dot(linear, linear);
        if (field->spins)
            part += vec3_dot(angular, sym3_mul(field->spins[body].inverse_inertia, angular));
    }
    return part;
}

// One thread's share of the pieces; sums go piece by piece, so that threads do not show.
static void add_share(const wave_field *field, const wave_run *run, energies *all)
{
#pragma omp for ordered schedule(static, 1)
    for (int piece = 0; piece < run->pieces; ++piece) {
        energies part = contact_part(field, run, piece);
#pragma omp ordered
        {
            all->work += part.work;
            all->lost += part.lost;
        }
    }
#pragma omp for ordered schedule(static, 1)
    for (int piece = 0; piece < run->body_pieces; ++piece) {
        double part = body_part(field, run, piece);
#pragma omp ordered
        all->response += part;
    }
}

static energies add_up(const wave_field *field, const wave_run *run)
{
    energies all = { 0, 0, 0 };
    if (run->threads > 1) {
#pragma omp parallel num_threads(run->threads)
        add_share(field, run, &all);
        return all;
    }
    for (int piece = 0; piece < run->pieces; ++piece) {
        energies part = contact_part(field, run, piece);
        all.work += part.work;
        all.lost += part.lost;
    }
    for (int piece = 0; piece < run->body_pieces; ++piece)
        all.response += body_part(field, run, piece);
    return all;
}

static void apply_share(const wave_field *field, const wave_run *runs, carom_motion *motion)
{
    const carom_problem *problem = field->problem;
    CAROM_TEAM_EACH (island, problem->island_count, problem->threads)
        for (int k = problem->first_island[island]; k < problem->first_island[island + 1]; ++k) {
            int i = problem->island_contacts[k], place = field->rank_of[i];
            double s = runs[island].scale;
            motion->p[i][0] = s * field->lambda[place];
            if (runs[island].rough) {
                vec3 p = vec3_scale(s, field->roughs[place].impulse);
                motion->p[i][1] = vec3_dot(p, carom_problem_tangents(problem, i)[0].d);
                motion->p[i][2] = vec3_dot(p, carom_problem_tangents(problem, i)[1].d);
            }
        }
    carom_team_wait(problem->threads);
    // Body by body in the order of contacts: the same sums as applying row after row.
    int end = carom_team_end(problem->body_count, problem->threads);
    for (int body = carom_team_begin(problem->body_count, problem->threads); body < end; ++body)
        for (int k = problem->first_contact[body]; k < problem->first_contact[body + 1]; ++k) {
            int i = problem->contact_list[k];
            bool is_b = problem->normal[i].b == body;
            carom_twist *v = &motion->v[body];
            for (int part = 0; part < (problem->tangent ? 3 : 1); ++part) {
                double p = is_b ? motion->p[i][part] : -motion->p[i][part];
                const carom_row *row =
                    part == 0 ? &problem->normal[i] : &carom_problem_tangents(problem, i)[part - 1];
                if (p == 0)
                    continue;
                v->linear = vec3_axpy(v->linear, p * (is_b ? row->inv_b : row->inv_a), row->d);
                v->angular = vec3_axpy(v->angular, p, is_b ? row->turn_b : row->turn_a);
            }
        }
}

void carom_wave_finish_apply(const wave_field *field, const wave_run *runs, carom_motion *motion)
{
    CAROM_TEAM(field->problem->threads, apply_share(field, runs, motion));
}

carom_status carom_wave_finish_settle(const wave_field *field, const wave_run *runs,
                                      carom_arena *arena, carom_motion *motion,
                                      carom_impact_report *report, carom_error *err)
{
    const carom_problem *problem = field->problem;
    int *elastic, count = 0, lossy = 0;
    TAKE(arena, elastic, problem->contact_count, err);
    for (int island = 0; island < problem->island_count; ++island) {
        lossy += runs[island].lossy && runs[island].h > 0;
        if (!runs[island].lossy && runs[island].h > 0)
            for (int k = problem->first_island[island]; k < problem->first_island[island + 1]; ++k)
                elastic[count++] = problem->island_contacts[k];
    }
    if (count > 0)
        TRY(sweep(field, runs, (carom_contact_set){ elastic, count }, arena, motion, report, err));
    for (int island = 0; island < problem->island_count && lossy > 0; ++island)
        if (runs[island].lossy && runs[island].h > 0)
            TRY(stop(field, carom_inelastic_island(problem, island), arena, motion, report, err));
    return CAROM_OK;
}

// QCE sweeps keep energy, momentum and lambda >= 0 and end with nothing approaching. Where they
// have no end the rest follows Poisson's law.
static carom_status sweep(const wave_field *field, const wave_run *runs, carom_contact_set set,
                          carom_arena *arena, carom_motion *motion, carom_impact_report *report,
                          carom_error *err)
{
    const carom_problem *problem = field->problem;
    carom_qce_settings settings = { field->set.tolerance * problem->fastest, 1e-3, 100 };
    carom_qce_tally tally = { 0 };
    (void)runs;
    bool all = set.count == problem->contact_count;
    TRY(carom_qce_sweep(problem, all ? NULL : &set, &settings, arena, motion, &tally, err));
    report->events += tally.events;
    if (tally.open == 0 && !tally.stuck)
        return CAROM_OK;
    report->end = CAROM_IMPACT_ENDLESS;
    TRY(bounce_once(problem, set, arena, motion, 2, report, err));
    return bounce_once(problem, set, arena, motion, 1, report, err);
}

// Adds `factor` times the impulses that end all approach.
static carom_status bounce_once(const carom_problem *problem, carom_contact_set set,
                                carom_arena *arena, carom_motion *motion, double factor,
                                carom_impact_report *report, carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(arena);
    double *lambda;
    TAKE(arena, lambda, set.count, err);
    TRY(carom_inelastic_solve(problem, &set, NULL, arena, motion->v, lambda,
                              &report->solver_residual, err));
    for (int k = 0; k < set.count; ++k) {
        motion->p[set.index[k]][0] += factor * lambda[k];
        carom_row_apply(&problem->normal[set.index[k]], (factor - 1) * lambda[k], motion->v);
    }
    carom_arena_rewind(arena, mark);
    return CAROM_OK;
}

// Inelastic end of a lossy island: stops what still approaches, and what that makes approach. The
// set grows until it is closed; it stays small, as the micro-steps have done the work.
static carom_status stop(const wave_field *field, carom_contact_set island, carom_arena *arena,
                         carom_motion *motion, carom_impact_report *report, carom_error *err)
{
    const carom_problem *problem = field->problem;
    carom_arena_mark mark = carom_arena_mark_here(arena);
    double tolerance = field->set.tolerance * problem->fastest, *lambda;
    carom_contact_set set = { NULL, 0 };
    int *index;
    unsigned char *member;
    TAKE(arena, index, island.count, err);
    TAKE(arena, lambda, island.count, err);
    TAKE_ZEROS(arena, member, island.count, err);
    set.index = index;
    for (int round = 0; round <= island.count; ++round) {
        int before = set.count;
        set.count = 0;
        bool grew = false;
        for (int k = 0; k < island.count; ++k) {
            bool late = carom_row_speed(&problem->normal[island.index[k]], motion->v) < -tolerance;
            grew = grew || (late && !member[k]);
            member[k] = member[k] || late;
            if (member[k])
                index[set.count++] = island.index[k];
        }
        if (!grew) {
            set.count = before;
            break;
        }
        TRY(carom_inelastic_solve(problem, &set, NULL, arena, motion->v, lambda,
                                  &report->solver_residual, err));
        for (int k = 0; k < set.count; ++k)
            motion->p[index[k]][0] += lambda[k];
    }
    if (report->solver_residual > CAROM_INELASTIC_STALLED)
        report->end = CAROM_IMPACT_STALLED;
    carom_arena_rewind(arena, mark);
    return CAROM_OK;
}
