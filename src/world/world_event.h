// Events at contacts, for programs. See world_event.c.
#ifndef CAROM_WORLD_WORLD_EVENT_H
#define CAROM_WORLD_WORLD_EVENT_H

#include <stdbool.h>
#include "carom/world_event.h"
#include "math/vec.h"

struct carom_candidate;
struct carom_step;

// Two bodies as they were when they touched.
typedef struct carom_touch {
    uint64_t key; // slots, the lower one first
    unsigned generation[2];
    int sensor;
} carom_touch;

typedef struct carom_touches {
    carom_touch *list;
    int count, capacity;
} carom_touches;

typedef struct carom_world_event_list {
    bool on;
    carom_contact_event *list;
    int count, capacity;
    carom_touches before, now; // of the last step, sorted; of the one at work
} carom_world_event_list;

// A step begins; its intervals have found their candidates, and what presses; it went well.
void carom_world_event_begin(carom_world *world);
void carom_world_event_touch(const struct carom_step *step);
void carom_world_event_press(const struct carom_step *step);
void carom_world_event_close(carom_world *world);
// A pair with a sensor comes near.
void carom_world_event_sense(carom_world *world, int a, int b);
// An impact at a contact of this normal speed (m/s), with this impulse on b (N s).
void carom_world_event_hit(carom_world *world, const struct carom_candidate *candidate,
                           double speed, vec3 impulse);
void carom_world_event_free(carom_world_event_list *events);
// Room for so many touches; false without memory.
bool carom_world_event_reserve(carom_touches *touches, size_t count);

#endif
