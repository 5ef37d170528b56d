// The smallest gap of a pair, which leaves out all contacts but one, is that of all its contacts.
#include "collide/narrow.h"
#include "base/random.h"
#include "support/check.h"

enum { KINDS = 4 };

static void make_shapes(carom_shape *shape[KINDS])
{
    carom_shape *plain = NULL;
    carom_cylinder_create(0.3, 0.5, &plain, NULL);
    carom_mesh_from(plain, 16, &shape[0], NULL);
    carom_shape_release(plain);
    carom_box_create((double[]){ 0.2, 0.4, 0.6 }, &plain, NULL);
    carom_mesh_from(plain, 4, &shape[1], NULL);
    carom_shape_release(plain);
    carom_box_create((double[]){ 0.5, 0.3, 0.2 }, &shape[2], NULL);
    carom_capsule_create(0.2, 0.4, &shape[3], NULL);
}

static carom_pose random_pose(carom_random *random, double extent)
{
    vec3 at = vec3_make(carom_random_between(random, -extent, extent),
                        carom_random_between(random, -extent, extent),
                        carom_random_between(random, -extent, extent));
    quat q = { carom_random_between(random, -1, 1), carom_random_between(random, -1, 1),
               carom_random_between(random, -1, 1), carom_random_between(random, -1, 1) };
    return carom_pose_make(at, quat_unit(q));
}

int main(void)
{
    carom_random random = carom_random_make(7, 1);
    carom_shape *shape[KINDS] = { 0 };
    int near = 0;
    make_shapes(shape);
    for (int k = 0; k < check_effort(600, 60); ++k) {
        int a = k % 2, b = k / 2 % KINDS; // a mesh against everything
        carom_pose pose_a = random_pose(&random, 1), pose_b = random_pose(&random, 1);
        const double max = 1.5;
        carom_manifold all;
        carom_narrow_touch(shape[a], &pose_a, shape[b], &pose_b, max, 0, NULL, &all);
        double min = HUGE_VAL;
        for (int i = 0; i < all.count; ++i)
            min = fmin(min, all.points[i].gap);
        double gap = carom_narrow_gap(shape[a], &pose_a, shape[b], &pose_b, max).gap;
        near += min < max;
        // the lowest point of an edge is searched for to 1e-9 of the shape's spacing
        CHECK(gap == min || fabs(gap - min) <= 1e-8,
              "pair %d: the smallest gap %.12g is that of all contacts, %.12g", k, gap, min);
    }
    CHECK(near > check_effort(300, 30), "most pairs are near: %d", near);
    for (int i = 0; i < KINDS; ++i)
        carom_shape_release(shape[i]);
    return check_report();
}
