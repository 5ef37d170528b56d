// Fuzz target: the reader of problem files. For any bytes it must come back, a refusal must say
// what, where and how to fix it, and a problem that is accepted must survive being written and read
// again.
#include "scene/scene_impact.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static const double MEGABYTES = 0.1; // so that generators stay quick

static void demand(int truth, const char *claim, const carom_error *err)
{
    if (truth)
        return;
    fprintf(stderr, "broken claim: %s\n  what: %s\n  where: %s\n  fix: %s\n", claim, err->what,
            err->where, err->fix);
    abort();
}

// "file:LINE:COLUMN" in front.
static int has_place(const char *where)
{
    int line = 0, column = 0;
    return sscanf(where, "file:%d:%d", &line, &column) == 2 && line > 0 && column > 0;
}

static carom_scene_impact *read(const char *text, size_t size, double megabytes, carom_error *err)
{
    carom_scene_impact *scene = NULL;
    carom_status status =
        carom_scene_impact_parse_within(megabytes, "file", text, size, &scene, err);
    demand((status == CAROM_OK) == (scene != NULL), "a scene exactly on success", err);
    return scene;
}

static void check_round_trip(const carom_scene_impact *scene)
{
    carom_error err = { 0 };
    carom_json *json = carom_json_create();
    carom_scene_impact_write(scene, json);
    const char *text = carom_json_text(json);
    demand(text != NULL, "the problem can be written", &err);
    carom_scene_impact *again = read(text, strlen(text), 1000, &err);
    demand(again != NULL, "what was written is accepted", &err);
    const carom_impact *a = carom_scene_impact_problem(scene),
                       *b = carom_scene_impact_problem(again);
    demand(a->body_count == b->body_count && a->contact_count == b->contact_count,
           "as many bodies and contacts", &err);
    for (int i = 0; i < a->body_count; ++i) {
        demand(a->bodies[i].inverse_mass == b->bodies[i].inverse_mass, "the same mass", &err);
        demand(memcmp(a->bodies[i].velocity, b->bodies[i].velocity, 3 * sizeof(double)) == 0 ||
                   a->bodies[i].velocity[0] == b->bodies[i].velocity[0],
               "the same velocity", &err);
    }
    for (int i = 0; i < a->contact_count; ++i)
        demand(a->contacts[i].a == b->contacts[i].a && a->contacts[i].b == b->contacts[i].b &&
                   a->contacts[i].stiffness == b->contacts[i].stiffness,
               "the same contact", &err);
    carom_scene_impact_close(again);
    carom_json_destroy(json);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    carom_error err = { 0 };
    carom_scene_impact *scene = read((const char *)data, size, MEGABYTES, &err);
    if (scene) {
        check_round_trip(scene);
        carom_scene_impact_close(scene);
        return 0;
    }
    demand(err.status == CAROM_BAD_INPUT, "the fault is the file's", &err);
    demand(*err.what && *err.fix, "what and fix are given", &err);
    demand(has_place(err.where), "line and column are given", &err);
    return 0;
}
