// Inside of the referee: referee_tests.c has the tests, referee.c runs them, referee_page.c shows
// the results.
#ifndef CAROM_REFEREE_REFEREE_H
#define CAROM_REFEREE_REFEREE_H

#include "base/error.h"
#include "carom/engine.h"
#include "carom/referee.h"

enum { CAROM_REFEREE_BODIES = 256 };

typedef struct carom_referee_test {
    const char *name, *words;
    double duration; // s
    // Fills bodies and everything of the scene but the step; its number of bodies is what was
    // filled.
    void (*make)(carom_engine_scene *scene, carom_engine_body *bodies);
    // The error of the states at the end.
    double (*judge)(const carom_engine_scene *scene, const carom_engine_state *end);
} carom_referee_test;

extern const carom_referee_test carom_referee_tests[];

#endif
