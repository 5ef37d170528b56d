// Drift correction: overlap beyond the slop is taken out by moving bodies, never by giving them
// speed.
//
// Moving a body up costs potential energy. The correction may spend only what resting contact has
// lost so far and not yet given back, so that the total never grows because of it; what it spends
// is booked.
#include "world/step.h"

static const double share = 0.2; // of the overlap beyond the slop, per interval

static double respond(const carom_world *world, const carom_touch *touch)
{
    vec3 n = touch->normal;
    vec3 ta = vec3_cross(touch->arm_a, n), tb = vec3_cross(touch->arm_b, n);
    return world->inverse_mass[touch->a] + world->inverse_mass[touch->b] +
           vec3_dot(ta, sym3_mul(world->inverse_inertia[touch->a], ta)) +
           vec3_dot(tb, sym3_mul(world->inverse_inertia[touch->b], tb));
}

// Moves one body; returns what its potential energy gained.
static double nudge(carom_world *world, int i, double amount, vec3 arm, vec3 n)
{
    if (world->fixed[i])
        return 0;
    vec3 turn = vec3_scale(0.5 * amount, sym3_mul(world->inverse_inertia[i], vec3_cross(arm, n)));
    world->now.position[i] = vec3_axpy(world->now.position[i], amount * world->inverse_mass[i], n);
    world->now.rotation[i] =
        quat_unit(quat_mul(quat_unit((quat){ 1, turn.x, turn.y, turn.z }), world->now.rotation[i]));
    return -amount * vec3_dot(vec3_from(world->options.gravity), n);
}

carom_status carom_drift_correct(carom_step *step, carom_error *err)
{
    (void)err;
    carom_world *world = step->world;
    carom_ledger *ledger = &world->now.ledger;
    for (int i = 0; i < step->touch_count; ++i) {
        const carom_touch *touch = &step->touches[i];
        double depth = -touch->gap - world->options.slop;
        if (depth <= 0)
            continue;
        if (ledger->drift > ledger->rest)
            break;
        double amount = share * depth / respond(world, touch);
        ledger->drift += nudge(world, touch->a, -amount, touch->arm_a, touch->normal);
        ledger->drift += nudge(world, touch->b, amount, touch->arm_b, touch->normal);
    }
    return CAROM_OK;
}
