// View sources: which kind a file is, and reading it again when it changes.
#include "view/view_source.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/error.h"
#include "base/text.h"
#include "carom/trajectory.h"
#include "carom/scene.h"
#include "view/view_recording.h"

struct carom_view_source {
    pthread_mutex_t lock;
    const carom_view_source_ops *ops;
    void *self;
    int64_t generation;
    char *path, *law;     // null: not from a file; the scene's own
    struct stat seen;     // of the file when it was read
    struct stat changing; // and when it was last found changed: it is read once it rests
    char trouble[sizeof(carom_error)];
};

static carom_view_opener opener_of(const char *path, carom_error *err);

static carom_status open_file(carom_view_source *source, const carom_view_source_ops **ops,
                              void **self, carom_error *err)
{
    carom_view_opener open = opener_of(source->path, err);
    return open ? open(source->path, source->law, ops, self, err) : err->status;
}

static carom_view_source *create(void)
{
    carom_view_source *source = calloc(1, sizeof *source);
    if (source)
        pthread_mutex_init(&source->lock, NULL);
    return source;
}

carom_status carom_view_source_open(const char *path, const char *law, carom_view_source **out,
                                    carom_error *err)
{
    NEED(err, path, out);
    carom_error own = { 0 };
    *out = NULL;
    carom_view_source *source = create();
    if (source) {
        source->path = strdup(path);
        source->law = law ? strdup(law) : NULL;
    }
    if (!source || !source->path || (law && !source->law)) {
        carom_view_source_close(source);
        return carom_error_no_memory(err, "a view");
    }
    stat(path, &source->seen);
    carom_status status = open_file(source, &source->ops, &source->self, &own);
    if (err)
        *err = own;
    if (status != CAROM_OK)
        carom_view_source_close(source);
    else
        *out = source;
    return status;
}

// What was opened, or nothing.
static carom_status hand_over(carom_view_source *source, carom_status status,
                              carom_view_source **out)
{
    if (status != CAROM_OK) {
        carom_view_source_close(source);
        source = NULL;
    }
    *out = source;
    return status;
}

carom_status carom_view_source_recording(carom_recording *recording, carom_view_source **out,
                                         carom_error *err)
{
    NEED(err, out);
    carom_view_source *source = create();
    return hand_over(source,
                     source ? carom_view_recording_of(recording, &source->ops, &source->self, err)
                            : carom_error_no_memory(err, "a view"),
                     out);
}

carom_status carom_view_source_tower(const carom_view_tower *tower, carom_view_source **out,
                                     carom_error *err)
{
    NEED(err, tower, out);
    NEED(err, tower->tower);
    carom_view_source *source = create();
    return hand_over(source,
                     source ? carom_view_tower_of(tower, &source->ops, &source->self, err)
                            : carom_error_no_memory(err, "a view"),
                     out);
}

carom_status carom_view_source_bounce(const carom_bounce_map *map, const char *title,
                                      carom_view_source **out, carom_error *err)
{
    NEED(err, map, out);
    carom_view_source *source = create();
    return hand_over(source,
                     source ? carom_view_bounce_of(map, title, &source->ops, &source->self, err)
                            : carom_error_no_memory(err, "a view"),
                     out);
}

void carom_view_source_close(carom_view_source *source)
{
    if (!source)
        return;
    if (source->self)
        source->ops->close(source->self);
    pthread_mutex_destroy(&source->lock);
    free(source->path);
    free(source->law);
    free(source);
}

// -- kinds --------------------------------------------------------------------------------------

static bool is_empty(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 && S_ISREG(file.st_mode) && file.st_size == 0;
}

static carom_view_opener opener_of(const char *path, carom_error *err)
{
    static const carom_view_opener openers[] = {
        [CAROM_SCENE_KIND_WORLD] = carom_view_live_open,
        [CAROM_SCENE_KIND_IMPACT] = carom_view_impact_open,
        [CAROM_SCENE_KIND_TOWER] = carom_view_tower_open,
        [CAROM_SCENE_KIND_CHAIN] = carom_view_chain_open,
    };
    carom_scene_contents held;
    if (carom_trajectory_is(path) || is_empty(path) || carom_text_ends_with(path, ".carom"))
        return carom_view_recording_open;
    if (carom_text_ends_with(path, ".bounce") || carom_bounce_map_is(path))
        return carom_view_bounce_open;
    if (strcmp(path, "-") == 0) {
        carom_error_set(err, CAROM_BAD_INPUT, "the standard input cannot be watched");
        carom_error_fix(err, "write it to a file first");
        return NULL;
    }
    if (carom_scene_check(path, &held, err) != CAROM_OK)
        return NULL;
    if ((size_t)held.kind < sizeof openers / sizeof *openers && openers[held.kind])
        return openers[held.kind];
    carom_error_set(err, CAROM_UNSUPPORTED, "a file of kind %.60s has nothing to look at",
                    carom_scene_kind_name(held.kind));
    carom_error_where(err, "%s", path);
    carom_error_fix(err, "make a map of it with `carom bounce` and view the .bounce file");
    return NULL;
}

// -- numbers ------------------------------------------------------------------------------------

void carom_view_source_pack_state(carom_text *bytes, vec3 position, quat rotation, vec3 velocity,
                                  vec3 spin)
{
    const float numbers[CAROM_VIEW_FLOATS] = {
        (float)position.x, (float)position.y, (float)position.z, (float)rotation.x,
        (float)rotation.y, (float)rotation.z, (float)rotation.w, (float)velocity.x,
        (float)velocity.y, (float)velocity.z, (float)spin.x,     (float)spin.y,
        (float)spin.z,
    };
    carom_text_add_bytes(bytes, (const char *)numbers, sizeof numbers);
}

void carom_view_source_pack_contact(carom_text *bytes, const int about[3], const double point[3],
                                    const double normal[3], const double impulse[3],
                                    double duration)
{
    float numbers[CAROM_VIEW_CONTACT_FLOATS] = { (float)about[0], (float)about[1],
                                                 (float)about[2] };
    for (int k = 0; k < 3; ++k) {
        numbers[3 + k] = (float)point[k];
        numbers[6 + k] = (float)normal[k];
        numbers[9 + k] = (float)impulse[k];
    }
    numbers[12] = (float)duration;
    carom_text_add_bytes(bytes, (const char *)numbers, sizeof numbers);
}

// -- while it is shown --------------------------------------------------------------------------

carom_view_source_locked carom_view_source_lock(carom_view_source *source)
{
    pthread_mutex_lock(&source->lock);
    return (carom_view_source_locked){ source->ops, source->self, source->generation,
                                       source->trouble[0] ? source->trouble : NULL };
}

void carom_view_source_unlock(carom_view_source *source)
{
    pthread_mutex_unlock(&source->lock);
}

carom_status carom_view_source_change(carom_view_source *source, const carom_view_change *change,
                                      carom_error *err)
{
    carom_view_source_locked locked = carom_view_source_lock(source);
    carom_status status;
    if (!locked.ops->change)
        status = carom_error_set(err, CAROM_UNSUPPORTED, "nothing can be changed here");
    else
        status = locked.ops->change(locked.self, change, err);
    if (status == CAROM_OK)
        ++source->generation;
    carom_view_source_unlock(source);
    return status;
}

static bool same(const struct stat *a, const struct stat *b)
{
    return a->st_size == b->st_size && a->st_ino == b->st_ino &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

void carom_view_source_refresh(carom_view_source *source)
{
    struct stat now;
    const carom_view_source_ops *ops = NULL;
    void *self = NULL;
    carom_error err = { 0 };
    // Only this thread changes what it reads here: nobody has to wait while the file is read.
    if (!source->path || stat(source->path, &now) != 0 || same(&now, &source->seen))
        return;
    if (!same(&now, &source->changing)) {
        source->changing = now;
        return;
    }
    source->seen = now;
    carom_status status = open_file(source, &ops, &self, &err);
    pthread_mutex_lock(&source->lock);
    source->trouble[0] = 0;
    if (status == CAROM_OK) {
        const carom_view_source_ops *old_ops = source->ops;
        void *old = source->self;
        source->ops = ops;
        source->self = self;
        self = old;
        ops = old_ops;
        ++source->generation;
    } else
        snprintf(source->trouble, sizeof source->trouble, "%s%s%s", err.where,
                 *err.where ? ": " : "", err.what);
    pthread_mutex_unlock(&source->lock);
    if (self)
        ops->close(self);
}
