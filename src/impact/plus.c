// Compression and expansion in sliding intervals, after Uchida, Sherman and Delp [PLUS].
//
// A round solves for impulses that stop all approach. Contacts that slide have friction mu p_n
// against the slip at the beginning of the interval; those that roll (slip below `rolling` of the
// fastest speed) stick, or begin to slip against the friction that Coulomb's cone leaves. Only so
// much of the solution is taken as lets no contact's slip turn by more than 30 degrees, or as stops
// it; then the next interval begins. Expansion gives back e times the impulse of compression at the
// contacts that approached, in intervals again, while the others stay closed.
//
// Induced impacts (option `induced`), as in Simbody 3.7, which is the reference:
//   simultaneous: compression of all contacts, expansion, and a last round without restitution;
//   mixed: only contacts that approach take part, so that each round induces the next; the last of
//     `rounds` takes all. This gives the cradle.
//
// With friction the solutions are found by Gauss-Seidel over the contacts: velocities are those of
// the reference, impulses of contacts that share a load another way (a box on four corners) are
// not. Where sliding friction couples contacts so strongly that the sweeps do not converge, the
// island ends without bounce, as `inelastic` ends it, and the report says `stalled`. Poisson's
// restitution with friction can gain energy: the limiter.
#include "impact/complementarity.h"
#include "impact/law.h"
#include "impact/two_body.h"

enum { OPTION_INDUCED, OPTION_ROUNDS, OPTION_ROLLING, OPTION_ITERATIONS };
enum { SIMULTANEOUS, MIXED };
enum { INTERVALS_MAX = 100 };
#define CONVERGED 1e-14
// A change of a sweep beyond this many times the fastest speed, or above UNSOLVED of it at the end,
// is no solution.
static const double DIVERGED = 1e3, UNSOLVED = 1e-9;
// Approach below this part of the fastest speed is none.
#define CLOSED 1e-9
static const double tangent_of_turn = 0.57735026918962576451; // of 30 degrees

// What a contact does in a round.
typedef enum role { OBSERVES, COMPRESSES, EXPANDS } role;

typedef struct member {
    carom_two_body pair;
    role role;
    bool struck;       // approached at the beginning of the round: it will expand
    double given;      // N s, of the expansion, still to come
    double compressed; // N s, normal impulse of this round
    bool slides;       // in this interval
    vec3 before;       // relative velocity at its beginning
    vec3 p;            // N s, of this interval
} member;

typedef struct process {
    const carom_problem *problem;
    carom_motion *motion;
    carom_impact_report *report;
    carom_arena *scratch;
    bool rough; // some contact has friction
    member *members;
    int count, most;                 // contacts; sweeps
    double fastest, rolling, closed; // m/s
    bool failed;                     // an interval was not solved
} process;

static vec3 velocity(const process *s, const member *m)
{
    return carom_two_body_relative_velocity(s->problem, &m->pair, s->motion->v);
}

static void push(process *s, member *m, vec3 p)
{
    m->p = vec3_add(m->p, p);
    carom_two_body_apply(s->problem, &m->pair, p, s->motion);
}

static double across(vec3 u)
{
    return sqrt(u.y * u.y + u.z * u.z);
}

// The impulse along the cone's edge against the slip, per normal impulse.
static vec3 edge(const member *m)
{
    double share = m->slides ? m->pair.mu / across(m->before) : 0;
    return vec3_make(1, -share * m->before.y, -share * m->before.z);
}

static void begin_interval(process *s)
{
    for (int i = 0; i < s->count; ++i) {
        member *m = &s->members[i];
        m->p = vec3_make(0, 0, 0);
        m->before = velocity(s, m);
        m->slides = m->pair.frictional && across(m->before) > s->rolling;
    }
    for (int i = 0; i < s->count; ++i) { // all have seen the velocities before
        member *m = &s->members[i];
        if (m->role == EXPANDS)
            push(s, m, vec3_scale(m->given, edge(m)));
    }
}

// Normal impulse with the friction that goes with it; returns the change of speed, m/s.
static double visit_normal(process *s, member *m)
{
    vec3 way = edge(m);
    double gain = m->pair.k.xx;
    if (m->slides)
        gain = m->pair.k.xx * way.x + m->pair.k.xy * way.y + m->pair.k.xz * way.z;
    if (!(gain > 0.01 * m->pair.k.xx)) // friction would jam it: as if it did not couple
        gain = m->pair.k.xx;
    double change = fmax(-velocity(s, m).x / gain, -m->p.x);
    push(s, m, vec3_scale(change, way));
    return fabs(change) * gain;
}

// Sticks, or lies on the rim against the slip that is left.
static double visit_rolling(process *s, member *m)
{
    const sym3 *k = &m->pair.k;
    double bound = fmax(k->yy, k->zz) + fabs(k->yz), most = m->pair.mu * m->p.x;
    vec3 u = velocity(s, m), to = { 0, m->p.y - u.y / bound, m->p.z - u.z / bound };
    double size = across(to);
    if (size > most)
        to = vec3_scale(most / size, to);
    vec3 change = { 0, to.y - m->p.y, to.z - m->p.z };
    push(s, m, change);
    return across(change) * bound;
}

// Without friction: exactly.
static carom_status solve_smooth(process *s, carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(s->scratch);
    int count = 0, *index;
    double *lambda, residual = 0;
    TAKE(s->scratch, index, s->count, err);
    TAKE(s->scratch, lambda, s->count, err);
    for (int i = 0; i < s->count; ++i)
        if (s->members[i].role == COMPRESSES)
            index[count++] = s->members[i].pair.contact;
    carom_contact_set set = { index, count };
    TRY(carom_inelastic_solve(s->problem, &set, NULL, s->scratch, s->motion->v, lambda, &residual,
                              err));
    count = 0;
    for (int i = 0; i < s->count; ++i)
        if (s->members[i].role == COMPRESSES) {
            s->members[i].p.x = lambda[count];
            s->motion->p[index[count]][0] += lambda[count];
            ++count;
        }
    s->report->events += count;
    s->failed = residual > CAROM_INELASTIC_STALLED;
    carom_arena_rewind(s->scratch, mark);
    return CAROM_OK;
}

static carom_status solve_rough(process *s, carom_error *err)
{
    double change = HUGE_VAL;
    int sweeps = 0;
    while (sweeps < s->most && change > CONVERGED * s->fastest &&
           (sweeps == 0 || change < DIVERGED * s->fastest)) {
        change = 0;
        for (int i = 0; i < s->count; ++i) {
            member *m = &s->members[i];
            if (m->role == COMPRESSES)
                change = fmax(change, visit_normal(s, m));
            if (m->role != OBSERVES && m->pair.frictional && !m->slides)
                change = fmax(change, visit_rolling(s, m));
        }
        ++sweeps;
        TRY(carom_problem_query_stop(s->problem, 3 * s->count, err));
    }
    s->report->events += (int64_t)sweeps * s->count;
    s->failed = s->failed || !(change <= UNSOLVED * s->fastest);
    return CAROM_OK;
}

// How much of the interval this contact allows: its slip goes in a straight line from before to
// after, and may stop where it comes nearest to zero, or turn by 30 degrees.
static double allowed(const process *s, const member *m)
{
    vec3 after = velocity(s, m);
    double size = across(m->before), end = across(after);
    if (!m->slides || m->p.x <= 0 || end <= s->rolling)
        return 1;
    double x = m->before.y / size, y = m->before.z / size; // along the slip before
    double along = x * after.y + y * after.z - size, aside = fabs(x * after.z - y * after.y);
    if (size + along > 0 && aside <= tangent_of_turn * (size + along))
        return 1;
    double length = along * along + aside * aside, nearest = -size * along / length;
    if (along < 0 && size * aside / sqrt(length) <= s->rolling)
        return fmin(nearest, 1);
    double turned = tangent_of_turn * size / (aside - tangent_of_turn * along);
    return fmin(turned, 1);
}

// One round: intervals until all of it is taken.
static carom_status run_round(process *s, carom_error *err)
{
    double taken = 0;
    for (int i = 0; i < s->count; ++i)
        s->members[i].compressed = 0;
    for (int interval = 0; interval < INTERVALS_MAX && taken < 1 && !s->failed; ++interval) {
        begin_interval(s);
        TRY(s->rough ? solve_rough(s, err) : solve_smooth(s, err));
        taken = 1;
        for (int i = 0; i < s->count && interval < INTERVALS_MAX - 1; ++i)
            taken = fmin(taken, allowed(s, &s->members[i]));
        for (int i = 0; i < s->count; ++i) {
            member *m = &s->members[i];
            if (taken < 1)
                push(s, m, vec3_scale(taken - 1, m->p));
            m->given -= taken * m->given;
            m->compressed += m->role == COMPRESSES ? m->p.x : 0;
        }
    }
    ++s->report->sweeps;
    carom_problem_report(s->problem, s->report->sweeps, (const double(*)[3])s->motion->p);
    return CAROM_OK;
}

// Who compresses, who expands and who only looks on; says whether there is anything to do.
static bool assign(process *s, bool all)
{
    bool any = false;
    for (int i = 0; i < s->count; ++i) {
        member *m = &s->members[i];
        m->struck = m->given == 0 && velocity(s, m).x < -s->closed;
        m->role = m->given > 0 ? EXPANDS : m->struck || all ? COMPRESSES : OBSERVES;
        any = any || m->given > 0 || m->struck;
    }
    return any;
}

// The impulses of the next expansion; says whether there are any.
static bool store(process *s)
{
    bool any = false;
    for (int i = 0; i < s->count; ++i) {
        member *m = &s->members[i];
        double e = s->problem->contacts[m->pair.contact].restitution;
        m->given = m->struck ? e * m->compressed : 0;
        any = any || m->given > 0;
    }
    return any;
}

static carom_status run_simultaneous(process *s, carom_error *err)
{
    if (!assign(s, true))
        return CAROM_OK;
    TRY(run_round(s, err));
    if (store(s)) {
        assign(s, true);
        TRY(run_round(s, err));
    }
    return assign(s, true) && !s->failed ? run_round(s, err) : CAROM_OK;
}

static carom_status run_mixed(process *s, int rounds, carom_error *err)
{
    for (int k = 0; k < rounds; ++k) {
        bool last = k == rounds - 1;
        if (!assign(s, last) || s->failed)
            return CAROM_OK;
        TRY(run_round(s, err));
        if (!store(s) && last)
            return CAROM_OK;
    }
    s->report->end = s->report->end > CAROM_IMPACT_CAPPED ? s->report->end : CAROM_IMPACT_CAPPED;
    assign(s, true); // the last expansion, without another
    TRY(run_round(s, err));
    return assign(s, true) ? run_round(s, err) : CAROM_OK;
}

static carom_status run_island(process *s, const carom_contact_set *set,
                               const carom_law_options *options, carom_arena *scratch,
                               carom_error *err)
{
    s->fastest = 0;
    s->rough = false;
    s->count = set->count;
    TAKE_ZEROS(scratch, s->members, s->count, err);
    for (int i = 0; i < s->count; ++i) {
        member *m = &s->members[i];
        m->pair = carom_two_body_make(s->problem, set->index[i]);
        vec3 u = velocity(s, m);
        s->rough = s->rough || m->pair.frictional;
        s->fastest = fmax(s->fastest, fmax(fabs(u.x), m->pair.frictional ? across(u) : 0));
    }
    s->rolling = options->value[OPTION_ROLLING] * s->fastest;
    s->closed = CLOSED * s->fastest;
    if (s->fastest == 0)
        return CAROM_OK;
    return options->value[OPTION_INDUCED] == MIXED
               ? run_mixed(s, (int)options->value[OPTION_ROUNDS], err)
               : run_simultaneous(s, err);
}

// Islands that were not solved begin anew, without bounce.
static carom_status solve_failed(const carom_problem *problem, const bool *failed,
                                 carom_arena *scratch, carom_motion *motion,
                                 carom_impact_report *report, carom_error *err)
{
    carom_motion before;
    carom_complementarity inelastic = { .friction = CAROM_FRICTION_CONE, .member = failed };
    TRY(carom_problem_begin_motion(problem, scratch, &before, err));
    for (int i = 0; i < problem->contact_count; ++i) {
        const carom_row *row = &problem->normal[i];
        if (!failed[i])
            continue;
        motion->p[i][0] = motion->p[i][1] = motion->p[i][2] = 0;
        if (row->inv_a > 0)
            motion->v[row->a] = before.v[row->a];
        if (row->inv_b > 0)
            motion->v[row->b] = before.v[row->b];
    }
    report->end = CAROM_IMPACT_STALLED;
    return carom_complementarity_solve(problem, &inelastic, scratch, motion, report, err);
}

static carom_status resolve_plus(const carom_problem *problem, const carom_law_options *options,
                                 carom_arena *scratch, carom_motion *motion,
                                 carom_impact_report *report, carom_error *err)
{
    process s = { .problem = problem,
                  .motion = motion,
                  .report = report,
                  .scratch = scratch,
                  .most = (int)options->value[OPTION_ITERATIONS] };
    bool any = false, *failed;
    TAKE_ZEROS(scratch, failed, problem->contact_count, err);
    for (int island = 0; island < problem->island_count; ++island) {
        carom_arena_mark mark = carom_arena_mark_here(scratch);
        carom_contact_set set = carom_inelastic_island(problem, island);
        s.failed = false;
        TRY(run_island(&s, &set, options, scratch, err));
        if (!s.failed)
            TRY(carom_inelastic_stop_approach(problem, &set, s.closed, scratch, motion, NULL,
                                              &report->solver_residual, err));
        for (int i = 0; i < set.count; ++i)
            failed[set.index[i]] = s.failed;
        any = any || s.failed;
        carom_arena_rewind(scratch, mark);
    }
    if (any)
        TRY(solve_failed(problem, failed, scratch, motion, report, err));
    carom_complementarity inelastic = { .friction = CAROM_FRICTION_CONE };
    return carom_complementarity_limit(problem, &inelastic, scratch, motion, report, err);
}

static const carom_option options[] = {
    [OPTION_INDUCED] = { "induced",
                         "simultaneous: all contacts at once; mixed: each round induces the next",
                         CAROM_OPTION_CHOICE, 0, 0, 1, "simultaneous mixed" },
    [OPTION_ROUNDS] = { "rounds", "of induced impacts, where mixed; the last takes all contacts",
                        CAROM_OPTION_INTEGER, 5, 1, 1e6, NULL },
    [OPTION_ROLLING] = { "rolling", "slip below this part of the fastest speed is none",
                         CAROM_OPTION_NUMBER, 1e-6, 1e-12, 0.1, NULL },
    [OPTION_ITERATIONS] = { "iterations", "most passes of Gauss-Seidel in an interval",
                            CAROM_OPTION_INTEGER, 500, 1, 1e7, NULL },
    { 0 },
};

const carom_law carom_plus_law = {
    .name = "plus",
    .summary = "Compression and expansion in intervals of sliding; induced impacts (Simbody).",
    .reference = "PLUS",
    .paper = "Uchida, Sherman, Delp 2015, Proceedings of the Royal Society A 471",
    .number = "cradles, rack, boxes on a rough floor: 1e-6 of Simbody 3.7",
    .promises = CAROM_SYM | CAROM_KIN | CAROM_MOM | CAROM_ONE | CAROM_NOP,
    .friction = true,
    .options = options,
    .resolve = resolve_plus,
};
