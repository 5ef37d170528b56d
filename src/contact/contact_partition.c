// Cuts an island into ranges for threads.
//
// Slabs across its longest extent, always the same ones whatever the number of threads: first the
// contacts inside slabs, then those between a slab of even number and the next, then those between
// one of odd number and the next, then the few that reach farther. Slabs hold about equal numbers
// of bodies, by a histogram of positions.
#include <stdint.h>
#include <string.h>
#include "base/team.h"
#include "contact/contact.h"

// Bins of the histogram; parts of bodies and contacts that threads share.
enum { BINS = 1024, PARTS = 8 };

typedef struct cutting {
    const carom_contact_cut *cut;
    double low[PARTS][3], high[PARTS][3]; // of the bodies of each part
    int axis;                             // the one along which they lie farthest apart
    double from, per_bin;
    int histogram[PARTS][BINS];
    int slab_of[BINS];
    int start[PARTS][CAROM_CONTACT_RANGES]; // contacts in each range, then where they go
} cutting;

static int part(int count, int p)
{
    return (int)((long long)count * p / PARTS);
}

static double coordinate(const carom_contact_cut *cut, int body, int axis)
{
    return cut->position[(size_t)body * (size_t)cut->stride + (size_t)axis];
}

static void bound_share(cutting *c, int threads)
{
    const carom_contact_cut *cut = c->cut;
    CAROM_TEAM_EACH (p, PARTS, threads) {
        double low[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL };
        double high[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
        for (int i = part(cut->body_count, p); i < part(cut->body_count, p + 1); ++i)
            for (int axis = 0; axis < 3 && cut->body[i] >= 0; ++axis) {
                double at = coordinate(cut, cut->body[i], axis);
                low[axis] = at < low[axis] ? at : low[axis];
                high[axis] = at > high[axis] ? at : high[axis];
            }
        memcpy(c->low[p], low, sizeof low);
        memcpy(c->high[p], high, sizeof high);
    }
}
CAROM_TEAM_SHARE2(bound_share, cutting *, int)

static void choose_axis(cutting *c)
{
    double max = -1;
    for (int axis = 0; axis < 3; ++axis) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int p = 0; p < PARTS; ++p) {
            low = c->low[p][axis] < low ? c->low[p][axis] : low;
            high = c->high[p][axis] > high ? c->high[p][axis] : high;
        }
        if (!(high - low > max))
            continue;
        max = high - low;
        c->axis = axis;
        c->from = low;
        c->per_bin = high > low ? (BINS - 1) / (high - low) : 0;
    }
}

static int bin_of(const cutting *c, int body)
{
    return (int)((coordinate(c->cut, body, c->axis) - c->from) * c->per_bin);
}

static void histogram_share(cutting *c, int threads)
{
    const carom_contact_cut *cut = c->cut;
    CAROM_TEAM_EACH (p, PARTS, threads) {
        memset(c->histogram[p], 0, sizeof c->histogram[p]);
        for (int i = part(cut->body_count, p); i < part(cut->body_count, p + 1); ++i)
            if (cut->body[i] >= 0)
                ++c->histogram[p][bin_of(c, cut->body[i])];
    }
}
CAROM_TEAM_SHARE2(histogram_share, cutting *, int)

static void choose_slabs(cutting *c)
{
    int64_t seen = 0, total = 0;
    for (int p = 0; p < PARTS; ++p)
        for (int k = 0; k < BINS; ++k)
            total += c->histogram[p][k];
    for (int k = 0; k < BINS; ++k) {
        c->slab_of[k] = total > 0 ? (int)(seen * c->cut->slabs / total) : 0;
        for (int p = 0; p < PARTS; ++p)
            seen += c->histogram[p][k];
    }
}

// A body that is listed twice may be met by two threads.
static void slab_share(const cutting *c, int threads)
{
    const carom_contact_cut *cut = c->cut;
    CAROM_TEAM_EACH (p, PARTS, threads)
        for (int i = part(cut->body_count, p); i < part(cut->body_count, p + 1); ++i)
            if (cut->body[i] >= 0)
                __atomic_store_n(&cut->slab[cut->body[i]], c->slab_of[bin_of(c, cut->body[i])],
                                 __ATOMIC_RELAXED);
}
CAROM_TEAM_SHARE2(slab_share, const cutting *, int)

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

static void count_share(cutting *c, int threads)
{
    const carom_contact_cut *cut = c->cut;
    CAROM_TEAM_EACH (p, PARTS, threads) {
        memset(c->start[p], 0, sizeof c->start[p]);
        for (int i = part(cut->count, p); i < part(cut->count, p + 1); ++i) {
            cut->place[i] = range_of(cut, cut->pair[i]);
            ++c->start[p][cut->place[i]];
        }
    }
}
CAROM_TEAM_SHARE2(count_share, cutting *, int)

static void lay_out(cutting *c, const carom_contact_island *island, carom_contact_range *ranges)
{
    int at = 0;
    for (int r = 0; r < 2 * c->cut->slabs; ++r) {
        ranges[r] = (carom_contact_range){ .begin = island->first + at };
        for (int p = 0; p < PARTS; ++p) {
            int count = c->start[p][r];
            c->start[p][r] = at;
            at += count;
        }
        ranges[r].end = island->first + at;
    }
}

// Within each range as they come.
static void order_share(cutting *c, int threads)
{
    const carom_contact_cut *cut = c->cut;
    CAROM_TEAM_EACH (p, PARTS, threads)
        for (int i = part(cut->count, p); i < part(cut->count, p + 1); ++i)
            cut->order[c->start[p][cut->place[i]]++] = i;
}
CAROM_TEAM_SHARE2(order_share, cutting *, int)

void carom_contact_partition(const carom_contact_cut *cut, carom_contact_island *island,
                             carom_contact_range *ranges)
{
    cutting c = { .cut = cut };
    int team = carom_team_worth(cut->count, cut->threads), slabs = cut->slabs;
    CAROM_TEAM(team, bound_share(&c, team));
    choose_axis(&c);
    CAROM_TEAM(team, histogram_share(&c, team));
    choose_slabs(&c);
    CAROM_TEAM(team, slab_share(&c, team));
    CAROM_TEAM(team, count_share(&c, team));
    lay_out(&c, island, ranges + island->first_range);
    CAROM_TEAM(team, order_share(&c, team));
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
