// One hash for the contacts of a crowd of all kinds, whatever compiler, optimisation or number of
// threads.
//
// The crowd uses no function of the C library but sqrt. A change of method changes the hash: then
// look at the other tests first, and put the new value here.
#include "base/hash.h"
#include "base/random.h"
#include "collide/collide.h"
#include "support/check.h"

#include <inttypes.h>
#include <stdlib.h>

enum { COUNT = 300, KINDS = 8 };

static carom_shape *kind[KINDS];

static void make_kinds(void)
{
    double points[21] = { 0.3, 0, 0, -0.3, 0.1, 0, 0,    0.3, 0,   0,  -0.3,
                          0,   0, 0, 0.3,  0.1, 0, -0.3, 0.2, 0.2, 0.2 };
    double ell[12] = { 0, 0, 0.5, 0, 0.5, 0.2, 0.2, 0.2, 0.2, 0.5, 0, 0.5 };
    double pawn[14] = { 0, -0.4, 0.25, -0.4, 0.2, -0.2, 0.08, 0, 0.2, 0.15, 0.1, 0.35, 0, 0.4 };
    carom_sphere_create(0.3, &kind[0], NULL);
    carom_box_create((double[3]){ 0.3, 0.2, 0.1 }, &kind[1], NULL);
    carom_capsule_create(0.1, 0.3, &kind[2], NULL);
    carom_cylinder_create(0.2, 0.2, &kind[3], NULL);
    carom_hull_create(points, 7, &kind[4], NULL);
    carom_profile_extrude(ell, 6, 0.1, &kind[5], NULL);
    carom_profile_revolve(pawn, 7, 12, &kind[6], NULL);
    carom_part parts[2] = { { kind[0], { 0, 0, 0 }, { 1, 0, 0, 0 } },
                            { kind[1], { 0.3, 0, 0 }, { 0.6, 0, 0.8, 0 } } };
    carom_compound_create(parts, 2, &kind[7], NULL);
}

static uint64_t hash_of(carom_collide *collide, const carom_collide_bodies *bodies)
{
    int count;
    carom_collide_find(collide, bodies, NULL);
    const carom_contact *list = carom_collide_list(collide, &count);
    uint64_t hash = CAROM_HASH_START;
    for (int i = 0; i < count; ++i) {
        double numbers[7];
        vec3_store(list[i].point, numbers);
        vec3_store(list[i].normal, numbers + 3);
        numbers[6] = list[i].gap;
        hash = carom_hash_bytes(hash, &list[i].a, sizeof list[i].a);
        hash = carom_hash_bytes(hash, &list[i].b, sizeof list[i].b);
        hash = carom_hash_bytes(hash, &list[i].feature, sizeof list[i].feature);
        hash = carom_hash_doubles(hash, numbers, 7);
    }
    return hash;
}

int main(void)
{
    static const carom_shape *shape[COUNT];
    static vec3 position[COUNT];
    static quat rotation[COUNT];
    carom_random random = carom_random_make(2026, 3);
    make_kinds();
    for (int i = 0; i < COUNT; ++i) {
        double r[7];
        for (int k = 0; k < 7; ++k)
            r[k] = carom_random_between(&random, -1, 1);
        shape[i] = kind[i % KINDS];
        position[i] = vec3_scale(1.7, vec3_make(r[0], r[1], r[2]));
        rotation[i] = quat_unit((quat){ r[3], r[4], r[5], r[6] });
    }
    carom_collide_bodies bodies = {
        .count = COUNT, .shape = shape, .position = position, .rotation = rotation, .margin = 0.01
    };
    carom_collide *collide;
    carom_collide_create(&collide, NULL);
    for (int threads = check_threads_only() ? 3 : 1; threads <= 3; ++threads) {
        bodies.threads = threads;
        uint64_t hash = hash_of(collide, &bodies);
        CHECK(hash == UINT64_C(0x99ae196dbab6d763),
              "%d threads: the golden hash, found 0x%016" PRIx64, threads, hash);
    }
    carom_collide_destroy(collide);
    for (int k = 0; k < KINDS; ++k)
        carom_shape_release(kind[k]);
    return check_report();
}
