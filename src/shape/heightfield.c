// Ground from a grid of heights: a closed mesh with that surface on top, straight sides and a flat
// bottom.
#include "base/memory.h"
#include "shape/kinds.h"

#include <math.h>

typedef struct ground {
    const carom_heightfield *from;
    double *vertices;
    int *triangles;
    int vertex_count, triangle_count;
} ground;

static void add_triangle(ground *g, int a, int b, int c)
{
    int *t = g->triangles + 3 * g->triangle_count++;
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

static int add_vertex(ground *g, double x, double y, double z)
{
    double *v = g->vertices + 3 * g->vertex_count;
    v[0] = x;
    v[1] = y;
    v[2] = z;
    return g->vertex_count++;
}

// The k-th point around the rim, counter-clockwise seen from above, as a number of the grid.
static int rim(const carom_heightfield *h, int k)
{
    int nx = h->columns - 1, ny = h->rows - 1;
    if (k < nx)
        return k;
    if (k < nx + ny)
        return (k - nx) * h->columns + nx;
    if (k < 2 * nx + ny)
        return ny * h->columns + (2 * nx + ny - k);
    return (2 * nx + 2 * ny - k) * h->columns;
}

static void build(ground *g, double bottom)
{
    const carom_heightfield *h = g->from;
    int nx = h->columns, ny = h->rows, around = 2 * (nx - 1) + 2 * (ny - 1);
    for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i)
            add_vertex(g, (i - 0.5 * (nx - 1)) * h->spacing[0],
                       (j - 0.5 * (ny - 1)) * h->spacing[1],
                       h->heights[(size_t)j * (size_t)nx + (size_t)i]);
    for (int j = 0; j + 1 < ny; ++j)
        for (int i = 0; i + 1 < nx; ++i) {
            int a = j * nx + i, b = a + 1, c = b + nx, d = a + nx;
            add_triangle(g, a, b, c);
            add_triangle(g, a, c, d);
        }
    int below = g->vertex_count, centre = below + around;
    for (int k = 0; k < around; ++k) {
        const double *v = g->vertices + 3 * (size_t)rim(h, k);
        add_vertex(g, v[0], v[1], bottom);
    }
    add_vertex(g, 0, 0, bottom);
    for (int k = 0; k < around; ++k) {
        int next = (k + 1) % around, a = rim(h, k), b = rim(h, next);
        add_triangle(g, a, below + k, b);
        add_triangle(g, b, below + k, below + next);
        add_triangle(g, centre, below + next, below + k);
    }
}

static carom_status check(const carom_heightfield *h, double *lowest, carom_error *err)
{
    const int most = 4096;
    *lowest = HUGE_VAL;
    if (h->columns < 2 || h->rows < 2 || h->columns > most || h->rows > most) {
        carom_error_set(err, CAROM_BAD_INPUT, "the grid of heights is %d by %d", h->columns,
                        h->rows);
        return carom_error_fix(err, "use from 2 to 4096 heights along each side");
    }
    TRY(carom_shape_positive(h->spacing[0], "spacing along x", err));
    TRY(carom_shape_positive(h->spacing[1], "spacing along y", err));
    TRY(carom_shape_positive(h->depth, "depth", err));
    for (size_t i = 0; i < (size_t)h->columns * (size_t)h->rows; ++i) {
        if (!isfinite(h->heights[i]))
            return carom_error_set(err, CAROM_BAD_INPUT, "height %zu is not finite", i);
        *lowest = fmin(*lowest, h->heights[i]);
    }
    return CAROM_OK;
}

carom_status carom_heightfield_create(const carom_heightfield *field, carom_shape **out,
                                      carom_error *err)
{
    NEED(err, field, field ? field->heights : NULL, out);
    double lowest;
    *out = NULL;
    TRY(check(field, &lowest, err));
    size_t cells = (size_t)(field->columns - 1) * (size_t)(field->rows - 1);
    size_t around = 2 * ((size_t)field->columns + (size_t)field->rows - 2);
    size_t points = (size_t)field->columns * (size_t)field->rows + around + 1;
    ground g = { .from = field,
                 .vertices = carom_memory_get(3 * points * sizeof(double)),
                 .triangles = carom_memory_get(3 * (2 * cells + 3 * around) * sizeof(int)) };
    carom_status status = CAROM_NO_MEMORY;
    if (g.vertices && g.triangles) {
        build(&g, lowest - field->depth);
        carom_mesh_source source = { g.vertices, g.triangles, g.vertex_count, g.triangle_count };
        status = carom_mesh_create(&source, CAROM_MESH_STRICT, NULL, out, err);
    } else {
        carom_error_no_memory(err, "a grid of heights");
    }
    carom_memory_free(g.vertices);
    carom_memory_free(g.triangles);
    return status;
}
