// The sketches of [Collapse] as pictures with numbers: figures 4, 5, 8 and 10.
#include "gallery/gallery_tower.h"

#include <stdio.h>

// Twice the signed area of a triangle: positive where k is left of the way from i to j.
static double area(const double i[2], const double j[2], const double k[2])
{
    return (j[0] - i[0]) * (k[1] - i[1]) - (j[1] - i[1]) * (k[0] - i[0]);
}

// Metres to pixels.
typedef struct view {
    carom_svg svg;
    double x, y, scale;
} view;

static void to_px(const view *v, const double at[2], double out[2])
{
    out[0] = v->x + v->scale * at[0];
    out[1] = v->y - v->scale * at[1];
}

static void dot(view *v, const double at[2], double radius, const char *role)
{
    double p[2];
    to_px(v, at, p);
    carom_svg_circle(&v->svg, p, radius, (carom_svg_style){ .fill = role });
}

static void bar(view *v, const double a[2], const double b[2], const char *role, const char *dash)
{
    double p[2], q[2];
    to_px(v, a, p);
    to_px(v, b, q);
    carom_svg_line(&v->svg, p, q, (carom_svg_style){ .stroke = role, .width = 2, .dash = dash });
}

static void arrow(view *v, const double a[2], const double b[2], const char *role)
{
    double p[2], q[2];
    to_px(v, a, p);
    to_px(v, b, q);
    carom_svg_arrow(&v->svg, p, q, (carom_svg_style){ .stroke = role, .fill = role, .width = 2 });
}

static void words(view *v, const double at[2], double dx, double dy, const char *text)
{
    double p[2];
    to_px(v, at, p);
    p[0] += dx;
    p[1] += dy;
    carom_svg_text_at(&v->svg, p, (carom_svg_text){ 13, "middle", NULL, 0, 0 }, text);
}

// -- figures 4 and 10: frameworks ---------------------------------------------------------------

enum { POINTS_MAX = 9, BARS_MAX = 20 };

typedef struct framework {
    int points, bars;
    double at[POINTS_MAX][2], mass[POINTS_MAX];
    int bar[BARS_MAX][2];
} framework;

// Rank of the matrix whose rows are the changes of the bars' lengths: Gauss with full pivots.
static int rigidity_rank(const framework *f)
{
    double row[BARS_MAX][2 * POINTS_MAX] = { { 0 } };
    int columns = 2 * f->points, rank = 0;
    for (int b = 0; b < f->bars; ++b)
        for (int k = 0; k < 2; ++k) {
            double d = f->at[f->bar[b][0]][k] - f->at[f->bar[b][1]][k];
            row[b][2 * f->bar[b][0] + k] = d;
            row[b][2 * f->bar[b][1] + k] = -d;
        }
    for (; rank < f->bars; ++rank) {
        int r = rank, c = 0;
        for (int i = rank; i < f->bars; ++i)
            for (int k = 0; k < columns; ++k)
                if (fabs(row[i][k]) > fabs(row[r][c])) {
                    r = i;
                    c = k;
                }
        if (fabs(row[r][c]) < 1e-10)
            break;
        for (int k = 0; k < columns; ++k) {
            double keep = row[rank][k];
            row[rank][k] = row[r][k];
            row[r][k] = keep;
        }
        for (int i = rank + 1; i < f->bars; ++i) {
            double factor = row[i][c] / row[rank][c];
            for (int k = 0; k < columns; ++k)
                row[i][k] -= factor * row[rank][k];
        }
    }
    return rank;
}

static void draw_framework(carom_gallery_result *result, const framework *f, const char *caption)
{
    carom_text *text = carom_gallery_result_svg(result, "%s", caption);
    view v = { carom_svg_begin(text, 720, 280, result->entry->title), 360, 140, 560 };
    for (int b = 0; b < f->bars; ++b)
        bar(&v, f->at[f->bar[b][0]], f->at[f->bar[b][1]], "s0", NULL);
    for (int p = 0; p < f->points; ++p) {
        char mass[24];
        dot(&v, f->at[p], 4 + 18 * sqrt(f->mass[p]), "s1");
        snprintf(mass, sizeof mass, "%.4g", f->mass[p]);
        words(&v, f->at[p], 0, f->at[p][1] > 0 ? -18 : 30, mass);
    }
    carom_svg_end(&v.svg);
}

// The brick of figure 4 and a rigid one, both 0.1 beyond the edge of a table.
static carom_status tip(int points, carom_tower_mass spread, double *force, carom_error *err)
{
    carom_tower_body brick = { .width = 1, .height = 0.25, .x = 0.1, .y = 0.125, .spread = spread };
    carom_tower *tower = carom_tower_create(1);
    carom_tower_instant instant = { 0 };
    carom_status status = tower ? CAROM_OK : carom_error_set(err, CAROM_NO_MEMORY, "no memory");
    if (status == CAROM_OK)
        status = points ? carom_tower_framework_add(tower, &brick, points, NULL, err)
                        : carom_tower_add_body(tower, &brick, NULL, err);
    if (status == CAROM_OK)
        status = carom_tower_add_table(tower, -HUGE_VAL, 0, 0, err);
    if (status == CAROM_OK)
        status = carom_tower_initial(tower, CAROM_TOWER_AUTO, &instant, err);
    *force = instant.support_force;
    carom_tower_initial_free(&instant);
    carom_tower_destroy(tower);
    return status;
}

carom_status carom_gallery_tower_brick(carom_gallery_result *result, carom_error *err)
{
    framework f = { 4,
                    5,
                    { { -0.5, -0.125 }, { 0.5, -0.125 }, { 0.5, 0.125 }, { -0.5, 0.125 } },
                    { 0.25, 0.25, 0.25, 0.25 },
                    { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 0 }, { 0, 2 } } };
    double points, rigid;
    draw_framework(result, &f,
                   "Four point masses, four sides and one diagonal; numbers are masses.");
    TRY(tip(4, CAROM_TOWER_CORNERS, &points, err));
    TRY(tip(0, CAROM_TOWER_CORNERS, &rigid, err));
    carom_gallery_result_near(result, "rank of the five length equations (rigid: 2 x 4 - 3)", "", 5,
                              rigidity_rank(&f), 0);
    f.bars = 4;
    carom_gallery_result_near(result, "rank without the diagonal: not rigid", "", 4,
                              rigidity_rank(&f), 0);
    carom_gallery_result_near(result,
                              "force of a table under the tipping framework, against a rigid "
                              "brick with its mass in the corners",
                              "m g", rigid, points, 1e-12);
    carom_gallery_result_near(result, "the same in closed form: I / (I + d^2), I = 17/64, d = 1/10",
                              "m g", (17.0 / 64) / (17.0 / 64 + 0.01), points, 1e-12);
    return CAROM_OK;
}

carom_status carom_gallery_tower_masses(carom_gallery_result *result, carom_error *err)
{
    static const double simpson[3] = { 1.0 / 6, 4.0 / 6, 1.0 / 6 };
    static const char *const names[6] = { "1", "x", "y", "x^2", "x y", "y^2" };
    static const double exact[6] = { 1, 0, 0, 1.0 / 12, 0, 1.0 / 192 };
    framework f = { 9, 16, { { 0 } }, { 0 }, { { 0 } } };
    double moment[6] = { 0 }, corners = 0, points, rigid;
    int bars = 0;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            int p = 3 * r + c;
            f.at[p][0] = (c - 1) * 0.5;
            f.at[p][1] = (r - 1) * 0.125;
            f.mass[p] = simpson[r] * simpson[c];
            if (c < 2)
                f.bar[bars][0] = p, f.bar[bars++][1] = p + 1;
            if (r < 2)
                f.bar[bars][0] = p, f.bar[bars++][1] = p + 3;
            if (c < 2 && r < 2)
                f.bar[bars][0] = p, f.bar[bars++][1] = p + 4;
            double x = f.at[p][0], y = f.at[p][1], value[6] = { 1, x, y, x * x, x * y, y * y };
            for (int k = 0; k < 6; ++k)
                moment[k] += f.mass[p] * value[k];
        }
    for (int k = 0; k < 4; ++k) // the brick of figure 4, for comparison
        corners += 0.25 * (0.25 + 0.015625);
    f.bars = bars;
    draw_framework(result, &f,
                   "Nine points with masses 1/36, 1/9 and 4/9 (the numbers beside them), and "
                   "sixteen bars of which one is redundant.");
    for (int k = 0; k < 6; ++k) {
        char what[80];
        snprintf(what, sizeof what, "moment of %s against the homogeneous rectangle", names[k]);
        carom_gallery_result_near(result, what, "brick units", exact[k], moment[k], 1e-15);
    }
    carom_gallery_result_near(result, "bars", "", 16, bars, 0);
    carom_gallery_result_near(result, "rank of their equations: one bar is redundant", "", 15,
                              rigidity_rank(&f), 0);
    TRY(tip(9, CAROM_TOWER_HOMOGENEOUS, &points, err));
    TRY(tip(0, CAROM_TOWER_HOMOGENEOUS, &rigid, err));
    carom_gallery_result_near(result,
                              "force of a table under the tipping framework, against a "
                              "homogeneous brick",
                              "m g", rigid, points, 1e-12);
    carom_gallery_result_number(result, "inertia with four corner masses, of the homogeneous one",
                                "", NAN, corners / (moment[3] + moment[5]));
    return CAROM_OK;
}

// -- figures 5 and 8: sidedness -----------------------------------------------------------------

carom_status carom_gallery_tower_sides(carom_gallery_result *result, carom_error *err)
{
    static const double i[2] = { -0.5, 0 }, j[2] = { 0.5, 0 };
    static const double k[3][2] = { { 0.1, 0.25 }, { 0.1, -0.12 }, { 0.75, -0.25 } };
    static const char *const names[3] = { "outside: A > 0", "inside: A < 0, forbidden",
                                          "around the end: A < 0, allowed" };
    carom_text *text = carom_gallery_result_svg(
        result,
        "A corner k and the edge from i to j. The sign of the area keeps it outside near the "
        "edge; far beyond the end the same sign means nothing.");
    carom_svg svg = carom_svg_begin(text, 900, 240, result->entry->title);
    for (int n = 0; n < 3; ++n) {
        view v = { svg, 150 + 300.0 * n, 110, 190 };
        double below[2][2] = { { -0.5, -0.4 }, { 0.5, -0.4 } };
        bar(&v, i, j, "s0", NULL);
        bar(&v, i, below[0], "faint", NULL);
        bar(&v, j, below[1], "faint", NULL);
        bar(&v, i, k[n], "mid", "4 3");
        bar(&v, j, k[n], "mid", "4 3");
        dot(&v, k[n], 5, n == 1 ? "hot" : "s2");
        words(&v, i, -8, -8, "i");
        words(&v, j, 8, -8, "j");
        words(&v, k[n], 12, 4, "k");
        double at[2] = { 0, -0.6 };
        words(&v, at, 0, 0, names[n]);
    }
    carom_svg_end(&svg);
    carom_gallery_result_number(result, "twice the area, corner outside", "m^2", NAN,
                                area(i, j, k[0]));
    carom_gallery_result_holds(result, area(i, j, k[0]) > 0 && area(i, j, k[1]) < 0,
                               "the sign tells outside from inside near the edge");
    carom_gallery_result_holds(result, area(i, j, k[2]) < 0,
                               "beyond the end of the edge it is negative without any overlap");
    // A brick falls past the end of a table: the line through its top must not stop it.
    carom_tower *tower = carom_tower_create(1);
    carom_tower_body brick = { .width = 1, .height = 0.25, .x = 0.51, .y = 0.5 };
    carom_tower_motion *motion = NULL;
    carom_tower_motion_options options = carom_tower_motion_default();
    carom_status status = tower ? CAROM_OK : carom_error_set(err, CAROM_NO_MEMORY, "no memory");
    if (status == CAROM_OK)
        status = carom_tower_add_body(tower, &brick, NULL, err);
    if (status == CAROM_OK)
        status = carom_tower_add_table(tower, -HUGE_VAL, 0, 0, err);
    if (status == CAROM_OK)
        status = carom_tower_motion_create(tower, &options, &motion, err);
    for (int n = 0; n < 256 && status == CAROM_OK; ++n)
        status = carom_tower_motion_step(motion, NULL, err);
    if (status == CAROM_OK) {
        double place[3];
        carom_tower_motion_place(motion, 0, place);
        carom_gallery_result_near(result, "height after 2 s of falling past the edge", "m", 0.5 - 2,
                                  place[1], 1e-9);
        carom_gallery_result_near(result, "its angle: the edge did not touch it", "rad", 0,
                                  place[2], 1e-12);
    }
    carom_tower_motion_destroy(motion);
    carom_tower_destroy(tower);
    return status;
}

carom_status carom_gallery_tower_linear(carom_gallery_result *result, carom_error *err)
{
    (void)err;
    static const double i[2] = { -0.5, 0 }, j[2] = { 0.5, 0 }, k[2] = { 0.1, 0 };
    static const double di[2] = { 0.05, 0.06 }, dj[2] = { 0.02, 0.14 }, dk[2] = { 0.2, 0.2 };
    double x[6], exact[6], off[6], alpha = k[0] - i[0];
    for (int n = 0; n < 6; ++n) {
        double h = 1.0 / (1 << n);
        double pi[2] = { i[0] + h * di[0], i[1] + h * di[1] },
               pj[2] = { j[0] + h * dj[0], j[1] + h * dj[1] },
               pk[2] = { k[0] + h * dk[0], k[1] + h * dk[1] };
        // the component across the edge of the corner's motion against that of its foot
        double linear = h * (dk[1] - ((1 - alpha) * di[1] + alpha * dj[1]));
        x[n] = h;
        exact[n] = area(pi, pj, pk);
        off[n] = fabs(exact[n] - linear);
    }
    carom_text *text = carom_gallery_result_svg(
        result, "The condition looks only at the motion across the old edge: of the corner, and of "
                "the point of the edge it stood on.");
    view v = { carom_svg_begin(text, 720, 220, result->entry->title), 360, 170, 500 };
    double ni[2] = { i[0] + di[0], i[1] + di[1] }, nj[2] = { j[0] + dj[0], j[1] + dj[1] },
           nk[2] = { k[0] + dk[0], k[1] + dk[1] }, across[2] = { k[0], nk[1] };
    double foot[2] = { k[0], (1 - alpha) * di[1] + alpha * dj[1] };
    bar(&v, i, j, "s0", NULL);
    bar(&v, ni, nj, "s0", "6 4");
    arrow(&v, k, nk, "s1");
    arrow(&v, k, across, "s2");
    arrow(&v, k, foot, "hot");
    dot(&v, k, 4, "ink");
    dot(&v, nk, 4, "s1");
    words(&v, i, 150, 24, "the edge from i to j: before (full), after (dashed)");
    words(&v, nk, 60, 4, "motion of k");
    words(&v, across, -90, -6, "its part across the edge");
    words(&v, foot, 80, 22, "that of the foot");
    carom_svg_end(&v.svg);
    carom_plot_series series[] = { { "linear condition", x, off, 6, CAROM_PLOT_LINE, "s1", NULL,
                                     2 } };
    carom_plot plot = { .title = "What the linear condition leaves out",
                        .x = { "size of the motion, of that drawn", "", 0.02, 1, true, 0 },
                        .y = { "difference to twice the area", "m^2", 0, 0, true, 0 },
                        .series = series,
                        .count = 1 };
    carom_gallery_result_plots(result, &plot, 1, 1, "It is of second order in the motion.");
    carom_gallery_result_near(result, "order of the error of the linear condition", "", 2,
                              log2(off[4] / off[5]), 0.05);
    carom_gallery_result_holds(result, exact[5] > 0 && foot[1] < across[1],
                               "the corner stays outside where its part across is larger than the "
                               "foot's");
    return CAROM_OK;
}
