// Exact integrals over polyhedra and unions.
//
// Divergence theorem in its tetrahedral form: for the tetrahedron with corners 0, a, b, c and
// d = a . (b x c), the integrals of 1, x and x x^T are d/6, d/24 (a+b+c) and
// d/120 ((a+b+c)(a+b+c)^T + a a^T + b b^T + c c^T). Summed with sign over a closed surface they are
// exact for the polyhedron, up to round-off; callers keep the origin near the solid to keep that
// small.
#include "math/moments.h"

static sym3 outer(vec3 a)
{
    return (sym3){ a.x * a.x, a.y * a.y, a.z * a.z, a.x * a.y, a.x * a.z, a.y * a.z };
}

static sym3 axpy(sym3 s, double t, sym3 u)
{
    return (sym3){ s.xx + t * u.xx, s.yy + t * u.yy, s.zz + t * u.zz,
                   s.xy + t * u.xy, s.xz + t * u.xz, s.yz + t * u.yz };
}

void carom_moments_add_triangle(carom_moments *moments, vec3 a, vec3 b, vec3 c)
{
    double d = vec3_dot(a, vec3_cross(b, c));
    vec3 sum = vec3_add(vec3_add(a, b), c);
    moments->volume += d / 6;
    moments->first = vec3_axpy(moments->first, d / 24, sum);
    sym3 second = axpy(outer(sum), 1, outer(a));
    second = axpy(axpy(second, 1, outer(b)), 1, outer(c));
    moments->second = axpy(moments->second, d / 120, second);
}

void carom_moments_add_solid(carom_moments *moments, double volume, vec3 centre, sym3 second)
{
    second = axpy(second, volume, outer(centre));
    moments->volume += volume;
    moments->first = vec3_axpy(moments->first, volume, centre);
    moments->second = axpy(moments->second, 1, second);
}

vec3 carom_moments_centre(const carom_moments *moments)
{
    return vec3_scale(1 / moments->volume, moments->first);
}

// Inertia and second moment hold the same information: I = tr(S) 1 - S.
void carom_moments_inertia(const carom_moments *moments, double inertia[6])
{
    sym3 s = axpy(moments->second, -moments->volume, outer(carom_moments_centre(moments)));
    const double six[6] = { s.yy + s.zz, s.xx + s.zz, s.xx + s.yy, -s.xy, -s.xz, -s.yz };
    for (int k = 0; k < 6; ++k)
        inertia[k] = six[k];
}
