// The law `wave`: closed forms, promises on seeded problems with any restitution and friction,
// symmetry, threads, endless cases.
#include "base/random.h"
#include "math/vec.h"
#include "support/check.h"
#include "support/instant.h"

#include <math.h>
#include <string.h>

static void single_contact(void)
{
    for (double e = 0; e <= 1; e += 0.125)
        for (double ratio = 1e-6; ratio < 1e7; ratio *= 100) {
            double masses[2] = { 2, 2 * ratio }, before[2] = { 1.5, -0.25 };
            instant one = { 0 };
            instant_chain(&one, 2, masses, before);
            instant_set_restitution(&one, e);
            instant_run_threads(&one, "wave", "", 1);
            double u = one.v[1][0] - one.v[0][0];
            CHECK_NEAR(u, e * 1.75, 1e-12, "one contact, e = %g, masses 1 to %g: u+ = -e u-", e,
                       ratio);
            instant_free(&one);
        }
}

// Radius 0.5, mass 1: p_t = min(mu (1 + c), 2/7), v = (1 - p_t, 0, c), omega_y = 5 p_t.
static void sphere_on_floor(void)
{
    for (double mu = 0; mu < 1; mu += 0.1)
        for (double c = 0; c <= 1; c += 0.25) {
            instant one = { 0 };
            instant_ball(&one, 0, 0, vec3_make(0, 0, 0), vec3_make(0, 0, 0));
            instant_body(&one, 1, 0, 0, 0.5);
            instant_contact(&one, 0, 1, vec3_make(0, 0, 0), vec3_make(0, 0, 1));
            one.bodies[1].velocity[0] = 1;
            one.bodies[1].velocity[2] = -1;
            instant_set_friction(&one, mu);
            instant_set_restitution(&one, c);
            instant_run_threads(&one, "wave", "", 1);
            double pt = fmin(mu * (1 + c), 2.0 / 7);
            CHECK_NEAR(one.v[1][0], 1 - pt, 1e-12, "mu %g, c %g: sliding speed", mu, c);
            CHECK_NEAR(one.v[1][2], c, 1e-12, "mu %g, c %g: bounce", mu, c);
            CHECK_NEAR(one.w[1][1], 5 * pt, 1e-12, "mu %g, c %g: spin", mu, c);
            instant_free(&one);
        }
}

static void check_promises(const instant *one, const char *what, int seed)
{
    const carom_impact_report *report = &one->report;
    double max = report->energy_before + fmax(report->work, 0);
    bool kept = true;
    double cone = 0;
    for (int i = 0; i < one->impact.contact_count; ++i) {
        const double *p = one->p[i];
        kept = kept && one->contacts[i].restitution == 1 && one->contacts[i].friction == 0;
        cone = fmax(cone, sqrt(p[1] * p[1] + p[2] * p[2]) - one->contacts[i].friction * p[0]);
    }
    // Round-off of sums over some hundred contacts, masses up to 1e12 apart.
    CHECK_MOST(report->energy_after - report->energy_before - report->work, 1e-12 * max,
               "%s %d: energy does not grow", what, seed);
    if (kept && report->end == CAROM_IMPACT_SETTLED)
        CHECK_NEAR((report->energy_after - report->work) / report->energy_before, 1, 1e-12,
                   "%s %d: without loss energy is kept", what, seed);
    CHECK_MOST(report->penetration, 1.001e-9 * report->fastest, "%s %d: nothing approaches", what,
               seed);
    CHECK_MOST(report->pull, 0, "%s %d: nothing pulls", what, seed);
    // Two additions instead of one, in the units of the lightest body: 1e-16 times 1e6 in chains.
    CHECK_MOST(report->momentum_error, 1e-11, "%s %d: momentum", what, seed);
    CHECK_MOST(cone, 1e-12, "%s %d: Coulomb's bound", what, seed);
}

static void spice(instant *one, carom_random *random, int kind)
{
    for (int i = 0; i < one->impact.contact_count; ++i) {
        carom_impact_contact *contact = &one->contacts[i];
        if (kind & 1)
            contact->restitution = carom_random_unit(random);
        if (kind & 2)
            contact->friction = carom_random_between(random, 0, 2);
        if (kind & 4)
            contact->stiffness = carom_random_between(random, 0.2, 5);
        if (kind & 8)
            contact->gap = carom_random_below(random, 2) * carom_random_unit(random);
    }
}

static void promises(void)
{
    carom_random random = carom_random_make(5, 5);
    for (int seed = 0; seed < check_effort(120, 20); ++seed) {
        instant one = { 0 };
        instant_packing(&one, 4 + seed % 12, (uint64_t)seed);
        spice(&one, &random, seed % 16);
        instant_run_threads(&one, "wave", seed % 5 ? "" : "exponent=0", 1);
        check_promises(&one, "cluster", seed);
        instant_free(&one);

        double masses[8], before[8];
        for (int i = 0; i < 8; ++i) {
            masses[i] = exp(carom_random_between(&random, -14, 14));
            before[i] = carom_random_between(&random, -1, 1);
        }
        instant chain = { 0 };
        instant_chain(&chain, 3 + seed % 6, masses, before);
        spice(&chain, &random, seed % 2);
        instant_run_threads(&chain, "wave", "", 1);
        check_promises(&chain, "chain of masses 1e-6 to 1e6", seed);
        instant_free(&chain);

        instant box = { 0 };
        instant_box_on_floor(&box, (double[]){ 1, 0.5 + carom_random_unit(&random), 1 }, -1);
        for (int k = 0; k < 3; ++k) {
            box.bodies[1].velocity[k] = carom_random_between(&random, -3, 1);
            box.bodies[1].spin[k] = carom_random_between(&random, -3, 3);
            // Every third floor is driven.
            box.bodies[0].velocity[k] = seed % 3 ? 0 : carom_random_between(&random, -1, 1);
        }
        spice(&box, &random, seed % 4);
        instant_run_threads(&box, "wave", "", 1);
        check_promises(&box, "box on a floor", seed);
        instant_free(&box);
    }
}

// The same cluster mirrored in x and renumbered, and rotated: the results must correspond.
static void symmetry(void)
{
    for (int kind = 0; kind < 4; ++kind)
        for (uint64_t seed = 0; seed < 6; ++seed) {
            instant one = { 0 }, other = { 0 };
            instant_packing(&one, 14, seed);
            instant_packing(&other, 14, seed);
            carom_random random = carom_random_make(seed, 9), again = random;
            spice(&one, &random, kind);
            spice(&other, &again, kind);
            int bodies = one.impact.body_count, contacts = one.impact.contact_count;
            mat3 turn = quat_matrix(quat_unit((quat){ 0.3, -0.5, 0.7, 0.2 }));
            for (int i = 0; i < bodies; ++i) { // reversed order of bodies, mirrored, rotated
                carom_impact_body *to = &other.bodies[bodies - 1 - i];
                vec3 x = vec3_from(one.bodies[i].position), v = vec3_from(one.bodies[i].velocity);
                x.x = -x.x;
                v.x = -v.x;
                vec3_store(mat3_mul(turn, x), to->position);
                vec3_store(mat3_mul(turn, v), to->velocity);
            }
            for (int i = 0; i < contacts; ++i) { // and of contacts, with a and b exchanged
                const carom_impact_contact *from = &one.contacts[i];
                carom_impact_contact *to = &other.contacts[contacts - 1 - i];
                *to = *from;
                vec3 p = vec3_from(from->point), n = vec3_neg(vec3_from(from->normal));
                p.x = -p.x;
                n.x = -n.x;
                to->a = bodies - 1 - from->b;
                to->b = bodies - 1 - from->a;
                vec3_store(mat3_mul(turn, p), to->point);
                vec3_store(mat3_mul(turn, n), to->normal);
            }
            instant_run_threads(&one, "wave", "", 1);
            instant_run_threads(&other, "wave", "", 1);
            double worst = 0;
            for (int i = 0; i < bodies; ++i) {
                vec3 v = vec3_from(one.v[i]);
                v.x = -v.x;
                vec3 back = vec3_from(other.v[bodies - 1 - i]);
                worst = fmax(worst, vec3_length(vec3_sub(mat3_mul(turn, v), back)));
            }
            // Round-off of 1e-16 per operation, amplified by the collisions of a dense cluster.
            CHECK_MOST(worst, 1e-9, "kind %d, cluster %d: mirrored, rotated, renumbered", kind,
                       (int)seed);
            instant_free(&one);
            instant_free(&other);
        }
}

static void threads(void)
{
    enum { SIDE = 21 }; // more bodies than one piece, more contacts than a small island
    instant one = { 0 };
    carom_random random = carom_random_make(1, 2);
    for (int i = 0; i < SIDE * SIDE * SIDE; ++i) {
        instant_body(&one, 1, i / (SIDE * SIDE), i / SIDE % SIDE, i % SIDE);
        for (int k = 0; k < 3; ++k)
            one.bodies[i].velocity[k] = carom_random_between(&random, -1, 1);
    }
    for (int i = 0; i < one.impact.body_count; ++i) {
        const int step[3] = { SIDE * SIDE, SIDE, 1 };
        for (int k = 0; k < 3; ++k) {
            double point[3], normal[3] = { k == 0, k == 1, k == 2 };
            if (i / step[k] % SIDE == SIDE - 1)
                continue;
            for (int m = 0; m < 3; ++m)
                point[m] = one.bodies[i].position[m] + 0.5 * normal[m];
            instant_contact(&one, i, i + step[k], vec3_from(point), vec3_from(normal));
        }
    }
    for (int kind = 0; kind < 2; ++kind) {
        uint64_t hash = 0;
        if (kind == 1) {
            instant_set_restitution(&one, 0.8);
            instant_set_friction(&one, 0.3);
        }
        for (int count = check_threads_only() ? 3 : 1; count <= 3; count += check_effort(1, 2)) {
            instant_run_threads(&one, "wave", kind ? "tail=0.2" : "", count);
            CHECK(!hash || one.report.hash == hash, "kind %d, %d threads: the same bits", kind,
                  count);
            hash = one.report.hash;
        }
        check_promises(&one, "lattice", kind);
    }
    instant_free(&one);
}

static void endless(void)
{
    instant cage = { 0 };
    instant_chain(&cage, 3, (double[]){ 0, 1, 0 }, (double[]){ 0, 1, 0 });
    instant_run_threads(&cage, "wave", "", 1);
    CHECK(cage.report.end != CAROM_IMPACT_SETTLED, "a ball between two walls does not settle: %s",
          carom_impact_end_word(cage.report.end));
    check_promises(&cage, "cage", 0);
    instant_free(&cage);
    instant row = { 0 };
    instant_chain(&row, 5, (double[]){ 0, 1, 1, 1, 0 }, (double[]){ 0, 1, 0, 0.5, 0 });
    instant_run_threads(&row, "wave", "", 1);
    check_promises(&row, "row between walls", 0);
    instant_free(&row);
    // Walls that close in: no law can end this; it must say so and stay finite.
    instant press = { 0 };
    instant_chain(&press, 3, (double[]){ 0, 1, 0 }, (double[]){ 1, 0, -1 });
    instant_run_threads(&press, "wave", "", 1);
    CHECK(press.report.end != CAROM_IMPACT_SETTLED && isfinite(press.v[1][0]),
          "a press is reported: %s", carom_impact_end_word(press.report.end));
    instant_free(&press);
}

// A light ball between a wall and a heavy one: thousands of collisions, and no energy is the law's
// to lose. Twice the root of the ratio of masses is where the usual caps end.
static void light_between_heavy(void)
{
    for (double heavy = 100; heavy < 1e7; heavy *= 10) {
        instant one = { 0 };
        instant_chain(&one, 3, (double[]){ 0, 1, heavy }, (double[]){ 0, 0, -1 });
        instant_set_exponent(&one, 1.5);
        instant_run_threads(&one, "wave", "", 1);
        CHECK(one.report.end == CAROM_IMPACT_SETTLED, "mass %g: settles: %s", heavy,
              carom_impact_end_word(one.report.end));
        CHECK_NEAR(one.report.energy_after / one.report.energy_before, 1, 1e-12, "mass %g: energy",
                   heavy);
        check_promises(&one, "a light ball between heavy ones", 0);
        instant_free(&one);
    }
}

int main(void)
{
    threads();
    if (check_threads_only())
        return check_report();
    single_contact();
    light_between_heavy();
    sphere_on_floor();
    promises();
    symmetry();
    endless();
    return check_report();
}
