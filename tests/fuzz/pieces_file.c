// Fuzz target: files of pieces (carom/pieces.h). The bytes are words that take the place of those
// of a sound file of `carom outcomes`, and get the right sums, so that everything behind the sums
// is reached; then once more as a file. It must come back with a result of the samples that were
// asked for, or with a refusal that has a reason.
#include <stdio.h>
#include <string.h>
#include "base/bytes.h"
#include "base/hash.h"
#include "carom/outcomes.h"
#include "support/claim.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

enum { HEAD = 24, RECORD = 24, ROOM = 1 << 16 }; // before the first record, and of each

static const char text[] =
    "{\"carom\":1,\"kind\":\"impact\",\"law\":\"qce\",\"bodies\":["
    "{\"name\":\"a\",\"mass\":1,\"velocity\":[1,0,0]},"
    "{\"name\":\"b\",\"mass\":1,\"position\":[0.8,0.6,0]}],"
    "\"contacts\":[{\"a\":\"a\",\"b\":\"b\",\"point\":[0.4,0.3,0],\"normal\":[0.8,0.6,0]}]}";
static carom_scene_impact *scene;
static carom_outcomes_options options;
static unsigned char sound[ROOM];
static size_t sound_size;

// A sound file, made once.
static void prepare(void)
{
    static carom_pieces shard = { .shard = 1, .shards = 1 };
    carom_error err = { 0 };
    carom_outcomes *none = NULL;
    options = carom_outcomes_options_default();
    options.samples = 3;
    options.pieces = &shard;
    shard.path = claim_memory_file("", 0);
    claim(carom_scene_impact_parse("scene", text, sizeof text - 1, &scene, &err) == CAROM_OK &&
              carom_outcomes_sample(scene, &options, &none, &err) == CAROM_OK,
          "a shard is done", &err);
    FILE *file = fopen(shard.path, "rb");
    sound_size = file ? fread(sound, 1, sizeof sound, file) : 0;
    claim(sound_size > HEAD + RECORD, "and written", &err);
    fclose(file);
}

static void merge(const unsigned char *bytes, size_t size)
{
    carom_error err = { 0 };
    carom_outcomes *out = NULL;
    const char *path = claim_memory_file(bytes, size);
    const carom_pieces merged = { .merged = &path, .merged_count = 1 };
    options.pieces = &merged;
    carom_status status = carom_outcomes_sample(scene, &options, &out, &err);
    claim((status == CAROM_OK) == (out != NULL), "a result exactly on success", &err);
    if (out)
        claim(out->samples == options.samples, "as many samples", &err);
    else
        claim(*err.what && *err.fix, "a refusal has what and fix", &err);
    carom_outcomes_destroy(out);
}

// Nine bytes each: which word, and what it becomes.
static void replace_words(unsigned char *bytes, const unsigned char *data, size_t size)
{
    size_t words = (sound_size - HEAD) / 8;
    for (; size >= 9; data += 9, size -= 9)
        memcpy(bytes + HEAD + 8 * (*data % words), data + 1, 8);
}

static void sign(unsigned char *bytes)
{
    for (size_t record = HEAD; sound_size - record >= RECORD;) {
        const unsigned char *at = bytes + record;
        uint64_t piece = carom_bytes_get_u64(&at), length = carom_bytes_get_u64(&at);
        unsigned char *sum = bytes + record + 16;
        if (length > sound_size - record - RECORD)
            return;
        uint64_t right = carom_hash_bytes(CAROM_HASH_START ^ piece, at + 8, (size_t)length);
        carom_bytes_put_u64(&sum, right);
        record += RECORD + (size_t)length;
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static unsigned char bytes[ROOM];
    if (!scene)
        prepare();
    memcpy(bytes, sound, sound_size);
    replace_words(bytes, data, size);
    sign(bytes);
    merge(bytes, sound_size);
    merge(data, size);
    return 0;
}
