// From a scene to its world, and what happens to it at given times.
#include "scene/scene_servo.h"

#include <stdio.h>
#include "carom/world_change.h"

// Adds the place in the file to an error about entry `index` of a list.
static carom_status blame(const carom_scene_world *scene, const char *key, int index,
                          carom_error *err)
{
    carom_value root = carom_reader_root(scene->reader), list, item;
    if (carom_value_member(&root, key, &list) && carom_value_item(&list, (size_t)index, &item)) {
        carom_status status = err ? err->status : CAROM_BAD_INPUT;
        carom_value_place(&item, err);
        return status;
    }
    return err ? err->status : CAROM_BAD_INPUT;
}

static carom_status add_member(const carom_scene_world *scene, carom_world *world, int i,
                               carom_body *body, carom_error *err)
{
    const carom_scene_member *member = &scene->members[i];
    carom_body_id id;
    double force[3], torque[3];
    vec3_store(member->force, force);
    vec3_store(member->torque, torque);
    if (member->born >= 0)
        body->kind = CAROM_BODY_WAITING;
    TRY(carom_world_add_body(world, body, &id, err));
    if (vec3_dot(member->force, member->force) + vec3_dot(member->torque, member->torque) == 0)
        return CAROM_OK;
    return carom_world_set_force(world, id, force, torque, err);
}

static carom_status fill(const carom_scene_world *scene, carom_world *world, carom_error *err)
{
    for (int i = 1; i < scene->material_count; ++i) {
        carom_material material = scene->materials[i];
        material.name = scene->material_names[i];
        TRY(carom_world_add_material(world, &material, NULL, err));
    }
    for (int i = 0; i < scene->pair_count; ++i) {
        const struct carom_scene_pair *pair = &scene->pairs[i];
        if (carom_world_pair(world, pair->a, pair->b, pair->restitution, pair->friction, err) !=
            CAROM_OK)
            return blame(scene, "pairs", i, err);
        if (pair->rolling >= 0)
            TRY(carom_world_pair_rolling(world, pair->a, pair->b, pair->rolling, err));
        TRY(carom_world_pair_cohesion(world, pair->a, pair->b, pair->cohesion, pair->adhesion,
                                      err));
    }
    for (int i = 0; i < scene->member_count; ++i) {
        carom_body body = carom_scene_world_body(scene, i);
        char name[160];
        carom_scene_world_body_name(scene, i, name, sizeof name);
        body.name = name;
        int source = scene->members[i].source;
        if (add_member(scene, world, i, &body, err) != CAROM_OK)
            return blame(scene, source >= 0 ? "bodies" : "generators",
                         source >= 0 ? source : -1 - source, err);
    }
    for (int i = 0; i < scene->joint_count; ++i) {
        carom_joint joint = scene->joints[i].joint;
        joint.a = carom_world_body_at(world, scene->joints[i].a); // members have the slots
        joint.b = carom_world_body_at(world, scene->joints[i].b);
        if (carom_world_add_joint(world, &joint, NULL, err) != CAROM_OK)
            return blame(scene, "joints", i, err);
    }
    return CAROM_OK;
}

// Steps are counted exactly in a double.
static const double most_steps = 1e15;

static carom_status check_length(const carom_scene_world *scene, carom_error *err)
{
    double steps = scene->duration / scene->step;
    if (steps <= most_steps)
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT, "the run has %.3g steps, 1e15 at most", steps);
    carom_error_where(err, "step %g s, duration %g s", scene->step, scene->duration);
    return carom_error_fix(err, "use a larger step or a shorter duration");
}

carom_status carom_scene_world_build(const carom_scene_world *scene,
                                     const carom_world_options *options, carom_world **out,
                                     carom_error *err)
{
    return carom_scene_world_build_told(scene, options, NULL, out, err);
}

static carom_status move_apart(carom_world *world, const carom_progress *progress, carom_error *err)
{
    carom_world_set_progress(world, progress);
    carom_status status = carom_world_separate(world, err);
    carom_world_set_progress(world, NULL);
    return status;
}

carom_status carom_scene_world_build_told(const carom_scene_world *scene,
                                          const carom_world_options *options,
                                          const carom_progress *progress, carom_world **out,
                                          carom_error *err)
{
    NEED(err, scene, out);
    carom_world *world = NULL;
    *out = NULL;
    TRY(check_length(scene, err));
    TRY(carom_scene_world_bake(scene, NULL, progress, err));
    carom_status status = carom_world_create(options ? options : &scene->options, &world, err);
    if (status == CAROM_OK)
        status = fill(scene, world, err);
    if (status == CAROM_OK && scene->separate)
        status = move_apart(world, progress, err);
    if (status != CAROM_OK) {
        carom_world_destroy(world);
        return status;
    }
    *out = world;
    return CAROM_OK;
}

carom_status carom_scene_world_examine(const carom_scene_world *scene, carom_world *world,
                                       carom_error *err)
{
    NEED(err, world);
    carom_overlap worst;
    int count;
    char names[2][80];
    TRY(carom_world_overlaps(world, &worst, &count, err));
    if (count == 0)
        return CAROM_OK;
    carom_scene_world_body_name(scene, worst.a.slot, names[0], sizeof names[0]);
    carom_scene_world_body_name(scene, worst.b.slot, names[1], sizeof names[1]);
    int source = scene->members[worst.b.slot].source;
    if (count == 1)
        carom_error_set(err, CAROM_BAD_INPUT, "\"%s\" and \"%s\" overlap by %.3g m", names[0],
                        names[1], worst.depth);
    else
        carom_error_set(err, CAROM_BAD_INPUT, // of that many and more not all are looked at
                        "%s%d pairs of bodies overlap, \"%s\" and \"%s\" by %.3g m",
                        count >= 1000000 ? "at least " : "", count, names[0], names[1],
                        worst.depth);
    carom_error_fix(err, "move them apart, or let `carom run --separate` do so");
    return blame(scene, source >= 0 ? "bodies" : "generators", source >= 0 ? source : -1 - source,
                 err);
}

int64_t carom_scene_world_steps_until(double time, double step)
{
    double steps = fmin(time / step, 2 * most_steps), nearest = round(steps);
    return (int64_t)(fabs(steps - nearest) <= 1e-9 * fmax(1, steps) ? nearest : ceil(steps));
}

int64_t carom_scene_world_steps(const carom_scene_world *scene)
{
    if (!scene)
        return 0;
    return carom_scene_world_steps_until(scene->duration, scene->step);
}

int64_t carom_scene_world_first_change(const carom_scene_world *scene)
{
    if (!scene)
        return -1;
    return scene->change_count ? carom_scene_world_steps_until(scene->changes[0].at, scene->step)
                               : -1;
}

int carom_scene_world_change(const carom_scene_world *scene, carom_world *world, int64_t step)
{
    if (!scene)
        return 0;
    int count = 0;
    for (int i = 0; i < scene->change_count; ++i) {
        const carom_scene_change *change = &scene->changes[i];
        int64_t due = carom_scene_world_steps_until(change->at, scene->step);
        if (due > step)
            break;
        count += due == step;
        carom_body_id body = carom_world_body_at(world, change->body);
        if (change->kind == CAROM_SCENE_CHANGE_REMOVE && carom_world_has_body(world, body))
            carom_world_remove(world, body, NULL);
        if (change->kind == CAROM_SCENE_CHANGE_PUSH && due == step)
            carom_world_set_velocity(world, body, change->keeps_velocity ? NULL : change->velocity,
                                     change->keeps_spin ? NULL : change->spin, NULL);
        if (change->kind == CAROM_SCENE_CHANGE_AIM && due == step)
            carom_world_joint_aim(world, carom_world_joint_at(world, change->body), change->aim,
                                  NULL);
    }
    carom_scene_pour_enter(scene, world, step);
    carom_scene_servo_press(scene, world);
    return count;
}

int carom_scene_world_present(const carom_scene_world *scene, int body, double time)
{
    if (!scene || body < 0 || body >= carom_scene_world_body_count(scene))
        return 0;
    double gone = scene->members[body].gone;
    return isinf(gone) || (double)carom_scene_world_steps_until(gone, scene->step) * scene->step >
                              time + 0.5 * scene->step;
}
