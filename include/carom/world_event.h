/// @file
/// What happened at contacts in a step: who began to touch whom, who was hit, who parted.
///
/// A pair touches in a step if its bodies came nearer than `slop` at the beginning of one of its
/// intervals, or pressed on each other in it. A sensor touches what overlaps it there. Events of a
/// step that failed are none.
#ifndef CAROM_WORLD_EVENT_H
#define CAROM_WORLD_EVENT_H

#include "carom/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What may happen.
typedef enum carom_event_kind {
    CAROM_EVENT_BEGIN, ///< the pair touches, and did not in the step before
    CAROM_EVENT_HIT,   ///< an impact at one contact
    CAROM_EVENT_END,   ///< the pair touched in the step before, and no longer does
} carom_event_kind;

/// One event. Bodies of an end may have been removed since.
typedef struct carom_contact_event {
    carom_event_kind kind; ///< what happened
    carom_body_id a, b;    ///< whom; the lower slot first
    int sensor;            ///< 1: one of the two is a sensor; then there are no hits
    double time;           ///< s: of a hit its moment; else the end of the step
    double point[3];       ///< m, world: of a hit; else 0
    double normal[3];      ///< of a hit, from a to b; else 0
    double speed;          ///< m/s: of a hit, with which a and b approached there; 0: others struck
    double impulse;        ///< N s: of a hit, its size
} carom_contact_event;

/// Starts (or ends) listing events; the list is empty until the next step. Whoever touches then
/// begins to. Part of snapshots as long as it is on.
CAROM_API void carom_world_record_events(carom_world *world, int on);
/// The events of the last step: hits in the order of time, then begins, then ends, by slots. Valid
/// until the next step.
CAROM_API const carom_contact_event *carom_world_events(const carom_world *world, int *count);

#ifdef __cplusplus
}
#endif
#endif
