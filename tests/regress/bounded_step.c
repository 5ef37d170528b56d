// The work of a run is bounded within a step, too: intervals, the law's passes and the resting
// solver's sweeps count. A step of 10 s in a periodic box (some 300 intervals) and one whose law
// takes hours went on regardless. A step that is ended has not been made, at the same place for any
// number of threads, and the run goes on to the bits of one that never stopped, also where the step
// follows on changes of the scene.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "carom/trajectory.h"
#include "carom/world.h"
#include "support/check.h"

static char folder[] = "/tmp/carom-bounded-XXXXXX";

static const char slope[] =
    "{\"carom\": 1, \"kind\": \"world\", \"step\": 10, \"duration\": 20, \"events\": 0,"
    "\"gravity\": [4.6, 0, -8.7], \"resting_speed\": 0.05,"
    "\"periodic\": {\"x\": [0, 0.12], \"y\": [0, 0.06]}, \"generators\": [{\"grid\": {\"count\": "
    "[8, 4, 4], \"spacing\": [0.012, 0.012, 0.012], \"jitter\": 0.0008, \"seed\": 3, \"body\": "
    "{\"shape\": {\"sphere\": 0.005}, \"position\": [0.006, 0.006, 0.016]}}}],"
    "\"bodies\": [{\"name\": \"floor\", \"shape\": {\"plane\": [0, 0, 1]}, \"kind\": \"fixed\"}]}";

// A stack whose resting solver is asked for a thousand million sweeps.
static const char sweeps[] =
    "{\"carom\": 1, \"kind\": \"world\", \"step\": 0.01, \"duration\": 1, \"rest_sweeps\": "
    "1000000000, \"rest_tolerance\": 1e-300, \"generators\": [{\"grid\": {\"count\": [1, 1, 9],"
    "\"spacing\": [0.2, 0.2, 0.2], \"jitter\": 0.01, \"body\": {\"shape\": {\"box\": [0.1, 0.1, "
    "0.1]}, \"position\": [0, 0, 0.1]}}}],"
    "\"bodies\": [{\"name\": \"floor\", \"shape\": {\"plane\": [0, 0, 1]}, \"kind\": \"fixed\"}]}";

// Balls that fall on each other, by a law whose springs are followed for hours.
static const char springs[] =
    "{\"carom\": 1, \"kind\": \"world\", \"law\": \"springs\", \"step\": 0.01, \"duration\": 1,"
    "\"gravity\": [0, 0, 0], \"generators\": [{\"grid\": {\"count\": [12, 12, 12], \"spacing\": "
    "[0.2, 0.2, 0.2], \"scatter\": 3, \"body\": {\"shape\": {\"sphere\": 0.1}, \"position\": "
    "[0, 0, 0.1], \"velocity\": [0, 0, -5]}}}],"
    "\"bodies\": [{\"name\": \"floor\", \"shape\": {\"plane\": [0, 0, 1]}, \"kind\": \"fixed\"}]}";

// Two hollow surfaces of some 3,000 triangles beside each other: an interval is two bodies, and as
// much work as of thousands.
static const char meshes[] =
    "{\"carom\": 1, \"kind\": \"world\", \"step\": 0.001, \"duration\": 0.1, "
    "\"gravity\": [0, 0, 0],"
    "\"shapes\": {\"bowl\": {\"generate\": \"bowl@12mm\"}}, \"bodies\": ["
    "{\"shape\": \"bowl\", \"kind\": \"fixed\"},"
    "{\"shape\": \"bowl\", \"position\": [0, 0, 0.022], \"velocity\": [0, 0, -0.01]}]}";

// More bodies wait for a place than are tried before a step, and one is pushed now and then.
static const char changes[] =
    "{\"carom\": 1, \"kind\": \"world\", \"step\": 0.01, \"duration\": 0.3, \"bodies\": ["
    "{\"name\": \"floor\", \"shape\": {\"plane\": [0, 0, 1]}, \"kind\": \"fixed\"},"
    "{\"name\": \"ball\", \"shape\": {\"sphere\": 0.1}, \"position\": [0, 0, 0.1]}],"
    "\"generators\": [{\"pour\": {\"bodies\": [{\"name\": \"grain\", \"shape\": {\"sphere\": "
    "0.05}}],"
    "\"count\": 700, \"rate\": 100000, \"from\": [-0.3, -0.3, 0.5], \"to\": [0.3, 0.3, 1]}}],"
    "\"events\": 3, \"changes\": ["
    "{\"at\": 0.05, \"push\": \"ball\", \"velocity\": [1, 0, 0]},"
    "{\"at\": 0.1, \"push\": \"ball\", \"velocity\": [0, 1, 0], \"spin\": [0, 0, 5]},"
    "{\"at\": 0.15, \"remove\": [\"ball\"]}]}";

static carom_runner *begin(const char *text, const char *name, int threads, const char *out)
{
    char path[200], set[40];
    carom_error err = { 0 };
    carom_runner *runner = NULL;
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    snprintf(set, sizeof set, "threads=%d", threads);
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        return NULL;
    const char *const list[] = { set };
    carom_runner_settings settings = { .out = out, .set = list, .set_count = 1, .overwrite = 1 };
    CHECK(carom_runner_create(path, &settings, &runner, &err) == CAROM_OK, "%s: %s at %s", name,
          err.what, err.where);
    return runner;
}

static void end_within(const char *text, const char *name, double limit)
{
    uint64_t before = 0;
    int64_t done = 0;
    for (int threads = 1; threads <= 3; threads += 2) {
        carom_error err = { 0 };
        carom_runner *runner = begin(text, name, threads, NULL);
        if (threads == 1)
            before = carom_world_hash(carom_runner_world(runner));
        carom_runner_set_limit(runner, limit);
        carom_status status = carom_runner_advance(runner, INT64_MAX, NULL, &err);
        CHECK(status == CAROM_NOT_CONVERGED && strstr(err.what, "limit of work") &&
                  strstr(err.what, "in step") && strstr(err.fix, "--limit"),
              "%s, %d threads: %s, %s", name, threads, err.what, err.fix);
        int64_t steps = carom_runner_done(runner);
        uint64_t hash = carom_world_hash(carom_runner_world(runner));
        if (threads == 1) {
            done = steps;
            before = steps == 0 ? before : hash;
        }
        CHECK(steps == done && hash == before, "%s: ends after %lld steps by %d threads", name,
              (long long)steps, threads);
        carom_runner_destroy(runner);
    }
}

// Ended within steps again and again, each time by a process that knows the file only.
static void goes_on(void)
{
    char out[200];
    carom_error err = { 0 };
    snprintf(out, sizeof out, "%s/parts.carom", folder);
    carom_runner *runner = begin(changes, "whole", 1, NULL);
    carom_status status = carom_runner_advance(runner, INT64_MAX, NULL, &err);
    uint64_t whole = carom_world_hash(carom_runner_world(runner));
    int64_t steps = carom_runner_steps(runner), done = 0;
    CHECK(status == CAROM_OK, "in one go: %s", err.what);
    carom_runner_destroy(runner);
    runner = begin(changes, "parts", 1, out);
    int ended = 0;
    for (double limit = 4000; runner && done < steps && limit < 1e9;) {
        carom_runner_set_limit(runner, limit);
        do
            status = carom_runner_advance(runner, 1, NULL, &err);
        while (status == CAROM_OK && carom_runner_done(runner) < steps);
        CHECK(status == CAROM_OK || status == CAROM_NOT_CONVERGED, "ends: %s", err.what);
        ended += status == CAROM_NOT_CONVERGED;
        limit *= carom_runner_done(runner) == done ? 1.5 : 1;
        carom_runner_destroy(runner);
        status = carom_runner_resume(out, &runner, &err);
        CHECK(status == CAROM_OK, "resumed: %s", err.what);
        done = carom_runner_done(runner);
    }
    CHECK(ended > 5 && done == steps, "ended in %d steps, %lld done", ended, (long long)done);
    CHECK(carom_world_hash(carom_runner_world(runner)) == whole, "to the same bits");
    carom_runner_destroy(runner);
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    end_within(slope, "slope", 3e4);
    end_within(sweeps, "sweeps", 3e4);
    end_within(springs, "springs", 3e5);
    end_within(meshes, "meshes", 1e4);
    goes_on();
    const char *const left[] = { "slope.json", "sweeps.json", "springs.json",
                                 "whole.json", "parts.json",  "parts.carom" };
    for (size_t i = 0; i < sizeof left / sizeof *left; ++i) {
        char path[200];
        snprintf(path, sizeof path, "%s/%s", folder, left[i]);
        remove(path);
    }
    rmdir(folder);
    return check_report();
}
