// Table 2 of [QCE]: sweeps and time for the contacts of a step, for the three layers of figure 9.
//
// Time for the contacts is what the impact phase (the law with friction) and the resting phase
// take: the paper's "QCE and BLCP step". Each step is also taken by GR, from the same state and
// with the same collision, friction and rest; the run itself goes on with QCE.
#include "gallery/gallery_qce_layer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct column {
    double sum, min, max;
} column;

typedef struct tally {
    column sweeps, seconds; // for the contacts
    double whole;           // s, all of the steps
    int steps;
    int64_t unfinished; // solves that ended at a cap or were found to have no end
} tally;

// [QCE, table 2], sweeps and s.
static const double printed[CAROM_GALLERY_LAYERS][6] = { { 13, 46, 1, 0.28, 2.74, 0 },
                                                         { 17, 44, 1, 0.33, 4.39, 0 },
                                                         { 12, 33, 1, 0.25, 2.87, 0 } };
static const double printed_gr = 6.1; // s, hexagons by GR, cited there

static void note(column *c, double value, bool first)
{
    c->sum += value;
    c->min = first ? value : fmin(c->min, value);
    c->max = first ? value : fmax(c->max, value);
}

static carom_status take_step(carom_world *world, double dt, tally *t, carom_error *err)
{
    int64_t before = carom_world_ledger(world).capped + carom_world_ledger(world).endless;
    TRY(carom_world_step(world, dt, err));
    carom_times times = carom_world_times(world);
    carom_ledger ledger = carom_world_ledger(world);
    note(&t->sweeps, (double)ledger.sweeps, t->steps == 0);
    note(&t->seconds, times.impact + times.rest, t->steps == 0);
    t->whole += times.collide + times.impact + times.rest + times.move;
    t->unfinished += ledger.capped + ledger.endless - before;
    ++t->steps;
    return CAROM_OK;
}

static carom_status copy_state(const carom_world *from, carom_world *to, carom_error *err)
{
    size_t size = carom_world_snapshot_size(from);
    void *bytes = malloc(size);
    if (!bytes)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for a snapshot");
    carom_world_snapshot(from, bytes);
    carom_status status = carom_world_restore(to, bytes, size, err);
    free(bytes);
    return status;
}

// `skip` steps, then `steps` by both.
static carom_status race(carom_gallery_result *result, const carom_scene_world *scene, int skip,
                         int steps, tally tallies[2], carom_error *err)
{
    carom_world *qce = NULL, *gr = NULL;
    carom_world_options options = carom_scene_world_options(scene);
    double dt = carom_scene_world_step(scene);
    tally unused = { 0 };
    carom_status status = carom_scene_world_build(scene, &options, &qce, err);
    options.law = carom_law_find("gr", err);
    options.law_options = carom_law_defaults(options.law);
    if (status == CAROM_OK)
        status = carom_scene_world_build(scene, &options, &gr, err);
    for (int i = 0; i < skip + steps && status == CAROM_OK; ++i) {
        if (i >= skip)
            status = copy_state(qce, gr, err);
        if (status == CAROM_OK && i >= skip)
            status = take_step(gr, dt, &tallies[1], err);
        if (status == CAROM_OK)
            status = take_step(qce, dt, i < skip ? &unused : &tallies[0], err);
        if (status == CAROM_OK)
            status = carom_gallery_result_progress(result, i, skip + steps, "layer", err);
    }
    carom_world_destroy(qce);
    carom_world_destroy(gr);
    return status;
}

static void compare(carom_gallery_result *result, int index, const tally t[2])
{
    static const char *const extremes[] = { "mean", "largest", "least" };
    const char *word = carom_gallery_qce_layers[index].word;
    const double *paper = printed[index];
    char what[200];
    double ours[2][6];
    for (int law = 0; law < 2; ++law) {
        const column *columns[] = { &t[law].sweeps, &t[law].seconds };
        for (int k = 0; k < 2; ++k) {
            ours[law][3 * k] = columns[k]->sum / t[law].steps;
            ours[law][3 * k + 1] = columns[k]->max;
            ours[law][3 * k + 2] = columns[k]->min;
        }
    }
    for (int k = 0; k < 6; ++k) {
        snprintf(what, sizeof what, "%s: %s per step, %s", word,
                 k < 3 ? "sweeps of QCE" : "time for contacts by QCE", extremes[k % 3]);
        carom_gallery_result_number(result, what, k < 3 ? "" : "s", paper[k], ours[0][k]);
    }
    snprintf(what, sizeof what, "%s: steps in which QCE did not converge", word);
    carom_gallery_result_near(result, what, "", 0, (double)t[0].unfinished, 0);
    if (!result->quick) {
        snprintf(what, sizeof what, "%s: sweeps, mean, at most the paper's", word);
        carom_gallery_result_at_most(result, what, "", ours[0][0], paper[0]);
        snprintf(what, sizeof what, "%s: time for contacts, mean, at most the paper's", word);
        carom_gallery_result_at_most(result, what, "s", ours[0][3], paper[3]);
    }
    snprintf(what, sizeof what, "%s: time for contacts by GR, mean", word);
    carom_gallery_result_number(result, what, "s", index == 2 ? printed_gr : (double)NAN,
                                ours[1][3]);
    snprintf(what, sizeof what, "%s: sweeps of GR, mean", word);
    carom_gallery_result_number(result, what, "", NAN, ours[1][0]);
    snprintf(what, sizeof what, "%s: time for a whole step by QCE, mean", word);
    carom_gallery_result_number(result, what, "s", NAN, t[0].whole / t[0].steps);
}

// The paper's mean sweeps beside ours.
static void draw_sweeps(carom_gallery_result *result, const double *mean)
{
    const char *ticks[CAROM_GALLERY_LAYERS + 1] = { NULL };
    double x[CAROM_GALLERY_LAYERS], paper[CAROM_GALLERY_LAYERS];
    for (int i = 0; i < CAROM_GALLERY_LAYERS; ++i) {
        ticks[i] = carom_gallery_qce_layers[i].word;
        x[i] = i + 1;
        paper[i] = printed[i][0];
    }
    carom_plot_series series[2] = {
        { "Carom", x, mean, CAROM_GALLERY_LAYERS, CAROM_PLOT_BARS, "s0", NULL, 40 },
        { "paper", x, paper, CAROM_GALLERY_LAYERS, CAROM_PLOT_DOTS, "ink", NULL, 5 },
    };
    carom_plot plot = { .title = "Sweeps of QCE per step, mean",
                        .names = ticks,
                        .x = { "layer", "", 0.5, CAROM_GALLERY_LAYERS + 0.5, false, 0 },
                        .y = { "sweeps", "number", 0, 0, false, 0 },
                        .series = series,
                        .count = 2 };
    carom_gallery_result_plots(result, &plot, 1, 1, "Mean sweeps per step for the three layers.");
}

carom_status carom_gallery_qce_speed_table(carom_gallery_result *result, carom_error *err)
{
    double sweeps[CAROM_GALLERY_LAYERS];
    for (int i = 0; i < CAROM_GALLERY_LAYERS; ++i) {
        const carom_gallery_layer *layer = &carom_gallery_qce_layers[i];
        char path[4200];
        carom_scene_world *scene = NULL;
        tally tallies[2] = { 0 };
        TRY(carom_gallery_qce_layer_scene(result, layer->full, 100, path, sizeof path, err));
        TRY(carom_scene_world_open(path, &scene, err));
        int cycle = (int)(layer->period / carom_scene_world_step(scene) + 0.5);
        carom_status status =
            race(result, scene, (result->quick ? 1 : 3) * cycle, cycle, tallies, err);
        carom_scene_world_close(scene);
        TRY(status);
        compare(result, i, tallies);
        sweeps[i] = tallies[0].sweeps.sum / tallies[0].steps;
    }
    draw_sweeps(result, sweeps);
    carom_gallery_result_note(
        result, "Sweeps are summed over the passes of a step (up to six impacts that "
                "follow each other). GR shares collision, friction and rest with QCE; "
                "times are of this machine, one thread.");
    if (result->quick)
        carom_gallery_result_smaller(result,
                                     "1,536 grains instead of 60,000, the second cycle instead "
                                     "of the fourth.");
    return CAROM_OK;
}
