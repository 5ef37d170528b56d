// Problem files of kind "impact": bodies and contacts listed one by one, or made by a generator.
#include "scene/scene_impact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/suggest.h"
#include "base/text.h"
#include "math/vec.h"
#include "scene/reader.h"
#include "scene/scene_kind.h"

// Numbers beyond these leave no room for their products in a double.
#define HUGE_NUMBER 1e60
#define TINY_NUMBER 1e-60
#define VECTOR_RANGE(what)                                                                         \
    {                                                                                              \
        -HUGE_NUMBER, HUGE_NUMBER, .unit = what                                                    \
    }

// -- tables -------------------------------------------------------------------------------------

typedef struct body_values {
    const char *name;
    double mass;
    carom_numbers inertia;
    double position[3], velocity[3], spin[3];
    bool fixed;
    double radius, size[3];
} body_values;

static const carom_field body_fields[] = {
    { "name", CAROM_FIELD_TEXT, offsetof(body_values, name), .shown = "body0, body1, ...",
      .doc = "what contacts and results call it" },
    { "mass", CAROM_FIELD_NUMBER, offsetof(body_values, mass),
      .range = { 0, HUGE_VAL, .above = true, .unit = "kg" }, .shown = "required unless fixed",
      .doc = "mass; a fixed body has none" },
    { "inertia", CAROM_FIELD_NUMBERS, offsetof(body_values, inertia),
      .range = { -HUGE_NUMBER, HUGE_NUMBER, .unit = "kg m^2" }, .shown = "the body does not turn",
      .doc =
          "three principal values along x, y, z, or six entries xx yy zz xy xz yz, world frame" },
    { "position", CAROM_FIELD_VEC3, offsetof(body_values, position), .range = VECTOR_RANGE("m"),
      .doc = "centre of mass" },
    { "velocity", CAROM_FIELD_VEC3, offsetof(body_values, velocity), .range = VECTOR_RANGE("m/s"),
      .doc = "of the centre before the impact; a fixed body with a velocity is driven" },
    { "spin", CAROM_FIELD_VEC3, offsetof(body_values, spin), .range = VECTOR_RANGE("rad/s"),
      .doc = "angular velocity before the impact, world frame" },
    { "fixed", CAROM_FIELD_BOOL, offsetof(body_values, fixed), .doc = "nothing moves it" },
    { "radius", CAROM_FIELD_NUMBER, offsetof(body_values, radius),
      .range = { 0, HUGE_NUMBER, .above = true, .unit = "m" }, .shown = "guessed from the contacts",
      .doc = "of a ball, for pictures only" },
    { "size", CAROM_FIELD_VEC3, offsetof(body_values, size),
      .range = { 0, HUGE_NUMBER, .unit = "m" }, .shown = "guessed from the contacts",
      .doc = "edges of a box along x, y, z, for pictures only" },
    { 0 },
};
static const carom_field_table body_table = { "body", "A rigid body at the instant of impact.",
                                              body_fields };

typedef struct contact_values {
    const char *a, *b;
    double point[3], normal[3];
    carom_scene_impact_material material;
} contact_values;

static const carom_field contact_fields[] = {
    { "a", CAROM_FIELD_TEXT, offsetof(contact_values, a), .required = true,
      .doc = "name of the first body" },
    { "b", CAROM_FIELD_TEXT, offsetof(contact_values, b), .required = true,
      .doc = "name of the second body" },
    { "point", CAROM_FIELD_VEC3, offsetof(contact_values, point), .range = VECTOR_RANGE("m"),
      .required = true, .doc = "where they touch, [x, y, z]" },
    { "normal", CAROM_FIELD_VEC3, offsetof(contact_values, normal), .range = VECTOR_RANGE(NULL),
      .required = true, .doc = "unit vector [x, y, z] from a to b" },
    CAROM_SCENE_MATERIAL_FIELDS(contact_values),
    { 0 },
};
static const carom_field_table contact_table = {
    "contact",
    "Two bodies that touch. The relative normal speed n . (v_b - v_a) is negative where "
    "they approach.",
    contact_fields
};

typedef struct file_values {
    const char *law;
    const char *note;
} file_values;

static const carom_field file_fields[] = {
    { "carom", CAROM_FIELD_OTHER, .required = true, .shown = "required",
      .doc = "form of the file: 1", .schema = "{ \"const\": 1 }" },
    { "kind", CAROM_FIELD_OTHER, .required = true, .shown = "required", .doc = "\"impact\"",
      .schema = "{ \"const\": \"impact\" }" },
    { "bodies", CAROM_FIELD_LIST, .table = &body_table, .doc = "the bodies, one by one" },
    { "contacts", CAROM_FIELD_LIST, .table = &contact_table, .doc = "the touching pairs" },
    { "chain", CAROM_FIELD_OBJECT, .table = &carom_scene_impact_chain_table,
      .doc = "bodies in a line" },
    { "row", CAROM_FIELD_OBJECT, .table = &carom_scene_impact_row_table,
      .doc = "equal balls in a line" },
    { "rack", CAROM_FIELD_OBJECT, .table = &carom_scene_impact_rack_table,
      .doc = "a triangle of balls" },
    { "ring", CAROM_FIELD_OBJECT, .table = &carom_scene_impact_ring_table,
      .doc = "balls on a circle" },
    { "wedge", CAROM_FIELD_OBJECT, .table = &carom_scene_impact_wedge_table,
      .doc = "a ball in a groove" },
    { "cluster", CAROM_FIELD_OBJECT, .table = &carom_scene_impact_cluster_table,
      .doc = "random touching balls" },
    { "law", CAROM_FIELD_TEXT, offsetof(file_values, law), .shown = "the default law",
      .doc = "the impact law; `carom laws` lists them" },
    { "options", CAROM_FIELD_OTHER, .doc = "options of the law by name; `carom laws` lists them",
      .schema = "{ \"type\": \"object\", \"additionalProperties\": "
                "{ \"type\": [\"number\", \"string\"] } }" },
    { "note", CAROM_FIELD_TEXT, offsetof(file_values, note), .doc = "a line for people" },
    { 0 },
};
static const carom_field_table file_table = {
    "impact file",
    "One instant of impact. Bodies and contacts are listed, or made by one generator "
    "(`chain`, `row`, `rack`, `ring`, `wedge`, `cluster`), or both. SI units.",
    file_fields
};

// -- bodies -------------------------------------------------------------------------------------

static carom_status invert_inertia(const carom_value *body, const carom_numbers *given,
                                   double inverse[6], carom_error *err)
{
    carom_value value;
    if (!carom_value_member(body, "inertia", &value))
        return CAROM_OK; // no rotation
    if (given->count != 3 && given->count != 6)
        return carom_value_fail(&value, err,
                                "give three principal values, or six: xx yy zz xy xz yz",
                                "inertia has %d entries", given->count);
    sym3 s = { .xx = given->values[0], .yy = given->values[1], .zz = given->values[2] };
    if (given->count == 6) {
        s.xy = given->values[3];
        s.xz = given->values[4];
        s.yz = given->values[5];
    }
    bool positive = s.xx > 0 && s.yy > 0 && s.zz > 0 && s.xx * s.yy > s.xy * s.xy &&
                    (given->count == 3 || sym3_det(s) > 0);
    if (!positive)
        return carom_value_fail(
            &value, err, "principal values are above 0 (kg m^2); leave it out for no rotation",
            "inertia is not positive definite (xx %g, yy %g, zz %g)", s.xx, s.yy, s.zz);
    if (given->count == 3)
        s = (sym3){ 1 / s.xx, 1 / s.yy, 1 / s.zz, 0, 0, 0 };
    else
        s = sym3_inverse(s);
    double entries[6] = { s.xx, s.yy, s.zz, s.xy, s.xz, s.yz };
    for (int i = 0; i < 6; ++i)
        if (!(fabs(entries[i]) <= HUGE_NUMBER))
            return carom_value_fail(&value, err, "use other units",
                                    "the inverse of inertia has the entry %g", entries[i]);
    memcpy(inverse, entries, sizeof entries);
    return CAROM_OK;
}

static carom_status check_mass(const carom_value *body, const body_values *values, carom_error *err)
{
    carom_value mass;
    bool given = carom_value_member(body, "mass", &mass);
    if (values->fixed && (given || carom_value_member(body, "inertia", NULL)))
        return carom_value_fail_key(body, given ? "mass" : "inertia", err,
                                    "leave out \"fixed\", or the mass and inertia",
                                    "a fixed body has no %s", given ? "mass" : "inertia");
    if (!values->fixed && !given)
        return carom_value_fail(body, err, "add \"mass\" in kg, or \"fixed\": true",
                                "the key \"mass\" is missing");
    if (given && (values->mass > HUGE_NUMBER || values->mass < TINY_NUMBER))
        return carom_value_fail(&mass, err, "use other units", "mass is %g kg, outside [%g, %g]",
                                values->mass, TINY_NUMBER, HUGE_NUMBER);
    return CAROM_OK;
}

static carom_status read_body(carom_scene_impact *scene, carom_value *item, carom_error *err)
{
    body_values values;
    TRY(carom_field_read(item, &body_table, &values, err));
    TRY(check_mass(item, &values, err));
    carom_impact_body body = { .inverse_mass = values.fixed ? 0 : 1 / values.mass };
    TRY(invert_inertia(item, &values.inertia, body.inverse_inertia, err));
    memcpy(body.position, values.position, sizeof body.position);
    memcpy(body.velocity, values.velocity, sizeof body.velocity);
    memcpy(body.spin, values.spin, sizeof body.spin);
    carom_scene_look look = { .radius = values.radius };
    memcpy(look.size, values.size, sizeof look.size);
    char unnamed[32];
    snprintf(unnamed, sizeof unnamed, "body%d", scene->impact.body_count);
    carom_value name;
    if (values.name && *values.name == 0 && carom_value_member(item, "name", &name))
        return carom_value_fail(&name, err, "leave it out, or write a name", "name is empty");
    return carom_scene_impact_add_body(scene, &body, &look, values.name ? values.name : unnamed,
                                       err);
}

static carom_status read_bodies(carom_scene_impact *scene, const carom_value *root,
                                carom_error *err)
{
    carom_value list;
    if (!carom_value_member(root, "bodies", &list))
        return CAROM_OK;
    size_t count = carom_value_count(&list);
    TRY(carom_scene_impact_reserve(scene, (int64_t)count, 0, &list, err));
    for (size_t i = 0; i < count; ++i) {
        carom_value item;
        carom_value_item(&list, i, &item);
        TRY(read_body(scene, &item, err));
    }
    return CAROM_OK;
}

// -- contacts -----------------------------------------------------------------------------------

// Bodies by name, sorted, for lookup.
typedef struct name_entry {
    const char *name;
    int body;
} name_entry;

static int compare_names(const void *a, const void *b)
{
    const name_entry *first = a, *second = b;
    int order = strcmp(first->name, second->name);
    return order ? order : first->body - second->body;
}

static int compare_to_name(const void *name, const void *entry)
{
    return strcmp(name, ((const name_entry *)entry)->name);
}

static carom_status refuse_twice(const carom_value *root, const name_entry *entries, int count,
                                 carom_error *err)
{
    for (int i = 1; i < count; ++i) {
        if (strcmp(entries[i - 1].name, entries[i].name) != 0)
            continue;
        carom_value list, item, name;
        bool listed = carom_value_member(root, "bodies", &list) &&
                      carom_value_item(&list, (size_t)entries[i].body, &item);
        bool named = listed && carom_value_member(&item, "name", &name);
        return carom_value_fail(named    ? &name
                                : listed ? &item
                                         : root,
                                err, "give each body its own name",
                                "two bodies are called \"%.60s\"", entries[i].name);
    }
    return CAROM_OK;
}

typedef struct name_table {
    const name_entry *entries;
    int count;
} name_table;

static carom_status find_body(const name_table *names, const carom_value *contact, const char *key,
                              const char *name, int *out, carom_error *err)
{
    const name_entry *found = NULL;
    if (names->count)
        found = bsearch(name, names->entries, (size_t)names->count, sizeof *names->entries,
                        compare_to_name);
    if (found) {
        *out = found->body;
        return CAROM_OK;
    }
    enum { NAMES_MAX = 1000 };
    const char *list[NAMES_MAX];
    int count = 0;
    for (; count < names->count && count < NAMES_MAX; ++count)
        list[count] = names->entries[count].name;
    const char *nearest = carom_suggest_nearest(name, list, count);
    char fix[160] = "name one of the bodies";
    if (nearest)
        snprintf(fix, sizeof fix, "did you mean \"%.80s\"?", nearest);
    carom_value value;
    carom_value_member(contact, key, &value);
    return carom_value_fail(&value, err, fix, "there is no body \"%.60s\"", name);
}

static carom_status check_normal(const carom_value *contact, double normal[3], carom_error *err)
{
    double length = vec3_length(vec3_from(normal));
    carom_value value;
    carom_value_member(contact, "normal", &value);
    if (length == 0)
        return carom_value_fail(&value, err, "give the direction from a to b as a unit vector",
                                "normal has length 0");
    if (fabs(length - 1) > 1e-6) {
        char fix[160];
        snprintf(fix, sizeof fix, "the unit vector along it is [%.9g, %.9g, %.9g]",
                 normal[0] / length, normal[1] / length, normal[2] / length);
        return carom_value_fail(&value, err, fix, "normal has length %.9g, not 1", length);
    }
    // A few rounded digits are put right; what is as exact as a double can be keeps its bits, so
    // that a problem written and read again is the same.
    for (int i = 0; i < 3 && fabs(length - 1) > 1e-15; ++i)
        normal[i] /= length;
    return CAROM_OK;
}

static carom_status read_contact(carom_scene_impact *scene, carom_value *item,
                                 const name_table *names, carom_error *err)
{
    contact_values values;
    TRY(carom_field_read(item, &contact_table, &values, err));
    carom_impact_contact contact = { .restitution = values.material.restitution,
                                     .friction = values.material.friction,
                                     .tangential_restitution =
                                         values.material.tangential_restitution,
                                     .stiffness = values.material.stiffness,
                                     .exponent = values.material.exponent,
                                     .gap = values.material.gap };
    TRY(find_body(names, item, "a", values.a, &contact.a, err));
    TRY(find_body(names, item, "b", values.b, &contact.b, err));
    if (contact.a == contact.b)
        return carom_value_fail_key(item, "b", err, "name two different bodies",
                                    "body \"%.60s\" touches itself", values.b);
    if (scene->bodies[contact.a].inverse_mass == 0 && scene->bodies[contact.b].inverse_mass == 0)
        return carom_value_fail(item, err, "leave the contact out, or give one of the two a mass",
                                "bodies \"%.60s\" and \"%.60s\" are both fixed", values.a,
                                values.b);
    TRY(check_normal(item, values.normal, err));
    memcpy(contact.point, values.point, sizeof contact.point);
    memcpy(contact.normal, values.normal, sizeof contact.normal);
    carom_scene_impact_add_contact(scene, &contact);
    return CAROM_OK;
}

static carom_status read_contacts(carom_scene_impact *scene, const carom_value *root,
                                  carom_error *err)
{
    int count = scene->impact.body_count;
    name_entry *entries;
    TAKE(carom_reader_memory(root->reader), entries, count + 1, err);
    for (int i = 0; i < count; ++i)
        entries[i] = (name_entry){ scene->names[i], i };
    qsort(entries, (size_t)count, sizeof *entries, compare_names);
    TRY(refuse_twice(root, entries, count, err));
    carom_value list;
    if (!carom_value_member(root, "contacts", &list))
        return CAROM_OK;
    size_t contacts = carom_value_count(&list);
    TRY(carom_scene_impact_reserve(scene, 0, (int64_t)contacts, &list, err));
    for (size_t i = 0; i < contacts; ++i) {
        carom_value item;
        carom_value_item(&list, i, &item);
        TRY(read_contact(scene, &item, &(name_table){ entries, count }, err));
    }
    return CAROM_OK;
}

// -- opening ------------------------------------------------------------------------------------

static carom_status read_file(carom_scene_impact *scene, carom_reader *reader, carom_error *err)
{
    int kind;
    file_values values;
    carom_value root = carom_reader_root(reader);
    TRY(carom_reader_kind(&root, "impact", &kind, err));
    TRY(carom_field_read(&root, &file_table, &values, err));
    if (values.note && !(scene->note = strdup(values.note)))
        return carom_error_no_memory(err, "the problem");
    TRY(carom_scene_impact_reserve(scene, 0, 0, &root, err));
    TRY(carom_scene_law_read(&root, values.law, &scene->law, &scene->options, err));
    TRY(read_bodies(scene, &root, err));
    TRY(carom_scene_impact_generate(scene, &root, err));
    TRY(read_contacts(scene, &root, err));
    if (scene->impact.body_count == 0)
        return carom_value_fail(&root, err, "add \"bodies\", or a generator such as \"chain\"",
                                "the file has no bodies");
    // What the checks above let through must suit every law.
    if (carom_impact_check(&scene->impact, err) != CAROM_OK)
        return carom_value_place(&root, err);
    return CAROM_OK;
}

static char *title_of(const char *name)
{
    const char *slash = strrchr(name, '/'), *start = slash ? slash + 1 : name;
    char *title = strdup(start), *point = title ? strrchr(title, '.') : NULL;
    if (point && point != title)
        *point = 0;
    return title;
}

static carom_status read_scene(const char *name, carom_reader *reader, double megabytes,
                               carom_scene_impact **out, carom_error *err)
{
    carom_scene_impact *scene = calloc(1, sizeof *scene);
    carom_status status = CAROM_OK;
    if (!scene || !(scene->title = title_of(name)))
        status = carom_error_no_memory(err, "the problem");
    if (status == CAROM_OK) {
        scene->megabytes = megabytes;
        status = read_file(scene, reader, err);
    }
    carom_reader_close(reader);
    if (status != CAROM_OK)
        carom_scene_impact_close(scene);
    else
        *out = scene;
    return status;
}

carom_status carom_scene_impact_open(const char *path, carom_scene_impact **out, carom_error *err)
{
    NEED(err, path);
    carom_reader *reader = NULL;
    TRY(carom_reader_open(path, &reader, err));
    return read_scene(strcmp(path, "-") == 0 ? "standard input" : path, reader,
                      CAROM_SCENE_MEGABYTES, out, err);
}

carom_status carom_scene_impact_parse(const char *name, const char *text, size_t size,
                                      carom_scene_impact **out, carom_error *err)
{
    NEED(err, name);
    return carom_scene_impact_parse_within(CAROM_SCENE_MEGABYTES, name, text, size, out, err);
}

carom_status carom_scene_impact_parse_within(double megabytes, const char *name, const char *text,
                                             size_t size, carom_scene_impact **out,
                                             carom_error *err)
{
    carom_reader *reader = NULL;
    TRY(carom_reader_parse(name, text, size, &reader, err));
    return read_scene(name, reader, megabytes, out, err);
}

void carom_scene_impact_close(carom_scene_impact *scene)
{
    if (!scene)
        return;
    for (int i = 0; i < scene->impact.body_count; ++i)
        free(scene->names[i]);
    free(scene->names);
    free(scene->looks);
    free(scene->bodies);
    free(scene->contacts);
    free(scene->title);
    free(scene->note);
    free(scene);
}

const carom_impact *carom_scene_impact_problem(const carom_scene_impact *scene)
{
    return &scene->impact;
}

const carom_law *carom_scene_impact_law(const carom_scene_impact *scene)
{
    if (!scene)
        return NULL;
    return scene->law;
}

const carom_law_options *carom_scene_impact_options(const carom_scene_impact *scene)
{
    return &scene->options;
}

const char *carom_scene_impact_title(const carom_scene_impact *scene)
{
    if (!scene)
        return "";
    return scene->title;
}

const char *carom_scene_impact_note(const carom_scene_impact *scene)
{
    if (!scene)
        return NULL;
    return scene->note;
}

const char *carom_scene_impact_body_name(const carom_scene_impact *scene, int body)
{
    if (!scene)
        return "";
    return body >= 0 && body < scene->impact.body_count ? scene->names[body] : NULL;
}

carom_scene_look carom_scene_impact_look(const carom_scene_impact *scene, int body)
{
    if (!scene)
        return (carom_scene_look){ 0 };
    return body >= 0 && body < scene->impact.body_count ? scene->looks[body]
                                                        : (carom_scene_look){ 0 };
}

static carom_status describe(const carom_reader *reader, char *out, size_t size, carom_error *err)
{
    size_t length;
    const char *text = carom_reader_text(reader, &length);
    carom_scene_impact *scene = NULL;
    TRY(carom_scene_impact_parse(carom_reader_name(reader), text, length, &scene, err));
    snprintf(out, size, "%d %s, %d %s, law %s", scene->impact.body_count,
             carom_text_noun(scene->impact.body_count, "body", "bodies"),
             scene->impact.contact_count,
             carom_text_noun(scene->impact.contact_count, "contact", "contacts"),
             carom_law_name(scene->law));
    carom_scene_impact_close(scene);
    return CAROM_OK;
}

const carom_scene_kind_file carom_scene_impact_kind = { "impact", &file_table, describe };
