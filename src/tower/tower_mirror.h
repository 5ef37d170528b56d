// Left-right symmetry of a tower: found exactly, kept to the last bit.
#ifndef CAROM_TOWER_MIRROR_H
#define CAROM_TOWER_MIRROR_H

#include "tower/tower_contact.h"

typedef struct tower_mirror {
    double axis; // x of the mirror line
    int *body;   // partner of each body
    int *anchor; // partner of each anchor
    int *shape;
    int *plane;
} tower_mirror;

// Looks for a vertical mirror line; `found` says whether there is one. Only exact matches count,
// and only if subtracting the axis from every coordinate is exact.
carom_status carom_tower_mirror_find(const carom_tower *tower, carom_arena *arena,
                                     tower_mirror *mirror, bool *found, carom_error *err);
// -1: the mirror image of this pair of shapes comes first and stands for both; 0: the pair is its
// own mirror image; 1: this pair stands for both.
int carom_tower_mirror_order(const tower_mirror *mirror, int a, int b);
int carom_tower_mirror_plane_order(const tower_mirror *mirror, int plane, int shape);
// Appends the mirror images of the contacts from `first` on; `itself`: leave out those already
// there.
void carom_tower_mirror_contacts(const tower_mirror *mirror, tower_contacts *list, int first,
                                 bool itself);
// x := (x + mirror image of x) / 2 for displacements (dx, dy, turn) of the blocks; returns the
// largest difference there was.
double carom_tower_mirror_average(const tower_mirror *mirror, const carom_tower *tower, double *x);

#endif
