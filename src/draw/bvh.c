// Binned surface-area splits, top down, two by two; then nodes of two are joined to nodes of four
// by opening the larger boxes first. The order of entries depends on the boxes alone.
//
// Not the tree of meshes (shape/tree.c): that one is built once, in double precision, for
// distances; this one for every frame, without allocation.
#include "draw/bvh.h"

#include <float.h>

enum { BINS = 12, LEAF = 2, DEEP = 40, STACK = 96 };

typedef struct task {
    int node, first, count, depth;
} task;

// A node of the tree of twos.
typedef struct pair {
    carom_bvh_box box;
    int first; // leaf: into `order`; else the first of two neighbouring children
    int count; // entries of a leaf; 0: an inner node
} pair;

typedef struct builder {
    const carom_bvh_box *boxes;
    carom_bvh *bvh;
    pair *pairs;
    int used; // of the pairs
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
    return 0.5 * (box->min[axis] + box->max[axis]);
}

// Where to cut: axis and bin with the min expected work, or none (-1) where all middles agree.
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

static void split(builder *b)
{
    task stack[STACK] = { { 0, 0, b->bvh->count, 0 } };
    b->used = 1;
    for (int waiting = 1; waiting > 0;) { // ends: every task is split into smaller ones
        task t = stack[--waiting];
        carom_bvh_box all = empty_box(), middles = empty_box();
        for (int i = t.first; i < t.first + t.count; ++i) {
            const carom_bvh_box *box = &b->boxes[b->bvh->order[i]];
            carom_bvh_box point;
            for (int k = 0; k < 3; ++k)
                point.min[k] = point.max[k] = middle(box, k);
            join(&all, box);
            join(&middles, &point);
        }
        pair *node = &b->pairs[t.node];
        *node = (pair){ all, t.first, t.count };
        if (t.count <= LEAF)
            continue;
        int left = part(b, &t, &middles);
        node->first = b->used;
        node->count = 0;
        stack[waiting++] = (task){ b->used + 1, t.first + left, t.count - left, t.depth + 1 };
        stack[waiting++] = (task){ b->used, t.first, left, t.depth + 1 };
        b->used += 2;
    }
}

// Up to four descendants of a node that together have all its entries.
static int open_up(const builder *b, int root, int out[CAROM_BVH_WIDE])
{
    int count = 1;
    out[0] = root;
    while (count < CAROM_BVH_WIDE) { // ends: one more each time, or none can be opened
        int largest = -1;
        for (int i = 0; i < count; ++i) {
            const pair *p = &b->pairs[out[i]];
            if (p->count == 0 &&
                (largest < 0 || half_area(&p->box) > half_area(&b->pairs[out[largest]].box)))
                largest = i;
        }
        if (largest < 0)
            break;
        int first = b->pairs[out[largest]].first;
        out[largest] = first;
        out[count++] = first + 1;
    }
    return count;
}

static void set_child(carom_bvh_node *node, int i, const pair *p)
{
    for (int k = 0; k < 3; ++k) {
        double low = p ? p->box.min[k] : 0, high = p ? p->box.max[k] : 0;
        node->bound[0][k][i] = (float)(low - 2e-7 * fabs(low) - 1e-30);
        node->bound[1][k][i] = (float)(high + 2e-7 * fabs(high) + 1e-30);
    }
    node->first[i] = p ? p->first : 0;
    node->count[i] = p ? p->count : -1;
}

// Nodes are numbered as they are met; a child's number is known when its turn is reserved.
static void widen(const builder *b)
{
    struct {
        int root, node;
    } stack[CAROM_BVH_STACK] = { { 0, 0 } };
    int used = 1;
    for (int waiting = 1; waiting > 0;) { // ends: a tree is finite
        --waiting;
        carom_bvh_node *node = &b->bvh->nodes[stack[waiting].node];
        int child[CAROM_BVH_WIDE], count = open_up(b, stack[waiting].root, child);
        for (int i = 0; i < CAROM_BVH_WIDE; ++i) {
            set_child(node, i, i < count ? &b->pairs[child[i]] : NULL);
            if (i >= count || b->pairs[child[i]].count > 0)
                continue;
            node->first[i] = used;
            stack[waiting].root = child[i];
            stack[waiting++].node = used++;
        }
    }
}

carom_status carom_bvh_build(const carom_bvh_box *boxes, int count, carom_arena *arena,
                             carom_bvh *out, carom_error *err)
{
    *out = (carom_bvh){ .count = count };
    if (count == 0)
        return CAROM_OK;
    TAKE(arena, out->nodes, (size_t)count + 1, err);
    TAKE(arena, out->order, count, err);
    carom_arena_mark mark = carom_arena_mark_here(arena);
    builder b = { .boxes = boxes, .bvh = out };
    TAKE(arena, b.pairs, 2 * (size_t)count, err);
    for (int i = 0; i < count; ++i)
        out->order[i] = i;
    split(&b);
    widen(&b);
    out->box = b.pairs[0].box;
    for (int k = 0; k < 3; ++k) {
        double low = fabs(out->box.min[k]), high = fabs(out->box.max[k]);
        out->size[k] = low > high ? low : high;
    }
    carom_arena_rewind(arena, mark);
    return CAROM_OK;
}

// Differences of bounds and origin lose digits in single precision: 4e-7 of their sizes covers the
// rounding of bound, origin, inverse, product and difference.
carom_bvh_probe carom_bvh_aim(const carom_bvh *bvh, const carom_ray *ray)
{
    carom_bvh_probe probe;
    const double o[3] = { ray->origin.x, ray->origin.y, ray->origin.z };
    for (int k = 0; k < 3; ++k) {
        double inverse = ray->inverse[k];
        inverse = inverse > 1e25 ? 1e25 : inverse < -1e25 ? -1e25 : inverse;
        double slack = 4e-7 * (fabs(o[k]) + bvh->size[k]) * fabs(inverse), shift = o[k] * inverse;
        probe.near[k] = inverse < 0;
        probe.inverse[k] = (float)inverse;
        probe.enter[k] = (float)(shift + slack);
        probe.leave[k] = (float)(shift - slack);
    }
    return probe;
}

carom_bvh_beam carom_bvh_beam_make(const double min[3], const double max[3])
{
    carom_bvh_beam beam;
    for (int k = 0; k < 3; ++k) {
        // wider than round-off; components of 0 count as mixed, and are never divided by
        double a = min[k] - 1e-6, b = max[k] + 1e-6;
        beam.sign[k] = a > 0 ? 1 : b < 0 ? -1 : 0;
        beam.inverse[0][k] = (float)(1 / a);
        beam.inverse[1][k] = (float)(1 / b);
        if (beam.sign[k] == 0) {
            beam.inverse[0][k] = a < 0 ? beam.inverse[0][k] : -1e6F;
            beam.inverse[1][k] = b > 0 ? beam.inverse[1][k] : 1e6F;
        }
    }
    return beam;
}
