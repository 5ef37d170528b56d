// Sweeps of the quadratic contact energy model [QCE, algorithm 1, equations 10 to 18].
//
// Within a sweep every approaching contact i pushes with an impulse P_i = F_i s, F_i = -u_i, where s
// grows from 0 for all contacts of an island together. Its speed is then linear and its stored
// energy quadratic in s; the contact ends where the energy is back at zero, and its neighbours go on
// without its push. Symbols per contact: e = E/F energy over F, v speed, a half the slope of v,
// s_ref where e and v were last brought up to date.
//
// Deviations from the printed algorithm: its lines 15, 20, 22 and 23 are misprinted (P is the root
// of eq 14, s = P/F; the neighbours are taken to the s of the one that ended; A_i loses
// 1/2 W_ik F_k); the root that counts is the first one, not the larger one; line 33 tests J q. A
// contact with F below theta times the largest F of its island waits for the next sweep: its
// constant impulse ratio would decide the result by noise otherwise ([QCE, section 5.5] holds only
// with this).
//
// Cost: after the first sweep only contacts of bodies that moved are looked at again; the active
// ones are split into islands, single contacts have a closed form, and the rest works on one
// cache line per contact. Islands share no movable body, so threads take islands side by side and
// the bits do not depend on their number.
#include "impact/qce.h"

#include <string.h>
#include "impact/qce_queue.h"

// Direction and bodies of a contact in half a cache line.
typedef struct link {
    vec3 d;
    int a;
    unsigned b : 31, turns : 1; // turns: the impulse has an arm about a body that can spin
} link;

// A body in half a cache line: the linear part of its twist lives here during the sweeps. Immovable
// bodies are shared between islands and never written.
typedef struct mover {
    vec3 v;
    double inverse_mass; // 0: immovable
} mover;

// A body's active contacts in island.near while its island is solved.
typedef struct hub {
    int first, end;
} hub;

// An approaching contact. It carries what grouping needs, so that grouping streams.
typedef struct approach {
    int contact, group;
    int a, b; // bodies, -1 where immovable
    double u;
} approach;

typedef struct group {
    int first;      // into sweep.order
    bool stuck;     // no end in sight: nothing was applied
    double largest; // F
} group;

typedef struct sweep {
    const carom_problem *problem;
    const carom_qce_settings *settings;
    carom_motion *motion;
    const unsigned char *member; // null: every contact
    link *links;
    mover *movers;
    hub *hubs;
    vec3 *push, *swing; // linear and angular part of M^-1 J^T F per body; swing null: nothing turns
    int *parent;        // union-find over bodies that share an approaching contact
    int *group_of;      // of a root body
    int *across;        // body on the other side, parallel to problem->contact_list
    uint64_t *moved;    // one bit per body: this sweep changed its velocity
    approach *found;    // approaching contacts, found_count
    approach *order;    // those that act in this sweep, by groups; order_count
    approach *waiting;
    group *groups; // one more than group_count, for the end
    int found_count, order_count, waiting_count, group_count, number;
} sweep;

// What the end of a neighbour touches: one line.
typedef struct active {
    vec3 d;
    double e, v, a, s_ref;
    int body_a, body_b;
} active;

enum { AHEAD = 8 }; // candidates on their way into the cache

// The contacts of one group while it is solved.
typedef struct island {
    sweep *sweep;
    const approach *list;
    int count;
    active *state;
    double *push; // F, and P once the contact has ended
    int *near;    // per body 2 * contact + (body is b) of those still active
    queue ends;   // s where each contact ends
    int ahead[AHEAD];
} island;

static carom_status prepare(sweep *w, const carom_contact_set *set, carom_arena *scratch,
                            carom_error *err);
static void look_everywhere(sweep *w, const carom_contact_set *set);
static void look_again(sweep *w, const carom_contact_set *set);
static void form_groups(sweep *w);
static carom_status solve_groups(sweep *w, carom_error *err);
static carom_status solve_group(sweep *w, group *g, int count, carom_arena *arena,
                                carom_error *err);
static carom_status island_begin(island *land, carom_arena *arena, carom_error *err);
static bool island_run(island *land);
static void island_end(island *land, int k, double s);
static void island_foresee(island *land, int k, int turn);
static void island_apply(const island *land);
static void settle_accounts(sweep *w, carom_qce_tally *tally);

carom_status carom_qce_sweep(const carom_problem *problem, const carom_contact_set *set,
                             const carom_qce_settings *settings, carom_arena *scratch,
                             carom_motion *motion, carom_qce_tally *tally, carom_error *err)
{
    sweep w = { .problem = problem, .settings = settings, .motion = motion };
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    *tally = (carom_qce_tally){ 0 };
    TRY(prepare(&w, set, scratch, err));
    look_everywhere(&w, set);
    bool progress = true;
    while (w.found_count > 0 && progress && w.number < settings->sweeps) {
        ++w.number;
        int64_t events = tally->events;
        form_groups(&w);
        TRY(solve_groups(&w, err));
        settle_accounts(&w, tally);
        look_again(&w, set);
        progress = tally->events > events;
    }
    for (int i = 0; i < problem->body_count; ++i)
        motion->v[i].linear = w.movers[i].v;
    tally->sweeps = w.number;
    tally->open = w.found_count;
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

// Whether an impulse turns a body. Centres and contact points carry round-off, so that the arms of
// spheres are not quite zero; an arm within that round-off says nothing and counts as none. An
// immovable body does not turn, but its given spin moves the contact.
static bool turned(const carom_problem *problem, vec3 point, int body, vec3 arm)
{
    const double noise = 0x1p-48; // 16 units in the last place
    const carom_impact_body *one = &problem->bodies[body];
    vec3 centre = vec3_from(one->position), spin = vec3_from(one->spin);
    if (one->inverse_mass == 0)
        return vec3_dot(arm, spin) != 0;
    return vec3_dot(arm, arm) >
           noise * noise * (vec3_dot(point, point) + vec3_dot(centre, centre));
}

static bool turns(const carom_problem *problem, int contact)
{
    const carom_row *row = &problem->normal[contact];
    vec3 point = vec3_from(problem->contacts[contact].point);
    return turned(problem, point, row->a, row->arm_a) || turned(problem, point, row->b, row->arm_b);
}

static carom_status prepare(sweep *w, const carom_contact_set *set, carom_arena *scratch,
                            carom_error *err)
{
    const carom_problem *problem = w->problem;
    int n = problem->contact_count, bodies = problem->body_count, most = set ? set->count : n;
    TAKE(scratch, w->links, n, err);
    TAKE(scratch, w->movers, bodies, err);
    TAKE(scratch, w->hubs, bodies, err);
    TAKE_ZEROS(scratch, w->push, bodies, err);
    TAKE(scratch, w->parent, bodies, err);
    TAKE(scratch, w->group_of, bodies, err);
    TAKE_ZEROS(scratch, w->moved, bodies / 64 + 1, err);
    TAKE(scratch, w->found, (size_t)most + 1, err);
    TAKE(scratch, w->order, most, err);
    TAKE(scratch, w->waiting, most, err);
    TAKE(scratch, w->groups, (size_t)most + 1, err);
    for (int i = 0; i < bodies; ++i)
        w->movers[i] = (mover){ w->motion->v[i].linear, problem->bodies[i].inverse_mass };
    bool any = false;
    for (int i = 0; i < n; ++i) {
        const carom_row *row = &problem->normal[i];
        bool spin = turns(problem, i);
        w->links[i] = (link){ row->d, row->a, (unsigned)row->b, spin };
        any = any || spin;
    }
    if (any)
        TAKE_ZEROS(scratch, w->swing, bodies, err);
    TAKE(scratch, w->across, problem->first_contact[bodies], err);
    for (int i = 0; i < bodies; ++i)
        for (int j = problem->first_contact[i]; j < problem->first_contact[i + 1]; ++j) {
            const link *one = &w->links[problem->contact_list[j]];
            w->across[j] = one->a == i ? (int)one->b : one->a;
        }
    if (set) {
        unsigned char *member;
        TAKE_ZEROS(scratch, member, n, err);
        for (int i = 0; i < set->count; ++i)
            member[set->index[i]] = 1;
        w->member = member;
    }
    return CAROM_OK;
}

// -- who approaches ------------------------------------------------------------------------------

static void look(sweep *w, int contact)
{
    const link *one = &w->links[contact];
    const mover *a = &w->movers[one->a], *b = &w->movers[one->b];
    double u = vec3_dot(one->d, vec3_sub(b->v, a->v));
    if (one->turns) {
        const carom_row *row = &w->problem->normal[contact];
        u += vec3_dot(row->arm_b, w->motion->v[one->b].angular) -
             vec3_dot(row->arm_a, w->motion->v[one->a].angular);
    }
    // Written always and counted if it approaches: no branch can guess the sign of u.
    w->found[w->found_count] = (approach){ .contact = contact,
                                           .a = a->inverse_mass > 0 ? one->a : -1,
                                           .b = b->inverse_mass > 0 ? (int)one->b : -1,
                                           .u = u };
    w->found_count += u < -w->settings->tolerance;
}

static void look_everywhere(sweep *w, const carom_contact_set *set)
{
    int count = set ? set->count : w->problem->contact_count;
    w->found_count = 0;
    for (int i = 0; i < count; ++i)
        look(w, set ? set->index[i] : i);
}

static bool has_moved(const sweep *w, int body)
{
    return body >= 0 && (w->moved[body / 64] >> (body % 64) & 1);
}

// Contacts of a moved body; those shared with a lower moved body have been looked at.
static void look_around(sweep *w, int body)
{
    const int *first = w->problem->first_contact, *list = w->problem->contact_list;
    for (int j = first[body]; j < first[body + 1]; ++j) {
        int other = w->across[j];
        bool twice = other < body && has_moved(w, other);
        if (!twice && (!w->member || w->member[list[j]]))
            look(w, list[j]);
    }
}

// Bodies are visited in ascending order, which keeps neighbours together in memory sweep after
// sweep. Contacts that wait beside bodies at rest come last. Where much has moved, a straight run
// over all contacts is quicker and finds the same.
static void look_again(sweep *w, const carom_contact_set *set)
{
    int words = w->problem->body_count / 64 + 1, moved = 0;
    for (int i = 0; i < words; ++i)
        moved += __builtin_popcountll(w->moved[i]);
    if (4 * (int64_t)moved > w->problem->body_count) {
        memset(w->moved, 0, (size_t)words * sizeof *w->moved);
        look_everywhere(w, set);
        return;
    }
    w->found_count = 0;
    for (int i = 0; i < words; ++i)
        for (uint64_t left = w->moved[i]; left; left &= left - 1)
            look_around(w, 64 * i + __builtin_ctzll(left));
    for (int i = 0; i < w->waiting_count; ++i) {
        const approach *one = &w->waiting[i];
        if (!has_moved(w, one->a) && !has_moved(w, one->b))
            w->found[w->found_count++] = *one;
    }
    memset(w->moved, 0, (size_t)words * sizeof *w->moved);
}

// -- groups: islands of the approaching contacts -------------------------------------------------

static int find(int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

static void join_none(sweep *w, int body)
{
    w->parent[body] = body;
    w->group_of[body] = -1;
}

// Joins what shares a movable body.
static void unite(sweep *w)
{
    int *parent = w->parent;
    for (int i = 0; i < w->found_count; ++i) {
        const approach *one = &w->found[i];
        if (one->a >= 0)
            join_none(w, one->a);
        if (one->b >= 0)
            join_none(w, one->b);
    }
    for (int i = 0; i < w->found_count; ++i) {
        const approach *one = &w->found[i];
        if (one->a < 0 || one->b < 0)
            continue;
        int a = find(parent, one->a), b = find(parent, one->b);
        parent[a > b ? a : b] = a > b ? b : a;
    }
}

// Numbers the groups by their first contact and sends those far below the group's fastest to wait.
static void form_groups(sweep *w)
{
    unite(w);
    w->group_count = 0;
    for (int i = 0; i < w->found_count; ++i) {
        approach *one = &w->found[i];
        int *number = &w->group_of[find(w->parent, one->a >= 0 ? one->a : one->b)];
        if (*number < 0) {
            *number = w->group_count++;
            w->groups[*number] = (group){ 0 };
        }
        one->group = *number;
        group *g = &w->groups[*number];
        if (g->largest < -one->u)
            g->largest = -one->u;
    }
    w->waiting_count = w->order_count = 0;
    for (int i = 0; i < w->found_count; ++i) {
        approach *one = &w->found[i];
        group *g = &w->groups[one->group];
        if (-one->u < w->settings->theta * g->largest) {
            w->waiting[w->waiting_count++] = *one;
            one->group = -1;
        } else {
            ++g->first;
        }
    }
    for (int i = 0; i < w->group_count; ++i) {
        int count = w->groups[i].first;
        w->groups[i].first = w->order_count;
        w->order_count += count;
    }
    for (int i = 0; i < w->found_count; ++i)
        if (w->found[i].group >= 0)
            w->order[w->groups[w->found[i].group].first++] = w->found[i];
    for (int i = w->group_count; i > 0; --i)
        w->groups[i].first = w->groups[i - 1].first;
    w->groups[0].first = 0;
}

static carom_status solve_groups(sweep *w, carom_error *err)
{
    const carom_problem *problem = w->problem;
    int threads = problem->threads;
    carom_status worst = CAROM_OK;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (int t = 0; t < threads; ++t) {
        int least = (int)((int64_t)w->order_count * t / threads);
        int most = (int)((int64_t)w->order_count * (t + 1) / threads);
        for (int i = 0; i < w->group_count; ++i) {
            group *g = &w->groups[i];
            if (g->first < least || g->first >= most)
                continue;
            carom_status status =
                solve_group(w, g, g[1].first - g->first, problem->thread_scratch[t], err);
            if (status != CAROM_OK) {
#pragma omp atomic write
                worst = status;
                break;
            }
        }
    }
    return worst;
}

// -- one group -----------------------------------------------------------------------------------

static void turn(const sweep *w, int body, double p, vec3 response)
{
    vec3 *spin = &w->motion->v[body].angular;
    *spin = vec3_axpy(*spin, p, response);
}

static void apply(const sweep *w, const approach *one, vec3 d, double p)
{
    const carom_row *row = w->swing ? &w->problem->normal[one->contact] : NULL;
    w->motion->p[one->contact][0] += p;
    if (one->a >= 0) {
        mover *a = &w->movers[one->a];
        a->v = vec3_axpy(a->v, -p * a->inverse_mass, d);
        if (row)
            turn(w, one->a, -p, row->turn_a);
    }
    if (one->b >= 0) {
        mover *b = &w->movers[one->b];
        b->v = vec3_axpy(b->v, p * b->inverse_mass, d);
        if (row)
            turn(w, one->b, p, row->turn_b);
    }
}

static carom_status solve_group(sweep *w, group *g, int count, carom_arena *arena, carom_error *err)
{
    const approach *list = &w->order[g->first];
    if (count == 1) {
        const carom_row *row = &w->problem->normal[list->contact];
        apply(w, list, row->d, -2 * list->u / row->diagonal);
        return CAROM_OK;
    }
    carom_arena_mark mark = carom_arena_mark_here(arena);
    island land = { .sweep = w, .list = list, .count = count };
    TRY(island_begin(&land, arena, err));
    g->stuck = !island_run(&land);
    if (!g->stuck)
        island_apply(&land);
    carom_arena_rewind(arena, mark);
    return CAROM_OK;
}

static void clear(const island *land)
{
    sweep *w = land->sweep;
    for (int i = 0; i < land->count; ++i) {
        int bodies[2] = { land->list[i].a, land->list[i].b };
        for (int k = 0; k < 2; ++k) {
            if (bodies[k] < 0)
                continue;
            w->hubs[bodies[k]].first = -1;
            w->hubs[bodies[k]].end = 0;
            w->push[bodies[k]] = vec3_make(0, 0, 0);
            if (w->swing)
                w->swing[bodies[k]] = vec3_make(0, 0, 0);
        }
    }
}

// Adds the twist that the push of contact i gives its two bodies, and counts their contacts.
static void lean(const island *land, int i)
{
    sweep *w = land->sweep;
    const approach *one = &land->list[i];
    const link *geometry = &w->links[one->contact];
    const carom_row *row = geometry->turns ? &w->problem->normal[one->contact] : NULL;
    land->push[i] = -one->u;
    land->state[i].d = geometry->d;
    land->state[i].body_a = geometry->a;
    land->state[i].body_b = (int)geometry->b;
    if (one->a >= 0) {
        double inv = w->movers[one->a].inverse_mass;
        w->push[one->a] = vec3_axpy(w->push[one->a], one->u * inv, geometry->d);
        ++w->hubs[one->a].end;
        if (row)
            w->swing[one->a] = vec3_axpy(w->swing[one->a], one->u, row->turn_a);
    }
    if (one->b >= 0) {
        double inv = w->movers[one->b].inverse_mass;
        w->push[one->b] = vec3_axpy(w->push[one->b], -one->u * inv, geometry->d);
        ++w->hubs[one->b].end;
        if (row)
            w->swing[one->b] = vec3_axpy(w->swing[one->b], -one->u, row->turn_b);
    }
}

// Enters a contact in the list of a body; the first one reserves the body's room.
static void enter(const island *land, int body, int entry, int *used)
{
    if (body < 0)
        return;
    hub *one = &land->sweep->hubs[body];
    if (one->first < 0) {
        one->first = *used;
        *used += one->end;
        one->end = one->first;
    }
    land->near[one->end++] = entry;
}

static carom_status island_begin(island *land, carom_arena *arena, carom_error *err)
{
    sweep *w = land->sweep;
    TAKE(arena, land->state, land->count, err);
    TAKE(arena, land->push, land->count, err);
    TAKE(arena, land->near, 2 * (size_t)land->count, err);
    TRY(queue_make(&land->ends, land->count, arena, err));
    clear(land);
    for (int i = 0; i < land->count; ++i)
        lean(land, i);
    int used = 0;
    for (int i = 0; i < land->count; ++i) {
        active *one = &land->state[i];
        int a = one->body_a, b = one->body_b, contact = land->list[i].contact;
        double u = land->list[i].u, slope = vec3_dot(one->d, vec3_sub(w->push[b], w->push[a]));
        if (w->swing && w->links[contact].turns) {
            const carom_row *row = &w->problem->normal[contact];
            slope += vec3_dot(row->arm_b, w->swing[b]) - vec3_dot(row->arm_a, w->swing[a]);
        }
        one->e = one->s_ref = 0;
        one->v = u;
        one->a = 0.5 * slope;
        land->ends.key[0][i] = one->a > 0 ? -u / one->a : QUEUE_NEVER;
        enter(land, land->list[i].a, 2 * i, &used);
        enter(land, land->list[i].b, 2 * i + 1, &used);
    }
    queue_build(&land->ends, land->count);
    return CAROM_OK;
}

// Ends the contacts one after the other. False where some never end.
static bool island_run(island *land)
{
    for (int turn = 0; turn < land->count; ++turn) {
        int k = queue_first(&land->ends);
        double s = land->ends.key[0][k];
        if (!(s < QUEUE_NEVER))
            return false;
        island_end(land, k, s);
        if (land->ends.top > 1)
            island_foresee(land, k, turn);
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
static inline void leave(int *near, hub *body, int k)
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
    sweep *w = land->sweep;
    const active *gone = &land->state[k];
    const double *ends = land->ends.key[0];
    double force = land->push[k];
    const carom_row *row = w->swing ? &w->problem->normal[land->list[k].contact] : NULL;
    land->push[k] = force * s;
    queue_set(&land->ends, k, QUEUE_NEVER);
    for (int side = 0; side < 2; ++side) {
        int index = side ? gone->body_b : gone->body_a;
        hub *body = &w->hubs[index];
        double half = 0.5 * sign[side] * force, inv = w->movers[index].inverse_mass;
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
                const carom_row *other = &w->problem->normal[land->list[i].contact];
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

// A large island does not fit in the cache, and events jump about in it. Contact k has ended; the
// next to end below its node of the queue will come up some dozens of events later. Fetches in
// four steps, one every other event, what that event will touch. No effect on the result.
static void island_foresee(island *land, int k, int turn)
{
    const hub *hubs = land->sweep->hubs;
    int *ahead = land->ahead;
    int next = queue_candidate(&land->ends, k);
    ahead[turn % AHEAD] = next;
    __builtin_prefetch(&land->state[next], 1);
    __builtin_prefetch(&land->push[next], 1);
    if (turn < AHEAD)
        return;
    const active *one = &land->state[ahead[(turn - 2) % AHEAD]];
    __builtin_prefetch(&hubs[one->body_a], 1);
    __builtin_prefetch(&hubs[one->body_b], 1);
    __builtin_prefetch(&land->sweep->movers[one->body_a]);
    __builtin_prefetch(&land->sweep->movers[one->body_b]);
    one = &land->state[ahead[(turn - 4) % AHEAD]];
    __builtin_prefetch(&land->near[hubs[one->body_a].first]);
    __builtin_prefetch(&land->near[hubs[one->body_b].first]);
    one = &land->state[ahead[(turn - 6) % AHEAD]];
    for (int side = 0; side < 2; ++side) {
        const hub *body = &hubs[side ? one->body_b : one->body_a];
        for (int j = body->first; j < body->end; ++j) {
            __builtin_prefetch(&land->state[land->near[j] >> 1], 1);
            __builtin_prefetch(&land->ends.key[0][land->near[j] >> 1], 1);
        }
    }
}

static void island_apply(const island *land)
{
    for (int i = 0; i < land->count; ++i)
        apply(land->sweep, &land->list[i], land->state[i].d, land->push[i]);
}

// Counts the events, marks the bodies that moved, and lets the contacts of stuck groups wait.
static void settle_accounts(sweep *w, carom_qce_tally *tally)
{
    tally->stuck = false;
    for (int i = 0; i < w->group_count; ++i) {
        const group *g = &w->groups[i];
        tally->stuck = tally->stuck || g->stuck;
        for (int j = g->first; j < g[1].first; ++j) {
            const approach *one = &w->order[j];
            if (g->stuck) {
                w->waiting[w->waiting_count++] = *one;
                continue;
            }
            ++tally->events;
            if (one->a >= 0)
                w->moved[one->a / 64] |= UINT64_C(1) << (one->a % 64);
            if (one->b >= 0)
                w->moved[one->b / 64] |= UINT64_C(1) << (one->b % 64);
        }
    }
}
