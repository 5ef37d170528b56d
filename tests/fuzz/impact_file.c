// Fuzz target: the reader of problem files. For any bytes it must come back, a refusal must say
// what, where and how to fix it, and a problem that is accepted must survive being written and read
// again. A small one is resolved, by its own law and by another: a result of numbers, or a reason.
#include "scene/scene_impact.h"

#include <math.h>
#include <string.h>
#include "support/claim.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

enum { MOST = 10 };                  // bodies, and contacts
static const double MEGABYTES = 0.1; // so that generators stay quick

static carom_scene_impact *read(const char *text, size_t size, double megabytes, carom_error *err)
{
    carom_scene_impact *scene = NULL;
    carom_status status =
        carom_scene_impact_parse_within(megabytes, CLAIM_FILE, text, size, &scene, err);
    claim((status == CAROM_OK) == (scene != NULL), "a scene exactly on success", err);
    return scene;
}

static void check_round_trip(const carom_scene_impact *scene)
{
    carom_error err = { 0 };
    carom_json *json = carom_json_create();
    carom_scene_impact_write(scene, json);
    const char *text = carom_json_text(json);
    claim(text != NULL, "the problem can be written", &err);
    carom_scene_impact *again = read(text, strlen(text), 1000, &err);
    claim(again != NULL, "what was written is accepted", &err);
    const carom_impact *a = carom_scene_impact_problem(scene),
                       *b = carom_scene_impact_problem(again);
    claim(a->body_count == b->body_count && a->contact_count == b->contact_count,
          "as many bodies and contacts", &err);
    for (int i = 0; i < a->body_count; ++i) {
        claim(a->bodies[i].inverse_mass == b->bodies[i].inverse_mass, "the same mass", &err);
        claim(memcmp(a->bodies[i].velocity, b->bodies[i].velocity, 3 * sizeof(double)) == 0 ||
                  a->bodies[i].velocity[0] == b->bodies[i].velocity[0],
              "the same velocity", &err);
    }
    for (int i = 0; i < a->contact_count; ++i)
        claim(a->contacts[i].a == b->contacts[i].a && a->contacts[i].b == b->contacts[i].b &&
                  a->contacts[i].stiffness == b->contacts[i].stiffness,
              "the same contact", &err);
    carom_scene_impact_close(again);
    carom_json_destroy(json);
}

static void resolve(carom_workspace *workspace, const carom_impact *impact, const carom_law *law,
                    const carom_law_options *options)
{
    static double velocities[MOST][3], spins[MOST][3], impulses[MOST][3];
    carom_impact_outcome out = { velocities, spins, impulses, { 0 } };
    carom_error err = { 0 };
    if (carom_impact_resolve(workspace, impact, law, options, &out, &err) != CAROM_OK) {
        claim(*err.what, "a result, or a reason", &err);
        return;
    }
    claim(out.report.sweeps >= 0 && !isnan(out.report.energy_before), "a report of numbers", &err);
}

static void use(const carom_scene_impact *scene, size_t choice)
{
    const carom_impact *impact = carom_scene_impact_problem(scene);
    if (impact->body_count > MOST || impact->contact_count > MOST)
        return;
    carom_workspace *workspace = carom_workspace_create();
    if (!workspace)
        return;
    carom_workspace_set_progress(workspace, &claim_impatient);
    resolve(workspace, impact, carom_scene_impact_law(scene), carom_scene_impact_options(scene));
    resolve(workspace, impact, carom_law_at((int)(choice % (size_t)carom_law_count())), NULL);
    carom_workspace_destroy(workspace);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    carom_error err = { 0 };
    carom_scene_impact *scene = read((const char *)data, size, MEGABYTES, &err);
    if (scene) {
        check_round_trip(scene);
        use(scene, size);
        carom_scene_impact_close(scene);
        return 0;
    }
    claim(err.status == CAROM_BAD_INPUT, "the fault is the file's", &err);
    claim_refusal(&err, CLAIM_FILE);
    return 0;
}
