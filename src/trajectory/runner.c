// Running a scene into a trajectory.
//
// The order within the file is: scene, meshes, manifest, then the start and what follows: a frame
// (with its contacts, where asked for) or a checkpoint (with the state of the runner before it) as
// they come, at the end a frame, a summary and a checkpoint. Frames are tied to step numbers and
// checkpoints hold the whole state, so that a run continued from any checkpoint writes the same
// frames as one that never stopped; only where the checkpoints lie depends on the clock.
#include "trajectory/runner.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/bytes.h"
#include "base/clock.h"
#include "base/progress.h"
#include "carom/json.h"
#include "scene/scene_servo.h"
#include "scene/scene_world.h"
#include "trajectory/layout.h"
#include "trajectory/manifest.h"
#include "world/world.h"

// What the runner itself needs to continue; pending contacts follow. Older files end after the
// number of contacts, before the overlap, or before `changed`.
typedef struct run_state {
    carom_audit audit;
    uint64_t contacts;
    int32_t changed;
} run_state;

enum {
    STATE_BYTES = 84,
    NO_CHANGED_STATE_BYTES = 80,
    NO_OVERLAP_STATE_BYTES = 64,
    OLD_STATE_BYTES = 40,
};

static const carom_bytes_field state_fields[] = {
    CAROM_BYTES(F64, run_state, audit.gain),
    CAROM_BYTES(F64, run_state, audit.penetration),
    CAROM_BYTES(F64, run_state, audit.pull),
    CAROM_BYTES(F64, run_state, audit.momentum),
    CAROM_BYTES(I64, run_state, contacts),
    CAROM_BYTES(F64, run_state, audit.elastic_sum),
    CAROM_BYTES(F64, run_state, audit.elastic_max),
    CAROM_BYTES(I64, run_state, audit.elastic_steps),
    CAROM_BYTES(F64, run_state, audit.overlap),
    CAROM_BYTES(I32, run_state, audit.overlap_b),
    CAROM_BYTES(I32, run_state, audit.overlap_a),
    CAROM_BYTES(I32, run_state, changed),
    { 0 },
};

static carom_status prepare(carom_runner *runner, const carom_progress *progress, carom_error *err);
static carom_status begin_file(carom_runner *runner, const carom_runner_settings *settings,
                               carom_error *err);
static carom_status write_frame(carom_runner *runner, carom_error *err);
static carom_status save(carom_runner *runner, carom_error *err);
static carom_status check_limit(const carom_runner *runner, int64_t steps, carom_error *err);

// -- beginning ----------------------------------------------------------------------------------

// The scene as the settings change it; the file of the run will hold the changed one.
static carom_status open_scene(const char *path, const carom_runner_settings *settings,
                               carom_scene_world **out, carom_error *err)
{
    carom_scene_text *text = NULL;
    size_t size;
    TRY(carom_scene_text_open(path, &text, err));
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < settings->set_count; ++i)
        status = carom_scene_text_set(text, settings->set[i], err);
    const char *bytes = carom_scene_text_bytes(text, &size);
    if (status == CAROM_OK)
        status = carom_scene_world_parse(carom_scene_text_name(text), bytes, size, out, err);
    carom_scene_text_close(text);
    return status;
}

static carom_status create(carom_runner *runner, const char *path,
                           const carom_runner_settings *settings, carom_error *err)
{
    TRY(open_scene(path, settings, &runner->scene, err));
    TRY(prepare(runner, settings->progress, err));
    TRY(carom_scene_world_examine(runner->scene, runner->world, err));
    carom_runner_set_limit(runner, settings->limit);
    bool part = settings->steps > 0 && settings->steps < runner->steps;
    TRY(check_limit(runner, part ? settings->steps : runner->steps, err));
    return settings->out ? begin_file(runner, settings, err) : CAROM_OK;
}

carom_status carom_runner_create(const char *path, const carom_runner_settings *settings,
                                 carom_runner **out, carom_error *err)
{
    NEED(err, path, out);
    *out = NULL;
    carom_runner *runner = calloc(1, sizeof *runner);
    if (!runner)
        return carom_error_no_memory(err, "a run");
    carom_status status = create(runner, path, settings, err);
    if (status == CAROM_OK)
        *out = runner;
    else
        carom_runner_destroy(runner);
    return status;
}

static carom_status prepare(carom_runner *runner, const carom_progress *progress, carom_error *err)
{
    runner->output = carom_scene_world_output(runner->scene);
    runner->step = carom_scene_world_step(runner->scene);
    runner->steps = carom_scene_world_steps(runner->scene);
    runner->frame_steps = (int64_t)fmin(fmax(round(runner->output.every / runner->step), 1), 1e15);
    TRY(carom_scene_world_build_told(runner->scene, NULL, progress, &runner->world, err));
    runner->start = carom_runner_sum(runner->world);
    carom_world_record_contacts(runner->world, runner->output.contacts);
    return CAROM_OK;
}

static carom_status begin_file(carom_runner *runner, const carom_runner_settings *settings,
                               carom_error *err)
{
    size_t size;
    const char *text = carom_scene_world_text(runner->scene, &size);
    TRY(carom_recorder_create(settings->out, settings->overwrite, &runner->recorder, err));
    TRY(carom_recorder_add(runner->recorder, CAROM_RECORD_SCENE, text, size, err));
    int meshes;
    const carom_scene_mesh *mesh = carom_scene_world_meshes(runner->scene, &meshes);
    for (int i = 0; i < meshes; ++i)
        TRY(carom_recorder_mesh(runner->recorder, &mesh[i], err));
    TRY(carom_manifest_write(runner->recorder, runner->scene, settings, err));
    TRY(write_frame(runner, err));
    return save(runner, err);
}

// Bytes of a contact of a state whose front has so many bytes; 0 where its size does not fit.
static size_t contact_stride(const carom_record *record, size_t front, uint64_t contacts)
{
    static const size_t strides[] = { CAROM_LAYOUT_CONTACT, CAROM_LAYOUT_OLD_CONTACT };
    for (int k = 0; k < 2; ++k)
        if (record->size == front + (size_t)contacts * strides[k])
            return strides[k];
    return 0;
}

// Reads the state; returns the bytes before its contacts, 0 where the record cannot be one.
static size_t decode_state(const carom_record *record, run_state *out, size_t *stride)
{
    static const size_t fronts[] = { STATE_BYTES, NO_CHANGED_STATE_BYTES, NO_OVERLAP_STATE_BYTES,
                                     OLD_STATE_BYTES };
    enum { FRONTS = sizeof fronts / sizeof *fronts };
    unsigned char bytes[STATE_BYTES] = { 0 }; // what an older file does not know is 0
    const unsigned char *at = bytes;
    *stride = 0;
    if (record->size < OLD_STATE_BYTES)
        return 0;
    memcpy(bytes, record->payload, OLD_STATE_BYTES);
    carom_bytes_get(state_fields, out, &at);
    size_t front = 0;
    for (int k = 0; k < FRONTS && !*stride && out->contacts <= INT32_MAX; ++k) {
        front = fronts[k];
        *stride = contact_stride(record, front, out->contacts);
    }
    if (!*stride)
        return 0;
    at = bytes;
    memcpy(bytes, record->payload, front);
    carom_bytes_get(state_fields, out, &at);
    out->audit.overlap_a &= INT32_MAX; // bodies
    out->audit.overlap_b &= INT32_MAX;
    return front;
}

// What stands right before the last checkpoint.
static carom_status restore_state(carom_runner *runner, const carom_record *record,
                                  carom_error *err)
{
    run_state state = { 0 };
    size_t stride;
    if (record->kind != CAROM_RECORD_STATE)
        return CAROM_OK; // version 1 had none
    size_t front = decode_state(record, &state, &stride);
    if (!front)
        return carom_error_set(err, CAROM_BAD_INPUT, "the state of the run has %zu bytes",
                               record->size);
    carom_world_set_audit(runner->world, &state.audit);
    runner->changed = state.changed != 0;
    const unsigned char *at = (const unsigned char *)record->payload + front;
    for (uint64_t i = 0; i < state.contacts; ++i, at += stride) {
        carom_world_contact contact = carom_layout_get_contact(at, stride);
        if (!carom_world_contacts_add(runner->world, &contact, 1))
            return carom_error_no_memory(err, "%llu contacts", (unsigned long long)state.contacts);
    }
    return CAROM_OK;
}

static carom_status read_state(carom_runner *runner, const carom_trajectory *trajectory,
                               carom_error *err)
{
    int64_t i = carom_trajectory_count(trajectory) - 1;
    while (i > 0 && carom_trajectory_at(trajectory, i).kind != CAROM_RECORD_CHECKPOINT)
        --i;
    if (i <= 0)
        return CAROM_OK;
    carom_record record = carom_trajectory_at(trajectory, i - 1);
    return restore_state(runner, &record, err);
}

static carom_status resume(carom_runner *runner, const char *path, carom_error *err)
{
    carom_trajectory *trajectory;
    void *point = NULL;
    size_t size;
    TRY(carom_trajectory_open(path, &trajectory, err));
    carom_record manifest = carom_trajectory_first(trajectory, CAROM_RECORD_MANIFEST);
    carom_status status = carom_manifest_same_version(&manifest, err);
    if (status == CAROM_OK)
        status = carom_trajectory_scene(trajectory, &runner->scene, err);
    if (status == CAROM_OK)
        status = prepare(runner, NULL, err);
    if (status == CAROM_OK)
        status = read_state(runner, trajectory, err);
    carom_trajectory_close(trajectory);
    if (status == CAROM_OK)
        status = carom_recorder_resume(path, &runner->recorder, &point, &size, err);
    if (status == CAROM_OK)
        status = carom_world_restore(runner->world, point, size, err);
    if (status == CAROM_OK)
        runner->done = runner->saved = carom_world_ledger(runner->world).steps;
    free(point);
    runner->last_point = carom_clock_seconds();
    runner->point_end = runner->recorder ? carom_recorder_size(runner->recorder) : 0;
    runner->point_start = runner->point_end - (status == CAROM_OK ? size : 0);
    return status;
}

carom_status carom_runner_resume(const char *path, carom_runner **out, carom_error *err)
{
    NEED(err, path, out);
    *out = NULL;
    carom_runner *runner = calloc(1, sizeof *runner);
    if (!runner)
        return carom_error_no_memory(err, "a run");
    carom_status status = resume(runner, path, err);
    if (status == CAROM_OK)
        *out = runner;
    else
        carom_runner_destroy(runner);
    return status;
}

// -- going on -----------------------------------------------------------------------------------

static carom_status write_frame(carom_runner *runner, carom_error *err)
{
    if (!runner->recorder)
        return CAROM_OK;
    TRY(carom_recorder_frame(runner->recorder, runner->world, err));
    if (!runner->output.contacts)
        return CAROM_OK;
    TRY(carom_recorder_contacts(runner->recorder, runner->world, runner->output.sums, err));
    carom_world_contacts_clear(runner->world);
    return CAROM_OK;
}

static carom_status write_state(carom_runner *runner, carom_error *err)
{
    int count;
    const carom_world_contact *list = carom_world_contacts(runner->world, &count);
    run_state state = { carom_world_audit(runner->world), (uint64_t)count, runner->changed };
    size_t size = STATE_BYTES + (size_t)count * CAROM_LAYOUT_CONTACT;
    unsigned char *bytes = malloc(size), *at = bytes;
    if (!bytes)
        return carom_error_no_memory(err, "a checkpoint");
    carom_bytes_put(state_fields, &state, &at);
    for (int i = 0; i < count; ++i, at += CAROM_LAYOUT_CONTACT)
        carom_layout_put_contact(at, &list[i]);
    carom_status status =
        carom_recorder_add(runner->recorder, CAROM_RECORD_STATE, bytes, size, err);
    free(bytes);
    return status;
}

static carom_status save(carom_runner *runner, carom_error *err)
{
    double start = carom_clock_seconds();
    runner->last_point = start;
    runner->saved = runner->done;
    if (!runner->recorder)
        return CAROM_OK;
    runner->point_start = carom_recorder_size(runner->recorder);
    TRY(write_state(runner, err));
    TRY(carom_recorder_checkpoint(runner->recorder, runner->world, err));
    runner->point_end = carom_recorder_size(runner->recorder);
    runner->last_point = carom_clock_seconds();
    runner->point_cost = runner->last_point - start;
    return CAROM_OK;
}

// By the clock; but checkpoints take neither more than a twentieth of the time nor, unless frames
// are rare, more room than the frames between them.
static bool point_due(const carom_runner *runner)
{
    double passed = carom_clock_seconds() - runner->last_point, wanted = runner->output.checkpoint;
    if (!runner->recorder || passed <= wanted || passed < 20 * runner->point_cost)
        return false;
    uint64_t grown = carom_recorder_size(runner->recorder) - runner->point_end;
    return grown >= runner->point_end - runner->point_start || passed > 10 * wanted;
}

static carom_status write_summary(carom_runner *runner, carom_error *err)
{
    if (!runner->recorder)
        return CAROM_OK;
    carom_runner_report report = carom_runner_judge(runner);
    carom_json *json = carom_json_create();
    carom_json_object(json, NULL);
    carom_runner_report_json(&report, runner, json);
    carom_json_end(json);
    const char *text = carom_json_text(json);
    carom_status status =
        text ? carom_recorder_add(runner->recorder, CAROM_RECORD_SUMMARY, text, strlen(text), err)
             : carom_error_no_memory(err, "the summary");
    carom_json_destroy(json);
    return status;
}

static carom_status record(carom_runner *runner, carom_error *err)
{
    bool last = runner->done == runner->steps;
    const carom_scene_output *output = &runner->output;
    if (runner->done % runner->frame_steps == 0 || last)
        TRY(write_frame(runner, err));
    if (last)
        TRY(write_summary(runner, err));
    bool due = output->checkpoint_steps > 0 && runner->done % output->checkpoint_steps == 0;
    return due || last || point_due(runner) ? save(runner, err) : CAROM_OK;
}

// At most ten times per second.
static carom_status report(carom_runner *runner, const carom_progress *progress, carom_error *err)
{
    double now = carom_clock_seconds();
    if (!progress || now - runner->reported < 0.1)
        return CAROM_OK;
    runner->reported = now;
    carom_ledger ledger = carom_world_ledger(runner->world);
    double rate = (double)(runner->done - runner->began_at) / fmax(now - runner->began, 1e-9);
    char words[160];
    snprintf(words, sizeof words,
             "t = %.4g s, %.3g steps/s, energy %.4g J (error %.2g J), %lld contacts", ledger.time,
             rate, ledger.kinetic + ledger.potential,
             ledger.integrator + ledger.position_correction, (long long)ledger.contacts);
    return carom_progress_report(progress, (double)runner->done, (double)runner->steps, words, err);
}

// From inside a step.
typedef struct inside {
    carom_runner *runner;
    const carom_progress *progress;
} inside;

static int report_inside(void *context, double done, double total, const char *what)
{
    (void)done, (void)total, (void)what;
    inside *in = context;
    return report(in->runner, in->progress, NULL) != CAROM_OK;
}

// Visits; what is left of the limit.
static double bound_of_step(const carom_runner *runner)
{
    return fmax(CAROM_WORLD_VISITS * (runner->limit - runner->work), 1);
}

// A step that is left half way leaves the world as it was, with the changes at its time made: they
// are not made again, by the run that continues neither.
static carom_status take_step(carom_runner *runner, const carom_progress *progress,
                              carom_error *err)
{
    inside in = { runner, progress };
    carom_progress within = { report_inside, &in };
    if (runner->changed)
        carom_scene_servo_press(runner->scene, runner->world);
    else
        carom_scene_world_change(runner->scene, runner->world, runner->done);
    runner->changed = true;
    carom_world_set_progress(runner->world, progress ? &within : NULL);
    carom_world_bound(runner->world, runner->limit > 0 ? bound_of_step(runner) : 0);
    carom_status status = carom_world_step(runner->world, runner->step, err);
    carom_world_set_progress(runner->world, NULL);
    runner->work += carom_world_work(runner->world) / CAROM_WORLD_VISITS;
    runner->changed = status != CAROM_OK;
    return status;
}

// A step that failed has left the world as it was: the report gets the body's name, what it touches
// and where the run can be taken up again.
static carom_status explain(carom_runner *runner, carom_status status, carom_error *err)
{
    char name[80], other[80], touching[240] = "", kept[80] = "";
    if (!err)
        return status;
    int body = err->body;
    if (status == CAROM_BAD_INPUT) // the scene was sound: it is the motion that went wrong
        err->status = status = CAROM_BROKE_PROMISE;
    if (body < 0 || body >= carom_world_body_count(runner->world))
        return status;
    double at[3];
    carom_body_id touched =
        carom_world_touching(runner->world, carom_world_body_at(runner->world, body), at);
    carom_scene_world_body_name(runner->scene, body, name, sizeof name);
    carom_scene_world_body_name(runner->scene, touched.slot, other, sizeof other);
    if (touched.generation)
        snprintf(touching, sizeof touching, " in contact with \"%s\" at (%.6g, %.6g, %.6g)", other,
                 at[0], at[1], at[2]);
    if (runner->recorder)
        snprintf(kept, sizeof kept, "; the file keeps the checkpoint of step %lld",
                 (long long)runner->saved);
    carom_error_where(err, "step %lld (%.9g s), body \"%s\"%s", (long long)runner->done + 1,
                      carom_world_ledger(runner->world).time, name, touching);
    carom_error_fix(err, "use a smaller step, or look at the sizes and speeds there%s", kept);
    return status;
}

// Where the scene's "stop" holds, this was the last step.
static void end_early(carom_runner *runner)
{
    if (runner->done < runner->steps &&
        carom_scene_world_stop_reached(runner->scene, runner->world, runner->stopped,
                                       sizeof runner->stopped))
        runner->steps = runner->done;
}

// -- bounded work -------------------------------------------------------------------------------

void carom_runner_set_limit(carom_runner *runner, double work)
{
    if (!runner)
        return;
    runner->limit = work > 0 ? work : 0;
    runner->work = 0;
}

static carom_status check_limit(const carom_runner *runner, int64_t steps, carom_error *err)
{
    double work =
        (double)steps * (CAROM_WORLD_ONCE + (double)carom_world_body_count(runner->world));
    if (runner->limit == 0 || work <= runner->limit)
        return CAROM_OK;
    carom_error_set(
        err, CAROM_BAD_INPUT,
        "%lld steps of %d bodies take a work of at least %.3g, beyond the limit of %.3g",
        (long long)steps, carom_world_body_count(runner->world), work, runner->limit);
    carom_error_where(err, "the duration and the step of the run");
    return carom_error_fix(err,
                           "use a shorter duration or a larger step, --steps for a part of it, or "
                           "--limit %.2g to go on",
                           2 * work);
}

// Of a step that would have gone beyond.
static carom_status limit_reached(const carom_runner *runner, carom_error *err)
{
    carom_error_set(err, CAROM_NOT_CONVERGED,
                    "the limit of work, %.3g, is reached in step %lld of %lld", runner->limit,
                    (long long)runner->done + 1, (long long)runner->steps);
    carom_error_where(err, "the run");
    return carom_error_fix(err, "continue with --resume and, to go further at once, --limit %.2g",
                           10 * runner->limit);
}

static carom_status advance(carom_runner *runner, int64_t steps, const carom_progress *progress,
                            carom_error *err)
{
    carom_status status = CAROM_OK;
    end_early(runner); // a run that continues may be at its end
    int64_t until = steps < runner->steps - runner->done ? runner->done + steps : runner->steps;
    runner->began = carom_clock_seconds();
    runner->began_at = runner->done;
    TRY(check_limit(runner, until - runner->done, err));
    while (runner->done < until && status == CAROM_OK) {
        status = take_step(runner, progress, err);
        if (status == CAROM_NOT_CONVERGED && runner->limit > 0 && runner->work > runner->limit) {
            limit_reached(runner, err);
            break;
        }
        if (status == CAROM_INTERRUPTED)
            break;
        if (status != CAROM_OK)
            return explain(runner, status, err);
        ++runner->done;
        end_early(runner);
        until = runner->steps < until ? runner->steps : until;
        status = record(runner, err);
        if (status == CAROM_OK)
            status = report(runner, progress, err);
    }
    bool left = status == CAROM_INTERRUPTED || status == CAROM_NOT_CONVERGED;
    if (left && runner->saved != runner->done) {
        carom_error failed = { 0 };
        if (save(runner, &failed) != CAROM_OK) {
            if (err)
                *err = failed;
            return failed.status;
        }
    }
    return status;
}

carom_status carom_runner_advance(carom_runner *runner, int64_t steps,
                                  const carom_progress *progress, carom_error *err)
{
    NEED(err, runner);
    carom_status status = advance(runner, steps, progress, err);
    runner->spent += carom_clock_seconds() - runner->began;
    return status;
}

int64_t carom_runner_done(const carom_runner *runner)
{
    if (!runner)
        return 0;
    return runner->done;
}

int64_t carom_runner_steps(const carom_runner *runner)
{
    if (!runner)
        return 0;
    return runner->steps;
}

const carom_world *carom_runner_world(const carom_runner *runner)
{
    if (!runner)
        return NULL;
    return runner->world;
}

const carom_scene_world *carom_runner_scene(const carom_runner *runner)
{
    if (!runner)
        return NULL;
    return runner->scene;
}

void carom_runner_destroy(carom_runner *runner)
{
    if (!runner)
        return;
    carom_recorder_close(runner->recorder);
    carom_world_destroy(runner->world);
    carom_scene_world_close(runner->scene);
    free(runner);
}
