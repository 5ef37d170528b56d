// What touches what: coordination, fabric, and how forces are distributed. All from the pairs of
// bodies that carry a force; several contacts of a pair are one.
//
// Coordination: neighbours per grain, walls included. Rattlers, grains with fewer than 4, carry
// nothing; they are taken out, again and again, until none is left [O'Hern, Silbert, Liu and Nagel
// 2003]. Without friction what is left is isostatic: 6 per grain. Where there is friction two
// neighbours can hold a grain.
//
// Fabric: the mean of n n^T over pairs of grains [Oda 1982; Satake 1982]: a third in each direction
// where contacts point everywhere alike.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "math/constants.h"
#include "measure/measure.h"
#include "scene/scene_world.h"

// -- pairs --------------------------------------------------------------------------------------

static int compare(const void *left, const void *right)
{
    const carom_measure_pair *l = left, *r = right;
    return l->a != r->a ? (l->a > r->a) - (l->a < r->a) : (l->b > r->b) - (l->b < r->b);
}

static carom_measure_pair pair_of(const carom_measure_sample *sample, const carom_world_contact *c)
{
    double time = carom_measure_time_of(sample, c);
    vec3 force = vec3_scale(time > 0 ? 1 / time : 0, vec3_from(c->impulse));
    double weight = vec3_length(force);
    return (carom_measure_pair){ .a = c->a,
                                 .b = c->b,
                                 .force = force,
                                 .point = vec3_scale(weight, vec3_from(c->point)),
                                 .normal = vec3_scale(weight, vec3_from(c->normal)) };
}

static carom_measure_pair add_up(const carom_measure_pair *list, int count)
{
    carom_measure_pair sum = list[0];
    double weight = vec3_length(list[0].force);
    for (int i = 1; i < count; ++i) {
        sum.force = vec3_add(sum.force, list[i].force);
        sum.point = vec3_add(sum.point, list[i].point);
        sum.normal = vec3_add(sum.normal, list[i].normal);
        weight += vec3_length(list[i].force);
    }
    sum.point = vec3_scale(1 / weight, sum.point);
    sum.normal = vec3_unit(sum.normal);
    return sum;
}

int carom_measure_contacts_pairs(carom_measure *m, const carom_measure_sample *sample)
{
    int count = 0, left = 0;
    if (sample->contact_count > m->pair_room) {
        void *room = realloc(m->pairs, (size_t)sample->contact_count * sizeof *m->pairs);
        if (!room)
            return -1;
        m->pairs = room;
        m->pair_room = sample->contact_count;
    }
    for (int i = 0; i < sample->contact_count; ++i) {
        carom_measure_pair pair = pair_of(sample, &sample->contacts[i]);
        if (vec3_length(pair.force) > 0)
            m->pairs[count++] = pair;
    }
    if (count)
        qsort(m->pairs, (size_t)count, sizeof *m->pairs, compare);
    for (int first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && compare(&m->pairs[first], &m->pairs[end]) == 0;)
            ++end;
        m->pairs[left++] = add_up(&m->pairs[first], end - first);
    }
    return left;
}

static bool is_in(const carom_measure *m, const carom_measure_pair *pair)
{
    return carom_measure_grid_cell(m, pair->point) >= 0;
}

// -- coordination -------------------------------------------------------------------------------

// per bin: grains with so many neighbours; those that are no rattlers
enum { ALL, HELD, COORDINATION_SUMS };

// Neighbours of a grain that is held.
static int least_held(const carom_measure *m)
{
    for (int i = 0; i < m->count; ++i)
        if (m->mass[i] > 0 && m->scene->materials[m->scene->members[i].body.material].friction > 0)
            return 2;
    return 4;
}

// Takes out rattlers; `neighbours` are those that are left.
static void take_out(const carom_measure *m, int count, int *neighbours, unsigned char *gone)
{
    int least = least_held(m);
    for (bool again = true; again;) { // ends: every round takes out some grain
        again = false;
        for (int i = 0; i < m->count; ++i)
            neighbours[i] = 0;
        for (int k = 0; k < count; ++k) {
            const carom_measure_pair *p = &m->pairs[k];
            neighbours[p->a] += !gone[p->b];
            neighbours[p->b] += !gone[p->a];
        }
        for (int i = 0; i < m->count; ++i)
            if (m->mass[i] > 0 && !gone[i] && neighbours[i] < least) {
                gone[i] = 1;
                again = true;
            }
    }
}

static void count_grains(carom_measure *m, const carom_measure_sample *sample,
                         const int *neighbours, const unsigned char *gone, int which)
{
    for (int i = 0; i < m->count; ++i) {
        if (!(m->mass[i] > 0) || gone[i] || carom_measure_grid_cell(m, sample->position[i]) < 0)
            continue;
        int bin = neighbours[i] < m->options.bins ? neighbours[i] : m->options.bins - 1;
        m->sums[COORDINATION_SUMS * bin + which] += 1;
    }
}

static carom_status add_coordination(carom_measure *m, const carom_measure_sample *sample,
                                     carom_error *err)
{
    int count = carom_measure_contacts_pairs(m, sample);
    int *neighbours = calloc((size_t)m->count, sizeof *neighbours);
    unsigned char *gone = calloc((size_t)m->count, 1);
    if (count >= 0 && neighbours && gone) {
        for (int k = 0; k < count; ++k) {
            ++neighbours[m->pairs[k].a];
            ++neighbours[m->pairs[k].b];
        }
        count_grains(m, sample, neighbours, gone, ALL);
        take_out(m, count, neighbours, gone);
        count_grains(m, sample, neighbours, gone, HELD);
    }
    bool failed = count < 0 || !neighbours || !gone;
    free(neighbours);
    free(gone);
    return failed ? carom_error_no_memory(err, "the contacts of a sample") : CAROM_OK;
}

static void finish_coordination(carom_measure *m)
{
    carom_measure_table *t = &m->table;
    snprintf(t->title, sizeof t->title, "Coordination");
    t->label = "share of the grains";
    t->unit = "";
    double *z = carom_measure_add_column(m, 0, "", "neighbours");
    double *all = carom_measure_add_column(m, 2, "", "all grains");
    double *held = carom_measure_add_column(m, 2, "", "without rattlers");
    double grains[COORDINATION_SUMS] = { 0 }, ends[COORDINATION_SUMS] = { 0 };
    int top = 1;
    for (int r = 0; r < m->rows; ++r)
        for (int k = 0; k < COORDINATION_SUMS; ++k) {
            double sum = m->sums[COORDINATION_SUMS * r + k];
            grains[k] += sum;
            ends[k] += r * sum;
            top = sum > 0 && r > top ? r : top;
        }
    m->rows = t->rows = top + 1;
    for (int r = 0; r < m->rows; ++r) {
        z[r] = r;
        all[r] = m->sums[COORDINATION_SUMS * r + ALL] / grains[ALL];
        held[r] = m->sums[COORDINATION_SUMS * r + HELD] / fmax(grains[HELD], 1);
    }
    carom_measure_add_number(m, ends[ALL] / grains[ALL], "", "coordination number");
    carom_measure_add_number(m, ends[HELD] / grains[HELD], "", "without rattlers");
    carom_measure_add_number(m, 1 - grains[HELD] / grains[ALL], "", "share of rattlers");
    carom_measure_add_number(m, grains[ALL] / m->samples, "", "grains");
}

// -- fabric -------------------------------------------------------------------------------------

// per bin of the angle to the vertical: pairs, then, in the first bin only, sums of n n^T
enum { ANGLE, TENSOR, FABRIC_SUMS = TENSOR + 6 };

static carom_status add_fabric(carom_measure *m, const carom_measure_sample *sample,
                               carom_error *err)
{
    int count = carom_measure_contacts_pairs(m, sample);
    if (count < 0)
        return carom_error_no_memory(err, "the contacts of a sample");
    for (int k = 0; k < count; ++k) {
        vec3 n = m->pairs[k].normal;
        bool grains = m->mass[m->pairs[k].a] > 0 && m->mass[m->pairs[k].b] > 0;
        if (!grains || !is_in(m, &m->pairs[k]))
            continue;
        int bin = (int)(fabs(n.z) * m->options.bins); // equal steps of the cosine: equal areas
        bin = bin < m->options.bins ? bin : m->options.bins - 1;
        m->sums[FABRIC_SUMS * bin + ANGLE] += 1;
        const double terms[6] = {
            n.x * n.x, n.y * n.y, n.z * n.z, n.x * n.y, n.x * n.z, n.y * n.z
        };
        for (int c = 0; c < 6; ++c)
            m->sums[TENSOR + c] += terms[c];
    }
    return CAROM_OK;
}

static void finish_fabric(carom_measure *m)
{
    static const char *const names[] = { "xx", "yy", "zz", "xy", "xz", "yz" };
    carom_measure_table *t = &m->table;
    snprintf(t->title, sizeof t->title, "Directions of contacts");
    t->label = "contacts over all directions alike";
    t->unit = "";
    double *angle = carom_measure_add_column(m, 0, "degrees", "angle to the vertical");
    double *found = carom_measure_add_column(m, 2, "", "measured");
    double *even = carom_measure_add_column(m, 1, "", "all directions alike");
    double pairs = 0, squares = 0;
    for (int r = 0; r < m->rows; ++r)
        pairs += m->sums[FABRIC_SUMS * r + ANGLE];
    for (int r = 0; r < m->rows; ++r) {
        angle[r] = acos((r + 0.5) / m->rows) * CAROM_DEGREES_PER_RADIAN;
        found[r] = m->sums[FABRIC_SUMS * r + ANGLE] / pairs * m->rows;
        even[r] = 1;
    }
    for (int c = 0; c < 6; ++c) {
        double value = m->sums[TENSOR + c] / pairs, off = value - (c < 3 ? 1.0 / 3 : 0);
        carom_measure_add_number(m, value, "", "fabric %s", names[c]);
        squares += (c < 3 ? 1 : 2) * off * off;
    }
    carom_measure_add_number(m, sqrt(1.5 * squares), "", "deviator");
    carom_measure_add_number(m, pairs / m->samples, "", "contacts");
}

// -- forces -------------------------------------------------------------------------------------

#define FORCE_RANGE 8.0 // means

static double normal_force(const carom_measure_pair *pair)
{
    return fmax(0, vec3_dot(pair->force, pair->normal));
}

// The mean belongs to its sample: bins count forces over the mean.
static carom_status add_forces(carom_measure *m, const carom_measure_sample *sample,
                               carom_error *err)
{
    int count = carom_measure_contacts_pairs(m, sample), inside = 0;
    if (count < 0)
        return carom_error_no_memory(err, "the contacts of a sample");
    double mean = 0;
    for (int k = 0; k < count; ++k)
        if (is_in(m, &m->pairs[k])) {
            m->force_max = fmax(m->force_max, normal_force(&m->pairs[k]));
            mean += normal_force(&m->pairs[k]);
            ++inside;
        }
    mean /= inside ? inside : 1;
    m->force_mean += mean;
    for (int k = 0; k < count; ++k) {
        double share = normal_force(&m->pairs[k]) / mean * m->options.bins / FORCE_RANGE;
        if (is_in(m, &m->pairs[k]) && share < m->options.bins)
            m->sums[(int)share] += 1;
    }
    m->force_count += inside;
    return CAROM_OK;
}

static void finish_forces(carom_measure *m)
{
    carom_measure_table *t = &m->table;
    snprintf(t->title, sizeof t->title, "Normal forces of contacts");
    t->label = "probability density";
    t->unit = "";
    t->log_y = 1;
    double *force = carom_measure_add_column(m, 0, "", "force over mean");
    double *found = carom_measure_add_column(m, 2, "", "measured");
    double *known = carom_measure_add_column(m, 1, "", "exponential");
    double contacts = m->force_count, width = FORCE_RANGE / m->rows, small = 0;
    double *x = m->columns + 3 * (size_t)m->rows, *y = x + m->rows;
    int count = 0;
    for (int r = 0; r < m->rows; ++r) {
        force[r] = (r + 0.5) * width;
        found[r] = m->sums[r] > 0 ? m->sums[r] / contacts / width : (double)NAN;
        known[r] = exp(-force[r]);
        small += force[r] < 1 ? m->sums[r] / contacts : 0;
        if (force[r] > 1 && m->sums[r] > 0) {
            x[count] = force[r];
            y[count++] = log(found[r]);
        }
    }
    carom_measure_add_number(m, m->force_mean / m->samples, "N", "mean");
    carom_measure_add_number(m, m->force_max, "N", "largest");
    carom_measure_add_number(m, -carom_measure_fit_line(x, y, count).b, "", "decay above the mean");
    carom_measure_add_number(m, small, "", "share below the mean");
    carom_measure_add_number(m, contacts / m->samples, "", "contacts");
}

#define WHOLE .cells = { 1, 1, 1 } // a box without cells
const carom_measure_method carom_measure_contacts_coordination = { .forces = true,
                                                                   .last = true,
                                                                   WHOLE,
                                                                   .bins = 40,
                                                                   .width = COORDINATION_SUMS,
                                                                   .add = add_coordination,
                                                                   .finish = finish_coordination };
const carom_measure_method carom_measure_contacts_fabric = { .forces = true,
                                                             .last = true,
                                                             WHOLE,
                                                             .bins = 40,
                                                             .width = FABRIC_SUMS,
                                                             .add = add_fabric,
                                                             .finish = finish_fabric };
const carom_measure_method carom_measure_contacts_forces = { .forces = true,
                                                             .last = true,
                                                             WHOLE,
                                                             .bins = 40,
                                                             .width = 1,
                                                             .add = add_forces,
                                                             .finish = finish_forces };
