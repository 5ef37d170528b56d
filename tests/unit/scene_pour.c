// Pouring: who enters when, the same bits from any number of threads and after a resume; sizes from
// a distribution; scaled shapes.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "carom/scene.h"
#include "carom/world_query.h"
#include "support/check.h"

enum { COUNT = 60, STEPS = 260 };

static carom_scene_world *parse(const char *sizes, int threads)
{
    char text[1400];
    carom_scene_world *scene = NULL;
    carom_error err = { 0 };
    snprintf(
        text, sizeof text,
        "{ \"carom\": 1, \"kind\": \"world\", \"step\": 0.004, \"threads\": %d, \"law\": \"qce\","
        "\"bodies\": [ { \"name\": \"box\", \"kind\": \"fixed\", \"shape\": { \"container\": "
        "{ \"inside\": [0.6, 0.6, 1], \"thickness\": 0.1 } } } ], \"generators\": [ { \"pour\": {"
        "\"count\": %d, \"rate\": 100, \"start\": 0.1, \"from\": [-0.2, -0.2, 0.5], \"to\": "
        "[0.2, 0.2, 0.9], %s \"bodies\": [ { \"name\": \"ball\", \"shape\": { \"sphere\": 0.04 },"
        "\"mass\": 0.3, \"velocity\": [0, 0, -2] }, { \"shape\": { \"hull\": [[0, 0, 0], [0.06, 0,"
        " 0], [0, 0.06, 0], [0, 0, 0.06]] } } ] } } ] }",
        threads, COUNT, sizes);
    CHECK(carom_scene_world_parse("f.json", text, strlen(text), &scene, &err) == CAROM_OK, "%s %s",
          err.where, err.what);
    return scene;
}

static carom_world *build(const carom_scene_world *scene)
{
    carom_world *world = NULL;
    carom_error err = { 0 };
    CHECK(carom_scene_world_build(scene, NULL, &world, &err) == CAROM_OK, "%s", err.what);
    CHECK(carom_scene_world_examine(scene, world, &err) == CAROM_OK, "who waits overlaps nobody: %s",
          err.what);
    return world;
}

static void run(const carom_scene_world *scene, carom_world *world, int from, int to)
{
    carom_error err = { 0 };
    for (int i = from; i < to; ++i) {
        carom_scene_world_change(scene, world, i);
        if (!CHECK(carom_world_step(world, 0.004, &err) == CAROM_OK, "%s", err.what))
            return;
    }
}

static void check_run(void)
{
    carom_scene_world *scene = parse("", 1), *wide = parse("", 3);
    carom_world *world = build(scene), *threads = build(wide), *again = build(scene);
    carom_error err = { 0 };
    run(scene, world, 0, 26);
    CHECK(carom_scene_world_waiting(scene, world) == COUNT - 1, "the first one after 0.1 s");
    run(scene, world, 26, 40); // nothing has landed yet: entering and falling is exact
    CHECK_MOST(fabs(carom_world_ledger(world).integrator), 1e-12, "nothing comes from nowhere");
    run(scene, world, 40, 120);
    int waiting = carom_scene_world_waiting(scene, world);
    // 0.48 s after the start 38 are due; some wait for their place
    CHECK(waiting >= COUNT - 39 && waiting < COUNT - 20, "%d wait", waiting);
    size_t size = carom_world_snapshot_size(world);
    unsigned char *bytes = malloc(size);
    carom_world_snapshot(world, bytes);
    run(scene, world, 120, STEPS);
    CHECK(carom_world_restore(again, bytes, size, &err) == CAROM_OK, "%s", err.what);
    CHECK(carom_scene_world_waiting(scene, again) == waiting, "who waits is part of a snapshot");
    run(scene, again, 120, STEPS);
    CHECK(carom_world_hash(again) == carom_world_hash(world), "a resumed run gives the same bits");
    run(wide, threads, 0, STEPS);
    CHECK(carom_world_hash(threads) == carom_world_hash(world), "so do three threads");
    CHECK(carom_scene_world_waiting(scene, world) == 0, "all are in");
    carom_ledger l = carom_world_ledger(world);
    double sum = l.start + l.driven - l.law - l.rest + l.position_correction + l.integrator;
    CHECK_NEAR(l.kinetic + l.potential, sum, 1e-9, "the ledger has them all");
    free(bytes);
    carom_world_destroy(world);
    carom_world_destroy(threads);
    carom_world_destroy(again);
    carom_scene_world_close(scene);
    carom_scene_world_close(wide);
}

// Mean and spread of the factors that were drawn.
static void moments(const char *sizes, double *mean, double *deviation, double *most)
{
    carom_scene_world *scene = parse(sizes, 1);
    double sum = 0, square = 0;
    int count = 0;
    *most = 0;
    for (int i = 1; i <= COUNT; ++i) {
        carom_body body = carom_scene_world_body(scene, i);
        if (carom_shape_kind_of(body.shape) != CAROM_SHAPE_SPHERE)
            continue;
        double factor = carom_shape_radius(body.shape) / 0.04;
        CHECK_NEAR(body.mass, 0.3 * factor * factor * factor, 1e-12, "mass goes with the volume");
        sum += factor;
        square += factor * factor;
        ++count;
        *most = fmax(*most, factor);
    }
    *mean = sum / count;
    *deviation = sqrt(square / count - *mean * *mean);
    carom_scene_world_close(scene);
}

// About thirty draws: means within three standard errors.
static void check_sizes(void)
{
    double mean, deviation, most;
    moments("\"sizes\": { \"min\": 0.5, \"max\": 1.5 },", &mean, &deviation, &most);
    CHECK_NEAR(mean, 1, 3 * 0.29 / sqrt(25), "uniform");
    CHECK_NEAR(deviation, 0.29, 0.1, "its spread is 1/sqrt(12)");
    moments("\"sizes\": { \"law\": \"normal\", \"mean\": 1.2, \"deviation\": 0.1 },", &mean,
            &deviation, &most);
    CHECK_NEAR(mean, 1.2, 3 * 0.1 / sqrt(25), "normal");
    CHECK_NEAR(deviation, 0.1, 0.04, "its deviation");
    moments("\"sizes\": { \"law\": \"lognormal\", \"deviation\": 0.3, \"max\": 1.3 },", &mean,
            &deviation, &most);
    CHECK_MOST(most, 1.3, "cut off");
    moments("\"sizes\": { \"law\": \"values\", \"values\": [1, 2], \"weights\": [0, 1] },", &mean,
            &deviation, &most);
    CHECK_NEAR(mean, 2, 1e-12, "only the second one");
}

// Every kind of shape, larger by 3: 27 times the volume, 243 times the inertia.
static void check_scale(void)
{
    carom_shape *shapes[8] = { 0 }, *larger = NULL;
    carom_error err = { 0 };
    const double half[3] = { 1, 2, 3 };
    const double points[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    int count = 0;
    carom_sphere_create(0.3, &shapes[count++], &err);
    carom_box_create(half, &shapes[count++], &err);
    carom_capsule_create(0.3, 0.5, &shapes[count++], &err);
    carom_cylinder_create(0.3, 0.5, &shapes[count++], &err);
    carom_hull_create(points, 4, &shapes[count++], &err);
    carom_mesh_from(shapes[3], 12, &shapes[count++], &err);
    carom_part parts[2] = { { shapes[0], { 1, 0, 0 }, { 1, 0, 0, 0 } },
                            { shapes[1], { 0, 4, 1 }, { 0.5, -0.5, 0.5, 0.5 } } };
    carom_compound_create(parts, 2, &shapes[count++], &err);
    for (int i = 0; i < count; ++i) {
        const char *name = carom_shape_kind_name(carom_shape_kind_of(shapes[i]));
        CHECK(carom_shape_scale(shapes[i], 3, &larger, &err) == CAROM_OK, "%s: %s", name, err.what);
        carom_mass was = carom_shape_mass(shapes[i]), now = carom_shape_mass(larger);
        CHECK_NEAR(now.volume / was.volume, 27, 1e-9, "volume of a %s", name);
        for (int k = 0; k < 6; ++k)
            CHECK_NEAR(now.inertia[k], 243 * was.inertia[k], 1e-9 * fabs(now.inertia[0]),
                       "inertia of a %s", name);
        carom_shape_release(larger);
    }
    CHECK(carom_shape_scale(shapes[0], 0, &larger, &err) == CAROM_BAD_INPUT, "not by nothing");
    for (int i = 0; i < count; ++i)
        carom_shape_release(shapes[i]);
}

int main(void)
{
    check_scale();
    check_sizes();
    check_run();
    return check_report();
}
