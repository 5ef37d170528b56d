// A swinging door [Bristol 1990]: from the last key on every frame narrows the slopes of a line
// that passes all frames so far within the tolerance; where the line to a frame leaves them, the
// frame before becomes the next key.
#include "export/export_keys.h"

#include <math.h>
#include <string.h>
#include "base/error.h"

enum { NUMBERS = 7 }; // position and rotation

typedef struct door {
    double time, value[NUMBERS]; // the last key
    double low[NUMBERS], high[NUMBERS];
    double before[NUMBERS], time_before; // the last frame
} door;

static void open_at(door *d, double time, const double value[NUMBERS])
{
    d->time = time;
    memcpy(d->value, value, sizeof d->value);
    for (int k = 0; k < NUMBERS; ++k) {
        d->low[k] = -HUGE_VAL;
        d->high[k] = HUGE_VAL;
    }
}

// Whether the line from the key to this frame passes those between.
static bool passes(const door *d, double time, const double value[NUMBERS])
{
    for (int k = 0; k < NUMBERS; ++k) {
        double slope = (value[k] - d->value[k]) / (time - d->time);
        if (!(slope >= d->low[k] && slope <= d->high[k]))
            return false;
    }
    return true;
}

static void narrow(door *d, double time, const double value[NUMBERS], const double tolerance[2])
{
    for (int k = 0; k < NUMBERS; ++k) {
        double near = tolerance[k >= 3], span = time - d->time;
        d->low[k] = fmax(d->low[k], (value[k] - near - d->value[k]) / span);
        d->high[k] = fmin(d->high[k], (value[k] + near - d->value[k]) / span);
    }
    memcpy(d->before, value, sizeof d->before);
    d->time_before = time;
}

// Position and rotation, the sign of the latter as of the frame before.
static void read_state(const carom_recording *recording, const carom_frame *frame, int body,
                       const double before[NUMBERS], double out[NUMBERS])
{
    carom_recording_body s = carom_recording_state(recording, frame, body);
    quat q = s.rotation;
    double along = q.w * before[3] + q.x * before[4] + q.y * before[5] + q.z * before[6];
    double sign = along < 0 ? -1 : 1;
    const double all[NUMBERS] = { s.position.x, s.position.y, s.position.z, sign * q.w,
                                  sign * q.x,   sign * q.y,   sign * q.z };
    memcpy(out, all, sizeof all);
}

static void keep(carom_export_keys *keys, int body, int64_t frame)
{
    unsigned char *kept = &keys->kept[(int64_t)body * keys->frames + frame];
    keys->count[body] += !*kept;
    *kept = 1;
}

carom_status carom_export_keys_choose(carom_recording *recording, const int64_t *frames,
                                      int64_t count, double tolerance, carom_export_keys *out,
                                      carom_error *err)
{
    *out = (carom_export_keys){ .frames = count };
    TAKE_ZEROS(recording->scratch, out->count, recording->count + 1, err);
    for (int i = 0; i < recording->count; ++i)
        out->count[i] = count;
    if (!(tolerance > 0) || count < 3)
        return CAROM_OK;
    door *doors;
    TAKE(recording->scratch, doors, recording->count + 1, err);
    TAKE_ZEROS(recording->scratch, out->kept, (int64_t)recording->count * count + 1, err);
    memset(out->count, 0, (size_t)recording->count * sizeof *out->count);
    for (int64_t m = 0; m < count; ++m) {
        carom_frame frame;
        TRY(carom_recording_frame(recording, frames[m], &frame, err));
        for (int i = 0; i < recording->count; ++i) {
            static const double unturned[NUMBERS] = { 0, 0, 0, 1 };
            double now[NUMBERS],
                reach = carom_shape_radius(recording->forms[recording->form[i]].shape);
            // half an angle stands in a quaternion
            const double near[2] = { tolerance, isfinite(reach) && reach > 0
                                                    ? fmin(0.5 * tolerance / reach, 0.05)
                                                    : 1e-6 };
            door *d = &doors[i];
            read_state(recording, &frame, i, m ? d->before : unturned, now);
            if (m == 0) {
                open_at(d, frame.time, now);
                memcpy(d->before, now, sizeof now);
                d->time_before = frame.time;
                keep(out, i, 0);
                continue;
            }
            if (!passes(d, frame.time, now)) {
                keep(out, i, m - 1);
                open_at(d, d->time_before, d->before);
            }
            narrow(d, frame.time, now, near);
            if (m == count - 1)
                keep(out, i, m);
        }
    }
    return CAROM_OK;
}

bool carom_export_keys_has(const carom_export_keys *keys, int body, int64_t frame)
{
    return !keys->kept || keys->kept[(int64_t)body * keys->frames + frame];
}
