// Fuzz target: the reader of `.cmodes` files. For any bytes it must come back; a refusal must say
// what, where and how to fix it; modes that are accepted must answer, and survive being written and
// read again. The checksum is made right first: otherwise nothing would get past it.
#include "carom/modal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "support/claim.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static char path[] = "/dev/shm/carom-fuzz-modes-XXXXXX"; // in memory: a disk is too slow

static void tidy(void)
{
    unlink(path);
}

static const char *scratch(const unsigned char *data, size_t size)
{
    static int file = -1;
    if (file < 0) {
        file = mkstemp(path);
        if (file < 0) {
            memcpy(path, "/tmp/carom-fuzz-modes-XXXXXX", sizeof "/tmp/carom-fuzz-modes-XXXXXX");
            file = mkstemp(path);
        }
        atexit(tidy);
    }
    if (file < 0 || ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != (ssize_t)size)
        exit(1);
    return path;
}

static void use(const carom_modes *modes)
{
    const double point[3] = { 0.01, 0, 0.005 }, normal[3] = { 0, 0, 1 };
    carom_error err = { 0 };
    int count = carom_modal_about(modes)->mode_count;
    double *a = malloc((size_t)count * sizeof *a), w;
    if (a && carom_modal_participation(modes, point, normal, a, &w, &err) != CAROM_OK)
        claim(*err.what, "says what", &err);
    carom_modal_response(modes, point, normal);
    free(a);
}

static void try_bytes(const unsigned char *data, size_t size)
{
    carom_error err = { 0 };
    carom_modes *modes = NULL, *again = NULL;
    const char *file = scratch(data, size);
    carom_status status = carom_modal_load(file, 0, &modes, &err);
    claim((status == CAROM_OK) == (modes != NULL), "modes exactly on success", &err);
    if (!modes) {
        claim(*err.what && *err.where, "says what and where", &err);
        return;
    }
    use(modes);
    char copy[64];
    snprintf(copy, sizeof copy, "%s.again", file);
    claim(carom_modal_save(modes, copy, &err) == CAROM_OK, "can be written", &err);
    claim(carom_modal_load(copy, 0, &again, &err) == CAROM_OK, "can be read again", &err);
    unlink(copy);
    carom_modal_destroy(again);
    carom_modal_destroy(modes);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    try_bytes(data, size);
    if (size < 8 || size > 1000000)
        return 0;
    unsigned char *copy = malloc(size);
    if (!copy)
        return 0;
    memcpy(copy, data, size);
    claim_seal(copy, size);
    try_bytes(copy, size);
    free(copy);
    return 0;
}
