// The penalty formulation of [Collapse, 8.4]: bricks are frameworks of point masses, and the length
// equations of their bars become terms of the objective,
//
//     M sum over bars [<p_i - p_j, e> - L0 |e|]^2,   e = p_i - p_j of the last step,
//
// which never contradict each other, however many bars are redundant. The bars then give: the
// constraint is met up to force / (M |e|^2), so the answer tends to that of the equations as 1/M.
// The rows are in tower_rows.c (a soft bar has a residual of its own); here rectangles are turned
// into frameworks, and what their points do into what the bricks do.
#include "tower/tower_penalty.h"

#include <math.h>
#include <stdlib.h>
#include "math/trig.h"
#include "tower/tower_initial.h"

// Rectangles have their corners at (-+w/2, -+h/2), counter-clockwise from the lower left.
static bool rectangle(const carom_tower *t, const tower_body *body, carom_tower_body *out)
{
    const tower_shape *s = body->shape >= 0 ? &t->shapes[body->shape] : NULL;
    if (!s || s->count != 4 || body->point)
        return false;
    const tower_anchor *a = &t->anchors[tower_corner(t, s, 0)],
                       *c = &t->anchors[tower_corner(t, s, 2)];
    double w = c->rx - a->rx, h = c->ry - a->ry;
    *out = (carom_tower_body){ .width = w,
                               .height = h,
                               .mass = body->mass,
                               .x = body->x,
                               .y = body->y,
                               .angle = body->angle,
                               .fixed = body->fixed,
                               .spread = body->spread };
    const double wanted[8] = { -w / 2, -h / 2, w / 2, -h / 2, w / 2, h / 2, -w / 2, h / 2 };
    for (int v = 0; v < 4; ++v) {
        const tower_anchor *n = &t->anchors[tower_corner(t, s, v)];
        if (!(fabs(n->rx - wanted[2 * v]) <= 1e-12 * t->size &&
              fabs(n->ry - wanted[2 * v + 1]) <= 1e-12 * t->size))
            return false;
    }
    return w > 0 && h > 0;
}

// A fixed body stays what it is.
static carom_status add_fixed(const carom_tower *t, const tower_body *body, carom_tower *out,
                              carom_error *err)
{
    const tower_shape *s = &t->shapes[body->shape];
    double corners[2 * CAROM_TOWER_CORNERS_MAX];
    for (int v = 0; v < s->count; ++v) {
        corners[2 * v] = t->anchors[tower_corner(t, s, v)].rx;
        corners[2 * v + 1] = t->anchors[tower_corner(t, s, v)].ry;
    }
    carom_tower_body copy = { .corners = corners,
                              .corner_count = s->count,
                              .mass = 1,
                              .x = body->x,
                              .y = body->y,
                              .angle = body->angle,
                              .fixed = true };
    return carom_tower_add_body(out, &copy, NULL, err);
}

static carom_status add_supports(const carom_tower *t, carom_tower *out, carom_error *err)
{
    for (int s = 0; s < t->shape_count; ++s)
        if (t->shapes[s].owner < 0) {
            const tower_anchor *low = &t->anchors[tower_corner(t, &t->shapes[s], 0)],
                               *high = &t->anchors[tower_corner(t, &t->shapes[s], 2)];
            TRY(carom_tower_add_table(out, low->rx, high->rx, high->ry, err));
        }
    for (int h = 0; h < t->plane_count; ++h) {
        const tower_plane *p = &t->planes[h];
        TRY(carom_tower_add_ground(out, (double[]){ p->x, p->y }, (double[]){ p->nx, p->ny }, err));
    }
    return CAROM_OK;
}

static carom_status add_bricks(const carom_tower *t, tower_frameworks *f, carom_error *err)
{
    for (int b = 0; b < t->public_body_count; ++b) {
        carom_tower_body brick;
        f->first[b] = carom_tower_bodies(f->tower);
        f->count[b] = 1;
        if (t->bodies[b].fixed && !t->bodies[b].point) {
            TRY(add_fixed(t, &t->bodies[b], f->tower, err));
            continue;
        }
        if (!rectangle(t, &t->bodies[b], &brick)) {
            carom_error_set(err, CAROM_UNSUPPORTED, "body %d is no rectangle", b);
            return carom_error_fix(err, "leave the penalty out, or use bricks");
        }
        f->count[b] = brick.spread == CAROM_TOWER_CORNERS ? 4 : 9;
        TRY(carom_tower_framework_add(f->tower, &brick, f->count[b], NULL, err));
    }
    return CAROM_OK;
}

carom_status carom_tower_penalty_frameworks(const carom_tower *t, tower_frameworks *out,
                                            carom_error *err)
{
    *out = (tower_frameworks){ .bricks = t->public_body_count };
    if (t->bar_count > 0 || t->friction > 0) {
        carom_error_set(err, CAROM_UNSUPPORTED,
                        "no penalty for towers with friction, pins or bars");
        return carom_error_fix(err, "leave the penalty out");
    }
    out->tower = carom_tower_create(t->gravity);
    out->first = calloc((size_t)t->public_body_count + 1, sizeof *out->first);
    out->count = calloc((size_t)t->public_body_count + 1, sizeof *out->count);
    if (!out->tower || !out->first || !out->count)
        return carom_error_no_memory(err, "the frameworks");
    // Framework points tie themselves to each other, so all bodies come before any support.
    TRY(add_bricks(t, out, err));
    return add_supports(t, out->tower, err);
}

void carom_tower_penalty_release(tower_frameworks *f)
{
    carom_tower_destroy(f->tower);
    free(f->first);
    free(f->count);
    *f = (tower_frameworks){ 0 };
}

// Mean of x and y over the masses of a brick.
static void centre_of(const tower_frameworks *f, int brick, const double *value, double out[2])
{
    double mass = 0;
    out[0] = out[1] = 0;
    for (int n = 0; n < f->count[brick]; ++n) {
        double part = f->tower->bodies[f->first[brick] + n].mass;
        mass += part;
        out[0] += part * value[3 * n];
        out[1] += part * value[3 * n + 1];
    }
    out[0] /= mass;
    out[1] /= mass;
}

void carom_tower_penalty_place(const tower_frameworks *f, int brick, const double *place,
                               double out[3])
{
    int first = f->first[brick];
    if (f->count[brick] == 1) {
        for (int k = 0; k < 3; ++k)
            out[k] = place[3 * first + k];
        return;
    }
    centre_of(f, brick, place + 3 * (size_t)f->first[brick], out);
    // The lower side of the first frame is (1, 0) turned by the brick's angle: fit both sides.
    const double *p = place + 3 * (size_t)first;
    double ex = p[3] - p[0] + (p[6] - p[9]), ey = p[4] - p[1] + (p[7] - p[10]);
    out[2] = carom_trig_atan2(ey, ex);
}

// The acceleration that the points of a brick have in common: momentum and angular momentum.
static void brick_motion(const tower_frameworks *f, const carom_tower_instant *points, int brick,
                         double out[3])
{
    double centre[2], turn = 0, inertia = 0, place[3 * 9];
    int first = f->first[brick];
    centre_of(f, brick, points->accelerations + 3 * (size_t)first, out);
    for (int n = 0; n < f->count[brick]; ++n)
        carom_tower_body_place(f->tower, first + n, place + 3 * n);
    centre_of(f, brick, place, centre);
    for (int n = 0; n < f->count[brick]; ++n) {
        double mass = f->tower->bodies[first + n].mass, rx = place[3 * n] - centre[0],
               ry = place[3 * n + 1] - centre[1];
        const double *a = points->accelerations + 3 * (size_t)(first + n);
        turn += mass * (rx * a[1] - ry * a[0]);
        inertia += mass * (rx * rx + ry * ry);
    }
    out[2] = turn / inertia;
}

static int brick_of(const tower_frameworks *f, int body)
{
    for (int b = 0; b < f->bricks; ++b)
        if (body >= f->first[b] && body < f->first[b] + f->count[b])
            return b;
    return -1;
}

// Largest second derivative of a bar's length, over the length.
static double largest_stretch(const tower_frameworks *f, const carom_tower_instant *points)
{
    const carom_tower *t = f->tower;
    double max = 0;
    for (int n = 0; n < t->bar_count; ++n) {
        const tower_bar *bar = &t->bars[n];
        int i = t->anchors[bar->a].body, j = t->anchors[bar->b].body;
        const double *a = points->accelerations + 3 * (size_t)i,
                     *b = points->accelerations + 3 * (size_t)j;
        double ex = t->bodies[i].x - t->bodies[j].x, ey = t->bodies[i].y - t->bodies[j].y;
        double pull = (ex * (a[0] - b[0]) + ey * (a[1] - b[1])) / (bar->length * bar->length);
        max = fmax(max, fabs(pull));
    }
    return max;
}

// From points to bricks. The sums stay those of the points, which is where the masses are.
static carom_status to_bricks(const tower_frameworks *f, carom_tower_instant *out, carom_error *err)
{
    double *a = calloc(3 * (size_t)f->bricks + 1, sizeof *a);
    if (!a)
        return carom_error_no_memory(err, "%d bricks", f->bricks);
    for (int b = 0; b < f->bricks; ++b)
        if (f->count[b] > 1)
            brick_motion(f, out, b, a + 3 * (size_t)b);
    free(out->accelerations);
    out->accelerations = a;
    out->bodies = f->bricks;
    for (int n = 0; n < out->force_count; ++n) {
        out->forces[n].a = brick_of(f, out->forces[n].a);
        out->forces[n].b = brick_of(f, out->forces[n].b);
    }
    free(out->ties);
    out->ties = NULL;
    out->tie_count = 0;
    return CAROM_OK;
}

carom_status carom_tower_penalty_initial(const carom_tower *t, double penalty,
                                         carom_tower_instant *out, double *stretch,
                                         carom_error *err)
{
    NEED(err, t, out);
    tower_frameworks f;
    *out = (carom_tower_instant){ .method = "none" };
    if (!(penalty >= 0 && penalty <= 1e12)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the penalty factor is %g", penalty);
        return carom_error_fix(err, "use 0 (lengths are equations) or a factor up to 1e12");
    }
    carom_status status = carom_tower_penalty_frameworks(t, &f, err);
    if (status == CAROM_OK)
        status = carom_tower_initial_soft(f.tower, CAROM_TOWER_INTERIOR, penalty, out, err);
    if (status == CAROM_OK && stretch)
        *stretch = largest_stretch(&f, out);
    if (status == CAROM_OK)
        status = to_bricks(&f, out, err);
    carom_tower_penalty_release(&f);
    return status;
}
