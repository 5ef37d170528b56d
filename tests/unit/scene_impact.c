// Problem files: what generators make, and that a problem survives being written and read.
#include "carom/carom.h"
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static carom_scene_impact *parse(const char *keys)
{
    char text[2000];
    carom_error err = { 0 };
    carom_scene_impact *scene = NULL;
    snprintf(text, sizeof text, "{\"carom\": 1, \"kind\": \"impact\", %s}", keys);
    carom_scene_impact_parse("test", text, strlen(text), &scene, &err);
    CHECK(scene != NULL, "%s is accepted: %s at %s", keys, err.what, err.where);
    return scene;
}

// Contacts of balls lie on both surfaces, and their normals point from centre to centre.
static void check_touching(const carom_scene_impact *scene, const char *name)
{
    const carom_impact *impact = carom_scene_impact_problem(scene);
    double worst = 0;
    for (int i = 0; i < impact->contact_count; ++i) {
        const carom_impact_contact *c = &impact->contacts[i];
        const carom_impact_body *a = &impact->bodies[c->a], *b = &impact->bodies[c->b];
        double ra = carom_scene_impact_look(scene, c->a).radius;
        double rb = carom_scene_impact_look(scene, c->b).radius;
        for (int k = 0; k < 3; ++k) {
            worst = fmax(worst, fabs(a->position[k] + ra * c->normal[k] - c->point[k]));
            worst = fmax(worst, fabs(b->position[k] - rb * c->normal[k] - c->point[k]));
        }
    }
    // clusters accept pairs within 1e-9 diameters as touching; the others are exact to rounding
    CHECK_MOST(worst, 2e-9, "%s: contacts lie on both balls", name);
}

static void check_rack(void)
{
    carom_scene_impact *scene = parse("\"rack\": {\"rows\": 5, \"offset\": 0.2}");
    const carom_impact *impact = carom_scene_impact_problem(scene);
    CHECK(impact->body_count == 16 && impact->contact_count == 31,
          "fifteen balls and a cue: %d bodies, %d contacts", impact->body_count,
          impact->contact_count);
    CHECK_NEAR(impact->bodies[0].position[1], 0.2, 0, "the cue ball is moved sideways");
    CHECK_NEAR(impact->contacts[0].normal[1], -0.2, 1e-15, "and hits the apex from there");
    // rows are half the square root of three apart [independent reference computation, numpy]
    CHECK_NEAR(impact->bodies[11].position[0], 3.4641016151377544, 1e-15, "first of the last row");
    CHECK_NEAR(impact->bodies[11].position[1], -2, 0, "and to its right");
    CHECK_TEXT(carom_scene_impact_body_name(scene, 0), "cue", "names");
    CHECK_TEXT(carom_scene_impact_body_name(scene, 15), "ball15", "names");
    check_touching(scene, "rack");
    carom_scene_impact_close(scene);
}

static void check_ring(void)
{
    for (int count = 3; count <= 7; ++count) {
        char keys[80];
        snprintf(keys, sizeof keys, "\"ring\": {\"count\": %d, \"speed\": 2}", count);
        carom_scene_impact *scene = parse(keys);
        const carom_impact *impact = carom_scene_impact_problem(scene);
        CHECK(impact->contact_count == count, "a ring of %d closes", count);
        check_touching(scene, "ring");
        double sum[2] = { 0 };
        for (int i = 0; i < count; ++i) {
            const double *x = impact->bodies[i].position, *v = impact->bodies[i].velocity;
            CHECK_NEAR(hypot(v[0], v[1]), 2, 1e-15, "speed");
            CHECK_NEAR((x[0] * v[0] + x[1] * v[1]) / hypot(x[0], x[1]), -2, 2e-15, "inwards");
            sum[0] += v[0];
            sum[1] += v[1];
        }
        CHECK_MOST(hypot(sum[0], sum[1]), 1e-14, "no momentum in all");
        carom_scene_impact_close(scene);
    }
}

static void check_wedge(void)
{
    carom_scene_impact *scene = parse("\"wedge\": {\"angle\": 60, \"velocity\": [0.3, 0, -1]}");
    const carom_impact *impact = carom_scene_impact_problem(scene);
    CHECK(impact->body_count == 3 && impact->contact_count == 2, "a ball and two walls");
    for (int i = 0; i < 2; ++i) {
        double side = i ? 1 : -1;
        CHECK_NEAR(impact->contacts[i].normal[0], side * 0.5, 1.2e-16, "wall %d", i);
        CHECK_NEAR(impact->contacts[i].normal[2], -sqrt(0.75), 2e-16, "wall %d", i);
    }
    carom_scene_impact_close(scene);
}

static void check_chain(void)
{
    carom_scene_impact *scene = parse("\"chain\": {\"masses\": [1, 100], \"velocities\": [0, -1], "
                                      "\"wall\": \"both\", \"restitution\": 0.5}");
    const carom_impact *impact = carom_scene_impact_problem(scene);
    CHECK(impact->body_count == 4 && impact->contact_count == 3, "two bodies between two walls");
    CHECK_NEAR(impact->bodies[0].inverse_mass, 0, 0, "a wall is fixed");
    CHECK_NEAR(impact->bodies[2].inverse_mass, 0.01, 0, "masses in order");
    for (int i = 0; i < 3; ++i) {
        CHECK_NEAR(impact->contacts[i].normal[0], 1, 0, "along x");
        CHECK_NEAR(impact->contacts[i].point[0], i - 0.5, 0, "halfway");
        CHECK_NEAR(impact->contacts[i].restitution, 0.5, 0, "material");
    }
    carom_scene_impact_close(scene);
}

static void check_cluster(void)
{
    carom_scene_impact *scene = parse("\"cluster\": {\"count\": 60, \"seed\": 7}");
    carom_scene_impact *other = parse("\"cluster\": {\"count\": 60, \"seed\": 8}");
    const carom_impact *impact = carom_scene_impact_problem(scene);
    CHECK(impact->contact_count >= 2 * impact->body_count, "densely packed: %d contacts",
          impact->contact_count);
    check_touching(scene, "cluster");
    double nearest = 10;
    for (int i = 0; i < impact->body_count; ++i)
        for (int j = 0; j < i; ++j) {
            const double *a = impact->bodies[i].position, *b = impact->bodies[j].position;
            nearest =
                fmin(nearest, sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                                   (a[2] - b[2]) * (a[2] - b[2])));
        }
    CHECK_MOST(1 - nearest, 1e-9, "no two overlap");
    CHECK(carom_scene_impact_problem(other)->bodies[5].position[0] != impact->bodies[5].position[0],
          "another seed, another cluster");
    carom_scene_impact_close(scene);
    carom_scene_impact_close(other);
}

static uint64_t hash_of(const carom_scene_impact *scene, carom_workspace *workspace)
{
    const carom_impact *impact = carom_scene_impact_problem(scene);
    carom_error err = { 0 };
    carom_impact_outcome out = { calloc((size_t)impact->body_count, sizeof *out.velocities),
                                 calloc((size_t)impact->body_count, sizeof *out.spins),
                                 calloc((size_t)impact->contact_count + 1, sizeof *out.impulses),
                                 { 0 } };
    CHECK(carom_impact_resolve(workspace, impact, carom_scene_impact_law(scene),
                               carom_scene_impact_options(scene), &out, &err) == CAROM_OK,
          "resolves: %s", err.what);
    free(out.velocities);
    free(out.spins);
    free(out.impulses);
    return out.report.hash;
}

static void check_round_trip(carom_workspace *workspace)
{
    static const char *const files[] = {
        "\"row\": {\"count\": 7, \"mass\": 49, \"radius\": 0.3}",
        "\"rack\": {\"rows\": 4, \"offset\": 0.1, \"restitution\": 0.7}",
        "\"ring\": {\"count\": 7}",
        "\"wedge\": {\"angle\": 33}",
        "\"cluster\": {\"count\": 25}, \"law\": \"sqm\", \"options\": {\"tolerance\": 1e-6}",
        "\"chain\": {\"masses\": [3, 7, 11], \"velocities\": [1, 0.1, -0.3], \"exponent\": 1.5}",
        "\"bodies\": [{\"name\": \"\\\"q\\\" \\u00e4\", \"mass\": 49, \"inertia\": [3, 5, 7], "
        "\"velocity\": [0, 0, -1], \"spin\": [1, 2, 3]}, {\"fixed\": true, \"velocity\": [0, 0, "
        "0.5]}], "
        "\"contacts\": [{\"a\": \"\\\"q\\\" \\u00e4\", \"b\": \"body1\", \"point\": [0.1, 0.2, 0], "
        "\"normal\": [0, 0, -1], \"friction\": 0.25, \"gap\": 0.5, \"stiffness\": 3}]",
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
        carom_error err = { 0 };
        carom_scene_impact *scene = parse(files[i]), *again = NULL;
        carom_json *json = carom_json_create();
        carom_scene_impact_write(scene, json);
        const char *text = carom_json_text(json);
        CHECK(carom_scene_impact_parse("again", text, strlen(text), &again, &err) == CAROM_OK,
              "%s: what was written is accepted: %s at %s", files[i], err.what, err.where);
        if (again) {
            CHECK(hash_of(scene, workspace) == hash_of(again, workspace),
                  "%s: the same bits come out", files[i]);
            CHECK_TEXT(carom_scene_impact_body_name(again, 0),
                       carom_scene_impact_body_name(scene, 0), "names survive");
            CHECK(carom_scene_impact_law(again) == carom_scene_impact_law(scene),
                  "so does the law");
            CHECK(memcmp(carom_scene_impact_options(again), carom_scene_impact_options(scene),
                         sizeof(carom_law_options)) == 0,
                  "and its options");
        }
        carom_json_destroy(json);
        carom_scene_impact_close(scene);
        carom_scene_impact_close(again);
    }
}

// A full inertia: written back it is the same to round-off.
static void check_inertia(void)
{
    carom_scene_impact *scene =
        parse("\"bodies\": [{\"mass\": 2, \"inertia\": [2, 3, 4, 0.5, -0.25, "
              "0.125]}]");
    const carom_impact_body *body = carom_scene_impact_problem(scene)->bodies;
    const double *s = body->inverse_inertia;
    // rows of (inertia times inverse) must be those of the unit matrix
    CHECK_NEAR(2 * s[0] + 0.5 * s[3] - 0.25 * s[4], 1, 1e-15, "the inverse is one");
    CHECK_NEAR(0.5 * s[0] + 3 * s[3] + 0.125 * s[4], 0, 1e-15, "the inverse is one");
    CHECK_NEAR(-0.25 * s[4] + 0.125 * s[5] + 4 * s[2], 1, 1e-15, "the inverse is one");
    carom_scene_impact *copy = NULL;
    carom_error err = { 0 };
    CHECK(carom_scene_impact_create(carom_scene_impact_problem(scene), NULL, NULL, &copy, &err) ==
              CAROM_OK,
          "%s", err.what);
    carom_json *json = carom_json_create();
    carom_scene_impact_write(copy, json);
    carom_scene_impact *again = NULL;
    CHECK(carom_scene_impact_parse("a", carom_json_text(json), strlen(carom_json_text(json)),
                                   &again, &err) == CAROM_OK,
          "%s", err.what);
    for (int i = 0; again && i < 6; ++i)
        CHECK_NEAR(carom_scene_impact_problem(again)->bodies[0].inverse_inertia[i], s[i], 1e-15,
                   "entry %d of a full inertia", i);
    carom_json_destroy(json);
    carom_scene_impact_close(again);
    carom_scene_impact_close(copy);
    carom_scene_impact_close(scene);
}

// What a file holds comes as fields, not as a sentence to be cut.
static void check_contents(void)
{
    carom_error err = { 0 };
    carom_scene_contents held = { 0 };
    carom_status status = carom_scene_check("scenes/impact/cradle.json", &held, &err);
    CHECK(status == CAROM_OK, "the cradle is sound: %s", err.what);
    CHECK(held.kind == CAROM_SCENE_KIND_IMPACT, "its kind");
    CHECK_TEXT(carom_scene_kind_name(held.kind), "impact", "and its name");
    CHECK_TEXT(held.words, "5 bodies, 4 contacts, law qce", "what it holds");
}

int main(void)
{
    carom_workspace *workspace = carom_workspace_create();
    check_rack();
    check_ring();
    check_wedge();
    check_chain();
    check_cluster();
    check_round_trip(workspace);
    check_inertia();
    check_contents();
    carom_workspace_destroy(workspace);
    return check_report();
}
