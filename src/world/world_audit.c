// Judges a step by its books: a state that is no number, and energy out of nothing. What the law
// itself promises is judged where it is asked (journal.c).
#include "world/ledger.h"
#include "world/step.h"

// Energy out of nothing: what this step gained, or the run has in all, beyond what driven bodies
// and motors brought, is more than half of what was at stake before it. Less than that is for the
// report of the run (`integrator`, and the law's own verdict) to tell. Laws that do not promise to
// keep kinetic energy may gain.
static bool diverged(const carom_world *world, double dt, double *gain)
{
    const carom_ledger *now = &world->now.ledger, *was = &world->saved.ledger;
    double brought = now->driven + now->motors, law = now->law - was->law;
    double driven = brought - (was->driven + was->motors);
    double mass = world->moving_mass, stake = carom_ledger_stake(was);
    bool keeps = carom_law_promises(world->options.law) & CAROM_KIN;
    vec3 kick = vec3_scale(dt, vec3_from(world->options.gravity));
    double energy = now->kinetic + now->potential, before = was->kinetic + was->potential;
    // what one step of gravity moves, and the round-off of the sums
    double min = mass * vec3_dot(kick, kick) + 1e-9 * (fabs(before) + fabs(now->start));
    double step = energy - before - driven + (keeps ? 0 : fmin(law, 0));
    double all = energy - now->start - brought + (keeps ? 0 : fmin(now->law, 0));
    *gain = fmax(step, all);
    return *gain > 0.5 * stake + fabs(driven) + min;
}

// The body that gained most motion.
static int fastest_gaining(const carom_world *world)
{
    double max = -HUGE_VAL;
    int body = 0;
    for (int i = 0; i < world->count; ++i) {
        vec3 v = world->now.velocity[i], w = world->now.spin[i];
        vec3 was_v = world->saved.velocity[i], was_w = world->saved.spin[i];
        double r = world->fixed[i] ? 0 : carom_shape_radius(world->shape[i]);
        double gain = world->mass[i] * (vec3_dot(v, v) - vec3_dot(was_v, was_v) +
                                        r * r * (vec3_dot(w, w) - vec3_dot(was_w, was_w)));
        if (!world->fixed[i] && gain > max) {
            max = gain;
            body = i;
        }
    }
    return body;
}

static carom_status no_number(const carom_world *world, carom_error *err)
{
    for (int i = 0; i < world->count; ++i) {
        vec3 p = world->now.position[i], v = world->now.velocity[i], w = world->now.spin[i];
        if (!isfinite(p.x + p.y + p.z + v.x + v.y + v.z + w.x + w.y + w.z)) {
            carom_error_set(err, CAROM_BROKE_PROMISE, "the state is no longer a number at %.9g s",
                            world->now.ledger.time);
            carom_error_where(err, "body %d, step %lld", i, (long long)world->now.ledger.steps - 1);
            carom_error_body(err, i);
            return carom_error_fix(err, "use a smaller step, or look at the contacts of this body");
        }
    }
    return CAROM_OK;
}

carom_status carom_world_audit_step(const carom_world *world, double dt, carom_error *err)
{
    const carom_ledger *ledger = &world->now.ledger;
    double gain;
    // one body that is nowhere, and the sums are no numbers either
    vec3 momentum = vec3_from(ledger->momentum), angular = vec3_from(ledger->angular);
    if (!isfinite(ledger->kinetic + ledger->potential + momentum.x + momentum.y + momentum.z +
                  angular.x + angular.y + angular.z))
        TRY(no_number(world, err));
    if (diverged(world, dt, &gain)) {
        carom_error_set(err, CAROM_BROKE_PROMISE, "energy grew by %.3g J out of nothing at %.9g s",
                        gain, world->now.ledger.time);
        int body = fastest_gaining(world);
        carom_error_where(err, "body %d, step %lld", body, (long long)world->now.ledger.steps - 1);
        carom_error_body(err, body);
        return carom_error_fix(err, "use a smaller step or more rest_sweeps, or look at this body");
    }
    return CAROM_OK;
}
