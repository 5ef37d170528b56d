// The linear constraints of [Collapse, sections 4 and 5], corrected, on three variables per body.
//
// (S')  gap + n . (delta_k - (1-alpha) delta_i - alpha delta_j) >= -s A(d_j, d_i, d_k) / |p_j -
// p_i|
//       with A(a,b,c) = (b-a) x (c-a); the printed division of A by dt is wrong (A is of degree
//       two). The edge runs counter-clockwise around its body, so the corner is to the left of j ->
//       i.
// (S2+) the same without gap, s = 2, accelerations for displacements and velocities for d.
// Bars  e . (delta_a - delta_b) = the variant's right side - |e|^2, e = p_a - p_b:
//       (L') |e|^2 - |d_a - d_b|^2   (L'') L0 |e|   (L3) L0 |e| - 1/2 |d_a - d_b|^2;
// (L2+) e . (a_a - a_b) = -|v_a - v_b|^2.
// Soft bars [8.4]: the equation gets a residual t of its own, e . (delta_a - delta_b) / |e| - t =
// ..., and the objective M |e|^2 t^2, that is M times the square of the printed bracket.
// Pins are two equations that keep the two anchors together.
// Friction [Anitescu and Potra]: (n -+ mu t) . delta >= -gap, one row for each sign.
#include "tower/tower_rows.h"

#include <math.h>

int carom_tower_rows_per_contact(const carom_tower *t)
{
    return t->friction > 0 ? 2 : 1;
}

int carom_tower_rows_ties(const carom_tower *t)
{
    int rows = 0;
    for (int b = 0; b < t->bar_count; ++b)
        rows += t->bars[b].length > 0 ? 1 : 2;
    return rows;
}

int carom_tower_rows_soft_blocks(const carom_tower *t, double penalty)
{
    return penalty > 0 ? (t->bar_count + 2) / 3 : 0;
}

void carom_tower_rows_soft_weights(const tower_frame *f, double *weight)
{
    const carom_tower *t = f->tower;
    int blocks = carom_tower_rows_soft_blocks(t, f->penalty);
    for (int n = 0; n < 3 * blocks; ++n) {
        double square = 1; // of what pins and the last block leave over
        if (n < t->bar_count && t->bars[n].length > 0) {
            const double *a = f->p + 2 * (size_t)t->bars[n].a, *b = f->p + 2 * (size_t)t->bars[n].b;
            square = (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]);
        }
        weight[3 * t->block_count + n] = f->penalty * square;
    }
}

static double *row_slot(carom_qp_row *row, int block)
{
    for (int k = 0; k < row->count; ++k)
        if (row->block[k] == block)
            return row->value[k];
    double *value = row->value[row->count];
    row->block[row->count++] = block;
    value[0] = value[1] = value[2] = 0;
    return value;
}

// Adds factor * (nx, ny) . (motion of anchor a) to the row; returns the part that does not depend
// on y.
static double add_anchor(const tower_frame *f, carom_qp_row *row, int a, double factor, double nx,
                         double ny)
{
    const tower_body *body = &f->tower->bodies[f->tower->anchors[a].body];
    int b = f->tower->anchors[a].body;
    if (body->fixed || factor == 0)
        return 0;
    double qx = f->p[2 * a] - f->centre[2 * b], qy = f->p[2 * a + 1] - f->centre[2 * b + 1];
    double lever = body->point ? 0 : nx * -qy + ny * qx, *value = row_slot(row, body->block);
    const double *free = f->free + 3 * (size_t)b;
    value[0] += factor * nx;
    value[1] += factor * ny;
    value[2] += factor * lever;
    return factor *
           (nx * free[0] + ny * free[1] + lever * free[2] + f->radial[b] * (nx * qx + ny * qy));
}

// A(d_j, d_i, d_k) / length
static double second_order(const tower_frame *f, const tower_contact *c)
{
    if (c->plane >= 0 || !f->d)
        return 0;
    const double *i = f->d + 2 * (size_t)c->i, *j = f->d + 2 * (size_t)c->j,
                 *k = f->d + 2 * (size_t)c->k;
    double ex = i[0] - j[0], ey = i[1] - j[1];
    return (ex * (k[1] - j[1]) - ey * (k[0] - j[0])) / c->length;
}

// The relative motion of a contact along the direction (mx, my), corner against foot.
static double relative(const tower_frame *f, const tower_contact *c, double mx, double my,
                       carom_qp_row *row)
{
    double fixed = add_anchor(f, row, c->k, 1, mx, my);
    if (c->plane < 0) {
        fixed += add_anchor(f, row, c->i, -(1 - c->alpha), mx, my);
        fixed += add_anchor(f, row, c->j, -c->alpha, mx, my);
    }
    return fixed;
}

static void contact_row(const tower_frame *f, const tower_contact *c, double lean, double slip,
                        carom_qp_row *row)
{
    row->count = 0;
    row->equality = false;
    double fixed = relative(f, c, c->nx - lean * c->ny, c->ny + lean * c->nx, row);
    double target = -f->sidedness * second_order(f, c) - (f->positions ? c->gap : 0) + slip;
    row->bound = (target - fixed) / f->scale;
}

double carom_tower_rows_slip(const tower_frame *f, const tower_contact *c, const double *y)
{
    carom_qp_row row = { .count = 0 };
    double fixed = relative(f, c, -c->ny, c->nx, &row);
    return fixed + f->scale * carom_qp_row_times(&row, y);
}

static double bar_target(const tower_frame *f, const tower_bar *bar, double length)
{
    double dx = 0, dy = 0;
    if (f->d) {
        const double *a = f->d + 2 * (size_t)bar->a, *b = f->d + 2 * (size_t)bar->b;
        dx = a[0] - b[0];
        dy = a[1] - b[1];
    }
    double square = dx * dx + dy * dy;
    if (!f->positions)
        return -square;
    switch (f->variant) {
    case CAROM_TOWER_LITERAL:
        return -square;
    case CAROM_TOWER_PROJECTED:
        return (bar->length - length) * length;
    default:
        return (bar->length - length) * length - square / 2;
    }
}

static void bar_row(const tower_frame *f, const tower_bar *bar, carom_qp_row *row)
{
    double ex = f->p[2 * bar->a] - f->p[2 * bar->b],
           ey = f->p[2 * bar->a + 1] - f->p[2 * bar->b + 1];
    double length = sqrt(ex * ex + ey * ey);
    row->count = 0;
    row->equality = true;
    double fixed = add_anchor(f, row, bar->a, 1, ex / length, ey / length);
    fixed += add_anchor(f, row, bar->b, -1, ex / length, ey / length);
    row->bound = (bar_target(f, bar, length) / length - fixed) / f->scale;
    int number = (int)(bar - f->tower->bars);
    if (f->penalty > 0)
        row_slot(row, f->tower->block_count + number / 3)[number % 3] = -1;
}

static void pin_row(const tower_frame *f, const tower_bar *bar, int axis, carom_qp_row *row)
{
    double nx = axis == 0, ny = axis == 1;
    double gap = f->p[2 * bar->a + axis] - f->p[2 * bar->b + axis];
    row->count = 0;
    row->equality = true;
    double fixed = add_anchor(f, row, bar->a, 1, nx, ny) + add_anchor(f, row, bar->b, -1, nx, ny);
    row->bound = (-(f->positions ? gap : 0) - fixed) / f->scale;
}

// Pins and bars need the second-order radial term also in the unit variant, whose contacts do
// without: a contact only keeps a gap, a pin would stay open by it.
static void tie_rows(tower_frame f, double *radial, carom_qp_row *rows)
{
    f.radial = radial;
    for (int b = 0; b < f.tower->bar_count; ++b) {
        const tower_bar *bar = &f.tower->bars[b];
        if (bar->length > 0)
            bar_row(&f, bar, rows++);
        else
            for (int axis = 0; axis < 2; ++axis)
                pin_row(&f, bar, axis, rows++);
    }
}

void carom_tower_rows_fill(const tower_frame *f, const tower_contacts *contacts, const double *slip,
                           carom_qp_row *rows)
{
    double mu = f->tower->friction;
    for (int n = 0; n < contacts->count; ++n) {
        const tower_contact *c = &contacts->item[n];
        double shift = slip ? -mu * fabs(slip[n]) : 0;
        if (mu > 0) {
            contact_row(f, c, mu, shift, rows++);
            contact_row(f, c, -mu, shift, rows++);
        } else
            contact_row(f, c, 0, 0, rows++);
    }
    tie_rows(*f, f->tie_radial, rows);
}
