// Films for the page: trajectories, and whatever else is a carom_export.
#include "view/view_film.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "collide/collide.h"
#include "export/export_columns.h"
#include "export/export_mesh.h"
#include "shape/shape.h"

static bool is_sphere(const carom_export_form *form)
{
    return carom_shape_kind_of(form->shape) == CAROM_SHAPE_SPHERE;
}

// Planes are drawn as squares wide enough for everything that moves.
static double reach(const carom_export *film)
{
    double most = 1;
    carom_error unused = { 0 };
    int64_t count = carom_export_moment_count(film), stride = count / 64 + 1;
    for (int64_t m = 0; m < count; m += stride) {
        carom_frame frame;
        if (carom_export_moment(film, m, &frame, &unused) != CAROM_OK)
            break;
        for (int i = 0; i < film->count; ++i) {
            carom_export_state state = carom_export_film_state(&frame, i);
            if (film->kind[i] == CAROM_BODY_MOVING && !carom_export_film_gone(film, &frame, i))
                most = fmax(most, fmax(fabs(state.position.x), fabs(state.position.y)));
        }
    }
    return 3 * most;
}

static void describe_bodies(const carom_export *film, carom_json *json)
{
    carom_json_array(json, "bodies");
    for (int i = 0; i < film->count; ++i) {
        char room[64];
        carom_json_object(json, NULL);
        carom_json_words(json, "name", carom_export_film_name(film, i, room, sizeof room));
        carom_json_whole(json, "form", film->form[i]);
        carom_json_whole(json, "kind", film->kind[i]);
        carom_json_number(json, "mass", film->mass[i]);
        carom_json_whole(json, "colour", film->colour[i]);
        if (film->restitution) {
            carom_json_number(json, "restitution", film->restitution[i]);
            carom_json_number(json, "friction", film->friction[i]);
        }
        carom_json_end(json);
    }
    carom_json_end(json);
}

static carom_status describe_forms(const carom_export *film, carom_json *json, carom_error *err)
{
    double extent = reach(film);
    carom_json_array(json, "forms");
    for (int f = 0; f < film->form_count; ++f) {
        const carom_export_form *form = &film->forms[f];
        carom_json_object(json, NULL);
        if (is_sphere(form)) {
            carom_json_number(json, "radius", form->shape->bounding_radius);
        } else {
            carom_export_mesh mesh;
            carom_arena_mark mark = carom_arena_mark_here(film->scratch);
            TRY(carom_export_mesh_make(form, extent, film->scratch, &mesh, err));
            carom_json_whole(json, "vertices", mesh.vertex_count);
            carom_json_whole(json, "indices", mesh.index_count);
            carom_arena_rewind(film->scratch, mark);
        }
        carom_json_bool(json, "plane", carom_shape_kind_of(form->shape) == CAROM_SHAPE_PLANE);
        carom_json_end(json);
    }
    carom_json_end(json);
    return CAROM_OK;
}

// Anchors are in the frames of their bodies; -1 is the world.
static void describe_joints(const carom_export *film, carom_json *json)
{
    static const char *const names[] = { "ball", "hinge", "fixed", "string" };
    carom_json_array(json, "joints");
    for (int i = 0; i < film->joint_count; ++i) {
        const carom_world_joint *joint = &film->joints[i];
        double a[3], b[3];
        vec3_store(joint->anchor_a, a);
        vec3_store(joint->anchor_b, b);
        carom_json_object(json, NULL);
        carom_json_words(json, "kind", names[joint->kind]);
        carom_json_whole(json, "a", joint->a);
        carom_json_whole(json, "b", joint->b);
        carom_json_numbers(json, "anchor_a", a, 3);
        carom_json_numbers(json, "anchor_b", b, 3);
        carom_json_end(json);
    }
    carom_json_end(json);
}

static carom_status read_ledger(const carom_export *film, int64_t first, int64_t count,
                                double *times, double *values, carom_error *err)
{
    for (int64_t m = 0; m < count; ++m) {
        carom_frame frame;
        TRY(carom_export_moment(film, first + m, &frame, err));
        times[m] = frame.time;
        for (int c = 0; c < carom_export_column_count; ++c)
            values[c * count + m] =
                carom_export_columns_number(&carom_export_columns[c], &frame.ledger);
    }
    return CAROM_OK;
}

carom_status carom_view_film_rows(const carom_export *film, int64_t first, carom_json *json,
                                  carom_error *err)
{
    int64_t all = carom_export_moment_count(film), count = first < all ? all - first : 0;
    double *values, *times;
    carom_arena_mark mark = carom_arena_mark_here(film->scratch);
    TAKE(film->scratch, values, (size_t)count * (size_t)carom_export_column_count + 1, err);
    TAKE(film->scratch, times, (size_t)count + 1, err);
    TRY(read_ledger(film, first, count, times, values, err));
    carom_json_whole(json, "moments", all);
    carom_json_numbers(json, "times", times, (int)count);
    carom_json_array(json, "ledger");
    for (int c = 0; c < carom_export_column_count; ++c) {
        carom_json_object(json, NULL);
        carom_json_words(json, "name", carom_export_columns[c].name);
        carom_json_words(json, "unit", carom_export_columns[c].unit);
        carom_json_numbers(json, "values", values + c * count, (int)count);
        carom_json_end(json);
    }
    carom_json_end(json);
    carom_arena_rewind(film->scratch, mark);
    return CAROM_OK;
}

carom_status carom_view_film_write(const carom_export *film, carom_json *json, carom_error *err)
{
    carom_json_words(json, "title", carom_export_title(film));
    if (film->law)
        carom_json_words(json, "law", film->law);
    if (carom_export_damage(film))
        carom_json_words(json, "damage", carom_export_damage(film));
    carom_json_object(json, "values");
    carom_json_words(json, "name", "depth");
    carom_json_words(json, "unit", "m");
    carom_json_end(json);
    describe_bodies(film, json);
    describe_joints(film, json);
    TRY(describe_forms(film, json, err));
    return carom_view_film_rows(film, 0, json, err);
}

carom_status carom_view_film_finish(carom_json *json, carom_status status, carom_text *text,
                                    carom_error *err)
{
    carom_json_end(json);
    const char *words = carom_json_text(json);
    if (status == CAROM_OK && words)
        carom_text_add_bytes(text, words, strlen(words));
    if (status == CAROM_OK && !words)
        status = carom_error_set(err, CAROM_NO_MEMORY, "no memory to describe a film");
    carom_json_destroy(json);
    return status;
}

carom_status carom_view_film_surfaces(carom_export *film, carom_text *bytes, carom_error *err)
{
    double extent = reach(film);
    for (int f = 0; f < film->form_count; ++f) {
        if (is_sphere(&film->forms[f]))
            continue;
        carom_export_mesh mesh;
        carom_arena_mark mark = carom_arena_mark_here(film->scratch);
        TRY(carom_export_mesh_make(&film->forms[f], extent, film->scratch, &mesh, err));
        size_t corners = (size_t)mesh.vertex_count * sizeof mesh.position[0];
        carom_text_add_bytes(bytes, (const char *)mesh.position, corners);
        carom_text_add_bytes(bytes, (const char *)mesh.normal, corners);
        carom_text_add_bytes(bytes, (const char *)mesh.index,
                             (size_t)mesh.index_count * sizeof *mesh.index);
        carom_arena_rewind(film->scratch, mark);
    }
    return carom_text_status(bytes, err);
}

carom_status carom_view_film_moments(const carom_export *film, int64_t first, int64_t count,
                                     carom_text *bytes, carom_error *err)
{
    for (int64_t m = first; m < first + count; ++m) {
        carom_frame frame;
        TRY(carom_export_moment(film, m, &frame, err));
        for (int i = 0; i < film->count; ++i) {
            carom_export_state s = carom_export_film_state(&frame, i);
            if (carom_export_film_gone(film, &frame, i))
                s.position.x = NAN;
            carom_view_reel_pack_state(bytes, s.position, s.rotation, s.velocity, s.spin);
        }
    }
    return carom_text_status(bytes, err);
}

carom_status carom_view_film_contacts(const carom_export *film, int64_t moment, carom_text *bytes,
                                      carom_error *err)
{
    int count = 0;
    const carom_world_contact *contacts = carom_export_film_contacts(film, moment, &count);
    for (int i = 0; i < count; ++i) {
        const carom_world_contact *c = &contacts[i];
        const int about[3] = { c->a, c->b, c->impact };
        carom_view_reel_pack_contact(bytes, about, c->point, c->normal, c->impulse);
    }
    return carom_text_status(bytes, err);
}

// -- how deep bodies overlap ----------------------------------------------------------------------

static bool joined(const carom_export *film, int a, int b)
{
    for (int i = 0; i < film->joint_count; ++i)
        if (film->joints[i].kind != CAROM_JOINT_STRING &&
            ((film->joints[i].a == a && film->joints[i].b == b) ||
             (film->joints[i].a == b && film->joints[i].b == a)))
            return true;
    return false;
}

// Bodies that are gone stand far away from everything, each on its own.
static carom_status set_stage(const carom_export *film, const carom_frame *frame,
                              carom_collide_bodies *out, carom_error *err)
{
    const carom_shape **shape;
    vec3 *position;
    quat *rotation;
    unsigned char *fixed;
    TAKE(film->scratch, shape, film->count + 1, err);
    TAKE(film->scratch, position, film->count + 1, err);
    TAKE(film->scratch, rotation, film->count + 1, err);
    TAKE(film->scratch, fixed, film->count + 1, err);
    for (int i = 0; i < film->count; ++i) {
        carom_export_state state = carom_export_film_state(frame, i);
        bool gone = carom_export_film_gone(film, frame, i);
        shape[i] = film->forms[film->form[i]].shape;
        position[i] = gone ? vec3_make(0, 0, -1e6 - 1e4 * i) : state.position;
        rotation[i] = state.rotation;
        fixed[i] = gone || film->kind[i] != CAROM_BODY_MOVING;
    }
    *out = (carom_collide_bodies){ .count = film->count,
                                   .shape = shape,
                                   .position = position,
                                   .rotation = rotation,
                                   .fixed = fixed,
                                   .threads = 1 };
    return CAROM_OK;
}

static carom_status measure(const carom_export *film, const carom_frame *frame,
                            carom_collide *collide, float *depth, carom_error *err)
{
    carom_collide_bodies bodies;
    int count;
    TRY(set_stage(film, frame, &bodies, err));
    TRY(carom_collide_find(collide, &bodies, err));
    const carom_contact *contacts = carom_collide_list(collide, &count);
    for (int i = 0; i < film->count; ++i)
        depth[i] = 0;
    for (int i = 0; i < count; ++i) {
        const carom_contact *c = &contacts[i];
        if (c->gap >= 0 || joined(film, c->a, c->b))
            continue;
        depth[c->a] = fmaxf(depth[c->a], (float)-c->gap);
        depth[c->b] = fmaxf(depth[c->b], (float)-c->gap);
    }
    return CAROM_OK;
}

carom_status carom_view_film_depths(const carom_export *film, int64_t moment, carom_text *bytes,
                                    carom_error *err)
{
    carom_frame frame;
    carom_collide *collide;
    float *depth;
    TRY(carom_export_moment(film, moment, &frame, err));
    TRY(carom_collide_create(&collide, err));
    carom_arena_mark mark = carom_arena_mark_here(film->scratch);
    carom_status status = CAROM_OK;
    depth = carom_arena_take(film->scratch, (size_t)film->count + 1, sizeof *depth);
    if (!depth)
        status = carom_arena_exhausted(film->scratch, err);
    if (status == CAROM_OK)
        status = measure(film, &frame, collide, depth, err);
    if (status == CAROM_OK)
        carom_text_add_bytes(bytes, (const char *)depth, (size_t)film->count * sizeof *depth);
    carom_arena_rewind(film->scratch, mark);
    carom_collide_destroy(collide);
    return status == CAROM_OK ? carom_text_status(bytes, err) : status;
}

// -- the reel -----------------------------------------------------------------------------------

typedef struct held {
    carom_export *film;
    bool own;
} held;

static carom_export *film_of(void *self)
{
    return ((held *)self)->film;
}

static carom_status describe(void *self, carom_text *text, carom_error *err)
{
    carom_json *json = carom_json_create();
    carom_json_object(json, NULL);
    carom_json_words(json, "kind", "film");
    return carom_view_film_finish(json, carom_view_film_write(film_of(self), json, err), text, err);
}

static carom_status surfaces(void *self, carom_text *bytes, carom_error *err)
{
    return carom_view_film_surfaces(film_of(self), bytes, err);
}

static int64_t count(void *self)
{
    return carom_export_moment_count(film_of(self));
}

static size_t bodies(void *self)
{
    return (size_t)carom_export_body_count(film_of(self));
}

static carom_status moments(void *self, int64_t first, int64_t number, carom_text *bytes,
                            carom_error *err)
{
    return carom_view_film_moments(film_of(self), first, number, bytes, err);
}

static carom_status contacts(void *self, int64_t moment, carom_text *bytes, carom_error *err)
{
    return carom_view_film_contacts(film_of(self), moment, bytes, err);
}

static carom_status values(void *self, int64_t moment, carom_text *bytes, carom_error *err)
{
    return carom_view_film_depths(film_of(self), moment, bytes, err);
}

static void close(void *self)
{
    held *one = self;
    if (one->own)
        carom_export_destroy(one->film);
    free(one);
}

static const carom_view_maker film_maker = {
    .describe = describe,
    .surfaces = surfaces,
    .count = count,
    .bodies = bodies,
    .moments = moments,
    .contacts = contacts,
    .values = values,
    .close = close,
};

carom_status carom_view_film_of(carom_export *film, const carom_view_maker **maker, void **self,
                                carom_error *err)
{
    held *one = calloc(1, sizeof *one);
    if (!one)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for a film");
    one->film = film;
    *maker = &film_maker;
    *self = one;
    return CAROM_OK;
}

carom_status carom_view_film_open(const char *path, const char *law, const carom_view_maker **maker,
                                  void **self, carom_error *err)
{
    carom_export *film = NULL;
    (void)law; // a recorded run has its own
    TRY(carom_export_open(path, &film, err));
    carom_status status = carom_view_film_of(film, maker, self, err);
    if (status == CAROM_OK)
        ((held *)*self)->own = true;
    else
        carom_export_destroy(film);
    return status;
}
