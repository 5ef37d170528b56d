// Cuts an island into ranges for threads.
//
// Slabs across its longest extent, always the same ones whatever the number of threads: first the
// contacts inside slabs, then those between a slab of even number and the next, then those between
// one of odd number and the next, then the few that reach farther. Slabs hold about equal numbers
// of bodies, by a histogram of positions.
#include <stdint.h>
#include <string.h>
#include "contact/contact.h"

enum { BINS = 1024 };

static double coordinate(const carom_contact_cut *cut, int body, int axis)
{
    return cut->position[(size_t)body * (size_t)cut->stride + (size_t)axis];
}

// The axis along which the island is longest, and its extent there.
static int longest(const carom_contact_cut *cut, double extent[2])
{
    int best = 0;
    double max = -1;
    for (int axis = 0; axis < 3; ++axis) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int i = 0; i < cut->body_count; ++i) {
            if (cut->body[i] < 0)
                continue;
            double at = coordinate(cut, cut->body[i], axis);
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        if (high - low > max) {
            max = high - low;
            best = axis;
            extent[0] = low;
            extent[1] = high;
        }
    }
    return best;
}

static void cut_bodies(const carom_contact_cut *cut)
{
    int histogram[BINS] = { 0 }, slab_of[BINS];
    double extent[2] = { 0, 0 };
    int axis = longest(cut, extent);
    double per_bin = extent[1] > extent[0] ? (BINS - 1) / (extent[1] - extent[0]) : 0;
    int64_t seen = 0, total = 0;
    for (int i = 0; i < cut->body_count; ++i) {
        if (cut->body[i] < 0)
            continue;
        ++histogram[(int)((coordinate(cut, cut->body[i], axis) - extent[0]) * per_bin)];
        ++total;
    }
    for (int k = 0; k < BINS; ++k) {
        slab_of[k] = (int)(seen * cut->slabs / total);
        seen += histogram[k];
    }
    for (int i = 0; i < cut->body_count; ++i) {
        int body = cut->body[i];
        if (body >= 0)
            cut->slab[body] = slab_of[(int)((coordinate(cut, body, axis) - extent[0]) * per_bin)];
    }
}

// Which range a contact belongs to: slabs, even steps, odd steps, the rest.
static int range_of(const carom_contact_cut *cut, const int pair[2])
{
    int a = cut->slab[pair[0] < 0 ? pair[1] : pair[0]];
    int b = cut->slab[pair[1] < 0 ? pair[0] : pair[1]];
    int low = a < b ? a : b, high = a < b ? b : a;
    if (low == high)
        return low;
    if (high > low + 1)
        return 2 * cut->slabs - 1;
    return cut->slabs + (low % 2 == 0 ? low / 2 : cut->slabs / 2 + low / 2);
}

void carom_contact_partition(const carom_contact_cut *cut, carom_contact_island *island,
                             carom_contact_range *ranges)
{
    int start[CAROM_CONTACT_RANGES + 1] = { 0 }, slabs = cut->slabs;
    cut_bodies(cut);
    for (int i = 0; i < cut->count; ++i) {
        cut->place[i] = range_of(cut, cut->pair[i]);
        ++start[cut->place[i] + 1];
    }
    for (int r = 0; r < 2 * slabs; ++r) {
        start[r + 1] += start[r];
        ranges[island->first_range + r] =
            (carom_contact_range){ .begin = island->first + start[r],
                                   .end = island->first + start[r + 1] };
    }
    for (int i = 0; i < cut->count; ++i) // within each range as they come
        cut->order[start[cut->place[i]]++] = i;
    island->phase_count[0] = slabs;
    island->phase_count[1] = slabs / 2;
    island->phase_count[2] = slabs - 1 - slabs / 2;
    island->phase_count[3] = 1;
}

void carom_contact_partition_whole(carom_contact_island *island, carom_contact_range *ranges)
{
    memset(island->phase_count, 0, sizeof island->phase_count);
    island->phase_count[0] = 1;
    ranges[island->first_range] =
        (carom_contact_range){ .begin = island->first, .end = island->first + island->count };
}
