// The resting solver's own data: contacts and islands in the order it walks them. The contact
// solver itself is a room of its own (contact/contact.h); this is its client, with gaps over the
// interval as targets, rolling resistance, joints between sweeps and a warm start.
//
// Sweeps settle neighbours quickly and what is spread over many bodies slowly, so islands at rest
// get help from linear systems for the contacts that press and stick:
//
//     rest_direct.c    up to CAROM_REST_DIRECT bodies, factorised: the bending of a stack costs
//                      sweeps like the fourth power of its height
//     rest_gradient.c  beyond, from a cold start: the same by conjugate gradients, without fill
//     rest_support.c   the impulses that a cold start begins with: loads from the top down
//     rest_sway.c      what sweeps do not see because all bodies share it
//     rest_linkage.c   islands with joints and few contacts: the joints are eliminated first
#ifndef CAROM_WORLD_REST_H
#define CAROM_WORLD_REST_H

#include "contact/contact.h"
#include "world/linkage.h"
#include "world/step.h"

// Contacts from which an island is cut for several threads.
enum { CAROM_REST_LARGE = 4096 };
// Most bodies of an island that gets help from a linear system.
enum { CAROM_REST_DIRECT = 256 };
// Most of one of spheres that starts from nothing. Beyond, the time of its first step and the
// memory of general records are not worth what systems leave less of: of 100,000 grains 12.6 s
// against 1.4 by sweeps, and 1.4e-5 J against 2.7e-5, but 2.8e-5 against 3.6e-5 after the fourth
// step.
enum { CAROM_REST_GRADIENT = 16384 };

// Gaps that contacts which pressed keep, in what counts as closed, and as a share of the smaller
// body's radius: twice as much in any case, else as far as nobody sees.
enum { CAROM_REST_HELD_LEAST = 2, CAROM_REST_HELD_MOST = 20 };
#define CAROM_REST_UNSEEN 1e-3

// How an island is solved.
typedef enum carom_rest_method {
    CAROM_REST_KEPT,     // nothing of it is new in this round: it stays as it is
    CAROM_REST_SWEPT,    // by sweeps
    CAROM_REST_ASSISTED, // by sweeps, and linear systems where they are slow
} carom_rest_method;

// The impulses that it starts from.
typedef enum carom_rest_start {
    CAROM_REST_COLD,      // none
    CAROM_REST_WARM,      // those of the last interval
    CAROM_REST_SUPPORTED, // those of rest_support.c, which act already
} carom_rest_start;

typedef struct carom_rest_island {
    carom_contact_island set;
    int first_joint, joint_count; // places in carom_rest.joint_order
    carom_rest_method method;
    carom_rest_start start;
    double scale; // m/s, speeds that count as one
    int sweeps;
    double residual;
    int first_noted;  // place in carom_rest.noted
    double *delassus; // of its contacts and joints (rest_linkage.c); null: not made for it
    bool eliminated;  // the joints are: it is there
} carom_rest_island;

// It has to be solved in this round.
static inline bool carom_rest_open(const carom_rest_island *island)
{
    return island->method != CAROM_REST_KEPT;
}

// Relaxations that a thread has not yet added to the work of the step; in a cache line of its own.
typedef struct carom_rest_work {
    _Alignas(64) double left;
} carom_rest_work;

typedef struct carom_rest {
    carom_step *step;
    carom_contact_system system; // bodies by the world's numbers; spheres by place: as in `member`,
                                 // then the immovable bodies; their contacts made when needed
    carom_rest_work *work;       // per thread
    vec3 *shift;                 // of `system`; null but in a periodic box
    bool first;                  // the impulses are guesses and not yet in the velocities
    int *place;                  // per body, where there are islands of spheres
    int *source;                 // per contact: its place in step->resting_contacts
    int contact_count;
    carom_rest_island *islands;
    int island_count;
    int *member; // bodies, island after island; in large islands slab after slab
    int member_count, immovable_count;
    carom_contact_twist *noted[2]; // of islands that note them: velocities at earlier sweeps
    bool driven;                   // some immovable body moves
    int joint_count;               // linkages, or 0 where no contact presses on any
    int *joint_order;              // those on which contacts press, island after island
} carom_rest;

// rest_choose.c: lists the candidates that may press within this interval, with impulses to start
// from. `in`: per candidate, whether it is one of them.
carom_status carom_rest_choose(carom_step *step, unsigned char **in, carom_error *err);
// After the solve: adds those that turn out to close as well, and says how many there are.
carom_status carom_rest_choose_more(carom_step *step, unsigned char *in, const unsigned char *moved,
                                    int *more, carom_error *err);
// Whether a candidate is one that may rest, by what is known at the start of the interval.
bool carom_rest_choose_takes_part(const carom_step *step, const carom_candidate *candidate);
// rest_island.c: which contacts, bodies and linkages belong together, and how large islands are
// cut.
carom_status carom_rest_island_build(carom_rest *rest, carom_error *err);
// rest_sweep.c: takes the impulses of the last interval as a start.
void carom_rest_sweep_start(carom_rest *rest, carom_rest_island *island, int threads);
// rest_roll.c: room for the rolling resistance of the interval, and for what a round needs of it.
carom_status carom_rest_roll_begin(carom_step *step, carom_error *err);
carom_status carom_rest_roll_load(carom_rest *rest, carom_error *err);
// What a contact starts from; and how it answers, where not between spheres.
carom_contact_rolling carom_rest_roll_make(const carom_rest *rest, int contact);
carom_contact_rolling_response carom_rest_roll_of(const carom_rest *rest, int contact);
// Whether a relaxation would leave the angular impulse of a general contact within its bound now.
bool carom_rest_roll_holds(const carom_rest *rest, int contact);
// Work that driven bodies do by the change of an angular impulse since the round began, and by what
// was there before: J.
void carom_rest_roll_driven(const carom_rest *rest, int contact, double work[2]);
// Takes a part of what the solve changed; hands on.
void carom_rest_roll_scale(carom_rest *rest, const carom_rest_island *island, double part);
void carom_rest_roll_store(const carom_rest *rest, int contact);
// What a candidate is to start from in the next step: as much of the last step's as is left, and
// this interval's.
vec3 carom_rest_roll_remembered(const carom_step *step, int candidate, double left);
// rest_sphere.c: spheres and their contacts into records of their own.
carom_status carom_rest_sphere_load(carom_rest *rest, carom_error *err);
// Lets the impulses act that the contacts of a range start from, and says of the others from when
// on they count. The client is the solve.
carom_contact_visit carom_rest_sphere_start;
// Impulses and velocities back to resting contacts and world.
void carom_rest_sphere_store(const carom_rest *rest, const carom_rest_island *island,
                             unsigned char *moved, int threads);
// Whether two vectors are the same to the bit.
static inline bool carom_rest_same(vec3 a, vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}
// rest_ask.c: room for the counts; whether to end early, after so many relaxations more; adds what
// is left of them, and says whether the solve was ended.
carom_status carom_rest_ask_begin(carom_rest *rest, carom_error *err);
bool carom_rest_ask_stopped(carom_rest *rest, double work);
carom_status carom_rest_ask_result(carom_rest *rest, carom_error *err);
// Whether the sweeps of an island may note its velocities, as far as is known before its method.
bool carom_rest_sweep_notes(const carom_rest_island *island);
// Sweeps one island to the tolerance or the cap.
void carom_rest_sweep_island(carom_rest *rest, carom_rest_island *island, int cap, int threads);
// Goes on with sweeps that were too few, to a tolerance (relative), as long as each turn of them
// gets somewhere.
void carom_rest_sweep_settle(carom_rest *rest, carom_rest_island *island, int cap, int turn,
                             double tolerance, int threads);
// rest_linkage.c: room for what an island with joints needs, if it is one for it; and its sweeps.
// Returns the change of the last one (m/s).
enum { CAROM_REST_LINKAGE_MAX = 96 }; // contacts
carom_status carom_rest_linkage_begin(carom_rest *rest, carom_rest_island *island,
                                      carom_error *err);
double carom_rest_linkage_sweep(carom_rest *rest, carom_rest_island *island, int cap,
                                double tolerance);
// rest_energy.c: how much of what the solve changed may act without a gain of energy, 0 to 1.
double carom_rest_energy_share(const carom_rest *rest, const carom_rest_island *island,
                               int threads);
// Lets that part of it act.
void carom_rest_energy_scale(carom_rest *rest, const carom_rest_island *island, double part);
// Sweeps that an island of this size may have, and the relative residual that is good enough.
int carom_rest_sweep_cap(const carom_rest *rest, const carom_rest_island *island);
double carom_rest_sweep_tolerance(const carom_rest *rest, const carom_rest_island *island);
// rest_part.c: contacts of an island, by their places in the system, and all movable bodies that
// they touch, by the world's numbers.
typedef struct carom_rest_part {
    int *contact, count;
    int *body, body_count;
    double most_work; // per body, that elimination may take (sparse_block.h); 0: no bound
    bool ordered;     // the last system was of the same part: its order of elimination is there
} carom_rest_part;
// All of it; and where it is worst: no contacts where that is everywhere.
carom_status carom_rest_part_whole(const carom_rest *rest, const carom_rest_island *island,
                                   carom_rest_part *part, carom_error *err);
carom_status carom_rest_part_worst(const carom_rest *rest, const carom_rest_island *island,
                                   carom_rest_part *part, carom_error *err);
// rest_direct.c: impulses from a linear system for the contacts that press and stick now. `done` is
// false where there was no use in it and nothing changed.
carom_status carom_rest_direct_improve(carom_rest *rest, const carom_rest_part *part, bool *done,
                                       carom_error *err);
// rest_kept.c: the state of an island to go back to: room for it, with what there is now; takes
// what there is now instead; goes back.
typedef struct carom_rest_kept {
    vec3 *impulse, *rolling; // rolling: null where nothing resists it
    carom_contact_twist *twist;
    double residual;
} carom_rest_kept;
carom_status carom_rest_kept_take(const carom_rest *rest, const carom_rest_island *island,
                                  carom_rest_kept *kept, carom_error *err);
void carom_rest_kept_note(const carom_rest *rest, const carom_rest_island *island,
                          carom_rest_kept *kept);
void carom_rest_kept_give_back(carom_rest *rest, carom_rest_island *island,
                               const carom_rest_kept *kept);
// rest_sway.c: takes out a sway that sweeps do not see; and the speed of an island's fastest body.
carom_status carom_rest_sway_stop(carom_rest *rest, carom_rest_island *island, int threads,
                                  carom_error *err);
double carom_rest_sway_fastest(const carom_rest *rest, const carom_rest_island *island);
// rest_support.c: impulses for an island that starts from none, from the top down.
carom_status carom_rest_support_start(carom_rest *rest, const carom_rest_island *island,
                                      carom_error *err);
// rest_gradient.c: the same by at most `cap` iterations of conjugate gradients.
carom_status carom_rest_gradient_improve(carom_rest *rest, const carom_rest_island *island, int cap,
                                         carom_error *err);

// The gap up to which the contact counts as closed. Spheres on strings may close up again: a row of
// them would open a little with every blow.
static inline double carom_rest_choose_closed(const carom_world *world,
                                              const carom_candidate *candidate)
{
    return world->tethered[candidate->a] || world->tethered[candidate->b] ? 0 : world->options.slop;
}

// Whether it had an impulse in the last interval.
static inline bool carom_rest_choose_pressed(const carom_step *step,
                                             const carom_candidate *candidate)
{
    int warm = step->warm_index[candidate - step->candidates];
    return step->world->options.stepping != CAROM_STEPPING_ELASTIC && warm > 0 &&
           vec3_dot(candidate->normal, step->warm_impulse[warm - 1]) > 0;
}

// The gap up to which a contact that pressed stays as wide as it is. Position correction opens
// contacts beside those that it closes, by as little as nobody sees.
static inline double carom_rest_choose_held(const carom_step *step,
                                            const carom_candidate *candidate, double closed)
{
    const carom_world *world = step->world;
    if (candidate->gap <= CAROM_REST_HELD_LEAST * closed)
        return CAROM_REST_HELD_LEAST * closed;
    double size = fmin(carom_shape_radius(world->shape[candidate->a]),
                       carom_shape_radius(world->shape[candidate->b]));
    double unseen = fmin(CAROM_REST_HELD_MOST * closed, CAROM_REST_UNSEEN * size);
    return fmax(CAROM_REST_HELD_LEAST * closed, unseen);
}

// Whether it pressed, and is not wider than that.
static inline bool carom_rest_choose_holds(const carom_step *step, const carom_candidate *candidate)
{
    double closed = carom_rest_choose_closed(step->world, candidate);
    return carom_rest_choose_pressed(step, candidate) &&
           candidate->gap <= carom_rest_choose_held(step, candidate, closed);
}

// The least normal speed (m/s) that a contact may have over the interval. One whose gap is within
// the upper half of what counts as closed may close to the lower half of it, the more the wider it
// is: with a jump at the limit, bodies that position correction or the last digits take across it
// would fall by the whole of it within one interval, and a pile would never come to rest.
//
// A contact that pressed in the last interval stays as wide as it is, up to the width that is held:
// a face that stands on four corners presses more often than it can move, and where each corner
// closes by its own share of a few micrometres no rigid motion agrees with all of them. Sweeps then
// shift load from corner to corner by a constant amount, hundreds of thousands of them until one is
// free, and the residual says nothing of the pile. Not in the elastic scheme, whose contacts close
// where the scheme says.
static inline double carom_rest_choose_target(const carom_step *step,
                                              const carom_candidate *candidate)
{
    double closed = carom_rest_choose_closed(step->world, candidate), gap = candidate->gap;
    if (!(gap > 0.5 * closed))
        return 0;
    if (carom_rest_choose_pressed(step, candidate))
        return fmin(carom_rest_choose_held(step, candidate, closed) - gap, 0) / step->h;
    return (gap > closed ? -gap : closed - 2 * gap) / step->h;
}

// What a contact was made of.
static inline const carom_resting_contact *carom_rest_source(const carom_rest *rest, int contact)
{
    return &rest->step->resting_contacts[rest->source[contact]];
}

// Of the two bodies of a resting contact (by its place in step->resting_contacts) the one that
// sleeps, which is an immovable body of its own to each of them; -1: none.
static inline int carom_rest_sleeper(const carom_rest *rest, int place)
{
    const carom_world *world = rest->step->world;
    const carom_resting_contact *resting = &rest->step->resting_contacts[place];
    return world->asleep[resting->a] ? resting->a : world->asleep[resting->b] ? resting->b : -1;
}

static inline const carom_candidate *carom_rest_candidate(const carom_rest *rest, int contact)
{
    return &rest->step->candidates[carom_rest_source(rest, contact)->candidate];
}

// What an impulse of the solve does to bodies: that without what cohesion takes off (cohesion.c).
static inline vec3 carom_rest_acting(const carom_rest *rest, int contact, vec3 impulse)
{
    double cohesion = carom_rest_source(rest, contact)->cohesion;
    return cohesion > 0 ? vec3_axpy(impulse, -cohesion, carom_rest_candidate(rest, contact)->normal)
                        : impulse;
}

// Which rows of a contact a relaxation would leave active now: it presses, and it sticks.
static inline void carom_rest_active(const carom_rest *rest, int contact, bool *presses,
                                     bool *sticks)
{
    const carom_contact_record *c = &rest->system.contacts[contact];
    vec3 u = carom_contact_velocity_at(&rest->system, contact);
    double p = vec3_dot(c->n, c->impulse) - c->normal_mass * (vec3_dot(c->n, u) - c->target);
    vec3 q = vec3_axpy(c->impulse, -c->tangent_mass, u);
    q = vec3_axpy(q, -vec3_dot(c->n, q), c->n);
    *presses = p > 0;
    *sticks = p > 0 && vec3_dot(q, q) < c->friction * p * c->friction * p;
}

#endif
