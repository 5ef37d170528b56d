// x^eta = 2^(eta log2 x), with log2 and exp2 in double-double arithmetic (an unevaluated sum
// high + low of two doubles, about 106 bits).
//
// log2: x = m 2^k with m in [sqrt 1/2, sqrt 2), ln m = 2 artanh s, s = (m - 1)/(m + 1), |s| <
// 0.1716. The series in s^2 loses 5 bits per term: the first terms need both halves, the tail one
// double. exp2: 2^y = 2^n e^t, t = (y - n) ln 2, |t| < 0.3466, Taylor's series in the same manner.
// Products are split after Dekker, so no fused multiply-add is needed.
#include "math/power.h"

typedef struct pair {
    double high, low;
} pair;

static pair log2_of(double x);
static double exp2_of(pair y);
static pair add(pair a, pair b);
static pair multiply(pair a, pair b);
static pair divide(double a, double b);

static const pair inverse_ln2 = { 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56 };
static const pair ln2 = { 0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56 };

double carom_power_general(double x, double eta)
{
    if (!(x > 0 && x < HUGE_VAL))
        return x; // 0, infinity, and what is no number stays none
    return exp2_of(multiply((pair){ eta, 0 }, log2_of(x)));
}

// a + b exactly, |a| >= |b|.
static pair quick_sum(double a, double b)
{
    double sum = a + b;
    return (pair){ sum, b - (sum - a) };
}

// a + b exactly (Knuth).
static pair sum_of(double a, double b)
{
    double sum = a + b, part = sum - a;
    return (pair){ sum, (a - (sum - part)) + (b - part) };
}

static pair split(double a)
{
    double c = 0x1.0000002p+27 * a, high = c - (c - a);
    return (pair){ high, a - high };
}

// a b exactly (Dekker).
static pair product_of(double a, double b)
{
    pair x = split(a), y = split(b);
    double p = a * b;
    double low = ((x.high * y.high - p) + x.high * y.low + x.low * y.high) + x.low * y.low;
    return (pair){ p, low };
}

static pair add(pair a, pair b)
{
    pair s = sum_of(a.high, b.high), t = sum_of(a.low, b.low);
    s = quick_sum(s.high, s.low + t.high);
    return quick_sum(s.high, s.low + t.low);
}

static pair multiply(pair a, pair b)
{
    pair p = product_of(a.high, b.high);
    return quick_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}

static pair divide(double a, double b)
{
    double q = a / b;
    pair back = product_of(q, b);
    return quick_sum(q, ((a - back.high) - back.low) / b);
}

static pair log2_of(double x)
{
    // 2/(2j + 1): the first HEAD terms in pairs, the tail up to s^35 in one double.
    enum { HEAD = 6, LAST = 17 };
    int k;
    double m = frexp(x, &k);
    if (m < 0x1.6a09e667f3bcdp-1) {
        m *= 2;
        --k;
    }
    // m - 1 is exact and m + 1 is not: put its rounding error into the quotient.
    pair below = sum_of(m, 1);
    pair s = divide(m - 1, below.high);
    s = quick_sum(s.high, s.low - s.high * (below.low / below.high));
    pair square = multiply(s, s);
    double tail = 0;
    for (int j = LAST; j >= HEAD; --j)
        tail = tail * square.high + 2.0 / (2 * j + 1);
    pair series = { tail, 0 };
    for (int j = HEAD - 1; j >= 0; --j)
        series = add(multiply(series, square), divide(2, 2 * j + 1));
    return add((pair){ k, 0 }, multiply(multiply(s, series), inverse_ln2));
}

static double exp2_of(pair y)
{
    enum { HEAD = 3, LAST = 16 };
    if (y.high > 1100)
        return INFINITY;
    if (y.high < -1200)
        return 0;
    double n = floor(y.high + 0.5);
    pair t = multiply(quick_sum(y.high - n, y.low), ln2);
    double tail = 0;
    for (int j = LAST; j > HEAD; --j)
        tail = (tail + 1) * t.high / j;
    pair series = { tail, 0 };
    series = add(series, (pair){ 1, 0 });
    for (int j = HEAD; j > 0; --j)
        series = add(multiply(multiply(series, t), divide(1, j)), (pair){ 1, 0 });
    return ldexp(series.high, (int)n);
}
