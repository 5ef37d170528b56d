// The entries of [ETM]; here those with one body that is struck: figures 4, 6, 7, 8 and the errors
// over lambda.
//
// Symbols: lambda, the number of steps in which the approach is stopped; u, relative normal
// velocity; W, energy stored at the contact.
#include "gallery/gallery_etm.h"
#include "gallery/gallery_instant.h"
#include "gallery/gallery_vector.h"
#include "gallery/gallery_world.h"

#include <stdio.h>

// -- one contact, step by step ------------------------------------------------------------------

enum { STEPS_MAX = 2100 };

// One elastic frictionless contact as the law goes through it, told by the law itself: figures 4
// and 6 (b). The speed and the kinetic energy follow from the impulse so far; what is stored is
// what the law has booked.
typedef struct course {
    int count;
    double step[STEPS_MAX], p[STEPS_MAX], stored[STEPS_MAX];
    double u[STEPS_MAX], kinetic[STEPS_MAX], total[STEPS_MAX];
} course;

static void hear_step(void *context, const double (*p)[3], double stored)
{
    course *c = context;
    if (c->count == STEPS_MAX)
        return;
    c->p[c->count] = p[0][0];
    c->stored[c->count++] = stored;
}

static void hear_nothing(void *context, int sweep, const double (*p)[3])
{
    (void)context;
    (void)sweep;
    (void)p;
}

// Relative normal velocity at the only contact.
static double normal_speed(const carom_impact *impact, double (*v)[3], double (*w)[3])
{
    const carom_impact_contact *contact = &impact->contacts[0];
    double speed = 0;
    for (int k = 0; k < 2; ++k) {
        int body = k ? contact->b : contact->a;
        double arm[3], turning[3];
        carom_gallery_vector_minus(contact->point, impact->bodies[body].position, arm);
        carom_gallery_vector_cross(w[body], arm, turning);
        speed += (k ? 1 : -1) * (carom_gallery_vector_dot(contact->normal, v[body]) +
                                 carom_gallery_vector_dot(contact->normal, turning));
    }
    return speed;
}

static carom_status follow(const carom_impact *impact, int lambda, double kinetic, course *c,
                           carom_error *err)
{
    enum { BODIES = 2 };
    double v[BODIES][3], w[BODIES][3], p[1][3];
    const carom_law *law = carom_law_find("etm", err);
    carom_law_options options = carom_law_defaults(law);
    carom_impact_outcome out = { .velocities = v, .spins = w, .impulses = p };
    carom_impact_observer observer = { c, hear_nothing, hear_step };
    carom_workspace *workspace = carom_workspace_create();
    char text[16];
    for (int i = 0; i < BODIES; ++i)
        for (int k = 0; k < 3; ++k) {
            v[i][k] = impact->bodies[i].velocity[k];
            w[i][k] = impact->bodies[i].spin[k];
        }
    double before = normal_speed(impact, v, w);
    c->count = 1; // before the first step: nothing
    c->p[0] = c->stored[0] = 0;
    snprintf(text, sizeof text, "%d", lambda);
    carom_status status = workspace ? carom_law_set(law, &options, "lambda", text, err)
                                    : carom_error_set(err, CAROM_NO_MEMORY, "no memory");
    if (status == CAROM_OK) {
        carom_workspace_set_observer(workspace, &observer);
        status = carom_impact_resolve(workspace, impact, law, &options, &out, err);
    }
    carom_workspace_destroy(workspace);
    if (status != CAROM_OK)
        return status;
    double light = (normal_speed(impact, v, w) - before) / p[0][0]; // 1 / effective mass
    for (int k = 0; k < c->count; ++k) {
        double q = c->p[k];
        c->step[k] = k;
        c->u[k] = before + light * q;
        c->kinetic[k] = kinetic + q * (before + 0.5 * light * q);
        c->total[k] = c->stored[k] + c->kinetic[k];
    }
    return CAROM_OK;
}

static void draw_course(carom_gallery_result *result, const course *c, double scale,
                        const char *unit)
{
    double *scaled[3];
    const double *raw[3] = { c->stored, c->kinetic, c->total };
    for (int k = 0; k < 3; ++k) {
        scaled[k] = carom_gallery_memory_take(result->memory, STEPS_MAX, sizeof(double));
        for (int i = 0; scaled[k] && i < c->count; ++i)
            scaled[k][i] = raw[k][i] * scale;
    }
    carom_plot_series speed = {
        "relative normal velocity", c->step, c->u, c->count, CAROM_PLOT_LINE, "s1", NULL, 2
    };
    carom_plot_series energies[] = {
        { "stored at the contact", c->step, scaled[0], c->count, CAROM_PLOT_LINE, "s0", NULL, 2 },
        { "kinetic", c->step, scaled[1], c->count, CAROM_PLOT_LINE, "s2", NULL, 2 },
        { "total", c->step, scaled[2], c->count, CAROM_PLOT_LINE, "ink", "5 3", 1.5 },
    };
    carom_plot plots[] = {
        { .title = "Velocity",
          .x = { "step of the algorithm", "number", 0, 0, false, 0 },
          .y = { "relative normal velocity", "m/s", 0, 0, false, 0 },
          .series = &speed,
          .count = 1 },
        { .title = "Energy",
          .x = { "step of the algorithm", "number", 0, 0, false, 0 },
          .y = { "energy", unit, 0, 0, false, 0 },
          .series = energies,
          .count = 3 },
    };
    carom_gallery_result_plots(
        result, plots, 2, 2, "Relative normal velocity, and the energies: stored, kinetic, total.");
}

static double spread(const double *values, int count)
{
    double min = values[0], max = values[0];
    for (int i = 1; i < count; ++i) {
        min = fmin(min, values[i]);
        max = fmax(max, values[i]);
    }
    return (max - min) / max;
}

// -- figure 4 -----------------------------------------------------------------------------------

static carom_status single(carom_gallery_result *result, carom_error *err)
{
    course *c = carom_gallery_memory_take(result->memory, 1, sizeof *c);
    static const double masses[2] = { 1, 1 }, speeds[2] = { 1, 0 };
    if (!c)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for a course");
    carom_impact impact;
    TRY(carom_gallery_instant_chain(result, 2, masses, speeds, &impact, err));
    TRY(follow(&impact, 50, 0.5, c, err)); // a ball at 1 m/s strikes an equal one
    draw_course(result, c, 1, "J");
    bool rises = true, falls = true;
    int turn = 0;
    while (turn + 1 < c->count && c->u[turn] < -1e-12) // the approach has stopped
        ++turn;
    for (int i = 1; i < c->count; ++i) {
        rises = rises && c->u[i] >= c->u[i - 1];
        falls = falls &&
                (i <= turn ? c->stored[i] >= c->stored[i - 1] : c->stored[i] <= c->stored[i - 1]);
    }
    carom_gallery_result_holds(result, rises, "the relative velocity rises all the time");
    carom_gallery_result_holds(result, falls,
                               "the stored energy rises to the turn and falls after it");
    carom_gallery_result_at_most(result, "spread of the total energy", "",
                                 spread(c->total, c->count), 1e-13);
    carom_gallery_result_near(result, "relative velocity after the last step", "m/s", 1,
                              c->u[c->count - 1], 1e-12);
    carom_gallery_result_note(result,
                              "The curves are drawn by the law `etm` itself, which tells its "
                              "impulses and the energy it has booked after each of its steps.");
    return CAROM_OK;
}

// -- figure 6 and the errors over lambda --------------------------------------------------------

typedef struct tetrahedra_impact {
    double before, after;   // m/s, at the contact
    double kinetic, stored; // J: before, and when the approach has stopped
    double error;           // relative, of the energy
} tetrahedra_impact;

// The two tetrahedra, one step short enough that nothing moves but by the impact.
static carom_status tetrahedra(carom_gallery_result *result, int lambda, tetrahedra_impact *out,
                               carom_error *err)
{
    char path[4200], text[16];
    carom_scene_world *scene = NULL;
    carom_world *world = NULL;
    snprintf(text, sizeof text, "%d", lambda);
    carom_status status = carom_scene_world_open(
        carom_gallery_result_scene(result, "world/tetrahedra.json", path, sizeof path), &scene,
        err);
    if (status == CAROM_OK)
        status = carom_scene_world_set(scene, "lambda", text, err);
    if (status == CAROM_OK)
        status = carom_scene_world_set(scene, "step", "1e-12", err);
    if (status == CAROM_OK)
        status = carom_scene_world_build(scene, NULL, &world, err);
    double x[3], v[3], w[3], vb[3];
    int a = scene ? carom_scene_world_find(scene, "a") : 0,
        b = scene ? carom_scene_world_find(scene, "b") : 0;
    if (status == CAROM_OK) {
        out->kinetic = carom_world_ledger(world).kinetic;
        carom_world_body(world, carom_world_body_at(world, a), x, NULL, v, w);
        // they touch at the origin, the face looks up: u_z = v_z + (w x (-x))_z
        out->before = v[2] - (w[0] * x[1] - w[1] * x[0]);
        status = carom_world_step(world, 1e-12, err);
    }
    if (status == CAROM_OK) {
        carom_world_body(world, carom_world_body_at(world, a), NULL, NULL, v, w);
        carom_world_body(world, carom_world_body_at(world, b), NULL, NULL, vb, NULL);
        out->after = v[2] - (w[0] * x[1] - w[1] * x[0]) - vb[2];
        // p = 2 m u, and m u^2 / 2 is stored when the approach has stopped
        out->stored =
            -vb[2] * carom_world_mass(world, carom_world_body_at(world, b)) * -out->before / 4;
        out->error = fabs(carom_world_ledger(world).kinetic - out->kinetic) / out->kinetic;
    }
    carom_world_destroy(world);
    carom_scene_world_close(scene);
    return status;
}

// The instant of the two tetrahedra, which touch at the origin with the normal along z; bodies are
// not turned at the start.
static carom_status tetrahedra_instant(carom_gallery_result *result, carom_impact *out,
                                       carom_error *err)
{
    char path[4200];
    carom_scene_world *scene = NULL;
    carom_world *world = NULL;
    carom_impact_body *bodies = carom_gallery_memory_take(result->memory, 2, sizeof *bodies);
    carom_impact_contact *contact = carom_gallery_memory_take(result->memory, 1, sizeof *contact);
    if (!bodies || !contact)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for an instant");
    carom_status status = carom_scene_world_open(
        carom_gallery_result_scene(result, "world/tetrahedra.json", path, sizeof path), &scene,
        err);
    if (status == CAROM_OK)
        status = carom_scene_world_build(scene, NULL, &world, err);
    for (int i = 0; i < 2 && status == CAROM_OK; ++i) { // body b, below, is the first
        int from = carom_scene_world_find(scene, i ? "a" : "b");
        carom_mass mass =
            carom_shape_mass(carom_world_shape(world, carom_world_body_at(world, from)));
        double m = carom_world_mass(world, carom_world_body_at(world, from));
        for (int k = 0; k < 6; ++k)
            mass.inertia[k] *= m / mass.volume; // that of density 1 until here
        bodies[i] = (carom_impact_body){ .inverse_mass = 1 / m };
        carom_gallery_vector_invert(mass.inertia, bodies[i].inverse_inertia);
        carom_world_body(world, carom_world_body_at(world, from), bodies[i].position, NULL,
                         bodies[i].velocity, bodies[i].spin);
    }
    *contact = carom_impact_contact_default();
    contact->normal[0] = 0;
    contact->normal[2] = 1;
    contact->b = 1;
    *out = (carom_impact){ 2, 1, bodies, contact };
    carom_world_destroy(world);
    carom_scene_world_close(scene);
    return status;
}

static carom_status figure_6(carom_gallery_result *result, carom_error *err)
{
    char path[4200];
    tetrahedra_impact found;
    carom_impact impact;
    carom_gallery_show show;
    course *c = carom_gallery_memory_take(result->memory, 1, sizeof *c);
    if (!c)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for a course");
    TRY(tetrahedra(result, 200, &found, err));
    TRY(tetrahedra_instant(result, &impact, err));
    TRY(follow(&impact, 200, found.kinetic, c, err));
    draw_course(result, c, 1.0 / 300, "300 J");
    carom_export_view view = carom_export_view_default();
    carom_gallery_result_scene(result, result->entry->scene, path, sizeof path);
    carom_status status = carom_gallery_world_run(result, path, NULL, 0, &show, err);
    if (status == CAROM_OK)
        status = carom_gallery_world_picture(result, &show, &view, 1, 0,
                                             "The two tetrahedra as they "
                                             "meet.",
                                             err);
    carom_gallery_world_close(&show);
    TRY(status);
    carom_gallery_result_near(result, "relative normal velocity before", "m/s", -211.84,
                              found.before, 1e-6);
    carom_gallery_result_near(result, "relative normal velocity after", "m/s", 211.84, found.after,
                              1e-6);
    carom_gallery_result_near(result, "kinetic energy before", "J", 83809.2, found.kinetic, 1e-3);
    carom_gallery_result_near(result, "energy stored at the turn", "J", 60124, found.stored, 1e-3);
    carom_gallery_result_near(result, "kinetic energy at the turn", "J", 23685.2,
                              found.kinetic - found.stored, 1e-3);
    double max = 0;
    for (int k = 0; k < c->count; ++k)
        max = fmax(max, c->stored[k]);
    carom_gallery_result_near(result, "most that the law has booked as stored", "J", 60124, max,
                              1e-3);
    carom_gallery_result_at_most(result, "spread of stored and kinetic energy together", "",
                                 spread(c->total, c->count), 1e-13);
    carom_gallery_result_at_most(result, "relative error of the energy", "", found.error, 1e-13);
    carom_gallery_result_note(
        result, "The paper does not give its meshes. These two bodies are stand-ins that "
                "were fitted to the numbers of the text (approach, kinetic energy, energy "
                "stored), so those four lines cannot fail; what is shown is that the law "
                "turns the velocity round, stores that much on the way and keeps the "
                "sum. The curves are drawn by the law itself, which tells its impulses "
                "and the energy it has booked after each of its 400 steps.");
    return CAROM_OK;
}

static carom_status lambda_table(carom_gallery_result *result, carom_error *err)
{
    enum { COUNT = 6 };
    static const int lambda[COUNT] = { 1, 5, 10, 100, 200, 500 };
    static const double paper[COUNT] = {
        1.73e-16, 6.94e-16, 1.21e-15, 1.73e-16, 1.51e-14, 1.42e-14
    };
    double x[COUNT], ours[COUNT];
    for (int k = 0; k < COUNT; ++k) {
        tetrahedra_impact found;
        char what[80];
        TRY(tetrahedra(result, lambda[k], &found, err));
        x[k] = lambda[k];
        ours[k] = fmax(found.error, 1e-17); // zero has no place on the axis
        snprintf(what, sizeof what, "relative error of the energy, lambda = %d", lambda[k]);
        carom_gallery_result_number(result, what, "", paper[k], found.error);
        snprintf(what, sizeof what, "the same, bound of round-off, lambda = %d", lambda[k]);
        carom_gallery_result_at_most(result, what, "", found.error, 1e-13);
    }
    carom_plot_series series[] = {
        { "paper", x, paper, COUNT, CAROM_PLOT_DOTS, "ink", NULL, 0 },
        { "Carom", x, ours, COUNT, CAROM_PLOT_LINE, "s0", NULL, 2 },
    };
    carom_plot plot = { .title = "Error of the energy after one collision",
                        .x = { "lambda", "steps", 1, 500, true, 0 },
                        .y = { "relative error of the energy", "", 1e-17, 1e-12, true, 0 },
                        .series = series,
                        .count = 2 };
    carom_gallery_result_plots(result, &plot, 1, 1,
                               "Relative error of the energy over lambda; exact results are drawn "
                               "at 1e-17.");
    return CAROM_OK;
}

// -- figures 7 and 8 ----------------------------------------------------------------------------

enum { LAMBDAS = 11 };
static const int lambdas[LAMBDAS] = { 1, 2, 5, 10, 20, 30, 50, 100, 200, 500, 2000 };

static double size_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

typedef struct spins {
    double x[LAMBDAS], etm[LAMBDAS], linear[LAMBDAS];
    double qce[3], smm[3], sqm[3], springs[3];
    double start[3];
} spins;

static carom_status spin_by(carom_gallery_result *result, const carom_impact *impact,
                            const char *law, double spin[3], double velocity[3], carom_error *err)
{
    carom_impact_outcome out;
    TRY(carom_gallery_instant_resolve(result, impact, law, &out, err));
    for (int k = 0; k < 3; ++k) {
        spin[k] = out.spins[0][k];
        if (velocity)
            velocity[k] = out.velocities[0][k];
    }
    return CAROM_OK;
}

static carom_status measure_spins(carom_gallery_result *result, const char *name, spins *s,
                                  carom_error *err)
{
    char path[4200], law[40];
    double w[3] = { 0 }, v[3] = { 0 }, wanted[3];
    carom_scene_impact *file = NULL;
    TRY(carom_scene_impact_open(carom_gallery_result_scene(result, name, path, sizeof path), &file,
                                err));
    const carom_impact *impact = carom_scene_impact_problem(file);
    carom_status status = CAROM_OK;
    for (int k = 0; k < 3; ++k)
        s->start[k] = impact->bodies[0].velocity[k];
    wanted[0] = s->start[0];
    wanted[1] = s->start[1];
    wanted[2] = -s->start[2];
    for (int k = 0; k < LAMBDAS && status == CAROM_OK; ++k) {
        snprintf(law, sizeof law, "etm:lambda=%d", lambdas[k]);
        status = spin_by(result, impact, law, w, v, err);
        if (status != CAROM_OK)
            break;
        double off[3] = { v[0] - wanted[0], v[1] - wanted[1], v[2] - wanted[2] };
        s->x[k] = lambdas[k];
        s->etm[k] = size_of(w);
        s->linear[k] = size_of(off) / size_of(s->start);
    }
    if (status == CAROM_OK)
        status = spin_by(result, impact, "qce", s->qce, NULL, err);
    if (status == CAROM_OK)
        status = spin_by(result, impact, "smm", s->smm, NULL, err);
    if (status == CAROM_OK)
        status = spin_by(result, impact, "sqm", s->sqm, NULL, err);
    if (status == CAROM_OK)
        status = spin_by(result, impact, "springs:exponent=1.5", s->springs, NULL, err);
    carom_scene_impact_close(file);
    return status;
}

static void draw_spins(carom_gallery_result *result, spins *s, bool all, const char *caption)
{
    double ends[2] = { 1, 2000 };
    double level[4][2];
    const double values[4] = { size_of(s->springs), size_of(s->qce), size_of(s->smm),
                               size_of(s->sqm) };
    static const char *const names[4] = { "contact springs (Hertz)", "QCE", "SMM", "SQM" };
    carom_plot_series series[5] = { { "ETM", s->x, s->etm, LAMBDAS, CAROM_PLOT_LINE, "s1", NULL,
                                      2.2 } };
    int count = 1;
    for (int k = all ? 0 : 3; k < 4; ++k) {
        level[k][0] = level[k][1] = values[k];
        series[count++] = (carom_plot_series){
            names[k], ends, level[k], 2, CAROM_PLOT_LINE, carom_svg_series(k == 0 ? 0 : k + 1),
            "6 3",    1.6
        };
    }
    carom_plot plot = { .title = "Spin after the impact",
                        .x = { "lambda", "steps", 1, 2000, true, 0 },
                        .y = { "spin", "rad/s", 0, 0, false, 0 },
                        .series = series,
                        .count = count };
    carom_gallery_result_plots(result, &plot, 1, 1, caption);
}

static carom_status figure_7(carom_gallery_result *result, carom_error *err)
{
    spins s;
    static const char *const compared[] = { "etm", "smm", "qce", "springs", NULL };
    TRY(measure_spins(result, "impact/half-face.json", &s, err));
    draw_spins(result, &s, true,
               "Spin of a cube that lands with half of its face on a step, over lambda.");
    TRY(carom_gallery_instant_compare(result, "impact/half-face.json", compared,
                                      "The cube before and after, by four laws.", err));
    carom_gallery_result_at_most(result, "SMM: spin", "rad/s", size_of(s.smm), 1e-9);
    carom_gallery_result_at_least(result, "ETM, lambda = 30: spin", "rad/s", s.etm[5], 0.5);
    carom_gallery_result_near(result, "QCE: spin, closed form 60/7", "rad/s", 60.0 / 7, s.qce[1],
                              1e-9);
    carom_gallery_result_number(result, "contact springs (Hertz): spin", "rad/s", NAN,
                                s.springs[1]);
    carom_gallery_result_number(result, "ETM, lambda = 2000: spin", "rad/s", NAN,
                                s.etm[LAMBDAS - 1]);
    carom_gallery_result_refutes(result,
                                 s.etm[5] < 0.3 * s.springs[1] && s.etm[LAMBDAS - 1] < s.etm[5] / 3,
                                 "section 7.2: the spin that ETM predicts is that of the "
                                 "propagation of impulses; it is %.2f rad/s at lambda 30 and falls "
                                 "to %.2f at 2000, where contact springs give %.2f",
                                 s.etm[5], s.etm[LAMBDAS - 1], s.springs[1]);
    carom_gallery_result_note(result,
                              "The paper says neither how large nor how heavy its cube is: ours "
                              "has edges of 2 m and 8 kg, and falls at 10 m/s. Spins grow as "
                              "speed over size; which law turns it does not depend on that.");
    return CAROM_OK;
}

static carom_status figure_8(carom_gallery_result *result, carom_error *err)
{
    spins s;
    TRY(measure_spins(result, "impact/box-floor.json", &s, err));
    draw_spins(result, &s, false,
               "Spin of a box that lands flat (it should have none), over lambda.");
    double slope = log(s.etm[10] / s.etm[5]) / log(2000.0 / 30);
    int better = LAMBDAS; // from which lambda on ETM spins less than SQM
    while (better > 0 && s.etm[better - 1] < size_of(s.sqm))
        --better;
    carom_gallery_result_number(result, "SQM: spin", "rad/s", NAN, size_of(s.sqm));
    carom_gallery_result_number(result, "ETM, lambda = 1: spin", "rad/s", NAN, s.etm[0]);
    carom_gallery_result_holds(result, better < LAMBDAS && lambdas[better] <= 10,
                               "ETM spins less than SQM from lambda = %d on",
                               lambdas[better < LAMBDAS ? better : LAMBDAS - 1]);
    carom_gallery_result_holds(result, s.etm[5] < s.etm[3] && s.etm[10] < s.etm[7],
                               "ETM's error falls as lambda grows");
    carom_gallery_result_at_most(result, "ETM, lambda = 50: error of the linear velocity", "",
                                 s.linear[6], 0.01);
    int worst = 0; // lambda with the most spin
    for (int k = 1; k < LAMBDAS; ++k)
        worst = s.etm[k] > s.etm[worst] ? k : worst;
    carom_gallery_result_refutes(
        result, better > 0,
        "section 7.3: ETM's error is below SQM's from the onset; at lambda %d it is %.2f against "
        "%.2f rad/s",
        lambdas[worst], s.etm[worst], size_of(s.sqm));
    carom_gallery_result_refutes(result, slope < -0.5,
                                 "section 7.3: beyond lambda 50 round-off stops the decrease; it "
                                 "goes on as lambda to the power %.2f up to 2000",
                                 slope);
    carom_gallery_result_note(result,
                              "Equation 70 divides by the spin before, which is zero: spins "
                              "are shown in rad/s instead. The paper says neither how large nor "
                              "how heavy its box is: both are ours.");
    return CAROM_OK;
}

// -- the list -----------------------------------------------------------------------------------

static const carom_gallery_entry entries[] = {
    { "etm-fig-4",
      "Figure 4",
      "Energy and velocity during one collision",
      "A sketch of one elastic collision in small steps: the relative velocity rises from negative "
      "to positive, energy goes into the contact and comes out again, the total stays.",
      "The curves rise and fall as drawn, the total is constant to 1e-13, and the velocity is "
      "turned "
      "round (1e-12).",
      NULL,
      "carom gallery --only etm-fig-4 --out single",
      "impact/cradle.json",
      { 0.1, 0.1 },
      single,
      NULL },
    { "etm-fig-6",
      "Figure 6",
      "Two tetrahedra collide at one point",
      "A tetrahedron with spin strikes another with lambda = 200: the relative velocity goes from "
      "-211.84 to 211.84 m/s, 60124 of 83809.2 J are stored in between.",
      "All numbers of the text to their last digit, and the energy to 1e-13.",
      NULL,
      "carom run scenes/world/tetrahedra.json --out tetrahedra.carom",
      "world/tetrahedra.json",
      { 1, 1 },
      figure_6,
      NULL },
    { "etm-lambda",
      "Section 7.1, eq 69",
      "Error of the energy over lambda",
      "Relative errors of the energy for six values of lambda, from 1.7e-16 to 1.5e-14.",
      "Every error is within round-off (1e-13).",
      NULL,
      "carom run scenes/world/tetrahedra.json --set lambda=500 --out tetrahedra.carom",
      "world/tetrahedra.json",
      { 0.2, 0.2 },
      lambda_table,
      NULL },
    { "etm-fig-7",
      "Figure 7",
      "A cube lands on half of its face",
      "The cube should start to turn. With SMM, which reverses every contact's speed at once, it "
      "does not; with ETM it does.",
      "SMM: no spin (1e-9); ETM at the paper's lambda = 30: a spin of at least 0.5 rad/s; QCE: its "
      "closed form.",
      "The spin of ETM is an effect of finite steps and of the order of contacts: it falls "
      "towards zero as lambda grows, while contact springs and QCE give above 8 rad/s.",
      "carom compare scenes/impact/half-face.json --laws etm,smm,qce,springs --svg half-face.svg",
      "impact/half-face.json",
      { 0.5, 0.5 },
      figure_7,
      NULL },
    { "etm-fig-8",
      "Figure 8",
      "A box lands flat",
      "A box that lands flat should not turn. SQM makes it turn; ETM less, from the onset, and the "
      "less the larger lambda, until round-off stops the decrease beyond 50.",
      "ETM spins less than SQM from lambda = 10 on, falls with lambda, and its linear velocity is "
      "right to 1 % at 50.",
      "No round-off is seen beyond lambda 50: the error falls on up to 2000. And ETM spins less "
      "than "
      "SQM at lambda 1, if barely, more at 2 and 3, and less again from 4 on.",
      "carom compare scenes/impact/box-floor.json --laws etm,sqm,qce --svg box-floor.svg",
      "impact/box-floor.json",
      { 0.5, 0.5 },
      figure_8,
      NULL },
    { "etm-fig-9",
      "Figure 9",
      "Error of the energy while spheres pack",
      "540 and 1080 elastic spheres fall into a box: relative errors of the energy in each step "
      "with collisions, for ETM and SQM, all below 8e-3.",
      "Every step's error is below 8e-3, with at least 100 impacts.",
      NULL,
      "carom run scenes/world/packing-540.json --law etm --out packing.carom",
      "world/packing-540.json world/packing-1080.json",
      { 28, 3 },
      carom_gallery_etm_energy,
      NULL },
    { "etm-fig-11",
      "Figure 11",
      "Packings of spheres, cubes and crosses",
      "540 spheres, 325 cubes and 325 crosses have fallen into one half of a box.",
      "All bodies stay in their half, at rest (0.05 J/kg), without overlap (1 % of a cube's edge).",
      NULL,
      "carom run scenes/world/pack-spheres.json --law etm --set step=0.0016666666666666668 "
      "--duration 8 --out spheres.carom",
      "world/pack-spheres.json world/pack-cubes.json world/pack-crosses.json",
      { 72, 8 },
      carom_gallery_etm_packing,
      NULL },
    { "etm-fig-12",
      "Figure 12",
      "Settling after the wall is taken away",
      "The three packings after their wall has gone, with friction and restitution 0.64.",
      "Every heap keeps a slope of at least 5 degrees and comes to rest (0.05 J/kg).",
      NULL,
      "carom repose scenes/world/pack-spheres.json --friction 0.64 --law etm",
      "world/pack-spheres.json world/pack-cubes.json world/pack-crosses.json",
      { 106, 8 },
      carom_gallery_etm_settling,
      NULL },
    { "etm-fig-13",
      "Figure 13",
      "Slopes for different friction",
      "Final slopes of the heaps for friction from 0.05 to 0.6: the more friction, the steeper.",
      "No friction gives a flatter slope than the one before it (spheres 0.05, 0.2, 0.4, 0.6; "
      "cubes and crosses, and with --quick spheres alone, the first and the last) by more than the "
      "measured errors, and 0.6 a steeper one than 0.05 by more than they are.",
      NULL,
      "carom repose scenes/world/pack-spheres.json scenes/world/pack-cubes.json "
      "scenes/world/pack-crosses.json --friction 0.05,0.2,0.4,0.6 --law etm",
      "world/pack-spheres.json world/pack-cubes.json world/pack-crosses.json",
      { 141, 10 },
      carom_gallery_etm_slopes,
      NULL },
    { "etm-fig-14",
      "Figure 14",
      "Eight lines through a heap",
      "How the angle is measured: eight lines fitted through the highest nodes of 8 x 16 cells.",
      "Eight lines; their mean and half their spread are the measured angle and error (1e-9).",
      NULL,
      "carom repose scenes/world/pack-spheres.json --friction 0.6 --law etm --json",
      "world/pack-spheres.json",
      { 35, 6 },
      carom_gallery_etm_lines,
      NULL },
    { "etm-fig-15",
      "Figure 15",
      "Angle of repose over friction",
      "The angle of repose of spheres, cubes and crosses over the friction coefficient: it grows, "
      "and crosses, which interlock, are steepest.",
      "For each shape 0.6 is steeper than 0.05; crosses are steeper than spheres and than cubes "
      "with at least four of the five frictions above zero (the text: almost consistently); each "
      "shape is steeper than dry sand at 0.6 (the text: for all shapes). With --quick spheres "
      "only.",
      "Spheres and cubes stay below dry sand: without resistance against rolling a heap of "
      "spheres is flat, whatever the friction, and the text does not say with which friction its "
      "heaps were steeper. The heaps are small: their angles scatter by some degrees from heap "
      "to heap.",
      "carom repose scenes/world/pack-spheres.json scenes/world/pack-cubes.json "
      "scenes/world/pack-crosses.json --law etm --svg repose.svg",
      "world/pack-spheres.json world/pack-cubes.json world/pack-crosses.json",
      { 323, 10 },
      carom_gallery_etm_angles,
      NULL },
};

const carom_gallery_paper carom_gallery_etm = {
    "ETM",
    "Tang, Paluszny and Zimmerman, An impulse-based energy tracking method for collision "
    "resolution",
    entries, sizeof entries / sizeof *entries
};
