// Contacts with closed forms: every corner of an overlap polygon, gaps, normals and points, for
// spheres, planes, boxes and what is built from them.
//
// Tolerance 1e-12 m throughout unless said: lengths are about 1 m and each gap is a handful of
// operations.
#include "collide/narrow.h"
#include "support/check.h"

#include <stdlib.h>

#define TINY 1e-12

static carom_shape *sphere(double r)
{
    carom_shape *s = NULL;
    carom_sphere_create(r, &s, NULL);
    return s;
}

static carom_shape *box(double x, double y, double z)
{
    carom_shape *s = NULL;
    carom_box_create((double[3]){ x, y, z }, &s, NULL);
    return s;
}

static carom_pose at(double x, double y, double z)
{
    carom_pose pose = carom_pose_identity();
    pose.position = vec3_make(x, y, z);
    return pose;
}

static carom_pose turned(carom_pose pose, vec3 axis, double angle)
{
    vec3 u = vec3_unit(axis);
    double s = sin(angle / 2);
    pose.rotation = quat_matrix((quat){ cos(angle / 2), s * u.x, s * u.y, s * u.z });
    return pose;
}

static int corners_near(const carom_manifold *m, const vec3 *wanted, int count, double allowance)
{
    int found = 0;
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < m->count; ++k)
            if (vec3_length(vec3_sub(m->points[k].point, wanted[i])) <= allowance) {
                ++found;
                break;
            }
    return found;
}

static void check_spheres(void)
{
    carom_shape *a = sphere(1), *b = sphere(0.5);
    carom_pose pa = at(0, 0, 0), pb = at(0, 1.4, 0);
    carom_manifold m;
    carom_narrow_touch(a, &pa, b, &pb, 0, 0, NULL, &m);
    CHECK(m.count == 1, "two overlapping spheres touch once");
    CHECK_NEAR(m.points[0].gap, -0.1, TINY, "gap of spheres");
    CHECK_NEAR(m.points[0].normal.y, 1, TINY, "the normal runs from a to b");
    CHECK_NEAR(m.points[0].point.y, 0.95, TINY, "the point is half way between the surfaces");
    pb = at(0, 1.6, 0);
    carom_narrow_touch(a, &pa, b, &pb, 0.05, 0, NULL, &m);
    CHECK(m.count == 0, "spheres farther apart than the margin do not touch");
    carom_narrow_touch(a, &pa, b, &pb, 0.2, 0, NULL, &m);
    CHECK(m.count == 1 && fabs(m.points[0].gap - 0.1) < TINY,
          "within the margin they do, with the gap");
    carom_shape_release(a);
    carom_shape_release(b);
}

static void check_sphere_box(void)
{
    carom_shape *ball = sphere(1), *cube = box(1, 2, 3);
    carom_pose pc = at(0, 0, 0);
    struct {
        vec3 centre;
        double gap;
        vec3 normal; // from ball to box
        const char *what;
    } cases[] = {
        { { 1.9, 0, 0 }, -0.1, { -1, 0, 0 }, "face" },
        { { 1 + 0.6, 2 + 0.8, 0 }, 0, { -0.6, -0.8, 0 }, "edge" },
        { { 1 + 2.0 / 3, 2 + 1.0 / 3, 3 + 2.0 / 3 },
          0,
          { -2.0 / 3, -1.0 / 3, -2.0 / 3 },
          "corner" },
        { { 0.7, 0, 0 }, -1.3, { -1, 0, 0 }, "inside" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        carom_manifold m;
        carom_pose pb = at(cases[i].centre.x, cases[i].centre.y, cases[i].centre.z);
        carom_narrow_touch(ball, &pb, cube, &pc, 0.01, 0, NULL, &m);
        CHECK(m.count == 1, "sphere at a box's %s touches once", cases[i].what);
        CHECK_NEAR(m.points[0].gap, cases[i].gap, TINY, "gap at the %s", cases[i].what);
        CHECK_MOST(vec3_length(vec3_sub(m.points[0].normal, cases[i].normal)), TINY,
                   "normal at the %s", cases[i].what);
    }
    carom_shape_release(ball);
    carom_shape_release(cube);
}

static void check_boxes(void)
{
    carom_shape *big = box(2, 2, 0.5), *small = box(0.5, 0.5, 0.5);
    carom_manifold m;
    carom_pose low = at(0, 0, 0), high = at(0.3, 0.2, 0.99);
    carom_narrow_touch(big, &low, small, &high, 0.02, 0, NULL, &m);
    vec3 inside[4] = {
        { -0.2, -0.3, 0.495 }, { 0.8, -0.3, 0.495 }, { 0.8, 0.7, 0.495 }, { -0.2, 0.7, 0.495 }
    };
    CHECK(m.count == 4 && corners_near(&m, inside, 4, TINY) == 4,
          "a cube on a slab: its four corners");
    for (int i = 0; i < m.count; ++i) {
        CHECK_NEAR(m.points[i].gap, -0.01, TINY, "overlap of the cube on the slab");
        CHECK_NEAR(m.points[i].normal.z, 1, TINY, "normal of the cube on the slab");
    }
    high = at(2.1, 1.9, 1.01);
    carom_narrow_touch(big, &low, small, &high, 0.02, 0, NULL, &m);
    vec3 corner[4] = { { 1.6, 1.4, 0.505 }, { 2, 1.4, 0.505 }, { 2, 2, 0.505 }, { 1.6, 2, 0.505 } };
    CHECK(m.count == 4 && corners_near(&m, corner, 4, TINY) == 4,
          "hanging over the corner of the slab: the overlap polygon");
    CHECK_NEAR(m.points[0].gap, 0.01, TINY, "gap above the slab");
    // Equal squares turned by 45 degrees overlap in a regular octagon with circumradius sqrt(4 - 2
    // sqrt 2) times half the side.
    high = turned(at(0, 0, 0.99), vec3_make(0, 0, 1), atan(1));
    carom_pose cube = at(0, 0, 0);
    carom_narrow_touch(small, &cube, small, &high, 0, 0, NULL, &m);
    CHECK(m.count == 8, "a cube turned by 45 degrees on another: eight corners, found %d", m.count);
    for (int i = 0; i < m.count; ++i)
        CHECK_NEAR(sqrt(m.points[i].point.x * m.points[i].point.x +
                        m.points[i].point.y * m.points[i].point.y),
                   0.5 * sqrt(4 - 2 * sqrt(2)), TINY, "corner %d of the octagon", i);
    // Same cubes, stacked exactly.
    high = at(0, 0, 1);
    carom_narrow_touch(small, &cube, small, &high, 0.01, 0, NULL, &m);
    CHECK(m.count == 4, "cubes stacked exactly touch at four corners, found %d", m.count);
    carom_shape_release(big);
    carom_shape_release(small);
}

static void check_box_edges(void)
{
    carom_shape *cube = box(0.5, 0.5, 0.5);
    carom_manifold m;
    // Edge on edge, crossed: both cubes balance on an edge, the upper one turned by 90 degrees.
    double r = sqrt(0.5);
    carom_pose low = turned(at(0, 0, 0), vec3_make(0, 1, 0), atan(1));
    carom_pose high = turned(at(0.1, -0.2, 2 * r - 0.01), vec3_make(1, 0, 0), atan(1));
    carom_narrow_touch(cube, &low, cube, &high, 0, 0, NULL, &m);
    CHECK(m.count == 1, "crossed edges touch once, found %d", m.count);
    CHECK_NEAR(m.points[0].gap, -0.01, TINY, "overlap of crossed edges");
    CHECK_MOST(vec3_length(vec3_sub(m.points[0].point, vec3_make(0, -0.2, r - 0.005))) +
                   vec3_length(vec3_sub(m.points[0].normal, vec3_make(0, 0, 1))),
               0.2, "point and normal of crossed edges");
    // Parallel edges: ridge on ridge. Two ends, and the normal half way between the faces.
    high = turned(at(0, 0.3, 2 * r - 0.01), vec3_make(0, 1, 0), atan(1));
    carom_narrow_touch(cube, &low, cube, &high, 0, 0, NULL, &m);
    CHECK(m.count >= 2, "parallel edges touch at both ends of the common stretch, found %d",
          m.count);
    for (int i = 0; i < m.count; ++i)
        CHECK_NEAR(m.points[i].normal.z, 1, TINY, "normal of ridge on ridge");
    // Corner above a face and corner towards a corner.
    high = at(1.01, 1.02, 1.02);
    carom_pose origin = at(0, 0, 0);
    carom_narrow_touch(cube, &origin, cube, &high, 0.1, 0, NULL, &m);
    double distance = sqrt(0.01 * 0.01 + 2 * 0.02 * 0.02);
    carom_contact min = carom_narrow_gap(cube, &origin, cube, &high, 0.1);
    CHECK_NEAR(min.gap, distance, 1e-10, "corner to corner: the Euclidean distance");
    carom_shape_release(cube);
}

static void check_planes(void)
{
    carom_shape *plane = NULL, *cube = box(0.5, 0.6, 0.7), *rod = NULL, *drum = NULL;
    carom_plane_create(&plane, NULL);
    carom_capsule_create(0.2, 0.5, &rod, NULL);
    carom_cylinder_create(0.3, 0.4, &drum, NULL);
    carom_manifold m;
    carom_pose floor = at(0, 0, 1), pose = at(5, 5, 1.69);
    carom_narrow_touch(cube, &pose, plane, &floor, 0, 0, NULL, &m);
    CHECK(m.count == 4, "a box flat on a plane: four corners");
    for (int i = 0; i < m.count; ++i)
        CHECK(fabs(m.points[i].gap + 0.01) < TINY && fabs(m.points[i].normal.z + 1) < TINY,
              "gap %g and normal of a box on a plane", m.points[i].gap);
    pose = turned(at(0, 0, 1.19), vec3_make(0, 1, 0), 2 * atan(1));
    carom_narrow_touch(rod, &pose, plane, &floor, 0, 0, NULL, &m);
    CHECK(m.count == 2 && fabs(m.points[0].gap + 0.01) < TINY,
          "a capsule lying on a plane: both ends");
    pose = turned(at(0, 0, 1.29), vec3_make(0, 1, 0), 2 * atan(1));
    carom_narrow_touch(drum, &pose, plane, &floor, 0, 0, NULL, &m);
    CHECK(m.count == 2 && fabs(m.points[0].gap + 0.01) < TINY,
          "a cylinder lying: both ends of its line");
    pose = at(0, 0, 1.39);
    carom_narrow_touch(drum, &pose, plane, &floor, 0, 0, NULL, &m);
    CHECK(m.count == 16, "a cylinder standing: its rim");
    pose = turned(at(0, 0, 2), vec3_make(1, 0, 0), 0.5);
    carom_narrow_touch(drum, &pose, plane, &floor, 2, 0, NULL, &m);
    double min = HUGE_VAL;
    for (int i = 0; i < m.count; ++i)
        min = fmin(min, m.points[i].gap);
    CHECK_NEAR(min, 1 - 0.4 * cos(0.5) - 0.3 * sin(0.5), TINY,
               "lowest rim point of a tilted cylinder");
    carom_shape_release(plane);
    carom_shape_release(cube);
    carom_shape_release(rod);
    carom_shape_release(drum);
}

static void check_rods_and_drums(void)
{
    carom_shape *rod = NULL, *drum = NULL, *slab = box(2, 2, 0.5);
    carom_capsule_create(0.2, 0.5, &rod, NULL);
    carom_cylinder_create(0.3, 0.4, &drum, NULL);
    carom_manifold m;
    carom_pose origin = at(0, 0, 0), pose;
    pose = turned(at(0.1, 0, 0.69), vec3_make(0, 1, 0), 2 * atan(1));
    carom_narrow_touch(rod, &pose, slab, &origin, 0, 0, NULL, &m);
    CHECK(m.count == 2 && fabs(m.points[0].gap + 0.01) < TINY &&
              fabs(m.points[1].gap + 0.01) < TINY,
          "a capsule lying on a box: two points, found %d", m.count);
    pose = turned(at(0, 1.8, 0.69), vec3_make(1, 0, 0), 2 * atan(1));
    carom_narrow_touch(rod, &pose, slab, &origin, 0, 0, NULL, &m);
    double reach = -HUGE_VAL;
    for (int i = 0; i < m.count; ++i)
        reach = fmax(reach, m.points[i].point.y);
    CHECK(m.count == 2 && fabs(reach - 2) < TINY, "hanging over the edge: clipped there (%g)",
          reach);
    pose = at(0, 0, 0.89);
    carom_narrow_touch(drum, &pose, slab, &origin, 0, 0, NULL, &m);
    CHECK(m.count == 16, "a cylinder standing on a box: its rim, found %d", m.count);
    for (int i = 0; i < m.count; ++i) // EPA on a curved shape ends within 1e-11 of the size
        CHECK_NEAR(m.points[i].gap, -0.01, 1e-9, "overlap of a standing cylinder");
    pose = turned(at(0, 0, 0.79), vec3_make(0, 1, 0), 2 * atan(1));
    carom_narrow_touch(drum, &pose, slab, &origin, 0, 0, NULL, &m);
    CHECK(m.count == 2 && fabs(m.points[0].gap + 0.01) < 1e-9,
          "a cylinder lying on a box: two points, found %d", m.count);
    carom_pose parallel = at(0.39, 0, 0.1),
               crossed = turned(at(0, 0.39, 0), vec3_make(1, 0, 0), 0.7);
    carom_narrow_touch(rod, &origin, rod, &parallel, 0, 0, NULL, &m);
    CHECK(m.count == 2 && fabs(m.points[0].gap + 0.01) < TINY, "parallel capsules: two points");
    crossed = turned(at(0, 0.39, 0), vec3_make(0, 1, 0), 0.7);
    carom_narrow_touch(rod, &origin, rod, &crossed, 0, 0, NULL, &m);
    CHECK(m.count == 1 && fabs(m.points[0].gap + 0.01) < TINY,
          "crossed capsules: one point, found %d", m.count);
    carom_shape_release(rod);
    carom_shape_release(drum);
    carom_shape_release(slab);
}

int main(void)
{
    check_spheres();
    check_sphere_box();
    check_boxes();
    check_box_edges();
    check_planes();
    check_rods_and_drums();
    return check_report();
}
