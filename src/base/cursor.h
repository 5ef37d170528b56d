// A file in memory that is read number by number, as text or as bytes, without ever leaving the
// buffer; complaints name the line or the byte.
#ifndef CAROM_BASE_CURSOR_H
#define CAROM_BASE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"

typedef struct carom_cursor {
    const char *name;
    const unsigned char *begin, *at, *end;
    const char *fix;      // what complaints advise
    bool binary, swapped; // swapped: the other byte order
    bool comments;        // text: # to the end of the line is skipped
} carom_cursor;

// Longest word of a text that counts as one, with the zero behind it.
enum { CAROM_CURSOR_WORD = 64 };

// At the start of `size` bytes of text.
carom_cursor carom_cursor_make(const char *name, const void *bytes, size_t size, const char *fix);
// IO_FAILED where it is a pipe, a device or a folder: a scene may name one, and it would be waited
// for, or has no end.
carom_status carom_cursor_regular(const char *path, carom_error *err);
// The whole of a regular file, and a zero behind it; free() the bytes.
carom_status carom_cursor_load(const char *path, char **bytes, size_t *size, carom_error *err);

// BAD_INPUT with the place: name:line in text, name: byte in binary files.
carom_status carom_cursor_damaged(const carom_cursor *c, carom_error *err, const char *what, ...)
    __attribute__((format(printf, 3, 4)));
// One whole number of `bytes` bytes (4 or 8; text: any word), within the range.
carom_status carom_cursor_integer(carom_cursor *c, int bytes, long long range[2], const char *name,
                                  long long *out, carom_error *err);
carom_status carom_cursor_real(carom_cursor *c, const char *name, double *out, carom_error *err);
// The next `count` raw bytes (up to 8) in this machine's order.
carom_status carom_cursor_bytes(carom_cursor *c, size_t count, const char *name, unsigned char *to,
                                carom_error *err);
// Text: the next word, also of a later line, cut at CAROM_CURSOR_WORD - 1 characters; empty at the
// end.
void carom_cursor_word(carom_cursor *c, char word[CAROM_CURSOR_WORD]);
// Text: whether another word follows on this line; blanks before it are passed.
bool carom_cursor_more(carom_cursor *c);
// Text: goes to the start of the next line.
void carom_cursor_next_line(carom_cursor *c);
// Room for `count` things of at least `bytes` bytes each in what is left?
carom_status carom_cursor_room(const carom_cursor *c, long long count, int bytes, const char *name,
                               carom_error *err);

#endif
