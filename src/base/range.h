// Which numbers are accepted, and the words for it: the same for a file, the command line and the
// functions of the library.
#ifndef CAROM_BASE_RANGE_H
#define CAROM_BASE_RANGE_H

#include <stdbool.h>
#include <stddef.h>
#include "carom/status.h"

// {0} takes every finite number.
typedef struct carom_range {
    double min, max;  // both 0: no bounds
    bool above;       // the value must be above `min`, not equal
    const char *unit; // "kg", "m/s"; null for plain numbers
    const char *fix;  // what to try instead; null: made from the range
} carom_range;

bool carom_range_has(const carom_range *range, double value);
// "touch is 2 m, outside (0, 1]".
void carom_range_fact(const carom_range *range, const char *name, double value, char *out,
                      size_t size);
// "use a number from 0 to 1", "use a number above 0 (kg)"; the noun: "number", "whole number".
void carom_range_fix(const carom_range *range, const char *noun, char *out, size_t size);
// Both as an error, BAD_INPUT.
carom_status carom_range_refuse(const carom_range *range, const char *name, const char *noun,
                                double value, carom_error *err);

#endif
