// Lamps of world scenes, for pictures alone: nothing that moves knows of them.
#include "scene/scene_light.h"

typedef struct light_values {
    double direction[3], strength, size;
    const char *colour;
} light_values;

static const carom_field light_fields[] = {
    { "direction", CAROM_FIELD_VEC3, offsetof(light_values, direction), .required = true,
      .range = { .min = -1e60, .max = 1e60 },
      .doc = "the way that its light goes: [0, 0, -1] shines down" },
    { "colour", CAROM_FIELD_TEXT, offsetof(light_values, colour), .shown = "\"#ffffff\"",
      .doc = "\"#rrggbb\"" },
    { "strength", CAROM_FIELD_NUMBER, offsetof(light_values, strength), .initial = 1,
      .range = { .min = 0, .max = 100 }, .doc = "1 is that of the usual sun" },
    { "size", CAROM_FIELD_NUMBER, offsetof(light_values, size), .initial = 6,
      .range = { 0, 40, .unit = "degrees" },
      .doc = "that its disc has in the sky: the larger, the softer are the edges of shadows" },
    { 0 },
};
const carom_field_table carom_scene_light_table = {
    "light", "A lamp of pictures, so far away that its light comes from one direction.",
    light_fields
};

static carom_status read_light(carom_value *value, carom_light *out, carom_error *err)
{
    light_values v;
    TRY(carom_field_read(value, &carom_scene_light_table, &v, err));
    *out = (carom_light){ .strength = v.strength, .size = v.size };
    double length = vec3_length(vec3_from(v.direction));
    if (!(length > 0))
        return carom_value_fail_key(value, "direction", err, "say where its light goes",
                                    "a light without a direction");
    vec3_store(vec3_scale(1 / length, vec3_from(v.direction)), out->direction);
    return carom_scene_body_colour(value, v.colour ? v.colour : "#ffffff", &out->colour, err);
}

carom_status carom_scene_light_read_all(carom_scene_world *scene, const carom_value *root,
                                        carom_error *err)
{
    carom_value list, item;
    if (!carom_value_member(root, "lights", &list))
        return CAROM_OK;
    size_t count = carom_value_count(&list);
    if (count > CAROM_LIGHT_MAX)
        return carom_value_fail(&list, err, "leave some out", "%zu lights; at most %d can be drawn",
                                count, CAROM_LIGHT_MAX);
    for (size_t i = 0; i < count; ++i) {
        carom_value_item(&list, i, &item);
        TRY(read_light(&item, &scene->lights[scene->light_count], err));
        ++scene->light_count;
    }
    return CAROM_OK;
}

int carom_scene_world_lights(const carom_scene_world *scene, carom_light out[CAROM_LIGHT_MAX])
{
    int count = scene && out ? scene->light_count : 0;
    for (int i = 0; i < count; ++i)
        out[i] = scene->lights[i];
    return count;
}
