// A physics engine that resolves one instant of a body on a rough floor, for rough.c.
#ifndef CAROM_TESTS_ROUGH_PEER_H
#define CAROM_TESTS_ROUGH_PEER_H

#ifdef __cplusplus
extern "C" {
#endif

enum { ROUGH_PEER_CONTACTS = 4 };

// A body of mass 1 with its centre `height` above the floor z = 0, which it touches at points given
// from its centre.
typedef struct rough_peer_body {
    double inertia[3], height;
    double velocity[3], spin[3]; // before; the engine writes those after
    double restitution, friction;
    int contact_count;
    double points[ROUGH_PEER_CONTACTS][3];
} rough_peer_body;

void rough_peer_step(rough_peer_body *body);

#ifdef __cplusplus
}
#endif
#endif
