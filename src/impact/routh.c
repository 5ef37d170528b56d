// Routh's construction with Stronge's restitution for one contact in three dimensions.
//
// The normal impulse P plays the part of time. While the contact slips with velocity r s (|s| = 1),
// friction is -mu s dP, and with the blocks k_n, k = K_tn, T = K_tt of its inverse effective mass
//     d(r s)/dP = k - mu T s = h(s),    du_n/dP = k_n - mu k.s,    dW/dP = u_n   (normal work).
// With dtau = dP / r the direction has an equation of its own, regular at r = 0:
//     ds/dtau = (h.t) t,  t across s;   d ln r/dtau = h.s;   du_n/dtau = r (k_n - mu k.s).
// It is integrated by Runge's and Kutta's fourth-order rule in steps that turn s, change ln r and
// u_n by at most STEP. Where the slip has ended it stays at zero if |T^-1 k| <= mu, else it starts
// again in the one direction s that does not turn, h = kappa s with kappa > 0 (Batlle 1996);
// from there on everything is linear in P.
//
// Stronge: A = -(normal work while u_n < 0) is absorbed; the contact ends when e^2 A is returned.
#include "impact/routh.h"

// Largest change of the direction, of ln r and of u_n / |u| in a step: speeds come out to about
// 1e-7.
#define STEP 0.01
// Slip below this part of the contact's speed has ended.
#define ENDED 1e-15
enum { STEPS = 200000, HALVINGS = 60 };

typedef struct path {
    const carom_pair *pair;
    double size;     // |u| before, the unit of speeds
    double absorbed; // A, J
    double target;   // e^2
} path;

// A point of the path while the contact slips.
typedef struct place {
    double s[2];
    double log_r, u;
    double returned; // normal work since u_n = 0, or since the start while u_n < 0
} place;

static bool slide(path *p, place *at, bool *ended);
static bool leave_straight(path *p, const place *at, double *speed);

bool carom_routh_speed(const carom_pair *pair, vec3 u, double restitution, double *speed)
{
    path p = { .pair = pair, .size = vec3_length(u), .target = restitution * restitution };
    double r = sqrt(u.y * u.y + u.z * u.z);
    place at = { .u = u.x };
    *speed = u.x;
    if (u.x >= 0)
        return true;
    if (!pair->rough) {
        *speed = -restitution * u.x;
        return true;
    }
    if (r > ENDED * p.size) {
        bool ended = false;
        at.s[0] = u.y / r;
        at.s[1] = u.z / r;
        at.log_r = log(r);
        if (!slide(&p, &at, &ended))
            return false;
        *speed = at.u;
        if (ended)
            return true;
    }
    return leave_straight(&p, &at, speed);
}

// h(s) and the slope of u_n for a direction of slip.
static double response(const carom_pair *pair, const double s[2], double h[2])
{
    const sym3 *k = &pair->k;
    h[0] = k->xy - pair->slip * (k->yy * s[0] + k->yz * s[1]);
    h[1] = k->xz - pair->slip * (k->yz * s[0] + k->zz * s[1]);
    return k->xx - pair->slip * (k->xy * s[0] + k->xz * s[1]);
}

static place slope(const path *p, const place *at)
{
    double h[2], c = response(p->pair, at->s, h), r = exp(at->log_r);
    double across = h[1] * at->s[0] - h[0] * at->s[1];
    return (place){ { -across * at->s[1], across * at->s[0] },
                    h[0] * at->s[0] + h[1] * at->s[1],
                    r * c,
                    r * at->u };
}

static place moved(const place *at, double step, const place *d)
{
    return (place){ { at->s[0] + step * d->s[0], at->s[1] + step * d->s[1] },
                    at->log_r + step * d->log_r,
                    at->u + step * d->u,
                    at->returned + step * d->returned };
}

static place stepped(const path *p, const place *at, double step)
{
    place a = slope(p, at), x = moved(at, 0.5 * step, &a);
    place b = slope(p, &x);
    x = moved(at, 0.5 * step, &b);
    place c = slope(p, &x);
    x = moved(at, step, &c);
    place d = slope(p, &x), sum = moved(&a, 2, &b);
    sum = moved(&sum, 2, &c);
    sum = moved(&sum, 1, &d);
    x = moved(at, step / 6, &sum);
    double length = sqrt(x.s[0] * x.s[0] + x.s[1] * x.s[1]);
    x.s[0] /= length;
    x.s[1] /= length;
    return x;
}

static double step_of(const path *p, const place *at)
{
    place d = slope(p, at);
    double turn = sqrt(d.s[0] * d.s[0] + d.s[1] * d.s[1]);
    double most = fmax(fmax(turn, fabs(d.log_r)), fabs(d.u) / p->size);
    return most > 0 ? STEP / most : 0;
}

// The end of expansion: all of e^2 A has been returned.
static bool spent(const path *p, const place *at)
{
    return at->returned >= p->target * p->absorbed;
}

// Bisects the step at whose end u_n = 0 (compressing) or the return is complete.
static place cut(const path *p, const place *at, double step, bool compressing)
{
    double low = 0, high = step;
    for (int i = 0; i < HALVINGS; ++i) {
        double middle = 0.5 * (low + high);
        place x = stepped(p, at, middle);
        bool past = compressing ? x.u >= 0 : spent(p, &x);
        *(past ? &high : &low) = middle;
    }
    return stepped(p, at, high);
}

// Follows the slip until it ends, or until the contact has left. False where neither happens.
static bool slide(path *p, place *at, bool *left)
{
    bool compressing = true;
    double end = log(ENDED * p->size);
    for (int i = 0; i < STEPS && at->log_r > end; ++i) {
        double step = step_of(p, at);
        if (step == 0)
            return false;
        place next = stepped(p, at, step);
        if (compressing && next.u >= 0) {
            *at = cut(p, at, step, true);
            p->absorbed = -at->returned;
            at->returned = at->u = 0;
            compressing = false;
        } else if (!compressing && next.u < 0) {
            return false;
        } else if (!compressing && spent(p, &next)) {
            *at = cut(p, at, step, false);
            *left = true;
            return true;
        } else {
            *at = next;
        }
        if (!compressing && p->target == 0) {
            *left = true;
            return true;
        }
    }
    return at->log_r <= end;
}

// K_tn . (tangential impulse per normal impulse) from slip zero on: sticking, or the ray along
// which slip starts again, where (kappa + mu T) s = k.
static double straight_slope(const carom_pair *pair)
{
    const sym3 *k = &pair->k;
    double low = 0, high = sqrt(k->xy * k->xy + k->xz * k->xz), mu = pair->slip, q[2];
    for (int i = -1; i <= HALVINGS; ++i) { // first with kappa = 0 and mu = 1: q = T^-1 k
        double kappa = i < 0 ? 0 : 0.5 * (low + high), factor = i < 0 ? 1 : mu;
        double a = kappa + factor * k->yy, b = factor * k->yz, d = kappa + factor * k->zz;
        double det = a * d - b * b;
        q[0] = (d * k->xy - b * k->xz) / det;
        q[1] = (a * k->xz - b * k->xy) / det;
        double length = sqrt(q[0] * q[0] + q[1] * q[1]);
        if (i < 0 && length <= mu)
            return k->xx - (k->xy * q[0] + k->xz * q[1]);
        if (i >= 0)
            *(length > 1 ? &low : &high) = kappa;
    }
    return k->xx - mu * (k->xy * q[0] + k->xz * q[1]);
}

static bool leave_straight(path *p, const place *at, double *speed)
{
    double c = straight_slope(p->pair), u = at->u, returned = at->returned;
    if (!(c > 0))
        return false;
    if (u < 0) {
        p->absorbed = -returned + u * u / (2 * c);
        returned = u = 0;
    }
    *speed = sqrt(fmax(u * u + 2 * c * (p->target * p->absorbed - returned), 0));
    return true;
}
