// Allocates and fills impacts of several kinds.
#include "support/strike.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/random.h"
#include "math/vec.h"
#include "support/check.h"

strike strike_make(int bodies, int contacts)
{
    strike one = { .room = contacts };
    one.bodies = calloc((size_t)bodies, sizeof *one.bodies);
    one.contacts = calloc((size_t)contacts, sizeof *one.contacts);
    one.velocities = calloc((size_t)bodies, sizeof *one.velocities);
    one.spins = calloc((size_t)bodies, sizeof *one.spins);
    one.impulses = calloc((size_t)contacts, sizeof *one.impulses);
    return one;
}

void strike_free(strike *one)
{
    free(one->bodies);
    free(one->contacts);
    free(one->velocities);
    free(one->spins);
    free(one->impulses);
}

int strike_body(strike *one, double mass, double r, double x, double y, double z)
{
    carom_impact_body *body = &one->bodies[one->body_count];
    *body = (carom_impact_body){ .inverse_mass = mass > 0 ? 1 / mass : 0, .position = { x, y, z } };
    for (int i = 0; i < 3 && mass > 0; ++i)
        body->inverse_inertia[i] = 1 / (0.4 * mass * r * r);
    return one->body_count++;
}

int strike_contact(strike *one, int a, int b, const double point[3], const double normal[3])
{
    carom_impact_contact *contact = &one->contacts[one->contact_count];
    *contact = carom_impact_contact_default();
    contact->a = a;
    contact->b = b;
    memcpy(contact->point, point, sizeof contact->point);
    memcpy(contact->normal, normal, sizeof contact->normal);
    return one->contact_count++;
}

void strike_touch(strike *one, double r)
{
    for (int a = 0; a < one->body_count; ++a)
        for (int b = a + 1; b < one->body_count; ++b) {
            vec3 p = vec3_from(one->bodies[a].position), q = vec3_from(one->bodies[b].position);
            vec3 apart = vec3_sub(q, p);
            if (vec3_length(apart) > 2 * r + 1e-9 || one->contact_count == one->room)
                continue;
            double point[3], normal[3];
            vec3_store(vec3_axpy(p, 0.5, apart), point);
            vec3_store(vec3_unit(apart), normal);
            strike_contact(one, a, b, point, normal);
        }
}

strike strike_chain(int count, const double *masses, const double *velocities)
{
    strike one = strike_make(count, count);
    for (int i = 0; i < count; ++i) {
        strike_body(&one, masses ? masses[i] : 1, 0.5, i, 0, 0);
        one.bodies[i].velocity[0] = velocities[i];
    }
    strike_touch(&one, 0.5);
    return one;
}

// The two points at distance 1 from three centres; false where there are none.
static int trilaterate(vec3 a, vec3 b, vec3 c, vec3 out[2])
{
    vec3 ab = vec3_sub(b, a), ac = vec3_sub(c, a), n = vec3_cross(ab, ac);
    double nn = vec3_dot(n, n);
    if (nn < 1e-6)
        return 0;
    vec3 to = vec3_add(vec3_scale(vec3_dot(ac, ac), vec3_cross(n, ab)),
                       vec3_scale(vec3_dot(ab, ab), vec3_cross(ac, n)));
    to = vec3_scale(0.5 / nn, to); // circumcentre relative to a
    double rest = 1 - vec3_dot(to, to);
    if (rest <= 0)
        return 0;
    double height = sqrt(rest / nn);
    out[0] = vec3_axpy(vec3_add(a, to), height, n);
    out[1] = vec3_axpy(vec3_add(a, to), -height, n);
    return 2;
}

static int overlaps(const strike *one, vec3 p)
{
    for (int i = 0; i < one->body_count; ++i)
        if (vec3_length(vec3_sub(p, vec3_from(one->bodies[i].position))) < 1 - 1e-9)
            return 1;
    return 0;
}

strike strike_cluster(uint64_t seed, int spheres)
{
    carom_random random = carom_random_make(seed, (uint64_t)spheres);
    strike one = strike_make(spheres, 6 * spheres);
    strike_body(&one, 1, 0.5, 0, 0, 0);
    strike_body(&one, 1, 0.5, 1, 0, 0);
    strike_body(&one, 1, 0.5, 0.5, sqrt(0.75), 0);
    while (one.body_count < spheres) {
        // Among all places in touch with three spheres take the one nearest to a random point.
        double reach = 0.3 * sqrt(one.body_count);
        vec3 best = vec3_make(0, 0, 0), aim;
        aim.x = carom_random_between(&random, -1, 1) * reach;
        aim.y = carom_random_between(&random, -1, 1) * reach;
        aim.z = carom_random_between(&random, -1, 1) * reach;
        double nearest = HUGE_VAL;
        for (int i = 0; i < one.body_count; ++i)
            for (int j = i + 1; j < one.body_count; ++j)
                for (int k = j + 1; k < one.body_count; ++k) {
                    vec3 place[2];
                    int found = trilaterate(vec3_from(one.bodies[i].position),
                                            vec3_from(one.bodies[j].position),
                                            vec3_from(one.bodies[k].position), place);
                    for (int m = 0; m < found; ++m) {
                        double d = vec3_length(vec3_sub(place[m], aim));
                        if (d < nearest && !overlaps(&one, place[m])) {
                            nearest = d;
                            best = place[m];
                        }
                    }
                }
        strike_body(&one, 1, 0.5, best.x, best.y, best.z);
    }
    strike_touch(&one, 0.5);
    for (int i = 0; i < spheres; ++i)
        for (int k = 0; k < 3; ++k)
            one.bodies[i].velocity[k] = carom_random_between(&random, -1, 1);
    return one;
}

strike strike_box(const double half[3], double from)
{
    strike one = strike_make(2, 4);
    strike_body(&one, 0, 0, 0, 0, 0);
    strike_body(&one, 1, 1, 0, 0, half[2]);
    double square[3] = { half[0] * half[0], half[1] * half[1], half[2] * half[2] };
    for (int i = 0; i < 3; ++i)
        one.bodies[1].inverse_inertia[i] = 3 / (square[(i + 1) % 3] + square[(i + 2) % 3]);
    for (int i = 0; i < 4; ++i) {
        double x = i & 1 ? half[0] : fmax(-half[0], from);
        double point[3] = { x, i & 2 ? half[1] : -half[1], 0 }, up[3] = { 0, 0, 1 };
        strike_contact(&one, 0, 1, point, up);
    }
    return one;
}

void strike_set_restitution(strike *one, double e)
{
    for (int i = 0; i < one->contact_count; ++i)
        one->contacts[i].restitution = e;
}

void strike_set_friction(strike *one, double mu)
{
    for (int i = 0; i < one->contact_count; ++i)
        one->contacts[i].friction = mu;
}

void strike_set_exponent(strike *one, double eta)
{
    for (int i = 0; i < one->contact_count; ++i)
        one->contacts[i].exponent = eta;
}

static void set_options(const carom_law *law, carom_law_options *options, const char *text)
{
    char word[64], *value;
    while (text && *text) {
        size_t span = strcspn(text, " ");
        snprintf(word, sizeof word, "%.*s", (int)span, text);
        text += span + strspn(text + span, " ");
        carom_error err = { 0 };
        value = strchr(word, '=');
        if (CHECK(value != NULL, "an option has a value: %s", word)) {
            *value = 0;
            CHECK(carom_law_set(law, options, word, value + 1, &err) == CAROM_OK, "%s", err.what);
        }
    }
}

void strike_resolve(strike *one, const char *name, const char *text, int threads)
{
    carom_error err = { 0 };
    const carom_law *law = carom_law_find(name, &err);
    if (!CHECK(law != NULL, "%s", err.what))
        return;
    carom_law_options options = carom_law_defaults(law);
    set_options(law, &options, text);
    carom_workspace *workspace = carom_workspace_create();
    carom_workspace_set_threads(workspace, threads);
    carom_impact impact = { one->body_count, one->contact_count, one->bodies, one->contacts };
    carom_impact_outcome out = { one->velocities, one->spins, one->impulses, { 0 } };
    CHECK(carom_impact_resolve(workspace, &impact, law, &options, &out, &err) == CAROM_OK, "%s",
          err.what);
    one->report = out.report;
    carom_workspace_destroy(workspace);
}

double strike_distance(const strike *one, double (*other)[3])
{
    double sum = 0;
    for (int i = 0; i < one->body_count; ++i)
        for (int k = 0; k < 3; ++k) {
            double d = one->velocities[i][k] - other[i][k];
            sum += d * d;
        }
    return sqrt(sum);
}

double strike_approach(const strike *one)
{
    double sum = 0;
    for (int i = 0; i < one->contact_count; ++i) {
        const carom_impact_contact *contact = &one->contacts[i];
        vec3 n = vec3_from(contact->normal), p = vec3_from(contact->point), v[2];
        for (int k = 0; k < 2; ++k) {
            const carom_impact_body *body = &one->bodies[k ? contact->b : contact->a];
            vec3 arm = vec3_sub(p, vec3_from(body->position));
            v[k] = vec3_add(vec3_from(body->velocity), vec3_cross(vec3_from(body->spin), arm));
        }
        double u = vec3_dot(n, vec3_sub(v[1], v[0]));
        sum += u * u;
    }
    return sqrt(sum);
}
