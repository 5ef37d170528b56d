// Bounce maps of world scenes: what a material says about them, and getting them before the world
// is built.
//
// A map belongs to a shape and a material: every pair of the two that some body has gets one, baked
// or taken from the cache. Maps named as files are read once and must fit every body that has them.
#include "scene/scene_bounce.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bounce_values {
    const char *file, *generate, *of;
    double young, poisson, density, scale, damping, angle, across;
    int64_t modes, faces;
    bool edges, vertices, linear, direct;
    int symmetry;
} bounce_values;

static const carom_field bounce_fields[] = {
    { "file", CAROM_FIELD_TEXT, offsetof(bounce_values, file),
      .doc =
          "a map that `carom bounce --out` wrote, relative to the scene file; without it the map "
          "is computed for the shape of each body, and kept in the cache folder "
          "($CAROM_CACHE, else ~/.cache/carom)" },
    { "generate", CAROM_FIELD_TEXT, offsetof(bounce_values, generate),
      .doc = "compute it on a mesh made by name instead of the shape's own surface, for instance "
             "\"rod:20x1cm@0.5mm\" for a capsule; it must be the same body" },
    { "of", CAROM_FIELD_TEXT, offsetof(bounce_values, of), .words = "steel",
      .doc = "what the body is made of: steel aluminium glass wood ceramic plastic" },
    { "young", CAROM_FIELD_NUMBER, offsetof(bounce_values, young), .shown = "that of `of`",
      .range = { 0, 1e30, .above = true, .unit = "Pa" }, .doc = "Young's modulus" },
    { "poisson", CAROM_FIELD_NUMBER, offsetof(bounce_values, poisson), .shown = "that of `of`",
      .range = { .min = -1, .max = 0.5 }, .doc = "Poisson's ratio" },
    { "density", CAROM_FIELD_NUMBER, offsetof(bounce_values, density), .shown = "that of `of`",
      .range = { 0, 1e30, .above = true, .unit = "kg/m^3" },
      .doc = "for contact times; restitution does not depend on it, and the body's mass is its "
             "own" },
    { "modes", CAROM_FIELD_INT64, offsetof(bounce_values, modes), .initial = 45,
      .range = { .min = 1, .max = 1000 }, .doc = "vibration modes" },
    { "across", CAROM_FIELD_NUMBER, offsetof(bounce_values, across), .initial = 2.5,
      .range = { .min = 0.5, .max = 20 },
      .doc = "cells across the thinnest dimension, for the modes" },
    { "faces", CAROM_FIELD_INT64, offsetof(bounce_values, faces), .initial = 20000,
      .range = { .min = 4, .max = 2e6 },
      .doc = "samples on the surface, at least; collision keeps the shape's own triangles" },
    { "edges", CAROM_FIELD_BOOL, offsetof(bounce_values, edges), .initial = 1, .shown = "true",
      .doc = "also sample sharp edges" },
    { "vertices", CAROM_FIELD_BOOL, offsetof(bounce_values, vertices), .initial = 1,
      .shown = "true", .doc = "also sample sharp vertices" },
    { "angle", CAROM_FIELD_NUMBER, offsetof(bounce_values, angle), .initial = 4.5,
      .range = { 0.1, 90, .unit = "degrees" }, .doc = "between the samples of a sharp edge" },
    { "damping", CAROM_FIELD_NUMBER, offsetof(bounce_values, damping),
      .range = { 0, 1, .unit = "s" }, .doc = "of the modes, stiffness-proportional" },
    { "symmetry", CAROM_FIELD_CHOICE, offsetof(bounce_values, symmetry),
      .words = "find none box x y z",
      .doc = "of the body: found, none, three mirror planes, or revolution about an axis" },
    { "linear", CAROM_FIELD_BOOL, offsetof(bounce_values, linear),
      .doc = "interpolate between samples instead of taking the nearest" },
    { "direct", CAROM_FIELD_BOOL, offsetof(bounce_values, direct),
      .doc = "keep the modes instead of a map and compute every contact when it happens; two such "
             "bodies as the pair they are" },
    { "scale", CAROM_FIELD_NUMBER, offsetof(bounce_values, scale), .initial = 1,
      .range = { 0, 1, .fix = "use a value from 0 to 1" },
      .doc = "multiplies every value: losses that modes do not know" },
    { 0 },
};
const carom_field_table carom_scene_bounce_table = {
    "bounce",
    "Restitution from the vibration modes of each body with this material, by place and normal "
    "(docs/bounce.md).",
    bounce_fields
};

struct carom_scene_maps {
    struct entry {
        int material, form; // form -1: one map for all shapes
        carom_bounce_map *map;
        carom_bounce_direct *direct;
    } * entries;
    int count;
    bool ready;
};

// -- reading --------------------------------------------------------------------------------------

static carom_status refuse_both(const carom_value *value, carom_error *err)
{
    static const char *const computing[] = { "generate", "of",    "young",    "poisson",
                                             "density",  "modes", "across",   "faces",
                                             "edges",    "angle", "vertices", "damping",
                                             "symmetry", "direct" };
    for (size_t i = 0; i < sizeof computing / sizeof *computing; ++i)
        if (carom_value_member(value, computing[i], NULL))
            return carom_value_fail_key(value, computing[i], err, "leave out the file, or this",
                                        "a map from a file is not computed with \"%s\"",
                                        computing[i]);
    return CAROM_OK;
}

carom_status carom_scene_bounce_read(const carom_value *material, carom_scene_bounce *out,
                                     carom_error *err)
{
    carom_value value;
    bounce_values v;
    *out = (carom_scene_bounce){ .recipe = carom_bounce_recipe_default() };
    if (!carom_value_member(material, "bounce", &value))
        return CAROM_OK;
    TRY(carom_field_read(&value, &carom_scene_bounce_table, &v, err));
    if (v.file)
        TRY(refuse_both(&value, err));
    carom_bounce_recipe *r = &out->recipe;
    carom_error inner = { 0 };
    if (carom_modal_material_named(v.of, &r->material, &inner) != CAROM_OK)
        return carom_value_fail_key(&value, "of", err, inner.fix, "%s", inner.what);
    if (carom_value_member(&value, "young", NULL))
        r->material.young = v.young;
    if (carom_value_member(&value, "poisson", NULL))
        r->material.poisson = v.poisson;
    if (carom_value_member(&value, "density", NULL))
        r->material.density = v.density;
    if (carom_modal_material_check(&r->material, &inner) != CAROM_OK)
        return carom_value_fail(&value, err, inner.fix, "%s", inner.what);
    r->modal.modes = (int)v.modes;
    r->modal.across = v.across;
    r->faces = (int)v.faces;
    r->map.edges = v.edges;
    r->map.vertices = v.vertices;
    r->map.angle = v.angle;
    r->map.kernel.damping = v.damping;
    r->map.symmetry = (carom_bounce_symmetry_choice)v.symmetry;
    r->map.reading = v.linear ? CAROM_BOUNCE_LINEAR : CAROM_BOUNCE_NEAREST;
    out->given = true;
    out->file = v.file;
    out->generate = v.generate;
    out->direct = v.direct;
    out->scale = v.scale;
    return CAROM_OK;
}

carom_status carom_scene_bounce_open(carom_scene_world *scene, carom_error *err)
{
    scene->maps = calloc(1, sizeof *scene->maps);
    return scene->maps ? CAROM_OK : carom_error_no_memory(err, "a scene");
}

void carom_scene_bounce_close(carom_scene_world *scene)
{
    for (int i = 0; scene->maps && i < scene->maps->count; ++i) {
        carom_bounce_map_destroy(scene->maps->entries[i].map);
        carom_bounce_direct_destroy(scene->maps->entries[i].direct);
    }
    if (scene->maps)
        free(scene->maps->entries);
    free(scene->maps);
}

// -- getting them ---------------------------------------------------------------------------------

static int form_of(const carom_scene_world *scene, int member)
{
    const carom_scene_bounce *bounce = &scene->bounces[scene->members[member].body.material];
    return bounce->file || bounce->generate ? -1 : scene->members[member].form;
}

static struct entry *find(const carom_scene_world *scene, int material, int form)
{
    for (int i = 0; i < scene->maps->count; ++i)
        if (scene->maps->entries[i].material == material && scene->maps->entries[i].form == form)
            return &scene->maps->entries[i];
    return NULL;
}

static carom_status make(const carom_scene_world *scene, struct entry *e, const char *folder,
                         const carom_progress *progress, carom_error *err)
{
    const carom_scene_bounce *bounce = &scene->bounces[e->material];
    if (bounce->file) {
        char path[4096];
        snprintf(path, sizeof path, "%s%s",
                 *bounce->file == '/' || !scene->folder ? "" : scene->folder, bounce->file);
        return carom_bounce_map_load(path, &e->map, err);
    }
    carom_shape *made = NULL;
    if (bounce->generate)
        TRY(carom_generate_shape(bounce->generate, &made, err));
    const carom_shape *shape = made ? made : scene->forms[e->form].shape;
    const carom_bounce_recipe *recipe = &bounce->recipe;
    carom_status status =
        bounce->direct ? carom_bounce_cache_direct(folder, shape, recipe, progress, &e->direct, err)
                       : carom_bounce_cache_map(folder, shape, recipe, progress, &e->map, err);
    carom_shape_release(made);
    return status;
}

static carom_status add(const carom_scene_world *scene, int member, const char *folder,
                        const carom_progress *progress, carom_error *err)
{
    struct carom_scene_maps *maps = scene->maps;
    int material = scene->members[member].body.material, form = form_of(scene, member);
    if (!scene->bounces[material].given || find(scene, material, form))
        return CAROM_OK;
    void *more = realloc(maps->entries, (size_t)(maps->count + 1) * sizeof *maps->entries);
    if (!more)
        return carom_error_no_memory(err, "%d maps", maps->count + 1);
    maps->entries = more;
    struct entry *e = &maps->entries[maps->count];
    *e = (struct entry){ .material = material, .form = form };
    carom_error inner = { 0 };
    carom_status status = make(scene, e, folder, progress, &inner);
    if (status == CAROM_OK) {
        ++maps->count;
        return CAROM_OK;
    }
    char name[80];
    carom_scene_world_body_name(scene, member, name, sizeof name);
    if (!*inner.where)
        carom_error_where(&inner, "bounce map of \"%.60s\"", name);
    if (err)
        *err = inner;
    return status;
}

carom_status carom_scene_world_bake(const carom_scene_world *scene, const char *folder,
                                    const carom_progress *progress, carom_error *err)
{
    NEED(err, scene);
    char usual[4096];
    if (scene->maps->ready)
        return CAROM_OK;
    if (!folder) {
        carom_bounce_cache_folder(usual, sizeof usual);
        folder = usual;
    }
    for (int i = 0; i < scene->member_count; ++i)
        TRY(add(scene, i, folder, progress, err));
    scene->maps->ready = true;
    return CAROM_OK;
}

bool carom_scene_bounce_ready(const carom_scene_world *scene, bool ready)
{
    bool before = scene->maps->ready;
    scene->maps->ready = ready;
    return before;
}

void carom_scene_bounce_give(const carom_scene_world *scene, int member, carom_body *body)
{
    const carom_scene_bounce *bounce = &scene->bounces[body->material];
    const struct entry *e =
        bounce->given ? find(scene, body->material, form_of(scene, member)) : NULL;
    if (!e)
        return;
    body->restitution =
        e->map ? carom_bounce_map_restitution(e->map) : carom_bounce_direct_restitution(e->direct);
    body->restitution.scale = bounce->scale;
}
