// What the phases of one step hand to each other.
#ifndef CAROM_WORLD_STEP_H
#define CAROM_WORLD_STEP_H

#include "world/world.h"

// A contact with everything the phases need; one record per contact of the collision list.
typedef struct carom_touch {
    int a, b;
    vec3 point, normal; // normal from a to b
    vec3 arm_a, arm_b;  // point minus centre of mass
    double gap;         // m
    double friction;
    double restitution; // for the approach speed it had at the start of the interval
    double u;           // m/s, normal speed at the start of the interval, after its impacts
    uint64_t feature;
    vec3 impulse; // N s on b, of the resting solver
    bool resting; // takes part in the resting solve
} carom_touch;

// One interval of a step: the whole of it, or up to the next time of impact.
typedef struct carom_step {
    carom_world *world;
    double remaining; // s, still to go in this step
    double h;         // s, length of this interval
    bool to_event;    // cut at the time of impact; otherwise contacts that close within it count as
                      // touching
    carom_touch *touches;
    int touch_count;
} carom_step;

// Relative velocity of b against a at a contact.
static inline vec3 carom_step_slip(const carom_world *world, const carom_touch *touch)
{
    const vec3 *v = world->now.velocity, *w = world->now.spin;
    vec3 at_a = vec3_add(v[touch->a], vec3_cross(w[touch->a], touch->arm_a));
    vec3 at_b = vec3_add(v[touch->b], vec3_cross(w[touch->b], touch->arm_b));
    return vec3_sub(at_b, at_a);
}

// Applies an impulse to b and its opposite to a.
static inline void carom_step_push(carom_world *world, const carom_touch *touch, vec3 impulse)
{
    vec3 *v = world->now.velocity, *w = world->now.spin;
    int a = touch->a, b = touch->b;
    v[a] = vec3_axpy(v[a], -world->inverse_mass[a], impulse);
    w[a] = vec3_sub(w[a], sym3_mul(world->inverse_inertia[a], vec3_cross(touch->arm_a, impulse)));
    v[b] = vec3_axpy(v[b], world->inverse_mass[b], impulse);
    w[b] = vec3_add(w[b], sym3_mul(world->inverse_inertia[b], vec3_cross(touch->arm_b, impulse)));
}

// touch.c: who touches whom, with materials; fills step->touches.
carom_status carom_touch_find(carom_step *step, carom_error *err);
// clash.c: the impact phase; every touching contact of an island in impact goes to the law.
carom_status carom_clash_resolve(carom_step *step, carom_error *err);
// event.c: shortens step->h to the first time of impact.
carom_status carom_event_limit(carom_step *step, carom_error *err);
// rest.c: resting contact and friction over step->h; v already holds the kick of gravity.
carom_status carom_rest_solve(carom_step *step, carom_error *err);
// world_joint.c: the joints as rows of the resting solve.
typedef struct carom_world_joint_row carom_world_joint_row;
carom_status carom_world_joint_rows(carom_step *step, carom_world_joint_row **rows, int *count,
                                    carom_error *err);
// Relaxes one row; returns the change of velocity it made (m/s).
double carom_world_joint_relax(carom_step *step, carom_world_joint_row *row);
carom_world_joint_row *carom_world_joint_row_at(carom_world_joint_row *rows, int index);
// True where the pair is joined so that it must not collide.
bool carom_world_joint_joins(const carom_world *world, int a, int b);
// drift.c: takes out overlap without adding energy.
carom_status carom_drift_correct(carom_step *step, carom_error *err);

#endif
