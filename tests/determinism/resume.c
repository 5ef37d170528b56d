// A run that is killed at random moments and resumed writes the same file, byte by byte, as one
// that was never stopped.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "base/random.h"
#include "carom/trajectory.h"
#include "support/check.h"

enum { KILLS = 50, STEPS_LONG = 2000, STARTS_MAX = 1000 };

// Impacts, rest with friction and resistance against rolling, a joint, a driven body, a wall that
// goes, a push: everything that a checkpoint must hold. Checkpoints come by steps only, so that the
// whole file is the run's.
static const char scene[] =
    "{\"carom\": 1, \"kind\": \"world\", \"step\": 0.002, \"duration\": 4,"
    "\"output\": {\"every\": 0.02, \"checkpoint\": 1e9, \"checkpoint_steps\": 97, \"contacts\": "
    "true},"
    "\"materials\": {\"m\": {\"restitution\": 0.6, \"friction\": 0.3, \"rolling\": 1e-3}},"
    "\"bodies\": [{\"name\": \"floor\", \"shape\": {\"plane\": [0, 0, 1]}, \"kind\": \"fixed\", "
    "\"material\": \"m\"},"
    "{\"name\": \"wall\", \"shape\": {\"box\": [0.1, 2, 1]}, \"kind\": \"fixed\", \"position\": "
    "[0.6, 0, 0.5]},"
    "{\"name\": \"bob\", \"shape\": {\"sphere\": 0.1}, \"position\": [-1, 0, 1]}],"
    "\"generators\": [{\"grid\": {\"count\": [2, 2, 3], \"spacing\": [0.22, 0.22, 0.25], "
    "\"jitter\": 0.005, \"body\": {\"name\": \"ball\", \"shape\": {\"sphere\": 0.1}, \"position\": "
    "[0, 0, 0.15], \"velocity\": [1, 0.2, 0], \"material\": \"m\"}}},"
    "{\"stack\": {\"count\": 3, \"body\": {\"name\": \"box\", \"shape\": {\"box\": [0.3, 0.3, "
    "0.2]}, \"position\": [3, 0, 0.1]}}}],"
    "\"joints\": [{\"kind\": \"string\", \"a\": \"bob\", \"anchor_b\": [-1.5, 0, 1.5]}],"
    "\"changes\": [{\"at\": 1, \"remove\": [\"wall\", \"ball[0]\"]},"
    "{\"at\": 2, \"push\": \"ball[3]\", \"velocity\": [2, 0, 1]},"
    "{\"at\": 3, \"shake\": \"floor\", \"amplitude\": [0, 0, 0.02], \"frequency\": 3, \"cycles\": "
    "2}]}";

// In memory where there is such a folder: forcing a checkpoint to the disk is not what is tested.
static char folder[64];

static const char *in_folder(const char *name)
{
    static char paths[4][200];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

// Starts `carom run`; kills it after so many microseconds (0: never). Returns the exit code, or -1
// where it was killed.
static long size_of(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 ? (long)found.st_size : 0;
}

// Waits until a child has ended, or its file has so many bytes: then it is killed a moment later,
// which falls into whatever it does.
static int kill_at(pid_t child, const char *file, long bytes)
{
    const struct timespec nap = { .tv_nsec = 200000 }, moment = { .tv_nsec = bytes % 2000 * 1000 };
    int status;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (size_of(file) >= bytes) {
            nanosleep(&moment, NULL);
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            break;
        }
        nanosleep(&nap, NULL);
    }
    return status;
}

// `bytes` of its file at which the run is killed; 0: it comes to its end.
static int start(const char *file, bool resume, long bytes)
{
    const char *from = in_folder("scene.json");
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr))
            _exit(126);
        if (resume)
            execl(CAROM_BINARY, "carom", "run", "--quiet", "--resume", file, (char *)NULL);
        else
            execl(CAROM_BINARY, "carom", "run", "--quiet", from, "--out", file, "--force",
                  (char *)NULL);
        _exit(127);
    }
    int status = 0;
    if (bytes)
        status = kill_at(child, file, bytes);
    else
        waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static unsigned char *read_all(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = NULL;
    *size = 0;
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    bytes = malloc(*size + 1);
    if (fread(bytes, 1, *size, file) != *size)
        *size = 0;
    fclose(file);
    return bytes;
}

static void compare(const char *a, const char *b)
{
    size_t sizes[2];
    unsigned char *first = read_all(a, &sizes[0]), *second = read_all(b, &sizes[1]);
    CHECK(sizes[0] > 100000 && sizes[0] == sizes[1], "as many bytes: %zu and %zu", sizes[0],
          sizes[1]);
    size_t same = 0;
    while (same < sizes[0] && same < sizes[1] && first[same] == second[same])
        ++same;
    CHECK(same == sizes[0], "the files are equal byte by byte; they differ at %zu", same);
    free(first);
    free(second);
}

// From every checkpoint of the whole run, cut off right behind it.
static void resume_from_each(void)
{
    carom_error err = { 0 };
    carom_trajectory *t = NULL;
    char whole[200], cut[200];
    snprintf(whole, sizeof whole, "%s", in_folder("whole.carom"));
    snprintf(cut, sizeof cut, "%s", in_folder("killed.carom"));
    size_t size;
    unsigned char *bytes = read_all(whole, &size);
    CHECK(carom_trajectory_open(whole, &t, &err) == CAROM_OK, "%s", err.what);
    for (int64_t i = 0; i + 1 < carom_trajectory_count(t); ++i) {
        if (carom_trajectory_at(t, i).kind != CAROM_RECORD_CHECKPOINT)
            continue;
        FILE *file = fopen(cut, "wb");
        fwrite(bytes, 1, (size_t)carom_trajectory_at(t, i + 1).offset, file);
        fclose(file);
        CHECK(start(cut, true, 0) == 0, "record %lld is a place to resume from", (long long)i);
        compare(whole, cut);
    }
    carom_trajectory_close(t);
    free(bytes);
    remove(cut);
}

// One trajectory after another until there were enough kills; the last ends whole.
static void kill_and_resume(void)
{
    carom_random random = carom_random_make(7, 1);
    const int wanted = check_effort(KILLS, KILLS / 5);
    int kills = 0, lives = 0, resumed = 0;
    char file[200];
    snprintf(file, sizeof file, "%s", in_folder("killed.carom"));
    const double whole = (double)size_of(in_folder("whole.carom"));
    for (int starts = 0; kills < wanted && starts < STARTS_MAX; ++starts) {
        double more = carom_random_between(&random, 0, 0.12) * whole;
        if (lives == 0)
            remove(file);
        int code = start(file, lives > 0, size_of(file) + (long)more + 1);
        if (code == -1) {
            ++kills;
            resumed += lives > 0;
            ++lives;
        } else if (code == 0) { // came to the end before the kill: must be right too
            compare(in_folder("whole.carom"), file);
            lives = 0;
        } else if (lives > 0) { // killed before the first checkpoint was in the file
            lives = 0;
        }
    }
    CHECK(kills == wanted && resumed >= wanted / 2, "%d kills, %d of them of a resumed run", kills,
          resumed);
    int code = start(file, lives > 0, 0);
    if (code != 0 && lives > 0)
        code = start(file, false, 0);
    CHECK(code == 0, "the last run comes to its end: exit code %d", code);
    compare(in_folder("whole.carom"), file);
}

static void check_contents(void)
{
    carom_error err = { 0 };
    carom_trajectory *t = NULL;
    carom_frame frame = { 0 };
    CHECK(carom_trajectory_open(in_folder("whole.carom"), &t, &err) == CAROM_OK, "%s", err.what);
    CHECK(t && !carom_trajectory_damage(t), "the file is whole");
    int64_t frames = carom_trajectory_frame_count(t);
    CHECK(frames == STEPS_LONG / 10 + 1, "%lld frames", (long long)frames);
    CHECK(carom_trajectory_frame(t, frames - 1, &frame, &err) == CAROM_OK &&
              frame.step == STEPS_LONG,
          "the last frame is that of the last step");
    CHECK(carom_trajectory_first(t, CAROM_RECORD_SUMMARY).payload != NULL, "there is a summary");
    CHECK(frame.ledger.impacts > 50 && frame.ledger.rest > 0 && frame.ledger.driven != 0,
          "the scene bounces, rests and is driven");
    int impacts = 0, resting = 0;
    for (int64_t i = 0; i < frames; ++i) {
        int count = carom_trajectory_contact_count(t, i);
        carom_world_contact *list = calloc((size_t)count + 1, sizeof *list);
        CHECK(list && carom_trajectory_contacts(t, i, list, &err) == CAROM_OK, "%s", err.what);
        for (int k = 0; list && k < count; ++k)
            list[k].impact ? ++impacts : ++resting;
        free(list);
    }
    CHECK(impacts > 50 && resting > 1000, "contacts are there: %d of impacts, %d resting", impacts,
          resting);
    carom_scene_world *again = NULL;
    CHECK(carom_trajectory_scene(t, &again, &err) == CAROM_OK, "the scene comes back: %s",
          err.what);
    CHECK(again && carom_scene_world_find(again, "ball[11]") >= 0 &&
              !carom_scene_world_present(again, carom_scene_world_find(again, "wall"), 1.5) &&
              carom_scene_world_present(again, carom_scene_world_find(again, "wall"), 0.5),
          "with its bodies, and the wall goes at 1 s");
    carom_scene_world_close(again);
    carom_trajectory_close(t);
}

int main(void)
{
    snprintf(folder, sizeof folder, "%s/carom-resume-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (!mkdtemp(folder))
        return 1;
    FILE *file = fopen(in_folder("scene.json"), "w");
    fputs(scene, file);
    fclose(file);
    CHECK(start(in_folder("whole.carom"), false, 0) == 0, "the scene runs");
    check_contents();
    resume_from_each();
    kill_and_resume();
    static const char *const names[] = { "scene.json", "whole.carom", "killed.carom" };
    for (int i = 0; i < 3; ++i)
        remove(in_folder(names[i]));
    rmdir(folder);
    return check_report();
}
