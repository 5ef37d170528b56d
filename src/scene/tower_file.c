// Reads tower scenes (kind "tower").
#include "base/text.h"
#include "carom/tower.h"
#include "scene/field.h"
#include "scene/reader.h"
#include "scene/scene_kind.h"
#include "scene/tower_file.h"
#include <math.h>
#include <stddef.h>
#include <stdio.h>

typedef struct scene {
    const char *name;
    double gravity, friction;
    int masses;
    double overlap;
} scene;

#define NUMBER_PAIR                                                                                \
    "{\"type\":\"array\",\"items\":{\"type\":[\"number\",\"string\"]},\"minItems\":2,"             \
    "\"maxItems\":2}"
#define ANYTHING_LIST "{\"type\":\"array\"}"

static const carom_field scene_fields[] = {
    { "carom", CAROM_FIELD_OTHER, .schema = "{\"const\":1}", .doc = "version of the format",
      .required = true },
    { "kind", CAROM_FIELD_OTHER, .schema = "{\"const\":\"tower\"}", .doc = "always \"tower\"",
      .required = true },
    { "name", CAROM_FIELD_TEXT, offsetof(scene, name), .doc = "for pictures" },
    { "brick", CAROM_FIELD_OTHER, .schema = NUMBER_PAIR, .doc = "width and height of a plain brick",
      .shown = "[1, 0.25]" },
    { "gravity", CAROM_FIELD_NUMBER, offsetof(scene, gravity), .initial = 1,
      .range = { .min = 0, .max = 1e6 }, .doc = "downward" },
    { "friction", CAROM_FIELD_NUMBER, offsetof(scene, friction), .range = { .min = 0, .max = 10 },
      .doc = "Coulomb coefficient of every contact" },
    { "masses", CAROM_FIELD_CHOICE, offsetof(scene, masses), .words = "homogeneous corners",
      .doc = "how the mass of a body is spread" },
    { "overlap", CAROM_FIELD_NUMBER, offsetof(scene, overlap), .initial = 1e-6,
      .range = { .min = 0, .max = 1 }, .doc = "deepest overlap that is let pass at the start" },
    { "supports", CAROM_FIELD_OTHER, .schema = ANYTHING_LIST,
      .doc = "{\"ground\": y}, {\"wall\": {\"x\", \"side\"}}, {\"table\": {\"left\", \"right\", "
             "\"top\"}} or "
             "{\"polygon\": [[x, y], ...]}" },
    { "bricks", CAROM_FIELD_OTHER, .schema = ANYTHING_LIST,
      .doc = "each [x, y] or [x, y, angle] (the centre), or an object" },
    { "rows", CAROM_FIELD_OTHER, .schema = ANYTHING_LIST,
      .doc = "x of the bricks of each row, bottom to top, stacked on y = 0" },
    { "points", CAROM_FIELD_OTHER, .schema = ANYTHING_LIST,
      .doc = "point masses: {\"x\", \"y\", \"mass\"}" },
    { "pins", CAROM_FIELD_OTHER, .schema = ANYTHING_LIST,
      .doc = "hinges: {\"a\", \"b\", \"at\": [x, y]}; b = -1 is the world" },
    { "bars", CAROM_FIELD_OTHER, .schema = ANYTHING_LIST,
      .doc = "fixed distances: {\"a\", \"b\", \"from\": [x, y], \"to\": [x, y]}" },
    { 0 },
};
static const carom_field_table scene_table = { "tower", "A tower at rest.", scene_fields };

typedef struct brick_entry {
    double x, y, angle, width, height, mass;
    bool fixed;
} brick_entry;

static const carom_field brick_fields[] = {
    { "x", CAROM_FIELD_NUMBER, offsetof(brick_entry, x), .required = true, .doc = "of the centre" },
    { "y", CAROM_FIELD_NUMBER, offsetof(brick_entry, y), .required = true, .doc = "of the centre" },
    { "angle", CAROM_FIELD_NUMBER, offsetof(brick_entry, angle), .range = { .unit = "rad" },
      .doc = "counter-clockwise" },
    { "width", CAROM_FIELD_NUMBER, offsetof(brick_entry, width),
      .doc = "0: that of a plain brick" },
    { "height", CAROM_FIELD_NUMBER, offsetof(brick_entry, height),
      .doc = "0: that of a plain brick" },
    { "mass", CAROM_FIELD_NUMBER, offsetof(brick_entry, mass), .initial = -1,
      .shown = "by area, 1 for a plain brick", .doc = "of the body" },
    { "fixed", CAROM_FIELD_BOOL, offsetof(brick_entry, fixed), .doc = "immovable" },
    { "polygon", CAROM_FIELD_OTHER, .schema = ANYTHING_LIST,
      .doc = "corners around (x, y), counter-clockwise, instead of width and height" },
    { 0 },
};
static const carom_field_table brick_table = { "brick", "A body.", brick_fields };

typedef struct table_entry {
    double left, right, top;
} table_entry;

static const carom_field table_fields[] = {
    { "left", CAROM_FIELD_NUMBER, offsetof(table_entry, left), .initial = -1e9, .shown = "no edge",
      .doc = "x of the left edge" },
    { "right", CAROM_FIELD_NUMBER, offsetof(table_entry, right), .initial = 1e9, .shown = "no edge",
      .doc = "x of the right edge" },
    { "top", CAROM_FIELD_NUMBER, offsetof(table_entry, top), .doc = "height" },
    { 0 },
};
static const carom_field_table table_table = { "table", "A table.", table_fields };

typedef struct wall_entry {
    double x;
    int side;
} wall_entry;

static const carom_field wall_fields[] = {
    { "x", CAROM_FIELD_NUMBER, offsetof(wall_entry, x), .required = true, .doc = "of the face" },
    { "side", CAROM_FIELD_CHOICE, offsetof(wall_entry, side), .words = "left right",
      .required = true, .doc = "the wall is left or right of x" },
    { 0 },
};
static const carom_field_table wall_table = { "wall", "A vertical wall.", wall_fields };

typedef struct point_entry {
    double x, y, mass;
} point_entry;

static const carom_field point_fields[] = {
    { "x", CAROM_FIELD_NUMBER, offsetof(point_entry, x), .required = true, .doc = "place" },
    { "y", CAROM_FIELD_NUMBER, offsetof(point_entry, y), .required = true, .doc = "place" },
    { "mass", CAROM_FIELD_NUMBER, offsetof(point_entry, mass), .initial = 1, .doc = "mass" },
    { 0 },
};
static const carom_field_table point_table = { "point", "A point mass.", point_fields };

typedef struct tie_entry {
    int64_t a, b;
} tie_entry;

static const carom_field pin_fields[] = {
    { "a", CAROM_FIELD_INT64, offsetof(tie_entry, a), .required = true, .doc = "number of a body" },
    { "b", CAROM_FIELD_INT64, offsetof(tie_entry, b), .initial = -1,
      .doc = "the other; -1: the world" },
    { "at", CAROM_FIELD_OTHER, .schema = NUMBER_PAIR, .required = true,
      .doc = "place of the hinge" },
    { 0 },
};
static const carom_field_table pin_table = { "pin", "A hinge.", pin_fields };

static const carom_field bar_fields[] = {
    { "a", CAROM_FIELD_INT64, offsetof(tie_entry, a), .required = true, .doc = "number of a body" },
    { "b", CAROM_FIELD_INT64, offsetof(tie_entry, b), .initial = -1,
      .doc = "the other; -1: the world" },
    { "from", CAROM_FIELD_OTHER, .schema = NUMBER_PAIR, .required = true, .doc = "point of a" },
    { "to", CAROM_FIELD_OTHER, .schema = NUMBER_PAIR, .required = true, .doc = "point of b" },
    { 0 },
};
static const carom_field_table bar_table = { "bar", "A rod of fixed length.", bar_fields };

typedef struct loader {
    carom_tower *tower;
    scene scene;
    double width, height;
    bool has_table;
} loader;

// -- small readers ------------------------------------------------------------------------------

static carom_status read_numbers(const carom_value *value, int min, int max, carom_numbers *out,
                                 carom_error *err)
{
    TRY(carom_value_numbers(value, 0, out, err));
    if (out->count < min || out->count > max)
        return carom_value_fail(value, err,
                                min == max ? "give two numbers" : "use [x, y] or [x, y, angle]",
                                "%d numbers are given", out->count);
    return CAROM_OK;
}

static carom_status read_corners(const carom_value *list, double *corners, int *count,
                                 carom_error *err)
{
    size_t given = carom_value_count(list);
    TRY(carom_value_array(list, err));
    if (given < 3 || given > CAROM_TOWER_CORNERS_MAX)
        return carom_value_fail(list, err, "use 3 to 64 corners", "the polygon has %zu corners",
                                given);
    for (size_t v = 0; v < given; ++v) {
        carom_value corner;
        carom_numbers pair;
        carom_value_item(list, v, &corner);
        TRY(read_numbers(&corner, 2, 2, &pair, err));
        corners[2 * v] = pair.values[0];
        corners[2 * v + 1] = pair.values[1];
    }
    *count = (int)given;
    return CAROM_OK;
}

static carom_status add_body(loader *l, const carom_value *at, const carom_tower_body *body,
                             carom_error *err)
{
    carom_tower_body copy = *body;
    copy.spread = l->scene.masses ? CAROM_TOWER_CORNERS : CAROM_TOWER_HOMOGENEOUS;
    return carom_tower_add_body(l->tower, &copy, 0, err) == CAROM_OK ? CAROM_OK
                                                                     : carom_value_place(at, err);
}

static carom_status add_plain(loader *l, const carom_value *at, double x, double y, double angle,
                              carom_error *err)
{
    carom_tower_body body = {
        .width = l->width, .height = l->height, .x = x, .y = y, .angle = angle
    };
    // A plain brick weighs 1, whatever its size: the unit of mass of the scene.
    body.mass = 1;
    return add_body(l, at, &body, err);
}

// -- bodies -------------------------------------------------------------------------------------

static carom_status read_body_object(loader *l, carom_value *value, carom_error *err)
{
    brick_entry b;
    double corners[2 * CAROM_TOWER_CORNERS_MAX];
    carom_value polygon;
    TRY(carom_field_read(value, &brick_table, &b, err));
    carom_tower_body body = { .x = b.x, .y = b.y, .angle = b.angle, .fixed = b.fixed };
    body.width = b.width == 0 ? l->width : b.width;
    body.height = b.height == 0 ? l->height : b.height;
    double area = body.width * body.height;
    if (carom_value_member(value, "polygon", &polygon)) {
        TRY(read_corners(&polygon, corners, &body.corner_count, err));
        body.corners = corners;
        area = 0;
        for (int v = 0; v < body.corner_count; ++v) {
            const double *p = corners + 2 * v, *q = corners + 2 * ((v + 1) % body.corner_count);
            area += (p[0] * q[1] - p[1] * q[0]) / 2;
        }
    }
    if (b.mass == 0)
        return carom_value_fail_key(value, "mass", err, "use a mass above 0, or \"fixed\": true",
                                    "the mass is 0");
    body.mass = b.mass == -1 ? fabs(area) / (l->width * l->height) : b.mass;
    return add_body(l, value, &body, err);
}

static carom_status check_count(const carom_value *list, size_t count, carom_error *err)
{
    if (count > CAROM_TOWER_BODIES_MAX)
        return carom_value_fail(list, err, "a tower may have at most 20000 bodies; split the scene",
                                "%zu bricks are given", count);
    return CAROM_OK;
}

static carom_status read_bricks(loader *l, const carom_value *root, carom_error *err)
{
    carom_value list, item;
    carom_numbers n;
    if (!carom_value_member(root, "bricks", &list))
        return CAROM_OK;
    TRY(carom_value_array(&list, err));
    TRY(check_count(&list, carom_value_count(&list), err));
    for (size_t b = 0; carom_value_item(&list, b, &item); ++b) {
        item.noun = "brick";
        if (carom_value_is_object(&item)) {
            TRY(read_body_object(l, &item, err));
            continue;
        }
        TRY(read_numbers(&item, 2, 3, &n, err));
        TRY(add_plain(l, &item, n.values[0], n.values[1], n.count > 2 ? n.values[2] : 0, err));
    }
    return CAROM_OK;
}

static carom_status read_rows(loader *l, const carom_value *root, carom_error *err)
{
    carom_value list, row;
    carom_numbers n;
    if (!carom_value_member(root, "rows", &list))
        return CAROM_OK;
    TRY(carom_value_array(&list, err));
    for (size_t r = 0; carom_value_item(&list, r, &row); ++r) {
        TRY(carom_value_numbers(&row, 0, &n, err));
        TRY(check_count(&row, (size_t)n.count, err));
        for (int k = 0; k < n.count; ++k)
            TRY(add_plain(l, &row, n.values[k], l->height * ((double)r + 0.5), 0, err));
    }
    return CAROM_OK;
}

static carom_status read_points(loader *l, const carom_value *root, carom_error *err)
{
    carom_value list, item;
    if (!carom_value_member(root, "points", &list))
        return CAROM_OK;
    TRY(carom_value_array(&list, err));
    TRY(check_count(&list, carom_value_count(&list), err));
    for (size_t k = 0; carom_value_item(&list, k, &item); ++k) {
        point_entry p;
        TRY(carom_field_read(&item, &point_table, &p, err));
        if (carom_tower_add_point(l->tower, p.x, p.y, p.mass, 0, err) != CAROM_OK)
            return carom_value_place(&item, err);
    }
    return CAROM_OK;
}

// -- supports -----------------------------------------------------------------------------------

static carom_status read_table(loader *l, carom_value *value, carom_error *err)
{
    table_entry t;
    TRY(carom_field_read(value, &table_table, &t, err));
    double left = t.left <= -1e9 ? -HUGE_VAL : t.left, right = t.right >= 1e9 ? HUGE_VAL : t.right;
    return carom_tower_add_table(l->tower, left, right, t.top, err) == CAROM_OK
               ? CAROM_OK
               : carom_value_place(value, err);
}

static carom_status read_wall(loader *l, carom_value *value, carom_error *err)
{
    wall_entry w;
    TRY(carom_field_read(value, &wall_table, &w, err));
    const double at[2] = { w.x, 0 }, normal[2] = { w.side == 0 ? 1 : -1, 0 };
    return carom_tower_add_ground(l->tower, at, normal, err) == CAROM_OK
               ? CAROM_OK
               : carom_value_place(value, err);
}

static carom_status read_support(loader *l, carom_value *item, carom_error *err)
{
    carom_value value;
    double height;
    TRY(carom_value_object(item, err));
    if (carom_value_member(item, "ground", &value)) {
        TRY(carom_value_number(&value, 0, &height, err));
        if (carom_tower_add_ground(l->tower, (double[]){ 0, height }, (double[]){ 0, 1 }, err) !=
            CAROM_OK)
            return carom_value_place(&value, err);
        return CAROM_OK;
    }
    if (carom_value_member(item, "table", &value))
        return read_table(l, &value, err);
    if (carom_value_member(item, "wall", &value))
        return read_wall(l, &value, err);
    if (carom_value_member(item, "polygon", &value))
        return CAROM_OK; // a fixed body, read with the bodies
    return carom_value_fail(item, err, "use \"ground\", \"table\", \"wall\" or \"polygon\"",
                            "this support is of no known kind");
}

// Fixed polygons are bodies and must come before anything that is tied to the world.
static carom_status read_supports(loader *l, const carom_value *root, bool polygons,
                                  carom_error *err)
{
    carom_value list, item, value;
    if (!carom_value_member(root, "supports", &list))
        return CAROM_OK;
    TRY(carom_value_array(&list, err));
    for (size_t k = 0; carom_value_item(&list, k, &item); ++k) {
        item.noun = "support";
        bool polygon = carom_value_member(&item, "polygon", &value);
        if (!polygons)
            TRY(read_support(l, &item, err));
        else if (polygon) {
            double corners[2 * CAROM_TOWER_CORNERS_MAX];
            carom_tower_body body = { .corners = corners, .fixed = true };
            TRY(read_corners(&value, corners, &body.corner_count, err));
            TRY(add_body(l, &value, &body, err));
        }
    }
    return CAROM_OK;
}

// -- ties ---------------------------------------------------------------------------------------

static carom_status read_pair(const carom_value *object, const char *key, carom_numbers *out,
                              carom_error *err)
{
    carom_value value;
    carom_value_member(object, key, &value);
    return read_numbers(&value, 2, 2, out, err);
}

static carom_status read_ties(loader *l, const carom_value *root, bool pins, carom_error *err)
{
    carom_value list, item;
    carom_numbers from, to;
    tie_entry t;
    if (!carom_value_member(root, pins ? "pins" : "bars", &list))
        return CAROM_OK;
    TRY(carom_value_array(&list, err));
    for (size_t k = 0; carom_value_item(&list, k, &item); ++k) {
        carom_status status;
        TRY(carom_field_read(&item, pins ? &pin_table : &bar_table, &t, err));
        int a = t.a < -1 || t.a > 1000000 ? -2 : (int)t.a,
            b = t.b < -1 || t.b > 1000000 ? -2 : (int)t.b;
        TRY(read_pair(&item, pins ? "at" : "from", &from, err));
        if (pins)
            status = carom_tower_add_pin(l->tower, a, b, from.values[0], from.values[1], err);
        else {
            TRY(read_pair(&item, "to", &to, err));
            status = carom_tower_add_bar(l->tower, a, from.values, b, to.values, err);
        }
        if (status != CAROM_OK)
            return carom_value_place(&item, err);
    }
    return CAROM_OK;
}

// -- the file -----------------------------------------------------------------------------------

static carom_status read_brick_size(loader *l, const carom_value *root, carom_error *err)
{
    carom_value value;
    carom_numbers size;
    l->width = 1;
    l->height = 0.25;
    if (!carom_value_member(root, "brick", &value))
        return CAROM_OK;
    TRY(read_numbers(&value, 2, 2, &size, err));
    l->width = size.values[0];
    l->height = size.values[1];
    if (!(l->width >= 1e-6 && l->height >= 1e-6 && l->width <= 1e6 && l->height <= 1e6))
        return carom_value_fail(&value, err, "use a width and a height from 1e-6 to 1e6",
                                "a brick is %g x %g", l->width, l->height);
    return CAROM_OK;
}

static carom_status read_tower(loader *l, carom_value *root, carom_error *err)
{
    int kind;
    TRY(carom_reader_kind(root, "tower", &kind, err));
    TRY(carom_field_read(root, &scene_table, &l->scene, err));
    TRY(read_brick_size(l, root, err));
    l->tower = carom_tower_create(l->scene.gravity);
    if (!l->tower)
        return carom_error_no_memory(err, "a tower");
    if (l->scene.gravity > 0 && l->scene.gravity < 1e-9)
        return carom_value_fail_key(root, "gravity", err, "use 0, or a number from 1e-9 to 1e6",
                                    "gravity is %g", l->scene.gravity);
    TRY(carom_tower_set_friction(l->tower, l->scene.friction, err));
    TRY(read_bricks(l, root, err));
    TRY(read_rows(l, root, err));
    TRY(read_points(l, root, err));
    TRY(read_supports(l, root, true, err));
    if (carom_tower_bodies(l->tower) == 0)
        return carom_value_fail(root, err, "give \"bricks\" or \"rows\"",
                                "the tower has no bricks");
    TRY(read_supports(l, root, false, err));
    TRY(read_ties(l, root, true, err));
    TRY(read_ties(l, root, false, err));
    if (carom_tower_check_overlap(l->tower, l->scene.overlap, err) != CAROM_OK)
        return carom_value_place(root, err);
    return CAROM_OK;
}

static carom_status load(carom_reader *reader, carom_tower **out, carom_error *err)
{
    loader l = { 0 };
    carom_value root = carom_reader_root(reader);
    carom_status status = read_tower(&l, &root, err);
    carom_reader_close(reader);
    if (status != CAROM_OK)
        carom_tower_destroy(l.tower);
    else
        *out = l.tower;
    return status;
}

carom_status carom_tower_file_load(const char *path, carom_tower **out, carom_error *err)
{
    NEED(err, path, out);
    carom_reader *reader;
    *out = 0;
    TRY(carom_reader_open(path, &reader, err));
    return load(reader, out, err);
}

carom_status carom_tower_file_parse(const char *name, const char *text, size_t size,
                                    carom_tower **out, carom_error *err)
{
    carom_reader *reader;
    *out = 0;
    TRY(carom_reader_parse(name, text, size, &reader, err));
    return load(reader, out, err);
}

static carom_status describe(const carom_reader *reader, char *out, size_t size, carom_error *err)
{
    size_t length;
    const char *text = carom_reader_text(reader, &length);
    carom_tower *tower = NULL;
    TRY(carom_tower_file_parse(carom_reader_name(reader), text, length, &tower, err));
    snprintf(out, size, "%d %s", carom_tower_bodies(tower),
             carom_text_noun(carom_tower_bodies(tower), "body", "bodies"));
    carom_tower_destroy(tower);
    return CAROM_OK;
}

const carom_scene_kind_file carom_tower_file_kind = { "tower", &scene_table, describe };
