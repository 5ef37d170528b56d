// One instant of impact, sweep by sweep: how the wave of impulses runs through the contacts.
//
// The recording has three parts. Bodies come in with their velocities before; then they stand still
// while the law works, one frame per sweep, with the velocities that the impulses so far give;
// then they leave with the result. Its time counts sweeps.
#include "view/view_static.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "carom/impact.h"
#include "carom/scene.h"
#include "pictures/compare_view.h"

enum {
    FRAMES_MAX = 400, // of sweeps; beyond that every second, fourth, ... one is kept
    FLIGHT = 12,      // frames before and after
};
#define FLIGHT_LENGTH 6.0 // of either part, in sweeps
#define FLIGHT_SHARE 0.5  // of the size of everything, that the fastest body flies
#define SWEEPS_PER_SECOND 4.0

typedef struct frame {
    int sweep;
    double (*p)[3];
} frame;

// What was observed of the law. Islands come one after the other: what an island adds at a sweep
// belongs to this sweep and all later ones.
typedef struct record {
    int contacts;
    frame *frames;
    int count, stride;
    double (*last)[3]; // impulses of the last report
    bool failed;
} record;

typedef struct replay {
    carom_scene_impact *scene;
    const carom_impact *impact;
    const carom_law *law;
    carom_law_options options;
    record observed;
    carom_impact_outcome outcome;
    carom_compare_painter looks;
    carom_compare *compare; // only to find out how bodies look
    int *plates;            // contacts that show a plate of an immovable body
    int plate_count;
    double radius; // m, of everything
    double slow;   // s per sweep of the flights
    double *energy, *approach, *push;
    double (*velocity)[3], (*spin)[3]; // of the frame being written
    char (*labels)[64];
    carom_view_static *source;
} replay;

// -- listening to the law -------------------------------------------------------------------------

static void thin(record *r)
{
    int kept = 0;
    r->stride *= 2;
    for (int i = 0; i < r->count; ++i)
        if (r->frames[i].sweep % r->stride == 0)
            r->frames[kept++] = r->frames[i];
        else
            free(r->frames[i].p);
    r->count = kept;
}

// The frame of a sweep, made from the one before where there is none yet; null without memory.
static frame *frame_at(record *r, int sweep)
{
    int at = r->count;
    while (at > 0 && r->frames[at - 1].sweep >= sweep)
        --at;
    if (at < r->count && r->frames[at].sweep == sweep)
        return &r->frames[at];
    frame fresh = { sweep, calloc((size_t)r->contacts + 1, sizeof *fresh.p) };
    if (!fresh.p)
        return NULL;
    if (at > 0)
        memcpy(fresh.p, r->frames[at - 1].p, (size_t)r->contacts * sizeof *fresh.p);
    memmove(r->frames + at + 1, r->frames + at, (size_t)(r->count - at) * sizeof *r->frames);
    r->frames[at] = fresh;
    ++r->count;
    return &r->frames[at];
}

static void observe(void *context, int sweep, const double (*impulses)[3])
{
    record *r = context;
    if (sweep % r->stride != 0 || r->failed)
        return;
    if (r->count == FRAMES_MAX) {
        thin(r);
        observe(context, sweep, impulses);
        return;
    }
    frame *from = frame_at(r, sweep);
    if (!from) {
        r->failed = true;
        return;
    }
    for (int i = 0; i < r->contacts; ++i)
        for (int k = 0; k < 3; ++k) {
            double more = impulses[i][k] - r->last[i][k];
            r->last[i][k] = impulses[i][k];
            for (frame *f = from; more != 0 && f < r->frames + r->count; ++f)
                f->p[i][k] += more;
        }
}

// -- velocities from impulses ---------------------------------------------------------------------

static vec3 push_of(const carom_impact_contact *c, const double p[3])
{
    double t1[3], t2[3];
    carom_impact_tangents(c->normal, t1, t2);
    vec3 out = vec3_scale(p[0], vec3_from(c->normal));
    out = vec3_axpy(out, p[1], vec3_from(t1));
    return vec3_axpy(out, p[2], vec3_from(t2));
}

static sym3 inverse_inertia(const carom_impact_body *b)
{
    const double *s = b->inverse_inertia;
    return (sym3){ s[0], s[1], s[2], s[3], s[4], s[5] };
}

static void strike(replay *s, int body, const carom_impact_contact *c, vec3 push)
{
    const carom_impact_body *b = &s->impact->bodies[body];
    vec3 arm = vec3_sub(vec3_from(c->point), vec3_from(b->position));
    vec3 v = vec3_axpy(vec3_from(s->velocity[body]), b->inverse_mass, push);
    vec3 w =
        vec3_add(vec3_from(s->spin[body]), sym3_mul(inverse_inertia(b), vec3_cross(arm, push)));
    vec3_store(v, s->velocity[body]);
    vec3_store(w, s->spin[body]);
}

// Null impulses: as before the impact.
static void find_velocities(replay *s, const double (*p)[3])
{
    for (int i = 0; i < s->impact->body_count; ++i) {
        memcpy(s->velocity[i], s->impact->bodies[i].velocity, sizeof s->velocity[i]);
        memcpy(s->spin[i], s->impact->bodies[i].spin, sizeof s->spin[i]);
    }
    for (int i = 0; p && i < s->impact->contact_count; ++i) {
        const carom_impact_contact *c = &s->impact->contacts[i];
        vec3 push = push_of(c, p[i]);
        strike(s, c->b, c, push);
        strike(s, c->a, c, vec3_neg(push));
    }
}

static double kinetic(const replay *s)
{
    double sum = 0;
    for (int i = 0; i < s->impact->body_count; ++i) {
        const carom_impact_body *b = &s->impact->bodies[i];
        vec3 v = vec3_from(s->velocity[i]), w = vec3_from(s->spin[i]);
        if (b->inverse_mass <= 0)
            continue;
        sum += 0.5 * vec3_dot(v, v) / b->inverse_mass;
        sym3 inverse = inverse_inertia(b);
        if (sym3_det(inverse) > 0)
            sum += 0.5 * vec3_dot(w, sym3_mul(sym3_inverse(inverse), w));
    }
    return sum;
}

static double fastest_approach(const replay *s)
{
    double max = 0;
    for (int i = 0; i < s->impact->contact_count; ++i) {
        const carom_impact_contact *c = &s->impact->contacts[i];
        vec3 v[2];
        const int bodies[2] = { c->a, c->b };
        for (int k = 0; k < 2; ++k)
            v[k] = vec3_add(vec3_from(s->velocity[bodies[k]]),
                            vec3_cross(vec3_from(s->spin[bodies[k]]),
                                       vec3_sub(vec3_from(c->point),
                                                vec3_from(s->impact->bodies[bodies[k]].position))));
        max = fmax(max, -vec3_dot(vec3_from(c->normal), vec3_sub(v[1], v[0])));
    }
    return max;
}

// -- looks ----------------------------------------------------------------------------------------

static void find_plates(replay *s)
{
    double far = 0, min[3], max[3];
    for (int k = 0; k < 3; ++k) {
        min[k] = HUGE_VAL;
        max[k] = -HUGE_VAL;
    }
    for (int i = 0; i < s->impact->contact_count; ++i) {
        const carom_impact_contact *c = &s->impact->contacts[i];
        if (carom_compare_view_is_plate(&s->looks, c->a) ||
            carom_compare_view_is_plate(&s->looks, c->b))
            s->plates[s->plate_count++] = i;
        for (int k = 0; k < 3; ++k) {
            min[k] = fmin(min[k], c->point[k]);
            max[k] = fmax(max[k], c->point[k]);
        }
    }
    for (int i = 0; i < s->impact->body_count; ++i) {
        const carom_impact_body *b = &s->impact->bodies[i];
        if (b->inverse_mass <= 0)
            continue;
        for (int k = 0; k < 3; ++k) {
            min[k] = fmin(min[k], b->position[k] - s->looks.shape[i][0]);
            max[k] = fmax(max[k], b->position[k] + s->looks.shape[i][0]);
        }
    }
    for (int k = 0; k < 3; ++k)
        far = fmax(far, max[k] - min[k]);
    s->radius = far > 0 ? far / 2 : 1;
}

static void add_bodies(replay *s)
{
    carom_json_array(s->source->json, "bodies");
    for (int i = 0; i < s->impact->body_count; ++i) {
        double inverse = s->impact->bodies[i].inverse_mass;
        carom_view_static_body body = { .name = carom_scene_impact_body_name(s->scene, i),
                                        .form = i,
                                        .kind = inverse <= 0,
                                        .mass = inverse > 0 ? 1 / inverse : 0,
                                        .colour = -1 };
        carom_view_static_add_body(s->source, &body);
    }
    for (int i = 0; i < s->plate_count; ++i) {
        carom_view_static_body body = {
            .name = "plate", .form = s->impact->body_count, .kind = 1, .colour = -1
        };
        carom_view_static_add_body(s->source, &body);
    }
    carom_json_end(s->source->json);
}

// A body that is neither a ball nor a box with known edges: the box around its outline.
static void guess_box(replay *s, int body, double size[3])
{
    double corners[CAROM_COMPARE_CORNERS][3];
    int count = carom_compare_view_outline(&s->looks, body, corners);
    for (int k = 0; k < 3; ++k) {
        size[k] = 0.1 * s->radius;
        for (int i = 0; i < count; ++i)
            size[k] = fmax(size[k], 2 * fabs(corners[i][k] - s->impact->bodies[body].position[k]));
    }
}

static void add_forms(replay *s)
{
    carom_json_array(s->source->json, "forms");
    for (int i = 0; i < s->impact->body_count; ++i) {
        carom_scene_look look = carom_scene_impact_look(s->scene, i);
        double size[3];
        memcpy(size, look.size, sizeof size);
        if (carom_compare_view_is_plate(&s->looks, i))
            carom_view_static_sphere(s->source, 0);
        else if (s->looks.shape[i][0] > 0)
            carom_view_static_sphere(s->source, s->looks.shape[i][0]);
        else {
            if (!(size[0] > 0 && size[1] > 0 && size[2] > 0))
                guess_box(s, i, size);
            carom_view_static_box(s->source, size);
        }
    }
    const double plate[3] = { 1.2 * s->radius, 1.2 * s->radius, 0.04 * s->radius };
    carom_view_static_box(s->source, plate);
    carom_json_end(s->source->json);
}

// -- frames --------------------------------------------------------------------------------------

static void add_plates(replay *s)
{
    vec3 none = vec3_make(0, 0, 0), up = vec3_make(0, 0, 1);
    for (int i = 0; i < s->plate_count; ++i) {
        const carom_impact_contact *c = &s->impact->contacts[s->plates[i]];
        vec3 n = vec3_from(c->normal); // away from the plate
        if (!carom_compare_view_is_plate(&s->looks, c->a))
            n = vec3_neg(n);
        vec3 middle = vec3_axpy(vec3_from(c->point), -0.02 * s->radius, n);
        vec3 axis = vec3_cross(up, n);
        quat turn = quat_unit((quat){ .w = 1 + n.z, .x = axis.x, .y = axis.y, .z = axis.z });
        if (n.z < -1 + 1e-9)
            turn = (quat){ .w = 0, .x = 1, .y = 0, .z = 0 };
        carom_view_static_state(s->source, middle, turn, none, none);
    }
}

// `flight`: s since the impact.
static void add_frame(replay *s, const double (*p)[3], double flight, double time)
{
    int64_t n = s->source->count;
    double total = 0;
    find_velocities(s, p);
    for (int i = 0; i < s->impact->body_count; ++i) {
        vec3 v = vec3_from(s->velocity[i]), w = vec3_from(s->spin[i]);
        double angle = vec3_length(w) * flight;
        vec3 axis = angle != 0 ? vec3_unit(w) : w;
        quat turn = { .w = cos(angle / 2),
                      .x = sin(angle / 2) * axis.x,
                      .y = sin(angle / 2) * axis.y,
                      .z = sin(angle / 2) * axis.z };
        vec3 at = vec3_axpy(vec3_from(s->impact->bodies[i].position), flight, v);
        carom_view_static_state(s->source, at, turn, v, w);
    }
    add_plates(s);
    for (int i = 0; p && i < s->impact->contact_count; ++i) {
        const carom_impact_contact *c = &s->impact->contacts[i];
        const int bodies[2] = { c->a, c->b };
        double push[3];
        vec3_store(push_of(c, p[i]), push);
        carom_view_static_contact(s->source, bodies, c->point, c->normal, push);
        total += p[i][0];
    }
    s->energy[n] = kinetic(s);
    s->approach[n] = fastest_approach(s);
    s->push[n] = total;
    carom_view_static_frame(s->source, time);
}

static void label_flight(replay *s, double seconds)
{
    double size = fabs(seconds);
    bool slow = size >= 1;
    snprintf(s->labels[s->source->count], sizeof *s->labels, "%.3g %s %s the impact",
             slow ? size : 1e3 * size, slow ? "s" : "ms", seconds < 0 ? "before" : "after");
}

static void add_recording(replay *s)
{
    const double(*end)[3] = (const double(*)[3])s->outcome.impulses;
    const record *r = &s->observed;
    int all = s->outcome.report.sweeps;
    for (int i = 0; i < FLIGHT; ++i) {
        double time = FLIGHT_LENGTH * (i - FLIGHT) / FLIGHT;
        label_flight(s, s->slow * time);
        add_frame(s, NULL, s->slow * time, time + FLIGHT_LENGTH);
    }
    snprintf(s->labels[s->source->count], sizeof *s->labels, "the impact begins");
    add_frame(s, NULL, 0, FLIGHT_LENGTH);
    for (int i = 0; i < r->count; ++i) {
        snprintf(s->labels[s->source->count], sizeof *s->labels, "after sweep %d of %d",
                 r->frames[i].sweep, all > r->frames[i].sweep ? all : r->frames[i].sweep);
        add_frame(s, (const double(*)[3])r->frames[i].p, 0, FLIGHT_LENGTH + 1 + i);
    }
    for (int i = 0; i <= FLIGHT; ++i) {
        double time = FLIGHT_LENGTH * i / FLIGHT;
        label_flight(s, s->slow * time);
        add_frame(s, end, s->slow * time, FLIGHT_LENGTH + 1 + r->count + time);
    }
}

static void add_plots(replay *s)
{
    static const char *const curves[][2] = { { "kinetic", NULL },
                                             { "fastest", NULL },
                                             { "sum", NULL } };
    carom_json *json = s->source->json;
    carom_json_array(json, "ledger");
    carom_view_static_curve(s->source, "kinetic", "J", s->energy);
    carom_view_static_curve(s->source, "fastest", "m/s", s->approach);
    carom_view_static_curve(s->source, "sum", "N s", s->push);
    carom_json_end(json);
    carom_json_array(json, "panels");
    carom_view_static_panel(s->source, "energy of motion", "J", curves[0]);
    carom_view_static_panel(s->source, "approach", "m/s", curves[1]);
    carom_view_static_panel(s->source, "normal impulses", "N s", curves[2]);
    carom_json_end(json);
    carom_json_array(json, "labels");
    for (int64_t i = 0; i < s->source->count; ++i)
        carom_json_string(json, NULL, s->labels[i]);
    carom_json_end(json);
}

// -- opening --------------------------------------------------------------------------------------

static carom_status take_memory(replay *s, carom_error *err)
{
    size_t bodies = (size_t)s->impact->body_count + 1,
           contacts = (size_t)s->impact->contact_count + 1;
    size_t frames = FRAMES_MAX + 2 * FLIGHT + 4;
    s->observed = (record){ .contacts = s->impact->contact_count,
                            .stride = 1,
                            .frames = calloc(FRAMES_MAX + 1, sizeof *s->observed.frames),
                            .last = calloc(contacts, sizeof *s->observed.last) };
    s->outcome.velocities = calloc(bodies, sizeof *s->outcome.velocities);
    s->outcome.spins = calloc(bodies, sizeof *s->outcome.spins);
    s->outcome.impulses = calloc(contacts, sizeof *s->outcome.impulses);
    s->looks.shape = calloc(bodies, sizeof *s->looks.shape);
    s->plates = calloc(contacts, sizeof *s->plates);
    s->velocity = calloc(bodies, sizeof *s->velocity);
    s->spin = calloc(bodies, sizeof *s->spin);
    s->energy = calloc(frames, sizeof *s->energy);
    s->approach = calloc(frames, sizeof *s->approach);
    s->push = calloc(frames, sizeof *s->push);
    s->labels = calloc(frames, sizeof *s->labels);
    bool all = s->observed.frames && s->observed.last && s->outcome.velocities &&
               s->outcome.spins && s->outcome.impulses && s->looks.shape && s->plates &&
               s->velocity && s->spin && s->energy && s->approach && s->push && s->labels;
    return all ? CAROM_OK : carom_error_no_memory(err, "a view");
}

static carom_status resolve(replay *s, carom_error *err)
{
    carom_workspace *workspace = carom_workspace_create();
    carom_impact_observer observer = { .context = &s->observed, .after_sweep = observe };
    if (!workspace)
        return carom_error_no_memory(err, "resolving an impact");
    carom_workspace_set_observer(workspace, &observer);
    carom_status status =
        carom_impact_resolve(workspace, s->impact, s->law, &s->options, &s->outcome, err);
    carom_workspace_destroy(workspace);
    if (status == CAROM_OK && s->observed.failed)
        return carom_error_no_memory(err, "the sweeps of an impact");
    return status;
}

static carom_status prepare(replay *s, const char *path, const char *law, carom_error *err)
{
    TRY(carom_scene_impact_open(path, &s->scene, err));
    s->impact = carom_scene_impact_problem(s->scene);
    s->law = law ? carom_law_find(law, err) : carom_scene_impact_law(s->scene);
    if (!s->law)
        return err->status;
    s->options = s->law == carom_scene_impact_law(s->scene) ? *carom_scene_impact_options(s->scene)
                                                            : carom_law_defaults(s->law);
    TRY(take_memory(s, err));
    TRY(resolve(s, err));
    TRY(carom_compare_create(s->scene, CAROM_KIN, &s->compare, err));
    s->looks.compare = s->compare;
    s->looks.scene = s->scene;
    s->looks.impact = s->impact;
    s->looks.view.panel[0] = s->looks.view.panel[1] = 100;
    carom_compare_view_make(&s->looks);
    find_plates(s);
    double fastest = 0;
    for (int i = 0; i < s->impact->body_count; ++i)
        fastest = fmax(fastest, vec3_length(vec3_from(s->impact->bodies[i].velocity)));
    s->slow = fastest > 0 ? FLIGHT_SHARE * s->radius / fastest / FLIGHT_LENGTH : 0;
    return CAROM_OK;
}

static carom_status fill(replay *s, carom_error *err)
{
    TRY(carom_view_static_begin("impact", carom_scene_impact_title(s->scene), &s->source, err));
    carom_json *json = s->source->json;
    carom_json_string(json, "law", carom_law_name(s->law));
    if (carom_scene_impact_note(s->scene))
        carom_json_string(json, "note", carom_scene_impact_note(s->scene));
    carom_json_string(json, "unit", "sweeps");
    carom_json_string(json, "force", "N s");
    carom_json_number(json, "rate", SWEEPS_PER_SECOND);
    add_bodies(s);
    add_forms(s);
    add_recording(s);
    add_plots(s);
    return CAROM_OK;
}

static void free_all(replay *s)
{
    for (int i = 0; i < s->observed.count; ++i)
        free(s->observed.frames[i].p);
    free(s->observed.frames);
    free(s->observed.last);
    free(s->outcome.velocities);
    free(s->outcome.spins);
    free(s->outcome.impulses);
    free(s->looks.shape);
    free(s->plates);
    free(s->velocity);
    free(s->spin);
    free(s->energy);
    free(s->approach);
    free(s->push);
    free(s->labels);
    carom_compare_destroy(s->compare);
    carom_scene_impact_close(s->scene);
}

carom_status carom_view_impact_open(const char *path, const char *law,
                                    const carom_view_source_ops **ops, void **self,
                                    carom_error *err)
{
    replay s = { 0 };
    carom_status status = prepare(&s, path, law, err);
    if (status == CAROM_OK)
        status = fill(&s, err);
    if (s.source)
        status = carom_view_static_end(s.source, status, ops, self, err);
    free_all(&s);
    return status;
}
