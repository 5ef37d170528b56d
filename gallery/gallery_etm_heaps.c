// Many bodies of [ETM]: energy of elastic packings (figure 9), packing and settling (11, 12), and
// the angle of repose (13, 14, 15).
//
// The heaps follow `carom repose`: poured once with the friction of the scene, then the wall is
// taken away once for each coefficient, by the law `etm`; spheres with the paper's step of 1/600 s,
// cubes and crosses, whose impacts have many points, with 1/60 s. With --quick a slice of the box
// with fewer bodies is used.
#include "carom/repose.h"
#include "gallery/gallery_etm.h"
#include "gallery/gallery_world.h"

#include <stdio.h>
#include <string.h>

// -- figure 9 -----------------------------------------------------------------------------------

enum { STEPS_MAX = 260 };

typedef struct errors {
    int count;
    double step[STEPS_MAX], error[STEPS_MAX], worst;
    int64_t impacts;
} errors;

// Relative error of the energy of each step with collisions (eq 68).
static carom_status follow(carom_gallery_result *result, const char *name, const char *law,
                           int steps, errors *out, carom_error *err)
{
    char path[4200];
    carom_scene_world *scene = NULL;
    carom_world *world = NULL;
    *out = (errors){ 0 };
    carom_status status = carom_scene_world_open(
        carom_gallery_result_scene(result, name, path, sizeof path), &scene, err);
    if (status == CAROM_OK)
        status = carom_scene_world_set(scene, "law", law, err);
    if (status == CAROM_OK)
        status = carom_scene_world_build(scene, NULL, &world, err);
    double energy = status == CAROM_OK ? carom_world_ledger(world).start : 0;
    for (int i = 0; i < steps && status == CAROM_OK; ++i) {
        int64_t before = carom_world_ledger(world).impacts;
        status = carom_world_step(world, carom_scene_world_step(scene), err);
        if (status == CAROM_OK)
            status = carom_gallery_result_progress(result, i, steps, law, err);
        carom_ledger now = carom_world_ledger(world);
        double sum = now.kinetic + now.potential, off = fabs((sum - energy) / energy);
        energy = sum;
        if (now.impacts > before && out->count < STEPS_MAX) {
            out->step[out->count] = i;
            out->error[out->count++] = fmax(off, 1e-17);
            out->worst = fmax(out->worst, off);
        }
        out->impacts = now.impacts;
    }
    carom_world_destroy(world);
    carom_scene_world_close(scene);
    return status;
}

carom_status carom_gallery_etm_energy(carom_gallery_result *result, carom_error *err)
{
    static const char *const scenes[2] = { "world/packing-540.json", "world/packing-1080.json" };
    static const char *const bodies[2] = { "540 spheres", "1080 spheres" };
    static const char *const laws[2] = { "etm", "sqm" };
    int steps = result->quick ? 90 : 250, sets = result->quick ? 1 : 2;
    errors *found = carom_gallery_memory_take(result->memory, 4, sizeof *found);
    if (!found)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for errors");
    carom_plot_series series[4];
    carom_plot plots[2];
    for (int s = 0; s < sets; ++s) {
        for (int k = 0; k < 2; ++k) {
            errors *e = &found[2 * s + k];
            char what[100];
            TRY(follow(result, scenes[s], laws[k], steps, e, err));
            series[2 * s + k] =
                (carom_plot_series){ k ? "SQM" : "ETM", e->step,         e->error, e->count,
                                     CAROM_PLOT_DOTS,   k ? "s1" : "s0", NULL,     2.2 };
            snprintf(what, sizeof what, "%s, %s: largest relative error of a step", bodies[s],
                     k ? "SQM" : "ETM");
            carom_gallery_result_at_most(result, what, "", e->worst, 8e-3);
            snprintf(what, sizeof what, "%s, %s: impacts", bodies[s], k ? "SQM" : "ETM");
            carom_gallery_result_at_least(result, what, "", (double)e->impacts, 100);
        }
        plots[s] = (carom_plot){ .title = bodies[s],
                                 .x = { "step", "number", 0, steps, false, 0 },
                                 .y = { "relative error of the energy", "", 1e-17, 1e-1, true, 0 },
                                 .series = &series[2 * s],
                                 .count = 2 };
    }
    carom_gallery_result_plots(result, plots, sets, sets,
                               "Relative error of the energy in every step with collisions; the "
                               "paper's stay below 8e-3.");
    carom_gallery_result_note(result,
                              "Sizes, places and speeds of the spheres and the box are ours. "
                              "Times of impact are found within a step, so that nearly all "
                              "impacts are of single pairs: the errors are round-off.");
    if (result->quick)
        carom_gallery_result_smaller(result, "540 spheres only, 90 steps instead of 250.");
    return CAROM_OK;
}

// -- heaps --------------------------------------------------------------------------------------

enum { KINDS = 3 };

#define SHORTER                                                                                    \
    { "\"duration\": 18", "\"duration\": 16" },                                                    \
    {                                                                                              \
        "\"at\": 8", "\"at\": 6"                                                                   \
    }

// Cubes and crosses fill the same box.
#define NARROW_BLOCKS                                                                              \
    { { "\"inside\": [43.2, 24, 90]", "\"inside\": [43.2, 7.2, 90]" },                             \
      { "[0, -12, 0]", "[0, -3.6, 0]" },                                                           \
      { "\"count\": 325", "\"count\": 50" },                                                       \
      { "[-21.6, -12, 0]", "[-21.6, -3.6, 0]" },                                                   \
      { "\"to\": [0, 12,", "\"to\": [0, 3.6," },                                                   \
      { "\"box\": [1, 24, 90]", "\"box\": [1, 7.2, 90]" },                                         \
      SHORTER },                                                                                   \
        3.6, "0.016666666666666666"

static const struct heap_kind {
    const char *name, *scene;
    carom_gallery_edit edits[8]; // to a slice of 6.4 or 7.2 m instead of 24 m
    double half;                 // of that slice, m
    const char *step;            // s
} kinds[KINDS] = {
    { "spheres",
      "world/pack-spheres.json",
      { { "\"inside\": [43.2, 24, 90]", "\"inside\": [43.2, 6.4, 90]" },
        { "[0, -12, 0]", "[0, -3.2, 0]" },
        { "\"count\": 540", "\"count\": 84" },
        { "[-21.6, -12, 0], \"to\": [0, 12, 58]", "[-21.6, -3.2, 0], \"to\": [0, 3.2, 58]" },
        { "\"box\": [1, 24, 90]", "\"box\": [1, 6.4, 90]" },
        SHORTER },
      3.2,
      "0.0016666666666666668" },
    { "cubes", "world/pack-cubes.json", NARROW_BLOCKS },
    { "crosses", "world/pack-crosses.json", NARROW_BLOCKS },
};

// A heap before its wall goes: what all coefficients start from.
typedef struct packing {
    carom_scene_world *scene;
    carom_world *world; // the last one that was asked for
    int64_t step;       // number of the first one that is not done
    void *bytes;
    size_t size;
    double area[4];
} packing;

static void packing_close(packing *p)
{
    carom_world_destroy(p->world);
    carom_scene_world_close(p->scene);
    *p = (packing){ 0 };
}

// The scene of a heap; with a restitution other than its own where one is given.
static carom_status heap_path(carom_gallery_result *result, int kind, const char *restitution,
                              char *path, size_t size, carom_error *err)
{
    const struct heap_kind *k = &kinds[kind];
    carom_gallery_edit edits[9] = { { NULL, NULL } };
    int count = 0;
    for (; result->quick && count < 8 && k->edits[count].from; ++count)
        edits[count] = k->edits[count];
    if (restitution)
        edits[count++] = (carom_gallery_edit){ "\"restitution\": 0.3", restitution };
    if (count > 0)
        return carom_gallery_world_edit(result, k->scene, edits, count, path, size, err);
    carom_gallery_result_scene(result, k->scene, path, size);
    return CAROM_OK;
}

static carom_status steps(carom_gallery_result *result, packing *p, int64_t from, int64_t to,
                          carom_error *err)
{
    double dt = carom_scene_world_step(p->scene);
    for (int64_t i = from; i < to; ++i) {
        carom_scene_world_change(p->scene, p->world, i);
        TRY(carom_world_step(p->world, dt, err));
        if (i % 16 == 0)
            TRY(carom_gallery_result_progress(result, (double)(i - from), (double)(to - from),
                                              "heap", err));
    }
    return CAROM_OK;
}

static double kinetic_per_mass(const carom_world *world)
{
    double mass = 0;
    for (int i = 0; i < carom_world_body_count(world); ++i)
        if (carom_world_kind(world, carom_world_body_at(world, i)) == CAROM_BODY_MOVING)
            mass += carom_world_mass(world, carom_world_body_at(world, i));
    return mass > 0 ? carom_world_ledger(world).kinetic / mass : 0;
}

// Before the wall goes: until the heap rests (0.02 J/kg), 20 s at most. Spheres roll for long.
static carom_status wait(carom_gallery_result *result, packing *p, carom_error *err)
{
    double dt = carom_scene_world_step(p->scene);
    for (int i = 0; i * dt < 20 && kinetic_per_mass(p->world) > 0.02; ++i) {
        TRY(carom_world_step(p->world, dt, err));
        TRY(carom_gallery_result_progress(result, 0, 1, "heap", err));
    }
    return CAROM_OK;
}

static carom_status pour(carom_gallery_result *result, int kind, const char *restitution,
                         packing *p, carom_error *err)
{
    char path[4200];
    double half = result->quick ? kinds[kind].half : 12;
    *p = (packing){ .area = { -21.6, -half, 21.6, half } };
    TRY(heap_path(result, kind, restitution, path, sizeof path, err));
    TRY(carom_scene_world_open(path, &p->scene, err));
    TRY(carom_scene_world_set(p->scene, "law", "etm", err));
    TRY(carom_scene_world_set(p->scene, "step", kinds[result->quick ? 1 : kind].step, err));
    TRY(carom_scene_world_build(p->scene, NULL, &p->world, err));
    p->step = carom_scene_world_first_change(p->scene);
    TRY(steps(result, p, 0, p->step, err));
    TRY(wait(result, p, err));
    p->size = carom_world_snapshot_size(p->world);
    p->bytes = carom_gallery_memory_take(result->memory, p->size, 1);
    if (!p->bytes)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for a heap");
    carom_world_snapshot(p->world, p->bytes);
    return CAROM_OK;
}

// The wall goes; to the end of the scene with this coefficient, and on until nothing moves (1e-3
// J/kg: a few cm/s) or 20 s have passed.
static carom_status slide(carom_gallery_result *result, packing *p, double friction,
                          carom_repose *angle, carom_error *err)
{
    carom_world_destroy(p->world);
    p->world = NULL;
    TRY(carom_scene_world_friction(p->scene, friction, err));
    TRY(carom_scene_world_build(p->scene, NULL, &p->world, err));
    TRY(carom_world_restore(p->world, p->bytes, p->size, err));
    int64_t at = carom_scene_world_steps(p->scene);
    int64_t second = (int64_t)(1 / carom_scene_world_step(p->scene) + 0.5);
    TRY(steps(result, p, p->step, at, err));
    for (int k = 0; k < 20 && kinetic_per_mass(p->world) > 1e-3; ++k, at += second)
        TRY(steps(result, p, at, at + second, err));
    return carom_repose_measure(p->world, p->area, angle, err);
}

static carom_status photograph(carom_gallery_result *result, const packing *p, const char *caption,
                               carom_error *err)
{
    carom_gallery_show show = { 0 };
    carom_export_view view = carom_export_view_default();
    static const double from[3] = { 10, -95, 26 }, to[3] = { 0, 0, 8 }; // m, above the box's front
    view.width = 760;
    view.height = 420;
    view.has_from = view.has_to = 1;
    memcpy(view.from, from, sizeof from);
    memcpy(view.to, to, sizeof to);
    TRY(carom_recording_create(p->world, &show.recording, err));
    carom_status status =
        carom_gallery_world_picture(result, &show, &view, 1, HUGE_VAL, caption, err);
    carom_recording_destroy(show.recording);
    return status;
}

// Small heaps of cubes and crosses stand without sliding: with --quick only spheres slide.
static int kinds_here(const carom_gallery_result *result, int quick)
{
    return result->quick ? quick : KINDS;
}

static void say_small(carom_gallery_result *result, const char *bodies)
{
    if (result->quick)
        carom_gallery_result_smaller(
            result,
            "%s in a slice of the box, 16 s in steps of 1/60 s, and nothing "
            "else; in full 540 spheres, 325 cubes and 325 crosses, 18 s.",
            bodies);
}

// What the paper and we do differently; on every page of heaps.
static void say_how(carom_gallery_result *result)
{
    carom_gallery_result_note(
        result, "Law `etm`; steps of 1/600 s for spheres, as in the paper, of 1/60 s for "
                "cubes and crosses, whose heaps would take hours. Sizes of bodies and "
                "box are those of figure 10; density (2600 kg/m^3), random places and "
                "rotations at the start, contacts slower than 0.5 m/s that rest instead "
                "of bouncing, and no resistance against rolling are ours.");
}

// The deepest overlap in units of the smallest body's size.
static double overlap_of(const carom_world *world)
{
    return carom_world_ledger(world).overlap / 2.4;
}

// -- figure 11 ----------------------------------------------------------------------------------

carom_status carom_gallery_etm_packing(carom_gallery_result *result, carom_error *err)
{
    for (int k = 0; k < kinds_here(result, 2); ++k) {
        packing p;
        char what[100], caption[100];
        carom_status status = pour(result, k, NULL, &p, err);
        snprintf(caption, sizeof caption, "%s in their half of the box, before the wall goes.",
                 kinds[k].name);
        if (status == CAROM_OK)
            status = photograph(result, &p, caption, err);
        if (status == CAROM_OK) {
            snprintf(what, sizeof what, "%s: kinetic energy per mass at the end", kinds[k].name);
            carom_gallery_result_at_most(result, what, "J/kg", kinetic_per_mass(p.world), 0.05);
            snprintf(what, sizeof what, "%s: deepest overlap, of a cube's edge", kinds[k].name);
            carom_gallery_result_at_most(result, what, "", overlap_of(p.world), 0.01);
            int out = 0;
            for (int i = 0; i < carom_world_body_count(p.world); ++i) {
                double x[3] = { 0 };
                carom_world_body(p.world, carom_world_body_at(p.world, i), x, NULL, NULL, NULL);
                out += carom_world_kind(p.world, carom_world_body_at(p.world, i)) ==
                           CAROM_BODY_MOVING &&
                       (x[0] > 0 || x[0] < -21.6 || x[2] < 0);
            }
            snprintf(what, sizeof what, "%s: bodies that left their half of the box",
                     kinds[k].name);
            carom_gallery_result_at_most(result, what, "", out, 0);
        }
        packing_close(&p);
        TRY(status);
    }
    say_how(result);
    say_small(result, "84 spheres and 50 cubes");
    return CAROM_OK;
}

// -- figures 12 to 15 ---------------------------------------------------------------------------

carom_status carom_gallery_etm_settling(carom_gallery_result *result, carom_error *err)
{
    for (int k = 0; k < kinds_here(result, 1); ++k) {
        packing p;
        carom_repose angle;
        char caption[120], what[100];
        carom_status status = pour(result, k, "\"restitution\": 0.64", &p, err);
        if (status == CAROM_OK)
            status = slide(result, &p, 0.64, &angle, err);
        snprintf(caption, sizeof caption, "%s after the wall has gone, friction 0.64.",
                 kinds[k].name);
        if (status == CAROM_OK)
            status = photograph(result, &p, caption, err);
        if (status == CAROM_OK) {
            snprintf(what, sizeof what, "%s: slope after settling", kinds[k].name);
            carom_gallery_result_at_least(result, what, "degrees", angle.mean, 5);
            snprintf(what, sizeof what, "%s: kinetic energy per mass at the end", kinds[k].name);
            carom_gallery_result_at_most(result, what, "J/kg", kinetic_per_mass(p.world), 0.05);
        }
        packing_close(&p);
        TRY(status);
    }
    say_how(result);
    say_small(result, "84 spheres");
    return CAROM_OK;
}

// One shape: slopes over friction, photographs of the first and the last.
static carom_status slopes_of(carom_gallery_result *result, int kind, carom_error *err)
{
    static const double friction[4] = { 0.05, 0.2, 0.4, 0.6 };
    const char *name = kinds[kind].name;
    double angle[4] = { 0 }, error[4] = { 0 };
    packing p;
    carom_status status = pour(result, kind, NULL, &p, err);
    for (int k = 0; k < 4 && status == CAROM_OK; ++k) {
        bool end = k == 0 || k == 3;
        if (!end && (result->quick || kind > 0))
            continue;
        carom_repose found;
        char caption[100], what[80];
        status = slide(result, &p, friction[k], &found, err);
        if (status != CAROM_OK)
            break;
        angle[k] = found.mean;
        error[k] = found.error;
        snprintf(caption, sizeof caption, "%s with friction %g.", name, friction[k]);
        if (end)
            status = photograph(result, &p, caption, err);
        snprintf(what, sizeof what, "%s: slope with friction %g", name, friction[k]);
        carom_gallery_result_number(result, what, "degrees", NAN, found.mean);
    }
    packing_close(&p);
    TRY(status);
    for (int k = 1, before = 0; k < 4; ++k) {
        if (k != 3 && (result->quick || kind > 0))
            continue;
        carom_gallery_result_holds(
            result, angle[k] > angle[before] - error[before] - error[k],
            "%s: friction %g is not flatter than %g: %.1f after %.1f degrees "
            "(errors %.1f and %.1f)",
            name, friction[k], friction[before], angle[k], angle[before], error[k], error[before]);
        before = k;
    }
    carom_gallery_result_holds(result, angle[3] > angle[0] + error[0] + error[3],
                               "%s: 0.6 is steeper than 0.05 by more than the errors", name);
    return CAROM_OK;
}

carom_status carom_gallery_etm_slopes(carom_gallery_result *result, carom_error *err)
{
    for (int k = 0; k < kinds_here(result, 1); ++k)
        TRY(slopes_of(result, k, err));
    say_how(result);
    say_small(result, "84 spheres");
    return CAROM_OK;
}

carom_status carom_gallery_etm_lines(carom_gallery_result *result, carom_error *err)
{
    enum { CELLS = CAROM_REPOSE_CELLS, LINES = CAROM_REPOSE_LINES };
    packing p;
    carom_repose found;
    carom_status status = pour(result, 0, NULL, &p, err);
    if (status == CAROM_OK)
        status = slide(result, &p, 0.6, &found, err);
    if (status == CAROM_OK)
        status = photograph(result, &p, "The heap that is measured.", err);
    packing_close(&p);
    TRY(status);
    double x[LINES][CELLS], top[LINES][CELLS], min = HUGE_VAL, max = -HUGE_VAL, sum = 0;
    carom_plot_series series[LINES];
    for (int l = 0; l < LINES; ++l) {
        int count = 0;
        for (int c = 0; c < CELLS; ++c)
            if (found.top[l][c] > -1e30) {
                x[l][count] = -21.6 + 43.2 * (c + 0.5) / CELLS;
                top[l][count++] = found.top[l][c];
            }
        series[l] =
            (carom_plot_series){ NULL, x[l], top[l], count, CAROM_PLOT_LINE, NULL, NULL, 1.4 };
        min = fmin(min, found.line[l]);
        max = fmax(max, found.line[l]);
        sum += found.line[l];
    }
    carom_plot plot = { .title = "Highest nodes along the eight lines",
                        .x = { "place along the box", "m", 0, 0, false, 0 },
                        .y = { "height", "m", 0, 0, false, 0 },
                        .series = series,
                        .count = LINES };
    carom_gallery_result_plots(
        result, &plot, 1, 1,
        "The highest node of each of 8 x 16 cells; a straight line is fitted "
        "through each of the eight rows.");
    carom_gallery_result_near(result, "lines with a slope", "", 8, found.lines, 0);
    carom_gallery_result_near(result, "mean of the eight slopes, against the measure", "degrees",
                              sum / LINES, found.mean, 1e-9);
    carom_gallery_result_number(result, "least slope", "degrees", NAN, min);
    carom_gallery_result_number(result, "largest slope", "degrees", NAN, max);
    carom_gallery_result_near(result, "error: mean difference of both from the mean", "degrees",
                              (max - min) / 2, found.error, 1e-9);
    say_how(result);
    say_small(result, "84 spheres");
    return CAROM_OK;
}

carom_status carom_gallery_etm_angles(carom_gallery_result *result, carom_error *err)
{
    static const double coarse[2] = { 0.05, 0.6 }, fine[6] = { 0, 0.05, 0.1, 0.2, 0.4, 0.6 };
    const double *friction = result->quick ? coarse : fine;
    int count = result->quick ? 2 : 6;
    carom_repose_point points[KINDS * 6];
    double last[KINDS], first[KINDS];
    int done = 0;
    for (int k = 0; k < kinds_here(result, 1); ++k) {
        packing p;
        carom_status status = pour(result, k, NULL, &p, err);
        for (int f = 0; f < count && status == CAROM_OK; ++f) {
            char what[80];
            carom_repose found;
            status = slide(result, &p, friction[f], &found, err);
            if (status != CAROM_OK)
                break;
            points[done] = (carom_repose_point){ kinds[k].name, friction[f], found.mean, found.min,
                                                 found.max };
            ++done;
            snprintf(what, sizeof what, "%s, friction %g", kinds[k].name, friction[f]);
            carom_gallery_result_number(result, what, "degrees", NAN, found.mean);
            if (f == (result->quick ? 0 : 1))
                first[k] = found.mean;
            last[k] = found.mean;
        }
        packing_close(&p);
        TRY(status);
    }
    char *svg = NULL;
    TRY(carom_repose_svg(points, done, &svg, err));
    TRY(carom_gallery_result_take(result, svg,
                                  "Angle of repose over friction, with bars from the least "
                                  "to the largest of the eight lines.",
                                  err));
    for (int k = 0; k < kinds_here(result, 1); ++k)
        carom_gallery_result_holds(result, last[k] > first[k],
                                   "%s: friction 0.6 gives a steeper slope than 0.05 (%.1f, %.1f)",
                                   kinds[k].name, last[k], first[k]);
    if (!result->quick) // crosses interlock; the first point is without friction
        for (int k = 0; k < 2; ++k) {
            int steeper = 0;
            for (int f = 1; f < count; ++f)
                steeper += points[2 * count + f].angle > points[k * count + f].angle;
            carom_gallery_result_holds(
                result, steeper >= count - 2,
                "crosses are steeper than %s almost always: with %d of the %d "
                "frictions above zero",
                kinds[k].name, steeper, count - 1);
        }
    // "For all shapes, repose angles are close to, but greater than, those measured for dry sand":
    // 30 to 35 degrees are usual for it, and the text gives no number
    for (int k = 0; k < KINDS && !result->quick; ++k)
        carom_gallery_result_holds(result, last[k] > 30,
                                   "%s: steeper than dry sand (30 degrees at least) with friction "
                                   "0.6: %.1f degrees",
                                   kinds[k].name, last[k]);
    carom_gallery_result_note(result,
                              "The curves for spheres [51], experiments [48] and crosses [53] "
                              "that the figure shows are in the picture alone, without numbers "
                              "in the text; only the sentence about dry sand can be compared.");
    say_how(result);
    say_small(result, "84 spheres");
    return CAROM_OK;
}
