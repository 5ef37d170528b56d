// Collecting the contacts of one pair.
#include "collide/manifold.h"

void carom_manifold_add(carom_manifold *manifold, carom_manifold_point point)
{
    if (manifold->count < CAROM_MANIFOLD_MAX) {
        manifold->points[manifold->count++] = point;
        return;
    }
    int widest = 0;
    for (int i = 1; i < manifold->count; ++i)
        if (manifold->points[i].gap > manifold->points[widest].gap)
            widest = i;
    if (point.gap < manifold->points[widest].gap)
        manifold->points[widest] = point;
}
