// Scene files: opens scenes/world/NAME.json, builds its world and steps it, as `carom run`
// does, with a look at every body in between.
#ifndef CAROM_TESTS_PLAY_H
#define CAROM_TESTS_PLAY_H

#include <stdbool.h>
#include <stdint.h>
#include "carom/scene.h"
#include "math/vec.h"

typedef struct play {
    carom_scene_world *scene;
    carom_world *world; // built by the first play_steps, or by play_build
    double dt;          // s
    int64_t step;       // number of the next one
    bool broken;        // a check of this play's own has failed: nothing moves any more
} play;

// Opens a scene by the name of its file without ending.
play play_open(const char *name);
// The same after changes of its text, for scenes at a reduced size: every pair is what stands in
// the file and what to write instead; a text that is not there fails a check.
play play_open_changed(const char *name, const char *const (*changes)[2], int count);
// Reads a scene from a text; `name` is for errors.
play play_parse(const char *name, const char *text);
void play_close(play *p);
// As `carom run --set key=value`; before the world is built.
void play_set(play *p, const char *key, const char *value);
void play_build(play *p);
// So many steps, with the changes of the scene. False where a step failed.
bool play_steps(play *p, int64_t count);
// Steps until this time (s).
bool play_until(play *p, double time);

// A body by its name; a name that is not there fails a check.
int play_find(const play *p, const char *name);
// State of a body now; not a number where the play is broken.
vec3 play_position(const play *p, int body);
vec3 play_velocity(const play *p, int body);
vec3 play_spin(const play *p, int body);
quat play_rotation(const play *p, int body);
carom_ledger play_ledger(const play *p);
// (kinetic + potential - start) / scale: what the ledger's energy is off by.
double play_energy_error(const play *p, double scale);

#endif
