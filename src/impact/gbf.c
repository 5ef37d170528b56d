// Collisions, then contacts with shock propagation: Guendelman, Bridson and Fedkiw 2003 [GBF,
// sections 6 to 8], as an instant has them. Source: the abstract, summaries of the paper, and the
// authors' own code (PhysBAM, public), whose numbers of passes are the defaults here.
//
//   collisions  `collisions` passes over the contacts in their order; one that approaches gets the
//               impulse of two bodies with its restitution and friction: it sticks where Coulomb's
//               cone allows, else it slides against its slip (the pair law kane-levinson).
//   contacts    `contacts` rounds, level by level from below (levels.h), with restitutions that
//               grow from -1 to 0: bodies are slowed down little by little until none approaches.
//   shock       once more level by level, without bounce; a level that is done is frozen, so that
//               what lies on it comes to rest on something heavy without end. What the frozen body
//               would have to take is lost: MOM is given up, and energy may come of it.
//
// At a pair of bodies that touch in several points the fastest one is hit, again and again, `pair`
// times at most (the paper takes the deepest: an instant has no depths). Its graph of contacts
// comes from the velocities after the collisions; there, gravity makes it. Rolling friction and
// the push out of overlaps are left out, and so is any limiter.
#include "impact/inelastic.h"
#include "impact/law.h"
#include "impact/levels.h"
#include "impact/pair_law.h"

enum {
    OPTION_COLLISIONS,
    OPTION_CONTACTS,
    OPTION_ROUNDS,
    OPTION_PAIR,
    OPTION_SHOCK,
    OPTION_TOLERANCE
};

typedef struct run {
    const carom_problem *problem;
    carom_motion *motion;
    carom_impact_report *report;
    double slow; // m/s, approach that counts as none
    int *order;  // contacts, sorted by level, in their order within one
    int *first;  // of a level in `order`
    int level_count;
    int *level;   // per body
    bool *frozen; // per body
} run;

// A row whose frozen sides do not move.
static carom_row frozen_row(const run *r, const carom_row *row)
{
    carom_row own = *row;
    if (r->frozen[row->a]) {
        own.inv_a = 0;
        own.turn_a = vec3_make(0, 0, 0);
    }
    if (r->frozen[row->b]) {
        own.inv_b = 0;
        own.turn_b = vec3_make(0, 0, 0);
    }
    own.diagonal = carom_row_coupling(&own, &own);
    return own;
}

static void hit(run *r, int contact, double restitution)
{
    carom_row rows[3] = { frozen_row(r, &r->problem->normal[contact]) };
    carom_two_body pair = { .contact = contact, .mu = r->problem->contacts[contact].friction };
    vec3 u = { carom_row_speed(&rows[0], r->motion->v), 0, 0 };
    if (rows[0].diagonal == 0) // both frozen
        return;
    pair.k.xx = rows[0].diagonal;
    pair.frictional = pair.mu > 0;
    if (pair.frictional) {
        const carom_row *t = carom_problem_tangents(r->problem, contact);
        rows[1] = frozen_row(r, &t[0]);
        rows[2] = frozen_row(r, &t[1]);
        u.y = carom_row_speed(&rows[1], r->motion->v);
        u.z = carom_row_speed(&rows[2], r->motion->v);
        pair.k.yy = rows[1].diagonal;
        pair.k.zz = rows[2].diagonal;
        pair.k.xy = carom_row_coupling(&rows[0], &rows[1]);
        pair.k.xz = carom_row_coupling(&rows[0], &rows[2]);
        pair.k.yz = carom_row_coupling(&rows[1], &rows[2]);
    }
    vec3 p = carom_pair_law_impulse(CAROM_PAIR_LAW_KANE, &pair, u, restitution);
    double along[3] = { p.x, p.y, p.z };
    for (int k = 0; k < (pair.frictional ? 3 : 1); ++k) {
        carom_row_apply(&rows[k], along[k], r->motion->v);
        r->motion->p[contact][k] += along[k];
    }
    ++r->report->events;
}

// The contacts of the list belong to the same two bodies: the fastest is hit until
// none approaches, or `times` at most. Returns whether one was.
static bool hit_pair(run *r, const int *list, int count, double restitution, int times)
{
    for (int turn = 0; turn < times; ++turn) {
        int fastest = -1;
        double least = -r->slow;
        for (int i = 0; i < count; ++i) {
            double u = carom_row_speed(&r->problem->normal[list[i]], r->motion->v);
            if (u < least) {
                least = u;
                fastest = list[i];
            }
        }
        if (fastest < 0)
            return turn > 0;
        hit(r, fastest, restitution);
    }
    return true;
}

// With what restitution a pass hits: each pair's own, or one for all.
typedef struct bounce {
    bool own;
    double common;
} bounce;

// One pass over a list of contacts, pair after pair.
static bool pass_over(run *r, const int *list, int count, bounce with, int times)
{
    const carom_impact_contact *contacts = r->problem->contacts;
    bool any = false;
    for (int from = 0, end; from < count; from = end) {
        const carom_impact_contact *c = &contacts[list[from]];
        for (end = from + 1; end < count; ++end)
            if (contacts[list[end]].a != c->a || contacts[list[end]].b != c->b)
                break;
        double e = with.own ? c->restitution : with.common;
        any = hit_pair(r, &list[from], end - from, e, times) || any;
    }
    return any;
}

static int contact_level(const run *r, int contact)
{
    const carom_row *row = &r->problem->normal[contact];
    return r->level[row->a] > r->level[row->b] ? r->level[row->a] : r->level[row->b];
}

// Sorts the contacts by level; within one they keep their order.
static carom_status sort_by_level(run *r, carom_arena *scratch, carom_error *err)
{
    int n = r->problem->contact_count;
    TRY(carom_levels_find(r->problem, r->motion->v, r->slow, scratch, r->level, &r->level_count,
                          err));
    TAKE_ZEROS(scratch, r->first, r->level_count + 2, err);
    for (int i = 0; i < n; ++i)
        ++r->first[contact_level(r, i) + 2];
    for (int k = 2; k <= r->level_count; ++k)
        r->first[k + 1] += r->first[k];
    for (int i = 0; i < n; ++i)
        r->order[r->first[contact_level(r, i) + 1]++] = i;
    return CAROM_OK;
}

// All levels from below, `rounds` times each.
static bool climb(run *r, bounce with, int rounds, int times, bool freezing)
{
    bool any = false;
    for (int k = 0; k < r->level_count; ++k) {
        bool more = true;
        for (int round = 0; round < rounds && more; ++round) {
            more = pass_over(r, &r->order[r->first[k]], r->first[k + 1] - r->first[k], with, times);
            any = any || more;
        }
        for (int i = 0; i < r->problem->body_count && freezing; ++i)
            r->frozen[i] = r->frozen[i] || r->level[i] == k;
    }
    return any;
}

static carom_status resolve_gbf(const carom_problem *problem, const carom_law_options *options,
                                carom_arena *scratch, carom_motion *motion,
                                carom_impact_report *report, carom_error *err)
{
    run r = { .problem = problem,
              .motion = motion,
              .report = report,
              .slow = options->value[OPTION_TOLERANCE] * problem->fastest };
    int n = problem->contact_count, contacts = (int)options->value[OPTION_CONTACTS];
    int rounds = (int)options->value[OPTION_ROUNDS], times = (int)options->value[OPTION_PAIR];
    TAKE(scratch, r.order, n, err);
    TAKE(scratch, r.level, problem->body_count, err);
    TAKE_ZEROS(scratch, r.frozen, problem->body_count, err);
    for (int i = 0; i < n; ++i)
        r.order[i] = i;
    bool more = true;
    for (int k = 0; k < (int)options->value[OPTION_COLLISIONS] && more; ++k) {
        more = pass_over(&r, r.order, n, (bounce){ .own = true }, 1);
        report->sweeps += more;
        carom_problem_report(problem, report->sweeps, (const double(*)[3])motion->p);
        TRY(carom_problem_query_stop(problem, n, err));
    }
    if (!more)
        return CAROM_OK;
    TRY(sort_by_level(&r, scratch, err));
    for (int k = 1; k <= contacts && more; ++k) {
        more = climb(&r, (bounce){ .common = (double)k / contacts - 1 }, rounds, times, false);
        carom_problem_report(problem, ++report->sweeps, (const double(*)[3])motion->p);
        TRY(carom_problem_query_stop(problem, (int64_t)n * rounds * times, err));
    }
    for (int k = 0; k < (int)options->value[OPTION_SHOCK]; ++k)
        climb(&r, (bounce){ .common = 0 }, rounds, times, true);
    return CAROM_OK;
}

static const carom_option options[] = {
    [OPTION_COLLISIONS] = { "collisions", "passes with restitution", CAROM_OPTION_INTEGER, 5, 0,
                            1e6, NULL },
    [OPTION_CONTACTS] = { "contacts", "rounds in which what still approaches is slowed down",
                          CAROM_OPTION_INTEGER, 10, 0, 1e6, NULL },
    [OPTION_ROUNDS] = { "rounds", "passes over the contacts of a level", CAROM_OPTION_INTEGER, 2, 1,
                        1e6, NULL },
    [OPTION_PAIR] = { "pair", "times that the points of two bodies are hit", CAROM_OPTION_INTEGER,
                      20, 1, 1e6, NULL },
    [OPTION_SHOCK] = { "shock", "1: levels are frozen one after the other at the end; 0: not",
                       CAROM_OPTION_INTEGER, 1, 0, 1, NULL },
    [OPTION_TOLERANCE] = { "tolerance",
                           "approach below this fraction of the fastest counts as none",
                           CAROM_OPTION_NUMBER, 1e-9, 0, 1, NULL },
    { 0 },
};

const carom_law carom_gbf_law = {
    .name = "gbf",
    .summary = "Collisions in passes, then contacts level by level, with shock propagation.",
    .reference = "GBF",
    .paper = "Guendelman, Bridson, Fedkiw 2003, ACM Transactions on Graphics 22",
    .number = "block on a slope: speed grows by g (sin - mu cos), or it stays",
    .promises = CAROM_ONE | CAROM_WAV,
    .friction = true,
    .options = options,
    .resolve = resolve_gbf,
};
