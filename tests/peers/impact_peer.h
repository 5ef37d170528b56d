// A physics engine that resolves one instant of touching balls, for impact.c; one driver each.
#ifndef CAROM_TESTS_IMPACT_PEER_H
#define CAROM_TESTS_IMPACT_PEER_H

#ifdef __cplusplus
extern "C" {
#endif

enum { IMPACT_PEER_BALLS = 32, IMPACT_PEER_CONTACTS = 96 };

// Balls of mass 1 and diameter 1, frictionless, without gravity.
typedef struct impact_peer_problem {
    int count;
    double position[IMPACT_PEER_BALLS][3];
    double velocity[IMPACT_PEER_BALLS][3]; // before; the engine writes those after
    double restitution;
    int contact_count;
    int contacts[IMPACT_PEER_CONTACTS][2]; // an engine that finds its own writes them in its order
} impact_peer_problem;

// The engine's name, the law that stands for it and its options.
extern const char *const impact_peer_name, *const impact_peer_law, *const impact_peer_options;

// One step of the engine. The law is run with the order of contacts that is then in the problem.
void impact_peer_step(impact_peer_problem *problem);

#ifdef __cplusplus
}
#endif
#endif
