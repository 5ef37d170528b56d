// Recordings: frames, names, forms, hidden walls, sizes; and pictures that show what they should.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "carom/export.h"
#include "export/recording.h"
#include "export/export_items.h"
#include "export/export_mesh.h"
#include "export/export_setup.h"
#include "support/check.h"

static carom_error err;

static int add(carom_world *world, const carom_shape *shape, carom_body_kind kind, vec3 at)
{
    carom_body body = carom_world_body_default();
    carom_body_id id = { .slot = -1 };
    body.shape = shape;
    body.kind = kind;
    vec3_store(at, body.position);
    body.velocity[0] = kind == CAROM_BODY_MOVING && at.x > 1.1 ? 2 : 0; // m/s, the last ball
    CHECK(carom_world_add_body(world, &body, &id, &err) == CAROM_OK, "a body: %s", err.what);
    return id.slot;
}

// A floor, two walls of one shape, nine balls of another, behind the front wall.
static carom_world *make_world(void)
{
    carom_world_options options = carom_world_options_default();
    carom_world *world;
    carom_shape *floor, *wall, *ball;
    carom_world_create(&options, &world, &err);
    carom_plane_create(&floor, &err);
    carom_box_create((double[3]){ 2, 0.05, 1 }, &wall, &err);
    carom_sphere_create(0.1, &ball, &err);
    add(world, floor, CAROM_BODY_FIXED, vec3_make(0, 0, 0));
    add(world, wall, CAROM_BODY_FIXED, vec3_make(0, -1, 1));
    add(world, wall, CAROM_BODY_FIXED, vec3_make(0, 1, 1));
    for (int i = 0; i < 9; ++i)
        add(world, ball, CAROM_BODY_MOVING, vec3_make(0.3 * (i - 4), 0, 0.3));
    carom_shape_release(floor);
    carom_shape_release(wall);
    carom_shape_release(ball);
    return world;
}

static void check_recording(carom_recording *recording)
{
    char room[32];
    carom_frame frame;
    CHECK(carom_recording_body_count(recording) == 12 && recording->form_count == 3,
          "equal shapes are one form");
    CHECK(recording->forms[2].users == 9, "nine balls share it");
    CHECK(carom_recording_frame_count(recording) == 1, "a world is one frame");
    CHECK(carom_recording_frame(recording, 1, &frame, &err) == CAROM_BAD_INPUT,
          "there is no second one");
    CHECK(carom_recording_frame(recording, 0, &frame, &err) == CAROM_OK, "but the first");
    CHECK_NEAR(frame.ledger.momentum[0], recording->mass[11] * 2, 1e-12 * recording->mass[11],
               "the ledger knows the momentum at the start, to round-off");
    CHECK_TEXT(carom_recording_name(recording, 3, room, sizeof room), "body3", "named by number");
    CHECK(carom_recording_set_body(recording, 3, "ball", 0x123456, &err) == CAROM_OK,
          "a name is given");
    CHECK_TEXT(carom_recording_name(recording, 3, room, sizeof room), "ball", "and used");
    CHECK(carom_recording_set_body(recording, 12, "x", -1, &err) == CAROM_BAD_INPUT,
          "body 12 does not exist");
}

// The surface of a ball: closed, outward, on the sphere.
static void check_mesh(carom_recording *recording)
{
    carom_export_mesh mesh;
    CHECK(carom_export_mesh_make(&recording->forms[2], 1, recording->scratch, &mesh, &err) ==
              CAROM_OK,
          "a mesh is made");
    double volume = 0, off = 0, tilt = 1;
    for (int t = 0; t < mesh.index_count; t += 3) {
        vec3 p[3];
        for (int k = 0; k < 3; ++k) {
            const float *x = mesh.position[mesh.index[t + k]], *n = mesh.normal[mesh.index[t + k]];
            p[k] = vec3_make((double)x[0], (double)x[1], (double)x[2]);
            vec3 normal = vec3_make((double)n[0], (double)n[1], (double)n[2]);
            off = fmax(off, fabs(vec3_length(p[k]) - 0.1));
            tilt = fmin(tilt, vec3_dot(normal, vec3_unit(p[k])));
        }
        volume += vec3_dot(p[0], vec3_cross(p[1], p[2])) / 6;
    }
    CHECK_MOST(off, 1e-7, "corners lie on the ball, in single precision");
    CHECK(tilt > 0.99, "normals point outwards: %g", tilt);
    // 48 sides: a polygon of 48 sides has 0.9971 of its circle's area, the ball a little less
    CHECK_NEAR(volume, 4 / 3. * acos(-1) * 1e-3, 0.02 * 4.2e-3,
               "the volume of the ball, a little low");
}

static void check_walls(carom_recording *recording)
{
    carom_export_view view = carom_export_view_default();
    carom_export_setup setup;
    CHECK(carom_export_setup_prepare(recording, &view, &setup, &err) == CAROM_OK, "a setup: %s",
          err.what);
    bool front = setup.hidden[1] != 0, back = setup.hidden[2] != 0;
    CHECK(front != back, "exactly the wall between camera and balls is left out");
    CHECK(!front == (setup.camera.from.y > 0), "and it is the one on the camera's side");
    CHECK(setup.hidden[0] == 0, "a plane is never left out");
    view.walls = 1;
    carom_export_setup_prepare(recording, &view, &setup, &err);
    CHECK(setup.hidden[1] == 0 && setup.hidden[2] == 0, "walls stay where asked for");
    view.has_from = view.has_to = 1;
    vec3_store(vec3_make(1, 2, 3), view.from);
    vec3_store(vec3_make(4, 5, 6), view.to);
    carom_export_setup_prepare(recording, &view, &setup, &err);
    CHECK(setup.camera.from.x == 1 && setup.camera.to.z == 6, "a given camera is used");
    view.fov = 0;
    CHECK(carom_export_setup_prepare(recording, &view, &setup, &err) == CAROM_BAD_INPUT,
          "no field of view");
    view = carom_export_view_default();
    view.width = 3;
    CHECK(carom_export_setup_prepare(recording, &view, &setup, &err) == CAROM_BAD_INPUT,
          "too small");
}

static carom_status write_vtp(carom_recording *recording, FILE *file)
{
    carom_status status = CAROM_OK;
    for (int part = 0; part < CAROM_EXPORT_VTP_PARTS && status == CAROM_OK; ++part)
        status = carom_export_vtp(recording, (carom_export_vtp_part)part, 0, file, &err);
    return status;
}

// Bytes written against bytes foretold.
static void check_sizes(carom_recording *recording)
{
    carom_export_view view = carom_export_view_default();
    view.width = 320;
    view.height = 180;
    for (int k = 0; k < 4; ++k) {
        static const carom_export_format formats[] = { CAROM_EXPORT_CSV, CAROM_EXPORT_NPZ,
                                                       CAROM_EXPORT_GLB, CAROM_EXPORT_VTP };
        static const char *const names[] = { "csv", "npz", "glb", "vtp" };
        FILE *file = tmpfile();
        carom_status status = k == 0   ? carom_export_csv(recording, file, NULL, &err)
                              : k == 1 ? carom_export_npz(recording, file, NULL, &err)
                              : k == 2 ? carom_export_glb(recording, &view, file, NULL, &err)
                                       : write_vtp(recording, file);
        CHECK(status == CAROM_OK, "%s is written: %s", names[k], err.what);
        double real = (double)ftell(file),
               told = carom_export_size(recording, formats[k], &view, NULL);
        // One frame is the worst case: fronts of files count; above a megabyte it is within two.
        CHECK(told > real / 6 && told < real * 6, "%s: %g bytes foretold, %g written", names[k],
              told, real);
        fclose(file);
    }
    carom_export_pace pace = { .rate = 30, .speed = 1, .follow = -1 };
    recording->stride = 1;
    CHECK(carom_export_size(recording, CAROM_EXPORT_MP4, &view, &pace) > 0,
          "a video of one picture");
}

static int stop_at_once(void *context, double done, double total, const char *what)
{
    (void)context, (void)done, (void)total, (void)what;
    return 1;
}

static void check_trajectory(carom_world *world, carom_recording *recording)
{
    char path[64];
    snprintf(path, sizeof path, "build/test-export-%ld.carom", (long)getpid());
    carom_recorder *recorder;
    carom_trajectory *trajectory;
    carom_frame frame;
    remove(path);
    CHECK(carom_recorder_create(path, 1, &recorder, &err) == CAROM_OK, "a recorder: %s", err.what);
    carom_recorder_close(recorder);
    CHECK(carom_trajectory_open(path, &trajectory, &err) == CAROM_OK, "opens without a record");
    CHECK(carom_recording_set_trajectory(recording, trajectory, &err) == CAROM_BAD_INPUT &&
              strstr(err.what, "no frame"),
          "and the recording says that there is nothing to see");
    carom_trajectory_close(trajectory);
    carom_recorder_create(path, 1, &recorder, &err);
    for (int i = 0; i < 10; ++i) {
        carom_recorder_frame(recorder, world, &err);
        CHECK(carom_world_step(world, .01, &err) == CAROM_OK, "a step: %s", err.what);
    }
    carom_recorder_close(recorder);
    carom_trajectory_open(path, &trajectory, &err);
    CHECK(carom_recording_set_trajectory(recording, trajectory, &err) == CAROM_OK, "ten frames: %s",
          err.what);
    CHECK(carom_recording_frame_count(recording) == 10, "as many as frames");
    CHECK(carom_recording_nearest(recording, 0.0349) == 3 &&
              carom_recording_nearest(recording, 0.0351) == 4 &&
              carom_recording_nearest(recording, -1) == 0 &&
              carom_recording_nearest(recording, 7) == 9,
          "the nearest frame");
    carom_recording_decimate(recording, 4);
    CHECK(carom_recording_frame_count(recording) == 3, "0, 4 and 8 of ten");
    CHECK(carom_recording_frame(recording, 2, &frame, &err) == CAROM_OK && frame.step == 8,
          "the third is 8");
    double gone[12];
    for (int i = 0; i < 12; ++i)
        gone[i] = i == 5 ? 0.05 : HUGE_VAL;
    recording->removed = gone;
    carom_tracer_item items[2];
    CHECK(carom_export_items_body(recording, &frame, 5, items) == 0 &&
              carom_export_items_body(recording, &frame, 6, items) == 1,
          "a removed body is not drawn");
    carom_progress impatient = { stop_at_once, NULL };
    FILE *file = tmpfile();
    CHECK(carom_export_csv(recording, file, &impatient, &err) == CAROM_INTERRUPTED,
          "stops when asked");
    fclose(file);
    recording->removed = NULL;
    carom_trajectory_close(trajectory);
    recording->trajectory = NULL;
    remove(path);
}

// A picture of a scene that is mirror symmetric about x = 0, taken straight from the front, is
// symmetric up to the sun, which stands at the left: every ball is where its mirror image is.
static void check_picture(carom_recording *recording)
{
    carom_export_view view = carom_export_view_default();
    carom_export_setup setup;
    carom_image image;
    carom_frame frame;
    view.width = 192;
    view.height = 108;
    view.label = 0;
    view.has_from = view.has_to = 1;
    vec3_store(vec3_make(0, -6, 0.5), view.from);
    vec3_store(vec3_make(0, 0, 0.5), view.to);
    view.colour = CAROM_EXPORT_COLOUR_MASS; // one colour
    carom_recording_decimate(recording, 1);
    carom_recording_frame(recording, 0, &frame, &err);
    carom_recording_set_body(recording, 3, NULL, -1, &err);
    CHECK(carom_export_setup_prepare(recording, &view, &setup, &err) == CAROM_OK, "a setup: %s",
          err.what);
    CHECK(carom_image_create(192, 108, recording->scratch, &image, &err) == CAROM_OK, "an image");
    CHECK(carom_export_setup_draw(&setup, &frame, &image, &err) == CAROM_OK, "drawn: %s", err.what);
    int yellow = 0, odd = 0;
    for (int y = 0; y < 108; ++y)
        for (int x = 0; x < 192; ++x) {
            const unsigned char *p = image.rgb + 3 * (y * 192 + x);
            const unsigned char *q = image.rgb + 3 * (y * 192 + 191 - x);
            bool here = p[0] > p[2] + 40, there = q[0] > q[2] + 40; // red well above blue
            yellow += here;
            odd += here != there;
        }
    CHECK(yellow > 300, "the balls are seen: %d pixels", yellow);
    CHECK(odd < yellow / 8, "left as right but for rims in shadow: %d of %d", odd, yellow);
}

static double brightness(const carom_image *image)
{
    double sum = 0;
    for (int i = 0; i < 3 * 192 * 108; ++i)
        sum += image->rgb[i];
    return sum;
}

static carom_status draw(carom_recording *recording, carom_image *image)
{
    carom_export_view view = carom_export_view_default();
    carom_export_setup setup;
    carom_frame frame;
    view.width = 192;
    view.height = 108;
    TRY(carom_recording_frame(recording, 0, &frame, &err));
    TRY(carom_export_setup_prepare(recording, &view, &setup, &err));
    TRY(carom_image_create(192, 108, recording->scratch, image, &err));
    return carom_export_setup_draw(&setup, &frame, image, &err);
}

// Half the strength is darker than all of it; a body of opacity 0 leaves its picture.
static void check_looks_and_lights(carom_recording *recording)
{
    carom_light light = { .direction = { 3, 0, -4 }, .colour = 0xffffff, .strength = 1 };
    carom_image full, half, without;
    CHECK(carom_recording_set_lights(recording, &light, 1, &err) == CAROM_OK, "a light: %s",
          err.what);
    CHECK_NEAR(recording->lights[0].direction[0], 0.6, 1e-15, "its direction is a unit vector");
    CHECK(draw(recording, &full) == CAROM_OK, "drawn: %s", err.what);
    light.strength = 0.5;
    carom_recording_set_lights(recording, &light, 1, &err);
    CHECK(draw(recording, &half) == CAROM_OK, "drawn: %s", err.what);
    CHECK(brightness(&half) < 0.95 * brightness(&full), "half the light is darker: %g of %g",
          brightness(&half), brightness(&full));
    carom_look look = { .colour = 0xff0000, .opacity = 0, .roughness = 0.5 };
    for (int i = 3; i < 12; ++i)
        CHECK(carom_recording_set_look(recording, i, look, &err) == CAROM_OK, "a look: %s",
              err.what);
    CHECK(draw(recording, &without) == CAROM_OK, "drawn: %s", err.what);
    CHECK(memcmp(half.rgb, without.rgb, 3 * 192 * 108) != 0, "the balls are gone");
    light.direction[2] = light.direction[0] = 0;
    CHECK(carom_recording_set_lights(recording, &light, 1, &err) == CAROM_BAD_INPUT,
          "a light without direction");
    CHECK(carom_recording_set_lights(recording, &light, CAROM_LIGHT_MAX + 1, &err) ==
              CAROM_BAD_INPUT,
          "too many lights");
    look.opacity = 1.5;
    CHECK(carom_recording_set_look(recording, 3, look, &err) == CAROM_BAD_INPUT &&
              recording->look[3].opacity == 0,
          "more than opaque: refused, and left as it was");
    look.opacity = 1;
    CHECK(carom_recording_set_look(recording, 12, look, &err) == CAROM_BAD_INPUT, "no body 12");
    look.colour = -1;
    for (int i = 3; i < 12; ++i)
        carom_recording_set_look(recording, i, look, &err);
    carom_recording_set_lights(recording, NULL, 0, &err);
}

// Every quantity that is listed can be asked for by the name that it is listed by.
static void check_curves(carom_recording *recording)
{
    const int ball = 11; // the one that moves: 2 m/s along x
    int count = 0;
    for (const char *name; (name = carom_export_curves_word(count)); ++count) {
        carom_export_curves what = {
            .quantities = &name, .quantity_count = 1, .bodies = &ball, .body_count = 1, .csv = 1
        };
        carom_text out = { 0 };
        CHECK(carom_export_curves_draw(recording, &what, &out, &err) == CAROM_OK, "%s: %s", name,
              err.what);
        CHECK(out.bytes && strstr(out.bytes, "\n0,"), "%s has a row at the start", name);
        if (strcmp(name, "speed") == 0)
            CHECK(out.bytes && strstr(out.bytes, "\n0,2\n"), "2 m/s: %s", out.bytes);
        carom_text_free(&out);
    }
    CHECK(count >= 20, "%d quantities", count);
    CHECK(!carom_export_curves_word(-1), "none before the first");
}

int main(void)
{
    carom_world *world = make_world();
    carom_recording *recording;
    CHECK(carom_recording_create(world, &recording, &err) == CAROM_OK, "a recording: %s", err.what);
    check_recording(recording);
    check_mesh(recording);
    check_walls(recording);
    check_sizes(recording);
    check_picture(recording);
    check_looks_and_lights(recording);
    check_curves(recording);
    check_trajectory(world, recording);
    carom_recording_destroy(recording);
    carom_world_destroy(world);
    return check_report();
}
