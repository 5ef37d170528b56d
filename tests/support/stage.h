// Small worlds for tests: a floor, balls and boxes in one line each.
#ifndef CAROM_TESTS_STAGE_H
#define CAROM_TESTS_STAGE_H

#include "carom/world.h"

typedef struct stage {
    carom_world *world;
    carom_world_options options;
    carom_material material;
    double rotation[4]; // unit quaternion w x y z of every ball and box added from now on
    int group;          // likewise: bodies of one group above 0 do not touch each other
} stage;

// Default options with a law by name; change `options` and `material` before the first body.
stage stage_make(const char *law);
void stage_end(stage *s);
// Each returns the slot of the body.
int stage_floor(stage *s, const double normal[3], double offset);
int stage_ball(stage *s, double radius, double mass, const double position[3],
               const double velocity[3]);
int stage_box(stage *s, const double half[3], double mass, const double position[3],
              const double velocity[3]);
// Stands along z where `rotation` says nothing else.
int stage_cylinder(stage *s, double radius, double half_length, double mass,
                   const double position[3]);
void stage_join(stage *s, const carom_joint *joint);
void stage_steps(stage *s, double dt, int count);

#endif
