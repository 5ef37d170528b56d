// Motion: free grains on exact parabolas, held ones with the velocity at the end of the step
// (Moreau); then overlap beyond the slop is taken out by displacements, as
// world/position_correction.c does it: slowly where nobody sees it, and never for more energy than
// resting contact has taken.
#include "grains/grains.h"

static const double share = 0.2;   // of the overlap beyond the slop, per step
static const double follow = 0.5;  // of the speed at which the two slip anyway
static const double creep = 0.1;   // 1/s: of the slop, where they do not
static const double unseen = 1e-3; // of the smaller radius: more has to go soon
enum { SWEEPS = 8 };

// How far a contact is to be opened, m; 0: not at all.
static double wanted(const carom_grains *g, int i)
{
    const carom_contact_link *link = &g->system.links[i];
    const carom_contact_sphere_body *a = &g->system.sphere_bodies[link->a],
                                    *b = &g->system.sphere_bodies[link->b];
    const carom_contact_sphere_record *c = &g->system.sphere_contacts[i];
    vec3 between = vec3_sub(b->v, a->v);
    double u = vec3_dot(c->n, between), slop = g->options.slop;
    double depth = -(g->gap[i] + g->dt * u) - slop;
    if (!(depth > 0))
        return 0;
    double size = g->part->radius[link->b];
    if (!carom_grains_is_wall(g, link->a))
        size = fmin(size, g->part->radius[link->a]);
    vec3 slip = carom_contact_slip_of_spheres(a, b, c, between, u);
    double plain = fmax(0, depth - unseen * size);
    double max = g->dt * (creep * slop + follow * vec3_length(vec3_axpy(slip, u, c->n)));
    return share * plain + fmin(share * (depth - plain), max);
}

// One contact; `amount` is what it has pushed so far, kg m.
static void open(carom_grains *g, int i, double distance, double *amount)
{
    const carom_contact_link *link = &g->system.links[i];
    const carom_contact_sphere_record *c = &g->system.sphere_contacts[i];
    bool wall = carom_grains_is_wall(g, link->a);
    vec3 from = wall ? vec3_make(0, 0, 0) : g->shift[link->a];
    double apart = vec3_dot(c->n, vec3_sub(g->shift[link->b], from));
    double next = fmax(0, *amount + c->normal_mass * (distance - apart)), change = next - *amount;
    *amount = next;
    if (!wall)
        g->shift[link->a] =
            vec3_axpy(from, -change * g->system.sphere_bodies[link->a].inverse_mass, c->n);
    g->shift[link->b] =
        vec3_axpy(g->shift[link->b], change * g->system.sphere_bodies[link->b].inverse_mass, c->n);
}

// The part of all displacements that the books allow.
static double affordable(carom_grains *g)
{
    carom_exact_sum sums[2] = { { .limb = { 0 } }, { .limb = { 0 } } };
    vec3 gravity = vec3_from(g->options.gravity);
    for (int i = 0; i < g->part->owned; ++i)
        carom_exact_sum_add(&sums[0], -g->part->mass[i] * vec3_dot(gravity, g->shift[i]));
    for (int k = 0; k < CAROM_EXACT_SUM_LIMBS; ++k)
        sums[1].limb[k] =
            g->sum[CAROM_GRAINS_RESTING].limb[k] - g->sum[CAROM_GRAINS_CORRECTION].limb[k];
    carom_exact_sum_carry(&sums[0]);
    carom_exact_sum_carry(&sums[1]);
    if (g->host.sum)
        g->host.sum(g->host.client, sums[0].limb, 2 * (int)(sizeof *sums / sizeof(int64_t)));
    double gain = carom_exact_sum_value(&sums[0]),
           budget = fmax(0, carom_exact_sum_value(&sums[1]));
    return gain > budget ? budget / gain : 1;
}

// Displacements of all grains; false: none are needed.
static carom_status find_shifts(carom_grains *g, bool *any, carom_error *err)
{
    double *distance, *amount, *busy;
    TAKE(g->scratch, distance, g->contact_count, err);
    TAKE_ZEROS(g->scratch, amount, g->contact_count, err);
    TAKE_ZEROS(g->scratch, busy, g->colour_count, err);
    TAKE_ZEROS(g->scratch, g->shift, g->part->count, err);
    for (int k = 0; k < g->colour_count; ++k)
        for (int i = g->first[k]; i < g->first[k + 1]; ++i) {
            distance[i] = wanted(g, i);
            busy[k] = fmax(busy[k], distance[i] > 0);
        }
    carom_grains_max(g, busy, g->colour_count);
    *any = false;
    for (int k = 0; k < g->colour_count; ++k)
        *any = *any || busy[k] > 0;
    for (int n = 0; n < SWEEPS * (g->colour_count && *any ? g->colour_count : 0); ++n) {
        int k = n % g->colour_count, colour = n / g->colour_count % 2 ? g->colour_count - 1 - k : k;
        if (busy[colour] == 0)
            continue;
        if (k > 0) // the first colour of a sweep was the last of the one before
            carom_grains_refresh_colour(g, CAROM_GRAINS_SHIFT, colour);
        for (int i = g->first[colour]; i < g->first[colour + 1]; ++i)
            if (distance[i] > 0)
                open(g, i, distance[i], &amount[i]);
    }
    return CAROM_OK;
}

static void move_grain(carom_grains *g, int i, double part)
{
    carom_contact_sphere_body *body = &g->system.sphere_bodies[i];
    vec3 from = vec3_from(g->part->position[i]);
    vec3 mean = vec3_scale(0.5, vec3_add(g->before[i], body->v));
    vec3 way = vec3_scale(g->dt, g->held[i] ? body->v : mean), to = vec3_add(from, way);
    double work = g->part->force ? vec3_dot(vec3_from(g->part->force[i]), way) : 0;
    if (g->part->force)
        carom_exact_sum_add(&g->sum[CAROM_GRAINS_FORCES], work);
    if (g->held[i]) {
        carom_exact_sum *rest = &g->sum[CAROM_GRAINS_RESTING];
        carom_exact_sum_add(rest, g->energy[i]);
        carom_exact_sum_add(rest, work);
        carom_exact_sum_add(rest, -carom_grains_kinetic(g, i));
        carom_exact_sum_add(rest, -carom_grains_potential(g, i, to));
    }
    if (part > 0) {
        vec3 shifted = vec3_axpy(to, part, g->shift[i]);
        carom_exact_sum *correction = &g->sum[CAROM_GRAINS_CORRECTION];
        carom_exact_sum_add(correction, carom_grains_potential(g, i, shifted));
        carom_exact_sum_add(correction, -carom_grains_potential(g, i, to));
        to = shifted;
    }
    vec3_store(to, g->part->position[i]);
    vec3_store(body->v, g->part->velocity[i]);
    vec3_store(body->w, g->part->spin[i]);
}

carom_status carom_grains_move(carom_grains *g, carom_error *err)
{
    bool any;
    TRY(find_shifts(g, &any, err));
    double part = any ? affordable(g) : 0;
    for (int i = 0; i < g->part->owned; ++i)
        move_grain(g, i, part);
    return CAROM_OK;
}
