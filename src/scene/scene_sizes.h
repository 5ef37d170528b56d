// Distributions of the size of grains, for generators.
#ifndef CAROM_SCENE_SCENE_SIZES_H
#define CAROM_SCENE_SCENE_SIZES_H

#include "base/random.h"
#include "scene/scene_world.h"

typedef struct carom_scene_sizes {
    int law; // uniform normal lognormal values
    double min, max, mean, deviation;
    carom_numbers values, weights;
    bool given;
} carom_scene_sizes;

extern const carom_field_table carom_scene_sizes_table;

#define CAROM_SCENE_SIZES_FIELD                                                                    \
    {                                                                                              \
        "sizes", CAROM_FIELD_OBJECT, .table = &carom_scene_sizes_table,                            \
            .doc = "factors by which the bodies are larger than written, at random"                \
    }

// The key "sizes" of a generator; all of one size where there is none.
carom_status carom_scene_sizes_read(const carom_value *generator, carom_scene_sizes *out,
                                    carom_error *err);
// The largest factor there can be.
double carom_scene_sizes_max(const carom_scene_sizes *sizes);
// One of them.
double carom_scene_sizes_draw(const carom_scene_sizes *sizes, carom_random *random);
// The same body larger by a factor: shape, mass and inertia.
carom_status carom_scene_sizes_apply(carom_scene_world *scene, double factor,
                                     carom_scene_template *body, carom_error *err);

#endif
