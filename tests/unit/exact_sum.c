// Exact sums: the same in every order and however they are split, exact where doubles round, and
// within a unit in the last place of what a wider sum says.
#include "base/exact_sum.h"

#include <math.h>
#include "carom/random.h"
#include "support/check.h"

enum { COUNT = 3000 };

static double draw(carom_random *random)
{
    double size = ldexp(carom_random_unit(random), (int)carom_random_below(random, 600) - 300);
    return carom_random_unit(random) < 0.5 ? -size : size;
}

static void orders(void)
{
    static double value[COUNT];
    carom_random random = carom_random_make(3, 0);
    carom_exact_sum forward = { .pending = 0 }, backward = { .pending = 0 }, part[3] = { 0 };
    for (int i = 0; i < COUNT; ++i)
        value[i] = draw(&random);
    for (int i = 0; i < COUNT; ++i) {
        carom_exact_sum_add(&forward, value[i]);
        carom_exact_sum_add(&backward, value[COUNT - 1 - i]);
        carom_exact_sum_add(&part[i % 3], value[i]);
        if (i % 100 == 0)
            carom_exact_sum_carry(&part[i % 3]);
    }
    for (int k = 0; k < 3; ++k)
        carom_exact_sum_carry(&part[k]);
    for (int i = 0; i < CAROM_EXACT_SUM_LIMBS; ++i)
        part[0].limb[i] += part[1].limb[i] + part[2].limb[i];
    double sum = carom_exact_sum_value(&forward);
    CHECK(sum == carom_exact_sum_value(&backward), "the same backwards");
    CHECK(sum == carom_exact_sum_value(&part[0]), "the same in three parts");
    for (int i = 0; i < COUNT; ++i)
        carom_exact_sum_add(&forward, -value[i]);
    CHECK(carom_exact_sum_value(&forward) == 0, "what was added, taken away: nothing is left");
}

// Numbers for which a wider sum is exact.
static void against_integers(void)
{
    carom_random random = carom_random_make(4, 0);
    for (int n = 0; n < 200; ++n) {
        carom_exact_sum sum = { .pending = 0 };
        long long whole = 0;
        int shift = (int)carom_random_below(&random, 1900) - 1074;
        for (int i = 0; i < 50; ++i) {
            long long one = (long long)(carom_random_next(&random) >> 20) - (1LL << 43);
            whole += one;
            carom_exact_sum_add(&sum, ldexp((double)one, shift));
        }
        double wanted = ldexp((double)whole, shift);
        CHECK_NEAR(carom_exact_sum_value(&sum), wanted, 1.2e-16 * fabs(wanted),
                   "a sum of integers times 2^%d", shift);
    }
}

static void ends(void)
{
    carom_exact_sum sum = { .pending = 0 };
    const double huge = 1.7976931348623157e308, tiny = 4.9406564584124654e-324;
    carom_exact_sum_add(&sum, huge);
    carom_exact_sum_add(&sum, huge);
    carom_exact_sum_add(&sum, tiny);
    carom_exact_sum_add(&sum, -huge);
    carom_exact_sum_add(&sum, -huge);
    CHECK(carom_exact_sum_value(&sum) == tiny, "the smallest beside the largest");
    carom_exact_sum_add(&sum, (double)INFINITY);
    CHECK(isnan(carom_exact_sum_value(&sum)), "an infinity makes it no number");
}

int main(void)
{
    orders();
    against_integers();
    ends();
    return check_report();
}
