// Sweeps over one island: how many, to what tolerance, from what start. The sweeps themselves are
// the contact solver's (contact/contact_sweep.c); joints are relaxed before each.
#include "world/rest.h"

enum { ALL_SWEEPS = 500 };
#define LEAST_PART 0.06
#define COUNTS 0.1 // of the change at which sweeps end: less is no change
#define LARGE_TOLERANCE 100
#define WARM_TOLERANCE 1000 // too large for linear systems, and started from the last interval

// Sweeps allowed: all of them for islands of up to ALL_SWEEPS contacts, fewer for larger ones.
int carom_rest_sweep_cap(const carom_rest *rest, const carom_rest_island *island)
{
    int max = rest->step->world->options.rest_sweeps;
    if (island->set.count <= ALL_SWEEPS)
        return max;
    double part = fmax(0.5 * ALL_SWEEPS / island->set.count, LEAST_PART);
    return (int)ceil(part * max);
}

double carom_rest_sweep_tolerance(const carom_rest *rest, const carom_rest_island *island)
{
    double tolerance = rest->step->world->options.rest_tolerance;
    if (island->set.count <= ALL_SWEEPS)
        return tolerance;
    bool warm = island->set.body_count > CAROM_REST_DIRECT && island->start == CAROM_REST_WARM;
    return (warm ? WARM_TOLERANCE : LARGE_TOLERANCE) * tolerance;
}

// The range's largest normal speed counts as its change.
static void start_range(void *client, carom_contact_range *range, const carom_contact_pass *pass)
{
    carom_rest *rest = client;
    carom_contact_body *bodies = rest->system.bodies;
    double fastest = 0;
    (void)pass;
    for (int i = range->begin; i < range->end; ++i) {
        const carom_contact_record *c = &rest->system.contacts[i];
        double u = fabs(carom_rest_candidate(rest, i)->u);
        fastest = u > fastest ? u : fastest;
        vec3 impulse = carom_rest_acting(rest, i, c->impulse);
        if (rest->first && (impulse.x != 0 || impulse.y != 0 || impulse.z != 0))
            carom_contact_push_at(&bodies[c->a], &bodies[c->b], c->point, impulse);
        if (rest->first && rest->system.rolling && rest->system.rolling[i].length > 0)
            carom_contact_turn(&bodies[c->a], &bodies[c->b], rest->system.rolling[i].impulse);
    }
    range->change = fastest;
}

void carom_rest_sweep_start(carom_rest *rest, carom_rest_island *island, int threads)
{
    const carom_step *step = rest->step;
    carom_contact_pass pass = { .forward = true, .threads = threads };
    double fastest = carom_contact_sweep_ranges(
        &island->set, rest->system.ranges, &pass,
        island->set.spheres ? carom_rest_sphere_watch : start_range, rest);
    if (rest->first && island->set.spheres)
        carom_contact_sweep_ranges(&island->set, rest->system.ranges, &pass,
                                   carom_rest_sphere_start, rest);
    island->scale = fmax(vec3_length(vec3_from(step->world->options.gravity)) * step->h, fastest);
}

// What the sweeps call back for.
typedef struct island_at_work {
    carom_rest *rest;
    const carom_rest_island *island;
} island_at_work;

static double relax_joints(void *client, bool forward)
{
    const island_at_work *now = client;
    int count = now->island->joint_count;
    double worst = 0;
    for (int k = 0; k < count; ++k) {
        int at = now->island->first_joint + (forward ? k : count - 1 - k);
        worst = fmax(worst, carom_linkage_relax(now->rest->step, now->rest->joint_order[at],
                                                now->rest->system.bodies));
    }
    return worst;
}

static bool stopped(void *client)
{
    const island_at_work *now = client;
    return carom_rest_ask_stopped(now->rest, now->island->set.count + now->island->joint_count);
}

// Joints have impulses of their own, on which conjugate directions would not act.
void carom_rest_sweep_island(carom_rest *rest, carom_rest_island *island, int cap, int threads)
{
    island_at_work now = { rest, island };
    bool joints = island->joint_count > 0;
    carom_contact_plan plan = {
        .cap = cap,
        .tolerance = carom_rest_sweep_tolerance(rest, island) * island->scale,
        .accelerated =
            !joints && !island->set.spheres && (cap > 100 || island->method == CAROM_REST_ASSISTED),
        .cycle = 1,
        .threads = threads,
        .client = &now,
        .before = joints ? relax_joints : NULL,
        .stopped = stopped,
    };
    plan.min = joints ? -1 : COUNTS * plan.tolerance;
    for (int i = 0; i < island->set.body_count && !island->set.spheres; ++i)
        rest->system.changed_in[rest->member[island->set.first_body + i]] = 0;
    double change = carom_contact_sweep_island(&rest->system, &island->set, &plan, &island->sweeps);
    island->residual = island->scale > 0 ? change / island->scale : 0;
}
