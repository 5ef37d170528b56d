// Bodies that have left their place in a grid since it was filled: taken out of their cells there
// and kept in a table of their own, by their new cells. Whoever looks about a body looks into both.
#ifndef CAROM_COLLIDE_GRID_MOVED_H
#define CAROM_COLLIDE_GRID_MOVED_H

#include "collide/grid.h"

typedef struct carom_grid_moved {
    int count, room;
    carom_grid_entry *entry; // as in the grid
    carom_grid_place *place;
    int32_t *next;  // in the same bucket; -1: none
    int32_t *first; // per bucket
    uint32_t mask;  // buckets - 1
} carom_grid_moved;

void carom_grid_moved_free(carom_grid_moved *moved);
size_t carom_grid_moved_bytes(const carom_grid_moved *moved);
// After the grid was filled: nobody has moved. Room for half of its bodies.
carom_status carom_grid_moved_clear(carom_grid_moved *moved, const carom_grid *grid,
                                    carom_error *err);
// Puts a body, which is no plane, where `now` says. False where it finds no place: it has outgrown
// the cells of its level, or too many have moved.
bool carom_grid_moved_put(carom_grid_moved *moved, carom_grid *grid, int body,
                          const carom_grid_loose *now);

static inline uint32_t carom_grid_moved_bucket(const carom_grid_moved *moved, int level,
                                               const int32_t cell[3])
{
    uint32_t mixed = (uint32_t)cell[0] + (uint32_t)cell[1] * UINT32_C(0x9E3779B1) +
                     (uint32_t)cell[2] * UINT32_C(0x85EBCA77) +
                     (uint32_t)level * UINT32_C(0xC2B2AE3D);
    return (mixed ^ mixed >> 15) & moved->mask;
}

#endif
