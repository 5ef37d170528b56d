// Broad phase on the hierarchical grid.
//
// Each body looks at its own level (half of the neighbouring cells, so that every pair is seen
// once) and at all coarser levels (all cells within reach). A candidate becomes a pair when boxes
// and spheres both come within reach. Threads take equal runs of the sorted bodies and write lists
// of their own; a final counting sort by (a, b) makes the result independent of the number of
// threads and of the grid.
#include "base/memory.h"
#include "base/team.h"
#include "collide/broad.h"
#include "collide/grid_moved.h"
#include "collide/pair_order.h"

#include <string.h>

struct carom_broad {
    carom_grid grid;
    carom_grid_moved moved; // since the last search
    carom_pair_order order;
};

typedef struct query {
    const carom_grid *grid;
    carom_found *list;
} query;

static void search(query *q, int begin, int end);
static void search_plane(query *q, const carom_half_space *space, const carom_grid_entry *entry,
                         int count);
static void search_coarser(query *q, const carom_grid_entry *entry, const carom_grid_level *level);
static void search_moved(query *q, const carom_grid_entry *entry, const carom_grid_moved *moved,
                         int level);

carom_status carom_broad_create(carom_broad **out, carom_error *err)
{
    *out = carom_memory_zeros(1, sizeof **out);
    return *out ? CAROM_OK : carom_error_set(err, CAROM_NO_MEMORY, "no memory for a broad phase");
}

void carom_broad_destroy(carom_broad *broad)
{
    if (!broad)
        return;
    carom_grid_free(&broad->grid);
    carom_grid_moved_free(&broad->moved);
    carom_pair_order_free(&broad->order);
    carom_memory_free(broad);
}

const carom_grid *carom_broad_grid(const carom_broad *broad)
{
    return &broad->grid;
}

size_t carom_broad_bytes(const carom_broad *broad)
{
    return carom_grid_bytes(&broad->grid) + carom_grid_moved_bytes(&broad->moved) +
           carom_pair_order_bytes(&broad->order);
}

static void search_share(carom_broad *broad, const carom_collide_bodies *bodies, int threads)
{
    long entries = broad->grid.entry_count;
    CAROM_TEAM_EACH (t, threads, threads) {
        query q = { &broad->grid, &broad->order.list[t] };
        int begin = (int)(entries * t / threads), end = (int)(entries * (t + 1) / threads);
        search(&q, begin, end);
        for (int p = 0; p < broad->grid.plane_count; ++p) {
            carom_half_space space = carom_broad_half_space(bodies, broad->grid.plane[p]);
            search_plane(&q, &space, broad->grid.entry + begin, end - begin);
        }
    }
}
CAROM_TEAM_SHARE3(search_share, carom_broad *, const carom_collide_bodies *, int)

carom_status carom_broad_find(carom_broad *broad, const carom_collide_bodies *bodies,
                              carom_body_pair **pairs, int *count, carom_error *err)
{
    *count = 0;
    int threads = carom_collide_threads(bodies);
    TRY(carom_pair_order_begin(&broad->order, threads, bodies->most_pairs, err));
    TRY(carom_grid_fill(&broad->grid, bodies, err));
    CAROM_TEAM(threads, search_share(broad, bodies, threads));
    TRY(carom_pair_order_sort(&broad->order, bodies->count, threads, count, err));
    *pairs = broad->order.sorted;
    return CAROM_OK;
}

carom_status carom_broad_stay(carom_broad *broad, carom_error *err)
{
    return carom_grid_moved_clear(&broad->moved, &broad->grid, err);
}

bool carom_broad_place(carom_broad *broad, int body, const carom_grid_loose *now)
{
    return carom_grid_moved_put(&broad->moved, &broad->grid, body, now);
}

typedef struct visit {
    carom_broad *broad;
    const carom_half_space *space; // of all planes
    const int32_t *body;           // whom to look about
    int count;
} visit;

static void look_share(const visit *v, int threads)
{
    const carom_broad *broad = v->broad;
    const carom_grid *grid = &broad->grid;
    CAROM_TEAM_EACH (t, threads, threads) {
        query q = { grid, &broad->order.list[t] };
        for (int k = t; k < v->count; k += threads) {
            const carom_grid_loose *loose = &grid->loose[v->body[k]];
            if (loose->level == CAROM_GRID_NO_LEVEL) {
                const carom_half_space *space = &v->space[loose->at];
                search_plane(&q, space, grid->entry, grid->entry_count);
                search_plane(&q, space, broad->moved.entry, broad->moved.count);
                continue;
            }
            const carom_grid_entry *entry = &broad->moved.entry[loose->at];
            for (int l = 0; l < grid->level_count; ++l) {
                search_coarser(&q, entry, &grid->level[l]);
                search_moved(&q, entry, &broad->moved, l);
            }
            for (int p = 0; p < grid->plane_count; ++p)
                if (!grid->loose[grid->plane[p]].fresh)
                    search_plane(&q, &v->space[p], entry, 1);
        }
    }
}
CAROM_TEAM_SHARE2(look_share, const visit *, int)

carom_status carom_broad_look(carom_broad *broad, const carom_collide_bodies *bodies,
                              const carom_half_space *space, const int32_t *body, int count,
                              carom_body_pair **pairs, int *found, carom_error *err)
{
    visit v = { broad, space, body, count };
    int threads = carom_collide_threads(bodies);
    *found = 0;
    TRY(carom_pair_order_begin(&broad->order, threads, 0, err));
    for (int k = 0; k < count; ++k)
        broad->grid.loose[body[k]].fresh = true;
    CAROM_TEAM(threads, look_share(&v, threads));
    for (int k = 0; k < count; ++k)
        broad->grid.loose[body[k]].fresh = false;
    TRY(carom_pair_order_sort(&broad->order, bodies->count, threads, found, err));
    *pairs = broad->order.sorted;
    return CAROM_OK;
}

// 0 or 1, to be added up without a branch.
static inline int near_spheres(const carom_grid_entry *a, const carom_grid_entry *b)
{
    float x = a->centre[0] - b->centre[0], y = a->centre[1] - b->centre[1];
    float z = a->centre[2] - b->centre[2], r = a->radius + b->radius;
    return x * x + y * y + z * z <= r * r;
}

static inline int near_boxes(const carom_grid_entry *a, const carom_grid_entry *b)
{
    return (fabsf(a->centre[0] - b->centre[0]) <= a->half[0] + b->half[0]) &
           (fabsf(a->centre[1] - b->centre[1]) <= a->half[1] + b->half[1]) &
           (fabsf(a->centre[2] - b->centre[2]) <= a->half[2] + b->half[2]);
}

// Candidates of one run of the sorted bodies; the caller has made room for all of them. Whether a
// candidate is near is a coin toss the processor cannot predict: every candidate is written, and
// the end of the list moves on only when it counts. Pairs are put in order when they are sorted.
__attribute__((noinline)) static carom_body_pair *scan_spheres(const carom_grid_entry *entry,
                                                               const carom_grid_entry *other,
                                                               const carom_grid_entry *end,
                                                               carom_body_pair *out)
{
    carom_grid_entry e = *entry;
    for (; other < end; ++other) {
        *out = (carom_body_pair){ (int)e.body, (int)other->body };
        out += near_spheres(&e, other);
    }
    return out;
}

__attribute__((noinline)) static carom_body_pair *scan_boxes(const carom_grid_entry *entry,
                                                             const carom_grid_entry *other,
                                                             const carom_grid_entry *end,
                                                             carom_body_pair *out)
{
    carom_grid_entry e = *entry;
    for (; other < end; ++other) {
        *out = (carom_body_pair){ (int)e.body, (int)other->body };
        out += near_spheres(&e, other) & near_boxes(&e, other);
    }
    return out;
}

static inline void scan(query *q, const carom_grid_entry *entry, uint32_t begin, uint32_t end,
                        bool spheres)
{
    carom_found *list = q->list;
    if (begin >= end || !carom_pair_order_room(list, end - begin))
        return;
    const carom_grid_entry *all = q->grid->entry;
    carom_body_pair *out = list->pair + list->count;
    carom_body_pair *last = spheres ? scan_spheres(entry, all + begin, all + end, out)
                                    : scan_boxes(entry, all + begin, all + end, out);
    list->count += (size_t)(last - out);
}

// The same in a hashed row: other rows share its buckets and must be told apart.
static void scan_hashed(query *q, const carom_grid_entry *entry, uint32_t begin, uint32_t end,
                        const int32_t row[2])
{
    for (uint32_t i = begin; i < end; ++i)
        if (q->grid->place[i].cell[1] == row[0] && q->grid->place[i].cell[2] == row[1])
            scan(q, entry, i, i + 1, false);
}

// All bodies of one level in the cells x[0] to x[1] of the row (y, z). A hashed row may wrap round
// the end of the table.
static inline void scan_row(query *q, const carom_grid_entry *entry, const carom_grid_level *level,
                            const int32_t x[2], const int32_t row[2])
{
    const uint32_t *start = q->grid->start + level->table;
    uint32_t b0 = carom_grid_bucket(level, x[0], row[0], row[1]);
    uint32_t b1 = carom_grid_bucket(level, x[1], row[0], row[1]);
    if (level->dense) {
        scan(q, entry, start[b0], start[b1 + 1], level->spheres);
    } else if (b0 <= b1) {
        scan_hashed(q, entry, start[b0], start[b1 + 1], row);
    } else {
        scan_hashed(q, entry, start[b0], start[level->bucket_count], row);
        scan_hashed(q, entry, start[0], start[b1 + 1], row);
    }
}

// Where the neighbours of one cell lie: its own row from here on, then four rows ahead.
typedef struct surroundings {
    const int32_t *cell;
    uint32_t begin[5], end[5];
} surroundings;

static void look_round(const query *q, const carom_grid_level *level, const int32_t *cell,
                       surroundings *round)
{
    static const int32_t ahead[5][2] = { { 0, 0 }, { 1, 0 }, { -1, 1 }, { 0, 1 }, { 1, 1 } };
    const uint32_t *start = q->grid->start + level->table;
    round->cell = cell;
    for (int r = 0; r < 5; ++r) {
        uint32_t middle =
            carom_grid_bucket(level, cell[0], cell[1] + ahead[r][0], cell[2] + ahead[r][1]);
        round->begin[r] = start[middle - 1];
        round->end[r] = start[middle + 2];
    }
}

// Bodies of one cell follow each other and share their surroundings.
static void search_dense(query *q, uint32_t at, const carom_grid_level *level, surroundings *round)
{
    const int32_t *cell = q->grid->place[at].cell;
    if (!round->cell || memcmp(cell, round->cell, 3 * sizeof *cell) != 0)
        look_round(q, level, cell, round);
    round->begin[0] = at + 1;
    for (int r = 0; r < 5; ++r)
        scan(q, &q->grid->entry[at], round->begin[r], round->end[r], level->spheres);
}

static void search_hashed(query *q, uint32_t at, const carom_grid_level *level)
{
    const carom_grid_entry *entry = &q->grid->entry[at];
    const uint32_t *start = q->grid->start + level->table;
    const int32_t *cell = q->grid->place[at].cell;
    int32_t x = cell[0], y = cell[1], z = cell[2];
    scan_hashed(q, entry, at + 1, start[carom_grid_bucket(level, x, y, z) + 1],
                (int32_t[2]){ y, z });
    scan_row(q, entry, level, (int32_t[2]){ x + 1, x + 1 }, (int32_t[2]){ y, z });
    int32_t sides[2] = { x - 1, x + 1 };
    scan_row(q, entry, level, sides, (int32_t[2]){ y + 1, z });
    for (int32_t dy = -1; dy <= 1; ++dy)
        scan_row(q, entry, level, sides, (int32_t[2]){ y + dy, z + 1 });
}

static void search_own_level(query *q, uint32_t at, const carom_grid_level *level,
                             surroundings *round)
{
    if (level->count <= CAROM_GRID_FEW)
        scan(q, &q->grid->entry[at], at + 1, (uint32_t)(level->first + level->count),
             level->spheres);
    else if (level->dense)
        search_dense(q, at, level, round);
    else
        search_hashed(q, at, level);
}

// The cells of a level in which a body may be whose bounds meet those of `entry`.
static void cells_about(const query *q, const carom_grid_entry *entry,
                        const carom_grid_level *level, int32_t low[3], int32_t high[3])
{
    for (int k = 0; k < 3; ++k) {
        double centre = q->grid->origin[k] + (double)entry->centre[k];
        double reach = (double)entry->half[k] + level->cell / 2;
        low[k] = carom_grid_cell(level, centre - reach);
        high[k] = carom_grid_cell(level, centre + reach);
    }
}

// All bodies of a level that have kept their places.
static void search_coarser(query *q, const carom_grid_entry *entry, const carom_grid_level *level)
{
    if (level->count <= CAROM_GRID_FEW) {
        scan(q, entry, (uint32_t)level->first, (uint32_t)(level->first + level->count), false);
        return;
    }
    int32_t low[3], high[3];
    cells_about(q, entry, level, low, high);
    for (int k = 0; k < 3; ++k) {
        low[k] = low[k] < level->min[k] ? level->min[k] : low[k];
        high[k] = high[k] > level->max[k] ? level->max[k] : high[k];
        if (low[k] > high[k])
            return;
    }
    for (int32_t z = low[2]; z <= high[2]; ++z)
        for (int32_t y = low[1]; y <= high[1]; ++y)
            scan_row(q, entry, level, (int32_t[2]){ low[0], high[0] }, (int32_t[2]){ y, z });
}

// Of two that are placed anew the lower one finds the other.
static inline void meet(query *q, const carom_grid_entry *entry, const carom_grid_entry *other)
{
    const carom_grid_loose *loose = &q->grid->loose[other->body & ~CAROM_GRID_FIXED];
    bool mine = entry != other && (!loose->fresh || other > entry);
    if (mine && near_spheres(entry, other) && near_boxes(entry, other) &&
        carom_pair_order_room(q->list, 1))
        q->list->pair[q->list->count++] = (carom_body_pair){ (int)entry->body, (int)other->body };
}

static void search_bucket(query *q, const carom_grid_entry *entry, const carom_grid_moved *moved,
                          int level, const int32_t cell[3])
{
    int32_t slot = moved->first[carom_grid_moved_bucket(moved, level, cell)];
    for (; slot >= 0; slot = moved->next[slot]) {
        const carom_grid_entry *other = &moved->entry[slot];
        uint32_t body = other->body & ~CAROM_GRID_FIXED;
        if (memcmp(moved->place[slot].cell, cell, 3 * sizeof *cell) == 0 &&
            q->grid->loose[body].level == level)
            meet(q, entry, other);
    }
}

// All bodies of a level that have moved: cell by cell, unless there are more cells than bodies.
static void search_moved(query *q, const carom_grid_entry *entry, const carom_grid_moved *moved,
                         int level)
{
    int32_t low[3], high[3], cell[3];
    double cells = 1;
    cells_about(q, entry, &q->grid->level[level], low, high);
    for (int k = 0; k < 3; ++k)
        cells *= (double)high[k] - low[k] + 1;
    if (cells > moved->count) {
        for (int i = 0; i < moved->count; ++i)
            if (q->grid->loose[moved->entry[i].body & ~CAROM_GRID_FIXED].level == level)
                meet(q, entry, &moved->entry[i]);
        return;
    }
    for (cell[2] = low[2]; cell[2] <= high[2]; ++cell[2])
        for (cell[1] = low[1]; cell[1] <= high[1]; ++cell[1])
            for (cell[0] = low[0]; cell[0] <= high[0]; ++cell[0])
                search_bucket(q, entry, moved, level, cell);
}

static void search(query *q, int begin, int end)
{
    const carom_grid *grid = q->grid;
    for (int l = 0; l < grid->level_count; ++l) {
        const carom_grid_level *level = &grid->level[l];
        int from = begin > level->first ? begin : level->first;
        int to = end < level->first + level->count ? end : level->first + level->count;
        surroundings round = { .cell = NULL };
        for (int i = from; i < to; ++i) {
            search_own_level(q, (uint32_t)i, level, &round);
            for (int coarser = l + 1; coarser < grid->level_count; ++coarser)
                search_coarser(q, &grid->entry[i], &grid->level[coarser]);
        }
    }
}

carom_half_space carom_broad_half_space(const carom_collide_bodies *bodies, int plane)
{
    vec3 normal = quat_rotate(bodies->rotation[plane], vec3_make(0, 0, 1));
    double slack = bodies->margin / 2 + (bodies->reach ? bodies->reach[plane] : 0) +
                   (bodies->skin ? (double)bodies->skin[plane] : 0);
    bool fixed = bodies->fixed && bodies->fixed[plane];
    return (carom_half_space){ normal, vec3_dot(normal, bodies->position[plane]) + slack,
                               (uint32_t)plane | (fixed ? CAROM_GRID_FIXED : 0) };
}

// A plane meets whatever reaches below it.
static void search_plane(query *q, const carom_half_space *space, const carom_grid_entry *entry,
                         int count)
{
    vec3 n = space->normal;
    double level = space->level - vec3_dot(n, vec3_from(q->grid->origin));
    if (!carom_pair_order_room(q->list, (size_t)count))
        return;
    for (const carom_grid_entry *end = entry + count; entry < end; ++entry) {
        double height = n.x * (double)entry->centre[0] + n.y * (double)entry->centre[1] +
                        n.z * (double)entry->centre[2] - level;
        double box = fabs(n.x) * (double)entry->half[0] + fabs(n.y) * (double)entry->half[1] +
                     fabs(n.z) * (double)entry->half[2];
        if (height <= fmin(box, (double)entry->radius))
            q->list->pair[q->list->count++] =
                (carom_body_pair){ (int)space->body, (int)entry->body };
    }
}
