// `carom bounce modes`: vibration modes of a body.
#include "bounce_body.h"
#include "carom/json.h"
#include "output.h"
#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>

static int print_json(const carom_modal_info *m)
{
    double *hertz = malloc(((size_t)m->mode_count + 1) * sizeof *hertz);
    if (!hertz)
        return carom_command_no_memory("the frequencies");
    for (int i = 0; i < m->mode_count; ++i)
        hertz[i] = m->omega[i] / CAROM_BOUNCE_TURN;
    carom_json *json = carom_json_create();
    carom_json_object(json, NULL);
    carom_json_numbers(json, "freq_hz", hertz, m->mode_count);
    carom_json_number(json, "next_freq_hz", m->next_omega / CAROM_BOUNCE_TURN);
    carom_json_number(json, "mass", m->mass);
    carom_json_numbers(json, "centre", m->centre, 3);
    carom_json_numbers(json, "inertia", m->inertia, 6);
    carom_json_integer(json, "dof", m->unknowns);
    carom_json_integer(json, "cells", m->cells);
    carom_json_number(json, "thickness", m->thickness);
    carom_json_number(json, "mass_error", m->mass_error);
    carom_json_number(json, "inertia_error", m->inertia_error);
    carom_json_number(json, "residual", m->residual);
    carom_json_array(json, "warnings");
    for (int k = 0; k < m->warning_count; ++k)
        carom_json_string(json, NULL, m->warnings[k]);
    carom_json_end(json);
    carom_json_end(json);
    free(hertz);
    return carom_output_finish_json(json, "-", false);
}

static int run(const carom_arguments *given)
{
    carom_bounce_body body;
    int code = carom_bounce_body_open(given, carom_command_text(given, "MESH"), true, &body);
    if (code != CAROM_EXIT_GOOD)
        return code;
    const carom_modal_info *m = carom_modal_about(body.modes);
    if (carom_command_flag(given, "--json")) {
        code = print_json(m);
    } else {
        printf("mass %.6g kg, %d cells, %ld unknowns, mass error %.1e, inertia error %.1e\n",
               m->mass, m->cells, m->unknowns, m->mass_error, m->inertia_error);
        for (int i = 0; i < m->mode_count; ++i)
            printf("%4d %14.4f Hz\n", i + 1, m->omega[i] / CAROM_BOUNCE_TURN);
    }
    carom_bounce_body_close(&body);
    return code;
}

static const carom_argument arguments[] = {
    { "MESH", CAROM_ARGUMENT_FILE,
      .doc = "a mesh file, tetrahedra (.msh, .node, .ele), or shape:NAME", .required = true },
    CAROM_BOUNCE_BODY_ARGUMENTS,
    { "--json", CAROM_ARGUMENT_FLAG, .doc = "print JSON: freq_hz, mass, inertia, dof" },
    { 0 },
};

static const char *const examples[] = {
    "the first ten modes of a cube",
    "carom bounce modes shape:cube:10cm@5cm --modes 10 --across 1 --json",
    NULL,
};

const carom_command carom_bounce_modes_command = {
    .name = "bounce modes",
    .summary = "vibration modes of a body",
    .details = "A closed surface is computed on a lattice of quadratic cells that need not follow "
               "it; tetrahedra (.msh, .node with .ele) are computed as they are, linear ones "
               "upgraded to quadratic. Rigid modes are left out. The inertia is xx yy zz xy xz yz "
               "about the centre of mass.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};
