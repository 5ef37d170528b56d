// Journals: text files with a line per result, keyed. A line is written in one piece at the end of
// the file, so that several processes may share it and a kill leaves whole lines, and at most one
// that is cut, which is not used. Nothing is ever changed in place or taken out. A line is key, sum
// over key and result, result: one that was damaged is not used, and its job is run again.
#include "sweep/sweep.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/hash.h"

void carom_sweep_journal_path(const carom_sweep_settings *settings, char *out, size_t size)
{
    if (settings->shards > 0)
        snprintf(out, size, "%s.%d-of-%d.journal", settings->out, settings->shard,
                 settings->shards);
    else
        snprintf(out, size, "%s.journal", settings->out);
}

static carom_status cannot(const char *what, const char *path, carom_error *err)
{
    carom_error_set(err, CAROM_IO_FAILED, "the journal cannot be %s: %s", what, strerror(errno));
    carom_error_where(err, "%s", path);
    return carom_error_fix(err, "look for the folder, its permissions, a full disk");
}

// Ends a line that was cut: the next one begins anew. It is not cut off, since another process may
// have written behind it meanwhile.
static bool end_line(int file)
{
    char last;
    off_t size = lseek(file, 0, SEEK_END);
    if (size <= 0)
        return size == 0;
    return pread(file, &last, 1, size - 1) == 1 && (last == '\n' || write(file, "\n", 1) == 1);
}

int carom_sweep_journal_open(const char *path, carom_error *err)
{
    int file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0 || !end_line(file)) {
        cannot("opened", path, err);
        if (file >= 0)
            close(file);
        return -1;
    }
    return file;
}

enum { DIGITS = 16, SUM = DIGITS + 1, WORDS = 2 * SUM }; // where they begin in a line

static uint64_t sum_of(uint64_t key, const char *words, size_t length)
{
    return carom_hash_bytes(carom_hash_bytes(CAROM_HASH_START, &key, sizeof key), words, length);
}

bool carom_sweep_journal_add(int file, uint64_t key, const char *words)
{
    size_t length = strlen(words) + WORDS + 1;
    char *line = malloc(length + 1);
    if (!line)
        return false;
    snprintf(line, length + 1, "%016llx\t%016llx\t%s\n", (unsigned long long)key,
             (unsigned long long)sum_of(key, words, strlen(words)), words);
    errno = 0;
    bool good = write(file, line, length) == (ssize_t)length;
    free(line);
    return good;
}

// -- reading --------------------------------------------------------------------------------------

static carom_status append_file(const char *path, carom_text *all, carom_error *err)
{
    char bytes[8192];
    size_t got;
    FILE *file = fopen(path, "r");
    if (!file)
        return cannot("read", path, err);
    while ((got = fread(bytes, 1, sizeof bytes, file)) > 0)
        carom_text_add_bytes(all, bytes, got);
    if (ferror(file))
        cannot("read", path, err);
    bool whole = !ferror(file);
    fclose(file);
    if (!whole)
        return CAROM_IO_FAILED;
    if (all->length > 0 && all->bytes[all->length - 1] != '\n')
        carom_text_add(all, "\n"); // cut: its sum is not right
    return carom_text_status(all, err);
}

static int by_key(const void *a, const void *b)
{
    const carom_sweep_line *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    // of several the one that worked, so that a retry counts
    return (strncmp(y->words, "ok", 2) == 0) - (strncmp(x->words, "ok", 2) == 0);
}

static bool is_number(const char *at)
{
    return strspn(at, "0123456789abcdef") == DIGITS && at[DIGITS] == '\t';
}

// Key, sum, then "ok..." or "failed\t...", as it was written; whatever else is there is not a line.
static bool is_line(const char *at, size_t length)
{
    return length > WORDS + 1 && is_number(at) && is_number(at + SUM) &&
           (strncmp(at + WORDS, "ok", 2) == 0 || strncmp(at + WORDS, "failed\t", 7) == 0) &&
           strtoull(at + SUM, NULL, DIGITS) ==
               sum_of(strtoull(at, NULL, DIGITS), at + WORDS, length - WORDS);
}

static carom_status take_lines(carom_sweep *sweep, carom_text *all, carom_error *err)
{
    int64_t room = 0;
    for (size_t i = 0; i < all->length; ++i)
        room += all->bytes[i] == '\n';
    free(sweep->lines);
    free(sweep->journal);
    sweep->journal = all->bytes;
    sweep->lines = calloc((size_t)room + 1, sizeof *sweep->lines);
    sweep->line_count = 0;
    if (!sweep->lines)
        return carom_error_no_memory(err, "the journal");
    for (char *at = sweep->journal, *last = at + all->length; at && at < last;) {
        char *end = memchr(at, '\n', (size_t)(last - at));
        if (end && is_line(at, (size_t)(end - at))) {
            *end = 0;
            sweep->lines[sweep->line_count++] =
                (carom_sweep_line){ strtoull(at, NULL, DIGITS), at + WORDS };
        }
        at = end ? end + 1 : NULL;
    }
    qsort(sweep->lines, (size_t)sweep->line_count, sizeof *sweep->lines, by_key);
    return CAROM_OK;
}

const char *carom_sweep_journal_find(const carom_sweep *sweep, uint64_t key)
{
    int64_t low = 0, high = sweep->line_count;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (sweep->lines[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < sweep->line_count && sweep->lines[low].key == key ? sweep->lines[low].words : NULL;
}

// A folder that cannot be opened has no files, but not where memory ran out.
static int is_memory(const char *path, int error)
{
    (void)path;
    return error == ENOMEM;
}

// All files OUT*.journal, one behind the other; what glob would take for its own in OUT is not.
static carom_status append_all(const char *out, carom_text *all, carom_error *err)
{
    glob_t found = { 0 };
    carom_text pattern = { 0 };
    carom_text_add(all, "%s", "");
    for (const char *at = out; *at; ++at)
        carom_text_add(&pattern, strchr("*?[]\\", *at) ? "\\%c" : "%c", *at);
    carom_text_add(&pattern, "*.journal");
    carom_status status = carom_text_status(&pattern, err);
    int none = status == CAROM_OK ? glob(pattern.bytes, 0, is_memory, &found) : GLOB_NOMATCH;
    if (none == GLOB_NOSPACE || none == GLOB_ABORTED)
        status = carom_error_no_memory(err, "the names of the journals");
    for (size_t i = 0; none == 0 && i < found.gl_pathc && status == CAROM_OK; ++i)
        status = append_file(found.gl_pathv[i], all, err);
    globfree(&found);
    carom_text_free(&pattern);
    return status;
}

carom_status carom_sweep_load(carom_sweep *sweep, const char *out, carom_sweep_report *report,
                              carom_error *err)
{
    carom_text all = { 0 };
    NEED(err, sweep, out);
    carom_status status = append_all(out, &all, err);
    if (status != CAROM_OK) {
        carom_text_free(&all);
        return status;
    }
    TRY(take_lines(sweep, &all, err));
    carom_sweep_report r = { .jobs = sweep->jobs };
    for (int64_t job = 0; job < sweep->jobs; ++job) {
        const char *words = carom_sweep_journal_find(sweep, sweep->keys[job]);
        r.missing += !words;
        r.failed += words && strncmp(words, "failed", 6) == 0;
    }
    if (report)
        *report = r;
    return CAROM_OK;
}

const char *carom_sweep_error(const carom_sweep *sweep, int64_t job)
{
    if (!sweep || job < 0 || job >= sweep->jobs)
        return NULL;
    const char *words = carom_sweep_journal_find(sweep, sweep->keys[job]);
    return words && strncmp(words, "failed\t", 7) == 0 ? words + 7 : NULL;
}
