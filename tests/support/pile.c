// Piles of ordinary bodies in a container; see pile.h.
#include "support/pile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "support/check.h"
#include "support/play.h"

#define BOX "{ \"name\": \"box\", \"material\": \"m\", \"shape\": { \"box\": [0.2, 0.2, 0.2] } }"
#define BRICK                                                                                      \
    "{ \"name\": \"brick\", \"material\": \"m\", \"shape\": { \"box\": [0.3, 0.2, 0.1] } }"
#define SPHERE "{ \"name\": \"sphere\", \"material\": \"m\", \"shape\": { \"sphere\": 0.1 } }"
#define CAPSULE                                                                                    \
    "{ \"name\": \"capsule\", \"material\": \"m\", "                                               \
    "\"shape\": { \"capsule\": { \"radius\": 0.07, \"length\": 0.14 } } }"
#define HULL                                                                                       \
    "{ \"name\": \"hull\", \"material\": \"m\", \"shape\": { \"hull\": [[0, 0, 0.12], "            \
    "[0.1, 0, -0.05], [-0.06, 0.09, -0.05], [-0.06, -0.09, -0.05], [0.05, 0.07, 0.06], "           \
    "[-0.08, -0.02, 0.05]] } }"

static const char *const kinds[][2] = {
    { "boxes", BOX },      { "bricks", BRICK },
    { "hulls", HULL },     { "capsules", CAPSULE },
    { "spheres", SPHERE }, { "mixed", BOX ", " BRICK ", " HULL ", " CAPSULE ", " SPHERE },
};

// The container is about as wide as the pile will be high; the bodies start above each other, a
// quarter of the room filled.
static play build(pile p)
{
    char text[4096];
    const char *bodies = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
        if (strcmp(kinds[i][0], p.kind) == 0)
            bodies = kinds[i][1];
    double wide = fmax(0.6, cbrt(p.count * 0.008 / 0.55)), high = p.count / 6.0 / (wide * wide);
    // a ball that nothing keeps from rolling swings in the trough between others for ever, and a
    // box that two corners hold turns about the line through them
    const double rolling = 1e-3;
    if (!CHECK(bodies != NULL, "there are %s", p.kind))
        return (play){ .broken = true };
    snprintf(text, sizeof text,
             "{ \"carom\": 1, \"kind\": \"world\", \"step\": %.17g, \"duration\": 60,"
             "  \"materials\": { \"m\": { \"restitution\": %g, \"friction\": %g,"
             "    \"rolling\": %g } },"
             "  \"bodies\": [ { \"name\": \"tub\", \"kind\": \"fixed\", \"material\": \"m\","
             "    \"shape\": { \"container\": { \"inside\": [%.3f, %.3f, %.3f],"
             "      \"thickness\": 0.3 } } } ],"
             "  \"generators\": [ { \"fill\": { \"count\": %d, \"seed\": 3,"
             "    \"from\": [%.3f, %.3f, 0.1], \"to\": [%.3f, %.3f, %.3f],"
             "    \"bodies\": [ %s ] } } ] }",
             p.step, p.restitution, p.friction, rolling, wide, wide, high + 1, p.count, -wide / 2,
             -wide / 2, wide / 2, wide / 2, high + 0.1, bodies);
    return play_parse(p.kind, text);
}

static double fastest(const play *p)
{
    double max = 0;
    for (int i = 1; i < carom_world_body_count(p->world); ++i)
        max = fmax(max, vec3_length(play_velocity(p, i)));
    return max;
}

// Steps for some time and says when a body last moved faster than 1 m/s: it had not landed.
static double watch(play *p, double duration, double *landed)
{
    double before = play_ledger(p).kinetic + play_ledger(p).potential, max = -HUGE_VAL;
    for (int64_t n = llround(duration / p->dt); n > 0 && play_steps(p, 1); --n) {
        carom_ledger now = play_ledger(p);
        max = fmax(max, now.kinetic + now.potential - before);
        before = now.kinetic + now.potential;
        if (fastest(p) > 1)
            *landed = now.time;
    }
    return max;
}

// What a step of the pile at rest costs, by counts.
static void check_cost(play *scene, pile p, const char *words)
{
    int64_t steps = llround(1 / p.step), cut = carom_world_profile(scene->world).intervals;
    double sweeps = 0;
    for (int64_t i = 0; i < steps && play_steps(scene, 1); ++i)
        sweeps += (double)play_ledger(scene).rest_sweeps;
    sweeps /= (double)steps;
    cut = carom_world_profile(scene->world).intervals - cut - steps;
    printf("%s: %.1f sweeps a step, residual %.1e, fastest %.1e m/s\n", words, sweeps,
           play_ledger(scene).rest_residual, fastest(scene));
    CHECK_MOST(sweeps, p.sweeps, "%s: sweeps a step", words);
    CHECK_MOST((double)cut, 0, "%s: cuts of steps", words);
    CHECK_MOST(fastest(scene), 1e-4, "%s: fastest body a second later (m/s)", words);
}

void pile_settles(pile p)
{
    char words[96];
    snprintf(words, sizeof words, "%d %s, 1/%.0f s, restitution %g, friction %g", p.count, p.kind,
             1 / p.step, p.restitution, p.friction);
    play scene = build(p);
    double landed = 0, max = -HUGE_VAL;
    play_build(&scene);
    double scale = play_ledger(&scene).start;
    while (!scene.broken && (double)scene.step * scene.dt < landed + 3 + 0.5 * scene.dt)
        max = fmax(max, watch(&scene, 0.25, &landed));
    carom_ledger ledger = play_ledger(&scene);
    printf("%s: landed at %.2f s, at %.2f s fastest %.1e m/s, overlap %.1e m\n", words, landed,
           ledger.time, fastest(&scene), ledger.overlap);
    CHECK_MOST(fastest(&scene), 1e-4, "%s: fastest body (m/s)", words);
    // the sums of energies have round-off; position correction gives back what rest has taken
    CHECK_MOST(max, 1e-6 * scale, "%s: energy gained in a step (J)", words);
    // a fiftieth of the smallest body's thickness
    CHECK_MOST(ledger.overlap, 2e-3, "%s: overlap at rest (m)", words);
    for (int i = 1; i < carom_world_body_count(scene.world) && !scene.broken; ++i)
        CHECK(play_position(&scene, i).z > 0, "%s: body %d is above the floor", words, i);
    if (p.sweeps > 0 && !scene.broken)
        check_cost(&scene, p, words);
    play_close(&scene);
}
