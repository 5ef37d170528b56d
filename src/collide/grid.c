// Building the hierarchical grid.
//
// Nothing here depends on the order in which bodies are listed except the order within a cell, and
// the pairs found are sorted afterwards.
#include "base/memory.h"
#include "base/team.h"
#include "collide/grid.h"

#include <string.h>

// Cells of a dense level: so many, and so many more for each body.
enum { DENSE_FIXED = 4096, DENSE_EACH = 8 };
enum { EXPONENTS = CAROM_GRID_OCTAVES, NO_LEVEL = CAROM_GRID_NO_LEVEL };

// Bodies whose sizes have one binary exponent.
typedef struct octave {
    float min, max; // 0: there are none
    bool spheres;   // and nothing else
} octave;

static carom_status reserve_bodies(carom_grid *grid, int count, carom_error *err);
static carom_status enter_bodies(carom_grid *grid, const carom_collide_bodies *bodies,
                                 octave *octaves, carom_error *err);
static void make_levels(carom_grid *grid, const octave *octaves);
static carom_status number_cells(carom_grid *grid, const carom_collide_bodies *bodies,
                                 carom_error *err);
static void sort_entries(carom_grid *grid, const carom_collide_bodies *bodies);

carom_status carom_grid_fill(carom_grid *grid, const carom_collide_bodies *bodies, carom_error *err)
{
    octave octaves[EXPONENTS];
    TRY(reserve_bodies(grid, bodies->count, err));
    TRY(enter_bodies(grid, bodies, octaves, err));
    make_levels(grid, octaves);
    TRY(number_cells(grid, bodies, err));
    sort_entries(grid, bodies);
    return CAROM_OK;
}

void carom_grid_free(carom_grid *grid)
{
    carom_memory_free(grid->entry);
    carom_memory_free(grid->place);
    carom_memory_free(grid->loose);
    carom_memory_free(grid->plane);
    carom_memory_free(grid->start);
    memset(grid, 0, sizeof *grid);
}

size_t carom_grid_bytes(const carom_grid *grid)
{
    size_t body =
        sizeof *grid->entry + sizeof *grid->place + sizeof *grid->loose + sizeof *grid->plane;
    return grid->body_room * body + grid->table_room * sizeof *grid->start;
}

static carom_status reserve_bodies(carom_grid *grid, int count, carom_error *err)
{
    if ((size_t)count <= grid->body_room)
        return CAROM_OK;
    size_t room = (size_t)count + 16;
    carom_grid_free(grid);
    grid->entry = carom_memory_get(room * sizeof *grid->entry);
    grid->place = carom_memory_get(room * sizeof *grid->place);
    grid->loose = carom_memory_get(room * sizeof *grid->loose);
    grid->plane = carom_memory_get(room * sizeof *grid->plane);
    if (!grid->entry || !grid->place || !grid->loose || !grid->plane) {
        carom_grid_free(grid);
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for the broad phase of %d bodies",
                               count);
    }
    grid->body_room = room;
    return CAROM_OK;
}

void carom_grid_bound_shape(const carom_shape *shape, vec3 centre, quat rotation, double slack,
                            carom_grid_loose *loose)
{
    carom_pose pose = carom_pose_make(centre, rotation);
    carom_bounds bounds = carom_shape_bounds(shape, &pose);
    vec3 half = vec3_scale(0.5, vec3_sub(bounds.max, bounds.min));
    vec3 middle = vec3_add(bounds.min, half);
    double offset = vec3_length(vec3_sub(middle, centre));
    loose->half[0] = (float)(half.x + slack);
    loose->half[1] = (float)(half.y + slack);
    loose->half[2] = (float)(half.z + slack);
    loose->radius = (float)(fmin(vec3_length(half), shape->bounding_radius + offset) + slack);
    vec3_store(middle, loose->centre);
}

static bool is_finite(const carom_grid_loose *loose)
{
    return fabs(loose->centre[0]) < 1e100 && fabs(loose->centre[1]) < 1e100 &&
           fabs(loose->centre[2]) < 1e100 && loose->radius < 1e37f;
}

static carom_status refuse_body(const carom_collide_bodies *bodies, int bad, carom_error *err)
{
    vec3 p = bodies->position[bad];
    carom_error_set(err, CAROM_BAD_INPUT, "body %d is at (%g, %g, %g), or its reach is not finite",
                    bad, p.x, p.y, p.z);
    carom_error_body(err, bad);
    return carom_error_fix(err, "look at the step before: a velocity or impulse was not finite");
}

// The binary exponent as it stands in the number.
static int octave_of(float size)
{
    uint32_t bits;
    memcpy(&bits, &size, sizeof bits);
    return (int)(bits >> 23 & 255);
}

static void clear_octaves(octave *octaves)
{
    for (int e = 0; e < EXPONENTS; ++e)
        octaves[e] = (octave){ .min = HUGE_VALF, .spheres = true };
}

static void join_octaves(octave *all, const octave *own)
{
    for (int e = 0; e < EXPONENTS; ++e) {
        all[e].min = own[e].min < all[e].min ? own[e].min : all[e].min;
        all[e].max = own[e].max > all[e].max ? own[e].max : all[e].max;
        all[e].spheres = all[e].spheres && own[e].spheres;
    }
}

// Whether a body is left out of the cells: a plane has none, one that is absent is looked for by
// nobody.
static inline bool left_out(const carom_grid *grid, const carom_collide_bodies *bodies, int i)
{
    return (bodies->absent && bodies->absent[i]) || grid->loose[i].level == NO_LEVEL;
}

// `bad` becomes the first body that is nowhere.
static void enter_share(carom_grid *grid, const carom_collide_bodies *bodies, octave *octaves,
                        int *bad, int threads)
{
    octave own[EXPONENTS];
    int first = bodies->count, end = carom_team_end(bodies->count, threads);
    clear_octaves(own);
    for (int i = carom_team_begin(bodies->count, threads); i < end; ++i) {
        carom_grid_loose *loose = &grid->loose[i];
        if (bodies->absent && bodies->absent[i])
            continue;
        if (bodies->shape[i]->kind == CAROM_SHAPE_PLANE) {
            *loose =
                (carom_grid_loose){ .level = NO_LEVEL, .fixed = bodies->fixed && bodies->fixed[i] };
            continue;
        }
        *loose = carom_grid_bounds(bodies, i);
        if (!is_finite(loose) && i < first)
            first = i;
        float size = carom_grid_size(loose);
        octave *one = &own[octave_of(size)];
        one->min = size < one->min ? size : one->min;
        one->max = size > one->max ? size : one->max;
        one->spheres = one->spheres && loose->sphere;
    }
    carom_team_lock(threads);
    *bad = first < *bad ? first : *bad;
    join_octaves(octaves, own);
    carom_team_unlock(threads);
}
CAROM_TEAM_SHARE5(enter_share, carom_grid *, const carom_collide_bodies *, octave *, int *, int)

static carom_status enter_bodies(carom_grid *grid, const carom_collide_bodies *bodies,
                                 octave *octaves, carom_error *err)
{
    int bad = bodies->count, threads = carom_collide_threads(bodies);
    clear_octaves(octaves);
    CAROM_TEAM(threads, enter_share(grid, bodies, octaves, &bad, threads));
    if (bad < bodies->count)
        return refuse_body(bodies, bad, err);
    grid->plane_count = 0;
    for (int i = 0; i < bodies->count; ++i)
        if (!(bodies->absent && bodies->absent[i]) && grid->loose[i].level == NO_LEVEL) {
            grid->loose[i].at = (uint32_t)grid->plane_count;
            grid->plane[grid->plane_count++] = i;
        }
    return CAROM_OK;
}

// Octaves of size, then neighbouring octaves joined where everything fits within a factor two: a
// cell then holds at most about eight bodies that do not overlap.
static void make_levels(carom_grid *grid, const octave *octaves)
{
    grid->level_count = 0;
    float smallest = 0;
    for (int e = 0; e < EXPONENTS; ++e) {
        const octave *size = &octaves[e];
        if (size->max <= 0)
            continue;
        bool fits = grid->level_count > 0 && size->max <= 2 * smallest;
        if (!fits && grid->level_count < CAROM_GRID_LEVELS) {
            grid->level[grid->level_count++] = (carom_grid_level){ .spheres = true };
            smallest = size->min;
        }
        grid->level_of[e] = (unsigned char)(grid->level_count - 1);
        carom_grid_level *own = &grid->level[grid->level_of[e]];
        own->cell = 2 * (double)size->max * (1 + 1e-6);
        own->spheres = own->spheres && size->spheres;
    }
}

static void open_ranges(carom_grid *grid)
{
    for (int l = 0; l < grid->level_count; ++l) {
        carom_grid_level *level = &grid->level[l];
        level->per_cell = 1 / level->cell;
        for (int k = 0; k < 3; ++k) {
            level->min[k] = INT32_MAX;
            level->max[k] = INT32_MIN;
        }
    }
}

// Dense numbering when the padded box of cells is not much larger than the number of bodies; else
// rows are spread by odd multipliers.
static void lay_out(carom_grid_level *level)
{
    double nx = (double)level->max[0] - level->min[0] + 3;
    double ny = (double)level->max[1] - level->min[1] + 3;
    double nz = (double)level->max[2] - level->min[2] + 3;
    level->base = 0;
    level->dense = nx * ny * nz <= (double)DENSE_EACH * level->count + DENSE_FIXED;
    if (level->dense) {
        level->stride_y = (uint32_t)nx;
        level->stride_z = (uint32_t)(nx * ny);
        level->mask = UINT32_MAX;
        level->bucket_count = (uint32_t)(nx * ny * nz);
        level->base =
            0 - carom_grid_bucket(level, level->min[0] - 1, level->min[1] - 1, level->min[2] - 1);
        return;
    }
    level->bucket_count = 64;
    while (level->bucket_count < 2 * (uint32_t)level->count)
        level->bucket_count *= 2;
    level->stride_y = 0x9E3779B1u;
    level->stride_z = 0x85EBCA77u;
    level->mask = level->bucket_count - 1;
}

static carom_status reserve_tables(carom_grid *grid, size_t tables, carom_error *err)
{
    if (tables > grid->table_room) {
        // The box of cells breathes with the motion: room for two levels as large as they get.
        size_t room = 2 * (DENSE_FIXED + DENSE_EACH * (size_t)grid->entry_count);
        room = room > 2 * tables ? room : 2 * tables;
        carom_memory_free(grid->start);
        grid->start = carom_memory_get(room * sizeof *grid->start);
        grid->table_room = grid->start ? room : 0;
        if (!grid->start)
            return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %zu grid cells", tables);
    }
    memset(grid->start, 0, tables * sizeof *grid->start);
    return CAROM_OK;
}

// Levels and cells of the bodies, and the box of cells of each level, which is `empty` before;
// smallest and largest do not depend on who looks first.
static void number_share(carom_grid *grid, const carom_grid_level *empty,
                         const carom_collide_bodies *bodies, int threads)
{
    carom_grid_level own[CAROM_GRID_LEVELS];
    int end = carom_team_end(bodies->count, threads);
    memcpy(own, empty, sizeof own);
    for (int i = carom_team_begin(bodies->count, threads); i < end; ++i) {
        carom_grid_loose *loose = &grid->loose[i];
        if (left_out(grid, bodies, i))
            continue;
        loose->level = grid->level_of[octave_of(carom_grid_size(loose))];
        carom_grid_level *level = &own[loose->level];
        ++level->count;
        for (int k = 0; k < 3; ++k) {
            int32_t cell = carom_grid_cell(level, loose->centre[k]);
            loose->cell[k] = cell;
            level->min[k] = cell < level->min[k] ? cell : level->min[k];
            level->max[k] = cell > level->max[k] ? cell : level->max[k];
        }
    }
    carom_team_lock(threads);
    for (int l = 0; l < grid->level_count; ++l) {
        carom_grid_level *level = &grid->level[l];
        level->count += own[l].count;
        for (int k = 0; k < 3; ++k) {
            level->min[k] = own[l].min[k] < level->min[k] ? own[l].min[k] : level->min[k];
            level->max[k] = own[l].max[k] > level->max[k] ? own[l].max[k] : level->max[k];
        }
    }
    carom_team_unlock(threads);
}
CAROM_TEAM_SHARE4(number_share, carom_grid *, const carom_grid_level *,
                  const carom_collide_bodies *, int)

static carom_status number_cells(carom_grid *grid, const carom_collide_bodies *bodies,
                                 carom_error *err)
{
    int threads = carom_collide_threads(bodies);
    carom_grid_level empty[CAROM_GRID_LEVELS];
    open_ranges(grid);
    memcpy(empty, grid->level, sizeof empty);
    CAROM_TEAM(threads, number_share(grid, empty, bodies, threads));
    size_t tables = 0;
    grid->entry_count = 0;
    for (int l = 0; l < grid->level_count; ++l) {
        carom_grid_level *level = &grid->level[l];
        lay_out(level);
        level->first = grid->entry_count;
        level->table = tables;
        grid->entry_count += level->count;
        tables += (size_t)level->bucket_count + 1;
    }
    return reserve_tables(grid, tables, err);
}

// The middle of all cells in use, and the largest distance from it along an axis.
static void find_origin(carom_grid *grid)
{
    grid->extent = 0;
    for (int k = 0; k < 3; ++k) {
        double min = HUGE_VAL, max = -HUGE_VAL;
        for (int l = 0; l < grid->level_count; ++l) {
            min = fmin(min, grid->level[l].min[k] * grid->level[l].cell);
            max = fmax(max, (grid->level[l].max[k] + 1.0) * grid->level[l].cell);
        }
        grid->origin[k] = grid->level_count ? 0.5 * (min + max) : 0;
        grid->extent = fmax(grid->extent, 0.5 * (max - min));
    }
}

// A coordinate loses at most half a unit in the last of 24 places; a difference twice that. Whoever
// has moved may be beyond the extent.
carom_grid_entry carom_grid_entry_of(const carom_grid *grid, int body)
{
    const carom_grid_loose *loose = &grid->loose[body];
    carom_grid_entry entry = { .body = (uint32_t)body | (loose->fixed ? CAROM_GRID_FIXED : 0) };
    double extent = grid->extent;
    for (int k = 0; k < 3; ++k) {
        double coordinate = loose->centre[k] - grid->origin[k];
        entry.centre[k] = (float)coordinate;
        extent = fmax(extent, fabs(coordinate));
    }
    float loss = (float)(extent * 1.3e-7);
    entry.radius = loose->radius * (1 + 1e-6f) + loss;
    for (int k = 0; k < 3; ++k)
        entry.half[k] = loose->half[k] * (1 + 1e-6f) + loss;
    return entry;
}

static uint32_t *slot_of(const carom_grid *grid, const carom_grid_loose *loose)
{
    const carom_grid_level *level = &grid->level[loose->level];
    const int32_t *cell = loose->cell;
    return &grid->start[level->table + carom_grid_bucket(level, cell[0], cell[1], cell[2])];
}

// Bodies of one cell lie in the order in which threads come: only the order of the pairs found
// depends on it, and those are sorted.
static inline uint32_t take_slot(uint32_t *slot, int threads)
{
    return threads > 1 ? __atomic_fetch_add(slot, 1, __ATOMIC_RELAXED) : (*slot)++;
}

static void count_share(carom_grid *grid, const carom_collide_bodies *bodies, int threads)
{
    int end = carom_team_end(bodies->count, threads);
    for (int i = carom_team_begin(bodies->count, threads); i < end; ++i)
        if (!left_out(grid, bodies, i))
            take_slot(slot_of(grid, &grid->loose[i]), threads);
}
CAROM_TEAM_SHARE3(count_share, carom_grid *, const carom_collide_bodies *, int)

static void place_share(carom_grid *grid, const carom_collide_bodies *bodies, int threads)
{
    int end = carom_team_end(bodies->count, threads);
    for (int i = carom_team_begin(bodies->count, threads); i < end; ++i) {
        carom_grid_loose *loose = &grid->loose[i];
        if (left_out(grid, bodies, i))
            continue;
        loose->at = take_slot(slot_of(grid, loose), threads);
        grid->entry[loose->at] = carom_grid_entry_of(grid, i);
        memcpy(grid->place[loose->at].cell, loose->cell, sizeof loose->cell);
    }
}
CAROM_TEAM_SHARE3(place_share, carom_grid *, const carom_collide_bodies *, int)

// Counting sort. Counts become starting points; filling moves each starting point to the end of its
// bucket, which is the start of the next, so a shift by one place restores them.
static void sort_entries(carom_grid *grid, const carom_collide_bodies *bodies)
{
    find_origin(grid);
    int threads = carom_collide_threads(bodies);
    CAROM_TEAM(threads, count_share(grid, bodies, threads));
    for (int l = 0; l < grid->level_count; ++l) {
        uint32_t *start = grid->start + grid->level[l].table, sum = (uint32_t)grid->level[l].first;
        for (uint32_t b = 0; b <= grid->level[l].bucket_count; ++b) {
            uint32_t next = sum + start[b];
            start[b] = sum;
            sum = next;
        }
    }
    CAROM_TEAM(threads, place_share(grid, bodies, threads));
    for (int l = 0; l < grid->level_count; ++l) {
        uint32_t *start = grid->start + grid->level[l].table;
        memmove(start + 1, start, grid->level[l].bucket_count * sizeof *start);
        start[0] = (uint32_t)grid->level[l].first;
    }
}
