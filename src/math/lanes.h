// Four numbers side by side, and vectors of three of them: the compiler's vector type.
//
// Each lane does what vec.h does with one number, operation by operation, and nothing is fused: a
// result depends neither on its lane nor on the width of the processor's registers. Functions
// marked CAROM_LANES_WIDE, which are static, are compiled for several of those, and the one to use
// is chosen when the program starts. No two of them may have the same name: what chooses is global
// where clang compiles.
#ifndef CAROM_MATH_LANES_H
#define CAROM_MATH_LANES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(CAROM_LANES_WIDE) // a test wants one of them
#define CAROM_LANES_WIDEST CAROM_LANES_WIDE
#elif defined(__x86_64__) && defined(__GNUC__)
#define CAROM_LANES_WIDE __attribute__((target_clones("default", "avx2")))
// For long loops over rows of eight numbers.
#define CAROM_LANES_WIDEST __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define CAROM_LANES_WIDE
#define CAROM_LANES_WIDEST
#endif
#define LANES_INLINE __attribute__((always_inline)) static inline
// How a function would hand over such values does not matter: all of these are part of their
// callers.
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

enum { LANES = 4 };

typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));
typedef long long lanes_flags __attribute__((vector_size(LANES * sizeof(long long))));

typedef struct lanes3 {
    lanes x, y, z;
} lanes3;

// xx yy zz xy xz yz
typedef struct lanes_sym3 {
    lanes xx, yy, zz, xy, xz, yz;
} lanes_sym3;

LANES_INLINE lanes lanes_all(double a)
{
    return (lanes){ a, a, a, a };
}
LANES_INLINE lanes_flags lanes_flags_all(long long a)
{
    return (lanes_flags){ a, a, a, a };
}
LANES_INLINE lanes lanes_numbers(lanes_flags a)
{
    return (lanes){ (double)a[0], (double)a[1], (double)a[2], (double)a[3] };
}
// a where the flag is set, else b.
LANES_INLINE lanes lanes_pick(lanes_flags set, lanes a, lanes b)
{
    return (lanes)(((lanes_flags)a & set) | ((lanes_flags)b & ~set));
}
// a where the flag is set, else 0.
LANES_INLINE lanes lanes_keep(lanes_flags set, lanes a)
{
    return (lanes)((lanes_flags)a & set);
}
LANES_INLINE bool lanes_any(lanes_flags set)
{
    return (set[0] | set[1] | set[2] | set[3]) != 0;
}
LANES_INLINE lanes lanes_sqrt(lanes a)
{
    return (lanes){ sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3]) };
}
LANES_INLINE lanes lanes_abs(lanes a)
{
    return (lanes)((lanes_flags)a & (lanes_flags){ INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX });
}
// The larger one; b where they do not compare.
LANES_INLINE lanes lanes_max(lanes a, lanes b)
{
    return lanes_pick(a > b, a, b);
}
// The smaller one; b where they do not compare.
LANES_INLINE lanes lanes_min(lanes a, lanes b)
{
    return lanes_pick(a < b, a, b);
}
// A vector along x, y, z in the first three lanes; what the last one has does not count.
LANES_INLINE double lanes_dot3(lanes a, lanes b)
{
    lanes c = a * b;
    return c[0] + c[1] + c[2];
}
LANES_INLINE lanes lanes_cross3(lanes a, lanes b)
{
    lanes a1 = __builtin_shufflevector(a, a, 1, 2, 0, 3),
          b1 = __builtin_shufflevector(b, b, 1, 2, 0, 3);
    lanes a2 = __builtin_shufflevector(a, a, 2, 0, 1, 3),
          b2 = __builtin_shufflevector(b, b, 2, 0, 1, 3);
    return a1 * b2 - a2 * b1;
}
// The last lane becomes 0.
LANES_INLINE lanes lanes_only3(lanes a)
{
    return lanes_keep((lanes_flags){ -1, -1, -1, 0 }, a);
}
// Four numbers from memory, and back.
LANES_INLINE lanes lanes_load(const double *from)
{
    lanes a;
    memcpy(&a, from, sizeof a);
    return a;
}
LANES_INLINE void lanes_store(double *to, lanes a)
{
    memcpy(to, &a, sizeof a);
}
// Rows into columns.
LANES_INLINE void lanes_transpose(lanes row[LANES])
{
    lanes a = __builtin_shufflevector(row[0], row[1], 0, 4, 2, 6);
    lanes b = __builtin_shufflevector(row[0], row[1], 1, 5, 3, 7);
    lanes c = __builtin_shufflevector(row[2], row[3], 0, 4, 2, 6);
    lanes d = __builtin_shufflevector(row[2], row[3], 1, 5, 3, 7);
    row[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    row[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    row[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    row[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

LANES_INLINE lanes3 lanes3_add(lanes3 a, lanes3 b)
{
    return (lanes3){ a.x + b.x, a.y + b.y, a.z + b.z };
}
LANES_INLINE lanes3 lanes3_sub(lanes3 a, lanes3 b)
{
    return (lanes3){ a.x - b.x, a.y - b.y, a.z - b.z };
}
LANES_INLINE lanes3 lanes3_scale(lanes s, lanes3 a)
{
    return (lanes3){ s * a.x, s * a.y, s * a.z };
}
// a + s b
LANES_INLINE lanes3 lanes3_axpy(lanes3 a, lanes s, lanes3 b)
{
    return (lanes3){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}
LANES_INLINE lanes lanes3_dot(lanes3 a, lanes3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
LANES_INLINE lanes3 lanes3_cross(lanes3 a, lanes3 b)
{
    return (lanes3){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}
LANES_INLINE lanes3 lanes3_pick(lanes_flags set, lanes3 a, lanes3 b)
{
    return (lanes3){ lanes_pick(set, a.x, b.x), lanes_pick(set, a.y, b.y),
                     lanes_pick(set, a.z, b.z) };
}
LANES_INLINE lanes3 lanes3_keep(lanes_flags set, lanes3 a)
{
    return (lanes3){ lanes_keep(set, a.x), lanes_keep(set, a.y), lanes_keep(set, a.z) };
}
// The nearest vectors of at most those lengths.
LANES_INLINE lanes3 lanes3_clip(lanes3 q, lanes max)
{
    lanes square = lanes3_dot(q, q);
    lanes_flags beyond = square > max * max;
    if (!lanes_any(beyond))
        return q;
    lanes factor = max / lanes_sqrt(lanes_pick(beyond, square, lanes_all(1)));
    return lanes3_pick(beyond, lanes3_scale(factor, q), q);
}
LANES_INLINE lanes3 lanes_sym3_mul(lanes_sym3 s, lanes3 v)
{
    return (lanes3){ s.xx * v.x + s.xy * v.y + s.xz * v.z, s.xy * v.x + s.yy * v.y + s.yz * v.z,
                     s.xz * v.x + s.yz * v.y + s.zz * v.z };
}

#endif
