// Records a motion frame by frame.
#include "carom/tower.h"
#include "base/error.h"
#include "tower/tower_penalty.h"
#include <math.h>
#include <stdlib.h>

static carom_status allocate(carom_tower_recording *recording, long frames, carom_error *err)
{
    size_t count = (size_t)frames, places = 3 * (size_t)recording->bodies;
    // 8 bytes a number: refuse recordings that would not fit rather than ask for them.
    if (frames > 10000000 || count > ((size_t)1 << 31) / (8 * (places + 1))) {
        carom_error_set(err, CAROM_UNSUPPORTED,
                        "a recording of %ld frames of %d bodies is too large", frames,
                        recording->bodies);
        return carom_error_fix(err, "keep fewer frames (--every), or run fewer steps");
    }
    recording->time = calloc(count, sizeof *recording->time);
    recording->place = calloc(count * places + 1, sizeof *recording->place);
    recording->kinetic = calloc(count, sizeof *recording->kinetic);
    recording->potential = calloc(count, sizeof *recording->potential);
    recording->penetration = calloc(count, sizeof *recording->penetration);
    if (!recording->time || !recording->place || !recording->kinetic || !recording->potential ||
        !recording->penetration)
        return carom_error_no_memory(err, "%ld frames", frames);
    return CAROM_OK;
}

// What is being recorded: the bodies themselves, or the bricks that points and soft bars make up.
typedef struct subject {
    carom_tower_motion *motion;
    tower_frameworks frameworks; // of a penalty motion
    double *place;               // of their points; null: no penalty
} subject;

static void keep_frame(carom_tower_recording *recording, const subject *s,
                       const carom_tower_step *step)
{
    int n = recording->frames++, points = s->place ? carom_tower_bodies(s->frameworks.tower) : 0;
    for (int p = 0; p < points; ++p)
        carom_tower_motion_place(s->motion, p, s->place + 3 * (size_t)p);
    for (int b = 0; b < recording->bodies; ++b) {
        double *place = recording->place + 3 * ((size_t)n * (size_t)recording->bodies + (size_t)b);
        if (s->place)
            carom_tower_penalty_place(&s->frameworks, b, s->place, place);
        else
            carom_tower_motion_place(s->motion, b, place);
    }
    recording->time[n] = step->time;
    recording->kinetic[n] = step->kinetic;
    recording->potential[n] = step->potential;
    recording->penetration[n] = step->penetration;
}

static double potential_at_rest(const carom_tower *tower)
{
    double sum = 0, place[3];
    for (int b = 0; b < carom_tower_bodies(tower); ++b) {
        carom_tower_body_place(tower, b, place);
        if (!carom_tower_body_fixed(tower, b))
            sum += carom_tower_gravity(tower) * carom_tower_body_mass(tower, b) * place[1];
    }
    return sum;
}

static carom_status run(carom_tower_recording *recording, const subject *s, long steps, int every,
                        carom_error *err)
{
    carom_tower_motion *motion = s->motion;
    carom_status status = CAROM_OK;
    for (long n = 1; n <= steps && status == CAROM_OK; ++n) {
        carom_tower_step step;
        status = carom_tower_motion_step(motion, &step, err);
        if (status != CAROM_OK) {
            carom_error_where(err, "step %ld of %ld", n, steps);
            break;
        }
        recording->bitwise = recording->bitwise && carom_tower_motion_is_symmetric(motion);
        recording->qp_ms_max = fmax(recording->qp_ms_max, step.qp_ms);
        if (n % every == 0 || n == steps)
            keep_frame(recording, s, &step);
    }
    recording->audit = carom_tower_motion_audit(motion);
    recording->hash = carom_tower_motion_hash(motion);
    return status;
}

static carom_status prepare(subject *s, const carom_tower *tower,
                            const carom_tower_motion_options *options, carom_error *err)
{
    if (options->penalty > 0) {
        TRY(carom_tower_penalty_frameworks(tower, &s->frameworks, err));
        tower = s->frameworks.tower;
        s->place = calloc(3 * (size_t)carom_tower_bodies(tower) + 1, sizeof *s->place);
        if (!s->place)
            return carom_error_no_memory(err, "the frameworks");
    }
    return carom_tower_motion_create(tower, options, &s->motion, err);
}

carom_status carom_tower_record(const carom_tower *tower, const carom_tower_motion_options *options,
                                long steps, int every, carom_tower_recording *recording,
                                carom_error *err)
{
    NEED(err, options, recording);
    *recording = (carom_tower_recording){ .bodies = carom_tower_bodies(tower),
                                          .options = *options,
                                          .bitwise = true };
    if (steps < 0 || every < 1)
        return carom_error_set(err, CAROM_BAD_INPUT, "%ld steps, every %d", steps, every);
    TRY(allocate(recording, steps / every + 3, err));
    subject s = { 0 };
    carom_status status = prepare(&s, tower, options, err);
    if (status == CAROM_OK) {
        carom_tower_step start = { .potential = potential_at_rest(tower) };
        keep_frame(recording, &s, &start);
        status = run(recording, &s, steps, every, err);
    }
    carom_tower_motion_destroy(s.motion);
    carom_tower_penalty_release(&s.frameworks);
    free(s.place);
    return status;
}

void carom_tower_recording_free(carom_tower_recording *recording)
{
    if (!recording)
        return;
    free(recording->time);
    free(recording->place);
    free(recording->kinetic);
    free(recording->potential);
    free(recording->penetration);
    *recording = (carom_tower_recording){ .frames = 0 };
}
