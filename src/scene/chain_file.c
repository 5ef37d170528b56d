// Files of kind "chain": bodies in a row, their contacts, and what to do with them.
//
// One field table per object; what tables cannot say (one shape per body, walls at the ends, as
// many gaps as contacts) is checked here, with the place in the file.
#include "carom/chain.h"
#include "base/arena.h"
#include "chain/chain_check.h"
#include "scene/field.h"
#include "scene/reader.h"
#include "scene/scene_kind.h"
#include "scene/schema.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BODIES_MAX = 100000, SLICES_MAX = 10000000, SWEEP_MAX = 10000 };

struct carom_chain_file {
    carom_reader *reader;
    carom_arena *arena;
    carom_chain chain;
    carom_chain_body *bodies;
    carom_chain_contact *contacts;
    size_t *item; // bodies: which entry of "bodies" it came from
    const char **names;
    const char *title;
    bool springs, planned;
    carom_chain_plan plan;
    carom_numbers sweep;
};

// -- tables ---------------------------------------------------------------------------------------

typedef struct contact_item {
    double stiffness, exponent;
    bool bare;
} contact_item;

static const carom_field contact_fields[] = {
    { "stiffness", CAROM_FIELD_NUMBER, offsetof(contact_item, stiffness), .shown = "none",
      .range = { .min = 0, .max = HUGE_VAL, .above = true, .unit = "N/m^exponent" },
      .doc = "k of F = k d^exponent; needed unless the contact is bare" },
    { "exponent", CAROM_FIELD_NUMBER, offsetof(contact_item, exponent), .initial = 1.5,
      .range = { .min = 1, .max = 20, .fix = "use 1 (Hooke), 1.5 (Hertz) or more" },
      .doc = "1 is Hooke's law, 1.5 Hertz's; higher ones come nearer to the ideal cradle" },
    { "bare", CAROM_FIELD_BOOL, offsetof(contact_item, bare),
      .doc = "no contact law: only the half slices of the two bodies give way" },
    { 0 },
};
static const carom_field_table contact_table = {
    "contact", "What acts between two bodies that touch, in series with their half slices.",
    contact_fields
};

typedef struct shape_item {
    double length, radius, young, density, damping;
    int64_t slices;
} shape_item;

#define SHAPE_FIELDS                                                                               \
    { "radius",                                                                                    \
      CAROM_FIELD_NUMBER,                                                                          \
      offsetof(shape_item, radius),                                                                \
      .required = true,                                                                            \
      .range = { .min = 0, .max = HUGE_VAL, .above = true, .unit = "m" },                          \
      .doc = "radius" },                                                                           \
        { "young",                                                                                 \
          CAROM_FIELD_NUMBER,                                                                      \
          offsetof(shape_item, young),                                                             \
          .required = true,                                                                        \
          .range = { .min = 0, .max = HUGE_VAL, .above = true, .unit = "Pa" },                     \
          .doc = "Young's modulus" },                                                              \
        { "density",                                                                               \
          CAROM_FIELD_NUMBER,                                                                      \
          offsetof(shape_item, density),                                                           \
          .required = true,                                                                        \
          .range = { .min = 0, .max = HUGE_VAL, .above = true, .unit = "kg/m^3" },                 \
          .doc = "density" },                                                                      \
        { "slices",                                                                                \
          CAROM_FIELD_INT64,                                                                       \
          offsetof(shape_item, slices),                                                            \
          .initial = 80,                                                                           \
          .range = { .min = 1, .max = SLICES_MAX },                                                \
          .doc = "mass points it is cut into" },                                                   \
    {                                                                                              \
        "damping", CAROM_FIELD_NUMBER, offsetof(shape_item, damping),                              \
            .range = { .min = 0, .max = HUGE_VAL, .unit = "s" },                                   \
            .doc = "each material spring k gets a dashpot k * damping"                             \
    }

static const carom_field cylinder_fields[] = {
    { "length", CAROM_FIELD_NUMBER, offsetof(shape_item, length), .required = true,
      .range = { .min = 0, .max = HUGE_VAL, .above = true, .unit = "m" },
      .doc = "length along the row" },
    SHAPE_FIELDS,
    { 0 },
};
static const carom_field_table cylinder_table = { "cylinder", "A bar that compresses.",
                                                  cylinder_fields };
static const carom_field sphere_fields[] = { SHAPE_FIELDS, { 0 } };
static const carom_field_table sphere_table = { "sphere", "A sphere that compresses.",
                                                sphere_fields };

typedef struct body_item {
    double mass, radius, velocity;
    bool wall;
    int64_t count;
    const char *name;
} body_item;

static const carom_field body_fields[] = {
    { "mass", CAROM_FIELD_NUMBER, offsetof(body_item, mass), .shown = "none",
      .range = { .min = 0, .max = HUGE_VAL, .above = true, .unit = "kg" },
      .doc = "makes it a rigid point mass" },
    { "sphere", CAROM_FIELD_OBJECT, .table = &sphere_table, .doc = "makes it a sphere in slices" },
    { "cylinder", CAROM_FIELD_OBJECT, .table = &cylinder_table,
      .doc = "makes it a cylinder in slices" },
    { "wall", CAROM_FIELD_BOOL, offsetof(body_item, wall),
      .doc = "makes it an immovable wall, at either end of the row" },
    { "velocity", CAROM_FIELD_NUMBER, offsetof(body_item, velocity), .range = { .unit = "m/s" },
      .doc = "before the impact, positive to the right" },
    { "radius", CAROM_FIELD_NUMBER, offsetof(body_item, radius), .initial = 0.5,
      .range = { .min = 0, .max = HUGE_VAL, .unit = "m" },
      .doc = "of a point mass, for positions and pictures" },
    { "count", CAROM_FIELD_INT64, offsetof(body_item, count), .initial = 1,
      .range = { .min = 1, .max = BODIES_MAX }, .doc = "how many of these, in a row" },
    { "name", CAROM_FIELD_TEXT, offsetof(body_item, name), .doc = "in tables and pictures",
      .shown = "its number" },
    { 0 },
};
static const carom_field_table body_table = {
    "body", "One body: exactly one of mass, sphere, cylinder, wall.", body_fields
};

typedef struct plan_item {
    double step, restitution;
    int64_t steps;
} plan_item;

static const carom_field plan_fields[] = {
    { "step", CAROM_FIELD_NUMBER, offsetof(plan_item, step), .required = true,
      .range = { .min = 0, .max = HUGE_VAL, .above = true, .unit = "s" }, .doc = "size of a step" },
    { "steps", CAROM_FIELD_INT64, offsetof(plan_item, steps), .initial = 2,
      .range = { .min = 1, .max = 1000000 }, .doc = "how many" },
    { "restitution", CAROM_FIELD_NUMBER, offsetof(plan_item, restitution), .initial = 1,
      .range = { .min = 0, .max = 1 }, .doc = "of every contact" },
    { "frame", CAROM_FIELD_OTHER, .schema = "{\"type\": [\"number\", \"string\"], \"minimum\": 0}",
      .shown = "none",
      .doc = "the first body is a frame around the others; the gap (m) to the last of them" },
    { 0 },
};
static const carom_field_table plan_table = {
    "stepping", "The same row by time stepping, with all bodies rigid.", plan_fields
};

typedef struct root_item {
    int64_t carom, max_steps, samples;
    int kind;
    const char *title;
    double tolerance;
    carom_numbers sweep;
} root_item;

static const carom_field root_fields[] = {
    { "carom", CAROM_FIELD_INT64, offsetof(root_item, carom), .initial = 1,
      .range = { .min = 1, .max = 1 }, .required = true, .doc = "format version" },
    { "kind", CAROM_FIELD_CHOICE, offsetof(root_item, kind), .words = "chain", .required = true,
      .doc = "what the file is" },
    { "title", CAROM_FIELD_TEXT, offsetof(root_item, title), .doc = "for tables and pictures" },
    { "bodies", CAROM_FIELD_LIST, .table = &body_table, .required = true,
      .doc = "from left to right, at least two" },
    { "contact", CAROM_FIELD_OBJECT, .table = &contact_table, .doc = "the law of all contacts" },
    { "contacts", CAROM_FIELD_LIST, .table = &contact_table,
      .doc = "the law of each contact, instead of `contact`; one fewer than bodies" },
    { "gaps", CAROM_FIELD_OTHER, .shown = "0",
      .schema = "{\"oneOf\": [{\"type\": [\"number\", \"string\"], \"minimum\": 0}, {\"type\": "
                "\"array\", \"items\": {\"type\": [\"number\", \"string\"], \"minimum\": 0}}]}",
      .doc = "between surfaces before the impact (m): one for all, or one per contact" },
    { "duration", CAROM_FIELD_OTHER, .shown = "null",
      .schema = "{\"type\": [\"number\", \"string\", \"null\"], \"exclusiveMinimum\": 0}",
      .doc = "seconds; null runs until the bodies can no longer meet" },
    { "tolerance", CAROM_FIELD_NUMBER, offsetof(root_item, tolerance), .initial = 1e-10,
      .range = { .min = 1e-13, .max = 0.1 },
      .doc = "largest relative energy error; the step is halved until it holds" },
    { "max_steps", CAROM_FIELD_INT64, offsetof(root_item, max_steps), .initial = 2000000,
      .range = { .min = 1, .max = 1e12 }, .doc = "a run that is not over by then is flagged" },
    { "samples", CAROM_FIELD_INT64, offsetof(root_item, samples), .initial = 800,
      .range = { .min = 8, .max = 100000 }, .doc = "rows of the history, at most" },
    { "stepping", CAROM_FIELD_OBJECT, .table = &plan_table, .doc = "also by time stepping" },
    { "sweep", CAROM_FIELD_NUMBERS, offsetof(root_item, sweep),
      .range = { .min = 0, .max = HUGE_VAL, .unit = "m" },
      .doc = "repeat the run with each of these gaps everywhere" },
    { 0 },
};
static const carom_field_table root_table = { "chain", "Bodies in a row that meet head-on.",
                                              root_fields };

// -- reading --------------------------------------------------------------------------------------

static carom_status read_file(carom_chain_file *file, carom_error *err);
static carom_status read_bodies(carom_chain_file *file, const carom_value *root, carom_error *err);
static carom_status read_contacts(carom_chain_file *file, const carom_value *root,
                                  carom_error *err);
static carom_status read_gaps(carom_chain_file *file, const carom_value *root, carom_error *err);
static carom_status read_plan(carom_chain_file *file, const carom_value *root, carom_error *err);
static carom_status check(carom_chain_file *file, const carom_value *root, carom_error *err);

// Takes over the reader, also on failure.
static carom_status take(carom_reader *reader, carom_chain_file **out, carom_error *err)
{
    carom_chain_file *file = calloc(1, sizeof *file);
    if (!file) {
        carom_reader_close(reader);
        return carom_error_no_memory(err, "a chain");
    }
    file->reader = reader;
    carom_status status = read_file(file, err);
    if (status != CAROM_OK) {
        carom_chain_file_close(file);
        return status;
    }
    *out = file;
    return CAROM_OK;
}

carom_status carom_chain_file_open(const char *path, carom_chain_file **out, carom_error *err)
{
    NEED(err, path, out);
    carom_reader *reader = NULL;
    *out = NULL;
    TRY(carom_reader_open(path, &reader, err));
    return take(reader, out, err);
}

carom_status carom_chain_file_parse(const char *name, const char *text, size_t size,
                                    carom_chain_file **out, carom_error *err)
{
    NEED(err, name, text, out);
    carom_reader *reader = NULL;
    *out = NULL;
    TRY(carom_reader_parse(name, text, size, &reader, err));
    return take(reader, out, err);
}

void carom_chain_file_close(carom_chain_file *file)
{
    if (!file)
        return;
    carom_reader_close(file->reader);
    free(file);
}

const carom_chain *carom_chain_file_chain(const carom_chain_file *file)
{
    return &file->chain;
}

const char *carom_chain_file_title(const carom_chain_file *file)
{
    if (!file)
        return "";
    return file->title;
}

const char *const *carom_chain_file_names(const carom_chain_file *file)
{
    if (!file)
        return NULL;
    return file->names;
}

bool carom_chain_file_has_springs(const carom_chain_file *file)
{
    if (!file)
        return false;
    return file->springs;
}

const carom_chain_plan *carom_chain_file_plan(const carom_chain_file *file)
{
    if (!file)
        return NULL;
    return file->planned ? &file->plan : NULL;
}

const double *carom_chain_file_sweep(const carom_chain_file *file, size_t *count)
{
    if (!file || !count)
        return NULL;
    *count = (size_t)file->sweep.count;
    return file->sweep.count ? file->sweep.values : NULL;
}

void carom_chain_file_schema(carom_json *json)
{
    carom_schema_write(json, "Carom chain", &root_table);
}

static carom_status describe(const carom_reader *reader, char *out, size_t size, carom_error *err)
{
    size_t length;
    const char *text = carom_reader_text(reader, &length);
    carom_reader *again = NULL;
    carom_chain_file *file = NULL;
    TRY(carom_reader_parse(carom_reader_name(reader), text, length, &again, err));
    TRY(take(again, &file, err));
    snprintf(out, size, "%zu bodies", file->chain.body_count);
    carom_chain_file_close(file);
    return CAROM_OK;
}

const carom_scene_kind_file carom_chain_file_kind = { "chain", &root_table, describe };

static carom_status read_file(carom_chain_file *file, carom_error *err)
{
    carom_value root = carom_reader_root(file->reader);
    root_item item;
    int kind;
    file->arena = carom_reader_memory(file->reader);
    TRY(carom_reader_kind(&root, "chain", &kind, err));
    TRY(carom_field_read(&root, &root_table, &item, err));
    file->title = item.title;
    file->sweep = item.sweep;
    if (item.sweep.count > SWEEP_MAX)
        return carom_value_fail_key(&root, "sweep", err, "use fewer", "sweep has %d gaps",
                                    item.sweep.count);
    TRY(read_bodies(file, &root, err));
    TRY(read_contacts(file, &root, err));
    TRY(read_gaps(file, &root, err));
    TRY(read_plan(file, &root, err));
    file->chain.bodies = file->bodies;
    file->chain.contacts = file->contacts;
    file->chain.tolerance = item.tolerance;
    file->chain.max_steps = (size_t)item.max_steps;
    file->chain.samples = (size_t)item.samples;
    carom_value duration;
    if (carom_value_member(&root, "duration", &duration) && !json_is_null(duration.json)) {
        carom_range positive = { .min = 0,
                                 .max = HUGE_VAL,
                                 .above = true,
                                 .unit = "s",
                                 .fix = "use seconds above 0, or null to run until separation" };
        TRY(carom_value_number(&duration, &positive, &file->chain.duration, err));
    }
    return check(file, &root, err);
}

// Which one of the shapes a body names; exactly one is right.
static carom_status read_shape(carom_value *value, const body_item *item, carom_chain_body *body,
                               carom_error *err)
{
    carom_value shape;
    bool sphere = carom_value_member(value, "sphere", NULL);
    bool cylinder = carom_value_member(value, "cylinder", NULL);
    bool mass = carom_value_member(value, "mass", NULL);
    if (sphere + cylinder + mass + item->wall != 1)
        return carom_value_fail(value, err, "give exactly one of mass, sphere, cylinder, wall",
                                "the body has %d shapes", sphere + cylinder + mass + item->wall);
    *body = (carom_chain_body){ .velocity = item->velocity };
    if (item->wall || mass) {
        body->kind = item->wall ? CAROM_CHAIN_WALL : CAROM_CHAIN_MASS;
        body->mass = item->mass;
        body->radius = item->wall ? 0 : item->radius;
        return CAROM_OK;
    }
    if (carom_value_member(value, "radius", NULL))
        return carom_value_fail_key(value, "radius", err, "write it inside the sphere or cylinder",
                                    "only a point mass has its radius here");
    shape_item part = { 0 };
    carom_value_member(value, sphere ? "sphere" : "cylinder", &shape);
    TRY(carom_field_read(&shape, sphere ? &sphere_table : &cylinder_table, &part, err));
    body->kind = sphere ? CAROM_CHAIN_SPHERE : CAROM_CHAIN_CYLINDER;
    body->radius = part.radius;
    body->length = part.length;
    body->young = part.young;
    body->density = part.density;
    body->damping = part.damping;
    body->slices = (int)part.slices;
    return CAROM_OK;
}

static carom_status name_body(carom_chain_file *file, size_t body, const body_item *item,
                              carom_error *err)
{
    char *name;
    file->names[body] = item->name;
    if (item->name && item->count == 1)
        return CAROM_OK;
    TAKE(file->arena, name, 32, err);
    snprintf(name, 32, item->name ? "%.20s %zu" : "%.0s%zu", item->name ? item->name : "",
             body + 1);
    file->names[body] = name;
    return CAROM_OK;
}

static carom_status read_bodies(carom_chain_file *file, const carom_value *root, carom_error *err)
{
    carom_value list, value;
    carom_value_member(root, "bodies", &list);
    size_t total = 0;
    body_item item;
    for (size_t i = 0; carom_value_item(&list, i, &value); i++) {
        TRY(carom_field_read(&value, &body_table, &item, err));
        total += (size_t)item.count;
        if (total > BODIES_MAX)
            return carom_value_fail(&list, err, "use fewer", "more than %d bodies", BODIES_MAX);
    }
    if (total < 2)
        return carom_value_fail(&list, err, "give at least two", "%zu bodies cannot collide",
                                total);
    TAKE(file->arena, file->bodies, total, err);
    TAKE(file->arena, file->item, total, err);
    TAKE(file->arena, file->names, total, err);
    double nodes = 0;
    for (size_t i = 0; carom_value_item(&list, i, &value); i++) {
        TRY(carom_field_read(&value, &body_table, &item, err));
        carom_chain_body body;
        TRY(read_shape(&value, &item, &body, err));
        nodes += (double)item.count * body.slices;
        if (nodes > SLICES_MAX)
            return carom_value_fail(&value, err, "use fewer slices or bodies",
                                    "more than %d slices in all", SLICES_MAX);
        for (int64_t k = 0; k < item.count; k++) {
            size_t b = file->chain.body_count++;
            file->bodies[b] = body;
            file->item[b] = i;
            TRY(name_body(file, b, &item, err));
        }
    }
    return CAROM_OK;
}

static carom_status read_contact(carom_value *value, carom_chain_contact *out, carom_error *err)
{
    contact_item item;
    TRY(carom_field_read(value, &contact_table, &item, err));
    bool given = carom_value_member(value, "stiffness", NULL);
    if (given == item.bare)
        return carom_value_fail(value, err, "give a stiffness above 0, or \"bare\": true",
                                given ? "a bare contact has a stiffness"
                                      : "the contact has no stiffness");
    *out = (carom_chain_contact){ .stiffness = item.bare ? 0 : item.stiffness,
                                  .exponent = item.exponent };
    return CAROM_OK;
}

static carom_status read_contacts(carom_chain_file *file, const carom_value *root, carom_error *err)
{
    carom_value list, value;
    size_t contacts = file->chain.body_count - 1;
    carom_chain_contact common = { 0 };
    TAKE_ZEROS(file->arena, file->contacts, contacts, err);
    if (carom_value_member(root, "contact", &value))
        TRY(read_contact(&value, &common, err));
    for (size_t c = 0; c < contacts; c++)
        file->contacts[c] = common;
    if (!carom_value_member(root, "contacts", &list))
        return CAROM_OK;
    if (carom_value_count(&list) != contacts)
        return carom_value_fail(&list, err, "give one per pair of neighbours",
                                "%zu contacts for %zu bodies", carom_value_count(&list),
                                contacts + 1);
    for (size_t c = 0; carom_value_item(&list, c, &value); c++)
        TRY(read_contact(&value, &file->contacts[c], err));
    return CAROM_OK;
}

static carom_status read_gaps(carom_chain_file *file, const carom_value *root, carom_error *err)
{
    carom_value gaps;
    size_t contacts = file->chain.body_count - 1;
    carom_range range = { .min = 0,
                          .max = HUGE_VAL,
                          .unit = "m",
                          .fix = "bodies must not overlap: use 0 (touching) or more" };
    if (!carom_value_member(root, "gaps", &gaps))
        return CAROM_OK;
    carom_numbers list = { 0 };
    double one = 0;
    if (carom_value_is_array(&gaps))
        TRY(carom_value_numbers(&gaps, &range, &list, err));
    else
        TRY(carom_value_number(&gaps, &range, &one, err));
    if (carom_value_is_array(&gaps) && (size_t)list.count != contacts)
        return carom_value_fail(&gaps, err, "give one per pair of neighbours",
                                "%d gaps for %zu bodies", list.count, contacts + 1);
    for (size_t c = 0; c < contacts; c++)
        file->contacts[c].gap = list.count ? list.values[c] : one;
    return CAROM_OK;
}

static carom_status read_plan(carom_chain_file *file, const carom_value *root, carom_error *err)
{
    carom_value value, frame;
    plan_item item;
    if (!carom_value_member(root, "stepping", &value))
        return CAROM_OK;
    TRY(carom_field_read(&value, &plan_table, &item, err));
    file->planned = true;
    file->plan = (carom_chain_plan){ item.step, (size_t)item.steps, item.restitution, false, 0 };
    if (!carom_value_member(&value, "frame", &frame))
        return CAROM_OK;
    carom_range range = { .min = 0, .max = HUGE_VAL, .unit = "m" };
    file->plan.frame = true;
    TRY(carom_value_number(&frame, &range, &file->plan.frame_gap, err));
    for (size_t b = 0; b < file->chain.body_count; b++)
        if (file->bodies[b].kind == CAROM_CHAIN_WALL)
            return carom_value_fail(&frame, err, "use either", "a frame and a wall");
    return CAROM_OK;
}

// What concerns several objects at once, placed at the body in question.
static carom_status check(carom_chain_file *file, const carom_value *root, carom_error *err)
{
    carom_value list, item;
    bool law =
        carom_value_member(root, "contact", NULL) || carom_value_member(root, "contacts", NULL);
    bool rigid = true;
    carom_value_member(root, "bodies", &list);
    for (size_t b = 0; b < file->chain.body_count; b++) {
        rigid &= file->bodies[b].slices == 0;
        if (carom_chain_check_body(&file->chain, b, err) == CAROM_OK)
            continue;
        carom_value_item(&list, file->item[b], &item);
        return carom_value_place(&item, err);
    }
    file->springs = law || !rigid || !file->planned;
    for (size_t c = 0; c + 1 < file->chain.body_count && file->springs; c++) {
        if (carom_chain_check_contact(&file->chain, c, err) == CAROM_OK)
            continue;
        carom_value_item(&list, file->item[c], &item);
        return carom_value_place(&item, err);
    }
    return file->springs ? carom_chain_check(&file->chain, err) : CAROM_OK;
}
