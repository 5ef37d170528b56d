// Bodies of world scenes: one by one, with names, and the room for many.
#include "scene/scene_servo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/suggest.h"
#include "math/constants.h"

// -- tables -------------------------------------------------------------------------------------

typedef struct drive_values {
    double amplitude[3], frequency, phase, belt[3];
} drive_values;

static const carom_field drive_fields[] = {
    { "amplitude", CAROM_FIELD_VEC3, offsetof(drive_values, amplitude), .range = { .unit = "m" },
      .doc = "of a swing amplitude * sin(2 pi frequency t + phase), starting where the body is" },
    { "frequency", CAROM_FIELD_NUMBER, offsetof(drive_values, frequency),
      .range = { 0, 1e6, .unit = "Hz" }, .doc = "of the swing" },
    { "phase", CAROM_FIELD_NUMBER, offsetof(drive_values, phase),
      .range = { -360, 360, .unit = "degrees" }, .doc = "of the swing" },
    { "belt", CAROM_FIELD_VEC3, offsetof(drive_values, belt),
      .range = { -1e60, 1e60, .unit = "m/s" },
      .doc = "velocity of the surface against the body, as of a conveyor: contacts feel it, the "
             "body does not move by it; along the faces that carry something" },
    { 0 },
};
static const carom_field_table drive_table = {
    "drive",
    "How a driven body swings, on top of its constant velocity and spin, and its surface runs.",
    drive_fields
};

typedef struct body_values {
    const char *name, *material, *colour;
    int kind;
    double mass, density, centre[3], position[3], velocity[3], spin[3];
    double damping, angular_damping, gravity_scale, force[3], torque[3], opacity, roughness;
    carom_numbers rotation, turn, inertia, layers, mask;
    int64_t group;
    bool sensor;
} body_values;

#define VECTOR_RANGE(what)                                                                         \
    {                                                                                              \
        -1e60, 1e60, .unit = what                                                                  \
    }

static const carom_field body_fields[] = {
    { "name", CAROM_FIELD_TEXT, offsetof(body_values, name), .shown = "body0, body1, ...",
      .doc = "what joints, changes and results call it; those of a generator get a number: "
             "name[0], name[1], ..." },
    { "shape", CAROM_FIELD_OTHER, .required = true, .words = "name or object",
      .schema = CAROM_SCENE_SHAPE_SCHEMA, .doc = "one of `shapes`, or a shape written in place" },
    { "kind", CAROM_FIELD_CHOICE, offsetof(body_values, kind), .words = "moving fixed driven",
      .doc = "moving obeys forces; fixed never moves; driven moves as told and nothing changes "
             "it" },
    { "mass", CAROM_FIELD_NUMBER, offsetof(body_values, mass), .shown = "from the density",
      .range = { 0, 1e60, .above = true, .unit = "kg" }, .doc = "of a moving body" },
    { "density", CAROM_FIELD_NUMBER, offsetof(body_values, density), .initial = 1000,
      .range = { 0, 1e60, .above = true, .unit = "kg/m^3" },
      .doc = "of a moving body without a mass" },
    { "inertia", CAROM_FIELD_NUMBERS, offsetof(body_values, inertia),
      .range = { -1e60, 1e60, .unit = "kg m^2" }, .shown = "that of a uniform body",
      .doc = "of a moving body about its centre of mass, along the axes of the shape as it is "
             "written: three moments xx yy zz, or six entries xx yy zz xy xz yz" },
    { "centre", CAROM_FIELD_VEC3, offsetof(body_values, centre), .range = VECTOR_RANGE("m"),
      .shown = "that of a uniform body",
      .doc = "centre of mass of a moving body, in the coordinates of the shape as it is written; "
             "needs an inertia" },
    { "position", CAROM_FIELD_VEC3, offsetof(body_values, position), .range = VECTOR_RANGE("m"),
      .doc = "of the shape's origin, the point its sizes, points or file count from; the centre "
             "of mass of a sphere, box, capsule or cylinder" },
    { "rotation", CAROM_FIELD_NUMBERS, offsetof(body_values, rotation), .shown = "[1, 0, 0, 0]",
      .doc = "unit quaternion [w, x, y, z] about the shape's origin" },
    { "turn", CAROM_FIELD_NUMBERS, offsetof(body_values, turn),
      .doc = "instead of a rotation: [axis x, y, z, degrees]" },
    { "velocity", CAROM_FIELD_VEC3, offsetof(body_values, velocity), .range = VECTOR_RANGE("m/s"),
      .doc = "of the centre of mass" },
    { "spin", CAROM_FIELD_VEC3, offsetof(body_values, spin), .range = VECTOR_RANGE("rad/s"),
      .doc = "angular velocity, world frame" },
    { "material", CAROM_FIELD_TEXT, offsetof(body_values, material), .shown = "the default one",
      .doc = "one of `materials`" },
    { "group", CAROM_FIELD_INT64, offsetof(body_values, group),
      .range = { .min = 0, .max = 2147483647 },
      .doc = "bodies of one group above 0 never touch each other" },
    { "layers", CAROM_FIELD_NUMBERS, offsetof(body_values, layers),
      .range = { .min = 0, .max = 31 }, .shown = "[0]", .doc = "numbers of the layers it is in" },
    { "mask", CAROM_FIELD_NUMBERS, offsetof(body_values, mask), .range = { .min = 0, .max = 31 },
      .shown = "all",
      .doc = "numbers of the layers that it touches; two bodies touch if each is in "
             "a layer of the other's mask" },
    { "sensor", CAROM_FIELD_BOOL, offsetof(body_values, sensor),
      .doc = "nothing feels it; programs are told who overlaps it" },
    { "gravity_scale", CAROM_FIELD_NUMBER, offsetof(body_values, gravity_scale), .initial = 1,
      .range = { .min = -1e12, .max = 1e12 }, .doc = "gravity acts on it this many times" },
    { "damping", CAROM_FIELD_NUMBER, offsetof(body_values, damping),
      .range = { 0, 1e12, .unit = "1/s" },
      .doc = "speed falls by exp(-damping t) where nothing else acts" },
    { "angular_damping", CAROM_FIELD_NUMBER, offsetof(body_values, angular_damping),
      .range = { 0, 1e12, .unit = "1/s" }, .doc = "and spin" },
    { "force", CAROM_FIELD_VEC3, offsetof(body_values, force), .range = VECTOR_RANGE("N"),
      .doc = "that acts on its centre of mass all the time" },
    { "torque", CAROM_FIELD_VEC3, offsetof(body_values, torque), .range = VECTOR_RANGE("N m"),
      .doc = "likewise" },
    { "colour", CAROM_FIELD_TEXT, offsetof(body_values, colour),
      .doc = "for pictures: \"#rrggbb\"" },
    { "opacity", CAROM_FIELD_NUMBER, offsetof(body_values, opacity), .initial = 1,
      .range = { .min = 0, .max = 1 },
      .doc = "for pictures: from 0 (not seen) to 1 (nothing is seen through it)" },
    { "roughness", CAROM_FIELD_NUMBER, offsetof(body_values, roughness), .initial = 0.5,
      .range = { .min = 0, .max = 1 },
      .doc = "for pictures: from 0 (a small sharp highlight) to 1 (none)" },
    { "drive", CAROM_FIELD_OBJECT, .table = &drive_table, .doc = "of a driven body" },
    { "servo", CAROM_FIELD_OBJECT, .table = &carom_scene_servo_table,
      .doc = "of a moving body in `bodies`: a wall that keeps a stress" },
    { 0 },
};
const carom_field_table carom_scene_body_table = { "body", "A rigid body.", body_fields };

// -- one body -----------------------------------------------------------------------------------

carom_status carom_scene_body_colour(const carom_value *body, const char *text, int *out,
                                     carom_error *err)
{
    *out = -1;
    if (!text)
        return CAROM_OK;
    char *end;
    unsigned long colour = *text == '#' ? strtoul(text + 1, &end, 16) : 0;
    if (*text != '#' || strlen(text) != 7 || *end != 0 ||
        strspn(text + 1, "0123456789abcdefABCDEF") != 6)
        return carom_value_fail_key(body, "colour", err, "write it as \"#rrggbb\"",
                                    "\"%.40s\" is no colour", text);
    *out = (int)colour;
    return CAROM_OK;
}

static uint32_t read_layers(const carom_value *body, const char *key, const carom_numbers *given,
                            uint32_t initial)
{
    uint32_t bits = 0;
    if (!carom_value_member(body, key, NULL))
        return initial;
    for (int i = 0; i < given->count; ++i)
        bits |= (uint32_t)1 << (int)given->values[i];
    return bits;
}

static carom_status read_drive(const carom_value *body, int kind, carom_drive *out,
                               carom_error *err)
{
    carom_value value;
    drive_values given;
    if (!carom_value_member(body, "drive", &value))
        return CAROM_OK;
    if (kind != CAROM_BODY_DRIVEN)
        return carom_value_fail(&value, err, "add \"kind\": \"driven\", or leave the drive out",
                                "only a driven body has a drive");
    TRY(carom_field_read(&value, &drive_table, &given, err));
    memcpy(out->amplitude, given.amplitude, sizeof out->amplitude);
    out->frequency = given.frequency;
    out->phase = given.phase * CAROM_RADIANS_PER_DEGREE;
    memcpy(out->belt, given.belt, sizeof out->belt);
    return CAROM_OK;
}

// The world has inertia in the shape's own frame, which `turn` brings to the one it was written in.
static carom_status read_inertia(const carom_value *body, const carom_numbers *given, quat turn,
                                 double out[6], carom_error *err)
{
    carom_value value;
    if (!carom_value_member(body, "inertia", &value))
        return CAROM_OK;
    if (given->count != 3 && given->count != 6)
        return carom_value_fail(&value, err, "give three moments, or six: xx yy zz xy xz yz",
                                "inertia has %d entries", given->count);
    double j[6] = { 0 };
    for (int i = 0; i < given->count; ++i)
        j[i] = given->values[i];
    if (!(j[0] > 0 && j[1] > 0 && j[2] > 0))
        return carom_value_fail(&value, err, "moments are above 0; leave it out for a uniform body",
                                "inertia has the moments %g, %g, %g", j[0], j[1], j[2]);
    quat back = { turn.w, -turn.x, -turn.y, -turn.z };
    sym3 s = sym3_rotate(quat_matrix(back), (sym3){ j[0], j[1], j[2], j[3], j[4], j[5] });
    memcpy(out, (double[6]){ s.xx, s.yy, s.zz, s.xy, s.xz, s.yz }, 6 * sizeof *out);
    return CAROM_OK;
}

// The world has the centre of mass in the shape's own frame, from the one of a uniform body.
static carom_status read_centre(const carom_value *body, const double given[3],
                                const carom_scene_form *form, double out[3], carom_error *err)
{
    if (!carom_value_member(body, "centre", NULL))
        return CAROM_OK;
    if (!carom_value_member(body, "inertia", NULL))
        return carom_value_fail_key(
            body, "centre", err, "add \"inertia\": about that centre",
            "a centre of mass of its own, but the inertia of a uniform body");
    quat back = { form->turn.w, -form->turn.x, -form->turn.y, -form->turn.z };
    vec3_store(quat_rotate(back, vec3_sub(vec3_from(given), form->shift)), out);
    return CAROM_OK;
}

// A key of a material that stands at a body.
static carom_status refuse_surface(carom_value *value, carom_error *err)
{
    value->noun = carom_scene_body_table.noun;
    for (const char *key = carom_value_next_key(value, NULL); key;
         key = carom_value_next_key(value, key))
        if (strcmp(key, "note") != 0 && !carom_field_find(&carom_scene_body_table, key) &&
            carom_field_find(&carom_scene_material_table, key))
            return carom_value_fail_key(value, key, err,
                                        "put it into one of \"materials\", and name that as "
                                        "\"material\" of the body",
                                        "%s belongs to a material, not to a body", key);
    return CAROM_OK;
}

carom_status carom_scene_body_template(carom_scene_world *scene, carom_value *value,
                                       carom_scene_template *out, carom_error *err)
{
    body_values given;
    carom_value shape;
    quat turn;
    TRY(refuse_surface(value, err));
    TRY(carom_field_read(value, &carom_scene_body_table, &given, err));
    *out = (carom_scene_template){ .name = given.name, .body = carom_world_body_default() };
    carom_body *body = &out->body;
    body->kind = (carom_body_kind)given.kind;
    carom_value_member(value, "shape", &shape);
    TRY(carom_scene_shape_use(scene, &shape, &out->form, err));
    TRY(carom_scene_pose_rotation(value, &given.rotation, &given.turn, &turn, err));
    body->material = scene->default_material;
    if (given.material)
        TRY(carom_scene_material_find(scene, value, "material", given.material, 1, &body->material,
                                      err));
    out->look = (carom_look){ -1, given.opacity, given.roughness };
    TRY(carom_scene_body_colour(value, given.colour, &out->look.colour, err));
    TRY(read_drive(value, given.kind, &body->drive, err));
    bool moving = body->kind == CAROM_BODY_MOVING;
    for (int i = 0; i < 3 && !moving; ++i) {
        static const char *const keys[] = { "mass", "inertia", "centre" };
        if (carom_value_member(value, keys[i], NULL))
            return carom_value_fail_key(
                value, keys[i], err, "leave it out, or the kind", "a %s body has no %s",
                body->kind == CAROM_BODY_FIXED ? "fixed" : "driven", keys[i]);
    }
    TRY(read_inertia(value, &given.inertia, scene->forms[out->form].turn, body->inertia, err));
    TRY(read_centre(value, given.centre, &scene->forms[out->form], body->centre, err));
    if (body->kind == CAROM_BODY_FIXED &&
        (carom_value_member(value, "velocity", NULL) || carom_value_member(value, "spin", NULL)))
        return carom_value_fail(value, err, "make its kind \"driven\", or leave out what moves it",
                                "a fixed body has a velocity or a spin");
    const carom_shape *form = scene->forms[out->form].shape;
    if (moving && !(carom_shape_mass(form).volume > 0))
        return carom_value_fail(value, err, "add \"kind\": \"fixed\" or \"driven\"",
                                "a %s without volume has no mass and cannot move by itself",
                                carom_shape_kind_name(carom_shape_kind_of(form)));
    if (given.name && (!*given.name || strpbrk(given.name, "[]\"")))
        return carom_value_fail_key(value, "name", err, "use letters, digits, spaces, - and _",
                                    "\"%.60s\" cannot be a name", given.name);
    body->mass = given.mass;
    body->density = given.density;
    body->group = (int)given.group;
    body->sensor = given.sensor;
    body->layers = read_layers(value, "layers", &given.layers, body->layers);
    body->mask = read_layers(value, "mask", &given.mask, body->mask);
    body->gravity_scale = given.gravity_scale;
    body->damping = given.damping;
    body->angular_damping = given.angular_damping;
    memcpy(out->force, given.force, sizeof given.force);
    memcpy(out->torque, given.torque, sizeof given.torque);
    body->rotation[0] = turn.w;
    body->rotation[1] = turn.x;
    body->rotation[2] = turn.y;
    body->rotation[3] = turn.z;
    memcpy(body->position, given.position, sizeof given.position);
    memcpy(body->velocity, given.velocity, sizeof given.velocity);
    memcpy(body->spin, given.spin, sizeof given.spin);
    return CAROM_OK;
}

// -- many ---------------------------------------------------------------------------------------

// What a body takes in the scene, in the world and in its contacts, about.
enum { WORLD_BYTES = 2400 };

carom_status carom_scene_body_reserve(carom_scene_world *scene, double more, const carom_value *at,
                                      carom_error *err)
{
    double count = (double)scene->member_count + more;
    double megabytes = count * (sizeof(carom_scene_member) + WORLD_BYTES) / 1048576;
    if (megabytes > scene->megabytes) {
        char fix[128];
        snprintf(fix, sizeof fix, "ask for about %.0f times fewer",
                 ceil(megabytes / scene->megabytes));
        return carom_value_fail(at, err, fix,
                                "%.0f bodies need about %.0f MB of memory, more than the limit of "
                                "%.0f MB",
                                count, megabytes, scene->megabytes);
    }
    if ((int64_t)count <= scene->member_room)
        return CAROM_OK;
    void *members = realloc(scene->members, (size_t)count * sizeof *scene->members);
    if (!members)
        return carom_error_no_memory(err, "%.0f bodies", count);
    scene->members = members;
    scene->member_room = (int64_t)count;
    return CAROM_OK;
}

void carom_scene_body_place(carom_scene_world *scene, const carom_scene_template *from, vec3 place,
                            quat turn, int number, int source)
{
    if (scene->member_count >= scene->member_room)
        return;
    carom_scene_member *member = &scene->members[scene->member_count++];
    const carom_scene_form *form = &scene->forms[from->form];
    const double *own = from->body.rotation;
    *member = (carom_scene_member){ .body = from->body,
                                    .force = vec3_from(from->force),
                                    .torque = vec3_from(from->torque),
                                    .name = from->name,
                                    .number = number,
                                    .form = from->form,
                                    .look = from->look,
                                    .gone = HUGE_VAL,
                                    .born = -1,
                                    .source = source };
    quat whole = quat_mul(turn, (quat){ own[0], own[1], own[2], own[3] });
    vec3 centre = vec3_add(form->shift, quat_rotate(form->turn, vec3_from(from->body.centre)));
    vec3_store(vec3_add(place, quat_rotate(whole, centre)), member->body.position);
    whole = quat_unit(quat_mul(whole, form->turn));
    member->body.rotation[0] = whole.w;
    member->body.rotation[1] = whole.x;
    member->body.rotation[2] = whole.y;
    member->body.rotation[3] = whole.z;
}

carom_status carom_scene_body_read_all(carom_scene_world *scene, const carom_value *root,
                                       carom_error *err)
{
    carom_value list;
    if (!carom_value_member(root, "bodies", &list))
        return CAROM_OK;
    size_t count = carom_value_count(&list);
    TRY(carom_scene_body_reserve(scene, (double)count, &list, err));
    for (size_t i = 0; i < count; ++i) {
        carom_value item;
        carom_scene_template made;
        carom_value_item(&list, i, &item);
        TRY(carom_scene_body_template(scene, &item, &made, err));
        if (!made.name) {
            char *name;
            TAKE(carom_reader_memory(root->reader), name, 32, err);
            snprintf(name, 32, "body%zu", i);
            made.name = name;
        }
        carom_scene_body_place(scene, &made, vec3_from(made.body.position), quat_identity(), -1,
                               (int)i);
    }
    return CAROM_OK;
}

// -- names --------------------------------------------------------------------------------------

static int compare_members(const carom_scene_member *a, const carom_scene_member *b)
{
    int order = strcmp(a->name, b->name);
    return order ? order : (a->number > b->number) - (a->number < b->number);
}

// A merge sort: qsort has no context, and the order of equal names must not depend on it.
static void sort_by_name(const carom_scene_member *members, int *list, int *scratch, int count)
{
    for (int width = 1; width < count; width *= 2) {
        for (int from = 0; from < count; from += 2 * width) {
            int middle = from + width < count ? from + width : count;
            int until = middle + width < count ? middle + width : count;
            int a = from, b = middle;
            for (int k = from; k < until; ++k)
                scratch[k] = a < middle && (b >= until || compare_members(&members[list[a]],
                                                                          &members[list[b]]) <= 0)
                                 ? list[a++]
                                 : list[b++];
        }
        memcpy(list, scratch, (size_t)count * sizeof *list);
        if (width > count / 2)
            break;
    }
}

carom_status carom_scene_body_index(carom_scene_world *scene, const carom_value *root,
                                    carom_error *err)
{
    int count = (int)scene->member_count, *scratch;
    TAKE(carom_reader_memory(root->reader), scene->by_name, count + 1, err);
    TAKE(carom_reader_memory(root->reader), scratch, count + 1, err);
    for (int i = 0; i < count; ++i)
        scene->by_name[i] = i;
    sort_by_name(scene->members, scene->by_name, scratch, count);
    for (int i = 1; i < count; ++i) {
        const carom_scene_member *first = &scene->members[scene->by_name[i - 1]];
        const carom_scene_member *second = &scene->members[scene->by_name[i]];
        if (compare_members(first, second) != 0)
            continue;
        char name[128];
        carom_value list, item;
        carom_scene_world_body_name(scene, scene->by_name[i], name, sizeof name);
        int source = second->source;
        carom_value_member(root, source >= 0 ? "bodies" : "generators", &list);
        carom_value_item(&list, (size_t)(source >= 0 ? source : -1 - source), &item);
        return carom_value_fail(&item, err, "give each body or generator its own name",
                                "two bodies are called \"%.100s\"", name);
    }
    return CAROM_OK;
}

int carom_scene_world_find(const carom_scene_world *scene, const char *name)
{
    if (!scene || !name)
        return -1;
    char base[256];
    int number = -1, low = 0, high = (int)scene->member_count;
    snprintf(base, sizeof base, "%s", name);
    char *bracket = strrchr(base, '[');
    if (bracket) {
        char *end;
        long parsed = strtol(bracket + 1, &end, 10);
        if (end == bracket + 1 || strcmp(end, "]") != 0 || parsed < 0 || parsed > 2147483646)
            return -1;
        number = (int)parsed;
        *bracket = 0;
    }
    carom_scene_member wanted = { .name = base, .number = number };
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (compare_members(&scene->members[scene->by_name[middle]], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < scene->member_count &&
        compare_members(&scene->members[scene->by_name[low]], &wanted) == 0)
        return scene->by_name[low];
    return -1;
}

carom_status carom_scene_body_find(const carom_scene_world *scene, const carom_value *value,
                                   int *out, carom_error *err)
{
    enum { NAMES_MAX = 1000 };
    const char *name, *names[NAMES_MAX];
    TRY(carom_value_text(value, &name, err));
    *out = carom_scene_world_find(scene, name);
    if (*out >= 0)
        return CAROM_OK;
    int count = 0;
    for (int64_t i = 0; i < scene->member_count && count < NAMES_MAX; ++i)
        if (scene->members[i].number <= 0)
            names[count++] = scene->members[i].name;
    const char *nearest = carom_suggest_nearest(name, names, count);
    char fix[160] = "name one of the bodies; those of a generator are called name[0], name[1], ...";
    if (nearest && strcmp(nearest, name) != 0)
        snprintf(fix, sizeof fix, "did you mean \"%.80s\"?", nearest);
    return carom_value_fail(value, err, fix, "there is no body \"%.60s\"", name);
}
