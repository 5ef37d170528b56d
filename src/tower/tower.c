// Building a tower: bodies, supports, pins and bars, with everything that cannot be used refused
// here.
#include "tower/tower_internal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "math/trig.h"
#include "tower/tower_initial.h"

// How far a table without edge reaches, in units of length: farther than any tower, and a power of
// two so that edges stay exact.
static const double FAR_AWAY = 4096;
// Largest and smallest coordinate, length, mass: beyond these, squares and contact tolerances lose
// their meaning. A length that vanishes when it is halved or squared has no area to divide by.
static const double LARGEST = 1e6;
static const double SMALLEST = 1e-6;        // length of a side, a bar, a table
static const double LIGHTEST = 1e-9;        // mass
static const double WEAKEST = 1e-9;         // gravity, if any
static const double SMALLEST_CORNER = 1e-9; // sine of the angle a polygon turns by at a corner

carom_tower *carom_tower_create(double gravity)
{
    carom_tower *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->gravity = gravity;
    t->world = -1;
    return t;
}

void carom_tower_destroy(carom_tower *t)
{
    if (!t)
        return;
    free(t->bodies);
    free(t->anchors);
    free(t->shapes);
    free(t->corners);
    free(t->planes);
    free(t->bars);
    free(t);
}

// Makes room for `more` items behind `count`; capacity doubles, so that adding stays linear.
static carom_status grow(void **items, int count, int more, size_t size, carom_error *err)
{
    int need = count + more, capacity = 16;
    while (capacity < count)
        capacity *= 2;
    if (*items && need <= capacity)
        return CAROM_OK;
    while (capacity < need)
        capacity *= 2;
    void *wider = realloc(*items, (size_t)capacity * size);
    if (!wider)
        return carom_error_no_memory(err, "%d parts of a tower", need);
    *items = wider;
    return CAROM_OK;
}

static carom_status refuse(carom_error *err, const char *what, double value, const char *fix)
{
    carom_error_set(err, CAROM_BAD_INPUT, "%s is %g", what, value);
    return carom_error_fix(err, "%s", fix);
}

static carom_status check_place(double x, double y, carom_error *err)
{
    if (!(fabs(x) <= LARGEST && fabs(y) <= LARGEST))
        return refuse(err, "a coordinate", fabs(x) <= LARGEST ? y : x,
                      "use coordinates within 1e6");
    return CAROM_OK;
}

static double distance(const double *a, const double *b)
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]));
}

carom_status carom_tower_check_gravity(const carom_tower *t, carom_error *err)
{
    if (t->gravity == 0 || (t->gravity >= WEAKEST && t->gravity <= LARGEST))
        return CAROM_OK;
    return refuse(err, "gravity", t->gravity, "use 0, or a number from 1e-9 to 1e6");
}

// -- polygons -----------------------------------------------------------------------------------

typedef struct outline {
    int count;
    double corner[2 * CAROM_TOWER_CORNERS_MAX];
    double area, x, y, inertia; // centre of mass, inertia about it for unit density
} outline;

static double cross(const double *a, const double *b, const double *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// Area, centre and second moment by triangles from corner 0.
static void measure_outline(outline *o)
{
    const double *p = o->corner;
    double area = 0, mx = 0, my = 0;
    for (int v = 1; v + 1 < o->count; ++v) {
        double twice = cross(p, p + 2 * v, p + 2 * v + 2);
        area += twice / 2;
        mx += twice / 6 * (p[0] + p[2 * v] + p[2 * v + 2]);
        my += twice / 6 * (p[1] + p[2 * v + 1] + p[2 * v + 3]);
    }
    o->area = area;
    o->x = mx / area;
    o->y = my / area;
    o->inertia = 0;
    for (int v = 0; v < o->count; ++v) {
        int w = (v + 1) % o->count;
        double ax = p[2 * v] - o->x, ay = p[2 * v + 1] - o->y;
        double bx = p[2 * w] - o->x, by = p[2 * w + 1] - o->y;
        o->inertia +=
            (ax * by - ay * bx) / 12 * (ax * ax + ax * bx + bx * bx + ay * ay + ay * by + by * by);
    }
}

static carom_status check_outline(const outline *o, carom_error *err)
{
    const double *p = o->corner;
    for (int v = 0; v < o->count; ++v) {
        const double *a = p + 2 * v, *b = p + 2 * ((v + 1) % o->count),
                     *c = p + 2 * ((v + 2) % o->count);
        double bend = cross(a, b, c);
        TRY(check_place(a[0], a[1], err));
        if (!(distance(a, b) >= SMALLEST))
            return refuse(err, "the length of an edge", distance(a, b),
                          "use edges of at least 1e-6, or another unit of length");
        if (!(bend > SMALLEST_CORNER * distance(a, b) * distance(b, c))) {
            double whole = 0;
            for (int w = 1; w + 1 < o->count; ++w)
                whole += cross(p, p + 2 * w, p + 2 * w + 2);
            if (whole < 0)
                return refuse(err, "the signed area of the polygon", whole / 2,
                              "list the corners counter-clockwise");
            carom_error_set(err, CAROM_BAD_INPUT, "the polygon is not strictly convex at corner %d",
                            (v + 1) % o->count);
            return carom_error_fix(err,
                                   "leave out corners on straight edges; split non-convex bodies");
        }
    }
    // All bends left but more than one turn around: a star. Its corners leave some edge's left
    // side.
    for (int v = 0; v < o->count; ++v)
        for (int w = 0; w < o->count; ++w)
            if (cross(p + 2 * v, p + 2 * ((v + 1) % o->count), p + 2 * w) < 0) {
                carom_error_set(err, CAROM_BAD_INPUT,
                                "the polygon crosses itself: corner %d is outside edge %d", w, v);
                return carom_error_fix(err, "list the corners once around, counter-clockwise");
            }
    return CAROM_OK;
}

static carom_status make_outline(const carom_tower_body *body, outline *o, carom_error *err)
{
    if (body->corner_count) {
        if (body->corner_count < 3 || body->corner_count > CAROM_TOWER_CORNERS_MAX)
            return refuse(err, "the number of corners", body->corner_count, "use 3 to 64 corners");
        o->count = body->corner_count;
        memcpy(o->corner, body->corners, 2 * (size_t)o->count * sizeof *o->corner);
        TRY(check_outline(o, err));
        measure_outline(o);
        return CAROM_OK;
    }
    double w = body->width, h = body->height;
    if (!(w >= SMALLEST && h >= SMALLEST && w <= LARGEST && h <= LARGEST))
        return refuse(err, "the size of a brick", w >= SMALLEST && w <= LARGEST ? h : w,
                      "use a width and a height from 1e-6 to 1e6, or another unit of length");
    const double corner[8] = { -w / 2, -h / 2, w / 2, -h / 2, w / 2, h / 2, -w / 2, h / 2 };
    o->count = 4;
    memcpy(o->corner, corner, sizeof corner);
    o->area = w * h;
    o->x = o->y = 0;
    o->inertia = w * h * (w * w + h * h) / 12;
    return CAROM_OK;
}

// -- bodies -------------------------------------------------------------------------------------

static carom_status add_anchor(carom_tower *t, int body, double rx, double ry, int *index,
                               carom_error *err)
{
    TRY(grow((void **)&t->anchors, t->anchor_count, 1, sizeof *t->anchors, err));
    t->anchors[t->anchor_count] = (tower_anchor){ .body = body, .rx = rx, .ry = ry };
    *index = t->anchor_count++;
    return CAROM_OK;
}

static carom_status push_body(carom_tower *t, tower_body body, int *index, carom_error *err)
{
    if (t->body_count >= CAROM_TOWER_BODIES_MAX) {
        carom_error_set(err, CAROM_UNSUPPORTED, "a tower may have at most %d bodies",
                        CAROM_TOWER_BODIES_MAX);
        return carom_error_fix(err, "split the scene, or use fewer bricks");
    }
    TRY(grow((void **)&t->bodies, t->body_count, 1, sizeof *t->bodies, err));
    body.block = body.fixed ? -1 : t->block_count++;
    t->bodies[t->body_count] = body;
    *index = t->body_count++;
    return CAROM_OK;
}

carom_status carom_tower_add_shape(carom_tower *t, const int *anchors, int count, int owner,
                                   carom_error *err)
{
    TRY(grow((void **)&t->shapes, t->shape_count, 1, sizeof *t->shapes, err));
    TRY(grow((void **)&t->corners, t->corner_count, count, sizeof *t->corners, err));
    t->shapes[t->shape_count++] =
        (tower_shape){ .first = t->corner_count, .count = count, .owner = owner };
    memcpy(t->corners + t->corner_count, anchors, (size_t)count * sizeof *anchors);
    t->corner_count += count;
    return CAROM_OK;
}

static carom_status check_mass(double mass, carom_error *err)
{
    if (!(mass >= LIGHTEST && mass <= LARGEST))
        return refuse(err, "the mass of a body", mass,
                      "use a mass from 1e-9 to 1e6, or fix the body");
    return CAROM_OK;
}

// Corner masses have their centre at the mean of the corners, which is that of the area only for
// triangles and where opposite corners mirror each other.
static void centre_corners(outline *o)
{
    o->x = o->y = 0;
    for (int v = 0; v < o->count; ++v) {
        o->x += o->corner[2 * v] / o->count;
        o->y += o->corner[2 * v + 1] / o->count;
    }
}

static double inertia_of(const outline *o, carom_tower_mass spread, double mass)
{
    double sum = 0;
    if (spread == CAROM_TOWER_HOMOGENEOUS)
        return mass * o->inertia / o->area;
    for (int v = 0; v < o->count; ++v) {
        double x = o->corner[2 * v] - o->x, y = o->corner[2 * v + 1] - o->y;
        sum += x * x + y * y;
    }
    return mass * sum / o->count;
}

static carom_status add_outline(carom_tower *t, const outline *o, tower_body body, int owner_sign,
                                int *index, carom_error *err)
{
    int anchors[CAROM_TOWER_CORNERS_MAX], number = -1;
    body.shape = t->shape_count;
    TRY(push_body(t, body, &number, err));
    for (int v = 0; v < o->count; ++v)
        TRY(add_anchor(t, number, o->corner[2 * v] - o->x, o->corner[2 * v + 1] - o->y, &anchors[v],
                       err));
    TRY(carom_tower_add_shape(t, anchors, o->count, owner_sign < 0 ? -1 : number, err));
    if (index)
        *index = number;
    return CAROM_OK;
}

static void note_size(carom_tower *t, const outline *o)
{
    for (int v = 0; v < o->count; ++v) {
        const double *a = o->corner + 2 * v, *b = o->corner + 2 * ((v + 1) % o->count);
        t->size = fmax(t->size, distance(a, b));
    }
}

// A body of the caller after a table or the world would break the numbering.
static carom_status check_order(const carom_tower *t, carom_error *err)
{
    if (t->body_count != t->public_body_count) {
        carom_error_set(err, CAROM_BAD_INPUT, "a body is added after tables or ties to the world");
        return carom_error_fix(err, "add all bodies first, then tables, pins and bars");
    }
    return CAROM_OK;
}

carom_status carom_tower_add_body(carom_tower *t, const carom_tower_body *body, int *index,
                                  carom_error *err)
{
    NEED(err, t, body);
    outline o;
    TRY(check_order(t, err));
    TRY(make_outline(body, &o, err));
    if (body->spread == CAROM_TOWER_CORNERS && body->corner_count)
        centre_corners(&o);
    TRY(check_place(body->x, body->y, err));
    if (!(fabs(body->angle) <= 1e3))
        return refuse(err, "the angle of a body", body->angle, "use radians within 1000");
    double mass = body->mass == 0 ? 4 * o.area : body->mass;
    TRY(check_mass(mass, err));
    tower_body made = { .mass = mass, .fixed = body->fixed, .angle = body->angle };
    made.spread = body->spread;
    made.inertia = inertia_of(&o, body->spread, mass);
    made.ux = carom_trig_cos(body->angle);
    made.uy = carom_trig_sin(body->angle);
    made.x = body->x + made.ux * o.x - made.uy * o.y;
    made.y = body->y + made.uy * o.x + made.ux * o.y;
    TRY(add_outline(t, &o, made, 1, index, err));
    t->public_body_count = t->body_count;
    if (!body->fixed)
        note_size(t, &o);
    return CAROM_OK;
}

carom_status carom_tower_add_point(carom_tower *t, double x, double y, double mass, int *index,
                                   carom_error *err)
{
    NEED(err, t);
    int number = -1, anchor;
    TRY(check_order(t, err));
    TRY(check_place(x, y, err));
    TRY(check_mass(mass, err));
    // The turn of a point means nothing; a unit inertia keeps its block positive.
    tower_body made = {
        .mass = mass, .inertia = 1, .x = x, .y = y, .ux = 1, .point = true, .shape = -1
    };
    TRY(push_body(t, made, &number, err));
    TRY(add_anchor(t, number, 0, 0, &anchor, err));
    t->public_body_count = t->body_count;
    t->size = fmax(t->size, DBL_MIN);
    if (index)
        *index = number;
    return CAROM_OK;
}

// -- supports -----------------------------------------------------------------------------------

carom_status carom_tower_add_ground(carom_tower *t, const double point[2], const double normal[2],
                                    carom_error *err)
{
    NEED(err, point, normal);
    double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1]);
    TRY(check_place(point[0], point[1], err));
    if (!(length >= SMALLEST && length <= LARGEST))
        return refuse(err, "the length of a ground normal", length,
                      "give a direction that is not zero");
    TRY(grow((void **)&t->planes, t->plane_count, 1, sizeof *t->planes, err));
    t->planes[t->plane_count++] =
        (tower_plane){ point[0], point[1], normal[0] / length, normal[1] / length };
    return CAROM_OK;
}

carom_status carom_tower_add_table(carom_tower *t, double left, double right, double top,
                                   carom_error *err)
{
    if (isinf(left) && isinf(right) && left < 0 && right > 0)
        return carom_tower_add_ground(t, (double[]){ 0, top }, (double[]){ 0, 1 }, err);
    if (!(right - left >= SMALLEST))
        return refuse(err, "right - left of a table", right - left,
                      "put the left end left of the right one, by 1e-6 or more");
    TRY(check_place(0, top, err));
    if (isinf(left) && left < 0)
        left = right - FAR_AWAY;
    if (isinf(right) && right > 0)
        right = left + FAR_AWAY;
    TRY(check_place(left, right, err));
    outline o = {
        .count = 4, .corner = { left, top - FAR_AWAY, right, top - FAR_AWAY, right, top, left, top }
    };
    tower_body made = { .mass = 1, .inertia = 1, .ux = 1, .fixed = true };
    return add_outline(t, &o, made, -1, NULL, err);
}

// -- ties ---------------------------------------------------------------------------------------

static carom_status world_body(carom_tower *t, int *index, carom_error *err)
{
    if (t->world < 0) {
        tower_body made = {
            .mass = 1, .inertia = 1, .ux = 1, .fixed = true, .point = true, .shape = -1
        };
        TRY(push_body(t, made, &t->world, err));
    }
    *index = t->world;
    return CAROM_OK;
}

// An anchor of the body at a world point; body -1 is the world.
static carom_status tie_anchor(carom_tower *t, int body, double x, double y, int *anchor,
                               carom_error *err)
{
    if (body < -1 || body >= t->public_body_count)
        return refuse(err, "the body of a tie", body,
                      "use -1 for the world or the number of a body");
    TRY(check_place(x, y, err));
    if (body < 0)
        TRY(world_body(t, &body, err));
    const tower_body *b = &t->bodies[body];
    double dx = x - b->x, dy = y - b->y;
    if (b->point && !b->fixed && (fabs(dx) > 1e-9 || fabs(dy) > 1e-9))
        return refuse(err, "the distance of a tie from its point mass", sqrt(dx * dx + dy * dy),
                      "tie a point mass where it is");
    if (b->point && !b->fixed)
        dx = dy = 0;
    return add_anchor(t, body, b->ux * dx + b->uy * dy, b->ux * dy - b->uy * dx, anchor, err);
}

static carom_status push_bar(carom_tower *t, int a, int b, double length, carom_error *err)
{
    TRY(grow((void **)&t->bars, t->bar_count, 1, sizeof *t->bars, err));
    t->bars[t->bar_count++] = (tower_bar){ .a = a, .b = b, .length = length };
    return CAROM_OK;
}

carom_status carom_tower_add_pin(carom_tower *t, int a, int b, double x, double y, carom_error *err)
{
    int first, second;
    if (a == b)
        return refuse(err, "a pin between a body and itself, number", a,
                      "pin two different bodies");
    TRY(tie_anchor(t, a, x, y, &first, err));
    TRY(tie_anchor(t, b, x, y, &second, err));
    return push_bar(t, first, second, 0, err);
}

carom_status carom_tower_add_bar(carom_tower *t, int a, const double a_point[2], int b,
                                 const double b_point[2], carom_error *err)
{
    NEED(err, a_point, b_point);
    int first, second;
    double dx = a_point[0] - b_point[0], dy = a_point[1] - b_point[1],
           length = sqrt(dx * dx + dy * dy);
    if (!(length >= SMALLEST))
        return refuse(err, "the length of a bar", length,
                      "use a length of at least 1e-6, or a pin to tie coincident points");
    TRY(tie_anchor(t, a, a_point[0], a_point[1], &first, err));
    TRY(tie_anchor(t, b, b_point[0], b_point[1], &second, err));
    t->size = fmax(t->size, length);
    return push_bar(t, first, second, length, err);
}

carom_status carom_tower_set_friction(carom_tower *t, double friction, carom_error *err)
{
    NEED(err, t);
    if (!(friction >= 0 && friction <= 10))
        return refuse(err, "the friction coefficient", friction, "use a number from 0 to 10");
    t->friction = friction;
    return CAROM_OK;
}

static void *copy_items(const void *items, int count, size_t size)
{
    // One more than needed: an empty list must not look like a failure.
    void *copy = malloc((size_t)(count + 1) * size);
    if (copy && count)
        memcpy(copy, items, (size_t)count * size);
    return copy;
}

carom_tower *carom_tower_copy(const carom_tower *t, double axis)
{
    carom_tower *copy = malloc(sizeof *copy);
    if (!copy)
        return NULL;
    *copy = *t;
    copy->bodies = copy_items(t->bodies, t->body_count, sizeof *t->bodies);
    copy->anchors = copy_items(t->anchors, t->anchor_count, sizeof *t->anchors);
    copy->shapes = copy_items(t->shapes, t->shape_count, sizeof *t->shapes);
    copy->corners = copy_items(t->corners, t->corner_count, sizeof *t->corners);
    copy->planes = copy_items(t->planes, t->plane_count, sizeof *t->planes);
    copy->bars = copy_items(t->bars, t->bar_count, sizeof *t->bars);
    if (!copy->bodies || !copy->anchors || !copy->shapes || !copy->corners || !copy->planes ||
        !copy->bars) {
        carom_tower_destroy(copy);
        return NULL;
    }
    for (int b = 0; b < copy->body_count; ++b)
        copy->bodies[b].x -= axis;
    for (int p = 0; p < copy->plane_count; ++p)
        copy->planes[p].x -= axis;
    return copy;
}

carom_status carom_tower_check_overlap(const carom_tower *t, double tolerance, carom_error *err)
{
    NEED(err, t);
    carom_arena *arena = carom_arena_create(0);
    double *p = arena ? carom_arena_take(arena, 2 * (size_t)t->anchor_count + 1, sizeof *p) : NULL;
    tower_view view = { .tower = t, .p = p };
    tower_found found = { .penetration = 0 };
    carom_status status = CAROM_OK;
    if (!p)
        status = carom_error_no_memory(err, "%d anchors", t->anchor_count);
    else {
        carom_tower_contact_places(t, p);
        status = carom_tower_contact_touching(&view, TOWER_TOUCHING * t->size, arena, &found, err);
    }
    if (status == CAROM_OK && found.penetration > tolerance) {
        char other[32] = "a support";
        if (found.second >= 0)
            snprintf(other, sizeof other, "body %d", found.second);
        carom_error_set(err, CAROM_BAD_INPUT, "body %d and %s overlap by %.3g", found.first, other,
                        found.penetration);
        status =
            carom_error_fix(err, "move them apart; overlaps up to %.3g are let pass", tolerance);
    }
    carom_arena_destroy(arena);
    return status;
}

// -- answers ------------------------------------------------------------------------------------

static bool is_body(const carom_tower *t, int body)
{
    return t && body >= 0 && body < t->public_body_count;
}

int carom_tower_bodies(const carom_tower *t)
{
    return t ? t->public_body_count : 0;
}
double carom_tower_gravity(const carom_tower *t)
{
    if (!t)
        return 0;
    return t->gravity;
}
double carom_tower_friction(const carom_tower *t)
{
    if (!t)
        return 0;
    return t->friction;
}
double carom_tower_body_mass(const carom_tower *t, int body)
{
    return is_body(t, body) ? t->bodies[body].mass : 0;
}
double carom_tower_body_inertia(const carom_tower *t, int body)
{
    return is_body(t, body) ? t->bodies[body].inertia : 0;
}
bool carom_tower_body_fixed(const carom_tower *t, int body)
{
    return is_body(t, body) && t->bodies[body].fixed;
}

void carom_tower_body_place(const carom_tower *t, int body, double place[3])
{
    if (!is_body(t, body) || !place)
        return;
    place[0] = t->bodies[body].x;
    place[1] = t->bodies[body].y;
    place[2] = t->bodies[body].angle;
}
