// Rules that combine two one-body values of restitution [Bounce, section 5.2].
//
// The weighted rule is not in the paper. It keeps unity, monotonicity, identity and the symmetry of
// exchanging the bodies, and it alone has the limit of a heavy partner: wB -> 0 leaves eA.
#include "carom/restitution.h"

#include <math.h>
#include "base/error.h"

const char *carom_restitution_rule_name(carom_restitution_rule rule)
{
#define WORD(name, word, formula) word,
    static const char *const words[] = { CAROM_RESTITUTION_RULE_LIST(WORD) };
#undef WORD
    return WORD_OF(words, rule);
}

const char *carom_restitution_rule_formula(carom_restitution_rule rule)
{
#define FORMULA(name, word, formula) formula,
    static const char *const formulas[] = { CAROM_RESTITUTION_RULE_LIST(FORMULA) };
#undef FORMULA
    return WORD_OF(formulas, rule);
}

static double harmonic(double a, double b)
{
    return a > 0 && b > 0 ? 2 * a * b / (a + b) : 0;
}

double carom_restitution_rule_combine(carom_restitution_rule rule, const double epsilon[2],
                                      const double w[2])
{
    if (!epsilon || !w)
        return 0;
    double a = epsilon[0], b = epsilon[1], sum = w[0] + w[1];
    switch (rule) {
    case CAROM_RESTITUTION_WEIGHTED:
        return sum > 0 ? (w[0] * a + w[1] * b) / sum : 0.5 * (a + b);
    case CAROM_RESTITUTION_GEOMETRIC:
        return sqrt(a * b);
    case CAROM_RESTITUTION_HARMONIC:
        return harmonic(a, b);
    case CAROM_RESTITUTION_GEOMETRIC_FLIPPED:
        return 1 - sqrt((1 - a) * (1 - b));
    case CAROM_RESTITUTION_HARMONIC_FLIPPED:
        return 1 - harmonic(1 - a, 1 - b);
    case CAROM_RESTITUTION_MIN:
        return fmin(a, b);
    case CAROM_RESTITUTION_MAX:
        return fmax(a, b);
    case CAROM_RESTITUTION_ARITHMETIC:
    case CAROM_RESTITUTION_RULE_COUNT:
        break;
    }
    return 0.5 * (a + b);
}
