// The public face of the chain room: checks, runs with a step chosen by the energy error, results.
#include "chain/chain_motion.h"
#include "chain/chain_result.h"
#include "chain/chain_waves.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846
#define FIRST_PHASE 0.5 // largest step times highest frequency in the first attempt
#define LARGEST_PHASE 2 // beyond it the scheme approaches its limit of stability
#define BAR_ERROR 1e-7  // energy error of a sliced bar: about this * phase^6 / nodes (measured)
#define MOST_ATTEMPTS 8 // each halves the step: the energy error falls by up to 64
#define DEFAULT_TOLERANCE 1e-10
#define DEFAULT_STEPS 20000000
#define DEFAULT_SAMPLES 800
#define DEFAULT_POINTS 41

static carom_status check_body(const carom_chain *chain, size_t b, carom_error *err);
static carom_status check_contact(const carom_chain *chain, size_t c, carom_error *err);

static bool is_sliced(const carom_chain_body *body)
{
    return body->kind == CAROM_CHAIN_SPHERE || body->kind == CAROM_CHAIN_CYLINDER;
}

double carom_chain_body_mass(const carom_chain_body *body)
{
    double r = body->radius;
    switch (body->kind) {
    case CAROM_CHAIN_MASS:
        return body->mass;
    case CAROM_CHAIN_SPHERE:
        return body->density * 4 / 3 * PI * r * r * r;
    case CAROM_CHAIN_CYLINDER:
        return body->density * PI * r * r * body->length;
    default:
        return INFINITY;
    }
}

double carom_chain_body_length(const carom_chain_body *body)
{
    if (body->kind == CAROM_CHAIN_CYLINDER)
        return body->length;
    return body->kind == CAROM_CHAIN_WALL ? 0 : 2 * body->radius;
}

double carom_chain_body_sound(const carom_chain_body *body)
{
    return is_sliced(body) ? sqrt(body->young / body->density) : (double)INFINITY;
}

const char *carom_chain_exit_word(carom_chain_exit reason)
{
    static const char *const words[] = {
#define WORD(name, word, sentence) word,
        CAROM_CHAIN_EXIT_LIST(WORD)
#undef WORD
    };
    return words[reason];
}

const char *carom_chain_exit_sentence(carom_chain_exit reason)
{
    static const char *const sentences[] = {
#define SENTENCE(name, word, sentence) sentence,
        CAROM_CHAIN_EXIT_LIST(SENTENCE)
#undef SENTENCE
    };
    return sentences[reason];
}

carom_status carom_chain_check(const carom_chain *chain, carom_error *err)
{
    if (!chain->bodies || chain->body_count < 2) {
        carom_error_set(err, CAROM_BAD_INPUT, "a chain of %zu bodies cannot collide",
                        chain->bodies ? chain->body_count : 0);
        return carom_error_fix(err, "give at least two bodies");
    }
    for (size_t b = 0; b < chain->body_count; b++)
        TRY(check_body(chain, b, err));
    for (size_t c = 0; c + 1 < chain->body_count; c++)
        TRY(check_contact(chain, c, err));
    if (!(chain->duration >= 0 && isfinite(chain->duration))) {
        carom_error_set(err, CAROM_BAD_INPUT, "duration is %g", chain->duration);
        return carom_error_fix(err, "use seconds above 0, or leave it out to run until separation");
    }
    if (!(chain->tolerance >= 0 && chain->tolerance < 1)) {
        carom_error_set(err, CAROM_BAD_INPUT, "tolerance is %g, outside (0, 1)", chain->tolerance);
        return carom_error_fix(err, "use a relative energy error such as 1e-10");
    }
    return CAROM_OK;
}

// Refuses a value that must be positive and finite.
static carom_status positive(const char *name, double value, size_t b, carom_error *err)
{
    if (value > 0 && isfinite(value))
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT, "%s is %g", name, value);
    carom_error_where(err, "body %zu", b);
    return carom_error_fix(err, "use a finite value above 0");
}

static carom_status check_body(const carom_chain *chain, size_t b, carom_error *err)
{
    const carom_chain_body *body = &chain->bodies[b];
    bool inside = b > 0 && b + 1 < chain->body_count;
    if (body->kind == CAROM_CHAIN_WALL && (inside || body->velocity != 0)) {
        carom_error_set(err, CAROM_BAD_INPUT,
                        inside ? "a wall stands inside the row" : "a wall moves with velocity %g",
                        body->velocity);
        carom_error_where(err, "body %zu", b);
        return carom_error_fix(err, "walls stand still, as the first or the last body");
    }
    if (!isfinite(body->velocity)) {
        carom_error_set(err, CAROM_BAD_INPUT, "velocity is %g", body->velocity);
        return carom_error_where(err, "body %zu", b);
    }
    if (body->kind == CAROM_CHAIN_MASS) {
        TRY(positive("mass", body->mass, b, err));
        return body->radius == 0 ? CAROM_OK : positive("radius", body->radius, b, err);
    }
    if (!is_sliced(body))
        return CAROM_OK;
    TRY(positive("radius", body->radius, b, err));
    TRY(positive("young", body->young, b, err));
    TRY(positive("density", body->density, b, err));
    if (body->kind == CAROM_CHAIN_CYLINDER)
        TRY(positive("length", body->length, b, err));
    if (body->slices < 1) {
        carom_error_set(err, CAROM_BAD_INPUT, "slices is %d", body->slices);
        carom_error_where(err, "body %zu", b);
        return carom_error_fix(err, "use 1 or more; 80 is a good start");
    }
    if (!(body->damping >= 0 && isfinite(body->damping))) {
        carom_error_set(err, CAROM_BAD_INPUT, "damping is %g", body->damping);
        carom_error_where(err, "body %zu", b);
        return carom_error_fix(err, "use a time of 0 s or more");
    }
    return CAROM_OK;
}

static carom_status check_contact(const carom_chain *chain, size_t c, carom_error *err)
{
    const carom_chain_contact *contact = &chain->contacts[c];
    bool soft = is_sliced(&chain->bodies[c]) || is_sliced(&chain->bodies[c + 1]);
    if (!(contact->gap >= 0 && isfinite(contact->gap))) {
        carom_error_set(err, CAROM_BAD_INPUT, "gap is %g: the bodies overlap", contact->gap);
        carom_error_fix(err, "use a gap of 0 (touching) or more");
    } else if (!(contact->stiffness >= 0 && isfinite(contact->stiffness))) {
        carom_error_set(err, CAROM_BAD_INPUT, "stiffness is %g", contact->stiffness);
        carom_error_fix(err, "use a finite value above 0");
    } else if (contact->stiffness == 0 && !soft) {
        carom_error_set(err, CAROM_BAD_INPUT, "two rigid bodies meet without a contact spring");
        carom_error_fix(err, "give the contact a stiffness above 0");
    } else if (contact->stiffness > 0 && !(contact->exponent >= 1 && contact->exponent <= 20)) {
        carom_error_set(err, CAROM_BAD_INPUT, "exponent is %g, outside [1, 20]", contact->exponent);
        carom_error_fix(err, "use 1 (Hooke), 1.5 (Hertz) or more");
    } else if (!isfinite(carom_chain_body_mass(&chain->bodies[c])) &&
               !isfinite(carom_chain_body_mass(&chain->bodies[c + 1]))) {
        carom_error_set(err, CAROM_BAD_INPUT, "two walls face each other");
        carom_error_fix(err, "put a body that moves between them");
    } else {
        return CAROM_OK;
    }
    return carom_error_where(err, "contact %zu, between bodies %zu and %zu", c, c, c + 1);
}

// The chain with its options filled in.
static carom_chain with_defaults(const carom_chain *chain)
{
    carom_chain full = *chain;
    full.tolerance = full.tolerance > 0 ? full.tolerance : DEFAULT_TOLERANCE;
    full.max_steps = full.max_steps ? full.max_steps : DEFAULT_STEPS;
    full.samples = full.samples > 8 ? full.samples : full.samples ? 8 : DEFAULT_SAMPLES;
    full.points = full.points > 4 ? full.points : full.points ? 4 : DEFAULT_POINTS;
    return full;
}

// Kinetic energy that an impact can turn into compression: about the common centre of mass, unless
// a wall takes up momentum.
static double available_energy(const carom_lattice *lattice, const carom_lattice_state *state)
{
    double energy = carom_lattice_energy(lattice, state);
    if (!lattice->free)
        return energy;
    double mass = 0;
    for (size_t b = 0; b < lattice->bodies; b++)
        mass += lattice->body_mass[b];
    double momentum = carom_lattice_momentum(lattice, state);
    return fmax(energy - momentum * momentum / (2 * mass), 0);
}

static carom_status attempt(const carom_chain *chain, const carom_lattice *lattice, double phase,
                            carom_chain_trace *trace, carom_chain_result *result, carom_error *err)
{
    carom_arena *scratch = carom_chain_result_scratch(result);
    carom_lattice_state state;
    TRY(carom_lattice_start(lattice, chain, scratch, &state, err));
    double frequency = carom_lattice_frequency(lattice, available_energy(lattice, &state));
    if (!(frequency > 0 && isfinite(frequency)))
        frequency = 1; // nothing approaches: any step serves
    carom_chain_motion_limits limits = { .step = phase / frequency,
                                         .duration = chain->duration,
                                         .max_steps = chain->max_steps,
                                         .points = chain->points };
    carom_chain_motion_report report;
    carom_chain_trace_clear(trace);
    TRY(carom_chain_motion_run(lattice, &limits, &state, trace, carom_chain_result_touch(result),
                               scratch, &report, err));
    result->step = limits.step;
    result->steps = report.steps;
    result->events = report.events;
    result->time = report.time;
    result->exit = report.exit;
    result->energy_before = report.energy_before;
    result->energy_after = report.energy_after;
    result->dissipated = report.dissipated;
    result->energy_error = report.energy_error;
    for (size_t b = 0; b < lattice->bodies; b++)
        carom_chain_result_set_body(result, b, carom_lattice_body_velocity(lattice, &state, b),
                                    carom_lattice_vibration(lattice, &state, b));
    return CAROM_OK;
}

// Few of the modes of a finely cut bar carry energy, so it stands a larger first step.
static double first_phase(const carom_lattice *lattice, double tolerance)
{
    double phase = FIRST_PHASE;
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
    for (result->attempts = 1; result->attempts <= MOST_ATTEMPTS; result->attempts++) {
        TRY(attempt(chain, &lattice, phase, &trace, result, err));
        carom_arena_rewind(scratch, mark);
        result->accurate = result->energy_error <= chain->tolerance;
        if (result->accurate || result->exit == CAROM_CHAIN_EXIT_STEPS ||
            result->attempts == MOST_ATTEMPTS)
            break;
        phase /= 2;
    }
    return carom_chain_trace_history(&trace, arena, &result->history, err);
}

carom_status carom_chain_run(const carom_chain *chain, carom_chain_result **out, carom_error *err)
{
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
    *out = NULL;
    TRY(carom_chain_check(chain, err));
    carom_chain full = with_defaults(chain);
    carom_chain_result *result;
    TRY(carom_chain_result_create(&full, &result, err));
    carom_status status = carom_chain_waves_run(&full, result, err);
    return carom_chain_result_finish(result, status, out);
}
