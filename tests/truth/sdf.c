// Contacts of meshes: where a mesh has a closed form, or is convex and can be compared with its own
// hull.
#include "base/random.h"
#include "collide/narrow.h"
#include "shape/mesh.h"
#include "shape/polytope.h"
#include "support/check.h"

#include <stdlib.h>

static carom_pose at(double x, double y, double z)
{
    carom_pose pose = carom_pose_identity();
    pose.position = vec3_make(x, y, z);
    return pose;
}

static quat random_rotation(carom_random *random)
{
    return quat_unit((quat){ carom_random_normal(random), carom_random_normal(random),
                             carom_random_normal(random), carom_random_normal(random) });
}

// The faces of a hull as a mesh.
static carom_shape *mesh_of(const carom_shape *hull)
{
    const carom_polytope *p = hull->polytope;
    double *vertex = malloc((size_t)p->vertex_count * 3 * sizeof *vertex);
    int *triangle = malloc((size_t)p->vertex_count * 12 * sizeof *triangle), count = 0;
    for (int v = 0; v < p->vertex_count; ++v)
        vec3_store(p->vertex[v], vertex + 3 * v);
    for (int f = 0; f < p->face_count; ++f)
        for (int i = p->first[f] + 1; i + 1 < p->first[f + 1]; ++i) {
            triangle[3 * count] = p->loop[p->first[f]];
            triangle[3 * count + 1] = p->loop[i];
            triangle[3 * count++ + 2] = p->loop[i + 1];
        }
    carom_shape *mesh = NULL;
    carom_mesh_source source = { vertex, triangle, p->vertex_count, count };
    carom_mesh_create(&source, CAROM_MESH_STRICT, NULL, &mesh, NULL);
    free(vertex);
    free(triangle);
    return mesh;
}

// A convex mesh against every convex kind, beside its hull: equal distances when apart, and the
// same verdict on touching. 1e-6: golden section leaves the place along an edge uncertain by the
// root of round-off.
static void compare_with_hull(const carom_shape *hull, const carom_shape *mesh,
                              const carom_shape *other, const char *what)
{
    carom_random random = carom_random_make(17, (uint64_t)other->kind);
    double worst = 0;
    int verdicts = 0, apart = 0, trials = check_effort(120, 30);
    for (int i = 0; i < trials; ++i) {
        double direction[3], size = hull->bounding_radius + other->bounding_radius;
        carom_random_direction(&random, direction);
        carom_pose pa = carom_pose_make(vec3_make(0, 0, 0), random_rotation(&random));
        carom_pose pb = carom_pose_make(
            vec3_scale(size * carom_random_between(&random, 0.4, 1.1), vec3_from(direction)),
            random_rotation(&random));
        double wanted = carom_narrow_gap(hull, &pa, other, &pb, 10).gap;
        double found = carom_narrow_gap(mesh, &pa, other, &pb, 10).gap;
        verdicts += fabs(wanted) > 1e-6 && (wanted < 0) != (found < 0);
        if (wanted > 0) {
            ++apart;
            worst = fmax(worst, fabs(found - wanted));
        }
    }
    CHECK(verdicts == 0, "mesh and %s: touching as its hull does (%d differ)", what, verdicts);
    CHECK(apart > trials / 6, "mesh and %s: enough pairs are apart", what);
    CHECK_MOST(worst, 1e-6, "mesh and %s: distance of its hull", what);
}

static void check_convex(void)
{
    carom_random random = carom_random_make(2, 2);
    double points[36];
    for (int i = 0; i < 12; ++i)
        carom_random_direction(&random, points + 3 * i);
    carom_shape *hull = NULL, *other = NULL;
    carom_hull_create(points, 12, &hull, NULL);
    carom_shape *mesh = mesh_of(hull);
    carom_sphere_create(0.5, &other, NULL);
    compare_with_hull(hull, mesh, other, "sphere");
    carom_shape_release(other);
    carom_capsule_create(0.3, 0.6, &other, NULL);
    compare_with_hull(hull, mesh, other, "capsule");
    carom_shape_release(other);
    carom_cylinder_create(0.4, 0.6, &other, NULL);
    compare_with_hull(hull, mesh, other, "cylinder");
    carom_shape_release(other);
    carom_box_create((double[3]){ 0.4, 0.6, 0.8 }, &other, NULL);
    compare_with_hull(hull, mesh, other, "box");
    carom_shape_release(other);
    compare_with_hull(hull, mesh, hull, "hull");
    compare_with_hull(hull, mesh, mesh, "mesh");
    carom_shape_release(hull);
    carom_shape_release(mesh);
}

// A ball in a groove with walls at 45 degrees touches both, not the bottom edge.
static void check_groove(void)
{
    double profile[10] = { -2, 2, -2, -1, 2, -1, 2, 2, 0, 0 };
    double path[6] = { -5, 0, 0, 5, 0, 0 };
    carom_shape *groove = NULL, *ball = NULL;
    CHECK(carom_profile_sweep(profile, 5, path, 2, &groove, NULL) == CAROM_OK, "a groove");
    carom_sphere_create(0.5, &ball, NULL);
    double shift[3];
    carom_shape_shift(groove, shift);
    carom_pose where = at(shift[0], shift[1], shift[2]), centre = at(0.3, 0, 0.5 * sqrt(2) - 0.01);
    carom_manifold m;
    carom_narrow_touch(ball, &centre, groove, &where, 0.001, 0, NULL, &m);
    CHECK(m.count == 2, "a ball in a groove touches both walls, found %d", m.count);
    for (int i = 0; i < m.count; ++i) {
        CHECK_NEAR(m.points[i].gap, -0.01 * sqrt(0.5), 1e-12, "overlap with wall %d", i);
        CHECK_NEAR(fabs(m.points[i].normal.y), sqrt(0.5), 1e-12, "normal of wall %d", i);
    }
    CHECK(m.count < 2 || m.points[0].normal.y * m.points[1].normal.y < 0, "from opposite sides");
    // Over the seam of two coplanar triangles of one wall: one contact, normal to the wall.
    for (int i = 0; i < 50; ++i) {
        carom_pose slide = at(-4 + 0.16 * i, 1, 1 + 0.5 * sqrt(2));
        carom_narrow_touch(ball, &slide, groove, &where, 0.001, 0, NULL, &m);
        if (!CHECK(m.count == 1, "a ball on one wall touches once, found %d", m.count))
            break;
    }
    carom_shape_release(groove);
    carom_shape_release(ball);
}

static carom_shape *make_cross(void)
{
    double plus[24] = { 3,  -1, 3,  1,  1,  1,  1,  3,  -1, 3,  -1, 1,
                        -3, 1,  -3, -1, -1, -1, -1, -3, 1,  -3, 1,  -1 };
    carom_shape *cross = NULL;
    carom_profile_extrude(plus, 12, 1, &cross, NULL);
    return cross;
}

static double spread(const carom_manifold *m)
{
    double max = 0;
    for (int i = 0; i < m->count; ++i)
        for (int j = 0; j < i; ++j)
            max = fmax(max, vec3_length(vec3_sub(m->points[i].point, m->points[j].point)));
    return max;
}

static void check_crosses(void)
{
    carom_shape *cross = make_cross(), *plane = NULL, *rod = NULL;
    carom_plane_create(&plane, NULL);
    carom_manifold m;
    carom_pose floor = at(0, 0, 0), lying = at(0, 0, 0.99);
    carom_narrow_touch(cross, &lying, plane, &floor, 0.001, 0, NULL, &m);
    CHECK(m.count == 8, "a cross lying on a plane: the 8 corners of its outline, found %d",
          m.count);
    for (int i = 0; i < m.count; ++i)
        CHECK_NEAR(m.points[i].gap, -0.01, 1e-12, "overlap of a lying cross");
    // Stacked: two crosses flat on each other, the upper one turned by 45 degrees.
    carom_pose upper = carom_pose_make(vec3_make(0, 0, 2.98),
                                       (quat){ cos(0.3926990816987), 0, 0, sin(0.3926990816987) });
    carom_narrow_touch(cross, &lying, cross, &upper, 0.001, 0, NULL, &m);
    CHECK(m.count >= 4, "stacked crosses touch over an area: %d points", m.count);
    double tilt = 0;
    for (int i = 0; i < m.count; ++i) {
        tilt = fmax(tilt, 1 - m.points[i].normal.z);
        CHECK_NEAR(m.points[i].gap, -0.01, 1e-9, "overlap of stacked crosses");
    }
    CHECK_MOST(tilt, 1e-9, "stacked crosses: all normals along z");
    CHECK(spread(&m) > 2.5, "stacked crosses: the points span the common area (%g)", spread(&m));
    // A rod in the corner between two arms touches neither: the hull of the cross would be hit.
    carom_box_create((double[3]){ 0.5, 0.5, 3 }, &rod, NULL);
    carom_pose beside = at(1.6, 1.6, 0.99);
    carom_narrow_touch(rod, &beside, cross, &lying, 0.05, 0, NULL, &m);
    CHECK(m.count == 0, "a rod between the arms is free, found %d contacts", m.count);
    beside = at(1.49, 1.6, 0.99);
    carom_narrow_touch(rod, &beside, cross, &lying, 0.05, 0, NULL, &m);
    CHECK(m.count >= 2, "pushed against one arm it touches that arm: %d points", m.count);
    for (int i = 0; i < m.count; ++i)
        CHECK(fabs(m.points[i].normal.x + 1) < 1e-9 && fabs(m.points[i].gap + 0.01) < 1e-9,
              "with its normal (%g) and overlap (%g)", m.points[i].normal.x, m.points[i].gap);
    carom_shape_release(cross);
    carom_shape_release(plane);
    carom_shape_release(rod);
}

// Edges that cross in the middle, far from any corner.
static void check_crossed_edges(void)
{
    carom_shape *bar = NULL, *mesh = NULL;
    double square[8] = { 1, 0, 0, 1, -1, 0, 0, -1 }; // a diamond, so that edges point up and down
    carom_profile_extrude(square, 4, 4, &mesh, NULL);
    carom_profile_extrude(square, 4, 4, &bar, NULL);
    double s = sqrt(0.5);
    // One bar along y, the other along x, ridge on ridge, overlapping by 0.02.
    carom_pose low = carom_pose_make(vec3_make(0, 0, 0), (quat){ s, s, 0, 0 });
    carom_pose high = carom_pose_make(vec3_make(0.3, -0.7, 1.98), (quat){ s, 0, s, 0 });
    carom_manifold m;
    carom_narrow_touch(mesh, &low, bar, &high, 0, 0, NULL, &m);
    CHECK(m.count >= 1, "crossed ridges are found, %d points", m.count);
    carom_contact deepest = carom_narrow_gap(mesh, &low, bar, &high, 0);
    // The ridge of one lies 0.02 inside the other; its nearest surface is a flank at 45 degrees.
    CHECK_NEAR(deepest.gap, -0.02 * s, 1e-6, "depth of the ridge below the flank");
    high.position.z = 2.02;
    deepest = carom_narrow_gap(mesh, &low, bar, &high, 0.1);
    CHECK_NEAR(deepest.gap, 0.02, 1e-6, "distance of crossed ridges");
    CHECK_NEAR(deepest.normal.z, 1, 1e-6, "normal of crossed ridges");
    carom_shape_release(bar);
    carom_shape_release(mesh);
}

int main(void)
{
    check_convex();
    check_groove();
    check_crosses();
    check_crossed_edges();
    return check_report();
}
