// Fuzz target: the reader of bounce-kernel files. For any bytes it must come back, a refusal must
// say what, and a file that is accepted must be solved or refused, with every epsilon within its
// bound.
#include "carom/bounce.h"

#include <stdio.h>
#include <stdlib.h>
#include "support/claim.h"

// Steps are slow under sanitizers: only files that ask for few are solved, as the one in the corpus
// does.
enum { BUDGET = 2000 };

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    carom_error err = { 0 };
    carom_bounce_file *file = NULL;
    carom_status status = carom_bounce_file_parse("file", (const char *)data, size, &file, &err);
    claim((status == CAROM_OK) == (file != NULL), "a file exactly on success", &err);
    if (!file) {
        claim(*err.what, "says what", &err);
        return 0;
    }
    int count = carom_bounce_file_count(file);
    carom_bounce_result *results = calloc((size_t)count, sizeof *results);
    if (results && count < 20 && carom_bounce_file_options(file).budget <= BUDGET &&
        carom_bounce_file_solve(file, results, &err) == CAROM_OK)
        for (int k = 0; k < count; ++k)
            claim(results[k].end == CAROM_BOUNCE_CAPPED ||
                      (results[k].epsilon > -1e-9 && results[k].epsilon < 1 + 1e-9),
                  "epsilon is in [0, 1]", &err);
    free(results);
    carom_bounce_file_close(file);
    return 0;
}
