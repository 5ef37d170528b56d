// An engine with Carom's impact pass in it (examples/pass), as tests/peers/pass.c drives it: equal
// balls without gravity and friction, elastic. One driver per engine.
#ifndef CAROM_TESTS_PASS_PEER_H
#define CAROM_TESTS_PASS_PEER_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pass_ball {
    double position[3]; // m
    double velocity[3]; // m/s
} pass_ball;

extern const char *const pass_peer_name;
// Balls of 1 kg with this radius (m); the step (s) will be dt.
void *pass_peer_create(const pass_ball *balls, int count, double radius, double dt);
void pass_peer_step(void *world, double dt);
void pass_peer_state(void *world, int ball, pass_ball *out);
void pass_peer_destroy(void *world);

#ifdef __cplusplus
}
#endif
#endif
