// One body per line, one number per column. A heading counts up to its underscore (x_m is x);
// columns of other names are passed over. Fields are parted by commas, semicolons or tabulators and
// may stand in quotes. Of several steps (column `step`, as `carom export` writes it) the last
// counts. In a NumPy archive columns are arrays, or position, rotation, velocity and spin hold
// several of them, as `carom export` writes them too.
#include "import/table.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/cursor.h"
#include "parse/npz_columns.h"

#define COLUMN_LIST(X)                                                                             \
    X(x)                                                                                           \
    X(y)                                                                                           \
    X(z)                                                                                           \
    X(qw)                                                                                          \
    X(qx)                                                                                          \
    X(qy)                                                                                          \
    X(qz)                                                                                          \
    X(vx) X(vy) X(vz) X(wx) X(wy) X(wz) X(radius) X(diameter) X(sx) X(sy) X(sz) X(mass) X(density) \
        X(fixed) X(step)

enum {
#define VALUE(name) COLUMN_##name,
    COLUMN_LIST(VALUE)
#undef VALUE
        COLUMN_name,
    COLUMN_colour,
    COLUMNS
};

static const char *const column_names[COLUMNS] = {
#define NAME(name) #name,
    COLUMN_LIST(NAME)
#undef NAME
        "name",
    "colour",
};

enum { FIELDS = 64, TEXT = 100 };

static const char FIX[] =
    "write headings (x, y, z, radius or sx, sy, sz, ...), then one body a line";

typedef struct table {
    carom_cursor c;
    carom_draft *draft;
    int column[FIELDS]; // of each field of a line; -1: passed over
    int fields, material;
    bool has[COLUMNS];
    double last_step;
} table;

// One line's values.
typedef struct row {
    double number[COLUMNS];
    char name[TEXT], colour[TEXT];
} row;

// The next field of the line, without quotes and the blanks around it; false at the line's end.
static bool next_field(carom_cursor *c, char out[TEXT])
{
    size_t length = 0;
    bool quoted = false;
    for (; c->at < c->end && (quoted || !strchr(",;\t\r\n", *c->at)); ++c->at) {
        quoted = quoted != (*c->at == '"');
        if (*c->at != '"' && length + 1 < TEXT && !(length == 0 && *c->at == ' '))
            out[length++] = (char)*c->at;
    }
    while (length > 0 && out[length - 1] == ' ')
        --length;
    out[length] = 0;
    bool more = c->at < c->end && strchr(",;\t", *c->at);
    c->at += more;
    return more;
}

static bool skip_blank_lines(carom_cursor *c)
{
    while (c->at < c->end && strchr("\r\n", *c->at))
        ++c->at;
    return c->at < c->end;
}

static carom_status read_headings(table *t, carom_error *err)
{
    if (t->c.end - t->c.at >= 3 && memcmp(t->c.at, "\xef\xbb\xbf", 3) == 0)
        t->c.at += 3; // what some spreadsheets begin with
    skip_blank_lines(&t->c);
    for (bool more = true; more;) {
        char words[TEXT];
        more = next_field(&t->c, words);
        words[strcspn(words, "_ (")] = 0;
        int found = -1;
        for (int k = 0; k < COLUMNS; ++k)
            if (strcmp(words, column_names[k]) == 0)
                found = k;
        if (t->fields == FIELDS)
            return carom_cursor_damaged(&t->c, err, "the table has more than %d columns", FIELDS);
        if (found >= 0 && t->has[found])
            return carom_cursor_damaged(&t->c, err, "the column %s stands in the table twice",
                                        column_names[found]);
        t->column[t->fields++] = found;
        if (found >= 0)
            t->has[found] = true;
    }
    return CAROM_OK;
}

static carom_status check_headings(const table *t, carom_error *err)
{
    static const int sets[][4] = { { COLUMN_x, COLUMN_y, COLUMN_z, -1 },
                                   { COLUMN_qw, COLUMN_qx, COLUMN_qy, COLUMN_qz },
                                   { COLUMN_sx, COLUMN_sy, COLUMN_sz, -1 } };
    for (int i = 0; i < 3; ++i) {
        int some = 0, missing = -1;
        for (int k = 0; k < 4 && sets[i][k] >= 0; ++k) {
            some += t->has[sets[i][k]];
            missing = t->has[sets[i][k]] ? missing : sets[i][k];
        }
        if (missing >= 0 && (i == 0 || some > 0))
            return carom_cursor_damaged(&t->c, err, "there is no column %s", column_names[missing]);
    }
    int sizes = t->has[COLUMN_radius] + t->has[COLUMN_diameter] + t->has[COLUMN_sx];
    if (sizes != 1)
        return carom_cursor_damaged(&t->c, err,
                                    sizes ? "radius, diameter and sx, sy, sz: one of them counts"
                                          : "no column says how large the bodies are");
    return CAROM_OK;
}

static carom_status read_row(table *t, row *r, carom_error *err)
{
    memset(r, 0, sizeof *r);
    bool more = true;
    for (int i = 0; i < t->fields; ++i) {
        char words[TEXT], *end;
        if (!more)
            return carom_cursor_damaged(&t->c, err, "the line has %d fields, not %d", i, t->fields);
        more = next_field(&t->c, words);
        int column = t->column[i];
        if (column == COLUMN_name)
            snprintf(r->name, TEXT, "%s", words);
        else if (column == COLUMN_colour)
            snprintf(r->colour, TEXT, "%s", words);
        if (column < 0 || column >= COLUMN_name)
            continue;
        double value = r->number[column] = strtod(words, &end);
        if (!*words || *end || !(fabs(value) <= 1e12))
            return carom_cursor_damaged(&t->c, err, "%s is \"%.40s\"", column_names[column], words);
    }
    return more ? carom_cursor_damaged(&t->c, err, "the line has more than %d fields", t->fields)
                : CAROM_OK;
}

static carom_status add_shape(table *t, const row *r, int *shape, carom_error *err)
{
    const double *v = r->number;
    double radius = t->has[COLUMN_diameter] ? 0.5 * v[COLUMN_diameter] : v[COLUMN_radius];
    bool box = t->has[COLUMN_sx];
    if (box ? !(v[COLUMN_sx] > 0 && v[COLUMN_sy] > 0 && v[COLUMN_sz] > 0) : !(radius > 0))
        return carom_cursor_damaged(&t->c, err, "a body without a size");
    if (box)
        return carom_draft_shape_add(t->draft, CAROM_DRAFT_BOX, v + COLUMN_sx, NULL, shape, err);
    return carom_draft_shape_add(t->draft, CAROM_DRAFT_SPHERE, (double[3]){ radius }, NULL, shape,
                                 err);
}

static carom_status read_colour(const table *t, const char *words, int *out, carom_error *err)
{
    char *end;
    *out = -1;
    if (!*words)
        return CAROM_OK;
    unsigned long colour = *words == '#' ? strtoul(words + 1, &end, 16) : 0;
    if (*words != '#' || strlen(words) != 7 || *end)
        return carom_cursor_damaged(&t->c, err, "\"%.20s\" is no colour \"#rrggbb\"", words);
    *out = (int)colour;
    return CAROM_OK;
}

static carom_status add_body(table *t, const row *r, carom_error *err)
{
    const double *v = r->number;
    int shape, at, colour;
    TRY(add_shape(t, r, &shape, err));
    TRY(read_colour(t, r->colour, &colour, err));
    quat turn = t->has[COLUMN_qw] ? (quat){ v[COLUMN_qw], v[COLUMN_qx], v[COLUMN_qy], v[COLUMN_qz] }
                                  : quat_identity();
    double square = turn.w * turn.w + turn.x * turn.x + turn.y * turn.y + turn.z * turn.z;
    if (!(square > 0.99 && square < 1.01))
        return carom_cursor_damaged(&t->c, err, "the rotation has the length %g", sqrt(square));
    for (int k = COLUMN_mass; k <= COLUMN_density; ++k)
        if (t->has[k] && !(v[k] > 0) && v[COLUMN_fixed] == 0)
            return carom_cursor_damaged(&t->c, err, "the %s is %g", column_names[k], v[k]);
    TRY(carom_draft_body_add(t->draft, *r->name ? r->name : NULL, &at, err));
    TRY(carom_draft_part_add(t->draft, at, shape, vec3_make(0, 0, 0), quat_identity(), err));
    carom_draft_body *body = &t->draft->bodies[at];
    body->position = vec3_from(v + COLUMN_x);
    body->rotation = quat_unit(turn);
    body->material = t->material;
    body->colour = colour;
    if (v[COLUMN_fixed] != 0) {
        body->kind = CAROM_DRAFT_FIXED;
        return CAROM_OK;
    }
    body->velocity = vec3_from(v + COLUMN_vx);
    body->spin = vec3_from(v + COLUMN_wx);
    body->has_mass = t->has[COLUMN_mass];
    body->m.mass = v[COLUMN_mass];
    body->density = t->has[COLUMN_mass] ? 0 : v[COLUMN_density];
    return CAROM_OK;
}

static carom_status read_rows(table *t, bool add, carom_error *err)
{
    row r;
    while (skip_blank_lines(&t->c)) { // ends: every line is passed
        TRY(read_row(t, &r, err));
        double step = r.number[COLUMN_step];
        if (!add)
            t->last_step = step > t->last_step ? step : t->last_step;
        else if (!t->has[COLUMN_step] || step == t->last_step)
            TRY(add_body(t, &r, err));
    }
    return CAROM_OK;
}

static carom_status begin(table *t, carom_error *err)
{
    t->draft->gravity = vec3_make(0, 0, -9.81);
    return carom_draft_material_add(t->draft, 0.5, 0.5, &t->material, err);
}

static carom_status finish(table *t, carom_error *err)
{
    if (t->draft->body_count == 0)
        return carom_cursor_damaged(&t->c, err, "the table holds no bodies");
    return carom_draft_remark(t->draft, err,
                              "surfaces, gravity, floor and walls are not in the table: set them");
}

carom_status carom_table_read(const char *name, const char *bytes, size_t size, carom_draft *draft,
                              carom_error *err)
{
    table t = { .c = carom_cursor_make(name, bytes, size, FIX), .draft = draft };
    t.last_step = -HUGE_VAL;
    TRY(begin(&t, err));
    TRY(read_headings(&t, err));
    TRY(check_headings(&t, err));
    carom_cursor first = t.c;
    if (t.has[COLUMN_step])
        TRY(read_rows(&t, false, err));
    t.c = first;
    TRY(read_rows(&t, true, err));
    return finish(&t, err);
}

// -- NumPy archives -------------------------------------------------------------------------------

static carom_status take_columns(table *t, const carom_npz *npz, carom_npz_columns *c,
                                 carom_error *err)
{
    static const carom_npz_columns_group groups[] = { { "position", COLUMN_x, 3 },
                                                      { "rotation", COLUMN_qw, 4 },
                                                      { "velocity", COLUMN_vx, 3 },
                                                      { "spin", COLUMN_wx, 3 },
                                                      { "size", COLUMN_sx, 3 } };
    _Static_assert(COLUMN_step + 6 <= CAROM_NPZ_COLUMNS_MAX, "columns, groups and kind");
    TRY(carom_npz_columns_read(npz, column_names, COLUMN_step, groups,
                               (int)(sizeof groups / sizeof *groups), c, err));
    for (int i = 0; i < COLUMN_step; ++i)
        t->has[i] = c->at[i] != NULL;
    return CAROM_OK;
}

static carom_status fail_body(const table *t, size_t body, carom_error *err)
{
    return carom_error_where(err, "%s: body %zu", t->c.name, body);
}

// `kind` is what `carom export` writes: 0 moves, all others become fixed. A radius without end is
// that of a plane, whose direction is not in the archive.
static carom_status add_rows(table *t, const carom_npz_columns *c, carom_error *err)
{
    for (size_t r = 0; c->rows != SIZE_MAX && r < c->rows; ++r) {
        row body = { 0 };
        bool plane = false;
        for (int i = 0; i < COLUMN_step; ++i) {
            double value = c->at[i] ? c->at[i][r * c->stride[i]] : 0;
            plane = plane || (i == COLUMN_radius && value == HUGE_VAL);
            if (!plane && !(fabs(value) <= 1e12)) {
                carom_cursor_damaged(&t->c, err, "%s is %g", column_names[i], value);
                return fail_body(t, r, err);
            }
            body.number[i] = value;
        }
        if (c->kind && c->kind[r] != 0)
            body.number[COLUMN_fixed] = 1;
        if (plane)
            TRY(carom_draft_remark(t->draft, err,
                                   "planes are left out: their directions are not in the archive"));
        else if (add_body(t, &body, err) != CAROM_OK)
            return fail_body(t, r, err);
    }
    return CAROM_OK;
}

carom_status carom_table_read_npz(const char *name, const char *bytes, size_t size,
                                  carom_draft *draft, carom_error *err)
{
    static const char fix[] = "save x, y, z, radius or position, size, ... with numpy.savez";
    table t = { .c = carom_cursor_make(name, bytes, 0, fix), .draft = draft };
    carom_npz npz;
    carom_npz_columns c = { 0 };
    TRY(carom_npz_from(name, bytes, size, &npz, err));
    carom_status status = begin(&t, err);
    if (status == CAROM_OK)
        status = take_columns(&t, &npz, &c, err);
    if (status == CAROM_OK)
        status = check_headings(&t, err);
    if (status == CAROM_OK)
        status = add_rows(&t, &c, err);
    carom_npz_columns_free(&c);
    return status == CAROM_OK ? finish(&t, err) : status;
}
