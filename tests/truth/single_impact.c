// One contact with friction, any body: the law `wave` against small steps of the normal impulse.
//
// The reference knows nothing of straight pieces or of tau. Per step dp it takes Coulomb's law
// literally: sliding, friction mu dp against the slip (Runge and Kutta's method in p, the step
// 1/2000 of the impulse and less where the slip is small); about s = 0 implicit steps of 1e-6,
// where friction either stops the slip or opposes the slip that is left.
#include "base/random.h"
#include "impact/single_contact.h"
#include "support/check.h"
#include "support/instant.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct state {
    double v[3]; // u, s
    double p[3];
    double work;
} state;

typedef struct encounter {
    double w[3][3], v[3], mu, e, rate;
} encounter;

// -- the reference --------------------------------------------------------------------------------

static void push(const encounter *in, state *at, const double dp[3])
{
    double before = at->v[0];
    for (int i = 0; i < 3; ++i) {
        at->p[i] += dp[i];
        for (int j = 0; j < 3; ++j)
            at->v[i] += in->w[i][j] * dp[j];
    }
    at->work += 0.5 * (before + at->v[0]) * dp[0];
}

// Friction per unit of normal impulse at a slip.
static void ratio(const encounter *in, const double s[2], double rho[2])
{
    double r = hypot(s[0], s[1]);
    rho[0] = -in->mu * s[0] / r;
    rho[1] = -in->mu * s[1] / r;
}

static state slide(const encounter *in, state at, double d)
{
    double rho[4][2], sum[2], part[4] = { 0, 0.5, 0.5, 1 };
    for (int k = 0; k < 4; ++k) {
        double s[2];
        for (int i = 0; i < 2; ++i)
            s[i] = at.v[i + 1] + (k == 0 ? 0
                                         : part[k] * d *
                                               (in->w[i + 1][0] + in->w[i + 1][1] * rho[k - 1][0] +
                                                in->w[i + 1][2] * rho[k - 1][1]));
        ratio(in, s, rho[k]);
    }
    for (int i = 0; i < 2; ++i)
        sum[i] = (rho[0][i] + 2 * rho[1][i] + 2 * rho[2][i] + rho[3][i]) / 6;
    push(in, &at, (double[]){ d, d * sum[0], d * sum[1] });
    return at;
}

// x in the disc |x| <= mu d nearest to a stop: (W_tt + c) x = -s - W_tn d with the least c >= 0.
static state stop(const encounter *in, state at, double d)
{
    double y[2], x[2] = { 0, 0 }, low = 0, high = 0;
    for (int i = 0; i < 2; ++i)
        y[i] = -at.v[i + 1] - in->w[i + 1][0] * d;
    for (int k = 0; k < 50; ++k) { // c = 0 first, then halving
        double c = k == 0 ? 0 : 0.5 * (low + high);
        double a = in->w[1][1] + c, b = in->w[1][2], e = in->w[2][2] + c, det = a * e - b * b;
        x[0] = (e * y[0] - b * y[1]) / det;
        x[1] = (a * y[1] - b * y[0]) / det;
        bool inside = hypot(x[0], x[1]) <= in->mu * d;
        if (k == 0 && inside)
            break;
        if (k == 0)
            high = hypot(y[0], y[1]) / (in->mu * d);
        else if (inside)
            high = c;
        else
            low = c;
        if (k > 0 && high - low < 1e-12 * high)
            break;
    }
    push(in, &at, (double[]){ d, x[0], x[1] });
    return at;
}

static void reference(const encounter *in, double p[3])
{
    state at = { .v = { in->v[0], in->v[1], in->v[2] } };
    double unit = -in->v[0] / in->w[0][0] / 2000, goal = 0;
    bool loading = true;
    for (long k = 0; k < 400000; ++k) {
        double slip = hypot(at.v[1], at.v[2]), safe = slip / (3 * in->rate), tiny = unit / 500;
        bool fast = safe > tiny, rests = slip < 1e-13 * -in->v[0];
        double d = fast ? fmin(unit, safe) : rests ? unit : tiny, low = 0, high = d;
        state next = fast ? slide(in, at, d) : stop(in, at, d);
        bool past = loading ? next.v[0] >= 0 : next.work >= goal;
        for (int half = 0; half < 50 && past; ++half) { // not further than the end of the phase
            double middle = 0.5 * (low + high);
            next = fast ? slide(in, at, middle) : stop(in, at, middle);
            if (loading ? next.v[0] >= 0 : next.work >= goal)
                high = middle;
            else
                low = middle;
        }
        at = next;
        if (past && (!loading || in->e == 0))
            break;
        if (past) {
            goal = -in->e * in->e * at.work;
            at.work = 0;
            loading = false;
        }
    }
    memcpy(p, at.p, sizeof at.p);
}

// -- instants -------------------------------------------------------------------------------------

static vec3 any(carom_random *random, double size)
{
    return vec3_make(carom_random_between(random, -size, size),
                     carom_random_between(random, -size, size),
                     carom_random_between(random, -size, size));
}

// A body of any shape: principal moments that a body can have, turned at random.
static void shape_body(carom_impact_body *body, carom_random *random, bool planar)
{
    double mass = exp(carom_random_between(random, -1.5, 1.5)), q[3];
    for (int k = 0; k < 3; ++k)
        q[k] = mass * carom_random_between(random, 0.02, 0.5); // m x^2, m y^2, m z^2
    quat turn = planar ? (quat){ 1, 0, 0, 0 }
                       : quat_unit((quat){ carom_random_unit(random), carom_random_unit(random),
                                           carom_random_unit(random), carom_random_unit(random) });
    mat3 r = quat_matrix(turn);
    sym3 inverse = { 0, 0, 0, 0, 0, 0 };
    for (int k = 0; k < 3; ++k) {
        vec3 axis = mat3_mul(r, vec3_make(k == 0, k == 1, k == 2));
        double one = 1 / (q[(k + 1) % 3] + q[(k + 2) % 3]);
        inverse.xx += one * axis.x * axis.x;
        inverse.yy += one * axis.y * axis.y;
        inverse.zz += one * axis.z * axis.z;
        inverse.xy += one * axis.x * axis.y;
        inverse.xz += one * axis.x * axis.z;
        inverse.yz += one * axis.y * axis.z;
    }
    double all[6] = { inverse.xx, inverse.yy, inverse.zz, inverse.xy, inverse.xz, inverse.yz };
    memcpy(body->inverse_inertia, all, sizeof all);
    body->inverse_mass = 1 / mass;
    vec3 at = any(random, 1), v = any(random, 2), w = any(random, 2);
    if (planar) { // everything in the plane y = 0
        at.y = v.y = w.x = w.z = 0;
    }
    vec3_store(at, body->position);
    vec3_store(v, body->velocity);
    vec3_store(w, body->spin);
}

enum { PLANAR = 1, BOTH = 2, DRIVEN = 4, AT_REST = 8, KINDS = 16 };

// One contact at the origin, normal z.
static instant make(carom_random *random, int kind)
{
    instant one = { 0 };
    instant_ball(&one, 0, 0, vec3_make(0, 0, -0.5), vec3_make(0, 0, 0));
    instant_ball(&one, 1, 1, vec3_make(0, 0, 0), vec3_make(0, 0, 0));
    shape_body(&one.bodies[1], random, kind & PLANAR);
    if (kind & BOTH)
        shape_body(&one.bodies[0], random, kind & PLANAR);
    else if (kind & DRIVEN)
        vec3_store(vec3_make(0.5, kind & PLANAR ? 0 : 0.25, 0.2), one.bodies[0].velocity);
    instant_contact(&one, 0, 1, vec3_make(0, 0, 0), vec3_make(0, 0, 1));
    carom_impact_contact *c = &one.contacts[0];
    c->friction = exp(carom_random_between(random, -3, 1.2));
    c->restitution = fmin(fmax(carom_random_between(random, -0.25, 1.25), 0), 1);
    return one;
}

// Shifts the velocity of body 1 so that the contact approaches, and does not slip where asked.
static void aim(instant *one, carom_random *random, int kind)
{
    carom_impact_body *b = &one->bodies[1];
    vec3 v[2], change = { 0, 0, 0 };
    for (int k = 0; k < 2; ++k)
        v[k] = vec3_add(vec3_from(one->bodies[k].velocity),
                        vec3_cross(vec3_from(one->bodies[k].spin),
                                   vec3_neg(vec3_from(one->bodies[k].position))));
    vec3 u = vec3_sub(v[1], v[0]);
    if (kind & AT_REST)
        change = vec3_neg(u);
    change.z = -u.z - carom_random_between(random, 0.5, 2);
    vec3_store(vec3_add(vec3_from(b->velocity), change), b->velocity);
}

static encounter look(const instant *one)
{
    double n[3] = { 0, 0, 1 }, t[2][3];
    carom_impact_tangents(n, t[0], t[1]);
    vec3 row[3] = { vec3_from(n), vec3_from(t[0]), vec3_from(t[1]) };
    encounter in = { .mu = one->contacts[0].friction, .e = one->contacts[0].restitution };
    for (int k = 0; k < 2; ++k) {
        const carom_impact_body *body = &one->bodies[k];
        const double *s = body->inverse_inertia;
        sym3 inverse = { s[0], s[1], s[2], s[3], s[4], s[5] };
        vec3 arm = vec3_neg(vec3_from(body->position));
        vec3 v = vec3_add(vec3_from(body->velocity), vec3_cross(vec3_from(body->spin), arm));
        for (int i = 0; i < 3; ++i) {
            in.v[i] += (k ? 1 : -1) * vec3_dot(row[i], v);
            for (int j = 0; j < 3; ++j)
                in.w[i][j] +=
                    body->inverse_mass * vec3_dot(row[i], row[j]) +
                    vec3_dot(vec3_cross(arm, row[i]), sym3_mul(inverse, vec3_cross(arm, row[j])));
        }
    }
    in.rate = hypot(in.w[0][1], in.w[0][2]) + in.mu * (in.w[1][1] + in.w[2][2]);
    return in;
}

// Speed of the contact point that an impulse makes.
static void after(const encounter *in, const double p[3], double v[3])
{
    for (int i = 0; i < 3; ++i) {
        v[i] = in->v[i];
        for (int j = 0; j < 3; ++j)
            v[i] += in->w[i][j] * p[j];
    }
}

static double apart(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static void family(void)
{
    carom_random random = carom_random_make(14, 1);
    double worst = 0, sum = 0, bounce = 0;
    int count = check_effort(640, 160), turned = 0, jammed = 0;
    for (int i = 0; i < count; ++i) {
        instant one = make(&random, i % KINDS);
        aim(&one, &random, i % KINDS);
        encounter in = look(&one);
        double p[3], wanted[3], found[3], size = apart(in.v, (double[]){ 0, 0, 0 });
        reference(&in, p);
        instant_run_threads(&one, "wave", "", 1);
        after(&in, p, wanted);
        after(&in, one.p[0], found);
        double error = apart(wanted, found) / size;
        CHECK_MOST(error, 1e-6, "contact %d, kind %d, mu %g, e %g: velocity after", i, i % KINDS,
                   in.mu, in.e);
        if (in.e == 0)
            bounce = fmax(bounce, fabs(found[0]));
        worst = fmax(worst, error);
        sum += error;
        turned += in.v[1] * found[1] + in.v[2] * found[2] < 0;
        double slip = hypot(in.v[1], in.v[2]);
        jammed +=
            slip > 0 && in.w[0][0] < in.mu / slip * (in.w[0][1] * in.v[1] + in.w[0][2] * in.v[2]);
        instant_free(&one);
    }
    CHECK_MOST(bounce, 1e-12, "restitution 0 does not leave");
    CHECK(turned > count / 50 && jammed > count / 100,
          "the family has slip reversal (%d) and jamming (%d)", turned, jammed);
    printf("%d single contacts: mean error %.1e, largest %.1e; slip reversed in %d, jammed in %d\n",
           count, sum / count, worst, turned, jammed);
}

// A slender rod of length 2 and mass 1 strikes the floor with its lower end, at an angle from the
// vertical, planar. Routh's construction by hand: W_nn = 1 + 3 sin^2, W_tt = 1 + 3 cos^2,
// W_nt = 3 sin cos. Sliding all the way, e = 1: Stronge's impulse is 2 |u| / (W_nn - mu W_nt).
static void rod(void)
{
    for (double angle = 0.2; angle < 1.5; angle += 0.2) {
        double s = sin(angle), c = cos(angle), mu = 0.05, a = 1 + 3 * s * s - mu * 3 * s * c;
        carom_single_contact one = { .normal_response = 1 + 3 * s * s,
                                     .coupling = { 3 * s * c, 0 },
                                     .tangential_response = { 1 + 3 * c * c, 0, 1 },
                                     .approach = -1,
                                     .slip = { 5, 0 },
                                     .friction = mu,
                                     .restitution = 1 };
        double p[3];
        carom_single_contact_solve(&one, p);
        CHECK_NEAR(p[0], 2 / a, 1e-14, "rod at %g: normal impulse", angle);
        CHECK_NEAR(p[1], -mu * 2 / a, 1e-14, "rod at %g: friction", angle);
        one.friction = 100; // sticks: u+ = -u with W_nn reduced by the stuck tangent
        one.slip[0] = 0;
        carom_single_contact_solve(&one, p);
        double stuck = 1 + 3 * s * s - 9 * s * s * c * c / (1 + 3 * c * c);
        CHECK_NEAR(p[0], 2 / stuck, 1e-14, "rod at %g: stuck", angle);
        one.approach = 0.5;
        carom_single_contact_solve(&one, p);
        CHECK_NEAR(p[0], 0, 0, "rod at %g: what leaves is left alone", angle);
    }
}

int main(void)
{
    family();
    rod();
    return check_report();
}
