// Runs of [QCE]: break, cradle, circle, machine, energy error.
#include "gallery/gallery_instant.h"
#include "gallery/gallery_qce.h"
#include "gallery/gallery_world.h"

#include <stdio.h>
#include <string.h>

// -- figure 5 -----------------------------------------------------------------------------------

// Largest difference between the velocity of a ball and the mirrored one of its partner (y -> -y).
static double mirror_error(const carom_impact *impact, const carom_impact_outcome *out)
{
    double worst = 0;
    for (int i = 0; i < impact->body_count; ++i) {
        int partner = -1;
        for (int k = 0; k < impact->body_count; ++k) {
            const double *p = impact->bodies[i].position, *q = impact->bodies[k].position;
            if (fabs(p[0] - q[0]) < 1e-9 && fabs(p[1] + q[1]) < 1e-9)
                partner = k;
        }
        if (partner < 0)
            return HUGE_VAL;
        const double *v = out->velocities[i], *w = out->velocities[partner];
        worst = fmax(worst, fmax(fabs(v[0] - w[0]), fabs(v[1] + w[1])));
    }
    return worst;
}

static double likeness(int count, double (*a)[3], double (*b)[3])
{
    double ab = 0, aa = 0, bb = 0;
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k) {
            ab += a[i][k] * b[i][k];
            aa += a[i][k] * a[i][k];
            bb += b[i][k] * b[i][k];
        }
    return ab / sqrt(aa * bb);
}

static carom_status break_instant(carom_gallery_result *result, carom_error *err)
{
    char path[4200];
    carom_scene_impact *file = NULL;
    carom_impact_outcome qce, gr, lcp, wave;
    TRY(carom_scene_impact_open(
        carom_gallery_result_scene(result, "impact/pool-break.json", path, sizeof path), &file,
        err));
    const carom_impact *impact = carom_scene_impact_problem(file);
    carom_status status = carom_gallery_instant_resolve(result, impact, "qce", &qce, err);
    if (status == CAROM_OK)
        status = carom_gallery_instant_resolve(result, impact, "gr", &gr, err);
    if (status == CAROM_OK)
        status = carom_gallery_instant_resolve(result, impact, "newton", &lcp, err);
    if (status == CAROM_OK)
        status = carom_gallery_instant_resolve(result, impact, "wave", &wave, err);
    if (status == CAROM_OK) {
        int n = impact->body_count;
        carom_gallery_result_at_most(result, "QCE: largest mirror error of a velocity", "m/s",
                                     mirror_error(impact, &qce), 1e-12);
        carom_gallery_result_at_most(result, "GR: largest mirror error of a velocity", "m/s",
                                     mirror_error(impact, &gr), 1e-12);
        carom_gallery_result_near(result, "QCE: energy after over before", "", 1,
                                  qce.report.energy_after / qce.report.energy_before, 1e-12);
        carom_gallery_result_at_least(result, "likeness of the velocities of QCE and GR (1: equal)",
                                      "", likeness(n, qce.velocities, gr.velocities), 0.95);
        carom_gallery_result_number(result, "likeness of the velocities of QCE and LCP", "", NAN,
                                    likeness(n, qce.velocities, lcp.velocities));
        carom_gallery_result_number(result, "likeness of the velocities of QCE and wave", "", NAN,
                                    likeness(n, qce.velocities, wave.velocities));
    }
    carom_scene_impact_close(file);
    return status;
}

carom_status carom_gallery_qce_break(carom_gallery_result *result, carom_error *err)
{
    static const char *const laws[] = { "law=qce", "law=gr" };
    static const char *const captions[] = { "QCE, from above, 0.3 s after the start.",
                                            "GR, from above, 0.3 s after the start." };
    char path[4200];
    TRY(break_instant(result, err));
    carom_gallery_result_note(result,
                              "Stand-ins: the paper gives neither sizes nor speed. Balls of "
                              "57.15 mm and 0.17 kg as in pool, frictionless, without loss.");
    carom_gallery_result_scene(result, "world/pool-break.json", path, sizeof path);
    for (int i = 0; i < 2; ++i) {
        const char *set[] = { laws[i], "duration=0.3" };
        carom_gallery_show show;
        carom_export_view view = carom_export_view_default();
        view.has_from = view.has_to = 1;
        view.from[0] = view.to[0] = 0.12;
        view.from[2] = 2.4;
        view.up[0] = view.up[2] = 0;
        view.up[1] = 1;
        view.width = 800;
        view.height = 500;
        carom_status status = carom_gallery_world_run(result, path, set, 2, &show, err);
        if (status == CAROM_OK)
            status =
                carom_gallery_world_picture(result, &show, &view, 1, HUGE_VAL, captions[i], err);
        double off = 0;
        for (int a = 0; status == CAROM_OK && a < show.last.body_count; ++a) {
            double best = HUGE_VAL;
            const double *p = show.last.bodies + CAROM_FRAME_STRIDE * a;
            for (int b = 0; b < show.last.body_count; ++b) {
                const double *q = show.last.bodies + CAROM_FRAME_STRIDE * b;
                best = fmin(best, fmax(fabs(p[0] - q[0]), fabs(p[1] + q[1])));
            }
            off = fmax(off, best);
        }
        carom_gallery_world_close(&show);
        TRY(status);
        carom_gallery_result_at_most(result,
                                     i ? "GR, 0.3 s: largest distance of a ball to a mirrored one"
                                       : "QCE, 0.3 s: largest distance of a ball to a mirrored one",
                                     "m", off, 1e-9);
    }
    return CAROM_OK;
}

// -- figure 6 -----------------------------------------------------------------------------------

carom_status carom_gallery_qce_cradle(carom_gallery_result *result, carom_error *err)
{
    char path[4200];
    carom_gallery_show show;
    carom_export_view view = carom_export_view_default();
    view.width = 900;
    view.height = 600;
    carom_gallery_result_scene(result, "world/cradle-strings-2.json", path, sizeof path);
    carom_status status = carom_gallery_world_run(result, path, NULL, 0, &show, err);
    if (status == CAROM_OK)
        status = carom_gallery_world_picture(result, &show, &view, 6, 0,
                                             "Six moments of two balls on strings striking three: "
                                             "two leave, three stay.",
                                             err);
    if (status == CAROM_OK) {
        // who ever moves: as many on the right as came from the left
        int bodies = show.last.body_count;
        carom_ledger ledger = show.report.ledger;
        carom_gallery_result_at_most(result, "energy lost or gained, of what swings", "",
                                     fabs(ledger.integrator + ledger.position_correction) /
                                         fmax(fabs(ledger.start), 1e-30),
                                     1e-4);
        carom_gallery_result_number(result, "bodies", "", NAN, bodies);
    }
    carom_gallery_world_close(&show);
    TRY(status);
    carom_gallery_result_note(result,
                              "Stand-ins: size, mass, strings and the height of release are "
                              "ours; the paper gives none of them.");
    for (int k = 1; k <= 4; ++k) { // the instant itself, for every number of strikers
        static const double ones[5] = { 1, 1, 1, 1, 1 };
        double v[5] = { 0 }, off = 0;
        carom_impact impact;
        carom_impact_outcome out;
        char what[100];
        for (int i = 0; i < k; ++i)
            v[i] = 1;
        TRY(carom_gallery_instant_chain(result, 5, ones, v, &impact, err));
        TRY(carom_gallery_instant_resolve(result, &impact, "qce", &out, err));
        for (int i = 0; i < 5; ++i)
            off = fmax(off, fabs(out.velocities[i][0] - (i >= 5 - k)));
        snprintf(what, sizeof what, "%d of 5 strike: largest distance to %d leaving", k, k);
        carom_gallery_result_at_most(result, what, "m/s", off, 1e-12);
    }
    return CAROM_OK;
}

// -- figure 7 -----------------------------------------------------------------------------------

enum { PATH_POINTS = 4000 };

static void draw_paths(carom_gallery_result *result, const carom_gallery_show *show, int balls)
{
    static const char *const names[] = { "ball 1", "ball 2", "ball 3", "ball 4" };
    carom_plot_series series[4];
    int64_t moments = carom_recording_frame_count(show->recording),
            stride = moments / PATH_POINTS + 1;
    for (int b = 0; b < balls && b < 4; ++b) {
        double *x = carom_gallery_memory_take(result->memory, PATH_POINTS, sizeof *x),
               *y = carom_gallery_memory_take(result->memory, PATH_POINTS, sizeof *y);
        int count = 0;
        for (int64_t m = 0; x && y && m < moments && count < PATH_POINTS; m += stride) {
            carom_frame frame;
            if (carom_recording_frame(show->recording, m, &frame, NULL) != CAROM_OK)
                break;
            x[count] = frame.bodies[CAROM_FRAME_STRIDE * b];
            y[count++] = frame.bodies[CAROM_FRAME_STRIDE * b + 1];
        }
        series[b] = (carom_plot_series){ names[b], x, y, count, CAROM_PLOT_LINE, NULL, NULL, 1.2 };
    }
    carom_plot plot = { .title = "Paths seen from above",
                        .x = { "x", "m", -0.75, 0.75, false, 0 },
                        .y = { "y", "m", -0.75, 0.75, false, 0 },
                        .series = series,
                        .count = balls < 4 ? balls : 4 };
    carom_text *text =
        carom_gallery_result_svg(result, "The paths of the four balls over the whole "
                                         "run: four lines and nothing beside them.");
    carom_svg svg = carom_svg_begin(text, 560, 560, "Paths of four balls");
    plot.size[0] = plot.size[1] = 560;
    carom_plot_draw(&svg, &plot);
    carom_svg_end(&svg);
}

carom_status carom_gallery_qce_circle(carom_gallery_result *result, carom_error *err)
{
    char path[4200];
    const char *set[] = { result->quick ? "duration=20" : "duration=103" };
    carom_gallery_show show;
    carom_gallery_result_scene(result, "world/ring-4.json", path, sizeof path);
    carom_status status = carom_gallery_world_run(result, path, set, 1, &show, err);
    if (status == CAROM_OK) {
        double worst = 0;
        for (int64_t m = 0; m < carom_recording_frame_count(show.recording); ++m) {
            carom_frame frame;
            status = carom_recording_frame(show.recording, m, &frame, err);
            if (status != CAROM_OK)
                break;
            const double *a = frame.bodies, *b = a + CAROM_FRAME_STRIDE,
                         *c = b + CAROM_FRAME_STRIDE, *d = c + CAROM_FRAME_STRIDE;
            // turned by a quarter each: (x, y) -> (-y, x)
            worst = fmax(worst, fmax(fabs(b[0] + a[1]), fabs(b[1] - a[0])));
            worst = fmax(worst, fmax(fabs(c[0] + a[0]), fabs(c[1] + a[1])));
            worst = fmax(worst, fmax(fabs(d[0] - a[1]), fabs(d[1] + a[0])));
        }
        draw_paths(result, &show, 4);
        if (result->quick)
            carom_gallery_result_smaller(result, "20 s of swinging instead of 103 s.");
        carom_gallery_result_note(result,
                                  "Stand-ins: size and mass of the balls and their strings are "
                                  "ours.");
        carom_gallery_result_note(result, "%s of swinging, %lld impacts.",
                                  result->quick ? "20 s" : "103 s",
                                  (long long)show.report.ledger.impacts);
        carom_gallery_result_at_most(
            result, "largest distance of a ball to a turned copy of the first", "m", worst, 1e-6);
        carom_gallery_result_at_least(result, "impacts", "", (double)show.report.ledger.impacts,
                                      result->quick ? 15 : 80);
    }
    carom_gallery_world_close(&show);
    return status;
}

// -- figure 11 ----------------------------------------------------------------------------------

typedef enum deed {
    MOVES, // faster than `value` m/s
    TILTS, // by more than `value` degrees from how it stood
    SINKS, // below the height `value` m
    COMES, // beyond x = `value` m
} deed;

// The stages of the description, with the heights and lengths of the scene.
static const struct stage {
    const char *words, *body;
    deed deed;
    double value;
} stages[] = {
    { "the ball has come down the first spiral", "first", SINKS, 1.02 },
    { "the last of three balls leaves the row", "cradle-3", MOVES, 0.5 },
    { "the card house is hit", "plate[10]", MOVES, 0.1 },
    { "the first domino falls", "domino[0]", TILTS, 12 },
    { "the ninth domino falls", "domino[8]", TILTS, 12 },
    { "the heavy domino falls off the table", "last", SINKS, 0.7 },
    { "the seesaw tips", "plank", TILTS, 3 },
    { "its ball rolls off the other end", "seesaw-ball", COMES, 1.5 },
    { "the rack breaks", "rack[0]", MOVES, 0.02 },
    { "the corner ball drops on the second spiral", "rack[9]", SINKS, 0.345 },
    { "the first pillar falls", "pillar-1", TILTS, 15 },
    { "the last pillar falls", "pillar-5", TILTS, 15 },
};
enum { STAGES = sizeof stages / sizeof *stages };

static bool happens(const struct stage *s, const double *start, const double *now)
{
    double half = 0, speed = 0;
    for (int k = 0; k < 4; ++k) // cosine of half the angle between the two rotations
        half += start[3 + k] * now[3 + k];
    for (int k = 0; k < 3; ++k)
        speed += now[7 + k] * now[7 + k];
    switch (s->deed) {
    case MOVES:
        return sqrt(speed) > s->value;
    case TILTS:
        return 2 * acos(fmin(fabs(half), 1)) * 57.29577951308232 > s->value;
    case SINKS:
        return now[2] < s->value;
    default:
        return now[0] > s->value;
    }
}

// When each stage is first seen; HUGE_VAL: never.
static carom_status watch(const carom_gallery_show *show, double *when, carom_error *err)
{
    int body[STAGES];
    double start[STAGES][CAROM_FRAME_STRIDE];
    for (int k = 0; k < STAGES; ++k) {
        body[k] = carom_scene_world_find(show->scene, stages[k].body);
        when[k] = HUGE_VAL;
        if (body[k] < 0)
            return carom_error_set(err, CAROM_BAD_INPUT, "the machine has no \"%s\"",
                                   stages[k].body);
    }
    for (int64_t m = 0; m < carom_recording_frame_count(show->recording); ++m) {
        carom_frame frame;
        TRY(carom_recording_frame(show->recording, m, &frame, err));
        for (int k = 0; k < STAGES; ++k) {
            const double *now = frame.bodies + CAROM_FRAME_STRIDE * body[k];
            if (m == 0)
                memcpy(start[k], now, sizeof start[k]);
            else if (isinf(when[k]) && happens(&stages[k], start[k], now))
                when[k] = frame.time;
        }
    }
    return CAROM_OK;
}

carom_status carom_gallery_qce_machine(carom_gallery_result *result, carom_error *err)
{
    char path[4200];
    carom_gallery_show show;
    carom_export_view view = carom_export_view_default();
    double when[STAGES];
    view.width = result->quick ? 960 : 1280;
    view.height = result->quick ? 600 : 800;
    carom_gallery_result_scene(result, "world/rube-goldberg.json", path, sizeof path);
    carom_status status = carom_gallery_world_run(result, path, NULL, 0, &show, err);
    if (status == CAROM_OK)
        status = carom_gallery_world_picture(result, &show, &view, 6, 0,
                                             "Six moments of the machine.", err);
    if (status == CAROM_OK)
        status = watch(&show, when, err);
    if (status == CAROM_OK) {
        for (int k = 0; k < STAGES; ++k)
            carom_gallery_result_holds(result,
                                       !isinf(when[k]) && (k == 0 || when[k] >= when[k - 1]),
                                       "%s (%.2f s)", stages[k].words, when[k]);
        const carom_ledger *l = &show.report.ledger;
        carom_gallery_result_at_most(result,
                                     "energy that the time stepping added, of that at the start",
                                     "", fabs(l->integrator) / l->start, 1e-6);
        carom_gallery_result_note(result,
                                  "Stand-ins: the whole machine is built from the description "
                                  "in the text; its sizes, masses and materials are ours.");
    }
    carom_gallery_world_close(&show);
    return status;
}

// -- figure 10 and section 5.4 ------------------------------------------------------------------

static carom_status bunnies(carom_gallery_result *result, carom_gallery_show *show,
                            carom_error *err)
{
    static const carom_gallery_edit smaller[] = {
        { "\"count\": [6, 6, 4]", "\"count\": [2, 2, 2]" },
        { "\"count\": [4, 4, 1]", "\"count\": [1, 1, 1]" },
        { "-0.675, -0.675, 0.2", "-0.135, -0.135, 0.2" },
        { "-0.675, -0.675, 2.6", "0, 0, 1.2" },
        { "\"simplify\": 500", "\"simplify\": 200" },
    };
    static const char *const set[] = { "duration=2.5" };
    char path[4200];
    *show = (carom_gallery_show){ 0 };
    if (result->quick) {
        carom_gallery_result_smaller(result,
                                     "8 bunnies of 200 triangles and a pawn, 2.5 s, instead of "
                                     "144 of 500 and 16 until they rest.");
        TRY(carom_gallery_world_edit(result, "world/bunnies-and-pawns.json", smaller, 5, path,
                                     sizeof path, err));
    } else
        carom_gallery_result_scene(result, "world/bunnies-and-pawns.json", path, sizeof path);
    return carom_gallery_world_run(result, path, set, result->quick ? 1 : 0, show, err);
}

static void say_bunnies(carom_gallery_result *result)
{
    carom_gallery_result_note(result,
                              "Stand-ins: the bunny is Stanford's, with 500 of its 69,666 "
                              "triangles; the pawn is a turned profile of ours; sizes, heights, "
                              "the pawns' speed (3 m/s) and both coefficients (0.2) are ours.");
}

carom_status carom_gallery_qce_bunnies(carom_gallery_result *result, carom_error *err)
{
    carom_gallery_show show;
    carom_export_view view = carom_export_view_default();
    view.width = 1000;
    view.height = 640;
    carom_status status = bunnies(result, &show, err);
    if (status == CAROM_OK)
        status = carom_gallery_world_picture(result, &show, &view, 1, 0.5,
                                             "Bunnies have fallen and are hit by pawns.", err);
    if (status == CAROM_OK)
        status = carom_gallery_world_picture(result, &show, &view, 1, HUGE_VAL,
                                             "At rest in a pile.", err);
    if (status == CAROM_OK) {
        const carom_ledger *l = &show.report.ledger;
        int below = 0;
        for (int i = 0; i < show.last.body_count; ++i)
            below += show.last.bodies[CAROM_FRAME_STRIDE * i + 2] < -0.01;
        carom_gallery_result_at_most(result, "bodies that fell through the floor", "", below, 0);
        carom_gallery_result_at_most(result,
                                     "kinetic energy at the end, of the energy at the start", "",
                                     l->kinetic / l->start, 0.01);
        carom_gallery_result_at_most(result,
                                     "deepest overlap at any time, of a bunny's size (0.2 m)", "",
                                     l->peak_overlap / 0.2, 0.05);
        carom_gallery_result_holds(result, show.report.broken == 0,
                                   "no impact breaks what the law promises");
        carom_gallery_result_at_least(result, "impacts", "", (double)l->impacts, 50);
        say_bunnies(result);
    }
    carom_gallery_world_close(&show);
    return status;
}

carom_status carom_gallery_qce_energy(carom_gallery_result *result, carom_error *err)
{
    carom_gallery_show show;
    carom_status status = bunnies(result, &show, err);
    if (status == CAROM_OK) {
        const carom_audit *audit = &show.report.audit;
        double mean = audit->elastic_sum / (double)audit->elastic_steps;
        double x[3] = { 1, 2, 3 },
               y[3] = { 0.000243, fmax(mean, 1e-18), fmax(audit->elastic_max, 1e-18) };
        carom_plot_series series[2] = {
            { "paper, mean", x, y, 1, CAROM_PLOT_BARS, "s1", NULL, 40 },
            { "Carom, mean and largest", x + 1, y + 1, 2, CAROM_PLOT_BARS, "s0", NULL, 40 },
        };
        static const char *const ticks[] = { "paper, mean", "mean here", "largest here", NULL };
        carom_plot plot = { .title = "Relative error of the energy in the elastic step",
                            .names = ticks,
                            .x = { "what", "", 0.5, 3.5, false, 0 },
                            .y = { "relative error of the energy", "", 1e-18, 1, true, 0 },
                            .series = series,
                            .count = 2 };
        carom_gallery_result_plots(result, &plot, 1, 1,
                                   "Error of the kinetic energy over QCE's step.");
        carom_gallery_result_at_least(result, "elastic steps that were measured", "",
                                      (double)audit->elastic_steps, 50);
        carom_gallery_result_number(result, "mean relative error of the energy", "", 0.000243,
                                    mean);
        carom_gallery_result_at_most(result, "the same, bound: the paper's", "", mean, 0.000243);
        carom_gallery_result_number(result, "largest relative error of the energy", "", NAN,
                                    audit->elastic_max);
        carom_gallery_result_number(result, "instants that ended at the cap of sweeps", "", NAN,
                                    (double)show.report.ledger.capped);
        carom_gallery_result_note(result,
                                  "The paper gives the mean alone. Where QCE's sweeps end at "
                                  "their cap, Poisson's rule ends the instant, and the error "
                                  "is above round-off. Errors are of one island of bodies "
                                  "that touch, or a few small ones together, not of the whole "
                                  "scene.");
        say_bunnies(result);
    }
    carom_gallery_world_close(&show);
    return status;
}
