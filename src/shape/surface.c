// Triangles of every kind of shape.
#include "shape/surface.h"
#include "math/trig.h"
#include "shape/mesh.h"
#include "shape/polytope.h"

typedef struct pen {
    const carom_surface_visitor *visitor;
    const carom_pose *pose;
} pen;

static void draw(const pen *p, vec3 a, vec3 b, vec3 c)
{
    double corners[9];
    vec3_store(carom_pose_out(p->pose, a), corners);
    vec3_store(carom_pose_out(p->pose, b), corners + 3);
    vec3_store(carom_pose_out(p->pose, c), corners + 6);
    p->visitor->triangle(p->visitor->context, corners);
}

static vec3 on_ring(double radius, double height, int k, int n)
{
    double c, s;
    carom_trig_circle(k % n, n, &c, &s);
    return vec3_make(radius * c, radius * s, height);
}

// One band of a surface of revolution between two rings, lower first; a radius of zero is a tip.
static void draw_band(const pen *p, int n, const double low[2], const double high[2])
{
    for (int k = 0; k < n; ++k) {
        vec3 a = on_ring(low[0], low[1], k, n), b = on_ring(low[0], low[1], k + 1, n);
        vec3 c = on_ring(high[0], high[1], k + 1, n), d = on_ring(high[0], high[1], k, n);
        if (low[0] > 0)
            draw(p, a, b, c);
        if (high[0] > 0)
            draw(p, a, c, d);
    }
}

// Circles of latitude from pole to pole; a capsule's halves are pulled apart by its barrel.
static void draw_round(const pen *p, int n, double radius, double half_length)
{
    int quarter = (n + 3) / 4; // bands from pole to equator
    for (int half = 0; half < 2; ++half) {
        double sign = half ? 1 : -1, last[2] = { 0, sign * (radius + half_length) };
        for (int i = 1; i <= quarter; ++i) {
            double c, s;
            carom_trig_circle(i, 4 * quarter, &c, &s);
            double next[2] = { i == quarter ? radius : radius * s,
                               sign * (radius * c + half_length) };
            draw_band(p, n, half ? next : last, half ? last : next);
            last[0] = next[0];
            last[1] = next[1];
        }
    }
    if (half_length > 0)
        draw_band(p, n, (double[2]){ radius, -half_length }, (double[2]){ radius, half_length });
}

static void draw_cylinder(const pen *p, int n, double radius, double half_length)
{
    double outline[4][2] = {
        { 0, -half_length }, { radius, -half_length }, { radius, half_length }, { 0, half_length }
    };
    for (int i = 0; i < 3; ++i)
        draw_band(p, n, outline[i], outline[i + 1]);
}

static void draw_polytope(const pen *p, const carom_polytope *q)
{
    for (int f = 0; f < q->face_count; ++f)
        for (int i = q->first[f] + 1; i + 1 < q->first[f + 1]; ++i)
            draw(p, q->vertex[q->loop[q->first[f]]], q->vertex[q->loop[i]],
                 q->vertex[q->loop[i + 1]]);
}

static void draw_mesh(const pen *p, const carom_mesh *mesh)
{
    for (int t = 0; t < mesh->triangle_count; ++t) {
        const int *c = mesh->triangle[t];
        draw(p, mesh->vertex[c[0]], mesh->vertex[c[1]], mesh->vertex[c[2]]);
    }
}

void carom_surface_visit(const carom_shape *shape, const carom_pose *pose,
                         const carom_surface_visitor *visitor)
{
    pen p = { visitor, pose };
    int n = visitor->segments < 4 ? 4 : visitor->segments;
    double e = visitor->extent;
    switch (shape->kind) {
    case CAROM_SHAPE_SPHERE:
        draw_round(&p, n, shape->radius, 0);
        break;
    case CAROM_SHAPE_CAPSULE:
        draw_round(&p, n, shape->radius, shape->half_length);
        break;
    case CAROM_SHAPE_CYLINDER:
        draw_cylinder(&p, n, shape->radius, shape->half_length);
        break;
    case CAROM_SHAPE_BOX:
    case CAROM_SHAPE_HULL:
        draw_polytope(&p, shape->polytope);
        break;
    case CAROM_SHAPE_MESH:
        draw_mesh(&p, shape->mesh);
        break;
    case CAROM_SHAPE_PLANE:
        draw(&p, vec3_make(-e, -e, 0), vec3_make(e, -e, 0), vec3_make(e, e, 0));
        draw(&p, vec3_make(-e, -e, 0), vec3_make(e, e, 0), vec3_make(-e, e, 0));
        break;
    case CAROM_SHAPE_COMPOUND:
        for (int i = 0; i < shape->part_count; ++i) {
            carom_pose part = carom_pose_chain(pose, &shape->parts[i].pose);
            carom_surface_visit(shape->parts[i].shape, &part, visitor);
        }
        break;
    }
}
