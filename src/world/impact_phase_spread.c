// Whom an impact reaches, from body to body: for passes with few impacts among many contacts.
//
// All touching contacts of the bodies that hit each other go to the law. Where its answer makes
// another touching contact approach faster than the resting speed, the bodies there join with a
// surrounding that grows from round to round, and their component is resolved again from the
// velocities before. A pass costs what it reaches.
#include <limits.h>
#include <string.h>
#include "base/sets.h"
#include "world/impact_phase.h"
#include "world/journal.h"

// How far round a new impact its surrounding joins, by round: each time so much farther that all
// rounds together cost little more than the last. The last is the whole island.
enum { ROUNDS = 5 };
static const int layers[ROUNDS] = { 0, 2, 5, 12, INT_MAX };
// Where one in so many touching contacts is reached, all of its islands are; few of them do not
// matter.
enum { SHARE_OF_ALL = 4, FEW = 1000 };

static void join(carom_impact_phase *c, int start, int max);
static void list_contacts(carom_impact_phase *c);
static bool spread(carom_impact_phase *c, int max);

static carom_status begin(carom_impact_phase *c, carom_error *err)
{
    const carom_contact_graph *graph = &c->graph;
    TRY(carom_contact_graph_connect(&c->graph, err));
    c->fastest = 0;
    for (int i = 0; i < graph->seed_count; ++i) {
        const carom_contact_graph_edge *edge = &graph->edges[graph->seeds[i]];
        c->fastest = fmax(c->fastest, -edge->u);
        join(c, edge->a, layers[0]);
        join(c, edge->b, layers[0]);
    }
    list_contacts(c);
    return CAROM_OK;
}

static void go_back(carom_impact_phase *c);

static bool widen(carom_impact_phase *c, int round)
{
    bool all =
        SHARE_OF_ALL * (int64_t)c->in_count > c->graph.near_count && c->graph.near_count > FEW;
    if (round >= ROUNDS || !spread(c, all ? INT_MAX : layers[round]))
        return false;
    list_contacts(c);
    go_back(c);
    return true;
}

static bool is_in(const carom_impact_phase *c, int candidate)
{
    return c->in[candidate / 64] >> (candidate % 64) & 1;
}

// The next candidate from `candidate` on that goes to the law; candidate_count where there is none.
static int next_in(const carom_impact_phase *c, int candidate)
{
    int words = c->step->candidate_count / 64 + 1, word = candidate / 64;
    uint64_t left = c->in[word] & ~UINT64_C(0) << (candidate % 64);
    while (left == 0 && ++word < words)
        left = c->in[word];
    return left ? 64 * word + __builtin_ctzll(left) : c->step->candidate_count;
}

static void reach_one(carom_impact_phase *c, int body)
{
    const carom_world *world = c->step->world;
    c->reached[body] = 1;
    c->list[c->count++] = body;
    c->velocity[body] = world->now.velocity[body];
    c->spin[body] = world->now.spin[body];
}

// A body, and those that joints connect it with: they answer together.
static void reach(carom_impact_phase *c, int body)
{
    if (c->reached[body])
        return;
    reach_one(c, body);
    if (!c->cluster_next)
        return;
    for (int next = c->cluster_next[body]; next != body; next = c->cluster_next[next]) {
        reach_one(c, next);
        sets_join(c->parent, body, next);
    }
}

// Lets all touching contacts of a body take part.
static void join_contacts(carom_impact_phase *c, int body)
{
    const carom_world *world = c->step->world;
    reach(c, body);
    c->members[body] = (carom_impact_phase_member){ CAROM_IMPACT_PHASE_CORE, true };
    for (int k = c->graph.first[body]; k < c->graph.first[body + 1]; ++k) {
        carom_contact_graph_link link = c->graph.adjacency[k];
        if (!carom_contact_graph_near(&c->graph, link.candidate))
            continue;
        if (!is_in(c, link.candidate)) {
            c->in[link.candidate / 64] |= UINT64_C(1) << (link.candidate % 64);
            ++c->in_count;
            if (world->fixed[link.other])
                c->driven[c->driven_count++] = link.candidate;
        }
        if (world->fixed[link.other])
            continue;
        reach(c, link.other);
        sets_join(c->parent, body, link.other);
    }
}

// A body's contacts, and those of the bodies that joints connect it with.
static void join_one(carom_impact_phase *c, int body)
{
    join_contacts(c, body);
    if (!c->cluster_next)
        return;
    for (int next = c->cluster_next[body]; next != body; next = c->cluster_next[next])
        if (c->members[next].part == CAROM_IMPACT_PHASE_OUTSIDE)
            join_contacts(c, next);
}

// A body and its surrounding up to so many layers of neighbours, breadth first.
static void join(carom_impact_phase *c, int start, int max)
{
    const carom_world *world = c->step->world;
    int head = 0, tail = 0, end = 1, layer = 0;
    if (world->fixed[start] || (max == 0 && c->members[start].part != CAROM_IMPACT_PHASE_OUTSIDE) ||
        (max == INT_MAX && c->members[start].part == CAROM_IMPACT_PHASE_ISLAND))
        return;
    c->queue[tail++] = start;
    c->queued[start] = ++c->search;
    while (head < tail) {
        int body = c->queue[head++];
        if (c->members[body].part == CAROM_IMPACT_PHASE_OUTSIDE)
            join_one(c, body);
        c->members[body].part =
            max == INT_MAX ? CAROM_IMPACT_PHASE_ISLAND : CAROM_IMPACT_PHASE_CORE;
        for (int k = c->graph.first[body]; k < c->graph.first[body + 1] && layer < max; ++k) {
            carom_contact_graph_link link = c->graph.adjacency[k];
            if (!carom_contact_graph_near(&c->graph, link.candidate) || world->fixed[link.other] ||
                c->queued[link.other] == c->search)
                continue;
            c->queued[link.other] = c->search;
            c->queue[tail++] = link.other;
        }
        if (head == end) {
            end = tail;
            ++layer;
        }
    }
}

// Where much is reached the list goes along the bodies, not along the search.
static void tidy(carom_impact_phase *c)
{
    enum { MANY = 8 };
    if (MANY * (int64_t)c->count < c->step->world->count)
        return;
    c->count = 0;
    for (int i = 0; i < c->step->world->count; ++i)
        if (c->reached[i])
            c->list[c->count++] = i;
}

// Whoever is in a component with something new in it.
static void mark_components(carom_impact_phase *c)
{
    for (int i = 0; i < c->count; ++i)
        if (c->members[c->list[i]].unresolved)
            c->members[sets_find(c->parent, c->list[i])].unresolved = true;
}

// Components with something new in them are resolved from where their bodies were.
static void go_back(carom_impact_phase *c)
{
    carom_world *world = c->step->world;
    for (int i = 0; i < c->count; ++i) {
        int body = c->list[i];
        if (!c->members[sets_find(c->parent, body)].unresolved)
            continue;
        world->now.velocity[body] = c->velocity[body];
        world->now.spin[body] = c->spin[body];
    }
}

// Reports on components that are resolved again no longer stand.
static void take_back(carom_impact_phase *c)
{
    carom_impact_phase_reports *v = &c->reports;
    int kept = 0, bodies = 0;
    for (int i = 0; i < v->count; ++i) {
        carom_impact_phase_report one = v->list[i];
        int first = bodies;
        for (int k = one.first; k < one.first + one.count; ++k)
            if (!c->members[sets_find(c->parent, v->bodies[k])].unresolved)
                v->bodies[bodies++] = v->bodies[k];
        one.first = first;
        one.count = bodies - first;
        if (one.count > 0)
            v->list[kept++] = one;
        else
            ++c->step->world->profile.repeated;
    }
    v->count = kept;
    v->body_count = bodies;
}

static void gather(carom_impact_phase *c)
{
    c->contact_count = 0;
    for (int p = next_in(c, 0); p < c->step->candidate_count; p = next_in(c, p + 1)) {
        carom_impact_phase_contact contact = { p, c->graph.edges[p].a, c->graph.edges[p].b };
        if (c->members[carom_impact_phase_root(c, &contact)].unresolved)
            c->contacts[c->contact_count++] = contact;
    }
}

// The contacts of the components that are to be resolved.
static void list_contacts(carom_impact_phase *c)
{
    tidy(c);
    mark_components(c);
    take_back(c);
    gather(c);
}

// Where the impact went on beyond what the law has seen. Judged for all before any joins, so that
// the order of contacts does not affect the result. Only bodies that the law has just seen can have
// begun to approach, and none where whole islands went to it.
static bool spread(carom_impact_phase *c, int max)
{
    int count = 0, bodies = c->in_count == c->graph.near_count ? 0 : c->count;
    for (int i = 0; i < bodies; ++i) {
        int body = c->list[i];
        if (!c->members[sets_find(c->parent, body)].unresolved)
            continue;
        for (int k = c->graph.first[body]; k < c->graph.first[body + 1]; ++k) {
            int p = c->graph.adjacency[k].candidate;
            if (!carom_contact_graph_near(&c->graph, p) || is_in(c, p))
                continue;
            if (carom_contact_graph_speed(&c->graph, p) < -c->graph.edges[p].resting)
                c->beyond[count++] = p;
        }
    }
    for (int i = 0; i < bodies; ++i)
        c->members[c->list[i]].unresolved = false;
    for (int i = 0; i < count; ++i) {
        join(c, c->graph.edges[c->beyond[i]].a, max);
        join(c, c->graph.edges[c->beyond[i]].b, max);
    }
    return count > 0;
}

static void note(const carom_impact_phase *c)
{
    for (int p = next_in(c, 0); p < c->step->candidate_count; p = next_in(c, p + 1))
        carom_impact_phase_note(c, p);
}

static void reset(carom_impact_phase *c)
{
    memset(c->in, 0, ((size_t)c->step->candidate_count / 64 + 1) * sizeof *c->in);
    for (int i = 0; i < c->count; ++i) {
        c->parent[c->list[i]] = c->list[i];
        c->reached[c->list[i]] = 0;
        c->members[c->list[i]] = (carom_impact_phase_member){ CAROM_IMPACT_PHASE_OUTSIDE, false };
    }
    c->in_count = 0;
}

const carom_impact_phase_reach carom_impact_phase_spread = { begin, widen, note, reset };
