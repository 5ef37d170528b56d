// The law `wave`: micro-steps of contact springs, made exact by one scalar per island. Shared by
// wave.c (the law), wave_setup.c, wave_march.c and wave_finish.c; docs/wave.md has the derivations.
//
// Symbols: h micro-step, q displacement of a body in impact time, v its velocity, g = gap + J q gap
// of a contact (negative: compressed), kick = h f impulse of one micro-step, e restitution.
#ifndef CAROM_IMPACT_WAVE_H
#define CAROM_IMPACT_WAVE_H

#define CAROM_TEAM_OPENMP 1
#include "base/team.h"
#include "impact/problem.h"

// Work is cut into pieces of this many bodies or contacts, whatever the number of threads: partial
// sums belong to pieces, so they do not depend on threads. Half a megabyte of bodies.
enum { WAVE_PIECE = 8192 };

// Contacts from which an island is worth all threads.
enum { WAVE_LARGE = 2 * WAVE_PIECE };

// A body: one cache line. Displacement and velocity of the centre of mass.
typedef struct wave_body {
    vec3 q;
    double inverse_mass; // 0: immovable; then q stays 0 and `wave_field.drift` has its motion
    vec3 v;
    double none; // fills the line
} wave_body;

// Rotation of a body, for islands where some contact has an arm.
typedef struct wave_spin {
    vec3 q, w;
    sym3 inverse_inertia;
} wave_spin;

// A contact: half a cache line, all that looking at it takes. Normal d from a to b.
typedef struct wave_contact {
    vec3 d;
    int a, b;
} wave_contact;

// What differs between contacts in few problems: kick = h k delta^eta, delta = -(gap + J q).
typedef struct wave_spring {
    double gap, k;
} wave_spring;

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
    double part;   // of the full kick, that the last one was
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

// Sums and extremes over contacts, for the micro-step.
typedef struct wave_scales {
    double fastest;        // approach
    double stiffest;       // k w
    double square, fourth; // sums of powers of approach speeds
    double stiffness;      // sum of k w u^2 over approaching contacts
    bool lossy, rough, uniform;
} wave_scales;

typedef struct wave_settings {
    double steps;    // micro-steps per contact time; 0: by the size of the island
    double exponent; // 0: each contact's own
    double tail;     // share of contacts in play below which sweeps take over
    double cap;      // contact times, see wave.c
    double tolerance;
} wave_settings;

// All bodies and contacts of the problem, at places of their own: island after island, bodies in
// the order of first touch, contacts so that those within one piece of bodies come together. Arrays
// over bodies and contacts below go by places.
typedef struct wave_field {
    const carom_problem *problem;
    wave_settings set;
    bool plain;      // spheres, no loss, Hertz, equal springs: the quick loops serve
    int *body_of;    // the problem's body at a place; immovable ones come last
    int *place_of;   // the place of a body
    int *order;      // the problem's contact at a place
    int *rank_of;    // the place of a contact
    int *first_body; // per island: its bodies

    wave_body *bodies;
    wave_spin *spins; // null where no contact of the problem turns a body
    sym3 *spread;     // sum of d d^T over the contacts of a body; null with spins
    wave_contact *contacts;
    double *kick, *lambda; // per contact: impulse of the last micro-step, and in all
    wave_spring *springs;  // null where all gaps are 0 and all stiffnesses equal
    wave_arm *arms;        // with spins
    wave_loss *losses;     // null where every e = 1 and nothing is rough
    wave_rough *roughs;    // null without friction
    double *drift;         // speed of the gap by driven bodies; null where none moves

    // Pieces. Inner contacts have both bodies in one piece of bodies and are summed there at once,
    // in plain problems; all others are outer, and each body gathers their kicks afterwards.
    int *first_place;           // contacts of a piece: [first_place[p], first_place[p + 1])
    int *first_around, *around; // per body its outer contacts, ascending; ~place where it is body a
    int *near, *near_count;     // those in play, in the same slots
    int *play, *play_count;     // contacts in play, in the places of their piece
    int *awake, *awake_count;   // bodies with contacts in play, in the places of their piece
    unsigned char *in_play;     // per contact
    unsigned char *stirred;     // per body: an inner contact is in play
    unsigned char *hot[2]; // per body, now and next: kicked in a block, or about to be closed on
    int *share;            // per body: rough contacts with a kick in this micro-step
    wave_scales *scales;   // per piece of contacts
    double *energy;        // per piece of bodies
} wave_field;

// How the march of one island went.
typedef struct wave_run {
    int threads;
    int first, count;                  // places of its contacts
    int first_body, body_count;        // and of its bodies
    int first_piece, inner, pieces;    // pieces of contacts: `inner` ones first, one per body piece
    int first_body_piece, body_pieces; // pieces of bodies
    bool lossy, rough, hertz;
    double steps;               // micro-steps per contact time
    int turn;                   // which of field->hot is the present one
    double h;                   // micro-step; 0: nothing approaches
    double clock;               // impact time at the next kick
    double first_speed, speed;  // fastest approach: at first, and following the march
    double usual;               // approach speed of the usual contact; follows the march
    double stiffness, stiffest; // k w: mean and largest
    double exponent;            // common to all contacts; 0: they differ
    int step;                   // micro-steps done
    int64_t kicks;
    bool capped;
    double energy; // kinetic, the most that its bodies can have
    double scale;  // the energy scalar
} wave_run;

// Places everything, takes all arrays, fills the records and one run per island.
carom_status carom_wave_setup_field(wave_field *field, const carom_problem *problem,
                                    carom_arena *arena, wave_run **runs, carom_error *err);
// Places of bodies and contacts, pieces and runs (wave_place.c).
carom_status carom_wave_place(wave_field *field, carom_arena *arena, wave_run **runs,
                              carom_error *err);
// Flags and first step size of one island.
void carom_wave_setup_island(wave_field *field, wave_run *run);
// Micro-step for approach speeds `usual` and `fastest`.
double carom_wave_setup_step(const wave_field *field, const wave_run *run, double usual,
                             double fastest);

static inline int wave_pieces(int count)
{
    return (count + WAVE_PIECE - 1) / WAVE_PIECE;
}

// Number of items in a piece of `count`.
static inline int wave_piece_size(int count, int piece)
{
    int rest = count - piece * WAVE_PIECE;
    return rest < WAVE_PIECE ? rest : WAVE_PIECE;
}

// Normal speed at contact i.
static inline double wave_speed(const wave_field *field, const wave_contact *c, int i)
{
    double u = vec3_dot(c->d, vec3_sub(field->bodies[c->b].v, field->bodies[c->a].v));
    if (field->spins)
        u += vec3_dot(field->arms[i].b, field->spins[c->b].w) -
             vec3_dot(field->arms[i].a, field->spins[c->a].w);
    return u;
}

// Gap at contact i.
static inline double wave_gap(const wave_field *field, const wave_run *run, const wave_contact *c,
                              int i)
{
    double g = vec3_dot(c->d, vec3_sub(field->bodies[c->b].q, field->bodies[c->a].q));
    if (field->springs)
        g += field->springs[i].gap;
    if (field->spins)
        g += vec3_dot(field->arms[i].b, field->spins[c->b].q) -
             vec3_dot(field->arms[i].a, field->spins[c->a].q);
    if (field->drift)
        g += run->clock * field->drift[i];
    return g;
}

// One piece of each pass of a micro-step (wave_kick.c): kicks from gaps, returning how many
// contacts are compressed; velocities from kicks, with the drift unless friction follows; then
// friction.
int carom_wave_kick_contacts(wave_field *field, const wave_run *run, int piece);
void carom_wave_kick_bodies(wave_field *field, const wave_run *run, int piece);
void carom_wave_kick_rub(wave_field *field, const wave_run *run, int piece);
void carom_wave_kick_rubbed(wave_field *field, const wave_run *run, int piece);
// Books the last kicks, and counts what is still stored as if it were released now.
void carom_wave_kick_close(wave_field *field, const wave_run *run);

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
