// Shapes: exact mass, nearest points, support points and bounds that agree with each other, and
// refusals that say what is wrong.
#include "shape/shape.h"
#include "base/random.h"
#include "shape/mesh.h"
#include "shape/polytope.h"
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Mass integrals of shapes of size 1 add some hundred terms of order 1.
#define TINY 1e-13

static const double box_corner[8][3] = { { 0, 0, 0 }, { 2, 0, 0 }, { 2, 3, 0 }, { 0, 3, 0 },
                                         { 0, 0, 4 }, { 2, 0, 4 }, { 2, 3, 4 }, { 0, 3, 4 } };
static const int box_triangle[12][3] = { { 0, 2, 1 }, { 0, 3, 2 }, { 4, 5, 6 }, { 4, 6, 7 },
                                         { 0, 1, 5 }, { 0, 5, 4 }, { 2, 3, 7 }, { 2, 7, 6 },
                                         { 1, 2, 6 }, { 1, 6, 5 }, { 0, 4, 7 }, { 0, 7, 3 } };

static carom_shape *box_mesh(carom_mesh_report *report)
{
    carom_shape *shape = NULL;
    carom_mesh_source source = { &box_corner[0][0], &box_triangle[0][0], 8, 12 };
    carom_mesh_create(&source, CAROM_MESH_STRICT, report, &shape, NULL);
    return shape;
}

static void check_mass(const carom_shape *shape, const carom_mass *wanted, double allowance,
                       const char *what)
{
    carom_mass found = carom_shape_mass(shape);
    CHECK_NEAR(found.volume, wanted->volume, allowance * wanted->volume, "volume of %s", what);
    for (int k = 0; k < 6; ++k)
        CHECK_NEAR(found.inertia[k], wanted->inertia[k], allowance * wanted->inertia[0],
                   "inertia %d of %s", k, what);
}

static void check_masses(void)
{
    carom_shape *s = NULL, *mesh = box_mesh(NULL), *hull = NULL;
    carom_box_create((double[3]){ 1, 1.5, 2 }, &s, NULL);
    // 2 x 3 x 4: V = 24, I = V/12 (b^2 + c^2).
    carom_mass wanted = { 24, { 2 * 25.0, 2 * 20.0, 2 * 13.0, 0, 0, 0 } };
    check_mass(s, &wanted, TINY, "a box");
    check_mass(mesh, &wanted, TINY, "a box as a mesh");
    carom_hull_create(&box_corner[0][0], 8, &hull, NULL);
    check_mass(hull, &wanted, TINY, "a box as a hull");
    double shift[3];
    carom_shape_shift(hull, shift);
    CHECK(fabs(shift[0] - 1) < TINY && fabs(shift[1] - 1.5) < TINY && fabs(shift[2] - 2) < TINY,
          "the hull's centre of mass");
    CHECK(hull->polytope->face_count == 6 && hull->polytope->edge_count == 12,
          "coplanar facets of a hull are merged: 6 faces, 12 edges");
    carom_shape_release(s);
    carom_sphere_create(2, &s, NULL);
    double v = 32 * 3.14159265358979323846 / 3;
    check_mass(s, &(carom_mass){ v, { 1.6 * v, 1.6 * v, 1.6 * v, 0, 0, 0 } }, TINY, "a sphere");
    carom_shape_release(s);
    carom_shape_release(mesh);
    carom_shape_release(hull);
}

// Capsule and cylinder against Gauss-Legendre in z of exact disc integrals: dV = pi r^2 dz,
// dIzz = pi/2 r^4 dz, dIxx = pi (r^4/4 + r^2 z^2) dz. Between the joints the integrands are
// polynomials of degree at most 4, which three points integrate exactly.
static carom_mass revolve_numerically(const double *joint, int joints, double (*squared)(double z))
{
    static const double at[3] = { -0.77459666924148338, 0, 0.77459666924148338 };
    static const double weight[3] = { 5.0 / 9, 8.0 / 9, 5.0 / 9 };
    carom_mass m = { 0 };
    for (int j = 0; j + 1 < joints; ++j)
        for (int k = 0; k < 3; ++k) {
            double half = (joint[j + 1] - joint[j]) / 2,
                   z = (joint[j] + joint[j + 1]) / 2 + half * at[k];
            double r2 = squared(z), w = weight[k] * half * 3.14159265358979323846;
            m.volume += w * r2;
            m.inertia[2] += w * r2 * r2 / 2;
            m.inertia[0] += w * (r2 * r2 / 4 + r2 * z * z);
        }
    m.inertia[1] = m.inertia[0];
    return m;
}

static double capsule_squared(double z)
{
    double beyond = fabs(z) - 1.1;
    return beyond <= 0 ? 0.49 : 0.49 - beyond * beyond;
}

static double cylinder_squared(double z)
{
    (void)z;
    return 0.49;
}

static void check_round_masses(void)
{
    carom_shape *s = NULL;
    carom_capsule_create(0.7, 1.1, &s, NULL);
    carom_mass wanted =
        revolve_numerically((double[4]){ -1.8, -1.1, 1.1, 1.8 }, 4, capsule_squared);
    check_mass(s, &wanted, TINY, "a capsule");
    carom_shape_release(s);
    carom_cylinder_create(0.7, 1.1, &s, NULL);
    wanted = revolve_numerically((double[2]){ -1.1, 1.1 }, 2, cylinder_squared);
    check_mass(s, &wanted, TINY, "a cylinder");
    carom_shape_release(s);
}

// Two halves of a box as a compound are the box.
static void check_compound(void)
{
    carom_shape *half = NULL, *whole = NULL;
    carom_box_create((double[3]){ 0.5, 1.5, 2 }, &half, NULL);
    // The second half is turned by half a turn, which makes no difference.
    carom_part parts[2] = { { half, { 5.5, 0, 0 }, { 1, 0, 0, 0 } },
                            { half, { 6.5, 0, 0 }, { 0, 0, 1, 0 } } };
    CHECK(carom_compound_create(parts, 2, &whole, NULL) == CAROM_OK, "a compound of two boxes");
    carom_shape_release(half);
    check_mass(whole, &(carom_mass){ 24, { 50, 40, 26, 0, 0, 0 } }, TINY, "two half boxes");
    double shift[3];
    carom_shape_shift(whole, shift);
    CHECK_NEAR(shift[0], 6, TINY, "centre of the compound");
    CHECK_NEAR(carom_shape_distance(whole, (double[3]){ 1.5, 0, 0 }), 0.5, TINY,
               "distance to a compound");
    carom_shape *plane = NULL, *bad = NULL;
    carom_plane_create(&plane, NULL);
    carom_error err = { 0 };
    CHECK(carom_compound_create(&(carom_part){ plane, { 0 }, { 1, 0, 0, 0 } }, 1, &bad, &err) ==
                  CAROM_BAD_INPUT &&
              err.fix[0],
          "a plane is no part of a compound");
    carom_shape_release(plane);
    carom_shape_release(whole);
}

// Every kind: the distance field is what its definition says. The nearest point lies on the
// surface, at that distance along the normal; no support point is nearer than allowed; bounds hold
// the support points.
static void check_consistency(const carom_shape *shape, const char *what)
{
    carom_random random = carom_random_make(5, (uint64_t)shape->kind);
    double worst_point = 0, worst_surface = 0, worst_support = 0, worst_bounds = 0;
    double r = shape->bounding_radius;
    for (int i = 0; i < 2000; ++i) {
        vec3 p = vec3_make(carom_random_between(&random, -1.5 * r, 1.5 * r),
                           carom_random_between(&random, -1.5 * r, 1.5 * r),
                           carom_random_between(&random, -1.5 * r, 1.5 * r));
        carom_nearest n = carom_shape_nearest(shape, p);
        vec3 back = vec3_axpy(n.point, n.distance, n.normal);
        worst_point = fmax(worst_point, vec3_length(vec3_sub(back, p)));
        worst_surface = fmax(worst_surface, fabs(carom_shape_nearest(shape, n.point).distance));
        if (shape->kind == CAROM_SHAPE_MESH || shape->kind == CAROM_SHAPE_COMPOUND)
            continue;
        vec3 s = carom_shape_support(shape, p);
        worst_support = fmax(worst_support, fabs(carom_shape_nearest(shape, s).distance));
        // Convex and outside: the supporting plane at the nearest point has nothing beyond it.
        if (n.distance > 0)
            worst_support =
                fmax(worst_support,
                     vec3_dot(n.normal, vec3_sub(carom_shape_support(shape, n.normal), n.point)));
        carom_bounds b = shape->bounds;
        worst_bounds = fmax(worst_bounds, fmax(fmax(s.x - b.max.x, b.min.x - s.x),
                                               fmax(s.z - b.max.z, b.min.z - s.z)));
    }
    CHECK_MOST(worst_point, 1e-12, "%s: nearest point, normal and distance fit together", what);
    CHECK_MOST(worst_surface, 1e-12, "%s: the nearest point is on the surface", what);
    CHECK_MOST(worst_support, 1e-12, "%s: support points are on the surface, nothing beyond", what);
    CHECK_MOST(worst_bounds, 1e-12, "%s: bounds hold the support points", what);
}

static void check_fields(void)
{
    carom_shape *s = NULL, *cross = NULL;
    carom_sphere_create(0.8, &s, NULL);
    check_consistency(s, "sphere");
    carom_shape_release(s);
    carom_capsule_create(0.4, 0.7, &s, NULL);
    check_consistency(s, "capsule");
    carom_shape_release(s);
    carom_cylinder_create(0.4, 0.7, &s, NULL);
    check_consistency(s, "cylinder");
    carom_shape_release(s);
    carom_box_create((double[3]){ 0.4, 0.7, 0.2 }, &s, NULL);
    check_consistency(s, "box");
    carom_shape_release(s);
    carom_hull_create(&box_corner[0][0], 8, &s, NULL);
    check_consistency(s, "hull");
    carom_shape_release(s);
    double plus[24] = { 1,  -0.3, 1,  0.3,  0.3,  0.3,  0.3,  1,  -0.3, 1,  -0.3, 0.3,
                        -1, 0.3,  -1, -0.3, -0.3, -0.3, -0.3, -1, 0.3,  -1, 0.3,  -0.3 };
    carom_error err = { 0 };
    CHECK(carom_profile_extrude(plus, 12, 0.3, &cross, &err) == CAROM_OK, "a cross: %s", err.what);
    check_consistency(cross, "cross");
    // Area of the plus sign: 2 * 2 * 0.6 - 0.36 = 2.04.
    CHECK_NEAR(carom_shape_mass(cross).volume, 2.04 * 0.6, 1e-14, "volume of a cross");
    CHECK_NEAR(carom_shape_distance(cross, (double[3]){ 0.5, 0.5, 0 }), 0.2, 1e-14,
               "in the corner of a cross: outside, not in its hull");
    CHECK_NEAR(carom_shape_distance(cross, (double[3]){ 0, 0, 0 }), -0.3, 1e-14,
               "in the middle: inside");
    carom_shape_release(cross);
}

typedef struct area_sum {
    double volume, area;
} area_sum;

static void add_area(void *context, const double c[9])
{
    area_sum *sum = context;
    vec3 a = vec3_from(c), b = vec3_from(c + 3), d = vec3_from(c + 6);
    vec3 n = vec3_cross(vec3_sub(b, a), vec3_sub(d, a));
    sum->area += vec3_length(n) / 2;
    sum->volume += vec3_dot(a, n) / 6;
}

static void check_surfaces(void)
{
    carom_shape *s = NULL;
    area_sum sum = { 0 };
    carom_capsule_create(0.5, 1, &s, NULL);
    carom_shape_triangles(s, 64, 1, add_area, &sum);
    CHECK_NEAR(sum.volume, carom_shape_mass(s).volume, 0.01 * sum.volume,
               "triangles of a capsule enclose its volume (64 sides: within 1 %%)");
    carom_shape_release(s);
    carom_sphere_create(0.5, &s, NULL);
    sum = (area_sum){ 0 };
    carom_shape_triangles(s, 64, 1, add_area, &sum);
    CHECK_NEAR(sum.area, 3.14159265358979323846, 0.01, "triangles of a sphere have its area");
    carom_shape_release(s);
    // A ball turned from its outline: volume of the n-gonal bands, converging like 1/n^2.
    double outline[2 * 41];
    for (int i = 0; i <= 40; ++i) {
        outline[2 * i] = i == 0 || i == 40 ? 0 : sin(i * 3.14159265358979323846 / 40);
        outline[2 * i + 1] = -cos(i * 3.14159265358979323846 / 40);
    }
    CHECK(carom_profile_revolve(outline, 41, 64, &s, NULL) == CAROM_OK, "a turned ball");
    CHECK_NEAR(carom_shape_mass(s).volume, 4.0 / 3 * 3.14159265358979323846, 0.02,
               "volume of a turned ball");
    carom_shape_release(s);
    double gutter[16] = { -1, 0, 1, 0, 1, 1, 0.8, 1, 0.8, 0.2, -0.8, 0.2, -0.8, 1, -1, 1 };
    double path[9] = { 0, 0, 0, 5, 0, -1, 10, 0, -2 };
    carom_error err = { 0 };
    CHECK(carom_profile_sweep(gutter, 8, path, 3, &s, &err) == CAROM_OK, "a gutter: %s", err.what);
    // Straight path: cross-section (0.4 + 2 * 0.16 = 0.72) times length.
    CHECK_NEAR(carom_shape_mass(s).volume, 0.72 * sqrt(104), 1e-12, "volume of a gutter");
    carom_shape_release(s);
}

static void expect_refusal(carom_status status, const carom_error *err, const char *word)
{
    CHECK(status == CAROM_BAD_INPUT && err->fix[0] && strstr(err->what, word),
          "refused for '%s' with a fix: %s", word, err->what);
}

static void check_refusals(void)
{
    carom_shape *s = NULL;
    carom_error err = { 0 };
    expect_refusal(carom_sphere_create(-1, &s, &err), &err, "-1");
    expect_refusal(carom_box_create((double[3]){ 1, 0, 1 }, &s, &err), &err, "0 m");
    expect_refusal(carom_capsule_create(1, (double)NAN, &s, &err), &err, "nan");
    expect_refusal(carom_cylinder_create(HUGE_VAL, 1, &s, &err), &err, "inf");
    double flat[12] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0 };
    expect_refusal(carom_hull_create(flat, 4, &s, &err), &err, "no solid");
    expect_refusal(carom_hull_create(flat, 3, &s, &err), &err, "3 points");
    double clockwise[6] = { 0, 0, 0, 1, 1, 0 };
    expect_refusal(carom_profile_extrude(clockwise, 3, 1, &s, &err), &err, "area");
    expect_refusal(carom_profile_revolve((double[6]){ 0, 0, -1, 1, 0, 2 }, 3, 8, &s, &err), &err,
                   "radius");
    CHECK(s == NULL, "a refused shape is null");
}

int main(void)
{
    check_masses();
    check_round_masses();
    check_compound();
    check_fields();
    check_surfaces();
    check_refusals();
    return check_report();
}
