// The same tower gives the same bits: with both compilers (golden hash), shifted by the axis, in
// any order of its bricks up to round-off, and twice in a row.
#include "carom/tower.h"
#include "support/check.h"
#include <math.h>

static carom_error err;

static unsigned long long run(const carom_tower *tower, int steps, double last[3], bool *bitwise)
{
    carom_tower_motion *motion = 0;
    carom_tower_motion_options o = carom_tower_motion_default();
    CHECK(carom_tower_motion_create(tower, &o, &motion, &err) == CAROM_OK, "%s", err.what);
    for (int n = 0; n < steps; ++n)
        if (!CHECK(carom_tower_motion_step(motion, 0, &err) == CAROM_OK, "step %d: %s", n,
                   err.what))
            break;
    carom_tower_motion_place(motion, carom_tower_bodies(tower) - 1, last);
    unsigned long long hash = carom_tower_motion_hash(motion);
    *bitwise = carom_tower_motion_is_symmetric(motion);
    carom_tower_motion_destroy(motion);
    return hash;
}

// The 5x5 tower with its axis at `shift`, bricks in reverse order if asked.
static carom_tower *diamond(double shift, bool reverse)
{
    carom_tower *tower = carom_tower_create(1);
    double place[25][2];
    int count = 0;
    for (int row = 0; row < 9; ++row)
        for (int k = 0, wide = row < 5 ? row + 1 : 9 - row; k < wide; ++k, ++count) {
            place[count][0] = shift + k - (wide - 1) / 2.0;
            place[count][1] = 0.125 + 0.25 * row;
        }
    for (int n = 0; n < 25; ++n) {
        int b = reverse ? 24 - n : n;
        carom_tower_body brick = { .width = 1, .height = 0.25, .x = place[b][0], .y = place[b][1] };
        CHECK(carom_tower_add_body(tower, &brick, 0, &err) == CAROM_OK, "%s", err.what);
    }
    carom_tower_add_ground(tower, (double[]){ 0, 0 }, (double[]){ 0, 1 }, &err);
    return tower;
}

int main(void)
{
    double last[3], other[3];
    bool bitwise;
    carom_tower *tower = diamond(0, false);
    unsigned long long hash = run(tower, 500, last, &bitwise);
    CHECK(bitwise, "mirror symmetric to the last bit after 500 steps");
    CHECK(hash == run(tower, 500, other, &bitwise), "the same twice in a row");
    // Through the first impacts. Any compiler and optimisation level must reproduce it.
    CHECK(hash == 0x253227d5286708c1ull, "golden hash: found 0x%llx", hash);
    carom_tower_destroy(tower);
    tower = diamond(37.25, false);
    CHECK(hash == run(tower, 500, other, &bitwise), "the same bits about another axis");
    CHECK(bitwise, "and symmetric about it");
    carom_tower_destroy(tower);
    // Another order of the bricks eliminates in another order: round-off, which contacts amplify;
    // before the first impact it stays small.
    tower = diamond(0, false);
    run(tower, 250, last, &bitwise);
    carom_tower_destroy(tower);
    tower = diamond(0, true);
    carom_tower_motion *motion = 0;
    carom_tower_motion_options o = carom_tower_motion_default();
    CHECK(carom_tower_motion_create(tower, &o, &motion, &err) == CAROM_OK, "%s", err.what);
    for (int n = 0; n < 250; ++n)
        CHECK(carom_tower_motion_step(motion, 0, &err) == CAROM_OK, "%s", err.what);
    carom_tower_motion_place(motion, 0, other);
    for (int c = 0; c < 3; ++c)
        CHECK_NEAR(other[c], last[c], 1e-9,
                   "bricks listed backwards: component %d of the top brick", c);
    carom_tower_motion_destroy(motion);
    carom_tower_destroy(tower);
    return check_report();
}
