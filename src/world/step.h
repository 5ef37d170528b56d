// What the phases of one step hand to each other.
#ifndef CAROM_WORLD_STEP_H
#define CAROM_WORLD_STEP_H

#include "world/world.h"

// A contact with everything the phases need; one record per contact of the collision list.
typedef struct carom_candidate {
    int a, b;
    vec3 point, normal; // normal from a to b
    vec3 shift;         // m, from b to the image of it that a touches; 0 but in a periodic box
    double gap;         // m
    double friction;
    double restitution; // of a map; below zero: not known, the materials' counts
    double u;           // m/s, normal speed at the start of the interval, after its impacts
    double resting;     // m/s, approach up to which it rests instead of bouncing
    bool located; // its time of impact is found; otherwise it counts as touching where it closes
                  // within the interval
    unsigned short points; // of a pair that holds together: among how many touching points; else 0
} carom_candidate;

// A contact that the resting solve has to look at.
typedef struct carom_resting_contact {
    int candidate, a, b;
    bool fresh;   // as of this round
    vec3 impulse; // N s on b, over this interval; within the solve without what cohesion takes off
    double cohesion; // N s along the normal, see cohesion.c
} carom_resting_contact;

// Displacement of a body by position correction.
typedef struct carom_step_shift {
    vec3 move, turn;
} carom_step_shift;

// One interval of a step: the whole of it, or up to the next time of impact.
typedef struct carom_step {
    carom_world *world;
    double whole;     // s, the step
    double remaining; // s, still to go in this step, or until a driven body starts or stops
    double later;     // s, of the step, after that
    int intervals;    // begun so far in this step
    int64_t impacts;  // of the ledger when this interval began
    double h;         // s, length of this interval
    bool over;        // the interval ends before its last phase
    bool struck;      // an impact of this interval changed some velocity
    bool to_event;    // may be cut at a time of impact
    bool locates;     // may look for the moments at which strings become taut
    bool crowded;     // cannot afford the times of impact of all its pairs
    double work;      // bodies and contacts that the intervals of this step have looked at
    double dear_work; // the same, with what meshes cost more
    double dear;      // of this interval, that
    double law_work;  // contacts that have gone to the law in this step, each time anew
    carom_candidate *candidates;
    const carom_contact *contacts; // what they were made of
    int candidate_count;
    vec3 *warm_impulse;  // N s on b, of the resting solver over the whole of the last step
    vec3 *warm_rolling;  // N m s, beside it; null where nothing resists rolling
    int *warm_index;     // per candidate: one behind its place there; 0: none
    unsigned char *deep; // per candidate: overlaps by more than the slop
    carom_resting_contact *resting_contacts; // in the order of the candidates
    int resting_count;
    vec3 *rolling_impulses; // N m s on b, per candidate, against rolling, over this interval; null:
                            // none resists
    unsigned char *held;    // per body: moves with the velocity at the end of the interval
    double cohesion_work;   // J, that resting contacts pulled apart have taken in this interval
    double driven_work;     // J, by driven bodies through resting contacts of this interval
    double *energy;         // J, per moving body, at the start of the interval, after its impacts
    carom_step_shift *shift;          // per body; null where nothing is too deep
    struct carom_linkage_plan *links; // null where there are no joints
    // per body: how it moves with a linkage (linkage.h); null where none does
    unsigned char *linked;
    struct carom_elastic_step *elastic; // what replaces the velocities after the motion; null: none
} carom_step;

// Where b is touched: `point` is that of a, and of b's image. Without a shift the same bits.
static inline vec3 carom_step_point_of_b(const carom_candidate *candidate)
{
    return vec3_sub(candidate->point, candidate->shift);
}

// Velocity of a body's point at a contact.
static inline vec3 carom_step_point_velocity(const carom_world *world, int body, vec3 point)
{
    vec3 arm = vec3_sub(point, world->now.position[body]);
    return vec3_add(world->now.velocity[body], vec3_cross(world->now.spin[body], arm));
}

// Relative velocity of b against a at a contact.
static inline vec3 carom_step_relative_velocity(const carom_world *world,
                                                const carom_candidate *candidate)
{
    return vec3_sub(
        carom_step_point_velocity(world, candidate->b, carom_step_point_of_b(candidate)),
        carom_step_point_velocity(world, candidate->a, candidate->point));
}

// What a unit impulse along `normal` changes of a body's speed along it at a point, 1/kg.
static inline double carom_step_response(const carom_world *world, int body, vec3 point,
                                         vec3 normal)
{
    if (world->fixed[body])
        return 0;
    vec3 turn = vec3_cross(vec3_sub(point, world->now.position[body]), normal);
    return world->inverse_mass[body] + vec3_dot(turn, sym3_mul(world->inverse_inertia[body], turn));
}

// Work that a contact's impulse (on b) transfers from driven bodies, at their present velocity.
static inline double carom_step_driven_work(const carom_world *world,
                                            const carom_candidate *candidate, vec3 impulse)
{
    double work = 0;
    int ends[2] = { candidate->a, candidate->b };
    for (int k = 0; k < 2; ++k) {
        int i = ends[k];
        if (world->kind[i] != CAROM_BODY_DRIVEN)
            continue;
        vec3 point = k ? carom_step_point_of_b(candidate) : candidate->point;
        vec3 velocity = carom_step_point_velocity(world, i, point);
        work += (k ? -1 : 1) * vec3_dot(velocity, impulse);
    }
    return work;
}

// The same of an angular impulse (on b).
static inline double carom_step_driven_turn(const carom_world *world,
                                            const carom_candidate *candidate, vec3 impulse)
{
    double work = 0;
    if (world->kind[candidate->a] == CAROM_BODY_DRIVEN)
        work += vec3_dot(world->now.spin[candidate->a], impulse);
    if (world->kind[candidate->b] == CAROM_BODY_DRIVEN)
        work -= vec3_dot(world->now.spin[candidate->b], impulse);
    return work;
}

// warm_start.c: what the contacts carried at the end of the last step is set aside, or comes back.
void carom_warm_start_swap(carom_world *world);
// Finds, for each candidate, what it carried in the last step.
carom_status carom_warm_start_match(carom_step *step, carom_error *err);
// Keeps what the resting contacts carry, for the next step.
carom_status carom_warm_start_keep(carom_step *step, carom_error *err);
// candidate.c: every contact within `margin` of bodies that may touch: not removed, not of one
// group, not joined. `reach` (m, per body): how far it may go besides; null: nowhere.
carom_status carom_candidate_list(carom_world *world, const double *reach, double margin,
                                  const carom_contact **contacts, int *count, carom_error *err);
// Who may touch whom, with materials; fills step->candidates.
carom_status carom_candidate_find(carom_step *step, carom_error *err);
// resting.c: sets the approach speed up to which each candidate rests, where the pile it is in
// decides.
carom_status carom_resting_choose(carom_step *step, carom_error *err);
// m/s: that of all others.
double carom_resting_fine(const carom_world *world);
// restitution.c: of a candidate at the approach speed it has now, by its materials unless a map has
// given it a value.
double carom_restitution_now(const carom_world *world, const carom_candidate *candidate);
#define CAROM_RESTITUTION_ELASTIC 0.999 // from which a pair loses nothing
// Whether some pair may, by its materials.
bool carom_restitution_materials_elastic(const carom_world *world);
// Where a body of the pair has a source: the restitution of the candidates numbered in `near`
// (sorted by pair) from the place on its surface.
carom_status carom_restitution_mapped(carom_step *step, const int *near, int count,
                                      carom_error *err);
// cohesion.c: among how many points each pair that holds together shares its force.
void carom_cohesion_share(carom_step *step);
// N s: what holds a candidate together over this interval; 0 where it is open, or flies apart.
double carom_cohesion_hold(const carom_step *step, const carom_candidate *candidate);
// What restitution e is left where the work of parting is paid.
double carom_cohesion_restitution(const carom_world *world, const carom_candidate *candidate,
                                  double e);
// After the resting solve: its impulses as they act on bodies; books the work of pulling apart.
void carom_cohesion_settle(carom_step *step);
// impact_phase.c: the impact phase; every touching contact of an island in impact goes to the law.
carom_status carom_impact_phase_resolve(carom_step *step, carom_error *err);
// elastic_step.c, for stepping without times of impact: the law on the contacts that the resting
// solve presses, and, after the bodies have moved, its velocities. Bodies that move with the
// velocities of the resting solve are marked in step->held; `loss` (J) of resting contact is
// corrected.
carom_status carom_elastic_step_solve(carom_step *step, carom_error *err);
void carom_elastic_step_replace(carom_step *step, double *loss);
// time_of_impact.c: says which candidates are located; shortens step->h to the first time of impact
// of those.
void carom_time_of_impact_choose(carom_step *step);
// What meshes and compounds make an interval cost more, in pairs of simple shapes.
double carom_time_of_impact_dearness(const carom_step *step);
carom_status carom_time_of_impact_limit(carom_step *step, carom_error *err);
// time_of_impact_pair.c: when the pair of the candidates first to last - 1 begins to touch, `max` at
// most.
double carom_time_of_impact_pair(const carom_step *step, int first, int last, double max);
// world_undo.c: keeps the state before a step, and goes back to it.
void carom_world_undo_save(carom_world *world);
void carom_world_undo(carom_world *world);
// world_driven.c: gives driven bodies the velocity they have at this moment, or their mean over the
// interval.
void carom_world_driven_now(const carom_step *step);
void carom_world_driven_mean(const carom_step *step);
// After the resting solve: whom its contacts hold, and the work (J) that driven bodies do through
// them.
void carom_world_driven_hold(carom_step *step);
// world_move.c: moves all bodies but those of linkages; adds what resting contact took (J) from
// those it held, and the work (J) of forces from outside on all.
carom_status carom_world_move_bodies(const carom_step *step, double *loss, double *work,
                                     carom_error *err);
// passing.c: notes in the audit how deep bodies that are about to move get into each other on the
// way, where they go farther than they are thick.
void carom_passing_note(carom_step *step);
// world_audit.c: fails where the state is no number or energy has come out of nothing.
carom_status carom_world_audit_step(const carom_world *world, double dt, carom_error *err);
// world_profile.c: adds what the last step cost.
void carom_world_profile_add(carom_world *world);
// rest.c: resting contact and friction over step->h; v already holds the kick of gravity.
carom_status carom_rest_solve(carom_step *step, carom_error *err);
// world_joint.c: where the two ends of a joint are now, how fast its position changes (rad/s or
// m/s), and the energy of its spring (J).
carom_joint_ends carom_world_joint_ends(const carom_world *world, const carom_world_joint *joint);
double carom_world_joint_speed(const carom_world *world, const carom_world_joint *joint,
                               const carom_joint_ends *ends);
double carom_world_joint_energy(const carom_world *world, const carom_world_joint *joint);
// Before a step: no load yet. After one of dt seconds: what joints held; those break that hold too
// much.
void carom_world_joint_unload(carom_world *world);
void carom_world_joint_load(carom_world *world, double dt);
// The bodies of a joint that has broken collide again, unless another one binds them.
void carom_world_joint_set_broken(carom_world *world, int index, bool broken);
// True where the pair is joined so that it must not collide.
bool carom_world_joint_joins(const carom_world *world, int a, int b);
// position_correction.c: finds the displacements that take out overlap, before bodies move, and
// applies them after, as far as that adds no energy.
carom_status carom_position_correction_find(carom_step *step, carom_error *err);
void carom_position_correction_apply(carom_step *step);

#endif
