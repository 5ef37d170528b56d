// From outside while a run goes on: bodies taken away, bodies pushed, contacts watched. What
// changes bring in or take out of the energy is booked as driven.
#include "world/journal.h"
#include "world/ledger.h"
#include "world/linkage.h"
#include "world/world_handle.h"

// Before the first step the books begin anew. Later they go on: the difference to what they said is
// what the change brought.
static void book(carom_world *world)
{
    carom_ledger *ledger = &world->now.ledger;
    if (ledger->steps == 0) {
        carom_ledger_begin(world);
        return;
    }
    double kinetic = carom_ledger_kinetic(world), potential = carom_ledger_potential(world);
    ledger->driven += kinetic + potential - (ledger->kinetic + ledger->potential);
    ledger->kinetic = kinetic;
    ledger->potential = potential;
}

static carom_status check_finite(const double v[3], const char *what, carom_error *err)
{
    if (!v || (isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2])))
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT, "the %s is %g %g %g", what, v[0], v[1], v[2]);
    return carom_error_fix(err, "use finite numbers");
}

carom_status carom_world_remove(carom_world *world, carom_body_id body, carom_error *err)
{
    int i;
    TRY(carom_world_handle_body(world, body, &i, err));
    carom_world_handle_free_body(world, i);
    book(world);
    return CAROM_OK;
}

carom_status carom_world_remove_joint(carom_world *world, carom_joint_id joint, carom_error *err)
{
    int j;
    TRY(carom_world_handle_joint(world, joint, &j, err));
    carom_world_handle_free_joint(world, j);
    return CAROM_OK;
}

carom_status carom_world_set_velocity(carom_world *world, carom_body_id body,
                                      const double velocity[3], const double spin[3],
                                      carom_error *err)
{
    int i;
    TRY(carom_world_handle_body(world, body, &i, err));
    if (world->kind[i] == CAROM_BODY_FIXED) {
        carom_error_set(err, CAROM_BAD_INPUT, "body %d is fixed: it has no velocity", i);
        return carom_error_fix(err, "make it driven or moving");
    }
    TRY(check_finite(velocity, "velocity", err));
    TRY(check_finite(spin, "spin", err));
    if (velocity) {
        vec3 v = vec3_from(velocity), change = vec3_sub(v, world->drive_steady[i]);
        // a driven body goes on from where it is: the line that it follows begins at time 0
        world->drive_origin[i] = vec3_axpy(world->drive_origin[i], -world->now.ledger.time, change);
        world->now.velocity[i] = world->drive_steady[i] = v;
    }
    if (spin)
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
