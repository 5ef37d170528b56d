// Gravity and resting contact: the contact solver (contact/contact_sphere.c), colour by colour,
// with the ghosts of a colour refreshed before it. Impulses start from those of the last step.
//
// How far a grain's velocity has travelled in the sweeps, by which contacts are passed over, goes
// to ghosts with its state: all ranks pass over the same contacts.
#include "grains/grains.h"

#define COUNTS 0.1 // of the change at which sweeps end: less is no change

static void kick(carom_grains *g)
{
    const carom_grains_part *part = g->part;
    vec3 gravity = vec3_from(g->options.gravity);
    for (int i = 0; i < part->owned; ++i) {
        carom_contact_sphere_body *body = &g->system.sphere_bodies[i];
        vec3 pull = gravity;
        if (part->force)
            pull = vec3_axpy(pull, body->inverse_mass, vec3_from(part->force[i]));
        g->before[i] = body->v;
        g->energy[i] =
            carom_grains_kinetic(g, i) + carom_grains_potential(g, i, vec3_from(part->position[i]));
        body->v = vec3_axpy(body->v, g->dt, pull);
    }
}

// Least normal speed at the end: a gap may close, no more. A gap in the upper half of the slop may
// close to the lower half of it, the more the wider it is (world/rest_choose.c says why).
static double target_of(const carom_grains *g, double gap)
{
    double closed = g->options.slop;
    if (!(gap > 0.5 * closed))
        return 0;
    return (gap > closed ? -gap : closed - 2 * gap) / g->dt;
}

static vec3 within_cone(const carom_contact_sphere_record *c, vec3 impulse, double *along)
{
    *along = fmax(vec3_dot(c->n, impulse), 0);
    return carom_contact_clip(vec3_axpy(impulse, -vec3_dot(c->n, impulse), c->n),
                              c->friction * *along);
}

// What a contact starts from. Returns its normal speed.
static double prepare(carom_grains *g, int i)
{
    carom_contact_system *s = &g->system;
    carom_contact_link *link = &s->links[i];
    carom_contact_sphere_record *c = &s->sphere_contacts[i];
    vec3 between = vec3_sub(s->sphere_bodies[link->b].v, s->sphere_bodies[link->a].v);
    double u = vec3_dot(c->n, between);
    const carom_grains_trace *trace = carom_grains_memory_find(g, link->a, link->b);
    c->target = target_of(g, g->gap[i]);
    if (trace)
        c->friction_impulse = within_cone(c, trace->impulse, &c->normal_impulse);
    if (trace && s->rolling)
        s->rolling[i].impulse =
            carom_contact_clip(trace->rolling, s->rolling[i].length * c->normal_impulse);
    link->idle = c->normal_impulse > 0 ? -1 : u - c->target;
    return fabs(u);
}

static void push_start(carom_grains *g, int i)
{
    carom_contact_system *s = &g->system;
    const carom_contact_link *link = &s->links[i];
    const carom_contact_sphere_record *c = &s->sphere_contacts[i];
    carom_contact_sphere_body *a = &s->sphere_bodies[link->a], *b = &s->sphere_bodies[link->b];
    if (!(c->normal_impulse > 0))
        return;
    vec3 impulse = carom_contact_sphere_impulse(c);
    double size = vec3_length(impulse);
    carom_contact_push_spheres(a, b, c, impulse, c->friction_impulse);
    if (s->rolling && s->rolling[i].length > 0) {
        double at_a = c->arm_a * a->inverse_inertia, at_b = c->arm_b * b->inverse_inertia;
        carom_contact_turn_spheres(a, b, s->rolling[i].impulse);
        size += (at_a + at_b) * c->normal_mass * vec3_length(s->rolling[i].impulse);
    }
    carom_contact_add_travel(&s->travel[link->a], a, size);
    carom_contact_add_travel(&s->travel[link->b], b, size);
}

// Starts all contacts. An owned grain gets its impulses in the order of the colours; ghosts are
// refreshed at the end. Returns the fastest normal speed of all ranks.
static double start(carom_grains *g)
{
    double fastest = 0;
    carom_grains_refresh(g, CAROM_GRAINS_STATE);
    for (int i = 0; i < g->contact_count; ++i)
        fastest = fmax(fastest, prepare(g, i));
    for (int i = 0; i < g->contact_count; ++i)
        push_start(g, i);
    carom_grains_refresh(g, CAROM_GRAINS_STATE);
    carom_grains_max(g, &fastest, 1);
    return fmax(fastest, g->dt * vec3_length(vec3_from(g->options.gravity)));
}

// Sweeps there and back in turn: the first colour of each was the last of the one before, and its
// ghosts are where they should be.
static void sweep(carom_grains *g, double scale)
{
    double tolerance = g->options.rest_tolerance * scale;
    for (int n = 0; n < g->options.rest_sweeps; ++n) {
        carom_contact_pass pass = { .number = n + 1,
                                    .min = COUNTS * tolerance,
                                    .forward = n % 2 == 0 };
        double change = 0;
        for (int k = 0; k < g->colour_count; ++k) {
            int colour = pass.forward ? k : g->colour_count - 1 - k;
            carom_contact_range range = { .begin = g->first[colour], .end = g->first[colour + 1] };
            if (k > 0)
                carom_grains_refresh_colour(g, CAROM_GRAINS_STATE, colour);
            carom_contact_sphere_sweep(&g->system, &range, &pass);
            change = fmax(change, range.change);
        }
        ++g->rest_sweeps;
        carom_grains_max(g, &change, 1);
        if (change <= tolerance)
            break;
    }
    carom_grains_refresh(g, CAROM_GRAINS_STATE);
}

static carom_status store(carom_grains *g, carom_error *err)
{
    const carom_contact_system *s = &g->system;
    carom_grains_memory_begin(g);
    g->contacts = 0;
    for (int i = 0; i < g->contact_count; ++i) {
        const carom_contact_link *link = &s->links[i];
        const carom_contact_sphere_record *c = &s->sphere_contacts[i];
        if (!(c->normal_impulse > 0))
            continue;
        vec3 impulse = carom_contact_sphere_impulse(c);
        TRY(carom_grains_memory_add(g, link->a, link->b, impulse,
                                    s->rolling ? s->rolling[i].impulse : vec3_make(0, 0, 0), err));
        if (link->a < g->part->owned)
            g->held[link->a] = 1;
        if (link->b >= g->part->owned)
            continue;
        g->held[link->b] = 1;
        ++g->contacts;
        if (carom_grains_is_wall(g, link->a)) {
            double work = vec3_dot(impulse, s->sphere_bodies[link->a].v);
            carom_exact_sum_add(&g->sum[CAROM_GRAINS_DRIVEN], work);
            carom_exact_sum_add(&g->sum[CAROM_GRAINS_RESTING], work);
        }
    }
    return CAROM_OK;
}

carom_status carom_grains_rest(carom_grains *g, carom_error *err)
{
    kick(g);
    double scale = start(g);
    sweep(g, scale);
    return store(g, err);
}
