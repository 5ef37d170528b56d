// Questions to a world: closed forms, and a crowd of all shapes against a search that walks along
// the way by the distances of the shapes (sphere tracing) and knows no tree.
#include "carom/world_query.h"
#include <math.h>
#include <string.h>
#include "base/random.h"
#include "carom/world_change.h"
#include "shape/pose.h"
#include "support/check.h"
#include "support/small_world.h"

enum { BODIES = 120, RAYS = 300, SHAPES = 7 };

static carom_error err;

static void must(carom_status status)
{
    CHECK(status == CAROM_OK, "done: %s %s", err.what, err.fix);
}

static carom_body_id add(carom_world *world, const carom_shape *shape, vec3 at, quat turn,
                         uint32_t layers)
{
    carom_body body = carom_world_body_default();
    carom_body_id id = { 0 };
    body.shape = shape;
    body.layers = layers;
    vec3_store(at, body.position);
    memcpy(body.rotation, &turn, sizeof body.rotation);
    must(carom_world_add_body(world, &body, &id, &err));
    return id;
}

static void closed_forms(void)
{
    small_world s = small_world_make("qce");
    carom_hit hit;
    int floor = small_world_floor(&s, (double[]){ 0, 0, 1 }, 0);
    int ball = small_world_ball(&s, 1, 1, (double[]){ 0, 0, 3 }, NULL);
    int box = small_world_box(&s, (double[]){ 1, 1, 1 }, 1, (double[]){ 5, 0, 2 }, NULL);
    // half a radius beside the middle: in at 60 degrees
    must(carom_world_cast_ray(s.world, (double[]){ 0.5, 0, 10 }, (double[]){ 0, 0, -20 }, NULL,
                              &hit, &err));
    CHECK(hit.body.slot == ball, "the ball");
    CHECK_NEAR(hit.distance, 7 - sqrt(0.75), 1e-14, "to the ball");
    CHECK_NEAR(hit.normal[0], 0.5, 1e-14, "its normal");
    CHECK_NEAR(hit.point[2], 3 + sqrt(0.75), 1e-14, "the point");
    // straight on to the floor
    must(carom_world_cast_ray(s.world, (double[]){ 3, 0, 1 }, (double[]){ 0, 0, -4 }, NULL, &hit,
                              &err));
    CHECK(hit.body.slot == floor && hit.normal[2] == 1, "the floor");
    CHECK_NEAR(hit.distance, 1, 1e-15, "to the floor");
    must(carom_world_cast_ray(s.world, (double[]){ 3, 0, 1 }, (double[]){ 0, 0, -0.9 }, NULL, &hit,
                              &err));
    CHECK(hit.body.generation == 0, "it ends before the floor");
    // from inside: at once
    must(carom_world_cast_ray(s.world, (double[]){ 5.5, 0, 2 }, (double[]){ 3, 0, 0 }, NULL, &hit,
                              &err));
    CHECK(hit.body.slot == box && hit.distance == 0 && hit.normal[0] == -1, "inside of the box");
    // all of them in their order, with room for two
    carom_hit hits[2];
    int count = 0;
    must(carom_world_cast_ray_all(s.world, (double[]){ 0, 0, 10 }, (double[]){ 0, 0, -20 }, NULL,
                                  hits, 2, &count, &err));
    CHECK(count == 2 && hits[0].body.slot == ball && hits[1].body.slot == floor, "both");
    must(carom_world_cast_ray_all(s.world, (double[]){ 0, 0, 10 }, (double[]){ 0, 0, -20 }, NULL,
                                  hits, 1, &count, &err));
    CHECK(count == 2 && hits[0].body.slot == ball, "the nearer one where there is no more room");
    // a ball of half a metre rolls into the box, and falls past it to the floor
    carom_shape *half;
    must(carom_sphere_create(0.5, &half, &err));
    carom_placed placed = carom_world_placed_default(half);
    placed.position[0] = 9;
    placed.position[2] = 2;
    must(carom_world_cast_shape(s.world, &placed, (double[]){ -10, 0, 0 }, NULL, &hit, &err));
    CHECK(hit.body.slot == box, "the box");
    CHECK_NEAR(hit.distance, 2.5, 2e-9, "its way");
    CHECK_NEAR(hit.normal[0], 1, 1e-12, "the side of the box");
    // its edge, 45 degrees: the middle passes sqrt(0.5) / 2 above the edge
    placed.position[2] = 3 + sqrt(0.125);
    must(carom_world_cast_shape(s.world, &placed, (double[]){ -10, 0, 0 }, NULL, &hit, &err));
    CHECK_NEAR(hit.distance, 3 - sqrt(0.125), 2e-9, "to the edge");
    CHECK_NEAR(hit.normal[2], sqrt(0.5), 1e-8, "against the edge");
    must(carom_world_cast_shape(s.world, &placed, (double[]){ 0, 0, -10 }, NULL, &hit, &err));
    CHECK(hit.body.slot == floor, "down to the floor");
    CHECK_NEAR(hit.distance, 2.5 + sqrt(0.125), 2e-9, "its way down");
    carom_body_id bodies[4];
    placed.position[0] = 5;
    must(carom_world_overlap(s.world, &placed, NULL, bodies, 4, &count, &err));
    CHECK(count == 1 && bodies[0].slot == box, "overlaps the box");
    must(carom_world_nearest(s.world, (double[]){ 0, 2, 3 }, 10, NULL, &hit, &err));
    CHECK(hit.body.slot == ball, "nearest to the ball");
    CHECK_NEAR(hit.distance, 1, 1e-15, "by its radius");
    must(carom_world_nearest(s.world, (double[]){ 0, 0, 3 }, 10, NULL, &hit, &err));
    CHECK_NEAR(hit.distance, -1, 1e-15, "deepest in the ball");
    must(carom_world_nearest(s.world, (double[]){ 0, 0, 1 }, 0.5, NULL, &hit, &err));
    CHECK(hit.body.generation == 0, "nothing near");
    // what moves is found where it is
    must(carom_world_set_pose(s.world, carom_world_body_at(s.world, ball), (double[]){ 0, 0, 30 },
                              NULL, &err));
    must(carom_world_cast_ray(s.world, (double[]){ 0, 0, 10 }, (double[]){ 0, 0, 40 }, NULL, &hit,
                              &err));
    CHECK_NEAR(hit.distance, 19, 1e-14, "where it is now");
    CHECK(carom_world_cast_ray(s.world, (double[3]){ 0 }, (double[3]){ 0 }, NULL, &hit, &err) ==
              CAROM_BAD_INPUT,
          "a ray that goes nowhere");
    carom_shape_release(half);
    small_world_end(&s);
}

// A gap of half of `touch`, along an axis (where the bounds do not meet) and across: both touch.
static void within_touch(void)
{
    small_world s = small_world_make("qce");
    const double touch = 1e-6, gap = touch / 2, way[][3] = { { 1, 0, 0 }, { 0.6, 0.8, 0 } };
    carom_shape *ball;
    carom_body_id found[1];
    carom_hit hit;
    int count;
    s.options.touch = touch;
    small_world_ball(&s, 1, 1, (double[]){ 0, 0, 0 }, NULL);
    must(carom_sphere_create(1, &ball, &err));
    for (int k = 0; k < 2; ++k) {
        carom_placed placed = carom_world_placed_default(ball);
        vec3_store(vec3_scale(2 + gap, vec3_from(way[k])), placed.position);
        must(carom_world_overlap(s.world, &placed, NULL, found, 1, &count, &err));
        CHECK(count == 1, "half of touch apart, direction %d", k);
        must(carom_world_cast_shape(s.world, &placed, (double[]){ 0, 0, 0 }, NULL, &hit, &err));
        CHECK(hit.body.generation != 0 && hit.distance == 0, "and on a way, direction %d", k);
        vec3_store(vec3_scale(2 + 2 * touch, vec3_from(way[k])), placed.position);
        must(carom_world_overlap(s.world, &placed, NULL, found, 1, &count, &err));
        CHECK(count == 0, "twice touch apart, direction %d", k);
    }
    carom_shape_release(ball);
    small_world_end(&s);
}

// -- a crowd --------------------------------------------------------------------------------------

typedef struct crowd {
    carom_world *world;
    carom_body_id id[BODIES];
    const carom_shape *shape[BODIES];
    carom_pose pose[BODIES];
    carom_shape *kinds[SHAPES];
} crowd;

static double uniform(carom_random *random, double low, double high)
{
    return low + (high - low) * carom_random_unit(random);
}

static vec3 anywhere(carom_random *random, double size)
{
    double x = uniform(random, -size, size), y = uniform(random, -size, size);
    return vec3_make(x, y, uniform(random, -size, size));
}

static void make_shapes(carom_shape **kinds)
{
    const double tips[] = { 1, 0, 0, -0.5, 0.8, 0, -0.5, -0.8, 0, 0, 0, 1.2, 0.2, 0.1, -0.6 };
    must(carom_sphere_create(0.6, &kinds[0], &err));
    must(carom_capsule_create(0.3, 0.6, &kinds[1], &err));
    must(carom_cylinder_create(0.4, 0.5, &kinds[2], &err));
    must(carom_box_create((double[]){ 0.3, 0.5, 0.7 }, &kinds[3], &err));
    must(carom_hull_create(tips, 5, &kinds[4], &err));
    must(carom_profile_extrude((double[]){ 0, 0, 1, 0, 1, 0.3, 0.3, 0.3, 0.3, 1, 0, 1 }, 6, 0.4,
                               &kinds[5], &err)); // an L: not convex
    carom_part parts[2] = { { kinds[0], { -0.5, 0, 0 }, { 1, 0, 0, 0 } },
                            { kinds[3], { 0.5, 0, 0 }, { 1, 0, 0, 0 } } };
    must(carom_compound_create(parts, 2, &kinds[6], &err));
}

static crowd make_crowd(void)
{
    crowd c = { 0 };
    carom_random random = carom_random_make(7, 0);
    carom_world_options options = carom_world_options_default();
    must(carom_world_create(&options, &c.world, &err));
    make_shapes(c.kinds);
    for (int i = 0; i < BODIES; ++i) {
        vec3 at = anywhere(&random, 6);
        vec3 axis = anywhere(&random, 1);
        quat turn = quat_unit((quat){ uniform(&random, -1, 1), axis.x, axis.y, axis.z });
        c.shape[i] = c.kinds[i % SHAPES];
        c.pose[i] = carom_pose_make(at, turn);
        c.id[i] = add(c.world, c.shape[i], at, turn, i % 3 ? 1 : 2);
    }
    return c;
}

static double distance_to(const crowd *c, int i, vec3 at)
{
    double p[3];
    vec3_store(carom_pose_in(&c->pose[i], at), p);
    return carom_shape_distance(c->shape[i], p);
}

// Walks by the distance to the nearest body of these layers, less a radius, until nothing is left
// of it; returns the way, infinite where none is met.
static double walk(const crowd *c, vec3 from, vec3 way, double radius, uint32_t mask, int *body)
{
    double length = vec3_length(way), t = 0;
    for (int k = 0; k < 20000 && t < length; ++k) {
        double least = HUGE_VAL;
        vec3 at = vec3_axpy(from, t / length, way);
        for (int i = 0; i < BODIES; ++i) {
            double d = mask & (i % 3 ? 1 : 2) ? distance_to(c, i, at) - radius : HUGE_VAL;
            if (d < least) {
                least = d;
                *body = i;
            }
        }
        if (least < 1e-9)
            return t;
        t += least;
    }
    return HUGE_VAL;
}

// Grazing rays end a walk of 1e-9 m up to sqrt(2 r 1e-9) = 3e-5 m early.
static void rays_and_balls(const crowd *c, double radius, uint32_t mask)
{
    carom_random random = carom_random_make(11, 0);
    carom_shape *ball = NULL;
    int met = 0;
    carom_filter filter = carom_world_filter_default();
    filter.mask = mask;
    if (radius > 0)
        must(carom_sphere_create(radius, &ball, &err));
    for (int k = 0; k < RAYS; ++k) {
        vec3 from = anywhere(&random, 8), way = vec3_sub(anywhere(&random, 8), from);
        double o[3], w[3];
        vec3_store(from, o);
        vec3_store(way, w);
        carom_hit hit;
        int body = -1;
        double wanted = walk(c, from, way, radius, mask, &body);
        carom_placed placed = carom_world_placed_default(ball);
        vec3_store(from, placed.position);
        must(ball ? carom_world_cast_shape(c->world, &placed, w, &filter, &hit, &err)
                  : carom_world_cast_ray(c->world, o, w, &filter, &hit, &err));
        if (isinf(wanted) && hit.body.generation == 0)
            continue;
        ++met;
        CHECK(hit.body.generation != 0 && hit.distance <= vec3_length(way), "ray %d is met", k);
        CHECK_NEAR(hit.distance, fmin(wanted, vec3_length(way)), 6e-5, "ray %d, body %d", k, body);
        double depth = distance_to(c, hit.body.slot, vec3_from(hit.point));
        CHECK(hit.distance == 0 || fabs(depth) < 1e-8, "ray %d: the point is on the body: %g", k,
              depth);
    }
    CHECK(met > RAYS / 6, "%d of %d are met", met, RAYS);
    carom_shape_release(ball);
}

static void overlaps_and_nearest(const crowd *c)
{
    carom_random random = carom_random_make(13, 0);
    carom_shape *ball;
    must(carom_sphere_create(1, &ball, &err));
    for (int k = 0; k < RAYS; ++k) {
        carom_placed placed = carom_world_placed_default(ball);
        carom_body_id found[BODIES];
        vec3 at = anywhere(&random, 6);
        vec3_store(at, placed.position);
        int count = 0, wanted = 0, body = -1;
        double least = HUGE_VAL;
        must(carom_world_overlap(c->world, &placed, NULL, found, BODIES, &count, &err));
        for (int i = 0; i < BODIES; ++i) {
            double d = distance_to(c, i, at);
            if (d <= 1 && wanted < count)
                CHECK(found[wanted].slot == i, "query %d finds body %d", k, i);
            wanted += d <= 1;
            body = d < least ? i : body;
            least = fmin(least, d);
        }
        CHECK(count == wanted, "query %d: %d of %d", k, count, wanted);
        carom_hit hit;
        must(carom_world_nearest(c->world, placed.position, 100, NULL, &hit, &err));
        CHECK(hit.body.slot == body, "query %d: nearest is %d", k, body);
        CHECK_NEAR(hit.distance, least, 1e-14, "query %d: distance", k);
    }
    carom_shape_release(ball);
}

// Boxes on their way: right before the distance found they overlap nobody, right behind it
// somebody.
static void boxes(const crowd *c)
{
    carom_random random = carom_random_make(17, 0);
    carom_placed placed = carom_world_placed_default(c->kinds[3]);
    int met = 0;
    for (int k = 0; k < RAYS; ++k) {
        vec3 from = anywhere(&random, 8), way = vec3_sub(anywhere(&random, 8), from);
        double w[3];
        carom_hit hit;
        carom_body_id found[1];
        int count;
        vec3_store(way, w);
        vec3_store(from, placed.position);
        must(carom_world_cast_shape(c->world, &placed, w, NULL, &hit, &err));
        double end = hit.body.generation ? hit.distance : vec3_length(way);
        if (end == 0)
            continue;
        ++met;
        for (int part = 1; part <= 8; ++part) {
            double t = (end - 1e-7) * part / 8;
            vec3_store(vec3_axpy(from, t / vec3_length(way), way), placed.position);
            must(carom_world_overlap(c->world, &placed, NULL, found, 1, &count, &err));
            CHECK(count == 0, "box %d is free at %d / 8", k, part);
        }
        vec3_store(vec3_axpy(from, (end + 1e-6) / vec3_length(way), way), placed.position);
        must(carom_world_overlap(c->world, &placed, NULL, found, 1, &count, &err));
        CHECK(count > 0 || hit.body.generation == 0, "box %d overlaps behind it", k);
    }
    CHECK(met > RAYS / 3, "%d boxes went a way", met);
}

int main(void)
{
    closed_forms();
    within_touch();
    crowd c = make_crowd();
    rays_and_balls(&c, 0, UINT32_MAX);
    rays_and_balls(&c, 0, 2);
    rays_and_balls(&c, 0.3, 1);
    overlaps_and_nearest(&c);
    boxes(&c);
    for (int i = 0; i < SHAPES; ++i)
        carom_shape_release(c.kinds[i]);
    carom_world_destroy(c.world);
    return check_report();
}
