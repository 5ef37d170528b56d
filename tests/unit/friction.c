// Friction: Coulomb's conditions checked contact by contact, closed forms, symmetry.
#include "impact/friction_sweep.h"
#include "impact/complementarity.h"
#include "support/check.h"
#include "support/instant.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES_MAX = 1200, CONTACTS_MAX = 4000 };

static instant storage, *scene = &storage;
static carom_workspace *workspace;

static void floor_under(double every)
{
    int n = scene->impact.body_count, floor = instant_wall(scene, vec3_make(0, 0, 0));
    for (int i = 0; i < n; i += (int)every) {
        const double *p = scene->bodies[i].position;
        instant_contact(scene, i, floor, vec3_make(p[0], p[1], p[2] - 0.5), vec3_make(0, 0, -1));
    }
}

// The conditions themselves, from velocities and impulses: returns the largest miss, in m/s or as
// part of the largest impulse.
static double miss(void)
{
    carom_arena *arena = carom_arena_create(0);
    carom_problem problem;
    carom_twist v[BODIES_MAX];
    double worst = 0, largest = 0;
    CHECK(carom_problem_build(&scene->impact, arena, &problem, NULL) == CAROM_OK, "built");
    for (int i = 0; i < problem.body_count; ++i)
        v[i] = (carom_twist){ vec3_from(scene->v[i]), vec3_from(scene->w[i]) };
    for (int i = 0; i < problem.contact_count; ++i)
        largest = fmax(largest, scene->p[i][0]);
    largest = largest > 0 ? largest : 1;
    for (int i = 0; i < problem.contact_count; ++i) {
        const double *p = scene->p[i];
        double mu = problem.contacts[i].friction, length = sqrt(p[1] * p[1] + p[2] * p[2]);
        double u = carom_row_speed(&problem.normal[i], v);
        double s = carom_row_speed(&carom_problem_tangents(&problem, i)[0], v);
        double t = carom_row_speed(&carom_problem_tangents(&problem, i)[1], v),
               slip = sqrt(s * s + t * t);
        worst = fmax(worst, -u);                      // no approach
        worst = fmax(worst, -p[0] / largest);         // no pull
        worst = fmax(worst, fmin(p[0] / largest, u)); // pressed only where not leaving
        worst = fmax(worst, (length - mu * p[0]) / largest);
        // Slip only with friction at its bound, and straight against the slip.
        worst = fmax(worst, fmin(slip, fmax(mu * p[0] - length, 0) / largest));
        worst = fmax(worst, (length * slip + p[1] * s + p[2] * t) / largest);
    }
    carom_arena_destroy(arena);
    return worst;
}

static void test_conditions(void)
{
    carom_random random = carom_random_make(21, 0);
    int settled = 0, rounds = 150;
    for (int round = 0; round < rounds; ++round) {
        uint64_t seed = carom_random_next(&random);
        instant_cluster(scene, 3 + carom_random_below(&random, 20), seed);
        floor_under(4);
        for (int i = 0; i < scene->impact.contact_count; ++i)
            scene->contacts[i].friction = carom_random_between(&random, 0, 2);
        instant_run(scene, workspace, "inelastic", NULL);
        settled += scene->report.end == CAROM_IMPACT_SETTLED;
        if (scene->report.end != CAROM_IMPACT_SETTLED)
            continue;
        CHECK_MOST(miss(), 1e-11, "round %d: Coulomb's conditions", round);
        CHECK_MOST(scene->report.energy_after, scene->report.energy_before,
                   "friction takes energy");
    }
    CHECK(settled >= rounds - 1, "%d of %d converged", settled, rounds);
}

// Masses over four decades: the passes alone would take tens of thousands of iterations.
static void test_masses(void)
{
    carom_random random = carom_random_make(24, 0);
    int settled = 0, rounds = 60;
    for (int round = 0; round < rounds; ++round) {
        uint64_t seed = carom_random_next(&random);
        instant_cluster(scene, 10 + carom_random_below(&random, 15), seed);
        floor_under(4);
        instant_set_restitution(scene, 0);
        instant_set_friction(scene, 0.7);
        for (int i = 0; i < scene->impact.body_count - 1; ++i) {
            double mass = pow(10, carom_random_between(&random, -2, 2));
            scene->bodies[i].inverse_mass /= mass;
            for (int k = 0; k < 3; ++k)
                scene->bodies[i].inverse_inertia[k] /= mass;
        }
        instant_run(scene, workspace, "inelastic", NULL);
        settled += scene->report.end == CAROM_IMPACT_SETTLED &&
                   scene->report.solver_residual <= CAROM_FRICTION_RESIDUAL;
    }
    CHECK(settled >= rounds - 1, "masses 1e-2 to 1e2: %d of %d to round-off", settled, rounds);
}

// Two spheres, oblique, with spin (independent reference computation): slipping and rolling.
static void test_oblique(void)
{
    double wanted[][9] = {
        // mu, c, v_a x y, w_a z, v_b x y, w_b z, energy
        { 0.1, 0.3, 0.35, 0.435, 1.675, 0.65, 0.065, -0.325, 0.6239848484848486 },
        { 0.1, 1.0, 0.0, 0.4, 1.5, 1.0, 0.1, -0.5, 0.8606060606060606 },
        { 0.4, 0.3, 0.35, 2 / 7.0, 13 / 14.0, 0.65, 1.5 / 7, -7.5 / 7, 0.5294372294372295 },
        { 0.4, 1.0, 0.0, 2 / 7.0, 13 / 14.0, 1.0, 1.5 / 7, -7.5 / 7, 0.8051948051948052 }
    };
    for (int i = 0; i < 4; ++i) {
        instant_clear(scene);
        instant_ball(scene, 1, 0.5, vec3_make(0, 0, 0), vec3_make(1, 0.5, 0));
        instant_ball(scene, 1, 0.5, vec3_make(1, 0, 0), vec3_make(0, 0, 0));
        scene->bodies[0].spin[2] = 2;
        instant_touch(scene, 0, 1);
        instant_set_restitution(scene, wanted[i][1]);
        instant_set_friction(scene, wanted[i][0]);
        instant_run(scene, workspace, "newton", NULL);
        double found[7] = { scene->v[0][0],
                            scene->v[0][1],
                            scene->w[0][2],
                            scene->v[1][0],
                            scene->v[1][1],
                            scene->w[1][2],
                            scene->report.energy_after / scene->report.energy_before };
        for (int k = 0; k < 7; ++k)
            CHECK_NEAR(found[k], wanted[i][2 + k], 1e-12, "oblique pair %d, number %d", i, k);
    }
}

static void box(double angle, double speed)
{
    instant_clear(scene);
    int body =
        instant_box(scene, 1, vec3_scale(0.5, vec3_make(2, 2, 0.5)), quat_identity(),
                    vec3_make(0, 0, 0.25), vec3_make(speed * cos(angle), speed * sin(angle), -1));
    int floor = instant_wall(scene, vec3_make(0, 0, 0));
    for (int i = 0; i < 4; ++i)
        instant_contact(scene, body, floor, vec3_make(i & 1 ? 1 : -1, i & 2 ? 1 : -1, 0),
                        vec3_make(0, 0, -1));
}

// A box that slides on four corners does not start to turn about the vertical, whatever the order
// of its contacts; along a diagonal the pyramid brakes by sqrt 2 more than the cone.
static void test_box(void)
{
    const char *names[] = { "inelastic", "newton", "poisson" };
    for (int law = 0; law < 3; ++law)
        for (int angle = 0; angle < 8; ++angle) {
            box(angle * 0.78539816339744831, 10);
            instant_set_restitution(scene, 0.5);
            instant_set_friction(scene, 0.1);
            instant_run(scene, workspace, names[law], NULL);
            CHECK_NEAR(scene->w[0][2], 0, 1e-12, "%s, direction %d: no turning", names[law], angle);
            CHECK(scene->report.end == CAROM_IMPACT_SETTLED, "converged");
        }
    double braked[2];
    for (int pyramid = 0; pyramid < 2; ++pyramid) {
        box(0.78539816339744831, 10);
        instant_set_restitution(scene, 0);
        instant_set_friction(scene, 0.05);
        instant_run(scene, workspace,
                    pyramid ? "inelastic friction=pyramid" : "inelastic friction=cone", NULL);
        double x = scene->v[0][0], y = scene->v[0][1];
        braked[pyramid] = 10 - sqrt(x * x + y * y);
    }
    // All corners slip: the brake is mu times the normal impulse, which is 1 (mass times speed).
    CHECK_NEAR(braked[0], 0.05, 1e-12, "cone: mu p_n");
    CHECK_NEAR(braked[1], 0.05 * sqrt(2), 1e-12, "pyramid along its diagonal");
}

// Renumbering the contacts and turning the scene about z changes nothing.
static void test_symmetry(void)
{
    carom_random random = carom_random_make(22, 0);
    static double v[BODIES_MAX][3];
    double worst = 0;
    for (int round = 0; round < 60; ++round) {
        instant_cluster(scene, 12, carom_random_next(&random));
        floor_under(3);
        instant_set_restitution(scene, 0.3);
        instant_set_friction(scene, carom_random_between(&random, 0, 1));
        instant_run(scene, workspace, "poisson", NULL);
        memcpy(v, scene->v, (size_t)scene->impact.body_count * sizeof *v);
        int n = scene->impact.contact_count;
        for (int i = 0; i < n / 2; ++i) {
            carom_impact_contact kept = scene->contacts[i];
            scene->contacts[i] = scene->contacts[n - 1 - i];
            scene->contacts[n - 1 - i] = kept;
        }
        double c = 0.6, s = 0.8;
        for (int i = 0; i < scene->impact.body_count; ++i) {
            double *all[2] = { scene->bodies[i].position, scene->bodies[i].velocity };
            for (int k = 0; k < 2; ++k) {
                double x = all[k][0], y = all[k][1];
                all[k][0] = c * x - s * y;
                all[k][1] = s * x + c * y;
            }
        }
        for (int i = 0; i < n; ++i) {
            double *all[2] = { scene->contacts[i].point, scene->contacts[i].normal };
            for (int k = 0; k < 2; ++k) {
                double x = all[k][0], y = all[k][1];
                all[k][0] = c * x - s * y;
                all[k][1] = s * x + c * y;
            }
        }
        instant_run(scene, workspace, "poisson", NULL);
        for (int i = 0; i < scene->impact.body_count; ++i) {
            double x = scene->v[i][0], y = scene->v[i][1];
            worst = fmax(worst, fabs(c * x + s * y - v[i][0]));
            worst = fmax(worst, fabs(c * y - s * x - v[i][1]));
            worst = fmax(worst, fabs(scene->v[i][2] - v[i][2]));
        }
    }
    // Residual 1e-13 times the condition of the islands.
    CHECK_MOST(worst, 1e-9, "renumbered and turned");
}

// Long islands: the stated residual, and Coulomb's conditions to it.
static void test_large(void)
{
    carom_random random = carom_random_make(23, 0);
    instant_cluster(scene, 200, carom_random_next(&random));
    floor_under(10);
    instant_set_restitution(scene, 0);
    instant_set_friction(scene, 0.4);
    instant_run(scene, workspace, "inelastic", NULL);
    CHECK(scene->impact.contact_count > CAROM_FRICTION_SMALL, "%d contacts",
          scene->impact.contact_count);
    CHECK(scene->report.end == CAROM_IMPACT_SETTLED, "converged");
    CHECK_MOST(scene->report.solver_residual, CAROM_FRICTION_MIDDLE_RESIDUAL, "residual");
    CHECK_MOST(miss(), 1e-7, "Coulomb's conditions");
    instant_cluster(scene, 700, carom_random_next(&random));
    floor_under(10);
    instant_set_restitution(scene, 0);
    instant_set_friction(scene, 0.4);
    instant_run(scene, workspace, "inelastic", NULL);
    CHECK(scene->impact.contact_count > CAROM_INELASTIC_EXACT, "more than exact ones");
    CHECK(scene->report.end == CAROM_IMPACT_SETTLED, "converged");
    CHECK_MOST(scene->report.solver_residual, CAROM_FRICTION_LARGE_RESIDUAL, "residual");
    CHECK_MOST(miss(), 1e-4, "Coulomb's conditions");
}

typedef enum solver { PASSES, LARGE, SWEPT } solver;

// All islands from nothing, by one of the solvers; v after. Returns the largest residual.
static double solve_by(solver by, const carom_problem *problem,
                       const carom_friction_conditions *conditions, carom_arena *arena,
                       carom_twist *v)
{
    double residual = 0;
    for (int i = 0; i < problem->body_count; ++i)
        v[i] =
            (carom_twist){ vec3_from(scene->bodies[i].velocity), vec3_from(scene->bodies[i].spin) };
    for (int island = 0; island < problem->island_count; ++island) {
        carom_contact_set set = carom_inelastic_island(problem, island);
        carom_friction_report report = { 0 };
        carom_friction_sweeper *sweeper;
        double p[CONTACTS_MAX][3] = { 0 };
        carom_status status = CAROM_OK;
        if (by == PASSES) {
            status = carom_friction_solve(problem, &set, conditions, arena, v, p, &report, NULL);
        } else if (by == LARGE) {
            status =
                carom_friction_large_solve(problem, &set, conditions, arena, v, p, &report, NULL);
        } else {
            status = carom_friction_sweep_begin(problem, set.count, arena, &sweeper, NULL);
            carom_friction_sweep_island(sweeper, &set, conditions, v, p, &report);
        }
        CHECK(status == CAROM_OK, "solver %d", (int)by);
        residual = fmax(residual, report.residual);
    }
    return residual;
}

// The iterations for large islands on small ones, where the exact passes tell the answer: cone and
// pyramid, with and without a least normal impulse, and sweeps with normal impulses of any sign.
static void test_large_as_small(void)
{
    static carom_twist v[3][BODIES_MAX];
    carom_random random = carom_random_make(24, 0);
    double worst = 0, residual = 0, base[CONTACTS_MAX];
    for (int round = 0; round < 80; ++round) {
        instant_cluster(scene, 12, carom_random_next(&random));
        floor_under(10);
        instant_set_restitution(scene, 0);
        instant_set_friction(scene, 0.3);
        carom_arena *arena = carom_arena_create(0);
        carom_problem problem;
        CHECK(carom_problem_build(&scene->impact, arena, &problem, NULL) == CAROM_OK, "built");
        for (int i = 0; i < problem.contact_count; ++i)
            base[i] = round % 4 >= 2 ? 0.1 * carom_random_unit(&random) : 0;
        carom_friction_conditions conditions = {
            .base = base,
            .bound = round % 2 ? CAROM_FRICTION_PYRAMID : CAROM_FRICTION_CONE,
            .kind = round >= 40 ? CAROM_FRICTION_BILATERAL : CAROM_FRICTION_UNILATERAL,
            .residual = CAROM_FRICTION_LARGE_RESIDUAL
        };
        solve_by(PASSES, &problem, &conditions, arena, v[PASSES]);
        for (solver by = round >= 40 ? SWEPT : LARGE; by <= SWEPT; ++by) {
            residual = fmax(residual, solve_by(by, &problem, &conditions, arena, v[by]));
            for (int i = 0; i < problem.body_count; ++i)
                worst = fmax(worst, vec3_length(vec3_sub(v[PASSES][i].linear, v[by][i].linear)));
        }
        carom_arena_destroy(arena);
    }
    CHECK_MOST(residual, CAROM_FRICTION_LARGE_RESIDUAL, "large as small: residual");
    // The residual times the condition of such clusters; speeds are about 1.
    CHECK_MOST(worst, 1e-3, "large as small: velocities");
}

int main(void)
{
    workspace = carom_workspace_create();
    if (!CHECK(scene && workspace, "memory"))
        return check_report();
    test_conditions();
    test_masses();
    test_oblique();
    test_box();
    test_symmetry();
    test_large();
    test_large_as_small();
    carom_workspace_destroy(workspace);
    instant_free(scene);
    return check_report();
}
