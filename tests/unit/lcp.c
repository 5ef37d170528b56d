// The LCP solvers against brute force: every support is tried, with the pseudo-inverse.
#include "solve/lcp.h"
#include "base/random.h"
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 7, M = 6 };

// One random problem: unit rows of A (dense), b, scale.
typedef struct sample {
    int n, m;
    double a[N][M], w[N][N], b[N], scale[N];
    int first[N + 1], column[N * M];
    double value[N * M];
    carom_lcp_problem problem;
} sample;

static void sample_finish(sample *s)
{
    s->first[0] = 0;
    for (int i = 0; i < s->n; ++i) {
        double length = 0;
        for (int k = 0; k < s->m; ++k)
            length += s->a[i][k] * s->a[i][k];
        length = sqrt(length);
        for (int k = 0; k < s->m; ++k) {
            s->a[i][k] /= length;
            s->column[i * s->m + k] = k;
            s->value[i * s->m + k] = s->a[i][k];
        }
        s->first[i + 1] = (i + 1) * s->m;
    }
    for (int i = 0; i < s->n; ++i)
        for (int j = 0; j < s->n; ++j) {
            s->w[i][j] = 0;
            for (int k = 0; k < s->m; ++k)
                s->w[i][j] += s->a[i][k] * s->a[j][k];
        }
    s->problem = (carom_lcp_problem){ .rows = { s->n, s->m, s->first, s->column, s->value },
                                      .b = s->b,
                                      .scale = s->scale };
}

// b = A t is always feasible. Width below count makes W singular; repeated rows degenerate too.
static void sample_make(sample *s, carom_random *random, bool degenerate)
{
    s->n = 1 + carom_random_below(random, N);
    s->m = 1 + carom_random_below(random, M);
    double t[M];
    for (int k = 0; k < s->m; ++k)
        t[k] = carom_random_normal(random);
    for (int i = 0; i < s->n; ++i) {
        for (int k = 0; k < s->m; ++k)
            s->a[i][k] = carom_random_normal(random);
        if (degenerate && i > 0 && carom_random_below(random, 3) == 0)
            memcpy(s->a[i], s->a[carom_random_below(random, i)], sizeof s->a[i]);
        s->scale[i] = carom_random_between(random, 0.5, 2);
    }
    sample_finish(s);
    for (int i = 0; i < s->n; ++i) {
        s->b[i] = 0;
        for (int k = 0; k < s->m; ++k)
            s->b[i] += s->a[i][k] * t[k];
        if (!degenerate)
            s->b[i] -= carom_random_below(random, 2) * carom_random_unit(random);
    }
}

// x = pseudo-inverse of a symmetric matrix times b, by Jacobi rotations.
static void pseudo(int n, double a[N][N], const double *b, double *x)
{
    double v[N][N] = { { 0 } };
    for (int i = 0; i < n; ++i)
        v[i][i] = 1;
    for (int sweep = 0; sweep < 60; ++sweep)
        for (int p = 0; p < n; ++p)
            for (int q = p + 1; q < n; ++q) {
                if (fabs(a[p][q]) < 1e-300)
                    continue;
                double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
                double c = 1 / sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < n; ++k) {
                    double u = a[k][p], w = a[k][q];
                    a[k][p] = c * u - s * w;
                    a[k][q] = s * u + c * w;
                }
                for (int k = 0; k < n; ++k) {
                    double u = a[p][k], w = a[q][k];
                    a[p][k] = c * u - s * w;
                    a[q][k] = s * u + c * w;
                    u = v[k][p], w = v[k][q];
                    v[k][p] = c * u - s * w;
                    v[k][q] = s * u + c * w;
                }
            }
    memset(x, 0, (size_t)n * sizeof *x);
    for (int j = 0; j < n; ++j) {
        if (a[j][j] < 1e-11)
            continue;
        double sum = 0;
        for (int k = 0; k < n; ++k)
            sum += v[k][j] * b[k];
        for (int k = 0; k < n; ++k)
            x[k] += v[k][j] * sum / a[j][j];
    }
}

// The pseudo-inverse solution on the rows of a support in the scaled variables s x: with
// W' = S^-1 W S^-1 and b' = S^-1 b, x = S^-1 W'^+ b'.
static void on_support(const sample *s, int support, double *x)
{
    int list[N], n = 0;
    double w[N][N], b[N], part[N];
    memset(x, 0, (size_t)s->n * sizeof *x);
    for (int i = 0; i < s->n; ++i)
        if (support >> i & 1)
            list[n++] = i;
    for (int i = 0; i < n; ++i) {
        b[i] = s->b[list[i]] / s->scale[list[i]];
        for (int j = 0; j < n; ++j)
            w[i][j] = s->w[list[i]][list[j]] / s->scale[list[i]] / s->scale[list[j]];
    }
    pseudo(n, w, b, part);
    for (int i = 0; i < n; ++i)
        x[list[i]] = part[i] / s->scale[list[i]];
}

static double norm(const sample *s, const double *x)
{
    double sum = 0;
    for (int i = 0; i < s->n; ++i)
        sum += s->scale[i] * s->scale[i] * x[i] * x[i];
    return sqrt(sum);
}

// The feasible complementary x of least norm over all supports.
static bool brute_force(const sample *s, double *best)
{
    double min = HUGE_VAL, x[N];
    for (int support = 0; support < 1 << s->n; ++support) {
        on_support(s, support, x);
        bool good = true;
        for (int i = 0; i < s->n && good; ++i) {
            double w = -s->b[i];
            for (int j = 0; j < s->n; ++j)
                w += s->w[i][j] * x[j];
            good = x[i] > -1e-9 && w > -1e-9 && (!(support >> i & 1) || fabs(w) < 1e-9);
        }
        if (good && norm(s, x) < min - 1e-12) {
            min = norm(s, x);
            memcpy(best, x, sizeof x);
        }
    }
    return isfinite(min);
}

static double distance(const double *a, const double *b, int n)
{
    double max = 0;
    for (int i = 0; i < n; ++i)
        max = fmax(max, fabs(a[i] - b[i]));
    return max;
}

static void test_exact(carom_arena *arena)
{
    carom_random random = carom_random_make(1, 0);
    double worst_residual = 0, worst_x = 0, worst_pseudo = 0;
    int singular = 0, rounds = check_effort(3000, 300);
    for (int round = 0; round < rounds; ++round) {
        sample s;
        sample_make(&s, &random, round % 2);
        double x[N], y[M], wanted[N];
        carom_lcp_report report;
        carom_error err;
        singular += s.m < s.n;
        if (!CHECK(brute_force(&s, wanted), "round %d: brute force finds a solution", round))
            continue;
        CHECK(carom_lcp_solve(&s.problem, arena, x, y, &report, &err) == CAROM_OK, "%s", err.what);
        CHECK(!report.infeasible, "round %d (n = %d, m = %d): feasible", round, s.n, s.m);
        worst_residual = fmax(worst_residual, report.residual);
        worst_x = fmax(worst_x, distance(x, wanted, s.n) / (1 + norm(&s, wanted)));
        CHECK(carom_lcp_norm_pseudo(&s.problem, arena, x, y, &err) == CAROM_OK, "%s", err.what);
        on_support(&s, (1 << s.n) - 1, wanted);
        worst_pseudo = fmax(worst_pseudo, distance(x, wanted, s.n) / (1 + norm(&s, wanted)));
    }
    CHECK(singular > rounds / 6, "many singular samples: %d", singular);
    CHECK_MOST(worst_residual, 1e-12, "residual of the exact solver, relative");
    // The yardstick itself (an eigenvalue cut-off at 1e-11 and squared conditions) is good to 1e-7.
    CHECK_MOST(worst_x, 1e-7, "x of least norm agrees with brute force");
    CHECK_MOST(worst_pseudo, 1e-7, "pseudo-inverse agrees with eigenvalues");
}

static void test_large(carom_arena *arena)
{
    carom_random random = carom_random_make(2, 0);
    double worst = 0, worst_balance = 0, worst_pseudo = 0;
    for (int round = 0; round < check_effort(300, 60); ++round) {
        sample s;
        sample_make(&s, &random, false);
        double x[N], y[M], exact[N], exact_y[M];
        carom_lcp_report report;
        CHECK(carom_lcp_solve(&s.problem, arena, exact, exact_y, &report, NULL) == CAROM_OK, "ok");
        CHECK(carom_lcp_large_solve(&s.problem, 1e-10, 20000, arena, x, y, &report, NULL) ==
                  CAROM_OK,
              "ok");
        CHECK_MOST(report.residual, 1e-9, "round %d: stated residual (with the last scaling)",
                   round);
        worst = fmax(worst, distance(y, exact_y, s.m));
        // Stopped early, the energy balance is exact all the same.
        CHECK(carom_lcp_large_solve(&s.problem, 0.1, 3, arena, x, y, &report, NULL) == CAROM_OK,
              "ok");
        double balance = 0;
        for (int k = 0; k < s.m; ++k)
            balance += y[k] * y[k];
        for (int i = 0; i < s.n; ++i)
            balance -= x[i] * s.b[i];
        worst_balance = fmax(worst_balance, fabs(balance));
        for (int i = 0; i < s.n; ++i)
            s.scale[i] = 1;
        CHECK(carom_lcp_norm_pseudo(&s.problem, arena, exact, exact_y, NULL) == CAROM_OK, "ok");
        CHECK(carom_lcp_large_pseudo(&s.problem, 1e-13, 2000, arena, x, y, &report, NULL) ==
                  CAROM_OK,
              "ok");
        worst_pseudo = fmax(worst_pseudo, distance(y, exact_y, s.m));
    }
    CHECK_MOST(worst, 1e-6, "iterative y agrees with the exact one (residual / least angle)");
    CHECK_MOST(worst_balance, 1e-12, "x.(W x - b) = 0 to round-off");
    CHECK_MOST(worst_pseudo, 1e-6, "iterative pseudo-inverse: y agrees");
}

// Four corners of a unit square under a centred load: W has rank 3, the least norm is even.
static void test_corners(carom_arena *arena)
{
    sample s = { .n = 4, .m = 3, .b = { 1, 1, 1, 1 }, .scale = { 1, 1, 1, 1 } };
    double corner[4][2] = { { 1, 1 }, { 1, -1 }, { -1, 1 }, { -1, -1 } }, x[N], y[M];
    for (int i = 0; i < 4; ++i) {
        s.a[i][0] = 1;
        s.a[i][1] = corner[i][0];
        s.a[i][2] = corner[i][1];
    }
    sample_finish(&s);
    carom_lcp_report report;
    CHECK(carom_lcp_solve(&s.problem, arena, x, y, &report, NULL) == CAROM_OK, "ok");
    CHECK(report.rank == 3 || report.rank == 2, "rank %d below 4", report.rank);
    for (int i = 0; i < 4; ++i)
        CHECK_NEAR(x[i], 0.75, 1e-14, "four corners carry the same (%d)", i);
}

// Two walls that close in: no y has y >= 1 and -y >= 1. Least squares leaves both unmet by 1.
static void test_contradiction(carom_arena *arena)
{
    sample s = { .n = 2, .m = 1, .a = { { 1 }, { -1 } }, .b = { 1, 0.5 }, .scale = { 1, 1 } };
    double x[N], y[M];
    carom_lcp_report report;
    sample_finish(&s);
    CHECK(carom_lcp_solve(&s.problem, arena, x, y, &report, NULL) == CAROM_OK, "ok");
    CHECK(report.infeasible, "the contradiction is seen");
    // The price 1/eta^2 of giving way leaves about eta^2 = 1e-6.
    CHECK_NEAR(y[0], 0.25, 1e-5, "half way between the two");
    CHECK_NEAR(report.residual, 0.75, 1e-5, "and the residual says so");
    CHECK_MOST(x[0] + x[1], 0.3, "with finite multipliers");
}

// A light ball between heavy ones, mass ratio 1e12: smallest eigenvalue of W about 1e-12.
static void test_light_between_heavy(carom_arena *arena)
{
    double light = 1e-6, heavy = 1e6;
    sample s = { .n = 2, .m = 3, .scale = { 1, 1 } };
    double inverse[3] = { 1 / sqrt(heavy), 1 / sqrt(light), 1 / sqrt(heavy) };
    double before[3] = { 1, 0, -1 }, x[N], y[M];
    for (int i = 0; i < 2; ++i) {
        s.a[i][i] = -inverse[i];
        s.a[i][i + 1] = inverse[i + 1];
        double length = sqrt(inverse[i] * inverse[i] + inverse[i + 1] * inverse[i + 1]);
        s.b[i] = -(before[i + 1] - before[i]) / length;
    }
    sample_finish(&s);
    carom_lcp_report report;
    CHECK(carom_lcp_solve(&s.problem, arena, x, y, &report, NULL) == CAROM_OK, "ok");
    CHECK_MOST(report.residual, 1e-12, "mass ratio 1e12: residual");
    for (int i = 0; i < 3; ++i) // 1e-16 of the momenta 1e6 over masses: the heavy ones set 1e-10
        CHECK_NEAR(before[i] + inverse[i] * y[i], 0, 1e-9, "ball %d stops", i);
}

int main(void)
{
    carom_arena *arena = carom_arena_create(0);
    test_exact(arena);
    test_large(arena);
    test_corners(arena);
    test_contradiction(arena);
    test_light_between_heavy(arena);
    carom_arena_destroy(arena);
    return check_report();
}
