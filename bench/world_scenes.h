// Scenes of bench_world, for any engine: bodies, joints, and how long they are run.
#ifndef CAROM_BENCH_WORLD_SCENES_H
#define CAROM_BENCH_WORLD_SCENES_H

#include "carom/shape.h"
#include "peers.h"

#include <stdbool.h>

typedef struct world_scene {
    const char *name;
    double dt;           // s
    int settle, measure; // steps
    double friction, restitution;
    bool stack;  // drift is counted from the start, in all steps
    bool plain;  // with our default options
    double goal; // ms per step; 0: none
    int count, joint_count;
    peer_body *bodies;
    peer_joint *joints;
} world_scene;

typedef struct world_scene_maker {
    const char *name;
    void (*make)(world_scene *s, bool quick); // quick: fewer bodies
} world_scene_maker;

// All of them; the last one has no name.
extern const world_scene_maker world_scene_list[];

// Room for the largest scene. Ends the program where there is no memory.
world_scene world_scene_create(void);
void world_scene_destroy(world_scene *s);
// The shape of a body; the caller releases it.
carom_shape *world_scene_shape(const peer_body *b);
// Says what is wrong and ends the program.
void world_scene_fail(const char *what);

#endif
