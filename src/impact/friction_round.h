// The sweeps of friction_sweep.h between spheres, and spheres and what does not move.
//
// Where the normal of every contact goes through both centres and inertia is a number, the arms are
// r n: a normal impulse turns nothing, the tangential response is one number, and
//     slip = v_b - v_a - (r_a w_a + r_b w_b) x n.
// A body fits a cache line and a contact two; a relaxation takes a quarter of the arithmetic.
#ifndef CAROM_IMPACT_FRICTION_ROUND_H
#define CAROM_IMPACT_FRICTION_ROUND_H

#include "impact/friction.h"

typedef struct carom_friction_round_body {
    vec3 v;
    double inverse_mass;
    vec3 w;
    double inverse_inertia;
} carom_friction_round_body;

typedef struct carom_friction_round_grip {
    int a, b;
    vec3 n;
    double p;     // N s along n, on b
    vec3 q;       // N s across
    double light; // 1/kg, the inverse masses; its inverse is next
    double normal_mass, tangent_mass;
    double arm_a, arm_b; // m, from the centres to the contact; 0 where immovable
    double target, base, mu;
} carom_friction_round_grip;

typedef struct carom_friction_round {
    const carom_problem *problem;
    carom_friction_round_body *bodies; // by the problem's numbers
    unsigned char *loaded; // per body, see friction_round.c; no two islands share a movable one
    carom_friction_round_grip *grips;
    vec3 *back;    // m/s per grip: beta times its slip before
    bool rebounds; // some grip of the island has one
} carom_friction_round;

// Room for the bodies; `grips` and `back` are the caller's.
carom_status carom_friction_round_begin(const carom_problem *problem, carom_arena *scratch,
                                        carom_friction_round *out, carom_error *err);
// An immovable body: to be told before islands are loaded.
void carom_friction_round_still(carom_friction_round *r, int body);
// Takes an island in the given order of its contacts, with the part of the start that the cone
// allows; false where it is not round. `size`: the largest of normal speeds and targets (m/s).
bool carom_friction_round_load(carom_friction_round *r, const carom_contact_set *set,
                               const carom_friction_stage *stage, const int *order,
                               const carom_twist *v, double (*p)[3], double *size);
// The contacts [begin, end) in turn; returns the largest change of velocity (m/s).
double carom_friction_round_relax(carom_friction_round *r, int begin, int end, bool forward);
// The same, stopping what approaches by more normal impulse, nothing else. `base` holds what was
// added, from 0.
double carom_friction_round_stop(carom_friction_round *r, int begin, int end, bool forward);
// The impulse of a contact on b, and adding to it.
static inline vec3 carom_friction_round_impulse(const carom_friction_round *r, int k)
{
    const carom_friction_round_grip *g = &r->grips[k];
    return vec3_axpy(g->q, g->p, g->n);
}
void carom_friction_round_add(carom_friction_round *r, int k, vec3 impulse);
void carom_friction_round_store(const carom_friction_round *r, const carom_contact_set *set,
                                const int *order, carom_twist *v, double (*p)[3]);

#endif
