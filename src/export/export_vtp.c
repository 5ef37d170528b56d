// ParaView: one VTP file per frame (VTK's XML poly data) and a PVD file that lists them by time.
//
// A body is a point with its data: glyphs scaled by `radius` show balls. Arrays are base64 with
// 64-bit lengths, so the files are plain XML and hold every bit.
#include <stdint.h>
#include <string.h>
#include "export/export_base64.h"
#include "export/export_columns.h"
#include "export/recording.h"

static void begin_array(carom_export_base64 *c, const char *type, const char *name, int width,
                        uint64_t size)
{
    carom_text_add(c->text,
                   "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" "
                   "format=\"binary\">",
                   type, name, width);
    carom_export_base64_add(c, &size, sizeof size);
}

static void end_array(carom_export_base64 *c)
{
    carom_export_base64_end(c);
    carom_text_add(c->text, "</DataArray>\n");
}

typedef struct cast {
    const carom_recording *recording;
    const carom_frame *frame;
    int *bodies; // those that are there and are no planes
    int count;
    carom_export_base64 coder;
} cast;

static void add_motion(cast *s, const char *name, int first, int width)
{
    begin_array(&s->coder, "Float64", name, width, 8 * (uint64_t)width * (uint64_t)s->count);
    for (int i = 0; i < s->count; ++i)
        carom_export_base64_add(
            &s->coder, s->frame->bodies + CAROM_FRAME_STRIDE * (size_t)s->bodies[i] + first,
            8 * (size_t)width);
    end_array(&s->coder);
}

static void add_body_data(cast *s)
{
    static const char *const names[] = { "mass", "radius" };
    for (int k = 0; k < 2; ++k) {
        begin_array(&s->coder, "Float64", names[k], 1, 8 * (uint64_t)s->count);
        for (int i = 0; i < s->count; ++i) {
            int body = s->bodies[i];
            double value =
                k ? carom_shape_radius(s->recording->forms[s->recording->form[body]].shape)
                  : s->recording->mass[body];
            carom_export_base64_add(&s->coder, &value, sizeof value);
        }
        end_array(&s->coder);
    }
    static const char *const wholes[] = { "body", "kind", "shape" };
    for (int k = 0; k < 3; ++k) {
        begin_array(&s->coder, "Int32", wholes[k], 1, 4 * (uint64_t)s->count);
        for (int i = 0; i < s->count; ++i) {
            int body = s->bodies[i];
            int32_t value = k == 0   ? body
                            : k == 1 ? (int32_t)s->recording->kind[body]
                                     : (int32_t)s->recording->form[body];
            carom_export_base64_add(&s->coder, &value, sizeof value);
        }
        end_array(&s->coder);
    }
}

static void add_vertices(cast *s)
{
    static const char *const names[] = { "connectivity", "offsets" };
    for (int k = 0; k < 2; ++k) {
        begin_array(&s->coder, "Int64", names[k], 1, 8 * (uint64_t)s->count);
        for (int64_t i = 0; i < s->count; ++i)
            carom_export_base64_add(&s->coder, &(int64_t){ i + k }, 8);
        end_array(&s->coder);
    }
}

static void compose(cast *s, carom_text *text)
{
    double time = s->frame->time;
    carom_text_add(
        text, "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
              "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n<FieldData>\n");
    carom_text_add(text,
                   "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
                   "format=\"ascii\">%.17g</DataArray>\n</FieldData>\n",
                   time);
    carom_text_add(text,
                   "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"%d\" NumberOfLines=\"0\" "
                   "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n<PointData>\n",
                   s->count, s->count);
    add_motion(s, "velocity", 7, 3);
    add_motion(s, "spin", 10, 3);
    add_motion(s, "rotation", 3, 4);
    add_body_data(s);
    carom_text_add(text, "</PointData>\n<Points>\n");
    add_motion(s, "position", 0, 3);
    carom_text_add(text, "</Points>\n<Verts>\n");
    add_vertices(s);
    carom_text_add(text, "</Verts>\n</Piece>\n</PolyData>\n</VTKFile>\n");
}

static carom_status write_frame(const carom_recording *recording, int64_t index, carom_text *text,
                                FILE *file, carom_error *err)
{
    carom_frame frame;
    cast s = { .recording = recording, .frame = &frame, .coder = { .text = text } };
    TRY(carom_recording_frame(recording, index, &frame, err));
    TAKE(recording->scratch, s.bodies, recording->count + 1, err);
    for (int i = 0; i < recording->count; ++i)
        if (!carom_recording_gone(recording, &frame, i) &&
            carom_shape_kind_of(recording->forms[recording->form[i]].shape) != CAROM_SHAPE_PLANE)
            s.bodies[s.count++] = i;
    compose(&s, text);
    return carom_export_columns_flush(text, file, true, err);
}

carom_status carom_export_vtp(carom_recording *recording, int64_t index, FILE *file,
                              carom_error *err)
{
    NEED(err, recording, file);
    carom_text text = { 0 };
    carom_arena_mark mark = carom_arena_mark_here(recording->scratch);
    carom_status status = write_frame(recording, index, &text, file, err);
    carom_arena_rewind(recording->scratch, mark);
    carom_text_free(&text);
    return status;
}

void carom_export_vtp_name(const char *prefix, int64_t index, char *out, size_t size)
{
    snprintf(out, size, "%s_%06lld.vtp", prefix, (long long)index);
}

carom_status carom_export_vtp_index(const carom_recording *recording, const char *prefix,
                                    FILE *file, carom_error *err)
{
    NEED(err, recording, file);
    carom_text text = { 0 };
    carom_status status = CAROM_OK;
    carom_text_add(&text, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
                          "byte_order=\"LittleEndian\">\n<Collection>\n");
    for (int64_t m = 0; status == CAROM_OK && m < carom_recording_frame_count(recording); ++m) {
        carom_frame frame;
        char name[4096];
        status = carom_recording_frame(recording, m, &frame, err);
        carom_export_vtp_name(prefix, m, name, sizeof name);
        carom_text_add(&text, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"", frame.time);
        carom_text_add_escaped(&text, name);
        carom_text_add(&text, "\"/>\n");
    }
    carom_text_add(&text, "</Collection>\n</VTKFile>\n");
    if (status == CAROM_OK)
        status = carom_export_columns_flush(&text, file, true, err);
    carom_text_free(&text);
    return status;
}
