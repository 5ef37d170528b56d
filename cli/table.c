// Collects cells, measures columns and prints them aligned, cut to nothing and coloured only on a
// terminal.
#include "table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

typedef struct cell {
    char *words;
    carom_terminal_look look;
} cell;

struct carom_table {
    int columns, count, room;
    cell *cells;
    bool *left;
    bool failed; // a cell is missing: the others would stand under wrong headings
};

carom_table *carom_table_create(int columns)
{
    carom_table *table = calloc(1, sizeof *table);
    if (!table) {
        carom_terminal_lose();
        return NULL;
    }
    table->columns = columns;
    table->left = calloc((size_t)columns, sizeof *table->left);
    if (!table->left) {
        free(table);
        carom_terminal_lose();
        return NULL;
    }
    table->left[0] = true;
    return table;
}

void carom_table_destroy(carom_table *table)
{
    if (!table)
        return;
    for (int i = 0; i < table->count; ++i)
        free(table->cells[i].words);
    free(table->cells);
    free(table->left);
    free(table);
}

void carom_table_left(carom_table *table, int column)
{
    if (table)
        table->left[column] = true;
}

void carom_table_cell(carom_table *table, carom_terminal_look look, const char *words, ...)
{
    if (!table)
        return;
    if (table->count == table->room) {
        int room = table->room ? 2 * table->room : 64;
        cell *cells = realloc(table->cells, (size_t)room * sizeof *cells);
        table->failed = table->failed || !cells;
        if (!cells)
            return;
        table->cells = cells;
        table->room = room;
    }
    char text[512];
    va_list list;
    va_start(list, words);
    vsnprintf(text, sizeof text, words, list);
    va_end(list);
    carom_terminal_tame(text);
    char *copy = strdup(text);
    table->failed = table->failed || !copy;
    table->cells[table->count++] = (cell){ copy, look };
}

// Characters, not bytes.
static int width_of(const char *words)
{
    int width = 0;
    for (; words && *words; ++words)
        width += ((unsigned char)*words & 0xC0) != 0x80;
    return width;
}

void carom_table_print(const carom_table *table, FILE *stream)
{
    if (!table)
        return;
    int *widths = table->failed ? NULL : calloc((size_t)table->columns, sizeof *widths);
    if (!widths)
        carom_terminal_lose();
    for (int i = 0; widths && i < table->count; ++i) {
        int width = width_of(table->cells[i].words);
        if (width > widths[i % table->columns])
            widths[i % table->columns] = width;
    }
    for (int i = 0; widths && i < table->count; ++i) {
        int column = i % table->columns, last = column == table->columns - 1;
        const char *words = table->cells[i].words;
        int fill = widths[column] - width_of(words);
        fprintf(stream, "%s%*s%s%s%s%*s", column ? "  " : "", table->left[column] ? 0 : fill, "",
                carom_terminal_start(stream, table->cells[i].look), words,
                carom_terminal_start(stream, CAROM_TERMINAL_PLAIN),
                table->left[column] && !last ? fill : 0, "");
        if (last)
            fputc('\n', stream);
    }
    free(widths);
}
