// The law `wave`: micro-steps of contact springs, made exact by one scalar per island. Shared by
// wave.c (the law) and wave_*.c; docs/wave.md has the derivations.
//
// Symbols: h micro-step, q displacement of a body in impact time, v its velocity, g = gap + J q gap
// of a contact (negative: compressed by delta = -g), f = k delta^eta force of its spring, kick its
// impulse in one micro-step, lambda the sum of its normal kicks, e restitution. Further symbols as
// in docs/wave.md, where C, T, R are `stored`, `due`, `returned` and P_r is `release`.
#ifndef CAROM_IMPACT_WAVE_H
#define CAROM_IMPACT_WAVE_H

#include "base/team.h"
#include "impact/inelastic.h"
#include "impact/problem.h"

// Work is cut into pieces of this many bodies or contacts, whatever the number of threads: partial
// sums belong to pieces, so they do not depend on threads. Half a megabyte of bodies. Where
// contacts have more to remember, an eighth of the bodies of a problem between these two: work for
// threads, and few contacts between pieces.
enum { WAVE_PIECE = 8192, WAVE_SMALL_PIECE = 1024, WAVE_PIECES = 8 };

// Contacts of a piece from which four at a time are quicker than one by one.
enum { WAVE_MANY = 512 };

// Micro-steps in a block.
enum { WAVE_BLOCK = 6 };

// Contacts from which an island is worth all threads.
enum { WAVE_LARGE = 2 * WAVE_PIECE };

// Contacts up to which an island costs next to nothing and may as well be twice as accurate.
enum { WAVE_SMALL = 1000 };

// A body: one cache line. Displacement and velocity of the centre of mass.
typedef struct wave_body {
    vec3 q;
    double
        inverse_mass; // 0: immovable; then q stays 0 and `wave_field.driven_speed` has its motion
    vec3 v;
    double stirs; // contacts of it that the last projection changed (wave_project.c); else 0
} wave_body;

// Rotation of a body, for islands where some contact has an arm.
typedef struct wave_spin {
    vec3 q;
    double inverse; // inertia, where it is the same about all axes
    vec3 w;
    double none; // fills the line
} wave_spin;

// Impulses that a body has got and not yet answered, and angular ones; rows of four numbers.
typedef struct wave_push {
    vec3 linear;
    double stirs; // contacts that have changed by more than those around them need not know
    vec3 angular;
    double none;
} wave_push;

// A line each: what belongs to a body lies in all of these arrays at the same distance.
enum { WAVE_LINE = 64 };
_Static_assert(sizeof(wave_body) == WAVE_LINE, "one line");
_Static_assert(sizeof(wave_spin) == WAVE_LINE, "one line");
_Static_assert(sizeof(wave_push) == WAVE_LINE, "one line");

// The same of one outer contact for both bodies, until these gather it.
typedef struct wave_outer_push {
    double b[4], a[4];
    double turn_b[4], turn_a[4];
} wave_outer_push;

// How the bodies of a problem turn: not at all; as spheres, inertia alike about all axes and
// normals through the centres; or as any bodies.
typedef enum wave_shape { WAVE_STRAIGHT, WAVE_ROUND, WAVE_TURNING } wave_shape;

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
    vec3 a;
    double none_a; // rows of four numbers
    vec3 b;
    double none_b;
} wave_arm;

// A contact in a problem with e < 1 or friction, between its kicks; in a kick the compressed ones
// lie in lanes (wave_group.h). Rows of four numbers, in the order in which a kick takes them.
// Impulses are vectors: the normal part is along d.
typedef struct wave_dissipative {
    // The last two kicks, as shares of `full` = h k delta^eta, the kick of a spring without loss.
    vec3 friction;
    double normal;
    vec3 friction_before;
    double normal_before;
    double mu, e2;           // friction, and e^2
    double reach_a, reach_b; // of spheres: arm_a = reach_a d, arm_b = -reach_b d
    double wnn_a, wnn_b;     // normal response of the two ends: W_nn is their sum
    double wtt_a, wtt_b;     // largest tangential response of the two ends
    // Sums so far.
    double stored;   // work of loading in the present cycle
    double due;      // e^2 times the work of loading in the cycles before
    double returned; // work of unloading
    double pressed;  // micro-steps in a row, if `seen` is the last one
    vec3 impulse;    // all of it
    double seen;     // the micro-step in which it was last compressed
    vec3 release;    // the part while u > 0
    double none;
    vec3 arm_a; // point - position
    double none_a;
    vec3 arm_b;
    double none_b;
} wave_dissipative;

// Sums and extremes over contacts, for the micro-step.
typedef struct wave_scales {
    double fastest;        // approach
    double stiffest;       // k w
    double square, fourth; // sums of powers of approach speeds
    double stiffness;      // sum of k w u^2 over approaching contacts
    double e2;             // sum of e^2 u^2 over them
    double max_kw2_delta;  // largest (k w)^2 delta of compressed contacts, w without arms
    bool lossy, frictional, uniform;
} wave_scales;

typedef struct wave_settings {
    double steps;    // micro-steps per contact time; 0: by the size of the island
    double exponent; // 0: each contact's own
    double tail;     // share of contacts compressed at which sweeps take over
    double cap;      // contact times, see wave.c
    double tolerance;
} wave_settings;

// All bodies and contacts of the problem, at places of their own: island after island, bodies in
// the order of first touch, contacts so that those within one piece of bodies come together. Arrays
// over bodies and contacts below go by places.
typedef struct wave_field {
    const carom_problem *problem;
    wave_settings set;
    bool plain; // spheres, no loss, Hertz, equal springs: the quick loops serve
    bool lossy; // some e < 1
    int outer;  // how many contacts are
    wave_shape shape;
    int movable;     // places of bodies from here on are immovable
    int *body_of;    // the problem's body at a place; immovable ones come last
    int *place_of;   // the place of a body
    int *order;      // the problem's contact at a place
    int *rank_of;    // the place of a contact
    int *first_body; // per island: its bodies

    wave_body *bodies;
    wave_spin *spins;      // null where no contact of the problem turns a body
    sym3 *inverse_inertia; // of the bodies, where there are spins
    sym3 *spread;          // sum of d d^T over the contacts of a body; null with arms
    wave_contact *contacts;
    double *kick, *lambda;         // per contact: impulse of the last micro-step, and in all
    wave_spring *springs;          // null where all gaps are 0 and all stiffnesses equal
    wave_arm *arms;                // null where every normal passes through the centres
    wave_dissipative *dissipative; // null where every e = 1 and nothing is frictional
    double *driven_speed;          // speed of the gap by driven bodies; null where none moves

    // Pieces. Inner contacts have both bodies in one piece of bodies and are summed there; all
    // others are outer, and each body gathers their kicks, unless there is one thread (wave_alone).
    int piece;                  // bodies or outer contacts in one
    int *first_place;           // contacts of a piece: [first_place[p], first_place[p + 1])
    int *first_around, *around; // per body its outer contacts, ascending; ~place where it is body a
    // Contacts that may be compressed within the present block are active; lists of a piece have
    // the piece's places.
    unsigned char *active; // per contact
    int *active_contacts, *active_count;
    wave_contact *listed; // the same again, in the order of the list, but in problems with springs
                          // of their own and nothing lost; wave_listed
    int *active_bodies, *active_body_count;   // bodies with active contacts
    int *gathering_count;                     // how many have outer ones; they come first
    int *active_around, *active_around_count; // active ones of `around`, in the same slots
    unsigned char *inner_active;              // per body: a contact is active that pushes it
    unsigned char *disturbed[2]; // per body, now and next: kicked in a block, or about to be met
    // With loss and friction, in a micro-step:
    int *compressed, *compressed_count; // contacts of a piece that are compressed, in its places
    double *depth;                      // how deep, in the order of that list
    int *idle; // per contact: the micro-step in which it was compressed last and gave nothing
    struct wave_group *groups;         // these contacts in lanes, from wave_first_group on
    wave_push *pushes;                 // per body
    int *pushed_bodies, *pushed_count; // bodies of a piece that some of them push
    int *pushed;                       // per outer contact: the projection that did last; or -1
    wave_outer_push *outer_pushes;     // per outer contact, for several threads
    wave_scales *scales;               // per piece of contacts
    double *energy;                    // per piece of bodies
} wave_field;

// What became of an island.
typedef enum wave_state {
    WAVE_STILL,     // nothing approaches
    WAVE_SOLVED,    // one contact: closed form, or the exact path
    WAVE_RESTS,     // one body with e = 0 at all contacts: left to the inelastic solve
    WAVE_MARCHED,   // micro-steps; the finish ends what still approaches
    WAVE_TAKEN_BACK // unstable micro-steps, undone: all is left to the finish
} wave_state;

// The longest micro-step for a contact at some speed.
typedef struct wave_timed {
    double speed, step;
} wave_timed;

// How the march of one island went.
typedef struct wave_run {
    wave_state state;
    int threads;
    int first, count;                  // places of its contacts
    int first_body, body_count;        // and of its bodies
    int first_piece, inner, pieces;    // pieces of contacts: `inner` ones first, one per body piece
    int first_outer, first_push;       // place of the first outer contact, and where its push lies
    int first_body_piece, body_pieces; // pieces of bodies
    bool lossy, frictional, hertz;
    double steps;              // micro-steps per contact time
    bool fine;                 // small, and not asked for coarsely
    int projections;           // in a micro-step with loss or friction, at most
    double slack;              // that they may leave, in what is usual
    bool last;                 // the present projection is the last of its micro-step
    int present;               // which of field->disturbed is the present one
    double h;                  // micro-step
    double clock;              // impact time at the next kick
    double first_speed, speed; // fastest approach: at first, and following the march
    double characteristic;     // approach speed of the characteristic contact; follows the march
    double first_approach, approach; // sum of the squares of approach speeds: at first, and now
    int quiet_blocks;                // in a row with next to none of it
    double max_kw2_delta;            // as in wave_scales; follows the march
    double mass_ratio;               // of its heaviest and its lightest body
    double stiffness, stiffest;      // k w: mean and largest
    double exponent;                 // common to all contacts; 0: they differ
    wave_timed timed[2];             // of the characteristic and the stiffest contact, when last
                                     // computed; not where exponents differ
    int step;                        // micro-steps done
    int64_t kicks;
    bool capped;
    double energy; // kinetic, the most that its bodies can have
    double scale;  // of the impulses of an island without dissipative contacts; 1 with them
} wave_run;

// Places everything, takes all arrays, fills the records and one run per island.
carom_status carom_wave_setup_field(wave_field *field, const carom_problem *problem,
                                    carom_arena *arena, wave_run **runs, carom_error *err);
// Places of bodies and contacts, pieces and runs (wave_place.c).
carom_status carom_wave_place(wave_field *field, carom_arena *arena, wave_run **runs,
                              carom_error *err);
// Flags and first step size of one island.
void carom_wave_setup_island(wave_field *field, wave_run *run);
// Micro-step for the speeds of the characteristic and the fastest contact.
double carom_wave_setup_step(const wave_field *field, wave_run *run);
// Bounds of it that cost next to nothing.
void carom_wave_setup_step_bounds(const wave_run *run, double *min, double *max);

static inline int wave_pieces(const wave_field *field, int count)
{
    return (count + field->piece - 1) / field->piece;
}

// Number of items in a piece of `count`.
static inline int wave_piece_size(const wave_field *field, int count, int piece)
{
    int rest = count - piece * field->piece;
    return rest < field->piece ? rest : field->piece;
}

// Where the active contacts of a piece are listed: rooms begin at fours, each with a rest of four.
static inline wave_contact *wave_listed(const wave_field *field, int piece)
{
    return field->listed + (field->first_place[piece] & ~3) + 4 * piece;
}

// One thread pushes the bodies of outer contacts as it does those of inner ones, but after these
// and in the order in which bodies would gather: the same sums.
static inline bool wave_alone(const wave_field *field, const wave_run *run)
{
    return (field->plain || field->dissipative) && run->threads == 1;
}

// Ratios of masses between which a small island counts more and more as one of unlike masses.
#define MASS_RATIO_ALIKE 10
#define MASS_RATIO_UNLIKE 50
// 0 where the masses of the island are alike, or it is large; 1 from a ratio of 50 on.
static inline double wave_disparity(const wave_run *run)
{
    const double range = MASS_RATIO_UNLIKE - MASS_RATIO_ALIKE;
    double unlike = (run->mass_ratio - MASS_RATIO_ALIKE) / range;
    return run->count <= WAVE_SMALL ? fmin(fmax(unlike, 0), 1) : 0;
}

// Whether something of the island is left to the finish.
static inline bool wave_needs_finish(const wave_run *run)
{
    return run->state == WAVE_MARCHED || run->state == WAVE_TAKEN_BACK;
}

// Normal speed at contact i.
static inline double wave_speed(const wave_field *field, const wave_contact *c, int i)
{
    double u = vec3_dot(c->d, vec3_sub(field->bodies[c->b].v, field->bodies[c->a].v));
    if (field->arms)
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
    if (field->arms)
        g += vec3_dot(field->arms[i].b, field->spins[c->b].q) -
             vec3_dot(field->arms[i].a, field->spins[c->a].q);
    if (field->driven_speed)
        g += run->clock * field->driven_speed[i];
    return g;
}

// Compression that counts, in h times the first speed: less is round-off between bodies that move
// together.
#define WAVE_LEAST_DEPTH 1e-4
static inline double wave_least_depth(const wave_run *run)
{
    return WAVE_LEAST_DEPTH * run->h * run->first_speed;
}

// Moves body i evenly.
static inline void wave_drift(wave_field *field, int i, double time)
{
    wave_body *body = &field->bodies[i];
    body->q = vec3_axpy(body->q, time, body->v);
    if (field->spins)
        field->spins[i].q = vec3_axpy(field->spins[i].q, time, field->spins[i].w);
}

// Lists what is active in the next block: contacts of a piece, then bodies of a piece; the others
// drift through the block (wave_active.c).
void carom_wave_active_contacts(wave_field *field, const wave_run *run, int piece);
void carom_wave_active_bodies(wave_field *field, const wave_run *run, int piece);

// One piece of each pass of a micro-step without loss and friction (wave_kick.c): kicks from gaps,
// returning how many contacts are compressed; then velocities from kicks, and the drift.
int carom_wave_kick_contacts(wave_field *field, const wave_run *run, int piece);
void carom_wave_kick_bodies(wave_field *field, const wave_run *run, int piece);
// The same for plain problems (wave_plain.c).
int carom_wave_plain_contacts(wave_field *field, const wave_run *run, int piece);
void carom_wave_plain_bodies(wave_field *field, const wave_run *run, int piece);

// The same with loss and friction: first guesses (projection 0; wave_dissipative.c), projections
// from 1 on (wave_project.c), and after each of them the bodies' answer, which ends with the drift
// (wave_answer.c); at last the kicks are accounted for. A projection returns whether another one
// is needed.
int carom_wave_dissipative_begin(wave_field *field, const wave_run *run, int piece);
bool carom_wave_project(wave_field *field, const wave_run *run, int piece, int projection);
void carom_wave_answer(wave_field *field, const wave_run *run, int piece, int projection);
void carom_wave_dissipative_end(wave_field *field, const wave_run *run, int piece);

// Micro-steps until nothing is compressed and nothing will be, or the tail or the cap is reached.
void carom_wave_march(wave_field *field, wave_run *run);

// The scalar that makes the energy of the island exact: into run->scale, with dissipative contacts
// into their impulses and lambda (wave_scale.c).
void carom_wave_scale(wave_field *field, wave_run *run);
// Adds the scaled impulses of all islands to the motion.
void carom_wave_finish_apply(const wave_field *field, const wave_run *runs, carom_motion *motion);
// Ends what still approaches: elastic islands by QCE sweeps, others inelastically.
carom_status carom_wave_finish_settle(const wave_field *field, const wave_run *runs,
                                      carom_arena *arena, carom_motion *motion,
                                      carom_impact_report *report, carom_error *err);

// One moving body, at least two contacts, all with e = 0 (wave_rest.c).
bool carom_wave_rest_applies(const wave_field *field, const wave_run *run);
carom_status carom_wave_rest(const wave_field *field, carom_contact_set island, carom_arena *arena,
                             carom_motion *motion, carom_impact_report *report, carom_error *err);

#endif
