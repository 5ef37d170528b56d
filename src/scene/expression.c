// Evaluates an expression by recursive descent, straight from the text. It knows numbers only: no
// vectors, no conditions, no loops.
#include "scene/expression.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/suggest.h"
#include "math/constants.h"
#include "math/power.h"
#include "math/trig.h"

enum { DEEPEST = 64, LONGEST_NAME = 64, NAMES_MAX = 256 };

// A text being read; the first flaw stops everything behind it.
typedef struct parsing {
    const char *at;
    const carom_expression_names *names;
    char *flaw;
    size_t size;
    bool failed;
    int depth;
} parsing;

static double sum(parsing *p);

static double fail(parsing *p, const char *what, const char *word, int length)
{
    if (!p->failed)
        snprintf(p->flaw, p->size, "%s%.*s%s", what, length, word, length ? "\"" : "");
    p->failed = true;
    return 0;
}

static void skip_space(parsing *p)
{
    p->at += strspn(p->at, " \t\r\n");
}

static bool take(parsing *p, char letter)
{
    skip_space(p);
    if (*p->at != letter)
        return false;
    ++p->at;
    return true;
}

static bool same(const char *word, const char *text, size_t length)
{
    return strlen(word) == length && strncmp(word, text, length) == 0;
}

// -- functions ----------------------------------------------------------------------------------

static double tangent(double x)
{
    return carom_trig_sin(x) / carom_trig_cos(x);
}

static const struct {
    const char *name;
    double (*of_one)(double);
    double (*of_two)(double, double);
} functions[] = {
    { "abs", fabs, NULL },           { "ceil", ceil, NULL }, { "cos", carom_trig_cos, NULL },
    { "floor", floor, NULL },        { "max", NULL, fmax },  { "min", NULL, fmin },
    { "sin", carom_trig_sin, NULL }, { "sqrt", sqrt, NULL }, { "tan", tangent, NULL },
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static int find_function(const char *word, size_t length)
{
    for (int i = 0; i < FUNCTIONS; ++i)
        if (same(functions[i].name, word, length))
            return i;
    return -1;
}

static double call(parsing *p, int function)
{
    if (!take(p, '('))
        return fail(p, "a bracket is missing behind \"", functions[function].name,
                    (int)strlen(functions[function].name));
    double first = sum(p), second = 0;
    if (functions[function].of_two) {
        if (!take(p, ','))
            return fail(p, "min and max take two numbers", "", 0);
        second = sum(p);
    }
    if (!take(p, ')'))
        return fail(p, "a bracket is not closed", "", 0);
    return functions[function].of_one ? functions[function].of_one(first)
                                      : functions[function].of_two(first, second);
}

// -- values -------------------------------------------------------------------------------------

static double unknown(parsing *p, const char *word, size_t length)
{
    const char *known[NAMES_MAX];
    char name[LONGEST_NAME], what[128] = "\"let\" has no \"";
    int count = 0;
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    for (; count < p->names->count && count < NAMES_MAX; ++count)
        known[count] = p->names->list[count].name;
    const char *nearest = carom_suggest_nearest(name, known, count);
    if (nearest)
        snprintf(what, sizeof what, "\"let\" has \"%.60s\", but no \"", nearest);
    return fail(p, what, name, (int)strlen(name));
}

static double named(parsing *p)
{
    const char *word = p->at;
    size_t length = 0;
    while (isalnum((unsigned char)word[length]) || word[length] == '_')
        ++length;
    p->at += length;
    int function = find_function(word, length);
    if (function >= 0)
        return call(p, function);
    if (same("pi", word, length))
        return CAROM_PI;
    for (int i = 0; i < p->names->count; ++i)
        if (same(p->names->list[i].name, word, length))
            return p->names->list[i].value;
    return unknown(p, word, length);
}

static double value(parsing *p)
{
    skip_space(p);
    if (take(p, '(')) {
        if (++p->depth > DEEPEST)
            return fail(p, "brackets are nested too deep", "", 0);
        double inside = sum(p);
        --p->depth;
        return take(p, ')') ? inside : fail(p, "a bracket is not closed", "", 0);
    }
    if (isalpha((unsigned char)*p->at) || *p->at == '_')
        return named(p);
    if (isdigit((unsigned char)*p->at) || *p->at == '.') {
        char *end;
        double number = strtod(p->at, &end);
        bool hexadecimal = p->at[0] == '0' && (p->at[1] == 'x' || p->at[1] == 'X');
        if (end == p->at || hexadecimal)
            return fail(p, "no number: \"", p->at, (int)strnlen(p->at, 20));
        p->at = end;
        return number;
    }
    return *p->at ? fail(p, "a number or a name is missing before \"", p->at,
                         (int)strnlen(p->at, 20))
                  : fail(p, "it ends too early", "", 0);
}

// -- operators ----------------------------------------------------------------------------------

// Whole exponents by multiplication, so that a negative base has its powers, too.
static double raise(parsing *p, double base, double exponent)
{
    enum { LARGEST = 64 };
    double size = fabs(exponent), power = 1;
    if (size == floor(size) && size <= LARGEST)
        for (int i = 0; i < (int)size; ++i)
            power *= base;
    else if (base >= 0 && size < 1e290)
        power = carom_power(base, size);
    else
        return fail(p, "a negative number has whole powers only", "", 0);
    return exponent < 0 ? 1 / power : power;
}

// A sign binds less than a power: -2^2 is -4.
static double factor(parsing *p)
{
    if (++p->depth > DEEPEST)
        return fail(p, "signs and powers are nested too deep", "", 0);
    double out;
    if (take(p, '-')) {
        out = -factor(p);
    } else {
        out = value(p);
        if (take(p, '^'))
            out = raise(p, out, factor(p));
    }
    --p->depth;
    return out;
}

static double product(parsing *p)
{
    double out = factor(p);
    while (!p->failed) {
        if (take(p, '*'))
            out *= factor(p);
        else if (take(p, '/'))
            out /= factor(p);
        else
            break;
    }
    return out;
}

static double sum(parsing *p)
{
    double out = product(p);
    while (!p->failed) {
        if (take(p, '+'))
            out += product(p);
        else if (take(p, '-'))
            out -= product(p);
        else
            break;
    }
    return out;
}

bool carom_expression_evaluate(const char *text, const carom_expression_names *names, double *out,
                               char *flaw, size_t size)
{
    parsing p = { .at = text, .names = names, .flaw = flaw, .size = size };
    double number = sum(&p);
    skip_space(&p);
    if (!p.failed && *p.at)
        fail(&p, "it goes on with \"", p.at, (int)strnlen(p.at, 20));
    if (!p.failed && !isfinite(number))
        fail(&p, "its value is not finite", "", 0);
    if (!p.failed)
        *out = number;
    return !p.failed;
}

bool carom_expression_is_name(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        ++length;
    return length > 0 && length < LONGEST_NAME && !text[length] &&
           !isdigit((unsigned char)text[0]) && find_function(text, length) < 0 &&
           !same("pi", text, length);
}
