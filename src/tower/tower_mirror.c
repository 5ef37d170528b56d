// Bitwise mirror symmetry.
//
// A convex program has one minimiser, so the mirror image of a symmetric problem's answer is the
// answer; what a solver returns differs from its image by round-off, and a falling tower amplifies
// that until the recording is lopsided (the recording of [Collapse, figure 11] is). Averaging the
// answer with its image removes the difference exactly, because floating-point addition commutes.
// Contacts are computed on one side and reflected, so that no tie is broken differently on the
// other.
#include "tower/tower_mirror.h"
#include <math.h>
#include <stdlib.h>

typedef struct placed {
    double x, y;
    int body;
} placed;

static int by_height_then_x(const void *a, const void *b)
{
    const placed *p = a, *q = b;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return p->body - q->body;
}

static bool exact_shift(double x, double axis)
{
    double shifted = x - axis;
    return shifted + axis == x && x - shifted == axis;
}

static bool alike(const tower_body *a, const tower_body *b)
{
    return a->mass == b->mass && a->inertia == b->inertia && a->ux == b->ux && a->uy == -b->uy &&
           a->fixed == b->fixed && a->point == b->point;
}

static const placed *find_place(const placed *list, int count, double x, double y)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (list[middle].y < y || (list[middle].y == y && list[middle].x < x))
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && list[low].y == y && list[low].x == x ? &list[low] : 0;
}

// Partner of every body the caller added; places that two bodies share are refused.
static bool match_bodies(const carom_tower *t, const placed *list, tower_mirror *m)
{
    for (int n = 0; n + 1 < t->public_bodies; ++n)
        if (list[n].x == list[n + 1].x && list[n].y == list[n + 1].y)
            return false;
    for (int b = 0; b < t->public_bodies; ++b) {
        const tower_body *body = &t->body[b];
        if (!exact_shift(body->x, m->axis))
            return false;
        const placed *other =
            find_place(list, t->public_bodies, m->axis - (body->x - m->axis), body->y);
        if (!other || !alike(body, &t->body[other->body]))
            return false;
        m->body[b] = other->body;
    }
    return true;
}

// Tables and the world are their own images, or each other's.
static bool match_supports(const carom_tower *t, tower_mirror *m)
{
    for (int b = t->public_bodies; b < t->bodies; ++b)
        m->body[b] = b;
    for (int p = 0; p < t->planes; ++p) {
        const tower_plane *h = &t->plane[p];
        if (h->nx != 0 || h->ny != 1) {
            int partner = -1;
            for (int q = 0; q < t->planes; ++q) {
                const tower_plane *g = &t->plane[q];
                if (g->nx == -h->nx && g->ny == h->ny && g->y == h->y &&
                    g->x - m->axis == -(h->x - m->axis))
                    partner = q;
            }
            if (partner < 0)
                return false;
            m->plane[p] = partner;
        } else
            m->plane[p] = p;
    }
    return true;
}

// World position of an anchor of a support relative to the axis, or local x of a movable one.
static bool anchors_match(const carom_tower *t, const tower_mirror *m, int a, int b)
{
    const tower_anchor *p = &t->anchor[a], *q = &t->anchor[b];
    if (m->body[p->body] != q->body || p->ry != q->ry)
        return false;
    if (p->body < t->public_bodies)
        return p->rx == -q->rx;
    return p->rx - m->axis == -(q->rx - m->axis);
}

// Corners map to corners: a pin may sit on one.
static bool match_anchors(const carom_tower *t, tower_mirror *m, const int *first, const int *next,
                          const int *shape_of)
{
    for (int a = 0; a < t->anchors; ++a) {
        m->anchor[a] = -1;
        for (int b = first[m->body[t->anchor[a].body]]; b >= 0 && m->anchor[a] < 0; b = next[b])
            if ((shape_of[a] < 0) == (shape_of[b] < 0) && anchors_match(t, m, a, b))
                m->anchor[a] = b;
        if (m->anchor[a] < 0)
            return false;
    }
    return true;
}

// The image of a shape runs through the image anchors in reverse order.
static bool match_shapes(const carom_tower *t, tower_mirror *m, const int *shape_of)
{
    for (int s = 0; s < t->shapes; ++s) {
        const tower_shape *shape = &t->shape[s];
        int image = shape_of[m->anchor[tower_corner(t, shape, 0)]];
        if (image < 0 || t->shape[image].count != shape->count)
            return false;
        for (int v = 0; v < shape->count; ++v)
            if (shape_of[m->anchor[tower_corner(t, shape, v)]] != image)
                return false;
        m->shape[s] = image;
    }
    return true;
}

static bool match_bars(const carom_tower *t, const tower_mirror *m)
{
    for (int p = 0; p < t->bars; ++p) {
        const tower_bar *x = &t->bar[p];
        bool found = false;
        for (int q = 0; q < t->bars && !found; ++q) {
            const tower_bar *y = &t->bar[q];
            int a = m->anchor[x->a], b = m->anchor[x->b];
            found =
                x->length == y->length && ((a == y->a && b == y->b) || (a == y->b && b == y->a));
        }
        if (!found)
            return false;
    }
    return true;
}

carom_status carom_tower_mirror_find(const carom_tower *t, carom_arena *arena, tower_mirror *m,
                                     bool *found, carom_error *err)
{
    placed *list;
    int *first, *next, *shape_of;
    double low = HUGE_VAL, high = -HUGE_VAL;
    *found = false;
    if (t->public_bodies == 0)
        return CAROM_OK;
    TAKE(arena, m->body, t->bodies, err);
    TAKE(arena, m->anchor, t->anchors, err);
    TAKE(arena, m->shape, t->shapes + 1, err);
    TAKE(arena, m->plane, t->planes + 1, err);
    carom_arena_mark mark = carom_arena_mark_here(arena);
    TAKE(arena, list, t->public_bodies, err);
    TAKE(arena, first, t->bodies, err);
    TAKE(arena, next, t->anchors, err);
    TAKE(arena, shape_of, t->anchors, err);
    for (int b = 0; b < t->bodies; ++b)
        first[b] = -1;
    for (int a = t->anchors - 1; a >= 0; --a) {
        next[a] = first[t->anchor[a].body];
        first[t->anchor[a].body] = a;
        shape_of[a] = -1;
    }
    for (int s = 0; s < t->shapes; ++s)
        for (int v = 0; v < t->shape[s].count; ++v)
            shape_of[tower_corner(t, &t->shape[s], v)] = s;
    for (int b = 0; b < t->public_bodies; ++b) {
        list[b] = (placed){ t->body[b].x, t->body[b].y, b };
        low = fmin(low, t->body[b].x);
        high = fmax(high, t->body[b].x);
    }
    qsort(list, (size_t)t->public_bodies, sizeof *list, by_height_then_x);
    m->axis = low + (high - low) / 2;
    *found = match_bodies(t, list, m) && match_supports(t, m) &&
             match_anchors(t, m, first, next, shape_of) && match_shapes(t, m, shape_of) &&
             match_bars(t, m);
    carom_arena_rewind(arena, mark);
    return CAROM_OK;
}

static int compare_pairs(int a, int b, int c, int d)
{
    int low = a < b ? a : b, high = a < b ? b : a, low2 = c < d ? c : d, high2 = c < d ? d : c;
    return low != low2 ? (low < low2 ? 1 : -1) : high != high2 ? (high < high2 ? 1 : -1) : 0;
}

int carom_tower_mirror_order(const tower_mirror *m, int a, int b)
{
    return compare_pairs(a, b, m->shape[a], m->shape[b]);
}

int carom_tower_mirror_plane_order(const tower_mirror *m, int plane, int shape)
{
    int image = m->shape[shape], other = m->plane[plane];
    return plane != other   ? (plane < other ? 1 : -1)
           : shape != image ? (shape < image ? 1 : -1)
                            : 0;
}

static tower_contact reflect(const tower_mirror *m, const tower_contact *c)
{
    tower_contact image = *c;
    image.nx = -c->nx;
    image.k = m->anchor[c->k];
    image.corner_owner = c->corner_owner < 0 ? -1 : m->body[c->corner_owner];
    image.edge_owner = c->edge_owner < 0 ? -1 : m->body[c->edge_owner];
    if (c->plane >= 0) {
        image.plane = m->plane[c->plane];
        return image;
    }
    image.i = m->anchor[c->j];
    image.j = m->anchor[c->i];
    image.alpha = 1 - c->alpha;
    return image;
}

void carom_tower_mirror_contacts(const tower_mirror *m, tower_contacts *list, int first,
                                 bool itself)
{
    int last = list->count;
    for (int n = first; n < last; ++n) {
        tower_contact image = reflect(m, &list->item[n]);
        bool there = false;
        for (int k = first; itself && k < list->count && !there; ++k)
            there = list->item[k].i == image.i && list->item[k].k == image.k &&
                    list->item[k].plane == image.plane;
        if (!there)
            list->item[list->count++] = image;
    }
}

double carom_tower_mirror_average(const tower_mirror *m, const carom_tower *t, double *x)
{
    double worst = 0;
    for (int b = 0; b < t->public_bodies; ++b) {
        int other = m->body[b];
        if (other < b || t->body[b].fixed)
            continue;
        double *p = x + 3 * (size_t)t->body[b].block, *q = x + 3 * (size_t)t->body[other].block;
        double dx = (p[0] - q[0]) / 2, dy = (p[1] + q[1]) / 2, turn = (p[2] - q[2]) / 2;
        worst = fmax(worst, fmax(fabs(p[0] + q[0]), fmax(fabs(p[1] - q[1]), fabs(p[2] + q[2]))));
        p[0] = dx;
        p[1] = dy;
        p[2] = turn;
        q[0] = -dx;
        q[1] = dy;
        q[2] = -turn;
        if (other == b)
            p[0] = p[2] = 0; // also not -0
    }
    return worst;
}
