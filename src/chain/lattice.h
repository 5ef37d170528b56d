// A chain as mass points and springs.
//
// Node i carries mass[i]; link i joins nodes i and i + 1, so a row of n nodes has n - 1 links. A
// link is a material spring inside a body or the contact between two bodies. The state is the
// velocity v[i] of every node and the compression d[i] of every link (d' = v[i] - v[i+1]), not
// positions: compressions are tiny beside the distance the bodies travel, and their differences
// would lose the digits.
#ifndef CAROM_CHAIN_LATTICE_H
#define CAROM_CHAIN_LATTICE_H

#include "base/arena.h"
#include "carom/chain.h"
#include "chain/contact_spring.h"

typedef struct carom_lattice {
    size_t nodes, bodies, contacts;
    bool free;                   // no wall: momentum is conserved
    bool rigid;                  // every body is one node: bodies fly free between contacts
    bool damped;                 // some link has a dashpot
    size_t *first;               // bodies + 1: nodes of body b are first[b] up to first[b + 1]
    double *mass;                // nodes; 0 marks a wall
    double *inverse;             // nodes: 1 / mass, 0 for a wall
    double *stiffness;           // nodes - 1: material springs; 0 at contacts
    double *dashpot;             // nodes - 1: N s/m
    double *spacing;             // nodes - 1: distance of the two nodes when unloaded and touching
    carom_contact_spring *touch; // contacts: contact c is link first[c + 1] - 1
    double *body_mass;           // bodies; infinite for a wall
    double *body_length;         // bodies: face to face
    double *inset;               // bodies: from a face to the nearest node
    double *half;                // bodies: compliance of the half slice at either face; 0 if rigid
    double *extent;              // bodies: sum of w^2 / k, see carom_lattice_swing
} carom_lattice;

typedef struct carom_lattice_state {
    double *v;   // nodes
    double *d;   // nodes - 1
    double base; // position of node 0
} carom_lattice_state;

// Builds the row in `arena`. The chain must have passed carom_chain_check.
carom_status carom_lattice_build(const carom_chain *chain, carom_arena *arena, carom_lattice *out,
                                 carom_error *err);
// The state before the impact: bodies undeformed, gaps open.
carom_status carom_lattice_start(const carom_lattice *lattice, const carom_chain *chain,
                                 carom_arena *arena, carom_lattice_state *out, carom_error *err);

static inline size_t carom_lattice_link(const carom_lattice *lattice, size_t contact)
{
    return lattice->first[contact + 1] - 1;
}
// Kinetic and elastic energy of everything. Contacts with d <= 0 hold none.
double carom_lattice_energy(const carom_lattice *lattice, const carom_lattice_state *state);
double carom_lattice_body_velocity(const carom_lattice *lattice, const carom_lattice_state *state,
                                   size_t body);
// Kinetic energy about the centre of mass plus what the material springs hold.
double carom_lattice_vibration(const carom_lattice *lattice, const carom_lattice_state *state,
                               size_t body);
// The furthest a face of a free body with this vibration energy can ever reach beyond its rest
// place relative to the centre of mass.
double carom_lattice_swing(const carom_lattice *lattice, size_t body, double vibration);
// Upper bound of the angular frequency of any mode while exactly the contacts in `closed` act:
// bodies joined by them can store no more than their energy about their common centre of mass (all
// of it with a wall). 0 where nothing can oscillate.
double carom_lattice_frequency(const carom_lattice *lattice, const carom_lattice_state *state,
                               const bool *closed);
// Half of body `body`: velocity of the centre of mass of its left (0) or right (1) half.
double carom_lattice_half_velocity(const carom_lattice *lattice, const carom_lattice_state *state,
                                   size_t body, int half);
// No contact can close again: neighbours recede (up to `still_speed`, m/s), hold no energy in their
// contact (up to `still_energy`, J), and are further apart than they can swing.
bool carom_lattice_separated(const carom_lattice *lattice, const carom_lattice_state *state,
                             double still_speed, double still_energy);

#endif
