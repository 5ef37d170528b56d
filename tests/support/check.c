// Counts and prints checks.
#include "support/check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int passed, failed;

static bool verdict(bool good, const char *file, int line, const char *claim, va_list list)
{
    if (good) {
        ++passed;
        return true;
    }
    ++failed;
    printf("%s:%d: FAILED: ", file, line);
    vprintf(claim, list);
    return false;
}

bool check_true(bool truth, const char *file, int line, const char *expression, const char *claim,
                ...)
{
    va_list list;
    va_start(list, claim);
    if (!verdict(truth, file, line, claim, list))
        printf("\n  not true: %s\n", expression);
    va_end(list);
    return truth;
}

bool check_near(double found, double wanted, double allowance, const char *file, int line,
                const char *claim, ...)
{
    bool good = fabs(found - wanted) <= allowance || found == wanted;
    va_list list;
    va_start(list, claim);
    if (!verdict(good, file, line, claim, list))
        printf("\n  found %.17g, wanted %.17g, differ by %.3g, allowed %.3g\n", found, wanted,
               fabs(found - wanted), allowance);
    va_end(list);
    return good;
}

bool check_most(double found, double max, const char *file, int line, const char *claim, ...)
{
    bool good = found <= max;
    va_list list;
    va_start(list, claim);
    if (!verdict(good, file, line, claim, list))
        printf("\n  found %.17g, allowed at most %.17g\n", found, max);
    va_end(list);
    return good;
}

bool check_text(const char *found, const char *wanted, const char *file, int line,
                const char *claim, ...)
{
    bool good = found && wanted && strcmp(found, wanted) == 0;
    va_list list;
    va_start(list, claim);
    if (!verdict(good, file, line, claim, list))
        printf("\n  found  \"%s\"\n  wanted \"%s\"\n", found ? found : "(null)",
               wanted ? wanted : "(null)");
    va_end(list);
    return good;
}

static bool effort_is(const char *name)
{
    const char *effort = getenv("CAROM_EFFORT");
    return effort && strcmp(effort, name) == 0;
}

int check_effort(int usual, int part)
{
    return effort_is("part") || effort_is("threads") ? part : usual;
}

bool check_full(void)
{
    return effort_is("full");
}

bool check_threads_only(void)
{
    return effort_is("threads");
}

int check_report(void)
{
    printf("%d passed, %d failed\n", passed, failed);
    return failed || !passed;
}
