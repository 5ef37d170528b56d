// Sweeps over one island: how many, to what tolerance, from what start. The sweeps themselves are
// the contact solver's (contact/contact_sweep.c); joints are relaxed before each.
#include "world/rest.h"

enum { ALL_SWEEPS = 500 };
#define LEAST_PART 0.06
#define FINE 1e-8 // the default of `rest_tolerance`
// But sweeps of an island that stands still go on only as long as a turn of them leaves less than
// this part of the residual: what position correction stirs up at every interval, no number of
// sweeps takes out.
#define STALLED 0.8
#define COUNTS 0.1 // of the change at which sweeps end: less is no change
// The same in a large bed of spheres that starts from the last interval. Two in five contacts of
// 60,000 grains at rest were looked at in every sweep, for changes of a hundredth of what it
// leaves.
#define COUNTS_BED 1
#define LARGE_TOLERANCE 100
#define WARM_TOLERANCE 1000 // too large for linear systems, and started from the last interval
// A bed of spheres that starts from the last interval may end its sweeps where one moves nobody by
// more than this part of the slop within the interval, up to so many times its tolerance: the next
// interval goes on from there, and sees the error itself in the velocities. What loads shift about
// inside of a bed whose balls still roll is of that size, however many sweeps there are.
#define UNSEEN 2e-2
#define UNSEEN_MAX 1000
// Change of velocity, in what contacts and gravity do, below which those of an island that moves
// count as found: of one with many contacts; less the fewer there are, none where they are few.
#define ARRIVED 1e-3
enum { FEW_CONTACTS = 50, MANY_CONTACTS = 200 };

// Sweeps allowed: all of them for islands of up to half of ALL_SWEEPS contacts, fewer for larger
// ones, so that their visits stay the same.
int carom_rest_sweep_cap(const carom_rest *rest, const carom_rest_island *island)
{
    int max = rest->step->world->options.rest_sweeps;
    if (2 * island->set.count <= ALL_SWEEPS)
        return max;
    double part = fmax(0.5 * ALL_SWEEPS / island->set.count, LEAST_PART);
    return (int)ceil(part * max);
}

// Times the default tolerance that no one sees.
static double unseen(const carom_rest *rest, const carom_rest_island *island)
{
    const carom_step *step = rest->step;
    double way = step->h * WARM_TOLERANCE * FINE * island->scale; // m, by the default tolerance
    if (!(way > 0))
        return 1;
    return fmin(fmax(UNSEEN * step->world->options.slop / way, 1), UNSEEN_MAX);
}

static bool warm(const carom_rest_island *island)
{
    return island->set.count > ALL_SWEEPS && island->set.body_count > CAROM_REST_DIRECT &&
           island->start == CAROM_REST_WARM;
}

double carom_rest_sweep_tolerance(const carom_rest *rest, const carom_rest_island *island)
{
    double tolerance = rest->step->world->options.rest_tolerance;
    if (island->set.count <= ALL_SWEEPS)
        return tolerance;
    tolerance *= warm(island) ? WARM_TOLERANCE : LARGE_TOLERANCE;
    return warm(island) && island->set.spheres ? unseen(rest, island) * tolerance : tolerance;
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
            carom_contact_push_at(&rest->system, i, impulse);
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
        island->set.spheres ? carom_rest_sphere_start : start_range, rest);
    island->scale = fmax(vec3_length(vec3_from(step->world->options.gravity)) * step->h, fastest);
}

// What the sweeps call back for.
typedef struct island_at_work {
    carom_rest *rest;
    const carom_rest_island *island;
    int sweeps;    // so far
    int turn;      // sweeps after which one looks whether they get anywhere; 0: never
    double before; // m/s, change of the last sweep when one looked last
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

// Velocity and spin of the body at a place, and its radius of gyration squared.
static carom_contact_twist twist_at(const carom_rest *rest, const carom_rest_island *island,
                                    int place, double *gyration)
{
    if (island->set.spheres) {
        const carom_contact_sphere_body *body = &rest->system.sphere_bodies[place];
        *gyration = body->inverse_mass / body->inverse_inertia;
        return (carom_contact_twist){ body->v, body->w };
    }
    const carom_contact_body *body = &rest->system.bodies[rest->member[place]];
    sym3 i = body->inverse_inertia;
    *gyration = 3 * body->inverse_mass / (i.xx + i.yy + i.zz);
    return (carom_contact_twist){ body->v, body->w };
}

// The smallest cost little, and the largest have few sweeps anyway.
bool carom_rest_sweep_notes(const carom_rest_island *island)
{
    return island->joint_count == 0 && island->set.count > FEW_CONTACTS &&
           island->set.count <= ALL_SWEEPS;
}

// How far the velocities of an island are from those that were noted, m/s; notes them anew.
// Infinitely far where there were none.
static double travelled(const island_at_work *now, carom_contact_twist *noted, bool any)
{
    const carom_contact_island *set = &now->island->set;
    double most = any ? 0 : HUGE_VAL;
    for (int k = 0; k < set->body_count; ++k) {
        double gyration;
        carom_contact_twist twist =
            twist_at(now->rest, now->island, set->first_body + k, &gyration);
        if (!any) {
            noted[k] = twist;
            continue;
        }
        vec3 v = vec3_sub(twist.v, noted[k].v), w = vec3_sub(twist.w, noted[k].w);
        most = fmax(most, vec3_dot(v, v) + gyration * vec3_dot(w, w));
        noted[k] = twist;
    }
    return sqrt(most);
}

// Whether the velocities of an island that moves have stayed where they were half as many sweeps
// ago. Looked at after 4, 6, 8, 12, 16, ... sweeps, each beside its half.
//
// Where faces slide, the change of a sweep does not fall below some thousandths of what gravity
// does, however many there are: more contacts press than a body has ways to move, sweeps shift load
// between them for ever, and the velocities stand. What the velocities do over as many sweeps as
// there have been so far tells that from slow convergence, whose changes have one sign: a
// convergence that takes k sweeps shows most of what is left of it between k and 2 k.
static bool arrived(const island_at_work *now)
{
    const carom_step *step = now->rest->step;
    const carom_rest_island *island = now->island;
    int k = now->sweeps;
    if (island->method != CAROM_REST_SWEPT || !carom_rest_sweep_notes(island))
        return false;
    while (k > 6 && k % 2 == 0)
        k /= 2;
    if (k != 4 && k != 6)
        return false;
    double way = travelled(now, now->rest->noted[k == 6] + island->first_noted, now->sweeps > 6);
    double size = (double)(island->set.count - FEW_CONTACTS) / (MANY_CONTACTS - FEW_CONTACTS);
    size = fmin(size, 1);
    double fall = vec3_length(vec3_from(step->world->options.gravity)) * step->whole;
    return way <= ARRIVED * size * size * fmax(island->scale, fall);
}

// Whether a turn of sweeps has left more than a part of what the turn before left.
static bool stalled(island_at_work *now, double change)
{
    if (now->turn == 0 || now->sweeps % now->turn != 0)
        return false;
    bool little = !(change < STALLED * now->before);
    now->before = change;
    return little;
}

static bool stopped(void *client, double change)
{
    island_at_work *now = client;
    ++now->sweeps;
    return carom_rest_ask_stopped(now->rest, now->island->set.count + now->island->joint_count) ||
           arrived(now) || stalled(now, change);
}

// Joints have impulses of their own, on which conjugate directions would not act.
static void sweep_island(island_at_work now, carom_rest_island *island, int cap, double tolerance,
                         int threads)
{
    carom_rest *rest = now.rest;
    bool joints = island->joint_count > 0;
    carom_contact_plan plan = {
        .cap = cap,
        .tolerance = tolerance * island->scale,
        .accelerated =
            !joints && !island->set.spheres && (cap > 100 || island->method == CAROM_REST_ASSISTED),
        .cycle = 1,
        .threads = threads,
        .further = now.turn > 0,
        .client = &now,
        .before = joints ? relax_joints : NULL,
        .stopped = stopped,
    };
    bool bed = warm(island) && island->set.spheres && island->set.count >= CAROM_REST_LARGE;
    double counts = bed ? COUNTS_BED : COUNTS;
    plan.min = joints ? -1 : counts * plan.tolerance;
    for (int i = 0; i < island->set.body_count && !island->set.spheres; ++i)
        rest->system.changed_in[rest->member[island->set.first_body + i]] = 0;
    double change = island->delassus ? carom_rest_linkage_sweep(rest, island, cap, plan.tolerance)
                                     : carom_contact_sweep_island(&rest->system, &island->set,
                                                                  &plan, &island->sweeps);
    island->residual = island->scale > 0 ? change / island->scale : 0;
}

void carom_rest_sweep_island(carom_rest *rest, carom_rest_island *island, int cap, int threads)
{
    island_at_work now = { .rest = rest, .island = island };
    sweep_island(now, island, cap, carom_rest_sweep_tolerance(rest, island), threads);
}

void carom_rest_sweep_settle(carom_rest *rest, carom_rest_island *island, int cap, int turn,
                             double tolerance, int threads)
{
    island_at_work now = {
        .rest = rest, .island = island, .turn = turn, .before = island->residual * island->scale
    };
    sweep_island(now, island, cap, tolerance, threads);
}
