// The overhang designer: the stable stack of N bricks that reaches farthest over a table's edge.
//
// Paterson and Zwick: 1/2, 3/4, 1 (three bricks), (15 - 4 sqrt 2)/8 = 1.16789... (four), ...
// One brick lies on the table, rows of bricks above it. The table carries the whole weight at one
// point, so the best edge is below the common centre of mass, and what is left to choose is the
// shape: how many bricks a row has (all patterns are tried) and where they lie. For each pattern a
// simplex search (Nelder and Mead) maximises
//
//     reach - edge - PRICE sqrt(sum m a^2 / N)
//
// from random starts. The last term is the violation: it grows linearly when the stack leaves the
// stable region, so a high price makes the best stack a stable one. The winner is pulled back by as
// little as makes an exact proof succeed.
#include "tower/tower_internal.h"

#include <math.h>
#include <string.h>
#include "base/random.h"
#include "math/power.h"

enum { BRICKS_MAX = 8, VARIABLES_MAX = BRICKS_MAX, MOVES_MAX = 600, RESTARTS = 4, IN_ROW_MAX = 4 };
static const double PRICE = 6;

typedef struct stack {
    int bricks, row_count;
    int row[BRICKS_MAX];   // bricks per row
    double x[BRICKS_MAX];  // centres, bottom row first
    double edge;           // of the table
    double reach;          // right end - edge
    double value;
    bool stable;
} stack;

typedef struct search {
    stack pattern; // rows in use
    stack best;    // the best stable stack of all patterns
    long tried;
    carom_error *err;
    carom_status status;
} search;

// -- one stack ----------------------------------------------------------------------------------

// The bottom brick is at 0. Each further row: the first centre, then the gaps between neighbours.
static void place_bricks(stack *s, const double *variable)
{
    int brick = 1, v = 0;
    s->x[0] = 0;
    for (int r = 1; r < s->row_count; ++r)
        for (int k = 0; k < s->row[r]; ++k, ++brick, ++v)
            s->x[brick] = k == 0 ? variable[v] : s->x[brick - 1] + 1 + fabs(variable[v]);
}

static carom_status build(const stack *s, double edge, carom_tower **out, carom_error *err)
{
    carom_tower *t = carom_tower_create(1);
    if (!t)
        return carom_error_no_memory(err, "a stack");
    *out = t;
    for (int r = 0, brick = 0; r < s->row_count; ++r)
        for (int k = 0; k < s->row[r]; ++k, ++brick) {
            carom_tower_body body = {
                .width = 1, .height = 0.25, .x = s->x[brick], .y = 0.125 + 0.25 * r
            };
            TRY(carom_tower_add_body(t, &body, NULL, err));
        }
    return carom_tower_add_table(t, -HUGE_VAL, edge, 0, err);
}

static void judge(search *q, stack *s)
{
    carom_tower *t = NULL;
    carom_tower_instant instant = { 0 };
    double sum = 0, right = -HUGE_VAL;
    ++q->tried;
    for (int b = 0; b < s->bricks; ++b) {
        sum += s->x[b];
        right = fmax(right, s->x[b] + 0.5);
    }
    s->edge = sum / s->bricks;
    s->reach = right - s->edge;
    s->stable = false;
    s->value = -HUGE_VAL;
    // A hair of table beyond the centre of mass: exactly below it, round-off would decide.
    carom_status status = build(s, s->edge + 1e-9, &t, q->err);
    if (status == CAROM_OK)
        status = carom_tower_initial(t, CAROM_TOWER_ACTIVE, &instant, q->err);
    if (status == CAROM_OK) {
        s->stable = instant.stable;
        s->value = s->reach - PRICE * (s->stable ? 0 : sqrt(instant.sum_m_a2 / s->bricks));
    } else if (status == CAROM_NO_MEMORY)
        q->status = status;
    carom_tower_initial_free(&instant);
    carom_tower_destroy(t);
    if (s->stable && s->value > q->best.value)
        q->best = *s;
}

static double evaluate(search *q, const double *variable)
{
    stack s = q->pattern;
    place_bricks(&s, variable);
    judge(q, &s);
    return s.value;
}

// -- Nelder and Mead ----------------------------------------------------------------------------

typedef struct simplex {
    int n;
    double corner[VARIABLES_MAX + 1][VARIABLES_MAX];
    double value[VARIABLES_MAX + 1];
} simplex;

static void sort_corners(simplex *s)
{
    for (int i = 1; i <= s->n; ++i)
        for (int j = i; j > 0 && s->value[j] > s->value[j - 1]; --j) {
            double keep[VARIABLES_MAX], value = s->value[j];
            memcpy(keep, s->corner[j], sizeof keep);
            memcpy(s->corner[j], s->corner[j - 1], sizeof keep);
            memcpy(s->corner[j - 1], keep, sizeof keep);
            s->value[j] = s->value[j - 1];
            s->value[j - 1] = value;
        }
}

// The worst corner mirrored at the centre of the others, by `factor`; returns the value there.
static double try_corner(search *q, const simplex *s, double factor, double *out)
{
    for (int c = 0; c < s->n; ++c) {
        double centre = 0;
        for (int i = 0; i < s->n; ++i)
            centre += s->corner[i][c] / s->n;
        out[c] = centre + factor * (s->corner[s->n][c] - centre);
    }
    return evaluate(q, out);
}

static void move_simplex(search *q, simplex *s)
{
    double point[VARIABLES_MAX], other[VARIABLES_MAX], *worst = s->corner[s->n];
    size_t size = (size_t)s->n * sizeof *worst;
    double value = try_corner(q, s, -1, point);
    if (value > s->value[0]) {
        double farther = try_corner(q, s, -2, other);
        memcpy(worst, farther > value ? other : point, size);
        s->value[s->n] = fmax(farther, value);
    } else if (value > s->value[s->n - 1]) {
        memcpy(worst, point, size);
        s->value[s->n] = value;
    } else {
        double nearer = try_corner(q, s, value > s->value[s->n] ? -0.5 : 0.5, other);
        if (nearer > fmax(value, s->value[s->n])) {
            memcpy(worst, other, size);
            s->value[s->n] = nearer;
        } else
            for (int i = 1; i <= s->n; ++i) {
                for (int c = 0; c < s->n; ++c)
                    s->corner[i][c] = (s->corner[i][c] + s->corner[0][c]) / 2;
                s->value[i] = evaluate(q, s->corner[i]);
            }
    }
    sort_corners(s);
}

static void climb(search *q, double *start, int n)
{
    double size = 0.3;
    for (int restart = 0; restart < RESTARTS && q->status == CAROM_OK; ++restart, size /= 8) {
        simplex s = { .n = n };
        for (int i = 0; i <= n; ++i) {
            memcpy(s.corner[i], start, (size_t)n * sizeof *start);
            if (i > 0)
                s.corner[i][i - 1] += size;
            s.value[i] = evaluate(q, s.corner[i]);
        }
        sort_corners(&s);
        for (int move = 0; move < MOVES_MAX && q->status == CAROM_OK; ++move) {
            move_simplex(q, &s);
            double spread = 0;
            for (int c = 0; c < n; ++c)
                spread = fmax(spread, fabs(s.corner[n][c] - s.corner[0][c]));
            if (spread < 1e-12)
                break;
        }
        memcpy(start, s.corner[0], (size_t)n * sizeof *start);
    }
}

// -- patterns -----------------------------------------------------------------------------------

static void try_pattern(search *q, int effort, uint64_t seed, uint64_t number)
{
    int n = q->pattern.bricks - 1;
    double start[VARIABLES_MAX] = { 0 };
    if (n == 0) {
        stack s = q->pattern;
        place_bricks(&s, start);
        judge(q, &s);
        return;
    }
    for (int k = 0; k < effort && q->status == CAROM_OK; ++k) {
        carom_random stream = carom_random_make(seed, number * 1000003 + (uint64_t)k);
        for (int v = 0, r = 1; r < q->pattern.row_count; ++r)
            for (int i = 0; i < q->pattern.row[r]; ++i, ++v) {
                double u = carom_random_unit(&stream);
                start[v] = i == 0 ? -0.5 * q->pattern.row[r] + 1.5 * (u - 0.3) : 0.6 * u;
            }
        climb(q, start, n);
    }
}

// All ways to split what is left into rows, recursively; `number` counts them.
static void split(search *q, int left, int effort, uint64_t seed, uint64_t *number)
{
    if (left == 0) {
        try_pattern(q, effort, seed, (*number)++);
        return;
    }
    for (int count = 1; count <= left && count <= IN_ROW_MAX && q->status == CAROM_OK; ++count) {
        q->pattern.row[q->pattern.row_count++] = count;
        split(q, left - count, effort, seed, number);
        --q->pattern.row_count;
    }
}

// -- the winner ---------------------------------------------------------------------------------

static carom_status proved(const stack *s, double edge, bool *stable, carom_error *err)
{
    carom_tower *t = NULL;
    carom_tower_proof proof = { 0 };
    carom_status status = build(s, edge, &t, err);
    if (status == CAROM_OK)
        status = carom_tower_prove(t, &proof, err);
    *stable = status == CAROM_OK && proof.stable;
    carom_tower_prove_free(&proof);
    carom_tower_destroy(t);
    return status;
}

// A variant of the winner that may be provable: rounded to multiples of 2^-bits (0: as it is), the
// farthest brick and the whole stack pulled back by `back`, and the table's edge moved to 0.
static stack variant(const stack *best, int bits, double back)
{
    stack s = *best;
    int far = 0;
    double sum = 0, unit = ldexp(1, bits), right = -HUGE_VAL;
    for (int b = 0; b < s.bricks; ++b) {
        if (bits)
            s.x[b] = nearbyint(s.x[b] * unit) / unit;
        far = s.x[b] > s.x[far] ? b : far;
    }
    s.x[far] -= back;
    for (int b = 0; b < s.bricks; ++b)
        sum += s.x[b];
    s.edge = sum / s.bricks + back;
    for (int b = 0; b < s.bricks; ++b) { // the numbers that are written are the ones proved
        s.x[b] -= s.edge;
        right = fmax(right, s.x[b] + 0.5);
    }
    s.edge = 0;
    s.reach = right;
    return s;
}

// The variant that reaches farthest among those an exact proof accepts. The best stacks are on the
// boundary of stability, where flush neighbours leave no room to pull back but round numbers fit.
static carom_status settle(const search *q, carom_tower_overhang *out, carom_error *err)
{
    stack best = { .reach = -HUGE_VAL };
    for (int bits = 0; bits <= 24; bits += 4)
        for (int step = 0; step < 12; ++step) {
            bool stable;
            stack s = variant(&q->best, bits, step ? 1e-13 * carom_power(10, step) : 0);
            if (s.reach <= best.reach)
                continue;
            TRY(proved(&s, 0, &stable, err));
            if (stable)
                best = s;
        }
    if (isinf(best.reach))
        return carom_error_set(err, CAROM_NOT_CONVERGED,
                               "the best stack of %d bricks could not be proved stable",
                               q->best.bricks);
    out->proved = true;
    out->bricks = best.bricks;
    out->row_count = best.row_count;
    out->reach = best.reach;
    for (int r = 0, brick = 0; r < best.row_count; ++r) {
        out->rows[r] = best.row[r];
        for (int k = 0; k < best.row[r]; ++k, ++brick) {
            out->place[2 * brick] = best.x[brick];
            out->place[2 * brick + 1] = 0.125 + 0.25 * r;
        }
    }
    return CAROM_OK;
}

carom_status carom_tower_overhang_search(int bricks, int effort, unsigned long long seed,
                                         carom_tower_overhang *out, carom_error *err)
{
    NEED(err, out);
    carom_error ignored;
    search q = { .status = CAROM_OK, .err = &ignored };
    uint64_t number = 0;
    *out = (carom_tower_overhang){ .bricks = bricks };
    if (bricks < 1 || bricks > BRICKS_MAX || effort < 1) {
        carom_error_set(err, CAROM_BAD_INPUT, "an overhang of %d bricks with effort %d", bricks,
                        effort);
        return carom_error_fix(err, "use 1 to %d bricks and an effort of at least 1", BRICKS_MAX);
    }
    q.best.value = -HUGE_VAL;
    q.pattern = (stack){ .bricks = bricks, .row_count = 1, .row = { 1 } };
    split(&q, bricks - 1, effort, seed, &number);
    out->tried = q.tried;
    if (q.status != CAROM_OK || isinf(q.best.value))
        return carom_error_set(err, q.status != CAROM_OK ? q.status : CAROM_NOT_CONVERGED,
                               "no stable stack of %d bricks was found", bricks);
    return settle(&q, out, err);
}
