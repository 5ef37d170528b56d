// Sways: errors that are spread over so many bodies that sweeps do not see them.
//
// What a sweep changes of a stack that leans as a whole goes by the curvature of the lean, and ends
// the sweeps while the velocities are a hundred times as large. Gravity makes them grow: a row of
// blocks with a load of n times its own weight falls over at the rate of sqrt(n g / L), and where
// sweeps take out less of that than it gains, a stack at rest sways twice as far every few tenths
// of a second. So islands that look settled are asked a few times a second whether many of their
// bodies move, faster than their sweeps would show and no faster than so many changes of sweeps add
// up to, and get linear systems of the whole then.
//
// A system that stops a sway does so by the impulses of one interval, and the next begins with
// them: it would start with the same velocities turned round, found where there were none before.
// That is looked for in a second interval, from half of the speed on; what it is left with are the
// impulses that hold the stack.
#include <math.h>
#include "world/rest.h"

static const double often = 0.125; // s
// Speeds that are let be, as parts of the speed that counts as one: of islands whose systems are
// cheap (a drift of some 1e-7 m in a second at 1/60 s), and of others.
static const double let_be = 2e-6, let_be_wide = 6e-5;
static const double hidden = 10; // times the change of a sweep
// Most bodies, and most of what their elimination may take for each (sparse_block.h): walls, not
// heaps of thousands, whose systems fill up.
enum { MOST_BODIES = 8192, MOST_WORK = 2048 };
enum { SYSTEMS = 6, SWEEPS = 6, POOR = 2 };         // POOR: systems in a row that do not help
enum { SHARED = 32 };                               // bodies, as fast as the fastest
static const double enough = 1.0 / 32, helps = 0.5; // of the speed there was

// The speed of the fastest body, m/s.
double carom_rest_sway_fastest(const carom_rest *rest, const carom_rest_island *island)
{
    double max = 0;
    for (int i = island->set.first_body; i < island->set.first_body + island->set.body_count; ++i) {
        vec3 v = rest->system.bodies[rest->member[i]].v;
        max = fmax(max, vec3_dot(v, v));
    }
    return sqrt(max);
}

// The same before this interval's gravity.
static double fastest_before(const carom_rest *rest, const carom_rest_island *island)
{
    double max = 0;
    for (int i = island->set.first_body; i < island->set.first_body + island->set.body_count; ++i) {
        vec3 v = rest->step->world->before[rest->member[i]];
        max = fmax(max, vec3_dot(v, v));
    }
    return sqrt(max);
}

// Whether an eighth of the bodies of a small island share it, or more of a large one than its worst
// part has (rest_part.c): a single one that rocks on a pile is no sway.
static bool spread(const carom_rest *rest, const carom_rest_island *island, double fastest)
{
    double sum = 0;
    for (int i = island->set.first_body; i < island->set.first_body + island->set.body_count; ++i) {
        vec3 v = rest->system.bodies[rest->member[i]].v;
        sum += vec3_dot(v, v);
    }
    return sum >= fmin(SHARED, 0.125 * island->set.body_count) * fastest * fastest;
}

// One interval of every `often`, and the next.
static bool due(const carom_step *step)
{
    double time = step->world->now.ledger.time;
    return floor((time + step->h) / often) > floor((time - step->h) / often);
}

static bool sways(const carom_rest *rest, const carom_rest_island *island)
{
    bool wide = island->set.body_count > CAROM_REST_DIRECT;
    double least = (wide ? let_be_wide : let_be) * island->scale;
    double change = island->residual * island->scale;
    if (island->method != CAROM_REST_ASSISTED || island->start != CAROM_REST_WARM ||
        island->set.body_count > MOST_BODIES)
        return false;
    double fastest = carom_rest_sway_fastest(rest, island);
    if (!(fastest > 0.5 * least) || !(fastest > hidden * change) ||
        fastest > island->set.body_count * change)
        return false;
    bool answers = fastest_before(rest, island) < 0.5 * fastest;
    return (answers || fastest > least) && spread(rest, island, fastest);
}

carom_status carom_rest_sway_stop(carom_rest *rest, carom_rest_island *island, int threads,
                                  carom_error *err)
{
    carom_arena *scratch = rest->step->world->scratch;
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    carom_rest_part part;
    carom_rest_kept best;
    if (!due(rest->step) || !sways(rest, island))
        return CAROM_OK;
    double first = carom_rest_sway_fastest(rest, island), least = first, now = first;
    TRY(carom_rest_kept_take(rest, island, &best, err));
    TRY(carom_rest_part_whole(rest, island, &part, err));
    part.most_work = MOST_WORK;
    for (int k = 0, poor = 0; k < SYSTEMS && poor < POOR && least > enough * first; ++k) {
        bool done;
        TRY(carom_rest_direct_improve(rest, &part, &done, err));
        if (!done)
            break;
        part.ordered = true;
        carom_rest_sweep_island(rest, island, SWEEPS, threads);
        now = carom_rest_sway_fastest(rest, island);
        poor = now < helps * least ? 0 : poor + 1;
        if (poor > 0)
            continue;
        least = now;
        carom_rest_kept_note(rest, island, &best);
    }
    if (now > least)
        carom_rest_kept_give_back(rest, island, &best);
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}
