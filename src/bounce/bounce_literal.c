// Symplectic Euler, step by step as the paper does it [Bounce, algorithm 1, with R = 1 and lever
// X].
//
// Kick, contact test on the gap of the current position with the velocity of the predicted state,
// inelastic impulse, drift. The gap counts as closed up to 1e-5 dt: with zero, rounding makes
// spurious micro-collisions. The body has left for good when its rigid part is farther away than
// all modes together can reach; the reach of a mode comes from the invariant q'^2 + w^2 q^2 - dt
// w^2 q q' of this scheme, not from the energy, which it does not keep.
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include "bounce/bounce.h"

enum { CHECK_EVERY = 32 };

static double reach(const carom_bounce_case *one, const double *q, const double *speed, double dt)
{
    double sum = 0;
    for (int i = 0; i < one->mode_count; ++i) {
        double w = one->omega[i], half = 0.5 * w * dt;
        double invariant = speed[i] * speed[i] + w * w * q[i] * q[i] - dt * w * w * q[i] * speed[i];
        sum += fabs(one->a[i]) * sqrt(fmax(invariant, 0)) / (w * sqrt(1 - half * half));
    }
    return sum;
}

static void run(const carom_bounce_case *one, const carom_bounce_options *options, double *q,
                carom_bounce_result *result)
{
    int m = one->mode_count;
    double *speed = q + m, fastest = 0, response = one->w, z = 0, rigid = -1;
    for (int i = 0; i < m; ++i) {
        fastest = fmax(fastest, one->omega[i]);
        response += one->a[i] * one->a[i];
    }
    double dt = (options->turn > 0 ? options->turn : 0.058) / fastest, closed = 1e-5 * dt;
    bool touching = false;
    for (long n = 0; n < options->budget; ++n) {
        double gap = z, approach = rigid;
        for (int i = 0; i < m; ++i) {
            double pull = one->omega[i] * one->omega[i];
            speed[i] -= dt * pull * (q[i] + options->damping * speed[i]);
            gap += one->a[i] * q[i];
            approach += one->a[i] * speed[i];
        }
        bool hit = gap <= closed && approach < 0;
        if (hit) {
            double impulse = -approach / response * (options->elastic ? 2 : 1);
            rigid += one->w * impulse;
            result->impulse += impulse;
            for (int i = 0; i < m; ++i)
                speed[i] += one->a[i] * impulse;
            result->micro += !touching;
            result->tau = (double)n * dt;
        }
        touching = hit;
        for (int i = 0; i < m; ++i)
            q[i] += dt * speed[i];
        z += dt * rigid;
        result->steps = n + 1;
        if (!hit && rigid > 0 && n % CHECK_EVERY == 0 && z > reach(one, q, speed, dt)) {
            result->end = CAROM_BOUNCE_LEFT;
            break;
        }
    }
    result->epsilon = rigid;
}

carom_status carom_bounce_literal(const carom_bounce_case *one, const carom_bounce_options *options,
                                  carom_bounce_result *result, carom_error *err)
{
    NEED(err, one);
    TRY(carom_bounce_check(one, options, err));
    *result = (carom_bounce_result){ .end = CAROM_BOUNCE_CAPPED };
    if (carom_bounce_rigid(one, result))
        return CAROM_OK;
    double *q = calloc(2 * (size_t)one->mode_count, sizeof *q);
    if (!q)
        return carom_error_no_memory(err, "%d modes", one->mode_count);
    run(one, options, q, result);
    free(q);
    return CAROM_OK;
}
