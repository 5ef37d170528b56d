// The inside of a world: structure of arrays, one entry per body.
#ifndef CAROM_WORLD_WORLD_H
#define CAROM_WORLD_WORLD_H

#include "base/arena.h"
#include "base/progress.h"
#include "base/shared.h"
#include "base/team.h"
#include "carom/impact.h"
#include "carom/world_change.h"
#include "collide/collide.h"
#include "math/vec.h"
#include "solve/sparse_block.h"
#include "world/joint.h"
#include "world/journal.h"
#include "world/world_event.h"
#include "world/world_query.h"

// The arrays with one entry per body. Fields, growing, freeing, saving and snapshots come from
// these two lists: X(type, name).
//
// What a step changes, and what a failed step must give back.
#define CAROM_WORLD_STATE_ARRAYS(X)                                                                \
    X(vec3, position) /* m, centre of mass */                                                      \
    X(quat, rotation) /* shape to world */                                                         \
    X(vec3, velocity) /* m/s */                                                                    \
    X(vec3, spin)     /* rad/s, world frame */
// All others: fixed once a body is added, down to drive_steady; renewed by every interval, below.
#define CAROM_WORLD_BODY_ARRAYS(X)                                                                 \
    X(const carom_shape *, shape)                                                                  \
    X(unsigned, generation) /* how many bodies have had this slot */                               \
    X(char *, name)         /* null: none */                                                       \
    X(void *, user)                                                                                \
    X(double, own_mass)  /* kg, when it moves; 0: it cannot */                                     \
    X(sym3, own_inertia) /* shape frame, likewise */                                               \
    X(double, gravity_scale)                                                                       \
    X(double, damping)         /* 1/s */                                                           \
    X(double, angular_damping) /* 1/s */                                                           \
    X(vec3, force)             /* N, from outside, until it is set again */                        \
    X(vec3, torque)            /* N m */                                                           \
    X(vec3, push)              /* N, from outside, in the next step */                             \
    X(vec3, push_turn)         /* N m */                                                           \
    X(double, mass)                                                                                \
    X(double, inverse_mass)                                                                        \
    X(double, thickness)    /* m, of a moving body where it is thinnest, about; else infinite */   \
    X(sym3, inertia)        /* shape frame */                                                      \
    X(unsigned char, fixed) /* not moving by itself: fixed or driven */                            \
    X(unsigned char, kind)                                                                         \
    X(unsigned char, tethered) /* hangs on a string */                                             \
    X(unsigned char, sphere)   /* moves, a sphere with the same inertia about every axis */        \
    X(int, material)                                                                               \
    X(int, group)                                                                                  \
    X(uint32_t, layers)      /* bits: what it is ... */                                            \
    X(uint32_t, mask)        /* ... and whom it touches */                                         \
    X(unsigned char, sensor) /* is touched without an answer */                                    \
    X(carom_restitution_source, bounce)                                                            \
    X(carom_drive, drive)                                                                          \
    X(vec3, drive_origin)       /* position of a driven body at time 0 */                          \
    X(vec3, drive_steady)       /* m/s, its constant part */                                       \
    X(sym3, inverse_inertia)    /* world frame, as of the current rotations */                     \
    X(unsigned char, asleep)    /* see world_sleep.c: then it is fixed, too */                     \
    X(unsigned char, disturbed) /* is to wake */                                                   \
    X(int, bed)                 /* of a sleeper: the first body of its island */                   \
    X(double, quiet)            /* s, how long it has been slow */                                 \
    X(vec3, kept_velocity)      /* m/s, of a sleeper */                                            \
    X(vec3, kept_spin)          /* rad/s */                                                        \
    X(vec3, pull)               /* m/s^2, of a moving body by gravity and forces from outside */   \
    X(double, pull_size)        /* its length; of others that of gravity */                        \
    X(vec3, spin_pull)          /* rad/s^2, by torques from outside */                             \
    X(vec3, before)             /* m/s, velocities before the kick of the interval */              \
    X(double, reach)            /* m, how far a body may move in the coming interval ... */        \
    X(double, turn_reach)       /* ... and by turning alone */
#define CAROM_WORLD_ARRAY(type, name) type *name;

typedef struct carom_world_state {
    CAROM_WORLD_STATE_ARRAYS(CAROM_WORLD_ARRAY)
    carom_ledger ledger;
} carom_world_state;

typedef struct carom_world_pair_entry {
    int a, b; // materials, a <= b
    double restitution, friction;
    double rolling;            // m; below 0: by the materials
    double cohesion, adhesion; // N, J; likewise
} carom_world_pair_entry;

// The impulse a resting contact carried in a step, to start the next from.
typedef struct carom_warm_contact {
    int a, b;
    uint64_t feature;
    vec3 point;   // m, world
    vec3 impulse; // N s, on b
} carom_warm_contact;

// All of them, in the order of the step's contacts.
typedef struct carom_warm_start {
    carom_warm_contact *contacts;
    vec3 *rolling; // N m s, on b, beside it: against rolling; null unless the world resists it
    int count, capacity;
    double interval; // s, the step those impulses acted over
} carom_warm_start;

// What was done from outside.
typedef struct carom_world_changes_list {
    carom_change *list;
    int count, capacity;
    bool on;
} carom_world_changes_list;

// What a block of bodies has in all.
typedef struct carom_world_sums {
    double kinetic, potential, mass;
    vec3 momentum, angular;
} carom_world_sums;

struct carom_world {
    carom_world_options options;
    bool options_altered;  // since the world was made
    bool altered;          // something of a body that is fixed as a rule
    bool special;          // some body was made with damping or a gravity of its own
    bool pushed;           // forces wait for the next step
    bool forced;           // more than gravity acts in this step
    carom_team_hook tasks; // who runs the pieces of a step; null: teams
    carom_force_function force_function;
    void *force_context;
    carom_world_changes_list changes;
    bool periodic;       // some axis of the box repeats itself
    carom_period period; // options.periodic
    int count, capacity; // slots of bodies, see world_handle.c
    int first_free;      // none below it
    carom_world_state now, saved;

    CAROM_WORLD_BODY_ARRAYS(CAROM_WORLD_ARRAY)

    const carom_shape *nothing; // of free slots
    double moving_mass;         // kg, of all bodies that move, as of the last step

    carom_material *materials;
    int material_count;
    carom_world_pair_entry *pairs;
    int pair_count;
    bool rolling;  // some material or pair resists rolling
    bool cohesive; // some material or pair holds together

    carom_world_joint *joints;
    int joint_count; // slots
    int first_free_joint;
    struct carom_linkage *linkage; // what they connect
    bool linkage_stale;            // joints or kinds of bodies have changed since
    uint64_t *joined;              // pairs that must not collide, lower body first, in order
    int joined_count;

    carom_warm_start warm;        // of the last step, or of the one at work
    carom_warm_start warm_other;  // the other one of the two, while a step goes on
    carom_warm_start warm_asleep; // between sleepers
    int asleep_count;             // bodies
    double asleep_radius;         // m, none of them has a larger one
    bool disturbance;             // some of them are to wake
    unsigned ledger_epoch; // another one whenever a body changes that the books count as it is
    struct {
        unsigned epoch; // in which they were added up, where all of the block slept; 0: never
        carom_world_sums total; // then
    } ledger_block[CAROM_TEAM_BLOCKS];
    bool warm_unchanged; // `warm` is still the last step's: the next goes elsewhere

    carom_journal journal;
    carom_world_event_list events;
    carom_world_query_tree query;
    carom_times times; // of the last step
    double lap;        // s, when the phase at work began
    const carom_progress *progress;
    carom_progress_stop stop; // of the step at work
    double work_bound;        // of a step, see carom_world_bound; 0: none
    double work;              // of the last step, or so far; not counted without a bound
    carom_profile profile;

    carom_collide *collide;
    carom_workspace *workspace; // with all threads
    carom_workspace **beside;   // one per thread, for impacts side by side
    int beside_count;
    carom_arena *scratch;
    carom_sparse_block *rest_matrix; // of an island at rest, see rest_direct.c
};

// From b to the image of it that a touches; zero but in a periodic box.
static inline vec3 carom_world_shift(const carom_world *world, int a, int b)
{
    if (!world->periodic)
        return vec3_make(0, 0, 0);
    return carom_collide_shift(&world->period, world->shape[a], world->shape[b],
                               world->now.position[a], world->now.position[b]);
}

// Where b, or the image of it that a touches, is.
static inline vec3 carom_world_image(const carom_world *world, int a, int b)
{
    vec3 x = world->now.position[b];
    return world->periodic ? vec3_add(x, carom_world_shift(world, a, b)) : x;
}

// What an interval takes, in visits of a contact by the law or the resting solver (of which a
// million take some 50 ms): a thousandth of a millisecond for each body, contact and what it does
// once.
enum { CAROM_WORLD_VISITS = 20, CAROM_WORLD_ONCE = 16 };

// world_watch.c: a step that takes more visits than this (and so a bounded time) is
// CAROM_NOT_CONVERGED and leaves the world as it was; whether it does depends on no thread. 0:
// none.
CAROM_SHARED void carom_world_bound(carom_world *world, double visits);
// What the last step took, of those, also where it failed; 0 without a bound.
CAROM_SHARED double carom_world_work(const carom_world *world);

// world_bodies.c: room for one more body in every array of a body; false without memory.
bool carom_world_bodies_grow(carom_world *world);
void carom_world_bodies_free(carom_world *world);
// Position, rotation, velocity and spin of a slot, for recordings; of a body that was removed the
// last ones.
CAROM_SHARED void carom_world_bodies_state(const carom_world *world, int slot,
                                           double out[CAROM_FRAME_STRIDE]);
// Mass, inertia and what follows from them, by the body's kind.
void carom_world_bodies_weigh(carom_world *world, int i);
// Refuses an inertia j (xx yy zz xy xz yz, kg m^2) that no distribution of mass has.
carom_status carom_world_bodies_check_inertia(const double j[6], carom_error *err);
// world.c: what workspaces keep of the options.
void carom_world_tell_options(carom_world *world);
// Grows an array owned by the world; on failure the old one stays.
bool carom_world_grow(void **array, size_t count, size_t size);
// warm_start.c: room for so many contacts.
carom_status carom_warm_start_grow(carom_world *world, size_t count, carom_error *err);
// From now on rolling is resisted, and its angular impulses are kept, too: none so far.
carom_status carom_warm_start_rolling(carom_world *world, carom_error *err);
// Room for so many contacts in a list.
carom_status carom_warm_start_reserve(const carom_world *world, carom_warm_start *warm,
                                      size_t count, carom_error *err);
// What the contacts of a body carried no longer counts.
void carom_warm_start_forget(carom_world *world, int body);
// world_joint.c: after a joint was removed, which pairs must not collide, and who hangs on strings.
void carom_world_joint_renew(carom_world *world);

#endif
