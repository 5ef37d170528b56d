// Inside of sweeps: sweep_file.c reads them, sweep_points.c has the values of every job,
// sweep_job.c runs one (sweep_model.c of a chain, tower or bounce), sweep_journal.c keeps the lines, sweep_run.c the processes, sweep_table.c
// and sweep_page.c show the results, sweep_driver.c writes files for schedulers.
#ifndef CAROM_SWEEP_SWEEP_H
#define CAROM_SWEEP_SWEEP_H

#include <stdbool.h>
#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "carom/measure.h"
#include "carom/scene.h"
#include "carom/sweep.h"
#include "scene/reader.h"

enum { CAROM_SWEEP_AXES = 32, CAROM_SWEEP_VALUE = 512, CAROM_SWEEP_JOBS = 100000000 };
enum { CAROM_SWEEP_NAME = 160 }; // of a column, as it is made

// In the order of the words in the file.
typedef enum carom_sweep_draw {
    CAROM_SWEEP_GRID,
    CAROM_SWEEP_RANDOM,
    CAROM_SWEEP_SOBOL
} carom_sweep_draw;

typedef struct carom_sweep_axis {
    const char *path, *name, *unit;
    const char **values; // texts as carom_scene_text_set takes them; null: a range
    bool numeric;        // all values are numbers
    double from, to;
    int count; // of values; of an axis that is drawn, the samples
    int log, draw;
} carom_sweep_axis;

// A line of a journal.
typedef struct carom_sweep_line {
    uint64_t key;
    const char *words; // behind the key: "ok\tname [unit]=value\t..." or "failed\twhy"
} carom_sweep_line;

struct carom_sweep {
    carom_reader *reader;
    carom_scene_text *scene;
    char scene_path[4096];
    const char *title;
    carom_sweep_axis axes[CAROM_SWEEP_AXES];
    int axis_count;
    bool zipped;
    int64_t samples, seed, jobs;
    bool ledger, final, trajectories;   // what is kept
    bool measures[CAROM_MEASURE_COUNT]; // numbers of these
    char trajectory_folder[4096];       // where they go; set by a run
    uint64_t *keys;                     // per job
    carom_sweep_line *lines;            // by key
    int64_t line_count;
    char *journal; // the text that lines point into
};

// The value of an axis in a job, as text; false where it does not fit.
bool carom_sweep_points_value(const carom_sweep *sweep, int64_t job, int axis, char *out,
                              size_t size);
// The number of jobs, or an error at the file's axes.
carom_status carom_sweep_points_count(carom_sweep *sweep, const carom_value *axes,
                                      carom_error *err);

// The scene with the job's values; the caller closes it.
carom_status carom_sweep_job_scene(const carom_sweep *sweep, int64_t job, carom_scene_text **out,
                                   carom_error *err);
// The key of a job whose scene is set.
uint64_t carom_sweep_job_key(const carom_sweep *sweep, const carom_scene_text *scene);
// Runs a job; the line behind the key, without a line end. A failure is a line, too.
void carom_sweep_job_run(const carom_sweep *sweep, int64_t job, carom_text *line);
// A number of the line.
void carom_sweep_job_add(carom_text *line, const char *name, const char *unit, double value);
// Runs a file of kind chain, tower or bounce-kernel.
carom_status carom_sweep_model_run(const carom_sweep *sweep, const carom_scene_text *scene,
                                   carom_text *line, carom_error *err);

// The line of a key, or null.
const char *carom_sweep_journal_find(const carom_sweep *sweep, uint64_t key);
// The file that this run writes.
void carom_sweep_journal_path(const carom_sweep_settings *settings, char *out, size_t size);
// Opens it for lines at the end; -1 with an error.
int carom_sweep_journal_open(const char *path, carom_error *err);
// Appends a line in one piece.
bool carom_sweep_journal_add(int file, uint64_t key, const char *words);

// The columns of all results in the order in which jobs bring them; the table is row by row, NaN
// where a job has no such number.
typedef struct carom_sweep_table {
    char (*names)[96]; // "name [unit]"
    int columns;
    double *numbers;
} carom_sweep_table;
carom_status carom_sweep_table_make(const carom_sweep *sweep, carom_sweep_table *table,
                                    carom_error *err);
void carom_sweep_table_free(carom_sweep_table *table);
// "name [unit]" into its parts.
void carom_sweep_table_split(const char *heading, char name[96], char unit[96]);

#endif
