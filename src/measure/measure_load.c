// Loads on walls, and vertical force over depth with Janssen's law.
//
// Loads come from contact impulses alone: an impact's impulse counts over the time since the last
// sample, a resting one over its step. The vertical force through a level is that between grains
// whose centres lie on both sides of it (and between grains and the floor, below all levels); what
// grains give to side walls does not pass. Momentum balance then says that this force is the weight
// above less what the side walls carry above.
//
// Janssen (1895), written over the weight W above instead of the depth, so that neither the free
// surface nor the density has to be known: the force through a level is
// W_s (1 - exp(-W / W_s)) with W_s = w D / (4 mu K), w the weight per height of the filling, D the
// diameter (of a square tube: its side), mu the friction of the wall and K the ratio of horizontal
// to vertical stress. K also follows from the push on the side walls alone: it is D / 4 times that
// push over the integral of the vertical force over height.
#include <math.h>
#include <stdio.h>
#include "measure/measure.h"

// A wall whose contact normal is steeper than this is a floor.
#define FLOOR 0.7

static double weight(const carom_measure *m)
{
    double mass = 0;
    for (int i = 0; i < m->count; ++i)
        mass += m->mass[i];
    return mass * m->gravity;
}

static double force_of(const carom_measure_sample *sample, const carom_world_contact *contact)
{
    double time = carom_measure_time_of(sample, contact);
    return time > 0 ? contact->impulse[2] / time : 0;
}

// -- loads --------------------------------------------------------------------------------------

static carom_status add_load(carom_measure *m, const carom_measure_sample *sample, carom_error *err)
{
    double row[CAROM_MEASURE_COLUMNS] = { sample->time };
    for (int i = 0; i < sample->contact_count; ++i) {
        const carom_world_contact *c = &sample->contacts[i];
        for (int w = 0; w < m->wall_count; ++w)
            if (c->a == m->wall[w])
                row[w + 1] += force_of(sample, c);
            else if (c->b == m->wall[w])
                row[w + 1] -= force_of(sample, c);
    }
    for (int w = 0; w < m->wall_count; ++w)
        row[m->wall_count + 1] += row[w + 1];
    row[m->wall_count + 2] = weight(m);
    m->width = m->wall_count + 3;
    return carom_measure_add_row(m, row, err);
}

static double mean_inside(const carom_measure *m, const double *values)
{
    double sum = 0;
    int count = 0;
    for (int r = 0; r < m->rows; ++r)
        if (carom_measure_inside(m, m->columns[r])) {
            sum += values[r];
            ++count;
        }
    return sum / count;
}

static void finish_load(carom_measure *m)
{
    carom_measure_table *t = &m->table;
    snprintf(t->title, sizeof t->title, "Load on the walls");
    t->label = "downward force";
    t->unit = "N";
    carom_measure_add_column(m, 0, "s", "time");
    for (int w = 0; w < m->wall_count; ++w) {
        char name[160];
        carom_scene_world_body_name(m->scene, m->wall[w], name, sizeof name);
        carom_measure_add_column(m, 1, "N", "%.40s", name);
        carom_measure_add_number(m, mean_inside(m, t->columns[w + 1].values), "N", "load on %.30s",
                                 name);
    }
    const double *all = carom_measure_add_column(m, 1, "N", "all walls");
    const double *grains = carom_measure_add_column(m, 1, "N", "weight");
    carom_measure_add_number(m, grains[0], "N", "weight");
    carom_measure_add_number(m, mean_inside(m, all) / grains[0], "", "load over weight");
}

// -- stress over depth --------------------------------------------------------------------------

static void place_planes(carom_measure *m, const vec3 *position)
{
    double min = HUGE_VAL, max = -HUGE_VAL;
    for (int i = 0; i < m->count; ++i)
        if (m->mass[i] > 0) {
            min = fmin(min, position[i].z - m->radius[i]);
            max = fmax(max, position[i].z);
        }
    for (int k = 0; k < CAROM_MEASURE_PLANES; ++k)
        m->plane[k] = min + (max - min) * k / CAROM_MEASURE_PLANES;
}

// Where the force of a contact begins or ends; not a number at a side wall.
static double level_of(const carom_measure *m, const carom_measure_sample *sample, int body,
                       const carom_world_contact *contact)
{
    if (m->mass[body] > 0)
        return sample->position[body].z;
    return fabs(contact->normal[2]) > FLOOR ? -HUGE_VAL : (double)NAN;
}

static void add_side(carom_measure *m, const carom_measure_sample *sample,
                     const carom_world_contact *contact)
{
    double time = carom_measure_time_of(sample, contact), push = 0;
    for (int k = 0; k < 3; ++k)
        push += contact->normal[k] * contact->impulse[k];
    m->side_push += time > 0 ? push / time : 0;
    m->side_hold += force_of(sample, contact) * (m->mass[contact->b] > 0 ? 1 : -1);
}

static carom_status add_profile(carom_measure *m, const carom_measure_sample *sample,
                                carom_error *err)
{
    (void)err; // nothing here can fail
    if (!carom_measure_inside(m, sample->time))
        return CAROM_OK;
    if (!m->planes_seen++)
        place_planes(m, sample->position);
    for (int i = 0; i < sample->contact_count; ++i) {
        const carom_world_contact *c = &sample->contacts[i];
        double a = level_of(m, sample, c->a, c), b = level_of(m, sample, c->b, c);
        if (a != a || b != b) {
            add_side(m, sample, c);
            continue;
        }
        double up = b > a ? force_of(sample, c) : -force_of(sample, c); // on the higher one
        for (int k = 0; k < CAROM_MEASURE_PLANES; ++k)
            if (fmin(a, b) <= m->plane[k] && m->plane[k] < fmax(a, b))
                m->load[k] += up;
    }
    for (int i = 0; i < m->count; ++i)
        for (int k = 0; m->mass[i] > 0 && k < CAROM_MEASURE_PLANES; ++k)
            if (sample->position[i].z > m->plane[k])
                m->above[k] += m->mass[i] * m->gravity;
    return CAROM_OK;
}

static carom_status rows_of_profile(carom_measure *m, carom_error *err)
{
    (void)err;
    m->rows = m->planes_seen ? CAROM_MEASURE_PLANES : 0;
    return CAROM_OK;
}

static void finish_profile(carom_measure *m)
{
    carom_measure_table *t = &m->table;
    int n = CAROM_MEASURE_PLANES;
    snprintf(t->title, sizeof t->title, "Vertical force inside the packing");
    t->label = "vertical force";
    t->unit = "N";
    t->axis = 1;
    double *height = carom_measure_add_column(m, 0, "m", "height");
    double *above = carom_measure_add_column(m, 0, "N", "weight above");
    double *load = carom_measure_add_column(m, 2, "N", "measured");
    double *janssen = carom_measure_add_column(m, 1, "N", "Janssen");
    double *fluid = carom_measure_add_column(m, 1, "N", "no wall friction");
    for (int k = 0; k < n; ++k) {
        height[k] = m->plane[k];
        above[k] = fluid[k] = m->above[k] / m->planes_seen;
        load[k] = m->load[k] / m->planes_seen;
    }
    double saturation = carom_measure_fit_janssen(above, load, n), worst = 0, area = 0;
    for (int k = 0; k < n; ++k) {
        area += load[k] * (height[1] - height[0]);
        janssen[k] = -saturation * expm1(-above[k] / saturation);
        worst = fmax(worst, fabs(load[k] - janssen[k]));
    }
    // the lowest plane lies at the floor; the top quarter is left out for the surface
    carom_measure_line line = carom_measure_fit_line(height + 1, above + 1, 3 * n / 4);
    carom_measure_add_number(m, above[0], "N", "weight");
    carom_measure_add_number(m, load[0], "N", "load on the floor");
    carom_measure_add_number(m, load[0] / above[0], "", "load over weight");
    carom_measure_add_number(m, saturation, "N", "saturation");
    carom_measure_add_number(m, worst / saturation, "", "largest misfit over saturation");
    carom_measure_add_number(m, -line.b, "N/m", "weight per height");
    carom_measure_add_number(m, m->side_push / m->planes_seen, "N", "push on the side walls");
    carom_measure_add_number(m, m->side_hold / m->side_push, "", "friction used at the side walls");
    carom_measure_add_number(m, m->side_push / m->planes_seen / area, "1/m",
                             "push over force and height");
}

const carom_measure_method carom_measure_load_on_walls = { .forces = true,
                                                           .add = add_load,
                                                           .finish = finish_load };
const carom_measure_method carom_measure_load_inside = {
    .forces = true, .add = add_profile, .rows = rows_of_profile, .finish = finish_profile
};
