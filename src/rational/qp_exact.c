// Exact solution on a guessed support, by p-adic lifting (Dixon 1982), and its verification.
//
// For active rows A the multipliers solve W lambda = b, W = G_A M^-1 G_A^T. W is eliminated once
// modulo p = 2^31 - 1, with pivots on the diagonal: over the rationals W is positive semidefinite,
// so a zero pivot means that the row depends on earlier ones, and it is left out. Then lambda is
// found digit by digit in base p with integer residuals, and each component is recovered as a
// fraction by a truncated Euclidean algorithm. Whatever went wrong on the way (an unlucky p, too
// few digits, a wrong support) shows up in the verification: lambda >= 0, G y >= b for all rows,
// equality where lambda > 0. A wrong support is repaired by dropping the most negative multiplier
// and adding the most violated row.
#include "rational/qp_exact.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "rational/rational.h"

static const uint64_t P = 2147483647; // 2^31 - 1
enum { REPAIRS_MAX = 200, FIRST_DIGITS = 8, DIGITS_MAX = 4096, ROWS_MAX = 4000 };

typedef struct sparse_entry {
    int column;
    mpz_t value;
} sparse_entry;

// Integer rows of W (each row scaled by its common denominator) over the chosen rows.
typedef struct lifting {
    int n;
    int *row;   // chosen rows of the program
    int *start; // n + 1
    sparse_entry *entry;
    int entries, capacity;
    mpz_t *right;
    uint64_t *factor; // n x n, L and U modulo p
} lifting;

carom_qp_exact *carom_qp_exact_create(int blocks, int rows)
{
    carom_qp_exact *qp = carom_rational_calloc(1, sizeof *qp);
    if (!qp)
        return NULL;
    qp->weights = carom_rational_calloc(3 * (size_t)blocks + 1, sizeof *qp->weights);
    qp->rows = carom_rational_calloc((size_t)rows + 1, sizeof *qp->rows);
    if (!qp->weights || !qp->rows) {
        carom_rational_free(qp->weights);
        carom_rational_free(qp->rows);
        carom_rational_free(qp);
        return NULL;
    }
    qp->block_count = blocks;
    qp->row_count = rows;
    for (int i = 0; i < 3 * blocks; ++i)
        mpq_init(qp->weights[i]);
    for (int r = 0; r < rows; ++r) {
        for (int k = 0; k < 3 * CAROM_QP_EXACT_BLOCKS_PER_ROW; ++k)
            mpq_init(qp->rows[r].values[k / 3][k % 3]);
        mpq_init(qp->rows[r].bound);
    }
    return qp;
}

void carom_qp_exact_destroy(carom_qp_exact *qp)
{
    if (!qp)
        return;
    for (int i = 0; i < 3 * qp->block_count; ++i)
        mpq_clear(qp->weights[i]);
    for (int r = 0; r < qp->row_count; ++r) {
        for (int k = 0; k < 3 * CAROM_QP_EXACT_BLOCKS_PER_ROW; ++k)
            mpq_clear(qp->rows[r].values[k / 3][k % 3]);
        mpq_clear(qp->rows[r].bound);
    }
    carom_rational_free(qp->weights);
    carom_rational_free(qp->rows);
    carom_rational_free(qp);
}

// -- the matrix ---------------------------------------------------------------------------------

// out = g_a M^-1 g_b; false when the rows share no block.
static bool gram(const carom_qp_exact *qp, int a, int b, mpq_t out)
{
    const carom_qp_exact_row *x = &qp->rows[a], *y = &qp->rows[b];
    bool shared = false;
    mpq_t term;
    mpq_init(term);
    mpq_set_ui(out, 0, 1);
    for (int i = 0; i < x->count; ++i)
        for (int j = 0; j < y->count; ++j)
            for (int c = 0; c < 3 && x->blocks[i] == y->blocks[j]; ++c) {
                mpq_mul(term, x->values[i][c], y->values[j][c]);
                mpq_div(term, term, qp->weights[3 * x->blocks[i] + c]);
                mpq_add(out, out, term);
                shared = true;
            }
    mpq_clear(term);
    return shared;
}

static bool push_entry(lifting *l, int column, const mpz_t value)
{
    if (l->entries == l->capacity) {
        int wider = 2 * l->capacity + 64;
        sparse_entry *entry = carom_rational_realloc(l->entry, (size_t)wider * sizeof *entry);
        if (!entry)
            return false;
        l->entry = entry;
        l->capacity = wider;
    }
    l->entry[l->entries].column = column;
    mpz_init_set(l->entry[l->entries].value, value);
    ++l->entries;
    return true;
}

static void release(lifting *l)
{
    for (int e = 0; e < l->entries; ++e)
        mpz_clear(l->entry[e].value);
    for (int i = 0; l->right && i < l->n; ++i)
        mpz_clear(l->right[i]);
    carom_rational_free(l->entry);
    carom_rational_free(l->right);
    carom_rational_free(l->start);
    carom_rational_free(l->row);
    carom_rational_free(l->factor);
    *l = (lifting){ 0 };
}

// Row i of W with its right side, scaled to integers.
static bool integer_row(const carom_qp_exact *qp, lifting *l, int i, mpq_t *line)
{
    mpz_t scale, value;
    bool good = true;
    mpz_init_set(scale, mpq_denref(qp->rows[l->row[i]].bound));
    mpz_init(value);
    for (int j = 0; j < l->n; ++j)
        if (gram(qp, l->row[i], l->row[j], line[j]))
            mpz_lcm(scale, scale, mpq_denref(line[j]));
    for (int j = 0; j < l->n && good; ++j)
        if (mpq_sgn(line[j]) != 0) {
            mpz_divexact(value, scale, mpq_denref(line[j]));
            mpz_mul(value, value, mpq_numref(line[j]));
            good = push_entry(l, j, value);
        }
    mpz_divexact(value, scale, mpq_denref(qp->rows[l->row[i]].bound));
    mpz_mul(l->right[i], value, mpq_numref(qp->rows[l->row[i]].bound));
    mpz_clear(scale);
    mpz_clear(value);
    return good;
}

static bool build(const carom_qp_exact *qp, lifting *l, const int *rows, int n)
{
    mpq_t *line = carom_rational_calloc(1, ((size_t)n + 1) * sizeof *line);
    l->n = 0;
    l->row = carom_rational_calloc(1, ((size_t)n + 1) * sizeof *l->row);
    l->start = carom_rational_calloc((size_t)n + 2, sizeof *l->start);
    l->right = carom_rational_calloc(1, ((size_t)n + 1) * sizeof *l->right);
    bool good = line && l->row && l->start && l->right;
    if (!good) {
        carom_rational_free(line);
        return false;
    }
    memcpy(l->row, rows, (size_t)n * sizeof *rows);
    l->n = n;
    for (int j = 0; j < n; ++j) {
        mpq_init(line[j]);
        mpz_init(l->right[j]);
    }
    for (int i = 0; i < n && good; ++i) {
        l->start[i] = l->entries;
        good = integer_row(qp, l, i, line);
        l->start[i + 1] = l->entries;
    }
    for (int j = 0; j < n; ++j)
        mpq_clear(line[j]);
    carom_rational_free(line);
    return good;
}

// -- modulo p -----------------------------------------------------------------------------------

static uint64_t inverse(uint64_t a)
{
    uint64_t result = 1, power = a % P;
    for (uint64_t e = P - 2; e; e >>= 1) {
        if (e & 1)
            result = result * power % P;
        power = power * power % P;
    }
    return result;
}

// L U modulo p in place, pivots on the diagonal. `keep[i]` is false where the pivot vanishes; such
// rows and columns take no part. Pivots are stored inverted.
static bool eliminate(lifting *l, bool *keep)
{
    size_t n = (size_t)l->n;
    l->factor = carom_rational_calloc(n * n + 1, sizeof *l->factor);
    if (!l->factor)
        return false;
    for (size_t i = 0; i < n; ++i)
        for (int e = l->start[i]; e < l->start[i + 1]; ++e)
            l->factor[i * n + (size_t)l->entry[e].column] = mpz_fdiv_ui(l->entry[e].value, P);
    for (size_t k = 0; k < n; ++k) {
        uint64_t *pivot = l->factor + k * n;
        keep[k] = pivot[k] != 0;
        if (!keep[k])
            continue;
        pivot[k] = inverse(pivot[k]);
        for (size_t i = k + 1; i < n; ++i) {
            uint64_t *line = l->factor + i * n;
            if (line[k] == 0)
                continue;
            uint64_t ratio = line[k] = line[k] * pivot[k] % P, minus = P - ratio;
            for (size_t j = k + 1; j < n; ++j)
                if (pivot[j])
                    line[j] = (line[j] + minus * pivot[j]) % P;
        }
    }
    return true;
}

static void solve_modular(const lifting *l, uint64_t *x)
{
    size_t n = (size_t)l->n;
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < i; ++j)
            x[i] = (x[i] + (P - l->factor[i * n + j]) * x[j]) % P;
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; ++j)
            x[i] = (x[i] + (P - l->factor[i * n + j]) * x[j]) % P;
        x[i] = x[i] * l->factor[i * n + i] % P;
    }
}

// -- digits -------------------------------------------------------------------------------------

// Fraction a/b = x modulo m with |a|, b <= sqrt(m/2), by the Euclidean algorithm; false if none.
static bool reconstruct(const mpz_t x, const mpz_t m, const mpz_t limit, mpq_t out)
{
    mpz_t r0, r1, s0, s1, q, t;
    mpz_inits(r0, r1, s0, s1, q, t, NULL);
    mpz_set(r0, m);
    mpz_mod(r1, x, m);
    mpz_set_ui(s1, 1);
    while (mpz_cmp(r1, limit) > 0) {
        mpz_fdiv_qr(q, t, r0, r1);
        mpz_swap(r0, r1);
        mpz_swap(r1, t);
        mpz_mul(t, q, s1);
        mpz_sub(t, s0, t);
        mpz_swap(s0, s1);
        mpz_swap(s1, t);
    }
    bool good = mpz_sgn(s1) != 0 && mpz_cmpabs(s1, limit) <= 0;
    if (good) {
        mpz_set(mpq_numref(out), r1);
        mpz_set(mpq_denref(out), s1);
        mpq_canonicalize(out);
    }
    mpz_clears(r0, r1, s0, s1, q, t, NULL);
    return good;
}

// W x = right exactly?
static bool equations_hold(const lifting *l, mpq_t *x)
{
    mpq_t sum, term;
    bool good = true;
    mpq_inits(sum, term, NULL);
    for (int i = 0; i < l->n && good; ++i) {
        mpq_set_z(sum, l->right[i]);
        for (int e = l->start[i]; e < l->start[i + 1]; ++e) {
            mpq_set_z(term, l->entry[e].value);
            mpq_mul(term, term, x[l->entry[e].column]);
            mpq_sub(sum, sum, term);
        }
        good = mpq_sgn(sum) == 0;
    }
    mpq_clears(sum, term, NULL);
    return good;
}

// residual := (residual - W digit) / p
static void next_residual(const lifting *l, mpz_t *residual, const uint64_t *digit)
{
    for (int i = 0; i < l->n; ++i) {
        for (int e = l->start[i]; e < l->start[i + 1]; ++e)
            mpz_submul_ui(residual[i], l->entry[e].value, (unsigned long)digit[l->entry[e].column]);
        mpz_divexact_ui(residual[i], residual[i], (unsigned long)P);
    }
}

typedef struct digits {
    mpz_t *sum, *residual; // n each
    mpz_t power;           // p^(digits so far)
    uint64_t *digit;
} digits;

static bool try_fractions(const lifting *l, const digits *d, mpq_t *x)
{
    mpz_t limit;
    bool good = true;
    mpz_init(limit);
    mpz_fdiv_q_2exp(limit, d->power, 1);
    mpz_sqrt(limit, limit);
    for (int i = 0; i < l->n && good; ++i)
        good = reconstruct(d->sum[i], d->power, limit, x[i]);
    mpz_clear(limit);
    return good && equations_hold(l, x);
}

static bool lift(const lifting *l, digits *d, mpq_t *x)
{
    for (int count = 1, next = FIRST_DIGITS; count <= DIGITS_MAX; ++count) {
        for (int i = 0; i < l->n; ++i)
            d->digit[i] = mpz_fdiv_ui(d->residual[i], P);
        solve_modular(l, d->digit);
        for (int i = 0; i < l->n; ++i)
            mpz_addmul_ui(d->sum[i], d->power, (unsigned long)d->digit[i]);
        mpz_mul_ui(d->power, d->power, (unsigned long)P);
        next_residual(l, d->residual, d->digit);
        if (count < next)
            continue;
        if (try_fractions(l, d, x))
            return true;
        next = 2 * count;
    }
    return false;
}

// x = W^-1 right over the rows that are left; x has l->n initialised entries.
static carom_status solve_lifting(lifting *l, mpq_t *x, carom_error *err)
{
    size_t n = (size_t)l->n;
    digits d = { .sum = carom_rational_calloc(1, (n + 1) * sizeof *d.sum),
                 .residual = carom_rational_calloc(1, (n + 1) * sizeof *d.residual),
                 .digit = carom_rational_calloc(1, (n + 1) * sizeof *d.digit) };
    bool memory = d.sum && d.residual && d.digit, good = false;
    if (memory) {
        mpz_init_set_ui(d.power, 1);
        for (size_t i = 0; i < n; ++i) {
            mpz_init(d.sum[i]);
            mpz_init_set(d.residual[i], l->right[i]);
        }
        good = lift(l, &d, x);
        for (size_t i = 0; i < n; ++i) {
            mpz_clear(d.sum[i]);
            mpz_clear(d.residual[i]);
        }
        mpz_clear(d.power);
    }
    carom_rational_free(d.sum);
    carom_rational_free(d.residual);
    carom_rational_free(d.digit);
    if (!memory)
        return carom_error_no_memory(err, "the exact solution");
    return good ? CAROM_OK
                : carom_error_set(err, CAROM_NOT_CONVERGED,
                                  "exact solution: more than %d digits needed", DIGITS_MAX);
}

// -- optimality ---------------------------------------------------------------------------------

static void row_times(const carom_qp_exact *qp, int r, mpq_t *y, mpq_t out)
{
    const carom_qp_exact_row *row = &qp->rows[r];
    mpq_t term;
    mpq_init(term);
    mpq_set_ui(out, 0, 1);
    for (int k = 0; k < row->count; ++k)
        for (int c = 0; c < 3; ++c) {
            mpq_mul(term, row->values[k][c], y[3 * row->blocks[k] + c]);
            mpq_add(out, out, term);
        }
    mpq_clear(term);
}

static void primal(const carom_qp_exact *qp, mpq_t *lambda, mpq_t *y)
{
    mpq_t term;
    mpq_init(term);
    for (int i = 0; i < 3 * qp->block_count; ++i)
        mpq_set_ui(y[i], 0, 1);
    for (int r = 0; r < qp->row_count; ++r)
        for (int k = 0; mpq_sgn(lambda[r]) != 0 && k < qp->rows[r].count; ++k)
            for (int c = 0; c < 3; ++c) {
                int i = 3 * qp->rows[r].blocks[k] + c;
                mpq_mul(term, lambda[r], qp->rows[r].values[k][c]);
                mpq_add(y[i], y[i], term);
            }
    for (int i = 0; i < 3 * qp->block_count; ++i)
        mpq_div(y[i], y[i], qp->weights[i]);
    mpq_clear(term);
}

// The most negative multiplier, or the most violated row; -1 when optimal. *drop says which.
static int worst_row(const carom_qp_exact *qp, mpq_t *lambda, mpq_t *y, bool *drop)
{
    int worst = -1;
    mpq_t max, slack;
    mpq_inits(max, slack, NULL);
    *drop = true;
    for (int r = 0; r < qp->row_count; ++r)
        if (mpq_cmp(lambda[r], max) < 0) {
            mpq_set(max, lambda[r]);
            worst = r;
        }
    for (int r = 0; worst < 0 || !*drop ? r < qp->row_count : false; ++r) {
        row_times(qp, r, y, slack);
        mpq_sub(slack, slack, qp->rows[r].bound);
        if (mpq_cmp(slack, max) < 0) {
            mpq_set(max, slack);
            worst = r;
            *drop = false;
        }
    }
    mpq_clears(max, slack, NULL);
    return worst;
}

// Multipliers on the given rows; rows found dependent are removed from the list.
static carom_status solve_on(const carom_qp_exact *qp, int *rows, int *count, mpq_t *lambda,
                             carom_error *err)
{
    lifting l = { 0 };
    bool *keep = carom_rational_calloc((size_t)*count + 1, sizeof *keep);
    bool good = keep && build(qp, &l, rows, *count) && eliminate(&l, keep);
    int kept = 0;
    for (int i = 0; good && i < *count; ++i)
        if (keep[i])
            rows[kept++] = rows[i];
    carom_rational_free(keep);
    if (good &&
        kept < *count) { // again without them: the factor of the rest is not that of the whole
        release(&l);
        *count = kept;
        keep = carom_rational_calloc((size_t)kept + 1, sizeof *keep);
        good = keep && build(qp, &l, rows, kept) && eliminate(&l, keep);
        carom_rational_free(keep);
    }
    mpq_t *x = good ? carom_rational_calloc(1, ((size_t)*count + 1) * sizeof *x) : NULL;
    if (!x) {
        release(&l);
        return carom_error_no_memory(err, "the exact solution");
    }
    for (int i = 0; i < *count; ++i)
        mpq_init(x[i]);
    carom_status status = solve_lifting(&l, x, err);
    for (int r = 0; r < qp->row_count; ++r)
        mpq_set_ui(lambda[r], 0, 1);
    for (int i = 0; i < *count; ++i) {
        mpq_set(lambda[rows[i]], x[i]);
        mpq_clear(x[i]);
    }
    carom_rational_free(x);
    release(&l);
    return status;
}

static int largest_bits(const carom_qp_exact *qp, mpq_t *y, mpq_t *lambda)
{
    size_t max = 0;
    for (int i = 0; i < 3 * qp->block_count + qp->row_count; ++i) {
        mpq_srcptr q = i < 3 * qp->block_count ? y[i] : lambda[i - 3 * qp->block_count];
        size_t top = mpz_sizeinbase(mpq_numref(q), 2), bottom = mpz_sizeinbase(mpq_denref(q), 2);
        max = top > max ? top : max;
        max = bottom > max ? bottom : max;
    }
    return (int)max;
}

carom_status carom_qp_exact_solve(const carom_qp_exact *qp, const int *order, int candidates,
                                  mpq_t *y, mpq_t *lambda, int *bits, carom_error *err)
{
    int count = candidates;
    if (candidates > ROWS_MAX) {
        carom_error_set(err, CAROM_UNSUPPORTED, "%d pushing contacts, at most %d can be proved",
                        candidates, ROWS_MAX);
        return carom_error_fix(err, "prove a smaller tower");
    }
    int *rows = carom_rational_calloc(1, ((size_t)qp->row_count + 1) * sizeof *rows);
    if (!rows)
        return carom_error_no_memory(err, "the exact solution");
    memcpy(rows, order, (size_t)candidates * sizeof *rows);
    carom_status status = CAROM_OK;
    int worst = 0;
    for (int repair = 0; status == CAROM_OK && worst >= 0 && repair < REPAIRS_MAX; ++repair) {
        bool drop;
        status = solve_on(qp, rows, &count, lambda, err);
        if (status != CAROM_OK)
            break;
        primal(qp, lambda, y);
        worst = worst_row(qp, lambda, y, &drop);
        if (worst >= 0 && drop) {
            int kept = 0;
            for (int i = 0; i < count; ++i)
                if (rows[i] != worst)
                    rows[kept++] = rows[i];
            count = kept;
        } else if (worst >= 0)
            rows[count++] = worst;
    }
    carom_rational_free(rows);
    *bits = largest_bits(qp, y, lambda);
    if (status == CAROM_OK && worst >= 0)
        status = carom_error_set(err, CAROM_NOT_CONVERGED,
                                 "no exact support found in %d exchanges of rows", REPAIRS_MAX);
    return status;
}
