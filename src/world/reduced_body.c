// Reduced bodies: what joints make of bodies before a law sees them.
//
// A law knows free rigid bodies only, but two kinds of joint leave just such a body, so that every
// law answers exactly, with its friction and its promises:
//   fixed joints    the bodies are one: masses, momenta and angular momenta add up.
//   ball, hinge     to something at rest: the body turns about the anchor c. Seen from there its
//                   mass is infinite and its inertia I_c = I + m (r^2 - r r^T), r = x - c, limited
//                   to the axes Q that are left:  C = Q (Q^T I_c Q)^-1 Q^T  in place of I_c^-1.
// In both cases the velocities before are the ones nearest in kinetic energy that the joint allows
// (w = C L, L the angular momentum about c): what a joint lets through is the position error of the
// last interval, and taking it out costs energy, never adds any.
#include "world/impact_phase.h"
#include "base/sets.h"

// A pinned body keeps this part of its inverse mass, so that it still counts as movable and that a
// direction in which it cannot go has a finite answer.
#define FAINT 1e-13
// Axes that differ by less are one, rad: two hinges of a door.
#define ALIKE 1e-3

typedef enum freedom { FREE, BALL, AXIS, STUCK } freedom;

typedef struct pin {
    freedom left;
    vec3 centre, axis;
} pin;

typedef struct group {
    double mass;
    vec3 position, momentum, turning; // turning: angular momentum about the position
    sym3 inertia;
    int count;
} group;

bool carom_reduced_body_immovable(const carom_world *world, int end)
{
    return end < 0 || world->fixed[end];
}

bool carom_reduced_body_at_rest(const carom_world *world, int end)
{
    if (end < 0)
        return true;
    vec3 v = world->now.velocity[end], w = world->now.spin[end];
    return world->fixed[end] && vec3_dot(v, v) == 0 && vec3_dot(w, w) == 0;
}

// The place of the end of a joint that can move; -1: not in this instant.
static int place_of(const carom_reduced_system *system, int end)
{
    return carom_reduced_body_immovable(system->world, end) ? -1 : system->place_of[end];
}

static void weld(carom_reduced_system *system)
{
    const carom_world *world = system->world;
    for (int i = 0; i < system->impact->body_count; ++i)
        system->root[i] = i;
    for (int j = 0; j < world->joint_count; ++j) {
        const carom_world_joint *joint = &world->joints[j];
        int a = place_of(system, joint->a), b = place_of(system, joint->b);
        if (joint->kind != CAROM_JOINT_FIXED || joint->broken || a < 0 || b < 0)
            continue;
        sets_join(system->root, a, b);
    }
    for (int i = 0; i < system->impact->body_count; ++i)
        system->root[i] = sets_find(system->root, i);
}

static void limit(pin *one, vec3 axis)
{
    if (one->left == BALL) {
        one->left = AXIS;
        one->axis = axis;
    } else if (one->left == AXIS && vec3_length(vec3_cross(one->axis, axis)) > ALIKE) {
        one->left = STUCK;
    }
}

static void pin_down(const carom_reduced_system *system, pin *pins)
{
    const carom_world *world = system->world;
    for (int j = 0; j < world->joint_count; ++j) {
        const carom_world_joint *joint = &world->joints[j];
        int side = place_of(system, joint->a) >= 0 ? 0 : 1, other = side ? joint->a : joint->b;
        int place = place_of(system, side ? joint->b : joint->a);
        if (!carom_joint_pins(joint->kind) || joint->broken || place < 0 ||
            !carom_reduced_body_at_rest(world, other))
            continue;
        carom_joint_ends ends = carom_world_joint_ends(world, joint);
        pin *one = &pins[system->root[place]];
        if (one->left == FREE) {
            *one = (pin){ .left = BALL, .centre = ends.anchor[side] };
        } else {
            vec3 apart = vec3_sub(ends.anchor[side], one->centre);
            if (vec3_length(apart) > world->options.slop)
                limit(one, vec3_unit(apart));
        }
        if (joint->kind == CAROM_JOINT_HINGE)
            limit(one, quat_rotate(ends.turn[!side], side ? joint->axis_a : joint->axis_b));
        else if (joint->kind == CAROM_JOINT_FIXED)
            one->left = STUCK;
    }
}

static sym3 sum(sym3 a, sym3 b)
{
    return (sym3){ a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz };
}

// m (r^2 - r r^T)
static sym3 of_point(double m, vec3 r)
{
    double square = vec3_dot(r, r);
    return (sym3){ m * (square - r.x * r.x), m * (square - r.y * r.y), m * (square - r.z * r.z),
                   -m * r.x * r.y,           -m * r.x * r.z,           -m * r.y * r.z };
}

static sym3 inverse_of(const double s[6])
{
    return (sym3){ s[0], s[1], s[2], s[3], s[4], s[5] };
}

static void add_point(const carom_impact_body *body, group *g)
{
    double m = 1 / body->inverse_mass;
    g->mass += m;
    g->position = vec3_axpy(g->position, m, vec3_from(body->position));
    g->momentum = vec3_axpy(g->momentum, m, vec3_from(body->velocity));
    ++g->count;
}

static void add_turning(const carom_impact_body *body, group *g)
{
    double m = 1 / body->inverse_mass;
    sym3 inertia = sym3_inverse(inverse_of(body->inverse_inertia));
    vec3 arm = vec3_sub(vec3_from(body->position), g->position);
    vec3 moment = vec3_cross(arm, vec3_scale(m, vec3_from(body->velocity)));
    g->inertia = sum(g->inertia, sum(inertia, of_point(m, arm)));
    g->turning = vec3_add(g->turning, vec3_add(moment, sym3_mul(inertia, vec3_from(body->spin))));
}

static void add_up(const carom_reduced_system *system, group *groups)
{
    const carom_impact *impact = system->impact;
    for (int i = 0; i < impact->body_count; ++i)
        if (impact->bodies[i].inverse_mass > 0)
            add_point(&impact->bodies[i], &groups[system->root[i]]);
    for (int i = 0; i < impact->body_count; ++i)
        if (groups[i].count > 1)
            groups[i].position = vec3_scale(1 / groups[i].mass, groups[i].position);
        else
            groups[i].position = vec3_from(impact->bodies[i].position);
    for (int i = 0; i < impact->body_count; ++i)
        if (impact->bodies[i].inverse_mass > 0)
            add_turning(&impact->bodies[i], &groups[system->root[i]]);
}

static void store(carom_impact_body *body, sym3 inverse, vec3 position, vec3 velocity, vec3 spin)
{
    const double six[6] = {
        inverse.xx, inverse.yy, inverse.zz, inverse.xy, inverse.xz, inverse.yz
    };
    for (int k = 0; k < 6; ++k)
        body->inverse_inertia[k] = six[k];
    vec3_store(position, body->position);
    vec3_store(velocity, body->velocity);
    vec3_store(spin, body->spin);
}

static void reduce_welded(const group *g, carom_impact_body *body)
{
    sym3 inverse = sym3_inverse(g->inertia);
    body->inverse_mass = 1 / g->mass;
    store(body, inverse, g->position, vec3_scale(1 / g->mass, g->momentum),
          sym3_mul(inverse, g->turning));
}

static void reduce_pinned(const group *g, const pin *one, carom_impact_body *body)
{
    vec3 zero = { 0, 0, 0 }, r = vec3_sub(g->position, one->centre), a = one->axis;
    sym3 inertia = sum(g->inertia, of_point(g->mass, r)), inverse = { 0, 0, 0, 0, 0, 0 };
    vec3 turning = vec3_add(g->turning, vec3_cross(r, g->momentum));
    if (one->left == BALL)
        inverse = sym3_inverse(inertia);
    if (one->left == AXIS) {
        double per = 1 / vec3_dot(a, sym3_mul(inertia, a));
        inverse = (sym3){ per * a.x * a.x, per * a.y * a.y, per * a.z * a.z,
                          per * a.x * a.y, per * a.x * a.z, per * a.y * a.z };
    }
    body->inverse_mass = FAINT / g->mass;
    store(body, inverse, one->centre, zero, sym3_mul(inverse, turning));
}

carom_status carom_reduced_body_make(carom_reduced_system *system, carom_error *err)
{
    carom_arena *scratch = system->world->scratch;
    int count = system->impact->body_count;
    pin *pins;
    group *groups;
    TAKE(scratch, system->bodies, count, err);
    TAKE(scratch, system->root, count, err);
    TAKE_ZEROS(scratch, system->pinned, count, err);
    TAKE_ZEROS(scratch, system->is_reduced, count, err);
    TAKE_ZEROS(scratch, pins, count, err);
    TAKE_ZEROS(scratch, groups, count, err);
    weld(system);
    pin_down(system, pins);
    add_up(system, groups);
    for (int i = 0; i < count; ++i) {
        system->bodies[i] = system->impact->bodies[i];
        if (system->root[i] != i || groups[i].count == 0)
            continue;
        system->pinned[i] = pins[i].left != FREE;
        system->is_reduced[i] = system->pinned[i] || groups[i].count > 1;
        if (system->pinned[i])
            reduce_pinned(&groups[i], &pins[i], &system->bodies[i]);
        else if (groups[i].count > 1)
            reduce_welded(&groups[i], &system->bodies[i]);
    }
    return CAROM_OK;
}

void carom_reduced_body_expand(const carom_reduced_system *system, double (*velocities)[3],
                               double (*spins)[3])
{
    for (int i = system->impact->body_count - 1; i >= 0; --i) { // a root comes after its members
        int root = system->root[i];
        if (!system->is_reduced[root])
            continue;
        vec3 from = vec3_from(system->bodies[root].position), spin = vec3_from(spins[root]);
        vec3 arm = vec3_sub(vec3_from(system->impact->bodies[i].position), from);
        vec3 moving = system->pinned[root] ? vec3_make(0, 0, 0) : vec3_from(velocities[root]);
        vec3_store(vec3_add(moving, vec3_cross(spin, arm)), velocities[i]);
        vec3_store(spin, spins[i]);
    }
}
