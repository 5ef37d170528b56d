// Joints of world scenes, and what changes while a run goes on.
#include "scene/scene_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "math/constants.h"

// -- joints -------------------------------------------------------------------------------------

typedef struct joint_values {
    int kind, motor;
    const char *name, *a, *b;
    double anchor[3], anchor_b[3], axis[3], length, restitution, lower, upper, stiffness, damping;
    double speed, target, force, break_force, break_torque;
} joint_values;

static const carom_field joint_fields[] = {
    { "kind", CAROM_FIELD_CHOICE, offsetof(joint_values, kind),
      .words = "ball hinge fixed string slider rod spring", .required = true,
      .doc = "ball: the anchors stay together; hinge: and only one axis is free to turn about; "
             "fixed: and none is; string: the anchors are at most `length` apart; slider: the "
             "bodies move against each other along one axis only; rod: the anchors are `length` "
             "apart; spring: a spring and a damper between the anchors" },
    { "name", CAROM_FIELD_TEXT, offsetof(joint_values, name), .shown = "none",
      .doc =
          "what `changes` and `--set` call it, for programs that look for it, and for messages" },
    { "a", CAROM_FIELD_TEXT, offsetof(joint_values, a), .required = true, .doc = "a body" },
    { "b", CAROM_FIELD_TEXT, offsetof(joint_values, b), .words = "world",
      .doc = "another body, or \"world\"" },
    { "anchor", CAROM_FIELD_VEC3, offsetof(joint_values, anchor), .range = { .unit = "m" },
      .shown = "a's centre of mass", .doc = "world coordinates at the start" },
    { "anchor_b", CAROM_FIELD_VEC3, offsetof(joint_values, anchor_b), .range = { .unit = "m" },
      .shown = "the anchor",
      .doc = "other end of a string, rod or spring, world coordinates at the start" },
    { "axis", CAROM_FIELD_VEC3, offsetof(joint_values, axis), .shown = "[0, 0, 1]",
      .doc = "of a hinge or slider, world frame at the start" },
    { "length", CAROM_FIELD_NUMBER, offsetof(joint_values, length),
      .range = { .min = 0, .max = 1e60, .unit = "m" }, .shown = "the distance at the start",
      .doc = "of a string or rod, and of a spring without load" },
    { "restitution", CAROM_FIELD_NUMBER, offsetof(joint_values, restitution),
      .range = { .min = 0, .max = 1 },
      .doc = "of a string that was slack and becomes taut, and of stops: the share of the speed "
             "that comes back; 0: it stops what meets it" },
    { "lower", CAROM_FIELD_NUMBER, offsetof(joint_values, lower), .shown = "no stop",
      .range = { .min = -1e60, .max = 0, .unit = "degrees or m" },
      .doc = "stop of a hinge (above -180 degrees) or slider: how far a may go against b from "
             "where it starts, backwards" },
    { "upper", CAROM_FIELD_NUMBER, offsetof(joint_values, upper), .shown = "no stop",
      .range = { .min = 0, .max = 1e60, .unit = "degrees or m" },
      .doc = "the same forwards: the way that a right-handed screw turns about the axis, or along "
             "it" },
    { "stiffness", CAROM_FIELD_NUMBER, offsetof(joint_values, stiffness),
      .range = { .min = 0, .max = 1e60, .unit = "N/m, of a hinge N m/rad" },
      .doc = "of a spring, of the spring in a hinge or slider, or of a servo" },
    { "damping", CAROM_FIELD_NUMBER, offsetof(joint_values, damping),
      .range = { .min = 0, .max = 1e60, .unit = "N s/m, of a hinge N m s/rad" },
      .doc = "of the damper beside it" },
    { "motor", CAROM_FIELD_CHOICE, offsetof(joint_values, motor), .words = "none speed position",
      .doc = "of a hinge or slider; speed: keeps `speed` as far as `force` goes, at speed 0 a "
             "brake; position: a servo that goes to `target` by `stiffness` and `damping`" },
    { "speed", CAROM_FIELD_NUMBER, offsetof(joint_values, speed),
      .range = { .unit = "rad/s or m/s" }, .doc = "of a motor, a against b" },
    { "target", CAROM_FIELD_NUMBER, offsetof(joint_values, target),
      .range = { .unit = "degrees or m" },
      .doc = "where a servo, or the spring of a hinge or slider, goes; 0: where it starts" },
    { "force", CAROM_FIELD_NUMBER, offsetof(joint_values, force),
      .range = { .min = 0, .max = 1e60, .unit = "N, of a hinge N m" },
      .doc = "the most that a motor does; a servo with 0 has no bound" },
    { "break_force", CAROM_FIELD_NUMBER, offsetof(joint_values, break_force), .shown = "never",
      .range = { .min = 0, .max = 1e60, .above = true, .unit = "N" },
      .doc = "it breaks after a step in which it held more on average, impacts not counted" },
    { "break_torque", CAROM_FIELD_NUMBER, offsetof(joint_values, break_torque), .shown = "never",
      .range = { .min = 0, .max = 1e60, .above = true, .unit = "N m" }, .doc = "likewise" },
    { 0 },
};
const carom_field_table carom_scene_joint_table = {
    "joint",
    "Two bodies, or a body and the world, that stay together, with springs, stops and motors.",
    joint_fields
};

static bool has_two_ends(int kind)
{
    return kind == CAROM_JOINT_STRING || kind == CAROM_JOINT_ROD || kind == CAROM_JOINT_SPRING;
}

static carom_status read_ends(const carom_scene_world *scene, carom_value *item,
                              joint_values *given, carom_scene_joint *out, carom_error *err)
{
    carom_joint *joint = &out->joint;
    if (!carom_value_member(item, "anchor", NULL))
        memcpy(given->anchor, scene->members[out->a].body.position, sizeof given->anchor);
    memcpy(joint->anchor_a, given->anchor, sizeof given->anchor);
    bool other = carom_value_member(item, "anchor_b", NULL);
    if (other && !has_two_ends(given->kind))
        return carom_value_fail_key(item, "anchor_b", err, "leave it out",
                                    "only a string, rod or spring has two anchors");
    if (!other && has_two_ends(given->kind)) {
        const char *kind = given->kind == CAROM_JOINT_STRING ? "string"
                           : given->kind == CAROM_JOINT_ROD  ? "rod"
                                                             : "spring";
        char fix[80];
        snprintf(fix, sizeof fix, "add \"anchor_b\": the %s's other end", kind);
        return carom_value_fail(item, err, fix, "the %s has one end only", kind);
    }
    memcpy(joint->anchor_b, other ? given->anchor_b : given->anchor, sizeof given->anchor);
    if (!carom_value_member(item, "axis", NULL))
        given->axis[2] = 1;
    if (!(vec3_length(vec3_from(given->axis)) > 0))
        return carom_value_fail_key(item, "axis", err, "give a direction: [0, 0, 1]",
                                    "the axis has length 0");
    vec3_store(vec3_unit(vec3_from(given->axis)), joint->axis);
    return CAROM_OK;
}

static void read_stops(const carom_value *item, const joint_values *given, carom_joint *joint)
{
    double unit = given->kind == CAROM_JOINT_HINGE ? CAROM_RADIANS_PER_DEGREE : 1;
    bool lower = carom_value_member(item, "lower", NULL);
    bool upper = carom_value_member(item, "upper", NULL);
    joint->target = unit * given->target;
    if (!lower && !upper)
        return;
    joint->lower = lower ? unit * given->lower : -HUGE_VAL;
    joint->upper = upper ? unit * given->upper : HUGE_VAL;
}

static carom_status read_joint(carom_scene_world *scene, carom_value *item, carom_scene_joint *out,
                               carom_error *err)
{
    carom_joint *joint = &out->joint;
    joint_values given;
    carom_value a, b;
    TRY(carom_field_read(item, &carom_scene_joint_table, &given, err));
    *joint = (carom_joint){ .kind = (carom_joint_kind)given.kind,
                            .name = given.name,
                            .length = given.length,
                            .restitution = given.restitution,
                            .stiffness = given.stiffness,
                            .damping = given.damping,
                            .motor = (carom_motor)given.motor,
                            .speed = given.speed,
                            .force = given.force,
                            .break_force = given.break_force,
                            .break_torque = given.break_torque };
    out->b = -1;
    carom_value_member(item, "a", &a);
    TRY(carom_scene_body_find(scene, &a, &out->a, err));
    if (strcmp(given.b, "world") != 0) {
        carom_value_member(item, "b", &b);
        TRY(carom_scene_body_find(scene, &b, &out->b, err));
    }
    read_stops(item, &given, joint);
    return read_ends(scene, item, &given, out, err);
}

carom_status carom_scene_joint_read_all(carom_scene_world *scene, const carom_value *root,
                                        carom_error *err)
{
    carom_value list;
    if (!carom_value_member(root, "joints", &list))
        return CAROM_OK;
    size_t count = carom_value_count(&list);
    TAKE(carom_reader_memory(root->reader), scene->joints, count + 1, err);
    for (size_t i = 0; i < count; ++i) {
        carom_value item;
        carom_value_item(&list, i, &item);
        TRY(read_joint(scene, &item, &scene->joints[scene->joint_count], err));
        ++scene->joint_count;
    }
    return CAROM_OK;
}

int carom_scene_joint_find(const carom_scene_world *scene, const char *name)
{
    for (int j = 0; j < scene->joint_count; ++j) {
        const char *own = scene->joints[j].joint.name;
        if (own && strcmp(own, name) == 0)
            return j;
    }
    return -1;
}

// -- changes ------------------------------------------------------------------------------------

typedef struct change_values {
    double at, velocity[3], spin[3], amplitude[3], frequency, cycles, to;
    const char *push, *shake, *aim;
} change_values;

static const carom_field change_fields[] = {
    { "at", CAROM_FIELD_NUMBER, offsetof(change_values, at), .required = true,
      .range = { 0, 1e12, .unit = "s" }, .doc = "when; the first step from then on" },
    { "remove", CAROM_FIELD_OTHER, .words = "list of names",
      .schema = "{ \"type\": \"array\", \"items\": { \"type\": \"string\" } }",
      .doc = "bodies that are gone from then on; the name of a generator means all of its "
             "bodies" },
    { "push", CAROM_FIELD_TEXT, offsetof(change_values, push),
      .doc = "a moving body that gets a velocity, a spin or both" },
    { "velocity", CAROM_FIELD_VEC3, offsetof(change_values, velocity), .range = { .unit = "m/s" },
      .shown = "as it is", .doc = "of a push" },
    { "spin", CAROM_FIELD_VEC3, offsetof(change_values, spin), .range = { .unit = "rad/s" },
      .shown = "as it is", .doc = "of a push" },
    { "shake", CAROM_FIELD_TEXT, offsetof(change_values, shake),
      .doc = "a fixed or driven body that swings from then on" },
    { "amplitude", CAROM_FIELD_VEC3, offsetof(change_values, amplitude), .range = { .unit = "m" },
      .doc = "of a shake" },
    { "frequency", CAROM_FIELD_NUMBER, offsetof(change_values, frequency), .initial = 1,
      .range = { 0, 1e6, .above = true, .unit = "Hz" }, .doc = "of a shake" },
    { "cycles", CAROM_FIELD_NUMBER, offsetof(change_values, cycles), .initial = 1,
      .range = { 0, 1e12, .above = true }, .doc = "of a shake; it rests afterwards" },
    { "aim", CAROM_FIELD_TEXT, offsetof(change_values, aim),
      .doc = "a joint whose motor gets another speed, or whose servo or spring another target" },
    { "to", CAROM_FIELD_NUMBER, offsetof(change_values, to),
      .range = { .unit = "rad/s, m/s, degrees or m" }, .doc = "of an aim" },
    { 0 },
};
const carom_field_table carom_scene_change_table = {
    "change", "Something that happens at a given time: exactly one of remove, push, shake and aim.",
    change_fields
};

static carom_status add_change(carom_scene_world *scene, const carom_scene_change *change,
                               carom_error *err)
{
    size_t count = (size_t)scene->change_count;
    if ((count & (count - 1)) == 0) { // full at every power of two
        void *more = realloc(scene->changes, (count ? 2 * count : 1) * sizeof *scene->changes);
        if (!more)
            return carom_error_no_memory(err, "%zu changes", count);
        scene->changes = more;
    }
    // in the order of their times; those of one time in the order of the file
    for (; count > 0 && scene->changes[count - 1].at > change->at; --count)
        scene->changes[count] = scene->changes[count - 1];
    scene->changes[count] = *change;
    ++scene->change_count;
    if (change->kind == CAROM_SCENE_CHANGE_REMOVE) {
        carom_scene_member *member = &scene->members[change->body];
        member->gone = fmin(member->gone, change->at);
    }
    return CAROM_OK;
}

static carom_status read_remove(carom_scene_world *scene, const carom_value *list,
                                carom_scene_change change, carom_error *err)
{
    TRY(carom_value_array(list, err));
    for (size_t i = 0; i < carom_value_count(list); ++i) {
        carom_value item;
        const char *name;
        bool many = false;
        carom_value_item(list, i, &item);
        TRY(carom_value_text(&item, &name, err));
        for (int k = 0; k < scene->member_count; ++k) {
            if (scene->members[k].number < 0 || strcmp(scene->members[k].name, name) != 0)
                continue;
            many = true;
            change.body = k;
            TRY(add_change(scene, &change, err));
        }
        if (many)
            continue;
        TRY(carom_scene_body_find(scene, &item, &change.body, err));
        TRY(add_change(scene, &change, err));
    }
    return CAROM_OK;
}

static carom_status read_shake(carom_scene_world *scene, const carom_value *item,
                               const change_values *given, carom_error *err)
{
    carom_value name;
    int index;
    carom_value_member(item, "shake", &name);
    TRY(carom_scene_body_find(scene, &name, &index, err));
    carom_body *body = &scene->members[index].body;
    if (body->kind == CAROM_BODY_MOVING)
        return carom_value_fail(&name, err, "make the body fixed or driven, or push it",
                                "a moving body cannot be shaken");
    if (body->drive.frequency > 0)
        return carom_value_fail(&name, err, "keep one of the two",
                                "the body has a drive or another shake already");
    body->kind = CAROM_BODY_DRIVEN;
    body->drive =
        (carom_drive){ .frequency = given->frequency, .start = given->at, .cycles = given->cycles };
    memcpy(body->drive.amplitude, given->amplitude, sizeof body->drive.amplitude);
    return CAROM_OK;
}

static carom_status read_push(carom_scene_world *scene, const carom_value *item,
                              const change_values *given, carom_scene_change change,
                              carom_error *err)
{
    carom_value name;
    carom_value_member(item, "push", &name);
    TRY(carom_scene_body_find(scene, &name, &change.body, err));
    if (scene->members[change.body].body.kind != CAROM_BODY_MOVING)
        return carom_value_fail(&name, err, "push a moving body; shake a fixed or driven one",
                                "the body does not obey forces");
    change.kind = CAROM_SCENE_CHANGE_PUSH;
    change.keeps_velocity = !carom_value_member(item, "velocity", NULL);
    change.keeps_spin = !carom_value_member(item, "spin", NULL);
    memcpy(change.velocity, given->velocity, sizeof change.velocity);
    memcpy(change.spin, given->spin, sizeof change.spin);
    return add_change(scene, &change, err);
}

static carom_status read_aim(carom_scene_world *scene, const carom_value *item,
                             const change_values *given, carom_scene_change change,
                             carom_error *err)
{
    carom_value name;
    int j = carom_scene_joint_find(scene, given->aim);
    carom_value_member(item, "aim", &name);
    if (j < 0)
        return carom_value_fail(&name, err, "use the \"name\" of one of the joints",
                                "there is no joint \"%.40s\"", given->aim);
    const carom_joint *joint = &scene->joints[j].joint;
    bool speed = joint->motor == CAROM_MOTOR_SPEED, hinge = joint->kind == CAROM_JOINT_HINGE;
    if (joint->kind == CAROM_JOINT_SPRING || (!speed && !(joint->stiffness > 0)))
        return carom_value_fail(&name, err, "give the hinge or slider a motor or a stiffness",
                                "the joint has nothing that could be aimed");
    change.kind = CAROM_SCENE_CHANGE_AIM;
    change.body = j;
    change.aim = given->to * (hinge && !speed ? CAROM_RADIANS_PER_DEGREE : 1);
    return add_change(scene, &change, err);
}

carom_status carom_scene_change_read_all(carom_scene_world *scene, const carom_value *root,
                                         carom_error *err)
{
    carom_value list;
    if (!carom_value_member(root, "changes", &list))
        return CAROM_OK;
    for (size_t i = 0; i < carom_value_count(&list); ++i) {
        carom_value item, names;
        change_values given;
        carom_value_item(&list, i, &item);
        TRY(carom_field_read(&item, &carom_scene_change_table, &given, err));
        bool remove = carom_value_member(&item, "remove", &names);
        if (remove + (given.push != NULL) + (given.shake != NULL) + (given.aim != NULL) != 1)
            return carom_value_fail(&item, err, "write exactly one of remove, push, shake and aim",
                                    "what changes is not clear");
        carom_scene_change change = { .kind = CAROM_SCENE_CHANGE_REMOVE,
                                      .at = given.at,
                                      .entry = (int)i };
        if (remove)
            TRY(read_remove(scene, &names, change, err));
        else if (given.push)
            TRY(read_push(scene, &item, &given, change, err));
        else if (given.aim)
            TRY(read_aim(scene, &item, &given, change, err));
        else
            TRY(read_shake(scene, &item, &given, err));
    }
    return CAROM_OK;
}
