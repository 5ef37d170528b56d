// The inelastic solve: exact, independent of order, least impulses, parts, large sets.
#include "impact/inelastic.h"
#include "support/check.h"
#include "support/instant.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES_MAX = 1200, CONTACTS_MAX = 4000 };

static instant storage, *scene = &storage;
static carom_workspace *workspace;

// |min(lam, u+)| over the contacts, in units where W_ii = 1, relative to the fastest: computed here
// from velocities and impulses alone.
static double residual(void)
{
    carom_arena *arena = carom_arena_create(0);
    carom_problem problem;
    double worst = 0, size = 0;
    CHECK(carom_problem_build(&scene->impact, arena, &problem, NULL) == CAROM_OK, "built");
    carom_twist v[BODIES_MAX];
    for (int i = 0; i < problem.body_count; ++i)
        v[i] = (carom_twist){ vec3_from(scene->v[i]), vec3_from(scene->w[i]) };
    for (int i = 0; i < problem.contact_count; ++i) {
        double root = sqrt(problem.normal[i].diagonal), p = scene->p[i][0] * root;
        double u = carom_row_speed(&problem.normal[i], v) / root;
        worst = fmax(worst, fabs(fmin(p, u)));
        size = fmax(size, fabs(problem.u[i]) / root);
    }
    carom_arena_destroy(arena);
    return size > 0 ? worst / size : 0;
}

// A triangular crystal of balls with random velocities in the plane: W is singular, three contacts
// per ball against two directions.
static void crystal(int rows, int columns, carom_random *random)
{
    instant_clear(scene);
    for (int i = 0; i < rows * columns; ++i) {
        int r = i / columns, c = i % columns;
        double position[3] = { c + 0.5 * (r % 2), r * sqrt(0.75), 0 };
        double velocity[3] = { carom_random_normal(random), carom_random_normal(random), 0 };
        instant_ball(scene, 1, 0.5, vec3_from(position), vec3_from(velocity));
        for (int j = 0; j < i; ++j) {
            const double *other = scene->bodies[j].position;
            double dx = other[0] - position[0], dy = other[1] - position[1];
            if (dx * dx + dy * dy < 1.01)
                instant_touch(scene, j, i);
        }
    }
}

// Shuffles contacts (and turns half of them around); `place` says where each went.
static void shuffle(carom_random *random, int *place)
{
    int n = scene->impact.contact_count;
    static carom_impact_contact old[CONTACTS_MAX];
    memcpy(old, scene->contacts, (size_t)n * sizeof *old);
    for (int i = 0; i < n; ++i)
        place[i] = i;
    for (int i = n - 1; i > 0; --i) {
        int j = carom_random_below(random, i + 1), kept = place[i];
        place[i] = place[j];
        place[j] = kept;
    }
    for (int i = 0; i < n; ++i) {
        carom_impact_contact *contact = &scene->contacts[place[i]];
        *contact = old[i];
        if (carom_random_below(random, 2)) {
            contact->a = old[i].b;
            contact->b = old[i].a;
            for (int k = 0; k < 3; ++k)
                contact->normal[k] = -old[i].normal[k];
        }
    }
}

static void check_order(const char *what, carom_random *random)
{
    static double v[BODIES_MAX][3], p[CONTACTS_MAX][3];
    static int place[CONTACTS_MAX];
    double worst_v = 0, worst_p = 0, largest = 0;
    instant_run(scene, workspace, "inelastic", NULL);
    CHECK_MOST(residual(), 1e-12, "%s: residual, %d contacts", what, scene->impact.contact_count);
    memcpy(v, scene->v, (size_t)scene->impact.body_count * sizeof *v);
    memcpy(p, scene->p, (size_t)scene->impact.contact_count * sizeof *p);
    shuffle(random, place);
    instant_run(scene, workspace, "inelastic", NULL);
    for (int i = 0; i < scene->impact.body_count; ++i)
        for (int k = 0; k < 3; ++k)
            worst_v = fmax(worst_v, fabs(v[i][k] - scene->v[i][k]));
    for (int i = 0; i < scene->impact.contact_count; ++i) {
        worst_p = fmax(worst_p, fabs(p[i][0] - scene->p[place[i]][0]));
        largest = fmax(largest, p[i][0]);
    }
    CHECK_MOST(worst_v, 1e-12, "%s: velocities in another order", what);
    // Impulses depend on v through the pseudo-inverse of W: two digits more.
    CHECK_MOST(worst_p, 1e-10 * largest, "%s: impulses in another order", what);
}

static void test_order(void)
{
    carom_random random = carom_random_make(11, 0);
    for (int round = 0; round < check_effort(40, 10); ++round) {
        instant_cluster(scene, 30, carom_random_next(&random));
        check_order("cluster", &random);
        crystal(3 + round % 6, 8, &random);
        check_order("crystal", &random);
    }
    crystal(11, 13, &random);
    CHECK(scene->impact.contact_count > 350 && scene->impact.contact_count <= 400, "%d contacts",
          scene->impact.contact_count);
    check_order("large crystal", &random);
}

static void test_iterative(void)
{
    carom_random random = carom_random_make(12, 0);
    crystal(20, 20, &random);
    CHECK(scene->impact.contact_count > 1000, "%d contacts", scene->impact.contact_count);
    instant_run(scene, workspace, "inelastic", NULL);
    CHECK(scene->report.end == CAROM_IMPACT_SETTLED, "converged");
    // The last scaling, which balances the energy, may raise the residual a little.
    CHECK_MOST(residual(), 10 * CAROM_INELASTIC_LARGE_RESIDUAL, "the stated residual");
    CHECK_MOST(scene->report.momentum_error, 1e-13, "momentum");
    double lost = 0, work = 0; // |v+ - v-|^2 = |v-|^2 - |v+|^2 for a projection on a cone
    for (int i = 0; i < scene->impact.body_count; ++i)
        for (int k = 0; k < 3; ++k) {
            double before = scene->bodies[i].velocity[k], after = scene->v[i][k];
            lost += (before - after) * (before - after);
            work += before * before - after * after;
        }
    CHECK_NEAR(lost, work, 1e-12 * work, "the energy balance of a projection");
}

// Masses over twelve decades: no approach is left, and heavy bodies do not notice light ones.
static void test_masses(void)
{
    carom_random random = carom_random_make(13, 0);
    for (int round = 0; round < check_effort(200, 20); ++round) {
        uint64_t seed = carom_random_next(&random);
        instant_cluster(scene, 5 + carom_random_below(&random, 26), seed);
        for (int i = 0; i < scene->impact.body_count; ++i) {
            double mass = pow(10, carom_random_between(&random, -6, 6));
            scene->bodies[i].inverse_mass /= mass;
            for (int k = 0; k < 3; ++k)
                scene->bodies[i].inverse_inertia[k] /= mass;
        }
        instant_run(scene, workspace, "inelastic", NULL);
        const carom_impact_report *r = &scene->report;
        CHECK_MOST(r->penetration, 1e-12 * r->fastest, "masses 1e-6 to 1e6: no approach");
        CHECK_MOST(r->energy_after, r->energy_before * (1 + 1e-12), "masses: energy");
        CHECK_MOST(r->solver_residual, 1e-12, "masses: residual");
    }
}

// Beyond the exact size the iteration fails on such masses; what follows it does not.
static void test_large_masses(void)
{
    carom_random random = carom_random_make(14, 0);
    crystal(20, 20, &random);
    for (int i = 0; i < scene->impact.body_count; ++i)
        scene->bodies[i].inverse_mass *= pow(10, carom_random_between(&random, -6, 6));
    instant_run(scene, workspace, "inelastic", NULL);
    const carom_impact_report *r = &scene->report;
    CHECK(scene->impact.contact_count > CAROM_INELASTIC_EXACT, "%d contacts",
          scene->impact.contact_count);
    CHECK(r->end == CAROM_IMPACT_SETTLED, "large masses: settled");
    CHECK_MOST(r->penetration, 1e-11 * r->fastest, "large masses: no approach");
    CHECK_MOST(r->solver_residual, CAROM_INELASTIC_LARGE_RESIDUAL, "large masses: residual");
}

// Parts are independent: a set of two far pairs, and targets by position in the set.
static void test_sets(void)
{
    instant_clear(scene);
    for (int i = 0; i < 4; ++i)
        instant_ball(scene, 1, 0.5, vec3_make(i + 5 * (i / 2), 0, 0),
                     vec3_make(i % 2 ? -1 : 1, 0, 0));
    instant_touch(scene, 0, 1);
    instant_touch(scene, 2, 3);
    carom_arena *arena = carom_arena_create(0);
    carom_problem problem;
    CHECK(carom_problem_build(&scene->impact, arena, &problem, NULL) == CAROM_OK, "built");
    carom_twist v[4];
    for (int i = 0; i < 4; ++i)
        v[i] = (carom_twist){ vec3_from(scene->bodies[i].velocity), vec3_make(0, 0, 0) };
    int index[2] = { 1, 0 };
    double target[2] = { 0, 4 }, lambda[2], worst = 0;
    carom_contact_set set = { index, 2 };
    CHECK(carom_inelastic_solve(&problem, &set, target, arena, v, lambda, &worst, NULL) == CAROM_OK,
          "solved");
    CHECK_NEAR(lambda[0], 1, 1e-15, "contact 1 comes to rest");
    CHECK_NEAR(lambda[1], 3, 1e-15, "contact 0 leaves at 4");
    CHECK_NEAR(v[1].linear.x - v[0].linear.x, 4, 1e-15, "contact 0 leaves at 4");
    CHECK_NEAR(v[3].linear.x, 0, 1e-15, "contact 1 rests");
    set.count = 1;
    CHECK(carom_inelastic_solve(&problem, &set, NULL, arena, v, lambda, &worst, NULL) == CAROM_OK,
          "solved");
    CHECK_NEAR(lambda[0], 0, 0, "nothing to do");
    carom_arena_destroy(arena);
}

int main(void)
{
    workspace = carom_workspace_create();
    if (!CHECK(scene && workspace, "memory"))
        return check_report();
    test_order();
    test_iterative();
    test_masses();
    test_large_masses();
    test_sets();
    carom_workspace_destroy(workspace);
    instant_free(scene);
    return check_report();
}
