// A box that repeats itself along some of the axes, and the nearest images in it.
//
// Bodies keep the place that their motion has led them to, in whichever copy of the box; what is
// near whom is asked of images. The nearest image is the only one that two bodies can touch each
// other's at as long as they reach less than half of the box [Allen, Tildesley 2017, section 1.6].
#ifndef CAROM_MATH_PERIOD_H
#define CAROM_MATH_PERIOD_H

#include <stdbool.h>
#include "math/vec.h"

typedef struct carom_period {
    double low[3];    // m
    double length[3]; // m; 0: the box has no end along this axis, and no images
} carom_period;

static inline bool carom_period_any(const carom_period *period)
{
    return period->length[0] > 0 || period->length[1] > 0 || period->length[2] > 0;
}

// From `to` to the image of it that is nearest to `from`.
static inline vec3 carom_period_shift(const carom_period *period, vec3 from, vec3 to)
{
    double way[3], shift[3] = { 0, 0, 0 };
    vec3_store(vec3_sub(to, from), way);
    for (int k = 0; k < 3; ++k)
        if (period->length[k] > 0)
            shift[k] = -period->length[k] * floor(way[k] / period->length[k] + 0.5);
    return vec3_from(shift);
}

// The way from one place to the nearest image of another.
static inline vec3 carom_period_way(const carom_period *period, vec3 from, vec3 to)
{
    return vec3_sub(vec3_add(to, carom_period_shift(period, from, to)), from);
}

// From a place to the image of it that lies in the box.
static inline vec3 carom_period_home(const carom_period *period, vec3 x)
{
    double at[3], shift[3] = { 0, 0, 0 };
    vec3_store(x, at);
    for (int k = 0; k < 3; ++k)
        if (period->length[k] > 0)
            shift[k] = -period->length[k] * floor((at[k] - period->low[k]) / period->length[k]);
    return vec3_from(shift);
}

#endif
