// Appends to a growing text and remembers when memory ran out, so that callers ask once at the
// end.
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void carom_text_free(carom_text *text)
{
    if (!text)
        return;
    free(text->bytes);
    *text = (carom_text){ 0 };
}

static bool reserve(carom_text *text, size_t more)
{
    if (text->failed)
        return false;
    size_t need = text->length + more + 1;
    if (need <= text->capacity)
        return true;
    size_t capacity = text->capacity * 2 > need ? text->capacity * 2 : need + 256;
    char *bytes = realloc(text->bytes, capacity);
    if (!bytes) {
        text->failed = true;
        return false;
    }
    text->bytes = bytes;
    text->capacity = capacity;
    return true;
}

void carom_text_add_bytes(carom_text *text, const char *bytes, size_t count)
{
    if (!text || !bytes)
        return;
    if (!reserve(text, count))
        return;
    memcpy(text->bytes + text->length, bytes, count);
    text->length += count;
    text->bytes[text->length] = 0;
}

void carom_text_add(carom_text *text, const char *format, ...)
{
    if (!text || !format)
        return;
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int count = vsnprintf(NULL, 0, format, list);
    if (count >= 0 && reserve(text, (size_t)count)) {
        vsnprintf(text->bytes + text->length, (size_t)count + 1, format, again);
        text->length += (size_t)count;
    }
    va_end(again);
    va_end(list);
}

void carom_text_add_escaped(carom_text *text, const char *words)
{
    if (!text || !words)
        return;
    for (; *words; ++words) {
        switch (*words) {
        case '&':
            carom_text_add_bytes(text, "&amp;", 5);
            break;
        case '<':
            carom_text_add_bytes(text, "&lt;", 4);
            break;
        case '>':
            carom_text_add_bytes(text, "&gt;", 4);
            break;
        case '"':
            carom_text_add_bytes(text, "&quot;", 6);
            break;
        case '\'':
            carom_text_add_bytes(text, "&#39;", 5);
            break;
        default:
            carom_text_add_bytes(text, words, 1);
        }
    }
}

void carom_text_add_quoted(carom_text *text, const char *words)
{
    if (!text || !words)
        return;
    carom_text_add_bytes(text, "\"", 1);
    for (; *words; ++words) {
        unsigned char byte = (unsigned char)*words;
        if (byte == '"' || byte == '\\')
            carom_text_add(text, "\\%c", byte);
        else if (byte < 0x20)
            carom_text_add(text, "\\u%04x", byte);
        else
            carom_text_add_bytes(text, words, 1);
    }
    carom_text_add_bytes(text, "\"", 1);
}

void carom_text_digits(double number, char out[32])
{
    if (!out)
        return;
    for (int precision = 15; precision <= 17; ++precision) {
        snprintf(out, 32, "%.*g", precision, number);
        if (strtod(out, NULL) == number)
            break;
    }
}

void carom_text_add_number(carom_text *text, double number)
{
    if (!text)
        return;
    if (!isfinite(number)) {
        carom_text_add_bytes(text, "null", 4);
        return;
    }
    char digits[32];
    carom_text_digits(number, digits);
    carom_text_add_bytes(text, digits, strlen(digits));
}

carom_status carom_text_status(const carom_text *text, carom_error *err)
{
    NEED(err, text);
    if (!text->failed)
        return CAROM_OK;
    carom_error_no_memory(err, "a text of more than %zu bytes", text->length);
    return carom_error_fix(err, "write fewer frames or a smaller picture");
}

const char *carom_text_noun(long long count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}

bool carom_text_ends_with(const char *words, const char *ending)
{
    if (!words || !ending)
        return false;
    size_t length = strlen(words), tail = strlen(ending);
    return length > tail && strcmp(words + length - tail, ending) == 0;
}
