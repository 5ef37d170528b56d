// Tosses of a cube onto a floor, recorded frame by frame.
//
// Each toss runs in a world of its own from its first frame, with the velocities of the file, and
// is compared with every frame that follows. (In one world for all the step would be cut at the
// times of impact of every toss: slower, and what becomes of one would depend on the others.)
//
// The fit minimises the mean error of position. That of the angle hardly knows the material: over
// all that were tried it goes up and down by half a degree without a trend, as cubes that tumble
// one edge further or less decide it.
#include <stdlib.h>
#include <string.h>
#include "base/progress.h"
#include "base/team.h"
#include "carom/world.h"
#include "math/constants.h"
#include "math/vec.h"
#include "validate/validate.h"

static const char *const names[CAROM_TOSS_COLUMNS] = { "toss", "frame", "x",  "y",  "z",
                                                       "qw",   "qx",    "qy", "qz", "vx",
                                                       "vy",   "vz",    "wx", "wy", "wz" };

// Steps per frame. Ours meet contacts at their times, so that more change little; engines do not.
enum { SUBSTEPS = 2, ENGINE_SUBSTEPS = 8 };
// One toss in so many is looked at for the grid that the search starts from.
enum { ROUGH = 4 };
// The speed at which a fitted restitution is given, m/s; runs of a search, about.
static const double speed_of_reference = 1, search_size = 40;

typedef struct fitting {
    const carom_validate_options *options;
    const carom_law *law;   // null: an engine
    carom_engine **engines; // one per thread
    const char *name;
    const carom_parts_list *part;
    double *positions, *angles; // mean errors of each toss, widths and degrees
    double done, total;         // runs
} fitting;

static carom_status run_part(fitting *f, const carom_validate_material *material, int stride,
                             double *error, carom_error *err);

static carom_status try_material(void *context, const double numbers[CAROM_FIT_NUMBERS], bool rough,
                                 double *error, carom_error *err)
{
    fitting *f = context;
    carom_validate_material material =
        carom_validate_material_of(f->options, numbers, speed_of_reference);
    return run_part(f, &material, rough && f->part->count >= 8 * ROUGH ? ROUGH : 1, error, err);
}

// What a row is judged with.
typedef struct work {
    fitting *f;
    const carom_parts *parts;
    double *columns;
} work;

static carom_status judge_row(void *context, carom_engine **engines, int number,
                              carom_validate_row *row, carom_error *err)
{
    const work *w = context;
    fitting *f = w->f;
    const carom_parts_list *judged = &w->parts->judge;
    double numbers[CAROM_FIT_NUMBERS], mean, median;
    size_t n = (size_t)judged->count;
    double *columns = w->columns + 2 * (size_t)number * n;
    f->engines = engines;
    f->law = row->law;
    f->name = row->name;
    f->done = number * search_size;
    carom_fit fit = carom_validate_fit(f->options, row->law);
    fit.max[CAROM_FIT_FRICTION] = 0.6;
    fit.coarse = 5;
    fit.fine = 0.01;
    fit.error = try_material;
    fit.context = f;
    f->part = &w->parts->fit;
    TRY(carom_fit_search(&fit, numbers, err));
    row->material = carom_validate_material_of(f->options, numbers, speed_of_reference);
    f->part = judged;
    TRY(run_part(f, &row->material, 1, &mean, err));
    memcpy(columns, f->positions, n * sizeof *columns);
    memcpy(columns + n, f->angles, n * sizeof *columns);
    row->errors = columns;
    row->angles = columns + n;
    TRY(carom_validate_average(row->errors, judged->count, &row->position, &median, err));
    return carom_validate_average(row->angles, judged->count, &row->angle, &median, err);
}

static carom_status judge_all(const carom_validate_options *options, const carom_parts *p,
                              carom_validation *v, double *columns, carom_error *err)
{
    size_t n = (size_t)(p->fit.count > p->judge.count ? p->fit.count : p->judge.count);
    fitting f = { .options = options, .total = search_size * v->row_count };
    work w = { &f, p, columns };
    f.positions = calloc(2 * n, sizeof *f.positions);
    if (!f.positions)
        return carom_error_no_memory(err, "%zu tosses", n);
    f.angles = f.positions + n;
    carom_status status = carom_validate_rows(v, options->threads, judge_row, &w, err);
    free(f.positions);
    return status;
}

carom_status carom_validate_tosses(const carom_validate_options *options, carom_validation **out,
                                   carom_error *err)
{
    carom_parts p = { 0 };
    double *columns;
    NEED(err, options, out);
    *out = NULL;
    TRY(carom_validate_check(options, err));
    carom_status status = carom_validate_read_tosses(options, &p, err);
    if (status == CAROM_OK)
        status = carom_validate_create(options, p.judge.count, 2, out, &columns, err);
    if (status == CAROM_OK) {
        (*out)->fitted = p.fit.count;
        (*out)->tosses = 1;
        (*out)->bounds = NULL;
        (*out)->measured = NULL;
        status = judge_all(options, &p, *out, columns, err);
    }
    carom_parts_free(&p);
    if (status != CAROM_OK) {
        carom_validate_destroy(*out);
        *out = NULL;
    }
    return status;
}

// -- data ------------------------------------------------------------------------------------

static carom_status check_tosses(const carom_parts_list *part, carom_error *err)
{
    for (int i = 0; i < part->count; ++i)
        for (int frame = 0; frame < part->cases[i].count; ++frame) {
            const double *row = part->cases[i].rows + (size_t)frame * CAROM_TOSS_COLUMNS;
            const double *q = row + CAROM_TOSS_Q;
            bool unit = fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) <= 1e-3;
            if (row[CAROM_TOSS_FRAME] == frame && unit)
                continue;
            carom_error_set(err, CAROM_BAD_INPUT,
                            unit ? "frame %g of toss %g is not the next frame of its toss"
                                 : "frame %g of toss %g has a rotation that is no unit quaternion",
                            row[CAROM_TOSS_FRAME], row[CAROM_TOSS_NUMBER]);
            carom_error_where(err, "%s", part->path);
            return unit ? carom_error_fix(err, "sort by toss, then by frame from 0 on without gaps")
                        : carom_error_fix(err, "qw qx qy qz of length 1, body to world");
        }
    return CAROM_OK;
}

carom_status carom_validate_read_tosses(const carom_validate_options *options, carom_parts *out,
                                        carom_error *err)
{
    static const carom_parts_layout layout = { names, CAROM_TOSS_COLUMNS, CAROM_TOSS_NUMBER };
    TRY(carom_parts_read(options, &layout, out, err));
    TRY(check_tosses(&out->fit, err));
    return check_tosses(&out->judge, err);
}

// -- one toss by a law -----------------------------------------------------------------------

// Files round: the world wants a unit quaternion.
static void unit_rotation(const double from[4], double to[4])
{
    double length =
        sqrt(from[0] * from[0] + from[1] * from[1] + from[2] * from[2] + from[3] * from[3]);
    for (int k = 0; k < 4; ++k)
        to[k] = from[k] / length;
}

static carom_material surface_of(const carom_validate_material *m)
{
    carom_material material = carom_world_material_default();
    material.restitution = m->restitution;
    material.friction = m->friction;
    if (m->fade != 0) {
        material.restitution = 0;
        material.fade = 1 - m->restitution;
        material.fade_speed = m->speed;
        material.fade_power = m->fade;
        material.fade_slip = m->slip;
    }
    return material;
}

static carom_status fill_world(carom_world *world, const carom_validate_options *o,
                               const carom_validate_material *m, const double *row,
                               carom_error *err)
{
    double half = 0.5 * o->width;
    carom_body floor = carom_world_body_default(), body = carom_world_body_default();
    carom_material material = surface_of(m);
    carom_shape *plane = NULL, *cube = NULL;
    carom_status status = carom_plane_create(&plane, err);
    if (status == CAROM_OK)
        status = carom_box_create((double[]){ half, half, half }, &cube, err);
    floor.shape = plane;
    floor.kind = CAROM_BODY_FIXED;
    floor.material = body.material = 1;
    body.shape = cube;
    body.mass = o->mass;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = o->inertia;
    memcpy(body.position, row + CAROM_TOSS_X, sizeof body.position);
    memcpy(body.velocity, row + CAROM_TOSS_V, sizeof body.velocity);
    memcpy(body.spin, row + CAROM_TOSS_W, sizeof body.spin);
    unit_rotation(row + CAROM_TOSS_Q, body.rotation);
    if (status == CAROM_OK)
        status = carom_world_add_material(world, &material, NULL, err);
    if (status == CAROM_OK)
        status = carom_world_add_body(world, &floor, NULL, err);
    if (status == CAROM_OK)
        status = carom_world_add_body(world, &body, NULL, err);
    carom_shape_release(plane);
    carom_shape_release(cube);
    return status;
}

carom_status carom_validate_run_toss(const carom_validate_options *options, const carom_law *law,
                                     const carom_validate_material *material,
                                     const carom_case *toss, carom_engine_state *states,
                                     carom_error *err)
{
    carom_world_options how = carom_world_options_default();
    carom_world *world;
    how.law = law;
    how.law_options = carom_law_defaults(law);
    how.gravity[2] = -options->gravity;
    TRY(carom_world_create(&how, &world, err));
    carom_status status = fill_world(world, options, material, toss->rows, err);
    for (int frame = 1; frame < toss->count && status == CAROM_OK; ++frame) {
        carom_engine_state *s = &states[frame - 1];
        for (int k = 0; k < SUBSTEPS && status == CAROM_OK; ++k)
            status = carom_world_step(world, 1 / (options->rate * SUBSTEPS), err);
        carom_world_body(world, carom_world_body_at(world, 1), s->position, s->rotation,
                         s->velocity, s->spin);
    }
    carom_world_destroy(world);
    return status;
}

// -- one toss by an engine -------------------------------------------------------------------

static void engine_bodies(const carom_validate_options *o, const double *row,
                          carom_engine_body bodies[2])
{
    double half = 0.5 * o->width;
    double inertia = o->inertia > 0 ? o->inertia : o->mass * o->width * o->width / 6;
    bodies[0] = (carom_engine_body){ .shape = CAROM_ENGINE_PLANE, .rotation = { 1 } };
    bodies[1] = (carom_engine_body){ .shape = CAROM_ENGINE_BOX,
                                     .size = { half, half, half },
                                     .mass = o->mass,
                                     .inertia = { inertia, inertia, inertia } };
    memcpy(bodies[1].position, row + CAROM_TOSS_X, sizeof bodies[1].position);
    memcpy(bodies[1].velocity, row + CAROM_TOSS_V, sizeof bodies[1].velocity);
    memcpy(bodies[1].spin, row + CAROM_TOSS_W, sizeof bodies[1].spin);
    unit_rotation(row + CAROM_TOSS_Q, bodies[1].rotation);
}

carom_engine_scene carom_validate_toss_scene(const carom_validate_options *options,
                                             const carom_validate_material *material,
                                             const carom_case *toss, int substeps,
                                             carom_engine_body bodies[2])
{
    engine_bodies(options, toss->rows, bodies);
    return (carom_engine_scene){ .bodies = bodies,
                                 .body_count = 2,
                                 .gravity = { 0, 0, -options->gravity },
                                 .restitution = material->restitution,
                                 .friction = material->friction,
                                 .step = 1 / (options->rate * substeps),
                                 .steps = substeps * (toss->count - 1),
                                 .every = substeps };
}

// -- all of them -----------------------------------------------------------------------------

static double angle_between(const double p[4], const double q[4])
{
    double same = fabs(p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]);
    double sine = sqrt(fmax(1 - fmin(same * same, 1), 0));
    return 2 * atan2(sine, same) * CAROM_DEGREES_PER_RADIAN;
}

// The first frame is given.
void carom_validate_toss_errors(const carom_validate_options *options, const carom_case *toss,
                                const carom_engine_state *states, double *position, double *angle)
{
    *position = *angle = 0;
    for (int frame = 1; frame < toss->count; ++frame) {
        const double *row = toss->rows + (size_t)frame * CAROM_TOSS_COLUMNS;
        const carom_engine_state *s = &states[frame - 1];
        double off = vec3_length(vec3_sub(vec3_from(s->position), vec3_from(row + CAROM_TOSS_X)));
        double turn = angle_between(s->rotation, row + CAROM_TOSS_Q);
        *position += isfinite(off) ? fmin(off / options->width, 10) : 10;
        *angle += isfinite(turn) ? turn : 180;
    }
    *position /= toss->count;
    *angle /= toss->count;
}

static void judge_toss(const fitting *f, int index, const carom_engine_state *states)
{
    carom_validate_toss_errors(f->options, &f->part->cases[index], states, &f->positions[index],
                               &f->angles[index]);
}

// One run of all tosses of a part, or of one in `stride`.
typedef struct trial {
    const fitting *f;
    const carom_validate_material *material;
    int stride;
    carom_status status; // of the first toss that failed, in the order of the file
    int failed;          // which that is; none: the number of tosses
    carom_error error;
} trial;

static carom_status run_one(const trial *t, int index, carom_error *err)
{
    const carom_case *toss = &t->f->part->cases[index];
    carom_engine_state *states = malloc((size_t)toss->count * sizeof *states);
    if (!states)
        return carom_error_no_memory(err, "%d frames", toss->count);
    carom_status status =
        carom_validate_run_toss(t->f->options, t->f->law, t->material, toss, states, err);
    if (status == CAROM_OK)
        judge_toss(t->f, index, states);
    free(states);
    return status;
}

// The tosses of one share in one question: `count` of them from `first` on, `step` apart. Both
// bodies of each frame come back, the cube's second.
static carom_status run_by_engine(const trial *t, int first, int step, int count, carom_error *err)
{
    const carom_case *cases = t->f->part->cases;
    size_t n = (size_t)count, frames = 0, at = 0;
    for (int k = 0; k < count; ++k)
        frames += (size_t)cases[first + k * step].count;
    carom_engine_scene *scenes = malloc((n + 1) * sizeof *scenes);
    carom_engine_body *bodies = malloc(2 * (n + 1) * sizeof *bodies);
    carom_engine_state *states = malloc(2 * (frames + 1) * sizeof *states);
    carom_status status = CAROM_NO_MEMORY;
    for (int k = 0; k < count && scenes && bodies && states; ++k) {
        const carom_case *toss = &cases[first + k * step];
        scenes[k] = carom_validate_toss_scene(t->f->options, t->material, toss, ENGINE_SUBSTEPS,
                                              bodies + 2 * k);
    }
    if (scenes && bodies && states)
        status = carom_engine_run(t->f->engines[carom_team_me(t->f->options->threads)], scenes,
                                  count, states, NULL, err);
    else
        carom_error_no_memory(err, "%d tosses", count);
    for (int k = 0; k < count && status == CAROM_OK; ++k) {
        int length = cases[first + k * step].count - 1;
        for (int i = 0; i < length; ++i)
            states[at + (size_t)i] = states[at + 2 * (size_t)i + 1];
        judge_toss(t->f, first + k * step, states + at);
        at += 2 * (size_t)length;
    }
    free(scenes);
    free(bodies);
    free(states);
    return status;
}

static void note_failure(trial *t, int index, int threads, carom_status status,
                         const carom_error *err)
{
    carom_team_lock(threads);
    if (status != CAROM_OK && index < t->failed) {
        t->status = status;
        t->failed = index;
        t->error = *err;
    }
    carom_team_unlock(threads);
}

static void run_share(trial *t, int threads)
{
    carom_error err = { 0 };
    int all = (t->f->part->count + t->stride - 1) / t->stride, me = carom_team_me(threads);
    int size = carom_team_size(threads);
    if (!t->f->law && me < all) {
        int count = (all - me + size - 1) / size;
        carom_status status = run_by_engine(t, me * t->stride, size * t->stride, count, &err);
        note_failure(t, me * t->stride, threads, status, &err);
    }
    CAROM_TEAM_EACH (i, t->f->law ? all : 0, threads) {
        carom_status status = run_one(t, i * t->stride, &err);
        note_failure(t, i * t->stride, threads, status, &err);
    }
}
CAROM_TEAM_SHARE2(run_share, trial *, int)

static carom_status run_part(fitting *f, const carom_validate_material *material, int stride,
                             double *error, carom_error *err)
{
    int threads = f->options->threads, count = f->part->count, seen = 0;
    trial t = { .f = f, .material = material, .stride = stride, .failed = count };
    TRY(carom_progress_report(f->options->progress, fmin(f->done, f->total), f->total, f->name,
                              err));
    f->done += 1.0 / stride;
    CAROM_TEAM(threads, run_share(&t, threads));
    if (t.status != CAROM_OK && err) {
        *err = t.error;
        carom_error_where(err, "toss %g", f->part->cases[t.failed].rows[CAROM_TOSS_NUMBER]);
    }
    *error = 0;
    for (int i = 0; i < count; i += stride, ++seen)
        *error += f->positions[i];
    *error /= seen > 0 ? seen : 1;
    return t.status;
}
