#include "world/ledger.h"

static vec3 spin_momentum(const carom_world *world, int i)
{
    const sym3 *s = &world->inertia[i];
    if (s->xx == s->yy && s->yy == s->zz && s->xy == 0 && s->xz == 0 && s->yz == 0)
        return vec3_scale(s->xx, world->now.spin[i]);
    quat back = quat_conjugate(world->now.rotation[i]);
    vec3 inner = sym3_mul(*s, quat_rotate(back, world->now.spin[i]));
    return quat_rotate(world->now.rotation[i], inner);
}

static double kinetic(const carom_world *world, int i)
{
    return 0.5 * (world->mass[i] * vec3_dot(world->now.velocity[i], world->now.velocity[i]) +
                  vec3_dot(world->now.spin[i], spin_momentum(world, i)));
}

static double potential(const carom_world *world, int i)
{
    return -world->mass[i] * vec3_dot(vec3_from(world->options.gravity), world->now.position[i]);
}

double carom_ledger_energy(const carom_world *world, int i)
{
    return kinetic(world, i) + potential(world, i);
}

double carom_ledger_kinetic(const carom_world *world)
{
    double energy = 0;
    for (int i = 0; i < world->count; ++i)
        energy += world->fixed[i] ? 0 : kinetic(world, i);
    return energy;
}

double carom_ledger_potential(const carom_world *world)
{
    double energy = 0;
    for (int i = 0; i < world->count; ++i)
        energy += world->fixed[i] ? 0 : potential(world, i);
    return energy;
}

static void add_momentum(carom_world *world, int i)
{
    carom_ledger *ledger = &world->now.ledger;
    vec3 p = vec3_scale(world->mass[i], world->now.velocity[i]);
    vec3 l = vec3_add(vec3_cross(world->now.position[i], p), spin_momentum(world, i));
    vec3_store(vec3_add(vec3_from(ledger->momentum), p), ledger->momentum);
    vec3_store(vec3_add(vec3_from(ledger->angular), l), ledger->angular);
}

void carom_ledger_begin(carom_world *world)
{
    carom_ledger *ledger = &world->now.ledger;
    vec3_store(vec3_make(0, 0, 0), ledger->momentum);
    vec3_store(vec3_make(0, 0, 0), ledger->angular);
    for (int i = 0; i < world->count; ++i)
        if (!world->fixed[i])
            add_momentum(world, i);
    ledger->kinetic = carom_ledger_kinetic(world);
    ledger->potential = carom_ledger_potential(world);
    ledger->driven = ledger->law = ledger->rest = ledger->drift = ledger->scheme = 0;
    ledger->start = ledger->kinetic + ledger->potential;
}

void carom_ledger_add(carom_world *world, int i)
{
    carom_ledger *ledger = &world->now.ledger;
    if (!world->fixed[i]) {
        ledger->kinetic += kinetic(world, i);
        ledger->potential += potential(world, i);
        add_momentum(world, i);
    }
    ledger->driven = ledger->law = ledger->rest = ledger->drift = ledger->scheme = 0;
    ledger->start = ledger->kinetic + ledger->potential;
}

void carom_ledger_close(carom_world *world)
{
    carom_ledger *ledger = &world->now.ledger;
    vec3 momentum = { 0, 0, 0 }, angular = { 0, 0, 0 };
    ledger->kinetic = ledger->potential = 0;
    for (int i = 0; i < world->count; ++i) {
        if (world->fixed[i])
            continue;
        vec3 p = vec3_scale(world->mass[i], world->now.velocity[i]), l = spin_momentum(world, i);
        ledger->kinetic +=
            0.5 * (vec3_dot(p, world->now.velocity[i]) + vec3_dot(world->now.spin[i], l));
        ledger->potential += potential(world, i);
        momentum = vec3_add(momentum, p);
        angular = vec3_add(angular, vec3_add(vec3_cross(world->now.position[i], p), l));
    }
    vec3_store(momentum, ledger->momentum);
    vec3_store(angular, ledger->angular);
    ledger->scheme = ledger->kinetic + ledger->potential -
                     (ledger->start + ledger->driven - ledger->law - ledger->rest + ledger->drift);
    ledger->deepest_ever = fmax(ledger->deepest_ever, ledger->deepest);
    ++ledger->steps;
}
