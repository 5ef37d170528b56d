// Where energy is lost: the losses of contacts by cells, as power per volume.
//
// An impact loses -p.(u + u')/2 (carom_world_contact.loss), summed over all contacts what the
// ledger books for the law. What rests loses -p.u' over the interval it was seen in; that power is
// taken to last from sample to sample.
#include <stdio.h>
#include "measure/measure.h"

enum { IMPACTS, REST, SUMS };

static carom_status add(carom_measure *m, const carom_measure_sample *sample, carom_error *err)
{
    (void)err; // nothing here can fail
    for (int i = 0; i < sample->contact_count; ++i) {
        const carom_world_contact *c = &sample->contacts[i];
        int cell = carom_measure_grid_cell(m, vec3_from(c->point));
        if (cell < 0)
            continue;
        double time = carom_measure_time_of(sample, c);
        double *sum = m->sums + SUMS * (size_t)cell;
        if (c->impact)
            sum[IMPACTS] += c->loss;
        else if (time > 0)
            sum[REST] += c->loss / time * sample->interval;
    }
    m->watched += sample->interval;
    return CAROM_OK;
}

static void finish(carom_measure *m)
{
    carom_measure_table *t = &m->table;
    double volume = carom_measure_grid_volume(m), whole[SUMS] = { 0 };
    double scale = m->watched > 0 ? 1 / (m->watched * volume) : 0;
    snprintf(t->title, sizeof t->title, "Dissipation");
    t->label = "power per volume";
    t->unit = "W/m^3";
    carom_measure_grid_columns(m);
    t->map = t->column_count;
    double *all = carom_measure_add_column(m, 1, "W/m^3", "dissipation");
    double *impacts = carom_measure_add_column(m, 0, "W/m^3", "of impacts");
    double *rest = carom_measure_add_column(m, 0, "W/m^3", "of rest and friction");
    for (int cell = 0; cell < m->rows; ++cell) {
        const double *sum = m->sums + SUMS * (size_t)cell;
        impacts[cell] = sum[IMPACTS] * scale;
        rest[cell] = sum[REST] * scale;
        all[cell] = impacts[cell] + rest[cell];
        whole[IMPACTS] += sum[IMPACTS];
        whole[REST] += sum[REST];
    }
    carom_measure_add_number(m, whole[IMPACTS], "J", "lost in impacts");
    carom_measure_add_number(m, whole[REST], "J", "lost at rest and by friction");
    carom_measure_add_number(m, m->watched, "s", "time");
}

const carom_measure_method carom_measure_dissipation = {
    .forces = true, .cells = { 20, 1, 20 }, .width = SUMS, .add = add, .finish = finish
};
