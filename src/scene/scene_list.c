// The generator `list`: bodies one by one from a table of numbers, written in the file or read from
// a CSV or NPZ file, such as `carom export` writes. A table from a file becomes part of the scene's
// text when the scene is read: a trajectory holds it and needs the file no more.
#include "scene/scene_list.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/cursor.h"
#include "base/suggest.h"
#include "base/text.h"
#include "parse/npz_columns.h"
#include "scene/scene_sizes.h"

// What a column may be, in the order of row_values.
#define COLUMN_LIST(X)                                                                             \
    X(x)                                                                                           \
    X(y)                                                                                           \
    X(z)                                                                                           \
    X(qw) X(qx) X(qy) X(qz) X(vx) X(vy) X(vz) X(wx) X(wy) X(wz) X(radius) X(size) X(mass) X(density)

enum {
#define VALUE(name) COLUMN_##name,
    COLUMN_LIST(VALUE)
#undef VALUE
        COLUMNS
};

static const char *const column_names[] = {
#define NAME(name) #name,
    COLUMN_LIST(NAME)
#undef NAME
};

enum { COLUMNS_MAX = 64 };

typedef struct list_values {
    const char *file, *columns;
} list_values;

static const carom_field list_fields[] = {
    { "body", CAROM_FIELD_OBJECT, .required = true, .table = &carom_scene_body_table,
      .doc = "what every row is, but for what its columns say" },
    { "file", CAROM_FIELD_TEXT, offsetof(list_values, file),
      .doc =
          "a CSV file with a line of headings; what follows an underscore in a heading (x_m) and "
          "columns of other names are left out; of several steps (column `step`) the last. Or a "
          "NumPy archive (.npz) with an array per column, or position, velocity, spin (n x 3) and "
          "rotation (n x 4); of several frames (frames x n x 3) the last; where there is `kind`, "
          "only bodies that move (0)" },
    { "columns", CAROM_FIELD_TEXT, offsetof(list_values, columns), .words = "x y z",
      .doc =
          "names of the columns of `rows`: x y z (position, m), qw qx qy qz (rotation), vx vy vz "
          "(m/s), wx wy wz (rad/s), radius (m, of spheres), size (factor), mass (kg), density "
          "(kg/m^3)" },
    { "rows", CAROM_FIELD_OTHER, .words = "list of lists of numbers",
      .schema = "{ \"type\": \"array\", \"items\": { \"type\": \"array\", \"items\": { \"type\": "
                "[\"number\", \"string\"] } } }",
      .doc = "one body each, instead of a file" },
    { 0 },
};
const carom_field_table carom_scene_list_table = { "list",
                                                   "Bodies one by one from a table of numbers.",
                                                   list_fields };

// -- rows ---------------------------------------------------------------------------------------

// Which number each column is; -1: none that counts.
static int find_column(const char *name, size_t length)
{
    for (int i = 0; i < COLUMNS; ++i)
        if (strlen(column_names[i]) == length && strncmp(column_names[i], name, length) == 0)
            return i;
    return -1;
}

static carom_status read_columns(const carom_value *list, const char *words, int *columns,
                                 int *count, carom_error *err)
{
    *count = 0;
    for (const char *at = words + strspn(words, " ,"); *at; at += strspn(at, " ,")) {
        size_t length = strcspn(at, " ,");
        int found = find_column(at, length);
        if (found < 0 || *count == COLUMNS_MAX)
            return carom_value_fail_key(list, "columns", err,
                                        "use x y z qw qx qy qz vx vy vz wx wy wz radius size mass "
                                        "density",
                                        "there is no column \"%.*s\"", (int)(length % 60), at);
        columns[(*count)++] = found;
        at += length;
    }
    return CAROM_OK;
}

static carom_status place_row(carom_scene_task *t, const double v[COLUMNS], const bool *has,
                              const carom_value *row, carom_error *err)
{
    carom_scene_template kind = t->body;
    const carom_shape *shape = t->scene->forms[kind.form].shape;
    double factor = has[COLUMN_size] ? v[COLUMN_size] : 1;
    if (has[COLUMN_radius] && carom_shape_kind_of(shape) != CAROM_SHAPE_SPHERE)
        return carom_value_fail(row, err, "use the column size, a factor", "a %s has no radius",
                                carom_shape_kind_name(carom_shape_kind_of(shape)));
    if (has[COLUMN_radius])
        factor = v[COLUMN_radius] / carom_shape_radius(shape);
    if (!(factor > 0 && factor < 1e12))
        return carom_value_fail(row, err, "use sizes above 0", "the body is %g times as large",
                                factor);
    carom_status sized = carom_scene_sizes_apply(t->scene, factor, &kind, err);
    if (sized != CAROM_OK)
        return sized;
    if (has[COLUMN_mass])
        kind.body.mass = v[COLUMN_mass];
    if (has[COLUMN_density])
        kind.body.density = v[COLUMN_density];
    quat turn = { 1, 0, 0, 0 };
    if (has[COLUMN_qw])
        turn = (quat){ v[COLUMN_qw], v[COLUMN_qx], v[COLUMN_qy], v[COLUMN_qz] };
    double square = turn.w * turn.w + turn.x * turn.x + turn.y * turn.y + turn.z * turn.z;
    if (!(square > 0.99 && square < 1.01))
        return carom_value_fail(row, err, "use unit quaternions qw qx qy qz",
                                "the rotation has the length %g", sqrt(square));
    for (int k = 0; k < 3; ++k) {
        kind.body.velocity[k] = has[COLUMN_vx + k] ? v[COLUMN_vx + k] : kind.body.velocity[k];
        kind.body.spin[k] = has[COLUMN_wx + k] ? v[COLUMN_wx + k] : kind.body.spin[k];
    }
    vec3 at = vec3_make(v[COLUMN_x], v[COLUMN_y], v[COLUMN_z]);
    carom_scene_body_place(t->scene, &kind, vec3_add(t->start, at), quat_unit(turn), t->placed++,
                           t->source);
    return CAROM_OK;
}

static carom_status read_row(carom_scene_task *t, const carom_value *row, const int *columns,
                             int count, carom_error *err)
{
    double v[COLUMNS] = { 0 };
    bool has[COLUMNS] = { 0 };
    if (carom_value_count(row) != (size_t)count)
        return carom_value_fail(row, err, "give one number per column",
                                "the row has %zu numbers for %d columns", carom_value_count(row),
                                count);
    for (int i = 0; i < count; ++i) {
        carom_value item;
        carom_value_item(row, (size_t)i, &item);
        TRY(carom_value_number(&item, NULL, &v[columns[i]], err));
        has[columns[i]] = true;
    }
    return place_row(t, v, has, row, err);
}

carom_status carom_scene_list(carom_scene_task *t, carom_error *err)
{
    list_values given;
    carom_value rows, row;
    int columns[COLUMNS_MAX], count;
    TRY(carom_field_read(t->value, &carom_scene_list_table, &given, err));
    TRY(read_columns(t->value, given.columns, columns, &count, err));
    if (!carom_value_member(t->value, "rows", &rows))
        return carom_value_fail(t->value, err, "add \"file\" or \"rows\"", "the list has no rows");
    TRY(carom_value_array(&rows, err));
    TRY(carom_scene_body_reserve(t->scene, (double)carom_value_count(&rows), t->value, err));
    for (size_t i = 0; carom_value_item(&rows, i, &row); ++i)
        TRY(read_row(t, &row, columns, count, err));
    return CAROM_OK;
}

// -- files --------------------------------------------------------------------------------------

typedef struct table {
    int column[COLUMNS_MAX];  // of each field of a line; -1: left out
    int count, kept, step;    // fields, columns that count, and which field is the step; -1: none
    double last_step;
    carom_text columns, rows;
} table;

static carom_status fail_line(const char *path, int line, const char *what, const char *fix,
                              carom_error *err)
{
    carom_error_set(err, CAROM_BAD_INPUT, "%s", what);
    carom_error_where(err, "%s:%d", path, line);
    return carom_error_fix(err, "%s", fix);
}

// The end of a field; quotes hide commas.
static const char *field_end(const char *at)
{
    bool quoted = false;
    for (; *at && (quoted || !strchr(",;\r\n", *at)); ++at)
        quoted = quoted != (*at == '"');
    return at;
}

static carom_status read_headings(table *t, const char *line, const char *path, carom_error *err)
{
    for (const char *at = line;; ++at) {
        const char *end = field_end(at);
        at += strspn(at, " \"");
        int found = find_column(at, strcspn(at, "_ \",;\r\n"));
        if (t->count == COLUMNS_MAX)
            return fail_line(path, 1, "the table has more than 64 columns", "leave some out", err);
        if (strncmp(at, "step", 4) == 0)
            t->step = t->count;
        t->column[t->count++] = found;
        if (found >= 0)
            carom_text_add(&t->columns, "%s%s", t->kept++ ? " " : "", column_names[found]);
        at = end;
        if (!*at || *at == '\r' || *at == '\n')
            break;
    }
    return t->kept ? CAROM_OK
                   : fail_line(path, 1, "the first line names no column of a list",
                               "write headings: x,y,z,radius", err);
}

static carom_status read_line(table *t, const char *line, const char *path, int number,
                              carom_error *err)
{
    const char *at = line;
    double values[COLUMNS_MAX];
    for (int i = 0; i < t->count; ++i) {
        char *end;
        const char *stop = field_end(at);
        values[i] = strtod(at, &end);
        bool wanted = t->column[i] >= 0 || i == t->step;
        if (wanted && (end == at || end + strspn(end, " ") != stop || !isfinite(values[i])))
            return fail_line(path, number, "a field is no number", "write a number per heading",
                             err);
        if (i + 1 < t->count && !*stop)
            return fail_line(path, number, "the line has fewer fields than headings",
                             "write a field per heading", err);
        if (i + 1 == t->count && *stop)
            return fail_line(path, number, "the line has more fields than headings",
                             "write a field per heading, and decimal points", err);
        at = *stop ? stop + 1 : stop;
    }
    if (t->step >= 0 && values[t->step] > t->last_step) {
        t->last_step = values[t->step];
        t->rows.length = 0; // only the last step counts
    }
    carom_text_add(&t->rows, t->rows.length ? ",[" : "[");
    for (int i = 0, written = 0; i < t->count; ++i)
        if (t->column[i] >= 0) {
            carom_text_add(&t->rows, written++ ? "," : "");
            carom_text_add_number(&t->rows, values[i]);
        }
    carom_text_add(&t->rows, "]");
    return CAROM_OK;
}

static carom_status read_table(const char *path, table *t, carom_error *err)
{
    char *text;
    size_t size;
    TRY(carom_cursor_load(path, &text, &size, err));
    carom_status status = CAROM_OK;
    t->step = -1;
    t->last_step = -HUGE_VAL;
    char *line = text, *end = text + size;
    for (int number = 1; status == CAROM_OK && line < end; ++number) {
        char *next = memchr(line, '\n', (size_t)(end - line));
        next = next ? next + 1 : end;
        line[strcspn(line, "\r\n")] = 0;
        if (number == 1)
            status = read_headings(t, line, path, err);
        else if (*line)
            status = read_line(t, line, path, number, err);
        line = next;
    }
    free(text);
    if (status == CAROM_OK && !t->kept)
        status = fail_line(path, 1, "the file is empty", "write headings: x,y,z,radius", err);
    return status == CAROM_OK ? carom_text_status(&t->rows, err) : status;
}

// -- archives -----------------------------------------------------------------------------------

// The columns that a list knows; fails where there is none.
static carom_status take_columns(const carom_npz *npz, carom_npz_columns *c, carom_error *err)
{
    static const carom_npz_columns_group groups[] = { { "position", COLUMN_x, 3 },
                                                      { "rotation", COLUMN_qw, 4 },
                                                      { "velocity", COLUMN_vx, 3 },
                                                      { "spin", COLUMN_wx, 3 } };
    _Static_assert(COLUMNS + 5 <= CAROM_NPZ_COLUMNS_MAX, "columns, groups and kind");
    TRY(carom_npz_columns_read(npz, column_names, COLUMNS, groups,
                               (int)(sizeof groups / sizeof *groups), c, err));
    for (int i = 0; i < COLUMNS; ++i)
        if (c->at[i])
            return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT, "the archive has no array that a list knows");
    carom_error_where(err, "%s", npz->path);
    return carom_error_fix(err, "use x, y, z, radius, or position (n x 3): see carom check --keys");
}

static carom_status write_rows(const char *path, const carom_npz_columns *a, table *t,
                               carom_error *err)
{
    for (int i = 0; i < COLUMNS; ++i)
        if (a->at[i])
            carom_text_add(&t->columns, "%s%s", t->kept++ ? " " : "", column_names[i]);
    for (size_t r = 0; r < a->rows; ++r) {
        int written = 0;
        if (a->kind && a->kind[r] != 0)
            continue;
        carom_text_add(&t->rows, t->rows.length ? ",[" : "[");
        for (int i = 0; i < COLUMNS; ++i) {
            double value = a->at[i] ? a->at[i][r * a->stride[i]] : 0;
            if (!isfinite(value)) {
                carom_error_set(err, CAROM_BAD_INPUT, "%s of row %zu is no number", column_names[i],
                                r);
                carom_error_where(err, "%s", path);
                return carom_error_fix(err, "leave out bodies without an end, or give numbers");
            }
            if (a->at[i]) {
                carom_text_add(&t->rows, written++ ? "," : "");
                carom_text_add_number(&t->rows, value);
            }
        }
        carom_text_add(&t->rows, "]");
    }
    return carom_text_status(&t->rows, err);
}

static carom_status read_archive(const char *path, table *t, carom_error *err)
{
    carom_npz npz;
    carom_npz_columns columns = { 0 };
    TRY(carom_npz_open(path, &npz, err));
    carom_status status = take_columns(&npz, &columns, err);
    if (status == CAROM_OK)
        status = write_rows(path, &columns, t, err);
    carom_npz_columns_free(&columns);
    carom_npz_close(&npz);
    return status;
}

static bool is_archive(const char *path)
{
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".npz") == 0;
}

// -- into the text ------------------------------------------------------------------------------

static carom_status set_table(carom_scene_text *text, size_t entry, const table *t,
                              carom_error *err)
{
    carom_text setting = { 0 };
    carom_text_add(&setting, "generators.%zu.list.columns=%s", entry, t->columns.bytes);
    carom_status status = carom_text_status(&setting, err);
    if (status == CAROM_OK)
        status = carom_scene_text_set(text, setting.bytes, err);
    setting.length = 0;
    carom_text_add(&setting, "generators.%zu.list.rows=[", entry);
    carom_text_add_bytes(&setting, t->rows.bytes, t->rows.length);
    carom_text_add(&setting, "]");
    if (status == CAROM_OK)
        status = carom_text_status(&setting, err);
    if (status == CAROM_OK)
        status = carom_scene_text_set(text, setting.bytes, err);
    carom_text_free(&setting);
    return status;
}

static carom_status embed_one(carom_scene_text *text, size_t entry, const carom_value *file,
                              const char *folder, carom_error *err)
{
    const char *name;
    char path[4096];
    table t = { 0 };
    TRY(carom_value_text(file, &name, err));
    snprintf(path, sizeof path, "%s%s", *name == '/' || !folder ? "" : folder, name);
    carom_status status = (is_archive(path) ? read_archive : read_table)(path, &t, err);
    if (status == CAROM_OK)
        status = carom_text_status(&t.columns, err);
    if (status == CAROM_OK)
        status = set_table(text, entry, &t, err);
    carom_text_free(&t.columns);
    carom_text_free(&t.rows);
    return status;
}

// The file of a list that has no rows yet.
static bool names_file(const carom_value *item, carom_value *list, carom_value *file)
{
    return carom_value_member(item, "list", list) && carom_value_is_object(list) &&
           carom_value_member(list, "file", file) && !carom_value_member(list, "rows", NULL);
}

carom_status carom_scene_list_embed(carom_reader **reader, const char *folder, carom_error *err)
{
    carom_value root = carom_reader_root(*reader), all, item, list, file;
    carom_scene_text *text = NULL;
    carom_status status = CAROM_OK;
    if (!carom_value_member(&root, "generators", &all) || !carom_value_is_array(&all))
        return CAROM_OK;
    for (size_t i = 0; status == CAROM_OK && carom_value_item(&all, i, &item); ++i) {
        size_t size;
        const char *bytes = carom_reader_text(*reader, &size);
        if (!names_file(&item, &list, &file))
            continue;
        if (!text)
            status = carom_scene_text_parse(carom_reader_path(*reader), bytes, size, &text, err);
        if (status == CAROM_OK)
            status = embed_one(text, i, &file, folder, err);
    }
    if (status == CAROM_OK && text) {
        size_t size;
        const char *bytes = carom_scene_text_bytes(text, &size);
        carom_reader *fresh = NULL;
        status = carom_reader_parse(carom_reader_path(*reader), bytes, size, &fresh, err);
        if (status == CAROM_OK) {
            carom_reader_close(*reader);
            *reader = fresh;
        }
    }
    carom_scene_text_close(text);
    return status;
}
