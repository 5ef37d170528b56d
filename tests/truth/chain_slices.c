// Sliced bodies: an independent reference computation (numpy, the same springs, order-8
// integration), the exact waves as their limit, contact times, damping.
#include "carom/chain.h"
#include "support/check.h"

#include <math.h>

#define MOST 8

typedef struct row {
    carom_chain_body body[MOST];
    carom_chain_contact contact[MOST];
} row;

// As in [EC, fig 4]: radius 1, density 1, E = 30; cylinders of length 2.
static carom_chain_body sliced(carom_chain_kind kind, double length, int slices, double velocity)
{
    return (carom_chain_body){ .kind = kind,
                               .velocity = velocity,
                               .radius = 1,
                               .length = length,
                               .young = 30,
                               .density = 1,
                               .slices = slices };
}

static carom_chain_result *run_with(const row *r, size_t count, bool exact, double duration)
{
    carom_chain chain = {
        .bodies = r->body, .body_count = count, .contacts = r->contact, .duration = duration
    };
    carom_chain_result *result = NULL;
    carom_error err = { 0 };
    carom_status status = (exact ? carom_chain_waves : carom_chain_run)(&chain, &result, &err);
    CHECK(status == CAROM_OK, "the run succeeds: %s", err.what);
    CHECK_MOST(result->energy_error, 1e-10, "the energy error keeps the default tolerance");
    return result;
}

static carom_chain_result *run(const row *r, size_t count)
{
    carom_chain_result *result = run_with(r, count, false, 0);
    CHECK(result->exit == CAROM_CHAIN_EXIT_SEPARATED, "the bodies separate");
    CHECK_MOST(result->momentum_error, 1e-13, "momentum");
    return result;
}

static double kinetic_share(const carom_chain_result *result)
{
    double sum = 0;
    for (size_t i = 0; i < result->bodies; i++)
        sum += result->mass[i] * result->velocity[i] * result->velocity[i] / 2;
    return sum / result->energy_before;
}

static void spheres(void)
{
    static const struct {
        int slices;
        double v[5], share;
    } known[] = {
        { 20,
          { -0.11151477935669822, -0.06228969264049425, 0.256398686181363, 0.7837436414398723,
            1.1336621443759567 },
          0.9907498955941366 },
        { 40,
          { -0.11996577261927828, -0.06282180446462458, 0.2677908990269413, 0.7736331656562329,
            1.1413635124007284 },
          0.9956346368805008 },
    };
    for (size_t k = 0; k < 2; k++) {
        row r = { 0 };
        for (size_t i = 0; i < 5; i++)
            r.body[i] = sliced(CAROM_CHAIN_SPHERE, 0, known[k].slices, i < 2 ? 1 : 0);
        carom_chain_result *result = run(&r, 5);
        for (size_t i = 0; i < 5; i++)
            CHECK_NEAR(result->velocity[i], known[k].v[i], 1e-9,
                       "five spheres in %d slices: sphere %zu", known[k].slices, i);
        CHECK_NEAR(kinetic_share(result), known[k].share, 1e-9, "the rest of the energy rings");
        double sum = kinetic_share(result);
        for (size_t i = 0; i < 5; i++)
            sum += result->vibration[i] / result->energy_before;
        CHECK_NEAR(sum, 1, 1e-10, "centres and vibrations hold all energy");
        carom_chain_result_destroy(result);
    }
    // The result has no scale of stiffness: E = 300 gives the same, sqrt(10) times faster.
    row r = { 0 };
    for (size_t i = 0; i < 5; i++) {
        r.body[i] = sliced(CAROM_CHAIN_SPHERE, 0, 20, i < 2 ? 1 : 0);
        r.body[i].young = 300;
    }
    carom_chain_result *result = run(&r, 5);
    for (size_t i = 0; i < 5; i++)
        CHECK_NEAR(result->velocity[i], known[0].v[i], 1e-9, "ten times stiffer: sphere %zu", i);
    carom_chain_result_destroy(result);
}

static void cylinders(void)
{
    static const struct {
        int slices;
        double pair[2], pair_share, unequal[2], unequal_share;
    } known[] = {
        { 20,
          { 0.018412744135626213, 0.9815872558643733 },
          0.9638525700219548,
          { -0.011455523050047873, 0.5057277615250235 },
          0.5116523665625723 },
        { 40,
          { 0.01129781588788289, 0.9887021841121174 },
          0.9776596495119078,
          { -0.006676288550667128, 0.5033381442753334 },
          0.5067431477938845 },
        { 80,
          { 0.0074652127675515195, 0.9925347872324487 },
          0.985181033268225,
          { -0.0038742555253303665, 0.5019371277626655 },
          0.5038967703091434 },
    };
    for (size_t k = 0; k < 3; k++) {
        int n = known[k].slices;
        row r = { .body = { sliced(CAROM_CHAIN_CYLINDER, 2, n, 1),
                            sliced(CAROM_CHAIN_CYLINDER, 2, n, 0) } };
        carom_chain_result *result = run(&r, 2);
        CHECK_NEAR(result->velocity[0], known[k].pair[0], 1e-9, "1:1 in %d slices", n);
        CHECK_NEAR(result->velocity[1], known[k].pair[1], 1e-9, "1:1 in %d slices", n);
        CHECK_NEAR(kinetic_share(result), known[k].pair_share, 1e-9, "1:1 in %d slices", n);
        carom_chain_result_destroy(result);
        r.body[1] = sliced(CAROM_CHAIN_CYLINDER, 4, 2 * n, 0);
        result = run(&r, 2);
        CHECK_NEAR(result->velocity[0], known[k].unequal[0], 1e-9, "1:2 in %d slices", n);
        CHECK_NEAR(result->velocity[1], known[k].unequal[1], 1e-9, "1:2 in %d slices", n);
        CHECK_NEAR(kinetic_share(result), known[k].unequal_share, 1e-9, "1:2 in %d slices", n);
        carom_chain_result_destroy(result);
    }
    static const double five[] = { -0.011465528577658757, -0.004269191617220946,
                                   0.03985589964377792, 0.9619016570009893, 1.013977163550112 };
    row r = { 0 };
    for (size_t i = 0; i < 5; i++)
        r.body[i] = sliced(CAROM_CHAIN_CYLINDER, 2, 20, i < 2 ? 1 : 0);
    carom_chain_result *result = run(&r, 5);
    for (size_t i = 0; i < 5; i++)
        CHECK_NEAR(result->velocity[i], five[i], 1e-9, "five cylinders in 20 slices: %zu", i);
    carom_chain_result_destroy(result);
}

// Largest difference between the sliced and the exact velocities.
static double distance(const row *r, size_t count)
{
    carom_chain_result *cut = run(r, count);
    carom_chain_result *exact = run_with(r, count, true, 0);
    double max = 0;
    for (size_t i = 0; i < count; i++)
        max = fmax(max, fabs(cut->velocity[i] - exact->velocity[i]));
    carom_chain_result_destroy(cut);
    carom_chain_result_destroy(exact);
    return max;
}

// A sharp front in a lattice spreads over about n^(1/3) slices (dispersion of third order), that is
// n^(-2/3) of the bar: the order of convergence of everything that depends on fronts is 2/3.
static void convergence(void)
{
    enum { PAIR, UNEQUAL, CRADLE };
    for (int scene = PAIR; scene <= CRADLE; scene++) {
        double first = 0;
        double last = 0;
        for (int n = 20; n <= 160; n *= 2) {
            row r = { 0 };
            for (size_t i = 0; i < 5; i++)
                r.body[i] = sliced(CAROM_CHAIN_CYLINDER, 2, n, 0);
            r.body[0].velocity = 1;
            if (scene == UNEQUAL)
                r.body[1] = sliced(CAROM_CHAIN_CYLINDER, 4, 2 * n, 0);
            if (scene == CRADLE)
                r.body[1].velocity = 1;
            double d = distance(&r, scene == CRADLE ? 5 : 2);
            CHECK(n == 20 || d < last, "scene %d: %d slices are nearer to the waves", scene, n);
            first = n == 20 ? d : first;
            last = d;
        }
        // From 20 to 160 slices the order is still settling: 2/3 within a tenth.
        CHECK_NEAR(log(first / last) / log(8), 2.0 / 3, 0.1, "scene %d converges with order 2/3",
                   scene);
    }
}

static void contact_time(void)
{
    double round_trip = 4 / sqrt(30.0); // 2 l / c, eqs 14, 15
    // A bar at speed 1/2 against a wall is half of two equal bars with approach 1, by symmetry:
    // check that once on few slices, then save half of the work on many.
    carom_chain_body wall = { .kind = CAROM_CHAIN_WALL };
    row pair = { .body = { sliced(CAROM_CHAIN_CYLINDER, 2, 40, 1),
                           sliced(CAROM_CHAIN_CYLINDER, 2, 40, 0) } };
    row half = { .body = { sliced(CAROM_CHAIN_CYLINDER, 2, 40, 0.5), wall } };
    carom_chain_result *two = run(&pair, 2);
    carom_chain_result *one = run_with(&half, 2, false, 0);
    CHECK_NEAR(one->touch[0].closed_time, two->touch[0].closed_time, 1e-9, "a wall is a mirror");
    carom_chain_result_destroy(two);
    carom_chain_result_destroy(one);
    row r = { .body = { sliced(CAROM_CHAIN_CYLINDER, 2, 1600, 0.5), wall } };
    carom_chain_result *result = run_with(&r, 2, false, 1.02 * round_trip);
    CHECK_NEAR(result->touch[0].closed_time / round_trip, 1, 1e-3,
               "1600 slices: t_c = 2 l / c within 1e-3");
    CHECK(isfinite(result->touch[0].last_release), "and it is over");
    CHECK(result->touch[0].touches == 1, "in one contact");
    // Averaged over the middle half of the contact the force stands on its plateau Z v (the
    // ripples behind the front are averaged over several of their periods: 0.5 %).
    const carom_chain_history *h = &result->history;
    double sum = 0;
    size_t rows = 0;
    for (size_t s = 0; s < h->samples; s++)
        if (h->time[s] > round_trip / 4 && h->time[s] < round_trip * 3 / 4) {
            sum += h->force[s];
            rows++;
        }
    double plateau = 3.14159265358979323846 * sqrt(30.0) / 2;
    CHECK(rows > 100, "the history shows the contact");
    CHECK_NEAR(sum / (double)rows / plateau, 1, 0.005, "the force is constant, not Hooke's");
    carom_chain_result_destroy(result);
}

// Unequal materials, a gap, a wall: no symmetry to hide behind, and the exact waves as the judge.
static void against_waves(void)
{
    row r = { .body = { sliced(CAROM_CHAIN_CYLINDER, 1, 400, 1),
                        sliced(CAROM_CHAIN_CYLINDER, 1.5, 600, 0),
                        { .kind = CAROM_CHAIN_WALL } },
              .contact = { { .gap = 0.01 }, { .gap = 0.02 } } };
    r.body[1].radius = 0.8;
    r.body[1].density = 2;
    double until = 0.8;
    carom_chain_result *cut = run_with(&r, 3, false, until);
    carom_chain_result *exact = run_with(&r, 3, true, until);
    for (size_t i = 0; i < 2; i++) {
        // 1 %: 400 slices with order 2/3 (see above), several reflections.
        CHECK_NEAR(cut->velocity[i], exact->velocity[i], 0.01, "body %zu follows its waves", i);
        CHECK_NEAR(cut->touch[i].first_touch, exact->touch[i].first_touch, 0.005,
                   "contact %zu closes", i);
        CHECK_NEAR(cut->vibration[i] / cut->energy_before, exact->vibration[i] / cut->energy_before,
                   0.02, "vibration of body %zu", i);
    }
    carom_chain_result_destroy(cut);
    carom_chain_result_destroy(exact);
}

// Two slices are one oscillator: after the contact it rings with w^2 = 2 k / m and dies with
// exp(-w^2 damping t) in energy, while the ledger stays closed.
static void damping(void)
{
    row r = { .body = { sliced(CAROM_CHAIN_CYLINDER, 2, 2, 1),
                        sliced(CAROM_CHAIN_CYLINDER, 2, 2, 0) } };
    r.contact[0] = (carom_chain_contact){ .stiffness = 1000, .exponent = 1.5 };
    r.body[1].damping = 0.002;
    double energy[3];
    double lost[3];
    for (int k = 0; k < 3; k++) {
        carom_chain_result *result = run_with(&r, 2, false, 4 + k * 2);
        CHECK(result->touch[0].last_release < 4, "the contact is over");
        energy[k] = result->vibration[1];
        lost[k] = result->dissipated;
        CHECK_MOST(result->momentum_error, 1e-13, "dashpots conserve momentum");
        carom_chain_result_destroy(result);
    }
    double pi = 3.14159265358979323846;
    double decay =
        2 * (30 * pi / 1) / pi * 0.002; // w^2 damping; slices of mass pi, 1 apart, k = E A / dx
    CHECK_NEAR(lost[1] - lost[0], energy[0] - energy[1], 1e-9,
               "what is lost is what was dissipated");
    // 1e-3: the energy of a damped oscillator falls in waves around the exponential; 2 s are no
    // whole number of them.
    CHECK_NEAR(log(energy[0] / energy[2]) / 4, decay, 0.02 * decay,
               "vibration dies with w^2 damping");
}

int main(void)
{
    spheres();
    cylinders();
    convergence();
    contact_time();
    against_waves();
    damping();
    return check_report();
}
