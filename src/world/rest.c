// Resting contact: inelastic, with Coulomb's cone, over one interval.
//
// For each contact: 0 <= p_n, u_n + max(gap, 0)/h >= 0, p_n (u_n + gap/h) = 0, |p_t| <= friction
// p_n with p_t against the slip. Projected Gauss-Seidel (rest_sweep.c) island by island
// (rest_island.c), started from the impulses of the last interval. A large island gets few sweeps
// per interval: what they leave, the next interval's start from there takes up, and at rest nothing
// is left.
#include "base/team.h"
#include "world/rest.h"

// Sweeps before an island asks for help, and between linear systems; how many of those, and how
// many in a row may fail to halve the residual.
#define GOOD 1e-6    // relative residual below which an island at rest waits for the next interval
enum { ROUNDS = 3 }; // of taking in what closes after all
enum { FURTHER = 10 }; // times the sweeps of an island that would gain energy
// An island whose last sweep changed more than this part of what gravity does is far from any
// solution, and would sink into itself: up to so many times the sweeps.
#define BAD 0.1
enum { MORE = 8 };
enum { SWAY = 10 }; // times the change of a sweep
enum { FIRST = 16, FIRST_LARGE = 4, BETWEEN = 6, HELPS = 12, POOR = 3, GRADIENTS = 60 };

static carom_status solve_round(carom_rest *rest, unsigned char *moved, carom_error *err);
static carom_status load_bodies(carom_rest *rest, carom_error *err);
static carom_status load_contacts(carom_rest *rest, carom_error *err);
static carom_status relax(carom_rest *rest, carom_error *err);
static void relax_island(carom_rest *rest, carom_rest_island *island, int threads);
static bool unfinished(const carom_rest *rest, const carom_rest_island *island);
static carom_status help(carom_rest *rest, carom_rest_island *island, carom_error *err);
static void store(const carom_rest *rest, unsigned char *moved);
static bool still(const carom_rest *rest, const carom_rest_island *island);
static void choose_kind(carom_rest *rest);
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
    return carom_warm_start_keep(step, err);
}

static carom_status solve_round(carom_rest *rest, unsigned char *moved, carom_error *err)
{
    TRY(carom_rest_island_build(rest, err));
    choose_kind(rest);
    TRY(load_bodies(rest, err));
    TRY(carom_rest_roll_load(rest, err));
    TRY(load_contacts(rest, err));
    TRY(carom_rest_round_load(rest, err));
    TRY(relax(rest, err));
    limit_energy(rest);
    TRY(carom_rest_ask_result(rest, err));
    store(rest, moved);
    return CAROM_OK;
}

// Balls have records of their own, except where a linear system may be asked for.
static void choose_kind(carom_rest *rest)
{
    for (int k = 0; k < rest->island_count; ++k) {
        carom_rest_island *island = &rest->islands[k];
        if (!island->fresh)
            continue;
        bool plain = island->joint_count == 0;
        island->helped = island->body_count > 1 && plain && still(rest, island);
        island->round =
            island->balls && plain &&
            !(island->helped && (island->body_count <= CAROM_REST_DIRECT || !island->warm));
    }
}

static void load_body(carom_rest *rest, int i)
{
    const carom_world *world = rest->step->world;
    rest->changed_in[i] = 0;
    rest->bodies[i] = (carom_rest_body){ .v = world->now.velocity[i],
                                         .inverse_mass = world->inverse_mass[i],
                                         .w = world->now.spin[i],
                                         .x = world->now.position[i],
                                         .inverse_inertia = world->inverse_inertia[i] };
}

static carom_status load_bodies(carom_rest *rest, carom_error *err)
{
    const carom_world *world = rest->step->world;
    TAKE(world->scratch, rest->bodies, world->count, err);
    TAKE(world->scratch, rest->changed_in, world->count, err);
    for (int k = 0; k < rest->island_count; ++k) {
        const carom_rest_island *island = &rest->islands[k];
        for (int i = 0; i < island->body_count && island->fresh && !island->round; ++i)
            load_body(rest, rest->member[island->first_body + i]);
    }
    for (int i = 0; i < world->count; ++i)
        if (world->fixed[i])
            load_body(rest, i);
    return CAROM_OK;
}

// K times an impulse.
static vec3 respond(const carom_rest_body *a, const carom_rest_body *b, vec3 arm_a, vec3 arm_b,
                    vec3 impulse)
{
    vec3 at_a = vec3_cross(sym3_mul(a->inverse_inertia, vec3_cross(arm_a, impulse)), arm_a);
    vec3 at_b = vec3_cross(sym3_mul(b->inverse_inertia, vec3_cross(arm_b, impulse)), arm_b);
    return vec3_axpy(vec3_add(at_a, at_b), a->inverse_mass + b->inverse_mass, impulse);
}

static carom_rest_contact load_contact(const carom_rest *rest, int i)
{
    const carom_candidate *candidate = carom_rest_candidate(rest, i);
    const carom_rest_body *a = &rest->bodies[candidate->a], *b = &rest->bodies[candidate->b];
    vec3 arm_a = vec3_sub(candidate->point, a->x), arm_b = vec3_sub(candidate->point, b->x);
    vec3 n = candidate->normal, t1, t2;
    vec3_tangents(n, &t1, &t2);
    vec3 r1 = respond(a, b, arm_a, arm_b, t1), r2 = respond(a, b, arm_a, arm_b, t2);
    double k11 = vec3_dot(t1, r1), k22 = vec3_dot(t2, r2), k12 = vec3_dot(t1, r2);
    double half = 0.5 * (k11 - k22);
    double largest = 0.5 * (k11 + k22) + sqrt(half * half + k12 * k12);
    vec3 lift = respond(a, b, arm_a, arm_b, n);
    return (carom_rest_contact){ .a = candidate->a,
                                 .b = candidate->b,
                                 .n = n,
                                 .point = candidate->point,
                                 .impulse = carom_rest_press(rest, i)->impulse,
                                 .lift = lift,
                                 .normal_mass = 1 / vec3_dot(n, lift),
                                 .tangent_mass = 1 / largest,
                                 .target = carom_rest_choose_target(rest->step, candidate),
                                 .friction = candidate->friction };
}

static void load_share(carom_rest *rest, int threads)
{
    CAROM_TEAM_EACH (k, rest->island_count, threads) {
        const carom_rest_island *island = &rest->islands[k];
        int end = island->fresh && !island->round ? island->first + island->count : 0;
        for (int i = island->first; i < end; ++i)
            rest->contacts[i] = load_contact(rest, i);
        for (int i = island->first; i < end && rest->rolls; ++i) {
            rest->rolls[i] = carom_rest_roll_make(rest, i);
            rest->roll_answers[i] = carom_rest_roll_of(rest, i);
        }
    }
}
CAROM_TEAM_SHARE2(load_share, carom_rest *, int)

static carom_status load_contacts(carom_rest *rest, carom_error *err)
{
    const carom_world *world = rest->step->world;
    int count = rest->contact_count;
    TAKE(world->scratch, rest->contacts, count, err);
    TAKE(world->scratch, rest->change, count, err);
    TAKE(world->scratch, rest->along, count, err);
    int team = count > 1000 ? world->options.threads : 1;
    CAROM_TEAM(team, load_share(rest, team));
    return CAROM_OK;
}

static void relax_small(carom_rest *rest, int threads)
{
    CAROM_TEAM_EACH (i, rest->island_count, threads)
        if (rest->islands[i].fresh && rest->islands[i].count < CAROM_REST_LARGE)
            relax_island(rest, &rest->islands[i], 1);
}
CAROM_TEAM_SHARE2(relax_small, carom_rest *, int)

// Large islands that stand still and have nothing to start from get a guess.
static carom_status start_large(carom_rest *rest, carom_error *err)
{
    const carom_world *world = rest->step->world;
    bool falls = vec3_length(vec3_from(world->options.gravity)) > 0;
    for (int i = 0; i < rest->island_count && rest->first && falls; ++i) {
        carom_rest_island *island = &rest->islands[i];
        if (!island->helped || island->warm || island->body_count <= CAROM_REST_DIRECT)
            continue;
        carom_rest_sweep_start(rest, island, world->options.threads);
        TRY(carom_rest_support_start(rest, island, err));
        island->started = true;
    }
    return CAROM_OK;
}

// Small islands side by side, large ones one after the other with all threads, then those that
// need help.
static carom_status relax(carom_rest *rest, carom_error *err)
{
    int threads = rest->step->world->options.threads, count = rest->island_count;
    int team = count > 1 ? threads : 1;
    TRY(start_large(rest, err));
    CAROM_TEAM(team, relax_small(rest, team));
    for (int i = 0; i < count; ++i)
        if (rest->islands[i].fresh && rest->islands[i].count >= CAROM_REST_LARGE)
            relax_island(rest, &rest->islands[i], threads);
    for (int i = 0; i < count; ++i)
        if (rest->islands[i].helped && !rest->islands[i].round &&
            unfinished(rest, &rest->islands[i])) {
            carom_rest_island *island = &rest->islands[i];
            TRY(help(rest, island, err));
            int left = carom_rest_sweep_cap(rest, island) - island->sweeps;
            if (unfinished(rest, island) && island->residual > GOOD && left > 0)
                carom_rest_sweep_island(rest, island, left, threads);
        }
    carom_ledger *ledger = &rest->step->world->now.ledger;
    int most = 0;
    for (int i = 0; i < count; ++i) {
        most = rest->islands[i].sweeps > most ? rest->islands[i].sweeps : most;
        ledger->rest_residual = fmax(ledger->rest_residual, rest->islands[i].residual);
    }
    ledger->rest_sweeps += most;
    return CAROM_OK;
}

// No body was faster, before this interval's gravity, than gravity makes it in one.
static bool still(const carom_rest *rest, const carom_rest_island *island)
{
    const carom_world *world = rest->step->world;
    double most = vec3_length(vec3_from(world->options.gravity)) * rest->step->h;
    for (int i = island->first_body; i < island->first_body + island->body_count; ++i) {
        vec3 v = world->before[rest->member[i]];
        if (vec3_dot(v, v) > most * most)
            return false;
    }
    return true;
}

static bool unfinished(const carom_rest *rest, const carom_rest_island *island)
{
    return island->residual > carom_rest_sweep_tolerance(rest, island);
}

// A few sweeps first. An island that stands still may then ask for help; others get what sweeps
// they may have.
static void relax_island(carom_rest *rest, carom_rest_island *island, int threads)
{
    int cap = carom_rest_sweep_cap(rest, island), most = FIRST;
    if (island->body_count > CAROM_REST_DIRECT)
        most = FIRST_LARGE;
    int first = cap < most ? cap : most;
    if (!island->started)
        carom_rest_sweep_start(rest, island, threads);
    carom_rest_sweep_island(rest, island, island->helped && !island->round ? first : cap, threads);
    for (int k = 0; k < MORE && island->residual > BAD && !carom_rest_ask_stopped(rest, 0); ++k)
        carom_rest_sweep_island(rest, island, cap, threads);
}

static bool slow(const carom_rest *rest, const carom_rest_island *island)
{
    // Gradients pay where a large island starts from nothing; a pile that creeps only costs them.
    if (island->body_count > CAROM_REST_DIRECT && island->warm)
        return false;
    // what is left below that, sweeps take out in the course of time
    double enough = island->body_count <= CAROM_REST_DIRECT ? 1e-7 : 1e-6;
    return island->helped && unfinished(rest, island) && island->residual > enough;
}

// The speed of the fastest body, m/s. A large island that should stand still and moves much faster
// than the last sweep changed it has errors that are spread over so many bodies that sweeps do not
// see them; gravity makes them grow.
static double fastest(const carom_rest *rest, const carom_rest_island *island)
{
    double most = 0;
    for (int i = island->first_body; i < island->first_body + island->body_count; ++i) {
        vec3 v = rest->bodies[rest->member[i]].v;
        most = fmax(most, vec3_dot(v, v));
    }
    return sqrt(most);
}

// The best state of an island so far.
typedef struct kept {
    vec3 *impulse, *moment; // moment: null where nothing resists rolling
    carom_rest_twist *twist;
    double residual;
} kept;

static void keep(const carom_rest *rest, const carom_rest_island *island, kept *k)
{
    for (int i = 0; i < island->count; ++i)
        k->impulse[i] = rest->contacts[island->first + i].impulse;
    for (int i = 0; i < island->count && k->moment; ++i)
        k->moment[i] = rest->rolls[island->first + i].moment;
    for (int i = 0; i < island->body_count; ++i) {
        const carom_rest_body *body = &rest->bodies[rest->member[island->first_body + i]];
        k->twist[i] = (carom_rest_twist){ body->v, body->w };
    }
    k->residual = island->residual;
}

static void give_back(carom_rest *rest, carom_rest_island *island, const kept *k)
{
    for (int i = 0; i < island->count; ++i)
        rest->contacts[island->first + i].impulse = k->impulse[i];
    for (int i = 0; i < island->count && k->moment; ++i)
        rest->rolls[island->first + i].moment = k->moment[i];
    for (int i = 0; i < island->body_count; ++i) {
        carom_rest_body *body = &rest->bodies[rest->member[island->first_body + i]];
        body->v = k->twist[i].v;
        body->w = k->twist[i].w;
    }
    island->residual = k->residual;
}

// Linear systems and sweeps in turn, as long as that gets anywhere; then sweeps alone.
static carom_status help(carom_rest *rest, carom_rest_island *island, carom_error *err)
{
    carom_arena *scratch = rest->step->world->scratch;
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    kept best = { 0 };
    TAKE(scratch, best.impulse, island->count, err);
    if (rest->rolls)
        TAKE(scratch, best.moment, island->count, err);
    TAKE(scratch, best.twist, island->body_count, err);
    keep(rest, island, &best);
    double before = fastest(rest, island);
    if (island->body_count > CAROM_REST_DIRECT &&
        before > SWAY * island->residual * island->scale) {
        TRY(carom_rest_support_start(rest, island, err));
        carom_rest_sweep_island(rest, island, BETWEEN, 1);
        if (SWAY * island->residual * island->scale < before && fastest(rest, island) < before)
            keep(rest, island, &best);
        else
            give_back(rest, island, &best);
    }
    for (int round = 0, poor = 0; round < HELPS && poor < POOR && slow(rest, island); ++round) {
        bool done = true;
        if (island->body_count <= CAROM_REST_DIRECT)
            TRY(carom_rest_direct_improve(rest, island, &done, err));
        else
            TRY(carom_rest_gradient_improve(rest, island, GRADIENTS, err));
        if (!done)
            break;
        carom_rest_sweep_island(rest, island, BETWEEN, 1);
        poor = island->residual < 0.5 * best.residual ? 0 : poor + 1;
        if (island->residual < best.residual)
            keep(rest, island, &best);
    }
    if (!(island->residual <= best.residual))
        give_back(rest, island, &best);
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

static void store_island(const carom_rest *rest, const carom_rest_island *island,
                         unsigned char *moved)
{
    carom_world *world = rest->step->world;
    for (int k = island->first_body; k < island->first_body + island->body_count; ++k) {
        int i = rest->member[k];
        moved[i] = !carom_rest_same(world->now.velocity[i], rest->bodies[i].v) ||
                   !carom_rest_same(world->now.spin[i], rest->bodies[i].w);
        world->now.velocity[i] = rest->bodies[i].v;
        world->now.spin[i] = rest->bodies[i].w;
    }
    for (int i = island->first; i < island->first + island->count; ++i)
        rest->step->resting_contacts[rest->press_of[i]].impulse = rest->contacts[i].impulse;
    for (int i = island->first; i < island->first + island->count && rest->rolls; ++i)
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
        if (rest->islands[k].fresh && rest->islands[k].count < CAROM_REST_LARGE)
            limit_island(rest, &rest->islands[k], 1);
}
CAROM_TEAM_SHARE2(limit_small, carom_rest *, int)

static void limit_energy(carom_rest *rest)
{
    int threads = rest->step->world->options.threads;
    int team = carom_team_worth(rest->contact_count, threads);
    CAROM_TEAM(team, limit_small(rest, team));
    for (int k = 0; k < rest->island_count; ++k)
        if (rest->islands[k].fresh && rest->islands[k].count >= CAROM_REST_LARGE)
            limit_island(rest, &rest->islands[k], threads);
}

static void store_share(const carom_rest *rest, unsigned char *moved, int threads)
{
    CAROM_TEAM_EACH (k, rest->island_count, threads) {
        const carom_rest_island *island = &rest->islands[k];
        if (island->fresh && !island->round)
            store_island(rest, island, moved);
        else if (island->fresh && island->count < CAROM_REST_LARGE)
            carom_rest_round_store(rest, island, moved, 1);
    }
    for (int k = 0; k < rest->island_count; ++k) {
        const carom_rest_island *island = &rest->islands[k];
        if (island->fresh && island->round && island->count >= CAROM_REST_LARGE)
            carom_rest_round_store(rest, island, moved, threads);
    }
}
CAROM_TEAM_SHARE3(store_share, const carom_rest *, unsigned char *, int)

static void store(const carom_rest *rest, unsigned char *moved)
{
    int team = rest->contact_count > 1000 ? rest->step->world->options.threads : 1;
    CAROM_TEAM(team, store_share(rest, moved, team));
}
