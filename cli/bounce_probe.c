// `carom bounce probe`: restitution at one point and normal of a body.
#include "bounce_body.h"
#include "carom/json.h"
#include "output.h"
#include "terminal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct contact {
    double *a, w;
    carom_bounce_case one;
    carom_bounce_options options;
    carom_bounce_result result;
} contact;

static void write_frame(void *context, const carom_bounce_frame *m)
{
    fprintf(context, "%.9e,%.9e,%.9e,%.9e,%d\n", m->time, m->gap, m->rigid, m->speed, m->touching);
}

// Solves, and writes the time series where a file is asked for.
static int solve(contact *c, const carom_arguments *given)
{
    carom_error err = { 0 };
    carom_output output;
    const char *trace = carom_command_text(given, "--trace");
    if (!trace)
        return carom_bounce_solve(&c->one, &c->options, &c->result, &err) == CAROM_OK
                   ? CAROM_EXIT_GOOD
                   : carom_command_fail(&err);
    carom_bounce_options tracing = c->options;
    if (tracing.solver == CAROM_BOUNCE_EVENT) // it has no steps: the production scheme draws them
        tracing.solver = CAROM_BOUNCE_PRODUCTION;
    if (carom_output_open(&output, trace, carom_command_flag(given, "--force"), &err) != CAROM_OK)
        return carom_command_fail(&err);
    carom_bounce_visitor visitor = { write_frame, output.file };
    fprintf(output.file, "time_s,gap_m,rigid_m,rigid_speed,touching\n");
    carom_status status = carom_bounce_trace(&c->one, &tracing, &visitor, &c->result, &err);
    if (status == CAROM_OK && c->options.solver == CAROM_BOUNCE_EVENT)
        status = carom_bounce_solve(&c->one, &c->options, &c->result, &err);
    if (status == CAROM_OK) {
        status = carom_output_close(&output, &err);
        if (status == CAROM_OK && !output.standard)
            carom_terminal_report("wrote %s", trace);
    } else {
        carom_output_drop(&output);
    }
    return status == CAROM_OK ? CAROM_EXIT_GOOD : carom_command_fail(&err);
}

static int print(const contact *c, bool as_json)
{
    const carom_bounce_result *r = &c->result;
    if (!as_json) {
        printf("epsilon %.6f\ntau     %.4e s\nmicro   %d\nsteps   %ld\nw       %.6g 1/kg\n",
               r->epsilon, r->tau, r->micro, r->steps, c->w);
        return CAROM_EXIT_GOOD;
    }
    carom_json *json = carom_json_create();
    carom_json_object(json, NULL);
    carom_json_number(json, "eps", r->epsilon);
    carom_json_number(json, "tau", r->tau);
    carom_json_integer(json, "micro", r->micro);
    carom_json_integer(json, "steps", r->steps);
    carom_json_number(json, "impulse", r->impulse);
    carom_json_number(json, "w", c->w);
    carom_json_integer(json, "modes", c->one.mode_count);
    carom_json_string(json, "solver", carom_bounce_solver_name(c->options.solver));
    carom_json_string(json, "ended", carom_bounce_end_name(r->end));
    carom_json_end(json);
    return carom_output_finish_json(json, "-", false);
}

static int probe(const carom_bounce_body *body, const carom_arguments *given)
{
    const carom_modal_info *about = carom_modal_about(body->modes);
    double point[3], normal[3], moved[3];
    carom_error err = { 0 };
    contact c = { .options = carom_bounce_options_default() };
    int code =
        carom_bounce_body_point(body, "--point", carom_command_text(given, "--point"), point);
    if (code == CAROM_EXIT_GOOD)
        code = carom_bounce_body_vector("--normal", carom_command_text(given, "--normal"), normal);
    if (code != CAROM_EXIT_GOOD)
        return code;
    double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    if (!(length > 0))
        return carom_command_misuse("give a direction that points out of the body",
                                    "--normal is zero");
    for (int k = 0; k < 3; ++k) {
        normal[k] /= length;
        moved[k] = point[k] + body->origin[k];
    }
    c.options.solver = (carom_bounce_solver)carom_command_choice(given, "--solver");
    c.options.damping = carom_command_number(given, "--damping");
    c.a = calloc((size_t)about->mode_count + 1, sizeof *c.a);
    if (!c.a)
        return carom_command_no_memory("the contact");
    if (carom_modal_participation(body->modes, moved, normal, c.a, &c.w, &err) != CAROM_OK) {
        code = carom_command_fail(&err);
    } else {
        c.one = (carom_bounce_case){ c.w, about->mode_count, c.a, about->omega };
        code = solve(&c, given);
    }
    if (code == CAROM_EXIT_GOOD)
        code = print(&c, carom_command_flag(given, "--json"));
    if (code == CAROM_EXIT_GOOD && c.result.end == CAROM_BOUNCE_CAPPED)
        code = CAROM_EXIT_BROKEN;
    free(c.a);
    return code;
}

static int run(const carom_arguments *given)
{
    carom_bounce_body body;
    carom_error err = { 0 };
    const char *trace = carom_command_text(given, "--trace");
    if (!carom_command_text(given, "--point") || !carom_command_text(given, "--normal"))
        return carom_command_misuse("for instance --point 0,0,0.005 --normal 0,0,1",
                                    "a point and a normal are needed");
    if (trace && carom_output_check(trace, carom_command_flag(given, "--force"), &err) != CAROM_OK)
        return carom_command_fail(&err);
    int code = carom_bounce_body_open(given, carom_command_text(given, "MESH"), true, &body);
    if (code != CAROM_EXIT_GOOD)
        return code;
    code = probe(&body, given);
    carom_bounce_body_close(&body);
    return code;
}

static const carom_argument arguments[] = {
    { "MESH", CAROM_ARGUMENT_FILE, .doc = "a mesh file, or shape:NAME (see `carom bounce`)",
      .required = true },
    { "--point", CAROM_ARGUMENT_TEXT, .value = "X,Y,Z",
      .doc = "a point of the surface, in mesh coordinates" },
    { "--normal", CAROM_ARGUMENT_TEXT, .value = "X,Y,Z",
      .doc = "the outward direction in which the body meets its partner" },
    CAROM_BOUNCE_BODY_ARGUMENTS,
    { "--solver", CAROM_ARGUMENT_CHOICE, .value = "NAME", .choices = "production literal event",
      .initial = "production", .doc = "how the contact is computed" },
    { "--damping", CAROM_ARGUMENT_NUMBER, .value = "B", .unit = "s", .initial = "0", .min = 0,
      .max = 1, .doc = "stiffness-proportional: q'' = -omega^2 (q + B q')" },
    { "--trace", CAROM_ARGUMENT_FILE, .value = "FILE", .ending = ".csv",
      .doc = "write gap and velocity over time as CSV (fig 8)" },
    { "--out", CAROM_ARGUMENT_FILE, .value = "FILE", .by_ending = true,
      .doc = "write the same by its ending, .csv" },
    { "--json", CAROM_ARGUMENT_FLAG, .doc = "print JSON: eps, tau, micro" },
    { "--force", CAROM_ARGUMENT_FLAG, .doc = "replace a file that exists" },
    { 0 },
};

static const char *const examples[] = {
    "the middle of the side of a cube",
    "carom bounce probe shape:cube:10cm@5cm --point 0,0,0.05 --normal 0,0,1 --modes 10 --across 1",
    NULL,
};

const carom_command carom_bounce_probe_command = {
    .name = "bounce probe",
    .summary = "restitution at one point of a body",
    .details = "Computes the modes of a body and lets it meet an immovable wall at one point with "
               "one normal. Points are in the coordinates of the mesh file and its unit; shapes "
               "that are made by name have their centre of mass at the origin, in metres.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};
