// An independent reader of tower certificates: file in, verdict out, rational arithmetic
// throughout.
//
// Shares nothing with the solver: its own reading, its own geometry, its own sums.
//
// "stable": every force pushes at a point of both bodies, along the normal of an edge of one of
// them that passes through that point and separates the two; forces and weights balance every body,
// and so do their moments. "unstable": the motion opens, or keeps, every contact: for every two
// bodies that touch along an interval, or a corner inside an edge, the relative speed along the
// normal is not negative at the ends; and the weights do positive work. `tolerance` is the gap that
// counts as touching: 0 when everything touches exactly.
#include "carom/tower.h"
#include "base/error.h"
#include <gmp.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct point {
    mpq_t x, y;
} point;

typedef struct solid {
    int corners; // 0: a half plane through corner[0] with the normal in corner[1]
    point *corner;
    bool fixed;
    mpq_t mass;
    point centre;
    mpq_t sum[3]; // forces and moment, or velocity
} solid;

typedef struct checker {
    int solids, bodies; // bodies first, then supports
    solid *solid;
    mpq_t gravity, tolerance;
    json_t *root;
    carom_tower_verdict *verdict;
    mpq_t t[8]; // scratch
} checker;

static bool reject(checker *c, const char *why, ...) __attribute__((format(printf, 2, 3)));

static bool reject(checker *c, const char *why, ...)
{
    va_list arguments;
    va_start(arguments, why);
    vsnprintf(c->verdict->reason, sizeof c->verdict->reason, why, arguments);
    va_end(arguments);
    return false;
}

// -- reading ------------------------------------------------------------------------------------

static bool read_rational(checker *c, const json_t *value, mpq_t out)
{
    const char *text = json_string_value(value);
    if (!text || mpq_set_str(out, text, 10) != 0 || mpz_sgn(mpq_denref(out)) == 0)
        return reject(c, "a number is not written as a fraction in quotes");
    mpq_canonicalize(out);
    return true;
}

static bool read_point(checker *c, const json_t *value, point *out)
{
    return json_array_size(value) == 2 ? read_rational(c, json_array_get(value, 0), out->x) &&
                                             read_rational(c, json_array_get(value, 1), out->y)
                                       : reject(c, "a point has not two coordinates");
}

static void init_point(point *p)
{
    mpq_inits(p->x, p->y, NULL);
}
static void clear_point(point *p)
{
    mpq_clears(p->x, p->y, NULL);
}

static void init_solid(solid *s)
{
    *s = (solid){ .fixed = true };
    mpq_init(s->mass);
    init_point(&s->centre);
    for (int k = 0; k < 3; ++k)
        mpq_init(s->sum[k]);
}

static bool take_corners(checker *c, solid *s, const json_t *list, int count)
{
    s->corner = malloc((size_t)count * sizeof *s->corner);
    if (!s->corner)
        return reject(c, "no memory");
    for (int v = 0; v < count; ++v)
        init_point(&s->corner[v]);
    s->corners = count;
    for (int v = 0; v < count; ++v)
        if (!read_point(c, json_array_get(list, (size_t)v), &s->corner[v]))
            return false;
    return true;
}

static bool read_solid(checker *c, const json_t *value, bool body, solid *s)
{
    const json_t *corners = json_object_get(value, "corners");
    size_t count = json_array_size(corners);
    s->fixed = !body || json_is_true(json_object_get(value, "fixed"));
    if (!body &&
        !corners) { // half plane: point and normal in corner[0] and corner[1], counted as 2
        s->corner = malloc(2 * sizeof *s->corner);
        if (!s->corner)
            return reject(c, "no memory");
        init_point(&s->corner[0]);
        init_point(&s->corner[1]);
        s->corners = 2;
        return read_point(c, json_object_get(value, "point"), &s->corner[0]) &&
               read_point(c, json_object_get(value, "normal"), &s->corner[1]);
    }
    if (count < 3 || count > 1000)
        return reject(c, "a body has %zu corners", count);
    if (!take_corners(c, s, corners, (int)count))
        return false;
    if (s->fixed)
        return true;
    return read_rational(c, json_object_get(value, "mass"), s->mass) &&
           (mpq_sgn(s->mass) > 0 || reject(c, "a mass is not positive")) &&
           read_point(c, json_object_get(value, "centre"), &s->centre);
}

static bool read_all(checker *c)
{
    const json_t *bodies = json_object_get(c->root, "bodies");
    const json_t *supports = json_object_get(c->root, "supports");
    size_t first = json_array_size(bodies), second = json_array_size(supports);
    if (first == 0 || first + second > 100000)
        return reject(c, "%zu bodies and supports", first + second);
    c->solid = malloc((first + second) * sizeof *c->solid);
    if (!c->solid)
        return reject(c, "no memory");
    for (size_t n = 0; n < first + second; ++n)
        init_solid(&c->solid[n]);
    c->solids = (int)(first + second);
    c->bodies = c->verdict->bodies = (int)first;
    for (size_t n = 0; n < first + second; ++n) {
        const json_t *value =
            n < first ? json_array_get(bodies, n) : json_array_get(supports, n - first);
        if (!read_solid(c, value, n < first, &c->solid[n]))
            return false;
    }
    return read_rational(c, json_object_get(c->root, "gravity"), c->gravity) &&
           read_rational(c, json_object_get(c->root, "tolerance"), c->tolerance) &&
           (mpq_sgn(c->tolerance) >= 0 || reject(c, "the tolerance is negative"));
}

// -- geometry -----------------------------------------------------------------------------------

// out = n . (q - p)
static void distance(checker *c, const point *n, const point *q, const point *p, mpq_t out)
{
    mpq_sub(c->t[0], q->x, p->x);
    mpq_mul(out, c->t[0], n->x);
    mpq_sub(c->t[0], q->y, p->y);
    mpq_mul(c->t[0], c->t[0], n->y);
    mpq_add(out, out, c->t[0]);
}

// Outer normal (not of unit length) of edge v of a counter-clockwise polygon.
static void outer_normal(const solid *s, int v, point *n)
{
    const point *a = &s->corner[v], *b = &s->corner[(v + 1) % s->corners];
    mpq_sub(n->x, b->y, a->y);
    mpq_sub(n->y, a->x, b->x);
}

static bool is_plane(const solid *s)
{
    return s->corners == 2;
}

// |n|^2 tolerance^2 >= d^2, that is |d| / |n| <= tolerance
static bool small(checker *c, const point *n, const mpq_t d)
{
    mpq_mul(c->t[1], n->x, n->x);
    mpq_mul(c->t[2], n->y, n->y);
    mpq_add(c->t[1], c->t[1], c->t[2]);
    mpq_mul(c->t[1], c->t[1], c->tolerance);
    mpq_mul(c->t[1], c->t[1], c->tolerance);
    mpq_mul(c->t[2], d, d);
    return mpq_cmp(c->t[2], c->t[1]) <= 0;
}

// Whether all of s lies on the side of the line through p where sign * n points, up to the
// tolerance.
static bool on_side(checker *c, const solid *s, const point *n, const point *p, int sign)
{
    mpq_t d;
    bool good = true;
    mpq_init(d);
    if (is_plane(s)) { // below its line: only its own normal, downward, will do
        mpq_mul(c->t[3], s->corner[1].x, n->y);
        mpq_mul(c->t[4], s->corner[1].y, n->x);
        mpq_mul(c->t[5], s->corner[1].x, n->x);
        mpq_mul(c->t[6], s->corner[1].y, n->y);
        mpq_add(c->t[5], c->t[5], c->t[6]);
        distance(c, n, &s->corner[0], p, d);
        good = mpq_equal(c->t[3], c->t[4]) && mpq_sgn(c->t[5]) * sign < 0 && small(c, n, d);
    }
    for (int v = 0; good && !is_plane(s) && v < s->corners; ++v) {
        distance(c, n, &s->corner[v], p, d);
        good = mpq_sgn(d) * sign >= 0 || small(c, n, d);
    }
    mpq_clear(d);
    return good;
}

// Whether p lies in s, up to the tolerance.
static bool contains(checker *c, const solid *s, const point *p)
{
    mpq_t d;
    point n;
    bool good = true;
    mpq_init(d);
    init_point(&n);
    for (int v = 0; good && v < (is_plane(s) ? 1 : s->corners); ++v) {
        if (is_plane(s)) {
            mpq_set(n.x, s->corner[1].x);
            mpq_set(n.y, s->corner[1].y);
        } else
            outer_normal(s, v, &n);
        distance(c, &n, p, &s->corner[v], d);
        good = mpq_sgn(d) <= 0 || small(c, &n, d);
    }
    mpq_clear(d);
    clear_point(&n);
    return good;
}

// Whether an edge of s through p has exactly the normal sign * n.
static bool has_edge(checker *c, const solid *s, const point *n, const point *p, int sign)
{
    mpq_t d;
    point m;
    bool found = is_plane(s);
    mpq_init(d);
    init_point(&m);
    for (int v = 0; !found && v < s->corners; ++v) {
        outer_normal(s, v, &m);
        mpq_mul(c->t[3], m.x, n->y);
        mpq_mul(c->t[4], m.y, n->x);
        mpq_mul(c->t[5], m.x, n->x);
        mpq_mul(c->t[6], m.y, n->y);
        mpq_add(c->t[5], c->t[5], c->t[6]);
        distance(c, &m, p, &s->corner[v], d);
        found = mpq_equal(c->t[3], c->t[4]) && mpq_sgn(c->t[5]) * sign > 0 && small(c, &m, d);
    }
    mpq_clear(d);
    clear_point(&m);
    return found;
}

// -- balance ------------------------------------------------------------------------------------

// Adds sign * force along n at p to what acts on a body.
static void add_force(checker *c, solid *s, const mpq_t force, const point *n, const point *p,
                      int sign)
{
    if (s->fixed)
        return;
    mpq_mul(c->t[3], force, n->x);
    mpq_mul(c->t[4], force, n->y);
    if (sign < 0) {
        mpq_neg(c->t[3], c->t[3]);
        mpq_neg(c->t[4], c->t[4]);
    }
    mpq_add(s->sum[0], s->sum[0], c->t[3]);
    mpq_add(s->sum[1], s->sum[1], c->t[4]);
    mpq_sub(c->t[5], p->x, s->centre.x);
    mpq_mul(c->t[5], c->t[5], c->t[4]);
    mpq_add(s->sum[2], s->sum[2], c->t[5]);
    mpq_sub(c->t[5], p->y, s->centre.y);
    mpq_mul(c->t[5], c->t[5], c->t[3]);
    mpq_sub(s->sum[2], s->sum[2], c->t[5]);
}

// The contact of a force is real: a support is given as -1 and found by its geometry.
static bool contact_is_real(checker *c, int a, int b, const point *p, const point *n)
{
    const solid *second = &c->solid[b];
    int from = a >= 0 ? a : c->bodies, to = a >= 0 ? a + 1 : c->solids;
    if (!on_side(c, second, n, p, 1) || !contains(c, second, p))
        return false;
    for (int s = from; s < to; ++s) {
        const solid *first = &c->solid[s];
        if (on_side(c, first, n, p, -1) && contains(c, first, p) &&
            (has_edge(c, first, n, p, 1) || has_edge(c, second, n, p, -1)))
            return true;
    }
    return false;
}

static bool read_force(checker *c, int number, const json_t *value, mpq_t force, point *p, point *n)
{
    int a = (int)json_integer_value(json_object_get(value, "a"));
    int b = (int)json_integer_value(json_object_get(value, "b"));
    if (!read_rational(c, json_object_get(value, "force"), force) ||
        !read_point(c, json_object_get(value, "point"), p) ||
        !read_point(c, json_object_get(value, "normal"), n))
        return false;
    if (b < 0) { // the other way round: a support's corner under a body's edge
        int keep = a;
        a = b;
        b = keep;
        mpq_neg(n->x, n->x);
        mpq_neg(n->y, n->y);
    }
    if (a < -1 || a >= c->bodies || b < 0 || b >= c->bodies || a == b)
        return reject(c, "force %d names no two bodies", number);
    if (mpq_sgn(force) < 0)
        return reject(c, "force %d pulls", number);
    if (!contact_is_real(c, a, b, p, n))
        return reject(c, "force %d is not at a contact of bodies %d and %d", number, a, b);
    if (a >= 0)
        add_force(c, &c->solid[a], force, n, p, -1);
    add_force(c, &c->solid[b], force, n, p, 1);
    return true;
}

static bool check_balance(checker *c)
{
    const json_t *forces = json_object_get(c->root, "forces");
    mpq_t force;
    point p, n;
    bool good = true;
    mpq_init(force);
    init_point(&p);
    init_point(&n);
    c->verdict->forces = (int)json_array_size(forces);
    for (int k = 0; good && k < c->verdict->forces; ++k)
        good = read_force(c, k, json_array_get(forces, (size_t)k), force, &p, &n);
    for (int b = 0; good && b < c->bodies; ++b) {
        solid *s = &c->solid[b];
        mpq_mul(c->t[3], s->mass, c->gravity);
        if (!s->fixed &&
            !(mpq_sgn(s->sum[0]) == 0 && mpq_equal(s->sum[1], c->t[3]) && mpq_sgn(s->sum[2]) == 0))
            good = reject(c, "body %d is not balanced", b);
    }
    mpq_clear(force);
    clear_point(&p);
    clear_point(&n);
    return good;
}

// -- motion -------------------------------------------------------------------------------------

// out = n . velocity of the body at p
static void speed(checker *c, const solid *s, const point *n, const point *p, mpq_t out)
{
    mpq_set_ui(out, 0, 1);
    if (s->fixed)
        return;
    mpq_sub(c->t[3], p->y, s->centre.y);
    mpq_mul(c->t[3], c->t[3], s->sum[2]);
    mpq_sub(c->t[3], s->sum[0], c->t[3]);
    mpq_mul(out, c->t[3], n->x);
    mpq_sub(c->t[3], p->x, s->centre.x);
    mpq_mul(c->t[3], c->t[3], s->sum[2]);
    mpq_add(c->t[3], s->sum[1], c->t[3]);
    mpq_mul(c->t[3], c->t[3], n->y);
    mpq_add(out, out, c->t[3]);
}

// b must not approach a along n at p.
static bool does_not_close(checker *c, const solid *a, const solid *b, const point *n,
                           const point *p)
{
    ++c->verdict->contacts;
    speed(c, a, n, p, c->t[6]);
    speed(c, b, n, p, c->t[7]);
    return mpq_cmp(c->t[7], c->t[6]) >= 0;
}

// Corners of b on the line of edge v of a (or on a half plane), cut to the edge: the contact
// interval. Checked at its ends; a single corner must be strictly inside.
typedef struct interval {
    mpq_t low, high; // along the edge, in units of its squared length
    int count;
} interval;

static bool check_edge(checker *c, const solid *a, const solid *b, int v)
{
    point n, along, at;
    interval i = { .count = 0 };
    mpq_t d, length;
    bool good = true, plane = is_plane(a);
    init_point(&n);
    init_point(&along);
    init_point(&at);
    mpq_inits(d, length, i.low, i.high, NULL);
    if (plane) {
        mpq_set(n.x, a->corner[1].x);
        mpq_set(n.y, a->corner[1].y);
    } else
        outer_normal(a, v, &n);
    mpq_neg(along.x, n.y);
    mpq_set(along.y, n.x);
    mpq_mul(length, n.x, n.x);
    mpq_mul(d, n.y, n.y);
    mpq_add(length, length, d);
    for (int k = 0; k < b->corners; ++k) {
        distance(c, &n, &b->corner[k], &a->corner[v], d);
        if (!small(c, &n, d)) {
            if (mpq_sgn(d) < 0) {
                i.count = 0; // b reaches behind this edge: it is not the one they touch at
                break;
            }
            continue;
        }
        distance(c, &along, &b->corner[k], &a->corner[v], d);
        if (i.count == 0 || mpq_cmp(d, i.low) < 0)
            mpq_set(i.low, d);
        if (i.count == 0 || mpq_cmp(d, i.high) > 0)
            mpq_set(i.high, d);
        ++i.count;
    }
    if (i.count && !plane) { // cut to 0 .. length
        if (mpq_sgn(i.low) < 0)
            mpq_set_ui(i.low, 0, 1);
        if (mpq_cmp(i.high, length) > 0)
            mpq_set(i.high, length);
        int order = mpq_cmp(i.low, i.high);
        bool inside = mpq_sgn(i.low) > 0 && mpq_cmp(i.high, length) < 0;
        if (order > 0 || (order == 0 && !(i.count == 1 && inside)))
            i.count = 0;
    }
    for (int end = 0; good && i.count && end < 2; ++end) {
        mpq_div(d, end ? i.high : i.low, length);
        mpq_mul(at.x, along.x, d);
        mpq_add(at.x, at.x, a->corner[v].x);
        mpq_mul(at.y, along.y, d);
        mpq_add(at.y, at.y, a->corner[v].y);
        good = does_not_close(c, a, b, &n, &at);
    }
    mpq_clears(d, length, i.low, i.high, NULL);
    clear_point(&n);
    clear_point(&along);
    clear_point(&at);
    return good;
}

static bool check_pair(checker *c, int a, int b)
{
    const solid *first = &c->solid[a], *second = &c->solid[b];
    if ((first->fixed && second->fixed) || is_plane(second))
        return true;
    for (int v = 0; v < (is_plane(first) ? 1 : first->corners); ++v)
        if (!check_edge(c, first, second, v))
            return reject(c, "the motion closes a contact of bodies %d and %d", a, b);
    return true;
}

static bool check_motion(checker *c)
{
    const json_t *motion = json_object_get(c->root, "motion");
    mpq_t work;
    bool good = true;
    if (json_array_size(motion) != (size_t)c->bodies)
        return reject(c, "the motion is not given for every body");
    mpq_init(work);
    for (int b = 0; good && b < c->bodies; ++b) {
        const json_t *line = json_array_get(motion, (size_t)b);
        solid *s = &c->solid[b];
        for (int k = 0; good && k < 3; ++k)
            good = read_rational(c, json_array_get(line, (size_t)k), s->sum[k]);
        if (!good || s->fixed)
            continue;
        mpq_mul(c->t[3], s->mass, c->gravity);
        mpq_mul(c->t[3], c->t[3], s->sum[1]);
        mpq_sub(work, work, c->t[3]);
    }
    if (good && mpq_sgn(work) <= 0)
        good = reject(c, "the motion does not lower the energy");
    for (int a = 0; good && a < c->solids; ++a)
        for (int b = 0; good && b < c->solids; ++b)
            good = a == b || check_pair(c, a, b);
    mpq_clear(work);
    return good;
}

// -- verdict ------------------------------------------------------------------------------------

static bool check(checker *c)
{
    const char *kind = json_string_value(json_object_get(c->root, "kind"));
    const char *claim = json_string_value(json_object_get(c->root, "claim"));
    if (!kind || json_integer_value(json_object_get(c->root, "carom")) != 1)
        return reject(c, "this is no certificate");
    if (strcmp(kind, "tower-certificate") != 0)
        return reject(c, "the kind is \"%.40s\", not \"tower-certificate\"", kind);
    if (!claim || (strcmp(claim, "stable") != 0 && strcmp(claim, "unstable") != 0))
        return reject(c, "the claim is neither \"stable\" nor \"unstable\"");
    c->verdict->stable = strcmp(claim, "stable") == 0;
    if (!read_all(c))
        return false;
    c->verdict->tolerance = mpq_get_d(c->tolerance);
    return c->verdict->stable ? check_balance(c) : check_motion(c);
}

static void release(checker *c)
{
    for (int n = 0; n < c->solids; ++n) {
        solid *s = &c->solid[n];
        for (int v = 0; v < s->corners; ++v)
            clear_point(&s->corner[v]);
        free(s->corner);
        mpq_clear(s->mass);
        clear_point(&s->centre);
        for (int k = 0; k < 3; ++k)
            mpq_clear(s->sum[k]);
    }
    free(c->solid);
    mpq_clears(c->gravity, c->tolerance, NULL);
    for (int k = 0; k < 8; ++k)
        mpq_clear(c->t[k]);
    json_decref(c->root);
}

carom_status carom_tower_checker_check(const char *path, carom_tower_verdict *out, carom_error *err)
{
    json_error_t problem;
    checker c = { .verdict = out };
    *out = (carom_tower_verdict){ .valid = false };
    c.root = json_load_file(path, JSON_REJECT_DUPLICATES, &problem);
    if (!c.root) {
        carom_error_set(err, problem.line < 0 ? CAROM_IO_FAILED : CAROM_BAD_INPUT, "%s",
                        problem.text);
        if (problem.line >= 0)
            carom_error_where(err, "%s:%d:%d", path, problem.line, problem.column);
        else
            carom_error_where(err, "%s", path);
        carom_error_fix(err, "give a certificate written by `carom tower --prove --certificate`");
        return err ? err->status : CAROM_BAD_INPUT;
    }
    mpq_inits(c.gravity, c.tolerance, NULL);
    for (int k = 0; k < 8; ++k)
        mpq_init(c.t[k]);
    out->valid = check(&c);
    release(&c);
    return CAROM_OK;
}
