// A tower as it falls [Collapse]: its own motion, recorded when a file is opened. The plane of the
// tower becomes x and z, so that up is up.
#include "view/view_static.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "pictures/tower_picture.h"

enum {
    STEPS = 1024,      // of 1/128: eight times the time that a brick falls its length in
    EVERY = 4,         // a frame
    WORK_MAX = 120000, // steps times bodies: larger towers are shown for a shorter time
    FRAMES_MAX = 1500, // of a recording that somebody else recorded
};

typedef struct replay {
    const carom_tower *tower;
    const carom_tower_instant *instant;
    const carom_tower_recording *recording;
    tower_window window;
    carom_view_static *source;
    int extra;  // supports, which are no bodies of the tower
    int stride; // frames of the recording per frame that is shown
} replay;

static quat turn(double angle)
{
    return (quat){ .w = cos(angle / 2), .x = 0, .y = -sin(angle / 2), .z = 0 };
}

// -- bodies and supports --------------------------------------------------------------------------

static void add_bodies(replay *s)
{
    const carom_tower *t = s->tower;
    carom_json_array(s->source->json, "bodies");
    for (int b = 0; b < t->public_body_count; ++b) {
        char name[32];
        bool fixed = carom_tower_body_fixed(t, b);
        snprintf(name, sizeof name, "body %d", b);
        carom_view_static_body body = { .name = name,
                                        .form = b,
                                        .kind = fixed,
                                        .mass = fixed ? 0 : carom_tower_body_mass(t, b),
                                        .colour = -1 };
        carom_view_static_add_body(s->source, &body);
    }
    for (int i = 0; i < s->extra; ++i) {
        carom_view_static_body body = {
            .name = "support", .form = t->public_body_count + i, .kind = 1, .colour = -1
        };
        carom_view_static_add_body(s->source, &body);
    }
    carom_json_end(s->source->json);
}

static void add_table(replay *s, const tower_shape *shape)
{
    const carom_tower *t = s->tower;
    const tower_window *w = &s->window;
    double outline[2 * CAROM_TOWER_CORNERS_MAX];
    for (int v = 0; v < shape->count; ++v) {
        const tower_anchor *a = &t->anchors[tower_corner(t, shape, v)];
        outline[2 * v] = fmin(fmax(t->bodies[a->body].x + a->rx, w->low_x), w->high_x);
        outline[2 * v + 1] = fmin(fmax(t->bodies[a->body].y + a->ry, w->low_y), w->high_y);
    }
    carom_view_static_prism(s->source, outline, shape->count, t->size);
}

// A half plane: a slab below its line, as wide as the window.
static void add_plane(replay *s, const tower_plane *p)
{
    const tower_window *w = &s->window;
    double half = (w->high_x - w->low_x + w->high_y - w->low_y) / 2, deep = 0.1 * s->tower->size;
    double middle_x = (w->low_x + w->high_x) / 2, middle_y = (w->low_y + w->high_y) / 2;
    double tx = p->ny, ty = -p->nx; // along the line, to the right of the normal
    double along = (middle_x - p->x) * tx + (middle_y - p->y) * ty;
    double x = p->x + along * tx, y = p->y + along * ty;
    const double outline[8] = {
        x - half * tx,
        y - half * ty,
        x - half * tx - deep * p->nx,
        y - half * ty - deep * p->ny,
        x + half * tx - deep * p->nx,
        y + half * ty - deep * p->ny,
        x + half * tx,
        y + half * ty,
    };
    carom_view_static_prism(s->source, outline, 4, s->tower->size);
}

static void add_forms(replay *s)
{
    const carom_tower *t = s->tower;
    carom_json_array(s->source->json, "forms");
    for (int b = 0; b < t->public_body_count; ++b) {
        double corners[2 * CAROM_TOWER_CORNERS_MAX];
        int count = carom_tower_picture_corners(t, b, (double[]){ 0, 0, 0 }, corners);
        if (count < 3)
            carom_view_static_sphere(s->source, 0.1 * (t->size > 0 ? t->size : 1));
        else
            carom_view_static_prism(s->source, corners, count, 0.5 * t->size);
    }
    for (int i = 0; i < t->shape_count; ++i)
        if (t->shapes[i].owner < 0)
            add_table(s, &t->shapes[i]);
    for (int i = 0; i < t->plane_count; ++i)
        add_plane(s, &t->planes[i]);
    carom_json_end(s->source->json);
}

static void add_ties(replay *s)
{
    const carom_tower *t = s->tower;
    carom_json_array(s->source->json, "joints");
    for (int i = 0; i < t->bar_count; ++i) {
        static const char *const keys[] = { "a", "b" }, *const anchors[] = { "anchor_a",
                                                                             "anchor_b" };
        carom_json_object(s->source->json, NULL);
        carom_json_string(s->source->json, "kind", t->bars[i].length > 0 ? "string" : "hinge");
        for (int k = 0; k < 2; ++k) {
            const tower_anchor *a = &t->anchors[k ? t->bars[i].b : t->bars[i].a];
            bool world = a->body >= t->public_body_count;
            const tower_body *body = &t->bodies[a->body];
            const double place[3] = { a->rx + (world ? body->x : 0), 0,
                                      a->ry + (world ? body->y : 0) };
            carom_json_integer(s->source->json, keys[k], world ? -1 : a->body);
            carom_json_numbers(s->source->json, anchors[k], place, 3);
        }
        carom_json_end(s->source->json);
    }
    carom_json_end(s->source->json);
}

// -- frames --------------------------------------------------------------------------------------

static void add_forces(replay *s)
{
    for (int i = 0; i < s->instant->force_count; ++i) {
        const carom_tower_force *f = &s->instant->forces[i];
        bool up = f->normal[1] >= 0; // shown is what the lower one does to the upper one
        double way = up ? 1 : -1;
        const int bodies[2] = { up ? f->a : f->b, up ? f->b : f->a };
        const double point[3] = { f->point[0], 0, f->point[1] },
                     normal[3] = { way * f->normal[0], 0, way * f->normal[1] },
                     force[3] = { way * (f->force * f->normal[0] - f->tangent * f->normal[1]), 0,
                                  way * (f->force * f->normal[1] + f->tangent * f->normal[0]) };
        carom_view_static_contact(s->source, bodies, point, normal, force);
    }
}

static void add_frame(replay *s, int n)
{
    const carom_tower_recording *recording = s->recording;
    vec3 none = vec3_make(0, 0, 0);
    for (int b = 0; b < recording->bodies; ++b) {
        const double *p =
            recording->place + 3 * ((size_t)n * (size_t)recording->bodies + (size_t)b);
        vec3 velocity = none, spin = none;
        if (n > 0) {
            const double *q = p - 3 * (size_t)recording->bodies;
            double dt = recording->time[n] - recording->time[n - 1];
            velocity = vec3_make((p[0] - q[0]) / dt, 0, (p[1] - q[1]) / dt);
            spin = vec3_make(0, -(p[2] - q[2]) / dt, 0);
        }
        carom_view_static_state(s->source, vec3_make(p[0], 0, p[1]), turn(p[2]), velocity, spin);
    }
    for (int i = 0; i < s->extra; ++i)
        carom_view_static_state(s->source, none, quat_identity(), none, none);
    if (n == 0)
        add_forces(s);
    carom_view_static_frame(s->source, recording->time[n]);
}

// Every stride-th number of a curve.
static void add_curve(replay *s, const char *name, const char *unit, const double *values)
{
    double *some = malloc(((size_t)s->source->count + 1) * sizeof *some);
    if (!some) {
        s->source->failed = true;
        return;
    }
    for (int64_t k = 0; k < s->source->count; ++k)
        some[k] = values[k * s->stride];
    carom_view_static_curve(s->source, name, unit, some);
    free(some);
}

static void add_plots(replay *s)
{
    static const char *const energy[] = { "kinetic", "potential", NULL }, *const overlap[] = {
        "deepest", NULL
    };
    carom_json_array(s->source->json, "ledger");
    add_curve(s, "kinetic", "m g L", s->recording->kinetic);
    add_curve(s, "potential", "m g L", s->recording->potential);
    add_curve(s, "deepest", "L", s->recording->penetration);
    carom_json_end(s->source->json);
    carom_json_array(s->source->json, "panels");
    carom_view_static_panel(s->source, "energy", "m g L", energy);
    carom_view_static_panel(s->source, "overlap", "L", overlap);
    carom_json_end(s->source->json);
}

static void add_facts(replay *s)
{
    const carom_tower_instant *i = s->instant;
    carom_json_array(s->source->json, "facts");
    carom_view_static_fact(s->source, i->stable ? "it stands" : "it falls", "%s",
                           i->stable ? "arrows (A): forces that balance it"
                                     : "arrows (A): forces of the first instant");
    carom_view_static_fact(s->source, "bodies", "%d", carom_tower_bodies(s->tower));
    carom_view_static_fact(s->source, "sum of m a²", "%.6g m g²", i->sum_m_a2);
    carom_view_static_fact(s->source, "support force", "%.6g m g", i->support_force);
    carom_json_end(s->source->json);
}

// -- opening --------------------------------------------------------------------------------------

static carom_status fill(replay *s, const char *title, carom_error *err)
{
    s->window = carom_tower_picture_window(s->tower, s->recording);
    s->extra = s->tower->plane_count;
    for (int i = 0; i < s->tower->shape_count; ++i)
        s->extra += s->tower->shapes[i].owner < 0;
    s->stride = (s->recording->frames + FRAMES_MAX - 1) / FRAMES_MAX;
    TRY(carom_view_static_begin("tower", title, &s->source, err));
    carom_json *json = s->source->json;
    carom_json_bool(json, "flat", 1);
    carom_json_string(json, "unit", "sqrt(L/g)");
    carom_json_string(json, "force", "m g");
    add_facts(s);
    add_bodies(s);
    add_forms(s);
    add_ties(s);
    for (int n = 0; n < s->recording->frames; n += s->stride)
        add_frame(s, n);
    add_plots(s);
    return CAROM_OK;
}

carom_status carom_view_tower_of(const carom_view_tower *tower, const carom_view_source_ops **ops,
                                 void **self, carom_error *err)
{
    carom_tower_motion_options options = carom_tower_motion_default();
    carom_tower_recording still = { 0 };
    carom_status status = CAROM_OK;
    if (!tower->recording)
        status = carom_tower_record(tower->tower, &options, 0, 1, &still, err);
    replay s = { .tower = tower->tower,
                 .instant = tower->instant,
                 .recording = tower->recording ? tower->recording : &still };
    if (status == CAROM_OK)
        status = fill(&s, tower->title, err);
    if (s.source)
        status = carom_view_static_end(s.source, status, ops, self, err);
    carom_tower_recording_free(&still);
    return status;
}

typedef struct made {
    carom_tower *tower;
    carom_tower_instant instant;
    carom_tower_recording recording;
} made;

static carom_status record(made *m, const char *path, carom_error *err)
{
    carom_tower_motion_options options = carom_tower_motion_default();
    TRY(carom_tower_file_load(path, &m->tower, err));
    TRY(carom_tower_initial(m->tower, CAROM_TOWER_AUTO, &m->instant, err));
    int bodies = carom_tower_bodies(m->tower);
    long steps = m->instant.stable ? 0 : STEPS;
    if (steps * bodies > WORK_MAX)
        steps = WORK_MAX / bodies > 64 ? WORK_MAX / bodies : 64;
    carom_status status = carom_tower_record(m->tower, &options, steps, EVERY, &m->recording, err);
    // What was recorded before a failure is worth seeing.
    return m->recording.frames > 0 ? CAROM_OK : status;
}

carom_status carom_view_tower_open(const char *path, const char *law,
                                   const carom_view_source_ops **ops, void **self, carom_error *err)
{
    made m = { 0 };
    const char *slash = strrchr(path, '/');
    char title[160];
    (void)law;
    snprintf(title, sizeof title, "%.100s", slash ? slash + 1 : path);
    title[strcspn(title, ".")] = 0;
    carom_status status = record(&m, path, err);
    if (status == CAROM_OK) {
        carom_view_tower tower = { m.tower, &m.instant, &m.recording, title };
        status = carom_view_tower_of(&tower, ops, self, err);
    }
    carom_tower_recording_free(&m.recording);
    carom_tower_initial_free(&m.instant);
    carom_tower_destroy(m.tower);
    return status;
}
