#include "world/ledger.h"

static vec3 body_spin_momentum(const carom_world *world, int i)
{
    quat back = quat_conjugate(world->now.rotation[i]);
    vec3 inner = sym3_mul(world->inertia[i], quat_rotate(back, world->now.spin[i]));
    return quat_rotate(world->now.rotation[i], inner);
}

static double body_kinetic(const carom_world *world, int i)
{
    return 0.5 * (world->mass[i] * vec3_dot(world->now.velocity[i], world->now.velocity[i]) +
                  vec3_dot(world->now.spin[i], body_spin_momentum(world, i)));
}

double carom_ledger_kinetic(const carom_world *world)
{
    double energy = 0;
    for (int i = 0; i < world->count; ++i)
        if (!world->fixed[i])
            energy += body_kinetic(world, i);
    return energy;
}

double carom_ledger_potential(const carom_world *world)
{
    vec3 gravity = vec3_from(world->options.gravity);
    double energy = 0;
    for (int i = 0; i < world->count; ++i)
        if (!world->fixed[i])
            energy -= world->mass[i] * vec3_dot(gravity, world->now.position[i]);
    return energy;
}

void carom_ledger_begin(carom_world *world)
{
    carom_ledger *ledger = &world->now.ledger;
    ledger->kinetic = carom_ledger_kinetic(world);
    ledger->potential = carom_ledger_potential(world);
    ledger->driven = ledger->law = ledger->rest = ledger->drift = ledger->scheme = 0;
    ledger->start = ledger->kinetic + ledger->potential;
}

void carom_ledger_add(carom_world *world, int i)
{
    carom_ledger *ledger = &world->now.ledger;
    if (!world->fixed[i]) {
        ledger->kinetic += body_kinetic(world, i);
        ledger->potential -=
            world->mass[i] * vec3_dot(vec3_from(world->options.gravity), world->now.position[i]);
    }
    ledger->driven = ledger->law = ledger->rest = ledger->drift = ledger->scheme = 0;
    ledger->start = ledger->kinetic + ledger->potential;
}

void carom_ledger_close(carom_world *world)
{
    carom_ledger *ledger = &world->now.ledger;
    vec3 momentum = { 0, 0, 0 }, angular = { 0, 0, 0 };
    for (int i = 0; i < world->count; ++i) {
        if (world->fixed[i])
            continue;
        vec3 p = vec3_scale(world->mass[i], world->now.velocity[i]);
        momentum = vec3_add(momentum, p);
        angular = vec3_add(
            angular, vec3_add(vec3_cross(world->now.position[i], p), body_spin_momentum(world, i)));
    }
    vec3_store(momentum, ledger->momentum);
    vec3_store(angular, ledger->angular);
    ledger->kinetic = carom_ledger_kinetic(world);
    ledger->potential = carom_ledger_potential(world);
    ledger->scheme = ledger->kinetic + ledger->potential -
                     (ledger->start + ledger->driven - ledger->law - ledger->rest + ledger->drift);
    ledger->deepest_ever = fmax(ledger->deepest_ever, ledger->deepest);
    ++ledger->steps;
}
