// Readers of tetrahedra: every format gives the same mesh, every damage a place.
#include "carom/modal.h"
#include "support/check.h"
#include "support/solids.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int SWAP[10] = { 0, 1, 2, 3, 4, 5, 6, 7, 9, 8 }; // gmsh's order of the middles

typedef struct buffer {
    char bytes[400000];
    size_t size;
} buffer;

static void text(buffer *b, const char *words)
{
    memcpy(b->bytes + b->size, words, strlen(words));
    b->size += strlen(words);
}
#define TEXT(...)                                                                                  \
    do {                                                                                           \
        char line_[200];                                                                           \
        snprintf(line_, sizeof line_, __VA_ARGS__);                                                \
        text(b, line_);                                                                            \
    } while (0)

static void raw(buffer *b, const void *bytes, size_t size, bool swapped)
{
    for (size_t i = 0; i < size; ++i)
        b->bytes[b->size++] = ((const char *)bytes)[swapped ? size - 1 - i : i];
}
static void i32(buffer *b, int32_t value, bool swapped)
{
    raw(b, &value, sizeof value, swapped);
}
static void u64(buffer *b, uint64_t value)
{
    raw(b, &value, sizeof value, false);
}

// Node tags are 10 i + 7, so that they are no indices.
static void write_2(buffer *b, const carom_tets *t, int per, bool binary, bool swapped)
{
    TEXT("$MeshFormat\n2.2 %d 8\n", binary);
    if (binary) {
        i32(b, 1, swapped);
        TEXT("\n");
    }
    TEXT("$EndMeshFormat\n$Nodes\n%d\n", t->node_count);
    for (int i = 0; i < t->node_count; ++i) {
        const double *p = t->nodes + 3 * i;
        if (!binary) {
            TEXT("%d %.17g %.17g %.17g\n", 10 * i + 7, p[0], p[1], p[2]);
            continue;
        }
        i32(b, 10 * i + 7, swapped);
        for (int k = 0; k < 3; ++k)
            raw(b, &p[k], sizeof p[k], swapped);
    }
    TEXT("%s$EndNodes\n$Elements\n%d\n", binary ? "\n" : "", t->tet_count + 1);
    if (binary) {
        int32_t point[6] = { 15, 1, 2, 1, 0, 0 };
        for (int k = 0; k < 6; ++k)
            i32(b, point[k], swapped);
        i32(b, 7, swapped);
        i32(b, per == 4 ? 4 : 11, swapped);
        i32(b, t->tet_count, swapped);
        i32(b, 2, swapped);
    } else {
        TEXT("1 15 2 0 0 7\n");
    }
    for (int i = 0; i < t->tet_count; ++i) {
        if (binary) {
            i32(b, i + 2, swapped);
            i32(b, 1, swapped);
            i32(b, 1, swapped);
        } else {
            TEXT("%d %d 2 1 1", i + 2, per == 4 ? 4 : 11);
        }
        for (int k = 0; k < per; ++k) {
            int tag = 10 * t->tets[10 * i + SWAP[k]] + 7;
            if (binary)
                i32(b, tag, swapped);
            else
                TEXT(" %d", tag);
        }
        if (!binary)
            TEXT("\n");
    }
    TEXT("%s$EndElements\n", binary ? "\n" : "");
}

// Version 4.1 (text or binary) and 4.0 (text).
static void write_4(buffer *b, const carom_tets *t, int per, bool binary, bool old)
{
    int n = t->node_count;
    TEXT("$MeshFormat\n%s %d 8\n", old ? "4.0" : "4.1", binary);
    if (binary) {
        i32(b, 1, false);
        TEXT("\n");
    }
    TEXT("$EndMeshFormat\n$Nodes\n");
    if (binary) {
        uint64_t head[4] = { 1, (uint64_t)n, 7, 10 * (uint64_t)n };
        for (int k = 0; k < 4; ++k)
            u64(b, head[k]);
        i32(b, 3, false);
        i32(b, 1, false);
        i32(b, 0, false);
        u64(b, (uint64_t)n);
    } else if (old) {
        TEXT("1 %d\n1 3 0 %d\n", n, n);
    } else {
        TEXT("1 %d 7 %d\n3 1 0 %d\n", n, 10 * n, n);
    }
    for (int i = 0; i < n && !old; ++i) {
        if (binary)
            u64(b, (uint64_t)(10 * i + 7));
        else
            TEXT("%d\n", 10 * i + 7);
    }
    for (int i = 0; i < n; ++i) {
        const double *p = t->nodes + 3 * i;
        if (old)
            TEXT("%d ", 10 * i + 7);
        if (binary)
            raw(b, p, 3 * sizeof *p, false);
        else
            TEXT("%.17g %.17g %.17g\n", p[0], p[1], p[2]);
    }
    TEXT("%s$EndNodes\n$Elements\n", binary ? "\n" : "");
    if (binary) {
        uint64_t head[4] = { 1, (uint64_t)t->tet_count, 1, (uint64_t)t->tet_count };
        for (int k = 0; k < 4; ++k)
            u64(b, head[k]);
        i32(b, 3, false);
        i32(b, 1, false);
        i32(b, per == 4 ? 4 : 11, false);
        u64(b, (uint64_t)t->tet_count);
    } else {
        TEXT(old ? "1 %d\n1 3 %d %d\n" : "1 %d 1 9\n3 1 %d %d\n", t->tet_count, per == 4 ? 4 : 11,
             t->tet_count);
    }
    for (int i = 0; i < t->tet_count; ++i) {
        if (binary)
            u64(b, (uint64_t)i + 1);
        else
            TEXT("%d", i + 1);
        for (int k = 0; k < per; ++k) {
            int tag = 10 * t->tets[10 * i + SWAP[k]] + 7;
            if (binary)
                u64(b, (uint64_t)tag);
            else
                TEXT(" %d", tag);
        }
        if (!binary)
            TEXT("\n");
    }
    TEXT("%s$EndElements\n", binary ? "\n" : "");
}

static void write_pair(buffer *b, buffer *ele, const carom_tets *t, int per, int base)
{
    TEXT("# points\n%d 3 1 1\n", t->node_count);
    for (int i = 0; i < t->node_count; ++i)
        TEXT("%d %.17g %.17g %.17g 0.5 1 # mark\n", base + i, t->nodes[3 * i], t->nodes[3 * i + 1],
             t->nodes[3 * i + 2]);
    b = ele;
    TEXT("%d %d 0\n", t->tet_count, per);
    for (int i = 0; i < t->tet_count; ++i) {
        TEXT("%d", base + i);
        for (int k = 0; k < per; ++k)
            TEXT(" %d", base + t->tets[10 * i + SWAP[k]]);
        TEXT("\n");
    }
}

// Same volume, same middles: nodes may be numbered anew.
static void same(const char *name, const carom_tets *found, const carom_tets *wanted)
{
    double worst = 0;
    if (!CHECK(found && found->tet_count == wanted->tet_count &&
                   found->node_count == wanted->node_count,
               "%s: all tetrahedra and nodes", name))
        return;
    for (int i = 0; i < 10 * wanted->tet_count; ++i)
        for (int k = 0; k < 3; ++k)
            worst = fmax(worst, fabs(found->nodes[3 * found->tets[i] + k] -
                                     2 * wanted->nodes[3 * wanted->tets[i] + k]));
    CHECK_MOST(worst, 1e-15, "%s: every node in its place, scaled by 2", name);
}

static carom_status parse(const char *format, const buffer *b, const buffer *more, carom_tets **out,
                          carom_error *err)
{
    const char *bytes[2] = { b->bytes, more ? more->bytes : NULL };
    size_t sizes[2] = { b->size, more ? more->size : 0 };
    return carom_tets_parse(format, bytes, sizes, 2, out, err);
}

static buffer one, two;

static void formats(const carom_tets *t)
{
    static const char *const NAME[] = {
        "msh 2 text",     "msh 2 binary", "msh 2 binary, swapped", "msh 4.1 text",
        "msh 4.1 binary", "msh 4.0 text", "node and ele from 0",   "node and ele from 1"
    };
    for (int per = 4; per <= 10; per += 6)
        for (int kind = 0; kind < 8; ++kind) {
            carom_tets *found = NULL;
            carom_error err = { 0 };
            one.size = two.size = 0;
            if (kind < 3)
                write_2(&one, t, per, kind > 0, kind == 2);
            else if (kind < 6)
                write_4(&one, t, per, kind == 4, kind == 5);
            else
                write_pair(&one, &two, t, per, kind - 6);
            CHECK(parse(kind < 6 ? "msh" : "node", &one, &two, &found, &err) == CAROM_OK,
                  "%s, %d nodes: %s (%s)", NAME[kind], per, err.what, err.where);
            same(NAME[kind], found, t);
            CHECK(found && found->upgraded == (per == 4 ? t->tet_count : 0), "%s: upgraded",
                  NAME[kind]);
            carom_tets_destroy(found);
        }
}

static void refused(const char *name, const char *words, const char *place, const char *what)
{
    carom_tets *found = NULL;
    carom_error err = { 0 };
    one.size = 0;
    text(&one, words);
    CHECK(parse("msh", &one, NULL, &found, &err) == CAROM_BAD_INPUT && !found, "%s is refused",
          name);
    CHECK(strstr(err.where, place) != NULL, "%s: the place is \"%s\", not \"%s\"", name, err.where,
          place);
    CHECK(strstr(err.what, what) != NULL, "%s: \"%s\" tells \"%s\"", name, err.what, what);
}

#define HEAD "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n"
static void damage(void)
{
    refused("an empty file", "", "msh:1", "$MeshFormat");
    refused("another version", "$MeshFormat\n3.1 0 8\n$EndMeshFormat\n", "msh:2", "version 3.1");
    refused("no nodes", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n", "msh", "$Nodes");
    refused("a cut file", HEAD, "msh:9", "ends");
    refused("a word for a number", HEAD "4 0 zero 1\n$EndNodes\n", "msh:9", "zero");
    refused("not a number", HEAD "4 0 nan 1\n$EndNodes\n", "msh:9", "nan");
    refused("a node twice",
            HEAD "1 0 0 1\n$EndNodes\n$Elements\n1\n1 4 2 0 0 1 2 3 1\n$EndElements\n", "msh",
            "twice");
    refused("a node that is not there",
            HEAD "4 0 0 1\n$EndNodes\n$Elements\n1\n1 4 2 0 0 1 2 3 9\n$EndElements\n", "msh",
            "node 9");
    refused("a flat tetrahedron",
            HEAD "4 1 1 0\n$EndNodes\n$Elements\n1\n1 4 2 0 0 1 2 3 4\n$EndElements\n",
            "tetrahedron 0", "no volume");
    refused("triangles only",
            HEAD "4 0 0 1\n$EndNodes\n$Elements\n1\n1 2 2 0 0 1 2 3\n$EndElements\n", "msh",
            "no tetrahedra");
    refused("more than there is", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n90000000\n1 0 0\n",
            "msh", "announced");
    carom_error err = { 0 };
    carom_tets *found = NULL;
    CHECK(carom_tets_read("/nonexistent/x.msh", 1, &found, &err) == CAROM_IO_FAILED, "no file");
    CHECK(carom_tets_read("x.stl", 1, &found, &err) == CAROM_UNSUPPORTED, "another ending");
}

// Every prefix of a file, and every file with one changed byte, is read or refused with a place.
static void cuts(const carom_tets *t, bool binary)
{
    one.size = 0;
    write_4(&one, t, 4, binary, false);
    size_t whole = one.size;
    for (size_t size = 0; size < whole - 15; size += 7) {
        carom_tets *found = NULL;
        carom_error err = { 0 };
        one.size = size;
        bool refusal = parse("msh", &one, NULL, &found, &err) != CAROM_OK;
        if (!refusal || !err.where[0])
            CHECK(false, "a file cut at %zu of %zu is refused with a place", size, whole);
        carom_tets_destroy(found);
    }
    one.size = whole;
    for (size_t i = 0; i < whole; i += 11) {
        char keep = one.bytes[i];
        carom_tets *found = NULL;
        carom_error err = { 0 };
        one.bytes[i] = (char)(keep ^ 0x5b);
        if (parse("msh", &one, NULL, &found, &err) != CAROM_OK && !err.where[0])
            CHECK(false, "damage at %zu is refused with a place: %s", i, err.what);
        carom_tets_destroy(found);
        one.bytes[i] = keep;
    }
    CHECK(true, "damage everywhere is survived");
}

int main(void)
{
    carom_tets *t = solids_tets((int[3]){ 3, 2, 2 }, (double[3]){ 3, 2, 2.5 });
    CHECK(t->upgraded == t->tet_count && t->turned == t->tet_count / 2,
          "half of the tetrahedra came inside out");
    CHECK(t->node_count == 7 * 5 * 5, "middles are shared");
    formats(t);
    damage();
    cuts(t, false);
    cuts(t, true);
    carom_tets_destroy(t);
    return check_report();
}
