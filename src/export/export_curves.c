// Plots for papers: chosen quantities of the run or of chosen bodies, over time or over another
// quantity, at a size on paper.
//
// What differs by less than round-off is drawn flat: a billionth of the largest value that any
// quantity of the same unit has in the plot.
#include "carom/export.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "draw/plot.h"
#include "export/recording.h"

enum { POINTS_MAX = 4000, LINES_MAX = 32 };

// How to find a number in a frame: one of the ledger, or of a body's state.
typedef struct quantity {
    const char *name, *label, *unit;
    size_t ledger; // where it stands in the ledger
    int state;     // first number of the body's state, -1: it is of the ledger
    int length;    // 3: length of a vector
} quantity;

#define OF_LEDGER(member) offsetof(carom_ledger, member), -1, 0
#define OF_BODY(at, length) 0, (at), (length)
static const quantity quantities[] = {
    { "kinetic", "kinetic energy", "J", OF_LEDGER(kinetic) },
    { "potential", "potential energy", "J", OF_LEDGER(potential) },
    { "impacts", "energy lost in impacts", "J", OF_LEDGER(law) },
    { "resting", "energy lost in resting contact", "J", OF_LEDGER(rest) },
    { "driven", "energy brought in", "J", OF_LEDGER(driven) },
    { "error", "error of time stepping", "J", OF_LEDGER(integrator) },
    { "momentum_x", "momentum along x", "kg m/s", OF_LEDGER(momentum[0]) },
    { "momentum_y", "momentum along y", "kg m/s", OF_LEDGER(momentum[1]) },
    { "momentum_z", "momentum along z", "kg m/s", OF_LEDGER(momentum[2]) },
    { "angular_x", "angular momentum about x", "kg m^2/s", OF_LEDGER(angular[0]) },
    { "angular_y", "angular momentum about y", "kg m^2/s", OF_LEDGER(angular[1]) },
    { "angular_z", "angular momentum about z", "kg m^2/s", OF_LEDGER(angular[2]) },
    { "overlap", "deepest overlap", "m", OF_LEDGER(overlap) },
    { "time", "time", "s", OF_LEDGER(time) },
    { "x", "x", "m", OF_BODY(0, 1) },
    { "y", "y", "m", OF_BODY(1, 1) },
    { "z", "z", "m", OF_BODY(2, 1) },
    { "vx", "velocity along x", "m/s", OF_BODY(CAROM_FRAME_VELOCITY, 1) },
    { "vy", "velocity along y", "m/s", OF_BODY(CAROM_FRAME_VELOCITY + 1, 1) },
    { "vz", "velocity along z", "m/s", OF_BODY(CAROM_FRAME_VELOCITY + 2, 1) },
    { "speed", "speed", "m/s", OF_BODY(CAROM_FRAME_VELOCITY, 3) },
    { "wx", "spin about x", "rad/s", OF_BODY(CAROM_FRAME_SPIN, 1) },
    { "wy", "spin about y", "rad/s", OF_BODY(CAROM_FRAME_SPIN + 1, 1) },
    { "wz", "spin about z", "rad/s", OF_BODY(CAROM_FRAME_SPIN + 2, 1) },
    { "spin", "spin", "rad/s", OF_BODY(CAROM_FRAME_SPIN, 3) },
};
enum { QUANTITIES = sizeof quantities / sizeof *quantities };

const char *carom_export_curves_word(int index)
{
    return (unsigned)index < QUANTITIES ? quantities[index].name : NULL;
}

static carom_status find(const char *name, const quantity **out, carom_error *err)
{
    const char *names[QUANTITIES];
    for (int i = 0; i < QUANTITIES; ++i) {
        names[i] = quantities[i].name;
        if (strcmp(name, names[i]) == 0) {
            *out = &quantities[i];
            return CAROM_OK;
        }
    }
    char list[240] = "use one of:";
    for (int i = 0; i < QUANTITIES; ++i) {
        size_t length = strlen(list);
        snprintf(list + length, sizeof list - length, " %s", names[i]);
    }
    carom_error_set(err, CAROM_BAD_INPUT, "there is no quantity \"%.40s\"", name);
    return carom_error_fix(err, "%s", list);
}

static double value_of(const quantity *q, const carom_frame *frame, int body)
{
    double out;
    if (q->state < 0) {
        memcpy(&out, (const char *)&frame->ledger + q->ledger, sizeof out);
        return strcmp(q->name, "time") == 0 ? frame->time : out;
    }
    const double *v = frame->bodies + (size_t)body * CAROM_FRAME_STRIDE + q->state;
    return q->length == 3 ? sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) : v[0];
}

// -- lines ----------------------------------------------------------------------------------------

typedef struct lines {
    carom_plot_series series[LINES_MAX];
    const quantity *of[LINES_MAX];
    int body[LINES_MAX];
    char names[LINES_MAX][96];
    const quantity *across;
    int count;
} lines;

static carom_status add_line(lines *l, carom_recording *recording, const quantity *q, int body,
                             bool several, carom_error *err)
{
    if (l->count == LINES_MAX) {
        carom_error_set(err, CAROM_BAD_INPUT, "more than %d lines in one plot", LINES_MAX);
        return carom_error_fix(err, "ask for fewer quantities or bodies");
    }
    char *name = l->names[l->count], room[64];
    const char *whose = carom_recording_name(recording, body, room, sizeof room);
    if (q->state < 0)
        snprintf(name, sizeof l->names[0], "%s", q->label);
    else if (several)
        snprintf(name, sizeof l->names[0], "%.40s: %s", whose, q->label);
    else
        snprintf(name, sizeof l->names[0], "%.60s", whose);
    l->of[l->count] = q;
    l->body[l->count++] = body;
    return CAROM_OK;
}

static carom_status choose(lines *l, carom_recording *recording, const carom_export_curves *what,
                           carom_error *err)
{
    bool several = what->quantity_count > 1;
    TRY(find(what->across ? what->across : "time", &l->across, err));
    for (int k = 0; k < what->quantity_count; ++k) {
        const quantity *q;
        TRY(find(what->quantities[k], &q, err));
        if (l->count > 0 && strcmp(q->unit, l->of[0]->unit) != 0) {
            carom_error_set(err, CAROM_BAD_INPUT, "\"%s\" is in %s, \"%s\" in %s", q->name, q->unit,
                            l->of[0]->name, l->of[0]->unit);
            return carom_error_fix(err, "make one plot for each unit");
        }
        if ((q->state >= 0 || l->across->state >= 0) && what->body_count == 0) {
            carom_error_set(err, CAROM_BAD_INPUT, "\"%s\" is of a body, and none is named",
                            q->state >= 0 ? q->name : l->across->name);
            return carom_error_fix(err, "say whose with --body; `carom info FILE` lists them");
        }
        for (int b = 0; b < (q->state < 0 && l->across->state < 0 ? 1 : what->body_count); ++b)
            TRY(add_line(l, recording, q, what->body_count ? what->bodies[b] : 0, several, err));
    }
    return CAROM_OK;
}

static carom_status fill(lines *l, carom_recording *recording, carom_error *err)
{
    int64_t frames = carom_recording_frame_count(recording);
    int64_t stride = (frames - 1) / POINTS_MAX + 1;
    int points = (int)((frames - 1) / stride + 1);
    double *x[LINES_MAX], *y[LINES_MAX];
    for (int i = 0; i < l->count; ++i) {
        TAKE(recording->scratch, x[i], points, err);
        TAKE(recording->scratch, y[i], points, err);
        l->series[i] =
            (carom_plot_series){ .name = l->names[i], .x = x[i], .y = y[i], .count = points };
    }
    for (int k = 0; k < points; ++k) {
        carom_frame frame;
        TRY(carom_recording_frame(recording, k * stride, &frame, err));
        for (int i = 0; i < l->count; ++i) {
            x[i][k] = value_of(l->across, &frame, l->body[i]);
            y[i][k] = value_of(l->of[i], &frame, l->body[i]);
        }
    }
    if (l->count == 1)
        l->series[0].name = NULL; // the axis says it
    return CAROM_OK;
}

static double fine_of(const lines *l)
{
    double largest = 0;
    for (int i = 0; i < l->count; ++i)
        for (int k = 0; k < l->series[i].count; ++k)
            largest = fmax(largest, fabs(l->series[i].y[k]));
    return 1e-9 * largest;
}

// Dashes tell lines apart in print without colours.
static void dash(lines *l)
{
    static const char *const dashes[] = { NULL, "6 3", "2 2", "8 3 2 3" };
    for (int i = 0; i < l->count; ++i)
        l->series[i].dash = dashes[i % 4];
}

static void write_csv(const lines *l, carom_text *out)
{
    carom_text_add(out, "%s (%s)", l->across->label, l->across->unit);
    for (int i = 0; i < l->count; ++i)
        carom_text_add(out, ",\"%s (%s)\"", l->names[i], l->of[i]->unit);
    carom_text_add(out, "\n");
    for (int k = 0; l->count && k < l->series[0].count; ++k) {
        carom_text_add_number(out, l->series[0].x[k]);
        for (int i = 0; i < l->count; ++i) {
            carom_text_add(out, ",");
            carom_text_add_number(out, l->series[i].y[k]);
        }
        carom_text_add(out, "\n");
    }
}

static void draw(const lines *l, const carom_export_curves *what, const char *title,
                 carom_text *out)
{
    const double per_mm = 96 / 25.4;
    double size[2] = { what->width * per_mm, what->height * per_mm };
    carom_svg svg = carom_svg_begin_for_print(out, size, what->font, title);
    bool one = l->count == 1 || strcmp(l->of[0]->label, l->of[l->count - 1]->label) == 0;
    carom_plot plot = { .x = { .label = l->across->label,
                               .unit = l->across->unit,
                               .min = what->x_range[0],
                               .max = what->x_range[1],
                               .log = what->log_x },
                        .y = { .label = one ? l->of[0]->label : "",
                               .unit = l->of[0]->unit,
                               .min = what->y_range[0],
                               .max = what->y_range[1],
                               .log = what->log_y,
                               .fine = fine_of(l) },
                        .series = l->series,
                        .count = l->count,
                        .size = { size[0], size[1] } };
    carom_plot_draw(&svg, &plot);
    carom_svg_end(&svg);
}

carom_status carom_export_curves_draw(carom_recording *recording, const carom_export_curves *what,
                                      carom_text *out, carom_error *err)
{
    NEED(err, recording, what, out);
    lines l = { .count = 0 };
    bool bad_x = what->log_x && what->x_range[0] < what->x_range[1] && !(what->x_range[0] > 0);
    bool bad_y = what->log_y && what->y_range[0] < what->y_range[1] && !(what->y_range[0] > 0);
    if (bad_x || bad_y)
        return carom_error_set(err, CAROM_BAD_INPUT,
                               "the range of a logarithmic axis begins at %g, not above 0",
                               bad_x ? what->x_range[0] : what->y_range[0]);
    if (!what->csv && (!(what->width >= 30 && what->width <= 2000) ||
                       !(what->height >= 20 && what->height <= 2000)))
        return carom_error_set(err, CAROM_BAD_INPUT, "%g x %g mm is no size for a plot",
                               what->width, what->height);
    TRY(choose(&l, recording, what, err));
    carom_arena_mark mark = carom_arena_mark_here(recording->scratch);
    carom_status status = fill(&l, recording, err);
    if (status == CAROM_OK && what->csv)
        write_csv(&l, out);
    else if (status == CAROM_OK) {
        dash(&l);
        draw(&l, what, carom_recording_title(recording), out);
    }
    carom_arena_rewind(recording->scratch, mark);
    return status == CAROM_OK ? carom_text_status(out, err) : status;
}
