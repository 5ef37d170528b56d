// Rods and bars of [Bounce]: restitution over angle, place, damping, modes and material (figures 3,
// 8, 9, 11, 16, 18, 21, 22 and 23).
//
// References are independent computations (numpy: mesh-free modes, event-driven contacts).
#include "gallery/gallery_bounce.h"

#include <stdio.h>
#include <string.h>

#define DEGREES 0.017453292519943295

enum { POINTS_MAX = 1200 };

// A place on the round end of the 200 x 10 mm rod, met under an angle to its axis' normal plane:
// 0 degrees: the rod lies, 90: it stands.
static void on_cap(double degrees, double point[3], double normal[3])
{
    normal[0] = cos(degrees * DEGREES);
    normal[1] = 0;
    normal[2] = sin(degrees * DEGREES);
    point[0] = 0.005 * normal[0];
    point[1] = 0;
    point[2] = 0.095 + 0.005 * normal[2];
}

static carom_status rod_at(carom_gallery_result *result, const carom_gallery_solid *rod,
                           double degrees, double damping, carom_bounce_result *out,
                           carom_error *err)
{
    double point[3], normal[3];
    carom_bounce_options options = carom_bounce_options_default();
    options.damping = damping;
    options.turn = 0.15;
    on_cap(degrees, point, normal);
    return carom_gallery_bounce_at(result, rod, point, normal, 0, &options, out, err);
}

// -- figure 3 -----------------------------------------------------------------------------------

static carom_status angles_on(carom_gallery_result *result, const carom_gallery_solid *rod,
                              carom_error *err)
{
    int count = result->quick ? 181 : 721;
    double angle[POINTS_MAX], epsilon[POINTS_MAX], tau[POINTS_MAX], plateau = 0, min = 1, where = 0;
    int flat = 0;
    for (int k = 0; k < count; ++k) {
        carom_bounce_result r;
        angle[k] = 90.0 * k / (count - 1);
        TRY(rod_at(result, rod, angle[k], 0, &r, err));
        epsilon[k] = r.epsilon;
        tau[k] = 1e6 * r.tau;
        if (angle[k] <= 40) {
            plateau += r.epsilon;
            ++flat;
        }
        if (angle[k] > 60 && r.epsilon < min) {
            min = r.epsilon;
            where = angle[k];
        }
    }
    carom_bounce_result before, after;
    TRY(rod_at(result, rod, where - 1.5, 0, &before, err));
    TRY(rod_at(result, rod, where + 1.5, 0, &after, err));
    carom_plot_series series[2] = {
        { NULL, angle, epsilon, count, CAROM_PLOT_LINE, "s0", NULL, 1.8 },
        { NULL, angle, tau, count, CAROM_PLOT_LINE, "hot", NULL, 1.8 },
    };
    carom_plot plots[2] = {
        { .title = "Restitution",
          .x = { "angle of the rod to the floor", "degrees", 0, 90, false, 0 },
          .y = { "restitution", "", 0, 1, false, 0 },
          .series = &series[0],
          .count = 1 },
        { .title = "Contact time",
          .x = { "angle of the rod to the floor", "degrees", 0, 90, false, 0 },
          .y = { "contact time", "us", 0, 0, false, 0 },
          .series = &series[1],
          .count = 1 },
    };
    carom_gallery_result_plots(
        result, plots, 2, 2, "Restitution and contact time of a rod of 20 cm dropped at an angle.");
    bool full = rod->count >= 140;
    carom_gallery_result_near(result, "mean over the flat part, 0 to 40 degrees", "", 0.66,
                              plateau / flat, 0.02);
    carom_gallery_result_near(result, "angle of the dip", "degrees", full ? 70.85 : 71.25, where,
                              full ? 0.5 : 1.25);
    carom_gallery_result_near(result, "its depth", "", 0.15, min, 0.03);
    carom_gallery_result_near(result, "end on (90 degrees)", "", full ? 0.977 : 0.926,
                              epsilon[count - 1], 0.008);
    carom_gallery_result_at_least(result, "contact time before over after the dip", "",
                                  before.tau / after.tau, 6);
    return CAROM_OK;
}

// Opens the rod, computes, closes.
static carom_status
with_solid(carom_gallery_result *result, const char *shape, carom_gallery_fine fine,
           carom_status (*on)(carom_gallery_result *, const carom_gallery_solid *, carom_error *),
           carom_error *err)
{
    carom_gallery_solid solid;
    carom_status status = carom_gallery_bounce_solid(result, shape, fine, &solid, err);
    if (status == CAROM_OK)
        status = on(result, &solid, err);
    carom_gallery_bounce_close(&solid);
    return status;
}

static const carom_gallery_fine coarse = { 46, 1, 12000 };

carom_status carom_gallery_bounce_angles(carom_gallery_result *result, carom_error *err)
{
    if (result->quick)
        carom_gallery_result_smaller(result,
                                     "46 modes instead of the paper's 140, one cell across, "
                                     "181 angles instead of 721.");
    return with_solid(result, result->quick ? "rod:200x10mm@3mm" : "rod:200x10mm@2mm",
                      result->quick ? coarse : (carom_gallery_fine){ 140, 2, 60000 }, angles_on,
                      err);
}

// -- figure 8 -----------------------------------------------------------------------------------

enum { MOMENTS = 20000 };

typedef struct series {
    int count, touches;
    double time[MOMENTS], gap[MOMENTS], speed[MOMENTS];
    bool touching;
} series;

static void note(void *context, const carom_bounce_frame *m)
{
    series *s = context;
    if (s->count < MOMENTS) {
        s->time[s->count] = 1e6 * m->time;
        s->gap[s->count] = 1e6 * m->gap;
        s->speed[s->count++] = m->speed;
    }
    s->touches += m->touching && !s->touching;
    s->touching = m->touching != 0;
}

static carom_status series_on(carom_gallery_result *result, const carom_gallery_solid *bar,
                              carom_error *err)
{
    static const double point[3] = { 0.062, 0.002, 0.005 }, normal[3] = { 0, 0, 1 };
    series *s = carom_gallery_memory_take(result->memory, 1, sizeof *s);
    double *a = carom_gallery_memory_take(result->memory, (size_t)bar->count, sizeof *a), w;
    carom_bounce_result traced, exact;
    if (!s || !a)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for a time series");
    TRY(carom_modal_participation(bar->modes, point, normal, a, &w, err));
    carom_bounce_case one = { w, bar->count, a, bar->omega };
    carom_bounce_options options = carom_bounce_options_default();
    carom_bounce_visitor visitor = { note, s };
    TRY(carom_bounce_trace(&one, &options, &visitor, &traced, err));
    TRY(carom_bounce_exact(&one, &options, &exact, err));
    carom_plot_series lines[2] = {
        { NULL, s->time, s->gap, s->count, CAROM_PLOT_LINE, "s0", NULL, 1.4 },
        { NULL, s->time, s->speed, s->count, CAROM_PLOT_LINE, "s1", NULL, 1.6 },
    };
    carom_plot plots[2] = {
        { .title = "Gap of the vibrating point",
          .x = { "time", "us", 0, 0, false, 0 },
          .y = { "gap", "um", 0, 0, false, 0 },
          .series = &lines[0],
          .count = 1 },
        { .title = "Normal velocity of the body as if rigid",
          .x = { "time", "us", 0, 0, false, 0 },
          .y = { "velocity", "m/s", 0, 0, false, 0 },
          .series = &lines[1],
          .count = 1 },
    };
    carom_gallery_result_plots(result, plots, 2, 2,
                               "One contact of a bar at 1 m/s: each jump of the velocity is a "
                               "micro-collision.");
    double deepest = 0;
    for (int k = 0; k < s->count; ++k)
        deepest = fmin(deepest, s->gap[k]);
    carom_gallery_result_at_least(result, "micro-collisions", "", traced.micro, 2);
    carom_gallery_result_at_most(result, "deepest penetration", "um", -deepest, 1e-6);
    carom_gallery_result_near(result, "velocity at the end, against the restitution", "m/s",
                              traced.epsilon, s->speed[s->count - 1], 1e-9);
    carom_gallery_result_near(result, "restitution, against the solver without time steps", "",
                              exact.epsilon, traced.epsilon, 0.01);
    return CAROM_OK;
}

carom_status carom_gallery_bounce_series(carom_gallery_result *result, carom_error *err)
{
    return with_solid(result, "bar:200x10x10mm@4mm", (carom_gallery_fine){ 45, 1, 12000 },
                      series_on, err);
}

// -- figure 9 -----------------------------------------------------------------------------------

static carom_status rough_on(carom_gallery_result *result, const carom_gallery_solid *rod,
                             carom_error *err)
{
    int count = result->quick ? 381 : 761, jumps = 0;
    double place[POINTS_MAX], epsilon[POINTS_MAX], worst = 0, min = 1, max = 0;
    static const double normal[3] = { 1, 0, 0 };
    for (int k = 0; k < count; ++k) {
        double z = -0.095 + 0.19 * k / (count - 1), point[3] = { 0.005, 0, z };
        carom_bounce_result r, exact;
        TRY(carom_gallery_bounce_at(result, rod, point, normal, 0, NULL, &r, err));
        place[k] = 1e3 * z;
        epsilon[k] = r.epsilon;
        min = fmin(min, r.epsilon);
        max = fmax(max, r.epsilon);
        jumps += k > 0 && fabs(r.epsilon - epsilon[k - 1]) > 0.05;
        if (k % 37 == 0) {
            carom_bounce_options options = carom_bounce_options_default();
            options.solver = CAROM_BOUNCE_EVENT;
            TRY(carom_gallery_bounce_at(result, rod, point, normal, 0, &options, &exact, err));
            worst += fabs(exact.epsilon - r.epsilon) / ((count + 36) / 37);
        }
    }
    carom_plot_series line = { NULL, place, epsilon, count, CAROM_PLOT_LINE, "s0", NULL, 1.2 };
    carom_plot plot = { .title = "Restitution along the side of a rod",
                        .x = { "place along the rod", "mm", -95, 95, false, 0 },
                        .y = { "restitution", "", 0, 1, false, 0 },
                        .series = &line,
                        .count = 1 };
    carom_gallery_result_plots(result, &plot, 1, 1, "Restitution along the side of a 20 cm rod.");
    carom_gallery_result_at_least(result, "jumps by more than 0.05 between neighbouring places", "",
                                  jumps, 6);
    carom_gallery_result_at_least(result, "range of the values", "", max - min, 0.5);
    carom_gallery_result_at_most(result, "mean difference to the solver without time steps", "",
                                 worst, 0.01);
    return CAROM_OK;
}

carom_status carom_gallery_bounce_rough(carom_gallery_result *result, carom_error *err)
{
    if (result->quick)
        carom_gallery_result_smaller(result,
                                     "46 modes instead of the paper's 140, 381 places instead "
                                     "of 761.");
    return with_solid(result, result->quick ? "rod:200x10mm@3mm" : "rod:200x10mm@2mm",
                      result->quick ? coarse : (carom_gallery_fine){ 140, 2, 60000 }, rough_on,
                      err);
}

// -- figure 11 ----------------------------------------------------------------------------------

carom_status carom_gallery_bounce_normals(carom_gallery_result *result, carom_error *err)
{
    enum { COUNT = 181 };
    static const char *const shapes[2] = { "rod:200x10mm@3mm", "bar:200x10x10mm@4mm" };
    double angle[COUNT], epsilon[2][COUNT];
    for (int s = 0; s < 2; ++s) {
        carom_gallery_solid solid;
        carom_status status = carom_gallery_bounce_solid(result, shapes[s], coarse, &solid, err);
        double min = 1, where = 0;
        for (int k = 0; k < COUNT && status == CAROM_OK; ++k) {
            carom_bounce_result r = { 0 };
            double point[3], normal[3];
            angle[k] = 90.0 * k / (COUNT - 1);
            on_cap(angle[k], point, normal);
            if (s == 1) { // the middle of an edge of the bar's end, the long axis along x
                double turned[3] = { normal[2], 0, normal[0] }, edge[3] = { 0.1, 0, 0.005 };
                status = carom_gallery_bounce_at(result, &solid, edge, turned, 0, NULL, &r, err);
            } else
                status = carom_gallery_bounce_at(result, &solid, point, normal, 0, NULL, &r, err);
            epsilon[s][k] = r.epsilon;
            if (r.epsilon < min) {
                min = r.epsilon;
                where = angle[k];
            }
        }
        carom_gallery_bounce_close(&solid);
        TRY(status);
        const char *name = s ? "bar, one edge" : "rod, round end";
        char what[100];
        snprintf(what, sizeof what, "%s: least restitution over the normals (at %.1f degrees)",
                 name, where);
        carom_gallery_result_at_most(result, what, "", min, 0.25);
        snprintf(what, sizeof what, "%s: normal to the side", name);
        carom_gallery_result_at_least(result, what, "", epsilon[s][0], 0.375);
        snprintf(what, sizeof what, "%s: normal along the body", name);
        carom_gallery_result_at_least(result, what, "", epsilon[s][COUNT - 1], 0.375);
    }
    carom_plot_series lines[2] = {
        { "rod: along the round end", angle, epsilon[0], COUNT, CAROM_PLOT_LINE, "s0", NULL, 1.8 },
        { "bar: one edge, all normals", angle, epsilon[1], COUNT, CAROM_PLOT_LINE, "s1", NULL,
          1.8 },
    };
    carom_plot plot = { .title = "Restitution over the normal",
                        .x = { "angle of the normal from the side", "degrees", 0, 90, false, 0 },
                        .y = { "restitution", "", 0, 1, false, 0 },
                        .series = lines,
                        .count = 2 };
    carom_gallery_result_plots(result, &plot, 1, 1,
                               "Two bars of 20 cm with a round and with a square end.");
    return CAROM_OK;
}

// -- figure 16 ----------------------------------------------------------------------------------

static carom_status damping_on(carom_gallery_result *result, const carom_gallery_solid *rod,
                               carom_error *err)
{
    enum { BETAS = 5, COUNT = 91 };
    static const double beta[BETAS] = { 0, 1e-9, 1e-8, 1e-7, 1e-6 };
    static const char *const names[BETAS] = { "no damping", "1e-9 s", "1e-8 s", "1e-7 s",
                                              "1e-6 s" };
    double angle[COUNT], epsilon[BETAS][COUNT], mean[BETAS] = { 0 };
    int rises = 0, falls = 0;
    double drop = 0;
    for (int b = 0; b < BETAS; ++b)
        for (int k = 0; k < COUNT; ++k) {
            carom_bounce_result r;
            angle[k] = 90.0 * k / (COUNT - 1);
            TRY(rod_at(result, rod, angle[k], beta[b], &r, err));
            epsilon[b][k] = r.epsilon;
            mean[b] += r.epsilon / COUNT;
            rises += b > 0 && r.epsilon > epsilon[0][k] + 0.01;
            if (b == BETAS - 1) {
                falls += r.epsilon < epsilon[0][k];
                drop = fmax(drop, epsilon[0][k] - r.epsilon);
            }
        }
    carom_plot_series lines[BETAS];
    for (int b = 0; b < BETAS; ++b) {
        char what[80];
        lines[b] = (carom_plot_series){ names[b],        angle, epsilon[b], COUNT,
                                        CAROM_PLOT_LINE, NULL,  NULL,       1.5 };
        snprintf(what, sizeof what, "mean restitution, %s", names[b]);
        carom_gallery_result_number(result, what, "", NAN, mean[b]);
    }
    carom_plot plot = { .title = "Restitution of the rod with damping",
                        .x = { "angle of the rod to the floor", "degrees", 0, 90, false, 0 },
                        .y = { "restitution", "", 0, 1, false, 0 },
                        .series = lines,
                        .count = BETAS };
    carom_gallery_result_plots(result, &plot, 1, 1,
                               "Restitution over the angle for five strengths of damping.");
    bool falling = true;
    for (int b = 1; b < BETAS; ++b)
        falling = falling && mean[b] < mean[b - 1] + 0.01;
    carom_gallery_result_holds(result, falling && mean[BETAS - 1] < mean[0] - 0.01,
                               "the more damping, the lower the mean (to 0.01)");
    carom_gallery_result_at_least(result, "strongest damping: largest drop at an angle", "", drop,
                                  0.1);
    carom_gallery_result_at_least(result,
                                  "strongest damping: share of angles where restitution falls", "%",
                                  100.0 * falls / COUNT, 50);
    carom_gallery_result_at_least(
        result, "angles where damping raises restitution by more than 0.01", "", rises, 1);
    // the printed minus sign: qdd = -omega^2 (q - beta qd) feeds energy in
    double q = 1, v = 0, h = 1e-8, omega = 1e6, energy = 0;
    for (int k = 0; k < 2000; ++k) {
        v += h * -omega * omega * (q - 1e-8 * v);
        q += h * v;
        energy = 0.5 * (v * v + omega * omega * q * q);
    }
    carom_gallery_result_refutes(result, energy > 0.55 * omega * omega,
                                 "section 6: the damped oscillator reads q'' = -omega^2 (q - beta "
                                 "q'); with this sign its energy grows to %.2f of the start in 3 "
                                 "periods",
                                 energy / (0.5 * omega * omega));
    return CAROM_OK;
}

carom_status carom_gallery_bounce_damping(carom_gallery_result *result, carom_error *err)
{
    if (result->quick)
        carom_gallery_result_smaller(result, "46 modes instead of the paper's 90.");
    return with_solid(result, result->quick ? "rod:200x10mm@3mm" : "rod:200x10mm@2mm",
                      result->quick ? coarse : (carom_gallery_fine){ 90, 2, 60000 }, damping_on,
                      err);
}

// -- figures 18 and 23 --------------------------------------------------------------------------

enum { ALONG = 40, WIDE = 4, PLACES = ALONG * WIDE, COUNTS = 9 };

typedef struct patch {
    double w[PLACES], *a;
} patch;

// A grid over one quarter of a side of the bar: the rest is mirror images.
static carom_status gather(carom_gallery_result *result, const carom_gallery_solid *bar, patch *p,
                           carom_error *err)
{
    static const double normal[3] = { 0, 0, 1 };
    p->a = carom_gallery_memory_take(result->memory, (size_t)PLACES * (size_t)bar->count,
                                     sizeof *p->a);
    if (!p->a)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for a patch");
    for (int k = 0; k < PLACES; ++k) {
        double point[3] = { 0.1 * (k / WIDE + 0.5) / ALONG, 0.005 * (k % WIDE + 0.5) / WIDE,
                            0.005 };
        TRY(carom_modal_participation(bar->modes, point, normal,
                                      p->a + (size_t)k * (size_t)bar->count, &p->w[k], err));
    }
    return CAROM_OK;
}

static carom_status mean_of(carom_gallery_result *result, const carom_gallery_solid *bar,
                            const patch *p, int kept, const carom_bounce_options *options,
                            double *mean, carom_error *err)
{
    carom_gallery_memory mark = *result->memory;
    double *a = carom_gallery_memory_take(result->memory, (size_t)PLACES * (size_t)kept, sizeof *a);
    carom_bounce_result *r = carom_gallery_memory_take(result->memory, PLACES, sizeof *r);
    if (!a || !r)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for a patch");
    for (int k = 0; k < PLACES; ++k)
        memcpy(a + (size_t)k * (size_t)kept, p->a + (size_t)k * (size_t)bar->count,
               (size_t)kept * sizeof *a);
    carom_bounce_batch batch = { kept, PLACES, bar->omega, p->w, a, 1 };
    TRY(carom_bounce_many(&batch, options, r, err));
    *mean = 0;
    for (int k = 0; k < PLACES; ++k)
        *mean += r[k].epsilon / PLACES;
    carom_gallery_memory_rewind(result->memory, mark);
    return CAROM_OK;
}

static carom_status modes_on(carom_gallery_result *result, const carom_gallery_solid *bar,
                             carom_error *err)
{
    static const int kept[COUNTS] = { 2, 4, 6, 10, 15, 20, 30, 45, 100 };
    static const double reference[COUNTS] = { NAN, NAN, NAN, 0.429, NAN, 0.452, NAN, 0.467, 0.472 };
    carom_bounce_options options = carom_bounce_options_default();
    double x[COUNTS], mean[COUNTS];
    patch p;
    int count = 0;
    TRY(gather(result, bar, &p, err));
    for (int k = 0; k < COUNTS && kept[k] <= bar->count; ++k) {
        TRY(mean_of(result, bar, &p, kept[k], &options, &mean[k], err));
        x[k] = kept[k];
        count = k + 1;
        char what[80];
        snprintf(what, sizeof what, "mean restitution of the side, %d modes", kept[k]);
        if (isnan(reference[k]))
            carom_gallery_result_number(result, what, "", NAN, mean[k]);
        else
            carom_gallery_result_near(result, what, "", reference[k], mean[k], 0.015);
    }
    carom_plot_series line = { NULL, x, mean, count, CAROM_PLOT_LINE, "s0", NULL, 2 };
    carom_plot plot = { .title = "Mean restitution of a side of the bar",
                        .x = { "modes", "number", 1, 100, true, 0 },
                        .y = { "mean restitution", "", 0, 0.6, false, 0 },
                        .series = &line,
                        .count = 1 };
    carom_gallery_result_plots(result, &plot, 1, 1, "Convergence with the number of modes.");
    carom_gallery_result_holds(result, mean[0] < mean[3] && mean[3] < mean[5],
                               "few modes underestimate restitution");
    carom_gallery_result_at_most(result, "change from 30 modes to the last", "",
                                 fabs(mean[count - 1] - mean[6]), 0.037);
    return CAROM_OK;
}

carom_status carom_gallery_bounce_modes(carom_gallery_result *result, carom_error *err)
{
    if (result->quick)
        carom_gallery_result_smaller(result, "up to 45 modes instead of 100.");
    return with_solid(result, "bar:200x10x10mm@4mm",
                      result->quick ? (carom_gallery_fine){ 45, 1, 12000 }
                                    : (carom_gallery_fine){ 100, 2, 60000 },
                      modes_on, err);
}

static carom_status impulses_on(carom_gallery_result *result, const carom_gallery_solid *bar,
                                carom_error *err)
{
    static const int kept[6] = { 2, 6, 10, 20, 30, 45 };
    carom_bounce_options inelastic = carom_bounce_options_default(), elastic;
    double x[6], mean[2][6];
    patch p;
    inelastic.solver = CAROM_BOUNCE_LITERAL;
    elastic = inelastic;
    elastic.elastic = 1;
    // twice the impulse needs smaller steps for the same accuracy
    elastic.turn = result->quick ? 0.02 : 0.005;
    TRY(gather(result, bar, &p, err));
    for (int k = 0; k < 6; ++k) {
        x[k] = kept[k];
        TRY(mean_of(result, bar, &p, kept[k], &inelastic, &mean[0][k], err));
        TRY(mean_of(result, bar, &p, kept[k], &elastic, &mean[1][k], err));
    }
    carom_plot_series lines[2] = {
        { "inelastic impulses", x, mean[0], 6, CAROM_PLOT_LINE, "s0", NULL, 2 },
        { "elastic impulses", x, mean[1], 6, CAROM_PLOT_LINE, "s1", NULL, 2 },
    };
    carom_plot plot = { .title = "Mean restitution of a side of the bar",
                        .x = { "modes", "number", 0, 46, false, 0 },
                        .y = { "mean restitution", "", 0, 1, false, 0 },
                        .series = lines,
                        .count = 2 };
    carom_gallery_result_plots(result, &plot, 1, 1,
                               "The paper's scheme with breaking and with conserving impulses.");
    carom_gallery_result_holds(result, mean[1][0] > mean[0][0],
                               "with few modes the elastic one is above, the inelastic one below");
    carom_gallery_result_at_most(result, "distance of the two with 45 modes", "",
                                 fabs(mean[1][5] - mean[0][5]), 0.03);
    carom_gallery_result_near(result, "inelastic, 45 modes (reference 0.468)", "", 0.468,
                              mean[0][5], 0.015);
    carom_gallery_result_near(result, "elastic, 45 modes (reference 0.478)", "", 0.478, mean[1][5],
                              0.02);
    return CAROM_OK;
}

carom_status carom_gallery_bounce_impulses(carom_gallery_result *result, carom_error *err)
{
    if (result->quick)
        carom_gallery_result_smaller(result,
                                     "steps of 0.02 rad of the fastest mode instead of 0.005 "
                                     "for elastic impulses.");
    return with_solid(result, "bar:200x10x10mm@4mm", (carom_gallery_fine){ 45, 1, 12000 },
                      impulses_on, err);
}

// -- figures 21 and 22 --------------------------------------------------------------------------

enum { SIX = 6 };
static const double six[SIX][3] = { { 0.01, 0, 0.005 },  { 0.03, 0.002, 0.005 },
                                    { 0.05, 0, 0.005 },  { 0.07, 0.003, 0.005 },
                                    { 0.085, 0, 0.005 }, { 0.095, 0.001, 0.005 } };
static const char *const six_names[SIX] = { "place 1", "place 2", "place 3",
                                            "place 4", "place 5", "place 6" };
static const double up[3] = { 0, 0, 1 };

static carom_status material_on(carom_gallery_result *result, const carom_gallery_solid *bar,
                                carom_error *err)
{
    enum { FACTORS = 5 };
    static const double factor[FACTORS] = { 0.1, 0.32, 1, 3.2, 10 };
    double epsilon[SIX][FACTORS], worst = 0;
    for (int change = 0; change < 2; ++change)
        for (int f = 0; f < FACTORS; ++f) {
            carom_modal_material m = { 7e10, 0.3, 2000 };
            *(change ? &m.young : &m.density) *= factor[f];
            TRY(carom_modal_rescale(bar->modes, &m, err));
            for (int k = 0; k < SIX; ++k) {
                carom_bounce_result r;
                TRY(carom_gallery_bounce_at(result, bar, six[k], up, 0, NULL, &r, err));
                if (change == 0)
                    epsilon[k][f] = r.epsilon;
                else
                    worst = fmax(worst, fabs(r.epsilon - epsilon[k][2]));
            }
        }
    for (int k = 0; k < SIX; ++k)
        for (int f = 0; f < FACTORS; ++f)
            worst = fmax(worst, fabs(epsilon[k][f] - epsilon[k][2]));
    carom_plot_series lines[SIX];
    for (int k = 0; k < SIX; ++k)
        lines[k] = (carom_plot_series){ six_names[k],    factor, epsilon[k], FACTORS,
                                        CAROM_PLOT_LINE, NULL,   NULL,       1.8 };
    carom_plot plot = { .title = "Restitution over density",
                        .x = { "density, of 2000 kg/m^3", "", 0.1, 10, true, 0 },
                        .y = { "restitution", "", 0, 1, false, 0 },
                        .series = lines,
                        .count = SIX };
    carom_gallery_result_plots(result, &plot, 1, 1,
                               "Six places on a bar, density over two orders of magnitude; Young's "
                               "modulus gives the same lines.");
    carom_gallery_result_at_most(result,
                                 "largest change of restitution with density or Young's modulus "
                                 "(paper: below 1 %)",
                                 "", worst, 1e-9);
    carom_gallery_result_note(result, "In the limit of small motion the problem has no scale: "
                                      "restitution depends on ratios of frequencies and of "
                                      "participations only.");
    return CAROM_OK;
}

carom_status carom_gallery_bounce_material(carom_gallery_result *result, carom_error *err)
{
    return with_solid(result, "bar:200x10x10mm@4mm", (carom_gallery_fine){ 50, 1, 12000 },
                      material_on, err);
}

// Approach at v: in the unit of length v times a second the speed is 1, masses stay, and so do
// frequencies. In the unit of time 1 / v seconds it is 1 as well, and frequencies are divided by v.
// The solver is given the second form: other numbers, the same physics.
static carom_status speed_on(carom_gallery_result *result, const carom_gallery_solid *bar,
                             carom_error *err)
{
    enum { SPEEDS = 5 };
    static const double speed[SPEEDS] = { 0.1, 0.5, 1, 3, 10 };
    double epsilon[SIX][SPEEDS], worst = 0, w;
    double *a = carom_gallery_memory_take(result->memory, (size_t)bar->count, sizeof *a),
           *omega = carom_gallery_memory_take(result->memory, (size_t)bar->count, sizeof *omega);
    carom_bounce_options options = carom_bounce_options_default();
    if (!a || !omega)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for a contact");
    for (int k = 0; k < SIX; ++k) {
        TRY(carom_modal_participation(bar->modes, six[k], up, a, &w, err));
        for (int s = 0; s < SPEEDS; ++s) {
            carom_bounce_result r;
            for (int i = 0; i < bar->count; ++i)
                omega[i] = bar->omega[i] / speed[s];
            carom_bounce_case one = { w, bar->count, a, omega };
            TRY(carom_bounce_exact(&one, &options, &r, err));
            epsilon[k][s] = r.epsilon;
        }
        for (int s = 0; s < SPEEDS; ++s)
            worst = fmax(worst, fabs(epsilon[k][s] - epsilon[k][2]));
    }
    carom_plot_series lines[SIX];
    for (int k = 0; k < SIX; ++k)
        lines[k] = (carom_plot_series){ six_names[k],    speed, epsilon[k], SPEEDS,
                                        CAROM_PLOT_LINE, NULL,  NULL,       1.8 };
    carom_plot plot = { .title = "Restitution over the speed of approach",
                        .x = { "speed of approach", "m/s", 0.1, 10, true, 0 },
                        .y = { "restitution", "", 0, 1, false, 0 },
                        .series = lines,
                        .count = SIX };
    carom_gallery_result_plots(result, &plot, 1, 1,
                               "Six places on a bar, speeds from 0.1 to 10 m/s.");
    carom_gallery_result_at_most(result, "largest change of restitution with the speed", "", worst,
                                 1e-6);
    return CAROM_OK;
}

carom_status carom_gallery_bounce_speed(carom_gallery_result *result, carom_error *err)
{
    carom_gallery_result_note(result,
                              "Six places of a bar stand for those of the paper's bunny: the "
                              "speed scales out of the equations of any body.");
    return with_solid(result, "bar:200x10x10mm@4mm", (carom_gallery_fine){ 45, 1, 12000 }, speed_on,
                      err);
}
