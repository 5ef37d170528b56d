// Periodic boundaries: what leaves the box on one side enters it on the other.
//
// Positions are not wrapped. A body keeps the place that its motion has led it to, so that ways,
// heights and joints stay what they are; what repeats itself is who is near whom. Every pair of
// bodies meets at the nearest images of the two (math/period.h): the broad phase looks for them
// (collide/periodic.c), the narrow phase puts b there, and the contact keeps the way to it (`shift`
// of carom_candidate, carom_impact_contact and carom_contact_system), because its arm at b is that
// of the body itself.
//
// Nearest images are enough as long as no body could touch two images of another: two of them
// together reach less than half of the box. Hence a body may be WIDEST of the box wide, and an
// interval is no longer than it takes to go the rest of the way to a quarter of it.
//
// Impulses on both sides are opposite: momentum is kept. Their lines of action differ by the shift:
// angular momentum is not, as in any periodic box.
#include "world/world_periodic.h"

#include <stdio.h>
#include "base/team.h"

static const char names[] = "xyz";
static const double WIDEST = 0.48; // of the box: the diameter of the bounding sphere
enum { INTERVALS = 1000 };         // most of one step

// -- options --------------------------------------------------------------------------------------

carom_status carom_world_periodic_check(const carom_world_options *options, carom_error *err)
{
    for (int k = 0; k < 3; ++k) {
        double low = options->periodic[k][0], high = options->periodic[k][1];
        if (low == high && isfinite(low))
            continue;
        if (isfinite(low) && isfinite(high) && low < high && high - low < 1e12)
            continue;
        carom_error_set(err, CAROM_BAD_INPUT, "the box repeats itself along %c from %g to %g m",
                        names[k], low, high);
        return carom_error_fix(err, "give the lower end, then the upper one, both finite");
    }
    return CAROM_OK;
}

carom_period carom_world_periodic_box(const carom_world_options *options)
{
    carom_period period = { { 0, 0, 0 }, { 0, 0, 0 } };
    for (int k = 0; k < 3; ++k) {
        period.low[k] = options->periodic[k][0];
        period.length[k] = options->periodic[k][1] - options->periodic[k][0];
    }
    return period;
}

void carom_world_periodic_home(const carom_world_options *options, const double position[3],
                               double out[3])
{
    if (!options || !position || !out)
        return;
    carom_period period = carom_world_periodic_box(options);
    vec3 x = vec3_from(position);
    vec3_store(vec3_add(x, carom_period_home(&period, x)), out);
}

// -- bodies ---------------------------------------------------------------------------------------

static carom_status check_plane(const carom_world *world, quat rotation, vec3 spin,
                                carom_error *err)
{
    const double round_off = 1e-12;
    double n[3];
    vec3_store(quat_rotate(rotation, vec3_make(0, 0, 1)), n);
    for (int k = 0; k < 3; ++k)
        n[k] = fabs(n[k]) > round_off ? n[k] : 0;
    vec3 tilts = vec3_cross(spin, vec3_from(n));
    if (vec3_length(tilts) > round_off * vec3_length(spin)) {
        carom_error_set(err, CAROM_BAD_INPUT, "a plane that tilts would cut off the periodic box");
        return carom_error_fix(err, "let it spin about its normal only, or not at all");
    }
    for (int k = 0; k < 3; ++k)
        if (world->period.length[k] > 0 && n[k] != 0) {
            carom_error_set(err, CAROM_BAD_INPUT,
                            "a plane with the normal (%.3g, %.3g, %.3g) would cut off the box that "
                            "repeats itself along %c",
                            n[0], n[1], n[2], names[k]);
            return carom_error_fix(err, "turn the plane along %c, or make %c not periodic",
                                   names[k], names[k]);
        }
    return CAROM_OK;
}

carom_status carom_world_periodic_body(const carom_world *world, const carom_shape *shape,
                                       quat rotation, vec3 spin, carom_error *err)
{
    double wide = 2 * carom_shape_radius(shape);
    if (!world->periodic)
        return CAROM_OK;
    if (carom_shape_kind_of(shape) == CAROM_SHAPE_PLANE)
        return check_plane(world, rotation, spin, err);
    for (int k = 0; k < 3; ++k) {
        double length = world->period.length[k];
        if (!(length > 0) || wide + 4 * world->options.slop <= WIDEST * length)
            continue;
        carom_error_set(err, CAROM_BAD_INPUT,
                        "a %s %.3g m wide in a box that repeats itself every %.3g m along %c could "
                        "touch two images of another",
                        carom_shape_kind_name(carom_shape_kind_of(shape)), wide, length, names[k]);
        return carom_error_fix(err, "at most %.2g of the box: widen it to %.3g m, or use a plane",
                               WIDEST, (wide + 4 * world->options.slop) / WIDEST);
    }
    return CAROM_OK;
}

// -- intervals ------------------------------------------------------------------------------------

static double shortest(const carom_period *period)
{
    double min = HUGE_VAL;
    for (int k = 0; k < 3; ++k)
        min = period->length[k] > 0 ? fmin(min, period->length[k]) : min;
    return min;
}

// m/s^2, at most, by gravity and forces from outside.
static double pull_of(const carom_world *world, int i)
{
    vec3 force = vec3_add(world->force[i], world->push[i]);
    return fabs(world->gravity_scale[i]) * vec3_length(vec3_from(world->options.gravity)) +
           vec3_length(force) * world->inverse_mass[i];
}

// How long until somebody has gone so far that two of its kind could meet at the second nearest
// image: v t + g t^2 / 2 is what is left of a quarter of the box. `who`: that body.
static double time_of(const carom_world *world, double max, int *who)
{
    double quarter = 0.25 * shortest(&world->period) - world->options.slop;
    for (int i = 0; i < world->count; ++i) {
        double radius = carom_shape_radius(world->shape[i]);
        if (world->kind[i] == CAROM_BODY_FIXED || world->kind[i] >= CAROM_BODY_REMOVED ||
            world->asleep[i] || !isfinite(radius))
            continue;
        double speed = vec3_length(world->now.velocity[i]), pull = pull_of(world, i);
        if (!world->sphere[i])
            speed += vec3_length(world->now.spin[i]) * radius;
        double room = quarter - radius, root = sqrt(speed * speed + 2 * pull * room);
        if (speed + root > 0 && 2 * room < max * (speed + root)) {
            max = 2 * room / (speed + root);
            *who = i;
        }
    }
    return max;
}

carom_status carom_world_periodic_step(const carom_world *world, double dt, carom_error *err)
{
    int who = -1;
    if (!world->periodic || time_of(world, dt, &who) * INTERVALS >= dt)
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT,
                    "a body moves at %.3g m/s in a box that repeats itself every %.3g m: more than "
                    "%d intervals in a step of %.3g s",
                    vec3_length(world->now.velocity[who]), shortest(&world->period), INTERVALS, dt);
    carom_error_where(err, "body %d, step %lld", who, (long long)world->now.ledger.steps);
    carom_error_body(err, who);
    return carom_error_fix(err, "use a smaller step, or a wider box");
}

void carom_world_periodic_limit(carom_step *step)
{
    int who;
    if (!step->world->periodic)
        return;
    double time = time_of(step->world, step->remaining, &who);
    if (!(time < step->remaining))
        return;
    step->later += step->remaining - time;
    step->remaining = time;
}
