// The axis of a pair with a cylinder in it, to the last digits.
//
// Support points find the distance to second order only: a normal off by 1e-5 makes an error of
// 1e-10 in the gap, and where bodies nearly touch nothing smaller is seen. Once the features are
// known the normal follows from them: it is across both, whatever the gap, zero and overlap
// included. For two curves with tangents T1, T2, at x1 and x2,
//     x1 + g n - x2 = 0,   n = T1 x T2 / |T1 x T2|                                          (1)
// are three equations for the places along the curves and the gap g, solved by Newton's method. A
// curve is a line (an edge, the core of a capsule, the axis of a barrel: its radius only changes g)
// or a circle (a rim), c + r R with the unit radius R and the tangent T = axis x R; a step along it
// by the angle s takes R to R + s T, made a unit again: dT = -s R, no angles are needed.
//
// Every feature near the normal that was found is tried. The gap along any direction is a bound
// from below for the distance (the greatest of them is it), so that the largest wins, and a
// wrong guess does no harm.
#include "collide/axis_refine.h"

// Features are looked for within so much of the normal found (as a cosine or sine): it is off by
// 1e-3 at worst.
#define NEAR 0.02
enum { NEWTON = 12, CURVES = 12, NORMALS = 12 };

typedef struct curve {
    bool circle;
    vec3 point;     // on the line; centre of the circle
    vec3 direction; // unit: of the line; axis of the circle
    vec3 radius;    // unit, of the present place on the circle
    double size;    // half length of the line or radius of the circle
    double along;   // present place on the line, from the point
} curve;

typedef struct features {
    curve curves[CURVES];
    int curve_count;
    vec3 normals[NORMALS]; // directions that need no search, outward
    int normal_count;
    vec3 corner; // the farthest point
} features;

static void add_curve(features *f, curve one)
{
    if (f->curve_count < CURVES)
        f->curves[f->curve_count++] = one;
}

static void add_normal(features *f, vec3 n)
{
    if (f->normal_count < NORMALS)
        f->normals[f->normal_count++] = n;
}

static void of_cylinder(const carom_core *core, vec3 n, features *f)
{
    vec3 z = carom_pose_column(&core->pose, 2);
    double along = vec3_dot(z, n), sign = along < 0 ? -1 : 1;
    vec3 out = vec3_unit(vec3_axpy(n, -along, z));
    if (sign * along > 1 - NEAR)
        add_normal(f, vec3_scale(sign, z));
    if (vec3_dot(out, out) == 0)
        return;
    vec3 centre = vec3_axpy(core->pose.position, sign * core->shape->half_length, z);
    add_curve(f, (curve){ true, centre, z, out, core->shape->radius, 0 });
    if (sign * along < NEAR)
        add_curve(f, (curve){ false, core->pose.position, z, out, core->shape->half_length, 0 });
    f->corner = vec3_axpy(centre, core->shape->radius, out);
}

static void of_polytope(const carom_core *core, vec3 n, features *f)
{
    const carom_polytope *p = core->shape->polytope;
    vec3 local = mat3_tmul(core->pose.rotation, n);
    int corner = carom_polytope_support(p, local);
    f->corner = carom_pose_out(&core->pose, p->vertex[corner]);
    for (int e = 0; e < p->edge_count; ++e) {
        vec3 from = p->vertex[p->edge[e].vertex[0]], to = p->vertex[p->edge[e].vertex[1]];
        vec3 d = vec3_scale(0.5, vec3_sub(to, from));
        double half = vec3_length(d);
        // it need not end at the farthest corner, which is uncertain itself
        if (fabs(vec3_dot(d, local)) > NEAR * half ||
            vec3_dot(local, vec3_sub(p->vertex[corner], from)) > 2 * NEAR * half)
            continue;
        add_curve(f, (curve){ .point = carom_pose_out(&core->pose, vec3_add(from, d)),
                              .direction = mat3_mul(core->pose.rotation, vec3_scale(1 / half, d)),
                              .size = half });
    }
    for (int k = 0; k < p->face_count; ++k)
        if (vec3_dot(p->normal[k], local) > 1 - NEAR)
            add_normal(f, mat3_mul(core->pose.rotation, p->normal[k]));
}

static void of_capsule(const carom_core *core, vec3 n, features *f)
{
    vec3 z = carom_pose_column(&core->pose, 2);
    add_curve(
        f,
        (curve){ .point = core->pose.position, .direction = z, .size = core->shape->half_length });
    f->corner = carom_convex_support(core, n);
}

static features features_of(const carom_core *core, vec3 n)
{
    features f = { .curve_count = 0 };
    f.corner = carom_convex_support(core, n);
    if (core->shape->kind == CAROM_SHAPE_CYLINDER)
        of_cylinder(core, n, &f);
    else if (core->shape->polytope)
        of_polytope(core, n, &f);
    else
        of_capsule(core, n, &f);
    return f;
}

static vec3 place(const curve *c)
{
    return c->circle ? vec3_axpy(c->point, c->size, c->radius)
                     : vec3_axpy(c->point, c->along, c->direction);
}

static vec3 tangent(const curve *c)
{
    return c->circle ? vec3_cross(c->direction, c->radius) : c->direction;
}

// Moves along the curve: by an angle, or by a length.
static void advance(curve *c, double step)
{
    if (c->circle)
        c->radius = vec3_unit(vec3_axpy(c->radius, step, tangent(c)));
    else
        c->along += step;
}

static double triple(vec3 a, vec3 b, vec3 c)
{
    return vec3_dot(a, vec3_cross(b, c));
}

// Solves (1) from where the curves stand. False where they run the same way or the search leaves
// them; `n` is the start and the result.
static bool meet(curve *a, curve *b, vec3 *n)
{
    double size = a->size + b->size, step = HUGE_VAL;
    vec3 start = *n;
    for (int i = 0; i < NEWTON && step > 1e-15; ++i) {
        vec3 ta = tangent(a), tb = tangent(b), w = vec3_cross(ta, tb);
        double length = vec3_length(w);
        if (length < 1e-3)
            return false;
        vec3 unit = vec3_scale((vec3_dot(w, start) < 0 ? -1 : 1) / length, w);
        double sign = vec3_dot(w, start) < 0 ? -1 : 1;
        vec3 apart = vec3_sub(place(b), place(a));
        double gap = vec3_dot(unit, apart);
        // how the normal turns with a step along either
        vec3 wa = a->circle ? vec3_neg(vec3_cross(a->radius, tb)) : vec3_make(0, 0, 0);
        vec3 wb = b->circle ? vec3_neg(vec3_cross(ta, b->radius)) : vec3_make(0, 0, 0);
        vec3 na = vec3_scale(sign / length, vec3_axpy(wa, -vec3_dot(unit, wa), unit));
        vec3 nb = vec3_scale(sign / length, vec3_axpy(wb, -vec3_dot(unit, wb), unit));
        vec3 ca = vec3_axpy(vec3_scale(a->circle ? a->size : 1, ta), gap, na);
        vec3 cb = vec3_axpy(vec3_scale(b->circle ? -b->size : -1, tb), gap, nb);
        vec3 left = vec3_axpy(apart, -gap, unit); // ca sa + cb sb + n sg = left
        double det = triple(ca, cb, unit);
        if (fabs(det) < 1e-12 * size * size)
            return false;
        double sa = triple(left, cb, unit) / det, sb = triple(ca, left, unit) / det;
        advance(a, sa);
        advance(b, sb);
        step = fmax(fabs(sa) / (a->circle ? 1 : size), fabs(sb) / (b->circle ? 1 : size));
        if (!(step < 1))
            return false;
        *n = unit;
    }
    return step < 1e-9 && (a->circle || fabs(a->along) <= a->size) &&
           (b->circle || fabs(b->along) <= b->size);
}

typedef struct search {
    const carom_core *a, *b;
    vec3 from; // the normal found before
    carom_axis best;
    bool any;
} search;

static void offer(search *s, carom_axis one)
{
    if (!(vec3_dot(one.normal, s->from) > 1 - NEAR))
        return;
    one.gap = vec3_dot(one.normal, vec3_sub(carom_convex_support(s->b, vec3_neg(one.normal)),
                                            carom_convex_support(s->a, one.normal)));
    if (s->any && !(one.gap > s->best.gap))
        return;
    s->best = one;
    s->any = true;
}

// A rim point where a contact has no face: see face.c for the same limits.
static bool rim_alone(const curve *c, vec3 n)
{
    double along = fabs(vec3_dot(c->direction, n));
    return c->circle && along >= 0.14 && along <= 0.99;
}

// On a barrel the point is a radius away from the line that stands for it.
static vec3 surface(const carom_core *core, const curve *c, vec3 n)
{
    bool barrel = core->shape->kind == CAROM_SHAPE_CYLINDER && !c->circle;
    return barrel ? vec3_axpy(place(c), core->shape->radius, n) : place(c);
}

static void try_curves(search *s, const features *fa, const features *fb)
{
    for (int i = 0; i < fa->curve_count; ++i)
        for (int j = 0; j < fb->curve_count; ++j) {
            curve a = fa->curves[i], b = fb->curves[j];
            carom_axis one = { .normal = s->from, .exact = true, .witness = true };
            if (!meet(&a, &b, &one.normal))
                continue;
            one.on_a = surface(s->a, &a, one.normal);
            one.on_b = surface(s->b, &b, vec3_neg(one.normal));
            one.single = rim_alone(&a, one.normal) || rim_alone(&b, one.normal);
            offer(s, one);
        }
}

// A corner (the end of a capsule) against a rim or a barrel: the nearest point of it.
static void try_corner(search *s, vec3 corner, const features *other, bool corner_on_a)
{
    const carom_core *core = corner_on_a ? s->b : s->a;
    double size = s->a->shape->bounding_radius + s->b->shape->bounding_radius;
    for (int i = 0; i < other->curve_count && core->shape->kind == CAROM_SHAPE_CYLINDER; ++i) {
        curve c = other->curves[i];
        vec3 d = vec3_sub(corner, c.point);
        double along = vec3_dot(d, c.direction);
        vec3 across = vec3_axpy(d, -along, c.direction);
        c.radius = vec3_unit(across);
        vec3 near = c.circle ? place(&c)
                             : vec3_axpy(vec3_axpy(c.point, along, c.direction),
                                         core->shape->radius, c.radius);
        vec3 apart = c.circle ? vec3_sub(near, corner) : vec3_neg(across);
        if (!(vec3_length(apart) > 1e-6 * size) || (!c.circle && fabs(along) > c.size))
            continue;
        vec3 n = vec3_unit(apart);
        if (vec3_dot(n, s->from) < 0)
            n = vec3_neg(n);
        offer(s, (carom_axis){ .normal = n,
                               .on_a = corner_on_a ? corner : near,
                               .on_b = corner_on_a ? near : corner,
                               .exact = true,
                               .witness = true });
    }
}

void carom_axis_refine(const carom_core *a, const carom_core *b, carom_axis *axis)
{
    double size = a->shape->bounding_radius + b->shape->bounding_radius;
    features fa = features_of(a, axis->normal), fb = features_of(b, vec3_neg(axis->normal));
    search s = { .a = a, .b = b, .from = axis->normal };
    try_curves(&s, &fa, &fb);
    try_corner(&s, fa.corner, &fb, true);
    try_corner(&s, fb.corner, &fa, false);
    carom_axis flat = *axis;
    for (int i = 0; i < fa.normal_count; ++i) {
        flat.normal = fa.normals[i];
        offer(&s, flat);
    }
    for (int i = 0; i < fb.normal_count; ++i) {
        flat.normal = vec3_neg(fb.normals[i]);
        offer(&s, flat);
    }
    vec3 n = axis->normal;
    double known =
        vec3_dot(n, vec3_sub(carom_convex_support(b, vec3_neg(n)), carom_convex_support(a, n)));
    if (s.any && s.best.gap >= known - 1e-14 * size)
        *axis = s.best;
}
