// Multipliers between steps; see tower_warm.h.
#include "tower/tower_warm.h"

#include <stdlib.h>
#include <string.h>

static const int64_t EMPTY = INT64_MIN;

static int64_t key_of(const tower_contact *c)
{
    int64_t edge = c->plane >= 0 ? -1 - (int64_t)c->plane : c->i;
    return edge * ((int64_t)1 << 32) + c->k;
}

// Where a key is, or the empty slot where it would go. The table is never full.
static int slot_of(const tower_warm *warm, int64_t key)
{
    uint64_t mixed = (uint64_t)key * UINT64_C(0x9e3779b97f4a7c15);
    int slot = (int)(mixed >> 40) & (warm->slots - 1);
    while (warm->table[slot].key != EMPTY && warm->table[slot].key != key)
        slot = (slot + 1) & (warm->slots - 1);
    return slot;
}

carom_status carom_tower_warm_reserve(tower_warm *warm, int contacts, int ties, carom_error *err)
{
    int slots = 64;
    while (slots < 2 * contacts)
        slots *= 2;
    if (slots > warm->capacity) {
        tower_warm_entry *table = realloc(warm->table, (size_t)slots * sizeof *table);
        if (!table)
            return carom_error_no_memory(err, "the forces of %d contacts", contacts);
        warm->table = table;
        warm->capacity = slots;
        warm->count = warm->slots = 0; // what was stored is no longer where its key says
    }
    if (ties > warm->ties) {
        double *tie = realloc(warm->tie, (size_t)ties * sizeof *tie);
        if (!tie)
            return carom_error_no_memory(err, "the forces of %d ties", ties);
        memset(tie, 0, (size_t)ties * sizeof *tie);
        warm->tie = tie;
        warm->ties = ties;
    }
    return CAROM_OK;
}

void carom_tower_warm_store(tower_warm *warm, const tower_contacts *contacts, int per, int ties,
                            const double *lambda)
{
    warm->slots = 64;
    while (warm->slots < 2 * contacts->count)
        warm->slots *= 2;
    for (int s = 0; s < warm->slots; ++s)
        warm->table[s].key = EMPTY;
    for (int n = 0; n < contacts->count; ++n) {
        int64_t key = key_of(&contacts->item[n]);
        tower_warm_entry *entry = &warm->table[slot_of(warm, key)];
        entry->key = key;
        for (int r = 0; r < per; ++r)
            entry->lambda[r] = lambda[per * n + r];
    }
    if (ties)
        memcpy(warm->tie, lambda + per * contacts->count, (size_t)ties * sizeof *lambda);
    warm->count = contacts->count + ties;
}

bool carom_tower_warm_load(const tower_warm *warm, const tower_contacts *contacts, int per,
                           int ties, double *lambda)
{
    if (warm->count == 0)
        return false;
    for (int n = 0; n < contacts->count; ++n) {
        int64_t key = key_of(&contacts->item[n]);
        const tower_warm_entry *entry = &warm->table[slot_of(warm, key)];
        for (int r = 0; r < per; ++r)
            lambda[per * n + r] = entry->key == key ? entry->lambda[r] : 0;
    }
    if (ties)
        memcpy(lambda + per * contacts->count, warm->tie, (size_t)ties * sizeof *lambda);
    return true;
}

void carom_tower_warm_free(tower_warm *warm)
{
    free(warm->table);
    free(warm->tie);
}
