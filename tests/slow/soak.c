// The same work over and over in one process: scenes are read, worlds built, stepped, saved and put
// back, trajectories written, continued and read, refusals provoked. Neither memory nor open files
// may grow. CAROM_SOAK says how many seconds (120 without it, an hour is 3600).
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/clock.h"
#include "carom/carom.h"
#include "carom/trajectory.h"
#include "support/check.h"

static const char *const scenes[] = { "dropped-ball", "pyramid", "cradle", "pendulum", "seesaw" };

// Resident memory of this process, MB.
static double memory(void)
{
    long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%ld %ld", &pages, &resident) != 2)
        resident = 0;
    if (file)
        fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE) / 1e6;
}

static int open_files(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder && readdir(folder))
        ++count;
    if (folder)
        closedir(folder);
    return count;
}

static void record(const char *scene, const char *out)
{
    carom_error err = { 0 };
    carom_runner *runner = NULL;
    carom_trajectory *t = NULL;
    carom_runner_settings settings = { .out = out, .overwrite = 1 };
    if (!CHECK(carom_runner_create(scene, &settings, &runner, &err) == CAROM_OK, "%s", err.what))
        return;
    CHECK(carom_runner_advance(runner, 40, NULL, &err) == CAROM_OK, "%s", err.what);
    carom_runner_destroy(runner);
    if (carom_runner_resume(out, &runner, &err) == CAROM_OK)
        CHECK(carom_runner_advance(runner, 10, NULL, &err) == CAROM_OK, "%s", err.what);
    carom_runner_destroy(runner);
    if (CHECK(carom_trajectory_open(out, &t, &err) == CAROM_OK, "%s", err.what))
        CHECK(carom_trajectory_frame_count(t) > 0, "frames");
    carom_trajectory_close(t);
}

static void round_of_work(const char *out)
{
    carom_error err = { 0 };
    carom_scene_world *none = NULL;
    char path[512];
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; ++i) {
        snprintf(path, sizeof path, "%s/scenes/world/%s.json", CAROM_SOURCE_DIR, scenes[i]);
        record(path, out);
    }
    CHECK(carom_scene_world_parse("soak", "{ \"carom\": 1, ", 14, &none, &err) == CAROM_BAD_INPUT,
          "a refusal");
}

int main(void)
{
    const char *wanted = getenv("CAROM_SOAK");
    double seconds = wanted ? atof(wanted) : 120;
    char out[] = "/tmp/carom-soak-XXXXXX";
    int file = mkstemp(out);
    if (file < 0)
        return 1;
    close(file);
    remove(out);
    for (int i = 0; i < 5; ++i) // what is kept on purpose is kept now
        round_of_work(out);
    double before = memory(), end = carom_clock_seconds() + seconds;
    int files = open_files(), rounds = 0;
    while (carom_clock_seconds() < end && ++rounds)
        round_of_work(out);
    printf("%d rounds, %.1f MB before and %.1f MB after\n", rounds, before, memory());
    // the C library's heap may settle by a few pages in each arena, whatever the number of rounds
    CHECK_MOST(memory() - before, 4, "growth of memory in MB after %d rounds", rounds);
    CHECK(open_files() == files, "as many open files as before: %d", open_files());
    remove(out);
    return check_report();
}
