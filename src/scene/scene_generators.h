// What the generators of world scenes share.
#ifndef CAROM_SCENE_SCENE_GENERATORS_H
#define CAROM_SCENE_SCENE_GENERATORS_H

#include "base/random.h"
#include "scene/scene_world.h"

// What all generators are given.
typedef struct carom_scene_task {
    carom_scene_world *scene;
    carom_value *value; // the generator's own object
    int source;
    carom_scene_template body;
    vec3 start;
    int placed;
} carom_scene_task;

#define CAROM_SCENE_COUNT_FIELD(type)                                                              \
    {                                                                                              \
        "count", CAROM_FIELD_INT64, offsetof(type, count),                                         \
            .required = true, .range = { .min = 1, .max = 1e12 }, .doc = "how many"                \
    }
#define CAROM_SCENE_SPAN_FIELD(type, name, words)                                                  \
    {                                                                                              \
#name, CAROM_FIELD_NUMBER, offsetof(type, name),                                           \
            .range = { 0, 1e12, .unit = "m" }, .doc = words                                        \
    }

// Places the template of the task, `offset` from where the arrangement starts and turned.
void carom_scene_generators_put(carom_scene_task *task, vec3 offset, quat turn);
// The bodies that a generator chooses from, with the radius of the largest ball around one.
enum { CAROM_SCENE_KINDS = 64 };
carom_status carom_scene_generators_kinds(carom_scene_task *task,
                                          carom_scene_template kinds[CAROM_SCENE_KINDS], int *count,
                                          double *largest, carom_error *err);
// The seed of a generator: its own, the file's and the caller's together.
uint64_t carom_scene_generators_seed(const carom_scene_task *task, int64_t own);
// Uniform among all rotations.
quat carom_scene_generators_rotation(carom_random *random);

// Random places in a region, in scene_fill.c.
extern const carom_field_table carom_scene_fill_table;
carom_status carom_scene_fill(carom_scene_task *task, carom_error *err);

#endif
