// Fixed-size problems for tests of the solvers.
#include "support/trial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/random.h"
#include "support/check.h"

void trial_begin(trial *t)
{
    memset(t, 0, sizeof *t);
    t->impact = (carom_impact){ 0, 0, t->bodies, t->contacts };
}

// A body of some mass (0: immovable) at a place, moving.
int trial_body(trial *t, double mass, double x, double y, double z)
{
    carom_impact_body *body = &t->bodies[t->impact.body_count];
    *body = carom_impact_body_default();
    body->inverse_mass = mass > 0 ? 1 / mass : 0;
    for (int k = 0; k < 3; ++k)
        body->inverse_inertia[k] *= body->inverse_mass;
    body->position[0] = x;
    body->position[1] = y;
    body->position[2] = z;
    return t->impact.body_count++;
}

carom_impact_contact *trial_contact(trial *t, int a, int b, const double point[3],
                                    const double normal[3])
{
    carom_impact_contact *contact = &t->contacts[t->impact.contact_count++];
    *contact = carom_impact_contact_default();
    contact->a = a;
    contact->b = b;
    memcpy(contact->point, point, sizeof contact->point);
    memcpy(contact->normal, normal, sizeof contact->normal);
    return contact;
}

// A contact of two spheres along the line of their centres.
void trial_touch(trial *t, int a, int b)
{
    const double *p = t->bodies[a].position, *q = t->bodies[b].position;
    double d[3] = { q[0] - p[0], q[1] - p[1], q[2] - p[2] }, point[3];
    double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (int k = 0; k < 3; ++k) {
        point[k] = (p[k] + q[k]) / 2;
        d[k] /= length;
    }
    trial_contact(t, a, b, point, d);
}

static double distance_squared(const double p[3], const double q[3])
{
    double x = q[0] - p[0], y = q[1] - p[1], z = q[2] - p[2];
    return x * x + y * y + z * z;
}

// All pairs of the spheres of diameter 1 that touch.
void trial_touch_all(trial *t)
{
    for (int i = 0; i < t->impact.body_count; ++i)
        for (int j = i + 1; j < t->impact.body_count; ++j) {
            double square = distance_squared(t->bodies[i].position, t->bodies[j].position);
            if (fabs(square - 1) < 1e-9)
                trial_touch(t, i, j);
        }
}

void trial_chain(trial *t, int count, const double *masses, const double *velocities)
{
    trial_begin(t);
    for (int i = 0; i < count; ++i) {
        int body = trial_body(t, masses ? masses[i] : 1, i, 0, 0);
        t->bodies[body].velocity[0] = velocities[i];
    }
    for (int i = 0; i + 1 < count; ++i)
        trial_touch(t, i, i + 1);
}

// Cue ball 0, then the rack of 15 by rows.
void trial_rack(trial *t)
{
    trial_begin(t);
    trial_body(t, 1, -1, 0, 0);
    for (int row = 0; row < 5; ++row)
        for (int j = 0; j <= row; ++j)
            trial_body(t, 1, row * sqrt(3) / 2, j - row / 2.0, 0);
    t->bodies[0].velocity[0] = 1;
    trial_touch_all(t);
}

void trial_set_restitution(trial *t, double c)
{
    for (int i = 0; i < t->impact.contact_count; ++i)
        t->contacts[i].restitution = c;
}

// Resolves by a law with options "name=value name=value".
void trial_run(trial *t, carom_workspace *workspace, const char *name, const char *settings)
{
    carom_error err = { 0 };
    const carom_law *law = carom_law_find(name, &err);
    carom_law_options options = carom_law_defaults(law);
    char text[128];
    snprintf(text, sizeof text, "%s", settings);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        char *value = strchr(word, '=');
        *value++ = 0;
        CHECK(carom_law_set(law, &options, word, value, &err) == CAROM_OK, "%s", err.what);
    }
    carom_impact_outcome out = { t->v, t->w, t->p, { 0 } };
    CHECK(carom_impact_resolve(workspace, &t->impact, law, &options, &out, &err) == CAROM_OK, "%s",
          err.what);
    t->report = out.report;
}

double trial_energy_ratio(const trial *t)
{
    return t->report.energy_after / t->report.energy_before;
}

// Random spheres grown one by one: each touches two or three others.
void trial_cluster(trial *t, int count, uint64_t seed)
{
    carom_random random = carom_random_make(seed, 7);
    trial_begin(t);
    for (int i = 0; i < count; ++i) {
        double at[3] = { 0, 0, 0 };
        for (int attempt = 0; i > 0 && attempt < 200; ++attempt) {
            double d[3];
            int mate = carom_random_below(&random, i);
            bool free_place = true;
            carom_random_direction(&random, d);
            for (int k = 0; k < 3; ++k)
                at[k] = t->bodies[mate].position[k] + d[k];
            for (int j = 0; j < i && free_place; ++j) {
                double square = distance_squared(t->bodies[j].position, at);
                free_place = j == mate || square > .98;
            }
            if (free_place)
                break;
        }
        int body = trial_body(t, carom_random_between(&random, .5, 2), at[0], at[1], at[2]);
        for (int k = 0; k < 3; ++k)
            t->bodies[body].velocity[k] = carom_random_between(&random, -1, 1);
    }
    for (int i = 0; i < count; ++i)
        for (int j = i + 1; j < count && t->impact.contact_count < TRIAL_CONTACTS; ++j) {
            double square = distance_squared(t->bodies[i].position, t->bodies[j].position);
            if (square < 1.2)
                trial_touch(t, i, j);
        }
}

// Each lattice cell holds a sphere off its centre; cells that share a face touch.
void trial_crowd(trial *t, int side, uint64_t seed)
{
    carom_random random = carom_random_make(seed, 3);
    trial_begin(t);
    for (int i = 0; i < side * side * side; ++i) {
        double at[3] = { i / (side * side), i / side % side, i % side };
        for (int k = 0; k < 3; ++k)
            at[k] += carom_random_between(&random, -.2, .2);
        int body = trial_body(t, 1, at[0], at[1], at[2]);
        for (int k = 0; k < 3; ++k)
            t->bodies[body].velocity[k] = carom_random_between(&random, -1, 1);
    }
    for (int i = 0; i < side * side * side; ++i) {
        if (i / (side * side) + 1 < side)
            trial_touch(t, i, i + side * side);
        if (i / side % side + 1 < side)
            trial_touch(t, i, i + side);
        if (i % side + 1 < side)
            trial_touch(t, i, i + 1);
    }
}

void trial_flock(trial *t, int triples, uint64_t seed)
{
    carom_random random = carom_random_make(seed, 4);
    trial_begin(t);
    for (int i = 0; i < triples; ++i) {
        int first = t->impact.body_count;
        for (int k = 0; k < 3; ++k)
            trial_body(t, carom_random_between(&random, .5, 2), k, 10 * i, 0);
        t->bodies[first].velocity[0] = carom_random_between(&random, .1, 1);
        t->bodies[first + 2].velocity[0] = carom_random_between(&random, -1, -.1);
        trial_touch(t, first, first + 1);
        trial_touch(t, first + 1, first + 2);
    }
}
