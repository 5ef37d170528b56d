// Sums of doubles without rounding: a fixed-point integer as wide as the range of doubles, in limbs
// of 32 bits. Integers add up to the same whatever the order and wherever parts of the sum were
// made (Kulisch's accumulator; Demmel and Nguyen 2013 have the history).
#ifndef CAROM_BASE_EXACT_SUM_H
#define CAROM_BASE_EXACT_SUM_H

#include <stdint.h>

// Bit 0 of limb 0 is 2^-1074; the last limb has room for 2^32 times the largest double.
enum { CAROM_EXACT_SUM_LIMBS = 68 };

typedef struct carom_exact_sum {
    int64_t limb[CAROM_EXACT_SUM_LIMBS];
    int64_t pending; // additions since carries were passed on
    int64_t broken;  // additions of what is no finite number
} carom_exact_sum;

void carom_exact_sum_add(carom_exact_sum *sum, double value);
// Passes carries on: the same number, its limbs (but the last) from 0 to 2^32 - 1. Sums over up to
// 2^31 ranks fit afterwards, limb by limb.
void carom_exact_sum_carry(carom_exact_sum *sum);
// The double next to it, within a unit in the last place; a function of the exact sum alone.
double carom_exact_sum_value(const carom_exact_sum *sum);

#endif
