// "The extension to three (or higher) dimensions is straightforward" [Collapse, section 1]: the
// first instant in space, against the plane and closed forms.
#include "gallery/gallery_tower.h"

#include "carom/tower_space.h"
#include "gallery/gallery_vector.h"
#include <math.h>
#include <stdlib.h>

static carom_status load(const carom_gallery_result *result, const char *scene,
                         carom_tower_space **out, carom_error *err)
{
    char path[4200];
    carom_tower *flat = NULL;
    TRY(carom_tower_space_file_load(carom_gallery_result_scene(result, scene, path, sizeof path),
                                    &flat, out, err));
    carom_tower_destroy(flat);
    return *out ? CAROM_OK : carom_error_set(err, CAROM_BAD_INPUT, "%s is no world", scene);
}

// -- pictures -----------------------------------------------------------------------------------

// From the front right, above: x to the right, y into the picture, z up.
static void project(const double p[3], double out[2])
{
    out[0] = 290 + 105 * (0.92 * p[0] + 0.39 * p[1]);
    out[1] = 275 - 105 * (0.97 * p[2] + 0.24 * (0.92 * p[1] - 0.39 * p[0]));
}

typedef struct shown_face {
    carom_tower_space_piece piece;
    int body, face;
    double far;
} shown_face;

static int farthest_first(const void *a, const void *b)
{
    const shown_face *p = a, *q = b;
    return p->far != q->far ? (p->far > q->far ? -1 : 1) : 0;
}

static const double *corner_of(const carom_tower_space_piece *piece, int face, int k)
{
    return piece->corners + 3 * (size_t)piece->loop[piece->first[face] + k];
}

static bool turned_to(const double eye[3], const carom_tower_space_piece *piece, int face)
{
    double along[3], across[3], normal[3];
    carom_gallery_vector_minus(corner_of(piece, face, 1), corner_of(piece, face, 0), along);
    carom_gallery_vector_minus(corner_of(piece, face, 2), corner_of(piece, face, 1), across);
    carom_gallery_vector_cross(along, across, normal);
    return carom_gallery_vector_dot(normal, eye) > 0;
}

// Faces turned to the eye, the farthest first. Good enough for a few convex blocks.
static int visible(const carom_tower_space *t, shown_face *out, int max)
{
    static const double eye[3] = { 0.38, -0.89, 0.24 };
    int count = 0, body;
    for (int p = 0; p < carom_tower_space_pieces(t); ++p) {
        carom_tower_space_piece piece = carom_tower_space_piece_at(t, p, &body);
        double near = 0; // of its middle
        for (int v = 0; v < piece.corner_count; ++v)
            near +=
                carom_gallery_vector_dot(piece.corners + 3 * (size_t)v, eye) / piece.corner_count;
        for (int f = 0; f < piece.face_count && count < max; ++f)
            if (turned_to(eye, &piece, f))
                out[count++] = (shown_face){ piece, body, f, -near };
    }
    qsort(out, (size_t)count, sizeof *out, farthest_first);
    return count;
}

// `a`: acceleration, angular acceleration and centre of the body; null: as it stands.
static void draw_face(carom_svg *svg, const shown_face *s, const double *a, double time,
                      carom_svg_style style)
{
    double points[2 * 16];
    int count = s->piece.first[s->face + 1] - s->piece.first[s->face];
    for (int k = 0; k < count && k < 16; ++k) {
        const double *from = corner_of(&s->piece, s->face, k);
        double p[3] = { from[0], from[1], from[2] }, arm[3], turning[3];
        if (a) { // where the first acceleration takes it
            carom_gallery_vector_minus(from, a + 6, arm);
            carom_gallery_vector_cross(a + 3, arm, turning);
            for (int d = 0; d < 3; ++d)
                p[d] += time * (a[d] + turning[d]);
        }
        project(p, points + 2 * k);
    }
    carom_svg_polygon(svg, points, count < 16 ? count : 16, style);
}

static void picture(carom_gallery_result *result, const carom_tower_space *t,
                    const carom_tower_space_instant *i, const char *caption)
{
    enum { FACES_MAX = 600 };
    static shown_face faces[FACES_MAX];
    carom_text *text = carom_gallery_result_svg(result, "%s", caption);
    if (!text)
        return;
    int count = visible(t, faces, FACES_MAX);
    carom_svg svg = carom_svg_begin(text, 640, 360, caption);
    for (int n = 0; n < count; ++n) {
        bool fixed = carom_tower_space_fixed(t, faces[n].body);
        draw_face(
            &svg, &faces[n], NULL, 0,
            (carom_svg_style){ .fill = fixed ? "mid" : "faint", .stroke = "ink", .width = 1 });
    }
    for (int n = 0; n < count; ++n) {
        int b = faces[n].body;
        double motion[9];
        for (int k = 0; k < 6; ++k)
            motion[k] = i->accelerations[6 * b + k];
        carom_tower_space_centre(t, b, motion + 6);
        if (!carom_tower_space_fixed(t, b) && !i->stable)
            draw_face(&svg, &faces[n], motion, 0.12 / fmax(i->largest, 1e-9),
                      (carom_svg_style){ .stroke = "s1", .width = 1, .dash = "4 3" });
    }
    for (int n = 0; n < i->force_count; ++n) {
        const carom_tower_space_force *f = &i->forces[n];
        double p[2];
        project(f->point, p);
        if (f->force > 1e-9)
            carom_svg_circle(&svg, p, 1.5 + 4 * sqrt(f->force / fmax(i->support_force, 1e-9)),
                             (carom_svg_style){ .fill = "s1" });
    }
    carom_svg_end(&svg);
}

static carom_status show(carom_gallery_result *result, const char *scene, const char *caption,
                         carom_tower_space_instant *out, carom_error *err)
{
    carom_tower_space *t = NULL;
    carom_status status = load(result, scene, &t, err);
    if (status == CAROM_OK)
        status = carom_tower_space_initial(t, CAROM_TOWER_AUTO, out, err);
    if (status == CAROM_OK)
        picture(result, t, out, caption);
    carom_tower_space_destroy(t);
    return status;
}

// -- numbers ------------------------------------------------------------------------------------

// The 5 x 5 tower in space against the plane: (ax, 0, ay), and -alpha about y. Body 0 is the floor.
static carom_status against_plane(carom_gallery_result *result, carom_error *err)
{
    carom_tower *flat = NULL;
    carom_tower_instant plane = { 0 };
    carom_tower_space_instant space = { 0 };
    carom_status status = carom_gallery_tower_load(result, "tower/diamond5.json", &flat, err);
    if (status == CAROM_OK)
        status = carom_tower_initial(flat, CAROM_TOWER_AUTO, &plane, err);
    if (status == CAROM_OK)
        status = show(result, "tower_space/diamond5.json",
                      "The 5 x 5 tower in space; dots: forces; dashed: how it starts to fall.",
                      &space, err);
    if (status == CAROM_OK) {
        double worst = 0;
        for (int b = 0; b < plane.bodies; ++b) {
            const double *p = plane.accelerations + 3 * b, *s = space.accelerations + 6 * (b + 1);
            const double apart[6] = { s[0] - p[0], s[1], s[2] - p[1], s[3], s[4] + p[2], s[5] };
            for (int k = 0; k < 6; ++k)
                worst = fmax(worst, fabs(apart[k]));
        }
        carom_gallery_result_at_most(
            result, "5 x 5 bricks in space: largest difference to the plane", "g", worst, 1e-9);
        carom_gallery_result_near(result, "sum of m a^2 (216/989)", "brick units", 216.0 / 989,
                                  space.sum_m_a2, 1e-9);
    }
    carom_tower_initial_free(&plane);
    carom_tower_space_initial_free(&space);
    carom_tower_destroy(flat);
    return status;
}

// A block of 1 x 1 x 1/4 whose centre is d beyond the corner of a table, along the diagonal: one
// force f with f (1 + d^2 / J) = 1.
enum { POINTS = 25 };

static carom_status over_corner(double d, double *force, bool *stable, carom_error *err)
{
    const double half[3] = { 0.5, 0.5, 0.125 }, table[3] = { 2, 2, 0.5 }, at = d / sqrt(2.0);
    carom_tower_space *t = carom_tower_space_create((double[]){ 0, 0, -1 });
    carom_tower_space_instant i = { 0 };
    carom_status status = t ? CAROM_OK : carom_error_set(err, CAROM_NO_MEMORY, "no memory");
    if (status == CAROM_OK)
        status = carom_tower_space_add_box(t, (double[]){ -2, -2, -0.5 }, table, NULL, 1, true,
                                           NULL, err);
    if (status == CAROM_OK)
        status = carom_tower_space_add_box(t, (double[]){ at, at, 0.125 }, half, NULL, 1, false,
                                           NULL, err);
    if (status == CAROM_OK)
        status = carom_tower_space_initial(t, CAROM_TOWER_AUTO, &i, err);
    *force = i.support_force;
    *stable = i.stable;
    carom_tower_space_initial_free(&i);
    carom_tower_space_destroy(t);
    return status;
}

static carom_status corner(carom_gallery_result *result, carom_error *err)
{
    double x[POINTS], ours[POINTS], law[POINTS], worst = 0;
    bool right = true;
    for (int n = 0; n < POINTS; ++n) {
        bool stable;
        x[n] = 0.7 * (n - 6.5) / (POINTS - 7);
        TRY(over_corner(x[n], &ours[n], &stable, err));
        law[n] = x[n] > 0 ? 1 / (1 + x[n] * x[n] * 12 / 1.0625) : 1;
        worst = fmax(worst, fabs(ours[n] - law[n]));
        right = right && stable == (x[n] <= 0);
    }
    carom_gallery_result_holds(result, right,
                               "a block over a corner stands until its centre passes it");
    carom_gallery_result_at_most(result, "its support, against 1 / (1 + d^2 / J): largest error",
                                 "weight", worst, 1e-9);
    carom_plot_series series[] = {
        { "closed form", x, law, POINTS, CAROM_PLOT_LINE, "s1", NULL, 2 },
        { "Gauss's principle in space", x, ours, POINTS, CAROM_PLOT_DOTS, "s0", NULL, 3 },
    };
    carom_plot plot = { .title = "A block over the corner of a table",
                        .x = { "centre beyond the corner", "block lengths", 0, 0, false, 0 },
                        .y = { "support at the first instant", "weight", 0, 1.1, false, 0 },
                        .series = series,
                        .count = 2 };
    carom_gallery_result_plots(result, &plot, 1, 1,
                               "Support of a block pushed along the diagonal over a corner.");
    return CAROM_OK;
}

static carom_status tripod(carom_gallery_result *result, carom_error *err)
{
    carom_tower_space_instant i = { 0 };
    carom_status status =
        show(result, "tower_space/tripod_tips.json",
             "A block whose centre is beyond the column that carries it.", &i, err);
    // the centre is 3/16 beyond the edge; J of a block of 3 x 2 x 1/4 about y is 6 (9 + 1/16) / 12
    double d = 3.0 / 16, j = (9 + 1.0 / 16) / 12;
    if (status == CAROM_OK) {
        carom_gallery_result_near(result, "a block that tips over a column: its fall", "g",
                                  -d * d / (j + d * d), i.accelerations[6 * 4 + 2], 1e-9);
        carom_gallery_result_near(result, "and its turn", "g per length", d / (j + d * d),
                                  i.accelerations[6 * 4 + 4], 1e-9);
    }
    carom_tower_space_initial_free(&i);
    return status;
}

carom_status carom_gallery_tower_space(carom_gallery_result *result, carom_error *err)
{
    TRY(against_plane(result, err));
    TRY(tripod(result, err));
    TRY(corner(result, err));
    carom_gallery_result_note(
        result, "Contacts in space are the corners of the polygon, segment or point in "
                "which two polyhedra meet. The step by positions (figure 7) is not "
                "done in space: `carom run` moves such scenes.");
    return CAROM_OK;
}
