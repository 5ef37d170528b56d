// Patches keep the corners of what touches, layer by layer, and keep apart what looks different
// ways.
#include "collide/patch.h"
#include "base/random.h"
#include "support/check.h"

static carom_manifold_point point(double x, double y, double gap, vec3 normal)
{
    return (carom_manifold_point){ { x, y, 0 }, normal, gap, 0, 0 };
}

static int count_at(const carom_manifold *m, double x, double y)
{
    int count = 0;
    for (int i = 0; i < m->count; ++i)
        count += m->points[i].point.x == x && m->points[i].point.y == y;
    return count;
}

int main(void)
{
    static carom_patch_set set;
    carom_manifold m = { 0 };
    vec3 up = { 0, 0, 1 }, side = { 1, 0, 0 };
    // A grid of equal points: its four corners, once each.
    carom_patch_open(&set, 1, 0.01);
    for (int i = 0; i <= 10; ++i)
        for (int j = 0; j <= 10; ++j)
            carom_patch_add(&set, point(0.1 * i, 0.1 * j, -0.001, up));
    carom_patch_close(&set, &m);
    CHECK(m.count == 4, "a square patch keeps four corners, found %d", m.count);
    CHECK(count_at(&m, 0, 0) == 1 && count_at(&m, 0, 1) == 1 && count_at(&m, 1, 0) == 1 &&
              count_at(&m, 1, 1) == 1,
          "which are its corners");
    // A deeper point inside is kept too, and the others form the outer layer.
    carom_patch_add(&set, point(0.55, 0.45, -0.02, up));
    m.count = 0;
    carom_patch_close(&set, &m);
    CHECK(m.count == 5 && count_at(&m, 0.55, 0.45) == 1, "the deepest point is kept, found %d",
          m.count);
    // Another direction is another patch.
    carom_patch_add(&set, point(0.5, 0.5, 0, side));
    m.count = 0;
    carom_patch_close(&set, &m);
    CHECK(m.count == 6, "a point that looks another way is a patch of its own, found %d", m.count);
    // A circle is thinned to eight corners.
    carom_random random = carom_random_make(1, 1);
    carom_patch_open(&set, 1, 0.01);
    for (int i = 0; i < 400; ++i) {
        double d[3];
        carom_random_direction(&random, d);
        double r = sqrt(d[0] * d[0] + d[1] * d[1]);
        carom_patch_add(&set, point(d[0] / r, d[1] / r, 0, up));
    }
    m.count = 0;
    carom_patch_close(&set, &m);
    CHECK(m.count == CAROM_PATCH_CORNERS, "a round patch keeps %d corners, found %d",
          CAROM_PATCH_CORNERS, m.count);
    double area = 0;
    for (int i = 0; i < m.count; ++i) {
        vec3 p = m.points[i].point, q = m.points[(i + 1) % m.count].point;
        area += (p.x * q.y - p.y * q.x) / 2;
    }
    // A regular octagon in the unit circle has the area 2 sqrt 2 = 2.83.
    CHECK(area > 2.6, "that span nearly all of it: area %g", area);
    m.count = 0;
    carom_patch_open(&set, 1, 0.01);
    carom_patch_close(&set, &m);
    CHECK(m.count == 0, "nothing gives nothing");
    return check_report();
}
