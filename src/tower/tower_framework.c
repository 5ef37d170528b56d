// A rectangle as a framework of point masses and bars [Collapse, 8.1, figure 10].
//
// Masses that have the second moments of a homogeneous rectangle: 9 points with Simpson's weights
// (1,4,1) x (1,4,1) / 36, or 5 points with corners 1/12 and centre 2/3. Four equal corner masses
// (the paper's own recording) triple the inertia.
#include "tower/tower_internal.h"

#include <math.h>
#include "math/trig.h"

typedef struct grid {
    int points, bars;
    double place[9][3]; // x, y in halves of width and height; share of the mass
    int bar[16][2];
} grid;

// The corners come first, counter-clockwise.
static const grid four = {
    .points = 4,
    .bars = 5,
    .place = { { -1, -1, 0.25 }, { 1, -1, 0.25 }, { 1, 1, 0.25 }, { -1, 1, 0.25 } },
    .bar = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 0 }, { 0, 2 } },
};

static const grid five = {
    .points = 5,
    .bars = 8,
    .place = { { -1, -1, 1.0 / 12 },
               { 1, -1, 1.0 / 12 },
               { 1, 1, 1.0 / 12 },
               { -1, 1, 1.0 / 12 },
               { 0, 0, 2.0 / 3 } },
    .bar = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 0 }, { 0, 4 }, { 1, 4 }, { 2, 4 }, { 3, 4 } },
};

// 12 bars of the grid and one diagonal in each quarter: one of the 16 is redundant, which the
// solver takes in its stride.
static const grid nine = {
    .points = 9,
    .bars = 16,
    .place = { { -1, -1, 1.0 / 36 },
               { 1, -1, 1.0 / 36 },
               { 1, 1, 1.0 / 36 },
               { -1, 1, 1.0 / 36 },
               { 0, -1, 1.0 / 9 },
               { 1, 0, 1.0 / 9 },
               { 0, 1, 1.0 / 9 },
               { -1, 0, 1.0 / 9 },
               { 0, 0, 4.0 / 9 } },
    .bar = { { 0, 4 },
             { 4, 1 },
             { 1, 5 },
             { 5, 2 },
             { 2, 6 },
             { 6, 3 },
             { 3, 7 },
             { 7, 0 },
             { 4, 8 },
             { 5, 8 },
             { 6, 8 },
             { 7, 8 },
             { 0, 8 },
             { 1, 8 },
             { 2, 8 },
             { 3, 8 } },
};

carom_status carom_tower_framework_add(carom_tower *t, const carom_tower_body *body, int points,
                                       int *index, carom_error *err)
{
    const grid *g = points == 4 ? &four : points == 5 ? &five : points == 9 ? &nine : NULL;
    int anchors[4], first = carom_tower_bodies(t);
    double at[9][2];
    if (!g || body->corner_count || !(body->width > 0 && body->height > 0)) {
        carom_error_set(err, CAROM_BAD_INPUT, "no framework of %d points for this body", points);
        return carom_error_fix(err, "use 4, 5 or 9 points and a rectangle");
    }
    double mass = body->mass == 0 ? 4 * body->width * body->height : body->mass;
    double c = carom_trig_cos(body->angle), s = carom_trig_sin(body->angle);
    for (int p = 0; p < g->points; ++p) {
        double rx = g->place[p][0] * body->width / 2, ry = g->place[p][1] * body->height / 2;
        at[p][0] = body->x + (c * rx - s * ry);
        at[p][1] = body->y + (s * rx + c * ry);
        TRY(carom_tower_add_point(t, at[p][0], at[p][1], mass * g->place[p][2], NULL, err));
        if (p < 4)
            anchors[p] = t->anchor_count - 1;
    }
    for (int b = 0; b < g->bars; ++b) {
        int p = g->bar[b][0], q = g->bar[b][1];
        TRY(carom_tower_add_bar(t, first + p, at[p], first + q, at[q], err));
    }
    t->size = fmax(t->size, fmax(body->width, body->height));
    if (index)
        *index = first;
    return carom_tower_add_shape(t, anchors, 4, first, err);
}
