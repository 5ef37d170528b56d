// Materials of world scenes, and what is said of two that meet.
#include "scene/scene_world.h"

#include <stdio.h>
#include <string.h>
#include "base/suggest.h"
#include "scene/scene_bounce.h"

static const carom_field material_fields[] = {
    { "restitution", CAROM_FIELD_NUMBER, offsetof(carom_material, restitution), .initial = 0.5,
      .range = { 0, 1, .fix = "use a value from 0 (no bounce) to 1 (no loss)" },
      .doc = "relative speed after to before, from 0 (no bounce) to 1 (no loss)" },
    { "friction", CAROM_FIELD_NUMBER, offsetof(carom_material, friction), .initial = 0.5,
      .range = { .min = 0, .max = 1e6 }, .doc = "Coulomb's coefficient" },
    { "tangential_restitution", CAROM_FIELD_NUMBER,
      offsetof(carom_material, tangential_restitution), .range = { .min = -1, .max = 1 },
      .doc = "an impact that friction can make stick leaves with minus this times its tangential "
             "speed before (Walton and Braun 1986); laws `qce`, `newton`, `sqm`" },
    { "rolling", CAROM_FIELD_NUMBER, offsetof(carom_material, rolling),
      .range = { .min = 0, .max = 1e6, .unit = "m" },
      .doc = "resting contact resists rolling and spinning with a moment of at most this length "
             "times its normal force: the size of the patch that a contact is" },
    { "cohesion", CAROM_FIELD_NUMBER, offsetof(carom_material, cohesion),
      .range = { .min = 0, .max = 1e12, .unit = "N" },
      .doc = "two bodies that touch hold together up to this force; friction goes by the force "
             "that is left to it" },
    { "adhesion", CAROM_FIELD_NUMBER, offsetof(carom_material, adhesion),
      .range = { .min = 0, .max = 1e12, .unit = "J" },
      .doc = "work that parts two bodies which have hit each other: they leave with so much less "
             "than restitution would give, or stick" },
    { "stiffness", CAROM_FIELD_NUMBER, offsetof(carom_material, stiffness), .initial = 1,
      .range = { 1e-60, 1e60, .unit = "N/m^exponent" },
      .doc = "of the contact spring of `springs` and `wave`; only ratios matter" },
    { "exponent", CAROM_FIELD_NUMBER, offsetof(carom_material, exponent), .initial = 1.5,
      .range = { .min = 1, .max = 100 }, .doc = "of the contact spring: 1 Hooke, 1.5 Hertz" },
    { "fade", CAROM_FIELD_NUMBER, offsetof(carom_material, fade),
      .range = { .min = 0, .max = 1e60 },
      .doc = "where above 0, restitution is max(restitution, 1 - fade (u / fade_speed)^fade_power) "
             "at the approach speed u" },
    { "fade_speed", CAROM_FIELD_NUMBER, offsetof(carom_material, fade_speed), .initial = 1,
      .range = { 0, 1e60, .above = true, .unit = "m/s" }, .doc = "see fade" },
    { "fade_power", CAROM_FIELD_NUMBER, offsetof(carom_material, fade_power), .initial = 1,
      .range = { 0, 100, .above = true }, .doc = "see fade" },
    { "fade_slip", CAROM_FIELD_NUMBER, offsetof(carom_material, fade_slip),
      .range = { .min = 0, .max = 1e6 },
      .doc = "how much slip counts in the fade: u is the root of u_n^2 + (fade_slip slip)^2" },
    { "bounce", CAROM_FIELD_OBJECT, .table = &carom_scene_bounce_table,
      .doc = "restitution from the vibration modes of each body with this material; instead of "
             "`restitution`" },
    { 0 },
};
const carom_field_table carom_scene_material_table = {
    "material",
    "A surface. Two that meet combine by the geometric mean of restitution, of friction, of "
    "rolling, of cohesion and of adhesion, unless `pairs` says otherwise, and by the mean of "
    "tangential restitution.",
    material_fields
};

typedef struct pair_values {
    const char *a, *b;
    double restitution, friction, rolling, cohesion, adhesion;
} pair_values;

static const carom_field pair_fields[] = {
    { "a", CAROM_FIELD_TEXT, offsetof(pair_values, a), .required = true, .doc = "a material" },
    { "b", CAROM_FIELD_TEXT, offsetof(pair_values, b), .required = true,
      .doc = "a material, or the same one" },
    { "restitution", CAROM_FIELD_NUMBER, offsetof(pair_values, restitution), .required = true,
      .range = { 0, 1, .fix = "use a value from 0 (no bounce) to 1 (no loss)" },
      .doc = "where the two meet" },
    { "friction", CAROM_FIELD_NUMBER, offsetof(pair_values, friction), .required = true,
      .range = { .min = 0, .max = 1e6 }, .doc = "where the two meet" },
    { "rolling", CAROM_FIELD_NUMBER, offsetof(pair_values, rolling), .initial = -1,
      .shown = "the materials' mean", .range = { .min = 0, .max = 1e6, .unit = "m" },
      .doc = "where the two meet" },
    { "cohesion", CAROM_FIELD_NUMBER, offsetof(pair_values, cohesion), .initial = -1,
      .shown = "the materials' mean", .range = { .min = 0, .max = 1e12, .unit = "N" },
      .doc = "where the two meet" },
    { "adhesion", CAROM_FIELD_NUMBER, offsetof(pair_values, adhesion), .initial = -1,
      .shown = "the materials' mean", .range = { .min = 0, .max = 1e12, .unit = "J" },
      .doc = "where the two meet" },
    { 0 },
};
const carom_field_table carom_scene_material_pair_table = { "pair", "Two materials that meet.",
                                                            pair_fields };

carom_status carom_scene_material_read(carom_scene_world *scene, const carom_value *root,
                                       carom_error *err)
{
    carom_value map;
    size_t count = 1;
    bool given = carom_value_member(root, "materials", &map);
    for (const char *key = NULL; given && (key = carom_value_next_key(&map, key));)
        ++count;
    TAKE(carom_reader_memory(root->reader), scene->materials, count, err);
    TAKE(carom_reader_memory(root->reader), scene->material_names, count, err);
    TAKE_ZEROS(carom_reader_memory(root->reader), scene->bounces, count, err);
    scene->materials[0] = carom_world_material_default();
    scene->material_names[0] = "default";
    scene->material_count = 1;
    for (const char *key = NULL; given && (key = carom_value_next_key(&map, key));) {
        carom_value value;
        carom_value_member(&map, key, &value);
        int at = scene->material_count++;
        TRY(carom_field_read(&value, &carom_scene_material_table, &scene->materials[at], err));
        TRY(carom_scene_bounce_read(&value, &scene->bounces[at], err));
        scene->material_names[at] = key;
        if (strcmp(key, "default") == 0) {
            scene->default_material = at;
            scene->material_names[0] = "of no body";
        }
    }
    return CAROM_OK;
}

carom_status carom_scene_material_find(const carom_scene_world *scene, const carom_value *item,
                                       const char *key, const char *name, int first, int *out,
                                       carom_error *err)
{
    for (*out = first; *out < scene->material_count; ++*out)
        if (strcmp(scene->material_names[*out], name) == 0)
            return CAROM_OK;
    const char *nearest =
        carom_suggest_nearest(name, scene->material_names + first, scene->material_count - first);
    char fix[160];
    snprintf(fix, sizeof fix, "name one of \"materials\"%s", first == 0 ? ", or \"default\"" : "");
    if (nearest)
        snprintf(fix, sizeof fix, "did you mean \"%.80s\"?", nearest);
    return carom_value_fail_key(item, key, err, fix, "there is no material \"%.60s\"", name);
}

carom_status carom_scene_material_read_pairs(carom_scene_world *scene, const carom_value *root,
                                             carom_error *err)
{
    carom_value list;
    if (!carom_value_member(root, "pairs", &list))
        return CAROM_OK;
    size_t count = carom_value_count(&list);
    TAKE(carom_reader_memory(root->reader), scene->pairs, count + 1, err);
    for (size_t i = 0; i < count; ++i) {
        carom_value item;
        pair_values v;
        carom_value_item(&list, i, &item);
        TRY(carom_field_read(&item, &carom_scene_material_pair_table, &v, err));
        struct carom_scene_pair *pair = &scene->pairs[scene->pair_count];
        *pair = (struct carom_scene_pair){ .restitution = v.restitution,
                                           .friction = v.friction,
                                           .rolling = v.rolling,
                                           .cohesion = v.cohesion,
                                           .adhesion = v.adhesion };
        const char *names[] = { v.a, v.b }, *keys[] = { "a", "b" };
        int *ends[] = { &pair->a, &pair->b };
        for (int k = 0; k < 2; ++k)
            TRY(carom_scene_material_find(scene, &item, keys[k], names[k], 0, ends[k], err));
        ++scene->pair_count;
    }
    return CAROM_OK;
}
