// Integration of a lattice with located contact events.
//
// Method: the symplectic Runge-Kutta-Nystroem scheme of order 6 with 11 force evaluations of Blanes
// and Moan, "Practical symplectic partitioned Runge-Kutta and Runge-Kutta-Nystroem methods", J.
// Comput. Appl. Math. 142 (2002): kicks b_i and drifts a_i in turn, palindromic. All of its stages
// lie inside the step, so a step that ends at an event never looks beyond it. Steps have one
// constant size; they are shortened only (1) to end exactly where a contact opens or closes, since
// forces are smooth in between, and (2) near such an instant if the contact law is not a polynomial
// there (Hertz: t^1.5), geometrically. Damping acts by half steps before and after (Strang), each
// by the midpoint rule, whose loss of kinetic energy is known exactly; the ledger of the run is
// kinetic + elastic + dissipated.
//
// Between contacts rigid bodies, and bodies that were never touched, fly freely in one jump. In a
// step only what may change is looked at (`span`): a solitary wave is a few bodies long, however
// long its row.
#include "chain/chain_motion.h"

#include <math.h>
#include <string.h>

#define STAGES 11
#define OF_A_STEP 16    // nodes that would take as long as what a step does once
#define GRADING 0.25    // step near a rough event, as a part of the time from (or to) it
#define FIRST_PART 1e-3 // smallest graded step, as a part of the full step
#define STILL 1e-13     // speeds below this part of the fastest are round-off
#define CHECK_EVERY 16  // steps between tests whether bodies can still meet

static const double KICK[STAGES + 1] = {
    0.0414649985182624,  0.198128671918067,   -0.0400061921041533, 0.0752539843015807,
    -0.0115113874206879, 0.2366699247869311,  0.2366699247869311,  -0.0115113874206879,
    0.0752539843015807,  -0.0400061921041533, 0.198128671918067,   0.0414649985182624
};
static const double DRIFT[STAGES] = { 0.123229775946271,  0.290553797799558,  -0.127049212625417,
                                      -0.246331761062075, 0.357208872795928,  0.20477705429147008,
                                      0.357208872795928,  -0.246331761062075, -0.127049212625417,
                                      0.290553797799558,  0.123229775946271 };

// Bodies from <= b < to; of contacts and links alike.
typedef struct span {
    size_t from, to;
} span;

typedef struct motion {
    const carom_lattice *lattice;
    const carom_chain_motion_limits *limits;
    carom_lattice_state now, saved;
    carom_chain_trace *trace;
    carom_chain_touch *touch;
    carom_chain_motion_report *report;
    bool *closed;         // contacts
    bool *loaded;         // contacts: it has carried force since it closed
    double *since;        // contacts: when it closed last
    double *force;        // nodes + 1: force[i + 1] in link i, 0 at both ends
    double *pivot, *side; // nodes: the damping solve
    double step;          // s: constant until the next event
    double time, dissipated;
    double fastest;      // m/s: scale of speeds
    double energy_scale; // J: what the ledger is compared with
    bool untouched;      // nobody has been hit yet
    span moving;         // bodies; all others stand still, undeformed
    span pressed;        // bodies; on all others no force acts
} motion;

static carom_status prepare(motion *m, carom_arena *scratch, carom_error *err);
static void set_step(motion *m);
static bool is_over(motion *m);
static bool fly(motion *m);
static double choose_step(const motion *m);
static double advance(motion *m, double h);
static void settle_events(motion *m, double h);
static void find_moving(motion *m);
static void find_pressed(motion *m);
static void audit(motion *m);
static void record(motion *m, bool last);

double carom_chain_motion_cost(const carom_lattice *lattice)
{
    return OF_A_STEP + (double)lattice->nodes;
}

carom_status carom_chain_motion_run(const carom_lattice *lattice,
                                    const carom_chain_motion_limits *limits,
                                    carom_lattice_state *state, carom_chain_motion_log *log,
                                    carom_arena *scratch, carom_error *err)
{
    carom_chain_motion_report *out = &log->report;
    *out = (carom_chain_motion_report){ 0 };
    motion m = { .lattice = lattice,
                 .limits = limits,
                 .now = *state,
                 .trace = log->trace,
                 .touch = log->touch,
                 .report = out,
                 .untouched = true };
    TRY(prepare(&m, scratch, err));
    record(&m, false);
    bool over = is_over(&m);
    for (; !over && out->steps < limits->max_steps && out->work < limits->work;
         over = is_over(&m)) {
        if (fly(&m)) {
            out->work += carom_chain_motion_cost(lattice);
            continue;
        }
        settle_events(&m, choose_step(&m));
        out->steps++;
        if (carom_chain_trace_due(log->trace, m.time))
            record(&m, false);
    }
    if (!over)
        out->exit = out->work < limits->work ? CAROM_CHAIN_EXIT_STEPS : CAROM_CHAIN_EXIT_WORK;
    record(&m, true);
    for (size_t c = 0; c < lattice->contacts; c++)
        if (m.closed[c] && m.loaded[c])
            log->touch[c].closed_time += m.time - m.since[c];
    out->time = m.time;
    out->dissipated = m.dissipated;
    out->energy_after = carom_lattice_energy(lattice, &m.now);
    *state = m.now;
    return CAROM_OK;
}

static carom_status prepare(motion *m, carom_arena *scratch, carom_error *err)
{
    const carom_lattice *lattice = m->lattice;
    TAKE(scratch, m->saved.v, lattice->nodes, err);
    TAKE(scratch, m->saved.d, lattice->nodes, err);
    TAKE_ZEROS(scratch, m->closed, lattice->contacts, err);
    TAKE_ZEROS(scratch, m->loaded, lattice->contacts, err);
    TAKE_ZEROS(scratch, m->since, lattice->contacts, err);
    TAKE_ZEROS(scratch, m->force, lattice->nodes + 1, err);
    TAKE(scratch, m->pivot, lattice->nodes, err);
    TAKE(scratch, m->side, lattice->nodes, err);
    for (size_t c = 0; c < lattice->contacts; c++)
        m->touch[c] =
            (carom_chain_touch){ .first_touch = (double)NAN, .last_release = (double)NAN };
    for (size_t i = 0; i < lattice->nodes; i++)
        m->fastest = fmax(m->fastest, fabs(m->now.v[i]));
    memcpy(m->saved.v, m->now.v, lattice->nodes * sizeof *m->now.v);
    memcpy(m->saved.d, m->now.d, lattice->nodes * sizeof *m->now.d);
    find_moving(m);
    find_pressed(m);
    m->report->energy_before = carom_lattice_energy(lattice, &m->now);
    m->energy_scale = m->report->energy_before;
    m->step = m->limits->phase;
    set_step(m);
    m->report->step = 0; // before the first contact nothing is stepped
    return CAROM_OK;
}

static bool is_over(motion *m)
{
    if (m->limits->duration > 0) {
        m->report->exit = CAROM_CHAIN_EXIT_DURATION;
        return m->time >= m->limits->duration;
    }
    m->report->exit = CAROM_CHAIN_EXIT_SEPARATED;
    return (m->lattice->rigid || m->report->steps % CHECK_EVERY == 0) &&
           carom_lattice_separated(m->lattice, &m->now, STILL * m->fastest,
                                   STILL * STILL * m->energy_scale);
}

static void widen(span *s, size_t from, size_t to)
{
    *s = s->from == s->to ? (span){ from, to }
                          : (span){ from < s->from ? from : s->from, to > s->to ? to : s->to };
}

// Who has a speed or is compressed at the start; whoever is touched later moves as well.
static void find_moving(motion *m)
{
    const carom_lattice *lattice = m->lattice;
    for (size_t b = 0; b < lattice->bodies; b++)
        for (size_t i = lattice->first[b]; i < lattice->first[b + 1]; i++) {
            bool contact = i + 1 == lattice->first[b + 1]; // or the end of the row
            bool strained =
                i + 1 < lattice->nodes && (contact ? m->now.d[i] > 0 : m->now.d[i] != 0);
            if (m->now.v[i] != 0 || strained)
                widen(&m->moving, b, b + 1);
        }
}

// A rigid body feels closed contacts alone; one that is not, its own springs as well.
static void find_pressed(motion *m)
{
    m->pressed = m->lattice->rigid ? (span){ 0 } : m->moving;
    for (size_t c = 0; m->lattice->rigid && c < m->lattice->contacts; c++)
        if (m->closed[c])
            widen(&m->pressed, c, c + 2);
}

// The contacts that may be closed.
static span between_pressed(const motion *m)
{
    const span *s = &m->pressed;
    return (span){ s->from, s->to > s->from ? s->to - 1 : s->from };
}

// The contacts of which a side moves.
static span near_moving(const motion *m)
{
    const span *s = &m->moving;
    return (span){ s->from > 0 ? s->from - 1 : 0,
                   s->to < m->lattice->bodies ? s->to : m->lattice->contacts };
}

// The links of which an end moves.
static span moving_links(const motion *m)
{
    size_t from = m->lattice->first[m->moving.from], to = m->lattice->first[m->moving.to];
    return (span){ from > 0 ? from - 1 : 0, to < m->lattice->nodes ? to : m->lattice->nodes - 1 };
}

// The step until the next event; unchanged where nothing can oscillate.
static void set_step(motion *m)
{
    double frequency = carom_lattice_frequency(m->lattice, &m->now, m->closed);
    if (frequency > 0 && isfinite(frequency))
        m->step = m->limits->phase / frequency;
    m->report->step = fmax(m->report->step, m->step);
}

// Speed at which the two ends of a contact approach.
static double closing_speed(const motion *m, size_t contact)
{
    size_t link = carom_lattice_link(m->lattice, contact);
    return m->now.v[link] - m->now.v[link + 1];
}

static void close_contact(motion *m, size_t c)
{
    m->now.d[carom_lattice_link(m->lattice, c)] = 0;
    m->closed[c] = true;
    m->loaded[c] = false;
    m->untouched = false;
    m->since[c] = m->time;
    m->report->events++;
    widen(&m->moving, c, c + 2);
    find_pressed(m);
    set_step(m);
}

static void open_contact(motion *m, size_t c)
{
    m->now.d[carom_lattice_link(m->lattice, c)] = 0;
    m->closed[c] = false;
    m->report->events++;
    find_pressed(m);
    set_step(m);
    if (!m->loaded[c])
        return; // it never carried anything: no contact worth reporting
    m->touch[c].last_release = m->time;
    m->touch[c].closed_time += m->time - m->since[c];
}

static bool any_closed(const motion *m)
{
    span some = between_pressed(m);
    for (size_t c = some.from; c < some.to; c++)
        if (m->closed[c])
            return true;
    return false;
}

// Moves everything freely to the next closing. False if the bodies are in contact or vibrate.
static bool fly(motion *m)
{
    if (!(m->lattice->rigid || m->untouched) || any_closed(m))
        return false;
    double wait = m->limits->duration > 0 ? m->limits->duration - m->time : HUGE_VAL;
    size_t next = m->lattice->contacts;
    for (size_t c = 0; c < m->lattice->contacts; c++) {
        double speed = closing_speed(m, c);
        if (speed <= STILL * m->fastest)
            continue;
        double arrival = fmax(-m->now.d[carom_lattice_link(m->lattice, c)], 0) / speed;
        if (arrival < wait) {
            wait = arrival;
            next = c;
        }
    }
    if (!isfinite(wait))
        return false;
    for (size_t c = 0; c < m->lattice->contacts; c++)
        m->now.d[carom_lattice_link(m->lattice, c)] += wait * closing_speed(m, c);
    m->now.base += wait * m->now.v[0];
    m->time += wait;
    if (next < m->lattice->contacts)
        close_contact(m, next);
    if (wait > 0)
        record(m, false);
    return true;
}

static double choose_step(const motion *m)
{
    double h = m->step;
    span some = between_pressed(m);
    for (size_t c = some.from; c < some.to; c++) {
        double speed = fabs(closing_speed(m, c));
        if (!m->closed[c] || speed == 0 || carom_contact_spring_smooth(&m->lattice->touch[c]))
            continue;
        double distance = m->now.d[carom_lattice_link(m->lattice, c)];
        h = fmin(h, fmax(GRADING * distance / speed, FIRST_PART * m->step));
    }
    if (m->limits->duration > 0)
        h = fmin(h, m->limits->duration - m->time);
    return h;
}

static void kick(motion *m, double h)
{
    const carom_lattice *lattice = m->lattice;
    double *force = m->force;
    double *v = m->now.v;
    const double *d = m->now.d;
    size_t from = lattice->first[m->pressed.from], to = lattice->first[m->pressed.to];
    span some = between_pressed(m);
    force[from] = force[to] = 0;
    for (size_t i = from; i + 1 < to; i++)
        force[i + 1] = lattice->stiffness[i] * d[i];
    for (size_t c = some.from; c < some.to; c++) {
        size_t link = carom_lattice_link(lattice, c);
        force[link + 1] =
            m->closed[c] ? carom_contact_spring_force(&lattice->touch[c], d[link]) : 0;
    }
    for (size_t i = from; i < to; i++)
        v[i] += h * (force[i] - force[i + 1]) * lattice->inverse[i];
}

static void drift(motion *m, double h)
{
    const double *restrict v = m->now.v;
    double *restrict d = m->now.d;
    span some = moving_links(m);
    for (size_t i = some.from; i < some.to; i++)
        d[i] += h * (v[i] - v[i + 1]);
    m->now.base += h * v[0];
}

// Dashpots for the time h by the midpoint rule: (M + h/2 C) w = M v with C tridiagonal, then each
// dashpot pushes its two ends with h c (w_i - w_{i+1}), so that momentum is kept whatever the
// rounding of w. Returns the kinetic energy lost, h sum c (w_i - w_{i+1})^2.
static double damp(motion *m, double h)
{
    const carom_lattice *lattice = m->lattice;
    double *v = m->now.v;
    double *w = m->side;
    double left = 0;
    for (size_t i = 0; i < lattice->nodes; i++) {
        double right = i + 1 < lattice->nodes ? h / 2 * lattice->dashpot[i] : 0;
        double mass = lattice->mass[i] > 0 ? lattice->mass[i] : 1;
        m->pivot[i] = mass + left + right - (i ? left * left / m->pivot[i - 1] : 0);
        w[i] = mass * v[i] + (i ? left * w[i - 1] / m->pivot[i - 1] : 0);
        left = right;
    }
    double lost = 0;
    for (size_t i = lattice->nodes; i-- > 0;) {
        double c = i + 1 < lattice->nodes ? h * lattice->dashpot[i] : 0;
        w[i] = (w[i] + (c > 0 ? c / 2 * w[i + 1] : 0)) / m->pivot[i];
        if (c == 0)
            continue;
        double speed = w[i] - w[i + 1];
        lost += c * speed * speed;
        v[i] -= c * speed * lattice->inverse[i];
        v[i + 1] += c * speed * lattice->inverse[i + 1];
    }
    return lost;
}

// One step of size h from `now`. Returns the energy dissipated.
static double advance(motion *m, double h)
{
    double lost = m->lattice->damped ? damp(m, h / 2) : 0;
    m->report->work += carom_chain_motion_cost(m->lattice);
    for (int i = 0; i < STAGES; i++) {
        kick(m, KICK[i] * h);
        drift(m, DRIFT[i] * h);
    }
    kick(m, KICK[STAGES] * h);
    return lost + (m->lattice->damped ? damp(m, h / 2) : 0);
}

static void copy_state(const motion *m, carom_lattice_state *to, const carom_lattice_state *from)
{
    size_t first = m->lattice->first[m->moving.from], end = m->lattice->first[m->moving.to];
    span some = moving_links(m);
    memcpy(to->v + first, from->v + first, (end - first) * sizeof *to->v);
    memcpy(to->d + some.from, from->d + some.from, (some.to - some.from) * sizeof *to->d);
    to->base = from->base;
}

// The contact that left its side first during the step, judged by straight lines; or none.
static size_t first_crossing(const motion *m)
{
    size_t first = m->lattice->contacts;
    double earliest = HUGE_VAL;
    span some = near_moving(m);
    for (size_t c = some.from; c < some.to; c++) {
        size_t link = carom_lattice_link(m->lattice, c);
        double before = m->saved.d[link];
        double after = m->now.d[link];
        if (m->closed[c] ? after >= 0 : after <= 0)
            continue;
        double part = before == after ? 0 : before / (before - after);
        if (part < earliest) {
            earliest = part;
            first = c;
        }
    }
    return first;
}

// Re-steps from `saved` until contact c ends the step at d = 0: Newton on the step size, kept
// inside a bracket. Returns the step size; `now` is the state there and *lost its dissipation.
static double locate(motion *m, size_t c, double h, double *lost)
{
    size_t link = carom_lattice_link(m->lattice, c);
    double low = 0;
    double high = h;
    double tried = h;
    for (int i = 0; i < 60; i++) {
        double d = m->now.d[link];
        bool crossed = m->closed[c] ? d < 0 : d > 0;
        *(crossed ? &high : &low) = tried;
        double speed = closing_speed(m, c);
        double next = speed != 0 ? tried - d / speed : low;
        if (!(next > low && next < high))
            next = (low + high) / 2;
        if (fabs(d) <= 1e-14 * fabs(speed) * h || high - low <= 1e-15 * h || next == tried)
            break;
        tried = next;
        copy_state(m, &m->now, &m->saved);
        *lost = advance(m, tried);
    }
    return tried;
}

// Largest force of contact c during the step just taken: at its ends, or where the compression
// turns (cubic through the values and slopes at both ends).
static void note_peak(motion *m, size_t c, double h)
{
    size_t link = carom_lattice_link(m->lattice, c);
    double d0 = m->saved.d[link];
    double d1 = m->now.d[link];
    double u0 = h * (m->saved.v[link] - m->saved.v[link + 1]);
    double u1 = h * (m->now.v[link] - m->now.v[link + 1]);
    double peak = fmax(d0, d1);
    if (u0 > 0 && u1 < 0) {
        double a = 6 * (d0 - d1) + 3 * (u0 + u1); // slope: a s^2 + b s + u0
        double b = 6 * (d1 - d0) - 4 * u0 - 2 * u1;
        double root = sqrt(fmax(b * b - 4 * a * u0, 0));
        double s = 2 * u0 / (-b + root);
        if (s > 0 && s < 1)
            peak = fmax(peak, d0 + s * (u0 + s * (b / 2 + s * a / 3)));
    }
    if (peak <= 0)
        return;
    double force = carom_contact_spring_force(&m->lattice->touch[c], peak);
    if (force > 0 && !m->loaded[c]) {
        m->loaded[c] = true;
        m->touch[c].touches++;
        if (m->touch[c].touches == 1)
            m->touch[c].first_touch = m->since[c];
    }
    m->touch[c].peak_force = fmax(m->touch[c].peak_force, force);
}

// One step that ends at h or at the first contact event before, whichever comes first.
static void settle_events(motion *m, double h)
{
    copy_state(m, &m->saved, &m->now);
    double lost = advance(m, h);
    size_t event = first_crossing(m);
    size_t contact = m->lattice->contacts;
    for (size_t tries = 0; event < m->lattice->contacts && tries < 200; tries++) {
        size_t link = carom_lattice_link(m->lattice, event);
        double speed = m->saved.v[link] - m->saved.v[link + 1];
        double before = m->saved.d[link];
        bool from_zero = before == 0;
        bool strayed =
            m->closed[event] ? before < 0 : before > 0; // by rounding, in an earlier step
        contact = event;
        if (strayed || (from_zero && (m->closed[event] ? speed < 0 : speed >= 0))) {
            copy_state(m, &m->now, &m->saved); // it changes side at once, before any time passes
            lost = h = 0;
            break;
        }
        if (from_zero) { // it went over to its side and came back within the step: look closer
            h /= 2;
            copy_state(m, &m->now, &m->saved);
            lost = advance(m, h);
        } else {
            h = locate(m, event, h, &lost);
            m->now.d[link] = 0;
        }
        contact = from_zero ? m->lattice->contacts : event;
        event = first_crossing(m);
    }
    m->time += h;
    m->dissipated += lost;
    span some = between_pressed(m);
    for (size_t c = some.from; c < some.to && h > 0; c++)
        if (m->closed[c])
            note_peak(m, c, h);
    if (contact < m->lattice->contacts) {
        if (m->closed[contact])
            open_contact(m, contact);
        else
            close_contact(m, contact);
        audit(m);
    }
}

static void audit(motion *m)
{
    if (!(m->energy_scale > 0))
        return;
    double energy = carom_lattice_energy(m->lattice, &m->now) + m->dissipated;
    double error = fabs(energy - m->report->energy_before) / m->energy_scale;
    m->report->energy_error = fmax(m->report->energy_error, error);
}

size_t carom_chain_motion_points(const carom_lattice *lattice, size_t body, size_t max)
{
    size_t nodes = lattice->first[body + 1] - lattice->first[body];
    if (nodes == 1)
        return 2;
    return nodes + 2 <= max ? nodes + 2 : max;
}

static void record(motion *m, bool last)
{
    carom_chain_trace *trace = m->trace;
    audit(m);
    if (last && trace->rows && trace->row[(trace->rows - 1) * trace->at.width] == m->time)
        trace->rows--;
    carom_chain_trace_record(trace, m->lattice, &m->now, m->time);
}
