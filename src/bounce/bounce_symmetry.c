// Symmetry of a mesh, found by moving its vertices and measuring how far they miss the surface.
//
// Candidates are the 48 signed permutations of three axes (those of the mesh first: the principal
// axes of cubes and rods are not unique) and revolution about each of them. The operations that map
// the surface to itself form a group, so every point has one representative: the image that is
// largest, coordinate by coordinate.
#include "bounce/bounce_symmetry.h"

#include <math.h>
#include <string.h>
#include "math/trig.h"

enum { PROBED = 400, SWEEPS = 60 };

// Eigenvectors of a symmetric tensor as rows, by Jacobi's rotations; ends when nothing is left to
// rotate.
static mat3 principal_axes(sym3 t)
{
    double a[3][3] = { { t.xx, t.xy, t.xz }, { t.xy, t.yy, t.yz }, { t.xz, t.yz, t.zz } };
    mat3 v = { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
    double scale = fabs(t.xx) + fabs(t.yy) + fabs(t.zz);
    for (int n = 0; n < SWEEPS; ++n) {
        int p = 0, q = 1;
        for (int i = 0; i < 3; ++i)
            for (int j = i + 1; j < 3; ++j)
                if (fabs(a[i][j]) > fabs(a[p][q])) {
                    p = i;
                    q = j;
                }
        if (fabs(a[p][q]) <= 1e-15 * scale)
            break;
        double theta = 0.5 * (a[q][q] - a[p][p]) / a[p][q];
        double s = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
        double c = 1 / sqrt(s * s + 1);
        s *= c;
        for (int k = 0; k < 3; ++k) {
            double x = a[k][p], y = a[k][q];
            a[k][p] = c * x - s * y;
            a[k][q] = s * x + c * y;
        }
        for (int k = 0; k < 3; ++k) {
            double x = a[p][k], y = a[q][k], vx = v.m[p][k], vy = v.m[q][k];
            a[p][k] = c * x - s * y;
            a[q][k] = s * x + c * y;
            v.m[p][k] = c * vx - s * vy;
            v.m[q][k] = s * vx + c * vy;
        }
    }
    return v;
}

typedef struct probe {
    const carom_mesh *mesh;
    mat3 frame;
    double blur;
} probe;

static vec3 apply(const signed char *axis, const signed char *sign, vec3 p)
{
    const double in[3] = { p.x, p.y, p.z };
    return vec3_make(sign[0] * in[axis[0]], sign[1] * in[axis[1]], sign[2] * in[axis[2]]);
}

static bool on_surface(const probe *t, vec3 in_frame, double allowed)
{
    carom_nearest near = carom_mesh_nearest(t->mesh, mat3_tmul(t->frame, in_frame), allowed);
    return fabs(near.distance) <= allowed;
}

static bool maps_to_itself(const probe *t, const signed char *axis, const signed char *sign)
{
    int stride = t->mesh->vertex_count / PROBED + 1;
    for (int i = 0; i < t->mesh->vertex_count; i += stride)
        if (!on_surface(t, apply(axis, sign, mat3_mul(t->frame, t->mesh->vertex[i])), t->blur))
            return false;
    return true;
}

// Round up to the facets: a polygon of 20 sides strays from its circle by 1.2 %.
static bool is_round(const probe *t, int axis)
{
    int stride = t->mesh->vertex_count / PROBED + 1, u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int k = 0; k < 3; ++k) {
        double c = carom_trig_cos(0.37 + 0.9 * k), s = carom_trig_sin(0.37 + 0.9 * k);
        for (int i = 0; i < t->mesh->vertex_count; i += stride) {
            double p[3];
            vec3_store(mat3_mul(t->frame, t->mesh->vertex[i]), p);
            double radius = sqrt(p[u] * p[u] + p[v] * p[v]), x = p[u], y = p[v];
            p[u] = c * x - s * y;
            p[v] = s * x + c * y;
            if (!on_surface(t, vec3_from(p), t->blur + 0.012 * radius))
                return false;
        }
    }
    return true;
}

static void keep(carom_bounce_symmetry *s, const signed char *axis, const signed char *sign)
{
    memcpy(s->axis[s->count], axis, 3);
    memcpy(s->sign[s->count], sign, 3);
    ++s->count;
}

static const signed char orders[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
                                          { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };

static void find_operations(const probe *t, carom_bounce_symmetry *s)
{
    s->count = 0;
    for (int k = 0; k < CAROM_BOUNCE_OPERATIONS; ++k) {
        signed char sign[3] = { k & 1 ? -1 : 1, k & 2 ? -1 : 1, k & 4 ? -1 : 1 };
        if (k == 0 || maps_to_itself(t, orders[k / 8], sign))
            keep(s, orders[k / 8], sign);
    }
}

static bool halves_alike(const probe *t, int axis)
{
    signed char sign[3] = { 1, 1, 1 };
    sign[axis] = -1;
    return maps_to_itself(t, orders[0], sign);
}

static carom_bounce_symmetry found_in(const probe *t)
{
    carom_bounce_symmetry s = { .frame = t->frame, .turning = -1, .blur = t->blur };
    int round = 0;
    for (int axis = 0; axis < 3; ++axis)
        if (is_round(t, axis)) {
            s.turning = axis;
            ++round;
        }
    if (round == 1) // a ball is round about all three: revolution about the last would waste it
        s.count = halves_alike(t, s.turning) ? 2 : 1;
    else if (round == 0)
        find_operations(t, &s);
    else
        s.count = 2;
    return s;
}

carom_bounce_symmetry carom_bounce_symmetry_find(const carom_shape *shape,
                                                 carom_bounce_symmetry_choice choice)
{
    mat3 plain = { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
    probe t = { shape->mesh, plain, 1e-6 * shape->bounding_radius };
    carom_bounce_symmetry s = { .frame = plain, .turning = -1, .blur = t.blur };
    keep(&s, orders[0], (const signed char[3]){ 1, 1, 1 });
    if (choice == CAROM_BOUNCE_SYMMETRY_BOX)
        for (int k = 1; k < 8; ++k)
            keep(&s, orders[0],
                 (const signed char[3]){ k & 1 ? -1 : 1, k & 2 ? -1 : 1, k & 4 ? -1 : 1 });
    if (choice >= CAROM_BOUNCE_SYMMETRY_TURN_X)
        s.turning = (int)(choice - CAROM_BOUNCE_SYMMETRY_TURN_X);
    if (choice != CAROM_BOUNCE_SYMMETRY_FIND)
        return s;
    s = found_in(&t);
    if (s.turning >= 0 || s.count >= 4)
        return s;
    const double *i = shape->mass.inertia;
    t.frame = principal_axes((sym3){ i[0], i[1], i[2], i[3], i[4], i[5] });
    carom_bounce_symmetry other = found_in(&t);
    return other.turning >= 0 || other.count > s.count ? other : s;
}

// -- folding --------------------------------------------------------------------------------------

static void fold_round(const carom_bounce_symmetry *s, double p[3], double n[3])
{
    int k = s->turning, u = (k + 1) % 3, v = (k + 2) % 3;
    double radius = sqrt(p[u] * p[u] + p[v] * p[v]), c, d;
    if (radius > s->blur) {
        c = p[u] / radius;
        d = p[v] / radius;
    } else { // on the axis only the normal tells the side
        double side = sqrt(n[u] * n[u] + n[v] * n[v]);
        c = side > 0 ? n[u] / side : 1;
        d = side > 0 ? n[v] / side : 0;
    }
    double outward = c * n[u] + d * n[v], around = c * n[v] - d * n[u];
    p[u] = radius;
    p[v] = 0;
    n[u] = outward;
    n[v] = fabs(around);
    if (s->count == 2 && (p[k] < -s->blur || (p[k] <= s->blur && n[k] < 0))) {
        p[k] = -p[k];
        n[k] = -n[k];
    }
}

// Is (p, n) after (q, m) in the order of the alphabet, positions first?
static bool larger(vec3 p, vec3 n, vec3 q, vec3 m, double blur)
{
    const double d[6] = { p.x - q.x, p.y - q.y, p.z - q.z, n.x - m.x, n.y - m.y, n.z - m.z };
    for (int k = 0; k < 6; ++k) {
        double allowed = k < 3 ? blur : 1e-9;
        if (d[k] > allowed)
            return true;
        if (d[k] < -allowed)
            return false;
    }
    return false;
}

void carom_bounce_symmetry_fold(const carom_bounce_symmetry *s, vec3 *point, vec3 *normal)
{
    if (s->turning < 0 && s->count <= 1)
        return;
    vec3 p = mat3_mul(s->frame, *point), n = mat3_mul(s->frame, *normal);
    if (s->turning >= 0) {
        double a[3], b[3];
        vec3_store(p, a);
        vec3_store(n, b);
        fold_round(s, a, b);
        p = vec3_from(a);
        n = vec3_from(b);
    } else {
        vec3 best = p, best_n = n;
        for (int k = 1; k < s->count; ++k) {
            vec3 q = apply(s->axis[k], s->sign[k], p), m = apply(s->axis[k], s->sign[k], n);
            if (larger(q, m, best, best_n, s->blur)) {
                best = q;
                best_n = m;
            }
        }
        p = best;
        n = best_n;
    }
    *point = mat3_tmul(s->frame, p);
    *normal = mat3_tmul(s->frame, n);
}
