// Kinetic and potential energy, momentum and the books of every step. It decides nothing;
// world_step.c acts on it.
#include "world/ledger.h"

#include "base/team.h"
#include "world/step.h"

static vec3 turned_momentum(const carom_world *world, int i, vec3 spin)
{
    const sym3 *s = &world->inertia[i];
    if (sym3_is_number(*s))
        return vec3_scale(s->xx, spin);
    quat back = quat_conjugate(world->now.rotation[i]);
    vec3 inner = sym3_mul(*s, quat_rotate(back, spin));
    return quat_rotate(world->now.rotation[i], inner);
}

// Short where it is asked for most.
static inline vec3 angular_momentum(const carom_world *world, int i, vec3 spin)
{
    return world->sphere[i] ? vec3_scale(world->inertia[i].xx, spin)
                            : turned_momentum(world, i, spin);
}

vec3 carom_ledger_angular_momentum(const carom_world *world, int i, vec3 spin)
{
    return angular_momentum(world, i, spin);
}

// The bilinear form whose square is the kinetic energy: (m v1.v2 + w1.J w2) / 2.
static double kinetic_form(const carom_world *world, int i, const carom_twist *one,
                           const carom_twist *two)
{
    return 0.5 * (world->mass[i] * vec3_dot(one->linear, two->linear) +
                  vec3_dot(one->angular, angular_momentum(world, i, two->angular)));
}

double carom_ledger_kinetic_at(const carom_world *world, int i, carom_twist velocity)
{
    return kinetic_form(world, i, &velocity, &velocity);
}

double carom_ledger_kinetic_lost(const carom_world *world, int i, carom_twist before,
                                 carom_twist after)
{
    carom_twist difference = { vec3_sub(before.linear, after.linear),
                               vec3_sub(before.angular, after.angular) };
    carom_twist sum = { vec3_add(before.linear, after.linear),
                        vec3_add(before.angular, after.angular) };
    return kinetic_form(world, i, &difference, &sum);
}

// Sleepers have what they had when they fell asleep.
static bool counts(const carom_world *world, int i)
{
    return !world->fixed[i] || world->asleep[i];
}

static carom_twist twist_of(const carom_world *world, int i)
{
    return world->asleep[i] ? (carom_twist){ world->kept_velocity[i], world->kept_spin[i] }
                            : (carom_twist){ world->now.velocity[i], world->now.spin[i] };
}

static double kinetic(const carom_world *world, int i)
{
    return carom_ledger_kinetic_at(world, i, twist_of(world, i));
}

static double potential(const carom_world *world, int i)
{
    return -world->mass[i] * world->gravity_scale[i] *
           vec3_dot(vec3_from(world->options.gravity), world->now.position[i]);
}

static double in_springs(const carom_world *world)
{
    double energy = 0;
    for (int j = 0; j < world->joint_count; ++j)
        energy += carom_world_joint_energy(world, &world->joints[j]);
    return energy;
}

double carom_ledger_energy(const carom_world *world, int i)
{
    return kinetic(world, i) + potential(world, i);
}

// Kinetic energy of the moving bodies, and potential energy of them and of springs (J).
static double kinetic_energy(const carom_world *world)
{
    double energy = 0;
    for (int i = 0; i < world->count; ++i)
        energy += counts(world, i) ? kinetic(world, i) : 0;
    return energy;
}

static double potential_energy(const carom_world *world)
{
    double energy = 0;
    for (int i = 0; i < world->count; ++i)
        energy += counts(world, i) ? potential(world, i) : 0;
    return energy + in_springs(world);
}

static void add_momentum(carom_world *world, int i)
{
    carom_ledger *ledger = &world->now.ledger;
    carom_twist twist = twist_of(world, i);
    vec3 p = vec3_scale(world->mass[i], twist.linear);
    vec3 l = vec3_add(vec3_cross(world->now.position[i], p),
                      angular_momentum(world, i, twist.angular));
    vec3_store(vec3_add(vec3_from(ledger->momentum), p), ledger->momentum);
    vec3_store(vec3_add(vec3_from(ledger->angular), l), ledger->angular);
}

// Nothing has come or gone yet.
static void open_books(carom_ledger *ledger)
{
    ledger->driven = ledger->law = ledger->rest = ledger->position_correction = ledger->integrator =
        0;
    ledger->motors = ledger->dampers = ledger->stops = ledger->breakage = ledger->cohesion = 0;
    ledger->start = ledger->kinetic + ledger->potential;
    ledger->peak_kinetic = ledger->kinetic;
    ledger->min_potential = ledger->max_potential = ledger->potential;
}

void carom_ledger_begin(carom_world *world)
{
    ++world->ledger_epoch;
    carom_ledger *ledger = &world->now.ledger;
    vec3_store(vec3_make(0, 0, 0), ledger->momentum);
    vec3_store(vec3_make(0, 0, 0), ledger->angular);
    for (int i = 0; i < world->count; ++i)
        if (counts(world, i))
            add_momentum(world, i);
    ledger->kinetic = kinetic_energy(world);
    ledger->potential = potential_energy(world);
    open_books(ledger);
}

void carom_ledger_add(carom_world *world, int i)
{
    ++world->ledger_epoch;
    carom_ledger *ledger = &world->now.ledger;
    if (!world->fixed[i]) {
        ledger->kinetic += kinetic(world, i);
        ledger->potential += potential(world, i);
        ledger->driven += carom_ledger_energy(world, i);
        add_momentum(world, i);
    }
    if (ledger->steps == 0)
        open_books(ledger);
}

void carom_ledger_book(carom_world *world)
{
    ++world->ledger_epoch;
    carom_ledger *ledger = &world->now.ledger;
    if (ledger->steps == 0) {
        carom_ledger_begin(world);
        return;
    }
    double kinetic = kinetic_energy(world), potential = potential_energy(world);
    ledger->driven += kinetic + potential - (ledger->kinetic + ledger->potential);
    ledger->kinetic = kinetic;
    ledger->potential = potential;
}

// What motors brought, less what dampers, stops and breaking took.
static double of_joints(const carom_ledger *ledger)
{
    return ledger->motors - ledger->dampers - ledger->stops - ledger->breakage;
}

double carom_ledger_stake(const carom_ledger *ledger)
{
    return fmax(ledger->peak_kinetic, ledger->max_potential - ledger->min_potential);
}

static carom_world_sums add_up(const carom_world *world, int begin, int end)
{
    carom_world_sums all = { 0 };
    for (int i = begin; i < end; ++i) {
        if (!counts(world, i))
            continue;
        carom_twist twist = twist_of(world, i);
        vec3 p = vec3_scale(world->mass[i], twist.linear);
        vec3 l = angular_momentum(world, i, twist.angular);
        all.kinetic += kinetic(world, i);
        all.potential += potential(world, i);
        all.mass += world->mass[i];
        all.momentum = vec3_add(all.momentum, p);
        all.angular = vec3_add(all.angular, vec3_add(vec3_cross(world->now.position[i], p), l));
    }
    return all;
}

static bool sleeps(const carom_world *world, int begin, int end)
{
    for (int i = begin; i < end; ++i)
        if (!world->fixed[i])
            return false;
    return world->asleep_count > 0;
}

// A block in which all sleep has what it had.
static void add_share(carom_world *world, carom_world_sums *part, int threads)
{
    CAROM_TEAM_EACH (b, carom_team_blocks(world->count), threads) {
        int begin = carom_team_block(world->count, b), end = carom_team_block(world->count, b + 1);
        bool known = world->ledger_block[b].epoch == world->ledger_epoch;
        part[b] = known ? world->ledger_block[b].total : add_up(world, begin, end);
        if (!known && sleeps(world, begin, end)) {
            world->ledger_block[b].epoch = world->ledger_epoch;
            world->ledger_block[b].total = part[b];
        }
    }
}
CAROM_TEAM_SHARE3(add_share, carom_world *, carom_world_sums *, int)

void carom_ledger_close(carom_world *world)
{
    carom_ledger *ledger = &world->now.ledger;
    int team = carom_team_worth(world->count, world->options.threads);
    carom_world_sums part[CAROM_TEAM_BLOCKS];
    CAROM_TEAM(team, add_share(world, part, team));
    carom_world_sums all = part[0];
    for (int b = 1; b < carom_team_blocks(world->count); ++b) {
        all.kinetic += part[b].kinetic;
        all.potential += part[b].potential;
        all.mass += part[b].mass;
        all.momentum = vec3_add(all.momentum, part[b].momentum);
        all.angular = vec3_add(all.angular, part[b].angular);
    }
    ledger->kinetic = all.kinetic;
    ledger->potential = all.potential + in_springs(world);
    world->moving_mass = all.mass;
    vec3_store(all.momentum, ledger->momentum);
    vec3_store(all.angular, ledger->angular);
    ledger->integrator = ledger->kinetic + ledger->potential -
                         (ledger->start + ledger->driven - ledger->law - ledger->rest -
                          ledger->cohesion + ledger->position_correction + of_joints(ledger));
    ledger->peak_kinetic = fmax(ledger->peak_kinetic, ledger->kinetic);
    ledger->min_potential = fmin(ledger->min_potential, ledger->potential);
    ledger->max_potential = fmax(ledger->max_potential, ledger->potential);
    ledger->peak_overlap = fmax(ledger->peak_overlap, ledger->overlap);
    ++ledger->steps;
}
