// jansson (2.14) does not look whether the text of a token found room to grow: without memory it
// reads and writes beyond what it has, up to the next quote. So it never sees an allocation fail
// while it parses: what the system does not give comes from a reserve that was taken before, and
// the text ends there. The reserve lasts for what is between that moment and the end of the piece
// in its hands (1 KB), and for any token: a text is copied into blocks that double.
//
// Its functions for memory are those of the whole process. They are replaced once, by functions
// that do as the ones before them unless this thread is parsing.
#include "parse/parse.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What a piece of 1 KB may ask for: a value for every other byte, and the table it is put into.
enum { PIECE = 1 << 17, TOKENS = 4, ALIGNED = 16 };

typedef struct reserve {
    char *from, *to, *at; // null: nobody parses
    bool used;
} reserve;

static _Thread_local reserve here;
static json_malloc_t plain_malloc;
static json_free_t plain_free;

static void *take(size_t size)
{
    void *block = plain_malloc(size);
    size = (size + ALIGNED - 1) / ALIGNED * ALIGNED;
    if (block || !here.from || size > (size_t)(here.to - here.at))
        return block;
    here.used = true;
    block = here.at;
    here.at += size;
    return block;
}

static void give_back(void *block)
{
    bool ours = here.from && (uintptr_t)block >= (uintptr_t)here.from &&
                (uintptr_t)block < (uintptr_t)here.to;
    if (!ours)
        plain_free(block);
}

static void begin(void)
{
    static atomic_flag begun = ATOMIC_FLAG_INIT;
    if (atomic_flag_test_and_set(&begun))
        return;
    json_get_alloc_funcs(&plain_malloc, &plain_free);
    json_set_alloc_funcs(take, give_back);
}

// A library that is unloaded leaves nothing behind.
__attribute__((destructor)) static void end(void)
{
    if (plain_malloc)
        json_set_alloc_funcs(plain_malloc, plain_free);
}

// What is left of a text or a file.
typedef struct source {
    const char *text;
    size_t size;
    FILE *file;
    bool failed;
} source;

static size_t next_piece(void *to, size_t room, void *data)
{
    source *s = data;
    if (here.used)
        return 0; // no memory: the text ends here
    if (s->file) {
        size_t got = fread(to, 1, room, s->file);
        s->failed = ferror(s->file) != 0;
        return s->failed ? (size_t)-1 : got;
    }
    size_t size = s->size < room ? s->size : room;
    memcpy(to, s->text, size);
    s->text += size;
    s->size -= size;
    return size;
}

static json_t *parse(source *s, size_t size, size_t flags, json_error_t *flaw)
{
    char *room = malloc(TOKENS * size + PIECE);
    if (!room) {
        errno = ENOMEM;
        return NULL;
    }
    begin();
    here = (reserve){ room, room + TOKENS * size + PIECE, room, false };
    json_t *root = json_load_callback(next_piece, s, flags, flaw);
    bool used = here.used;
    if (used)
        json_decref(root); // some of it lies in the reserve
    here = (reserve){ NULL, NULL, NULL, false };
    free(room);
    if (used)
        errno = ENOMEM;
    return used ? NULL : root;
}

json_t *carom_parse_text(const char *text, size_t size, size_t flags, json_error_t *flaw)
{
    source s = { .text = text, .size = size };
    return parse(&s, size, flags, flaw);
}

static json_t *unreadable(const char *path, json_error_t *flaw)
{
    *flaw = (json_error_t){ .line = -1, .column = -1 };
    snprintf(flaw->text, sizeof flaw->text, "unable to read %.100s: %s", path, strerror(errno));
    return NULL;
}

json_t *carom_parse_file(const char *path, size_t flags, json_error_t *flaw)
{
    source s = { .file = fopen(path, "rb") };
    if (!s.file)
        return unreadable(path, flaw);
    long size = fseek(s.file, 0, SEEK_END) == 0 ? ftell(s.file) : -1;
    json_t *root = NULL;
    if (size >= 0 && fseek(s.file, 0, SEEK_SET) == 0)
        root = parse(&s, (size_t)size, flags, flaw);
    if (size < 0 || s.failed)
        unreadable(path, flaw);
    fclose(s.file);
    return root;
}
