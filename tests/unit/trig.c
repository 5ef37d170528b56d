// Our sine and cosine against the C library's, which is right to one unit in the last place.
#include "math/trig.h"
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
        double angle = i / 10.0, radians = angle * 3.14159265358979323846 / 180;
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
    beyond();
    return check_report();
}
