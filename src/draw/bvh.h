// Boxes in a tree of fours, so that a ray asks only what lies near its path.
#ifndef CAROM_DRAW_BVH_H
#define CAROM_DRAW_BVH_H

#include <math.h>
#include <stdbool.h>
#include "base/arena.h"
#include "math/ray.h"

typedef struct carom_bvh_box {
    double min[3], max[3];
} carom_bvh_box;

enum { CAROM_BVH_WIDE = 4, CAROM_BVH_STACK = 192 };

// Four boxes side by side: a ray tests them in one go. Bounds are rounded outwards, so a float
// never loses what a double held.
typedef struct carom_bvh_node {
    float bound[2][3][CAROM_BVH_WIDE]; // min, max
    int first[CAROM_BVH_WIDE];         // leaf: into `order`; else the number of a node
    int count[CAROM_BVH_WIDE];         // entries of a leaf; 0: a node; negative: nothing
} carom_bvh_node;

typedef struct carom_bvh {
    carom_bvh_node *nodes;
    int *order;
    int count;
    carom_bvh_box box; // of all
    double size[3];    // m: its farthest bound from 0 along each axis
} carom_bvh;

// The tree lives in the arena as long as the arena does.
carom_status carom_bvh_build(const carom_bvh_box *boxes, int count, carom_arena *arena,
                             carom_bvh *out, carom_error *err);

// A ray in single precision: where it meets a bound is bound * inverse - shift, earlier and later
// than it can be by all round-off.
typedef struct carom_bvh_probe {
    float inverse[3], enter[3], leave[3];
    int near[3]; // which of the two bounds comes first
} carom_bvh_probe;

carom_bvh_probe carom_bvh_aim(const carom_bvh *bvh, const carom_ray *ray);

// Where the ray enters each box of a node; above `max` (or its own leaving) where it does not.
static inline void carom_bvh_enter(const carom_bvh_node *node, const carom_bvh_probe *probe,
                                   float max, float near[CAROM_BVH_WIDE], float far[CAROM_BVH_WIDE])
{
    for (int i = 0; i < CAROM_BVH_WIDE; ++i) {
        near[i] = 0;
        far[i] = max;
    }
    for (int k = 0; k < 3; ++k) {
        const float *first = node->bound[probe->near[k]][k];
        const float *last = node->bound[1 - probe->near[k]][k];
        float inverse = probe->inverse[k], enter = probe->enter[k], leave = probe->leave[k];
        for (int i = 0; i < CAROM_BVH_WIDE; ++i) {
            float low = first[i] * inverse - enter, high = last[i] * inverse - leave;
            near[i] = near[i] > low ? near[i] : low;
            far[i] = far[i] < high ? far[i] : high;
        }
    }
}

// Calls `meet` for the entries whose box the ray crosses, near boxes first. `meet` may shorten the
// ray; true from it ends the visit, which then returns true. In the header, so that `meet` becomes
// part of the loop.
static inline bool carom_bvh_visit(const carom_bvh *bvh, carom_ray *ray,
                                   bool (*meet)(void *context, int entry, carom_ray *ray),
                                   void *context)
{
    struct {
        int first, count;
        float near;
    } stack[CAROM_BVH_STACK];
    if (bvh->count == 0)
        return false;
    carom_bvh_probe probe = carom_bvh_aim(bvh, ray);
    int waiting = 1;
    stack[0].first = stack[0].count = 0;
    stack[0].near = 0;
    while (waiting > 0) { // ends: a tree is finite
        --waiting;
        int first = stack[waiting].first, count = stack[waiting].count;
        if ((double)stack[waiting].near > ray->max)
            continue;
        for (int i = 0; i < count; ++i)
            if (meet(context, bvh->order[first + i], ray))
                return true;
        if (count)
            continue;
        const carom_bvh_node *node = &bvh->nodes[first];
        float near[CAROM_BVH_WIDE], far[CAROM_BVH_WIDE];
        carom_bvh_enter(node, &probe, ray->max < 1e30 ? (float)(ray->max * (1 + 1e-6)) : 1e30F,
                        near, far);
        int base = waiting;
        for (int i = 0; i < CAROM_BVH_WIDE; ++i) {
            if (!(near[i] <= far[i]) || node->count[i] < 0)
                continue;
            int at = waiting++;
            for (; at > base && stack[at - 1].near < near[i]; --at) // the nearest last
                stack[at] = stack[at - 1];
            stack[at].first = node->first[i];
            stack[at].count = node->count[i];
            stack[at].near = near[i];
        }
    }
    return false;
}

// Rays from one point whose directions lie between two vectors, in single precision.
typedef struct carom_bvh_beam {
    float inverse[2][3]; // of the least and of the greatest component
    int sign[3];         // of all of them; 0: they differ
} carom_bvh_beam;

carom_bvh_beam carom_bvh_beam_make(const double min[3], const double max[3]);

// Whether some ray of the beam may cross each box of a node; `low` and `high`: the beam's origin
// above and below its place by round-off.
static inline void carom_bvh_beam_cross(const carom_bvh_node *node, const carom_bvh_beam *beam,
                                        const float low[3], const float high[3],
                                        float near[CAROM_BVH_WIDE], float far[CAROM_BVH_WIDE])
{
    for (int i = 0; i < CAROM_BVH_WIDE; ++i) {
        near[i] = 0;
        far[i] = 1e30F;
    }
    for (int k = 0; k < 3; ++k) {
        const float *min = node->bound[0][k], *max = node->bound[1][k];
        float a = beam->inverse[0][k], b = beam->inverse[1][k];
        if (beam->sign[k] == 0) { // a < 0 < b: the beam widens both ways
            for (int i = 0; i < CAROM_BVH_WIDE; ++i) {
                float one = (min[i] - low[k]) * b, two = (max[i] - high[k]) * a;
                near[i] = near[i] > one ? near[i] : one;
                near[i] = near[i] > two ? near[i] : two;
            }
            continue;
        }
        const float *first = beam->sign[k] > 0 ? min : max, *last = beam->sign[k] > 0 ? max : min;
        float from = beam->sign[k] > 0 ? low[k] : high[k],
              to = beam->sign[k] > 0 ? high[k] : low[k];
        for (int i = 0; i < CAROM_BVH_WIDE; ++i) {
            float one = (first[i] - from) * a, two = (first[i] - from) * b;
            float three = (last[i] - to) * a, four = (last[i] - to) * b;
            one = one < two ? one : two;
            three = three > four ? three : four;
            near[i] = near[i] > one ? near[i] : one;
            far[i] = far[i] < three ? far[i] : three;
        }
    }
}

// Calls `meet` for the entries whose box some ray of the beam may cross, in any order; true from it
// ends the visit.
static inline void carom_bvh_beam_visit(const carom_bvh *bvh, const carom_bvh_beam *beam,
                                        const double origin[3],
                                        bool (*meet)(void *context, int entry), void *context)
{
    int first[CAROM_BVH_STACK], count[CAROM_BVH_STACK], waiting = bvh->count > 0;
    float low[3], high[3];
    first[0] = count[0] = 0;
    for (int k = 0; k < 3; ++k) {
        double slack = 4e-7 * (fabs(origin[k]) + bvh->size[k]);
        low[k] = (float)(origin[k] + slack);
        high[k] = (float)(origin[k] - slack);
    }
    while (waiting > 0) { // ends: a tree is finite
        --waiting;
        int at = first[waiting], entries = count[waiting];
        for (int i = 0; i < entries; ++i)
            if (meet(context, bvh->order[at + i]))
                return;
        if (entries)
            continue;
        const carom_bvh_node *node = &bvh->nodes[at];
        float near[CAROM_BVH_WIDE], far[CAROM_BVH_WIDE];
        carom_bvh_beam_cross(node, beam, low, high, near, far);
        for (int i = 0; i < CAROM_BVH_WIDE; ++i)
            if (near[i] <= far[i] && node->count[i] >= 0) {
                first[waiting] = node->first[i];
                count[waiting++] = node->count[i];
            }
    }
}

#endif
