// Binned surface-area splits, top down. The order of entries depends on the boxes alone.
//
// Not the tree of meshes (shape/tree.c): that one is built once, in double precision, for
// distances; this one for every frame, without allocation, in nodes that a ray reads two to a cache
// line.
#include "draw/bvh.h"

#include <float.h>

enum { BINS = 12, LEAF = 2, DEEP = 40, STACK = 96 };

typedef struct task {
    int node, first, count, depth;
} task;

typedef struct builder {
    const carom_bvh_box *boxes;
    carom_bvh *bvh;
    int used; // nodes
} builder;

static carom_bvh_box empty_box(void)
{
    return (carom_bvh_box){ { DBL_MAX, DBL_MAX, DBL_MAX }, { -DBL_MAX, -DBL_MAX, -DBL_MAX } };
}

static void join(carom_bvh_box *box, const carom_bvh_box *other)
{
    for (int k = 0; k < 3; ++k) {
        box->min[k] = other->min[k] < box->min[k] ? other->min[k] : box->min[k];
        box->max[k] = other->max[k] > box->max[k] ? other->max[k] : box->max[k];
    }
}

static double half_area(const carom_bvh_box *box)
{
    double a = box->max[0] - box->min[0], b = box->max[1] - box->min[1],
           c = box->max[2] - box->min[2];
    return a < 0 ? 0 : a * b + b * c + c * a;
}

static double middle(const carom_bvh_box *box, int axis)
{
    return .5 * (box->min[axis] + box->max[axis]);
}

static void set_bounds(carom_bvh_node *node, const carom_bvh_box *box)
{
    for (int k = 0; k < 3; ++k) {
        double low = box->min[k], high = box->max[k];
        node->min[k] = (float)(low - 2e-7 * fabs(low) - 1e-30);
        node->max[k] = (float)(high + 2e-7 * fabs(high) + 1e-30);
    }
}

// Where to cut: axis and bin with the least expected work, or none (-1) where all middles agree.
static int choose_cut(const builder *b, const task *t, const carom_bvh_box *middles, int *cut)
{
    int best_axis = -1;
    double best = DBL_MAX;
    for (int axis = 0; axis < 3; ++axis) {
        double low = middles->min[axis], span = middles->max[axis] - low;
        if (!(span > 0))
            continue;
        carom_bvh_box bin[BINS];
        int inside[BINS] = { 0 };
        for (int i = 0; i < BINS; ++i)
            bin[i] = empty_box();
        for (int i = t->first; i < t->first + t->count; ++i) {
            const carom_bvh_box *box = &b->boxes[b->bvh->order[i]];
            int k = (int)((middle(box, axis) - low) / span * BINS);
            k = k >= BINS ? BINS - 1 : k;
            join(&bin[k], box);
            ++inside[k];
        }
        double right[BINS];
        carom_bvh_box sum = empty_box();
        int many = 0;
        for (int i = BINS - 1; i > 0; --i) {
            join(&sum, &bin[i]);
            many += inside[i];
            right[i] = half_area(&sum) * many;
        }
        sum = empty_box();
        many = 0;
        for (int i = 0; i + 1 < BINS; ++i) {
            join(&sum, &bin[i]);
            many += inside[i];
            double cost = half_area(&sum) * many + right[i + 1];
            if (many > 0 && many < t->count && cost < best) {
                best = cost;
                best_axis = axis;
                *cut = i + 1;
            }
        }
    }
    return best_axis;
}

static int part(const builder *b, const task *t, const carom_bvh_box *middles)
{
    int cut = 0, axis = t->depth < DEEP ? choose_cut(b, t, middles, &cut) : -1;
    if (axis < 0)
        return t->count / 2; // all in one place, or a tree grown too deep: halves as they come
    int *order = b->bvh->order, low = t->first;
    double from = middles->min[axis], span = middles->max[axis] - from;
    for (int i = t->first; i < t->first + t->count; ++i) {
        int k = (int)((middle(&b->boxes[order[i]], axis) - from) / span * BINS);
        if (k >= cut)
            continue;
        int other = order[low];
        order[low++] = order[i];
        order[i] = other;
    }
    return low - t->first;
}

carom_status carom_bvh_build(const carom_bvh_box *boxes, int count, carom_arena *arena,
                             carom_bvh *out, carom_error *err)
{
    *out = (carom_bvh){ .count = count };
    if (count == 0)
        return CAROM_OK;
    TAKE(arena, out->nodes, 2 * (size_t)count, err);
    TAKE(arena, out->order, count, err);
    for (int i = 0; i < count; ++i)
        out->order[i] = i;
    builder b = { boxes, out, 1 };
    task stack[STACK] = { { 0, 0, count, 0 } };
    for (int waiting = 1; waiting > 0;) { // ends: every task is split into smaller ones
        task t = stack[--waiting];
        carom_bvh_box all = empty_box(), middles = empty_box();
        for (int i = t.first; i < t.first + t.count; ++i) {
            const carom_bvh_box *box = &boxes[out->order[i]];
            carom_bvh_box point;
            for (int k = 0; k < 3; ++k)
                point.min[k] = point.max[k] = middle(box, k);
            join(&all, box);
            join(&middles, &point);
        }
        carom_bvh_node *node = &out->nodes[t.node];
        set_bounds(node, &all);
        node->first = t.first;
        node->count = t.count;
        if (t.count <= LEAF)
            continue;
        int left = part(&b, &t, &middles);
        node->first = b.used;
        node->count = 0;
        stack[waiting++] = (task){ b.used + 1, t.first + left, t.count - left, t.depth + 1 };
        stack[waiting++] = (task){ b.used, t.first, left, t.depth + 1 };
        b.used += 2;
    }
    return CAROM_OK;
}

// Where the ray enters the box, or a negative number where it misses it.
static double enter(const carom_bvh_node *node, const carom_ray *ray)
{
    const double o[3] = { ray->origin.x, ray->origin.y, ray->origin.z };
    double near = 0, far = ray->max;
    for (int k = 0; k < 3; ++k) {
        double a = ((double)node->min[k] - o[k]) * ray->inverse[k];
        double b = ((double)node->max[k] - o[k]) * ray->inverse[k];
        double low = a < b ? a : b, high = a < b ? b : a;
        near = low > near ? low : near;
        far = high < far ? high : far;
    }
    return near <= far ? near : -1;
}

bool carom_bvh_visit(const carom_bvh *bvh, carom_ray *ray,
                     bool (*meet)(void *context, int entry, carom_ray *ray), void *context)
{
    struct {
        int node;
        double near;
    } stack[STACK];
    int waiting = 0;
    double near = bvh->count ? enter(&bvh->nodes[0], ray) : -1;
    if (near < 0)
        return false;
    stack[waiting].node = 0;
    stack[waiting++].near = near;
    while (waiting > 0) { // ends: a tree is finite
        --waiting;
        if (stack[waiting].near > ray->max)
            continue;
        const carom_bvh_node *node = &bvh->nodes[stack[waiting].node];
        for (int i = 0; i < node->count; ++i)
            if (meet(context, bvh->order[node->first + i], ray))
                return true;
        if (node->count)
            continue;
        double a = enter(&bvh->nodes[node->first], ray);
        double b = enter(&bvh->nodes[node->first + 1], ray);
        int first = node->first + (a <= b ? 1 : 0); // pushed first, visited last
        double order[2] = { a <= b ? b : a, a <= b ? a : b };
        for (int k = 0; k < 2; ++k)
            if (order[k] >= 0) {
                stack[waiting].node = k == 0 ? first : 2 * node->first + 1 - first;
                stack[waiting++].near = order[k];
            }
    }
    return false;
}
