// Fills arrays of bodies and contacts and resolves them.
#include "support/instant.h"
#include "support/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

instant *instant_create(void)
{
    instant *scene = calloc(1, sizeof *scene);
    if (scene)
        instant_clear(scene);
    return scene;
}

void instant_clear(instant *scene)
{
    scene->impact = (carom_impact){ 0, 0, scene->bodies, scene->contacts };
    scene->out = (carom_impact_outcome){ scene->v, scene->w, scene->p, { 0 } };
}

static int add(instant *scene, carom_impact_body body)
{
    scene->bodies[scene->impact.body_count] = body;
    return scene->impact.body_count++;
}

int instant_ball(instant *scene, double mass, double radius, const double position[3],
                 const double velocity[3])
{
    carom_impact_body body = { .inverse_mass = 1 / mass };
    for (int k = 0; k < 3; ++k) {
        body.inverse_inertia[k] = radius > 0 ? 2.5 / (mass * radius * radius) : 0;
        body.position[k] = position[k];
        body.velocity[k] = velocity[k];
    }
    return add(scene, body);
}

int instant_wall(instant *scene, const double velocity[3])
{
    carom_impact_body body = { 0 };
    if (velocity)
        memcpy(body.velocity, velocity, sizeof body.velocity);
    return add(scene, body);
}

int instant_box(instant *scene, double mass, const double edges[3], const double position[3],
                const double velocity[3])
{
    carom_impact_body body = { .inverse_mass = 1 / mass };
    for (int k = 0; k < 3; ++k) {
        double a = edges[(k + 1) % 3], b = edges[(k + 2) % 3];
        body.inverse_inertia[k] = 12 / (mass * (a * a + b * b));
        body.position[k] = position[k];
        body.velocity[k] = velocity[k];
    }
    return add(scene, body);
}

carom_impact_contact *instant_touch(instant *scene, int a, int b, const double point[3],
                                    const double normal[3])
{
    carom_impact_contact *contact = &scene->contacts[scene->impact.contact_count++];
    *contact = carom_impact_contact_default();
    contact->a = a;
    contact->b = b;
    memcpy(contact->point, point, sizeof contact->point);
    memcpy(contact->normal, normal, sizeof contact->normal);
    return contact;
}

carom_impact_contact *instant_touch_balls(instant *scene, int a, int b)
{
    double point[3], normal[3], length = 0;
    for (int k = 0; k < 3; ++k) {
        normal[k] = scene->bodies[b].position[k] - scene->bodies[a].position[k];
        point[k] = 0.5 * (scene->bodies[b].position[k] + scene->bodies[a].position[k]);
        length += normal[k] * normal[k];
    }
    for (int k = 0; k < 3; ++k)
        normal[k] /= sqrt(length);
    return instant_touch(scene, a, b, point, normal);
}

void instant_chain(instant *scene, int count, const double *masses, const double *velocities)
{
    instant_clear(scene);
    for (int i = 0; i < count; ++i) {
        instant_ball(scene, masses ? masses[i] : 1, 0.5, (double[]){ i, 0, 0 },
                     (double[]){ velocities[i], 0, 0 });
        if (i > 0)
            instant_touch_balls(scene, i - 1, i);
    }
}

void instant_rack(instant *scene)
{
    instant_clear(scene);
    instant_ball(scene, 1, 0.5, (double[]){ -1, 0, 0 }, (double[]){ 1, 0, 0 });
    for (int row = 0; row < 5; ++row)
        for (int k = 0; k <= row; ++k)
            instant_ball(scene, 1, 0.5, (double[]){ row * sqrt(0.75), k - 0.5 * row, 0 },
                         (double[]){ 0, 0, 0 });
    for (int i = 0; i < 16; ++i)
        for (int j = i + 1; j < 16; ++j) {
            double dx = scene->bodies[j].position[0] - scene->bodies[i].position[0];
            double dy = scene->bodies[j].position[1] - scene->bodies[i].position[1];
            if (dx * dx + dy * dy < 1.001)
                instant_touch_balls(scene, i, j);
        }
}

static double square_distance(const carom_impact_body *body, const double position[3])
{
    double sum = 0;
    for (int k = 0; k < 3; ++k)
        sum += (body->position[k] - position[k]) * (body->position[k] - position[k]);
    return sum;
}

void instant_cluster(instant *scene, int count, carom_random *random)
{
    double velocity[3], position[3] = { 0 }, direction[3];
    instant_clear(scene);
    while (scene->impact.body_count < count) {
        int n = scene->impact.body_count;
        if (n > 0) {
            const carom_impact_body *seat = &scene->bodies[carom_random_below(random, n)];
            carom_random_direction(random, direction);
            for (int k = 0; k < 3; ++k)
                position[k] = seat->position[k] + direction[k];
        }
        bool free = true;
        for (int i = 0; i < n && free; ++i)
            free = square_distance(&scene->bodies[i], position) > 1 - 1e-9;
        if (!free)
            continue;
        for (int k = 0; k < 3; ++k)
            velocity[k] = carom_random_normal(random);
        instant_ball(scene, 1, 0.5, position, velocity);
        for (int i = 0; i < n; ++i)
            if (square_distance(&scene->bodies[i], position) < 1.05)
                instant_touch_balls(scene, i, n);
    }
}

void instant_set(instant *scene, double restitution, double friction)
{
    for (int i = 0; i < scene->impact.contact_count; ++i) {
        scene->contacts[i].restitution = restitution;
        scene->contacts[i].friction = friction;
    }
}

void instant_resolve(instant *scene, carom_workspace *workspace, const char *law)
{
    char name[64] = "", *option, *value;
    strncpy(name, law, sizeof name - 1);
    if ((option = strchr(name, ':')))
        *option++ = 0;
    const carom_law *found = carom_law_find(name, &scene->err);
    if (!CHECK(found, "there is a law %s", name))
        return;
    carom_law_options options = carom_law_defaults(found);
    if (option && (value = strchr(option, '='))) {
        *value++ = 0;
        CHECK(carom_law_set(found, &options, option, value, &scene->err) == CAROM_OK, "%s",
              scene->err.what);
    }
    carom_status status =
        carom_impact_resolve(workspace, &scene->impact, found, &options, &scene->out, &scene->err);
    CHECK(status == CAROM_OK, "%s: %s", law, scene->err.what);
}
