// The overhang designer against the known optima of Paterson and Zwick.
#include "carom/tower.h"
#include "support/check.h"
#include <math.h>

int main(void)
{
    // 1/2, 3/4, 1, (15 - 4 sqrt 2)/8: "Overhang", American Mathematical Monthly 116 (2009).
    const double best[] = { 0.5, 0.75, 1, (15 - 4 * sqrt(2)) / 8 };
    for (int n = 1; n <= check_effort(4, 3); ++n) {
        carom_tower_overhang found;
        carom_error err = { 0 };
        CHECK(carom_tower_overhang_search(n, 8, 1, &found, &err) == CAROM_OK, "%d bricks: %s", n,
              err.what);
        CHECK(found.proved, "%d bricks: proved stable", n);
        // From below: a proved stack cannot beat the optimum. 1e-6 is what the search loses.
        CHECK_MOST(found.reach, best[n - 1] + 1e-12, "%d bricks: no more than the optimum", n);
        CHECK_NEAR(found.reach, best[n - 1], 1e-6, "%d bricks: close to it", n);
    }
    carom_tower_overhang found;
    carom_error err = { 0 };
    CHECK(carom_tower_overhang_search(9, 1, 1, &found, &err) == CAROM_BAD_INPUT,
          "nine bricks are refused");
    return check_report();
}
