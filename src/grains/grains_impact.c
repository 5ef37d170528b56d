// Impacts: pair collisions, colour by colour, until nothing approaches faster than what rests. The
// law `fixed-point` [EC] in the order of the colours, each collision with restitution at its own
// speed, and friction that sticks, or slides with Coulomb's coefficient.
//
// Positions stand still. A contact is hit where the gap would close within the step. Each collision
// keeps momentum and gains no energy, so no order of them does; what approaches after the last
// sweep is stopped by resting contact.
#include "grains/grains.h"
#include "math/power.h"

static double restitution_at(const carom_grains_surface *s, double speed)
{
    if (s->fade == 0)
        return s->restitution;
    return fmax(s->restitution, 1 - s->fade * carom_power(speed / s->fade_speed, s->fade_power));
}

static double speed_of(const carom_grains *g, int i)
{
    const carom_contact_link *link = &g->system.links[i];
    return vec3_dot(g->system.sphere_contacts[i].n, vec3_sub(g->system.sphere_bodies[link->b].v,
                                                             g->system.sphere_bodies[link->a].v));
}

static bool meets(const carom_grains *g, int i, double u)
{
    return u < -g->resting_speed && g->gap[i] + g->dt * u < 0;
}

// One collision. What a driven wall brings is booked by the grain's owner.
static void hit(carom_grains *g, int i)
{
    double u = speed_of(g, i);
    if (!meets(g, i, u))
        return;
    carom_contact_link *link = &g->system.links[i];
    const carom_contact_sphere_record *c = &g->system.sphere_contacts[i];
    carom_contact_sphere_body *a = &g->system.sphere_bodies[link->a],
                              *b = &g->system.sphere_bodies[link->b];
    double e = restitution_at(carom_grains_surface_of(g, link->a), -u);
    double p = -(1 + e) * u * c->normal_mass;
    vec3 slip = carom_contact_slip_of_spheres(a, b, c, vec3_sub(b->v, a->v), u);
    vec3 q = carom_contact_clip(vec3_scale(-c->tangent_mass, slip), c->friction * p);
    vec3 impulse = vec3_axpy(q, p, c->n);
    carom_contact_push_spheres(a, b, c, impulse, q);
    if (link->b < g->part->owned) {
        ++g->impacts;
        if (carom_grains_is_wall(g, link->a)) {
            double work = vec3_dot(impulse, a->v);
            carom_exact_sum_add(&g->sum[CAROM_GRAINS_DRIVEN], work);
            carom_exact_sum_add(&g->sum[CAROM_GRAINS_LAW], work);
        }
    }
}

// Which colours have something to do, over all ranks; false: none.
static bool find_busy(const carom_grains *g, double *busy)
{
    bool any = false;
    for (int k = 0; k < g->colour_count; ++k) {
        busy[k] = 0;
        for (int i = g->first[k]; i < g->first[k + 1] && busy[k] == 0; ++i)
            busy[k] = meets(g, i, speed_of(g, i));
    }
    carom_grains_max(g, busy, g->colour_count);
    for (int k = 0; k < g->colour_count; ++k)
        any = any || busy[k] > 0;
    return any;
}

static void book(carom_grains *g, double sign)
{
    for (int i = 0; i < g->part->owned; ++i)
        carom_exact_sum_add(&g->sum[CAROM_GRAINS_LAW], sign * carom_grains_kinetic(g, i));
}

carom_status carom_grains_impact(carom_grains *g, carom_error *err)
{
    double *busy;
    int sweep = 0;
    TAKE(g->scratch, busy, g->colour_count, err);
    if (g->options.law == CAROM_GRAINS_INELASTIC || !find_busy(g, busy))
        return CAROM_OK;
    book(g, 1);
    do {
        for (int k = 0; k < g->colour_count; ++k) {
            if (busy[k] == 0)
                continue;
            for (int i = g->first[k]; i < g->first[k + 1]; ++i)
                hit(g, i);
            carom_grains_refresh(g, CAROM_GRAINS_STATE);
        }
        ++sweep;
    } while (find_busy(g, busy) && sweep < g->options.impact_sweeps);
    book(g, -1);
    g->impact_sweeps += sweep;
    g->capped += sweep == g->options.impact_sweeps;
    return CAROM_OK;
}
