// Surface meshes from files: OBJ, OFF, PLY and STL by readers of our own, in double precision;
// forty other forms through assimp where this build has it.
#include "carom/import.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "scene/import_source.h"
#include "shape/shape.h"

typedef carom_status (*reader)(carom_cursor *c, carom_import_source *s, carom_error *err);

static reader reader_of(const char *path)
{
    static const struct {
        const char *ending;
        reader read;
    } own[] = {
        { ".obj", carom_import_obj_read },
        { ".off", carom_import_off_read },
        { ".ply", carom_import_ply_read },
        { ".stl", carom_import_stl_read },
    };
    const char *ending = strrchr(path, '.');
    for (size_t i = 0; ending && i < sizeof own / sizeof *own; ++i) {
        size_t k = 0;
        while (ending[k] && tolower((unsigned char)ending[k]) == own[i].ending[k])
            ++k;
        if (!ending[k] && !own[i].ending[k])
            return own[i].read;
    }
    return NULL;
}

static const char FIX[] = "export the model anew as a triangle mesh: OBJ, PLY, STL or OFF";

// Hands the triangles over, or frees them.
static carom_status finish(carom_import_source *s, carom_status status, carom_mesh_source *out,
                           carom_error *err)
{
    if (status == CAROM_OK && !s->triangle_count) {
        status = carom_error_set(err, CAROM_BAD_INPUT, "the file holds no triangles");
        carom_error_fix(err, "export the model as a triangle mesh");
    }
    if (status == CAROM_OK) {
        *out = (carom_mesh_source){ s->vertex, s->triangle, s->vertex_count, s->triangle_count };
        s->vertex = NULL, s->triangle = NULL;
    }
    carom_import_source_free(s);
    return status;
}

carom_status carom_import_parse(const char *name, const void *bytes, size_t size, double scale,
                                carom_mesh_source *out, carom_error *err)
{
    NEED(err, name);
    NEED(err, out);
    *out = (carom_mesh_source){ 0 };
    NEED(err, bytes);
    TRY(carom_shape_positive(scale, "the scale of a mesh file", err));
    reader read = reader_of(name);
    if (!read) {
        carom_error_set(err, CAROM_UNSUPPORTED,
                        "meshes in memory are read as OBJ, PLY, STL and OFF");
        carom_error_where(err, "%s", name);
        return carom_error_fix(err, "give a name that ends with .obj, .ply, .stl or .off");
    }
    carom_import_source s = { .scale = scale };
    carom_cursor c = carom_cursor_make(name, bytes, size, FIX);
    carom_status status = finish(&s, read(&c, &s, err), out, err);
    if (status != CAROM_OK && err && !err->where[0])
        carom_error_where(err, "%s", name);
    return status;
}

carom_status carom_import_triangles(const char *path, double scale, carom_mesh_source *out,
                                    carom_error *err)
{
    NEED(err, path);
    NEED(err, out);
    *out = (carom_mesh_source){ 0 };
    if (reader_of(path)) {
        char *bytes;
        size_t size;
        TRY(carom_cursor_load(path, &bytes, &size, err));
        carom_status status = carom_import_parse(path, bytes, size, scale, out, err);
        free(bytes);
        return status;
    }
    TRY(carom_shape_positive(scale, "the scale of a mesh file", err));
    TRY(carom_cursor_regular(path, err)); // assimp would wait for a pipe
    carom_import_source s = { .scale = scale };
    carom_status status = finish(&s, carom_import_assimp_read(path, &s, err), out, err);
    return status == CAROM_OK ? status : carom_error_where(err, "%s", path);
}

void carom_import_free(carom_mesh_source *source)
{
    if (!source)
        return;
    free((void *)source->vertices);
    free((void *)source->triangles);
    *source = (carom_mesh_source){ 0 };
}

carom_status carom_import_mesh(const char *path, double scale, carom_mesh_policy policy,
                               carom_mesh_report *report, carom_shape **out, carom_error *err)
{
    NEED(err, path);
    NEED(err, out);
    carom_mesh_source source;
    *out = NULL;
    if (report)
        *report = (carom_mesh_report){ 0 };
    TRY(carom_import_triangles(path, scale, &source, err));
    carom_status status = carom_mesh_create(&source, policy, report, out, err);
    carom_import_free(&source);
    return status == CAROM_OK ? status : carom_error_where(err, "%s", path);
}
