// Points of the circle: within an ulp of the C library's, exactly symmetric, exact where they can
// be.
#include "shape/circle.h"
#include "math/constants.h"
#include "support/check.h"

#include <math.h>

int main(void)
{
    double worst = 0, c, s;
    int asymmetric = 0;
    for (int n = 1; n <= 360; ++n)
        for (int k = 0; k <= n; ++k) {
            carom_circle_point(k, n, &c, &s);
            double angle = 2 * CAROM_PI * k / n, mc, ms;
            worst = fmax(worst, fmax(fabs(c - cos(angle)), fabs(s - sin(angle))));
            carom_circle_point(n - k, n, &mc, &ms);
            asymmetric += mc != c || ms != -s;
            if (n % 4 == 0) { // turned by a quarter: the same numbers
                carom_circle_point((k + n / 4) % n, n, &mc, &ms);
                asymmetric += mc != -s || ms != c;
            }
        }
    // The angle passed to the C library is rounded three times: up to 3 * 2 pi * 2^-53 = 2.1e-15.
    CHECK_MOST(worst, 2.1e-15, "cosine and sine of k/n of a turn");
    CHECK(asymmetric == 0, "symmetric to the bit (%d are not)", asymmetric);
    carom_circle_point(1, 4, &c, &s);
    CHECK(c == 0 && s == 1, "a quarter turn is exact: (%g, %g)", c, s);
    carom_circle_point(1, 2, &c, &s);
    CHECK(c == -1 && s == 0, "half a turn is exact: (%g, %g)", c, s);
    return check_report();
}
