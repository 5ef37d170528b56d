// Writing what `carom export` was asked for: one file, a table beside another, a video by ffmpeg,
// or a folder of files for ParaView. Nothing stands half written under its name.
#include "export_write.h"
#include "output.h"
#include "terminal.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "carom/view.h"

typedef carom_export_write_job job;

bool carom_export_write_is_video(const job *j)
{
    return j->format == CAROM_EXPORT_MP4 || j->format == CAROM_EXPORT_WEBM ||
           j->format == CAROM_EXPORT_GIF;
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

// -- tables, and the choice -----------------------------------------------------------------------

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

carom_status carom_export_write(job *j, carom_error *err)
{
    if (j->format == CAROM_EXPORT_VTP)
        return write_paraview(j, err);
    if (carom_export_write_is_video(j))
        return write_video(j, err);
    if (j->format == CAROM_EXPORT_CSV && strcmp(j->out, "-") != 0)
        return write_tables(j, err);
    return write_one(j, j->out, write_content, err);
}
