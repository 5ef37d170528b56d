// Both stages for a whole world.
//
// The pairs are cut into blocks of fixed size; threads take blocks in turn and write into lists of
// their own, and the lists are put together in the order of the blocks. Which thread did what never
// shows.
#include "base/memory.h"
#include "base/team.h"
#include "collide/box_pairs.h"
#include "collide/collide.h"
#include "collide/narrow.h"
#include "collide/pair_list.h"
#include "collide/periodic.h"

#include <string.h>

enum { BLOCK = CAROM_BOX_PAIRS };

typedef struct contact_list {
    carom_contact *contact;
    size_t count, room;
    bool failed;
    carom_manifold manifold;
    carom_progress_meter meter;
    carom_box_pairs boxes;
    char pad[64];
} contact_list;

struct carom_collide {
    carom_pair_list *near;
    carom_broad *broad;      // in a periodic box instead, with images
    carom_periodic periodic; // of bodies
    contact_list *list;      // one per thread
    int list_count;
    size_t *block_end; // per block: where it ends in its thread's list
    size_t *block_at;  // and where it begins in the list of all
    size_t block_room;
    carom_contact *contact; // all of them, when more than one thread worked
    size_t contact_room;
    const carom_contact *result;
    int result_count;
};

static carom_status reserve(carom_collide *collide, int threads, int blocks, carom_error *err);
static void touch_block(contact_list *list, const carom_collide_bodies *bodies,
                        const carom_body_pair *pairs, int count);
static carom_status gather(carom_collide *collide, int threads, int blocks, carom_error *err);

carom_status carom_collide_create(carom_collide **out, carom_error *err)
{
    *out = carom_memory_zeros(1, sizeof **out);
    if (!*out)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for collision");
    carom_status status = carom_pair_list_create(&(*out)->near, err);
    if (status == CAROM_OK)
        status = carom_broad_create(&(*out)->broad, err);
    if (status != CAROM_OK) {
        carom_collide_destroy(*out);
        *out = NULL;
    }
    return status;
}

void carom_collide_destroy(carom_collide *collide)
{
    if (!collide)
        return;
    carom_pair_list_destroy(collide->near);
    carom_broad_destroy(collide->broad);
    carom_periodic_free(&collide->periodic);
    for (int t = 0; t < collide->list_count; ++t)
        carom_memory_free(collide->list[t].contact);
    carom_memory_free(collide->list);
    carom_memory_free(collide->block_end);
    carom_memory_free(collide->block_at);
    carom_memory_free(collide->contact);
    carom_memory_free(collide);
}

size_t carom_collide_bytes(const carom_collide *collide)
{
    size_t bytes = carom_pair_list_bytes(collide->near) + carom_broad_bytes(collide->broad) +
                   carom_periodic_bytes(&collide->periodic) +
                   2 * collide->block_room * sizeof(size_t) +
                   collide->contact_room * sizeof(carom_contact);
    for (int t = 0; t < collide->list_count; ++t)
        bytes += sizeof(contact_list) + collide->list[t].room * sizeof(carom_contact);
    return bytes;
}

const carom_contact *carom_collide_list(const carom_collide *collide, int *count)
{
    *count = collide->result_count;
    return collide->result;
}

carom_status carom_collide_find(carom_collide *collide, const carom_collide_bodies *bodies,
                                carom_error *err)
{
    carom_body_pair *pairs;
    int count;
    TRY(carom_collide_pairs(collide, bodies, &pairs, &count, err));
    return carom_collide_contacts(collide, bodies, pairs, count, err);
}

int carom_collide_threads(const carom_collide_bodies *bodies)
{
    if (bodies->count < CAROM_COLLIDE_ALONE || bodies->most_pairs)
        return 1; // which pairs are found first must not depend on threads
    return bodies->threads > 0 ? bodies->threads : carom_team_max();
}

carom_status carom_collide_pairs(carom_collide *collide, const carom_collide_bodies *bodies,
                                 carom_body_pair **pairs, int *count, carom_error *err)
{
    if (bodies->period)
        return carom_periodic_find(&collide->periodic, collide->broad, bodies, pairs, count, err);
    return carom_pair_list_find(collide->near, bodies, pairs, count, err);
}

typedef struct batch {
    const carom_collide_bodies *bodies;
    const carom_body_pair *pairs;
    int count, blocks, threads;
} batch;

// One list per share; a team may be smaller than was asked for, and then takes several.
static void touch_share(carom_collide *collide, const batch *all)
{
    CAROM_TEAM_EACH (t, all->threads, all->threads) {
        contact_list *list = &collide->list[t];
        list->count = 0;
        list->failed = false;
        list->meter = (carom_progress_meter){ .stop = all->bodies->stop };
        for (int block = t; block < all->blocks; block += all->threads) {
            if (carom_progress_stopped(all->bodies->stop))
                return;
            int begin = block * BLOCK, left = all->count - begin;
            touch_block(list, all->bodies, all->pairs + begin, left < BLOCK ? left : BLOCK);
            collide->block_end[block] = list->count;
        }
        carom_progress_meter_flush(&list->meter);
    }
}
CAROM_TEAM_SHARE2(touch_share, carom_collide *, const batch *)

carom_status carom_collide_contacts(carom_collide *collide, const carom_collide_bodies *bodies,
                                    const carom_body_pair *pairs, int count, carom_error *err)
{
    int threads = carom_collide_threads(bodies), blocks = (count + BLOCK - 1) / BLOCK;
    collide->result_count = 0;
    TRY(reserve(collide, threads, blocks, err));
    batch all = { bodies, pairs, count, blocks, threads };
    CAROM_TEAM(threads, touch_share(collide, &all));
    TRY(carom_progress_check(bodies->stop, "contacts", err));
    return gather(collide, threads, blocks, err);
}

static carom_status reserve(carom_collide *collide, int threads, int blocks, carom_error *err)
{
    if (threads > collide->list_count) {
        contact_list *list = carom_memory_resize(collide->list, (size_t)threads * sizeof *list);
        if (!list)
            return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %d contact lists", threads);
        memset(list + collide->list_count, 0,
               (size_t)(threads - collide->list_count) * sizeof *list);
        collide->list = list;
        collide->list_count = threads;
    }
    if ((size_t)blocks > collide->block_room) {
        size_t *end = carom_memory_resize(collide->block_end, 2 * (size_t)blocks * sizeof *end);
        collide->block_end = end ? end : collide->block_end;
        size_t *at = carom_memory_resize(collide->block_at, 2 * (size_t)blocks * sizeof *at);
        collide->block_at = at ? at : collide->block_at;
        if (!end || !at)
            return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %d blocks of pairs",
                                   blocks);
        collide->block_room = 2 * (size_t)blocks;
    }
    return CAROM_OK;
}

static bool grow(contact_list *list, size_t extra)
{
    if (list->count + extra <= list->room)
        return true;
    size_t room = 2 * (list->count + extra) + 1024;
    carom_contact *contact = carom_memory_resize(list->contact, room * sizeof *contact);
    if (!contact) {
        list->failed = true;
        return false;
    }
    list->contact = contact;
    list->room = room;
    return true;
}

// Where b, or the image of it that a touches, is.
static inline vec3 position_of_b(const carom_collide_bodies *bodies, carom_body_pair pair)
{
    vec3 x = bodies->position[pair.b];
    if (!bodies->period)
        return x;
    return vec3_add(x, carom_collide_shift(bodies->period, bodies->shape[pair.a],
                                           bodies->shape[pair.b], bodies->position[pair.a], x));
}

// Spheres are the bulk of large scenes: no manifold, no matrices.
static inline void touch_spheres(contact_list *list, const carom_collide_bodies *bodies,
                                 carom_body_pair pair, double margin)
{
    vec3 pa = bodies->position[pair.a];
    vec3 pb = bodies->period ? position_of_b(bodies, pair) : bodies->position[pair.b];
    vec3 d = vec3_sub(pb, pa);
    double ra = bodies->shape[pair.a]->radius, rb = bodies->shape[pair.b]->radius;
    double squared = vec3_dot(d, d), reach = ra + rb + margin;
    if (squared > reach * reach)
        return;
    double length = sqrt(squared);
    vec3 n = length > 0 ? vec3_scale(1 / length, d) : vec3_make(0, 0, 1);
    vec3 point = vec3_scale(0.5, vec3_add(vec3_axpy(pa, ra, n), vec3_axpy(pb, -rb, n)));
    list->contact[list->count++] =
        (carom_contact){ pair.a, pair.b, point, n, length - (ra + rb), 0 };
}

static inline bool are_both(const carom_collide_bodies *bodies, carom_body_pair pair,
                            carom_shape_kind kind)
{
    return bodies->shape[pair.a]->kind == kind && bodies->shape[pair.b]->kind == kind;
}

static inline double margin_of(const carom_collide_bodies *bodies, carom_body_pair pair)
{
    double margin = bodies->margin;
    return bodies->reach ? margin + (bodies->reach[pair.a] + bodies->reach[pair.b]) : margin;
}

static inline carom_box_pair box_pair_of(const carom_collide_bodies *bodies, carom_body_pair pair)
{
    return (carom_box_pair){ { bodies->shape[pair.a], bodies->shape[pair.b] },
                             { &bodies->rotation[pair.a], &bodies->rotation[pair.b] },
                             { bodies->position[pair.a], position_of_b(bodies, pair) },
                             margin_of(bodies, pair) };
}

// The axes of the block's boxes.
static void find_boxes(carom_box_pairs *boxes, const carom_collide_bodies *bodies,
                       const carom_body_pair *pairs, int count)
{
    boxes->held = boxes->count = 0;
    for (int i = 0; i < count; ++i)
        if (are_both(bodies, pairs[i], CAROM_SHAPE_BOX)) {
            carom_box_pair pair = box_pair_of(bodies, pairs[i]);
            carom_box_pairs_add(boxes, &pair);
        }
    carom_box_pairs_end(boxes);
}

static void list_manifold(contact_list *list, carom_body_pair pair)
{
    const carom_manifold *manifold = &list->manifold;
    if (!grow(list, (size_t)manifold->count))
        return;
    for (int i = 0; i < manifold->count; ++i) {
        const carom_manifold_point *p = &manifold->points[i];
        uint64_t feature = (uint64_t)p->feature_a << 32 | p->feature_b;
        list->contact[list->count++] =
            (carom_contact){ pair.a, pair.b, p->point, p->normal, p->gap, feature };
    }
}

static void touch_shapes(contact_list *list, const carom_collide_bodies *bodies,
                         carom_body_pair pair)
{
    carom_pose pa = carom_pose_make(bodies->position[pair.a], bodies->rotation[pair.a]);
    carom_pose pb = carom_pose_make(position_of_b(bodies, pair), bodies->rotation[pair.b]);
    const double *turning = bodies->turning;
    carom_narrow_touch(bodies->shape[pair.a], &pa, bodies->shape[pair.b], &pb,
                       margin_of(bodies, pair), turning ? turning[pair.a] + turning[pair.b] : 0,
                       &list->meter, &list->manifold);
    list_manifold(list, pair);
}

static void touch_boxes(contact_list *list, const carom_collide_bodies *bodies,
                        carom_body_pair pair, const carom_box_axis *axis)
{
    if (!axis->skipped && axis->gap == HUGE_VAL)
        return;
    carom_box_pair both = box_pair_of(bodies, pair);
    if (carom_box_pairs_touch(axis, &both, &list->manifold))
        list_manifold(list, pair);
    else
        touch_shapes(list, bodies, pair);
}

static void touch_block(contact_list *list, const carom_collide_bodies *bodies,
                        const carom_body_pair *pairs, int count)
{
    if (!grow(list, (size_t)count))
        return;
    find_boxes(&list->boxes, bodies, pairs, count);
    for (int i = 0, box = 0; i < count; ++i)
        if (are_both(bodies, pairs[i], CAROM_SHAPE_SPHERE) && grow(list, 1))
            touch_spheres(list, bodies, pairs[i], margin_of(bodies, pairs[i]));
        else if (are_both(bodies, pairs[i], CAROM_SHAPE_BOX))
            touch_boxes(list, bodies, pairs[i], &list->boxes.axis[box++]);
        else
            touch_shapes(list, bodies, pairs[i]);
}

static size_t block_begin(const carom_collide *collide, int block, int threads)
{
    return block < threads ? 0 : collide->block_end[block - threads];
}

static void gather_share(carom_collide *collide, int blocks, int threads)
{
    CAROM_TEAM_EACH (block, blocks, threads) {
        size_t begin = block_begin(collide, block, threads);
        size_t size = collide->block_end[block] - begin;
        if (size)
            memcpy(collide->contact + collide->block_at[block],
                   collide->list[block % threads].contact + begin, size * sizeof *collide->contact);
    }
}
CAROM_TEAM_SHARE3(gather_share, carom_collide *, int, int)

static carom_status gather(carom_collide *collide, int threads, int blocks, carom_error *err)
{
    size_t total = 0;
    for (int t = 0; t < threads; ++t) {
        if (collide->list[t].failed)
            return carom_error_set(err, CAROM_NO_MEMORY, "no memory for the contacts");
        total += collide->list[t].count;
    }
    collide->result_count = (int)total;
    collide->result = collide->list[0].contact;
    if (threads == 1)
        return CAROM_OK;
    if (total > collide->contact_room) {
        carom_memory_free(collide->contact);
        collide->contact = carom_memory_get(2 * total * sizeof *collide->contact);
        collide->contact_room = collide->contact ? 2 * total : 0;
        if (!collide->contact)
            return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %zu contacts", total);
    }
    collide->result = collide->contact;
    size_t at = 0;
    for (int block = 0; block < blocks; ++block) {
        collide->block_at[block] = at;
        at += collide->block_end[block] - block_begin(collide, block, threads);
    }
    CAROM_TEAM(threads, gather_share(collide, blocks, threads));
    return CAROM_OK;
}
