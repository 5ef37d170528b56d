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
// By the law qce, without gravity.
small_world small_world_weightless(void);
void small_world_end(small_world *s);
// Each returns the body's index.
int small_world_floor(small_world *s, const double normal[3], double offset);
int small_world_ball(small_world *s, double radius, double mass, const double position[3],
                     const double velocity[3]);
int small_world_box(small_world *s, const double half[3], double mass, const double position[3],
                    const double velocity[3]);
// Of half edges of 0.1 m, at rest.
int small_world_small_box(small_world *s, double mass, double x, double y, double z);
// Stands along z where `rotation` says nothing else.
int small_world_cylinder(small_world *s, double radius, double half_length, double mass,
                         const double position[3]);
carom_body_id small_world_id(const small_world *s, int body);
// Of a body with the world, both anchors at one point; its axis is set apart.
carom_joint small_world_joint(const small_world *s, carom_joint_kind kind, int body, double x,
                              double y, double z);
void small_world_axis(carom_joint *joint, double x, double y, double z);
void small_world_join(small_world *s, const carom_joint *joint);
void small_world_steps(small_world *s, double dt, int count);

#endif
