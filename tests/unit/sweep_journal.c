// Journals that several processes share: opening one takes nothing out of it (a process that opened
// a journal once cut off the line that another had just written), a line that was cut is ended, and
// of lines written at the same time, between openings, none is lost.
#include "support/check.h"
#include "sweep/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WRITERS = 4, LINES = 300 };

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

static size_t read_text(const char *path, char *out, size_t room)
{
    FILE *file = fopen(path, "r");
    size_t size = fread(out, 1, room - 1, file);
    out[size] = 0;
    fclose(file);
    return size;
}

static void nothing_is_cut(const char *path)
{
    char text[200];
    write_text(path, "0123456789abcdef\tcut in the mid");
    int file = carom_sweep_journal_open(path, NULL);
    read_text(path, text, sizeof text);
    CHECK(strcmp(text, "0123456789abcdef\tcut in the mid\n") == 0, "ended, not cut off: %s", text);
    int second = carom_sweep_journal_open(path, NULL);
    CHECK(read_text(path, text, sizeof text) == 32, "and ended once");
    CHECK(carom_sweep_journal_add(file, 1, "ok") && carom_sweep_journal_add(second, 2, "ok"),
          "two");
    read_text(path, text, sizeof text);
    CHECK(strstr(text, "\n0000000000000001\t") && strstr(text, "\n0000000000000002\t"), "%s", text);
    close(file);
    close(second);
}

// A writer that opens the journal anew for each of its lines.
static void write_lines(const char *path, int me)
{
    for (int i = 0; i < LINES; ++i) {
        int file = carom_sweep_journal_open(path, NULL);
        if (file < 0 || !carom_sweep_journal_add(file, (uint64_t)(me * LINES + i), "ok\tx=1"))
            _exit(1);
        close(file);
    }
    _exit(0);
}

static void no_line_is_lost(const char *path, const char *out)
{
    static uint64_t keys[WRITERS * LINES];
    static carom_sweep sweep = { .jobs = WRITERS * LINES, .keys = keys };
    carom_sweep_report report;
    carom_error err = { 0 };
    int status, failed = 0;
    unlink(path);
    for (int i = 0; i < WRITERS; ++i)
        if (fork() == 0)
            write_lines(path, i);
    for (int i = 0; i < WRITERS; ++i)
        failed += wait(&status) < 0 || status != 0;
    for (int i = 0; i < WRITERS * LINES; ++i)
        keys[i] = (uint64_t)i;
    CHECK(failed == 0, "%d writers failed", failed);
    CHECK(carom_sweep_load(&sweep, out, &report, &err) == CAROM_OK, "%s", err.what);
    CHECK(report.missing == 0 && report.failed == 0, "%lld lines are lost",
          (long long)report.missing);
    CHECK(sweep.line_count == WRITERS * LINES, "lines: %lld", (long long)sweep.line_count);
    free(sweep.lines);
    free(sweep.journal);
}

int main(void)
{
    char out[] = "/tmp/carom-journal-XXXXXX", path[64];
    int file = mkstemp(out);
    snprintf(path, sizeof path, "%s.journal", out);
    nothing_is_cut(path);
    no_line_is_lost(path, out);
    unlink(path);
    unlink(out);
    close(file);
    return check_report();
}
