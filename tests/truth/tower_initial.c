// The first instant of towers against closed forms and independent exact numbers.
#include "carom/tower.h"
#include "support/check.h"
#include "support/tower_numbers.h"
#include <math.h>
#include <stdio.h>

// Both solvers reach a residual of 1e-15; 1e-12 leaves room for the condition of tall towers.
static const double EXACT = 1e-12;

static carom_error err;

static carom_tower *build(const char *spec)
{
    carom_tower *tower = 0;
    CHECK(carom_tower_build(spec, &tower, &err) == CAROM_OK, "%s is built: %s", spec, err.what);
    return tower;
}

static carom_tower_instant solve(const carom_tower *tower, carom_tower_solver solver,
                                 const char *name)
{
    carom_tower_instant instant;
    CHECK(carom_tower_initial(tower, solver, &instant, &err) == CAROM_OK, "%s is solved: %s", name,
          err.what);
    CHECK_MOST(instant.kkt, 1e-13, "%s, %s: residual", name, instant.method);
    CHECK_NEAR(instant.sum_m_a2, instant.power, EXACT * (1 + instant.sum_m_a2),
               "%s: sum m a^2 = sum m g.a at the minimum of Gauss's principle", name);
    return instant;
}

static void check_accelerations(const carom_tower_instant *found, const double (*wanted)[3],
                                int count, const char *name)
{
    for (int b = 0; b < count; ++b)
        for (int c = 0; c < 3; ++c)
            CHECK_NEAR(found->accelerations[3 * b + c], wanted[b][c], EXACT,
                       "%s: component %d of brick %d", name, c, b);
}

static void check_spec(const char *spec, bool stable, double sum, double support, int contacts,
                       const double (*wanted)[3])
{
    carom_tower *tower = build(spec);
    for (int s = CAROM_TOWER_INTERIOR; s <= CAROM_TOWER_ACTIVE; ++s) {
        carom_tower_instant found = solve(tower, (carom_tower_solver)s, spec);
        CHECK(found.stable == stable, "%s is %s", spec, stable ? "stable" : "unstable");
        CHECK_NEAR(found.sum_m_a2, sum, EXACT, "%s: sum m a^2", spec);
        CHECK_NEAR(found.support_force, support, EXACT, "%s: support force", spec);
        CHECK(found.force_count == contacts, "%s: %d contacts, found %d", spec, contacts,
              found.force_count);
        if (wanted)
            check_accelerations(&found, wanted, found.bodies, spec);
        carom_tower_initial_free(&found);
    }
    carom_tower_destroy(tower);
}

// One brick d beyond an edge: rotation about the edge. delta = d - 1/2, I = 17/192.
static void check_single(void)
{
    const double reach[] = { 0.25, 0.5, 0.501, 0.6, 0.75, 0.9 };
    for (int n = 0; n < 6; ++n) {
        char spec[32];
        double delta = reach[n] - 0.5, inertia = 17.0 / 192, whole = inertia + delta * delta;
        bool falls = delta > 0;
        snprintf(spec, sizeof spec, "single:%.17g", reach[n]);
        carom_tower *tower = build(spec);
        carom_tower_instant found = solve(tower, CAROM_TOWER_AUTO, spec);
        CHECK(found.stable == !falls, "%s is %s", spec, falls ? "unstable" : "stable");
        CHECK_NEAR(found.accelerations[0], 0, EXACT, "%s: ax", spec);
        CHECK_NEAR(found.accelerations[1], falls ? -delta * delta / whole : 0, EXACT, "%s: ay",
                   spec);
        CHECK_NEAR(found.accelerations[2], falls ? -delta / whole : 0, EXACT, "%s: alpha", spec);
        CHECK_NEAR(found.support_force, falls ? inertia / whole : 1, EXACT, "%s: force", spec);
        carom_tower_initial_free(&found);
        carom_tower_destroy(tower);
    }
}

static void check_harmonic(void)
{
    for (int n = 0; n < 4; ++n) {
        const tower_harmonic *h = &harmonics[n];
        for (int side = -1; side <= 1; side += 2) {
            char spec[48];
            snprintf(spec, sizeof spec, "harmonic:%d,%g", h->bricks, side * 1e-6);
            carom_tower *tower = build(spec);
            carom_tower_instant found = solve(tower, CAROM_TOWER_AUTO, spec);
            CHECK(found.stable == (side < 0), "%s is on the right side", spec);
            carom_tower_initial_free(&found);
            carom_tower_destroy(tower);
        }
        char spec[48];
        double place[3];
        snprintf(spec, sizeof spec, "harmonic:%d,0.01", h->bricks);
        carom_tower *tower = build(spec);
        carom_tower_instant found = solve(tower, CAROM_TOWER_AUTO, spec);
        carom_tower_body_place(tower, h->bricks - 1, place);
        CHECK_NEAR(place[0] + 0.5, 1.01 * h->overhang, 1e-14, "%s: overhang", spec);
        for (int c = 0; c < 3; ++c) {
            CHECK_NEAR(found.accelerations[3 * (h->bricks - 1) + c], h->top[c], EXACT, "%s: top",
                       spec);
            CHECK_NEAR(found.accelerations[c], h->bottom[c], EXACT, "%s: bottom", spec);
        }
        CHECK_NEAR(found.sum_m_a2, h->sum, EXACT, "%s: sum m a^2", spec);
        carom_tower_initial_free(&found);
        carom_tower_destroy(tower);
    }
}

static void check_random(void)
{
    for (size_t n = 0; n < sizeof random_towers / sizeof *random_towers; ++n) {
        const tower_random *r = &random_towers[n];
        char name[32];
        carom_tower *tower = carom_tower_create(1);
        snprintf(name, sizeof name, "random tower %d", r->seed);
        for (int b = 0; b < r->bricks; ++b) {
            carom_tower_body brick = { .width = 1, .height = 0.25 };
            brick.x = r->place[b][0] + 0.5;
            brick.y = r->place[b][1] + 0.125;
            CHECK(carom_tower_add_body(tower, &brick, 0, &err) == CAROM_OK, "%s", err.what);
        }
        CHECK(carom_tower_add_ground(tower, (double[]){ 0, 0 }, (double[]){ 0, 1 }, &err) ==
                  CAROM_OK,
              "ground");
        for (int s = CAROM_TOWER_INTERIOR; s <= CAROM_TOWER_ACTIVE; ++s) {
            carom_tower_instant found = solve(tower, (carom_tower_solver)s, name);
            CHECK(found.stable == (bool)r->stable, "%s: stable or not", name);
            CHECK_NEAR(found.sum_m_a2, r->sum, EXACT, "%s: sum m a^2", name);
            check_accelerations(&found, r->acceleration, r->bricks, name);
            carom_tower_initial_free(&found);
        }
        carom_tower_destroy(tower);
    }
}

// Four equal corner masses, as in the paper's recording: three times the inertia.
static void check_corner_masses(void)
{
    carom_tower *tower = carom_tower_create(1);
    for (int row = 0; row < 9; ++row) {
        int count = row < 5 ? row + 1 : 9 - row;
        for (int k = 0; k < count; ++k) {
            carom_tower_body brick = { .width = 1, .height = 0.25, .spread = CAROM_TOWER_CORNERS };
            brick.x = k - (count - 1) / 2.0;
            brick.y = 0.125 + 0.25 * row;
            CHECK(carom_tower_add_body(tower, &brick, 0, &err) == CAROM_OK, "%s", err.what);
        }
    }
    carom_tower_add_ground(tower, (double[]){ 0, 0 }, (double[]){ 0, 1 }, &err);
    CHECK_NEAR(carom_tower_body_inertia(tower, 0), 17.0 / 64, 1e-16, "inertia of corner masses");
    carom_tower_instant found = solve(tower, CAROM_TOWER_AUTO, "5x5 with corner masses");
    CHECK_NEAR(found.sum_m_a2, 144.0 / 869, EXACT, "5x5 with corner masses: sum m a^2");
    check_accelerations(&found, diamond5_corner_masses, 25, "5x5 with corner masses");
    carom_tower_initial_free(&found);
    carom_tower_destroy(tower);
}

// Forces balance: on every brick, forces, weight and m a agree; checked from the forces alone.
static void check_balance(const char *spec)
{
    carom_tower *tower = build(spec);
    carom_tower_instant found = solve(tower, CAROM_TOWER_AUTO, spec);
    for (int b = 0; b < found.bodies; ++b) {
        double place[3], sum[3] = { 0, -carom_tower_body_mass(tower, b), 0 };
        const double *a = found.accelerations + 3 * b;
        carom_tower_body_place(tower, b, place);
        for (int n = 0; n < found.force_count; ++n) {
            const carom_tower_force *f = &found.forces[n];
            double sign = f->b == b ? 1 : f->a == b ? -1 : 0;
            double x = sign * f->force * f->normal[0], y = sign * f->force * f->normal[1];
            sum[0] += x;
            sum[1] += y;
            sum[2] += (f->point[0] - place[0]) * y - (f->point[1] - place[1]) * x;
        }
        CHECK_NEAR(sum[0], carom_tower_body_mass(tower, b) * a[0], EXACT, "%s: x of brick %d", spec,
                   b);
        CHECK_NEAR(sum[1], carom_tower_body_mass(tower, b) * a[1], EXACT, "%s: y of brick %d", spec,
                   b);
        CHECK_NEAR(sum[2], carom_tower_body_inertia(tower, b) * a[2], EXACT, "%s: moment of %d",
                   spec, b);
    }
    for (int n = 0; n < found.force_count; ++n) {
        CHECK(found.forces[n].force >= 0, "%s: contact %d pushes", spec, n);
        CHECK(found.forces[n].opening >= -EXACT, "%s: contact %d does not close", spec, n);
        CHECK_MOST(found.forces[n].force * found.forces[n].opening, EXACT,
                   "%s: contact %d opens or pushes", spec, n);
    }
    carom_tower_initial_free(&found);
    carom_tower_destroy(tower);
}

int main(void)
{
    check_single();
    check_spec("diamond:1", true, 0, 1, 2, 0);
    check_spec("diamond:2", true, 0, 4, 12, 0);
    check_spec("diamond:3", true, 0, 9, 34, 0);
    check_spec("diamond:4", true, 0, 16, 68, 0);
    check_spec("diamond:5", false, 216.0 / 989, 24509.0 / 989, 114, diamond5);
    check_spec("triangle:1", true, 0, 1, 2, 0);
    check_spec("triangle:2", true, 0, 3, 8, 0);
    check_spec("triangle:3", false, 3.0 / 14, 81.0 / 14, 20, triangle3);
    check_spec("parabolic:2", true, 0, 3, 8, 0);
    check_spec("parabolic:3", true, 0, 11, 42, 0);
    check_harmonic();
    check_random();
    check_corner_masses();
    check_balance("diamond:5");
    check_balance("diamond:10");
    check_balance("wall:6,5");
    return check_report();
}
