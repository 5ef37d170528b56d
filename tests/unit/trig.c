// Our sine, cosine and angles against the C library's, which are right to one unit in the last
// place.
#include "math/trig.h"
#include "base/hash.h"
#include "base/random.h"
#include "math/constants.h"
#include "support/check.h"

#include <math.h>

// Angles in degrees: exact where they can be, right elsewhere.
static void degrees(void)
{
    static const double exact[][3] = { { 0, 0, 1 },    { 90, 1, 0 },   { 180, 0, -1 },
                                       { 270, -1, 0 }, { 360, 0, 1 },  { -90, -1, 0 },
                                       { 720, 0, 1 },  { -270, 1, 0 }, { 3600000090, 1, 0 } };
    double turn[2], worst = 0, length = 0;
    for (int i = 0; i < 9; ++i) {
        carom_trig_degrees(exact[i][0], turn);
        CHECK_NEAR(turn[0], exact[i][1], 0, "sine of %g degrees", exact[i][0]);
        CHECK_NEAR(turn[1], exact[i][2], 0, "cosine of %g degrees", exact[i][0]);
    }
    for (int i = -7200; i <= 7200; ++i) {
        double angle = i / 10.0, radians = angle * CAROM_PI / 180;
        carom_trig_degrees(angle, turn);
        worst = fmax(worst, fmax(fabs(turn[0] - sin(radians)), fabs(turn[1] - cos(radians))));
        length = fmax(length, fabs(turn[0] * turn[0] + turn[1] * turn[1] - 1));
    }
    // the library's own argument, degrees in radians, is rounded to 2e-15 at 720 degrees
    CHECK_MOST(worst, 3e-15, "agrees with the C library over four turns");
    CHECK_MOST(length, 1e-15, "the squares add up to one");
    carom_trig_degrees(30, turn);
    // 30 degrees in radians is rounded once, the product once: two units in the last place
    CHECK_NEAR(turn[0], 0.5, 1.2e-16, "sine of 30 degrees");
}

// No conversion out of range (the sanitizer ends the program there), and no number comes of none.
static void beyond(void)
{
    const double odd[] = { NAN, INFINITY, -INFINITY };
    double turn[2];
    for (int i = 0; i < 3; ++i) {
        CHECK(isnan(carom_trig_sin(odd[i])) && isnan(carom_trig_cos(odd[i])), "sine of %g", odd[i]);
        carom_trig_degrees(odd[i], turn);
        CHECK(isnan(turn[0]) && isnan(turn[1]), "%g degrees", odd[i]);
    }
    carom_trig_sin(1e300), carom_trig_degrees(1e300, turn);
}

// Points of the circle: within an ulp of the C library's, exactly symmetric, exact where they can
// be.
static void circle(void)
{
    double worst = 0, c, s;
    int asymmetric = 0;
    for (int n = 1; n <= 360; ++n)
        for (int k = 0; k <= n; ++k) {
            carom_trig_circle(k, n, &c, &s);
            double angle = 2 * CAROM_PI * k / n, mc, ms;
            worst = fmax(worst, fmax(fabs(c - cos(angle)), fabs(s - sin(angle))));
            carom_trig_circle(n - k, n, &mc, &ms);
            asymmetric += mc != c || ms != -s;
            if (n % 4 == 0) { // turned by a quarter: the same numbers
                carom_trig_circle((k + n / 4) % n, n, &mc, &ms);
                asymmetric += mc != -s || ms != c;
            }
        }
    // The angle passed to the C library is rounded three times: up to 3 * 2 pi * 2^-53 = 2.1e-15.
    CHECK_MOST(worst, 2.1e-15, "cosine and sine of k/n of a turn");
    CHECK(asymmetric == 0, "symmetric to the bit (%d are not)", asymmetric);
    carom_trig_circle(1, 4, &c, &s);
    CHECK(c == 0 && s == 1, "a quarter turn is exact: (%g, %g)", c, s);
    carom_trig_circle(1, 2, &c, &s);
    CHECK(c == -1 && s == 0, "half a turn is exact: (%g, %g)", c, s);
}

// cos x - 1 to its own last place, also where it is 1e-16 (against -2 sin^2(x / 2), which cancels
// nothing).
static void minus_one(void)
{
    double worst = 0, sine_worst = 0, c, s;
    for (int i = -4000; i <= 4000; ++i) {
        double x = i * 0.0021 * fabs(i * 2.5e-4), half = sin(x / 2);
        carom_trig_expm1(x, &c, &s);
        if (i != 0)
            worst = fmax(worst, fabs(c / (-2 * half * half) - 1));
        sine_worst = fmax(sine_worst, fabs(s - sin(x)));
    }
    // three roundings on either side
    CHECK_MOST(worst, 1e-15, "cosine minus one, relative");
    CHECK_MOST(sine_worst, 2.3e-16, "the sine beside it");
    carom_trig_expm1(1e-8, &c, &s);
    CHECK_NEAR(c, -5e-17, 1e-32, "cos 1e-8 - 1");
}

static double units_apart(double a, double b)
{
    return fabs(a - b) / (nextafter(fabs(b), INFINITY) - fabs(b));
}

// Angles of vectors in all directions and of all lengths, and those that C names exactly.
static void angles(void)
{
    static const double odd[] = { 0.0, -0.0, 1, -1, INFINITY, -INFINITY, 1e308, 5e-324, -1e-310 };
    double worst = 0, worst_acos = 0;
    uint64_t hash = CAROM_HASH_START;
    carom_random random = carom_random_make(11, 0);
    for (int i = 0; i < 400000; ++i) {
        double x = carom_random_between(&random, -1, 1), y = carom_random_between(&random, -1, 1);
        y = ldexp(y, -carom_random_below(&random, i % 2 ? 3 : 900));
        double found = carom_trig_atan2(y, x);
        worst = fmax(worst, units_apart(found, atan2(y, x)));
        worst_acos = fmax(worst_acos, fabs(carom_trig_acos(x) - acos(x)));
        hash = carom_hash_doubles(hash, &found, 1);
    }
    CHECK_MOST(worst, 2, "angle, in units of the last place of the C library's");
    // the square root rounds where the angle is steep: 1.5 units of pi / 2 and the library's own
    CHECK_MOST(worst_acos, 4.5e-16, "angle of a cosine");
    CHECK(hash == 0x5ec5240b078884c5, "the same bits on every compiler and machine (%#llx)",
          (unsigned long long)hash);
    for (int i = 0; i < 9; ++i)
        for (int k = 0; k < 9; ++k) {
            double found = carom_trig_atan2(odd[i], odd[k]), wanted = atan2(odd[i], odd[k]);
            CHECK(signbit(found) == signbit(wanted) && fabs(found - wanted) <= 4.5e-16,
                  "angle of (%g, %g): %.17g, C's is %.17g", odd[k], odd[i], found, wanted);
        }
    CHECK(isnan(carom_trig_atan2(NAN, 1)) && isnan(carom_trig_atan2(1, NAN)), "no number");
}

int main(void)
{
    double worst_sin = 0, worst_cos = 0;
    for (int i = -200000; i <= 200000; ++i) {
        double x = i * 0.0173 + i * 1e-7;
        worst_sin = fmax(worst_sin, fabs(carom_trig_sin(x) - sin(x)));
        worst_cos = fmax(worst_cos, fabs(carom_trig_cos(x) - cos(x)));
    }
    // two roundings of a value below one
    CHECK_MOST(worst_sin, 2.3e-16, "sine");
    CHECK_MOST(worst_cos, 2.3e-16, "cosine");
    CHECK_NEAR(carom_trig_sin(-0.0), 0, 0, "zero");
    degrees();
    minus_one();
    circle();
    angles();
    beyond();
    return check_report();
}
