// The resting solver's own data: bodies, contacts and islands in the order it walks them.
//
// Islands of balls have records of their own (rest_round.c), half the size and a third of the work;
// all others the general ones.
#ifndef CAROM_WORLD_REST_H
#define CAROM_WORLD_REST_H

#include "world/linkage.h"
#include "world/step.h"

// A body: two cache lines. Immovable ones have zero inverse mass and inertia and are never written.
struct carom_rest_body {
    vec3 v;
    double inverse_mass;
    vec3 w, x;
    sym3 inverse_inertia;
};

typedef struct carom_rest_twist {
    vec3 v, w;
} carom_rest_twist;

// A contact. K is the response of the relative velocity to an impulse at the contact.
typedef struct carom_rest_contact {
    int a, b;
    vec3 n, point;
    vec3 impulse;        // N s, on b
    vec3 lift;           // K n: what a unit normal impulse does to the slip
    double normal_mass;  // 1 / (n . K n)
    double tangent_mass; // 1 / (largest tangential eigenvalue of K)
    double target;       // m/s, least normal speed allowed at the end
    double friction;
} carom_rest_contact;

// What a contact does against rolling, beside either kind of record: half a cache line, as every
// sweep over balls goes through them; see rest_roll.c.
typedef struct carom_rest_roll {
    vec3 moment;    // N m s, on b
    double rolling; // m, as the materials say
} carom_rest_roll;

// How a relative spin answers, for other bodies than balls.
typedef struct carom_rest_roll_answer {
    double mass;  // kg m^2, 1 / (largest response)
    double reach; // 1/m: an impulse of so much for each unit of moment changes speeds as much
} carom_rest_roll_answer;

// A ball, or an immovable body that does not turn: one cache line.
typedef struct carom_rest_ball {
    vec3 v;
    double inverse_mass;
    vec3 w;
    double inverse_inertia;
} carom_rest_ball;

// A contact whose normal goes through the centres of its movable bodies. Arms lie along the normal:
// a normal impulse turns nothing, and all tangential directions answer alike.
typedef struct carom_rest_ball_contact {
    vec3 n;
    double press;                     // N s, on b along the normal
    vec3 grip;                        // N s, on b across it
    double arm_a, arm_b;              // m, from the centre of a on, and back to that of b
    double normal_mass, tangent_mass; // kg, 1 / response
    double target, friction;          // as above
} carom_rest_ball_contact;

// What a sweep reads of every contact between balls: nothing happens to it before its two bodies
// have been changed by so much in all.
typedef struct carom_rest_watch {
    int a, b;    // in carom_rest.balls
    double wake; // m/s
} carom_rest_watch;

// Contacts that are relaxed one after the other. The ranges of one phase share no movable body: any
// number of threads may take them.
typedef struct carom_rest_range {
    int begin, end; // contacts
    double fastest; // m/s, normal speed at the start
    double change;  // m/s, largest change of velocity in the last sweep
    double size;    // J, of the change of impulses in the last sweep
} carom_rest_range;

// Phases of a sweep; contacts from which an island is cut for several threads.
enum { CAROM_REST_PHASES = 4, CAROM_REST_LARGE = 4096 };
// Most bodies of an island that gets help from a linear system.
enum { CAROM_REST_DIRECT = 256 };

typedef struct carom_rest_island {
    int first, count;             // contacts
    int first_body, body_count;   // places in carom_rest.member
    int first_joint, joint_count; // places in carom_rest.joint_order
    int first_range;              // in carom_rest.ranges
    int phase_count[CAROM_REST_PHASES];
    double scale; // m/s, speeds that count as one
    int sweeps;
    bool fresh;   // has to be solved: something of it is new in this round
    bool warm;    // there are impulses to start from
    bool helped;  // may ask for a linear system
    bool started; // the impulses it starts from act already
    bool balls;   // nothing but balls moves in it
    bool round;   // solved in the records of balls
    double residual;
} carom_rest_island;

// One sweep over an island.
typedef struct carom_rest_pass {
    int number;   // from 1; contacts of bodies unchanged since the one before are passed over
    double least; // m/s, change of a body from which it counts as changed; below 0: no passing over
    bool forward;
    int threads;
    double size; // J, of the change of impulses
} carom_rest_pass;

typedef struct carom_rest {
    carom_step *step;
    int stop;                // the caller wants to; see rest_ask.c
    double work;             // since it was asked
    bool first;              // the presses' impulses are guesses and not yet in the velocities
    carom_rest_body *bodies; // by the world's numbers; those of islands that are not round
    carom_rest_contact *contacts;
    carom_rest_ball *balls;                 // by place: as in `member`, then the immovable bodies
    int *place;                             // per body
    carom_rest_ball_contact *ball_contacts; // made when they are first needed
    carom_rest_watch *watches;
    carom_rest_roll *rolls; // per contact; null where no material resists rolling
    carom_rest_roll_answer *roll_answers;
    unsigned char *made; // per contact: its record is there
    double *travel;      // m/s, per place: sum of all changes of the body's velocity
    int *press_of;       // per contact
    int contact_count;
    carom_rest_island *islands;
    int island_count;
    int *member; // bodies, island after island; in large islands slab after slab
    int member_count, immovable_count;
    bool driven; // some immovable body moves
    carom_rest_range *ranges;
    int joint_count;  // linkages, or 0 where no contact presses on any
    int *joint_order; // those on which contacts press, island after island
    int *changed_in;  // per body: the last sweep that changed it by more than counts
    // for the acceleration: what the last sweep changed, and the direction of search
    vec3 *change, *along;                       // N s, per contact
    vec3 *roll_change, *roll_along;             // N m s, likewise
    carom_rest_twist *body_before, *body_along; // per place in `member`
} carom_rest;

// rest_choose.c: lists the touches that may press within this interval, with impulses to start
// from. `in`: per touch, whether it is one of them.
carom_status carom_rest_choose(carom_step *step, unsigned char **in, carom_error *err);
// After the solve: adds those that turn out to close as well, and says how many there are.
carom_status carom_rest_choose_more(carom_step *step, unsigned char *in, const unsigned char *moved,
                                    int *more, carom_error *err);
// Whether a touch is one that may rest, by what is known at the start of the interval.
bool carom_rest_choose_takes_part(const carom_step *step, const carom_candidate *candidate);
// The gap up to which the contact counts as closed.
double carom_rest_choose_closed(const carom_world *world, const carom_candidate *candidate);
// The least normal speed (m/s) that it may have over the interval.
double carom_rest_choose_target(const carom_step *step, const carom_candidate *candidate);
// rest_island.c: which contacts, bodies and linkages belong together, and how large islands are
// cut.
carom_status carom_rest_island_build(carom_rest *rest, carom_error *err);
// rest_sweep.c: takes the impulses of the last interval as a start.
void carom_rest_sweep_start(carom_rest *rest, carom_rest_island *island, int threads);
// rest_roll.c: room for the moments of the interval, and for what a round needs of them.
carom_status carom_rest_roll_begin(carom_step *step, carom_error *err);
carom_status carom_rest_roll_load(carom_rest *rest, carom_error *err);
// What a contact starts from; and how it answers, where not between balls.
carom_rest_roll carom_rest_roll_make(const carom_rest *rest, int contact);
carom_rest_roll_answer carom_rest_roll_of(const carom_rest *rest, int contact);
// Whether a relaxation would leave the moment of a general contact within its bound now.
bool carom_rest_roll_holds(const carom_rest *rest, int contact);
// No direction of search yet; goes on by `ratio` of the last.
void carom_rest_roll_forget(carom_rest *rest, const carom_rest_island *island);
void carom_rest_roll_accelerate(carom_rest *rest, const carom_rest_island *island, double ratio);
// Work that driven bodies do by the change of a moment since the round began, and by what was
// there before: J.
void carom_rest_roll_driven(const carom_rest *rest, const carom_rest_island *island, int contact,
                            double work[2]);
// Takes a part of what the solve changed; hands on.
void carom_rest_roll_scale(carom_rest *rest, const carom_rest_island *island, double part);
void carom_rest_roll_store(const carom_rest *rest, int contact);
// What a touch is to remember: as much of the last step's as is left, and this interval's.
vec3 carom_rest_roll_remembered(const carom_step *step, int candidate, double left);
// rest_round.c: balls and their contacts into records of their own.
carom_status carom_rest_round_load(carom_rest *rest, carom_error *err);
// Sets the watches of a range; lets the impulses that its contacts start from act.
void carom_rest_round_watch(carom_rest *rest, carom_rest_range *range, const carom_rest_pass *now);
void carom_rest_round_start(carom_rest *rest, carom_rest_range *range);
void carom_rest_round_sweep(carom_rest *rest, carom_rest_range *range, const carom_rest_pass *now);
// Impulses and velocities back to touches and world.
void carom_rest_round_store(const carom_rest *rest, const carom_rest_island *island,
                            unsigned char *moved, int threads);
// Whether two vectors are the same to the bit.
static inline bool carom_rest_same(vec3 a, vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}
// rest_ask.c: whether to end early, after so many relaxations more; and the status that says so.
bool carom_rest_ask_stopped(carom_rest *rest, double work);
carom_status carom_rest_ask_result(const carom_rest *rest, carom_error *err);
// Sweeps one island to the tolerance or the cap.
void carom_rest_sweep_island(carom_rest *rest, carom_rest_island *island, int cap, int threads);
// rest_energy.c: how much of what the solve changed may act without a gain of energy, 0 to 1.
double carom_rest_energy_share(const carom_rest *rest, const carom_rest_island *island,
                               int threads);
// Lets that part of it act.
void carom_rest_energy_scale(carom_rest *rest, const carom_rest_island *island, double part);
// Sweeps that an island of this size may have, and the relative residual that is good enough.
int carom_rest_sweep_cap(const carom_rest *rest, const carom_rest_island *island);
double carom_rest_sweep_tolerance(const carom_rest *rest, const carom_rest_island *island);
// rest_direct.c: impulses from a linear system for the contacts that press and stick now. `done` is
// false where there was no use in it and nothing changed.
carom_status carom_rest_direct_improve(carom_rest *rest, const carom_rest_island *island,
                                       bool *done, carom_error *err);
// rest_support.c: impulses for an island that starts from none, from the top down.
carom_status carom_rest_support_start(carom_rest *rest, const carom_rest_island *island,
                                      carom_error *err);
// rest_gradient.c: the same by at most `cap` iterations of conjugate gradients.
carom_status carom_rest_gradient_improve(carom_rest *rest, const carom_rest_island *island, int cap,
                                         carom_error *err);

// What a contact was made of.
static inline const carom_resting_contact *carom_rest_press(const carom_rest *rest, int contact)
{
    return &rest->step->resting_contacts[rest->press_of[contact]];
}

static inline const carom_candidate *carom_rest_candidate(const carom_rest *rest, int contact)
{
    return &rest->step->candidates[carom_rest_press(rest, contact)->candidate];
}

// Relative velocity of b against a.
static inline vec3 carom_rest_relative_velocity(const carom_rest_body *a, const carom_rest_body *b,
                                                vec3 point)
{
    return vec3_sub(vec3_add(b->v, vec3_cross(b->w, vec3_sub(point, b->x))),
                    vec3_add(a->v, vec3_cross(a->w, vec3_sub(point, a->x))));
}

// Which rows of a contact a relaxation would leave active now: it presses, and it sticks.
static inline void carom_rest_active(const carom_rest_body *bodies, const carom_rest_contact *c,
                                     bool *presses, bool *sticks)
{
    vec3 slip = carom_rest_relative_velocity(&bodies[c->a], &bodies[c->b], c->point);
    double p = vec3_dot(c->n, c->impulse) - c->normal_mass * (vec3_dot(c->n, slip) - c->target);
    vec3 q = vec3_axpy(c->impulse, -c->tangent_mass, slip);
    q = vec3_axpy(q, -vec3_dot(c->n, q), c->n);
    *presses = p > 0;
    *sticks = p > 0 && vec3_dot(q, q) < c->friction * p * c->friction * p;
}

// The moment against the relative spin of b, within what the normal impulse allows. Returns its
// change.
static inline vec3 carom_rest_roll_relax(carom_rest_roll *roll, double mass, vec3 spin,
                                         double press)
{
    vec3 moment = vec3_axpy(roll->moment, -mass, spin);
    double most = roll->rolling * press, size = vec3_dot(moment, moment);
    if (size > most * most)
        moment = vec3_scale(most / sqrt(size), moment);
    vec3 change = vec3_sub(moment, roll->moment);
    roll->moment = moment;
    return change;
}

// Applies an impulse to b and its opposite to a.
static inline void carom_rest_push(carom_rest_body *a, carom_rest_body *b, vec3 point, vec3 impulse)
{
    if (a->inverse_mass > 0) {
        vec3 turn = vec3_cross(vec3_sub(point, a->x), impulse);
        a->v = vec3_axpy(a->v, -a->inverse_mass, impulse);
        a->w = vec3_sub(a->w, sym3_mul(a->inverse_inertia, turn));
    }
    if (b->inverse_mass > 0) {
        vec3 turn = vec3_cross(vec3_sub(point, b->x), impulse);
        b->v = vec3_axpy(b->v, b->inverse_mass, impulse);
        b->w = vec3_add(b->w, sym3_mul(b->inverse_inertia, turn));
    }
}

// The same for a moment.
static inline void carom_rest_turn(carom_rest_body *a, carom_rest_body *b, vec3 moment)
{
    if (a->inverse_mass > 0)
        a->w = vec3_sub(a->w, sym3_mul(a->inverse_inertia, moment));
    if (b->inverse_mass > 0)
        b->w = vec3_add(b->w, sym3_mul(b->inverse_inertia, moment));
}

#endif
