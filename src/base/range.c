// Accepts or refuses a number by its range, and says so in words.
#include "base/range.h"

#include <math.h>
#include <stdio.h>
#include "base/text.h"

static bool unbounded(const carom_range *range)
{
    return range->least == 0 && range->most == 0;
}

bool carom_range_has(const carom_range *range, double value)
{
    if (unbounded(range))
        return isfinite(value);
    return (range->above ? value > range->least : value >= range->least) && value <= range->most;
}

void carom_range_fact(const carom_range *range, const char *name, double value, char *out,
                      size_t size)
{
    char digits[32], least[32], most[32];
    const char *gap = range->unit ? " " : "", *unit = range->unit ? range->unit : "";
    carom_text_digits(value, digits);
    carom_text_digits(range->least, least);
    carom_text_digits(range->most, most);
    if (unbounded(range))
        snprintf(out, size, "%s is %s%s%s", name, digits, gap, unit);
    else if (isinf(range->most))
        snprintf(out, size, "%s is %s%s%s, %s %s", name, digits, gap, unit,
                 range->above ? "not above" : "below", least);
    else
        snprintf(out, size, "%s is %s%s%s, outside %c%s, %s]", name, digits, gap, unit,
                 range->above ? '(' : '[', least, most);
}

void carom_range_fix(const carom_range *range, const char *noun, char *out, size_t size)
{
    char least[32], most[32], unit[40] = "";
    carom_text_digits(range->least, least);
    carom_text_digits(range->most, most);
    if (range->unit)
        snprintf(unit, sizeof unit, " (%s)", range->unit);
    if (range->fix)
        snprintf(out, size, "%s", range->fix);
    else if (unbounded(range))
        snprintf(out, size, "use a finite %s%s", noun, unit);
    else if (isinf(range->most))
        snprintf(out, size, "use a %s %s %s%s", noun, range->above ? "above" : "of at least", least,
                 unit);
    else
        snprintf(out, size, "use a %s %s %s %s %s%s", noun, range->above ? "above" : "from", least,
                 range->above ? "and up to" : "to", most, unit);
}
