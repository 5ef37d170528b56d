// Writes result files: checked before the work begins, under a temporary name, renamed when
// complete.
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "carom/draw.h"
#include "command.h"
#include "terminal.h"

// The name the signal handler may remove; empty when no file is open.
static char open_temporary[4096 + 32];

static carom_status fail(carom_error *err, carom_status status, const char *path, const char *what,
                         const char *fix)
{
    err->status = status;
    snprintf(err->what, sizeof err->what, "%s \"%.160s\"%s%s", what, path, errno ? ": " : "",
             errno ? strerror(errno) : "");
    err->where[0] = 0;
    snprintf(err->fix, sizeof err->fix, "%s", fix);
    return status;
}

carom_status carom_output_check(const char *path, bool replace, carom_error *err)
{
    struct stat status;
    errno = 0;
    if (strlen(path) >= sizeof((carom_output *)NULL)->path)
        return fail(err, CAROM_BAD_INPUT, path, "the file name is too long:", "use a shorter name");
    if (strcmp(path, "-") == 0 || lstat(path, &status) != 0)
        return CAROM_OK;
    if (S_ISDIR(status.st_mode)) {
        errno = 0;
        return fail(err, CAROM_IO_FAILED, path, "a folder has the name", "name a file inside it");
    }
    errno = 0;
    if (!replace && S_ISREG(status.st_mode))
        return fail(err, CAROM_IO_FAILED, path, "there is already a file",
                    "choose another name, or allow replacing it with --force");
    return CAROM_OK;
}

carom_status carom_output_open(carom_output *output, const char *path, bool replace,
                               carom_error *err)
{
    struct stat status;
    *output = (carom_output){ .replace = replace };
    carom_status checked = carom_output_check(path, replace, err);
    if (checked != CAROM_OK)
        return checked;
    snprintf(output->path, sizeof output->path, "%s", path);
    if (strcmp(path, "-") == 0) {
        output->standard = true;
        output->file = stdout;
        return CAROM_OK;
    }
    // Devices and pipes are written as they are: renaming would replace them by a file.
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        output->file = fopen(path, "wb");
    } else {
        snprintf(output->temporary, sizeof output->temporary, "%s.part%ld", path, (long)getpid());
        int handle = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
        output->file = handle >= 0 ? fdopen(handle, "wb") : NULL;
    }
    if (!output->file) {
        fail(err, CAROM_IO_FAILED, path, "cannot write",
             "check that the folder exists and that you may write there");
        output->temporary[0] = 0;
        return CAROM_IO_FAILED;
    }
    memcpy(open_temporary, output->temporary, sizeof open_temporary);
    return CAROM_OK;
}

// A hard link fails where the name exists: that keeps a file that appeared meanwhile.
static int publish(const carom_output *output)
{
    if (output->replace)
        return rename(output->temporary, output->path);
    if (link(output->temporary, output->path) == 0)
        return unlink(output->temporary);
    if (errno == EEXIST || access(output->path, F_OK) == 0)
        return -1;
    return rename(output->temporary, output->path);
}

carom_status carom_output_close(carom_output *output, carom_error *err)
{
    static const char fix[] = "look for a full disk or a lost connection";
    errno = 0;
    if (output->standard) {
        if (fflush(stdout) != 0 || ferror(stdout))
            return fail(err, CAROM_IO_FAILED, "standard output", "cannot write", fix);
        return CAROM_OK;
    }
    bool good = fflush(output->file) == 0 && !ferror(output->file) &&
                (!*output->temporary || fsync(fileno(output->file)) == 0);
    good = fclose(output->file) == 0 && good;
    output->file = NULL;
    if (good && *output->temporary)
        good = publish(output) == 0;
    open_temporary[0] = 0;
    if (good)
        return CAROM_OK;
    fail(err, CAROM_IO_FAILED, output->path, "cannot write", fix);
    if (*output->temporary)
        unlink(output->temporary);
    return CAROM_IO_FAILED;
}

void carom_output_drop(carom_output *output)
{
    if (output->file && !output->standard)
        fclose(output->file);
    if (*output->temporary)
        unlink(output->temporary);
    open_temporary[0] = 0;
    *output = (carom_output){ 0 };
}

carom_status carom_output_write(const char *path, const char *text, bool replace, carom_error *err)
{
    carom_output output;
    carom_status status = carom_output_open(&output, path, replace, err);
    if (status != CAROM_OK)
        return status;
    carom_text pdf = { 0 };
    if (carom_text_ends_with(path, ".pdf"))
        status = carom_pdf_make(text, &pdf, err);
    if (pdf.bytes)
        fwrite(pdf.bytes, 1, pdf.length, output.file);
    else
        fputs(text, output.file);
    carom_text_free(&pdf);
    if (status == CAROM_OK)
        return carom_output_close(&output, err);
    carom_output_drop(&output);
    return status;
}

carom_status carom_output_page(const char *path, carom_view_source *const *sources, int count,
                               const char *start, bool replace, carom_error *err)
{
    char *html = NULL;
    size_t size;
    carom_status status = carom_view_page(sources, count, start, &html, &size, err);
    if (status == CAROM_OK)
        status = carom_output_write(path, html, replace, err);
    free(html);
    return status;
}

carom_status carom_output_check_page(const char *path, bool replace, carom_error *err)
{
    char *none;
    size_t size;
    if (!carom_view_available())
        return carom_view_page(NULL, 0, NULL, &none, &size, err); // says what to install
    return carom_output_check(path, replace, err);
}

int carom_output_finish_text(const char *path, char *text, bool replace)
{
    carom_error err = { .status = CAROM_NO_MEMORY, .what = "no memory for the file" };
    carom_status status = text ? carom_output_write(path, text, replace, &err) : CAROM_NO_MEMORY;
    free(text);
    if (status != CAROM_OK)
        return carom_command_fail(&err);
    if (strcmp(path, "-") != 0)
        carom_terminal_report("written: %s", path);
    return CAROM_EXIT_GOOD;
}

int carom_output_finish_json(carom_json *json, const char *path, bool replace)
{
    carom_error err = { .status = CAROM_NO_MEMORY, .what = "no memory for the JSON text" };
    const char *text = carom_json_text(json);
    carom_status status = text ? carom_output_write(path, text, replace, &err) : CAROM_NO_MEMORY;
    carom_json_destroy(json);
    return status == CAROM_OK ? CAROM_EXIT_GOOD : carom_command_fail(&err);
}

void carom_output_abandon(void)
{
    if (*open_temporary)
        unlink(open_temporary);
}
