// Building instants in tests: balls, fixed planes, boxes, and what touches.
#ifndef CAROM_TESTS_SCENE_H
#define CAROM_TESTS_SCENE_H

#include <stdbool.h>
#include "carom/carom.h"
#include "math/vec.h"

enum { SCENE_BODIES = 64, SCENE_CONTACTS = 256 };

// An instant with its results. Contacts start elastic, frictionless, with Hertz's exponent.
typedef struct scene {
    carom_impact_body bodies[SCENE_BODIES];
    carom_impact_contact contacts[SCENE_CONTACTS];
    int body_count, contact_count;
    double v[SCENE_BODIES][3], w[SCENE_BODIES][3], p[SCENE_CONTACTS][3];
    carom_impact_outcome out;
    carom_error err;
} scene;

void scene_clear(scene *s);
// Each returns the new index.
int scene_ball(scene *s, double mass, double radius, vec3 position, vec3 velocity);
int scene_fixed(scene *s, vec3 velocity);
// A solid box with edges 2 * half, turned by q.
int scene_box(scene *s, double mass, vec3 half, quat q, vec3 position, vec3 velocity);
int scene_contact(scene *s, int a, int b, vec3 point, vec3 normal);
// Two balls of equal radius touch halfway.
int scene_touch(scene *s, int a, int b);
// Touching balls along x, unit radius .5; no more than SCENE_BODIES.
void scene_chain(scene *s, int count, const double *masses, const double *velocities);
// Restitution (exponent, friction) of all contacts.
void scene_restitution(scene *s, double restitution);
void scene_exponent(scene *s, double exponent);
void scene_friction(scene *s, double friction);

carom_impact scene_impact(const scene *s);
// Resolves into s->v, s->w, s->p, s->out.report. False with s->err on failure.
bool scene_resolve(scene *s, carom_workspace *workspace, const carom_law *law,
                   const carom_law_options *options);
// u+ at a contact.
double scene_speed_after(const scene *s, int contact);

#endif
