// The impulses open to three bodies that meet at once [EC, section 1, fig 2].
//
// With impulses p = (left, right), masses m, velocities v and gaps g before a step dt:
//     non-negativity      p >= 0
//     non-penetration     g_i + dt (u_i + (W p)_i) >= 0                    eqs 5b, 6, 7
//     energy              sum m_i v_i'^2 = sum m_i v_i^2: an ellipse        eqs 8, 9
// The picture shows the lines for touching bodies (at the instant of impact) and, dashed, those of
// the step where a gap is open.
#include "carom/chain.h"
#include "base/arena.h"
#include "base/text.h"
#include "draw/plot.h"
#include "math/constants.h"

#include <math.h>

enum { CURVE = 361, MARKS = 5, LINES = 8 };

typedef struct space {
    double w[2][2]; // W = J M^-1 J^T
    double u[2];    // separation speeds before
    double open[2]; // gap / step
    double scale;   // N s: the picture shows up to this
    double low;     // N s: and from this
} space;

// Points of the energy ellipse p W p / 2 + p u = 0: p = s (cos a, sin a), s = -2 d.u / d.W d.
static int energy_curve(const space *s, double *x, double *y)
{
    int count = 0;
    for (int k = 0; k < CURVE; k++) {
        double angle = CAROM_TWO_PI * k / (CURVE - 1);
        double d[2] = { cos(angle), sin(angle) };
        double along = d[0] * s->u[0] + d[1] * s->u[1];
        double quadratic =
            d[0] * d[0] * s->w[0][0] + 2 * d[0] * d[1] * s->w[0][1] + d[1] * d[1] * s->w[1][1];
        double r = -2 * along / quadratic;
        if (r < 0)
            continue; // the same point as at the opposite angle
        x[count] = r * d[0];
        y[count++] = r * d[1];
    }
    return count;
}

// The line where contact i just keeps closed: (W p)_i = -u_i - open_i, clipped to the picture.
static int constraint(const space *s, int i, double open, double x[2], double y[2])
{
    double right = -s->u[i] - open;
    double low = s->low;
    double ends[4][2];
    int count = 0;
    for (int side = 0; side < 2; side++) {
        double at = side ? s->scale : low;
        double across = (right - s->w[i][0] * at) / s->w[i][1];
        double down = (right - s->w[i][1] * at) / s->w[i][0];
        if (across >= low && across <= s->scale)
            ends[count][0] = at, ends[count++][1] = across;
        if (down > low && down < s->scale)
            ends[count][0] = down, ends[count++][1] = at;
    }
    if (count < 2)
        return 0;
    for (int k = 0; k < 2; k++) {
        x[k] = ends[k][0];
        y[k] = ends[k][1];
    }
    return 2;
}

static carom_status measure(const carom_chain *chain, double step, space *s, carom_error *err)
{
    bool walls = false;
    for (size_t b = 0; b < chain->body_count; b++)
        walls |= chain->bodies[b].kind == CAROM_CHAIN_WALL;
    if (chain->body_count != 3 || walls) {
        carom_error_set(err, CAROM_UNSUPPORTED, "the solution space has %zu dimensions%s",
                        chain->body_count - 1, walls ? ", and a wall" : "");
        return carom_error_fix(err, "use three bodies that can move");
    }
    double m[3], v[3];
    for (int b = 0; b < 3; b++) {
        m[b] = carom_chain_body_mass(&chain->bodies[b]);
        v[b] = chain->bodies[b].velocity;
    }
    *s = (space){ .w = { { 1 / m[0] + 1 / m[1], -1 / m[1] }, { -1 / m[1], 1 / m[1] + 1 / m[2] } },
                  .u = { v[1] - v[0], v[2] - v[1] } };
    for (int c = 0; c < 2; c++)
        s->open[c] = chain->contacts[c].gap / step;
    double x[CURVE], y[CURVE];
    int count = energy_curve(s, x, y);
    for (int k = 0; k < count; k++) {
        s->scale = fmax(s->scale, fmax(x[k], y[k]));
        s->low = fmin(s->low, fmin(x[k], y[k]));
    }
    s->low -= 0.1 * s->scale;
    s->scale *= 1.5; // room for the legend
    if (s->scale > 0)
        return CAROM_OK;
    return carom_error_set(err, CAROM_UNSUPPORTED,
                           "nothing approaches: there is no impulse to show");
}

// Where the rules, and the springs, end: one dot each.
static carom_status marks(const carom_chain *chain, const carom_chain_result *result,
                          double points[MARKS][2], const char *names[MARKS], int *count,
                          carom_error *err)
{
    carom_chain_contact touching[2] = { { .gap = 0 }, { .gap = 0 } };
    carom_chain at_once = *chain;
    at_once.contacts = touching;
    carom_chain_plan plan = { .step = 1, .steps = 1, .restitution = 1 };
    carom_chain_courses *courses;
    TRY(carom_chain_plan_run(&at_once, &plan, &courses, err));
    for (*count = 0; *count < CAROM_CHAIN_RULE_COUNT; ++*count) {
        for (int c = 0; c < 2; c++)
            points[*count][c] = courses->course[*count].impulse[c];
        names[*count] = carom_chain_stepper_rule_word((carom_chain_rule)*count);
    }
    carom_chain_plan_destroy(courses);
    if (!result)
        return CAROM_OK;
    names[*count] = "springs";
    for (int c = 0; c < 2; c++)
        points[*count][c] = result->touch[c].impulse;
    ++*count;
    return CAROM_OK;
}

static void draw(const space *s, double points[MARKS][2], const char *const names[MARKS], int count,
                 carom_text *text)
{
    static const char *const roles[MARKS] = { "s7", "s1", "s4", "s3", "s6" };
    double x[CURVE], y[CURVE];
    double line[4][2][2];
    double low = s->low;
    double axis[2] = { low, s->scale };
    double zero[2] = { 0, 0 };
    carom_plot_series series[LINES + MARKS];
    int used = 0;
    series[used++] = (carom_plot_series){
        .name = "no negative impulse", .x = axis, .y = zero, .count = 2, .role = "hot"
    };
    series[used++] = (carom_plot_series){ .x = zero, .y = axis, .count = 2, .role = "hot" };
    for (int i = 0; i < 4; i++) {
        int contact = i % 2;
        bool dashed = i > 1;
        int n = dashed && s->open[contact] == 0
                    ? 0
                    : constraint(s, contact, dashed ? s->open[contact] : 0, line[i][0], line[i][1]);
        if (n)
            series[used++] = (carom_plot_series){ .name = i == 0   ? "no penetration"
                                                          : i == 2 ? "impact inside the step"
                                                                   : NULL,
                                                  .x = line[i][0],
                                                  .y = line[i][1],
                                                  .count = n,
                                                  .role = "s2",
                                                  .dash = dashed ? "6 4" : NULL };
    }
    series[used++] = (carom_plot_series){ .name = "energy kept",
                                          .x = x,
                                          .y = y,
                                          .count = energy_curve(s, x, y),
                                          .role = "s0",
                                          .width = 2.2 };
    for (int k = 0; k < count; k++)
        series[used++] = (carom_plot_series){ .name = names[k],
                                              .x = &points[k][0],
                                              .y = &points[k][1],
                                              .count = 1,
                                              .kind = CAROM_PLOT_DOTS,
                                              .role = roles[k],
                                              .width = 4 };
    carom_svg svg = carom_svg_begin(text, 720, 640, "Impulses of three bodies that meet at once");
    carom_plot plot = {
        .title = "Impulses of three bodies that meet at once",
        .x = { .label = "impulse of the left contact", .unit = "N s", .min = low, .max = s->scale },
        .y = { .label = "impulse of the right contact",
               .unit = "N s",
               .min = low,
               .max = s->scale },
        .series = series,
        .count = used,
        .corner = { 0, 0 },
        .size = { 720, 640 }
    };
    carom_plot_draw(&svg, &plot);
    carom_svg_end(&svg);
}

carom_status carom_chain_space_svg(const carom_chain *chain, const carom_chain_result *result,
                                   double step, char **out, carom_error *err)
{
    NEED(err, chain, out);
    space s;
    double points[MARKS][2];
    const char *names[MARKS];
    int count;
    *out = NULL;
    TRY(measure(chain, step, &s, err));
    TRY(marks(chain, result, points, names, &count, err));
    carom_text text = { 0 };
    draw(&s, points, names, count, &text);
    carom_status status = carom_text_status(&text, err);
    if (status == CAROM_OK)
        *out = text.bytes;
    else
        carom_text_free(&text);
    return status;
}
