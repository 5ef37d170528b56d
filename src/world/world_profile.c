// What steps cost: sums over a run, for reports. Nothing here changes a result, and nothing of it
// is part of a snapshot.
#include "world/step.h"

void carom_world_profile_add(carom_world *world)
{
    const carom_ledger *ledger = &world->now.ledger;
    carom_profile *all = &world->profile;
    all->times.collide += world->times.collide;
    all->times.locate += world->times.locate;
    all->times.impact += world->times.impact;
    all->times.rest += world->times.rest;
    all->times.move += world->times.move;
    ++all->steps;
    all->contacts = ledger->contacts > all->contacts ? ledger->contacts : all->contacts;
    // large islands may end a hundred times above the tolerance
    all->unsettled += ledger->rest_residual > 100 * world->options.rest_tolerance;
}

carom_profile carom_world_profile(const carom_world *world)
{
    if (!world)
        return (carom_profile){ 0 };
    return world->profile;
}
