// One step of a mode as a two-term recurrence, exact (production) or symplectic Euler (literal).
//
// q'' = -omega^2 (q + beta q') [Bounce, section 6, with the sign that loses energy: the printed one
// pumps it in]: rate r = omega^2 beta / 2, squared turning omega^2 - r^2. h(t) = e^-rt sin(vt)/v
// answers a unit impulse; v may be imaginary (overdamped), the series in v^2 does not care.
#include "bounce/bounce_plan.h"

#include <math.h>
#include "math/lanes.h"

enum { ARRAYS = 10 };

// e^x from sums and products only, so that it has the same bits everywhere.
static double exponential(double x)
{
    int halvings = 0;
    for (; fabs(x) > 0.5 && halvings < 60; x *= 0.5)
        ++halvings;
    double sum = 1;
    for (int k = 20; k >= 1; --k)
        sum = 1 + x / k * sum;
    for (; halvings > 0; --halvings)
        sum *= sum;
    return sum;
}

// sin(v t)/v as a function of v^2: a power series, exact to 1e-17 for |v t| <= 1.
LANES_INLINE double arc_series(double square, double t)
{
    double s = square * t * t;
    return t * (1 - s * (1.0 / 6) *
                        (1 - s * (1.0 / 20) *
                                 (1 - s * (1.0 / 42) *
                                          (1 - s * (1.0 / 72) *
                                                   (1 - s * (1.0 / 110) *
                                                            (1 - s * (1.0 / 156) *
                                                                     (1 - s * (1.0 / 210))))))));
}

// h(t) where r t may be large: both exponentials of an overdamped mode, each with a falling power.
static double arc_stiff(double pull, double rate, double square, double t)
{
    double root = sqrt(-square), fast = rate + root;
    double slow = pull / fast; // rate - root without cancellation
    return (exponential(-slow * t) - exponential(-fast * t)) / (2 * root);
}

static double arc(const carom_bounce_plan *p, int mode, double t)
{
    double square = p->square[mode], rate = p->rate[mode];
    if (rate == 0)
        return arc_series(square, t);
    if (square * p->dt * p->dt > -1)
        return exponential(-rate * t) * arc_series(square, t);
    return arc_stiff(p->pull[mode], rate, square, t);
}

CAROM_LANES_WIDE static void carom_bounce_plan_undamped(const double *square, int count, double t,
                                                        double *h)
{
    for (int i = 0; i < count; ++i)
        h[i] = arc_series(square[i], t);
}

void carom_bounce_plan_arcs(const carom_bounce_plan *p, double t, double *h)
{
    if (!p->damped)
        carom_bounce_plan_undamped(p->square, p->m, t, h);
    else
        for (int i = 0; i < p->m; ++i)
            h[i] = arc(p, i, t);
}

static void rotate(carom_bounce_plan *p, int i, double omega, double damping)
{
    double r = 0.5 * omega * omega * damping, t = p->dt;
    p->rate[i] = r;
    p->pull[i] = omega * omega;
    p->square[i] = omega * omega - r * r;
    p->rise[i] = arc(p, i, t);
    p->damp[i] = r > 0 ? exponential(-2 * r * t) : 1;
    // h(2 dt) = C h(dt), since h(0) = 0
    if (p->square[i] * t * t > -1) {
        double half = arc_series(p->square[i], 0.5 * t);
        p->turn[i] = 2 * (r > 0 ? exponential(-r * t) : 1) * (1 - 2 * p->square[i] * half * half);
    } else {
        double root = sqrt(-p->square[i]), fast = r + root, slow = omega * omega / fast;
        p->turn[i] = exponential(-slow * t) + exponential(-fast * t);
    }
    // y' = ((C/2 - r h) y - D past) / h
    p->speed_now[i] = (0.5 * p->turn[i] - r * p->rise[i]) / (p->rise[i] * omega);
    p->speed_past[i] = p->damp[i] / (p->rise[i] * omega);
    p->bend[i] = 0;
    p->room[i] = 1;
}

// Kick, then drift. Its invariant is q'^2 + omega^2 q^2 - dt omega^2 q q' (not the energy), with
// the largest |q| sqrt(invariant) / (omega sqrt(1 - (omega dt/2)^2)).
static void kick_drift(carom_bounce_plan *p, int i, double omega, double damping)
{
    double angle = omega * p->dt, loss = angle * omega * damping;
    p->turn[i] = 2 - loss - angle * angle;
    p->damp[i] = 1 - loss;
    p->rise[i] = p->dt;
    p->speed_now[i] = p->speed_past[i] = 1 / angle;
    p->bend[i] = angle;
    p->room[i] = 1 / sqrt(1 - 0.25 * angle * angle);
}

size_t carom_bounce_plan_room(int count)
{
    return ARRAYS * (size_t)count;
}

carom_status carom_bounce_plan_make(const double *omega, int count,
                                    const carom_bounce_options *options, double *room,
                                    carom_bounce_plan *plan, carom_error *err)
{
    size_t m = (size_t)count;
    double fastest = 0;
    for (size_t i = 0; i < m; ++i)
        fastest = fmax(fastest, omega[i]);
    *plan = (carom_bounce_plan){ .m = count,
                                 .literal = options->solver == CAROM_BOUNCE_LITERAL,
                                 .damped = options->damping > 0,
                                 .dt = carom_bounce_turn(options) / fastest,
                                 .recoil = options->elastic ? 2 : 1 };
    plan->closed = 1e-5 * plan->dt;
    // Above this the damped kick itself would overshoot: the scheme is no longer stable.
    if (plan->literal && carom_bounce_turn(options) * fastest * options->damping > 1) {
        carom_error_set(err, CAROM_BAD_INPUT, "damping %g s is too strong for steps of %g s",
                        options->damping, plan->dt);
        return carom_error_fix(err, "use a turn of at most %g, or the production scheme",
                               1 / (fastest * options->damping));
    }
    double **arrays[ARRAYS] = { &plan->turn,       &plan->damp, &plan->rise, &plan->speed_now,
                                &plan->speed_past, &plan->bend, &plan->room, &plan->rate,
                                &plan->square,     &plan->pull };
    for (size_t k = 0; k < ARRAYS; ++k)
        *arrays[k] = room + k * m;
    for (int i = 0; i < count; ++i)
        (plan->literal ? kick_drift : rotate)(plan, i, omega[i], options->damping);
    return CAROM_OK;
}
