// Towers in space: what `carom tower` says about a scene of kind "world".
#ifndef CAROM_CLI_TOWER_SPACE_H
#define CAROM_CLI_TOWER_SPACE_H

#include "carom/tower_space.h"
#include "command.h"

// Prints the answer; returns the exit code.
int carom_tower_space_report(const carom_arguments *given, const carom_tower_space *tower,
                             const char *file);

#endif
