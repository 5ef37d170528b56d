// Judging and cleaning a mesh.
//
// In order: weld equal vertices; drop triangles that are degenerate or repeated; pair the edges;
// turn triangles until neighbours agree; turn pieces until each bounds its solid from outside (a
// piece inside another one is a cavity and faces inward); look for triangles that meet without
// being neighbours.
#include "shape/examine.h"
#include "base/memory.h"
#include "shape/crossing.h"
#include "shape/orient.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static carom_status check_source(const carom_mesh_source *source, carom_error *err);
static carom_status weld(const carom_mesh_source *source, carom_mesh *mesh,
                         carom_mesh_report *report, carom_error *err);
static void drop_degenerate(carom_mesh *mesh, carom_mesh_report *report);
static carom_status drop_duplicates(carom_mesh *mesh, carom_mesh_report *report, carom_error *err);
static void drop_unused(carom_mesh *mesh, int *renumber);
static carom_status verdict(const carom_mesh_report *report, carom_mesh_policy policy,
                            carom_error *err);

carom_status carom_examine_mesh(const carom_mesh_source *source, carom_mesh_policy policy,
                                carom_mesh_report *report, carom_mesh *mesh, carom_error *err)
{
    *report = (carom_mesh_report){ 0 };
    TRY(check_source(source, err));
    TRY(weld(source, mesh, report, err));
    drop_degenerate(mesh, report);
    TRY(drop_duplicates(mesh, report, err));
    if (mesh->triangle_count > 0) {
        int *renumber = carom_memory_get((size_t)mesh->vertex_count * sizeof *renumber);
        if (!renumber)
            return carom_error_no_memory(err, "%d vertices", mesh->vertex_count);
        drop_unused(mesh, renumber);
        carom_memory_free(renumber);
        TRY(carom_orient_mesh(mesh, report, err));
    }
    report->vertices = mesh->vertex_count;
    report->triangles = mesh->triangle_count;
    if (mesh->triangle_count > 0) {
        vec3 place;
        TRY(carom_crossing_count(mesh, &report->touching, &place, err));
        if (report->touching > 0 && report->open_edges + report->nonmanifold_edges == 0)
            vec3_store(place, report->place);
    }
    return verdict(report, policy, err);
}

static carom_status check_source(const carom_mesh_source *source, carom_error *err)
{
    if (source->vertex_count < 4 || source->triangle_count < 4) {
        carom_error_set(err, CAROM_BAD_INPUT,
                        "a mesh of %d vertices and %d triangles bounds no solid",
                        source->vertex_count, source->triangle_count);
        return carom_error_fix(err, "a closed surface has at least four of each");
    }
    if (source->triangle_count > INT32_MAX / 8 || source->vertex_count > INT32_MAX / 8)
        return carom_error_set(err, CAROM_NO_MEMORY, "a mesh of %d triangles is too large",
                               source->triangle_count);
    for (int i = 0; i < 3 * source->vertex_count; ++i)
        if (!(fabs(source->vertices[i]) < 1e100)) {
            carom_error_set(err, CAROM_BAD_INPUT, "vertex %d has the coordinate %g", i / 3,
                            source->vertices[i]);
            return carom_error_fix(err, "give finite coordinates in metres");
        }
    for (int i = 0; i < 3 * source->triangle_count; ++i)
        if (source->triangles[i] < 0 || source->triangles[i] >= source->vertex_count) {
            carom_error_set(err, CAROM_BAD_INPUT, "triangle %d refers to vertex %d of %d", i / 3,
                            source->triangles[i], source->vertex_count);
            return carom_error_fix(err, "number vertices from 0");
        }
    return CAROM_OK;
}

typedef struct placed_vertex {
    vec3 at;
    int number;
} placed_vertex;

static int by_place(const void *left, const void *right)
{
    const placed_vertex *a = left, *b = right;
    if (a->at.x != b->at.x)
        return a->at.x < b->at.x ? -1 : 1;
    if (a->at.y != b->at.y)
        return a->at.y < b->at.y ? -1 : 1;
    if (a->at.z != b->at.z)
        return a->at.z < b->at.z ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

// Every vertex of `into` becomes the lowest number at the same place.
static int weld_numbers(const carom_mesh_source *source, placed_vertex *sorted, int *into)
{
    int n = source->vertex_count, welded = 0, lead = 0;
    for (int v = 0; v < n; ++v)
        sorted[v] = (placed_vertex){ vec3_from(source->vertices + 3 * v), v };
    qsort(sorted, (size_t)n, sizeof *sorted, by_place);
    for (int i = 0; i < n; ++i) {
        vec3 d = vec3_sub(sorted[i].at, sorted[lead].at);
        bool same = i > 0 && d.x == 0 && d.y == 0 && d.z == 0;
        if (!same)
            lead = i;
        welded += same;
        into[sorted[i].number] = sorted[lead].number;
    }
    return welded;
}

static carom_status copy(const carom_mesh_source *source, carom_mesh *mesh, carom_error *err)
{
    size_t n = (size_t)source->vertex_count, t = (size_t)source->triangle_count;
    mesh->vertex = carom_memory_get(n * sizeof *mesh->vertex);
    mesh->triangle = carom_memory_get(t * sizeof *mesh->triangle);
    if (!mesh->vertex || !mesh->triangle)
        return carom_error_no_memory(err, "a mesh of %zu triangles", t);
    for (size_t v = 0; v < n; ++v)
        mesh->vertex[v] = vec3_from(source->vertices + 3 * v);
    for (size_t i = 0; i < 3 * t; ++i)
        mesh->triangle[i / 3][i % 3] = source->triangles[i];
    mesh->vertex_count = source->vertex_count;
    mesh->triangle_count = source->triangle_count;
    return CAROM_OK;
}

static carom_status weld(const carom_mesh_source *source, carom_mesh *mesh,
                         carom_mesh_report *report, carom_error *err)
{
    size_t n = (size_t)source->vertex_count;
    placed_vertex *sorted = carom_memory_get(n * sizeof *sorted);
    int *into = carom_memory_get(n * sizeof *into);
    carom_status status = copy(source, mesh, err);
    if (!sorted || !into)
        status = carom_error_no_memory(err, "%zu vertices", n);
    if (status == CAROM_OK) {
        report->welded = weld_numbers(source, sorted, into);
        for (int i = 0; i < 3 * mesh->triangle_count; ++i)
            mesh->triangle[i / 3][i % 3] = into[mesh->triangle[i / 3][i % 3]];
    }
    carom_memory_free(sorted);
    carom_memory_free(into);
    return status;
}

// Without area: twice the area below 1e-14 of the longest side squared.
static bool is_degenerate(const carom_mesh *mesh, const int *c)
{
    if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0])
        return true;
    vec3 e = vec3_sub(mesh->vertex[c[1]], mesh->vertex[c[0]]);
    vec3 f = vec3_sub(mesh->vertex[c[2]], mesh->vertex[c[0]]), g = vec3_sub(f, e);
    double longest = fmax(vec3_dot(e, e), fmax(vec3_dot(f, f), vec3_dot(g, g)));
    return vec3_length(vec3_cross(e, f)) <= 1e-14 * longest;
}

static void drop_degenerate(carom_mesh *mesh, carom_mesh_report *report)
{
    int kept = 0;
    for (int t = 0; t < mesh->triangle_count; ++t) {
        if (is_degenerate(mesh, mesh->triangle[t])) {
            if (report->degenerate == 0)
                vec3_store(mesh->vertex[mesh->triangle[t][0]], report->place);
            ++report->degenerate;
            continue;
        }
        memmove(mesh->triangle[kept++], mesh->triangle[t], sizeof mesh->triangle[t]);
    }
    mesh->triangle_count = kept;
}

typedef struct triangle_key {
    int v[3], number;
} triangle_key;

static int by_vertices(const void *left, const void *right)
{
    const triangle_key *a = left, *b = right;
    for (int k = 0; k < 3; ++k)
        if (a->v[k] != b->v[k])
            return a->v[k] < b->v[k] ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static triangle_key key_of(const int *c, int number)
{
    triangle_key key = { { c[0], c[1], c[2] }, number };
    for (int pass = 0; pass < 2; ++pass)
        for (int k = 0; k < 2; ++k)
            if (key.v[k] > key.v[k + 1]) {
                int swap = key.v[k];
                key.v[k] = key.v[k + 1];
                key.v[k + 1] = swap;
            }
    return key;
}

static carom_status drop_duplicates(carom_mesh *mesh, carom_mesh_report *report, carom_error *err)
{
    int n = mesh->triangle_count, kept = 0;
    triangle_key *key = carom_memory_get(((size_t)n + 1) * sizeof *key);
    bool *copy = carom_memory_zeros((size_t)n + 1, sizeof *copy);
    if (!key || !copy) {
        carom_memory_free(key);
        carom_memory_free(copy);
        return carom_error_no_memory(err, "%d triangles", n);
    }
    for (int t = 0; t < n; ++t)
        key[t] = key_of(mesh->triangle[t], t);
    qsort(key, (size_t)n, sizeof *key, by_vertices);
    for (int i = 1; i < n; ++i)
        if (memcmp(key[i].v, key[i - 1].v, sizeof key[i].v) == 0)
            copy[key[i].number] = true;
    for (int t = 0; t < n; ++t) {
        if (copy[t] && report->degenerate + report->duplicate == 0)
            vec3_store(mesh->vertex[mesh->triangle[t][0]], report->place);
        report->duplicate += copy[t];
        if (!copy[t])
            memmove(mesh->triangle[kept++], mesh->triangle[t], sizeof mesh->triangle[t]);
    }
    mesh->triangle_count = kept;
    carom_memory_free(key);
    carom_memory_free(copy);
    return CAROM_OK;
}

static void drop_unused(carom_mesh *mesh, int *renumber)
{
    for (int v = 0; v < mesh->vertex_count; ++v)
        renumber[v] = -1;
    for (int i = 0; i < 3 * mesh->triangle_count; ++i)
        renumber[mesh->triangle[i / 3][i % 3]] = 0;
    int kept = 0;
    for (int v = 0; v < mesh->vertex_count; ++v)
        if (renumber[v] == 0) {
            renumber[v] = kept;
            mesh->vertex[kept++] = mesh->vertex[v];
        }
    mesh->vertex_count = kept;
    for (int i = 0; i < 3 * mesh->triangle_count; ++i)
        mesh->triangle[i / 3][i % 3] = renumber[mesh->triangle[i / 3][i % 3]];
}

// "3 edges", "1 edge".
#define MANY(count, word) (count), (count) == 1 ? word : word "s"

// What only a mesh editor can mend.
static carom_status refuse(const carom_mesh_report *r, carom_error *err)
{
    const double *p = r->place;
    if (r->triangles < 4) {
        carom_error_set(err, CAROM_BAD_INPUT, "the mesh has %d %s with an area",
                        MANY(r->triangles, "triangle"));
        return carom_error_fix(err, "a closed surface has at least four");
    }
    if (r->open_edges > 0) {
        carom_error_set(err, CAROM_BAD_INPUT,
                        "the mesh is open: %d %s with only one triangle, as at (%.4g, %.4g, %.4g)",
                        MANY(r->open_edges, "edge"), p[0], p[1], p[2]);
        return carom_error_fix(err, "close the holes; give thin walls a thickness");
    }
    carom_error_set(err, CAROM_BAD_INPUT,
                    "the mesh has %d %s with more than two triangles, as at (%.4g, %.4g, %.4g)",
                    MANY(r->nonmanifold_edges, "edge"), p[0], p[1], p[2]);
    return carom_error_fix(err, "separate the solids that share an edge");
}

static carom_status verdict(const carom_mesh_report *r, carom_mesh_policy policy, carom_error *err)
{
    const double *p = r->place;
    bool strict = policy == CAROM_MESH_STRICT;
    if (r->triangles < 4 || r->open_edges + r->nonmanifold_edges > 0)
        return refuse(r, err);
    // Scanned surfaces have a few creases where neighbours cross. Between those triangles the sign
    // of the distance is uncertain, nowhere else, so repair lets them be.
    int creases = r->triangles / 1000;
    if (r->touching > (strict ? 0 : creases)) {
        carom_error_set(err, CAROM_BAD_INPUT,
                        "the mesh meets itself: %d %s of triangles, as at (%.4g, %.4g, %.4g)",
                        MANY(r->touching, "pair"), p[0], p[1], p[2]);
        return carom_error_fix(err, r->touching <= creases
                                        ? "allow repair: it lets so few creases be"
                                        : "unite overlapping solids first, or use a compound");
    }
    if (!strict || r->degenerate + r->duplicate + r->flipped + r->inverted == 0)
        return CAROM_OK;
    const struct {
        int count;
        const char *word;
    } fault[] = { { r->degenerate, "degenerate triangles" },
                  { r->duplicate, "duplicate triangles" },
                  { r->flipped, "flipped triangles" },
                  { r->inverted, "inverted pieces" } };
    char list[96] = "";
    for (size_t i = 0, used = 0; i < sizeof fault / sizeof *fault && used < sizeof list; ++i)
        if (fault[i].count > 0)
            used += (size_t)snprintf(
                list + used, sizeof list - used, "%s%d %.*s", used ? ", " : "", fault[i].count,
                (int)strlen(fault[i].word) - (fault[i].count == 1), fault[i].word);
    carom_error_set(err, CAROM_BAD_INPUT, "the mesh has %s, as at (%.4g, %.4g, %.4g)", list, p[0],
                    p[1], p[2]);
    return carom_error_fix(err, "allow repair, or clean the mesh");
}

carom_status carom_examine_closed(const carom_mesh_source *source, carom_error *err)
{
    carom_mesh mesh = { 0 };
    carom_mesh_report report = { .triangles = source->triangle_count };
    int against = 0;
    TRY(check_source(source, err));
    carom_status status = copy(source, &mesh, err);
    if (status == CAROM_OK)
        status = carom_orient_edges(&mesh, &report, &against, err);
    carom_memory_free(mesh.vertex);
    carom_memory_free(mesh.triangle);
    TRY(status);
    if (report.open_edges + report.nonmanifold_edges > 0)
        return refuse(&report, err);
    if (against == 0)
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT, "%d %s between triangles that face opposite ways",
                    against, against == 1 ? "edge lies" : "edges lie");
    return carom_error_fix(err, "orient all triangles counter-clockwise seen from outside");
}
