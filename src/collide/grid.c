// Building the hierarchical grid.
//
// Nothing here depends on the order in which bodies are listed except the order within a cell, and
// the pairs found are sorted afterwards.
#include "collide/grid.h"

#include <stdlib.h>
#include <string.h>

static carom_status reserve_bodies(carom_grid *grid, int count, carom_error *err);
static carom_status enter_bodies(carom_grid *grid, const carom_collide_bodies *bodies,
                                 carom_error *err);
static void make_levels(carom_grid *grid, int count);
static carom_status number_cells(carom_grid *grid, int count, carom_error *err);
static void sort_entries(carom_grid *grid, int count);

enum { EXPONENTS = 2200, NO_LEVEL = 255 };

carom_status carom_grid_fill(carom_grid *grid, const carom_collide_bodies *bodies, carom_error *err)
{
    TRY(reserve_bodies(grid, bodies->count, err));
    TRY(enter_bodies(grid, bodies, err));
    make_levels(grid, bodies->count);
    TRY(number_cells(grid, bodies->count, err));
    sort_entries(grid, bodies->count);
    return CAROM_OK;
}

void carom_grid_free(carom_grid *grid)
{
    free(grid->entry);
    free(grid->loose);
    free(grid->level_of);
    free(grid->plane);
    free(grid->start);
    memset(grid, 0, sizeof *grid);
}

size_t carom_grid_bytes(const carom_grid *grid)
{
    return grid->body_room * (2 * sizeof *grid->entry + 1 + sizeof *grid->plane) +
           grid->table_room * sizeof *grid->start;
}

static carom_status reserve_bodies(carom_grid *grid, int count, carom_error *err)
{
    if ((size_t)count <= grid->body_room)
        return CAROM_OK;
    size_t room = (size_t)count + 16;
    carom_grid_free(grid);
    grid->entry = malloc(room * sizeof *grid->entry);
    grid->loose = malloc(room * sizeof *grid->loose);
    grid->level_of = malloc(room);
    grid->plane = malloc(room * sizeof *grid->plane);
    if (!grid->entry || !grid->loose || !grid->level_of || !grid->plane) {
        carom_grid_free(grid);
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for the broad phase of %d bodies",
                               count);
    }
    grid->body_room = room;
    return CAROM_OK;
}

static float rounded_up(double value)
{
    return (float)(value * (1 + 4e-7));
}

static carom_grid_entry entry_of(const carom_collide_bodies *bodies, int i)
{
    const carom_shape *shape = bodies->shape[i];
    double slack = bodies->margin / 2 + (bodies->reach ? bodies->reach[i] : 0);
    vec3 centre = bodies->position[i];
    carom_grid_entry entry = { .body = i };
    if (shape->kind == CAROM_SHAPE_SPHERE) {
        float reach = rounded_up(shape->radius + slack);
        entry.half[0] = entry.half[1] = entry.half[2] = entry.radius = reach;
    } else {
        carom_pose pose = carom_pose_make(centre, bodies->rotation[i]);
        carom_bounds bounds = carom_shape_bounds(shape, &pose);
        vec3 half = vec3_scale(.5, vec3_sub(bounds.most, bounds.least));
        vec3 middle = vec3_axpy(bounds.least, 1, half);
        double offset = vec3_length(vec3_sub(middle, centre));
        entry.half[0] = rounded_up(half.x + slack);
        entry.half[1] = rounded_up(half.y + slack);
        entry.half[2] = rounded_up(half.z + slack);
        entry.radius = rounded_up(fmin(vec3_length(half), shape->bounding_radius + offset) + slack);
        centre = middle;
    }
    vec3_store(centre, entry.centre);
    return entry;
}

static bool is_finite(const carom_grid_entry *entry)
{
    return fabs(entry->centre[0]) < 1e300 && fabs(entry->centre[1]) < 1e300 &&
           fabs(entry->centre[2]) < 1e300 && entry->radius < HUGE_VALF;
}

static carom_status enter_bodies(carom_grid *grid, const carom_collide_bodies *bodies,
                                 carom_error *err)
{
    int bad = bodies->count;
#pragma omp parallel for schedule(static) reduction(min : bad)
    for (int i = 0; i < bodies->count; ++i) {
        bool plane = bodies->shape[i]->kind == CAROM_SHAPE_PLANE;
        grid->level_of[i] = plane ? NO_LEVEL : 0;
        if (plane)
            continue;
        grid->loose[i] = entry_of(bodies, i);
        if (!is_finite(&grid->loose[i]) && i < bad)
            bad = i;
    }
    if (bad < bodies->count) {
        vec3 p = bodies->position[bad];
        carom_error_set(err, CAROM_BAD_INPUT,
                        "body %d is at (%g, %g, %g) or its reach is not finite", bad, p.x, p.y,
                        p.z);
        return carom_error_fix(err,
                               "look at the step before: a velocity or impulse was not finite");
    }
    grid->plane_count = 0;
    for (int i = 0; i < bodies->count; ++i)
        if (grid->level_of[i] == NO_LEVEL)
            grid->plane[grid->plane_count++] = i;
    return CAROM_OK;
}

static float size_of(const carom_grid_entry *entry)
{
    return fmaxf(entry->half[0], fmaxf(entry->half[1], entry->half[2]));
}

static int exponent_of(const carom_grid_entry *entry)
{
    int exponent;
    frexpf(size_of(entry), &exponent);
    return exponent + EXPONENTS / 2;
}

// Octaves of size, then neighbouring octaves joined where everything fits within a factor two: a
// cell then holds at most about eight bodies that do not overlap.
static void make_levels(carom_grid *grid, int count)
{
    float least[EXPONENTS], most[EXPONENTS];
    unsigned char level[EXPONENTS];
    memset(most, 0, sizeof most);
    for (int i = 0; i < count; ++i) {
        if (grid->level_of[i] == NO_LEVEL)
            continue;
        float size = size_of(&grid->loose[i]);
        int e = exponent_of(&grid->loose[i]);
        least[e] = most[e] > 0 ? fminf(least[e], size) : size;
        most[e] = fmaxf(most[e], size);
    }
    grid->level_count = 0;
    float smallest = 0;
    for (int e = 0; e < EXPONENTS; ++e) {
        if (most[e] <= 0)
            continue;
        bool fits = grid->level_count > 0 && most[e] <= 2 * smallest;
        if (!fits && grid->level_count < CAROM_GRID_LEVELS) {
            grid->level[grid->level_count++] = (carom_grid_level){ 0 };
            smallest = least[e];
        }
        level[e] = (unsigned char)(grid->level_count - 1);
        grid->level[level[e]].cell = 2 * (double)most[e];
    }
    for (int i = 0; i < count; ++i)
        if (grid->level_of[i] != NO_LEVEL)
            grid->level_of[i] = level[exponent_of(&grid->loose[i])];
}

static void open_ranges(carom_grid *grid)
{
    for (int l = 0; l < grid->level_count; ++l) {
        carom_grid_level *level = &grid->level[l];
        level->per_cell = 1 / level->cell;
        for (int k = 0; k < 3; ++k) {
            level->least[k] = INT32_MAX;
            level->most[k] = INT32_MIN;
        }
    }
}

// Dense numbering when the padded box of cells is not much larger than the number of bodies; else
// rows are spread by odd multipliers.
static void lay_out(carom_grid_level *level)
{
    double nx = (double)level->most[0] - level->least[0] + 3;
    double ny = (double)level->most[1] - level->least[1] + 3;
    double nz = (double)level->most[2] - level->least[2] + 3;
    if (nx * ny * nz <= 8.0 * level->count + 4096) {
        level->stride_y = (uint32_t)nx;
        level->stride_z = (uint32_t)(nx * ny);
        level->base = 0;
        level->mask = UINT32_MAX;
        level->bucket_count = (uint32_t)(nx * ny * nz);
        level->base = 0 - carom_grid_bucket(level, level->least[0] - 1, level->least[1] - 1,
                                            level->least[2] - 1);
        return;
    }
    level->bucket_count = 64;
    while (level->bucket_count < 2 * (uint32_t)level->count)
        level->bucket_count *= 2;
    level->stride_y = 0x9E3779B1u;
    level->stride_z = 0x85EBCA77u;
    level->base = 0;
    level->mask = level->bucket_count - 1;
}

static carom_status number_cells(carom_grid *grid, int count, carom_error *err)
{
    open_ranges(grid);
    for (int i = 0; i < count; ++i) {
        if (grid->level_of[i] == NO_LEVEL)
            continue;
        carom_grid_level *level = &grid->level[grid->level_of[i]];
        carom_grid_entry *entry = &grid->loose[i];
        ++level->count;
        for (int k = 0; k < 3; ++k) {
            int32_t cell = carom_grid_cell(level, entry->centre[k]);
            entry->cell[k] = cell;
            level->least[k] = cell < level->least[k] ? cell : level->least[k];
            level->most[k] = cell > level->most[k] ? cell : level->most[k];
        }
    }
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
    if (tables > grid->table_room) {
        // Twice what is needed now: the box of cells breathes with the motion.
        free(grid->start);
        grid->start = malloc(2 * tables * sizeof *grid->start);
        grid->table_room = grid->start ? 2 * tables : 0;
        if (!grid->start)
            return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %zu grid cells", tables);
    }
    memset(grid->start, 0, tables * sizeof *grid->start);
    return CAROM_OK;
}

// Counting sort. Counts are kept one place to the right and turned into starting points; filling
// then moves each starting point to the end of its bucket, which is the start of the next.
static void sort_entries(carom_grid *grid, int count)
{
    for (int i = 0; i < count; ++i) {
        if (grid->level_of[i] == NO_LEVEL)
            continue;
        const carom_grid_level *level = &grid->level[grid->level_of[i]];
        const int32_t *cell = grid->loose[i].cell;
        ++grid->start[level->table + carom_grid_bucket(level, cell[0], cell[1], cell[2])];
    }
    for (int l = 0; l < grid->level_count; ++l) {
        uint32_t *start = grid->start + grid->level[l].table, sum = (uint32_t)grid->level[l].first;
        for (uint32_t b = 0; b <= grid->level[l].bucket_count; ++b) {
            uint32_t next = sum + start[b];
            start[b] = sum;
            sum = next;
        }
    }
    for (int i = 0; i < count; ++i) {
        if (grid->level_of[i] == NO_LEVEL)
            continue;
        const carom_grid_level *level = &grid->level[grid->level_of[i]];
        const int32_t *cell = grid->loose[i].cell;
        uint32_t *slot =
            &grid->start[level->table + carom_grid_bucket(level, cell[0], cell[1], cell[2])];
        grid->entry[(*slot)++] = grid->loose[i];
    }
    // Every start now stands at its bucket's end: move them one place up again.
    for (int l = 0; l < grid->level_count; ++l) {
        uint32_t *start = grid->start + grid->level[l].table;
        memmove(start + 1, start, grid->level[l].bucket_count * sizeof *start);
        start[0] = (uint32_t)grid->level[l].first;
    }
}
