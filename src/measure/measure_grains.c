// What one sample tells about the grains: loads, stress over depth, temperature, height.
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
    double time = contact->impact ? sample->interval : sample->dt;
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
    double time = contact->impact ? sample->interval : sample->dt, push = 0;
    for (int k = 0; k < 3; ++k)
        push += contact->normal[k] * contact->impulse[k];
    m->side_push += time > 0 ? push / time : 0;
    m->side_hold += force_of(sample, contact) * (m->mass[contact->b] > 0 ? 1 : -1);
}

static void add_profile(carom_measure *m, const carom_measure_sample *sample)
{
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

// -- temperature --------------------------------------------------------------------------------

// Granular temperature as an energy: a third of the mean of m |v - V|^2.
static carom_status add_temperature(carom_measure *m, const carom_measure_sample *sample,
                                    carom_error *err)
{
    double mass = 0, sum = 0;
    int grains = 0;
    vec3 mean = { 0, 0, 0 };
    for (int i = 0; i < m->count; ++i) {
        mean = vec3_add(mean, vec3_scale(m->mass[i], sample->velocity[i]));
        mass += m->mass[i];
    }
    mean = vec3_scale(1 / mass, mean);
    for (int i = 0; i < m->count; ++i) {
        vec3 v = vec3_sub(sample->velocity[i], mean);
        sum += m->mass[i] * vec3_dot(v, v);
        grains += m->mass[i] > 0;
    }
    m->width = 2;
    return carom_measure_add_row(m, (double[]){ sample->time, sum / (3 * grains) }, err);
}

static void finish_temperature(carom_measure *m)
{
    carom_measure_table *t = &m->table;
    snprintf(t->title, sizeof t->title, "Cooling");
    t->label = "granular temperature";
    t->unit = "J";
    t->log_x = t->log_y = 1;
    double *time = carom_measure_add_column(m, 0, "s", "time");
    double *T = carom_measure_add_column(m, 2, "J", "measured");
    double *haff = carom_measure_add_column(m, 1, "J", "Haff's law");
    double *scratch = carom_measure_add_column(m, 0, "J", "free exponent");
    int first = 0, count = 0;
    for (int r = 0; r < m->rows; ++r)
        if (carom_measure_inside(m, time[r])) {
            first = count++ ? first : r;
        }
    carom_measure_cooling fit = carom_measure_fit_cooling(time + first, T + first, count, scratch);
    for (int r = 0; r < m->rows; ++r) {
        double u = 1 + (time[r] - time[first]) / fit.haff_tau;
        haff[r] = fit.haff_start / (u * u);
        scratch[r] = fit.start * pow(1 + (time[r] - time[first]) / fit.tau, -fit.exponent);
    }
    carom_measure_add_number(m, -fit.exponent, "", "exponent");
    carom_measure_add_number(m, fit.tau, "s", "time with that exponent");
    carom_measure_add_number(m, fit.haff_tau, "s", "Haff time");
    carom_measure_add_number(m, fit.haff_start, "J", "temperature at the start");
    carom_measure_add_number(m, (time[first + count - 1] - time[first]) / fit.haff_tau, "",
                             "Haff times seen");
}

// -- height -------------------------------------------------------------------------------------

static carom_status add_height(carom_measure *m, const carom_measure_sample *sample,
                               carom_error *err)
{
    double floor = HUGE_VAL, mass = 0, sum = 0;
    for (int i = 0; i < m->count; ++i) {
        if (!(m->mass[i] > 0))
            continue;
        floor = fmin(floor, sample->position[i].z - m->radius[i]);
        if (i == m->body)
            continue;
        mass += m->mass[i];
        sum += m->mass[i] * sample->position[i].z;
    }
    m->width = 4;
    return carom_measure_add_row(m,
                                 (double[]){ sample->time, sample->time * m->frequency,
                                             sample->position[m->body].z - floor,
                                             mass > 0 ? sum / mass - floor : (double)NAN },
                                 err);
}

static void finish_height(carom_measure *m)
{
    carom_measure_table *t = &m->table;
    snprintf(t->title, sizeof t->title, "Height of %.60s among the grains", m->options.body);
    t->label = "height above the lowest grain";
    t->unit = "m";
    t->axis = m->frequency > 0;
    double *time = carom_measure_add_column(m, 0, "s", "time");
    carom_measure_add_column(m, 0, "", "cycles");
    double *body = carom_measure_add_column(m, 1, "m", "%.40s", m->options.body);
    double *others = carom_measure_add_column(m, 1, "m", "mean of the others");
    int first = -1, last = 0;
    for (int r = 0; r < m->rows; ++r)
        if (carom_measure_inside(m, time[r])) {
            first = first < 0 ? r : first;
            last = r;
        }
    first = first < 0 ? 0 : first;
    carom_measure_add_number(m, body[first], "m", "height at the start");
    carom_measure_add_number(m, body[last], "m", "height at the end");
    carom_measure_add_number(m, body[last] / (2 * others[last]), "", "of the filling at the end");
    carom_measure_add_number(m, (time[last] - time[first]) * m->frequency, "", "cycles");
}

// -- all ----------------------------------------------------------------------------------------

carom_status carom_measure_grains_add(carom_measure *m, const carom_measure_sample *sample,
                                      carom_error *err)
{
    switch (m->options.of) {
    case CAROM_MEASURE_LOAD:
        return add_load(m, sample, err);
    case CAROM_MEASURE_TEMPERATURE:
        return add_temperature(m, sample, err);
    case CAROM_MEASURE_HEIGHT:
        return add_height(m, sample, err);
    case CAROM_MEASURE_PROFILE:
        if (carom_measure_inside(m, sample->time))
            add_profile(m, sample);
        return CAROM_OK;
    default:
        return CAROM_OK;
    }
}

void carom_measure_grains_finish(carom_measure *m)
{
    if (m->options.of == CAROM_MEASURE_LOAD)
        finish_load(m);
    else if (m->options.of == CAROM_MEASURE_PROFILE)
        finish_profile(m);
    else if (m->options.of == CAROM_MEASURE_TEMPERATURE)
        finish_temperature(m);
    else
        finish_height(m);
}
