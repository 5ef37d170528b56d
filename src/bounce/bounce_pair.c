// Two bodies: the full problem, and rules that combine two one-body values [Bounce, section 5].
//
// C = n.(xA - xB) >= 0 with opposite normals: the rigid responses add, the modes of both bodies
// stand side by side (the sign of a participation does not matter, only its square does). A body
// that meets its mirror image has w and every weight doubled, so EPS2(i, i) = EPS1(i).
//
// The weighted rule is not in the paper. It keeps unity, monotonicity, identity and the symmetry of
// exchanging the bodies, and it alone has the limit of a heavy partner: wB -> 0 leaves eA.
#include "bounce/bounce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *carom_bounce_rule_name(carom_bounce_rule rule)
{
#define WORD(name, word, formula) word,
    static const char *const words[] = { CAROM_BOUNCE_RULE_LIST(WORD) };
#undef WORD
    return WORD_OF(words, rule);
}

const char *carom_bounce_rule_formula(carom_bounce_rule rule)
{
#define FORMULA(name, word, formula) formula,
    static const char *const formulas[] = { CAROM_BOUNCE_RULE_LIST(FORMULA) };
#undef FORMULA
    return WORD_OF(formulas, rule);
}

static double harmonic(double a, double b)
{
    return a > 0 && b > 0 ? 2 * a * b / (a + b) : 0;
}

double carom_bounce_combine(carom_bounce_rule rule, const double epsilon[2], const double w[2])
{
    if (!epsilon || !w)
        return 0;
    double a = epsilon[0], b = epsilon[1], sum = w[0] + w[1];
    switch (rule) {
    case CAROM_BOUNCE_RULE_WEIGHTED:
        return sum > 0 ? (w[0] * a + w[1] * b) / sum : 0.5 * (a + b);
    case CAROM_BOUNCE_RULE_GEOMETRIC:
        return sqrt(a * b);
    case CAROM_BOUNCE_RULE_HARMONIC:
        return harmonic(a, b);
    case CAROM_BOUNCE_RULE_GEOMETRIC_FLIPPED:
        return 1 - sqrt((1 - a) * (1 - b));
    case CAROM_BOUNCE_RULE_HARMONIC_FLIPPED:
        return 1 - harmonic(1 - a, 1 - b);
    case CAROM_BOUNCE_RULE_LEAST:
        return fmin(a, b);
    case CAROM_BOUNCE_RULE_MOST:
        return fmax(a, b);
    case CAROM_BOUNCE_RULE_ARITHMETIC:
    case CAROM_BOUNCE_RULE_COUNT:
        break;
    }
    return 0.5 * (a + b);
}

carom_status carom_bounce_pair(const carom_bounce_case *a, const carom_bounce_case *b,
                               const carom_bounce_options *options, carom_bounce_result *result,
                               carom_error *err)
{
    NEED(err, a, b);
    const carom_bounce_case *const side[2] = { a, b };
    for (int k = 0; k < 2; ++k) {
        if (side[k]->w == 0 && side[k]->mode_count == 0)
            continue; // immovable: nothing of it can give way
        if (carom_bounce_check(side[k], options, err) != CAROM_OK)
            return carom_error_where(err, "body %c", "AB"[k]);
    }
    size_t m = (size_t)a->mode_count, n = (size_t)b->mode_count;
    double *list = malloc((2 * (m + n) + 1) * sizeof *list);
    if (!list)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %zu modes", m + n);
    double *omega = list + m + n;
    if (m) {
        memcpy(list, a->a, m * sizeof *list);
        memcpy(omega, a->omega, m * sizeof *list);
    }
    if (n) {
        memcpy(list + m, b->a, n * sizeof *list);
        memcpy(omega + m, b->omega, n * sizeof *list);
    }
    carom_bounce_case both = { a->w + b->w, (int)(m + n), list, omega };
    carom_status status = carom_bounce_solve(&both, options, result, err);
    free(list);
    return status;
}
