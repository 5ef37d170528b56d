// Pooling adjacent violators for a row of bodies. See pool_adjacent_violators.h.
#include "chain/pool_adjacent_violators.h"

#include <math.h>
#include <string.h>

static void project_row(const carom_pool_adjacent_violators *row, const double *v,
                        const carom_pool_adjacent_violators_work *work);

static double mean(const carom_pool_adjacent_violators_block *block)
{
    return isinf(block->mass) ? block->moment : block->moment / block->mass;
}

static void pool(carom_pool_adjacent_violators_block *into,
                 const carom_pool_adjacent_violators_block *other)
{
    if (isinf(into->mass))
        return;
    if (isinf(other->mass)) {
        into->moment = other->moment;
        into->mass = other->mass;
        return;
    }
    into->moment += other->moment;
    into->mass += other->mass;
}

// Impulses of the bodies from..to-1, which move as one: momentum from the end without a wall.
static void block_impulses(const carom_pool_adjacent_violators *row, const double *v,
                           const carom_pool_adjacent_violators_work *work, size_t from, size_t to)
{
    double carried = 0;
    if (!isinf(row->mass[from])) {
        for (size_t i = from; i + 1 < to; i++) {
            carried -= row->mass[i] * (work->after[i] - v[i]);
            work->impulse[i] = fmax(carried, 0);
        }
        return;
    }
    for (size_t i = to - 1; i > from; i--) {
        carried += row->mass[i] * (work->after[i] - v[i]);
        work->impulse[i - 1] = fmax(carried, 0);
    }
}

// Bodies from..to-1 are joined by contacts with finite bounds.
static void project_segment(const carom_pool_adjacent_violators *row, const double *v,
                            const carom_pool_adjacent_violators_work *work, size_t from, size_t to)
{
    carom_pool_adjacent_violators_block *block = work->block;
    double *after = work->after;
    size_t blocks = 0;
    double shift = 0;
    for (size_t i = from; i < to; i++) {
        double y = v[i] - shift;
        bool wall = isinf(row->mass[i]);
        block[blocks++] =
            (carom_pool_adjacent_violators_block){ i, row->mass[i], wall ? y : row->mass[i] * y };
        for (; blocks > 1 && mean(&block[blocks - 2]) > mean(&block[blocks - 1]); blocks--)
            pool(&block[blocks - 2], &block[blocks - 1]);
        if (i + 1 < to)
            shift += row->bound[i];
    }
    shift = 0;
    for (size_t k = 0; k < blocks; k++) {
        size_t end = k + 1 < blocks ? block[k + 1].from : to;
        for (size_t i = block[k].from; i < end; i++) {
            after[i] = end - block[k].from == 1 ? v[i] : mean(&block[k]) + shift;
            if (isinf(row->mass[i]))
                after[i] = v[i];
            if (i + 1 < to)
                shift += row->bound[i];
        }
        block_impulses(row, v, work, block[k].from, end);
    }
}

static void project_row(const carom_pool_adjacent_violators *row, const double *v,
                        const carom_pool_adjacent_violators_work *work)
{
    memset(work->impulse, 0, (row->count - 1) * sizeof *work->impulse);
    size_t from = 0;
    for (size_t to = 1; to <= row->count; to++)
        if (to == row->count || isinf(row->bound[to - 1])) {
            project_segment(row, v, work, from, to);
            from = to;
        }
}

// How much the contact from the last body to the first is satisfied if it carries the impulse s.
static double loop_excess(const carom_pool_adjacent_violators *row, const double *v, double s,
                          const carom_pool_adjacent_violators_work *work)
{
    size_t last = row->count - 1;
    memcpy(work->moved, v, row->count * sizeof *work->moved);
    work->moved[0] += s / row->mass[0];
    work->moved[last] -= s / row->mass[last];
    project_row(row, work->moved, work);
    return work->after[0] - work->after[last] - row->bound[last];
}

// A frame closes the row to a ring. The excess grows with the impulse s of the closing contact and
// is piecewise linear in it: bracket the root, then the secant rule kept inside the bracket
// (Illinois).
bool carom_pool_adjacent_violators_project(const carom_pool_adjacent_violators *row,
                                           const double *v,
                                           const carom_pool_adjacent_violators_work *work)
{
    size_t last = row->count - 1;
    if (!row->frame) {
        project_row(row, v, work);
        return true;
    }
    double low = 0;
    double below = loop_excess(row, v, 0, work);
    work->impulse[last] = 0;
    if (isinf(row->bound[last]) || below >= 0)
        return true;
    double speed = fabs(row->bound[last]);
    double mass = 0;
    for (size_t i = 0; i < row->count; i++) {
        speed = fmax(speed, fabs(v[i]));
        mass += row->mass[i];
    }
    double slack = 1e-14 * speed;
    double high = mass * speed;
    double above = loop_excess(row, v, high, work);
    for (int i = 0; i < 60 && above < -slack; i++) {
        high *= 2;
        above = loop_excess(row, v, high, work);
    }
    if (above < -slack)
        return false;
    double s = high;
    for (int i = 0; i < 200 && above > 0 && high - low > 1e-15 * high; i++) {
        s = (low * above - high * below) / (above - below);
        double excess = loop_excess(row, v, s, work);
        if (fabs(excess) <= slack)
            break;
        if (excess < 0) {
            low = s;
            below = excess;
            above /= 2;
        } else {
            high = s;
            above = excess;
            below /= 2;
        }
    }
    loop_excess(row, v, s, work);
    work->impulse[last] = s;
    return true;
}
