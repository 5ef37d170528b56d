// Reading numbers from text or bytes without ever leaving the buffer.
#include "base/cursor.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

carom_status carom_cursor_damaged(const carom_cursor *c, carom_error *err, const char *what, ...)
{
    char words[200];
    va_list list;
    va_start(list, what);
    vsnprintf(words, sizeof words, what, list);
    va_end(list);
    carom_error_set(err, CAROM_BAD_INPUT, "%s", words);
    if (c->binary) {
        carom_error_where(err, "%s: byte %zu", c->name, (size_t)(c->at - c->begin));
    } else {
        size_t line = 1;
        for (const unsigned char *p = c->begin; p < c->at; ++p)
            line += *p == '\n';
        carom_error_where(err, "%s:%zu", c->name, line);
    }
    return carom_error_fix(err, "%s", c->fix);
}

carom_cursor carom_cursor_make(const char *name, const void *bytes, size_t size, const char *fix)
{
    return (carom_cursor){ .name = name,
                           .begin = bytes,
                           .at = bytes,
                           .end = (const unsigned char *)bytes + size,
                           .fix = fix };
}

static carom_status cannot_read(const char *path, const char *why, carom_error *err)
{
    carom_error_set(err, CAROM_IO_FAILED, "the file cannot be read: %s", why);
    carom_error_where(err, "%s", path);
    return carom_error_fix(err, "check the name and the permissions");
}

carom_status carom_cursor_regular(const char *path, carom_error *err)
{
    struct stat about;
    if (stat(path, &about) != 0)
        return cannot_read(path, strerror(errno), err);
    return S_ISREG(about.st_mode) ? CAROM_OK : cannot_read(path, "it is not a regular file", err);
}

carom_status carom_cursor_load(const char *path, char **bytes, size_t *size, carom_error *err)
{
    *bytes = NULL;
    TRY(carom_cursor_regular(path, err));
    errno = 0;
    FILE *file = fopen(path, "rb");
    long length = -1;
    if (file && fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) >= 0 &&
        fseek(file, 0, SEEK_SET) == 0)
        *bytes = malloc((size_t)length + 1);
    if (*bytes && fread(*bytes, 1, (size_t)length, file) == (size_t)length) {
        *size = (size_t)length;
        (*bytes)[*size] = 0;
        fclose(file);
        return CAROM_OK;
    }
    int why = errno;
    if (file)
        fclose(file);
    free(*bytes);
    *bytes = NULL;
    if (why == ENOMEM)
        return carom_error_no_memory(err, "the file \"%.200s\"", path);
    return cannot_read(path, why ? strerror(why) : "it has become shorter", err);
}

static bool is_space(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

void carom_cursor_next_line(carom_cursor *c)
{
    while (c->at < c->end && *c->at != '\n')
        ++c->at;
    if (c->at < c->end)
        ++c->at;
}

// The next word of a text, cut where it is too long; empty at the end.
static void next_token(carom_cursor *c, char token[CAROM_CURSOR_WORD])
{
    size_t length = 0;
    while (c->at < c->end && (is_space(*c->at) || (c->comments && *c->at == '#')))
        if (*c->at == '#')
            carom_cursor_next_line(c);
        else
            ++c->at;
    const unsigned char *start = c->at;
    while (start + length < c->end && !is_space(start[length]) && length < CAROM_CURSOR_WORD - 1)
        ++length;
    memcpy(token, start, length);
    token[length] = 0;
    if (start + length < c->end && !is_space(start[length]))
        token[0] = '?'; // too long for a number
}

carom_status carom_cursor_bytes(carom_cursor *c, size_t count, const char *name, unsigned char *to,
                                carom_error *err)
{
    if ((size_t)(c->end - c->at) < count)
        return carom_cursor_damaged(c, err, "the file ends inside %s", name);
    for (size_t i = 0; i < count; ++i)
        to[i] = c->at[c->swapped ? count - 1 - i : i];
    c->at += count;
    return CAROM_OK;
}

// Past a token that was read as a number up to `end`.
static carom_status accept(carom_cursor *c, const char *token, const char *end, const char *name,
                           carom_error *err)
{
    if (token[0] == 0)
        return carom_cursor_damaged(c, err, "the file ends where %s should stand", name);
    if (*end)
        return carom_cursor_damaged(c, err, "\"%.40s\" where %s should stand", token, name);
    c->at += strlen(token);
    return CAROM_OK;
}

carom_status carom_cursor_integer(carom_cursor *c, int bytes, long long range[2], const char *name,
                                  long long *out, carom_error *err)
{
    if (c->binary) {
        unsigned char raw[8] = { 0 };
        int32_t small;
        int64_t large;
        TRY(carom_cursor_bytes(c, (size_t)bytes, name, raw, err));
        memcpy(&small, raw, sizeof small);
        memcpy(&large, raw, sizeof large);
        *out = bytes == 4 ? small : large;
    } else {
        char token[CAROM_CURSOR_WORD], *end;
        next_token(c, token);
        *out = strtoll(token, &end, 10);
        TRY(accept(c, token, end, name, err));
    }
    if (*out < range[0] || *out > range[1])
        return carom_cursor_damaged(c, err, "%s is %lld, outside %lld to %lld", name, *out,
                                    range[0], range[1]);
    return CAROM_OK;
}

carom_status carom_cursor_real(carom_cursor *c, const char *name, double *out, carom_error *err)
{
    if (c->binary) {
        unsigned char raw[8];
        TRY(carom_cursor_bytes(c, sizeof raw, name, raw, err));
        memcpy(out, raw, sizeof raw);
    } else {
        char token[CAROM_CURSOR_WORD], *end;
        next_token(c, token);
        *out = strtod(token, &end);
        TRY(accept(c, token, end, name, err));
    }
    if (!(fabs(*out) < 1e100))
        return carom_cursor_damaged(c, err, "%s is %g", name, *out);
    return CAROM_OK;
}

carom_status carom_cursor_room(const carom_cursor *c, long long count, int bytes, const char *name,
                               carom_error *err)
{
    if (count > (c->end - c->at) / bytes)
        return carom_cursor_damaged(c, err, "%lld %s announced, but only %lld bytes follow", count,
                                    name, (long long)(c->end - c->at));
    return CAROM_OK;
}

void carom_cursor_word(carom_cursor *c, char word[CAROM_CURSOR_WORD])
{
    next_token(c, word);
    while (c->at < c->end && !is_space(*c->at)) // the whole of it, however long
        ++c->at;
}

bool carom_cursor_more(carom_cursor *c)
{
    while (c->at < c->end && *c->at != '\n' && is_space(*c->at))
        ++c->at;
    return c->at < c->end && *c->at != '\n' && !(c->comments && *c->at == '#');
}
