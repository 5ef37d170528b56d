// `carom plot`: curves of a run for papers.
#include "command.h"
#include "output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "carom/export.h"

enum { QUANTITIES_MAX = 16, BODIES_MAX = 32 };

typedef struct job {
    const carom_arguments *given;
    carom_recording *recording;
    carom_export_curves what;
    char list[400];
    const char *quantities[QUANTITIES_MAX];
    int bodies[BODIES_MAX];
} job;

static int read_quantities(job *j)
{
    snprintf(j->list, sizeof j->list, "%s", carom_command_text(j->given, "--of"));
    for (char *at = j->list; at && *at;) {
        char *comma = strchr(at, ',');
        if (comma)
            *comma = 0;
        if (j->what.quantity_count == QUANTITIES_MAX)
            return carom_command_misuse("make several plots", "--of names more than %d quantities",
                                        QUANTITIES_MAX);
        j->quantities[j->what.quantity_count++] = at;
        at = comma ? comma + 1 : NULL;
    }
    j->what.quantities = j->quantities;
    j->what.across = carom_command_text(j->given, "--over");
    return CAROM_EXIT_GOOD;
}

static int read_bodies(job *j)
{
    int count = carom_command_count(j->given, "--body");
    if (count > BODIES_MAX)
        return carom_command_misuse("make several plots", "more than %d bodies", BODIES_MAX);
    for (int i = 0; i < count; ++i) {
        const char *name = carom_command_text_at(j->given, "--body", i);
        j->bodies[i] = carom_recording_find(j->recording, name);
        if (j->bodies[i] < 0)
            return carom_command_misuse("`carom info FILE` lists the bodies",
                                        "there is no body \"%.60s\"", name);
    }
    j->what.bodies = j->bodies;
    j->what.body_count = count;
    return CAROM_EXIT_GOOD;
}

static int read_looks(job *j)
{
    double size[2] = { 120, 80 };
    const char *log = carom_command_text(j->given, "--log");
    int x = carom_command_numbers(j->given, "--x-range", j->what.x_range, 2);
    int y = carom_command_numbers(j->given, "--y-range", j->what.y_range, 2);
    const char *words = carom_command_text(j->given, "--size");
    char more;
    if ((x != 0 && x != 2) || (y != 0 && y != 2) || j->what.x_range[0] > j->what.x_range[1] ||
        j->what.y_range[0] > j->what.y_range[1])
        return carom_command_misuse("give the lower and the upper end: 0,2.5",
                                    "a range is not two numbers in order");
    if (words && sscanf(words, "%lfx%lf%c", &size[0], &size[1], &more) != 2)
        return carom_command_misuse("give width and height in mm: 85x60", "--size is \"%.40s\"",
                                    words);
    j->what.width = size[0];
    j->what.height = size[1];
    j->what.log_x = log && strchr(log, 'x') != NULL;
    j->what.log_y = log && strchr(log, 'y') != NULL;
    j->what.font = carom_command_text(j->given, "--font");
    return CAROM_EXIT_GOOD;
}

static int finish(job *j, const char *out, bool force)
{
    carom_error err = { 0 };
    carom_text text = { 0 };
    j->what.csv = carom_text_ends_with(out, ".csv");
    carom_status status = carom_export_curves_draw(j->recording, &j->what, &text, &err);
    if (status == CAROM_OK)
        status = carom_output_write(out, text.bytes, force, &err);
    carom_text_free(&text);
    if (status != CAROM_OK)
        return carom_command_fail(&err);
    if (strcmp(out, "-") != 0)
        fprintf(stderr, "written: %s\n", out);
    return CAROM_EXIT_GOOD;
}

static int run(const carom_arguments *given)
{
    carom_error err = { 0 };
    job j = { .given = given };
    const char *out = carom_command_text(given, "--out");
    bool force = carom_command_flag(given, "--force");
    static const char *const endings[] = { ".svg", ".pdf", ".csv" };
    bool known = strcmp(out, "-") == 0;
    for (int i = 0; i < 3; ++i)
        known = known || carom_text_ends_with(out, endings[i]);
    if (!known)
        return carom_command_misuse("let it end in .svg, .pdf or .csv",
                                    "the name \"%.60s\" does not say what to write", out);
    if (carom_output_check(out, force, &err) != CAROM_OK ||
        carom_recording_open(carom_command_text(given, "FILE"), &j.recording, &err) != CAROM_OK)
        return carom_command_fail(&err);
    int code = read_quantities(&j);
    code = code == CAROM_EXIT_GOOD ? read_bodies(&j) : code;
    code = code == CAROM_EXIT_GOOD ? read_looks(&j) : code;
    code = code == CAROM_EXIT_GOOD ? finish(&j, out, force) : code;
    carom_recording_destroy(j.recording);
    return code;
}

static const carom_argument arguments[] = {
    { "FILE", CAROM_ARGUMENT_FILE, .doc = "a trajectory written by `carom run`", .required = true },
    { "--of", CAROM_ARGUMENT_TEXT, .value = "LIST", .initial = "kinetic,potential",
      .doc = "quantities, separated by commas, all of one unit" },
    { "--over", CAROM_ARGUMENT_TEXT, .value = "QUANTITY", .doc = "to the right, instead of time" },
    { "--body", CAROM_ARGUMENT_TEXT, .value = "NAME", .repeated = true,
      .doc = "whose, where a quantity is of a body" },
    { "--x-range", CAROM_ARGUMENT_TEXT, .value = "A,B", .doc = "ends of the axis to the right" },
    { "--y-range", CAROM_ARGUMENT_TEXT, .value = "A,B", .doc = "ends of the axis that goes up" },
    { "--log", CAROM_ARGUMENT_CHOICE, .value = "WORD", .choices = "x y xy",
      .doc = "logarithmic axes" },
    { "--size", CAROM_ARGUMENT_TEXT, .value = "WxH", .initial = "120x80",
      .doc = "on paper, in mm" },
    { "--font", CAROM_ARGUMENT_TEXT, .value = "NAME",
      .doc =
          "family of the letters; in PDF Helvetica, Times or Courier, whichever it begins with" },
    { "--out", CAROM_ARGUMENT_FILE, .value = "FILE", .initial = "-",
      .doc = "where to; .svg, .pdf or .csv (\"-\": SVG to the standard output)" },
    { "--force", CAROM_ARGUMENT_FLAG, .doc = "replace a file that exists" },
    { 0 },
};

static const char *const examples[] = {
    "the height of a ball for a column of a paper",
    "carom run scenes/world/dropped-ball.json --out height.carom && carom plot height.carom --of z "
    "--body ball --size 85x60 --font Times --out height.pdf",
    NULL,
};

const carom_command carom_plot_command = {
    .name = "plot",
    .summary = "plot quantities of a run for papers, as SVG, PDF or CSV",
    .details =
        "Of the run: kinetic, potential, impacts, resting, driven, error (J), momentum_x, _y, _z, "
        "angular_x, _y, _z, overlap, time. Of bodies (--body): x, y, z, vx, vy, vz, speed, wx, wy, "
        "wz, spin. Lines differ by dashes as well as by colours; what is round-off is drawn flat.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};
