// Tangential restitution of one contact between spheres, against the rule of Walton and Braun
// (Journal of Rheology 30, 949, 1986), as Bizon et al. (Physical Review Letters 80, 57, 1998) use
// it for shaken layers:
//
//     p_n = (1 + e) m |u_n|,   p_t = min((1 + beta) m_t |u_t|, mu p_n) against u_t,
//     1/m = 1/m_a + 1/m_b,     1/m_t = 1/m + r_a^2/I_a + r_b^2/I_b,
//
// so u_t leaves as -beta u_t where friction can hold it (the contact "sticks"), else it slides.
// Written with plain arrays: nothing of the library is used but the result.
#include <math.h>
#include "base/random.h"
#include "carom/impact.h"
#include "carom/law.h"
#include "support/check.h"

typedef struct ball {
    double m, i, r, x[3], v[3], w[3]; // m 0: a wall
} ball;

typedef struct rule {
    double e, mu, beta;
} rule;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double between(carom_random *r, double min, double max)
{
    return min + (max - min) * carom_random_unit(r);
}

// Velocity of the surface at r along the normal (sign: +1 for a, -1 for b).
static void surface(const ball *one, const double n[3], double sign, double out[3])
{
    double arm[3] = { sign * one->r * n[0], sign * one->r * n[1], sign * one->r * n[2] };
    cross(one->w, arm, out);
    for (int k = 0; k < 3; ++k)
        out[k] += one->v[k];
}

static void push(ball *one, const double n[3], double sign, const double p[3])
{
    double arm[3] = { sign * one->r * n[0], sign * one->r * n[1], sign * one->r * n[2] };
    double turn[3];
    cross(arm, p, turn);
    for (int k = 0; k < 3 && one->m > 0; ++k) {
        one->v[k] -= sign * p[k] / one->m;
        one->w[k] -= sign * turn[k] / one->i;
    }
}

// Returns true where the contact sticks.
static bool collide(ball *a, ball *b, const double n[3], rule by)
{
    double ua[3], ub[3], u[3], t[3], p[3], light = 0, swing = 0;
    surface(a, n, 1, ua);
    surface(b, n, -1, ub);
    for (int k = 0; k < 3; ++k)
        u[k] = ub[k] - ua[k];
    double un = dot(u, n);
    for (int k = 0; k < 3; ++k)
        t[k] = u[k] - un * n[k];
    double slip = sqrt(dot(t, t));
    for (int k = 0; k < 2; ++k) {
        const ball *one = k ? b : a;
        light += one->m > 0 ? 1 / one->m : 0;
        swing += one->m > 0 ? one->r * one->r / one->i : 0;
    }
    double pn = -(1 + by.e) * un / light, stick = (1 + by.beta) * slip / (light + swing);
    double pt = fmin(stick, by.mu * pn);
    for (int k = 0; k < 3; ++k)
        p[k] = pn * n[k] - (slip > 0 ? pt * t[k] / slip : 0);
    push(a, n, 1, p);
    push(b, n, -1, p);
    return stick <= by.mu * pn;
}

static carom_impact_body body_of(const ball *one)
{
    carom_impact_body body = { .inverse_mass = one->m > 0 ? 1 / one->m : 0 };
    for (int k = 0; k < 3; ++k) {
        body.inverse_inertia[k] = one->m > 0 ? 1 / one->i : 0;
        body.position[k] = one->x[k];
        body.velocity[k] = one->v[k];
        body.spin[k] = one->w[k];
    }
    return body;
}

static ball random_ball(carom_random *r)
{
    ball one = { .m = exp(between(r, -2, 2)), .r = between(r, 0.1, 2) };
    one.i = between(r, 0.2, 0.66) * one.m * one.r * one.r; // from a heavy core to a thin shell
    for (int k = 0; k < 3; ++k) {
        one.v[k] = between(r, -2, 2);
        one.w[k] = between(r, -5, 5);
    }
    return one;
}

// How far a law is from the rule on one random pair, relative to the speeds in play.
static double distance(const char *name, double accuracy, uint64_t number, bool *sticks)
{
    carom_random r = carom_random_make(1986, number);
    ball a = random_ball(&r), b = random_ball(&r);
    double z = between(&r, -1, 1), turn = between(&r, 0, 6.283), flat = sqrt(1 - z * z);
    double n[3] = { flat * cos(turn), flat * sin(turn), z };
    rule by = { between(&r, 0, 1), between(&r, 0, 2), between(&r, -1, 1) };
    if (number % 3 == 0) // a wall at rest
        a = (ball){ .r = 1 };
    for (int k = 0; k < 3; ++k) {
        b.x[k] = a.x[k] + (a.r + b.r) * n[k];
        b.v[k] -= 6 * n[k]; // they meet, whatever the random speeds are
    }
    carom_impact_body bodies[2] = { body_of(&a), body_of(&b) };
    carom_impact_contact contact = carom_impact_contact_default();
    contact.restitution = by.e;
    contact.friction = by.mu;
    contact.tangential_restitution = by.beta;
    for (int k = 0; k < 3; ++k) {
        contact.normal[k] = n[k];
        contact.point[k] = a.x[k] + a.r * n[k];
    }
    carom_impact impact = { 2, 1, bodies, &contact };
    double v[2][3], w[2][3], p[1][3], worst = 0;
    carom_impact_outcome out = { .velocities = v, .spins = w, .impulses = p };
    carom_error err = { 0 };
    carom_workspace *workspace = carom_workspace_create();
    carom_workspace_set_accuracy(workspace, accuracy);
    CHECK(carom_impact_resolve(workspace, &impact, carom_law_find(name, &err), NULL, &out, &err) ==
              CAROM_OK,
          "%s: %s", name, err.what);
    carom_workspace_destroy(workspace);
    *sticks = collide(&a, &b, n, by);
    for (int k = 0; k < 3; ++k) {
        worst = fmax(worst, fmax(fabs(v[0][k] - a.v[k]), fabs(v[1][k] - b.v[k])));
        worst = fmax(worst, fmax(fabs(w[0][k] - a.w[k]) * a.r, fabs(w[1][k] - b.w[k]) * b.r));
    }
    return worst / 10;
}

static void check_law(const char *name, double accuracy)
{
    enum { PAIRS = 2000 };
    double worst = 0;
    int stuck = 0;
    for (uint64_t i = 0; i < PAIRS; ++i) {
        bool sticks;
        worst = fmax(worst, distance(name, accuracy, i, &sticks));
        stuck += sticks;
    }
    // some tens of roundings; masses up to e^4 apart
    CHECK_MOST(worst, 1e-11, "%s, accuracy %g: distance to Walton's rule", name, accuracy);
    CHECK(stuck > PAIRS / 10 && stuck < 9 * PAIRS / 10, "%s: %d of %d pairs stick", name, stuck,
          PAIRS);
}

static void check_who_has_it(void)
{
    CHECK(carom_law_has_tangential(carom_law_find("qce", NULL)), "qce has it");
    CHECK(!carom_law_has_tangential(carom_law_find("wave", NULL)), "wave has it not");
    CHECK(!carom_law_has_tangential(carom_law_find("etm", NULL)), "etm has it not");
}

int main(void)
{
    check_law("qce", 0);
    check_law("qce", 1e-6);
    check_law("qce", 1e-2);
    check_law("newton", 0);
    check_law("sqm", 0);
    check_who_has_it();
    return check_report();
}
