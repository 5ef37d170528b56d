// One instant from start to end: check, build the problem, let the law act, measure what came out.
#include "impact/law.h"
#include "impact/workspace.h"

#include <float.h>
#include "base/hash.h"

static carom_status resolve_checked(carom_workspace *workspace, const carom_impact *impact,
                                    const carom_law *law, const carom_law_options *options,
                                    carom_impact_outcome *out, carom_error *err);
static uint64_t hash_of(const carom_problem *problem, const carom_impact_outcome *out);
static carom_status measure(const carom_problem *problem, const carom_motion *motion,
                            carom_arena *arena, carom_impact_report *report, carom_error *err);
static double capped_loss(const carom_problem *problem, const carom_law *law,
                          const carom_impact_report *report);
static void store(const carom_problem *problem, const carom_motion *motion,
                  carom_impact_outcome *out);

carom_status carom_impact_resolve(carom_workspace *workspace, const carom_impact *impact,
                                  const carom_law *law, const carom_law_options *options,
                                  carom_impact_outcome *out, carom_error *err)
{
    NEED(err, workspace, impact, out);
    if (!law) // what carom_law_find said about the name stays in err
        return err && err->status != CAROM_OK
                   ? err->status
                   : carom_error_set(err, CAROM_BAD_INPUT, "no law was given");
    if (!workspace->trusted)
        TRY(carom_impact_check(impact, err));
    carom_arena_rewind(workspace->scratch, (carom_arena_mark){ 0 });
    for (int i = 0; i < workspace->threads; ++i)
        carom_arena_rewind(workspace->thread_scratch[i], (carom_arena_mark){ 0 });
    carom_law_options defaults = carom_law_defaults(law);
    return resolve_checked(workspace, impact, law, options ? options : &defaults, out, err);
}

static carom_progress_stop *stop_of(carom_workspace *workspace)
{
    if (workspace->stop || (!workspace->progress && workspace->work_max == 0))
        return workspace->stop;
    carom_progress_begin(&workspace->query, workspace->progress);
    carom_progress_bound(&workspace->query, workspace->work_max);
    return &workspace->query;
}

static carom_status resolve_checked(carom_workspace *workspace, const carom_impact *impact,
                                    const carom_law *law, const carom_law_options *options,
                                    carom_impact_outcome *out, carom_error *err)
{
    carom_arena *arena = workspace->scratch;
    carom_problem problem;
    carom_motion motion;
    carom_impact_report report = carom_impact_report_default();
    TRY(carom_problem_build(impact, arena, &problem, err));
    problem.fastest = fmax(problem.fastest, workspace->scale);
    problem.threads = workspace->threads;
    problem.accuracy = workspace->accuracy;
    problem.coarse = workspace->coarse;
    problem.work = workspace->work;
    problem.thread_scratch = workspace->thread_scratch;
    problem.stop = stop_of(workspace);
    carom_problem_observer observer = { .callback = workspace->observer };
    if (observer.callback.after_sweep) {
        TAKE(arena, observer.so_far, problem.contact_count, err);
        problem.observer = &observer;
        problem.threads = 1; // islands one after the other
    }
    TRY(carom_problem_begin_motion(&problem, arena, &motion, err));
    report.energy_before = carom_problem_energy(&problem, motion.v);

    TRY(law->resolve(&problem, options, arena, &motion, &report, err));
    TRY(carom_progress_check(problem.stop, "impact", err));
    TRY(measure(&problem, &motion, arena, &report, err));
    if (report.end == CAROM_IMPACT_CAPPED)
        report.capped_loss = capped_loss(&problem, law, &report);
    report.scratch_bytes = carom_arena_peak(arena);
    for (int i = 0; i < workspace->threads; ++i)
        report.scratch_bytes += carom_arena_peak(workspace->thread_scratch[i]);
    store(&problem, &motion, out);
    if (!workspace->trusted)
        report.hash = hash_of(&problem, out);
    out->report = report;
    return CAROM_OK;
}

static uint64_t hash_of(const carom_problem *problem, const carom_impact_outcome *out)
{
    size_t bodies = 3 * (size_t)problem->body_count, contacts = 3 * (size_t)problem->contact_count;
    uint64_t hash = carom_hash_doubles(CAROM_HASH_START, out->velocities[0], bodies);
    hash = carom_hash_doubles(hash, out->spins[0], bodies);
    return carom_hash_doubles(hash, out->impulses[0], contacts);
}

// Applies the impulse of a contact to one of its bodies. Returns the work of a driven one.
static double push_body(const carom_impact_body *body, vec3 point, vec3 impulse, carom_twist *v)
{
    const double *j = body->inverse_inertia;
    vec3 arm = vec3_sub(point, vec3_from(body->position));
    if (body->inverse_mass == 0)
        return -vec3_dot(impulse, vec3_add(v->linear, vec3_cross(v->angular, arm)));
    v->linear = vec3_axpy(v->linear, body->inverse_mass, impulse);
    v->angular = vec3_add(v->angular, sym3_mul((sym3){ j[0], j[1], j[2], j[3], j[4], j[5] },
                                               vec3_cross(arm, impulse)));
    return 0;
}

// Applies an impulse (normal, t1, t2) of a contact. Returns the work of driven bodies.
static double push(const carom_problem *problem, int contact, vec3 p, carom_twist *v)
{
    const carom_impact_contact *c = &problem->contacts[contact];
    vec3 n = vec3_from(c->normal), point = vec3_from(c->point), t1, t2;
    vec3_tangents(n, &t1, &t2);
    vec3 impulse = vec3_axpy(vec3_axpy(vec3_scale(p.x, n), p.y, t1), p.z, t2);
    return push_body(&problem->bodies[c->a], point, vec3_neg(impulse), &v[c->a]) +
           push_body(&problem->bodies[c->b], carom_problem_point_of_b(c), impulse, &v[c->b]);
}

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

// The square of a momentum's error, in units where a mass of one and its speed make an impulse.
// Each impulse that is applied rounds the velocity once: that much is no error, however small the
// impulses are beside the momentum of a heavy fast body.
static inline double square_error(vec3 was, vec3 is, double inverse, int impulses)
{
    vec3 d = vec3_sub(is, was);
    double rounding = impulses * DBL_EPSILON, allowed = rounding * rounding * vec3_dot(is, is);
    double square = larger(vec3_dot(d, d) - allowed, 0);
    return inverse > 0 ? square / inverse : square;
}

static carom_status measure(const carom_problem *problem, const carom_motion *motion,
                            carom_arena *arena, carom_impact_report *report, carom_error *err)
{
    carom_motion again;
    double size = 0, error = 0; // squares
    report->islands = problem->island_count;
    report->fastest = problem->fastest;
    report->energy_after = carom_problem_energy(problem, motion->v);
    TRY(carom_problem_begin_motion(problem, arena, &again, err));
    for (int i = 0; i < problem->contact_count; ++i) {
        const carom_row *row = &problem->normal[i];
        vec3 p = vec3_from(motion->p[i]);
        report->penetration =
            larger(report->penetration, -carom_problem_speed(problem, i, motion->v));
        report->pull = larger(report->pull, -p.x);
        size = larger(size, vec3_dot(p, p) * row->diagonal);
        if (p.y == 0 && p.z == 0) {
            report->work += carom_row_driven_work(row, p.x, again.v);
            carom_row_apply(row, p.x, again.v);
        } else {
            report->work += push(problem, i, p, again.v);
        }
    }
    for (int i = 0; i < problem->body_count; ++i) {
        const carom_impact_body *body = &problem->bodies[i];
        const double *s = body->inverse_inertia;
        const carom_twist *was = &again.v[i], *is = &motion->v[i];
        int impulses = problem->first_contact[i + 1] - problem->first_contact[i];
        error = larger(error, square_error(was->linear, is->linear, body->inverse_mass, impulses));
        error =
            larger(error, square_error(was->angular, is->angular, s[0] + s[1] + s[2], impulses));
    }
    report->momentum_error = size > 0 ? sqrt(error / size) : sqrt(error);
    return CAROM_OK;
}

static double capped_loss(const carom_problem *problem, const carom_law *law,
                          const carom_impact_report *report)
{
    for (int i = 0; i < problem->contact_count; ++i) {
        const carom_impact_contact *contact = &problem->contacts[i];
        if (contact->restitution < 1 || (law->friction && contact->friction > 0))
            return 0;
    }
    double scale = larger(report->energy_before, fabs(report->work));
    double loss = report->energy_before + report->work - report->energy_after;
    return !law->inelastic && scale > 0 && loss > 0 ? loss / scale : 0;
}

static void store(const carom_problem *problem, const carom_motion *motion,
                  carom_impact_outcome *out)
{
    for (int i = 0; i < problem->body_count; ++i) {
        vec3_store(motion->v[i].linear, out->velocities[i]);
        vec3_store(motion->v[i].angular, out->spins[i]);
    }
    for (int i = 0; i < problem->contact_count; ++i)
        for (int k = 0; k < 3; ++k)
            out->impulses[i][k] = motion->p[i][k];
}

carom_impact_body carom_impact_body_default(void)
{
    return (carom_impact_body){ .inverse_mass = 1, .inverse_inertia = { 10, 10, 10, 0, 0, 0 } };
}

carom_impact_report carom_impact_report_default(void)
{
    return (carom_impact_report){ .end = CAROM_IMPACT_SETTLED, .limiter = 1, .elastic_error = -1 };
}

carom_impact_contact carom_impact_contact_default(void)
{
    return (carom_impact_contact){
        .a = 0, .b = 1, .normal = { 1, 0, 0 }, .restitution = 1, .stiffness = 1, .exponent = 1.5
    };
}

void carom_impact_tangents(const double normal[3], double first[3], double second[3])
{
    if (!normal || !first || !second)
        return;
    vec3 t1, t2;
    vec3_tangents(vec3_from(normal), &t1, &t2);
    vec3_store(t1, first);
    vec3_store(t2, second);
}

const char *carom_impact_end_word(carom_impact_end end)
{
    static const char *const words[] = {
#define WORD(name, word, sentence) word,
        CAROM_IMPACT_END_LIST(WORD)
#undef WORD
    };
    return WORD_OF(words, end);
}

const char *carom_impact_end_sentence(carom_impact_end end)
{
    static const char *const sentences[] = {
#define SENTENCE(name, word, sentence) sentence,
        CAROM_IMPACT_END_LIST(SENTENCE)
#undef SENTENCE
    };
    return WORD_OF(sentences, end);
}
