// One step of a tower: the quadratic program, its answer, and what to do when the answer ends with
// an overlap.
//
// The mathematics is in tower_motion.c; this file reads from bottom (carom_tower_step_advance) to
// top.
#include "tower/tower_motion.h"

#include <math.h>
#include <string.h>
#include "base/clock.h"
#include "math/trig.h"

enum { CORRECTIONS_MAX = 4 };             // of a step that ends with an overlap
enum { SLIP_ROUNDS_MAX = 30 };            // of the friction fixed point
static const double SLIP_SETTLED = 1e-10; // change of slip, in sizes per step, that ends it

// -- places of the anchors ----------------------------------------------------------------------

// World positions, last displacements and free-flight displacements of the anchors of m->next.
static void place_anchors(carom_tower_motion *m)
{
    const carom_tower *t = m->tower;
    double fall = t->gravity * m->options.dt * m->options.dt;
    for (int a = 0; a < t->anchor_count; ++a) {
        const tower_anchor *n = &t->anchors[a];
        const tower_moving *s = &m->next[n->body];
        double *p = m->next_p + 2 * (size_t)a, *d = m->next_d + 2 * (size_t)a;
        p[0] = s->cx + (s->ux * n->rx - s->uy * n->ry);
        p[1] = s->cy + (s->uy * n->rx + s->ux * n->ry);
        d[0] = s->dx + (s->dux * n->rx - s->duy * n->ry);
        d[1] = s->dy + (s->duy * n->rx + s->dux * n->ry);
        m->ahead[2 * a] = d[0];
        m->ahead[2 * a + 1] = d[1] - (t->bodies[n->body].fixed ? 0 : fall);
    }
}

// Contacts of m->next, in the contact memory that is not in use.
carom_status carom_tower_step_find(carom_tower_motion *m, tower_found *out, carom_error *err)
{
    carom_arena *arena = m->contact_memory[1 - m->contact_side];
    carom_arena_rewind(arena, (carom_arena_mark){ 0 });
    place_anchors(m);
    tower_view view = { .tower = m->tower,
                        .p = m->next_p,
                        .ahead = m->ahead,
                        .mirror = m->symmetric ? &m->mirror : NULL,
                        .all_corners = m->options.all_corners };
    return carom_tower_contact_near(&view, arena, out, err);
}

static void swap(double **a, double **b)
{
    double *keep = *a;
    *a = *b;
    *b = keep;
}

// m->next becomes m->now, with its anchors and contacts.
void carom_tower_step_accept(carom_tower_motion *m, const tower_found *found)
{
    tower_moving *keep = m->now;
    m->now = m->next;
    m->next = keep;
    swap(&m->p, &m->next_p);
    swap(&m->d, &m->next_d);
    m->contacts = found->contacts;
    m->penetration = found->penetration;
    m->contact_side = 1 - m->contact_side;
}

// -- one step -----------------------------------------------------------------------------------

// kappa - 1 of a body
static double radial_part(carom_tower_variant variant, const tower_moving *s)
{
    double square = s->ux * s->ux + s->uy * s->uy, moved = s->dux * s->dux + s->duy * s->duy;
    switch (variant) {
    case CAROM_TOWER_LITERAL:
        return -moved / square;
    case CAROM_TOWER_PROJECTED:
        return 1 / sqrt(square) - 1;
    case CAROM_TOWER_SECOND:
        return 1 / sqrt(square) - 1 - moved / (2 * square);
    default:
        return 0;
    }
}

// Free motion of every body: positions (figure 7) in units of length, or accelerations (figure 6).
static carom_status make_frame(carom_tower_motion *m, tower_frame *f, carom_error *err)
{
    const carom_tower *t = m->tower;
    double dt = m->options.dt, fall = t->gravity * dt * dt;
    *f = (tower_frame){ .tower = t,
                        .p = m->p,
                        .d = m->d,
                        .centre = m->centre,
                        .scale = dt * dt,
                        .sidedness = m->options.sidedness,
                        .positions = true,
                        .variant = m->options.variant,
                        .penalty = m->options.penalty };
    carom_tower_rows_soft_weights(f, m->weight);
    TAKE_ZEROS(m->scratch, f->free, 3 * t->body_count, err);
    TAKE_ZEROS(m->scratch, f->radial, t->body_count, err);
    TAKE_ZEROS(m->scratch, f->tie_radial, t->body_count, err);
    for (int b = 0; b < t->body_count; ++b) {
        const tower_moving *s = &m->now[b];
        const tower_body *body = &t->bodies[b];
        double square = s->ux * s->ux + s->uy * s->uy;
        m->centre[2 * b] = s->cx;
        m->centre[2 * b + 1] = s->cy;
        if (body->fixed)
            continue;
        f->free[3 * b] = s->dx;
        f->free[3 * b + 1] = s->dy - fall;
        // Im(du/u) is the sine of the last turn; the unit variant goes on with the turn itself,
        // or a free spin would slow down by a sixth of its cube in every step.
        f->free[3 * b + 2] = m->options.variant == CAROM_TOWER_UNIT
                                 ? s->turn
                                 : (s->duy * s->ux - s->dux * s->uy) / square;
        f->radial[b] = radial_part(m->options.variant, s);
        f->tie_radial[b] = m->options.variant == CAROM_TOWER_UNIT
                               ? radial_part(CAROM_TOWER_SECOND, s)
                               : f->radial[b];
        double *weight = m->weight + 3 * (size_t)body->block;
        weight[0] = weight[1] = body->mass;
        weight[2] = body->inertia * square;
    }
    if (m->options.acceleration) { // the same numbers over dt^2, without gaps
        f->positions = false;
        f->sidedness = 2;
        f->variant = CAROM_TOWER_LITERAL;
        for (int b = 0; b < t->body_count; ++b) {
            f->free[3 * b] = 0;
            f->free[3 * b + 1] = t->bodies[b].fixed ? 0 : -fall;
            f->free[3 * b + 2] = 0;
            f->radial[b] = f->tie_radial[b] = radial_part(CAROM_TOWER_LITERAL, &m->now[b]);
        }
    }
    return CAROM_OK;
}

// Figure 6 imposes (S2+) only where the gap and its speed are zero.
static void keep_closed(carom_tower_motion *m)
{
    double small = TOWER_CLOSED * m->tower->size;
    int kept = 0;
    for (int n = 0; n < m->contacts.count; ++n) {
        tower_contact c = m->contacts.item[n];
        const double *k = m->d + 2 * (size_t)c.k;
        double vx = k[0], vy = k[1];
        if (c.plane < 0) {
            const double *i = m->d + 2 * (size_t)c.i, *j = m->d + 2 * (size_t)c.j;
            vx -= (1 - c.alpha) * i[0] + c.alpha * j[0];
            vy -= (1 - c.alpha) * i[1] + c.alpha * j[1];
        }
        if (fabs(c.gap) <= small && fabs(vx * c.nx + vy * c.ny) <= small)
            m->contacts.item[kept++] = c;
    }
    m->contacts.count = kept;
}

static carom_status solve(carom_tower_motion *m, const carom_qp *qp, bool warm, double *lambda,
                          double *y, carom_tower_step *out, carom_error *err)
{
    carom_qp_report report;
    double begin = carom_clock_seconds();
    carom_status status = carom_qp_interior_solve(m->solver, qp, warm, lambda, y, &report, err);
    out->qp_ms += 1e3 * (carom_clock_seconds() - begin);
    out->kkt = report.kkt;
    out->rows = qp->row_count;
    out->factorisations += report.factorisations;
    out->interior = out->interior || report.method == CAROM_QP_INTERIOR;
    return status;
}

// The program of one step and its answer.
typedef struct program {
    tower_frame frame;
    tower_contacts contacts;
    carom_qp qp;
    carom_qp_row *rows;
    double *lambda, *y;
    double *slip; // of the contacts; friction only
    int per;      // rows per contact
    int ties;     // rows after those of the contacts
} program;

static carom_status make_program(carom_tower_motion *m, program *g, carom_error *err)
{
    const carom_tower *t = m->tower;
    g->contacts = m->contacts;
    TRY(make_frame(m, &g->frame, err));
    g->per = carom_tower_rows_per_contact(t);
    g->ties = carom_tower_rows_ties(t);
    int blocks = t->block_count + carom_tower_rows_soft_blocks(t, m->options.penalty);
    g->qp = (carom_qp){ .block_count = blocks,
                        .row_count = g->per * g->contacts.count + g->ties,
                        .weight = m->weight };
    g->qp.bound_scale = t->size / g->frame.scale; // gaps are differences of positions
    TAKE(m->scratch, g->rows, g->qp.row_count + 1, err);
    TAKE_ZEROS(m->scratch, g->lambda, g->qp.row_count + 1, err);
    TAKE_ZEROS(m->scratch, g->slip, g->contacts.count + 1, err);
    TAKE(m->scratch, g->y, 3 * blocks + 1, err);
    g->qp.rows = g->rows;
    return CAROM_OK;
}

// Coulomb's law by fixed point: the Anitescu rows open a sliding contact by mu |slip|; shifting
// them by the slip of the previous round (De Saxce) closes it again.
static carom_status solve_friction(carom_tower_motion *m, program *g, bool warm,
                                   carom_tower_step *out, carom_error *err)
{
    for (int round = 0; round < SLIP_ROUNDS_MAX; ++round) {
        double change = 0;
        carom_tower_rows_fill(&g->frame, &g->contacts, g->slip, g->rows);
        TRY(solve(m, &g->qp, round > 0 || warm, g->lambda, g->y, out, err));
        ++m->audit.fixed_point_rounds;
        for (int n = 0; n < g->contacts.count; ++n) {
            // Only contacts that push can drag; an open one must not be pushed away by its own
            // shift.
            bool pushes = g->lambda[2 * n] + g->lambda[2 * n + 1] > 0;
            double fresh =
                pushes ? carom_tower_rows_slip(&g->frame, &g->contacts.item[n], g->y) : 0;
            change = fmax(change, fabs(fabs(fresh) - fabs(g->slip[n])));
            g->slip[n] = fresh;
        }
        if (change <= SLIP_SETTLED * m->tower->size)
            break;
    }
    return CAROM_OK;
}

static carom_status solve_program(carom_tower_motion *m, program *g, carom_tower_step *out,
                                  carom_error *err)
{
    bool warm = !m->options.cold &&
                carom_tower_warm_load(&m->warm, &g->contacts, g->per, g->ties, g->lambda);
    if (g->per == 2)
        return solve_friction(m, g, warm, out, err);
    carom_tower_rows_fill(&g->frame, &g->contacts, NULL, g->rows);
    return solve(m, &g->qp, warm, g->lambda, g->y, out, err);
}

// u' and its change for the turn w of a body.
static void turn_body(const carom_tower_motion *m, tower_moving *s, double w, double radial,
                      bool point)
{
    double c = radial, sine = w;
    if (point) {
        s->dux = s->duy = 0;
        return;
    }
    if (m->options.variant == CAROM_TOWER_UNIT && !m->options.acceleration) {
        carom_trig_expm1(w, &c, &sine);
        s->angle += w;
        s->turn = w;
    }
    s->dux = s->ux * c - s->uy * sine;
    s->duy = s->uy * c + s->ux * sine;
    s->ux += s->dux;
    s->uy += s->duy;
    if (m->options.variant == CAROM_TOWER_UNIT && !m->options.acceleration) {
        double length = sqrt(s->ux * s->ux + s->uy * s->uy);
        s->ux /= length;
        s->uy /= length;
    }
}

// From displacements (dx, dy, w) of the blocks to the next state.
static void move_bodies(carom_tower_motion *m, const tower_frame *f, const double *x)
{
    const carom_tower *t = m->tower;
    for (int b = 0; b < t->body_count; ++b) {
        tower_moving *s = &m->next[b];
        *s = m->now[b];
        if (t->bodies[b].fixed)
            continue;
        const double *part = x + 3 * (size_t)t->bodies[b].block;
        s->dx = part[0];
        s->dy = part[1];
        s->cx += part[0];
        s->cy += part[1];
        turn_body(m, s, part[2], f->radial[b], t->bodies[b].point);
    }
}

// Displacements of the blocks: the free motion and what the restraint adds.
static void displacements(const carom_tower_motion *m, const tower_frame *f, const double *y,
                          double *x)
{
    const carom_tower *t = m->tower;
    for (int b = 0; b < t->body_count; ++b) {
        const tower_moving *s = &m->now[b];
        int block = t->bodies[b].block;
        if (block < 0)
            continue;
        for (int c = 0; c < 3; ++c)
            x[3 * block + c] = f->free[3 * b + c] + f->scale * y[3 * block + c];
        if (m->options.acceleration) { // p' = p + v dt + a dt^2
            double square = s->ux * s->ux + s->uy * s->uy;
            x[3 * block] += s->dx;
            x[3 * block + 1] += s->dy;
            x[3 * block + 2] += (s->duy * s->ux - s->dux * s->uy) / square;
        }
    }
}

// Figure 6 does not project the last change of u on the turn: its radial part stays in the motion.
static void add_radial_drift(const carom_tower_motion *m, tower_frame *f)
{
    if (!m->options.acceleration)
        return;
    for (int b = 0; b < m->tower->body_count; ++b) {
        const tower_moving *s = &m->now[b];
        f->radial[b] += (s->dux * s->ux + s->duy * s->uy) / (s->ux * s->ux + s->uy * s->uy);
    }
}

static void note_forces(carom_tower_motion *m, const program *g, carom_tower_step *out)
{
    for (int n = 0; n < g->contacts.count; ++n) {
        const tower_contact *c = &g->contacts.item[n];
        double force = g->per == 2 ? g->lambda[2 * n] + g->lambda[2 * n + 1] : g->lambda[n];
        if (!(force > 0))
            continue;
        ++out->active;
        int body = c->edge_owner < 0 ? c->corner_owner : c->corner_owner < 0 ? c->edge_owner : -1;
        if (body < 0 || m->grounded[body])
            continue;
        m->grounded[body] = true;
        if (m->audit.first_contact_with_support < 0)
            m->audit.first_contact_with_support = out->time;
    }
}

// -- overlaps -----------------------------------------------------------------------------------
//
// The second-order term of (S') is taken from the last displacement, which an impact changes, and a
// corner that was predicted to pass another corner may be stopped on its way. A step that would end
// with an overlap deeper than TOWER_DEEP is therefore taken back: the corners found inside join the
// contacts, and the rows are expanded again about where the step ended, a Newton step for the true
// gaps.

static bool listed(const tower_contacts *list, const tower_contact *c)
{
    for (int n = 0; n < list->count; ++n)
        if (list->item[n].i == c->i && list->item[n].k == c->k && list->item[n].plane == c->plane)
            return true;
    return false;
}

// Copies the program with the deep contacts appended; their rows start without force.
static carom_status extend(carom_tower_motion *m, program *g, const tower_contacts *deep,
                           carom_error *err)
{
    program old = *g;
    int fresh = 0, old_rows = old.per * old.contacts.count;
    TAKE(m->scratch, g->contacts.item, old.contacts.count + deep->count + 1, err);
    memcpy(g->contacts.item, old.contacts.item,
           (size_t)old.contacts.count * sizeof *old.contacts.item);
    for (int n = 0; n < deep->count; ++n)
        if (!listed(&old.contacts, &deep->item[n]))
            g->contacts.item[old.contacts.count + fresh++] = deep->item[n];
    g->contacts.count += fresh;
    g->qp.row_count += g->per * fresh;
    TAKE(m->scratch, g->rows, g->qp.row_count + 1, err);
    TAKE_ZEROS(m->scratch, g->lambda, g->qp.row_count + 1, err);
    TAKE_ZEROS(m->scratch, g->slip, g->contacts.count + 1, err);
    memcpy(g->lambda, old.lambda, (size_t)old_rows * sizeof *g->lambda);
    memcpy(g->lambda + g->per * g->contacts.count, old.lambda + old_rows,
           (size_t)g->ties * sizeof *g->lambda);
    memcpy(g->slip, old.slip, (size_t)old.contacts.count * sizeof *g->slip);
    g->qp.rows = g->rows;
    carom_tower_rows_fill(&g->frame, &g->contacts, g->per == 2 ? g->slip : NULL, g->rows);
    return CAROM_OK;
}

static double gap_after(const carom_tower_motion *m, const tower_contact *c)
{
    const double *k = m->next_p + 2 * (size_t)c->k;
    if (c->plane >= 0) {
        const tower_plane *h = &m->tower->planes[c->plane];
        return h->nx * (k[0] - h->x) + h->ny * (k[1] - h->y);
    }
    const double *i = m->next_p + 2 * (size_t)c->i, *j = m->next_p + 2 * (size_t)c->j;
    double ex = j[0] - i[0], ey = j[1] - i[1];
    return (ey * (k[0] - i[0]) - ex * (k[1] - i[1])) / sqrt(ex * ex + ey * ey);
}

// Makes the rows say at y what the gaps of m->next are. The two rows of a contact with friction
// differ by the sign of the tangential part only, so their mean is the normal gap.
static void correct_bounds(const carom_tower_motion *m, program *g)
{
    for (int n = 0; n < g->contacts.count; ++n) {
        carom_qp_row *row = g->rows + (size_t)g->per * (size_t)n;
        double linear = 0;
        for (int r = 0; r < g->per; ++r)
            linear += (carom_qp_row_times(&row[r], g->y) - row[r].bound) / g->per;
        double shift = g->per == 2 ? -m->tower->friction * fabs(g->slip[n]) : 0;
        double error = linear + (shift - gap_after(m, &g->contacts.item[n])) / g->frame.scale;
        for (int r = 0; r < g->per; ++r)
            row[r].bound += error;
    }
}

static carom_status correct_step(carom_tower_motion *m, program *g, const tower_found *found,
                                 carom_tower_step *out, carom_error *err)
{
    TRY(extend(m, g, &found->deep, err));
    correct_bounds(m, g);
    ++out->corrections;
    return solve(m, &g->qp, true, g->lambda, g->y, out, err);
}

// Whether this variant asks for corrections: the literal ones are there to show what they do.
static bool corrects(const carom_tower_motion *m)
{
    return !m->options.acceleration && m->options.sidedness == 1;
}

carom_status carom_tower_step_advance(carom_tower_motion *m, carom_tower_step *out,
                                      carom_error *err)
{
    program g;
    tower_found found;
    double *x;
    TAKE(m->scratch, x, 3 * m->tower->block_count + 1, err);
    if (m->options.acceleration)
        keep_closed(m);
    TRY(make_program(m, &g, err));
    TRY(solve_program(m, &g, out, err));
    add_radial_drift(m, &g.frame);
    for (int attempt = 0;; ++attempt) {
        displacements(m, &g.frame, g.y, x);
        if (m->symmetric)
            out->asymmetry =
                fmax(out->asymmetry, carom_tower_mirror_average(&m->mirror, m->tower, x));
        move_bodies(m, &g.frame, x);
        TRY(carom_tower_step_find(m, &found, err));
        bool deep = found.penetration > TOWER_DEEP * m->tower->size;
        if (!deep || !corrects(m) || attempt == CORRECTIONS_MAX)
            break;
        TRY(correct_step(m, &g, &found, out, err));
    }
    TRY(carom_tower_warm_reserve(&m->warm, g.contacts.count, g.ties, err));
    // Nothing below fails: the new state is taken over whole.
    out->time = (double)(m->audit.steps + 1) * m->options.dt;
    note_forces(m, &g, out);
    carom_tower_warm_store(&m->warm, &g.contacts, g.per, g.ties, g.lambda);
    carom_tower_step_accept(m, &found);
    return CAROM_OK;
}
