// Bodies with bounce maps in motion: the animations of [Bounce], figures 2, 5, 15 and 24.
//
// The scenes are run as any user would run them; how high or how fast a body comes back is read
// from the trajectory.
#include "gallery/gallery_bounce.h"
#include "gallery/gallery_world.h"

#include <stdio.h>
#include <string.h>

// A scene with smaller modes and maps where a quick gallery is made.
static carom_status play(carom_gallery_result *result, const char *scene,
                         const carom_gallery_edit *smaller, int count, carom_gallery_show *show,
                         carom_error *err)
{
    char path[4300];
    *show = (carom_gallery_show){ 0 };
    carom_gallery_result_scene(result, scene, path, sizeof path);
    if (result->quick) {
        TRY(carom_gallery_world_edit(result, scene, smaller, count, path, sizeof path, err));
        carom_gallery_result_smaller(result, "maps with fewer modes and faces.");
    }
    return carom_gallery_world_run(result, path, NULL, 0, show, err);
}

// How high a body rises above its lowest place after its first bounce, m; and how deep it fell.
typedef struct rise {
    double up, fell;
} rise;

static carom_status first_rise(const carom_gallery_show *show, const char *name, rise *out,
                               carom_error *err)
{
    int body = carom_scene_world_find(show->scene, name);
    double start = 0, low = HUGE_VAL, high = -HUGE_VAL;
    bool up = false, over = false;
    if (body < 0)
        return carom_error_set(err, CAROM_BAD_INPUT, "there is no body \"%.60s\"", name);
    for (int64_t k = 0; k < carom_recording_frame_count(show->recording) && !over; ++k) {
        carom_frame frame;
        TRY(carom_recording_frame(show->recording, k, &frame, err));
        double z = frame.bodies[CAROM_FRAME_STRIDE * body + 2],
               v = frame.bodies[CAROM_FRAME_STRIDE * body + 9];
        start = k == 0 ? z : start;
        if (!up && v > 0) { // back on its parabola to where it left, and on to its top
            up = true;
            high = z + v * v / (2 * 9.81);
        }
        over = up && v < 0;
        low = fmin(low, z);
    }
    *out = (rise){ up ? high - low : 0, start - low };
    return CAROM_OK;
}

// -- figure 2 -----------------------------------------------------------------------------------

static carom_status letters_in(carom_gallery_result *result, const carom_gallery_show *show,
                               carom_error *err)
{
    static const char *const letters = "BOUNCE";
    carom_export_view view = carom_export_view_default();
    double x[6], height[2][6], mean[2] = { 0, 0 }, spread[2] = { 0, 0 };
    for (int mapped = 0; mapped < 2; ++mapped)
        for (int k = 0; k < 6; ++k) {
            char name[20];
            rise r;
            snprintf(name, sizeof name, "%c %s", letters[k], mapped ? "mapped" : "constant");
            TRY(first_rise(show, name, &r, err));
            x[k] = k + 1;
            height[mapped][k] = 100 * r.up;
            mean[mapped] += height[mapped][k] / 6;
        }
    for (int i = 0; i < 12; ++i)
        spread[i / 6] += pow(height[i / 6][i % 6] - mean[i / 6], 2) / 6;
    TRY(carom_gallery_world_picture(result, show, &view, 6, 0,
                                    "In front letters with restitution 0.6 everywhere, behind with "
                                    "bounce maps; six moments.",
                                    err));
    static const char *const ticks[] = { "B", "O", "U", "N", "C", "E", NULL };
    carom_plot_series series[2] = {
        { "restitution 0.6", x, height[0], 6, CAROM_PLOT_DOTS, "ink", NULL, 5 },
        { "bounce maps", x, height[1], 6, CAROM_PLOT_BARS, "s0", NULL, 18 },
    };
    carom_plot plot = { .title = "How high each letter comes back",
                        .names = ticks,
                        .x = { "letter", "", 0.5, 6.5, false, 0 },
                        .y = { "first rise, of 30 cm fallen", "cm", 0, 0, false, 0 },
                        .series = series,
                        .count = 2 };
    carom_gallery_result_plots(result, &plot, 1, 1, "First rise of the centre of each letter.");
    carom_gallery_result_at_least(result, "spread of the first rises with maps, over that without",
                                  "", sqrt(spread[1] / spread[0]), 3);
    for (int k = 0; k < 6; k += k ? 4 : 1) // B, O, E
        carom_gallery_result_holds(result, height[1][k] > 1.2 * height[0][k],
                                   "%c is far bouncier on its bottom with a map (%.1f cm) than "
                                   "without (%.1f cm)",
                                   letters[k], height[1][k], height[0][k]);
    carom_gallery_result_note(result,
                              "Letters, steel, height and friction are ours: the paper does not "
                              "give them.");
    return CAROM_OK;
}

carom_status carom_gallery_bounce_dropped_letters(carom_gallery_result *result, carom_error *err)
{
    static const carom_gallery_edit smaller[] = {
        { "\"modes\": 45, \"across\": 1.5, \"faces\": 4000",
          "\"modes\": 20, \"across\": 1, \"faces\": 1000" },
    };
    carom_gallery_show show;
    carom_status status = play(result, "world/letters.json", smaller, 1, &show, err);
    if (status == CAROM_OK)
        status = letters_in(result, &show, err);
    carom_gallery_world_close(&show);
    return status;
}

// -- figure 5 -----------------------------------------------------------------------------------

static carom_status springs_in(carom_gallery_result *result, const carom_gallery_show *show,
                               carom_error *err)
{
    static const char *const names[4] = { "upright constant", "flat constant", "upright mapped",
                                          "flat mapped" };
    carom_export_view view = carom_export_view_default();
    double back[4]; // of what they fell
    for (int k = 0; k < 4; ++k) {
        char what[80];
        rise r;
        TRY(first_rise(show, names[k], &r, err));
        back[k] = r.up / r.fell;
        snprintf(what, sizeof what, "%s spring: first rise, of its fall", names[k]);
        carom_gallery_result_number(result, what, "", NAN, back[k]);
    }
    TRY(carom_gallery_world_picture(result, show, &view, 6, 0,
                                    "Grey with restitution 0.6, upright and flat; red and green "
                                    "with a bounce map; six moments.",
                                    err));
    carom_gallery_result_at_most(result,
                                 "springs without a map: difference of their rises, of the fall",
                                 "", fabs(back[0] - back[1]), 0.02);
    carom_gallery_result_at_least(result,
                                  "with a map: rise of the upright one over that of the flat one",
                                  "", back[2] / back[3], 1.3);
    carom_gallery_result_at_least(
        result, "with a map, upright: nearly the same height again, of the fall", "", back[2], 0.8);
    carom_gallery_result_at_most(result, "with a map, flat: barely off the ground, of the fall", "",
                                 back[3], 0.1);
    carom_gallery_result_note(result,
                              "The spring is a stand-in: a strip of 6 mm folded five times, "
                              "100 x 60 x 30 mm; the paper's proportions are not given.");
    return CAROM_OK;
}

carom_status carom_gallery_bounce_dropped_springs(carom_gallery_result *result, carom_error *err)
{
    static const carom_gallery_edit smaller[] = {
        { "\"modes\": 45, \"across\": 1, \"faces\": 6000",
          "\"modes\": 20, \"across\": 1, \"faces\": 1500" },
    };
    carom_gallery_show show;
    carom_status status = play(result, "world/springs.json", smaller, 1, &show, err);
    if (status == CAROM_OK)
        status = springs_in(result, &show, err);
    carom_gallery_world_close(&show);
    return status;
}

// -- figures 15 and 24 --------------------------------------------------------------------------

carom_status carom_gallery_bounce_passes(carom_gallery_result *result, carom_error *err)
{
    static const carom_gallery_edit smaller[] = { { "\"modes\": 45", "\"modes\": 20" } };
    carom_gallery_show show;
    carom_export_view view = carom_export_view_default();
    view.has_from = view.has_to = 1;
    memcpy(view.from, (double[3]){ 0.3, -5.6, 3.4 }, sizeof view.from);
    memcpy(view.to, (double[3]){ 0.3, 0, -0.1 }, sizeof view.to);
    carom_status status = play(result, "world/hockey.json", smaller, 1, &show, err);
    if (status == CAROM_OK)
        status = carom_gallery_world_picture(result, &show, &view, 6, 0,
                                             "Three pucks of 5 m/s meet the heel, the middle and "
                                             "the tip of a blade; six moments.",
                                             err);
    const double *heel = NULL, *middle = NULL, *tip = NULL;
    if (status == CAROM_OK) {
        heel = carom_gallery_world_body(&show, "puck heel");
        middle = carom_gallery_world_body(&show, "puck middle");
        tip = carom_gallery_world_body(&show, "puck tip");
    }
    if (heel && middle && tip) { // they came along y
        carom_gallery_result_number(result, "pass from the middle: speed of the puck after", "m/s",
                                    NAN, -middle[8]);
        carom_gallery_result_at_least(result, "pass from the heel: speed over that", "",
                                      heel[8] / middle[8], 1.25);
        carom_gallery_result_at_least(result, "pass from the tip: speed over that", "",
                                      tip[8] / middle[8], 1.25);
    } else if (status == CAROM_OK) {
        status = carom_error_set(err, CAROM_BAD_INPUT, "the scene has not three pucks");
    }
    carom_gallery_world_close(&show);
    return status;
}

carom_status carom_gallery_bounce_falls(carom_gallery_result *result, carom_error *err)
{
    static const carom_gallery_edit smaller[] = {
        { "\"modes\": 45, \"across\": 1, \"faces\": 8000",
          "\"modes\": 20, \"across\": 1, \"faces\": 3000" },
    };
    carom_gallery_show show;
    carom_export_view view = carom_export_view_default();
    rise middle = { 0, 0 }, corner = { 0, 0 };
    carom_status status = play(result, "world/ruler-table.json", smaller, 1, &show, err);
    if (status == CAROM_OK)
        status = carom_gallery_world_picture(result, &show, &view, 6, 0,
                                             "Rulers on end fall on the middle of a table and on a "
                                             "place above a leg; six moments.",
                                             err);
    if (status == CAROM_OK)
        status = first_rise(&show, "ruler middle", &middle, err);
    if (status == CAROM_OK)
        status = first_rise(&show, "ruler corner", &corner, err);
    carom_gallery_world_close(&show);
    TRY(status);
    carom_gallery_result_number(result, "in motion, on the middle: first rise of the ruler", "cm",
                                NAN, 100 * middle.up);
    carom_gallery_result_number(result, "in motion, above a leg: first rise", "cm", NAN,
                                100 * corner.up);
    carom_gallery_result_at_least(result, "in motion: rise from the middle over the other", "",
                                  middle.up / corner.up, 1.2);
    carom_gallery_result_note(result,
                              "Table and ruler are stand-ins: a plate of 1200 x 800 x 50 mm on "
                              "four legs and a wooden ruler of 30 cm; the paper's proportions are "
                              "not given.");
    return CAROM_OK;
}
