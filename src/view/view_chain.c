// A chain as its waves travel [EC]: bodies that compress are drawn slice by slice, coloured by
// their strain. The time of an impact, often microseconds, is stretched to a few seconds.
#include "view/view_static.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "carom/chain.h"

enum { SHOWN = 8, SLENDER = 30 }; // most curves in a plot; diameters
#define SECONDS 6.0               // a run lasts on the screen

typedef struct replay {
    carom_chain_file *file;
    const carom_chain *chain;
    carom_chain_result *result;
    carom_view_static *source;
    double width;  // m, radius of what has none
    double across; // how many times as thick as it is the row is drawn, so that one sees it
} replay;

static bool is_sliced(const replay *s, size_t b)
{
    const carom_chain_history *h = &s->result->history;
    return h->first_point[b + 1] - h->first_point[b] >= 3;
}

static size_t parts(const replay *s, size_t b)
{
    const carom_chain_history *h = &s->result->history;
    return is_sliced(s, b) ? h->first_point[b + 1] - h->first_point[b] - 1 : 1;
}

static double radius_of(const replay *s, const carom_chain_body *body)
{
    // Bodies in contact overlap where they are drawn: a little apart, none flickers through.
    double share = (body - s->chain->bodies) % 2 ? 0.985 : 1;
    return share * (body->radius > 0 ? body->radius : s->width);
}

static void add_bodies(replay *s)
{
    const char *const *names = carom_chain_file_names(s->file);
    int form = 0;
    carom_json_array(s->source->json, "bodies");
    for (size_t b = 0; b < s->chain->body_count; ++b) {
        bool wall = s->chain->bodies[b].kind == CAROM_CHAIN_WALL;
        for (size_t k = 0; k < parts(s, b); ++k) {
            carom_view_static_body body = { .name = names[b],
                                            .form = form++,
                                            .kind = wall,
                                            .mass =
                                                wall ? 0 : s->result->mass[b] / (double)parts(s, b),
                                            .colour = -1 };
            carom_view_static_add_body(s->source, &body);
        }
    }
    carom_json_end(s->source->json);
}

// Slice k of a body, with the thickness it had before the impact.
static void add_slice(replay *s, size_t b, size_t k)
{
    const carom_chain_history *h = &s->result->history;
    const carom_chain_body *body = &s->chain->bodies[b];
    const double *x = h->point_position + h->first_point[b] + k;
    double radius = radius_of(s, body), middle = (x[0] + x[1]) / 2 - h->position[b];
    if (body->kind == CAROM_CHAIN_SPHERE)
        radius = sqrt(fmax(radius * radius - middle * middle, 1e-4 * radius * radius));
    carom_view_static_cylinder(s->source, radius, x[1] - x[0]);
}

static void add_forms(replay *s)
{
    carom_json_array(s->source->json, "forms");
    for (size_t b = 0; b < s->chain->body_count; ++b) {
        const carom_chain_body *body = &s->chain->bodies[b];
        const double wall[3] = { 0.5 * s->width, 4 * s->width, 4 * s->width };
        if (body->kind == CAROM_CHAIN_WALL)
            carom_view_static_box(s->source, wall);
        else if (is_sliced(s, b))
            for (size_t k = 0; k < parts(s, b); ++k)
                add_slice(s, b, k);
        else if (body->kind == CAROM_CHAIN_CYLINDER)
            carom_view_static_cylinder(s->source, radius_of(s, body), body->length);
        else
            carom_view_static_sphere(s->source, radius_of(s, body));
    }
    carom_json_end(s->source->json);
}

// Nothing turns: what would be the spin is how much the body is stretched along x, y and z.
static void add_state(replay *s, size_t row, size_t b)
{
    const carom_chain_history *h = &s->result->history;
    const double *start = h->point_position + h->first_point[b], *now = start + row * h->points;
    vec3 velocity = vec3_make(h->velocity[row * h->bodies + b], 0, 0);
    vec3 whole = vec3_make(1, s->across, s->across);
    if (!is_sliced(s, b)) {
        double x = h->position[row * h->bodies + b];
        if (s->chain->bodies[b].kind == CAROM_CHAIN_WALL) // its face is where it is
            x += (b == 0 ? -0.25 : 0.25) * s->width;
        carom_view_static_state(s->source, vec3_make(x, 0, 0), quat_identity(), velocity, whole);
        carom_view_static_value(s->source, 0);
        return;
    }
    for (size_t k = 0; k < parts(s, b); ++k) {
        double rest = start[k + 1] - start[k], length = now[k + 1] - now[k];
        carom_view_static_state(s->source, vec3_make((now[k] + now[k + 1]) / 2, 0, 0),
                                quat_identity(), velocity,
                                vec3_make(rest > 0 ? length / rest : 1, s->across, s->across));
        carom_view_static_value(s->source, rest > 0 ? (rest - length) / rest : 0);
    }
}

static void add_frame(replay *s, size_t row)
{
    const carom_chain_history *h = &s->result->history;
    for (size_t b = 0; b < h->bodies; ++b)
        add_state(s, row, b);
    int part = 0;
    for (size_t c = 0; c < h->contacts; ++c) {
        double force = h->force[row * h->contacts + c];
        part += (int)parts(s, c);
        const int bodies[2] = { part - 1, part };
        size_t face = h->first_point[c + 1] > h->first_point[c] ? h->first_point[c + 1] - 1 : 0;
        double x =
            is_sliced(s, c)
                ? h->point_position[row * h->points + face]
                : (h->position[row * h->bodies + c] + h->position[row * h->bodies + c + 1]) / 2;
        const double point[3] = { x, 0, 0 }, normal[3] = { 1, 0, 0 }, push[3] = { force, 0, 0 };
        if (force > 0)
            carom_view_static_contact(s->source, bodies, point, normal, push);
    }
    carom_view_static_frame(s->source, h->time[row]);
}

// Columns of the history become curves.
static void add_curves(replay *s, const double *table, size_t columns, const char *format,
                       const char *unit, char names[SHOWN][48])
{
    size_t samples = s->result->history.samples;
    double *values = malloc((samples + 1) * sizeof *values);
    for (size_t c = 0; c < columns && c < SHOWN; ++c) {
        snprintf(names[c], sizeof names[c], "%s %zu", format, c + 1);
        for (size_t row = 0; values && row < samples; ++row)
            values[row] = table[row * columns + c];
        if (values)
            carom_view_static_curve(s->source, names[c], unit, values);
    }
    s->source->failed = s->source->failed || !values;
    free(values);
}

static void add_plots(replay *s)
{
    const carom_chain_history *h = &s->result->history;
    char names[3][SHOWN][48] = { 0 };
    static const char *const titles[] = { "velocity", "force", "approach of centres" },
                             *const units[] = { "m/s", "N", "m" };
    carom_json_array(s->source->json, "ledger");
    add_curves(s, h->velocity, h->bodies, "v", units[0], names[0]);
    add_curves(s, h->force, h->contacts, "F", units[1], names[1]);
    add_curves(s, h->approach, h->contacts, "d", units[2], names[2]);
    carom_json_end(s->source->json);
    carom_json_array(s->source->json, "panels");
    for (int p = 0; p < 3; ++p) {
        const char *list[SHOWN + 1] = { NULL };
        for (int c = 0; c < SHOWN && names[p][c][0]; ++c)
            list[c] = names[p][c];
        carom_view_static_panel(s->source, titles[p], units[p], list);
    }
    carom_json_end(s->source->json);
}

static double find_width(const replay *s)
{
    double max = 0, longest = 0;
    for (size_t b = 0; b < s->chain->body_count; ++b) {
        max = fmax(max, s->chain->bodies[b].radius);
        longest = fmax(longest, s->chain->bodies[b].length);
    }
    return max > 0 ? max : longest > 0 ? 0.1 * longest : 0.5;
}

// A row of a thousand beads is a hair: beyond SLENDER diameters it is drawn thicker.
static double find_across(const replay *s)
{
    const carom_chain_history *h = &s->result->history;
    double length = h->bodies ? h->position[h->bodies - 1] - h->position[0] : 0;
    return fmax(length / (SLENDER * 2 * s->width), 1);
}

static void tell_across(replay *s)
{
    if (s->across == 1)
        return;
    carom_json_array(s->source->json, "facts");
    carom_view_static_fact(s->source, "drawn", "%.3g times as thick as it is", s->across);
    carom_json_end(s->source->json);
}

static carom_status fill(replay *s, const char *path, carom_error *err)
{
    const char *title = carom_chain_file_title(s->file);
    const carom_chain_history *h = &s->result->history;
    double length = h->samples ? h->time[h->samples - 1] - h->time[0] : 0;
    s->width = find_width(s);
    s->across = find_across(s);
    TRY(carom_view_static_begin("chain", title ? title : path, &s->source, err));
    carom_json *json = s->source->json;
    carom_json_bool(json, "flat", 1);
    carom_json_bool(json, "stretch", 1);
    carom_json_string(json, "unit", "s");
    carom_json_string(json, "force", "N");
    carom_json_number(json, "rate", length > 0 ? length / SECONDS : 1);
    carom_json_object(json, "values");
    carom_json_string(json, "name", "compression");
    carom_json_string(json, "unit", "1");
    carom_json_bool(json, "signed", 1);
    carom_json_end(json);
    tell_across(s);
    add_bodies(s);
    add_forms(s);
    for (size_t row = 0; row < h->samples; ++row)
        add_frame(s, row);
    add_plots(s);
    return CAROM_OK;
}

carom_status carom_view_chain_open(const char *path, const char *law,
                                   const carom_view_source_ops **ops, void **self, carom_error *err)
{
    replay s = { 0 };
    (void)law;
    TRY(carom_chain_file_open(path, &s.file, err));
    s.chain = carom_chain_file_chain(s.file);
    carom_status status = CAROM_OK;
    if (!carom_chain_file_has_springs(s.file)) {
        carom_error_set(err, CAROM_UNSUPPORTED, "the chain is for time stepping only");
        carom_error_where(err, "%s", path);
        status = carom_error_fix(err, "see its result with `carom chain`, or give it springs");
    }
    if (status == CAROM_OK)
        status = carom_chain_run(s.chain, &s.result, err);
    if (status == CAROM_OK)
        status = fill(&s, path, err);
    if (s.source)
        status = carom_view_static_end(s.source, status, ops, self, err);
    carom_chain_result_destroy(s.result);
    carom_chain_file_close(s.file);
    return status;
}
