// The frames of a recording: of its trajectory, kept in memory one by one, or its start alone; and
// where bodies are in them.
#include "export/recording.h"

#include <stdlib.h>
#include <string.h>

void carom_recording_decimate(carom_recording *recording, int64_t n)
{
    if (!recording)
        return;
    recording->stride = n > 0 ? n : 1;
}

int64_t carom_recording_frame_count(const carom_recording *recording)
{
    if (!recording)
        return 0;
    int64_t frames = recording->trajectory   ? carom_trajectory_frame_count(recording->trajectory)
                     : recording->kept_count ? recording->kept_count
                                             : 1;
    return (frames - 1) / recording->stride + 1;
}

int carom_recording_contact_count(const carom_recording *recording, int64_t frame)
{
    int64_t stored = frame * recording->stride;
    if (recording->trajectory)
        return carom_trajectory_contact_count(recording->trajectory, stored);
    return stored >= 0 && stored < recording->kept_count ? recording->kept[stored].contact_count
                                                         : 0;
}

carom_status carom_recording_contacts(const carom_recording *recording, int64_t frame,
                                      carom_world_contact *out, carom_error *err)
{
    int64_t stored = frame * recording->stride;
    if (recording->trajectory)
        return carom_trajectory_contacts(recording->trajectory, stored, out, err);
    int count = carom_recording_contact_count(recording, frame);
    if (count)
        memcpy(out, recording->kept[stored].contacts, (size_t)count * sizeof *out);
    return CAROM_OK;
}

carom_status carom_recording_frame(const carom_recording *recording, int64_t index,
                                   carom_frame *frame, carom_error *err)
{
    NEED(err, recording, frame);
    if (recording->trajectory) {
        TRY(carom_trajectory_frame(recording->trajectory, index * recording->stride, frame, err));
        if (frame->body_count != recording->count)
            return carom_error_set(err, CAROM_BAD_INPUT, "frame %lld has %d bodies instead of %d",
                                   (long long)index, frame->body_count, recording->count);
        return CAROM_OK;
    }
    int64_t stored = index * recording->stride;
    if (index < 0 || stored >= (recording->kept_count ? recording->kept_count : 1))
        return carom_error_set(err, CAROM_BAD_INPUT, "there is no frame %lld", (long long)index);
    *frame = recording->kept_count ? recording->kept[stored].frame : recording->now;
    return CAROM_OK;
}

int64_t carom_recording_nearest(const carom_recording *recording, double time)
{
    if (!recording)
        return 0;
    int64_t low = 0, high = carom_recording_frame_count(recording) - 1;
    carom_frame frame, next;
    while (high - low > 1) { // ends: halves; times rise from frame to frame
        int64_t middle = low + (high - low) / 2;
        if (carom_recording_frame(recording, middle, &frame, NULL) != CAROM_OK)
            return low;
        if (frame.time <= time)
            low = middle;
        else
            high = middle;
    }
    if (high == low || carom_recording_frame(recording, low, &frame, NULL) != CAROM_OK ||
        carom_recording_frame(recording, high, &next, NULL) != CAROM_OK)
        return low;
    return time - frame.time <= next.time - time ? low : high;
}

static const double *position_of(const carom_frame *frame, int body)
{
    return frame->bodies + CAROM_FRAME_STRIDE * (size_t)body + CAROM_FRAME_POSITION;
}

carom_recording_body carom_recording_state(const carom_recording *recording,
                                           const carom_frame *frame, int body)
{
    const double *b = frame->bodies + CAROM_FRAME_STRIDE * (size_t)body;
    vec3 x = vec3_from(b + CAROM_FRAME_POSITION);
    if (recording->leader) {
        vec3 leader = vec3_from(position_of(frame, recording->leader[body]));
        x = vec3_add(x, carom_period_home(&recording->period, leader));
    }
    return (carom_recording_body){ x,
                                   { b[3], b[4], b[5], b[6] },
                                   vec3_from(b + CAROM_FRAME_VELOCITY),
                                   vec3_from(b + CAROM_FRAME_SPIN) };
}

vec3 carom_recording_home(const carom_recording *recording, vec3 point)
{
    return recording->leader ? vec3_add(point, carom_period_home(&recording->period, point))
                             : point;
}

vec3 carom_recording_beside(const carom_recording *recording, vec3 from, vec3 to)
{
    return recording->leader ? vec3_add(to, carom_period_shift(&recording->period, from, to)) : to;
}

// What is to be poured in has not entered as long as it has not moved.
bool carom_recording_gone(const carom_recording *recording, const carom_frame *frame, int body)
{
    return recording->kind[body] == CAROM_BODY_REMOVED ||
           (recording->pours && recording->waits[body] &&
            memcmp(position_of(frame, body), position_of(&recording->now, body),
                   3 * sizeof(double)) == 0) ||
           (recording->removed && frame->time >= recording->removed[body]);
}

// -- frames in memory --------------------------------------------------------------------------

static bool fill(carom_recording_kept *kept, const carom_world *world)
{
    int count = carom_world_body_count(world), touching;
    const carom_world_contact *contacts = carom_world_contacts(world, &touching);
    carom_ledger ledger = carom_world_ledger(world);
    double *bodies = malloc(CAROM_FRAME_STRIDE * ((size_t)count + 1) * sizeof *bodies);
    *kept = (carom_recording_kept){ .contact_count = touching };
    kept->contacts = malloc(((size_t)touching + 1) * sizeof *contacts);
    if (!bodies || !kept->contacts) {
        free(bodies);
        free(kept->contacts);
        return false;
    }
    for (int i = 0; i < count; ++i) {
        double *b = bodies + CAROM_FRAME_STRIDE * (size_t)i;
        carom_world_bodies_state(world, i, b);
    }
    if (touching)
        memcpy(kept->contacts, contacts, (size_t)touching * sizeof *contacts);
    kept->frame = (carom_frame){ .step = ledger.steps,
                                 .time = ledger.time,
                                 .hash = carom_world_hash(world),
                                 .ledger = ledger,
                                 .body_count = count,
                                 .bodies = bodies };
    return true;
}

static carom_status make_place(carom_recording *recording, carom_error *err)
{
    if (recording->kept_count < recording->kept_room)
        return CAROM_OK;
    int64_t room = 2 * recording->kept_room + 64;
    carom_recording_kept *more = realloc(recording->kept, (size_t)room * sizeof *more);
    if (!more)
        return carom_error_no_memory(err, "%lld frames", (long long)room);
    recording->kept = more;
    recording->kept_room = room;
    return CAROM_OK;
}

carom_status carom_recording_append(carom_recording *recording, const carom_world *world,
                                    carom_error *err)
{
    NEED(err, recording);
    if (recording->trajectory || carom_world_body_count(world) != recording->count)
        return carom_error_set(err, CAROM_BAD_INPUT, "a world of %d bodies, a recording of %d%s",
                               carom_world_body_count(world), recording->count,
                               recording->trajectory ? " with a trajectory" : "");
    TRY(make_place(recording, err));
    if (!fill(&recording->kept[recording->kept_count], world))
        return carom_error_no_memory(err, "frame %lld", (long long)recording->kept_count);
    ++recording->kept_count;
    return CAROM_OK;
}

carom_status carom_recording_append_frame(carom_recording *recording, double time,
                                          const double *bodies, carom_error *err)
{
    NEED(err, recording, bodies);
    if (recording->trajectory)
        return carom_error_set(err, CAROM_BAD_INPUT, "the recording has a trajectory");
    TRY(make_place(recording, err));
    size_t size = CAROM_FRAME_STRIDE * (size_t)recording->count * sizeof *bodies;
    double *own = malloc(size + 1);
    if (!own)
        return carom_error_no_memory(err, "frame %lld", (long long)recording->kept_count);
    memcpy(own, bodies, size);
    recording->kept[recording->kept_count] = (carom_recording_kept){
        .frame = { .step = recording->kept_count,
                   .time = time,
                   .body_count = recording->count,
                   .bodies = own },
    };
    ++recording->kept_count;
    return CAROM_OK;
}

void carom_recording_truncate(carom_recording *recording, int64_t count)
{
    if (!recording)
        return;
    while (recording->kept_count > (count > 0 ? count : 0)) {
        carom_recording_kept *last = &recording->kept[--recording->kept_count];
        free((void *)last->frame.bodies);
        free(last->contacts);
    }
}
