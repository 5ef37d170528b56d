// Outcomes to look at: a recording in which the bodies of some samples, side by side, come in with
// their velocities before and leave as their sample has them. A sample is an outcome of one draw
// with a seed of its own.
#include "outcomes_view.h"
#include "output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "carom/recording.h"
#include "carom/view.h"
#include "carom/world.h"

// Samples shown; bodies of all of them together, at most; frames before and after the impact.
enum { SAMPLES = 9, COLUMNS = 3, BODIES_MAX = 320, FRAMES = 40 };
// Of the size of everything: how far the fastest body comes and goes, how large a plate of a wall
// or floor is, and how far samples stand from each other.
static const double way = 0.6, plate = 0.8, spacing = 2.4;

// Of the bodies of a sample, in turn.
enum { COLOURS = 4 };
static const int colours[COLOURS] = { 0x2f7ed8, 0xe08a1e, 0x3a9d5d, 0xb04a8f };

typedef struct fan {
    const carom_scene_impact *scene;
    const carom_impact *impact;
    const carom_outcomes *samples[SAMPLES];
    carom_outcomes *owned[SAMPLES];
    int count;
    double size;     // m, of everything
    double duration; // s, of either part
    carom_world *world;
    int bodies; // of the world: of every sample its plates, then what moves
    int plates; // of one sample
} fan;

static bool moves(const fan *f, int body)
{
    return f->impact->bodies[body].inverse_mass > 0;
}

static double distance(const double a[3], const double b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

// How far a body reaches: as the file says, else to its nearest contact.
static double reach(const fan *f, int body)
{
    carom_scene_look look = carom_scene_impact_look(f->scene, body);
    double nearest = HUGE_VAL;
    if (look.radius > 0)
        return look.radius;
    if (look.size[0] > 0)
        return 0.5 * sqrt(look.size[0] * look.size[0] + look.size[1] * look.size[1] +
                          look.size[2] * look.size[2]);
    for (int i = 0; i < f->impact->contact_count; ++i) {
        const carom_impact_contact *c = &f->impact->contacts[i];
        if (c->a == body || c->b == body)
            nearest = fmin(nearest, distance(c->point, f->impact->bodies[body].position));
    }
    return isfinite(nearest) && nearest > 0 ? nearest : 0.1;
}

// Size of everything, and the time in which the fastest body flies a part of it.
static void measure(fan *f)
{
    double fastest = 0;
    for (int i = 0; i < f->impact->body_count; ++i) {
        const carom_impact_body *b = &f->impact->bodies[i];
        if (!moves(f, i))
            continue;
        for (int k = 0; k < f->impact->body_count; ++k)
            if (moves(f, k))
                f->size = fmax(f->size, distance(b->position, f->impact->bodies[k].position) +
                                            reach(f, i) + reach(f, k));
        fastest = fmax(fastest, distance(b->velocity, (double[3]){ 0 }));
        for (int s = 0; s < f->count; ++s) {
            const carom_outcomes_body *after = &f->samples[s]->bodies[i];
            fastest = fmax(fastest,
                           distance((double[3]){ after->velocity[0].mean, after->velocity[1].mean,
                                                 after->velocity[2].mean },
                                    (double[3]){ 0 }));
        }
    }
    f->duration = fastest > 0 ? way * f->size / fastest : 1;
}

static carom_status draw_samples(fan *f, const carom_outcomes_options *options, carom_error *err)
{
    int moving = 0;
    for (int i = 0; i < f->impact->body_count; ++i)
        moving += moves(f, i);
    int wanted = moving > 0 ? BODIES_MAX / moving : 1;
    wanted = wanted < 1 ? 1 : wanted > SAMPLES ? SAMPLES : wanted;
    carom_status status = CAROM_OK;
    for (int s = 0; s < wanted && status == CAROM_OK; ++s) {
        carom_outcomes_options one = *options;
        one.samples = 1;
        one.seed = options->seed + (uint64_t)s;
        status = carom_outcomes_sample(f->scene, &one, &f->owned[s], err);
        f->samples[s] = f->owned[s];
        f->count += status == CAROM_OK;
    }
    return status;
}

// -- bodies ----------------------------------------------------------------------------------

static carom_status add_shape(fan *f, carom_body *body, const double half[3], double radius,
                              carom_error *err)
{
    carom_shape *shape = NULL;
    carom_status status =
        radius > 0 ? carom_sphere_create(radius, &shape, err) : carom_box_create(half, &shape, err);
    body->shape = shape;
    body->group = 1;
    if (status == CAROM_OK)
        status = carom_world_add_body(f->world, body, NULL, err);
    carom_shape_release(shape);
    f->bodies += status == CAROM_OK;
    return status;
}

// The rotation that takes z to a unit normal.
static void rotation_to(const double n[3], double q[4])
{
    double w = 1 + n[2];
    if (w < 1e-9) {
        q[0] = q[2] = q[3] = 0;
        q[1] = 1;
        return;
    }
    double length = sqrt(w * w + n[0] * n[0] + n[1] * n[1]);
    q[0] = w / length;
    q[1] = -n[1] / length;
    q[2] = n[0] / length;
    q[3] = 0;
}

// Where a sample stands.
static double shift(const fan *f, int sample, int axis)
{
    int cell = axis == 0 ? sample % COLUMNS : axis == 1 ? sample / COLUMNS : 0;
    return spacing * f->size * cell;
}

// A plate where a moving body touches one that does not move and does not say how it looks; one of
// those in a plane is enough.
static carom_status add_plates(fan *f, int sample, carom_error *err)
{
    int before = f->bodies;
    for (int i = 0; i < f->impact->contact_count; ++i) {
        const carom_impact_contact *c = &f->impact->contacts[i];
        bool first = !moves(f, c->a), fresh = true;
        carom_scene_look look = carom_scene_impact_look(f->scene, first ? c->a : c->b);
        if ((!first && moves(f, c->b)) || look.radius > 0 || look.size[0] > 0)
            continue;
        for (int k = 0; k < i; ++k) {
            const carom_impact_contact *o = &f->impact->contacts[k];
            bool fixed = !moves(f, o->a) || !moves(f, o->b);
            fresh = fresh && !(fixed && distance(o->normal, c->normal) < 1e-6);
        }
        double thick = 0.005 * f->size, sign = first ? 1 : -1, n[3];
        carom_body body = carom_world_body_default();
        body.kind = CAROM_BODY_FIXED;
        for (int k = 0; k < 3; ++k) {
            n[k] = sign * c->normal[k];
            body.position[k] = c->point[k] - thick * n[k] + shift(f, sample, k);
        }
        rotation_to(n, body.rotation);
        carom_status status = CAROM_OK;
        if (fresh)
            status =
                add_shape(f, &body, (double[]){ plate * f->size, plate * f->size, thick }, 0, err);
        if (status != CAROM_OK)
            return status;
    }
    f->plates = f->bodies - before;
    return CAROM_OK;
}

static carom_status add_sample(fan *f, int sample, carom_error *err)
{
    carom_status status = add_plates(f, sample, err);
    for (int i = 0; i < f->impact->body_count && status == CAROM_OK; ++i) {
        carom_scene_look look = carom_scene_impact_look(f->scene, i);
        const double half[3] = { 0.5 * look.size[0], 0.5 * look.size[1], 0.5 * look.size[2] };
        carom_body body = carom_world_body_default();
        if (!moves(f, i))
            continue;
        for (int k = 0; k < 3; ++k)
            body.position[k] = f->impact->bodies[i].position[k] + shift(f, sample, k);
        body.mass = 1;
        status = add_shape(f, &body, half, look.size[0] > 0 ? 0 : reach(f, i), err);
    }
    return status;
}

static carom_status name_bodies(const fan *f, carom_recording *recording, carom_error *err)
{
    char name[160];
    int at = 0;
    snprintf(name, sizeof name, "%.60s: %d outcomes", carom_scene_impact_title(f->scene), f->count);
    carom_status status = carom_recording_set_title(recording, name, err);
    for (int s = 0; s < f->count; ++s) {
        for (int i = 0; i < f->plates && status == CAROM_OK; ++i)
            status = carom_recording_set_body(recording, at++, "wall", 0xb8bec8, err);
        for (int i = 0; i < f->impact->body_count && status == CAROM_OK; ++i) {
            if (!moves(f, i))
                continue;
            snprintf(name, sizeof name, "%.60s, sample %d",
                     carom_scene_impact_body_name(f->scene, i), s + 1);
            status = carom_recording_set_body(recording, at++, name, colours[i % COLOURS], err);
        }
    }
    return status;
}

// -- frames ----------------------------------------------------------------------------------

// A body that flies and turns evenly; t = 0 is the impact.
static void place(const fan *f, int sample, int body, double t, double *out)
{
    const carom_impact_body *b = &f->impact->bodies[body];
    const carom_outcomes_body *after = &f->samples[sample]->bodies[body];
    double *v = out + CAROM_FRAME_VELOCITY, *w = out + CAROM_FRAME_SPIN;
    for (int k = 0; k < 3; ++k) {
        v[k] = t < 0 ? b->velocity[k] : after->velocity[k].mean;
        w[k] = t < 0 ? b->spin[k] : after->spin[k].mean;
        out[CAROM_FRAME_POSITION + k] = b->position[k] + v[k] * t + shift(f, sample, k);
    }
    double rate = distance(w, (double[3]){ 0 }), half = 0.5 * rate * t;
    out[CAROM_FRAME_ROTATION] = cos(half);
    for (int k = 0; k < 3; ++k)
        out[CAROM_FRAME_ROTATION + 1 + k] = rate > 0 ? sin(half) * w[k] / rate : 0;
}

static carom_status add_frames(const fan *f, carom_recording *recording, carom_error *err)
{
    double *bodies = calloc((size_t)f->bodies + 1, CAROM_FRAME_STRIDE * sizeof *bodies);
    carom_status status = bodies ? CAROM_OK : CAROM_NO_MEMORY;
    for (int frame = -FRAMES; frame <= FRAMES && status == CAROM_OK; ++frame) {
        double t = f->duration * frame / FRAMES, spin[3], speed[3];
        double *at = bodies;
        for (int s = 0, body = 0; s < f->count; ++s) {
            for (int i = 0; i < f->plates; ++i, ++body, at += CAROM_FRAME_STRIDE)
                carom_world_body(f->world, carom_world_body_at(f->world, body),
                                 at + CAROM_FRAME_POSITION, at + CAROM_FRAME_ROTATION, speed, spin);
            for (int i = 0; i < f->impact->body_count; ++i)
                if (moves(f, i)) {
                    place(f, s, i, t, at);
                    at += CAROM_FRAME_STRIDE;
                    ++body;
                }
        }
        status = carom_recording_append_frame(recording, t + f->duration, bodies, err);
    }
    free(bodies);
    return status;
}

static carom_status write_page(fan *f, const char *path, bool replace, carom_error *err)
{
    carom_recording *recording = NULL;
    carom_view_source *source = NULL;
    carom_world_options options = carom_world_options_default();
    memset(options.gravity, 0, sizeof options.gravity);
    measure(f);
    carom_status status = carom_world_create(&options, &f->world, err);
    for (int s = 0; s < f->count && status == CAROM_OK; ++s)
        status = add_sample(f, s, err);
    if (status == CAROM_OK)
        status = carom_recording_create(f->world, &recording, err);
    if (status == CAROM_OK)
        status = name_bodies(f, recording, err);
    if (status == CAROM_OK)
        status = add_frames(f, recording, err);
    if (status == CAROM_OK)
        status = carom_view_source_recording(recording, &source, err);
    if (status == CAROM_OK)
        status = carom_output_page(path, &source, 1, "colour=body&plots=0", replace, err);
    carom_view_source_close(source);
    carom_recording_destroy(recording);
    carom_world_destroy(f->world);
    return status;
}

carom_status carom_outcomes_view_write(const carom_scene_impact *scene,
                                       const carom_outcomes_options *options, const char *path,
                                       bool replace, carom_error *err)
{
    fan f = { .scene = scene, .impact = carom_scene_impact_problem(scene) };
    carom_status status = draw_samples(&f, options, err);
    if (status == CAROM_OK)
        status = write_page(&f, path, replace, err);
    for (int s = 0; s < SAMPLES; ++s)
        carom_outcomes_destroy(f.owned[s]);
    return status;
}
