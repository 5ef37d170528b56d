// The viewer's page with outcomes of one instant beside each other.
#ifndef CAROM_CLI_OUTCOMES_VIEW_H
#define CAROM_CLI_OUTCOMES_VIEW_H

#include <stdbool.h>
#include "carom/outcomes.h"

// Bodies come in, meet, and leave, as in some samples side by side.
carom_status carom_outcomes_view_write(const carom_scene_impact *scene,
                                       const carom_outcomes_options *options, const char *path,
                                       bool replace, carom_error *err);

#endif
