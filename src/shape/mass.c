// Exact integrals over polyhedra and unions.
//
// Divergence theorem in its tetrahedral form: for the tetrahedron with corners 0, a, b, c and
// d = a . (b x c), the integrals of 1, x and x x^T are d/6, d/24 (a+b+c) and
// d/120 ((a+b+c)(a+b+c)^T + a a^T + b b^T + c c^T). Summed with sign over a closed surface they are
// exact for the polyhedron, up to round-off; callers keep the origin near the solid to keep that
// small.
#include "shape/mass.h"

static sym3 sym3_outer(vec3 a)
{
    return (sym3){ a.x * a.x, a.y * a.y, a.z * a.z, a.x * a.y, a.x * a.z, a.y * a.z };
}

static sym3 sym3_axpy(sym3 s, double t, sym3 u)
{
    return (sym3){ s.xx + t * u.xx, s.yy + t * u.yy, s.zz + t * u.zz,
                   s.xy + t * u.xy, s.xz + t * u.xz, s.yz + t * u.yz };
}

void carom_mass_add_triangle(carom_mass_moments *moments, vec3 a, vec3 b, vec3 c)
{
    double d = vec3_dot(a, vec3_cross(b, c));
    vec3 sum = vec3_add(vec3_add(a, b), c);
    moments->volume += d / 6;
    moments->first = vec3_axpy(moments->first, d / 24, sum);
    sym3 second = sym3_axpy(sym3_outer(sum), 1, sym3_outer(a));
    second = sym3_axpy(sym3_axpy(second, 1, sym3_outer(b)), 1, sym3_outer(c));
    moments->second = sym3_axpy(moments->second, d / 120, second);
}

// Inertia and second moment hold the same information: I = tr(S) 1 - S.
static sym3 second_from_inertia(const double inertia[6])
{
    double half_trace = (inertia[0] + inertia[1] + inertia[2]) / 2;
    return (sym3){ half_trace - inertia[0],
                   half_trace - inertia[1],
                   half_trace - inertia[2],
                   -inertia[3],
                   -inertia[4],
                   -inertia[5] };
}

void carom_mass_add_solid(carom_mass_moments *moments, const carom_mass *mass,
                          const carom_pose *pose)
{
    sym3 second = sym3_rotate(pose->rotation, second_from_inertia(mass->inertia));
    second = sym3_axpy(second, mass->volume, sym3_outer(pose->position));
    moments->volume += mass->volume;
    moments->first = vec3_axpy(moments->first, mass->volume, pose->position);
    moments->second = sym3_axpy(moments->second, 1, second);
}

vec3 carom_mass_centre(const carom_mass_moments *moments)
{
    return vec3_scale(1 / moments->volume, moments->first);
}

carom_mass carom_mass_about_centre(const carom_mass_moments *moments)
{
    sym3 s = sym3_axpy(moments->second, -moments->volume, sym3_outer(carom_mass_centre(moments)));
    return (carom_mass){ moments->volume,
                         { s.yy + s.zz, s.xx + s.zz, s.xx + s.yy, -s.xy, -s.xz, -s.yz } };
}
