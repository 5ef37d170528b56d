// The contacts that the law sees in an instant with joints: those of the impact between reduced
// bodies, without those that joints alone hold, and stops of joints.
//
// Stops of joints that are reached are contacts of the law without friction where nothing else
// collides: of a slider at its anchor along the axis; of a hinge beside the axis, where it makes no
// difference how far, as the hinge takes up what is not a moment about it. In one instant with
// contacts they are one-sided rows, as strings are (impact_phase_joint_solve.c), which return e of
// the speed they are met with: (1) of impact_phase_joints.c has one S for all, and laws that see
// stops and contacts of different e would gain energy.
#include "world/impact_phase_joints.h"
#include "world/pair_material.h"

// Below this part of what free bodies would answer, joints hold a contact alone.
#define HELD 1e-10

typedef carom_impact_joint_split split;

size_t carom_impact_joint_places(const split *s)
{
    return (size_t)s->system.impact->body_count + 1 + (size_t)s->stop_count;
}

// Where b is touched, see carom_impact_contact.shift.
static vec3 point_of_b(const carom_impact_contact *contact)
{
    return vec3_sub(vec3_from(contact->point), vec3_from(contact->shift));
}

// Answer of a body to a unit impulse at a contact, along its normal.
static double answer_at(const carom_impact_body *body, const carom_impact_contact *contact,
                        vec3 point)
{
    vec3 n = vec3_from(contact->normal);
    vec3 arm = vec3_cross(vec3_sub(point, vec3_from(body->position)), n);
    return body->inverse_mass +
           vec3_dot(arm, sym3_mul(carom_impact_joint_inverse_inertia(body), arm));
}

// Of both bodies together.
static double answer_of_both(const carom_impact_body *bodies, const carom_impact_contact *contact)
{
    return answer_at(&bodies[contact->a], contact, vec3_from(contact->point)) +
           answer_at(&bodies[contact->b], contact, point_of_b(contact));
}

vec3 carom_impact_joint_relative_velocity(const split *s, const carom_impact_contact *contact,
                                          const carom_twist *v)
{
    vec3 at[2];
    for (int k = 0; k < 2; ++k) {
        int i = k ? contact->b : contact->a;
        vec3 point = k ? point_of_b(contact) : vec3_from(contact->point);
        vec3 arm = vec3_sub(point, vec3_from(s->bodies[i].position));
        at[k] = vec3_add(v[i].linear, vec3_cross(v[i].angular, arm));
    }
    return vec3_sub(at[1], at[0]);
}

static void reduce(split *s)
{
    const carom_impact *impact = s->system.impact;
    int count = 0;
    for (int i = 0; i < impact->contact_count; ++i) {
        carom_impact_contact contact = impact->contacts[i];
        double free = answer_of_both(impact->bodies, &contact);
        contact.a = s->system.root[contact.a];
        contact.b = s->system.root[contact.b];
        double left = answer_of_both(s->bodies, &contact);
        if (contact.a == contact.b || !(left > HELD * free))
            continue;
        s->contacts[count] = contact;
        s->contact_of[count++] = i;
        double u = vec3_dot(vec3_from(contact.normal),
                            carom_impact_joint_relative_velocity(s, &contact, s->start));
        s->scale = fmax(s->scale, fabs(u));
    }
    s->reduced = (carom_impact){ impact->body_count, count, s->bodies, s->contacts };
}

// The place of a joint's end; of an immovable one, number `k`: one made for it.
static int place_for(split *s, int end, int k)
{
    if (!carom_reduced_body_immovable(s->world, end))
        return s->system.place_of[end] < 0 ? -1 : s->system.root[s->system.place_of[end]];
    int place = s->system.impact->body_count + 1 + k;
    if (end >= 0) {
        vec3_store(s->world->now.position[end], s->bodies[place].position);
        vec3_store(s->world->now.velocity[end], s->bodies[place].velocity);
        vec3_store(s->world->now.spin[end], s->bodies[place].spin);
        s->start[place] = (carom_twist){ s->world->now.velocity[end], s->world->now.spin[end] };
    }
    return place;
}

static void add_stop(split *s, const carom_world_joint *joint, int side, int k)
{
    const carom_world *world = s->world;
    carom_joint_ends at = carom_world_joint_ends(world, joint);
    vec3 axis = carom_joint_axis(joint, &at), point = at.anchor[0], n = axis, across;
    int a = place_for(s, joint->a, k), b = place_for(s, joint->b, k);
    int body = carom_reduced_body_immovable(world, joint->a) ? joint->b : joint->a;
    int other = joint->a < 0 || joint->b < 0 ? body : joint->a + joint->b - body;
    if (a < 0 || b < 0 || a == b)
        return;
    if (joint->kind == CAROM_JOINT_HINGE) {
        vec3_tangents(axis, &across, &n);
        double lever = carom_impact_phase_stops_lever(world, joint);
        point = vec3_axpy(point, lever, across);
        n = vec3_cross(axis, across);
    }
    carom_impact_contact *contact = &s->contacts[s->reduced.contact_count];
    *contact =
        (carom_impact_contact){ .a = a,
                                .b = b,
                                .restitution = joint->restitution,
                                .stiffness = carom_pair_material_stiffness(world, body, other),
                                .exponent = carom_pair_material_exponent(world, body, other) };
    vec3_store(point, contact->point);
    vec3_store(vec3_scale(side ? -1 : 1, n), contact->normal);
    s->contact_of[s->reduced.contact_count++] = -1;
    double u = vec3_dot(vec3_from(contact->normal),
                        carom_impact_joint_relative_velocity(s, contact, s->start));
    s->scale = fmax(s->scale, fabs(u));
}

static void add_stops(split *s)
{
    int k = 0;
    if (s->stop_count == 0)
        return;
    s->reduced.body_count = (int)carom_impact_joint_places(s);
    for (int j = 0; j < s->world->joint_count; ++j)
        for (int side = 0; side < 2; ++side)
            if (s->world->joints[j].met[side] &&
                carom_impact_joint_is_here(s, &s->world->joints[j]))
                add_stop(s, &s->world->joints[j], side, k++);
}

void carom_impact_joint_contacts(split *s)
{
    reduce(s);
    add_stops(s);
}
