// Vectors of three, quaternions and symmetric 3x3 matrices, by value.
#ifndef CAROM_MATH_VEC_H
#define CAROM_MATH_VEC_H

#include <math.h>
#include <stdbool.h>

typedef struct vec3 {
    double x, y, z;
} vec3;

// xx yy zz xy xz yz, the order of problem files.
typedef struct sym3 {
    double xx, yy, zz, xy, xz, yz;
} sym3;

// Column-free 3x3: row r is (m[r][0], m[r][1], m[r][2]).
typedef struct mat3 {
    double m[3][3];
} mat3;

// Unit quaternion w + xi + yj + zk, body to world.
typedef struct quat {
    double w, x, y, z;
} quat;

static inline vec3 vec3_make(double x, double y, double z)
{
    return (vec3){ x, y, z };
}
static inline vec3 vec3_from(const double a[3])
{
    return (vec3){ a[0], a[1], a[2] };
}
static inline void vec3_store(vec3 v, double a[3])
{
    a[0] = v.x;
    a[1] = v.y;
    a[2] = v.z;
}
static inline vec3 vec3_add(vec3 a, vec3 b)
{
    return (vec3){ a.x + b.x, a.y + b.y, a.z + b.z };
}
static inline vec3 vec3_sub(vec3 a, vec3 b)
{
    return (vec3){ a.x - b.x, a.y - b.y, a.z - b.z };
}
static inline vec3 vec3_neg(vec3 a)
{
    return (vec3){ -a.x, -a.y, -a.z };
}
static inline vec3 vec3_scale(double s, vec3 a)
{
    return (vec3){ s * a.x, s * a.y, s * a.z };
}
// a + s b
static inline vec3 vec3_axpy(vec3 a, double s, vec3 b)
{
    return (vec3){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}
// -1, 0 or 1: which comes first, by x, then y, then z.
static inline int vec3_compare(vec3 a, vec3 b)
{
    if (a.x != b.x)
        return a.x < b.x ? -1 : 1;
    if (a.y != b.y)
        return a.y < b.y ? -1 : 1;
    return a.z < b.z ? -1 : a.z > b.z;
}

static inline double vec3_dot(vec3 a, vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline vec3 vec3_cross(vec3 a, vec3 b)
{
    return (vec3){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}
static inline double vec3_length(vec3 a)
{
    return sqrt(vec3_dot(a, a));
}
// The unit vector along a; zero stays zero.
static inline vec3 vec3_unit(vec3 a)
{
    double length = vec3_length(a);
    return length > 0 ? vec3_scale(1 / length, a) : a;
}

// Two unit vectors that complete the unit normal n to a right-handed frame (n, t1, t2): t1 lies in
// the plane of n and the coordinate axis least aligned with it (ties: x before y before z).
static inline void vec3_tangents(vec3 n, vec3 *t1, vec3 *t2)
{
    double ax = fabs(n.x), ay = fabs(n.y), az = fabs(n.z);
    vec3 axis = ax <= ay && ax <= az ? vec3_make(1, 0, 0)
                : ay <= az           ? vec3_make(0, 1, 0)
                                     : vec3_make(0, 0, 1);
    *t1 = vec3_unit(vec3_axpy(axis, -vec3_dot(axis, n), n));
    *t2 = vec3_cross(n, *t1);
}

static inline vec3 sym3_mul(sym3 s, vec3 v)
{
    return (vec3){ s.xx * v.x + s.xy * v.y + s.xz * v.z, s.xy * v.x + s.yy * v.y + s.yz * v.z,
                   s.xz * v.x + s.yz * v.y + s.zz * v.z };
}
static inline sym3 sym3_scale(double f, sym3 s)
{
    return (sym3){ f * s.xx, f * s.yy, f * s.zz, f * s.xy, f * s.xz, f * s.yz };
}

static inline double sym3_det(sym3 s)
{
    return s.xx * (s.yy * s.zz - s.yz * s.yz) - s.xy * (s.xy * s.zz - s.yz * s.xz) +
           s.xz * (s.xy * s.yz - s.yy * s.xz);
}
// The inverse; the caller has made sure that the determinant is not zero.
static inline sym3 sym3_inverse(sym3 s)
{
    double d = 1 / sym3_det(s);
    return (sym3){ d * (s.yy * s.zz - s.yz * s.yz), d * (s.xx * s.zz - s.xz * s.xz),
                   d * (s.xx * s.yy - s.xy * s.xy), d * (s.xz * s.yz - s.xy * s.zz),
                   d * (s.xy * s.yz - s.xz * s.yy), d * (s.xy * s.xz - s.xx * s.yz) };
}

// Lower Cholesky factor (xx yx yy zx zy zz) of a positive semidefinite matrix: a pivot that is
// round-off beside its diagonal counts as zero, and so does its column.
static inline void sym3_root(sym3 s, double c[6])
{
    const double noise = 1e-14;
    double d;
    c[0] = s.xx > 0 ? sqrt(s.xx) : 0;
    c[1] = c[0] > 0 ? s.xy / c[0] : 0;
    c[3] = c[0] > 0 ? s.xz / c[0] : 0;
    d = s.yy - c[1] * c[1];
    c[2] = d > noise * s.yy ? sqrt(d) : 0;
    c[4] = c[2] > 0 ? (s.yz - c[3] * c[1]) / c[2] : 0;
    d = s.zz - c[3] * c[3] - c[4] * c[4];
    c[5] = d > noise * s.zz ? sqrt(d) : 0;
}
// Whether S is a number times the identity: the inertia of a ball or a cube.
static inline bool sym3_is_number(sym3 s)
{
    return s.xx == s.yy && s.yy == s.zz && s.xy == 0 && s.xz == 0 && s.yz == 0;
}
// v . S^+ v for v in the range of a positive semidefinite S.
static inline double sym3_divide(sym3 s, vec3 v)
{
    double c[6];
    if (s.xx > 0 && sym3_is_number(s))
        return (v.x * v.x + v.y * v.y + v.z * v.z) / s.xx;
    sym3_root(s, c);
    double x = c[0] > 0 ? v.x / c[0] : 0;
    double y = c[2] > 0 ? (v.y - c[1] * x) / c[2] : 0;
    double z = c[5] > 0 ? (v.z - c[3] * x - c[4] * y) / c[5] : 0;
    return x * x + y * y + z * z;
}

static inline vec3 mat3_mul(mat3 a, vec3 v)
{
    return (vec3){ a.m[0][0] * v.x + a.m[0][1] * v.y + a.m[0][2] * v.z,
                   a.m[1][0] * v.x + a.m[1][1] * v.y + a.m[1][2] * v.z,
                   a.m[2][0] * v.x + a.m[2][1] * v.y + a.m[2][2] * v.z };
}
// Transposed matrix times vector.
static inline vec3 mat3_tmul(mat3 a, vec3 v)
{
    return (vec3){ a.m[0][0] * v.x + a.m[1][0] * v.y + a.m[2][0] * v.z,
                   a.m[0][1] * v.x + a.m[1][1] * v.y + a.m[2][1] * v.z,
                   a.m[0][2] * v.x + a.m[1][2] * v.y + a.m[2][2] * v.z };
}
// R S R^T for a rotation R: a symmetric tensor seen from another frame.
static inline sym3 sym3_rotate(mat3 r, sym3 s)
{
    vec3 row[3], image[3];
    for (int i = 0; i < 3; ++i) {
        row[i] = vec3_from(r.m[i]);
        image[i] = sym3_mul(s, row[i]);
    }
    return (sym3){ vec3_dot(row[0], image[0]), vec3_dot(row[1], image[1]),
                   vec3_dot(row[2], image[2]), vec3_dot(row[0], image[1]),
                   vec3_dot(row[0], image[2]), vec3_dot(row[1], image[2]) };
}

static inline quat quat_identity(void)
{
    return (quat){ 1, 0, 0, 0 };
}
static inline quat quat_mul(quat a, quat b)
{
    return (quat){ a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                   a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                   a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                   a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w };
}
static inline quat quat_conjugate(quat q)
{
    return (quat){ q.w, -q.x, -q.y, -q.z };
}
static inline quat quat_unit(quat q)
{
    double s = 1 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (quat){ s * q.w, s * q.x, s * q.y, s * q.z };
}
static inline mat3 quat_matrix(quat q)
{
    double w = q.w, x = q.x, y = q.y, z = q.z;
    return (mat3){ { { 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y) },
                     { 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x) },
                     { 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y) } } };
}
static inline vec3 quat_rotate(quat q, vec3 v)
{
    vec3 u = vec3_make(q.x, q.y, q.z), t = vec3_scale(2, vec3_cross(u, v));
    return vec3_add(vec3_axpy(v, q.w, t), vec3_cross(u, t));
}

#endif
