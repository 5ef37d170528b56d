// The exact impact at a single contact with friction.
//
// The normal impulse p is the clock. While the contact point slides, friction opposes the slip s:
//
//     dp_t/dp = rho = -mu s/|s|,   ds/dp = W_tn + W_tt rho,   du/dp = W_nn + W_nt.rho
//
// Compression ends where u = 0, having stored C = -(integral of u dp); restitution ends where the
// integral of u dp since then is e^2 C. The path consists of
//
//   straight pieces (rho constant, closed form): sticking, sliding in a direction that does not
//     turn (every planar problem, spheres), and what follows the moment where s = 0;
//   turning slip: dp = |s| dtau makes the equations smooth, also where the slip dies out:
//     s' = |s| W_tn - mu W_tt s, p' = |s|, u' = |s| W_nn - mu W_nt.s, p_t' = -mu s. They are
//     integrated by the pair of Dormand and Prince [Hairer, Norsett, Wanner, Solving Ordinary
//     Differential Equations I, table II.5.2].
//
// At s = 0 the point sticks if rho = -W_tt^-1 W_tn lies in the disc |rho| <= mu. Otherwise it
// leaves in the one direction d that stays: (mu W_tt + c) d = W_tn, |d| = 1, c > 0.
//
// It always ends. Where du/dp <= 0 while sliding (jamming), W_nt.s >= W_nn |s| / mu, and as W is
// positive definite the slip then falls; sticking, and leaving from s = 0, have du/dp > 0.
#include "impact/single_contact.h"

// A point of the path. Speeds are those of the contact point.
typedef struct point {
    double s[2]; // slip
    double t[2]; // tangential impulse
    double p;    // normal impulse
    double u;    // normal speed
    double work; // integral of u dp since the beginning of the phase
} point;

enum { NUMBERS = sizeof(point) / sizeof(double) };

typedef struct path {
    const carom_single_contact *c;
    point at;
    bool releasing; // restitution has begun
    double goal;    // releasing: the work that ends it, e^2 C; with Poisson the impulse
    double stored;  // in an earlier compression and not yet given back
    double rate;    // |W_tn| + mu |W_tt|: bound on the relative rates of change
    double span;    // next trial step in tau
    bool over;
} path;

static void slide(path *way);
static void go_straight(path *way, const double rho[2], bool sliding);
static void leave_rest(path *way);
static void turn(path *way);

carom_single_contact carom_single_contact_of(const carom_problem *problem, int contact)
{
    const carom_row *n = &problem->normal[contact], *t = carom_problem_tangents(problem, contact);
    const carom_impact_body *a = &problem->bodies[n->a], *b = &problem->bodies[n->b];
    carom_twist va = { vec3_from(a->velocity), vec3_from(a->spin) };
    carom_twist vb = { vec3_from(b->velocity), vec3_from(b->spin) };
    vec3 slip = carom_problem_relative_velocity(problem, contact, &va, &vb);
    return (carom_single_contact){
        .normal_response = n->diagonal,
        .coupling = { carom_row_coupling(n, &t[0]), carom_row_coupling(n, &t[1]) },
        .tangential_response = { t[0].diagonal, carom_row_coupling(&t[0], &t[1]), t[1].diagonal },
        .approach = problem->u[contact],
        .slip = { vec3_dot(slip, t[0].d), vec3_dot(slip, t[1].d) },
        .friction = problem->contacts[contact].friction,
        .restitution = problem->contacts[contact].restitution
    };
}

static double dot(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

static double size(const double a[2])
{
    return sqrt(dot(a, a));
}

// W_tt x.
static void respond(const carom_single_contact *c, const double x[2], double out[2])
{
    const double *w = c->tangential_response;
    out[0] = w[0] * x[0] + w[1] * x[1];
    out[1] = w[1] * x[0] + w[2] * x[1];
}

double carom_single_contact_solve(const carom_single_contact *c, double p[3])
{
    enum { PIECES = 100000 }; // turning slip takes some 30 steps, thousands where W_tt is stiff
    const double *w = c->tangential_response;
    path way = { .c = c,
                 .at = { .s = { c->slip[0], c->slip[1] }, .u = c->approach },
                 .rate = size(c->coupling) + c->friction * (fabs(w[0]) + fabs(w[2])) };
    p[0] = p[1] = p[2] = 0;
    if (!(c->approach < 0))
        return c->approach;
    if (c->friction == 0) {
        p[0] = -(1 + c->restitution) * c->approach / c->normal_response;
        return -c->restitution * c->approach;
    }
    way.span = 0.1 / way.rate;
    for (int i = 0; i < PIECES && !way.over; ++i) {
        if (way.at.s[0] == 0 && way.at.s[1] == 0)
            leave_rest(&way);
        else
            slide(&way);
    }
    p[0] = way.at.p;
    p[1] = way.at.t[0];
    p[2] = way.at.t[1];
    return c->approach + c->normal_response * p[0] + dot(c->coupling, way.at.t);
}

// -- phases ---------------------------------------------------------------------------------------

// Distance to the end of the phase, rising through 0 there.
static double beyond(const path *way, const point *at)
{
    double done = way->c->poisson ? at->p : at->work;
    return way->releasing ? done - way->goal : at->u;
}

// The phase has reached its end.
static void change_phase(path *way)
{
    const carom_single_contact *c = way->c;
    if (way->releasing || c->restitution == 0) {
        way->over = true;
        return;
    }
    way->goal = c->poisson ? (1 + c->restitution) * way->at.p
                           : c->restitution * c->restitution * (way->stored - way->at.work);
    way->at.u = way->at.work = 0;
    way->releasing = true;
}

// The speed has fallen to 0 again before everything was given back: what is left stays stored.
static void compress_again(path *way)
{
    const carom_single_contact *c = way->c;
    way->stored = (way->goal - way->at.work) / (c->restitution * c->restitution);
    way->at.u = way->at.work = 0;
    way->releasing = false;
}

// -- straight pieces ------------------------------------------------------------------------------

// With friction rho dp to the end of the phase, or of the slip if it slides.
static void go_straight(path *way, const double rho[2], bool sliding)
{
    const carom_single_contact *c = way->c;
    point *at = &way->at;
    double a = c->normal_response + dot(c->coupling, rho), rate[2], left = way->goal - at->work;
    double end = HUGE_VAL, again = HUGE_VAL, rest = HUGE_VAL, slip = size(at->s);
    respond(c, rho, rate);
    for (int k = 0; k < 2; ++k)
        rate[k] += c->coupling[k];
    if (!way->releasing && a > 0)
        end = -at->u / a;
    if (way->releasing && c->poisson)
        end = way->goal - at->p;
    else if (way->releasing && at->u * at->u + 2 * a * left >= 0)
        end = 2 * left / (at->u + sqrt(at->u * at->u + 2 * a * left));
    else if (way->releasing)
        again = -at->u / a;
    if (sliding && dot(at->s, rate) < 0)
        rest = -slip * slip / dot(at->s, rate);
    double d = fmin(fmin(end, again), rest);
    if (!(d < HUGE_VAL)) { // excluded for a positive definite W; friction ends here
        at->p -= fmin(at->u, 0) / c->normal_response;
        way->over = true;
        return;
    }
    at->p += d;
    at->work += (at->u + 0.5 * a * d) * d;
    at->u += a * d;
    for (int k = 0; k < 2; ++k) {
        at->t[k] += rho[k] * d;
        at->s[k] = sliding && d < rest ? at->s[k] + rate[k] * d : 0;
    }
    if (d == end)
        change_phase(way);
    else if (d == again)
        compress_again(way);
}

// x with (W_tt + shift) x = y.
static void divide(const carom_single_contact *c, double factor, double shift, const double y[2],
                   double x[2])
{
    const double *w = c->tangential_response;
    double a = factor * w[0] + shift, b = factor * w[1], d = factor * w[2] + shift;
    double determinant = a * d - b * b;
    x[0] = (d * y[0] - b * y[1]) / determinant;
    x[1] = (a * y[1] - b * y[0]) / determinant;
}

// From s = 0 to the end of the phase: sticking, or sliding in the one direction that stays. The
// slip is left at 0 either way: the next phase goes on with the same friction.
static void leave_rest(path *way)
{
    const carom_single_contact *c = way->c;
    double rho[2], mu = c->friction;
    divide(c, 1, 0, c->coupling, rho);
    if (size(rho) > mu) {
        double low = 0,
               high = size(c->coupling); // |d| falls with the shift, and is below 1 at high
        enum { HALVINGS = 60 };
        for (int i = 0; i < HALVINGS && high - low > 1e-16 * high; ++i) {
            double middle = 0.5 * (low + high);
            divide(c, mu, middle, c->coupling, rho);
            if (size(rho) > 1)
                low = middle;
            else
                high = middle;
        }
        divide(c, mu, high, c->coupling, rho);
        double length = size(rho) / mu;
        rho[0] /= length;
        rho[1] /= length;
    }
    rho[0] = -rho[0];
    rho[1] = -rho[1];
    go_straight(way, rho, false);
}

// -- turning slip ---------------------------------------------------------------------------------

// The derivative of all numbers by tau.
static point derivative(const carom_single_contact *c, const point *at)
{
    double r = size(at->s), response[2], mu = c->friction;
    point d = { .t = { -mu * at->s[0], -mu * at->s[1] }, .p = r, .work = r * at->u };
    respond(c, d.t, response);
    d.s[0] = r * c->coupling[0] + response[0];
    d.s[1] = r * c->coupling[1] + response[1];
    d.u = r * c->normal_response + dot(c->coupling, d.t);
    return d;
}

static void add(point *to, double factor, const point *d)
{
    double *x = (double *)to;
    const double *y = (const double *)d;
    for (int k = 0; k < NUMBERS; ++k)
        x[k] += factor * y[k];
}

// One step of Dormand and Prince; `error` gets the difference of the two results.
static point step(const carom_single_contact *c, const point *from, double h, point *error)
{
    static const double a[6][6] = {
        { 1. / 5 },
        { 3. / 40, 9. / 40 },
        { 44. / 45, -56. / 15, 32. / 9 },
        { 19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729 },
        { 9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656 },
        { 35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84 },
    };
    static const double e[7] = { 71. / 57600,      0,          -71. / 16695, 71. / 1920,
                                 -17253. / 339200, 22. / 525., -1. / 40 };
    point k[7], x = *from;
    k[0] = derivative(c, from);
    for (int i = 0; i < 6; ++i) {
        x = *from;
        for (int j = 0; j <= i; ++j)
            add(&x, h * a[i][j], &k[j]);
        k[i + 1] = derivative(c, &x);
    }
    *error = (point){ 0 };
    for (int i = 0; i < 7; ++i)
        add(error, h * e[i], &k[i]);
    return x;
}

// The error of a step in units of the speeds at hand.
static double weigh(const path *way, const point *error, const point *from)
{
    const carom_single_contact *c = way->c;
    double speed = -c->approach, impulse = speed / c->normal_response;
    double worst = size(error->s) / size(from->s);
    worst = fmax(worst, fabs(error->u) / speed);
    worst = fmax(worst, fmax(error->p, -error->p) / impulse);
    return fmax(worst, fabs(error->work) / (speed * impulse));
}

// Shortens the step until it ends where the number at `offset` of `beyond` is 0: bisection, made
// quick by a secant through the ends.
static point locate(const path *way, double h, bool again)
{
    enum { TRIES = 60 };
    point unused, end = way->at;
    double low = 0, high = h, low_value = 0, high_value = 0;
    for (int i = 0; i < TRIES; ++i) {
        double middle = i == 0 ? h : 0.5 * (low + high);
        if (i > 1 && i % 3 != 0 && high_value > low_value) {
            double secant = (low * high_value - high * low_value) / (high_value - low_value);
            middle = secant > low && secant < high ? secant : middle;
        }
        end = step(way->c, &way->at, middle, &unused);
        double value = again ? -end.u : beyond(way, &end);
        if (i == 0)
            low_value = again ? -way->at.u : beyond(way, &way->at);
        if (value >= 0) {
            high = middle;
            high_value = value;
        } else {
            low = middle;
            low_value = value;
        }
        if (value == 0 || high - low <= 1e-15 * h)
            break;
    }
    return end;
}

// One step of the turning slip.
static void turn(path *way)
{
    const double tolerance = 1e-11;
    point error, end = way->at;
    double h = way->span;
    for (int tries = 0; tries < 50; ++tries) {
        h = way->span;
        end = step(way->c, &way->at, h, &error);
        double wrong = weigh(way, &error, &way->at) / tolerance;
        // Fifth order: the fifth root, by two square roots and a little caution.
        double root = sqrt(sqrt(fmax(wrong, 1e-8)));
        way->span = h * fmin(4, 0.8 / root);
        if (wrong <= 1)
            break;
    }
    bool reached = beyond(way, &end) >= 0, again = way->releasing && !way->c->poisson && end.u < 0;
    if (reached || again)
        end = locate(way, h, !reached);
    way->at = end;
    if (reached)
        change_phase(way);
    else if (again)
        compress_again(way);
}

// Sliding: straight where the direction does not turn, or where what it could still turn is
// nothing because the slip is about to end.
static void slide(path *way)
{
    const carom_single_contact *c = way->c;
    const double *s = way->at.s;
    double r = size(s), rho[2] = { -c->friction * s[0] / r, -c->friction * s[1] / r }, rate[2];
    respond(c, rho, rate);
    rate[0] += c->coupling[0];
    rate[1] += c->coupling[1];
    double turning = fabs(s[0] * rate[1] - s[1] * rate[0]) / r, falling = -dot(s, rate) / r;
    if (turning <= 1e-13 * way->rate ||
        (falling > 0 && turning * r <= 1e-13 * way->rate * -c->approach))
        go_straight(way, rho, true);
    else
        turn(way);
}
