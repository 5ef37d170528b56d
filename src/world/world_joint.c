// Joints.
//
// Ball, hinge and fixed joints are rows "this relative speed shall be that": the speed that takes
// out the error of the last interval. A string is solved on the positions at the end of the
// interval: with both bodies moving by the mean of their velocities before and after, and the pull
// along the mean of its directions before and after, its work is T (|r'|^2 - |r|^2) / 2, which is
// zero for a string that stays taut. A pendulum therefore keeps its energy to round-off, whatever
// the step [Gonzalez 1996, discrete gradients].
#include <stdlib.h>
#include <string.h>
#include "world/rest.h"

enum { MOST_ROWS = 6 };

typedef enum row_kind { ALONG, ABOUT, PULL } row_kind;

struct carom_world_joint_row {
    row_kind kind;
    int a, b;          // -1: the world
    vec3 d;            // direction (ALONG: at the anchors; ABOUT: of the relative spin)
    vec3 arm_a, arm_b; // anchors minus centres of mass
    double mass;       // 1 / response
    double target;     // m/s or rad/s
    double p;
    // strings
    vec3 r, slip_before; // anchor b minus anchor a, and its rate, at the start of the interval
    double length;
    vec3 pull; // N s, on a; applied so far
};

carom_world_joint_row *carom_world_joint_row_at(carom_world_joint_row *rows, int index)
{
    return rows + index;
}

static vec3 to_body(const carom_world *world, int i, vec3 point)
{
    if (i < 0)
        return point;
    return quat_rotate(quat_conjugate(world->now.rotation[i]),
                       vec3_sub(point, world->now.position[i]));
}

static vec3 to_world(const carom_world *world, int i, vec3 v)
{
    return i < 0 ? v : quat_rotate(world->now.rotation[i], v);
}

static bool join(carom_world *world, int a, int b);

carom_status carom_world_add_joint(carom_world *world, const carom_joint *joint, int *index,
                                   carom_error *err)
{
    int a = joint->a, b = joint->b;
    if (a < -1 || b < -1 || a >= world->count || b >= world->count || a == b) {
        carom_error_set(err, CAROM_BAD_INPUT, "the joint connects bodies %d and %d of %d", a, b,
                        world->count);
        return carom_error_fix(err, "name two different bodies; -1 is the world");
    }
    if ((a < 0 || world->fixed[a]) && (b < 0 || world->fixed[b])) {
        carom_error_set(err, CAROM_BAD_INPUT,
                        "the joint connects %d and %d, neither of which can move", a, b);
        return carom_error_fix(err, "join at least one moving body");
    }
    vec3 pa = vec3_from(joint->anchor_a), pb = vec3_from(joint->anchor_b),
         axis = vec3_unit(vec3_from(joint->axis));
    double distance = vec3_length(vec3_sub(pb, pa)),
           length = joint->length > 0 ? joint->length : distance;
    if (joint->kind == CAROM_JOINT_STRING && !(length > 0 && distance <= length * (1 + 1e-9))) {
        carom_error_set(err, CAROM_BAD_INPUT, "the string is %g m long, its anchors are %g m apart",
                        length, distance);
        return carom_error_fix(err, "use a length of at least the distance, above 0 m");
    }
    if (!(joint->restitution >= 0 && joint->restitution <= 1)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the restitution of the joint is %g",
                        joint->restitution);
        return carom_error_fix(err, "use a value from 0 (no bounce) to 1 (no loss)");
    }
    if (joint->kind != CAROM_JOINT_STRING && distance > 1e-9) {
        carom_error_set(err, CAROM_BAD_INPUT, "the anchors of the joint are %g m apart", distance);
        return carom_error_fix(err, "give both anchors the same point");
    }
    if (joint->kind == CAROM_JOINT_HINGE && vec3_length(axis) == 0) {
        carom_error_set(err, CAROM_BAD_INPUT, "the hinge has no axis");
        return carom_error_fix(err, "give the direction it turns about");
    }
    if (!carom_world_grow((void **)&world->joints, (size_t)world->joint_count + 1,
                          sizeof *world->joints) ||
        (joint->kind != CAROM_JOINT_STRING && !join(world, a, b)))
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for joint %d", world->joint_count);
    quat qa = a < 0 ? quat_identity() : world->now.rotation[a],
         qb = b < 0 ? quat_identity() : world->now.rotation[b];
    world->joints[world->joint_count] =
        (carom_world_joint){ .kind = joint->kind,
                             .a = a,
                             .b = b,
                             .anchor_a = to_body(world, a, pa),
                             .anchor_b = to_body(world, b, pb),
                             .axis_a = quat_rotate(quat_conjugate(qa), axis),
                             .axis_b = quat_rotate(quat_conjugate(qb), axis),
                             .turn = quat_mul(quat_conjugate(qa), qb),
                             .length = length,
                             .restitution = joint->restitution };
    if (joint->kind == CAROM_JOINT_STRING && a >= 0)
        world->strung[a] = 1;
    if (joint->kind == CAROM_JOINT_STRING && b >= 0)
        world->strung[b] = 1;
    if (index)
        *index = world->joint_count;
    ++world->joint_count;
    world->linkage_stale = true;
    return CAROM_OK;
}

static uint64_t key_of(int a, int b)
{
    uint32_t low = (uint32_t)(a < b ? a : b), high = (uint32_t)(a < b ? b : a);
    return (uint64_t)low << 32 | high;
}

// How many of the joined pairs come before this one.
static int place_of(const carom_world *world, uint64_t key)
{
    int low = 0, high = world->joined_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (world->joined[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool carom_world_joint_joins(const carom_world *world, int a, int b)
{
    uint64_t key = key_of(a, b);
    int place = world->joined_count ? place_of(world, key) : 0;
    return place < world->joined_count && world->joined[place] == key;
}

// Notes that two bodies must not collide; false without memory.
static bool join(carom_world *world, int a, int b)
{
    if (a < 0 || b < 0 || carom_world_joint_joins(world, a, b))
        return true;
    if (!carom_world_grow((void **)&world->joined, (size_t)world->joined_count + 1,
                          sizeof *world->joined))
        return false;
    uint64_t key = key_of(a, b);
    int place = place_of(world, key);
    memmove(world->joined + place + 1, world->joined + place,
            (size_t)(world->joined_count - place) * sizeof *world->joined);
    world->joined[place] = key;
    ++world->joined_count;
    return true;
}

void carom_world_joint_row_bodies(const carom_world_joint_row *row, int ends[2])
{
    ends[0] = row->a;
    ends[1] = row->b;
}

// Before the kick of the interval.
static vec3 velocity_before(const carom_world *world, int i, vec3 arm)
{
    return i < 0 ? vec3_make(0, 0, 0)
                 : vec3_add(world->before[i], vec3_cross(world->now.spin[i], arm));
}

static vec3 velocity_at(const carom_rest_body *bodies, int i, vec3 arm)
{
    return i < 0 ? vec3_make(0, 0, 0) : vec3_add(bodies[i].v, vec3_cross(bodies[i].w, arm));
}

static vec3 slip(const carom_rest_body *bodies, const carom_world_joint_row *row)
{
    return vec3_sub(velocity_at(bodies, row->b, row->arm_b),
                    velocity_at(bodies, row->a, row->arm_a));
}

static void push(carom_rest_body *bodies, int i, vec3 arm, vec3 impulse)
{
    if (i < 0 || bodies[i].inverse_mass == 0)
        return;
    carom_rest_body *body = &bodies[i];
    body->v = vec3_axpy(body->v, body->inverse_mass, impulse);
    body->w = vec3_add(body->w, sym3_mul(body->inverse_inertia, vec3_cross(arm, impulse)));
}

static vec3 respond_one(const carom_world *world, int i, vec3 arm, vec3 impulse)
{
    if (i < 0)
        return vec3_make(0, 0, 0);
    vec3 spin = sym3_mul(world->inverse_inertia[i], vec3_cross(arm, impulse));
    return vec3_axpy(vec3_cross(spin, arm), world->inverse_mass[i], impulse);
}

static vec3 respond(const carom_world *world, const carom_world_joint_row *row, vec3 impulse)
{
    return vec3_add(respond_one(world, row->a, row->arm_a, impulse),
                    respond_one(world, row->b, row->arm_b, impulse));
}

static double respond_spin(const carom_world *world, const carom_world_joint_row *row)
{
    double response = 0;
    if (row->a >= 0)
        response += vec3_dot(row->d, sym3_mul(world->inverse_inertia[row->a], row->d));
    if (row->b >= 0)
        response += vec3_dot(row->d, sym3_mul(world->inverse_inertia[row->b], row->d));
    return response;
}

// Rotation vector (small) that is left between the two bodies, world frame.
static vec3 twist_error(const carom_world *world, const carom_world_joint *joint)
{
    if (joint->kind == CAROM_JOINT_HINGE)
        return vec3_cross(to_world(world, joint->a, joint->axis_a),
                          to_world(world, joint->b, joint->axis_b));
    quat qa = joint->a < 0 ? quat_identity() : world->now.rotation[joint->a];
    quat qb = joint->b < 0 ? quat_identity() : world->now.rotation[joint->b];
    quat left = quat_mul(qb, quat_conjugate(quat_mul(qa, joint->turn)));
    double sign = left.w < 0 ? -2 : 2;
    return vec3_make(sign * left.x, sign * left.y, sign * left.z);
}

void carom_world_joint_ends(const carom_world *world, const carom_world_joint *joint,
                            vec3 anchor[2], vec3 axis[2])
{
    int a = joint->a, b = joint->b;
    vec3 arm_a = to_world(world, a, joint->anchor_a), arm_b = to_world(world, b, joint->anchor_b);
    anchor[0] = a < 0 ? arm_a : vec3_add(world->now.position[a], arm_a);
    anchor[1] = b < 0 ? arm_b : vec3_add(world->now.position[b], arm_b);
    axis[0] = to_world(world, a, joint->axis_a);
    axis[1] = to_world(world, b, joint->axis_b);
}

static int rows_of(const carom_step *step, const carom_world_joint *joint,
                   carom_world_joint_row *rows)
{
    const carom_world *world = step->world;
    int a = joint->a, b = joint->b, count = 0;
    // What a whole step would take out: an interval may be so short (down to zero, before an
    // impact right at its start) that the error left by a long one would need any speed at all.
    double per = 1 / step->whole;
    carom_world_joint_row base = { .a = a,
                                   .b = b,
                                   .arm_a = to_world(world, a, joint->anchor_a),
                                   .arm_b = to_world(world, b, joint->anchor_b) };
    vec3 anchor[2], axis[2];
    carom_world_joint_ends(world, joint, anchor, axis);
    vec3 r = vec3_sub(anchor[1], anchor[0]);
    if (joint->kind == CAROM_JOINT_STRING) {
        base.kind = PULL;
        base.r = r;
        base.length = joint->length;
        base.slip_before =
            vec3_sub(velocity_before(world, b, base.arm_b), velocity_before(world, a, base.arm_a));
        rows[0] = base;
        return 1;
    }
    const vec3 axes[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    for (int k = 0; k < 3; ++k) {
        carom_world_joint_row *row = &rows[count++];
        *row = base;
        row->d = axes[k];
        row->mass = 1 / vec3_dot(row->d, respond(world, row, row->d));
        row->target = -per * vec3_dot(row->d, r);
    }
    if (joint->kind == CAROM_JOINT_BALL)
        return count;
    vec3 error = twist_error(world, joint), spin_axes[3] = { axes[0], axes[1], axes[2] };
    if (joint->kind == CAROM_JOINT_HINGE)
        vec3_tangents(axis[0], &spin_axes[0], &spin_axes[1]);
    for (int k = 0; k < (joint->kind == CAROM_JOINT_HINGE ? 2 : 3); ++k) {
        carom_world_joint_row *row = &rows[count++];
        *row = base;
        row->kind = ABOUT;
        row->d = spin_axes[k];
        row->mass = 1 / respond_spin(world, row);
        row->target = -per * vec3_dot(row->d, error);
    }
    return count;
}

carom_status carom_world_joint_rows(carom_step *step, carom_world_joint_row **rows, int *count,
                                    carom_error *err)
{
    carom_world *world = step->world;
    *count = 0;
    TAKE(world->scratch, *rows, (size_t)world->joint_count * MOST_ROWS, err);
    for (int i = 0; i < world->joint_count && step->linked; ++i) {
        const carom_world_joint *joint = &world->joints[i];
        bool movable = joint->a >= 0 && !world->fixed[joint->a];
        int body = movable ? joint->a : joint->b; // one that belongs to a linkage
        if (body >= 0 && !world->fixed[body] && !step->linked[body])
            *count += rows_of(step, joint, *rows + *count);
    }
    return CAROM_OK;
}

// What an impulse on b (its opposite on a) does to the speed of the anchors.
static vec3 answer(const carom_rest_body *bodies, const carom_world_joint_row *row, vec3 impulse)
{
    vec3 sum = { 0, 0, 0 };
    int ends[2] = { row->a, row->b };
    for (int k = 0; k < 2; ++k) {
        if (ends[k] < 0)
            continue;
        const carom_rest_body *body = &bodies[ends[k]];
        vec3 arm = k ? row->arm_b : row->arm_a;
        vec3 spin = sym3_mul(body->inverse_inertia, vec3_cross(arm, impulse));
        sum = vec3_add(sum, vec3_axpy(vec3_cross(spin, arm), body->inverse_mass, impulse));
    }
    return sum;
}

// One Newton step on (|r'|^2 - length^2) / 2 = 0 for the tension, which only pulls.
static double relax_string(carom_rest_body *bodies, double h, carom_world_joint_row *row)
{
    vec3 mean = vec3_scale(0.5, vec3_add(row->slip_before, slip(bodies, row)));
    vec3 end = vec3_axpy(row->r, h, mean), middle = vec3_scale(0.5, vec3_add(row->r, end));
    double error = 0.5 * (vec3_dot(end, end) - row->length * row->length);
    double slope = 0.5 * h * vec3_dot(end, answer(bodies, row, middle));
    if (!(slope > 0))
        return 0;
    double p = fmax(0, row->p + error / slope);
    vec3 pull = vec3_scale(p, middle), change = vec3_sub(pull, row->pull);
    push(bodies, row->a, row->arm_a, change);
    push(bodies, row->b, row->arm_b, vec3_neg(change));
    row->p = p;
    row->pull = pull;
    return vec3_length(answer(bodies, row, change));
}

static double relax_about(carom_rest_body *bodies, const carom_world_joint_row *row)
{
    vec3 wa = row->a < 0 ? vec3_make(0, 0, 0) : bodies[row->a].w;
    vec3 wb = row->b < 0 ? vec3_make(0, 0, 0) : bodies[row->b].w;
    double change = row->mass * (row->target - vec3_dot(row->d, vec3_sub(wb, wa)));
    if (row->a >= 0 && bodies[row->a].inverse_mass > 0)
        bodies[row->a].w = vec3_axpy(wa, -change, sym3_mul(bodies[row->a].inverse_inertia, row->d));
    if (row->b >= 0 && bodies[row->b].inverse_mass > 0)
        bodies[row->b].w = vec3_axpy(wb, change, sym3_mul(bodies[row->b].inverse_inertia, row->d));
    // a spin of one radian per second moves the arm's end
    double arm = fmax(vec3_length(row->arm_a), vec3_length(row->arm_b));
    return fabs(change) / row->mass * arm;
}

double carom_world_joint_relax(carom_rest_body *bodies, double h, carom_world_joint_row *row)
{
    if (row->kind == PULL)
        return relax_string(bodies, h, row);
    if (row->kind == ABOUT)
        return relax_about(bodies, row);
    double change = row->mass * (row->target - vec3_dot(row->d, slip(bodies, row)));
    push(bodies, row->a, row->arm_a, vec3_scale(-change, row->d));
    push(bodies, row->b, row->arm_b, vec3_scale(change, row->d));
    return fabs(change) / row->mass;
}
