// Impacts: pair collisions, colour by colour, until nothing approaches faster than what rests. The
// law `fixed-point` [EC] in the order of the colours, each collision with restitution at its own
// speed, and friction that sticks, or slides with Coulomb's coefficient.
//
// Positions stand still. A contact is hit where the gap would close within the step. Each collision
// keeps momentum and gains no energy, so no order of them does; what approaches after the last
// sweep is stopped by resting contact.
//
// With a law of islands all that an impact reaches is answered at once (grains_touch.c,
// grains_reach.c, grains_island.c), pass after pass: grains that bounce may meet others within the
// step, which no time of impact cuts as a world's. A layer that lands takes a pass for each grain
// of its depth.
#include "grains/grains.h"
#include "math/power.h"

double carom_grains_impact_restitution(const carom_grains *g, int contact, double u)
{
    const carom_grains_surface *s = carom_grains_surface_of(g, g->system.links[contact].a);
    if (s->fade == 0 || u >= 0)
        return s->fade == 0 ? s->restitution : 1;
    return fmax(s->restitution, 1 - s->fade * carom_power(-u / s->fade_speed, s->fade_power));
}

double carom_grains_impact_speed(const carom_grains *g, int contact)
{
    const carom_contact_link *link = &g->system.links[contact];
    return vec3_dot(
        g->system.sphere_contacts[contact].n,
        vec3_sub(g->system.sphere_bodies[link->b].v, g->system.sphere_bodies[link->a].v));
}

bool carom_grains_impact_meets(const carom_grains *g, int contact, double u)
{
    return u < -g->resting_speed && g->gap[contact] + g->dt * u < 0;
}

// What a driven wall brings to a grain in an impact.
static void book_work(carom_grains *g, double work)
{
    carom_exact_sum_add(&g->sum[CAROM_GRAINS_DRIVEN], work);
    carom_exact_sum_add(&g->sum[CAROM_GRAINS_LAW], work);
}

// One collision. What a driven wall brings is booked by the grain's owner.
static void hit(carom_grains *g, int i)
{
    double u = carom_grains_impact_speed(g, i);
    if (!carom_grains_impact_meets(g, i, u))
        return;
    carom_contact_link *link = &g->system.links[i];
    const carom_contact_sphere_record *c = &g->system.sphere_contacts[i];
    carom_contact_sphere_body *a = &g->system.sphere_bodies[link->a],
                              *b = &g->system.sphere_bodies[link->b];
    double e = carom_grains_impact_restitution(g, i, u);
    double p = -(1 + e) * u * c->normal_mass;
    vec3 slip = carom_contact_slip_of_spheres(a, b, c, vec3_sub(b->v, a->v), u);
    vec3 q = carom_contact_clip(vec3_scale(-c->tangent_mass, slip), c->friction * p);
    vec3 impulse = vec3_axpy(q, p, c->n);
    carom_contact_push_spheres(a, b, c, impulse, q);
    if (link->b < g->part->owned) {
        ++g->impacts;
        if (carom_grains_is_wall(g, link->a))
            book_work(g, vec3_dot(impulse, a->v));
    }
}

// Which colours have something to do, over all ranks; false: none.
static bool find_busy(const carom_grains *g, double *busy)
{
    bool any = false;
    for (int k = 0; k < g->colour_count; ++k) {
        busy[k] = 0;
        for (int i = g->first[k]; i < g->first[k + 1] && busy[k] == 0; ++i)
            busy[k] = carom_grains_impact_meets(g, i, carom_grains_impact_speed(g, i));
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

static carom_status collide_pairs(carom_grains *g, carom_error *err)
{
    double *busy;
    int sweep = 0;
    TAKE(g->scratch, busy, g->colour_count, err);
    if (!find_busy(g, busy))
        return CAROM_OK;
    book(g, 1);
    do {
        bool fresh = true; // ghosts are as they are where they are owned
        for (int k = 0; k < g->colour_count; ++k) {
            if (busy[k] == 0)
                continue;
            if (!fresh)
                carom_grains_refresh_colour(g, CAROM_GRAINS_STATE, k);
            for (int i = g->first[k]; i < g->first[k + 1]; ++i)
                hit(g, i);
            fresh = false;
        }
        carom_grains_refresh(g, CAROM_GRAINS_STATE);
        ++sweep;
    } while (find_busy(g, busy) && sweep < g->options.impact_sweeps);
    book(g, -1);
    g->impact_sweeps += sweep;
    g->capped += sweep == g->options.impact_sweeps;
    return CAROM_OK;
}

// -- a law of islands -----------------------------------------------------------------------------

// One answer to all that impacts now.
static carom_status resolve_pass(carom_grains *g, carom_grains_instant *instant, carom_error *err)
{
    for (int round = 0; carom_grains_reach_next(g, instant, round); ++round) {
        TRY(carom_grains_island_resolve(g, instant, err));
        carom_grains_refresh(g, CAROM_GRAINS_STATE);
    }
    for (int k = 0; k < instant->chosen_count; ++k) {
        int i = instant->chosen[k];
        g->impacts += instant->struck[i];
        if (instant->work[i] != 0)
            book_work(g, instant->work[i]);
        instant->struck[i] = 0;
        instant->work[i] = 0;
    }
    ++g->impact_sweeps;
    return CAROM_OK;
}

static carom_status ask_law(carom_grains *g, carom_error *err)
{
    carom_grains_instant instant = { 0 };
    bool any = false;
    TRY(carom_grains_touch_begin(g, &instant, &any, err));
    if (!any)
        return CAROM_OK;
    TRY(carom_grains_reach_begin(g, &instant, err));
    book(g, 1);
    for (int pass = 0; any && pass < g->options.impact_sweeps; ++pass) {
        TRY(resolve_pass(g, &instant, err));
        any = carom_grains_touch_again(g, &instant);
        carom_grains_reach_end(g, &instant);
    }
    book(g, -1);
    g->capped += any;
    return CAROM_OK;
}

carom_status carom_grains_impact(carom_grains *g, carom_error *err)
{
    switch (g->options.law) {
    case CAROM_GRAINS_FIXED_POINT:
        return collide_pairs(g, err);
    case CAROM_GRAINS_ISLANDS:
        return ask_law(g, err);
    case CAROM_GRAINS_INELASTIC:
        break;
    }
    return CAROM_OK;
}
