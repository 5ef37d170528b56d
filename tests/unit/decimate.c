// Meshes with fewer triangles stay closed, keep their volume and stay near the original surface.
#include "carom/import.h"
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The farthest that a vertex of `from` lies from the surface of `to`, m.
static double farthest(const carom_shape *from, const carom_shape *to, int every)
{
    carom_mesh_source s = carom_mesh_surface(from);
    double a[3], b[3], worst = 0;
    carom_shape_shift(from, a);
    carom_shape_shift(to, b);
    for (int v = 0; v < s.vertex_count; v += every) {
        double p[3];
        for (int k = 0; k < 3; ++k)
            p[k] = s.vertices[3 * v + k] + a[k] - b[k];
        worst = fmax(worst, fabs(carom_shape_distance(to, p)));
    }
    return worst;
}

typedef struct found {
    double volume, inertia, distance; // relative errors; distance of the radius
} found;

static found simplify(const carom_shape *mesh, int triangles, int every)
{
    carom_shape *less = NULL;
    carom_error err = { 0 };
    found f = { NAN, NAN, NAN };
    if (!CHECK(carom_decimate_mesh(mesh, triangles, &less, &err) == CAROM_OK, "to %d: %s",
               triangles, err.what))
        return f;
    int count = carom_mesh_surface(less).triangle_count;
    CHECK(count <= triangles && count > triangles - 3, "%d triangles of %d", count, triangles);
    carom_mass m = carom_shape_mass(mesh), l = carom_shape_mass(less);
    f.volume = fabs(l.volume / m.volume - 1);
    for (int k = 0; k < 3; ++k)
        f.inertia = fmax(f.inertia, fabs(l.inertia[k] / m.inertia[k] - 1));
    f.distance = fmax(farthest(mesh, less, every), farthest(less, mesh, 1));
    f.distance /= carom_shape_radius(mesh);
    printf("%d triangles: volume %.2g, inertia %.2g, distance %.2g of the radius\n", count,
           f.volume, f.inertia, f.distance);
    carom_shape_release(less);
    return f;
}

// A cube cut into many squares is the cube again: flat parts cost nothing.
static void test_cube(void)
{
    carom_shape *cube = NULL;
    carom_error err = { 0 };
    CHECK(carom_generate_shape("cube:1m@0.1m", &cube, &err) == CAROM_OK, "cube: %s", err.what);
    if (!cube)
        return;
    found f = simplify(cube, 12, 1);
    // Corners yield to the pull towards the middle of an edge, 1e-6 of its length.
    CHECK_MOST(f.distance, 2e-6, "the cube of twelve triangles is the cube");
    CHECK_MOST(f.volume, 1e-12, "its volume: round-off of 600 collapses");
    carom_shape_release(cube);
}

static void test_refusal(void)
{
    carom_shape *cube = NULL, *out = NULL;
    carom_error err = { 0 };
    CHECK(carom_generate_shape("cube:1m@0.5m", &cube, &err) == CAROM_OK, "cube: %s", err.what);
    CHECK(carom_decimate_mesh(cube, 3, &out, &err) == CAROM_BAD_INPUT && !out && *err.fix,
          "three triangles are refused with a fix");
    carom_shape_release(cube);
}

// Not convex, with holes: the letter B.
static void test_letter(void)
{
    carom_shape *letter = NULL;
    carom_error err = { 0 };
    CHECK(carom_generate_shape("letter-B:100x25mm@4mm", &letter, &err) == CAROM_OK, "letter: %s",
          err.what);
    if (!letter)
        return;
    found f = simplify(letter, 300, 1);
    CHECK_MOST(f.volume, 1e-12, "volume of the letter");
    CHECK_MOST(f.distance, 0.02, "distance of the letter");
    carom_shape_release(letter);
}

static void test_bunny(void)
{
    carom_shape *bunny = NULL;
    carom_error err = { 0 };
    CHECK(carom_import_mesh("/usr/share/glmark2/models/bunny.obj", 0.1, CAROM_MESH_REPAIR, NULL,
                            &bunny, &err) == CAROM_OK,
          "the bunny of Debian's glmark2-data: %s", err.what);
    if (!bunny)
        return;
    // Volume is kept by construction: round-off of 35,000 collapses. The distance falls about
    // inversely with the number of triangles, as for any smooth surface; found 0.0056 and 0.024.
    found fine = simplify(bunny, 4000, 7), rough = simplify(bunny, 1000, 7);
    CHECK_MOST(fine.volume, 1e-12, "volume with 4000 triangles");
    CHECK_MOST(fine.inertia, 1e-4, "inertia with 4000 triangles");
    CHECK_MOST(fine.distance, 0.01, "distance with 4000 triangles");
    CHECK_MOST(rough.volume, 1e-12, "volume with 1000 triangles");
    CHECK_MOST(rough.inertia, 1e-3, "inertia with 1000 triangles");
    CHECK_MOST(rough.distance, 0.04, "distance with 1000 triangles");
    carom_shape_release(bunny);
}

int main(void)
{
    test_cube();
    test_refusal();
    test_letter();
    if (check_effort(1, 0)) // two seconds
        test_bunny();
    return check_report();
}
