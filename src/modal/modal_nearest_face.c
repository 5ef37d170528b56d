// Which face of a tetrahedral body is nearest to a point: faces sorted into boxes as wide as the
// longest side, so that the 27 boxes about a point hold every face within one box' edge of it.
#include "modal/modal_internal.h"

#include <stdlib.h>
#include <string.h>

enum { BOXES_MAX = 2000000 };

static vec3 corner_at(const carom_modes *m, int face, int k)
{
    return vec3_from(m->place + 3 * (size_t)m->face[6 * (size_t)face + (size_t)k]);
}

// Range of boxes a face touches along the axes.
static void boxes_of(const carom_modes *m, int face, int from[3], int to[3])
{
    for (int k = 0; k < 3; ++k) {
        double min = HUGE_VAL, max = -HUGE_VAL;
        for (int i = 0; i < 6; ++i) {
            double x = m->place[3 * (size_t)m->face[6 * (size_t)face + (size_t)i] + (size_t)k];
            min = fmin(min, x);
            max = fmax(max, x);
        }
        from[k] = (int)(fmax(min, 0) / m->box_edge);
        to[k] = (int)(fmax(max, 0) / m->box_edge);
        from[k] = from[k] < m->box[k] ? from[k] : m->box[k] - 1;
        to[k] = to[k] < m->box[k] ? to[k] : m->box[k] - 1;
    }
}

// Counts or stores each face in the boxes it touches.
static void fill_boxes(carom_modes *m, int *at, bool store)
{
    for (int f = 0; f < m->face_count; ++f) {
        int from[3], to[3];
        boxes_of(m, f, from, to);
        for (int z = from[2]; z <= to[2]; ++z)
            for (int y = from[1]; y <= to[1]; ++y)
                for (int x = from[0]; x <= to[0]; ++x) {
                    int box = x + m->box[0] * (y + m->box[1] * z);
                    if (store)
                        m->box_face[at[box]] = f;
                    ++at[box];
                }
    }
}

carom_status carom_modal_nearest_face_build(carom_modes *m, carom_error *err)
{
    // places are at most 2: whatever the faces of a stranger's file are, boxes can be counted
    double edge = 2.0 / BOXES_MAX, extent[3] = { 0 };
    for (int f = 0; f < m->face_count; ++f)
        edge = fmax(edge, vec3_length(vec3_sub(corner_at(m, f, 1), corner_at(m, f, 0))));
    for (int i = 0; i < 3 * m->node_count; ++i)
        extent[i % 3] = fmax(extent[i % 3], m->place[i]);
    double total;
    do { // a mesh of very unequal faces gets larger boxes
        total = 1;
        for (int k = 0; k < 3; ++k)
            total *= m->box[k] = (int)(extent[k] / edge) + 1;
        m->box_edge = edge;
        edge *= 1.5;
    } while (total > BOXES_MAX);
    size_t boxes = (size_t)total;
    m->box_first = calloc(boxes + 1, sizeof *m->box_first);
    int *at = calloc(boxes + 1, sizeof *at), sum = 0;
    if (m->box_first && at) {
        fill_boxes(m, at, false);
        for (size_t i = 0; i < boxes; ++i) {
            m->box_first[i] = sum;
            sum += at[i];
            at[i] = m->box_first[i];
        }
        m->box_first[boxes] = sum;
        m->box_face = malloc(((size_t)sum + 1) * sizeof *m->box_face);
        if (m->box_face)
            fill_boxes(m, at, true);
    }
    free(at);
    return m->box_face ? CAROM_OK : carom_error_no_memory(err, "sorting %d faces", m->face_count);
}

// Nearest point of a straight triangle, as barycentric coordinates.
static void nearest_straight(const vec3 p[3], vec3 x, double l[3])
{
    vec3 u = vec3_sub(p[1], p[0]), v = vec3_sub(p[2], p[0]), w = vec3_sub(x, p[0]);
    double uu = vec3_dot(u, u), uv = vec3_dot(u, v), vv = vec3_dot(v, v), wu = vec3_dot(w, u),
           wv = vec3_dot(w, v), det = uu * vv - uv * uv, min = HUGE_VAL;
    double s = (vv * wu - uv * wv) / det, t = (uu * wv - uv * wu) / det;
    if (det > 0 && s >= 0 && t >= 0 && s + t <= 1) {
        l[0] = 1 - s - t;
        l[1] = s;
        l[2] = t;
        return;
    }
    for (int k = 0; k < 3; ++k) { // else on one of the sides
        vec3 a = p[k], side = vec3_sub(p[(k + 1) % 3], a);
        double along = vec3_dot(vec3_sub(x, a), side) / vec3_dot(side, side);
        along = along > 0 ? fmin(along, 1) : 0;
        double away = vec3_length(vec3_sub(x, vec3_axpy(a, along, side)));
        if (away >= min)
            continue;
        min = away;
        l[k] = 1 - along;
        l[(k + 1) % 3] = along;
        l[(k + 2) % 3] = 0;
    }
}

static void face_functions(const double l[3], double n[6])
{
    for (int k = 0; k < 3; ++k) {
        n[k] = l[k] * (2 * l[k] - 1);
        n[3 + k] = 4 * l[k] * l[(k + 1) % 3];
    }
}

static vec3 face_point(const carom_modes *m, int face, const double l[3])
{
    double n[6];
    vec3 x = { 0, 0, 0 };
    face_functions(l, n);
    for (int k = 0; k < 6; ++k)
        x = vec3_axpy(x, n[k], corner_at(m, face, k));
    return x;
}

// Gauss-Newton on a curved face from the straight answer; coordinates stay in the triangle.
static void refine(const carom_modes *m, int face, vec3 x, double l[3])
{
    enum { STEPS = 4 };
    for (int step = 0; step < STEPS; ++step) {
        vec3 by[3] = { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } };
        for (int k = 0; k < 3; ++k) {
            by[k] = vec3_axpy(by[k], 4 * l[k] - 1, corner_at(m, face, k));
            by[k] = vec3_axpy(by[k], 4 * l[(k + 1) % 3], corner_at(m, face, 3 + k));
            by[(k + 1) % 3] = vec3_axpy(by[(k + 1) % 3], 4 * l[k], corner_at(m, face, 3 + k));
        }
        vec3 u = vec3_sub(by[1], by[0]), v = vec3_sub(by[2], by[0]);
        vec3 w = vec3_sub(x, face_point(m, face, l));
        double uu = vec3_dot(u, u), uv = vec3_dot(u, v), vv = vec3_dot(v, v);
        double det = uu * vv - uv * uv;
        if (!(det > 0))
            return;
        l[1] += (vv * vec3_dot(w, u) - uv * vec3_dot(w, v)) / det;
        l[2] += (uu * vec3_dot(w, v) - uv * vec3_dot(w, u)) / det;
        l[1] = fmin(fmax(l[1], 0), 1);
        l[2] = fmin(fmax(l[2], 0), 1 - l[1]);
        l[0] = 1 - l[1] - l[2];
    }
}

int carom_modal_nearest_face_find(const carom_modes *m, vec3 place, double weight[6],
                                  double *distance)
{
    double at[3], best[3] = { 1, 0, 0 };
    int found = -1, home[3];
    *distance = HUGE_VAL;
    vec3_store(place, at);
    for (int k = 0; k < 3; ++k)
        home[k] = (int)floor(fmin(fmax(at[k] / m->box_edge, -2), m->box[k] + 1));
    for (int i = 0; i < 27; ++i) {
        int x = home[0] + i % 3 - 1, y = home[1] + i / 3 % 3 - 1, z = home[2] + i / 9 - 1;
        if (x < 0 || y < 0 || z < 0 || x >= m->box[0] || y >= m->box[1] || z >= m->box[2])
            continue;
        int box = x + m->box[0] * (y + m->box[1] * z);
        for (int k = m->box_first[box]; k < m->box_first[box + 1]; ++k) {
            int f = m->box_face[k];
            vec3 p[3] = { corner_at(m, f, 0), corner_at(m, f, 1), corner_at(m, f, 2) };
            double l[3];
            nearest_straight(p, place, l);
            double away = vec3_length(vec3_sub(place, face_point(m, f, l)));
            if (away < *distance) {
                *distance = away;
                found = f;
                memcpy(best, l, sizeof best);
            }
        }
    }
    if (found < 0)
        return -1;
    refine(m, found, place, best);
    *distance = vec3_length(vec3_sub(place, face_point(m, found, best)));
    face_functions(best, weight);
    return found;
}
