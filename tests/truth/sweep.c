// Time of impact: closed forms, and nothing tunnels at 100 diameters per step.
#include "base/random.h"
#include "collide/narrow.h"
#include "collide/sweep.h"
#include "support/check.h"

#include <stdlib.h>

static carom_sweep_body body(const carom_shape *shape, vec3 position, vec3 velocity)
{
    return (carom_sweep_body){ shape, position, quat_identity(), velocity, { 0, 0, 0 } };
}

static void check_spheres(void)
{
    carom_shape *s = NULL;
    carom_sphere_create(.5, &s, NULL);
    carom_sweep_body a = body(s, vec3_make(0, 0, 0), vec3_make(10, 0, 0));
    carom_sweep_body b = body(s, vec3_make(5, .6, 0), vec3_make(0, 0, 0));
    // Contact when the distance along x is sqrt(1 - .36) = .8.
    carom_sweep_hit hit = carom_sweep_find(&a, &b, 1, 1e-6);
    CHECK(hit.end == CAROM_SWEEP_HIT, "two spheres meet");
    CHECK_NEAR(hit.time, .42, 1e-15, "time of impact of spheres");
    CHECK_NEAR(hit.normal.x, .8, 1e-14, "normal at impact");
    b.position.y = 1.01;
    CHECK(carom_sweep_find(&a, &b, 1, 1e-6).end == CAROM_SWEEP_MISS, "a near miss is a miss");
    b.position = vec3_make(.9, 0, 0);
    CHECK(carom_sweep_find(&a, &b, 1, 1e-6).end == CAROM_SWEEP_TOUCHED, "overlap at the start");
    a.velocity.x = -10;
    CHECK(carom_sweep_find(&a, &b, 1, 1e-6).end == CAROM_SWEEP_MISS, "parting is no impact");
    carom_shape *plane = NULL;
    carom_plane_create(&plane, NULL);
    carom_sweep_body floor = body(plane, vec3_make(0, 0, 0), vec3_make(0, 0, 0));
    a = body(s, vec3_make(0, 0, 3), vec3_make(7, 0, -10));
    hit = carom_sweep_find(&a, &floor, 1, 1e-6);
    CHECK(hit.end == CAROM_SWEEP_HIT && fabs(hit.time - .25) < 1e-15, "a ball falls on a plane");
    CHECK_NEAR(hit.normal.z, -1, 0, "normal from ball to plane");
    hit = carom_sweep_find(&floor, &a, 1, 1e-6);
    CHECK_NEAR(hit.normal.z, 1, 0, "and from plane to ball");
    carom_shape_release(s);
    carom_shape_release(plane);
}

static void check_boxes(void)
{
    carom_shape *s = NULL, *wall = NULL;
    carom_box_create((double[3]){ .5, .5, .5 }, &s, NULL);
    carom_box_create((double[3]){ .05, 5, 5 }, &wall, NULL);
    carom_sweep_body a = body(s, vec3_make(-30, 0, 0), vec3_make(100, 3, 0));
    carom_sweep_body b = body(wall, vec3_make(20, 0, 0), vec3_make(0, 0, 0));
    carom_sweep_hit hit = carom_sweep_find(&a, &b, 1, 1e-6);
    CHECK(hit.end == CAROM_SWEEP_HIT, "a cube meets a thin wall");
    CHECK_NEAR(hit.time, (50 - .55) / 100, 1e-8, "within the slop of the exact time");
    CHECK(hit.gap > 0 && hit.gap <= 1e-6, "stopping before contact");
    // A rod spinning in place, sweeping its tip into a ball: the tip (radius 2) reaches the ball at
    // 60 degrees.
    carom_shape *rod = NULL, *ball = NULL;
    carom_capsule_create(.1, 1.9, &rod, NULL);
    carom_sphere_create(.1, &ball, NULL);
    carom_sweep_body spinner = body(rod, vec3_make(0, 0, 0), vec3_make(0, 0, 0));
    spinner.spin = vec3_make(0, 1, 0); // z turns towards x
    carom_sweep_body target =
        body(ball, vec3_make(1.5 * sin(1.2), 0, 1.5 * cos(1.2)), vec3_make(0, 0, 0));
    hit = carom_sweep_find(&spinner, &target, 3, 1e-7);
    // The axis passes the centre at distance .2 when 1.5 sin(1.2 - t) = .2.
    CHECK(hit.end == CAROM_SWEEP_HIT, "a turning rod meets a ball");
    CHECK_NEAR(hit.time, 1.2 - asin(.2 / 1.5), 1e-6, "time of impact by rotation alone");
    carom_shape_release(s);
    carom_shape_release(wall);
    carom_shape_release(rod);
    carom_shape_release(ball);
}

static carom_shape *make(int kind)
{
    carom_shape *s = NULL;
    double points[18] = { .5, 0, 0, -.5, 0, 0, 0, .5, 0, 0, -.5, 0, 0, 0, .5, 0, 0, -.5 };
    double ell[12] = { 0, 0, .8, 0, .8, .3, .3, .3, .3, .8, 0, .8 };
    if (kind == 0)
        carom_sphere_create(.5, &s, NULL);
    else if (kind == 1)
        carom_capsule_create(.2, .3, &s, NULL);
    else if (kind == 2)
        carom_cylinder_create(.3, .4, &s, NULL);
    else if (kind == 3)
        carom_box_create((double[3]){ .3, .3, .3 }, &s, NULL);
    else if (kind == 4)
        carom_hull_create(points, 6, &s, NULL);
    else
        carom_profile_extrude(ell, 6, .2, &s, NULL);
    return s;
}

// Aimed at each other from 50 diameters away, spinning, 100 diameters per step: every pair of kinds
// hits, the shapes are apart until then and within the slop at that time.
static void check_tunnelling(void)
{
    int missed = 0, overlapping = 0, far = 0, budget = 0, most_steps = 0;
    carom_random random = carom_random_make(4, 4);
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) {
            carom_shape *s = make(i), *t = make(j);
            for (int trial = 0; trial < check_effort(10, 3); ++trial) {
                double d[3];
                carom_random_direction(&random, d);
                vec3 way = vec3_from(d);
                carom_sweep_body a = body(s, vec3_scale(-50, way), vec3_scale(100, way));
                carom_sweep_body b = body(t, vec3_make(0, 0, 0), vec3_make(0, 0, 0));
                a.spin = vec3_scale(5, vec3_make(d[1], d[2], d[0]));
                carom_sweep_hit hit = carom_sweep_find(&a, &b, 1, 1e-4);
                missed += hit.end != CAROM_SWEEP_HIT && hit.end != CAROM_SWEEP_BUDGET;
                budget += hit.end == CAROM_SWEEP_BUDGET;
                overlapping += hit.gap < 0;
                far += hit.gap > 1e-4;
                most_steps = hit.steps > most_steps ? hit.steps : most_steps;
            }
            carom_shape_release(s);
            carom_shape_release(t);
        }
    CHECK(missed == 0, "nothing tunnels at 100 diameters per step (%d of 360 missed)", missed);
    CHECK(overlapping == 0, "and nothing is let in (%d)", overlapping);
    CHECK(budget == 0 && far == 0, "within the budget (%d not, most steps %d)", budget, most_steps);
}

int main(void)
{
    check_spheres();
    check_boxes();
    check_tunnelling();
    return check_report();
}
