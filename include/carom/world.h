/// @file
/// The world: bodies with shapes that move in time, meet, and bounce by any impact law.
///
/// Units are SI, z is up. A step finds who touches whom, asks the chosen law wherever something
/// approaches faster than `resting_speed`, solves resting contact with Coulomb friction, moves the
/// bodies and books every joule in the ledger.
#ifndef CAROM_WORLD_H
#define CAROM_WORLD_H

#include <stddef.h>
#include <stdint.h>
#include "carom/handle.h"
#include "carom/joint.h"
#include "carom/law.h"
#include "carom/progress.h"
#include "carom/restitution.h"
#include "carom/shape.h"
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Bodies, joints and materials, and their state in time.
typedef struct carom_world carom_world;

/// How a step meets impacts.
#define CAROM_STEPPING_LIST(X)                                                                     \
    X(EVENTS, "events")   /* at their times, as far as `events` and `event_work` go */             \
    X(ELASTIC, "elastic") /* at the end of each step: one inelastic solve tells where bodies go,   \
                             the law with which velocities they leave [EC, section 6] */

/// The ways to meet impacts.
typedef enum carom_stepping {
#define CAROM_STEPPING_NAME(name, word) CAROM_STEPPING_##name,
    CAROM_STEPPING_LIST(CAROM_STEPPING_NAME)
#undef CAROM_STEPPING_NAME
        CAROM_STEPPING_COUNT
} carom_stepping;

/// How the world moves. Make it with carom_world_options_default.
typedef struct carom_world_options {
    double gravity[3];     ///< m/s^2, default 0 0 -9.81
    double resting_speed;  ///< m/s: contacts that approach more slowly rest instead of bouncing;
                           ///< -1 (default): 0.01, and between bodies that resting contacts
                           ///< connect what gravity gives in a step, unless they lose nothing
    double touch;          ///< m: gap up to which two bodies count as touching; default 1e-9
    int events;            ///< most sub-steps to the time of impact per step; 0: none; default 1000
    double event_work;     ///< bodies and contacts that the sub-steps of one step may look at in
                           ///< all, a pair with meshes counted by a third of their triangles
                           ///< (ten times that on account of pairs that would pass through each
                           ///< other, no bound where restitution is 1); what is left happens at the
                           ///< start of an interval; -1 (default): 240,000 a second of simulated
                           ///< time, at least 500 and at most 5000 a step, not counting triangles;
                           ///< 5000 with them; 50,000 where bodies would pass through each other
    double rest_tolerance; ///< relative residual at which the resting solver stops; 100 times that
                           ///< above 500 contacts, more in beds of spheres; default 1e-8
    int rest_sweeps;       ///< most sweeps of the resting solver per step, for islands of up to 250
                           ///< contacts; larger ones get fewer, down to 6 %; default 200
    double impact_residual; ///< relative residual at which the law may end its solves with friction
                            ///< or partial restitution in islands of more than 32 contacts; 0: as
                            ///< exact as they come; default 1e-4
    double impact_work;     ///< contacts that these solves may look at in one island, the same one
                            ///< each time anew; more for deep piles that are struck; default 4e6
    double slop;            ///< m: overlap left alone; default 1e-5, at most 1 % of the thinnest
    double sleep_after; ///< s: an island whose bodies have been slow for that long falls asleep,
                        ///< which changes no energy; 0: never; default 0
    double sleep_speed; ///< m/s: slow is less than that, radius times spin counted; default 1e-3
    int threads;        ///< any number gives the same bits; default 1
    carom_restitution_rule bounce_rule; ///< how two bodies' restitutions combine where one of them
                                        ///< has a source of its own; default WEIGHTED
    carom_stepping stepping;            ///< default EVENTS
    double periodic[3][2]; ///< m: the lower and upper end of the box that repeats itself along x, y
                           ///< and z; equal ends (default): no such box along this axis. No body
                           ///< but planes may be wider than 0.48 of it. Positions are not wrapped:
                           ///< carom_world_periodic_home does that
    const carom_law *law;  ///< default: carom_law_default
    carom_law_options law_options; ///< of that law
} carom_world_options;

/// A surface. Two materials that meet combine by the geometric mean of restitution, of friction, of
/// rolling, of cohesion and of adhesion, unless carom_world_pair says otherwise, and by the mean of
/// tangential restitution.
typedef struct carom_material {
    double restitution; ///< 0 to 1; at speeds above zero see the fade
    double fade; ///< e = max(restitution, 1 - fade (u / fade_speed)^fade_power) where fade > 0
    double fade_speed; ///< m/s
    double fade_power; ///< exponent p of the fade
    double fade_slip;  ///< how much slip s counts in the fade: u is sqrt(u_n^2 + (fade_slip s)^2);
                       ///< default 0, approach alone
    double friction;   ///< Coulomb's coefficient
    double stiffness;  ///< of the contact springs, only ratios matter
    double exponent;   ///< of the contact springs: 1.5 is Hertz
    double rolling; ///< m: a resting contact resists rolling and spinning (any relative spin) with
                    ///< a moment of at most this times its normal force; default 0, none
    /// -1 to 1, of impacts that stick, see carom_impact_contact; default 0. Refused where the law
    /// has none (carom_law_has_tangential).
    double tangential_restitution;
    double cohesion;  ///< N: two bodies that touch hold together up to this force; default 0, none
    double adhesion;  ///< J: work that parts two bodies which have hit each other: they leave with
                      ///< so much less, or not at all; default 0
    const char *name; ///< null: none; the world keeps a copy
} carom_material;

/// What makes a body move.
typedef enum carom_body_kind {
    CAROM_BODY_MOVING,  ///< has mass, obeys forces
    CAROM_BODY_FIXED,   ///< never moves
    CAROM_BODY_DRIVEN,  ///< moves as told, nothing changes it
    CAROM_BODY_REMOVED, ///< is no longer there: taken out by carom_world_remove
    CAROM_BODY_WAITING, ///< is not there yet: nothing sees it until carom_world_set_kind makes it
                        ///< one of the others; then it starts with the velocity that it has
} carom_body_kind;

/// How a driven body moves: with its constant velocity and spin, plus amplitude sin(2 pi frequency
/// (t - start) + phase) while the swing lasts.
typedef struct carom_drive {
    double amplitude[3]; ///< m
    double frequency;    ///< Hz
    double phase;        ///< rad
    double start;        ///< s: it does not swing before
    double cycles;       ///< it stays where the last cycle ends; 0: swings for ever
    double belt[3];      ///< m/s, world: the velocity of its surface against the body, as of a
                         ///< conveyor: contacts feel it, the body does not move by it. Along the
                         ///< faces that carry something; a body with a belt has no joints
} carom_drive;

/// What a body is when it is added. Make it with carom_world_body_default.
typedef struct carom_body {
    carom_body_kind kind;     ///< default CAROM_BODY_MOVING
    const carom_shape *shape; ///< the world becomes one more owner
    double density;           ///< kg/m^3, default 1000; used where mass is 0
    double mass;              ///< kg; 0: from the density
    double centre[3];  ///< m, shape frame: centre of mass; default 0, that of a uniform body. Needs
                       ///< an inertia where it is not 0
    double inertia[6]; ///< kg m^2, about the centre of mass, shape frame: xx yy zz xy xz yz (tensor
                       ///< components); all 0 (default): that of a uniform body
    double position[3];   ///< m, centre of mass
    double rotation[4];   ///< unit quaternion w x y z, shape to world
    double velocity[3];   ///< m/s
    double spin[3];       ///< rad/s, world frame
    int material;         ///< from carom_world_add_material; 0 is the default material
    int group;            ///< bodies of one group above 0 never touch each other
    uint32_t layers;      ///< bits of the layers that it is in; default 1
    uint32_t mask;        ///< bits of the layers that it touches; default all. Two bodies touch if
                          ///< each is in a layer of the other's mask
    int sensor;           ///< 1: nothing feels it; who overlaps it is told (carom/world_event.h)
    carom_drive drive;    ///< of a driven body
    double gravity_scale; ///< gravity acts on it this many times; default 1
    double damping; ///< 1/s: speed falls by exp(-damping t) where nothing else acts; default 0
    double angular_damping; ///< 1/s: and spin
    /// Restitution over the surface instead of the material's, for instance of a bounce map
    /// (carom_bounce_map_restitution). Against an immovable partner without a source the value
    /// stands; any other partner brings its own or its material's, combined by `bounce_rule`. A
    /// pair of materials (carom_world_pair) goes before it.
    carom_restitution_source restitution;
    const char *name; ///< null: none; the world keeps a copy
    void *user;       ///< the caller's own, never looked at
} carom_body;

/// Where the energy is and where it went, since the world began. All in J.
typedef struct carom_ledger {
    double kinetic, potential;  ///< now; potential: of gravity and springs
    double start;               ///< kinetic plus potential when the world began
    double driven;              ///< brought in from outside: by driven bodies, forces, impulses and
                                ///< changes; what damping takes is negative
    double law;                 ///< lost in impacts, by the law (restitution, friction inside it)
    double rest;                ///< lost in resting contact and its friction
    double position_correction; ///< added (negative: taken) by position correction
    double integrator;          ///< what the time stepping itself added: the balance of all others
    double peak_kinetic;        ///< most kinetic energy after any step
    double min_potential, max_potential; ///< range of the potential energy after any step
    double momentum[3];                  ///< kg m/s, of moving bodies
    double angular[3];                   ///< kg m^2/s about the origin, of moving bodies; not
                                         ///< kept in a periodic box
    double overlap;                      ///< m: deepest overlap now, >= 0
    double peak_overlap;                 ///< m: the deepest after any step
    int64_t impacts;                     ///< instants resolved by the law
    int64_t contacts;                    ///< contacts in the last step
    int64_t sweeps;                      ///< of the law in the last step
    int64_t rest_sweeps;                 ///< of the resting solver in the last step
    double rest_residual;                ///< of the resting solver, worst of the last step
    int64_t limited, capped, endless;    ///< law safeguards used, in all
    int64_t steps;                       ///< that succeeded
    double time;                         ///< s
    double motors;                       ///< brought in by motors of joints
    double dampers;                      ///< lost in dampers of joints
    double stops;    ///< lost where only stops of joints were hit, by the law, or
                     ///< stops and strings caught what moved
    double breakage; ///< lost with the springs that broke
    double cohesion; ///< lost where contacts that hold together opened, less what they brought in
                     ///< where they closed (what impacts pay is the law's)
} carom_ledger;

/// The worst of all impacts since the world began, each relative: round-off is about 1e-15.
typedef struct carom_audit {
    double gain;        ///< kinetic energy gained beyond the work of driven bodies, of the energy;
                        ///< or lost at elastic contacts where the law ended at its cap
    double penetration; ///< approach speed left, of the fastest before
    double pull;        ///< tensile impulse, of the largest impulse
    double momentum;    ///< error of linear and angular momentum, of the impulses
    double elastic_sum; ///< energy errors of the law's elastic steps [QCE, section 5.4], summed ...
    double elastic_max; ///< ... and the largest
    int64_t elastic_steps; ///< how many there were; 0: the law has none
    double overlap; ///< deepest overlap of two bodies, of the thickness of the thinner one (moving
                    ///< bodies only) ...
    int overlap_a, overlap_b; ///< ... and the slots of the two, where it is above 0
} carom_audit;

/// A contact that carried an impulse.
typedef struct carom_world_contact {
    int a, b;         ///< slots of the bodies
    int impact;       ///< 1: at an impact, by the law; 0: resting, over the last interval of a step
    double time;      ///< s
    double point[3];  ///< m, world
    double normal[3]; ///< from a to b
    double impulse[3]; ///< N s on b, world
    double gap;        ///< m, when it was found; below 0: overlap
    double slip[3];    ///< m/s: tangential velocity of b against a after the impulse, world
    double duration;   ///< s over which a resting impulse acted; 0 of an impact
    double loss;       ///< J that left the motion here: -p.(u + u')/2 of an impact (u, u': relative
                       ///< velocity before and after), -p.u' of a resting contact
} carom_world_contact;

/// Approach speeds below which contacts rest instead of bouncing.
typedef struct carom_resting {
    int chosen;   ///< 1: by Carom, as the options leave it open
    double plain; ///< m/s
    double pile;  ///< m/s: between bodies that resting contacts connect, unless they lose nothing
} carom_resting;

/// What the sub-steps of one step may look at in all: bodies and contacts.
typedef struct carom_time_of_impact_work {
    int chosen;   ///< 1: by Carom, as `event_work` is left open
    double plain; ///< for the times of impact of all pairs, whatever their shapes
    double dear;  ///< the same, a pair with meshes counted by a third of their triangles
    double fast;  ///< likewise, for those of pairs that would pass through each other
} carom_time_of_impact_work;

/// The defaults of every option.
CAROM_API carom_world_options carom_world_options_default(void);
/// The image of a position (m) that lies in the periodic box: for pictures, and for profiles.
CAROM_API void carom_world_periodic_home(const carom_world_options *options,
                                         const double position[3], double out[3]);
/// Those of a world with these options in steps of that many seconds.
CAROM_API carom_resting carom_resting_speeds(const carom_world_options *options, double step);
/// What such steps may spend on times of impact.
CAROM_API carom_time_of_impact_work carom_time_of_impact_afford(const carom_world_options *options,
                                                                double step);
/// Restitution 0.5, friction 0.5, Hertz's exponent.
CAROM_API carom_material carom_world_material_default(void);
/// A moving body of water's density at the origin, at rest, without a shape.
CAROM_API carom_body carom_world_body_default(void);

/// An empty world; refuses options outside their ranges.
CAROM_API carom_status carom_world_create(const carom_world_options *options, carom_world **out,
                                          carom_error *err);
/// Frees the world and its hold on shapes; null is allowed.
CAROM_API void carom_world_destroy(carom_world *world);

/// Returns the index through `index`; material 0 exists from the start.
CAROM_API carom_status carom_world_add_material(carom_world *world, const carom_material *material,
                                                int *index, carom_error *err);
/// Restitution and friction of one pair of materials, instead of the geometric means.
CAROM_API carom_status carom_world_pair(carom_world *world, int material_a, int material_b,
                                        double restitution, double friction, carom_error *err);
/// Resistance against rolling (m) of a pair that carom_world_pair has been told of, instead of the
/// geometric mean.
CAROM_API carom_status carom_world_pair_rolling(carom_world *world, int material_a, int material_b,
                                                double rolling, carom_error *err);
/// The same of the force (N) that holds the pair together, and of the work (J) that parts it after
/// an impact; below 0: the materials' mean.
CAROM_API carom_status carom_world_pair_cohesion(carom_world *world, int material_a, int material_b,
                                                 double cohesion, double adhesion,
                                                 carom_error *err);
/// Adds a body in the lowest free slot; `id` may be null. In the middle of a run the ledger goes on
/// and books its energy as driven.
CAROM_API carom_status carom_world_add_body(carom_world *world, const carom_body *body,
                                            carom_body_id *id, carom_error *err);
/// Bodies joined to each other no longer collide with each other, except by a string, rod or
/// spring, until the joint breaks. `id` may be null. In the middle of a run what its spring holds
/// is booked as driven.
CAROM_API carom_status carom_world_add_joint(carom_world *world, const carom_joint *joint,
                                             carom_joint_id *id, carom_error *err);
/// A joint as it is now.
CAROM_API carom_status carom_world_joint_state(const carom_world *world, carom_joint_id joint,
                                               carom_joint_state *out, carom_error *err);
/// Takes a body out of the world, and its joints with it; its slot and its hold on the shape become
/// free. Its energy is booked as driven.
CAROM_API carom_status carom_world_remove(carom_world *world, carom_body_id body, carom_error *err);
/// Takes a joint out of the world: its bodies may touch each other again. What its spring held is
/// booked as driven.
CAROM_API carom_status carom_world_remove_joint(carom_world *world, carom_joint_id joint,
                                                carom_error *err);
/// How many slots of bodies there are: those in use and free ones between them.
CAROM_API int carom_world_body_count(const carom_world *world);
/// How many slots of joints there are, likewise.
CAROM_API int carom_world_joint_count(const carom_world *world);
/// The body in a slot; all zeros where there is none.
CAROM_API carom_body_id carom_world_body_at(const carom_world *world, int slot);
/// The joint in a slot, likewise.
CAROM_API carom_joint_id carom_world_joint_at(const carom_world *world, int slot);
/// 1 where the body is there, 0 where it is not.
CAROM_API int carom_world_has_body(const carom_world *world, carom_body_id body);
/// 1 where the joint is there, 0 where it is not.
CAROM_API int carom_world_has_joint(const carom_world *world, carom_joint_id joint);
/// The name that a body was given; null: none, or no such body. Belongs to the world.
CAROM_API const char *carom_world_name(const carom_world *world, carom_body_id body);
/// The name of a joint, likewise.
CAROM_API const char *carom_world_joint_name(const carom_world *world, carom_joint_id joint);
/// The name of a material, likewise.
CAROM_API const char *carom_world_material_name(const carom_world *world, int material);
/// The body of that name, the one of the lowest slot; all zeros where there is none. Looks at every
/// body.
CAROM_API carom_body_id carom_world_find_body(const carom_world *world, const char *name);
/// The joint of that name, likewise.
CAROM_API carom_joint_id carom_world_find_joint(const carom_world *world, const char *name);
/// The material of that name; -1: none.
CAROM_API int carom_world_find_material(const carom_world *world, const char *name);
/// The caller's own pointer of a body; null where none was given, or no such body.
CAROM_API void *carom_world_user(const carom_world *world, carom_body_id body);
/// Sets it. Not part of snapshots.
CAROM_API carom_status carom_world_set_user(carom_world *world, carom_body_id body, void *user,
                                            carom_error *err);

/// One step of dt seconds (> 0). A failure leaves the world as it was before the step. Fails with
/// CAROM_BROKE_PROMISE where the state is no longer a number, where a body turns by more than can
/// be followed, and where energy has come out of nothing: more than the bodies had in motion.
CAROM_API carom_status carom_world_step(carom_world *world, double dt, carom_error *err);

/// One of the tasks of a job: `number` counts from 0.
typedef void (*carom_task_function)(void *data, int number);
/// Runs task(data, k) for k = 0 .. count - 1, each once, in whatever order and threads, and returns
/// when all are done. Tasks do not wait for each other; one of them may ask for more.
typedef void (*carom_tasks_function)(void *context, carom_task_function task, void *data,
                                     int count);
/// From now on the steps of this world run their pieces by the caller's threads instead of Carom's
/// own; null: by Carom's. The option `threads` says how many pieces there are; any number gives the
/// same bits. The caller keeps what `context` points to.
///
/// Two worlds may be used by two threads at the same time, with or without this: they share shapes,
/// which never change, and nothing else. One world is used by one thread at a time.
CAROM_API void carom_world_set_tasks(carom_world *world, carom_tasks_function run, void *context);

/// Asks `progress` between the pieces of a step whether to go on (null: never); where not, the step
/// ends with CAROM_INTERRUPTED and the world is as it was before it. It is told 0 of 1 steps. The
/// caller keeps what it points to.
CAROM_API void carom_world_set_progress(carom_world *world, const carom_progress *progress);

/// The numbers of a body in a frame: where each part begins, and how many there are in all.
enum {
    CAROM_FRAME_POSITION = 0, ///< 3, m
    CAROM_FRAME_ROTATION = 3, ///< 4, unit quaternion w x y z
    CAROM_FRAME_VELOCITY = 7, ///< 3, m/s
    CAROM_FRAME_SPIN = 10,    ///< 3, rad/s
    CAROM_FRAME_STRIDE = 13   ///< from one body to the next
};

/// State of a body now; any pointer may be null. Refuses a body that is not there, as all that
/// follow, and writes nothing then.
CAROM_API carom_status carom_world_body(const carom_world *world, carom_body_id body,
                                        double position[3], double rotation[4], double velocity[3],
                                        double spin[3]);
/// The state of all slots where it stands in memory, to be read without a copy.
typedef struct carom_states {
    int count;                   ///< slots; what stands in free ones means nothing
    const double (*position)[3]; ///< m, centres of mass
    const double (*rotation)[4]; ///< unit quaternions w x y z
    const double (*velocity)[3]; ///< m/s
    const double (*spin)[3];     ///< rad/s
    const carom_ledger *ledger;  ///< as carom_world_ledger gives it
} carom_states;

/// Valid until a body is added or the world is destroyed; what stands there changes with every step
/// and change.
CAROM_API carom_states carom_world_states(const carom_world *world);
/// Gives a body that is not fixed another velocity (m/s) and spin (rad/s); null: as it is. A driven
/// body moves on with it from where it is. Before the first step the ledger begins anew; later it
/// goes on and books the work as driven. More of this kind is in carom/world_change.h.
CAROM_API carom_status carom_world_set_velocity(carom_world *world, carom_body_id body,
                                                const double velocity[3], const double spin[3],
                                                carom_error *err);
/// 1 where the body sleeps (option `sleep_after`), 0 where it does not, or is not there.
CAROM_API int carom_world_asleep(const carom_world *world, carom_body_id body);
/// How many do.
CAROM_API int carom_world_asleep_count(const carom_world *world);
/// Wakes the island of a body.
CAROM_API carom_status carom_world_wake(carom_world *world, carom_body_id body, carom_error *err);
/// Two bodies that overlap.
typedef struct carom_overlap {
    carom_body_id a, b; ///< all zeros: none
    double depth;       ///< m
} carom_overlap;

/// How many pairs of bodies overlap by more than position correction takes out unseen (`slop`, or a
/// thousandth of the smaller one's radius), and the deepest of them. Of states with more than 64
/// pairs a body that are near each other (and a million besides) not all are looked at.
CAROM_API carom_status carom_world_overlaps(carom_world *world, carom_overlap *worst, int *count,
                                            carom_error *err);
/// The body that touches this one most closely, and where (m), for reports; all zeros: none.
CAROM_API carom_body_id carom_world_touching(carom_world *world, carom_body_id body,
                                             double point[3]);
/// Moves bodies apart until none overlaps by more than `slop`, the lighter ones more. For the start
/// of a run: it changes positions only, and the ledger begins anew. After 2000 passes, or 3e8
/// contacts in them, it is CAROM_NOT_CONVERGED; it can be stopped as carom_world_set_progress says.
CAROM_API carom_status carom_world_separate(carom_world *world, carom_error *err);
/// Starts (or ends) noting the contacts that carry impulses; clears the list.
CAROM_API void carom_world_record_contacts(carom_world *world, int on);
/// Impacts since the list was cleared, in the order they happened, then the contacts that rested in
/// the last step. Valid until the next step.
CAROM_API const carom_world_contact *carom_world_contacts(const carom_world *world, int *count);
/// Hands the memory of that list over to the caller, who frees it with carom_memory_free(); the
/// world goes on with a copy. For who still looks at it when the next step comes. Null without a
/// list or without memory: nothing has changed then.
CAROM_API carom_world_contact *carom_world_contacts_detach(carom_world *world);
/// Empties the list of contacts.
CAROM_API void carom_world_contacts_clear(carom_world *world);
/// Puts contacts back (impacts before resting ones), for a run that continues; 0 without memory.
CAROM_API int carom_world_contacts_add(carom_world *world, const carom_world_contact *contacts,
                                       int count);
/// The worst of all impacts so far.
CAROM_API carom_audit carom_world_audit(const carom_world *world);
/// For a run that continues: the audit of what was before.
CAROM_API void carom_world_set_audit(carom_world *world, const carom_audit *audit);
/// What makes a body move; CAROM_BODY_REMOVED of one that is not there.
CAROM_API carom_body_kind carom_world_kind(const carom_world *world, carom_body_id body);
/// The shape of a body; belongs to the world. Null of one that is not there.
CAROM_API const carom_shape *carom_world_shape(const carom_world *world, carom_body_id body);
/// kg, of a body: as given, or from its density; 0 of one that is not there.
CAROM_API double carom_world_mass(const carom_world *world, carom_body_id body);
/// Where the energy is and where it went.
CAROM_API carom_ledger carom_world_ledger(const carom_world *world);
/// What the time stepping itself, resting contact and position correction have added in all, as a
/// share of the energy at stake (the most kinetic energy there was, or the range of the potential
/// energy where that is more; at least the weight of all times 1000 `slop`); 0 where they have
/// added nothing. Of the jointed bodies that gained most since the world was made: the slots of one
/// of them and of a joint at it (-1: there are none).
CAROM_API double carom_world_energy_gain(const carom_world *world, int *body, int *joint);
/// Where the time of the last step went, by the clock on the wall, summed over its intervals. For
/// benchmarks: not part of snapshots or hashes.
typedef struct carom_times {
    double collide; ///< s: who touches whom
    double locate;  ///< s: times of impact within the step
    double impact;  ///< s: the law, friction inside it, and what is booked about it
    double rest;    ///< s: resting contact and its friction
    double move;    ///< s: everything else: positions and their correction, the ledger
} carom_times;

/// Times of the last step.
CAROM_API carom_times carom_world_times(const carom_world *world);
/// What the steps since the world was made have cost, and why: not part of snapshots or hashes, as
/// times depend on the machine.
typedef struct carom_profile {
    carom_times times; ///< s, sums
    int64_t steps;     ///< that succeeded
    int64_t intervals; ///< they were cut into at times of impact, at least one each
    int64_t thrifty;   ///< steps in which more times of impact would have gone beyond event_work
    int64_t instants;  ///< of impact
    int64_t calls;     ///< of the law, a batch of islands each
    int64_t repeated;  ///< calls whose islands were all resolved again with a wider surrounding
    int64_t widest;    ///< contacts of the widest island that went to the law
    int64_t contacts;  ///< most contacts in a step
    int64_t unsettled; ///< steps in which the resting solver ended above its tolerance
} carom_profile;

/// What all steps have cost.
CAROM_API carom_profile carom_world_profile(const carom_world *world);
/// Bytes that carom_world_snapshot needs.
CAROM_API size_t carom_world_snapshot_size(const carom_world *world);
/// Everything that changes in a run (state, ledger, warm starts), for checkpoints.
CAROM_API void carom_world_snapshot(const carom_world *world, void *bytes);
/// Puts a snapshot back into a world that has the bodies and joints that were there then; others
/// are removed. Goes on to the same bits.
CAROM_API carom_status carom_world_restore(carom_world *world, const void *bytes, size_t size,
                                           carom_error *err);
/// Hash of every position, rotation, velocity and spin, bit by bit.
CAROM_API uint64_t carom_world_hash(const carom_world *world);

#ifdef __cplusplus
}
#endif
#endif
