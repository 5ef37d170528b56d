// Can QCE sweeps be endless on these contacts?
//
// If some velocity x opens all contacts, J x > 0, elastic sweeps end after finitely many: each
// keeps |v|_M and uses impulses lam >= 0 on approaching contacts, so x.M v grows by lam^T J x and
// is bounded. By Gordan's theorem there is no such x exactly where some y >= 0, y != 0 has J^T y =
// 0: pushes in balance, as between two parallel walls.
//
// Both certificates come out of the point z of least norm in the hull of the unit rows
// g_i = J_i M^-1/2 / W_ii^1/2, found by Wolfe's and Frank's steps (towards the row with the least
// g.z, away from the active one with the largest): g_i.z > 0 for all i is an x, z = 0 a y.
#include "impact/qce.h"

// Rows as a weighted hull.
typedef struct hull {
    const carom_problem *problem;
    const carom_contact_set *set;
    double *y;      // weights, sum 1
    double *dot;    // g_i.z
    carom_twist *z; // M^-1 J^T (y_i / W_ii^1/2), per body of the problem
    double *gram;   // g_i.g_j where they are few, else null
} hull;

enum {
    FEW = 64,   // contacts up to which products are kept
    AFRESH = 50 // steps after which g.z is computed anew, without the round-off of increments
};

static carom_status take_gram(hull *h, carom_arena *scratch, carom_error *err);
static bool look(const hull *h, int *toward, int *away, double *square);
static void step(hull *h, int toward, int away);
static void refresh(hull *h);

carom_status carom_qce_endless(const carom_problem *problem, const carom_contact_set *set,
                               carom_arena *scratch, bool *endless, carom_error *err)
{
    const double zero = 1e-18;                         // of |z|^2, where |g| = 1
    const int max = 4 + (int)(4e6 / (set->count + 1)); // steps: bounded work on large sets
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    hull h = { .problem = problem, .set = set };
    TAKE_ZEROS(scratch, h.y, set->count, err);
    TAKE(scratch, h.dot, set->count, err);
    TAKE(scratch, h.z, problem->body_count, err);
    for (int i = 0; i < set->count; ++i)
        h.y[i] = 1.0 / set->count;
    TRY(take_gram(&h, scratch, err));
    *endless = false;
    for (int turn = 0; turn < max && !*endless; ++turn) {
        int toward, away;
        double square;
        bool fresh = !h.gram || turn % AFRESH == 0;
        if (fresh)
            refresh(&h);
        bool opens = look(&h, &toward, &away, &square);
        if (!fresh && (opens || square < zero)) { // certificates come from exact products only
            refresh(&h);
            opens = look(&h, &toward, &away, &square);
        }
        if (opens)
            break;
        *endless = square < zero;
        step(&h, toward, away);
    }
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

static carom_status take_gram(hull *h, carom_arena *scratch, carom_error *err)
{
    int n = h->set->count;
    if (n > FEW)
        return CAROM_OK;
    TAKE(scratch, h->gram, (size_t)n * (size_t)n, err);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            const carom_row *a = &h->problem->normal[h->set->index[i]];
            const carom_row *b = &h->problem->normal[h->set->index[j]];
            h->gram[i * n + j] = carom_row_coupling(a, b) / sqrt(a->diagonal * b->diagonal);
        }
    return CAROM_OK;
}

// The rows between which weight moves, and |z|^2; true where z opens all contacts.
static bool look(const hull *h, int *toward, int *away, double *square)
{
    *toward = 0;
    *away = -1;
    *square = 0;
    for (int i = 0; i < h->set->count; ++i) {
        *square += h->y[i] * h->dot[i];
        if (h->dot[i] < h->dot[*toward])
            *toward = i;
        if (h->y[i] > 0 && (*away < 0 || h->dot[i] > h->dot[*away]))
            *away = i;
    }
    return h->dot[*toward] > 0;
}

// z and its products, from the weights.
static void refresh(hull *h)
{
    for (int i = 0; i < h->set->count; ++i) {
        const carom_row *row = &h->problem->normal[h->set->index[i]];
        h->z[row->a] = h->z[row->b] = (carom_twist){ { 0, 0, 0 }, { 0, 0, 0 } };
    }
    for (int i = 0; i < h->set->count; ++i) {
        const carom_row *row = &h->problem->normal[h->set->index[i]];
        carom_row_apply(row, h->y[i] / sqrt(row->diagonal), h->z);
    }
    for (int i = 0; i < h->set->count; ++i) {
        const carom_row *row = &h->problem->normal[h->set->index[i]];
        h->dot[i] = carom_row_speed(row, h->z) / sqrt(row->diagonal);
    }
}

// Moves weight from `away` to `toward` as far as |z| falls: a pairwise step, which converges
// linearly also where the least point lies on a face.
static void step(hull *h, int toward, int away)
{
    const carom_row *a = &h->problem->normal[h->set->index[away]];
    const carom_row *t = &h->problem->normal[h->set->index[toward]];
    double across = carom_row_coupling(a, t) / sqrt(a->diagonal * t->diagonal);
    double square = 2 - 2 * across; // |g_t - g_a|^2
    double gain = h->dot[away] - h->dot[toward];
    double weight = square > 0 ? gain / square : 0;
    if (weight > h->y[away])
        weight = h->y[away];
    h->y[away] -= weight;
    h->y[toward] += weight;
    int n = h->set->count;
    for (int i = 0; h->gram && i < n; ++i)
        h->dot[i] += weight * (h->gram[toward * n + i] - h->gram[away * n + i]);
}
