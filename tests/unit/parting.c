// Planes between features: distances of triangles against support points, the nearest pair against
// all pairs, and every pair within reach parted by some plane of the list.
#include <math.h>
#include <stdlib.h>
#include "base/random.h"
#include "collide/gjk.h"
#include "collide/parting.h"
#include "collide/triangles.h"
#include "shape/mesh.h"
#include "support/check.h"

static vec3 point_in(carom_random *r, double size)
{
    double x[3];
    for (int k = 0; k < 3; ++k)
        x[k] = carom_random_between(r, -size, size);
    return vec3_from(x);
}

static quat random_rotation(carom_random *r)
{
    double d[3];
    carom_random_direction(r, d);
    return quat_unit((quat){ carom_random_between(r, -1, 1), d[0], d[1], d[2] });
}

static carom_triangle random_triangle(carom_random *r, vec3 about)
{
    carom_triangle t;
    for (int k = 0; k < 3; ++k)
        t.corner[k] = vec3_add(about, point_in(r, 1));
    t.normal = vec3_unit(
        vec3_cross(vec3_sub(t.corner[1], t.corner[0]), vec3_sub(t.corner[2], t.corner[0])));
    return t;
}

// Support points know nothing of edges and faces.
static void check_triangles(void)
{
    carom_random random = carom_random_make(15, 1);
    carom_shape *frame = NULL;
    CHECK(carom_sphere_create(2, &frame, NULL) == CAROM_OK, "a frame");
    double distance = 0, direction = 0;
    int apart = 0, crossing = 0, trials = check_effort(4000, 1000);
    for (int i = 0; i < trials; ++i) {
        carom_triangle a = random_triangle(&random, vec3_make(0, 0, 0));
        carom_triangle b = random_triangle(&random, point_in(&random, 1.5));
        carom_core core_a = { .shape = frame, .corner = a.corner },
                   core_b = { .shape = frame, .corner = b.corner };
        core_a.pose.position = a.corner[0];
        core_b.pose.position = b.corner[0];
        carom_gjk_simplex simplex;
        carom_axis axis;
        bool wanted = carom_gjk_distance(&core_a, &core_b, HUGE_VAL, &simplex, &axis);
        carom_triangle_gap found = carom_triangles_gap(&a, &b, HUGE_VAL);
        apart += wanted;
        crossing += !wanted && found.distance == 0;
        if (!wanted)
            continue;
        distance = fmax(distance, fabs(found.distance - axis.gap));
        direction =
            fmax(direction, found.distance * vec3_length(vec3_sub(found.normal, axis.normal)));
        carom_triangle_gap none = carom_triangles_gap(&a, &b, 0.999 * axis.gap);
        CHECK(isinf(none.distance), "triangles beyond the bound are not told");
    }
    CHECK(apart > trials / 4 && crossing == trials - apart, "%d apart, %d of %d others cross",
          apart, crossing, trials - apart);
    CHECK_MOST(distance, 1e-12, "m: distance of triangles");
    CHECK_MOST(direction, 1e-6, "m: and its direction");
    carom_shape_release(frame);
}

static carom_shape *make_u(double size)
{
    double u[16] = { 0, 0, 1, 0, 1, 1, 0.8, 1, 0.8, 0.2, 0.2, 0.2, 0.2, 1, 0, 1 };
    carom_shape *s = NULL;
    for (int i = 0; i < 16; ++i)
        u[i] *= size;
    carom_profile_extrude(u, 8, 0.7 * size, &s, NULL);
    return s;
}

enum { SMALL_U, PEBBLE, BALL, ROD, BOX, KINDS, WIDE_U = KINDS };

static carom_shape *make(int kind)
{
    carom_shape *s = NULL, *round = NULL;
    if (kind == PEBBLE) {
        carom_sphere_create(0.1, &round, NULL);
        carom_mesh_from(round, 10, &s, NULL);
        carom_shape_release(round);
    } else if (kind == BALL) {
        carom_sphere_create(0.1, &s, NULL);
    } else if (kind == ROD) {
        carom_capsule_create(0.03, 0.1, &s, NULL);
    } else if (kind == BOX) {
        carom_box_create((double[3]){ 0.1, 0.06, 0.04 }, &s, NULL);
    } else {
        s = make_u(kind == WIDE_U ? 1 : 0.25);
    }
    return s;
}

static carom_triangle triangle_at(const carom_shape *mesh, const carom_pose *pose, int i)
{
    const carom_mesh_facet *f = &mesh->mesh->facet[i];
    carom_triangle t = { { f->corner, vec3_add(f->corner, f->side[0]),
                           vec3_add(f->corner, f->side[1]) },
                         mat3_mul(pose->rotation, f->normal) };
    for (int k = 0; k < 3; ++k)
        t.corner[k] = carom_pose_out(pose, t.corner[k]);
    return t;
}

// The features of a: its triangles, or all of it.
static int features_of(const carom_shape *a)
{
    return a->mesh ? a->mesh->triangle_count : 1;
}

static double top_of(const carom_shape *a, const carom_pose *pose, int i, vec3 n)
{
    if (!a->mesh) {
        carom_core core = { .shape = a, .pose = *pose };
        double round = a->kind == CAROM_SHAPE_BOX ? 0 : a->radius;
        vec3 top = a->kind == CAROM_SHAPE_SPHERE ? pose->position : carom_convex_support(&core, n);
        return vec3_dot(n, top) + round;
    }
    carom_triangle t = triangle_at(a, pose, i);
    return fmax(fmax(vec3_dot(n, t.corner[0]), vec3_dot(n, t.corner[1])), vec3_dot(n, t.corner[2]));
}

static double distance_of(const carom_shape *a, const carom_pose *pose, int i,
                          const carom_triangle *b)
{
    if (a->mesh) {
        carom_triangle t = triangle_at(a, pose, i);
        return carom_triangles_gap(&t, b, HUGE_VAL).distance;
    }
    if (a->kind == CAROM_SHAPE_SPHERE)
        return carom_triangles_point(pose->position, b, HUGE_VAL).distance - a->radius;
    carom_core core = { .shape = a, .pose = *pose }, face = { .shape = a, .corner = b->corner };
    face.pose.position = b->corner[0];
    carom_gjk_simplex simplex;
    carom_axis axis;
    double round = a->kind == CAROM_SHAPE_CAPSULE ? a->radius : 0;
    return carom_gjk_distance(&core, &face, HUGE_VAL, &simplex, &axis) ? axis.gap - round : -round;
}

// True where a plane of the list parts the pair by what it says.
static bool is_parted(const carom_partings *known, const carom_shape *a, const carom_pose *pose_a,
                      int i, const carom_triangle *b)
{
    for (int k = 0; k < known->count; ++k) {
        const carom_parting *p = &known->list[k];
        double low =
            fmin(fmin(vec3_dot(p->normal, b->corner[0]), vec3_dot(p->normal, b->corner[1])),
                 vec3_dot(p->normal, b->corner[2]));
        if (low - top_of(a, pose_a, i, p->normal) >= p->gap - 1e-9)
            return true;
    }
    return false;
}

static void check_partings(void)
{
    carom_random random = carom_random_make(15, 2);
    double worst = 0;
    int many = 0, bare = 0, unsorted = 0, trials = check_effort(40, 12);
    for (int trial = 0; trial < KINDS * trials; ++trial) {
        carom_shape *a = make(trial % KINDS), *b = make(trial / KINDS % 4 ? WIDE_U : PEBBLE);
        const double max = 0.6;
        quat turn = random_rotation(&random);
        carom_pose pose_a = carom_pose_make(point_in(&random, 0.5), turn);
        carom_pose pose_b = carom_pose_make(vec3_make(0, 0, 0), random_rotation(&random));
        carom_partings known = { .count = 0 };
        double nearest = HUGE_VAL;
        for (int k = 0; k < b->mesh->triangle_count; ++k) {
            carom_triangle t = triangle_at(b, &pose_b, k);
            for (int i = 0; i < features_of(a); ++i)
                nearest = fmin(nearest, distance_of(a, &pose_a, i, &t));
        }
        bool met = nearest <= 1e-9;
        while (carom_parting_next(a, &pose_a, b, &pose_b, -HUGE_VAL, max, &known) && !met)
            unsorted += known.count > 1 &&
                        known.list[known.count - 1].gap < known.list[known.count - 2].gap - 1e-12;
        CHECK((known.count > 0) == (nearest < max), "something is near where it is");
        if (known.count > 0 && !met)
            worst = fmax(worst, fabs(known.list[0].gap - nearest));
        many += known.count > 1;
        bool full = known.count == CAROM_PARTING_MAX;
        double reach = full ? known.list[known.count - 1].gap : max;
        for (int k = 0; k < b->mesh->triangle_count && !met; ++k) {
            carom_triangle t = triangle_at(b, &pose_b, k);
            for (int i = 0; i < features_of(a); ++i)
                bare += distance_of(a, &pose_a, i, &t) < reach - 1e-9 &&
                        !is_parted(&known, a, &pose_a, i, &t);
        }
        carom_shape_release(a);
        carom_shape_release(b);
    }
    CHECK_MOST(worst, 1e-10, "m: the nearest pair is the nearest of all");
    CHECK(many > trials, "hollows have several planes (%d of %d)", many, KINDS * trials);
    CHECK(unsorted == 0, "the nearer first");
    CHECK(bare == 0, "every pair within reach is parted by one of them (%d are not)", bare);
}

// Surfaces inside of each other have no planes, and thousands of triangles would be looked at with
// thousands: the work counts, and ends where it is bounded.
static void check_bound(void)
{
    carom_shape *a = make(WIDE_U), *b = make(WIDE_U);
    carom_pose pose_a = carom_pose_make(vec3_make(0.01, 0, 0), quat_identity()),
               pose_b = carom_pose_make(vec3_make(0, 0, 0), quat_identity());
    carom_progress_stop stop;
    carom_progress_begin(&stop, NULL);
    carom_progress_bound(&stop, 1e5);
    carom_progress_meter meter = { .stop = &stop };
    carom_partings known = { .meter = &meter };
    int searches = 0;
    while (searches < 100000 && carom_parting_next(a, &pose_a, b, &pose_b, -HUGE_VAL, 1, &known)) {
        known.count = 0;
        ++searches;
    }
    CHECK(searches > 10 && searches < 100000 && carom_progress_beyond(&stop),
          "stopped after %d searches", searches);
    known = (carom_partings){ .count = 0 };
    CHECK(carom_parting_next(a, &pose_a, b, &pose_b, -HUGE_VAL, 1, &known), "others go on");
    carom_shape_release(a);
    carom_shape_release(b);
}

int main(void)
{
    check_triangles();
    check_partings();
    check_bound();
    return check_report();
}
