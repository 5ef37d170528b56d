// From outside while a run goes on: bodies taken away, bodies pushed, contacts watched. What
// changes bring in or take out of the energy is booked as driven.
#include "world/journal.h"
#include "world/ledger.h"
#include "world/linkage.h"
#include "world/world.h"

// The books go on: the difference to what they said is what the change brought.
static void book(carom_world *world)
{
    carom_ledger *ledger = &world->now.ledger;
    double kinetic = carom_ledger_kinetic(world), potential = carom_ledger_potential(world);
    ledger->driven += kinetic + potential - (ledger->kinetic + ledger->potential);
    ledger->kinetic = kinetic;
    ledger->potential = potential;
}

carom_status carom_world_remove(carom_world *world, int i)
{
    if (!carom_world_has(world, i))
        return CAROM_BAD_INPUT;
    if (world->kind[i] == CAROM_BODY_REMOVED)
        return CAROM_OK;
    world->kind[i] = CAROM_BODY_REMOVED;
    world->fixed[i] = 1;
    world->linkage_stale = world->joint_count > 0;
    world->inverse_mass[i] = 0;
    world->now.velocity[i] = world->now.spin[i] = vec3_make(0, 0, 0);
    book(world);
    return CAROM_OK;
}

carom_status carom_world_change_velocity(carom_world *world, int i, const double velocity[3],
                                         const double spin[3])
{
    if (!carom_world_has(world, i) || !velocity || !spin)
        return CAROM_BAD_INPUT;
    if (world->fixed[i])
        return CAROM_OK;
    world->now.velocity[i] = vec3_from(velocity);
    world->now.spin[i] = vec3_from(spin);
    book(world);
    return CAROM_OK;
}

void carom_world_set_progress(carom_world *world, const carom_progress *progress)
{
    if (!world)
        return;
    world->progress = progress;
}

carom_body_kind carom_world_kind(const carom_world *world, int i)
{
    return carom_world_has(world, i) ? (carom_body_kind)world->kind[i] : CAROM_BODY_REMOVED;
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
