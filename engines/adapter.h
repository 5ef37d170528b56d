// What an engine's program is made of: four functions, and adapter_main for the rest
// (docs/engines.md).
#ifndef CAROM_ENGINES_ADAPTER_H
#define CAROM_ENGINES_ADAPTER_H

#include <stddef.h>
#include "carom/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct adapter {
    const char *name; // and version
    // A world with the scene's bodies; null where it cannot be, with the reason in `why`.
    void *(*create)(const carom_engine_scene *scene, char *why, size_t size);
    void (*step)(void *world, double dt);
    void (*state)(void *world, int body, carom_engine_state *out); // of moving bodies
    void (*destroy)(void *world);
} adapter;

// Answers every scene on the standard input until its end; the exit code of the program.
int adapter_main(const adapter *engine);

#ifdef __cplusplus
}
#endif
#endif
