// Vibration modes of a body, from a surface or from tetrahedra: the story from input to result.
#include "carom/modal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "base/team.h"
#include "modal/modal_internal.h"
#include "modal/modal_surface.h"

enum { EXTRA = 6, MODES_MAX = 4000, ROUNDS = 4, ALONE = 10000 };
static const double MASS_ERROR = 0.005; // above which a warning is given

carom_modal_options carom_modal_options_default(void)
{
    return (carom_modal_options){
        .modes = 45, .across = 2.5, .unknowns_max = 60000, .cluster_gap = 1e-4
    };
}

void carom_modal_destroy(carom_modes *modes)
{
    if (!modes)
        return;
    free(modes->omega);
    free(modes->shape);
    free(modes->slot);
    free(modes->brick);
    free(modes->face);
    free(modes->place);
    free(modes->triangle);
    free(modes->vertex);
    free(modes->box_first);
    free(modes->box_face);
    free(modes);
}

const carom_modal_info *carom_modal_about(const carom_modes *modes)
{
    return &modes->info;
}

carom_mesh_source carom_modal_boundary(const carom_modes *modes)
{
    if (!modes)
        return (carom_mesh_source){ 0 };
    return (carom_mesh_source){ modes->vertex, modes->triangle, modes->vertex_count,
                                modes->face_count };
}

// -- checks -------------------------------------------------------------------------------------

static carom_status check_options(const carom_modal_options *o, carom_error *err)
{
    if (o->modes < 1 || o->modes > MODES_MAX) {
        carom_error_set(err, CAROM_BAD_INPUT, "%d modes are asked for", o->modes);
        return carom_error_fix(err, "ask for 1 to %d", MODES_MAX);
    }
    if (!(o->cell >= 0 && o->cell < HUGE_VAL) || !(o->across > 0 && o->across <= 1000)) {
        carom_error_set(err, CAROM_BAD_INPUT, "cells of %g m, %g across the thinnest dimension",
                        o->cell, o->across);
        return carom_error_fix(err, "use cell = 0 (chosen for you) and across = 2.5");
    }
    if (o->unknowns_max < 1000) {
        carom_error_set(err, CAROM_BAD_INPUT, "at most %d unknowns are allowed", o->unknowns_max);
        return carom_error_fix(err, "allow at least 1000; 60000 is the default");
    }
    if (!(o->cluster_gap >= 0 && o->cluster_gap < 0.1)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the cluster gap is %g, outside [0, 0.1)",
                        o->cluster_gap);
        return carom_error_fix(err, "use 1e-4");
    }
    return CAROM_OK;
}

static void warn(carom_modal_info *info, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void warn(carom_modal_info *info, const char *format, ...)
{
    if (info->warning_count == CAROM_MODAL_WARNINGS)
        return;
    va_list list;
    va_start(list, format);
    vsnprintf(info->warnings[info->warning_count++], sizeof info->warnings[0], format, list);
    va_end(list);
}

// -- from a solution to a result ----------------------------------------------------------------

// How many modes to keep so that no cluster is cut; -1: more must be known to tell.
static int clean_cut(const double *lambda, int known, int asked, double gap)
{
    for (int m = asked; m < known; ++m) // frequencies go with the root: half the relative distance
        if (lambda[m] - lambda[m - 1] > 2 * gap * lambda[m - 1])
            return m;
    return -1;
}

static double relative_error(const double *found, const double *wanted, int count)
{
    double max = 0, error = 0;
    for (int i = 0; i < count; ++i) {
        max = fmax(max, fabs(wanted[i]));
        error = fmax(error, fabs(found[i] - wanted[i]));
    }
    return error / max;
}

static void fill_info(carom_modes *modes, const carom_modal_solution *s,
                      const carom_modal_solid *exact)
{
    carom_modal_info *info = &modes->info;
    double unit = modes->unit, mass = info->material.density * unit * unit * unit;
    info->mass = mass * exact->volume;
    for (int k = 0; k < 3; ++k)
        info->centre[k] = modes->corner[k] + unit * exact->centre[k];
    for (int k = 0; k < 6; ++k)
        info->inertia[k] = mass * unit * unit * exact->inertia[k];
    info->mass_error = relative_error(&s->mass, &exact->volume, 1);
    info->inertia_error = relative_error(s->inertia, exact->inertia, 6);
    info->factor_bytes = s->factor_bytes;
    info->residual = s->residual;
    info->solves += s->modes.solves;
    if (info->mass_error > MASS_ERROR || info->inertia_error > MASS_ERROR)
        warn(info,
             "the cells carry %.2g %% too much or too little mass and %.2g %% of inertia: raise "
             "`across` or `unknowns_max`",
             100 * info->mass_error, 100 * info->inertia_error);
}

static carom_status keep_frequencies(carom_modes *modes, const carom_modal_solution *s,
                                     carom_error *err)
{
    carom_modal_info *info = &modes->info;
    const carom_modal_material *m = &info->material;
    double scale = sqrt(m->young / m->density) / modes->unit;
    modes->omega = malloc((size_t)info->mode_count * sizeof *modes->omega);
    if (!modes->omega)
        return carom_error_no_memory(err, "%d modes", info->mode_count);
    if (!(s->modes.lambda[0] > 0))
        return carom_error_set(err, CAROM_NOT_CONVERGED,
                               "the lowest squared frequency came out as %g: parts of the body are "
                               "loose",
                               s->modes.lambda[0]);
    for (int i = 0; i < info->mode_count; ++i)
        modes->omega[i] = scale * sqrt(s->modes.lambda[i]);
    info->omega = modes->omega;
    info->next_omega = scale * sqrt(s->modes.lambda[info->mode_count]);
    return CAROM_OK;
}

// Solves for enough modes to cut at a gap.
static carom_status solve(carom_modes *modes, carom_modal_body *body,
                          const carom_modal_solid *exact, const carom_modal_options *options,
                          const carom_progress *progress, carom_error *err)
{
    carom_modal_info *info = &modes->info;
    carom_modal_solution s = { 0 };
    carom_status status = CAROM_OK;
    int lanes = CAROM_LANCZOS_BLOCK, wanted = options->modes + EXTRA;
    info->asked = options->modes;
    for (int round = 0; status == CAROM_OK && info->mode_count <= 0; ++round) {
        wanted = (wanted + lanes - 1) / lanes * lanes;
        carom_modal_body_free_solution(&s);
        status = carom_modal_body_solve(body, exact->centre, wanted, progress, &s, err);
        if (status == CAROM_OK)
            info->mode_count =
                clean_cut(s.modes.lambda, wanted, options->modes, options->cluster_gap);
        if (status == CAROM_OK && info->mode_count < 0 && round == ROUNDS) {
            info->mode_count = options->modes;
            warn(info, "no gap of %g was found among %d modes: cut at %d as asked",
                 options->cluster_gap, wanted, options->modes);
        }
        wanted += 2 * lanes;
    }
    if (status == CAROM_OK && info->mode_count > options->modes)
        warn(info, "%d modes are kept, not %d: the cut would have split equal frequencies",
             info->mode_count, options->modes);
    info->unknowns = 3L * body->elements.node_count;
    if (status == CAROM_OK)
        status = keep_frequencies(modes, &s, err);
    if (status == CAROM_OK) {
        fill_info(modes, &s, exact);
        status = body->cells ? carom_modal_keep_bricks(modes, body, &s, err)
                             : carom_modal_keep_faces(modes, body, &s, err);
    }
    carom_modal_body_free_solution(&s);
    return status;
}

// Small bodies are done before a second thread has paid for itself.
static int threads_for(const carom_modal_options *options, int nodes)
{
    if (options->threads > 0)
        return options->threads;
    return nodes < ALONE ? 1 : carom_team_max();
}

// -- from a surface -----------------------------------------------------------------------------

static void describe_cells(carom_modes *modes, const carom_modal_cells *c)
{
    carom_modal_info *info = &modes->info;
    double largest = 0;
    info->cells = c->count;
    info->cut_cells = c->cut_count;
    info->thickness = c->thickness * modes->unit;
    for (int k = 0; k < 3; ++k) {
        info->cell[k] = c->edge[k] * modes->unit;
        largest = fmax(largest, c->edge[k]);
    }
    if (c->thickness < largest)
        warn(info,
             "walls %.3g m thick in cells of %.3g m: raise `unknowns_max` for one cell across, "
             "better two",
             info->thickness, largest * modes->unit);
    if (c->gap < largest)
        warn(info,
             "walls %.3g m apart in cells of %.3g m share unknowns: raise `unknowns_max` so that "
             "cells fit between them",
             c->gap * modes->unit, largest * modes->unit);
    if (c->overlapping > 1e-4)
        warn(info, "the surface overlaps itself on %.2g %% of lines; overlaps count once",
             100 * c->overlapping);
    if (c->pieces > 0)
        warn(info, "%d crumbs of %.2g %% of a cell in all were left out: they hang on nothing",
             c->pieces, 100 * c->lost / (c->edge[0] * c->edge[1] * c->edge[2]));
}

static carom_status run_surface(carom_modes *modes, const carom_modal_surface *surface,
                                const carom_modal_options *options, const carom_progress *progress,
                                carom_error *err)
{
    carom_modal_cells cells;
    carom_modal_body body = { 0 };
    carom_modal_solid exact = { .volume = surface->volume };
    memcpy(exact.centre, surface->centre, sizeof exact.centre);
    memcpy(exact.inertia, surface->inertia, sizeof exact.inertia);
    modes->unit = surface->unit;
    memcpy(modes->corner, surface->corner, sizeof modes->corner);
    TRY(carom_progress_report(progress, 0, 100, "cells", err));
    TRY(carom_modal_cells_make(&surface->source, options, surface->unit, &cells, err));
    describe_cells(modes, &cells);
    body.elastic = carom_modal_elastic_make(modes->info.material.poisson);
    carom_status status = carom_modal_body_of_cells(&cells, &body, err);
    body.threads = threads_for(options, body.elements.node_count);
    if (status == CAROM_OK)
        status = solve(modes, &body, &exact, options, progress, err);
    carom_modal_body_free(&body);
    carom_modal_cells_free(&cells);
    return status;
}

static carom_status begin(const carom_modal_material *material, const carom_modal_options *options,
                          carom_modes **modes, carom_error *err)
{
    TRY(carom_modal_material_check(material, err));
    TRY(check_options(options, err));
    *modes = calloc(1, sizeof **modes);
    if (!*modes)
        return carom_error_no_memory(err, "modes");
    (*modes)->info.material = *material;
    return CAROM_OK;
}

carom_status carom_modal_from_surface(const carom_mesh_source *surface,
                                      const carom_modal_material *material,
                                      const carom_modal_options *options,
                                      const carom_progress *progress, carom_modes **out,
                                      carom_error *err)
{
    NEED(err, material, out);
    *out = NULL;
    carom_modal_options own = options ? *options : carom_modal_options_default();
    carom_modal_surface scaled;
    carom_modes *modes = NULL;
    TRY(begin(material, &own, &modes, err));
    modes->info.key = carom_modal_key(surface, material, &own);
    carom_status status = carom_modal_surface_make(surface, &scaled, err);
    if (status == CAROM_OK)
        status = run_surface(modes, &scaled, &own, progress, err);
    carom_modal_surface_free(&scaled);
    if (status == CAROM_OK)
        *out = modes;
    else
        carom_modal_destroy(modes);
    return status;
}

// -- from tetrahedra ----------------------------------------------------------------------------

static carom_status run_tets(carom_modes *modes, const carom_tets *tets,
                             const carom_modal_options *options, const carom_progress *progress,
                             carom_error *err)
{
    carom_modal_body body = { 0 };
    carom_modal_frame frame;
    carom_modal_solid exact;
    double max[3];
    if (tets->tet_count < 1 || tets->node_count < 10)
        return carom_error_set(err, CAROM_BAD_INPUT, "there are no tetrahedra");
    memcpy(frame.corner, tets->nodes, sizeof frame.corner);
    memcpy(max, tets->nodes, sizeof max);
    for (int i = 0; i < 3 * tets->node_count; ++i) {
        frame.corner[i % 3] = fmin(frame.corner[i % 3], tets->nodes[i]);
        max[i % 3] = fmax(max[i % 3], tets->nodes[i]);
    }
    frame.unit = 0;
    for (int k = 0; k < 3; ++k)
        frame.unit = fmax(frame.unit, max[k] - frame.corner[k]);
    modes->unit = frame.unit;
    memcpy(modes->corner, frame.corner, sizeof modes->corner);
    modes->info.cells = tets->tet_count;
    body.elastic = carom_modal_elastic_make(modes->info.material.poisson);
    body.threads = threads_for(options, tets->node_count);
    carom_status status = carom_modal_body_of_tets(tets, &frame, &body, &exact, err);
    if (status == CAROM_OK)
        status = solve(modes, &body, &exact, options, progress, err);
    carom_modal_body_free(&body);
    return status;
}

carom_status carom_modal_from_tets(const carom_tets *tets, const carom_modal_material *material,
                                   const carom_modal_options *options,
                                   const carom_progress *progress, carom_modes **out,
                                   carom_error *err)
{
    NEED(err, material, out);
    *out = NULL;
    carom_modal_options own = options ? *options : carom_modal_options_default();
    carom_modes *modes = NULL;
    TRY(begin(material, &own, &modes, err));
    modes->info.key = carom_modal_key_tets(tets, material, &own);
    carom_status status = run_tets(modes, tets, &own, progress, err);
    if (status == CAROM_OK)
        *out = modes;
    else
        carom_modal_destroy(modes);
    return status;
}

// -- keys ---------------------------------------------------------------------------------------

static uint64_t hash_choices(uint64_t hash, const carom_modal_material *m,
                             const carom_modal_options *o)
{
    double values[] = { 1, // of the method: raise it when results change
                        m->young, m->poisson, m->density,      o->modes,
                        o->cell,  o->across,  o->unknowns_max, o->cluster_gap };
    return carom_hash_doubles(hash, values, sizeof values / sizeof *values);
}

uint64_t carom_modal_key(const carom_mesh_source *surface, const carom_modal_material *material,
                         const carom_modal_options *options)
{
    if (!surface || !material)
        return 0;
    carom_modal_options own = options ? *options : carom_modal_options_default();
    uint64_t hash =
        carom_hash_doubles(CAROM_HASH_START, surface->vertices, 3 * (size_t)surface->vertex_count);
    hash = carom_hash_bytes(hash, surface->triangles,
                            3 * (size_t)surface->triangle_count * sizeof *surface->triangles);
    return hash_choices(hash, material, &own);
}

uint64_t carom_modal_key_tets(const carom_tets *tets, const carom_modal_material *material,
                              const carom_modal_options *options)
{
    if (!tets || !material)
        return 0;
    carom_modal_options own = options ? *options : carom_modal_options_default();
    uint64_t hash = carom_hash_doubles(CAROM_HASH_START, tets->nodes, 3 * (size_t)tets->node_count);
    hash = carom_hash_bytes(hash, tets->tets, 10 * (size_t)tets->tet_count * sizeof *tets->tets);
    own.cell = own.across = own.unknowns_max = 0;
    return hash_choices(hash, material, &own);
}
