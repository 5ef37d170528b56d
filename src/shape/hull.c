// Convex hulls by qhull (reentrant library), with facets merged to whole faces.
//
// qhull finds the facets (option C-0: facets that are coplanar to round-off become one); the
// corners of a face are put into counter-clockwise order by their angle about the normal, compared
// by cross products. In which order qhull lists corners and faces depends on its own round-off,
// which is another on other processors: here corners stand in the order of the points that were
// given, faces in that of their corners, so that all sums over them have the same bits everywhere.
#include "base/memory.h"
#include "shape/kinds.h"
#include "shape/mass.h"
#include "shape/polytope.h"

#include <libqhull_r/qhull_ra.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct outline {
    vec3 *vertex;
    int *first, *loop;
    int vertex_count, face_count;
} outline;

static carom_status check_points(const double *points, int count, carom_error *err);
static carom_status run_qhull(const double *points, int count, outline *out, carom_error *err);
static carom_status build(const outline *found, carom_shape **out, carom_error *err);

carom_status carom_hull_create(const double *points, int count, carom_shape **out, carom_error *err)
{
    NEED(err, points, out);
    *out = NULL;
    TRY(check_points(points, count, err));
    outline found = { 0 };
    carom_status status = run_qhull(points, count, &found, err);
    if (status == CAROM_OK)
        status = build(&found, out, err);
    carom_memory_free(found.vertex);
    carom_memory_free(found.first);
    carom_memory_free(found.loop);
    return status;
}

// Points that lie in a plane to within this share of the largest coordinate: where qhull would say
// so, some eighteen times its round-off. It says it by a longjmp, which WebAssembly does not have.
static const double FLAT = 1e-13;

static vec3 point_at(const double *points, int i)
{
    return vec3_make(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
}

// The farthest point from the first, the farthest from the line through both, and how far the
// farthest is from the plane of the three. The narrower those three stand, the less their plane
// says: by so much a needle has to be thicker.
static double thickness(const double *points, int count)
{
    vec3 origin = point_at(points, 0), end = { 0, 0, 0 }, side = { 0, 0, 0 };
    double longest = 0, widest = 0, thickest = 0;
    for (int i = 1; i < count; ++i) {
        vec3 d = vec3_sub(point_at(points, i), origin);
        if (vec3_length(d) > longest) {
            longest = vec3_length(d);
            end = vec3_scale(1 / longest, d);
        }
    }
    for (int i = 1; i < count; ++i) {
        vec3 d = vec3_sub(point_at(points, i), origin);
        vec3 across = vec3_axpy(d, -vec3_dot(d, end), end);
        if (vec3_length(across) > widest) {
            widest = vec3_length(across);
            side = vec3_scale(1 / widest, across);
        }
    }
    vec3 normal = vec3_unit(vec3_cross(end, side));
    for (int i = 1; i < count; ++i)
        thickest = fmax(thickest, fabs(vec3_dot(normal, vec3_sub(point_at(points, i), origin))));
    return longest > 0 ? thickest * (widest / longest) : 0;
}

static carom_status check_points(const double *points, int count, carom_error *err)
{
    if (count < 4 || count > 1000000) {
        carom_error_set(err, CAROM_BAD_INPUT, "a hull of %d points", count);
        return carom_error_fix(err, "give 4 to 1000000 points that do not lie in one plane");
    }
    double far = 0;
    for (int i = 0; i < 3 * count; ++i) {
        if (!(fabs(points[i]) < 1e100)) {
            carom_error_set(err, CAROM_BAD_INPUT, "point %d of a hull has the coordinate %g", i / 3,
                            points[i]);
            return carom_error_fix(err, "give finite coordinates in metres");
        }
        far = fmax(far, fabs(points[i]));
    }
    if (!(thickness(points, count) > FLAT * far)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the %d points span no solid", count);
        return carom_error_fix(err, "give points that do not lie in one plane");
    }
    return CAROM_OK;
}

// Corners of one face in order about its normal: insertion by the side of the line from the middle.
static void order_loop(const vec3 *vertex, int *loop, int count, vec3 normal)
{
    vec3 middle = { 0, 0, 0 }, t1, t2;
    for (int i = 0; i < count; ++i)
        middle = vec3_axpy(middle, 1.0 / count, vertex[loop[i]]);
    vec3_tangents(normal, &t1, &t2);
    for (int i = 1; i < count; ++i) {
        int moving = loop[i], j = i;
        vec3 d = vec3_sub(vertex[moving], middle);
        double u = vec3_dot(d, t1), v = vec3_dot(d, t2);
        for (; j > 0; --j) {
            vec3 e = vec3_sub(vertex[loop[j - 1]], middle);
            double eu = vec3_dot(e, t1), ev = vec3_dot(e, t2);
            bool upper = v > 0 || (v == 0 && u > 0), other = ev > 0 || (ev == 0 && eu > 0);
            // Angle from +t1: the upper half first, then by turning.
            bool before = upper != other ? upper : eu * v - ev * u < 0;
            if (!before)
                break;
            loop[j] = loop[j - 1];
        }
        loop[j] = moving;
    }
}

// The corner of the lowest number first.
static void turn_loop(int *loop, int count)
{
    int min = 0;
    for (int i = 1; i < count; ++i)
        min = loop[i] < loop[min] ? i : min;
    for (; min > 0; --min) {
        int first = loop[0];
        memmove(loop, loop + 1, (size_t)(count - 1) * sizeof *loop);
        loop[count - 1] = first;
    }
}

typedef struct face {
    const int *loop;
    int count;
} face;

static int by_corners(const void *a, const void *b)
{
    const face *x = a, *y = b;
    for (int i = 0; i < x->count && i < y->count; ++i)
        if (x->loop[i] != y->loop[i])
            return x->loop[i] < y->loop[i] ? -1 : 1;
    return (x->count > y->count) - (x->count < y->count);
}

static carom_status sort_faces(outline *found, carom_error *err)
{
    int corners = found->first[found->face_count], at = 0;
    face *faces = carom_memory_get(((size_t)found->face_count + 1) * sizeof *faces);
    int *copy = carom_memory_get(((size_t)corners + 1) * sizeof *copy);
    if (!faces || !copy) {
        carom_memory_free(faces);
        carom_memory_free(copy);
        return carom_error_no_memory(err, "a hull of %d corners", corners);
    }
    for (int f = 0; f < found->face_count; ++f) {
        int *loop = found->loop + found->first[f];
        faces[f] = (face){ copy + found->first[f], found->first[f + 1] - found->first[f] };
        turn_loop(loop, faces[f].count);
    }
    memcpy(copy, found->loop, (size_t)corners * sizeof *copy);
    qsort(faces, (size_t)found->face_count, sizeof *faces, by_corners);
    for (int f = 0; f < found->face_count; ++f) {
        memcpy(found->loop + at, faces[f].loop, (size_t)faces[f].count * sizeof *copy);
        found->first[f] = at;
        at += faces[f].count;
    }
    carom_memory_free(faces);
    carom_memory_free(copy);
    return CAROM_OK;
}

// number[id of a qhull vertex]: its rank among the corners in the order of the points.
static bool number_corners(qhT *qh, int *number)
{
    vertexT *vertex;
    int *rank = carom_memory_zeros((size_t)qh->num_points + 1, sizeof *rank), corners = 0;
    if (!rank)
        return false;
    FORALLvertices rank[qh_pointid(qh, vertex->point)] = 1;
    for (int i = 0; i < qh->num_points; ++i) {
        int is_corner = rank[i];
        rank[i] = corners;
        corners += is_corner;
    }
    FORALLvertices number[vertex->id] = rank[qh_pointid(qh, vertex->point)];
    carom_memory_free(rank);
    return true;
}

static carom_status copy_faces(qhT *qh, outline *out, carom_error *err)
{
    vertexT *vertex, **vertexp;
    facetT *facet;
    int *number = carom_memory_get(((size_t)qh->vertex_id + 1) * sizeof *number), corners = 0,
        f = 0;
    FORALLfacets corners += qh_setsize(qh, facet->vertices);
    out->vertex_count = qh->num_vertices;
    out->face_count = qh->num_facets;
    out->vertex = carom_memory_get(((size_t)out->vertex_count + 1) * sizeof *out->vertex);
    out->first = carom_memory_get(((size_t)out->face_count + 1) * sizeof *out->first);
    out->loop = carom_memory_get(((size_t)corners + 1) * sizeof *out->loop);
    if (!number || !out->vertex || !out->first || !out->loop || !number_corners(qh, number)) {
        carom_memory_free(number);
        return carom_error_no_memory(err, "a hull of %d corners", corners);
    }
    FORALLvertices out->vertex[number[vertex->id]] =
        vec3_make(vertex->point[0], vertex->point[1], vertex->point[2]);
    out->first[0] = 0;
    FORALLfacets
    {
        int at = out->first[f];
        FOREACHvertex_(facet->vertices) out->loop[at++] = number[vertex->id];
        order_loop(out->vertex, out->loop + out->first[f], at - out->first[f],
                   vec3_make(facet->normal[0], facet->normal[1], facet->normal[2]));
        out->first[++f] = at;
    }
    carom_memory_free(number);
    return sort_faces(out, err);
}

static carom_status run_qhull(const double *points, int count, outline *out, carom_error *err)
{
    qhT state, *qh = &state;
    int kept, total;
    double *copy = carom_memory_get(3 * (size_t)count * sizeof *copy);
    FILE *silence = fopen("/dev/null", "w");
    if (!copy || !silence) {
        carom_memory_free(copy);
        if (silence)
            fclose(silence);
        return carom_error_no_memory(err, "a hull of %d points", count);
    }
    memcpy(copy, points, 3 * (size_t)count * sizeof *copy);
    char options[] = "qhull C-0";
    memset(qh, 0, sizeof *qh);
    qh_zero(qh, silence);
    int code = qh_new_qhull(qh, 3, count, copy, False, options, NULL, silence);
    carom_status status = CAROM_OK;
    if (code != 0) {
        carom_error_set(err, CAROM_BAD_INPUT, "the %d points span no solid (qhull code %d)", count,
                        code);
        status = carom_error_fix(err, "give points that do not lie in one plane");
    } else {
        status = copy_faces(qh, out, err);
    }
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &kept, &total);
    fclose(silence);
    carom_memory_free(copy);
    return status;
}

static carom_moments integrate(const outline *found, vec3 origin)
{
    carom_moments moments = { 0 };
    for (int f = 0; f < found->face_count; ++f) {
        const int *loop = found->loop + found->first[f];
        int corners = found->first[f + 1] - found->first[f];
        for (int k = 1; k + 1 < corners; ++k)
            carom_moments_add_triangle(&moments, vec3_sub(found->vertex[loop[0]], origin),
                                       vec3_sub(found->vertex[loop[k]], origin),
                                       vec3_sub(found->vertex[loop[k + 1]], origin));
    }
    return moments;
}

static carom_status build(const outline *found, carom_shape **out, carom_error *err)
{
    double far = HUGE_VAL, radius = 0;
    carom_bounds box = { { far, far, far }, { -far, -far, -far } };
    vec3 middle = { 0, 0, 0 };
    for (int v = 0; v < found->vertex_count; ++v)
        middle = vec3_axpy(middle, 1.0 / found->vertex_count, found->vertex[v]);
    carom_moments moments = integrate(found, middle);
    vec3 shift = vec3_add(middle, carom_moments_centre(&moments));
    for (int v = 0; v < found->vertex_count; ++v) {
        vec3 p = vec3_sub(found->vertex[v], shift);
        found->vertex[v] = p;
        box.min = vec3_make(fmin(box.min.x, p.x), fmin(box.min.y, p.y), fmin(box.min.z, p.z));
        box.max = vec3_make(fmax(box.max.x, p.x), fmax(box.max.y, p.y), fmax(box.max.z, p.z));
        radius = fmax(radius, vec3_length(p));
    }
    carom_polytope *polytope;
    TRY(carom_polytope_create(found->vertex, found->vertex_count, found->first, found->loop,
                              found->face_count, &polytope, err));
    carom_status status = carom_shape_new(CAROM_SHAPE_HULL, out, err);
    if (status != CAROM_OK) {
        carom_polytope_destroy(polytope);
        return status;
    }
    (*out)->polytope = polytope;
    (*out)->mass = carom_mass_about_centre(&moments);
    (*out)->shift = shift;
    (*out)->bounds = box;
    (*out)->bounding_radius = radius;
    return CAROM_OK;
}
