// Tetrahedra with ten nodes from whatever was read.
#include "modal/tets.h"

#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "math/vec.h"

const int carom_tets_edges[6][2] = { { 0, 1 }, { 1, 2 }, { 0, 2 }, { 0, 3 }, { 1, 3 }, { 2, 3 } };

static const double FLAT = 1e-12; // volume over cube of the longest edge: less is none

void carom_tets_destroy(carom_tets *tets)
{
    if (!tets)
        return;
    free(tets->nodes);
    free(tets->tets);
    free(tets);
}

// -- finish -------------------------------------------------------------------------------------

typedef struct edge {
    int low, high, slot; // slot: 6 * tetrahedron + edge
} edge;

static int by_ends(const void *left, const void *right)
{
    const edge *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return (a->slot > b->slot) - (a->slot < b->slot);
}

static vec3 node_at(const double *nodes, int i)
{
    return vec3_from(nodes + 3 * (size_t)i);
}

// Positive orientation, and no flat ones.
static carom_status orient(carom_tets *t, carom_error *err)
{
    for (int i = 0; i < t->tet_count; ++i) {
        int *c = t->tets + 10 * (size_t)i;
        vec3 p[4], d[3];
        double longest = 0;
        for (int k = 0; k < 4; ++k)
            p[k] = node_at(t->nodes, c[k]);
        for (int k = 0; k < 3; ++k)
            d[k] = vec3_sub(p[k + 1], p[0]);
        for (int k = 0; k < 6; ++k)
            longest =
                fmax(longest,
                     vec3_length(vec3_sub(p[carom_tets_edges[k][1]], p[carom_tets_edges[k][0]])));
        double volume = vec3_dot(d[0], vec3_cross(d[1], d[2]));
        if (!(fabs(volume) > FLAT * longest * longest * longest)) {
            carom_error_set(err, CAROM_BAD_INPUT, "tetrahedron %d has no volume", i);
            carom_error_where(err, "tetrahedron %d", i);
            return carom_error_fix(err, "mesh the body anew without slivers");
        }
        if (volume < 0) {
            int corner = c[1];
            c[1] = c[2];
            c[2] = corner;
            ++t->turned;
        }
    }
    return CAROM_OK;
}

// New nodes in the middles of all edges.
static carom_status add_middles(carom_tets *t, carom_error *err)
{
    size_t count = 6 * (size_t)t->tet_count;
    edge *all = malloc(count * sizeof *all);
    double *nodes = realloc(t->nodes, 3 * ((size_t)t->node_count + count) * sizeof *nodes);
    t->nodes = nodes ? nodes : t->nodes;
    if (!all || !nodes) {
        free(all);
        return carom_error_no_memory(err, "%zu edges", count);
    }
    for (size_t i = 0; i < count; ++i) {
        const int *c = t->tets + 10 * (i / 6);
        int a = c[carom_tets_edges[i % 6][0]], b = c[carom_tets_edges[i % 6][1]];
        all[i] = (edge){ a < b ? a : b, a < b ? b : a, (int)i };
    }
    qsort(all, count, sizeof *all, by_ends);
    for (size_t i = 0; i < count; ++i) {
        if (i == 0 || all[i].low != all[i - 1].low || all[i].high != all[i - 1].high) {
            vec3 a = node_at(nodes, all[i].low), b = node_at(nodes, all[i].high);
            vec3_store(vec3_scale(0.5, vec3_add(a, b)), nodes + 3 * (size_t)t->node_count++);
        }
        t->tets[10 * (size_t)(all[i].slot / 6) + 4 + (size_t)(all[i].slot % 6)] = t->node_count - 1;
    }
    free(all);
    double *less = realloc(nodes, 3 * (size_t)t->node_count * sizeof *less);
    t->nodes = less ? less : nodes;
    t->upgraded = t->tet_count;
    return CAROM_OK;
}

// Programs order the middles differently: each goes to the edge whose middle it is nearest to.
static carom_status order_middles(carom_tets *t, carom_error *err)
{
    for (int i = 0; i < t->tet_count; ++i) {
        int *c = t->tets + 10 * (size_t)i, given[6], used = 0;
        memcpy(given, c + 4, sizeof given);
        for (int e = 0; e < 6; ++e) {
            vec3 a = node_at(t->nodes, c[carom_tets_edges[e][0]]);
            vec3 b = node_at(t->nodes, c[carom_tets_edges[e][1]]);
            vec3 middle = vec3_scale(0.5, vec3_add(a, b));
            double min = HUGE_VAL;
            int best = 0;
            for (int k = 0; k < 6; ++k) {
                double away = vec3_length(vec3_sub(node_at(t->nodes, given[k]), middle));
                best = away < min ? k : best;
                min = fmin(min, away);
            }
            if (used & 1 << best || min > 0.5 * vec3_length(vec3_sub(b, a))) {
                carom_error_set(err, CAROM_BAD_INPUT,
                                "the middle nodes of tetrahedron %d are not near its edges", i);
                carom_error_where(err, "tetrahedron %d", i);
                return carom_error_fix(err, "mesh the body anew, or give 4 nodes each");
            }
            used |= 1 << best;
            c[4 + e] = given[best];
        }
    }
    return CAROM_OK;
}

// Keeps the nodes that tetrahedra use.
static carom_status drop_unused(carom_tets_raw *raw, carom_error *err)
{
    size_t count = (size_t)raw->tet_count * (size_t)raw->per;
    int *number = calloc((size_t)raw->node_count + 1, sizeof *number), next = 0;
    if (!number)
        return carom_error_no_memory(err, "%d nodes", raw->node_count);
    for (size_t i = 0; i < count; ++i)
        number[raw->tets[i]] = 1;
    for (int i = 0; i < raw->node_count; ++i)
        if (number[i]) {
            memmove(raw->nodes + 3 * (size_t)next, raw->nodes + 3 * (size_t)i,
                    3 * sizeof *raw->nodes);
            number[i] = next++;
        }
    for (size_t i = 0; i < count; ++i)
        raw->tets[i] = number[raw->tets[i]];
    raw->node_count = next;
    free(number);
    return CAROM_OK;
}

static carom_status build(carom_tets_raw *raw, double scale, carom_tets *t, carom_error *err)
{
    TRY(drop_unused(raw, err));
    t->node_count = raw->node_count;
    t->tet_count = raw->tet_count;
    t->nodes = raw->nodes;
    raw->nodes = NULL;
    t->tets = malloc(10 * ((size_t)t->tet_count + 1) * sizeof *t->tets);
    if (!t->tets)
        return carom_error_no_memory(err, "%d tetrahedra", t->tet_count);
    for (int i = 0; i < t->tet_count; ++i)
        memcpy(t->tets + 10 * (size_t)i, raw->tets + (size_t)raw->per * (size_t)i,
               (size_t)raw->per * sizeof *t->tets);
    for (int i = 0; i < 3 * t->node_count; ++i)
        t->nodes[i] *= scale;
    TRY(orient(t, err));
    return raw->per == 4 ? add_middles(t, err) : order_middles(t, err);
}

// Drops unused nodes, turns tetrahedra that are inside out, puts middles in order or makes them.
// Frees the raw arrays in any case.
static carom_status finish_tets(carom_tets_raw *raw, double scale, carom_tets **out,
                                carom_error *err)
{
    carom_tets *t = calloc(1, sizeof *t);
    carom_status status = t ? build(raw, scale, t, err) : carom_error_no_memory(err, "tetrahedra");
    free(raw->nodes);
    free(raw->tets);
    *raw = (carom_tets_raw){ 0 };
    if (status == CAROM_OK)
        *out = t;
    else
        carom_tets_destroy(t);
    return status;
}

// -- entries ------------------------------------------------------------------------------------

static carom_status check_scale(double scale, carom_error *err)
{
    if (scale > 1e-30 && scale < 1e30)
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT, "the scale is %g", scale);
    return carom_error_fix(err, "give metres per unit of the file, for instance 0.001 for mm");
}

carom_status carom_tets_create(const double *nodes, int node_count, const int *corners,
                               int tet_count, carom_tets **out, carom_error *err)
{
    NEED(err, out);
    *out = NULL;
    if (node_count < 4 || tet_count < 1)
        return carom_error_set(err, CAROM_BAD_INPUT, "%d tetrahedra on %d nodes", tet_count,
                               node_count);
    for (int i = 0; i < 4 * tet_count; ++i)
        if (corners[i] < 0 || corners[i] >= node_count)
            return carom_error_set(err, CAROM_BAD_INPUT, "tetrahedron %d names node %d of %d",
                                   i / 4, corners[i], node_count);
    carom_tets_raw raw = { .node_count = node_count, .tet_count = tet_count, .per = 4 };
    raw.nodes = malloc(3 * (size_t)node_count * sizeof *raw.nodes);
    raw.tets = malloc(4 * (size_t)tet_count * sizeof *raw.tets);
    if (!raw.nodes || !raw.tets) {
        free(raw.nodes);
        free(raw.tets);
        return carom_error_no_memory(err, "%d tetrahedra", tet_count);
    }
    memcpy(raw.nodes, nodes, 3 * (size_t)node_count * sizeof *raw.nodes);
    memcpy(raw.tets, corners, 4 * (size_t)tet_count * sizeof *raw.tets);
    for (int i = 0; i < 3 * node_count; ++i)
        if (!(fabs(nodes[i]) < 1e100)) {
            free(raw.nodes);
            free(raw.tets);
            return carom_error_set(err, CAROM_BAD_INPUT, "node %d is at %g", i / 3, nodes[i]);
        }
    return finish_tets(&raw, 1, out, err);
}

static carom_status parse(carom_cursor c[2], bool pair, double scale, carom_tets **out,
                          carom_error *err)
{
    carom_tets_raw raw = { 0 };
    *out = NULL;
    TRY(check_scale(scale, err));
    carom_status status =
        pair ? carom_tets_node(&c[0], &c[1], &raw, err) : carom_tets_msh(&c[0], &raw, err);
    if (status == CAROM_OK)
        return finish_tets(&raw, scale, out, err);
    free(raw.nodes);
    free(raw.tets);
    return status;
}

static carom_cursor cursor_make(const char *name, const char *bytes, size_t size, bool comments)
{
    carom_cursor c =
        carom_cursor_make(name, bytes, size,
                          "write the file anew; text or binary msh 2 and 4, node and ele are read");
    c.comments = comments;
    return c;
}

carom_status carom_tets_parse(const char *format, const char *const bytes[2], const size_t sizes[2],
                              double scale, carom_tets **out, carom_error *err)
{
    NEED(err, format, out);
    bool pair = strcmp(format, "node") == 0;
    *out = NULL;
    if (!pair && strcmp(format, "msh") != 0)
        return carom_error_set(err, CAROM_UNSUPPORTED, "the format \"%.20s\" is not read", format);
    carom_cursor c[2] = { cursor_make(format, bytes[0], sizes[0], pair),
                          cursor_make("ele", pair ? bytes[1] : "", pair ? sizes[1] : 0, true) };
    return parse(c, pair, scale, out, err);
}

carom_status carom_tets_read(const char *path, double scale, carom_tets **out, carom_error *err)
{
    NEED(err, path, out);
    bool pair = carom_text_ends_with(path, ".node") || carom_text_ends_with(path, ".ele");
    size_t length = strlen(path), size[2] = { 0 };
    char *bytes[2] = { NULL, NULL }, *name[2] = { NULL, NULL };
    *out = NULL;
    if (!pair && !carom_text_ends_with(path, ".msh")) {
        carom_error_set(err, CAROM_UNSUPPORTED, "tetrahedra are read from .msh, .node and .ele");
        return carom_error_where(err, "%s", path);
    }
    carom_status status = CAROM_OK;
    for (int i = 0; i < (pair ? 2 : 1) && status == CAROM_OK; ++i) {
        name[i] = calloc(length + 6, 1);
        if (!name[i]) {
            status = carom_error_no_memory(err, "a name");
            break;
        }
        size_t stem = pair ? length - (carom_text_ends_with(path, ".ele") ? 4 : 5) : length;
        memcpy(name[i], path, stem);
        if (pair)
            memcpy(name[i] + stem, i == 0 ? ".node" : ".ele", i == 0 ? 6 : 5);
        status = carom_cursor_load(name[i], &bytes[i], &size[i], err);
    }
    if (status == CAROM_OK) {
        carom_cursor c[2] = { cursor_make(name[0], bytes[0], size[0], pair),
                              cursor_make(name[1], bytes[1], size[1], true) };
        status = parse(c, pair, scale, out, err);
        if (status != CAROM_OK && err && (!err->where[0] || strncmp(err->where, "tet", 3) == 0))
            carom_error_where(err, "%s", path);
    }
    for (int i = 0; i < 2; ++i) {
        free(name[i]);
        free(bytes[i]);
    }
    return status;
}
