// The forces of the last step, found again by which corner meets which edge.
#ifndef CAROM_TOWER_WARM_H
#define CAROM_TOWER_WARM_H

#include "tower/tower_contact.h"
#include <stdint.h>

typedef struct tower_warm_entry {
    int64_t key;      // edge (its first anchor, or its half plane) and corner
    double lambda[2]; // one, or two with friction
} tower_warm_entry;

typedef struct tower_warm {
    int count; // rows stored; 0: nothing to start from
    int slots; // size of the open-addressing table, a power of two
    int capacity;
    tower_warm_entry *table;
    double *tie; // multipliers of pins and bars
    int ties;
} tower_warm;

// Makes room for the contacts of one step. Only this may fail.
carom_status carom_tower_warm_reserve(tower_warm *warm, int contacts, int ties, carom_error *err);
void carom_tower_warm_store(tower_warm *warm, const tower_contacts *contacts, int per_contact,
                            int ties, const double *lambda);
// Fills lambda with what is known, zero elsewhere; false when nothing was stored.
bool carom_tower_warm_load(const tower_warm *warm, const tower_contacts *contacts, int per_contact,
                           int ties, double *lambda);
void carom_tower_warm_free(tower_warm *warm);

#endif
