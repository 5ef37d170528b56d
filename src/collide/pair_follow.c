// Bodies that have left their skin, one by one: each is put at its present place in the grid, and
// its pairs take the place of those it had. See pair_list.h.
#include "base/memory.h"
#include "collide/pair_look.h"

#include <string.h>

static carom_status reserve(carom_pair_run *run, size_t count, carom_error *err)
{
    if (count <= run->room)
        return CAROM_OK;
    carom_memory_free(run->pair);
    run->room = count + count / 4;
    run->pair = carom_memory_get(run->room * sizeof *run->pair);
    if (run->pair)
        return CAROM_OK;
    run->room = 0;
    return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %zu pairs", count);
}

static carom_body_pair marked(const carom_pair_look *l, carom_body_pair pair)
{
    const carom_grid_loose *loose = l->grid->loose;
    bool plane = carom_pair_look_plane(l, pair.a) || carom_pair_look_plane(l, pair.b);
    bool box = !loose[pair.a].sphere || !loose[pair.b].sphere;
    uint32_t mark = plane ? CAROM_WITH_PLANE : box ? CAROM_WITH_BOX : 0;
    return (carom_body_pair){ (int)((uint32_t)pair.a | mark), pair.b };
}

// Pairs are in the order of these.
static inline uint64_t key_of(carom_body_pair pair)
{
    return (uint64_t)((uint32_t)pair.a & CAROM_PAIR_NUMBER) << 32 | (uint32_t)pair.b;
}

// -- all anew -------------------------------------------------------------------------------------

typedef struct keeping {
    carom_pair_look *look;
    const carom_body_pair *pair;
} keeping;

static void keep_share(const keeping *k, int threads)
{
    const carom_pair_list *list = k->look->list;
    CAROM_TEAM_EACH (block, list->block_count, threads) {
        int begin = list->block_begin[block], end = begin + list->block_size[block];
        for (int i = begin; i < end; ++i)
            list->kept.pair[i] = marked(k->look, k->pair[i]);
    }
}
CAROM_TEAM_SHARE2(keep_share, const keeping *, int)

carom_status carom_pair_look_keep(carom_pair_look *l, const carom_body_pair *pair, int count,
                                  carom_error *err)
{
    carom_pair_list *list = l->list;
    TRY(reserve(&list->kept, (size_t)count, err));
    TRY(reserve(&list->other, (size_t)count, err));
    list->block_count = carom_team_blocks(count);
    for (int b = 0; b < list->block_count; ++b) {
        list->block_begin[b] = carom_team_block(count, b);
        list->block_size[b] = carom_team_block(count, b + 1) - list->block_begin[b];
        list->block_bound[b] = b ? pair[list->block_begin[b]] : (carom_body_pair){ 0, 0 };
    }
    keeping k = { l, pair };
    int team = carom_team_worth(count, carom_collide_threads(l->bodies));
    CAROM_TEAM(team, keep_share(&k, team));
    return CAROM_OK;
}

// -- some of them ---------------------------------------------------------------------------------

static void place_plane(carom_pair_look *l, int body)
{
    carom_pair_list *list = l->list;
    int p = (int)l->grid->loose[body].at;
    list->skin[body] = (float)carom_pair_look_skin(l, body);
    list->then[p] = list->now[p];
    list->then[p].level += (double)list->skin[body] - vec3_dot(list->now[p].normal, l->drift);
}

// Where all were taken back by the drift. The skin may be no wider than the cells of the level.
static bool place_body(carom_pair_look *l, int body)
{
    carom_pair_list *list = l->list;
    const carom_grid_level *level = &l->grid->level[l->grid->loose[body].level];
    carom_grid_loose now = carom_grid_bounds(l->bodies, body);
    vec3_store(vec3_sub(vec3_from(now.centre), l->drift), now.centre);
    for (int k = 0; k < 3; ++k) // or the walk's numbers lose too much
        if (fabs(now.centre[k] - (k == 0   ? list->origin.x
                                  : k == 1 ? list->origin.y
                                           : list->origin.z)) > 1.5 * list->extent)
            return false;
    double room = carom_grid_most(level) - (double)carom_grid_size(&now);
    if (room <= 0)
        return false;
    float skin = (float)fmin(carom_pair_look_skin(l, body), (1 - 1e-6) * room);
    list->skin[body] = skin;
    now.radius += skin;
    for (int k = 0; k < 3; ++k)
        now.half[k] += skin;
    return carom_broad_place(list->broad, body, &now);
}

// New pairs among those of each block that are still kept.
typedef struct merging {
    carom_pair_list *list;
    carom_pair_look *look;
    const carom_body_pair *pair;
    int first[CAROM_TEAM_BLOCKS + 1];                      // by blocks: their new pairs
    int begin[CAROM_TEAM_BLOCKS], size[CAROM_TEAM_BLOCKS]; // where the merged ones go
} merging;

static void merge_share(merging *m, int threads)
{
    const carom_pair_list *list = m->list;
    const uint32_t *since = list->since, call = list->call;
    CAROM_TEAM_EACH (block, list->block_count, threads) {
        const carom_body_pair *old = list->kept.pair + list->block_begin[block];
        const carom_body_pair *end = old + list->block_size[block];
        const carom_body_pair *next = m->pair + m->first[block];
        const carom_body_pair *last = m->pair + m->first[block + 1];
        carom_body_pair *begin = list->other.pair + m->begin[block], *out = begin;
        for (; next <= last; ++next) {
            uint64_t key = next < last ? key_of(*next) : UINT64_MAX;
            for (; old < end && key_of(*old) < key; ++old) {
                *out = *old;
                out +=
                    (since[(uint32_t)old->a & CAROM_PAIR_NUMBER] != call) & (since[old->b] != call);
            }
            if (next < last)
                *out++ = marked(m->look, *next);
        }
        m->size[block] = (int)(out - begin);
    }
}
CAROM_TEAM_SHARE2(merge_share, merging *, int)

static carom_status merge(carom_pair_look *l, const carom_body_pair *pair, int count,
                          carom_error *err)
{
    carom_pair_list *list = l->list;
    merging m = { .list = list, .look = l, .pair = pair };
    int at = 0, next = 0;
    for (int b = 0; b < list->block_count; ++b) {
        m.first[b] = next;
        while (next < count && (b + 1 == list->block_count ||
                                key_of(pair[next]) < key_of(list->block_bound[b + 1])))
            ++next;
        m.begin[b] = at;
        at += list->block_size[b] + next - m.first[b];
    }
    m.first[list->block_count] = next;
    TRY(reserve(&list->other, (size_t)at, err));
    int team = list->block_count > 1 ? carom_collide_threads(l->bodies) : 1;
    CAROM_TEAM(team, merge_share(&m, team));
    memcpy(list->block_begin, m.begin, sizeof m.begin);
    memcpy(list->block_size, m.size, sizeof m.size);
    carom_pair_run merged = list->other;
    list->other = list->kept;
    list->kept = merged;
    return CAROM_OK;
}

carom_status carom_pair_look_follow(carom_pair_look *l, bool *done, carom_error *err)
{
    carom_pair_list *list = l->list;
    carom_body_pair *pair;
    int count;
    *done = true;
    for (int k = 0; k < l->left_count && *done; ++k) {
        int body = list->left[k];
        if (carom_pair_look_plane(l, body))
            place_plane(l, body);
        else
            *done = place_body(l, body);
        list->since[body] = list->call;
    }
    if (!*done)
        return CAROM_OK;
    TRY(carom_broad_look(list->broad, l->bodies, list->then, list->left, l->left_count, &pair,
                         &count, err));
    return merge(l, pair, count, err);
}
