// The same bits in a periodic box: with any number of threads and any compiler, and after a
// snapshot. One island closes around the box in both directions, large enough to be cut for several
// threads and to go into vector lanes: balls alone, and balls with boxes among them.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include "support/check.h"
#include "support/small_world.h"

static small_world bed(int threads, bool boxes)
{
    enum { SIDE = 13, LAYERS = 8 };
    small_world s = small_world_make("wave");
    s.options.events = 0;
    s.options.threads = threads;
    s.options.resting_speed = 0.1;
    s.options.periodic[0][1] = s.options.periodic[1][1] = 0.1 * SIDE;
    s.material.friction = 0.5;
    s.material.rolling = 1e-4;
    s.material.restitution = 0.3;
    small_world_floor(&s, (double[]){ 0, 0, 1 }, 0);
    for (int i = 0; i < SIDE * SIDE * LAYERS; ++i) { // touching, a little sheared, over the ends
        int layer = i / SIDE / SIDE;
        double at[3] = { 0.1 * (i % SIDE) + 0.01 * layer - 0.3,
                         0.1 * (i / SIDE % SIDE) + 0.004 * (i % 3), 0.05 + 0.0995 * layer };
        if (boxes && i % 3 == 0)
            small_world_box(&s, (double[]){ 0.049, 0.049, 0.049 }, 1, at, NULL);
        else
            small_world_ball(&s, 0.05, 1, at, (double[]){ 0, 0, layer == LAYERS - 1 ? -1 : 0 });
    }
    return s;
}

static uint64_t run(int threads, bool boxes)
{
    small_world s = bed(threads, boxes);
    small_world_steps(&s, 1.0 / 600, 6);
    carom_ledger l = carom_world_ledger(s.world);
    CHECK(l.contacts > 2000 && l.impacts > 0, "a large island (%lld contacts), and impacts (%lld)",
          (long long)l.contacts, (long long)l.impacts);
    uint64_t hash = carom_world_hash(s.world);
    small_world_end(&s);
    return hash;
}

static uint64_t resumed(bool boxes)
{
    carom_error err = { 0 };
    small_world s = bed(1, boxes), other = bed(1, boxes);
    small_world_steps(&s, 1.0 / 600, 3);
    size_t size = carom_world_snapshot_size(s.world);
    void *bytes = malloc(size);
    carom_world_snapshot(s.world, bytes);
    CHECK(carom_world_restore(other.world, bytes, size, &err) == CAROM_OK, "%s", err.what);
    free(bytes);
    small_world_steps(&other, 1.0 / 600, 3);
    uint64_t hash = carom_world_hash(other.world);
    small_world_end(&s);
    small_world_end(&other);
    return hash;
}

static void compare(bool boxes, uint64_t golden)
{
    uint64_t one = run(1, boxes), again = resumed(boxes);
    CHECK(one == golden, "the golden hash, found 0x%016" PRIx64, one);
    for (int threads = 2; threads <= 3; ++threads) {
        uint64_t hash = run(threads, boxes);
        CHECK(hash == one, "%d threads: 0x%016" PRIx64 ", one: 0x%016" PRIx64, threads, hash, one);
    }
    CHECK(again == one, "after a snapshot: 0x%016" PRIx64 ", in one go: 0x%016" PRIx64, again, one);
}

int main(void)
{
    compare(false, UINT64_C(0x021acd0abeff5521));
    compare(true, UINT64_C(0xb90fc559bf663d5b));
    return check_report();
}
