// The law `springs`: restitution, holding contacts, stiffness, gaps, driven bodies, endless cases.
#include "support/check.h"
#include "support/families.h"
#include "support/instant.h"

#include <math.h>

static void single_contact(void)
{
    for (double e = 0; e <= 1; e += 0.125)
        for (double eta = 1; eta < 4; eta += 0.4) {
            double masses[2] = { 2, 0.7 }, before[2] = { 1.5, -0.25 };
            instant one = { 0 };
            instant_chain(&one, 2, masses, before);
            instant_set_restitution(&one, e);
            instant_set_exponent(&one, eta);
            instant_run_threads(&one, "springs", "", 1);
            double u = one.v[1][0] - one.v[0][0];
            // Integration errors of 1e-13 per step over some ten steps.
            CHECK_NEAR(u, e * 1.75, 1e-11, "one contact, e = %g, eta = %g: u+ = -e u-", e, eta);
            instant_free(&one);
        }
}

// The same law integrated in the plainest way: tiny steps, no events, the force switches with the
// sign of u. Where a contact holds, this one switches back and forth; its error is of the order of
// the step.
static void plain_chain(int n, double e, double eta, double *v)
{
    const double h = 2e-5;
    double g[8] = { 0 }, f[8];
    for (int step = 0; step < 2000000; ++step) {
        double total = 0, min = 0;
        for (int i = 0; i + 1 < n; ++i) {
            double u = v[i + 1] - v[i], d = fmax(-g[i], 0);
            g[i] += h * u;
            f[i] = pow(d, eta) * (u < 0 ? 1 : e * e);
            total += f[i];
            min = fmin(min, u);
        }
        if (total == 0 && step > 10 && min > -1e-6)
            return;
        for (int i = 0; i + 1 < n; ++i) {
            v[i] -= h * f[i];
            v[i + 1] += h * f[i];
        }
    }
}

static void holding_contacts(void)
{
    const struct {
        int n, k;
        double e, eta;
    } cases[] = { { 3, 1, 0.3, 1 }, { 3, 1, 0.3, 1.5 }, { 5, 2, 0.3, 1.5 }, { 6, 3, 0.6, 1 } };
    for (int c = 0; c < 4; ++c) {
        double before[8] = { 0 }, plain[8] = { 0 };
        for (int i = 0; i < cases[c].k; ++i)
            before[i] = plain[i] = 1;
        instant one = { 0 };
        instant_chain(&one, cases[c].n, NULL, before);
        instant_set_restitution(&one, cases[c].e);
        instant_set_exponent(&one, cases[c].eta);
        instant_run_threads(&one, "springs", "", 1);
        plain_chain(cases[c].n, cases[c].e, cases[c].eta, plain);
        for (int i = 0; i < cases[c].n; ++i)
            CHECK_NEAR(one.v[i][0], plain[i], 2e-4,
                       "case %d, ball %d: as with 2e-5 steps and no events", c, i);
        CHECK(one.report.end == CAROM_IMPACT_SETTLED, "it ends");
        instant_free(&one);
    }
}

static void stiffness_and_gap(void)
{
    // Only ratios of stiffness matter.
    double before[4] = { 1, 0.2, 0, -0.3 };
    instant one = { 0 }, other = { 0 };
    instant_chain(&one, 4, NULL, before);
    instant_chain(&other, 4, NULL, before);
    for (int i = 0; i < 3; ++i) {
        one.contacts[i].exponent = other.contacts[i].exponent = 1.5;
        one.contacts[i].stiffness = 1 + i;
        other.contacts[i].stiffness = 1e9 * (1 + i);
    }
    instant_run_threads(&one, "springs", "", 1);
    instant_run_threads(&other, "springs", "", 1);
    CHECK_MOST(instant_distance(&one, other.v), 1e-10, "a common factor of k changes nothing");
    other.contacts[1].stiffness *= 10;
    instant_run_threads(&other, "springs", "", 1);
    CHECK(instant_distance(&one, other.v) > 1e-3, "another ratio does");
    instant_free(&one);
    instant_free(&other);

    // A first contact that is much stiffer finishes before the second starts: a chain of pair
    // collisions. The same through a wide gap, exactly.
    double strikes[3] = { 1, 0, 0 };
    instant chain = { 0 };
    instant_chain(&chain, 3, NULL, strikes);
    chain.contacts[0].stiffness = 1e8;
    instant_run_threads(&chain, "springs", "", 1);
    CHECK_NEAR(chain.v[2][0], 1, 1e-3, "stiff then soft: nearly two pair collisions");
    chain.contacts[0].stiffness = 1;
    chain.contacts[1].gap = 10;
    instant_run_threads(&chain, "springs", "", 1);
    CHECK_NEAR(chain.v[2][0], 1, 1e-11, "through a gap: two pair collisions");
    CHECK_NEAR(chain.v[0][0], 0, 1e-11, "and the striker rests");
    instant_free(&chain);
}

static void driven_and_endless(void)
{
    instant wall = { 0 };
    instant_chain(&wall, 2, (double[]){ 0, 1 }, (double[]){ 1, 0 });
    instant_run_threads(&wall, "springs", "", 1);
    CHECK_NEAR(wall.v[1][0], 2, 1e-11, "a driven wall throws the ball at twice its speed");
    CHECK_NEAR(wall.report.work, wall.report.energy_after, 1e-11,
               "and its work is the energy gained");
    instant_free(&wall);

    // Section "termination" of the checks: a ball between two walls never ends.
    instant cage = { 0 };
    instant_chain(&cage, 3, (double[]){ 0, 1, 0 }, (double[]){ 0, 1, 0 });
    instant_run_threads(&cage, "springs", "cap=5", 1);
    CHECK(cage.report.end == CAROM_IMPACT_ENDLESS, "a ball between two walls is called endless");
    CHECK_MOST(cage.report.energy_after, cage.report.energy_before * (1 + 1e-12),
               "no energy gained");
    CHECK_MOST(cage.report.penetration, 1e-9, "and nothing approaches");
    instant_free(&cage);
}

static void promises(void)
{
    for (uint64_t seed = 0; seed < 6; ++seed) {
        instant one = { 0 };
        instant_packing(&one, 12, seed);
        for (int i = 0; i < one.impact.contact_count; ++i)
            one.contacts[i].restitution = seed % 2 ? 1 : 0.3 + 0.05 * (i % 10);
        instant_run_threads(&one, "springs", "exponent=1.5", 1);
        double ratio = one.report.energy_after / one.report.energy_before;
        CHECK(one.report.end == CAROM_IMPACT_SETTLED, "cluster %d ends", (int)seed);
        CHECK_MOST(ratio, 1 + 1e-11, "cluster %d: energy does not grow", (int)seed);
        if (seed % 2)
            CHECK_NEAR(ratio, 1, 1e-11, "cluster %d: energy is kept", (int)seed);
        CHECK_MOST(one.report.penetration, 1e-11, "cluster %d: nothing approaches", (int)seed);
        CHECK_MOST(one.report.pull, 0, "cluster %d: nothing pulls", (int)seed);
        CHECK_MOST(one.report.momentum_error, 1e-14, "cluster %d: momentum", (int)seed);
        instant_free(&one);
    }
}

// Contacts without force hold by round-off only: they must not keep time from going on.
static void perfectly_plastic(void)
{
    for (uint64_t seed = 1; seed <= 40; ++seed) {
        instant one = { 0 };
        instant_packing(&one, 20 + (int)(seed - 1) % 21, seed);
        instant_set_restitution(&one, 0);
        instant_run_threads(&one, "springs", "exponent=1.5 tolerance=1e-8", 1);
        CHECK(one.report.end == CAROM_IMPACT_SETTLED, "plastic cluster %d ends", (int)seed);
        CHECK_MOST(one.report.penetration, 1e-9, "plastic cluster %d: nothing approaches",
                   (int)seed);
        instant_free(&one);
    }
}

// A flight of 1e60 m to the first contact: the other gaps are known to 1e44 m then, and none of
// that may become compression.
static void long_flight(void)
{
    static instant s;
    carom_workspace *workspace = carom_workspace_create();
    for (int k = 0; k < 20; ++k) {
        family_make(&s, (uint64_t)(FAMILY_LATTICE + k * FAMILY_COUNT));
        instant_set_restitution(&s, 1);
        for (int i = 0; i < s.impact.contact_count; ++i)
            s.contacts[i].gap = s.contacts[i].stiffness = 1e60;
        CHECK(instant_resolve(&s, workspace, carom_law_find("springs", NULL), NULL), "%s",
              s.err.what);
        const carom_impact_report *r = &s.report;
        double all = r->energy_before + fabs(r->work);
        // 1e-9: forces at depths of 1e-24 m; what a cap loses is no gain.
        CHECK_MOST((r->energy_after - r->work - r->energy_before) / all, 1e-9,
                   "energy after a long flight, lattice %d", k);
    }
    carom_workspace_destroy(workspace);
}

int main(void)
{
    single_contact();
    long_flight();
    holding_contacts();
    stiffness_and_gap();
    driven_and_endless();
    promises();
    perfectly_plastic();
    return check_report();
}
