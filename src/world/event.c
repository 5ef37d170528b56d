// The first time of impact within the interval.
//
// Conservative advancement on the true motion (parabolas, not chords): the gap of a pair cannot
// close faster than a bound on its relative speed, so stepping by gap / bound never passes a
// contact.
#include "collide/narrow.h"
#include "world/step.h"

enum { ADVANCES = 400 };

static double first_contact(const carom_step *step, int a, int b, double most);
static bool rests(const carom_step *step, int first, int last);

carom_status carom_event_limit(carom_step *step, carom_error *err)
{
    (void)err;
    for (int first = 0, last; first < step->touch_count; first = last) {
        int a = step->touches[first].a, b = step->touches[first].b;
        for (last = first;
             last < step->touch_count && step->touches[last].a == a && step->touches[last].b == b;)
            ++last;
        if (rests(step, first, last))
            continue;
        step->h = fmin(step->h, first_contact(step, a, b, step->h));
    }
    return CAROM_OK;
}

// A pair that touches already and does not approach faster than the resting speed belongs to the
// resting solver.
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

static carom_pose pose_after(const carom_world *world, int i, double t)
{
    vec3 position = vec3_axpy(vec3_axpy(world->now.position[i], t, world->now.velocity[i]),
                              0.5 * t * t, acceleration(world, i));
    vec3 w = world->now.spin[i];
    quat turn = quat_unit((quat){ 1, 0.5 * t * w.x, 0.5 * t * w.y, 0.5 * t * w.z });
    return carom_pose_make(position, quat_unit(quat_mul(turn, world->now.rotation[i])));
}

static double spin_speed(const carom_world *world, int i)
{
    if (carom_shape_kind_of(world->shape[i]) == CAROM_SHAPE_SPHERE)
        return 0;
    double spin = vec3_length(world->now.spin[i]);
    return spin > 0 ? spin * carom_shape_radius(world->shape[i]) : 0;
}

static double first_contact(const carom_step *step, int a, int b, double most)
{
    const carom_world *world = step->world;
    vec3 velocity = vec3_sub(world->now.velocity[b], world->now.velocity[a]);
    vec3 pull = vec3_sub(acceleration(world, b), acceleration(world, a));
    double turning = spin_speed(world, a) + spin_speed(world, b), fall = vec3_length(pull);
    double t = 0;
    for (int k = 0; k < ADVANCES && t < most; ++k) {
        carom_pose pose_a = pose_after(world, a, t), pose_b = pose_after(world, b, t);
        vec3 now = vec3_axpy(velocity, t, pull);
        double bound = vec3_length(now) + turning + fall * (most - t);
        carom_contact contact = carom_narrow_gap(world->shape[a], &pose_a, world->shape[b], &pose_b,
                                                 bound * (most - t));
        if (!(contact.gap <= bound * (most - t)))
            return most;
        double closing = -vec3_dot(now, contact.normal);
        // a pair at the very surface that leaves again does not meet
        if (contact.gap <= 0.5 * world->options.touch && closing + turning <= 0)
            t += fmax(1e-3 * most, world->options.touch / fmax(bound, 1e-300));
        else if (contact.gap <= 0.5 * world->options.touch)
            return t;
        else
            t += contact.gap / fmax(bound, 1e-300);
    }
    return fmin(t, most);
}
