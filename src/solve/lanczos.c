// Block Lanczos with full orthogonalisation and thick restarts; see lanczos.h.
//
// With A = (K + shift M)^-1 M, self-adjoint in the inner product of M, the basis V satisfies
// A V = V T + V' R E^T. Every new block is orthogonalised against all of V, and T's column is what
// was taken off: after a restart the coupling to the kept Ritz vectors comes out by itself.
// theta = 1 / (lambda + shift): the lowest lambda are the largest theta, which converge first.
//
// How many blocks are between restarts decides whether clusters converge (a sphere has 2 l + 1
// equal frequencies, and the next cluster may lie 1 % below): they follow from the memory at hand,
// are never fewer than half of the wanted ones, and become more where restarts go on.
//
// A Krylov space of eight vectors holds at most eight copies of a multiple eigenvalue. What has
// converged is therefore verified: a random block orthogonal to it grows for a few steps; where
// that raises one of the wanted theta, a copy was missed, and the iteration goes on from there.
#include "solve/lanczos.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "base/random.h"
#include "solve/eigen.h"
#include "solve/lanczos_block.h"

enum { VECTORS = CAROM_LANCZOS_BLOCK, SQUARE = VECTORS * VECTORS };
enum { RESTARTS_MAX = 60, WIDENED_EVERY = 8, CHUNKS_MAX = RESTARTS_MAX / WIDENED_EVERY + 2 };
enum { VERIFIED_BY = 5, LEAST_BESIDE = 5 }; // blocks; 200,000 rows and 48 modes have no more memory
static const double MEMORY = 1.6e8;         // bytes of vectors that need no second thought
static const double MISSED = 1e-6;          // a theta raised by this share: a copy had been missed
static const double SPOILT = 1e-6;          // of squared norms
static const uint64_t SEED = 0x6d6f646573;  // of the start block; any would do
static const double DEPENDENT = 1e-28;      // of squared norms: what is left is round-off

typedef struct krylov {
    const carom_lanczos_problem *problem;
    int wanted;       // blocks
    int blocks, room; // basis blocks in use and at most (the known block and the next not counted)
    int roomy;        // this many blocks rarely need a restart
    double **v;       // [0]: known, [1 .. blocks]: basis, [blocks + 1]: next
    double *chunk[CHUNKS_MAX]; // memory of the blocks; the first also has the image
    int chunks;
    double *image;     // M times a block
    double *t;         // projected matrix, order 8 room, row by row
    double *s, *theta; // its eigenvectors (columns, ascending theta) and eigenvalues
    double *gram, *work;
    double r[SQUARE]; // coupling of the last block to the next: next^T M A last
    carom_lanczos_pair pair;
    carom_random random;
    bool fresh; // image holds M times the next block
    int solves;
    double *found; // theta and residual of what has converged, descending
} krylov;

static carom_status krylov_make(krylov *k, const carom_lanczos_problem *problem, carom_error *err);
static void krylov_free(krylov *k);
static void start(krylov *k);
static void grow(krylov *k);
static bool project(krylov *k);
static int converged(const krylov *k);
static double residual_of(const krylov *k, int column);
static carom_status next_round(krylov *k, int good, int restarts, carom_error *err);
static carom_status verify(krylov *k, const carom_progress *progress, bool *complete,
                           carom_error *err);
static carom_status finish(krylov *k, carom_lanczos_result *result, carom_error *err);

// About 2.8 times the wanted vectors are usual; what has converged is certain.
static carom_status report(const krylov *k, const carom_progress *progress, int good,
                           carom_error *err)
{
    double vectors = fmin(0.95, k->solves / (VECTORS * (2.8 * k->wanted + 4)));
    double part = fmax(vectors, (double)good / (VECTORS * k->wanted));
    return carom_progress_report(progress, 100 * part, 100, "modes", err);
}

carom_status carom_lanczos_lowest(const carom_lanczos_problem *problem,
                                  const carom_progress *progress, carom_lanczos_result *result,
                                  carom_error *err)
{
    *result = (carom_lanczos_result){ 0 };
    krylov k = { 0 };
    carom_status status = krylov_make(&k, problem, err);
    bool complete = false;
    int good = 0;
    if (status == CAROM_OK)
        start(&k);
    while (status == CAROM_OK && !complete) {
        grow(&k);
        bool full = k.blocks == k.room;
        if (!full && (k.blocks <= k.wanted || k.blocks % (1 + k.wanted / 5))) {
            status = report(&k, progress, good, err);
            continue;
        }
        if (!project(&k))
            status = carom_error_set(err, CAROM_NOT_CONVERGED, "dense eigenvalues did not end");
        good = status == CAROM_OK ? converged(&k) : 0;
        if (status == CAROM_OK)
            status = report(&k, progress, good, err);
        if (status == CAROM_OK && good == VECTORS * k.wanted)
            status = verify(&k, progress, &complete, err);
        if (status == CAROM_OK && !complete && k.blocks == k.room)
            status = next_round(&k, good, ++result->restarts, err);
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

// Arrays for `room` blocks; what the old ones hold is taken over. False: no memory, nothing
// changed.
static bool make_room(krylov *k, int room)
{
    int old = k->room;
    size_t rows = (size_t)k->problem->rows, order = (size_t)(VECTORS * room);
    size_t block = rows * VECTORS, had = (size_t)(VECTORS * old);
    size_t blocks = (size_t)room + 2, fresh = blocks - (k->chunks ? (size_t)old + 2 : 0);
    krylov n = *k;
    n.chunk[k->chunks] =
        aligned_alloc(64, (block * (fresh + !k->chunks) * sizeof *n.found + 63) / 64 * 64);
    n.v = malloc(blocks * sizeof *n.v);
    n.t = calloc(order * order + 1, sizeof *n.t);
    n.s = malloc((order * order + 1) * sizeof *n.s);
    n.theta = malloc((order + 1) * sizeof *n.theta);
    n.work = malloc((2 * order + 1) * sizeof *n.work);
    n.gram = malloc(2 * (blocks + 1) * SQUARE * sizeof *n.gram);
    n.pair.partial =
        malloc(carom_lanczos_block_partial((int)rows, (int)blocks + 1) * sizeof *n.gram);
    bool ok =
        n.chunk[k->chunks] && n.v && n.t && n.s && n.theta && n.work && n.gram && n.pair.partial;
    krylov *unused = ok ? k : &n;
    for (size_t i = 0; ok && i < blocks; ++i)
        n.v[i] = i < blocks - fresh ? k->v[i] : n.chunk[k->chunks] + (i + fresh - blocks) * block;
    for (size_t i = 0; ok && i < had; ++i)
        memcpy(n.t + i * order, k->t + i * had, had * sizeof *n.t);
    free(unused->v);
    free(unused->t);
    free(unused->s);
    free(unused->theta);
    free(unused->work);
    free(unused->gram);
    free(unused->pair.partial);
    if (!ok) {
        free(n.chunk[k->chunks]);
        return false;
    }
    if (!k->chunks)
        n.image = n.chunk[0] + blocks * block;
    n.room = room;
    ++n.chunks;
    *k = n;
    return true;
}

static int room_for(const carom_lanczos_problem *problem, int wanted, int roomy)
{
    if (problem->blocks_max > 0)
        return problem->blocks_max;
    double fit = MEMORY / (problem->rows * (double)(VECTORS * sizeof(double))) - 3;
    int min = wanted + (wanted / 2 > LEAST_BESIDE ? wanted / 2 : LEAST_BESIDE);
    return fit > roomy ? roomy : fit > min ? (int)fit : min;
}

static carom_status krylov_make(krylov *k, const carom_lanczos_problem *problem, carom_error *err)
{
    // the known and the next block need their place, too
    int wanted = (problem->wanted + VECTORS - 1) / VECTORS, max = problem->rows / VECTORS - 2;
    k->problem = problem;
    k->wanted = wanted;
    k->roomy = 7 * wanted / 2 + 4 < max ? 7 * wanted / 2 + 4 : max;
    int room = room_for(problem, wanted, k->roomy);
    room = room < max ? room : max;
    if (room < wanted + 1) {
        carom_error_set(err, CAROM_BAD_INPUT, "%d modes wanted of a body with %d unknowns",
                        problem->wanted, problem->rows);
        return carom_error_fix(err, "ask for fewer modes or use smaller cells");
    }
    size_t block = (size_t)problem->rows * VECTORS;
    k->pair = (carom_lanczos_pair){ problem->rows, problem->threads, NULL };
    k->found = malloc(2 * (size_t)(VECTORS * wanted) * sizeof *k->found);
    if (!k->found || !make_room(k, room)) {
        carom_error_no_memory(err, "%d vectors of %d unknowns", VECTORS * (room + 3),
                              problem->rows);
        return carom_error_fix(err, "ask for fewer modes or use larger cells");
    }
    if (problem->known)
        memcpy(k->v[0], problem->known, block * sizeof *k->found);
    else
        memset(k->v[0], 0, block * sizeof *k->found);
    k->random = carom_random_make(SEED, 0);
    return CAROM_OK;
}

static void krylov_free(krylov *k)
{
    for (int i = 0; i < k->chunks; ++i)
        free(k->chunk[i]);
    free(k->v);
    free(k->t);
    free(k->s);
    free(k->theta);
    free(k->work);
    free(k->gram);
    free(k->pair.partial);
    free(k->found);
}

// R with G = R^T R, R upper, of a small Gram matrix; a lane that depends on earlier ones gets a
// zero row. `limit[q]`: squared norms below count as nothing.
static void small_cholesky(const double *g, const double *limit, double *r)
{
    memset(r, 0, SQUARE * sizeof *r);
    for (int q = 0; q < VECTORS; ++q) {
        for (int p = 0; p <= q; ++p) {
            double sum = g[VECTORS * p + q];
            for (int i = 0; i < p; ++i)
                sum -= r[VECTORS * i + p] * r[VECTORS * i + q];
            if (p < q)
                r[VECTORS * p + q] = r[VECTORS * p + p] > 0 ? sum / r[VECTORS * p + p] : 0;
            else
                r[VECTORS * q + q] = sum > limit[q] ? sqrt(sum) : 0;
        }
    }
}

// block := block R^-1, zero where R has a zero row.
static void divide_rows(double *block, int rows, const double *r)
{
    for (int i = 0; i < rows; ++i) {
        double *x = block + (size_t)i * VECTORS;
        for (int q = 0; q < VECTORS; ++q) {
            double sum = x[q];
            for (int p = 0; p < q; ++p)
                sum -= x[p] * r[VECTORS * p + q];
            x[q] = r[VECTORS * q + q] > 0 ? sum / r[VECTORS * q + q] : 0;
        }
    }
}

// Two rounds of Cholesky QR; total = the R of both. Lanes with squared norms up to `nothing` are
// dropped. `image` ends as M times the block: it is divided alongside, and computed afresh only
// where the lanes were so nearly dependent that dividing has spoilt it.
static int orthonormal(const carom_lanczos_problem *problem, const carom_lanczos_pair *pair,
                       double *block, double *image, double nothing, double *total)
{
    double gram[SQUARE], r[SQUARE], limit[VECTORS], before[SQUARE];
    int left = 0;
    problem->multiply(problem->context, block, image);
    for (int round = 0; round < 2; ++round) {
        carom_lanczos_block_gram(pair, &block, 1, image, gram);
        double min = HUGE_VAL;
        for (int q = 0; q < VECTORS; ++q)
            limit[q] = (round == 0 ? nothing : 0) + 1e-13 * gram[(VECTORS + 1) * q];
        small_cholesky(gram, limit, r);
        divide_rows(block, problem->rows, r);
        divide_rows(image, problem->rows, r);
        if (round == 1)
            break;
        for (int q = 0; q < VECTORS; ++q)
            min = fmin(min, r[(VECTORS + 1) * q] * r[(VECTORS + 1) * q] / gram[(VECTORS + 1) * q]);
        if (!(min > SPOILT))
            problem->multiply(problem->context, block, image);
        memcpy(before, r, sizeof before);
    }
    for (int i = 0; i < SQUARE; ++i) { // total = second * first
        total[i] = 0;
        for (int p = 0; p < VECTORS; ++p)
            total[i] += r[i / VECTORS * VECTORS + p] * before[VECTORS * p + i % VECTORS];
    }
    for (int q = 0; q < VECTORS; ++q)
        left += r[(VECTORS + 1) * q] > 0;
    return left;
}

int carom_lanczos_orthonormal(const carom_lanczos_problem *problem, double *block, double *image)
{
    double r[SQUARE];
    carom_lanczos_pair pair = { problem->rows, 1, NULL };
    pair.partial = malloc(carom_lanczos_block_partial(problem->rows, 1) * sizeof *pair.partial);
    int left = pair.partial ? orthonormal(problem, &pair, block, image, 0, r) : -1;
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
        bool empty[VECTORS], any = false;
        for (int q = 0; q < VECTORS; ++q) {
            empty[q] = true;
            for (int i = 0; i < k->problem->rows && empty[q]; ++i)
                empty[q] = next[(size_t)i * VECTORS + (size_t)q] == 0;
            any = any || empty[q];
        }
        if (!any)
            return;
        for (int i = 0; i < k->problem->rows; ++i)
            for (int q = 0; q < VECTORS; ++q)
                if (empty[q])
                    next[(size_t)i * VECTORS + (size_t)q] = carom_random_between(&k->random, -1, 1);
        // earlier lanes are orthonormal and orthogonal already: both passes leave them alone
        orthogonalise(k, k->gram);
        orthogonalise(k, k->gram);
        orthonormal(k->problem, &k->pair, next, k->image, 0, r);
    }
}

// A random next block, orthogonal to the basis.
static void start(krylov *k)
{
    double *next = k->v[k->blocks + 1];
    for (size_t i = 0; i < (size_t)k->problem->rows * VECTORS; ++i)
        next[i] = carom_random_between(&k->random, -1, 1);
    // once through the operator: the start should not be rich in what we do not look for
    k->problem->multiply(k->problem->context, next, k->image);
    memcpy(next, k->image, (size_t)k->problem->rows * VECTORS * sizeof *next);
    k->problem->solve(k->problem->context, next);
    k->solves += VECTORS;
    double r[SQUARE];
    orthogonalise(k, k->gram);
    orthogonalise(k, k->gram);
    orthonormal(k->problem, &k->pair, next, k->image, 0, r);
    refill(k);
    k->fresh = false;
}

// The next block joins the basis, A times it is orthogonalised and becomes the next.
static void grow(krylov *k)
{
    int order = VECTORS * k->room, j = k->blocks;
    const double *last = k->v[++k->blocks];
    double *next = k->v[k->blocks + 1], *first = k->gram,
           *second = k->gram + (size_t)(k->room + 3) * SQUARE;
    if (k->fresh) // the image of the last block is still there
        memcpy(next, k->image, (size_t)k->problem->rows * VECTORS * sizeof *next);
    else
        k->problem->multiply(k->problem->context, last, next);
    k->problem->solve(k->problem->context, next);
    k->solves += VECTORS;
    // always twice: with one pass the errors grow by before / after from block to block
    orthogonalise(k, first);
    orthogonalise(k, second);
    for (int i = 0; i <= j; ++i)
        for (int p = 0; p < SQUARE; ++p) {
            double h = first[(size_t)(i + 1) * SQUARE + (size_t)p] +
                       second[(size_t)(i + 1) * SQUARE + (size_t)p];
            size_t row = (size_t)(VECTORS * i + p / VECTORS),
                   column = (size_t)(VECTORS * j + p % VECTORS);
            k->t[row * (size_t)order + column] = h;
            k->t[column * (size_t)order + row] = h;
        }
    for (int p = 0; p < VECTORS; ++p) // the last diagonal block: symmetric up to round-off
        for (int q = 0; q < p; ++q) {
            double *low =
                &k->t[(size_t)(VECTORS * j + p) * (size_t)order + (size_t)(VECTORS * j + q)];
            double *high =
                &k->t[(size_t)(VECTORS * j + q) * (size_t)order + (size_t)(VECTORS * j + p)];
            *low = *high = 0.5 * (first[(size_t)(j + 1) * SQUARE + (size_t)(VECTORS * p + q)] +
                                  first[(size_t)(j + 1) * SQUARE + (size_t)(VECTORS * q + p)]);
        }
    double largest = fabs(k->t[0]); // about the norm of A
    for (int i = 0; i < VECTORS * k->blocks; ++i)
        largest = fmax(largest, fabs(k->t[(size_t)i * (size_t)(order + 1)]));
    k->fresh = orthonormal(k->problem, &k->pair, next, k->image, DEPENDENT * largest * largest,
                           k->r) == VECTORS;
    if (!k->fresh)
        refill(k);
}

static bool project(krylov *k)
{
    int order = VECTORS * k->blocks, ld = VECTORS * k->room;
    for (int i = 0; i < order; ++i)
        memcpy(k->s + (size_t)i * (size_t)order, k->t + (size_t)i * (size_t)ld,
               (size_t)order * sizeof *k->s);
    return carom_eigen_symmetric(order, k->s, k->theta, k->work);
}

// || A x - theta x || / theta of a Ritz pair: only the last block couples to what is left out.
static double residual_of(const krylov *k, int column)
{
    int order = VECTORS * k->blocks;
    double squared = 0;
    for (int p = 0; p < VECTORS; ++p) {
        double sum = 0;
        for (int q = 0; q < VECTORS; ++q)
            sum += k->r[VECTORS * p + q] *
                   k->s[(size_t)(order - VECTORS + q) * (size_t)order + (size_t)column];
        squared += sum * sum;
    }
    return sqrt(squared) / fabs(k->theta[column]);
}

// How many of the wanted pairs are within the tolerance, from the largest theta on.
static int converged(const krylov *k)
{
    int good = 0, order = VECTORS * k->blocks;
    while (good < VECTORS * k->wanted && residual_of(k, order - 1 - good) <= k->problem->tolerance)
        ++good;
    return good;
}

// The best Ritz vectors in descending theta: columns of `s` in reversed order.
static double *reversed(const krylov *k, int count)
{
    int order = VECTORS * k->blocks;
    double *to = calloc((size_t)order * (size_t)count, sizeof *to);
    for (int i = 0; to && i < order; ++i)
        for (int c = 0; c < count; ++c)
            to[(size_t)i * (size_t)count + (size_t)c] =
                k->s[(size_t)i * (size_t)order + (size_t)(order - 1 - c)];
    return to;
}

static bool restart(krylov *k, int keep)
{
    int count = VECTORS * keep, order = VECTORS * k->blocks, ld = VECTORS * k->room;
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

// Restarts from the best Ritz vectors, with more room every now and then.
static carom_status next_round(krylov *k, int good, int restarts, carom_error *err)
{
    if (restarts > RESTARTS_MAX) {
        carom_error_set(err, CAROM_NOT_CONVERGED, "%d of %d modes found after %d restarts", good,
                        VECTORS * k->wanted, RESTARTS_MAX);
        return carom_error_fix(err, "ask for fewer modes, or for other cells (unknowns_max)");
    }
    if (!restart(k, k->wanted + 1))
        return carom_error_no_memory(err, "restarting Lanczos' method");
    int room = k->room + k->wanted / 2 + 2;
    if (restarts % WIDENED_EVERY == 0 && k->room < k->roomy)
        make_room(k, room < k->roomy ? room : k->roomy); // else with the room there is
    return CAROM_OK;
}

// All wanted pairs have converged: were others missed that belong before them?
static carom_status verify(krylov *k, const carom_progress *progress, bool *complete,
                           carom_error *err)
{
    int count = VECTORS * k->wanted, order = VECTORS * k->blocks;
    for (int c = 0; c < count; ++c) {
        k->found[c] = k->theta[order - 1 - c];
        k->found[count + c] = residual_of(k, order - 1 - c);
    }
    if (!restart(k, k->wanted))
        return carom_error_no_memory(err, "restarting Lanczos' method");
    start(k);
    for (int i = 0; i < VERIFIED_BY && k->blocks < k->room; ++i) {
        grow(k);
        TRY(report(k, progress, count, err));
    }
    if (!project(k))
        return carom_error_set(err, CAROM_NOT_CONVERGED, "dense eigenvalues did not end");
    *complete = true;
    for (int c = 0; c < count; ++c)
        *complete &= k->theta[VECTORS * k->blocks - 1 - c] <= (1 + MISSED) * k->found[c];
    return CAROM_OK;
}

// The found vectors are the first blocks of the basis: they go to the first ones of its memory,
// which becomes the result.
static carom_status finish(krylov *k, carom_lanczos_result *result, carom_error *err)
{
    size_t count = (size_t)(VECTORS * k->wanted), block = (size_t)k->problem->rows * VECTORS;
    double *same = calloc(count * count, sizeof *same);
    double **out = malloc((size_t)k->wanted * sizeof *out);
    result->lambda = malloc(count * sizeof *result->lambda);
    result->residual = malloc(count * sizeof *result->residual);
    bool ok = same && out && result->lambda && result->residual;
    for (int i = 0; ok && i < k->wanted; ++i)
        out[i] = k->chunk[0] + (size_t)i * block;
    for (size_t c = 0; ok && c < count; ++c) {
        same[c * count + c] = 1;
        result->lambda[c] = 1 / k->found[c] - k->problem->shift;
        result->residual[c] = k->found[count + c];
    }
    ok = ok && carom_lanczos_block_combine(&k->pair, k->v + 1, k->wanted, same, out, k->wanted);
    if (ok) {
        double *less = realloc(k->chunk[0], (size_t)k->wanted * block * sizeof *less);
        result->vectors = less ? less : k->chunk[0];
        k->chunk[0] = NULL;
    }
    result->count = (int)count;
    result->solves = k->solves;
    free(same);
    free(out);
    return ok ? CAROM_OK : carom_error_no_memory(err, "%zu modes", count);
}
