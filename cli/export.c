// `carom export`: what to write of a run, and how; export_write.c writes it.
#include "command.h"
#include "export_write.h"
#include "output.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "carom/export.h"

typedef carom_export_write_job job;

enum { KEYS_MAX = CAROM_EXPORT_WRITE_KEYS };

static const double LARGE = 2e9; // bytes that nobody writes by accident

static const char *const format_names[] = {
#define FORMAT_NAME(name, word) word,
    CAROM_EXPORT_FORMAT_LIST(FORMAT_NAME)
#undef FORMAT_NAME
};

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

// Places of a moving camera: time, where it is, what it looks at.
static int read_keys(job *j)
{
    int count = carom_command_count(j->given, "--key");
    if (count > KEYS_MAX)
        return carom_command_misuse("give fewer", "--key was given %d times", count);
    for (int i = 0; i < count; ++i) {
        const char *at = carom_command_text_at(j->given, "--key", i);
        char *end = NULL;
        for (int k = 0; k < 7; ++k, at = end + (*end == ',')) {
            j->keys[i][k] = strtod(at, &end);
            if (end == at || !(j->keys[i][k] - j->keys[i][k] == 0) || (k == 6 && *end))
                return carom_command_misuse("give seven numbers: T,X,Y,Z,X,Y,Z",
                                            "--key is \"%.60s\"",
                                            carom_command_text_at(j->given, "--key", i));
        }
    }
    j->pace.keys = (const double(*)[7])j->keys;
    j->pace.key_count = count;
    return CAROM_EXIT_GOOD;
}

static int read_view(job *j)
{
    j->view = carom_export_view_default();
    j->pace.rate = carom_command_number(j->given, "--rate");
    j->pace.speed = carom_command_number(j->given, "--speed");
    j->pace.orbit = carom_command_number(j->given, "--orbit");
    j->pace.shutter = carom_command_number(j->given, "--shutter");
    j->pace.follow = -1;
    j->view.has_from = carom_command_text(j->given, "--from") != NULL;
    j->view.has_to = carom_command_text(j->given, "--look-at") != NULL;
    j->view.fov = carom_command_number(j->given, "--fov");
    j->view.colour = (carom_export_colour)carom_command_choice(j->given, "--colour");
    j->view.fit = (carom_export_fit)carom_command_choice(j->given, "--fit");
    j->view.walls = carom_command_flag(j->given, "--walls");
    j->view.dark = carom_command_flag(j->given, "--dark");
    j->view.label = !carom_command_flag(j->given, "--no-label");
    j->view.font = carom_command_text(j->given, "--font");
    j->view.shutter = j->pace.shutter * j->pace.speed / j->pace.rate;
    j->view.threads = (int)carom_command_integer(j->given, "--threads");
    if (carom_command_text(j->given, "--tolerance"))
        j->view.tolerance = carom_command_number(j->given, "--tolerance");
    int code = read_size(j);
    if (code == CAROM_EXIT_GOOD)
        code = read_keys(j);
    if (code == CAROM_EXIT_GOOD)
        code = read_vector(j, "--from", j->view.from);
    if (code == CAROM_EXIT_GOOD)
        code = read_vector(j, "--look-at", j->view.to);
    if (code == CAROM_EXIT_GOOD)
        code = read_vector(j, "--up", j->view.up);
    return code;
}

// The format that an ending stands for; -1: none. ParaView's list of files ends in .pvd, grains for
// LAMMPS in .data.
static int format_of(const char *ending)
{
    if (strcmp(ending, "pvd") == 0)
        return CAROM_EXPORT_VTP;
    if (strcmp(ending, "data") == 0)
        return CAROM_EXPORT_LAMMPS;
    for (int i = 0; i < (int)(sizeof format_names / sizeof *format_names); ++i)
        if (strcmp(format_names[i], ending) == 0)
            return i;
    return -1;
}

// What to write: as --to says, else by the ending of --out; the two must not differ.
static int choose_format(job *j)
{
    const char *out = carom_command_text(j->given, "--out");
    const char *slash = out ? strrchr(out, '/') : NULL, *dot = out ? strrchr(out, '.') : NULL;
    bool ends = dot && dot > (slash ? slash + 1 : out) && strncmp(out, "/dev/", 5) != 0;
    int wanted = carom_command_choice(j->given, "--to");
    int ending = ends ? format_of(dot + 1) : -1;
    j->format = (carom_export_format)(wanted >= 0 ? wanted : ending >= 0 ? ending : 0);
    if (wanted >= 0 && ending >= 0 && wanted != ending)
        return carom_command_misuse("leave out --to, or give the file another ending",
                                    "--to is %s, but --out is \"%.60s\"", format_names[wanted],
                                    out);
    if (wanted < 0 && ends && ending < 0)
        return carom_command_misuse("end it in .png .csv .npz .glb .usda .pvd .data .html .svg "
                                    ".mp4 .webm or .gif, or give the format with --to",
                                    "--out is \"%.60s\": its ending says no format", out);
    return CAROM_EXIT_GOOD;
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
                 strcmp(format, "vtp") == 0      ? "pvd"
                 : strcmp(format, "lammps") == 0 ? "data"
                                                 : format);
}

// A time that is not in the run is refused; half a millionth of it is round-off of what was typed.
static int check_time(const job *j)
{
    carom_frame first, last;
    carom_error err = { 0 };
    int64_t count = carom_recording_frame_count(j->recording);
    double at = carom_command_number(j->given, "--at");
    if (!carom_command_text(j->given, "--at"))
        return CAROM_EXIT_GOOD;
    if (carom_recording_frame(j->recording, 0, &first, &err) != CAROM_OK ||
        carom_recording_frame(j->recording, count - 1, &last, &err) != CAROM_OK)
        return carom_command_fail(&err);
    double spare = 5e-7 * fmax(fabs(first.time), fabs(last.time));
    if (at >= first.time - spare && at <= last.time + spare)
        return CAROM_EXIT_GOOD;
    char fix[80];
    snprintf(fix, sizeof fix, "give a time from %.6g to %.6g (s)", first.time, last.time);
    return carom_command_misuse(fix, "--at is %g s, which is not in the run", at);
}

// -- work ---------------------------------------------------------------------------------------

// "run.pvd" goes with a folder "run" of files run_000000.vtp, ...
static void name_folder(job *j)
{
    const char *stem = strrchr(j->out, '/') ? strrchr(j->out, '/') + 1 : j->out;
    const char *dot = strrchr(stem, '.');
    int length = dot && dot > stem ? (int)(dot - stem) : (int)strlen(stem);
    snprintf(j->prefix, sizeof j->prefix, "%.*s%s/%.*s", length, stem, dot ? "" : "-frames", length,
             stem);
    if (!dot) // "run" without an ending: the folder must have another name than the file
        snprintf(j->prefix, sizeof j->prefix, "%s-frames/%s-frames", stem, stem);
}

static int check_size(const job *j)
{
    double bytes = carom_export_size(j->recording, j->format, &j->view, &j->pace);
    if (bytes <= LARGE || j->force)
        return CAROM_EXIT_GOOD;
    double frames = (double)carom_recording_frame_count(j->recording);
    char fix[128] = "use a smaller --size or --rate, a larger --speed, or --force";
    if (!carom_export_write_is_video(j))
        snprintf(fix, sizeof fix, "use every %.0f-th frame with --decimate %.0f, or --force",
                 ceil(bytes / LARGE), ceil(bytes / LARGE));
    return carom_command_misuse(fix, "the export would have about %.1f GB (%.0f frames)",
                                bytes * 1e-9, frames);
}

static int find_followed(job *j)
{
    const char *name = carom_command_text(j->given, "--follow");
    if (!name)
        return CAROM_EXIT_GOOD;
    j->pace.follow = carom_recording_find(j->recording, name);
    if (j->pace.follow >= 0)
        return CAROM_EXIT_GOOD;
    return carom_command_misuse("`carom info FILE` lists the bodies", "there is no body \"%.60s\"",
                                name);
}

static int open_recording(job *j)
{
    carom_error err = { 0 };
    if (carom_output_check(j->out, j->force, &err) != CAROM_OK ||
        carom_recording_open(carom_command_text(j->given, "FILE"), &j->recording, &err) != CAROM_OK)
        return carom_command_fail(&err);
    if (carom_recording_damage(j->recording))
        carom_terminal_report("warning: %s", carom_recording_damage(j->recording));
    carom_recording_decimate(j->recording, carom_command_integer(j->given, "--decimate"));
    int code = check_time(j);
    if (code == CAROM_EXIT_GOOD)
        code = find_followed(j);
    return code == CAROM_EXIT_GOOD ? check_size(j) : code;
}

static int work(job *j)
{
    carom_error err = { 0 };
    j->force = carom_command_flag(j->given, "--force");
    int code = choose_format(j);
    if (code == CAROM_EXIT_GOOD)
        code = read_view(j);
    if (code != CAROM_EXIT_GOOD)
        return code;
    name_output(j, format_names[j->format]);
    name_folder(j);
    if (strcmp(j->out, "-") == 0 &&
        (carom_export_write_is_video(j) || j->format == CAROM_EXPORT_VTP))
        return carom_command_misuse("give a file name", "%s cannot go to the standard output",
                                    format_names[j->format]);
    code = open_recording(j);
    if (code != CAROM_EXIT_GOOD)
        return code;
    j->progress = carom_terminal_progress_begin();
    carom_status status = carom_export_write(j, &err);
    carom_terminal_progress_end();
    if (status != CAROM_OK)
        return carom_command_fail(&err);
    if (strcmp(j->out, "-") != 0)
        carom_terminal_report("written: %s", j->out);
    return CAROM_EXIT_GOOD;
}

static int run(const carom_arguments *given)
{
    static job j; // large; a process runs one command
    j.given = given;
    int code = work(&j);
    carom_recording_destroy(j.recording);
    return code;
}

#define WORD(name, word) " " word

static const carom_argument arguments[] = {
    { "FILE", CAROM_ARGUMENT_FILE,
      .doc = "a trajectory written by `carom run`, or a scene of kind world (its start)",
      .required = true },
    { "--to", CAROM_ARGUMENT_CHOICE, .value = "FORMAT",
      .choices = &(CAROM_EXPORT_FORMAT_LIST(WORD))[1],
      .doc = "what to write; without it what the ending of --out says, else png" },
    { "--out", CAROM_ARGUMENT_FILE, .value = "FILE",
      .doc = "where to; by default FILE's name with the format's ending, in the current folder; "
             "\"-\" is the standard output" },
    { "--at", CAROM_ARGUMENT_NUMBER, .value = "TIME", .unit = "s",
      .doc = "the time to draw, by default the last; the nearest frame is taken" },
    { "--frames", CAROM_ARGUMENT_INTEGER, .value = "N", .min = 1, .max = 400,
      .doc = "png: one sheet of N frames, evenly spread over the run" },
    { "--size", CAROM_ARGUMENT_TEXT, .value = "WxH", .initial = "960x540",
      .doc = "of the picture, in pixels" },
    { "--from", CAROM_ARGUMENT_TEXT, .value = "X,Y,Z",
      .doc =
          "where the camera is (m); by default all moving bodies are seen during the whole run" },
    { "--look-at", CAROM_ARGUMENT_TEXT, .value = "X,Y,Z", .doc = "what it looks at (m)" },
    { "--up", CAROM_ARGUMENT_TEXT, .value = "X,Y,Z", .initial = "0,0,1",
      .doc = "what is up in the picture" },
    { "--fov", CAROM_ARGUMENT_NUMBER, .value = "ANGLE", .unit = "degrees", .initial = "28",
      .min = 1, .max = 160, .doc = "field of view from the lower to the upper edge" },
    { "--fit", CAROM_ARGUMENT_CHOICE, .value = "WORD", .initial = "run", .choices = "run start end",
      .doc = "what the chosen camera has to show: the whole run, its start or its end" },
    { "--colour", CAROM_ARGUMENT_CHOICE, .value = "WORD", .initial = "auto",
      .choices = "auto body start speed mass",
      .doc = "of moving bodies: by body, by where they started, by speed or mass; "
             "auto is the colour of the scene, else body up to 24 of them, else start" },
    { "--view", CAROM_ARGUMENT_CHOICE, .value = "WORD", .initial = "auto",
      .choices = "auto front side top", .doc = "svg: from where the drawing is made" },
    { "--plot", CAROM_ARGUMENT_CHOICE, .value = "WORD", .choices = "energy momentum gap all",
      .doc = "svg: this plot over time instead of a drawing" },
    { "--rate", CAROM_ARGUMENT_NUMBER, .value = "N", .unit = "1/s", .initial = "30", .min = 1,
      .max = 240, .doc = "videos: pictures per second" },
    { "--speed", CAROM_ARGUMENT_NUMBER, .value = "X", .initial = "1", .min = 1e-9, .max = 1e9,
      .doc = "videos: seconds of the run per second of the video" },
    { "--orbit", CAROM_ARGUMENT_NUMBER, .value = "ANGLE", .unit = "degrees", .initial = "0",
      .min = -3600, .max = 3600, .doc = "videos: how far the camera goes round, start to end" },
    { "--follow", CAROM_ARGUMENT_TEXT, .value = "NAME",
      .doc = "videos: the camera moves along with this body" },
    { "--key", CAROM_ARGUMENT_TEXT, .value = "T,X,Y,Z,X,Y,Z", .repeated = true,
      .doc = "videos: at this time (s) the camera is there and looks there (m); several are passed "
             "smoothly" },
    { "--shutter", CAROM_ARGUMENT_NUMBER, .value = "X", .initial = "0", .min = 0, .max = 1,
      .doc = "pictures and videos: motion blur over this share of the time between two pictures of "
             "a video (--rate, --speed)" },
    { "--tolerance", CAROM_ARGUMENT_NUMBER, .value = "X", .unit = "m", .min = 0, .max = 1e12,
      .doc = "glb, usda: keys are left out where motion between the others is right to within "
             "this; 0 keeps all, by default 1e-5 of what is seen" },
    { "--walls", CAROM_ARGUMENT_FLAG,
      .doc =
          "keep walls that stand before many of the moving bodies; they are left out of pictures "
          "otherwise" },
    { "--dark", CAROM_ARGUMENT_FLAG, .doc = "dark background" },
    { "--no-label", CAROM_ARGUMENT_FLAG, .doc = "no time and grid distance in the picture" },
    { "--font", CAROM_ARGUMENT_TEXT, .value = "FILE",
      .doc =
          "of the words in pictures: TrueType or OpenType, or `strokes` for letters that are the "
          "same on every machine; by default a sans serif of the system" },
    { "--decimate", CAROM_ARGUMENT_INTEGER, .value = "N", .initial = "1", .min = 1, .max = 1e9,
      .doc = "use every N-th frame only" },
    { "--threads", CAROM_ARGUMENT_INTEGER, .value = "N", .initial = "0", .min = 0, .max = 1024,
      .doc = "for drawing; 0 is all processors; any number gives the same picture" },
    { "--force", CAROM_ARGUMENT_FLAG, .doc = "replace files that exist, and write more than 2 GB" },
    { 0 },
};

static const char *const examples[] = {
    "how a scene begins",
    "carom export scenes/world/pyramid.json --to png",
    "nine frames of a run on one sheet",
    "carom run scenes/world/dropped-ball.json --out drop.carom && carom export drop.carom --frames "
    "9",
    NULL,
};

const carom_command carom_export_command = {
    .name = "export",
    .summary = "make pictures of a run and files that other programs open",
    .details =
        "Pictures are drawn by Carom itself and need no graphics processor. A trajectory that was "
        "cut is used up to its last whole record. Files that exist are not replaced unless "
        "--force is given, and an export that is stopped leaves nothing behind.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};
