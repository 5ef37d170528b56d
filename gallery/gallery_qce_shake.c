// The shock through layers of grains [QCE, figure 8]: where the layers are, and when each is
// stopped.
//
// What the paper says is that "shock waves propagate from bottom to top". Thrown up as one block,
// the heap flies apart a little, and when it falls back onto the floor each layer is stopped by the
// one below it: the front is where a layer's mean velocity has fallen to half of what it came with.
// How far layers rise says nothing about the wave: a heap that has rained down lies loosely, and
// what the shake compacts lowers the upper layers by as much as what flies apart lifts them.
#include "gallery/gallery_qce.h"
#include "gallery/gallery_world.h"

#include <string.h>

enum { LAYERS = 5, MOMENTS = 600 };

// Mean height (m) and vertical velocity (m/s) of each layer over time (s).
typedef struct layers {
    double time[MOMENTS], height[LAYERS][MOMENTS], velocity[LAYERS][MOMENTS];
    int count;
} layers;

static carom_status look(const carom_gallery_show *show, int64_t moment, layers *out,
                         carom_error *err)
{
    carom_frame frame;
    TRY(carom_recording_frame(show->recording, moment, &frame, err));
    int at = out->count++, grains[LAYERS] = { 0 };
    out->time[at] = frame.time;
    for (int i = 0; i < frame.body_count; ++i) {
        char name[40];
        carom_scene_world_body_name(show->scene, i, name, sizeof name);
        int layer = strncmp(name, "layer", 5) == 0 ? name[5] - '1' : -1;
        if (layer < 0 || layer >= LAYERS)
            continue;
        out->height[layer][at] += frame.bodies[CAROM_FRAME_STRIDE * i + 2];
        out->velocity[layer][at] += frame.bodies[CAROM_FRAME_STRIDE * i + 9];
        ++grains[layer];
    }
    for (int k = 0; k < LAYERS; ++k) {
        out->height[k][at] /= grains[k] ? grains[k] : 1;
        out->velocity[k][at] /= grains[k] ? grains[k] : 1;
    }
    return CAROM_OK;
}

static carom_status look_all(const carom_gallery_show *show, double start, layers *out,
                             carom_error *err)
{
    int64_t end = carom_recording_frame_count(show->recording);
    for (int64_t m = carom_recording_nearest(show->recording, start);
         m < end && out->count < MOMENTS; ++m)
        TRY(look(show, m, out, err));
    return CAROM_OK;
}

// When a falling layer has lost half of its greatest speed downwards, between two moments on a
// straight line.
static double stopped(const layers *l, int layer)
{
    const double *v = l->velocity[layer];
    int fastest = 0;
    for (int m = 0; m < l->count; ++m)
        fastest = v[m] < v[fastest] ? m : fastest;
    for (int m = fastest + 1; m < l->count; ++m)
        if (v[m] >= 0.5 * v[fastest])
            return l->time[m] -
                   (l->time[m] - l->time[m - 1]) * (v[m] - 0.5 * v[fastest]) / (v[m] - v[m - 1]);
    return HUGE_VAL;
}

static void plot(carom_gallery_result *result, const layers *l, double landing)
{
    static const char *const names[] = { "lowest", "second", "third", "fourth", "highest" };
    carom_plot_series heights[LAYERS], speeds[LAYERS];
    for (int k = 0; k < LAYERS; ++k) {
        heights[k] = (carom_plot_series){ names[k],        l->time, l->height[k], l->count,
                                          CAROM_PLOT_LINE, NULL,    NULL,         1.8 };
        speeds[k] = (carom_plot_series){ names[k],        l->time, l->velocity[k], l->count,
                                         CAROM_PLOT_LINE, NULL,    NULL,           1.8 };
    }
    carom_plot plots[2] = { { .title = "Mean height of the five layers",
                              .x = { "time", "s", 0, 0, false, 0 },
                              .y = { "height", "m", 0, 0, false, 0 },
                              .series = heights,
                              .count = LAYERS },
                            { .title = "Mean velocity of the five layers when they land",
                              .x = { "time", "s", landing - 0.04, landing + 0.1, false, 0 },
                              .y = { "velocity", "m/s", 0, 0, false, 0 },
                              .series = speeds,
                              .count = LAYERS } };
    carom_gallery_result_plots(result, plots, 2, 2,
                               "The layers during the shake and after it, and the wave that stops "
                               "them one after the other, from the floor to the top.");
}

static void judge(carom_gallery_result *result, const carom_gallery_show *show, const layers *l)
{
    double rise[LAYERS], when[LAYERS], least = HUGE_VAL;
    int end = l->count - 1;
    bool ordered = true, lifted = true;
    for (int k = 0; k < LAYERS; ++k) {
        double highest = l->height[k][0];
        for (int m = 0; m < l->count; ++m)
            highest = fmax(highest, l->height[k][m]);
        rise[k] = highest - l->height[k][0];
        when[k] = stopped(l, k);
        ordered = ordered && (k == 0 || l->height[k][end] > l->height[k - 1][end]);
        lifted = lifted && rise[k] > 0.05;
        least = k ? fmin(least, when[k] - when[k - 1]) : least;
    }
    plot(result, l, when[0]);
    carom_gallery_result_holds(result, ordered, "the layers keep their order");
    carom_gallery_result_holds(result, lifted,
                               "the shock reaches every layer: each rises by more than 0.05 m");
    carom_gallery_result_holds(result, least > 0,
                               "the wave runs from bottom to top: each layer is stopped after the "
                               "one below it, by %.2g ms at least",
                               1e3 * least);
    carom_gallery_result_number(result, "the wave's way through the heap takes", "ms", NAN,
                                1e3 * (when[LAYERS - 1] - when[0]));
    carom_gallery_result_number(result, "rise of the highest layer over that of the lowest", "",
                                NAN, rise[LAYERS - 1] / rise[0]);
    carom_gallery_result_number(
        result, "distance of the highest layer from the lowest, after over before", "", NAN,
        (l->height[LAYERS - 1][end] - l->height[0][end]) /
            (l->height[LAYERS - 1][0] - l->height[0][0]));
    carom_gallery_result_at_most(result, "deepest overlap at any time, of a diameter", "",
                                 show->report.ledger.peak_overlap / 0.1, 0.05);
}

static void say(carom_gallery_result *result)
{
    carom_gallery_result_note(result,
                              "Stand-ins: grains of 10 cm in a box of 4.2 m x 0.43 m and "
                              "the shake (10 cm at 3 Hz, one cycle) are ours; restitution "
                              "and friction are the paper's. The paper compares its picture "
                              "with a photograph by eye; there is no number in it.");
    carom_gallery_result_note(result,
                              "A layer is stopped when its mean velocity has fallen to half of "
                              "its greatest one downwards. Which layer rises farther is no sign of "
                              "the wave: the heap has rained down and lies loosely (0.55 of its "
                              "volume is grains), and the shake compacts it. Other seeds of the "
                              "grid give ratios about 1.");
    if (result->quick)
        carom_gallery_result_smaller(result, "80 grains instead of 4,000, 2.2 s instead of 4 s.");
}

static carom_status pictures(carom_gallery_result *result, const carom_gallery_show *show,
                             double start, double landing, carom_error *err)
{
    carom_export_view view = carom_export_view_default();
    view.width = 900;
    view.height = 620;
    view.fit = CAROM_EXPORT_FIT_END;
    TRY(carom_gallery_world_picture(result, show, &view, 1, start, "At rest, five layers.", err));
    TRY(carom_gallery_world_picture(result, show, &view, 1, start + 0.2,
                                    "0.2 s after the shake began.", err));
    TRY(carom_gallery_world_picture(result, show, &view, 1, landing,
                                    "The lowest layer is stopped, the others still fall.", err));
    return carom_gallery_world_picture(result, show, &view, 1, HUGE_VAL, "At the end.", err);
}

carom_status carom_gallery_qce_shake(carom_gallery_result *result, carom_error *err)
{
    static const carom_gallery_edit smaller[] = {
        { "[40, 4, 5]", "[8, 2, 1]" },
        { "[4.2, 0.43, 4]", "[0.85, 0.22, 4]" },
        { "-2.028, -0.156", "-0.364, -0.052" },
        { "\"at\": 2", "\"at\": 1.2" },
        { "\"duration\": 4", "\"duration\": 2.2" },
    };
    static const char *const set[] = { "output.every=0.005" };
    char path[4200];
    carom_gallery_show show = { 0 };
    layers *l;
    double start = result->quick ? 1.2 : 2;
    TAKE(result->memory, l, 1, err);
    if (result->quick)
        TRY(carom_gallery_world_edit(result, "world/shake.json", smaller, 5, path, sizeof path,
                                     err));
    else
        carom_gallery_result_scene(result, "world/shake.json", path, sizeof path);
    carom_status status = carom_gallery_world_run(result, path, set, 1, &show, err);
    if (status == CAROM_OK)
        status = look_all(&show, start, l, err);
    if (status == CAROM_OK)
        status = pictures(result, &show, start, stopped(l, 0), err);
    if (status == CAROM_OK) {
        judge(result, &show, l);
        say(result);
    }
    carom_gallery_world_close(&show);
    return status;
}
