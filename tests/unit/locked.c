// Contacts that no motion opens, and the end of elastic processes that have none: who is locked
// against a question per contact, what the finish loses against the part of the motion that is
// locked, and whole laws on instants that are endless.
#include "impact/locked.h"
#include "support/check.h"
#include "support/instant.h"

#include <math.h>
#include <stdlib.h>

enum { BALLS = 12, CONTACTS_MAX = 128, WIDTH = 3 * (BALLS + 1) };

static instant t;

// Presses a ball between two walls along a direction; the wall is the last body.
static void pin(int ball, int wall, vec3 n)
{
    vec3 at = vec3_from(t.bodies[ball].position);
    instant_contact(&t, wall, ball, vec3_axpy(at, -0.5, n), n);
    instant_contact(&t, ball, wall, vec3_axpy(at, 0.5, n), n);
}

// A cluster of spheres, some of which stand between parallel walls.
static void cluster(uint64_t seed, int pins)
{
    carom_random random = carom_random_make(seed, 7);
    instant_cluster(&t, BALLS, seed);
    int wall = instant_wall(&t, vec3_make(0, 0, 0));
    for (int i = 0; i < pins; ++i) {
        double n[3];
        carom_random_direction(&random, n);
        pin(i * 3, wall, vec3_from(n));
    }
}

// The definition: from rest, speed 1 at one contact and none below 0 at the others.
static bool opens(const carom_problem *problem, const carom_contact_set *set, int one,
                  carom_arena *arena)
{
    double target[CONTACTS_MAX] = { 0 }, lambda[CONTACTS_MAX], residual = 0;
    carom_twist v[BALLS + 1] = { 0 };
    target[one] = 1;
    CHECK(carom_inelastic_solve(problem, set, target, arena, v, lambda, &residual, NULL) ==
              CAROM_OK,
          "asked");
    return residual < 1e-9;
}

// Twice the kinetic energy of the part of the motion along the rows of locked contacts, by
// Gram-Schmidt. Frictionless spheres: rows have no arms.
static double locked_energy(const carom_problem *problem, const carom_contact_set *set,
                            const bool *locked, const carom_twist *v)
{
    static double basis[CONTACTS_MAX][WIDTH];
    double y[WIDTH], square = 0;
    int rank = 0;
    for (int i = 0; i < problem->body_count; ++i)
        for (int k = 0; k < 3; ++k) {
            double inverse = problem->bodies[i].inverse_mass;
            y[3 * i + k] = inverse > 0 ? (&v[i].linear.x)[k] / sqrt(inverse) : 0;
        }
    for (int i = 0; i < set->count; ++i) {
        const carom_row *row = &problem->normal[set->index[i]];
        double *g = basis[rank], length = 0, dot = 0;
        if (!locked[i])
            continue;
        for (int k = 0; k < WIDTH; ++k)
            g[k] = 0;
        for (int k = 0; k < 3; ++k) {
            g[3 * row->a + k] = -sqrt(row->inv_a) * (&row->d.x)[k];
            g[3 * row->b + k] = sqrt(row->inv_b) * (&row->d.x)[k];
        }
        for (int pass = 0; pass < 2; ++pass) // twice: once is not enough for small remainders
            for (int j = 0; j < rank; ++j) {
                double share = 0;
                for (int k = 0; k < WIDTH; ++k)
                    share += basis[j][k] * g[k];
                for (int k = 0; k < WIDTH; ++k)
                    g[k] -= share * basis[j][k];
            }
        for (int k = 0; k < WIDTH; ++k)
            length += g[k] * g[k];
        if (length < 1e-16)
            continue;
        for (int k = 0; k < WIDTH; ++k) {
            g[k] /= sqrt(length);
            dot += g[k] * y[k];
        }
        square += dot * dot;
        ++rank;
    }
    return square;
}

static void test_cluster(uint64_t seed, int pins)
{
    carom_arena *arena = carom_arena_create(0);
    carom_problem problem;
    carom_motion motion;
    carom_impact_report report = { .limiter = 1 };
    bool locked[CONTACTS_MAX], ended = false;
    int count = 0, wanted = 0;
    cluster(seed, pins);
    CHECK(carom_problem_build(&t.impact, arena, &problem, NULL) == CAROM_OK, "built");
    CHECK(carom_problem_begin_motion(&problem, arena, &motion, NULL) == CAROM_OK, "begun");
    carom_contact_set set = carom_inelastic_island(&problem, 0);
    CHECK(carom_locked_find(&problem, &set, arena, locked, &count, NULL) == CAROM_OK, "found");
    for (int i = 0; i < set.count; ++i) {
        bool open = opens(&problem, &set, i, arena);
        wanted += !open;
        CHECK(locked[i] == !open, "cluster %d, %d pinned: contact %d", (int)seed, pins, i);
    }
    CHECK(count == wanted && (pins == 0) == (count == 0), "cluster %d: %d locked", (int)seed,
          count);
    double before = carom_problem_energy(&problem, motion.v);
    double loss = 0.5 * locked_energy(&problem, &set, locked, motion.v);
    CHECK(carom_locked_finish(&problem, &set, 1e-9, arena, &motion, &report, &ended, NULL) ==
              CAROM_OK,
          "finished");
    CHECK(ended == (pins > 0), "cluster %d: ended", (int)seed);
    if (ended) {
        CHECK(report.end == CAROM_IMPACT_ENDLESS, "cluster %d: endless", (int)seed);
        // reflections end at 1e-9 m/s and are as exact as the solves, 1e-12
        CHECK_NEAR(carom_problem_energy(&problem, motion.v), before - loss, 1e-10 * before,
                   "cluster %d, %d pinned: the locked motion is lost and nothing else", (int)seed,
                   pins);
        for (int i = 0; i < set.count; ++i) {
            double u = carom_row_speed(&problem.normal[set.index[i]], motion.v);
            CHECK(u >= -1.001e-9 && motion.p[set.index[i]][0] >= 0, "contact %d: %g", i, u);
        }
    }
    carom_arena_destroy(arena);
}

// A light ball between a wall and a heavy one, which needs pi sqrt(M) collisions (Galperin 2003),
// in a corridor in which it bounces to and fro for ever: along x as if the corridor were not there.
static void test_corridor(carom_workspace *workspace, const char *law)
{
    const double heavy = 1e6;
    double v = 0, w = -1;
    while (w < v || v < 0) {
        double old = v;
        if (v < 0) {
            v = -v;
            continue;
        }
        v = ((1 - heavy) * old + 2 * heavy * w) / (1 + heavy);
        w = ((heavy - 1) * w + 2 * old) / (1 + heavy);
    }
    instant_clear(&t);
    int wall = instant_wall(&t, vec3_make(0, 0, 0));
    instant_ball(&t, 1, 0.5, vec3_make(0.5, 0, 0), vec3_make(0, 0.7, 0.1));
    instant_ball(&t, heavy, 0.5, vec3_make(1.5, 0, 0), vec3_make(-1, 0, 0));
    instant_contact(&t, wall, 1, vec3_make(0, 0, 0), vec3_make(1, 0, 0));
    instant_touch(&t, 1, 2);
    pin(1, wall, vec3_make(0, 1, 0));
    instant_run(&t, workspace, law, NULL);
    CHECK(t.report.end == CAROM_IMPACT_ENDLESS, "%s in a corridor: endless", law);
    // 3,000 reflections of round-off; the tolerance of 1e-9 at the end
    CHECK_NEAR(t.v[2][0], w, 1e-9, "%s in a corridor: heavy ball", law);
    CHECK_NEAR(t.v[1][0], v, 1e-6, "%s in a corridor: light ball", law);
    CHECK_NEAR(t.v[1][1], 0, 1e-12, "%s in a corridor: held across", law);
    CHECK_NEAR(t.v[1][2], 0.1, 1e-12, "%s in a corridor: free along it", law);
    CHECK_NEAR(t.report.energy_before - t.report.energy_after, 0.5 * 0.7 * 0.7,
               1e-10 * t.report.energy_before, "%s in a corridor: loses what is across", law);
}

int main(void)
{
    carom_workspace *workspace = carom_workspace_create();
    for (uint64_t seed = 0; seed < 40; ++seed)
        for (int pins = 0; pins <= 3; ++pins)
            test_cluster(seed, pins);
    test_corridor(workspace, "gr");
    test_corridor(workspace, "sqm");
    test_corridor(workspace, "fixed-point");
    carom_workspace_destroy(workspace);
    instant_free(&t);
    return check_report();
}
