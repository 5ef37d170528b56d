// Files of pieces from strangers: whatever a file says, with sums that are right, is refused or is
// a result; damage is noticed by the sums; a shard is done by one process at a time.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/bytes.h"
#include "base/hash.h"
#include "base/pieces.h"
#include "bounce/bounce_map.h"
#include "carom/outcomes.h"
#include "support/check.h"
#include "support/wedge.h"

static const char path[] = "pieces_test.1-of-1.pieces";
static const char *const paths[] = { path };
static const carom_pieces shard = { .shard = 1, .shards = 1, .path = path };
static const carom_pieces merged = { .merged = paths, .merged_count = 1 };

enum { ROOM = 1 << 16, HEAD = 24, RECORD = 24 }; // bytes before the first record, and its own head

static size_t read_file(unsigned char *bytes)
{
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(bytes, 1, ROOM, file) : 0;
    if (file)
        fclose(file);
    return size;
}

static void write_file(const unsigned char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!CHECK(file != NULL, "a file to write"))
        return;
    fwrite(bytes, 1, size, file);
    fclose(file);
}

// -- the store ------------------------------------------------------------------------------------

static const char *const words[] = { "the first", "of three", "pieces" };

static void write_words(void)
{
    carom_error err = { 0 };
    carom_pieces_store *store = NULL;
    remove(path);
    if (!CHECK(carom_pieces_open(&shard, 5, &store, &err) == CAROM_OK, "opens: %s", err.what))
        return;
    for (int i = 0; i < 3; ++i)
        CHECK(carom_pieces_put(store, i, (const unsigned char *)words[i], strlen(words[i]), &err) ==
                  CAROM_OK,
              "takes a piece: %s", err.what);
    carom_pieces_close(store);
}

// How many pieces are there; those must be what was written.
static int count_words(void)
{
    carom_error err = { 0 };
    carom_pieces_store *store = NULL;
    int count = 0;
    if (carom_pieces_open(&merged, 5, &store, &err) != CAROM_OK) {
        CHECK(*err.what && *err.fix, "a refusal has what and fix");
        return -1;
    }
    for (int i = 0; i < 3; ++i) {
        const unsigned char *bytes;
        size_t size = 0;
        if (carom_pieces_get(store, i, &bytes, &size, &err) != CAROM_OK)
            continue;
        ++count;
        CHECK(size == strlen(words[i]) && memcmp(bytes, words[i], size) == 0, "what was written");
    }
    carom_pieces_close(store);
    return count;
}

static void check_damage(void)
{
    static unsigned char whole[ROOM], wrong[ROOM];
    write_words();
    size_t size = read_file(whole);
    CHECK(count_words() == 3, "all three");
    for (size_t i = 0; i < size; ++i) {
        memcpy(wrong, whole, size);
        wrong[i] ^= 0x10;
        write_file(wrong, size);
        CHECK(count_words() < 3, "byte %zu is noticed", i);
        write_file(whole, i);
        CHECK(count_words() < 3, "a file of %zu bytes is cut", i);
    }
}

static void check_lock(void)
{
    carom_error err = { 0 };
    carom_pieces_store *store = NULL;
    int status = -1;
    write_words();
    if (!CHECK(carom_pieces_open(&shard, 5, &store, &err) == CAROM_OK, "opens: %s", err.what))
        return;
    fflush(stdout);
    pid_t other = fork();
    if (other == 0)
        _exit(carom_pieces_open(&shard, 5, &store, &err) == CAROM_IO_FAILED &&
                      strstr(err.what, "another process") && *err.fix
                  ? 7
                  : 1);
    waitpid(other, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7, "a second process is refused");
    carom_pieces_close(store);
}

// -- forged results -------------------------------------------------------------------------------

static void sign(unsigned char *record)
{
    const unsigned char *at = record;
    uint64_t piece = carom_bytes_get_u64(&at), length = carom_bytes_get_u64(&at);
    unsigned char *sum = record + 16;
    carom_bytes_put_u64(
        &sum, carom_hash_bytes(CAROM_HASH_START ^ piece, record + RECORD, (size_t)length));
}

static bool merge(const carom_scene_impact *scene, const carom_outcomes_options *options,
                  carom_error *err)
{
    carom_outcomes *out = NULL;
    carom_status status = carom_outcomes_sample(scene, options, &out, err);
    CHECK((status == CAROM_OK) == (out != NULL), "a result exactly on success");
    if (!out) {
        CHECK(status == CAROM_BAD_INPUT && *err->what && *err->fix, "refused: %s", err->what);
        return false;
    }
    double sum = (double)out->others / (double)out->samples;
    for (int i = 0; i < out->pattern_count; ++i)
        sum += out->patterns[i].probability;
    CHECK(out->samples == options->samples, "as many samples");
    CHECK_NEAR(sum, 1, 1e-12, "probabilities");
    carom_outcomes_destroy(out);
    return true;
}

// Every word of a block, in every hostile way.
static void forge(const carom_scene_impact *scene, const carom_outcomes_options *options)
{
    static const uint64_t hostile[] = { UINT64_MAX,        7, 64, 0, 1ull << 63, 1ull << 32,
                                        0x7ff8000000000000 /* not a number */ };
    static unsigned char whole[ROOM], wrong[ROOM];
    size_t size = read_file(whole), refused = 0, tried = 0;
    for (size_t record = HEAD; record + RECORD <= size;) {
        const unsigned char *at = whole + record + 8;
        size_t length = (size_t)carom_bytes_get_u64(&at);
        for (size_t w = 0; w + 8 <= length; w += 8)
            for (size_t k = 0; k < sizeof hostile / sizeof *hostile; ++k) {
                carom_error err = { 0 };
                memcpy(wrong, whole, size);
                unsigned char *to = wrong + record + RECORD + w;
                carom_bytes_put_u64(&to, hostile[k]);
                sign(wrong + record);
                write_file(wrong, size);
                refused += !merge(scene, options, &err);
                ++tried;
            }
        record += RECORD + length;
    }
    CHECK(refused > tried / 20, "%zu of %zu are refused", refused, tried);
}

static void check_outcomes(void)
{
    carom_error err = { 0 };
    carom_scene_impact *scene = NULL;
    carom_outcomes *none = NULL;
    carom_outcomes_options options = carom_outcomes_options_default();
    remove(path);
    options.samples = 6;
    options.pieces = &shard;
    if (!CHECK(carom_scene_impact_parse("test", wedge_scene, strlen(wedge_scene), &scene, &err) ==
                       CAROM_OK &&
                   carom_outcomes_sample(scene, &options, &none, &err) == CAROM_OK,
               "a shard: %s", err.what))
        return;
    options.pieces = &merged;
    CHECK(merge(scene, &options, &err), "as it was written: %s", err.what);
    forge(scene, &options);
    carom_scene_impact_close(scene);
}

static void check_bounces(void)
{
    static const carom_bounce_result sound = { .epsilon = 0.5,
                                               .tau = 1e-4,
                                               .impulse = 2,
                                               .micro = 3 },
                                     cases[] = {
                                         { .epsilon = NAN, .tau = 1 },
                                         { .epsilon = 0.5, .tau = HUGE_VAL },
                                         { .epsilon = 0.5, .impulse = -HUGE_VAL },
                                         { .epsilon = 0.5, .micro = -1 },
                                         { .epsilon = 0.5, .end = (carom_bounce_end)2 },
                                     };
    for (int i = -1; i < (int)(sizeof cases / sizeof *cases); ++i) {
        carom_error err = { 0 };
        carom_pieces_store *store = NULL;
        carom_bounce_result back[2], given[2] = { sound, i < 0 ? sound : cases[i] };
        remove(path);
        CHECK(carom_pieces_open(&shard, 5, &store, &err) == CAROM_OK &&
                  carom_bounce_pieces_put(store, 0, given, 2, &err) == CAROM_OK,
              "written: %s", err.what);
        carom_pieces_close(store);
        if (!CHECK(carom_pieces_open(&merged, 5, &store, &err) == CAROM_OK, "%s", err.what))
            continue;
        carom_status status = carom_bounce_pieces_get(store, 0, back, 2, &err);
        CHECK(i < 0 ? status == CAROM_OK && back[1].micro == 3
                    : status == CAROM_BAD_INPUT && *err.fix,
              "case %d: %s", i, err.what);
        carom_pieces_close(store);
    }
}

int main(void)
{
    check_damage();
    check_lock();
    check_outcomes();
    check_bounces();
    remove(path);
    return check_report();
}
