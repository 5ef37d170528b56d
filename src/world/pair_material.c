// The material properties of a pair of bodies. A pair of materials that carom_world_pair has set
// goes first; otherwise two materials combine: by the geometric mean of restitution, of friction,
// of rolling, of cohesion and of adhesion, by the arithmetic mean of tangential restitution, as two
// springs in series.
// Restitution by place on a surface is restitution.c's.
#include "world/pair_material.h"

#include "math/power.h"

static const carom_material *material_of(const carom_world *world, int body)
{
    return &world->materials[world->material[body]];
}

const carom_world_pair_entry *carom_pair_material_listed(const carom_world *world, int a, int b)
{
    int ma = world->material[a], mb = world->material[b];
    int low = ma < mb ? ma : mb, high = ma < mb ? mb : ma;
    for (int i = 0; i < world->pair_count; ++i)
        if (world->pairs[i].a == low && world->pairs[i].b == high)
            return &world->pairs[i];
    return NULL;
}

double carom_pair_material_friction(const carom_world *world, int a, int b)
{
    const carom_world_pair_entry *pair = carom_pair_material_listed(world, a, b);
    const carom_material *x = material_of(world, a), *y = material_of(world, b);
    if (pair)
        return pair->friction;
    return x == y ? x->friction : sqrt(x->friction * y->friction);
}

// Velocity-dependent restitution, where the material has it: max(e, 1 - c (u/u0)^p).
double carom_pair_material_at_speed(const carom_material *m, double speed, double slip)
{
    if (m->fade == 0 || speed <= 0)
        return m->fade == 0 ? m->restitution : 1;
    if (m->fade_slip > 0)
        speed = sqrt(speed * speed + m->fade_slip * m->fade_slip * slip * slip);
    return fmax(m->restitution, 1 - m->fade * carom_power(speed / m->fade_speed, m->fade_power));
}

bool carom_pair_material_wants_slip(const carom_world *world, int a, int b)
{
    const carom_material *x = material_of(world, a), *y = material_of(world, b);
    return x->fade * x->fade_slip > 0 || y->fade * y->fade_slip > 0;
}

double carom_pair_material_restitution(const carom_world *world, int a, int b, double speed,
                                       double slip)
{
    const carom_world_pair_entry *pair = carom_pair_material_listed(world, a, b);
    const carom_material *x = material_of(world, a), *y = material_of(world, b);
    if (pair)
        return pair->restitution;
    double e = carom_pair_material_at_speed(x, speed, slip);
    return x == y ? e : sqrt(e * carom_pair_material_at_speed(y, speed, slip));
}

double carom_pair_material_tangential_restitution(const carom_world *world, int a, int b)
{
    const carom_material *x = material_of(world, a), *y = material_of(world, b);
    return 0.5 * (x->tangential_restitution + y->tangential_restitution);
}

double carom_pair_material_rolling(const carom_world *world, int a, int b)
{
    const carom_world_pair_entry *pair = carom_pair_material_listed(world, a, b);
    const carom_material *x = material_of(world, a), *y = material_of(world, b);
    if (pair && pair->rolling >= 0)
        return pair->rolling;
    return x == y ? x->rolling : sqrt(x->rolling * y->rolling);
}

double carom_pair_material_cohesion(const carom_world *world, int a, int b)
{
    const carom_world_pair_entry *pair = carom_pair_material_listed(world, a, b);
    const carom_material *x = material_of(world, a), *y = material_of(world, b);
    if (pair && pair->cohesion >= 0)
        return pair->cohesion;
    return x == y ? x->cohesion : sqrt(x->cohesion * y->cohesion);
}

double carom_pair_material_adhesion(const carom_world *world, int a, int b)
{
    const carom_world_pair_entry *pair = carom_pair_material_listed(world, a, b);
    const carom_material *x = material_of(world, a), *y = material_of(world, b);
    if (pair && pair->adhesion >= 0)
        return pair->adhesion;
    return x == y ? x->adhesion : sqrt(x->adhesion * y->adhesion);
}

// Two springs in series: their compliances add. Equal materials keep their own value.
double carom_pair_material_stiffness(const carom_world *world, int a, int b)
{
    return 2 / (1 / material_of(world, a)->stiffness + 1 / material_of(world, b)->stiffness);
}

double carom_pair_material_exponent(const carom_world *world, int a, int b)
{
    return fmax(material_of(world, a)->exponent, material_of(world, b)->exponent);
}
