// Files of kind "bounce-kernel": bare scalar problems, w and the modes of each contact.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "carom/bounce.h"
#include "carom/text.h"
#include "scene/field.h"
#include "scene/reader.h"
#include "scene/scene_kind.h"

struct carom_bounce_file {
    carom_reader *reader;
    carom_bounce_case *cases;
    int count;
    carom_bounce_options options;
};

typedef struct case_item {
    double w;
    carom_numbers a, omega;
} case_item;

static const carom_field case_fields[] = {
    { "w", CAROM_FIELD_NUMBER, offsetof(case_item, w), .required = true,
      .range = { .min = 0,
                 .max = HUGE_VAL,
                 .above = true,
                 .unit = "1/kg",
                 .fix = "the response of a rigid body is above 0: 1/mass + (X x N).I^-1 (X x N)" },
      .doc = "response of the rigid body along the normal" },
    { "a", CAROM_FIELD_NUMBERS, offsetof(case_item, a), .range = { .unit = "1/sqrt(kg)" },
      .doc = "participation of each mode; without modes, or where all are 0, epsilon is 0" },
    { "omega", CAROM_FIELD_NUMBERS, offsetof(case_item, omega),
      .range = { .min = 0,
                 .max = HUGE_VAL,
                 .above = true,
                 .unit = "rad/s",
                 .fix = "leave out the rigid modes: a frequency is above 0" },
      .doc = "angular frequency of each mode" },
    { 0 },
};
static const carom_field_table case_table = { "case", "One contact as the modes see it.",
                                              case_fields };

typedef struct root_item {
    int64_t carom, budget;
    const char *kind, *title;
    int solver;
    double turn, damping;
} root_item;

#define SOLVER_WORDS "production literal event"

static const carom_field root_fields[] = {
    { "carom", CAROM_FIELD_INT64, offsetof(root_item, carom), .required = true,
      .range = { .min = 1, .max = 1 }, .doc = "version of the format" },
    { "kind", CAROM_FIELD_TEXT, offsetof(root_item, kind), .required = true,
      .doc = "\"bounce-kernel\"" },
    { "title", CAROM_FIELD_TEXT, offsetof(root_item, title), .doc = "in a few words" },
    { "cases", CAROM_FIELD_LIST, 0, .required = true, .table = &case_table, .doc = "the contacts" },
    { "solver", CAROM_FIELD_CHOICE, offsetof(root_item, solver), .words = SOLVER_WORDS,
      .doc = "production kernel, the paper's scheme, or the exact event-driven judge" },
    { "turn", CAROM_FIELD_NUMBER, offsetof(root_item, turn), .shown = "by solver",
      .range = { .min = 0, .max = 1, .above = true, .unit = "rad" },
      .doc = "largest omega dt of a step: 0.29 (production), 0.058 (literal)" },
    { "damping", CAROM_FIELD_NUMBER, offsetof(root_item, damping),
      .range = { .min = 0,
                 .max = HUGE_VAL,
                 .unit = "s",
                 .fix = "use 0 or more: a negative damping would pump energy in" },
      .doc = "stiffness-proportional: q'' = -omega^2 (q + damping q')" },
    { "budget", CAROM_FIELD_INT64, offsetof(root_item, budget), .initial = 1000000,
      .range = { .min = 1, .max = 1e12 },
      .doc = "most steps of a contact; a contact that needs more is reported, never clamped" },
    { 0 },
};
static const carom_field_table root_table = {
    "file", "Scalar bounces: what restitution comes out of given modes.", root_fields
};

static carom_status read_case(carom_value *value, carom_bounce_case *out, carom_error *err)
{
    case_item item;
    TRY(carom_field_read(value, &case_table, &item, err));
    if (item.a.count != item.omega.count)
        return carom_value_fail(value, err, "give one participation and one frequency per mode",
                                "%d participations for %d frequencies", item.a.count,
                                item.omega.count);
    *out = (carom_bounce_case){ item.w, item.a.count, item.a.values, item.omega.values };
    return CAROM_OK;
}

static carom_status read_file(carom_bounce_file *file, carom_error *err)
{
    carom_value root = carom_reader_root(file->reader), list, value;
    root_item item;
    int kind;
    TRY(carom_reader_kind(&root, "bounce-kernel", &kind, err));
    TRY(carom_field_read(&root, &root_table, &item, err));
    file->options = carom_bounce_options_default();
    file->options.solver = (carom_bounce_solver)item.solver;
    file->options.turn = item.turn;
    file->options.damping = item.damping;
    file->options.budget = (long)item.budget;
    carom_value damping;
    if (item.damping > 0 && item.solver == CAROM_BOUNCE_EVENT &&
        carom_value_member(&root, "damping", &damping))
        return carom_value_fail(&damping, err, "use the production or the literal solver",
                                "damping %g s with the event solver, which has none", item.damping);
    carom_value_member(&root, "cases", &list);
    TRY(carom_value_array(&list, err));
    size_t count = carom_value_count(&list);
    if (count == 0)
        return carom_value_fail(&list, err, "give at least one", "there are no cases");
    TAKE(carom_reader_memory(file->reader), file->cases, count, err);
    for (size_t i = 0; carom_value_item(&list, i, &value); ++i, ++file->count)
        TRY(read_case(&value, &file->cases[i], err));
    return CAROM_OK;
}

static carom_status take(carom_reader *reader, carom_bounce_file **out, carom_error *err)
{
    *out = NULL;
    carom_bounce_file *file = calloc(1, sizeof *file);
    if (!file) {
        carom_reader_close(reader);
        return carom_error_no_memory(err, "a file");
    }
    file->reader = reader;
    carom_status status = read_file(file, err);
    if (status == CAROM_OK)
        *out = file;
    else
        carom_bounce_file_close(file);
    return status;
}

carom_status carom_bounce_file_open(const char *path, carom_bounce_file **out, carom_error *err)
{
    NEED(err, path, out);
    carom_reader *reader = NULL;
    *out = NULL;
    TRY(carom_reader_open(path, &reader, err));
    return take(reader, out, err);
}

carom_status carom_bounce_file_parse(const char *name, const char *text, size_t size,
                                     carom_bounce_file **out, carom_error *err)
{
    NEED(err, name, out);
    carom_reader *reader = NULL;
    *out = NULL;
    TRY(carom_reader_parse(name, text, size, &reader, err));
    return take(reader, out, err);
}

void carom_bounce_file_close(carom_bounce_file *file)
{
    if (!file)
        return;
    carom_reader_close(file->reader);
    free(file);
}

int carom_bounce_file_count(const carom_bounce_file *file)
{
    if (!file)
        return 0;
    return file->count;
}

carom_bounce_options carom_bounce_file_options(const carom_bounce_file *file)
{
    if (!file)
        return (carom_bounce_options){ 0 };
    return file->options;
}

static bool same_modes(const carom_bounce_case *a, const carom_bounce_case *b)
{
    return a->mode_count == b->mode_count &&
           (a->mode_count == 0 ||
            memcmp(a->omega, b->omega, (size_t)a->mode_count * sizeof *a->omega) == 0);
}

// Neighbours with the same frequencies go through the lanes together; the bits do not depend on it.
static carom_status solve_run(const carom_bounce_file *file, int first, int end,
                              carom_bounce_result *results, carom_error *err)
{
    size_t m = (size_t)file->cases[first].mode_count, n = (size_t)(end - first);
    double *block = malloc((n * (m + 1) + 1) * sizeof *block), *w = block + n * m;
    if (!block)
        return carom_error_no_memory(err, "%zu contacts", n);
    for (size_t s = 0; s < n; ++s) {
        const carom_bounce_case *one = &file->cases[(size_t)first + s];
        w[s] = one->w;
        if (m)
            memcpy(block + s * m, one->a, m * sizeof *block);
    }
    carom_bounce_batch batch = { (int)m, (int)n, file->cases[first].omega, w, block, 1 };
    carom_status status = carom_bounce_many(&batch, &file->options, results + first, err);
    free(block);
    return status;
}

void carom_bounce_file_limit(carom_bounce_file *file, double steps)
{
    if (!file || !(steps > 0))
        return;
    double part = steps / (file->count > 1 ? file->count : 1);
    if (part < (double)file->options.budget)
        file->options.budget = part > 1 ? (long)part : 1;
}

carom_status carom_bounce_file_solve(const carom_bounce_file *file, carom_bounce_result *results,
                                     carom_error *err)
{
    NEED(err, file, results);
    for (int first = 0, end; first < file->count; first = end) {
        end = first + 1;
        while (end < file->count && same_modes(&file->cases[first], &file->cases[end]))
            ++end;
        TRY(solve_run(file, first, end, results, err));
    }
    return CAROM_OK;
}

static carom_status describe(const carom_reader *reader, char *out, size_t size, carom_error *err)
{
    size_t length;
    const char *text = carom_reader_text(reader, &length);
    carom_bounce_file *file = NULL;
    TRY(carom_bounce_file_parse(carom_reader_name(reader), text, length, &file, err));
    snprintf(out, size, "%d %s", file->count, carom_text_noun(file->count, "contact", "contacts"));
    carom_bounce_file_close(file);
    return CAROM_OK;
}

const carom_scene_kind_file carom_bounce_file_kind = { "bounce-kernel", &root_table, describe };
