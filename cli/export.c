// `carom export`: pictures and files that other programs open.
#include "command.h"
#include "output.h"
#include "terminal.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "carom/export.h"
#include "carom/view.h"

enum { MOST_KEYS = 64 };

typedef struct job {
    const carom_arguments *given;
    carom_recording *recording;
    carom_export_view view;
    double keys[MOST_KEYS][7]; // of the camera
    carom_export_pace pace;
    const carom_progress *progress;
    carom_export_format format;
    char out[4096];
    char prefix[2 * 4096 + 32]; // of the files of frames, from the folder of `out`
    bool force;
} job;

static const double LARGE = 2e9; // bytes that nobody writes by accident

static const char *const format_names[] = {
#define FORMAT_NAME(name, word) word,
    CAROM_EXPORT_FORMAT_LIST(FORMAT_NAME)
#undef FORMAT_NAME
};

static bool is_video(const job *j)
{
    return j->format == CAROM_EXPORT_MP4 || j->format == CAROM_EXPORT_WEBM ||
           j->format == CAROM_EXPORT_GIF;
}

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
    if (count > MOST_KEYS)
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

static int64_t frame_of(const job *j)
{
    if (!carom_command_text(j->given, "--at"))
        return carom_recording_frame_count(j->recording) - 1;
    return carom_recording_nearest(j->recording, carom_command_number(j->given, "--at"));
}

// -- formats ------------------------------------------------------------------------------------

static carom_status write_png(job *j, FILE *file, carom_error *err)
{
    if (carom_command_text(j->given, "--frames"))
        return carom_export_sheet(j->recording, &j->view,
                                  (int)carom_command_integer(j->given, "--frames"), file,
                                  j->progress, err);
    return carom_export_png(j->recording, &j->view, frame_of(j), file, j->progress, err);
}

static carom_status write_svg(job *j, FILE *file, carom_error *err)
{
    if (carom_command_text(j->given, "--plot"))
        return carom_export_plot(j->recording,
                                 (carom_export_graph)carom_command_choice(j->given, "--plot"),
                                 j->view.width, j->view.height, file, err);
    return carom_export_svg(j->recording, &j->view, frame_of(j),
                            (carom_export_side)carom_command_choice(j->given, "--view"), file, err);
}

// The viewer's page with the run inside.
static carom_status write_html(job *j, FILE *file, carom_error *err)
{
    static const char *const colours[] = { "", "&colour=body", "&colour=height", "&colour=speed",
                                           "&colour=mass" };
    char start[160], *html = NULL;
    size_t size = 0;
    carom_view_source *source = NULL;
    const double *from = j->view.from, *to = j->view.to;
    int used = snprintf(start, sizeof start, "%s%s", j->view.dark ? "dark=1" : "",
                        colours[j->view.colour]);
    if (j->view.has_from && j->view.has_to)
        snprintf(start + used, sizeof start - (size_t)used, "&camera=%g,%g,%g,%g,%g,%g", from[0],
                 from[1], from[2], to[0], to[1], to[2]);
    carom_status status = carom_view_source_recording(j->recording, &source, err);
    if (status == CAROM_OK)
        status = carom_view_page(&source, 1, start, &html, &size, err);
    if (status == CAROM_OK && fwrite(html, 1, size, file) != size) {
        *err = (carom_error){ .status = CAROM_IO_FAILED, .what = "cannot write the page" };
        status = CAROM_IO_FAILED;
    }
    free(html);
    carom_view_source_close(source);
    return status;
}

// One file of any format but those that need a path or several files.
static carom_status write_content(job *j, FILE *file, carom_error *err)
{
    switch (j->format) {
    case CAROM_EXPORT_PNG:
        return write_png(j, file, err);
    case CAROM_EXPORT_CSV:
        return carom_export_csv(j->recording, file, j->progress, err);
    case CAROM_EXPORT_NPZ:
        return carom_export_npz(j->recording, file, j->progress, err);
    case CAROM_EXPORT_GLB:
        return carom_export_glb(j->recording, &j->view, file, j->progress, err);
    case CAROM_EXPORT_USDA:
        return carom_export_usd(j->recording, &j->view, file, j->progress, err);
    case CAROM_EXPORT_LAMMPS:
        return carom_export_lammps(j->recording, frame_of(j), file, err);
    case CAROM_EXPORT_HTML:
        return write_html(j, file, err);
    case CAROM_EXPORT_SVG:
        return write_svg(j, file, err);
    case CAROM_EXPORT_VTP:
        return carom_export_vtp_index(j->recording, j->prefix, file, err);
    case CAROM_EXPORT_MP4:
    case CAROM_EXPORT_WEBM:
    case CAROM_EXPORT_GIF:
        break;
    }
    return CAROM_OK;
}

static carom_status write_ledger(job *j, FILE *file, carom_error *err)
{
    return carom_export_csv_ledger(j->recording, file, err);
}

static carom_status write_contacts(job *j, FILE *file, carom_error *err)
{
    return carom_export_csv_contacts(j->recording, file, j->progress, err);
}

static carom_status write_one(job *j, const char *path,
                              carom_status (*write)(job *j, FILE *file, carom_error *err),
                              carom_error *err)
{
    carom_output output;
    carom_status status = carom_output_open(&output, path, j->force, err);
    if (status != CAROM_OK)
        return status;
    status = write(j, output.file, err);
    if (status != CAROM_OK) {
        carom_output_drop(&output);
        return status;
    }
    return carom_output_close(&output, err);
}

// ffmpeg writes the temporary file itself: it needs a name and must be able to seek.
static carom_status write_video(job *j, carom_error *err)
{
    carom_output output;
    carom_status status = carom_output_open(&output, j->out, j->force, err);
    if (status != CAROM_OK)
        return status;
    status = carom_export_video(j->recording, &j->view, &j->pace, j->format, output.temporary,
                                j->progress, err);
    if (status != CAROM_OK) {
        carom_output_drop(&output);
        return status;
    }
    return carom_output_close(&output, err);
}

// -- ParaView: a folder of files and one that lists them ------------------------------------------

static carom_status fail_folder(carom_error *err, const char *folder, const char *what)
{
    err->status = CAROM_IO_FAILED;
    snprintf(err->what, sizeof err->what, "%s \"%.160s\": %s", what, folder, strerror(errno));
    err->where[0] = 0;
    snprintf(err->fix, sizeof err->fix,
             "choose another name with --out, or allow replacing it "
             "with --force");
    return err->status;
}

// Removes the files of frames, and the folder where nothing else is in it; false where the folder
// is there and cannot be read (errno).
static bool remove_frames(const char *folder, const char *stem)
{
    size_t length = strlen(stem);
    DIR *list = opendir(folder);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        const char *name = entry->d_name, *digits = name + length + 1;
        char path[8192];
        if (strncmp(name, stem, length) != 0 || name[length] != '_')
            continue;
        if (strncmp(digits, "surfaces_", 9) == 0 || strncmp(digits, "contacts_", 9) == 0)
            digits += 9;
        if (strspn(digits, "0123456789") < 6 ||
            strcmp(digits + strspn(digits, "0123456789"), ".vtp") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, name);
        unlink(path);
    }
    if (!list)
        return errno == ENOENT;
    closedir(list);
    rmdir(folder);
    return true;
}

static carom_status write_part(job *j, const char *folder, carom_export_vtp_part part, int64_t m,
                               carom_error *err)
{
    char name[8192], path[2 * 8192];
    carom_export_vtp_name(strrchr(j->prefix, '/') ? strrchr(j->prefix, '/') + 1 : j->prefix, part,
                          m, name, sizeof name);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file)
        return fail_folder(err, path, "cannot write");
    carom_status status = carom_export_vtp(j->recording, part, m, file, err);
    if (fclose(file) != 0 && status == CAROM_OK)
        status = fail_folder(err, path, "cannot write");
    return status;
}

static carom_status write_frames(job *j, const char *folder, carom_error *err)
{
    int64_t count = carom_recording_frame_count(j->recording);
    bool contacts = carom_export_contacts_total(j->recording) > 0;
    for (int64_t m = 0; m < count; ++m)
        for (int part = 0; part < CAROM_EXPORT_VTP_PARTS - !contacts; ++part) {
            if (j->progress->report(j->progress->context, (double)m, (double)count, "writing")) {
                *err = (carom_error){ .status = CAROM_INTERRUPTED, .what = "stopped" };
                return CAROM_INTERRUPTED;
            }
            carom_status status = write_part(j, folder, (carom_export_vtp_part)part, m, err);
            if (status != CAROM_OK)
                return status;
        }
    return CAROM_OK;
}

// The folder is filled under another name and renamed when complete; the list comes last.
static carom_status write_paraview(job *j, carom_error *err)
{
    char folder[4096 + 64], hidden[4096 + 128];
    const char *stem = strrchr(j->prefix, '/') + 1;
    const char *slash = strrchr(j->out, '/');
    snprintf(folder, sizeof folder, "%.*s%s", slash ? (int)(slash + 1 - j->out) : 0, j->out, stem);
    snprintf(hidden, sizeof hidden, "%s.part%ld", folder, (long)getpid());
    if (access(folder, F_OK) == 0 && !j->force) {
        errno = EEXIST;
        return fail_folder(err, folder, "cannot make the folder");
    }
    if (mkdir(hidden, 0777) != 0)
        return fail_folder(err, hidden, "cannot make the folder");
    carom_status status = write_frames(j, hidden, err);
    if (status == CAROM_OK) {
        if (j->force && !remove_frames(folder, stem))
            status = fail_folder(err, folder, "cannot empty the folder");
        else if (rename(hidden, folder) != 0)
            status = fail_folder(err, folder, "cannot make the folder");
    }
    if (status != CAROM_OK) {
        remove_frames(hidden, stem);
        return status;
    }
    return write_one(j, j->out, write_content, err);
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

// A table beside that of the bodies: run.csv, run-ledger.csv, run-contacts.csv.
typedef struct table {
    const char *suffix;
    carom_status (*write)(job *j, FILE *file, carom_error *err);
    char path[4096 + 32];
} table;

static carom_status write_tables(job *j, carom_error *err)
{
    static table beside[] = { { .suffix = "ledger", .write = write_ledger },
                              { .suffix = "contacts", .write = write_contacts } };
    const char *dot = strrchr(j->out, '.'), *slash = strrchr(j->out, '/');
    int length = dot && (!slash || dot > slash) ? (int)(dot - j->out) : (int)strlen(j->out);
    int count = carom_export_contacts_total(j->recording) > 0 ? 2 : 1;
    carom_status status = CAROM_OK;
    for (int i = 0; i < count && status == CAROM_OK; ++i) {
        snprintf(beside[i].path, sizeof beside[i].path, "%.*s-%s.csv", length, j->out,
                 beside[i].suffix);
        status = carom_output_check(beside[i].path, j->force, err);
    }
    if (status == CAROM_OK)
        status = write_one(j, j->out, write_content, err);
    for (int i = 0; i < count && status == CAROM_OK; ++i) {
        status = write_one(j, beside[i].path, beside[i].write, err);
        if (status == CAROM_OK)
            carom_terminal_report("written: %s", beside[i].path);
    }
    return status;
}

static carom_status write_all(job *j, carom_error *err)
{
    if (j->format == CAROM_EXPORT_VTP)
        return write_paraview(j, err);
    if (is_video(j))
        return write_video(j, err);
    if (j->format == CAROM_EXPORT_CSV && strcmp(j->out, "-") != 0)
        return write_tables(j, err);
    return write_one(j, j->out, write_content, err);
}

static int check_size(const job *j)
{
    double bytes = carom_export_size(j->recording, j->format, &j->view, &j->pace);
    if (bytes <= LARGE || j->force)
        return CAROM_EXIT_GOOD;
    double frames = (double)carom_recording_frame_count(j->recording);
    char fix[128] = "use a smaller --size or --rate, a larger --speed, or --force";
    if (!is_video(j))
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
    if (strcmp(j->out, "-") == 0 && (is_video(j) || j->format == CAROM_EXPORT_VTP))
        return carom_command_misuse("give a file name", "%s cannot go to the standard output",
                                    format_names[j->format]);
    code = open_recording(j);
    if (code != CAROM_EXIT_GOOD)
        return code;
    j->progress = carom_terminal_progress_begin();
    carom_status status = write_all(j, &err);
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
      .min = -3600, .max = 3600, .doc = "videos: the camera goes round by so much, start to end" },
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
