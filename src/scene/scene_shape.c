// Shapes of world scenes: one key says the kind. Meshes: scene_shape_mesh.c.
#include "scene/scene_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/suggest.h"
#include "math/trig.h"
#include "scene/scene_ground.h"
#include "scene/scene_shape_mesh.h"

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
      .schema = CAROM_SCENE_POINTS_SCHEMA(2),
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
      .schema = CAROM_SCENE_POINTS_SCHEMA(2),
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
    { "path", CAROM_FIELD_OTHER, .words = "list of [x, y, z]",
      .schema = CAROM_SCENE_POINTS_SCHEMA(3),
      .doc = "centre line of the floor of the channel (m)" },
    { "helix", CAROM_FIELD_OBJECT, .table = &helix_table, .doc = "instead of a path" },
    { "width", CAROM_FIELD_NUMBER, offsetof(track_values, width), .initial = 0.1,
      .range = LENGTH_RANGE, .doc = "between the walls" },
    { "depth", CAROM_FIELD_NUMBER, offsetof(track_values, depth), .initial = 0.05,
      .range = LENGTH_RANGE, .doc = "height of the walls above the floor" },
    { "thickness", CAROM_FIELD_NUMBER, offsetof(track_values, thickness), .initial = 0.01,
      .range = LENGTH_RANGE, .doc = "of floor and walls" },
    { "section", CAROM_FIELD_OTHER, .words = "list of [left, up]",
      .schema = CAROM_SCENE_POINTS_SCHEMA(2),
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
    { "hull", CAROM_FIELD_OTHER, .words = "list of [x, y, z]",
      .schema = CAROM_SCENE_POINTS_SCHEMA(3), .doc = "the convex hull of these points (m)" },
    { "mesh", CAROM_FIELD_OBJECT, .table = &carom_scene_shape_mesh_table,
      .doc = "a closed surface of triangles" },
    { "compound", CAROM_FIELD_LIST, .table = &part_table, .doc = "several shapes as one" },
    { "revolve", CAROM_FIELD_OBJECT, .table = &revolve_table, .doc = "a solid of revolution" },
    { "extrude", CAROM_FIELD_OBJECT, .table = &extrude_table, .doc = "a prism over a polygon" },
    { "track", CAROM_FIELD_OBJECT, .table = &track_table, .doc = "a channel along a path" },
    { "container", CAROM_FIELD_OBJECT, .table = &carom_scene_ground_container_table,
      .doc = "an open box" },
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

static carom_status make_mesh(maker *m, carom_value *value, carom_error *err)
{
    return carom_scene_shape_mesh(m->scene, value, m->out, err);
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
            return carom_error_no_memory(err, "%zu shapes", count);
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
