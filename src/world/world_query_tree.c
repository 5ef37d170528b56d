// The tree over the bounds of a world's bodies, by which questions find them.
//
// In a periodic box the tree holds every body in the box, and is asked once for each copy of the
// box that the question reaches: for the bodies moved by `image`.
#include "base/error.h"
#include "base/memory.h"
#include "world/world.h"
#include "world/world_query.h"

void carom_world_query_free(carom_world_query_tree *t)
{
    carom_tree_free(&t->tree);
    carom_memory_free(t->body);
    carom_memory_free(t->bounds);
    carom_memory_free(t->seen);
    *t = (carom_world_query_tree){ 0 };
}

static bool unbounded(const carom_world *world, int i)
{
    return carom_shape_kind_of(world->shape[i]) == CAROM_SHAPE_PLANE;
}

carom_pose carom_world_query_pose(const carom_world *world, int i, vec3 image)
{
    vec3 x = world->now.position[i];
    if (world->periodic && !unbounded(world, i))
        x = vec3_add(vec3_add(x, carom_period_home(&world->period, x)), image);
    return carom_pose_make(x, world->now.rotation[i]);
}

static carom_status reserve(carom_world *world, carom_error *err)
{
    carom_world_query_tree *t = &world->query;
    size_t n = (size_t)world->count + 1;
    if (n <= (size_t)t->capacity)
        return CAROM_OK;
    if (!carom_world_grow((void **)&t->body, n, sizeof *t->body) ||
        !carom_world_grow((void **)&t->bounds, n, sizeof *t->bounds) ||
        !carom_world_grow((void **)&t->seen, n, sizeof *t->seen))
        return carom_error_no_memory(err, "the tree of a query");
    t->capacity = (int)n;
    return CAROM_OK;
}

carom_status carom_world_query_refresh(carom_world *world, carom_error *err)
{
    carom_world_query_tree *t = &world->query;
    if (t->fresh)
        return CAROM_OK;
    TRY(reserve(world, err));
    t->count = 0;
    for (int wide = 0; wide < 2; ++wide) {
        for (int i = 0; i < world->count; ++i) {
            if (world->kind[i] >= CAROM_BODY_REMOVED || unbounded(world, i) != (wide == 1))
                continue;
            carom_pose pose = carom_world_query_pose(world, i, vec3_make(0, 0, 0));
            t->bounds[t->count] = carom_shape_bounds(world->shape[i], &pose);
            t->body[t->count++] = i;
        }
        t->bounded = wide ? t->bounded : t->count;
    }
    carom_tree_free(&t->tree);
    t->tree = (carom_tree){ 0 };
    if (t->bounded > 0)
        TRY(carom_tree_build(&t->tree, t->bounds, t->bounded, err));
    t->fresh = true;
    return CAROM_OK;
}

static carom_status too_many(double most, carom_error *err)
{
    carom_error_set(err, CAROM_BAD_INPUT,
                    "the question reaches over more than %g copies of the periodic box", most);
    return carom_error_fix(err, "ask for a shorter way, or within a smaller distance");
}

static carom_status too_far(double away, carom_error *err)
{
    carom_error_set(err, CAROM_BAD_INPUT, "the question is %g copies of the periodic box away",
                    away);
    return carom_error_fix(err, "ask for the same place in the box, or in a copy near it");
}

carom_status carom_world_query_copies(const carom_world *world, const carom_bounds *box,
                                      carom_world_copies *out, carom_error *err)
{
    const double most = 1e5, farthest = 1e9; // which an int counts
    const carom_world_query_tree *t = &world->query;
    double count = 1, low[3], high[3], from[3], to[3];
    *out = (carom_world_copies){ { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } };
    if (!world->periodic || t->bounded == 0)
        return CAROM_OK;
    vec3_store(box->min, low);
    vec3_store(box->max, high);
    vec3_store(t->tree.node[0].bounds.min, from);
    vec3_store(t->tree.node[0].bounds.max, to);
    for (int k = 0; k < 3; ++k) {
        double length = world->period.length[k];
        if (!(length > 0))
            continue;
        double first = ceil((low[k] - to[k]) / length), last = floor((high[k] - from[k]) / length);
        double along = fmax(last - first + 1, 0), away = fmax(fabs(first), fabs(last));
        count *= along;
        if (along > most || count > most)
            return too_many(most, err);
        if (away > farthest)
            return too_far(away, err);
        out->first[k] = (int)first;
        out->last[k] = (int)last;
    }
    return CAROM_OK;
}

static vec3 image_of(const carom_world *world, const carom_world_copies *all)
{
    const double *length = world->period.length;
    return vec3_make(all->at[0] * length[0], all->at[1] * length[1], all->at[2] * length[2]);
}

bool carom_world_query_first(const carom_world *world, carom_world_copies *all, vec3 *image)
{
    bool any = true;
    for (int k = 0; k < 3; ++k) {
        all->at[k] = all->first[k];
        any = any && all->first[k] <= all->last[k];
    }
    *image = image_of(world, all);
    return any;
}

bool carom_world_query_next(const carom_world *world, carom_world_copies *all, vec3 *image)
{
    int k = 0;
    while (k < 3 && ++all->at[k] > all->last[k]) {
        all->at[k] = all->first[k];
        ++k;
    }
    *image = image_of(world, all);
    return k < 3;
}
