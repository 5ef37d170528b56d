// The law `wave`: micro-steps of contact springs, made exact by one scalar per island. Shared by
// wave.c (the law), wave_setup.c, wave_march.c and wave_finish.c; docs/wave.md has the derivations.
//
// Symbols: h micro-step, q displacement of a body in impact time, v its velocity, g = gap + J q gap
// of a contact (negative: compressed), kick = h f impulse of one micro-step, e restitution.
#ifndef CAROM_IMPACT_WAVE_H
#define CAROM_IMPACT_WAVE_H

#include "impact/problem.h"

// Work is cut into pieces of this many contacts or bodies, whatever the number of threads: partial
// sums belong to pieces, so they do not depend on threads.
enum { WAVE_PIECE = 2048 };

// A body: one cache line. Displacement and velocity are those of the centre of mass.
typedef struct wave_body {
    vec3 q, v;
    double inverse_mass; // 0: immovable; then q stays 0 and `wave_field.drift` has its motion
    int step;            // micro-step that q belongs to
    int near_count;      // contacts in play, at the start of its slots in wave_field.near
} wave_body;

// Rotation of a body, for islands where some contact has an arm.
typedef struct wave_spin {
    vec3 q, w;
    sym3 inverse_inertia;
} wave_spin;

// A contact: one cache line. Normal d from a to b.
typedef struct wave_contact {
    vec3 d;
    int a, b;
    double gap;    // at the start
    double hk;     // h k: kick = hk delta^eta
    double lambda; // impulse so far
    double kick;   // of the last micro-step
} wave_contact;

// Arms (point - position) x d about both bodies.
typedef struct wave_arm {
    vec3 a, b;
} wave_arm;

// Energy ledger of a contact with e < 1, and of friction.
typedef struct wave_loss {
    double u;      // normal speed before the last kick
    double stored; // by loading in the present cycle
    double lost;   // booked so far
    double keep;   // e^2
    double own;    // W_ii
    double push;   // bound on the speed change per unit of impulse with all neighbours at once
} wave_loss;

// Friction of a contact.
typedef struct wave_rough {
    vec3 arm_a, arm_b; // point - position
    vec3 impulse;      // tangential, so far
    vec3 kick, slip;   // tangential impulse of the last micro-step, and the slip before it
    double mu;
} wave_rough;

typedef struct wave_settings {
    double steps;    // micro-steps per contact time
    double exponent; // 0: each contact's own
    double tail;     // share of contacts in play below which sweeps take over
    double cap;      // contact times, see wave.c
    double tolerance;
} wave_settings;

typedef struct wave_field {
    const carom_problem *problem;
    wave_settings set;
    wave_body *bodies;
    wave_spin *spins; // null where no contact of the problem turns a body
    wave_contact *contacts;
    wave_arm *arms;     // with spins
    wave_loss *losses;  // null where every e = 1 and nothing is rough
    wave_rough *roughs; // null without friction
    double *drift;      // speed of the gap by driven bodies; null where none moves
    sym3 *spread;       // per body: sum of d d^T over its contacts; null with spins
    int *near;          // contacts in play per body, in the slots of problem->contact_list
    unsigned char *in_play, *skip; // per contact; skip: blocks until it is looked at again
    int *play;                     // contacts in play, by pieces of the island's contacts
    int *island_body;              // movable bodies by islands, in the order of first contact
    int *first_body;               // per island into island_body
    int *share; // per body: rough contacts with a kick in this micro-step; null without friction
    int *awake; // bodies with contacts in play, by pieces of the island's bodies
    int *play_count, *awake_count; // per piece
} wave_field;

// How the march of one island went.
typedef struct wave_run {
    int island, threads;
    int first, count;                  // contacts: problem->island_contacts[first ..)
    int first_body, body_count;        // bodies: field->island_body[first_body ..)
    int first_piece, first_body_piece; // its pieces in play_count and awake_count
    bool turning, lossy, rough, hertz;
    double h;     // micro-step; 0: nothing approaches
    double clock; // impact time at the next kick
    double speed; // fastest approach
    int step;     // micro-steps done
    int64_t kicks;
    bool capped;
    double scale; // the energy scalar
} wave_run;

// Takes all arrays and fills what does not depend on the island.
carom_status carom_wave_setup_field(wave_field *field, const carom_problem *problem,
                                    carom_arena *arena, carom_error *err);
// Step size, kicks and flags of one island.
void carom_wave_setup_island(wave_field *field, wave_run *run);

// Micro-steps until nothing is compressed and nothing will be, or the tail or the cap is reached.
void carom_wave_march(wave_field *field, wave_run *run);

// The scalar that makes the energy of the island exact, into run->scale.
void carom_wave_finish_scale(wave_field *field, wave_run *run);
// Adds the scaled impulses of all islands to the motion.
void carom_wave_finish_apply(const wave_field *field, const wave_run *runs, carom_motion *motion);
// Ends what still approaches: elastic islands by QCE sweeps, others inelastically.
carom_status carom_wave_finish_settle(const wave_field *field, const wave_run *runs,
                                      carom_arena *arena, carom_motion *motion,
                                      carom_impact_report *report, carom_error *err);

#endif
