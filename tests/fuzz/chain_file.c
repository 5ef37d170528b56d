// Fuzz target: the reader of chain files. For any bytes it must come back, and a refusal must say
// what, where and how to fix it.
#include "carom/scene.h"
#include "support/claim.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    carom_error err = { 0 };
    carom_scene_contents held;
    const char *path = claim_memory_file(data, size);
    if (carom_scene_check(path, &held, &err) != CAROM_OK)
        claim_refusal(&err, path);
    return 0;
}
