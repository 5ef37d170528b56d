// Sets of outcomes against closed forms: a ball between two, a rod that falls flat, friction and
// restitution within their spread; and the same bits with any number of threads.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "carom/outcomes.h"
#include "support/check.h"
#include "support/wedge.h"

static carom_scene_impact *parse(const char *text)
{
    carom_error err = { 0 };
    carom_scene_impact *scene = NULL;
    CHECK(carom_scene_impact_parse("test", text, strlen(text), &scene, &err) == CAROM_OK,
          "the problem is read (%s)", err.what);
    return scene;
}

static carom_outcomes *sample(const carom_scene_impact *scene, unsigned vary, int64_t samples,
                              int threads)
{
    carom_error err = { 0 };
    carom_outcomes *out = NULL;
    carom_outcomes_options options = carom_outcomes_options_default();
    options.vary = vary;
    options.samples = samples;
    options.threads = threads;
    CHECK(carom_outcomes_sample(scene, &options, &out, &err) == CAROM_OK, "it is sampled (%s)",
          err.what);
    return out;
}

static void two_orders(unsigned vary)
{
    const int64_t n = 16384;
    carom_scene_impact *scene = parse(wedge_scene);
    carom_outcomes *out = scene ? sample(scene, vary, n, 1) : NULL;
    if (!out) {
        carom_scene_impact_close(scene);
        return;
    }
    const carom_outcomes_body *cue = &out->bodies[0];
    double side = sqrt(3) / 8, error = 4 / sqrt((double)n); // four deviations of a mean
    CHECK(out->samples == n && out->unfinished == 0, "all come to an end");
    CHECK_NEAR(cue->velocity[0].min, -0.125, 1e-12, "the cue's vx");
    CHECK_NEAR(cue->velocity[0].max, -0.125, 1e-12, "is the same in both orders");
    CHECK_NEAR(cue->velocity[1].min, -side, 1e-12, "left first: to the right");
    CHECK_NEAR(cue->velocity[1].max, side, 1e-12, "right first: to the left");
    CHECK_NEAR(cue->velocity[1].mean, 0, side * error, "one as often as the other");
    CHECK_NEAR(cue->velocity[1].deviation, side, side * error, "and nothing in between");
    CHECK(cue->hull_count == 2, "the hull has two corners (%d)", cue->hull_count);
    CHECK_NEAR(out->energy.min, 1, 1e-12, "no energy is lost");
    CHECK_NEAR(out->energy.max, 1, 1e-12, "and none is made");
    CHECK(out->pattern_count == 2, "two ways to move (%d)", out->pattern_count);
    CHECK_NEAR(out->patterns[0].probability, 0.5, 0.5 * error, "each half as probable");
    carom_outcomes_destroy(out);
    carom_scene_impact_close(scene);
}

// A rod of half length a = 1 falls flat on both ends, inelastic and smooth. With k^2 = 3 a^2 an end
// answers with W11 = 4/3, the other with W12 = 2/3: the first end stops, the other is left with
// -1/2, stops, and throws the first up with 1/4: v = 1/8, spin = -+1/8. With k^2 = a^2 / 3
// (uniform) W12 = -2: ends strike in turn and all comes to rest.
static void flat_rod(double inertia, unsigned vary, double rise)
{
    char text[1024];
    snprintf(text, sizeof text,
             "{\"carom\": 1, \"kind\": \"impact\", \"bodies\": ["
             "{\"name\": \"rod\", \"mass\": 1, \"inertia\": [%.17g, %.17g, %.17g],"
             " \"velocity\": [0, 0, -1]}, {\"name\": \"floor\", \"fixed\": true}],"
             "\"contacts\": ["
             "{\"a\": \"floor\", \"b\": \"rod\", \"point\": [-1, 0, 0], \"normal\": [0, 0, 1],"
             " \"restitution\": 0},"
             "{\"a\": \"floor\", \"b\": \"rod\", \"point\": [1, 0, 0], \"normal\": [0, 0, 1],"
             " \"restitution\": 0}], \"law\": \"newton\"}",
             inertia, inertia, inertia);
    carom_scene_impact *scene = parse(text);
    carom_outcomes *out = scene ? sample(scene, vary, 4096, 1) : NULL;
    if (!out) {
        carom_scene_impact_close(scene);
        return;
    }
    const carom_outcomes_body *rod = &out->bodies[0];
    const double slow = 1e-8; // an approach below 1e-9 of the fastest is none; the sum of some
    CHECK(out->unfinished == 0, "all come to an end (%lld do not)", (long long)out->unfinished);
    CHECK_MOST(rod->velocity[2].max, rise + slow, "the rod rises by W12 / W11 at most");
    CHECK_MOST(fmax(-rod->spin[1].min, rod->spin[1].max), rise + slow, "and turns likewise");
    if (vary & CAROM_OUTCOMES_SHARE) { // both at once: less
        CHECK_MOST(-rod->velocity[2].min, slow, "it does not go through the floor");
        CHECK_MOST(out->energy.max, 1, "inelastic shares make no energy");
    } else {
        CHECK_NEAR(rod->velocity[2].min, rise, slow, "by that in either order");
        CHECK_NEAR(rod->spin[1].max, rise, slow, "turning one way");
        CHECK_NEAR(rod->spin[1].min, -rise, slow, "or the other");
    }
    carom_outcomes_destroy(out);
    carom_scene_impact_close(scene);
}

// A sphere slides over a floor at 10 m/s and falls with 1 m/s: it is thrown back with e and slowed
// by mu (1 + e), both uniform within a fifth of their values, 0.5 and 0.1: deviations are a fifth
// over sqrt(3).
static void spread(void)
{
    static const char text[] =
        "{\"carom\": 1, \"kind\": \"impact\", \"bodies\": ["
        "{\"name\": \"ball\", \"mass\": 1, \"inertia\": [0.4, 0.4, 0.4], \"position\": [0, 0, 1],"
        " \"velocity\": [10, 0, -1]}, {\"name\": \"floor\", \"fixed\": true}],"
        "\"contacts\": [{\"a\": \"floor\", \"b\": \"ball\", \"point\": [0, 0, 0],"
        " \"normal\": [0, 0, 1], \"restitution\": 0.5, \"friction\": 0.1}], \"law\": \"newton\"}";
    const int64_t n = 65536;
    const double fifth = 0.2 / sqrt(3), error = 5 / sqrt((double)n);
    carom_scene_impact *scene = parse(text);
    carom_outcomes *friction = scene ? sample(scene, CAROM_OUTCOMES_FRICTION, n, 2) : NULL;
    carom_outcomes *both =
        scene ? sample(scene, CAROM_OUTCOMES_FRICTION | CAROM_OUTCOMES_RESTITUTION, n, 2) : NULL;
    if (friction && both) {
        const carom_outcomes_spread *vx = friction->bodies[0].velocity, *vz = vx + 2;
        CHECK_NEAR(vz->min, 0.5, 1e-12, "restitution stays");
        CHECK_NEAR(vx->mean, 10 - 0.15, 0.15 * fifth * error, "mean of the slowed");
        CHECK_NEAR(vx->deviation, 0.15 * fifth, 0.15 * fifth * error, "its deviation");
        CHECK_NEAR(vx->min, 10 - 0.18, 1e-4, "most friction"); // extremes of many
        CHECK_NEAR(vx->max, 10 - 0.12, 1e-4, "least friction");
        vz = &both->bodies[0].velocity[2];
        CHECK_NEAR(vz->mean, 0.5, 0.5 * fifth * error, "mean of the bounce");
        CHECK_NEAR(vz->deviation, 0.5 * fifth, 0.5 * fifth * error, "its deviation");
    }
    carom_outcomes_destroy(friction);
    carom_outcomes_destroy(both);
    carom_scene_impact_close(scene);
}

static void same_bits(unsigned vary)
{
    carom_scene_impact *scene = parse(wedge_scene);
    carom_json *json[2] = { carom_json_create(), carom_json_create() };
    for (int k = 0; k < 2 && scene; ++k) {
        carom_outcomes *out = sample(scene, vary, 20000, k ? 3 : 1);
        carom_json_object(json[k], NULL);
        carom_outcomes_json(out, scene, json[k]);
        carom_json_end(json[k]);
        carom_outcomes_destroy(out);
    }
    CHECK_TEXT(carom_json_text(json[0]), carom_json_text(json[1]), "three threads, the same bits");
    carom_json_destroy(json[0]);
    carom_json_destroy(json[1]);
    carom_scene_impact_close(scene);
}

// Each order of the wedge takes two contacts one after the other, and a look that finds no third:
// with work for fewer than three per sample all samples are cut off, with work for three none is.
static void bounded_work(void)
{
    carom_error err = { 0 };
    carom_scene_impact *scene = parse(wedge_scene);
    carom_outcomes_options options = carom_outcomes_options_default();
    options.samples = 64;
    for (int events = 1; events <= 3; ++events) {
        carom_outcomes *out = NULL;
        options.work_max = (double)(events * options.samples);
        CHECK(carom_outcomes_sample(scene, &options, &out, &err) == CAROM_OK, "%s", err.what);
        CHECK(out && out->unfinished == (events < 3 ? 64 : 0), "%d per sample: %lld are cut off",
              events, out ? (long long)out->unfinished : -1);
        carom_outcomes_destroy(out);
    }
    carom_scene_impact_close(scene);
}

static void refusals(void)
{
    carom_error err = { 0 };
    carom_outcomes *out = NULL;
    carom_outcomes_options options = carom_outcomes_options_default();
    carom_scene_impact *scene = parse(wedge_scene);
    options.vary = CAROM_OUTCOMES_ORDER | CAROM_OUTCOMES_SHARE;
    CHECK(carom_outcomes_sample(scene, &options, &out, &err) == CAROM_BAD_INPUT && !out,
          "order and share exclude each other");
    options.vary = 0;
    CHECK(carom_outcomes_sample(scene, &options, &out, &err) == CAROM_BAD_INPUT,
          "nothing to vary is refused");
    CHECK(carom_outcomes_find("gap") == CAROM_OUTCOMES_BIT_GAP && carom_outcomes_find("x") == -1,
          "words and bits");
    carom_scene_impact_close(scene);
}

int main(void)
{
    two_orders(CAROM_OUTCOMES_ORDER);
    two_orders(CAROM_OUTCOMES_GAP);
    flat_rod(3, CAROM_OUTCOMES_ORDER, 0.125);
    flat_rod(3, CAROM_OUTCOMES_GAP, 0.125);
    flat_rod(3, CAROM_OUTCOMES_SHARE, 0.125);
    flat_rod(1.0 / 3, CAROM_OUTCOMES_ORDER, 0);
    spread();
    same_bits(CAROM_OUTCOMES_ORDER);
    same_bits(CAROM_OUTCOMES_SHARE | CAROM_OUTCOMES_RESTITUTION);
    bounded_work();
    refusals();
    return check_report();
}
