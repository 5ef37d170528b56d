// Motion blur: several looks at the bodies between frames, averaged.
#include "export/export_blur.h"

#include <string.h>

enum { LOOKS = 8 };

carom_status carom_export_blur_make(carom_recording *recording, const carom_image *image,
                                    carom_export_blur *out, carom_error *err)
{
    TAKE(recording->scratch, out->sum, 3 * (size_t)image->width * (size_t)image->height, err);
    TAKE(recording->scratch, out->between, CAROM_FRAME_STRIDE * ((size_t)recording->count + 1),
         err);
    return CAROM_OK;
}

// The state between two frames: straight lines and the shorter turn, good enough for what is
// blurred. Bodies stand in blur->between.
static carom_status frame_at(const carom_export_blur *blur, const carom_recording *recording,
                             double time, carom_frame *out, carom_error *err)
{
    carom_frame next;
    int64_t index = carom_recording_nearest(recording, time);
    TRY(carom_recording_frame(recording, index, out, err));
    index += out->time > time ? -1 : 1;
    if (index < 0 || index >= carom_recording_frame_count(recording))
        return CAROM_OK;
    TRY(carom_recording_frame(recording, index, &next, err));
    double share = (time - out->time) / (next.time - out->time);
    for (int i = 0; i < recording->count; ++i) {
        const double *a = out->bodies + CAROM_FRAME_STRIDE * (size_t)i;
        const double *b = next.bodies + CAROM_FRAME_STRIDE * (size_t)i;
        double *mean = blur->between + CAROM_FRAME_STRIDE * (size_t)i, dot = 0, length = 0;
        for (int k = CAROM_FRAME_ROTATION; k < CAROM_FRAME_VELOCITY; ++k)
            dot += a[k] * b[k];
        for (int k = 0; k < CAROM_FRAME_STRIDE; ++k) {
            bool turn = k >= CAROM_FRAME_ROTATION && k < CAROM_FRAME_VELOCITY;
            mean[k] = (1 - share) * a[k] + share * (turn && dot < 0 ? -b[k] : b[k]);
            length += turn ? mean[k] * mean[k] : 0;
        }
        for (int k = CAROM_FRAME_ROTATION; k < CAROM_FRAME_VELOCITY; ++k)
            mean[k] /= sqrt(length);
    }
    out->bodies = blur->between;
    out->time = time;
    return CAROM_OK;
}

carom_status carom_export_blur_draw(const carom_export_blur *blur, const carom_export_setup *setup,
                                    const double span[2], carom_image *image, carom_frame *last,
                                    carom_error *err)
{
    size_t count = 3 * (size_t)image->width * (size_t)image->height;
    memset(blur->sum, 0, count * sizeof *blur->sum);
    for (int i = LOOKS - 1; i >= 0; --i) {
        double time = span[1] - (span[1] - span[0]) * i / LOOKS;
        TRY(frame_at(blur, setup->recording, time, last, err));
        TRY(carom_export_setup_draw(setup, last, image, err));
        for (size_t k = 0; k < count; ++k)
            blur->sum[k] += image->rgb[k];
    }
    for (size_t k = 0; k < count; ++k)
        image->rgb[k] = (unsigned char)((blur->sum[k] + LOOKS / 2) / LOOKS);
    return CAROM_OK;
}
