// Tosses of a cube onto a floor, recorded frame by frame.
//
// Each toss runs in a world of its own from its first frame, with the velocities of the file, and
// is compared with every frame that follows. (In one world for all the step would be cut at the
// times of impact of every toss: slower, and what becomes of one would depend on the others.)
//
// The fit minimises the mean distance between points of the cube's surface where it is and where it
// was measured, about: position error plus half a width times the angle.
#include <stdlib.h>
#include <string.h>
#include "base/progress.h"
#include "base/team.h"
#include "carom/world.h"
#include "math/constants.h"
#include "math/vec.h"
#include "validate/data_table.h"
#include "validate/fit.h"
#include "validate/validate.h"

enum { TOSS, FRAME, X, Y, Z, QW, QX, QY, QZ, VX, VY, VZ, WX, WY, WZ, COLUMNS };
static const char *const names[COLUMNS] = { "toss", "frame", "x",  "y",  "z",  "qw", "qx", "qy",
                                            "qz",   "vx",    "vy", "vz", "wx", "wy", "wz" };

// Steps per frame. Contacts are met at their times, so that more change little.
enum { SUBSTEPS = 2 };

// A toss: its frames are rows that follow each other.
typedef struct toss {
    const double *first;
    int frames;
} toss;

typedef struct batch {
    int count;
    toss *tosses;
    double *positions, *angles; // mean errors, widths and degrees
} batch;

typedef struct fitting {
    const carom_validate_options *options;
    const carom_law *law;
    batch *batch;
    double done, total; // runs
} fitting;

typedef struct parts {
    carom_data_table data, other;
    batch fit, judge;
} parts;

static carom_status read_parts(const carom_validate_options *options, parts *p, carom_error *err);
static void free_parts(parts *p);
static carom_status run_batch(void *context, double restitution, double friction, double *error,
                              carom_error *err);

static carom_status judge_law(fitting *f, parts *p, carom_validate_row *row, double *columns,
                              carom_error *err)
{
    const carom_fit fit = { .restitution = carom_law_bounces(row->law),
                            .friction = carom_law_has_friction(row->law),
                            .most_friction = 0.6,
                            .coarse = 5,
                            .fine = 0.01,
                            .error = run_batch,
                            .context = f };
    size_t n = (size_t)p->judge.count;
    double mean, median;
    f->law = row->law;
    f->batch = &p->fit;
    TRY(carom_fit_search(&fit, &row->restitution, &row->friction, err));
    f->batch = &p->judge;
    TRY(run_batch(f, row->restitution, row->friction, &mean, err));
    memcpy(columns, p->judge.positions, n * sizeof *columns);
    memcpy(columns + n, p->judge.angles, n * sizeof *columns);
    row->errors = columns;
    row->angles = columns + n;
    TRY(carom_validate_average(row->errors, p->judge.count, &row->position, &median, err));
    return carom_validate_average(row->angles, p->judge.count, &row->angle, &median, err);
}

carom_status carom_validate_tosses(const carom_validate_options *options, carom_validation **out,
                                   carom_error *err)
{
    const double search = 40; // runs, about
    parts p = { 0 };
    double *columns;
    NEED(err, options, out);
    *out = NULL;
    TRY(carom_validate_check(options, err));
    carom_status status = read_parts(options, &p, err);
    if (status == CAROM_OK)
        status = carom_validate_create(options, p.judge.count, 2, out, &columns, err);
    fitting f = { .options = options, .total = search * options->law_count };
    for (int i = 0; i < options->law_count && status == CAROM_OK; ++i) {
        f.done = i * search;
        (*out)->fitted = p.fit.count;
        status = judge_law(&f, &p, &(*out)->rows[i],
                           columns + 2 * (size_t)i * (size_t)p.judge.count, err);
    }
    free_parts(&p);
    if (status != CAROM_OK) {
        carom_validate_destroy(*out);
        *out = NULL;
    }
    return status;
}

// -- data
// ------------------------------------------------------------------------------------------

static const double *row_of(const carom_data_table *table, int i)
{
    return table->values + (size_t)i * COLUMNS;
}

static carom_status bad_order(const char *path, int row, carom_error *err)
{
    carom_error_set(err, CAROM_BAD_INPUT, "row %d is not the next frame of its toss", row + 1);
    carom_error_where(err, "%s", path);
    return carom_error_fix(err, "sort by toss, then by frame from 0 on without gaps");
}

static carom_status bad_rotation(const char *path, int row, carom_error *err)
{
    carom_error_set(err, CAROM_BAD_INPUT, "row %d has a rotation that is no unit quaternion",
                    row + 1);
    carom_error_where(err, "%s", path);
    return carom_error_fix(err, "qw qx qy qz of length 1, body to world");
}

// Finds the tosses of a table.
static carom_status list_tosses(const carom_data_table *table, const char *path, toss *list,
                                int *count, carom_error *err)
{
    *count = 0;
    for (int i = 0; i < table->rows; ++i) {
        const double *row = row_of(table, i), *q = row + QW;
        bool begins = i == 0 || row[TOSS] != row_of(table, i - 1)[TOSS];
        if (begins)
            list[(*count)++] = (toss){ .first = row };
        toss *now = &list[*count - 1];
        if (row[FRAME] != now->frames)
            return bad_order(path, i, err);
        if (fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) > 1e-3)
            return bad_rotation(path, i, err);
        ++now->frames;
    }
    return CAROM_OK;
}

static carom_status make_room(batch *b, int count, carom_error *err)
{
    size_t n = (size_t)count;
    b->tosses = malloc(n * sizeof *b->tosses);
    b->positions = malloc(n * sizeof *b->positions);
    b->angles = malloc(n * sizeof *b->angles);
    if (b->tosses && b->positions && b->angles)
        return CAROM_OK;
    return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %d tosses", count);
}

static carom_status split_halves(const carom_validate_options *options, const toss *list, int count,
                                 parts *p, carom_error *err)
{
    unsigned char *fits = malloc((size_t)count);
    if (!fits)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %d tosses", count);
    carom_status status = carom_validate_halves(count, options->seed, fits, err);
    for (int i = 0; i < count && status == CAROM_OK; ++i) {
        batch *b = fits[i] ? &p->fit : &p->judge;
        b->tosses[b->count++] = list[i];
    }
    free(fits);
    return status;
}

static carom_status read_parts(const carom_validate_options *options, parts *p, carom_error *err)
{
    int count;
    TRY(carom_data_table_read(options->data, names, COLUMNS, &p->data, err));
    TRY(make_room(&p->judge, p->data.rows, err));
    if (options->fit) {
        TRY(carom_data_table_read(options->fit, names, COLUMNS, &p->other, err));
        TRY(make_room(&p->fit, p->other.rows, err));
        TRY(list_tosses(&p->other, options->fit, p->fit.tosses, &p->fit.count, err));
        return list_tosses(&p->data, options->data, p->judge.tosses, &p->judge.count, err);
    }
    TRY(make_room(&p->fit, p->data.rows, err));
    toss *list = malloc((size_t)p->data.rows * sizeof *list);
    if (!list)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %d rows", p->data.rows);
    carom_status status = list_tosses(&p->data, options->data, list, &count, err);
    if (status == CAROM_OK)
        status = split_halves(options, list, count, p, err);
    free(list);
    return status;
}

static void free_batch(batch *b)
{
    free(b->tosses);
    free(b->positions);
    free(b->angles);
}

static void free_parts(parts *p)
{
    free_batch(&p->fit);
    free_batch(&p->judge);
    carom_data_table_free(&p->data);
    carom_data_table_free(&p->other);
}

// -- runs
// ------------------------------------------------------------------------------------------

// One run of all tosses of a batch.
typedef struct trial {
    const fitting *f;
    double restitution, friction;
    const carom_shape *plane, *cube;
    carom_status status; // of the first toss that failed, in the order of the file
    int failed;          // which that is; none: the number of tosses
    carom_error error;
} trial;

// Files round: the world wants a unit quaternion.
static void set_rotation(carom_body *body, const double q[4])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; ++k)
        body->rotation[k] = q[k] / length;
}

static carom_status fill_world(carom_world *world, const trial *t, const double *row,
                               carom_error *err)
{
    const carom_validate_options *o = t->f->options;
    carom_body floor = carom_world_body_default(), body = carom_world_body_default();
    carom_material material = carom_world_material_default();
    material.restitution = t->restitution;
    material.friction = t->friction;
    floor.shape = t->plane;
    floor.kind = CAROM_BODY_FIXED;
    floor.material = body.material = 1;
    body.shape = t->cube;
    body.mass = o->mass;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = o->inertia;
    memcpy(body.position, row + X, sizeof body.position);
    memcpy(body.velocity, row + VX, sizeof body.velocity);
    memcpy(body.spin, row + WX, sizeof body.spin);
    set_rotation(&body, row + QW);
    TRY(carom_world_add_material(world, &material, NULL, err));
    TRY(carom_world_add_body(world, &floor, NULL, err));
    return carom_world_add_body(world, &body, NULL, err);
}

static double angle_between(const double p[4], const double q[4])
{
    double same = fabs(p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]);
    double sine = sqrt(fmax(1 - fmin(same * same, 1), 0));
    return 2 * atan2(sine, same) * CAROM_DEGREES_PER_RADIAN;
}

// Steps a toss from frame to frame; means of its errors over all frames, the first of which is
// given.
static carom_status follow_toss(carom_world *world, const trial *t, int index, carom_error *err)
{
    const toss *of = &t->f->batch->tosses[index];
    const carom_validate_options *o = t->f->options;
    double position = 0, angle = 0, x[3], q[4];
    for (int frame = 1; frame < of->frames; ++frame) {
        const double *row = of->first + (size_t)frame * COLUMNS;
        for (int k = 0; k < SUBSTEPS; ++k)
            TRY(carom_world_step(world, 1 / (o->rate * SUBSTEPS), err));
        carom_world_body(world, carom_world_body_at(world, 1), x, q, NULL, NULL);
        position += vec3_length(vec3_sub(vec3_from(x), vec3_from(row + X))) / o->width;
        angle += angle_between(q, row + QW);
    }
    t->f->batch->positions[index] = position / of->frames;
    t->f->batch->angles[index] = angle / of->frames;
    return CAROM_OK;
}

static carom_status run_toss(const trial *t, int index, carom_error *err)
{
    carom_world_options options = carom_world_options_default();
    carom_world *world;
    options.law = t->f->law;
    options.law_options = carom_law_defaults(t->f->law);
    options.gravity[2] = -t->f->options->gravity;
    TRY(carom_world_create(&options, &world, err));
    carom_status status = fill_world(world, t, t->f->batch->tosses[index].first, err);
    if (status == CAROM_OK)
        status = follow_toss(world, t, index, err);
    carom_world_destroy(world);
    return status;
}

static void run_share(trial *t, int threads)
{
    CAROM_TEAM_EACH (i, t->f->batch->count, threads) {
        carom_error err = { 0 };
        carom_status status = run_toss(t, i, &err);
        carom_team_lock(threads);
        if (status != CAROM_OK && i < t->failed) {
            t->status = status;
            t->failed = i;
            t->error = err;
        }
        carom_team_unlock(threads);
    }
}
CAROM_TEAM_SHARE2(run_share, trial *, int)

static carom_status run_trial(trial *t, carom_error *err)
{
    int threads = t->f->options->threads;
    CAROM_TEAM(threads, run_share(t, threads));
    if (t->status != CAROM_OK && err) {
        *err = t->error;
        carom_error_where(err, "toss %g", t->f->batch->tosses[t->failed].first[TOSS]);
    }
    return t->status;
}

static carom_status run_batch(void *context, double restitution, double friction, double *error,
                              carom_error *err)
{
    fitting *f = context;
    double half = 0.5 * f->options->width;
    carom_shape *plane = NULL, *cube = NULL;
    TRY(carom_progress_report(f->options->progress, fmin(f->done++, f->total), f->total,
                              carom_law_name(f->law), err));
    carom_status status = carom_plane_create(&plane, err);
    if (status == CAROM_OK)
        status = carom_box_create((double[]){ half, half, half }, &cube, err);
    trial t = { .f = f,
                .restitution = restitution,
                .friction = friction,
                .plane = plane,
                .cube = cube,
                .failed = f->batch->count };
    if (status == CAROM_OK)
        status = run_trial(&t, err);
    carom_shape_release(plane);
    carom_shape_release(cube);
    *error = 0;
    for (int i = 0; i < f->batch->count; ++i)
        *error += (f->batch->positions[i] + 0.5 * CAROM_RADIANS_PER_DEGREE * f->batch->angles[i]) /
                  f->batch->count;
    return status;
}
