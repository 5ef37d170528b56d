// When a run ends before its duration: bodies at rest, little energy, impacts counted, a joint
// broken.
#include "scene/scene_world.h"

#include <stdio.h>
#include "base/text.h"

static const carom_field stop_fields[] = {
    { "speed", CAROM_FIELD_NUMBER, offsetof(carom_scene_stop, speed), .shown = "not asked",
      .range = { 0, 1e60, .above = true, .unit = "m/s" },
      .doc = "at rest: no point of a moving body is faster" },
    { "kinetic", CAROM_FIELD_NUMBER, offsetof(carom_scene_stop, kinetic), .shown = "not asked",
      .range = { 0, 1e60, .above = true, .unit = "J" }, .doc = "kinetic energy of all is below" },
    { "impacts", CAROM_FIELD_INT64, offsetof(carom_scene_stop, impacts), .shown = "not asked",
      .range = { .min = 0, .max = 1e15 }, .doc = "there were this many instants of impact" },
    { "broken", CAROM_FIELD_TEXT, offsetof(carom_scene_stop, broken), .shown = "not asked",
      .doc = "this joint has broken" },
    { "after", CAROM_FIELD_NUMBER, offsetof(carom_scene_stop, after),
      .range = { 0, 1e12, .unit = "s" },
      .doc = "not looked at before this time; a body thrown up is at rest for a moment, too" },
    { 0 },
};
const carom_field_table carom_scene_world_stop_table = {
    "stop", "The run ends with the first step after which one of these holds.", stop_fields
};

carom_status carom_scene_world_stop_read(carom_scene_world *scene, const carom_value *root,
                                         carom_error *err)
{
    carom_value item, name;
    scene->stop = (carom_scene_stop){ .joint = -1 };
    if (!carom_value_member(root, "stop", &item))
        return CAROM_OK;
    TRY(carom_field_read(&item, &carom_scene_world_stop_table, &scene->stop, err));
    scene->stop.joint = -1;
    if (!scene->stop.broken)
        return CAROM_OK;
    scene->stop.joint = carom_scene_joint_find(scene, scene->stop.broken);
    carom_value_member(&item, "broken", &name);
    return scene->stop.joint >= 0
               ? CAROM_OK
               : carom_value_fail(&name, err, "use the \"name\" of one of the joints",
                                  "there is no joint \"%.40s\"", scene->stop.broken);
}

static bool at_rest(const carom_world *world, double speed)
{
    for (int i = 0; i < carom_world_body_count(world); ++i) {
        double v[3], w[3];
        carom_body_id body = carom_world_body_at(world, i);
        if (carom_world_kind(world, body) != CAROM_BODY_MOVING)
            continue;
        carom_world_body(world, body, NULL, NULL, v, w);
        double turning =
            vec3_length(vec3_from(w)) * carom_shape_radius(carom_world_shape(world, body));
        if (vec3_length(vec3_from(v)) + turning > speed)
            return false;
    }
    return true;
}

int carom_scene_world_stop_reached(const carom_scene_world *scene, const carom_world *world,
                                   char *why, size_t size)
{
    if (!scene || !world)
        return 0;
    const carom_scene_stop *stop = &scene->stop;
    carom_ledger ledger = carom_world_ledger(world);
    carom_joint_state joint = { 0 };
    char words[120] = "";
    if (ledger.steps == 0 || ledger.time < stop->after)
        return 0;
    if (stop->joint >= 0)
        carom_world_joint_state(world, carom_world_joint_at(world, stop->joint), &joint, NULL);
    if (joint.broken)
        snprintf(words, sizeof words, "joint \"%.60s\" has broken", stop->broken);
    else if (stop->impacts > 0 && ledger.impacts >= stop->impacts)
        snprintf(words, sizeof words, "%lld %s", (long long)ledger.impacts,
                 carom_text_noun(ledger.impacts, "impact", "impacts"));
    else if (stop->kinetic > 0 && ledger.kinetic < stop->kinetic)
        snprintf(words, sizeof words, "kinetic energy below %g J", stop->kinetic);
    else if (stop->speed > 0 && at_rest(world, stop->speed))
        snprintf(words, sizeof words, "nothing faster than %g m/s", stop->speed);
    if (why && size)
        snprintf(why, size, "%s", words);
    return words[0] != 0;
}
