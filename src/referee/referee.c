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
enum { STEPS = 3, ITERATIONS = 2, REPEATS = 3 };
// An error beyond this is no result.
static const double diverged = 10;

typedef struct match {
    const carom_referee_contestant *contestant;
    carom_engine *engine;
    int row, test;
    carom_engine_body bodies[CAROM_REFEREE_BODIES];
    carom_engine_state states[CAROM_REFEREE_BODIES];
} match;

typedef struct result {
    carom_referee face; // first: what the caller has
    carom_referee_run_point *points;
} result;

// One run; an error above 0 that is no number is infinite.
static carom_status run_once(match *m, double step, int count, carom_referee_run_point *point,
                             carom_error *err)
{
    const carom_referee_test *test = &carom_referee_tests[m->test];
    carom_engine_scene scene = { .bodies = m->bodies, .setting = m->contestant->setting };
    test->make(&scene, m->bodies);
    scene.step = step;
    scene.steps = scene.every = (int)ceil(test->duration / step - 1e-9);
    scene.iterations = count;
    double seconds = 0;
    TRY(carom_engine_run(m->engine, &scene, 1, m->states, &seconds, err));
    double error = test->judge(&scene, m->states);
    *point =
        (carom_referee_run_point){ m->row, m->test, step, count, isfinite(error) ? error : HUGE_VAL,
                                   seconds };
    return CAROM_OK;
}

static carom_status time_best(match *m, carom_referee_cell *cell, carom_error *err)
{
    carom_referee_run_point point;
    for (int k = 0; k < REPEATS; ++k) {
        TRY(run_once(m, cell->step, cell->iterations, &point, err));
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
            status = run_once(m, steps[i], iterations[k], point, err);
            if (status != CAROM_OK || !(point->error < diverged))
                continue;
            ++r->face.point_count;
            if (point->error < cell->error) {
                cell->error = point->error;
                cell->step = point->step;
                cell->iterations = point->iterations;
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
        carom_referee_cell *cell = &r->face.cells[m->row * tests + m->test];
        TRY(carom_progress_report(progress, m->row * tests + m->test, rows * tests, name, err));
        carom_status status = opened == CAROM_OK ? run_test(m, r, cell, &own) : opened;
        if (status == CAROM_OK)
            continue;
        cell->error = HUGE_VAL;
        bool absent = opened != CAROM_OK && m->contestant->absent;
        snprintf(cell->failed, sizeof cell->failed, "%.95s",
                 absent ? m->contestant->absent : own.what);
    }
    carom_engine_close(m->engine);
    m->engine = NULL;
    return CAROM_OK;
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
        r->points = calloc(rows * tests * STEPS * ITERATIONS, sizeof *r->points);
        r->face.points = r->points;
    }
    *out = r;
    if (r && r->face.names && r->face.cells && r->points)
        return CAROM_OK;
    return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %d contestants", count);
}

carom_status carom_referee_judge(const carom_referee_contestant *contestants, int count,
                                 const carom_progress *progress, carom_referee **out,
                                 carom_error *err)
{
    NEED(err, contestants, out);
    result *r = NULL;
    *out = NULL;
    if (count < 1) {
        carom_error_set(err, CAROM_BAD_INPUT, "nobody takes part");
        return carom_error_fix(err, "name at least one law or engine");
    }
    match *m = calloc(1, sizeof *m);
    carom_status status = m ? make_result(count, &r, err)
                            : carom_error_set(err, CAROM_NO_MEMORY, "no memory for a match");
    for (int i = 0; i < count && status == CAROM_OK; ++i) {
        const char *name = contestants[i].name ? contestants[i].name : contestants[i].program;
        const char *slash = strrchr(name, '/');
        snprintf(r->face.names[i], sizeof *r->face.names, "%.63s", slash ? slash + 1 : name);
        m->contestant = &contestants[i];
        m->row = i;
        status = run_row(m, r, progress, err);
    }
    if (m)
        carom_engine_close(m->engine);
    free(m);
    if (status == CAROM_OK)
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
    free(r->points);
    free(r);
}
