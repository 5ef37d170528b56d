// Whether a map (or modes on a surface) belongs to a shape: the same triangles, or at least the
// same surface cut into other triangles. Round shapes are compared with their polyhedra.
#include "bounce/bounce_fit.h"

#include <math.h>
#include <string.h>

#define MESH_SLACK 1e-6  // of the size: corners off the surface of a mesh, as files round them
#define ROUND_SLACK 5e-3 // of the size, for polyhedra that stand for round shapes

static bool same_triangles(const carom_mesh *a, const carom_mesh *b, double slack)
{
    bool same =
        a->triangle_count == b->triangle_count && a->vertex_count == b->vertex_count &&
        memcmp(a->triangle, b->triangle, (size_t)a->triangle_count * sizeof *a->triangle) == 0;
    for (int v = 0; same && v < a->vertex_count; ++v)
        same = vec3_length(vec3_sub(a->vertex[v], b->vertex[v])) <= slack;
    return same;
}

typedef struct comparison {
    const carom_mesh *mesh;
    double slack; // m
    bool fits;
} comparison;

static void compare(void *context, const double corners[9])
{
    comparison *c = context;
    for (int k = 0; k < 3 && c->fits; ++k)
        c->fits =
            fabs(carom_mesh_nearest(c->mesh, vec3_from(corners + 3 * k), 2 * c->slack).distance) <=
            c->slack;
}

// Mass properties of the same density, relative to the size.
static bool same_mass(const carom_shape *a, const carom_shape *b, double slack)
{
    carom_mass x = carom_shape_mass(a), y = carom_shape_mass(b);
    double r = carom_shape_radius(a), scale = x.volume * r * r;
    bool same = fabs(x.volume - y.volume) <= slack * x.volume;
    for (int k = 0; k < 6 && same; ++k)
        same = fabs(x.inertia[k] - y.inertia[k]) <= slack * scale;
    return same;
}

static bool fits(const carom_shape *owner, const carom_shape *shape)
{
    double size = carom_shape_radius(owner), slack = shape->mesh ? MESH_SLACK : ROUND_SLACK;
    if (shape == owner ||
        (shape->mesh && same_triangles(owner->mesh, shape->mesh, MESH_SLACK * size)))
        return true;
    if (!isfinite(carom_shape_radius(shape)) || !same_mass(owner, shape, 4 * slack))
        return false;
    comparison c = { owner->mesh, slack * size, true };
    carom_shape_triangles(shape, 48, 0, compare, &c);
    return c.fits;
}

carom_status carom_bounce_fit_check(const carom_shape *owner, const carom_shape *shape,
                                    carom_error *err)
{
    if (fits(owner, shape))
        return CAROM_OK;
    const carom_mesh *mesh = shape->mesh;
    if (mesh)
        carom_error_set(err, CAROM_BAD_INPUT,
                        "the map is for another mesh: hash %016llx, %d faces, radius %g m; the "
                        "body has %016llx, %d, %g m",
                        (unsigned long long)carom_bounce_map_hash(owner->mesh),
                        owner->mesh->triangle_count, carom_shape_radius(owner),
                        (unsigned long long)carom_bounce_map_hash(mesh), mesh->triangle_count,
                        carom_shape_radius(shape));
    else
        carom_error_set(err, CAROM_BAD_INPUT,
                        "the map is for another body: radius %g m, not a %s of radius %g m",
                        carom_shape_radius(owner),
                        carom_shape_kind_name(carom_shape_kind_of(shape)),
                        carom_shape_radius(shape));
    return carom_error_fix(err, "bake a map for this body (carom bounce MESH --out F.bounce)");
}
