// The stress tensor by cells, compression positive: of contacts and of motion.
//
// sigma_ij = (1 / V) (sum over contacts of f_i l_j + sum over grains of m v'_i v'_j), its symmetric
// part; f the force on b, l the branch from the centre of a to that of b, at a wall from the point
// of contact to the centre of the grain, in a periodic box to its nearest image; v' the velocity
// against the mean of the cell [Christoffersen, Mehrabadi and Nemat-Nasser 1981; Goldhirsch 2010].
// A contact counts in a cell with the share of its branch there: summed over the cells the total
// stays what it is.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "measure/measure.h"

enum { PARTS = 6 }; // xx yy zz xy xz yz

static void symmetric(vec3 f, vec3 l, double scale, double out[PARTS])
{
    out[0] = scale * f.x * l.x;
    out[1] = scale * f.y * l.y;
    out[2] = scale * f.z * l.z;
    out[3] = scale * 0.5 * (f.x * l.y + f.y * l.x);
    out[4] = scale * 0.5 * (f.x * l.z + f.z * l.x);
    out[5] = scale * 0.5 * (f.y * l.z + f.z * l.y);
}

static void add_contacts(carom_measure *m, const carom_measure_sample *sample, int count)
{
    for (int k = 0; k < count; ++k) {
        const carom_measure_pair *pair = &m->pairs[k];
        double parts[PARTS];
        vec3 ends[2] = { m->mass[pair->a] > 0 ? sample->position[pair->a] : pair->point,
                         m->mass[pair->b] > 0 ? sample->position[pair->b] : pair->point };
        ends[1] = vec3_add(ends[1], carom_period_shift(&m->period, ends[0], ends[1]));
        symmetric(pair->force, vec3_sub(ends[1], ends[0]), 1, parts);
        carom_measure_grid_line(m, ends, parts, PARTS, m->sums);
    }
}

static void add_motion(carom_measure *m, const carom_measure_sample *sample)
{
    memset(m->scratch, 0, 4 * (size_t)carom_measure_grid_count(m) * sizeof *m->scratch);
    for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < m->count; ++i) {
            int cell = m->mass[i] > 0 ? carom_measure_grid_cell(m, sample->position[i]) : -1;
            if (cell < 0)
                continue;
            double *mean = m->scratch + 4 * (size_t)cell; // momentum and mass
            if (pass == 0) {
                vec3_store(vec3_axpy(vec3_from(mean), m->mass[i], sample->velocity[i]), mean);
                mean[3] += m->mass[i];
                continue;
            }
            double parts[PARTS];
            vec3 v = vec3_axpy(sample->velocity[i], -1 / mean[3], vec3_from(mean));
            symmetric(v, v, m->mass[i], parts);
            for (int k = 0; k < PARTS; ++k)
                m->sums[PARTS * (size_t)cell + (size_t)k] += parts[k];
        }
}

static carom_status add(carom_measure *m, const carom_measure_sample *sample, carom_error *err)
{
    int count = carom_measure_contacts_pairs(m, sample);
    if (count < 0)
        return carom_error_no_memory(err, "the contacts of a sample");
    add_contacts(m, sample, count);
    add_motion(m, sample);
    return CAROM_OK;
}

static void finish(carom_measure *m)
{
    static const char *const names[] = { "xx", "yy", "zz", "xy", "xz", "yz" };
    carom_measure_table *t = &m->table;
    double volume = carom_measure_grid_volume(m), whole[PARTS] = { 0 };
    snprintf(t->title, sizeof t->title, "Stress, compression positive");
    t->label = "stress";
    t->unit = "Pa";
    carom_measure_grid_columns(m);
    for (int k = 0; k < PARTS; ++k) {
        double *part = carom_measure_add_column(m, k < 3, "Pa", "stress %s", names[k]);
        for (int cell = 0; cell < m->rows; ++cell) {
            part[cell] = m->sums[PARTS * cell + k] / m->samples / volume;
            whole[k] += part[cell] / m->rows;
        }
        carom_measure_add_number(m, whole[k], "Pa", "stress %s", names[k]);
    }
    t->map = t->column_count;
    double *pressure = carom_measure_add_column(m, 0, "Pa", "pressure");
    for (int cell = 0; cell < m->rows; ++cell)
        pressure[cell] =
            (t->columns[3].values[cell] + t->columns[4].values[cell] + t->columns[5].values[cell]) /
            3;
    double mean = (whole[0] + whole[1] + whole[2]) / 3, squares = 0;
    for (int k = 0; k < PARTS; ++k)
        squares += k < 3 ? (whole[k] - mean) * (whole[k] - mean) : 2 * whole[k] * whole[k];
    carom_measure_add_number(m, mean, "Pa", "pressure");
    carom_measure_add_number(m, sqrt(1.5 * squares), "Pa", "deviator");
    carom_measure_add_number(m, m->rows * volume, "m^3", "volume");
}

const carom_measure_method carom_measure_stress = { .forces = true,
                                                    .last = true,
                                                    .cells = { 1, 1, 20 },
                                                    .width = PARTS,
                                                    .add = add,
                                                    .finish = finish };
