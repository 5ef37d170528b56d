// Modes: time, memory and accuracy. CSV on standard output.
//
// Usage: bench_modal [MESH...]: cubes, bars and a rod of growing fineness, then the meshes given
// (for instance the bunny of the package glmark2-data). `hash` covers the frequencies: a quicker
// run with another hash is not a quicker run. Reference frequencies of the bar (200 x 10 x 10 mm, E
// = 7e10 Pa, nu = .3, rho = 2000 kg/m^3) and of the cube are those of an independent computation
// (numpy, Legendre-Ritz).
#include "carom/import.h"
#include "carom/modal.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double PI = 3.14159265358979323846;

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t hash_of(const carom_modal_info *info)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int m = 0; m < info->mode_count; ++m) {
        unsigned char bytes[sizeof(double)];
        memcpy(bytes, &info->omega[m], sizeof bytes);
        for (size_t i = 0; i < sizeof bytes; ++i)
            hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

// What is known about a body: its first and its last mode (rad/s), or 0.
typedef struct row {
    const char *name;
    double first, last;
} row;

static void print_row(const row *r, const carom_modes *modes, double seconds, double processor)
{
    const carom_modal_info *info = carom_modal_about(modes);
    double first = r->first > 0 ? info->omega[0] / r->first - 1 : (double)NAN;
    double last = r->last > 0 ? info->omega[info->mode_count - 1] / r->last - 1 : (double)NAN;
    printf("%s,%ld,%d,%d,%.3g,%d,%.2f,%.2f,%.0f,%d,%.1e,%.1e,%.1e,%.1e,%016" PRIx64 "\n", r->name,
           info->unknowns, info->cells, info->cut_cells, info->thickness, info->mode_count, seconds,
           processor, 1e-6 * info->factor_bytes, info->solves, info->mass_error,
           info->inertia_error, first, last, hash_of(info));
    fflush(stdout);
}

static void measure(const row *r, const carom_shape *mesh, const carom_modal_material *material,
                    const carom_modal_options *options)
{
    carom_mesh_source surface = carom_mesh_surface(mesh);
    carom_modes *modes = NULL;
    carom_error err = { 0 };
    double start = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    if (carom_modal_from_surface(&surface, material, options, NULL, &modes, &err) == CAROM_OK)
        print_row(r, modes, now(CLOCK_MONOTONIC) - start, now(CLOCK_PROCESS_CPUTIME_ID) - cpu);
    else
        fprintf(stderr, "%s: %s\n", r->name, err.what);
    carom_modal_destroy(modes);
}

static carom_shape *mesh_of(carom_shape *shape, int segments)
{
    carom_shape *mesh = NULL;
    carom_error err = { 0 };
    if (carom_mesh_from(shape, segments, &mesh, &err) != CAROM_OK)
        fprintf(stderr, "%s\n", err.what);
    carom_shape_release(shape);
    return mesh;
}

int main(int count, char **argument)
{
    carom_modal_options options = carom_modal_options_default();
    carom_modal_material stuff = { 7e10, 0.3, 2000 }, unit = { 2.6, 0.3, 1 };
    carom_shape *shape = NULL, *mesh;
    carom_error err = { 0 };
    options.threads = 1;
    puts("body,unknowns,cells,cut,thickness_m,modes,seconds,processor_s,factor_mb,solves,"
         "mass_error,inertia_error,first_error,last_error,hash");
    if (carom_box_create((double[3]){ 0.1, 0.005, 0.005 }, &shape, &err) != CAROM_OK)
        return 1;
    mesh = mesh_of(shape, 8);
    for (int across = 1; mesh && across <= 4; ++across) {
        char name[40];
        snprintf(name, sizeof name, "bar %d across", across);
        options.cell = 0.01 / across;
        measure(&(row){ name, 2 * PI * 1506.9070961788839, 581974.7371652261 }, mesh, &stuff,
                &options);
    }
    options.cell = 0;
    if (mesh)
        measure(&(row){ "bar by itself", 2 * PI * 1506.9070961788839, 581974.7371652261 }, mesh,
                &stuff, &options);
    carom_shape_release(mesh);
    if (carom_capsule_create(0.005, 0.095, &shape, &err) == CAROM_OK &&
        (mesh = mesh_of(shape, 96))) {
        measure(&(row){ "rod by itself", 2 * PI * 1351.6948482315183, 2 * PI * 95332.58 }, mesh,
                &stuff, &options);
        carom_shape_release(mesh);
    }
    if (carom_box_create((double[3]){ 0.5, 0.5, 0.5 }, &shape, &err) == CAROM_OK &&
        (mesh = mesh_of(shape, 8))) {
        options.modes = 11; // the last is Lame's, pi sqrt 2
        for (int cells = 2; cells <= 8; cells *= 2) {
            char name[40];
            snprintf(name, sizeof name, "cube %d a side", cells);
            options.cell = 1. / cells;
            measure(&(row){ name, 2.856044807223134, PI * sqrt(2) }, mesh, &unit, &options);
        }
        carom_shape_release(mesh);
    }
    options = carom_modal_options_default();
    for (int i = 1; i < count; ++i) {
        if (carom_import_mesh(argument[i], 1, CAROM_MESH_REPAIR, NULL, &mesh, &err) != CAROM_OK) {
            fprintf(stderr, "%s: %s\n", argument[i], err.what);
            return 1;
        }
        measure(&(row){ argument[i], 0, 0 }, mesh, &stuff, &options);
        carom_shape_release(mesh);
    }
    return 0;
}
