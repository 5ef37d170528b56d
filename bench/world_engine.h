// Our own world behind the face of peers.h.
#ifndef CAROM_BENCH_WORLD_ENGINE_H
#define CAROM_BENCH_WORLD_ENGINE_H

#include "carom/world.h"
#include "world_scenes.h"

extern const peer world_engine;

// The scene that world_engine.create makes.
void world_engine_choose(const world_scene *s);
// The world of a scene, at rest in these states (planes stay where they are) or, with null, as the
// scene has its bodies. Ends the program where it cannot be made.
carom_world *world_engine_world(const world_scene *s, const peer_state *states);

#endif
