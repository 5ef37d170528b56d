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
// block per pair of bodies (solve/sparse_block.c).
#include <string.h>
#include "solve/sparse_block.h"
#include "world/rest.h"

enum { N = 6, ROUNDS = 2 };
static const double compliance = 1e-7;

// The active part of D as a matrix: normal where the contact presses, tangential where it sticks,
// against relative spin where its angular impulse holds that.
typedef struct stiffness {
    double normal, tangent, roll;
} stiffness;

typedef struct direct {
    carom_rest *rest;
    const carom_rest_part *part;
    carom_sparse_block *matrix; // the world's
    int n;
    int *local;       // per body of the world: its number in the part
    double *x;        // 6 n
    stiffness *stiff; // per contact of the part
} direct;

static carom_status classify(direct *d, carom_error *err);
static carom_status order(direct *d, carom_error *err);
static void assemble(direct *d);
static void load(direct *d);
static void apply(direct *d);
static void put_back(direct *d);

carom_status carom_rest_direct_improve(carom_rest *rest, const carom_rest_part *part, bool *done,
                                       carom_error *err)
{
    carom_arena *scratch = rest->step->world->scratch;
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    direct d = {
        .rest = rest, .part = part, .matrix = rest->step->world->rest_matrix, .n = part->body_count
    };
    TRY(classify(&d, err));
    TRY(order(&d, err));
    if (carom_sparse_block_count(d.matrix) < d.n) { // it would take too much
        *done = false;
        carom_arena_rewind(scratch, mark);
        return CAROM_OK;
    }
    assemble(&d);
    *done = carom_sparse_block_factor(d.matrix) && !carom_rest_ask_stopped(rest, N * d.n);
    for (int round = 0; round < ROUNDS && *done; ++round) {
        load(&d);
        carom_sparse_block_solve(d.matrix, d.x);
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

static carom_status order(direct *d, carom_error *err)
{
    const carom_rest *rest = d->rest;
    carom_arena *scratch = rest->step->world->scratch;
    int(*edges)[2], count = 0;
    TAKE(scratch, d->local, rest->step->world->count, err);
    TAKE(scratch, d->x, N * (size_t)d->n, err);
    for (int i = 0; i < d->n; ++i)
        d->local[d->part->body[i]] = i;
    if (d->part->ordered)
        return CAROM_OK;
    TAKE(scratch, edges, d->part->count, err);
    for (int k = 0; k < d->part->count; ++k) {
        const carom_contact_record *c = &rest->system.contacts[d->part->contact[k]];
        edges[count][0] = local_of(d, c->a);
        edges[count][1] = local_of(d, c->b);
        count += edges[count][0] >= 0 && edges[count][1] >= 0;
    }
    carom_sparse_block_bound(d->matrix, d->part->most_work * d->n);
    return carom_sparse_block_order(d->matrix, d->n, (const int(*)[2])edges, count, scratch, err);
}

// -- the matrix -----------------------------------------------------------------------------------

static carom_status classify(direct *d, carom_error *err)
{
    const carom_rest *rest = d->rest;
    TAKE(rest->step->world->scratch, d->stiff, d->part->count, err);
    for (int k = 0; k < d->part->count; ++k) {
        int i = d->part->contact[k];
        const carom_contact_record *c = &rest->system.contacts[i];
        bool presses, sticks;
        carom_rest_active(rest, i, &presses, &sticks);
        d->stiff[k].normal = presses ? c->normal_mass / compliance : 0;
        d->stiff[k].tangent = sticks ? c->tangent_mass / compliance : 0;
        d->stiff[k].roll = rest->system.rolling && presses && carom_rest_roll_holds(rest, i)
                               ? rest->system.rolling_response[i].mass / compliance
                               : 0;
    }
    return CAROM_OK;
}

static vec3 stiffen(stiffness s, vec3 n, vec3 v)
{
    double along = vec3_dot(n, v);
    return vec3_axpy(vec3_scale(s.tangent, v), (s.normal - s.tangent) * along, n);
}

// A row of G along d, at one end of the contact.
static void row_of(double sign, vec3 d, vec3 turn, double row[N])
{
    vec3_store(vec3_scale(sign, d), row);
    vec3_store(vec3_scale(sign, turn), row + 3);
}

// Where the blocks of a contact are: (a, a), (b, b), (b, a); -1 where a body does not move.
static void find_places(const direct *d, const carom_contact_record *c, int place[3])
{
    int a = local_of(d, c->a), b = local_of(d, c->b);
    place[0] = a < 0 ? -1 : carom_sparse_block_place(d->matrix, a, a);
    place[1] = b < 0 ? -1 : carom_sparse_block_place(d->matrix, b, b);
    place[2] = a < 0 || b < 0 ? -1 : carom_sparse_block_place(d->matrix, b, a);
}

static void add_row(direct *d, const int place[3], double weight, const double a[N],
                    const double b[N])
{
    if (place[0] >= 0)
        carom_sparse_block_add_at(d->matrix, place[0], weight, a, a);
    if (place[1] >= 0)
        carom_sparse_block_add_at(d->matrix, place[1], weight, b, b);
    if (place[2] >= 0)
        carom_sparse_block_add_at(d->matrix, place[2], weight, b, a);
}

static void add_contact(direct *d, int k)
{
    int i = d->part->contact[k];
    const carom_contact_record *c = &d->rest->system.contacts[i];
    const vec3 none = { 0, 0, 0 }, axis[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    stiffness s = d->stiff[k];
    vec3 along[3] = { c->n }, arm_a = carom_contact_arm_a(&d->rest->system, i),
         arm_b = carom_contact_arm_b(&d->rest->system, i);
    double a[N], b[N];
    int place[3];
    if (s.normal == 0)
        return;
    find_places(d, c, place);
    vec3_tangents(c->n, &along[1], &along[2]);
    for (int r = 0; r < (s.tangent > 0 ? 3 : 1); ++r) {
        row_of(-1, along[r], vec3_cross(arm_a, along[r]), a);
        row_of(1, along[r], vec3_cross(arm_b, along[r]), b);
        add_row(d, place, r == 0 ? s.normal : s.tangent, a, b);
    }
    for (int r = 0; r < 3 && s.roll > 0; ++r) {
        row_of(-1, none, axis[r], a);
        row_of(1, none, axis[r], b);
        add_row(d, place, s.roll, a, b);
    }
}

static void add_mass(direct *d, int i)
{
    const carom_contact_body *body = &d->rest->system.bodies[d->part->body[i]];
    const double m = 1 / body->inverse_mass, mass[N] = { m, m, m, 0, 0, 0 };
    sym3 s = sym3_inverse(body->inverse_inertia);
    const double inertia[3][N] = { { 0, 0, 0, s.xx, s.xy, s.xz },
                                   { 0, 0, 0, s.xy, s.yy, s.yz },
                                   { 0, 0, 0, s.xz, s.yz, s.zz } };
    carom_sparse_block_add_diagonal(d->matrix, i, mass);
    for (int k = 0; k < 3; ++k) {
        double unit[N] = { 0 };
        unit[3 + k] = 1;
        carom_sparse_block_add(d->matrix, i, i, 1, unit, inertia[k]);
    }
}

static void assemble(direct *d)
{
    carom_sparse_block_clear(d->matrix);
    for (int i = 0; i < d->n; ++i)
        add_mass(d, i);
    for (int k = 0; k < d->part->count; ++k)
        add_contact(d, k);
}

// -- between contacts and bodies ------------------------------------------------------------------

// The speed that a contact's active rows lack.
static vec3 lack(const direct *d, int i)
{
    const carom_contact_record *c = &d->rest->system.contacts[i];
    return vec3_axpy(vec3_neg(carom_contact_velocity_at(&d->rest->system, i)), c->target, c->n);
}

// x := G^T D r
static void load(direct *d)
{
    memset(d->x, 0, N * (size_t)d->n * sizeof *d->x);
    for (int at = 0; at < d->part->count; ++at) {
        int i = d->part->contact[at];
        const carom_contact_record *c = &d->rest->system.contacts[i];
        d->rest->system.direction[i] = vec3_make(0, 0, 0);
        stiffness s = d->stiff[at];
        if (s.normal == 0)
            continue;
        vec3 force = stiffen(s, c->n, lack(d, i));
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
            double *x = d->x + N * local, sign = k ? 1 : -1;
            vec3 torque = vec3_cross(k ? carom_contact_arm_b(&d->rest->system, i)
                                       : carom_contact_arm_a(&d->rest->system, i),
                                     force);
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
        copy.v = vec3_from(d->x + N * local);
        copy.w = vec3_from(d->x + N * local + 3);
    }
    return copy;
}

// dP = D (r - G dv), and v += dv.
static void apply(direct *d)
{
    for (int k = 0; k < d->part->count; ++k) {
        int i = d->part->contact[k];
        carom_contact_record *c = &d->rest->system.contacts[i];
        stiffness s = d->stiff[k];
        if (s.normal == 0)
            continue;
        carom_contact_body a = moved(d, c->a), b = moved(d, c->b);
        vec3 relieved =
            stiffen(s, c->n,
                    carom_contact_velocity(&a, &b, carom_contact_arm_a(&d->rest->system, i),
                                           carom_contact_arm_b(&d->rest->system, i)));
        c->impulse = vec3_add(c->impulse, vec3_sub(d->rest->system.direction[i], relieved));
        if (s.roll > 0) {
            vec3 gone = vec3_scale(s.roll, vec3_sub(b.w, a.w));
            vec3 *rolling = &d->rest->system.rolling[i].impulse;
            *rolling = vec3_add(*rolling, vec3_sub(d->rest->system.rolling_direction[i], gone));
        }
    }
    for (int i = 0; i < d->n; ++i) {
        carom_contact_body *body = &d->rest->system.bodies[d->part->body[i]];
        const double *x = d->x + N * i;
        body->v = vec3_add(body->v, vec3_from(x));
        body->w = vec3_add(body->w, vec3_from(x + 3));
    }
}

// So do angular impulses beyond their bound.
static void put_back_roll(direct *d, int i)
{
    const carom_contact_record *c = &d->rest->system.contacts[i];
    carom_contact_rolling *roll = &d->rest->system.rolling[i];
    double max = roll->length * fmax(vec3_dot(c->n, c->impulse), 0);
    double size = vec3_length(roll->impulse);
    if (!(size > max))
        return;
    vec3 inside = vec3_scale(max / size, roll->impulse);
    carom_contact_turn(&d->rest->system.bodies[c->a], &d->rest->system.bodies[c->b],
                       vec3_sub(inside, roll->impulse));
    roll->impulse = inside;
}

// Impulses outside the cone go to its surface.
static void put_back(direct *d)
{
    for (int k = 0; k < d->part->count; ++k) {
        int i = d->part->contact[k];
        carom_contact_record *c = &d->rest->system.contacts[i];
        double p = vec3_dot(c->n, c->impulse);
        vec3 q = vec3_axpy(c->impulse, -p, c->n), inside = { 0, 0, 0 };
        if (p > 0) {
            double max = c->friction * p, size = vec3_length(q);
            inside = size > max ? vec3_axpy(vec3_scale(max / size, q), p, c->n) : c->impulse;
        }
        vec3 change = vec3_sub(inside, c->impulse);
        if (change.x == 0 && change.y == 0 && change.z == 0)
            continue;
        carom_contact_push_at(&d->rest->system, i, change);
        c->impulse = inside;
    }
    for (int k = 0; k < d->part->count && d->rest->system.rolling; ++k)
        put_back_roll(d, d->part->contact[k]);
}
