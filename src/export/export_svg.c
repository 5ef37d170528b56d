// A frame as a drawing: seen straight from the front, the side or above, without perspective, so
// that lengths can be measured. Bodies nearer to the viewer cover those behind.
#include "export/export_svg.h"

#include <stdlib.h>
#include <string.h>
#include "draw/plot.h"
#include "export/export_columns.h"
#include "export/export_setup.h"
#include "shape/shape.h"

enum { MARGIN = 24, MANY = 60 };

typedef struct drawing {
    carom_recording *recording;
    const carom_frame *frame;
    carom_svg svg;
    vec3 right, up, towards; // of the viewer
    double middle[2], scale; // m, px per m
    double box[4];           // px: left, top, width, height
} drawing;

static void place(const drawing *d, vec3 point, double out[2])
{
    out[0] = d->box[0] + d->box[2] / 2 + d->scale * (vec3_dot(point, d->right) - d->middle[0]);
    out[1] = d->box[1] + d->box[3] / 2 - d->scale * (vec3_dot(point, d->up) - d->middle[1]);
}

static const char *role_of(const drawing *d, int body)
{
    if (d->recording->kind[body] != CAROM_BODY_MOVING)
        return "faint";
    return carom_svg_series(d->recording->count > MANY ? 0 : body);
}

// -- outlines -----------------------------------------------------------------------------------

static int by_place(const void *a, const void *b)
{
    const double *p = a, *q = b;
    if (p[0] != q[0])
        return p[0] < q[0] ? -1 : 1;
    return p[1] < q[1] ? -1 : p[1] > q[1];
}

static double turn(const double *a, const double *b, const double *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// Andrew's chain: the convex outline of points in the plane, which are sorted in place.
static int outline(double (*points)[2], int count, double (*out)[2])
{
    qsort(points, (size_t)count, sizeof *points, by_place);
    int used = 0;
    for (int pass = 0; pass < 2; ++pass) {
        int floor = used + 2;
        for (int k = 0; k < count; ++k) {
            const double *p = points[pass ? count - 1 - k : k];
            while (used >= floor && turn(out[used - 2], out[used - 1], p) <= 0)
                --used; // ends: takes back what was added
            memcpy(out[used++], p, sizeof *out);
        }
        --used; // the end is the beginning of the way back
    }
    return used;
}

static bool is_convex(const carom_shape *shape)
{
    return shape->kind != CAROM_SHAPE_MESH && shape->kind != CAROM_SHAPE_COMPOUND;
}

static carom_status draw_convex(drawing *d, int body, const carom_pose *pose, carom_error *err)
{
    const carom_trimesh *mesh = &d->recording->forms[d->recording->form[body]].mesh;
    double(*points)[2], (*hull)[2];
    TAKE(d->recording->scratch, points, mesh->vertex_count + 1, err);
    TAKE(d->recording->scratch, hull, 2 * mesh->vertex_count + 2, err);
    for (int i = 0; i < mesh->vertex_count; ++i)
        place(d, carom_pose_out(pose, mesh->vertex[i]), points[i]);
    int count = outline(points, mesh->vertex_count, hull);
    carom_svg_polygon(&d->svg, hull[0], count,
                      (carom_svg_style){ .fill = role_of(d, body), .opacity = 0.85 });
    carom_svg_polygon(&d->svg, hull[0], count, (carom_svg_style){ .stroke = "ink", .width = 1 });
    return CAROM_OK;
}

// All triangles that face the viewer, edged in their own colour so that no gaps show.
static void draw_faces(drawing *d, int body, const carom_pose *pose)
{
    const carom_trimesh *mesh = &d->recording->forms[d->recording->form[body]].mesh;
    const char *role = role_of(d, body);
    for (int t = 0; t < mesh->triangle_count; ++t) {
        double p[3][2];
        for (int k = 0; k < 3; ++k)
            place(d, carom_pose_out(pose, mesh->vertex[mesh->triangle[t][k]]), p[k]);
        if (turn(p[0], p[1], p[2]) < 0) // y is down: a triangle that faces us turns clockwise
            carom_svg_polygon(&d->svg, p[0], 3,
                              (carom_svg_style){ .fill = role, .stroke = role, .width = 0.6 });
    }
}

static void draw_ball(drawing *d, int body, const carom_pose *pose, double radius)
{
    double centre[2], rim[2];
    carom_svg_style line = { .stroke = "ink", .width = 1 };
    place(d, pose->position, centre);
    carom_svg_circle(&d->svg, centre, radius * d->scale,
                     (carom_svg_style){ .fill = role_of(d, body), .opacity = 0.85 });
    carom_svg_circle(&d->svg, centre, radius * d->scale, line);
    if (d->recording->count > MANY || radius * d->scale < 6)
        return;
    vec3 mark = vec3_scale(radius, d->right); // turns with the ball
    mark = mat3_mul(pose->rotation, mark);
    place(d, vec3_add(pose->position, mark), rim);
    carom_svg_line(&d->svg, centre, rim, line);
}

// A plane seen edge-on is a line; the solid side is hatched.
static void draw_plane(drawing *d, const carom_pose *pose)
{
    vec3 normal = carom_pose_column(pose, 2);
    double n[2] = { vec3_dot(normal, d->right), -vec3_dot(normal, d->up) };
    double at[2], long_way = 2 * (d->box[2] + d->box[3]);
    if (fabs(vec3_dot(normal, d->towards)) > 1e-6)
        return;
    place(d, pose->position, at);
    // the point of the line nearest to the middle of the box
    double middle[2] = { d->box[0] + d->box[2] / 2, d->box[1] + d->box[3] / 2 };
    double off = (at[0] - middle[0]) * n[0] + (at[1] - middle[1]) * n[1];
    double foot[2] = { middle[0] + off * n[0], middle[1] + off * n[1] }, along[2] = { -n[1], n[0] };
    double from[2], to[2];
    for (int k = 0; k < 2; ++k) {
        from[k] = foot[k] - long_way * along[k];
        to[k] = foot[k] + long_way * along[k];
    }
    carom_svg_line(&d->svg, from, to, (carom_svg_style){ .stroke = "ink", .width = 1.2 });
    for (double s = -0.5 * long_way; s < 0.5 * long_way; s += 12) {
        double a[2], b[2];
        for (int k = 0; k < 2; ++k) {
            a[k] = foot[k] + s * along[k];
            b[k] = a[k] - 7 * along[k] - 7 * n[k];
        }
        carom_svg_line(&d->svg, a, b, (carom_svg_style){ .stroke = "mid", .width = 0.7 });
    }
}

static carom_status draw_body(drawing *d, int body, carom_error *err)
{
    const carom_shape *shape = d->recording->forms[d->recording->form[body]].shape;
    carom_recording_body state = carom_recording_state(d->recording, d->frame, body);
    carom_pose pose = carom_pose_make(state.position, state.rotation);
    if (shape->kind == CAROM_SHAPE_PLANE)
        draw_plane(d, &pose);
    else if (shape->kind == CAROM_SHAPE_SPHERE)
        draw_ball(d, body, &pose, shape->radius);
    else if (is_convex(shape))
        return draw_convex(d, body, &pose, err);
    else
        draw_faces(d, body, &pose);
    return CAROM_OK;
}

// -- the drawing --------------------------------------------------------------------------------

typedef struct rank {
    double depth;
    int body;
} rank;

static int by_depth(const void *a, const void *b)
{
    const rank *p = a, *q = b;
    if (p->depth != q->depth)
        return p->depth < q->depth ? -1 : 1;
    return p->body - q->body;
}

static carom_status draw_bodies(drawing *d, carom_error *err)
{
    rank *ranks;
    int count = 0;
    TAKE(d->recording->scratch, ranks, d->recording->count + 1, err);
    for (int i = 0; i < d->recording->count; ++i) {
        vec3 p = carom_recording_state(d->recording, d->frame, i).position;
        bool plane = carom_shape_kind_of(d->recording->forms[d->recording->form[i]].shape) ==
                     CAROM_SHAPE_PLANE;
        if (!carom_recording_gone(d->recording, d->frame, i) && vec3_length(p) < 1e30)
            ranks[count++] = (rank){ plane ? -HUGE_VAL : vec3_dot(p, d->towards), i };
    }
    qsort(ranks, (size_t)count, sizeof *ranks, by_depth);
    for (int i = 0; i < count; ++i) {
        carom_arena_mark mark = carom_arena_mark_here(d->recording->scratch);
        TRY(draw_body(d, ranks[i].body, err));
        carom_arena_rewind(d->recording->scratch, mark);
    }
    return CAROM_OK;
}

// Strings, rods and springs between their anchors, other joints as a ring.
static void draw_joints(drawing *d)
{
    for (int i = 0; i < d->recording->joint_count; ++i) {
        const carom_world_joint *joint = &d->recording->joints[i];
        double end[2][2];
        const int body[2] = { joint->a, joint->b };
        for (int k = 0; k < 2; ++k) {
            vec3 anchor = k ? joint->anchor_b : joint->anchor_a;
            if (body[k] >= 0) {
                carom_recording_body s = carom_recording_state(d->recording, d->frame, body[k]);
                anchor = vec3_add(s.position, quat_rotate(s.rotation, anchor));
            }
            place(d, anchor, end[k]);
        }
        if (carom_joint_is_line(joint->kind))
            carom_svg_line(&d->svg, end[0], end[1],
                           (carom_svg_style){ .stroke = "ink", .width = 1 });
        else
            carom_svg_circle(&d->svg, end[0], 3, (carom_svg_style){ .stroke = "ink", .width = 1 });
    }
}

static void draw_ruler(drawing *d)
{
    static const char *const axes[][2] = { { "x", "z" }, { "y", "z" }, { "x", "y" } };
    double length = carom_plot_tick(d->box[2] / d->scale, 5), px = length * d->scale;
    double y = d->box[1] + d->box[3] - 14, from[2] = { d->box[0] + 14, y },
           to[2] = { from[0] + px, y };
    carom_svg_style line = { .stroke = "ink", .width = 1.5 };
    char words[96];
    int view = d->towards.y < -0.5 ? 0 : d->towards.x > 0.5 ? 1 : 2;
    carom_svg_line(&d->svg, from, to, line);
    carom_svg_line(&d->svg, (double[2]){ from[0], y - 4 }, (double[2]){ from[0], y + 4 }, line);
    carom_svg_line(&d->svg, (double[2]){ to[0], y - 4 }, (double[2]){ to[0], y + 4 }, line);
    snprintf(words, sizeof words, "%.4g m; t = %.4g s; %s to the right, %s up", length,
             d->frame->time, axes[view][0], axes[view][1]);
    carom_svg_text_at(&d->svg, (double[2]){ to[0] + 10, y + 4 }, (carom_svg_text){ .size = 12 },
                      words);
}

// What has to be seen, on the plane of the drawing.
static void fit(drawing *d, const carom_export_setup *setup)
{
    const double *e = setup->extent;
    double half[2] = { fabs(d->right.x) * e[0] + fabs(d->right.y) * e[1],
                       fabs(d->up.y) * e[1] + fabs(d->up.z) * e[2] };
    d->middle[0] = vec3_dot(vec3_from(setup->middle), d->right);
    d->middle[1] = vec3_dot(vec3_from(setup->middle), d->up);
    double min = 1e-9 * setup->radius;
    double x = (d->box[2] - 2 * MARGIN) / (2 * fmax(half[0], min)),
           y = (d->box[3] - 2 * MARGIN - 12) / (2 * fmax(half[1], min));
    d->scale = x < y ? x : y;
}

static void face(drawing *d, const carom_export_setup *setup, carom_export_side side)
{
    const double *e = setup->extent;
    if (side == CAROM_EXPORT_SIDE_AUTO) // the plane with the larger sides
        side = e[2] < 0.3 * fmin(e[0], e[1]) ? CAROM_EXPORT_SIDE_TOP
               : e[1] > 1.5 * e[0]           ? CAROM_EXPORT_SIDE_SIDE
                                             : CAROM_EXPORT_SIDE_FRONT;
    d->right = side == CAROM_EXPORT_SIDE_SIDE ? vec3_make(0, 1, 0) : vec3_make(1, 0, 0);
    d->up = side == CAROM_EXPORT_SIDE_TOP ? vec3_make(0, 1, 0) : vec3_make(0, 0, 1);
    d->towards = vec3_cross(d->right, d->up);
}

static carom_status draw(carom_recording *recording, const carom_export_view *view, int64_t index,
                         carom_export_side side, carom_text *text, carom_error *err)
{
    carom_export_setup setup;
    carom_frame frame;
    TRY(carom_export_setup_prepare(recording, view, &setup, err));
    TRY(carom_recording_frame(recording, index, &frame, err));
    double plots = carom_recording_frame_count(recording) > 1 ? 260 : 0;
    drawing d = { .recording = recording,
                  .frame = &frame,
                  .box = { 0, 0, view->width, view->height } };
    d.svg =
        carom_svg_begin(text, view->width, view->height + plots, carom_recording_title(recording));
    face(&d, &setup, side);
    fit(&d, &setup);
    carom_text_add(text,
                   "<clipPath id=\"view\"><rect width=\"%d\" height=\"%d\"/></clipPath>"
                   "<g clip-path=\"url(#view)\">\n",
                   view->width, view->height);
    TRY(draw_bodies(&d, err));
    draw_joints(&d);
    carom_svg_group_end(&d.svg);
    draw_ruler(&d);
    for (int k = 0; k < 3 && plots > 0; ++k)
        TRY(carom_export_plot_draw(recording, &d.svg, k,
                                   (double[2]){ view->width * k / 3.0, view->height },
                                   (double[2]){ view->width / 3.0, plots }, err));
    carom_svg_end(&d.svg);
    return CAROM_OK;
}

carom_status carom_export_svg(carom_recording *recording, const carom_export_view *view,
                              int64_t index, carom_export_side side, FILE *file, carom_error *err)
{
    NEED(err, recording, view);
    carom_text text = { 0 };
    carom_arena_mark mark = carom_arena_mark_here(recording->scratch);
    carom_status status = draw(recording, view, index, side, &text, err);
    carom_arena_rewind(recording->scratch, mark);
    if (status == CAROM_OK)
        status = carom_export_columns_flush(&text, file, true, err);
    carom_text_free(&text);
    return status;
}
