// Opens the body that a bounce command names: mesh or tetrahedra, material, and modes from the
// cache or computed.
#include "bounce_body.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "carom/import.h"
#include "carom/text.h"
#include "terminal.h"

static carom_status named_material(const char *name, carom_modal_material *material,
                                   carom_error *err)
{
    static const carom_modal_material paper = { 7e10, 0.3, 2000 };
    if (name && strcmp(name, "paper") == 0) {
        *material = paper;
        return CAROM_OK;
    }
    return carom_modal_material_named(name ? name : "steel", material, err);
}

// Single values instead of the material's; `names` are Young's modulus, Poisson's ratio, density.
static void replace_values(const carom_arguments *given, const char *const names[3],
                           carom_modal_material *material)
{
    double *const values[3] = { &material->young, &material->poisson, &material->density };
    for (int k = 0; k < 3; ++k)
        if (carom_command_count(given, names[k]))
            *values[k] = carom_command_number(given, names[k]);
}

static int read_material(const carom_arguments *given, bool second, carom_modal_material *material)
{
    static const char *const first_names[3] = { "--young", "--poisson", "--density" };
    static const char *const second_names[3] = { "--young-b", "--poisson-b", "--density-b" };
    carom_error err = { 0 };
    const char *other = second ? carom_command_text(given, "--material-b") : NULL;
    carom_status status =
        named_material(other ? other : carom_command_text(given, "--material"), material, &err);
    if (status == CAROM_OK && !other)
        replace_values(given, first_names, material);
    if (status == CAROM_OK && second)
        replace_values(given, second_names, material);
    if (status == CAROM_OK)
        status = carom_modal_material_check(material, &err);
    return status == CAROM_OK ? CAROM_EXIT_GOOD : carom_command_fail(&err);
}

// Where modes are kept: nowhere with --no-cache.
static const char *cache_folder(const carom_arguments *given, char *folder, size_t size)
{
    if (carom_command_flag(given, "--no-cache"))
        *folder = 0;
    else
        carom_bounce_cache_folder(folder, size);
    return folder;
}

static carom_status open_tets(const carom_arguments *given, const char *path,
                              carom_bounce_body *body, const carom_modal_material *material,
                              carom_error *err)
{
    carom_modal_options options = carom_modal_options_default();
    options.modes = (int)carom_command_integer(given, "--modes");
    carom_tets *tets = NULL;
    carom_status status = carom_tets_read(path, body->unit, &tets, err);
    if (status == CAROM_OK) {
        const carom_progress *progress = carom_terminal_progress_begin();
        char folder[4096];
        status = carom_bounce_cache_tets(cache_folder(given, folder, sizeof folder), tets, material,
                                         &options, progress, &body->modes, err);
        carom_terminal_progress_end();
    }
    if (status == CAROM_OK) {
        carom_mesh_source boundary = carom_modal_boundary(body->modes);
        status = carom_mesh_create(&boundary, CAROM_MESH_STRICT, NULL, &body->shape, err);
    }
    carom_tets_destroy(tets);
    if (status == CAROM_OK) {
        carom_shape_shift(body->shape, body->shift);
        memcpy(body->origin, body->shift, sizeof body->origin);
    }
    return status;
}

static carom_status open_surface(const carom_arguments *given, const char *mesh,
                                 carom_bounce_body *body, carom_error *err)
{
    if (strncmp(mesh, "shape:", 6) == 0) { // its origin is its centre of mass
        carom_status status = carom_generate_shape(mesh + 6, &body->shape, err);
        if (status == CAROM_BAD_INPUT && !*err->where)
            snprintf(err->where, sizeof err->where, "%.80s", mesh);
        return status;
    }
    carom_mesh_policy policy =
        carom_command_flag(given, "--repair") ? CAROM_MESH_REPAIR : CAROM_MESH_STRICT;
    carom_status status = carom_import_mesh(mesh, body->unit, policy, NULL, &body->shape, err);
    if (status == CAROM_OK)
        carom_shape_shift(body->shape, body->shift);
    return status;
}

static carom_status find_modes(const carom_arguments *given, carom_bounce_body *body,
                               const carom_modal_material *material, carom_error *err)
{
    carom_modal_options options = carom_modal_options_default();
    options.modes = (int)carom_command_integer(given, "--modes");
    options.across = carom_command_number(given, "--across");
    options.unknowns_max = (int)carom_command_integer(given, "--unknowns");
    carom_mesh_source surface = carom_mesh_surface(body->shape);
    const carom_progress *progress = carom_terminal_progress_begin();
    char folder[4096];
    carom_status status =
        carom_bounce_cache_modes(cache_folder(given, folder, sizeof folder), &surface, material,
                                 &options, progress, &body->modes, err);
    carom_terminal_progress_end();
    return status;
}

static int open_body(const carom_arguments *given, const char *mesh, bool modes, bool second,
                     carom_bounce_body *body)
{
    static const double units[] = { 1, 1e-2, 1e-3, 0.0254 };
    carom_error err = { 0 };
    carom_modal_material material;
    *body = (carom_bounce_body){ .unit = units[carom_command_choice(given, "--unit")] };
    int code = read_material(given, second, &material);
    if (code != CAROM_EXIT_GOOD)
        return code;
    bool tets = strncmp(mesh, "shape:", 6) != 0 &&
                (carom_text_ends_with(mesh, ".msh") || carom_text_ends_with(mesh, ".node") ||
                 carom_text_ends_with(mesh, ".ele"));
    carom_status status = tets ? open_tets(given, mesh, body, &material, &err)
                               : open_surface(given, mesh, body, &err);
    if (status == CAROM_OK && modes && !body->modes)
        status = find_modes(given, body, &material, &err);
    if (status != CAROM_OK) {
        carom_bounce_body_close(body);
        return carom_command_fail(&err);
    }
    const carom_modal_info *about = body->modes ? carom_modal_about(body->modes) : NULL;
    for (int k = 0; about && k < about->warning_count; ++k)
        carom_terminal_report("warning: %.60s: %s", mesh, about->warnings[k]);
    return CAROM_EXIT_GOOD;
}

int carom_bounce_body_open(const carom_arguments *given, const char *mesh, bool modes,
                           carom_bounce_body *body)
{
    return open_body(given, mesh, modes, false, body);
}

int carom_bounce_body_open_second(const carom_arguments *given, const char *mesh,
                                  carom_bounce_body *body)
{
    return open_body(given, mesh, true, true, body);
}

void carom_bounce_body_close(carom_bounce_body *body)
{
    carom_modal_destroy(body->modes);
    carom_shape_release(body->shape);
    *body = (carom_bounce_body){ 0 };
}

int carom_bounce_body_refine(carom_bounce_body *body, int faces)
{
    carom_error err = { 0 };
    carom_shape *fine = NULL;
    if (carom_mesh_surface(body->shape).triangle_count >= faces)
        return CAROM_EXIT_GOOD;
    if (carom_refine_count(body->shape, faces, &fine, &err) != CAROM_OK)
        return carom_command_fail(&err);
    double shift[3]; // of round-off size: the centre of mass was at the origin already
    carom_shape_shift(fine, shift);
    for (int k = 0; k < 3; ++k) {
        body->shift[k] += shift[k];
        body->origin[k] += shift[k];
    }
    carom_shape_release(body->shape);
    body->shape = fine;
    return CAROM_EXIT_GOOD;
}

int carom_bounce_body_vector(const char *name, const char *text, double out[3])
{
    char *end = NULL;
    const char *at = text;
    for (int k = 0; k < 3; ++k) {
        out[k] = strtod(at, &end);
        if (end == at || !isfinite(out[k]) || *end != (k < 2 ? ',' : 0))
            return carom_command_misuse("write three numbers: x,y,z", "%s is \"%.60s\"", name,
                                        text);
        at = end + 1;
    }
    return CAROM_EXIT_GOOD;
}

int carom_bounce_body_point(const carom_bounce_body *body, const char *name, const char *text,
                            double out[3])
{
    int code = carom_bounce_body_vector(name, text, out);
    if (code != CAROM_EXIT_GOOD)
        return code;
    for (int k = 0; k < 3; ++k)
        out[k] = out[k] * body->unit - body->shift[k];
    double distance = fabs(carom_shape_distance(body->shape, out)),
           size = carom_shape_radius(body->shape);
    if (distance > 0.02 * size) {
        char fix[160];
        snprintf(fix, sizeof fix,
                 "give a point of the surface in mesh coordinates; the body reaches %g m from its "
                 "centre",
                 size);
        return carom_command_misuse(fix, "%s lies %g m off the surface", name, distance);
    }
    return CAROM_EXIT_GOOD;
}
