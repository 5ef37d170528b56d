// Ground over a grid of heights. Its volume is that of the prisms under its triangles, and a ball
// rolls down a slope of it, over edges and corners of its triangles, as on a plane: with the
// acceleration 5/7 g sin(slope).
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "carom/scene.h"
#include "support/check.h"

enum { SIDE = 41 };

static void check_volume(void)
{
    static const double heights[] = { 0, 1, 0, 2, 0, 0 }; // three columns, two rows
    carom_heightfield field = { heights, 3, 2, { 0.5, 2 }, 3 };
    carom_shape *shape = NULL;
    carom_error err = { 0 };
    CHECK(carom_heightfield_create(&field, &shape, &err) == CAROM_OK, "%s", err.what);
    // cells are cut from the corner with the smallest x and y; mean height times area of each half
    double half = 0.5 * 0.5 * 2;
    double top = half * ((0 + 1 + 0) / 3.0 + (0 + 0 + 2) / 3.0 + (1 + 0 + 0) / 3.0 + (1 + 0 + 0) / 3.0);
    CHECK_NEAR(carom_shape_mass(shape).volume, top + 3 * 2 * 1.0, 1e-12, "volume");
    carom_shape_release(shape);
    field.rows = 1;
    CHECK(carom_heightfield_create(&field, &shape, &err) == CAROM_BAD_INPUT, "one row is none");
    field.rows = 2;
    field.depth = 0;
    CHECK(carom_heightfield_create(&field, &shape, &err) == CAROM_BAD_INPUT, "no depth");
}

static void check_slope(void)
{
    static double heights[SIDE * SIDE];
    const double g = 9.81, tangent = 0.1, spacing = 0.13, radius = 0.1, dt = 0.002;
    const double cosine = 1 / sqrt(1 + tangent * tangent), sine = tangent * cosine;
    carom_world_options options = carom_world_options_default();
    carom_world *world = NULL;
    carom_shape *ground = NULL, *ball = NULL;
    carom_error err = { 0 };
    for (int j = 0; j < SIDE; ++j)
        for (int i = 0; i < SIDE; ++i)
            heights[j * SIDE + i] = -tangent * (i - 0.5 * (SIDE - 1)) * spacing;
    carom_heightfield field = { heights, SIDE, SIDE, { spacing, spacing }, 1 };
    double shift[3], position[3];
    CHECK(carom_heightfield_create(&field, &ground, &err) == CAROM_OK, "%s", err.what);
    carom_sphere_create(radius, &ball, &err);
    carom_world_create(&options, &world, &err);
    carom_body body = carom_world_body_default();
    body.kind = CAROM_BODY_FIXED;
    body.shape = ground;
    carom_shape_shift(ground, shift);
    memcpy(body.position, shift, sizeof shift);
    carom_world_add_body(world, &body, NULL, &err);
    body = carom_world_body_default();
    body.shape = ball;
    // touching the slope at x = -1, off the lines of the grid
    const double start[3] = { -1 + radius * sine, 0.017, tangent + radius * cosine };
    memcpy(body.position, start, sizeof start);
    carom_world_add_body(world, &body, NULL, &err);
    for (int i = 0; i < 500; ++i)
        CHECK(carom_world_step(world, dt, &err) == CAROM_OK, "%s", err.what);
    carom_world_body(world, carom_world_body_at(world, 1), position, NULL, NULL, NULL);
    double way = (position[0] - start[0]) / cosine;
    // held bodies move with the velocity at the end of a step: a dt t / 2 ahead
    CHECK_NEAR(way, 5.0 / 14 * g * sine, 5.0 / 14 * g * sine * dt + 1e-4, "rolled in a second");
    CHECK_NEAR(position[2], -tangent * position[0] + radius * (cosine + tangent * sine), 1e-4,
               "on the slope all the way");
    carom_world_destroy(world);
    carom_shape_release(ground);
    carom_shape_release(ball);
}

int main(void)
{
    check_volume();
    check_slope();
    return check_report();
}
