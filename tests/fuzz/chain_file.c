// Fuzz target: the reader of chain files. For any bytes it must come back, and a refusal must say
// what, where and how to fix it. A chain that is accepted is computed, within little work and with
// a short history: room for slices and pictures took three quarters of the time.
#include "carom/chain.h"
#include "carom/scene.h"
#include "support/claim.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

enum { MOST = 200 }; // slices of all bodies

static size_t slices_of(const carom_chain *chain)
{
    size_t sum = 0;
    for (size_t i = 0; i < chain->body_count; ++i)
        sum += 1 + (size_t)(chain->bodies[i].slices > 0 ? chain->bodies[i].slices : 0);
    return sum;
}

static void use(const char *path)
{
    carom_error err = { 0 };
    carom_chain_file *file = NULL;
    carom_chain_result *result = NULL;
    if (carom_chain_file_open(path, &file, &err) != CAROM_OK)
        return;
    carom_chain chain = *carom_chain_file_chain(file);
    chain.work_max = 4e3;
    chain.samples = 8;
    chain.points = 4;
    if (slices_of(&chain) <= MOST && carom_chain_run(&chain, &result, &err) != CAROM_OK)
        claim(*err.what, "a result, or a reason", &err);
    carom_chain_result_destroy(result);
    carom_chain_file_close(file);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    claim_scene(data, size, use);
    return 0;
}
