// What the terminal is and how it wants to be written to.
#ifndef CAROM_CLI_TERMINAL_H
#define CAROM_CLI_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "carom/progress.h"
#include "carom/status.h"
#include "carom/world.h"

typedef enum carom_terminal_look {
    CAROM_TERMINAL_PLAIN,
    CAROM_TERMINAL_BOLD,
    CAROM_TERMINAL_FAINT,
    CAROM_TERMINAL_GOOD,
    CAROM_TERMINAL_BAD,
    CAROM_TERMINAL_WARN,
} carom_terminal_look;

// The sequence that starts a look on that stream; "" where it has no colours. PLAIN ends a look.
const char *carom_terminal_start(FILE *stream, carom_terminal_look look);
// Columns of a terminal; 100 where the stream is none.
int carom_terminal_width(FILE *stream);

// Replaces control characters by question marks, so that words from a file cannot steer the
// terminal. Line ends stay.
void carom_terminal_tame(char *words);
// Prints words from a file, tamed, and a line end.
void carom_terminal_print(const char *words);
// Notes that something could not be printed for want of memory: the command ends with an error.
void carom_terminal_lose(void);
bool carom_terminal_lost(void);

// Prints an error to the standard error: place: what / in ... Fix: ...
void carom_terminal_error(const carom_error *err);
// Prints one line to the standard error, printf style: what was written and where.
void carom_terminal_report(const char *words, ...) __attribute__((format(printf, 1, 2)));

// Ctrl-C: removes a half-written file and ends with exit code 130. While a progress line is open
// the first Ctrl-C only asks the work to stop.
void carom_terminal_catch_interrupts(void);

// For summaries: a number that is round-off of what it belongs to (1e-12 of `scale`) is 0.
double carom_terminal_rounded(double value, double scale);
// The same for an entry of the ledger (J): a sum over steps and impacts of differences of energies,
// each rounded as what is at stake is.
double carom_terminal_energy(double value, const carom_ledger *ledger);

// A line on the standard error with share done and time left, shown on terminals and only for work
// of more than two seconds; elsewhere (a log) a line now and then from half a minute on. Pass the
// result to functions that take a carom_progress.
const carom_progress *carom_terminal_progress_begin(void);
// No lines in logs.
void carom_terminal_progress_quiet(void);
void carom_terminal_progress_end(void);

#endif
