// Help for islands that sweeps alone resolve slowly: tall stacks and slender structures, whose
// bending costs sweeps like the fourth power of the height.
//
// A few sweeps tell which contacts press and which of them stick. With that taken as given the
// impulses follow from one linear system (subspace minimisation after projected Gauss-Seidel;
// Silcowitz-Hansen, Niebe, Erleben 2010). It is solved for the velocities of the bodies: with
// compliance e at each active row and r the speed it lacks,
//
//     (M + G^T D G) dv = G^T D r,     dP = D (r - G dv),     D = (K_own e)^-1,
//
// where G takes body velocities to slips. e is so small that two rounds with the same factors leave
// nothing of it. Impulses that leave the cone are put back on it, and sweeps show the next guess.
// Sliding contacts keep their friction meanwhile. An angular impulse that holds against rolling
// (rest_roll.c) is three more rows of the same kind, on the spins alone. The matrix has a 6 x 6
// block per pair of bodies and is factorised as L L^T in minimum-degree order.
#include <string.h>
#include "world/rest.h"

enum { N = 6, ROUNDS = 2, WORDS = (CAROM_REST_DIRECT + 63) / 64 };
static const double compliance = 1e-7;

typedef struct block {
    double m[N][N];
} block;

// The active part of D as a matrix: normal where the contact presses, tangential where it sticks,
// against relative spin where its angular impulse holds that.
typedef struct stiffness {
    double normal, tangent, roll;
} stiffness;

typedef struct direct {
    carom_rest *rest;
    const carom_rest_island *island;
    int n;
    int *local;                 // per body of the world: its number in the island
    int *order;                 // bodies by elimination
    int *rank;                  // and back
    int *slot;                  // n x n by rank: where block (i, j), i >= j, is stored; -1: zero
    int *column, *column_start; // ranks below the diagonal per column
    block *blocks;
    int block_count;
    double *x;        // 6 n, by rank
    stiffness *stiff; // per contact of the island
} direct;

static carom_status classify(direct *d, carom_error *err);
static carom_status place(direct *d, carom_error *err);
static void assemble(direct *d);
static bool factorise(direct *d);
static void solve(direct *d);
static void load(direct *d);
static void apply(direct *d);
static void put_back(direct *d);

carom_status carom_rest_direct_improve(carom_rest *rest, const carom_rest_island *island,
                                       bool *done, carom_error *err)
{
    carom_arena *scratch = rest->step->world->scratch;
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    direct d = { .rest = rest, .island = island, .n = island->set.body_count };
    TRY(classify(&d, err));
    TRY(place(&d, err));
    assemble(&d);
    *done = factorise(&d);
    for (int round = 0; round < ROUNDS && *done; ++round) {
        load(&d);
        solve(&d);
        apply(&d);
    }
    if (*done)
        put_back(&d);
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

static int local_of(const direct *d, int body)
{
    return d->rest->system.bodies[body].inverse_mass > 0 ? d->local[body] : -1;
}

// -- order and storage ----------------------------------------------------------------------------

typedef struct graph {
    uint64_t row[CAROM_REST_DIRECT][WORDS];
} graph;

static int degree(const graph *g, int i)
{
    int count = 0;
    for (int w = 0; w < WORDS; ++w)
        count += __builtin_popcountll(g->row[i][w]);
    return count;
}

static bool linked(const graph *g, int i, int j)
{
    return g->row[i][j / 64] >> j % 64 & 1;
}

// Takes the body with the fewest neighbours out, and ties its neighbours to each other.
static void eliminate(graph *g, int n, int i)
{
    for (int j = 0; j < n; ++j) {
        if (!linked(g, i, j))
            continue;
        for (int w = 0; w < WORDS; ++w)
            g->row[j][w] |= g->row[i][w];
        g->row[j][j / 64] &= ~(UINT64_C(1) << j % 64);
        g->row[j][i / 64] &= ~(UINT64_C(1) << i % 64);
    }
}

static void order_bodies(direct *d, graph *g, graph *filled)
{
    for (int k = 0; k < d->n; ++k) {
        int best = -1, fewest = d->n + 1;
        for (int i = 0; i < d->n; ++i) {
            int neighbours = d->rank[i] < 0 ? degree(g, i) : d->n + 1;
            if (neighbours < fewest) {
                fewest = neighbours;
                best = i;
            }
        }
        memcpy(filled->row[best], g->row[best], sizeof g->row[best]);
        d->rank[best] = k;
        d->order[k] = best;
        eliminate(g, d->n, best);
    }
}

static carom_status place(direct *d, carom_error *err)
{
    carom_rest *rest = d->rest;
    const carom_rest_island *island = d->island;
    carom_arena *scratch = rest->step->world->scratch;
    graph *g, *filled;
    TAKE(scratch, d->local, rest->step->world->count, err);
    TAKE(scratch, d->order, d->n, err);
    TAKE(scratch, d->rank, d->n, err);
    TAKE(scratch, d->slot, (size_t)d->n * (size_t)d->n, err);
    TAKE(scratch, d->column_start, d->n + 1, err);
    TAKE(scratch, d->x, N * (size_t)d->n, err);
    TAKE_ZEROS(scratch, g, 1, err);
    TAKE(scratch, filled, 1, err);
    for (int i = 0; i < d->n; ++i) {
        d->local[rest->member[island->set.first_body + i]] = i;
        d->rank[i] = -1;
    }
    for (int i = island->set.first; i < island->set.first + island->set.count; ++i) {
        int a = local_of(d, rest->system.contacts[i].a),
            b = local_of(d, rest->system.contacts[i].b);
        if (a < 0 || b < 0)
            continue;
        g->row[a][b / 64] |= UINT64_C(1) << b % 64;
        g->row[b][a / 64] |= UINT64_C(1) << a % 64;
    }
    order_bodies(d, g, filled);
    memset(d->slot, -1, (size_t)d->n * (size_t)d->n * sizeof *d->slot);
    int below = 0;
    for (int k = 0; k < d->n; ++k)
        below += degree(filled, d->order[k]);
    TAKE(scratch, d->column, below, err);
    below = 0;
    for (int k = 0; k < d->n; ++k) {
        d->column_start[k] = below;
        d->slot[k * d->n + k] = d->block_count++;
        for (int r = k + 1; r < d->n; ++r)
            if (linked(filled, d->order[k], d->order[r])) {
                d->slot[r * d->n + k] = d->block_count++;
                d->column[below++] = r;
            }
    }
    d->column_start[d->n] = below;
    TAKE_ZEROS(scratch, d->blocks, d->block_count, err);
    return CAROM_OK;
}

// -- the matrix -----------------------------------------------------------------------------------

static stiffness stiffness_of(const direct *d, int i)
{
    return d->stiff[i - d->island->set.first];
}

static carom_status classify(direct *d, carom_error *err)
{
    const carom_rest *rest = d->rest;
    int first = d->island->set.first;
    TAKE(rest->step->world->scratch, d->stiff, d->island->set.count, err);
    for (int i = 0; i < d->island->set.count; ++i) {
        const carom_contact_record *c = &rest->system.contacts[first + i];
        bool presses, sticks;
        carom_rest_active(rest->system.bodies, c, &presses, &sticks);
        d->stiff[i].normal = presses ? c->normal_mass / compliance : 0;
        d->stiff[i].tangent = sticks ? c->tangent_mass / compliance : 0;
        d->stiff[i].roll = rest->system.rolling && presses && carom_rest_roll_holds(rest, first + i)
                               ? rest->system.rolling_response[first + i].mass / compliance
                               : 0;
    }
    return CAROM_OK;
}

static vec3 stiffen(stiffness s, vec3 n, vec3 v)
{
    double along = vec3_dot(n, v);
    return vec3_axpy(vec3_scale(s.tangent, v), (s.normal - s.tangent) * along, n);
}

// G of one end: relative velocity per unit of each of the six velocities of the body, as columns.
static void ends_of(vec3 arm, double sign, vec3 column[N])
{
    const vec3 axis[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    for (int k = 0; k < 3; ++k) {
        column[k] = vec3_scale(sign, axis[k]);
        column[3 + k] = vec3_scale(sign, vec3_cross(axis[k], arm));
    }
}

static void add_block(direct *d, int row, int col, const vec3 left[N], const vec3 right[N])
{
    block *b = &d->blocks[d->slot[row * d->n + col]];
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
            b->m[i][j] += vec3_dot(left[i], right[j]);
}

// The part of a block that ties spins.
static void add_roll(direct *d, int row, int col, double roll)
{
    block *b = &d->blocks[d->slot[row * d->n + col]];
    for (int i = 3; i < N; ++i)
        b->m[i][i] += roll;
}

static void add_contact(direct *d, int i)
{
    const carom_contact_record *c = &d->rest->system.contacts[i];
    stiffness s = stiffness_of(d, i);
    if (s.normal == 0)
        return;
    const carom_contact_body *bodies = d->rest->system.bodies;
    int ends[2] = { c->a, c->b }, at[2];
    vec3 column[2][N], stiff[2][N];
    for (int k = 0; k < 2; ++k) {
        int local = local_of(d, ends[k]);
        at[k] = local < 0 ? -1 : d->rank[local];
        ends_of(vec3_sub(c->point, bodies[ends[k]].x), k ? 1 : -1, column[k]);
        for (int j = 0; j < N; ++j)
            stiff[k][j] = stiffen(s, c->n, column[k][j]);
    }
    for (int k = 0; k < 2; ++k)
        if (at[k] >= 0) {
            add_block(d, at[k], at[k], column[k], stiff[k]);
            if (s.roll > 0)
                add_roll(d, at[k], at[k], s.roll);
        }
    if (at[0] >= 0 && at[1] >= 0) {
        int low = at[0] > at[1]; // the end with the larger rank gives the row
        add_block(d, at[!low], at[low], column[!low], stiff[low]);
        if (s.roll > 0)
            add_roll(d, at[!low], at[low], -s.roll);
    }
}

static void assemble(direct *d)
{
    for (int k = 0; k < d->n; ++k) {
        const carom_contact_body *body =
            &d->rest->system.bodies[d->rest->member[d->island->set.first_body + d->order[k]]];
        sym3 s = sym3_inverse(body->inverse_inertia);
        double inertia[3][3] = { { s.xx, s.xy, s.xz }, { s.xy, s.yy, s.yz }, { s.xz, s.yz, s.zz } };
        block *b = &d->blocks[d->slot[k * d->n + k]];
        for (int i = 0; i < 3; ++i) {
            b->m[i][i] = 1 / body->inverse_mass;
            for (int j = 0; j < 3; ++j)
                b->m[3 + i][3 + j] = inertia[i][j];
        }
    }
    for (int i = d->island->set.first; i < d->island->set.first + d->island->set.count; ++i)
        add_contact(d, i);
}

// -- L L^T ----------------------------------------------------------------------------------------

static bool factor_diagonal(block *b)
{
    for (int j = 0; j < N; ++j) {
        for (int k = 0; k < j; ++k)
            for (int i = j; i < N; ++i)
                b->m[i][j] -= b->m[i][k] * b->m[j][k];
        if (!(b->m[j][j] > 0))
            return false;
        double root = sqrt(b->m[j][j]), inverse = 1 / root;
        b->m[j][j] = root;
        for (int i = j + 1; i < N; ++i)
            b->m[i][j] *= inverse;
    }
    return true;
}

// b := b L^-T for the factor of a diagonal block.
static void divide(block *b, const block *l)
{
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            double sum = b->m[i][j];
            for (int k = 0; k < j; ++k)
                sum -= b->m[i][k] * l->m[j][k];
            b->m[i][j] = sum / l->m[j][j];
        }
}

static void subtract_product(block *c, const block *a, const block *b)
{
    for (int i = 0; i < N; ++i)
        for (int k = 0; k < N; ++k) {
            double sum = 0;
            for (int j = 0; j < N; ++j)
                sum += a->m[i][j] * b->m[k][j];
            c->m[i][k] -= sum;
        }
}

static bool factorise(direct *d)
{
    for (int k = 0; k < d->n; ++k) {
        block *pivot = &d->blocks[d->slot[k * d->n + k]];
        if (!factor_diagonal(pivot))
            return false;
        int begin = d->column_start[k], end = d->column_start[k + 1];
        if (carom_rest_ask_stopped(d->rest, (double)(end - begin) * (end - begin)))
            return false;
        for (int i = begin; i < end; ++i)
            divide(&d->blocks[d->slot[d->column[i] * d->n + k]], pivot);
        for (int j = begin; j < end; ++j) {
            const block *right = &d->blocks[d->slot[d->column[j] * d->n + k]];
            for (int i = j; i < end; ++i)
                subtract_product(&d->blocks[d->slot[d->column[i] * d->n + d->column[j]]],
                                 &d->blocks[d->slot[d->column[i] * d->n + k]], right);
        }
    }
    return true;
}

static void solve(direct *d)
{
    for (int k = 0; k < d->n; ++k) {
        const block *l = &d->blocks[d->slot[k * d->n + k]];
        double *x = d->x + N * k;
        for (int i = 0; i < N; ++i) {
            for (int j = 0; j < i; ++j)
                x[i] -= l->m[i][j] * x[j];
            x[i] /= l->m[i][i];
        }
        for (int e = d->column_start[k]; e < d->column_start[k + 1]; ++e) {
            const block *b = &d->blocks[d->slot[d->column[e] * d->n + k]];
            double *y = d->x + N * d->column[e];
            for (int i = 0; i < N; ++i)
                for (int j = 0; j < N; ++j)
                    y[i] -= b->m[i][j] * x[j];
        }
    }
    for (int k = d->n; k-- > 0;) {
        const block *l = &d->blocks[d->slot[k * d->n + k]];
        double *x = d->x + N * k;
        for (int e = d->column_start[k]; e < d->column_start[k + 1]; ++e) {
            const block *b = &d->blocks[d->slot[d->column[e] * d->n + k]];
            const double *y = d->x + N * d->column[e];
            for (int i = 0; i < N; ++i)
                for (int j = 0; j < N; ++j)
                    x[j] -= b->m[i][j] * y[i];
        }
        for (int i = N; i-- > 0;) {
            for (int j = i + 1; j < N; ++j)
                x[i] -= l->m[j][i] * x[j];
            x[i] /= l->m[i][i];
        }
    }
}

// -- between contacts and bodies ------------------------------------------------------------------

// The speed that a contact's active rows lack.
static vec3 lack(const direct *d, const carom_contact_record *c)
{
    return vec3_axpy(vec3_neg(carom_contact_velocity_at(&d->rest->system.bodies[c->a],
                                                        &d->rest->system.bodies[c->b], c->point)),
                     c->target, c->n);
}

// x := G^T D r
static void load(direct *d)
{
    memset(d->x, 0, N * (size_t)d->n * sizeof *d->x);
    for (int i = d->island->set.first; i < d->island->set.first + d->island->set.count; ++i) {
        const carom_contact_record *c = &d->rest->system.contacts[i];
        d->rest->system.direction[i] = vec3_make(0, 0, 0);
        stiffness s = stiffness_of(d, i);
        if (s.normal == 0)
            continue;
        vec3 force = stiffen(s, c->n, lack(d, c));
        vec3 rolling = { 0, 0, 0 };
        int ends[2] = { c->a, c->b };
        d->rest->system.direction[i] = force;
        if (d->rest->system.rolling) {
            vec3 spin = vec3_sub(d->rest->system.bodies[c->b].w, d->rest->system.bodies[c->a].w);
            rolling = d->rest->system.rolling_direction[i] = vec3_scale(-s.roll, spin);
        }
        for (int k = 0; k < 2; ++k) {
            int local = local_of(d, ends[k]);
            if (local < 0)
                continue;
            double *x = d->x + N * d->rank[local], sign = k ? 1 : -1;
            vec3 torque = vec3_cross(vec3_sub(c->point, d->rest->system.bodies[ends[k]].x), force);
            if (s.roll > 0)
                torque = vec3_add(torque, rolling);
            x[0] += sign * force.x, x[1] += sign * force.y, x[2] += sign * force.z;
            x[3] += sign * torque.x, x[4] += sign * torque.y, x[5] += sign * torque.z;
        }
    }
}

static carom_contact_body moved(const direct *d, int body)
{
    carom_contact_body copy = d->rest->system.bodies[body];
    int local = local_of(d, body);
    copy.v = copy.w = vec3_make(0, 0, 0);
    if (local >= 0) {
        copy.v = vec3_from(d->x + N * d->rank[local]);
        copy.w = vec3_from(d->x + N * d->rank[local] + 3);
    }
    return copy;
}

// dP = D (r - G dv), and v += dv.
static void apply(direct *d)
{
    for (int i = d->island->set.first; i < d->island->set.first + d->island->set.count; ++i) {
        carom_contact_record *c = &d->rest->system.contacts[i];
        stiffness s = stiffness_of(d, i);
        if (s.normal == 0)
            continue;
        carom_contact_body a = moved(d, c->a), b = moved(d, c->b);
        vec3 relieved = stiffen(s, c->n, carom_contact_velocity_at(&a, &b, c->point));
        c->impulse = vec3_add(c->impulse, vec3_sub(d->rest->system.direction[i], relieved));
        if (s.roll > 0) {
            vec3 gone = vec3_scale(s.roll, vec3_sub(b.w, a.w));
            vec3 *rolling = &d->rest->system.rolling[i].impulse;
            *rolling = vec3_add(*rolling, vec3_sub(d->rest->system.rolling_direction[i], gone));
        }
    }
    for (int i = 0; i < d->n; ++i) {
        carom_contact_body *body =
            &d->rest->system.bodies[d->rest->member[d->island->set.first_body + i]];
        const double *x = d->x + N * d->rank[i];
        body->v = vec3_add(body->v, vec3_from(x));
        body->w = vec3_add(body->w, vec3_from(x + 3));
    }
}

// So do angular impulses beyond their bound.
static void put_back_roll(direct *d, int i)
{
    const carom_contact_record *c = &d->rest->system.contacts[i];
    carom_contact_rolling *roll = &d->rest->system.rolling[i];
    double most = roll->length * fmax(vec3_dot(c->n, c->impulse), 0);
    double size = vec3_length(roll->impulse);
    if (!(size > most))
        return;
    vec3 inside = vec3_scale(most / size, roll->impulse);
    carom_contact_turn(&d->rest->system.bodies[c->a], &d->rest->system.bodies[c->b],
                       vec3_sub(inside, roll->impulse));
    roll->impulse = inside;
}

// Impulses outside the cone go to its surface.
static void put_back(direct *d)
{
    for (int i = d->island->set.first; i < d->island->set.first + d->island->set.count; ++i) {
        carom_contact_record *c = &d->rest->system.contacts[i];
        double p = vec3_dot(c->n, c->impulse);
        vec3 q = vec3_axpy(c->impulse, -p, c->n), inside = { 0, 0, 0 };
        if (p > 0) {
            double most = c->friction * p, size = vec3_length(q);
            inside = size > most ? vec3_axpy(vec3_scale(most / size, q), p, c->n) : c->impulse;
        }
        vec3 change = vec3_sub(inside, c->impulse);
        if (change.x == 0 && change.y == 0 && change.z == 0)
            continue;
        carom_contact_push_at(&d->rest->system.bodies[c->a], &d->rest->system.bodies[c->b],
                              c->point, change);
        c->impulse = inside;
    }
    for (int i = d->island->set.first;
         i < d->island->set.first + d->island->set.count && d->rest->system.rolling; ++i)
        put_back_roll(d, i);
}
