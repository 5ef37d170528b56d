// Broad phase on the hierarchical grid.
//
// Each body looks at its own level (half of the neighbouring cells, so that every pair is seen
// once) and at all coarser levels (all cells within reach). A candidate becomes a pair when boxes
// and spheres both come within reach. Threads take equal runs of the sorted bodies and write lists
// of their own; a final counting sort by (a, b) makes the result independent of the number of
// threads and of the grid.
#include "base/heap_sort.h"
#include "base/memory.h"
#include "base/team.h"
#include "collide/broad.h"
#include "collide/grid.h"

#include <string.h>

typedef struct pair_list {
    carom_body_pair *pair;
    size_t count, room;
    size_t most; // 0, or no more are looked for from so many on
    bool failed, full;
    char pad[64]; // lists of different threads stay on different cache lines
} pair_list;

struct carom_broad {
    carom_grid grid;
    pair_list *list; // one per thread
    int list_count;
    carom_body_pair *sorted;
    size_t sorted_room;
    uint32_t *start; // per thread and body: how many pairs, then where they begin
    uint64_t *mark;  // one bit per body
    size_t start_room;
};

typedef struct query {
    const carom_grid *grid;
    pair_list *list;
} query;

static carom_status reserve_lists(carom_broad *broad, int threads, carom_error *err);
static void search(query *q, int begin, int end);
static void search_planes(query *q, const carom_collide_bodies *bodies, int begin, int end);
static carom_status sort_pairs(carom_broad *broad, const carom_collide_bodies *all, size_t *total,
                               carom_error *err);

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
    for (int t = 0; t < broad->list_count; ++t)
        carom_memory_free(broad->list[t].pair);
    carom_memory_free(broad->list);
    carom_memory_free(broad->sorted);
    carom_memory_free(broad->start);
    carom_memory_free(broad->mark);
    carom_memory_free(broad);
}

const carom_grid *carom_broad_grid(const carom_broad *broad)
{
    return &broad->grid;
}

size_t carom_broad_bytes(const carom_broad *broad)
{
    size_t bytes = carom_grid_bytes(&broad->grid) + broad->sorted_room * sizeof *broad->sorted +
                   broad->start_room * sizeof *broad->start;
    for (int t = 0; t < broad->list_count; ++t)
        bytes += broad->list[t].room * sizeof(carom_body_pair);
    return bytes;
}

static void search_share(carom_broad *broad, const carom_collide_bodies *bodies, int threads)
{
    long entries = broad->grid.entry_count;
    CAROM_TEAM_EACH (t, threads, threads) {
        query q = { &broad->grid, &broad->list[t] };
        int begin = (int)(entries * t / threads), end = (int)(entries * (t + 1) / threads);
        search(&q, begin, end);
        search_planes(&q, bodies, begin, end);
    }
}
CAROM_TEAM_SHARE3(search_share, carom_broad *, const carom_collide_bodies *, int)

carom_status carom_broad_find(carom_broad *broad, const carom_collide_bodies *bodies,
                              carom_body_pair **pairs, int *count, carom_error *err)
{
    *count = 0;
    int threads = carom_collide_threads(bodies);
    TRY(reserve_lists(broad, threads, err));
    TRY(carom_grid_fill(&broad->grid, bodies, err));
    for (int t = 0; t < broad->list_count; ++t) { // also those of threads that are no longer there
        broad->list[t].count = 0;
        broad->list[t].most = bodies->most_pairs;
        broad->list[t].failed = broad->list[t].full = false;
    }
    CAROM_TEAM(threads, search_share(broad, bodies, threads));
    size_t total = 0;
    for (int t = 0; t < threads; ++t) {
        if (broad->list[t].failed)
            return carom_error_set(err, CAROM_NO_MEMORY, "no memory for the pairs of %d bodies",
                                   bodies->count);
        total += broad->list[t].count;
    }
    if (total > INT32_MAX / 2) {
        carom_error_set(err, CAROM_NO_MEMORY, "%zu pairs of bodies are near each other", total);
        return carom_error_fix(err, "look for bodies placed on top of each other");
    }
    TRY(sort_pairs(broad, bodies, &total, err));
    *pairs = broad->sorted;
    *count = (int)total;
    return CAROM_OK;
}

static carom_status reserve_lists(carom_broad *broad, int threads, carom_error *err)
{
    if (threads <= broad->list_count)
        return CAROM_OK;
    pair_list *list = carom_memory_resize(broad->list, (size_t)threads * sizeof *list);
    if (!list)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %d lists of pairs", threads);
    memset(list + broad->list_count, 0, (size_t)(threads - broad->list_count) * sizeof *list);
    broad->list = list;
    broad->list_count = threads;
    return CAROM_OK;
}

// Whether the list has as many pairs as are wanted, or half of them once those of two fixed bodies
// are dropped, as they are in the end.
static bool enough(pair_list *list)
{
    if (list->full || list->count < list->most)
        return list->full;
    size_t kept = 0;
    for (size_t i = 0; i < list->count; ++i) {
        carom_body_pair pair = list->pair[i];
        list->pair[kept] = pair;
        kept += ((uint32_t)pair.a & (uint32_t)pair.b & CAROM_GRID_FIXED) == 0;
    }
    list->count = kept;
    list->full = kept >= list->most / 2;
    return list->full;
}

// Makes room for `extra` pairs. False: there is none, or no more are wanted.
static bool grow(pair_list *list, size_t extra)
{
    if (list->most && enough(list))
        return false;
    if (list->count + extra <= list->room)
        return true;
    size_t room = 2 * (list->count + extra) + 1024;
    carom_body_pair *pair = carom_memory_resize(list->pair, room * sizeof *pair);
    if (!pair) {
        list->failed = true;
        return false;
    }
    list->pair = pair;
    list->room = room;
    return true;
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
    pair_list *list = q->list;
    if (begin >= end || !grow(list, end - begin))
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

static void search_coarser(query *q, const carom_grid_entry *entry, const carom_grid_level *level)
{
    if (level->count <= CAROM_GRID_FEW) {
        scan(q, entry, (uint32_t)level->first, (uint32_t)(level->first + level->count), false);
        return;
    }
    int32_t low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        double centre = q->grid->origin[k] + (double)entry->centre[k];
        double reach = (double)entry->half[k] + level->cell / 2;
        low[k] = carom_grid_cell(level, centre - reach);
        high[k] = carom_grid_cell(level, centre + reach);
        low[k] = low[k] < level->min[k] ? level->min[k] : low[k];
        high[k] = high[k] > level->max[k] ? level->max[k] : high[k];
        if (low[k] > high[k])
            return;
    }
    for (int32_t z = low[2]; z <= high[2]; ++z)
        for (int32_t y = low[1]; y <= high[1]; ++y)
            scan_row(q, entry, level, (int32_t[2]){ low[0], high[0] }, (int32_t[2]){ y, z });
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

// A plane meets whatever reaches below it.
static void search_planes(query *q, const carom_collide_bodies *bodies, int begin, int end)
{
    for (int p = 0; p < q->grid->plane_count; ++p) {
        int plane = q->grid->plane[p];
        vec3 origin = vec3_sub(bodies->position[plane], vec3_from(q->grid->origin));
        vec3 normal = quat_rotate(bodies->rotation[plane], vec3_make(0, 0, 1));
        double slack = bodies->margin / 2 + (bodies->reach ? bodies->reach[plane] : 0) +
                       (bodies->skin ? (double)bodies->skin[plane] : 0);
        double level = vec3_dot(normal, origin) + slack;
        bool fixed = bodies->fixed && bodies->fixed[plane];
        uint32_t self = (uint32_t)plane | (fixed ? CAROM_GRID_FIXED : 0);
        if (!grow(q->list, (size_t)(end - begin)))
            return;
        for (int i = begin; i < end; ++i) {
            const carom_grid_entry *entry = &q->grid->entry[i];
            double height = normal.x * (double)entry->centre[0] +
                            normal.y * (double)entry->centre[1] +
                            normal.z * (double)entry->centre[2] - level;
            double box = fabs(normal.x) * (double)entry->half[0] +
                         fabs(normal.y) * (double)entry->half[1] +
                         fabs(normal.z) * (double)entry->half[2];
            if (height <= fmin(box, (double)entry->radius))
                q->list->pair[q->list->count++] = (carom_body_pair){ (int)self, (int)entry->body };
        }
    }
}

static carom_status reserve_sorted(carom_broad *broad, int bodies, int threads, size_t total,
                                   carom_error *err)
{
    size_t counts = (size_t)bodies * (size_t)threads + 1;
    if (total > broad->sorted_room) {
        carom_memory_free(broad->sorted);
        broad->sorted = carom_memory_get(2 * total * sizeof *broad->sorted);
        broad->sorted_room = broad->sorted ? 2 * total : 0;
    }
    if (counts > broad->start_room) {
        carom_memory_free(broad->start);
        carom_memory_free(broad->mark);
        broad->start = carom_memory_get(counts * sizeof *broad->start);
        broad->mark = carom_memory_get((counts / 64 + 1) * sizeof *broad->mark);
        broad->start_room = broad->start && broad->mark ? counts : 0;
    }
    if ((total && !broad->sorted) || !broad->start_room)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %zu pairs", total);
    return CAROM_OK;
}

static bool by_partner(const void *none, const carom_body_pair *p, const carom_body_pair *q)
{
    (void)none;
    return p->b < q->b;
}
CAROM_HEAP_SORT(sort_heap, carom_body_pair, const void *, by_partner)

// A handful of partners: insertion.
static void sort_run(carom_body_pair *pair, size_t count)
{
    if (count > 32) {
        sort_heap(pair, count, NULL);
        return;
    }
    for (size_t i = 1; i < count; ++i) {
        carom_body_pair moving = pair[i];
        size_t j = i;
        for (; j > 0 && pair[j - 1].b > moving.b; --j)
            pair[j] = pair[j - 1];
        pair[j] = moving;
    }
}

// A body that meets a good part of all others (a floor): mark the partners, then read them off in
// order.
static void sort_long_run(carom_broad *broad, carom_body_pair *pair, size_t count, int bodies)
{
    int a = pair[0].a;
    size_t words = ((size_t)bodies + 63) / 64, at = 0;
    memset(broad->mark, 0, words * sizeof *broad->mark);
    for (size_t i = 0; i < count; ++i)
        broad->mark[pair[i].b / 64] |= UINT64_C(1) << pair[i].b % 64;
    for (size_t w = 0; w < words; ++w)
        for (uint64_t bits = broad->mark[w]; bits; bits &= bits - 1)
            pair[at++] = (carom_body_pair){ a, (int)(64 * w) + __builtin_ctzll(bits) };
}

static bool is_long(uint32_t count, int bodies)
{
    return count > 32 && count > (uint32_t)bodies / 64;
}

// Takes the marks off, puts the smaller number first, drops pairs of fixed bodies, and counts pairs
// per body.
static void put_in_order(pair_list *list, uint32_t *count)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; ++i) {
        uint32_t a = (uint32_t)list->pair[i].a, b = (uint32_t)list->pair[i].b;
        uint32_t both = a & b & CAROM_GRID_FIXED;
        a &= ~CAROM_GRID_FIXED;
        b &= ~CAROM_GRID_FIXED;
        int low = (int)(a < b ? a : b), high = (int)(a < b ? b : a);
        list->pair[kept] = (carom_body_pair){ low, high };
        kept += !both;
        count[low] += !both;
    }
    list->count = kept;
}

// Where the pairs of each list go: body by body, and list by list within a body.
static void find_places(const carom_broad *broad, int bodies, int threads)
{
    uint32_t at = 0;
    for (int a = 0; a < bodies; ++a)
        for (int t = 0; t < threads; ++t) {
            uint32_t *start = &broad->start[(size_t)t * (size_t)bodies + (size_t)a];
            uint32_t next = at + *start;
            *start = at;
            at = next;
        }
}

static void count_share(carom_broad *broad, int bodies, int threads)
{
    CAROM_TEAM_EACH (t, threads, threads) {
        uint32_t *count = broad->start + (size_t)t * (size_t)bodies;
        memset(count, 0, (size_t)bodies * sizeof *count);
        put_in_order(&broad->list[t], count);
    }
}
CAROM_TEAM_SHARE3(count_share, carom_broad *, int, int)

static void place_share(carom_broad *broad, int bodies, int threads)
{
    CAROM_TEAM_EACH (t, threads, threads) {
        uint32_t *start = broad->start + (size_t)t * (size_t)bodies;
        const pair_list *list = &broad->list[t];
        for (size_t i = 0; i < list->count; ++i)
            broad->sorted[start[list->pair[i].a]++] = list->pair[i];
    }
}
CAROM_TEAM_SHARE3(place_share, carom_broad *, int, int)

static void sort_share(carom_broad *broad, const uint32_t *end, int bodies, int threads)
{
    int last = carom_team_end(bodies, threads);
    for (int a = carom_team_begin(bodies, threads); a < last; ++a) {
        uint32_t begin = a ? end[a - 1] : 0;
        if (end[a] > begin && !is_long(end[a] - begin, bodies))
            sort_run(broad->sorted + begin, end[a] - begin);
    }
}
CAROM_TEAM_SHARE4(sort_share, carom_broad *, const uint32_t *, int, int)

static carom_status sort_pairs(carom_broad *broad, const carom_collide_bodies *all, size_t *total,
                               carom_error *err)
{
    int bodies = all->count, threads = carom_collide_threads(all);
    TRY(reserve_sorted(broad, bodies, threads, *total, err));
    CAROM_TEAM(threads, count_share(broad, bodies, threads));
    *total = 0;
    for (int t = 0; t < threads; ++t)
        *total += broad->list[t].count;
    find_places(broad, bodies, threads);
    CAROM_TEAM(threads, place_share(broad, bodies, threads));
    // the last list's places now stand at the end of each body's run
    const uint32_t *end = broad->start + (size_t)(threads - 1) * (size_t)bodies;
    CAROM_TEAM(threads, sort_share(broad, end, bodies, threads));
    for (int a = 0; a < bodies; ++a) {
        uint32_t begin = a ? end[a - 1] : 0;
        if (is_long(end[a] - begin, bodies))
            sort_long_run(broad, broad->sorted + begin, end[a] - begin, bodies);
    }
    return CAROM_OK;
}
