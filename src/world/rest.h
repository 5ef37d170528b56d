// The resting solver's own data: bodies, contacts and islands in the order it walks them.
#ifndef CAROM_WORLD_REST_H
#define CAROM_WORLD_REST_H

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

// Contacts that are relaxed one after the other. The ranges of one phase share no movable body: any
// number of threads may take them.
typedef struct carom_rest_range {
    int begin, end; // contacts
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
    bool cold;   // there were no impulses to start from
    bool helped; // may ask for a linear system
    double residual;
} carom_rest_island;

typedef struct carom_rest {
    carom_step *step;
    carom_rest_body *bodies; // by the world's numbers
    carom_rest_contact *contacts;
    int *touch_of; // per contact
    int contact_count;
    carom_rest_island *islands;
    int island_count;
    int *member; // bodies, island after island
    carom_rest_range *ranges;
    carom_world_joint_row *joints;
    int joint_count;
    int *joint_order; // island after island
    int *changed_in;  // per body: the last sweep that changed it by more than counts
    // for the acceleration: what the last sweep changed, and the direction of search
    vec3 *change, *along;                       // N s, per contact
    carom_rest_twist *body_before, *body_along; // per place in `member`
} carom_rest;

// rest_island.c: which contacts, bodies and joints belong together, and how large islands are cut.
carom_status carom_rest_island_build(carom_rest *rest, carom_error *err);
// rest_sweep.c: takes the impulses of the last interval as a start.
void carom_rest_sweep_start(carom_rest *rest, carom_rest_island *island);
// Sweeps one island to the tolerance or the cap.
void carom_rest_sweep_island(carom_rest *rest, carom_rest_island *island, int cap, int threads);
// Sweeps that an island of this size may have, and the relative residual that is good enough.
int carom_rest_sweep_cap(const carom_rest *rest, const carom_rest_island *island);
double carom_rest_sweep_tolerance(const carom_rest *rest, const carom_rest_island *island);
// rest_direct.c: impulses from a linear system for the contacts that press and stick now. `done` is
// false where there was no use in it and nothing changed.
carom_status carom_rest_direct_improve(carom_rest *rest, const carom_rest_island *island,
                                       bool *done, carom_error *err);
// rest_gradient.c: the same by at most `cap` iterations of conjugate gradients.
carom_status carom_rest_gradient_improve(carom_rest *rest, const carom_rest_island *island, int cap,
                                         carom_error *err);

// Relative velocity of b against a.
static inline vec3 carom_rest_slip(const carom_rest_body *a, const carom_rest_body *b, vec3 point)
{
    return vec3_sub(vec3_add(b->v, vec3_cross(b->w, vec3_sub(point, b->x))),
                    vec3_add(a->v, vec3_cross(a->w, vec3_sub(point, a->x))));
}

// Which rows of a contact a relaxation would leave active now: it presses, and it sticks.
static inline void carom_rest_active(const carom_rest_body *bodies, const carom_rest_contact *c,
                                     bool *presses, bool *sticks)
{
    vec3 slip = carom_rest_slip(&bodies[c->a], &bodies[c->b], c->point);
    double p = vec3_dot(c->n, c->impulse) - c->normal_mass * (vec3_dot(c->n, slip) - c->target);
    vec3 q = vec3_axpy(c->impulse, -c->tangent_mass, slip);
    q = vec3_axpy(q, -vec3_dot(c->n, q), c->n);
    *presses = p > 0;
    *sticks = p > 0 && vec3_dot(q, q) < c->friction * p * c->friction * p;
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

#endif
