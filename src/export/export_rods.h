// Joints as rods, for exporters that draw them as bodies of their own.
#ifndef CAROM_EXPORT_EXPORT_RODS_H
#define CAROM_EXPORT_EXPORT_RODS_H

#include "export/recording.h"

// A string from anchor to anchor, or the arm of another joint from a body's centre to the anchor,
// where that lies outside the body (a pendulum). Ends are in the frames of their bodies.
typedef struct carom_export_rod {
    int body[2]; // -1: the world
    vec3 end[2];
} carom_export_rod;

// At most two per joint.
int carom_export_rods_list(const carom_recording *recording, carom_export_rod *out);

// A rod of length 1 along z about the origin becomes the rod of a frame by this.
typedef struct carom_export_rod_state {
    vec3 position;
    quat rotation;
    double length; // m, above zero
} carom_export_rod_state;

carom_export_rod_state carom_export_rods_state(const carom_recording *recording,
                                               const carom_export_rod *rod,
                                               const carom_frame *frame);

#endif
