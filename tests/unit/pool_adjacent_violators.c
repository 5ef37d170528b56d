// The exact solver for rows on seeded random rows: the conditions that define the solution.
#include "base/random.h"
#include "chain/pool_adjacent_violators.h"
#include "support/check.h"

#include <math.h>
#include <string.h>

#define MOST 6

// Checks the complementarity conditions themselves; they have one solution in v'.
static void judge(const carom_pool_adjacent_violators *row, const double *v, const double *after,
                  const double *impulse, int number)
{
    size_t n = row->count;
    size_t contacts = row->frame ? n : n - 1;
    for (size_t c = 0; c < contacts; c++) {
        double excess = after[c + 1 < n ? c + 1 : 0] - after[c] - row->bound[c];
        // 1e-12: a handful of sums of numbers of order 1, masses up to a factor 100.
        CHECK_MOST(-excess, 1e-12, "row %d: contact %zu keeps its bound", number, c);
        CHECK(impulse[c] >= 0, "row %d: contact %zu pushes", number, c);
        if (isfinite(row->bound[c]))
            CHECK_MOST(excess * impulse[c], 1e-10, "row %d: contact %zu is complementary", number,
                       c);
    }
    for (size_t i = 0; i < n; i++) {
        double left = i > 0 ? impulse[i - 1] : row->frame ? impulse[n - 1] : 0;
        double right = i < contacts ? impulse[i] : 0;
        double change = isinf(row->mass[i]) ? 0 : (left - right) / row->mass[i];
        CHECK_NEAR(after[i] - v[i], change, 1e-11, "row %d: body %zu has its impulses", number, i);
    }
}

int main(void)
{
    carom_random random = carom_random_make(7, 1);
    for (int number = 0; number < 2000; number++) {
        size_t n = 2 + (size_t)(carom_random_unit(&random) * (MOST - 1));
        bool frame = number % 4 == 3;
        double mass[MOST], bound[MOST], v[MOST], after[MOST], impulse[MOST], moved[MOST];
        carom_pool_adjacent_violators_block block[MOST];
        for (size_t i = 0; i < n; i++) {
            mass[i] = carom_random_between(&random, 0.1, 10);
            v[i] = carom_random_between(&random, -1, 1);
            double gap =
                carom_random_unit(&random) < 0.5 ? 0 : carom_random_between(&random, 0, 0.5);
            bound[i] = -gap;
        }
        if (number % 4 == 1)
            mass[0] = HUGE_VAL, v[0] = 0;
        if (number % 8 == 5)
            mass[n - 1] = HUGE_VAL, v[n - 1] = 0;
        if (number % 5 == 0)
            bound[(size_t)number % n] = -HUGE_VAL;
        carom_pool_adjacent_violators row = { n, mass, bound, frame };
        CHECK(carom_pool_adjacent_violators_project(
                  &row, v, &(carom_pool_adjacent_violators_work){ after, impulse, block, moved }),
              "row %d is feasible", number);
        judge(&row, v, after, impulse, number);
    }
    double mass[] = { 1, 1 };
    double bound[] = { 0.5, 0.5 };
    double v[] = { 1, 0 };
    double after[2], impulse[2], moved[2];
    carom_pool_adjacent_violators_block block[2];
    carom_pool_adjacent_violators impossible = { 2, mass, bound, true };
    CHECK(
        !carom_pool_adjacent_violators_project(
            &impossible, v, &(carom_pool_adjacent_violators_work){ after, impulse, block, moved }),
        "bounds that contradict each other around a ring are refused");
    return check_report();
}
