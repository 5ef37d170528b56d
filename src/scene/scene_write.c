// Problems out again, in the listed form.
#include "scene/scene_impact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "math/vec.h"

carom_status carom_scene_impact_create(const carom_impact *impact, const carom_law *law,
                                       const carom_law_options *options, carom_scene_impact **out,
                                       carom_error *err)
{
    NEED(err, impact, out);
    TRY(carom_impact_check(impact, err));
    carom_scene_impact *scene = calloc(1, sizeof *scene);
    carom_status status = CAROM_OK;
    carom_value nowhere = { 0 };
    if (!scene || !(scene->title = strdup("problem")))
        status = carom_error_no_memory(err, "the problem");
    if (status == CAROM_OK) {
        scene->megabytes = HUGE_VAL;
        status = carom_scene_impact_reserve(scene, impact->body_count, impact->contact_count,
                                            &nowhere, err);
    }
    for (int i = 0; status == CAROM_OK && i < impact->body_count; ++i) {
        char name[24];
        snprintf(name, sizeof name, "body%d", i);
        status = carom_scene_impact_add_body(scene, &impact->bodies[i], &(carom_scene_look){ 0 },
                                             name, err);
    }
    if (status != CAROM_OK) {
        carom_scene_impact_close(scene);
        return status;
    }
    for (int i = 0; i < impact->contact_count; ++i)
        carom_scene_impact_add_contact(scene, &impact->contacts[i]);
    scene->law = law ? law : carom_law_default();
    scene->options = options ? *options : carom_law_defaults(scene->law);
    *out = scene;
    return CAROM_OK;
}

// The number whose reciprocal is exactly `inverse`, where there is one: division rounds, so it may
// be a neighbour of 1 / inverse.
static double reciprocal(double inverse)
{
    double near = 1 / inverse, down = nextafter(near, 0), up = nextafter(near, HUGE_VAL);
    if (1 / near == inverse)
        return near;
    if (1 / down == inverse)
        return down;
    return 1 / up == inverse ? up : near;
}

static void write_vector(carom_json *json, const char *key, const double v[3])
{
    if (v[0] != 0 || v[1] != 0 || v[2] != 0)
        carom_json_numbers(json, key, v, 3);
}

static void write_inertia(carom_json *json, const double s[6])
{
    if (s[0] == 0)
        return;
    double inertia[6] = { 0 };
    bool principal = s[3] == 0 && s[4] == 0 && s[5] == 0;
    if (principal) {
        for (int i = 0; i < 3; ++i)
            inertia[i] = reciprocal(s[i]);
    } else {
        sym3 full = sym3_inverse((sym3){ s[0], s[1], s[2], s[3], s[4], s[5] });
        memcpy(inertia, (double[6]){ full.xx, full.yy, full.zz, full.xy, full.xz, full.yz },
               sizeof inertia);
    }
    carom_json_numbers(json, "inertia", inertia, principal ? 3 : 6);
}

static void write_body(const carom_scene_impact *scene, int index, carom_json *json)
{
    const carom_impact_body *body = &scene->bodies[index];
    carom_scene_look look = scene->looks[index];
    carom_json_object(json, NULL);
    carom_json_string(json, "name", scene->names[index]);
    if (body->inverse_mass == 0)
        carom_json_bool(json, "fixed", 1);
    else
        carom_json_number(json, "mass", reciprocal(body->inverse_mass));
    write_inertia(json, body->inverse_inertia);
    write_vector(json, "position", body->position);
    write_vector(json, "velocity", body->velocity);
    write_vector(json, "spin", body->spin);
    if (look.radius > 0)
        carom_json_number(json, "radius", look.radius);
    write_vector(json, "size", look.size);
    carom_json_end(json);
}

static void write_contact(const carom_scene_impact *scene, const carom_impact_contact *contact,
                          carom_json *json)
{
    carom_json_object(json, NULL);
    carom_json_string(json, "a", scene->names[contact->a]);
    carom_json_string(json, "b", scene->names[contact->b]);
    carom_json_numbers(json, "point", contact->point, 3);
    carom_json_numbers(json, "normal", contact->normal, 3);
    carom_json_number(json, "restitution", contact->restitution);
    if (contact->friction != 0)
        carom_json_number(json, "friction", contact->friction);
    if (contact->tangential_restitution != 0)
        carom_json_number(json, "tangential_restitution", contact->tangential_restitution);
    if (contact->stiffness != 1)
        carom_json_number(json, "stiffness", contact->stiffness);
    if (contact->exponent != 1.5)
        carom_json_number(json, "exponent", contact->exponent);
    if (contact->gap != 0)
        carom_json_number(json, "gap", contact->gap);
    carom_json_end(json);
}

static void write_options(const carom_scene_impact *scene, carom_json *json)
{
    carom_json_object(json, "options");
    for (int i = 0; i < carom_law_option_count(scene->law); ++i) {
        const carom_option *option = carom_law_option(scene->law, i);
        double value = scene->options.value[i];
        if (value == option->initial)
            continue;
        if (option->kind != CAROM_OPTION_CHOICE) {
            carom_json_number(json, option->name, value);
            continue;
        }
        char word[64];
        carom_law_option_text(option, value, word, sizeof word);
        carom_json_string(json, option->name, word);
    }
    carom_json_end(json);
}

void carom_scene_impact_write(const carom_scene_impact *scene, carom_json *json)
{
    if (!scene)
        return;
    carom_json_object(json, NULL);
    carom_json_integer(json, "carom", 1);
    carom_json_string(json, "kind", "impact");
    if (scene->note)
        carom_json_string(json, "note", scene->note);
    carom_json_array(json, "bodies");
    for (int i = 0; i < scene->impact.body_count; ++i)
        write_body(scene, i, json);
    carom_json_end(json);
    carom_json_array(json, "contacts");
    for (int i = 0; i < scene->impact.contact_count; ++i)
        write_contact(scene, &scene->contacts[i], json);
    carom_json_end(json);
    carom_json_string(json, "law", carom_law_name(scene->law));
    write_options(scene, json);
    carom_json_end(json);
}
