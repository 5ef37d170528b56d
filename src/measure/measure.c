// Measurements: bodies sorted into grains and walls, samples from worlds and trajectories, and the
// table they end in.
#include "measure/measure.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "scene/scene_servo.h"
#include "world/world.h"
#include "world/world_periodic.h"

static const carom_measure_method *const methods[CAROM_MEASURE_COUNT] = {
    [CAROM_MEASURE_LOAD] = &carom_measure_load_on_walls,
    [CAROM_MEASURE_PROFILE] = &carom_measure_load_inside,
    [CAROM_MEASURE_TEMPERATURE] = &carom_measure_motion_temperature,
    [CAROM_MEASURE_RUNOUT] = &carom_measure_runout,
    [CAROM_MEASURE_HEIGHT] = &carom_measure_motion_height,
    [CAROM_MEASURE_PACKING] = &carom_measure_volume_packing,
    [CAROM_MEASURE_DENSITY] = &carom_measure_volume_density,
    [CAROM_MEASURE_COORDINATION] = &carom_measure_contacts_coordination,
    [CAROM_MEASURE_FABRIC] = &carom_measure_contacts_fabric,
    [CAROM_MEASURE_FORCES] = &carom_measure_contacts_forces,
    [CAROM_MEASURE_STRESS] = &carom_measure_stress,
    [CAROM_MEASURE_DISTANCES] = &carom_measure_distances,
    [CAROM_MEASURE_VELOCITY] = &carom_measure_motion_velocity,
    [CAROM_MEASURE_DISPLACEMENT] = &carom_measure_motion_displacement,
    [CAROM_MEASURE_DISSIPATION] = &carom_measure_dissipation,
};

// -- bodies -------------------------------------------------------------------------------------

static int find_group(carom_measure *m, const carom_scene_member *member)
{
    if (member->number < 0 || !member->name)
        return -1;
    for (int g = 0; g < m->group_count; ++g)
        if (strcmp(m->group_name[g], member->name) == 0)
            return g;
    if (m->group_count == CAROM_MEASURE_GROUPS)
        return -1;
    m->group_name[m->group_count] = member->name;
    return m->group_count++;
}

static void weigh(carom_measure *m, int i, const carom_body *body)
{
    m->volume[i] = carom_shape_mass(body->shape).volume;
    m->mass[i] = body->mass > 0 ? body->mass : body->density * m->volume[i];
}

// What is to be poured in counts from when it moves.
static void leave_out_waiting(carom_measure *m)
{
    for (int i = 0; m->scene->pours && i < m->count; ++i) {
        carom_body body = carom_scene_world_body(m->scene, i);
        double at[3];
        if (m->scene->members[i].born < 0)
            continue;
        vec3_store(m->position[i], at);
        weigh(m, i, &body);
        if (memcmp(at, body.position, sizeof at) == 0)
            m->volume[i] = m->mass[i] = 0;
    }
}

static void sort_body(carom_measure *m, int i)
{
    const carom_scene_member *member = &m->scene->members[i];
    carom_body body = carom_scene_world_body(m->scene, i);
    bool plane = carom_shape_kind_of(body.shape) == CAROM_SHAPE_PLANE;
    m->radius[i] = plane ? 0 : carom_shape_radius(body.shape);
    if (body.kind == CAROM_BODY_MOVING && !carom_scene_servo_drives(m->scene, i)) {
        weigh(m, i, &body);
        m->group[i] = find_group(m, member);
        return;
    }
    m->group[i] = -1;
    if (m->wall_count < CAROM_MEASURE_WALLS)
        m->wall[m->wall_count++] = i;
    if (body.kind == CAROM_BODY_DRIVEN && body.drive.frequency > 0)
        m->frequency = body.drive.frequency;
}

static carom_status prepare(carom_measure *m, carom_error *err)
{
    size_t n = (size_t)m->count;
    m->mass = calloc(n, sizeof *m->mass);
    m->radius = calloc(n, sizeof *m->radius);
    m->volume = calloc(n, sizeof *m->volume);
    m->group = calloc(n, sizeof *m->group);
    m->position = calloc(3 * n, sizeof *m->position);
    if (!m->mass || !m->radius || !m->volume || !m->group || !m->position)
        return carom_error_no_memory(err, "the measures of %d bodies", m->count);
    m->velocity = m->position + n;
    m->start = m->position + 2 * n;
    m->period = carom_world_periodic_box(&m->scene->options);
    int grains = 0;
    for (int i = 0; i < m->count; ++i) {
        sort_body(m, i);
        grains += m->mass[i] > 0;
    }
    if (!grains) {
        carom_error_set(err, CAROM_BAD_INPUT, "the scene has no moving body");
        return carom_error_fix(err, "use a scene with grains");
    }
    if (m->options.of != CAROM_MEASURE_HEIGHT)
        return CAROM_OK;
    m->body = m->options.body ? carom_scene_world_find(m->scene, m->options.body) : -1;
    if (m->body < 0) {
        carom_error_set(err, CAROM_BAD_INPUT, "there is no body \"%.60s\"",
                        m->options.body ? m->options.body : "");
        return carom_error_fix(err, "name the body whose height is measured");
    }
    return CAROM_OK;
}

static double default_from(const carom_measure *m)
{
    int64_t change = carom_scene_world_first_change(m->scene);
    if (m->options.of != CAROM_MEASURE_RUNOUT || m->options.from > 0 || change < 0)
        return m->options.from;
    return (double)change * carom_scene_world_step(m->scene);
}

static carom_status check_options(const carom_measure_options *o, carom_error *err)
{
    double cells = 1;
    for (int k = 0; k < 3; ++k) {
        cells *= o->cells[k] > 0 ? o->cells[k] : 20;
        if (o->cells[k] < 0 || cells > 1e6)
            return carom_error_set(err, CAROM_BAD_INPUT, "%d x %d x %d cells cannot be measured",
                                   o->cells[0], o->cells[1], o->cells[2]);
    }
    bool given = false, sound = true;
    for (int k = 0; k < 3; ++k) {
        given = given || o->box[k] != 0 || o->box[k + 3] != 0;
        sound = sound && o->box[k + 3] > o->box[k] && isfinite(o->box[k] + o->box[k + 3]);
    }
    if (given && !sound) {
        carom_error_set(err, CAROM_BAD_INPUT, "the box to look at has no volume");
        return carom_error_fix(err, "give its low corner, then its high one: x y z x y z");
    }
    if (o->bins < 0 || o->bins > 100000)
        return carom_error_set(err, CAROM_BAD_INPUT, "%d bins cannot be drawn", o->bins);
    return CAROM_OK;
}

static carom_status begin(carom_measure *m, carom_error *err)
{
    if ((unsigned)m->options.of >= CAROM_MEASURE_COUNT)
        return carom_error_set(err, CAROM_BAD_INPUT, "there is no measure %d", (int)m->options.of);
    m->method = methods[m->options.of];
    if (!m->method) {
        carom_error_set(err, CAROM_BAD_INPUT, "a shock is measured in a chain");
        return carom_error_fix(err, "use a file of kind \"chain\"");
    }
    TRY(check_options(&m->options, err));
    m->options.from = default_from(m);
    m->options.to = m->options.to > 0 ? m->options.to : HUGE_VAL;
    m->options.bins = m->options.bins > 0 ? m->options.bins : m->method->bins;
    m->count = carom_scene_world_body_count(m->scene);
    m->started = m->last = -1;
    m->gravity = vec3_length(vec3_from(carom_scene_world_options(m->scene).gravity));
    return prepare(m, err);
}

carom_status carom_measure_create(const carom_scene_world *scene,
                                  const carom_measure_options *options, carom_measure **out,
                                  carom_error *err)
{
    NEED(err, scene, options, out);
    carom_measure *m = *out = calloc(1, sizeof *m);
    if (!m)
        return carom_error_no_memory(err, "a measurement");
    m->scene = scene;
    m->options = *options;
    carom_status status = begin(m, err);
    if (status != CAROM_OK) {
        carom_measure_destroy(m);
        *out = NULL;
    }
    return status;
}

void carom_measure_destroy(carom_measure *m)
{
    if (!m)
        return;
    free(m->mass);
    free(m->radius);
    free(m->volume);
    free(m->group);
    free(m->position);
    free(m->row);
    free(m->contacts);
    free(m->sums);
    free(m->scratch);
    free(m->pairs);
    free(m->columns);
    free(m);
}

// -- samples ------------------------------------------------------------------------------------

bool carom_measure_inside(const carom_measure *m, double time)
{
    double slack = 1e-9 * (1 + time);
    return time >= m->options.from - slack && time <= m->options.to + slack;
}

static int row_count(const carom_measure *m)
{
    return m->method->bins ? m->options.bins : carom_measure_grid_count(m);
}

static carom_status make_sums(carom_measure *m, carom_error *err)
{
    carom_measure_grid_place(m, m->position);
    m->sums = calloc((size_t)row_count(m) * (size_t)m->method->width, sizeof *m->sums);
    m->scratch = calloc(4 * (size_t)carom_measure_grid_count(m), sizeof *m->scratch);
    if (!m->sums || !m->scratch)
        return carom_error_no_memory(err, "%d sums", row_count(m));
    return CAROM_OK;
}

static carom_status add(carom_measure *m, double time, double dt,
                        const carom_world_contact *contacts, int count, carom_error *err)
{
    leave_out_waiting(m);
    carom_measure_sample sample = { .time = time,
                                    .interval = m->last < 0 ? time : time - m->last,
                                    .dt = dt,
                                    .position = m->position,
                                    .velocity = m->velocity,
                                    .contacts = contacts,
                                    .contact_count = count };
    m->last = time;
    if (!m->method->width)
        return m->method->add(m, &sample, err);
    if (!carom_measure_inside(m, time))
        return CAROM_OK;
    if (!m->samples++)
        TRY(make_sums(m, err));
    return m->method->add(m, &sample, err);
}

carom_status carom_measure_look(carom_measure *m, carom_world *world, double dt, carom_error *err)
{
    NEED(err, m, world);
    int count = 0;
    const carom_world_contact *contacts = carom_world_contacts(world, &count);
    for (int i = 0; i < m->count; ++i) {
        double state[CAROM_FRAME_STRIDE];
        carom_world_bodies_state(world, i, state);
        m->position[i] = vec3_from(state + CAROM_FRAME_POSITION);
        m->velocity[i] = vec3_from(state + CAROM_FRAME_VELOCITY);
    }
    carom_status status = add(m, carom_world_ledger(world).time, dt, contacts, count, err);
    carom_world_contacts_clear(world);
    return status;
}

static carom_status read_contacts(carom_measure *m, const carom_trajectory *trajectory,
                                  int64_t frame, int *count, carom_error *err)
{
    *count = carom_trajectory_contact_count(trajectory, frame);
    if (*count > m->contact_room) {
        void *room = realloc(m->contacts, (size_t)*count * sizeof *m->contacts);
        if (!room)
            return carom_error_no_memory(err, "%d contacts", *count);
        m->contacts = room;
        m->contact_room = *count;
    }
    return *count ? carom_trajectory_contacts(trajectory, frame, m->contacts, err) : CAROM_OK;
}

carom_status carom_measure_trajectory(carom_measure *m, const carom_trajectory *trajectory,
                                      carom_error *err)
{
    NEED(err, m);
    int64_t count = carom_trajectory_frame_count(trajectory);
    if (m->method->forces && !carom_scene_world_output(m->scene).contacts) {
        carom_error_set(err, CAROM_BAD_INPUT, "the trajectory has no contacts");
        return carom_error_fix(err, "run the scene with --set output.contacts=true, or with "
                                    "\"contacts\": true in its output");
    }
    carom_frame end;
    if (m->method->last && m->options.from == 0 && m->options.to == HUGE_VAL && count > 0) {
        TRY(carom_trajectory_frame(trajectory, count - 1, &end, err));
        m->options.from = end.time;
    }
    for (int64_t k = 0; k < count; ++k) {
        carom_frame frame;
        int contacts = 0;
        TRY(carom_trajectory_frame(trajectory, k, &frame, err));
        if (frame.body_count != m->count)
            return carom_error_set(err, CAROM_BAD_INPUT, "the trajectory has %d bodies, not %d",
                                   frame.body_count, m->count);
        for (int i = 0; i < m->count; ++i) {
            m->position[i] = vec3_from(frame.bodies + CAROM_FRAME_STRIDE * (size_t)i);
            m->velocity[i] =
                vec3_from(frame.bodies + CAROM_FRAME_STRIDE * (size_t)i + CAROM_FRAME_VELOCITY);
        }
        if (m->method->forces)
            TRY(read_contacts(m, trajectory, k, &contacts, err));
        TRY(add(m, frame.time, carom_scene_world_step(m->scene), m->contacts, contacts, err));
    }
    return CAROM_OK;
}

// -- the table ----------------------------------------------------------------------------------

carom_status carom_measure_add_row(carom_measure *m, const double *numbers, carom_error *err)
{
    if (m->rows == m->room) {
        int room = m->room ? 2 * m->room : 256;
        double *row = realloc(m->row, (size_t)room * (size_t)m->width * sizeof *row);
        if (!row)
            return carom_error_no_memory(err, "%d rows", room);
        m->row = row;
        m->room = room;
    }
    memcpy(m->row + (size_t)m->rows * (size_t)m->width, numbers,
           (size_t)m->width * sizeof *numbers);
    ++m->rows;
    return CAROM_OK;
}

double *carom_measure_add_column(carom_measure *m, int shown, const char *unit, const char *name,
                                 ...)
{
    carom_measure_table *t = &m->table;
    carom_measure_column *column = &t->columns[t->column_count];
    double *values = m->columns + (size_t)t->column_count++ * (size_t)m->rows;
    va_list list;
    va_start(list, name);
    vsnprintf(column->name, sizeof column->name, name, list);
    va_end(list);
    column->unit = unit;
    column->shown = shown;
    column->values = values;
    return values;
}

void carom_measure_add_number(carom_measure *m, double value, const char *unit, const char *name,
                              ...)
{
    carom_measure_number *number = &m->table.numbers[m->table.number_count++];
    va_list list;
    va_start(list, name);
    vsnprintf(number->name, sizeof number->name, name, list);
    va_end(list);
    number->unit = unit;
    number->value = value;
}

static void transpose(carom_measure *m)
{
    for (int c = 0; c < m->width; ++c)
        for (int r = 0; r < m->rows; ++r)
            m->columns[(size_t)c * (size_t)m->rows + (size_t)r] =
                m->row[(size_t)r * (size_t)m->width + (size_t)c];
}

carom_status carom_measure_finish(carom_measure *m, const carom_measure_table **table,
                                  carom_error *err)
{
    NEED(err, m, table);
    *table = &m->table;
    if (!m->method && m->columns)
        return CAROM_OK; // a chain: complete since it was looked at
    if (m->method && m->method->rows)
        TRY(m->method->rows(m, err));
    if (m->method && m->method->width)
        m->rows = m->samples ? row_count(m) : 0;
    if (m->rows == 0) {
        carom_error_set(err, CAROM_BAD_INPUT, "there is nothing to measure between %g and %g s",
                        m->options.from, m->options.to);
        return carom_error_fix(err, "choose other times");
    }
    free(m->columns);
    m->columns = calloc((size_t)m->rows * CAROM_MEASURE_COLUMNS, sizeof *m->columns);
    if (!m->columns)
        return carom_error_no_memory(err, "%d rows", m->rows);
    m->table = (carom_measure_table){ .rows = m->rows };
    if (m->row)
        transpose(m);
    if (m->method)
        m->method->finish(m);
    return CAROM_OK;
}

double carom_measure_value(const carom_measure_table *table, const char *name)
{
    if (!table)
        return 0;
    for (int i = 0; i < table->number_count; ++i)
        if (strcmp(table->numbers[i].name, name) == 0)
            return table->numbers[i].value;
    return NAN;
}
