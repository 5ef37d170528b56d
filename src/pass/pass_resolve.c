// The impacts of one step of another engine: which contacts meet, at which instant, and what it
// changes.
//
// A contact at distance d (negative: overlap) that approaches at speed u < 0 meets at the time s =
// -d / u from the beginning of the step on, before it where the bodies overlap by now. Within a
// group of bodies that contacts connect, the earliest instant comes first: every contact that is
// closed by then takes part. The engine goes on from the beginning of the step with the new
// velocities v+, so that a body comes to x + dt v+; it should come to x + s v- + (dt - s) v+: it is
// shifted by s (v- - v+). What meets after that, within the same step, is the next round.
#include "pass/pass.h"

#include <string.h>
#include "base/error.h"
#include "base/sets.h"
#include "math/vec.h"

// One round: the problem of all groups together, in numbers of its own.
typedef struct impact_round {
    double *speed;   // m/s, relative normal speed of each contact, by the motion as it is now
    int *group;      // of each body: the smallest number in its group
    double *instant; // s, of each group, by its smallest body; infinite: nothing meets
    int *local;      // of each body: its number in the problem, -1: takes no part
    int *body;       // of each body of the problem: its number in the pass
    int *contact;    // likewise for contacts
    carom_impact_body *bodies;
    carom_impact_contact *contacts;
    carom_impact impact;
    carom_impact_outcome out;
} impact_round;

static carom_status impact_round_begin(carom_pass *pass, impact_round *r, carom_error *err);
static bool impact_round_find(const carom_pass *pass, impact_round *r, double dt);
static void impact_round_gather(const carom_pass *pass, impact_round *r);
static carom_status impact_round_resolve(carom_pass *pass, impact_round *r, carom_error *err);
static int impact_round_apply(carom_pass *pass, impact_round *r);

static bool moves(const carom_pass *pass, int body)
{
    return pass->bodies[body].inverse_mass > 0;
}

static bool between_fixed(const carom_pass *pass, const carom_pass_contact *c)
{
    return !moves(pass, c->a) && !moves(pass, c->b);
}

// The group that a contact belongs to.
static int group_of(const carom_pass *pass, const impact_round *r, const carom_pass_contact *c)
{
    return r->group[moves(pass, c->a) ? c->a : c->b];
}

static carom_status check(const carom_pass *pass, double dt, carom_error *err)
{
    if (!(dt > 0 && dt < HUGE_VAL)) {
        carom_error_set(err, CAROM_BAD_INPUT, "dt is %g s, not a positive number", dt);
        return carom_error_fix(err, "give the step of your engine in seconds");
    }
    for (int i = 0; i < pass->contact_count; ++i) {
        const carom_pass_contact *c = &pass->contacts[i];
        if (c->a < 0 || c->b < 0 || c->a >= pass->body_count || c->b >= pass->body_count ||
            c->a == c->b) {
            carom_error_set(err, CAROM_BAD_INPUT, "contact %d is between bodies %d and %d of %d", i,
                            c->a, c->b, pass->body_count);
            carom_error_fix(err, "use the numbers that carom_pass_add_body returned in this step");
            return carom_error_contact(err, i);
        }
        if (!(fabs(vec3_length(vec3_from(c->normal)) - 1) < 1e-3)) {
            carom_error_set(err, CAROM_BAD_INPUT, "the normal of contact %d has length %g", i,
                            vec3_length(vec3_from(c->normal)));
            carom_error_fix(err, "give a unit vector from body a to body b");
            return carom_error_contact(err, i);
        }
        if (!(fabs(c->distance) < HUGE_VAL)) {
            carom_error_set(err, CAROM_BAD_INPUT, "the distance of contact %d is %g", i,
                            c->distance);
            carom_error_fix(err, "give the gap in m, negative where the bodies overlap");
            return carom_error_contact(err, i);
        }
    }
    return CAROM_OK;
}

static double energy(const carom_pass *pass)
{
    double sum = 0;
    for (int i = 0; i < pass->body_count; ++i) {
        const double *j = pass->bodies[i].inverse_inertia;
        vec3 v = vec3_from(pass->motion[i].velocity), w = vec3_from(pass->motion[i].spin);
        if (moves(pass, i))
            sum += 0.5 * vec3_dot(v, v) / pass->bodies[i].inverse_mass +
                   0.5 * sym3_divide((sym3){ j[0], j[1], j[2], j[3], j[4], j[5] }, w);
    }
    return sum;
}

// How many contacts meet within the step as things are.
static int count_due(const carom_pass *pass, const impact_round *r, double dt)
{
    int due = 0;
    for (int i = 0; i < pass->contact_count; ++i) {
        double u = r->speed[i];
        due += !between_fixed(pass, &pass->contacts[i]) && u < -pass->options.speed &&
               pass->distance[i] < -u * dt;
    }
    return due;
}

// Back to what was handed over.
static void restore(carom_pass *pass)
{
    for (int i = 0; i < pass->body_count; ++i) {
        carom_pass_motion *now = &pass->motion[i];
        *now = (carom_pass_motion){ .struck = 0 };
        memcpy(now->velocity, pass->bodies[i].velocity, sizeof now->velocity);
        memcpy(now->spin, pass->bodies[i].spin, sizeof now->spin);
    }
    for (int i = 0; i < pass->contact_count; ++i)
        pass->distance[i] = pass->contacts[i].distance;
}

carom_status carom_pass_resolve(carom_pass *pass, double dt, carom_pass_report *report,
                                carom_error *err)
{
    NEED(err, pass);
    impact_round r;
    carom_pass_report done = { .rounds = 0 };
    TRY(check(pass, dt, err));
    restore(pass);
    carom_arena_rewind(pass->scratch, (carom_arena_mark){ 0 });
    TRY(impact_round_begin(pass, &r, err));
    done.energy_before = energy(pass);
    while (done.rounds < pass->options.rounds && impact_round_find(pass, &r, dt)) {
        impact_round_gather(pass, &r);
        carom_status status = impact_round_resolve(pass, &r, err);
        if (status != CAROM_OK) {
            restore(pass);
            return status;
        }
        done.impacts += impact_round_apply(pass, &r);
        ++done.rounds;
    }
    done.energy_after = energy(pass);
    done.left = count_due(pass, &r, dt);
    if (report)
        *report = done;
    return CAROM_OK;
}

static void measure_speeds(const carom_pass *pass, impact_round *r)
{
    for (int i = 0; i < pass->contact_count; ++i)
        r->speed[i] = carom_pass_speed(pass, i);
}

// Groups of bodies over all contacts, and room for the largest problem.
static carom_status impact_round_begin(carom_pass *pass, impact_round *r, carom_error *err)
{
    int n = pass->body_count, m = pass->contact_count;
    TAKE(pass->scratch, r->speed, m, err);
    TAKE(pass->scratch, r->group, n, err);
    TAKE(pass->scratch, r->instant, n, err);
    TAKE(pass->scratch, r->local, n, err);
    TAKE(pass->scratch, r->body, n, err);
    TAKE(pass->scratch, r->contact, m, err);
    TAKE(pass->scratch, r->bodies, n, err);
    TAKE(pass->scratch, r->contacts, m, err);
    TAKE(pass->scratch, r->out.velocities, n, err);
    TAKE(pass->scratch, r->out.spins, n, err);
    TAKE(pass->scratch, r->out.impulses, m, err);
    for (int i = 0; i < n; ++i)
        r->group[i] = i;
    for (int i = 0; i < m; ++i)
        if (moves(pass, pass->contacts[i].a) && moves(pass, pass->contacts[i].b))
            sets_join(r->group, pass->contacts[i].a, pass->contacts[i].b);
    for (int i = 0; i < n; ++i)
        r->group[i] = sets_find(r->group, i);
    measure_speeds(pass, r);
    return CAROM_OK;
}

// The earliest instant of each group; false where nothing meets any more. An old overlap met before
// the step at most.
static bool impact_round_find(const carom_pass *pass, impact_round *r, double dt)
{
    bool any = false;
    for (int i = 0; i < pass->body_count; ++i)
        r->instant[i] = HUGE_VAL;
    for (int i = 0; i < pass->contact_count; ++i) {
        const carom_pass_contact *c = &pass->contacts[i];
        double u = r->speed[i], d = pass->distance[i];
        if (between_fixed(pass, c) || u >= -pass->options.speed || d >= -u * dt)
            continue;
        double *instant = &r->instant[group_of(pass, r, c)];
        *instant = fmin(*instant, fmax(-d / u, -dt));
        any = true;
    }
    return any;
}

static int local_body(const carom_pass *pass, impact_round *r, int body)
{
    if (r->local[body] < 0) {
        int k = r->impact.body_count++;
        r->local[body] = k;
        r->body[k] = body;
        r->bodies[k] = pass->bodies[body];
        memcpy(r->bodies[k].velocity, pass->motion[body].velocity, sizeof r->bodies[k].velocity);
        memcpy(r->bodies[k].spin, pass->motion[body].spin, sizeof r->bodies[k].spin);
    }
    return r->local[body];
}

// The contacts that are closed at the instant of their group, and the bodies that they touch.
static void impact_round_gather(const carom_pass *pass, impact_round *r)
{
    r->impact = (carom_impact){ 0, 0, r->bodies, r->contacts };
    for (int i = 0; i < pass->body_count; ++i)
        r->local[i] = -1;
    for (int i = 0; i < pass->contact_count; ++i) {
        const carom_pass_contact *c = &pass->contacts[i];
        if (between_fixed(pass, c))
            continue;
        double instant = r->instant[group_of(pass, r, c)];
        if (instant == HUGE_VAL || pass->distance[i] + r->speed[i] * instant > pass->options.touch)
            continue;
        carom_impact_contact *one = &r->contacts[r->impact.contact_count];
        *one = carom_impact_contact_default();
        one->a = local_body(pass, r, c->a);
        one->b = local_body(pass, r, c->b);
        memcpy(one->point, c->point, sizeof one->point);
        vec3_store(vec3_unit(vec3_from(c->normal)), one->normal);
        one->restitution = c->restitution;
        one->friction = c->friction;
        r->contact[r->impact.contact_count++] = i;
    }
}

static carom_status impact_round_resolve(carom_pass *pass, impact_round *r, carom_error *err)
{
    carom_error own = { .body = -1, .contact = -1 };
    carom_status status = carom_impact_check(&r->impact, &own);
    if (status == CAROM_OK)
        status = carom_impact_resolve(pass->workspace, &r->impact, pass->options.law,
                                      &pass->options.law_options, &r->out, &own);
    if (status == CAROM_OK)
        return status;
    if (own.body >= 0)
        own.body = r->body[own.body];
    if (own.contact >= 0)
        own.contact = r->contact[own.contact];
    if (err)
        *err = own;
    return status;
}

// Adds to the distances of contacts that have met what they change by in `times` their instant.
static void shift_distances(carom_pass *pass, const impact_round *r, double times)
{
    for (int i = 0; i < pass->contact_count; ++i) {
        const carom_pass_contact *c = &pass->contacts[i];
        double s = between_fixed(pass, c) ? HUGE_VAL : r->instant[group_of(pass, r, c)];
        if (s < HUGE_VAL)
            pass->distance[i] += times * s * r->speed[i];
    }
}

// Takes over the velocities, shifts bodies and distances; returns how many contacts pushed.
static int impact_round_apply(carom_pass *pass, impact_round *r)
{
    int pushed = 0;
    // distances first lose s u- and then, by the new motion, gain s u+: d - s (u+ - u-)
    shift_distances(pass, r, 1);
    for (int k = 0; k < r->impact.body_count; ++k) {
        carom_pass_motion *now = &pass->motion[r->body[k]];
        if (r->bodies[k].inverse_mass == 0)
            continue;
        double s = r->instant[r->group[r->body[k]]];
        vec3 was = vec3_from(now->velocity), is = vec3_from(r->out.velocities[k]);
        vec3_store(vec3_axpy(vec3_from(now->shift), s, vec3_sub(was, is)), now->shift);
        vec3_store(is, now->velocity);
        memcpy(now->spin, r->out.spins[k], sizeof now->spin);
    }
    measure_speeds(pass, r);
    shift_distances(pass, r, -1);
    for (int k = 0; k < r->impact.contact_count; ++k) {
        if (r->out.impulses[k][0] <= 0)
            continue;
        const carom_pass_contact *c = &pass->contacts[r->contact[k]];
        pass->motion[c->a].struck |= moves(pass, c->a);
        pass->motion[c->b].struck |= moves(pass, c->b);
        ++pushed;
    }
    return pushed;
}
