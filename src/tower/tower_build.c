// Named towers, as scene text and as towers.
//
// The text comes first and the tower is what its numbers say, so that a written file and a built
// tower are the same. diamond:n has rows 1, 2, .. n .. 2, 1 (Paterson and Zwick; stable up to n =
// 4), triangle:n rows 1 .. n, parabolic:d one brick and slabs of 2r - 3 rows r, r-1, .., r for r =
// 2 .. d, harmonic:n,eps the i-th brick from the top (1 + eps)/(2 i) beyond the next,
// wall:rows,cols a running bond, single:d one brick that reaches d over a table's edge.
#include "tower/tower_internal.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct plan {
    int count, capacity;
    double *place; // x, y of each brick
    bool table;    // at x <= 0, y = 0; else ground
} plan;

enum { NUMBERS_MAX = 2 };
typedef struct spec {
    char name[16];
    int count;
    double number[NUMBERS_MAX];
} spec;

static carom_status bad_spec(const char *text, carom_error *err)
{
    carom_error_set(err, CAROM_BAD_INPUT, "\"%.40s\" names no tower", text);
    return carom_error_fix(err,
                           "use diamond:n, triangle:n, harmonic:n,eps, parabolic:d, wall:rows,cols "
                           "or single:d");
}

static carom_status parse_spec(const char *text, spec *s, carom_error *err)
{
    const char *colon = strchr(text, ':');
    if (!colon || colon == text || (size_t)(colon - text) >= sizeof s->name)
        return bad_spec(text, err);
    memcpy(s->name, text, (size_t)(colon - text));
    s->name[colon - text] = 0;
    const char *at = colon + 1;
    for (s->count = 0; s->count < NUMBERS_MAX; ++s->count) {
        char *end;
        s->number[s->count] = strtod(at, &end);
        if (end == at || !isfinite(s->number[s->count]))
            return bad_spec(text, err);
        at = end;
        if (*at != ',') {
            ++s->count;
            break;
        }
        ++at;
    }
    return *at ? bad_spec(text, err) : CAROM_OK;
}

static carom_status put(plan *p, double x, double y, carom_error *err)
{
    if (p->count == CAROM_TOWER_BODIES_MAX) {
        carom_error_set(err, CAROM_UNSUPPORTED, "this tower has more than %d bricks",
                        CAROM_TOWER_BODIES_MAX);
        return carom_error_fix(err, "ask for a smaller one");
    }
    if (p->count == p->capacity) {
        int wider = p->capacity ? 2 * p->capacity : 64;
        double *place = realloc(p->place, 2 * (size_t)wider * sizeof *place);
        if (!place)
            return carom_error_no_memory(err, "%d bricks", wider);
        p->place = place;
        p->capacity = wider;
    }
    p->place[2 * p->count] = x;
    p->place[2 * p->count + 1] = y;
    ++p->count;
    return CAROM_OK;
}

// A row of `count` touching bricks centred at x = 0, the row-th from below.
static carom_status put_row(plan *p, int row, int count, carom_error *err)
{
    for (int k = 0; k < count; ++k)
        TRY(put(p, k - (count - 1) / 2.0, 0.125 + 0.25 * row, err));
    return CAROM_OK;
}

static carom_status plan_diamond(plan *p, int n, carom_error *err)
{
    for (int row = 0; row < 2 * n - 1; ++row)
        TRY(put_row(p, row, row < n ? row + 1 : 2 * n - 1 - row, err));
    return CAROM_OK;
}

static carom_status plan_triangle(plan *p, int n, carom_error *err)
{
    for (int row = 0; row < n; ++row)
        TRY(put_row(p, row, row + 1, err));
    return CAROM_OK;
}

static carom_status plan_parabolic(plan *p, int d, carom_error *err)
{
    int row = 0;
    TRY(put_row(p, row++, 1, err));
    for (int r = 2; r <= d; ++r)
        for (int k = 0; k < 2 * r - 3; ++k)
            TRY(put_row(p, row++, k % 2 ? r - 1 : r, err));
    return CAROM_OK;
}

// From the bottom up: the brick on the table is the n-th from the top and reaches (1+eps)/(2n) over
// it.
static carom_status plan_harmonic(plan *p, int n, double eps, carom_error *err)
{
    double reach = 0;
    p->table = true;
    for (int i = n; i >= 1; --i) {
        reach += (1 + eps) / (2.0 * i);
        TRY(put(p, reach - 0.5, 0.125 + 0.25 * (n - i), err));
    }
    return CAROM_OK;
}

static carom_status plan_wall(plan *p, int rows, int columns, carom_error *err)
{
    for (int row = 0; row < rows; ++row)
        TRY(put_row(p, row, columns - row % 2, err));
    return CAROM_OK;
}

static carom_status check_numbers(const spec *s, int wanted, double max, const char *text,
                                  carom_error *err)
{
    if (s->count != wanted)
        return bad_spec(text, err);
    if (!(s->number[0] >= 1 && s->number[0] <= max && s->number[0] == floor(s->number[0]))) {
        carom_error_set(err, CAROM_BAD_INPUT, "%s:%.17g is not a whole number from 1 to %g",
                        s->name, s->number[0], max);
        return carom_error_fix(err, "towers may have at most %d bricks", CAROM_TOWER_BODIES_MAX);
    }
    return CAROM_OK;
}

static carom_status make_plan(const char *text, plan *p, carom_error *err)
{
    spec s;
    TRY(parse_spec(text, &s, err));
    int n = fabs(s.number[0]) < 1e6 ? (int)s.number[0] : 0;
    if (!strcmp(s.name, "diamond")) {
        TRY(check_numbers(&s, 1, 141, text, err));
        return plan_diamond(p, n, err);
    }
    if (!strcmp(s.name, "triangle")) {
        TRY(check_numbers(&s, 1, 199, text, err));
        return plan_triangle(p, n, err);
    }
    if (!strcmp(s.name, "parabolic")) {
        TRY(check_numbers(&s, 1, 31, text, err));
        return plan_parabolic(p, n, err);
    }
    if (!strcmp(s.name, "harmonic")) {
        TRY(check_numbers(&s, 2, 10000, text, err));
        if (!(fabs(s.number[1]) < 1))
            return bad_spec(text, err);
        return plan_harmonic(p, n, s.number[1], err);
    }
    if (!strcmp(s.name, "wall")) {
        TRY(check_numbers(&s, 2, 20000, text, err));
        if (!(s.number[1] >= 1 && s.number[1] <= 20000 && s.number[1] == floor(s.number[1])))
            return bad_spec(text, err);
        return plan_wall(p, n, (int)s.number[1], err);
    }
    if (!strcmp(s.name, "single") && s.count == 1 && fabs(s.number[0]) <= 1000) {
        p->table = true;
        return put(p, s.number[0] - 0.5, 0.125, err);
    }
    return bad_spec(text, err);
}

carom_status carom_tower_build(const char *text, carom_tower **out, carom_error *err)
{
    NEED(err, text, out);
    plan p = { 0 };
    *out = NULL;
    carom_status status = make_plan(text, &p, err);
    carom_tower *t = status == CAROM_OK ? carom_tower_create(1) : NULL;
    if (status == CAROM_OK && !t)
        status = carom_error_no_memory(err, "a tower");
    for (int b = 0; status == CAROM_OK && b < p.count; ++b) {
        carom_tower_body brick = { .width = 1, .height = 0.25 };
        brick.x = p.place[2 * b];
        brick.y = p.place[2 * b + 1];
        status = carom_tower_add_body(t, &brick, NULL, err);
    }
    if (status == CAROM_OK)
        status = p.table ? carom_tower_add_table(t, -HUGE_VAL, 0, 0, err)
                         : carom_tower_add_ground(t, (double[]){ 0, 0 }, (double[]){ 0, 1 }, err);
    free(p.place);
    if (status != CAROM_OK)
        carom_tower_destroy(t);
    else
        *out = t;
    return status;
}

// -- text ---------------------------------------------------------------------------------------

typedef struct writer {
    char *text;
    size_t used, capacity;
    bool failed;
} writer;

static void say(writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(writer *w, const char *format, ...)
{
    char piece[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof piece)
        w->failed = true;
    if (w->failed)
        return;
    if (w->used + (size_t)length + 1 > w->capacity) {
        size_t wider = 2 * (w->capacity + (size_t)length + 1);
        char *text = realloc(w->text, wider);
        if (!text) {
            w->failed = true;
            return;
        }
        w->text = text;
        w->capacity = wider;
    }
    memcpy(w->text + w->used, piece, (size_t)length + 1);
    w->used += (size_t)length;
}

carom_status carom_tower_build_text(const char *text, char **out, carom_error *err)
{
    NEED(err, text, out);
    plan p = { 0 };
    writer w = { 0 };
    *out = NULL;
    carom_status status = make_plan(text, &p, err);
    if (status == CAROM_OK) {
        say(&w, "{ \"carom\": 1, \"kind\": \"tower\", \"name\": \"%s\",\n", text);
        say(&w,
            "  \"brick\": [1, 0.25], \"gravity\": 1,\n  \"supports\": [ %s ],\n  \"bricks\": [\n",
            p.table ? "{ \"table\": { \"right\": 0, \"top\": 0 } }" : "{ \"ground\": 0 }");
        for (int b = 0; b < p.count; ++b)
            say(&w, "    [%.17g, %.17g]%s\n", p.place[2 * b], p.place[2 * b + 1],
                b + 1 < p.count ? "," : "");
        say(&w, "  ] }\n");
        if (w.failed)
            status = carom_error_no_memory(err, "the text of %d bricks", p.count);
    }
    free(p.place);
    if (status != CAROM_OK)
        free(w.text);
    else
        *out = w.text;
    return status;
}
