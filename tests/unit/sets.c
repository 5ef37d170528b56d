// Disjoint sets that threads join at the same time: the sets, and their roots, of one thread.
#include "base/sets.h"
#include "base/random.h"
#include "base/team.h"
#include "support/check.h"

enum { COUNT = 20000, PAIRS = 15000, THREADS = 4, ROUNDS = 20 };

static int alone[COUNT], shared[COUNT], pair[PAIRS][2];

static void join_share(int *parent, int threads)
{
    int end = carom_team_end(PAIRS, threads);
    for (int i = carom_team_begin(PAIRS, threads); i < end; ++i)
        sets_join_shared(parent, pair[i][0], pair[i][1]);
}
CAROM_TEAM_SHARE2(join_share, int *, int)

int main(void)
{
    carom_random random = carom_random_make(7, 0);
    int different = 0, sets = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        for (int i = 0; i < COUNT; ++i)
            alone[i] = shared[i] = i;
        for (int i = 0; i < PAIRS; ++i)
            for (int k = 0; k < 2; ++k)
                pair[i][k] = (int)carom_random_below(&random, COUNT);
        for (int i = 0; i < PAIRS; ++i)
            sets_join(alone, pair[i][0], pair[i][1]);
        CAROM_TEAM(THREADS, join_share(shared, THREADS));
        for (int i = 0; i < COUNT; ++i) {
            different += sets_find(alone, i) != sets_find_shared(shared, i);
            sets += sets_find(shared, i) == i;
        }
    }
    CHECK(different == 0, "%d of %d numbers have another root", different, ROUNDS * COUNT);
    CHECK(sets > ROUNDS * COUNT / 8 && sets < ROUNDS * COUNT / 2, "%d sets in all", sets);
    return check_report();
}
