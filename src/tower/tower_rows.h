// From contacts, pins and bars to the rows of a quadratic program.
#ifndef CAROM_TOWER_ROWS_H
#define CAROM_TOWER_ROWS_H

#include "tower/tower_contact.h"

// What a body does when nothing holds it, and how its anchors follow. An anchor at q = u r from the
// centre moves by (free + scale y) . (1, 1, turn) + radial q, where y is the block of the program.
typedef struct tower_frame {
    const carom_tower *tower;
    const double *p;      // anchors now
    const double *d;      // last displacement (or velocity) of the anchors, for second-order terms
    const double *centre; // x, y per body
    double *free;         // 3 per body
    double *radial;       // 1 per body, for contacts
    double *tie_radial;   // the same for pins and bars; see tower_rows.c
    double scale;
    double sidedness; // s in (S')
    bool positions;   // the gap counts (figure 7), or only its second derivative (figure 6)
    carom_tower_variant variant; // of the length equations
    double penalty;              // M: bars are soft; 0: they are equations
} tower_frame;

// Rows per contact: 1, or 2 with friction.
int carom_tower_rows_per_contact(const carom_tower *tower);
// Number of rows of pins (2 each) and bars (1 each).
int carom_tower_rows_ties(const carom_tower *tower);
// Blocks behind those of the bodies: the residuals of soft bars, three to a block.
int carom_tower_rows_soft_blocks(const carom_tower *tower, double penalty);
// Their weights: M |e|^2.
void carom_tower_rows_soft_weights(const tower_frame *frame, double *weight);
// Fills the rows of the contacts, then those of the ties. `slip` (one per contact, or null) is the
// tangential motion that the friction rows are shifted by.
void carom_tower_rows_fill(const tower_frame *frame, const tower_contacts *contacts,
                           const double *slip, carom_qp_row *rows);
// Tangential motion of a contact for block values y (as multiplied by scale, with the free part).
double carom_tower_rows_slip(const tower_frame *frame, const tower_contact *contact,
                             const double *y);

#endif
