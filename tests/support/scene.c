// Fills the arrays of an impact with common bodies.
#include "support/scene.h"

#include <stdlib.h>
#include <string.h>

void scene_clear(scene *s)
{
    memset(s, 0, sizeof *s);
}

int scene_ball(scene *s, double mass, double radius, vec3 position, vec3 velocity)
{
    if (s->body_count >= SCENE_BODIES)
        abort();
    carom_impact_body *body = &s->bodies[s->body_count];
    double turn = 1 / (0.4 * mass * radius * radius);
    *body = (carom_impact_body){ .inverse_mass = 1 / mass,
                                 .inverse_inertia = { turn, turn, turn, 0, 0, 0 } };
    vec3_store(position, body->position);
    vec3_store(velocity, body->velocity);
    return s->body_count++;
}

int scene_fixed(scene *s, vec3 velocity)
{
    if (s->body_count >= SCENE_BODIES)
        abort();
    s->bodies[s->body_count] = (carom_impact_body){ 0 };
    vec3_store(velocity, s->bodies[s->body_count].velocity);
    return s->body_count++;
}

int scene_box(scene *s, double mass, vec3 half, quat q, vec3 position, vec3 velocity)
{
    int i = scene_ball(s, mass, 1, position, velocity);
    double x = half.x * half.x, y = half.y * half.y, z = half.z * half.z;
    sym3 inverse = { 3 / (mass * (y + z)), 3 / (mass * (x + z)), 3 / (mass * (x + y)), 0, 0, 0 };
    inverse = sym3_rotate(quat_matrix(q), inverse);
    double entries[6] = { inverse.xx, inverse.yy, inverse.zz, inverse.xy, inverse.xz, inverse.yz };
    memcpy(s->bodies[i].inverse_inertia, entries, sizeof entries);
    return i;
}

int scene_contact(scene *s, int a, int b, vec3 point, vec3 normal)
{
    if (s->contact_count >= SCENE_CONTACTS)
        abort();
    carom_impact_contact *contact = &s->contacts[s->contact_count];
    *contact = carom_impact_contact_default();
    contact->a = a;
    contact->b = b;
    vec3_store(point, contact->point);
    vec3_store(vec3_unit(normal), contact->normal);
    return s->contact_count++;
}

int scene_touch(scene *s, int a, int b)
{
    vec3 pa = vec3_from(s->bodies[a].position), pb = vec3_from(s->bodies[b].position);
    return scene_contact(s, a, b, vec3_scale(0.5, vec3_add(pa, pb)), vec3_sub(pb, pa));
}

void scene_chain(scene *s, int count, const double *masses, const double *velocities)
{
    scene_clear(s);
    for (int i = 0; i < count; ++i) {
        scene_ball(s, masses ? masses[i] : 1, 0.5, vec3_make(i, 0, 0),
                   vec3_make(velocities[i], 0, 0));
        if (i > 0)
            scene_touch(s, i - 1, i);
    }
}

void scene_restitution(scene *s, double restitution)
{
    for (int i = 0; i < s->contact_count; ++i)
        s->contacts[i].restitution = restitution;
}

void scene_exponent(scene *s, double exponent)
{
    for (int i = 0; i < s->contact_count; ++i)
        s->contacts[i].exponent = exponent;
}

void scene_friction(scene *s, double friction)
{
    for (int i = 0; i < s->contact_count; ++i)
        s->contacts[i].friction = friction;
}

carom_impact scene_impact(const scene *s)
{
    return (carom_impact){ s->body_count, s->contact_count, s->bodies, s->contacts };
}

bool scene_resolve(scene *s, carom_workspace *workspace, const carom_law *law,
                   const carom_law_options *options)
{
    carom_impact impact = scene_impact(s);
    s->out = (carom_impact_outcome){ s->v, s->w, s->p, { 0 } };
    return carom_impact_resolve(workspace, &impact, law, options, &s->out, &s->err) == CAROM_OK;
}

double scene_speed_after(const scene *s, int contact)
{
    const carom_impact_contact *c = &s->contacts[contact];
    vec3 speed[2];
    int ends[2] = { c->a, c->b };
    for (int k = 0; k < 2; ++k) {
        int i = ends[k];
        vec3 arm = vec3_sub(vec3_from(c->point), vec3_from(s->bodies[i].position));
        speed[k] = vec3_add(vec3_from(s->v[i]), vec3_cross(vec3_from(s->w[i]), arm));
    }
    return vec3_dot(vec3_from(c->normal), vec3_sub(speed[1], speed[0]));
}
