// Engines as programs: starting one, asking it, ending it; see carom/engine.h.
//
// A question is one line, a list of scenes; the answer to each ends with an empty line. There is
// never more than one question under way, and a program reads all of it before it answers, so that
// neither side waits for room in a pipe while the other does.
#include "carom/engine.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "base/error.h"
#include "base/text.h"

extern char **environ;

// Longest line of an answer; bytes that are read at a time; ms without a byte until an engine
// counts as stuck.
enum { LINE = 1024, BUFFER = 65536, PATIENCE = 120000 };

struct carom_engine {
    pid_t process;
    int question, answer; // its standard input and output
    size_t used, filled;  // of the bytes that were read
    char bytes[BUFFER];
    char name[96]; // as it introduced itself
    char program[256];
    carom_text text; // the question at work
};

static carom_status broken(const carom_engine *e, const char *what, carom_error *err)
{
    carom_error_set(err, CAROM_IO_FAILED, "the engine %s", what);
    carom_error_where(err, "%s", e->program);
    return carom_error_fix(err,
                           "run it by hand with a scene (docs/engines.md) and see what it says");
}

// -- the process -----------------------------------------------------------------------------

static int spawn_process(carom_engine *e, const int in[2], const int out[2])
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    bool script = carom_text_ends_with(e->program, ".mjs");
    char *arguments[3] = { script ? "node" : e->program, script ? e->program : NULL, NULL };
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes);
    // Its own group: Ctrl-C reaches us, and we end it.
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    int failed = posix_spawnp(&e->process, arguments[0], &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failed;
}

static carom_status start(carom_engine *e, carom_error *err)
{
    int in[2] = { -1, -1 }, out[2] = { -1, -1 };
    if (pipe(in) != 0 || pipe(out) != 0)
        return carom_error_set(err, CAROM_IO_FAILED, "no pipe to an engine: %s", strerror(errno));
    for (int i = 0; i < 2; ++i) {
        fcntl(in[i], F_SETFD, FD_CLOEXEC);
        fcntl(out[i], F_SETFD, FD_CLOEXEC);
    }
    int failed = spawn_process(e, in, out);
    close(in[0]);
    close(out[1]);
    e->question = in[1];
    e->answer = out[0];
    if (failed == 0)
        return CAROM_OK;
    e->process = 0;
    carom_error_set(err, CAROM_IO_FAILED, "the engine cannot be started: %s", strerror(failed));
    carom_error_where(err, "%s", e->program);
    return carom_error_fix(err, "name a program that speaks the protocol of docs/engines.md");
}

// The next line with its end, cut to `size`; false where the engine has ended or is stuck.
static bool read_line(carom_engine *e, char *line, size_t size)
{
    size_t length = 0;
    for (;;) { // ends: with the line, or with the engine
        if (e->used == e->filled) {
            struct pollfd ready = { .fd = e->answer, .events = POLLIN };
            int waited = poll(&ready, 1, PATIENCE);
            ssize_t more = waited > 0 ? read(e->answer, e->bytes, sizeof e->bytes) : -1;
            if ((waited < 0 || more < 0) && errno == EINTR)
                continue;
            if (more <= 0)
                return false;
            e->used = 0;
            e->filled = (size_t)more;
        }
        char c = e->bytes[e->used++];
        if (length + 1 < size)
            line[length++] = c;
        line[length] = '\0';
        if (c == '\n')
            return true;
    }
}

carom_status carom_engine_open(const char *program, carom_engine **out, carom_error *err)
{
    NEED(err, program, out);
    *out = NULL;
    carom_engine *e = calloc(1, sizeof *e);
    if (!e)
        return carom_error_no_memory(err, "an engine");
    e->question = e->answer = -1;
    snprintf(e->program, sizeof e->program, "%.255s", program);
    carom_status status = start(e, err);
    if (status == CAROM_OK && !read_line(e, e->name, sizeof e->name))
        status = broken(e, "ended before it said its name", err);
    e->name[strcspn(e->name, "\r\n")] = '\0';
    if (status != CAROM_OK) {
        carom_engine_close(e);
        return status;
    }
    *out = e;
    return CAROM_OK;
}

const char *carom_engine_name(const carom_engine *engine)
{
    return engine ? engine->name : "";
}

void carom_engine_close(carom_engine *engine)
{
    int code;
    if (!engine)
        return;
    if (engine->question >= 0)
        close(engine->question);
    if (engine->process > 0) {
        kill(engine->process, SIGTERM);
        while (waitpid(engine->process, &code, 0) < 0 && errno == EINTR) {
        }
    }
    if (engine->answer >= 0)
        close(engine->answer);
    carom_text_free(&engine->text);
    free(engine);
}

// -- the question ----------------------------------------------------------------------------

static void add_numbers(carom_text *text, const char *key, const double *numbers, int count)
{
    carom_text_add(text, ",\"%s\":[", key);
    for (int i = 0; i < count; ++i) {
        carom_text_add_bytes(text, ",", i > 0);
        carom_text_add_number(text, numbers[i]);
    }
    carom_text_add_bytes(text, "]", 1);
}

static void add_number(carom_text *text, const char *key, double number)
{
    carom_text_add(text, ",\"%s\":", key);
    carom_text_add_number(text, number);
}

static void write_body(carom_text *text, const carom_engine_body *b)
{
    static const char *const shapes[] = { "plane", "sphere", "box" };
    carom_text_add(text, "{\"shape\":\"%s\"", WORD_OF(shapes, b->shape));
    add_numbers(text, "size", b->size, 3);
    add_numbers(text, "offset", b->offset, 3);
    add_number(text, "mass", b->mass);
    add_numbers(text, "inertia", b->inertia, 3);
    add_numbers(text, "position", b->position, 3);
    add_numbers(text, "rotation", b->rotation, 4);
    add_numbers(text, "velocity", b->velocity, 3);
    add_numbers(text, "spin", b->spin, 3);
    carom_text_add_bytes(text, "}", 1);
}

static void write_scene(carom_text *text, const carom_engine_scene *s)
{
    bool plain = s->joint_count == 0 && !s->elastic_walls; // as in the first protocol
    carom_text_add(text, "{\"carom_engine\":%d,\"steps\":%d,\"every\":%d,\"iterations\":%d",
                   plain ? 1 : 2, s->steps, s->every, s->iterations);
    add_number(text, "step", s->step);
    add_number(text, "restitution", s->restitution);
    add_number(text, "friction", s->friction);
    add_numbers(text, "gravity", s->gravity, 3);
    if (s->setting) {
        carom_text_add(text, ",\"setting\":");
        carom_text_add_quoted(text, s->setting);
    }
    if (s->elastic_walls)
        carom_text_add(text, ",\"elastic_walls\":true");
    for (int i = 0; i < s->joint_count; ++i) {
        carom_text_add(text, "%s{\"a\":%d,\"b\":%d", i > 0 ? "," : ",\"joints\":[", s->joints[i].a,
                       s->joints[i].b);
        add_numbers(text, "anchor", s->joints[i].anchor, 3);
        carom_text_add(text, i + 1 < s->joint_count ? "}" : "}]");
    }
    carom_text_add(text, ",\"bodies\":[");
    for (int i = 0; i < s->body_count; ++i) {
        carom_text_add_bytes(text, ",", i > 0);
        write_body(text, &s->bodies[i]);
    }
    carom_text_add(text, "]}");
}

static void write_question(carom_text *text, const carom_engine_scene *scenes, int count)
{
    text->length = 0;
    carom_text_add_bytes(text, "[", 1);
    for (int i = 0; i < count; ++i) {
        carom_text_add_bytes(text, ",", i > 0);
        write_scene(text, &scenes[i]);
    }
    carom_text_add_bytes(text, "]\n", 2);
}

// Where the engine has ended, writing must fail instead of ending this process. Other threads may
// use the signal: it is held back from this one and taken out if it came.
static bool send(const carom_engine *e)
{
    sigset_t pipe_only, before, pending;
    bool sent = true;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
    for (size_t done = 0; done < e->text.length && sent;) { // ends: writes or fails
        ssize_t now = write(e->question, e->text.bytes + done, e->text.length - done);
        sent = now > 0 || (now < 0 && errno == EINTR);
        done += now > 0 ? (size_t)now : 0;
    }
    sigpending(&pending);
    if (!sent && sigismember(&pending, SIGPIPE))
        sigtimedwait(&pipe_only, NULL, &(struct timespec){ 0 });
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return sent;
}

// -- the answer ------------------------------------------------------------------------------

// time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz
static bool read_state(const char *line, int body, carom_engine_state *state)
{
    double *const parts[] = { state->position, state->rotation, state->velocity, state->spin };
    static const int counts[] = { 3, 4, 3, 3 };
    char *at;
    strtod(line, &at);
    if (*at != ',' || strtol(at + 1, &at, 10) != body)
        return false;
    for (int p = 0; p < 4; ++p)
        for (int k = 0; k < counts[p]; ++k) {
            if (*at != ',')
                return false;
            parts[p][k] = strtod(at + 1, &at);
        }
    return *at == '\n' || *at == '\r';
}

// An engine's state that is no number is its result: it is handed on as it is.
static carom_status read_answer(carom_engine *e, const carom_engine_scene *scene,
                                carom_engine_state *states, double *seconds, carom_error *err)
{
    int64_t wanted = (int64_t)carom_engine_frames(scene) * scene->body_count, count = 0;
    char line[LINE], refused[LINE] = "";
    for (;;) { // ends: with the empty line or with the process
        if (!read_line(e, line, sizeof line))
            return broken(e, "ended in the middle of an answer, or is stuck", err);
        if (line[0] == '\n' || line[0] == '\r')
            break;
        if (strncmp(line, "seconds ", 8) == 0) {
            *seconds += strtod(line + 8, NULL);
        } else if (strncmp(line, "error ", 6) == 0) {
            snprintf(refused, sizeof refused, "%.100s", line + 6);
        } else if (count < wanted &&
                   read_state(line, (int)(count % scene->body_count), &states[count])) {
            ++count;
        } else {
            return broken(e, "answered with a line that is no state of the next body", err);
        }
    }
    refused[strcspn(refused, "\r\n")] = '\0';
    if (refused[0]) {
        carom_error_set(err, CAROM_BAD_INPUT, "%s: %s", e->name, refused);
        return carom_error_fix(err, "leave this engine out of what it cannot run");
    }
    return count == wanted ? CAROM_OK : broken(e, "gave too few states", err);
}

int carom_engine_frames(const carom_engine_scene *scene)
{
    return scene && scene->every > 0 ? scene->steps / scene->every : 0;
}

static carom_status check_scenes(const carom_engine_scene *scenes, int count, carom_error *err)
{
    for (int i = 0; i < count; ++i) {
        const carom_engine_scene *s = &scenes[i];
        NEED(err, s->bodies);
        if (s->joint_count > 0)
            NEED(err, s->joints);
        if (s->step > 0 && s->steps > 0 && s->every > 0 && s->body_count > 0)
            continue;
        carom_error_set(err, CAROM_BAD_INPUT, "a scene of %d bodies in %d steps of %g s",
                        s->body_count, s->steps, s->step);
        return carom_error_fix(err, "give bodies, steps and frames above 0");
    }
    return CAROM_OK;
}

carom_status carom_engine_run(carom_engine *engine, const carom_engine_scene *scenes, int count,
                              carom_engine_state *states, double *seconds, carom_error *err)
{
    double spent = 0;
    carom_status refused = CAROM_OK;
    carom_error first = { 0 };
    NEED(err, engine, scenes, states);
    TRY(check_scenes(scenes, count, err));
    write_question(&engine->text, scenes, count);
    TRY(carom_text_status(&engine->text, err));
    if (!send(engine))
        return broken(engine, "does not take a scene: it has ended", err);
    for (int i = 0; i < count; ++i) { // all answers are read, also behind one that refuses
        carom_error own = { 0 };
        carom_status status = read_answer(engine, &scenes[i], states, &spent, &own);
        states += (size_t)carom_engine_frames(&scenes[i]) * (size_t)scenes[i].body_count;
        if (status != CAROM_OK && refused == CAROM_OK) {
            refused = status;
            first = own;
        }
        if (status == CAROM_IO_FAILED)
            break;
    }
    if (refused != CAROM_OK && err)
        *err = first;
    if (seconds)
        *seconds = spent;
    return refused;
}
