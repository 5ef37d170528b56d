// Bounce maps in the world: every law gets the contact's value, one per face manifold; maps for
// other bodies are refused; the cache notices damage; nothing allocates and threads do not show.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "carom/carom.h"
#include "support/cache.h"
#include "support/check.h"

#define TILT 0.3 // rad
#define ROLL 0.2

static carom_bounce_recipe light(void)
{
    carom_bounce_recipe recipe = carom_bounce_recipe_default();
    recipe.modal.modes = 10;
    recipe.modal.across = 1;
    recipe.faces = 400;
    return recipe;
}

static carom_shape *make(const char *text)
{
    carom_error err = { 0 };
    carom_shape *shape = NULL;
    CHECK(carom_generate_shape(text, &shape, &err) == CAROM_OK, "%s: %s", text, err.what);
    return shape;
}

// A world with a floor (body 0) and one body that falls on it at 1 m/s.
static carom_world *build(const carom_law *law, const carom_body *body)
{
    carom_error err = { 0 };
    carom_world_options options = carom_world_options_default();
    carom_body floor = carom_world_body_default();
    carom_material smooth = carom_world_material_default();
    carom_world *world = NULL;
    carom_shape *plane = NULL;
    memset(options.gravity, 0, sizeof options.gravity);
    if (law) {
        options.law = law;
        options.law_options = carom_law_defaults(law);
    }
    smooth.friction = 0;
    smooth.restitution = 0.2;
    CHECK(carom_plane_create(&plane, &err) == CAROM_OK &&
              carom_world_create(&options, &world, &err) == CAROM_OK &&
              carom_world_add_material(world, &smooth, NULL, &err) == CAROM_OK,
          "a world: %s", err.what);
    floor.shape = plane;
    floor.kind = CAROM_BODY_FIXED;
    floor.material = 1;
    CHECK(carom_world_add_body(world, &floor, NULL, &err) == CAROM_OK &&
              carom_world_add_body(world, body, NULL, &err) == CAROM_OK,
          "its bodies: %s", err.what);
    carom_shape_release(plane);
    return world;
}

// A bar tilted about y: its lower edge comes down first; with a roll about x its corner does. Its
// contact point seen from the centre.
static carom_body tilted(const carom_shape *bar, const carom_bounce_map *map, double tilt,
                         double roll, double arm[3])
{
    carom_body body = carom_world_body_default();
    double c = cos(tilt), s = sin(tilt), u = cos(roll), v = sin(roll);
    double y = roll > 0 ? 0.005 : 0; // of the corner (0.1, -y, -0.005), or the edge's middle
    body.shape = bar;
    body.material = 1;
    body.restitution = carom_bounce_map_restitution(map);
    body.rotation[0] = cos(0.5 * tilt) * cos(0.5 * roll); // first the roll, then the tilt
    body.rotation[1] = cos(0.5 * tilt) * sin(0.5 * roll);
    body.rotation[2] = sin(0.5 * tilt) * cos(0.5 * roll);
    body.rotation[3] = -sin(0.5 * tilt) * sin(0.5 * roll);
    body.velocity[2] = -1;
    double across = -y * u + 0.005 * v, down = -y * v - 0.005 * u;
    arm[0] = 0.1 * c + down * s;
    arm[1] = across;
    arm[2] = -0.1 * s + down * c;
    body.position[2] = 0.0005 - arm[2];
    return body;
}

static double after(carom_world *world, int steps, const double arm[3])
{
    carom_error err = { 0 };
    double v[3], w[3];
    for (int i = 0; i < steps; ++i)
        CHECK(carom_world_step(world, 1e-4, &err) == CAROM_OK, "a step: %s", err.what);
    carom_world_body(world, carom_world_body_at(world, 1), NULL, NULL, v, w);
    return v[2] + w[0] * arm[1] - w[1] * arm[0];
}

// One contact, at a corner: all laws are the same law there, but for the one that never bounces and
// the one whose contacts give way.
static void every_law(const carom_shape *bar, const carom_bounce_map *map)
{
    double arm[3], point[3] = { 0.1, -0.005, -0.005 };
    double normal[3] = { sin(TILT), -cos(TILT) * sin(ROLL), -cos(TILT) * cos(ROLL) };
    carom_bounce_value expected = carom_bounce_map_lookup(map, point, normal);
    carom_body body = tilted(bar, map, TILT, ROLL, arm);
    CHECK(expected.place == CAROM_BOUNCE_VERTEX && expected.epsilon > 0.05,
          "the contact is a sharp vertex, %g", expected.epsilon);
    for (int i = 0; i < carom_law_count(); ++i) {
        const char *name = carom_law_name(carom_law_at(i));
        bool dull = strcmp(name, "inelastic") == 0;
        if (strcmp(name, "soft") == 0)
            continue; // its contacts give way
        carom_world *world = build(carom_law_at(i), &body);
        CHECK_NEAR(after(world, 6, arm), dull ? 0 : expected.epsilon, 1e-6,
                   "%s leaves with the map's value", name);
        CHECK_MOST(carom_world_audit(world).gain, 1e-12, "%s gains nothing", name);
        carom_world_destroy(world);
    }
}

// Two contacts at the ends of an edge are one manifold: both get the value of its middle.
static void one_edge(const carom_shape *bar, const carom_bounce_map *map)
{
    double arm[3], point[3] = { 0.1, 0, -0.005 }, normal[3] = { sin(TILT), 0, -cos(TILT) };
    carom_bounce_value expected = carom_bounce_map_lookup(map, point, normal);
    carom_body body = tilted(bar, map, TILT, 0, arm);
    carom_world *world = build(NULL, &body);
    CHECK(expected.place == CAROM_BOUNCE_EDGE, "the contact lies on a sharp edge");
    CHECK_NEAR(after(world, 6, arm), expected.epsilon, 1e-9, "both ends of an edge have one value");
    carom_world_destroy(world);
    body.restitution.scale = 0.5;
    world = build(NULL, &body);
    CHECK_NEAR(after(world, 6, arm), 0.5 * expected.epsilon, 1e-9, "alpha scales it");
    carom_world_destroy(world);
    body.restitution.functions = NULL;
    world = build(NULL, &body);
    CHECK_NEAR(after(world, 6, arm), 0.2, 1e-9, "without a map the materials decide");
    carom_world_destroy(world);
}

static void flat_face(const carom_shape *bar, const carom_bounce_map *map)
{
    double arm[3], point[3] = { 0, 0, -0.005 }, normal[3] = { 0, 0, -1 }, middle[3] = { 0 };
    carom_body body = tilted(bar, map, 0, 0, arm);
    carom_world *world = build(NULL, &body);
    CHECK_NEAR(after(world, 6, middle), carom_bounce_map_lookup(map, point, normal).epsilon, 1e-9,
               "a face that lands flat has the value of its middle");
    carom_world_destroy(world);
}

static void two_bodies(const carom_bounce_map *map, const carom_bounce_direct *modes)
{
    // a bar falls on another of twice its density, middle on middle, crosswise
    carom_error err = { 0 };
    double point[3] = { 0, 0, -0.005 }, normal[3] = { 0, 0, -1 }, epsilon[2], w[2] = { 1, 0.5 };
    carom_shape *box = NULL; // whose manifold is exact
    carom_box_create((double[]){ 0.1, 0.005, 0.005 }, &box, &err);
    epsilon[0] = epsilon[1] = carom_bounce_map_lookup(map, point, normal).epsilon;
    for (int direct = 0; direct < 2; ++direct) {
        carom_world_options options = carom_world_options_default();
        carom_body body = carom_world_body_default();
        carom_world *world = NULL;
        carom_bounce_options kernel = carom_bounce_options_default();
        carom_bounce_result alone;
        double v[2][3];
        memset(options.gravity, 0, sizeof options.gravity);
        body.shape = box;
        body.restitution =
            direct ? carom_bounce_direct_restitution(modes) : carom_bounce_map_restitution(map);
        CHECK(carom_world_create(&options, &world, &err) == CAROM_OK, "a world");
        body.density = 2000;
        carom_world_add_body(world, &body, NULL, &err);
        body.density = 1000;
        body.position[2] = 0.0105;
        body.velocity[2] = -1;
        body.rotation[0] = body.rotation[3] = sqrt(0.5);
        CHECK(carom_world_add_body(world, &body, NULL, &err) == CAROM_OK, "%s", err.what);
        for (int i = 0; i < 6; ++i)
            CHECK(carom_world_step(world, 1e-4, &err) == CAROM_OK, "a step: %s", err.what);
        for (int k = 0; k < 2; ++k)
            carom_world_body(world, carom_world_body_at(world, k), NULL, NULL, v[k], NULL);
        if (direct) { // EPS2(i, i) = EPS1(i), also where the masses differ
            carom_bounce_direct_solve(modes, point, normal, &kernel, &alone, &err);
            epsilon[0] = epsilon[1] = alone.epsilon;
        }
        CHECK_NEAR(v[1][2] - v[0][2],
                   carom_restitution_rule_combine(CAROM_RESTITUTION_WEIGHTED, epsilon, w), 1e-6,
                   "a pair of equal values has that value, %s", direct ? "direct" : "mapped");
        carom_world_destroy(world);
    }
    carom_shape_release(box);
}

static void refusals(const carom_shape *bar, const carom_bounce_map *map)
{
    carom_error err = { 0 };
    carom_world *world = NULL;
    carom_world_options options = carom_world_options_default();
    carom_body body = carom_world_body_default();
    carom_shape *other = make("bar:200x10x11mm@50mm"), *finer = make("bar:200x10x10mm@20mm"),
                *box = NULL;
    carom_box_create((double[]){ 0.1, 0.005, 0.005 }, &box, &err);
    carom_world_create(&options, &world, &err);
    body.restitution = carom_bounce_map_restitution(map);
    body.shape = other;
    CHECK(carom_world_add_body(world, &body, NULL, &err) == CAROM_BAD_INPUT &&
              strstr(err.what, "another mesh") && strstr(err.what, "hash") && *err.fix,
          "a map for another mesh is refused: %s", err.what);
    body.shape = bar;
    body.restitution.scale = 1.5;
    CHECK(carom_world_add_body(world, &body, NULL, &err) == CAROM_BAD_INPUT &&
              strstr(err.what, "restitution.scale"),
          "alpha above 1 is refused: %s", err.what);
    body.restitution.scale = 1;
    CHECK(carom_world_body_count(world) == 0, "nothing was added");
    const carom_shape *same[] = { bar, finer, box };
    for (int k = 0; k < 3; ++k) {
        body.shape = same[k];
        CHECK(carom_world_add_body(world, &body, NULL, &err) == CAROM_OK,
              "the same body in other triangles passes (%d): %s", k, err.what);
    }
    options.bounce_rule = CAROM_RESTITUTION_RULE_COUNT;
    carom_world *none = NULL;
    CHECK(carom_world_create(&options, &none, &err) == CAROM_BAD_INPUT, "an unknown rule");
    carom_world_destroy(world);
    carom_shape_release(other);
    carom_shape_release(finer);
    carom_shape_release(box);
}

static long size_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    long size = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (file)
        fclose(file);
    return size;
}

static void damage(const char *folder, const char *ending)
{
    char command[300];
    snprintf(command, sizeof command,
             "for f in %s/*.%s; do head -c 1000 $f > $f.cut; mv $f.cut $f; done", folder, ending);
    CHECK(system(command) == 0, "files cut");
}

// Baked, read from the cache, and made again after damage: the same values, bit by bit.
static void cache(const char *folder, const carom_shape *bar, const carom_bounce_map *map)
{
    carom_error err = { 0 };
    carom_bounce_recipe recipe = light();
    double point[3] = { 0.0333, 0.005, 0.001 }, normal[3] = { 0, 1, 0 };
    carom_bounce_value first = carom_bounce_map_lookup(map, point, normal);
    for (int turn = 0; turn < 3; ++turn) {
        carom_bounce_map *again = NULL;
        if (turn == 1)
            damage(folder, "bounce");
        if (turn == 2) {
            damage(folder, "bounce");
            damage(folder, "cmodes");
        }
        CHECK(carom_bounce_cache_map(folder, bar, &recipe, NULL, &again, &err) == CAROM_OK,
              "from the cache: %s", err.what);
        carom_bounce_value value = carom_bounce_map_lookup(again, point, normal);
        CHECK(value.epsilon == first.epsilon && value.tau == first.tau &&
                  value.index == first.index,
              "the same bits (%d)", turn);
        carom_bounce_map_destroy(again);
    }
    char path[300], command[700];
    snprintf(path, sizeof path, "%s/list", folder);
    snprintf(command, sizeof command, "cat %s/*.cmodes > %s", folder, path);
    CHECK(system(command) == 0 && size_of(path) > 2000, "damaged files were made again");
    carom_bounce_map *none = NULL;
    CHECK(carom_bounce_cache_map("/proc/none", bar, &recipe, NULL, &none, &err) == CAROM_OK,
          "a folder that cannot be written to is no error: %s", err.what);
    carom_bounce_map_destroy(none);
}

// Two shards and what they make together, also where the folder has the map already.
static void shards(const char *folder, const carom_shape *bar, const carom_bounce_map *map)
{
    carom_error err = { 0 };
    carom_bounce_recipe recipe = light();
    char path[2][300];
    const char *both[] = { path[0], path[1] };
    carom_pieces pieces = { .shards = 2 };
    carom_bounce_map *made = NULL;
    recipe.map.pieces = &pieces;
    for (int i = 0; i < 2; ++i) {
        snprintf(path[i], sizeof path[i], "%s/bar.%d-of-2.pieces", folder, i + 1);
        pieces.shard = i + 1;
        pieces.path = path[i];
        CHECK(carom_bounce_cache_map(folder, bar, &recipe, NULL, &made, &err) == CAROM_OK && !made,
              "shard %d has no map: %s", i + 1, err.what);
        CHECK(size_of(path[i]) > 0, "shard %d has a file", i + 1);
    }
    pieces = (carom_pieces){ .merged = both, .merged_count = 2 };
    if (!CHECK(carom_bounce_cache_map(folder, bar, &recipe, NULL, &made, &err) == CAROM_OK && made,
               "put together: %s", err.what))
        return;
    int same = 0, count = carom_bounce_map_sample_count(map);
    for (int i = 0; i < count && i < carom_bounce_map_sample_count(made); ++i)
        same += carom_bounce_map_sample(made, i, NULL, NULL).epsilon ==
                carom_bounce_map_sample(map, i, NULL, NULL).epsilon;
    CHECK(same == count, "%d of %d samples have the same bits", same, count);
    carom_bounce_map_destroy(made);
}

int main(void)
{
    const char *folder = cache_begin();
    carom_error err = { 0 };
    carom_bounce_recipe recipe = light();
    carom_shape *bar = make("bar:200x10x10mm@50mm");
    carom_bounce_map *map = NULL;
    carom_bounce_direct *direct = NULL;
    if (CHECK(carom_bounce_cache_map(folder, bar, &recipe, NULL, &map, &err) == CAROM_OK &&
                  carom_bounce_cache_direct(folder, bar, &recipe, NULL, &direct, &err) == CAROM_OK,
              "a bar with a map: %s", err.what)) {
        every_law(bar, map);
        one_edge(bar, map);
        flat_face(bar, map);
        two_bodies(map, direct);
        refusals(bar, map);
        cache(folder, bar, map);
        shards(folder, bar, map);
    }
    carom_bounce_map_destroy(map);
    carom_bounce_direct_destroy(direct);
    carom_shape_release(bar);
    cache_end();
    return check_report();
}
