// How much of the room grains fill, and how heavy that is: packing fraction and density by cells.
//
// A grain counts in a cell with the share of its ball there, the ball of its volume about its
// centre of mass. For spheres that is exact where cells are slices, and to some thousandths of a
// grain where they cut it along several axes.
#include <math.h>
#include <stdio.h>
#include "math/constants.h"
#include "measure/measure.h"

static void add_grains(carom_measure *m, const carom_measure_sample *sample, const double *amount)
{
    for (int i = 0; i < m->count; ++i) {
        double radius = cbrt(3 * m->volume[i] / (4 * CAROM_PI));
        if (m->mass[i] > 0)
            carom_measure_grid_ball(m, sample->position[i], radius, amount[i], m->sums, 1);
    }
}

static carom_status add_packing(carom_measure *m, const carom_measure_sample *sample,
                                carom_error *err)
{
    (void)err; // nothing here can fail
    add_grains(m, sample, m->volume);
    return CAROM_OK;
}

static carom_status add_density(carom_measure *m, const carom_measure_sample *sample,
                                carom_error *err)
{
    (void)err;
    add_grains(m, sample, m->mass);
    return CAROM_OK;
}

static void finish(carom_measure *m, const char *name, const char *unit)
{
    carom_measure_table *t = &m->table;
    double sum = 0, cell_volume = carom_measure_grid_volume(m);
    t->label = name;
    t->unit = unit;
    carom_measure_grid_columns(m);
    t->map = t->column_count;
    double *value = carom_measure_add_column(m, 1, unit, "%s", name);
    for (int cell = 0; cell < m->rows; ++cell) {
        value[cell] = m->sums[cell] / m->samples / cell_volume;
        sum += m->sums[cell];
    }
    carom_measure_add_number(m, sum / m->samples / (m->rows * cell_volume), unit, "%s", name);
    carom_measure_add_number(m, m->rows * cell_volume, "m^3", "volume");
}

static void finish_packing(carom_measure *m)
{
    snprintf(m->table.title, sizeof m->table.title, "Packing fraction");
    finish(m, "packing fraction", "");
}

static void finish_density(carom_measure *m)
{
    snprintf(m->table.title, sizeof m->table.title, "Density");
    finish(m, "density", "kg/m^3");
}

const carom_measure_method carom_measure_volume_packing = {
    .last = true, .cells = { 1, 1, 20 }, .width = 1, .add = add_packing, .finish = finish_packing
};
const carom_measure_method carom_measure_volume_density = {
    .last = true, .cells = { 1, 1, 20 }, .width = 1, .add = add_density, .finish = finish_density
};
