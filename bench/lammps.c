// Grains as damped springs (gran/hooke/history): stiff enough that a blow of the layer's speed
// presses two of them into each other by a given share of a diameter, which fixes how long a
// contact lasts, and with it the step.
//
//   contact time  t_c = pi overlap d / v      stiffness  k = m_eff (v / (overlap d))^2
//   e = exp(-gamma t_c / 2)
#include "lammps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STEPS_PER_CONTACT = 20 };
static const double pi = 3.14159265358979323846;

typedef struct files {
    char folder[64], data[96], script[96], log[96], dump[96];
} files;

static bool make_files(files *f)
{
    strcpy(f->folder, "/tmp/bench-lammps-XXXXXX");
    if (!mkdtemp(f->folder))
        return false;
    snprintf(f->data, sizeof f->data, "%s/grains", f->folder);
    snprintf(f->script, sizeof f->script, "%s/script", f->folder);
    snprintf(f->log, sizeof f->log, "%s/log", f->folder);
    snprintf(f->dump, sizeof f->dump, "%s/end", f->folder);
    return true;
}

static void remove_files(const files *f)
{
    remove(f->data);
    remove(f->script);
    remove(f->log);
    remove(f->dump);
    remove(f->folder);
}

static bool write_grains(const files *f, const lammps_layer *layer)
{
    FILE *out = fopen(f->data, "w");
    int grains = 0;
    if (!out)
        return false;
    for (int i = 0; i < layer->count; ++i)
        grains += layer->bodies[i].kind == PEER_SPHERE;
    double half = layer->side / 2, d = layer->diameter;
    fprintf(out, "layer\n\n%d atoms\n1 atom types\n", grains);
    fprintf(out, "%.17g %.17g xlo xhi\n%.17g %.17g ylo yhi\n", -half - d, half + d, -half - d,
            half + d);
    fprintf(out, "%.17g %.17g zlo zhi\n\nAtoms # sphere\n\n", -d, 200 * d);
    for (int i = 0; i < layer->count; ++i) {
        const peer_body *b = &layer->bodies[i];
        if (b->kind == PEER_SPHERE)
            fprintf(out, "%d 1 %.17g %.17g %.17g %.17g %.17g\n", i + 1, 2 * b->size[0],
                    layer->density, b->position[0], b->position[1], b->position[2]);
    }
    fprintf(out, "\nVelocities\n\n");
    for (int i = 0; i < layer->count; ++i) {
        const peer_body *b = &layer->bodies[i];
        if (b->kind == PEER_SPHERE)
            fprintf(out, "%d %.17g %.17g %.17g %.17g %.17g %.17g\n", i + 1, b->velocity[0],
                    b->velocity[1], b->velocity[2], b->spin[0], b->spin[1], b->spin[2]);
    }
    return fclose(out) == 0;
}

static bool write_script(const files *f, const lammps_layer *layer, lammps_run *run)
{
    FILE *out = fopen(f->script, "w");
    if (!out)
        return false;
    double d = layer->diameter, half = layer->side / 2;
    double mass = layer->density * pi / 6 * d * d * d / 2; // of a pair
    double root = layer->speed / (layer->overlap * d), k = mass * root * root;
    run->contact = pi / root;
    run->step = layer->step > 0 ? layer->step : run->contact / STEPS_PER_CONTACT;
    double damping = -2 * log(layer->restitution) / run->contact, omega = 2 * pi * layer->frequency;
    char law[200];
    snprintf(law, sizeof law, "%.9g %.9g %.9g %.9g %.9g 1", k, 2 * k / 7, damping, damping / 2,
             layer->friction);
    fprintf(out,
            "units si\natom_style sphere\nboundary f f f\nnewton off\ncomm_modify vel yes\n"
            "read_data %s\npair_style gran/hooke/history %s\npair_coeff * *\n"
            "neighbor %.9g bin\nneigh_modify delay 0 every 1 check yes\ntimestep %.9g\n",
            f->data, law, 0.2 * d, run->step);
    fprintf(out, "variable pull equal 9.81-%.9g*sin(%.9g*(%.9g+step*dt)+%.9g)\n",
            layer->amplitude * omega * omega, omega, layer->time, layer->phase);
    fprintf(out,
            "fix move all nve/sphere\nfix pull all gravity v_pull vector 0 0 -1\n"
            "fix floor all wall/gran hooke/history %s zplane 0 NULL\n"
            "fix west all wall/gran hooke/history %s xplane %.9g %.9g\n"
            "fix south all wall/gran hooke/history %s yplane %.9g %.9g\n",
            law, law, -half, half, law, -half, half);
    long steps = (long)ceil(layer->duration / layer->parts / run->step - 1e-9);
    fprintf(out, "thermo %ld\nthermo_modify lost warn\n", steps);
    for (int i = 0; i < layer->parts; ++i)
        fprintf(out,
                "run %ld\nwrite_dump all custom %s id x y z modify append yes sort id "
                "format float %%.17g\n",
                steps, f->dump);
    return fclose(out) == 0;
}

// Of the processor: the clock's time of each part by the share of the processor it had.
static bool read_time(const files *f, double *seconds)
{
    char line[512];
    double clock = 0, share, sum = 0;
    FILE *in = fopen(f->log, "r");
    while (in && fgets(line, sizeof line, in)) {
        sscanf(line, "Loop time of %lf", &clock);
        if (strstr(line, "CPU use") && sscanf(line, "%lf%%", &share) == 1)
            sum += clock * share / 100;
    }
    if (in)
        fclose(in);
    *seconds = sum;
    return sum > 0;
}

static bool read_places(const files *f, const lammps_layer *layer, lammps_run *run)
{
    char line[512];
    int id, part = -1;
    double p[3];
    FILE *in = fopen(f->dump, "r");
    run->places = calloc((size_t)layer->count * (size_t)layer->parts, sizeof *run->places);
    while (in && run->places && fgets(line, sizeof line, in)) {
        part += strncmp(line, "ITEM: TIMESTEP", 14) == 0;
        if (sscanf(line, "%d %lf %lf %lf", &id, &p[0], &p[1], &p[2]) == 4 && id >= 1 &&
            id <= layer->count && part >= 0 && part < layer->parts)
            memcpy(run->places[part * layer->count + id - 1], p, sizeof p);
    }
    if (in)
        fclose(in);
    return run->places && part == layer->parts - 1;
}

bool lammps(const lammps_layer *layer, lammps_run *run)
{
    files f;
    char command[400];
    *run = (lammps_run){ 0 };
    if (system("command -v lmp > /dev/null") != 0) {
        fprintf(stderr, "LAMMPS is left out: no program `lmp` (Debian package lammps)\n");
        return false;
    }
    if (!make_files(&f) || !write_grains(&f, layer) || !write_script(&f, layer, run)) {
        fprintf(stderr, "LAMMPS is left out: cannot write to %s\n", f.folder);
        return false;
    }
    snprintf(command, sizeof command, "OMP_NUM_THREADS=1 lmp -in %s -log %s -screen none", f.script,
             f.log);
    bool done = system(command) == 0 && read_time(&f, &run->seconds) && read_places(&f, layer, run);
    if (!done)
        fprintf(stderr, "LAMMPS is left out: its run in %s failed\n", f.folder);
    else
        remove_files(&f);
    return done;
}
