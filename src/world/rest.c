// Resting contact: inelastic, with Coulomb's cone, over one interval.
//
// For each contact: 0 <= p_n, u_n + max(gap, 0)/h >= 0, p_n (u_n + gap/h) = 0, |p_t| <= friction
// p_n with p_t against the slip. Swept (rest_sweep.c) island by island
// (rest_island.c), started from the impulses of the last interval. A large island gets few sweeps
// per interval: what they leave, the next interval's start from there takes up, and at rest nothing
// is left.
#include "base/team.h"
#include "contact/contact_wide.h"
#include "world/rest.h"

// Relative residual below which an island at rest waits for the next interval; below which one that
// is too large for linear systems does. And the same as parts of `rest_tolerance`, where one asks
// for more than that.
#define GOOD 1e-6
#define GOOD_WIDE 1e-5
enum { FINE_PART = 100, FINE_PART_WIDE = 1000 };
enum { ROUNDS = 3 };   // of taking in what closes after all
enum { FEW = 8 };      // small islands that a thread takes at a time
enum { FURTHER = 10 }; // times the sweeps of an island that would gain energy
// An island whose last sweep changed more than this part of what gravity does is far from any
// solution, and would sink into itself: up to so many times the sweeps.
#define BAD 0.1
// Overlap that the change of a sweep would make within the interval, in the slop, from which the
// same holds: what sinks in while things land must be taken out while they rest, and disturbs them.
#define DEEP 5
enum { MORE = 8 };
// An island that stands still, is too large for linear systems and is left above this residual gets
// so many times the sweeps: single bodies that hang on a few contacts would swing for seconds.
#define SETTLED 1e-5
enum { SETTLING = 8 };
// Those of a wide island go on to this part of its tolerance: a column that leans inside of a pile
// multiplies what a step leaves of its fall by up to 1.5 until the next (g h^2 over the length of
// its lever, times the load), and sweeps that end at the tolerance itself come again in every step.
#define RESERVE 0.1
enum { SWAY = 10 }; // times the change of a sweep
// Sweeps before an island asks for help, and between linear systems; how many of those, and how
// many in a row may fail to halve the residual.
enum { FIRST = 16, FIRST_LARGE = 4, BETWEEN = 6, HELPS = 12, POOR = 3, GRADIENTS = 60 };
// A system that leaves so many times the residual asks for what no rigid motion can do (corners of
// a face that are to close by different shares): the next ones would start from there. Systems of
// stacks leave a tenth each, and the worst of them as much as there was.
#define LOST 100

static carom_status solve_round(carom_rest *rest, unsigned char *moved, carom_error *err);
static carom_status load_bodies(carom_rest *rest, carom_error *err);
static carom_status load_contacts(carom_rest *rest, carom_error *err);
static carom_status relax(carom_rest *rest, carom_error *err);
static void relax_island(carom_rest *rest, carom_rest_island *island, int threads);
static bool unfinished(const carom_rest *rest, const carom_rest_island *island);
static carom_status help(carom_rest *rest, carom_rest_island *island, carom_error *err);
static void store(const carom_rest *rest, unsigned char *moved);
static bool still(const carom_rest *rest, const carom_rest_island *island);
static void choose_method(carom_rest *rest);
static void limit_energy(carom_rest *rest);

carom_status carom_rest_solve(carom_step *step, carom_error *err)
{
    carom_arena *scratch = step->world->scratch;
    carom_rest rest = { .step = step, .first = true };
    unsigned char *moved, *in;
    int more = 1;
    TRY(carom_rest_choose(step, &in, err));
    TRY(carom_rest_roll_begin(step, err));
    TRY(carom_linkage_brace(step, &rest.joint_count, err));
    TRY(carom_rest_ask_begin(&rest, err));
    TAKE_ZEROS(scratch, moved, step->world->count, err);
    for (int round = 0; more > 0 && step->resting_count > 0; ++round) {
        carom_arena_mark mark = carom_arena_mark_here(scratch);
        rest.contact_count = step->resting_count;
        TRY(solve_round(&rest, moved, err));
        carom_arena_rewind(scratch, mark);
        if (round + 1 == ROUNDS)
            break;
        TRY(carom_rest_choose_more(step, in, moved, &more, err));
        rest.first = false;
    }
    TRY(carom_warm_start_keep(step, err));
    carom_cohesion_settle(step);
    return CAROM_OK;
}

static carom_status solve_round(carom_rest *rest, unsigned char *moved, carom_error *err)
{
    TRY(carom_rest_island_build(rest, err));
    choose_method(rest);
    TRY(load_bodies(rest, err));
    TRY(carom_rest_roll_load(rest, err));
    TRY(load_contacts(rest, err));
    TRY(carom_rest_sphere_load(rest, err));
    TRY(relax(rest, err));
    limit_energy(rest);
    TRY(carom_rest_ask_result(rest, err));
    store(rest, moved);
    return CAROM_OK;
}

// Spheres have records of their own, except where there are joints or a linear system may be asked
// for.
static void choose_method(carom_rest *rest)
{
    for (int k = 0; k < rest->island_count; ++k) {
        carom_rest_island *island = &rest->islands[k];
        if (!carom_rest_open(island))
            continue;
        bool plain = island->joint_count == 0;
        bool assisted = island->set.body_count > 1 && plain && still(rest, island);
        bool asks =
            assisted &&
            (island->set.body_count <= CAROM_REST_DIRECT ||
             (island->start != CAROM_REST_WARM && island->set.body_count <= CAROM_REST_GRADIENT));
        island->set.spheres = island->set.spheres && plain && !asks;
        island->set.member = island->set.spheres ? NULL : rest->member;
        if (assisted && !island->set.spheres)
            island->method = CAROM_REST_ASSISTED;
    }
}

static void load_body(carom_rest *rest, int i)
{
    const carom_world *world = rest->step->world;
    rest->system.changed_in[i] = 0;
    rest->system.bodies[i] = (carom_contact_body){ .v = world->now.velocity[i],
                                                   .inverse_mass = world->inverse_mass[i],
                                                   .w = world->now.spin[i],
                                                   .x = world->now.position[i],
                                                   .inverse_inertia = world->inverse_inertia[i] };
}

// Whether any island has general records.
static bool general(const carom_rest *rest)
{
    bool any = rest->joint_count > 0;
    for (int k = 0; k < rest->island_count && !any; ++k)
        any = carom_rest_open(&rest->islands[k]) && !rest->islands[k].set.spheres;
    return any;
}

static carom_status load_bodies(carom_rest *rest, carom_error *err)
{
    const carom_world *world = rest->step->world;
    if (!general(rest))
        return CAROM_OK;
    TAKE(world->scratch, rest->system.bodies, world->count, err);
    TAKE(world->scratch, rest->system.changed_in, world->count, err);
    TAKE(world->scratch, rest->system.body_last, rest->member_count, err);
    TAKE(world->scratch, rest->system.body_direction, rest->member_count, err);
    for (int k = 0; k < rest->island_count; ++k) {
        const carom_rest_island *island = &rest->islands[k];
        for (int i = 0;
             i < island->set.body_count && carom_rest_open(island) && !island->set.spheres; ++i)
            load_body(rest, rest->member[island->set.first_body + i]);
    }
    for (int i = 0; i < world->count; ++i)
        if (world->fixed[i] && !world->asleep[i])
            load_body(rest, i);
    for (int i = 0; i < rest->contact_count && world->asleep_count > 0; ++i) {
        int sleeper = carom_rest_sleeper(rest, i);
        if (sleeper >= 0)
            load_body(rest, sleeper);
    }
    return CAROM_OK;
}

static carom_contact_record load_contact(const carom_rest *rest, int i)
{
    const carom_candidate *candidate = carom_rest_candidate(rest, i);
    carom_contact_record c =
        carom_contact_general_make(rest->system.bodies, candidate->a, candidate->b,
                                   candidate->normal, candidate->point, candidate->shift);
    c.impulse = carom_rest_source(rest, i)->impulse;
    c.target = carom_rest_choose_target(rest->step, candidate);
    c.friction = candidate->friction;
    return c;
}

static void load_share(carom_rest *rest, int threads)
{
    CAROM_TEAM_EACH (k, rest->island_count, threads) {
        const carom_rest_island *island = &rest->islands[k];
        int end = carom_rest_open(island) && !island->set.spheres
                      ? island->set.first + island->set.count
                      : 0;
        for (int i = island->set.first; i < end; ++i)
            rest->system.contacts[i] = load_contact(rest, i);
        for (int i = island->set.first; i < end && rest->shift; ++i)
            rest->shift[i] = carom_rest_candidate(rest, i)->shift;
        for (int i = island->set.first; i < end && rest->system.rolling; ++i) {
            rest->system.rolling[i] = carom_rest_roll_make(rest, i);
            rest->system.rolling_response[i] = carom_rest_roll_of(rest, i);
        }
    }
}
CAROM_TEAM_SHARE2(load_share, carom_rest *, int)

static carom_status load_contacts(carom_rest *rest, carom_error *err)
{
    const carom_world *world = rest->step->world;
    int count = rest->contact_count;
    rest->system.wide = NULL;
    if (!general(rest))
        return CAROM_OK;
    TAKE(world->scratch, rest->system.contacts, count, err);
    TAKE(world->scratch, rest->system.last, count, err);
    TAKE(world->scratch, rest->system.direction, count, err);
    if (world->periodic)
        TAKE(world->scratch, rest->shift, count, err);
    rest->system.shift = rest->shift;
    for (int k = 0; k < rest->island_count && !rest->system.wide; ++k) {
        const carom_rest_island *island = &rest->islands[k];
        if (carom_rest_open(island) && !island->set.spheres &&
            island->set.count >= CAROM_CONTACT_WIDE_MIN)
            TRY(carom_contact_wide_take(world->scratch, count, world->count, &rest->system.wide,
                                        err));
    }
    int team = count > 1000 ? world->options.threads : 1;
    CAROM_TEAM(team, load_share(rest, team));
    return CAROM_OK;
}

static bool small(const carom_rest_island *island)
{
    return carom_rest_open(island) && island->set.count < CAROM_REST_LARGE;
}

static bool large(const carom_rest_island *island)
{
    return carom_rest_open(island) && island->set.count >= CAROM_REST_LARGE;
}

// Islands are of unlike size: whoever is free takes the next few.
static void relax_small(carom_rest *rest, atomic_int *next)
{
    int few = (rest->island_count + FEW - 1) / FEW;
    for (int k; (k = carom_team_next(next, few)) >= 0;)
        for (int i = FEW * k; i < FEW * (k + 1) && i < rest->island_count; ++i)
            if (small(&rest->islands[i]))
                relax_island(rest, &rest->islands[i], 1);
}
CAROM_TEAM_SHARE2(relax_small, carom_rest *, atomic_int *)

// Large islands that stand still and have nothing to start from get a guess.
static carom_status start_large(carom_rest *rest, carom_error *err)
{
    const carom_world *world = rest->step->world;
    bool falls = vec3_length(vec3_from(world->options.gravity)) > 0;
    for (int i = 0; i < rest->island_count && rest->first && falls; ++i) {
        carom_rest_island *island = &rest->islands[i];
        if (island->method != CAROM_REST_ASSISTED || island->start == CAROM_REST_WARM ||
            island->set.body_count <= CAROM_REST_DIRECT)
            continue;
        carom_rest_sweep_start(rest, island, world->options.threads);
        TRY(carom_rest_support_start(rest, island, err));
        island->start = CAROM_REST_SUPPORTED;
    }
    return CAROM_OK;
}

// Further sweeps for an island that stands still, as long as they get anywhere: that is looked at
// after as many as a wide one may have anyway, else after a quarter of them.
static void settle(carom_rest *rest, carom_rest_island *island, int threads)
{
    bool wide = island->set.body_count > CAROM_REST_DIRECT;
    int most = wide && island->residual > SETTLED ? SETTLING : 1;
    int cap = carom_rest_sweep_cap(rest, island), left = most * cap - island->sweeps;
    int turn = wide ? cap : cap / 4 > FIRST ? cap / 4 : FIRST;
    double fine = (wide ? FINE_PART_WIDE : FINE_PART) * rest->step->world->options.rest_tolerance;
    double good =
        fmax(fmin(wide ? GOOD_WIDE : GOOD, fine), carom_rest_sweep_tolerance(rest, island));
    if (left > 0 && island->residual > good)
        carom_rest_sweep_settle(rest, island, left, turn, wide ? RESERVE * good : good, threads);
}

// Small islands side by side, large ones one after the other with all threads, then those that
// need help.
static carom_status relax(carom_rest *rest, carom_error *err)
{
    int threads = rest->step->world->options.threads, count = rest->island_count;
    int team = count > 1 ? threads : 1;
    TRY(start_large(rest, err));
    for (int i = 0; i < count; ++i)
        TRY(carom_rest_linkage_begin(rest, &rest->islands[i], err));
    atomic_int next = 0;
    CAROM_TEAM(team, relax_small(rest, &next));
    for (int i = 0; i < count; ++i)
        if (large(&rest->islands[i]))
            relax_island(rest, &rest->islands[i], threads);
    for (int i = 0; i < count; ++i)
        if (rest->islands[i].method == CAROM_REST_ASSISTED && unfinished(rest, &rest->islands[i])) {
            carom_rest_island *island = &rest->islands[i];
            TRY(help(rest, island, err));
            settle(rest, island, threads);
        }
    for (int i = 0; i < count; ++i)
        TRY(carom_rest_sway_stop(rest, &rest->islands[i], threads, err));
    carom_ledger *ledger = &rest->step->world->now.ledger;
    int max = 0;
    for (int i = 0; i < count; ++i) {
        max = rest->islands[i].sweeps > max ? rest->islands[i].sweeps : max;
        ledger->rest_residual = fmax(ledger->rest_residual, rest->islands[i].residual);
    }
    ledger->rest_sweeps += max;
    return CAROM_OK;
}

// No body was faster, before this interval's gravity, than gravity makes it in one.
static bool still(const carom_rest *rest, const carom_rest_island *island)
{
    const carom_world *world = rest->step->world;
    double max = vec3_length(vec3_from(world->options.gravity)) * rest->step->h;
    for (int i = island->set.first_body; i < island->set.first_body + island->set.body_count; ++i) {
        vec3 v = world->before[rest->member[i]];
        if (vec3_dot(v, v) > max * max)
            return false;
    }
    return true;
}

static bool unfinished(const carom_rest *rest, const carom_rest_island *island)
{
    return island->residual > carom_rest_sweep_tolerance(rest, island);
}

static bool sinks(const carom_rest *rest, const carom_rest_island *island)
{
    return island->residual > BAD || island->residual * island->scale * rest->step->h >
                                         DEEP * rest->step->world->options.slop;
}

// A few sweeps first. An island that stands still may then ask for help; others get what sweeps
// they may have.
static void relax_island(carom_rest *rest, carom_rest_island *island, int threads)
{
    int cap = carom_rest_sweep_cap(rest, island), max = FIRST;
    if (island->set.body_count > CAROM_REST_DIRECT)
        max = FIRST_LARGE;
    int first = cap < max ? cap : max;
    if (island->start != CAROM_REST_SUPPORTED)
        carom_rest_sweep_start(rest, island, threads);
    carom_rest_sweep_island(rest, island, island->method == CAROM_REST_ASSISTED ? first : cap,
                            threads);
    for (int k = 0; k < MORE && sinks(rest, island) && !carom_rest_ask_stopped(rest, 0); ++k)
        carom_rest_sweep_island(rest, island, cap, threads);
}

static bool slow(const carom_rest *rest, const carom_rest_island *island)
{
    // what is left below that, sweeps take out in the course of time
    double enough = island->set.body_count <= CAROM_REST_DIRECT ? 1e-7 : 1e-6;
    return unfinished(rest, island) && island->residual > enough;
}

// One linear system: of all of an island, where it is small enough; where it is worst, of a large
// one that goes on from the last interval; gradients pay where it starts from nothing.
static carom_status solve_linear(carom_rest *rest, const carom_rest_island *island, bool *done,
                                 carom_error *err)
{
    carom_rest_part part;
    bool small_enough = island->set.body_count <= CAROM_REST_DIRECT;
    if (!small_enough && island->start != CAROM_REST_WARM)
        return carom_rest_gradient_improve(rest, island, GRADIENTS, err);
    if (small_enough)
        TRY(carom_rest_part_whole(rest, island, &part, err));
    else
        TRY(carom_rest_part_worst(rest, island, &part, err));
    *done = part.count > 0;
    return *done ? carom_rest_direct_improve(rest, &part, done, err) : CAROM_OK;
}

// Linear systems and sweeps in turn, as long as that gets anywhere; then sweeps alone. A large
// island that should stand still and moves much faster than the last sweep changed it has errors
// that sweeps do not see (rest_sway.c).
static carom_status help(carom_rest *rest, carom_rest_island *island, carom_error *err)
{
    carom_arena *scratch = rest->step->world->scratch;
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    carom_rest_kept best;
    TRY(carom_rest_kept_take(rest, island, &best, err));
    double before = carom_rest_sway_fastest(rest, island);
    if (island->set.body_count > CAROM_REST_DIRECT && island->start != CAROM_REST_WARM &&
        before > SWAY * island->residual * island->scale) {
        TRY(carom_rest_support_start(rest, island, err));
        carom_rest_sweep_island(rest, island, BETWEEN, 1);
        if (SWAY * island->residual * island->scale < before &&
            carom_rest_sway_fastest(rest, island) < before)
            carom_rest_kept_note(rest, island, &best);
        else
            carom_rest_kept_give_back(rest, island, &best);
    }
    for (int k = 0, poor = 0; k < HELPS && poor < POOR && slow(rest, island); ++k) {
        bool done = true;
        TRY(solve_linear(rest, island, &done, err));
        if (!done)
            break;
        carom_rest_sweep_island(rest, island, BETWEEN, 1);
        if (!(island->residual < LOST * best.residual))
            break;
        poor = island->residual < 0.5 * best.residual ? 0 : poor + 1;
        if (island->residual < best.residual)
            carom_rest_kept_note(rest, island, &best);
    }
    if (!(island->residual <= best.residual))
        carom_rest_kept_give_back(rest, island, &best);
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

static void store_island(const carom_rest *rest, const carom_rest_island *island,
                         unsigned char *moved)
{
    carom_world *world = rest->step->world;
    for (int k = island->set.first_body; k < island->set.first_body + island->set.body_count; ++k) {
        int i = rest->member[k];
        moved[i] = !carom_rest_same(world->now.velocity[i], rest->system.bodies[i].v) ||
                   !carom_rest_same(world->now.spin[i], rest->system.bodies[i].w);
        world->now.velocity[i] = rest->system.bodies[i].v;
        world->now.spin[i] = rest->system.bodies[i].w;
    }
    for (int i = island->set.first; i < island->set.first + island->set.count; ++i)
        rest->step->resting_contacts[rest->source[i]].impulse = rest->system.contacts[i].impulse;
    for (int i = island->set.first;
         i < island->set.first + island->set.count && rest->system.rolling; ++i)
        carom_rest_roll_store(rest, i);
}

// Sweeps that ended too early may have made energy: more of them first, and then as much of the
// impulses as makes none.
static void limit_island(carom_rest *rest, carom_rest_island *island, int threads)
{
    int cap = carom_rest_sweep_cap(rest, island);
    double share = carom_rest_energy_share(rest, island, threads);
    for (int k = 0; k < FURTHER && share < 1 && !carom_rest_ask_stopped(rest, 0); ++k) {
        carom_rest_sweep_island(rest, island, cap, threads);
        share = carom_rest_energy_share(rest, island, threads);
    }
    if (share < 1)
        carom_rest_energy_scale(rest, island, share);
}

static void limit_small(carom_rest *rest, int threads)
{
    CAROM_TEAM_EACH (k, rest->island_count, threads)
        if (small(&rest->islands[k]))
            limit_island(rest, &rest->islands[k], 1);
}
CAROM_TEAM_SHARE2(limit_small, carom_rest *, int)

static void limit_energy(carom_rest *rest)
{
    int threads = rest->step->world->options.threads;
    int team = carom_team_worth(rest->contact_count, threads);
    CAROM_TEAM(team, limit_small(rest, team));
    for (int k = 0; k < rest->island_count; ++k)
        if (large(&rest->islands[k]))
            limit_island(rest, &rest->islands[k], threads);
}

static void store_share(const carom_rest *rest, unsigned char *moved, int threads)
{
    CAROM_TEAM_EACH (k, rest->island_count, threads) {
        const carom_rest_island *island = &rest->islands[k];
        if (carom_rest_open(island) && !island->set.spheres)
            store_island(rest, island, moved);
        else if (small(island))
            carom_rest_sphere_store(rest, island, moved, 1);
    }
    for (int k = 0; k < rest->island_count; ++k) {
        const carom_rest_island *island = &rest->islands[k];
        if (large(island) && island->set.spheres)
            carom_rest_sphere_store(rest, island, moved, threads);
    }
}
CAROM_TEAM_SHARE3(store_share, const carom_rest *, unsigned char *, int)

static void store(const carom_rest *rest, unsigned char *moved)
{
    int team = rest->contact_count > 1000 ? rest->step->world->options.threads : 1;
    CAROM_TEAM(team, store_share(rest, moved, team));
}
