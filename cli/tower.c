// `carom tower`: is it stable, how does it start to fall, how does it go on.
#include "carom/json.h"
#include "carom/text.h"
#include "carom/tower.h"
#include "command.h"
#include "output.h"
#include "settings.h"
#include "tower_answer.h"
#include "tower_space.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef carom_tower_job job;

static int fail(job *j)
{
    return carom_command_fail(&j->err);
}

static carom_status write_text(job *j, const char *option, char *text)
{
    carom_status status =
        carom_output_write(carom_command_text(j->given, option), text, j->replace, &j->err);
    free(text);
    return status;
}

static carom_status write_pictures(job *j)
{
    char *text;
    const carom_tower_instant *i = j->has_instant ? &j->instant : 0;
    const carom_tower_recording *f = j->has_recording ? &j->recording : 0;
    carom_status status = CAROM_OK;
    if (carom_command_text(j->given, "--svg")) {
        status = carom_tower_picture_svg(j->tower, i, f, j->title, &text, &j->err);
        if (status == CAROM_OK)
            status = write_text(j, "--svg", text);
    }
    if (status == CAROM_OK && carom_command_text(j->given, "--html")) {
        carom_view_tower shown = { j->tower, i, f, j->title };
        carom_view_source *source = NULL;
        status = carom_view_source_tower(&shown, &source, &j->err);
        if (status == CAROM_OK)
            status = carom_output_page(carom_command_text(j->given, "--html"), &source, 1, NULL,
                                       j->replace, &j->err);
        carom_view_source_close(source);
    }
    if (status == CAROM_OK && carom_command_text(j->given, "--certificate") && j->has_proof)
        status = carom_output_write(carom_command_text(j->given, "--certificate"),
                                    j->proof.certificate, j->replace, &j->err);
    return status;
}

// --variant WORD: how lengths are kept, by accelerations or not, one-sided (1) or two-sided (2).
#define VARIANT_LIST(X)                                                                            \
    X(unit, UNIT, 0, 1)                                                                            \
    X(projected, PROJECTED, 0, 1)                                                                  \
    X(second, SECOND, 0, 1)                                                                        \
    X(literal, LITERAL, 0, 2)                                                                      \
    X(figure6, LITERAL, 1, 1)

#define VARIANT_WORD(word, variant, acceleration, sidedness) " " #word
static const char variant_words[] = VARIANT_LIST(VARIANT_WORD); // behind a space
#undef VARIANT_WORD

static carom_status record(job *j, int64_t steps)
{
    static const struct {
        carom_tower_variant variant;
        int acceleration, sidedness;
    } variants[] = {
#define VARIANT(word, variant, acceleration, sidedness)                                            \
    { CAROM_TOWER_##variant, acceleration, sidedness },
        VARIANT_LIST(VARIANT)
#undef VARIANT
    };
    carom_tower_motion_options o = carom_tower_motion_default();
    o.dt = carom_command_number(j->given, "--dt");
    int variant = carom_command_choice(j->given, "--variant");
    o.variant = variants[variant].variant;
    o.acceleration = variants[variant].acceleration;
    o.sidedness = variants[variant].sidedness;
    o.plain_start = carom_command_flag(j->given, "--plain-start");
    o.ignore_symmetry = carom_command_flag(j->given, "--ignore-symmetry");
    o.all_corners = carom_command_flag(j->given, "--all-corners");
    o.stop_early = carom_command_number(j->given, "--stop-early");
    o.penalty = carom_command_number(j->given, "--penalty");
    if (o.penalty > 0 && o.variant == CAROM_TOWER_UNIT) // section 8.4 is about (L'')
        o.variant = CAROM_TOWER_PROJECTED;
    j->has_recording = true;
    return carom_tower_record(j->tower, &o, (long)steps,
                              (int)carom_command_integer(j->given, "--every"), &j->recording,
                              &j->err);
}

static bool wants_instant(const job *j, int64_t steps)
{
    const carom_arguments *g = j->given;
    return carom_command_flag(g, "--stable") || carom_command_flag(g, "--initial") ||
           carom_command_flag(g, "--prove") || carom_command_text(g, "--svg") ||
           carom_command_text(g, "--html") || carom_command_flag(g, "--json") || steps == 0;
}

// Refuses outputs that exist before anything is computed.
static carom_status check_outputs(job *j)
{
    static const char *const names[] = { "--svg", "--certificate" };
    for (int n = 0; n < 2; ++n) {
        const char *path = carom_command_text(j->given, names[n]);
        if (path && carom_output_check(path, j->replace, &j->err) != CAROM_OK)
            return j->err.status;
    }
    const char *page = carom_command_text(j->given, "--html");
    return page ? carom_output_check_page(page, j->replace, &j->err) : CAROM_OK;
}

static int work(job *j)
{
    int64_t steps = carom_command_integer(j->given, "--steps");
    carom_status status = check_outputs(j);
    if (status == CAROM_OK && wants_instant(j, steps)) {
        j->has_instant = true;
        double penalty = carom_command_number(j->given, "--penalty");
        status =
            penalty > 0
                ? carom_tower_penalty_initial(j->tower, penalty, &j->instant, &j->stretch, &j->err)
                : carom_tower_initial(j->tower, CAROM_TOWER_AUTO, &j->instant, &j->err);
    }
    if (status == CAROM_OK && carom_command_flag(j->given, "--prove")) {
        j->has_proof = true;
        status = carom_tower_prove(j->tower, &j->proof, &j->err);
    }
    if (status == CAROM_OK && steps > 0)
        status = record(j, steps);
    if (status == CAROM_OK)
        status = write_pictures(j);
    if (status != CAROM_OK)
        return fail(j);
    if (carom_command_flag(j->given, "--json"))
        return carom_tower_answer_json(j);
    carom_tower_answer_words(j);
    return CAROM_EXIT_GOOD;
}

static int run_build(job *j, const char *spec)
{
    char *text;
    if (carom_tower_build_text(spec, &text, &j->err) != CAROM_OK)
        return fail(j);
    const char *path = carom_command_text(j->given, "--out");
    carom_status status = carom_output_write(path ? path : "-", text, j->replace, &j->err);
    free(text);
    return status == CAROM_OK ? CAROM_EXIT_GOOD : fail(j);
}

static int print_verdict(const carom_tower_verdict *v, bool as_json)
{
    if (as_json) {
        carom_json *json = carom_json_create();
        carom_json_object(json, 0);
        carom_json_bool(json, "valid", v->valid);
        carom_json_string(json, "claim", v->stable ? "stable" : "unstable");
        carom_json_bool(json, "exact_accelerations", v->accelerations);
        carom_json_bool(json, "of_the_scene", v->of_the_scene);
        carom_json_integer(json, "bodies", v->bodies);
        carom_json_integer(json, "forces", v->forces);
        carom_json_integer(json, "contacts", v->contacts);
        carom_json_number(json, "tolerance", v->tolerance);
        carom_json_string(json, "reason", v->reason);
        carom_json_string(json, "where", v->where);
        carom_json_string(json, "fix", v->fix);
        carom_json_end(json);
        int code = carom_output_finish_json(json, "-", false);
        if (code != CAROM_EXIT_GOOD)
            return code;
    } else if (v->valid) {
        printf("valid: %d %s, %s%s\n", v->bodies, carom_text_noun(v->bodies, "body", "bodies"),
               v->stable          ? "balanced by the forces"
               : v->accelerations ? "falling with exactly these accelerations"
                                  : "set in motion, energy falls",
               v->of_the_scene ? "; bodies, supports and gravity are those of the scene" : "");
    } else
        printf("NOT valid: %s\n  in %s. Fix: %s\n", v->reason, v->where, v->fix);
    return v->valid ? CAROM_EXIT_GOOD : CAROM_EXIT_BROKEN;
}

static int run_check(job *j, const char *path)
{
    carom_tower_verdict v;
    const char *scene = carom_command_text(j->given, "--scene");
    if (scene && carom_tower_space_file_load(scene, &j->tower, &j->space, &j->err) != CAROM_OK)
        return fail(j);
    carom_status status = j->space   ? carom_tower_scene_check_space(path, j->space, &v, &j->err)
                          : j->tower ? carom_tower_scene_check(path, j->tower, &v, &j->err)
                                     : carom_tower_checker_check(path, &v, &j->err);
    return status == CAROM_OK ? print_verdict(&v, carom_command_flag(j->given, "--json")) : fail(j);
}

// The stack as a tower on a table, to be looked at with the other options.
static carom_status stack_tower(const carom_tower_overhang *o, carom_tower **out, carom_error *err)
{
    carom_tower *t = carom_tower_create(1);
    carom_status status = CAROM_OK;
    if (!t) {
        *err = (carom_error){ .status = CAROM_NO_MEMORY, .what = "no memory for the stack" };
        return err->status;
    }
    for (int b = 0; status == CAROM_OK && b < o->bricks; ++b) {
        carom_tower_body brick = {
            .width = 1, .height = 0.25, .x = o->place[2 * b], .y = o->place[2 * b + 1]
        };
        status = carom_tower_add_body(t, &brick, 0, err);
    }
    if (status == CAROM_OK)
        status = carom_tower_add_table(t, -HUGE_VAL, 0, 0, err);
    *out = t;
    return status;
}

static int run_overhang(job *j, int64_t bricks)
{
    carom_tower_overhang o;
    static char title[64];
    if (carom_tower_overhang_search((int)bricks, (int)carom_command_integer(j->given, "--effort"),
                                    (unsigned long long)carom_command_integer(j->given, "--seed"),
                                    &o, &j->err) != CAROM_OK)
        return fail(j);
    if (stack_tower(&o, &j->tower, &j->err) != CAROM_OK)
        return fail(j);
    snprintf(title, sizeof title, "%d bricks reach %.6f", o.bricks, o.reach);
    j->title = title;
    j->has_instant = true;
    if (check_outputs(j) != CAROM_OK ||
        carom_tower_initial(j->tower, CAROM_TOWER_AUTO, &j->instant, &j->err) != CAROM_OK ||
        write_pictures(j) != CAROM_OK)
        return fail(j);
    if (carom_command_flag(j->given, "--json")) {
        carom_json *json = carom_json_create();
        carom_json_object(json, 0);
        carom_json_integer(json, "bricks", o.bricks);
        carom_json_number(json, "overhang", o.reach);
        carom_json_bool(json, "proved", o.proved);
        carom_json_integer(json, "tried", o.tried);
        carom_json_array(json, "places");
        for (int b = 0; b < o.bricks; ++b)
            carom_json_numbers(json, 0, o.place + 2 * b, 2);
        carom_json_end(json);
        carom_json_end(json);
        return carom_output_finish_json(json, "-", false);
    }
    printf("%d bricks reach %.9f beyond the edge (%s, %ld stacks examined)\n", o.bricks, o.reach,
           o.proved ? "proved stable" : "NOT proved", o.tried);
    for (int b = 0; b < o.bricks; ++b)
        printf("  centre (%.9f, %.3f)\n", o.place[2 * b], o.place[2 * b + 1]);
    return CAROM_EXIT_GOOD;
}

static carom_status open_file(job *j, const char *file)
{
    carom_scene_text *text = NULL;
    size_t size;
    carom_status status = carom_settings_open(j->given, file, NULL, &text, &j->err);
    const char *bytes = carom_scene_text_bytes(text, &size);
    if (status == CAROM_OK)
        status = carom_tower_space_file_parse(carom_scene_text_name(text), bytes, size, &j->tower,
                                              &j->space, &j->err);
    carom_scene_text_close(text);
    return status;
}

static int dispatch(job *j)
{
    const char *file = carom_command_text(j->given, "FILE"),
               *spec = carom_command_text(j->given, "--build");
    const char *certificate = carom_command_text(j->given, "--check");
    int64_t bricks = carom_command_integer(j->given, "--overhang");
    if ((file != 0) + (spec != 0) + (certificate != 0) + (bricks != 0) != 1)
        return carom_command_misuse("give one of FILE, --build, --check and --overhang",
                                    "what to look at is not clear");
    if (carom_command_text(j->given, "--certificate") && !carom_command_flag(j->given, "--prove"))
        return carom_command_misuse("add --prove", "--certificate writes what --prove finds");
    if (carom_command_text(j->given, "--scene") && !certificate)
        return carom_command_misuse("add --check CERTIFICATE", "--scene is what --check compares");
    if (spec)
        return run_build(j, spec);
    if (certificate)
        return run_check(j, certificate);
    if (bricks)
        return run_overhang(j, bricks);
    const char *slash = strrchr(file, '/');
    j->title = slash ? slash + 1 : file;
    if (open_file(j, file) != CAROM_OK)
        return fail(j);
    return j->space ? carom_tower_space_report(j->given, j->space, file) : work(j);
}

static int run(const carom_arguments *given)
{
    job j = { .given = given, .replace = carom_command_flag(given, "--force") };
    int code = dispatch(&j);
    carom_tower_initial_free(&j.instant);
    carom_tower_recording_free(&j.recording);
    carom_tower_prove_free(&j.proof);
    carom_tower_destroy(j.tower);
    carom_tower_space_destroy(j.space);
    return code;
}

static const carom_argument arguments[] = {
    { "FILE", CAROM_ARGUMENT_FILE,
      .doc = "the tower, JSON (\"-\": standard input): kind \"tower\", in the plane, or kind "
             "\"world\", in space" },
    SETTINGS_ARGUMENT("set a value of the file by its path, such as bricks.0.mass"),
    { "--stable", CAROM_ARGUMENT_FLAG,
      .doc = "say whether it stands, with forces or a motion as the reason" },
    { "--initial", CAROM_ARGUMENT_FLAG,
      .doc = "print the acceleration of every body at the first instant" },
    { "--steps", CAROM_ARGUMENT_INTEGER, .value = "N", .initial = "0", .min = 0, .max = 1e7,
      .doc = "move on for that many steps" },
    { "--dt", CAROM_ARGUMENT_NUMBER, .value = "H", .initial = "0.0078125", .min = 1e-6, .max = 1,
      .doc = "length of a step" },
    { "--every", CAROM_ARGUMENT_INTEGER, .value = "N", .initial = "1", .min = 1, .max = 1e6,
      .doc = "keep every N-th state" },
    { "--variant", CAROM_ARGUMENT_CHOICE, .value = "WORD", .initial = "unit",
      .choices = variant_words + 1,
      .doc = "how lengths are kept; literal and figure6 are the printed ones, for comparison" },
    { "--plain-start", CAROM_ARGUMENT_FLAG, .doc = "start as printed, first order" },
    { "--ignore-symmetry", CAROM_ARGUMENT_FLAG,
      .doc = "do not restore mirror symmetry after each step" },
    { "--all-corners", CAROM_ARGUMENT_FLAG,
      .doc = "contacts as printed in section 8.5: one edge against every corner; for comparison" },
    { "--stop-early", CAROM_ARGUMENT_NUMBER, .value = "TOLERANCE", .initial = "0", .min = 0,
      .max = 1,
      .doc = "end the solver of each step there instead of at round-off; for comparison" },
    { "--penalty", CAROM_ARGUMENT_NUMBER, .value = "M", .initial = "0", .min = 0, .max = 1e12,
      .doc = "bricks as frameworks of points whose bars are penalties, as section 8.4 prints it "
             "(with M = 100); 0: rigid bricks" },
    { "--prove", CAROM_ARGUMENT_FLAG,
      .doc = "repeat the first instant in exact rational arithmetic" },
    { "--certificate", CAROM_ARGUMENT_FILE, .value = "FILE",
      .doc = "write the certificate of --prove" },
    { "--check", CAROM_ARGUMENT_FILE, .value = "CERTIFICATE",
      .doc = "check a certificate from scratch" },
    { "--scene", CAROM_ARGUMENT_FILE, .value = "FILE",
      .doc = "with --check: the certificate has to be about this scene, number by number" },
    { "--build", CAROM_ARGUMENT_TEXT, .value = "SPEC",
      .doc = "write the scene of diamond:n, triangle:n, harmonic:n,eps, parabolic:d, "
             "wall:rows,cols or single:d" },
    { "--out", CAROM_ARGUMENT_FILE, .value = "FILE", .ending = ".json", .by_ending = true,
      .doc = "where --build writes its scene (else standard output), or a picture or page" },
    { "--overhang", CAROM_ARGUMENT_INTEGER, .value = "N", .initial = "0", .min = 0, .max = 8,
      .doc = "search the stable stack of N bricks that reaches farthest" },
    { "--effort", CAROM_ARGUMENT_INTEGER, .value = "N", .initial = "12", .min = 1, .max = 10000,
      .doc = "random starts per shape of stack" },
    { "--seed", CAROM_ARGUMENT_INTEGER, .value = "N", .initial = "1", .min = 0, .max = 1e15,
      .doc = "of the search" },
    { "--json", CAROM_ARGUMENT_FLAG, .doc = "print JSON" },
    { "--svg", CAROM_ARGUMENT_FILE, .value = "FILE", .ending = ".svg",
      .doc = "picture: forces, first motion, frames" },
    { "--html", CAROM_ARGUMENT_FILE, .value = "FILE", .ending = ".html",
      .doc = "write the viewer's page with the tower in it" },
    { "--force", CAROM_ARGUMENT_FLAG, .doc = "replace existing files" },
    { 0 },
};

static const char *const examples[] = {
    "the paper's tower, and whether it stands",
    "carom tower --build diamond:5 --out 5x5.json && carom tower 5x5.json",
    "how it falls, as a page that plays it",
    "carom tower 5x5.json --steps 1000 --html 5x5.html",
    "a proof, and its independent check",
    "carom tower 5x5.json --prove --certificate 5x5.cert.json && carom tower --check 5x5.cert.json "
    "--scene 5x5.json",
    "bodies of a scene in space: do they stand without friction?",
    "carom tower scenes/tower_space/tripod.json --initial",
    "four bricks as far over the edge as they go",
    "carom tower --overhang 4 --svg overhang.svg",
    NULL,
};

const carom_command carom_tower_command = {
    .name = "tower",
    .summary = "towers of bricks: stable or not, how they start to fall, how they go on",
    .details =
        "Solves Gauss's principle of least restraint for rigid bodies, in the plane or (first "
        "instant only) in space: the "
        "accelerations at the "
        "first instant and the forces of all contacts, exact to round-off, or exact "
        "altogether with "
        "--prove. The motion is position-based, second order, with totally inelastic "
        "impacts; it audits "
        "energy, overlap and symmetry in every step.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};
