// Laws of one contact with friction: closed forms of spheres, Coulomb's law integrated along the
// path in small steps, the formula of Chatterjee and Ruina by its properties, and Kane's paradox.
#include <math.h>
#include "base/random.h"
#include "impact/pair_law.h"
#include "support/check.h"
#include "support/instant.h"

static const carom_pair_law all[] = { CAROM_PAIR_LAW_KANE, CAROM_PAIR_LAW_CHATTERJEE,
                                      CAROM_PAIR_LAW_WANG, CAROM_PAIR_LAW_STRONGE };

static carom_two_body contact(sym3 k, double mu)
{
    return (carom_two_body){ .k = k, .mu = mu, .frictional = true };
}

// A sphere on a floor: W_tt = 7/2 W_nn and no coupling; p_t = min(mu (1 + e), 2/7 of the slip).
static void spheres(void)
{
    for (int l = 0; l < 4; ++l)
        for (int k = 0; k < 30; ++k) {
            double mu = 0.02 * k + 0.01, e = 0.1 * (k % 11);
            carom_two_body pair = contact((sym3){ .xx = 1, .yy = 3.5, .zz = 3.5 }, mu);
            vec3 p = carom_pair_law_impulse(all[l], &pair, vec3_make(-1, 0.6, -0.8), e);
            double wanted = fmin(mu * (1 + e), 2. / 7);
            CHECK_NEAR(p.x, 1 + e, 1e-10, "law %d: normal impulse", all[l]);
            CHECK_NEAR(p.y, -0.6 * wanted, 1e-10, "law %d: friction", all[l]);
            CHECK_NEAR(p.z, 0.8 * wanted, 1e-10, "law %d: friction", all[l]);
        }
}

// Coulomb's law in the plane in steps of the normal impulse.
static void follow(const carom_two_body *pair, vec3 u, double e, bool poisson, double p[2])
{
    enum { STEPS = 200000 };
    double k = pair->k.xx, c = pair->k.xy, t = pair->k.yy, un = u.x, s = u.y, work = 0, goal = 0;
    double dp = 4 * fabs(u.x) / k / STEPS, held = -c / t; // keeps s at 0
    bool releasing = false;
    p[0] = p[1] = 0;
    for (int i = 0; i < 100 * STEPS; ++i) {
        bool stops = fabs(s) <= dp * (fabs(c) + pair->mu * t);
        double rho = s > 0 ? -pair->mu : pair->mu;
        if (stops)
            rho = fabs(held) <= pair->mu ? held : held > 0 ? pair->mu : -pair->mu;
        if (stops && fabs(held) <= pair->mu)
            s = 0;
        double du = (k + c * rho) * dp;
        work += (un + 0.5 * du) * dp;
        un += du;
        s += (c + t * rho) * dp;
        p[0] += dp;
        p[1] += rho * dp;
        if (!releasing && un >= 0) {
            releasing = true;
            goal = poisson ? (1 + e) * p[0] : -e * e * work;
            work = 0;
        }
        if (releasing && (poisson ? p[0] : work) >= goal)
            return;
    }
}

// Random positive definite responses of a plane contact.
static void paths(void)
{
    int cases = check_effort(40, 4);
    for (int i = 0; i < cases; ++i) {
        carom_random r = carom_random_make(7, (uint64_t)i);
        double n = carom_random_between(&r, 0.5, 2), t = carom_random_between(&r, 0.5, 4);
        double c = carom_random_between(&r, -0.8, 0.8) * sqrt(n * t), p[2];
        double mu = carom_random_between(&r, 0.05, 0.6), e = carom_random_unit(&r);
        if (mu * fabs(c) > 0.9 * n)
            continue; // it may jam: the steps above do not follow a second compression
        carom_two_body pair = contact((sym3){ .xx = n, .yy = t, .zz = t, .xy = c }, mu);
        vec3 u = { -1, carom_random_between(&r, -2, 2), 0 };
        for (int k = 0; k < 2; ++k) {
            follow(&pair, u, e, k == 0, p);
            carom_pair_law law = k == 0 ? CAROM_PAIR_LAW_WANG : CAROM_PAIR_LAW_STRONGE;
            vec3 found = carom_pair_law_impulse(law, &pair, u, e);
            // steps of 2e-5 of the impulse, and the roots of small energies
            CHECK_NEAR(found.x, p[0], 1e-3 * p[0], "case %d, law %d: normal impulse", i, law);
            CHECK_NEAR(found.y, p[1], 1e-3 * p[0], "case %d, law %d: friction", i, law);
        }
    }
}

// In the cone: -e u_n, and the slip that e p_1 alone gives (e_t = 0). Outside: on its rim, and
// never a gain.
static void formula(void)
{
    int inside = 0, outside = 0;
    for (int i = 0; i < 2000; ++i) {
        carom_random r = carom_random_make(8, (uint64_t)i);
        double n = carom_random_between(&r, 0.5, 2), t = carom_random_between(&r, 0.5, 4);
        double c = carom_random_between(&r, -0.8, 0.8) * sqrt(n * t), share = 1;
        double mu = carom_random_between(&r, 0, 1.5), e = carom_random_unit(&r);
        carom_two_body pair = contact((sym3){ .xx = n, .yy = t, .zz = t, .xy = c }, mu);
        vec3 u = { -1, carom_random_between(&r, -2, 2), 0 };
        vec3 p = carom_pair_law_impulse(CAROM_PAIR_LAW_CHATTERJEE, &pair, u, e);
        vec3 after = vec3_add(u, sym3_mul(pair.k, p));
        carom_pair_law_limit(&pair, u, p, &share);
        CHECK(share == 1, "case %d: Chatterjee and Ruina gain no energy", i);
        if (fabs(p.y) < mu * p.x * (1 - 1e-12)) {
            ++inside;
            CHECK_NEAR(after.x, e, 1e-12, "case %d: restitution", i);
            CHECK_NEAR(after.y, e * c / n, 1e-12, "case %d: slip of the bounce alone", i);
        } else {
            ++outside;
            CHECK_NEAR(fabs(p.y), mu * p.x, 1e-12, "case %d: on the rim", i);
            CHECK(after.x >= -1e-12, "case %d: no approach", i);
        }
    }
    CHECK(inside > 200 && outside > 200, "both happen: %d, %d", inside, outside);
}

// A rod at 45 degrees (length 1, mass 1) on a floor, falling with 1 m/s and sliding a little
// against the way in which the impulse will throw its end, mu = 0.3, e = 1: W = (4, -3; -3, 4),
// friction -mu p_n against the slip before, p_n = 2 / (4 + 0.9), and the slip reverses.
static void paradox(void)
{
    double share = 1, normal = 2 / 4.9;
    carom_two_body pair = contact((sym3){ .xx = 4, .yy = 4, .zz = 1, .xy = -3 }, 0.3);
    double slip = 0.01;
    vec3 u = { -1, slip, 0 }, p = carom_pair_law_impulse(CAROM_PAIR_LAW_KANE, &pair, u, 1);
    double across = slip + 0.5 * (-3 * normal - 4 * 0.3 * normal); // mean slip
    vec3 after = vec3_add(u, sym3_mul(pair.k, p));
    double gain = 0.5 * vec3_dot(p, vec3_add(u, after));
    // normal work is 0 at e = 1, friction does -0.3 p_n times the mean slip
    CHECK_NEAR(gain, -0.3 * normal * across, 1e-13, "Kane's paradox: work of friction");
    CHECK(gain > 0.1, "Kane's paradox: the rod gains %g J of 0.5", gain);
    p = carom_pair_law_limit(&pair, u, p, &share);
    after = vec3_add(u, sym3_mul(pair.k, p));
    CHECK_NEAR(0.5 * vec3_dot(p, vec3_add(u, after)), 0, 1e-14, "limited, it keeps its energy");
    CHECK(share < 1, "share %g", share);
}

// As an option of sqm: the same sphere on the same floor, by all of them.
static void as_option(void)
{
    static const char *const words[] = { "pair=kane-levinson", "pair=chatterjee-ruina",
                                         "pair=wang-mason", "pair=stronge" };
    instant s = { 0 };
    for (int k = 0; k < 4; ++k) {
        instant_clear(&s);
        instant_wall(&s, vec3_make(0, 0, 0));
        instant_ball(&s, 1, 0.5, vec3_make(0, 0, 0.5), vec3_make(1, 0, -1));
        instant_contact(&s, 0, 1, vec3_make(0, 0, 0), vec3_make(0, 0, 1));
        instant_set_friction(&s, 0.1);
        instant_set_restitution(&s, 0.5);
        instant_run_threads(&s, "sqm", words[k], 1);
        CHECK_NEAR(s.v[1][0], 1 - 0.15, 1e-10, "sqm %s: along the floor", words[k]);
        CHECK_NEAR(s.v[1][2], 0.5, 1e-10, "sqm %s: up", words[k]);
    }
    instant_free(&s);
}

int main(void)
{
    spheres();
    paths();
    formula();
    paradox();
    as_option();
    return check_report();
}
