// What `carom tower` found out about a tower in the plane, and how it says it.
#ifndef CAROM_CLI_TOWER_ANSWER_H
#define CAROM_CLI_TOWER_ANSWER_H

#include <stdbool.h>
#include "carom/tower.h"
#include "carom/tower_space.h"
#include "command.h"

typedef struct carom_tower_job {
    const carom_arguments *given;
    carom_tower *tower;
    carom_tower_space *space; // instead, where the file is a world
    const char *title;
    carom_tower_instant instant;
    bool has_instant;
    double stretch; // of the bars at the first instant, with --penalty
    carom_tower_recording recording;
    bool has_recording;
    carom_tower_proof proof;
    bool has_proof;
    bool replace;
    carom_error err;
} carom_tower_job;

// As JSON on the standard output; returns the exit code.
int carom_tower_answer_json(const carom_tower_job *j);
// In words.
void carom_tower_answer_words(const carom_tower_job *j);

#endif
