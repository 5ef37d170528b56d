// Keeps the contacts of the current step for observers, and judges what a law reports against its
// promises.
#include "world/journal.h"
#include "base/memory.h"
#include "world/step.h"

enum { CONTACTS_MAX = 4000000 }; // contacts kept; later ones of a very long silence are lost

carom_world_contact *carom_journal_next(carom_journal *journal)
{
    if (journal->count == journal->capacity) {
        size_t capacity = journal->capacity ? 2 * (size_t)journal->capacity : 256;
        if (capacity > CONTACTS_MAX ||
            !carom_world_grow((void **)&journal->list, capacity, sizeof *journal->list))
            return NULL;
        journal->capacity = (int)capacity;
    }
    return &journal->list[journal->count++];
}

void carom_journal_begin(carom_world *world)
{
    carom_journal *journal = &world->journal;
    journal->count = journal->kept = journal->impacts;
    journal->kept_audit = journal->audit;
}

void carom_journal_undo(carom_world *world)
{
    carom_journal *journal = &world->journal;
    journal->count = journal->impacts = journal->kept;
    journal->audit = journal->kept_audit;
}

void carom_journal_judge(carom_world *world, const carom_impact_report *r, double largest)
{
    carom_audit *audit = &world->journal.audit;
    double scale = fmax(fmax(r->energy_before, r->energy_after), fabs(r->work));
    double gain = r->energy_after - r->energy_before - r->work;
    if (scale > 0)
        audit->gain = fmax(audit->gain, fmax(gain / scale, r->capped_loss));
    if (r->fastest > 0)
        audit->penetration = fmax(audit->penetration, r->penetration / r->fastest);
    if (largest > 0)
        audit->pull = fmax(audit->pull, r->pull / largest);
    audit->momentum = fmax(audit->momentum, r->momentum_error);
    if (r->elastic_error >= 0) {
        audit->elastic_sum += r->elastic_error;
        audit->elastic_max = fmax(audit->elastic_max, r->elastic_error);
        ++audit->elastic_steps;
    }
}

// `u`: relative velocity after the impulse. The entry still lacks what impacts and rest differ in.
static carom_world_contact *note(carom_world *world, const carom_candidate *candidate, vec3 impulse,
                                 vec3 u)
{
    carom_world_contact *entry = carom_journal_next(&world->journal);
    if (!entry)
        return NULL;
    *entry = (carom_world_contact){
        .a = candidate->a, .b = candidate->b, .time = world->now.ledger.time, .gap = candidate->gap
    };
    vec3 slip = vec3_axpy(u, -vec3_dot(u, candidate->normal), candidate->normal);
    vec3_store(candidate->point, entry->point);
    vec3_store(candidate->normal, entry->normal);
    vec3_store(impulse, entry->impulse);
    vec3_store(slip, entry->slip);
    return entry;
}

bool carom_journal_listens(const carom_world *world)
{
    return world->journal.watching || world->events.on;
}

void carom_journal_overlap(carom_audit *audit, double share, int a, int b)
{
    bool lower = a < audit->overlap_a || (a == audit->overlap_a && b < audit->overlap_b);
    if (share < audit->overlap || (share == audit->overlap && !lower))
        return;
    audit->overlap = share;
    audit->overlap_a = a;
    audit->overlap_b = b;
}

// Impulses p at an instant change the kinetic energy by the sum of p.(u + u')/2 over all contacts:
// each contact's share is known although they act together.
void carom_journal_impact(carom_world *world, const carom_candidate *candidate, vec3 impulse,
                          vec3 before)
{
    carom_journal *journal = &world->journal;
    carom_world_event_hit(world, candidate, vec3_dot(before, candidate->normal), impulse);
    if (!journal->watching || !(vec3_dot(impulse, impulse) > 0))
        return;
    journal->count = journal->impacts; // resting contacts of an earlier interval are history
    vec3 after = carom_step_relative_velocity(world, candidate);
    carom_world_contact *entry = note(world, candidate, impulse, after);
    if (entry) {
        entry->impact = 1;
        entry->loss = -0.5 * vec3_dot(impulse, vec3_add(before, after));
    }
    journal->impacts = journal->count;
}

void carom_journal_rest(const carom_step *step)
{
    carom_world *world = step->world;
    world->journal.count = world->journal.impacts;
    for (int i = 0; world->journal.watching && i < step->resting_count; ++i) {
        const carom_resting_contact *resting = &step->resting_contacts[i];
        const carom_candidate *candidate = &step->candidates[resting->candidate];
        if (!(vec3_dot(resting->impulse, resting->impulse) > 0))
            continue;
        vec3 u = carom_step_relative_velocity(world, candidate);
        carom_world_contact *entry = note(world, candidate, resting->impulse, u);
        if (entry) {
            entry->duration = step->h;
            entry->loss = -vec3_dot(resting->impulse, u);
        }
    }
}

void carom_journal_free(carom_journal *journal)
{
    carom_memory_free(journal->list);
}
