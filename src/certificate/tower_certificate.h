// A certificate as it is read: shared by its reader and its checker, and by nobody else.
#ifndef CAROM_CERTIFICATE_TOWER_CERTIFICATE_H
#define CAROM_CERTIFICATE_TOWER_CERTIFICATE_H

#include "carom/tower.h"
#include <gmp.h>
#include <jansson.h>

typedef struct tower_point {
    mpq_t x, y;
} tower_point;

typedef struct tower_solid {
    int corner_count; // 0: a half plane through corners[0] with the normal in corners[1]
    tower_point *corners;
    bool fixed;
    bool corner_masses; // else the mass is spread evenly
    mpq_t mass;
    tower_point centre;
    mpq_t sum[3];    // forces and moment
    mpq_t motion[3]; // velocity or acceleration
} tower_solid;

typedef struct tower_certificate {
    int solid_count, body_count; // bodies first, then supports
    tower_solid *solids;
    mpq_t gravity, tolerance;
    json_t *root;
    carom_tower_verdict *verdict;
    char at[96]; // the member being looked at
    mpq_t t[8];  // scratch
} tower_certificate;

// Fills the verdict's reason (printf style), where and fix; returns false.
bool carom_tower_certificate_reject(tower_certificate *c, const char *why, ...)
    __attribute__((format(printf, 2, 3)));
// Says which member is being looked at.
void carom_tower_certificate_look_at(tower_certificate *c, const char *member, ...)
    __attribute__((format(printf, 2, 3)));
// Refuses members that nobody reads: a misspelt one would be an edit without effect.
bool carom_tower_certificate_members(tower_certificate *c, const json_t *object,
                                     const char *const *names);
bool carom_tower_certificate_rational(tower_certificate *c, const json_t *value, mpq_t out);
bool carom_tower_certificate_point(tower_certificate *c, const json_t *value, tower_point *out);
void carom_tower_certificate_init_point(tower_point *p);
void carom_tower_certificate_clear_point(tower_point *p);
// Bodies, supports, gravity and tolerance, each checked for itself: convex outlines, centres of
// mass where the corners put them, a tolerance that is small.
bool carom_tower_certificate_read(tower_certificate *c);
// Everything that was read, and the file.
// Ends a json_t, as carom_rational_hold() wants it.
void carom_tower_certificate_end_json(void *json);
void carom_tower_certificate_release(tower_certificate *c);

#endif
