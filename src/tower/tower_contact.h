// Which corner meets which edge: at rest, and within a step.
#ifndef CAROM_TOWER_CONTACT_H
#define CAROM_TOWER_CONTACT_H

#include "tower/tower_internal.h"

// Corner k of one shape against the edge from i to j (counter-clockwise) of another: the corner has
// to stay on the outer side, where the normal points.
typedef struct tower_contact {
    int i, j, k;      // anchors; i = j = -1 for a half plane
    int edge_owner;   // body of the edge, -1 for supports
    int corner_owner; // body of the corner, -1 for supports
    int plane;        // half plane, or -1
    double nx, ny;    // unit outer normal of the edge
    double gap;       // distance of the corner from the line of the edge
    double alpha;     // foot = (1 - alpha) p_i + alpha p_j
    double length;    // of the edge (1 for a half plane)
} tower_contact;

typedef struct tower_contacts {
    int count;
    tower_contact *item;
} tower_contacts;

typedef struct tower_found {
    tower_contacts contacts;
    tower_contacts deep; // corners that are behind an edge of a shape they overlap; in motion only
    double penetration;  // deepest overlap of any two shapes (0: none)
    int first, second;   // the bodies that have it; second = -1: a support
} tower_found;

// Overlap, in sizes, up to which a pair counts as touching in motion.
#define TOWER_DEEP 1e-6

// Where all anchors are, and where they are going.
typedef struct tower_view {
    const carom_tower *tower;
    const double *p;     // x, y of every anchor
    const double *ahead; // where free flight takes it next, as a displacement; null at rest
    const struct tower_mirror *mirror; // null: not symmetric
    bool all_corners;                  // in motion: the rule as printed instead of rule R
} tower_view;

// At rest: one contact at each end of every contact interval of positive length, and corners that
// stand inside an edge. `tolerance` is the gap that counts as touching.
carom_status carom_tower_contact_touching(const tower_view *view, double tolerance,
                                          carom_arena *arena, tower_found *out, carom_error *err);
// In motion: rule R.
carom_status carom_tower_contact_near(const tower_view *view, carom_arena *arena, tower_found *out,
                                      carom_error *err);
// Fills the world positions of all anchors at the start.
void carom_tower_contact_places(const carom_tower *tower, double *p);

#endif
