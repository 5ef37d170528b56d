// Solids made of boxes: the surface of marked cells of a rectilinear grid.
//
// Faces between a marked and an unmarked cell belong to the surface; each is cut into squares of
// the wanted fineness. The surface is closed whatever is marked; cells that meet only along an edge
// would pinch it, and examining the mesh refuses that.
#include "shape/blocks.h"

#include <math.h>
#include "base/memory.h"

enum { TRIANGLES_MAX = 8000000 };

// A list of triangles that grows; every corner has its own coordinates, examining welds them.
typedef struct pile {
    double *corner;
    int count, room;
    bool failed;
} pile;

static void add(pile *p, const double a[3], const double b[3], const double c[3])
{
    if (p->count == p->room && !p->failed) {
        int room = p->room ? 2 * p->room : 1024;
        double *more = room > TRIANGLES_MAX
                           ? NULL
                           : carom_memory_resize(p->corner, 9 * (size_t)room * sizeof *more);
        p->failed = !more;
        if (more) {
            p->corner = more;
            p->room = room;
        }
    }
    if (p->failed)
        return;
    double *to = p->corner + 9 * (size_t)p->count++;
    for (int k = 0; k < 3; ++k) {
        to[k] = a[k];
        to[3 + k] = b[k];
        to[6 + k] = c[k];
    }
}

// Where cut k of n lies: the ends keep their bits, so that neighbours weld.
static double between(double low, double high, int k, int n)
{
    return k == 0 ? low : k == n ? high : low + (high - low) * k / n;
}

// The face of a cell across axis `d` at the coordinate `level`, seen from outside on the high side
// (or the low side) of the axis.
static void add_face(pile *p, const carom_blocks *b, const int cell[3], int d, bool high)
{
    int u = (d + 1) % 3, v = (d + 2) % 3;
    double low[3], top[3];
    for (int k = 0; k < 3; ++k) {
        low[k] = b->level[k][cell[k]];
        top[k] = b->level[k][cell[k] + 1];
    }
    if ((top[u] - low[u]) * (top[v] - low[v]) > TRIANGLES_MAX / 2 * b->fineness * b->fineness) {
        p->failed = true;
        return;
    }
    int nu = (int)ceil((top[u] - low[u]) / b->fineness - 1e-9);
    int nv = (int)ceil((top[v] - low[v]) / b->fineness - 1e-9);
    nu = nu < 1 ? 1 : nu;
    nv = nv < 1 ? 1 : nv;
    for (int i = 0; i < nu && !p->failed; ++i)
        for (int j = 0; j < nv; ++j) {
            double q[4][3];
            for (int k = 0; k < 4; ++k) {
                int up = k == 1 || k == 2, right = k >= 2;
                q[k][d] = high ? top[d] : low[d];
                q[k][u] = between(low[u], top[u], i + up, nu);
                q[k][v] = between(low[v], top[v], j + right, nv);
            }
            // 0-1-2-3 is counter-clockwise seen from the high side
            bool flip = (i + j) % 2; // alternating diagonals
            if (high) {
                add(p, q[0], q[1], flip ? q[3] : q[2]);
                add(p, flip ? q[1] : q[0], q[2], q[3]);
            } else {
                add(p, q[1], q[0], flip ? q[3] : q[2]);
                add(p, q[2], flip ? q[1] : q[0], q[3]);
            }
        }
}

static bool marked(const carom_blocks *b, int x, int y, int z)
{
    if (x < 0 || y < 0 || z < 0 || x >= b->cells[0] || y >= b->cells[1] || z >= b->cells[2])
        return false;
    return b->mark[((size_t)z * (size_t)b->cells[1] + (size_t)y) * (size_t)b->cells[0] +
                   (size_t)x] == '#';
}

carom_status carom_blocks_create(const carom_blocks *b, carom_shape **out, carom_error *err)
{
    pile p = { 0 };
    *out = NULL;
    for (int z = 0; z < b->cells[2]; ++z)
        for (int y = 0; y < b->cells[1]; ++y)
            for (int x = 0; x < b->cells[0]; ++x) {
                if (!marked(b, x, y, z))
                    continue;
                for (int d = 0; d < 3; ++d)
                    for (int high = 0; high < 2; ++high) {
                        int step[3] = { 0 }, cell[3] = { x, y, z };
                        step[d] = high ? 1 : -1;
                        if (!marked(b, x + step[0], y + step[1], z + step[2]))
                            add_face(&p, b, cell, d, high);
                    }
            }
    int *triangle = carom_memory_get(3 * (size_t)(p.count + 1) * sizeof *triangle);
    carom_status status = CAROM_OK;
    if (p.failed || !triangle)
        status = carom_error_no_memory(err, "squares of %g m", b->fineness);
    for (int k = 0; status == CAROM_OK && k < 3 * p.count; ++k)
        triangle[k] = k;
    carom_mesh_source source = { p.corner, triangle, 3 * p.count, p.count };
    if (status == CAROM_OK)
        status = carom_mesh_create(&source, CAROM_MESH_STRICT, NULL, out, err);
    carom_memory_free(triangle);
    carom_memory_free(p.corner);
    return status;
}
