// Bodies and joints as items of the tracer. Inside of export_setup.c.
#ifndef CAROM_EXPORT_EXPORT_ITEMS_H
#define CAROM_EXPORT_EXPORT_ITEMS_H

#include "export/export_setup.h"

// Which body and part an item is.
typedef struct carom_export_origin {
    int body, part;
} carom_export_origin;

// The items of a body at a frame; returns their number, 0 where it is gone.
int carom_export_items_body(const carom_recording *recording, const carom_frame *frame, int body,
                            carom_tracer_item *out);
// How many items all bodies have at most.
int carom_export_items_max(const carom_recording *recording);
// At most two rods of this radius that show a joint.
int carom_export_items_joint(const carom_recording *recording, const carom_frame *frame,
                             const carom_world_joint *joint, double radius, carom_tracer_item *out);
// The items of all bodies, without the hidden ones.
int carom_export_items_list(const carom_export_setup *setup, const carom_frame *frame,
                            carom_tracer_item *items, carom_export_origin *origins);
// Marks parts that are not moving and stand between the camera and more than a twelfth of the
// moving bodies, at the first, middle or last frame.
carom_status carom_export_items_hide(carom_export_setup *setup, carom_error *err);

#endif
