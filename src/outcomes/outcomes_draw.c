// One sample of an instant.
//
// order, gap: contacts are met one after another, each resolved alone by the law, until none
// approaches: the next is chosen by chance among those that approach, or is the one whose gap
// closes first. Gaps are infinitesimal: nothing moves but them. share: all approaching contacts act
// at once with shares of the impulse that are drawn anew for every piece of it, friction at its
// limit against the slip [HalmPosa, section 4]; a contact has had enough when it separates with
// restitution times the fastest that it approached (Newton). Otherwise: the whole instant by the
// law, with stiffness, friction and restitution drawn.
//
// Symbols: u relative velocity at a contact (b against a), W its answer to an impulse.
#include "outcomes/outcomes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/random.h"
#include "math/power.h"

// Most single impacts or pieces of impulse of a sample; pieces that a contact's approach is cut
// into.
enum { EVENTS_MAX = 4096, PIECES = 12 };
// Slower than this, of the fastest before, is no approach.
static const double slow = 1e-9;

carom_status carom_outcomes_draw_open(carom_outcomes_draw *d, carom_error *err)
{
    size_t bodies = (size_t)d->impact->body_count, contacts = (size_t)d->impact->contact_count;
    d->workspace = carom_workspace_create();
    d->bodies = malloc(bodies * sizeof *d->bodies);
    d->contacts = malloc((contacts + 1) * sizeof *d->contacts);
    d->velocities = malloc(bodies * sizeof *d->velocities);
    d->spins = malloc(bodies * sizeof *d->spins);
    d->impulses = malloc((contacts + 1) * sizeof *d->impulses);
    d->gaps = malloc(4 * (contacts + 1) * sizeof *d->gaps);
    if (!d->workspace || !d->bodies || !d->contacts || !d->velocities || !d->spins ||
        !d->impulses || !d->gaps)
        return carom_error_no_memory(err, "%zu contacts", contacts);
    d->speeds = d->gaps + contacts + 1;
    d->targets = d->speeds + contacts + 1;
    d->shares = d->targets + contacts + 1;
    return CAROM_OK;
}

void carom_outcomes_draw_close(carom_outcomes_draw *d)
{
    carom_workspace_destroy(d->workspace);
    free(d->bodies);
    free(d->contacts);
    free(d->velocities);
    free(d->spins);
    free(d->impulses);
    free(d->gaps);
}

// -- contacts --------------------------------------------------------------------------------

static sym3 inverse_inertia(const carom_impact_body *b)
{
    const double *j = b->inverse_inertia;
    return (sym3){ j[0], j[1], j[2], j[3], j[4], j[5] };
}

static vec3 arm_of(const carom_impact_contact *c, const carom_impact_body *b)
{
    return vec3_sub(vec3_from(c->point), vec3_from(b->position));
}

static vec3 point_velocity(const carom_impact_contact *c, const carom_impact_body *b)
{
    return vec3_add(vec3_from(b->velocity), vec3_cross(vec3_from(b->spin), arm_of(c, b)));
}

static vec3 relative_velocity(const carom_outcomes_draw *d, const carom_impact_contact *c)
{
    return vec3_sub(point_velocity(c, &d->bodies[c->b]), point_velocity(c, &d->bodies[c->a]));
}

static void push(carom_impact_body *b, const carom_impact_contact *c, vec3 impulse)
{
    vec3 spin = sym3_mul(inverse_inertia(b), vec3_cross(arm_of(c, b), impulse));
    vec3_store(vec3_add(vec3_from(b->velocity), vec3_scale(b->inverse_mass, impulse)), b->velocity);
    vec3_store(vec3_add(vec3_from(b->spin), spin), b->spin);
}

// How fast the contact opens by a unit impulse along `direction`, at its point along its normal.
static double answer(const carom_outcomes_draw *d, const carom_impact_contact *c, vec3 direction)
{
    double sum = 0;
    const int ends[2] = { c->a, c->b };
    for (int k = 0; k < 2; ++k) {
        const carom_impact_body *b = &d->bodies[ends[k]];
        vec3 r = arm_of(c, b);
        vec3 turn = vec3_cross(sym3_mul(inverse_inertia(b), vec3_cross(r, direction)), r);
        vec3 v = vec3_add(vec3_scale(b->inverse_mass, direction), turn);
        sum += vec3_dot(v, vec3_from(c->normal));
    }
    return sum;
}

static double measure_speeds(carom_outcomes_draw *d)
{
    double fastest = 0;
    for (int i = 0; i < d->impact->contact_count; ++i) {
        const carom_impact_contact *c = &d->contacts[i];
        d->speeds[i] = vec3_dot(relative_velocity(d, c), vec3_from(c->normal));
        fastest = fmax(fastest, fabs(d->speeds[i]));
    }
    return fastest;
}

// -- order and gap ---------------------------------------------------------------------------

// Of one sample: its part of all work.
static int events_max(const carom_outcomes_draw *d)
{
    double part = d->options->work_max / (double)d->options->samples;
    return part > 0 && part < EVENTS_MAX ? (int)fmax(part, 1) : EVENTS_MAX;
}

// A contact alone: its two bodies by the law.
static carom_status resolve_alone(carom_outcomes_draw *d, int i, carom_error *err)
{
    carom_impact_contact contact = d->contacts[i];
    const int ends[2] = { contact.a, contact.b };
    const carom_impact_body bodies[2] = { d->bodies[ends[0]], d->bodies[ends[1]] };
    double velocities[2][3], spins[2][3], impulses[1][3];
    contact.a = 0;
    contact.b = 1;
    contact.gap = 0;
    const carom_impact pair = { 2, 1, bodies, &contact };
    carom_impact_outcome out = { .velocities = velocities, .spins = spins, .impulses = impulses };
    TRY(carom_impact_resolve(d->workspace, &pair, d->law, d->law_options, &out, err));
    for (int k = 0; k < 2; ++k) {
        memcpy(d->bodies[ends[k]].velocity, velocities[k], sizeof velocities[k]);
        memcpy(d->bodies[ends[k]].spin, spins[k], sizeof spins[k]);
    }
    return CAROM_OK;
}

// One of the contacts that approach; -1: none does.
static int choose_by_chance(const carom_outcomes_draw *d, carom_random *random)
{
    int count = 0, chosen = -1;
    for (int i = 0; i < d->impact->contact_count; ++i)
        count += d->speeds[i] < -slow * d->fastest;
    int wanted = count > 0 ? carom_random_below(random, count) : 0;
    for (int i = 0; i < d->impact->contact_count && count > 0 && chosen < 0; ++i)
        if (d->speeds[i] < -slow * d->fastest && wanted-- == 0)
            chosen = i;
    return chosen;
}

// The one that closes first; all gaps shrink or grow until then.
static int choose_by_gap(const carom_outcomes_draw *d)
{
    double first = HUGE_VAL;
    int chosen = -1;
    for (int i = 0; i < d->impact->contact_count; ++i) {
        double time = d->gaps[i] / -d->speeds[i];
        if (d->speeds[i] < -slow * d->fastest && time < first) {
            first = time;
            chosen = i;
        }
    }
    for (int i = 0; i < d->impact->contact_count && chosen >= 0; ++i)
        d->gaps[i] = fmax(d->gaps[i] + first * d->speeds[i], 0);
    if (chosen >= 0)
        d->gaps[chosen] = 0;
    return chosen;
}

static carom_status one_by_one(carom_outcomes_draw *d, carom_random *random, carom_error *err)
{
    bool by_gap = d->options->vary & CAROM_OUTCOMES_GAP;
    int events = events_max(d);
    for (int event = 0; event < events; ++event) {
        measure_speeds(d);
        int next = by_gap ? choose_by_gap(d) : choose_by_chance(d, random);
        if (next < 0) {
            d->finished = true;
            return CAROM_OK;
        }
        TRY(resolve_alone(d, next, err));
    }
    return CAROM_OK;
}

// -- share -----------------------------------------------------------------------------------

// A piece of a contact's impulse: `size` along the normal, friction at its limit against the slip.
// Friction does not turn the slip round within a piece: it stops it.
static vec3 piece_of(const carom_outcomes_draw *d, const carom_impact_contact *c, double size)
{
    vec3 n = vec3_from(c->normal), u = relative_velocity(d, c);
    vec3 slip = vec3_sub(u, vec3_scale(vec3_dot(u, n), n)), along = vec3_scale(size, n);
    double speed = vec3_length(slip);
    if (c->friction == 0 || speed <= slow * d->fastest)
        return along;
    vec3 back = vec3_scale(-1 / speed, slip);
    carom_impact_contact across = *c;
    vec3_store(back, across.normal);
    double stops = speed / answer(d, &across, back);
    return vec3_add(along, vec3_scale(fmin(c->friction * size, stops), back));
}

// Contacts that have not had enough draw their shares.
static double draw_shares(carom_outcomes_draw *d, carom_random *random)
{
    double sum = 0;
    for (int i = 0; i < d->impact->contact_count; ++i) {
        double u = d->speeds[i];
        d->targets[i] = fmax(d->targets[i], -u * d->contacts[i].restitution);
        bool wants = u < d->targets[i] - slow * d->fastest && d->targets[i] >= 0 &&
                     (u < -slow * d->fastest || d->shares[i] > 0);
        d->shares[i] = wants ? 1 - carom_random_unit(random) : 0;
        sum += d->shares[i];
    }
    return sum;
}

static void all_at_once(carom_outcomes_draw *d, carom_random *random)
{
    int events = events_max(d);
    for (int event = 0; event < events; ++event) {
        measure_speeds(d);
        double sum = draw_shares(d, random);
        if (sum == 0) {
            d->finished = true;
            return;
        }
        for (int i = 0; i < d->impact->contact_count; ++i) {
            const carom_impact_contact *c = &d->contacts[i];
            double u = vec3_dot(relative_velocity(d, c), vec3_from(c->normal));
            double left = d->targets[i] - u;
            if (d->shares[i] == 0 || left <= 0)
                continue;
            // a piece brings the contact at most to its end
            double wanted = fmin(left, d->fastest / PIECES * d->shares[i] / sum);
            vec3 piece = piece_of(d, c, wanted / answer(d, c, vec3_from(c->normal)));
            push(&d->bodies[c->b], c, piece);
            push(&d->bodies[c->a], c, vec3_scale(-1, piece));
        }
    }
}

// -- a sample --------------------------------------------------------------------------------

static double within(carom_random *random, double value, double spread, double most)
{
    return fmin(fmax(value * carom_random_between(random, 1 - spread, 1 + spread), 0), most);
}

static void draw_contacts(carom_outcomes_draw *d, carom_random *random)
{
    const carom_outcomes_options *o = d->options;
    memcpy(d->bodies, d->impact->bodies, (size_t)d->impact->body_count * sizeof *d->bodies);
    for (int i = 0; i < d->impact->contact_count; ++i) {
        carom_impact_contact *c = &d->contacts[i];
        *c = d->impact->contacts[i];
        d->gaps[i] = carom_random_unit(random);
        d->targets[i] = 0;
        d->shares[i] = 0;
        if (o->vary & CAROM_OUTCOMES_STIFFNESS)
            c->stiffness *= carom_power(10, carom_random_between(random, -1, 1));
        if (o->vary & CAROM_OUTCOMES_FRICTION)
            c->friction = within(random, c->friction, o->spread, HUGE_VAL);
        if (o->vary & CAROM_OUTCOMES_RESTITUTION)
            c->restitution = within(random, c->restitution, o->spread, 1);
    }
}

static carom_status resolve_whole(carom_outcomes_draw *d, carom_error *err)
{
    const carom_impact impact = { d->impact->body_count, d->impact->contact_count, d->bodies,
                                  d->contacts };
    carom_impact_outcome out = { .velocities = d->velocities,
                                 .spins = d->spins,
                                 .impulses = d->impulses };
    TRY(carom_impact_resolve(d->workspace, &impact, d->law, d->law_options, &out, err));
    d->finished = out.report.end == CAROM_IMPACT_SETTLED;
    return CAROM_OK;
}

carom_status carom_outcomes_draw_sample(carom_outcomes_draw *d, int64_t index, carom_error *err)
{
    carom_random random = carom_random_make(d->options->seed, (uint64_t)index);
    unsigned vary = d->options->vary;
    draw_contacts(d, &random);
    d->finished = false;
    if (!(vary & (CAROM_OUTCOMES_ORDER | CAROM_OUTCOMES_GAP | CAROM_OUTCOMES_SHARE)))
        return resolve_whole(d, err);
    d->fastest = measure_speeds(d);
    if (vary & CAROM_OUTCOMES_SHARE)
        all_at_once(d, &random);
    else
        TRY(one_by_one(d, &random, err));
    for (int i = 0; i < d->impact->body_count; ++i) {
        memcpy(d->velocities[i], d->bodies[i].velocity, sizeof d->velocities[i]);
        memcpy(d->spins[i], d->bodies[i].spin, sizeof d->spins[i]);
    }
    return CAROM_OK;
}

// Kinetic energy of the bodies that move, J; a body that cannot turn about an axis has none there.
double carom_outcomes_draw_energy(const carom_impact *impact, const double (*velocities)[3],
                                  const double (*spins)[3])
{
    double sum = 0;
    for (int i = 0; i < impact->body_count; ++i) {
        const carom_impact_body *b = &impact->bodies[i];
        if (b->inverse_mass == 0)
            continue;
        vec3 v = vec3_from(velocities[i]), w = vec3_from(spins[i]);
        sum += 0.5 * vec3_dot(v, v) / b->inverse_mass;
        sum += 0.5 * sym3_divide(inverse_inertia(b), w);
    }
    return sum;
}
