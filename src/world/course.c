// How a body moves within an interval if nothing touches it.
#include "world/course.h"
#include "world/linkage.h"
#include "world/motion.h"

// A body that turns farther than this within the interval does not turn about one axis, unless its
// inertia is the same about all: its free rotation is followed as it moves (motion.c), and no
// farther than that can be done quickly: the interval ends there.
static const double FAR = 0.1, FARTHEST = 1; // rad

static void follow(const carom_world *world, int i, carom_course *c)
{
    if (world->fixed[i] || !(c->spin * c->h > FAR) || sym3_is_number(world->inertia[i]))
        return;
    c->inertia = world->inertia[i];
    c->tumbles = true;
    c->h = fmin(c->h, FARTHEST / c->spin);
    for (int k = 1; k <= 2; ++k) {
        quat q = c->q;
        vec3 w = c->w;
        carom_motion_turn(c->inertia, 0.5 * k * c->h, &q, &w);
        c->spin = fmax(c->spin, vec3_length(w));
    }
}

carom_course carom_course_of(const carom_step *step, int i, bool pressed)
{
    const carom_world *world = step->world;
    const carom_linkage_body *from, *to;
    vec3 fall = world->pull[i];
    carom_course c = { world->now.position[i],
                       world->now.velocity[i],
                       fall,
                       fall,
                       world->now.rotation[i],
                       world->now.spin[i],
                       step->h,
                       vec3_length(world->now.spin[i]),
                       NULL,
                       quat_identity(),
                       false,
                       { 0, 0, 0, 0, 0, 0 } };
    c.v = vec3_sub(c.v, vec3_from(world->drive[i].belt)); // which does not move the body
    if (!carom_linkage_ends(step, i, pressed, &from, &to, &c.h)) {
        follow(world, i, &c);
        return c;
    }
    vec3 chord = vec3_scale(6 / (c.h * c.h), vec3_sub(to->x, from->x));
    double per = 1 / c.h;
    c.v = from->v;
    c.w = from->w;
    c.early = vec3_axpy(vec3_axpy(chord, -4 * per, from->v), -2 * per, to->v);
    c.late = vec3_axpy(vec3_axpy(vec3_neg(chord), 2 * per, from->v), 4 * per, to->v);
    c.spin = fmax(vec3_length(from->w), vec3_length(to->w));
    c.end = to;
    double same = c.q.w * to->q.w + c.q.x * to->q.x + c.q.y * to->q.y + c.q.z * to->q.z;
    c.end_q = same < 0 ? (quat){ -to->q.w, -to->q.x, -to->q.y, -to->q.z } : to->q;
    return c;
}

vec3 carom_course_velocity(const carom_course *c, double t)
{
    vec3 v = vec3_axpy(c->v, t, c->early);
    return c->end ? vec3_axpy(v, 0.5 * t * t / c->h, vec3_sub(c->late, c->early)) : v;
}

// Half of w q: how fast q changes.
static quat rate_of(vec3 w, quat q)
{
    return quat_mul((quat){ 0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z }, q);
}

// The cubic through both rotations with the spins there.
static quat between(const carom_course *c, double t)
{
    double s = t / c->h, r = 1 - s;
    double k0 = r * r * (1 + 2 * s), k1 = s * s * (1 + 2 * r), d0 = t * r * r,
           d1 = -c->h * s * s * r;
    quat p = c->q, q = c->end_q, u = rate_of(c->w, p), v = rate_of(c->end->w, q);
    return quat_unit((quat){
        k0 * p.w + k1 * q.w + d0 * u.w + d1 * v.w, k0 * p.x + k1 * q.x + d0 * u.x + d1 * v.x,
        k0 * p.y + k1 * q.y + d0 * u.y + d1 * v.y, k0 * p.z + k1 * q.z + d0 * u.z + d1 * v.z });
}

vec3 carom_course_position(const carom_course *c, double t)
{
    vec3 position = vec3_axpy(vec3_axpy(c->x, t, c->v), 0.5 * t * t, c->early);
    return c->end ? vec3_axpy(position, t * t * t / (6 * c->h), vec3_sub(c->late, c->early))
                  : position;
}

quat carom_course_rotation(const carom_course *c, double t)
{
    quat q = c->q;
    vec3 w = c->w;
    if (c->tumbles && carom_motion_turn(c->inertia, t, &q, &w))
        return q;
    return c->end ? between(c, t) : quat_unit(quat_mul(carom_motion_rotation(c->w, t), c->q));
}

carom_pose carom_course_pose(const carom_course *c, double t)
{
    return carom_pose_make(carom_course_position(c, t), carom_course_rotation(c, t));
}

// The most acceleration along n within the interval.
double carom_course_pull(const carom_course *c, vec3 n)
{
    double early = vec3_dot(c->early, n);
    return c->end ? fmax(early, vec3_dot(c->late, n)) : early;
}

double carom_course_turning(const carom_world *world, int i, double spin)
{
    if (carom_shape_kind_of(world->shape[i]) == CAROM_SHAPE_SPHERE)
        return 0;
    return spin > 0 ? spin * carom_shape_radius(world->shape[i]) : 0;
}
