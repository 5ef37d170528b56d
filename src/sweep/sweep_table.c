// The results as a table: CSV for people and spreadsheets, a NumPy archive for programs.
#include "sweep/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

// -- columns --------------------------------------------------------------------------------------

// The next "name [unit]=value" of a line; false at its end.
static bool next_pair(const char **at, char name[96], double *value)
{
    const char *tab = strchr(*at, '\t'), *equals = tab ? strchr(tab, '=') : NULL;
    if (!equals)
        return false;
    size_t length = (size_t)(equals - tab - 1);
    snprintf(name, 96, "%.*s", (int)(length < 95 ? length : 95), tab + 1);
    char *end;
    *value = strtod(equals + 1, &end);
    if (end == equals + 1)
        *value = (double)NAN; // null: a measure that is not there, or has no end
    *at = equals + 1;
    return true;
}

// Jobs bring their columns in the same order nearly always: look at the expected place first.
static int find_column(const carom_sweep_table *t, const char *name, int expected)
{
    if (expected < t->columns && strcmp(t->names[expected], name) == 0)
        return expected;
    for (int i = 0; i < t->columns; ++i)
        if (strcmp(t->names[i], name) == 0)
            return i;
    return -1;
}

static bool add_column(carom_sweep_table *t, const char *name)
{
    void *more = realloc(t->names, ((size_t)t->columns + 1) * sizeof *t->names);
    if (!more)
        return false;
    t->names = more;
    snprintf(t->names[t->columns++], sizeof *t->names, "%s", name);
    return true;
}

static const char *good_line(const carom_sweep *sweep, int64_t job)
{
    const char *words = carom_sweep_journal_find(sweep, sweep->keys[job]);
    return words && strncmp(words, "ok", 2) == 0 ? words : NULL;
}

carom_status carom_sweep_table_make(const carom_sweep *sweep, carom_sweep_table *table,
                                    carom_error *err)
{
    char name[96];
    double value;
    bool good = true;
    *table = (carom_sweep_table){ 0 };
    for (int64_t job = 0; job < sweep->jobs && good; ++job) {
        const char *at = good_line(sweep, job);
        for (int k = 0; at && good && next_pair(&at, name, &value); ++k)
            good = find_column(table, name, k) >= 0 || add_column(table, name);
    }
    size_t width = (size_t)table->columns, size = width * (size_t)sweep->jobs;
    table->numbers = good ? malloc((size + 1) * sizeof *table->numbers) : NULL;
    if (!table->numbers) {
        carom_sweep_table_free(table);
        return carom_error_no_memory(err, "the table");
    }
    for (size_t i = 0; i < size; ++i)
        table->numbers[i] = (double)NAN;
    for (int64_t job = 0; job < sweep->jobs; ++job) {
        const char *at = good_line(sweep, job);
        for (int k = 0; at && next_pair(&at, name, &value); ++k)
            table->numbers[(size_t)job * width + (size_t)find_column(table, name, k)] = value;
    }
    return CAROM_OK;
}

void carom_sweep_table_free(carom_sweep_table *table)
{
    free(table->names);
    free(table->numbers);
    *table = (carom_sweep_table){ 0 };
}

void carom_sweep_table_split(const char *heading, char name[96], char unit[96])
{
    const char *open = strstr(heading, " [");
    size_t length = open ? (size_t)(open - heading) : strlen(heading);
    snprintf(name, 96, "%.*s", (int)length, heading);
    snprintf(unit, 96, "%s", open ? open + 2 : "");
    unit[strcspn(unit, "]")] = 0;
}

// -- CSV ------------------------------------------------------------------------------------------

// In quotes where it has to be.
static void add_cell(carom_text *text, const char *words)
{
    if (!strpbrk(words, ",\"\n")) {
        carom_text_add(text, "%s", words);
        return;
    }
    carom_text_add(text, "\"");
    for (const char *c = words; *c; ++c)
        carom_text_add(text, *c == '"' ? "\"\"" : "%c", *c);
    carom_text_add(text, "\"");
}

static void add_row(const carom_sweep *sweep, const carom_sweep_table *t, int64_t job,
                    carom_text *text)
{
    const char *why = carom_sweep_error(sweep, job);
    bool there = carom_sweep_journal_find(sweep, sweep->keys[job]) != NULL;
    carom_text_add(text, "%lld", (long long)job);
    for (int i = 0; i < sweep->axis_count; ++i) {
        char value[CAROM_SWEEP_VALUE];
        carom_sweep_points_value(sweep, job, i, value, sizeof value);
        carom_text_add(text, ",");
        add_cell(text, value);
    }
    for (int i = 0; i < t->columns; ++i) {
        double number = t->numbers[(size_t)job * (size_t)t->columns + (size_t)i];
        carom_text_add(text, ",");
        if (!isnan(number))
            carom_text_add_number(text, number);
    }
    carom_text_add(text, ",");
    add_cell(text, why ? why : there ? "" : "not run");
    carom_text_add(text, "\n");
}

static carom_status cannot_write(const char *what, bool starved, carom_error *err)
{
    if (starved)
        return carom_error_no_memory(err, "writing %s", what);
    carom_error_set(err, CAROM_IO_FAILED, "%s cannot be written", what);
    return carom_error_fix(err, "look for a full disk");
}

carom_status carom_sweep_csv(const carom_sweep *sweep, FILE *file, carom_error *err)
{
    carom_sweep_table t;
    carom_text text = { 0 };
    bool good = true, starved = false;
    NEED(err, sweep, file);
    TRY(carom_sweep_table_make(sweep, &t, err));
    carom_text_add(&text, "job");
    for (int i = 0; i < sweep->axis_count; ++i) {
        const carom_sweep_axis *a = &sweep->axes[i];
        carom_text_add(&text, *a->unit ? ",%s [%s]" : ",%s%s", a->name, a->unit);
    }
    for (int i = 0; i < t.columns; ++i) {
        carom_text_add(&text, ",");
        add_cell(&text, t.names[i]);
    }
    carom_text_add(&text, ",error\n");
    for (int64_t job = 0; job < sweep->jobs && good; ++job) {
        add_row(sweep, &t, job, &text);
        if (text.failed || (text.length > 1 << 20) || job == sweep->jobs - 1) {
            starved = text.failed;
            good = !starved && fwrite(text.bytes, 1, text.length, file) == text.length;
            carom_text_free(&text);
        }
    }
    carom_sweep_table_free(&t);
    carom_text_free(&text);
    if (good)
        return CAROM_OK;
    return cannot_write("the table", starved, err);
}

// -- NPZ: a ZIP file of .npy arrays, stored (PKWARE APPNOTE 4.3) ----------------------------------

typedef struct archive {
    FILE *file;
    carom_text directory;
    uint32_t at;
    int count;
    bool good;
    bool starved; // where it is not good: there was no memory
    bool large;   // likewise: it would be
} archive;

// What such an archive, whose offsets have 32 bits and its number of arrays 16, does not hold.
static carom_status refuse_large(const carom_sweep *sweep, int columns, carom_error *err)
{
    carom_error_set(err, CAROM_BAD_INPUT,
                    "%lld jobs with %d columns are too large for a NumPy archive, 4 GB at most",
                    (long long)sweep->jobs, columns);
    return carom_error_fix(err, "use the table (CSV), or several sweeps");
}

static carom_status check_size(const carom_sweep *sweep, int columns, carom_error *err)
{
    double bytes = columns * (8.0 * (double)sweep->jobs + 1024);
    return bytes < UINT32_MAX && columns < 65000 ? CAROM_OK : refuse_large(sweep, columns, err);
}

// Goes on only with memory.
static void needs(archive *a, bool memory)
{
    a->starved = a->starved || (a->good && !memory);
    a->good = a->good && memory;
}

static void put16(carom_text *text, unsigned value)
{
    const char bytes[2] = { (char)(value & 255), (char)(value >> 8 & 255) };
    carom_text_add_bytes(text, bytes, 2);
}

static void put32(carom_text *text, uint32_t value)
{
    put16(text, value & 65535);
    put16(text, value >> 16);
}

// What the two headers of an entry have in common.
static void put_entry(carom_text *text, uint32_t checksum, uint32_t size, const char *name)
{
    put16(text, 20); // version needed
    put16(text, 0);
    put16(text, 0);        // stored
    put32(text, 0x210000); // 1980-01-01, so that archives are the same bits
    put32(text, checksum);
    put32(text, size);
    put32(text, size);
    put16(text, (unsigned)strlen(name) + 4);
    put16(text, 0);
}

static void put_bytes(archive *a, const void *bytes, size_t size)
{
    a->large = a->large || size > UINT32_MAX - a->at;
    a->good = a->good && !a->large && (size == 0 || fwrite(bytes, 1, size, a->file) == size);
    a->at += (uint32_t)size;
}

// One array of `rows` entries of `item` bytes each.
static void put_array(archive *a, const char *name, const char *type, const void *data,
                      int64_t rows, size_t item)
{
    carom_text head = { 0 }, local = { 0 };
    char dictionary[160];
    size_t size = (size_t)rows * item;
    snprintf(dictionary, sizeof dictionary,
             "{'descr': '%s', 'fortran_order': False, 'shape': (%lld,), }", type, (long long)rows);
    int padded = ((int)strlen(dictionary) + 11 + 63) / 64 * 64 - 10;
    carom_text_add_bytes(&head, "\x93NUMPY\x01\x00", 8);
    put16(&head, (unsigned)padded);
    carom_text_add(&head, "%-*s\n", padded - 1, dictionary);
    uint32_t sum = (uint32_t)crc32(0, (const Bytef *)head.bytes, (uInt)head.length);
    sum = (uint32_t)crc32(sum, data, (uInt)size);
    uint32_t all = (uint32_t)(head.length + size), offset = a->at;
    put32(&local, 0x04034b50);
    put_entry(&local, sum, all, name);
    carom_text_add(&local, "%s.npy", name);
    put_bytes(a, local.bytes, local.length);
    put_bytes(a, head.bytes, head.length);
    put_bytes(a, data, size);
    put32(&a->directory, 0x02014b50);
    put16(&a->directory, 20);
    put_entry(&a->directory, sum, all, name);
    put16(&a->directory, 0);
    put16(&a->directory, 0);
    put16(&a->directory, 0);
    put32(&a->directory, 0);
    put32(&a->directory, offset);
    carom_text_add(&a->directory, "%s.npy", name);
    ++a->count;
    needs(a, !head.failed && !local.failed);
    carom_text_free(&head);
    carom_text_free(&local);
}

static void put_end(archive *a)
{
    carom_text end = { 0 };
    uint32_t at = a->at, size = (uint32_t)a->directory.length;
    put_bytes(a, a->directory.bytes, a->directory.length);
    put32(&end, 0x06054b50);
    put32(&end, 0);
    put16(&end, (unsigned)a->count);
    put16(&end, (unsigned)a->count);
    put32(&end, size);
    put32(&end, at);
    put16(&end, 0);
    put_bytes(a, end.bytes, end.length);
    needs(a, !end.failed && !a->directory.failed);
    carom_text_free(&end);
    carom_text_free(&a->directory);
}

// Texts of one length, as bytes.
typedef void (*cell_writer)(const carom_sweep *sweep, const carom_sweep_table *t, int64_t row,
                            int which, char out[CAROM_SWEEP_VALUE]);

static void put_texts(archive *a, const carom_sweep *sweep, const carom_sweep_table *t,
                      const char *name, int64_t rows, int which, cell_writer write)
{
    char cell[CAROM_SWEEP_VALUE], type[16];
    size_t longest = 1;
    for (int64_t i = 0; i < rows; ++i) {
        write(sweep, t, i, which, cell);
        longest = strlen(cell) > longest ? strlen(cell) : longest;
    }
    char *all = calloc((size_t)rows * longest + 1, 1);
    needs(a, all != NULL);
    for (int64_t i = 0; i < rows && all; ++i) {
        write(sweep, t, i, which, cell);
        memcpy(all + (size_t)i * longest, cell, strlen(cell));
    }
    snprintf(type, sizeof type, "|S%zu", longest);
    if (all)
        put_array(a, name, type, all, rows, longest);
    free(all);
}

static void write_value(const carom_sweep *sweep, const carom_sweep_table *t, int64_t row,
                        int which, char out[CAROM_SWEEP_VALUE])
{
    (void)t;
    carom_sweep_points_value(sweep, row, which, out, CAROM_SWEEP_VALUE);
}

static void write_error(const carom_sweep *sweep, const carom_sweep_table *t, int64_t row,
                        int which, char out[CAROM_SWEEP_VALUE])
{
    (void)t, (void)which;
    const char *why = carom_sweep_error(sweep, row);
    snprintf(out, CAROM_SWEEP_VALUE, "%s", why ? why : "");
}

// Names (which 0) and units (1) of axes, then of results.
static void write_heading(const carom_sweep *sweep, const carom_sweep_table *t, int64_t row,
                          int which, char out[CAROM_SWEEP_VALUE])
{
    char parts[2][96];
    if (row < sweep->axis_count) {
        snprintf(out, CAROM_SWEEP_VALUE, "%s",
                 which ? sweep->axes[row].unit : sweep->axes[row].name);
        return;
    }
    carom_sweep_table_split(t->names[row - sweep->axis_count], parts[0], parts[1]);
    snprintf(out, CAROM_SWEEP_VALUE, "%s", parts[which]);
}

static void put_axis(archive *a, const carom_sweep *sweep, int axis, double *column)
{
    char value[CAROM_SWEEP_VALUE];
    if (!sweep->axes[axis].numeric) {
        put_texts(a, sweep, NULL, sweep->axes[axis].name, sweep->jobs, axis, write_value);
        return;
    }
    for (int64_t job = 0; job < sweep->jobs; ++job) {
        carom_sweep_points_value(sweep, job, axis, value, sizeof value);
        column[job] = strtod(value, NULL);
    }
    put_array(a, sweep->axes[axis].name, "<f8", column, sweep->jobs, sizeof *column);
}

carom_status carom_sweep_npz(const carom_sweep *sweep, FILE *file, carom_error *err)
{
    carom_sweep_table t;
    archive a = { .file = file, .good = true };
    NEED(err, sweep, file);
    TRY(check_size(sweep, sweep->axis_count, err));
    TRY(carom_sweep_table_make(sweep, &t, err));
    int all = sweep->axis_count + t.columns;
    double *column = malloc(((size_t)sweep->jobs + 1) * sizeof *column);
    needs(&a, column != NULL);
    a.large = check_size(sweep, all, err) != CAROM_OK;
    a.good = a.good && !a.large;
    for (int i = 0; i < sweep->axis_count && a.good; ++i)
        put_axis(&a, sweep, i, column);
    for (int i = 0; i < t.columns && a.good; ++i) {
        char name[96], unit[96];
        carom_sweep_table_split(t.names[i], name, unit);
        for (int64_t job = 0; job < sweep->jobs; ++job)
            column[job] = t.numbers[(size_t)job * (size_t)t.columns + (size_t)i];
        put_array(&a, name, "<f8", column, sweep->jobs, sizeof *column);
    }
    put_texts(&a, sweep, &t, "error", sweep->jobs, 0, write_error);
    put_texts(&a, sweep, &t, "columns", all, 0, write_heading);
    put_texts(&a, sweep, &t, "units", all, 1, write_heading);
    put_end(&a);
    free(column);
    carom_sweep_table_free(&t);
    if (a.good)
        return CAROM_OK;
    return a.large ? refuse_large(sweep, all, err) : cannot_write("the archive", a.starved, err);
}
