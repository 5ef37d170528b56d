// World scenes: defaults equal the code's, positions become centres of mass, generators place what
// they say, changes happen when they should.
#include "carom/carom.h"
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static carom_scene_world *parse(const char *keys)
{
    char text[4000];
    carom_error err = { 0 };
    carom_scene_world *scene = NULL;
    snprintf(text, sizeof text, "{\"carom\": 1, \"kind\": \"world\", %s}", keys);
    carom_scene_world_parse("test", text, strlen(text), &scene, &err);
    CHECK(scene != NULL, "%s is accepted: %s at %s", keys, err.what, err.where);
    return scene;
}

static carom_world *build(const carom_scene_world *scene)
{
    carom_error err = { 0 };
    carom_world *world = NULL;
    carom_scene_world_build(scene, NULL, &world, &err);
    CHECK(world != NULL, "the world is built: %s at %s", err.what, err.where);
    return world;
}

// How many pairs touch and overlap, by the scene's own examination.
static void check_sound(const carom_scene_world *scene, const char *name)
{
    carom_error err = { 0 };
    carom_world *world = build(scene);
    CHECK(carom_scene_world_examine(scene, world, &err) == CAROM_OK, "%s: no overlap: %s", name,
          err.what);
    carom_world_destroy(world);
}

static void check_defaults(void)
{
    carom_scene_world *scene = parse("\"bodies\": [{\"shape\": {\"sphere\": 1}}]");
    carom_world_options found = carom_scene_world_options(scene);
    carom_world_options wanted = carom_world_options_default();
    for (int k = 0; k < 3; ++k)
        CHECK_NEAR(found.gravity[k], wanted.gravity[k], 0, "gravity");
    CHECK_NEAR(found.resting_speed, wanted.resting_speed, 0, "resting_speed");
    CHECK_NEAR(found.touch, wanted.touch, 0, "touch");
    CHECK_NEAR(found.events, wanted.events, 0, "events");
    CHECK_NEAR(found.event_work, wanted.event_work, 0, "event_work");
    CHECK_NEAR(found.rest_tolerance, wanted.rest_tolerance, 0, "rest_tolerance");
    CHECK_NEAR(found.rest_sweeps, wanted.rest_sweeps, 0, "rest_sweeps");
    CHECK_NEAR(found.impact_residual, wanted.impact_residual, 0, "impact_residual");
    CHECK_NEAR(found.impact_work, wanted.impact_work, 0, "impact_work");
    CHECK_NEAR(found.slop, wanted.slop, 0, "slop");
    CHECK_NEAR(found.threads, wanted.threads, 0, "threads");
    CHECK(found.stepping == wanted.stepping, "stepping");
    CHECK(found.law == wanted.law, "law");
    carom_body body = carom_scene_world_body(scene, 0), plain = carom_world_body_default();
    CHECK_NEAR(body.density, plain.density, 0, "density");
    CHECK(body.kind == plain.kind && body.material == 0 && body.group == 0, "a plain body");
    carom_scene_world_close(scene);
}

// A dropped mass point tells the materials: those of the file against the ones of the code.
static void check_materials(void)
{
    carom_scene_world *scene =
        parse("\"materials\": {\"plain\": {}}, \"gravity\": [0, 0, 0], \"duration\": 1, "
              "\"bodies\": [{\"name\": \"a\", \"shape\": {\"sphere\": 1}, \"velocity\": [1, 0, 0], "
              "\"material\": \"plain\"}, {\"name\": \"b\", \"shape\": {\"sphere\": 1}, "
              "\"position\": [2.1, 0, 0], \"kind\": \"fixed\"}]");
    carom_world *world = build(scene);
    carom_error err = { 0 };
    double velocity[3];
    for (int i = 0; i < 20; ++i)
        CHECK(carom_world_step(world, 0.01, &err) == CAROM_OK, "step");
    carom_world_body(world, carom_world_body_at(world, 0), NULL, NULL, velocity, NULL);
    CHECK_NEAR(velocity[0], -carom_world_material_default().restitution, 1e-14,
               "restitution of a material without keys is the default");
    carom_world_destroy(world);
    carom_scene_world_close(scene);
}

// The centroid of a corner of a cube is at a quarter of its edges; a body turned by 90 degrees
// about z has it at (-1/4, 1/4, 1/4) from its position.
static void check_centre(void)
{
    carom_scene_world *scene = parse(
        "\"shapes\": {\"corner\": {\"hull\": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]}}, "
        "\"bodies\": [{\"shape\": \"corner\", \"position\": [10, 20, 30], \"turn\": [0, 0, 2, "
        "90]}, {\"shape\": {\"compound\": [{\"shape\": \"corner\", \"position\": [1, 0, 0]}]}, "
        "\"position\": [5, 0, 0]}, {\"shape\": {\"plane\": [1, 0, 0]}, \"kind\": \"fixed\", "
        "\"position\": [-7, 0, 0]}]");
    const double wanted[3] = { 9.75, 20.25, 30.25 };
    carom_body body = carom_scene_world_body(scene, 0);
    for (int k = 0; k < 3; ++k)
        CHECK_NEAR(body.position[k], wanted[k], 1e-14, "centre of mass");
    CHECK_NEAR(body.rotation[0], sqrt(0.5), 1e-15, "half of 90 degrees");
    CHECK_NEAR(carom_scene_world_body(scene, 1).position[0], 6.25, 1e-14, "part of a compound");
    // a plane's own normal is +z: it is turned to +x
    body = carom_scene_world_body(scene, 2);
    double w = body.rotation[0], y = body.rotation[2];
    CHECK_NEAR(2 * w * y, 1, 1e-15, "the normal of the plane points along x");
    carom_scene_world_close(scene);
}

static void name_is(const carom_scene_world *scene, int body, const char *wanted)
{
    char name[64];
    carom_scene_world_body_name(scene, body, name, sizeof name);
    CHECK_TEXT(name, wanted, "name of body %d", body);
    CHECK(carom_scene_world_find(scene, wanted) == body, "and back");
}

static void check_generators(void)
{
    static const struct {
        const char *keys;
        int count;
    } cases[] = {
        { "{\"row\": {\"count\": 5, \"body\": {\"shape\": {\"sphere\": 0.5}}}}", 5 },
        { "{\"rack\": {\"rows\": 5, \"body\": {\"shape\": {\"sphere\": 0.5}}}}", 15 },
        { "{\"ring\": {\"count\": 7, \"body\": {\"shape\": {\"sphere\": 0.5}}}}", 7 },
        { "{\"grid\": {\"count\": [2, 3, 4], \"body\": {\"shape\": {\"box\": [1, 2, 3]}}}}", 24 },
        { "{\"stack\": {\"count\": 6, \"turn\": 10, \"body\": {\"shape\": {\"cylinder\": "
          "{\"radius\": 1, \"length\": 0.5}}}}}",
          6 },
        { "{\"pyramid\": {\"rows\": 4, \"body\": {\"shape\": {\"box\": [1, 1, 1]}}}}", 10 },
        { "{\"dominoes\": {\"count\": 9, \"spacing\": 0.5, \"bend\": 10, \"body\": {\"shape\": "
          "{\"box\": [0.1, 0.5, 1]}}}}",
          9 },
        { "{\"card-house\": {\"levels\": 4, \"body\": {\"shape\": {\"box\": [0.002, 0.06, "
          "0.09]}}}}",
          26 },
        { "{\"fill\": {\"count\": 50, \"from\": [0,0,0], \"to\": [2,2,2], \"bodies\": [{\"shape\": "
          "{\"sphere\": 0.1}}, {\"name\": \"cube\", \"shape\": {\"box\": [0.1, 0.1, 0.1]}}]}}",
          50 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char keys[500];
        snprintf(keys, sizeof keys, "\"generators\": [%s]", cases[i].keys);
        carom_scene_world *scene = parse(keys);
        CHECK(carom_scene_world_body_count(scene) == cases[i].count, "%s makes %d bodies, not %d",
              cases[i].keys, carom_scene_world_body_count(scene), cases[i].count);
        check_sound(scene, cases[i].keys);
        carom_scene_world_close(scene);
    }
    carom_scene_world *scene = parse(
        "\"generators\": [{\"grid\": {\"count\": [2, 2, 2], \"jitter\": 0.1, \"spacing\": [3, "
        "3, 3], \"tumble\": true, \"body\": {\"name\": \"b\", \"shape\": {\"sphere\": 1}, "
        "\"position\": [1, 2, 3], \"colour\": \"#ff8000\", \"opacity\": 0.25, \"roughness\": "
        "0.75}}}], \"lights\": [{\"direction\": [0, 0, -2]}, {\"direction\": [1, 0, -1], "
        "\"colour\": \"#0000ff\", \"strength\": 0.5, \"size\": 2}]");
    name_is(scene, 0, "b[0]");
    name_is(scene, 7, "b[7]");
    CHECK(carom_scene_world_find(scene, "b[8]") == -1 && carom_scene_world_find(scene, "b") == -1,
          "others are not there");
    carom_look look = carom_scene_world_look(scene, 3), usual = carom_scene_world_look(scene, 99);
    CHECK(look.colour == 0xff8000 && look.opacity == 0.25 && look.roughness == 0.75, "its look");
    CHECK(usual.colour == -1 && usual.opacity == 1, "what is not there looks as usual");
    carom_light lights[CAROM_LIGHT_MAX];
    CHECK(carom_scene_world_lights(scene, lights) == 2, "two lamps");
    CHECK(lights[0].direction[2] == -1 && lights[0].colour == 0xffffff && lights[0].size == 6,
          "a lamp that says no more than its direction");
    CHECK(lights[1].colour == 0x0000ff && lights[1].strength == 0.5 && lights[1].size == 2,
          "a lamp with everything said");
    double shift = 0;
    for (int i = 0; i < 8; ++i) {
        carom_body body = carom_scene_world_body(scene, i);
        shift = fmax(shift, fabs(body.position[0] - 1 - 3 * (i % 2)));
        shift = fmax(shift, fabs(body.position[2] - 3 - 3 * (i / 4)));
    }
    CHECK_MOST(shift, 0.1, "jitter stays within its bound");
    CHECK(shift > 0.01, "but is there");
    carom_scene_world_close(scene);
}

// Neighbours of a ring, a rack and a card house touch: gaps are those of round-off.
static void check_touching(void)
{
    carom_scene_world *scene = parse(
        "\"generators\": [{\"ring\": {\"count\": 5, \"body\": {\"shape\": {\"sphere\": 0.5}}}}]");
    carom_body a = carom_scene_world_body(scene, 0), b = carom_scene_world_body(scene, 1);
    CHECK_NEAR(hypot(a.position[0] - b.position[0], a.position[1] - b.position[1]), 1, 1e-14,
               "neighbours of a ring touch");
    carom_scene_world_close(scene);
    scene = parse("\"generators\": [{\"rack\": {\"rows\": 2, \"body\": {\"shape\": {\"sphere\": "
                  "0.5}}}}]");
    a = carom_scene_world_body(scene, 0);
    b = carom_scene_world_body(scene, 1);
    CHECK_NEAR(hypot(a.position[0] - b.position[0], a.position[1] - b.position[1]), 1, 1e-14,
               "rows of a rack touch");
    carom_scene_world_close(scene);
}

static void check_set(void)
{
    carom_error err = { 0 };
    carom_scene_world *scene = parse("\"bodies\": [{\"shape\": {\"sphere\": 1}}], \"duration\": 2");
    CHECK(carom_scene_world_steps(scene) == 2000, "two seconds");
    CHECK(carom_scene_world_set(scene, "step", "0.1", &err) == CAROM_OK &&
              carom_scene_world_steps(scene) == 20,
          "another step");
    CHECK(carom_scene_world_set(scene, "step", "-1", &err) == CAROM_BAD_INPUT, "not this one");
    CHECK(carom_scene_world_set(scene, "step", "1, \"x\": 1", &err) == CAROM_BAD_INPUT,
          "nor other keys along with it");
    CHECK(carom_scene_world_set(scene, "law", "springs", &err) == CAROM_OK &&
              strcmp(carom_law_name(carom_scene_world_options(scene).law), "springs") == 0,
          "another law");
    CHECK(carom_scene_world_set(scene, "nothing", "1", &err) == CAROM_BAD_INPUT, "unknown");
    CHECK(carom_scene_world_steps(scene) == 20, "refusals change nothing");
    carom_scene_world_close(scene);
}

// A surface is a material's.
static void check_friction_of_body(void)
{
    static const char text[] = "{ \"carom\": 1, \"kind\": \"world\", \"bodies\": [\n"
                               "{ \"shape\": { \"sphere\": 1 }, \"friction\": 0.3 } ] }";
    carom_scene_world *scene = NULL;
    carom_error err = { 0 };
    CHECK(carom_scene_world_parse("f.json", text, strlen(text), &scene, &err) == CAROM_BAD_INPUT,
          "friction at a body");
    CHECK(strstr(err.what, "friction belongs to a material") &&
              strstr(err.where, "f.json:2:29, in body") && strstr(err.fix, "\"materials\""),
          "%s %s %s", err.where, err.what, err.fix);
}

// What is refused names the place where it stands, or what was meant; nothing changes.
static void check_set_words(void)
{
    static const struct {
        const char *key, *text, *what, *fix;
    } cases[] = {
        { "stepp", "0.1", "neither the file nor the law", "\"step\"" },
        { "step", "abc", "not a number", "above 0" },
        { "step", "-1", "outside (0, ", "above 0" },
        { "threads", "1.5", "not a whole number", "whole number from 1" },
        { "gravity", "[0, 0]", "not a vector", "[x, y, z]" },
        { "gravity", "[0, 0, -1", "", "" }, // brackets may be left out, so one may be missing
        { "gravity", "0 0 nan", "not a vector", "[x, y, z]" },
        { "stepping", "elastc", "stepping is", "events elastic" },
        { "friction", ".3", "belongs to a material", "materials.rough.friction" },
        { "mass", "5", "belongs to a body", "bodies.0.mass=5, or bodies.*.mass" },
        { "jitter", "5", "belongs to a grid, and the file has none", "into the file" },
        { "bodies", "5", "is no number", "bodies.0.KEY" },
        { "bodies.1.mass", "5", "no body \"1\"", "from 0 to 0" },
        { "bodies.0.mas", "5", "a body has no key \"mas\"", "\"mass\"" },
        { "bodies.0.position.w", "5", "the file has no \"position\"", "" },
        { "gravity.y", "-2", "", "" }, // the others are as they would have been
        { "materials.smooth.friction", "1", "no material \"smooth\"", "name one" },
        { "materials.rough.frictoin", "1", "no key \"frictoin\"", "\"friction\"" },
        { "materials.rough.friction", "-1", "outside [0, ", "from 0" },
        { "impact_residual", "0.5", "outside [0, 0.1]", "from 0 to 0.1" },
    };
    carom_scene_world *scene = parse("\"materials\": {\"rough\": {\"friction\": 0.9}}, "
                                     "\"bodies\": [{\"shape\": {\"sphere\": 1}}]");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        carom_error err = { 0 };
        carom_status status = carom_scene_world_set(scene, cases[i].key, cases[i].text, &err);
        CHECK((status == CAROM_OK) == (cases[i].what[0] == 0), "%s=%s", cases[i].key,
              cases[i].text);
        CHECK(strstr(err.what, cases[i].what) && strstr(err.fix, cases[i].fix), "%s=%s: %s. %s",
              cases[i].key, cases[i].text, err.what, err.fix);
    }
    carom_error err = { 0 };
    CHECK_NEAR(carom_scene_world_options(scene).gravity[1], -2, 0, "one coordinate");
    carom_scene_world_set(scene, "gravity", "[1,-2, 3.5]", &err);
    carom_scene_world_set(scene, "stepping", "elastic", &err);
    carom_world_options options = carom_scene_world_options(scene);
    CHECK_NEAR(options.gravity[0], 1, 0, "gravity along x");
    CHECK_NEAR(options.gravity[1], -2, 0, "gravity along y");
    CHECK_NEAR(options.gravity[2], 3.5, 0, "gravity along z");
    CHECK(options.stepping == CAROM_STEPPING_ELASTIC, "a word");
    CHECK_NEAR(options.impact_residual, 1e-4, 0, "what was refused is as it was");
    CHECK(carom_scene_world_set(scene, "materials.rough.friction", "0.25", &err) == CAROM_OK,
          "a property of a material: %s", err.what);
    carom_scene_world_close(scene);
}

static void check_changes(void)
{
    carom_error err = { 0 };
    carom_scene_world *scene = parse(
        "\"step\": 0.1, \"gravity\": [0, 0, 0], \"bodies\": ["
        "{\"name\": \"wall\", \"shape\": {\"box\": [1, 1, 1]}, \"kind\": \"fixed\"},"
        "{\"name\": \"bed\", \"shape\": {\"box\": [1, 1, 1]}, \"position\": [9, 0, 0], \"kind\": "
        "\"fixed\"},"
        "{\"name\": \"ball\", \"shape\": {\"sphere\": 0.1}, \"position\": [-3, 0, 0]}],"
        "\"changes\": [{\"at\": 0.5, \"remove\": [\"wall\"]},"
        "{\"at\": 0.3, \"push\": \"ball\", \"velocity\": [2, 0, 0]},"
        "{\"at\": 1, \"shake\": \"bed\", \"amplitude\": [0, 0, 0.5], \"frequency\": 0.5, "
        "\"cycles\": 0.5}]");
    carom_world *world = build(scene);
    double position[3], highest = 0;
    for (int step = 0; step < 40; ++step) {
        carom_scene_world_change(scene, world, step);
        CHECK(carom_world_step(world, 0.1, &err) == CAROM_OK, "step %d: %s", step, err.what);
        carom_world_body(world, carom_world_body_at(world, 1), position, NULL, NULL, NULL);
        highest = fmax(highest, position[2]);
    }
    carom_world_body(world, carom_world_body_at(world, 2), position, NULL, NULL, NULL);
    CHECK_NEAR(position[0], -3 + 2 * 3.7, 1e-12, "pushed at 0.3 s, through where the wall was");
    carom_world_body(world, carom_world_body_at(world, 1), position, NULL, NULL, NULL);
    CHECK_NEAR(highest, 0.5, 1e-12, "half a swing upwards");
    CHECK_NEAR(position[2], 0, 1e-12, "and at rest again");
    // work: the push gave 2 m^2/s^2 per kilogram of a ball of 0.1 m at 1000 kg/m^3
    CHECK_NEAR(carom_world_ledger(world).driven, 2 * 1000 * 4.0 / 3 * 3.141592653589793 * 1e-3,
               1e-12, "the push is booked");
    CHECK_NEAR(carom_world_ledger(world).integrator, 0, 1e-12, "and nothing else changes");
    CHECK(carom_world_kind(world, carom_world_body_at(world, 0)) == CAROM_BODY_REMOVED,
          "the wall is gone");
    carom_world_destroy(world);
    carom_scene_world_close(scene);
}

static void check_shapes(void)
{
    // volume of each at unit sizes [geometry by hand]
    static const struct {
        const char *shape;
        double volume;
    } cases[] = {
        { "{\"box\": [1, 2, 3]}", 6 },
        { "{\"cylinder\": {\"radius\": 1, \"length\": 2}}", 2 * 3.141592653589793 },
        { "{\"capsule\": {\"radius\": 1, \"length\": 2}}", (2 + 4.0 / 3) * 3.141592653589793 },
        { "{\"extrude\": {\"polygon\": [[0.01,-0.03],[0.01,-0.01],[0.03,-0.01],[0.03,0.01],[0.01,"
          "0.01],[0.01,0.03],[-0.01,0.03],[-0.01,0.01],[-0.03,0.01],[-0.03,-0.01],[-0.01,-0.01],[-"
          "0.01,-0.03]], \"height\": 0.02}}",
          5 * 0.02 * 0.02 * 0.02 },
        { "{\"container\": {\"inside\": [1, 1, 1], \"thickness\": 0.1}}", 1.2 * 1.2 * 1.1 - 1 },
        { "{\"container\": {\"inside\": [1, 1, 1], \"thickness\": 0.1, \"open\": \"\"}}",
          1.2 * 1.2 * 1.2 - 1 },
        { "{\"revolve\": {\"profile\": [[0, 0], [1, 0], [0, 1]], \"segments\": 4}}", 2.0 / 3 },
        { "{\"track\": {\"path\": [[0,0,0],[1,0,0]], \"width\": 0.1, \"depth\": 0.05, "
          "\"thickness\": 0.01}}",
          0.12 * 0.06 - 0.1 * 0.05 },
        { "{\"compound\": [{\"shape\": {\"box\": [1, 1, 1]}}, {\"shape\": {\"box\": [1, 1, 1]}, "
          "\"position\": [1, 0, 0]}]}",
          2 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char keys[800];
        snprintf(keys, sizeof keys, "\"bodies\": [{\"shape\": %s}]", cases[i].shape);
        carom_scene_world *scene = parse(keys);
        carom_mass mass = carom_shape_mass(carom_scene_world_body(scene, 0).shape);
        CHECK_NEAR(mass.volume / cases[i].volume, 1, 1e-12, "volume of %s", cases[i].shape);
        carom_scene_world_close(scene);
    }
}

// A ball without spin strikes a wall at rest aslant, 0.3 m/s along it. Walton's rule: what sticks
// leaves with -beta times that at the contact, by an impulse (1 + beta) m_t u_t with m_t = 2/7 m.
static void check_tangential(void)
{
    static const char keys[] =
        "\"materials\": {\"rubber\": {\"friction\": 1, \"tangential_restitution\": 0.6}}, "
        "\"law\": \"%s\", \"gravity\": [0, 0, 0], \"bodies\": [{\"shape\": {\"sphere\": 1}, "
        "\"velocity\": [-1, 0.3, 0], \"position\": [1.05, 0, 0], \"material\": \"rubber\"}, "
        "{\"shape\": {\"plane\": [1, 0, 0]}, \"kind\": \"fixed\", \"material\": \"rubber\"}]";
    char text[800];
    carom_error err = { 0 };
    double velocity[3], spin[3];
    snprintf(text, sizeof text, keys, "qce");
    carom_scene_world *scene = parse(text);
    carom_world *world = build(scene);
    for (int i = 0; i < 20; ++i)
        CHECK(carom_world_step(world, 0.01, &err) == CAROM_OK, "step");
    carom_world_body(world, carom_world_body_at(world, 0), NULL, NULL, velocity, spin);
    CHECK_NEAR(velocity[1], 0.3 - 1.6 * 0.3 * 2 / 7, 1e-14, "speed along the wall");
    CHECK_NEAR(velocity[1] - spin[2], -0.6 * 0.3, 1e-14, "speed at the contact");
    carom_world_destroy(world);
    carom_scene_world_close(scene);
    snprintf(text, sizeof text, keys, "wave");
    scene = parse(text);
    world = NULL;
    CHECK(carom_scene_world_build(scene, NULL, &world, &err) == CAROM_BAD_INPUT,
          "a law without tangential restitution refuses it");
    CHECK(strstr(err.what, "the law wave has none"), "and says so: %s", err.what);
    carom_world_destroy(world);
    carom_scene_world_close(scene);
}

// A body turns by the moments of the file: three, six, or none; what no mass has is refused.
static void check_inertia(void)
{
    static const char keys[] =
        "\"gravity\": [0, 0, 0], \"bodies\": [{\"shape\": {\"box\": [1, 1, 1]}, "
        "\"mass\": 2, %s \"kind\": \"%s\"}]";
    static const struct {
        const char *given;
        double wanted[6];
    } good[] = { { "\"inertia\": [3, 4, 5],", { 3, 4, 5, 0, 0, 0 } },
                 { "\"inertia\": [3, 4, 5, 0.1, 0.2, 0.3],", { 3, 4, 5, 0.1, 0.2, 0.3 } },
                 { "", { 0 } } };
    char text[600], whole[700];
    carom_error err = { 0 };
    for (int i = 0; i < 3; ++i) {
        snprintf(text, sizeof text, keys, good[i].given, "moving");
        carom_scene_world *scene = parse(text);
        carom_body body = carom_scene_world_body(scene, 0);
        for (int k = 0; k < 6; ++k)
            CHECK_NEAR(body.inertia[k], good[i].wanted[k], 1e-15, "moment %d of case %d", k, i);
        carom_world *world = build(scene);
        carom_world_destroy(world);
        carom_scene_world_close(scene);
    }
    static const char *const bad[][3] = {
        { "\"inertia\": [1, 2],", "moving", "inertia has 2 entries" },
        { "\"inertia\": [1, -2, 3],", "moving", "inertia has the moments 1, -2, 3" },
        { "", "fixed", "a fixed body has no mass" },
    };
    for (int i = 0; i < 3; ++i) {
        carom_scene_world *scene = NULL;
        snprintf(text, sizeof text, keys, bad[i][0], bad[i][1]);
        snprintf(whole, sizeof whole, "{\"carom\": 1, \"kind\": \"world\", %s}", text);
        CHECK(carom_scene_world_parse("test", whole, strlen(whole), &scene, &err) ==
                  CAROM_BAD_INPUT,
              "%s is refused", bad[i][0]);
        CHECK_TEXT(err.what, bad[i][2], "and says why");
        carom_scene_world_close(scene);
    }
}

// Diameters of a grid with a spread: within it, of many sizes, the same every time.
// A centre of mass beside the middle, of a cube turned by a quarter about z.
static void check_heavy_side(void)
{
    const char *text = "\"gravity\": [0, 0, 0], \"bodies\": [{\"name\": \"cube\", \"shape\": "
                       "{\"box\": [0.2, 0.2, 0.2]}, "
                       "\"mass\": 1, \"inertia\": [0.01, 0.01, 0.01], \"centre\": [0.05, 0, 0], "
                       "\"turn\": [0, 0, 1, 90], \"position\": [1, 2, 3]}]";
    carom_scene_world *scene = parse(text);
    carom_world *world = build(scene);
    double x[3];
    carom_world_body(world, carom_world_body_at(world, 0), x, NULL, NULL, NULL);
    CHECK_NEAR(x[0], 1, 1e-12, "x of the centre of mass");
    CHECK_NEAR(x[1], 2.05, 1e-12, "y of it: 0.05 m along the turned x axis");
    CHECK_NEAR(x[2], 3, 1e-12, "z of it");
    // an impulse of 1 N s along z at the middle of the cube: arm -0.05 m, spin p arm / I
    carom_error err = { 0 };
    double spin[3];
    carom_world_apply_impulse(world, carom_world_body_at(world, 0), (double[]){ 0, 0, 1 },
                              (double[]){ 1, 2, 3 }, &err);
    carom_world_body(world, carom_world_body_at(world, 0), NULL, NULL, NULL, spin);
    CHECK_NEAR(spin[0], -5, 1e-12, "it turns about its own centre");
    carom_world_destroy(world);
    carom_scene_world_close(scene);
    scene = NULL;
    const char *bare = "{\"carom\": 1, \"kind\": \"world\", \"bodies\": [{\"shape\": {\"sphere\": "
                       "1}, \"centre\": [0.1, 0, 0]}]}";
    CHECK(carom_scene_world_parse("bare", bare, strlen(bare), &scene, &err) == CAROM_BAD_INPUT &&
              strstr(err.fix, "inertia"),
          "a centre without an inertia is refused: %s", err.fix);
}

static void check_spread(void)
{
    enum { BALLS = 1000 };
    double sum = 0, square = 0, min = 2, max = 0;
    carom_error err = { 0 };
    carom_scene_world *scene =
        parse("\"generators\": [{\"grid\": {\"count\": [10, 10, 10], \"spacing\": [3, 3, 3], "
              "\"spread\": 0.1, \"body\": {\"shape\": {\"sphere\": 1}, \"density\": 3}}}]");
    carom_world *world = build(scene);
    for (int i = 0; i < BALLS; ++i) {
        double r = carom_shape_radius(carom_scene_world_body(scene, i).shape);
        CHECK_NEAR(carom_world_mass(world, carom_world_body_at(world, i)) /
                       (4 * 3.141592653589793 * r * r * r),
                   1, 1e-12, "the mass is the density's");
        sum += r / BALLS;
        square += (r - 1) * (r - 1) / BALLS;
        min = fmin(min, r);
        max = fmax(max, r);
    }
    CHECK_NEAR(min, 0.9, 1e-15, "the smallest of 41 sizes");
    CHECK_NEAR(max, 1.1, 1e-15, "the largest");
    // uniform: the mean of 1000 scatters by 0.0018, the variance is 0.00333 times 1.05 for 41 steps
    CHECK_NEAR(sum, 1, 0.006, "mean radius");
    CHECK_NEAR(square, 0.0035, 0.0005, "variance");
    carom_world_destroy(world);
    carom_scene_world_close(scene);
    static const char box[] =
        "{\"carom\": 1, \"kind\": \"world\", \"generators\": [{\"grid\": {\"count\": [2, 2, 2], "
        "\"spread\": 0.1, \"body\": {\"shape\": {\"box\": [1, 1, 1]}}}}]}";
    scene = NULL;
    CHECK(carom_scene_world_parse("test", box, strlen(box), &scene, &err) == CAROM_BAD_INPUT,
          "boxes have no spread");
    carom_scene_world_close(scene);
}

int main(void)
{
    check_defaults();
    check_tangential();
    check_spread();
    check_inertia();
    check_heavy_side();
    check_materials();
    check_centre();
    check_generators();
    check_touching();
    check_set();
    check_set_words();
    check_friction_of_body();
    check_changes();
    check_shapes();
    return check_report();
}
