// Islands of spheres: their records, made when first needed, from when on they count in a sweep,
// and their impulses back. The relaxation is contact/contact_sphere.c.
#include "base/team.h"
#include "contact/contact_wide.h"
#include "world/rest.h"

enum { AHEAD = 8 }; // contacts whose data is fetched

static void make_contact(void *client, int i);

static void load_fixed(carom_rest *rest, int i, int place)
{
    rest->system.sphere_bodies[place] =
        (carom_contact_sphere_body){ .v = rest->step->world->now.velocity[i] };
    rest->system.travel[place] = 0;
    rest->place[i] = place;
}

static void load_immovable(carom_rest *rest)
{
    const carom_world *world = rest->step->world;
    int next = rest->member_count;
    for (int i = 0; i < world->count; ++i)
        if (world->fixed[i] && !world->asleep[i])
            load_fixed(rest, i, next++);
    for (int i = 0; i < rest->contact_count && world->asleep_count > 0; ++i) {
        int sleeper = carom_rest_sleeper(rest, i);
        if (sleeper >= 0)
            load_fixed(rest, sleeper, next++);
    }
}

// The bodies of the islands, by this thread's share.
static void load_members(carom_rest *rest, int threads)
{
    const carom_world *world = rest->step->world;
    int end = carom_team_end(rest->member_count, threads);
    for (int k = carom_team_begin(rest->member_count, threads); k < end; ++k) {
        int i = rest->member[k];
        rest->place[i] = k;
        rest->system.travel[k] = 0;
        rest->system.sphere_bodies[k] =
            (carom_contact_sphere_body){ .v = world->now.velocity[i],
                                         .inverse_mass = world->inverse_mass[i],
                                         .w = world->now.spin[i],
                                         .inverse_inertia = 1 / world->inertia[i].xx };
    }
}
CAROM_TEAM_SHARE2(load_members, carom_rest *, int)

carom_status carom_rest_sphere_load(carom_rest *rest, carom_error *err)
{
    const carom_world *world = rest->step->world;
    bool any = false;
    for (int k = 0; k < rest->island_count && !any; ++k)
        any = carom_rest_open(&rest->islands[k]) && rest->islands[k].set.spheres;
    if (!any)
        return CAROM_OK;
    size_t places = (size_t)rest->member_count + (size_t)rest->immovable_count;
    TAKE(world->scratch, rest->place, world->count, err);
    TAKE(world->scratch, rest->system.sphere_bodies, places, err);
    TAKE(world->scratch, rest->system.travel, places, err);
    TAKE(world->scratch, rest->system.sphere_contacts, rest->contact_count, err);
    TAKE(world->scratch, rest->system.links, rest->contact_count, err);
    TAKE(world->scratch, rest->system.made, rest->contact_count, err);
    TRY(carom_contact_wide_sphere_take(world->scratch, rest->contact_count, (int)places,
                                       rest->system.rolling, &rest->system.wide_spheres, err));
    rest->system.make = make_contact;
    rest->system.client = rest;
    load_immovable(rest);
    int team = carom_team_worth(rest->member_count, world->options.threads);
    CAROM_TEAM(team, load_members(rest, team));
    return CAROM_OK;
}

static double target_of(const carom_rest *rest, const carom_candidate *candidate)
{
    return carom_rest_choose_target(rest->step, candidate);
}

static void make_contact(void *client, int i)
{
    carom_rest *rest = client;
    carom_contact_system *system = &rest->system;
    const vec3 *x = rest->step->world->now.position;
    const carom_candidate *candidate = carom_rest_candidate(rest, i);
    const carom_contact_sphere_body *a = &system->sphere_bodies[system->links[i].a];
    const carom_contact_sphere_body *b = &system->sphere_bodies[system->links[i].b];
    vec3 n = candidate->normal, impulse = carom_rest_source(rest, i)->impulse;
    double p = vec3_dot(n, impulse), arm_a = 0, arm_b = 0;
    if (a->inverse_mass > 0)
        arm_a = vec3_dot(n, vec3_sub(candidate->point, x[candidate->a]));
    if (b->inverse_mass > 0)
        arm_b = vec3_dot(n, vec3_sub(x[candidate->b], carom_step_point_of_b(candidate)));
    double mass = a->inverse_mass + b->inverse_mass;
    double turn = arm_a * arm_a * a->inverse_inertia + arm_b * arm_b * b->inverse_inertia;
    system->made[i] = 1;
    system->sphere_contacts[i] =
        (carom_contact_sphere_record){ .n = n,
                                       .normal_impulse = p,
                                       .friction_impulse = vec3_axpy(impulse, -p, n),
                                       .arm_a = arm_a,
                                       .arm_b = arm_b,
                                       .normal_mass = 1 / mass,
                                       .tangent_mass = 1 / (mass + turn),
                                       .target = target_of(rest, candidate),
                                       .friction = candidate->friction };
    if (system->rolling)
        system->rolling[i] = carom_rest_roll_make(rest, i);
}

// Contacts stand in the order of their slabs, what they are made of in that of the candidates: the
// processor is told in time.
static void fetch(const carom_rest *rest, const carom_contact_range *range, int i)
{
    if (i + 2 * AHEAD < range->end)
        __builtin_prefetch(carom_rest_source(rest, i + 2 * AHEAD));
    if (i + AHEAD >= range->end)
        return;
    const carom_candidate *candidate = carom_rest_candidate(rest, i + AHEAD);
    __builtin_prefetch(candidate);
    __builtin_prefetch(&candidate->gap);
}

// Lets the impulse act that a contact starts from.
static void act(carom_rest *rest, int i)
{
    const carom_contact_system *system = &rest->system;
    const carom_contact_sphere_record *c = &system->sphere_contacts[i];
    const carom_contact_link *link = &system->links[i];
    carom_contact_sphere_body *a = &system->sphere_bodies[link->a],
                              *b = &system->sphere_bodies[link->b];
    vec3 impulse = carom_rest_acting(rest, i, carom_contact_sphere_impulse(c));
    double size = vec3_length(impulse);
    carom_contact_push_spheres(a, b, c, impulse, c->friction_impulse);
    if (system->rolling && system->rolling[i].length > 0) {
        double at_a = c->arm_a * a->inverse_inertia, at_b = c->arm_b * b->inverse_inertia;
        carom_contact_turn_spheres(a, b, system->rolling[i].impulse);
        size += (at_a + at_b) * c->normal_mass * vec3_length(system->rolling[i].impulse);
    }
    carom_contact_add_travel(&system->travel[link->a], a, size);
    carom_contact_add_travel(&system->travel[link->b], b, size);
}

// What a contact starts from: an impulse that was not yet balanced against the others acts, and is
// looked at in the first sweep; one that was, when something changes; an open contact, when it may
// close. The range's largest normal speed counts as its change.
void carom_rest_sphere_start(void *client, carom_contact_range *range,
                             const carom_contact_pass *pass)
{
    carom_rest *rest = client;
    carom_contact_system *system = &rest->system;
    const double *travel = system->travel;
    double fastest = 0;
    for (int i = range->begin; i < range->end; ++i) {
        fetch(rest, range, i);
        const carom_resting_contact *resting = carom_rest_source(rest, i);
        const carom_candidate *candidate = &rest->step->candidates[resting->candidate];
        carom_contact_link *link = &system->links[i];
        *link = (carom_contact_link){ rest->place[resting->a], rest->place[resting->b], -1 };
        fastest = fabs(candidate->u) > fastest ? fabs(candidate->u) : fastest;
        system->made[i] = vec3_dot(resting->impulse, resting->impulse) > 0 || resting->cohesion > 0;
        if (system->made[i]) {
            make_contact(rest, i);
            if (rest->first)
                act(rest, i);
            else if (!resting->fresh)
                link->idle = travel[link->a] + travel[link->b] + pass->min;
            continue;
        }
        vec3 between = vec3_sub(system->sphere_bodies[link->b].v, system->sphere_bodies[link->a].v);
        link->idle = vec3_dot(candidate->normal, between) - target_of(rest, candidate) +
                     travel[link->a] + travel[link->b];
    }
    range->change = fastest;
}

void carom_rest_sphere_store(const carom_rest *rest, const carom_rest_island *island,
                             unsigned char *moved, int threads)
{
    carom_world *world = rest->step->world;
    int end = island->set.first_body + carom_team_end(island->set.body_count, threads);
    for (int k = island->set.first_body + carom_team_begin(island->set.body_count, threads);
         k < end; ++k) {
        int i = rest->member[k];
        moved[i] = !carom_rest_same(world->now.velocity[i], rest->system.sphere_bodies[k].v) ||
                   !carom_rest_same(world->now.spin[i], rest->system.sphere_bodies[k].w);
        world->now.velocity[i] = rest->system.sphere_bodies[k].v;
        world->now.spin[i] = rest->system.sphere_bodies[k].w;
    }
    end = island->set.first + carom_team_end(island->set.count, threads);
    for (int i = island->set.first + carom_team_begin(island->set.count, threads); i < end; ++i) {
        const carom_contact_sphere_record *c = &rest->system.sphere_contacts[i];
        if (!rest->system.made[i])
            continue;
        rest->step->resting_contacts[rest->source[i]].impulse = carom_contact_sphere_impulse(c);
        if (rest->system.rolling)
            carom_rest_roll_store(rest, i);
    }
}
