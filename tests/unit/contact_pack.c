// Contacts of a frame packed and unpacked, and summed per pair of bodies.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "carom/random.h"
#include "support/check.h"
#include "trajectory/contact_pack.h"
#include "trajectory/contact_sums.h"

enum { COUNT = 1000 };

// Half a unit in the last of 24 binary places.
static const double SINGLE = 6e-8;

static carom_world_contact make(carom_random *random, int i)
{
    carom_world_contact c = { .a = i / 3, .b = i / 3 + 1 + i % 3, .impact = i < COUNT / 2 };
    double *numbers[] = { c.point, c.normal, c.impulse, c.slip };
    for (int n = 0; n < 4; ++n)
        for (int k = 0; k < 3; ++k)
            numbers[n][k] = carom_random_between(random, -1, 1);
    c.time = 7 - carom_random_between(random, 0, 0.02);
    c.gap = -1e-9;
    c.duration = c.impact ? 0 : 1e-3;
    c.loss = carom_random_between(random, 0, 1);
    return c;
}

static void check_round_trip(void)
{
    static carom_world_contact list[COUNT], back[COUNT];
    carom_random random = carom_random_make(1, 1);
    carom_error err = { 0 };
    for (int i = 0; i < COUNT; ++i)
        list[i] = make(&random, i);
    unsigned char *bytes = malloc(carom_contact_pack_bound(COUNT));
    size_t size = carom_contact_pack(list, COUNT, 7, bytes);
    CHECK(size > 0 && size < COUNT * 60, "%zu bytes for %d contacts of random numbers", size,
          COUNT);
    CHECK(carom_contact_unpack(bytes, size, 7, COUNT, back, &err) == CAROM_OK, "%s", err.what);
    for (int i = 0; i < COUNT; ++i) {
        CHECK(back[i].a == list[i].a && back[i].b == list[i].b && back[i].impact == list[i].impact,
              "contact %d has its bodies", i);
        for (int k = 0; k < 3; ++k) {
            CHECK_NEAR(back[i].point[k], list[i].point[k], SINGLE, "point of %d", i);
            CHECK_NEAR(back[i].normal[k], list[i].normal[k], SINGLE, "normal of %d", i);
            CHECK_NEAR(back[i].impulse[k], list[i].impulse[k], SINGLE, "impulse of %d", i);
            CHECK_NEAR(back[i].slip[k], list[i].slip[k], SINGLE, "slip of %d", i);
        }
        CHECK_NEAR(back[i].time, list[i].time, 0.02 * SINGLE, "time of %d", i);
        CHECK_NEAR(back[i].gap, list[i].gap, 1e-9 * SINGLE, "gap of %d", i);
        CHECK_NEAR(back[i].duration, list[i].duration, 1e-3 * SINGLE, "duration of %d", i);
        CHECK_NEAR(back[i].loss, list[i].loss, SINGLE, "loss of %d", i);
    }
    CHECK(carom_contact_unpack(bytes, size / 2, 7, COUNT, back, &err) == CAROM_BAD_INPUT &&
              *err.what,
          "half of it is refused");
    CHECK(carom_contact_unpack(bytes, size, 7, COUNT - 1, back, &err) == CAROM_BAD_INPUT,
          "and another number of them");
    CHECK(!carom_contact_pack_fits(UINT64_C(1) << 30, 1000), "a gigabyte is not in 1000 bytes");
    free(bytes);
}

static void check_sums(void)
{
    carom_world_contact list[] = {
        { .a = 4,
          .b = 5,
          .impact = 1,
          .time = 2,
          .point = { 1 },
          .normal = { 0, 0, 1 },
          .impulse = { 0, 0, 3 },
          .gap = -1e-3,
          .slip = { 1 },
          .loss = 5 },
        { .a = 1, .b = 2, .impact = 1, .time = 1, .normal = { 1 }, .impulse = { 1 }, .loss = 1 },
        { .a = 4,
          .b = 5,
          .impact = 1,
          .time = 3,
          .point = { 5 },
          .normal = { 0, 0, 1 },
          .impulse = { 0, 0, 1 },
          .slip = { 5 },
          .loss = 7 },
        { .a = 4, .b = 5, .impact = 0, .normal = { 0, 1 }, .impulse = { 0, 2 }, .duration = 0.1 },
        { .a = 4, .b = 5, .impact = 0, .normal = { 1 }, .impulse = { 2 }, .duration = 0.1 },
    };
    CHECK(carom_contact_sums(list, 5) == 3, "two pairs, one of them also at rest");
    CHECK(list[0].a == 1 && list[1].a == 4 && list[1].impact && !list[2].impact, "in order");
    CHECK(list[1].impulse[2] == 4 && list[1].loss == 12 && list[1].time == 3, "sums");
    CHECK(list[1].point[0] == 2 && list[1].slip[0] == 2 && list[1].gap == -1e-3,
          "means, weighted by impulse, and the deepest");
    CHECK(list[2].impulse[0] == 2 && list[2].impulse[1] == 2 && list[2].duration == 0.1,
          "what rests is summed over the points of the pair");
    CHECK_NEAR(list[2].normal[0], sqrt(0.5), 1e-15, "with a normal of length 1");
}

int main(void)
{
    check_round_trip();
    check_sums();
    return check_report();
}
