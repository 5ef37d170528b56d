// Bodies and joints as things the tracer draws, and which of them to leave out.
#include "export/export_items.h"

#include "draw/tracer_hit.h"
#include "shape/shape.h"

enum { LOOKS = 400, ROUNDS = 6 };

static carom_tracer_item item_of(const carom_shape *shape, const carom_pose *pose)
{
    carom_tracer_item item = { .position = pose->position,
                               .rotation = pose->rotation,
                               .radius = shape->radius,
                               .half_length = shape->half_length,
                               .half = shape->half };
    switch (shape->kind) {
    case CAROM_SHAPE_SPHERE:
        item.kind = CAROM_TRACER_BALL;
        break;
    case CAROM_SHAPE_CAPSULE:
        item.kind = CAROM_TRACER_CAPSULE;
        break;
    case CAROM_SHAPE_CYLINDER:
        item.kind = CAROM_TRACER_CYLINDER;
        break;
    case CAROM_SHAPE_BOX:
        item.kind = CAROM_TRACER_BOX;
        break;
    case CAROM_SHAPE_PLANE:
        item.kind = CAROM_TRACER_PLANE;
        break;
    case CAROM_SHAPE_HULL:
    case CAROM_SHAPE_MESH:
    case CAROM_SHAPE_COMPOUND:
        item.kind = CAROM_TRACER_MESH;
        break;
    }
    return item;
}

// Compounds of round parts are drawn part by part: exact balls instead of triangles.
static bool by_parts(const carom_shape *shape)
{
    if (shape->kind != CAROM_SHAPE_COMPOUND)
        return false;
    for (int i = 0; i < shape->part_count; ++i)
        if (item_of(shape->parts[i].shape, &shape->parts[i].pose).kind == CAROM_TRACER_MESH)
            return false;
    return true;
}

int carom_export_items_body(const carom_recording *recording, const carom_frame *frame, int body,
                            carom_tracer_item *out)
{
    const carom_recording_form *form = &recording->forms[recording->form[body]];
    carom_recording_body state = carom_recording_state(recording, frame, body);
    carom_pose pose = carom_pose_make(state.position, state.rotation);
    if (carom_recording_gone(recording, frame, body) || !(vec3_length(state.position) < 1e30))
        return 0;
    if (!by_parts(form->shape)) {
        *out = item_of(form->shape, &pose);
        out->mesh = &form->mesh;
        out->body = body + 1; // 0: rods
        return 1;
    }
    for (int i = 0; i < form->shape->part_count; ++i) {
        carom_pose part = carom_pose_chain(&pose, &form->shape->parts[i].pose);
        out[i] = item_of(form->shape->parts[i].shape, &part);
        out[i].body = body + 1;
    }
    return form->shape->part_count;
}

int carom_export_items_max(const carom_recording *recording)
{
    int count = 0;
    for (int i = 0; i < recording->count; ++i) {
        const carom_shape *shape = recording->forms[recording->form[i]].shape;
        count += by_parts(shape) ? shape->part_count : 1;
    }
    return count;
}

// -- joints -------------------------------------------------------------------------------------

static vec3 joint_end(const carom_recording *recording, const carom_frame *frame, int body,
                      vec3 anchor)
{
    if (body < 0)
        return anchor;
    carom_recording_body state = carom_recording_state(recording, frame, body);
    return vec3_add(state.position, quat_rotate(state.rotation, anchor));
}

static bool rod(vec3 a, vec3 b, double radius, carom_tracer_item *out)
{
    vec3 along = vec3_sub(b, a), n = vec3_unit(along), t1, t2;
    double length = vec3_length(along);
    if (!(length > 2 * radius) || !(length < 1e30))
        return false;
    vec3_tangents(n, &t1, &t2);
    *out = (carom_tracer_item){
        .kind = CAROM_TRACER_CYLINDER,
        .position = vec3_scale(0.5, vec3_add(a, b)),
        .rotation = { { { t1.x, t2.x, n.x }, { t1.y, t2.y, n.y }, { t1.z, t2.z, n.z } } },
        .radius = radius,
        .half_length = 0.5 * length
    };
    return true;
}

// A string, rod or spring runs from anchor to anchor while it is whole; other joints are drawn as
// arms from a body's centre where the anchor lies outside the body (a pendulum).
int carom_export_items_joint(const carom_recording *recording, const carom_frame *frame,
                             const carom_world_joint *joint, double radius, carom_tracer_item *out)
{
    vec3 a = joint_end(recording, frame, joint->a, joint->anchor_a),
         b = joint_end(recording, frame, joint->b, joint->anchor_b);
    if (carom_joint_is_line(joint->kind)) {
        double span[2], length = vec3_length(vec3_sub(b, a));
        carom_joint_span(joint, span);
        return length >= span[0] && length <= span[1] && rod(a, b, radius, out);
    }
    int count = 0, body[2] = { joint->a, joint->b };
    for (int k = 0; k < 2; ++k) {
        if (body[k] < 0)
            continue;
        vec3 anchor = k ? b : a, centre = carom_recording_state(recording, frame, body[k]).position;
        double reach = carom_shape_radius(recording->forms[recording->form[body[k]]].shape);
        if (vec3_length(vec3_sub(anchor, centre)) > reach)
            count += rod(anchor, centre, radius, out + count);
    }
    return count;
}

// -- walls --------------------------------------------------------------------------------------

int carom_export_items_list(const carom_export_setup *setup, const carom_frame *frame,
                            carom_tracer_item *items, carom_export_origin *origins)
{
    const carom_recording *recording = setup->recording;
    int count = 0;
    for (int i = 0; i < recording->count; ++i) {
        int more = carom_export_items_body(recording, frame, i, items + count), kept = 0;
        for (int k = 0; k < more; ++k) {
            if (k < 64 && setup->hidden[i] >> k & 1)
                continue;
            items[count + kept] = items[count + k];
            origins[count + kept++] = (carom_export_origin){ i, k };
        }
        count += kept;
    }
    return count;
}

// One look from the camera at moving bodies.
static carom_status find_walls(carom_export_setup *setup, const carom_frame *frame, bool *found,
                               carom_error *err)
{
    carom_recording *recording = setup->recording;
    carom_tracer_item *items;
    carom_export_origin *origins;
    int max = carom_export_items_max(recording), looks = 0, *before;
    TAKE(recording->scratch, items, max + 1, err);
    TAKE(recording->scratch, origins, max + 1, err);
    TAKE_ZEROS(recording->scratch, before, max + 1, err);
    carom_tracer tracer = { .items = items,
                            .count = carom_export_items_list(setup, frame, items, origins) };
    carom_tracer_scene scene;
    TRY(carom_tracer_hit_prepare(&tracer, recording->scratch, &scene, err));
    int stride = tracer.count / LOOKS + 1;
    for (int i = 0; i < tracer.count; i += stride) {
        if (recording->kind[origins[i].body] != CAROM_BODY_MOVING)
            continue;
        vec3 way = vec3_sub(items[i].position, setup->camera.from);
        int first = carom_tracer_hit_first(&scene, setup->camera.from, way).item;
        ++looks;
        if (first >= 0 && recording->kind[origins[first].body] != CAROM_BODY_MOVING)
            ++before[first];
    }
    *found = false;
    for (int i = 0; i < tracer.count; ++i)
        if (12 * before[i] > looks && items[i].kind != CAROM_TRACER_PLANE && origins[i].part < 64) {
            setup->hidden[origins[i].body] |= UINT64_C(1) << origins[i].part;
            *found = true;
        }
    return CAROM_OK;
}

carom_status carom_export_items_hide(carom_export_setup *setup, carom_error *err)
{
    carom_recording *recording = setup->recording;
    int64_t frames = carom_recording_frame_count(recording);
    TAKE_ZEROS(recording->arena, setup->hidden, recording->count + 1, err);
    for (int k = 0; k < 3 && !setup->view.walls; ++k) {
        carom_frame frame;
        bool found = true;
        TRY(carom_recording_frame(recording, k * (frames - 1) / 2, &frame, err));
        for (int round = 0; round < ROUNDS && found; ++round) {
            carom_arena_mark mark = carom_arena_mark_here(recording->scratch);
            TRY(find_walls(setup, &frame, &found, err));
            carom_arena_rewind(recording->scratch, mark);
        }
    }
    return CAROM_OK;
}
