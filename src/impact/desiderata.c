// The desiderata measured from a law's results: energy, momentum, impulses, approach, symmetry.
// [QCE, section 2] after Smith et al. 2012; waves are in desiderata_wave.c, restitution in
// desiderata_restitution.c.
//
// Every bound has two parts: what the laws' tolerances allow (stated here), and round-off, which
// grows with the impulses (CAROM_DESIDERATA_ULPS).
#include "impact/desiderata.h"

#include <string.h>
#include "base/memory.h"
#include "impact/law.h"

// Approach below 1e-9 of the fastest counts as none for the laws; several contacts of one body
// add up.
#define NOP_BOUND 1e-8
// What a leftover approach of 1e-9 changes when it is or is not resolved.
#define SYM_BOUND 1e-7
// Sums of a few thousand events in double precision.
#define KIN_BOUND 1e-10
#define MOM_BOUND 1e-11
// Impulses are projected, not approximately positive.
#define ONE_BOUND 1e-12
// The transforms are random but always the same.
#define SYMMETRY_SEED 2012

static carom_status init(carom_desiderata *d, const carom_impact *impact, carom_error *err);
static carom_status take_results(carom_desiderata *d, carom_impact_outcome *result,
                                 carom_error *err);
static bool all_numbers(const carom_desiderata *d);
static double roundoff(const carom_desiderata *d);
static void measure_energy(const carom_desiderata *d, carom_desiderata_figures *f);
static void measure_momentum(const carom_desiderata *d, carom_desiderata_figures *f);
static void measure_impulses(const carom_desiderata *d, const carom_law *law,
                             carom_desiderata_figures *f);
static void measure_approach(const carom_desiderata *d, carom_desiderata_figures *f);
static carom_status measure_symmetry(carom_desiderata *d, carom_judged judged,
                                     carom_desiderata_figures *f, carom_error *err);

enum { BRK, SYM, KIN, MOM, ONE, WAV, NOP, RES };

carom_desiderata *carom_desiderata_create(const carom_impact *impact, carom_error *err)
{
    if (!impact) {
        carom_error_need(err, __func__, "impact", 0);
        return NULL;
    }
    if (carom_impact_check(impact, err) != CAROM_OK)
        return NULL;
    carom_desiderata *d = carom_memory_zeros(1, sizeof *d);
    if (d) {
        d->workspace = carom_workspace_create();
        d->arena = carom_arena_create(0);
        d->selected = (1u << CAROM_PROMISE_COUNT) - 1;
    }
    if (!d || !d->workspace || !d->arena) {
        carom_error_no_memory(err, "judging %d contacts", impact->contact_count);
        carom_desiderata_destroy(d);
        return NULL;
    }
    if (init(d, impact, err) != CAROM_OK) {
        carom_desiderata_destroy(d);
        return NULL;
    }
    return d;
}

void carom_desiderata_destroy(carom_desiderata *d)
{
    if (!d)
        return;
    carom_workspace_destroy(d->workspace);
    carom_arena_destroy(d->arena);
    carom_memory_free(d);
}

void carom_desiderata_select(carom_desiderata *d, unsigned promises)
{
    if (!d)
        return;
    d->selected = promises;
}

const carom_law *carom_desiderata_yardstick(void)
{
    return &carom_springs_law;
}

void carom_desiderata_set_yardstick(carom_desiderata *d, const carom_law_options *springs)
{
    if (!d)
        return;
    d->referred = springs != NULL;
    if (springs)
        d->reference = *springs;
    d->has_springs = d->tried_springs = false;
}

void carom_desiderata_set_progress(carom_desiderata *d, const carom_progress *progress)
{
    if (!d)
        return;
    carom_workspace_set_progress(d->workspace, progress);
}

void carom_desiderata_set_bound(carom_desiderata *d, double work)
{
    if (!d)
        return;
    carom_workspace_set_bound(d->workspace, work);
}

static carom_status init(carom_desiderata *d, const carom_impact *impact, carom_error *err)
{
    carom_impact_body *bodies;
    carom_impact_contact *contacts;
    int n = impact->body_count, m = impact->contact_count;
    TAKE(d->arena, bodies, n, err);
    TAKE(d->arena, contacts, m, err);
    for (int i = 0; i < n; ++i)
        bodies[i] = impact->bodies[i];
    for (int i = 0; i < m; ++i)
        contacts[i] = impact->contacts[i];
    d->impact = (carom_impact){ n, m, bodies, contacts };
    TRY(carom_problem_build(&d->impact, d->arena, &d->problem, err));
    TAKE(d->arena, d->before, n, err);
    for (int i = 0; i < n; ++i)
        d->before[i] = (carom_twist){ vec3_from(bodies[i].velocity), vec3_from(bodies[i].spin) };
    TAKE(d->arena, d->other_bodies, n, err);
    TAKE(d->arena, d->other_contacts, m, err);
    d->other = (carom_impact){ n, m, d->other_bodies, d->other_contacts };
    TRY(take_results(d, &d->result, err));
    TRY(take_results(d, &d->other_result, err));
    TAKE(d->arena, d->symmetry.place, n, err);
    TAKE(d->arena, d->symmetry.origin, m, err);
    TAKE(d->arena, d->springs, n, err);
    TAKE(d->arena, d->springs_spin, n, err);
    return CAROM_OK;
}

static carom_status take_results(carom_desiderata *d, carom_impact_outcome *result,
                                 carom_error *err)
{
    TAKE(d->arena, result->velocities, d->impact.body_count, err);
    TAKE(d->arena, result->spins, d->impact.body_count, err);
    TAKE(d->arena, result->impulses, d->impact.contact_count, err);
    return CAROM_OK;
}

carom_status carom_desiderata_measure(carom_desiderata *d, const carom_law *law,
                                      const carom_law_options *options,
                                      carom_desiderata_figures *figures, carom_error *err)
{
    NEED(err, d, figures);
    carom_judged judged = { law, options };
    carom_desiderata_figures f = { .distance = -1, .spin_distance = -1 };
    TRY(carom_impact_resolve(d->workspace, &d->impact, law, options, &d->result, err));
    f.end = d->result.report.end;
    f.sweeps = d->result.report.sweeps;
    measure_energy(d, &f);
    measure_momentum(d, &f);
    measure_impulses(d, law, &f);
    measure_approach(d, &f);
    if (d->selected & CAROM_RES)
        carom_desiderata_restitution(d, law, roundoff(d), &f.of[RES]);
    bool settled = f.end == CAROM_IMPACT_SETTLED; // else another rule's result, and a long one
    if (settled && d->selected & CAROM_SYM)
        TRY(measure_symmetry(d, judged, &f, err));
    if (settled && d->selected & CAROM_BRK)
        TRY(carom_desiderata_wave_break(d, &f.of[BRK], err));
    if (d->selected & CAROM_WAV) {
        TRY(carom_desiderata_wave_distance(d, judged, &f, err));
        if (settled)
            TRY(carom_desiderata_wave_cross(d, judged, &f.of[WAV], err));
    }
    bool numbers = all_numbers(d);
    for (int i = 0; i < CAROM_PROMISE_COUNT; ++i) {
        if (!numbers) // a result that is none keeps nothing
            f.of[i] = (carom_desideratum){ CAROM_VERDICT_BROKEN, (double)NAN, f.of[i].bound };
        if (!(d->selected >> i & 1))
            f.of[i] = (carom_desideratum){ .verdict = CAROM_VERDICT_UNASKED };
    }
    *figures = f;
    return CAROM_OK;
}

static bool all_numbers(const carom_desiderata *d)
{
    const carom_impact_report *report = &d->result.report;
    // Stays 0 unless some number is not finite.
    double sum = 0 * report->energy_after + 0 * report->work;
    for (int i = 0; i < d->impact.body_count; ++i)
        for (int k = 0; k < 3; ++k)
            sum += 0 * d->result.velocities[i][k] + 0 * d->result.spins[i][k];
    for (int i = 0; i < d->impact.contact_count; ++i)
        for (int k = 0; k < 3; ++k)
            sum += 0 * d->result.impulses[i][k];
    return sum == 0;
}

static carom_desideratum judge(double figure, double bound)
{
    carom_verdict verdict = figure <= bound ? CAROM_VERDICT_HOLDS : CAROM_VERDICT_BROKEN;
    return (carom_desideratum){ verdict, figure, bound };
}

// The instant's own energy norm: before, and with what driven bodies add. Not after: a law that
// gains energy shall not be judged by it.
static double motion_size(const carom_desiderata *d)
{
    const carom_impact_report *report = &d->result.report;
    return sqrt(2 * (report->energy_before + fabs(report->work)));
}

// Largest sqrt(W_ii) |p_i|: the impulses in the energy norm. Not more than an order above what
// the heaviest body's momentum can press into the lightest contact: a law whose impulses grow
// beyond all need (bodies jammed by friction) gets no excuse from them.
static double impulse_size(const carom_desiderata *d)
{
    double size = 0, lightest = 0, heaviest = 0;
    for (int i = 0; i < d->impact.contact_count; ++i) {
        double p = vec3_length(vec3_from(d->result.impulses[i]));
        lightest = fmax(lightest, d->problem.normal[i].diagonal);
        size = fmax(size, p * sqrt(d->problem.normal[i].diagonal));
    }
    for (int i = 0; i < d->impact.body_count; ++i)
        if (d->impact.bodies[i].inverse_mass > 0)
            heaviest = fmax(heaviest, 1 / d->impact.bodies[i].inverse_mass);
    return fmin(size, 10 * sqrt(lightest * heaviest) * motion_size(d));
}

// What no law can help, in the energy norm.
static double roundoff(const carom_desiderata *d)
{
    return CAROM_DESIDERATA_ULPS * fmax(impulse_size(d), motion_size(d));
}

static void measure_energy(const carom_desiderata *d, carom_desiderata_figures *f)
{
    const carom_impact_report *r = &d->result.report;
    double scale = fmax(fmax(r->energy_before, r->energy_after), fabs(r->work));
    double gain = r->energy_after - r->energy_before - r->work;
    double size = motion_size(d);
    double floor = size > 0 ? CAROM_DESIDERATA_ULPS * impulse_size(d) / size : 0;
    f->of[KIN] = judge(scale > 0 ? fmax(gain / scale, r->capped_loss) : 0, KIN_BOUND + floor);
    f->energy_ratio =
        r->energy_before > 0 ? (r->energy_after - r->work) / r->energy_before : r->energy_after > 0;
}

// What a body adds to the totals: change of momentum, of angular momentum about `centre`, and the
// sizes that its round-off is relative to.
typedef struct totals {
    vec3 linear, angular;
    double linear_size, angular_size;
    bool turns; // every movable body can turn
} totals;

static void add_body(const carom_desiderata *d, int i, vec3 centre, totals *t)
{
    const carom_impact_body *body = &d->impact.bodies[i];
    if (body->inverse_mass == 0)
        return;
    double mass = 1 / body->inverse_mass;
    vec3 arm = vec3_sub(vec3_from(body->position), centre);
    vec3 before = vec3_from(body->velocity), spin = vec3_from(body->spin);
    vec3 dv = vec3_sub(vec3_from(d->result.velocities[i]), before);
    vec3 dw = vec3_sub(vec3_from(d->result.spins[i]), spin);
    t->linear = vec3_axpy(t->linear, mass, dv);
    t->angular = vec3_axpy(t->angular, mass, vec3_cross(arm, dv));
    double moving = mass * vec3_length(before);
    t->linear_size += moving;
    t->angular_size += moving * vec3_length(arm);
    const double *s = body->inverse_inertia;
    sym3 inverse = { s[0], s[1], s[2], s[3], s[4], s[5] };
    if (sym3_det(inverse) > 0) {
        sym3 inertia = sym3_inverse(inverse);
        t->angular = vec3_add(t->angular, sym3_mul(inertia, dw));
        t->angular_size += vec3_length(sym3_mul(inertia, spin));
    } else {
        t->turns = false;
    }
}

// Impulses between movable bodies cancel; those of immovable bodies explain the rest.
static void add_contact(const carom_desiderata *d, int i, vec3 centre, totals *t)
{
    const carom_impact_contact *contact = &d->impact.contacts[i];
    const double *p = d->result.impulses[i];
    vec3 n = vec3_from(contact->normal), t1, t2;
    vec3_tangents(n, &t1, &t2);
    vec3 impulse = vec3_axpy(vec3_axpy(vec3_scale(p[0], n), p[1], t1), p[2], t2);
    vec3 arm = vec3_sub(vec3_from(contact->point), centre);
    vec3 across = vec3_cross(vec3_from(contact->shift), impulse); // what an image takes along
    t->linear_size += vec3_length(impulse);
    t->angular_size += vec3_length(arm) * vec3_length(impulse);
    double sign = d->impact.bodies[contact->a].inverse_mass == 0   ? -1
                  : d->impact.bodies[contact->b].inverse_mass == 0 ? 1
                                                                   : 0;
    t->linear = vec3_axpy(t->linear, sign, impulse);
    t->angular = vec3_axpy(t->angular, sign, vec3_cross(arm, impulse));
    if (sign <= 0) // b moves, and has its impulse at home
        t->angular = vec3_add(t->angular, across);
}

static void measure_momentum(const carom_desiderata *d, carom_desiderata_figures *f)
{
    totals t = { .turns = true };
    vec3 centre = { 0, 0, 0 };
    for (int i = 0; i < d->impact.contact_count; ++i)
        centre = vec3_axpy(centre, 1.0 / d->impact.contact_count,
                           vec3_from(d->impact.contacts[i].point));
    for (int i = 0; i < d->impact.body_count; ++i)
        add_body(d, i, centre, &t);
    for (int i = 0; i < d->impact.contact_count; ++i)
        add_contact(d, i, centre, &t);
    f->linear = t.linear_size > 0 ? vec3_length(t.linear) / t.linear_size : 0;
    f->angular = t.turns && t.angular_size > 0 ? vec3_length(t.angular) / t.angular_size : 0;
    f->of[MOM] = judge(fmax(f->linear, f->angular), MOM_BOUND);
}

static void measure_impulses(const carom_desiderata *d, const carom_law *law,
                             carom_desiderata_figures *f)
{
    double max = 0, pull = 0, beyond = 0;
    for (int i = 0; i < d->impact.contact_count; ++i) {
        const double *p = d->result.impulses[i];
        double friction = law->friction ? d->impact.contacts[i].friction : 0;
        double tangential = sqrt(p[1] * p[1] + p[2] * p[2]);
        max = fmax(max, vec3_length(vec3_from(p)));
        pull = -p[0] > pull ? -p[0] : pull; // three fmax: gcc 12 for aarch64 breaks off
        beyond = fmax(beyond, tangential - friction * fmax(p[0], 0));
    }
    f->of[ONE] = judge(max > 0 ? pull / max : 0, ONE_BOUND);
    f->cone = max > 0 ? beyond / max : 0;
}

double carom_desiderata_speed(const carom_desiderata *d, const carom_impact_outcome *result, int i)
{
    const carom_row *row = &d->problem.normal[i];
    vec3 between =
        vec3_sub(vec3_from(result->velocities[row->b]), vec3_from(result->velocities[row->a]));
    return vec3_dot(row->d, between) + vec3_dot(row->arm_b, vec3_from(result->spins[row->b])) -
           vec3_dot(row->arm_a, vec3_from(result->spins[row->a]));
}

// The contact furthest beyond its own round-off decides.
static void measure_approach(const carom_desiderata *d, carom_desiderata_figures *f)
{
    double size = roundoff(d);
    double figure = 0, bound = NOP_BOUND, worst = -HUGE_VAL, fastest = d->problem.fastest;
    for (int i = 0; fastest > 0 && i < d->impact.contact_count; ++i) {
        double u = carom_desiderata_speed(d, &d->result, i);
        double floor = size * sqrt(d->problem.normal[i].diagonal);
        if (-u - floor > worst) {
            worst = -u - floor;
            figure = fmax(-u, 0) / fastest;
            bound = NOP_BOUND + floor / fastest;
        }
    }
    f->of[NOP] = judge(figure, bound);
}

void carom_desiderata_speeds(const carom_desiderata *d, const carom_impact_outcome *result,
                             double *speeds)
{
    for (int i = 0; i < d->impact.contact_count; ++i)
        speeds[i] = carom_desiderata_speed(d, result, i);
}

carom_status carom_desiderata_resolve_other(carom_desiderata *d, carom_judged judged,
                                            carom_error *err)
{
    return carom_impact_resolve(d->workspace, &d->other, judged.law, judged.options,
                                &d->other_result, err);
}

// Energy-norm distance between the results and those of the transformed one, carried back.
static double symmetry_distance(const carom_desiderata *d)
{
    double sum = 0;
    for (int i = 0; i < d->impact.body_count; ++i) {
        const carom_impact_body *body = &d->impact.bodies[i];
        if (body->inverse_mass == 0)
            continue;
        vec3 v, w;
        carom_symmetry_restore(&d->symmetry, i, (const double(*)[3])d->other_result.velocities,
                               (const double(*)[3])d->other_result.spins, &v, &w);
        v = vec3_sub(v, vec3_from(d->result.velocities[i]));
        w = vec3_sub(w, vec3_from(d->result.spins[i]));
        const double *s = body->inverse_inertia;
        sym3 inverse = { s[0], s[1], s[2], s[3], s[4], s[5] };
        sum += vec3_dot(v, v) / body->inverse_mass;
        if (sym3_det(inverse) > 0)
            sum += vec3_dot(w, sym3_mul(sym3_inverse(inverse), w));
    }
    double size = fmax(motion_size(d), impulse_size(d));
    return size > 0 ? sqrt(sum) / size : sqrt(sum);
}

// Resolves the instant transformed by d->symmetry and compares.
static carom_status compare_transformed(carom_desiderata *d, carom_judged judged, double *figure,
                                        carom_error *err)
{
    carom_symmetry_apply(&d->symmetry, &d->impact, d->other_bodies, d->other_contacts);
    TRY(carom_desiderata_resolve_other(d, judged, err));
    *figure = symmetry_distance(d);
    return CAROM_OK;
}

static carom_status measure_symmetry(carom_desiderata *d, carom_judged judged,
                                     carom_desiderata_figures *f, carom_error *err)
{
    carom_random random = carom_random_make(SYMMETRY_SEED, 0);
    carom_symmetry_mirror(&d->symmetry, &d->impact, &random);
    TRY(compare_transformed(d, judged, &f->mirror, err));
    carom_symmetry_rotate(&d->symmetry, &d->impact, &random);
    TRY(compare_transformed(d, judged, &f->rotation, err));
    carom_symmetry_renumber(&d->symmetry, &d->impact);
    TRY(compare_transformed(d, judged, &f->renumbering, err));
    f->of[SYM] = judge(fmax(f->mirror, fmax(f->rotation, f->renumbering)), SYM_BOUND);
    return CAROM_OK;
}

const char *carom_desiderata_word(carom_verdict verdict)
{
    static const char *const words[] = {
#define WORD(name, word, sentence) word,
        CAROM_VERDICT_LIST(WORD)
#undef WORD
    };
    return WORD_OF(words, verdict);
}

const char *carom_desiderata_sentence(carom_verdict verdict)
{
    static const char *const sentences[] = {
#define SENTENCE(name, word, sentence) sentence,
        CAROM_VERDICT_LIST(SENTENCE)
#undef SENTENCE
    };
    return WORD_OF(sentences, verdict);
}
