// The inside of a motion.
#ifndef CAROM_TOWER_MOTION_H
#define CAROM_TOWER_MOTION_H

#include "tower/tower_mirror.h"
#include "tower/tower_rows.h"
#include "tower/tower_warm.h"
#include "solve/qp_interior.h"

// One body in motion. The last changes are stored, not the last positions: differences of positions
// would lose half the digits of a velocity.
typedef struct tower_moving {
    double cx, cy;   // centre of mass, relative to the mirror axis
    double ux, uy;   // direction
    double dx, dy;   // c - c_old
    double dux, duy; // u - u_old
    double turn;     // the last turn, and the sum of all
    double angle;    // (unit variant)
} tower_moving;

struct carom_tower_motion {
    carom_tower *tower; // own copy, shifted so that the mirror axis is x = 0
    carom_tower_motion_options options;
    carom_arena *memory;  // what lives as long as the motion
    carom_arena *scratch; // what lives for one step
    carom_arena *contact_memory[2];
    int contact_side; // the one that holds `contacts`
    carom_qp_interior *solver;
    tower_mirror mirror;
    bool symmetric, started, moving;
    double axis;
    tower_moving *now, *next;
    double *p, *d;           // of the anchors, for `now`
    double *next_p, *next_d; // for `next`
    double *ahead;           // scratch of the contact search
    double *centre, *weight, *velocity;
    bool *grounded;          // bodies that a support has carried
    tower_contacts contacts; // of `now`
    double penetration;
    tower_warm warm;
    double kinetic, potential;
    carom_tower_audit audit;
};

// Gap and speed, in sizes, that count as contact where a decision is needed: the start, and
// figure 6.
#define TOWER_CLOSED 1e-9

// Places the anchors of m->next and finds its contacts, in the contact memory that is not in use.
carom_status carom_tower_step_find(carom_tower_motion *m, tower_found *out, carom_error *err);
// m->next becomes m->now, with its anchors and contacts.
void carom_tower_step_accept(carom_tower_motion *m, const tower_found *found);
// Solves one step and takes it over; on failure m->now is as it was.
carom_status carom_tower_step_advance(carom_tower_motion *m, carom_tower_step *out,
                                      carom_error *err);

#endif
