// One group of a QCE sweep: contacts push together and end one after the other.
//
// Every contact i pushes with P_i = F_i s, F_i = -u_i, where s grows from 0 for all of them. Its
// speed is then linear and its stored energy quadratic in s [QCE, eqs 10 to 18]; the contact ends
// where the energy is back at zero, and its neighbours go on without its push. Symbols per contact:
// e = E/F energy over F, v speed, a half the slope of v, s_ref where e and v were last brought up
// to date.
//
// Deviations from the printed algorithm 1: lines 15, 20, 22 and 23 are misprinted (P is the root of
// eq 14 and s = P/F; neighbours are taken to the s of the one that ended; A_i loses 1/2 W_ik F_k),
// and the root that counts is the first one, not the larger one.
#include "impact/qce_island.h"

#include "impact/qce_queue.h"

// What the end of a neighbour touches: one line.
typedef struct active {
    vec3 d;
    double e, v, a, s_ref;
    int body_a, body_b;
} active;

typedef struct island {
    const carom_qce_field *field;
    const carom_qce_approach *list;
    int count;
    active *state;
    double *push; // F, and P once the contact has ended
    int *near;    // per body 2 * contact + (body is b) of those still active
    queue ends;   // s where each contact ends
} island;

static void apply(const carom_qce_field *field, const carom_qce_approach *one, vec3 d, double p);
static carom_status island_begin(island *land, carom_arena *arena, carom_error *err);
static bool island_run(island *land);
static void island_end(island *land, int k, double s);
static void island_foresee(const island *land);
static void island_apply(const island *land);

carom_status carom_qce_island_solve(const carom_qce_field *field, const carom_qce_approach *list,
                                    int count, carom_arena *arena, bool *stuck, carom_error *err)
{
    *stuck = false;
    if (count == 1) { // closed form
        const carom_row *row = &field->problem->normal[list->contact];
        apply(field, list, row->d, -2 * list->u / row->diagonal);
        return CAROM_OK;
    }
    carom_arena_mark mark = carom_arena_mark_here(arena);
    island land = { .field = field, .list = list, .count = count };
    TRY(island_begin(&land, arena, err));
    *stuck = !island_run(&land);
    if (!*stuck)
        island_apply(&land);
    carom_arena_rewind(arena, mark);
    return CAROM_OK;
}

static void turn(const carom_qce_field *field, int body, double p, vec3 response)
{
    vec3 *spin = &field->motion->v[body].angular;
    *spin = vec3_axpy(*spin, p, response);
}

static void apply(const carom_qce_field *field, const carom_qce_approach *one, vec3 d, double p)
{
    const carom_row *row = field->swing ? &field->problem->normal[one->contact] : NULL;
    field->motion->p[one->contact][0] += p;
    if (one->a >= 0) {
        carom_qce_mover *a = &field->movers[one->a];
        a->v = vec3_axpy(a->v, -p * a->inverse_mass, d);
        if (row)
            turn(field, one->a, -p, row->turn_a);
    }
    if (one->b >= 0) {
        carom_qce_mover *b = &field->movers[one->b];
        b->v = vec3_axpy(b->v, p * b->inverse_mass, d);
        if (row)
            turn(field, one->b, p, row->turn_b);
    }
}

static void clear(const island *land)
{
    const carom_qce_field *field = land->field;
    for (int i = 0; i < land->count; ++i) {
        int bodies[2] = { land->list[i].a, land->list[i].b };
        for (int k = 0; k < 2; ++k) {
            if (bodies[k] < 0)
                continue;
            field->hubs[bodies[k]].first = -1;
            field->hubs[bodies[k]].end = 0;
            field->push[bodies[k]] = vec3_make(0, 0, 0);
            if (field->swing)
                field->swing[bodies[k]] = vec3_make(0, 0, 0);
        }
    }
}

// Adds the twist that the push of contact i gives its two bodies, and counts their contacts.
static void lean(const island *land, int i)
{
    const carom_qce_field *field = land->field;
    const carom_qce_approach *one = &land->list[i];
    const carom_problem_link *geometry = &field->links[one->contact];
    const carom_row *row = geometry->turns ? &field->problem->normal[one->contact] : NULL;
    land->push[i] = -one->u;
    land->state[i].d = geometry->d;
    land->state[i].body_a = geometry->a;
    land->state[i].body_b = (int)geometry->b;
    if (one->a >= 0) {
        double inv = field->movers[one->a].inverse_mass;
        field->push[one->a] = vec3_axpy(field->push[one->a], one->u * inv, geometry->d);
        ++field->hubs[one->a].end;
        if (row)
            field->swing[one->a] = vec3_axpy(field->swing[one->a], one->u, row->turn_a);
    }
    if (one->b >= 0) {
        double inv = field->movers[one->b].inverse_mass;
        field->push[one->b] = vec3_axpy(field->push[one->b], -one->u * inv, geometry->d);
        ++field->hubs[one->b].end;
        if (row)
            field->swing[one->b] = vec3_axpy(field->swing[one->b], -one->u, row->turn_b);
    }
}

// Enters a contact in the list of a body; the first one reserves the body's room.
static void enter(const island *land, int body, int entry, int *used)
{
    if (body < 0)
        return;
    carom_qce_hub *one = &land->field->hubs[body];
    if (one->first < 0) {
        one->first = *used;
        *used += one->end;
        one->end = one->first;
    }
    land->near[one->end++] = entry;
}

static carom_status island_begin(island *land, carom_arena *arena, carom_error *err)
{
    enum { FETCHED = 16 }; // contacts ahead: their records lie with gaps between
    const carom_qce_field *field = land->field;
    TAKE(arena, land->state, land->count, err);
    TAKE(arena, land->push, land->count, err);
    TAKE(arena, land->near, 2 * (size_t)land->count, err);
    TRY(queue_make(&land->ends, land->count, arena, err));
    clear(land);
    for (int i = 0; i < land->count; ++i) {
        if (i + FETCHED < land->count)
            __builtin_prefetch(&field->links[land->list[i + FETCHED].contact]);
        lean(land, i);
    }
    int used = 0;
    for (int i = 0; i < land->count; ++i) {
        active *one = &land->state[i];
        int a = one->body_a, b = one->body_b, contact = land->list[i].contact;
        double u = land->list[i].u,
               slope = vec3_dot(one->d, vec3_sub(field->push[b], field->push[a]));
        if (field->swing && field->links[contact].turns) {
            const carom_row *row = &field->problem->normal[contact];
            slope += vec3_dot(row->arm_b, field->swing[b]) - vec3_dot(row->arm_a, field->swing[a]);
        }
        one->e = one->s_ref = 0;
        one->v = u;
        one->a = 0.5 * slope;
        land->ends.key[i] = one->a > 0 ? -u / one->a : QUEUE_NEVER;
        enter(land, land->list[i].a, 2 * i, &used);
        enter(land, land->list[i].b, 2 * i + 1, &used);
    }
    queue_build(&land->ends, land->count);
    return CAROM_OK;
}

// How many contacts the end of contact k may change.
static inline int around(const island *land, int k)
{
    const carom_qce_hub *a = &land->field->hubs[land->state[k].body_a];
    const carom_qce_hub *b = &land->field->hubs[land->state[k].body_b];
    return a->end - a->first + b->end - b->first;
}

// Ends the contacts one after the other. False where some never end, or where somebody stops it: n
// contacts of one body take n^2 updates.
static bool island_run(island *land)
{
    enum { BETWEEN = 200000 }; // updates between two queries
    int64_t work = 0;
    for (int turn = 0; turn < land->count; ++turn) {
        while (land->ends.heap_count == 0) {
            queue_open(&land->ends);
            island_foresee(land);
        }
        int k = queue_first(&land->ends);
        double s = land->ends.key[k];
        if (!(s < QUEUE_NEVER))
            return false;
        work += around(land, k);
        if (work > BETWEEN && carom_problem_stopped(land->field->problem))
            return false;
        work = work > BETWEEN ? 0 : work;
        island_end(land, k, s);
    }
    return true;
}

// The smallest tau >= 0 with v tau + a tau^2 = e [QCE, eq 14 over F, from the present state]. Of
// the two equal forms of the root each is used where nothing cancels.
static inline double first_root(double e, double v, double a)
{
    double disc = v * v + 4 * a * e, root = sqrt(disc > 0 ? disc : 0);
    bool back = v > 0; // expands: the energy flows back
    double over = back ? 2 * e : root - v, under = back ? v + root : 2 * a;
    if (under <= 0 || (back && disc < 0 && e > 0))
        return over <= 0 ? 0 : QUEUE_NEVER;
    return over > 0 ? over / under : 0;
}

// Takes contact k out of the list of a body; the last entry takes its place.
static inline void leave(int *near, carom_qce_hub *body, int k)
{
    int j = body->first;
    while (near[j] >> 1 != k)
        ++j;
    near[j] = near[--body->end];
}

// Contact k ends at s: its impulse is F s, and those still active at its bodies lose its push.
static void island_end(island *land, int k, double s)
{
    static const double sign[2] = { -1, 1 };
    const carom_qce_field *field = land->field;
    const active *gone = &land->state[k];
    const double *ends = land->ends.key;
    double force = land->push[k];
    const carom_row *row = field->swing ? &field->problem->normal[land->list[k].contact] : NULL;
    land->push[k] = force * s;
    queue_leave(&land->ends, k);
    for (int side = 0; side < 2; ++side) {
        int index = side ? gone->body_b : gone->body_a;
        carom_qce_hub *body = &field->hubs[index];
        double half = 0.5 * sign[side] * force, inv = field->movers[index].inverse_mass;
        if (inv == 0)
            continue;
        vec3 linear = vec3_scale(half * inv, gone->d);
        leave(land->near, body, k);
        for (int j = body->first; j < body->end; ++j) {
            int entry = land->near[j], i = entry >> 1;
            if (ends[i] <= s) // ends at this very s as well
                continue;
            active *one = &land->state[i];
            double change = vec3_dot(one->d, linear);
            if (row) {
                const carom_row *other = &field->problem->normal[land->list[i].contact];
                change += half * vec3_dot(entry & 1 ? other->arm_b : other->arm_a,
                                          side ? row->turn_b : row->turn_a);
            }
            double tau = s - one->s_ref;
            one->e -= (one->v + one->a * tau) * tau;
            one->v += 2 * one->a * tau;
            one->s_ref = s;
            one->a -= sign[entry & 1] * change;
            queue_set(&land->ends, i, s + first_root(one->e, one->v, one->a));
        }
    }
}

// A large island does not fit in the cache, and events jump about in it. Buckets to come tell who
// will end soon: fetches in four steps, two buckets apart, what those events will touch. No effect
// on the result.
static void island_foresee(const island *land)
{
    enum { STRIDE = 2 };
    const queue *ends = &land->ends;
    const carom_qce_hub *hubs = land->field->hubs;
    const int open = ends->open;
    if (open + 4 * STRIDE >= ends->bucket_count - 1)
        return;
    for (int k = ends->bucket[open + 4 * STRIDE]; k >= 0; k = ends->links[k].next) {
        __builtin_prefetch(&land->state[k], 1);
        __builtin_prefetch(&land->push[k], 1);
    }
    for (int k = ends->bucket[open + 3 * STRIDE]; k >= 0; k = ends->links[k].next) {
        const active *one = &land->state[k];
        __builtin_prefetch(&hubs[one->body_a], 1);
        __builtin_prefetch(&hubs[one->body_b], 1);
        __builtin_prefetch(&land->field->movers[one->body_a]);
        __builtin_prefetch(&land->field->movers[one->body_b]);
    }
    for (int k = ends->bucket[open + 2 * STRIDE]; k >= 0; k = ends->links[k].next) {
        __builtin_prefetch(&land->near[hubs[land->state[k].body_a].first]);
        __builtin_prefetch(&land->near[hubs[land->state[k].body_b].first]);
    }
    for (int k = ends->bucket[open + STRIDE]; k >= 0; k = ends->links[k].next)
        for (int side = 0; side < 2; ++side) {
            const active *one = &land->state[k];
            const carom_qce_hub *body = &hubs[side ? one->body_b : one->body_a];
            for (int j = body->first; j < body->end; ++j) {
                __builtin_prefetch(&land->state[land->near[j] >> 1], 1);
                __builtin_prefetch(&ends->key[land->near[j] >> 1], 1);
            }
        }
}

static void island_apply(const island *land)
{
    for (int i = 0; i < land->count; ++i)
        apply(land->field, &land->list[i], land->state[i].d, land->push[i]);
}
