// The same bits with any number of threads and any compiler: a pile large enough that its one
// island is cut for several threads, and many small islands beside it, with impacts, rest and
// friction, and once more with resistance against rolling.
#include <inttypes.h>
#include <math.h>
#include "support/check.h"
#include "support/small_world.h"

static uint64_t run(int threads, double rolling)
{
    small_world s = small_world_make("wave");
    s.options.events = 0;
    s.options.threads = threads;
    s.options.resting_speed = 0.1;
    s.material.friction = 0.5;
    s.material.rolling = rolling;
    s.material.restitution = 0.3;
    small_world_floor(&s, (double[]){ 0, 0, 1 }, 0);
    for (int i = 0; i < 13 * 13 * 13; ++i) // touching, a little sheared so that it does not stand
        small_world_ball(&s, 0.05, 1,
                         (double[]){ 0.1 * (i % 13) + 0.01 * (i / 169),
                                     0.1 * (i / 13 % 13) + 0.004 * (i % 3),
                                     0.05 + 0.0995 * (i / 169) },
                         NULL);
    for (int i = 0; i < 40; ++i) // pairs of boxes that fall on each other
        small_world_box(&s, (double[]){ 0.05, 0.04, 0.03 }, 1,
                        (double[]){ 2 + 0.2 * (i / 2), 0.01 * (i % 2), 0.031 + 0.08 * (i % 2) },
                        (double[]){ 0, 0, i % 2 ? -2 : 0 });
    small_world_steps(&s, 1.0 / 600, 8);
    uint64_t hash = carom_world_hash(s.world);
    carom_ledger l = carom_world_ledger(s.world);
    CHECK(l.contacts > 4096 && l.impacts > 0, "a large island (%lld contacts), and impacts (%lld)",
          (long long)l.contacts, (long long)l.impacts);
    small_world_end(&s);
    return hash;
}

static void compare(double rolling, uint64_t golden)
{
    for (int threads = check_effort(1, 3); threads <= 3; ++threads) {
        uint64_t hash = run(threads, rolling);
        CHECK(hash == golden, "%d threads, rolling %g: the golden hash, found 0x%016" PRIx64,
              threads, rolling, hash);
    }
}

int main(void)
{
    compare(0, UINT64_C(0x6252ccca238b2a76));
    compare(1e-4, UINT64_C(0xd28467ac08cced87));
    return check_report();
}
