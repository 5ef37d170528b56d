// Running all tests by all contestants at every setting of the grid; see carom/referee.h.
#include "referee/referee.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/progress.h"

// The grid, the same for all; runs of the best setting for its time.
static const double steps[] = { 1.0 / 60, 1.0 / 240, 1.0 / 960 };
static const int iterations[] = { 0, 50 };
// Of tosses: steps between two frames of the measurement.
static const int substeps[] = { 1, 2, 8 };
enum { STEPS = 3, ITERATIONS = 2, REPEATS = 3 };
// An error beyond this is no result.
static const double diverged = 10;

typedef struct match {
    const carom_referee_contestant *contestant;
    carom_engine *engine;
    int row, test;
    carom_referee_tosses *tosses; // null: none are there
    carom_referee_setup setup;
    carom_engine_state states[CAROM_REFEREE_FRAMES * CAROM_REFEREE_BODIES];
    double course[CAROM_REFEREE_FRAMES]; // of the run at work
    int best[2];                         // place in the grid: step, iterations
} match;

typedef struct result {
    carom_referee face; // first: what the caller has
    carom_referee_run_point *points;
} result;

// The error of a run that was judged over time, frame by frame; its largest.
static double judge_course(match *m, const carom_engine_scene *scene)
{
    const carom_referee_test *test = &carom_referee_tests[m->test];
    double worst = 0;
    for (int i = 0; i < CAROM_REFEREE_FRAMES; ++i) {
        double error = test->judge_frame(scene, &m->states[i * scene->body_count],
                                         (i + 1) * scene->every * scene->step);
        m->course[i] = isfinite(error) ? error : HUGE_VAL;
        worst = fmax(worst, m->course[i]);
    }
    return worst;
}

static carom_status run_scene(match *m, carom_engine_scene *scene, double *error, double *seconds,
                              carom_error *err)
{
    const carom_referee_test *test = &carom_referee_tests[m->test];
    int frames = test->judge_frame ? CAROM_REFEREE_FRAMES : 1;
    scene->every = (int)ceil(test->duration / frames / scene->step - 1e-9);
    scene->steps = frames * scene->every;
    TRY(carom_engine_run(m->engine, scene, 1, m->states, seconds, err));
    *error = test->judge_frame ? judge_course(m, scene) : test->judge(scene, m->states);
    return CAROM_OK;
}

// One run at a place of the grid; an error that is no number is infinite.
static carom_status run_once(match *m, int step, int count, carom_referee_run_point *point,
                             carom_error *err)
{
    const carom_referee_test *test = &carom_referee_tests[m->test];
    double seconds = 0, error = HUGE_VAL;
    m->setup.scene = (carom_engine_scene){ .bodies = m->setup.bodies,
                                           .joints = m->setup.joints,
                                           .setting = m->contestant->setting,
                                           .step = steps[step],
                                           .iterations = iterations[count] };
    if (test->tosses) {
        if (!m->tosses)
            return carom_error_set(err, CAROM_BAD_INPUT, "no file of measured tosses was found");
        TRY(carom_referee_tosses_run(m->tosses, m->engine, &m->setup.scene, substeps[step], &error,
                                     &seconds, err));
    } else {
        test->make(&m->setup);
        TRY(run_scene(m, &m->setup.scene, &error, &seconds, err));
    }
    *point = (carom_referee_run_point){
        m->row, m->test, m->setup.scene.step, iterations[count], isfinite(error) ? error : HUGE_VAL,
        seconds
    };
    return CAROM_OK;
}

static carom_status time_best(match *m, carom_referee_cell *cell, carom_error *err)
{
    carom_referee_run_point point;
    for (int k = 0; k < REPEATS; ++k) {
        TRY(run_once(m, m->best[0], m->best[1], &point, err));
        cell->error = fmin(cell->error, point.error);
        cell->error_max = fmax(cell->error_max, point.error);
        cell->seconds = k == 0 ? point.seconds : fmin(cell->seconds, point.seconds);
        cell->seconds_max = k == 0 ? point.seconds : fmax(cell->seconds_max, point.seconds);
    }
    return CAROM_OK;
}

// A program that has ended is started anew for the next test.
static carom_status run_test(match *m, result *r, carom_referee_cell *cell, carom_error *err)
{
    carom_status status = CAROM_OK;
    cell->error = HUGE_VAL;
    if (!m->engine)
        TRY(carom_engine_open(m->contestant->program, &m->engine, err));
    for (int i = 0; i < STEPS && status == CAROM_OK; ++i)
        for (int k = 0; k < ITERATIONS && status == CAROM_OK; ++k) {
            carom_referee_run_point *point = &r->points[r->face.point_count];
            status = run_once(m, i, k, point, err);
            if (status != CAROM_OK || !(point->error < diverged))
                continue;
            ++r->face.point_count;
            if (point->error < cell->error) {
                cell->error = cell->error_max = point->error;
                cell->step = point->step;
                cell->iterations = point->iterations;
                m->best[0] = i;
                m->best[1] = k;
                memcpy(r->face.courses[cell - r->face.cells], m->course, sizeof m->course);
            }
        }
    if (status == CAROM_OK && cell->error == HUGE_VAL)
        snprintf(cell->failed, sizeof cell->failed, "diverged");
    else if (status == CAROM_OK)
        status = time_best(m, cell, err);
    if (status == CAROM_IO_FAILED) {
        carom_engine_close(m->engine);
        m->engine = NULL;
    }
    return status;
}

static carom_status run_row(match *m, result *r, const carom_progress *progress, carom_error *err)
{
    int tests = r->face.test_count, rows = r->face.contestant_count;
    char *name = r->face.names[m->row];
    carom_error own = { 0 };
    carom_status opened = carom_engine_open(m->contestant->program, &m->engine, &own);
    if (!m->contestant->name && opened == CAROM_OK)
        snprintf(name, sizeof *r->face.names, "%.63s", carom_engine_name(m->engine));
    for (m->test = 0; m->test < tests; ++m->test) {
        if (!(r->face.tests >> m->test & 1))
            continue;
        carom_referee_cell *cell = &r->face.cells[m->row * tests + m->test];
        TRY(carom_progress_report(progress, m->row * tests + m->test, rows * tests, name, err));
        carom_status status = opened == CAROM_OK ? run_test(m, r, cell, &own) : opened;
        if (status == CAROM_OK)
            continue;
        // an interrupt of the terminal ends the programs, too: that is no failure of theirs
        TRY(carom_progress_report(progress, m->row * tests + m->test, rows * tests, name, err));
        cell->error = HUGE_VAL;
        bool absent = opened != CAROM_OK && m->contestant->absent;
        snprintf(cell->failed, sizeof cell->failed, "%.95s",
                 absent ? m->contestant->absent : own.what);
    }
    carom_engine_close(m->engine);
    m->engine = NULL;
    return CAROM_OK;
}

// What was stopped: cells from the present one on have no figure.
static void leave_out(const match *m, carom_referee *face)
{
    int first = m->row * face->test_count + m->test;
    for (int i = first; i < face->contestant_count * face->test_count; ++i) {
        face->cells[i] = (carom_referee_cell){ .error = HUGE_VAL };
        snprintf(face->cells[i].failed, sizeof face->cells[i].failed, "not run: stopped before");
    }
}

static void name_row(const carom_referee_contestant *one, char name[64])
{
    const char *given = one->name ? one->name : one->program, *slash = strrchr(given, '/');
    snprintf(name, 64, "%.63s", slash ? slash + 1 : given);
}

static bool judges_tosses(unsigned tests)
{
    for (int i = 0; i < carom_referee_test_count(); ++i)
        if (carom_referee_tests[i].tosses && tests >> i & 1)
            return true;
    return false;
}

static carom_status make_result(int count, result **out, carom_error *err)
{
    size_t rows = (size_t)count, tests = (size_t)carom_referee_test_count();
    result *r = calloc(1, sizeof *r);
    if (r) {
        r->face.contestant_count = count;
        r->face.test_count = (int)tests;
        r->face.names = calloc(rows, sizeof *r->face.names);
        r->face.cells = calloc(rows * tests, sizeof *r->face.cells);
        r->face.courses = calloc(rows * tests, sizeof *r->face.courses);
        r->points = calloc(rows * tests * STEPS * ITERATIONS, sizeof *r->points);
        r->face.points = r->points;
    }
    *out = r;
    if (r && r->face.names && r->face.cells && r->face.courses && r->points)
        return CAROM_OK;
    return carom_error_no_memory(err, "%d contestants", count);
}

carom_status carom_referee_judge(const carom_referee_options *options, carom_referee **out,
                                 carom_error *err)
{
    NEED(err, options, out);
    NEED(err, options->contestants);
    result *r = NULL;
    *out = NULL;
    if (options->count < 1) {
        carom_error_set(err, CAROM_BAD_INPUT, "nobody takes part");
        return carom_error_fix(err, "name at least one law or engine");
    }
    match *m = calloc(1, sizeof *m);
    carom_status status =
        m ? make_result(options->count, &r, err) : carom_error_no_memory(err, "a match");
    if (status == CAROM_OK)
        r->face.tests = options->tests ? options->tests : ~0u;
    if (status == CAROM_OK && options->tosses && judges_tosses(r->face.tests))
        status = carom_referee_tosses_open(options->tosses, &m->tosses, err);
    for (int i = 0; i < options->count && status == CAROM_OK; ++i)
        name_row(&options->contestants[i], r->face.names[i]);
    for (int i = 0; i < options->count && status == CAROM_OK; ++i) {
        m->contestant = &options->contestants[i];
        m->row = i;
        status = run_row(m, r, options->progress, err);
    }
    if (status == CAROM_INTERRUPTED)
        leave_out(m, &r->face);
    if (m) {
        carom_engine_close(m->engine);
        carom_referee_tosses_close(m->tosses);
    }
    free(m);
    if (status == CAROM_OK || status == CAROM_INTERRUPTED)
        *out = &r->face;
    else if (r)
        carom_referee_destroy(&r->face);
    return status;
}

void carom_referee_destroy(carom_referee *referee)
{
    if (!referee)
        return;
    result *r = (result *)referee;
    free(r->face.names);
    free(r->face.cells);
    free(r->face.courses);
    free(r->points);
    free(r);
}
