// Which frames of a body's motion say all: those between two kept ones lie on the line between
// them, to within a tolerance. Inside of the GLB and USD exporters.
#ifndef CAROM_EXPORT_EXPORT_KEYS_H
#define CAROM_EXPORT_EXPORT_KEYS_H

#include "export/recording.h"

typedef struct carom_export_keys {
    unsigned char *kept; // per body and frame; null: all are
    int64_t *count;      // per body
    int64_t frames;
} carom_export_keys;

// `frames` of the recording by number. `tolerance`: m of positions, and of points on the surface of
// a body that turns; 0 keeps all.
carom_status carom_export_keys_choose(carom_recording *recording, const int64_t *frames,
                                      int64_t count, double tolerance, carom_export_keys *out,
                                      carom_error *err);
bool carom_export_keys_has(const carom_export_keys *keys, int body, int64_t frame);

#endif
