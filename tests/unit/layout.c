// The bytes of a trajectory file. tests/data/version-2.carom was written by Carom 0.1.0, which
// wrote its structs as they stood in memory: it opens, exports to the same table, and can be
// continued.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "carom/export.h"
#include "carom/trajectory.h"
#include "support/check.h"
#include "trajectory/layout.h"

#define DATA CAROM_SOURCE_DIR "/tests/data/"

static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *bytes = calloc(1, 1 << 16);
    *size = file && bytes ? fread(bytes, 1, (1 << 16) - 1, file) : 0;
    if (file)
        fclose(file);
    return bytes;
}

// Every part at its place: numbers that have another value in each byte.
static void check_bytes(void)
{
    unsigned char out[CAROM_LAYOUT_CONTACT + 1] = { [CAROM_LAYOUT_CONTACT] = 0x5a };
    carom_layout_put_opening(out, 0x04030201);
    CHECK(memcmp(out, "CAROMTRJ\1\2\3\4\0\0\0\0", CAROM_LAYOUT_OPENING) == 0, "the opening");
    CHECK(carom_layout_get_opening(out) == 0x04030201, "and back");
    carom_layout_head head = { 0x04030201, 0x08070605, UINT64_C(0x100f0e0d0c0b0a09), 0 };
    head.size = 3;
    carom_layout_put_head(out, 2, &head, "abc");
    CHECK(memcmp(out, "\1\2\3\4\5\6\7\10\3\0\0\0\0\0\0\0", 16) == 0, "a head");
    carom_layout_head back = carom_layout_get_head(out);
    CHECK(back.kind == head.kind && back.number == head.number && back.size == 3 &&
              back.checksum == carom_layout_checksum(2, &head, "abc"),
          "and back");
    carom_world_contact contact = { .a = 1,
                                    .b = -2,
                                    .impact = 1,
                                    .time = 3,
                                    .point = { 4, 5, 6 },
                                    .normal = { 7, 8, 9 },
                                    .impulse = { 10, 11, -12 },
                                    .gap = 13,
                                    .slip = { 14, 15, 16 },
                                    .duration = 17,
                                    .loss = 18 };
    memset(out, 0xff, CAROM_LAYOUT_CONTACT);
    carom_layout_put_contact(out, &contact);
    CHECK(memcmp(out, "\1\0\0\0\376\377\377\377\1\0\0\0\0\0\0\0\0\0\0\0\0\0\10\100", 24) == 0,
          "the front of a contact");
    CHECK(memcmp(out + 88, "\0\0\0\0\0\0\50\300", 8) == 0, "its impulse");
    CHECK(memcmp(out + 136, "\0\0\0\0\0\0\62\100", 8) == 0, "its last number");
    CHECK(out[CAROM_LAYOUT_CONTACT] == 0x5a, "and nothing behind it");
    carom_world_contact again = carom_layout_get_contact(out, CAROM_LAYOUT_CONTACT);
    CHECK(again.a == 1 && again.b == -2 && again.impact == 1 && again.time == 3 &&
              again.point[2] == 6 && again.normal[0] == 7 && again.impulse[2] == -12 &&
              again.gap == 13 && again.slip[2] == 16 && again.duration == 17 && again.loss == 18,
          "and back");
    again = carom_layout_get_contact(out, CAROM_LAYOUT_OLD_CONTACT);
    CHECK(again.impulse[2] == -12 && again.gap == 0 && again.loss == 0, "without the newer ones");
}

static void check_old_file(void)
{
    carom_error err = { 0 };
    carom_trajectory *t = NULL;
    carom_frame frame = { 0 };
    char words[200];
    CHECK(carom_trajectory_check(DATA "version-2.carom", words, sizeof words, &err) == CAROM_OK,
          "sound, every frame by its hash: %s", err.what);
    CHECK_TEXT(words, "trajectory, 5 frames of 4 bodies, 0.2 of 0.3 s, not yet at its end",
               "what it holds");
    CHECK(carom_trajectory_open(DATA "version-2.carom", &t, &err) == CAROM_OK, "%s", err.what);
    CHECK(t && carom_trajectory_version(t) == 2, "version 2");
    CHECK(t && carom_trajectory_frame(t, 4, &frame, &err) == CAROM_OK, "the last frame");
    // as `carom info` of that version printed it, to all digits
    CHECK(frame.ledger.impacts == 2 && frame.ledger.steps == 20, "counts of the ledger");
    CHECK_NEAR(frame.ledger.start, 64.4830281, 1e-7, "the energy at the start");
    CHECK_NEAR(frame.ledger.law, 20.2453, 1e-4, "and what the law took");
    CHECK_NEAR(frame.ledger.time, 0.2, 1e-15, "the time");
    int contacts = 0, impacts = 0;
    for (int64_t i = 0; t && i < carom_trajectory_frame_count(t); ++i) {
        carom_world_contact list[16];
        int count = carom_trajectory_contact_count(t, i);
        CHECK(count <= 16 && carom_trajectory_contacts(t, i, list, &err) == CAROM_OK, "%s",
              err.what);
        for (int k = 0; k < count; ++k) {
            carom_world_contact c = list[k];
            ++contacts;
            impacts += c.impact;
            CHECK(c.a >= 0 && c.a < 4 && c.b >= 0 && c.b < 4, "bodies of contact %d", k);
            CHECK_NEAR(c.normal[2] * c.normal[2], 1, 1e-12, "all are with the floor");
        }
    }
    CHECK(contacts == 8 && impacts == 4, "%d contacts, %d of impacts", contacts, impacts);
    carom_trajectory_close(t);
}

static void check_old_export(void)
{
    carom_error err = { 0 };
    carom_recording *recording = NULL;
    size_t wanted_size = 0, size = 0;
    char *wanted = read_file(DATA "version-2.csv", &wanted_size), *text = NULL;
    FILE *file = open_memstream(&text, &size);
    CHECK(carom_recording_open(DATA "version-2.carom", &recording, &err) == CAROM_OK, "%s",
          err.what);
    CHECK(file && recording && carom_export_csv(recording, file, NULL, &err) == CAROM_OK, "%s",
          err.what);
    if (file)
        fclose(file);
    CHECK(wanted_size > 1000 && size == wanted_size && memcmp(wanted, text, size) == 0,
          "the table of that version, byte by byte");
    carom_recording_destroy(recording);
    free(wanted);
    free(text);
}

// A copy of the file goes on from its last checkpoint. (The runner refuses another version of
// Carom, as that may give other bits; the file itself stands open.)
static void check_old_run(void)
{
    char path[] = "/tmp/carom-layout-XXXXXX";
    size_t size = 0, point_size = 0;
    char *bytes = read_file(DATA "version-2.carom", &size);
    int copy = mkstemp(path);
    CHECK(copy >= 0 && write(copy, bytes, size) == (ssize_t)size, "a copy");
    close(copy);
    free(bytes);
    carom_error err = { 0 };
    carom_trajectory *t = NULL;
    carom_scene_world *scene = NULL;
    carom_world *world = NULL;
    carom_recorder *recorder = NULL;
    void *point = NULL;
    CHECK(carom_trajectory_open(path, &t, &err) == CAROM_OK &&
              carom_trajectory_scene(t, &scene, &err) == CAROM_OK &&
              carom_scene_world_build(scene, NULL, &world, &err) == CAROM_OK,
          "its world: %s", err.what);
    carom_trajectory_close(t);
    CHECK(carom_recorder_resume(path, &recorder, &point, &point_size, &err) == CAROM_OK, "%s",
          err.what);
    CHECK(world && point && carom_world_restore(world, point, point_size, &err) == CAROM_OK,
          "the checkpoint: %s", err.what);
    for (int i = 0; world && i < 10; ++i)
        CHECK(carom_world_step(world, 0.01, &err) == CAROM_OK, "goes on: %s", err.what);
    CHECK(world && recorder && carom_recorder_frame(recorder, world, &err) == CAROM_OK,
          "one more frame: %s", err.what);
    carom_recorder_close(recorder);
    carom_frame frame = { 0 };
    CHECK(carom_trajectory_open(path, &t, &err) == CAROM_OK && !carom_trajectory_damage(t) &&
              carom_trajectory_frame(t, 5, &frame, &err) == CAROM_OK && frame.step == 30,
          "which can be read: %s", err.what);
    carom_trajectory_close(t);
    carom_world_destroy(world);
    carom_scene_world_close(scene);
    free(point);
    remove(path);
}

int main(void)
{
    check_bytes();
    check_old_file();
    check_old_export();
    check_old_run();
    return check_report();
}
