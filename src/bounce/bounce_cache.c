// Modes and maps kept between runs: files named by a hash of everything they depend on.
//
// A file that is missing, damaged, of another version or of another body is made again; a folder
// that cannot be written to is no error: the result is only not kept.
#include "bounce/bounce_map.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/hash.h"
#include "carom/version.h"

enum { PATH_LENGTH = 4096, VERSION = 1, SIDES = 48 };

int carom_bounce_cache_folder(char *out, size_t size)
{
    if (!out)
        return 0;
    const char *own = getenv("CAROM_CACHE"), *cache = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    int length = -1;
    *out = 0;
    if (own)
        length = snprintf(out, size, "%s", own);
    else if (cache && *cache)
        length = snprintf(out, size, "%s/carom", cache);
    else if (home && *home)
        length = snprintf(out, size, "%s/.cache/carom", home);
    if (length <= 0 || (size_t)length >= size)
        *out = 0;
    return *out != 0;
}

// The folder and its parents; what cannot be made is noticed when a file is written.
static void make_folder(const char *folder)
{
    char path[PATH_LENGTH];
    if (snprintf(path, sizeof path, "%s", folder) >= (int)sizeof path)
        return;
    for (char *at = path + 1; *at; ++at)
        if (*at == '/') {
            *at = 0;
            mkdir(path, 0777);
            *at = '/';
        }
    mkdir(path, 0777);
}

// Another version of the library may compute otherwise: its files have other names.
static bool name_file(const char *folder, uint64_t key, const char *ending, char path[PATH_LENGTH])
{
    const char *version = carom_version();
    key = carom_hash_bytes(key, version, strlen(version));
    return folder && *folder &&
           snprintf(path, PATH_LENGTH, "%s/%016llx.%s", folder, (unsigned long long)key, ending) <
               PATH_LENGTH;
}

// -- modes ----------------------------------------------------------------------------------------

// What modes are of: a closed surface, or tetrahedra where that is null.
typedef struct solid {
    const carom_mesh_source *surface;
    const carom_tets *tets;
} solid;

// From the folder, or computed and kept there; a file that cannot be kept is no error.
static carom_status modes_of(const char *folder, const solid *body,
                             const carom_modal_material *material,
                             const carom_modal_options *options, const carom_progress *progress,
                             carom_modes **out, carom_error *err)
{
    TRY(carom_modal_material_check(material, err));
    char path[PATH_LENGTH];
    uint64_t key = body->surface ? carom_modal_key(body->surface, material, options)
                                 : carom_modal_key_tets(body->tets, material, options);
    bool kept = name_file(folder, key, "cmodes", path);
    if (kept && carom_modal_load(path, key, out, NULL) == CAROM_OK)
        return CAROM_OK;
    if (body->surface)
        TRY(carom_modal_from_surface(body->surface, material, options, progress, out, err));
    else
        TRY(carom_modal_from_tets(body->tets, material, options, progress, out, err));
    if (kept) {
        make_folder(folder);
        carom_modal_save(*out, path, NULL);
    }
    return CAROM_OK;
}

carom_status carom_bounce_cache_modes(const char *folder, const carom_mesh_source *surface,
                                      const carom_modal_material *material,
                                      const carom_modal_options *options,
                                      const carom_progress *progress, carom_modes **out,
                                      carom_error *err)
{
    NEED(err, surface, material);
    solid body = { .surface = surface };
    return modes_of(folder, &body, material, options, progress, out, err);
}

carom_status carom_bounce_cache_tets(const char *folder, const carom_tets *tets,
                                     const carom_modal_material *material,
                                     const carom_modal_options *options,
                                     const carom_progress *progress, carom_modes **out,
                                     carom_error *err)
{
    NEED(err, tets, material);
    solid body = { .tets = tets };
    return modes_of(folder, &body, material, options, progress, out, err);
}

// -- maps -----------------------------------------------------------------------------------------

carom_bounce_recipe carom_bounce_recipe_default(void)
{
    carom_bounce_recipe recipe = { .modal = carom_modal_options_default(),
                                   .map = carom_bounce_map_options_default(),
                                   .faces = 20000 };
    carom_modal_material_named("steel", &recipe.material, NULL);
    return recipe;
}

// A map does not depend on threads, and its values without alpha only are kept.
static uint64_t key_of(uint64_t modes, const carom_bounce_recipe *recipe)
{
    const carom_bounce_map_options *o = &recipe->map;
    const double numbers[] = { VERSION,
                               recipe->faces,
                               o->kernel.solver,
                               o->kernel.turn,
                               o->kernel.damping,
                               o->kernel.elastic,
                               (double)o->kernel.budget,
                               o->symmetry,
                               o->reading,
                               o->edges,
                               o->vertices,
                               o->sharp,
                               o->angle };
    uint64_t key = carom_hash_bytes(CAROM_HASH_START, &modes, sizeof modes);
    return carom_hash_doubles(key, numbers, sizeof numbers / sizeof *numbers);
}

// The shape as a mesh about its centre of mass; a mesh is taken as it is.
static carom_status mesh_of(const carom_shape *shape, carom_shape **out, carom_error *err)
{
    if (carom_shape_kind_of(shape) == CAROM_SHAPE_MESH) {
        *out = (carom_shape *)(uintptr_t)carom_shape_retain(shape);
        return CAROM_OK;
    }
    return carom_mesh_from(shape, SIDES, out, err);
}

static carom_status bake(const char *folder, const carom_shape *mesh,
                         const carom_bounce_recipe *recipe, const carom_progress *progress,
                         carom_bounce_map **out, carom_error *err)
{
    carom_mesh_source surface = carom_mesh_surface(mesh);
    carom_modes *modes = NULL;
    carom_shape *fine = NULL;
    carom_bounce_map_options options = recipe->map;
    options.alpha = 1;
    TRY(carom_bounce_cache_modes(folder, &surface, &recipe->material, &recipe->modal, progress,
                                 &modes, err));
    carom_status status = CAROM_OK;
    if (surface.triangle_count < recipe->faces)
        status = carom_refine_count(mesh, recipe->faces, &fine, err);
    for (int k = 0; fine && k < 3; ++k) { // of round-off size
        double shift[3];
        carom_shape_shift(fine, shift);
        options.origin[k] = shift[k];
    }
    if (status == CAROM_OK)
        status = carom_bounce_map_bake(fine ? fine : mesh, modes, &options, progress, out, err);
    carom_shape_release(fine);
    carom_modal_destroy(modes);
    return status;
}

// A map that was read has its vertices moved by the last digit (to the centre of mass). Who has
// just baked one must get the same bits as who reads it later.
static carom_status as_if_read(carom_bounce_map **map, carom_error *err)
{
    unsigned char *bytes;
    size_t size;
    carom_status status = carom_bounce_map_encode(*map, &bytes, &size, err);
    carom_bounce_map_destroy(*map);
    *map = NULL;
    if (status == CAROM_OK) {
        status = carom_bounce_map_decode("a new map", bytes, size, map, err);
        free(bytes);
    }
    return status;
}

// Pieces are files of their own: a shard writes them and has no map, a merge reads them.
static carom_status find_map(const char *folder, const carom_shape *mesh,
                             const carom_bounce_recipe *recipe, const carom_progress *progress,
                             carom_bounce_map **out, carom_error *err)
{
    char path[PATH_LENGTH];
    carom_mesh_source surface = carom_mesh_surface(mesh);
    uint64_t key = key_of(carom_modal_key(&surface, &recipe->material, &recipe->modal), recipe);
    bool keeps = name_file(folder, key, "bounce", path);
    if (keeps && !recipe->map.pieces && carom_bounce_map_load(path, out, NULL) == CAROM_OK) {
        if (carom_bounce_map_check(*out, mesh, NULL) == CAROM_OK)
            return CAROM_OK;
        carom_bounce_map_destroy(*out);
        *out = NULL;
    }
    TRY(bake(folder, mesh, recipe, progress, out, err));
    if (!*out)
        return CAROM_OK;
    if (keeps) {
        make_folder(folder);
        carom_bounce_map_save(*out, path, NULL);
    }
    return as_if_read(out, err);
}

carom_status carom_bounce_cache_map(const char *folder, const carom_shape *shape,
                                    const carom_bounce_recipe *recipe,
                                    const carom_progress *progress, carom_bounce_map **out,
                                    carom_error *err)
{
    NEED(err, recipe, out);
    carom_shape *mesh = NULL;
    *out = NULL;
    TRY(carom_modal_material_check(&recipe->material, err));
    TRY(mesh_of(shape, &mesh, err));
    carom_status status = find_map(folder, mesh, recipe, progress, out, err);
    carom_shape_release(mesh);
    return status;
}

carom_status carom_bounce_cache_direct(const char *folder, const carom_shape *shape,
                                       const carom_bounce_recipe *recipe,
                                       const carom_progress *progress, carom_bounce_direct **out,
                                       carom_error *err)
{
    NEED(err, shape, recipe, out);
    carom_shape *mesh = NULL, *fine = NULL;
    carom_modes *modes = NULL;
    double shift[3] = { 0 };
    *out = NULL;
    TRY(mesh_of(shape, &mesh, err));
    carom_mesh_source surface = carom_mesh_surface(mesh);
    carom_status status = carom_bounce_cache_modes(folder, &surface, &recipe->material,
                                                   &recipe->modal, progress, &modes, err);
    if (status == CAROM_OK && surface.triangle_count < recipe->faces)
        status = carom_refine_count(mesh, recipe->faces, &fine, err);
    if (fine)
        carom_shape_shift(fine, shift);
    if (status == CAROM_OK)
        status = carom_bounce_direct_create(fine ? fine : mesh, modes, shift, out, err);
    carom_modal_destroy(modes);
    carom_shape_release(fine);
    carom_shape_release(mesh);
    return status;
}
