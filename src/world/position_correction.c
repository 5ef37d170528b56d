// Position correction: overlap beyond the slop is taken out by moving bodies, never by giving them
// speed.
//
// Displacements are found like impulses: each contact whose overlap at the end of the interval
// would exceed the slop pushes its bodies apart by a share of the excess, in a few sweeps, and only
// pushes. Every displacement opens other contacts, into which bodies fall: a pile that is corrected
// as fast as that never rests. So what nobody sees, up to a thousandth of the smaller body, is
// taken out no faster than a part of the speed that the two bodies have against each other, and
// where they have none, at a tenth of the slop per second. Moving a body up costs potential energy.
// The correction may spend only what resting contact has lost so far and not yet given back, so
// that the total never grows because of it; what it spends is booked, and so is what bodies that
// spin gain or lose by being turned.
#include <string.h>
#include "base/team.h"
#include "contact/contact.h"
#include "world/ledger.h"
#include "world/rest.h"
#include "world/step.h"

static const double share = 0.2;   // of the overlap beyond the slop, per interval
static const double follow = 0.5;  // of the speed at which the two bodies slip anyway
static const double creep = 0.1;   // 1/s: of the slop, where they do not
static const double often = 0.125; // s: what creeps is moved that often, and waits between
static const double stands = 2e-2; // of the slop: a contact that slips less in an interval creeps
enum { SWEEPS = 16 };              // fewer leave overlap for seconds in deep piles
// Corrections from which they are cut for several threads, and into how many slabs.
enum { LARGE = 4096, SLABS = 16 };

// A contact that is too deep, and its two bodies as the sweeps need them.
typedef struct correction {
    int end[2];
    bool turns; // false between spheres
    vec3 n;
    double wanted;     // m
    double mass;       // kg
    double amount;     // kg m, so far
    double inverse[2]; // 1/kg; 0 of what does not move
} correction;

// How it turns its bodies, in a list beside it.
typedef struct lever {
    vec3 turn[2];   // arm x n
    vec3 answer[2]; // what the body turns by, per amount
} lever;

// The corrections of a step, block by block of its candidates: each block writes where its deep
// ones begin.
typedef struct listing {
    const carom_step *step;
    double creeps; // s, for which what creeps is moved now; 0: it waits
    correction *corrections;
    lever *levers; // null where none turns
    int first[CAROM_TEAM_BLOCKS], count[CAROM_TEAM_BLOCKS];
    bool turns[CAROM_TEAM_BLOCKS];
    int total;
} listing;

// Returns by how much the amount changed.
static inline double relax(carom_step_shift *shift, correction *p, const lever *l)
{
    vec3 n = p->n;
    double apart = vec3_dot(n, vec3_sub(shift[p->end[1]].move, shift[p->end[0]].move));
    for (int k = 0; k < 2 && p->turns; ++k)
        apart += (k ? 1 : -1) * vec3_dot(l->turn[k], shift[p->end[k]].turn);
    double amount = p->amount + p->mass * (p->wanted - apart);
    amount = amount > 0 ? amount : 0; // not fmax, which may be a call
    double change = amount - p->amount;
    p->amount = amount;
    for (int k = 0; k < 2 && change != 0; ++k) {
        carom_step_shift *to = &shift[p->end[k]];
        double signed_change = k ? change : -change;
        if (!(p->inverse[k] > 0))
            continue;
        to->move = vec3_axpy(to->move, signed_change * p->inverse[k], n);
        if (p->turns)
            to->turn = vec3_axpy(to->turn, signed_change, l->answer[k]);
    }
    return change;
}

static bool between_spheres(const carom_world *world, const carom_candidate *candidate)
{
    int a = candidate->a, b = candidate->b;
    return (world->sphere[a] || world->fixed[a]) && (world->sphere[b] || world->fixed[b]);
}

static void put(const listing *list, int at, const carom_candidate *candidate, double amount)
{
    const carom_world *world = list->step->world;
    int a = candidate->a, b = candidate->b;
    double response = world->inverse_mass[a] + world->inverse_mass[b];
    correction p = { .end = { a, b },
                     .turns = !between_spheres(world, candidate),
                     .n = candidate->normal,
                     .wanted = amount };
    for (int k = 0; k < 2; ++k) {
        int i = p.end[k];
        p.inverse[k] = world->fixed[i] ? 0 : world->inverse_mass[i];
        if (!p.turns)
            continue;
        lever *l = &list->levers[at];
        vec3 point = k ? carom_step_point_of_b(candidate) : candidate->point;
        vec3 arm = vec3_sub(point, world->now.position[i]);
        l->turn[k] = vec3_cross(arm, p.n);
        l->answer[k] = sym3_mul(world->inverse_inertia[i], l->turn[k]);
        response += vec3_dot(l->turn[k], l->answer[k]);
    }
    p.mass = 1 / response;
    list->corrections[at] = p;
}

// By how much a contact is to be corrected, m. More than nobody sees has to go soon.
static double wanted(const listing *list, const carom_candidate *candidate)
{
    const carom_step *step = list->step;
    const carom_world *world = step->world;
    vec3 slip = carom_step_relative_velocity(world, candidate);
    double slop = world->options.slop;
    double depth = -(candidate->gap + step->h * vec3_dot(candidate->normal, slip)) - slop;
    double size = fmin(carom_shape_radius(world->shape[candidate->a]),
                       carom_shape_radius(world->shape[candidate->b]));
    double plain = fmax(0, depth - CAROM_REST_UNSEEN * size), way = step->h * vec3_length(slip);
    double time = list->creeps > 0 || way > stands * slop ? fmax(list->creeps, step->h) : 0;
    double max = time > 0 ? creep * slop * time + follow * way : 0;
    return share * plain + fmin(share * (depth - plain), max);
}

static void count_share(listing *list, int threads)
{
    const carom_step *step = list->step;
    CAROM_TEAM_EACH (b, carom_team_blocks(step->candidate_count), threads) {
        int end = carom_team_block(step->candidate_count, b + 1);
        list->count[b] = 0;
        list->turns[b] = false;
        for (int i = carom_team_block(step->candidate_count, b); i < end; ++i) {
            if (!step->deep[i])
                continue;
            ++list->count[b];
            list->turns[b] = list->turns[b] || !between_spheres(step->world, &step->candidates[i]);
        }
    }
}
CAROM_TEAM_SHARE2(count_share, listing *, int)

static void list_share(listing *list, int threads)
{
    const carom_step *step = list->step;
    CAROM_TEAM_EACH (b, carom_team_blocks(step->candidate_count), threads) {
        int end = carom_team_block(step->candidate_count, b + 1), at = list->first[b];
        for (int i = carom_team_block(step->candidate_count, b); i < end; ++i) {
            double amount = step->deep[i] ? wanted(list, &step->candidates[i]) : 0;
            if (amount > 0)
                put(list, at++, &step->candidates[i], amount);
        }
        list->count[b] = at - list->first[b];
    }
}
CAROM_TEAM_SHARE2(list_share, listing *, int)

// Lists what is to be corrected, in the order of the candidates.
static carom_status list_corrections(listing *list, carom_error *err)
{
    const carom_step *step = list->step;
    int team = carom_team_worth(step->candidate_count, step->world->options.threads), deep = 0;
    int blocks = carom_team_blocks(step->candidate_count);
    bool turns = false;
    CAROM_TEAM(team, count_share(list, team));
    for (int b = 0; b < blocks; ++b) {
        list->first[b] = deep;
        deep += list->count[b];
        turns = turns || list->turns[b];
    }
    TAKE(step->world->scratch, list->corrections, deep, err);
    if (turns)
        TAKE(step->world->scratch, list->levers, deep, err);
    CAROM_TEAM(team, list_share(list, team));
    list->total = 0;
    for (int b = 0; b < blocks; ++b) {
        size_t count = (size_t)list->count[b];
        memmove(list->corrections + list->total, list->corrections + list->first[b],
                count * sizeof *list->corrections);
        if (turns)
            memmove(list->levers + list->total, list->levers + list->first[b],
                    count * sizeof *list->levers);
        list->total += list->count[b];
    }
    return CAROM_OK;
}

static void sweep_range(void *client, carom_contact_range *range, const carom_contact_pass *pass)
{
    const listing *list = client;
    double worst = 0;
    for (int k = range->begin; k < range->end; ++k) {
        int i = pass->forward ? k : range->begin + range->end - 1 - k;
        const lever *l = list->levers ? &list->levers[i] : NULL;
        double change = fabs(relax(list->step->shift, &list->corrections[i], l));
        worst = change > worst ? change : worst;
    }
    range->change = worst;
}

// Many corrections go in slabs of bodies, for threads, as contacts do.
static carom_status cut(listing *list, carom_contact_island *set, carom_contact_range *ranges,
                        carom_error *err)
{
    const carom_world *world = list->step->world;
    correction *before = list->corrections;
    lever *levers = list->levers;
    int(*pair)[2], *order, *place, *slab;
    *set = (carom_contact_island){ .count = list->total };
    if (list->total < LARGE) {
        carom_contact_partition_whole(set, ranges);
        return CAROM_OK;
    }
    TAKE(world->scratch, pair, list->total, err);
    TAKE(world->scratch, order, list->total, err);
    TAKE(world->scratch, place, list->total, err);
    TAKE(world->scratch, slab, world->count, err);
    TAKE(world->scratch, list->corrections, list->total, err);
    if (levers)
        TAKE(world->scratch, list->levers, list->total, err);
    for (int i = 0; i < list->total; ++i)
        for (int k = 0; k < 2; ++k)
            pair[i][k] = before[i].inverse[k] > 0 ? before[i].end[k] : -1;
    carom_contact_cut how = { .position = &world->now.position[0].x,
                              .stride = 3,
                              .body = pair[0],
                              .body_count = 2 * list->total,
                              .count = list->total,
                              .pair = (const int(*)[2])pair,
                              .slabs = SLABS,
                              .slab = slab,
                              .order = order,
                              .place = place,
                              .threads = world->options.threads };
    carom_contact_partition(&how, set, ranges);
    for (int i = 0; i < list->total; ++i) {
        list->corrections[i] = before[order[i]];
        if (levers)
            list->levers[i] = levers[order[i]];
    }
    return CAROM_OK;
}

// Where nothing slips, a step moves bodies by less than their velocities are known: sweeps in every
// step would only disturb a pile that has come to rest.
static double creeping_time(const carom_step *step)
{
    double time = step->world->now.ledger.time;
    return floor((time + step->h) / often) > floor(time / often) ? often : 0;
}

carom_status carom_position_correction_find(carom_step *step, carom_error *err)
{
    carom_world *world = step->world;
    listing list = { .step = step, .creeps = creeping_time(step) };
    carom_contact_island set;
    carom_contact_range ranges[CAROM_CONTACT_RANGES];
    step->shift = NULL;
    if (world->now.ledger.overlap < world->options.slop)
        return CAROM_OK;
    TRY(list_corrections(&list, err));
    if (list.total == 0)
        return CAROM_OK;
    TAKE_ZEROS(world->scratch, step->shift, world->count, err);
    TRY(cut(&list, &set, ranges, err));
    double worst = 1;
    for (int k = 0; k < SWEEPS && worst > 0; ++k) {
        carom_contact_pass pass = { .forward = k % 2 == 0, .threads = world->options.threads };
        worst = carom_contact_sweep_ranges(&set, ranges, &pass, sweep_range, &list);
    }
    return CAROM_OK;
}

// Turns a body. Its spin stays; the energy of a body that spins goes with its attitude. Returns
// what it gained, J.
static double turn_body(carom_world *world, int i, vec3 half)
{
    const vec3 zero = { 0, 0, 0 };
    carom_twist spin = { zero, world->now.spin[i] };
    double before = carom_ledger_kinetic_at(world, i, spin);
    world->now.rotation[i] =
        quat_unit(quat_mul((quat){ 1, half.x, half.y, half.z }, world->now.rotation[i]));
    return carom_ledger_kinetic_at(world, i, spin) - before;
}

// Notes what the bodies of each block gain by being turned, J.
static void apply_share(const carom_step *step, double part, double *gain, int threads)
{
    carom_world *world = step->world;
    CAROM_TEAM_EACH (b, carom_team_blocks(world->count), threads) {
        int end = carom_team_block(world->count, b + 1);
        gain[b] = 0;
        for (int i = carom_team_block(world->count, b); i < end; ++i) {
            vec3 turn = vec3_scale(0.5 * part, step->shift[i].turn);
            if (world->fixed[i])
                continue;
            world->now.position[i] = vec3_axpy(world->now.position[i], part, step->shift[i].move);
            if (turn.x != 0 || turn.y != 0 || turn.z != 0)
                gain[b] += turn_body(world, i, turn);
        }
    }
}
CAROM_TEAM_SHARE4(apply_share, const carom_step *, double, double *, int)

void carom_position_correction_apply(carom_step *step)
{
    carom_world *world = step->world;
    carom_ledger *ledger = &world->now.ledger;
    vec3 gravity = vec3_from(world->options.gravity);
    if (!step->shift)
        return;
    double gain = 0, budget = fmax(0, ledger->rest - ledger->position_correction);
    for (int i = 0; i < world->count; ++i)
        gain -= world->mass[i] * world->gravity_scale[i] * vec3_dot(gravity, step->shift[i].move);
    int team = carom_team_worth(world->count, world->options.threads);
    double part = gain > budget ? budget / gain : 1;
    double turned[CAROM_TEAM_BLOCKS];
    CAROM_TEAM(team, apply_share(step, part, turned, team));
    ledger->position_correction += part * gain;
    for (int b = 0; b < carom_team_blocks(world->count); ++b)
        ledger->position_correction += turned[b];
}
