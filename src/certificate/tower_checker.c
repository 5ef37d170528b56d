// An independent reader of tower certificates: file in, verdict out, rational arithmetic
// throughout.
//
// Shares nothing with the solver: its own reading, its own geometry, its own sums.
//
// Every body is a convex polygon with its centre of mass where its corners put it. "stable": every
// force pushes at a point of both bodies, along the normal of an edge of one of them that passes
// through that point and separates the two; forces and weights balance every body, and so do their
// moments. "unstable": the motion opens, or keeps, every contact: for every two bodies that touch
// along an interval, or a corner inside an edge, the relative speed along the normal is not
// negative at the ends; and the weights do positive work. Where forces are given as well, they and
// the weights have to accelerate every body exactly as the motion says, and to act only where it
// keeps the contact: these are the optimality conditions of Gauss's principle, so the motion is the
// acceleration. `tolerance` is the gap that counts as touching: 0 when everything touches exactly.
//
// It proves what is in the file. Whether that is a certain scene: tower_scene.c.
#include "certificate/tower_certificate.h"

#include <errno.h>
#include <string.h>
#include "base/error.h"
#include "certificate/tower_space_checker.h"
#include "parse/parse.h"
#include "rational/rational.h"

// -- geometry -----------------------------------------------------------------------------------

// out = n . (q - p)
static void distance(tower_certificate *c, const tower_point *n, const tower_point *q,
                     const tower_point *p, mpq_t out)
{
    mpq_sub(c->t[0], q->x, p->x);
    mpq_mul(out, c->t[0], n->x);
    mpq_sub(c->t[0], q->y, p->y);
    mpq_mul(c->t[0], c->t[0], n->y);
    mpq_add(out, out, c->t[0]);
}

// Outer normal (not of unit length) of edge v of a counter-clockwise polygon.
static void outer_normal(const tower_solid *s, int v, tower_point *n)
{
    const tower_point *a = &s->corners[v], *b = &s->corners[(v + 1) % s->corner_count];
    mpq_sub(n->x, b->y, a->y);
    mpq_sub(n->y, a->x, b->x);
}

static bool is_plane(const tower_solid *s)
{
    return s->corner_count == 2;
}

// |n|^2 tolerance^2 >= d^2, that is |d| / |n| <= tolerance
static bool small(tower_certificate *c, const tower_point *n, const mpq_t d)
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
static bool on_side(tower_certificate *c, const tower_solid *s, const tower_point *n,
                    const tower_point *p, int sign)
{
    mpq_t d;
    bool good = true;
    mpq_init(d);
    if (is_plane(s)) { // below its line: only its own normal, downward, will do
        mpq_mul(c->t[3], s->corners[1].x, n->y);
        mpq_mul(c->t[4], s->corners[1].y, n->x);
        mpq_mul(c->t[5], s->corners[1].x, n->x);
        mpq_mul(c->t[6], s->corners[1].y, n->y);
        mpq_add(c->t[5], c->t[5], c->t[6]);
        distance(c, n, &s->corners[0], p, d);
        good = mpq_equal(c->t[3], c->t[4]) && mpq_sgn(c->t[5]) * sign < 0 && small(c, n, d);
    }
    for (int v = 0; good && !is_plane(s) && v < s->corner_count; ++v) {
        distance(c, n, &s->corners[v], p, d);
        good = mpq_sgn(d) * sign >= 0 || small(c, n, d);
    }
    mpq_clear(d);
    return good;
}

// Whether p lies in s, up to the tolerance.
static bool contains(tower_certificate *c, const tower_solid *s, const tower_point *p)
{
    mpq_t d;
    tower_point n;
    bool good = true;
    mpq_init(d);
    carom_tower_certificate_init_point(&n);
    for (int v = 0; good && v < (is_plane(s) ? 1 : s->corner_count); ++v) {
        if (is_plane(s)) {
            mpq_set(n.x, s->corners[1].x);
            mpq_set(n.y, s->corners[1].y);
        } else
            outer_normal(s, v, &n);
        distance(c, &n, p, &s->corners[v], d);
        good = mpq_sgn(d) <= 0 || small(c, &n, d);
    }
    mpq_clear(d);
    carom_tower_certificate_clear_point(&n);
    return good;
}

// Whether an edge of s through p has exactly the normal sign * n.
static bool has_edge(tower_certificate *c, const tower_solid *s, const tower_point *n,
                     const tower_point *p, int sign)
{
    mpq_t d;
    tower_point m;
    bool found = is_plane(s);
    mpq_init(d);
    carom_tower_certificate_init_point(&m);
    for (int v = 0; !found && v < s->corner_count; ++v) {
        outer_normal(s, v, &m);
        mpq_mul(c->t[3], m.x, n->y);
        mpq_mul(c->t[4], m.y, n->x);
        mpq_mul(c->t[5], m.x, n->x);
        mpq_mul(c->t[6], m.y, n->y);
        mpq_add(c->t[5], c->t[5], c->t[6]);
        distance(c, &m, p, &s->corners[v], d);
        found = mpq_equal(c->t[3], c->t[4]) && mpq_sgn(c->t[5]) * sign > 0 && small(c, &m, d);
    }
    mpq_clear(d);
    carom_tower_certificate_clear_point(&m);
    return found;
}

// -- balance ------------------------------------------------------------------------------------

// Adds sign * force along n at p to what acts on a body.
static void add_force(tower_certificate *c, tower_solid *s, const mpq_t force, const tower_point *n,
                      const tower_point *p, int sign)
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
static bool contact_is_real(tower_certificate *c, int a, int b, const tower_point *p,
                            const tower_point *n)
{
    const tower_solid *second = &c->solids[b];
    int from = a >= 0 ? a : c->body_count, to = a >= 0 ? a + 1 : c->solid_count;
    if (!on_side(c, second, n, p, 1) || !contains(c, second, p))
        return false;
    for (int s = from; s < to; ++s) {
        const tower_solid *first = &c->solids[s];
        if (on_side(c, first, n, p, -1) && contains(c, first, p) &&
            (has_edge(c, first, n, p, 1) || has_edge(c, second, n, p, -1)))
            return true;
    }
    return false;
}

// out = n . velocity of the body at p
static void speed(tower_certificate *c, const tower_solid *s, const tower_point *n,
                  const tower_point *p, mpq_t out)
{
    mpq_set_ui(out, 0, 1);
    if (s->fixed)
        return;
    mpq_sub(c->t[3], p->y, s->centre.y);
    mpq_mul(c->t[3], c->t[3], s->motion[2]);
    mpq_sub(c->t[3], s->motion[0], c->t[3]);
    mpq_mul(out, c->t[3], n->x);
    mpq_sub(c->t[3], p->x, s->centre.x);
    mpq_mul(c->t[3], c->t[3], s->motion[2]);
    mpq_add(c->t[3], s->motion[1], c->t[3]);
    mpq_mul(c->t[3], c->t[3], n->y);
    mpq_add(out, out, c->t[3]);
}

// The body that a member names; -1 is a support, -2 nothing.
static int read_body(const tower_certificate *c, const json_t *value)
{
    json_int_t n = json_integer_value(value);
    return json_is_integer(value) && n >= -1 && n < c->body_count ? (int)n : -2;
}

static bool read_force(tower_certificate *c, const json_t *value, mpq_t force, tower_point *p,
                       tower_point *n)
{
    static const char *const names[] = { "a", "b", "point", "normal", "force", NULL };
    if (!carom_tower_certificate_members(c, value, names))
        return false;
    int a = read_body(c, json_object_get(value, "a")),
        b = read_body(c, json_object_get(value, "b"));
    if (!carom_tower_certificate_rational(c, json_object_get(value, "force"), force) ||
        !carom_tower_certificate_point(c, json_object_get(value, "point"), p) ||
        !carom_tower_certificate_point(c, json_object_get(value, "normal"), n))
        return false;
    if (b < 0) { // the other way round: a support's corner under a body's edge
        int keep = a;
        a = b;
        b = keep;
        mpq_neg(n->x, n->x);
        mpq_neg(n->y, n->y);
    }
    if (a < -1 || b < 0 || a == b)
        return carom_tower_certificate_reject(c, "the force names no two bodies");
    if (mpq_sgn(force) < 0)
        return carom_tower_certificate_reject(c, "the force pulls");
    if (mpq_sgn(n->x) == 0 && mpq_sgn(n->y) == 0)
        return carom_tower_certificate_reject(c, "the normal is 0");
    if (!contact_is_real(c, a, b, p, n))
        return carom_tower_certificate_reject(
            c, "the force is not at a contact of bodies %d and %d", a, b);
    if (a >= 0)
        add_force(c, &c->solids[a], force, n, p, -1);
    add_force(c, &c->solids[b], force, n, p, 1);
    if (c->verdict->stable || mpq_sgn(force) == 0)
        return true;
    // A force acts only where the motion keeps the contact.
    mpq_set_ui(c->t[6], 0, 1);
    if (a >= 0)
        speed(c, &c->solids[a], n, p, c->t[6]);
    speed(c, &c->solids[b], n, p, c->t[7]);
    return mpq_equal(c->t[6], c->t[7]) ||
           carom_tower_certificate_reject(
               c, "a force acts where the motion opens the contact of bodies %d and %d", a, b);
}

// t[3] = moment of inertia about the centre of mass.
static void inertia_of(tower_certificate *c, const tower_solid *s)
{
    tower_point a, b;
    carom_tower_certificate_init_point(&a);
    carom_tower_certificate_init_point(&b);
    mpq_set_ui(c->t[3], 0, 1);
    mpq_set_ui(c->t[4], 0, 1);
    for (int v = 0; v < s->corner_count; ++v) {
        const tower_point *first = &s->corners[v], *second = &s->corners[(v + 1) % s->corner_count];
        mpq_sub(a.x, first->x, s->centre.x);
        mpq_sub(a.y, first->y, s->centre.y);
        mpq_sub(b.x, second->x, s->centre.x);
        mpq_sub(b.y, second->y, s->centre.y);
        mpq_mul(c->t[0], a.x, a.x);
        mpq_mul(c->t[1], a.y, a.y);
        mpq_add(c->t[0], c->t[0], c->t[1]);
        if (s->corner_masses) {
            mpq_add(c->t[3], c->t[3], c->t[0]);
            continue;
        }
        mpq_mul(c->t[1], a.x, b.x);
        mpq_add(c->t[0], c->t[0], c->t[1]);
        mpq_mul(c->t[1], a.y, b.y);
        mpq_add(c->t[0], c->t[0], c->t[1]);
        mpq_mul(c->t[1], b.x, b.x);
        mpq_add(c->t[0], c->t[0], c->t[1]);
        mpq_mul(c->t[1], b.y, b.y);
        mpq_add(c->t[0], c->t[0], c->t[1]);
        mpq_mul(c->t[1], a.x, b.y);
        mpq_mul(c->t[2], a.y, b.x);
        mpq_sub(c->t[1], c->t[1], c->t[2]);
        mpq_add(c->t[4], c->t[4], c->t[1]); // twice the area
        mpq_mul(c->t[0], c->t[0], c->t[1]);
        mpq_add(c->t[3], c->t[3], c->t[0]);
    }
    mpq_set_si(c->t[1], s->corner_masses ? s->corner_count : 6, 1);
    if (!s->corner_masses)
        mpq_mul(c->t[1], c->t[1], c->t[4]);
    mpq_div(c->t[3], c->t[3], c->t[1]);
    mpq_mul(c->t[3], c->t[3], s->mass);
    carom_tower_certificate_clear_point(&a);
    carom_tower_certificate_clear_point(&b);
}

// Forces and weight accelerate the body as the motion says (stable: not at all).
static bool check_body(tower_certificate *c, int b)
{
    tower_solid *s = &c->solids[b];
    mpq_add(c->t[3], s->motion[1], c->gravity);
    mpq_mul(c->t[3], c->t[3], s->mass);
    mpq_mul(c->t[4], s->motion[0], s->mass);
    bool good = mpq_equal(s->sum[0], c->t[4]) && mpq_equal(s->sum[1], c->t[3]);
    inertia_of(c, s);
    mpq_mul(c->t[3], c->t[3], s->motion[2]);
    good = good && mpq_equal(s->sum[2], c->t[3]);
    carom_tower_certificate_look_at(c, "bodies[%d]", b);
    return good || carom_tower_certificate_reject(
                       c,
                       c->verdict->stable ? "body %d is not balanced"
                                          : "forces and weight do not accelerate body %d as "
                                            "the motion says",
                       b);
}

static bool check_balance(tower_certificate *c)
{
    const json_t *forces = json_object_get(c->root, "forces");
    mpq_t force;
    tower_point p, n;
    bool good = true;
    carom_tower_certificate_look_at(c, "forces");
    if (!json_is_array(forces))
        return carom_tower_certificate_reject(c, "there is no list of forces");
    mpq_init(force);
    carom_tower_certificate_init_point(&p);
    carom_tower_certificate_init_point(&n);
    c->verdict->forces = (int)json_array_size(forces);
    for (int k = 0; good && k < c->verdict->forces; ++k) {
        carom_tower_certificate_look_at(c, "forces[%d]", k);
        good = read_force(c, json_array_get(forces, (size_t)k), force, &p, &n);
    }
    for (int b = 0; good && b < c->body_count; ++b)
        good = c->solids[b].fixed || check_body(c, b);
    mpq_clear(force);
    carom_tower_certificate_clear_point(&p);
    carom_tower_certificate_clear_point(&n);
    return good;
}

// -- motion -------------------------------------------------------------------------------------

// b must not approach a along n at p.
static bool does_not_close(tower_certificate *c, const tower_solid *a, const tower_solid *b,
                           const tower_point *n, const tower_point *p)
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

static bool check_edge(tower_certificate *c, const tower_solid *a, const tower_solid *b, int v)
{
    tower_point n, along, at;
    interval i = { .count = 0 };
    mpq_t d, length;
    bool good = true, plane = is_plane(a);
    carom_tower_certificate_init_point(&n);
    carom_tower_certificate_init_point(&along);
    carom_tower_certificate_init_point(&at);
    mpq_inits(d, length, i.low, i.high, NULL);
    if (plane) {
        mpq_set(n.x, a->corners[1].x);
        mpq_set(n.y, a->corners[1].y);
    } else
        outer_normal(a, v, &n);
    mpq_neg(along.x, n.y);
    mpq_set(along.y, n.x);
    mpq_mul(length, n.x, n.x);
    mpq_mul(d, n.y, n.y);
    mpq_add(length, length, d);
    for (int k = 0; k < b->corner_count; ++k) {
        distance(c, &n, &b->corners[k], &a->corners[v], d);
        if (!small(c, &n, d)) {
            if (mpq_sgn(d) < 0) {
                i.count = 0; // b reaches behind this edge: it is not the one they touch at
                break;
            }
            continue;
        }
        distance(c, &along, &b->corners[k], &a->corners[v], d);
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
        mpq_add(at.x, at.x, a->corners[v].x);
        mpq_mul(at.y, along.y, d);
        mpq_add(at.y, at.y, a->corners[v].y);
        good = does_not_close(c, a, b, &n, &at);
    }
    mpq_clears(d, length, i.low, i.high, NULL);
    carom_tower_certificate_clear_point(&n);
    carom_tower_certificate_clear_point(&along);
    carom_tower_certificate_clear_point(&at);
    return good;
}

static bool check_pair(tower_certificate *c, int a, int b)
{
    const tower_solid *first = &c->solids[a], *second = &c->solids[b];
    if ((first->fixed && second->fixed) || is_plane(second))
        return true;
    for (int v = 0; v < (is_plane(first) ? 1 : first->corner_count); ++v)
        if (!check_edge(c, first, second, v))
            return carom_tower_certificate_reject(
                c, "the motion closes a contact of bodies %d and %d", a, b);
    return true;
}

static bool check_motion(tower_certificate *c)
{
    const json_t *motion = json_object_get(c->root, "motion");
    mpq_t work;
    bool good = true;
    carom_tower_certificate_look_at(c, "motion");
    if (json_array_size(motion) != (size_t)c->body_count)
        return carom_tower_certificate_reject(c, "the motion is not given for every body");
    mpq_init(work);
    for (int b = 0; good && b < c->body_count; ++b) {
        const json_t *line = json_array_get(motion, (size_t)b);
        tower_solid *s = &c->solids[b];
        carom_tower_certificate_look_at(c, "motion[%d]", b);
        if (json_array_size(line) != 3)
            good = carom_tower_certificate_reject(c, "a motion has not three numbers");
        for (int k = 0; good && k < 3; ++k)
            good =
                carom_tower_certificate_rational(c, json_array_get(line, (size_t)k), s->motion[k]);
        for (int k = 0; good && s->fixed && k < 3; ++k)
            good = mpq_sgn(s->motion[k]) == 0 ||
                   carom_tower_certificate_reject(c, "a fixed body moves");
        if (!good || s->fixed)
            continue;
        mpq_mul(c->t[3], s->mass, c->gravity);
        mpq_mul(c->t[3], c->t[3], s->motion[1]);
        mpq_sub(work, work, c->t[3]);
    }
    carom_tower_certificate_look_at(c, "motion");
    if (good && mpq_sgn(work) <= 0)
        good = carom_tower_certificate_reject(c, "the motion does not lower the energy");
    for (int a = 0; good && a < c->solid_count; ++a)
        for (int b = 0; good && b < c->solid_count; ++b)
            good = a == b || check_pair(c, a, b);
    mpq_clear(work);
    return good;
}

// -- verdict ------------------------------------------------------------------------------------

static bool check(tower_certificate *c)
{
    static const char *const names[] = { "carom",  "kind",     "claim",  "gravity", "tolerance",
                                         "bodies", "supports", "forces", "motion",  NULL };
    carom_tower_certificate_look_at(c, "the file");
    const char *kind = json_string_value(json_object_get(c->root, "kind"));
    const char *claim = json_string_value(json_object_get(c->root, "claim"));
    if (!kind || json_integer_value(json_object_get(c->root, "carom")) != 1)
        return carom_tower_certificate_reject(c, "this is no certificate");
    if (strcmp(kind, "tower-certificate") != 0)
        return carom_tower_certificate_reject(c, "the kind is \"%.40s\", not \"tower-certificate\"",
                                              kind);
    if (json_object_get(c->root, "dimension"))
        return json_integer_value(json_object_get(c->root, "dimension")) == 3
                   ? carom_tower_space_checker_check(c)
                   : carom_tower_certificate_reject(c, "the dimension is not 3; that of the plane "
                                                       "is left out");
    if (!claim || (strcmp(claim, "stable") != 0 && strcmp(claim, "unstable") != 0))
        return carom_tower_certificate_reject(c,
                                              "the claim is neither \"stable\" nor \"unstable\"");
    if (!carom_tower_certificate_members(c, c->root, names))
        return false;
    c->verdict->stable = strcmp(claim, "stable") == 0;
    if (c->verdict->stable && json_object_get(c->root, "motion"))
        return carom_tower_certificate_reject(c, "a stable tower has no motion");
    if (!carom_tower_certificate_read(c))
        return false;
    c->verdict->tolerance = mpq_get_d(c->tolerance);
    if (c->verdict->stable)
        return check_balance(c);
    // Certificates of version 0.1 have the motion only: they prove that the tower falls, not how.
    if (!check_motion(c) || (json_object_get(c->root, "forces") && !check_balance(c)))
        return false;
    c->verdict->accelerations = json_object_get(c->root, "forces") != NULL;
    return true;
}

typedef struct task {
    const char *path;
    carom_tower_verdict *out;
} task;

static carom_status check_guarded(void *with, carom_error *err)
{
    const char *path = ((task *)with)->path;
    carom_tower_verdict *out = ((task *)with)->out;
    json_error_t problem;
    tower_certificate c = { .verdict = out };
    *out = (carom_tower_verdict){ .valid = false };
    errno = 0;
    c.root = carom_parse_file(path, JSON_REJECT_DUPLICATES, &problem);
    if (!c.root && errno == ENOMEM)
        return carom_error_no_memory(err, "the certificate");
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
    carom_rational_hold(c.root, carom_tower_certificate_end_json);
    mpq_inits(c.gravity, c.tolerance, NULL);
    for (int k = 0; k < 8; ++k)
        mpq_init(c.t[k]);
    out->valid = check(&c);
    carom_tower_certificate_release(&c);
    return CAROM_OK;
}

carom_status carom_tower_checker_check(const char *path, carom_tower_verdict *out, carom_error *err)
{
    NEED(err, path, out);
    return carom_rational_guard(check_guarded, &(task){ path, out }, err);
}
