// Videos: pictures drawn one after the other and piped to ffmpeg, which need not be there.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/progress.h"
#include "export/export_setup.h"

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
        carom_error_fix(err, "check that this ffmpeg has libx264 and that the disk is not full");
    }
    if (e->messages)
        fclose(e->messages);
    return status;
}

static carom_status draw_all(carom_recording *recording, const carom_export_view *view,
                             const carom_export_pace *pace, const encoder *e,
                             const carom_progress *progress, carom_error *err)
{
    carom_export_setup setup;
    carom_image image;
    carom_frame first, last;
    TRY(carom_export_setup_prepare(recording, view, &setup, err));
    TRY(carom_image_create(view->width, view->height, recording->scratch, &image, err));
    TRY(carom_recording_frame(recording, 0, &first, err));
    TRY(carom_recording_frame(recording, carom_recording_frame_count(recording) - 1, &last, err));
    double step = pace->speed / pace->rate;
    int64_t count = (int64_t)((last.time - first.time) / step + 1e-9) + 1, drawn = -1;
    setup.progress = progress;
    setup.total = (double)count;
    for (int64_t k = 0; k < count; ++k) {
        TRY(carom_progress_report(progress, (double)k, (double)count, "drawing", err));
        setup.done = (double)k;
        int64_t index = carom_recording_nearest(recording, first.time + (double)k * step);
        if (index != drawn)
            TRY(carom_export_png_frame(&setup, index, &image, err));
        drawn = index;
        TRY(feed(e, image.rgb, 3 * (size_t)image.width * (size_t)image.height));
    }
    return CAROM_OK;
}

carom_status carom_export_mp4(carom_recording *recording, const carom_export_view *view,
                              const carom_export_pace *pace, const char *path,
                              const carom_progress *progress, carom_error *err)
{
    NEED(err, view, pace);
    char size[32], rate[32];
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
    snprintf(size, sizeof size, "%dx%d", view->width, view->height);
    snprintf(rate, sizeof rate, "%g", pace->rate);
    // posix_spawn takes pointers to characters it does not change.
    char *arguments[] = { "ffmpeg",   "-hide_banner", "-loglevel",
                          "error",    "-y",           "-f",
                          "rawvideo", "-pix_fmt",     "rgb24",
                          "-s",       size,           "-r",
                          rate,       "-i",           "-",
                          "-an",      "-c:v",         "libx264",
                          "-pix_fmt", "yuv420p",      "-crf",
                          "18",       "-movflags",    "+faststart",
                          "-f",       "mp4",          (char *)(uintptr_t)path,
                          NULL };
    encoder e = { 0 };
    carom_arena_mark mark = carom_arena_mark_here(recording->scratch);
    carom_status status = start(&e, arguments, err);
    if (status == CAROM_OK)
        status = draw_all(recording, view, pace, &e, progress, err);
    carom_arena_rewind(recording->scratch, mark);
    return finish(&e, status, err);
}
