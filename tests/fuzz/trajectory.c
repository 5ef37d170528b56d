// Fuzz target: the reader of trajectories, and what stands on it. The bytes are taken as a file,
// and once more as a list of records that get their right numbers and checksums, so that everything
// behind the checksums is reached. It must come back, a refusal must have a reason, and what opens
// can be used.
#include <stdlib.h>
#include <string.h>
#include "carom/trajectory.h"
#include "trajectory/layout.h"
#include "support/claim.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void use(const char *path)
{
    carom_error err = { 0 };
    carom_trajectory *t = NULL;
    carom_scene_world *scene = NULL;
    if (carom_trajectory_open(path, &t, &err) != CAROM_OK) {
        claim(t == NULL && *err.what && *err.fix, "a refusal has what and fix", &err);
        return;
    }
    double sum = 0;
    for (int64_t i = 0; i < carom_trajectory_frame_count(t); ++i) {
        carom_frame frame;
        if (carom_trajectory_frame(t, i, &frame, &err) == CAROM_OK)
            for (int k = 0; k < CAROM_FRAME_STRIDE * frame.body_count; ++k)
                sum += frame.bodies[k];
        int count = carom_trajectory_contact_count(t, i);
        carom_world_contact *list = calloc((size_t)count + 1, sizeof *list);
        if (list && carom_trajectory_contacts(t, i, list, &err) == CAROM_OK)
            for (int k = 0; k < count; ++k)
                sum += list[k].impulse[2];
        free(list);
    }
    volatile double sink = sum; // every number is read
    (void)sink;
    carom_difference difference;
    carom_trajectory_compare(t, t, 0, &difference, &err);
    if (carom_trajectory_scene(t, &scene, &err) == CAROM_OK)
        carom_scene_world_close(scene);
    carom_trajectory_close(t);
    char words[200];
    carom_trajectory_check(path, words, sizeof words, &err);
}

static void resume(const char *path)
{
    carom_error err = { 0 };
    carom_runner *runner = NULL;
    if (carom_runner_resume(path, &runner, &err) != CAROM_OK) {
        claim(runner == NULL && *err.what, "a refusal has a reason", &err);
        return;
    }
    if (carom_runner_advance(runner, 1, NULL, &err) != CAROM_OK)
        claim(*err.what != 0, "a failure has a reason", &err);
    carom_runner_destroy(runner);
}

// Two bytes of length, one of kind, then the payload; and so on.
static size_t sign(const unsigned char *data, size_t size, unsigned char *out)
{
    carom_layout_put_opening(out, CAROM_RECORD_VERSION);
    size_t at = CAROM_LAYOUT_OPENING;
    uint32_t number = 0;
    while (size >= 3) {
        carom_layout_head head = { .kind = data[2] % 10u,
                                   .number = number++,
                                   .size = (size_t)data[0] + 256 * (size_t)data[1] };
        data += 3;
        size -= 3;
        head.size = head.size > size ? size : head.size;
        carom_layout_put_head(out + at, CAROM_RECORD_VERSION, &head, data);
        at += CAROM_LAYOUT_HEAD;
        memset(out + at, 0, carom_layout_padded(head.size));
        memcpy(out + at, data, head.size);
        at += carom_layout_padded(head.size);
        data += head.size;
        size -= head.size;
    }
    return at;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    use(claim_memory_file(data, size));
    unsigned char *signed_file = malloc(64 + 16 * size + 64);
    if (!signed_file)
        return 0;
    size_t signed_size = sign(data, size, signed_file);
    const char *path = claim_memory_file(signed_file, signed_size);
    use(path);
    resume(path);
    free(signed_file);
    return 0;
}
