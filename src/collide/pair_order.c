// A counting sort by the first body, then each body's partners: insertion, or marks where they are
// many.
#include "base/heap_sort.h"
#include "base/memory.h"
#include "base/team.h"
#include "collide/pair_order.h"

#include <string.h>

void carom_pair_order_free(carom_pair_order *order)
{
    for (int t = 0; t < order->list_count; ++t)
        carom_memory_free(order->list[t].pair);
    carom_memory_free(order->list);
    carom_memory_free(order->sorted);
    carom_memory_free(order->start);
    carom_memory_free(order->mark);
}

size_t carom_pair_order_bytes(const carom_pair_order *order)
{
    size_t bytes =
        order->sorted_room * sizeof *order->sorted + order->start_room * sizeof *order->start;
    for (int t = 0; t < order->list_count; ++t)
        bytes += order->list[t].room * sizeof(carom_body_pair);
    return bytes;
}

static carom_status reserve_lists(carom_pair_order *order, int threads, carom_error *err)
{
    if (threads <= order->list_count)
        return CAROM_OK;
    carom_found *list = carom_memory_resize(order->list, (size_t)threads * sizeof *list);
    if (!list)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %d lists of pairs", threads);
    memset(list + order->list_count, 0, (size_t)(threads - order->list_count) * sizeof *list);
    order->list = list;
    order->list_count = threads;
    return CAROM_OK;
}

carom_status carom_pair_order_begin(carom_pair_order *order, int threads, size_t most,
                                    carom_error *err)
{
    TRY(reserve_lists(order, threads, err));
    for (int t = 0; t < order->list_count; ++t) { // also those of threads that are no longer there
        order->list[t].count = 0;
        order->list[t].most = most;
        order->list[t].failed = order->list[t].full = false;
    }
    return CAROM_OK;
}

static void drop_fixed(carom_found *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; ++i) {
        carom_body_pair pair = list->pair[i];
        list->pair[kept] = pair;
        kept += ((uint32_t)pair.a & (uint32_t)pair.b & CAROM_GRID_FIXED) == 0;
    }
    list->count = kept;
}

bool carom_pair_order_enough(carom_found *list)
{
    if (list->full || list->count < list->most)
        return list->full;
    drop_fixed(list);
    list->full = list->count >= list->most / 2;
    return list->full;
}

bool carom_pair_order_grow(carom_found *list, size_t extra)
{
    if (!list->most) // a bounded search ends in the same place whatever room there was
        drop_fixed(list);
    if (list->count + extra <= list->room / 2)
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

static carom_status reserve_sorted(carom_pair_order *order, int bodies, int threads, size_t total,
                                   carom_error *err)
{
    size_t counts = (size_t)bodies * (size_t)threads + 1;
    if (total > order->sorted_room) {
        carom_memory_free(order->sorted);
        order->sorted = carom_memory_get(2 * total * sizeof *order->sorted);
        order->sorted_room = order->sorted ? 2 * total : 0;
    }
    if (counts > order->start_room) {
        carom_memory_free(order->start);
        carom_memory_free(order->mark);
        order->start = carom_memory_get(counts * sizeof *order->start);
        order->mark = carom_memory_get((counts / 64 + 1) * sizeof *order->mark);
        order->start_room = order->start && order->mark ? counts : 0;
    }
    if ((total && !order->sorted) || !order->start_room)
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
static void sort_long_run(carom_pair_order *order, carom_body_pair *pair, size_t count, int bodies)
{
    int a = pair[0].a;
    size_t words = ((size_t)bodies + 63) / 64, at = 0;
    memset(order->mark, 0, words * sizeof *order->mark);
    for (size_t i = 0; i < count; ++i)
        order->mark[pair[i].b / 64] |= UINT64_C(1) << pair[i].b % 64;
    for (size_t w = 0; w < words; ++w)
        for (uint64_t bits = order->mark[w]; bits; bits &= bits - 1)
            pair[at++] = (carom_body_pair){ a, (int)(64 * w) + __builtin_ctzll(bits) };
}

static bool is_long(uint32_t count, int bodies)
{
    return count > 32 && count > (uint32_t)bodies / 64;
}

// Takes the marks off, puts the smaller number first, drops pairs of fixed bodies, and counts pairs
// per body.
static void put_in_order(carom_found *list, uint32_t *count)
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
static void find_places(const carom_pair_order *order, int bodies, int threads)
{
    uint32_t at = 0;
    for (int a = 0; a < bodies; ++a)
        for (int t = 0; t < threads; ++t) {
            uint32_t *start = &order->start[(size_t)t * (size_t)bodies + (size_t)a];
            uint32_t next = at + *start;
            *start = at;
            at = next;
        }
}

static void count_share(carom_pair_order *order, int bodies, int threads)
{
    CAROM_TEAM_EACH (t, threads, threads) {
        uint32_t *count = order->start + (size_t)t * (size_t)bodies;
        memset(count, 0, (size_t)bodies * sizeof *count);
        put_in_order(&order->list[t], count);
    }
}
CAROM_TEAM_SHARE3(count_share, carom_pair_order *, int, int)

static void place_share(carom_pair_order *order, int bodies, int threads)
{
    CAROM_TEAM_EACH (t, threads, threads) {
        uint32_t *start = order->start + (size_t)t * (size_t)bodies;
        const carom_found *list = &order->list[t];
        for (size_t i = 0; i < list->count; ++i)
            order->sorted[start[list->pair[i].a]++] = list->pair[i];
    }
}
CAROM_TEAM_SHARE3(place_share, carom_pair_order *, int, int)

static void sort_share(carom_pair_order *order, const uint32_t *end, int bodies, int threads)
{
    int last = carom_team_end(bodies, threads);
    for (int a = carom_team_begin(bodies, threads); a < last; ++a) {
        uint32_t begin = a ? end[a - 1] : 0;
        if (end[a] > begin && !is_long(end[a] - begin, bodies))
            sort_run(order->sorted + begin, end[a] - begin);
    }
}
CAROM_TEAM_SHARE4(sort_share, carom_pair_order *, const uint32_t *, int, int)

static carom_status total_of(const carom_pair_order *order, int threads, int bodies, size_t *total,
                             carom_error *err)
{
    *total = 0;
    for (int t = 0; t < threads; ++t) {
        if (order->list[t].failed)
            return carom_error_set(err, CAROM_NO_MEMORY, "no memory for the pairs of %d bodies",
                                   bodies);
        *total += order->list[t].count;
    }
    if (*total > INT32_MAX / 2) {
        carom_error_set(err, CAROM_NO_MEMORY, "%zu pairs of bodies are near each other", *total);
        return carom_error_fix(err, "look for bodies placed on top of each other");
    }
    return CAROM_OK;
}

carom_status carom_pair_order_sort(carom_pair_order *order, int bodies, int threads, int *count,
                                   carom_error *err)
{
    size_t total;
    TRY(total_of(order, threads, bodies, &total, err));
    TRY(reserve_sorted(order, bodies, threads, total, err));
    CAROM_TEAM(threads, count_share(order, bodies, threads));
    *count = 0;
    for (int t = 0; t < threads; ++t)
        *count += (int)order->list[t].count;
    find_places(order, bodies, threads);
    CAROM_TEAM(threads, place_share(order, bodies, threads));
    // the last list's places now stand at the end of each body's run
    const uint32_t *end = order->start + (size_t)(threads - 1) * (size_t)bodies;
    CAROM_TEAM(threads, sort_share(order, end, bodies, threads));
    for (int a = 0; a < bodies; ++a) {
        uint32_t begin = a ? end[a - 1] : 0;
        if (is_long(end[a] - begin, bodies))
            sort_long_run(order, order->sorted + begin, end[a] - begin, bodies);
    }
    return CAROM_OK;
}
