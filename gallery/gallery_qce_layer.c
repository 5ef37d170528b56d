// Vibrated layers of grains [QCE, section 5.3]: the patterns of figure 9.
//
// A wave of half the floor's frequency changes crests and troughs with every cycle: the map of
// heights, taken at the same phase of the floor, is the other way round in the next cycle and the
// same in the one after. How long the wave is was measured by Bizon et al. (1998), whose experiment
// and simulation the figure repeats: wavelength / H = 1 + 1.1 f*^-1.32 for a layer of depth H.
#include "gallery/gallery_qce_layer.h"

#include <math.h>
#include <stdio.h>
#include "carom/pattern.h"

enum { AVERAGED = 4, FEW = 2 }; // cycles: of the mean spectrum, of a quick run

#define DIAMETER 0.000165
#define DEPTH (5.42 * DIAMETER)

const carom_gallery_layer carom_gallery_qce_layers[CAROM_GALLERY_LAYERS] = {
    { "squares", "world/patterns-squares.json", "world/patterns-squares-full.json",
      CAROM_PATTERN_SQUARES, 0.27, 3, 0.0352, 0.00092367, 25, 60 },
    { "stripes", "world/patterns-stripes.json", "world/patterns.json", CAROM_PATTERN_STRIPES, 0.44,
      3, 0.0216, 0.00034781, 20, 60 },
    { "hexagons", "world/patterns-hexagons.json", "world/patterns-hexagons-full.json",
      CAROM_PATTERN_HEXAGONS, 0.38, 4, 0.025, 0.00062123, 30, 60 },
};

// Half a box of n grains a side, and where the first of a row stands, as the scenes write them.
static void sides(int n, char *wall, char *first, size_t size)
{
    const double spacing = 1.015 * DIAMETER;
    snprintf(wall, size, "%.8g", 0.5 * n * spacing);
    snprintf(first, size, "%.6g, %.6g", -0.5 * (n - 1) * spacing, -0.5 * (n - 1) * spacing);
}

carom_status carom_gallery_qce_layer_scene(carom_gallery_result *result, const char *scene,
                                           int side, char *path, size_t size, carom_error *err)
{
    enum { SMALL = 16, LENGTH = 40 };
    char count[2][LENGTH], wall[2][LENGTH], first[2][LENGTH];
    if (!result->quick) {
        carom_gallery_result_scene(result, scene, path, size);
        return CAROM_OK;
    }
    for (int k = 0; k < 2; ++k) {
        int n = k ? SMALL : side;
        snprintf(count[k], LENGTH, "\"count\": [%d, %d, 6]", n, n);
        sides(n, wall[k], first[k], LENGTH);
    }
    const carom_gallery_edit smaller[] = { { count[0], count[1] },
                                           { wall[0], wall[1] },
                                           { first[0], first[1] } };
    return carom_gallery_world_edit(result, scene, smaller, 3, path, size, err);
}

// What the frames of a run show, one per cycle.
typedef struct story {
    int cycles, since; // since this cycle the kind has been that of the end
    carom_pattern last[AVERAGED], mean;
    double next, after; // likeness of a map to those one and two cycles later, at the end
    double lift;        // m, of the grains over the floor, beyond that at rest
} story;

static double likeness(const carom_pattern *a, const carom_pattern *b)
{
    double ab = 0, aa = 0, bb = 0;
    for (int i = 0; i < a->cells[0] * a->cells[1]; ++i) {
        double x = a->height[i] - a->mean, y = b->height[i] - b->mean;
        ab += x * y;
        aa += x * x;
        bb += y * y;
    }
    return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}

static carom_status follow(const carom_gallery_layer *layer, const carom_gallery_show *show,
                           const carom_world *world, story *s, carom_error *err)
{
    int64_t moments = carom_recording_frame_count(show->recording);
    carom_pattern_kind before = CAROM_PATTERN_FLAT;
    for (int64_t m = 1; m < moments; ++m) {
        carom_frame frame;
        int kept = (int)fmin((double)m - 1, AVERAGED - 1);
        TRY(carom_recording_frame(show->recording, m, &frame, err));
        if (kept == AVERAGED - 1 && m > AVERAGED)
            for (int k = 0; k + 1 < AVERAGED; ++k)
                s->last[k] = s->last[k + 1];
        TRY(carom_pattern_frame(&frame, world, &s->last[kept], err));
        carom_pattern_average(s->last, kept + 1, &s->mean);
        if (s->mean.kind != before)
            s->since = (int)m;
        before = s->mean.kind;
        s->cycles = (int)m;
        // the floor is at its lowest; at rest the middle of the grains is half a layer above it
        s->lift = s->mean.mean + layer->amplitude - 0.5 * DEPTH;
    }
    if (s->cycles < AVERAGED)
        return CAROM_OK;
    for (int k = 0; k + 2 < AVERAGED; ++k) {
        s->next += likeness(&s->last[k], &s->last[k + 1]) / (AVERAGED - 2);
        s->after += likeness(&s->last[k], &s->last[k + 2]) / (AVERAGED - 2);
    }
    return CAROM_OK;
}

static carom_status draw(carom_gallery_result *result, const carom_gallery_layer *layer,
                         const carom_gallery_show *show, const story *s, carom_error *err)
{
    char *svg = NULL, title[100], caption[200];
    double side = s->mean.area[2] - s->mean.area[0];
    carom_export_view view = carom_export_view_default();
    snprintf(title, sizeof title, "f* = %.2f, Gamma = %.1f, %d cycles", layer->star, layer->gamma,
             s->cycles);
    TRY(carom_pattern_svg(&s->mean, title, &svg, err));
    snprintf(caption, sizeof caption,
             "Heights (dark is low) and their mean spectrum over the last %d cycles: %s.", AVERAGED,
             carom_pattern_word(s->mean.kind));
    TRY(carom_gallery_result_take(result, svg, caption, err));
    view.width = 800;
    view.height = 500;
    view.has_from = view.has_to = 1;
    view.from[1] = -1.4 * side;
    view.from[2] = 1.2 * side;
    view.to[2] = DEPTH;
    snprintf(caption, sizeof caption, "The layer of %s, the floor at its lowest.", layer->word);
    return carom_gallery_world_picture(result, show, &view, 1, HUGE_VAL, caption, err);
}

static void compare(carom_gallery_result *result, const carom_gallery_layer *layer,
                    const carom_gallery_show *show, const story *s)
{
    char what[200];
    const char *word = layer->word;
    double ratio = 1 + 1.1 * pow(layer->star, -1.32);
    snprintf(what, sizeof what, "%s: mean height in flight beyond that at rest, in diameters",
             word);
    carom_gallery_result_at_least(result, what, "", s->lift / DIAMETER, 1);
    snprintf(what, sizeof what, "%s: deepest overlap at any time, in diameters", word);
    carom_gallery_result_number(result, what, "", NAN, show->report.ledger.peak_overlap / DIAMETER);
    if (result->quick)
        return;
    carom_gallery_result_holds(result, s->mean.kind == layer->kind,
                               "f* = %.2f, Gamma = %.0f give %s: %s, %d peaks, contrast %.1f",
                               layer->star, layer->gamma, word, carom_pattern_word(s->mean.kind),
                               s->mean.peaks, s->mean.contrast);
    snprintf(what, sizeof what, "%s: wavelength over depth of the layer (1 + 1.1 f*^-1.32)", word);
    carom_gallery_result_near(result, what, "", ratio, s->mean.wavelength / DEPTH, 0.25 * ratio);
    snprintf(what, sizeof what, "%s: likeness of a cycle to the next (other way round: -1)", word);
    carom_gallery_result_at_most(result, what, "", s->next, 0);
    snprintf(what, sizeof what, "%s: likeness of a cycle to the one after (the same: 1)", word);
    carom_gallery_result_at_least(result, what, "", s->after, 0.2);
    snprintf(what, sizeof what, "%s: cycles until the kind stayed", word);
    carom_gallery_result_number(result, what, "", NAN, s->since);
}

static carom_status shake(carom_gallery_result *result, const carom_gallery_layer *layer,
                          carom_error *err)
{
    char path[4200], duration[40];
    const char *set[] = { duration };
    carom_gallery_show show = { 0 };
    carom_world *world = NULL;
    story *s = carom_gallery_memory_take(result->memory, 1, sizeof *s);
    if (!s)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for maps");
    snprintf(duration, sizeof duration, "duration=%.8g",
             (result->quick ? FEW : layer->cycles) * layer->period);
    TRY(carom_gallery_qce_layer_scene(result, layer->scene, layer->side, path, sizeof path, err));
    carom_status status = carom_gallery_world_run(result, path, set, 1, &show, err);
    if (status == CAROM_OK)
        status = carom_scene_world_build(show.scene, NULL, &world, err);
    if (status == CAROM_OK)
        status = follow(layer, &show, world, s, err);
    if (status == CAROM_OK)
        status = draw(result, layer, &show, s, err);
    if (status == CAROM_OK)
        compare(result, layer, &show, s);
    if (status == CAROM_OK && !result->quick)
        carom_gallery_result_note(result,
                                  "%s: %d grains (the paper: 60,000), %d cycles of the floor.",
                                  layer->word, 6 * layer->side * layer->side, s->cycles);
    carom_world_destroy(world);
    carom_gallery_world_close(&show);
    return status;
}

carom_status carom_gallery_qce_layer_patterns(carom_gallery_result *result, carom_error *err)
{
    for (int i = 0; i < CAROM_GALLERY_LAYERS; ++i)
        TRY(shake(result, &carom_gallery_qce_layers[i], err));
    carom_gallery_result_note(result,
                              "Stand-ins: walls that swing with the floor, contacts that stick "
                              "stop, equal diameters. Bizon et al.'s own program keeps side "
                              "walls at rest, has a tangential restitution of 0.35 and "
                              "diameters spread by 1 %%; it runs 680 cycles for squares and "
                              "2,700 for stripes, and finds wavelengths of 33.3, 20.0 and 25.0 "
                              "diameters for squares, stripes and hexagons in a box of 100, by "
                              "one transform. BIZON=1 tools/patterns writes that set-up.");
    if (result->quick)
        carom_gallery_result_smaller(
            result,
            "1,536 grains and %d cycles, too few for a pattern, instead of "
            "21,600 and 20 to 30 cycles.",
            FEW);
    return CAROM_OK;
}
