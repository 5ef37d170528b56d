// Resting contact must not make energy.
//
// Bodies that contact holds move with the velocity v1 at the end of the interval (h: its length, g:
// gravity). With impulses that change the velocities from v to v + d, the energy of an island
// changes by
//     E(s) = E(0) + s sum M d.(v - h g) + s^2/2 sum M d.d - the work of driven bodies
// when only the part s of them acts (spins likewise, without g). E(0) = -sum M (h g)^2 / 2 if
// nothing had acted before: the scheme's own loss. A pile at rest has d = -h g and E(1) = 0, a
// solution of the contact problem E(1) <= 0. Sweeps that end at their cap may leave more, as the
// impulses they start from, those of the last interval, need not suit this one. Then that part of
// them acts which has E(s) = 0: a parabola that opens upwards from E(0) <= 0 has one such s between
// 0 and 1, cones contain every part of their vectors, and changes of velocity go along. What is
// handed on has gained nothing; at rest s is 1, and nothing jumps. Rounds after the first do the
// same with the change that they made, which lies between two points of the cone.
#include "base/team.h"
#include "world/ledger.h"
#include "world/rest.h"

// Gain that counts as none, as a share of what one interval of gravity moves: piles at rest are
// left alone, whatever the last digits of their impulses are.
#define NOTHING 1e-3

// The coefficients of the parabola, J.
typedef struct gain {
    double start, along, square;
} gain;

static carom_contact_twist twist_of(const carom_rest *rest, const carom_rest_island *island, int k)
{
    if (island->set.spheres)
        return (carom_contact_twist){ rest->system.sphere_bodies[k].v,
                                      rest->system.sphere_bodies[k].w };
    const carom_contact_body *body = &rest->system.bodies[rest->member[k]];
    return (carom_contact_twist){ body->v, body->w };
}

static gain of_members(const carom_rest *rest, const carom_rest_island *island, int begin, int end)
{
    const carom_step *step = rest->step;
    const carom_world *world = step->world;
    gain sum = { 0, 0, 0 };
    for (int k = begin; k < end; ++k) {
        int i = rest->member[k];
        carom_contact_twist now = twist_of(rest, island, k);
        vec3 v = world->now.velocity[i], w = world->now.spin[i];
        if (carom_rest_same(v, now.v) && carom_rest_same(w, now.w))
            continue; // flies on
        vec3 kick = vec3_scale(step->h, world->pull[i]),
             turn = vec3_scale(step->h, world->spin_pull[i]);
        vec3 dv = vec3_sub(now.v, v), dw = vec3_sub(now.w, w);
        vec3 p = vec3_scale(world->mass[i], dv), l = carom_ledger_angular_momentum(world, i, dw);
        double fall = world->mass[i] * vec3_dot(kick, v);
        sum.start += carom_ledger_energy(world, i) - fall - step->energy[i];
        if (world->forced)
            sum.start -= vec3_dot(carom_ledger_angular_momentum(world, i, turn), w);
        sum.along += vec3_dot(vec3_sub(v, kick), p) + vec3_dot(vec3_sub(w, turn), l);
        sum.square += vec3_dot(dv, p) + vec3_dot(dw, l);
    }
    return sum;
}

static vec3 impulse_of(const carom_rest *rest, const carom_rest_island *island, int i)
{
    if (!island->set.spheres)
        return rest->system.contacts[i].impulse;
    const carom_contact_sphere_record *c = &rest->system.sphere_contacts[i];
    return carom_contact_sphere_impulse(c);
}

// What the resting contacts have that is already in the velocities; at first what has no effect.
static vec3 impulse_before(const carom_rest *rest, int i)
{
    const carom_resting_contact *resting = carom_rest_source(rest, i);
    if (!rest->first)
        return resting->impulse;
    return vec3_scale(resting->cohesion, carom_rest_candidate(rest, i)->normal);
}

static bool touches_immovable(const carom_rest *rest, const carom_rest_island *island, int i)
{
    const unsigned char *fixed = rest->step->world->fixed;
    if (island->set.spheres) // immovable bodies have the last places
        return rest->system.links[i].a >= rest->member_count ||
               rest->system.links[i].b >= rest->member_count;
    const carom_resting_contact *resting = carom_rest_source(rest, i);
    return fixed[resting->a] || fixed[resting->b];
}

static void subtract_driven(const carom_rest *rest, const carom_rest_island *island, int begin,
                            int end, gain *sum)
{
    const carom_world *world = rest->step->world;
    for (int i = begin; rest->driven && i < end; ++i) {
        if (!touches_immovable(rest, island, i))
            continue;
        const carom_candidate *candidate = carom_rest_candidate(rest, i);
        vec3 before = impulse_before(rest, i);
        vec3 change = vec3_sub(impulse_of(rest, island, i), before);
        sum->start -= carom_step_driven_work(world, candidate, carom_rest_acting(rest, i, before));
        sum->along -= carom_step_driven_work(world, candidate, change);
        if (rest->system.rolling) {
            double turn[2];
            carom_rest_roll_driven(rest, i, turn);
            sum->along -= turn[0];
            sum->start -= turn[1];
        }
    }
}

static void sum_share(const carom_rest *rest, const carom_rest_island *island, gain *part,
                      int threads)
{
    int count = island->set.body_count, blocks = carom_team_blocks(count);
    CAROM_TEAM_EACH (b, blocks, threads) {
        part[b] = of_members(rest, island, island->set.first_body + carom_team_block(count, b),
                             island->set.first_body + carom_team_block(count, b + 1));
        int first = island->set.first + (int)((long long)island->set.count * b / blocks);
        int last = island->set.first + (int)((long long)island->set.count * (b + 1) / blocks);
        subtract_driven(rest, island, first, last, &part[b]);
    }
}
CAROM_TEAM_SHARE4(sum_share, const carom_rest *, const carom_rest_island *, gain *, int)

// Takes a part of what the solve changed.
void carom_rest_energy_scale(carom_rest *rest, const carom_rest_island *island, double part)
{
    const carom_world *world = rest->step->world;
    for (int k = island->set.first_body; k < island->set.first_body + island->set.body_count; ++k) {
        int i = rest->member[k];
        carom_contact_twist now = twist_of(rest, island, k);
        vec3 v = world->now.velocity[i], w = world->now.spin[i];
        v = vec3_axpy(v, part, vec3_sub(now.v, v));
        w = vec3_axpy(w, part, vec3_sub(now.w, w));
        if (island->set.spheres) {
            rest->system.sphere_bodies[k].v = v;
            rest->system.sphere_bodies[k].w = w;
        } else {
            rest->system.bodies[i].v = v;
            rest->system.bodies[i].w = w;
        }
    }
    for (int i = island->set.first; i < island->set.first + island->set.count; ++i) {
        vec3 now = impulse_of(rest, island, i), before = impulse_before(rest, i);
        vec3 impulse = vec3_axpy(before, part, vec3_sub(now, before));
        if (!island->set.spheres) {
            rest->system.contacts[i].impulse = impulse;
        } else {
            carom_contact_sphere_record *c = &rest->system.sphere_contacts[i];
            c->normal_impulse = vec3_dot(c->n, impulse);
            c->friction_impulse = vec3_axpy(impulse, -c->normal_impulse, c->n);
        }
    }
    if (rest->system.rolling)
        carom_rest_roll_scale(rest, island, part);
}

// The part of the change that may act: all of it, or as much as gains nothing.
static double allowed(gain g)
{
    double end = g.start + g.along + 0.5 * g.square;
    if (!(end > NOTHING * fabs(g.start)))
        return 1;
    if (!(g.start < 0)) // what was gained before stays: the lowest point, if there is one ahead
        return g.along < 0 ? fmin(1, -g.along / g.square) : 0;
    double root = sqrt(g.along * g.along - 2 * g.square * g.start);
    // the form without cancellation
    return fmin(1, g.along < 0 ? (root - g.along) / g.square : -2 * g.start / (g.along + root));
}

double carom_rest_energy_share(const carom_rest *rest, const carom_rest_island *island, int threads)
{
    gain part[CAROM_TEAM_BLOCKS], all = { 0, 0, 0 };
    int team = carom_team_worth(island->set.body_count, threads);
    if (island->joint_count > 0)
        return 1; // joints have impulses of their own
    CAROM_TEAM(team, sum_share(rest, island, part, team));
    for (int b = 0; b < carom_team_blocks(island->set.body_count); ++b) {
        all.start += part[b].start;
        all.along += part[b].along;
        all.square += part[b].square;
    }
    return allowed(all);
}
