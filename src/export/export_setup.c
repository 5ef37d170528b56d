// One camera for a whole recording: all moving bodies at all frames are seen, bodies that fly far
// away do not push the others into the distance.
#include "export/export_setup.h"

#include <stdlib.h>
#include "draw/colour.h"
#include "draw/plot.h"
#include "draw/tracer_hit.h"
#include "export/export_items.h"
#include "math/trig.h"
#include "shape/shape.h"

#define GHOST 0.7 // of its light goes through
enum { SAMPLES = 48, MARKED = 300, NAMED_COLOURS = 24, BALLS = 400000 };

// -- camera -------------------------------------------------------------------------------------

typedef struct item_list {
    carom_camera_ball *balls;
    int count;
} item_list;

static void add_item(item_list *c, const carom_tracer_item *item)
{
    carom_bvh_box box;
    if (item->kind == CAROM_TRACER_PLANE)
        return;
    if (item->kind == CAROM_TRACER_BALL) {
        c->balls[c->count++] = (carom_camera_ball){ item->position, item->radius };
        return;
    }
    carom_tracer_hit_box(item, &box);
    for (int k = 0; k < 8; ++k)
        c->balls[c->count++] =
            (carom_camera_ball){ { k & 1 ? box.max[0] : box.min[0], k & 2 ? box.max[1] : box.min[1],
                                   k & 4 ? box.max[2] : box.min[2] },
                                 0 };
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

// Drops what lies four times farther from the middle than 95 of 100 others.
static carom_status drop_strays(item_list *c, carom_arena *scratch, carom_error *err)
{
    vec3 middle = { 0, 0, 0 };
    double *away, *sorted;
    TAKE(scratch, away, c->count + 1, err);
    TAKE(scratch, sorted, c->count + 1, err);
    for (int axis = 0; axis < 3; ++axis) { // medians: a stray does not move them
        for (int i = 0; i < c->count; ++i) {
            double p[3];
            vec3_store(c->balls[i].centre, p);
            sorted[i] = p[axis];
        }
        qsort(sorted, (size_t)c->count, sizeof *sorted, compare_numbers);
        double median = c->count ? sorted[c->count / 2] : 0;
        middle = vec3_add(middle, vec3_make(axis == 0 ? median : 0, axis == 1 ? median : 0,
                                            axis == 2 ? median : 0));
    }
    for (int i = 0; i < c->count; ++i)
        sorted[i] = away[i] =
            vec3_length(vec3_sub(c->balls[i].centre, middle)) + c->balls[i].radius;
    qsort(sorted, (size_t)c->count, sizeof *sorted, compare_numbers);
    double limit = c->count ? 4 * sorted[(int)(0.95 * (c->count - 1))] : 0;
    int kept = 0;
    for (int i = 0; i < c->count; ++i)
        if (away[i] <= limit)
            c->balls[kept++] = c->balls[i];
    c->count = kept;
    return CAROM_OK;
}

static void measure(const item_list *c, double min[3], double max[3])
{
    for (int k = 0; k < 3; ++k) {
        min[k] = HUGE_VAL;
        max[k] = -HUGE_VAL;
    }
    for (int i = 0; i < c->count; ++i) {
        double p[3], r = c->balls[i].radius;
        vec3_store(c->balls[i].centre, p);
        for (int k = 0; k < 3; ++k) {
            min[k] = p[k] - r < min[k] ? p[k] - r : min[k];
            max[k] = p[k] + r > max[k] ? p[k] + r : max[k];
        }
    }
    for (int k = 0; k < 3 && c->count == 0; ++k) {
        min[k] = -1;
        max[k] = 1;
    }
}

// Moving bodies over the whole recording; where nothing moves, everything.
static carom_status gather(carom_recording *recording, bool moving, carom_export_fit fit,
                           item_list *c, carom_error *err)
{
    int64_t frames = carom_recording_frame_count(recording);
    int max = carom_export_items_max(recording), wanted = 0;
    carom_tracer_item *items;
    for (int i = 0; i < recording->count; ++i)
        wanted += (recording->kind[i] == CAROM_BODY_MOVING) == moving;
    int64_t looks = wanted ? BALLS / (8 * (int64_t)max) + 2 : 1;
    looks = looks > SAMPLES ? SAMPLES : looks;
    looks = looks > frames ? frames : looks;
    looks = fit == CAROM_EXPORT_FIT_RUN ? looks : 1;
    int64_t only = fit == CAROM_EXPORT_FIT_END ? frames - 1 : 0;
    TAKE(recording->scratch, items, max + 1, err);
    TAKE(recording->scratch, c->balls, 8 * (size_t)looks * (size_t)max + 8, err);
    c->count = 0;
    for (int64_t k = 0; k < looks; ++k) {
        carom_frame frame;
        TRY(carom_recording_frame(recording, looks > 1 ? k * (frames - 1) / (looks - 1) : only,
                                  &frame, err));
        for (int i = 0; i < recording->count; ++i) {
            if ((recording->kind[i] == CAROM_BODY_MOVING) != moving)
                continue;
            int count = carom_export_items_body(recording, &frame, i, items);
            for (int n = 0; n < count; ++n)
                add_item(c, &items[n]);
        }
    }
    return CAROM_OK;
}

// Fixed and driven bodies belong into the picture where they are not much larger than the motion. A
// scene that has not begun shows more of them, and the floor below: where the motion will be.
static void join_surroundings(item_list *c, const item_list *fixed,
                              const carom_recording *recording, const double min[3],
                              const double max[3])
{
    bool begun = carom_recording_frame_count(recording) > 1;
    vec3 middle = vec3_scale(0.5, vec3_add(vec3_from(min), vec3_from(max)));
    double radius = 0.5 * vec3_length(vec3_sub(vec3_from(max), vec3_from(min)));
    double reach = (begun ? 1.6 : 20) * radius;
    for (int i = 0; i < fixed->count; ++i)
        if (vec3_length(vec3_sub(fixed->balls[i].centre, middle)) + fixed->balls[i].radius < reach)
            c->balls[c->count++] = fixed->balls[i];
    for (int i = 0; i < recording->count && !begun; ++i) {
        if (carom_shape_kind_of(recording->forms[recording->form[i]].shape) != CAROM_SHAPE_PLANE)
            continue;
        carom_recording_body plane = carom_recording_state(recording, &recording->now, i);
        vec3 normal = quat_rotate(plane.rotation, vec3_make(0, 0, 1));
        double height = vec3_dot(normal, vec3_sub(middle, plane.position));
        if (height > 0 && height < reach)
            c->balls[c->count++] = (carom_camera_ball){ vec3_axpy(middle, -height, normal), 0 };
    }
}

static carom_status gather_all(carom_recording *recording, carom_export_fit fit, item_list *c,
                               carom_error *err)
{
    item_list moving, fixed;
    double min[3], max[3];
    TRY(gather(recording, true, fit, &moving, err));
    TRY(gather(recording, false, fit, &fixed, err));
    if (moving.count == 0) {
        *c = fixed;
        return CAROM_OK;
    }
    TRY(drop_strays(&moving, recording->scratch, err));
    measure(&moving, min, max);
    TAKE(recording->scratch, c->balls,
         (size_t)moving.count + (size_t)fixed.count + (size_t)recording->joint_count +
             (size_t)recording->count + 1,
         err);
    for (c->count = 0; c->count < moving.count; ++c->count)
        c->balls[c->count] = moving.balls[c->count];
    for (int i = 0; i < recording->joint_count; ++i) { // where pendulums hang
        const carom_world_joint *joint = &recording->joints[i];
        if (joint->a < 0 || joint->b < 0)
            c->balls[c->count++] =
                (carom_camera_ball){ joint->a < 0 ? joint->anchor_a : joint->anchor_b, 0 };
    }
    join_surroundings(c, &fixed, recording, min, max);
    return CAROM_OK;
}

static void choose_camera(carom_export_setup *setup, const item_list *c, const double extent[3])
{
    const carom_export_view *v = &setup->view;
    double aspect = (double)v->width / v->height;
    vec3 middle = vec3_from(setup->middle), forward = carom_camera_side(extent);
    if (v->has_from && v->has_to)
        forward = vec3_sub(vec3_from(v->to), vec3_from(v->from));
    else if (v->has_from)
        forward = vec3_sub(middle, vec3_from(v->from));
    setup->camera = carom_camera_fit(forward, v->fov, aspect, c->balls, c->count);
    if (v->has_from) {
        setup->camera.from = vec3_from(v->from);
        setup->camera.to = v->has_to ? vec3_from(v->to) : middle;
    } else if (v->has_to) { // the chosen direction and distance, moved
        vec3 shift = vec3_sub(vec3_from(v->to), setup->camera.to);
        setup->camera.from = vec3_add(setup->camera.from, shift);
        setup->camera.to = vec3_from(v->to);
    }
    setup->camera.up = vec3_from(v->up);
}

// -- colours ------------------------------------------------------------------------------------

static carom_status measure_colours(carom_export_setup *setup, carom_error *err)
{
    carom_recording *recording = setup->recording;
    int64_t frames = carom_recording_frame_count(recording),
            looks = frames < SAMPLES ? frames : SAMPLES;
    int moving = 0;
    carom_frame frame;
    setup->start_min = HUGE_VAL;
    setup->start_max = -HUGE_VAL;
    for (int64_t k = 0; k < looks; ++k) {
        TRY(carom_recording_frame(recording, looks > 1 ? k * (frames - 1) / (looks - 1) : 0, &frame,
                                  err));
        for (int i = 0; i < recording->count; ++i) {
            if (recording->kind[i] != CAROM_BODY_MOVING)
                continue;
            carom_recording_body state = carom_recording_state(recording, &frame, i);
            double p[3], speed = vec3_length(state.velocity);
            vec3_store(state.position, p);
            setup->fastest = speed > setup->fastest ? speed : setup->fastest;
            setup->heaviest =
                recording->mass[i] > setup->heaviest ? recording->mass[i] : setup->heaviest;
            if (k > 0)
                continue;
            ++moving;
            double at = p[setup->long_axis];
            setup->start_min = at < setup->start_min ? at : setup->start_min;
            setup->start_max = at > setup->start_max ? at : setup->start_max;
        }
    }
    if (setup->colour == CAROM_EXPORT_COLOUR_AUTO)
        setup->colour =
            moving <= NAMED_COLOURS ? CAROM_EXPORT_COLOUR_BODY : CAROM_EXPORT_COLOUR_START;
    return CAROM_OK;
}

vec3 carom_export_setup_colour(const carom_export_setup *setup, const carom_frame *frame, int body)
{
    const carom_recording *recording = setup->recording;
    double value = 0, p[3];
    carom_frame first;
    // The scene's own colours, unless a quantity was asked for.
    if (recording->look[body].colour >= 0 && (setup->view.colour == CAROM_EXPORT_COLOUR_AUTO ||
                                              recording->kind[body] != CAROM_BODY_MOVING))
        return carom_colour_hex((unsigned)recording->look[body].colour);
    if (recording->kind[body] != CAROM_BODY_MOVING) {
        bool plane =
            carom_shape_kind_of(recording->forms[recording->form[body]].shape) == CAROM_SHAPE_PLANE;
        if (setup->view.dark)
            return carom_colour_hex(plane ? 0x39424c : 0x77818c);
        return carom_colour_hex(plane                                        ? 0xcad1d8
                                : recording->kind[body] == CAROM_BODY_DRIVEN ? 0x9fabb8
                                                                             : 0xbcc4cc);
    }
    switch (setup->colour) {
    case CAROM_EXPORT_COLOUR_AUTO:
    case CAROM_EXPORT_COLOUR_BODY:
        return carom_colour_series(body);
    case CAROM_EXPORT_COLOUR_START:
        if (carom_recording_frame(recording, 0, &first, NULL) == CAROM_OK) {
            vec3_store(carom_recording_state(setup->recording, &first, body).position, p);
            double span = setup->start_max - setup->start_min;
            value = span > 0 ? (p[setup->long_axis] - setup->start_min) / span : 0.5;
        }
        return carom_colour_vary(carom_colour_scale(value), body);
    case CAROM_EXPORT_COLOUR_SPEED:
        value = vec3_length(carom_recording_state(setup->recording, frame, body).velocity);
        return carom_colour_scale(setup->fastest > 0 ? value / setup->fastest : 0);
    case CAROM_EXPORT_COLOUR_MASS:
        return carom_colour_scale(setup->heaviest > 0 ? recording->mass[body] / setup->heaviest
                                                      : 0);
    }
    return carom_colour_series(body);
}

// -- setup --------------------------------------------------------------------------------------

carom_export_view carom_export_view_default(void)
{
    return (carom_export_view){
        .width = 960, .height = 540, .up = { 0, 0, 1 }, .fov = 28, .label = 1, .tolerance = -1
    };
}

static carom_status prepare(carom_export_setup *setup, carom_error *err)
{
    item_list all;
    double min[3], max[3], *extent = setup->extent, wide = 0;
    TRY(gather_all(setup->recording, setup->view.fit, &all, err));
    measure(&all, min, max);
    for (int k = 0; k < 3; ++k) {
        extent[k] = 0.5 * (max[k] - min[k]);
        setup->middle[k] = 0.5 * (max[k] + min[k]);
        if (extent[k] > wide * (1 + 1e-9)) {
            wide = extent[k];
            setup->long_axis = k;
        }
    }
    setup->radius = vec3_length(vec3_from(extent));
    setup->radius = setup->radius > 0 ? setup->radius : 1;
    setup->grid = carom_plot_tick(2 * setup->radius, 6);
    choose_camera(setup, &all, extent);
    TRY(carom_export_items_hide(setup, err));
    return measure_colours(setup, err);
}

carom_status carom_export_setup_prepare(carom_recording *recording, const carom_export_view *view,
                                        carom_export_setup *setup, carom_error *err)
{
    *setup = (carom_export_setup){ .recording = recording, .view = *view, .colour = view->colour };
    if (!(view->fov > 0 && view->fov < 170)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the field of view is %g degrees", view->fov);
        return carom_error_fix(err, "give an angle between 0 and 170 degrees");
    }
    if (view->width < 16 || view->height < 16 || view->width > CAROM_IMAGE_MAX ||
        view->height > CAROM_IMAGE_MAX) {
        carom_error_set(err, CAROM_BAD_INPUT, "the picture would have %d x %d pixels", view->width,
                        view->height);
        return carom_error_fix(err, "give 16 to %d pixels for each edge", CAROM_IMAGE_MAX);
    }
    carom_arena_mark mark = carom_arena_mark_here(recording->scratch);
    carom_status status = prepare(setup, err);
    carom_arena_rewind(recording->scratch, mark);
    return status;
}

static void set_lamps(const carom_recording *recording, carom_tracer *tracer)
{
    tracer->lamp_count = recording->light_count;
    for (int i = 0; i < recording->light_count; ++i) {
        const carom_light *light = &recording->lights[i];
        double half[2];
        carom_trig_degrees(0.5 * light->size, half);
        tracer->lamps[i] =
            (carom_tracer_lamp){ .towards = vec3_neg(vec3_from(light->direction)),
                                 .colour = vec3_scale(light->strength,
                                                      carom_colour_hex((unsigned)light->colour)),
                                 .radius = half[0] / half[1] };
    }
}

static carom_status draw(const carom_export_setup *setup, const carom_frame *frame,
                         carom_image *image, carom_error *err)
{
    carom_recording *recording = setup->recording;
    carom_tracer_item *items;
    carom_export_origin *origins;
    int count, moving = 0;
    for (int i = 0; i < recording->count; ++i)
        moving += recording->kind[i] == CAROM_BODY_MOVING;
    TAKE(recording->scratch, items,
         carom_export_items_max(recording) + 2 * recording->joint_count + 1, err);
    TAKE(recording->scratch, origins, carom_export_items_max(recording) + 1, err);
    count = carom_export_items_list(setup, frame, items, origins);
    vec3 colour = { 0, 0, 0 };
    for (int i = 0; i < count; ++i) {
        int body = origins[i].body;
        if (i == 0 || body != origins[i - 1].body)
            colour = carom_export_setup_colour(setup, frame, body);
        items[i].colour = colour;
        items[i].roughness = recording->look[body].roughness;
        items[i].transparency = 1 - recording->look[body].opacity;
        if (recording->ghost[body])
            items[i].transparency = GHOST;
        items[i].marked = recording->kind[body] == CAROM_BODY_MOVING && moving <= MARKED &&
                          items[i].kind == CAROM_TRACER_BALL;
    }
    for (int i = 0; i < recording->joint_count; ++i) {
        int more = carom_export_items_joint(recording, frame, &recording->joints[i],
                                            0.004 * setup->radius, items + count);
        for (int k = 0; k < more; ++k, ++count) {
            items[count].roughness = carom_scene_world_look(NULL, -1).roughness;
            items[count].colour = carom_colour_hex(setup->view.dark ? 0xb8c0ca : 0x4a525c);
        }
    }
    carom_tracer tracer = { .items = items,
                            .count = count,
                            .camera = setup->camera,
                            .reach = 0.3 * setup->radius,
                            .grid = setup->grid,
                            .middle = vec3_from(setup->middle),
                            .fade = 2.2 * setup->radius,
                            .dark = setup->view.dark != 0,
                            .threads = setup->view.threads,
                            .memory = setup->memory,
                            .progress = setup->progress,
                            .done = setup->done,
                            .total = setup->total };
    set_lamps(recording, &tracer);
    return carom_tracer_render(&tracer, recording->scratch, image, err);
}

carom_status carom_export_setup_draw(const carom_export_setup *setup, const carom_frame *frame,
                                     carom_image *image, carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(setup->recording->scratch);
    carom_status status = draw(setup, frame, image, err);
    carom_arena_rewind(setup->recording->scratch, mark);
    return status;
}

double carom_export_setup_tolerance(const carom_export_setup *setup)
{
    return setup->view.tolerance >= 0 ? setup->view.tolerance : 1e-5 * setup->radius;
}
