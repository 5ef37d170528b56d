// Meshes: the report counts what is wrong, repair repairs, refusal refuses; files come in; the
// signed distance of a closed mesh has the right sign everywhere.
#include "shape/shape.h"
#include "base/random.h"
#include "carom/import.h"
#include "shape/mesh.h"
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double corner[8][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 },
                                     { 0, 0, 1 }, { 1, 0, 1 }, { 1, 1, 1 }, { 0, 1, 1 } };
static const int triangle[12][3] = { { 0, 2, 1 }, { 0, 3, 2 }, { 4, 5, 6 }, { 4, 6, 7 },
                                     { 0, 1, 5 }, { 0, 5, 4 }, { 2, 3, 7 }, { 2, 7, 6 },
                                     { 1, 2, 6 }, { 1, 6, 5 }, { 0, 4, 7 }, { 0, 7, 3 } };

typedef struct work {
    double vertex[64][3];
    int triangle[64][3];
    int vertices, triangles;
} work;

static work cube_at(double x, double size)
{
    work w = { .vertices = 8, .triangles = 12 };
    for (int v = 0; v < 8; ++v)
        for (int k = 0; k < 3; ++k)
            w.vertex[v][k] = size * corner[v][k] + (k == 0 ? x : 0);
    memcpy(w.triangle, triangle, sizeof triangle);
    return w;
}

static void append(work *w, const work *more)
{
    for (int t = 0; t < more->triangles; ++t)
        for (int k = 0; k < 3; ++k)
            w->triangle[w->triangles + t][k] = more->triangle[t][k] + w->vertices;
    memcpy(w->vertex[w->vertices], more->vertex, (size_t)more->vertices * sizeof more->vertex[0]);
    w->vertices += more->vertices;
    w->triangles += more->triangles;
}

static carom_status build(const work *w, carom_mesh_policy policy, carom_mesh_report *report,
                          double *volume, carom_error *err)
{
    carom_shape *shape = NULL;
    carom_mesh_source source = { &w->vertex[0][0], &w->triangle[0][0], w->vertices, w->triangles };
    carom_status status = carom_mesh_create(&source, policy, report, &shape, err);
    *volume = shape ? carom_shape_mass(shape).volume : 0;
    carom_shape_release(shape);
    return status;
}

static void check_faults(void)
{
    carom_mesh_report r;
    carom_error err = { 0 };
    double volume;
    work w = cube_at(0, 1);
    CHECK(build(&w, CAROM_MESH_STRICT, &r, &volume, &err) == CAROM_OK && fabs(volume - 1) < 1e-15,
          "a cube is accepted: %s", err.what);
    CHECK(r.vertices == 8 && r.triangles == 12 && r.pieces == 1 &&
              r.welded + r.degenerate + r.flipped == 0,
          "and found clean");

    w.triangles = 11;
    CHECK(build(&w, CAROM_MESH_REPAIR, &r, &volume, &err) == CAROM_BAD_INPUT && r.open_edges == 3,
          "an open cube is refused: %d open edges", r.open_edges);
    CHECK(strstr(err.what, "open") && err.fix[0], "with the reason: %s", err.what);

    w = cube_at(0, 1);
    w.triangle[3][1] = 7;
    w.triangle[3][2] = 6;
    CHECK(build(&w, CAROM_MESH_STRICT, &r, &volume, &err) == CAROM_BAD_INPUT && r.flipped == 1,
          "a flipped triangle is counted");
    CHECK(build(&w, CAROM_MESH_REPAIR, &r, &volume, &err) == CAROM_OK && fabs(volume - 1) < 1e-15,
          "and turned by repair");

    w = cube_at(0, 1);
    for (int t = 0; t < 12; ++t) {
        int swap = w.triangle[t][0];
        w.triangle[t][0] = w.triangle[t][1];
        w.triangle[t][1] = swap;
    }
    CHECK(build(&w, CAROM_MESH_STRICT, &r, &volume, &err) == CAROM_BAD_INPUT && r.inverted == 1,
          "a cube inside out is counted");
    CHECK(build(&w, CAROM_MESH_REPAIR, &r, &volume, &err) == CAROM_OK && fabs(volume - 1) < 1e-15,
          "and turned by repair");

    w = cube_at(0, 1);
    memcpy(w.triangle[12], w.triangle[2], sizeof w.triangle[2]);
    memcpy(w.triangle[13], (int[3]){ 5, 5, 6 }, sizeof w.triangle[2]);
    w.triangles = 14;
    CHECK(build(&w, CAROM_MESH_REPAIR, &r, &volume, &err) == CAROM_OK && r.duplicate == 1 &&
              r.degenerate == 1,
          "duplicate and degenerate triangles are dropped");
    CHECK(build(&w, CAROM_MESH_STRICT, &r, &volume, &err) == CAROM_BAD_INPUT, "or refused");

    w.triangle[13][1] = 99;
    CHECK(build(&w, CAROM_MESH_REPAIR, &r, &volume, &err) == CAROM_BAD_INPUT &&
              strstr(err.what, "99"),
          "a vertex that is not there is named");
    w = cube_at(0, 1);
    w.vertex[5][1] = (double)NAN;
    CHECK(build(&w, CAROM_MESH_REPAIR, &r, &volume, &err) == CAROM_BAD_INPUT &&
              strstr(err.what, "vertex 5"),
          "a coordinate that is not a number is named");
}

static void check_pieces(void)
{
    carom_mesh_report r;
    carom_error err = { 0 };
    double volume;
    work w = cube_at(0, 1), other = cube_at(3, 1);
    append(&w, &other);
    CHECK(build(&w, CAROM_MESH_STRICT, &r, &volume, &err) == CAROM_OK && r.pieces == 2 &&
              fabs(volume - 2) < 1e-14,
          "two cubes apart: two pieces");
    w = cube_at(0, 1);
    other = cube_at(0.5, 1);
    for (int v = 0; v < 8; ++v)
        other.vertex[v][1] += 0.25, other.vertex[v][2] += 0.25;
    append(&w, &other);
    CHECK(build(&w, CAROM_MESH_REPAIR, &r, &volume, &err) == CAROM_BAD_INPUT && r.touching > 0,
          "cubes that cross: %d pairs of triangles", r.touching);
    // A cavity: an inner cube, given facing outward, is turned inward.
    w = cube_at(0, 1);
    other = cube_at(0.25, 0.5);
    for (int v = 0; v < 8; ++v)
        other.vertex[v][1] += 0.25, other.vertex[v][2] += 0.25;
    append(&w, &other);
    CHECK(build(&w, CAROM_MESH_REPAIR, &r, &volume, &err) == CAROM_OK && r.inverted == 1 &&
              fabs(volume - 0.875) < 1e-14,
          "a cavity counts as such (%g)", volume);
    // Soup: every triangle with vertices of its own, as STL files have it.
    work soup = { .vertices = 36, .triangles = 12 };
    for (int i = 0; i < 36; ++i) {
        memcpy(soup.vertex[i], corner[triangle[i / 3][i % 3]], sizeof soup.vertex[i]);
        soup.triangle[i / 3][i % 3] = i;
    }
    CHECK(build(&soup, CAROM_MESH_STRICT, &r, &volume, &err) == CAROM_OK && r.welded == 28 &&
              r.vertices == 8,
          "triangle soup is welded");
}

static void check_files(void)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/carom-test-%ld.obj", (long)getpid());
    FILE *file = fopen(path, "w");
    for (int v = 0; v < 8; ++v)
        fprintf(file, "v %g %g %g\n", corner[v][0], corner[v][1], corner[v][2]);
    for (int t = 0; t < 12; ++t)
        fprintf(file, "f %d %d %d\n", triangle[t][0] + 1, triangle[t][1] + 1, triangle[t][2] + 1);
    fclose(file);
    carom_shape *shape = NULL;
    carom_mesh_report r;
    carom_error err = { 0 };
    CHECK(carom_import_mesh(path, 0.5, CAROM_MESH_STRICT, &r, &shape, &err) == CAROM_OK,
          "an OBJ file: %s", err.what);
    if (shape)
        CHECK_NEAR(carom_shape_mass(shape).volume, 0.125, 1e-15, "scaled on the way in");
    carom_shape_release(shape);
    remove(path);
    CHECK(carom_import_mesh("no-such-file.stl", 1, CAROM_MESH_REPAIR, &r, &shape, &err) ==
                  CAROM_IO_FAILED &&
              strstr(err.where, "no-such-file.stl"),
          "a missing file is an error that names it");
    CHECK(shape == NULL, "and gives no shape");
}

// Sign and size of the distance against brute force over all triangles, for a shape with valleys
// and ridges.
static void check_distance(void)
{
    double star[20];
    for (int k = 0; k < 10; ++k) {
        double r = k % 2 ? 0.4 : 1, angle = k * 3.14159265358979323846 / 5;
        star[2 * k] = r * cos(angle);
        star[2 * k + 1] = r * sin(angle);
    }
    carom_shape *shape = NULL;
    carom_profile_extrude(star, 10, 0.3, &shape, NULL);
    CHECK(shape != NULL, "a star");
    carom_random random = carom_random_make(9, 9);
    int wrong = 0;
    for (int i = 0; i < 20000; ++i) {
        vec3 p = vec3_make(carom_random_between(&random, -1.3, 1.3),
                           carom_random_between(&random, -1.3, 1.3),
                           carom_random_between(&random, -0.6, 0.6));
        bool inside = fabs(p.z) < 0.3, odd = false;
        for (int k = 0; k < 10; ++k) { // even-odd rule in the plane
            const double *a = star + 2 * k, *b = star + 2 * ((k + 1) % 10);
            if ((a[1] > p.y) != (b[1] > p.y) &&
                p.x < (b[0] - a[0]) * (p.y - a[1]) / (b[1] - a[1]) + a[0])
                odd = !odd;
        }
        carom_nearest n = carom_mesh_nearest(shape->mesh, p, HUGE_VAL);
        wrong += fabs(n.distance) > 1e-12 && (n.distance < 0) != (inside && odd);
    }
    CHECK(wrong == 0, "inside and outside of a star are told apart (%d of 20000 wrong)", wrong);
    carom_shape_release(shape);
}

int main(void)
{
    check_faults();
    check_pieces();
    check_files();
    check_distance();
    return check_report();
}
