// Is a trajectory sound, and where do two of them part?
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/hash.h"
#include "carom/trajectory.h"

// -- check --------------------------------------------------------------------------------------

// carom_world_hash of the numbers of a frame: all positions, then rotations, velocities, spins.
static uint64_t hash_of(const carom_frame *frame)
{
    static const int first[] = { CAROM_FRAME_POSITION, CAROM_FRAME_ROTATION, CAROM_FRAME_VELOCITY,
                                 CAROM_FRAME_SPIN, CAROM_FRAME_STRIDE };
    uint64_t hash = CAROM_HASH_START;
    for (int part = 0; part < 4; ++part)
        for (int i = 0; i < frame->body_count; ++i)
            hash = carom_hash_doubles(hash, frame->bodies + CAROM_FRAME_STRIDE * i + first[part],
                                      (size_t)(first[part + 1] - first[part]));
    return hash;
}

static carom_status check_frames(const carom_trajectory *t, int bodies, carom_error *err)
{
    int64_t last = -1;
    for (int64_t i = 0; i < carom_trajectory_frame_count(t); ++i) {
        carom_frame frame;
        TRY(carom_trajectory_frame(t, i, &frame, err));
        const char *fault = NULL;
        if (frame.body_count != bodies)
            fault = "has another number of bodies than the scene";
        else if (frame.step <= last)
            fault = "is not later than the one before";
        else if (hash_of(&frame) != frame.hash)
            fault = "does not match its state hash";
        if (fault) {
            carom_error_set(err, CAROM_BAD_INPUT, "frame %lld (step %lld) %s", (long long)i,
                            (long long)frame.step, fault);
            return carom_error_fix(err, "run the scene again");
        }
        last = frame.step;
    }
    return CAROM_OK;
}

static carom_status check_all(const carom_trajectory *t, char *words, size_t size, carom_error *err)
{
    carom_scene_world *scene = NULL;
    int64_t frames = carom_trajectory_frame_count(t);
    carom_frame last = { 0 };
    if (carom_trajectory_damage(t)) {
        carom_error_set(err, CAROM_BAD_INPUT, "%s", carom_trajectory_damage(t));
        return carom_error_fix(err, "continue it with `carom run --resume FILE`");
    }
    TRY(carom_trajectory_scene(t, &scene, err));
    int bodies = carom_scene_world_body_count(scene);
    carom_status status = check_frames(t, bodies, err);
    if (status == CAROM_OK && frames > 0)
        status = carom_trajectory_frame(t, frames - 1, &last, err);
    snprintf(words, size, "trajectory, %lld frames of %d bodies, %.6g of %.6g s%s",
             (long long)frames, bodies, last.time, carom_scene_world_duration(scene),
             carom_trajectory_ended(t) ? "" : ", not yet at its end");
    carom_scene_world_close(scene);
    return status;
}

carom_status carom_trajectory_check(const char *path, char *words, size_t size, carom_error *err)
{
    carom_trajectory *t;
    TRY(carom_trajectory_open(path, &t, err));
    carom_status status = check_all(t, words, size, err);
    carom_trajectory_close(t);
    if (status != CAROM_OK && err && !*err->where)
        carom_error_where(err, "%s", path);
    return status;
}

// -- compare ------------------------------------------------------------------------------------

static const char *name_of(int number)
{
    static const char *const names[CAROM_FRAME_STRIDE] = { "position x", "position y", "position z",
                                                           "rotation w", "rotation x", "rotation y",
                                                           "rotation z", "velocity x", "velocity y",
                                                           "velocity z", "spin x",     "spin y",
                                                           "spin z" };
    return names[number];
}

// The largest difference of a frame; a NaN on one side only is larger than everything.
static double farthest(const carom_frame *a, const carom_frame *b, int *number)
{
    double max = 0;
    for (int i = 0; i < CAROM_FRAME_STRIDE * a->body_count; ++i) {
        double x = a->bodies[i], y = b->bodies[i];
        double apart = x == y || (isnan(x) && isnan(y)) ? 0 : fabs(x - y);
        if (isnan(apart))
            apart = HUGE_VAL;
        if (apart > max) {
            max = apart;
            *number = i;
        }
    }
    return max;
}

// Runs with other steps reach the same time by another sum: round-off of as many additions as a
// long run has steps.
static int earlier(double a, double b)
{
    double same = 1e-9 * fmax(fabs(a), fabs(b));
    return a < b - same ? -1 : b < a - same ? 1 : 0;
}

static void note(carom_difference *out, const carom_frame *a, int64_t frame, const char *what)
{
    out->frame = frame;
    out->step = a->step;
    out->time = a->time;
    snprintf(out->what, sizeof out->what, "%s", what);
}

carom_status carom_trajectory_compare(const carom_trajectory *a, const carom_trajectory *b,
                                      double tolerance, carom_difference *out, carom_error *err)
{
    NEED(err, a, b, out);
    int64_t na = carom_trajectory_frame_count(a), nb = carom_trajectory_frame_count(b);
    *out = (carom_difference){ .frame = -1, .body = -1 };
    for (int64_t i = 0, k = 0; i < na && k < nb;) {
        carom_frame fa, fb;
        int number = -1;
        TRY(carom_trajectory_frame(a, i, &fa, err));
        TRY(carom_trajectory_frame(b, k, &fb, err));
        int order = earlier(fa.time, fb.time);
        i += order <= 0;
        k += order >= 0;
        if (order != 0)
            continue;
        ++out->frames;
        if (fa.body_count != fb.body_count) {
            if (out->frame < 0) {
                note(out, &fa, i - 1, "bodies");
                out->a = fa.body_count;
                out->b = fb.body_count;
            }
            break;
        }
        double apart = farthest(&fa, &fb, &number);
        out->largest = fmax(out->largest, apart);
        if (out->frame >= 0 || !(apart > tolerance))
            continue;
        note(out, &fa, i - 1, name_of(number % CAROM_FRAME_STRIDE));
        out->body = number / CAROM_FRAME_STRIDE;
        out->a = fa.bodies[number];
        out->b = fb.bodies[number];
    }
    out->alone_a = na - out->frames;
    out->alone_b = nb - out->frames;
    return CAROM_OK;
}
