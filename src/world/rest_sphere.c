// Islands of spheres: their records, from when on they count in a sweep, and their impulses back.
// The relaxation is contact/contact_sphere.c.
//
// Records stand in the order of the slabs, what they are made of in that of the candidates. They
// are made in the latter, each written where it belongs: a write need not be waited for, and a
// body's neighbours are at hand.
#include "base/team.h"
#include "contact/contact_wide.h"
#include "world/rest.h"

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

static bool of_spheres(const carom_rest_island *island)
{
    return carom_rest_open(island) && island->set.spheres;
}

// Where the record of each resting contact goes; below 0: it has none.
static carom_status number_contacts(const carom_rest *rest, int **at, carom_error *err)
{
    TAKE(rest->step->world->scratch, *at, rest->contact_count, err);
    for (int k = 0; k < rest->island_count; ++k) {
        const carom_rest_island *island = &rest->islands[k];
        for (int i = island->set.first; i < island->set.first + island->set.count; ++i)
            (*at)[rest->source[i]] = of_spheres(island) ? i : -1;
    }
    return CAROM_OK;
}

// Until its sweeps start, a link says how fast the contact closes or opens; below zero where it is
// new in this round.
static void make_contact(carom_rest *rest, const carom_resting_contact *resting, int i)
{
    carom_contact_system *system = &rest->system;
    const vec3 *x = rest->step->world->now.position;
    const carom_candidate *candidate = &rest->step->candidates[resting->candidate];
    carom_contact_link *link = &system->links[i];
    *link = (carom_contact_link){ rest->place[resting->a], rest->place[resting->b],
                                  copysign(candidate->u, resting->fresh ? -1 : 1) };
    const carom_contact_sphere_body *a = &system->sphere_bodies[link->a];
    const carom_contact_sphere_body *b = &system->sphere_bodies[link->b];
    vec3 n = candidate->normal, impulse = resting->impulse;
    double p = vec3_dot(n, impulse), arm_a = 0, arm_b = 0;
    if (a->inverse_mass > 0)
        arm_a = vec3_dot(n, vec3_sub(candidate->point, x[candidate->a]));
    if (b->inverse_mass > 0)
        arm_b = vec3_dot(n, vec3_sub(x[candidate->b], carom_step_point_of_b(candidate)));
    double mass = a->inverse_mass + b->inverse_mass;
    double turn = arm_a * arm_a * a->inverse_inertia + arm_b * arm_b * b->inverse_inertia;
    system->sphere_contacts[i] = (carom_contact_sphere_record){
        .n = n,
        .target = carom_rest_choose_target(rest->step, candidate),
        .friction_impulse = vec3_axpy(impulse, -p, n),
        .normal_impulse = p,
        .arm_a = arm_a,
        .arm_b = arm_b,
        .normal_mass = 1 / mass,
        .tangent_mass = 1 / (mass + turn),
        .friction = candidate->friction,
    };
    if (system->rolling)
        system->rolling[i] = carom_rest_roll_make(rest, i);
}

static void make_share(carom_rest *rest, const int *at, int threads)
{
    int end = carom_team_end(rest->contact_count, threads);
    for (int i = carom_team_begin(rest->contact_count, threads); i < end; ++i)
        if (at[i] >= 0)
            make_contact(rest, &rest->step->resting_contacts[i], at[i]);
}
CAROM_TEAM_SHARE3(make_share, carom_rest *, const int *, int)

carom_status carom_rest_sphere_load(carom_rest *rest, carom_error *err)
{
    const carom_world *world = rest->step->world;
    bool any = false;
    int *at;
    for (int k = 0; k < rest->island_count && !any; ++k)
        any = of_spheres(&rest->islands[k]);
    if (!any)
        return CAROM_OK;
    size_t places = (size_t)rest->member_count + (size_t)rest->immovable_count;
    TAKE(world->scratch, rest->place, world->count, err);
    TAKE(world->scratch, rest->system.sphere_bodies, places, err);
    TAKE(world->scratch, rest->system.travel, places, err);
    TAKE(world->scratch, rest->system.sphere_contacts, rest->contact_count, err);
    TAKE(world->scratch, rest->system.links, rest->contact_count, err);
    load_immovable(rest);
    int team = carom_team_worth(rest->member_count, world->options.threads);
    CAROM_TEAM(team, load_members(rest, team));
    TRY(number_contacts(rest, &at, err));
    // behind all else: what is not used of so large a room is never touched
    TRY(carom_contact_wide_sphere_take(world->scratch, rest->contact_count, (int)places,
                                       rest->system.rolling, &rest->system.wide_spheres, err));
    team = carom_team_worth(rest->contact_count, world->options.threads);
    CAROM_TEAM(team, make_share(rest, at, team));
    return CAROM_OK;
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
        const carom_contact_sphere_record *c = &system->sphere_contacts[i];
        carom_contact_link *link = &system->links[i];
        bool fresh = signbit(link->idle);
        fastest = fabs(link->idle) > fastest ? fabs(link->idle) : fastest;
        if (c->normal_impulse != 0 || vec3_dot(c->friction_impulse, c->friction_impulse) > 0) {
            link->idle = -1;
            if (rest->first)
                act(rest, i);
            else if (!fresh)
                link->idle = travel[link->a] + travel[link->b] + pass->min;
            continue;
        }
        vec3 between = vec3_sub(system->sphere_bodies[link->b].v, system->sphere_bodies[link->a].v);
        link->idle = vec3_dot(c->n, between) - c->target + travel[link->a] + travel[link->b];
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
        rest->step->resting_contacts[rest->source[i]].impulse = carom_contact_sphere_impulse(c);
        if (rest->system.rolling)
            carom_rest_roll_store(rest, i);
    }
}
