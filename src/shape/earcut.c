// Ear clipping (Meisters 1975): a simple polygon always has a corner whose triangle holds no other
// corner.
#include "shape/earcut.h"

#include <stdbool.h>
#include "base/memory.h"

static double area(const double *p, int i, int j, int k)
{
    return (p[2 * j] - p[2 * i]) * (p[2 * k + 1] - p[2 * i + 1]) -
           (p[2 * j + 1] - p[2 * i + 1]) * (p[2 * k] - p[2 * i]);
}

static bool same_place(const double *p, int i, int j)
{
    return p[2 * i] == p[2 * j] && p[2 * i + 1] == p[2 * j + 1];
}

// Corners within `slack` (m^2, twice an area) of an ear's sides lie on them: round-off must not cut
// an ear whose side runs through another corner, or three corners in a line are left over.
static bool is_ear(const double *p, const int *left, int count, int at, double slack)
{
    int i = left[(at + count - 1) % count], j = left[at], k = left[(at + 1) % count];
    if (!(area(p, i, j, k) > slack))
        return false;
    for (int m = 0; m < count; ++m) {
        int q = left[m];
        if (q == i || q == j || q == k || same_place(p, q, i) || same_place(p, q, j) ||
            same_place(p, q, k))
            continue;
        if (area(p, i, j, q) >= -slack && area(p, j, k, q) >= -slack && area(p, k, i, q) >= -slack)
            return false;
    }
    return true;
}

// The first ear, or `count`.
static int find_ear(const double *p, const int *left, int count, double slack)
{
    int ear = 0;
    while (ear < count && !is_ear(p, left, count, ear, slack))
        ++ear;
    return ear;
}

carom_status carom_earcut_polygon(const double *polygon, int count, int *triangles,
                                  carom_error *err)
{
    double twice = 0;
    for (int k = 1; k + 1 < count; ++k)
        twice += area(polygon, 0, k, k + 1);
    if (!(twice > 0)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the polygon has the area %g m^2", twice / 2);
        return carom_error_fix(err, "list the corners counter-clockwise");
    }
    int *left = carom_memory_get((size_t)count * sizeof *left), rest = count;
    if (!left)
        return carom_error_no_memory(err, "a polygon of %d corners", count);
    for (int k = 0; k < count; ++k)
        left[k] = k;
    carom_status status = CAROM_OK;
    while (rest > 3 && status == CAROM_OK) {
        int ear = find_ear(polygon, left, rest, 1e-12 * twice);
        if (ear == rest) // very thin polygons
            ear = find_ear(polygon, left, rest, 0);
        if (ear == rest) {
            carom_error_set(err, CAROM_BAD_INPUT, "the polygon of %d corners crosses itself",
                            count);
            status = carom_error_fix(err, "give a simple polygon");
            break;
        }
        *triangles++ = left[(ear + rest - 1) % rest];
        *triangles++ = left[ear];
        *triangles++ = left[(ear + 1) % rest];
        for (int k = ear; k + 1 < rest; ++k)
            left[k] = left[k + 1];
        --rest;
    }
    for (int k = 0; k < 3 && status == CAROM_OK; ++k)
        *triangles++ = left[k];
    carom_memory_free(left);
    return status;
}
