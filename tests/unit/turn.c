// Our own sine and cosine: exact where they can be, right elsewhere.
#include "math/turn.h"
#include "support/check.h"

#include <math.h>

int main(void)
{
    static const double exact[][3] = { { 0, 0, 1 },    { 90, 1, 0 },   { 180, 0, -1 },
                                       { 270, -1, 0 }, { 360, 0, 1 },  { -90, -1, 0 },
                                       { 720, 0, 1 },  { -270, 1, 0 }, { 3600000090, 1, 0 } };
    double turn[2], worst = 0, length = 0;
    for (int i = 0; i < 9; ++i) {
        carom_turn_degrees(exact[i][0], turn);
        CHECK_NEAR(turn[0], exact[i][1], 0, "sine of %g degrees", exact[i][0]);
        CHECK_NEAR(turn[1], exact[i][2], 0, "cosine of %g degrees", exact[i][0]);
    }
    for (int i = -7200; i <= 7200; ++i) {
        double degrees = i / 10.0, radians = degrees * 3.14159265358979323846 / 180;
        carom_turn_degrees(degrees, turn);
        worst = fmax(worst, fmax(fabs(turn[0] - sin(radians)), fabs(turn[1] - cos(radians))));
        length = fmax(length, fabs(turn[0] * turn[0] + turn[1] * turn[1] - 1));
    }
    // the library's own argument, degrees in radians, is rounded to 2e-15 at 720 degrees
    CHECK_MOST(worst, 3e-15, "agrees with the C library over four turns");
    CHECK_MOST(length, 1e-15, "the squares add up to one");
    carom_turn_degrees(30, turn);
    // 30 degrees in radians is rounded once, the product once: two units in the last place
    CHECK_NEAR(turn[0], 0.5, 1.2e-16, "sine of 30 degrees");
    return check_report();
}
