// Files for results: never over an existing one unless asked, never half written.
//
// The file is written under a temporary name beside its target and renamed when complete.
#ifndef CAROM_CLI_OUTPUT_H
#define CAROM_CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>
#include "carom/json.h"
#include "carom/status.h"
#include "carom/view.h"

typedef struct carom_output {
    FILE *file;
    bool standard; // the standard output: nothing to rename
    bool replace;
    char path[4096], temporary[4096 + 32];
} carom_output;

// Refuses an existing file unless `replace`. "-" is the standard output.
carom_status carom_output_open(carom_output *output, const char *path, bool replace,
                               carom_error *err);
// Completes the file. On failure nothing is left behind.
carom_status carom_output_close(carom_output *output, carom_error *err);
// Gives the file up and removes what was written.
void carom_output_drop(carom_output *output);
// All in one for a text. A picture in SVG becomes PDF where the name ends in .pdf.
carom_status carom_output_write(const char *path, const char *text, bool replace, carom_error *err);
// The viewer's page with these recordings inside, opened as `start` says (see carom_view_page).
carom_status carom_output_page(const char *path, carom_view_source *const *sources, int count,
                               const char *start, bool replace, carom_error *err);
// Fails early, as carom_output_check, and where this build has no viewer.
carom_status carom_output_check_page(const char *path, bool replace, carom_error *err);
// Writes a finished JSON text ("-": the standard output), destroys the writer and returns an exit
// code; a failure is printed.
int carom_output_finish_json(carom_json *json, const char *path, bool replace);
// Writes a text made by the library (null: there was no memory), frees it, says where it is and
// returns an exit code; a failure is printed.
int carom_output_finish_text(const char *path, char *text, bool replace);
// Fails early, before long work, where the file exists and may not be replaced.
carom_status carom_output_check(const char *path, bool replace, carom_error *err);
// Removes a half-written file; safe in a signal handler.
void carom_output_abandon(void);

#endif
