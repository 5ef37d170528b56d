// The rows of joints in an instant of impact: what must be zero, or equal to the speed of a driven
// anchor, between the reduced bodies at the ends of each joint; one-sided for strings and stops.
// Bodies that are not part of the instant rest at one place of their own.
#include "world/impact_phase_joints.h"

// Rows that a factor is made of: larger clusters are left to the resting phase.
enum { ROWS_MAX = 3000 };

typedef carom_impact_joint_link link;
typedef carom_impact_joint_split split;

// Both ends of a joint as the rows need them.
typedef struct ends {
    int place[2]; // of the root; the resting place where the end is immovable
    vec3 anchor[2], axis[2];
    vec3 velocity, spin; // of the immovable end at its anchor, with the sign of the row
} ends;

static ends ends_of(const split *s, const carom_world_joint *joint)
{
    const carom_world *world = s->world;
    const vec3 zero = { 0, 0, 0 };
    ends e = { .velocity = zero, .spin = zero };
    int body[2] = { joint->a, joint->b };
    carom_joint_ends at = carom_world_joint_ends(world, joint);
    for (int k = 0; k < 2; ++k) {
        e.anchor[k] = at.anchor[joint->kind == CAROM_JOINT_SLIDER ? 0 : k];
        e.axis[k] = quat_rotate(at.turn[k], k ? joint->axis_b : joint->axis_a);
    }
    for (int k = 0; k < 2; ++k) {
        if (!carom_reduced_body_immovable(world, body[k])) {
            int place = s->system.place_of[body[k]];
            e.place[k] = place < 0 ? -1 : s->system.root[place];
            continue;
        }
        e.place[k] = s->system.impact->body_count;
        if (body[k] < 0)
            continue;
        double sign = k ? -1 : 1; // moves to the other side of the equation
        vec3 arm = vec3_sub(e.anchor[k], world->now.position[body[k]]);
        e.spin = vec3_scale(sign, world->now.spin[body[k]]);
        e.velocity = vec3_axpy(vec3_cross(e.spin, arm), sign, world->now.velocity[body[k]]);
    }
    return e;
}

// A row along d at the anchors, or about d.
static void add_link(split *s, const ends *e, vec3 d, bool about, bool pull)
{
    const vec3 zero = { 0, 0, 0 };
    link *one = &s->links[s->link_count++];
    carom_row *row = &one->row;
    *one = (link){ .row = { .a = e->place[0], .b = e->place[1], .d = about ? zero : d },
                   .drive = vec3_dot(d, about ? e->spin : e->velocity),
                   .bounce = -1,
                   .pull = pull,
                   .on = !pull };
    for (int k = 0; k < 2; ++k) {
        bool still = e->place[k] == s->system.impact->body_count;
        const carom_impact_body *body = still ? NULL : &s->system.bodies[e->place[k]];
        vec3 arm = zero, turn = zero;
        if (!still) {
            vec3 lever = vec3_sub(e->anchor[k], vec3_from(body->position));
            arm = about ? d : vec3_cross(lever, d);
            turn = sym3_mul(carom_impact_joint_inverse_inertia(body), arm);
        }
        *(k ? &row->arm_b : &row->arm_a) = arm;
        *(k ? &row->turn_b : &row->turn_a) = turn;
        *(k ? &row->inv_b : &row->inv_a) = still ? 0 : body->inverse_mass;
    }
    row->diagonal = carom_row_coupling(row, row);
    one->target = one->drive;
    if (!(row->diagonal > 0)) // what it holds cannot move anyway
        --s->link_count;
}

// Stops that are met, as one-sided rows.
static void stop_links(split *s, const carom_world_joint *joint, const ends *e)
{
    for (int side = 0; side < 2; ++side) {
        int before = s->link_count;
        if (!joint->met[side])
            continue;
        add_link(s, e, vec3_scale(side ? 1 : -1, e->axis[1]), joint->kind == CAROM_JOINT_HINGE,
                 true);
        if (s->link_count > before)
            s->links[before].bounce = joint->restitution;
    }
}

static void links_of(split *s, const carom_world_joint *joint)
{
    const vec3 axes[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    const carom_world *world = s->world;
    ends e = ends_of(s, joint);
    if (e.place[0] < 0 || e.place[1] < 0 || e.place[0] == e.place[1])
        return;
    if (joint->broken || joint->kind == CAROM_JOINT_SPRING)
        return;
    if (s->system.impact->contact_count > 0)
        stop_links(s, joint, &e);
    if (joint->kind == CAROM_JOINT_STRING || joint->kind == CAROM_JOINT_ROD) {
        bool rod = joint->kind == CAROM_JOINT_ROD;
        if (rod || carom_impact_joint_is_taut(world, joint))
            add_link(s, &e, vec3_unit(vec3_sub(e.anchor[1], e.anchor[0])), false, !rod);
        return;
    }
    if (carom_joint_pins(joint->kind) && (carom_reduced_body_at_rest(world, joint->a) ||
                                          carom_reduced_body_at_rest(world, joint->b)))
        return; // the reduced body has it
    bool slides = joint->kind == CAROM_JOINT_SLIDER;
    vec3 held[3] = { axes[0], axes[1], axes[2] };
    if (slides)
        vec3_tangents(e.axis[1], &held[0], &held[1]);
    for (int k = 0; k < (slides ? 2 : 3); ++k)
        add_link(s, &e, held[k], false, false);
    if (joint->kind == CAROM_JOINT_BALL)
        return;
    vec3 about[3] = { axes[0], axes[1], axes[2] };
    if (joint->kind == CAROM_JOINT_HINGE)
        vec3_tangents(e.axis[0], &about[0], &about[1]);
    for (int k = 0; k < (joint->kind == CAROM_JOINT_HINGE ? 2 : 3); ++k)
        add_link(s, &e, about[k], true, false);
}

bool carom_impact_joint_is_here(const split *s, const carom_world_joint *joint)
{
    for (int k = 0; k < 2; ++k) {
        int end = k ? joint->b : joint->a;
        if (!carom_reduced_body_immovable(s->world, end) && s->system.place_of[end] >= 0)
            return true;
    }
    return false;
}

carom_status carom_impact_joint_rows(split *s, carom_error *err)
{
    enum { PER_JOINT = 8 };
    carom_world *world = s->world;
    int joints = 0;
    for (int j = 0; j < world->joint_count; ++j)
        for (int k = 0; k < 2; ++k) {
            int end = k ? world->joints[j].b : world->joints[j].a;
            joints += end >= 0 && s->system.place_of[end] >= 0;
        }
    size_t max = (size_t)joints * PER_JOINT + 1;
    TAKE(world->scratch, s->links, max, err);
    TAKE(world->scratch, s->active, max, err);
    TAKE(world->scratch, s->first, max, err);
    TAKE(world->scratch, s->row_at, max, err);
    TAKE(world->scratch, s->pivot, max, err);
    TAKE(world->scratch, s->unit, max, err);
    for (int j = 0; j < world->joint_count; ++j)
        if (carom_impact_joint_is_here(s, &world->joints[j]))
            links_of(s, &world->joints[j]);
    if (s->link_count > ROWS_MAX)
        s->link_count = 0;
    return CAROM_OK;
}

bool carom_impact_joint_is_taut(const carom_world *world, const carom_world_joint *joint)
{
    carom_joint_ends at = carom_world_joint_ends(world, joint);
    return carom_joint_position(joint, &at) >= joint->length - world->options.slop;
}
