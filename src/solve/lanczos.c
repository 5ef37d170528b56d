// Block Lanczos with full orthogonalisation and thick restarts; see lanczos.h.
//
// With A = (K + shift M)^-1 M, self-adjoint in the inner product of M, the basis V satisfies
// A V = V T + V' R E^T. Every new block is orthogonalised against all of V, and T's column is what
// was taken off: after a restart the coupling to the kept Ritz vectors comes out by itself.
// theta = 1 / (lambda + shift): the lowest lambda are the largest theta, which converge first.
#include "solve/lanczos.h"
#include "base/random.h"
#include "solve/eigen.h"
#include "solve/lanczos_block.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = CAROM_LANCZOS_LANES, SQUARE = LANES * LANES, RESTARTS_MOST = 60 };
static const double ROOMY = 8e5;           // rows times wanted blocks: 200 MB of vectors
static const double CROWDED = 9e5;         // 150,000 rows and 48 modes: the factor takes 1.2 GB
static const double SPOILT = 1e-6;         // of squared norms
static const uint64_t SEED = 0x6d6f646573; // of the start block; any would do
static const double DEPENDENT = 1e-28;     // of squared norms: what is left is round-off

typedef struct krylov {
    const carom_lanczos_problem *problem;
    int blocks, room;  // basis blocks in use and at most (the known block and the next not counted)
    double **v;        // [0]: known, [1 .. blocks]: basis, [blocks + 1]: next
    double *memory;    // of all blocks
    double *image;     // M times a block
    double *t;         // projected matrix, order 8 room, row by row
    double *s, *theta; // its eigenvectors (columns, ascending theta) and eigenvalues
    double *gram, *work;
    double r[SQUARE]; // coupling of the last block to the next: next^T M A last
    carom_lanczos_pair pair;
    carom_random random;
    bool fresh; // image holds M times the next block
    int solves;
} krylov;

static carom_status krylov_make(krylov *k, const carom_lanczos_problem *problem, carom_error *err);
static void krylov_free(krylov *k);
static void start(krylov *k);
static void grow(krylov *k);
static bool project(krylov *k);
static double residual_of(const krylov *k, int column);
static bool restart(krylov *k, int keep);
static carom_status finish(krylov *k, carom_lanczos_result *result, carom_error *err);

// About 2.8 times the wanted vectors are usual; what has converged is certain.
static carom_status tell(const krylov *k, const carom_progress *progress, int good,
                         carom_error *err)
{
    double blocks = (k->problem->wanted + LANES - 1) / LANES;
    double vectors = fmin(.95, k->solves / (LANES * (2.8 * blocks + 4)));
    double part = fmax(vectors, (double)good / k->problem->wanted);
    return carom_progress_tell(progress, 100 * part, 100, "modes", err);
}

carom_status carom_lanczos_lowest(const carom_lanczos_problem *problem,
                                  const carom_progress *progress, carom_lanczos_result *result,
                                  carom_error *err)
{
    *result = (carom_lanczos_result){ 0 };
    krylov k = { 0 };
    carom_status status = krylov_make(&k, problem, err);
    int good = 0, wanted_blocks = (problem->wanted + LANES - 1) / LANES;
    if (status == CAROM_OK)
        start(&k);
    while (status == CAROM_OK && good < problem->wanted) {
        grow(&k);
        int order = LANES * k.blocks;
        bool full = k.blocks == k.room;
        if (!full && (k.blocks <= wanted_blocks || k.blocks % (1 + wanted_blocks / 5))) {
            status = tell(&k, progress, good, err);
            continue;
        }
        if (!project(&k))
            status = carom_error_set(err, CAROM_NOT_CONVERGED, "dense eigenvalues did not end");
        for (good = 0; good < problem->wanted && status == CAROM_OK; ++good)
            if (residual_of(&k, order - 1 - good) > problem->tolerance)
                break;
        if (status == CAROM_OK)
            status = tell(&k, progress, good, err);
        if (status != CAROM_OK || good == problem->wanted || !full)
            continue;
        if (LANES * (k.blocks + 1) > problem->rows)
            break; // the basis is the whole space: what it holds is as exact as it gets
        if (result->restarts++ == RESTARTS_MOST)
            status =
                carom_error_set(err, CAROM_NOT_CONVERGED, "%d of %d modes found after %d restarts",
                                good, problem->wanted, RESTARTS_MOST);
        else if (!restart(&k, wanted_blocks + 1))
            status = carom_error_set(err, CAROM_NO_MEMORY, "no memory to restart Lanczos");
    }
    if (status == CAROM_OK)
        status = finish(&k, result, err);
    krylov_free(&k);
    if (status != CAROM_OK)
        carom_lanczos_free(result);
    return status;
}

void carom_lanczos_free(carom_lanczos_result *result)
{
    free(result->lambda);
    free(result->vectors);
    free(result->residual);
    *result = (carom_lanczos_result){ 0 };
}

static carom_status krylov_make(krylov *k, const carom_lanczos_problem *problem, carom_error *err)
{
    int wanted = (problem->wanted + LANES - 1) / LANES;
    k->problem = problem;
    // this many vectors rarely need a restart; large bodies have no memory for that
    double size = (double)problem->rows * wanted;
    k->room = size < ROOMY ? 7 * wanted / 2 + 4 : size < CROWDED ? wanted + 8 : wanted + 5;
    if (k->room > problem->rows / LANES - 2)
        k->room = problem->rows / LANES - 2; // the known and the next block need their place, too
    if (k->room < wanted + 1) {
        carom_error_set(err, CAROM_BAD_INPUT, "%d modes wanted of a body with %d unknowns",
                        problem->wanted, problem->rows);
        return carom_error_fix(err, "ask for fewer modes or use smaller cells");
    }
    size_t block = (size_t)problem->rows * LANES, order = (size_t)(LANES * k->room);
    size_t blocks = (size_t)k->room + 3;
    k->pair = (carom_lanczos_pair){ problem->rows, problem->threads, NULL };
    k->memory = aligned_alloc(64, (block * blocks * sizeof *k->memory + 63) / 64 * 64);
    k->v = malloc(blocks * sizeof *k->v);
    k->t = calloc(order * order + 1, sizeof *k->t);
    k->s = malloc((order * order + 1) * sizeof *k->s);
    k->theta = malloc((order + 1) * sizeof *k->theta);
    k->work = malloc((2 * order + 1) * sizeof *k->work);
    k->gram = malloc(2 * blocks * SQUARE * sizeof *k->gram);
    k->pair.partial =
        malloc(carom_lanczos_block_partial(problem->rows, (int)blocks) * sizeof *k->gram);
    if (!k->memory || !k->v || !k->t || !k->s || !k->theta || !k->work || !k->gram ||
        !k->pair.partial) {
        carom_error_set(err, CAROM_NO_MEMORY, "no memory for %zu vectors of %d unknowns",
                        LANES * blocks, problem->rows);
        return carom_error_fix(err, "ask for fewer modes or use larger cells");
    }
    for (size_t i = 0; i < blocks - 1; ++i)
        k->v[i] = k->memory + i * block;
    k->image = k->memory + (blocks - 1) * block;
    if (problem->known)
        memcpy(k->v[0], problem->known, block * sizeof *k->memory);
    else
        memset(k->v[0], 0, block * sizeof *k->memory);
    k->random = carom_random_make(SEED, 0);
    return CAROM_OK;
}

static void krylov_free(krylov *k)
{
    free(k->memory);
    free(k->v);
    free(k->t);
    free(k->s);
    free(k->theta);
    free(k->work);
    free(k->gram);
    free(k->pair.partial);
}

// R with G = R^T R, R upper, of a small Gram matrix; a lane that depends on earlier ones gets a
// zero row. `limit[q]`: squared norms below count as nothing.
static void small_cholesky(const double *g, const double *limit, double *r)
{
    memset(r, 0, SQUARE * sizeof *r);
    for (int q = 0; q < LANES; ++q) {
        for (int p = 0; p <= q; ++p) {
            double sum = g[LANES * p + q];
            for (int i = 0; i < p; ++i)
                sum -= r[LANES * i + p] * r[LANES * i + q];
            if (p < q)
                r[LANES * p + q] = r[LANES * p + p] > 0 ? sum / r[LANES * p + p] : 0;
            else
                r[LANES * q + q] = sum > limit[q] ? sqrt(sum) : 0;
        }
    }
}

// block := block R^-1, zero where R has a zero row.
static void divide_rows(double *block, int rows, const double *r)
{
    for (int i = 0; i < rows; ++i) {
        double *x = block + (size_t)i * LANES;
        for (int q = 0; q < LANES; ++q) {
            double sum = x[q];
            for (int p = 0; p < q; ++p)
                sum -= x[p] * r[LANES * p + q];
            x[q] = r[LANES * q + q] > 0 ? sum / r[LANES * q + q] : 0;
        }
    }
}

// Two rounds of Cholesky QR; total = the R of both. Lanes with squared norms up to `nothing` are
// dropped. `image` ends as M times the block: it is divided alongside, and computed afresh only
// where the lanes were so nearly dependent that dividing has spoilt it.
static int orthonormal(const carom_lanczos_problem *problem, const carom_lanczos_pair *pair,
                       double *block, double *image, double nothing, double *total)
{
    double gram[SQUARE], r[SQUARE], limit[LANES], before[SQUARE];
    int left = 0;
    problem->multiply(problem->context, block, image);
    for (int round = 0; round < 2; ++round) {
        carom_lanczos_block_gram(pair, &block, 1, image, gram);
        double least = HUGE_VAL;
        for (int q = 0; q < LANES; ++q)
            limit[q] = (round == 0 ? nothing : 0) + 1e-13 * gram[(LANES + 1) * q];
        small_cholesky(gram, limit, r);
        divide_rows(block, problem->rows, r);
        divide_rows(image, problem->rows, r);
        if (round == 1)
            break;
        for (int q = 0; q < LANES; ++q)
            least = fmin(least, r[(LANES + 1) * q] * r[(LANES + 1) * q] / gram[(LANES + 1) * q]);
        if (!(least > SPOILT))
            problem->multiply(problem->context, block, image);
        memcpy(before, r, sizeof before);
    }
    for (int i = 0; i < SQUARE; ++i) { // total = second * first
        total[i] = 0;
        for (int p = 0; p < LANES; ++p)
            total[i] += r[i / LANES * LANES + p] * before[LANES * p + i % LANES];
    }
    for (int q = 0; q < LANES; ++q)
        left += r[(LANES + 1) * q] > 0;
    return left;
}

int carom_lanczos_orthonormal(const carom_lanczos_problem *problem, double *block, double *image)
{
    double r[SQUARE];
    carom_lanczos_pair pair = { problem->rows, 1, NULL };
    pair.partial = malloc(carom_lanczos_block_partial(problem->rows, 1) * sizeof *pair.partial);
    int left = pair.partial ? orthonormal(problem, &pair, block, image, 0, r) : 0;
    free(pair.partial);
    return left;
}

// Takes everything known and found off the next block, in one pass.
static void orthogonalise(krylov *k, double *gram)
{
    double *next = k->v[k->blocks + 1];
    k->problem->multiply(k->problem->context, next, k->image);
    carom_lanczos_block_gram(&k->pair, k->v, k->blocks + 1, k->image, gram);
    carom_lanczos_block_subtract(&k->pair, k->v, k->blocks + 1, gram, next);
}

// Fresh random numbers for lanes that came out zero: their coupling is zero, as it should be.
static void refill(krylov *k)
{
    double *next = k->v[k->blocks + 1], r[SQUARE];
    for (int attempt = 0; attempt < 3; ++attempt) {
        bool empty[LANES], any = false;
        for (int q = 0; q < LANES; ++q) {
            empty[q] = true;
            for (int i = 0; i < k->problem->rows && empty[q]; ++i)
                empty[q] = next[(size_t)i * LANES + (size_t)q] == 0;
            any = any || empty[q];
        }
        if (!any)
            return;
        for (int i = 0; i < k->problem->rows; ++i)
            for (int q = 0; q < LANES; ++q)
                if (empty[q])
                    next[(size_t)i * LANES + (size_t)q] = carom_random_between(&k->random, -1, 1);
        // earlier lanes are orthonormal and orthogonal already: both passes leave them alone
        orthogonalise(k, k->gram);
        orthogonalise(k, k->gram);
        orthonormal(k->problem, &k->pair, next, k->image, 0, r);
    }
}

static void start(krylov *k)
{
    double *next = k->v[1];
    for (size_t i = 0; i < (size_t)k->problem->rows * LANES; ++i)
        next[i] = carom_random_between(&k->random, -1, 1);
    // once through the operator: the start should not be rich in what we do not look for
    k->problem->multiply(k->problem->context, next, k->image);
    memcpy(next, k->image, (size_t)k->problem->rows * LANES * sizeof *next);
    k->problem->solve(k->problem->context, next);
    k->solves += LANES;
    double r[SQUARE];
    orthogonalise(k, k->gram);
    orthogonalise(k, k->gram);
    orthonormal(k->problem, &k->pair, next, k->image, 0, r);
    refill(k);
}

// The next block joins the basis, A times it is orthogonalised and becomes the next.
static void grow(krylov *k)
{
    int order = LANES * k->room, j = k->blocks;
    const double *last = k->v[++k->blocks];
    double *next = k->v[k->blocks + 1], *first = k->gram,
           *second = k->gram + (size_t)(k->room + 3) * SQUARE;
    if (k->fresh) // the image of the last block is still there
        memcpy(next, k->image, (size_t)k->problem->rows * LANES * sizeof *next);
    else
        k->problem->multiply(k->problem->context, last, next);
    k->problem->solve(k->problem->context, next);
    k->solves += LANES;
    // always twice: with one pass the errors grow by before / after from block to block
    orthogonalise(k, first);
    orthogonalise(k, second);
    for (int i = 0; i <= j; ++i)
        for (int p = 0; p < SQUARE; ++p) {
            double h = first[(size_t)(i + 1) * SQUARE + (size_t)p] +
                       second[(size_t)(i + 1) * SQUARE + (size_t)p];
            size_t row = (size_t)(LANES * i + p / LANES), column = (size_t)(LANES * j + p % LANES);
            k->t[row * (size_t)order + column] = h;
            k->t[column * (size_t)order + row] = h;
        }
    for (int p = 0; p < LANES; ++p) // the last diagonal block: symmetric up to round-off
        for (int q = 0; q < p; ++q) {
            double *low = &k->t[(size_t)(LANES * j + p) * (size_t)order + (size_t)(LANES * j + q)];
            double *high = &k->t[(size_t)(LANES * j + q) * (size_t)order + (size_t)(LANES * j + p)];
            *low = *high = .5 * (first[(size_t)(j + 1) * SQUARE + (size_t)(LANES * p + q)] +
                                 first[(size_t)(j + 1) * SQUARE + (size_t)(LANES * q + p)]);
        }
    double largest = fabs(k->t[0]); // about the norm of A
    for (int i = 0; i < LANES * k->blocks; ++i)
        largest = fmax(largest, fabs(k->t[(size_t)i * (size_t)(order + 1)]));
    k->fresh = orthonormal(k->problem, &k->pair, next, k->image, DEPENDENT * largest * largest,
                           k->r) == LANES;
    if (!k->fresh)
        refill(k);
}

static bool project(krylov *k)
{
    int order = LANES * k->blocks, ld = LANES * k->room;
    for (int i = 0; i < order; ++i)
        memcpy(k->s + (size_t)i * (size_t)order, k->t + (size_t)i * (size_t)ld,
               (size_t)order * sizeof *k->s);
    return carom_eigen_symmetric(order, k->s, k->theta, k->work);
}

// || A x - theta x || / theta of a Ritz pair: only the last block couples to what is left out.
static double residual_of(const krylov *k, int column)
{
    int order = LANES * k->blocks;
    double squared = 0;
    for (int p = 0; p < LANES; ++p) {
        double sum = 0;
        for (int q = 0; q < LANES; ++q)
            sum += k->r[LANES * p + q] *
                   k->s[(size_t)(order - LANES + q) * (size_t)order + (size_t)column];
        squared += sum * sum;
    }
    return sqrt(squared) / fabs(k->theta[column]);
}

// The best Ritz vectors in descending theta: columns of `s` in reversed order.
static double *reversed(const krylov *k, int count)
{
    int order = LANES * k->blocks;
    double *to = malloc((size_t)order * (size_t)count * sizeof *to);
    for (int i = 0; to && i < order; ++i)
        for (int c = 0; c < count; ++c)
            to[(size_t)i * (size_t)count + (size_t)c] =
                k->s[(size_t)i * (size_t)order + (size_t)(order - 1 - c)];
    return to;
}

static bool restart(krylov *k, int keep)
{
    int count = LANES * keep, order = LANES * k->blocks, ld = LANES * k->room;
    double *s = reversed(k, count);
    bool ok = s && carom_lanczos_block_combine(&k->pair, k->v + 1, k->blocks, s, k->v + 1, keep);
    free(s);
    if (!ok)
        return false;
    memset(k->t, 0, (size_t)ld * (size_t)ld * sizeof *k->t);
    for (int c = 0; c < count; ++c)
        k->t[(size_t)c * (size_t)(ld + 1)] = k->theta[order - 1 - c];
    double *next = k->v[k->blocks + 1]; // moves behind the kept ones
    k->v[k->blocks + 1] = k->v[keep + 1];
    k->v[keep + 1] = next;
    k->blocks = keep;
    return true;
}

static carom_status finish(krylov *k, carom_lanczos_result *result, carom_error *err)
{
    int order = LANES * k->blocks, blocks = (k->problem->wanted + LANES - 1) / LANES;
    int count = LANES * blocks;
    size_t block = (size_t)k->problem->rows * LANES;
    double *s = reversed(k, count);
    double **out = malloc((size_t)blocks * sizeof *out);
    result->lambda = malloc((size_t)count * sizeof *result->lambda);
    result->residual = malloc((size_t)count * sizeof *result->residual);
    bool ok = s && out && result->lambda && result->residual;
    // into the first blocks of the basis' own memory, which then becomes the result
    for (int i = 0; ok && i < blocks; ++i)
        out[i] = k->memory + (size_t)i * block;
    ok = ok && carom_lanczos_block_combine(&k->pair, k->v + 1, k->blocks, s, out, blocks);
    for (int c = 0; ok && c < count; ++c) {
        result->lambda[c] = 1 / k->theta[order - 1 - c] - k->problem->shift;
        result->residual[c] = residual_of(k, order - 1 - c);
    }
    if (ok) {
        double *less = realloc(k->memory, (size_t)blocks * block * sizeof *less);
        result->vectors = less ? less : k->memory;
        k->memory = NULL;
    }
    result->count = count;
    result->solves = k->solves;
    free(s);
    free(out);
    return ok ? CAROM_OK : carom_error_set(err, CAROM_NO_MEMORY, "no memory for %d modes", count);
}
