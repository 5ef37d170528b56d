// Walks a JSON text along the path of a value to its line and column; rejects texts that no parser
// should see.
#include "scene/locate.h"

#include <string.h>

// A place in the text; every helper stops at `end`.
typedef struct cursor {
    const char *at, *end;
} cursor;

static void skip_space(cursor *c)
{
    while (c->at < c->end && strchr(" \t\r\n", *c->at))
        ++c->at;
}

static void skip_text(cursor *c)
{
    for (++c->at; c->at < c->end && *c->at != '"'; ++c->at)
        if (*c->at == '\\' && c->at + 1 < c->end)
            ++c->at;
    if (c->at < c->end)
        ++c->at;
}

// Leaves the cursor behind a value: brackets are counted, texts are skipped.
static void skip_value(cursor *c)
{
    int depth = 0;
    while (c->at < c->end) {
        char letter = *c->at;
        if (letter == '"') {
            skip_text(c);
        } else if (letter == '[' || letter == '{') {
            ++depth;
            ++c->at;
        } else if (letter == ']' || letter == '}') {
            if (depth == 0)
                return;
            --depth;
            ++c->at;
        } else if (depth == 0 && strchr(", \t\r\n", letter)) {
            return;
        } else {
            ++c->at;
            continue;
        }
        if (depth == 0)
            return;
    }
}

static int hex_value(char letter)
{
    if (letter >= '0' && letter <= '9')
        return letter - '0';
    if (letter >= 'a' && letter <= 'f')
        return letter - 'a' + 10;
    return letter >= 'A' && letter <= 'F' ? letter - 'A' + 10 : 0;
}

static unsigned hex4(const char *at)
{
    return (unsigned)(hex_value(at[0]) << 12 | hex_value(at[1]) << 8 | hex_value(at[2]) << 4 |
                      hex_value(at[3]));
}

static int encode(unsigned code, char *out)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    int extra = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned lead[] = { 0, 0xC0, 0xE0, 0xF0 };
    out[0] = (char)(lead[extra] | code >> (6 * extra));
    for (int i = 1; i <= extra; ++i)
        out[i] = (char)(0x80 | (code >> (6 * (extra - i)) & 0x3F));
    return extra + 1;
}

// One character of a text literal, decoded; returns its bytes and moves on.
static int next_letter(cursor *c, char out[4])
{
    if (*c->at != '\\') {
        out[0] = *c->at++;
        return 1;
    }
    static const char plain[] = "\"\\/bfnrt", meaning[] = "\"\\/\b\f\n\r\t";
    const char *found = c->end - c->at > 1 ? strchr(plain, c->at[1]) : NULL;
    if (found && *found) {
        out[0] = meaning[found - plain];
        c->at += 2;
        return 1;
    }
    if (c->end - c->at < 6) {
        c->at = c->end;
        return 0;
    }
    unsigned code = hex4(c->at + 2);
    c->at += 6;
    if (code >= 0xD800 && code < 0xDC00 && c->end - c->at >= 6) {
        code = 0x10000 + ((code - 0xD800) << 10) + ((hex4(c->at + 2) - 0xDC00) & 0x3FF);
        c->at += 6;
    }
    return encode(code, out);
}

// The text literal at the cursor equals `word`; escapes in the literal are decoded.
static bool same_text(cursor c, const char *word)
{
    size_t length = strlen(word), used = 0;
    for (++c.at; c.at < c.end && *c.at != '"';) {
        char letter[4];
        size_t bytes = (size_t)next_letter(&c, letter);
        if (used + bytes > length || memcmp(word + used, letter, bytes) != 0)
            return false;
        used += bytes;
    }
    return used == length;
}

// Past a value and the comma behind it; false where there is none.
static bool pass_value(cursor *c)
{
    skip_value(c);
    skip_space(c);
    bool more = c->at < c->end && *c->at == ',';
    c->at += more;
    return more;
}

// Moves from an object to the value of a member; `key_at` receives where its key stands.
static bool enter_member(cursor *c, const char *key, const char **key_at)
{
    ++c->at;
    while (true) {
        skip_space(c);
        if (c->at >= c->end || *c->at != '"')
            return false;
        cursor name = *c;
        skip_text(c);
        skip_space(c);
        if (c->at < c->end && *c->at == ':')
            ++c->at;
        skip_space(c);
        if (same_text(name, key)) {
            *key_at = name.at;
            return true;
        }
        if (!pass_value(c))
            return false;
    }
}

static bool enter_item(cursor *c, size_t index)
{
    ++c->at;
    for (size_t i = 0;; ++i) {
        skip_space(c);
        if (c->at >= c->end || *c->at == ']')
            return false;
        if (i == index)
            return true;
        if (!pass_value(c))
            return false;
    }
}

size_t carom_locate_find(const char *text, size_t size, const carom_locate_step *path, int steps,
                         bool of_key)
{
    cursor c = { text, text + size };
    skip_space(&c);
    const char *found = c.at, *key_at = c.at;
    for (int i = 0; i < steps && c.at < c.end; ++i) {
        bool inside = path[i].key ? *c.at == '{' && enter_member(&c, path[i].key, &key_at)
                                  : *c.at == '[' && enter_item(&c, path[i].index);
        if (!inside)
            break;
        found = c.at;
    }
    return (size_t)((of_key ? key_at : found) - text);
}

size_t carom_locate_end(const char *text, size_t size, size_t offset)
{
    cursor c = { text + offset, text + size };
    skip_value(&c);
    return (size_t)(c.at - text);
}

void carom_locate_line_column(const char *text, size_t offset, int *line, int *column)
{
    *line = *column = 1;
    for (size_t i = 0; i < offset; ++i) {
        if (text[i] == '\n') {
            ++*line;
            *column = 1;
        } else if (((unsigned char)text[i] & 0xC0) != 0x80) {
            ++*column;
        }
    }
}

// Bytes of the UTF-8 character at `at`, or 0 where it is none (also overlong forms, surrogates and
// codes above 10FFFF).
static int utf8_length(const unsigned char *at, size_t left)
{
    if (at[0] < 0x80)
        return 1;
    int length = at[0] >= 0xF0 ? 4 : at[0] >= 0xE0 ? 3 : 2;
    if (at[0] < 0xC2 || at[0] > 0xF4 || (size_t)length > left)
        return 0;
    for (int i = 1; i < length; ++i)
        if ((at[i] & 0xC0) != 0x80)
            return 0;
    bool overlong = (at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xF0 && at[1] < 0x90);
    bool outside = (at[0] == 0xED && at[1] > 0x9F) || (at[0] == 0xF4 && at[1] > 0x8F);
    return overlong || outside ? 0 : length;
}

carom_locate_flaw carom_locate_screen(const char *text, size_t size, size_t *offset)
{
    bool in_text = false;
    int depth = 0;
    for (size_t i = 0; i < size;) {
        *offset = i;
        int length = utf8_length((const unsigned char *)text + i, size - i);
        if (length == 0)
            return CAROM_LOCATE_NOT_UTF8;
        char letter = text[i];
        if (letter == 0)
            return CAROM_LOCATE_NUL;
        if (letter == '"')
            in_text = !in_text;
        else if (in_text && letter == '\\' && i + 1 < size && text[i + 1] > 0)
            ++i;
        else if (!in_text && (letter == '[' || letter == '{') && ++depth > CAROM_LOCATE_DEPTH)
            return CAROM_LOCATE_DEEP;
        else if (!in_text && (letter == ']' || letter == '}'))
            --depth;
        i += (size_t)length;
    }
    return CAROM_LOCATE_SOUND;
}
