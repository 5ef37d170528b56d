// Sweeps over one island, and their acceleration.
//
// In a deep pile plain sweeps carry a load by a few contacts each. A plan may let each cycle of
// sweeps be followed by a step along the last direction, as long as the changes shrink (nonsmooth
// nonlinear conjugate gradients, Fletcher and Reeves; Silcowitz-Hansen et al. 2010), with a fresh
// start where they grow. The velocities go along, as they are linear in the impulses. The end is
// always a sweep.
#include "base/team.h"
#include "contact/contact_wide.h"

enum { SCATTERED = 32768 }; // contacts

static int range_count(const carom_contact_island *island)
{
    int ranges = 0;
    for (int p = 0; p < CAROM_CONTACT_PHASES; ++p)
        ranges += island->phase_count[p];
    return ranges;
}

// The ranges of one phase.
typedef struct phase {
    carom_contact_range *ranges;
    int count;
    const carom_contact_pass *pass;
    carom_contact_visit *visit;
    void *client;
    atomic_int next; // range that nobody has taken yet
} phase;

// Ranges are of unlike size, and so are the threads' shares of the processors.
static void visit_share(phase *now)
{
    for (int r; (r = carom_team_next(&now->next, now->count)) >= 0;)
        now->visit(now->client, &now->ranges[r], now->pass);
}
CAROM_TEAM_SHARE1(visit_share, phase *)

double carom_contact_sweep_ranges(const carom_contact_island *island, carom_contact_range *ranges,
                                  carom_contact_pass *pass, carom_contact_visit *visit,
                                  void *client)
{
    int count = range_count(island), first = island->first_range + (pass->forward ? 0 : count);
    double worst = 0;
    for (int p = 0; p < CAROM_CONTACT_PHASES; ++p) {
        int of_phase = island->phase_count[pass->forward ? p : CAROM_CONTACT_PHASES - 1 - p];
        int from = pass->forward ? first : first - of_phase,
            team = of_phase > 1 ? pass->threads : 1;
        phase now = { ranges + from, of_phase, pass, visit, client, 0 };
        CAROM_TEAM(team, visit_share(&now));
        first = pass->forward ? first + of_phase : from;
    }
    pass->size = 0;
    for (int r = island->first_range; r < island->first_range + count; ++r) {
        worst = fmax(worst, ranges[r].change);
        pass->size += ranges[r].size;
    }
    return worst;
}

static bool resists_rolling(const carom_contact_system *s, const carom_contact_island *island)
{
    bool any = false;
    for (int i = island->first; i < island->first + island->count && s->rolling && !any; ++i)
        any = s->rolling[i].length > 0;
    return any;
}

// Whether the last sweep looked at four contacts in five: a group is passed over only where all its
// lanes have nothing to do.
static bool busy(const carom_contact_system *s, const carom_contact_island *island)
{
    long long visited = 0;
    for (int r = 0; r < range_count(island); ++r)
        visited += s->ranges[island->first_range + r].visited;
    return 5 * visited > 4 * (long long)island->count;
}

// Whether the sweeps left are worth the way into the lanes and back.
static bool worth_lanes(const carom_contact_system *s, const carom_contact_island *island,
                        const carom_contact_plan *plan, int k)
{
    int after = plan->further ? 0 : CAROM_CONTACT_WIDE_AFTER;
    if (island->count < CAROM_CONTACT_WIDE_MIN || k != after ||
        plan->cap - k < CAROM_CONTACT_WIDE_SWEEPS || s->bias || !busy(s, island))
        return false;
    if (island->spheres)
        return s->wide_spheres && s->travel && !plan->accelerated;
    return s->wide && plan->cycle <= 1 && !resists_rolling(s, island);
}

static void sweep_general(void *system, carom_contact_range *range, const carom_contact_pass *pass)
{
    if (range->groups > 0)
        carom_contact_wide_sweep(system, range, pass);
    else
        carom_contact_general_sweep(system, range, pass);
}

static void sweep_spheres(void *system, carom_contact_range *range, const carom_contact_pass *pass)
{
    if (range->groups > 0)
        carom_contact_wide_sphere_sweep(system, range, pass);
    else
        carom_contact_sphere_sweep(system, range, pass);
}

static void enter_lanes(carom_contact_system *s, const carom_contact_island *island, bool noted,
                        int threads)
{
    if (island->spheres)
        carom_contact_wide_sphere_pack(s, island, threads);
    else
        carom_contact_wide_pack(s, island, noted, threads);
}

// Each range has contacts of its own.
static void unpack_share(carom_contact_system *s, const carom_contact_island *island, int threads)
{
    CAROM_TEAM_EACH (r, range_count(island), threads) {
        carom_contact_range *range = &s->ranges[island->first_range + r];
        if (island->spheres)
            carom_contact_wide_sphere_unpack(s, range);
        else
            carom_contact_wide_unpack(s, range);
    }
}
CAROM_TEAM_SHARE3(unpack_share, carom_contact_system *, const carom_contact_island *, int)

static void leave_lanes(carom_contact_system *s, const carom_contact_island *island, int threads)
{
    int team = range_count(island) > 1 ? threads : 1;
    CAROM_TEAM(team, unpack_share(s, island, team));
}

// -- acceleration
// ----------------------------------------------------------------------------------

static vec3 impulse_of(const carom_contact_system *s, const carom_contact_island *island, int i)
{
    return island->spheres ? carom_contact_sphere_impulse(&s->sphere_contacts[i])
                           : s->contacts[i].impulse;
}

static void add_impulse(carom_contact_system *s, const carom_contact_island *island, int i,
                        vec3 extra)
{
    if (!island->spheres) {
        s->contacts[i].impulse = vec3_add(s->contacts[i].impulse, extra);
        return;
    }
    carom_contact_sphere_record *c = &s->sphere_contacts[i];
    double along = vec3_dot(c->n, extra);
    c->normal_impulse += along;
    c->friction_impulse = vec3_add(c->friction_impulse, vec3_axpy(extra, -along, c->n));
}

// Velocity and spin of a place.
static vec3 *twist_of(carom_contact_system *s, const carom_contact_island *island, int place,
                      vec3 **w)
{
    int i = island->member ? island->member[place] : place;
    *w = island->spheres ? &s->sphere_bodies[i].w : &s->bodies[i].w;
    return island->spheres ? &s->sphere_bodies[i].v : &s->bodies[i].v;
}

// The state from which the next cycle starts; no direction yet. Contacts are not yet in lanes.
static void note(carom_contact_system *s, const carom_contact_island *island)
{
    const vec3 zero = { 0, 0, 0 };
    for (int i = island->first; i < island->first + island->count; ++i) {
        s->last[i] = impulse_of(s, island, i);
        s->direction[i] = zero;
    }
    for (int i = island->first; i < island->first + island->count && s->rolling; ++i) {
        s->rolling_last[i] = s->rolling[i].impulse;
        s->rolling_direction[i] = zero;
    }
    for (int k = island->first_body; k < island->first_body + island->body_count; ++k) {
        vec3 *w, *v = twist_of(s, island, k, &w);
        s->body_last[k] = (carom_contact_twist){ *v, *w };
        s->body_direction[k] = (carom_contact_twist){ zero, zero };
    }
}

// The size (J) of what a cycle changed, each contact weighed by its response.
static double cycle_size(const carom_contact_system *s, const carom_contact_island *island)
{
    double size = 0;
    for (int i = island->first; i < island->first + island->count; ++i) {
        vec3 change = vec3_sub(impulse_of(s, island, i), s->last[i]);
        double mass =
            island->spheres ? s->sphere_contacts[i].normal_mass : s->contacts[i].normal_mass;
        size += 1 / mass * vec3_dot(change, change);
    }
    return size;
}

// A part of the last direction to go on by; the next direction, and the point that it starts from.
static vec3 lead(vec3 now, double ratio, vec3 *last, vec3 *direction)
{
    vec3 extra = vec3_scale(ratio, *direction);
    *direction = vec3_add(extra, vec3_sub(now, *last));
    *last = vec3_add(now, extra);
    return extra;
}

static void accelerate_range(carom_contact_system *s, const carom_contact_island *island,
                             const carom_contact_range *range, double ratio)
{
    if (range->groups > 0) {
        carom_contact_wide_lead(s, range, ratio);
        return;
    }
    for (int i = range->begin; i < range->end; ++i) {
        vec3 now = impulse_of(s, island, i);
        add_impulse(s, island, i, lead(now, ratio, &s->last[i], &s->direction[i]));
    }
}

static void accelerate(carom_contact_system *s, const carom_contact_island *island, double ratio)
{
    for (int r = 0; r < range_count(island); ++r)
        accelerate_range(s, island, &s->ranges[island->first_range + r], ratio);
    for (int i = island->first; i < island->first + island->count && s->rolling; ++i) {
        lead(s->rolling[i].impulse, ratio, &s->rolling_last[i], &s->rolling_direction[i]);
        s->rolling[i].impulse = s->rolling_last[i];
    }
    for (int k = island->first_body; k < island->first_body + island->body_count; ++k) {
        vec3 *w, *v = twist_of(s, island, k, &w);
        lead(*v, ratio, &s->body_last[k].v, &s->body_direction[k].v);
        lead(*w, ratio, &s->body_last[k].w, &s->body_direction[k].w);
        *v = s->body_last[k].v;
        *w = s->body_last[k].w;
    }
}

// -- the loop
// --------------------------------------------------------------------------------------

static double sweep(carom_contact_system *s, const carom_contact_island *island,
                    const carom_contact_plan *plan, int k, double *size)
{
    carom_contact_pass pass = { .number = k + 1,
                                .min = plan->accelerated ? -1 : plan->min,
                                .forward = k % 2 == 0,
                                .scattered = island->count > SCATTERED,
                                .threads = plan->threads };
    double before = plan->before ? plan->before(plan->client, pass.forward) : 0;
    double change = carom_contact_sweep_ranges(island, s->ranges, &pass,
                                               island->spheres ? sweep_spheres : sweep_general, s);
    *size = pass.size;
    return pass.size < HUGE_VAL ? fmax(before, change) : HUGE_VAL; // also where it is not a number
}

double carom_contact_sweep_island(carom_contact_system *s, const carom_contact_island *island,
                                  const carom_contact_plan *plan, int *sweeps)
{
    double change = 0, size = 0, last = 0;
    bool packed = false;
    for (int k = 0; k < plan->cap; ++k) {
        bool late = plan->accelerated && k >= plan->plain;
        if (late && k == plan->plain)
            note(s, island);
        if (worth_lanes(s, island, plan, k)) {
            enter_lanes(s, island, late, plan->threads);
            packed = true;
        }
        change = sweep(s, island, plan, k, &size);
        ++*sweeps;
        if (change <= plan->tolerance || (plan->stopped && plan->stopped(plan->client, change)))
            break;
        if (!late || (k + 1 - plan->plain) % plan->cycle != 0 || k + plan->cycle >= plan->cap)
            continue;
        if (plan->cycle > 1)
            size = cycle_size(s, island);
        accelerate(s, island, last > 0 && size <= last ? size / last : 0);
        last = size;
    }
    if (packed)
        leave_lanes(s, island, plan->threads);
    return change;
}
