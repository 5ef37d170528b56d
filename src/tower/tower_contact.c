// Contacts between convex polygons, and with half planes.
//
// [Collapse, 8.5] picks the LESS satisfied of two separating edges and all corners of the other
// brick; that holds unstable towers up (a corner beyond the end of an edge is supported by its
// line) and throws separated bricks apart. Here:
//
// At rest, closed segments glue flush neighbours together and open segments lose side contacts, so
// a contact interval of positive length gives one contact at each of its two ends.
//
// In motion, rule R: reference edge = the edge with the largest separation over both shapes;
// incident edge = the most antiparallel edge of the other; candidates = the two incident corners on
// the reference edge and the two reference corners on the incident edge; a candidate stays if its
// foot lies on the edge where free flight would put it (2 p - p_old + g dt^2), and if it lies there
// now or the corner is not behind the line. The predicted foot is what lets a corner slide past a
// corner without a false impact.
#include "tower/tower_contact.h"

#include <math.h>
#include <stdlib.h>
#include "tower/tower_mirror.h"

static const double FOOT_TOLERANCE = 1e-7; // of a foot on its edge, in lengths of the tower's size
static const double NEAR_MARGIN = 0.02;    // pairs closer than this are watched, same unit
static const double PARALLEL = 1e-9;       // sine of the angle below which faces count as parallel

typedef struct edge_choice {
    int shape, edge; // the reference edge
    double separation;
} edge_choice;

typedef struct box {
    double low_x, high_x, low_y, high_y;
    int shape;
} box;

typedef struct finder {
    const tower_view *view;
    const carom_tower *tower;
    double reach;     // pairs with a larger separation are ignored
    double tolerance; // at rest only
    bool resting;
    tower_found *out;
} finder;

void carom_tower_contact_places(const carom_tower *t, double *p)
{
    for (int a = 0; a < t->anchor_count; ++a) {
        const tower_anchor *n = &t->anchors[a];
        const tower_body *b = &t->bodies[n->body];
        p[2 * a] = b->x + (b->ux * n->rx - b->uy * n->ry);
        p[2 * a + 1] = b->y + (b->uy * n->rx + b->ux * n->ry);
    }
}

// -- geometry -----------------------------------------------------------------------------------

// Outer normal and length of the edge from anchor i to anchor j.
static double edge_normal(const double *p, int i, int j, double *nx, double *ny)
{
    double ex = p[2 * j] - p[2 * i], ey = p[2 * j + 1] - p[2 * i + 1],
           length = sqrt(ex * ex + ey * ey);
    *nx = ey / length;
    *ny = -ex / length;
    return length;
}

// Largest separation of shape b from the edges of shape a, if it beats what was found so far.
static edge_choice best_edge(const finder *f, int a, int b, edge_choice so_far)
{
    const carom_tower *t = f->tower;
    const tower_shape *sa = &t->shapes[a], *sb = &t->shapes[b];
    const double *p = f->view->p;
    for (int e = 0; e < sa->count; ++e) {
        int i = tower_corner(t, sa, e), j = tower_corner(t, sa, e + 1);
        double nx, ny, min = HUGE_VAL;
        edge_normal(p, i, j, &nx, &ny);
        for (int v = 0; v < sb->count && min > so_far.separation; ++v) {
            int k = tower_corner(t, sb, v);
            min = fmin(min, nx * (p[2 * k] - p[2 * i]) + ny * (p[2 * k + 1] - p[2 * i + 1]));
        }
        if (min > so_far.separation)
            so_far = (edge_choice){ .shape = a, .edge = e, .separation = min };
    }
    return so_far;
}

static edge_choice reference_edge(const finder *f, int a, int b)
{
    edge_choice none = { .shape = -1, .edge = -1, .separation = -HUGE_VAL };
    return best_edge(f, b, a, best_edge(f, a, b, none));
}

// The edge of shape b whose normal points most against (nx, ny).
static int incident_edge(const finder *f, int b, double nx, double ny)
{
    const tower_shape *sb = &f->tower->shapes[b];
    int best = 0;
    double min = HUGE_VAL;
    for (int e = 0; e < sb->count; ++e) {
        double mx, my;
        edge_normal(f->view->p, tower_corner(f->tower, sb, e), tower_corner(f->tower, sb, e + 1),
                    &mx, &my);
        double along = nx * mx + ny * my;
        if (along < min) {
            min = along;
            best = e;
        }
    }
    return best;
}

// alpha of the foot of k on the edge i-j, for positions p + d (d may be null).
static double foot_at(const double *p, const double *d, int i, int j, int k)
{
    double ix = p[2 * i], iy = p[2 * i + 1], ex = p[2 * j] - ix, ey = p[2 * j + 1] - iy;
    double kx = p[2 * k] - ix, ky = p[2 * k + 1] - iy;
    if (d) {
        ex += d[2 * j] - d[2 * i];
        ey += d[2 * j + 1] - d[2 * i + 1];
        kx += d[2 * k] - d[2 * i];
        ky += d[2 * k + 1] - d[2 * i + 1];
    }
    return (kx * ex + ky * ey) / (ex * ex + ey * ey);
}

static tower_contact make_contact(const finder *f, int a, int e, int b, int k)
{
    const carom_tower *t = f->tower;
    const double *p = f->view->p;
    int i = tower_corner(t, &t->shapes[a], e), j = tower_corner(t, &t->shapes[a], e + 1);
    tower_contact c = { .i = i, .j = j, .k = k, .plane = -1 };
    c.edge_owner = t->shapes[a].owner;
    c.corner_owner = t->shapes[b].owner;
    c.length = edge_normal(p, i, j, &c.nx, &c.ny);
    c.gap = c.nx * (p[2 * k] - p[2 * i]) + c.ny * (p[2 * k + 1] - p[2 * i + 1]);
    c.alpha = foot_at(p, NULL, i, j, k);
    return c;
}

static void keep(tower_contacts *list, tower_contact c)
{
    list->item[list->count++] = c;
}

static void note_overlap(finder *f, double depth, int owner, int other)
{
    if (depth <= f->out->penetration)
        return;
    f->out->penetration = depth;
    f->out->first = owner < 0 ? other : owner;
    f->out->second = owner < 0 ? -1 : other;
}

// -- at rest ------------------------------------------------------------------------------------

// Faces that touch along a line: contacts at both ends of the common interval.
static void touch_interval(finder *f, edge_choice ref, int b, int incident)
{
    const carom_tower *t = f->tower;
    const tower_shape *sa = &t->shapes[ref.shape], *sb = &t->shapes[b];
    int a_first = tower_corner(t, sa, ref.edge), a_last = tower_corner(t, sa, ref.edge + 1);
    // The incident edge runs the other way: its last corner is nearest to the first of the
    // reference.
    int b_first = tower_corner(t, sb, incident + 1), b_last = tower_corner(t, sb, incident);
    tower_contact low = make_contact(f, ref.shape, ref.edge, b, b_first);
    tower_contact high = make_contact(f, ref.shape, ref.edge, b, b_last);
    double from = fmax(0, low.alpha), to = fmin(1, high.alpha);
    if (!((to - from) * low.length > f->tolerance))
        return;
    keep(&f->out->contacts,
         low.alpha >= 0 ? low : make_contact(f, b, incident, ref.shape, a_first));
    keep(&f->out->contacts,
         high.alpha <= 1 ? high : make_contact(f, b, incident, ref.shape, a_last));
}

static void touch_pair(finder *f, int a, int b)
{
    const carom_tower *t = f->tower;
    edge_choice ref = reference_edge(f, a, b);
    note_overlap(f, -ref.separation, t->shapes[a].owner, t->shapes[b].owner);
    if (ref.separation > f->tolerance)
        return;
    int other = ref.shape == a ? b : a;
    const tower_shape *sa = &t->shapes[ref.shape], *so = &t->shapes[other];
    double nx, ny, mx, my;
    edge_normal(f->view->p, tower_corner(t, sa, ref.edge), tower_corner(t, sa, ref.edge + 1), &nx,
                &ny);
    int incident = incident_edge(f, other, nx, ny);
    edge_normal(f->view->p, tower_corner(t, so, incident), tower_corner(t, so, incident + 1), &mx,
                &my);
    if (fabs(nx * my - ny * mx) <= PARALLEL) {
        touch_interval(f, ref, other, incident);
        return;
    }
    for (int v = 0; v < 2; ++v) {
        tower_contact c =
            make_contact(f, ref.shape, ref.edge, other, tower_corner(t, so, incident + v));
        double margin = f->tolerance / c.length;
        if (c.gap <= f->tolerance && c.alpha > margin && c.alpha < 1 - margin)
            keep(&f->out->contacts, c);
    }
}

// -- in motion ----------------------------------------------------------------------------------

static void consider(finder *f, int a, int e, int b, int k, bool overlap)
{
    tower_contact c = make_contact(f, a, e, b, k);
    double slack = FOOT_TOLERANCE * fmin(1, f->tower->size / c.length);
    double ahead = foot_at(f->view->p, f->view->ahead, c.i, c.j, k);
    bool on_edge = c.alpha >= -slack && c.alpha <= 1 + slack;
    if (ahead >= -slack && ahead <= 1 + slack && (on_edge || c.gap >= 0))
        keep(&f->out->contacts, c);
    if (overlap && on_edge && c.gap < 0)
        keep(&f->out->deep, c);
}

static void near_pair(finder *f, int a, int b)
{
    const carom_tower *t = f->tower;
    edge_choice ref = reference_edge(f, a, b);
    note_overlap(f, -ref.separation, t->shapes[a].owner, t->shapes[b].owner);
    if (ref.separation > f->reach)
        return;
    bool overlap = ref.separation < -TOWER_DEEP * t->size;
    int other = ref.shape == a ? b : a;
    const tower_shape *sa = &t->shapes[ref.shape], *so = &t->shapes[other];
    if (f->view->all_corners) {
        // not the least satisfied of the two edges, which would throw separated bodies apart
        for (int v = 0; v < so->count && v < 4; ++v)
            keep(&f->out->contacts,
                 make_contact(f, ref.shape, ref.edge, other, tower_corner(t, so, v)));
        return;
    }
    double nx, ny;
    edge_normal(f->view->p, tower_corner(t, sa, ref.edge), tower_corner(t, sa, ref.edge + 1), &nx,
                &ny);
    int incident = incident_edge(f, other, nx, ny);
    for (int v = 0; v < 2; ++v)
        consider(f, ref.shape, ref.edge, other, tower_corner(t, so, incident + v), overlap);
    for (int v = 0; v < 2; ++v)
        consider(f, other, incident, ref.shape, tower_corner(t, sa, ref.edge + v), overlap);
}

// Every corner near a half plane: its line never ends, so no corner is held up wrongly.
static void near_plane(finder *f, int plane, int shape)
{
    const carom_tower *t = f->tower;
    const tower_plane *h = &t->planes[plane];
    const tower_shape *s = &t->shapes[shape];
    for (int v = 0; v < s->count; ++v) {
        int k = tower_corner(t, s, v);
        double gap = h->nx * (f->view->p[2 * k] - h->x) + h->ny * (f->view->p[2 * k + 1] - h->y);
        note_overlap(f, -gap, s->owner, -1);
        if (gap > (f->resting ? f->tolerance : f->reach))
            continue;
        keep(&f->out->contacts, (tower_contact){ .i = -1,
                                                 .j = -1,
                                                 .k = k,
                                                 .edge_owner = -1,
                                                 .corner_owner = s->owner,
                                                 .plane = plane,
                                                 .nx = h->nx,
                                                 .ny = h->ny,
                                                 .gap = gap,
                                                 .length = 1 });
    }
}

// -- pairs --------------------------------------------------------------------------------------

static bool movable(const carom_tower *t, int shape)
{
    return !t->bodies[t->anchors[tower_corner(t, &t->shapes[shape], 0)].body].fixed;
}

static int by_left_end(const void *a, const void *b)
{
    const box *x = a, *y = b;
    if (x->low_x != y->low_x)
        return x->low_x < y->low_x ? -1 : 1;
    return x->shape - y->shape;
}

static void bound(const finder *f, box *boxes)
{
    const carom_tower *t = f->tower;
    for (int s = 0; s < t->shape_count; ++s) {
        box b = { HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL, s };
        for (int v = 0; v < t->shapes[s].count; ++v) {
            const double *p = f->view->p + 2 * (size_t)tower_corner(t, &t->shapes[s], v);
            b.low_x = fmin(b.low_x, p[0]);
            b.high_x = fmax(b.high_x, p[0]);
            b.low_y = fmin(b.low_y, p[1]);
            b.high_y = fmax(b.high_y, p[1]);
        }
        boxes[s] = b;
    }
}

typedef struct pair {
    int a, b;
} pair;

static int by_number(const void *x, const void *y)
{
    const pair *p = x, *q = y;
    return p->a != q->a ? p->a - q->a : p->b - q->b;
}

// Pairs whose boxes come within reach, sorted by their numbers so that the order of rows does not
// depend on where things are. Sweep from left to right; counts only when out is null.
static int sweep(const finder *f, const box *boxes, pair *out)
{
    const carom_tower *t = f->tower;
    int count = 0;
    for (int x = 0; x < t->shape_count; ++x)
        for (int y = x + 1; y < t->shape_count && boxes[y].low_x <= boxes[x].high_x + f->reach;
             ++y) {
            const box *p = &boxes[x], *q = &boxes[y];
            if (p->low_y > q->high_y + f->reach || q->low_y > p->high_y + f->reach)
                continue;
            if (!movable(t, p->shape) && !movable(t, q->shape))
                continue;
            if (out)
                out[count] = (pair){ p->shape < q->shape ? p->shape : q->shape,
                                     p->shape < q->shape ? q->shape : p->shape };
            ++count;
        }
    return count;
}

// Bodies that share a pin touch there for good: a contact would only contradict the pin by
// round-off.
static bool pinned(const carom_tower *t, int a, int b)
{
    for (int n = 0; n < t->bar_count; ++n) {
        const tower_bar *bar = &t->bars[n];
        int p = t->bodies[t->anchors[bar->a].body].shape,
            q = t->bodies[t->anchors[bar->b].body].shape;
        if (bar->length == 0 && ((p == a && q == b) || (p == b && q == a)))
            return true;
    }
    return false;
}

static void visit(finder *f, int a, int b)
{
    if (f->tower->bar_count && pinned(f->tower, a, b))
        return;

    if (f->resting)
        touch_pair(f, a, b);
    else
        near_pair(f, a, b);
}

// One of each mirrored couple is looked at; the other gets the reflected contacts.
static void visit_mirrored(finder *f, int a, int b)
{
    const tower_mirror *mirror = f->view->mirror;
    tower_found *out = f->out;
    int first = out->contacts.count, deep = out->deep.count,
        order = carom_tower_mirror_order(mirror, a, b);
    if (order < 0)
        return;
    visit(f, a, b);
    carom_tower_mirror_contacts(mirror, &out->contacts, first, order == 0);
    carom_tower_mirror_contacts(mirror, &out->deep, deep, order == 0);
}

static void visit_plane(finder *f, int plane, int shape)
{
    const tower_mirror *mirror = f->view->mirror;
    int first = f->out->contacts.count;
    int order = mirror ? carom_tower_mirror_plane_order(mirror, plane, shape) : 0;
    if (order < 0)
        return;
    near_plane(f, plane, shape);
    if (mirror)
        carom_tower_mirror_contacts(mirror, &f->out->contacts, first, order == 0);
}

static carom_status find(finder *f, carom_arena *arena, carom_error *err)
{
    const carom_tower *t = f->tower;
    box *boxes;
    pair *pairs;
    size_t corners_near_planes = 2 * (size_t)t->plane_count * (size_t)t->corner_count;
    TAKE(arena, boxes, t->shape_count, err);
    bound(f, boxes);
    qsort(boxes, (size_t)t->shape_count, sizeof *boxes, by_left_end);
    int count = sweep(f, boxes, NULL);
    TAKE(arena, pairs, count, err);
    sweep(f, boxes, pairs);
    qsort(pairs, (size_t)count, sizeof *pairs, by_number);
    *f->out = (tower_found){ .penetration = 0 };
    // 4 candidates a pair, twice that while a pair is being reflected.
    TAKE(arena, f->out->contacts.item, 8 * (size_t)count + corners_near_planes + 1, err);
    TAKE(arena, f->out->deep.item, 8 * (size_t)count + 1, err);
    for (int h = 0; h < t->plane_count; ++h)
        for (int s = 0; s < t->shape_count; ++s)
            if (movable(t, s))
                visit_plane(f, h, s);
    for (int n = 0; n < count; ++n) {
        if (f->view->mirror)
            visit_mirrored(f, pairs[n].a, pairs[n].b);
        else
            visit(f, pairs[n].a, pairs[n].b);
    }
    return CAROM_OK;
}

carom_status carom_tower_contact_touching(const tower_view *view, double tolerance,
                                          carom_arena *arena, tower_found *out, carom_error *err)
{
    finder f = { .view = view,
                 .tower = view->tower,
                 .reach = tolerance,
                 .tolerance = tolerance,
                 .resting = true,
                 .out = out };
    return find(&f, arena, err);
}

carom_status carom_tower_contact_near(const tower_view *view, carom_arena *arena, tower_found *out,
                                      carom_error *err)
{
    double fastest = 0;
    for (int a = 0; a < view->tower->anchor_count; ++a) {
        const double *d = view->ahead + 2 * (size_t)a;
        fastest = fmax(fastest, d[0] * d[0] + d[1] * d[1]);
    }
    finder f = { .view = view, .tower = view->tower, .out = out };
    f.reach = NEAR_MARGIN * view->tower->size + 4 * sqrt(fastest);
    return find(&f, arena, err);
}
