// One island of contact springs: state, forces and one integration step. Used by springs.c.
//
// The motion in impact time t is g'' = W f(g) with constant J and M: gaps g (negative: compressed
// by delta = -g), normal speeds u = g', forces f. Forces per contact [QCE, eq 6 and section 3]:
//   loading (u < 0)    f = F,      F = k delta^eta
//   unloading (u > 0)  f = e^2 F   so that expansion gives back e^2 of the energy stored (Stronge)
//   holding (u = 0)    f in [e^2 F, F] such that u stays 0: a contact kept closed by its
//   neighbours.
// The three together are one law with a vertical segment at u = 0, as Coulomb's law has one;
// without the third an exact solution would switch infinitely often.
#ifndef CAROM_IMPACT_SPRINGS_ISLAND_H
#define CAROM_IMPACT_SPRINGS_ISLAND_H

#include "impact/problem.h"

typedef enum springs_mode {
    SPRINGS_OPEN,
    SPRINGS_LOAD,
    SPRINGS_UNLOAD,
    SPRINGS_HOLD,
} springs_mode;

// Gaps, speeds, forces and accelerations at one instant; one entry per contact of the island.
typedef struct springs_state {
    double *g, *u, *f, *a;
} springs_state;

enum { SPRINGS_COLUMNS = 8 };

// Contacts up to which W is kept: n^2 operations for W f, against about 50 n through the bodies.
enum { SPRINGS_DENSE = 40 };

typedef struct springs_island {
    const carom_problem *problem;
    int count;        // contacts
    const int *index; // into the problem, ascending
    int body_count;
    int *bodies;               // movable bodies of the island
    carom_twist *rate;         // one per body of the problem; velocity change per unit of time
    double *k, *eta, *release; // stiffness, exponent, e^2
    double *depth;             // length scale of a contact: what its own collision would compress
    unsigned char *mode;
    springs_state now, next;         // the present, and the end of the last trial step
    double *lambda, *gained;         // impulses so far, and those of the trial step
    double *column[SPRINGS_COLUMNS]; // extrapolation: 2 count numbers each (gaps, impulses)
    double *work;                    // 4 count numbers
    double *per_scale;               // 2 count: 1 over the scales of gaps (now) and impulses
    double *matrix;                  // W by columns in small islands, else null
    int held;                        // contacts that hold; their factor of W is in `factor`
    int *hold_list;
    double *factor, *hold_side;
    int hold_room;     // most contacts that `factor` has room for
    double speed;      // max |u| at the start
    double time_scale; // shortest collision time of one contact
    double tolerance;  // relative error allowed per step
    int64_t evaluations;
} springs_island;

// Takes all arrays for `count` contacts from the arena and fills the constants. `exponent` 0 means
// each contact's own. The rate array is shared by all islands.
carom_status carom_springs_island_init(springs_island *island, const carom_problem *problem,
                                       int which, double exponent, carom_twist *rate,
                                       carom_arena *arena, carom_error *err);

// F = k delta^eta, continued oddly to negative delta so that a step past the opening stays smooth.
double carom_springs_island_full(const springs_island *island, int i, double g);

// Forces and accelerations that belong to state->g in the present modes.
void carom_springs_island_evaluate(springs_island *island, springs_state *state);

// Tries a step of length `span` from island->now into island->next and island->gained. Returns the
// number of extrapolation columns it took, or 0 if the tolerance was not met.
int carom_springs_island_step(springs_island *island, double span);

// Decides load, unload or hold for the contacts in `list`, whose speeds are zero, starting from the
// modes they have (springs_hold.c).
void carom_springs_hold_decide(springs_island *island, const int *list, int count);
// The forces of the holding contacts, from the accelerations the others cause.
void carom_springs_hold_forces(springs_island *island, springs_state *state);

#endif
