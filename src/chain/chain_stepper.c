// Time stepping with elastic contacts [EC, sections 5 and 6].
//
// A step treats all contacts as inelastic first: impulses at the beginning of the step such that no
// gap is negative at its end, complementary to the gaps (eq 3). That moves the bodies and tells
// which contacts were hit. Then only the velocities are replaced, from those before the step, on
// the contacts that were hit:
//   fixed point   f = f_{n-1,n} o ... o f_{1,2} (eqs 16, 17), pair collisions in the order of the
//   row Newton        one projection on separation speeds of restitution times approach (section 5,
//   [5]) Poisson       (1 + e) times the impulse of compression, then inelastic again (section 5,
//   [1])
//
// The fixed point with e = 1 keeps the energy and ends when no active contact approaches. Where the
// active contacts reach from a wall to a wall, or around a frame, "no contact approaches" leaves
// only one common velocity, which has less energy: it cannot end (section 6). This is detected
// before iterating; partly elastic rows approach their limit geometrically and end by tolerance or
// by the pass budget. What does not end is finished by Poisson's hypothesis from the velocities
// before the step, which never gains energy.
#include "base/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "carom/chain.h"
#include "chain/pool_adjacent_violators.h"

#define PASSES_MAX 100000
#define AT_REST 1e-12 // of the fastest approach: contacts slower than this no longer collide

struct carom_chain_stepper {
    carom_arena *arena;
    carom_pool_adjacent_violators row;
    size_t contacts;
    double *mass, *bound;
    double *velocity, *before, *after, *moved;
    double *gap, *shift;
    double *inelastic, *impulse, *extra;
    bool *active;
    carom_pool_adjacent_violators_block *block;
};

static carom_status fill(carom_chain_stepper *s, const carom_chain_row *row, carom_error *err);
static carom_status check_row(const carom_chain_row *row, carom_error *err);
static carom_status inelastic_step(carom_chain_stepper *s, double dt, carom_error *err);
static void fixed_point(carom_chain_stepper *s, double e, carom_chain_step_report *report);
static void newton(carom_chain_stepper *s, double e);
static void poisson(carom_chain_stepper *s, double e);

carom_status carom_chain_stepper_step(carom_chain_stepper *s, double dt, double restitution,
                                      carom_chain_rule rule, carom_chain_step_report *report,
                                      carom_error *err)
{
    NEED(err, s);
    NEED(err, report);
    *report = (carom_chain_step_report){ .converged = true };
    if (!(dt > 0 && isfinite(dt) && restitution >= 0 && restitution <= 1)) {
        carom_error_set(err, CAROM_BAD_INPUT, "a step of %g s with restitution %g", dt,
                        restitution);
        return carom_error_fix(err, "use a time above 0 and a restitution from 0 to 1");
    }
    for (size_t i = 0; i < s->row.count; i++)
        if (isfinite(s->mass[i]))
            report->energy_before += s->mass[i] * s->velocity[i] * s->velocity[i] / 2;
    memcpy(s->before, s->velocity, s->row.count * sizeof *s->before);
    TRY(inelastic_step(s, dt, err));
    for (size_t c = 0; c < s->contacts; c++)
        report->active += s->active[c];
    memcpy(s->impulse, s->inelastic, s->contacts * sizeof *s->impulse);
    if (rule == CAROM_CHAIN_RULE_FIXED_POINT)
        fixed_point(s, restitution, report);
    else if (rule == CAROM_CHAIN_RULE_NEWTON)
        newton(s, restitution);
    else if (rule == CAROM_CHAIN_RULE_POISSON)
        poisson(s, restitution);
    for (size_t i = 0; i < s->row.count; i++)
        if (isfinite(s->mass[i]))
            report->energy_after += s->mass[i] * s->velocity[i] * s->velocity[i] / 2;
    return CAROM_OK;
}

carom_status carom_chain_stepper_create(const carom_chain_row *row, carom_chain_stepper **out,
                                        carom_error *err)
{
    NEED(err, row, out);
    *out = NULL;
    TRY(check_row(row, err));
    carom_chain_stepper *s = calloc(1, sizeof *s);
    if (!s)
        return carom_error_no_memory(err, "a row of %zu bodies", row->count);
    s->arena = carom_arena_create(0);
    carom_status status = s->arena ? fill(s, row, err) : carom_error_no_memory(err, "a row");
    if (status != CAROM_OK) {
        carom_chain_stepper_destroy(s);
        return status;
    }
    *out = s;
    return CAROM_OK;
}

void carom_chain_stepper_destroy(carom_chain_stepper *s)
{
    if (!s)
        return;
    if (s->arena)
        carom_arena_destroy(s->arena);
    free(s);
}

const double *carom_chain_stepper_velocity(const carom_chain_stepper *s)
{
    if (!s)
        return NULL;
    return s->velocity;
}

const double *carom_chain_stepper_shift(const carom_chain_stepper *s)
{
    if (!s)
        return NULL;
    return s->shift;
}

const double *carom_chain_stepper_gap(const carom_chain_stepper *s)
{
    if (!s)
        return NULL;
    return s->gap;
}

const double *carom_chain_stepper_inelastic_impulse(const carom_chain_stepper *s)
{
    if (!s)
        return NULL;
    return s->inelastic;
}

const double *carom_chain_stepper_impulse(const carom_chain_stepper *s)
{
    if (!s)
        return NULL;
    return s->impulse;
}

const char *carom_chain_stepper_rule_word(carom_chain_rule rule)
{
    static const char *const words[] = {
#define WORD(name, word, sentence) word,
        CAROM_CHAIN_RULE_LIST(WORD)
#undef WORD
    };
    return WORD_OF(words, rule);
}

static carom_status check_row(const carom_chain_row *row, carom_error *err)
{
    if (row->count < 2)
        return carom_error_set(err, CAROM_BAD_INPUT, "a row of %zu bodies cannot collide",
                               row->count);
    for (size_t i = 0; i < row->count; i++) {
        bool end = (i == 0 || i + 1 == row->count) && !row->frame;
        bool wall = isinf(row->mass[i]) && row->mass[i] > 0 && end && row->velocity[i] == 0;
        if (!(row->mass[i] > 0 && isfinite(row->mass[i])) && !wall) {
            carom_error_set(err, CAROM_BAD_INPUT, "mass is %g", row->mass[i]);
            carom_error_where(err, "body %zu", i);
            return carom_error_fix(err,
                                   "use a finite mass; only a resting end body may be immovable");
        }
        if (!isfinite(row->velocity[i])) {
            carom_error_set(err, CAROM_BAD_INPUT, "velocity is %g", row->velocity[i]);
            return carom_error_where(err, "body %zu", i);
        }
    }
    for (size_t c = 0; c + !row->frame < row->count; c++)
        if (!(row->gap[c] >= 0 && isfinite(row->gap[c]))) {
            carom_error_set(err, CAROM_BAD_INPUT, "gap is %g: the bodies overlap", row->gap[c]);
            return carom_error_where(err, "contact %zu", c);
        }
    return CAROM_OK;
}

static carom_status fill(carom_chain_stepper *s, const carom_chain_row *row, carom_error *err)
{
    size_t n = row->count;
    s->contacts = row->frame ? n : n - 1;
    TAKE(s->arena, s->mass, n, err);
    TAKE(s->arena, s->bound, n, err);
    TAKE(s->arena, s->velocity, n, err);
    TAKE(s->arena, s->before, n, err);
    TAKE(s->arena, s->after, n, err);
    TAKE(s->arena, s->moved, n, err);
    TAKE(s->arena, s->gap, n, err);
    TAKE_ZEROS(s->arena, s->shift, n, err);
    TAKE_ZEROS(s->arena, s->inelastic, n, err);
    TAKE_ZEROS(s->arena, s->impulse, n, err);
    TAKE_ZEROS(s->arena, s->extra, n, err);
    TAKE_ZEROS(s->arena, s->active, n, err);
    TAKE(s->arena, s->block, n, err);
    memcpy(s->mass, row->mass, n * sizeof *s->mass);
    memcpy(s->velocity, row->velocity, n * sizeof *s->velocity);
    memcpy(s->gap, row->gap, s->contacts * sizeof *s->gap);
    s->row = (carom_pool_adjacent_violators){ n, s->mass, s->bound, row->frame };
    return CAROM_OK;
}

static size_t right_of(const carom_chain_stepper *s, size_t contact)
{
    return contact + 1 < s->row.count ? contact + 1 : 0;
}

static double separation(const carom_chain_stepper *s, const double *v, size_t contact)
{
    return v[right_of(s, contact)] - v[contact];
}

static bool project(const carom_chain_stepper *s, const double *v, double *after, double *impulse)
{
    carom_pool_adjacent_violators_work work = { after, impulse, s->block, s->moved };
    return carom_pool_adjacent_violators_project(&s->row, v, &work);
}

// Every contact closed, from wall to wall or around a frame: the impulses are then only fixed up to
// a common part, so each of them may be pressing.
static bool is_packed(const carom_chain_stepper *s)
{
    if (!s->row.frame && !(isinf(s->mass[0]) && isinf(s->mass[s->row.count - 1])))
        return false;
    double total = 0;
    for (size_t c = 0; c < s->contacts; c++)
        total += s->gap[c];
    return total == 0;
}

// Positions, the velocities of the inelastic step (in `velocity`), and which contacts were hit.
static carom_status inelastic_step(carom_chain_stepper *s, double dt, carom_error *err)
{
    bool packed = is_packed(s);
    for (size_t c = 0; c < s->contacts; c++)
        s->bound[c] = -s->gap[c] / dt; // gap + dt (v'[i+1] - v'[i]) >= 0, eq 3
    if (!project(s, s->before, s->after, s->inelastic))
        return carom_error_set(err, CAROM_NOT_CONVERGED, "the frame is too small for its bodies");
    double max = 0;
    for (size_t c = 0; c < s->contacts; c++)
        max = fmax(max, s->inelastic[c]);
    for (size_t c = 0; c < s->contacts; c++) {
        s->active[c] = max > 0 && (packed || s->inelastic[c] > 1e-14 * max);
        s->gap[c] = fmax(s->gap[c] + dt * separation(s, s->after, c), 0);
        if (s->active[c])
            s->gap[c] = 0; // complementary: what was pressed ends closed, without rounding
    }
    for (size_t i = 0; i < s->row.count; i++)
        s->shift[i] += dt * s->after[i];
    memcpy(s->velocity, s->after, s->row.count * sizeof *s->velocity);
    return CAROM_OK;
}

// Collides the pair of one contact with restitution e (eq 16) and returns its impulse.
static double collide(const carom_chain_stepper *s, double *v, size_t c, double e)
{
    size_t a = c;
    size_t b = right_of(s, c);
    double weight = 1 / s->mass[a] + 1 / s->mass[b];
    double impulse = -(1 + e) * separation(s, v, c) / weight;
    v[a] -= impulse / s->mass[a];
    v[b] += impulse / s->mass[b];
    return impulse;
}

static bool is_endless(const carom_chain_stepper *s, double e)
{
    if (e < 1)
        return false;
    bool ring = s->row.frame || (isinf(s->mass[0]) && isinf(s->mass[s->row.count - 1]));
    double approach = 0;
    for (size_t c = 0; c < s->contacts; c++) {
        ring &= s->active[c];
        approach = fmax(approach, -separation(s, s->before, c));
    }
    return ring && approach > 0;
}

static void fixed_point(carom_chain_stepper *s, double e, carom_chain_step_report *report)
{
    double fastest = 0;
    for (size_t c = 0; c < s->contacts; c++)
        fastest = fmax(fastest, fabs(separation(s, s->before, c)));
    memcpy(s->velocity, s->before, s->row.count * sizeof *s->velocity);
    memset(s->impulse, 0, s->contacts * sizeof *s->impulse);
    report->converged = !is_endless(s, e);
    for (size_t collisions = 1; report->converged && collisions > 0;) {
        collisions = 0;
        for (size_t c = 0; c < s->contacts; c++) {
            if (!s->active[c] || separation(s, s->velocity, c) >= -AT_REST * fastest)
                continue;
            s->impulse[c] += collide(s, s->velocity, c, e);
            collisions++;
        }
        report->passes += collisions > 0;
        report->pair_collisions += collisions;
        report->converged = report->passes < PASSES_MAX;
    }
    if (!report->converged)
        poisson(s, e);
}

// Bounds on the active contacts only: `factor` times the separation before the step.
static void bound_active(carom_chain_stepper *s, double factor)
{
    for (size_t c = 0; c < s->contacts; c++)
        s->bound[c] = s->active[c] ? factor * separation(s, s->before, c) : -HUGE_VAL;
}

static void newton(carom_chain_stepper *s, double e)
{
    bound_active(s, -e);
    project(s, s->before, s->velocity, s->impulse);
}

static void poisson(carom_chain_stepper *s, double e)
{
    bound_active(s, 0);
    project(s, s->before, s->after, s->impulse);
    for (size_t i = 0; i < s->row.count; i++)
        s->after[i] = s->before[i] + (1 + e) * (s->after[i] - s->before[i]);
    project(s, s->after, s->velocity, s->extra);
    for (size_t c = 0; c < s->contacts; c++)
        s->impulse[c] = (1 + e) * s->impulse[c] + s->extra[c];
}
