// Meshes of world scenes: surfaces from files, each read once, or written in place.
#include "scene/scene_shape_mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct mesh_values {
    const char *file;
    double scale;
    bool repair;
    int64_t simplify;
} mesh_values;

static const carom_field mesh_fields[] = {
    { "file", CAROM_FIELD_TEXT, offsetof(mesh_values, file),
      .doc = "OBJ, STL, PLY, OFF, glTF, ...; relative to the scene file" },
    { "scale", CAROM_FIELD_NUMBER, offsetof(mesh_values, scale), .initial = 1,
      .range = { 0, 1e12, .above = true }, .doc = "metres per unit of the file or the vertices" },
    { "repair", CAROM_FIELD_BOOL, offsetof(mesh_values, repair),
      .doc = "drop degenerate and duplicate triangles and turn inverted ones, instead of "
             "refusing them" },
    { "simplify", CAROM_FIELD_INT64, offsetof(mesh_values, simplify), .shown = "all",
      .range = { .min = 4, .max = 1e9, .unit = "triangles" },
      .doc = "a surface with more triangles is simplified to this many: edges are collapsed where "
             "that changes the surface least, and the volume stays" },
    { "vertices", CAROM_FIELD_OTHER, .words = "list of [x, y, z]",
      .schema = CAROM_SCENE_POINTS_SCHEMA(3), .doc = "instead of a file" },
    { "triangles", CAROM_FIELD_OTHER, .words = "list of [a, b, c]",
      .schema = CAROM_SCENE_POINTS_SCHEMA(3),
      .doc = "vertex numbers from 0, counter-clockwise seen from outside" },
    { 0 },
};
const carom_field_table carom_scene_shape_mesh_table = {
    "mesh", "A closed surface of triangles, convex or not: from a file or written in place.",
    mesh_fields
};

// What repair would mend is said so.
static carom_status create_mesh(const carom_mesh_source *source, const mesh_values *given,
                                carom_shape **out, carom_error *err)
{
    carom_mesh_report report;
    carom_shape *full = NULL;
    bool repair = given->repair;
    carom_status status = carom_mesh_create(source, repair ? CAROM_MESH_REPAIR : CAROM_MESH_STRICT,
                                            &report, &full, err);
    if (status == CAROM_OK && given->simplify > 0 && given->simplify < report.triangles) {
        status = carom_decimate_mesh(full, (int)given->simplify, out, err);
        carom_shape_release(full);
        return status;
    }
    *out = full;
    bool mendable = report.triangles >= 4 && report.open_edges + report.nonmanifold_edges == 0 &&
                    report.touching <= report.triangles / 1000;
    if (status == CAROM_BAD_INPUT && !repair && mendable)
        carom_error_fix(err, "add \"repair\": true to this mesh, or mend it");
    return status;
}

static carom_status make_inline(const carom_value *value, const mesh_values *given,
                                carom_shape **out, carom_error *err)
{
    carom_value vertices, triangles;
    double *points, *numbers;
    int count, faces, *corners;
    if (!carom_value_member(value, "vertices", &vertices) ||
        !carom_value_member(value, "triangles", &triangles))
        return carom_value_fail(value, err, "give a \"file\", or \"vertices\" and \"triangles\"",
                                "the mesh has no surface");
    TRY(carom_scene_pose_points(&vertices, 3, &points, &count, err));
    TRY(carom_scene_pose_points(&triangles, 3, &numbers, &faces, err));
    TAKE(carom_reader_memory(value->reader), corners, 3 * faces + 1, err);
    for (int i = 0; i < 3 * faces; ++i) {
        if (!(numbers[i] >= 0 && numbers[i] < count && numbers[i] == (int)numbers[i]))
            return carom_value_fail(&triangles, err, "use vertex numbers from 0",
                                    "triangle %d names the vertex %g of %d", i / 3, numbers[i],
                                    count);
        corners[i] = (int)numbers[i];
    }
    for (int i = 0; i < 3 * count; ++i)
        points[i] *= given->scale;
    carom_mesh_source source = { points, corners, count, faces };
    return create_mesh(&source, given, out, err);
}

static carom_status keep_mesh(carom_scene_world *scene, const carom_scene_mesh *mesh,
                              carom_error *err)
{
    size_t count = (size_t)scene->mesh_count;
    void *more = realloc(scene->meshes, (count + 1) * sizeof *scene->meshes);
    if (!more)
        return carom_error_no_memory(err, "%zu meshes", count + 1);
    scene->meshes = more;
    scene->meshes[scene->mesh_count++] = *mesh;
    return CAROM_OK;
}

// Among those given or read before, else from the file.
static carom_status find_mesh(carom_scene_world *scene, const carom_value *value,
                              const mesh_values *given, const carom_scene_mesh **out,
                              carom_error *err)
{
    const carom_scene_mesh *list = scene->given ? scene->given : scene->meshes;
    int count = scene->given ? scene->given_count : scene->mesh_count;
    for (int i = 0; i < count; ++i)
        if (strcmp(list[i].name, given->file) == 0 && list[i].scale == given->scale) {
            *out = &list[i];
            return CAROM_OK;
        }
    if (scene->given)
        return carom_value_fail_key(value, "file", err, "run the scene again",
                                    "the mesh \"%.100s\" is not kept with the scene", given->file);
    char path[4096];
    const char *folder = scene->folder;
    snprintf(path, sizeof path, "%s%s", *given->file == '/' || !folder ? "" : folder, given->file);
    carom_scene_mesh mesh = { .name = given->file, .scale = given->scale };
    if (carom_import_triangles(path, given->scale, &mesh.source, err) != CAROM_OK) {
        carom_error_fix(err, "check the name and the format of the file");
        return err ? err->status : CAROM_IO_FAILED;
    }
    carom_status status = keep_mesh(scene, &mesh, err);
    if (status != CAROM_OK)
        carom_import_free(&mesh.source);
    else
        *out = &scene->meshes[scene->mesh_count - 1];
    return status;
}

carom_status carom_scene_shape_mesh(carom_scene_world *scene, carom_value *value, carom_shape **out,
                                    carom_error *err)
{
    mesh_values given;
    TRY(carom_field_read(value, &carom_scene_shape_mesh_table, &given, err));
    if (!given.file)
        return make_inline(value, &given, out, err);
    if (carom_value_member(value, "vertices", NULL) || carom_value_member(value, "triangles", NULL))
        return carom_value_fail_key(value, "file", err, "keep one of the two",
                                    "the mesh has a file and vertices or triangles");
    const carom_scene_mesh *mesh;
    TRY(find_mesh(scene, value, &given, &mesh, err));
    return create_mesh(&mesh->source, &given, out, err);
}
