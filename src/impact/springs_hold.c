// Contacts that hold: pressed together by their neighbours with u = 0 while their own force lies
// between the unloading value e^2 F and the loading value F.
//
// The forces solve, on the contacts with u = 0: e^2 F <= f <= F, acceleration a = W f + ..., with
// f = F where a < 0, f = e^2 F where a > 0. W is positive semi-definite, so a is unique; an active
// set in the manner of Keller and Murty finds it. Redundant contacts (a box on four corners) make W
// singular: a tiny diagonal picks nearly the smallest forces.
#include "impact/springs_island.h"

static const double regular = 1e-12; // relative diagonal; a moves by that fraction only

static void factor_holding(springs_island *island)
{
    const carom_row *rows = island->problem->normal;
    island->held = 0;
    for (int i = 0; i < island->count && island->held < island->hold_room; ++i)
        if (island->mode[i] == SPRINGS_HOLD)
            island->hold_list[island->held++] = i;
    int n = island->held;
    double *L = island->factor;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j) {
            const carom_row *ri = &rows[island->index[island->hold_list[i]]];
            const carom_row *rj = &rows[island->index[island->hold_list[j]]];
            double sum = i == j ? ri->diagonal * (1 + regular) : carom_row_coupling(ri, rj);
            for (int k = 0; k < j; ++k)
                sum -= L[i * n + k] * L[j * n + k];
            // Round-off may leave a tiny negative pivot: the regularised one is at least this.
            L[i * n + j] = i == j ? sqrt(fmax(sum, regular * ri->diagonal)) : sum / L[j * n + j];
        }
}

void carom_springs_hold_forces(springs_island *island, springs_state *state)
{
    int n = island->held;
    const double *L = island->factor;
    double *x = island->hold_side;
    for (int i = 0; i < n; ++i) {
        x[i] = -state->a[island->hold_list[i]];
        for (int k = 0; k < i; ++k)
            x[i] -= L[i * n + k] * x[k];
        x[i] /= L[i * n + i];
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k)
            x[i] -= L[k * n + i] * x[k];
        x[i] /= L[i * n + i];
        state->f[island->hold_list[i]] = x[i];
    }
}

// How far contact i breaks the rule of its mode, as a force; the mode that cures it goes to `cure`.
static double violation(const springs_island *island, int i, springs_mode *cure)
{
    const springs_state *now = &island->now;
    double w = island->problem->normal[island->index[i]].diagonal;
    double full = fmax(carom_springs_island_full(island, i, now->g[i]), 0);
    double above = now->f[i] - full, below = island->release[i] * full - now->f[i];
    switch ((springs_mode)island->mode[i]) {
    case SPRINGS_HOLD:
        *cure = above > below ? SPRINGS_LOAD : SPRINGS_UNLOAD;
        return fmax(above, below);
    case SPRINGS_LOAD:
        *cure = SPRINGS_HOLD;
        return now->a[i] / w;
    case SPRINGS_UNLOAD:
        *cure = SPRINGS_HOLD;
        return -now->a[i] / w;
    default:
        return 0;
    }
}

void carom_springs_hold_decide(springs_island *island, const int *list, int count)
{
    double largest = 0;
    bool small = count <= island->hold_room;
    for (int k = 0; k < count; ++k) {
        if (!small)
            island->mode[list[k]] = SPRINGS_LOAD;
        largest =
            fmax(largest, fabs(carom_springs_island_full(island, list[k], island->now.g[list[k]])));
    }
    // Each round changes one mode; after the first rounds the lowest violating contact is taken
    // (Murty's rule, which cannot cycle), before that the worst one, which is quicker.
    int rounds = small ? 6 * count + 20 : 0;
    for (int round = 0; round <= rounds; ++round) {
        factor_holding(island);
        carom_springs_island_evaluate(island, &island->now);
        int pick = -1;
        double worst = 1e-12 * largest;
        springs_mode cure = SPRINGS_LOAD;
        for (int k = 0; k < count && (pick < 0 || round < 3 * count); ++k) {
            springs_mode mode = SPRINGS_LOAD;
            double by = violation(island, list[k], &mode);
            if (by > worst) {
                worst = by;
                pick = list[k];
                cure = mode;
            }
        }
        if (pick < 0 || round == rounds)
            return;
        island->mode[pick] = cure;
    }
}
