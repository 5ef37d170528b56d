// The box that is looked at and its cells: which cell a point is in, how balls and lines are
// divided among cells.
#include <math.h>
#include "math/constants.h"
#include "measure/measure.h"

enum { FINE = 10 }; // points per diameter where a ball is cut along several axes

static double at(vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static double *axis_of(vec3 *v, int axis)
{
    return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

void carom_measure_grid_place(carom_measure *m, const vec3 *position)
{
    const double *box = m->options.box;
    for (int k = 0; k < 3; ++k)
        m->cells[k] = m->options.cells[k] > 0 ? m->options.cells[k] : m->method->cells[k];
    m->low = vec3_make(HUGE_VAL, HUGE_VAL, HUGE_VAL);
    m->high = vec3_scale(-1, m->low);
    for (int i = 0; i < m->count; ++i) {
        double r = m->radius[i];
        if (!(m->mass[i] > 0))
            continue;
        m->low = vec3_make(fmin(m->low.x, position[i].x - r), fmin(m->low.y, position[i].y - r),
                           fmin(m->low.z, position[i].z - r));
        m->high = vec3_make(fmax(m->high.x, position[i].x + r), fmax(m->high.y, position[i].y + r),
                            fmax(m->high.z, position[i].z + r));
    }
    for (int k = 0; k < 3; ++k)
        if (m->period.length[k] > 0) {
            *axis_of(&m->low, k) = m->period.low[k];
            *axis_of(&m->high, k) = m->period.low[k] + m->period.length[k];
        }
    if (box[3] > box[0]) {
        m->low = vec3_from(box);
        m->high = vec3_from(box + 3);
    }
}

int carom_measure_grid_count(const carom_measure *m)
{
    return m->cells[0] * m->cells[1] * m->cells[2];
}

double carom_measure_grid_volume(const carom_measure *m)
{
    vec3 size = vec3_sub(m->high, m->low);
    return size.x * size.y * size.z / carom_measure_grid_count(m);
}

// Place along an axis in cells, from the low side.
static double place(const carom_measure *m, int axis, double x)
{
    double low = at(m->low, axis);
    return (x - low) / (at(m->high, axis) - low) * m->cells[axis];
}

double carom_measure_grid_closed(const carom_measure *m, int axis)
{
    double length = m->period.length[axis], size = at(m->high, axis) - at(m->low, axis);
    return fabs(size - length) <= 1e-9 * length ? length : 0;
}

// The image of a point next to the low corner of the box, inside or above it.
static vec3 home(const carom_measure *m, vec3 point)
{
    for (int k = 0; k < 3; ++k) {
        double length = m->period.length[k];
        if (length > 0)
            *axis_of(&point, k) -= length * floor((at(point, k) - at(m->low, k)) / length);
    }
    return point;
}

// Images of what reaches `far` (m along each axis) from a point in the box, one after the other:
// number 0 to 26; false: that one is not needed.
static bool image(const carom_measure *m, int number, vec3 centre, vec3 far, vec3 *shift)
{
    const int n[3] = { number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1 };
    *shift = vec3_make(0, 0, 0);
    for (int k = 0; k < 3; ++k) {
        double by = n[k] * m->period.length[k], x = at(centre, k) + by;
        if (n[k] != 0 &&
            (by == 0 || x - at(far, k) >= at(m->high, k) || x + at(far, k) <= at(m->low, k)))
            return false;
        *axis_of(shift, k) = by;
    }
    return true;
}

static int cell_of(const carom_measure *m, vec3 point)
{
    int cell = 0;
    for (int k = 2; k >= 0; --k) {
        double x = place(m, k, at(point, k));
        if (!(x >= 0 && x <= m->cells[k]))
            return -1;
        int index = x < m->cells[k] ? (int)x : m->cells[k] - 1;
        cell = cell * m->cells[k] + index;
    }
    return cell;
}

int carom_measure_grid_cell(const carom_measure *m, vec3 point)
{
    return cell_of(m, home(m, point));
}

// -- balls --------------------------------------------------------------------------------------

// Share of a ball's volume below a plane at the distance u (in radii) above its centre.
static double share_below(double u)
{
    u = fmax(-1, fmin(1, u));
    return 0.25 * (2 + u * (3 - u * u));
}

// Cut along one axis at most: slices in closed form.
static void add_slices(const carom_measure *m, vec3 centre, double radius, int axis, double amount,
                       double *sums, int stride)
{
    double width = (at(m->high, axis) - at(m->low, axis)) / m->cells[axis], x = at(centre, axis);
    int first = (int)floor(place(m, axis, x - radius)), last = (int)place(m, axis, x + radius);
    for (int i = first < 0 ? 0 : first; i <= last && i < m->cells[axis]; ++i) {
        double from = at(m->low, axis) + i * width - x;
        double share = share_below((from + width) / radius) - share_below(from / radius);
        vec3 inside = centre;
        *axis_of(&inside, axis) += from + 0.5 * width;
        int cell = cell_of(m, inside);
        if (cell >= 0)
            sums[(size_t)cell * (size_t)stride] += amount * share;
    }
}

// Cut along several axes: by equal points.
static void add_points(const carom_measure *m, vec3 centre, double radius, double amount,
                       double *sums, int stride)
{
    for (int pass = 0, inside = 0; pass < 2; ++pass)
        for (int i = 0; i < FINE * FINE * FINE; ++i) {
            vec3 d = vec3_make((2 * (i % FINE) + 1.0) / FINE - 1,
                               (2 * (i / FINE % FINE) + 1.0) / FINE - 1,
                               (2 * (i / FINE / FINE) + 1.0) / FINE - 1);
            if (vec3_dot(d, d) > 1)
                continue;
            inside += pass == 0;
            int cell = pass ? cell_of(m, vec3_axpy(centre, radius, d)) : -1;
            if (cell >= 0)
                sums[(size_t)cell * (size_t)stride] += amount / inside;
        }
}

static void add_ball(const carom_measure *m, vec3 centre, double radius, double amount,
                     double *sums, int stride)
{
    int cut = 0, axis = 2;
    for (int k = 0; k < 3; ++k) {
        double from = place(m, k, at(centre, k) - radius), to = place(m, k, at(centre, k) + radius);
        if (to <= 0 || from >= m->cells[k])
            return;
        // grains that touch a wall overlap it by round-off
        if (floor(from + 1e-9) != floor(to - 1e-9)) {
            axis = k;
            ++cut;
        }
    }
    if (cut > 1)
        add_points(m, centre, radius, amount, sums, stride);
    else
        add_slices(m, centre, radius, axis, amount, sums, stride);
}

void carom_measure_grid_ball(const carom_measure *m, vec3 centre, double radius, double amount,
                             double *sums, int stride)
{
    vec3 at_home = home(m, centre), shift;
    for (int i = 0; i < 27; ++i)
        if (image(m, i, at_home, vec3_make(radius, radius, radius), &shift))
            add_ball(m, vec3_add(at_home, shift), radius, amount, sums, stride);
}

// -- lines --------------------------------------------------------------------------------------

static void add_line(const carom_measure *m, const vec3 ends[2], const double *amounts, int count,
                     double *sums)
{
    vec3 way = vec3_sub(ends[1], ends[0]);
    for (double t = 0; t < 1;) { // from cell to cell
        double next = 1;
        for (int k = 0; k < 3; ++k) {
            double x = place(m, k, at(ends[0], k) + t * at(way, k));
            double speed = place(m, k, at(ends[0], k) + at(way, k)) - place(m, k, at(ends[0], k));
            double wall = speed > 0 ? floor(x + 1e-9) + 1 : ceil(x - 1e-9) - 1;
            if (speed != 0)
                next = fmin(next, t + fmax((wall - x) / speed, 1e-6));
        }
        int cell = cell_of(m, vec3_axpy(ends[0], 0.5 * (t + next), way));
        for (int k = 0; cell >= 0 && k < count; ++k)
            sums[(size_t)cell * (size_t)count + (size_t)k] += (next - t) * amounts[k];
        t = next;
    }
}

void carom_measure_grid_line(const carom_measure *m, const vec3 ends[2], const double *amounts,
                             int count, double *sums)
{
    vec3 from = home(m, ends[0]), way = vec3_sub(ends[1], ends[0]), shift;
    vec3 far = vec3_make(fabs(way.x), fabs(way.y), fabs(way.z));
    for (int i = 0; i < 27; ++i)
        if (image(m, i, from, far, &shift)) {
            vec3 start = vec3_add(from, shift), moved[2] = { start, vec3_add(start, way) };
            add_line(m, moved, amounts, count, sums);
        }
}

// -- the table ----------------------------------------------------------------------------------

void carom_measure_grid_columns(carom_measure *m)
{
    static const char *const names[] = { "x", "y", "z" };
    carom_measure_table *t = &m->table;
    for (int k = 0; k < 3; ++k) {
        double *centre = carom_measure_add_column(m, 0, "m", "%s", names[k]);
        double width = (at(m->high, k) - at(m->low, k)) / m->cells[k];
        int before = 1;
        for (int b = 0; b < k; ++b)
            before *= m->cells[b];
        for (int cell = 0; cell < m->rows; ++cell)
            centre[cell] = at(m->low, k) + (cell / before % m->cells[k] + 0.5) * width;
        t->cells[k] = m->cells[k];
        if (m->cells[k] > t->cells[t->axis])
            t->axis = k;
    }
}
