// A scene that runs while one watches: a thread steps the world and keeps its frames in memory.
// Where no thread can be had (in a browser) whoever asks for news does a share of the work first.
//
// A change (law, restitution, friction, gravity, a body put elsewhere or thrown) counts from the
// frame that is on the screen: what was computed beyond it is forgotten, the world is built anew
// with the change, and the state of then is put back. The last UNDONE changes can be taken back:
// what went before is computed again, to the same bits. States are kept for every frame as long as
// they fit into SNAPSHOT_BYTES, for every second, fourth, ... frame beyond that.
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/clock.h"
#include "base/error.h"
#include "carom/law.h"
#include "carom/world_change.h"
#include "scene/scene_world.h"
#include "view/view_recording.h"
#include "world/ledger.h"

enum { SNAPSHOT_BYTES = 128 << 20, UNDONE = 32 };
// Memory for frames; a run that needs more stops and says so.
#define MOMENT_BYTES 2e9

typedef struct snapshot {
    int64_t index;
    void *bytes;
    size_t size;
} snapshot;

// What there was before a change.
typedef struct before {
    snapshot state;
    carom_world_options options;
    carom_material *materials;
    double (*pairs)[2]; // restitution, friction
} before;

typedef struct live {
    pthread_t thread;
    bool started;
    pthread_mutex_t lock; // of everything below
    pthread_cond_t wake;
    atomic_bool stop, pause; // asked of the thread: to end; to leave the world alone
    bool busy;               // the thread is inside a step
    bool done;               // the end, or the trouble, was reached
    char trouble[300];

    carom_scene_world *scene;
    carom_world_options options;
    carom_world *world;
    carom_recording *recording;
    int64_t steps, step, every; // in all, done, between frames
    snapshot *snapshots;
    int64_t snapshot_count, snapshot_room, snapshot_stride;
    double snapshot_bytes;
    before history[UNDONE];
    int history_count;
} live;

static void *work(void *self);

// -- states to come back to -----------------------------------------------------------------------

static void drop_snapshots_after(live *l, int64_t index)
{
    while (l->snapshot_count && l->snapshots[l->snapshot_count - 1].index > index) {
        snapshot *last = &l->snapshots[--l->snapshot_count];
        l->snapshot_bytes -= (double)last->size;
        free(last->bytes);
    }
}

static void thin_snapshots(live *l)
{
    int64_t kept = 0;
    l->snapshot_stride *= 2;
    for (int64_t i = 0; i < l->snapshot_count; ++i) {
        snapshot one = l->snapshots[i];
        if (one.index % l->snapshot_stride == 0)
            l->snapshots[kept++] = one;
        else {
            l->snapshot_bytes -= (double)one.size;
            free(one.bytes);
        }
    }
    l->snapshot_count = kept;
}

// Where memory is short there are fewer places to come back to, nothing worse.
static void keep_snapshot(live *l)
{
    int64_t index = l->recording->kept_count - 1;
    if (index % l->snapshot_stride != 0)
        return;
    if (l->snapshot_count == l->snapshot_room) {
        int64_t room = 2 * l->snapshot_room + 64;
        snapshot *more = realloc(l->snapshots, (size_t)room * sizeof *more);
        if (!more)
            return;
        l->snapshots = more;
        l->snapshot_room = room;
    }
    snapshot one = { .index = index, .size = carom_world_snapshot_size(l->world) };
    one.bytes = malloc(one.size);
    if (!one.bytes)
        return;
    carom_world_snapshot(l->world, one.bytes);
    l->snapshots[l->snapshot_count++] = one;
    l->snapshot_bytes += (double)one.size;
    if (l->snapshot_bytes > SNAPSHOT_BYTES && l->snapshot_count > 1)
        thin_snapshots(l);
}

// -- the run --------------------------------------------------------------------------------------

static carom_status keep(live *l, carom_error *err)
{
    double bytes =
        (double)l->recording->kept_count * CAROM_FRAME_STRIDE * 8 * (double)l->recording->count;
    if (bytes > MOMENT_BYTES)
        return carom_error_set(err, CAROM_NO_MEMORY,
                               "stopped after %lld frames, which fill the memory set aside",
                               (long long)l->recording->kept_count);
    TRY(carom_recording_append(l->recording, l->world, err));
    carom_world_contacts_clear(l->world);
    keep_snapshot(l);
    return CAROM_OK;
}

// Steps up to the next frame; the lock is not held meanwhile.
static carom_status advance(live *l, carom_error *err)
{
    int64_t next = l->step - l->step % l->every + l->every;
    if (next > l->steps)
        next = l->steps;
    for (; l->step < next && !l->stop && !l->pause; ++l->step) {
        carom_scene_world_change(l->scene, l->world, l->step);
        TRY(carom_world_step(l->world, carom_scene_world_step(l->scene), err));
    }
    return CAROM_OK;
}

// The next frame. Called and left with the lock held.
static void make_frame(live *l)
{
    carom_error err = { 0 };
    l->busy = true;
    pthread_mutex_unlock(&l->lock);
    carom_status status = advance(l, &err);
    pthread_mutex_lock(&l->lock);
    l->busy = false;
    bool whole = l->step % l->every == 0 || l->step == l->steps;
    if (status == CAROM_OK && whole && !l->stop)
        status = keep(l, &err);
    if (status != CAROM_OK)
        snprintf(l->trouble, sizeof l->trouble, "%s", err.what);
    l->done = status != CAROM_OK || l->step == l->steps;
}

static void *work(void *self)
{
    live *l = self;
    pthread_mutex_lock(&l->lock);
    while (!l->stop) {
        if (l->pause || l->done) {
            pthread_cond_wait(&l->wake, &l->lock);
            continue;
        }
        make_frame(l);
        pthread_cond_broadcast(&l->wake);
    }
    pthread_mutex_unlock(&l->lock);
    return NULL;
}

// Without a thread: frames for so long, one at least. Called with the lock held.
static void work_without_thread(live *l, double seconds)
{
    double end = carom_clock_seconds() + seconds;
    if (l->started)
        return;
    do
        if (!l->done)
            make_frame(l);
    while (!l->done && carom_clock_seconds() < end);
}

// Returns with the lock held and the world at rest.
static void hold_still(live *l)
{
    pthread_mutex_lock(&l->lock);
    l->pause = true;
    while (l->busy)
        pthread_cond_wait(&l->wake, &l->lock);
}

static void go_on(live *l)
{
    l->pause = false;
    pthread_cond_broadcast(&l->wake);
    pthread_mutex_unlock(&l->lock);
}

// -- changes --------------------------------------------------------------------------------------

static carom_status apply(live *l, const carom_view_change *change, carom_error *err)
{
    if (change->law && strcmp(change->law, carom_law_name(l->options.law)) != 0) {
        const carom_law *law = carom_law_find(change->law, err);
        if (!law)
            return err->status;
        l->options.law = law;
        l->options.law_options = carom_law_defaults(law);
    }
    if (change->has_gravity)
        memcpy(l->options.gravity, change->gravity, sizeof l->options.gravity);
    if (change->has_restitution) {
        if (!(change->restitution >= 0 && change->restitution <= 1))
            return carom_error_set(err, CAROM_BAD_INPUT, "restitution %g is outside [0, 1]",
                                   change->restitution);
        for (int i = 0; i < l->scene->material_count; ++i) {
            l->scene->materials[i].restitution = change->restitution;
            l->scene->materials[i].fade = 0;
        }
        for (int i = 0; i < l->scene->pair_count; ++i)
            l->scene->pairs[i].restitution = change->restitution;
    }
    if (!change->has_friction)
        return CAROM_OK;
    return carom_scene_world_friction(l->scene, change->friction, err);
}

static const snapshot *find_snapshot(const live *l, int64_t index)
{
    const snapshot *found = NULL;
    for (int64_t i = 0; i < l->snapshot_count && l->snapshots[i].index <= index; ++i)
        found = &l->snapshots[i];
    return found;
}

// A world of today's options in the state of then. The ledger starts anew: what gravity or the law
// did before is not to be compared with what they do now.
static carom_status rebuild(live *l, const snapshot *then, carom_error *err)
{
    carom_world *world = NULL;
    TRY(carom_scene_world_build(l->scene, &l->options, &world, err));
    carom_status status = carom_world_restore(world, then->bytes, then->size, err);
    int64_t step = status == CAROM_OK ? carom_world_ledger(world).steps : 0;
    if (status != CAROM_OK) {
        carom_world_destroy(world);
        return status;
    }
    carom_ledger_begin(world);
    carom_world_record_contacts(world, 1);
    carom_world_destroy(l->world);
    l->world = world;
    l->step = step;
    return CAROM_OK;
}

// Puts a body elsewhere, throws it, or both.
static carom_status move_body(live *l, const carom_view_change *change, carom_error *err)
{
    if (change->body < 0)
        return CAROM_OK;
    carom_body_id body = carom_world_body_at(l->world, (int)change->body);
    if (change->has_position)
        TRY(carom_world_set_pose(l->world, body, change->position, NULL, err));
    if (change->has_velocity)
        TRY(carom_world_set_velocity(l->world, body, change->velocity, NULL, err));
    carom_ledger_begin(l->world);
    return CAROM_OK;
}

// The run goes on from a frame with the world as it is now: that frame is taken again.
static carom_status go_on_from(live *l, int64_t index, carom_error *err)
{
    l->recording->law = carom_law_name(l->options.law);
    for (int i = 0; i < l->recording->count; ++i) {
        const carom_material *m = &l->scene->materials[l->scene->members[i].body.material];
        l->recording->restitution[i] = m->restitution;
        l->recording->friction[i] = m->friction;
    }
    carom_recording_truncate(l->recording, index);
    drop_snapshots_after(l, index - 1);
    l->trouble[0] = 0;
    l->done = l->step == l->steps;
    return keep(l, err);
}

static void forget(before *b)
{
    free(b->state.bytes);
    free(b->materials);
    free(b->pairs);
    *b = (before){ 0 };
}

// A copy of what a change will overwrite.
static carom_status remember(const live *l, const snapshot *then, before *out, carom_error *err)
{
    size_t materials = (size_t)l->scene->material_count, pairs = (size_t)l->scene->pair_count;
    *out = (before){ .state = *then, .options = l->options };
    out->state.bytes = malloc(then->size);
    out->materials = malloc((materials + 1) * sizeof *out->materials);
    out->pairs = malloc((pairs + 1) * sizeof *out->pairs);
    if (!out->state.bytes || !out->materials || !out->pairs) {
        forget(out);
        return carom_error_no_memory(err, "a change");
    }
    memcpy(out->state.bytes, then->bytes, then->size);
    memcpy(out->materials, l->scene->materials, materials * sizeof *out->materials);
    for (size_t i = 0; i < pairs; ++i) {
        out->pairs[i][0] = l->scene->pairs[i].restitution;
        out->pairs[i][1] = l->scene->pairs[i].friction;
    }
    return CAROM_OK;
}

static void put_back(live *l, const before *b)
{
    l->options = b->options;
    memcpy(l->scene->materials, b->materials,
           (size_t)l->scene->material_count * sizeof *b->materials);
    for (int i = 0; i < l->scene->pair_count; ++i) {
        l->scene->pairs[i].restitution = b->pairs[i][0];
        l->scene->pairs[i].friction = b->pairs[i][1];
    }
}

static carom_status undo(live *l, carom_error *err)
{
    if (l->history_count == 0)
        return carom_error_set(err, CAROM_BAD_INPUT, "nothing was changed");
    before *last = &l->history[l->history_count - 1];
    put_back(l, last);
    TRY(rebuild(l, &last->state, err));
    int64_t index = last->state.index;
    carom_status status = go_on_from(l, index, err);
    forget(last);
    --l->history_count;
    return status;
}

static carom_status apply_change(live *l, const carom_view_change *change, carom_error *err)
{
    int64_t last = l->recording->kept_count - 1, from = change->from < last ? change->from : last;
    const snapshot *then = find_snapshot(l, from < 0 ? 0 : from);
    before kept;
    if (!then)
        return carom_error_no_memory(err, "going back to frame %lld", (long long)from);
    TRY(remember(l, then, &kept, err));
    carom_status status = apply(l, change, err);
    bool built = status == CAROM_OK && (status = rebuild(l, then, err)) == CAROM_OK;
    if (built)
        status = move_body(l, change, err);
    if (status != CAROM_OK) { // as it was
        carom_error unused = { 0 };
        put_back(l, &kept);
        if (built && rebuild(l, &kept.state, &unused) == CAROM_OK)
            go_on_from(l, kept.state.index, &unused);
        forget(&kept);
        return status;
    }
    if (l->history_count == UNDONE) {
        forget(&l->history[0]);
        memmove(l->history, l->history + 1, (UNDONE - 1) * sizeof *l->history);
        --l->history_count;
    }
    l->history[l->history_count++] = kept;
    return go_on_from(l, kept.state.index, err);
}

static carom_status change(void *self, const carom_view_change *change, carom_error *err)
{
    live *l = self;
    hold_still(l);
    carom_status status = change->undo ? undo(l, err) : apply_change(l, change, err);
    go_on(l);
    return status;
}

// -- what the page gets ---------------------------------------------------------------------------

static void write_settings(live *l, carom_json *json)
{
    carom_json_bool(json, "running", !l->done);
    carom_json_string(json, "trouble", l->trouble);
    if (l->done) { // the hash that `carom run` prints for the same scene
        char hash[24];
        snprintf(hash, sizeof hash, "%016llx", (unsigned long long)carom_world_hash(l->world));
        carom_json_string(json, "hash", hash);
    }
    carom_json_object(json, "settings");
    carom_json_string(json, "law", carom_law_name(l->options.law));
    carom_json_numbers(json, "gravity", l->options.gravity, 3);
    const carom_material *first = &l->scene->materials[l->scene->material_count > 1 ? 1 : 0];
    carom_json_number(json, "restitution", first->restitution);
    carom_json_number(json, "friction", first->friction);
    carom_json_number(json, "duration", carom_scene_world_duration(l->scene));
    carom_json_integer(json, "changes", l->history_count);
    carom_json_end(json);
}

static carom_status describe(void *self, carom_text *text, carom_error *err)
{
    live *l = self;
    carom_json *json = carom_json_create();
    carom_json_object(json, NULL);
    carom_json_string(json, "kind", "live");
    carom_json_array(json, "laws");
    for (int i = 0; i < carom_law_count(); ++i)
        carom_json_string(json, NULL, carom_law_name(carom_law_at(i)));
    carom_json_end(json);
    if (carom_scene_world_note(l->scene))
        carom_json_string(json, "note", carom_scene_world_note(l->scene));
    pthread_mutex_lock(&l->lock);
    write_settings(l, json);
    carom_status status = carom_view_recording_write(l->recording, json, err);
    pthread_mutex_unlock(&l->lock);
    return carom_view_recording_finish(json, status, text, err);
}

static void news(void *self, int64_t have, carom_json *json)
{
    live *l = self;
    carom_error unused = { 0 };
    pthread_mutex_lock(&l->lock);
    work_without_thread(l, 0.03);
    write_settings(l, json);
    carom_view_recording_rows(l->recording, have, json, &unused);
    pthread_mutex_unlock(&l->lock);
}

static void finish(void *self)
{
    live *l = self;
    pthread_mutex_lock(&l->lock);
    work_without_thread(l, INFINITY);
    while (!l->done)
        pthread_cond_wait(&l->wake, &l->lock);
    pthread_mutex_unlock(&l->lock);
}

static carom_status surfaces(void *self, carom_text *bytes, carom_error *err)
{
    live *l = self;
    pthread_mutex_lock(&l->lock);
    carom_status status = carom_view_recording_surfaces(l->recording, bytes, err);
    pthread_mutex_unlock(&l->lock);
    return status;
}

static int64_t count(void *self)
{
    live *l = self;
    pthread_mutex_lock(&l->lock);
    int64_t frames = carom_recording_frame_count(l->recording);
    pthread_mutex_unlock(&l->lock);
    return frames;
}

static size_t bodies(void *self)
{
    return (size_t)carom_recording_body_count(((live *)self)->recording);
}

static carom_status frames(void *self, int64_t first, int64_t number, carom_text *bytes,
                           carom_error *err)
{
    live *l = self;
    pthread_mutex_lock(&l->lock);
    carom_status status = carom_view_recording_frames(l->recording, first, number, bytes, err);
    pthread_mutex_unlock(&l->lock);
    return status;
}

static carom_status contacts(void *self, int64_t index, carom_text *bytes, carom_error *err)
{
    live *l = self;
    pthread_mutex_lock(&l->lock);
    carom_status status = carom_view_recording_contacts(l->recording, index, bytes, err);
    pthread_mutex_unlock(&l->lock);
    return status;
}

static carom_status values(void *self, int64_t index, carom_text *bytes, carom_error *err)
{
    live *l = self;
    pthread_mutex_lock(&l->lock);
    carom_status status = carom_view_recording_depths(l->recording, index, bytes, err);
    pthread_mutex_unlock(&l->lock);
    return status;
}

// -- opening and closing --------------------------------------------------------------------------

static void close(void *self)
{
    live *l = self;
    if (l->started) {
        pthread_mutex_lock(&l->lock);
        l->stop = true;
        pthread_cond_broadcast(&l->wake);
        pthread_mutex_unlock(&l->lock);
        pthread_join(l->thread, NULL);
    }
    drop_snapshots_after(l, -1);
    free(l->snapshots);
    for (int i = 0; i < l->history_count; ++i)
        forget(&l->history[i]);
    carom_recording_destroy(l->recording);
    carom_world_destroy(l->world);
    carom_scene_world_close(l->scene);
    pthread_cond_destroy(&l->wake);
    pthread_mutex_destroy(&l->lock);
    free(l);
}

static carom_status prepare(live *l, const char *path, const char *law, carom_error *err)
{
    TRY(carom_scene_world_open(path, &l->scene, err));
    if (law)
        TRY(carom_scene_world_set(l->scene, "law", law, err));
    l->options = carom_scene_world_options(l->scene);
    l->steps = carom_scene_world_steps(l->scene);
    l->every = (int64_t)fmax(
        round(carom_scene_world_output(l->scene).every / carom_scene_world_step(l->scene)), 1);
    TRY(carom_recording_open_from(l->scene, path, &l->recording, err));
    TRY(carom_scene_world_build(l->scene, &l->options, &l->world, err));
    TRY(carom_scene_world_examine(l->scene, l->world, err));
    carom_world_record_contacts(l->world, 1);
    return keep(l, err);
}

static const carom_view_source_ops live_ops = {
    .describe = describe,
    .surfaces = surfaces,
    .count = count,
    .bodies = bodies,
    .frames = frames,
    .contacts = contacts,
    .values = values,
    .news = news,
    .finish = finish,
    .change = change,
    .close = close,
};

carom_status carom_view_live_open(const char *path, const char *law,
                                  const carom_view_source_ops **ops, void **self, carom_error *err)
{
    live *l = calloc(1, sizeof *l);
    if (!l)
        return carom_error_no_memory(err, "a run");
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->wake, NULL);
    l->snapshot_stride = 1;
    carom_status status = prepare(l, path, law, err);
    if (status != CAROM_OK) {
        close(l);
        return status;
    }
    l->started = pthread_create(&l->thread, NULL, work, l) == 0;
    *ops = &live_ops;
    *self = l;
    return CAROM_OK;
}
