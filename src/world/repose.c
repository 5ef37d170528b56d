// The angle of repose: highest nodes over a grid of 8 x 16 cells, 8 fitted lines [ETM, section
// 7.5].
//
// The paper's nodes are those of its tetrahedral meshes. Ours are corners and middles of edges of
// the surface triangles: finer than a cell for every body that is not much larger than a cell.
#include "carom/repose.h"

#include <math.h>
#include <stdbool.h>
#include "base/error.h"
#include "math/constants.h"
#include "math/trig.h"
#include "math/vec.h"

enum { ROUND = 16 }; // sides of a sphere: nodes at most a fifth of its diameter apart

typedef struct survey {
    const double *area;
    bool along_y; // the longer side of the floor
    vec3 position;
    quat rotation;
    carom_repose *out;
} survey;

static int cell_of(double x, double from, double to, int count)
{
    double at = (x - from) / (to - from) * count;
    return at >= 0 && at < count ? (int)at : -1;
}

static void add_node(survey *s, vec3 node)
{
    vec3 x = vec3_add(s->position, quat_rotate(s->rotation, node));
    const double *a = s->area;
    int cell = s->along_y ? cell_of(x.y, a[1], a[3], CAROM_REPOSE_CELLS)
                          : cell_of(x.x, a[0], a[2], CAROM_REPOSE_CELLS);
    int line = s->along_y ? cell_of(x.x, a[0], a[2], CAROM_REPOSE_LINES)
                          : cell_of(x.y, a[1], a[3], CAROM_REPOSE_LINES);
    if (cell >= 0 && line >= 0 && x.z > s->out->top[line][cell])
        s->out->top[line][cell] = x.z;
}

static void add_triangle(void *context, const double corners[9])
{
    for (int k = 0; k < 3; ++k) {
        vec3 a = vec3_from(corners + 3 * k), b = vec3_from(corners + 3 * ((k + 1) % 3));
        add_node(context, a);
        add_node(context, vec3_scale(0.5, vec3_add(a, b)));
    }
}

// Slope of the least-squares line through the nodes of a row, degrees downwards; false where fewer
// than two cells have one.
static bool fit(const double *top, double width, double *slope)
{
    double n = 0, x = 0, z = 0, xx = 0, xz = 0;
    for (int i = 0; i < CAROM_REPOSE_CELLS; ++i) {
        if (!(top[i] > -HUGE_VAL))
            continue;
        double at = (i + 0.5) * width;
        n += 1;
        x += at;
        z += top[i];
        xx += at * at;
        xz += at * top[i];
    }
    if (n < 2)
        return false;
    *slope = -carom_trig_atan2(n * xz - x * z, n * xx - x * x) * CAROM_DEGREES_PER_RADIAN;
    return true;
}

carom_status carom_repose_measure(const carom_world *world, const double area[4], carom_repose *out,
                                  carom_error *err)
{
    NEED(err, area);
    double length = area[2] - area[0], width = area[3] - area[1];
    if (!(length > 0 && width > 0 && isfinite(length + width))) {
        carom_error_set(err, CAROM_BAD_INPUT, "the floor is %g m by %g m", length, width);
        return carom_error_fix(err, "give the smaller corner first: x y x y");
    }
    *out = (carom_repose){ .min = HUGE_VAL, .max = -HUGE_VAL };
    survey s = { .area = area, .along_y = width > length, .out = out };
    for (int i = 0; i < CAROM_REPOSE_LINES; ++i)
        for (int k = 0; k < CAROM_REPOSE_CELLS; ++k)
            out->top[i][k] = -HUGE_VAL;
    for (int i = 0; i < carom_world_body_count(world); ++i) {
        double x[3], q[4];
        if (carom_world_kind(world, carom_world_body_at(world, i)) != CAROM_BODY_MOVING)
            continue;
        carom_world_body(world, carom_world_body_at(world, i), x, q, NULL, NULL);
        s.position = vec3_from(x);
        s.rotation = (quat){ q[0], q[1], q[2], q[3] };
        carom_shape_triangles(carom_world_shape(world, carom_world_body_at(world, i)), ROUND, 1,
                              add_triangle, &s);
    }
    for (int i = 0; i < CAROM_REPOSE_LINES; ++i) {
        if (!fit(out->top[i], fmax(length, width) / CAROM_REPOSE_CELLS, &out->line[i]))
            continue;
        ++out->lines;
        out->mean += out->line[i];
        out->min = fmin(out->min, out->line[i]);
        out->max = fmax(out->max, out->line[i]);
    }
    if (out->lines == 0)
        return carom_error_set(err, CAROM_BAD_INPUT, "nothing lies on the floor");
    out->mean /= out->lines;
    out->error = 0.5 * (out->max - out->min);
    return CAROM_OK;
}
