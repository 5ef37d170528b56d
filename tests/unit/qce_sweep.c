// Single sweeps by their parts, against independent reference computations (numpy).
#include "carom/carom.h"
#include "impact/qce.h"
#include "support/check.h"
#include "support/instant.h"

#include <math.h>

// A body on a floor whose three contacts have a given W: all normals along z, inverse mass c with
// c 1/(1^T W^-1 1), arms from the rest G = W - c of rank two.
static void given_matrix(instant *t, const double W[3][3], const double u[3])
{
    double A[3][2], point[3][2], inverse_sum = 0;
    double det = W[0][0] * (W[1][1] * W[2][2] - W[1][2] * W[2][1]) -
                 W[0][1] * (W[1][0] * W[2][2] - W[1][2] * W[2][0]) +
                 W[0][2] * (W[1][0] * W[2][1] - W[1][1] * W[2][0]);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
            inverse_sum += (W[a][c] * W[b][d] - W[a][d] * W[b][c]) / det;
        }
    double c = 1 / inverse_sum;
    A[0][0] = sqrt(W[0][0] - c);
    A[0][1] = 0;
    A[1][0] = (W[1][0] - c) / A[0][0];
    A[2][0] = (W[2][0] - c) / A[0][0];
    A[1][1] = sqrt(W[1][1] - c - A[1][0] * A[1][0]);
    A[2][1] = (W[2][1] - c - A[1][0] * A[2][0]) / A[1][1];
    instant_clear(t);
    int body = instant_body(t, 1 / c, 0, 0, 0), floor = instant_body(t, 0, 0, 0, 0);
    for (int k = 0; k < 3; ++k)
        t->bodies[body].inverse_inertia[k] = 1;
    for (int i = 0; i < 3; ++i) { // the arm of a push along z at (x, y) is (y, -x)
        point[i][0] = -A[i][1];
        point[i][1] = A[i][0];
        instant_contact(t, floor, body, vec3_make(point[i][0], point[i][1], 0), vec3_make(0, 0, 1));
    }
    // u = v + A w for v along z and w = (wx, wy)
    double d1[2] = { A[1][0] - A[0][0], A[1][1] - A[0][1] };
    double d2[2] = { A[2][0] - A[0][0], A[2][1] - A[0][1] }, cross = d1[0] * d2[1] - d1[1] * d2[0];
    double wx = ((u[1] - u[0]) * d2[1] - d1[1] * (u[2] - u[0])) / cross;
    double wy = (d1[0] * (u[2] - u[0]) - (u[1] - u[0]) * d2[0]) / cross;
    t->bodies[body].spin[0] = wx;
    t->bodies[body].spin[1] = wy;
    t->bodies[body].velocity[2] = u[0] - A[0][0] * wx - A[0][1] * wy;
}

typedef struct inside {
    carom_arena *arena;
    carom_problem problem;
    carom_motion motion;
    carom_qce_tally tally;
    double energy; // before
} inside;

// Sweeps without the frame around the law.
static void sweep(inside *in, const instant *t, const carom_contact_set *set, int cap)
{
    carom_qce_settings settings = { 1e-12, 0, cap, false };
    in->arena = carom_arena_create(0);
    CHECK(carom_problem_build(&t->impact, in->arena, &in->problem, NULL) == CAROM_OK, "builds");
    in->problem.thread_scratch = &in->arena;
    in->motion.v = carom_arena_zeros(in->arena, (size_t)t->impact.body_count, sizeof *in->motion.v);
    in->motion.p =
        carom_arena_zeros(in->arena, (size_t)t->impact.contact_count, sizeof *in->motion.p);
    for (int i = 0; i < t->impact.body_count; ++i)
        in->motion.v[i] =
            (carom_twist){ vec3_from(t->bodies[i].velocity), vec3_from(t->bodies[i].spin) };
    in->energy = carom_problem_energy(&in->problem, in->motion.v);
    CHECK(carom_qce_sweep(&in->problem, set, &settings, in->arena, &in->motion, &in->tally, NULL) ==
              CAROM_OK,
          "sweeps");
}

// The first root ends a contact, not the larger one: here a contact has a < 0 and expands.
static void test_first_root(void)
{
    const double W[3][3] = { { 2.7882282514317116, 0.3577547155712967, -1.7826059760664892 },
                             { 0.3577547155712967, 3.0782706454805657, -1.341092894411496 },
                             { -1.7826059760664892, -1.341092894411496, 2.032379195682654 } };
    const double u[3] = { -0.8740315278636304, -0.49894009217018154, -1.219743925724293 };
    const double P[3] = { 3.4631678156054866, 2.5018035763425748, 7.075088506747085 };
    static instant t;
    inside in;
    given_matrix(&t, W, u);
    sweep(&in, &t, NULL, 1);
    for (int i = 0; i < 3; ++i) {
        CHECK_NEAR(in.problem.u[i], u[i], 1e-14, "the problem has the given speeds");
        CHECK_NEAR(in.motion.p[i][0], P[i], 1e-12, "first root, contact %d", i);
        for (int j = 0; j < 3; ++j)
            CHECK_NEAR(carom_row_coupling(&in.problem.normal[i], &in.problem.normal[j]), W[i][j],
                       1e-14, "the problem has the given W");
    }
    CHECK_NEAR(carom_problem_energy(&in.problem, in.motion.v) / in.energy, 1, 1e-14,
               "one sweep keeps the energy");
    carom_arena_destroy(in.arena);
}

// Line 15: P = F s. One pair, W = 1/2, u = -1: P = 4, not F times the root of eq 14.
static void test_set_and_units(void)
{
    static instant t;
    inside in;
    instant_chain(&t, 2, (const double[]){ 4, 4 }, (const double[]){ 1, 0 });
    sweep(&in, &t, NULL, 9);
    CHECK_NEAR(in.motion.p[0][0], 4, 0, "P of a pair");
    CHECK(in.tally.sweeps == 1 && in.tally.events == 1 && in.tally.open == 0, "in one event");
    carom_arena_destroy(in.arena);
    // A set: contacts outside never act, though their bodies are hit.
    enum { BALLS = 40, INSIDE = 9 };
    double v[BALLS] = { 1 };
    int some[INSIDE];
    for (int i = 0; i < INSIDE; ++i)
        some[i] = INSIDE - 1 - i;
    instant_chain(&t, BALLS, NULL, v);
    sweep(&in, &t, &(carom_contact_set){ some, INSIDE }, 99);
    CHECK_NEAR(in.motion.v[INSIDE].linear.x, 1, 0, "the last ball inside gets it");
    CHECK_NEAR(in.motion.v[INSIDE + 1].linear.x, 0, 0, "and keeps it");
    CHECK(in.tally.open == 0 && in.tally.sweeps == INSIDE, "nothing in the set approaches");
    carom_arena_destroy(in.arena);
}

int main(void)
{
    test_first_root();
    test_set_and_units();
    return check_report();
}
