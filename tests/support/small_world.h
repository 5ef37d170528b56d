// Small worlds for tests: a floor, balls and boxes in one line each.
#ifndef CAROM_TESTS_SMALL_WORLD_H
#define CAROM_TESTS_SMALL_WORLD_H

#include "carom/world.h"

typedef struct small_world {
    carom_world *world;
    carom_world_options options;
    carom_material material;
    double rotation[4]; // unit quaternion w x y z of every ball and box added from now on
    int group;          // likewise: bodies of one group above 0 do not touch each other
} small_world;

// Default options with a law by name; change `options` and `material` before the first body.
small_world small_world_make(const char *law);
void small_world_end(small_world *s);
// Each returns the body's index.
int small_world_floor(small_world *s, const double normal[3], double offset);
int small_world_ball(small_world *s, double radius, double mass, const double position[3],
                     const double velocity[3]);
int small_world_box(small_world *s, const double half[3], double mass, const double position[3],
                    const double velocity[3]);
// Stands along z where `rotation` says nothing else.
int small_world_cylinder(small_world *s, double radius, double half_length, double mass,
                         const double position[3]);
void small_world_join(small_world *s, const carom_joint *joint);
void small_world_steps(small_world *s, double dt, int count);

#endif
