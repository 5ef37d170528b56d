// Elastic generalized reflections, which `gr` and `grr` begin with; see gr.c.
#ifndef CAROM_IMPACT_GR_H
#define CAROM_IMPACT_GR_H

#include "impact/problem.h"

typedef struct carom_gr_settings {
    int sweeps;       // reflections before the finish; 0: 1000, and more where islands need them
    double tolerance; // approach below this fraction of an island's fastest counts as none
} carom_gr_settings;

// The two options that go with them, first in a law's table.
#define CAROM_GR_OPTIONS                                                                           \
    { "sweeps",                                                                                    \
      "reflections before what no motion opens is stopped; 0: 1000, and as many as masses and "    \
      "angles of elastic islands may need",                                                        \
      CAROM_OPTION_INTEGER,                                                                        \
      0,                                                                                           \
      0,                                                                                           \
      1e9,                                                                                         \
      NULL },                                                                                      \
    {                                                                                              \
        "tolerance", "approach speeds below this fraction of the island's fastest count as none",  \
            CAROM_OPTION_NUMBER, 1e-9, 0, 1e-2, NULL                                               \
    }
#define CAROM_GR_SETTINGS(options)                                                                 \
    {                                                                                              \
        (int)(options)->value[0], (options)->value[1]                                              \
    }

// Reflects at all contacts that approach until none does, whatever their restitution.
carom_status carom_gr_reflect(const carom_problem *problem, const carom_gr_settings *settings,
                              carom_arena *scratch, carom_motion *motion,
                              carom_impact_report *report, carom_error *err);

#endif
