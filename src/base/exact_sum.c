// Exact sums; see exact_sum.h.
#include "base/exact_sum.h"

#include <math.h>
#include <string.h>

enum { LOWEST = -1074, ROOM = 1 << 28 };

void carom_exact_sum_carry(carom_exact_sum *sum)
{
    int64_t carry = 0;
    for (int i = 0; i < CAROM_EXACT_SUM_LIMBS - 1; ++i) {
        int64_t all = sum->limb[i] + carry, low = all & 0xffffffff;
        sum->limb[i] = low;
        carry = (all - low) / 4294967296;
    }
    sum->limb[CAROM_EXACT_SUM_LIMBS - 1] += carry;
    sum->pending = 0;
}

void carom_exact_sum_add(carom_exact_sum *sum, double value)
{
    uint64_t bits;
    if (value == 0)
        return;
    if (!isfinite(value)) {
        ++sum->broken;
        return;
    }
    memcpy(&bits, &value, sizeof bits);
    int exponent = (int)(bits >> 52 & 2047), place = exponent > 0 ? exponent - 1 : 0;
    uint64_t mantissa = bits & 0xfffffffffffff;
    if (exponent > 0)
        mantissa |= (uint64_t)1 << 52;
    // mantissa 2^(place + LOWEST): over three limbs from `place` on
    int limb = place / 32, shift = place % 32;
    uint64_t low = (mantissa & 0xffffffff) << shift, high = (mantissa >> 32) << shift;
    int64_t part[3] = { (int64_t)(low & 0xffffffff),
                        (int64_t)(low >> 32) + (int64_t)(high & 0xffffffff),
                        (int64_t)(high >> 32) };
    for (int k = 0; k < 3; ++k)
        sum->limb[limb + k] += bits >> 63 ? -part[k] : part[k];
    if (++sum->pending >= ROOM)
        carom_exact_sum_carry(sum);
}

double carom_exact_sum_value(const carom_exact_sum *sum)
{
    carom_exact_sum whole = *sum;
    if (sum->broken > 0)
        return (double)NAN;
    carom_exact_sum_carry(&whole);
    double sign = 1, value = 0;
    if (whole.limb[CAROM_EXACT_SUM_LIMBS - 1] < 0) {
        for (int i = 0; i < CAROM_EXACT_SUM_LIMBS; ++i)
            whole.limb[i] = -whole.limb[i];
        carom_exact_sum_carry(&whole);
        sign = -1;
    }
    for (int i = CAROM_EXACT_SUM_LIMBS - 1; i >= 0; --i)
        if (whole.limb[i] != 0)
            value += ldexp((double)whole.limb[i], 32 * i + LOWEST);
    return sign * value;
}
