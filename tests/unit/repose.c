// The angle of repose of heaps whose slope is known.
#include "carom/repose.h"

#include <math.h>
#include "support/check.h"
#include "support/small_world.h"

static const double area[4] = { -16, -8, 16, 8 }; // cells of 2 m by 2 m

// Small boxes whose tops lie on the plane z = 20 - tan(angle) (x or y), one in the middle of each
// cell from `first` on along the longer side.
static void heap(small_world *s, double slope, int first, bool along_y)
{
    double half[3] = { 0.1, 0.1, 0.1 }, still[3] = { 0, 0, 0 };
    for (int line = 0; line < CAROM_REPOSE_LINES; ++line)
        for (int cell = first; cell < CAROM_REPOSE_CELLS; ++cell) {
            double along = -16 + 2 * (cell + 0.5), across = -8 + 2 * (line + 0.5);
            double x[3] = { along_y ? across : along, along_y ? along : across,
                            20 - slope * along - 0.1 };
            small_world_box(s, half, 1, x, still);
        }
}

static carom_repose measured(double slope, int first, bool along_y)
{
    small_world s = small_world_make("wave");
    carom_repose angle = { 0 };
    carom_error err = { 0 };
    double turned[4] = { area[1], area[0], area[3], area[2] };
    heap(&s, slope, first, along_y);
    CHECK(carom_repose_measure(s.world, along_y ? turned : area, &angle, &err) == CAROM_OK,
          "the heap is measured: %s", err.what);
    small_world_end(&s);
    return angle;
}

int main(void)
{
    // a line through points on a line: exact to round-off
    carom_repose angle = measured(tan(0.5), 0, false);
    CHECK_NEAR(angle.mean, 0.5 * 57.295779513082321, 1e-10, "a slope of half a radian");
    CHECK(angle.lines == CAROM_REPOSE_LINES, "eight lines are fitted, not %d", angle.lines);
    CHECK_MOST(angle.error, 1e-10, "all lines are the same");
    CHECK_NEAR(angle.top[3][5], 20 - tan(0.5) * -5, 1e-12, "the highest node of a cell (m)");
    CHECK_NEAR(measured(0, 0, false).mean, 0, 1e-12, "a level heap has no slope");
    CHECK_NEAR(measured(-0.3, 0, false).mean, -atan(0.3) * 57.295779513082321, 1e-10,
               "a slope the other way is negative");
    CHECK_NEAR(measured(0.7, 9, false).mean, atan(0.7) * 57.295779513082321, 1e-10,
               "cells over which nothing lies do not count");
    CHECK_NEAR(measured(0.4, 0, true).mean, atan(0.4) * 57.295779513082321, 1e-10,
               "the lines run along the longer side, here y");

    small_world s = small_world_make("wave");
    carom_error err = { 0 };
    double flat[4] = { 0, 0, 0, 1 }, up[3] = { 0, 0, 1 };
    small_world_floor(&s, up, 0);
    CHECK(carom_repose_measure(s.world, flat, &angle, &err) == CAROM_BAD_INPUT,
          "a floor without width is refused");
    CHECK(carom_repose_measure(s.world, area, &angle, &err) == CAROM_BAD_INPUT,
          "an empty floor is refused");
    small_world_end(&s);
    return check_report();
}
