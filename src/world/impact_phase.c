// The impact phase: where something approaches faster than the resting speed, the law is asked.
//
// Every touching contact that the impact reaches must go to the law, also those that do not
// approach: the wave passes through them. In a dense pile that need not be the whole island. The
// law first gets the contacts of the bodies that hit each other; wherever its answer makes another
// touching contact approach faster than the resting speed, the bodies there join (with a wider
// surrounding each time) and their component is resolved again from the velocities before. When it
// ends, no touching contact outside approaches faster than the resting speed: what is left there is
// the resting solver's.
//
// Whom an impact reaches is found in one of two ways, chosen pass by pass: from body to body
// (impact_phase_spread.c), or, where impacts are so dense that they reach everything anyway, by
// whole islands along the list of candidates (impact_phase_dense.c).
//
// In a crowd whose times of impact a step cannot afford, the moment of an impact is known to a step
// only, and it makes no sense to know its waves better than that: the law is asked coarsely (wave:
// with the steps of the largest islands), and where the impact goes on beyond what it reached, that
// is an impact of its own in the next pass, as long as the step can afford those. Not where
// anything is elastic.
//
// A step of a shaken layer takes several passes, most of them about a few contacts in a large pile.
// So what is needed of all candidates is looked at once per step (contact_graph.c); a pass costs
// what it reaches. The law gets it island by island, in batches (impact_phase_batch.c).
#include <string.h>
#include "world/impact_phase.h"
#include "base/sets.h"
#include "base/team.h"
#include "world/journal.h"
#include "world/ledger.h"

static carom_status resolve_contacts(carom_step *step, carom_error *err);
static bool elastic(const carom_impact_phase *c);
static bool affords_more(const carom_impact_phase *c);
static carom_status prepare(carom_impact_phase *c, carom_error *err);
static carom_status resolve_pass(carom_impact_phase *c, carom_error *err);
static carom_status resolve(carom_impact_phase *c, carom_error *err);
static void account(carom_impact_phase *c);
static void reset(carom_impact_phase *c);

// Stops that are met when nothing collides have the law for themselves; what they set in motion may
// collide, and the other way round.
carom_status carom_impact_phase_resolve(carom_step *step, carom_error *err)
{
    enum { ROUNDS = 6 };
    bool any = true;
    carom_impact_phase_stops_find(step);
    for (int round = 0; round < ROUNDS && any; ++round) {
        TRY(resolve_contacts(step, err));
        TRY(carom_impact_phase_stops_resolve(step, &any, err));
    }
    return any ? resolve_contacts(step, err) : CAROM_OK;
}

// Bodies that bounce may meet others within the same interval: what closes then, and whose time is
// not looked for, is the next pass's, as far as the step can afford it. What is left is stopped by
// the resting solve: it loses its restitution, and nothing enters anything.
static carom_status resolve_contacts(carom_step *step, carom_error *err)
{
    enum { PASSES = 6 };
    carom_arena_mark mark = carom_arena_mark_here(step->world->scratch);
    carom_impact_phase c = { .step = step };
    TRY(carom_contact_graph_init(step, &c.graph, err));
    if (c.graph.seed_count > 0)
        TRY(prepare(&c, err));
    for (int pass = 0; pass < PASSES; ++pass) {
        bool apart = pass > 0 && !c.goes_on;
        if (!carom_contact_graph_impacts(&c.graph, apart) || (pass > 0 && !affords_more(&c)))
            break;
        c.coarse = step->crowded && !c.cluster_next && !elastic(&c);
        TRY(resolve_pass(&c, err));
        reset(&c);
    }
    carom_contact_graph_store_speeds(&c.graph);
    carom_arena_rewind(step->world->scratch, mark);
    return CAROM_OK;
}

// Whether energy would be lost that must not be.
static bool elastic(const carom_impact_phase *c)
{
    for (int i = 0; i < c->graph.seed_count; ++i)
        if (carom_restitution_now(c->step->world, &c->step->candidates[c->graph.seeds[i]]) >=
            CAROM_RESTITUTION_ELASTIC)
            return true;
    return false;
}

// Each pass may ask the law about a whole pile once more: `event_work` contacts in a step, no bound
// where nothing may be lost.
static bool affords_more(const carom_impact_phase *c)
{
    const carom_step *step = c->step;
    double most = carom_time_of_impact_afford(&step->world->options, step->whole).plain;
    return step->law_work <= most || elastic(c);
}

static carom_status prepare(carom_impact_phase *c, carom_error *err)
{
    carom_world *world = c->step->world;
    size_t n = (size_t)world->count, candidates = (size_t)c->step->candidate_count;
    TRY(carom_impact_phase_joints_clusters(world, &c->cluster_next, &c->jointed, err));
    TAKE_ZEROS(world->scratch, c->in, candidates / 64 + 1, err);
    TAKE(world->scratch, c->impulse, candidates, err);
    TAKE(world->scratch, c->beyond, 2 * candidates, err); // seen from both ends
    TAKE_ZEROS(world->scratch, c->members, n, err);
    TAKE_ZEROS(world->scratch, c->reached, n, err);
    TAKE(world->scratch, c->list, n, err);
    TAKE(world->scratch, c->parent, n, err);
    TAKE(world->scratch, c->queue, n, err);
    TAKE_ZEROS(world->scratch, c->queued, n, err);
    TAKE(world->scratch, c->velocity, n, err);
    TAKE(world->scratch, c->spin, n, err);
    TAKE(world->scratch, c->number, n, err);
    TAKE(world->scratch, c->first, n + 2, err);
    TAKE(world->scratch, c->numbers, n * (size_t)world->beside_count, err);
    memset(c->numbers, -1, n * (size_t)world->beside_count * sizeof *c->numbers);
    TAKE(world->scratch, c->contacts, candidates, err);
    TAKE(world->scratch, c->sorted, candidates, err);
    TAKE(world->scratch, c->component, candidates, err);
    TAKE(world->scratch, c->driven, candidates, err);
    TAKE(world->scratch, c->reports.list, n + 1, err);
    TAKE(world->scratch, c->reports.bodies, n + 1, err);
    for (int i = 0; i < world->count; ++i)
        c->parent[i] = i;
    return CAROM_OK;
}

static carom_status resolve_pass(carom_impact_phase *c, carom_error *err)
{
    TRY(carom_contact_graph_map_restitution(&c->graph, err));
    c->reach =
        carom_impact_phase_dense_suits(c) ? &carom_impact_phase_dense : &carom_impact_phase_spread;
    TRY(c->reach->begin(c, err));
    TRY(resolve(c, err));
    c->goes_on = c->coarse && affords_more(c);
    for (int round = 1; !c->goes_on && c->reach->widen(c, round); ++round)
        TRY(resolve(c, err));
    account(c);
    return CAROM_OK;
}

// After a pass: the graph knows the new speeds, and nobody is reached any more.
static void reset(carom_impact_phase *c)
{
    carom_contact_graph_update(&c->graph, c->list, c->count, c->reached);
    c->reach->reset(c);
    c->count = c->driven_count = c->reports.count = c->reports.body_count = 0;
}

int carom_impact_phase_root(carom_impact_phase *phase, const carom_impact_phase_contact *contact)
{
    return sets_find(phase->parent,
                     phase->step->world->fixed[contact->a] ? contact->b : contact->a);
}

// Contacts by components, which are numbered as the list comes to them. Returns how many.
static int sort_contacts(carom_impact_phase *c)
{
    int count = 0;
    for (int i = 0; i < c->count; ++i)
        c->number[c->list[i]] = -1;
    c->first[0] = c->first[1] = 0;
    for (int k = 0; k < c->contact_count; ++k) {
        int *number = &c->number[carom_impact_phase_root(c, &c->contacts[k])];
        if (*number < 0) {
            *number = count++;
            c->first[count + 1] = 0;
        }
        c->component[k] = *number;
        ++c->first[*number + 2];
    }
    for (int k = 2; k <= count + 1; ++k)
        c->first[k] += c->first[k - 1];
    for (int k = 0; k < c->contact_count; ++k)
        c->sorted[c->first[c->component[k] + 1]++] = c->contacts[k];
    return count;
}

static carom_status resolve(carom_impact_phase *c, carom_error *err)
{
    carom_impact_phase_task task = { .step = c->step,
                                     .graph = &c->graph,
                                     .cluster_next = c->cluster_next,
                                     .jointed = c->jointed,
                                     .component_count = sort_contacts(c),
                                     .first = c->first,
                                     .contacts = c->sorted,
                                     .fastest = c->fastest,
                                     .coarse = c->coarse,
                                     .numbers = c->numbers,
                                     .impulse = c->impulse,
                                     .reports = &c->reports };
    c->step->law_work += c->contact_count;
    TRY(carom_progress_check(&c->step->world->stop, "impacts", err));
    return carom_impact_phase_batch_resolve(&task, err);
}

// Kinetic energy that a body has lost in the impact, J.
static double energy_lost(const carom_impact_phase *c, int body)
{
    const carom_world *world = c->step->world;
    return carom_ledger_kinetic_lost(
        world, body, (carom_twist){ c->velocity[body], c->spin[body] },
        (carom_twist){ world->now.velocity[body], world->now.spin[body] });
}

static void lost_share(const carom_impact_phase *c, double *loss, int threads)
{
    CAROM_TEAM_EACH (b, carom_team_blocks(c->count), threads) {
        loss[b] = 0;
        for (int i = carom_team_block(c->count, b); i < carom_team_block(c->count, b + 1); ++i)
            loss[b] += energy_lost(c, c->list[i]);
    }
}
CAROM_TEAM_SHARE3(lost_share, const carom_impact_phase *, double *, int)

static bool same(vec3 a, vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Whether anybody moves otherwise than before: not where joints hold all that was hit.
static bool changed(const carom_impact_phase *c)
{
    const carom_world_state *now = &c->step->world->now;
    for (int i = 0; i < c->count; ++i) {
        int body = c->list[i];
        if (!same(now->velocity[body], c->velocity[body]) || !same(now->spin[body], c->spin[body]))
            return true;
    }
    return false;
}

// Velocity before the impact of a body's point at a contact.
static vec3 point_velocity_before(const carom_impact_phase *c, int body, vec3 point)
{
    const carom_world *world = c->step->world;
    if (!c->reached[body]) // immovable
        return carom_step_point_velocity(world, body, point);
    vec3 arm = vec3_sub(point, world->now.position[body]);
    return vec3_add(c->velocity[body], vec3_cross(c->spin[body], arm));
}

void carom_impact_phase_note(const carom_impact_phase *c, int candidate)
{
    const carom_candidate *p = &c->step->candidates[candidate];
    vec3 before = vec3_sub(point_velocity_before(c, p->b, carom_step_point_of_b(p)),
                           point_velocity_before(c, p->a, p->point));
    carom_journal_impact(c->step->world, p, c->impulse[candidate], before);
}

static void account(carom_impact_phase *c)
{
    carom_world *world = c->step->world;
    carom_ledger *ledger = &world->now.ledger;
    const carom_candidate *candidates = c->step->candidates;
    double part[CAROM_TEAM_BLOCKS], loss = 0, work = 0;
    int team = carom_team_worth(c->count, world->options.threads);
    CAROM_TEAM(team, lost_share(c, part, team));
    for (int b = 0; b < carom_team_blocks(c->count); ++b)
        loss += part[b];
    for (int i = 0; i < c->driven_count; ++i) {
        int p = c->driven[i];
        work += carom_step_driven_work(world, &candidates[p], c->impulse[p]);
    }
    if (carom_journal_listens(world))
        c->reach->note(c);
    carom_impact_phase_batch_judge(world, &c->reports);
    ledger->law += loss + work;
    ledger->driven += work;
    ++ledger->impacts;
    c->step->struck = c->step->struck || changed(c);
    ++world->profile.instants;
}
