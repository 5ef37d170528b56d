// Tables of measured numbers; see data_table.h. zlib reads plain files as well as gzipped ones.
#include "validate/data_table.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

// Longest line, most columns of a heading, most rows.
enum { LINE = 4096, COLUMNS_MAX = 256, ROWS_MAX = 10000000 };

typedef struct reader {
    gzFile file;
    const char *path;
    const char *const *names; // the columns wanted
    int count;
    int line;                   // from 1
    char text[LINE];            // the line at work, without its end
    int place_of[COLUMNS_MAX];  // per column of the file: which of the wanted it is, -1: none
    int columns;
    int capacity; // rows
} reader;

// A file that ends within its data: the line at work is not whole.
static carom_status check_end(const reader *r, carom_error *err)
{
    int code;
    const char *words = gzerror(r->file, &code);
    if (code == Z_OK || code == Z_STREAM_END)
        return CAROM_OK;
    carom_error_set(err, CAROM_IO_FAILED, "the file ends before its data: %s", words);
    carom_error_where(err, "%s:%d", r->path, r->line + 1);
    return carom_error_fix(err, "get the file again: it is damaged or cut off");
}

static carom_status read_line(reader *r, bool *more, carom_error *err)
{
    *more = gzgets(r->file, r->text, sizeof r->text) != NULL;
    if (!*more || !strchr(r->text, '\n'))
        TRY(check_end(r, err));
    if (!*more)
        return CAROM_OK;
    ++r->line;
    size_t length = strcspn(r->text, "\r\n");
    if (length + 1 >= sizeof r->text) {
        carom_error_set(err, CAROM_BAD_INPUT, "a line has more than %d characters", LINE - 2);
        carom_error_where(err, "%s:%d", r->path, r->line);
        return carom_error_fix(err, "give a table of numbers: CSV, one heading, one row a line");
    }
    r->text[length] = '\0';
    return CAROM_OK;
}

static int find_name(const reader *r, const char *word, size_t length)
{
    for (int i = 0; i < r->count; ++i)
        if (strlen(r->names[i]) == length && strncmp(r->names[i], word, length) == 0)
            return i;
    return -1;
}

static carom_status missing_column(const reader *r, const bool *seen, carom_error *err)
{
    for (int i = 0; i < r->count; ++i) {
        if (seen[i])
            continue;
        carom_error_set(err, CAROM_BAD_INPUT, "there is no column \"%s\"", r->names[i]);
        carom_error_where(err, "%s:%d", r->path, r->line);
        return carom_error_fix(err, "name the columns in the first line as data/README.md does");
    }
    return CAROM_OK;
}

static carom_status read_heading(reader *r, carom_error *err)
{
    bool more, seen[COLUMNS_MAX] = { 0 };
    TRY(read_line(r, &more, err));
    if (!more) {
        carom_error_set(err, CAROM_BAD_INPUT, "the file is empty");
        carom_error_where(err, "%s", r->path);
        return carom_error_fix(err, "give a table of numbers: CSV, one heading, one row a line");
    }
    for (const char *at = r->text; at; r->columns++) {
        const char *comma = strchr(at, ',');
        int place = find_name(r, at, comma ? (size_t)(comma - at) : strlen(at));
        if (r->columns == COLUMNS_MAX || (place >= 0 && seen[place])) {
            carom_error_set(err, CAROM_BAD_INPUT,
                            place >= 0 ? "the column \"%s\" stands there twice"
                                       : "there are more columns than %s",
                            place >= 0 ? r->names[place] : "256");
            carom_error_where(err, "%s:%d", r->path, r->line);
            return carom_error_fix(err, "name every column once");
        }
        r->place_of[r->columns] = place;
        if (place >= 0)
            seen[place] = true;
        at = comma ? comma + 1 : NULL;
    }
    return missing_column(r, seen, err);
}

static carom_status bad_value(const reader *r, int column, const char *what, carom_error *err)
{
    carom_error_set(err, CAROM_BAD_INPUT, "value %d %s", column + 1, what);
    carom_error_where(err, "%s:%d", r->path, r->line);
    return carom_error_fix(err, "every row has one finite number for each column of the heading");
}

// The numbers of one line; `row` gets those asked for.
static carom_status read_row(const reader *r, double *row, carom_error *err)
{
    const char *at = r->text;
    for (int column = 0; column < r->columns; ++column) {
        char *end;
        double value = strtod(at, &end);
        bool last = column + 1 == r->columns;
        if (end == at)
            return bad_value(r, column, "is no number", err);
        if (!isfinite(value))
            return bad_value(r, column, "is not finite", err);
        if (*end != (last ? '\0' : ','))
            return bad_value(r, column, last ? "is followed by more" : "is the last", err);
        if (r->place_of[column] >= 0)
            row[r->place_of[column]] = value;
        at = end + 1;
    }
    return CAROM_OK;
}

static carom_status grow(reader *r, carom_data_table *out, carom_error *err)
{
    if (out->rows < r->capacity)
        return CAROM_OK;
    int capacity = r->capacity ? 2 * r->capacity : 1024;
    double *values =
        out->rows < ROWS_MAX
            ? realloc(out->values, (size_t)capacity * (size_t)r->count * sizeof *values)
            : NULL;
    if (!values)
        return carom_error_no_memory(err, "%d rows of %s", capacity, r->path);
    out->values = values;
    r->capacity = capacity;
    return CAROM_OK;
}

static carom_status read_rows(reader *r, carom_data_table *out, carom_error *err)
{
    for (bool more = true; more;) {
        TRY(read_line(r, &more, err));
        if (!more || r->text[0] == '\0')
            continue;
        TRY(grow(r, out, err));
        TRY(read_row(r, out->values + (size_t)out->rows * (size_t)r->count, err));
        ++out->rows;
    }
    if (out->rows > 0)
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT, "there are no rows below the heading");
    carom_error_where(err, "%s", r->path);
    return carom_error_fix(err, "give a table with at least one row");
}

carom_status carom_data_table_read(const char *path, const char *const *names, int count,
                                   carom_data_table *out, carom_error *err)
{
    reader r = { .path = path, .names = names, .count = count };
    *out = (carom_data_table){ .columns = count };
    r.file = gzopen(path, "rb");
    if (!r.file) {
        carom_error_set(err, CAROM_IO_FAILED, "cannot open the file: %s", strerror(errno));
        carom_error_where(err, "%s", path);
        return carom_error_fix(err, "check the name of the file");
    }
    carom_status status = read_heading(&r, err);
    if (status == CAROM_OK)
        status = read_rows(&r, out, err);
    gzclose(r.file);
    if (status != CAROM_OK)
        carom_data_table_free(out);
    return status;
}

void carom_data_table_free(carom_data_table *table)
{
    free(table->values);
    *table = (carom_data_table){ 0 };
}
