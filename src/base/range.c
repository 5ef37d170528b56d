// Accepts or refuses a number by its range, and says so in words.
#include "base/range.h"

#include <math.h>
#include <stdio.h>
#include "base/error.h"
#include "base/text.h"

static bool unbounded(const carom_range *range)
{
    return range->min == 0 && range->max == 0;
}

bool carom_range_has(const carom_range *range, double value)
{
    if (unbounded(range))
        return isfinite(value);
    return (range->above ? value > range->min : value >= range->min) && value <= range->max;
}

void carom_range_fact(const carom_range *range, const char *name, double value, char *out,
                      size_t size)
{
    char digits[32], min[32], max[32];
    const char *gap = range->unit ? " " : "", *unit = range->unit ? range->unit : "";
    carom_text_digits(value, digits);
    carom_text_digits(range->min, min);
    carom_text_digits(range->max, max);
    if (unbounded(range))
        snprintf(out, size, "%s is %s%s%s", name, digits, gap, unit);
    else if (isinf(range->max))
        snprintf(out, size, "%s is %s%s%s, %s %s", name, digits, gap, unit,
                 range->above ? "not above" : "below", min);
    else
        snprintf(out, size, "%s is %s%s%s, outside %c%s, %s]", name, digits, gap, unit,
                 range->above ? '(' : '[', min, max);
}

void carom_range_fix(const carom_range *range, const char *noun, char *out, size_t size)
{
    char min[32], max[32], unit[40] = "";
    carom_text_digits(range->min, min);
    carom_text_digits(range->max, max);
    if (range->unit)
        snprintf(unit, sizeof unit, " (%s)", range->unit);
    if (range->fix)
        snprintf(out, size, "%s", range->fix);
    else if (unbounded(range))
        snprintf(out, size, "use a finite %s%s", noun, unit);
    else if (isinf(range->max))
        snprintf(out, size, "use a %s %s %s%s", noun, range->above ? "above" : "of at least", min,
                 unit);
    else
        snprintf(out, size, "use a %s %s %s %s %s%s", noun, range->above ? "above" : "from", min,
                 range->above ? "and up to" : "to", max, unit);
}

carom_status carom_range_refuse(const carom_range *range, const char *name, const char *noun,
                                double value, carom_error *err)
{
    char fact[128], fix[160];
    carom_range_fact(range, name, value, fact, sizeof fact);
    carom_range_fix(range, noun, fix, sizeof fix);
    carom_error_set(err, CAROM_BAD_INPUT, "%s", fact);
    return carom_error_fix(err, "%s", fix);
}
