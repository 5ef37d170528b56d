// The vibrated layer of [QCE, section 5.3]: figure 9 and table 2, on a slice of the layer.
//
// A pattern of stripes, cut across, is a row of heaps that change places with every cycle of the
// floor: it repeats after two cycles. So the height of the layer over its length, taken at the same
// phase of every cycle, must look the other way round in the next one and the same in the one
// after.
#include "gallery/gallery_qce.h"
#include "gallery/gallery_world.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include "base/progress.h"

enum { CELLS = 34, MOST_CYCLES = 40, MOST_STEPS = 6000 };

// What a run of the layer shows.
typedef struct layer {
    int cycles, steps, grains;
    double height[MOST_CYCLES][CELLS]; // m above the floor, at the end of each cycle
    double sweeps[MOST_STEPS], seconds[MOST_STEPS];
    double lift; // m, largest distance of the lowest grain from the floor
    carom_ledger ledger;
} layer;

static double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Highest grain over each part of the length, and the lowest one of all, over the floor, which lies
// `below` under the box's centre.
static double look(const carom_world *world, int box, double length, double below, double *height)
{
    double floor[3], lowest = HUGE_VAL;
    carom_world_body(world, box, floor, NULL, NULL, NULL);
    floor[2] -= below;
    for (int c = 0; c < CELLS; ++c)
        height[c] = 0;
    for (int i = 0; i < carom_world_body_count(world); ++i) {
        double x[3];
        if (carom_world_kind(world, i) != CAROM_BODY_MOVING)
            continue;
        carom_world_body(world, i, x, NULL, NULL, NULL);
        int cell = (int)((x[0] / length + 0.5) * CELLS);
        cell = cell < 0 ? 0 : cell >= CELLS ? CELLS - 1 : cell;
        height[cell] = fmax(height[cell], x[2] - floor[2]);
        lowest = fmin(lowest, x[2] - floor[2]);
    }
    return lowest;
}

static carom_status shake(carom_gallery_hand *hand, layer *out, carom_world **world_out,
                          carom_scene_world **scene_out, carom_error *err)
{
    static const carom_gallery_edit smaller[] = {
        { "\"count\": [68, 3, 5]", "\"count\": [34, 2, 5]" },
        { "[0.35, 0.0156, 0.2]", "[0.176, 0.0104, 0.2]" },
        { "-0.17152, -0.00514, 0.0026", "-0.08448, -0.00257, 0.0026" },
    };
    char path[4200];
    const double frequency = 8.387, length = hand->quick ? 0.176 : 0.35;
    int cycles = hand->quick ? 4 : 20;
    if (hand->quick)
        TRY(carom_gallery_world_edit(hand, "world/vibrated-layer.json", smaller, 3, path,
                                     sizeof path, err));
    else
        carom_gallery_hand_scene(hand, "world/vibrated-layer.json", path, sizeof path);
    TRY(carom_scene_world_open(path, scene_out, err));
    TRY(carom_scene_world_build(*scene_out, NULL, world_out, err));
    double dt = carom_scene_world_step(*scene_out), height[CELLS];
    int box = carom_scene_world_find(*scene_out, "box"),
        steps = (int)(cycles / (frequency * dt)) + 2;
    double below =
        0.0026 - look(*world_out, box, length, 0, height); // where the first layer starts
    for (int i = 0; i < steps && i < MOST_STEPS; ++i) {
        double start = clock_now();
        TRY(carom_world_step(*world_out, dt, err));
        out->seconds[i] = clock_now() - start;
        out->sweeps[i] = (double)carom_world_ledger(*world_out).sweeps;
        out->steps = i + 1;
        out->lift = fmax(out->lift, look(*world_out, box, length, below, height) - 0.0026);
        int cycle = (int)((i + 1) * dt * frequency);
        if (cycle > out->cycles && cycle < MOST_CYCLES) {
            memcpy(out->height[out->cycles], height, sizeof height);
            out->cycles = cycle;
        }
        TRY(carom_progress_tell(hand->progress, i, steps, "layer", err));
    }
    out->grains = carom_world_body_count(*world_out) - 1;
    out->ledger = carom_world_ledger(*world_out);
    return CAROM_OK;
}

static double likeness(const double *a, const double *b)
{
    double ma = 0, mb = 0, ab = 0, aa = 0, bb = 0;
    for (int c = 0; c < CELLS; ++c) {
        ma += a[c] / CELLS;
        mb += b[c] / CELLS;
    }
    for (int c = 0; c < CELLS; ++c) {
        ab += (a[c] - ma) * (b[c] - mb);
        aa += (a[c] - ma) * (a[c] - ma);
        bb += (b[c] - mb) * (b[c] - mb);
    }
    return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}

static void say_size(carom_gallery_hand *hand, const layer *l)
{
    carom_gallery_hand_say(hand,
                           "A slice of the layer with %d grains and smooth sides, %d cycles of the "
                           "floor, steps of 0.0005 s. The paper has 60,000 grains and three "
                           "patterns; the slice can only show that at f* = 0.44 (stripes).",
                           l->grains, l->cycles);
    if (hand->quick)
        carom_gallery_hand_smaller(hand,
                                   "%d grains and %d cycles instead of 1,020 and 20; too few "
                                   "for a pattern.",
                                   l->grains, l->cycles);
}

static void draw_heights(carom_gallery_hand *hand, const layer *l)
{
    static const char *const names[] = { "last but two", "last but one", "last cycle" };
    double x[CELLS], mm[3][CELLS];
    carom_plot_series series[3];
    for (int k = 0; k < 3; ++k) {
        int cycle = l->cycles - 3 + k;
        for (int c = 0; c < CELLS; ++c) {
            x[c] = (c + 0.5) / CELLS * (hand->quick ? 176 : 350);
            mm[k][c] = 1000 * l->height[cycle][c];
        }
        series[k] = (carom_plot_series){ names[k],        x,    mm[k], CELLS,
                                         CAROM_PLOT_LINE, NULL, NULL,  k == 2 ? 2.4 : 1.6 };
    }
    carom_plot plot = { .title = "Height of the layer at the same phase of three cycles",
                        .x = { "place along the slice", "mm", 0, 0, false },
                        .y = { "highest grain over the floor", "mm", 0, 0, false },
                        .series = series,
                        .count = 3 };
    carom_gallery_hand_plots(hand, &plot, 1, 1,
                             "A standing wave shows as heaps and hollows that change places.");
}

static carom_status photograph(carom_gallery_hand *hand, const carom_world *world, carom_error *err)
{
    carom_gallery_show show = { 0 };
    carom_export_view view = carom_export_view_default();
    static const double from[3] = { 0.05, -0.62, 0.16 }, to[3] = { 0, 0, 0.03 }; // m
    view.width = 1000;
    view.height = 380;
    view.has_from = view.has_to = 1;
    memcpy(view.from, from, sizeof from);
    memcpy(view.to, to, sizeof to);
    TRY(carom_export_create(world, &show.film, err));
    carom_status status = carom_gallery_world_picture(
        hand, &show, &view, 1, HUGE_VAL, "The layer at the end, coloured by place.", err);
    carom_export_destroy(show.film);
    return status;
}

carom_status carom_gallery_qce_patterns(carom_gallery_hand *hand, carom_error *err)
{
    layer *l = carom_arena_zeros(hand->arena, 1, sizeof *l);
    carom_world *world = NULL;
    carom_scene_world *scene = NULL;
    carom_status status = l ? shake(hand, l, &world, &scene, err)
                            : carom_error_set(err, CAROM_NO_MEMORY, "no memory for a layer");
    if (status == CAROM_OK) {
        double next = 0, after = 0;
        int pairs = 0;
        for (int n = l->cycles > 10 ? l->cycles - 8 : 1; n + 2 < l->cycles; ++n, ++pairs) {
            next += likeness(l->height[n], l->height[n + 1]);
            after += likeness(l->height[n], l->height[n + 2]);
        }
        draw_heights(hand, l);
        say_size(hand, l);
        carom_gallery_hand_least(hand, "flight of the layer: lowest grain over the floor", "mm",
                                 1000 * l->lift, 1);
        if (hand->quick) {
            carom_gallery_hand_number(hand, "likeness of a cycle to the next", "", NAN,
                                      next / fmax(pairs, 1));
        } else {
            carom_gallery_hand_most(hand, "likeness of a cycle to the next (other way round: -1)",
                                    "", next / fmax(pairs, 1), -0.2);
            carom_gallery_hand_least(hand, "likeness of a cycle to the one after (the same: 1)", "",
                                     after / fmax(pairs, 1), 0.2);
        }
        carom_gallery_hand_most(hand, "deepest overlap at any time, of a diameter", "",
                                l->ledger.deepest_ever / 0.005, 0.05);
        status = photograph(hand, world, err);
    }
    carom_world_destroy(world);
    carom_scene_world_close(scene);
    return status;
}

carom_status carom_gallery_qce_speed(carom_gallery_hand *hand, carom_error *err)
{
    layer *l = carom_arena_zeros(hand->arena, 1, sizeof *l);
    carom_world *world = NULL;
    carom_scene_world *scene = NULL;
    carom_status status = l ? shake(hand, l, &world, &scene, err)
                            : carom_error_set(err, CAROM_NO_MEMORY, "no memory for a layer");
    if (status == CAROM_OK) {
        double *step = carom_arena_take(hand->arena, MOST_STEPS, sizeof *step);
        double mean = 0, most = 0, time = 0;
        int met = 0;
        for (int i = 0; i < l->steps && step; ++i) {
            step[i] = i * 0.0005;
            if (l->sweeps[i] > 0) {
                mean += l->sweeps[i];
                ++met;
            }
            most = fmax(most, l->sweeps[i]);
            time += l->seconds[i] / l->steps;
        }
        carom_plot_series series = { NULL, step, l->sweeps, l->steps, CAROM_PLOT_DOTS,
                                     "s0", NULL, 1.3 };
        carom_plot plot = { .title = "Sweeps of QCE per step",
                            .x = { "time", "s", 0, 0, false },
                            .y = { "sweeps", "number", 0, 0, false },
                            .series = &series,
                            .count = 1 };
        carom_gallery_hand_plots(hand, &plot, 1, 1,
                                 "Sweeps in each step: most where the layer lands.");
        say_size(hand, l);
        carom_gallery_hand_near(hand, "steps in which QCE did not converge", "", 0,
                                (double)(l->ledger.capped + l->ledger.endless), 0);
        carom_gallery_hand_number(hand, "sweeps per step, mean over steps with impacts", "", 17,
                                  met ? mean / met : 0);
        carom_gallery_hand_most(hand, "the same, bound: the paper's for stripes", "",
                                met ? mean / met : 0, 17);
        carom_gallery_hand_number(hand, "sweeps per step, largest", "", 44, most);
        carom_gallery_hand_number(hand, "time for a whole step per grain", "us", 0.33e6 / 60000,
                                  1e6 * time / l->grains);
    }
    carom_world_destroy(world);
    carom_scene_world_close(scene);
    return status;
}
