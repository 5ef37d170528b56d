// A tower in motion: the position-based step of [Collapse, figure 7], corrected.
//
// p' = c' + u (kappa + i w) r for every point of a body: the length equations of a rigid framework
// admit exactly these positions, with kappa = 1 - |du|^2/|u|^2 for (L'), 1/|u| for (L''), 1/|u| -
// |du|^2/(2|u|^2) for (L3), du = u - u_old, so three variables per body lose nothing. The unit
// variant takes kappa = 1 in the constraints and turns the body exactly: u' = u exp(i w), and w of
// the last step for -Im(u_old / u). The objective m |c' - 2c + c_old - g dt^2|^2
// + I |u|^2 (w + Im(u_old / u))^2 is (Q').
//
// The program is solved for y = (restraint) / dt^2, so multipliers are contact forces whatever dt
// is. Start: p_old = p + 1/2 a dt^2 with a from Gauss's principle; with p_old = p as printed the
// whole motion lags half a step and the method is of first order only. Energy, conserved exactly in
// free flight: 1/2 sum m |p - p_old|^2 / dt^2 + potential at (p + p_old)/2. The acceleration-based
// step of figure 6 is there for comparison.
#include "tower/tower_motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "math/trig.h"
#include "tower/tower_initial.h"

static const double IMPACT = 1e-6; // energy loss, relative to the start, reported as a collision

carom_tower_motion_options carom_tower_motion_default(void)
{
    return (
        carom_tower_motion_options){ .dt = 1.0 / 128, .variant = CAROM_TOWER_UNIT, .sidedness = 1 };
}

static double energy(const carom_tower_motion *m, const tower_moving *state, double *kinetic,
                     double *potential);

// -- creation -----------------------------------------------------------------------------------

static carom_status check_options(const carom_tower_motion_options *o, carom_error *err)
{
    if (!(o->dt >= 1e-9 && o->dt <= 1)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the time step is %g", o->dt);
        return carom_error_fix(err, "use a step from 1e-9 to 1; 1/128 is the default");
    }
    if (!(o->stop_early >= 0 && o->stop_early <= 1)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the tolerance of an early stop is %g",
                        o->stop_early);
        return carom_error_fix(err, "use a tolerance from 0 (solve to round-off) to 1");
    }
    if (!(o->penalty >= 0 && o->penalty <= 1e12)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the penalty factor is %g", o->penalty);
        return carom_error_fix(err, "use 0 (lengths are equations) or a factor up to 1e12");
    }
    if (o->sidedness < 0 || o->sidedness > 2) {
        carom_error_set(err, CAROM_BAD_INPUT, "the sidedness factor is %d", o->sidedness);
        return carom_error_fix(err, "use 0, 1 or 2");
    }
    return CAROM_OK;
}

static carom_status allocate(carom_tower_motion *m, carom_error *err)
{
    const carom_tower *t = m->tower;
    TAKE_ZEROS(m->memory, m->now, t->body_count, err);
    TAKE_ZEROS(m->memory, m->next, t->body_count, err);
    TAKE_ZEROS(m->memory, m->p, 2 * t->anchor_count, err);
    TAKE_ZEROS(m->memory, m->d, 2 * t->anchor_count, err);
    TAKE_ZEROS(m->memory, m->next_p, 2 * t->anchor_count, err);
    TAKE_ZEROS(m->memory, m->next_d, 2 * t->anchor_count, err);
    TAKE_ZEROS(m->memory, m->ahead, 2 * t->anchor_count, err);
    TAKE_ZEROS(m->memory, m->centre, 2 * t->body_count, err);
    int blocks = t->block_count + carom_tower_rows_soft_blocks(t, m->options.penalty);
    TAKE_ZEROS(m->memory, m->weight, 3 * blocks + 1, err);
    TAKE_ZEROS(m->memory, m->velocity, 3 * t->body_count, err);
    TAKE_ZEROS(m->memory, m->grounded, t->body_count, err);
    return CAROM_OK;
}

static carom_status fill(carom_tower_motion *m, const carom_tower *tower, carom_error *err)
{
    bool found = false;
    m->memory = carom_arena_create(0);
    m->scratch = carom_arena_create(0);
    m->contact_memory[0] = carom_arena_create(0);
    m->contact_memory[1] = carom_arena_create(0);
    m->solver = carom_qp_interior_create(0);
    if (!m->memory || !m->scratch || !m->contact_memory[0] || !m->contact_memory[1] || !m->solver)
        return carom_error_no_memory(err, "a motion");
    carom_qp_interior_stop_early(m->solver, m->options.stop_early);
    if (!m->options.ignore_symmetry)
        TRY(carom_tower_mirror_find(tower, m->memory, &m->mirror, &found, err));
    m->symmetric = found;
    m->axis = found ? m->mirror.axis : 0;
    m->tower = carom_tower_copy(tower, m->axis);
    if (!m->tower)
        return carom_error_no_memory(err, "a motion");
    TRY(allocate(m, err));
    for (int b = 0; b < m->tower->body_count; ++b) {
        const tower_body *body = &m->tower->bodies[b];
        m->now[b] = (tower_moving){
            .cx = body->x, .cy = body->y, .ux = body->ux, .uy = body->uy, .angle = body->angle
        };
    }
    m->audit.symmetric = found;
    m->audit.first_contact_with_support = -1;
    return CAROM_OK;
}

carom_status carom_tower_motion_create(const carom_tower *tower,
                                       const carom_tower_motion_options *options,
                                       carom_tower_motion **out, carom_error *err)
{
    NEED(err, options, out);
    *out = NULL;
    TRY(check_options(options, err));
    carom_tower_motion *m = calloc(1, sizeof *m);
    if (!m)
        return carom_error_no_memory(err, "a motion");
    m->options = *options;
    carom_status status = fill(m, tower, err);
    if (status != CAROM_OK)
        carom_tower_motion_destroy(m);
    else
        *out = m;
    return status;
}

void carom_tower_motion_destroy(carom_tower_motion *m)
{
    if (!m)
        return;
    carom_arena_destroy(m->memory);
    carom_arena_destroy(m->scratch);
    carom_arena_destroy(m->contact_memory[0]);
    carom_arena_destroy(m->contact_memory[1]);
    carom_qp_interior_destroy(m->solver);
    carom_tower_destroy(m->tower);
    carom_tower_warm_free(&m->warm);
    free(m);
}

carom_status carom_tower_motion_set_velocity(carom_tower_motion *m, int body,
                                             const double velocity[3], carom_error *err)
{
    NEED(err, m, velocity);
    if (m->started || body < 0 || body >= m->tower->public_body_count ||
        m->tower->bodies[body].fixed) {
        carom_error_set(err, CAROM_BAD_INPUT, "body %d cannot be given a velocity", body);
        return carom_error_fix(err, "give velocities to movable bodies before the first step");
    }
    for (int c = 0; c < 3; ++c)
        m->velocity[3 * body + c] = velocity[c];
    m->symmetric = m->audit.symmetric = false; // velocities are not searched for a mirror image
    m->moving = true;
    return CAROM_OK;
}

// -- start --------------------------------------------------------------------------------------

// p_old = p - v dt + 1/2 a dt^2, so that d = v dt - 1/2 a dt^2 and likewise for the turn.
static void step_back(carom_tower_motion *m, const double *a)
{
    double dt = m->options.dt;
    for (int b = 0; b < m->tower->public_body_count; ++b) {
        tower_moving *s = &m->now[b];
        const double *v = m->velocity + 3 * (size_t)b;
        if (m->tower->bodies[b].fixed)
            continue;
        s->dx = v[0] * dt - (a ? a[3 * b] * dt * dt / 2 : 0);
        s->dy = v[1] * dt - (a ? a[3 * b + 1] * dt * dt / 2 : 0);
        double turn = v[2] * dt - (a ? a[3 * b + 2] * dt * dt / 2 : 0), c, sine;
        s->turn = turn;
        if (m->moving && (m->options.acceleration || m->options.variant != CAROM_TOWER_UNIT)) {
            c = 0; // a velocity at right angles to u: (L1+), which theorem 5.1 asks for
            sine = -turn;
        } else
            carom_trig_expm1(-turn, &c, &sine); // u_old - u = u (exp(-i turn) - 1)
        s->dux = -(s->ux * c - s->uy * sine);
        s->duy = -(s->uy * c + s->ux * sine);
    }
}

// A moving start leaves a out: which contacts hold is for the first step to find. So does friction,
// whose accelerations at rest depend on which contacts will slip.
static carom_status start(carom_tower_motion *m, carom_error *err)
{
    carom_tower_instant instant = { 0 };
    carom_status status = CAROM_OK;
    bool half = !m->options.plain_start && !m->moving && !m->options.acceleration &&
                m->tower->friction == 0;
    if (half)
        status =
            carom_tower_initial_soft(m->tower, CAROM_TOWER_AUTO, m->options.penalty, &instant, err);
    if (status == CAROM_OK)
        step_back(m, half ? instant.accelerations : NULL);
    carom_tower_initial_free(&instant);
    TRY(status);
    tower_found found;
    memcpy(m->next, m->now, (size_t)m->tower->body_count * sizeof *m->next);
    TRY(carom_tower_step_find(m, &found, err));
    carom_tower_step_accept(m, &found);
    for (int n = 0; n < m->contacts.count; ++n) {
        const tower_contact *c = &m->contacts.item[n];
        if (c->gap <= TOWER_CLOSED * m->tower->size && c->edge_owner < 0 && c->corner_owner >= 0)
            m->grounded[c->corner_owner] = true;
        if (c->gap <= TOWER_CLOSED * m->tower->size && c->corner_owner < 0 && c->edge_owner >= 0)
            m->grounded[c->edge_owner] = true;
    }
    m->audit.energy_start = energy(m, m->now, &m->kinetic, &m->potential);
    m->started = true;
    return CAROM_OK;
}

// -- audit --------------------------------------------------------------------------------------

static double energy(const carom_tower_motion *m, const tower_moving *state, double *kinetic,
                     double *potential)
{
    const carom_tower *t = m->tower;
    double dt2 = m->options.dt * m->options.dt;
    *kinetic = *potential = 0;
    for (int b = 0; b < t->body_count; ++b) {
        const tower_moving *s = &state[b];
        const tower_body *body = &t->bodies[b];
        if (body->fixed)
            continue;
        *kinetic += body->mass * (s->dx * s->dx + s->dy * s->dy) / (2 * dt2) +
                    body->inertia * (s->dux * s->dux + s->duy * s->duy) / (2 * dt2);
        *potential += body->mass * t->gravity * (s->cy - s->dy / 2);
    }
    return *kinetic + *potential;
}

static double size_error(const carom_tower_motion *m)
{
    const carom_tower *t = m->tower;
    double worst = 0;
    for (int b = 0; b < t->body_count; ++b) {
        const tower_moving *s = &m->now[b];
        if (!t->bodies[b].fixed && !t->bodies[b].point)
            worst = fmax(worst, fabs(sqrt(s->ux * s->ux + s->uy * s->uy) - 1));
    }
    for (int n = 0; n < t->bar_count; ++n) {
        const tower_bar *bar = &t->bars[n];
        double ex = m->p[2 * bar->a] - m->p[2 * bar->b],
               ey = m->p[2 * bar->a + 1] - m->p[2 * bar->b + 1];
        double length = sqrt(ex * ex + ey * ey), unit = bar->length > 0 ? bar->length : t->size;
        worst = fmax(worst, fabs(length - bar->length) / unit);
    }
    return worst;
}

static void audit(carom_tower_motion *m, carom_tower_step *out)
{
    carom_tower_audit *a = &m->audit;
    double before = m->kinetic + m->potential;
    double after = energy(m, m->now, &m->kinetic, &m->potential);
    out->kinetic = m->kinetic;
    out->potential = m->potential;
    out->energy_gain = after - before;
    out->penetration = m->penetration;
    out->size_error = size_error(m);
    out->collision = out->energy_gain < -IMPACT * fmax(1, fabs(a->energy_start));
    ++a->steps;
    a->penetration = fmax(a->penetration, out->penetration);
    a->size_error = fmax(a->size_error, out->size_error);
    a->asymmetry = fmax(a->asymmetry, out->asymmetry);
    a->kkt = fmax(a->kkt, out->kkt);
    a->energy_gain_step = fmax(a->energy_gain_step, out->energy_gain);
    a->energy_gain_total += fmax(0, out->energy_gain);
    a->qp_ms += out->qp_ms;
    a->rows = out->rows > a->rows ? out->rows : a->rows;
    a->interior_calls += out->interior;
    a->corrections += out->corrections;
}

carom_status carom_tower_motion_step(carom_tower_motion *m, carom_tower_step *report,
                                     carom_error *err)
{
    NEED(err, m);
    carom_tower_step out = { 0 };
    if (!m->started)
        TRY(start(m, err));
    carom_arena_mark mark = carom_arena_mark_here(m->scratch);
    carom_status status = carom_tower_step_advance(m, &out, err);
    carom_arena_rewind(m->scratch, mark);
    if (status == CAROM_OK)
        audit(m, &out);
    if (report)
        *report = out;
    return status;
}

// -- answers ------------------------------------------------------------------------------------

void carom_tower_motion_place(const carom_tower_motion *m, int body, double place[3])
{
    if (!m || !place || body < 0 || body >= m->tower->public_body_count)
        return;
    const tower_moving *s = &m->now[body];
    place[0] = s->cx + m->axis;
    place[1] = s->cy;
    // The unit variant sums its turns; the others are read off, for show only.
    bool summed = m->options.variant == CAROM_TOWER_UNIT && !m->options.acceleration;
    place[2] = summed ? s->angle : carom_trig_atan2(s->uy, s->ux);
}

void carom_tower_motion_velocity(const carom_tower_motion *m, int body, double velocity[3])
{
    if (!m || !velocity || body < 0 || body >= m->tower->public_body_count)
        return;
    const tower_moving *s = &m->now[body];
    double dt = m->options.dt;
    if (!m->started) {
        memcpy(velocity, m->velocity + 3 * (size_t)body, 3 * sizeof *velocity);
        return;
    }
    velocity[0] = s->dx / dt;
    velocity[1] = s->dy / dt;
    velocity[2] = (s->duy * s->ux - s->dux * s->uy) / (s->ux * s->ux + s->uy * s->uy) / dt;
}

carom_tower_audit carom_tower_motion_audit(const carom_tower_motion *m)
{
    if (!m)
        return (carom_tower_audit){ 0 };
    return m->audit;
}

bool carom_tower_motion_is_symmetric(const carom_tower_motion *m)
{
    if (!m)
        return false;
    for (int b = 0; m->symmetric && b < m->tower->public_body_count; ++b) {
        const tower_moving *s = &m->now[b], *o = &m->now[m->mirror.body[b]];
        if (s->cx != -o->cx || s->cy != o->cy || s->ux != o->ux || s->uy != -o->uy ||
            s->dx != -o->dx || s->dy != o->dy || s->dux != o->dux || s->duy != -o->duy ||
            s->turn != -o->turn)
            return false;
    }
    return m->symmetric;
}

unsigned long long carom_tower_motion_hash(const carom_tower_motion *m)
{
    if (!m)
        return 0;
    uint64_t hash = CAROM_HASH_START;
    for (int b = 0; b < m->tower->public_body_count; ++b) {
        const tower_moving *s = &m->now[b];
        hash = carom_hash_doubles(hash, (double[]){ s->cx, s->cy, s->ux, s->uy }, 4);
    }
    return hash;
}
