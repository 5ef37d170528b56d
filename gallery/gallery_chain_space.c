// The stepping scheme of [EC, section 6] in three dimensions, which the paper announces: "the
// scheme can be extended in a straight forward way". A row along an oblique direction against the
// scheme in one dimension, a pool break and balls in a box under gravity.
#include "gallery/gallery_chain.h"

#include <stdio.h>
#include "carom/chain.h"
#include "gallery/gallery_world.h"

enum { BALLS = 5, STEPS = 30, STRIKING = 2 };
static const double along[3] = { 1 / 3., 2 / 3., 2 / 3. }; // of the scene's row
static const double step = 0.02, gap = 0.05;               // s, m

// Place along the row and distance from its line.
static void project(const double *body, double *place, double *off)
{
    double aside = 0;
    *place = body[0] * along[0] + body[1] * along[1] + body[2] * along[2];
    for (int k = 0; k < 3; ++k)
        aside += (body[k] - *place * along[k]) * (body[k] - *place * along[k]);
    *off = sqrt(aside);
}

// The same row by the scheme in one dimension: places after every step, velocities at the end.
static carom_status reference(double place[BALLS][STEPS + 1], double velocity[BALLS],
                              carom_error *err)
{
    static const double start[BALLS] = { -2.05, -1.05, 0, 1, 2 };
    double mass[BALLS], before[BALLS], gaps[BALLS] = { 0, gap, 0, 0, 0 };
    carom_chain_stepper *stepper = NULL;
    for (int i = 0; i < BALLS; ++i) {
        mass[i] = 1;
        before[i] = i < STRIKING;
        place[i][0] = start[i];
    }
    carom_chain_row row = { BALLS, mass, before, gaps, false };
    TRY(carom_chain_stepper_create(&row, &stepper, err));
    carom_status status = CAROM_OK;
    for (int k = 1; k <= STEPS && status == CAROM_OK; ++k) {
        carom_chain_step_report report;
        status =
            carom_chain_stepper_step(stepper, step, 1, CAROM_CHAIN_RULE_FIXED_POINT, &report, err);
        for (int i = 0; i < BALLS; ++i)
            place[i][k] = start[i] + carom_chain_stepper_shift(stepper)[i];
    }
    for (int i = 0; i < BALLS; ++i)
        velocity[i] = carom_chain_stepper_velocity(stepper)[i];
    carom_chain_stepper_destroy(stepper);
    return status;
}

// Room for the pictures of a row.
typedef struct tracks {
    double time[STEPS + 1], here[BALLS][STEPS + 1], there[BALLS][STEPS + 1];
} tracks;

static carom_status row_in(carom_gallery_result *result, const carom_gallery_show *show, tracks *t,
                           carom_error *err)
{
    static const double ideal[BALLS] = { 0, 0, 0, 1, 1 };
    double velocity[BALLS], far = 0, fast = 0, off, aside = 0;
    TRY(reference(t->there, velocity, err));
    if (carom_recording_frame_count(show->recording) != STEPS + 1)
        return carom_error_set(err, CAROM_BAD_INPUT, "the row has not %d steps", STEPS);
    for (int k = 0; k <= STEPS; ++k) {
        carom_frame frame;
        TRY(carom_recording_frame(show->recording, k, &frame, err));
        t->time[k] = frame.time;
        for (int i = 0; i < BALLS; ++i) {
            project(frame.bodies + CAROM_FRAME_STRIDE * i, &t->here[i][k], &off);
            far = fmax(far, fabs(t->here[i][k] - t->there[i][k]));
            aside = fmax(aside, off);
        }
    }
    for (int i = 0; i < BALLS; ++i) {
        char what[80];
        double v;
        project(show->last.bodies + CAROM_FRAME_STRIDE * i + 7, &v, &off);
        fast = fmax(fast, fabs(v - velocity[i]));
        snprintf(what, sizeof what, "row: speed of ball %d after the impact", i + 1);
        carom_gallery_result_near(result, what, "v0", ideal[i], v, 1e-12);
    }
    carom_gallery_result_at_most(result, "row: largest distance to the scheme in one dimension",
                                 "m", far, 1e-8);
    carom_gallery_result_at_most(result, "row: largest difference of velocities to it", "m/s", fast,
                                 1e-12);
    carom_gallery_result_at_most(result, "row: largest distance from its line", "m", aside, 1e-12);
    return CAROM_OK;
}

static void draw_row(carom_gallery_result *result, const tracks *t)
{
    carom_plot_series series[2 * BALLS];
    for (int i = 0; i < BALLS; ++i) {
        series[i] = (carom_plot_series){ i ? NULL : "in space", t->time, t->here[i], STEPS + 1,
                                         CAROM_PLOT_LINE,       "s0",    NULL,       1.6 };
        series[BALLS + i] = (carom_plot_series){ i ? NULL : "in one dimension",
                                                 t->time,
                                                 t->there[i],
                                                 STEPS + 1,
                                                 CAROM_PLOT_DOTS,
                                                 "ink",
                                                 NULL,
                                                 2 };
    }
    carom_plot plot = { .title = "Two of five balls strike, in the middle of a step",
                        .x = { "time", "s", 0, 0.6, false, 0 },
                        .y = { "place along the row", "m", -2.5, 3, false, 0 },
                        .series = series,
                        .count = 2 * BALLS };
    carom_gallery_result_plots(result, &plot, 1, 1,
                               "Places of the five balls along a row that points along (1, 2, 2); "
                               "dots are the scheme in one dimension.");
}

static carom_status row(carom_gallery_result *result, carom_error *err)
{
    char path[4200];
    carom_gallery_show show;
    tracks *t;
    TAKE(result->memory, t, 1, err);
    carom_gallery_result_scene(result, "world/elastic-row.json", path, sizeof path);
    carom_status status = carom_gallery_world_run(result, path, NULL, 0, &show, err);
    if (status == CAROM_OK)
        status = row_in(result, &show, t, err);
    if (status == CAROM_OK)
        draw_row(result, t);
    carom_gallery_world_close(&show);
    return status;
}

// Relative change of energy, and of momentum over the sum of all momenta.
static void conserved(carom_gallery_result *result, const char *name,
                      const carom_gallery_show *show, bool free)
{
    const carom_ledger *l = &show->report.ledger;
    char what[100];
    double now = l->kinetic + l->potential;
    snprintf(what, sizeof what, "%s: energy lost or gained, of the whole", name);
    carom_gallery_result_at_most(result, what, "", fabs(now - l->start) / l->start, 1e-11);
    snprintf(what, sizeof what, "%s: steps with impacts", name);
    carom_gallery_result_number(result, what, "", NAN, (double)l->impacts);
    snprintf(what, sizeof what, "%s: deepest overlap", name);
    carom_gallery_result_at_most(result, what, "m", l->peak_overlap, 1e-5);
    if (!free)
        return;
    double p = 0.17 * 5, off = 0; // the cue ball's
    for (int k = 0; k < 2; ++k)
        off = fmax(off, fabs(l->momentum[k] - (k == 0 ? p : 0)));
    snprintf(what, sizeof what, "%s: momentum lost or gained, of the whole", name);
    carom_gallery_result_at_most(result, what, "", off / p, 1e-12);
}

enum { BREAK = 17 }; // bodies of the pool break

// Velocities of all bodies at the end, three numbers each.
static carom_status take_velocities(const carom_gallery_show *show, double out[3 * BREAK],
                                    carom_error *err)
{
    if (show->last.body_count != BREAK)
        return carom_error_set(err, CAROM_BAD_INPUT, "the pool break has not %d bodies", BREAK);
    for (int i = 0; i < 3 * BREAK; ++i)
        out[i] = show->last.bodies[CAROM_FRAME_STRIDE * (i / 3) + 7 + i % 3];
    return CAROM_OK;
}

// One run of the break; `name` null: not judged. The trajectories have one name: one at a time.
static carom_status break_by(carom_gallery_result *result, const char *const set[3],
                             const char *name, const char *caption, double velocities[3 * BREAK],
                             carom_error *err)
{
    char path[4200];
    carom_gallery_show show;
    carom_export_view view = carom_export_view_default();
    carom_gallery_result_scene(result, "world/pool-break.json", path, sizeof path);
    carom_status status = carom_gallery_world_run(result, path, set, 3, &show, err);
    if (status == CAROM_OK && name)
        conserved(result, name, &show, true);
    if (status == CAROM_OK && caption)
        status = carom_gallery_world_picture(result, &show, &view, 1, HUGE_VAL, caption, err);
    if (status == CAROM_OK)
        status = take_velocities(&show, velocities, err);
    carom_gallery_world_close(&show);
    return status;
}

static carom_status pool(carom_gallery_result *result, carom_error *err)
{
    static const char *const fixed[] = { "law=fixed-point", "stepping=elastic", "duration=0.3" };
    static const char *const elastic[] = { "law=qce", "stepping=elastic", "duration=0.3" };
    static const char *const events[] = { "law=qce", "stepping=events", "duration=0.3" };
    double first[3 * BREAK], second[3 * BREAK], third[3 * BREAK], off = 0;
    TRY(break_by(result, fixed, "pool break, fixed point",
                 "The pool break after 0.3 s, by the fixed point: contacts in the order of their "
                 "list, so that the two sides differ.",
                 first, err));
    TRY(break_by(result, elastic, "pool break, QCE in its place",
                 "The same with the law QCE in the place of the fixed point: both sides alike.",
                 second, err));
    TRY(break_by(result, events, NULL, NULL, third, err));
    for (int i = 0; i < 3 * BREAK; ++i)
        off = fmax(off, fabs(second[i] - third[i]));
    carom_gallery_result_at_most(result,
                                 "pool break, QCE: largest difference of velocities to a run with "
                                 "times of impact",
                                 "m/s", off, 1e-6);
    return CAROM_OK;
}

static carom_status box(carom_gallery_result *result, carom_error *err)
{
    char path[4200];
    carom_gallery_show show;
    carom_export_view view = carom_export_view_default();
    carom_gallery_result_scene(result, "world/elastic-box.json", path, sizeof path);
    carom_status status = carom_gallery_world_run(result, path, NULL, 0, &show, err);
    if (status == CAROM_OK) {
        conserved(result, "balls in a box, under gravity", &show, false);
        status = carom_gallery_world_picture(
            result, &show, &view, 6, 0, "64 balls fall into a box and bounce; six moments.", err);
    }
    carom_gallery_world_close(&show);
    if (status == CAROM_OK)
        status = carom_gallery_world_run(result, path, (const char *const[]){ "step=0.01" }, 1,
                                         &show, err);
    if (status == CAROM_OK) {
        const carom_ledger *l = &show.report.ledger;
        carom_gallery_result_at_most(result,
                                     "balls in a box, steps five times as long: energy lost where "
                                     "several impacts share a step, of the whole",
                                     "", fabs(l->kinetic + l->potential - l->start) / l->start,
                                     1e-4);
    }
    carom_gallery_world_close(&show);
    return status;
}

carom_status carom_gallery_chain_space(carom_gallery_result *result, carom_error *err)
{
    TRY(row(result, err));
    TRY(pool(result, err));
    TRY(box(result, err));
    carom_gallery_result_note(result,
                              "Linear momentum and energy are exact. Angular momentum is not: "
                              "impulses act at the beginning of the step, bodies move with the "
                              "inelastic velocities, which is an error of first order in the "
                              "step.");
    carom_gallery_result_note(result,
                              "Beyond the paper: gravity, whose work on the way of the step goes "
                              "into the velocities before the impact; without that a step with "
                              "an impact would lose it.");
    return CAROM_OK;
}
