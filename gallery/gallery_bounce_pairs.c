// Two vibrating bodies of [Bounce]: figures 14, 15 and 24, and table 1.
#include "carom/random.h"
#include "gallery/gallery_bounce.h"

#include <stdio.h>
#include <string.h>

// Contacts of a body: participations of all modes, one after another, and one-body values.
typedef struct sampling {
    int count, modes;
    double *a, *w, *epsilon;
    const double *omega;
} sampling;

enum { PLACES_MAX = 200 };

// Middle and outward normal of a face.
static void face_of(const carom_mesh_source *mesh, int face, double point[3], double normal[3])
{
    const int *t = mesh->triangles + 3 * (size_t)face;
    const double *p = mesh->vertices + 3 * (size_t)t[0], *q = mesh->vertices + 3 * (size_t)t[1],
                 *r = mesh->vertices + 3 * (size_t)t[2];
    double u[3], v[3], size = 0;
    for (int i = 0; i < 3; ++i) {
        point[i] = (p[i] + q[i] + r[i]) / 3;
        u[i] = q[i] - p[i];
        v[i] = r[i] - p[i];
    }
    for (int i = 0; i < 3; ++i) {
        normal[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
        size += normal[i] * normal[i];
    }
    for (int i = 0; i < 3; ++i)
        normal[i] /= sqrt(size);
}

static carom_status take(carom_gallery_result *result, const carom_gallery_solid *solid, int count,
                         sampling *s, carom_error *err)
{
    size_t n = (size_t)count, m = (size_t)solid->count;
    *s = (sampling){ count,
                     solid->count,
                     carom_gallery_memory_take(result->memory, n * m, sizeof(double)),
                     carom_gallery_memory_take(result->memory, n, sizeof(double)),
                     carom_gallery_memory_take(result->memory, n, sizeof(double)),
                     solid->omega };
    return s->a && s->w && s->epsilon
               ? CAROM_OK
               : carom_error_set(err, CAROM_NO_MEMORY, "no memory for samples");
}

// Random faces; of many, those whose values are spread most evenly over what the body has, as in
// the paper's data.
static carom_status gather(carom_gallery_result *result, const carom_gallery_solid *solid,
                           int count, sampling *s, carom_error *err)
{
    carom_mesh_source mesh = carom_mesh_surface(solid->shape);
    carom_random random = carom_random_make(14, 0);
    carom_bounce_options options = carom_bounce_options_default();
    sampling many;
    double min = 1, max = 0;
    // so many are computed per place that is kept; few lie on the ends, which have the highest
    // values
    int candidates = result->quick ? 6 : 30;
    TRY(take(result, solid, candidates * count, &many, err));
    TRY(take(result, solid, count, s, err));
    size_t m = (size_t)solid->count;
    for (int k = 0; k < many.count; ++k) {
        double point[3], normal[3];
        face_of(&mesh, carom_random_below(&random, mesh.triangle_count), point, normal);
        TRY(carom_modal_participation(solid->modes, point, normal, many.a + (size_t)k * m,
                                      &many.w[k], err));
        carom_bounce_case one = { many.w[k], many.modes, many.a + (size_t)k * m, many.omega };
        carom_bounce_result r;
        TRY(carom_bounce_solve(&one, &options, &r, err));
        many.epsilon[k] = r.epsilon;
        min = fmin(min, r.epsilon);
        max = fmax(max, r.epsilon);
    }
    for (int k = 0; k < count; ++k) { // each candidate serves once
        double wanted = min + (max - min) * (k + 0.5) / count;
        int best = -1;
        for (int c = 0; c < many.count; ++c)
            if (many.epsilon[c] >= 0 &&
                (best < 0 || fabs(many.epsilon[c] - wanted) < fabs(many.epsilon[best] - wanted)))
                best = c;
        memcpy(s->a + (size_t)k * m, many.a + (size_t)best * m, m * sizeof(double));
        s->w[k] = many.w[best];
        s->epsilon[k] = many.epsilon[best];
        many.epsilon[best] = -1;
    }
    return CAROM_OK;
}

static carom_bounce_case case_of(const sampling *s, int k)
{
    return (carom_bounce_case){ s->w[k], s->modes, s->a + (size_t)k * (size_t)s->modes, s->omega };
}

// -- figure 14 ----------------------------------------------------------------------------------

// Dots coloured by the two-body value over the two one-body values; grid, ticks and labels by the
// plot, which gets the corners as invisible points.
static void draw_cloud(carom_gallery_result *result, const sampling *s, const double *both,
                       const char *name)
{
    static const double corner[2] = { 0, 1 };
    carom_text *text = carom_gallery_result_svg(result,
                                                "Two-body restitution of the %s against a copy of "
                                                "itself (colour) over the two one-body values.",
                                                name);
    carom_svg svg = carom_svg_begin(text, 560, 540, "two-body restitution");
    carom_plot_series none = { NULL, corner, corner, 2, CAROM_PLOT_DOTS, "paper", NULL, 0.1 };
    carom_plot plot = { .title = name,
                        .x = { "one-body restitution of the first", "", 0, 1, false, 0 },
                        .y = { "one-body restitution of the second", "", 0, 1, false, 0 },
                        .series = &none,
                        .count = 1,
                        .size = { 560, 540 } };
    carom_plot_draw(&svg, &plot);
    for (int i = 0; i < s->count; ++i)
        for (int k = 0; k < s->count; ++k) {
            // the inner box of a plot: 62, 14, 30 and 46 px from its edges
            double x = 62 + (560 - 76) * s->epsilon[i], y = 540 - 46 - (540 - 76) * s->epsilon[k];
            carom_text_add(text, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\" fill=\"#%06x\"/>\n", x,
                           y, carom_svg_ramp(both[i * s->count + k]));
        }
    for (int k = 0; k <= 10; ++k) // the scale, beside the title
        carom_text_add(text, "<rect x=\"%d\" y=\"8\" width=\"14\" height=\"10\" fill=\"#%06x\"/>\n",
                       350 + 14 * k, carom_svg_ramp(0.1 * k));
    carom_svg_text_at(&svg, (double[2]){ 344, 17 }, (carom_svg_text){ .size = 11, .anchor = "end" },
                      "two-body restitution (-)  0");
    carom_svg_text_at(&svg, (double[2]){ 508, 17 }, (carom_svg_text){ .size = 11 }, "1");
    carom_svg_end(&svg);
}

// How much two-body values differ where both one-body values are alike: were there a rule of the
// two, it would be little.
static double unlike(const sampling *s, const double *both)
{
    double max = 0;
    int n = s->count;
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k)
            for (int j = i + 1; j < n; ++j)
                if (fabs(s->epsilon[i] - s->epsilon[j]) < 0.02)
                    max = fmax(max, fabs(both[i * n + k] - both[j * n + k]));
    return max;
}

carom_status carom_gallery_bounce_cloud(carom_gallery_result *result, carom_error *err)
{
    static const char *const shapes[2] = { "bar:200x10x10mm@6mm", "rod:200x10mm@6mm" };
    static const char *const names[2] = { "bar", "rod" };
    int count = result->quick ? 24 : 60;
    carom_bounce_options options = carom_bounce_options_default();
    double *both =
        carom_gallery_memory_take(result->memory, (size_t)count * (size_t)count, sizeof *both);
    if (!both)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for pairs");
    for (int b = 0; b < 2; ++b) {
        carom_gallery_solid solid;
        sampling s;
        carom_status status = carom_gallery_bounce_solid(
            result, shapes[b], (carom_gallery_fine){ 45, 1, 12000 }, &solid, err);
        if (status == CAROM_OK)
            status = gather(result, &solid, count, &s, err);
        double own = 0, order = 0, off = 0;
        for (int i = 0; i < count && status == CAROM_OK; ++i)
            for (int k = 0; k < count && status == CAROM_OK; ++k) {
                carom_bounce_case first = case_of(&s, i), second = case_of(&s, k);
                carom_bounce_result r = { 0 };
                status = carom_bounce_pair(&first, &second, &options, &r, err);
                both[i * count + k] = r.epsilon;
                if (i == k)
                    own = fmax(own, fabs(r.epsilon - s.epsilon[i]));
                if (k < i)
                    order += fabs(r.epsilon - both[k * count + i]) / (0.5 * count * (count - 1));
                off += fabs(r.epsilon - (s.epsilon[i] + s.epsilon[k]) / 2) / (count * count);
            }
        if (status == CAROM_OK) {
            char what[100];
            draw_cloud(result, &s, both, names[b]);
            snprintf(what, sizeof what,
                     "%s: a place against itself, difference to one body (the "
                     "mirror of figure 13)",
                     names[b]);
            carom_gallery_result_at_most(result, what, "", own, 1e-6);
            snprintf(what, sizeof what, "%s: mean difference when the two are exchanged", names[b]);
            carom_gallery_result_at_most(result, what, "", order, 1e-3);
            snprintf(what, sizeof what, "%s: mean distance to the arithmetic mean", names[b]);
            carom_gallery_result_number(result, what, "", b ? 0.108 : 0.114, off);
            snprintf(what, sizeof what,
                     "%s: largest difference of pairs whose one-body values agree to 0.02",
                     names[b]);
            carom_gallery_result_at_least(result, what, "", unlike(&s, both), 0.1);
        }
        carom_gallery_bounce_close(&solid);
        TRY(status);
    }
    if (result->quick)
        carom_gallery_result_smaller(result, "24 places per body (576 pairs) instead of 60.");
    carom_gallery_result_note(result,
                              "The paper has 200 places of four more bodies that are not at "
                              "hand.");
    return CAROM_OK;
}

// -- table 1 ------------------------------------------------------------------------------------

carom_status carom_gallery_bounce_rules(carom_gallery_result *result, carom_error *err)
{
    static const char *const shapes[2][2] = {
        { "bar:200x10x10mm@6mm", "rod:200x10mm@6mm" },
        { "bar:200x10x10mm@2mm", "rod:200x10mm@2mm" },
    };
    static const char *const names[2] = { "bar", "rod" };
    // table 1, columns RectBar and Rod, in the order of CAROM_RESTITUTION_RULE_LIST
    static const double paper[2][CAROM_RESTITUTION_RULE_COUNT] = {
        { NAN, 0.114, 0.117, 0.128, 0.124, 0.136, 0.152, 0.190 },
        { NAN, 0.108, 0.112, 0.124, 0.119, 0.136, 0.158, 0.198 },
    };
    int count = result->quick ? 40 : PLACES_MAX;
    double x[CAROM_RESTITUTION_RULE_COUNT], ours[2][CAROM_RESTITUTION_RULE_COUNT];
    carom_bounce_options options = carom_bounce_options_default();
    for (int b = 0; b < 2; ++b) {
        carom_gallery_solid solid;
        sampling s;
        carom_bounce_study study = { 0 };
        carom_status status = carom_gallery_bounce_solid(
            result, shapes[!result->quick][b],
            (carom_gallery_fine){ 45, result->quick ? 1 : 2, result->quick ? 12000 : 40000 },
            &solid, err);
        if (status == CAROM_OK)
            status = gather(result, &solid, count, &s, err);
        if (status == CAROM_OK) {
            carom_bounce_batch batch = { s.modes, s.count, s.omega, s.w, s.a, 1 };
            status = carom_bounce_study_run(&batch, &batch, &options, &study, err);
        }
        carom_gallery_bounce_close(&solid);
        TRY(status);
        double best = 1, worst = 0;
        for (int r = CAROM_RESTITUTION_ARITHMETIC; r < CAROM_RESTITUTION_RULE_COUNT; ++r) {
            best = fmin(best, study.error[r]);
            worst = fmax(worst, study.error[r]);
        }
        for (int r = 0; r < CAROM_RESTITUTION_RULE_COUNT; ++r) {
            char what[100];
            x[r] = r + 1;
            ours[b][r] = study.error[r];
            snprintf(what, sizeof what, "%s, %s: mean error", names[b],
                     carom_restitution_rule_name((carom_restitution_rule)r));
            if (isnan(paper[b][r]))
                carom_gallery_result_number(result, what, "", NAN, study.error[r]);
            else
                carom_gallery_result_near(result, what, "", paper[b][r], study.error[r], 0.02);
        }
        carom_gallery_result_holds(result, study.error[CAROM_RESTITUTION_ARITHMETIC] <= best,
                                   "%s: the arithmetic mean is the best of the seven (%.3f, best "
                                   "%.3f)",
                                   names[b], study.error[CAROM_RESTITUTION_ARITHMETIC], best);
        carom_gallery_result_holds(result, study.error[CAROM_RESTITUTION_MAX] >= worst,
                                   "%s: the maximum is the worst of the seven", names[b]);
        carom_gallery_result_holds(
            result,
            study.error[CAROM_RESTITUTION_WEIGHTED] < study.error[CAROM_RESTITUTION_ARITHMETIC],
            "%s: our mean weighted by the bodies' responses is better than the arithmetic one",
            names[b]);
    }
    carom_plot_series series[4] = {
        { "bar", x, ours[0], CAROM_RESTITUTION_RULE_COUNT, CAROM_PLOT_LINE, "s0", NULL, 2 },
        { "rod", x, ours[1], CAROM_RESTITUTION_RULE_COUNT, CAROM_PLOT_LINE, "s1", NULL, 2 },
        { "paper, bar", x + 1, paper[0] + 1, CAROM_RESTITUTION_RULE_COUNT - 1, CAROM_PLOT_DOTS,
          "s0", NULL, 4 },
        { "paper, rod", x + 1, paper[1] + 1, CAROM_RESTITUTION_RULE_COUNT - 1, CAROM_PLOT_DOTS,
          "s1", NULL, 4 },
    };
    static const char *const ticks[] = { "weighted", "arithmetic", "geometric",
                                         "harmonic", "geo. flip",  "harm. flip",
                                         "min",      "max",        NULL };
    carom_plot plot = { .title = "Mean error of the rules",
                        .names = ticks,
                        .x = { "rule", "", 0.5, 8.5, false, 0 },
                        .y = { "mean error of restitution", "", 0, 0.22, false, 0 },
                        .series = series,
                        .count = 4 };
    carom_gallery_result_plots(result, &plot, 1, 1,
                               "How well one-body values predict two-body values.");
    if (result->quick)
        carom_gallery_result_smaller(
            result, "40 places per body (1600 pairs) instead of 200, coarser meshes.");
    return CAROM_OK;
}

// -- figures 15 and 24 --------------------------------------------------------------------------

// Least and largest coordinates of the mesh.
static void extent(const carom_gallery_solid *solid, double min[3], double max[3])
{
    carom_mesh_source mesh = carom_mesh_surface(solid->shape);
    for (int k = 0; k < 3; ++k) {
        min[k] = HUGE_VAL;
        max[k] = -HUGE_VAL;
    }
    for (int v = 0; v < mesh.vertex_count; ++v)
        for (int k = 0; k < 3; ++k) {
            min[k] = fmin(min[k], mesh.vertices[3 * (size_t)v + (size_t)k]);
            max[k] = fmax(max[k], mesh.vertices[3 * (size_t)v + (size_t)k]);
        }
}

static carom_status draw_map(carom_gallery_result *result, const carom_gallery_solid *solid,
                             const char *title, const char *caption, carom_error *err)
{
    carom_bounce_map *map = NULL;
    carom_status status = carom_gallery_bounce_bake(result, solid, &map, err);
    if (status == CAROM_OK)
        status = carom_gallery_bounce_draw(result, map, title, caption, err);
    carom_bounce_map_destroy(map);
    return status;
}

carom_status carom_gallery_bounce_hockey(carom_gallery_result *result, carom_error *err)
{
    enum { PLACES = 27 };
    carom_gallery_solid stick;
    double x[PLACES], one[PLACES], pass[PLACES], min[3], max[3];
    static const double up[3] = { 0, 0, 1 };
    carom_status status = carom_gallery_bounce_solid(
        result, result->quick ? "hockey:1300x20mm@40mm" : "hockey:1300x20mm@20mm",
        result->quick ? (carom_gallery_fine){ 20, 1, 12000 } : (carom_gallery_fine){ 45, 2, 50000 },
        &stick, err);
    if (status == CAROM_OK)
        extent(&stick, min, max);
    for (int k = 0; k < PLACES && status == CAROM_OK; ++k) {
        carom_bounce_result r = { 0 };
        // the blade: 30 cm along x from its heel, 6 cm high, its far end at the largest x
        double along = 0.02 + 0.27 * k / (PLACES - 1),
               point[3] = { max[0] - 0.31 + along, min[1] + 0.03, max[2] };
        status = carom_gallery_bounce_at(result, &stick, point, up, 0, NULL, &r, err);
        x[k] = 100 * along;
        one[k] = r.epsilon;
        pass[k] = (r.epsilon + 0.12) / 2; // puck 0.12, arithmetic mean
    }
    if (status == CAROM_OK)
        status = draw_map(result, &stick, "hockey stick", "The stick from two sides.", err);
    carom_gallery_bounce_close(&stick);
    TRY(status);
    double heel = 0, tip = 0, sweet = 1; // best of the outer thirds, dullest of the middle one
    for (int k = 0; k < PLACES; ++k) {
        if (x[k] < 31.0 / 3)
            heel = fmax(heel, pass[k]);
        else if (x[k] > 2 * 31.0 / 3)
            tip = fmax(tip, pass[k]);
        else
            sweet = fmin(sweet, pass[k]);
    }
    carom_plot_series series[2] = {
        { "stick", x, one, PLACES, CAROM_PLOT_LINE, "s0", NULL, 2 },
        { "stick and puck, arithmetic mean", x, pass, PLACES, CAROM_PLOT_LINE, "s1", NULL, 2 },
    };
    carom_plot plot = { .title = "Restitution along the blade of a hockey stick",
                        .x = { "place from the heel", "cm", 0, 31, false, 0 },
                        .y = { "restitution", "", 0, 1, false, 0 },
                        .series = series,
                        .count = 2 };
    carom_gallery_result_plots(result, &plot, 1, 1,
                               "Along the middle line of the blade, from heel to tip.");
    carom_gallery_result_number(result, "stick and puck, dullest place of the middle third", "",
                                NAN, sweet);
    carom_gallery_result_at_least(result, "best place towards the heel, over that", "",
                                  heel / sweet, 1.5);
    carom_gallery_result_at_least(result, "best place towards the tip, over that", "", tip / sweet,
                                  1.5);
    carom_gallery_result_note(result,
                              "The puck itself is not computed: its value 0.12 is the paper's. "
                              "The stick is a stand-in with proportions of ours.");
    TRY(carom_gallery_bounce_passes(result, err));
    if (result->quick)
        carom_gallery_result_smaller(result, "20 modes instead of 45, one cell across.");
    return CAROM_OK;
}

// A ruler falls flat with its middle on a place of the table.
typedef struct fall {
    double table, ruler, weighted, both;
} fall;

static carom_status drop(carom_gallery_result *result, const carom_gallery_solid *table,
                         const carom_gallery_solid *ruler, const double at[3], fall *out,
                         carom_error *err)
{
    static const double up[3] = { 0, 0, 1 }, down[3] = { 0, 0, -1 };
    double min[3], max[3], w[2];
    size_t sizes[2] = { (size_t)table->count, (size_t)ruler->count };
    double *a = carom_gallery_memory_take(result->memory, sizes[0], sizeof *a),
           *b = carom_gallery_memory_take(result->memory, sizes[1], sizeof *b);
    carom_bounce_options options = carom_bounce_options_default();
    carom_bounce_result r;
    if (!a || !b)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for a contact");
    extent(ruler, min, max);
    double under[3] = { 0.3 * max[0], 0, min[2] };
    TRY(carom_modal_participation(table->modes, at, up, a, &w[0], err));
    TRY(carom_modal_participation(ruler->modes, under, down, b, &w[1], err));
    carom_bounce_case first = { w[0], table->count, a, table->omega },
                      second = { w[1], ruler->count, b, ruler->omega };
    TRY(carom_bounce_solve(&first, &options, &r, err));
    out->table = r.epsilon;
    TRY(carom_bounce_solve(&second, &options, &r, err));
    out->ruler = r.epsilon;
    out->weighted = carom_restitution_rule_combine(CAROM_RESTITUTION_ARITHMETIC,
                                                   (double[2]){ out->table, out->ruler }, w);
    TRY(carom_bounce_pair(&first, &second, &options, &r, err));
    out->both = r.epsilon;
    return CAROM_OK;
}

carom_status carom_gallery_bounce_ruler(carom_gallery_result *result, carom_error *err)
{
    enum { PLACES = 25 };
    carom_gallery_solid table, ruler = { 0 };
    double x[PLACES], one[PLACES], pair[PLACES], height[PLACES], min[3], max[3];
    carom_status status = carom_gallery_bounce_solid(
        result, "table:1200x800x750x50mm@100mm",
        (carom_gallery_fine){ result->quick ? 20 : 45, 1, result->quick ? 10000 : 40000 }, &table,
        err);
    if (status == CAROM_OK)
        status = carom_gallery_bounce_solid(result, "ruler:300x30x6mm@10mm",
                                            (carom_gallery_fine){ 30, 1, 12000 }, &ruler, err);
    if (status == CAROM_OK)
        extent(&table, min, max);
    for (int k = 0; k < PLACES && status == CAROM_OK; ++k) {
        fall f = { 0 };
        double share = 0.9 * k / (PLACES - 1), at[3] = { share * max[0], share * max[1], max[2] };
        status = drop(result, &table, &ruler, at, &f, err);
        x[k] = 100 * share;
        one[k] = f.table;
        pair[k] = f.weighted;
        height[k] = 100 * f.weighted * f.weighted; // v^2 / 2 g
    }
    if (status == CAROM_OK)
        status = draw_map(result, &table, "table", "The table from two sides.", err);
    if (status == CAROM_OK)
        status = draw_map(result, &ruler, "ruler", "The ruler from two sides.", err);
    carom_gallery_bounce_close(&table);
    carom_gallery_bounce_close(&ruler);
    TRY(status);
    double centre = (one[0] + one[1]) / 2, off = 1, lowest = HUGE_VAL;
    for (int k = 6; k < 20; ++k) {
        off = fmin(off, one[k]);
        lowest = fmin(lowest, height[k]);
    }
    carom_plot_series series[2] = {
        { "table alone", x, one, PLACES, CAROM_PLOT_LINE, "s0", NULL, 2 },
        { "ruler and table, arithmetic mean", x, pair, PLACES, CAROM_PLOT_LINE, "s1", NULL, 2 },
    };
    carom_plot_series bounce = { NULL, x, height, PLACES, CAROM_PLOT_LINE, "s2", NULL, 2 };
    carom_plot plots[2] = {
        { .title = "Restitution from the middle of the table to a corner",
          .x = { "way from the middle to the corner", "%", 0, 90, false, 0 },
          .y = { "restitution", "", 0, 1, false, 0 },
          .series = series,
          .count = 2 },
        { .title = "How high the ruler comes back, dropped from 1 m",
          .x = { "way from the middle to the corner", "%", 0, 90, false, 0 },
          .y = { "height", "cm", 0, 0, false, 0 },
          .series = &bounce,
          .count = 1 },
    };
    carom_gallery_result_plots(result, plots, 2, 2,
                               "A ruler falls on a table: where it falls decides how high it comes "
                               "back.");
    carom_gallery_result_number(result, "table, middle", "", NAN, centre);
    carom_gallery_result_number(result, "table, dullest place between middle and corner", "", NAN,
                                off);
    carom_gallery_result_holds(result, centre > off + 0.2,
                               "the middle of the table is far bouncier (%.2f) than places off the "
                               "centre (%.2f)",
                               centre, off);
    carom_gallery_result_at_least(result, "height at the middle over the least height", "",
                                  height[0] / lowest, 1.2);
    TRY(carom_gallery_bounce_falls(result, err));
    if (result->quick)
        carom_gallery_result_smaller(result,
                                     "the table with 20 modes instead of 45, coarser cells.");
    return CAROM_OK;
}
