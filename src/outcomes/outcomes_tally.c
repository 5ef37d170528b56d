// Statistics of samples, block by block: sums, extremes, hulls, who moves where. Blocks are merged
// in their order, so that the number of threads does not affect the result.
#include "outcomes/outcomes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Points of a hull before it is reduced to its corners again.
enum { HULL_ROOM = 2048 };

carom_status carom_outcomes_tally_open(carom_outcomes_tally *t, int bodies, carom_error *err)
{
    size_t n = (size_t)bodies;
    *t = (carom_outcomes_tally){ .body_count = bodies };
    t->numbers = calloc(n, sizeof *t->numbers);
    t->hulls = calloc(n, sizeof *t->hulls);
    if (t->numbers && t->hulls)
        return CAROM_OK;
    carom_outcomes_tally_close(t);
    *t = (carom_outcomes_tally){ 0 };
    return carom_error_no_memory(err, "%d bodies", bodies);
}

void carom_outcomes_tally_close(carom_outcomes_tally *t)
{
    for (int i = 0; i < t->body_count && t->hulls; ++i)
        free(t->hulls[i].points);
    free(t->hulls);
    free(t->numbers);
}

// -- hulls -----------------------------------------------------------------------------------

static int by_place(const void *a, const void *b)
{
    const double *x = a, *y = b;
    if (x[0] != y[0])
        return x[0] < y[0] ? -1 : 1;
    return (x[1] > y[1]) - (x[1] < y[1]);
}

static double turn(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// The corners of the hull of sorted points, one side after the other (Andrew 1979).
static int corners_of(double (*points)[2], int count, double (*out)[2])
{
    int kept = 0;
    for (int side = 0; side < 2; ++side) {
        int first = kept;
        for (int k = 0; k < count; ++k) {
            const double *p = points[side ? count - 1 - k : k];
            while (kept >= first + 2 && turn(out[kept - 2], out[kept - 1], p) <= 0)
                --kept;
            memcpy(out[kept++], p, sizeof *out);
        }
        --kept; // it is the first of the other side
    }
    return kept;
}

static void reduce(carom_outcomes_hull *h)
{
    int distinct = 0;
    if (h->count < 2)
        return;
    qsort(h->points, (size_t)h->count, sizeof *h->points, by_place);
    for (int i = 0; i < h->count; ++i)
        if (i == 0 || by_place(h->points[i], h->points[distinct - 1]) != 0)
            memcpy(h->points[distinct++], h->points[i], sizeof *h->points);
    h->count = distinct;
    double(*out)[2] = distinct > 2 ? malloc(2 * (size_t)distinct * sizeof *out) : NULL;
    if (!out) // two points are their hull; without memory all stay
        return;
    h->count = corners_of(h->points, distinct, out);
    memcpy(h->points, out, (size_t)h->count * sizeof *out);
    free(out);
}

static carom_status add_point(carom_outcomes_hull *h, const double p[2], carom_error *err)
{
    if (h->count == h->room) {
        reduce(h);
        if (h->count > h->room / 2) {
            int room = h->room ? 2 * h->room : HULL_ROOM;
            void *more = realloc(h->points, (size_t)room * sizeof *h->points);
            if (!more)
                return carom_error_no_memory(err, "a hull");
            h->points = more;
            h->room = room;
        }
        if (h->room == 0) {
            h->points = malloc(HULL_ROOM * sizeof *h->points);
            if (!h->points)
                return carom_error_no_memory(err, "a hull");
            h->room = HULL_ROOM;
        }
    }
    memcpy(h->points[h->count++], p, sizeof *h->points);
    return CAROM_OK;
}

void carom_outcomes_tally_close_hulls(carom_outcomes_tally *t)
{
    for (int i = 0; i < t->body_count; ++i)
        reduce(&t->hulls[i]);
}

// -- sums and patterns -----------------------------------------------------------------------

static void add_number(carom_outcomes_sum *s, double difference, bool first)
{
    s->sum += difference;
    s->squares += difference * difference;
    s->min = first ? difference : fmin(s->min, difference);
    s->max = first ? difference : fmax(s->max, difference);
}

// The direction nearest to the velocity, in three bits: 0 still, 1 and 2 along x, then y, z.
static unsigned direction_code(const double v[3], double still)
{
    int axis = fabs(v[0]) >= fabs(v[1]) ? 0 : 1;
    axis = fabs(v[2]) > fabs(v[axis]) ? 2 : axis;
    if (fabs(v[axis]) <= still)
        return 0;
    return 1 + 2 * (unsigned)axis + (v[axis] < 0);
}

static void count_pattern(carom_outcomes_tally *t, uint64_t code, int64_t count)
{
    for (int i = 0; i < t->pattern_count; ++i)
        if (t->codes[i] == code) {
            t->counts[i] += count;
            return;
        }
    if (t->pattern_count == CAROM_OUTCOMES_PATTERNS) {
        t->others += count;
        return;
    }
    t->codes[t->pattern_count] = code;
    t->counts[t->pattern_count++] = count;
}

carom_status carom_outcomes_tally_add(carom_outcomes_tally *t, const carom_outcomes_frame *frame,
                                      const carom_outcomes_draw *draw, double energy,
                                      carom_error *err)
{
    uint64_t code = 0;
    bool first = t->samples++ == 0;
    t->unfinished += !draw->finished;
    add_number(&t->energy, energy - frame->energy, first);
    for (int i = 0; i < t->body_count; ++i) {
        const double *v = draw->velocities[i], *w = draw->spins[i];
        for (int k = 0; k < 3; ++k) {
            add_number(&t->numbers[i][k], v[k] - frame->velocities[i][k], first);
            add_number(&t->numbers[i][3 + k], w[k] - frame->spins[i][k], first);
        }
        if (draw->impact->bodies[i].inverse_mass == 0)
            continue;
        const double p[2] = { v[frame->axis[i][0]], v[frame->axis[i][1]] };
        TRY(add_point(&t->hulls[i], p, err));
        if (i < CAROM_OUTCOMES_CODED)
            code |= (uint64_t)direction_code(v, frame->still) << (3 * i);
    }
    count_pattern(t, code, 1);
    return CAROM_OK;
}

static void merge_sums(carom_outcomes_sum *into, const carom_outcomes_sum *from, bool first)
{
    into->sum += from->sum;
    into->squares += from->squares;
    into->min = first ? from->min : fmin(into->min, from->min);
    into->max = first ? from->max : fmax(into->max, from->max);
}

carom_status carom_outcomes_tally_merge(carom_outcomes_tally *into,
                                        const carom_outcomes_tally *from, carom_error *err)
{
    bool first = into->samples == 0;
    into->samples += from->samples;
    into->unfinished += from->unfinished;
    into->others += from->others;
    merge_sums(&into->energy, &from->energy, first);
    for (int i = 0; i < into->body_count; ++i) {
        for (int k = 0; k < 6; ++k)
            merge_sums(&into->numbers[i][k], &from->numbers[i][k], first);
        for (int k = 0; k < from->hulls[i].count; ++k)
            TRY(add_point(&into->hulls[i], from->hulls[i].points[k], err));
    }
    for (int i = 0; i < from->pattern_count; ++i)
        count_pattern(into, from->codes[i], from->counts[i]);
    return CAROM_OK;
}
