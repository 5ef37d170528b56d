// The energy limiter: the rod that gains 54 % without it, mixed restitution, and that it rests
// where nothing is gained.
#include "impact/complementarity.h"
#include "support/check.h"
#include "support/instant.h"

#include <math.h>
#include <stdlib.h>

static instant storage, *scene = &storage;
static carom_workspace *workspace;

// A rod of length 1 and mass 1 at an angle, its end on the floor, mu = 0.603, c = 1 (independent
// reference computation).
static void rod(void)
{
    double angle = 42.92450818018142 * 3.141592653589793 / 180;
    double tip[3] = { 0.5 * cos(angle), 0, -0.5 * sin(angle) };
    instant_clear(scene);
    int body =
        instant_ball(scene, 1, 0.5, vec3_make(0, 0, 0),
                     vec3_make(0.08134968214973698, 0.04183433398224792, -0.8205835053758862));
    for (int k = 0; k < 3; ++k)
        scene->bodies[body].inverse_inertia[k] = 12;
    scene->bodies[body].spin[1] = 2.981692778722551;
    int floor = instant_wall(scene, vec3_make(0, 0, 0));
    instant_contact(scene, body, floor, vec3_from(tip), vec3_make(0, 0, -1));
    instant_set_restitution(scene, 1);
    instant_set_friction(scene, 0.6030316350919193);
}

static void test_rod(void)
{
    rod();
    carom_arena *arena = carom_arena_create(0);
    carom_problem problem;
    carom_motion end, reference;
    carom_impact_report report = { .limiter = 1 };
    CHECK(carom_problem_build(&scene->impact, arena, &problem, NULL) == CAROM_OK, "built");
    CHECK(carom_problem_begin_motion(&problem, arena, &end, NULL) == CAROM_OK, "begun");
    CHECK(carom_problem_begin_motion(&problem, arena, &reference, NULL) == CAROM_OK, "begun");
    double before = carom_problem_energy(&problem, end.v), target = -problem.u[0];
    carom_complementarity bounce = { .target = &target }, rest = { 0 };
    CHECK(carom_complementarity_solve(&problem, &bounce, arena, &end, &report, NULL) == CAROM_OK,
          "run");
    CHECK(carom_complementarity_solve(&problem, &rest, arena, &reference, &report, NULL) ==
              CAROM_OK,
          "run");
    double after = carom_problem_energy(&problem, end.v);
    CHECK_NEAR(after / before, 1.5389264771123847, 1e-11, "without the limiter");
    carom_contact_set set = carom_inelastic_island(&problem, 0);
    CHECK(carom_limiter_needed(&problem, &set, end.v, (const double(*)[3])end.p) &&
              !carom_limiter_needed(&problem, &set, reference.v, (const double(*)[3])reference.p),
          "the gain is seen from speeds and impulses alone");
    double b = carom_limiter_apply(&problem, &set, &reference, &end, &report);
    CHECK_NEAR(carom_problem_energy(&problem, end.v) / before, 1, 1e-14, "with it: no gain");
    CHECK(b > 0.1 && b < 1 && report.limiter == b && report.limited == 1, "b = %g, counted", b);
    const double *p = end.p[0];
    CHECK_MOST(sqrt(p[1] * p[1] + p[2] * p[2]), 0.6030316350919193 * p[0] * (1 + 1e-14),
               "the blend stays in the cone");
    CHECK_MOST(0, carom_row_speed(&problem.normal[0], end.v), "and does not penetrate");
    CHECK_NEAR(carom_limiter_apply(&problem, &set, &reference, &end, &report), 1, 0,
               "once is enough");
    carom_arena_destroy(arena);
}

static void test_laws(void)
{
    const char *names[] = { "newton", "poisson", "smm" };
    for (int law = 0; law < 3; ++law) {
        rod();
        instant_run(scene, workspace, names[law], NULL);
        const carom_impact_report *r = &scene->report;
        CHECK_MOST(r->energy_after, r->energy_before * (1 + 1e-13), "rod, %s", names[law]);
        CHECK(r->limited == (r->limiter < 1), "rod, %s: counted", names[law]);
        CHECK_MOST(r->momentum_error, 1e-13, "rod, %s: momentum", names[law]);
    }
}

// Different restitutions in one island: some gain without the limiter, none with it; islands with
// one restitution are never touched.
static void test_mixed(void)
{
    carom_random random = carom_random_make(31, 0);
    const char *names[] = { "newton", "poisson", "smm", "gr" };
    int limited = 0;
    for (int round = 0; round < 300; ++round) {
        double masses[5], v[5];
        for (int i = 0; i < 5; ++i) {
            masses[i] = carom_random_between(&random, 0.2, 5);
            v[i] = carom_random_normal(&random);
        }
        instant_chain(scene, 5, masses, v);
        for (int law = 0; law < 4; ++law) {
            for (int i = 0; i < scene->impact.contact_count; ++i)
                scene->contacts[i].restitution = carom_random_unit(&random);
            instant_run(scene, workspace, names[law], NULL);
            const carom_impact_report *r = &scene->report;
            limited += r->limited;
            CHECK_MOST(r->energy_after, r->energy_before * (1 + 1e-13), "mixed, %s", names[law]);
            CHECK_MOST(r->momentum_error, 1e-13, "mixed, %s: momentum", names[law]);
            if (law == 1 || law == 3)
                CHECK_MOST(r->penetration, 1e-12, "mixed, %s: no penetration", names[law]);
            instant_set_restitution(scene, carom_random_unit(&random));
            instant_set_friction(scene, 0);
            instant_run(scene, workspace, names[law], NULL);
            CHECK(r->limited == 0 && r->limiter == 1, "one restitution, %s: at rest", names[law]);
        }
    }
    CHECK(limited > 0, "the limiter was needed %d times", limited);
}

// A driven floor may give energy; the limiter must not take it for a gain.
static void test_driven(void)
{
    instant_clear(scene);
    int ball = instant_ball(scene, 1, 0.5, vec3_make(0, 0, 0.5), vec3_make(1, 0, -1));
    int floor = instant_wall(scene, vec3_make(0, 0, 5));
    instant_contact(scene, ball, floor, vec3_make(0, 0, 0), vec3_make(0, 0, -1));
    instant_set_restitution(scene, 1);
    instant_set_friction(scene, 0.3);
    instant_run(scene, workspace, "newton", NULL);
    CHECK_NEAR(scene->v[0][2], 11, 1e-12, "thrown upwards at 2 * 5 + 1");
    CHECK(scene->report.limited == 0, "not limited");
}

int main(void)
{
    workspace = carom_workspace_create();
    if (!CHECK(scene && workspace, "memory"))
        return check_report();
    test_rod();
    test_laws();
    test_mixed();
    test_driven();
    carom_workspace_destroy(workspace);
    instant_free(scene);
    return check_report();
}
