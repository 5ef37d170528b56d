// Files of pieces; see pieces.h.
#include "base/pieces.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/bytes.h"
#include "base/hash.h"
#include "carom/version.h"

static const char magic[] = "carom-pieces-1\n"; // with its zero 16 bytes
enum { HEAD = 24, RECORD = 24 };

typedef struct entry {
    int64_t piece;
    const unsigned char *bytes;
    size_t size;
} entry;

struct carom_pieces_store {
    const carom_pieces *pieces;
    FILE *file;            // of a shard
    unsigned char **texts; // whole files
    int text_count;
    entry *entries; // by piece after the files are read
    size_t count, room;
    uint64_t key;
};

static carom_status cannot(const char *what, const char *path, carom_error *err)
{
    carom_error_set(err, CAROM_IO_FAILED, "the pieces cannot be %s: %s", what, strerror(errno));
    carom_error_where(err, "%s", path);
    return carom_error_fix(err, "look for the folder, its permissions, a full disk");
}

// All of a file; `size` 0 and null where it is empty.
static carom_status read_all(FILE *file, const char *path, unsigned char **out, size_t *size,
                             carom_error *err)
{
    size_t room = 0;
    *out = NULL;
    *size = 0;
    for (;;) {
        if (*size == room) {
            room = 2 * room + 65536;
            unsigned char *more = realloc(*out, room);
            if (!more)
                return carom_error_no_memory(err, "the pieces");
            *out = more;
        }
        size_t got = fread(*out + *size, 1, room - *size, file);
        *size += got;
        if (got == 0)
            return ferror(file) ? cannot("read", path, err) : CAROM_OK;
    }
}

static carom_status add_entry(carom_pieces_store *s, entry one, carom_error *err)
{
    if (s->count == s->room) {
        size_t room = 2 * s->room + 64;
        entry *more = realloc(s->entries, room * sizeof *more);
        if (!more)
            return carom_error_no_memory(err, "the pieces");
        s->entries = more;
        s->room = room;
    }
    s->entries[s->count++] = one;
    return CAROM_OK;
}

static carom_status check_head(const carom_pieces_store *s, const unsigned char *text, size_t size,
                               const char *path, carom_error *err)
{
    if (size < HEAD || memcmp(text, magic, sizeof magic) != 0) {
        carom_error_set(err, CAROM_BAD_INPUT, "this is no file of pieces");
        carom_error_where(err, "%s", path);
        return carom_error_fix(err, "name another one, or remove it");
    }
    const unsigned char *at = text + sizeof magic;
    if (carom_bytes_get_u64(&at) != s->key) {
        carom_error_set(err, CAROM_BAD_INPUT,
                        "these pieces are of another work: another file, "
                        "other options or another version of Carom");
        carom_error_where(err, "%s", path);
        return carom_error_fix(err,
                               "give the same file and options to all shards, or another name");
    }
    return CAROM_OK;
}

// The records of a file. Returns through `end` where the last whole one ends.
static carom_status read_records(carom_pieces_store *s, const unsigned char *text, size_t size,
                                 size_t *end, carom_error *err)
{
    for (*end = HEAD; size - *end >= RECORD;) {
        const unsigned char *at = text + *end;
        int64_t piece = (int64_t)carom_bytes_get_u64(&at);
        uint64_t length = carom_bytes_get_u64(&at), sum = carom_bytes_get_u64(&at);
        if (length > size - *end - RECORD ||
            carom_hash_bytes(CAROM_HASH_START ^ (uint64_t)piece, at, (size_t)length) != sum)
            break;
        TRY(add_entry(s, (entry){ piece, at, (size_t)length }, err));
        *end += RECORD + (size_t)length;
    }
    return CAROM_OK;
}

static carom_status load(carom_pieces_store *s, FILE *file, const char *path, size_t *end,
                         carom_error *err)
{
    unsigned char *text;
    size_t size;
    carom_status status = read_all(file, path, &text, &size, err);
    *end = 0;
    if (status != CAROM_OK || size == 0) { // a file that was made and never written
        free(text);
        return status;
    }
    s->texts[s->text_count++] = text;
    TRY(check_head(s, text, size, path, err));
    return read_records(s, text, size, end, err);
}

static carom_status write_head(carom_pieces_store *s, carom_error *err)
{
    unsigned char head[HEAD], *at = head;
    memcpy(at, magic, sizeof magic);
    at += sizeof magic;
    carom_bytes_put_u64(&at, s->key);
    if (fwrite(head, 1, HEAD, s->file) != HEAD || fflush(s->file) != 0)
        return cannot("written", s->pieces->path, err);
    return CAROM_OK;
}

// Two processes that do one shard would write over each other's pieces.
static carom_status lock(FILE *file, const char *path, carom_error *err)
{
#ifdef F_SETLK // not in a browser; and some file systems have none
    struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    if (fcntl(fileno(file), F_SETLK, &all) != 0 && (errno == EACCES || errno == EAGAIN)) {
        carom_error_set(err, CAROM_IO_FAILED, "another process is doing this shard");
        carom_error_where(err, "%s", path);
        return carom_error_fix(err, "wait for it to end, or give another --pieces");
    }
#else
    (void)file, (void)path, (void)err;
#endif
    return CAROM_OK;
}

static carom_status open_shard(carom_pieces_store *s, carom_error *err)
{
    const char *path = s->pieces->path;
    size_t end;
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    s->file = file < 0 ? NULL : fdopen(file, "r+b");
    if (!s->file) {
        cannot("opened", path, err);
        if (file >= 0)
            close(file);
        return CAROM_IO_FAILED;
    }
    TRY(lock(s->file, path, err));
    TRY(load(s, s->file, path, &end, err));
    if (fseek(s->file, (long)end, SEEK_SET) != 0)
        return cannot("opened", path, err);
    return end == 0 ? write_head(s, err) : CAROM_OK;
}

static carom_status open_all(carom_pieces_store *s, carom_error *err)
{
    for (int i = 0; i < s->pieces->merged_count; ++i) {
        const char *path = s->pieces->merged[i];
        size_t end;
        FILE *file = fopen(path, "rb");
        if (!file)
            return cannot("read", path, err);
        carom_status status = load(s, file, path, &end, err);
        fclose(file);
        if (status != CAROM_OK)
            return status;
    }
    return CAROM_OK;
}

static int by_piece(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    return (x->piece > y->piece) - (x->piece < y->piece);
}

static carom_status check(const carom_pieces *p, carom_error *err)
{
    bool merges = p->shards == 0 && p->shard == 0 && p->merged_count > 0 && p->merged;
    if (merges || (p->shard >= 1 && p->shard <= p->shards && p->path))
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT, "shard %d of %d, of %d files", p->shard, p->shards,
                    p->merged_count);
    return carom_error_fix(err, "use shards from 1 of N to N of N, then merge all of their files");
}

carom_status carom_pieces_open(const carom_pieces *pieces, uint64_t key, carom_pieces_store **out,
                               carom_error *err)
{
    *out = NULL;
    TRY(check(pieces, err));
    carom_pieces_store *s = calloc(1, sizeof *s);
    int files = pieces->shards > 0 ? 1 : pieces->merged_count;
    if (s)
        s->texts = calloc((size_t)files, sizeof *s->texts);
    if (!s || !s->texts) {
        free(s);
        return carom_error_no_memory(err, "the pieces");
    }
    const char *version = carom_version();
    s->pieces = pieces;
    s->key = carom_hash_bytes(key, version, strlen(version));
    carom_status status = pieces->shards > 0 ? open_shard(s, err) : open_all(s, err);
    if (status != CAROM_OK) {
        carom_pieces_close(s);
        return status;
    }
    if (s->count > 0)
        qsort(s->entries, s->count, sizeof *s->entries, by_piece);
    *out = s;
    return CAROM_OK;
}

void carom_pieces_close(carom_pieces_store *store)
{
    if (!store)
        return;
    if (store->file)
        fclose(store->file); // each piece was flushed
    for (int i = 0; i < store->text_count; ++i)
        free(store->texts[i]);
    free(store->texts);
    free(store->entries);
    free(store);
}

static const entry *find(const carom_pieces_store *s, int64_t piece)
{
    const entry wanted = { .piece = piece };
    return s->count ? bsearch(&wanted, s->entries, s->count, sizeof wanted, by_piece) : NULL;
}

bool carom_pieces_wanted(const carom_pieces_store *store, int64_t piece)
{
    if (!store)
        return true;
    int shards = store->pieces->shards;
    return shards > 0 && piece % shards == store->pieces->shard - 1 && !find(store, piece);
}

carom_status carom_pieces_put(carom_pieces_store *store, int64_t piece, const unsigned char *bytes,
                              size_t size, carom_error *err)
{
    unsigned char head[RECORD], *at = head;
    carom_bytes_put_u64(&at, (uint64_t)piece);
    carom_bytes_put_u64(&at, size);
    carom_bytes_put_u64(&at, carom_hash_bytes(CAROM_HASH_START ^ (uint64_t)piece, bytes, size));
    if (fwrite(head, 1, RECORD, store->file) != RECORD ||
        fwrite(bytes, 1, size, store->file) != size || fflush(store->file) != 0)
        return cannot("written", store->pieces->path, err);
    return CAROM_OK;
}

carom_status carom_pieces_get(const carom_pieces_store *store, int64_t piece,
                              const unsigned char **bytes, size_t *size, carom_error *err)
{
    const entry *one = find(store, piece);
    if (!one || (*size > 0 && one->size != *size)) {
        carom_error_set(err, CAROM_BAD_INPUT, "piece %lld is in none of %d files", (long long)piece,
                        store->pieces->merged_count);
        return carom_error_fix(err, "run the shards that are missing, then merge again");
    }
    *bytes = one->bytes;
    *size = one->size;
    return CAROM_OK;
}
