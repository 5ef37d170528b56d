// `carom export`: pictures and files other programs open.
#include "command.h"
#include "output.h"
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include "carom/export.h"

typedef struct job {
    const carom_arguments *given;
    carom_export *film;
    carom_export_view view;
    const carom_progress *progress;
    char out[4096];
    bool force;
} job;

// -- arguments ----------------------------------------------------------------------------------

// "1,2,3" or "1 2 3".
static int read_vector(const job *j, const char *name, double out[3])
{
    const char *text = carom_command_text(j->given, name);
    const char *at = text;
    for (int k = 0; at && k < 3; ++k) {
        char *end;
        out[k] = strtod(at, &end);
        bool last = k == 2;
        if (end == at || !(out[k] - out[k] == 0) || (last ? *end != 0 : *end != ',' && *end != ' '))
            return carom_command_misuse("give three numbers, for instance 1,-2,0.5", "%s is \"%s\"",
                                        name, text);
        at = end + 1;
    }
    return CAROM_EXIT_GOOD;
}

static int read_size(job *j)
{
    const char *text = carom_command_text(j->given, "--size");
    char rest;
    if (sscanf(text, "%dx%d%c", &j->view.width, &j->view.height, &rest) != 2)
        return carom_command_misuse("give width and height in pixels, for instance 1280x720",
                                    "--size is \"%s\"", text);
    return CAROM_EXIT_GOOD;
}

static int read_view(job *j)
{
    j->view = carom_export_view_default();
    j->view.has_from = carom_command_text(j->given, "--from") != NULL;
    j->view.has_to = carom_command_text(j->given, "--look-at") != NULL;
    j->view.fov = carom_command_number(j->given, "--fov");
    j->view.colour = (carom_export_colour)carom_command_word(j->given, "--colour");
    j->view.dark = carom_command_flag(j->given, "--dark");
    j->view.label = !carom_command_flag(j->given, "--no-label");
    j->view.threads = (int)carom_command_whole(j->given, "--threads");
    int code = read_size(j);
    if (code == CAROM_EXIT_GOOD)
        code = read_vector(j, "--from", j->view.from);
    if (code == CAROM_EXIT_GOOD)
        code = read_vector(j, "--look-at", j->view.to);
    if (code == CAROM_EXIT_GOOD)
        code = read_vector(j, "--up", j->view.up);
    return code;
}

// The name of the file read, without folder and ending, with the format as its ending.
static void name_output(job *j, const char *format)
{
    const char *given = carom_command_text(j->given, "--out");
    const char *path = carom_command_text(j->given, "FILE");
    const char *stem = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    const char *dot = strrchr(stem, '.');
    int length = dot && dot > stem ? (int)(dot - stem) : (int)strlen(stem);
    if (given)
        snprintf(j->out, sizeof j->out, "%s", given);
    else
        snprintf(j->out, sizeof j->out, "%.*s.%s", length, strcmp(path, "-") == 0 ? "scene" : stem,
                 format);
}

static int64_t moment_of(const job *j)
{
    if (!carom_command_text(j->given, "--at"))
        return carom_export_moment_count(j->film) - 1;
    return carom_export_nearest(j->film, carom_command_number(j->given, "--at"));
}

// -- formats ------------------------------------------------------------------------------------

static carom_status write_png(job *j, FILE *file, carom_error *err)
{
    if (carom_command_text(j->given, "--frames"))
        return carom_export_sheet(j->film, &j->view, (int)carom_command_whole(j->given, "--frames"),
                                  file, j->progress, err);
    return carom_export_png(j->film, &j->view, moment_of(j), file, err);
}

static carom_status write_csv(job *j, FILE *file, carom_error *err)
{
    return carom_export_csv(j->film, file, j->progress, err);
}

static carom_status write_npz(job *j, FILE *file, carom_error *err)
{
    return carom_export_npz(j->film, file, j->progress, err);
}

static carom_status write_glb(job *j, FILE *file, carom_error *err)
{
    return carom_export_glb(j->film, &j->view, file, j->progress, err);
}

typedef struct format {
    const char *name;
    carom_status (*write)(job *j, FILE *file, carom_error *err);
} format;

static const format formats[] = {
    { "png", write_png }, { "csv", write_csv }, { "npz", write_npz }, { "glb", write_glb }
};

static carom_status write_file(job *j, const format *f, carom_error *err)
{
    carom_output output;
    carom_status status = carom_output_open(&output, j->out, j->force, err);
    if (status != CAROM_OK)
        return status;
    j->progress = carom_terminal_progress_begin();
    status = f->write(j, output.file, err);
    carom_terminal_progress_end();
    if (status != CAROM_OK) {
        carom_output_drop(&output);
        return status;
    }
    status = carom_output_close(&output, err);
    if (status == CAROM_OK && !output.standard)
        carom_terminal_say("written: %s", j->out);
    return status;
}

static int work(job *j)
{
    carom_error err = { 0 };
    const format *f = &formats[carom_command_word(j->given, "--to")];
    int code = read_view(j);
    if (code != CAROM_EXIT_GOOD)
        return code;
    j->force = carom_command_flag(j->given, "--force");
    name_output(j, f->name);
    if (carom_output_check(j->out, j->force, &err) != CAROM_OK ||
        carom_export_open(carom_command_text(j->given, "FILE"), &j->film, &err) != CAROM_OK)
        return carom_command_fail(&err);
    if (carom_export_damage(j->film))
        carom_terminal_say("warning: %s", carom_export_damage(j->film));
    carom_export_decimate(j->film, carom_command_whole(j->given, "--decimate"));
    return write_file(j, f, &err) == CAROM_OK ? CAROM_EXIT_GOOD : carom_command_fail(&err);
}

static int run(const carom_arguments *given)
{
    static job j; // large; a process runs one command
    j.given = given;
    int code = work(&j);
    carom_export_destroy(j.film);
    return code;
}

static const carom_argument arguments[] = {
    { "FILE", CAROM_ARGUMENT_FILE,
      .doc = "a trajectory written by `carom run`, or a scene of kind world (its start)",
      .required = true },
    { "--to", CAROM_ARGUMENT_WORD, .value = "FORMAT", .initial = "png", .words = "png csv npz glb",
      .doc = "what to write" },
    { "--out", CAROM_ARGUMENT_FILE, .value = "FILE",
      .doc = "where to; by default FILE's name with the format's ending, in the current folder; "
             "\"-\" is the standard output" },
    { "--at", CAROM_ARGUMENT_NUMBER, .value = "TIME", .unit = "s",
      .doc = "the moment to draw, by default the last; the nearest frame is taken" },
    { "--frames", CAROM_ARGUMENT_WHOLE, .value = "N", .least = 1, .most = 400,
      .doc = "png: one sheet of N moments, evenly spread over the run" },
    { "--size", CAROM_ARGUMENT_TEXT, .value = "WxH", .initial = "960x540",
      .doc = "of the picture, in pixels" },
    { "--from", CAROM_ARGUMENT_TEXT, .value = "X,Y,Z",
      .doc =
          "where the camera is (m); by default all moving bodies are seen during the whole run" },
    { "--look-at", CAROM_ARGUMENT_TEXT, .value = "X,Y,Z", .doc = "what it looks at (m)" },
    { "--up", CAROM_ARGUMENT_TEXT, .value = "X,Y,Z", .initial = "0,0,1",
      .doc = "what is up in the picture" },
    { "--fov", CAROM_ARGUMENT_NUMBER, .value = "ANGLE", .unit = "degrees", .initial = "28",
      .least = 1, .most = 160, .doc = "field of view from the lower to the upper edge" },
    { "--colour", CAROM_ARGUMENT_WORD, .value = "WORD", .initial = "auto",
      .words = "auto body start speed mass",
      .doc = "of bodies the scene gives none: by body, by where they started, by speed or mass; "
             "auto is body up to 12 of them, else start" },
    { "--dark", CAROM_ARGUMENT_FLAG, .doc = "dark background" },
    { "--no-label", CAROM_ARGUMENT_FLAG, .doc = "no time and grid distance in the picture" },
    { "--decimate", CAROM_ARGUMENT_WHOLE, .value = "N", .initial = "1", .least = 1, .most = 1e9,
      .doc = "use every N-th frame only" },
    { "--threads", CAROM_ARGUMENT_WHOLE, .value = "N", .initial = "0", .least = 0, .most = 1024,
      .doc = "for drawing; 0 is all processors; any number gives the same picture" },
    { "--force", CAROM_ARGUMENT_FLAG, .doc = "replace files that exist" },
    { 0 },
};

static const char *const examples[] = {
    "how a scene begins",
    "carom export scenes/world/pyramid.json --to png",
    "nine moments of a run on one sheet",
    "carom run scenes/world/dropped-ball.json --out drop.carom && carom export drop.carom --frames "
    "9",
    NULL,
};

const carom_command carom_export_command = {
    .name = "export",
    .summary = "make pictures of a run and files other programs open",
    .details =
        "Pictures are drawn by Carom itself and need no graphics processor. A trajectory that was "
        "cut is used up to its last whole record. Files that exist are not replaced unless "
        "--force is given, and an export that is stopped leaves nothing behind.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};
