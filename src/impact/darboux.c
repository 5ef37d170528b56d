// The impact as a process in steps; see darboux.h.
#include "impact/darboux.h"

#include "impact/qce.h"
#include "math/power.h"

// One contact on its way.
typedef struct spring {
    const carom_row *normal, *tangent; // tangent: null without friction
    double stiffness, exponent, e2, mu;
    double depth;      // of the spring that holds the energy
    double u, slip[2]; // now
    double first[3];   // before the impact
    double absorbed;   // J, in this compression
    double cut;        // mono-stiffness: depth at which the expansion is cut off
    double last;       // and the impulse still due then, N s
    double stretch[2]; // of the tangential spring
    double kick[3];    // impulses of this step
} spring;

typedef struct process {
    const carom_problem *problem;
    const carom_darboux *how;
    carom_contact_set set;
    spring *springs;
    carom_motion *motion;
    double span;     // of a step
    double lost;     // J, by restitution
    double friction; // J, work across the normals
    double slow;     // m/s, approach that counts as none
} process;

static carom_status begin(process *p, carom_arena *scratch, carom_error *err);
static bool is_over(const process *p);
static void drift(process *p, double span);
static void kick(process *p);
static void turn(process *p, spring *s, double before);
static void set_energy(process *p);
static carom_status finish(process *p, bool ended, carom_arena *scratch,
                           carom_impact_report *report, carom_error *err);

carom_status carom_darboux_resolve(const carom_problem *problem, const carom_darboux *how,
                                   carom_arena *scratch, carom_motion *motion,
                                   carom_impact_report *report, carom_error *err)
{
    for (int island = 0; island < problem->island_count; ++island) {
        carom_arena_mark mark = carom_arena_mark_here(scratch);
        process p = { .problem = problem,
                      .how = how,
                      .set = carom_inelastic_island(problem, island),
                      .motion = motion };
        int64_t most = (int64_t)how->cap * how->steps;
        int step = 0;
        TRY(begin(&p, scratch, err));
        drift(&p, 0.5 * p.span);
        while (!is_over(&p) && step < most) {
            kick(&p);
            drift(&p, p.span);
            carom_problem_report(problem, ++step, (const double(*)[3])motion->p);
            TRY(carom_problem_query_stop(problem, p.set.count, err));
        }
        report->sweeps = step > report->sweeps ? step : report->sweeps;
        report->events += (int64_t)step * p.set.count;
        set_energy(&p);
        TRY(finish(&p, step < most, scratch, report, err));
        carom_arena_rewind(scratch, mark);
    }
    return CAROM_OK;
}

static double energy(const spring *s)
{
    return s->stiffness * carom_power(s->depth, s->exponent + 1) / (s->exponent + 1);
}

// Half the time that a single contact takes which approaches with u: depth over speed, from the
// energy 1/2 u^2 / w that it absorbs; some 0.7 of the true time for Hertz's exponent, all the same.
// Tangential springs may be quicker than the normal one.
static double contact_time(const process *p, const spring *s, double u)
{
    double response = s->normal->diagonal;
    if (s->tangent)
        response =
            fmax(response, p->how->tangential * (s->tangent[0].diagonal + s->tangent[1].diagonal));
    double absorbed = 0.5 * u * u / response;
    double depth =
        carom_power_general((s->exponent + 1) * absorbed / s->stiffness, 1 / (s->exponent + 1));
    return depth / u;
}

static void measure(const process *p, spring *s)
{
    s->u = carom_row_speed(s->normal, p->motion->v);
    for (int k = 0; k < 2 && s->tangent; ++k)
        s->slip[k] = carom_row_speed(&s->tangent[k], p->motion->v);
}

static carom_status begin(process *p, carom_arena *scratch, carom_error *err)
{
    double fastest = 0, shortest = HUGE_VAL;
    TAKE_ZEROS(scratch, p->springs, p->set.count, err);
    for (int i = 0; i < p->set.count; ++i) {
        spring *s = &p->springs[i];
        int contact = p->set.index[i];
        const carom_impact_contact *c = &p->problem->contacts[contact];
        bool rough = p->how->tangential > 0 && c->friction > 0;
        s->normal = &p->problem->normal[contact];
        s->tangent = rough ? carom_problem_tangents(p->problem, contact) : NULL;
        s->stiffness = c->stiffness;
        s->exponent = p->how->exponent > 0 ? p->how->exponent : c->exponent;
        s->e2 = c->restitution * c->restitution;
        s->mu = c->friction;
        measure(p, s);
        s->first[0] = s->u;
        s->first[1] = s->slip[0];
        s->first[2] = s->slip[1];
        fastest = fmax(fastest, fabs(s->u));
    }
    for (int i = 0; i < p->set.count && fastest > 0; ++i)
        shortest = fmin(shortest, contact_time(p, &p->springs[i], fastest));
    p->slow = p->how->tolerance * fastest;
    p->span = fastest > 0 ? shortest / p->how->steps : 0;
    return CAROM_OK;
}

static bool is_over(const process *p)
{
    for (int i = 0; i < p->set.count; ++i)
        if (p->springs[i].depth > 0 || p->springs[i].last != 0 || p->springs[i].u < -p->slow)
            return false;
    return true;
}

// A spring that lets go holds nothing more; what mono-stiffness cuts off is lost.
static void let_go(process *p, spring *s)
{
    if (p->how->release == CAROM_DARBOUX_MONO_STIFFNESS)
        p->lost += (1 - s->e2) * s->absorbed;
    s->depth = s->absorbed = s->cut = s->stretch[0] = s->stretch[1] = 0;
}

// Mono-stiffness: from `before` the depth has fallen below where it is cut off. A kick stands for
// half a step before it and half a step after it: what the force did until it was cut off, less
// what the last kick has done for it, is still due.
static void cut_off(process *p, spring *s, double before)
{
    double part = (before - s->cut) / (before - s->depth);
    s->last = (part - 0.5) * p->span * s->stiffness * carom_power(s->cut, s->exponent);
    let_go(p, s);
}

// The depths go on with the speeds they have.
static void drift(process *p, double span)
{
    bool bi_stiffness = p->how->release == CAROM_DARBOUX_BI_STIFFNESS;
    for (int i = 0; i < p->set.count; ++i) {
        spring *s = &p->springs[i];
        double before = s->depth;
        if (s->depth <= 0 && s->u >= 0)
            continue;
        double faster = s->u > 0 && bi_stiffness ? s->e2 : 1;
        s->depth = faster > 0 ? s->depth - span * s->u / faster : 0;
        for (int k = 0; k < 2; ++k)
            s->stretch[k] += span * s->slip[k];
        if (s->u > 0 && s->depth < s->cut)
            cut_off(p, s, before);
        else if (s->depth <= 0)
            let_go(p, s);
    }
}

// The impulse across the normal: the tangential spring, which slides where it would pull harder
// than friction holds.
static void pull_across(const process *p, spring *s)
{
    double most = s->mu * s->kick[0], soft = s->depth > 0 ? s->kick[0] / s->depth : 0;
    double wanted[2], size = 0;
    for (int k = 0; k < 2; ++k)
        wanted[k] = -p->how->tangential * soft * s->stretch[k];
    size = sqrt(wanted[0] * wanted[0] + wanted[1] * wanted[1]);
    double share = size > most ? most / size : 1;
    for (int k = 0; k < 2; ++k) {
        s->kick[k + 1] = share * wanted[k];
        s->stretch[k] *= share;
    }
}

// All springs push for one step.
static void kick(process *p)
{
    for (int i = 0; i < p->set.count; ++i) {
        spring *s = &p->springs[i];
        double *sum = p->motion->p[p->set.index[i]];
        s->kick[0] = p->span * s->stiffness * carom_power(s->depth, s->exponent) + s->last;
        s->last = 0;
        if (s->tangent)
            pull_across(p, s);
        if (s->kick[0] == 0)
            continue;
        carom_row_apply(s->normal, s->kick[0], p->motion->v);
        sum[0] += s->kick[0];
        for (int k = 0; k < 2 && s->tangent; ++k) {
            carom_row_apply(&s->tangent[k], s->kick[k + 1], p->motion->v);
            sum[k + 1] += s->kick[k + 1];
        }
    }
    for (int i = 0; i < p->set.count; ++i) {
        spring *s = &p->springs[i];
        double before = s->u, slip[2] = { s->slip[0], s->slip[1] };
        measure(p, s);
        for (int k = 0; k < 2 && s->tangent; ++k)
            p->friction += 0.5 * s->kick[k + 1] * (slip[k] + s->slip[k]);
        turn(p, s, before);
    }
}

// Books what the contact absorbed in this step, the speed taken as linear in it, and what it loses
// where compression ends.
static void turn(process *p, spring *s, double before)
{
    double change = s->u - before;
    if (before < 0) {
        double part = s->u > 0 ? -before / change : 1, end = s->u > 0 ? 0 : s->u;
        s->absorbed -= 0.5 * part * s->kick[0] * (before + end);
    } else if (s->u < 0 && s->depth > 0) { // compressed again before everything was given back
        if (p->how->release == CAROM_DARBOUX_BI_STIFFNESS)
            p->lost -= (1 - s->e2) * energy(s);
        s->absorbed = energy(s) - 0.5 * s->kick[0] * s->u * s->u / change;
        s->cut = 0;
    }
    if (before >= 0 || s->u < 0)
        return;
    if (p->how->release == CAROM_DARBOUX_MONO_STIFFNESS) {
        s->cut = s->depth * carom_power_general(1 - s->e2, 1 / (s->exponent + 1));
        return;
    }
    if (p->how->release == CAROM_DARBOUX_SUDDEN)
        s->depth *= carom_power_general(s->e2, 1 / (s->exponent + 1));
    p->lost += (1 - s->e2) * s->absorbed;
    s->absorbed = 0;
}

// Scales the impulses of the island by the root next to 1 of
// 1/2 f^2 p.W p + f p.u- + lost - friction = 0.
static void set_energy(process *p)
{
    double slope = 0, curve = 0;
    for (int i = 0; i < p->set.count; ++i) {
        const spring *s = &p->springs[i];
        const double *sum = p->motion->p[p->set.index[i]];
        double now[3] = { s->u, s->slip[0], s->slip[1] };
        for (int k = 0; k < (s->tangent ? 3 : 1); ++k) {
            slope += sum[k] * s->first[k];
            curve += 0.5 * sum[k] * (now[k] - s->first[k]);
        }
    }
    if (!(curve > 0) || !(slope < 0))
        return;
    double rest = fmax(p->lost, 0) - fmin(p->friction, 0);
    double root = sqrt(fmax(slope * slope - 4 * curve * rest, 0));
    double factor = (root - slope) / (2 * curve);
    for (int i = 0; i < p->set.count; ++i) {
        spring *s = &p->springs[i];
        double *sum = p->motion->p[p->set.index[i]];
        for (int k = 0; k < (s->tangent ? 3 : 1); ++k) {
            const carom_row *row = k == 0 ? s->normal : &s->tangent[k - 1];
            carom_row_apply(row, (factor - 1) * sum[k], p->motion->v);
            sum[k] *= factor;
        }
    }
}

static carom_status finish(process *p, bool ended, carom_arena *scratch,
                           carom_impact_report *report, carom_error *err)
{
    bool elastic = true, endless = false;
    for (int i = 0; i < p->set.count; ++i)
        elastic = elastic && p->springs[i].e2 == 1 && !p->springs[i].tangent;
    if (!ended) {
        TRY(carom_qce_endless(p->problem, &p->set, scratch, &endless, err));
        carom_impact_end end = endless ? CAROM_IMPACT_ENDLESS : CAROM_IMPACT_CAPPED;
        report->end = end > report->end ? end : report->end;
    }
    if (!elastic)
        return carom_inelastic_stop_approach(p->problem, &p->set, p->slow, scratch, p->motion, NULL,
                                             &report->solver_residual, err);
    carom_qce_settings settings = { .tolerance = p->slow, .theta = 1e-3, .sweeps = 1000 };
    int sweeps = report->sweeps;
    TRY(carom_qce_settle(p->problem, &p->set, &settings, scratch, p->motion, report, err));
    report->sweeps = sweeps;
    return CAROM_OK;
}
