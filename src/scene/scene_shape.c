// Shapes of world scenes: one key says the kind.
#include "scene/scene_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/suggest.h"
#include "math/trig.h"
#include "scene/scene_ground.h"

#define POINTS_SCHEMA(size)                                                                        \
    "{ \"type\": \"array\", \"items\": { \"type\": \"array\", \"items\": { \"type\": "             \
    "[\"number\", \"string\"] }, \"minItems\": " #size ", \"maxItems\": " #size " } }"
#define LENGTH_RANGE                                                                               \
    {                                                                                              \
        0, 1e12, .above = true, .unit = "m"                                                        \
    }

// -- tables -------------------------------------------------------------------------------------

typedef struct rod_values {
    double radius, length;
} rod_values;

static const carom_field capsule_fields[] = {
    { "radius", CAROM_FIELD_NUMBER, offsetof(rod_values, radius), .required = true,
      .range = LENGTH_RANGE, .doc = "of the round ends" },
    { "length", CAROM_FIELD_NUMBER, offsetof(rod_values, length), .required = true,
      .range = LENGTH_RANGE, .doc = "of the straight part, along z" },
    { 0 },
};
static const carom_field_table capsule_table = { "capsule", "A rod with round ends, about z.",
                                                 capsule_fields };
static const carom_field cylinder_fields[] = {
    { "radius", CAROM_FIELD_NUMBER, offsetof(rod_values, radius), .required = true,
      .range = LENGTH_RANGE, .doc = "radius" },
    { "length", CAROM_FIELD_NUMBER, offsetof(rod_values, length), .required = true,
      .range = LENGTH_RANGE, .doc = "along z" },
    { 0 },
};
static const carom_field_table cylinder_table = { "cylinder", "A solid cylinder about z.",
                                                  cylinder_fields };

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
      .doc = "a surface with more triangles is simplified to so many: edges are collapsed where "
             "that changes the surface least, and the volume stays" },
    { "vertices", CAROM_FIELD_OTHER, .words = "list of [x, y, z]", .schema = POINTS_SCHEMA(3),
      .doc = "instead of a file" },
    { "triangles", CAROM_FIELD_OTHER, .words = "list of [a, b, c]", .schema = POINTS_SCHEMA(3),
      .doc = "vertex numbers from 0, counter-clockwise seen from outside" },
    { 0 },
};
static const carom_field_table mesh_table = {
    "mesh", "A closed surface of triangles, convex or not: from a file or written in place.",
    mesh_fields
};

typedef struct part_values {
    double position[3];
    carom_numbers rotation, turn;
} part_values;

static const carom_field part_fields[] = {
    { "shape", CAROM_FIELD_OTHER, .required = true, .words = "name or object",
      .schema = CAROM_SCENE_SHAPE_SCHEMA, .doc = "any shape but a plane or another compound" },
    { "position", CAROM_FIELD_VEC3, offsetof(part_values, position), .range = { .unit = "m" },
      .doc = "of the part's origin" },
    { "rotation", CAROM_FIELD_NUMBERS, offsetof(part_values, rotation), .shown = "[1, 0, 0, 0]",
      .doc = "unit quaternion [w, x, y, z]" },
    { "turn", CAROM_FIELD_NUMBERS, offsetof(part_values, turn),
      .doc = "instead of a rotation: [axis x, y, z, degrees]" },
    { 0 },
};
static const carom_field_table part_table = {
    "part", "One part of a compound. Where parts overlap the overlap counts twice in the mass.",
    part_fields
};

typedef struct revolve_values {
    int64_t segments;
} revolve_values;

static const carom_field revolve_fields[] = {
    { "profile", CAROM_FIELD_OTHER, .required = true, .words = "list of [radius, z]",
      .schema = POINTS_SCHEMA(2),
      .doc = "outline from the lower to the upper end (m); the first and the last radius are 0" },
    { "segments", CAROM_FIELD_INT64, offsetof(revolve_values, segments), .initial = 24,
      .range = { .min = 3, .max = 10000 }, .doc = "flat sides around" },
    { 0 },
};
static const carom_field_table revolve_table = { "revolve", "A solid of revolution about z.",
                                                 revolve_fields };

typedef struct extrude_values {
    double height;
} extrude_values;

static const carom_field extrude_fields[] = {
    { "polygon", CAROM_FIELD_OTHER, .required = true, .words = "list of [x, y]",
      .schema = POINTS_SCHEMA(2),
      .doc = "corners (m), counter-clockwise, convex or not: crosses, letters" },
    { "height", CAROM_FIELD_NUMBER, offsetof(extrude_values, height), .required = true,
      .range = LENGTH_RANGE, .doc = "along z; half above and half below the origin" },
    { 0 },
};
static const carom_field_table extrude_table = { "extrude", "A straight prism over a polygon.",
                                                 extrude_fields };

typedef struct helix_values {
    double radius, turns, drop, start;
    int64_t segments;
} helix_values;

static const carom_field helix_fields[] = {
    { "radius", CAROM_FIELD_NUMBER, offsetof(helix_values, radius), .required = true,
      .range = LENGTH_RANGE, .doc = "of the centre line about z" },
    { "turns", CAROM_FIELD_NUMBER, offsetof(helix_values, turns), .initial = 1,
      .range = { .min = -1000, .max = 1000 },
      .doc = "counter-clockwise seen from above; negative: clockwise" },
    { "drop", CAROM_FIELD_NUMBER, offsetof(helix_values, drop), .required = true,
      .range = { .unit = "m" }, .doc = "height lost from start to end" },
    { "start", CAROM_FIELD_NUMBER, offsetof(helix_values, start),
      .range = { -360, 360, .unit = "degrees" },
      .doc = "angle of the first point from the x axis; its height is 0" },
    { "segments", CAROM_FIELD_INT64, offsetof(helix_values, segments), .initial = 48,
      .range = { .min = 8, .max = 10000 }, .doc = "straight pieces per turn" },
    { 0 },
};
static const carom_field_table helix_table = { "helix", "A spiral path.", helix_fields };

typedef struct track_values {
    double width, depth, thickness;
} track_values;

static const carom_field track_fields[] = {
    { "path", CAROM_FIELD_OTHER, .words = "list of [x, y, z]", .schema = POINTS_SCHEMA(3),
      .doc = "centre line of the floor of the channel (m)" },
    { "helix", CAROM_FIELD_OBJECT, .table = &helix_table, .doc = "instead of a path" },
    { "width", CAROM_FIELD_NUMBER, offsetof(track_values, width), .initial = 0.1,
      .range = LENGTH_RANGE, .doc = "between the walls" },
    { "depth", CAROM_FIELD_NUMBER, offsetof(track_values, depth), .initial = 0.05,
      .range = LENGTH_RANGE, .doc = "height of the walls above the floor" },
    { "thickness", CAROM_FIELD_NUMBER, offsetof(track_values, thickness), .initial = 0.01,
      .range = LENGTH_RANGE, .doc = "of floor and walls" },
    { "section", CAROM_FIELD_OTHER, .words = "list of [left, up]", .schema = POINTS_SCHEMA(2),
      .doc = "instead of width, depth and thickness: the cross section (m), counter-clockwise "
             "seen along the path" },
    { 0 },
};
static const carom_field_table track_table = {
    "track", "An open channel along a path; for fixed bodies mostly.", track_fields
};

typedef struct shape_values {
    double sphere, box[3], plane[3];
    const char *generate;
} shape_values;

static const carom_field shape_fields[] = {
    { "sphere", CAROM_FIELD_NUMBER, offsetof(shape_values, sphere), .shown = "none",
      .range = LENGTH_RANGE, .doc = "a ball of this radius" },
    { "box", CAROM_FIELD_VEC3, offsetof(shape_values, box), .shown = "none", .range = LENGTH_RANGE,
      .doc = "full sizes along x, y, z" },
    { "capsule", CAROM_FIELD_OBJECT, .table = &capsule_table, .doc = "a rod with round ends" },
    { "cylinder", CAROM_FIELD_OBJECT, .table = &cylinder_table, .doc = "a cylinder" },
    { "plane", CAROM_FIELD_VEC3, offsetof(shape_values, plane), .shown = "none",
      .doc = "a half space with this outward normal, through the origin; fixed or driven bodies "
             "only" },
    { "hull", CAROM_FIELD_OTHER, .words = "list of [x, y, z]", .schema = POINTS_SCHEMA(3),
      .doc = "the convex hull of these points (m)" },
    { "mesh", CAROM_FIELD_OBJECT, .table = &mesh_table, .doc = "a closed surface of triangles" },
    { "compound", CAROM_FIELD_LIST, .table = &part_table, .doc = "several shapes as one" },
    { "revolve", CAROM_FIELD_OBJECT, .table = &revolve_table, .doc = "a solid of revolution" },
    { "extrude", CAROM_FIELD_OBJECT, .table = &extrude_table, .doc = "a prism over a polygon" },
    { "track", CAROM_FIELD_OBJECT, .table = &track_table, .doc = "a channel along a path" },
    { "container", CAROM_FIELD_OBJECT, .table = &carom_scene_ground_container_table, .doc = "an open box" },
    { "heightfield", CAROM_FIELD_OBJECT, .table = &carom_scene_ground_heightfield_table,
      .doc = "ground over a grid of heights" },
    { "generate", CAROM_FIELD_TEXT, offsetof(shape_values, generate),
      .doc = "a closed mesh by name: \"NAME\", \"NAME:SIZES\" or \"NAME:SIZES@EDGE\", for instance "
             "\"bar:200x10x10mm@50mm\"; `carom bounce --shapes` lists them; its origin is the "
             "centre of mass" },
    { 0 },
};
const carom_field_table carom_scene_shape_table = {
    "shape",
    "Exactly one key, which says the kind. Lengths are metres in the shape's own frame; bodies "
    "place its origin.",
    shape_fields
};

// -- kinds --------------------------------------------------------------------------------------

// What making a shape needs besides its value.
typedef struct maker {
    carom_scene_world *scene;
    carom_value *shape; // the object
    const shape_values *values;
    carom_shape **out;
    quat *turn;
} maker;

static carom_status make_sphere(maker *m, carom_value *value, carom_error *err)
{
    (void)value;
    return carom_sphere_create(m->values->sphere, m->out, err);
}

static carom_status make_box(maker *m, carom_value *value, carom_error *err)
{
    (void)value;
    const double *size = m->values->box;
    return carom_box_create((double[]){ 0.5 * size[0], 0.5 * size[1], 0.5 * size[2] }, m->out, err);
}

static carom_status make_capsule(maker *m, carom_value *value, carom_error *err)
{
    rod_values rod;
    TRY(carom_field_read(value, &capsule_table, &rod, err));
    return carom_capsule_create(rod.radius, 0.5 * rod.length, m->out, err);
}

static carom_status make_cylinder(maker *m, carom_value *value, carom_error *err)
{
    rod_values rod;
    TRY(carom_field_read(value, &cylinder_table, &rod, err));
    return carom_cylinder_create(rod.radius, 0.5 * rod.length, m->out, err);
}

static carom_status make_plane(maker *m, carom_value *value, carom_error *err)
{
    double rotation[4];
    if (!(vec3_length(vec3_from(m->values->plane)) > 0))
        return carom_value_fail(value, err, "give the direction away from the solid: [0, 0, 1]",
                                "the normal of a plane has length 0");
    TRY(carom_plane_towards(m->values->plane, rotation, m->out, err));
    *m->turn = (quat){ rotation[0], rotation[1], rotation[2], rotation[3] };
    return CAROM_OK;
}

static carom_status make_hull(maker *m, carom_value *value, carom_error *err)
{
    double *points;
    int count;
    TRY(carom_scene_pose_points(value, 3, &points, &count, err));
    return carom_hull_create(points, count, m->out, err);
}

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

static carom_status make_inline_mesh(maker *m, const carom_value *value, const mesh_values *given,
                                     carom_error *err)
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
    return create_mesh(&source, given, m->out, err);
}

static carom_status keep_mesh(carom_scene_world *scene, const carom_scene_mesh *mesh,
                              carom_error *err)
{
    size_t count = (size_t)scene->mesh_count;
    void *more = realloc(scene->meshes, (count + 1) * sizeof *scene->meshes);
    if (!more)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %zu meshes", count + 1);
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

static carom_status make_mesh(maker *m, carom_value *value, carom_error *err)
{
    mesh_values given;
    TRY(carom_field_read(value, &mesh_table, &given, err));
    if (!given.file)
        return make_inline_mesh(m, value, &given, err);
    if (carom_value_member(value, "vertices", NULL) || carom_value_member(value, "triangles", NULL))
        return carom_value_fail_key(value, "file", err, "keep one of the two",
                                    "the mesh has a file and vertices or triangles");
    const carom_scene_mesh *mesh;
    TRY(find_mesh(m->scene, value, &given, &mesh, err));
    return create_mesh(&mesh->source, &given, m->out, err);
}

static carom_status make_compound(maker *m, carom_value *list, carom_error *err)
{
    size_t count = carom_value_count(list);
    carom_part *parts;
    TAKE(carom_reader_memory(list->reader), parts, count + 1, err);
    for (size_t i = 0; i < count; ++i) {
        carom_value item, shape;
        part_values given;
        int form;
        quat turn;
        carom_value_item(list, i, &item);
        TRY(carom_field_read(&item, &part_table, &given, err));
        TRY(carom_scene_pose_rotation(&item, &given.rotation, &given.turn, &turn, err));
        carom_value_member(&item, "shape", &shape);
        TRY(carom_scene_shape_use(m->scene, &shape, &form, err));
        const carom_scene_form *used = &m->scene->forms[form];
        vec3 centre = vec3_add(vec3_from(given.position), quat_rotate(turn, used->shift));
        parts[i] =
            (carom_part){ .shape = used->shape, .rotation = { turn.w, turn.x, turn.y, turn.z } };
        vec3_store(centre, parts[i].position);
    }
    return carom_compound_create(parts, (int)count, m->out, err);
}

static carom_status make_heightfield(maker *m, carom_value *value, carom_error *err)
{
    return carom_scene_ground_heightfield(value, m->out, err);
}

static carom_status make_revolve(maker *m, carom_value *value, carom_error *err)
{
    revolve_values given;
    carom_value profile;
    double *points;
    int count;
    TRY(carom_field_read(value, &revolve_table, &given, err));
    carom_value_member(value, "profile", &profile);
    TRY(carom_scene_pose_points(&profile, 2, &points, &count, err));
    return carom_profile_revolve(points, count, (int)given.segments, m->out, err);
}

static carom_status make_extrude(maker *m, carom_value *value, carom_error *err)
{
    extrude_values given;
    carom_value polygon;
    double *points;
    int count;
    TRY(carom_field_read(value, &extrude_table, &given, err));
    carom_value_member(value, "polygon", &polygon);
    TRY(carom_scene_pose_points(&polygon, 2, &points, &count, err));
    return carom_profile_extrude(points, count, 0.5 * given.height, m->out, err);
}

static carom_status helix_path(carom_value *value, double **path, int *stations, carom_error *err)
{
    helix_values given;
    TRY(carom_field_read(value, &helix_table, &given, err));
    int count = (int)ceil(fabs(given.turns) * (double)given.segments);
    count = count < 1 ? 1 : count;
    TAKE(carom_reader_memory(value->reader), *path, 3 * (count + 1), err);
    for (int i = 0; i <= count; ++i) {
        double share = (double)i / count, turn[2];
        carom_trig_degrees(given.start + 360 * given.turns * share, turn);
        double *at = *path + 3 * i;
        at[0] = given.radius * turn[1];
        at[1] = given.radius * turn[0];
        at[2] = -given.drop * share;
    }
    *stations = count + 1;
    return CAROM_OK;
}

static carom_status make_track(maker *m, carom_value *value, carom_error *err)
{
    track_values given;
    carom_value line, helix, section;
    double *path, *polygon;
    int stations, corners = 8;
    TRY(carom_field_read(value, &track_table, &given, err));
    bool straight = carom_value_member(value, "path", &line);
    if (straight == carom_value_member(value, "helix", &helix))
        return carom_value_fail(value, err, "give a \"path\" or a \"helix\"",
                                straight ? "the track has a path and a helix"
                                         : "the track has no path");
    if (straight)
        TRY(carom_scene_pose_points(&line, 3, &path, &stations, err));
    else
        TRY(helix_path(&helix, &path, &stations, err));
    double w = 0.5 * given.width, t = given.thickness, d = given.depth;
    // u points to the left, so that seen along the path the right wall has negative u
    double channel[16] = { -w - t, -t, w + t, -t, w + t, d, w, d, w, 0, -w, 0, -w, d, -w - t, d };
    polygon = channel;
    if (carom_value_member(value, "section", &section))
        TRY(carom_scene_pose_points(&section, 2, &polygon, &corners, err));
    return carom_profile_sweep(polygon, corners, path, stations, m->out, err);
}

static carom_status make_container(maker *m, carom_value *value, carom_error *err)
{
    return carom_scene_ground_container(value, m->out, err);
}

static carom_status make_generated(maker *m, carom_value *value, carom_error *err)
{
    (void)value;
    return carom_generate_shape(m->values->generate, m->out, err);
}

static const struct {
    const char *key;
    carom_status (*make)(maker *, carom_value *, carom_error *);
} makers[] = {
    { "sphere", make_sphere },      { "box", make_box },           { "capsule", make_capsule },
    { "cylinder", make_cylinder },  { "plane", make_plane },       { "hull", make_hull },
    { "mesh", make_mesh },          { "compound", make_compound }, { "revolve", make_revolve },
    { "extrude", make_extrude },    { "track", make_track },       { "container", make_container },
    { "generate", make_generated }, { "heightfield", make_heightfield },
};
enum { MAKERS = sizeof makers / sizeof *makers };

// -- reading ------------------------------------------------------------------------------------

static carom_status add_form(carom_scene_world *scene, const carom_scene_form *form, int *index,
                             carom_error *err)
{
    size_t count = (size_t)scene->form_count;
    if ((count & (count - 1)) == 0) { // full at every power of two
        void *more = realloc(scene->forms, (count ? 2 * count : 1) * sizeof *scene->forms);
        if (!more)
            return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %zu shapes", count);
        scene->forms = more;
    }
    scene->forms[count] = *form;
    *index = scene->form_count++;
    return CAROM_OK;
}

carom_status carom_scene_shape_sphere(carom_scene_world *scene, double radius, int *form,
                                      carom_error *err)
{
    carom_shape *shape;
    TRY(carom_sphere_create(radius, &shape, err));
    carom_scene_form made = { .shape = shape, .turn = quat_identity() };
    carom_status status = add_form(scene, &made, form, err);
    if (status != CAROM_OK)
        carom_shape_release(shape);
    return status;
}

carom_status carom_scene_shape_scaled(carom_scene_world *scene, int from, double factor, int *form,
                                      carom_error *err)
{
    carom_shape *shape;
    carom_scene_form made = scene->forms[from];
    TRY(carom_shape_scale(made.shape, factor, &shape, err));
    made.name = NULL;
    made.shape = shape;
    made.shift = vec3_scale(factor, made.shift);
    carom_status status = add_form(scene, &made, form, err);
    if (status != CAROM_OK)
        carom_shape_release(shape);
    return status;
}

static carom_status read_shape(carom_scene_world *scene, carom_value *value, const char *name,
                               int *index, carom_error *err)
{
    shape_values values;
    carom_value kind;
    int chosen = -1;
    TRY(carom_field_read(value, &carom_scene_shape_table, &values, err));
    for (int i = 0; i < MAKERS; ++i) {
        if (!carom_value_member(value, makers[i].key, NULL))
            continue;
        if (chosen >= 0)
            return carom_value_fail_key(value, makers[i].key, err, "keep one of the two",
                                        "the shape is both a %s and a %s", makers[chosen].key,
                                        makers[i].key);
        chosen = i;
    }
    if (chosen < 0)
        return carom_value_fail(value, err,
                                "use one of: sphere box capsule cylinder plane hull mesh compound "
                                "revolve extrude track container generate",
                                "the shape has no kind");
    carom_shape *shape = NULL;
    carom_scene_form form = { .name = name, .turn = quat_identity() };
    maker m = { scene, value, &values, &shape, &form.turn };
    carom_value_member(value, makers[chosen].key, &kind);
    carom_error inner = { 0 };
    carom_status status = makers[chosen].make(&m, &kind, &inner);
    if (status != CAROM_OK) {
        if (!*inner.fix)
            carom_error_fix(&inner, "`carom check --keys world` explains the keys of a %s",
                            makers[chosen].key);
        if (err)
            *err = inner;
        // a reader's error has its place; one of the shape room gets the shape's
        return strncmp(inner.where, carom_reader_name(value->reader),
                       strlen(carom_reader_name(value->reader))) == 0
                   ? status
                   : (carom_value_place(&kind, err), status);
    }
    double shift[3] = { 0 };
    if (!values.generate) // those made by name count from their centre of mass
        carom_shape_shift(shape, shift);
    form.shape = shape;
    form.shift = vec3_from(shift);
    status = add_form(scene, &form, index, err);
    if (status != CAROM_OK)
        carom_shape_release(shape);
    return status;
}

carom_status carom_scene_shape_read_all(carom_scene_world *scene, const carom_value *root,
                                        carom_error *err)
{
    carom_value map;
    if (!carom_value_member(root, "shapes", &map))
        return CAROM_OK;
    for (const char *key = NULL; (key = carom_value_next_key(&map, key));) {
        carom_value value;
        int index;
        carom_value_member(&map, key, &value);
        TRY(read_shape(scene, &value, key, &index, err));
    }
    return CAROM_OK;
}

carom_status carom_scene_shape_use(carom_scene_world *scene, const carom_value *value, int *form,
                                   carom_error *err)
{
    if (carom_value_is_object(value)) {
        carom_value copy = *value;
        return read_shape(scene, &copy, NULL, form, err);
    }
    const char *name, *names[256];
    int count = 0;
    if (!carom_value_is_text(value))
        return carom_value_fail(value, err, "write the name of a shape, or a shape",
                                "shape is neither a name nor an object");
    TRY(carom_value_text(value, &name, err));
    for (int i = 0; i < scene->form_count; ++i) {
        if (!scene->forms[i].name)
            continue;
        if (strcmp(scene->forms[i].name, name) == 0) {
            *form = i;
            return CAROM_OK;
        }
        if (count < 256)
            names[count++] = scene->forms[i].name;
    }
    const char *nearest = carom_suggest_nearest(name, names, count);
    char fix[160] = "name one of \"shapes\"; a compound may use those before it";
    if (nearest)
        snprintf(fix, sizeof fix, "did you mean \"%.80s\"?", nearest);
    return carom_value_fail(value, err, fix, "there is no shape \"%.60s\"", name);
}

void carom_scene_shape_free_all(carom_scene_world *scene)
{
    for (int i = 0; i < scene->form_count; ++i)
        carom_shape_release(scene->forms[i].shape);
    for (int i = 0; i < scene->mesh_count; ++i)
        carom_import_free(&scene->meshes[i].source);
    free(scene->meshes);
    free(scene->forms);
}
