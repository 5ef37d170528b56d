// Aligned tables on the terminal.
#ifndef CAROM_CLI_TABLE_H
#define CAROM_CLI_TABLE_H

#include <stdio.h>
#include "terminal.h"

typedef struct carom_table carom_table;

// Cells are added row by row; the first row is the heading. Null without memory; all functions then
// do nothing. A table that misses a cell is not printed (carom_terminal_lose).
carom_table *carom_table_create(int columns);
void carom_table_destroy(carom_table *table);
void carom_table_cell(carom_table *table, carom_terminal_look look, const char *words, ...)
    __attribute__((format(printf, 3, 4)));
// Sets a column to the left; numbers stand to the right, which is the default but for column 0.
void carom_table_left(carom_table *table, int column);
// Colours only where the stream is a terminal that wants them.
void carom_table_print(const carom_table *table, FILE *stream);

#endif
