// What a caller may watch while a run goes on: its progress, its contacts, how well the books
// stand.
#include "base/memory.h"
#include "world/journal.h"
#include "world/ledger.h"
#include "world/linkage.h"
#include "world/world.h"

#include <string.h>

void carom_world_set_tasks(carom_world *world, carom_tasks_function run, void *context)
{
    if (!world)
        return;
    world->tasks = (carom_team_hook){ run, context };
}

void carom_world_set_progress(carom_world *world, const carom_progress *progress)
{
    if (!world)
        return;
    world->progress = progress;
}

void carom_world_bound(carom_world *world, double visits)
{
    world->work_bound = visits > 0 ? visits : 0;
}

double carom_world_work(const carom_world *world)
{
    return world->work;
}

void carom_world_record_contacts(carom_world *world, int on)
{
    if (!world)
        return;
    world->journal.watching = on != 0;
    carom_world_contacts_clear(world);
}

const carom_world_contact *carom_world_contacts(const carom_world *world, int *count)
{
    if (!world || !count)
        return NULL;
    *count = world->journal.count;
    return world->journal.list;
}

carom_world_contact *carom_world_contacts_detach(carom_world *world)
{
    if (!world || !world->journal.list)
        return NULL;
    carom_world_contact *list = world->journal.list;
    size_t size = sizeof *list;
    carom_world_contact *copy = carom_memory_get((size_t)world->journal.capacity * size);
    if (!copy)
        return NULL;
    memcpy(copy, list, (size_t)world->journal.count * size);
    world->journal.list = copy;
    return list;
}

void carom_world_contacts_clear(carom_world *world)
{
    if (!world)
        return;
    world->journal.count = world->journal.impacts = world->journal.kept = 0;
}

int carom_world_contacts_add(carom_world *world, const carom_world_contact *contacts, int count)
{
    for (int i = 0; i < count; ++i) {
        carom_world_contact *entry = carom_journal_next(&world->journal);
        if (!entry)
            return 0;
        *entry = contacts[i];
        if (entry->impact)
            world->journal.impacts = world->journal.count;
    }
    return 1;
}

carom_audit carom_world_audit(const carom_world *world)
{
    if (!world)
        return (carom_audit){ 0 };
    return world->journal.audit;
}

void carom_world_set_audit(carom_world *world, const carom_audit *audit)
{
    if (!world || !audit)
        return;
    world->journal.audit = *audit;
}

double carom_world_energy_gain(const carom_world *world, int *body, int *joint)
{
    if (!world)
        return 0;
    const carom_ledger *ledger = &world->now.ledger;
    // bodies that stand still have next to nothing at stake: then what the slop leaves open counts
    double weight = world->moving_mass * vec3_length(vec3_from(world->options.gravity));
    double stake = fmax(carom_ledger_stake(ledger), 1e3 * world->options.slop * weight);
    double added = ledger->integrator + fmax(0, ledger->position_correction - ledger->rest);
    int nobody[2];
    carom_linkage_fastest_gaining(world, body ? body : &nobody[0], joint ? joint : &nobody[1]);
    return stake > 0 ? fmax(0, added / stake) : 0;
}
