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
    // How level 54 spheres lie without friction is decided by how their few layers happen to pack
    // [ETM, section 7.5], and neighbouring coefficients differ by less than the spread of the
    // lines: a heap of this size can only tell none from much.
    double none = angle_with(0), much = angle_with(0.6);
    CHECK(much > none, "friction makes a steeper slope: %g after %g degrees", much, none);
    return check_report();
}
