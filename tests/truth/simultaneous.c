// Closed forms and independent reference numbers for inelastic, newton, poisson, gr and smm.
// Where a number has ten digits and no derivation it comes from an independent reference
// computation (numpy).
#include "support/check.h"
#include "support/instant.h"

#include <math.h>
#include <stdlib.h>

static instant storage, *scene = &storage;
static carom_workspace *workspace;

static void resolve(const char *law)
{
    instant_run(scene, workspace, law, NULL);
}

// Every promise that all these laws share, at round-off.
static void check_kept(const char *what)
{
    const carom_impact_report *r = &scene->report;
    CHECK_MOST(r->energy_after, (r->energy_before + r->work) * (1 + 1e-12) + 1e-15, "%s: energy",
               what);
    CHECK_MOST(r->momentum_error, 1e-12, "%s: momentum", what);
}

static void test_three_balls(void)
{
    for (int step = 1; step < 20; ++step) { // [QCE, section 5.1]: C at -1, A at va
        double va = step / 20.0, v[3] = { va, 0, -1 };
        double wanted[3] = { -(2 + va) / 3, 2 * (va - 1) / 3, (1 + 2 * va) / 3 };
        instant_chain(scene, 3, NULL, v);
        for (int law = 0; law < 3; ++law) {
            const char *names[] = { "newton", "gr", "poisson" };
            resolve(names[law]);
            for (int i = 0; i < 3; ++i)
                CHECK_NEAR(scene->v[i][0], wanted[i], 1e-14, "%s, va = %g, ball %d", names[law], va,
                           i);
        }
    }
    instant_chain(scene, 3, NULL, (double[]){ 0, 0, -1 });
    resolve("gr");
    CHECK_NEAR(scene->v[0][0], -1, 1e-15, "gr at va = 0: the first leaves");
    CHECK_NEAR(scene->v[2][0], 0, 1e-15, "gr at va = 0: the striker stops");
}

static void test_cradle(void)
{
    double v[10];
    for (int n = 3; n <= 10; ++n)
        for (int k = 1; k < n; ++k) {
            for (int i = 0; i < n; ++i)
                v[i] = i < k;
            instant_chain(scene, n, NULL, v);
            resolve("gr");
            for (int i = 0; i < n; ++i)
                CHECK_NEAR(scene->v[i][0], i >= n - k, 1e-12, "gr cradle (%d, %d), ball %d", n, k,
                           i);
        }
    instant_chain(scene, 3, NULL, (double[]){ 1, 0, 0 });
    resolve("newton");
    double lcp[3] = { -1 / 3.0, 2 / 3.0, 2 / 3.0 };
    for (int i = 0; i < 3; ++i)
        CHECK_NEAR(scene->v[i][0], lcp[i], 1e-15, "newton cradle (3, 1), ball %d", i);
    resolve("poisson");
    CHECK_NEAR(scene->p[0][0], 4 / 3.0, 1e-15, "poisson (3, 1): first impulse");
    CHECK_NEAR(scene->p[1][0], 2 / 3.0, 1e-15, "poisson (3, 1): second impulse");
    instant_chain(scene, 5, NULL, (double[]){ 1, 1, 0, 0, 0 });
    resolve("inelastic");
    double lam[4] = { 0.6, 1.2, 0.8, 0.4 };
    for (int i = 0; i < 4; ++i)
        CHECK_NEAR(scene->p[i][0], lam[i], 1e-15, "inelastic (5, 2): impulse %d", i);
    for (int i = 0; i < 5; ++i)
        CHECK_NEAR(scene->v[i][0], 0.4, 1e-15, "inelastic (5, 2): one speed");
}

// v- = (1, 0, 0.5): newton leaves contact 2 approaching, poisson and gr do not.
static void test_newton_defect(void)
{
    instant_chain(scene, 3, NULL, (double[]){ 1, 0, 0.5 });
    double wanted[3][3] = { { 0, 1, 0.5 }, { 0, 0.75, 0.75 }, { 0, 0.5, 1 } };
    const char *names[] = { "newton", "poisson", "gr" };
    for (int law = 0; law < 3; ++law) {
        resolve(names[law]);
        for (int i = 0; i < 3; ++i)
            CHECK_NEAR(scene->v[i][0], wanted[law][i], 1e-15, "%s, (1, 0, .5)", names[law]);
        CHECK_NEAR(scene->report.penetration, law == 0 ? 0.5 : 0, 1e-15, "%s: penetration",
                   names[law]);
    }
}

static void test_bernoulli(void)
{
    instant_clear(scene);
    instant_ball(scene, 1, 0.5, vec3_make(0, 0, 0), vec3_make(1, 0, 0));
    for (int i = -1; i <= 1; i += 2)
        instant_ball(scene, 1, 0.5, vec3_make(sqrt(0.75), 0.5 * i, 0), vec3_make(0, 0, 0));
    instant_touch(scene, 0, 1);
    instant_touch(scene, 0, 2);
    instant_touch(scene, 1, 2);
    const char *names[] = { "gr", "newton" };
    for (int law = 0; law < 2; ++law) {
        resolve(names[law]);
        CHECK_NEAR(scene->v[0][0], -0.2, 1e-14, "Bernoulli, %s: striker", names[law]);
        CHECK_NEAR(scene->v[1][0], 0.6, 1e-14, "Bernoulli, %s", names[law]);
        CHECK_NEAR(scene->v[1][1], -0.2 * sqrt(3), 1e-14, "Bernoulli, %s", names[law]);
        CHECK_NEAR(scene->v[2][1], 0.2 * sqrt(3), 1e-14, "Bernoulli, %s", names[law]);
    }
    resolve("smm"); // pulls the two together
    CHECK_NEAR(scene->v[0][0], -1 / 3.0, 1e-14, "Bernoulli, smm: striker");
    CHECK_NEAR(scene->p[2][0], -0.3849001794597503, 1e-13, "Bernoulli, smm: the pull");
    resolve("smm contacts=colliding");
    CHECK_NEAR(scene->v[0][0], -0.2, 1e-14, "Bernoulli, smm on colliding contacts");
}

static void test_rack(void)
{
    instant_rack(scene);
    CHECK(scene->impact.contact_count == 31, "the rack has 31 contacts");
    resolve("gr");
    check_kept("rack, gr");
    CHECK(scene->report.sweeps == 6, "gr: 6 sweeps, found %d", scene->report.sweeps);
    CHECK_NEAR(scene->v[0][0], -0.2, 1e-12, "gr: cue");
    CHECK_NEAR(scene->v[1][0], -0.05052631578947367, 1e-12, "gr: apex");
    CHECK_NEAR(scene->v[11][0], 0.5117753190, 1e-9, "gr: corner, x");
    CHECK_NEAR(scene->v[11][1], -0.2954736180, 1e-9, "gr: corner, y");
    CHECK_NEAR(scene->v[15][1], 0.2954736180, 1e-9, "gr: other corner, y");
    CHECK_NEAR(scene->report.energy_after, 0.5, 1e-13, "gr: energy");
    for (int row = 0, first = 1; row < 5; first += ++row)
        for (int k = 0; k <= row; ++k) {
            const double *left = scene->v[first + k], *right = scene->v[first + row - k];
            CHECK_NEAR(left[0], right[0], 1e-12, "gr: mirror");
            CHECK_NEAR(left[1], -right[1], 1e-12, "gr: mirror");
        }
    resolve("newton");
    CHECK_NEAR(scene->v[0][0], -27 / 35.0, 1e-13, "newton: cue");
    CHECK_NEAR(scene->v[1][0], 8 / 35.0, 1e-13, "newton: apex");
    resolve("smm");
    CHECK_NEAR(scene->v[0][0], -0.875, 1e-12, "smm: cue");
    for (int i = 1; i < 16; ++i)
        CHECK_NEAR(scene->v[i][0], 0.125, 1e-12, "smm: the rack moves as one");
    // Stopped early and finished by Poisson's rule: only bounds are certain.
    resolve("gr sweeps=3");
    CHECK(scene->report.end == CAROM_IMPACT_CAPPED, "capped is said");
    CHECK_MOST(scene->report.energy_after, 0.5 * (1 + 1e-14), "no energy gained by the cap");
    CHECK_MOST(0.4, scene->report.energy_after, "and far less lost than inelastically");
    CHECK_MOST(scene->report.penetration, 1e-12, "nothing penetrates after the cap");
}

static void box_on_floor(const double velocity[3], bool half)
{
    double edges[3] = { 2, 2, 2 };
    instant_clear(scene);
    int box = instant_box(scene, 8, vec3_scale(0.5, vec3_from(edges)), quat_identity(),
                          vec3_make(0, 0, 1), vec3_from(velocity));
    int floor = instant_wall(scene, vec3_make(0, 0, 0));
    for (int i = 0; i < 4; ++i) {
        double x = i & 1 ? 1 : -1, y = i & 2 ? 1 : -1;
        if (half && x > 0)
            x = 0;
        instant_contact(scene, box, floor, vec3_make(x, y, 0), vec3_make(0, 0, -1));
    }
}

static void test_box(void)
{
    const char *names[] = { "gr", "smm", "newton", "poisson" };
    for (int law = 0; law < 4; ++law) {
        box_on_floor((double[]){ 1, 1, -10 }, false);
        resolve(names[law]);
        CHECK_NEAR(scene->v[0][0], 1, 1e-14, "box, %s: x", names[law]);
        CHECK_NEAR(scene->v[0][2], 10, 1e-13, "box, %s: z", names[law]);
        for (int k = 0; k < 3; ++k)
            CHECK_NEAR(scene->w[0][k], 0, 1e-13, "box, %s: no spin", names[law]);
        for (int i = 0; i < 4; ++i)
            CHECK_NEAR(scene->p[i][0], 40, 1e-12, "box, %s: the corners share evenly", names[law]);
        box_on_floor((double[]){ 0, 0, -10 }, true);
        resolve(names[law]);
        CHECK_NEAR(scene->v[0][2], 10, 1e-12, "half-face cube, %s: z", names[law]);
        CHECK_NEAR(scene->w[0][1], 0, 1e-12, "half-face cube, %s: no spin", names[law]);
    }
}

static void test_galperin(void)
{
    for (double ratio = 1; ratio <= 1e4; ratio *= 100) {
        instant_clear(scene);
        int wall = instant_wall(scene, vec3_make(0, 0, 0));
        instant_ball(scene, 1, 0.5, vec3_make(0.5, 0, 0), vec3_make(0, 0, 0));
        instant_ball(scene, ratio, 0.5, vec3_make(1.5, 0, 0), vec3_make(-1, 0, 0));
        instant_contact(scene, wall, 1, vec3_make(0, 0, 0), vec3_make(1, 0, 0));
        instant_touch(scene, 1, 2);
        resolve("gr");
        CHECK(scene->report.sweeps == (int)floor(3.14159265358979 * sqrt(ratio)),
              "wall | 1 | %g: %d sweeps", ratio, scene->report.sweeps);
        if (ratio == 100) {
            CHECK_NEAR(scene->v[1][0], 0.4778602082, 1e-9, "wall | 1 | 100: light");
            CHECK_NEAR(scene->v[2][0], 0.9988575956, 1e-9, "wall | 1 | 100: heavy");
        }
    }
}

// Between walls that do not move apart nothing ends; the finish leaves a feasible state.
static void test_endless(void)
{
    for (int count = 1; count <= 3; ++count) {
        instant_clear(scene);
        int wall = instant_wall(scene, vec3_make(0, 0, 0));
        for (int i = 0; i < count; ++i)
            instant_ball(scene, 1, 0.5, vec3_make(i + 0.5, 0, 0), vec3_make(1 - i, 0, 0));
        instant_contact(scene, wall, 1, vec3_make(0, 0, 0), vec3_make(1, 0, 0));
        instant_contact(scene, count, wall, vec3_make(count, 0, 0), vec3_make(1, 0, 0));
        for (int i = 1; i < count; ++i)
            instant_touch(scene, i, i + 1);
        resolve("gr");
        CHECK(scene->report.end == CAROM_IMPACT_ENDLESS, "%d balls between walls: %s", count,
              carom_impact_end_word(scene->report.end));
        CHECK_MOST(scene->report.penetration, 1e-12, "feasible");
        check_kept("between walls");
    }
    instant_clear(scene); // a ball in a frame that can move
    instant_ball(scene, 1, 0, vec3_make(0, 0, 0), vec3_make(1, 0, 0));
    instant_ball(scene, 1, 0, vec3_make(0, 0, 0), vec3_make(0, 0, 0));
    instant_contact(scene, 0, 1, vec3_make(0.5, 0, 0), vec3_make(1, 0, 0));
    instant_contact(scene, 0, 1, vec3_make(-0.5, 0, 0), vec3_make(-1, 0, 0));
    resolve("gr");
    CHECK(scene->report.end == CAROM_IMPACT_ENDLESS, "ball in a frame");
    CHECK_NEAR(scene->v[0][0], 0.5, 1e-12, "ball in a frame: common speed");
    CHECK_NEAR(scene->v[1][0], 0.5, 1e-12, "ball in a frame: common speed");
}

// Two driven walls that close in on a ball: no velocity helps, and that is said.
static void test_squeezed(void)
{
    const char *names[] = { "inelastic", "newton", "poisson", "gr", "smm" };
    for (int law = 0; law < 5; ++law) {
        instant_clear(scene);
        int left = instant_wall(scene, vec3_make(1, 0, 0));
        instant_ball(scene, 1, 0.5, vec3_make(0.5, 0, 0), vec3_make(0, 0, 0));
        int right = instant_wall(scene, vec3_make(-1, 0, 0));
        instant_contact(scene, left, 1, vec3_make(0, 0, 0), vec3_make(1, 0, 0));
        instant_contact(scene, 1, right, vec3_make(1, 0, 0), vec3_make(1, 0, 0));
        resolve(names[law]);
        CHECK(scene->report.end != CAROM_IMPACT_SETTLED, "squeezed ball, %s: flagged", names[law]);
        CHECK_MOST(fabs(scene->v[1][0]), 1, "squeezed ball, %s: finite", names[law]);
        check_kept(names[law]);
    }
}

// Sphere on a floor with friction: p_t = min(mu (1 + c), 2/7), v = (1 - p_t, 0, c), w = 5 p_t.
static void test_sphere_friction(void)
{
    const char *names[] = { "newton", "poisson", "smm", "newton friction=pyramid" };
    for (double mu = 0; mu <= 0.5; mu += 0.05)
        for (double c = 0; c <= 1; c += 0.25)
            for (int law = 0; law < 4; ++law) {
                instant_clear(scene);
                int ball = instant_ball(scene, 1, 0.5, vec3_make(0, 0, 0.5), vec3_make(1, 0, -1));
                int floor = instant_wall(scene, vec3_make(0, 0, 0));
                instant_contact(scene, ball, floor, vec3_make(0, 0, 0), vec3_make(0, 0, -1));
                instant_set_restitution(scene, c);
                instant_set_friction(scene, mu);
                resolve(names[law]);
                double pt = fmin(mu * (1 + c), 2 / 7.0);
                CHECK_NEAR(scene->v[0][0], 1 - pt, 1e-12, "%s, mu %g, c %g", names[law], mu, c);
                CHECK_NEAR(scene->v[0][2], c, 1e-12, "%s, mu %g, c %g", names[law], mu, c);
                CHECK_NEAR(scene->w[0][1], 5 * pt, 1e-12, "%s, mu %g, c %g", names[law], mu, c);
            }
}

// A single contact gives u+ = -c u in every law.
static void test_single(void)
{
    carom_random random = carom_random_make(3, 0);
    const char *names[] = { "newton", "poisson", "smm", "gr" };
    for (int round = 0; round < 50; ++round)
        for (int law = 0; law < 4; ++law) {
            double c = carom_random_unit(&random);
            double masses[2] = { carom_random_between(&random, 0.1, 10), 1 };
            double v[2] = { carom_random_unit(&random), -carom_random_unit(&random) };
            instant_chain(scene, 2, masses, v);
            instant_set_restitution(scene, c);
            instant_set_friction(scene, 0);
            resolve(names[law]);
            CHECK_NEAR(scene->v[1][0] - scene->v[0][0], c * (v[0] - v[1]), 1e-14, "%s: -c u",
                       names[law]);
        }
}

// c = 0 is the inelastic result (not for smm, which pulls); c = 0.5 loses energy without a limiter.
static void test_restitution(void)
{
    carom_random random = carom_random_make(4, 0);
    const char *names[] = { "newton", "poisson", "gr" };
    for (int round = 0; round < 50; ++round) {
        double calm[20][3];
        instant_cluster(scene, 20, carom_random_next(&random));
        resolve("inelastic");
        for (int i = 0; i < 60; ++i)
            calm[i / 3][i % 3] = scene->v[i / 3][i % 3];
        for (int law = 0; law < 3; ++law) {
            instant_set_restitution(scene, 0);
            instant_set_friction(scene, 0);
            resolve(names[law]);
            double worst = 0;
            for (int i = 0; i < 60; ++i)
                worst = fmax(worst, fabs(scene->v[i / 3][i % 3] - calm[i / 3][i % 3]));
            CHECK_MOST(worst, 1e-12, "%s, c = 0: inelastic", names[law]);
            instant_set_restitution(scene, 0.5);
            instant_set_friction(scene, 0);
            resolve(names[law]);
            check_kept(names[law]);
            CHECK(scene->report.limited == 0, "one restitution needs no limiter");
            if (law > 0)
                CHECK_MOST(scene->report.penetration, 1e-12, "%s: no penetration", names[law]);
        }
    }
    // Reading L with gr's prediction, v- = (1, 0, 0.6): gr gives (0, 0.6, 1) as qce does, so c =
    // 0.5 must give (4/15, 17/30, 23/30).
    double wanted[3] = { 4 / 15.0, 17 / 30.0, 23 / 30.0 };
    instant_chain(scene, 3, NULL, (double[]){ 1, 0, 0.6 });
    instant_set_restitution(scene, 0.5);
    instant_set_friction(scene, 0);
    resolve("gr");
    for (int i = 0; i < 3; ++i)
        CHECK_NEAR(scene->v[i][0], wanted[i], 1e-14, "gr, c = .5");
}

int main(void)
{
    workspace = carom_workspace_create();
    if (!CHECK(scene && workspace, "memory"))
        return check_report();
    test_three_balls();
    test_cradle();
    test_newton_defect();
    test_bernoulli();
    test_rack();
    test_box();
    test_galperin();
    test_endless();
    test_squeezed();
    test_sphere_friction();
    test_single();
    test_restitution();
    carom_workspace_destroy(workspace);
    instant_free(scene);
    return check_report();
}
