// The contact solver: unilateral contacts with Coulomb's cone between rigid bodies, by sweeps.
//
// Wanted, per contact, with u the relative velocity of b against a and p the impulse on b:
//     p_n >= lower,  u_n >= target,  one of the two with equality;
//     |p_t| <= friction p_n, and the slip u_t (+ bias) is zero or p_t lies on the rim against it;
//     |M| <= rolling p_n for the angular impulse M against the relative spin, likewise.
//
// Projected Gauss-Seidel: contact by contact the normal impulse, then friction within the cone,
// then M, there and back in turn (contact_general.c; contact_sphere.c for spheres, with a quarter
// of the arithmetic). Acceleration and the loop are in contact_sweep.c. The room sees records
// only: who has gaps, targets, warm starts or joints is a client (impact/friction_sweep.c for
// impacts, world/rest_sweep.c for resting contact).
//
// Threads: a large island is cut into slabs (contact_partition.c), always the same ones. The
// ranges of one phase share no movable body, so any number of threads gives the same bits.
//
// Layout. A sweep reads records in their order and bodies at random. Therefore what every visit
// needs stands in the record, and what only some clients have (rolling, bias, lower bounds) in
// arrays beside it. Islands that are swept many times go into vector lanes, four contacts that
// share no body at a time (contact_wide.h).
//
// Symbols: n normal from a to b, K the contact's block of the Delassus operator (relative velocity
// answering an impulse at the contact), K n its normal column.
#ifndef CAROM_CONTACT_CONTACT_H
#define CAROM_CONTACT_CONTACT_H

#include <stdbool.h>
#include <stddef.h>
#include "math/vec.h"

// A body: two cache lines. Immovable ones have zero inverse mass and inertia and are never written.
typedef struct carom_contact_body {
    vec3 v;
    double inverse_mass;
    vec3 w, x;
    sym3 inverse_inertia;
} carom_contact_body;

// A sphere, or an immovable body that does not turn: one cache line.
typedef struct carom_contact_sphere_body {
    vec3 v;
    double inverse_mass;
    vec3 w;
    double inverse_inertia;
} carom_contact_sphere_body;

typedef struct carom_contact_twist {
    vec3 v, w;
} carom_contact_twist;

typedef struct carom_contact_record {
    int a, b;
    vec3 n, point;
    vec3 impulse;        // N s, on b
    vec3 normal_column;  // K n
    double normal_mass;  // kg, 1 / (n . K n)
    double tangent_mass; // kg, 1 / (largest tangential eigenvalue of K)
    double target;       // m/s, least normal velocity allowed at the end
    double friction;
} carom_contact_record;

// A contact whose normal goes through the centres of its movable bodies. Arms lie along the normal:
// a normal impulse turns nothing, and all tangential directions answer alike.
typedef struct carom_contact_sphere_record {
    vec3 n;
    double target;                    // as above
    vec3 friction_impulse;            // N s, on b across it
    double normal_impulse;            // N s, on b along the normal
    double arm_a, arm_b;              // m, from the centre of a on, and back to that of b
    double normal_mass, tangent_mass; // kg, 1 / response
    double friction;
} carom_contact_sphere_record;

// What a sweep reads of every contact between spheres.
typedef struct carom_contact_link {
    int a, b;    // in carom_contact_system.sphere_bodies
    double idle; // m/s: passed over until its two bodies have been changed by so much in all
} carom_contact_link;

// Rolling resistance of a contact, beside either kind of record: half a cache line.
typedef struct carom_contact_rolling {
    vec3 impulse;  // N m s, angular, on b
    double length; // m, as the materials say
} carom_contact_rolling;

// How a relative spin answers, for other bodies than spheres.
typedef struct carom_contact_rolling_response {
    double mass;  // kg m^2, 1 / (largest response)
    double reach; // 1/m: an impulse of so much for each unit of angular impulse changes speeds
                  // as much
} carom_contact_rolling_response;

// Contacts that are relaxed one after the other.
typedef struct carom_contact_range {
    int begin, end;
    double change; // m/s, largest change of velocity in the last sweep
    double size;   // J, of the change of impulses in the last sweep
    int visited;   // contacts that the last sweep one by one has not passed over
    int groups;    // of contacts in lanes (contact_wide.h); 0: they are swept one by one
} carom_contact_range;

enum { CAROM_CONTACT_PHASES = 4, CAROM_CONTACT_SLABS = 64 };
enum { CAROM_CONTACT_RANGES = 2 * CAROM_CONTACT_SLABS }; // most of one island

// Contacts that hang together, and how they are cut.
typedef struct carom_contact_island {
    int first, count;           // contacts
    int first_body, body_count; // movable bodies: places
    const int *member; // per place, the number of its record; null: the place itself is the number
    bool spheres;      // its records are those of spheres
    int first_range;   // in carom_contact_system.ranges
    int phase_count[CAROM_CONTACT_PHASES]; // ranges of each phase
} carom_contact_island;

typedef struct carom_contact_wide carom_contact_wide; // contact_wide.h
typedef struct carom_contact_wide_sphere carom_contact_wide_sphere;

// The records of all islands. Null where nothing is said: a client has no such thing.
typedef struct carom_contact_system {
    carom_contact_body *bodies;
    carom_contact_record *contacts;
    const vec3 *shift; // m per contact: from b to the image of it that a touches, in a periodic
                       // box; of spheres the arms know it
    int *changed_in;   // per body: the last sweep that changed it by more than counts
    carom_contact_sphere_body *sphere_bodies;
    carom_contact_sphere_record *sphere_contacts;
    carom_contact_link *links;
    double *travel; // m/s, per body: sum of all changes of its velocity; null: none passed over
    carom_contact_rolling *rolling; // per contact; null: nothing resists rolling
    carom_contact_rolling_response *rolling_response;
    vec3 *bias;    // m/s per contact, added to the slip (tangential restitution); null: none
    double *lower; // N s per contact, lower bound of the normal impulse (-infinity: a bilateral
                   // contact); beside `bias`
    bool pyramid;  // friction is bounded along each tangent alone
    carom_contact_range *ranges;
    carom_contact_wide *wide; // room for contacts in lanes; null: all are swept one by one
    carom_contact_wide_sphere *wide_spheres; // the same for islands of spheres
    // acceleration: impulses and velocities as the last step left them, and the directions of
    // search; per contact and per place
    vec3 *last, *direction;                          // N s
    vec3 *rolling_last, *rolling_direction;          // N m s
    carom_contact_twist *body_last, *body_direction; // m/s, 1/s
} carom_contact_system;

// One sweep.
typedef struct carom_contact_pass {
    int number; // from 1
    double min; // m/s, change of a body from which it counts as changed; below 0: no passing over
    bool forward;
    bool scattered; // records are more than the second cache holds: those to come are fetched
    int threads;
    double size; // J, of the change of impulses: out
} carom_contact_pass;

// How an island is swept.
typedef struct carom_contact_plan {
    int cap;          // sweeps
    double tolerance; // m/s, largest change of velocity in a sweep that ends them
    double min;       // as in carom_contact_pass
    bool accelerated; // after `plain` sweeps, each `cycle` of them is followed by a step
    int plain, cycle; // along conjugate directions
    int threads;
    bool further;                                 // goes on from sweeps that were too few
    void *client;                                 // for these two, or null:
    double (*before)(void *client, bool forward); // before each sweep; returns its change, m/s
    bool (*stopped)(void *client, double change); // after each, which changed so much (m/s):
                                                  // whether to end now
} carom_contact_plan;

// contact_partition.c ------------------------------------------------------------------------

// An island to be cut.
typedef struct carom_contact_cut {
    const double *position; // of body i: position + i * stride
    int stride;
    const int *body; // those that slabs hold equal numbers of; one listed twice counts twice, a
    int body_count;  // negative one not at all
    int count;       // contacts
    const int (*pair)[2]; // the movable bodies of each, negative: none
    int slabs;
    int *slab;   // out, per body
    int *order;  // out: contacts in the order of their ranges
    int *place;  // room for one per contact
    int threads; // 0 counts as 1; the cut is the same
} carom_contact_cut;

// Ranges of the contacts into ranges[island->first_range ...], numbered from island->first.
void carom_contact_partition(const carom_contact_cut *cut, carom_contact_island *island,
                             carom_contact_range *ranges);
// The same for an island that is not cut.
void carom_contact_partition_whole(carom_contact_island *island, carom_contact_range *ranges);

// Difference of two spheres at a contact, as a share, up to which rolling resistance and friction
// leave each other alone.
#define CAROM_CONTACT_SPHERE_ALIKE 1e-2

// contact_general.c, contact_sphere.c ----------------------------------------------------------

// A contact without target, friction and impulse; `shift` as in carom_contact_system.
carom_contact_record carom_contact_general_make(const carom_contact_body *bodies, int a, int b,
                                                vec3 n, vec3 point, vec3 shift);
// Contacts of one range in turn.
void carom_contact_general_sweep(carom_contact_system *system, carom_contact_range *range,
                                 const carom_contact_pass *pass);
void carom_contact_sphere_sweep(carom_contact_system *system, carom_contact_range *range,
                                const carom_contact_pass *pass);
// The same without bounce and friction: impulses extra[i] >= 0, beside those of the records, stop
// what approaches.
void carom_contact_general_stop(carom_contact_system *system, carom_contact_range *range,
                                const carom_contact_pass *pass, double *extra);
void carom_contact_sphere_stop(carom_contact_system *system, carom_contact_range *range,
                               const carom_contact_pass *pass, double *extra);

// contact_sweep.c ------------------------------------------------------------------------------

typedef void carom_contact_visit(void *client, carom_contact_range *range,
                                 const carom_contact_pass *pass);

// Visits all ranges of the island, phase by phase. Returns the largest change (m/s).
double carom_contact_sweep_ranges(const carom_contact_island *island, carom_contact_range *ranges,
                                  carom_contact_pass *pass, carom_contact_visit *visit,
                                  void *client);
// Sweeps an island to the tolerance or the cap: always ends with a sweep, so that impulses are
// within their bounds. Returns the change of the last one (m/s) and adds to the sweeps.
double carom_contact_sweep_island(carom_contact_system *system, const carom_contact_island *island,
                                  const carom_contact_plan *plan, int *sweeps);

// ----------------------------------------------------------------------------------------------

// Relative velocity of b against a with the arms from their centres to the contact.
static inline vec3 carom_contact_velocity(const carom_contact_body *a, const carom_contact_body *b,
                                          vec3 arm_a, vec3 arm_b)
{
    return vec3_sub(vec3_add(b->v, vec3_cross(b->w, arm_b)),
                    vec3_add(a->v, vec3_cross(a->w, arm_a)));
}

// The arms of a contact from the centres of its bodies: of b from that of its image.
static inline vec3 carom_contact_arm_a(const carom_contact_system *s, int contact)
{
    const carom_contact_record *c = &s->contacts[contact];
    return vec3_sub(c->point, s->bodies[c->a].x);
}

static inline vec3 carom_contact_arm_b(const carom_contact_system *s, int contact)
{
    const carom_contact_record *c = &s->contacts[contact];
    vec3 x = s->bodies[c->b].x;
    return vec3_sub(c->point, s->shift ? vec3_add(x, s->shift[contact]) : x);
}

// Relative velocity of b against a at a contact.
static inline vec3 carom_contact_velocity_at(const carom_contact_system *s, int contact)
{
    const carom_contact_record *c = &s->contacts[contact];
    return carom_contact_velocity(&s->bodies[c->a], &s->bodies[c->b],
                                  carom_contact_arm_a(s, contact), carom_contact_arm_b(s, contact));
}

// Applies an impulse to b and its opposite to a.
static inline void carom_contact_push(carom_contact_body *a, carom_contact_body *b, vec3 arm_a,
                                      vec3 arm_b, vec3 impulse)
{
    if (a->inverse_mass > 0) {
        a->v = vec3_axpy(a->v, -a->inverse_mass, impulse);
        a->w = vec3_sub(a->w, sym3_mul(a->inverse_inertia, vec3_cross(arm_a, impulse)));
    }
    if (b->inverse_mass > 0) {
        b->v = vec3_axpy(b->v, b->inverse_mass, impulse);
        b->w = vec3_add(b->w, sym3_mul(b->inverse_inertia, vec3_cross(arm_b, impulse)));
    }
}

static inline void carom_contact_push_at(carom_contact_system *s, int contact, vec3 impulse)
{
    const carom_contact_record *c = &s->contacts[contact];
    carom_contact_push(&s->bodies[c->a], &s->bodies[c->b], carom_contact_arm_a(s, contact),
                       carom_contact_arm_b(s, contact), impulse);
}

// The same for an angular impulse.
static inline void carom_contact_turn(carom_contact_body *a, carom_contact_body *b, vec3 impulse)
{
    if (a->inverse_mass > 0)
        a->w = vec3_sub(a->w, sym3_mul(a->inverse_inertia, impulse));
    if (b->inverse_mass > 0)
        b->w = vec3_add(b->w, sym3_mul(b->inverse_inertia, impulse));
}

// An impulse between spheres, and the part of it across the normal.
static inline void carom_contact_push_spheres(carom_contact_sphere_body *a,
                                              carom_contact_sphere_body *b,
                                              const carom_contact_sphere_record *c, vec3 impulse,
                                              vec3 friction)
{
    vec3 turn = vec3_cross(c->n, friction);
    if (a->inverse_mass > 0) {
        a->v = vec3_axpy(a->v, -a->inverse_mass, impulse);
        a->w = vec3_axpy(a->w, -a->inverse_inertia * c->arm_a, turn);
    }
    if (b->inverse_mass > 0) {
        b->v = vec3_axpy(b->v, b->inverse_mass, impulse);
        b->w = vec3_axpy(b->w, -b->inverse_inertia * c->arm_b, turn);
    }
}

// Adds to how far an impulse of this length may have changed a body's velocity. Of an immovable
// body nothing is written: it may be met in several ranges at the same time.
static inline void carom_contact_add_travel(double *travel, const carom_contact_sphere_body *body,
                                            double length)
{
    if (body->inverse_mass > 0)
        *travel += length * body->inverse_mass;
}

static inline void carom_contact_turn_spheres(carom_contact_sphere_body *a,
                                              carom_contact_sphere_body *b, vec3 impulse)
{
    if (a->inverse_mass > 0)
        a->w = vec3_axpy(a->w, -a->inverse_inertia, impulse);
    if (b->inverse_mass > 0)
        b->w = vec3_axpy(b->w, b->inverse_inertia, impulse);
}

// The slip of a contact of spheres whose relative velocity of the centres is `between`, with the
// normal part u.
static inline vec3 carom_contact_slip_of_spheres(const carom_contact_sphere_body *a,
                                                 const carom_contact_sphere_body *b,
                                                 const carom_contact_sphere_record *c, vec3 between,
                                                 double u)
{
    vec3 spin = vec3_axpy(vec3_scale(c->arm_a, a->w), c->arm_b, b->w);
    return vec3_sub(vec3_axpy(between, -u, c->n), vec3_cross(spin, c->n));
}

static inline vec3 carom_contact_sphere_impulse(const carom_contact_sphere_record *c)
{
    return vec3_axpy(c->friction_impulse, c->normal_impulse, c->n);
}

// The nearest vector of at most that length.
static inline vec3 carom_contact_clip(vec3 q, double max)
{
    double square = vec3_dot(q, q);
    return square > max * max ? vec3_scale(max / sqrt(square), q) : q;
}

// Friction within its bound: the cone's disc, or the pyramid's square along the two tangents.
static inline vec3 carom_contact_bound(vec3 q, double max, vec3 n, bool pyramid)
{
    if (!pyramid)
        return carom_contact_clip(q, max);
    vec3 t1, t2;
    vec3_tangents(n, &t1, &t2);
    double first = fmin(fmax(vec3_dot(q, t1), -max), max);
    double second = fmin(fmax(vec3_dot(q, t2), -max), max);
    return vec3_axpy(vec3_scale(first, t1), second, t2);
}

// The angular impulse against the relative spin of b, within what the normal impulse allows.
// Returns its change.
static inline vec3 carom_contact_relax_rolling(carom_contact_rolling *rolling, double mass,
                                               vec3 spin, double normal_impulse)
{
    vec3 impulse = carom_contact_clip(vec3_axpy(rolling->impulse, -mass, spin),
                                      rolling->length * normal_impulse);
    vec3 change = vec3_sub(impulse, rolling->impulse);
    rolling->impulse = impulse;
    return change;
}

#endif
