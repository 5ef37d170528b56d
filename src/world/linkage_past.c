// Where Newton's method begins: the forces of joints change little within an interval, so those at
// a moment are near a parabola through those at the moments around it, of this run over the
// interval and of runs before, with other cuts. Only the number of iterations depends on it.
#include "world/linkage.h"

enum { POINTS = 3 };

static double away(const carom_linkage_past *past, int k, double at)
{
    return fabs(past->at[k] - at);
}

// The nearest moments, no two of them nearer to each other than `apart`. Returns how many.
static int nearest(const carom_linkage_past *past, double at, double apart, int found[POINTS])
{
    int count = 0;
    bool used[CAROM_LINKAGE_MOMENTS] = { false };
    while (count < POINTS) {
        int best = -1;
        for (int k = 0; k < past->count; ++k)
            if (!used[k] && (best < 0 || away(past, k, at) < away(past, best, at)))
                best = k;
        if (best < 0)
            break;
        used[best] = true;
        bool alone = true;
        for (int m = 0; m < count; ++m)
            alone = alone && away(past, found[m], past->at[best]) >= apart;
        if (alone)
            found[count++] = best;
    }
    return count;
}

// Lagrange's polynomials at a moment.
static void weigh(const carom_linkage_past *past, double at, const int *found, int count,
                  double *weight)
{
    for (int i = 0; i < count; ++i) {
        weight[i] = 1;
        for (int j = 0; j < count; ++j)
            if (j != i)
                weight[i] *= (at - past->at[found[j]]) / (past->at[found[i]] - past->at[found[j]]);
    }
}

void carom_linkage_past_guess(carom_linkage_path *path, double h)
{
    const carom_linkage_past *past = &path->past;
    int found[POINTS], count = nearest(past, path->at, 0.1 * fabs(h), found);
    double weight[POINTS], time = 0.5 * (path->before + h);
    if (path->shaky)
        return;
    weigh(past, path->at, found, count, weight);
    for (int i = 0; i < path->row_count && count > 0; ++i) {
        carom_linkage_row *row = &path->rows[i];
        double force = 0;
        if (!row->on)
            continue;
        for (int k = 0; k < count; ++k)
            force += weight[k] * past->force[found[k]][i];
        carom_linkage_rows_act(path, row, force * time - (row->impulse - past->noted[i]),
                               path->now);
    }
}

void carom_linkage_past_note(carom_linkage_path *path, double h)
{
    carom_linkage_past *past = &path->past;
    double time = 0.5 * (path->before + h);
    int place = -1;
    for (int k = 0; k < past->count && place < 0; ++k)
        if (away(past, k, path->at) <= 1e-9 * path->h)
            place = k;
    if (place < 0 && past->count < CAROM_LINKAGE_MOMENTS)
        place = past->count++;
    for (int k = 0, farthest = 0; k < past->count && place < 0; ++k) {
        farthest = away(past, k, path->at) > away(past, farthest, path->at) ? k : farthest;
        place = k == past->count - 1 ? farthest : -1;
    }
    past->at[place] = path->at;
    for (int i = 0; i < path->row_count; ++i) {
        past->force[place][i] = (path->rows[i].impulse - past->noted[i]) / time;
        past->noted[i] = path->rows[i].impulse;
    }
    path->before = h;
}
