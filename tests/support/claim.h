// Claims of fuzz targets: a broken one ends the program, so that the fuzzer keeps the input.
#ifndef CAROM_TESTS_CLAIM_H
#define CAROM_TESTS_CLAIM_H

#include <stddef.h>
#include "carom/progress.h"
#include "carom/status.h"

// The name under which texts are parsed, for the place in errors.
#define CLAIM_FILE "file"

void claim(int truth, const char *words, const carom_error *err);
// A refusal blames the file and says what, where ("file:LINE:COLUMN") and how to fix it.
void claim_refusal(const carom_error *err, const char *file);
// A file in memory that holds the bytes; its path lives until the next call.
const char *claim_memory_file(const void *bytes, size_t size);
// Reads the bytes as a scene of any kind: it is refused with a reason, or goes to `use`.
void claim_scene(const void *bytes, size_t size, void (*use)(const char *path));

// Stops all work the first time it is asked, some 20 ms after it began: an input has no more time.
extern const carom_progress claim_impatient;

// Writes the hash of all but the last eight bytes into those: the end of our binary files.
void claim_seal(unsigned char *bytes, size_t size);

#endif
