// `carom pattern`: what a shaken layer of grains looks like.
#include "command.h"
#include "output.h"
#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include "carom/json.h"
#include "carom/pattern.h"
#include "carom/trajectory.h"

enum { FRAMES_MAX = 64 }; // frames to be averaged

typedef struct work {
    carom_trajectory *file;
    carom_scene_world *scene;
    carom_world *world; // for kinds and sizes of the bodies
    carom_frame frame;
    int64_t number, frames;
    int last; // frames whose spectra are averaged
    carom_pattern patterns[FRAMES_MAX], found;
} work;

static carom_status open(const carom_arguments *given, work *w, carom_error *err)
{
    carom_status status = carom_trajectory_open(carom_command_text(given, "FILE"), &w->file, err);
    if (status == CAROM_OK)
        status = carom_trajectory_scene(w->file, &w->scene, err);
    if (status == CAROM_OK)
        status = carom_scene_world_build(w->scene, NULL, &w->world, err);
    if (status != CAROM_OK)
        return status;
    w->frames = carom_trajectory_frame_count(w->file);
    w->number = carom_command_integer(given, "--frame");
    w->number = w->number < 0 ? w->frames + w->number : w->number;
    w->last = (int)carom_command_integer(given, "--last");
    return carom_trajectory_frame(w->file, w->number, &w->frame, err); // is there one?
}

static carom_status measure_frame(work *w, int64_t number, carom_pattern *found, carom_error *err)
{
    carom_status read = carom_trajectory_frame(w->file, number, &w->frame, err);
    if (read != CAROM_OK)
        return read;
    return carom_pattern_frame(&w->frame, w->world, found, err);
}

// The frame and those before it, as many as are to be averaged and there are.
static carom_status measure(work *w, carom_error *err)
{
    int64_t first = w->number < w->last ? 0 : w->number - w->last + 1;
    int count = 0;
    carom_status status = CAROM_OK;
    do
        status = measure_frame(w, first + count, &w->patterns[count], err);
    while (status == CAROM_OK && first + ++count <= w->number);
    if (status == CAROM_OK)
        carom_pattern_average(w->patterns, count, &w->found);
    return status;
}

// One line per frame.
static carom_status list(work *w, carom_error *err)
{
    carom_status status = CAROM_OK;
    printf("frame,time,pattern,peaks,wavelength,box wavelength,mean wavelength,contrast,mean "
           "height,rms height\n");
    for (w->number = 0; w->number < w->frames && status == CAROM_OK; ++w->number) {
        status = measure(w, err);
        if (status == CAROM_OK)
            printf("%lld,%.6g,%s,%d,%.4g,%.4g,%.4g,%.3g,%.4g,%.3g\n", (long long)w->number,
                   w->frame.time, carom_pattern_word(w->found.kind), w->found.peaks,
                   w->found.wavelength, w->found.box_wavelength, w->found.mean_wavelength,
                   w->found.contrast, w->found.mean, w->found.rms);
    }
    w->number = w->frames - 1;
    return status;
}

static carom_status draw(const carom_arguments *given, const work *w, carom_error *err)
{
    const char *path = carom_command_text(given, "--svg");
    char *text = NULL;
    if (!path)
        return CAROM_OK;
    carom_status status =
        carom_pattern_svg(&w->found, carom_scene_world_title(w->scene), &text, err);
    if (status == CAROM_OK)
        status = carom_output_write(path, text, carom_command_flag(given, "--force"), err);
    free(text);
    return status;
}

static int print_json(const work *w)
{
    const carom_pattern *p = &w->found;
    carom_json *json = carom_json_create();
    carom_json_object(json, NULL);
    carom_json_integer(json, "frame", w->number);
    carom_json_number(json, "time", w->frame.time);
    carom_json_string(json, "pattern", carom_pattern_word(p->kind));
    carom_json_integer(json, "peaks", p->peaks);
    carom_json_number(json, "wavelength", p->wavelength);
    carom_json_number(json, "box_wavelength", p->box_wavelength);
    carom_json_number(json, "mean_wavelength", p->mean_wavelength);
    carom_json_number(json, "contrast", p->contrast);
    carom_json_number(json, "mean_height", p->mean);
    carom_json_number(json, "rms_height", p->rms);
    carom_json_number(json, "two_fold", p->fold[0]);
    carom_json_number(json, "four_fold", p->fold[1]);
    carom_json_number(json, "six_fold", p->fold[2]);
    carom_json_number(json, "local_two_fold", p->local[0]);
    carom_json_number(json, "local_four_fold", p->local[1]);
    carom_json_number(json, "local_six_fold", p->local[2]);
    carom_json_end(json);
    return carom_output_finish_json(json, "-", true);
}

static int run(const carom_arguments *given)
{
    carom_error err = { 0 };
    work *w = calloc(1, sizeof *w);
    if (!w)
        return carom_command_no_memory("the height map");
    int code = CAROM_EXIT_GOOD;
    bool lines = carom_command_flag(given, "--list");
    if (open(given, w, &err) != CAROM_OK || (lines ? list : measure)(w, &err) != CAROM_OK ||
        draw(given, w, &err) != CAROM_OK)
        code = carom_command_fail(&err);
    else if (lines)
        code = CAROM_EXIT_GOOD;
    else if (carom_command_flag(given, "--json"))
        code = print_json(w);
    else
        printf(
            "frame %lld of %lld, %.6g s: %s, %d peaks, wavelength %.4g m, contrast %.3g\n"
            "transform %.4g m: the box over its strongest whole number of waves; %.4g m by the "
            "mean "
            "wave number\n"
            "height    %.4g m on average, %.3g m rms\n"
            "symmetry  two-fold %.2f, four-fold %.2f, six-fold %.2f\n"
            "order     two-fold %.2f, four-fold %.2f, six-fold %.2f times that of random waves, in "
            "windows of two wavelengths\n",
            (long long)w->number, (long long)w->frames, w->frame.time,
            carom_pattern_word(w->found.kind), w->found.peaks, w->found.wavelength,
            w->found.contrast, w->found.box_wavelength, w->found.mean_wavelength, w->found.mean,
            w->found.rms, w->found.fold[0], w->found.fold[1], w->found.fold[2], w->found.local[0],
            w->found.local[1], w->found.local[2]);
    carom_world_destroy(w->world);
    carom_scene_world_close(w->scene);
    carom_trajectory_close(w->file);
    free(w);
    return code;
}

static const carom_argument arguments[] = {
    { "FILE", CAROM_ARGUMENT_FILE, .doc = "a trajectory (.carom)", .required = true },
    { "--frame", CAROM_ARGUMENT_INTEGER, .value = "N", .initial = "-1", .min = -1e12, .max = 1e12,
      .doc = "which frame, from 0; negative ones count from the end" },
    { "--last", CAROM_ARGUMENT_INTEGER, .value = "N", .initial = "1", .min = 1, .max = FRAMES_MAX,
      .doc = "average the spectra of this many frames, up to that one; take frames a cycle apart" },
    { "--list", CAROM_ARGUMENT_FLAG, .doc = "print a line for every frame, as CSV" },
    { "--svg", CAROM_ARGUMENT_FILE, .value = "FILE", .ending = ".svg",
      .doc = "draw height map and spectrum there" },
    { "--out", CAROM_ARGUMENT_FILE, .value = "FILE", .by_ending = true,
      .doc = "write the same by its ending, .svg" },
    { "--force", CAROM_ARGUMENT_FLAG, .doc = "replace an existing picture" },
    { "--json", CAROM_ARGUMENT_FLAG, .doc = "print JSON" },
    { 0 },
};

static const char *const examples[] = {
    "is there a pattern, and which?",
    "carom run scenes/world/patterns-stripes.json --steps 1080 --out layer.carom && "
    "carom pattern layer.carom --last 4 --svg layer.svg",
    NULL,
};

const carom_command carom_pattern_command = {
    .name = "pattern",
    .summary = "find the pattern of a shaken layer of grains",
    .details = "Maps the heights of the moving bodies of one frame, takes the map's spectrum and "
               "counts its peaks round the circle at the strongest wave number: two are stripes, "
               "four squares, six hexagons [QCE, figure 9]. The same symmetry must stand out in "
               "windows of two wavelengths, over that of random waves, or stand out there so "
               "clearly that the pattern may turn from place to place. Else it is disorder; where "
               "no wave number stands out the layer is flat. A wave takes about ten cycles to "
               "appear, an order of its directions many more. The wavelength is also given as a "
               "plain Fourier transform of the map has it, where only whole numbers of waves fit "
               "the box.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};
