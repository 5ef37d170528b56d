// What a failed step must give back: the state before it is kept while it runs. Warm starts and the
// journal keep their own (warm_start.c, journal.c).
#include <string.h>
#include "base/team.h"
#include "world/step.h"

static void save_share(carom_world *world, int threads)
{
    size_t first = (size_t)carom_team_begin(world->count, threads);
    size_t n = (size_t)carom_team_end(world->count, threads) - first;
    carom_world_state *to = &world->saved, *from = &world->now;
    if (world->asleep_count > 0) { // sleepers are there as they fell asleep
#define SAVE(type, name) to->name[i] = from->name[i];
        for (size_t i = first; i < first + n; ++i)
            if (!world->asleep[i]) {
                CAROM_WORLD_STATE_ARRAYS(SAVE)
            }
#undef SAVE
        return;
    }
#define SAVE(type, name) memcpy(to->name + first, from->name + first, n * sizeof(type));
    CAROM_WORLD_STATE_ARRAYS(SAVE)
#undef SAVE
}
CAROM_TEAM_SHARE2(save_share, carom_world *, int)

void carom_world_undo_save(carom_world *world)
{
    int team = carom_team_worth(world->count, world->options.threads);
    CAROM_TEAM(team, save_share(world, team));
    world->saved.ledger = world->now.ledger;
    world->warm_unchanged = true;
}

void carom_world_undo(carom_world *world)
{
    carom_world_state spoilt = world->now;
    world->now = world->saved;
    world->saved = spoilt;
    if (!world->warm_unchanged)
        carom_warm_start_swap(world);
    carom_journal_undo(world);
}
