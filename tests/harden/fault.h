// One call of the system that fails (fault.c), for the server of runs (serve.c).
#ifndef CAROM_TESTS_FAULT_H
#define CAROM_TESTS_FAULT_H

#include <stdatomic.h>

typedef struct carom_fault_tally {
    atomic_long calls; // of the kind that was asked for
    atomic_long kept;  // blocks of memory that the program itself has asked for and not given back
} carom_fault_tally;

// From now on the call of number `at` (from 0; negative: none) of a kind fails: memory, write, open,
// rename, sync, thread; "": none, and nothing is counted. Not there (null) in builds with a
// sanitizer, which has its own memory.
void carom_fault_arm(const char *kind, long at, carom_fault_tally *tally) __attribute__((weak));

#endif
