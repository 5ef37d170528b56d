// glTF 2.0 binary files (Khronos): every body a node, equal shapes share one mesh, one animation
// moves all. Strings and the arms of joints are nodes of one more mesh, stretched to their length.
// z-up becomes y-up by turning the root node.
//
// The JSON part is made first, with the place of every array; the binary part is then written front
// to back in the same order, so a long recording needs no memory.
#include <math.h>
#include <stdint.h>
#include <string.h>
#include "base/progress.h"
#include "carom/version.h"
#include "draw/colour.h"
#include "export/export_columns.h"
#include "export/export_keys.h"
#include "export/export_mesh.h"
#include "export/export_physics.h"
#include "export/export_rods.h"
#include "export/export_setup.h"
#include "math/constants.h"

// A rod: a prism of so many sides, without ends.
enum { ROD_SIDES = 8, ROD_VERTICES = 4 * ROD_SIDES, ROD_INDICES = 6 * ROD_SIDES };
enum { FLOATS = 5126, UNSIGNED = 5125, VERTICES = 34962, INDICES = 34963 };

// A mesh in one colour.
typedef struct paint {
    int form, material;
} paint;

typedef struct book {
    carom_export_setup setup;
    carom_recording *recording;
    carom_export_mesh *meshes; // per form
    int *material_of;          // per body
    int *mesh_of;              // per body: index into paints
    uint64_t *materials;       // 0xrrggbb, then opacity and roughness in 255ths
    int material_count;
    paint *paints;
    int paint_count;
    carom_export_rod *rods;
    int rod_count;
    int64_t *frames; // those with a time of their own
    int64_t frame_count;
    carom_export_keys keys; // of them, per body
    uint64_t at;            // bytes of the binary part so far
    int accessors;          // so far
    carom_text views, arrays;
    FILE *file;
    const carom_progress *progress;
} book;

// -- bodies -------------------------------------------------------------------------------------

static bool is_animated(const book *b, int body)
{
    return b->frame_count > 1 && b->recording->kind[body] != CAROM_BODY_FIXED;
}

// Colours in steps of 16, so that thousands of bodies share a few dozen materials.
static unsigned paint_of(const book *b, const carom_frame *frame, int body)
{
    unsigned char rgb[3];
    const carom_look *look = &b->recording->look[body];
    if (look->colour >= 0 && b->setup.view.colour == CAROM_EXPORT_COLOUR_AUTO)
        return (unsigned)look->colour;
    carom_colour_store(carom_export_setup_colour(&b->setup, frame, body), rgb);
    unsigned value = 0;
    for (int k = 0; k < 3; ++k)
        value = value << 8 | ((rgb[k] & 0xf0u) + 8);
    return value;
}

static uint64_t material_of(const book *b, const carom_frame *frame, int body)
{
    const carom_look *look = &b->recording->look[body];
    return paint_of(b, frame, body) | (uint64_t)(255 * look->opacity + 0.5) << 24 |
           (uint64_t)(255 * look->roughness + 0.5) << 32;
}

// Bodies of one colour share a material, those of one shape and colour a mesh; found by hashing.
static carom_status sort_paints(book *b, carom_error *err)
{
    carom_recording *recording = b->recording;
    carom_frame first;
    TRY(carom_recording_frame(recording, 0, &first, err));
    TAKE(recording->scratch, b->material_of, recording->count + 1, err);
    TAKE(recording->scratch, b->mesh_of, recording->count + 1, err);
    TAKE(recording->scratch, b->materials, recording->count + 1, err);
    TAKE(recording->scratch, b->paints, recording->count + 1, err);
    enum { CELLS = 1 << 18 };
    int *head, *next;
    TAKE(recording->scratch, head, CELLS, err);
    TAKE(recording->scratch, next, recording->count + 1, err);
    memset(head, 0xff, CELLS * sizeof *head);
    for (int i = 0; i < recording->count; ++i) {
        uint64_t value = material_of(b, &first, i);
        unsigned cell = (((unsigned)value + (unsigned)(value >> 32)) * 2654435761u) >> 14;
        int m = head[cell];
        while (m >= 0 && b->materials[m] != value) // ends: a chain is finite
            m = next[m];
        if (m < 0) {
            m = b->material_count++;
            b->materials[m] = value;
            next[m] = head[cell];
            head[cell] = m;
        }
        b->material_of[i] = m;
    }
    memset(head, 0xff, CELLS * sizeof *head);
    for (int i = 0; i < recording->count; ++i) {
        paint p = { recording->form[i], b->material_of[i] };
        unsigned cell = ((unsigned)p.form * 40503u + (unsigned)p.material) * 2654435761u >> 14;
        int m = head[cell];
        while (m >= 0 && (b->paints[m].form != p.form || b->paints[m].material != p.material))
            m = next[m]; // ends: a chain is finite
        if (m < 0) {
            m = b->paint_count++;
            b->paints[m] = p;
            next[m] = head[cell];
            head[cell] = m;
        }
        b->mesh_of[i] = m;
    }
    return CAROM_OK;
}

// Times must rise strictly, also in single precision.
static carom_status choose_frames(book *b, carom_error *err)
{
    int64_t count = carom_recording_frame_count(b->recording);
    TAKE(b->recording->scratch, b->frames, count, err);
    float last = 0;
    for (int64_t m = 0; m < count; ++m) {
        carom_frame frame;
        TRY(carom_recording_frame(b->recording, m, &frame, err));
        if (m > 0 && (float)frame.time <= last)
            continue;
        b->frames[b->frame_count++] = m;
        last = (float)frame.time;
    }
    return CAROM_OK;
}

// -- arrays -------------------------------------------------------------------------------------

// Describes one array of the binary part and returns its number.
static int add_array(book *b, const char *type, int component, int64_t count, int width, int target)
{
    uint64_t size = 4 * (uint64_t)count * (uint64_t)width;
    carom_text_add(&b->views, "%s{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu",
                   b->accessors ? "," : "", (unsigned long long)b->at, (unsigned long long)size);
    if (target)
        carom_text_add(&b->views, ",\"target\":%d", target);
    carom_text_add(&b->views, "}");
    carom_text_add(&b->arrays,
                   "%s{\"bufferView\":%d,\"componentType\":%d,\"count\":%lld,\"type\":\"%s\"",
                   b->accessors ? "," : "", b->accessors, component, (long long)count, type);
    b->at += size;
    return b->accessors++;
}

static void add_limits(book *b, const float *min, const float *max, int width)
{
    for (int side = 0; side < 2; ++side) {
        carom_text_add(&b->arrays, side ? "],\"max\":[" : ",\"min\":[");
        for (int k = 0; k < width; ++k)
            carom_text_add(&b->arrays, "%s%.9g", k ? "," : "", (double)(side ? max[k] : min[k]));
    }
    carom_text_add(&b->arrays, "]");
}

static void describe_meshes(book *b)
{
    for (int f = 0; f < b->recording->form_count; ++f) {
        const carom_export_mesh *mesh = &b->meshes[f];
        add_array(b, "VEC3", FLOATS, mesh->vertex_count, 3, VERTICES);
        add_limits(b, mesh->min, mesh->max, 3);
        carom_text_add(&b->arrays, "}");
        add_array(b, "VEC3", FLOATS, mesh->vertex_count, 3, VERTICES);
        carom_text_add(&b->arrays, "}");
        add_array(b, "SCALAR", UNSIGNED, mesh->index_count, 1, INDICES);
        carom_text_add(&b->arrays, "}");
    }
    if (b->rod_count == 0)
        return;
    const float min[3] = { -1, -1, -0.5f }, max[3] = { 1, 1, 0.5f };
    add_array(b, "VEC3", FLOATS, ROD_VERTICES, 3, VERTICES);
    add_limits(b, min, max, 3);
    carom_text_add(&b->arrays, "}");
    add_array(b, "VEC3", FLOATS, ROD_VERTICES, 3, VERTICES);
    carom_text_add(&b->arrays, "}");
    add_array(b, "SCALAR", UNSIGNED, ROD_INDICES, 1, INDICES);
    carom_text_add(&b->arrays, "}");
}

// -- JSON ---------------------------------------------------------------------------------------

static void add_state(carom_text *text, const carom_recording_body *s)
{
    carom_text_add(text, ",\"translation\":[%.9g,%.9g,%.9g],\"rotation\":[%.9g,%.9g,%.9g,%.9g]",
                   s->position.x, s->position.y, s->position.z, s->rotation.x, s->rotation.y,
                   s->rotation.z, s->rotation.w);
}

// As thick as in pictures.
static double rod_radius(const book *b)
{
    return 0.004 * b->setup.radius;
}

// A node that looks along its negative z axis: `right`, `up` and `back` are its axes.
static void add_looking(carom_text *text, const char *name, const vec3 axes[3], vec3 position)
{
    carom_text_add(text, "{\"name\":\"%s\",\"matrix\":[", name);
    for (int k = 0; k < 3; ++k)
        carom_text_add(text, "%.9g,%.9g,%.9g,0,", axes[k].x, axes[k].y, axes[k].z);
    carom_text_add(text, "%.9g,%.9g,%.9g,1]", position.x, position.y, position.z);
}

// The camera and the sun of the pictures (KHR_lights_punctual).
static void add_camera(const book *b, carom_text *text)
{
    const carom_camera *camera = &b->setup.camera;
    double aspect = (double)b->setup.view.width / b->setup.view.height;
    carom_camera_frame f = carom_camera_axes(camera, aspect);
    const vec3 look[3] = { f.right, f.up, vec3_neg(f.forward) };
    add_looking(text, "camera", look, camera->from);
    carom_text_add(text, ",\"camera\":0},\n");
    vec3 up = vec3_unit(camera->up), t1, t2;
    vec3 sun = vec3_unit(vec3_axpy(vec3_axpy(up, -0.6, f.right), -0.5, f.forward));
    vec3_tangents(sun, &t1, &t2);
    add_looking(text, "sun", (const vec3[3]){ t1, t2, sun }, camera->from);
    carom_text_add(text, ",\"extensions\":{\"KHR_lights_punctual\":{\"light\":0}}},\n");
}

static carom_status add_nodes(book *b, carom_text *text, carom_error *err)
{
    carom_frame first;
    TRY(carom_recording_frame(b->recording, b->frames[0], &first, err));
    carom_text_add(text, "\"nodes\":[");
    for (int i = 0; i < b->recording->count; ++i) {
        char room[32];
        carom_recording_body state = carom_recording_state(b->recording, &first, i);
        state.rotation = quat_unit(state.rotation);
        carom_text_add(text, "{\"name\":");
        carom_text_add_quoted(text, carom_recording_name(b->recording, i, room, sizeof room));
        carom_text_add(text, ",\"mesh\":%d", b->mesh_of[i]);
        add_state(text, &state);
        carom_export_physics_node(b->recording, &first, i, text);
        carom_text_add(text, "},\n");
    }
    for (int i = 0; i < b->rod_count; ++i) {
        carom_export_rod_state rod = carom_export_rods_state(b->recording, &b->rods[i], &first);
        carom_recording_body state = { .position = rod.position, .rotation = rod.rotation };
        double radius = rod_radius(b);
        carom_text_add(text, "{\"name\":\"rod%d\",\"mesh\":%d", i, b->paint_count);
        add_state(text, &state);
        carom_text_add(text, ",\"scale\":[%.9g,%.9g,%.9g]},\n", radius, radius, rod.length);
    }
    add_camera(b, text);
    int children = b->recording->count + b->rod_count + 2;
    carom_text_add(text, "{\"name\":\"world\",\"rotation\":[-0.707106781,0,0,0.707106781]");
    for (int i = 0; i < children; ++i)
        carom_text_add(text, "%s%d", i ? "," : ",\"children\":[", i);
    carom_text_add(text, "]}],\n");
    double fov = b->setup.camera.fov / CAROM_DEGREES_PER_RADIAN;
    double far = vec3_length(vec3_sub(b->setup.camera.to, b->setup.camera.from));
    bool physics = carom_export_physics_any(b->recording);
    carom_text_add(text,
                   "\"cameras\":[{\"type\":\"perspective\",\"perspective\":{\"yfov\":%.9g,"
                   "\"znear\":%.9g}}],\n\"extensionsUsed\":[\"KHR_lights_punctual\"%s],\n"
                   "\"extensions\":{\"KHR_lights_punctual\":{\"lights\":[{\"type\":"
                   "\"directional\",\"name\":\"sun\",\"intensity\":3}]}",
                   fov, 1e-3 * far,
                   physics ? ",\"KHR_implicit_shapes\",\"KHR_physics_rigid_bodies\"" : "");
    carom_export_physics_document(b->recording, text);
    carom_text_add(text, "},\n");
    return CAROM_OK;
}

static void add_paints(const book *b, carom_text *text)
{
    if (b->paint_count == 0)
        return;
    carom_text_add(text, "\"materials\":[");
    for (int m = 0; m < b->material_count; ++m) {
        uint64_t material = b->materials[m];
        unsigned colour = (unsigned)(material & 0xffffff);
        double opacity = (double)(material >> 24 & 255) / 255;
        vec3 c = carom_colour_hex(colour);
        carom_text_add(text, "%s{\"name\":\"colour %06x", m ? ",\n" : "", colour);
        if (opacity < 1) // names tell them apart
            carom_text_add(text, " opacity %.2g\",\"alphaMode\":\"BLEND", opacity);
        carom_text_add(text,
                       "\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[%.4g,%.4g,%.4g,%.4g],"
                       "\"metallicFactor\":0,\"roughnessFactor\":%.3g}}",
                       c.x, c.y, c.z, opacity, (double)(material >> 32) / 255);
    }
    if (b->rod_count)
        carom_text_add(text,
                       ",\n{\"name\":\"rod\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.2,"
                       "0.15,0.08,1],"
                       "\"metallicFactor\":0,\"roughnessFactor\":0.8}}");
    carom_text_add(text, "],\n\"meshes\":[");
    for (int m = 0; m < b->paint_count; ++m) {
        int a = 3 * b->paints[m].form;
        carom_text_add(text,
                       "%s{\"primitives\":[{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d},"
                       "\"indices\":%d,\"material\":%d}]}",
                       m ? ",\n" : "", a, a + 1, a + 2, b->paints[m].material);
    }
    int rod = 3 * b->recording->form_count;
    if (b->rod_count)
        carom_text_add(text,
                       ",\n{\"primitives\":[{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d},"
                       "\"indices\":%d,\"material\":%d}]}",
                       rod, rod + 1, rod + 2, b->material_count);
    carom_text_add(text, "],\n");
}

// A list of times.
static int add_times(book *b, int64_t count, const float range[2])
{
    int times = add_array(b, "SCALAR", FLOATS, count, 1, 0);
    add_limits(b, &range[0], &range[1], 1);
    carom_text_add(&b->arrays, "}");
    return times;
}

// Each moving body has two channels, translation and rotation, over the times of its keys; a body
// that is removed has a third, which shrinks it to nothing. Rods have all frames.
static carom_status add_animation(book *b, carom_text *text, carom_error *err)
{
    carom_text samplers = { 0 }, channels = { 0 };
    carom_frame first, last;
    int count = 0, rod_times = -1, gone_times = -1;
    TRY(carom_recording_frame(b->recording, b->frames[0], &first, err));
    TRY(carom_recording_frame(b->recording, b->frames[b->frame_count - 1], &last, err));
    for (int i = 0; i < b->recording->count; ++i) {
        if (!is_animated(b, i))
            continue;
        const float range[2] = { (float)first.time, (float)last.time };
        if (rod_times < 0 && b->rod_count)
            rod_times = add_times(b, b->frame_count, range);
        int times = add_times(b, b->keys.count[i], range);
        static const char *const paths[] = { "translation", "rotation" };
        for (int k = 0; k < 2; ++k, ++count) {
            int values = add_array(b, k ? "VEC4" : "VEC3", FLOATS, b->keys.count[i], 3 + k, 0);
            carom_text_add(&b->arrays, "}");
            carom_text_add(&samplers, "%s{\"input\":%d,\"output\":%d}", count ? ",\n" : "", times,
                           values);
            carom_text_add(&channels, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}",
                           count ? ",\n" : "", count, i, paths[k]);
        }
        if (!carom_recording_gone(b->recording, &last, i))
            continue;
        float min = (float)first.time, max = (float)b->recording->removed[i];
        max = max > min ? max : min + 1e-6f;
        gone_times = add_array(b, "SCALAR", FLOATS, 2, 1, 0);
        add_limits(b, &min, &max, 1);
        carom_text_add(&b->arrays, "}");
        int values = add_array(b, "VEC3", FLOATS, 2, 3, 0);
        carom_text_add(&b->arrays, "}");
        carom_text_add(&samplers, ",\n{\"input\":%d,\"output\":%d,\"interpolation\":\"STEP\"}",
                       gone_times, values);
        carom_text_add(&channels, ",\n{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"scale\"}}",
                       count++, i);
    }
    for (int i = 0; i < b->rod_count && rod_times >= 0; ++i) {
        static const char *const paths[] = { "translation", "rotation", "scale" };
        for (int k = 0; k < 3; ++k, ++count) {
            int values =
                add_array(b, k == 1 ? "VEC4" : "VEC3", FLOATS, b->frame_count, k == 1 ? 4 : 3, 0);
            carom_text_add(&b->arrays, "}");
            carom_text_add(&samplers, ",\n{\"input\":%d,\"output\":%d}", rod_times, values);
            carom_text_add(&channels,
                           ",\n{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}", count,
                           b->recording->count + i, paths[k]);
        }
    }
    if (count)
        carom_text_add(text,
                       "\"animations\":[{\"name\":\"run\",\"samplers\":[%s],\"channels\":[%s]}],\n",
                       samplers.bytes, channels.bytes);
    carom_status status = carom_text_status(&samplers, err);
    if (status == CAROM_OK)
        status = carom_text_status(&channels, err);
    carom_text_free(&samplers);
    carom_text_free(&channels);
    return status;
}

static carom_status describe(book *b, carom_text *text, carom_error *err)
{
    carom_text_add(text,
                   "{\"asset\":{\"version\":\"2.0\",\"generator\":\"carom %s\"},\n"
                   "\"scene\":0,\"scenes\":[{\"nodes\":[%d],\"name\":",
                   carom_version(), b->recording->count + b->rod_count + 2);
    carom_text_add_quoted(text, carom_recording_title(b->recording));
    carom_text_add(text, "}],\n");
    TRY(add_nodes(b, text, err));
    add_paints(b, text);
    describe_meshes(b);
    if (b->frame_count > 1)
        TRY(add_animation(b, text, err));
    if (b->at > 0)
        carom_text_add(text,
                       "\"bufferViews\":[%s],\n\"accessors\":[%s],\n"
                       "\"buffers\":[{\"byteLength\":%llu}],\n",
                       b->views.bytes, b->arrays.bytes, (unsigned long long)b->at);
    carom_text_add(text, "\"extras\":{\"units\":\"SI, z up below the node world\"}}");
    while (text->length % 4 && !text->failed) // ends within three, or without memory
        carom_text_add_bytes(text, " ", 1);
    TRY(carom_text_status(&b->views, err));
    TRY(carom_text_status(&b->arrays, err));
    return carom_text_status(text, err);
}

// -- binary part --------------------------------------------------------------------------------

static carom_status put(const book *b, const void *bytes, size_t size, carom_error *err)
{
    if (size == 0 || fwrite(bytes, 1, size, b->file) == size)
        return CAROM_OK;
    carom_error_set(err, CAROM_IO_FAILED, "cannot write the file");
    return carom_error_fix(err, "look for a full disk");
}

// The same sign as before: the way from one to the next is then the short one.
static void store_rotation(quat q, float before[4], float *out)
{
    q = quat_unit(q);
    double values[4] = { q.x, q.y, q.z, q.w }, along = 0;
    for (int k = 0; k < 4; ++k)
        along += values[k] * (double)before[k];
    for (int k = 0; k < 4; ++k)
        before[k] = out[k] = (float)(along < 0 ? -values[k] : values[k]);
}

// `room`: for times, positions and rotations of all frames.
static carom_status write_motion(const book *b, int body, float *const room[3], carom_error *err)
{
    float before[4] = { 0 }, *times = room[0], *positions = room[1], *rotations = room[2];
    size_t count = 0;
    for (int64_t m = 0; m < b->frame_count; ++m) {
        carom_frame frame;
        if (!carom_export_keys_has(&b->keys, body, m))
            continue;
        TRY(carom_recording_frame(b->recording, b->frames[m], &frame, err));
        carom_recording_body s = carom_recording_state(b->recording, &frame, body);
        times[count] = (float)frame.time;
        positions[3 * count] = (float)s.position.x;
        positions[3 * count + 1] = (float)s.position.y;
        positions[3 * count + 2] = (float)s.position.z;
        store_rotation(s.rotation, before, rotations + 4 * count++);
    }
    TRY(put(b, times, count * sizeof *times, err));
    TRY(put(b, positions, 3 * count * sizeof *positions, err));
    TRY(put(b, rotations, 4 * count * sizeof *rotations, err));
    return CAROM_OK;
}

static carom_status write_gone(const book *b, int body, double start, carom_error *err)
{
    float times[2] = { (float)start, (float)b->recording->removed[body] },
          scale[6] = { 1, 1, 1, 0, 0, 0 };
    times[1] = times[1] > times[0] ? times[1] : times[0] + 1e-6f;
    TRY(put(b, times, sizeof times, err));
    return put(b, scale, sizeof scale, err);
}

static carom_status write_rod_mesh(const book *b, carom_error *err)
{
    float position[ROD_VERTICES][3], normal[ROD_VERTICES][3];
    uint32_t index[ROD_INDICES];
    for (uint32_t side = 0; side < ROD_SIDES; ++side) {
        double middle = CAROM_TWO_PI * (side + 0.5) / ROD_SIDES;
        for (uint32_t corner = 0; corner < 4; ++corner) {
            uint32_t v = 4 * side + corner;
            double angle = CAROM_TWO_PI * (side + (corner & 1)) / ROD_SIDES;
            position[v][0] = (float)cos(angle);
            position[v][1] = (float)sin(angle);
            position[v][2] = corner < 2 ? -0.5f : 0.5f;
            normal[v][0] = (float)cos(middle);
            normal[v][1] = (float)sin(middle);
            normal[v][2] = 0;
        }
        const uint32_t corners[6] = { 0, 1, 3, 0, 3, 2 };
        for (int k = 0; k < 6; ++k)
            index[6 * side + (uint32_t)k] = 4 * side + corners[k];
    }
    TRY(put(b, position, sizeof position, err));
    TRY(put(b, normal, sizeof normal, err));
    return put(b, index, sizeof index, err);
}

static carom_status write_rod(const book *b, int rod, float *positions, float *rotations,
                              float *scales, carom_error *err)
{
    float before[4] = { 0 };
    size_t count = (size_t)b->frame_count;
    for (int64_t m = 0; m < b->frame_count; ++m) {
        carom_frame frame;
        TRY(carom_recording_frame(b->recording, b->frames[m], &frame, err));
        carom_export_rod_state s = carom_export_rods_state(b->recording, &b->rods[rod], &frame);
        positions[3 * m] = (float)s.position.x;
        positions[3 * m + 1] = (float)s.position.y;
        positions[3 * m + 2] = (float)s.position.z;
        store_rotation(s.rotation, before, rotations + 4 * m);
        scales[3 * m] = scales[3 * m + 1] = (float)rod_radius(b);
        scales[3 * m + 2] = (float)s.length;
    }
    TRY(put(b, positions, 3 * count * sizeof *positions, err));
    TRY(put(b, rotations, 4 * count * sizeof *rotations, err));
    return put(b, scales, 3 * count * sizeof *scales, err);
}

static carom_status write_animation(book *b, carom_error *err)
{
    float *times, *own_times, *positions, *rotations, *scales;
    size_t count = (size_t)b->frame_count;
    bool begun = false;
    carom_frame frame = { 0 }, last;
    TAKE(b->recording->scratch, times, count, err);
    TAKE(b->recording->scratch, own_times, count, err);
    TAKE(b->recording->scratch, positions, 3 * count, err);
    TAKE(b->recording->scratch, rotations, 4 * count, err);
    TAKE(b->recording->scratch, scales, 3 * count, err);
    for (int64_t m = 0; m < b->frame_count; ++m) {
        TRY(carom_recording_frame(b->recording, b->frames[m], &frame, err));
        times[m] = (float)frame.time;
    }
    last = frame;
    for (int i = 0; i < b->recording->count; ++i) {
        if (!is_animated(b, i))
            continue;
        TRY(carom_progress_report(b->progress, i, b->recording->count, "writing", err));
        if (!begun && b->rod_count)
            TRY(put(b, times, count * sizeof *times, err));
        begun = true;
        TRY(write_motion(b, i, (float *const[3]){ own_times, positions, rotations }, err));
        if (carom_recording_gone(b->recording, &last, i))
            TRY(write_gone(b, i, (double)times[0], err));
    }
    for (int i = 0; i < b->rod_count && begun; ++i)
        TRY(write_rod(b, i, positions, rotations, scales, err));
    return CAROM_OK;
}

static carom_status write_file(book *b, const carom_text *text, carom_error *err)
{
    uint64_t total = 12 + 8 + text->length + (b->at ? 8 + b->at : 0);
    if (total > UINT32_MAX) {
        carom_error_set(err, CAROM_BAD_INPUT, "the file would have %.2f GB; GLB holds 4.29",
                        (double)total * 1e-9);
        return carom_error_fix(err, "use fewer frames with --decimate");
    }
    uint32_t head[5] = { 0x46546c67, 2, (uint32_t)total, (uint32_t)text->length, 0x4e4f534a };
    TRY(put(b, head, sizeof head, err));
    TRY(put(b, text->bytes, text->length, err));
    if (b->at == 0)
        return CAROM_OK;
    uint32_t part[2] = { (uint32_t)b->at, 0x004e4942 };
    TRY(put(b, part, sizeof part, err));
    for (int f = 0; f < b->recording->form_count; ++f) {
        const carom_export_mesh *mesh = &b->meshes[f];
        size_t size = (size_t)mesh->vertex_count * sizeof *mesh->position;
        TRY(put(b, mesh->position, size, err));
        TRY(put(b, mesh->normal, size, err));
        TRY(put(b, mesh->index, (size_t)mesh->index_count * sizeof *mesh->index, err));
    }
    if (b->rod_count)
        TRY(write_rod_mesh(b, err));
    return b->frame_count > 1 ? write_animation(b, err) : CAROM_OK;
}

static carom_status make(book *b, const carom_export_view *view, carom_text *text, carom_error *err)
{
    carom_recording *recording = b->recording;
    TRY(carom_export_setup_prepare(recording, view, &b->setup, err));
    TRY(choose_frames(b, err));
    TRY(carom_export_keys_choose(recording, b->frames, b->frame_count,
                                 carom_export_setup_tolerance(&b->setup), &b->keys, err));
    TRY(sort_paints(b, err));
    TAKE(recording->scratch, b->rods, 2 * recording->joint_count + 1, err);
    b->rod_count = b->paint_count > 0 ? carom_export_rods_list(recording, b->rods) : 0;
    TAKE(recording->scratch, b->meshes, recording->form_count + 1, err);
    for (int f = 0; f < recording->form_count; ++f)
        TRY(carom_export_mesh_make(&recording->forms[f], 6 * b->setup.radius, recording->scratch,
                                   &b->meshes[f], err));
    TRY(describe(b, text, err));
    return write_file(b, text, err);
}

carom_status carom_export_glb(carom_recording *recording, const carom_export_view *view, FILE *file,
                              const carom_progress *progress, carom_error *err)
{
    NEED(err, recording, view);
    carom_text text = { 0 };
    book b = { .recording = recording, .file = file, .progress = progress };
    carom_arena_mark mark = carom_arena_mark_here(recording->scratch);
    carom_status status = make(&b, view, &text, err);
    carom_arena_rewind(recording->scratch, mark);
    carom_text_free(&text);
    carom_text_free(&b.views);
    carom_text_free(&b.arrays);
    return status;
}
