// Welds equal corners of a body's surface and bounds it; planes become squares of the scene's
// size.
#include "export/export_mesh.h"

#include <string.h>
#include "base/hash.h"

static int weld(carom_export_mesh *mesh, const float corner[6], int *table, size_t mask)
{
    uint64_t slot = carom_hash_bytes(CAROM_HASH_START, corner, 6 * sizeof *corner) & mask;
    for (;; slot = (slot + 1) & mask) { // ends: the table is at most half full
        int found = table[slot] - 1;
        if (found < 0) {
            found = mesh->vertex_count++;
            memcpy(mesh->position[found], corner, sizeof mesh->position[0]);
            memcpy(mesh->normal[found], corner + 3, sizeof mesh->normal[0]);
            table[slot] = found + 1;
            return found;
        }
        if (memcmp(mesh->position[found], corner, sizeof mesh->position[0]) == 0 &&
            memcmp(mesh->normal[found], corner + 3, sizeof mesh->normal[0]) == 0)
            return found;
    }
}

static void set_corner(float corner[6], vec3 point, vec3 normal)
{
    const double values[6] = { point.x, point.y, point.z, normal.x, normal.y, normal.z };
    for (int k = 0; k < 6; ++k)
        corner[k] = (float)values[k] + 0.0f; // no negative zero: equal numbers have equal bits
}

static void find_bounds(carom_export_mesh *mesh)
{
    for (int k = 0; k < 3 && mesh->vertex_count; ++k) {
        mesh->min[k] = mesh->max[k] = mesh->position[0][k];
        for (int i = 1; i < mesh->vertex_count; ++i) {
            float at = mesh->position[i][k];
            mesh->min[k] = at < mesh->min[k] ? at : mesh->min[k];
            mesh->max[k] = at > mesh->max[k] ? at : mesh->max[k];
        }
    }
}

static void make_square(carom_export_mesh *mesh, double extent)
{
    static const uint32_t order[6] = { 0, 1, 2, 0, 2, 3 };
    mesh->vertex_count = 4;
    mesh->index_count = 6;
    memcpy(mesh->index, order, sizeof order);
    for (int i = 0; i < 4; ++i) {
        float corner[6];
        set_corner(corner,
                   vec3_make(i == 1 || i == 2 ? extent : -extent, i >= 2 ? extent : -extent, 0),
                   vec3_make(0, 0, 1));
        memcpy(mesh->position[i], corner, sizeof mesh->position[0]);
        memcpy(mesh->normal[i], corner + 3, sizeof mesh->normal[0]);
    }
}

carom_status carom_export_mesh_make(const carom_recording_form *form, double extent,
                                    carom_arena *arena, carom_export_mesh *out, carom_error *err)
{
    const carom_trimesh *from = &form->mesh;
    bool plane = carom_shape_kind_of(form->shape) == CAROM_SHAPE_PLANE;
    size_t corners = plane ? 6 : 3 * (size_t)from->triangle_count, size = 16;
    while (size < 2 * corners) // ends: doubles
        size *= 2;
    *out = (carom_export_mesh){ 0 };
    TAKE(arena, out->position, corners, err);
    TAKE(arena, out->normal, corners, err);
    TAKE(arena, out->index, corners, err);
    if (plane) {
        make_square(out, extent);
    } else {
        carom_arena_mark mark = carom_arena_mark_here(arena);
        int *table;
        TAKE_ZEROS(arena, table, size, err);
        for (size_t i = 0; i < corners; ++i) {
            float corner[6];
            set_corner(corner, from->vertex[from->triangle[i / 3][i % 3]], from->normal[i]);
            out->index[i] = (uint32_t)weld(out, corner, table, size - 1);
        }
        out->index_count = (int)corners;
        carom_arena_rewind(arena, mark);
    }
    find_bounds(out);
    return CAROM_OK;
}
