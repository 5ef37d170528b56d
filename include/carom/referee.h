/// @file
/// The referee: laws and engines side by side on impacts whose outcome is known.
///
/// Every contestant is a program (carom/engine.h) and runs every test at every setting of one grid
/// of steps and iterations; what counts is its least error, and what that cost. Rules:
/// docs/referee.md.
#ifndef CAROM_REFEREE_H
#define CAROM_REFEREE_H

#include "carom/json.h"
#include "carom/progress.h"
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Who takes part.
typedef struct carom_referee_contestant {
    const char *name;    ///< in the table; null: what the program calls itself
    const char *program; ///< see carom_engine_open
    const char *setting; ///< handed to the program with every scene; may be null
    const char *absent;  ///< why there may be no such program, for the page; may be null
} carom_referee_contestant;

/// What one contestant made of one test.
typedef struct carom_referee_cell {
    double error;       ///< the least of the grid; infinite where no run ended with numbers
    double error_max;   ///< of the runs at that setting: not every engine does the same twice
    double step;        ///< s, of the run with that error
    int iterations;     ///< of that run; 0: as the engine comes
    double seconds;     ///< processor time of its steps: the least of three runs
    double seconds_max; ///< of them
    char failed[96];    ///< why there is none; empty where there is one
} carom_referee_cell;

/// Frames of tests that are judged over time.
enum { CAROM_REFEREE_FRAMES = 20 };

/// What is judged.
typedef struct carom_referee_options {
    const carom_referee_contestant *contestants; ///< count of them; belong to the caller
    int count;                                   ///< at least 1
    const char *tosses; ///< file of measured tosses (data/README.md); null: that test has no figure
    unsigned tests;     ///< bit t: run test t (carom_referee_test_name); 0: all
    const carom_progress *progress; ///< may be null
} carom_referee_options;

/// One run of the grid, for plots of error over time.
typedef struct carom_referee_run_point {
    int contestant, test; ///< indices
    double step;          ///< s
    int iterations;       ///< 0: as the engine comes
    double error;         ///< as in the cell
    double seconds;       ///< processor time
} carom_referee_run_point;

/// The results. Belong to the caller: carom_referee_destroy.
typedef struct carom_referee {
    unsigned tests;                          ///< bit t: test t was run
    int contestant_count, test_count;        ///< rows and columns
    char (*names)[64];                       ///< of the contestants
    carom_referee_cell *cells;               ///< row by row
    const carom_referee_run_point *points;   ///< all runs that ended
    int point_count;                         ///< of runs
    double (*courses)[CAROM_REFEREE_FRAMES]; ///< per cell: the error in each frame of its best run,
                                             ///< for tests that are judged over time
} carom_referee;

/// How many tests there are.
CAROM_API int carom_referee_test_count(void);
/// Name of a test, and what its error is; null where there is none.
CAROM_API const char *carom_referee_test_name(int test);
/// What happens in a test, and what its error is.
CAROM_API const char *carom_referee_test_summary(int test);

/// Seconds between the frames of a test that is judged over time; 0 where it is judged at its end.
CAROM_API double carom_referee_test_interval(int test);

/// Runs all tests. A contestant that cannot be started has a row that says so. Where `progress`
/// stops it the status is CAROM_INTERRUPTED, and `out` has what was done until then; cells that
/// were not run say so.
CAROM_API carom_status carom_referee_judge(const carom_referee_options *options,
                                           carom_referee **out, carom_error *err);
/// Adds contestants whose results are in a CSV file: lines of name,test,error,seconds, the first
/// may be these words. Tests that are missing there have no figure.
CAROM_API carom_status carom_referee_add(carom_referee *referee, const char *path,
                                         carom_error *err);
/// The tables as Markdown; the caller frees the text with free(); null without memory.
CAROM_API char *carom_referee_markdown(const carom_referee *referee);
/// Error over processor time of every run of one test, on log axes; likewise.
CAROM_API char *carom_referee_svg(const carom_referee *referee, int test);
/// Error over simulated time of the best run of every contestant, on log axes; likewise. Null where
/// the test is judged at its end alone.
CAROM_API char *carom_referee_course_svg(const carom_referee *referee, int test);
/// Writes the results as members of the present object.
CAROM_API void carom_referee_json(const carom_referee *referee, carom_json *json);
/// Frees it; null is allowed.
CAROM_API void carom_referee_destroy(carom_referee *referee);

#ifdef __cplusplus
}
#endif
#endif
