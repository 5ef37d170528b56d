// Our sine and cosine against the C library's, which is right to one unit in the last place.
#include "math/trig.h"
#include "support/check.h"

#include <math.h>

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
    return check_report();
}
