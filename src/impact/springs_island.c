// Forces of contact springs and one integration step by extrapolation.
//
// A step is done with 1, 2, 3, ... leapfrog substeps (Stoermer's rule), whose error is a series in
// h^2, and extrapolated to h = 0 after Aitken and Neville (Gragg, Bulirsch, Stoer): k columns give
// order 2k. Gaps and impulses are extrapolated; speeds follow from the impulses, u = u0 + W lambda,
// so momentum is exact whatever the step does.
#include "impact/springs_island.h"

#include <string.h>
#include "math/power.h"

static void find_bodies(springs_island *island, int *seen);
static void fill_constants(springs_island *island, double exponent);
static void accelerate(springs_island *island, springs_state *state);
static void leapfrog(springs_island *island, double span, int substeps, double *result);
static double extrapolate(springs_island *island, int columns);

carom_status carom_springs_island_init(springs_island *island, const carom_problem *problem,
                                       int which, double exponent, carom_twist *rate,
                                       carom_arena *arena, carom_error *err)
{
    int begin = problem->first_island[which], n = problem->first_island[which + 1] - begin;
    double **arrays[] = { &island->k,      &island->eta,    &island->release,  &island->depth,
                          &island->now.g,  &island->now.u,  &island->now.f,    &island->now.a,
                          &island->next.g, &island->next.u, &island->next.f,   &island->next.a,
                          &island->lambda, &island->gained, &island->hold_side };
    *island = (springs_island){
        .problem = problem, .count = n, .index = problem->island_contacts + begin, .rate = rate
    };
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i)
        TAKE_ZEROS(arena, *arrays[i], n, err);
    for (int i = 0; i < SPRINGS_COLUMNS; ++i)
        TAKE(arena, island->column[i], 2 * (size_t)n, err);
    TAKE(arena, island->work, 4 * (size_t)n, err);
    TAKE(arena, island->per_scale, 2 * (size_t)n, err);
    TAKE_ZEROS(arena, island->mode, n, err);
    TAKE(arena, island->bodies, 2 * (size_t)n, err);
    TAKE(arena, island->hold_list, n, err);
    bool lossy = false;
    for (int i = 0; i < n; ++i)
        lossy = lossy || problem->contacts[island->index[i]].restitution < 1;
    // Beyond this many contacts that hold at once the dense factor is not worth its room: the rest
    // switch between loading and unloading, which costs steps, not truth.
    island->hold_room = !lossy ? 0 : n < 512 ? n : 512;
    TAKE(arena, island->factor, (size_t)island->hold_room * (size_t)island->hold_room, err);
    int *seen;
    TAKE_ZEROS(arena, seen, problem->body_count, err);
    find_bodies(island, seen);
    fill_constants(island, exponent);
    if (n > SPRINGS_DENSE)
        return CAROM_OK;
    TAKE(arena, island->matrix, (size_t)n * (size_t)n, err);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            island->matrix[j * n + i] = carom_row_coupling(&problem->normal[island->index[i]],
                                                           &problem->normal[island->index[j]]);
    return CAROM_OK;
}

static void find_bodies(springs_island *island, int *seen)
{
    for (int i = 0; i < island->count; ++i) {
        const carom_row *row = &island->problem->normal[island->index[i]];
        int ends[2] = { row->a, row->b };
        for (int k = 0; k < 2; ++k)
            if (!seen[ends[k]]) {
                seen[ends[k]] = 1;
                island->bodies[island->body_count++] = ends[k];
            }
    }
}

// The time and depth of one contact's own collision at the island's fastest speed: from
// 1/2 U^2 / w = k depth^(eta + 1) / (eta + 1), w = W_ii.
static void fill_constants(springs_island *island, double exponent)
{
    const carom_problem *problem = island->problem;
    for (int i = 0; i < island->count; ++i)
        island->speed = fmax(island->speed, fabs(problem->u[island->index[i]]));
    island->time_scale = HUGE_VAL;
    for (int i = 0; i < island->count; ++i) {
        const carom_impact_contact *contact = &problem->contacts[island->index[i]];
        double U = island->speed, w = problem->normal[island->index[i]].diagonal;
        island->k[i] = contact->stiffness;
        island->eta[i] = exponent > 0 ? exponent : contact->exponent;
        island->release[i] = contact->restitution * contact->restitution;
        island->now.g[i] = contact->gap;
        island->now.u[i] = problem->u[island->index[i]];
        double power = island->eta[i] + 1;
        island->depth[i] = carom_power(0.5 * power * U * U / (w * island->k[i]), 1 / power);
        island->time_scale = fmin(island->time_scale, 3 * island->depth[i] / U);
        island->per_scale[island->count + i] = w / U;
    }
}

double carom_springs_island_full(const springs_island *island, int i, double g)
{
    double f = island->k[i] * carom_power(fabs(g), island->eta[i]);
    return g < 0 ? f : -f;
}

// a = W f through the bodies.
static void respond(springs_island *island, const double *f, double *a)
{
    for (int i = 0; i < island->body_count; ++i)
        island->rate[island->bodies[i]] = (carom_twist){ { 0, 0, 0 }, { 0, 0, 0 } };
    for (int i = 0; i < island->count; ++i)
        if (f[i] != 0)
            carom_row_apply(&island->problem->normal[island->index[i]], f[i], island->rate);
    for (int i = 0; i < island->count; ++i)
        a[i] = carom_row_speed(&island->problem->normal[island->index[i]], island->rate);
}

// a = W f. In small islands W itself is quicker than the way through the bodies, which only the
// impulses have to take (momentum).
static void accelerate(springs_island *island, springs_state *state)
{
    int n = island->count;
    if (!island->matrix) {
        respond(island, state->f, state->a);
        return;
    }
    double *a = state->a;
    for (int i = 0; i < n; ++i)
        a[i] = 0;
    for (int j = 0; j < n; ++j) {
        const double *column = island->matrix + j * n, f = state->f[j];
        if (f == 0)
            continue;
        for (int i = 0; i < n; ++i)
            a[i] += column[i] * f;
    }
}

void carom_springs_island_evaluate(springs_island *island, springs_state *state)
{
    ++island->evaluations;
    for (int i = 0; i < island->count; ++i) {
        springs_mode mode = island->mode[i];
        state->f[i] = mode == SPRINGS_LOAD ? carom_springs_island_full(island, i, state->g[i])
                      : mode == SPRINGS_UNLOAD && island->release[i] > 0
                          ? island->release[i] * carom_springs_island_full(island, i, state->g[i])
                          : 0;
    }
    accelerate(island, state);
    if (island->held > 0) {
        carom_springs_hold_forces(island, state);
        accelerate(island, state);
    }
}

int carom_springs_island_step(springs_island *island, double span)
{
    // A column that is still this far off will not get there with the columns left.
    enum { EARLY = 4 };
    const double hopeless = 1e6;
    int n = island->count, columns = 0;
    double error = HUGE_VAL;
    // A contact that has flown apart knows its gap only to that gap's own round-off: measured by
    // its depth no step would be short enough.
    for (int i = 0; i < n; ++i)
        island->per_scale[i] = 1 / fmax(island->depth[i], fabs(island->now.g[i]));
    while (columns < SPRINGS_COLUMNS && !(error <= island->tolerance)) {
        ++columns;
        leapfrog(island, span, columns, island->column[columns - 1]);
        double now = extrapolate(island, columns);
        error = columns < 3 ? HUGE_VAL : now;
        if (columns == EARLY && !(error <= hopeless * island->tolerance))
            return 0;
    }
    if (!(error <= island->tolerance))
        return 0;
    memcpy(island->next.g, island->column[0], (size_t)n * sizeof(double));
    memcpy(island->gained, island->column[0] + n, (size_t)n * sizeof(double));
    respond(island, island->gained, island->next.u);
    for (int i = 0; i < n; ++i)
        island->next.u[i] += island->now.u[i];
    carom_springs_island_evaluate(island, &island->next);
    return columns;
}

static void leapfrog(springs_island *island, double span, int substeps, double *result)
{
    int n = island->count;
    double h = span / substeps, *lambda = result + n;
    springs_state at = { result, island->work, island->work + n, island->work + 2 * n };
    for (int i = 0; i < n; ++i) {
        at.g[i] = island->now.g[i];
        at.u[i] = island->now.u[i] + 0.5 * h * island->now.a[i];
        lambda[i] = 0.5 * h * island->now.f[i];
    }
    for (int k = 1; k <= substeps; ++k) {
        double kick = k < substeps ? h : 0.5 * h;
        for (int i = 0; i < n; ++i)
            at.g[i] += h * at.u[i];
        carom_springs_island_evaluate(island, &at);
        for (int i = 0; i < n; ++i) {
            at.u[i] += kick * at.a[i];
            lambda[i] += kick * at.f[i];
        }
    }
}

// Neville's scheme kept as one diagonal: column[j] holds the best value from substeps j+1 ..
// columns, so column[0] is the result. Returns the change that the newest row made to it, relative
// to the scales of the contacts.
static double extrapolate(springs_island *island, int columns)
{
    int n = island->count;
    double worst = 0;
    for (int j = columns - 2; j >= 0; --j) {
        double ratio = (double)columns / (j + 1), weight = 1 / (ratio * ratio - 1);
        double *coarse = island->column[j], *fine = island->column[j + 1];
        for (int i = 0; i < 2 * n; ++i)
            coarse[i] = fine[i] + weight * (fine[i] - coarse[i]);
    }
    for (int i = 0; i < 2 * n && columns > 1; ++i) {
        double change = fabs(island->column[0][i] - island->column[1][i]) * island->per_scale[i];
        worst = change > worst || isnan(change) ? change : worst;
    }
    return worst;
}
