// gmsh files, versions 2.x, 4.0 and 4.1, text and binary.
//
// Text and binary differ in how a number is written and, in version 2, in how elements are grouped;
// the cursor hides the former. Only nodes and tetrahedra (types 4 and 11) are kept.
#include "modal/tets.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TYPES = 32, COUNT_MAX = 100000000 };

// Nodes of each element type; 0: unknown.
static const int NODES_OF[TYPES] = { 0, 2,  3,  4,  4, 8,  6,  5,  3,  6,  9, 10, 27, 18, 14, 1,
                                     8, 20, 15, 13, 9, 10, 12, 15, 15, 21, 4, 5,  6,  20, 35, 56 };

typedef struct tagged {
    long long tag;
    int index;
} tagged;

typedef struct reader {
    carom_cursor *c;
    carom_tets_raw *raw;
    carom_error *err;
    int version;       // 20, 40, 41
    tagged *tag;       // of each node
    long long *corner; // tags, raw->per for each tetrahedron
    int room;
} reader;

static carom_status integer(reader *r, int bytes, long long max, const char *name, long long *out)
{
    long long range[2] = { 0, max };
    return carom_cursor_integer(r->c, bytes, range, name, out, r->err);
}

// Numbers that may have any value and mean nothing to us.
static carom_status skip_integers(reader *r, int bytes, long long count)
{
    long long range[2] = { INT64_MIN, INT64_MAX }, ignored;
    for (long long i = 0; i < count; ++i)
        TRY(carom_cursor_integer(r->c, bytes, range, "a number", &ignored, r->err));
    return CAROM_OK;
}

// Goes behind the line that is exactly `word`; false: there is none.
static bool find_section(carom_cursor *c, const char *word)
{
    size_t length = strlen(word);
    for (const unsigned char *p = c->begin; p + length <= c->end; ++p) {
        if (*p != '$' || (p > c->begin && p[-1] != '\n') || memcmp(p, word, length) != 0)
            continue;
        const unsigned char *after = p + length;
        while (after < c->end && (*after == ' ' || *after == '\r'))
            ++after;
        if (after == c->end || *after != '\n')
            continue;
        c->at = after + 1;
        return true;
    }
    return false;
}

static carom_status read_format(reader *r)
{
    carom_cursor *c = r->c;
    double version;
    long long kind, size;
    c->binary = false;
    if (!find_section(c, "$MeshFormat"))
        return carom_cursor_damaged(c, r->err, "no section $MeshFormat: this is not a msh file");
    TRY(carom_cursor_real(c, "the version", &version, r->err));
    TRY(integer(r, 4, 1, "the kind (0 text, 1 binary)", &kind));
    TRY(integer(r, 4, 8, "the data size", &size));
    r->version = version >= 2 && version < 3 ? 20 : version == 4 ? 40 : version == 4.1 ? 41 : 0;
    if (r->version == 0)
        return carom_cursor_damaged(c, r->err, "version %g of msh is not read: only 2, 4.0 and 4.1",
                                    version);
    if (size != 8)
        return carom_cursor_damaged(c, r->err, "data of %lld bytes: only 8 is read", size);
    if (kind == 1) {
        int32_t one;
        carom_cursor_next_line(c);
        c->binary = true;
        if (c->end - c->at < 4)
            return carom_cursor_damaged(c, r->err, "the file ends inside $MeshFormat");
        memcpy(&one, c->at, sizeof one);
        c->swapped = one != 1;
        if (one != 1 && one != 0x01000000)
            return carom_cursor_damaged(c, r->err, "the byte order mark is %d", (int)one);
    }
    return CAROM_OK;
}

// Section titles and, in version 2, counts are text in binary files, too.
static carom_status open_section(reader *r, const char *word, long long *count)
{
    bool binary = r->c->binary;
    r->c->binary = false;
    carom_status status = CAROM_OK;
    if (!find_section(r->c, word))
        status = carom_cursor_damaged(r->c, r->err, "there is no section %s", word);
    if (status == CAROM_OK && r->version == 20) {
        status = integer(r, 4, COUNT_MAX, "the number of entries", count);
        if (status == CAROM_OK)
            carom_cursor_next_line(r->c);
    }
    r->c->binary = binary;
    return status;
}

static carom_status make_node_room(reader *r, long long count)
{
    TRY(carom_cursor_room(r->c, count, r->c->binary ? 24 : 6, "nodes", r->err));
    r->raw->nodes = malloc(3 * ((size_t)count + 1) * sizeof *r->raw->nodes);
    r->tag = malloc(((size_t)count + 1) * sizeof *r->tag);
    if (!r->raw->nodes || !r->tag)
        return carom_error_set(r->err, CAROM_NO_MEMORY, "no memory for %lld nodes", count);
    return CAROM_OK;
}

static carom_status read_place(reader *r, int index, int extra)
{
    double *at = r->raw->nodes + 3 * (size_t)index, ignored;
    for (int k = 0; k < 3; ++k)
        TRY(carom_cursor_real(r->c, "a coordinate", &at[k], r->err));
    for (int k = 0; k < extra; ++k)
        TRY(carom_cursor_real(r->c, "a parameter", &ignored, r->err));
    return CAROM_OK;
}

static carom_status read_nodes_2(reader *r)
{
    long long count, tag;
    TRY(open_section(r, "$Nodes", &count));
    TRY(make_node_room(r, count));
    for (int i = 0; i < count; ++i) {
        TRY(integer(r, 4, INT32_MAX, "a node number", &tag));
        r->tag[i] = (tagged){ tag, i };
        TRY(read_place(r, i, 0));
        r->raw->node_count = i + 1;
    }
    return CAROM_OK;
}

// One block of nodes of version 4; *done nodes were read before.
static carom_status read_node_block(reader *r, long long total, int *done)
{
    long long dimension, parametric, count, tag, range[2] = { INT32_MIN, INT32_MAX };
    long long first, second;
    TRY(carom_cursor_integer(r->c, 4, range, "an entity", &first, r->err));
    TRY(carom_cursor_integer(r->c, 4, range, "an entity", &second, r->err));
    dimension = r->version == 41 ? first : second;
    TRY(integer(r, 4, 1, "the mark for parameters", &parametric));
    TRY(integer(r, 8, total - *done, "the number of nodes in a block", &count));
    if (dimension < 0 || dimension > 3)
        return carom_cursor_damaged(r->c, r->err, "an entity of dimension %lld", dimension);
    int extra = parametric ? (int)dimension : 0, start = *done;
    for (int i = 0; r->version == 41 && i < count; ++i) {
        TRY(integer(r, 8, INT64_MAX, "a node number", &tag));
        r->tag[start + i] = (tagged){ tag, start + i };
    }
    for (int i = 0; i < count; ++i) {
        if (r->version == 40) {
            TRY(integer(r, 4, INT32_MAX, "a node number", &tag));
            r->tag[start + i] = (tagged){ tag, start + i };
        }
        TRY(read_place(r, start + i, extra));
    }
    *done += (int)count;
    return CAROM_OK;
}

// The opening of a section of version 4: blocks and entries in all.
static carom_status read_counts_4(reader *r, long long counts[2])
{
    TRY(integer(r, 8, COUNT_MAX, "the number of blocks", &counts[0]));
    TRY(integer(r, 8, COUNT_MAX, "the number of entries", &counts[1]));
    return r->version == 41 ? skip_integers(r, 8, 2) : CAROM_OK;
}

static carom_status read_nodes_4(reader *r)
{
    long long counts[2];
    TRY(open_section(r, "$Nodes", NULL));
    TRY(read_counts_4(r, counts));
    TRY(carom_cursor_room(r->c, counts[0], r->c->binary ? 20 : 7, "blocks", r->err));
    TRY(make_node_room(r, counts[1]));
    for (long long i = 0; i < counts[0]; ++i)
        TRY(read_node_block(r, counts[1], &r->raw->node_count));
    if (r->raw->node_count < counts[1])
        return carom_cursor_damaged(r->c, r->err, "%d nodes in blocks, %lld announced",
                                    r->raw->node_count, counts[1]);
    return CAROM_OK;
}

// One element's nodes: kept if it is a tetrahedron.
static carom_status read_corners(reader *r, int type, int bytes)
{
    int count = NODES_OF[type];
    if (type != 4 && type != 11)
        return skip_integers(r, bytes, count);
    if (r->raw->per == 0)
        r->raw->per = count;
    if (r->raw->per != count)
        return carom_cursor_damaged(r->c, r->err, "tetrahedra with 4 and with 10 nodes are mixed");
    if (r->raw->tet_count == r->room) {
        int room = r->room ? 2 * r->room : 1024;
        long long *more = realloc(r->corner, (size_t)room * (size_t)count * sizeof *more);
        if (!more)
            return carom_error_set(r->err, CAROM_NO_MEMORY, "no memory for %d tetrahedra", room);
        r->corner = more;
        r->room = room;
    }
    long long *to = r->corner + (size_t)r->raw->tet_count * (size_t)count;
    for (int k = 0; k < count; ++k)
        TRY(integer(r, bytes, INT64_MAX, "a node number", &to[k]));
    ++r->raw->tet_count;
    return CAROM_OK;
}

static carom_status read_type(reader *r, long long *type)
{
    TRY(integer(r, 4, INT32_MAX, "an element type", type));
    if (*type >= TYPES || NODES_OF[*type] == 0)
        return carom_cursor_damaged(r->c, r->err, "element type %lld is not known", *type);
    return CAROM_OK;
}

static carom_status read_elements_2(reader *r)
{
    long long count, type, tags, follow;
    TRY(open_section(r, "$Elements", &count));
    TRY(carom_cursor_room(r->c, count, r->c->binary ? 8 : 4, "elements", r->err));
    for (long long done = 0; done < count;) {
        follow = 1;
        if (!r->c->binary)
            TRY(skip_integers(r, 4, 1)); // its number
        TRY(read_type(r, &type));
        if (r->c->binary)
            TRY(integer(r, 4, count - done, "the number of elements in a block", &follow));
        TRY(integer(r, 4, 1000, "the number of tags", &tags));
        if (follow == 0)
            return carom_cursor_damaged(r->c, r->err, "a block of no elements");
        for (long long i = 0; i < follow; ++i) {
            TRY(skip_integers(r, 4, tags + (r->c->binary ? 1 : 0)));
            TRY(read_corners(r, (int)type, 4));
        }
        done += follow;
    }
    return CAROM_OK;
}

static carom_status read_elements_4(reader *r)
{
    long long counts[2], type, count;
    int bytes = r->version == 41 ? 8 : 4;
    TRY(open_section(r, "$Elements", NULL));
    TRY(read_counts_4(r, counts));
    TRY(carom_cursor_room(r->c, counts[0], r->c->binary ? 20 : 7, "blocks", r->err));
    for (long long i = 0; i < counts[0]; ++i) {
        TRY(skip_integers(r, 4, 2));
        TRY(read_type(r, &type));
        TRY(integer(r, 8, counts[1], "the number of elements in a block", &count));
        TRY(carom_cursor_room(r->c, count, r->c->binary ? bytes : 2, "elements", r->err));
        for (long long k = 0; k < count; ++k) {
            TRY(skip_integers(r, bytes, 1));
            TRY(read_corners(r, (int)type, bytes));
        }
    }
    return CAROM_OK;
}

static int by_tag(const void *left, const void *right)
{
    const tagged *a = left, *b = right;
    if (a->tag != b->tag)
        return a->tag < b->tag ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

// Tags to node numbers from 0.
static carom_status resolve(reader *r)
{
    carom_tets_raw *raw = r->raw;
    size_t count = (size_t)raw->tet_count * (size_t)raw->per;
    qsort(r->tag, (size_t)raw->node_count, sizeof *r->tag, by_tag);
    for (int i = 1; i < raw->node_count; ++i)
        if (r->tag[i].tag == r->tag[i - 1].tag)
            return carom_cursor_damaged(r->c, r->err, "node %lld is given twice", r->tag[i].tag);
    raw->tets = malloc((count + 1) * sizeof *raw->tets);
    if (!raw->tets)
        return carom_error_set(r->err, CAROM_NO_MEMORY, "no memory for %d tetrahedra",
                               raw->tet_count);
    for (size_t i = 0; i < count; ++i) {
        int low = 0, high = raw->node_count;
        while (high - low > 1) {
            int middle = low + (high - low) / 2;
            if (r->tag[middle].tag <= r->corner[i])
                low = middle;
            else
                high = middle;
        }
        if (raw->node_count == 0 || r->tag[low].tag != r->corner[i])
            return carom_cursor_damaged(r->c, r->err,
                                        "a tetrahedron names node %lld, which is not "
                                        "there",
                                        r->corner[i]);
        raw->tets[i] = r->tag[low].index;
    }
    return CAROM_OK;
}

static carom_status read_all(reader *r)
{
    TRY(read_format(r));
    TRY(r->version == 20 ? read_nodes_2(r) : read_nodes_4(r));
    TRY(r->version == 20 ? read_elements_2(r) : read_elements_4(r));
    if (r->raw->tet_count == 0)
        return carom_cursor_damaged(r->c, r->err, "the file holds no tetrahedra");
    return resolve(r);
}

carom_status carom_tets_msh(carom_cursor *c, carom_tets_raw *raw, carom_error *err)
{
    reader r = { .c = c, .raw = raw, .err = err };
    carom_status status = read_all(&r);
    free(r.tag);
    free(r.corner);
    return status;
}
