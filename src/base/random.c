// Philox 4x32-10 and the distributions drawn from it; no state is shared between threads.
#include "base/random.h"

#include <math.h>

uint64_t carom_random_at(uint64_t seed, uint64_t stream, uint64_t counter)
{
    uint32_t c[4] = { (uint32_t)counter, (uint32_t)(counter >> 32), (uint32_t)stream,
                      (uint32_t)(stream >> 32) };
    uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
    for (int round = 0; round < 10; ++round) {
        uint64_t p0 = UINT64_C(0xD2511F53) * c[0], p1 = UINT64_C(0xCD9E8D57) * c[2];
        uint32_t next[4] = { (uint32_t)(p1 >> 32) ^ c[1] ^ k0, (uint32_t)p1,
                             (uint32_t)(p0 >> 32) ^ c[3] ^ k1, (uint32_t)p0 };
        for (int i = 0; i < 4; ++i)
            c[i] = next[i];
        k0 += UINT32_C(0x9E3779B9);
        k1 += UINT32_C(0xBB67AE85);
    }
    return (uint64_t)c[0] | ((uint64_t)c[1] << 32);
}

uint64_t carom_random_next(carom_random *random)
{
    if (!random)
        return 0;
    return carom_random_at(random->seed, random->stream, random->counter++);
}

double carom_random_unit(carom_random *random)
{
    if (!random)
        return 0;
    return (double)(carom_random_next(random) >> 11) * 0x1p-53;
}

double carom_random_between(carom_random *random, double min, double max)
{
    if (!random)
        return 0;
    return min + (max - min) * carom_random_unit(random);
}

int carom_random_below(carom_random *random, int count)
{
    if (!random)
        return 0;
    return (int)(carom_random_unit(random) * count);
}

// ln x for a normal x > 0, within two units in the last place (of 0.01 where x is near 1): x = m
// 2^k with m about 1, ln m = 2 artanh s, s = (m - 1)/(m + 1). Here, because the C library's last
// bit is not the same everywhere, and base sees no other room.
static double natural_log(double x)
{
    int k;
    double m = frexp(x, &k);
    if (m < 0x1.6a09e667f3bcdp-1) {
        m *= 2;
        --k;
    }
    double s = (m - 1) / (m + 1), square = s * s, sum = 0;
    for (int j = 10; j >= 1; --j)
        sum = square * (1.0 / (2 * j + 1) + sum);
    return k * 0x1.62e42fefa39efp-1 + 2 * (s + s * sum);
}

// Marsaglia's polar method.
double carom_random_normal(carom_random *random)
{
    if (!random)
        return 0;
    for (;;) {
        double x = carom_random_between(random, -1, 1), y = carom_random_between(random, -1, 1);
        double s = x * x + y * y;
        if (s > 0 && s < 1)
            return x * sqrt(-2 * natural_log(s) / s);
    }
}

void carom_random_direction(carom_random *random, double direction[3])
{
    if (!random || !direction)
        return;
    for (;;) {
        double x = carom_random_between(random, -1, 1), y = carom_random_between(random, -1, 1);
        double s = x * x + y * y;
        if (s < 1) {
            double r = 2 * sqrt(1 - s);
            direction[0] = x * r;
            direction[1] = y * r;
            direction[2] = 1 - 2 * s;
            return;
        }
    }
}
