// The boundary of a tetrahedral body: its faces, the surface they form, and the nodes kept on it.
#include "modal/modal_internal.h"

#include <stdlib.h>
#include <string.h>
#include "base/sets.h"
#include "modal/tets.h"

// Corners of the four faces of a tetrahedron, counter-clockwise from outside.
static const int FACES[4][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 1, 2, 3 }, { 0, 3, 2 } };

typedef struct keyed {
    int key[3]; // corners, ascending
    int slot;   // 4 * tetrahedron + face
} keyed;

static int by_key(const void *left, const void *right)
{
    const keyed *a = left, *b = right;
    for (int k = 0; k < 3; ++k)
        if (a->key[k] != b->key[k])
            return a->key[k] < b->key[k] ? -1 : 1;
    return (a->slot > b->slot) - (a->slot < b->slot);
}

static keyed face_make(const int *tet, int slot)
{
    keyed f = { { tet[FACES[slot % 4][0]], tet[FACES[slot % 4][1]], tet[FACES[slot % 4][2]] },
                slot };
    for (int i = 0; i < 3; ++i) // three numbers: a bubble or two
        for (int k = 0; k + 1 < 3; ++k)
            if (f.key[k] > f.key[k + 1]) {
                int swap = f.key[k];
                f.key[k] = f.key[k + 1];
                f.key[k + 1] = swap;
            }
    return f;
}

static int middle_between(const int *tet, int a, int b)
{
    for (int e = 0; e < 6; ++e)
        if ((carom_tets_edges[e][0] == a && carom_tets_edges[e][1] == b) ||
            (carom_tets_edges[e][0] == b && carom_tets_edges[e][1] == a))
            return tet[4 + e];
    return -1;
}

// Sorts out the faces that only one tetrahedron has; all must hang together by faces.
static carom_status find_boundary(const carom_tets *t, keyed *all, int *parent, int *count,
                                  carom_error *err)
{
    size_t total = 4 * (size_t)t->tet_count;
    int pieces = t->tet_count;
    for (size_t i = 0; i < total; ++i)
        all[i] = face_make(t->tets + 10 * (i / 4), (int)i);
    for (int i = 0; i < t->tet_count; ++i)
        parent[i] = i;
    qsort(all, total, sizeof *all, by_key);
    *count = 0;
    for (size_t i = 0, next; i < total; i = next) {
        for (next = i + 1;
             next < total && memcmp(all[next].key, all[i].key, sizeof all[i].key) == 0; ++next) {
            pieces -= sets_join(parent, all[i].slot / 4, all[next].slot / 4);
        }
        if (next - i > 2) {
            carom_error_set(err, CAROM_BAD_INPUT, "%zu tetrahedra share one face (nodes %d %d %d)",
                            next - i, all[i].key[0], all[i].key[1], all[i].key[2]);
            return carom_error_fix(err, "mesh the body anew: tetrahedra overlap");
        }
        if (next - i == 1)
            all[(*count)++] = all[i];
    }
    if (pieces > 1) {
        carom_error_set(err, CAROM_BAD_INPUT, "the tetrahedra form %d pieces that share no faces",
                        pieces);
        return carom_error_fix(err, "join the pieces: modes are those of one body");
    }
    return CAROM_OK;
}

// The faces as a surface of corner triangles with vertices of its own.
static carom_status make_surface(carom_modes *m, const carom_tets *t, const int *corner,
                                 carom_error *err)
{
    int *number = malloc(((size_t)t->node_count + 1) * sizeof *number);
    m->triangle = malloc(3 * ((size_t)m->face_count + 1) * sizeof *m->triangle);
    m->vertex = malloc(3 * ((size_t)t->node_count + 1) * sizeof *m->vertex);
    if (!number || !m->triangle || !m->vertex) {
        free(number);
        return carom_error_no_memory(err, "%d faces", m->face_count);
    }
    for (int i = 0; i < t->node_count; ++i)
        number[i] = -1;
    for (int i = 0; i < 3 * m->face_count; ++i) {
        int node = corner[6 * (i / 3) + i % 3];
        if (number[node] < 0) {
            number[node] = m->vertex_count++;
            memcpy(m->vertex + 3 * (size_t)number[node], t->nodes + 3 * (size_t)node,
                   3 * sizeof *m->vertex);
        }
        m->triangle[i] = number[node];
    }
    free(number);
    return CAROM_OK;
}

// Places of the kept nodes, and their shapes.
static carom_status keep_nodes(carom_modes *m, const carom_modal_body *body,
                               const carom_modal_solution *solution, int *number, carom_error *err)
{
    int nodes = body->elements.node_count;
    for (int i = 0; i < nodes; ++i)
        number[i] = -1;
    for (int i = 0; i < 6 * m->face_count; ++i)
        number[m->face[i] = body->place[m->face[i]]] = 0;
    for (int i = 0; i < nodes; ++i)
        if (number[i] == 0)
            number[i] = m->node_count++;
    m->place = malloc(3 * ((size_t)m->node_count + 1) * sizeof *m->place);
    if (!m->place)
        return carom_error_no_memory(err, "%d nodes", m->node_count);
    for (int i = 0; i < nodes; ++i)
        if (number[i] >= 0)
            memcpy(m->place + 3 * (size_t)number[i], body->position + 3 * (size_t)i,
                   3 * sizeof *m->place);
    for (int i = 0; i < 6 * m->face_count; ++i)
        m->face[i] = number[m->face[i]];
    return carom_modal_keep_shapes(m, body, solution, number, err);
}

carom_status carom_modal_keep_faces(carom_modes *modes, const carom_modal_body *body,
                                    const carom_modal_solution *solution, carom_error *err)
{
    const carom_tets *t = body->tets;
    keyed *all = malloc(4 * (size_t)t->tet_count * sizeof *all);
    int *spare = malloc(((size_t)t->tet_count + (size_t)t->node_count + 1) * sizeof *spare);
    carom_status status = all && spare ? find_boundary(t, all, spare, &modes->face_count, err)
                                       : carom_error_no_memory(err, "the boundary");
    if (status == CAROM_OK) {
        modes->face = malloc(6 * ((size_t)modes->face_count + 1) * sizeof *modes->face);
        if (!modes->face)
            status = carom_error_no_memory(err, "the boundary");
    }
    for (int i = 0; status == CAROM_OK && i < modes->face_count; ++i) {
        const int *tet = t->tets + 10 * (size_t)(all[i].slot / 4), *c = FACES[all[i].slot % 4];
        for (int k = 0; k < 3; ++k) {
            modes->face[6 * i + k] = tet[c[k]];
            modes->face[6 * i + 3 + k] = middle_between(tet, c[k], c[(k + 1) % 3]);
        }
    }
    if (status == CAROM_OK)
        status = make_surface(modes, t, modes->face, err);
    if (status == CAROM_OK)
        status = keep_nodes(modes, body, solution, spare, err);
    if (status == CAROM_OK)
        status = carom_modal_nearest_face_build(modes, err);
    free(all);
    free(spare);
    return status;
}
