// Packs bodies, surfaces, states and plots of a finished source into the bytes of the page.
#include "view/view_static.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "math/constants.h"

enum { SIDES = 40 }; // of round things

carom_status carom_view_static_begin(const char *kind, const char *title, carom_view_static **out,
                                     carom_error *err)
{
    carom_view_static *source = *out = calloc(1, sizeof *source);
    if (!source)
        return carom_error_no_memory(err, "a view");
    source->json = carom_json_create();
    carom_json_object(source->json, NULL);
    carom_json_string(source->json, "kind", kind);
    carom_json_string(source->json, "title", title);
    return CAROM_OK;
}

// -- bodies and forms -----------------------------------------------------------------------------

void carom_view_static_add_body(carom_view_static *source, const carom_view_static_body *body)
{
    carom_json_object(source->json, NULL);
    carom_json_string(source->json, "name", body->name);
    carom_json_integer(source->json, "form", body->form);
    carom_json_integer(source->json, "kind", body->kind);
    carom_json_number(source->json, "mass", body->mass);
    carom_json_integer(source->json, "colour", body->colour);
    carom_json_end(source->json);
    ++source->body_count;
}

void carom_view_static_sphere(carom_view_static *source, double radius)
{
    carom_json_object(source->json, NULL);
    carom_json_number(source->json, "radius", radius);
    carom_json_bool(source->json, "plane", 0);
    carom_json_end(source->json);
}

static void add_flat_normals(carom_text *bytes, const carom_view_static_surface *surface)
{
    for (int i = 0; i + 2 < surface->corners; i += 3) {
        vec3 p[3];
        for (int k = 0; k < 3; ++k)
            p[k] =
                vec3_make((double)surface->position[i + k][0], (double)surface->position[i + k][1],
                          (double)surface->position[i + k][2]);
        vec3 n = vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0]));
        double length = vec3_length(n);
        n = length > 0 ? vec3_scale(1 / length, n) : vec3_make(0, 0, 1);
        const float one[3] = { (float)n.x, (float)n.y, (float)n.z };
        for (int k = 0; k < 3; ++k)
            carom_text_add_bytes(bytes, (const char *)one, sizeof one);
    }
}

void carom_view_static_mesh(carom_view_static *source, const carom_view_static_surface *surface)
{
    carom_text *bytes = &source->surfaces;
    size_t corners = (size_t)surface->corners;
    carom_json_object(source->json, NULL);
    carom_json_integer(source->json, "vertices", surface->corners);
    carom_json_integer(source->json, "indices", surface->corners);
    carom_json_integer(source->json, "channels", surface->channels);
    carom_json_bool(source->json, "plane", 0);
    carom_json_end(source->json);
    carom_text_add_bytes(bytes, (const char *)surface->position, 12 * corners);
    if (surface->normal)
        carom_text_add_bytes(bytes, (const char *)surface->normal, 12 * corners);
    else
        add_flat_normals(bytes, surface);
    for (int c = 0; c < surface->channels; ++c)
        carom_text_add_bytes(bytes, (const char *)surface->channel[c], 4 * corners);
    for (uint32_t i = 0; i < corners; ++i)
        carom_text_add_bytes(bytes, (const char *)&i, sizeof i);
}

typedef struct soup {
    float (*position)[3];
    int count;
} soup;

static void add_corner(soup *s, double x, double y, double z)
{
    float *p = s->position[s->count++];
    p[0] = (float)x;
    p[1] = (float)y;
    p[2] = (float)z;
}

void carom_view_static_prism(carom_view_static *source, const double *outline, int corners,
                             double thickness)
{
    double half = thickness / 2;
    soup s = { malloc((size_t)corners * 12 * sizeof *s.position), 0 };
    if (!s.position) {
        source->failed = true;
        return;
    }
    const double *o = outline;
    for (int i = 0; i < corners; ++i) {
        const double *a = o + 2 * i, *b = o + 2 * ((i + 1) % corners);
        if (i > 0 && i + 1 < corners) { // seen from the front (-y) and from the back
            add_corner(&s, o[0], -half, o[1]);
            add_corner(&s, a[0], -half, a[1]);
            add_corner(&s, b[0], -half, b[1]);
            add_corner(&s, o[0], half, o[1]);
            add_corner(&s, b[0], half, b[1]);
            add_corner(&s, a[0], half, a[1]);
        }
        add_corner(&s, a[0], -half, a[1]);
        add_corner(&s, a[0], half, a[1]);
        add_corner(&s, b[0], half, b[1]);
        add_corner(&s, a[0], -half, a[1]);
        add_corner(&s, b[0], half, b[1]);
        add_corner(&s, b[0], -half, b[1]);
    }
    carom_view_static_surface surface = { .position = (const float(*)[3])s.position,
                                          .corners = s.count };
    carom_view_static_mesh(source, &surface);
    free(s.position);
}

void carom_view_static_box(carom_view_static *source, const double size[3])
{
    double x = size[0] / 2, z = size[2] / 2;
    const double outline[8] = { -x, -z, x, -z, x, z, -x, z };
    carom_view_static_prism(source, outline, 4, size[1]);
}

void carom_view_static_cylinder(carom_view_static *source, double radius, double length)
{
    float position[SIDES * 12][3];
    soup s = { position, 0 };
    double half = length / 2;
    for (int i = 0; i < SIDES; ++i) {
        double y[2], z[2];
        for (int k = 0; k < 2; ++k) {
            double angle = CAROM_TWO_PI * (i + k) / SIDES;
            y[k] = radius * cos(angle);
            z[k] = radius * sin(angle);
        }
        for (int end = -1; end <= 1; end += 2) {
            int first = end < 0;
            add_corner(&s, end * half, 0, 0);
            add_corner(&s, end * half, y[first], z[first]);
            add_corner(&s, end * half, y[!first], z[!first]);
        }
        add_corner(&s, -half, y[0], z[0]);
        add_corner(&s, half, y[1], z[1]);
        add_corner(&s, half, y[0], z[0]);
        add_corner(&s, -half, y[0], z[0]);
        add_corner(&s, -half, y[1], z[1]);
        add_corner(&s, half, y[1], z[1]);
    }
    carom_view_static_surface surface = { .position = (const float(*)[3])position,
                                          .corners = s.count };
    carom_view_static_mesh(source, &surface);
}

// -- frames --------------------------------------------------------------------------------------

void carom_view_static_state(carom_view_static *source, vec3 position, quat rotation, vec3 velocity,
                             vec3 spin)
{
    carom_view_source_pack_state(&source->frames, position, rotation, velocity, spin);
}

void carom_view_static_contact(carom_view_static *source, const int bodies[2],
                               const double point[3], const double normal[3],
                               const double impulse[3])
{
    const int about[3] = { bodies[0], bodies[1], 1 };
    carom_view_source_pack_contact(&source->contacts, about, point, normal, impulse, 0);
}

void carom_view_static_value(carom_view_static *source, double value)
{
    float number = (float)value;
    carom_text_add_bytes(&source->values, (const char *)&number, sizeof number);
}

static bool grow(carom_view_static *source)
{
    int64_t room = 2 * source->room + 64;
    size_t *contacts = realloc(source->contact_end, (size_t)room * sizeof *contacts);
    if (contacts)
        source->contact_end = contacts;
    size_t *values = realloc(source->value_end, (size_t)room * sizeof *values);
    if (values)
        source->value_end = values;
    double *time = realloc(source->time, (size_t)room * sizeof *time);
    if (time)
        source->time = time;
    if (!contacts || !values || !time)
        return false;
    source->room = room;
    return true;
}

void carom_view_static_frame(carom_view_static *source, double time)
{
    if (source->count == source->room && !grow(source)) {
        source->failed = true;
        return;
    }
    source->time[source->count] = time;
    source->contact_end[source->count] = source->contacts.length;
    source->value_end[source->count++] = source->values.length;
}

// -- plots ----------------------------------------------------------------------------------------

void carom_view_static_curve(carom_view_static *source, const char *name, const char *unit,
                             const double *values)
{
    carom_json_object(source->json, NULL);
    carom_json_string(source->json, "name", name);
    carom_json_string(source->json, "unit", unit);
    carom_json_numbers(source->json, "values", values, (int)source->count);
    carom_json_end(source->json);
}

void carom_view_static_panel(carom_view_static *source, const char *title, const char *unit,
                             const char *const *curves)
{
    carom_json_object(source->json, NULL);
    carom_json_string(source->json, "title", title);
    carom_json_string(source->json, "unit", unit);
    carom_json_array(source->json, "columns");
    for (int i = 0; curves[i]; ++i)
        carom_json_string(source->json, NULL, curves[i]);
    carom_json_end(source->json);
    carom_json_end(source->json);
}

void carom_view_static_fact(carom_view_static *source, const char *name, const char *words, ...)
{
    char text[160];
    va_list list;
    va_start(list, words);
    vsnprintf(text, sizeof text, words, list);
    va_end(list);
    carom_json_array(source->json, NULL);
    carom_json_string(source->json, NULL, name);
    carom_json_string(source->json, NULL, text);
    carom_json_end(source->json);
}

// -- the source ---------------------------------------------------------------------------------

static carom_status give(const carom_text *from, size_t start, size_t end, carom_text *out,
                         carom_error *err)
{
    if (end > start)
        carom_text_add_bytes(out, from->bytes + start, end - start);
    return carom_text_status(out, err);
}

static carom_status describe(void *self, carom_text *json, carom_error *err)
{
    carom_view_static *source = self;
    return give(&source->describe, 0, source->describe.length, json, err);
}

static carom_status surfaces(void *self, carom_text *bytes, carom_error *err)
{
    carom_view_static *source = self;
    return give(&source->surfaces, 0, source->surfaces.length, bytes, err);
}

static int64_t count(void *self)
{
    return ((carom_view_static *)self)->count;
}

static size_t bodies(void *self)
{
    return ((carom_view_static *)self)->body_count;
}

static carom_status frames(void *self, int64_t first, int64_t number, carom_text *bytes,
                           carom_error *err)
{
    carom_view_static *source = self;
    size_t size = source->body_count * CAROM_VIEW_FLOATS * sizeof(float);
    return give(&source->frames, (size_t)first * size, (size_t)(first + number) * size, bytes, err);
}

static carom_status contacts(void *self, int64_t index, carom_text *bytes, carom_error *err)
{
    carom_view_static *source = self;
    size_t start = index > 0 ? source->contact_end[index - 1] : 0;
    return give(&source->contacts, start, source->contact_end[index], bytes, err);
}

static carom_status values(void *self, int64_t index, carom_text *bytes, carom_error *err)
{
    carom_view_static *source = self;
    size_t start = index > 0 ? source->value_end[index - 1] : 0;
    return give(&source->values, start, source->value_end[index], bytes, err);
}

static void close(void *self)
{
    carom_view_static *source = self;
    carom_json_destroy(source->json);
    carom_text_free(&source->describe);
    carom_text_free(&source->surfaces);
    carom_text_free(&source->frames);
    carom_text_free(&source->contacts);
    carom_text_free(&source->values);
    free(source->contact_end);
    free(source->value_end);
    free(source->time);
    free(source);
}

static const carom_view_source_ops static_ops = {
    .describe = describe,
    .surfaces = surfaces,
    .count = count,
    .bodies = bodies,
    .frames = frames,
    .contacts = contacts,
    .values = values,
    .close = close,
};

carom_status carom_view_static_end(carom_view_static *source, carom_status status,
                                   const carom_view_source_ops **ops, void **self, carom_error *err)
{
    carom_json *json = source->json;
    carom_json_integer(json, "frames", source->count);
    carom_json_numbers(json, "times", source->time, (int)source->count);
    carom_json_end(json);
    const char *words = status == CAROM_OK ? carom_json_text(json) : NULL;
    if (words)
        carom_text_add_bytes(&source->describe, words, strlen(words));
    bool failed = source->failed || source->describe.failed || source->surfaces.failed ||
                  source->frames.failed || source->contacts.failed || source->values.failed;
    if (status == CAROM_OK && (!words || failed))
        status = carom_error_no_memory(err, "a view");
    if (status != CAROM_OK) {
        close(source);
        return status;
    }
    carom_json_destroy(json);
    source->json = NULL;
    *ops = &static_ops;
    *self = source;
    return CAROM_OK;
}
