// Videos: pictures drawn one after the other and piped to ffmpeg, which need not be there.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/progress.h"
#include "export/export_blur.h"
#include "math/constants.h"
#include "math/trig.h"

extern char **environ;

typedef struct encoder {
    pid_t process;
    int pipe;       // to its standard input
    FILE *messages; // what it complained about
    struct sigaction before;
} encoder;

static carom_status start(encoder *e, char *const arguments[], carom_error *err)
{
    int ends[2];
    e->messages = tmpfile();
    if (!e->messages || pipe(ends) != 0)
        return carom_error_set(err, CAROM_IO_FAILED, "cannot start ffmpeg: %s", strerror(errno));
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, fileno(e->messages), STDERR_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawnattr_init(&attributes);
    // Its own group: Ctrl-C reaches us, and we end it.
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    int failed = posix_spawnp(&e->process, "ffmpeg", &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(ends[0]);
    e->pipe = ends[1];
    // Where ffmpeg ends early, writing must fail instead of ending this process.
    sigaction(SIGPIPE, &(struct sigaction){ .sa_handler = SIG_IGN }, &e->before);
    if (failed == 0)
        return CAROM_OK;
    e->process = 0;
    carom_error_set(err, CAROM_IO_FAILED, "videos are made by ffmpeg, which cannot be started: %s",
                    strerror(failed));
    return carom_error_fix(err,
                           "install ffmpeg (Debian: apt-get install ffmpeg), or use --to html, "
                           "glb or png --frames");
}

static carom_status feed(const encoder *e, const unsigned char *bytes, size_t size)
{
    for (size_t done = 0; done < size;) { // ends: writes or fails
        ssize_t now = write(e->pipe, bytes + done, size - done);
        if (now < 0 && errno == EINTR)
            continue;
        if (now <= 0)
            return CAROM_IO_FAILED;
        done += (size_t)now;
    }
    return CAROM_OK;
}

// Waits for the end and reports what ffmpeg said where it failed.
static carom_status finish(encoder *e, carom_status status, carom_error *err)
{
    int code = 0;
    if (e->pipe > 0)
        close(e->pipe);
    if (e->process > 0) {
        if (status != CAROM_OK)
            kill(e->process, SIGTERM);
        while (waitpid(e->process, &code, 0) < 0 && errno == EINTR) {
        }
        sigaction(SIGPIPE, &e->before, NULL);
    }
    bool said = status == CAROM_IO_FAILED || (status == CAROM_OK && code != 0);
    if (e->process > 0 && said) {
        char words[96] = "";
        rewind(e->messages);
        size_t length = fread(words, 1, sizeof words - 1, e->messages);
        words[length] = 0;
        words[strcspn(words, "\r\n")] = 0;
        status = carom_error_set(err, CAROM_IO_FAILED, "ffmpeg failed: %s",
                                 *words ? words : "it gave no reason");
        carom_error_fix(err,
                        "check that this ffmpeg has libx264 (mp4) or libvpx-vp9 (webm) and that "
                        "the disk is not full");
    }
    if (e->messages)
        fclose(e->messages);
    return status;
}

// -- pictures -----------------------------------------------------------------------------------

typedef struct shot {
    carom_recording *recording;
    const carom_export_pace *pace;
    carom_export_setup setup;
    carom_camera start; // where the camera is at first
    double first, last; // s
    carom_image image;
    carom_export_blur blur;
    carom_tracer_memory *memory;
} shot;

static vec3 turned(vec3 v, vec3 axis, double degrees)
{
    double angle = degrees / CAROM_DEGREES_PER_RADIAN, c = carom_trig_cos(angle);
    vec3 across = vec3_cross(axis, v);
    vec3 along = vec3_scale((1 - c) * vec3_dot(axis, v), axis);
    return vec3_add(vec3_axpy(vec3_scale(c, v), carom_trig_sin(angle), across), along);
}

// The slope of a number at a key: towards the next one but one; at the ends none.
static double slope_at(const carom_export_pace *pace, int key, int number)
{
    const double(*k)[7] = pace->keys;
    if (key == 0 || key == pace->key_count - 1)
        return 0;
    return (k[key + 1][number] - k[key - 1][number]) / (k[key + 1][0] - k[key - 1][0]);
}

// A cubic between two keys with these slopes (Catmull and Rom 1974); before the first and after the
// last the camera stays.
static void follow_keys(const carom_export_pace *pace, double time, carom_camera *camera)
{
    const double(*k)[7] = pace->keys;
    int i = 0, last = pace->key_count - 1;
    double v[7];
    while (i < last && time >= k[i + 1][0])
        ++i;
    for (int n = 1; n < 7; ++n) {
        v[n] = k[i][n];
        if (i == last || time <= k[0][0])
            continue;
        double span = k[i + 1][0] - k[i][0], t = (time - k[i][0]) / span;
        double rise = k[i + 1][n] - k[i][n];
        double a = slope_at(pace, i, n) * span - rise, b = rise - slope_at(pace, i + 1, n) * span;
        v[n] += t * rise + t * (1 - t) * (a * (1 - t) + b * t);
    }
    camera->from = vec3_from(v + 1);
    camera->to = vec3_from(v + 4);
}

// The camera of a picture: round what it looks at, or along with a body.
static carom_status place_camera(shot *s, double time, const carom_frame *frame, carom_error *err)
{
    carom_camera *camera = &s->setup.camera;
    double share = s->last > s->first ? (time - s->first) / (s->last - s->first) : 0;
    *camera = s->start;
    if (s->pace->key_count > 0) {
        follow_keys(s->pace, time, camera);
        return CAROM_OK;
    }
    vec3 away = vec3_sub(s->start.from, s->start.to);
    camera->from =
        vec3_add(s->start.to, turned(away, vec3_unit(s->start.up), s->pace->orbit * share));
    if (s->pace->follow < 0)
        return CAROM_OK;
    carom_frame begin;
    TRY(carom_recording_frame(s->recording, 0, &begin, err));
    vec3 way = vec3_sub(carom_recording_state(s->recording, frame, s->pace->follow).position,
                        carom_recording_state(s->recording, &begin, s->pace->follow).position);
    camera->from = vec3_add(camera->from, way);
    camera->to = vec3_add(camera->to, way);
    return CAROM_OK;
}

static carom_status draw_one(shot *s, double time, int64_t index, carom_error *err)
{
    carom_frame frame;
    TRY(carom_recording_frame(s->recording, index, &frame, err));
    TRY(place_camera(s, time, &frame, err));
    return carom_export_png_frame(&s->setup, index, &s->image, err);
}

// The time before a picture while the shutter is open.
static carom_status draw_blurred(shot *s, double time, double open, carom_error *err)
{
    carom_frame frame;
    TRY(carom_recording_frame(s->recording, carom_recording_nearest(s->recording, time), &frame,
                              err));
    TRY(place_camera(s, time, &frame, err));
    double span[2] = { fmax(time - open, s->first), time };
    TRY(carom_export_blur_draw(&s->blur, &s->setup, span, &s->image, &frame, err));
    carom_export_png_label(&s->setup, &frame, &s->image);
    return CAROM_OK;
}

static carom_status prepare(shot *s, const carom_export_view *view, carom_error *err)
{
    carom_frame first, last;
    carom_recording *r = s->recording;
    TRY(carom_export_setup_prepare(r, view, &s->setup, err));
    TRY(carom_image_create(view->width, view->height, r->scratch, &s->image, err));
    TRY(carom_export_png_font(r, view, err));
    TRY(carom_export_blur_make(r, &s->image, &s->blur, err));
    TRY(carom_recording_frame(r, 0, &first, err));
    TRY(carom_recording_frame(r, carom_recording_frame_count(r) - 1, &last, err));
    s->first = first.time;
    s->last = last.time;
    s->start = s->setup.camera;
    s->setup.memory = s->memory; // null: every picture is drawn whole
    return CAROM_OK;
}

static carom_status draw_all(shot *s, const carom_export_view *view, const encoder *e,
                             const carom_progress *progress, carom_error *err)
{
    TRY(prepare(s, view, err));
    double step = s->pace->speed / s->pace->rate;
    int64_t count = (int64_t)((s->last - s->first) / step + 1e-9) + 1, drawn = -1;
    bool still = s->pace->orbit == 0 && s->pace->key_count == 0;
    s->setup.progress = progress;
    s->setup.total = (double)count;
    for (int64_t k = 0; k < count; ++k) {
        double time = s->first + (double)k * step;
        TRY(carom_progress_report(progress, (double)k, (double)count, "drawing", err));
        s->setup.done = (double)k;
        int64_t index = carom_recording_nearest(s->recording, time);
        if (s->pace->shutter > 0)
            TRY(draw_blurred(s, time, s->pace->shutter * step, err));
        else if (index != drawn || !still)
            TRY(draw_one(s, time, index, err));
        drawn = index;
        TRY(feed(e, s->image.rgb, 3 * (size_t)s->image.width * (size_t)s->image.height));
    }
    return CAROM_OK;
}

// -- ffmpeg's arguments -------------------------------------------------------------------------

static carom_status check(const carom_recording *recording, const carom_export_view *view,
                          const carom_export_pace *pace, carom_error *err)
{
    if (view->width % 2 || view->height % 2 || view->width > 8192 || view->height > 8192) {
        carom_error_set(err, CAROM_BAD_INPUT, "a video of %d x %d pixels cannot be made",
                        view->width, view->height);
        return carom_error_fix(err, "give an even width and height of at most 8192 pixels");
    }
    if (!(pace->rate > 0 && pace->rate <= 1000 && pace->speed > 0 && pace->speed < HUGE_VAL)) {
        carom_error_set(err, CAROM_BAD_INPUT, "%g pictures per second at speed %g", pace->rate,
                        pace->speed);
        return carom_error_fix(err, "give a rate up to 1000 and a speed above 0");
    }
    for (int i = 0; i + 1 < pace->key_count; ++i)
        if (!(pace->keys[i + 1][0] > pace->keys[i][0])) {
            carom_error_set(err, CAROM_BAD_INPUT,
                            "key %d of the camera is at %g s, not later than "
                            "the one before",
                            i + 2, pace->keys[i + 1][0]);
            return carom_error_fix(err, "give the keys in the order of their times");
        }
    if (pace->follow >= recording->count || !(pace->shutter >= 0 && pace->shutter <= 1)) {
        carom_error_set(err, CAROM_BAD_INPUT, "body %d followed, shutter %g", pace->follow,
                        pace->shutter);
        return carom_error_fix(err,
                               "give a body of the recording or -1, and a shutter from 0 to 1");
    }
    return CAROM_OK;
}

// Pictures come in through the pipe; `path` goes last. Preset veryfast: for such pictures files of
// the same size as the usual one, in less than half of the time.
static const char *const mp4[] = { "-an",        "-c:v",    "libx264", "-preset", "veryfast",
                                   "-pix_fmt",   "yuv420p", "-crf",    "18",      "-movflags",
                                   "+faststart", "-f",      "mp4",     NULL };
static const char *const webm[] = { "-an",  "-c:v", "libvpx-vp9", "-pix_fmt", "yuv420p",
                                    "-crf", "30",   "-b:v",       "0",        "-row-mt",
                                    "1",    "-f",   "webm",       NULL };
// Colours of its own for the moving parts; a fine ordered pattern between them, which compresses.
static const char *const gif[] = {
    "-vf",
    "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=bayer:bayer_scale=5",
    "-loop",
    "0",
    "-f",
    "gif",
    NULL
};

carom_status carom_export_video(carom_recording *recording, const carom_export_view *view,
                                const carom_export_pace *pace, carom_export_format format,
                                const char *path, const carom_progress *progress, carom_error *err)
{
    NEED(err, recording, view, pace, path);
    TRY(check(recording, view, pace, err));
    char size[32], rate[32];
    snprintf(size, sizeof size, "%dx%d", view->width, view->height);
    snprintf(rate, sizeof rate, "%g", pace->rate);
    const char *const *coding = format == CAROM_EXPORT_WEBM  ? webm
                                : format == CAROM_EXPORT_GIF ? gif
                                                             : mp4;
    const char *arguments[40] = { "ffmpeg", "-hide_banner", "-loglevel", "error", "-y",
                                  "-f",     "rawvideo",     "-pix_fmt",  "rgb24", "-s",
                                  size,     "-r",           rate,        "-i",    "-" };
    int count = 15;
    for (int i = 0; coding[i]; ++i)
        arguments[count++] = coding[i];
    arguments[count] = path;
    encoder e = { 0 };
    shot s = { .recording = recording, .pace = pace, .memory = carom_tracer_memory_create() };
    carom_arena_mark mark = carom_arena_mark_here(recording->scratch);
    // posix_spawn takes pointers to characters it does not change.
    carom_status status = start(&e, (char *const *)(uintptr_t)arguments, err);
    if (status == CAROM_OK)
        status = draw_all(&s, view, &e, progress, err);
    carom_tracer_memory_destroy(s.memory);
    carom_arena_rewind(recording->scratch, mark);
    return finish(&e, status, err);
}
