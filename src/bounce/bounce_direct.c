// Direct mode: mode shapes kept at the vertices of the surface, restitution computed per contact.
#include <stdlib.h>
#include "bounce/bounce_fit.h"

struct carom_bounce_direct {
    const carom_shape *shape;
    int modes;
    double *omega;
    float *shapes; // [vertex][mode][3]
    double mass;
    sym3 inverse_inertia;
};

void carom_bounce_direct_destroy(carom_bounce_direct *direct)
{
    if (!direct)
        return;
    carom_shape_release(direct->shape);
    free(direct->omega);
    free(direct->shapes);
    free(direct);
}

static carom_status fill(carom_bounce_direct *d, const carom_modes *modes, const double origin[3],
                         carom_error *err)
{
    const carom_mesh *mesh = d->shape->mesh;
    size_t row = 3 * (size_t)d->modes;
    double *one = malloc((row + 1) * sizeof *one);
    if (!one)
        return carom_error_no_memory(err, "%d modes", d->modes);
    carom_status status = CAROM_OK;
    for (int v = 0; v < mesh->vertex_count && status == CAROM_OK; ++v) {
        double p[3];
        vec3_store(mesh->vertex[v], p);
        for (int k = 0; origin && k < 3; ++k)
            p[k] += origin[k];
        status = carom_modal_shapes_at(modes, p, one, err);
        for (size_t k = 0; k < row; ++k)
            d->shapes[(size_t)v * row + k] = (float)one[k];
    }
    free(one);
    return status;
}

carom_status carom_bounce_direct_create(const carom_shape *mesh, const carom_modes *modes,
                                        const double origin[3], carom_bounce_direct **out,
                                        carom_error *err)
{
    NEED(err, mesh, out);
    *out = NULL;
    if (carom_shape_kind_of(mesh) != CAROM_SHAPE_MESH) {
        carom_error_set(err, CAROM_BAD_INPUT, "direct mode needs a mesh, not a %s",
                        carom_shape_kind_name(carom_shape_kind_of(mesh)));
        return carom_error_fix(err, "make a mesh of it first (carom_mesh_from)");
    }
    const carom_modal_info *about = carom_modal_about(modes);
    const double *i = about->inertia;
    carom_bounce_direct *d = calloc(1, sizeof *d);
    if (!d)
        return carom_error_no_memory(err, "direct mode");
    d->shape = carom_shape_retain(mesh);
    d->modes = about->mode_count;
    d->mass = about->mass;
    d->inverse_inertia = sym3_inverse((sym3){ i[0], i[1], i[2], i[3], i[4], i[5] });
    size_t m = (size_t)d->modes;
    d->omega = malloc((m + 1) * sizeof *d->omega);
    d->shapes = malloc((3 * m * (size_t)mesh->mesh->vertex_count + 1) * sizeof *d->shapes);
    carom_status status =
        d->omega && d->shapes ? CAROM_OK : carom_error_no_memory(err, "%zu modes", m);
    for (size_t k = 0; status == CAROM_OK && k < m; ++k)
        d->omega[k] = about->omega[k];
    if (status == CAROM_OK)
        status = fill(d, modes, origin, err);
    if (status == CAROM_OK)
        *out = d;
    else
        carom_bounce_direct_destroy(d);
    return status;
}

int carom_bounce_direct_modes(const carom_bounce_direct *direct, const double **omega)
{
    if (!direct)
        return 0;
    if (omega)
        *omega = direct->omega;
    return direct->modes;
}

// The face that holds the nearest point, and its barycentric coordinates there.
static int locate(const carom_mesh *mesh, vec3 point, double share[3])
{
    carom_nearest near = carom_mesh_nearest(mesh, point, HUGE_VAL);
    int face = carom_bounce_samples_face_of(mesh, near.feature);
    const int *t = mesh->triangle[face];
    vec3 a = mesh->vertex[t[0]], u = vec3_sub(mesh->vertex[t[1]], a),
         v = vec3_sub(mesh->vertex[t[2]], a), d = vec3_sub(near.point, a);
    double uu = vec3_dot(u, u), uv = vec3_dot(u, v), vv = vec3_dot(v, v), du = vec3_dot(d, u),
           dv = vec3_dot(d, v), det = uu * vv - uv * uv;
    share[1] = fmin(1, fmax(0, (vv * du - uv * dv) / det));
    share[2] = fmin(1 - share[1], fmax(0, (uu * dv - uv * du) / det));
    share[0] = 1 - share[1] - share[2];
    return face;
}

carom_bounce_case carom_bounce_direct_case(const carom_bounce_direct *direct, const double point[3],
                                           const double normal[3], double *a)
{
    if (!direct || !point || !normal || !a)
        return (carom_bounce_case){ 0 };
    double share[3];
    vec3 p = vec3_from(point), n = vec3_unit(vec3_from(normal)), turn = vec3_cross(p, n);
    const int *t = direct->shape->mesh->triangle[locate(direct->shape->mesh, p, share)];
    size_t row = 3 * (size_t)direct->modes;
    const float *corner[3];
    for (int k = 0; k < 3; ++k)
        corner[k] = direct->shapes + (size_t)t[k] * row;
    for (int i = 0; i < direct->modes; ++i) {
        double u[3];
        for (int d = 0; d < 3; ++d)
            u[d] = share[0] * (double)corner[0][3 * i + d] +
                   share[1] * (double)corner[1][3 * i + d] +
                   share[2] * (double)corner[2][3 * i + d];
        a[i] = vec3_dot(n, vec3_from(u));
    }
    double w = 1 / direct->mass + vec3_dot(turn, sym3_mul(direct->inverse_inertia, turn));
    return (carom_bounce_case){ w, direct->modes, a, direct->omega };
}

carom_status carom_bounce_direct_solve(const carom_bounce_direct *direct, const double point[3],
                                       const double normal[3], const carom_bounce_options *options,
                                       carom_bounce_result *result, carom_error *err)
{
    NEED(err, direct, point, normal, options);
    double *a = malloc(((size_t)direct->modes + 1) * sizeof *a);
    if (!a)
        return carom_error_no_memory(err, "%d modes", direct->modes);
    carom_bounce_case one = carom_bounce_direct_case(direct, point, normal, a);
    carom_status status = carom_bounce_solve(&one, options, result, err);
    free(a);
    return status;
}

carom_status carom_bounce_direct_check(const carom_bounce_direct *direct, const carom_shape *shape,
                                       carom_error *err)
{
    NEED(err, direct, shape);
    return carom_bounce_fit_check(direct->shape, shape, err);
}
