// Trajectory files: ten thousand random damages are all noticed, older files open, a file without
// room stays whole.
#define _GNU_SOURCE
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/hash.h"
#include "base/random.h"
#include "carom/trajectory.h"
#include "trajectory/layout.h"
#include "support/check.h"

static const char scene[] =
    "{\"carom\": 1, \"kind\": \"world\", \"step\": 0.01, \"duration\": 0.3,"
    "\"output\": {\"every\": 0.05, \"checkpoint_steps\": 10, \"contacts\": true},"
    "\"shapes\": {\"tetra\": {\"mesh\": {\"file\": \"tetra.off\", \"scale\": 0.5}}},"
    "\"bodies\": [{\"name\": \"floor\", \"shape\": {\"plane\": [0, 0, 1]}, \"kind\": \"fixed\"},"
    "{\"name\": \"ball\", \"shape\": {\"sphere\": 0.1}, \"position\": [0, 0, 0.2]},"
    "{\"name\": \"tetra\", \"shape\": \"tetra\", \"position\": [1, 0, 0.1]}]}";
static const char mesh[] = "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
                           "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";

static char folder[] = "/tmp/carom-trajectory-XXXXXX";
static char path[200];

static void write_file(const char *name, const void *bytes, size_t size)
{
    char full[300];
    snprintf(full, sizeof full, "%s/%s", folder, name);
    FILE *file = fopen(full, "wb");
    if (file) {
        fwrite(bytes, 1, size, file);
        fclose(file);
    }
}

static void run_scene(void)
{
    char from[300];
    carom_error err = { 0 };
    carom_runner *runner = NULL;
    snprintf(from, sizeof from, "%s/scene.json", folder);
    write_file("scene.json", scene, strlen(scene));
    write_file("tetra.off", mesh, strlen(mesh));
    carom_runner_settings settings = { .out = path };
    carom_status status = carom_runner_create(from, &settings, &runner, &err);
    CHECK(status == CAROM_OK, "the scene can be run: %s at %s", err.what, err.where);
    if (runner)
        status = carom_runner_advance(runner, INT64_MAX, NULL, &err);
    CHECK(status == CAROM_OK, "to its end: %s", err.what);
    carom_runner_destroy(runner);
}

// -- damage -------------------------------------------------------------------------------------

static unsigned char *original, *damaged;
static size_t size, damaged_size;

static size_t place(carom_random *random, size_t max)
{
    return (size_t)(carom_random_unit(random) * (double)max);
}

// One of eight kinds of damage; false where it changed nothing.
static bool damage(carom_random *random)
{
    size_t at = place(random, size), length = 1 + place(random, 200);
    length = length > size - at ? size - at : length;
    memcpy(damaged, original, size);
    damaged_size = size;
    switch (carom_random_below(random, 8)) {
    case 0: // one bit
        damaged[at] ^= (unsigned char)(1 << carom_random_below(random, 8));
        break;
    case 1: // one byte
        damaged[at] = (unsigned char)carom_random_below(random, 256);
        break;
    case 2: // a hole
        memset(damaged + at, 0, length);
        break;
    case 3: // noise
        for (size_t i = 0; i < length; ++i)
            damaged[at + i] = (unsigned char)carom_random_below(random, 256);
        break;
    case 4: // cut
        damaged_size = at;
        break;
    case 5: // a piece lost
        memmove(damaged + at, damaged + at + length, size - at - length);
        damaged_size -= length;
        break;
    case 6: // a piece twice
        memmove(damaged + at + length, original + at, size - at);
        damaged_size += length;
        break;
    case 7: { // a piece from elsewhere
        size_t from = place(random, size - length);
        memcpy(damaged + at, original + from, length);
        break;
    }
    }
    return damaged_size != size || memcmp(original, damaged, size) != 0;
}

// Everything that readers do, as far as they come; returns whether something was noticed.
static bool noticed(const char *name)
{
    carom_error err = { 0 };
    carom_trajectory *t = NULL;
    if (carom_trajectory_open(name, &t, &err) != CAROM_OK)
        return *err.what && *err.fix;
    volatile double sum = 0; // every contact is read
    bool seen = carom_trajectory_damage(t) != NULL || !carom_trajectory_ended(t);
    for (int64_t i = 0; i < carom_trajectory_frame_count(t); ++i) {
        carom_frame frame;
        CHECK(carom_trajectory_frame(t, i, &frame, &err) == CAROM_OK, "what is whole is readable");
        int count = carom_trajectory_contact_count(t, i);
        carom_world_contact *list = calloc((size_t)count + 1, sizeof *list);
        CHECK(list && carom_trajectory_contacts(t, i, list, &err) == CAROM_OK, "%s", err.what);
        for (int k = 0; list && k < count; ++k)
            sum = sum + list[k].impulse[2];
        free(list);
    }
    carom_trajectory_close(t);
    return seen;
}

static void check_damages(void)
{
    enum { DAMAGES = 10000 };
    carom_random random = carom_random_make(3, 1);
    int file = memfd_create("damaged", 0), missed = 0, made = 0;
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    while (made < DAMAGES) {
        if (!damage(&random))
            continue;
        ++made;
        bool written = ftruncate(file, 0) == 0 &&
                       pwrite(file, damaged, damaged_size, 0) == (ssize_t)damaged_size;
        CHECK(written, "the damaged file is written");
        if (!noticed(name)) {
            ++missed;
            write_file("missed.carom", damaged, damaged_size);
        }
    }
    CHECK(missed == 0, "%d of %d damages were not noticed", missed, DAMAGES);
    close(file);
}

// Whole records taken out, doubled or exchanged: every checksum is right, the numbers are not.
static void check_records(void)
{
    carom_error err = { 0 };
    carom_trajectory *t = NULL;
    CHECK(carom_trajectory_open(path, &t, &err) == CAROM_OK, "%s", err.what);
    int64_t count = carom_trajectory_count(t);
    char name[300];
    snprintf(name, sizeof name, "%s/less.carom", folder);
    int missed = 0;
    for (int64_t i = 0; i < count; ++i) {
        size_t from = (size_t)carom_trajectory_at(t, i).offset;
        size_t to = i + 1 < count ? (size_t)carom_trajectory_at(t, i + 1).offset : size;
        memcpy(damaged, original, from);
        memcpy(damaged + from, original + to, size - to);
        write_file("less.carom", damaged, size - (to - from));
        missed += !noticed(name);
    }
    CHECK(missed == 0, "%d of %lld missing records were not noticed", missed, (long long)count);
    carom_trajectory_close(t);
    remove(name);
}

// -- versions -----------------------------------------------------------------------------------

// The same file as version 1 wrote it: without numbers, meshes, contacts and states.
static void check_version_1(void)
{
    carom_error err = { 0 };
    carom_trajectory *t = NULL, *old = NULL;
    CHECK(carom_trajectory_open(path, &t, &err) == CAROM_OK, "%s", err.what);
    carom_layout_put_opening(damaged, 1);
    size_t at = CAROM_LAYOUT_OPENING;
    for (int64_t i = 0; i < carom_trajectory_count(t); ++i) {
        carom_record record = carom_trajectory_at(t, i);
        if (record.kind > CAROM_RECORD_SUMMARY)
            continue;
        carom_layout_head head = { .kind = record.kind, .size = record.size };
        carom_layout_put_head(damaged + at, 1, &head, record.payload);
        at += CAROM_LAYOUT_HEAD;
        memset(damaged + at, 0, carom_layout_padded(record.size));
        memcpy(damaged + at, record.payload, record.size);
        at += carom_layout_padded(record.size);
    }
    write_file("old.carom", damaged, at);
    char name[300];
    snprintf(name, sizeof name, "%s/old.carom", folder);
    CHECK(carom_trajectory_open(name, &old, &err) == CAROM_OK && carom_trajectory_version(old) == 1,
          "a file of version 1 opens: %s", err.what);
    CHECK(old && !carom_trajectory_damage(old), "and is whole");
    carom_difference difference;
    CHECK(old && carom_trajectory_compare(t, old, 0, &difference, &err) == CAROM_OK &&
              difference.frame < 0 && difference.frames == carom_trajectory_frame_count(t),
          "with the same frames");
    carom_trajectory_close(t);
    carom_trajectory_close(old);
    remove(name);
}

// A run of another version of Carom may not be continued: it would not give the same bits.
static void check_other_version(void)
{
    static const char manifest[] = "{\"version\": \"0.0.0\", \"set\": []}";
    carom_error err = { 0 };
    carom_recorder *recorder = NULL;
    carom_runner *runner = NULL;
    char name[300];
    snprintf(name, sizeof name, "%s/other.carom", folder);
    CHECK(carom_recorder_create(name, 0, &recorder, &err) == CAROM_OK, "%s", err.what);
    carom_recorder_add(recorder, CAROM_RECORD_SCENE, scene, strlen(scene), &err);
    carom_recorder_add(recorder, CAROM_RECORD_MANIFEST, manifest, strlen(manifest), &err);
    carom_recorder_close(recorder);
    CHECK(carom_runner_resume(name, &runner, &err) == CAROM_BAD_INPUT && !runner &&
              strstr(err.what, "0.0.0"),
          "refused with the version: %s", err.what);
    remove(name);
}

static void check_contents(void)
{
    carom_error err = { 0 };
    char words[200];
    carom_trajectory *t = NULL;
    carom_scene_world *again = NULL;
    char tetra[300];
    snprintf(tetra, sizeof tetra, "%s/tetra.off", folder);
    remove(tetra); // the trajectory holds the mesh
    CHECK(carom_trajectory_check(path, words, sizeof words, &err) == CAROM_OK, "sound: %s",
          err.what);
    CHECK_TEXT(words, "trajectory, 7 frames of 3 bodies, 0.3 of 0.3 s", "what it holds");
    CHECK(carom_trajectory_open(path, &t, &err) == CAROM_OK, "%s", err.what);
    CHECK(carom_trajectory_scene(t, &again, &err) == CAROM_OK,
          "the scene comes back without its mesh file: %s", err.what);
    // a corner of a cube of edge 1/2: a sixth of 1/8
    CHECK(again && fabs(carom_shape_mass(carom_scene_world_body(again, 2).shape).volume -
                        1.0 / 48) < 1e-15,
          "with the mesh in its scale");
    carom_scene_world_close(again);
    carom_trajectory_close(t);
}

// A file that is cut while it is open ends no program: what is gone is an error, what is left is
// read. One that is replaced stays as it was for those who have it open.
static void check_cut(void)
{
    char name[300], pipe_name[300];
    carom_error err = { 0 };
    carom_trajectory *t = NULL;
    carom_recorder *recorder = NULL;
    carom_frame frame;
    snprintf(name, sizeof name, "%s/cut.carom", folder);
    snprintf(pipe_name, sizeof pipe_name, "%s/pipe", folder);
    write_file("cut.carom", original, size);
    CHECK(carom_trajectory_open(name, &t, &err) == CAROM_OK, "it opens: %s", err.what);
    int64_t last = carom_trajectory_frame_count(t) - 1;
    CHECK(carom_recorder_create(name, 1, &recorder, &err) == CAROM_OK, "replaced: %s", err.what);
    CHECK(carom_trajectory_frame(t, last, &frame, &err) == CAROM_OK && isfinite(frame.bodies[0]),
          "and still whole for its reader: %s", err.what);
    carom_recorder_close(recorder);
    carom_trajectory_close(t);
    write_file("cut.carom", original, size);
    CHECK(carom_trajectory_open(name, &t, &err) == CAROM_OK, "it opens again: %s", err.what);
    uint64_t first = carom_trajectory_at(t, 0).offset + carom_trajectory_at(t, 0).size;
    CHECK(truncate(name, (off_t)first + 100) == 0, "it is cut");
    CHECK(carom_trajectory_frame(t, last, &frame, &err) == CAROM_IO_FAILED && err.fix[0],
          "a frame that is gone: %s", err.what);
    CHECK(carom_trajectory_contact_count(t, last) == 0, "nor its contacts");
    CHECK(carom_trajectory_at(t, carom_trajectory_count(t) - 1).payload == NULL, "nor a record");
    CHECK(carom_trajectory_at(t, 0).payload != NULL, "the first is there");
    CHECK(carom_trajectory_first(t, CAROM_RECORD_SUMMARY).payload == NULL, "the summary is not");
    carom_trajectory_close(t);
    CHECK(carom_trajectory_open(folder, &t, &err) == CAROM_IO_FAILED && err.fix[0], "a folder");
    CHECK(mkfifo(pipe_name, 0600) == 0 && carom_trajectory_open(pipe_name, &t, &err) != CAROM_OK &&
              !carom_trajectory_is(pipe_name),
          "a pipe that nobody writes is not waited for");
    remove(pipe_name);
    remove(name);
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/run.carom", folder);
    run_scene();
    check_contents();
    FILE *file = fopen(path, "rb");
    original = malloc(1 << 20);
    damaged = malloc(1 << 20);
    size = file ? fread(original, 1, 1 << 19, file) : 0;
    if (file)
        fclose(file);
    CHECK(size > 5000, "the file has %zu bytes", size);
    check_damages();
    check_records();
    check_version_1();
    check_other_version();
    check_cut();
    free(original);
    free(damaged);
    static const char *const names[] = { "scene.json", "run.carom" };
    for (int i = 0; i < 2; ++i) {
        char name[300];
        snprintf(name, sizeof name, "%s/%s", folder, names[i]);
        remove(name);
    }
    rmdir(folder);
    return check_report();
}
