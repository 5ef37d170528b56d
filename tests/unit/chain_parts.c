// The parts of a chain: contact laws, the lattice of a sliced body, histories of bounded size.
#include "chain/chain_trace.h"
#include "chain/contact_spring.h"
#include "chain/lattice.h"
#include "support/check.h"

#include <math.h>

static void laws(void)
{
    static const carom_contact_spring springs[] = {
        { 50, 1, 0 },    { 50, 1.5, 0 },     { 50, 1.3, 0 },   { 50, 2, 0 },
        { 50, 7.25, 0 }, { 0, 0, 0.01 },     { 50, 1, 0.01 },  { 50, 1.5, 0.01 },
        { 50, 5, 0.3 },  { 1e9, 1.5, 1e-3 }, { 1e-3, 1.5, 5 }, { 1, 20, 1e-20 },
    };
    for (size_t k = 0; k < sizeof springs / sizeof *springs; k++) {
        const carom_contact_spring *s = &springs[k];
        for (double x = 1e-6; x < 10; x *= 7) {
            double force = carom_contact_spring_force(s, x);
            double own = s->stiffness > 0 ? pow(force / s->stiffness, 1 / s->exponent) : 0;
            // 1e-12: a few dozen roundings in a power of many roots; pow itself has one.
            CHECK_NEAR((own + s->compliance * force) / x, 1, 1e-12,
                       "law %zu: parts in series add up at %g", k, x);
            double h = 1e-4 * x;
            double above = carom_contact_spring_energy(s, x + h);
            double below = carom_contact_spring_energy(s, x - h);
            // 1e-5: central differences, exponent up to 20.
            CHECK_NEAR((above - below) / (2 * h * force), 1, 1e-5, "law %zu: energy is work at %g",
                       k, x);
            double more = carom_contact_spring_force(s, x + h);
            double less = carom_contact_spring_force(s, x - h);
            CHECK_NEAR((more - less) / (2 * h * carom_contact_spring_stiffness(s, x)), 1, 1e-5,
                       "law %zu: stiffness is the slope at %g", k, x);
            double reach = carom_contact_spring_reach(s, carom_contact_spring_energy(s, x));
            CHECK(reach >= x * 0.999 && reach <= x * 1.01, "law %zu: reach %g bounds %g", k, reach,
                  x);
        }
        CHECK(carom_contact_spring_energy(s, -1) == 0, "law %zu: nothing is stored in a gap", k);
        if (!carom_contact_spring_smooth(s))
            CHECK(carom_contact_spring_force(s, -1) == 0, "law %zu: no tension", k);
    }
}

static void sliced_sphere(void)
{
    carom_chain_body bodies[] = {
        { .kind = CAROM_CHAIN_SPHERE, .radius = 0.7, .young = 30, .density = 2, .slices = 7 },
        { .kind = CAROM_CHAIN_CYLINDER,
          .radius = 0.5,
          .length = 3,
          .young = 10,
          .density = 4,
          .slices = 6 },
    };
    carom_chain_contact contact = { .gap = 0.25 };
    carom_chain chain = { .bodies = bodies, .body_count = 2, .contacts = &contact };
    carom_arena *arena = carom_arena_create(0);
    carom_lattice lattice;
    carom_error err = { 0 };
    CHECK(carom_lattice_build(&chain, arena, &lattice, &err) == CAROM_OK, "a lattice");
    CHECK(lattice.nodes == 13 && lattice.free && !lattice.rigid && !lattice.damped, "of 13 nodes");
    double mass = 0;
    for (size_t i = 0; i < 7; i++) {
        mass += lattice.mass[i];
        CHECK(lattice.mass[i] == lattice.mass[6 - i],
              "slice %zu mirrors its partner to the last bit", i);
    }
    for (size_t i = 0; i < 6; i++)
        CHECK(lattice.stiffness[i] == lattice.stiffness[5 - i], "so does spring %zu", i);
    CHECK_NEAR(mass, carom_chain_body_mass(&bodies[0]), 1e-14, "slices add up to the sphere");
    double pi = 3.14159265358979323846;
    CHECK_NEAR(lattice.stiffness[7], 10 * pi * 0.25 / 0.5, 1e-13, "eq 11: k = E A / dx");
    CHECK_NEAR(lattice.half[1], 0.25 / (10 * pi * 0.25), 1e-15, "the half slice is twice as stiff");
    CHECK_NEAR(lattice.touch[0].compliance, lattice.half[0] + lattice.half[1], 1e-16,
               "eq 12: in series");
    CHECK(lattice.stiffness[6] == 0 && carom_lattice_link(&lattice, 0) == 6,
          "the contact is link 6");
    carom_lattice_state state;
    CHECK(carom_lattice_start(&lattice, &chain, arena, &state, &err) == CAROM_OK, "its state");
    CHECK(state.d[6] == -0.25 && state.d[0] == 0, "starts with an open gap");

    // No shape of vibration takes a face further than the bound of its energy.
    double vibration = 0;
    double face = 0;
    double beyond = 0;
    for (size_t i = 7; i < 12; i++) {
        beyond += 1.0 / 6;
        state.d[i] = beyond / lattice.stiffness[i]; // the worst one
        vibration += lattice.stiffness[i] * state.d[i] * state.d[i] / 2;
        face += beyond * state.d[i];
    }
    CHECK_NEAR(face, carom_lattice_swing(&lattice, 1, vibration), 1e-12,
               "the bound is attained, not exceeded");
    CHECK_NEAR(carom_lattice_vibration(&lattice, &state, 1), vibration, 1e-13,
               "and its energy is elastic");
    carom_arena_destroy(arena);
}

static void bounded_history(void)
{
    carom_arena *arena = carom_arena_create(0);
    carom_chain_trace trace;
    carom_error err = { 0 };
    size_t points[] = { 2, 2 };
    CHECK(carom_chain_trace_create(2, points, 50, arena, &trace, &err) == CAROM_OK, "a trace");
    for (int k = 0; k < 100000; k++) {
        double time = k < 50000 ? k * 1e-3 : 50 + (k - 50000) * 1e-6; // a dense end
        if (carom_chain_trace_due(&trace, time))
            carom_chain_trace_add(&trace, time);
    }
    CHECK(trace.rows <= 50 && trace.rows >= 20, "100000 rows become %zu", trace.rows);
    for (size_t r = 1; r < trace.rows; r++)
        CHECK(trace.row[r * trace.at.width] > trace.row[(r - 1) * trace.at.width],
              "in order of time");
    CHECK_MOST(trace.row[trace.at.width], 50 / 20.0, "and evenly spread from the start");
    carom_arena_destroy(arena);
}

int main(void)
{
    laws();
    sliced_sphere();
    bounded_history();
    return check_report();
}
