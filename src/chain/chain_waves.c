// Exact waves in a row of bars [EC, section 3, eqs 14, 15, figs 9, 10].
//
// In a bar of length l, sound speed c and impedance Z = A sqrt(E rho), velocity and compressive
// force are
//     v = R + L,   F = Z (R - L),
// R travels to the right and L to the left, both unchanged, so what enters at one face leaves at
// the other l/c later. Bars start undeformed with uniform velocities, hence R and L stay piecewise
// constant and everything happens at discrete instants: a front reaches a face, or a gap closes. At
// a face:
//     free         the wave returns as it came:           L = R at a right face, R = L at a left
//     face wall         it returns with v = 0:                 L = -R two bars     r = (Za -
//     Zb)/(Za + Zb):               La = r Ra + (1 - r) Lb,  Rb = (1 + r) Ra - r Lb,
//                  F = 2 Za Zb/(Za + Zb) (Ra - Lb)
// A closed contact whose force would be negative opens, and a gap of zero whose bars approach
// closes: both are the sign of Ra - Lb. The energy per length is rho A (R^2 + L^2). Nothing is
// rounded but the floating-point sums: fronts that meet within a few units in the last place are
// taken together.
#include "chain/chain_waves.h"

#include <math.h>
#include <string.h>
#include "chain/chain_trace.h"
#include "math/constants.h"

#define TOGETHER 1e-12 // of the shortest transit: arrivals closer than this are one instant
#define STILL 1e-13    // of the fastest speed: round-off
#define EVENTS_MAX 2000000

typedef struct front {
    double entered; // s
    double value;   // m/s: of the wave from this front on
} front;

// A travelling wave in one bar: a queue of fronts between the face where they enter and the other.
typedef struct stream {
    front *fronts; // ring buffer
    size_t head, count, capacity;
    double leaving;  // value that arrives at the far face now
    double entering; // value that enters now
} stream;

typedef struct bar {
    bool wall;
    double length, transit, impedance, mass;
    double position, velocity; // centre of mass at waves.time
    stream right, left;        // R enters at the left face, L at the right face
} bar;

typedef struct meeting {
    double gap, rate; // m, m/s at waves.time
    double force;     // N, constant until the next event
    double rest;      // m: distance of centres when unloaded and touching
    double since;
    bool loaded;
} meeting;

typedef struct waves {
    size_t bars, contacts;
    bar *bar;
    meeting *meeting;
    carom_chain_trace trace;
    carom_chain_touch *touch;
    carom_arena *arena;
    double time, together, fastest, energy_before;
} waves;

static carom_status supported(const carom_chain *chain, carom_error *err);
static carom_status prepare(waves *w, const carom_chain *chain, carom_chain_result *result,
                            carom_error *err);
static double next_event(const waves *w);
static void move_to(waves *w, double time);
static carom_status settle(waves *w, carom_error *err);
static bool separated(const waves *w);
static void watch_until(waves *w, double time);
static void record_now(waves *w);
static double bar_energy(const waves *w, const bar *b);
static double bar_velocity(const waves *w, const bar *b);

// What one event looks at: the fronts on their way, and the bars.
static double pieces(const waves *w)
{
    double sum = (double)w->bars;
    for (size_t b = 0; b < w->bars; b++)
        sum += (double)(w->bar[b].right.count + w->bar[b].left.count);
    return sum;
}

carom_status carom_chain_waves_run(const carom_chain *chain, carom_chain_result *result,
                                   carom_error *err)
{
    waves w = { .touch = carom_chain_result_touch(result) };
    TRY(supported(chain, err));
    TRY(prepare(&w, chain, result, err));
    double end = chain->duration > 0 ? chain->duration : HUGE_VAL;
    size_t max = chain->max_steps < EVENTS_MAX ? chain->max_steps : EVENTS_MAX;
    result->exit = CAROM_CHAIN_EXIT_STEPS;
    TRY(settle(&w, err));
    record_now(&w);
    while (result->steps < max && (chain->work_max == 0 || result->work < chain->work_max)) {
        result->work += pieces(&w);
        if (!(chain->duration > 0) && separated(&w)) {
            result->exit = CAROM_CHAIN_EXIT_SEPARATED;
            break;
        }
        double next = next_event(&w);
        if (next >= end || isinf(next)) {
            if (isfinite(end))
                watch_until(&w, end);
            result->exit = isfinite(end) ? CAROM_CHAIN_EXIT_DURATION : CAROM_CHAIN_EXIT_SEPARATED;
            break;
        }
        watch_until(&w, next);
        bool due = carom_chain_trace_due(&w.trace, w.time);
        if (due)
            record_now(&w); // forces jump: once before, once after
        TRY(settle(&w, err));
        if (due)
            record_now(&w);
        result->steps++;
    }
    if (chain->work_max > 0 && result->work >= chain->work_max)
        result->exit = CAROM_CHAIN_EXIT_WORK;
    record_now(&w);
    for (size_t c = 0; c < w.contacts; c++)
        if (w.meeting[c].loaded)
            w.touch[c].closed_time += w.time - w.meeting[c].since;
    for (size_t b = 0; b < w.bars; b++) {
        double energy = bar_energy(&w, &w.bar[b]);
        double velocity = bar_velocity(&w, &w.bar[b]);
        double kinetic = w.bar[b].wall ? 0 : w.bar[b].mass * velocity * velocity / 2;
        carom_chain_result_set_body(result, b, velocity, fmax(energy - kinetic, 0));
        result->energy_after += energy;
    }
    result->exact = true;
    result->attempts = 1;
    result->events = result->steps;
    result->time = w.time;
    result->energy_before = w.energy_before;
    if (w.energy_before > 0)
        result->energy_error = fabs(result->energy_after / w.energy_before - 1);
    result->accurate = result->energy_error <= chain->tolerance;
    return carom_chain_trace_history(&w.trace, carom_chain_result_arena(result), &result->history,
                                     err);
}

static carom_status supported(const carom_chain *chain, carom_error *err)
{
    for (size_t b = 0; b < chain->body_count; b++) {
        const carom_chain_body *body = &chain->bodies[b];
        bool bare = b + 1 == chain->body_count || chain->contacts[b].stiffness == 0;
        bool cylinder = body->kind == CAROM_CHAIN_CYLINDER && body->damping == 0;
        if (bare && (cylinder || body->kind == CAROM_CHAIN_WALL))
            continue;
        carom_error_set(err, CAROM_UNSUPPORTED,
                        "exact waves need undamped cylinders that meet bare");
        carom_error_where(err, bare ? "body %zu" : "contact %zu", b);
        return carom_error_fix(
            err, "use cylinders without damping and no contact stiffness, or the sliced model");
    }
    return CAROM_OK;
}

static carom_status prepare_bar(waves *w, const carom_chain_body *body, bar *b, carom_error *err)
{
    *b = (bar){ .wall = body->kind == CAROM_CHAIN_WALL, .mass = carom_chain_body_mass(body) };
    b->velocity = body->velocity;
    b->right.entering = b->right.leaving = b->left.entering = b->left.leaving = body->velocity / 2;
    w->fastest = fmax(w->fastest, fabs(body->velocity));
    if (b->wall)
        return CAROM_OK;
    b->length = body->length;
    b->transit = body->length / carom_chain_body_sound(body);
    b->impedance = CAROM_PI * body->radius * body->radius * sqrt(body->young * body->density);
    stream *both[] = { &b->right, &b->left };
    for (int s = 0; s < 2; s++) {
        both[s]->capacity = 64;
        TAKE(w->arena, both[s]->fronts, both[s]->capacity, err);
    }
    return CAROM_OK;
}

static carom_status prepare(waves *w, const carom_chain *chain, carom_chain_result *result,
                            carom_error *err)
{
    w->arena = carom_chain_result_scratch(result);
    w->bars = chain->body_count;
    w->contacts = w->bars - 1;
    TAKE(w->arena, w->bar, w->bars, err);
    TAKE_ZEROS(w->arena, w->meeting, w->contacts, err);
    size_t *points;
    TAKE(w->arena, points, w->bars, err);
    double x = 0;
    w->together = HUGE_VAL;
    for (size_t b = 0; b < w->bars; b++) {
        TRY(prepare_bar(w, &chain->bodies[b], &w->bar[b], err));
        points[b] = w->bar[b].wall ? 2 : chain->points;
        w->bar[b].position = x + w->bar[b].length / 2;
        x += w->bar[b].length;
        if (!w->bar[b].wall)
            w->together = fmin(w->together, TOGETHER * w->bar[b].transit);
        if (b == w->contacts)
            break;
        x += chain->contacts[b].gap;
        w->meeting[b].gap = chain->contacts[b].gap;
        w->meeting[b].rest =
            (w->bar[b].length + carom_chain_body_length(&chain->bodies[b + 1])) / 2;
        w->touch[b] =
            (carom_chain_touch){ .first_touch = (double)NAN, .last_release = (double)NAN };
    }
    for (size_t b = 0; b < w->bars; b++)
        w->energy_before += bar_energy(w, &w->bar[b]);
    return carom_chain_trace_create(w->bars, points, chain->samples, w->arena, &w->trace, err);
}

// -- streams --------------------------------------------------------------------------------------

static front *front_at(const stream *s, size_t index)
{
    return &s->fronts[(s->head + index) % s->capacity];
}

// From now on `value` enters. A repeated value is no front.
static carom_status enter(waves *w, stream *s, double value, carom_error *err)
{
    if (value == s->entering)
        return CAROM_OK;
    s->entering = value;
    if (s->count && front_at(s, s->count - 1)->entered == w->time) {
        front_at(s, s->count - 1)->value = value;
        return CAROM_OK;
    }
    if (s->count == s->capacity) {
        front *larger;
        TAKE(w->arena, larger, 2 * s->capacity, err);
        for (size_t i = 0; i < s->count; i++)
            larger[i] = *front_at(s, i);
        s->fronts = larger;
        s->capacity *= 2;
        s->head = 0;
    }
    s->fronts[(s->head + s->count++) % s->capacity] = (front){ w->time, value };
    return CAROM_OK;
}

// Takes out the fronts that have arrived by now.
static void arrive(const waves *w, const bar *b, stream *s)
{
    while (s->count && s->fronts[s->head].entered + b->transit <= w->time + w->together) {
        s->leaving = s->fronts[s->head].value;
        s->head = (s->head + 1) % s->capacity;
        s->count--;
    }
}

// The mean of value^power over the part from..to (0 to 1) of the way from where the stream enters.
static double stream_mean(const waves *w, const bar *b, const stream *s, const double part[2],
                          int power)
{
    double start = w->time - part[1] * b->transit; // entry time of what is farthest along
    double end = w->time - part[0] * b->transit;
    double sum = 0;
    double value = s->leaving;
    double since = start;
    for (size_t i = 0; i <= s->count && since < end; i++) {
        double until = i < s->count ? fmin(front_at(s, i)->entered, end) : end;
        if (until > since) {
            sum += (power == 1 ? value : value * value) * (until - since);
            since = until;
        }
        if (i < s->count)
            value = front_at(s, i)->value;
    }
    return sum / (end - start);
}

// Mean velocity between the parts x0 and x1 of a bar, and mean strain (R - L) / c there.
static double part_velocity(const waves *w, const bar *b, double x0, double x1)
{
    return stream_mean(w, b, &b->right, (double[]){ x0, x1 }, 1) +
           stream_mean(w, b, &b->left, (double[]){ 1 - x1, 1 - x0 }, 1);
}

static double part_strain(const waves *w, const bar *b, double x0, double x1)
{
    double difference = stream_mean(w, b, &b->right, (double[]){ x0, x1 }, 1) -
                        stream_mean(w, b, &b->left, (double[]){ 1 - x1, 1 - x0 }, 1);
    return difference * b->transit / b->length;
}

static const double whole[2] = { 0, 1 };

static double bar_energy(const waves *w, const bar *b)
{
    if (b->wall)
        return 0;
    return b->mass *
           (stream_mean(w, b, &b->right, whole, 2) + stream_mean(w, b, &b->left, whole, 2));
}

static double bar_velocity(const waves *w, const bar *b)
{
    if (b->wall)
        return 0;
    return part_velocity(w, b, 0, 1);
}

// -- events ---------------------------------------------------------------------------------------

static double next_event(const waves *w)
{
    double next = HUGE_VAL;
    for (size_t b = 0; b < w->bars; b++) {
        const stream *both[] = { &w->bar[b].right, &w->bar[b].left };
        for (int s = 0; s < 2; s++)
            if (both[s]->count)
                next = fmin(next, both[s]->fronts[both[s]->head].entered + w->bar[b].transit);
    }
    for (size_t c = 0; c < w->contacts; c++) {
        const meeting *m = &w->meeting[c];
        if (m->gap > 0 && m->rate < -STILL * w->fastest)
            next = fmin(next, w->time + m->gap / -m->rate);
    }
    return fmax(next, w->time);
}

// Everything keeps its rate until `time`: gaps, and the centres of mass under constant forces.
static void move_to(waves *w, double time)
{
    double dt = time - w->time;
    for (size_t b = 0; b < w->bars; b++) {
        bar *each = &w->bar[b];
        if (each->wall)
            continue;
        double force =
            (b > 0 ? w->meeting[b - 1].force : 0) - (b < w->contacts ? w->meeting[b].force : 0);
        double gain = force / each->mass * dt;
        each->position += dt * (each->velocity + gain / 2);
        each->velocity += gain;
    }
    for (size_t c = 0; c < w->contacts; c++) {
        meeting *m = &w->meeting[c];
        m->gap = fmax(m->gap + dt * m->rate, 0);
        if (m->gap < w->together * w->fastest)
            m->gap = 0;
    }
    w->time = time;
}

static void note_force(waves *w, size_t c, double force)
{
    meeting *m = &w->meeting[c];
    const bar *a = &w->bar[c];
    double scale =
        fmax(a->wall ? 0 : a->impedance, w->bar[c + 1].wall ? 0 : w->bar[c + 1].impedance);
    bool loaded = force > STILL * scale * w->fastest;
    if (loaded && !m->loaded) {
        m->since = w->time;
        w->touch[c].touches++;
        if (w->touch[c].touches == 1)
            w->touch[c].first_touch = w->time;
    }
    if (!loaded && m->loaded) {
        w->touch[c].last_release = w->time;
        w->touch[c].closed_time += w->time - m->since;
    }
    m->loaded = loaded;
    m->force = force;
    w->touch[c].peak_force = fmax(w->touch[c].peak_force, force);
}

// What leaves the faces of contact c from now on.
static carom_status meet(waves *w, size_t c, carom_error *err)
{
    bar *a = &w->bar[c];
    bar *b = &w->bar[c + 1];
    meeting *m = &w->meeting[c];
    double in_a = a->wall ? 0 : a->right.leaving;
    double in_b = b->wall ? 0 : b->left.leaving;
    if (m->gap > 0 || in_a <= in_b) {
        m->rate = 2 * (in_b - in_a);
        note_force(w, c, 0);
        TRY(a->wall ? CAROM_OK : enter(w, &a->left, in_a, err));
        return b->wall ? CAROM_OK : enter(w, &b->right, in_b, err);
    }
    m->rate = 0;
    if (a->wall || b->wall) {
        note_force(w, c, 2 * (a->wall ? b->impedance : a->impedance) * (in_a - in_b));
        return a->wall ? enter(w, &b->right, -in_b, err) : enter(w, &a->left, -in_a, err);
    }
    double sum = a->impedance + b->impedance;
    double r = (a->impedance - b->impedance) / sum;
    note_force(w, c, 2 * a->impedance * b->impedance / sum * (in_a - in_b));
    TRY(enter(w, &a->left, r * in_a + (1 - r) * in_b, err));
    return enter(w, &b->right, (1 + r) * in_a - r * in_b, err);
}

// Handles everything that happens at this instant.
static carom_status settle(waves *w, carom_error *err)
{
    for (size_t b = 0; b < w->bars; b++) {
        if (w->bar[b].wall)
            continue;
        arrive(w, &w->bar[b], &w->bar[b].right);
        arrive(w, &w->bar[b], &w->bar[b].left);
    }
    for (size_t c = 0; c < w->contacts; c++)
        TRY(meet(w, c, err));
    if (!w->bar[0].wall)
        TRY(enter(w, &w->bar[0].right, w->bar[0].left.leaving, err));
    if (!w->bar[w->contacts].wall)
        TRY(enter(w, &w->bar[w->contacts].left, w->bar[w->contacts].right.leaving, err));
    return CAROM_OK;
}

// -- the end, and the history ---------------------------------------------------------------------

// A face swings about the centre of mass by at most half of a round trip's path about its mean,
// which is bounded with the vibration energy as for the sliced bodies: sqrt(2 V l / (3 E A)), E A =
// Z c.
static double swing(const waves *w, const bar *b)
{
    if (b->wall)
        return 0;
    double velocity = bar_velocity(w, b);
    double vibration = fmax(bar_energy(w, b) - b->mass * velocity * velocity / 2, 0);
    if (vibration <= STILL * w->energy_before)
        return 0;
    return sqrt(2 * vibration * b->transit / (3 * b->impedance));
}

static bool separated(const waves *w)
{
    for (size_t c = 0; c < w->contacts; c++) {
        const bar *a = &w->bar[c];
        const bar *b = &w->bar[c + 1];
        if (w->meeting[c].loaded)
            return false;
        if (bar_velocity(w, a) - bar_velocity(w, b) > STILL * w->fastest)
            return false;
        double reach = swing(w, a) + swing(w, b);
        double clearance = b->position - a->position - w->meeting[c].rest;
        if (reach > 0 && clearance < reach)
            return false;
    }
    return true;
}

// Faces and inner points. Displacements come from the strain F / (E A) = (R - L) / c, integrated
// from the left face by sampling; the mean is then shifted onto the centre of mass.
static void record_points(const waves *w, const bar *b, double *point, size_t count)
{
    if (b->wall || count < 2) {
        for (size_t i = 0; i < count; i++)
            point[i] = b->position;
        return;
    }
    double cells = (double)(count - 1);
    double shift = 0;
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        point[i] = b->length * ((double)i / cells - 0.5) - shift;
        sum += point[i] * (i == 0 || i + 1 == count ? 0.5 : 1);
        if (i + 1 == count)
            break;
        double strain = part_strain(w, b, (double)i / cells, ((double)i + 1) / cells);
        shift += strain * b->length / cells;
    }
    for (size_t i = 0; i < count; i++)
        point[i] += b->position - sum / cells;
}

static void record_now(waves *w)
{
    carom_chain_trace *trace = &w->trace;
    double *row = carom_chain_trace_add(trace, w->time);
    for (size_t b = 0; b < w->bars; b++) {
        const bar *each = &w->bar[b];
        row[trace->at.position + b] = each->position;
        row[trace->at.velocity + b] = each->velocity;
        row[trace->at.half + 2 * b] = each->wall ? 0 : part_velocity(w, each, 0, 0.5);
        row[trace->at.half + 2 * b + 1] = each->wall ? 0 : part_velocity(w, each, 0.5, 1);
        record_points(w, each, row + trace->at.point + trace->first_point[b],
                      trace->first_point[b + 1] - trace->first_point[b]);
    }
    for (size_t c = 0; c < w->contacts; c++) {
        row[trace->at.force + c] = w->meeting[c].force;
        row[trace->at.compression + c] = -w->meeting[c].gap;
        row[trace->at.approach + c] =
            w->meeting[c].rest - (w->bar[c + 1].position - w->bar[c].position);
    }
}

// Moves to `time` with rows of the history on the way, at most a fortieth of the shortest transit
// apart.
static void watch_until(waves *w, double time)
{
    double pace = fmax(w->together / TOGETHER / 40, w->trace.interval);
    double span = time - w->time;
    double start = w->time;
    int rows = span < 1000 * pace ? (int)(span / pace) : 1000;
    for (int i = 1; i < rows; i++) {
        move_to(w, start + span * i / rows);
        if (carom_chain_trace_due(&w->trace, w->time))
            record_now(w);
    }
    move_to(w, time);
}
