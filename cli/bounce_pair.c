// `carom bounce pair`: two bodies that meet.
#include "bounce_body.h"
#include "bounce_pick.h"
#include "carom/json.h"
#include "output.h"
#include "table.h"
#include "terminal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct outcome {
    carom_bounce_study study;
    bool single;
    double epsilon[2], w[2], both, tau;
    int micro;
} outcome;

static int participate(const carom_bounce_body *body, const double point[3], const char *words,
                       const char *name, double *a, double *w)
{
    carom_error err = { 0 };
    double normal[3], moved[3], length;
    int code = carom_bounce_body_vector(name, words, normal);
    if (code != CAROM_EXIT_GOOD)
        return code;
    length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    if (!(length > 0))
        return carom_command_misuse("give a direction that points out of the body", "%s is zero",
                                    name);
    for (int k = 0; k < 3; ++k) {
        normal[k] /= length;
        moved[k] = point[k] + body->origin[k];
    }
    return carom_modal_participation(body->modes, moved, normal, a, w, &err) == CAROM_OK
               ? CAROM_EXIT_GOOD
               : carom_command_fail(&err);
}

static int one_contact(const carom_bounce_body body[2], const carom_arguments *given,
                       carom_bounce_options options, outcome *out)
{
    static const char *const names[2][2] = { { "--point-a", "--normal-a" },
                                             { "--point-b", "--normal-b" } };
    carom_bounce_case side[2];
    carom_error err = { 0 };
    double *a[2] = { NULL, NULL };
    int code = CAROM_EXIT_GOOD;
    for (int k = 0; k < 2 && code == CAROM_EXIT_GOOD; ++k) {
        const carom_modal_info *about = carom_modal_about(body[k].modes);
        double point[3];
        a[k] = calloc((size_t)about->mode_count + 1, sizeof **a);
        code = a[k] ? carom_bounce_body_point(&body[k], names[k][0],
                                              carom_command_text(given, names[k][0]), point)
                    : CAROM_EXIT_INTERNAL;
        if (code == CAROM_EXIT_GOOD)
            code = participate(&body[k], point, carom_command_text(given, names[k][1]), names[k][1],
                               a[k], &out->w[k]);
        side[k] = (carom_bounce_case){ out->w[k], about->mode_count, a[k], about->omega };
        carom_bounce_result alone;
        if (code == CAROM_EXIT_GOOD &&
            carom_bounce_solve(&side[k], &options, &alone, &err) != CAROM_OK)
            code = carom_command_fail(&err);
        if (code == CAROM_EXIT_GOOD)
            out->epsilon[k] = alone.epsilon;
    }
    carom_bounce_result both;
    if (code == CAROM_EXIT_GOOD &&
        carom_bounce_pair(&side[0], &side[1], &options, &both, &err) != CAROM_OK)
        code = carom_command_fail(&err);
    free(a[0]);
    free(a[1]);
    if (code != CAROM_EXIT_GOOD)
        return code;
    out->single = true;
    out->both = both.epsilon;
    out->tau = both.tau;
    out->micro = both.micro;
    for (int rule = 0; rule < CAROM_RESTITUTION_RULE_COUNT; ++rule)
        out->study.error[rule] = fabs(
            carom_restitution_rule_combine((carom_restitution_rule)rule, out->epsilon, out->w) -
            both.epsilon);
    out->study.pairs = 1;
    out->study.mean = both.epsilon;
    return code;
}

static int print_json(const outcome *o)
{
    carom_json *json = carom_json_create();
    carom_json_object(json, NULL);
    if (o->single) {
        carom_json_numbers(json, "eps_one", o->epsilon, 2);
        carom_json_numbers(json, "w", o->w, 2);
        carom_json_number(json, "eps", o->both);
        carom_json_number(json, "tau", o->tau);
        carom_json_integer(json, "micro", o->micro);
        carom_json_object(json, "rules");
        for (int rule = 0; rule < CAROM_RESTITUTION_RULE_COUNT; ++rule)
            carom_json_number(
                json, carom_restitution_rule_name((carom_restitution_rule)rule),
                carom_restitution_rule_combine((carom_restitution_rule)rule, o->epsilon, o->w));
        carom_json_end(json);
    } else {
        carom_json_integer(json, "pairs", o->study.pairs);
        carom_json_number(json, "mean", o->study.mean);
    }
    carom_json_object(json, "error");
    for (int rule = 0; rule < CAROM_RESTITUTION_RULE_COUNT; ++rule)
        carom_json_number(json, carom_restitution_rule_name((carom_restitution_rule)rule),
                          o->study.error[rule]);
    carom_json_end(json);
    carom_json_end(json);
    return carom_output_finish_json(json, "-", false);
}

static void print_table(const outcome *o)
{
    if (o->single)
        printf("A alone %.6f, B alone %.6f, both %.6f (tau %.4e s, %d micro-collisions)\n\n",
               o->epsilon[0], o->epsilon[1], o->both, o->tau, o->micro);
    else
        printf("%ld pairs, mean %.4f\n\n", o->study.pairs, o->study.mean);
    carom_table *table = carom_table_create(3);
    carom_table_left(table, 1);
    static const char *const heads[] = { "rule", "formula", "error" };
    for (int k = 0; k < 3; ++k)
        carom_table_cell(table, CAROM_TERMINAL_BOLD, "%s", heads[k]);
    for (int rule = 0; rule < CAROM_RESTITUTION_RULE_COUNT; ++rule) {
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s",
                         carom_restitution_rule_name((carom_restitution_rule)rule));
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s",
                         carom_restitution_rule_formula((carom_restitution_rule)rule));
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%.4f", o->study.error[rule]);
    }
    carom_table_print(table, stdout);
    carom_table_destroy(table);
}

static int study(const carom_bounce_body body[2], const carom_arguments *given,
                 carom_bounce_options options, outcome *out)
{
    carom_bounce_batch batch[2] = { { 0 }, { 0 } };
    carom_error err = { 0 };
    int count = (int)carom_command_integer(given, "--samples"), code = CAROM_EXIT_GOOD;
    int seed = (int)carom_command_integer(given, "--seed");
    for (int k = 0; k < 2 && code == CAROM_EXIT_GOOD; ++k)
        code = carom_bounce_pick_contacts(&body[k], count, seed, &batch[k]);
    if (code == CAROM_EXIT_GOOD &&
        carom_bounce_study_run(&batch[0], &batch[1], &options, &out->study, &err) != CAROM_OK)
        code = carom_command_fail(&err);
    for (int k = 0; k < 2; ++k)
        carom_bounce_pick_free(&batch[k]);
    return code;
}

static int run(const carom_arguments *given)
{
    carom_bounce_body body[2] = { { 0 }, { 0 } };
    static const char *const points[] = { "--point-a", "--normal-a", "--point-b", "--normal-b" };
    int named = 0, code;
    for (int k = 0; k < 4; ++k)
        named += carom_command_text(given, points[k]) != NULL;
    if (named != 0 && named != 4)
        return carom_command_misuse("give --point-a --normal-a --point-b --normal-b, or none",
                                    "only %d of the two points and normals are given", named);
    outcome out = { 0 };
    carom_bounce_options options = carom_bounce_options_default();
    options.solver = (carom_bounce_solver)carom_command_choice(given, "--solver");
    code = carom_bounce_body_open(given, carom_command_text(given, "A"), true, &body[0]);
    if (code == CAROM_EXIT_GOOD)
        code = carom_bounce_body_open_second(given, carom_command_text(given, "B"), &body[1]);
    if (code == CAROM_EXIT_GOOD)
        code = named ? one_contact(body, given, options, &out) : study(body, given, options, &out);
    if (code == CAROM_EXIT_GOOD) {
        if (carom_command_flag(given, "--json"))
            code = print_json(&out);
        else
            print_table(&out);
    }
    for (int k = 0; k < 2; ++k)
        carom_bounce_body_close(&body[k]);
    return code;
}

static const carom_argument arguments[] = {
    { "A", CAROM_ARGUMENT_FILE, .doc = "a mesh file, or shape:NAME (see `carom bounce`)",
      .required = true },
    { "B", CAROM_ARGUMENT_FILE, .doc = "the other body", .required = true },
    { "--point-a", CAROM_ARGUMENT_TEXT, .value = "X,Y,Z", .doc = "where A is met" },
    { "--normal-a", CAROM_ARGUMENT_TEXT, .value = "X,Y,Z", .doc = "its outward normal" },
    { "--point-b", CAROM_ARGUMENT_TEXT, .value = "X,Y,Z", .doc = "where B is met" },
    { "--normal-b", CAROM_ARGUMENT_TEXT, .value = "X,Y,Z", .doc = "its outward normal" },
    { "--samples", CAROM_ARGUMENT_INTEGER, .value = "N", .initial = "50", .min = 2, .max = 1000,
      .doc = "contacts of each body, all against all, where no points are given" },
    { "--seed", CAROM_ARGUMENT_INTEGER, .value = "N", .initial = "0", .min = 0, .max = 1e9,
      .doc =
          "contacts are taken one from each of as many equal intervals of restitution: 0 the one "
          "nearest to its middle, otherwise any, another for every seed" },
    CAROM_BOUNCE_BODY_ARGUMENTS,
    { "--material-b", CAROM_ARGUMENT_CHOICE, .value = "NAME",
      .choices = "steel aluminium glass wood ceramic plastic paper",
      .doc = "what B is made of; not given: the same as A, --young and the like included" },
    { "--young-b", CAROM_ARGUMENT_NUMBER, .value = "E", .unit = "Pa",
      .doc = "Young's modulus of B instead of its material's" },
    { "--poisson-b", CAROM_ARGUMENT_NUMBER, .value = "NU",
      .doc = "Poisson's ratio of B instead of its material's" },
    { "--density-b", CAROM_ARGUMENT_NUMBER, .value = "RHO", .unit = "kg/m^3",
      .doc = "density of B instead of its material's" },
    { "--solver", CAROM_ARGUMENT_CHOICE, .value = "NAME", .choices = "production literal event",
      .initial = "production", .doc = "how contacts are computed" },
    { "--json", CAROM_ARGUMENT_FLAG, .doc = "print JSON" },
    { 0 },
};

static const char *const examples[] = {
    "how well the rules of table 1 do for two cubes",
    "carom bounce pair shape:cube:10cm@2cm shape:cube:10cm@2cm --modes 10 --across 1 --samples 10",
    "an aluminium cube that falls on one of wood, face on edge",
    "carom bounce pair shape:cube:10cm@5cm shape:cube:10cm@5cm --modes 10 --across 1 --material "
    "aluminium --material-b wood --point-a 0,0,0.05 --normal-a 0,0,1 --point-b 0.05,0,0.05 "
    "--normal-b 1,0,1",
    NULL,
};

const carom_command carom_bounce_pair_command = {
    .name = "bounce pair",
    .summary = "restitution of two bodies that meet, and how rules predict it",
    .details = "With points and normals: both one-body values, the two-body value and what every "
               "combining rule gives. Without: contacts of both bodies, spread evenly over their "
               "values, are met all against all, and the mean error of every rule is printed as in "
               "table 1 of the paper.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};
