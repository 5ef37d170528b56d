// Small instants for tests: balls, boxes and walls put together by hand, resolved by a law's name.
#ifndef CAROM_TESTS_INSTANT_H
#define CAROM_TESTS_INSTANT_H

#include "base/random.h"
#include "carom/carom.h"

enum { INSTANT_BODIES = 1200, INSTANT_CONTACTS = 4000 };

typedef struct instant {
    carom_impact impact; // counts; arrays point into this struct
    carom_impact_body bodies[INSTANT_BODIES];
    carom_impact_contact contacts[INSTANT_CONTACTS];
    double v[INSTANT_BODIES][3], w[INSTANT_BODIES][3], p[INSTANT_CONTACTS][3];
    carom_impact_outcome out;
    carom_error err;
} instant;

// An empty instant on the heap; free() it.
instant *instant_create(void);
void instant_clear(instant *scene);
// A solid ball (inertia 2/5 m r^2) or, with radius 0, a point. Returns the body.
int instant_ball(instant *scene, double mass, double radius, const double position[3],
                 const double velocity[3]);
// An immovable body with a velocity (null: at rest).
int instant_wall(instant *scene, const double velocity[3]);
// A solid cuboid of these edges, axes along the world's.
int instant_box(instant *scene, double mass, const double edges[3], const double position[3],
                const double velocity[3]);
// A contact of restitution 1 without friction. Returns it.
carom_impact_contact *instant_touch(instant *scene, int a, int b, const double point[3],
                                    const double normal[3]);
// Two balls that touch: point and normal from their positions, with equal radii.
carom_impact_contact *instant_touch_balls(instant *scene, int a, int b);
// Balls of radius .5 in a row along x.
void instant_chain(instant *scene, int count, const double *masses, const double *velocities);
// The break: 15 balls in a triangle and a cue ball at 1 m/s along x.
void instant_rack(instant *scene);
// Random touching balls of radius .5: every new one sits on an old one, all touching pairs join.
void instant_cluster(instant *scene, int count, carom_random *random);
void instant_set(instant *scene, double restitution, double friction);
// Resolves by the law of that name; "name:option=value" sets an option. Checks that it worked.
void instant_resolve(instant *scene, carom_workspace *workspace, const char *law);

#endif
