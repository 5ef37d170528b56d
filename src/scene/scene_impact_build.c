// Putting a problem together: room for bodies and contacts within a stated memory bound.
#include "scene/scene_impact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "math/vec.h"

enum { NAME_BYTES = 32 }; // what a name takes, about

carom_status carom_scene_impact_reserve(carom_scene_impact *scene, int64_t bodies, int64_t contacts,
                                        const carom_value *at, carom_error *err)
{
    bodies += scene->impact.body_count;
    contacts += scene->impact.contact_count;
    const double per_body =
        sizeof(carom_impact_body) + sizeof(carom_scene_look) + sizeof(char *) + NAME_BYTES;
    double megabytes =
        ((double)bodies * per_body + (double)contacts * sizeof(carom_impact_contact)) / 1048576;
    if (megabytes > scene->megabytes) {
        char fix[128];
        snprintf(fix, sizeof fix, "ask for about %.0f times fewer",
                 ceil(megabytes / scene->megabytes));
        return carom_value_fail(
            at, err, fix,
            "%.0f bodies and %.0f contacts need %.0f MB of memory, more than the limit of %.0f MB",
            (double)bodies, (double)contacts, megabytes, scene->megabytes);
    }
    void *more_bodies = realloc(scene->bodies, (size_t)(bodies + 1) * sizeof *scene->bodies);
    if (more_bodies)
        scene->bodies = more_bodies;
    void *more_looks = realloc(scene->looks, (size_t)(bodies + 1) * sizeof *scene->looks);
    if (more_looks)
        scene->looks = more_looks;
    void *more_names = realloc(scene->names, (size_t)(bodies + 1) * sizeof *scene->names);
    if (more_names)
        scene->names = more_names;
    void *more_contacts =
        realloc(scene->contacts, (size_t)(contacts + 1) * sizeof *scene->contacts);
    if (more_contacts)
        scene->contacts = more_contacts;
    scene->impact.bodies = scene->bodies;
    scene->impact.contacts = scene->contacts;
    if (!more_bodies || !more_looks || !more_names || !more_contacts)
        return carom_error_no_memory(err, "the problem");
    scene->body_room = (int)bodies;
    scene->contact_room = (int)contacts;
    return CAROM_OK;
}

carom_status carom_scene_impact_add_body(carom_scene_impact *scene, const carom_impact_body *body,
                                         const carom_scene_look *look, const char *name,
                                         carom_error *err)
{
    int index = scene->impact.body_count;
    char *copy = strdup(name);
    if (!copy || index >= scene->body_room) {
        free(copy);
        return carom_error_no_memory(err, "the problem");
    }
    scene->names[index] = copy;
    scene->bodies[index] = *body;
    scene->looks[index] = *look;
    ++scene->impact.body_count;
    return CAROM_OK;
}

carom_status carom_scene_impact_add_ball(carom_scene_impact *scene,
                                         const carom_scene_impact_ball *ball, const char *name,
                                         carom_error *err)
{
    carom_impact_body body = { .inverse_mass = 1 / ball->mass };
    carom_scene_look look = { .radius = ball->radius };
    double inertia = 0.4 * ball->mass * ball->radius * ball->radius;
    for (int i = 0; i < 3; ++i) {
        body.inverse_inertia[i] = 1 / inertia;
        body.position[i] = ball->position[i];
        body.velocity[i] = ball->velocity[i];
    }
    return carom_scene_impact_add_body(scene, &body, &look, name, err);
}

void carom_scene_impact_add_contact(carom_scene_impact *scene, const carom_impact_contact *contact)
{
    if (scene->impact.contact_count < scene->contact_room)
        scene->contacts[scene->impact.contact_count++] = *contact;
}

void carom_scene_impact_join(carom_scene_impact *scene, int a, int b,
                             const carom_scene_impact_material *material)
{
    vec3 first = vec3_from(scene->bodies[a].position),
         second = vec3_from(scene->bodies[b].position);
    vec3 normal = vec3_unit(vec3_sub(second, first));
    carom_impact_contact contact = { .a = a,
                                     .b = b,
                                     .restitution = material->restitution,
                                     .friction = material->friction,
                                     .tangential_restitution = material->tangential_restitution,
                                     .stiffness = material->stiffness,
                                     .exponent = material->exponent,
                                     .gap = material->gap };
    double share = scene->looks[a].radius / (scene->looks[a].radius + scene->looks[b].radius);
    vec3_store(vec3_axpy(first, share, vec3_sub(second, first)), contact.point);
    vec3_store(normal, contact.normal);
    carom_scene_impact_add_contact(scene, &contact);
}
