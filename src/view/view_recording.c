// Recordings for the page: trajectories, and whatever else is a carom_recording.
#include "view/view_recording.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "collide/collide.h"
#include "export/export_columns.h"
#include "export/export_mesh.h"
#include "shape/shape.h"

static bool is_sphere(const carom_recording_form *form)
{
    return carom_shape_kind_of(form->shape) == CAROM_SHAPE_SPHERE;
}

// Planes are drawn as squares wide enough for everything that moves.
static double reach(const carom_recording *recording)
{
    double max = 1;
    carom_error unused = { 0 };
    int64_t count = carom_recording_frame_count(recording), stride = count / 64 + 1;
    for (int64_t m = 0; m < count; m += stride) {
        carom_frame frame;
        if (carom_recording_frame(recording, m, &frame, &unused) != CAROM_OK)
            break;
        for (int i = 0; i < recording->count; ++i) {
            carom_recording_body state = carom_recording_state(recording, &frame, i);
            if (recording->kind[i] == CAROM_BODY_MOVING &&
                !carom_recording_gone(recording, &frame, i))
                max = fmax(max, fmax(fabs(state.position.x), fabs(state.position.y)));
        }
    }
    return 3 * max;
}

// All that is said of a body, but for its name.
typedef struct body_words {
    int form, kind, colour;
    bool servo, ghost;
    double mass, opacity, roughness, restitution, friction;
} body_words;

static body_words words_of(const carom_recording *r, int i)
{
    return (body_words){ .form = r->form[i],
                         .kind = r->kind[i],
                         .colour = r->look[i].colour,
                         .servo = r->servo[i],
                         .ghost = r->ghost[i],
                         .mass = r->mass[i],
                         .opacity = r->look[i].opacity,
                         .roughness = r->look[i].roughness,
                         .restitution = r->restitution ? r->restitution[i] : 0,
                         .friction = r->restitution ? r->friction[i] : 0 };
}

static bool says_same(const body_words *a, const body_words *b)
{
    return a->form == b->form && a->kind == b->kind && a->colour == b->colour &&
           a->servo == b->servo && a->ghost == b->ghost && a->mass == b->mass &&
           a->opacity == b->opacity && a->roughness == b->roughness &&
           a->restitution == b->restitution && a->friction == b->friction;
}

// Whether body i is called as the one before it, a number higher: grain[7], grain[8]; body7, body8.
static bool counts_on(const carom_recording *recording, int i)
{
    char room[64], next[160];
    const char *before = carom_recording_name(recording, i - 1, room, sizeof room);
    size_t length = strlen(before), bracket = length > 0 && before[length - 1] == ']';
    size_t end = length - bracket, start = end;
    while (start > 0 && before[start - 1] >= '0' && before[start - 1] <= '9')
        --start;
    if (start == end || end - start > 9 || length > 120)
        return false;
    snprintf(next, sizeof next, "%.*s%ld%s", (int)start, before,
             strtol(before + start, NULL, 10) + 1, bracket ? "]" : "");
    return strcmp(next, carom_recording_name(recording, i, room, sizeof room)) == 0;
}

// What differs from the body before, or from what is usual.
static void describe_words(const body_words *words, const body_words *before, bool first,
                           bool materials, carom_json *json)
{
    if (first || words->form != before->form)
        carom_json_integer(json, "form", words->form);
    if (first || words->kind != before->kind)
        carom_json_integer(json, "kind", words->kind);
    if (first || words->mass != before->mass)
        carom_json_number(json, "mass", words->mass);
    if (first || words->colour != before->colour)
        carom_json_integer(json, "colour", words->colour);
    if (words->opacity != before->opacity)
        carom_json_number(json, "opacity", words->opacity);
    if (words->roughness != before->roughness)
        carom_json_number(json, "roughness", words->roughness);
    if (words->servo != before->servo)
        carom_json_bool(json, "servo", words->servo);
    if (words->ghost != before->ghost)
        carom_json_bool(json, "ghost", words->ghost);
    if (materials && (first || words->restitution != before->restitution))
        carom_json_number(json, "restitution", words->restitution);
    if (materials && (first || words->friction != before->friction))
        carom_json_number(json, "friction", words->friction);
}

// Each says what differs from the one before it; without a name it counts on, and `alike` more do
// so that differ by nothing else: 60,000 grains are one line instead of 10 MB.
static void describe_bodies(const carom_recording *recording, carom_json *json)
{
    body_words before = { .opacity = 1, .roughness = carom_scene_world_look(NULL, -1).roughness };
    carom_json_array(json, "bodies");
    for (int i = 0; i < recording->count;) {
        char room[64];
        int alike = 0;
        body_words words = words_of(recording, i), next;
        carom_json_object(json, NULL);
        if (i == 0 || !counts_on(recording, i))
            carom_json_string(json, "name", carom_recording_name(recording, i, room, sizeof room));
        describe_words(&words, &before, i == 0, recording->restitution != NULL, json);
        for (; i + alike + 1 < recording->count && counts_on(recording, i + alike + 1); ++alike) {
            next = words_of(recording, i + alike + 1);
            if (!says_same(&words, &next))
                break;
        }
        if (alike > 0)
            carom_json_integer(json, "alike", alike);
        carom_json_end(json);
        before = words;
        i += alike + 1;
    }
    carom_json_end(json);
}

static carom_status describe_forms(const carom_recording *recording, carom_json *json,
                                   carom_error *err)
{
    double extent = reach(recording);
    carom_json_array(json, "forms");
    for (int f = 0; f < recording->form_count; ++f) {
        const carom_recording_form *form = &recording->forms[f];
        carom_json_object(json, NULL);
        if (is_sphere(form)) {
            carom_json_number(json, "radius", form->shape->bounding_radius);
        } else {
            carom_export_mesh mesh;
            carom_arena_mark mark = carom_arena_mark_here(recording->scratch);
            TRY(carom_export_mesh_make(form, extent, recording->scratch, &mesh, err));
            carom_json_integer(json, "vertices", mesh.vertex_count);
            carom_json_integer(json, "indices", mesh.index_count);
            carom_arena_rewind(recording->scratch, mark);
        }
        carom_json_bool(json, "plane", carom_shape_kind_of(form->shape) == CAROM_SHAPE_PLANE);
        carom_json_end(json);
    }
    carom_json_end(json);
    return CAROM_OK;
}

// How far apart the ends of a line may be while it is whole; left out where there is no bound.
static void describe_span(const carom_world_joint *joint, carom_json *json)
{
    double span[2];
    carom_joint_span(joint, span);
    if (carom_joint_is_line(joint->kind) && isfinite(span[1]))
        carom_json_numbers(json, "span", span, 2);
}

// Anchors are in the frames of their bodies; -1 is the world.
static void describe_joints(const carom_recording *recording, carom_json *json)
{
    static const char *const names[] = { "ball",   "hinge", "fixed", "string",
                                         "slider", "rod",   "spring" };
    carom_json_array(json, "joints");
    for (int i = 0; i < recording->joint_count; ++i) {
        const carom_world_joint *joint = &recording->joints[i];
        double a[3], b[3];
        vec3_store(joint->anchor_a, a);
        vec3_store(joint->anchor_b, b);
        carom_json_object(json, NULL);
        carom_json_string(json, "kind", names[joint->kind]);
        carom_json_integer(json, "a", joint->a);
        carom_json_integer(json, "b", joint->b);
        carom_json_numbers(json, "anchor_a", a, 3);
        carom_json_numbers(json, "anchor_b", b, 3);
        describe_span(joint, json);
        carom_json_end(json);
    }
    carom_json_end(json);
}

static carom_status read_ledger(const carom_recording *recording, int64_t first, int64_t count,
                                double *times, double *values, carom_error *err)
{
    for (int64_t m = 0; m < count; ++m) {
        carom_frame frame;
        TRY(carom_recording_frame(recording, first + m, &frame, err));
        times[m] = frame.time;
        for (int c = 0; c < carom_export_column_count; ++c)
            values[c * count + m] =
                carom_export_columns_number(&carom_export_columns[c], &frame.ledger);
    }
    return CAROM_OK;
}

carom_status carom_view_recording_rows(const carom_recording *recording, int64_t first,
                                       carom_json *json, carom_error *err)
{
    int64_t all = carom_recording_frame_count(recording), count = first < all ? all - first : 0;
    double *values, *times;
    carom_arena_mark mark = carom_arena_mark_here(recording->scratch);
    TAKE(recording->scratch, values, (size_t)count * (size_t)carom_export_column_count + 1, err);
    TAKE(recording->scratch, times, (size_t)count + 1, err);
    TRY(read_ledger(recording, first, count, times, values, err));
    carom_json_integer(json, "frames", all);
    carom_json_numbers(json, "times", times, (int)count);
    carom_json_array(json, "ledger");
    for (int c = 0; c < carom_export_column_count; ++c) {
        carom_json_object(json, NULL);
        carom_json_string(json, "name", carom_export_columns[c].name);
        carom_json_string(json, "unit", carom_export_columns[c].unit);
        carom_json_numbers(json, "values", values + c * count, (int)count);
        carom_json_end(json);
    }
    carom_json_end(json);
    carom_arena_rewind(recording->scratch, mark);
    return CAROM_OK;
}

// A run in memory keeps its contacts; a file has those it was told to record.
static bool has_contacts(const carom_recording *recording)
{
    int64_t frames = carom_recording_frame_count(recording);
    bool found = !recording->trajectory;
    for (int64_t m = 0; m < frames && !found; ++m)
        found = carom_recording_contact_count(recording, m) > 0;
    return found;
}

carom_status carom_view_recording_write(const carom_recording *recording, carom_json *json,
                                        carom_error *err)
{
    carom_json_string(json, "title", carom_recording_title(recording));
    if (recording->law)
        carom_json_string(json, "law", recording->law);
    if (carom_recording_damage(recording))
        carom_json_string(json, "damage", carom_recording_damage(recording));
    carom_json_bool(json, "contacts", has_contacts(recording));
    carom_json_object(json, "values");
    carom_json_string(json, "name", "depth");
    carom_json_string(json, "unit", "m");
    carom_json_end(json);
    describe_bodies(recording, json);
    describe_joints(recording, json);
    TRY(describe_forms(recording, json, err));
    return carom_view_recording_rows(recording, 0, json, err);
}

carom_status carom_view_recording_finish(carom_json *json, carom_status status, carom_text *text,
                                         carom_error *err)
{
    carom_json_end(json);
    const char *words = carom_json_text(json);
    if (status == CAROM_OK && words)
        carom_text_add_bytes(text, words, strlen(words));
    if (status == CAROM_OK && !words)
        status = carom_error_no_memory(err, "the description of a recording");
    carom_json_destroy(json);
    return status;
}

carom_status carom_view_recording_surfaces(carom_recording *recording, carom_text *bytes,
                                           carom_error *err)
{
    double extent = reach(recording);
    for (int f = 0; f < recording->form_count; ++f) {
        if (is_sphere(&recording->forms[f]))
            continue;
        carom_export_mesh mesh;
        carom_arena_mark mark = carom_arena_mark_here(recording->scratch);
        TRY(carom_export_mesh_make(&recording->forms[f], extent, recording->scratch, &mesh, err));
        size_t corners = (size_t)mesh.vertex_count * sizeof mesh.position[0];
        carom_text_add_bytes(bytes, (const char *)mesh.position, corners);
        carom_text_add_bytes(bytes, (const char *)mesh.normal, corners);
        carom_text_add_bytes(bytes, (const char *)mesh.index,
                             (size_t)mesh.index_count * sizeof *mesh.index);
        carom_arena_rewind(recording->scratch, mark);
    }
    return carom_text_status(bytes, err);
}

carom_status carom_view_recording_frames(const carom_recording *recording, int64_t first,
                                         int64_t count, carom_text *bytes, carom_error *err)
{
    for (int64_t m = first; m < first + count; ++m) {
        carom_frame frame;
        TRY(carom_recording_frame(recording, m, &frame, err));
        for (int i = 0; i < recording->count; ++i) {
            carom_recording_body s = carom_recording_state(recording, &frame, i);
            if (carom_recording_gone(recording, &frame, i))
                s.position.x = NAN;
            carom_view_source_pack_state(bytes, s.position, s.rotation, s.velocity, s.spin);
        }
    }
    return carom_text_status(bytes, err);
}

carom_status carom_view_recording_contacts(const carom_recording *recording, int64_t index,
                                           carom_text *bytes, carom_error *err)
{
    int count = carom_recording_contact_count(recording, index);
    carom_world_contact *list = malloc(((size_t)count + 1) * sizeof *list);
    if (!list)
        return carom_error_no_memory(err, "%d contacts", count);
    carom_status status = carom_recording_contacts(recording, index, list, err);
    for (int i = 0; status == CAROM_OK && i < count; ++i) {
        const carom_world_contact *c = &list[i];
        const int about[3] = { c->a, c->b, c->impact };
        double point[3];
        vec3_store(carom_recording_home(recording, vec3_from(c->point)), point);
        carom_view_source_pack_contact(bytes, about, point, c->normal, c->impulse, c->duration);
    }
    free(list);
    return status == CAROM_OK ? carom_text_status(bytes, err) : status;
}

// -- how deep bodies overlap ----------------------------------------------------------------------

static bool joined(const carom_recording *recording, int a, int b)
{
    for (int i = 0; i < recording->joint_count; ++i)
        if (carom_joint_binds(recording->joints[i].kind) &&
            ((recording->joints[i].a == a && recording->joints[i].b == b) ||
             (recording->joints[i].a == b && recording->joints[i].b == a)))
            return true;
    return false;
}

// Bodies that are gone stand far away from everything, each on its own.
static carom_status place_bodies(const carom_recording *recording, const carom_frame *frame,
                                 carom_collide_bodies *out, carom_error *err)
{
    const carom_shape **shape;
    vec3 *position;
    quat *rotation;
    unsigned char *fixed;
    TAKE(recording->scratch, shape, recording->count + 1, err);
    TAKE(recording->scratch, position, recording->count + 1, err);
    TAKE(recording->scratch, rotation, recording->count + 1, err);
    TAKE(recording->scratch, fixed, recording->count + 1, err);
    for (int i = 0; i < recording->count; ++i) {
        carom_recording_body state = carom_recording_state(recording, frame, i);
        bool gone = carom_recording_gone(recording, frame, i);
        shape[i] = recording->forms[recording->form[i]].shape;
        position[i] = gone ? vec3_make(0, 0, -1e6 - 1e4 * i) : state.position;
        rotation[i] = state.rotation;
        fixed[i] = gone || recording->kind[i] != CAROM_BODY_MOVING;
    }
    *out = (carom_collide_bodies){ .count = recording->count,
                                   .shape = shape,
                                   .position = position,
                                   .rotation = rotation,
                                   .fixed = fixed,
                                   .threads = 1,
                                   .period = recording->leader ? &recording->period : NULL };
    return CAROM_OK;
}

static carom_status measure(const carom_recording *recording, const carom_frame *frame,
                            carom_collide *collide, float *depth, carom_error *err)
{
    carom_collide_bodies bodies;
    int count;
    TRY(place_bodies(recording, frame, &bodies, err));
    TRY(carom_collide_find(collide, &bodies, err));
    const carom_contact *contacts = carom_collide_list(collide, &count);
    for (int i = 0; i < recording->count; ++i)
        depth[i] = 0;
    for (int i = 0; i < count; ++i) {
        const carom_contact *c = &contacts[i];
        if (c->gap >= 0 || joined(recording, c->a, c->b))
            continue;
        depth[c->a] = fmaxf(depth[c->a], (float)-c->gap);
        depth[c->b] = fmaxf(depth[c->b], (float)-c->gap);
    }
    return CAROM_OK;
}

carom_status carom_view_recording_depths(const carom_recording *recording, int64_t index,
                                         carom_text *bytes, carom_error *err)
{
    carom_frame frame;
    carom_collide *collide;
    float *depth;
    TRY(carom_recording_frame(recording, index, &frame, err));
    TRY(carom_collide_create(&collide, err));
    carom_arena_mark mark = carom_arena_mark_here(recording->scratch);
    carom_status status = CAROM_OK;
    depth = carom_arena_take(recording->scratch, (size_t)recording->count + 1, sizeof *depth);
    if (!depth)
        status = carom_arena_exhausted(recording->scratch, err);
    if (status == CAROM_OK)
        status = measure(recording, &frame, collide, depth, err);
    if (status == CAROM_OK)
        carom_text_add_bytes(bytes, (const char *)depth, (size_t)recording->count * sizeof *depth);
    carom_arena_rewind(recording->scratch, mark);
    carom_collide_destroy(collide);
    return status == CAROM_OK ? carom_text_status(bytes, err) : status;
}

// -- the source -----------------------------------------------------------------------------------

typedef struct held {
    carom_recording *recording;
    bool own;
} held;

static carom_recording *recording_of(void *self)
{
    return ((held *)self)->recording;
}

static carom_status describe(void *self, carom_text *text, carom_error *err)
{
    carom_json *json = carom_json_create();
    carom_json_object(json, NULL);
    carom_json_string(json, "kind", "recording");
    return carom_view_recording_finish(
        json, carom_view_recording_write(recording_of(self), json, err), text, err);
}

static carom_status surfaces(void *self, carom_text *bytes, carom_error *err)
{
    return carom_view_recording_surfaces(recording_of(self), bytes, err);
}

static int64_t count(void *self)
{
    return carom_recording_frame_count(recording_of(self));
}

static size_t bodies(void *self)
{
    return (size_t)carom_recording_body_count(recording_of(self));
}

static carom_status frames(void *self, int64_t first, int64_t number, carom_text *bytes,
                           carom_error *err)
{
    return carom_view_recording_frames(recording_of(self), first, number, bytes, err);
}

static carom_status contacts(void *self, int64_t index, carom_text *bytes, carom_error *err)
{
    return carom_view_recording_contacts(recording_of(self), index, bytes, err);
}

static carom_status values(void *self, int64_t index, carom_text *bytes, carom_error *err)
{
    return carom_view_recording_depths(recording_of(self), index, bytes, err);
}

static void close(void *self)
{
    held *one = self;
    if (one->own)
        carom_recording_destroy(one->recording);
    free(one);
}

static const carom_view_source_ops recording_ops = {
    .describe = describe,
    .surfaces = surfaces,
    .count = count,
    .bodies = bodies,
    .frames = frames,
    .contacts = contacts,
    .values = values,
    .close = close,
};

carom_status carom_view_recording_of(carom_recording *recording, const carom_view_source_ops **ops,
                                     void **self, carom_error *err)
{
    held *one = calloc(1, sizeof *one);
    if (!one)
        return carom_error_no_memory(err, "a recording");
    one->recording = recording;
    *ops = &recording_ops;
    *self = one;
    return CAROM_OK;
}

carom_status carom_view_recording_open(const char *path, const char *law,
                                       const carom_view_source_ops **ops, void **self,
                                       carom_error *err)
{
    carom_recording *recording = NULL;
    (void)law; // a recorded run has its own
    TRY(carom_recording_open(path, &recording, err));
    carom_status status = carom_view_recording_of(recording, ops, self, err);
    if (status == CAROM_OK)
        ((held *)*self)->own = true;
    else
        carom_recording_destroy(recording);
    return status;
}
