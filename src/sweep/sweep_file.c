// Files of kind "sweep": a scene, axes, what to keep.
#include "sweep/sweep.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "scene/field.h"

typedef struct axis_item {
    const char *path, *name, *unit;
    double from, to;
    int count, scale, draw;
} axis_item;

static const carom_field axis_fields[] = {
    { "path", CAROM_FIELD_TEXT, offsetof(axis_item, path), .required = true,
      .doc = "the value that changes, as --set names it: materials.steel.restitution, law, seed, "
             "bodies.3.velocity.0" },
    { "name", CAROM_FIELD_TEXT, offsetof(axis_item, name), .shown = "the path",
      .doc = "of the column" },
    { "unit", CAROM_FIELD_TEXT, offsetof(axis_item, unit), .shown = "none",
      .doc = "of the column" },
    { "values", CAROM_FIELD_OTHER, .schema = "{\"type\": \"array\", \"minItems\": 1}",
      .doc = "one after the other: numbers, words, vectors" },
    { "from", CAROM_FIELD_NUMBER, offsetof(axis_item, from), .initial = (double)NAN,
      .shown = "none", .doc = "instead of values: the lower end of a range" },
    { "to", CAROM_FIELD_NUMBER, offsetof(axis_item, to), .initial = (double)NAN, .shown = "none",
      .doc = "its upper end" },
    { "count", CAROM_FIELD_INT, offsetof(axis_item, count), .initial = 0, .shown = "none",
      .range = { .min = 1, .max = CAROM_SWEEP_JOBS }, .doc = "values from end to end" },
    { "scale", CAROM_FIELD_CHOICE, offsetof(axis_item, scale), .words = "linear log",
      .doc = "even distances, or even ratios" },
    { "draw", CAROM_FIELD_CHOICE, offsetof(axis_item, draw), .words = "grid random sobol",
      .doc = "each value in turn, or drawn from the range as often as `samples` says" },
    { 0 },
};
static const carom_field_table axis_table = { "axis", "A value that changes from job to job.",
                                              axis_fields };

typedef struct root_item {
    int64_t carom, samples, seed;
    int kind, combine;
    const char *title, *scene;
} root_item;

static const carom_field root_fields[] = {
    { "carom", CAROM_FIELD_INT64, offsetof(root_item, carom), .initial = 1,
      .range = { .min = 1, .max = 1 }, .required = true, .doc = "format version" },
    { "kind", CAROM_FIELD_CHOICE, offsetof(root_item, kind), .words = "sweep", .required = true,
      .doc = "what the file is" },
    { "title", CAROM_FIELD_TEXT, offsetof(root_item, title), .doc = "for the page" },
    { "scene", CAROM_FIELD_TEXT, offsetof(root_item, scene), .required = true,
      .doc = "file of kind impact, world, chain, tower or bounce-kernel, seen from the folder of this "
             "one" },
    { "axes", CAROM_FIELD_LIST, .table = &axis_table, .required = true, .doc = "what changes" },
    { "combine", CAROM_FIELD_CHOICE, offsetof(root_item, combine), .words = "crossed zipped",
      .doc = "every value with every other, or the n-th of all axes together" },
    { "samples", CAROM_FIELD_INT64, offsetof(root_item, samples), .initial = 100,
      .range = { .min = 1, .max = CAROM_SWEEP_JOBS }, .doc = "of axes that are drawn" },
    { "seed", CAROM_FIELD_INT64, offsetof(root_item, seed), .initial = 1,
      .range = { .min = 0, .max = 1e15 }, .doc = "of random axes" },
    { "keep", CAROM_FIELD_OTHER,
      .schema = "{\"type\": \"array\", \"items\": {\"type\": \"string\"}}",
      .shown = "ledger, of all but worlds final",
      .doc = "what each job leaves: ledger, final (states of all bodies), trajectories, and names "
             "of measures (`carom measure --help`)" },
    { 0 },
};
static const carom_field_table root_table = { "sweep", "One scene many times.", root_fields };

// -- axes -----------------------------------------------------------------------------------------

static carom_status read_value(const carom_sweep *sweep, const carom_value *value,
                               carom_sweep_axis *axis, int index, carom_error *err)
{
    char *end;
    if (carom_value_is_text(value)) {
        axis->numeric = false;
        return carom_value_text(value, &axis->values[index], err);
    }
    size_t begin, stop;
    const char *text = carom_reader_text(sweep->reader, &begin);
    carom_value_span(value, &begin, &stop);
    if (stop - begin >= CAROM_SWEEP_VALUE)
        return carom_value_fail(value, err, "name the parts of it by longer paths",
                                "the value is too long");
    char *copy;
    TAKE(carom_reader_memory(sweep->reader), copy, stop - begin + 1, err);
    memcpy(copy, text + begin, stop - begin);
    copy[stop - begin] = 0;
    axis->values[index] = copy;
    strtod(copy, &end);
    axis->numeric = axis->numeric && *end == 0;
    return CAROM_OK;
}

static carom_status read_range(const carom_value *object, const axis_item *item,
                               carom_sweep_axis *axis, carom_error *err)
{
    if (isnan(item->from) || isnan(item->to))
        return carom_value_fail(object, err, "write \"values\": [...], or \"from\" and \"to\"",
                                "the axis has neither values nor a range");
    if (item->draw == CAROM_SWEEP_GRID && item->count < 1)
        return carom_value_fail(object, err, "write \"count\": 11", "the range has no count");
    if (item->scale == 1 && !(item->from > 0 && item->to > 0))
        return carom_value_fail(object, err, "use two positive ends, or \"scale\": \"linear\"",
                                "a logarithmic range cannot begin or end at %g",
                                item->from > 0 ? item->to : item->from);
    axis->from = item->from;
    axis->to = item->to;
    axis->count = item->count;
    axis->log = item->scale;
    axis->numeric = true;
    return CAROM_OK;
}

static carom_status read_axis(carom_sweep *sweep, carom_value *object, carom_sweep_axis *axis,
                              carom_error *err)
{
    axis_item item;
    carom_value values;
    TRY(carom_field_read(object, &axis_table, &item, err));
    *axis = (carom_sweep_axis){ .path = item.path,
                                .name = item.name ? item.name : item.path,
                                .unit = item.unit ? item.unit : "",
                                .draw = item.draw };
    if (!carom_value_member(object, "values", &values))
        return read_range(object, &item, axis, err);
    TRY(carom_value_array(&values, err));
    axis->count = (int)carom_value_count(&values);
    axis->numeric = true;
    if (axis->count < 1 || item.count > 0 || !isnan(item.from) || !isnan(item.to))
        return carom_value_fail(&values, err, "keep one of the two, with at least one value",
                                "an axis has values, or from, to and count");
    TAKE(carom_reader_memory(sweep->reader), axis->values, axis->count, err);
    for (int i = 0; i < axis->count; ++i) {
        carom_value value;
        carom_value_item(&values, (size_t)i, &value);
        TRY(read_value(sweep, &value, axis, i, err));
    }
    return CAROM_OK;
}

static carom_status read_axes(carom_sweep *sweep, const carom_value *root, carom_error *err)
{
    carom_value axes, item;
    carom_value_member(root, "axes", &axes);
    TRY(carom_value_array(&axes, err));
    sweep->axis_count = (int)carom_value_count(&axes);
    if (sweep->axis_count < 1 || sweep->axis_count > CAROM_SWEEP_AXES)
        return carom_value_fail(&axes, err, "write one per value that changes",
                                "a sweep has 1 to %d axes", CAROM_SWEEP_AXES);
    for (int i = 0; i < sweep->axis_count; ++i) {
        carom_value_item(&axes, (size_t)i, &item);
        TRY(read_axis(sweep, &item, &sweep->axes[i], err));
    }
    return carom_sweep_points_count(sweep, &axes, err);
}

// -- the rest -------------------------------------------------------------------------------------

static carom_status read_keep(carom_sweep *sweep, const carom_value *root, carom_error *err)
{
#define WORD(name, word, sentence) " " word
    static const char words[] = "ledger final trajectories" CAROM_MEASURE_LIST(WORD);
#undef WORD
    carom_value keep, item;
    carom_scene_kind kind = carom_scene_text_kind(sweep->scene);
    bool world = kind == CAROM_SCENE_KIND_WORLD;
    if (!carom_value_member(root, "keep", &keep)) {
        sweep->final = !world;
        sweep->ledger = true;
        return CAROM_OK;
    }
    TRY(carom_value_array(&keep, err));
    for (size_t i = 0; i < carom_value_count(&keep); ++i) {
        int word;
        carom_value_item(&keep, i, &item);
        TRY(carom_value_word(&item, words, &word, err));
        if (!world && word > 1)
            return carom_value_fail(&item, err, "keep \"ledger\" or \"final\"",
                                    "a file of kind \"%s\" has no %s", carom_scene_kind_name(kind),
                                    word == 2 ? "trajectory" : "measures in time");
        sweep->ledger = sweep->ledger || word == 0;
        sweep->final = sweep->final || word == 1;
        sweep->trajectories = sweep->trajectories || word == 2;
        if (word > 2)
            sweep->measures[word - 3] = true;
    }
    return CAROM_OK;
}

// Beside the sweep file, unless the path starts at the root.
static carom_status open_scene(carom_sweep *sweep, const carom_value *root, const char *scene,
                               carom_error *err)
{
    const char *path = carom_reader_path(sweep->reader), *slash = strrchr(path, '/');
    int folder = slash && scene[0] != '/' ? (int)(slash - path) + 1 : 0;
    carom_value at;
    carom_value_member(root, "scene", &at);
    int used = snprintf(sweep->scene_path, sizeof sweep->scene_path, "%.*s%s", folder, path, scene);
    if (used >= (int)sizeof sweep->scene_path)
        return carom_value_fail(&at, err, "use a shorter path", "the path is too long");
    return carom_scene_text_open(sweep->scene_path, &sweep->scene, err);
}

// Sets every job once: a value that does not fit is found before the first hour.
static carom_status make_keys(carom_sweep *sweep, carom_error *err)
{
    sweep->keys = calloc((size_t)sweep->jobs, sizeof *sweep->keys);
    if (!sweep->keys)
        return carom_error_no_memory(err, "%lld jobs", (long long)sweep->jobs);
    for (int64_t job = 0; job < sweep->jobs; ++job) {
        carom_scene_text *scene = NULL;
        TRY(carom_sweep_job_scene(sweep, job, &scene, err));
        sweep->keys[job] = carom_sweep_job_key(sweep, scene);
        carom_scene_text_close(scene);
    }
    return CAROM_OK;
}

static carom_status read_file(carom_sweep *sweep, carom_error *err)
{
    carom_value root = carom_reader_root(sweep->reader);
    root_item item;
    int kind;
    TRY(carom_reader_kind(&root, "sweep", &kind, err));
    TRY(carom_field_read(&root, &root_table, &item, err));
    sweep->title = item.title ? item.title : carom_reader_name(sweep->reader);
    sweep->zipped = item.combine == 1;
    sweep->samples = item.samples;
    sweep->seed = item.seed;
    TRY(open_scene(sweep, &root, item.scene, err));
    TRY(read_keep(sweep, &root, err));
    TRY(read_axes(sweep, &root, err));
    return make_keys(sweep, err);
}

carom_status carom_sweep_open(const char *path, carom_sweep **out, carom_error *err)
{
    NEED(err, path, out);
    *out = NULL;
    carom_sweep *sweep = calloc(1, sizeof *sweep);
    if (!sweep)
        return carom_error_no_memory(err, "a sweep");
    carom_status status = carom_reader_open(path, &sweep->reader, err);
    if (status == CAROM_OK)
        status = read_file(sweep, err);
    if (status != CAROM_OK) {
        carom_sweep_close(sweep);
        return status;
    }
    *out = sweep;
    return CAROM_OK;
}

void carom_sweep_close(carom_sweep *sweep)
{
    if (!sweep)
        return;
    carom_scene_text_close(sweep->scene);
    carom_reader_close(sweep->reader);
    free(sweep->keys);
    free(sweep->lines);
    free(sweep->journal);
    free(sweep);
}

int64_t carom_sweep_count(const carom_sweep *sweep)
{
    return sweep ? sweep->jobs : 0;
}

void carom_sweep_words(const carom_sweep *sweep, int64_t job, char *out, size_t size)
{
    size_t used = 0;
    if (!sweep || !out || size == 0 || job < 0 || job >= sweep->jobs)
        return;
    out[0] = 0;
    for (int i = 0; i < sweep->axis_count && used < size; ++i) {
        char value[CAROM_SWEEP_VALUE];
        carom_sweep_points_value(sweep, job, i, value, sizeof value);
        int more =
            snprintf(out + used, size - used, "%s%s=%s", i ? " " : "", sweep->axes[i].path, value);
        used += more > 0 ? (size_t)more : 0;
    }
}
