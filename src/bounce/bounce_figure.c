// The curves of the figures of [Bounce]: lists of contacts of a few bodies, solved with more or
// fewer modes, damping or other materials.
//
// Bodies: the steel rod of 20 cm (a capsule, 1 cm thick), the bar of 200 x 10 x 10 mm, the bat and
// the letter B. Angles of the rod are those between its axis and the floor: 90 is end on.
#include "carom/bounce_figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "math/power.h"
#include "math/trig.h"
#include "math/vec.h"

enum { CONTACTS_MAX = 4001, FACES = 240, UNKNOWNS = 20000 };
#define ROD_HALF 0.095
#define ROD_RADIUS 0.005

// One body with its modes and the contacts at which it is asked.
typedef struct body {
    carom_shape *shape;
    carom_modes *modes;
    int mode_count, count;
    double *a, *w; // of all contacts, a[contact * mode_count + mode]
    carom_bounce_result *results;
} body;

// What making a figure needs.
typedef struct maker {
    int modes;
    const char *folder;
    const carom_progress *progress;
    carom_bounce_figure *figure;
} maker;

static void close_body(body *b)
{
    carom_modal_destroy(b->modes);
    carom_shape_release(b->shape);
    free(b->a);
    free(b->w);
    free(b->results);
    *b = (body){ 0 };
}

static carom_status open_body(const maker *m, const char *name, body *b, carom_error *err)
{
    carom_modal_material steel;
    carom_modal_options options = carom_modal_options_default();
    *b = (body){ 0 };
    options.modes = m->modes;
    options.unknowns_max = UNKNOWNS;
    TRY(carom_modal_material_named("steel", &steel, err));
    TRY(carom_generate_shape(name, &b->shape, err));
    carom_mesh_source surface = carom_mesh_surface(b->shape);
    TRY(carom_bounce_cache_modes(m->folder, &surface, &steel, &options, m->progress, &b->modes,
                                 err));
    b->mode_count = carom_modal_about(b->modes)->mode_count;
    b->a = malloc((size_t)CONTACTS_MAX * (size_t)b->mode_count * sizeof *b->a);
    b->w = malloc(CONTACTS_MAX * sizeof *b->w);
    b->results = malloc(CONTACTS_MAX * sizeof *b->results);
    return b->a && b->w && b->results ? CAROM_OK
                                      : carom_error_no_memory(err, "the modes of a body");
}

static carom_status add_contact(body *b, vec3 point, vec3 normal, carom_error *err)
{
    double p[3], n[3];
    vec3_store(point, p);
    vec3_store(normal, n);
    TRY(carom_modal_participation(b->modes, p, n, b->a + (size_t)b->count * (size_t)b->mode_count,
                                  &b->w[b->count], err));
    ++b->count;
    return CAROM_OK;
}

// All contacts with the first `modes` modes only (0: all).
static carom_status solve(const body *b, int modes, const carom_bounce_options *options,
                          carom_error *err)
{
    int m = modes > 0 && modes < b->mode_count ? modes : b->mode_count;
    double *a = malloc((size_t)b->count * (size_t)m * sizeof *a + 1);
    if (!a)
        return carom_error_no_memory(err, "%d contacts", b->count);
    for (int i = 0; i < b->count; ++i)
        memcpy(a + (size_t)i * (size_t)m, b->a + (size_t)i * (size_t)b->mode_count,
               (size_t)m * sizeof *a);
    carom_bounce_batch batch = { m, b->count, carom_modal_about(b->modes)->omega, b->w, a, 1 };
    carom_status status = carom_bounce_many(&batch, options, b->results, err);
    free(a);
    return status;
}

static double mean_of(const body *b)
{
    double sum = 0;
    for (int i = 0; i < b->count; ++i)
        sum += b->results[i].epsilon;
    return sum / b->count;
}

static carom_status begin(maker *m, int rows, const char *const *names, carom_error *err)
{
    carom_bounce_figure *f = m->figure;
    f->rows = rows;
    for (f->columns = 0; names[f->columns]; ++f->columns)
        f->names[f->columns] = names[f->columns];
    f->values = malloc((size_t)rows * (size_t)f->columns * sizeof *f->values);
    if (!f->values)
        return carom_error_no_memory(err, "%d rows", rows);
    for (int i = 0; i < rows * f->columns; ++i)
        f->values[i] = (double)NAN;
    return CAROM_OK;
}

static double *cell(const maker *m, int row, int column)
{
    return m->figure->values + (size_t)row * (size_t)m->figure->columns + column;
}

// -- contacts -------------------------------------------------------------------------------------

// The rod's lower end under an angle; the direction down in its own frame, axis z.
static carom_status rod_at(body *b, double degrees, carom_error *err)
{
    double turn[2];
    carom_trig_degrees(degrees, turn); // sine, cosine
    vec3 down = vec3_make(turn[1], 0, -turn[0]);
    return add_contact(b, vec3_axpy(vec3_make(0, 0, -ROD_HALF), ROD_RADIUS, down), down, err);
}

static carom_status rod_angles(body *b, int count, carom_error *err)
{
    for (int i = 0; i < count; ++i)
        TRY(rod_at(b, 90.0 * i / (count - 1), err));
    return CAROM_OK;
}

// So many faces of the mesh, spread over it.
static carom_status some_faces(body *b, int count, carom_error *err)
{
    carom_mesh_source s = carom_mesh_surface(b->shape);
    for (int i = 0; i < count; ++i) {
        const int *t = s.triangles + 3 * (int)((long long)i * s.triangle_count / count);
        vec3 p[3];
        for (int k = 0; k < 3; ++k)
            p[k] = vec3_from(s.vertices + 3 * t[k]);
        vec3 normal = vec3_unit(vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0])));
        TRY(add_contact(b, vec3_scale(1.0 / 3, vec3_add(p[0], vec3_add(p[1], p[2]))), normal, err));
    }
    return CAROM_OK;
}

// Points of the surface met from +x, along a line in the direction of `axis` (0: x, 2: z).
static carom_status side_line(body *b, const double range[2], int axis, int count, carom_error *err)
{
    for (int i = 0; i < count; ++i) {
        double along = range[0] + (range[1] - range[0]) * (i + 0.5) / count, low = 0, high = 0.5;
        vec3 out = axis == 2 ? vec3_make(1, 0, 0) : vec3_make(0, 0, 1);
        vec3 foot = axis == 2 ? vec3_make(0, 0, along) : vec3_make(along, 0, 0);
        for (int n = 0; n < 60; ++n) { // from inside to outside
            double middle = 0.5 * (low + high), p[3];
            vec3_store(vec3_axpy(foot, middle, out), p);
            *(carom_shape_distance(b->shape, p) < 0 ? &low : &high) = middle;
        }
        double slope[2], step = 1e-5;
        for (int k = 0; k < 2; ++k) { // across the axis and along it
            vec3 way = k ? vec3_scale(step, axis == 2 ? vec3_make(0, 0, 1) : vec3_make(1, 0, 0))
                         : vec3_scale(step, out);
            double p[3], q[3];
            vec3_store(vec3_sub(vec3_axpy(foot, low, out), way), p);
            vec3_store(vec3_add(vec3_axpy(foot, low, out), way), q);
            slope[k] = carom_shape_distance(b->shape, q) - carom_shape_distance(b->shape, p);
        }
        vec3 normal =
            axis == 2 ? vec3_make(slope[0], 0, slope[1]) : vec3_make(slope[1], 0, slope[0]);
        TRY(add_contact(b, vec3_axpy(foot, low, out), vec3_unit(normal), err));
    }
    return CAROM_OK;
}

// -- figures --------------------------------------------------------------------------------------

static const char rod_name[] = "rod:200x10mm@1mm", bar_name[] = "bar:200x10x10mm@2mm";

static carom_status make_angles(maker *m, body *b, carom_error *err) // fig 3
{
    enum { ROWS = 361 };
    static const char *const names[] = { "angle", "epsilon", "tau_ms", NULL };
    carom_bounce_options options = carom_bounce_options_default();
    TRY(begin(m, ROWS, names, err));
    TRY(open_body(m, rod_name, b, err));
    TRY(rod_angles(b, ROWS, err));
    TRY(solve(b, 0, &options, err));
    for (int i = 0; i < ROWS; ++i) {
        *cell(m, i, 0) = 90.0 * i / (ROWS - 1);
        *cell(m, i, 1) = b->results[i].epsilon;
        *cell(m, i, 2) = 1e3 * b->results[i].tau;
    }
    return CAROM_OK;
}

static carom_status make_side(maker *m, body *b, carom_error *err) // fig 9
{
    enum { ROWS = 2000 };
    static const char *const names[] = { "position", "epsilon", NULL };
    carom_bounce_options options = carom_bounce_options_default();
    TRY(begin(m, ROWS, names, err));
    TRY(open_body(m, rod_name, b, err));
    for (int i = 0; i < ROWS; ++i) {
        *cell(m, i, 0) = ROD_HALF * (2 * (i + 0.5) / ROWS - 1);
        TRY(add_contact(b, vec3_make(ROD_RADIUS, 0, *cell(m, i, 0)), vec3_make(1, 0, 0), err));
    }
    TRY(solve(b, 0, &options, err));
    for (int i = 0; i < ROWS; ++i)
        *cell(m, i, 1) = b->results[i].epsilon;
    return CAROM_OK;
}

static carom_status make_normals(maker *m, body *b, carom_error *err) // fig 11
{
    enum { ROWS = 181 };
    static const char *const names[] = { "angle", "rod_end", "bar_corner", "bar_edge", NULL };
    static const char *const bodies[] = { rod_name, bar_name, bar_name };
    carom_bounce_options options = carom_bounce_options_default();
    TRY(begin(m, ROWS, names, err));
    for (int k = 0; k < 3; ++k) {
        close_body(b);
        TRY(open_body(m, bodies[k], b, err));
        for (int i = 0; i < ROWS; ++i) { // from the side to the end
            double degrees = 90.0 * i / (ROWS - 1), turn[2];
            carom_trig_degrees(degrees, turn);
            double side = k == 1 ? sqrt(0.5) * turn[1] : 0;
            *cell(m, i, 0) = degrees;
            if (k == 0)
                TRY(rod_at(b, degrees, err));
            else
                TRY(add_contact(b, vec3_make(0.1, k == 1 ? 0.005 : 0, 0.005),
                                vec3_make(turn[0], side, k == 1 ? side : turn[1]), err));
        }
        TRY(solve(b, 0, &options, err));
        for (int i = 0; i < ROWS; ++i)
            *cell(m, i, k + 1) = b->results[i].epsilon;
    }
    return CAROM_OK;
}

static carom_status make_damping(maker *m, body *b, carom_error *err) // fig 16
{
    enum { ROWS = 181 };
    static const char *const names[] = { "angle",     "beta_0",    "beta_1e-8", "beta_1e-7",
                                         "beta_3e-7", "beta_1e-6", NULL };
    static const double beta[] = { 0, 1e-8, 1e-7, 3e-7, 1e-6 };
    carom_bounce_options options = carom_bounce_options_default();
    TRY(begin(m, ROWS, names, err));
    TRY(open_body(m, rod_name, b, err));
    TRY(rod_angles(b, ROWS, err));
    for (int k = 0; k < 5; ++k) {
        options.damping = beta[k];
        TRY(solve(b, 0, &options, err));
        for (int i = 0; i < ROWS; ++i) {
            *cell(m, i, 0) = 90.0 * i / (ROWS - 1);
            *cell(m, i, k + 1) = b->results[i].epsilon;
        }
    }
    return CAROM_OK;
}

static carom_status make_lines(maker *m, body *b, carom_error *err) // fig 17
{
    enum { ROWS = 400 };
    static const char *const names[] = { "place", "bat", "rod", "bar", NULL };
    static const char *const bodies[] = { "bat:860mm@20mm", rod_name, bar_name };
    // along z for solids of revolution, along x for the bar; the bat's origin is its centre of mass
    static const double range[3][2] = { { -0.58, 0.27 }, { -0.095, 0.095 }, { -0.1, 0.1 } };
    carom_bounce_options options = carom_bounce_options_default();
    TRY(begin(m, ROWS, names, err));
    for (int k = 0; k < 3; ++k) {
        close_body(b);
        TRY(open_body(m, bodies[k], b, err));
        TRY(side_line(b, range[k], k == 2 ? 0 : 2, ROWS, err));
        TRY(solve(b, 0, &options, err));
        for (int i = 0; i < ROWS; ++i) {
            *cell(m, i, 0) = (i + 0.5) / ROWS;
            *cell(m, i, k + 1) = b->results[i].epsilon;
        }
    }
    return CAROM_OK;
}

static const int mode_list[] = { 1, 2, 3, 5, 7, 10, 15, 20, 30, 45, 60, 90, 140, 200, 300 };
enum { MODE_LIST = sizeof mode_list / sizeof *mode_list };

static int rows_up_to(int modes)
{
    int rows = 0;
    while (rows < MODE_LIST && mode_list[rows] <= modes)
        ++rows;
    return rows;
}

static carom_status make_convergence(maker *m, body *b, carom_error *err) // fig 18
{
    static const char *const names[] = { "modes", "bar", "rod", "letter_B", NULL };
    static const char *const bodies[] = { bar_name, rod_name, "letter-B:100x25mm@10mm" };
    carom_bounce_options options = carom_bounce_options_default();
    int rows = rows_up_to(m->modes);
    TRY(begin(m, rows, names, err));
    for (int k = 0; k < 3; ++k) {
        close_body(b);
        TRY(open_body(m, bodies[k], b, err));
        TRY(some_faces(b, FACES, err));
        for (int i = 0; i < rows; ++i) {
            TRY(solve(b, mode_list[i], &options, err));
            *cell(m, i, 0) = mode_list[i];
            *cell(m, i, k + 1) = mean_of(b);
        }
    }
    return CAROM_OK;
}

static carom_status make_times(maker *m, body *b, carom_error *err) // fig 20
{
    enum { ROWS = 2000 };
    static const char *const names[] = { "tau_us", "epsilon", NULL };
    carom_bounce_options options = carom_bounce_options_default();
    TRY(begin(m, ROWS, names, err));
    TRY(open_body(m, "letter-B:100x25mm@3mm", b, err));
    TRY(some_faces(b, ROWS, err));
    TRY(solve(b, 0, &options, err));
    for (int i = 0; i < ROWS; ++i) {
        *cell(m, i, 0) = 1e6 * b->results[i].tau;
        *cell(m, i, 1) = b->results[i].epsilon;
    }
    return CAROM_OK;
}

// Stiffness and density over two decades (fig 21), or the speed (fig 22), at six places of a bar.
// Speed is the unit in which displacements are measured: a contact at v m/s is the one at 1 m/s in
// a unit of time v times shorter, in which all frequencies are 1/v times theirs.
static carom_status make_invariance(maker *m, body *b, carom_error *err)
{
    enum { ROWS = 9, PLACES = 6 };
    static const char *const names[] = { "factor",  "place_1", "place_2", "place_3",
                                         "place_4", "place_5", "place_6", NULL };
    carom_bounce_options options = carom_bounce_options_default();
    TRY(begin(m, ROWS, names, err));
    TRY(open_body(m, bar_name, b, err));
    carom_modal_material steel = carom_modal_about(b->modes)->material;
    for (int i = 0; i < ROWS; ++i) {
        double factor = carom_power(10, 0.25 * i) / 10;
        carom_modal_material other = steel;
        if (m->figure->number == 21)
            other.density *= factor;
        else
            other.young /= factor * factor;
        TRY(carom_modal_rescale(b->modes, &other, err));
        b->count = 0;
        for (int k = 0; k < PLACES; ++k)
            TRY(add_contact(b, vec3_make(0.0013 + 0.0171 * k, 0.0007, 0.005), vec3_make(0, 0, 1),
                            err));
        TRY(solve(b, 0, &options, err));
        *cell(m, i, 0) = factor;
        for (int k = 0; k < PLACES; ++k)
            *cell(m, i, k + 1) = b->results[k].epsilon;
    }
    return CAROM_OK;
}

static carom_status make_elastic(maker *m, body *b, carom_error *err) // fig 23
{
    static const char *const names[] = { "modes", "inelastic", "elastic", NULL };
    static const double range[2] = { -0.1, 0.1 };
    int rows = rows_up_to(m->modes);
    TRY(begin(m, rows, names, err));
    TRY(open_body(m, bar_name, b, err));
    TRY(side_line(b, range, 0, 60, err));
    for (int i = 0; i < rows; ++i) {
        *cell(m, i, 0) = mode_list[i];
        for (int elastic = 0; elastic < 2; ++elastic) {
            carom_bounce_options options = carom_bounce_options_default();
            options.solver = CAROM_BOUNCE_LITERAL;
            options.elastic = elastic;
            if (elastic)
                options.turn = 0.01; // the paper, too, needs much smaller steps here
            TRY(solve(b, mode_list[i], &options, err));
            *cell(m, i, elastic + 1) = mean_of(b);
        }
    }
    return CAROM_OK;
}

// -- the list -------------------------------------------------------------------------------------

static const struct {
    int number, modes;
    const char *title, *across, *unit;
    int log;
    carom_status (*make)(maker *m, body *b, carom_error *err);
} figures[] = {
    { 3, 140, "A rod dropped at every angle", "angle to the floor", "degrees", 0, make_angles },
    { 9, 140, "Along the side of a rod", "position", "m", 0, make_side },
    { 11, 45, "Normals at a round end and at a sharp one", "angle", "degrees", 0, make_normals },
    { 16, 90, "A rod with damping", "angle to the floor", "degrees", 0, make_damping },
    { 17, 45, "Along a bat, a rod and a bar", "place, of the length", "", 0, make_lines },
    { 18, 140, "Mean restitution over the number of modes", "modes", "", 1, make_convergence },
    { 20, 45, "Restitution over contact time (letter B)", "contact time", "us", 1, make_times },
    { 21, 50, "Restitution over density", "density, of steel's", "", 1, make_invariance },
    { 22, 45, "Restitution over speed", "speed", "m/s", 1, make_invariance },
    { 23, 140, "Elastic and inelastic impulses", "modes", "", 1, make_elastic },
};
enum { FIGURES = sizeof figures / sizeof *figures };

void carom_bounce_figure_free(carom_bounce_figure *figure)
{
    if (figure)
        free(figure->values);
    free(figure);
}

carom_status carom_bounce_figure_make(int number, int modes, const char *folder,
                                      const carom_progress *progress, carom_bounce_figure **out,
                                      carom_error *err)
{
    NEED(err, out);
    *out = NULL;
    int which = 0;
    while (which < FIGURES && figures[which].number != number)
        ++which;
    if (which == FIGURES || modes < 0) {
        carom_error_set(err, CAROM_BAD_INPUT, "figure %d with %d modes", number, modes);
        return carom_error_fix(err, "use 3, 9, 11, 16, 17, 18, 20, 21, 22 or 23");
    }
    carom_bounce_figure *f = calloc(1, sizeof *f);
    if (!f)
        return carom_error_no_memory(err, "a figure");
    *f = (carom_bounce_figure){ .number = number,
                                .title = figures[which].title,
                                .across = figures[which].across,
                                .unit = figures[which].unit,
                                .log = figures[which].log };
    maker m = { modes ? modes : figures[which].modes, folder, progress, f };
    body b = { 0 };
    carom_status status = figures[which].make(&m, &b, err);
    close_body(&b);
    if (status == CAROM_OK)
        *out = f;
    else
        carom_bounce_figure_free(f);
    return status;
}
