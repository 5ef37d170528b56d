// Heaps of spheres with and without friction [ETM, section 7.5], at a tenth of the size:
// scenes/world/heap.json has 54 spheres in half of a narrow box. The full ones, pack-*.json, take
// minutes: carom repose scenes/world/pack-*.json.
#include <stdio.h>
#include "carom/repose.h"
#include "support/check.h"
#include "support/play.h"

static double angle_with(double friction)
{
    const double area[4] = { -12, -3.2, 12, 3.2 };
    play p = play_open("heap");
    carom_repose angle = { 0 };
    carom_error err = { 0 };
    CHECK(!p.broken && carom_scene_world_friction(p.scene, friction, &err) == CAROM_OK,
          "friction %g: %s", friction, err.what);
    play_until(&p, 12);
    if (!p.broken)
        CHECK(carom_repose_measure(p.world, area, &angle, &err) == CAROM_OK, "measured: %s",
              err.what);
    printf("friction %g: %.2f +- %.2f degrees\n", friction, angle.mean, angle.error);
    play_close(&p);
    return angle.mean;
}

int main(void)
{
    double none = angle_with(0), some = angle_with(0.1), much = angle_with(0.6);
    // As level as its layers allow: one layer (2.45 m) that ends half way gives a fitted slope
    // of 1.5 layers over the length of 24 m, 8.7 degrees, to which the jitter of the cells adds a
    // little.
    CHECK_MOST(none, 9, "without friction the heap is level but for one layer");
    CHECK(some > none, "friction makes a slope: %g after %g degrees", some, none);
    CHECK(much > some, "more friction makes a steeper one: %g after %g degrees", much, some);
    return check_report();
}
