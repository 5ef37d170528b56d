// The broad phase finds every pair that comes within reach, once, sorted, whatever the sizes, the
// layout, the order of the bodies and the number of threads; and stops allocating.
#include "collide/broad.h"
#include "base/random.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 3000 };

static const carom_shape *shape[MOST];
static vec3 position[MOST];
static quat rotation[MOST];
static double reach[MOST];
static unsigned char fixed[MOST];

static carom_shape *make_shape(carom_random *random, double size)
{
    carom_shape *made = NULL;
    double half[3] = { size, size * carom_random_between(random, 0.1, 1),
                       size * carom_random_between(random, 0.1, 1) };
    if (carom_random_below(random, 2))
        carom_sphere_create(size, &made, NULL);
    else
        carom_box_create(half, &made, NULL);
    return made;
}

typedef struct layout {
    const char *name;
    double extent, min, max; // of the scene; exponents of ten of the sizes
    int count;
} layout;

static carom_collide_bodies fill(const layout *l, uint64_t seed)
{
    carom_random random = carom_random_make(seed, 1);
    for (int i = 0; i < l->count; ++i) {
        double exponent = carom_random_between(&random, l->min, l->max);
        shape[i] = make_shape(&random, pow(10, exponent));
        position[i] = vec3_make(carom_random_between(&random, -l->extent, l->extent),
                                carom_random_between(&random, -l->extent, l->extent),
                                carom_random_between(&random, -l->extent, l->extent));
        if (strcmp(l->name, "line") == 0)
            position[i].y = position[i].z = position[i].x;
        rotation[i] =
            quat_unit((quat){ carom_random_normal(&random), carom_random_normal(&random),
                              carom_random_normal(&random), carom_random_normal(&random) });
        reach[i] = carom_random_between(&random, 0, 0.1);
        fixed[i] = carom_random_below(&random, 4) == 0;
    }
    return (carom_collide_bodies){ .count = l->count,
                                   .shape = shape,
                                   .position = position,
                                   .rotation = rotation,
                                   .fixed = fixed,
                                   .reach = reach,
                                   .margin = 0.05 };
}

// Bounds that come within reach, from their definition.
static bool must_pair(const carom_collide_bodies *b, int i, int j)
{
    if (b->fixed[i] && b->fixed[j])
        return false;
    carom_pose pi = carom_pose_make(b->position[i], b->rotation[i]);
    carom_pose pj = carom_pose_make(b->position[j], b->rotation[j]);
    carom_bounds x = carom_shape_bounds(b->shape[i], &pi), y = carom_shape_bounds(b->shape[j], &pj);
    double s = b->margin + b->reach[i] + b->reach[j];
    vec3 d = vec3_sub(b->position[i], b->position[j]);
    double balls = b->shape[i]->bounding_radius + b->shape[j]->bounding_radius + s;
    return vec3_length(d) <= balls && x.min.x <= y.max.x + s && y.min.x <= x.max.x + s &&
           x.min.y <= y.max.y + s && y.min.y <= x.max.y + s && x.min.z <= y.max.z + s &&
           y.min.z <= x.max.z + s;
}

static void check_layout(carom_broad *broad, const layout *l)
{
    carom_collide_bodies bodies = fill(l, 7);
    carom_body_pair *pair;
    int count, missing = 0, wanted = 0, unsorted = 0;
    carom_error err = { 0 };
    CHECK(carom_broad_find(broad, &bodies, &pair, &count, &err) == CAROM_OK, "%s: %s", l->name,
          err.what);
    static bool found[MOST * (size_t)MOST];
    memset(found, 0, sizeof found);
    for (int k = 0; k < count; ++k) {
        found[pair[k].a * (size_t)MOST + (size_t)pair[k].b] = true;
        unsorted += pair[k].a >= pair[k].b;
        unsorted += k > 0 && (pair[k].a < pair[k - 1].a ||
                              (pair[k].a == pair[k - 1].a && pair[k].b <= pair[k - 1].b));
    }
    for (int i = 0; i < l->count; ++i)
        for (int j = i + 1; j < l->count; ++j)
            if (must_pair(&bodies, i, j)) {
                ++wanted;
                missing += !found[i * (size_t)MOST + (size_t)j];
            }
    CHECK(missing == 0, "%s: %d of %d near pairs are missing", l->name, missing, wanted);
    CHECK(wanted > 0, "%s: the layout has near pairs", l->name);
    CHECK(unsorted == 0, "%s: pairs are sorted and unique", l->name);
    CHECK_MOST(count, 2 * wanted + 100, "%s: few pairs beyond the near ones", l->name);
    static carom_body_pair before[1 << 21];
    CHECK(count <= 1 << 21, "%s: pairs fit the test", l->name);
    memcpy(before, pair, (size_t)count * sizeof *pair);
    int again;
    for (int t = 1; t <= 5; t += 2) {
        bodies.threads = t;
        carom_broad_find(broad, &bodies, &pair, &again, NULL);
        CHECK(again == count && memcmp(before, pair, (size_t)count * sizeof *pair) == 0,
              "%s: %d threads find the same list", l->name, t);
    }
    bodies.threads = 0;
    size_t bytes = carom_broad_bytes(broad);
    carom_broad_find(broad, &bodies, &pair, &again, NULL);
    CHECK(carom_broad_bytes(broad) == bytes, "%s: a second call holds no more memory", l->name);
    for (int i = 0; i < l->count; ++i)
        carom_shape_release(shape[i]);
}

static void check_planes_and_nan(carom_broad *broad)
{
    carom_shape *ball, *plane;
    carom_sphere_create(1, &ball, NULL);
    carom_plane_create(&plane, NULL);
    for (int i = 0; i < 40; ++i) {
        shape[i] = i == 20 ? plane : ball;
        position[i] = vec3_make(3 * i, 0, i == 20 ? 0 : i % 2 ? 1.5 : 0.5);
        rotation[i] = quat_identity();
    }
    carom_collide_bodies bodies = {
        .count = 40, .shape = shape, .position = position, .rotation = rotation, .margin = 0.1
    };
    carom_body_pair *pair;
    int count;
    CHECK(carom_broad_find(broad, &bodies, &pair, &count, NULL) == CAROM_OK && count == 19,
          "balls that reach the plane are paired with it, others not");
    carom_error err = { 0 };
    position[3].y = (double)NAN;
    CHECK(carom_broad_find(broad, &bodies, &pair, &count, &err) == CAROM_BAD_INPUT,
          "a position that is not a number is refused");
    CHECK(strstr(err.what, "body 3") != NULL, "and the body is named: %s", err.what);
    carom_shape_release(ball);
    carom_shape_release(plane);
}

// 1,500 balls each inside all others, a third of them fixed: where the search is bounded it ends
// soon, in the same place for any number of threads; pairs of two fixed bodies do not count.
static void check_bound(carom_broad *broad)
{
    enum { ALL = 1500, PAIRS = 20000 };
    static carom_body_pair first[PAIRS + ALL];
    carom_shape *ball;
    carom_sphere_create(1, &ball, NULL);
    for (int i = 0; i < ALL; ++i) {
        shape[i] = ball;
        position[i] = vec3_make(1e-3 * i, 0, 0);
        rotation[i] = quat_identity();
        fixed[i] = i < ALL / 3;
    }
    carom_collide_bodies bodies = { .count = ALL,
                                    .shape = shape,
                                    .position = position,
                                    .rotation = rotation,
                                    .fixed = fixed,
                                    .most_pairs = PAIRS };
    carom_body_pair *pair;
    int count, again;
    size_t before = carom_broad_bytes(broad);
    CHECK(carom_broad_find(broad, &bodies, &pair, &count, NULL) == CAROM_OK, "bounded");
    CHECK(count >= PAIRS / 2 && count <= PAIRS + ALL, "%d pairs where %d are wanted", count, PAIRS);
    CHECK(carom_broad_bytes(broad) - before < 1 << 20, "and memory for no more");
    memcpy(first, pair, (size_t)count * sizeof *pair);
    bodies.threads = 4;
    CHECK(carom_broad_find(broad, &bodies, &pair, &again, NULL) == CAROM_OK && again == count &&
              memcmp(first, pair, (size_t)count * sizeof *pair) == 0,
          "the same by four threads");
    bodies.most_pairs = 0;
    carom_broad_find(broad, &bodies, &pair, &count, NULL);
    CHECK(count == ALL * (ALL - 1) / 2 - ALL / 3 * (ALL / 3 - 1) / 2, "all of them: %d", count);
    carom_shape_release(ball);
}

// Scenery of 3,000 balls each inside all others, and one that may move: 4.5 million pairs that
// nobody wants are not kept until the end.
static void check_scenery(void)
{
    carom_broad *broad;
    carom_shape *ball;
    carom_body_pair *pair;
    int count;
    carom_broad_create(&broad, NULL);
    carom_sphere_create(1, &ball, NULL);
    for (int i = 0; i < MOST; ++i) {
        shape[i] = ball;
        position[i] = vec3_make(1e-5 * i, 0, 0);
        rotation[i] = quat_identity();
        fixed[i] = i != 7;
    }
    carom_collide_bodies bodies = {
        .count = MOST, .shape = shape, .position = position, .rotation = rotation, .fixed = fixed
    };
    CHECK(carom_broad_find(broad, &bodies, &pair, &count, NULL) == CAROM_OK && count == MOST - 1,
          "the one meets all: %d", count);
    CHECK(carom_broad_bytes(broad) < 4 << 20, "in %zu bytes", carom_broad_bytes(broad));
    carom_shape_release(ball);
    carom_broad_destroy(broad);
}

int main(void)
{
    carom_broad *broad;
    carom_broad_create(&broad, NULL);
    check_bound(broad);
    check_scenery();
    static const layout layouts[] = {
        { "equal", 10, 0, 0, 2000 },        { "mixed", 10, -1, 0.3, 2000 },
        { "scattered", 1e6, 3, 5, 3000 },   { "far apart", 1e9, 6.5, 8, 1000 },
        { "six decades", 10, -5, 1, 1500 }, { "few", 3, 0, 0, 10 },
        { "line", 1000, 0, 0, 2000 },
    };
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; ++i)
        check_layout(broad, &layouts[i]);
    check_planes_and_nan(broad);
    carom_broad_destroy(broad);
    return check_report();
}
