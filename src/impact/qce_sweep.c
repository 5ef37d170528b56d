// Sweeps of the quadratic contact energy model [QCE, algorithm 1]: who approaches, in which groups,
// until nobody does.
//
// A sweep runs every approaching contact once (qce_island.c). The printed test of line 33 must read
// J q. A contact with F = -u below theta times the largest F of its group waits for the next sweep:
// its impulse would otherwise be tied to a ratio that is noise ([QCE, section 5.5] claims that
// noise has no influence; it holds only with this).
//
// Cost: only contacts of bodies that moved are looked at again, and the approaching ones are split
// into groups that share no movable body. Groups are much smaller than the problem after the first
// sweeps, half of them hold a single contact, and threads take them side by side: the bits do not
// depend on the number of threads.
#include "impact/qce.h"
#include "base/sets.h"
#include "base/team.h"

#include <string.h>
#include "impact/qce_island.h"

typedef struct group {
    int first;      // into sweep.order
    bool stuck;     // no end in sight: nothing was applied
    double largest; // F
} group;

typedef struct sweep {
    carom_qce_field field;
    const carom_qce_settings *settings;
    const unsigned char *member; // per contact: in the set; null: every contact
    int *parent;                 // union-find over bodies that share an approaching contact
    int *group_of;               // of a root body
    uint64_t *moved;             // one bit per body: this sweep changed its velocity
    carom_qce_approach *found;   // all that approach
    carom_qce_approach *order;   // those that act in this sweep, by groups
    carom_qce_approach *waiting; // those that do not
    group *groups;               // one more than group_count, for the end
    int found_count, order_count, waiting_count, group_count, number;
} sweep;

// Contacts from which a sweep takes long enough to be stopped in the middle.
enum { LONG_SWEEP = 1000 };

static carom_status prepare(sweep *w, const carom_contact_set *set, carom_arena *scratch,
                            carom_error *err);
static carom_status prepare_field(carom_qce_field *field, carom_arena *scratch, carom_error *err);
static void look_everywhere(sweep *w, const carom_contact_set *set);
static void look_again(sweep *w, const carom_contact_set *set);
static void form_groups(sweep *w);
static carom_status solve_groups(sweep *w, carom_error *err);
static void settle_accounts(sweep *w, carom_qce_tally *tally);

carom_status carom_qce_sweep(const carom_problem *problem, const carom_contact_set *set,
                             const carom_qce_settings *settings, carom_arena *scratch,
                             carom_motion *motion, carom_qce_tally *tally, carom_error *err)
{
    sweep w = { .field = { .problem = problem, .motion = motion }, .settings = settings };
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    *tally = (carom_qce_tally){ 0 };
    if (set && set->count == 0)
        return CAROM_OK;
    TRY(prepare(&w, set, scratch, err));
    look_everywhere(&w, set);
    bool progress = true; // false where every group is stuck
    while (w.found_count > 0 && progress && w.number < settings->sweeps) {
        int64_t before = tally->events;
        ++w.number;
        form_groups(&w);
        TRY(carom_problem_query_stop(problem, w.found_count + 10, err));
        TRY(solve_groups(&w, err));
        if (w.found_count > LONG_SWEEP)
            TRY(carom_progress_check(problem->stop, "impact", err));
        settle_accounts(&w, tally);
        carom_problem_report(problem, w.number, (const double(*)[3])motion->p);
        look_again(&w, set);
        progress = tally->events > before;
    }
    for (int i = 0; i < problem->body_count; ++i)
        motion->v[i].linear = w.field.movers[i].v;
    tally->sweeps = w.number;
    tally->open = w.found_count;
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

static carom_status prepare(sweep *w, const carom_contact_set *set, carom_arena *scratch,
                            carom_error *err)
{
    const carom_problem *problem = w->field.problem;
    int n = problem->contact_count, bodies = problem->body_count, max = set ? set->count : n;
    TRY(prepare_field(&w->field, scratch, err));
    TAKE(scratch, w->parent, bodies, err);
    TAKE(scratch, w->group_of, bodies, err);
    TAKE_ZEROS(scratch, w->moved, bodies / 64 + 1, err);
    TAKE(scratch, w->found, (size_t)max + 1, err);
    TAKE(scratch, w->order, max, err);
    TAKE(scratch, w->waiting, max, err);
    TAKE(scratch, w->groups, (size_t)max + 1, err);
    if (set) {
        unsigned char *member;
        TAKE_ZEROS(scratch, member, n, err);
        for (int i = 0; i < set->count; ++i)
            member[set->index[i]] = 1;
        w->member = member;
    }
    return CAROM_OK;
}

static carom_status prepare_field(carom_qce_field *field, carom_arena *scratch, carom_error *err)
{
    const carom_problem *problem = field->problem;
    int bodies = problem->body_count;
    field->links = problem->links;
    TAKE(scratch, field->movers, bodies, err);
    TAKE_ZEROS(scratch, field->hubs, bodies, err); // immovable bodies stay without contacts
    TAKE_ZEROS(scratch, field->push, bodies, err); // immovable bodies stay at zero
    for (int i = 0; i < bodies; ++i)
        field->movers[i] =
            (carom_qce_mover){ field->motion->v[i].linear, problem->bodies[i].inverse_mass };
    if (problem->turning)
        TAKE_ZEROS(scratch, field->swing, bodies, err);
    return CAROM_OK;
}

// -- who approaches ------------------------------------------------------------------------------

// Fills the slot and returns 1 if the contact approaches. Filled always, since no branch can guess
// the sign of u.
static inline int look(const sweep *w, int contact, carom_qce_approach *slot)
{
    const carom_problem_link *one = &w->field.links[contact];
    const carom_qce_mover *a = &w->field.movers[one->a], *b = &w->field.movers[one->b];
    double u = vec3_dot(one->d, vec3_sub(b->v, a->v));
    if (one->turns) {
        const carom_row *row = &w->field.problem->normal[contact];
        const carom_twist *v = w->field.motion->v;
        u += vec3_dot(row->arm_b, v[one->b].angular) - vec3_dot(row->arm_a, v[one->a].angular);
    }
    slot->contact = contact;
    slot->a = a->inverse_mass > 0 ? one->a : -1;
    slot->b = b->inverse_mass > 0 ? (int)one->b : -1;
    slot->u = u;
    return u < -w->settings->tolerance;
}

static void look_everywhere(sweep *w, const carom_contact_set *set)
{
    carom_qce_approach *slot = w->found;
    for (int i = 0; set && i < set->count; ++i)
        slot += look(w, set->index[i], slot);
    for (int i = 0; !set && i < w->field.problem->contact_count; ++i)
        slot += look(w, i, slot);
    w->found_count = (int)(slot - w->found);
}

static bool has_moved(const sweep *w, int body)
{
    return body >= 0 && (w->moved[body / 64] >> (body % 64) & 1);
}

// Contacts of a moved body; those shared with a lower moved body have been looked at.
static void look_around(sweep *w, int body)
{
    const int *first = w->field.problem->first_contact, *list = w->field.problem->contact_list;
    for (int j = first[body]; j < first[body + 1]; ++j) {
        const carom_problem_link *one = &w->field.links[list[j]];
        int other = one->a == body ? (int)one->b : one->a;
        bool twice = other < body && has_moved(w, other);
        if (!twice && (!w->member || w->member[list[j]]))
            w->found_count += look(w, list[j], &w->found[w->found_count]);
    }
}

// Bodies are visited in ascending order, which keeps neighbours together in memory sweep after
// sweep. Contacts that wait beside bodies at rest come last. Where much has moved, a straight run
// over all contacts is quicker and finds the same.
static void look_again(sweep *w, const carom_contact_set *set)
{
    int words = w->field.problem->body_count / 64 + 1, moved = 0;
    for (int i = 0; i < words; ++i)
        moved += __builtin_popcountll(w->moved[i]);
    bool much = 4 * (int64_t)moved > w->field.problem->body_count;
    w->found_count = 0;
    if (much)
        look_everywhere(w, set);
    for (int i = 0; i < words && !much; ++i)
        for (uint64_t left = w->moved[i]; left; left &= left - 1)
            look_around(w, 64 * i + __builtin_ctzll(left));
    for (int i = 0; i < w->waiting_count && !much; ++i) {
        const carom_qce_approach *one = &w->waiting[i];
        if (!has_moved(w, one->a) && !has_moved(w, one->b))
            w->found[w->found_count++] = *one;
    }
    memset(w->moved, 0, (size_t)words * sizeof *w->moved);
}

// -- groups: what shares a movable body ----------------------------------------------------------

static void join_none(sweep *w, int body)
{
    if (body < 0)
        return;
    w->parent[body] = body;
    w->group_of[body] = -1;
}

static void join(sweep *w)
{
    for (int i = 0; i < w->found_count; ++i) {
        join_none(w, w->found[i].a);
        join_none(w, w->found[i].b);
    }
    for (int i = 0; i < w->found_count; ++i) {
        const carom_qce_approach *one = &w->found[i];
        if (one->a < 0 || one->b < 0)
            continue;
        sets_join(w->parent, one->a, one->b);
    }
}

// Gives every approaching contact the number of its group, by first appearance, and every group its
// largest F.
static void number_groups(sweep *w)
{
    w->group_count = 0;
    for (int i = 0; i < w->found_count; ++i) {
        carom_qce_approach *one = &w->found[i];
        int *number = &w->group_of[sets_find(w->parent, one->a >= 0 ? one->a : one->b)];
        if (*number < 0) {
            *number = w->group_count++;
            w->groups[*number] = (group){ 0 };
        }
        one->group = *number;
        group *g = &w->groups[*number];
        if (g->largest < -one->u)
            g->largest = -one->u;
    }
}

// Sorts the contacts by groups; those far below the group's fastest wait.
static void form_groups(sweep *w)
{
    join(w);
    number_groups(w);
    w->waiting_count = w->order_count = 0;
    for (int i = 0; i < w->found_count; ++i) {
        carom_qce_approach *one = &w->found[i];
        group *g = &w->groups[one->group];
        if (-one->u < w->settings->theta * g->largest) {
            w->waiting[w->waiting_count++] = *one;
            one->group = -1;
        } else {
            ++g->first; // counts, for now
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

// The groups that start within [min, max) of the order.
static carom_status solve_range(sweep *w, int min, int max, carom_arena *arena, carom_error *err)
{
    for (int i = 0; i < w->group_count; ++i) {
        group *g = &w->groups[i];
        if (g->first >= min && g->first < max)
            TRY(carom_qce_island_solve(&w->field, &w->order[g->first], g[1].first - g->first, arena,
                                       &g->stuck, err));
    }
    return CAROM_OK;
}

// Threads take equal shares of the contacts, by whole groups. Where one group holds nearly all of
// them, others could only wait for it.
// `failed`: the last share without memory.
static void solve_share(sweep *w, int *failed, int threads)
{
    carom_arena **arenas = w->field.problem->thread_scratch;
    int t = carom_team_me(threads);
    int min = carom_team_begin(w->order_count, threads);
    int max = carom_team_end(w->order_count, threads);
    if (solve_range(w, min, max, arenas[t], NULL) == CAROM_OK)
        return;
    carom_team_lock(threads);
    *failed = t;
    carom_team_unlock(threads);
}
CAROM_TEAM_SHARE3(solve_share, sweep *, int *, int)

static carom_status solve_groups(sweep *w, carom_error *err)
{
    enum { WORTH_A_THREAD = 500 }; // contacts; about what starting a thread costs
    carom_arena **arenas = w->field.problem->thread_scratch;
    int threads = w->field.problem->threads, failed = -1, largest = 0;
    for (int i = 0; i < w->group_count; ++i) {
        int count = w->groups[i + 1].first - w->groups[i].first;
        largest = count > largest ? count : largest;
    }
    int share = (w->order_count - largest) / WORTH_A_THREAD;
    if (threads > 1 + share)
        threads = 1 + share;
    if (threads == 1)
        return solve_range(w, 0, w->order_count, arenas[0], err);
    CAROM_TEAM(threads, solve_share(w, &failed, threads));
    return failed < 0 ? CAROM_OK : carom_arena_exhausted(arenas[failed], err);
}

static void mark_moved(sweep *w, int body)
{
    if (body >= 0)
        w->moved[body / 64] |= UINT64_C(1) << (body % 64);
}

// Counts the events, marks the bodies that moved, and lets the contacts of stuck groups wait.
static void settle_accounts(sweep *w, carom_qce_tally *tally)
{
    tally->stuck = false;
    for (int i = 0; i < w->group_count; ++i) {
        const group *g = &w->groups[i];
        tally->stuck = tally->stuck || g->stuck;
        tally->events += g->stuck ? 0 : g[1].first - g->first;
        for (int j = g->first; j < g[1].first; ++j) {
            const carom_qce_approach *one = &w->order[j];
            if (g->stuck) {
                w->waiting[w->waiting_count++] = *one;
            } else {
                mark_moved(w, one->a);
                mark_moved(w, one->b);
            }
        }
    }
}
