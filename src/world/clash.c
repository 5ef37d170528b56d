// The impact phase: where something approaches faster than the resting speed, the law is asked.
//
// Every touching contact that the impact reaches must go to the law, also those that do not
// approach: the wave passes through them. In a dense pile that need not be the whole island. The
// law first gets the contacts of the bodies that hit each other; wherever its answer makes another
// touching contact approach faster than the resting speed, the bodies there join (with a wider
// surrounding each time) and their component is resolved again from the velocities before. When it
// ends, no touching contact outside approaches faster than the resting speed: what is left there is
// the resting solver's.
#include <limits.h>
#include <string.h>
#include "world/clash.h"
#include "base/sets.h"
#include "world/journal.h"
#include "world/ledger.h"

// How far round a new impact its surrounding joins, by round: each time so much farther that all
// rounds together cost little more than the last. The last is the whole island.
enum { ROUNDS = 5, CROWD = 4 };
#define ROUND_OFF 1e-12
static const int rings[ROUNDS] = { 0, 2, 5, 12, INT_MAX };

typedef struct clash {
    carom_step *step;
    int *near, near_count;  // touching contacts
    int *first, *around;    // per body its places in `near`, compressed rows; movable bodies only
    int *ring;              // per body the next that joints connect with it; null: no joints
    unsigned char *in;      // per place: goes to the law
    unsigned char *core;    // per body: all its touching contacts go to the law
    unsigned char *whole;   // per body: and its whole island
    unsigned char *fresh;   // per body: its component must be resolved (again)
    unsigned char *reached; // per body: some contact of it goes to the law
    int *queue, *queued,
        search;            // of a breadth-first search: bodies, and which search saw them last
    int *parent;           // components of what goes to the law
    vec3 *velocity, *spin; // before the impact
    vec3 *impulse;         // N s, per place, on b
    // what the law sees
    carom_impact_body *bodies;
    carom_impact_contact *contacts;
    int *number, *body_of, *place_of;
    int body_count, contact_count;
    double fastest; // m/s, approach
} clash;

static bool touching(const carom_step *step, const carom_touch *touch)
{
    if (touch->gap <= step->world->options.slop)
        return true;
    return !touch->located && touch->gap + touch->u * step->remaining < 0;
}

static bool impacting(const carom_step *step, const carom_touch *touch)
{
    const carom_world_options *options = &step->world->options;
    bool here = touch->gap <= options->touch || (!touch->located && touching(step, touch));
    return here && touch->u < -options->resting_speed;
}

static carom_status resolve_pass(carom_step *step, carom_error *err);
static carom_status prepare(clash *c, carom_error *err);
static void join(clash *c, int start, int most);
static carom_status resolve(clash *c, carom_error *err);
static bool spread(clash *c, int most);
static bool crowded(const clash *c);
static void book(clash *c);

// Bodies that bounce may meet others within the same interval: what closes then, and whose time is
// not looked for, is the next pass's.
carom_status carom_clash_resolve(carom_step *step, carom_error *err)
{
    enum { PASSES = 6 };
    const carom_world_options *options = &step->world->options;
    for (int pass = 0; pass < PASSES; ++pass) {
        bool any = false;
        for (int i = 0; i < step->touch_count && !any; ++i) {
            const carom_touch *touch = &step->touches[i];
            any = impacting(step, touch) && (pass == 0 || touch->gap > options->slop);
        }
        if (!any)
            return CAROM_OK;
        TRY(resolve_pass(step, err));
        for (int i = 0; i < step->touch_count; ++i) { // every later phase sees the speeds after
            carom_touch *touch = &step->touches[i];
            touch->u = vec3_dot(touch->normal, carom_step_slip(step->world, touch));
        }
    }
    return CAROM_OK;
}

static carom_status resolve_pass(carom_step *step, carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(step->world->scratch);
    clash c = { .step = step };
    TRY(prepare(&c, err));
    for (int i = 0; i < step->touch_count; ++i)
        if (impacting(step, &step->touches[i])) {
            c.fastest = fmax(c.fastest, -step->touches[i].u);
            join(&c, step->touches[i].a, rings[0]);
            join(&c, step->touches[i].b, rings[0]);
        }
    if (crowded(&c))
        for (int p = 0; p < c.near_count; ++p)
            if (c.reached[step->touches[c.near[p]].a] || c.reached[step->touches[c.near[p]].b]) {
                join(&c, step->touches[c.near[p]].a, INT_MAX);
                join(&c, step->touches[c.near[p]].b, INT_MAX);
            }
    TRY(resolve(&c, err));
    for (int round = 1; round < ROUNDS && spread(&c, rings[round]); ++round)
        TRY(resolve(&c, err));
    book(&c);
    carom_arena_rewind(step->world->scratch, mark);
    return CAROM_OK;
}

// So many bodies hit each other that the impact reaches everything anyway.
static bool crowded(const clash *c)
{
    int in = 0;
    for (int p = 0; p < c->near_count; ++p)
        in += c->in[p];
    return CROWD * in > c->near_count;
}

// Compressed rows: the places of the touching contacts of each movable body.
static carom_status list_neighbours(clash *c, carom_error *err)
{
    const carom_world *world = c->step->world;
    const carom_touch *touches = c->step->touches;
    TAKE_ZEROS(world->scratch, c->first, (size_t)world->count + 2, err);
    TAKE(world->scratch, c->around, 2 * (size_t)c->near_count, err);
    for (int pass = 0; pass < 2; ++pass) {
        for (int p = 0; p < c->near_count; ++p) {
            int ends[2] = { touches[c->near[p]].a, touches[c->near[p]].b };
            for (int k = 0; k < 2; ++k) {
                if (world->fixed[ends[k]])
                    continue;
                if (pass == 0)
                    ++c->first[ends[k] + 2];
                else
                    c->around[c->first[ends[k] + 1]++] = p;
            }
        }
        for (int i = 2; pass == 0 && i <= world->count + 1; ++i)
            c->first[i] += c->first[i - 1];
    }
    return CAROM_OK;
}

static carom_status prepare(clash *c, carom_error *err)
{
    carom_step *step = c->step;
    carom_world *world = step->world;
    size_t n = (size_t)world->count;
    TAKE(world->scratch, c->near, step->touch_count, err);
    for (int i = 0; i < step->touch_count; ++i)
        if (touching(step, &step->touches[i]))
            c->near[c->near_count++] = i;
    TRY(carom_restitution_mapped(step, c->near, c->near_count, err));
    TRY(list_neighbours(c, err));
    TRY(carom_clash_joints_rings(world, &c->ring, err));
    TAKE_ZEROS(world->scratch, c->in, c->near_count, err);
    TAKE_ZEROS(world->scratch, c->impulse, c->near_count, err);
    TAKE_ZEROS(world->scratch, c->core, n, err);
    TAKE_ZEROS(world->scratch, c->whole, n, err);
    TAKE_ZEROS(world->scratch, c->fresh, n, err);
    TAKE_ZEROS(world->scratch, c->reached, n, err);
    TAKE(world->scratch, c->parent, n, err);
    TAKE(world->scratch, c->queue, n, err);
    TAKE_ZEROS(world->scratch, c->queued, n, err);
    TAKE(world->scratch, c->velocity, n, err);
    TAKE(world->scratch, c->spin, n, err);
    TAKE(world->scratch, c->bodies, n, err);
    TAKE(world->scratch, c->number, n, err);
    TAKE(world->scratch, c->body_of, n, err);
    TAKE(world->scratch, c->contacts, c->near_count, err);
    TAKE(world->scratch, c->place_of, c->near_count, err);
    memcpy(c->velocity, world->now.velocity, n * sizeof *c->velocity);
    memcpy(c->spin, world->now.spin, n * sizeof *c->spin);
    for (int i = 0; i < world->count; ++i) {
        c->parent[i] = i;
        c->number[i] = -1;
    }
    return CAROM_OK;
}

static void join_one(clash *c, int body);

// Bodies that joints connect answer together.
static void join_ring(clash *c, int body)
{
    for (int next = c->ring[body]; next != body; next = c->ring[next]) {
        sets_join(c->parent, body, next);
        if (!c->core[next])
            join_one(c, next);
    }
}

// Lets all touching contacts of a body take part.
static void join_one(clash *c, int body)
{
    const carom_world *world = c->step->world;
    c->core[body] = 1;
    c->reached[body] = c->fresh[body] = 1;
    for (int k = c->first[body]; k < c->first[body + 1]; ++k) {
        const carom_touch *touch = &c->step->touches[c->near[c->around[k]]];
        int other = touch->a == body ? touch->b : touch->a;
        c->in[c->around[k]] = 1;
        if (world->fixed[other])
            continue;
        c->reached[other] = 1;
        sets_join(c->parent, body, other);
    }
    if (c->ring)
        join_ring(c, body);
}

// A body and its surrounding up to so many rings of neighbours, breadth first.
static void join(clash *c, int start, int most)
{
    const carom_world *world = c->step->world;
    int head = 0, tail = 0, end = 1, ring = 0;
    if (world->fixed[start] || (most == 0 && c->core[start]) ||
        (most == INT_MAX && c->whole[start]))
        return;
    c->queue[tail++] = start;
    c->queued[start] = ++c->search;
    while (head < tail) {
        int body = c->queue[head++];
        if (!c->core[body])
            join_one(c, body);
        c->whole[body] = most == INT_MAX;
        for (int k = c->first[body]; k < c->first[body + 1] && ring < most; ++k) {
            const carom_touch *touch = &c->step->touches[c->near[c->around[k]]];
            int other = touch->a == body ? touch->b : touch->a;
            if (world->fixed[other] || c->queued[other] == c->search)
                continue;
            c->queued[other] = c->search;
            c->queue[tail++] = other;
        }
        if (head == end) {
            end = tail;
            ++ring;
        }
    }
}

// Bodies of the components to resolve again go back to where they were.
static void restore(clash *c)
{
    carom_world *world = c->step->world;
    for (int i = 0; i < world->count; ++i)
        if (c->fresh[i])
            c->fresh[sets_find(c->parent, i)] = 1;
    for (int i = 0; i < world->count; ++i)
        if (c->reached[i] && c->fresh[sets_find(c->parent, i)]) {
            world->now.velocity[i] = c->velocity[i];
            world->now.spin[i] = c->spin[i];
        }
}

static int number_of(clash *c, int body)
{
    const carom_world *world = c->step->world;
    if (c->number[body] >= 0)
        return c->number[body];
    sym3 s = world->inverse_inertia[body];
    carom_impact_body *copy = &c->bodies[c->body_count];
    *copy = (carom_impact_body){ .inverse_mass = world->inverse_mass[body],
                                 .inverse_inertia = { s.xx, s.yy, s.zz, s.xy, s.xz, s.yz } };
    vec3_store(world->now.position[body], copy->position);
    vec3_store(world->now.velocity[body], copy->velocity);
    vec3_store(world->now.spin[body], copy->spin);
    c->body_of[c->body_count] = body;
    return c->number[body] = c->body_count++;
}

static void gather(clash *c)
{
    const carom_world *world = c->step->world;
    c->body_count = c->contact_count = 0;
    for (int p = 0; p < c->near_count; ++p) {
        const carom_touch *touch = &c->step->touches[c->near[p]];
        int mover = world->fixed[touch->a] ? touch->b : touch->a;
        if (!c->in[p] || !c->fresh[sets_find(c->parent, mover)])
            continue;
        const carom_material *ma = &world->materials[world->material[touch->a]];
        const carom_material *mb = &world->materials[world->material[touch->b]];
        carom_impact_contact *contact = &c->contacts[c->contact_count];
        // two springs in a row: their compliances add
        *contact = (carom_impact_contact){ .a = number_of(c, touch->a),
                                           .b = number_of(c, touch->b),
                                           .restitution = carom_restitution_now(world, touch),
                                           .friction = touch->friction,
                                           .stiffness = 2 / (1 / ma->stiffness + 1 / mb->stiffness),
                                           .exponent = fmax(ma->exponent, mb->exponent) };
        vec3_store(touch->point, contact->point);
        vec3_store(touch->normal, contact->normal);
        c->place_of[c->contact_count++] = p;
    }
    for (int i = 0; c->ring && i < c->body_count; ++i)
        for (int next = c->ring[c->body_of[i]]; c->number[next] < 0; next = c->ring[next])
            number_of(c, next);
    for (int i = 0; i < c->body_count; ++i)
        c->number[c->body_of[i]] = -1;
}

// Spin that is mere round-off beside the impact counts as none. A tilt of a face that lands flat
// grows some thirtyfold with each elastic landing (the impulses stay equal while the centre of mass
// moves off their middle); it must not start from the last digit.
static bool round_off(const clash *c, int body, vec3 spin)
{
    return vec3_length(spin) * carom_shape_radius(c->step->world->shape[body]) <=
           ROUND_OFF * c->fastest;
}

static carom_status resolve(clash *c, carom_error *err)
{
    carom_world *world = c->step->world;
    carom_ledger *ledger = &world->now.ledger;
    carom_arena_mark mark = carom_arena_mark_here(world->scratch);
    restore(c);
    gather(c);
    carom_impact impact = { c->body_count, c->contact_count, c->bodies, c->contacts };
    carom_impact_outcome out = { .report = { 0 } };
    TAKE(world->scratch, out.velocities, c->body_count, err);
    TAKE(world->scratch, out.spins, c->body_count, err);
    TAKE(world->scratch, out.impulses, c->contact_count, err);
    TRY(carom_clash_joints_resolve(world, c->body_of, &impact, &out, err));
    for (int i = 0; i < c->body_count; ++i) {
        int body = c->body_of[i];
        if (world->fixed[body])
            continue;
        world->now.velocity[body] = vec3_from(out.velocities[i]);
        world->now.spin[body] = vec3_from(out.spins[i]);
        if (round_off(c, body, c->spin[body]) && round_off(c, body, world->now.spin[body]))
            world->now.spin[body] = vec3_make(0, 0, 0);
    }
    for (int i = 0; i < c->contact_count; ++i) {
        vec3 n = vec3_from(c->contacts[i].normal), t1, t2;
        vec3_tangents(n, &t1, &t2);
        const double *p = out.impulses[i];
        c->impulse[c->place_of[i]] = vec3_axpy(vec3_axpy(vec3_scale(p[0], n), p[1], t1), p[2], t2);
    }
    memset(c->fresh, 0, (size_t)world->count);
    const carom_impact_report *report = &out.report;
    double largest = 0;
    for (int i = 0; i < c->contact_count; ++i)
        largest = fmax(largest, fabs(out.impulses[i][0]));
    carom_journal_judge(world, report, largest);
    ledger->sweeps += report->sweeps;
    ledger->limited += report->limited;
    ledger->capped += report->end == CAROM_IMPACT_CAPPED;
    ledger->endless += report->end == CAROM_IMPACT_ENDLESS;
    carom_arena_rewind(world->scratch, mark);
    return CAROM_OK;
}

// Where the impact went on beyond what the law has seen. Judged for all before any joins, so that
// the order of contacts does not show.
static bool spread(clash *c, int most)
{
    const carom_world *world = c->step->world;
    bool any = false;
    for (int p = 0; p < c->near_count; ++p) {
        const carom_touch *touch = &c->step->touches[c->near[p]];
        if (c->in[p] || !(c->reached[touch->a] || c->reached[touch->b]))
            continue;
        double u = vec3_dot(touch->normal, carom_step_slip(world, touch));
        if (u < -world->options.resting_speed) {
            c->in[p] = 2;
            any = true;
        }
    }
    for (int p = 0; p < c->near_count && any; ++p)
        if (c->in[p] == 2) {
            join(c, c->step->touches[c->near[p]].a, most);
            join(c, c->step->touches[c->near[p]].b, most);
            c->in[p] = 1;
        }
    return any;
}

static void book(clash *c)
{
    carom_world *world = c->step->world;
    carom_ledger *ledger = &world->now.ledger;
    double after = 0, before = 0, work = 0;
    for (int i = 0; i < world->count; ++i)
        if (c->reached[i])
            after += carom_ledger_energy(world, i);
    for (int p = 0; p < c->near_count; ++p) {
        const carom_touch *touch = &c->step->touches[c->near[p]];
        if (!c->in[p])
            continue;
        work += carom_step_driven_work(world, touch, c->impulse[p]);
        carom_journal_impact(world, touch, c->impulse[p]);
    }
    for (int i = 0; i < world->count; ++i) {
        if (!c->reached[i])
            continue;
        vec3 v = world->now.velocity[i], w = world->now.spin[i];
        world->now.velocity[i] = c->velocity[i];
        world->now.spin[i] = c->spin[i];
        before += carom_ledger_energy(world, i);
        world->now.velocity[i] = v;
        world->now.spin[i] = w;
    }
    ledger->law += before + work - after;
    ledger->driven += work;
    ++ledger->impacts;
}
