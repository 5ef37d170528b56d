// Universal Scene Description as text (.usda): every body a prim with its motion as time samples,
// spheres as such, all others as meshes; z up, metres. 24 time codes are a second.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/progress.h"
#include "export/export_columns.h"
#include "export/export_keys.h"
#include "export/export_mesh.h"
#include "export/export_setup.h"
#include "math/vec.h"

enum { CODES = 24 }; // per second

typedef struct stage {
    carom_recording *recording;
    carom_export_setup setup;
    carom_export_keys keys;
    int64_t *frames, frame_count;
    carom_text text;
    FILE *file;
} stage;

// Names of prims have letters, digits and _ only; the number keeps them apart.
static void add_name(stage *s, int body)
{
    char room[32];
    const char *name = carom_recording_name(s->recording, body, room, sizeof room);
    for (int i = 0; name[i] && i < 60; ++i)
        carom_text_add(&s->text, "%c",
                       isalnum((unsigned char)name[i]) && !(i == 0 && isdigit((unsigned char)*name))
                           ? name[i]
                           : '_');
    carom_text_add(&s->text, "_%d", body);
}

static void add_mesh(stage *s, const carom_export_mesh *mesh)
{
    carom_text *t = &s->text;
    carom_text_add(t, "        int[] faceVertexCounts = [");
    for (int i = 0; i < mesh->index_count / 3; ++i)
        carom_text_add(t, i ? ", 3" : "3");
    carom_text_add(t, "]\n        int[] faceVertexIndices = [");
    for (int i = 0; i < mesh->index_count; ++i)
        carom_text_add(t, "%s%u", i ? ", " : "", mesh->index[i]);
    carom_text_add(t, "]\n        point3f[] points = [");
    for (int i = 0; i < mesh->vertex_count; ++i)
        carom_text_add(t, "%s(%.9g, %.9g, %.9g)", i ? ", " : "", (double)mesh->position[i][0],
                       (double)mesh->position[i][1], (double)mesh->position[i][2]);
    carom_text_add(t, "]\n        normal3f[] normals = [");
    for (int i = 0; i < mesh->vertex_count; ++i)
        carom_text_add(t, "%s(%.5g, %.5g, %.5g)", i ? ", " : "", (double)mesh->normal[i][0],
                       (double)mesh->normal[i][1], (double)mesh->normal[i][2]);
    carom_text_add(t, "] (\n            interpolation = \"vertex\"\n        )\n"
                      "        uniform token subdivisionScheme = \"none\"\n");
}

static void add_position(carom_text *t, vec3 p)
{
    carom_text_add(t, "(%.9g, %.9g, %.9g)", p.x, p.y, p.z);
}

static void add_rotation(carom_text *t, quat q)
{
    q = quat_unit(q);
    carom_text_add(t, "(%.8g, %.8g, %.8g, %.8g)", q.w, q.x, q.y, q.z);
}

// Where a body is: once, or at its keys.
static carom_status add_motion(stage *s, int body, carom_error *err)
{
    static const char *const ops[2] = { "double3 xformOp:translate", "quatf xformOp:orient" };
    carom_text *t = &s->text;
    bool moves = s->frame_count > 1 && s->recording->kind[body] != CAROM_BODY_FIXED;
    for (int k = 0; k < 2; ++k) {
        carom_text_add(t, "        %s%s", ops[k], moves ? ".timeSamples = {" : " = ");
        for (int64_t m = 0; m < (moves ? s->frame_count : 1); ++m) {
            carom_frame frame;
            if (moves && !carom_export_keys_has(&s->keys, body, m))
                continue;
            TRY(carom_recording_frame(s->recording, s->frames[m], &frame, err));
            carom_recording_body state = carom_recording_state(s->recording, &frame, body);
            if (moves)
                carom_text_add(t, "\n            %.9g: ", CODES * frame.time);
            if (k)
                add_rotation(t, state.rotation);
            else
                add_position(t, state.position);
            carom_text_add(t, moves ? "," : "");
        }
        carom_text_add(t, moves ? "\n        }\n" : "\n");
    }
    carom_text_add(t, "        uniform token[] xformOpOrder = [\"xformOp:translate\", "
                      "\"xformOp:orient\"]\n");
    return CAROM_OK;
}

static carom_status add_body(stage *s, const carom_frame *first, int body, carom_error *err)
{
    carom_text *t = &s->text;
    const carom_recording_form *form = &s->recording->forms[s->recording->form[body]];
    vec3 colour = carom_export_setup_colour(&s->setup, first, body);
    bool ball = carom_shape_kind_of(form->shape) == CAROM_SHAPE_SPHERE;
    carom_text_add(t, "    def %s \"", ball ? "Sphere" : "Mesh");
    add_name(s, body);
    carom_text_add(t, "\"\n    {\n");
    if (ball)
        carom_text_add(t, "        double radius = %.9g\n", carom_shape_radius(form->shape));
    else {
        carom_export_mesh mesh;
        carom_arena_mark mark = carom_arena_mark_here(s->recording->scratch);
        TRY(carom_export_mesh_make(form, 6 * s->setup.radius, s->recording->scratch, &mesh, err));
        add_mesh(s, &mesh);
        carom_arena_rewind(s->recording->scratch, mark);
    }
    carom_text_add(t, "        color3f[] primvars:displayColor = [(%.4g, %.4g, %.4g)]\n", colour.x,
                   colour.y, colour.z);
    if (s->recording->look[body].opacity < 1)
        carom_text_add(t, "        float[] primvars:displayOpacity = [%.4g]\n",
                       s->recording->look[body].opacity);
    TRY(add_motion(s, body, err));
    carom_text_add(t, "    }\n");
    return carom_export_columns_flush(t, s->file, false, err);
}

static carom_status write_stage(stage *s, const carom_export_view *view,
                                const carom_progress *progress, carom_error *err)
{
    carom_recording *recording = s->recording;
    carom_frame first, last;
    TRY(carom_export_setup_prepare(recording, view, &s->setup, err));
    s->frame_count = carom_recording_frame_count(recording);
    TAKE(recording->scratch, s->frames, s->frame_count, err);
    for (int64_t m = 0; m < s->frame_count; ++m)
        s->frames[m] = m;
    TRY(carom_export_keys_choose(recording, s->frames, s->frame_count,
                                 carom_export_setup_tolerance(&s->setup), &s->keys, err));
    TRY(carom_recording_frame(recording, s->frame_count - 1, &last, err));
    double end = last.time;
    carom_text_add(&s->text,
                   "#usda 1.0\n(\n    defaultPrim = \"world\"\n    upAxis = \"Z\"\n"
                   "    metersPerUnit = 1\n    timeCodesPerSecond = %d\n    framesPerSecond = %d\n"
                   "    startTimeCode = 0\n    endTimeCode = %.9g\n)\n\n"
                   "def Xform \"world\"\n{\n",
                   CODES, CODES, CODES * end);
    for (int i = 0; i < recording->count; ++i) {
        TRY(carom_progress_report(progress, i, recording->count, "writing", err));
        TRY(carom_recording_frame(recording, 0, &first, err));
        TRY(add_body(s, &first, i, err));
    }
    carom_text_add(&s->text, "}\n");
    return carom_export_columns_flush(&s->text, s->file, true, err);
}

carom_status carom_export_usd(carom_recording *recording, const carom_export_view *view, FILE *file,
                              const carom_progress *progress, carom_error *err)
{
    NEED(err, recording, view, file);
    stage s = { .recording = recording, .file = file };
    carom_arena_mark mark = carom_arena_mark_here(recording->scratch);
    carom_status status = write_stage(&s, view, progress, err);
    carom_arena_rewind(recording->scratch, mark);
    carom_text_free(&s.text);
    return status;
}
