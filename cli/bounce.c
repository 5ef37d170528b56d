// `carom bounce`: the bounce map of a body.
#include "bounce_body.h"
#include "carom/json.h"
#include "carom/text.h"
#include "output.h"
#include "shards.h"
#include "table.h"
#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const places[] = { "faces", "edges", "vertices" };
static const char *const files[] = { "--out", "--svg", "--html", "--samples" };
enum { FILES = sizeof files / sizeof *files, PAGE = 2 };

static carom_bounce_map_options read_options(const carom_arguments *given)
{
    carom_bounce_map_options options = carom_bounce_map_options_default();
    options.kernel.solver = (carom_bounce_solver)carom_command_choice(given, "--solver");
    options.kernel.damping = carom_command_number(given, "--damping");
    options.edges = carom_command_flag(given, "--edges");
    options.vertices = carom_command_flag(given, "--vertices");
    options.angle = carom_command_number(given, "--angle");
    options.alpha = carom_command_number(given, "--alpha");
    options.symmetry = (carom_bounce_symmetry_choice)carom_command_choice(given, "--symmetry");
    options.reading =
        carom_command_flag(given, "--linear") ? CAROM_BOUNCE_LINEAR : CAROM_BOUNCE_NEAREST;
    options.threads = (int)carom_command_integer(given, "--threads");
    options.work_max = carom_command_number(given, "--limit");
    return options;
}

// -- figures --------------------------------------------------------------------------------------

static void symmetry_words(const carom_bounce_map_info *info, char *out, size_t size)
{
    if (info->turning >= 0)
        snprintf(out, size, "revolution%s", info->operations == 2 ? ", both halves alike" : "");
    else if (info->operations > 1)
        snprintf(out, size, "%d operations", info->operations);
    else
        snprintf(out, size, "none");
}

static void json_statistics(carom_json *json, const char *key, const carom_bounce_statistics *s)
{
    double bins[CAROM_BOUNCE_BINS];
    for (int k = 0; k < CAROM_BOUNCE_BINS; ++k)
        bins[k] = s->histogram[k];
    carom_json_object(json, key);
    carom_json_integer(json, "count", s->count);
    carom_json_number(json, "min", s->min);
    carom_json_number(json, "max", s->max);
    carom_json_number(json, "mean", s->mean);
    carom_json_number(json, "mean_by_area", s->mean_area);
    carom_json_number(json, "tau_mean", s->tau_mean);
    carom_json_number(json, "micro_mean", s->micro_mean);
    carom_json_numbers(json, "histogram", bins, CAROM_BOUNCE_BINS);
    carom_json_end(json);
}

static int print_json(const carom_bounce_map *map)
{
    const carom_bounce_map_info *info = carom_bounce_map_about(map);
    char hash[20], words[60];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)info->mesh_hash);
    symmetry_words(info, words, sizeof words);
    carom_json *json = carom_json_create();
    carom_json_object(json, NULL);
    carom_json_string(json, "mesh_hash", hash);
    carom_json_number(json, "mass", info->mass);
    carom_json_numbers(json, "centre", info->centre, 3);
    carom_json_numbers(json, "inertia", info->inertia, 6);
    carom_json_integer(json, "modes", info->modes);
    carom_json_number(json, "omega_min", info->omega_min);
    carom_json_number(json, "omega_max", info->omega_max);
    carom_json_string(json, "solver", carom_bounce_solver_name(info->kernel.solver));
    carom_json_number(json, "turn", info->kernel.turn);
    carom_json_number(json, "damping", info->kernel.damping);
    carom_json_number(json, "alpha", info->alpha);
    carom_json_number(json, "spacing", info->spacing);
    carom_json_number(json, "gamma", info->gamma);
    carom_json_string(json, "symmetry", words);
    carom_json_integer(json, "computed", info->computed);
    carom_json_integer(json, "capped", info->capped);
    for (int place = 0; place < 3; ++place) {
        carom_bounce_statistics s = carom_bounce_map_statistics(map, place);
        if (s.count > 0)
            json_statistics(json, places[place], &s);
    }
    carom_bounce_statistics all = carom_bounce_map_statistics(map, -1);
    json_statistics(json, "all", &all);
    carom_json_end(json);
    return carom_output_finish_json(json, "-", false);
}

static void print_table(const carom_bounce_map *map)
{
    const carom_bounce_map_info *info = carom_bounce_map_about(map);
    char words[60];
    symmetry_words(info, words, sizeof words);
    printf("%d %s from %.4g to %.4g Hz, mass %.6g kg, symmetry: %s\n%d %s computed\n\n",
           info->modes, carom_text_noun(info->modes, "mode", "modes"),
           info->omega_min / CAROM_BOUNCE_TURN, info->omega_max / CAROM_BOUNCE_TURN, info->mass,
           words, info->computed, carom_text_noun(info->computed, "contact", "contacts"));
    static const char *const heads[] = { "samples", "count",   "min",   "max",
                                         "mean",    "by area", "tau s", "micro" };
    carom_table *table = carom_table_create(8);
    for (int k = 0; k < 8; ++k)
        carom_table_cell(table, CAROM_TERMINAL_BOLD, "%s", heads[k]);
    for (int place = 0; place < 3; ++place) {
        carom_bounce_statistics s = carom_bounce_map_statistics(map, place);
        if (s.count == 0)
            continue;
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", places[place]);
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%d", s.count);
        const double values[] = { s.min, s.max, s.mean, s.mean_area };
        for (int k = 0; k < 4; ++k)
            carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%.4f", values[k]);
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%.3e", s.tau_mean);
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%.2f", s.micro_mean);
    }
    carom_table_print(table, stdout);
    carom_table_destroy(table);
}

// -- files ----------------------------------------------------------------------------------------

static carom_status write_samples(const carom_bounce_map *map, const carom_bounce_body *body,
                                  FILE *file)
{
    fprintf(file, "place,x,y,z,nx,ny,nz,eps,tau,micro,spread,capped\n");
    for (int s = 0; s < carom_bounce_map_sample_count(map); ++s) {
        double p[3], n[3];
        carom_bounce_value v = carom_bounce_map_sample(map, s, p, n);
        for (int k = 0; k < 3; ++k)
            p[k] = (p[k] + body->shift[k]) / body->unit;
        fprintf(file, "%s,%.9g,%.9g,%.9g,%.7g,%.7g,%.7g,%.5f,%.4e,%d,%.3f,%d\n", places[v.place],
                p[0], p[1], p[2], n[0], n[1], n[2], v.epsilon, v.tau, v.micro, v.spread, v.capped);
    }
    return CAROM_OK;
}

static carom_status write_one(const carom_bounce_map *map, const carom_bounce_body *body,
                              const carom_arguments *given, int which, carom_error *err)
{
    const char *path = carom_command_text(given, files[which]);
    const char *title = carom_command_text(given, "MESH");
    bool force = carom_command_flag(given, "--force");
    carom_status status;
    if (which == 0) {
        unsigned char *bytes;
        size_t size;
        carom_output output;
        status = carom_bounce_map_encode(map, &bytes, &size, err);
        if (status != CAROM_OK)
            return status;
        status = carom_output_open(&output, path, force, err);
        if (status == CAROM_OK) {
            fwrite(bytes, 1, size, output.file);
            status = carom_output_close(&output, err);
        }
        free(bytes);
    } else if (which == 3) {
        carom_output output;
        status = carom_output_open(&output, path, force, err);
        if (status == CAROM_OK)
            write_samples(map, body, output.file);
        if (status == CAROM_OK)
            status = carom_output_close(&output, err);
    } else if (which == PAGE) {
        carom_view_source *source = NULL;
        status = carom_view_source_bounce(map, title, &source, err);
        if (status == CAROM_OK)
            status = carom_output_page(path, &source, 1, NULL, force, err);
        carom_view_source_close(source);
    } else {
        char *text = NULL;
        status = carom_bounce_picture_svg(map, title, &text, err);
        if (status == CAROM_OK)
            status = carom_output_write(path, text, force, err);
        free(text);
    }
    if (status == CAROM_OK && strcmp(path, "-") != 0)
        carom_terminal_report("wrote %s", path);
    return status;
}

static int finish(const carom_bounce_map *map, const carom_bounce_body *body,
                  const carom_arguments *given)
{
    carom_error err = { 0 };
    int capped = carom_bounce_map_about(map)->capped;
    for (int k = 0; k < FILES; ++k)
        if (carom_command_text(given, files[k]) && write_one(map, body, given, k, &err) != CAROM_OK)
            return carom_command_fail(&err);
    int code = CAROM_EXIT_GOOD;
    if (carom_command_flag(given, "--json"))
        code = print_json(map);
    else
        print_table(map);
    if (capped > 0)
        carom_terminal_report("%d %s ended by the budget of steps", capped,
                              carom_text_noun(capped, "sample", "samples"));
    return code == CAROM_EXIT_GOOD && capped > 0 ? CAROM_EXIT_BROKEN : code;
}

static int list_shapes(void)
{
    carom_table *table = carom_table_create(4);
    static const char *const heads[] = { "shape", "sizes", "default mm", "what it is" };
    for (int k = 0; k < 4; ++k) {
        carom_table_left(table, k);
        carom_table_cell(table, CAROM_TERMINAL_BOLD, "%s", heads[k]);
    }
    for (int i = 0; carom_generate_name(i); ++i) {
        const char *doc;
        double sizes[5];
        char words[80] = "";
        size_t used = 0;
        const char *names = carom_generate_sizes(i, &doc, sizes);
        for (int k = 0; k < 5 && sizes[k] > 0; ++k)
            used += (size_t)snprintf(words + used, sizeof words - used, "%s%g", k ? "x" : "",
                                     1000 * sizes[k]);
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", carom_generate_name(i));
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", names);
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", words);
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", doc);
    }
    carom_table_print(table, stdout);
    carom_table_destroy(table);
    return CAROM_EXIT_GOOD;
}

static int run(const carom_arguments *given)
{
    static carom_shards shards; // large
    carom_error err = { 0 };
    carom_bounce_body body;
    carom_bounce_map *map = NULL;
    if (carom_command_flag(given, "--shapes"))
        return list_shapes();
    if (!carom_command_text(given, "MESH"))
        return carom_command_misuse("name a mesh file, or shape:bar; --shapes lists them",
                                    "no mesh is given");
    bool force = carom_command_flag(given, "--force");
    for (int k = 0; k < FILES; ++k) {
        const char *path = carom_command_text(given, files[k]);
        if (path && (k == PAGE ? carom_output_check_page(path, force, &err)
                               : carom_output_check(path, force, &err)) != CAROM_OK)
            return carom_command_fail(&err);
    }
    int code = carom_shards_read(given, carom_command_text(given, "MESH"), &shards);
    if (code != CAROM_EXIT_GOOD)
        return code;
    code = carom_bounce_body_open(given, carom_command_text(given, "MESH"), true, &body);
    if (code == CAROM_EXIT_GOOD && carom_command_count(given, "--faces"))
        code = carom_bounce_body_refine(&body, (int)carom_command_integer(given, "--faces"));
    if (code != CAROM_EXIT_GOOD) {
        carom_shards_free(&shards);
        carom_bounce_body_close(&body);
        return code;
    }
    carom_bounce_map_options options = read_options(given);
    memcpy(options.origin, body.origin, sizeof options.origin);
    options.pieces = shards.any ? &shards.pieces : NULL;
    const carom_progress *progress = carom_terminal_progress_begin();
    carom_status status =
        carom_bounce_map_bake(body.shape, body.modes, &options, progress, &map, &err);
    carom_terminal_progress_end();
    if (status == CAROM_OK && shards.pieces.shards > 0)
        carom_shards_tell(&shards);
    else
        code = status == CAROM_OK ? finish(map, &body, given) : carom_command_fail(&err);
    carom_shards_free(&shards);
    carom_bounce_map_destroy(map);
    carom_bounce_body_close(&body);
    return code;
}

static const carom_argument arguments[] = {
    { "MESH", CAROM_ARGUMENT_FILE,
      .doc = "a closed mesh (OBJ, STL, PLY ...), tetrahedra (.msh, .node), or shape:NAME, "
             "shape:NAME:SIZES, shape:NAME:SIZES@EDGE, for instance shape:bar:200x10x10mm@1mm" },
    { "--shapes", CAROM_ARGUMENT_FLAG, .doc = "list the shapes that are made by name, and stop" },
    CAROM_BOUNCE_BODY_ARGUMENTS,
    { "--faces", CAROM_ARGUMENT_INTEGER, .value = "N", .min = 4, .max = 2e6,
      .doc = "refine the surface to at least N faces: sampling error dominates" },
    { "--edges", CAROM_ARGUMENT_FLAG, .doc = "also sample sharp edges" },
    { "--vertices", CAROM_ARGUMENT_FLAG, .doc = "also sample sharp vertices" },
    { "--angle", CAROM_ARGUMENT_NUMBER, .value = "A", .unit = "degrees", .initial = "4.5",
      .min = 0.1, .max = 90, .doc = "between the samples of an edge" },
    { "--damping", CAROM_ARGUMENT_NUMBER, .value = "B", .unit = "s", .initial = "0", .min = 0,
      .max = 1, .doc = "stiffness-proportional: q'' = -omega^2 (q + B q')" },
    { "--alpha", CAROM_ARGUMENT_NUMBER, .value = "A", .initial = "1", .min = 0, .max = 1,
      .doc = "multiplies every value: losses that modes do not know" },
    { "--solver", CAROM_ARGUMENT_CHOICE, .value = "NAME", .choices = "production literal event",
      .initial = "production", .doc = "how contacts are computed" },
    { "--symmetry", CAROM_ARGUMENT_CHOICE, .value = "WORD", .choices = "find none box x y z",
      .initial = "find",
      .doc = "of the body: found, none, three mirror planes, or revolution about an axis" },
    { "--linear", CAROM_ARGUMENT_FLAG,
      .doc = "lookups interpolate (clamped linear least squares) instead of taking the nearest" },
    { "--limit", CAROM_ARGUMENT_NUMBER, .value = "N", .initial = "5e7", .min = 1, .max = 1e18,
      .doc =
          "most work: contacts times modes, after the modes are known; 1e6 takes about a second. "
          "More is refused before it starts (the modes themselves are bounded by --unknowns and "
          "--modes)" },
    { "--threads", CAROM_ARGUMENT_INTEGER, .value = "N", .initial = "0", .min = 0, .max = 1024,
      .doc = "0: all; any number gives the same bits" },
    { "--out", CAROM_ARGUMENT_FILE, .value = "FILE", .ending = ".bounce", .by_ending = true,
      .doc = "write the map; with the ending .csv, .svg or .html what these options write" },
    { "--samples", CAROM_ARGUMENT_FILE, .value = "FILE", .ending = ".csv",
      .doc = "write all samples as CSV" },
    { "--svg", CAROM_ARGUMENT_FILE, .value = "FILE", .ending = ".svg",
      .doc = "draw the coloured model" },
    { "--html", CAROM_ARGUMENT_FILE, .value = "FILE", .ending = ".html",
      .doc = "write the viewer's page with the map in it: turn the body, click for a value" },
    CAROM_SHARDS_ARGUMENTS,
    { "--json", CAROM_ARGUMENT_FLAG, .doc = "print the figures as JSON" },
    { "--force", CAROM_ARGUMENT_FLAG, .doc = "replace files that exist" },
    { 0 },
};

static const char *const examples[] = {
    "the shapes that are made by name",
    "carom bounce --shapes",
    "a map of a cube, as a file and as a page",
    "carom bounce shape:cube:10cm@1cm --modes 10 --across 1 --edges --out cube.bounce --html "
    "cube.html",
    NULL,
};

const carom_command carom_bounce_command = {
    .name = "bounce",
    .summary = "restitution over the surface of a body, from its vibration modes",
    .details =
        "Computes the vibration modes of a body, lets it meet an immovable wall at every face (and "
        "sharp edge and vertex) and reports how fast it leaves. The result, a bounce map, can be "
        "written for use in a simulation.\n\n"
        "The exit code is 1 where a sample did not end within its budget of steps.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};
