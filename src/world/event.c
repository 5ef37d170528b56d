// Times of impact: for which pairs they are found, and the first one within the interval.
//
// A pair is located (its impact happens at the moment of contact) as long as nothing of it rests,
// and as the step can afford it: each time of impact means looking at the whole world once more.
// Pairs that would pass through each other within the interval are worth more of that than others,
// and pairs that lose nothing are worth all: a moment missed would cost them energy. A pair that is
// not located is resolved at the start of the interval in which it closes.
//
// Conservative advancement on the true motion (parabolas, not chords): along the direction of the
// smallest gap two convex bodies stay apart at least until the gap is used up by the speed of their
// centres along it, their acceleration and the speed at which they turn [Mirtich 1996, chapter 2].
#include "collide/narrow.h"
#include "shape/mesh.h"
#include "world/step.h"

enum { ADVANCES = 200, FAST_SHARE = 10 };
#define ELASTIC 0.999 // restitution from which a pair loses nothing

static bool rests(const carom_step *step, int first, int last);
static bool passes(const carom_step *step, int a, int b);
static double first_contact(const carom_step *step, int first, int last, double most);

static int end_of_pair(const carom_step *step, int first)
{
    const carom_touch *touch = &step->touches[first];
    int last = first + 1;
    while (last < step->touch_count && step->touches[last].a == touch->a &&
           step->touches[last].b == touch->b)
        ++last;
    return last;
}

// What a shape makes its pairs dearer by, in pairs of simple ones: measured, a mesh costs as much
// as a third of its triangles, parts of a compound beyond the walls of a box a quarter each.
static double dearness(const carom_shape *shape)
{
    enum { TRIANGLES = 3, PARTS = 4, WALLS = 6 };
    double sum = 0;
    if (shape->kind == CAROM_SHAPE_MESH)
        return (double)shape->mesh->triangle_count / TRIANGLES;
    for (int i = 0; i < shape->part_count; ++i)
        sum += dearness(shape->parts[i].shape) + (i < WALLS ? 0 : 1.0 / PARTS);
    return sum;
}

// What one more interval costs.
static double work_of(const carom_step *step)
{
    const carom_world *world = step->world;
    double work = (double)world->count + step->touch_count;
    for (int first = 0, last; first < step->touch_count; first = last) {
        last = end_of_pair(step, first);
        work += dearness(world->shape[step->touches[first].a]) +
                dearness(world->shape[step->touches[first].b]);
    }
    return work;
}

void carom_event_choose(carom_step *step)
{
    const carom_world *world = step->world;
    if (!step->to_event)
        return; // as they are made, touches are not located
    double work = work_of(step);
    bool slow = step->work + work <= world->options.event_work;
    bool fast = step->work + work <= FAST_SHARE * world->options.event_work;
    step->work += work;
    for (int first = 0, last; first < step->touch_count; first = last) {
        last = end_of_pair(step, first);
        int a = step->touches[first].a, b = step->touches[first].b;
        bool worth = slow || (fast && passes(step, a, b)) ||
                     carom_restitution_now(world, &step->touches[first]) >= ELASTIC;
        bool located = worth && !rests(step, first, last);
        for (int i = first; i < last; ++i)
            step->touches[i].located = located;
    }
}

void carom_event_limit(carom_step *step)
{
    for (int first = 0, last; first < step->touch_count && step->to_event; first = last) {
        last = end_of_pair(step, first);
        if (step->touches[first].located)
            step->h = fmin(step->h, first_contact(step, first, last, step->h));
    }
}

// A pair of which something rests belongs to the resting solver.
static bool rests(const carom_step *step, int first, int last)
{
    const carom_world_options *options = &step->world->options;
    for (int i = first; i < last; ++i)
        if (step->touches[i].gap <= options->slop &&
            fabs(step->touches[i].u) <= options->resting_speed)
            return true;
    return false;
}

static vec3 acceleration(const carom_world *world, int i)
{
    return world->fixed[i] ? vec3_make(0, 0, 0) : vec3_from(world->options.gravity);
}

static double spin_speed(const carom_world *world, int i)
{
    if (carom_shape_kind_of(world->shape[i]) == CAROM_SHAPE_SPHERE)
        return 0;
    double spin = vec3_length(world->now.spin[i]);
    return spin > 0 ? spin * carom_shape_radius(world->shape[i]) : 0;
}

// They move farther against each other than either is thick.
static bool passes(const carom_step *step, int a, int b)
{
    const carom_world *world = step->world;
    vec3 velocity = vec3_sub(world->now.velocity[b], world->now.velocity[a]);
    double speed = vec3_length(velocity) + spin_speed(world, a) + spin_speed(world, b);
    return speed * step->remaining > fmin(world->thickness[a], world->thickness[b]);
}

static carom_pose pose_after(const carom_world *world, int i, double t)
{
    vec3 position = vec3_axpy(vec3_axpy(world->now.position[i], t, world->now.velocity[i]),
                              0.5 * t * t, acceleration(world, i));
    vec3 w = world->now.spin[i];
    quat turn = quat_unit((quat){ 1, 0.5 * t * w.x, 0.5 * t * w.y, 0.5 * t * w.z });
    return carom_pose_make(position, quat_unit(quat_mul(turn, world->now.rotation[i])));
}

// When gap - speed t - half t^2 acceleration is used up; infinite where it never is. gap >= 0.
static double used_up(double gap, double speed, double acceleration)
{
    double square = speed * speed + 2 * acceleration * gap;
    if (square < 0 || (speed <= 0 && acceleration <= 0))
        return HUGE_VAL;
    if (speed > 0)
        return 2 * gap / (speed + sqrt(square));
    return (sqrt(square) - speed) / acceleration;
}

// Until when the contacts of a pair that touches stay open. Where they have just bounced, the gap
// of the pair says nothing: it is their own speed that keeps them apart, until it is used up.
static double apart_until(const carom_step *step, int first, int last)
{
    const carom_world *world = step->world;
    int a = step->touches[first].a, b = step->touches[first].b;
    vec3 pull = vec3_sub(acceleration(world, b), acceleration(world, a));
    double turning = vec3_length(world->now.spin[a]) * spin_speed(world, a) +
                     vec3_length(world->now.spin[b]) * spin_speed(world, b);
    double until = HUGE_VAL;
    bool touching = false;
    for (int i = first; i < last; ++i) {
        const carom_touch *touch = &step->touches[i];
        double back = turning - vec3_dot(pull, touch->normal);
        until = fmin(until, used_up(fmax(touch->gap, 0), -touch->u, back));
        touching = touching || touch->gap <= world->options.slop;
    }
    return touching ? until : 0;
}

static carom_contact gap_after(const carom_step *step, int a, int b, double t, double reach)
{
    const carom_world *world = step->world;
    carom_pose pose_a = pose_after(world, a, t), pose_b = pose_after(world, b, t);
    return carom_narrow_gap(world->shape[a], &pose_a, world->shape[b], &pose_b, reach);
}

// The gap as it is now, from the contacts that were found.
static carom_contact gap_now(const carom_step *step, int first, int last)
{
    carom_contact least = { .a = -1, .b = -1, .gap = HUGE_VAL };
    for (int i = first; i < last; ++i)
        if (step->touches[i].gap < least.gap) {
            least.gap = step->touches[i].gap;
            least.normal = step->touches[i].normal;
        }
    return least;
}

static double first_contact(const carom_step *step, int first, int last, double most)
{
    const carom_world *world = step->world;
    int a = step->touches[first].a, b = step->touches[first].b;
    vec3 velocity = vec3_sub(world->now.velocity[b], world->now.velocity[a]);
    vec3 pull = vec3_sub(acceleration(world, b), acceleration(world, a));
    double turning = spin_speed(world, a) + spin_speed(world, b), fall = vec3_length(pull);
    double t = apart_until(step, first, last);
    for (int k = 0; k < ADVANCES && t < most; ++k) {
        vec3 now = vec3_axpy(velocity, t, pull);
        double left = most - t;
        double reach = (vec3_length(now) + turning + 0.5 * fall * left) * left;
        carom_contact contact =
            t == 0 ? gap_now(step, first, last) : gap_after(step, a, b, t, reach);
        if (!(contact.gap <= reach))
            return most;
        if (contact.gap <= 0.5 * world->options.touch)
            return t;
        t += used_up(contact.gap, turning - vec3_dot(now, contact.normal),
                     -vec3_dot(pull, contact.normal));
    }
    return fmin(t, most);
}
