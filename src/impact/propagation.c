// Ordered propagation of restitution, as in Edyn (restitution_solver): from the fastest approaching
// contact, at the faster of its two bodies, the graph of contacts is walked breadth first; at every
// body the contacts that approach are solved together, some passes of Gauss-Seidel towards -e times
// their speeds of the moment. The walk is repeated up to a number of times, then sequential
// impulses without bounce stop what still approaches. No limiter. Edyn's threshold of 0.005 m/s and
// its manifolds, several contacts as one edge, are left out.
#include "impact/gauss_seidel.h"
#include "impact/law.h"

enum { OPTION_WALKS, OPTION_PASSES, OPTION_RELAXATIONS, OPTION_TOLERANCE };

typedef struct walk {
    const carom_problem *problem;
    carom_motion *motion;
    int passes;
    double slow;       // m/s, approach that counts as none
    double *target;    // per contact
    int *queue;        // bodies in the order of the walk
    int *seen, number; // per body the last walk that came by, and this one
    int *group;        // contacts that are solved together
    double (*kept)[3]; // their impulses of earlier groups
} walk;

static double speed(const walk *w, int contact)
{
    return carom_row_speed(&w->problem->normal[contact], w->motion->v);
}

// Where the walk of an island begins; -1: nothing approaches.
static int start(const walk *w, const carom_contact_set *island)
{
    int fastest = -1;
    double least = -w->slow;
    for (int i = 0; i < island->count; ++i) {
        double u = speed(w, island->index[i]);
        if (u < least) {
            least = u;
            fastest = island->index[i];
        }
    }
    if (fastest < 0)
        return -1;
    const carom_row *row = &w->problem->normal[fastest];
    vec3 a = w->motion->v[row->a].linear, b = w->motion->v[row->b].linear;
    bool first = vec3_dot(a, a) > vec3_dot(b, b);
    if ((first ? row->inv_a : row->inv_b) == 0)
        first = !first; // walks go over movable bodies
    return first ? row->a : row->b;
}

// Solves the contacts of a body that approach, from sums of zero.
static void solve_body(walk *w, int body)
{
    const carom_problem *problem = w->problem;
    carom_contact_set set = { w->group, 0 };
    for (int k = problem->first_contact[body]; k < problem->first_contact[body + 1]; ++k) {
        int contact = problem->contact_list[k];
        double u = speed(w, contact), *p = w->motion->p[contact];
        if (u >= -w->slow)
            continue;
        w->target[contact] = -problem->contacts[contact].restitution * u;
        for (int d = 0; d < 3; ++d) {
            w->kept[set.count][d] = p[d];
            p[d] = 0;
        }
        w->group[set.count++] = contact;
    }
    for (int pass = 0; pass < w->passes && set.count > 0; ++pass) {
        carom_gauss_seidel_normals(problem, &set, w->target, 1, w->motion);
        carom_gauss_seidel_tangents(problem, &set, w->motion);
    }
    for (int i = 0; i < set.count; ++i)
        for (int d = 0; d < 3; ++d)
            w->motion->p[w->group[i]][d] += w->kept[i][d];
}

// Breadth first over the movable bodies of an island.
static void walk_from(walk *w, int body)
{
    const carom_problem *problem = w->problem;
    int head = 0, tail = 0;
    ++w->number;
    w->queue[tail++] = body;
    w->seen[body] = w->number;
    while (head < tail) {
        int now = w->queue[head++];
        solve_body(w, now);
        for (int k = problem->first_contact[now]; k < problem->first_contact[now + 1]; ++k) {
            const carom_row *row = &problem->normal[problem->contact_list[k]];
            int next = row->a == now ? row->b : row->a;
            bool movable = (row->a == now ? row->inv_b : row->inv_a) > 0;
            if (movable && w->seen[next] != w->number) {
                w->seen[next] = w->number;
                w->queue[tail++] = next;
            }
        }
    }
}

// Sequential impulses without bounce, whose sums add to what the walks gave.
static void relax(walk *w, const carom_contact_set *island, int passes)
{
    for (int i = 0; i < island->count; ++i)
        for (int d = 0; d < 3; ++d) {
            w->kept[i][d] = w->motion->p[island->index[i]][d];
            w->motion->p[island->index[i]][d] = 0;
        }
    for (int pass = 0; pass < passes; ++pass) {
        carom_gauss_seidel_normals(w->problem, island, NULL, 1, w->motion);
        carom_gauss_seidel_tangents(w->problem, island, w->motion);
    }
    for (int i = 0; i < island->count; ++i)
        for (int d = 0; d < 3; ++d)
            w->motion->p[island->index[i]][d] += w->kept[i][d];
}

static carom_status resolve_propagation(const carom_problem *problem,
                                        const carom_law_options *options, carom_arena *scratch,
                                        carom_motion *motion, carom_impact_report *report,
                                        carom_error *err)
{
    walk w = { .problem = problem,
               .motion = motion,
               .passes = (int)options->value[OPTION_PASSES],
               .slow = options->value[OPTION_TOLERANCE] * problem->fastest };
    TAKE(scratch, w.target, problem->contact_count, err);
    TAKE(scratch, w.group, problem->contact_count, err);
    TAKE(scratch, w.kept, problem->contact_count, err);
    TAKE(scratch, w.queue, problem->body_count, err);
    TAKE_ZEROS(scratch, w.seen, problem->body_count, err);
    for (int k = 0; k < problem->island_count; ++k) {
        carom_contact_set island = carom_inelastic_island(problem, k);
        int walks = 0, body = start(&w, &island);
        for (; body >= 0 && walks < (int)options->value[OPTION_WALKS]; body = start(&w, &island)) {
            walk_from(&w, body);
            carom_problem_report(problem, ++walks, (const double(*)[3])motion->p);
            TRY(carom_problem_query_stop(problem, 2 * w.passes * island.count, err));
        }
        relax(&w, &island, (int)options->value[OPTION_RELAXATIONS]);
        report->sweeps = walks > report->sweeps ? walks : report->sweeps;
        report->events += (int64_t)(walks * w.passes + 1) * island.count;
    }
    return CAROM_OK;
}

static const carom_option options[] = {
    [OPTION_WALKS] = { "walks", "walks through the contacts of an island", CAROM_OPTION_INTEGER, 8,
                       1, 1e6, NULL },
    [OPTION_PASSES] = { "passes", "passes over the contacts of a body", CAROM_OPTION_INTEGER, 3, 1,
                        1e6, NULL },
    [OPTION_RELAXATIONS] = { "relaxations", "passes without bounce at the end",
                             CAROM_OPTION_INTEGER, 8, 0, 1e6, NULL },
    [OPTION_TOLERANCE] = { "tolerance",
                           "approach below this fraction of the fastest counts as none",
                           CAROM_OPTION_NUMBER, 1e-9, 0, 1, NULL },
    { 0 },
};

const carom_law carom_propagation_law = {
    .name = "propagation",
    .summary = "Edyn: restitution body by body, outwards from the fastest approach.",
    .reference = "Edyn",
    .paper = "Edyn, restitution_solver (source code, 2021 on)",
    .number = "cradles of 3 to 8 balls, any number striking: as many leave",
    .promises = CAROM_BRK | CAROM_MOM | CAROM_ONE,
    .friction = true,
    .options = options,
    .resolve = resolve_propagation,
};
