// Towers in space against the plane, closed forms, and the world's own first step.
#include "carom/scene.h"
#include "carom/tower_space.h"
#include "carom/world.h"
#include "math/vec.h"
#include "support/check.h"
#include "tower/tower_internal.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static carom_error err;

static carom_tower_space *empty(void)
{
    return carom_tower_space_create((double[]){ 0, 0, -1 });
}

static int box(carom_tower_space *t, double x, double y, double z, const double size[3],
               double mass)
{
    const double centre[3] = { x, y, z }, half[3] = { size[0] / 2, size[1] / 2, size[2] / 2 };
    int index = -1;
    CHECK(carom_tower_space_add_box(t, centre, half, NULL, mass > 0 ? mass : 1, mass <= 0, &index,
                                    &err) == CAROM_OK,
          "%s", err.what);
    return index;
}

static void floor_at(carom_tower_space *t, double z)
{
    carom_tower_space_body body = { .fixed = true };
    int index = -1;
    carom_tower_space_add_body(t, &body, &index, &err);
    CHECK(carom_tower_space_add_half(t, index, (double[]){ 0, 0, z }, (double[]){ 0, 0, 1 },
                                     &err) == CAROM_OK,
          "%s", err.what);
}

static carom_tower_space_instant solve(const carom_tower_space *t)
{
    carom_tower_space_instant out;
    CHECK(carom_tower_space_initial(t, CAROM_TOWER_AUTO, &out, &err) == CAROM_OK, "%s", err.what);
    CHECK_MOST(out.kkt, 1e-13, "residual");
    return out;
}

// -- the plane ----------------------------------------------------------------------------------

// A rotation that is nothing special: about (1, 2, 3) by 0.7.
static mat3 oblique(void)
{
    double c = cos(0.35), s = sin(0.35) / sqrt(14.0);
    return quat_matrix((quat){ c, s, 2 * s, 3 * s });
}

// A tower of the plane as boxes of the given depth, seen in a frame turned by r.
static carom_tower_space *extrude(const carom_tower *flat, double depth, mat3 r)
{
    double g[3];
    vec3_store(mat3_mul(r, vec3_make(0, 0, -flat->gravity)), g);
    carom_tower_space *t = carom_tower_space_create(g);
    double known[3];
    carom_tower_space_gravity(t, known);
    CHECK(memcmp(known, g, sizeof g) == 0, "it knows its gravity");
    for (int b = 0; b < flat->public_body_count; ++b) {
        const tower_body *body = &flat->bodies[b];
        const tower_anchor *a = &flat->anchors[tower_corner(flat, &flat->shapes[body->shape], 2)];
        double c = cos(-body->angle), s = sin(-body->angle); // about y, x to z
        mat3 own = { { { c, 0, s }, { 0, 1, 0 }, { -s, 0, c } } }, turned;
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k)
                turned.m[i][k] =
                    r.m[i][0] * own.m[0][k] + r.m[i][1] * own.m[1][k] + r.m[i][2] * own.m[2][k];
        double centre[3], half[3] = { a->rx, depth / 2, a->ry };
        vec3_store(mat3_mul(r, vec3_make(body->x, 0, body->y)), centre);
        CHECK(carom_tower_space_add_box(t, centre, half, &turned.m[0][0], body->mass, body->fixed,
                                        NULL, &err) == CAROM_OK,
              "%s", err.what);
    }
    for (int s = 0; s < flat->shape_count; ++s)
        if (flat->shapes[s].owner < 0) { // a table: its end near the tower, as a box
            const tower_anchor *high = &flat->anchors[tower_corner(flat, &flat->shapes[s], 2)];
            double centre[3], half[3] = { 16, 8, 1 };
            vec3_store(mat3_mul(r, vec3_make(high->rx - 16, 0, high->ry - 1)), centre);
            carom_tower_space_add_box(t, centre, half, &r.m[0][0], 1, true, NULL, &err);
        }
    for (int h = 0; h < flat->plane_count; ++h) {
        carom_tower_space_body ground = { .fixed = true };
        double point[3], normal[3];
        int index;
        vec3_store(mat3_mul(r, vec3_make(flat->planes[h].x, 0, flat->planes[h].y)), point);
        vec3_store(mat3_mul(r, vec3_make(flat->planes[h].nx, 0, flat->planes[h].ny)), normal);
        carom_tower_space_add_body(t, &ground, &index, &err);
        carom_tower_space_add_half(t, index, point, normal, &err);
    }
    return t;
}

// Accelerations of the plane: (ax, 0, ay) and -alpha about y.
static void compare(const char *spec, const carom_tower *flat, double depth, mat3 r)
{
    carom_tower_instant plane;
    carom_tower_space *t = extrude(flat, depth, r);
    carom_tower_space_instant space = solve(t);
    CHECK(carom_tower_initial(flat, CAROM_TOWER_AUTO, &plane, &err) == CAROM_OK, "%s", err.what);
    double worst = 0;
    for (int b = 0; b < plane.bodies; ++b) {
        const double *p = plane.accelerations + 3 * b, *s = space.accelerations + 6 * b;
        vec3 a = mat3_tmul(r, vec3_from(s)), alpha = mat3_tmul(r, vec3_from(s + 3));
        worst = fmax(worst, fmax(fabs(a.x - p[0]), fmax(fabs(a.y), fabs(a.z - p[1]))));
        worst = fmax(worst, fmax(fabs(alpha.x), fmax(fabs(alpha.y + p[2]), fabs(alpha.z))));
    }
    CHECK_MOST(worst, 1e-9, "%s, depth %g: accelerations are those of the plane", spec, depth);
    CHECK(plane.stable == space.stable, "%s: %s in both", spec,
          plane.stable ? "stable" : "unstable");
    CHECK_NEAR(space.support_force, plane.support_force, 1e-9, "%s: support force", spec);
    CHECK_NEAR(space.sum_m_a2, plane.sum_m_a2, 1e-9, "%s: sum m a^2", spec);
    carom_tower_initial_free(&plane);
    carom_tower_space_initial_free(&space);
    carom_tower_space_destroy(t);
}

static void check_plane(void)
{
    static const char *const specs[] = { "single:0.6",      "diamond:3",  "diamond:5",
                                         "diamond:7",       "triangle:3", "harmonic:5,-1e-3",
                                         "harmonic:5,1e-3", "wall:4,5",   "parabolic:3" };
    const mat3 straight = { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
    for (int n = 0; n < (int)(sizeof specs / sizeof *specs); ++n) {
        carom_tower *flat = NULL;
        CHECK(carom_tower_build(specs[n], &flat, &err) == CAROM_OK, "%s", err.what);
        compare(specs[n], flat, 0.5, straight);
        compare(specs[n], flat, 2, oblique());
        carom_tower_destroy(flat);
    }
}

// -- closed forms -------------------------------------------------------------------------------

// A block whose centre is (dx, dy) beyond the corner of a table falls about that corner: one force
// f with f (1 + ry^2/J + rx^2/J) = 1, r from the centre to the corner.
static void check_corner(void)
{
    static const double table[3] = { 4, 4, 1 }, block[3] = { 1, 1, 0.25 };
    static const double beyond[4][2] = {
        { 0.0625, 0.03125 }, { 0.2, 0.1 }, { -0.1, -0.1 }, { 0, 0 }
    };
    for (int n = 0; n < 4; ++n) {
        double dx = beyond[n][0], dy = beyond[n][1], j = (1 + 0.0625) / 12;
        carom_tower_space *t = empty();
        box(t, -2, -2, -0.5, table, 0);
        box(t, dx, dy, 0.125, block, 1);
        carom_tower_space_instant i = solve(t);
        const double *a = i.accelerations + 6;
        bool falls = dx > 0;
        double f = falls ? 1 / (1 + (dx * dx + dy * dy) / j) : 1;
        CHECK(i.stable == !falls, "corner, (%g, %g) beyond: %s", dx, dy,
              falls ? "falls" : "stands");
        CHECK_NEAR(i.support_force, f, 1e-12, "its support");
        CHECK_NEAR(a[2], f - 1, 1e-12, "its fall");
        CHECK_NEAR(a[3], falls ? -dy * f / j : 0, 1e-12, "its turn about x");
        CHECK_NEAR(a[4], falls ? dx * f / j : 0, 1e-12, "its turn about y");
        carom_tower_space_initial_free(&i);
        carom_tower_space_destroy(t);
    }
}

// A plate on three columns: stands while its centre is over the hull of the column tops. The hull
// of squares of side s about (1, 0), (-1/2, +-3/4) has its front at x = 1 + s/2 and its back at
// -1/2 - s/2; its slanted sides run from (1 + s/2, s/2) to (-1/2 + s/2, 3/4 + s/2) and mirrored.
static void check_tripod(void)
{
    const double s = 0.125, h = s / 2, column[3] = { s, s, 1 }, plate[3] = { 4, 4, 0.25 };
    static const double legs[3][2] = { { 1, 0 }, { -0.5, 0.75 }, { -0.5, -0.75 } };
    // along the outward normal of the slanted side, from its middle
    double mx = (1 + h - 0.5 + h) / 2, my = (h + 0.75 + h) / 2,
           length = sqrt(0.75 * 0.75 + 1.5 * 1.5);
    double nx = 0.75 / length, ny = 1.5 / length;
    for (int side = 0; side < 3; ++side)
        for (int out = -1; out <= 1; out += 2) {
            double e = 1e-6 * out, x = 0, y = 0;
            if (side == 0)
                x = 1 + h + e;
            else if (side == 1)
                x = -0.5 - h - e;
            else {
                x = mx + e * nx;
                y = my + e * ny;
            }
            carom_tower_space *t = empty();
            floor_at(t, 0);
            for (int n = 0; n < 3; ++n)
                box(t, legs[n][0], legs[n][1], 0.5, column, 1);
            box(t, x, y, 1.125, plate, 6);
            carom_tower_space_instant i = solve(t);
            CHECK(i.stable == (out < 0), "a plate 1e-6 %s side %d of its tripod %s",
                  out < 0 ? "within" : "beyond", side, out < 0 ? "stands" : "tips");
            if (out < 0)
                CHECK_NEAR(i.support_force, 9, 1e-9, "and is carried");
            carom_tower_space_initial_free(&i);
            carom_tower_space_destroy(t);
        }
}

// Two beams of square section on edge, one across the other: they meet in one point. The upper one
// with its centre d along its length from there: f (1 + d^2 / J) = 1.
static void check_edges(void)
{
    const double half[3] = { 1, 0.125, 0.125 }, c = sqrt(0.5);
    // along x, turned about x by 45 degrees; along y likewise
    const double lower[9] = { 1, 0, 0, 0, c, -c, 0, c, c };
    const double upper[9] = { 0, -c, c, 1, 0, 0, 0, c, c };
    const double reach = 0.125 / c;
    for (int n = 0; n < 2; ++n) {
        double d = 0.25 * n, j = (4 + 0.0625) / 12;
        carom_tower_space *t = empty();
        carom_tower_space_add_box(t, (double[]){ 0, 0, 0 }, half, lower, 1, true, NULL, &err);
        carom_tower_space_add_box(t, (double[]){ 0.1, d, 2 * reach }, half, upper, 1, false, NULL,
                                  &err);
        carom_tower_space_instant i = solve(t);
        CHECK(i.force_count == 1, "two edges cross in one point (%d)", i.force_count);
        CHECK(i.stable == (n == 0), "crossed beams: %s", n ? "tips" : "balanced");
        double f = 1 / (1 + d * d / j);
        CHECK_NEAR(i.support_force, f, 1e-12, "its support");
        CHECK_NEAR(i.accelerations[9], -d * f / j, 1e-12, "its turn");
        carom_tower_space_initial_free(&i);
        carom_tower_space_destroy(t);
    }
}

// A box on a slope slides with g sin, and turns not at all while its centre is over its base.
static void check_slope(void)
{
    double angle = 0.3, c = cos(angle), s = sin(angle);
    const double turn[9] = { c, 0, s, 0, 1, 0, -s, 0, c }, slope[3] = { 4, 4, 0.5 },
                 half[3] = { 0.5, 0.25, 0.25 };
    carom_tower_space *t = empty();
    carom_tower_space_add_box(t, (double[]){ 0, 0, 0 }, slope, turn, 1, true, NULL, &err);
    carom_tower_space_add_box(t, (double[]){ 0.75 * s, 0, 0.75 * c }, half, turn, 2, false, NULL,
                              &err);
    carom_tower_space_instant i = solve(t);
    const double *a = i.accelerations + 6;
    CHECK_NEAR(a[0], s * c, 1e-12, "slides along x");
    CHECK_NEAR(a[2], -s * s, 1e-12, "and down");
    CHECK_MOST(fabs(a[1]) + fabs(a[3]) + fabs(a[4]) + fabs(a[5]), 1e-12, "and nothing else");
    carom_tower_space_initial_free(&i);
    carom_tower_space_destroy(t);
}

// A corner of a tetrahedron on the floor, and a hull standing on a triangle.
static void check_hull(void)
{
    static const double corners[12] = { 0, 0, 0, 1, 0, 1, -0.5, 0.75, 1, -0.5, -0.75, 1 };
    static const int first[5] = { 0, 3, 6, 9, 12 },
                     loop[12] = { 1, 2, 3, 0, 2, 1, 0, 3, 2, 0, 1, 3 };
    for (int upside = 0; upside < 2; ++upside) {
        double placed[12];
        int turned[12];
        for (int v = 0; v < 4; ++v) {
            placed[3 * v] = corners[3 * v];
            placed[3 * v + 1] = corners[3 * v + 1];
            placed[3 * v + 2] = upside ? 1 - corners[3 * v + 2] : corners[3 * v + 2];
        }
        for (int k = 0; k < 12; ++k)
            turned[k] = upside ? loop[3 * (k / 3) + 2 - k % 3] : loop[k];
        carom_tower_space *t = empty();
        floor_at(t, 0);
        carom_tower_space_body body = { .mass = 1,
                                        .centre = { 0, 0, upside ? 0.25 : 0.75 },
                                        .inertia = { 0.1, 0.1, 0.1 } };
        carom_tower_space_piece piece = { placed, 4, first, turned, 4 };
        int index;
        carom_tower_space_add_body(t, &body, &index, &err);
        CHECK(carom_tower_space_add_piece(t, index, &piece, &err) == CAROM_OK, "%s", err.what);
        carom_tower_space_instant i = solve(t);
        CHECK(i.force_count == (upside ? 3 : 1), "a tetrahedron touches with %d corners",
              i.force_count);
        CHECK(i.stable, "and is balanced");
        carom_tower_space_initial_free(&i);
        carom_tower_space_destroy(t);
    }
}

// -- scenes -------------------------------------------------------------------------------------

#define WORLD "{\"carom\":1,\"kind\":\"world\",\"gravity\":[0,0,-1],\"bodies\":["
#define FLOOR "{\"name\":\"floor\",\"shape\":{\"plane\":[0,0,1]},\"kind\":\"fixed\"}"

static carom_tower_space *parse(const char *text)
{
    carom_tower *flat = NULL;
    carom_tower_space *space = NULL;
    memset(&err, 0, sizeof err);
    carom_tower_space_file_parse("scene.json", text, strlen(text), &flat, &space, &err);
    carom_tower_destroy(flat);
    return space;
}

// Three balls on the floor that touch each other, one on top: with phi the angle of the line of
// centres against the vertical (cos = sqrt(2/3), sin = 1/sqrt 3) the top falls with g/7 and pushes
// the others out with sqrt(2) g/7.
static void check_balls(void)
{
    double rho = 2 / sqrt(3.0), high = 1 + 2 * sqrt(2.0 / 3.0);
    char text[800];
    snprintf(text, sizeof text,
             WORLD FLOOR ",{\"shape\":{\"sphere\":1},\"position\":[%.17g,0,1]},"
                         "{\"shape\":{\"sphere\":1},\"position\":[%.17g,1,1]},"
                         "{\"shape\":{\"sphere\":1},\"position\":[%.17g,-1,1]},"
                         "{\"shape\":{\"sphere\":1},\"position\":[0,0,%.17g]}]}",
             rho, -rho / 2, -rho / 2, high);
    carom_tower_space *t = parse(text);
    if (!CHECK(t != NULL, "%s", err.what))
        return;
    carom_tower_space_instant i = solve(t);
    CHECK_NEAR(i.accelerations[6 * 4 + 2], -1.0 / 7, 1e-9, "the ball on top falls with g/7");
    CHECK_NEAR(i.accelerations[6], sqrt(2.0) / 7, 1e-9, "and drives the others out");
    carom_tower_space_initial_free(&i);
    carom_tower_space_destroy(t);
}

// The world's own step, which shares neither contacts nor solver: from rest, without friction and
// restitution, velocity over time tends to the acceleration. Its resting solver is asked for 1e-13
// (by default it ends 5 x 5 bricks after 200 sweeps, far from the answer); a step of 1e-6 s leaves
// first-order terms of that size.
static void check_world(const char *name)
{
    char path[300];
    carom_scene_world *scene = NULL;
    carom_world *world = NULL;
    carom_tower *flat = NULL;
    carom_tower_space *t = NULL;
    const double dt = 1e-6;
    snprintf(path, sizeof path, "%s/scenes/tower_space/%s.json", CAROM_SOURCE_DIR, name);
    CHECK(carom_tower_space_file_load(path, &flat, &t, &err) == CAROM_OK, "%s: %s", name, err.what);
    CHECK(carom_scene_world_open(path, &scene, &err) == CAROM_OK, "%s: %s", name, err.what);
    carom_world_options options = carom_scene_world_options(scene);
    options.rest_tolerance = 1e-13;
    options.rest_sweeps = 1000000;
    CHECK(carom_scene_world_build(scene, &options, &world, &err) == CAROM_OK, "%s", err.what);
    CHECK(carom_world_step(world, dt, &err) == CAROM_OK, "%s", err.what);
    carom_tower_space_instant i = solve(t);
    double worst = 0, max = 0;
    for (int b = 0; b < i.bodies; ++b) {
        double position[3], rotation[4], velocity[3], spin[3];
        carom_world_body(world, carom_world_body_at(world, b), position, rotation, velocity, spin);
        for (int k = 0; k < 3; ++k) {
            const double *a = i.accelerations + 6 * b;
            worst = fmax(worst, fmax(fabs(velocity[k] / dt - a[k]), fabs(spin[k] / dt - a[3 + k])));
            max = fmax(max, fmax(fabs(a[k]), fabs(a[3 + k])));
        }
    }
    CHECK_MOST(worst, 1e-6, "%s: the world's first step has these accelerations (up to %.2g)", name,
               max);
    carom_tower_space_initial_free(&i);
    carom_tower_space_destroy(t);
    carom_world_destroy(world);
    carom_scene_world_close(scene);
}

static void refused(const char *bodies, const char *what)
{
    char text[900];
    carom_tower_space_instant i = { 0 };
    snprintf(text, sizeof text, WORLD FLOOR ",%s]}", bodies);
    carom_tower_space *t = parse(text);
    carom_status status = t ? carom_tower_space_initial(t, CAROM_TOWER_AUTO, &i, &err) : err.status;
    CHECK(status != CAROM_OK && strstr(err.what, what), "refused with \"%s\": %s", what, err.what);
    CHECK(err.fix[0] != 0, "with a fix: %s", err.fix);
    carom_tower_space_initial_free(&i);
    carom_tower_space_destroy(t);
}

static void check_refusals(void)
{
    refused("{\"name\":\"b\",\"shape\":{\"box\":[1,1,1]},\"position\":[0,0,0.4999]}", "overlap");
    refused("{\"name\":\"b\",\"shape\":{\"sphere\":1},\"position\":[0,0,0.999]}", "overlap");
    refused("{\"name\":\"b\",\"shape\":{\"box\":[1,1,1]},\"position\":[0,0,0.5]},"
            "{\"name\":\"c\",\"shape\":{\"box\":[1,1,1]},\"position\":[0.3,0.2,1.4]}",
            "\"b\" and \"c\" overlap by 0.1");
    refused("{\"name\":\"b\",\"shape\":{\"box\":[1,1,1]},\"position\":[0,0,0.5],"
            "\"velocity\":[1,0,0]}",
            "moves");
    refused("{\"name\":\"b\",\"shape\":{\"box\":[1,1,1]},\"position\":[0,0,0.5],\"mass\":1e-12}",
            "mass of a body is 1e-12");
}

int main(void)
{
    check_plane();
    check_corner();
    check_tripod();
    check_edges();
    check_slope();
    check_hull();
    check_balls();
    check_world("tripod_tips");
    check_world("corner");
    check_world("crossed");
    check_world("diamond5");
    check_refusals();
    return check_report();
}
