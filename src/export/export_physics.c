// Spheres and boxes have their centre of mass in the middle, as their nodes have. Other shapes
// would need nodes of their own and are left to their meshes.
#include "export/export_physics.h"

#include "shape/shape.h"

static bool is_implicit(const carom_recording *recording, int form)
{
    carom_shape_kind kind = recording->forms[form].shape->kind;
    return kind == CAROM_SHAPE_SPHERE || kind == CAROM_SHAPE_BOX;
}

bool carom_export_physics_any(const carom_recording *recording)
{
    for (int f = 0; f < recording->form_count; ++f)
        if (is_implicit(recording, f))
            return true;
    return false;
}

// The first body with the same surface.
static int surface_of(const carom_recording *recording, int body)
{
    int i = 0;
    while (i < body && (recording->restitution[i] != recording->restitution[body] ||
                        recording->friction[i] != recording->friction[body]))
        ++i;
    return i;
}

// Its number among all surfaces.
static int material_of(const carom_recording *recording, int body)
{
    int count = 0, first = surface_of(recording, body);
    for (int i = 0; i < first; ++i)
        count += surface_of(recording, i) == i;
    return count;
}

// Few scenes have more than a handful of surfaces among their first bodies.
static bool has_surfaces(const carom_recording *recording)
{
    return recording->restitution && recording->friction && recording->count <= 2000;
}

void carom_export_physics_document(const carom_recording *recording, carom_text *text)
{
    bool first = true;
    if (!carom_export_physics_any(recording))
        return;
    carom_text_add(text, ",\"KHR_implicit_shapes\":{\"shapes\":[");
    for (int f = 0; f < recording->form_count; ++f) {
        const carom_shape *shape = recording->forms[f].shape;
        if (!is_implicit(recording, f))
            continue;
        carom_text_add(text, first ? "" : ",\n");
        first = false;
        if (shape->kind == CAROM_SHAPE_SPHERE)
            carom_text_add(text, "{\"type\":\"sphere\",\"sphere\":{\"radius\":%.9g}}",
                           shape->radius);
        else
            carom_text_add(text, "{\"type\":\"box\",\"box\":{\"size\":[%.9g,%.9g,%.9g]}}",
                           2 * shape->half.x, 2 * shape->half.y, 2 * shape->half.z);
    }
    carom_text_add(text, "]},\"KHR_physics_rigid_bodies\":{");
    for (int i = 0; has_surfaces(recording) && i < recording->count; ++i)
        if (surface_of(recording, i) == i)
            carom_text_add(text,
                           "%s{\"staticFriction\":%.9g,\"dynamicFriction\":%.9g,"
                           "\"restitution\":%.9g}",
                           i ? ",\n" : "\"physicsMaterials\":[", recording->friction[i],
                           recording->friction[i], recording->restitution[i]);
    carom_text_add(text, has_surfaces(recording) && recording->count ? "]}" : "}");
}

static void add_motion(const carom_recording *recording, const carom_frame *frame, int body,
                       carom_text *text)
{
    carom_recording_body s = carom_recording_state(recording, frame, body);
    quat back = quat_conjugate(quat_unit(s.rotation));
    vec3 v = quat_rotate(back, s.velocity), w = quat_rotate(back, s.spin);
    carom_text_add(text, "\"motion\":{");
    if (recording->kind[body] == CAROM_BODY_DRIVEN)
        carom_text_add(text, "\"isKinematic\":true,");
    else
        carom_text_add(text, "\"mass\":%.9g,", recording->mass[body]);
    carom_text_add(text,
                   "\"linearVelocity\":[%.9g,%.9g,%.9g],\"angularVelocity\":[%.9g,%.9g,%.9g]},",
                   v.x, v.y, v.z, w.x, w.y, w.z);
}

void carom_export_physics_node(const carom_recording *recording, const carom_frame *frame, int body,
                               carom_text *text)
{
    int shape = 0;
    if (!is_implicit(recording, recording->form[body]))
        return;
    for (int f = 0; f < recording->form[body]; ++f)
        shape += is_implicit(recording, f);
    carom_text_add(text, ",\"extensions\":{\"KHR_physics_rigid_bodies\":{");
    if (recording->kind[body] != CAROM_BODY_FIXED)
        add_motion(recording, frame, body, text);
    carom_text_add(text, "\"collider\":{\"geometry\":{\"shape\":%d}", shape);
    if (has_surfaces(recording))
        carom_text_add(text, ",\"physicsMaterial\":%d", material_of(recording, body));
    carom_text_add(text, "}}}");
}
