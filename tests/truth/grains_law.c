// Laws of islands behind carom/grains.h: the same instant as carom_impact_resolve and as a world
// sees it, bit by bit, and the closed form of a ball on a driven wall with restitution that falls
// with speed.
//
// Bits, not round-off: the law gets the same numbers in the same order, bodies and contacts by
// name. They stay equal through the rest of the step where nothing approaches after the impact, as
// then resting contact has nothing to do. `newton` and `poisson` leave what their solves leave,
// some 1e-13 m/s, which resting contact ends: these agree to that.
#include "support/check.h"
#include "support/grain_box.h"
#include "support/small_world.h"

#include <math.h>
#include <string.h>
#include "carom/impact.h"
#include "carom/random.h"

enum { ROWS = 5, MOST = 64 };
#define RADIUS 0.004
#define STEP 1e-4
#define SLOP 1e-7

static grain_box box;

static void must(carom_status status)
{
    CHECK(status == CAROM_OK, "status %d", (int)status);
}

// A triangle of balls that touch, struck by a sixth row's one ball; all move and turn a little.
static void make_rack(void)
{
    carom_random random = carom_random_make(11, 0);
    memset(&box, 0, sizeof box);
    for (int row = 0; row < ROWS; ++row)
        for (int k = 0; k <= row; ++k)
            grain_box_add(&box, (double[3]){ RADIUS * sqrt(3) * row, RADIUS * (2 * k - row), 0 },
                          RADIUS);
    grain_box_add(&box, (double[3]){ -2 * RADIUS * cos(0.1), 2 * RADIUS * sin(0.1), 0 }, RADIUS);
    box.v[box.count - 1][0] = 1;
    for (int i = 0; i < box.count; ++i)
        for (int k = 0; k < 3; ++k)
            box.w[i][k] = carom_random_between(&random, -5, 5);
}

static carom_grains_options options_of(const char *law, double restitution, double friction)
{
    carom_grains_options options = carom_grains_options_default();
    carom_error err = { 0 };
    options.law = CAROM_GRAINS_ISLANDS;
    options.island_law = carom_law_find(law, &err);
    options.island_options = carom_law_defaults(options.island_law);
    options.surface = (carom_grains_surface){ .restitution = restitution, .friction = friction };
    options.gravity[2] = 0;
    options.skin = 0.004;
    options.slop = SLOP;
    options.resting_speed = 1e-6; // there is no gravity to say it
    return options;
}

static carom_grains_books step_grains(const carom_grains_options *options)
{
    carom_grains *grains = NULL;
    carom_grains_books books = { 0 };
    carom_error err = { 0 };
    carom_status status = carom_grains_create(options, NULL, &grains, &err);
    carom_grains_part part = grain_box_part(&box);
    if (status == CAROM_OK)
        status = carom_grains_step(grains, &part, 0, STEP, &err);
    CHECK(status == CAROM_OK, "a step: %s", err.what);
    carom_grains_books_now(grains, &part, &books, &err);
    carom_grains_destroy(grains);
    return books;
}

// The rack as an instant of carom/impact.h.
static int list_contacts(carom_impact_body *bodies, carom_impact_contact *contacts, double e,
                         double friction)
{
    int count = 0;
    for (int i = 0; i < box.count; ++i) {
        double turn = 1 / (0.4 * box.mass[i] * RADIUS * RADIUS);
        bodies[i] = carom_impact_body_default();
        bodies[i].inverse_mass = 1 / box.mass[i];
        for (int k = 0; k < 6; ++k)
            bodies[i].inverse_inertia[k] = k < 3 ? turn : 0;
        memcpy(bodies[i].position, box.x[i], sizeof box.x[i]);
        memcpy(bodies[i].velocity, box.v[i], sizeof box.v[i]);
        memcpy(bodies[i].spin, box.w[i], sizeof box.w[i]);
        for (int j = i + 1; j < box.count; ++j) {
            double d[3], length = 0;
            for (int k = 0; k < 3; ++k) {
                d[k] = box.x[j][k] - box.x[i][k];
                length += d[k] * d[k];
            }
            length = sqrt(length);
            if (length - 2 * RADIUS > SLOP)
                continue;
            carom_impact_contact *c = &contacts[count++];
            *c = carom_impact_contact_default();
            c->a = i, c->b = j;
            c->restitution = e, c->friction = friction;
            for (int k = 0; k < 3; ++k) {
                c->normal[k] = 1 / length * d[k];
                c->point[k] = 0.5 * ((box.x[i][k] + RADIUS * c->normal[k]) +
                                     (box.x[j][k] + -RADIUS * c->normal[k]));
            }
        }
    }
    return count;
}

static void same_instant(const char *law, double e, double friction, double round_off)
{
    carom_impact_body bodies[MOST];
    carom_impact_contact contacts[MOST];
    double velocities[MOST][3], spins[MOST][3], impulses[MOST][3];
    carom_impact_outcome out = { velocities, spins, impulses, { 0 } };
    carom_workspace *workspace = carom_workspace_create();
    carom_error err = { 0 };
    carom_workspace_set_accuracy(workspace, 1e-4); // as worlds and grains do
    make_rack();
    carom_impact impact = { box.count, list_contacts(bodies, contacts, e, friction), bodies,
                            contacts };
    CHECK(impact.contact_count == 31, "%d contacts", impact.contact_count);
    carom_status status =
        carom_impact_resolve(workspace, &impact, carom_law_find(law, &err), NULL, &out, &err);
    CHECK(status == CAROM_OK, "%s: %s", law, err.what);
    carom_workspace_destroy(workspace);
    carom_grains_options options = options_of(law, e, friction);
    carom_grains_books books = step_grains(&options);
    for (int i = 0; i < box.count; ++i)
        for (int k = 0; k < 3; ++k) {
            CHECK_NEAR(box.v[i][k], velocities[i][k], round_off, "%s e %g: ball %d", law, e, i);
            CHECK_NEAR(box.w[i][k], spins[i][k], round_off / RADIUS, "%s e %g: spin %d", law, e, i);
        }
    CHECK_NEAR(books.law, out.report.energy_before - out.report.energy_after,
               1e-15 * out.report.energy_before, "%s e %g: loss (J)", law, e);
    CHECK(books.impacts >= 10 && books.impact_sweeps == 1, "%s: %lld contacts struck in %lld pass",
          law, (long long)books.impacts, (long long)books.impact_sweeps);
}

// A world of the same balls.
static void same_world(const char *law, double e, double friction)
{
    small_world s = small_world_make(law);
    carom_error err = { 0 };
    memset(s.options.gravity, 0, sizeof s.options.gravity);
    s.options.slop = s.options.touch = SLOP;
    s.material.restitution = e;
    s.material.friction = friction;
    make_rack();
    for (int i = 0; i < box.count; ++i)
        small_world_ball(&s, RADIUS, box.mass[i], box.x[i], box.v[i]);
    for (int i = 0; i < box.count; ++i)
        must(carom_world_set_velocity(s.world, carom_world_body_at(s.world, i), NULL, box.w[i],
                                      &err));
    small_world_steps(&s, STEP, 1);
    carom_grains_options options = options_of(law, e, friction);
    step_grains(&options);
    for (int i = 0; i < box.count; ++i) {
        double x[3], v[3], w[3];
        must(carom_world_body(s.world, carom_world_body_at(s.world, i), x, NULL, v, w));
        CHECK(memcmp(v, box.v[i], sizeof v) == 0 && memcmp(w, box.w[i], sizeof w) == 0,
              "%s e %g: ball %d has %.17g m/s in the world, %.17g here", law, e, i, v[0],
              box.v[i][0]);
        CHECK(memcmp(x, box.x[i], sizeof x) == 0, "%s e %g: position of ball %d", law, e, i);
    }
    small_world_end(&s);
}

// u+ = -e(u) u- against a wall that goes up with its mean speed of the step.
static void driven_wall(const char *law)
{
    carom_grains_options options = options_of(law, 0.3, 0);
    carom_grains *grains = NULL;
    carom_error err = { 0 };
    carom_grains_wall wall = {
        .normal = { 0, 0, 1 },
        .amplitude = { 0, 0, 1e-3 },
        .frequency = 40,
        .surface = { .restitution = 0.3, .fade = 0.4, .fade_speed = 0.5, .fade_power = 0.75 }
    };
    memset(&box, 0, sizeof box);
    grain_box_add(&box, (double[3]){ 0, 0, RADIUS + 1e-8 }, RADIUS);
    box.v[0][2] = -0.2;
    must(carom_grains_create(&options, NULL, &grains, &err));
    must(carom_grains_add_wall(grains, &wall, &err));
    carom_grains_part part = grain_box_part(&box);
    must(carom_grains_step(grains, &part, 0, STEP, &err));
    double speed = 1e-3 * sin(2 * 3.14159265358979323846 * 40 * STEP) / STEP, u = speed + 0.2;
    double e = 1 - 0.4 * pow(u / 0.5, 0.75);
    CHECK_NEAR(box.v[0][2], speed + e * u, 1e-14, "%s: speed after", law);
    carom_grains_books books = { 0 };
    carom_grains_books_now(grains, &part, &books, &err);
    CHECK_NEAR(books.driven, box.mass[0] * (1 + e) * u * speed, 1e-17, "%s: work of the wall", law);
    CHECK_NEAR(books.law, 0.5 * box.mass[0] * u * u * (1 - e * e), 1e-17, "%s: loss", law);
    CHECK_MOST(fabs(books.integrator), 1e-18, "%s: the books close", law);
    carom_grains_destroy(grains);
}

static void sum(void *client, int64_t *values, int count)
{
    (void)client, (void)values, (void)count;
}

static void messages(void)
{
    carom_grains_options options = options_of("wave", 1, 0);
    carom_grains_host host = { .sum = sum };
    carom_grains *grains = NULL;
    carom_error err = { 0 };
    CHECK(carom_grains_create(&options, &host, &grains, &err) == CAROM_BAD_INPUT, "no gather");
    CHECK_TEXT(err.what, "the host cannot gather islands for the law wave", "what");
    options.island_law = NULL;
    CHECK(carom_grains_create(&options, NULL, &grains, &err) == CAROM_BAD_INPUT, "no law");
    CHECK_TEXT(err.what, "there is no law for the islands", "what");
}

int main(void)
{
    static const char *const laws[] = { "wave", "gr", "qce", "newton", "poisson" };
    for (int k = 0; k < 5; ++k) {
        double round_off = k < 3 ? 0 : 1e-11; // 0: bit by bit
        same_instant(laws[k], 1, 0, round_off);
        same_instant(laws[k], 0.9, 0.5, round_off);
        driven_wall(laws[k]);
    }
    for (int k = 0; k < 3; ++k) {
        same_world(laws[k], 1, 0);
        same_world(laws[k], 0.9, 0.5);
    }
    messages();
    return check_report();
}
