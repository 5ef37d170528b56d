// Pictures of what moves while the shutter is open. Inside of the picture exporters.
#ifndef CAROM_EXPORT_EXPORT_BLUR_H
#define CAROM_EXPORT_EXPORT_BLUR_H

#include "export/export_setup.h"

typedef struct carom_export_blur {
    unsigned *sum;   // of looks that are averaged
    double *between; // bodies between two frames
} carom_export_blur;

// Room for pictures of this size, from the recording's scratch memory.
carom_status carom_export_blur_make(carom_recording *recording, const carom_image *image,
                                    carom_export_blur *out, carom_error *err);
// The time from one instant (s) to another, in eight looks, without a label; `last` is the state at
// the end.
carom_status carom_export_blur_draw(const carom_export_blur *blur, const carom_export_setup *setup,
                                    const double span[2], carom_image *image, carom_frame *last,
                                    carom_error *err);

#endif
