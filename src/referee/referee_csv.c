// Contestants whose results come as a file: CSV with the columns name, test, error, seconds, one
// line per test. For engines that no program here can run.
#include "referee/referee.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 400, CONTESTANTS_MAX = 1000 };

static int find_test(const char *name)
{
    for (int t = 0; t < carom_referee_test_count(); ++t)
        if (strcmp(carom_referee_test_name(t), name) == 0)
            return t;
    return -1;
}

// The row of that name, made where there is none; -1 without memory.
static int find_row(carom_referee *r, const char *name)
{
    size_t tests = (size_t)r->test_count, rows = (size_t)r->contestant_count + 1;
    for (int i = 0; i < r->contestant_count; ++i)
        if (strcmp(r->names[i], name) == 0)
            return i;
    void *names = realloc(r->names, rows * sizeof *r->names);
    if (names)
        r->names = names;
    void *cells = realloc(r->cells, rows * tests * sizeof *r->cells);
    if (cells)
        r->cells = cells;
    void *courses = realloc(r->courses, rows * tests * sizeof *r->courses);
    if (courses)
        r->courses = courses;
    if (!names || !cells || !courses)
        return -1;
    memset(r->courses[(rows - 1) * tests], 0, tests * sizeof *r->courses);
    int row = r->contestant_count++;
    snprintf(r->names[row], sizeof *r->names, "%.63s", name);
    for (int t = 0; t < r->test_count; ++t) {
        carom_referee_cell *cell = &r->cells[row * r->test_count + t];
        *cell = (carom_referee_cell){ .error = HUGE_VAL };
        snprintf(cell->failed, sizeof cell->failed, "no figure in the file");
    }
    return row;
}

static carom_status read_line(carom_referee *r, const char *line, carom_error *err)
{
    char name[64], test[64];
    double error, seconds;
    if (sscanf(line, " %63[^,], %63[^,], %lf, %lf", name, test, &error, &seconds) != 4 ||
        !(error >= 0) || !(seconds >= 0)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the line is no result of a test");
        return carom_error_fix(err, "write name,test,error,seconds: My engine,rack,0.013,0.5");
    }
    int t = find_test(test);
    if (t < 0) {
        carom_error_set(err, CAROM_BAD_INPUT, "there is no test \"%s\"", test);
        return carom_error_fix(err, "docs/referee.md names the tests");
    }
    int row = r->contestant_count < CONTESTANTS_MAX ? find_row(r, name) : CONTESTANTS_MAX;
    if (row == CONTESTANTS_MAX) {
        carom_error_set(err, CAROM_BAD_INPUT, "more than %d contestants", CONTESTANTS_MAX);
        return carom_error_fix(err, "give the results of fewer at a time");
    }
    if (row < 0)
        return carom_error_no_memory(err, "another contestant");
    carom_referee_cell *cell = &r->cells[row * r->test_count + t];
    *cell = (carom_referee_cell){
        .error = error, .error_max = error, .seconds = seconds, .seconds_max = seconds
    };
    if (!isfinite(error))
        snprintf(cell->failed, sizeof cell->failed, "diverged");
    return CAROM_OK;
}

carom_status carom_referee_add(carom_referee *referee, const char *path, carom_error *err)
{
    char line[LINE];
    int number = 0;
    NEED(err, referee, path);
    FILE *file = fopen(path, "r");
    if (!file) {
        if (errno == ENOMEM)
            return carom_error_no_memory(err, "the file \"%.160s\"", path);
        carom_error_set(err, CAROM_IO_FAILED, "the results cannot be read: %s", strerror(errno));
        carom_error_where(err, "%s", path);
        return carom_error_fix(err, "name a CSV file with name,test,error,seconds");
    }
    carom_status status = CAROM_OK;
    while (status == CAROM_OK && fgets(line, sizeof line, file)) {
        bool heading = ++number == 1 && strncmp(line, "name,", 5) == 0;
        if (!*line) { // a zero byte: no text, and of a device without end
            status = carom_error_set(err, CAROM_BAD_INPUT, "the file is no text");
            carom_error_fix(err, "name a CSV file with name,test,error,seconds");
        } else if (!heading && strspn(line, " \r\n") != strlen(line)) {
            status = read_line(referee, line, err);
        }
    }
    if (status != CAROM_OK)
        carom_error_where(err, "%s:%d", path, number);
    fclose(file);
    return status;
}
