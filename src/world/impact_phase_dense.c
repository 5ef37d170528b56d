// Whom an impact reaches where impacts are dense: the whole islands of all that hit each other,
// found along the list of candidates. Nothing outside of an island can begin to approach, so one
// answer of the law is enough.
#include <string.h>
#include "base/sets.h"
#include "base/team.h"
#include "world/impact_phase.h"
#include "world/journal.h"

// One impact in so many touching contacts from which islands are not searched for from impact to
// impact. Candidates that are apart may be many more; going through them costs little beside the
// law.
enum { DENSE = 10 };
enum { AHEAD = 8 }; // records on their way into the cache

// Where so many hit each other the impact reaches everything anyway. Joints connect islands: there
// it goes from body to body.
bool carom_impact_phase_dense_suits(const carom_impact_phase *c)
{
    int64_t seeds = c->graph.seed_count;
    return !c->cluster_next && DENSE * seeds > c->graph.near_count;
}

static void contact_share(const carom_impact_phase *c, int count, int threads)
{
    int end = carom_team_end(count, threads);
    for (int k = carom_team_begin(count, threads); k < end; ++k) {
        const carom_contact_graph_edge *edge = &c->graph.edges[c->contacts[k].candidate];
        if (k + AHEAD < end)
            __builtin_prefetch(&c->graph.edges[c->contacts[k + AHEAD].candidate]);
        c->contacts[k].a = edge->a;
        c->contacts[k].b = edge->b;
    }
}
CAROM_TEAM_SHARE3(contact_share, const carom_impact_phase *, int, int)

static carom_status begin(carom_impact_phase *c, carom_error *err)
{
    const carom_contact_graph *graph = &c->graph;
    const carom_world *world = c->step->world;
    const unsigned char *fixed = world->fixed;
    carom_impact_phase_contact *contacts = c->contacts;
    int near = 0;
    (void)err; // all room is there
    c->fastest = 0;
    for (int i = 0; i < c->step->candidate_count; ++i)
        if (carom_contact_graph_near(graph, i))
            contacts[near++].candidate = i;
    int team = carom_team_worth(near, world->options.threads);
    CAROM_TEAM(team, contact_share(c, near, team));
    for (int k = 0; k < near; ++k)
        if (!fixed[contacts[k].a] && !fixed[contacts[k].b])
            sets_join(c->parent, contacts[k].a, contacts[k].b);
    for (int i = 0; i < graph->seed_count; ++i) {
        const carom_contact_graph_edge *edge = &graph->edges[graph->seeds[i]];
        if (i + AHEAD < graph->seed_count)
            __builtin_prefetch(&graph->edges[graph->seeds[i + AHEAD]]);
        c->fastest = fmax(c->fastest, -edge->u);
        c->members[sets_find(c->parent, fixed[edge->a] ? edge->b : edge->a)].part =
            CAROM_IMPACT_PHASE_ISLAND;
    }
    c->contact_count = 0;
    for (int k = 0; k < near; ++k) {
        carom_impact_phase_contact contact = contacts[k];
        if (c->members[carom_impact_phase_root(c, &contact)].part != CAROM_IMPACT_PHASE_ISLAND)
            continue;
        contacts[c->contact_count++] = contact;
        c->reached[contact.a] = !fixed[contact.a];
        c->reached[contact.b] = !fixed[contact.b];
        if (fixed[contact.a] || fixed[contact.b])
            c->driven[c->driven_count++] = contact.candidate;
    }
    for (int i = 0; i < world->count; ++i) {
        if (!c->reached[i])
            continue;
        c->list[c->count++] = i;
        c->velocity[i] = world->now.velocity[i];
        c->spin[i] = world->now.spin[i];
    }
    return CAROM_OK;
}

static bool widen(carom_impact_phase *c, int round)
{
    (void)c, (void)round;
    return false;
}

static void note(const carom_impact_phase *c)
{
    for (int k = 0; k < c->contact_count; ++k) {
        int p = c->contacts[k].candidate;
        carom_impact_phase_note(c, p);
    }
}

static void reset(carom_impact_phase *c)
{
    size_t n = (size_t)c->step->world->count;
    memset(c->reached, 0, n * sizeof *c->reached);
    memset(c->members, 0, n * sizeof *c->members);
    for (size_t i = 0; i < n; ++i)
        c->parent[i] = (int)i;
}

const carom_impact_phase_reach carom_impact_phase_dense = { begin, widen, note, reset };
