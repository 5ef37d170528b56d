// The whole of collision on a crowd of mixed shapes: sorted contacts, the same bits with any number
// of threads and for bodies listed in another order, reach and margin honoured, and no memory asked
// for once the crowd has been seen.
#include "collide/collide.h"
#include "base/random.h"
#include "support/allocations.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 400, KINDS = 8 };

static carom_shape *kind[KINDS];
static const carom_shape *shape[COUNT];
static vec3 position[COUNT];
static quat rotation[COUNT];
static unsigned char fixed[COUNT];

static void make_kinds(void)
{
    double points[18] = { 0.3, 0, 0, -0.3, 0.1, 0, 0, 0.3, 0, 0, -0.3, 0, 0, 0, 0.3, 0.1, 0, -0.3 };
    double ell[12] = { 0, 0, 0.5, 0, 0.5, 0.2, 0.2, 0.2, 0.2, 0.5, 0, 0.5 };
    carom_sphere_create(0.3, &kind[0], NULL);
    carom_sphere_create(0.2, &kind[1], NULL);
    carom_box_create((double[3]){ 0.3, 0.2, 0.1 }, &kind[2], NULL);
    carom_capsule_create(0.1, 0.3, &kind[3], NULL);
    carom_cylinder_create(0.2, 0.2, &kind[4], NULL);
    carom_hull_create(points, 6, &kind[5], NULL);
    carom_profile_extrude(ell, 6, 0.1, &kind[6], NULL);
    carom_part parts[2] = { { kind[0], { 0, 0, 0 }, { 1, 0, 0, 0 } },
                            { kind[2], { 0.3, 0, 0 }, { 1, 0, 0, 0 } } };
    carom_compound_create(parts, 2, &kind[7], NULL);
}

static void place_all(uint64_t seed)
{
    carom_random random = carom_random_make(seed, 0);
    static carom_shape *plane;
    if (!plane)
        carom_plane_create(&plane, NULL);
    for (int i = 0; i < COUNT; ++i) {
        shape[i] = i == 300 ? plane : kind[carom_random_below(&random, KINDS)];
        position[i] =
            vec3_make(carom_random_between(&random, 0, 3.5), carom_random_between(&random, 0, 3.5),
                      carom_random_between(&random, 0, 3.5));
        rotation[i] =
            quat_unit((quat){ carom_random_normal(&random), carom_random_normal(&random),
                              carom_random_normal(&random), carom_random_normal(&random) });
        fixed[i] = i == 300 || carom_random_below(&random, 10) == 0;
    }
    position[300] = vec3_make(0, 0, 0.2);
    rotation[300] = quat_identity();
}

static int threads_used = 1;

static const carom_contact *find(carom_collide *collide, int *count)
{
    carom_collide_bodies bodies = { .count = COUNT,
                                    .shape = shape,
                                    .position = position,
                                    .rotation = rotation,
                                    .fixed = fixed,
                                    .margin = 0.01,
                                    .threads = threads_used };
    carom_error err = { 0 };
    CHECK(carom_collide_find(collide, &bodies, &err) == CAROM_OK, "contacts of a crowd: %s",
          err.what);
    return carom_collide_list(collide, count);
}

static carom_contact *copy_of(const carom_contact *list, int count)
{
    carom_contact *copy = malloc((size_t)count * sizeof *copy);
    memcpy(copy, list, (size_t)count * sizeof *copy);
    return copy;
}

static void check_threads(carom_collide *collide)
{
    int count, again, unsorted = 0, wrong = 0;
    threads_used = 1;
    carom_contact *one = copy_of(find(collide, &count), 1);
    free(one);
    one = copy_of(find(collide, &count), count);
    CHECK(count > 500, "the crowd touches a lot (%d)", count);
    for (int i = 0; i < count; ++i) {
        unsorted += one[i].a >= one[i].b;
        unsorted += i > 0 && (one[i].a < one[i - 1].a ||
                              (one[i].a == one[i - 1].a && one[i].b < one[i - 1].b));
        wrong += fabs(vec3_length(one[i].normal) - 1) > 1e-12 || one[i].gap > 0.01 ||
                 (fixed[one[i].a] && fixed[one[i].b]);
    }
    CHECK(unsorted == 0, "contacts are sorted by their bodies");
    CHECK(wrong == 0, "unit normals, gaps within the margin, no two fixed bodies (%d wrong)",
          wrong);
    for (int threads = 2; threads <= 5; ++threads) {
        threads_used = threads;
        const carom_contact *list = find(collide, &again);
        int differ = again != count;
        for (int i = 0; i < count && !differ; ++i)
            differ = memcmp(&list[i].point, &one[i].point, sizeof one[i].point) != 0 ||
                     memcmp(&list[i].normal, &one[i].normal, sizeof one[i].normal) != 0 ||
                     list[i].gap != one[i].gap || list[i].feature != one[i].feature;
        CHECK(!differ, "%d threads give the same bits", threads);
    }
    free(one);
}

// Listed backwards: body i becomes COUNT - 1 - i; contacts keep their bits with a and b exchanged.
static void check_order(carom_collide *collide)
{
    int count, again, missing = 0;
    carom_contact *before = copy_of(find(collide, &count), 1);
    free(before);
    before = copy_of(find(collide, &count), count);
    for (int i = 0, j = COUNT - 1; i < j; ++i, --j) {
        const carom_shape *s = shape[i];
        vec3 p = position[i];
        quat q = rotation[i];
        unsigned char f = fixed[i];
        shape[i] = shape[j], position[i] = position[j], rotation[i] = rotation[j],
        fixed[i] = fixed[j];
        shape[j] = s, position[j] = p, rotation[j] = q, fixed[j] = f;
    }
    const carom_contact *after = find(collide, &again);
    CHECK(again == count, "as many contacts in the other order");
    for (int i = 0; i < count; ++i) {
        bool found = false;
        for (int k = 0; k < again && !found; ++k)
            found = after[k].a == COUNT - 1 - before[i].b &&
                    after[k].b == COUNT - 1 - before[i].a &&
                    memcmp(&after[k].point, &before[i].point, sizeof(vec3)) == 0 &&
                    after[k].gap == before[i].gap && after[k].normal.x == -before[i].normal.x &&
                    after[k].normal.y == -before[i].normal.y &&
                    after[k].normal.z == -before[i].normal.z;
        missing += !found;
    }
    CHECK(missing == 0, "every contact has the same bits in the other order (%d differ)", missing);
    free(before);
}

static void check_memory(carom_collide *collide)
{
    int count;
    for (uint64_t seed = 1; seed <= 3; ++seed) { // warm-up
        place_all(seed);
        find(collide, &count);
    }
    size_t bytes = carom_collide_bytes(collide);
    long before = allocations();
    for (int step = 0; step < 30; ++step) {
        place_all(1 + (uint64_t)step % 3);
        find(collide, &count);
    }
    CHECK(carom_collide_bytes(collide) == bytes, "thirty more calls hold no more memory");
    CHECK(allocations() == before, "and ask for none (%ld calls)", allocations() - before);
}

static void check_reach(void)
{
    carom_collide *collide;
    carom_collide_create(&collide, NULL);
    const carom_shape *two[2] = { kind[0], kind[0] };
    vec3 where[2] = { { 0, 0, 0 }, { 2, 0, 0 } };
    quat how[2] = { { 1, 0, 0, 0 }, { 1, 0, 0, 0 } };
    double reach[2] = { 0.6, 0.7 };
    int count;
    carom_collide_bodies bodies = {
        .count = 2, .shape = two, .position = where, .rotation = how, .margin = 0.2
    };
    carom_collide_find(collide, &bodies, NULL);
    carom_collide_list(collide, &count);
    CHECK(count == 0, "balls 1.4 m apart do not touch");
    bodies.reach = reach;
    carom_collide_find(collide, &bodies, NULL);
    const carom_contact *list = carom_collide_list(collide, &count);
    CHECK(count == 1 && fabs(list[0].gap - 1.4) < 1e-15, "unless they may move that far");
    bodies.count = 0;
    CHECK(carom_collide_find(collide, &bodies, NULL) == CAROM_OK, "no bodies, no contacts");
    carom_collide_destroy(collide);
}

int main(void)
{
    carom_collide *collide;
    carom_collide_create(&collide, NULL);
    make_kinds();
    place_all(1);
    check_threads(collide);
    check_order(collide);
    threads_used = 2;
    check_memory(collide);
    check_reach();
    carom_collide_destroy(collide);
    return check_report();
}
