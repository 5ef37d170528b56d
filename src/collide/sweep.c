// Time of impact.
//
// Conservative advancement (Mirtich 1996, "Impulse-based dynamic simulation of rigid body
// systems", 2.3): with the gap d and a bound c on the speed at which it can close, no contact can
// happen before d / c. Between convex shapes a plane orthogonal to the normal n separates them, so
// c = (va - vb) . n plus what rotation adds, at most |spin| times the radius about the centre of
// mass; otherwise c takes |va - vb|.
#include "collide/sweep.h"
#include "collide/narrow.h"
#include "shape/plane.h"

enum { STEPS = 256 };

static bool spheres(const carom_sweep_body *a, const carom_sweep_body *b, double duration,
                    carom_sweep_hit *hit);
static bool sphere_and_plane(const carom_sweep_body *a, const carom_sweep_body *b, double duration,
                             carom_sweep_hit *hit);
static carom_sweep_hit advance(const carom_sweep_body *a, const carom_sweep_body *b,
                               double duration, double slop);

carom_sweep_hit carom_sweep_find(const carom_sweep_body *a, const carom_sweep_body *b,
                                 double duration, double slop)
{
    carom_sweep_hit hit;
    if (spheres(a, b, duration, &hit))
        return hit;
    if (sphere_and_plane(a, b, duration, &hit))
        return hit;
    if (sphere_and_plane(b, a, duration, &hit)) {
        hit.normal = vec3_neg(hit.normal);
        return hit;
    }
    return advance(a, b, duration, slop);
}

// |d + w t| = r, the earlier root: t = c / (-b + sqrt(b^2 - c |w|^2)) with b = d.w, c = d.d - r^2,
// which does not cancel for b < 0.
static bool spheres(const carom_sweep_body *a, const carom_sweep_body *b, double duration,
                    carom_sweep_hit *hit)
{
    if (a->shape->kind != CAROM_SHAPE_SPHERE || b->shape->kind != CAROM_SHAPE_SPHERE)
        return false;
    vec3 d = vec3_sub(b->position, a->position), w = vec3_sub(b->velocity, a->velocity);
    double r = a->shape->radius + b->shape->radius, dd = vec3_dot(d, d), dw = vec3_dot(d, w);
    // d.d - r^2 as a product keeps the digits of a small gap.
    double c = (sqrt(dd) - r) * (sqrt(dd) + r), root = dw * dw - c * vec3_dot(w, w);
    *hit = (carom_sweep_hit){ .end = CAROM_SWEEP_MISS, .time = duration };
    if (dw >= 0 || (c > 0 && root < 0))
        return true;
    double time = c > 0 ? c / (-dw + sqrt(root)) : 0;
    if (time > duration)
        return true;
    hit->end = c > 0 ? CAROM_SWEEP_HIT : CAROM_SWEEP_TOUCHED;
    hit->time = time;
    hit->normal = vec3_unit(vec3_axpy(d, time, w));
    hit->gap = c > 0 ? 0 : sqrt(dd) - r;
    return true;
}

static bool sphere_and_plane(const carom_sweep_body *a, const carom_sweep_body *b, double duration,
                             carom_sweep_hit *hit)
{
    if (a->shape->kind != CAROM_SHAPE_SPHERE || b->shape->kind != CAROM_SHAPE_PLANE)
        return false;
    vec3 up = carom_plane_normal(b->shape, quat_rotate(b->rotation, vec3_make(0, 0, 1)));
    double gap = vec3_dot(up, vec3_sub(a->position, b->position)) - a->shape->radius;
    double falling = vec3_dot(up, vec3_sub(b->velocity, a->velocity));
    *hit = (carom_sweep_hit){ .end = CAROM_SWEEP_MISS, .time = duration };
    if (falling <= 0 || gap > falling * duration)
        return true;
    hit->end = gap > 0 ? CAROM_SWEEP_HIT : CAROM_SWEEP_TOUCHED;
    hit->time = gap > 0 ? gap / falling : 0;
    hit->gap = gap > 0 ? 0 : gap;
    hit->normal = vec3_neg(up);
    return true;
}

// exp(v / 2) as a quaternion: a series for 1/1024 of the turn, squared ten times. The C library's
// sin and cos may differ between machines.
static quat turn_by(vec3 v)
{
    vec3 h = vec3_scale(.5 / 1024, v);
    double x = vec3_dot(h, h);
    double c = 1 - x / 2 * (1 - x / 12 * (1 - x / 30)), s = 1 - x / 6 * (1 - x / 20 * (1 - x / 42));
    quat q = { c, s * h.x, s * h.y, s * h.z };
    for (int i = 0; i < 10; ++i)
        q = quat_mul(q, q);
    return quat_unit(q);
}

static carom_pose pose_at(const carom_sweep_body *body, double time)
{
    quat turned = quat_mul(turn_by(vec3_scale(time, body->spin)), body->rotation);
    return carom_pose_make(vec3_axpy(body->position, time, body->velocity), quat_unit(turned));
}

static bool is_convex(const carom_shape *shape)
{
    return shape->kind != CAROM_SHAPE_MESH && shape->kind != CAROM_SHAPE_COMPOUND;
}

// The most that turning can move a point of the surface, per second.
static double turning_speed(const carom_sweep_body *body)
{
    double spin = vec3_length(body->spin);
    return spin > 0 && body->shape->kind != CAROM_SHAPE_SPHERE ? spin * body->shape->bounding_radius
                                                               : 0;
}

static carom_sweep_hit advance(const carom_sweep_body *a, const carom_sweep_body *b,
                               double duration, double slop)
{
    vec3 closing = vec3_sub(a->velocity, b->velocity);
    double turning = turning_speed(a) + turning_speed(b), speed = vec3_length(closing) + turning;
    bool convex = is_convex(a->shape) && is_convex(b->shape);
    carom_sweep_hit hit = { .end = CAROM_SWEEP_MISS, .time = duration };
    double time = 0;
    for (int step = 0; step < STEPS; ++step) {
        carom_pose pa = pose_at(a, time), pb = pose_at(b, time);
        double rest = speed * (duration - time) + slop;
        carom_contact nearest = carom_narrow_gap(a->shape, &pa, b->shape, &pb, rest);
        hit.steps = step + 1;
        if (nearest.gap > rest)
            return hit; // cannot meet in the time that is left
        double bound = convex ? vec3_dot(closing, nearest.normal) + turning : speed;
        if (bound <= 0)
            return hit; // parting
        hit.normal = nearest.normal;
        hit.gap = nearest.gap;
        if (nearest.gap <= slop) {
            hit.end = step == 0 ? CAROM_SWEEP_TOUCHED : CAROM_SWEEP_HIT;
            hit.time = time;
            return hit;
        }
        // Aim at half the slop: arriving exactly at zero would leave the sign to round-off.
        double next = time + (nearest.gap - .5 * slop) / bound;
        if (next > duration)
            return hit;
        time = next;
    }
    hit.end = CAROM_SWEEP_BUDGET;
    hit.time = time;
    return hit;
}
