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

#include "impact/qce_queue.h"

// Direction and bodies of a contact in half a cache line.
typedef struct link {
    vec3 d;
    int a;
    unsigned b : 31, turns : 1; // turns: the impulse has an arm about a body that can spin
} link;

// A body during a sweep. Immovable ones are shared between islands and never written.
typedef struct hub {
    vec3 push;           // linear part of M^-1 J^T F over the active contacts
    double inverse_mass; // 0: immovable
    int first, end;      // its active contacts in island.near
    int parent, island;  // union-find over active contacts; the root's island
    int moved;           // last sweep that changed its velocity
} hub;

// An approaching contact.
typedef struct approach {
    int contact, island;
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
    hub *hubs;
    vec3 *swing;     // angular part of M^-1 J^T F; null where nothing turns
    approach *found; // approaching contacts, found_count
    approach *order; // those that act in this sweep, by groups; order_count
    approach *waiting;
    group *groups; // one more than group_count, for the end
    int *dirty;    // bodies moved by this sweep
    int found_count, order_count, waiting_count, group_count, dirty_count, number;
} sweep;

// What the end of a neighbour touches: one line.
typedef struct active {
    vec3 d;
    double e, v, a, s_ref;
    int body_a, body_b;
} active;

// The contacts of one group while it is solved.
typedef struct island {
    sweep *sweep;
    const approach *list;
    int count;
    active *state;
    double *push; // F, and P once the contact has ended
    int *near;    // per body 2 * contact + (body is b) of those still active
    queue ends;   // s where each contact ends
} island;

static carom_status prepare(sweep *w, const carom_contact_set *set, carom_arena *scratch,
                            carom_error *err);
static void look_everywhere(sweep *w, const carom_contact_set *set);
static void look_where_moved(sweep *w);
static void form_groups(sweep *w);
static carom_status solve_groups(sweep *w, carom_error *err);
static carom_status solve_group(sweep *w, group *g, int count, carom_arena *arena,
                                carom_error *err);
static carom_status island_begin(island *land, carom_arena *arena, carom_error *err);
static bool island_run(island *land);
static void island_end(island *land, int k, double s);
static void apply(const sweep *w, int contact, double p);
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
        look_where_moved(&w);
        progress = tally->events > events;
    }
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
    int n = problem->contact_count, most = set ? set->count : n;
    TAKE(scratch, w->links, n, err);
    TAKE(scratch, w->hubs, problem->body_count, err);
    TAKE(scratch, w->found, most, err);
    TAKE(scratch, w->order, most, err);
    TAKE(scratch, w->waiting, most, err);
    TAKE(scratch, w->groups, (size_t)most + 1, err);
    TAKE(scratch, w->dirty, problem->body_count, err);
    for (int i = 0; i < problem->body_count; ++i)
        w->hubs[i] = (hub){ .inverse_mass = problem->bodies[i].inverse_mass };
    bool any = false;
    for (int i = 0; i < n; ++i) {
        const carom_row *row = &problem->normal[i];
        bool spin = turns(problem, i);
        w->links[i] = (link){ row->d, row->a, (unsigned)row->b, spin };
        any = any || spin;
    }
    if (any)
        TAKE_ZEROS(scratch, w->swing, problem->body_count, err);
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
    const carom_twist *v = w->motion->v;
    double u = one->turns ? carom_row_speed(&w->problem->normal[contact], v)
                          : vec3_dot(one->d, vec3_sub(v[one->b].linear, v[one->a].linear));
    if (u < -w->settings->tolerance)
        w->found[w->found_count++] = (approach){ contact, 0, u };
}

static void look_everywhere(sweep *w, const carom_contact_set *set)
{
    int count = set ? set->count : w->problem->contact_count;
    for (int i = 0; i < count; ++i)
        look(w, set ? set->index[i] : i);
}

// Contacts of moved bodies, each once, and those that waited beside bodies at rest.
static void look_where_moved(sweep *w)
{
    const hub *hubs = w->hubs;
    const int *first = w->problem->first_contact, *list = w->problem->contact_list;
    w->found_count = 0;
    for (int i = 0; i < w->dirty_count; ++i) {
        int body = w->dirty[i];
        for (int j = first[body]; j < first[body + 1]; ++j) {
            const link *one = &w->links[list[j]];
            int other = one->a == body ? (int)one->b : one->a;
            bool twice = other < body && hubs[other].moved == w->number;
            if (!twice && (!w->member || w->member[list[j]]))
                look(w, list[j]);
        }
    }
    for (int i = 0; i < w->waiting_count; ++i) {
        const link *one = &w->links[w->waiting[i].contact];
        if (hubs[one->a].moved != w->number && hubs[one->b].moved != w->number)
            w->found[w->found_count++] = w->waiting[i];
    }
}

// -- groups: islands of the approaching contacts -------------------------------------------------

static int find(hub *hubs, int i)
{
    while (hubs[i].parent != i)
        i = hubs[i].parent = hubs[hubs[i].parent].parent;
    return i;
}

static void reset(sweep *w, int self)
{
    hub *one = &w->hubs[self];
    if (one->inverse_mass == 0)
        return;
    if (w->swing)
        w->swing[self] = vec3_make(0, 0, 0);
    one->push = vec3_make(0, 0, 0);
    one->first = one->island = -1;
    one->end = 0;
    one->parent = self;
}

// Joins what shares a movable body, numbers the groups by their first contact, and sends those far
// below the group's fastest to wait.
static void form_groups(sweep *w)
{
    hub *hubs = w->hubs;
    for (int i = 0; i < w->found_count; ++i) {
        const link *one = &w->links[w->found[i].contact];
        reset(w, one->a);
        reset(w, (int)one->b);
    }
    for (int i = 0; i < w->found_count; ++i) {
        const link *one = &w->links[w->found[i].contact];
        if (hubs[one->a].inverse_mass == 0 || hubs[one->b].inverse_mass == 0)
            continue;
        int a = find(hubs, one->a), b = find(hubs, (int)one->b);
        hubs[a > b ? a : b].parent = a > b ? b : a;
    }
    w->group_count = 0;
    for (int i = 0; i < w->found_count; ++i) {
        const link *one = &w->links[w->found[i].contact];
        hub *root = &hubs[find(hubs, hubs[one->a].inverse_mass > 0 ? one->a : (int)one->b)];
        if (root->island < 0) {
            root->island = w->group_count++;
            w->groups[root->island] = (group){ 0 };
        }
        w->found[i].island = root->island;
        group *g = &w->groups[root->island];
        if (g->largest < -w->found[i].u)
            g->largest = -w->found[i].u;
    }
    w->waiting_count = w->order_count = 0;
    for (int i = 0; i < w->found_count; ++i) {
        approach *one = &w->found[i];
        group *g = &w->groups[one->island];
        if (-one->u < w->settings->theta * g->largest) {
            w->waiting[w->waiting_count++] = *one;
            one->island = -1;
        } else {
            ++g->first;
            ++w->order_count;
        }
    }
    int start = 0;
    for (int i = 0; i < w->group_count; ++i) {
        int count = w->groups[i].first;
        w->groups[i].first = start;
        start += count;
    }
    for (int i = 0; i < w->found_count; ++i)
        if (w->found[i].island >= 0)
            w->order[w->groups[w->found[i].island].first++] = w->found[i];
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

static carom_status solve_group(sweep *w, group *g, int count, carom_arena *arena, carom_error *err)
{
    const approach *list = &w->order[g->first];
    if (count == 1) {
        apply(w, list->contact, -2 * list->u / w->problem->normal[list->contact].diagonal);
        return CAROM_OK;
    }
    carom_arena_mark mark = carom_arena_mark_here(arena);
    island land = { .sweep = w, .list = list, .count = count };
    TRY(island_begin(&land, arena, err));
    g->stuck = !island_run(&land);
    for (int i = 0; i < count && !g->stuck; ++i)
        apply(w, list[i].contact, land.push[i]);
    carom_arena_rewind(arena, mark);
    return CAROM_OK;
}

// Adds the twist that the push of contact i gives its two bodies, and counts their contacts.
static void lean(island *land, int i)
{
    sweep *w = land->sweep;
    const link *one = &w->links[land->list[i].contact];
    hub *a = &w->hubs[one->a], *b = &w->hubs[one->b];
    double force = -land->list[i].u;
    land->push[i] = force;
    if (a->inverse_mass > 0) {
        a->push = vec3_axpy(a->push, -force * a->inverse_mass, one->d);
        ++a->end;
    }
    if (b->inverse_mass > 0) {
        b->push = vec3_axpy(b->push, force * b->inverse_mass, one->d);
        ++b->end;
    }
    if (one->turns) {
        const carom_row *row = &w->problem->normal[land->list[i].contact];
        if (a->inverse_mass > 0)
            w->swing[one->a] = vec3_axpy(w->swing[one->a], -force, row->turn_a);
        if (b->inverse_mass > 0)
            w->swing[one->b] = vec3_axpy(w->swing[one->b], force, row->turn_b);
    }
}

// Enters a contact in the list of a body; the first one reserves the body's room.
static void enter(hub *one, int *near, int *used, int entry)
{
    if (one->inverse_mass == 0)
        return;
    if (one->first < 0) {
        one->first = *used;
        *used += one->end;
        one->end = one->first;
    }
    near[one->end++] = entry;
}

static carom_status island_begin(island *land, carom_arena *arena, carom_error *err)
{
    sweep *w = land->sweep;
    TAKE(arena, land->state, land->count, err);
    TAKE(arena, land->push, land->count, err);
    TAKE(arena, land->near, 2 * (size_t)land->count, err);
    TRY(queue_make(&land->ends, land->count, arena, err));
    for (int i = 0; i < land->count; ++i)
        lean(land, i);
    int used = 0;
    for (int i = 0; i < land->count; ++i) {
        const link *one = &w->links[land->list[i].contact];
        hub *a = &w->hubs[one->a], *b = &w->hubs[one->b];
        double u = land->list[i].u, slope = vec3_dot(one->d, vec3_sub(b->push, a->push));
        if (one->turns) {
            const carom_row *row = &w->problem->normal[land->list[i].contact];
            slope += vec3_dot(row->arm_b, w->swing[one->b]);
            slope -= vec3_dot(row->arm_a, w->swing[one->a]);
        }
        land->state[i] = (active){ one->d, 0, u, 0.5 * slope, 0, one->a, (int)one->b };
        land->ends.level[0][i] = slope > 0 ? -u / (0.5 * slope) : QUEUE_NEVER;
        enter(a, land->near, &used, 2 * i);
        enter(b, land->near, &used, 2 * i + 1);
    }
    queue_build(&land->ends, land->count);
    return CAROM_OK;
}

// Ends the contacts one after the other. False where some never end.
static bool island_run(island *land)
{
    for (int left = land->count; left > 0; --left) {
        int k = queue_first(&land->ends);
        double s = land->ends.level[0][k];
        if (!(s < QUEUE_NEVER))
            return false;
        island_end(land, k, s);
    }
    return true;
}

// The smallest tau >= 0 with v tau + a tau^2 = e [QCE, eq 14 over F, from the present state].
static inline double first_root(double e, double v, double a)
{
    double disc = v * v + 4 * a * e;
    if (v > 0 || (v == 0 && e <= 0))
        return e <= 0 ? 0 : disc < 0 ? QUEUE_NEVER : 2 * e / (v + sqrt(disc));
    return a > 0 ? (-v + sqrt(disc > 0 ? disc : 0)) / (2 * a) : QUEUE_NEVER;
}

// Contact k ends at s: its impulse is F s, and those still active at its bodies lose its push.
static void island_end(island *land, int k, double s)
{
    sweep *w = land->sweep;
    const active *gone = &land->state[k];
    const double *ends = land->ends.level[0];
    double force = land->push[k];
    const carom_row *row = w->swing ? &w->problem->normal[land->list[k].contact] : NULL;
    land->push[k] = force * s;
    queue_set(&land->ends, k, QUEUE_NEVER);
    for (int side = 0; side < 2; ++side) {
        hub *body = &w->hubs[side ? gone->body_b : gone->body_a];
        double half = side ? 0.5 * force : -0.5 * force;
        vec3 linear = vec3_scale(half * body->inverse_mass, gone->d);
        for (int j = body->first; body->inverse_mass > 0 && j < body->end; ++j) {
            int entry = land->near[j], i = entry >> 1;
            if (i == k) { // leaves the list; the last entry takes its place
                land->near[j--] = land->near[--body->end];
                continue;
            }
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
            one->a -= entry & 1 ? change : -change;
            queue_set(&land->ends, i, s + first_root(one->e, one->v, one->a));
        }
    }
}

static void apply(const sweep *w, int contact, double p)
{
    const link *one = &w->links[contact];
    carom_twist *a = &w->motion->v[one->a], *b = &w->motion->v[one->b];
    double inv_a = w->hubs[one->a].inverse_mass, inv_b = w->hubs[one->b].inverse_mass;
    const carom_row *row = one->turns ? &w->problem->normal[contact] : NULL;
    w->motion->p[contact][0] += p;
    if (inv_a > 0) {
        a->linear = vec3_axpy(a->linear, -p * inv_a, one->d);
        if (row)
            a->angular = vec3_axpy(a->angular, -p, row->turn_a);
    }
    if (inv_b > 0) {
        b->linear = vec3_axpy(b->linear, p * inv_b, one->d);
        if (row)
            b->angular = vec3_axpy(b->angular, p, row->turn_b);
    }
}

// Counts the events, lists the bodies that moved, and lets the contacts of stuck groups wait.
static void settle_accounts(sweep *w, carom_qce_tally *tally)
{
    w->dirty_count = 0;
    tally->stuck = false;
    for (int i = 0; i < w->group_count; ++i) {
        const group *g = &w->groups[i];
        tally->stuck = tally->stuck || g->stuck;
        for (int j = g->first; j < g[1].first; ++j) {
            if (g->stuck) {
                w->waiting[w->waiting_count++] = w->order[j];
                continue;
            }
            ++tally->events;
            const link *one = &w->links[w->order[j].contact];
            int bodies[2] = { one->a, (int)one->b };
            for (int k = 0; k < 2; ++k) {
                hub *body = &w->hubs[bodies[k]];
                if (body->inverse_mass > 0 && body->moved != w->number) {
                    body->moved = w->number;
                    w->dirty[w->dirty_count++] = bodies[k];
                }
            }
        }
    }
}
