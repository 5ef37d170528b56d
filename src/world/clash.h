// The instant of an impact with joints in it: shared by clash.c, clash_stand.c and clash_joints.c.
#ifndef CAROM_WORLD_CLASH_H
#define CAROM_WORLD_CLASH_H

#include "world/step.h"

// The bodies of an instant, and what stands for them before the law. Bodies go by their place in
// the impact.
typedef struct carom_clash_crew {
    carom_world *world;
    const carom_impact *impact;
    const int *body_of;        // the world's number
    int *place_of;             // by the world's number; -1: not in this instant
    carom_impact_body *stands; // welded bodies: one for all, at the place `root`
    int *root;
    unsigned char *pinned; // per root: it can only turn about its position, which rests
    unsigned char *stands_in;
} carom_clash_crew;

// clash_stand.c: welded bodies become one, bodies held by what rests turn about their anchor.
carom_status carom_clash_stand_make(carom_clash_crew *crew, carom_error *err);
// Velocities of all bodies from those of their stand-ins.
void carom_clash_stand_expand(const carom_clash_crew *crew, double (*velocities)[3],
                              double (*spins)[3]);
// Whether an end of a joint is immovable, and at rest besides.
bool carom_clash_stand_ground(const carom_world *world, int end);
bool carom_clash_stand_still(const carom_world *world, int end);

// clash_joints.c: per body the next one of its cluster, in a ring: what joints connect, directly or
// through others, answers as one. Null where there are no joints.
carom_status carom_clash_joints_rings(carom_world *world, int **next, carom_error *err);
// As carom_impact_resolve by the world's law, with the joints as constraints of the instant.
carom_status carom_clash_joints_resolve(carom_world *world, const int *body_of,
                                        const carom_impact *impact, carom_impact_outcome *out,
                                        carom_error *err);

#endif
