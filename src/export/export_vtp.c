// ParaView: VTP files (VTK's XML poly data) for each frame, and a PVD file that lists them by time.
//
// A frame has up to three parts, a file each, so that each has data of its own: bodies as points
// (glyphs scaled by `radius` show balls), bodies as surfaces (but not of many equal spheres, whose
// triangles would be most of the file), contacts as lines. Arrays are base64
// with 64-bit lengths, so the files are plain XML and hold every bit.
#include <stdint.h>
#include <string.h>
#include "export/export_base64.h"
#include "export/export_columns.h"
#include "export/export_contacts.h"
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

// -- the front of all parts ---------------------------------------------------------------------

typedef struct counts {
    int64_t points, vertices, lines, triangles;
} counts;

static void begin_file(carom_text *text, double time, counts n)
{
    carom_text_add(
        text, "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
              "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n<FieldData>\n");
    carom_text_add(text,
                   "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
                   "format=\"ascii\">%.17g</DataArray>\n</FieldData>\n",
                   time);
    carom_text_add(text,
                   "<Piece NumberOfPoints=\"%lld\" NumberOfVerts=\"%lld\" NumberOfLines=\"%lld\" "
                   "NumberOfStrips=\"0\" NumberOfPolys=\"%lld\">\n",
                   (long long)n.points, (long long)n.vertices, (long long)n.lines,
                   (long long)n.triangles);
}

static void end_file(carom_text *text)
{
    carom_text_add(text, "</Piece>\n</PolyData>\n</VTKFile>\n");
}

static void compose_bodies(cast *s, carom_text *text)
{
    begin_file(text, s->frame->time, (counts){ .points = s->count, .vertices = s->count });
    carom_text_add(text, "<PointData>\n");
    add_motion(s, "velocity", 7, 3);
    add_motion(s, "spin", 10, 3);
    add_motion(s, "rotation", 3, 4);
    add_body_data(s);
    carom_text_add(text, "</PointData>\n<Points>\n");
    add_motion(s, "position", 0, 3);
    carom_text_add(text, "</Points>\n<Verts>\n");
    add_vertices(s);
    carom_text_add(text, "</Verts>\n");
    end_file(text);
}

// -- surfaces -----------------------------------------------------------------------------------

enum { MANY = 100 }; // spheres of one form from which they stay points

static const carom_trimesh *mesh_of(const cast *s, int i)
{
    static const carom_trimesh none = { 0 };
    const carom_recording_form *form = &s->recording->forms[s->recording->form[s->bodies[i]]];
    bool ball = carom_shape_kind_of(form->shape) == CAROM_SHAPE_SPHERE;
    return ball && form->users > MANY ? &none : &form->mesh;
}

static void add_surface_points(cast *s, int64_t count)
{
    begin_array(&s->coder, "Float32", "position", 3, 12 * (uint64_t)count);
    for (int i = 0; i < s->count; ++i) {
        carom_recording_body body = carom_recording_state(s->recording, s->frame, s->bodies[i]);
        const carom_trimesh *mesh = mesh_of(s, i);
        for (int v = 0; v < mesh->vertex_count; ++v) {
            vec3 at = vec3_add(body.position, quat_rotate(body.rotation, mesh->vertex[v]));
            const float corner[3] = { (float)at.x, (float)at.y, (float)at.z };
            carom_export_base64_add(&s->coder, corner, sizeof corner);
        }
    }
    end_array(&s->coder);
}

static void add_surface_triangles(cast *s, int64_t count)
{
    begin_array(&s->coder, "Int64", "connectivity", 1, 24 * (uint64_t)count);
    int64_t first = 0;
    for (int i = 0; i < s->count; ++i) {
        const carom_trimesh *mesh = mesh_of(s, i);
        for (int t = 0; t < 3 * mesh->triangle_count; ++t)
            carom_export_base64_add(&s->coder, &(int64_t){ first + mesh->triangle[t / 3][t % 3] },
                                    8);
        first += mesh->vertex_count;
    }
    end_array(&s->coder);
    begin_array(&s->coder, "Int64", "offsets", 1, 8 * (uint64_t)count);
    for (int64_t t = 1; t <= count; ++t)
        carom_export_base64_add(&s->coder, &(int64_t){ 3 * t }, 8);
    end_array(&s->coder);
}

static void add_surface_data(cast *s, int64_t count)
{
    static const char *const wholes[] = { "body", "kind" };
    for (int k = 0; k < 2; ++k) {
        begin_array(&s->coder, "Int32", wholes[k], 1, 4 * (uint64_t)count);
        for (int i = 0; i < s->count; ++i) {
            int32_t value = k ? (int32_t)s->recording->kind[s->bodies[i]] : s->bodies[i];
            for (int t = 0; t < mesh_of(s, i)->triangle_count; ++t)
                carom_export_base64_add(&s->coder, &value, sizeof value);
        }
        end_array(&s->coder);
    }
    begin_array(&s->coder, "Float32", "velocity", 3, 12 * (uint64_t)count);
    for (int i = 0; i < s->count; ++i) {
        vec3 v = carom_recording_state(s->recording, s->frame, s->bodies[i]).velocity;
        const float value[3] = { (float)v.x, (float)v.y, (float)v.z };
        for (int t = 0; t < mesh_of(s, i)->triangle_count; ++t)
            carom_export_base64_add(&s->coder, value, sizeof value);
    }
    end_array(&s->coder);
}

static void compose_surfaces(cast *s, carom_text *text)
{
    counts n = { 0 };
    for (int i = 0; i < s->count; ++i) {
        n.points += mesh_of(s, i)->vertex_count;
        n.triangles += mesh_of(s, i)->triangle_count;
    }
    begin_file(text, s->frame->time, n);
    carom_text_add(text, "<CellData>\n");
    add_surface_data(s, n.triangles);
    carom_text_add(text, "</CellData>\n<Points>\n");
    add_surface_points(s, n.points);
    carom_text_add(text, "</Points>\n<Polys>\n");
    add_surface_triangles(s, n.triangles);
    carom_text_add(text, "</Polys>\n");
    end_file(text);
}

// -- contacts -----------------------------------------------------------------------------------

static vec3 end_of(const cast *s, const carom_world_contact *c, int body)
{
    return s->recording->kind[body] == CAROM_BODY_MOVING
               ? carom_recording_state(s->recording, s->frame, body).position
               : carom_recording_home(s->recording, vec3_from(c->point));
}

static void add_contact_numbers(cast *s, const carom_export_contacts *list)
{
    static const struct {
        const char *name;
        int width;
    } kinds[] = { { "normal", 3 }, { "gap", 1 },  { "impulse", 3 },
                  { "force", 3 },  { "slip", 3 }, { "loss", 1 } };
    for (int k = 0; k < 6; ++k) {
        begin_array(&s->coder, "Float64", kinds[k].name, kinds[k].width,
                    8 * (uint64_t)kinds[k].width * (uint64_t)list->count);
        for (int i = 0; i < list->count; ++i) {
            const carom_world_contact *c = &list->list[i];
            double force[3];
            vec3_store(carom_export_contacts_force(list, c), force);
            const double *values[] = { c->normal, &c->gap, c->impulse, force, c->slip, &c->loss };
            carom_export_base64_add(&s->coder, values[k], 8 * (size_t)kinds[k].width);
        }
        end_array(&s->coder);
    }
    static const char *const wholes[] = { "a", "b", "impact" };
    for (int k = 0; k < 3; ++k) {
        begin_array(&s->coder, "Int32", wholes[k], 1, 4 * (uint64_t)list->count);
        for (int i = 0; i < list->count; ++i) {
            const carom_world_contact *c = &list->list[i];
            int32_t value = k == 0 ? c->a : k == 1 ? c->b : c->impact;
            carom_export_base64_add(&s->coder, &value, sizeof value);
        }
        end_array(&s->coder);
    }
}

static void compose_contacts(cast *s, const carom_export_contacts *list, carom_text *text)
{
    int64_t count = list->count;
    begin_file(text, s->frame->time, (counts){ .points = 2 * count, .lines = count });
    carom_text_add(text, "<CellData>\n");
    add_contact_numbers(s, list);
    carom_text_add(text, "</CellData>\n<Points>\n");
    begin_array(&s->coder, "Float64", "position", 3, 48 * (uint64_t)count);
    for (int i = 0; i < list->count; ++i) {
        const carom_world_contact *c = &list->list[i];
        double ends[6];
        vec3 from = end_of(s, c, c->a);
        vec3_store(from, ends);
        vec3_store(carom_recording_beside(s->recording, from, end_of(s, c, c->b)), ends + 3);
        carom_export_base64_add(&s->coder, ends, sizeof ends);
    }
    end_array(&s->coder);
    carom_text_add(text, "</Points>\n<Lines>\n");
    begin_array(&s->coder, "Int64", "connectivity", 1, 16 * (uint64_t)count);
    for (int64_t i = 0; i < 2 * count; ++i)
        carom_export_base64_add(&s->coder, &i, 8);
    end_array(&s->coder);
    begin_array(&s->coder, "Int64", "offsets", 1, 8 * (uint64_t)count);
    for (int64_t i = 1; i <= count; ++i)
        carom_export_base64_add(&s->coder, &(int64_t){ 2 * i }, 8);
    end_array(&s->coder);
    carom_text_add(text, "</Lines>\n");
    end_file(text);
}

// -- files --------------------------------------------------------------------------------------

static carom_status write_contacts(cast *s, int64_t index, carom_text *text, carom_error *err)
{
    carom_export_contacts list = { 0 };
    carom_status status = carom_export_contacts_load(&list, s->recording, index, err);
    if (status == CAROM_OK)
        compose_contacts(s, &list, text);
    carom_export_contacts_free(&list);
    return status;
}

static carom_status write_frame(const carom_recording *recording, carom_export_vtp_part part,
                                int64_t index, carom_text *text, carom_error *err)
{
    carom_frame frame;
    cast s = { .recording = recording, .frame = &frame, .coder = { .text = text } };
    TRY(carom_recording_frame(recording, index, &frame, err));
    TAKE(recording->scratch, s.bodies, recording->count + 1, err);
    for (int i = 0; i < recording->count; ++i)
        if (!carom_recording_gone(recording, &frame, i) &&
            carom_shape_kind_of(recording->forms[recording->form[i]].shape) != CAROM_SHAPE_PLANE)
            s.bodies[s.count++] = i;
    if (part == CAROM_EXPORT_VTP_CONTACTS)
        return write_contacts(&s, index, text, err);
    if (part == CAROM_EXPORT_VTP_SURFACES)
        compose_surfaces(&s, text);
    else
        compose_bodies(&s, text);
    return CAROM_OK;
}

carom_status carom_export_vtp(carom_recording *recording, carom_export_vtp_part part, int64_t index,
                              FILE *file, carom_error *err)
{
    NEED(err, recording, file);
    if ((unsigned)part >= CAROM_EXPORT_VTP_PARTS)
        return carom_error_set(err, CAROM_BAD_INPUT, "a frame has no part %d", (int)part);
    carom_text text = { 0 };
    carom_arena_mark mark = carom_arena_mark_here(recording->scratch);
    carom_status status = write_frame(recording, part, index, &text, err);
    carom_arena_rewind(recording->scratch, mark);
    if (status == CAROM_OK)
        status = carom_export_columns_flush(&text, file, true, err);
    carom_text_free(&text);
    return status;
}

void carom_export_vtp_name(const char *prefix, carom_export_vtp_part part, int64_t index, char *out,
                           size_t size)
{
    static const char *const parts[] = { "", "surfaces_", "contacts_" };
    if (!prefix || !out || (unsigned)part >= CAROM_EXPORT_VTP_PARTS)
        return;
    snprintf(out, size, "%s_%s%06lld.vtp", prefix, parts[part], (long long)index);
}

carom_status carom_export_vtp_index(const carom_recording *recording, const char *prefix,
                                    FILE *file, carom_error *err)
{
    NEED(err, recording, file);
    carom_text text = { 0 };
    carom_status status = CAROM_OK;
    int parts = carom_export_contacts_total(recording) > 0 ? 3 : 2;
    carom_text_add(&text, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
                          "byte_order=\"LittleEndian\">\n<Collection>\n");
    for (int64_t m = 0; status == CAROM_OK && m < carom_recording_frame_count(recording); ++m) {
        carom_frame frame;
        status = carom_recording_frame(recording, m, &frame, err);
        for (int part = 0; part < parts && status == CAROM_OK; ++part) {
            char name[4096];
            carom_export_vtp_name(prefix, (carom_export_vtp_part)part, m, name, sizeof name);
            carom_text_add(&text, "<DataSet timestep=\"%.17g\" part=\"%d\" file=\"", frame.time,
                           part);
            carom_text_add_escaped(&text, name);
            carom_text_add(&text, "\"/>\n");
        }
    }
    carom_text_add(&text, "</Collection>\n</VTKFile>\n");
    if (status == CAROM_OK)
        status = carom_export_columns_flush(&text, file, true, err);
    carom_text_free(&text);
    return status;
}
