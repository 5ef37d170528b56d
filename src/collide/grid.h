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
#define CAROM_GRID_OCTAVES 256
// Levels with so few bodies are searched from end to end.
#define CAROM_GRID_FEW 16
#define CAROM_GRID_NO_LEVEL 255 // of a plane

// What the search reads, two to a cache line. Single precision suffices: sizes are rounded up by
// more than the coordinates lose, so that a near pair is never missed, and the narrow phase
// decides.
typedef struct carom_grid_entry {
    float centre[3]; // of the bounds, from grid.origin
    float radius;    // of a sphere about `centre` that holds the body, with margin and reach
    float half[3];   // half extents of the bounds, likewise
    uint32_t body;   // number; the top bit marks fixed bodies
} carom_grid_entry;

#define CAROM_GRID_FIXED UINT32_C(0x80000000)

typedef struct carom_grid_place {
    int32_t cell[3]; // in the grid of its own level
} carom_grid_place;

// A body before sorting.
typedef struct carom_grid_loose {
    double centre[3];
    float half[3], radius;
    int32_t cell[3];
    uint32_t at; // its place when sorted; of a plane that among the planes
    bool sphere, fixed;
    bool moved; // since the grid was filled: its place is among those that have (grid_moved.h)
    bool fresh; // being placed anew at the moment
    unsigned char level;
} carom_grid_loose;

typedef struct carom_grid_level {
    double cell, per_cell;       // edge length and its inverse
    int first, count;            // its entries
    int32_t min[3], max[3];      // range of cells in use
    uint32_t stride_y, stride_z; // bucket of a cell: (x + y stride_y + z stride_z + base) & mask
    uint32_t base, mask;
    uint32_t bucket_count;
    size_t table; // start of its bucket table
    bool spheres; // spheres only: the bounds add nothing to the spheres
    bool dense;   // no two cells share a bucket
} carom_grid_level;

typedef struct carom_grid {
    int level_count, entry_count, plane_count;
    carom_grid_level level[CAROM_GRID_LEVELS];
    unsigned char level_of[CAROM_GRID_OCTAVES]; // by the binary exponent of a body's size
    double origin[3];                           // middle of the scene
    double extent;                              // m, from there, along an axis
    carom_grid_entry *entry;                    // sorted by (level, bucket, body)
    carom_grid_place *place;                    // in the same order
    carom_grid_loose *loose;                    // by body
    int32_t *plane;                             // bodies without bounds
    uint32_t *start; // bucket tables of all levels, bucket_count + 1 each
    size_t body_room, table_room;
} carom_grid;

// Sorts all bodies. Fails on positions that are not finite and when memory is short.
carom_status carom_grid_fill(carom_grid *grid, const carom_collide_bodies *bodies,
                             carom_error *err);
// Bounds of a shape that is neither sphere nor plane.
void carom_grid_bound_shape(const carom_shape *shape, vec3 centre, quat rotation, double slack,
                            carom_grid_loose *loose);
// The entry of a body as its bounds are now.
carom_grid_entry carom_grid_entry_of(const carom_grid *grid, int body);
void carom_grid_free(carom_grid *grid);
size_t carom_grid_bytes(const carom_grid *grid);

// The bounds of a body that is no plane, with margin, reach and skin.
static inline carom_grid_loose carom_grid_bounds(const carom_collide_bodies *bodies, int i)
{
    const carom_shape *shape = bodies->shape[i];
    double slack = bodies->margin / 2 + (bodies->reach ? bodies->reach[i] : 0) +
                   (bodies->skin ? (double)bodies->skin[i] : 0);
    carom_grid_loose loose = { .sphere = shape->kind == CAROM_SHAPE_SPHERE,
                               .fixed = bodies->fixed && bodies->fixed[i] };
    if (!loose.sphere) {
        carom_grid_bound_shape(shape, bodies->position[i], bodies->rotation[i], slack, &loose);
        return loose;
    }
    loose.radius = (float)(shape->radius + slack);
    loose.half[0] = loose.half[1] = loose.half[2] = loose.radius;
    vec3_store(bodies->position[i], loose.centre);
    return loose;
}

// The largest half extent; what a body's level goes by.
static inline float carom_grid_size(const carom_grid_loose *loose)
{
    float xy = loose->half[0] > loose->half[1] ? loose->half[0] : loose->half[1];
    return xy > loose->half[2] ? xy : loose->half[2];
}

// Half extent of the largest body that a level takes.
static inline double carom_grid_most(const carom_grid_level *level)
{
    return level->cell / (2 * (1 + 1e-6));
}

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
