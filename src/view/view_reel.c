// Reels: which maker a file needs, and reading it again when it changes.
#include "view/view_reel.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/error.h"
#include "base/text.h"
#include "carom/trajectory.h"
#include "carom/scene.h"
#include "view/view_film.h"

struct carom_view_reel {
    pthread_mutex_t lock;
    const carom_view_maker *maker;
    void *self;
    int64_t generation;
    char *path, *law;     // null: not from a file; the scene's own
    struct stat seen;     // of the file when it was read
    struct stat changing; // and when it was last found changed: it is read once it rests
    char trouble[sizeof(carom_error)];
};

static carom_view_opener opener_of(const char *path, carom_error *err);

static carom_status open_file(carom_view_reel *reel, const carom_view_maker **maker, void **self,
                              carom_error *err)
{
    carom_view_opener open = opener_of(reel->path, err);
    return open ? open(reel->path, reel->law, maker, self, err) : err->status;
}

static carom_view_reel *create(void)
{
    carom_view_reel *reel = calloc(1, sizeof *reel);
    if (reel)
        pthread_mutex_init(&reel->lock, NULL);
    return reel;
}

carom_status carom_view_reel_open(const char *path, const char *law, carom_view_reel **out,
                                  carom_error *err)
{
    carom_error own = { 0 };
    *out = NULL;
    carom_view_reel *reel = create();
    if (reel) {
        reel->path = strdup(path);
        reel->law = law ? strdup(law) : NULL;
    }
    if (!reel || !reel->path || (law && !reel->law)) {
        carom_view_reel_close(reel);
        return carom_error_no_memory(err, "a view");
    }
    stat(path, &reel->seen);
    carom_status status = open_file(reel, &reel->maker, &reel->self, &own);
    if (err)
        *err = own;
    if (status != CAROM_OK)
        carom_view_reel_close(reel);
    else
        *out = reel;
    return status;
}

// What a maker has made, or nothing.
static carom_status hand_over(carom_view_reel *reel, carom_status status, carom_view_reel **out)
{
    if (status != CAROM_OK) {
        carom_view_reel_close(reel);
        reel = NULL;
    }
    *out = reel;
    return status;
}

carom_status carom_view_reel_film(carom_export *film, carom_view_reel **out, carom_error *err)
{
    carom_view_reel *reel = create();
    return hand_over(reel,
                     reel ? carom_view_film_of(film, &reel->maker, &reel->self, err)
                          : carom_error_no_memory(err, "a view"),
                     out);
}

carom_status carom_view_reel_tower(const carom_view_tower *tower, carom_view_reel **out,
                                   carom_error *err)
{
    carom_view_reel *reel = create();
    return hand_over(reel,
                     reel ? carom_view_tower_of(tower, &reel->maker, &reel->self, err)
                          : carom_error_no_memory(err, "a view"),
                     out);
}

carom_status carom_view_reel_bounce(const carom_bounce_map *map, const char *title,
                                    carom_view_reel **out, carom_error *err)
{
    carom_view_reel *reel = create();
    return hand_over(reel,
                     reel ? carom_view_bounce_of(map, title, &reel->maker, &reel->self, err)
                          : carom_error_no_memory(err, "a view"),
                     out);
}

void carom_view_reel_close(carom_view_reel *reel)
{
    if (!reel)
        return;
    if (reel->self)
        reel->maker->close(reel->self);
    pthread_mutex_destroy(&reel->lock);
    free(reel->path);
    free(reel->law);
    free(reel);
}

// -- kinds --------------------------------------------------------------------------------------

static bool starts_with(const char *path, const char *magic)
{
    char start[16] = { 0 };
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    size_t got = fread(start, 1, sizeof start - 1, file);
    fclose(file);
    return got >= strlen(magic) && memcmp(start, magic, strlen(magic)) == 0;
}

static bool is_empty(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 && S_ISREG(file.st_mode) && file.st_size == 0;
}

static carom_view_opener opener_of(const char *path, carom_error *err)
{
    static const struct {
        const char *name;
        carom_view_opener open;
    } kinds[] = {
        { "world", carom_view_live_open },
        { "impact", carom_view_impact_open },
        { "tower", carom_view_tower_open },
        { "chain", carom_view_chain_open },
    };
    carom_scene_contents held;
    if (carom_trajectory_is(path) || is_empty(path) || carom_text_ends_with(path, ".carom"))
        return carom_view_film_open;
    if (carom_text_ends_with(path, ".bounce") || starts_with(path, "CAROMBNC"))
        return carom_view_bounce_open;
    if (strcmp(path, "-") == 0) {
        carom_error_set(err, CAROM_BAD_INPUT, "the standard input cannot be watched");
        carom_error_fix(err, "write it to a file first");
        return NULL;
    }
    if (carom_scene_check(path, &held, err) != CAROM_OK)
        return NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
        if (strcmp(kinds[i].name, held.kind) == 0)
            return kinds[i].open;
    carom_error_set(err, CAROM_UNSUPPORTED, "a file of kind %.60s has nothing to look at",
                    held.kind);
    carom_error_where(err, "%s", path);
    carom_error_fix(err, "make a map of it with `carom bounce` and view the .bounce file");
    return NULL;
}

// -- numbers ------------------------------------------------------------------------------------

void carom_view_reel_pack_state(carom_text *bytes, vec3 position, quat rotation, vec3 velocity,
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

void carom_view_reel_pack_contact(carom_text *bytes, const int about[3], const double point[3],
                                  const double normal[3], const double impulse[3])
{
    float numbers[CAROM_VIEW_CONTACT_FLOATS] = { (float)about[0], (float)about[1],
                                                 (float)about[2] };
    for (int k = 0; k < 3; ++k) {
        numbers[3 + k] = (float)point[k];
        numbers[6 + k] = (float)normal[k];
        numbers[9 + k] = (float)impulse[k];
    }
    carom_text_add_bytes(bytes, (const char *)numbers, sizeof numbers);
}

// -- while it is shown --------------------------------------------------------------------------

carom_view_shown carom_view_reel_hold(carom_view_reel *reel)
{
    pthread_mutex_lock(&reel->lock);
    return (carom_view_shown){ reel->maker, reel->self, reel->generation,
                               reel->trouble[0] ? reel->trouble : NULL };
}

void carom_view_reel_release(carom_view_reel *reel)
{
    pthread_mutex_unlock(&reel->lock);
}

carom_status carom_view_reel_change(carom_view_reel *reel, const carom_view_change *change,
                                    carom_error *err)
{
    carom_view_shown shown = carom_view_reel_hold(reel);
    carom_status status;
    if (!shown.maker->change)
        status = carom_error_set(err, CAROM_UNSUPPORTED, "nothing can be changed here");
    else
        status = shown.maker->change(shown.self, change, err);
    if (status == CAROM_OK)
        ++reel->generation;
    carom_view_reel_release(reel);
    return status;
}

static bool same(const struct stat *a, const struct stat *b)
{
    return a->st_size == b->st_size && a->st_ino == b->st_ino &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

void carom_view_reel_refresh(carom_view_reel *reel)
{
    struct stat now;
    const carom_view_maker *maker = NULL;
    void *self = NULL;
    carom_error err = { 0 };
    // Only this thread changes what it reads here: nobody has to wait while the file is read.
    if (!reel->path || stat(reel->path, &now) != 0 || same(&now, &reel->seen))
        return;
    if (!same(&now, &reel->changing)) {
        reel->changing = now;
        return;
    }
    reel->seen = now;
    carom_status status = open_file(reel, &maker, &self, &err);
    pthread_mutex_lock(&reel->lock);
    reel->trouble[0] = 0;
    if (status == CAROM_OK) {
        const carom_view_maker *old_maker = reel->maker;
        void *old = reel->self;
        reel->maker = maker;
        reel->self = self;
        self = old;
        maker = old_maker;
        ++reel->generation;
    } else
        snprintf(reel->trouble, sizeof reel->trouble, "%s%s%s", err.where, *err.where ? ": " : "",
                 err.what);
    pthread_mutex_unlock(&reel->lock);
    if (self)
        maker->close(self);
}
