// Scenes of jointed bodies with consistent velocities, and the measures of how well they are kept.
#include "support/linkages.h"

#include <string.h>
#include "support/check.h"

static const vec3 zero = { 0, 0, 0 };

linkages linkages_begin(double gravity)
{
    linkages l = { .s = small_world_make("wave") };
    l.s.options.gravity[2] = -gravity;
    l.s.group = 1;
    return l;
}

void linkages_end(linkages *l)
{
    small_world_end(&l->s);
}

int linkages_box(linkages *l, vec3 half, double mass, vec3 at, quat turn, vec3 velocity, vec3 spin)
{
    const double q[4] = { turn.w, turn.x, turn.y, turn.z };
    double x[3], v[3], w[3];
    memcpy(l->s.rotation, q, sizeof q);
    vec3_store(at, x);
    vec3_store(velocity, v);
    vec3_store(spin, w);
    int i = small_world_box(&l->s, (double[]){ half.x, half.y, half.z }, mass, x, v);
    carom_world_set_velocity(l->s.world, carom_world_body_at(l->s.world, i), v, w, NULL);
    ++l->body_count;
    return i;
}

vec3 linkages_position(const linkages *l, int body)
{
    double x[3];
    carom_world_body(l->s.world, carom_world_body_at(l->s.world, body), x, NULL, NULL, NULL);
    return vec3_from(x);
}

quat linkages_rotation(const linkages *l, int body)
{
    double q[4];
    carom_world_body(l->s.world, carom_world_body_at(l->s.world, body), NULL, q, NULL, NULL);
    return (quat){ q[0], q[1], q[2], q[3] };
}

vec3 linkages_velocity(const linkages *l, int body)
{
    double v[3];
    carom_world_body(l->s.world, carom_world_body_at(l->s.world, body), NULL, NULL, v, NULL);
    return vec3_from(v);
}

vec3 linkages_spin(const linkages *l, int body)
{
    double w[3];
    carom_world_body(l->s.world, carom_world_body_at(l->s.world, body), NULL, NULL, NULL, w);
    return vec3_from(w);
}

static vec3 to_body(const linkages *l, int body, vec3 point)
{
    if (body < 0)
        return point;
    return quat_rotate(quat_conjugate(linkages_rotation(l, body)),
                       vec3_sub(point, linkages_position(l, body)));
}

static vec3 to_world(const linkages *l, int body, vec3 point)
{
    if (body < 0)
        return point;
    return vec3_add(linkages_position(l, body), quat_rotate(linkages_rotation(l, body), point));
}

void linkages_join(linkages *l, carom_joint_kind kind, int a, int b, vec3 at, vec3 axis)
{
    carom_joint joint = { .kind = kind,
                          .a = carom_world_body_at(l->s.world, a),
                          .b = carom_world_body_at(l->s.world, b) };
    vec3_store(at, joint.anchor_a);
    vec3_store(at, joint.anchor_b);
    vec3_store(axis, joint.axis);
    small_world_join(&l->s, &joint);
    l->joints[l->joint_count++] = (linkages_joint){ a, b, to_body(l, a, at), to_body(l, b, at) };
}

static double apart(const linkages *l)
{
    double max = 0;
    for (int j = 0; j < l->joint_count; ++j) {
        const linkages_joint *joint = &l->joints[j];
        vec3 gap = vec3_sub(to_world(l, joint->b, joint->at_b), to_world(l, joint->a, joint->at_a));
        max = fmax(max, vec3_length(gap));
    }
    return max;
}

linkages_kept linkages_run(linkages *l, double dt, int steps)
{
    carom_ledger start = carom_world_ledger(l->s.world);
    linkages_kept kept = { 0 };
    double max = start.kinetic, low = start.potential, high = low, largest = 0;
    carom_error err = { 0 };
    for (int k = 0; k < steps; ++k) {
        if (!CHECK(carom_world_step(l->s.world, dt, &err) == CAROM_OK, "step %d: %s %s", k,
                   err.what, err.where))
            break;
        carom_ledger now = carom_world_ledger(l->s.world);
        vec3 angular = vec3_from(now.angular);
        max = fmax(max, now.kinetic);
        low = fmin(low, now.potential);
        high = fmax(high, now.potential);
        largest = fmax(largest, vec3_length(angular));
        kept.energy = fmax(kept.energy, fabs(now.kinetic + now.potential - start.start));
        vec3 change = vec3_sub(angular, vec3_from(start.angular));
        kept.angular = fmax(kept.angular, vec3_length(change));
        kept.apart = fmax(kept.apart, apart(l));
    }
    kept.energy /= fmax(max, high - low);
    kept.angular /= largest > 0 ? largest : 1;
    return kept;
}

// -- scenes ---------------------------------------------------------------------------------------

static quat about_y(double angle)
{
    return (quat){ cos(0.5 * angle), 0, sin(0.5 * angle), 0 };
}

static const vec3 bar = { 0.03, 0.02, 0.5 }; // half sides: 1 m along z

// A bar that hangs from `top`, turned by `angle` about y.
static int hang(linkages *l, vec3 top, vec3 top_velocity, double angle, double speed, vec3 *bottom,
                vec3 *bottom_velocity)
{
    quat turn = about_y(angle);
    vec3 down = quat_rotate(turn, vec3_make(0, 0, -bar.z)), spin = { 0, speed, 0 };
    *bottom = vec3_axpy(top, 2, down);
    *bottom_velocity = vec3_axpy(top_velocity, 2, vec3_cross(spin, down));
    return linkages_box(l, bar, 2, vec3_add(top, down), turn,
                        vec3_add(top_velocity, vec3_cross(spin, down)), spin);
}

linkages linkages_pendulum(double gravity, double angle, double speed)
{
    linkages l = linkages_begin(gravity);
    vec3 end, velocity;
    int body = hang(&l, zero, zero, angle, speed, &end, &velocity);
    linkages_join(&l, CAROM_JOINT_HINGE, body, -1, zero, vec3_make(0, 1, 0));
    return l;
}

linkages linkages_double_pendulum(double angle, double speed)
{
    linkages l = linkages_begin(9.81);
    vec3 end, velocity, last, last_velocity, axis = { 0, 1, 0 };
    int upper = hang(&l, zero, zero, angle, 0, &end, &velocity);
    int lower = hang(&l, end, velocity, angle, speed, &last, &last_velocity);
    linkages_join(&l, CAROM_JOINT_HINGE, upper, -1, zero, axis);
    linkages_join(&l, CAROM_JOINT_HINGE, upper, lower, end, axis);
    return l;
}

// The velocity of body `i` at a point.
static vec3 velocity_at(const linkages *l, int i, vec3 point)
{
    vec3 arm = vec3_sub(point, linkages_position(l, i));
    return vec3_add(linkages_velocity(l, i), vec3_cross(linkages_spin(l, i), arm));
}

// A box joined to body `to` at a point, with a spin of its own; its centre is `offset` from there.
static int attach(linkages *l, int to, carom_joint_kind kind, vec3 at, vec3 offset, vec3 half,
                  double mass, vec3 spin)
{
    vec3 velocity = to < 0 ? zero : velocity_at(l, to, at);
    if (to >= 0 && kind == CAROM_JOINT_FIXED)
        spin = linkages_spin(l, to);
    vec3 axis = vec3_unit(to < 0 ? spin : vec3_sub(spin, linkages_spin(l, to)));
    if (vec3_length(axis) == 0)
        axis = vec3_make(0, 1, 0);
    int i =
        linkages_box(l, half, mass, vec3_add(at, offset), quat_unit((quat){ 0.9, 0.1, 0.3, -0.2 }),
                     vec3_add(velocity, vec3_cross(spin, offset)), spin);
    linkages_join(l, kind, to, i, at, axis);
    return i;
}

linkages linkages_free(void)
{
    linkages l = linkages_begin(0);
    vec3 half = { 0.1, 0.2, 0.3 };
    int first = linkages_box(&l, half, 2, zero, quat_unit((quat){ 0.7, 0.3, -0.4, 0.2 }),
                             vec3_make(0.3, -0.2, 0.1), vec3_make(1, 3, -2));
    int second = attach(&l, first, CAROM_JOINT_BALL, vec3_make(0.4, 0.1, 0), vec3_make(0.3, 0, 0.2),
                        vec3_make(0.15, 0.1, 0.25), 1, vec3_make(-2, 4, 1));
    attach(&l, second, CAROM_JOINT_HINGE, vec3_make(0.9, 0.2, 0.3), vec3_make(0.2, 0.3, 0),
           vec3_make(0.3, 0.05, 0.1), 0.7, vec3_make(1, 2, 5));
    attach(&l, first, CAROM_JOINT_BALL, vec3_make(-0.3, -0.3, 0.1), vec3_make(-0.3, 0, -0.2),
           vec3_make(0.05, 0.2, 0.15), 1.5, vec3_make(3, -1, 2));
    return l;
}

// A bar between two points of the plane y = 0, with the velocities they have.
static int link(linkages *l, vec3 from, vec3 to, vec3 from_velocity, double speed, double mass)
{
    vec3 along = vec3_sub(to, from), half = vec3_scale(0.5, along), spin = { 0, speed, 0 };
    double angle = atan2(along.x, along.z);
    return linkages_box(l, vec3_make(0.03, 0.02, vec3_length(half)), mass, vec3_add(from, half),
                        about_y(angle), vec3_add(from_velocity, vec3_cross(spin, half)), spin);
}

// Crank of 0.4 m from the origin upwards, coupler of 1 m, rocker of 0.8 m to (0.9, 0, 0): by
// Grashof's rule the crank turns full circles.
linkages linkages_four_bar(double gravity, double speed)
{
    const double crank = 0.4, coupler = 1, rocker = 0.8, ground = 0.9;
    linkages l = linkages_begin(gravity);
    vec3 a = { 0, 0, crank }, d = { ground, 0, 0 }, axis = { 0, 1, 0 };
    vec3 gap = vec3_sub(d, a);
    double distance = vec3_length(gap);
    double along = (coupler * coupler - rocker * rocker + distance * distance) / (2 * distance);
    vec3 unit = vec3_unit(gap), side = { -unit.z, 0, unit.x };
    vec3 b = vec3_axpy(vec3_axpy(a, along, unit), sqrt(coupler * coupler - along * along), side);
    // speeds of the coupler and rocker: w x AB + v_A = u x DB, both sides in the plane
    vec3 va = vec3_cross(vec3_make(0, speed, 0), a), ab = vec3_sub(b, a), db = vec3_sub(b, d);
    vec3 p = vec3_cross(axis, ab), q = vec3_cross(axis, db);
    double det = -p.x * q.z + q.x * p.z;
    double w = (va.x * q.z - q.x * va.z) / det, u = (p.z * va.x - p.x * va.z) / det;
    int first = link(&l, zero, a, zero, speed, 1), second = link(&l, a, b, va, w, 2);
    int third = link(&l, d, b, zero, u, 1.5);
    linkages_join(&l, CAROM_JOINT_HINGE, -1, first, zero, axis);
    linkages_join(&l, CAROM_JOINT_HINGE, first, second, a, axis);
    linkages_join(&l, CAROM_JOINT_HINGE, second, third, b, axis);
    linkages_join(&l, CAROM_JOINT_HINGE, -1, third, d, axis);
    return l;
}

linkages linkages_chain(int count, double heavy)
{
    linkages l = linkages_begin(9.81);
    int last = -1;
    for (int i = 0; i < count; ++i) {
        vec3 at = { 0.3 * i, 0, 0 };
        last = attach(&l, last, i % 2 ? CAROM_JOINT_HINGE : CAROM_JOINT_BALL, at,
                      vec3_make(0.15, 0, 0), vec3_make(0.12, 0.03, 0.05),
                      i + 1 == count ? heavy : 1, zero);
    }
    return l;
}

linkages linkages_two(carom_joint_kind kind)
{
    linkages l = linkages_begin(0);
    vec3 spin = { 3, 4, 3 };
    int first = linkages_box(&l, vec3_make(0.1, 0.2, 0.15), 1, zero, quat_identity(), zero, spin);
    attach(&l, first, kind, vec3_make(0.2, 0.1, 0), vec3_make(0.2, 0.1, 0.1),
           vec3_make(0.1, 0.1, 0.2), 1.5, spin);
    return l;
}
