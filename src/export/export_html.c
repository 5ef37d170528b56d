// A page that plays a recording: surfaces and states as base64 in one file, drawn with WebGL 2.
#include <string.h>
#include "base/progress.h"
#include "draw/colour.h"
#include "draw/page.h"
#include "export/export_base64.h"
#include "export/export_columns.h"
#include "export/export_mesh.h"
#include "export/export_player.h"
#include "export/export_setup.h"
#include "export/export_svg.h"

typedef struct writer {
    carom_recording *recording;
    carom_export_setup setup;
    carom_text text;
    FILE *file;
    const carom_progress *progress;
} writer;

static bool is_moving(const writer *w, int body)
{
    return w->recording->kind[body] != CAROM_BODY_FIXED;
}

static void add_vector(carom_text *text, const char *name, vec3 v)
{
    carom_text_add(text, "%s:[%.9g,%.9g,%.9g]", name, v.x, v.y, v.z);
}

// D: everything but the large arrays.
static carom_status add_head(writer *w, const carom_export_mesh *meshes, carom_error *err)
{
    carom_text *text = &w->text;
    const carom_camera *camera = &w->setup.camera;
    carom_frame first;
    TRY(carom_recording_frame(w->recording, 0, &first, err));
    carom_text_add(text, "const D={forms:[");
    for (int f = 0; f < w->recording->form_count; ++f)
        carom_text_add(text, "%s[%d,%d,%d]", f ? "," : "", meshes[f].vertex_count,
                       meshes[f].index_count,
                       carom_shape_kind_of(w->recording->forms[f].shape) == CAROM_SHAPE_PLANE);
    carom_text_add(text, "],form:[");
    for (int i = 0; i < w->recording->count; ++i)
        carom_text_add(text, "%s%d", i ? "," : "", w->recording->form[i]);
    carom_text_add(text, "],\ncolour:[");
    for (int i = 0; i < w->recording->count; ++i) {
        vec3 c = carom_export_setup_colour(&w->setup, &first, i);
        carom_text_add(text, "%s[%.3g,%.3g,%.3g]", i ? "," : "", c.x, c.y, c.z);
    }
    carom_text_add(text, "],\nmoving:[");
    for (int i = 0, k = 0; i < w->recording->count; ++i)
        if (is_moving(w, i))
            carom_text_add(text, "%s%d", k++ ? "," : "", i);
    carom_text_add(text, "],\ngone:{");
    for (int i = 0, k = 0; w->recording->removed && i < w->recording->count; ++i)
        if (w->recording->removed[i] < 1e300)
            carom_text_add(text, "%s%d:%.9g", k++ ? "," : "", i, w->recording->removed[i]);
    carom_text_add(text, "},grid:%.9g,radius:%.9g,", w->setup.grid, w->setup.radius);
    add_vector(text, "middle", vec3_from(w->setup.middle));
    add_vector(text, ",camera:{from", camera->from);
    add_vector(text, ",to", camera->to);
    carom_text_add(text, ",fov:%.9g}};\n", camera->fov);
    return CAROM_OK;
}

static void add_state(carom_export_base64 *coder, const carom_frame *frame, int body)
{
    carom_recording_body s = carom_recording_state(frame, body);
    float values[7] = { (float)s.position.x, (float)s.position.y, (float)s.position.z,
                        (float)s.rotation.x, (float)s.rotation.y, (float)s.rotation.z,
                        (float)s.rotation.w };
    carom_export_base64_add(coder, values, sizeof values);
}

static carom_status add_motion(writer *w, carom_error *err)
{
    carom_export_base64 coder = { .text = &w->text };
    int64_t frames = carom_recording_frame_count(w->recording);
    carom_frame frame;
    carom_text_add(&w->text, "\",times:\"");
    for (int64_t m = 0; m < frames; ++m) {
        TRY(carom_recording_frame(w->recording, m, &frame, err));
        carom_export_base64_add(&coder, &(float){ (float)frame.time }, sizeof(float));
    }
    carom_export_base64_end(&coder);
    carom_text_add(&w->text, "\",still:\"");
    for (int i = 0; i < w->recording->count; ++i)
        if (!is_moving(w, i))
            add_state(&coder, &frame, i);
    carom_export_base64_end(&coder);
    carom_text_add(&w->text, "\",motion:\"");
    for (int64_t m = 0; m < frames; ++m) {
        TRY(carom_progress_tell(w->progress, (double)m, (double)frames, "writing", err));
        TRY(carom_recording_frame(w->recording, m, &frame, err));
        for (int i = 0; i < w->recording->count; ++i)
            if (is_moving(w, i))
                add_state(&coder, &frame, i);
        TRY(carom_export_columns_flush(&w->text, w->file, false, err));
    }
    carom_export_base64_end(&coder);
    return CAROM_OK;
}

static carom_status add_recording(writer *w, carom_error *err)
{
    carom_export_mesh *meshes;
    carom_export_base64 coder = { .text = &w->text };
    TAKE(w->recording->scratch, meshes, w->recording->form_count + 1, err);
    for (int f = 0; f < w->recording->form_count; ++f)
        TRY(carom_export_mesh_make(&w->recording->forms[f], 8 * w->setup.radius,
                                   w->recording->scratch, &meshes[f], err));
    carom_text_add(&w->text, "<script>\n");
    TRY(add_head(w, meshes, err));
    carom_text_add(&w->text, "const B={mesh:\"");
    for (int f = 0; f < w->recording->form_count; ++f) {
        const carom_export_mesh *mesh = &meshes[f];
        size_t size = (size_t)mesh->vertex_count * sizeof *mesh->position;
        carom_export_base64_add(&coder, mesh->position, size);
        carom_export_base64_add(&coder, mesh->normal, size);
        carom_export_base64_add(&coder, mesh->index,
                                (size_t)mesh->index_count * sizeof *mesh->index);
    }
    carom_export_base64_end(&coder);
    TRY(add_motion(w, err));
    carom_text_add(&w->text, "\"};\n");
    carom_text_add_bytes(&w->text, carom_export_player_script,
                         sizeof carom_export_player_script - 1);
    carom_text_add(&w->text, "</script>\n");
    return CAROM_OK;
}

static carom_status add_plots(writer *w, carom_error *err)
{
    carom_text picture = { 0 };
    carom_status status = CAROM_OK;
    carom_svg svg = carom_svg_begin(&picture, 1080, 260, "energy, momentum and overlap over time");
    for (int k = 0; status == CAROM_OK && k < 3; ++k)
        status = carom_export_plot_draw(w->recording, &svg, k, (double[2]){ 360.0 * k, 0 },
                                        (double[2]){ 360, 260 }, err);
    carom_svg_end(&svg);
    if (status == CAROM_OK)
        carom_page_picture(&w->text, &picture, "Energy, momentum and deepest overlap over time");
    carom_text_free(&picture);
    return status;
}

static carom_status write_page(writer *w, const carom_export_view *view, carom_error *err)
{
    TRY(carom_export_setup_prepare(w->recording, view, &w->setup, err));
    carom_page_begin(&w->text, carom_recording_title(w->recording), NULL);
    carom_text_add_bytes(&w->text, carom_export_player_markup,
                         sizeof carom_export_player_markup - 1);
    if (carom_recording_frame_count(w->recording) > 1)
        TRY(add_plots(w, err));
    TRY(add_recording(w, err));
    carom_page_end(&w->text);
    return carom_export_columns_flush(&w->text, w->file, true, err);
}

carom_status carom_export_html(carom_recording *recording, const carom_export_view *view,
                               FILE *file, const carom_progress *progress, carom_error *err)
{
    writer w = { .recording = recording, .file = file, .progress = progress };
    carom_arena_mark mark = carom_arena_mark_here(recording->scratch);
    carom_status status = write_page(&w, view, err);
    carom_arena_rewind(recording->scratch, mark);
    carom_text_free(&w.text);
    return status;
}
