// One camera for a whole film: all moving bodies at all moments are seen, bodies that fly far away
// do not push the others into the distance.
#include "export/export_stage.h"

#include <stdlib.h>
#include "draw/colour.h"
#include "draw/plot.h"
#include "draw/tracer_hit.h"
#include "export/export_items.h"
#include "shape/shape.h"

enum { SAMPLES = 48, MARKED = 300, NAMED_COLOURS = 24, BALLS = 400000 };

// -- camera -------------------------------------------------------------------------------------

typedef struct crowd {
    carom_camera_ball *balls;
    int count;
} crowd;

static void add_item(crowd *c, const carom_tracer_item *item)
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
        c->balls[c->count++] = (carom_camera_ball){ { k & 1 ? box.most[0] : box.least[0],
                                                      k & 2 ? box.most[1] : box.least[1],
                                                      k & 4 ? box.most[2] : box.least[2] },
                                                    0 };
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

// Drops what lies four times farther from the middle than 95 of 100 others.
static carom_status drop_strays(crowd *c, carom_arena *scratch, carom_error *err)
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

static void measure(const crowd *c, double least[3], double most[3])
{
    for (int k = 0; k < 3; ++k) {
        least[k] = HUGE_VAL;
        most[k] = -HUGE_VAL;
    }
    for (int i = 0; i < c->count; ++i) {
        double p[3], r = c->balls[i].radius;
        vec3_store(c->balls[i].centre, p);
        for (int k = 0; k < 3; ++k) {
            least[k] = p[k] - r < least[k] ? p[k] - r : least[k];
            most[k] = p[k] + r > most[k] ? p[k] + r : most[k];
        }
    }
    for (int k = 0; k < 3 && c->count == 0; ++k) {
        least[k] = -1;
        most[k] = 1;
    }
}

// Moving bodies over the whole film; where nothing moves, everything.
static carom_status gather(carom_export *film, bool moving, carom_export_fit fit, crowd *c,
                           carom_error *err)
{
    int64_t moments = carom_export_moment_count(film);
    int most = carom_export_items_most(film), wanted = 0;
    carom_tracer_item *items;
    for (int i = 0; i < film->count; ++i)
        wanted += (film->kind[i] == CAROM_BODY_MOVING) == moving;
    int64_t looks = wanted ? BALLS / (8 * (int64_t)most) + 2 : 1;
    looks = looks > SAMPLES ? SAMPLES : looks;
    looks = looks > moments ? moments : looks;
    looks = fit == CAROM_EXPORT_FIT_RUN ? looks : 1;
    int64_t only = fit == CAROM_EXPORT_FIT_END ? moments - 1 : 0;
    TAKE(film->scratch, items, most + 1, err);
    TAKE(film->scratch, c->balls, 8 * (size_t)looks * (size_t)most + 8, err);
    c->count = 0;
    for (int64_t k = 0; k < looks; ++k) {
        carom_frame frame;
        TRY(carom_export_moment(film, looks > 1 ? k * (moments - 1) / (looks - 1) : only, &frame,
                                err));
        for (int i = 0; i < film->count; ++i) {
            if ((film->kind[i] == CAROM_BODY_MOVING) != moving)
                continue;
            int count = carom_export_items_body(film, &frame, i, items);
            for (int n = 0; n < count; ++n)
                add_item(c, &items[n]);
        }
    }
    return CAROM_OK;
}

// Fixed and driven bodies belong into the picture where they are not much larger than the motion. A
// scene that has not begun shows more of them, and the floor below: where the motion will be.
static void join_surroundings(crowd *c, const crowd *fixed, const carom_export *film,
                              const double least[3], const double most[3])
{
    bool begun = carom_export_moment_count(film) > 1;
    vec3 middle = vec3_scale(.5, vec3_add(vec3_from(least), vec3_from(most)));
    double radius = .5 * vec3_length(vec3_sub(vec3_from(most), vec3_from(least)));
    double reach = (begun ? 1.6 : 20) * radius;
    for (int i = 0; i < fixed->count; ++i)
        if (vec3_length(vec3_sub(fixed->balls[i].centre, middle)) + fixed->balls[i].radius < reach)
            c->balls[c->count++] = fixed->balls[i];
    for (int i = 0; i < film->count && !begun; ++i) {
        if (carom_shape_kind_of(film->forms[film->form[i]].shape) != CAROM_SHAPE_PLANE)
            continue;
        carom_export_state plane = carom_export_film_state(&film->now, i);
        vec3 normal = quat_rotate(plane.rotation, vec3_make(0, 0, 1));
        double height = vec3_dot(normal, vec3_sub(middle, plane.position));
        if (height > 0 && height < reach)
            c->balls[c->count++] = (carom_camera_ball){ vec3_axpy(middle, -height, normal), 0 };
    }
}

static carom_status gather_all(carom_export *film, carom_export_fit fit, crowd *c, carom_error *err)
{
    crowd moving, fixed;
    double least[3], most[3];
    TRY(gather(film, true, fit, &moving, err));
    TRY(gather(film, false, fit, &fixed, err));
    if (moving.count == 0) {
        *c = fixed;
        return CAROM_OK;
    }
    TRY(drop_strays(&moving, film->scratch, err));
    measure(&moving, least, most);
    TAKE(film->scratch, c->balls,
         (size_t)moving.count + (size_t)fixed.count + (size_t)film->joint_count +
             (size_t)film->count + 1,
         err);
    for (c->count = 0; c->count < moving.count; ++c->count)
        c->balls[c->count] = moving.balls[c->count];
    for (int i = 0; i < film->joint_count; ++i) { // where pendulums hang
        const carom_world_joint *joint = &film->joints[i];
        if (joint->a < 0 || joint->b < 0)
            c->balls[c->count++] =
                (carom_camera_ball){ joint->a < 0 ? joint->anchor_a : joint->anchor_b, 0 };
    }
    join_surroundings(c, &fixed, film, least, most);
    return CAROM_OK;
}

static void choose_camera(carom_export_stage *stage, const crowd *c, const double extent[3])
{
    const carom_export_view *v = &stage->view;
    double aspect = (double)v->width / v->height;
    vec3 middle = vec3_from(stage->middle), forward = carom_camera_side(extent);
    if (v->has_from && v->has_to)
        forward = vec3_sub(vec3_from(v->to), vec3_from(v->from));
    else if (v->has_from)
        forward = vec3_sub(middle, vec3_from(v->from));
    stage->camera = carom_camera_fit(forward, v->fov, aspect, c->balls, c->count);
    if (v->has_from) {
        stage->camera.from = vec3_from(v->from);
        stage->camera.to = v->has_to ? vec3_from(v->to) : middle;
    } else if (v->has_to) { // the chosen direction and distance, moved
        vec3 shift = vec3_sub(vec3_from(v->to), stage->camera.to);
        stage->camera.from = vec3_add(stage->camera.from, shift);
        stage->camera.to = vec3_from(v->to);
    }
    stage->camera.up = vec3_from(v->up);
}

// -- colours ------------------------------------------------------------------------------------

static carom_status measure_colours(carom_export_stage *stage, carom_error *err)
{
    carom_export *film = stage->film;
    int64_t moments = carom_export_moment_count(film),
            looks = moments < SAMPLES ? moments : SAMPLES;
    int moving = 0;
    carom_frame frame;
    stage->start_least = HUGE_VAL;
    stage->start_most = -HUGE_VAL;
    for (int64_t k = 0; k < looks; ++k) {
        TRY(carom_export_moment(film, looks > 1 ? k * (moments - 1) / (looks - 1) : 0, &frame,
                                err));
        for (int i = 0; i < film->count; ++i) {
            if (film->kind[i] != CAROM_BODY_MOVING)
                continue;
            carom_export_state state = carom_export_film_state(&frame, i);
            double p[3], speed = vec3_length(state.velocity);
            vec3_store(state.position, p);
            stage->fastest = speed > stage->fastest ? speed : stage->fastest;
            stage->heaviest = film->mass[i] > stage->heaviest ? film->mass[i] : stage->heaviest;
            if (k > 0)
                continue;
            ++moving;
            double at = p[stage->long_axis];
            stage->start_least = at < stage->start_least ? at : stage->start_least;
            stage->start_most = at > stage->start_most ? at : stage->start_most;
        }
    }
    if (stage->colour == CAROM_EXPORT_COLOUR_AUTO)
        stage->colour =
            moving <= NAMED_COLOURS ? CAROM_EXPORT_COLOUR_BODY : CAROM_EXPORT_COLOUR_START;
    return CAROM_OK;
}

vec3 carom_export_stage_colour(const carom_export_stage *stage, const carom_frame *frame, int body)
{
    const carom_export *film = stage->film;
    double value = 0, p[3];
    carom_frame first;
    // The scene's own colours, unless a quantity was asked for.
    if (film->colour[body] >= 0 &&
        (stage->view.colour == CAROM_EXPORT_COLOUR_AUTO || film->kind[body] != CAROM_BODY_MOVING))
        return carom_colour_hex((unsigned)film->colour[body]);
    if (film->kind[body] != CAROM_BODY_MOVING) {
        bool plane = carom_shape_kind_of(film->forms[film->form[body]].shape) == CAROM_SHAPE_PLANE;
        if (stage->view.dark)
            return carom_colour_hex(plane ? 0x39424c : 0x77818c);
        return carom_colour_hex(plane                                   ? 0xcad1d8
                                : film->kind[body] == CAROM_BODY_DRIVEN ? 0x9fabb8
                                                                        : 0xbcc4cc);
    }
    switch (stage->colour) {
    case CAROM_EXPORT_COLOUR_AUTO:
    case CAROM_EXPORT_COLOUR_BODY:
        return carom_colour_series(body);
    case CAROM_EXPORT_COLOUR_START:
        if (carom_export_moment(film, 0, &first, NULL) == CAROM_OK) {
            vec3_store(carom_export_film_state(&first, body).position, p);
            double span = stage->start_most - stage->start_least;
            value = span > 0 ? (p[stage->long_axis] - stage->start_least) / span : .5;
        }
        return carom_colour_vary(carom_colour_scale(value), body);
    case CAROM_EXPORT_COLOUR_SPEED:
        value = vec3_length(carom_export_film_state(frame, body).velocity);
        return carom_colour_scale(stage->fastest > 0 ? value / stage->fastest : 0);
    case CAROM_EXPORT_COLOUR_MASS:
        return carom_colour_scale(stage->heaviest > 0 ? film->mass[body] / stage->heaviest : 0);
    }
    return carom_colour_series(body);
}

// -- stage --------------------------------------------------------------------------------------

carom_export_view carom_export_view_default(void)
{
    return (
        carom_export_view){ .width = 960, .height = 540, .up = { 0, 0, 1 }, .fov = 28, .label = 1 };
}

static carom_status prepare(carom_export_stage *stage, carom_error *err)
{
    crowd all;
    double least[3], most[3], *extent = stage->extent, wide = 0;
    TRY(gather_all(stage->film, stage->view.fit, &all, err));
    measure(&all, least, most);
    for (int k = 0; k < 3; ++k) {
        extent[k] = .5 * (most[k] - least[k]);
        stage->middle[k] = .5 * (most[k] + least[k]);
        if (extent[k] > wide * (1 + 1e-9)) {
            wide = extent[k];
            stage->long_axis = k;
        }
    }
    stage->radius = vec3_length(vec3_from(extent));
    stage->radius = stage->radius > 0 ? stage->radius : 1;
    stage->grid = carom_plot_tick(2 * stage->radius, 6);
    choose_camera(stage, &all, extent);
    TRY(carom_export_items_hide(stage, err));
    return measure_colours(stage, err);
}

carom_status carom_export_stage_prepare(carom_export *film, const carom_export_view *view,
                                        carom_export_stage *stage, carom_error *err)
{
    *stage = (carom_export_stage){ .film = film, .view = *view, .colour = view->colour };
    if (!(view->fov > 0 && view->fov < 170)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the field of view is %g degrees", view->fov);
        return carom_error_fix(err, "give an angle between 0 and 170 degrees");
    }
    if (view->width < 16 || view->height < 16 || view->width > CAROM_IMAGE_MOST ||
        view->height > CAROM_IMAGE_MOST) {
        carom_error_set(err, CAROM_BAD_INPUT, "the picture would have %d x %d pixels", view->width,
                        view->height);
        return carom_error_fix(err, "give 16 to %d pixels for each edge", CAROM_IMAGE_MOST);
    }
    carom_arena_mark mark = carom_arena_mark_here(film->scratch);
    carom_status status = prepare(stage, err);
    carom_arena_rewind(film->scratch, mark);
    return status;
}

static carom_status draw(const carom_export_stage *stage, const carom_frame *frame,
                         carom_image *image, carom_error *err)
{
    carom_export *film = stage->film;
    carom_tracer_item *items;
    carom_export_origin *origins;
    int count, moving = 0;
    for (int i = 0; i < film->count; ++i)
        moving += film->kind[i] == CAROM_BODY_MOVING;
    TAKE(film->scratch, items, carom_export_items_most(film) + 2 * film->joint_count + 1, err);
    TAKE(film->scratch, origins, carom_export_items_most(film) + 1, err);
    count = carom_export_items_list(stage, frame, items, origins);
    vec3 colour = { 0, 0, 0 };
    for (int i = 0; i < count; ++i) {
        int body = origins[i].body;
        if (i == 0 || body != origins[i - 1].body)
            colour = carom_export_stage_colour(stage, frame, body);
        items[i].colour = colour;
        items[i].marked = film->kind[body] == CAROM_BODY_MOVING && moving <= MARKED &&
                          items[i].kind == CAROM_TRACER_BALL;
    }
    for (int i = 0; i < film->joint_count; ++i) {
        int more = carom_export_items_joint(film, frame, &film->joints[i], 0.004 * stage->radius,
                                            items + count);
        for (int k = 0; k < more; ++k, ++count)
            items[count].colour = carom_colour_hex(stage->view.dark ? 0xb8c0ca : 0x4a525c);
    }
    carom_tracer tracer = { .items = items,
                            .count = count,
                            .camera = stage->camera,
                            .reach = 0.3 * stage->radius,
                            .grid = stage->grid,
                            .middle = vec3_from(stage->middle),
                            .fade = 2.2 * stage->radius,
                            .dark = stage->view.dark != 0,
                            .threads = stage->view.threads,
                            .progress = stage->progress,
                            .done = stage->done,
                            .total = stage->total };
    return carom_tracer_render(&tracer, film->scratch, image, err);
}

carom_status carom_export_stage_draw(const carom_export_stage *stage, const carom_frame *frame,
                                     carom_image *image, carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(stage->film->scratch);
    carom_status status = draw(stage, frame, image, err);
    carom_arena_rewind(stage->film->scratch, mark);
    return status;
}
