// Hierarchical grid: bodies sorted into cells of their own size.
//
// Bodies fall into levels by size: within a level no body is larger than one cell, so that bodies
// that come near are in neighbouring cells. Each level stores its bodies in the order of their
// cells (counting sort). Where the level's extent allows, cells are numbered row by row; a sparse
// level hashes rows instead. Either way the cells of one row (equal y and z) are neighbours in
// memory.
#ifndef CAROM_COLLIDE_GRID_H
#define CAROM_COLLIDE_GRID_H

#include "collide/collide.h"

#define CAROM_GRID_LEVELS 64
// Levels with so few bodies are searched from end to end.
#define CAROM_GRID_FEW 16

typedef struct carom_grid_entry {
    double centre[3]; // of the bounds
    float half[3];    // half extents, rounded up, with margin and reach
    float radius;     // of a ball about `centre` that holds the body, rounded up, likewise
    int32_t cell[3];  // in the grid of its own level
    int32_t body;
} carom_grid_entry;

typedef struct carom_grid_level {
    double cell, per_cell;       // edge length and its inverse
    int first, count;            // its entries
    int32_t least[3], most[3];   // range of cells in use
    uint32_t stride_y, stride_z; // bucket of a cell: (x + y stride_y + z stride_z + base) & mask
    uint32_t base, mask;
    uint32_t bucket_count;
    size_t table; // start of its bucket table
} carom_grid_level;

typedef struct carom_grid {
    int level_count, entry_count, plane_count;
    carom_grid_level level[CAROM_GRID_LEVELS];
    carom_grid_entry *entry; // sorted by (level, bucket, body)
    carom_grid_entry *loose; // by body, before sorting
    unsigned char *level_of; // by body
    int32_t *plane;          // bodies without bounds
    uint32_t *start;         // bucket tables of all levels, bucket_count + 1 each
    size_t body_room, table_room;
} carom_grid;

// Sorts all bodies. Fails on positions that are not finite and when memory is short.
carom_status carom_grid_fill(carom_grid *grid, const carom_collide_bodies *bodies,
                             carom_error *err);
void carom_grid_free(carom_grid *grid);
size_t carom_grid_bytes(const carom_grid *grid);

static inline uint32_t carom_grid_bucket(const carom_grid_level *level, int32_t x, int32_t y,
                                         int32_t z)
{
    return ((uint32_t)x + (uint32_t)y * level->stride_y + (uint32_t)z * level->stride_z +
            level->base) &
           level->mask;
}

// Cell number of a coordinate. Far beyond 2^30 cells everything shares the last cell: slower, still
// right.
static inline int32_t carom_grid_cell(const carom_grid_level *level, double coordinate)
{
    double cell = floor(coordinate * level->per_cell);
    return cell < -1073741824.0 ? -1073741824 : cell > 1073741824.0 ? 1073741824 : (int32_t)cell;
}

#endif
