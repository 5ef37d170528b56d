// Times of impact that a step finds: closed forms, and nothing tunnels at 100 diameters per step.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/random.h"
#include "math/vec.h"
#include "support/check.h"
#include "support/play.h"
#include "support/small_world.h"

// Without gravity, friction and loss: what happens is the first impact and free flight around it.
static small_world empty(void)
{
    small_world s = small_world_make("newton");
    memset(s.options.gravity, 0, sizeof s.options.gravity);
    s.material.restitution = 1;
    s.material.friction = 0;
    return s;
}

static int add(small_world *s, carom_shape *shape, vec3 position, vec3 velocity, vec3 spin)
{
    carom_error err = { 0 };
    carom_body body = carom_world_body_default();
    carom_body_id id = { .slot = -1 };
    body.shape = shape;
    body.material = 1;
    vec3_store(position, body.position);
    vec3_store(velocity, body.velocity);
    vec3_store(spin, body.spin);
    CHECK(carom_world_add_body(s->world, &body, &id, &err) == CAROM_OK, "%s", err.what);
    return id.slot;
}

// The first impact within so many steps; its time is negative where there is none.
static carom_world_contact first_impact(small_world *s, double dt, int steps)
{
    carom_world_contact none = { .time = -1 };
    int count = 0;
    carom_world_record_contacts(s->world, 1);
    small_world_steps(s, dt, steps);
    const carom_world_contact *list = carom_world_contacts(s->world, &count);
    return count > 0 && list[0].impact ? list[0] : none;
}

static carom_world_contact two_balls(const double from[3], const double to[3], double speed)
{
    small_world s = empty();
    small_world_ball(&s, 0.5, 1, from, (double[3]){ speed, 0, 0 });
    small_world_ball(&s, 0.5, 1, to, NULL);
    carom_world_contact hit = first_impact(&s, 1, 1);
    small_world_end(&s);
    return hit;
}

static void check_spheres(void)
{
    // Contact when the distance along x is sqrt(1 - 0.36) = 0.8.
    carom_world_contact hit = two_balls((double[3]){ 0 }, (double[3]){ 5, 0.6, 0 }, 10);
    // 1e-9 m, the gap that counts as touching, at 8 m/s along the normal
    CHECK_NEAR(hit.time, 0.42, 2e-10, "time of impact of spheres");
    CHECK_NEAR(hit.normal[0], 0.8, 2e-9, "normal at impact");
    hit = two_balls((double[3]){ 0 }, (double[3]){ 5, 1.01, 0 }, 10);
    CHECK(hit.time < 0, "a near miss is a miss");
    hit = two_balls((double[3]){ 0 }, (double[3]){ 1, 0, 0 }, 10);
    CHECK_NEAR(hit.time, 0, 0, "in contact at the start");
    hit = two_balls((double[3]){ 0 }, (double[3]){ 1, 0, 0 }, -10);
    CHECK(hit.time < 0, "parting is no impact");
    small_world s = empty();
    small_world_floor(&s, (double[3]){ 0, 0, 1 }, 0);
    small_world_ball(&s, 0.5, 1, (double[3]){ 0, 0, 3 }, (double[3]){ 7, 0, -10 });
    hit = first_impact(&s, 1, 1);
    CHECK_NEAR(hit.time, 0.25, 2e-10, "a ball falls on a plane");
    CHECK_NEAR(hit.normal[2] * (hit.a == 0 ? 1 : -1), 1, 1e-15, "normal from the plane up");
    small_world_end(&s);
    // With gravity on a parabola: 2.5 = 10 t + g t^2 / 2.
    s = empty();
    s.options.gravity[2] = -9.81;
    small_world_floor(&s, (double[3]){ 0, 0, 1 }, 0);
    small_world_ball(&s, 0.5, 1, (double[3]){ 0, 0, 3 }, (double[3]){ 7, 0, -10 });
    hit = first_impact(&s, 1, 1);
    CHECK_NEAR(hit.time, (sqrt(100 + 2 * 9.81 * 2.5) - 10) / 9.81, 2e-10, "and falling freely");
    small_world_end(&s);
}

static void check_boxes(void)
{
    small_world s = empty();
    small_world_box(&s, (double[3]){ 0.5, 0.5, 0.5 }, 1, (double[3]){ -30, 0, 0 },
                    (double[3]){ 100, 3, 0 });
    small_world_box(&s, (double[3]){ 0.05, 5, 5 }, 1, (double[3]){ 20, 0, 0 }, NULL);
    carom_world_contact hit = first_impact(&s, 1, 1);
    CHECK_NEAR(hit.time, (50 - 0.55) / 100, 2e-11, "a cube meets a thin wall");
    small_world_end(&s);
    // A rod spinning in place sweeps its side into a ball: its axis passes the ball's centre at
    // the distance 0.2 when 1.5 sin(1.2 - t) = 0.2.
    carom_shape *rod = NULL;
    carom_capsule_create(0.1, 1.9, &rod, NULL);
    s = empty();
    small_world_ball(&s, 0.1, 1, (double[3]){ 1.5 * sin(1.2), 0, 1.5 * cos(1.2) }, NULL);
    add(&s, rod, vec3_make(0, 0, 0), vec3_make(0, 0, 0), vec3_make(0, 1, 0)); // z turns towards x
    hit = first_impact(&s, 0.01, 300);
    CHECK_NEAR(hit.time, 1.2 - asin(0.2 / 1.5), 1e-9, "time of impact by rotation alone");
    carom_shape_release(rod);
    small_world_end(&s);
}

static carom_shape *make(int kind)
{
    carom_shape *s = NULL;
    double points[18] = { 0.5, 0, 0, -0.5, 0, 0, 0, 0.5, 0, 0, -0.5, 0, 0, 0, 0.5, 0, 0, -0.5 };
    double ell[12] = { 0, 0, 0.8, 0, 0.8, 0.3, 0.3, 0.3, 0.3, 0.8, 0, 0.8 };
    if (kind == 0)
        carom_sphere_create(0.5, &s, NULL);
    else if (kind == 1)
        carom_capsule_create(0.2, 0.3, &s, NULL);
    else if (kind == 2)
        carom_cylinder_create(0.3, 0.4, &s, NULL);
    else if (kind == 3)
        carom_box_create((double[3]){ 0.3, 0.3, 0.3 }, &s, NULL);
    else if (kind == 4)
        carom_hull_create(points, 6, &s, NULL);
    else
        carom_profile_extrude(ell, 6, 0.2, &s, NULL);
    return s;
}

// Aimed at each other from 50 diameters away, spinning, 100 diameters per step: every pair of kinds
// hits where their outlines can meet, before their centres do, and they do not overlap when the
// step ends.
static void check_tunnelling(void)
{
    int missed = 0, early = 0, late = 0, overlapping = 0, trials = check_effort(10, 3);
    carom_random random = carom_random_make(4, 4);
    const double dt = 0.01;
    for (int i = 0; i < 36 * trials; ++i) {
        carom_shape *moving = make(i / trials / 6), *target = make(i / trials % 6);
        carom_error err = { 0 };
        double d[3];
        int count = 0;
        carom_random_direction(&random, d);
        vec3 way = vec3_from(d), still = vec3_make(0, 0, 0);
        small_world s = empty();
        small_world_ball(&s, 1, 1, (double[3]){ 0, 0, 1e4 }, NULL); // far away: makes the world
        add(&s, moving, vec3_scale(-50, way), vec3_scale(100 / dt, way),
            vec3_scale(5, vec3_make(d[1], d[2], d[0])));
        add(&s, target, still, still, still);
        carom_world_contact hit = first_impact(&s, dt, 1);
        missed += hit.time < 0;
        early += hit.time < (0.5 - 0.015) * dt; // no shape reaches farther than 0.75 m
        late += hit.time > 0.5 * dt;
        carom_overlap worst;
        CHECK(carom_world_overlaps(s.world, &worst, &count, &err) == CAROM_OK, "%s", err.what);
        overlapping += count;
        small_world_end(&s);
        carom_shape_release(moving);
        carom_shape_release(target);
    }
    CHECK(missed == 0, "nothing tunnels at 100 diameters per step (%d of %d missed)", missed,
          36 * trials);
    CHECK(early == 0 && late == 0, "each at its time (%d early, %d late)", early, late);
    CHECK(overlapping == 0, "and nothing is let in (%d)", overlapping);
}

// Where a ball is that bounces between two walls without loss.
static double folded(double start, double way, double low, double high)
{
    double width = high - low, x = fmod(start - low + way, 2 * width);
    x = x < 0 ? x + 2 * width : x;
    return low + (x > width ? 2 * width - x : x);
}

// A closed box is a compound: what has just left its floor may be on its way to a wall that is
// farther off than the floor.
static void check_corners(void)
{
    const double dt = 1.0 / 30, radius = 0.1, half = 0.6;
    carom_random random = carom_random_make(5, 5);
    double worst = 0, deepest = 0;
    for (int i = 0; i < check_effort(40, 10); ++i) {
        double x[3], v[3];
        char text[900];
        for (int k = 0; k < 3; ++k) {
            x[k] =
                carom_random_between(&random, radius - half, half - radius) + (k == 2 ? half : 0);
            v[k] = carom_random_between(&random, -8, 8);
        }
        snprintf(
            text, sizeof text,
            "{ \"carom\": 1, \"kind\": \"world\", \"step\": %.17g, \"duration\": 2,"
            "  \"gravity\": [0, 0, 0], \"materials\": { \"m\": { \"restitution\": 1, \"friction\": "
            "0 } },"
            "  \"bodies\": [ { \"name\": \"box\", \"kind\": \"fixed\", \"material\": \"m\","
            "    \"shape\": { \"container\": { \"inside\": [1.2, 1.2, 1.2], \"open\": \"\" } } },"
            "  { \"name\": \"ball\", \"shape\": { \"sphere\": 0.1 }, \"material\": \"m\","
            "    \"position\": [%.17g, %.17g, %.17g], \"velocity\": [%.17g, %.17g, %.17g] } ] }",
            dt, x[0], x[1], x[2], v[0], v[1], v[2]);
        play p = play_parse("corner", text);
        int ball = play_find(&p, "ball");
        while (!p.broken && p.step < 60) {
            play_steps(&p, 1);
            vec3 now = play_position(&p, ball);
            const double at[3] = { now.x, now.y, now.z };
            for (int k = 0; k < 3; ++k) {
                double low = radius - (k == 2 ? 0 : half);
                worst = fmax(worst, fabs(at[k] - folded(x[k], v[k] * (double)p.step * dt, low,
                                                        low + 2 * (half - radius))));
            }
        }
        deepest = fmax(deepest, play_ledger(&p).peak_overlap);
        play_close(&p);
    }
    // each impact is up to half of `touch` early
    CHECK_MOST(worst, 1e-4, "m: a ball in a closed box is where mirrors put it");
    CHECK_MOST(deepest, 1e-6, "m: and never inside of a wall");
}

// A cylinder that falls tilted onto the face of a box: one end bounces off and throws the other end
// down, which meets the floor within the same step, where no contact was found at its start.
typedef struct slap {
    double position[3], spin[3], overlap;
    int impacts;
} slap;

static slap slap_down(double tilt, double dt, int steps)
{
    const double radius = 0.03, half = 0.25, lean = 0.25 * acos(-1) - 0.5 * tilt;
    carom_error err = { 0 };
    small_world s = empty();
    small_world_floor(&s, (double[3]){ 0, 0, 1 }, -10); // nothing gets so far down
    carom_shape *floor = NULL, *rod = NULL;
    CHECK(carom_box_create((double[]){ 2, 2, 0.2 }, &floor, &err) == CAROM_OK, "%s", err.what);
    CHECK(carom_cylinder_create(radius, half, &rod, &err) == CAROM_OK, "%s", err.what);
    carom_body body = carom_world_body_default();
    carom_body_id id = { .slot = -1 };
    body.kind = CAROM_BODY_FIXED;
    body.shape = floor;
    body.material = 1;
    body.position[2] = -0.2;
    CHECK(carom_world_add_body(s.world, &body, &id, &err) == CAROM_OK, "%s", err.what);
    body = carom_world_body_default();
    body.shape = rod;
    body.material = 1;
    body.rotation[0] = cos(lean);
    body.rotation[2] = sin(lean);
    body.position[2] = 0.001 + half * sin(tilt) + radius * cos(tilt);
    body.velocity[2] = -15;
    CHECK(carom_world_add_body(s.world, &body, &id, &err) == CAROM_OK, "%s", err.what);
    slap out;
    small_world_steps(&s, dt, steps);
    carom_world_body(s.world, id, out.position, NULL, NULL, out.spin);
    out.overlap = carom_world_ledger(s.world).peak_overlap;
    out.impacts = (int)carom_world_ledger(s.world).impacts;
    small_world_end(&s);
    carom_shape_release(floor);
    carom_shape_release(rod);
    return out;
}

static void check_slaps(void)
{
    for (int k = 1; k <= 3; ++k) {
        slap coarse = slap_down(0.1 * k, 1. / 60, 2), fine = slap_down(0.1 * k, 1. / 3000, 100);
        CHECK(coarse.impacts == fine.impacts && fine.impacts == 3, "tilt %g: %d impacts, %d", 0.1 * k,
              coarse.impacts, fine.impacts);
        CHECK_MOST(coarse.overlap, 1e-8, "a rod that slaps down stays outside (m)");
        for (int i = 0; i < 3; ++i) {
            CHECK_NEAR(coarse.position[i], fine.position[i], 1e-7, "where it is, tilt %g", 0.1 * k);
            CHECK_NEAR(coarse.spin[i], fine.spin[i], 1e-5, "how it spins, tilt %g", 0.1 * k);
        }
    }
}

int main(void)
{
    check_corners();
    check_spheres();
    check_slaps();
    check_boxes();
    check_tunnelling();
    return check_report();
}
