// Bounce maps as SVG: the model from two sides coloured by restitution, and what is in the map.
#include "carom/bounce_map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "draw/plot.h"
#include "math/vec.h"

enum { DOTS_MAX = 3000, DRAWN_MAX = 60000, WIDTH = 980 };

// -- the model ------------------------------------------------------------------------------------

typedef struct drawn {
    double depth;
    int face;
} drawn;

static int by_depth(const void *left, const void *right)
{
    const drawn *a = left, *b = right;
    int order = (a->depth > b->depth) - (a->depth < b->depth);
    return order ? order : (a->face > b->face) - (a->face < b->face);
}

typedef struct view {
    vec3 right, up, toward; // unit: to the right, up, to the eye
    double corner[2], size[2];
} view;

static vec3 in_view(const view *v, vec3 p)
{
    return vec3_make(vec3_dot(p, v->right), vec3_dot(p, v->up), vec3_dot(p, v->toward));
}

// Faces that look at the eye, far ones first.
static int sort_faces(const carom_mesh_source *s, const view *v, drawn *list)
{
    int count = 0;
    for (int f = 0; f < s->triangle_count; ++f) {
        vec3 p[3];
        for (int k = 0; k < 3; ++k)
            p[k] = in_view(v, vec3_from(s->vertices + 3 * (size_t)s->triangles[3 * f + k]));
        double facing =
            (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x);
        if (facing > 0)
            list[count++] = (drawn){ p[0].z + p[1].z + p[2].z, f };
    }
    qsort(list, (size_t)count, sizeof *list, by_depth);
    return count;
}

static void draw_model(carom_svg *svg, const carom_bounce_map *map, const view *v, drawn *list)
{
    carom_mesh_source s = carom_mesh_surface(carom_bounce_map_mesh(map));
    int count = sort_faces(&s, v, list);
    double low[2] = { HUGE_VAL, HUGE_VAL }, high[2] = { -HUGE_VAL, -HUGE_VAL };
    for (int i = 0; i < s.vertex_count; ++i) {
        vec3 p = in_view(v, vec3_from(s.vertices + 3 * (size_t)i));
        low[0] = fmin(low[0], p.x);
        high[0] = fmax(high[0], p.x);
        low[1] = fmin(low[1], p.y);
        high[1] = fmax(high[1], p.y);
    }
    double scale = fmin(v->size[0] / (high[0] - low[0]), v->size[1] / (high[1] - low[1]));
    double centre[2] = { v->corner[0] + 0.5 * v->size[0], v->corner[1] + 0.5 * v->size[1] };
    carom_text_add(svg->text, "<g stroke-width=\".4\" stroke-linejoin=\"round\">\n");
    for (int i = 0; i < count; ++i) {
        unsigned colour =
            carom_svg_ramp(carom_bounce_map_sample(map, list[i].face, NULL, NULL).epsilon);
        carom_text_add(svg->text, "<path fill=\"#%06x\" stroke=\"#%06x\" d=\"", colour, colour);
        for (int k = 0; k < 3; ++k) {
            vec3 p =
                in_view(v, vec3_from(s.vertices + 3 * (size_t)s.triangles[3 * list[i].face + k]));
            carom_text_add(svg->text, "%c%.1f %.1f", k ? 'L' : 'M',
                           centre[0] + scale * (p.x - 0.5 * (low[0] + high[0])),
                           centre[1] - scale * (p.y - 0.5 * (low[1] + high[1])));
        }
        carom_text_add(svg->text, "z\"/>\n");
    }
    carom_text_add(svg->text, "</g>\n");
}

static void draw_scale(carom_svg *svg, double x, double y, double width)
{
    for (int k = 0; k < 50; ++k)
        carom_text_add(
            svg->text,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"12\" fill=\"#%06x\"/>\n",
            x + width * k / 50, y, width / 50 + 0.5, carom_svg_ramp((k + 0.5) / 50));
    for (int k = 0; k <= 5; ++k) {
        char words[8];
        snprintf(words, sizeof words, "%.1f", 0.2 * k);
        double at[2] = { x + width * 0.2 * k, y + 27 };
        carom_svg_text_at(svg, at, (carom_svg_text){ .anchor = "middle" }, words);
    }
    double label[2] = { x + width + 16, y + 11 };
    carom_svg_text_at(svg, label, (carom_svg_text){ 0 }, "restitution");
}

// -- plots ----------------------------------------------------------------------------------------

typedef struct dots {
    double x[DOTS_MAX], y[DOTS_MAX], at[CAROM_BOUNCE_BINS], height[CAROM_BOUNCE_BINS];
    int count;
} dots;

static void draw_plots(carom_svg *svg, const carom_bounce_map *map, const double corner[2])
{
    dots *d = calloc(1, sizeof *d);
    if (!d) {
        svg->text->failed = true;
        return;
    }
    carom_bounce_statistics s = carom_bounce_map_statistics(map, CAROM_BOUNCE_FACE);
    int bins = 0;
    for (int k = 0; k < CAROM_BOUNCE_BINS; ++k) {
        if (s.histogram[k] == 0)
            continue;
        d->at[bins] = (k + 0.5) / CAROM_BOUNCE_BINS;
        d->height[bins++] = 100.0 * s.histogram[k] / s.count;
    }
    int faces = carom_bounce_map_about(map)->faces, stride = faces / DOTS_MAX + 1;
    for (int f = 0; f < faces && d->count < DOTS_MAX; f += stride) {
        carom_bounce_value v = carom_bounce_map_sample(map, f, NULL, NULL);
        if (v.tau <= 0)
            continue;
        d->x[d->count] = 1e6 * v.tau;
        d->y[d->count++] = v.epsilon;
    }
    carom_plot_series bars = {
        .x = d->at, .y = d->height, .count = bins, .kind = CAROM_PLOT_BARS, .width = 14
    };
    carom_plot_series cloud = {
        .x = d->x, .y = d->y, .count = d->count, .kind = CAROM_PLOT_DOTS, .width = 1.2
    };
    carom_plot plots[2] = {
        { .title = "Faces by restitution",
          .x = { .label = "restitution", .min = 0, .max = 1 },
          .y = { .label = "share", .unit = "%" },
          .series = &bars,
          .count = 1 },
        { .title = "Restitution and contact time",
          .x = { .label = "contact time", .unit = "us", .log = true },
          .y = { .label = "restitution", .min = 0, .max = 1 },
          .series = &cloud,
          .count = 1 },
    };
    for (int k = 0; k < 2; ++k) {
        plots[k].corner[0] = corner[0] + 480 * k;
        plots[k].corner[1] = corner[1];
        plots[k].size[0] = 470;
        plots[k].size[1] = 280;
        carom_plot_draw(svg, &plots[k]);
    }
    free(d);
}

static carom_status give(carom_text *text, char **out, carom_error *err)
{
    carom_status status = carom_text_status(text, err);
    if (status != CAROM_OK)
        carom_text_free(text);
    else
        *out = text->bytes;
    return status;
}

carom_status carom_bounce_picture_svg(const carom_bounce_map *map, const char *title, char **out,
                                      carom_error *err)
{
    NEED(err, map, title, out);
    *out = NULL;
    int faces = carom_bounce_map_about(map)->faces;
    if (faces > 2 * DRAWN_MAX) {
        carom_error_set(err, CAROM_UNSUPPORTED, "a picture of %d faces", faces);
        return carom_error_fix(err, "draw a map of at most %d faces, or write the page (--html)",
                               2 * DRAWN_MAX);
    }
    drawn *list = malloc(((size_t)faces + 1) * sizeof *list);
    if (!list)
        return carom_error_no_memory(err, "%d faces", faces);
    carom_text text = { 0 };
    carom_svg svg = carom_svg_begin(&text, WIDTH, 760, title);
    carom_svg_text_at(&svg, (double[2]){ 20, 30 }, (carom_svg_text){ .size = 17, .bold = 1 },
                      title);
    const double away[2][3] = { { 0.45, -0.75, 0.48 }, { -0.45, 0.75, -0.48 } };
    for (int k = 0; k < 2; ++k) {
        view v = { .toward = vec3_unit(vec3_from(away[k])),
                   .corner = { 20 + 480.0 * k, 50 },
                   .size = { 460, 340 } };
        v.right = vec3_unit(vec3_cross(vec3_make(0, 0, 1), v.toward));
        v.up = vec3_cross(v.toward, v.right);
        draw_model(&svg, map, &v, list);
    }
    draw_scale(&svg, 300, 410, 300);
    draw_plots(&svg, map, (double[2]){ 10, 460 });
    carom_svg_end(&svg);
    free(list);
    return give(&text, out, err);
}
