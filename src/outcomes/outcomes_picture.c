// Outcomes for readers and programs: the picture, one panel per body that moves, and JSON.
#include "outcomes/outcomes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "draw/plot.h"
#include "draw/svg.h"

enum { PANELS_MAX = 9, COLUMNS = 3, WIDTH = 380, HEIGHT = 320 };

static const char *const axes[] = { "x", "y", "z" };

static void draw_body(carom_svg *svg, const carom_outcomes_body *b, const char *name, int panel)
{
    size_t count = (size_t)(b->some_count + b->hull_count + 1);
    double *numbers = malloc(2 * count * sizeof *numbers);
    char x_label[32], y_label[32];
    if (!numbers) {
        svg->text->failed = true;
        return;
    }
    double *x = numbers, *y = numbers + count;
    for (int i = 0; i < b->some_count; ++i) {
        x[i] = b->some[2 * i];
        y[i] = b->some[2 * i + 1];
    }
    double *hx = x + b->some_count, *hy = y + b->some_count;
    for (int i = 0; i <= b->hull_count && b->hull_count > 0; ++i) { // closed
        hx[i] = b->hull[2 * (i % b->hull_count)];
        hy[i] = b->hull[2 * (i % b->hull_count) + 1];
    }
    const carom_plot_series series[2] = {
        { .name = "samples", .x = x, .y = y, .count = b->some_count, .kind = CAROM_PLOT_DOTS },
        { .name = "hull", .x = hx, .y = hy, .count = b->hull_count ? b->hull_count + 1 : 0 },
    };
    snprintf(x_label, sizeof x_label, "velocity %s", axes[b->axis[0]]);
    snprintf(y_label, sizeof y_label, "velocity %s", axes[b->axis[1]]);
    carom_plot plot = { .title = name,
                        .x = { .label = x_label, .unit = "m/s" },
                        .y = { .label = y_label, .unit = "m/s" },
                        .series = series,
                        .count = 2,
                        .corner = { WIDTH * (panel % COLUMNS), HEIGHT * (panel / COLUMNS) },
                        .size = { WIDTH, HEIGHT } };
    carom_plot_draw(svg, &plot);
    free(numbers);
}

char *carom_outcomes_svg(const carom_outcomes *outcomes, const carom_scene_impact *scene)
{
    carom_text text = { 0 };
    int panels = 0, panel = 0;
    if (!outcomes || !scene)
        return NULL;
    const carom_impact *impact = carom_scene_impact_problem(scene);
    for (int i = 0; i < outcomes->body_count; ++i)
        panels += impact->bodies[i].inverse_mass > 0;
    panels = panels < PANELS_MAX ? panels : PANELS_MAX;
    int columns = panels < COLUMNS ? panels : COLUMNS;
    carom_svg svg =
        carom_svg_begin(&text, WIDTH * columns, HEIGHT * ((panels + COLUMNS - 1) / COLUMNS),
                        carom_scene_impact_title(scene));
    for (int i = 0; i < outcomes->body_count && panel < panels; ++i)
        if (impact->bodies[i].inverse_mass > 0)
            draw_body(&svg, &outcomes->bodies[i], carom_scene_impact_body_name(scene, i), panel++);
    carom_svg_end(&svg);
    if (text.failed)
        carom_text_free(&text);
    return text.bytes;
}

static void write_spread(carom_json *json, const char *key, const carom_outcomes_spread *spread,
                         int count)
{
    double numbers[4][3];
    static const char *const names[] = { "mean", "deviation", "min", "max" };
    for (int k = 0; k < count; ++k) {
        numbers[0][k] = spread[k].mean;
        numbers[1][k] = spread[k].deviation;
        numbers[2][k] = spread[k].min;
        numbers[3][k] = spread[k].max;
    }
    carom_json_object(json, key);
    for (int i = 0; i < 4; ++i) {
        if (count == 1)
            carom_json_number(json, names[i], numbers[i][0]);
        else
            carom_json_numbers(json, names[i], numbers[i], count);
    }
    carom_json_end(json);
}

void carom_outcomes_json(const carom_outcomes *outcomes, const carom_scene_impact *scene,
                         carom_json *json)
{
    if (!outcomes || !scene)
        return;
    carom_json_integer(json, "samples", outcomes->samples);
    carom_json_integer(json, "unfinished", outcomes->unfinished);
    write_spread(json, "energy", &outcomes->energy, 1);
    carom_json_array(json, "bodies");
    for (int i = 0; i < outcomes->body_count; ++i) {
        const carom_outcomes_body *b = &outcomes->bodies[i];
        if (carom_scene_impact_problem(scene)->bodies[i].inverse_mass == 0)
            continue;
        carom_json_object(json, NULL);
        carom_json_string(json, "name", carom_scene_impact_body_name(scene, i));
        write_spread(json, "velocity", b->velocity, 3);
        write_spread(json, "spin", b->spin, 3);
        carom_json_object(json, "hull");
        carom_json_string(json, "x", axes[b->axis[0]]);
        carom_json_string(json, "y", axes[b->axis[1]]);
        carom_json_numbers(json, "points", b->hull, 2 * b->hull_count);
        carom_json_end(json);
        carom_json_end(json);
    }
    carom_json_end(json);
    carom_json_array(json, "patterns");
    for (int i = 0; i < outcomes->pattern_count; ++i) {
        carom_json_object(json, NULL);
        carom_json_string(json, "who", outcomes->patterns[i].words);
        carom_json_number(json, "probability", outcomes->patterns[i].probability);
        carom_json_end(json);
    }
    carom_json_end(json);
}
