// Films for the page; see view_film.h. All numbers little endian, which every machine we build on
// is.
#include "view/view_film.h"

#include <math.h>
#include "carom/json.h"
#include "record/export_columns.h"
#include "record/export_mesh.h"
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

static carom_status describe_ledger(const carom_export *film, carom_json *json, carom_error *err)
{
    int64_t count = carom_export_moment_count(film);
    double *values, *times;
    carom_arena_mark mark = carom_arena_mark_here(film->scratch);
    TAKE(film->scratch, values, (size_t)count * (size_t)carom_export_column_count + 1, err);
    TAKE(film->scratch, times, (size_t)count + 1, err);
    for (int64_t m = 0; m < count; ++m) {
        carom_frame frame;
        TRY(carom_export_moment(film, m, &frame, err));
        times[m] = frame.time;
        for (int c = 0; c < carom_export_column_count; ++c)
            values[c * count + m] =
                carom_export_columns_number(&carom_export_columns[c], &frame.ledger);
    }
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

carom_status carom_view_film_describe(const carom_export *film, carom_text *text, carom_error *err)
{
    carom_json *json = carom_json_create();
    carom_json_object(json, NULL);
    carom_json_words(json, "title", carom_export_title(film));
    if (carom_export_damage(film))
        carom_json_words(json, "damage", carom_export_damage(film));
    carom_json_whole(json, "moments", carom_export_moment_count(film));
    describe_bodies(film, json);
    carom_status status = describe_forms(film, json, err);
    if (status == CAROM_OK)
        status = describe_ledger(film, json, err);
    carom_json_end(json);
    const char *words = carom_json_text(json);
    if (status == CAROM_OK && words)
        carom_text_add(text, "%s", words);
    carom_json_destroy(json);
    return status == CAROM_OK && !words
               ? carom_error_set(err, CAROM_NO_MEMORY, "no memory to describe a film")
               : status;
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
            float x = carom_export_film_gone(film, &frame, i) ? NAN : (float)s.position.x;
            const float numbers[CAROM_VIEW_FILM_FLOATS] = {
                x,
                (float)s.position.y,
                (float)s.position.z,
                (float)s.rotation.x,
                (float)s.rotation.y,
                (float)s.rotation.z,
                (float)s.rotation.w,
                (float)s.velocity.x,
                (float)s.velocity.y,
                (float)s.velocity.z,
                (float)s.spin.x,
                (float)s.spin.y,
                (float)s.spin.z,
            };
            carom_text_add_bytes(bytes, (const char *)numbers, sizeof numbers);
        }
    }
    return carom_text_status(bytes, err);
}

carom_status carom_view_film_contacts(const carom_export *film, int64_t moment, carom_text *bytes,
                                      carom_error *err)
{
    int count = 0;
    const carom_world_contact *contacts =
        film->trajectory
            ? carom_trajectory_contacts(film->trajectory, moment * film->stride, &count)
            : NULL;
    for (int i = 0; i < count; ++i) {
        const carom_world_contact *c = &contacts[i];
        float numbers[12] = { (float)c->a, (float)c->b, (float)c->impact };
        for (int k = 0; k < 3; ++k) {
            numbers[3 + k] = (float)c->point[k];
            numbers[6 + k] = (float)c->normal[k];
            numbers[9 + k] = (float)c->impulse[k];
        }
        carom_text_add_bytes(bytes, (const char *)numbers, sizeof numbers);
    }
    return carom_text_status(bytes, err);
}
