// Watching a law at work changes nothing, and what is told ends where the law ends.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "carom/impact.h"
#include "carom/scene.h"
#include "support/check.h"

enum { MOST = 256 };

typedef struct ear {
    int contacts, told, last;
    bool rising;
    double impulse[MOST][3];
} ear;

static void hear(void *context, int sweep, const double (*impulses)[3])
{
    ear *e = context;
    e->rising = e->rising && sweep > e->last;
    e->last = sweep;
    ++e->told;
    memcpy(e->impulse, impulses, (size_t)e->contacts * sizeof *e->impulse);
}

static double velocities[MOST][3], spins[MOST][3], impulses[MOST][3];

static carom_status resolve(carom_workspace *workspace, const carom_impact *impact,
                            const carom_law *law, carom_impact_report *report)
{
    carom_error err = { 0 };
    carom_impact_outcome out = { velocities, spins, impulses, { 0 } };
    carom_status status = carom_impact_resolve(workspace, impact, law, NULL, &out, &err);
    *report = out.report;
    return status;
}

// Laws whose sweeps are all there is to them, on elastic contacts without friction.
static bool is_told_whole(const char *law)
{
    return strcmp(law, "qce") == 0 || strcmp(law, "gr") == 0 || strcmp(law, "sqm") == 0 ||
           strcmp(law, "fixed-point") == 0 || strcmp(law, "etm") == 0 ||
           strcmp(law, "springs") == 0;
}

static void watch(const char *scene, const carom_impact *impact, bool elastic, const carom_law *law)
{
    carom_workspace *workspace = carom_workspace_create();
    ear e = { .contacts = impact->contact_count, .rising = true };
    carom_impact_observer observer = { .context = &e, .after_sweep = hear };
    carom_impact_report alone, seen;
    const char *name = carom_law_name(law);
    CHECK(workspace, "a workspace");
    carom_workspace_set_threads(workspace, 2);
    carom_status first = resolve(workspace, impact, law, &alone);
    carom_workspace_set_observer(workspace, &observer);
    carom_status again = resolve(workspace, impact, law, &seen);
    CHECK(first == again, "%s by %s: watching changes no verdict", scene, name);
    CHECK(first != CAROM_OK || alone.hash == seen.hash, "%s by %s: nor a bit", scene, name);
    if (elastic && first == CAROM_OK && seen.end == CAROM_IMPACT_SETTLED && is_told_whole(name)) {
        CHECK(e.told > 0 && e.rising, "%s by %s: sweeps are told in order", scene, name);
        double off = 0, max = 0;
        for (int i = 0; i < impact->contact_count; ++i) {
            off = fmax(off, fabs(e.impulse[i][0] - impulses[i][0]));
            max = fmax(max, fabs(impulses[i][0]));
        }
        CHECK_MOST(off, 1e-12 * max, "%s by %s: the last told is the result (round-off)", scene,
                   name);
    }
    carom_workspace_set_observer(workspace, NULL);
    int told = e.told;
    resolve(workspace, impact, law, &seen);
    CHECK(e.told == told, "%s by %s: nobody is told when nobody watches", scene, name);
    carom_workspace_destroy(workspace);
}

enum { STEPS = 50 };

typedef struct steps {
    int count;
    double p[4 * STEPS], stored[4 * STEPS];
} steps;

static void hear_step(void *context, const double (*p)[3], double stored)
{
    steps *s = context;
    if (s->count < 4 * STEPS) {
        s->p[s->count] = p[0][0];
        s->stored[s->count++] = stored;
    }
}

static void hear_nothing(void *context, int sweep, const double (*p)[3])
{
    (void)context;
    (void)sweep;
    (void)p;
}

// Energy tracking tells its steps: a ball at 1 m/s on an equal one, impulses up to 1 N s, and
// what it has in store is what the balls have lost, p - p^2.
static void check_steps(void)
{
    carom_impact_body balls[2] = { carom_impact_body_default(), carom_impact_body_default() };
    carom_impact_contact contact = carom_impact_contact_default();
    carom_impact impact = { 2, 1, balls, &contact };
    carom_error err = { 0 };
    const carom_law *law = carom_law_find("etm", &err);
    carom_law_options options = carom_law_defaults(law);
    carom_workspace *workspace = carom_workspace_create();
    steps s = { 0 };
    carom_impact_observer observer = { &s, hear_nothing, hear_step };
    carom_impact_outcome out = { velocities, spins, impulses, { 0 } };
    balls[0].velocity[0] = 1;
    balls[1].position[0] = 1;
    contact.point[0] = 0.5;
    CHECK(carom_law_set(law, &options, "lambda", "50", &err) == CAROM_OK, "%s", err.what);
    carom_workspace_set_observer(workspace, &observer);
    CHECK(carom_impact_resolve(workspace, &impact, law, &options, &out, &err) == CAROM_OK, "%s",
          err.what);
    carom_workspace_destroy(workspace);
    // round-off may add a step to either stage
    CHECK(s.count >= 2 * STEPS && s.count <= 2 * STEPS + 2, "%d steps told", s.count);
    double off = 0;
    for (int k = 0; k < s.count; ++k) {
        off = fmax(off, fabs(s.stored[k] - (s.p[k] - s.p[k] * s.p[k])));
        CHECK(k == 0 || s.p[k] > s.p[k - 1], "impulses only grow");
    }
    CHECK_MOST(off, 1e-14, "energy in store, against the balls' loss");
    CHECK_NEAR(s.p[0], 0.5 / STEPS, 1e-15, "the first step");
    CHECK_NEAR(s.p[s.count - 1], 1, 1e-14, "the last");
}

int main(void)
{
    check_steps();
    static const char *const scenes[] = { "cradle",    "pool-break",      "three-balls",
                                          "box-floor", "sphere-friction", "chain-unequal" };
    for (size_t s = 0; s < sizeof scenes / sizeof *scenes; ++s) {
        char path[512];
        carom_error err = { 0 };
        carom_scene_impact *scene = NULL;
        snprintf(path, sizeof path, CAROM_SOURCE_DIR "/scenes/impact/%s.json", scenes[s]);
        carom_status status = carom_scene_impact_open(path, &scene, &err);
        CHECK(status == CAROM_OK, "%s: %s", path, err.what);
        if (status != CAROM_OK)
            continue;
        const carom_impact *impact = carom_scene_impact_problem(scene);
        CHECK(impact->body_count <= MOST && impact->contact_count <= MOST, "%s fits", path);
        bool elastic = true;
        for (int i = 0; i < impact->contact_count; ++i)
            elastic = elastic && impact->contacts[i].restitution == 1 &&
                      impact->contacts[i].friction == 0;
        for (int i = 0; i < carom_law_count(); ++i)
            watch(scenes[s], impact, elastic, carom_law_at(i));
        carom_scene_impact_close(scene);
    }
    return check_report();
}
