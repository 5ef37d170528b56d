// The public face of the chain room: checks, runs with a step chosen by the energy error, results.
#include "chain/chain_motion.h"

#include <math.h>
#include <stdlib.h>
#include "chain/chain_result.h"
#include "chain/chain_waves.h"
#include "math/constants.h"

#define RIGID_PHASE 0.1 // rigid rows cost nothing: a smooth history is worth more
#define FIRST_PHASE 0.5 // largest step times highest frequency in the first attempt
#define LARGEST_PHASE 2 // beyond it the scheme approaches its limit of stability
#define BAR_ERROR 1e-7  // energy error of a sliced bar: about this * phase^6 / nodes (measured)
#define ATTEMPTS_MAX 8  // each halves the step: the energy error falls by up to 64
#define DEFAULT_TOLERANCE 1e-10
#define DEFAULT_STEPS 2000000
#define DEFAULT_SAMPLES 800
#define DEFAULT_POINTS 41
#define HISTORY 4000000 // drawn points of all bodies and samples together, about 30 MB

static bool is_sliced(const carom_chain_body *body)
{
    return body->kind == CAROM_CHAIN_SPHERE || body->kind == CAROM_CHAIN_CYLINDER;
}

double carom_chain_body_mass(const carom_chain_body *body)
{
    if (!body)
        return 0;
    double r = body->radius;
    switch (body->kind) {
    case CAROM_CHAIN_MASS:
        return body->mass;
    case CAROM_CHAIN_SPHERE:
        return body->density * 4 / 3 * CAROM_PI * r * r * r;
    case CAROM_CHAIN_CYLINDER:
        return body->density * CAROM_PI * r * r * body->length;
    default:
        return HUGE_VAL;
    }
}

double carom_chain_body_length(const carom_chain_body *body)
{
    if (!body)
        return 0;
    if (body->kind == CAROM_CHAIN_CYLINDER)
        return body->length;
    return body->kind == CAROM_CHAIN_WALL ? 0 : 2 * body->radius;
}

double carom_chain_body_sound(const carom_chain_body *body)
{
    if (!body)
        return 0;
    return is_sliced(body) ? sqrt(body->young / body->density) : HUGE_VAL;
}

const char *carom_chain_exit_word(carom_chain_exit reason)
{
    static const char *const words[] = {
#define WORD(name, word, sentence) word,
        CAROM_CHAIN_EXIT_LIST(WORD)
#undef WORD
    };
    return WORD_OF(words, reason);
}

const char *carom_chain_exit_sentence(carom_chain_exit reason)
{
    static const char *const sentences[] = {
#define SENTENCE(name, word, sentence) sentence,
        CAROM_CHAIN_EXIT_LIST(SENTENCE)
#undef SENTENCE
    };
    return WORD_OF(sentences, reason);
}

// The chain with its options filled in.
static carom_chain with_defaults(const carom_chain *chain)
{
    carom_chain full = *chain;
    full.tolerance = full.tolerance > 0 ? full.tolerance : DEFAULT_TOLERANCE;
    full.max_steps = full.max_steps ? full.max_steps : DEFAULT_STEPS;
    full.samples = full.samples > 8 ? full.samples : full.samples ? 8 : DEFAULT_SAMPLES;
    if (full.points == 0) { // rows of many bodies are drawn with fewer points each
        size_t room = HISTORY / (full.samples * full.body_count);
        full.points = room < DEFAULT_POINTS ? room : DEFAULT_POINTS;
        full.points = full.points > 4 ? full.points : 4;
    }
    full.points = full.points > 4 ? full.points : 4;
    return full;
}

static double work_left(const carom_chain *chain, const carom_chain_result *result)
{
    return chain->work_max > 0 ? chain->work_max - result->work : HUGE_VAL;
}

// What a given duration surely takes: the bodies themselves vibrate, whatever their contacts do.
static carom_status check_work(const carom_chain *chain, const carom_lattice *lattice, double phase,
                               carom_arena *scratch, carom_error *err)
{
    bool *open;
    carom_lattice_state state;
    if (!(chain->duration > 0 && chain->work_max > 0))
        return CAROM_OK; // until they separate: nobody knows
    TAKE_ZEROS(scratch, open, lattice->contacts, err);
    TRY(carom_lattice_start(lattice, chain, scratch, &state, err));
    double steps = chain->duration * carom_lattice_frequency(lattice, &state, open) / phase;
    double work = fmin(steps, (double)chain->max_steps) * carom_chain_motion_cost(lattice);
    if (!(work > chain->work_max))
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT,
                    "%.3g s take at least %.2g steps of %zu nodes, beyond the limit of %.3g",
                    chain->duration, steps, lattice->nodes, chain->work_max);
    carom_error_where(err, "the duration of the chain");
    return carom_error_fix(err, "use a shorter duration or fewer slices, or --limit %.2g to go on",
                           2 * work);
}

static carom_status attempt(const carom_chain *chain, const carom_lattice *lattice, double phase,
                            carom_chain_trace *trace, carom_chain_result *result, carom_error *err)
{
    carom_arena *scratch = carom_chain_result_scratch(result);
    carom_lattice_state state;
    TRY(carom_lattice_start(lattice, chain, scratch, &state, err));
    carom_chain_motion_limits limits = { .phase = phase,
                                         .duration = chain->duration,
                                         .max_steps = chain->max_steps,
                                         .work = work_left(chain, result),
                                         .points = chain->points };
    carom_chain_motion_log log = { .trace = trace, .touch = carom_chain_result_touch(result) };
    carom_chain_trace_clear(trace);
    TRY(carom_chain_motion_run(lattice, &limits, &state, &log, scratch, err));
    result->work += log.report.work;
    result->step = log.report.step;
    result->steps = log.report.steps;
    result->events = log.report.events;
    result->time = log.report.time;
    result->exit = log.report.exit;
    result->energy_before = log.report.energy_before;
    result->energy_after = log.report.energy_after;
    result->dissipated = log.report.dissipated;
    result->energy_error = log.report.energy_error;
    for (size_t b = 0; b < lattice->bodies; b++)
        carom_chain_result_set_body(result, b, carom_lattice_body_velocity(lattice, &state, b),
                                    carom_lattice_vibration(lattice, &state, b));
    return CAROM_OK;
}

// Few of the modes of a finely cut bar carry energy, so it stands a larger first step.
static double first_phase(const carom_lattice *lattice, double tolerance)
{
    double phase = lattice->rigid ? RIGID_PHASE : FIRST_PHASE;
    double error = BAR_ERROR / (double)lattice->nodes; // at phase 1
    for (; !lattice->rigid && phase < LARGEST_PHASE; phase *= 2) {
        double doubled = 64 * phase * phase * phase * phase * phase * phase;
        if (error * doubled > tolerance / 2)
            break;
    }
    return phase;
}

static carom_status run(const carom_chain *chain, carom_chain_result *result, carom_error *err)
{
    carom_arena *arena = carom_chain_result_arena(result);
    carom_lattice lattice;
    TRY(carom_lattice_build(chain, arena, &lattice, err));
    result->nodes = lattice.nodes;
    size_t *points;
    TAKE(arena, points, lattice.bodies, err);
    for (size_t b = 0; b < lattice.bodies; b++)
        points[b] = carom_chain_motion_points(&lattice, b, chain->points);
    carom_arena *scratch = carom_chain_result_scratch(result);
    carom_chain_trace trace;
    TRY(carom_chain_trace_create(lattice.bodies, points, chain->samples, scratch, &trace, err));
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    double phase = first_phase(&lattice, chain->tolerance);
    TRY(check_work(chain, &lattice, phase, scratch, err));
    carom_arena_rewind(scratch, mark);
    for (result->attempts = 1; result->attempts <= ATTEMPTS_MAX; result->attempts++) {
        TRY(attempt(chain, &lattice, phase, &trace, result, err));
        carom_arena_rewind(scratch, mark);
        result->accurate = result->energy_error <= chain->tolerance;
        if (result->accurate || result->exit == CAROM_CHAIN_EXIT_STEPS ||
            result->exit == CAROM_CHAIN_EXIT_WORK || result->attempts == ATTEMPTS_MAX)
            break;
        phase /= 2;
    }
    return carom_chain_trace_history(&trace, arena, &result->history, err);
}

carom_status carom_chain_run(const carom_chain *chain, carom_chain_result **out, carom_error *err)
{
    NEED(err, chain, out);
    *out = NULL;
    TRY(carom_chain_check(chain, err));
    carom_chain full = with_defaults(chain);
    carom_chain_result *result;
    TRY(carom_chain_result_create(&full, &result, err));
    carom_status status = run(&full, result, err);
    return carom_chain_result_finish(result, status, out);
}

carom_status carom_chain_waves(const carom_chain *chain, carom_chain_result **out, carom_error *err)
{
    NEED(err, chain, out);
    *out = NULL;
    TRY(carom_chain_check(chain, err));
    carom_chain full = with_defaults(chain);
    carom_chain_result *result;
    TRY(carom_chain_result_create(&full, &result, err));
    carom_status status = carom_chain_waves_run(&full, result, err);
    return carom_chain_result_finish(result, status, out);
}
