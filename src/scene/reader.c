// Reads a file, has jansson parse it strictly, and words its complaints.
#include "scene/reader.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "parse/parse.h"
#include "scene/locate.h"

struct carom_reader {
    char *name; // of the file, for errors
    char *text; // without a byte order mark, ends with a zero
    size_t size;
    json_t *root;
    carom_expression_names names; // of "let"
    carom_arena *memory;
};

static carom_status read_stream(FILE *file, const char *path, char **text, size_t *size,
                                carom_error *err);
static carom_status refuse_own(const char *path, const char *text, size_t size, carom_error *err);
static void blank_comments(char *text);
static carom_status screen(const carom_reader *reader, carom_error *err);
static carom_status parse(carom_reader *reader, carom_error *err);
static carom_status read_let(carom_reader *reader, carom_error *err);
static carom_status syntax_error(const carom_reader *reader, const json_error_t *flaw,
                                 carom_error *err);
static carom_status place_offset(const carom_reader *reader, size_t offset, carom_error *err);

carom_status carom_reader_open(const char *path, carom_reader **out, carom_error *err)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    if (!file && errno == ENOMEM)
        return carom_error_no_memory(err, "\"%.160s\"", path);
    if (!file) {
        carom_error_set(err, CAROM_IO_FAILED, "cannot open \"%.160s\": %s", path, strerror(errno));
        carom_error_fix(err, "check the name and that you may read the file");
        return CAROM_IO_FAILED;
    }
    char *text = NULL;
    size_t size = 0;
    carom_status status = read_stream(file, path, &text, &size, err);
    if (!standard)
        fclose(file);
    if (status == CAROM_OK)
        status = carom_reader_parse(standard ? "standard input" : path, text, size, out, err);
    free(text);
    return status;
}

static carom_status read_stream(FILE *file, const char *path, char **text, size_t *size,
                                carom_error *err)
{
    const size_t max = (size_t)CAROM_READER_MEGABYTES << 20;
    size_t room = 0;
    while (!feof(file)) {
        if (*size == room) {
            room = room ? 2 * room : 1 << 16;
            char *larger = realloc(*text, room);
            if (!larger)
                return carom_error_no_memory(err, "\"%.160s\"", path);
            *text = larger;
        }
        *size += fread(*text + *size, 1, room - *size, file);
        if (ferror(file)) {
            carom_error_set(err, CAROM_IO_FAILED, "cannot read \"%.160s\": %s", path,
                            strerror(errno));
            return carom_error_fix(err, "name a file, not a folder or a device");
        }
        carom_status own = refuse_own(path, *text, *size, err); // before all of it is read
        if (own != CAROM_OK)
            return own;
        if (*size > max) {
            carom_error_set(err, CAROM_BAD_INPUT, "\"%.160s\" is larger than %d MB", path,
                            CAROM_READER_MEGABYTES);
            return carom_error_fix(err, "describe many bodies by a generator instead");
        }
    }
    return CAROM_OK;
}

// Carom's own binary files are no scenes; each has commands that take it.
static carom_status refuse_own(const char *path, const char *text, size_t size, carom_error *err)
{
    static const struct {
        const char *magic, *noun, *fix;
    } own[] = {
        { "CAROMTRJ", "a trajectory",
          "`carom info` says what is in it; export, view, measure, pattern and diff take it" },
        { "CAROMBNC", "a bounce map", "`carom info` says what is in it, `carom view` shows it" },
        { "CAROMMOD", "a file of vibration modes",
          "`carom bounce` makes such files and reads them" },
    };
    for (size_t i = 0; i < sizeof own / sizeof *own; ++i)
        if (size >= 8 && memcmp(text, own[i].magic, 8) == 0) {
            carom_error_set(err, CAROM_BAD_INPUT, "this is %s, not a file of text", own[i].noun);
            carom_error_where(err, "%s:1:1", path);
            return carom_error_fix(err, "%s", own[i].fix);
        }
    return CAROM_OK;
}

carom_status carom_reader_parse(const char *name, const char *text, size_t size, carom_reader **out,
                                carom_error *err)
{
    static const char mark[] = "\xEF\xBB\xBF"; // some editors write a byte order mark
    if (size >= 3 && memcmp(text, mark, 3) == 0) {
        text += 3;
        size -= 3;
    }
    carom_reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return carom_error_no_memory(err, "\"%.160s\"", name);
    reader->name = strdup(name);
    reader->text = malloc(size + 1);
    reader->size = size;
    reader->memory = carom_arena_create(0);
    carom_status status = CAROM_OK;
    if (!reader->name || !reader->text || !reader->memory)
        status = carom_error_no_memory(err, "\"%.160s\"", name);
    if (status == CAROM_OK) {
        if (size)
            memcpy(reader->text, text, size);
        reader->text[size] = 0;
        blank_comments(reader->text);
        status = screen(reader, err);
    }
    if (status == CAROM_OK)
        status = parse(reader, err);
    if (status == CAROM_OK)
        status = read_let(reader, err);
    if (status != CAROM_OK) {
        carom_reader_close(reader);
        return status;
    }
    *out = reader;
    return CAROM_OK;
}

// From // to the end of the line, outside of texts, becomes blank: JSON has no comments, and so
// everything keeps its line and column.
static void blank_comments(char *text)
{
    bool quoted = false, comment = false;
    for (char *at = text; *at; ++at) {
        if (*at == '\n')
            quoted = comment = false;
        else if (comment)
            *at = ' ';
        else if (quoted && *at == '\\' && at[1] && at[1] != '\n')
            ++at;
        else if (*at == '"')
            quoted = !quoted;
        else if (!quoted && at[0] == '/' && at[1] == '/') {
            comment = true;
            *at = ' ';
        }
    }
}

void carom_reader_close(carom_reader *reader)
{
    if (!reader)
        return;
    json_decref(reader->root);
    carom_arena_destroy(reader->memory);
    free(reader->text);
    free(reader->name);
    free(reader);
}

static carom_status screen(const carom_reader *reader, carom_error *err)
{
    size_t offset = 0;
    const char *fix = NULL;
    switch (carom_locate_screen(reader->text, reader->size, &offset)) {
    case CAROM_LOCATE_SOUND:
        return CAROM_OK;
    case CAROM_LOCATE_NOT_UTF8:
        carom_error_set(err, CAROM_BAD_INPUT, "the byte 0x%02X is not valid UTF-8 here",
                        (unsigned char)reader->text[offset]);
        fix = "save the file as UTF-8 text";
        break;
    case CAROM_LOCATE_NUL:
        carom_error_set(err, CAROM_BAD_INPUT, "a zero byte stands in the text");
        fix = "save the file as UTF-8 text; it may be binary or UTF-16";
        break;
    case CAROM_LOCATE_DEEP:
        carom_error_set(err, CAROM_BAD_INPUT, "brackets are nested more than %d deep",
                        CAROM_LOCATE_DEPTH);
        fix = "no file kind needs that; look for a bracket that is not closed";
        break;
    }
    carom_error_fix(err, "%s", fix);
    return place_offset(reader, offset, err);
}

// Whole numbers are read as real ones: 1 and 1.0 mean the same, and 1e400 is refused as such.
static carom_status parse(carom_reader *reader, carom_error *err)
{
    json_error_t flaw;
    if (strspn(reader->text, " \t\r\n") == reader->size) {
        carom_error_set(err, CAROM_BAD_INPUT, "the file is empty");
        carom_error_fix(err, "a file starts with { \"carom\": 1, \"kind\": ... }");
        return place_offset(reader, 0, err);
    }
    errno = 0;
    reader->root =
        carom_parse_text(reader->text, reader->size,
                         JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL | JSON_DECODE_ANY, &flaw);
    if (!reader->root && errno == ENOMEM) // the parser itself calls that any kind of flaw
        return carom_error_no_memory(err, "\"%.160s\"", reader->name);
    if (!reader->root)
        return syntax_error(reader, &flaw, err);
    if (!json_is_object(reader->root)) {
        carom_value root = carom_reader_root(reader);
        return carom_value_fail(&root, err, "a file starts with { \"carom\": 1, \"kind\": ... }",
                                "the file holds no object");
    }
    return CAROM_OK;
}

// Named numbers, in the order of the file: each may use those before it.
static carom_status read_let(carom_reader *reader, carom_error *err)
{
    carom_value root = carom_reader_root(reader), let, value;
    if (!carom_value_member(&root, "let", &let))
        return CAROM_OK;
    TRY(carom_value_object(&let, err));
    TAKE(reader->memory, reader->names.list, json_object_size(let.json) + 1, err);
    for (const char *key = NULL; (key = carom_value_next_key(&let, key));) {
        double number = 0;
        if (!carom_expression_is_name(key))
            return carom_value_fail_key(&let, key, err,
                                        "use letters, digits and _, and not the name of a function",
                                        "\"%.60s\" cannot name a number", key);
        carom_value_member(&let, key, &value);
        TRY(carom_value_number(&value, NULL, &number, err));
        reader->names.list[reader->names.count++] = (carom_expression_name){ key, number };
    }
    return CAROM_OK;
}

const carom_expression_names *carom_reader_names(const carom_reader *reader)
{
    return &reader->names;
}

// The parser stops behind the token it cannot use and quotes it at the end of its message
// ("... near 'NaN'"): the token's start is its place.
static carom_status syntax_error(const carom_reader *reader, const json_error_t *flaw,
                                 carom_error *err)
{
    char fact[JSON_ERROR_TEXT_LENGTH], token[64] = "";
    snprintf(fact, sizeof fact, "%s", flaw->text);
    char *near = strstr(fact, " near '");
    if (near) {
        snprintf(token, sizeof token, "%s", near + 7);
        token[strlen(token) - 1] = 0;
        *near = 0;
    }
    size_t offset = flaw->position > 0 ? (size_t)flaw->position : 0;
    if (offset > reader->size)
        offset = reader->size;
    size_t back = strlen(token);
    if (back <= offset && memcmp(reader->text + offset - back, token, back) == 0)
        offset -= back;

    const char *fix = "check brackets, commas and quotes around this place";
    carom_status status = CAROM_BAD_INPUT;
    switch (json_error_code(flaw)) {
    case json_error_duplicate_key:
        carom_error_set(err, status, "the key %.60s stands here twice", token);
        fix = "keep one of the two";
        break;
    case json_error_numeric_overflow:
        carom_error_set(err, status, "the number %.60s is too large", token);
        fix = "use a finite number below 1.8e308";
        break;
    case json_error_premature_end_of_input:
        carom_error_set(err, status, "the text ends too early");
        fix = "close every bracket and quote";
        break;
    case json_error_end_of_input_expected:
        carom_error_set(err, status, "there is more text behind the end: \"%.60s\"", token);
        fix = "a file holds one object";
        break;
    case json_error_null_character:
    case json_error_null_byte_in_key:
        carom_error_set(err, status, "a text holds the character \\u0000");
        fix = "leave it out";
        break;
    case json_error_out_of_memory:
        return carom_error_no_memory(err, "\"%.160s\"", reader->name);
    default:
        carom_error_set(err, status, "not JSON: %.100s%s%s%s", fact, *token ? " at \"" : "", token,
                        *token ? "\"" : "");
        if (strcmp(token, "NaN") == 0 || strstr(token, "Inf") || strcmp(token, "nan") == 0)
            fix = "write a finite number";
        else if (*token == '/' || *token == '#')
            fix = "comments begin with // and end with the line; there are no others";
        else if (*token == '\'')
            fix = "use double quotes";
        else if (*token == ']' || *token == '}')
            fix = "a comma before a closing bracket is one too many";
        else if (strstr(fact, "escape"))
            fix = "write \\\\ for a backslash in a text";
        else if (*token == '.' || *token == '+')
            fix = "numbers start with a digit or a minus sign";
    }
    carom_error_fix(err, "%s", fix);
    return place_offset(reader, offset, err);
}

carom_value carom_reader_root(carom_reader *reader)
{
    return (carom_value){ .reader = reader, .json = reader->root };
}

static carom_status place_offset(const carom_reader *reader, size_t offset, carom_error *err)
{
    int line, column;
    carom_locate_line_column(reader->text, offset, &line, &column);
    return carom_error_where(err, "%s:%d:%d", carom_reader_name(reader), line, column);
}

// The end of a long name says more than its start.
const char *carom_reader_name(const carom_reader *reader)
{
    enum { LONGEST = 120 };
    size_t length = strlen(reader->name);
    return length > LONGEST ? reader->name + length - LONGEST : reader->name;
}

const char *carom_reader_path(const carom_reader *reader)
{
    return reader->name;
}

const char *carom_reader_text(const carom_reader *reader, size_t *size)
{
    *size = reader->size;
    return reader->text;
}

carom_arena *carom_reader_memory(const carom_reader *reader)
{
    return reader->memory;
}

void carom_reader_locate(const carom_reader *reader, const carom_locate_step *path, int steps,
                         bool of_key, int line_column[2])
{
    size_t offset = carom_locate_find(reader->text, reader->size, path, steps, of_key);
    carom_locate_line_column(reader->text, offset, &line_column[0], &line_column[1]);
}

// A good file for another command: says for which.
static carom_status another_kind(const carom_value *word, const char *words, carom_error *err)
{
    static const struct {
        const char *kind, *command;
    } kinds[] = { { "world", "run" },
                  { "impact", "impact` and `carom compare" },
                  { "tower", "tower" },
                  { "chain", "chain" } };
    char fix[200];
    const char *given = json_string_value(word->json);
    for (size_t i = 0; given && i < sizeof kinds / sizeof *kinds; ++i) {
        if (strcmp(given, kinds[i].kind) != 0 || strstr(words, given))
            continue;
        snprintf(fix, sizeof fix, "that is for `carom %s`; wanted here: %.120s", kinds[i].command,
                 words);
        return carom_value_fail(word, err, fix, "this is a scene of kind %s", given);
    }
    return CAROM_OK;
}

carom_status carom_reader_kind(const carom_value *root, const char *words, int *kind,
                               carom_error *err)
{
    carom_value version, word;
    int64_t number;
    if (!carom_value_member(root, "carom", &version))
        return carom_value_fail(root, err, "start the file with { \"carom\": 1, \"kind\": ...",
                                "the key \"carom\" is missing");
    static const carom_range first = { .min = 1,
                                       .max = 1,
                                       .fix = "this version of Carom reads files of form 1" };
    TRY(carom_value_integer(&version, &first, &number, err));
    if (!carom_value_member(root, "kind", &word)) {
        char fix[200];
        snprintf(fix, sizeof fix, "add \"kind\": one of %.160s", words);
        return carom_value_fail(root, err, fix, "the key \"kind\" is missing");
    }
    TRY(another_kind(&word, words, err));
    return carom_value_word(&word, words, kind, err);
}
