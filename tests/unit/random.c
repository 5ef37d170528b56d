// Philox against the published known-answer vectors (Random123, kat_vectors, philox4x32-10), whose
// first two words are what carom_random_at returns.
#include "base/random.h"
#include "base/hash.h"
#include "support/check.h"

#include <math.h>

int main(void)
{
    CHECK(carom_random_at(0, 0, 0) == UINT64_C(0xe169c58d6627e8d5), "all zeros");
    CHECK(carom_random_at(UINT64_MAX, UINT64_MAX, UINT64_MAX) == UINT64_C(0x41c83b0e408f276d),
          "all ones");
    carom_random random = carom_random_make(1, 2);
    double sum = 0, squares = 0, count = 100000;
    uint64_t hash = CAROM_HASH_START;
    for (int i = 0; i < count; ++i) {
        double x = carom_random_normal(&random);
        sum += x;
        squares += x * x;
        hash = carom_hash_doubles(hash, &x, 1);
    }
    // standard error of the mean is 1/sqrt(n), of the variance sqrt(2/n): five of them
    CHECK_NEAR(sum / count, 0, 5 / sqrt(count), "normal numbers have mean 0");
    CHECK_NEAR(squares / count, 1, 5 * sqrt(2 / count), "and variance 1");
    CHECK(hash == 0xae44ee616adcece4, "the same bits on every compiler and machine (%#llx)",
          (unsigned long long)hash);
    return check_report();
}
