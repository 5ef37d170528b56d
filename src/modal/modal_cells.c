// Choosing, sorting and integrating the cells of the lattice.
//
// The lattice fits the box of the surface, so that a box along the axes has no cut cells at all. A
// cell is cut when a triangle enters its open inside; the others are wholly in or out. Cut cells
// are integrated by 15 x 15 lines (three Gauss points in each of five strips per axis) along the
// axis the surface faces most: exact along the line, whatever the number of walls in the cell.
//
// Cells filled to less than SLIVER are left out: they would add unknowns that almost nothing holds.
#include "modal/modal_cells.h"

#include <stdlib.h>
#include <string.h>
#include "base/team.h"
#include "math/power.h"
#include "math/vec.h"
#include "modal/modal_lines.h"
#include "modal/modal_thickness.h"

enum { STRIPS = 5, LINES = 3 * STRIPS, CELLS_MAX = 20000000, TRIES = 12 };
static const double SLIVER = 1e-3;
static const double SKIN = 1e-9;      // of the box: a triangle this near to a cell's side is on it
static const double CROSSINGS = 1e-3; // share of lines that may break (creases of scans)

typedef struct sorter {
    const carom_mesh_source *surface;
    carom_modal_cells *cells;
    double extent[3];
    unsigned char *kind; // of every cell of the grid
    float *facing;       // three per cell: which way its pieces of surface look
    int threads;
} sorter;
enum { OUT, FULL, CUT };

static carom_status choose(sorter *s, const carom_modal_options *options, double unit,
                           carom_error *err);
static carom_status integrate(sorter *s, carom_error *err);
static carom_status drop_slivers(sorter *s, carom_error *err);
static carom_status keep_largest(sorter *s, carom_error *err);

carom_status carom_modal_cells_make(const carom_mesh_source *surface,
                                    const carom_modal_options *options, double unit,
                                    carom_modal_cells *cells, carom_error *err)
{
    *cells = (carom_modal_cells){ 0 };
    sorter s = { .surface = surface, .cells = cells };
    s.threads = options->threads > 0 ? options->threads : carom_team_max();
    for (int i = 0; i < 3 * surface->triangle_count; ++i)
        for (int k = 0; k < 3; ++k)
            s.extent[k] =
                fmax(s.extent[k], surface->vertices[3 * (size_t)surface->triangles[i] + (size_t)k]);
    carom_status status = choose(&s, options, unit, err);
    if (status == CAROM_OK)
        status = integrate(&s, err);
    if (status == CAROM_OK)
        status = drop_slivers(&s, err);
    if (status == CAROM_OK)
        status = keep_largest(&s, err);
    free(s.kind);
    free(s.facing);
    if (status != CAROM_OK)
        carom_modal_cells_free(cells);
    return status;
}

void carom_modal_cells_free(carom_modal_cells *cells)
{
    free(cells->grid);
    free(cells->cut);
    free(cells->moments);
    *cells = (carom_modal_cells){ 0 };
}

static size_t grid_size(const carom_modal_cells *c)
{
    return (size_t)c->n[0] * (size_t)c->n[1] * (size_t)c->n[2];
}

// -- which cells --------------------------------------------------------------------------------

// Is there room between a box about the origin and a triangle along one of the nine directions
// across an edge of each (Akenine-Moeller 2001)? Boxes and the triangle's plane were tried before.
static bool edges_apart(const vec3 p[3], const double half[3])
{
    for (int k = 0; k < 3; ++k) {
        vec3 e = vec3_sub(p[(k + 1) % 3], p[k]);
        vec3 across[3] = { { 0, -e.z, e.y }, { e.z, 0, -e.x }, { -e.y, e.x, 0 } };
        for (int a = 0; a < 3; ++a) {
            double on = vec3_dot(across[a], p[k]), off = vec3_dot(across[a], p[(k + 2) % 3]);
            double reach = fabs(across[a].x) * half[0] + fabs(across[a].y) * half[1] +
                           fabs(across[a].z) * half[2];
            if (fmin(on, off) > reach || fmax(on, off) < -reach)
                return true;
        }
    }
    return false;
}

// The triangle marks every cell whose open inside it enters.
static void mark(sorter *s, int triangle)
{
    const carom_modal_cells *c = s->cells;
    const int *corner = s->surface->triangles + 3 * (size_t)triangle;
    vec3 p[3];
    int from[3], to[3];
    for (int k = 0; k < 3; ++k)
        p[k] = vec3_from(s->surface->vertices + 3 * (size_t)corner[k]);
    for (int k = 0; k < 3; ++k) {
        double a = s->surface->vertices[3 * (size_t)corner[0] + (size_t)k];
        double b = s->surface->vertices[3 * (size_t)corner[1] + (size_t)k];
        double d = s->surface->vertices[3 * (size_t)corner[2] + (size_t)k];
        from[k] = (int)floor((fmin(a, fmin(b, d)) + SKIN) / c->edge[k]);
        to[k] = (int)ceil((fmax(a, fmax(b, d)) - SKIN) / c->edge[k]) - 1;
        from[k] = from[k] < 0 ? 0 : from[k];
        to[k] = to[k] > c->n[k] - 1 ? c->n[k] - 1 : to[k];
    }
    vec3 normal = vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0]));
    double area = vec3_length(normal), face = c->edge[0] * c->edge[1];
    if (area == 0)
        return;
    normal = vec3_scale(1 / area, normal);
    float weight = (float)fmin(area / face, 1);
    double half[3] = { 0.5 * c->edge[0] - SKIN, 0.5 * c->edge[1] - SKIN, 0.5 * c->edge[2] - SKIN };
    double reach = fabs(normal.x) * half[0] + fabs(normal.y) * half[1] + fabs(normal.z) * half[2];
    for (int z = from[2]; z <= to[2]; ++z)
        for (int y = from[1]; y <= to[1]; ++y)
            for (int x = from[0]; x <= to[0]; ++x) {
                vec3 middle = vec3_make((x + 0.5) * c->edge[0], (y + 0.5) * c->edge[1],
                                        (z + 0.5) * c->edge[2]);
                vec3 near[3] = { vec3_sub(p[0], middle), vec3_sub(p[1], middle),
                                 vec3_sub(p[2], middle) };
                if (fabs(vec3_dot(normal, near[0])) > reach || edges_apart(near, half))
                    continue;
                size_t at = (size_t)x + (size_t)c->n[0] * ((size_t)y + (size_t)c->n[1] * (size_t)z);
                s->kind[at] = CUT;
                s->facing[3 * at] += weight * (float)(normal.x * normal.x);
                s->facing[3 * at + 1] += weight * (float)(normal.y * normal.y);
                s->facing[3 * at + 2] += weight * (float)(normal.z * normal.z);
            }
}

// Cells that are not cut are in where a line along x through their middles is.
static carom_status fill(sorter *s, carom_error *err)
{
    const carom_modal_cells *c = s->cells;
    double *y = malloc((size_t)(c->n[1] + c->n[2]) * sizeof *y), *z = y ? y + c->n[1] : NULL;
    if (!y)
        return carom_error_no_memory(err, "a lattice");
    for (int i = 0; i < c->n[1]; ++i)
        y[i] = (i + 0.5) * c->edge[1];
    for (int i = 0; i < c->n[2]; ++i)
        z[i] = (i + 0.5) * c->edge[2];
    carom_modal_lines l = { .axis = 0, .nu = c->n[1], .nv = c->n[2], .u = y, .v = z };
    carom_status status = carom_modal_lines_cast(s->surface, &l, err);
    for (int iy = 0; status == CAROM_OK && iy < c->n[1]; ++iy)
        for (int iz = 0; iz < c->n[2]; ++iz) {
            carom_modal_walk walk =
                carom_modal_walk_make(&l, (size_t)iy * (size_t)c->n[2] + (size_t)iz);
            unsigned char *row =
                s->kind + (size_t)c->n[0] * ((size_t)iy + (size_t)c->n[1] * (size_t)iz);
            while (carom_modal_lines_next(&walk)) {
                int from = (int)ceil(walk.in->at / c->edge[0] - 0.5);
                for (int x = from < 0 ? 0 : from;
                     x < c->n[0] && (x + 0.5) * c->edge[0] < walk.out->at; ++x)
                    if (row[x] == OUT)
                        row[x] = FULL;
            }
        }
    carom_modal_lines_free(&l);
    free(y);
    return status;
}

// Sorts all cells of a lattice with about this edge.
static carom_status sort_cells(sorter *s, double edge, carom_error *err)
{
    carom_modal_cells *c = s->cells;
    double total = 1;
    for (int k = 0; k < 3; ++k) {
        double count = ceil(s->extent[k] / edge - 1e-4);
        total *= count = fmax(count, 1);
        c->n[k] = (int)fmin(count, CELLS_MAX);
        c->edge[k] = s->extent[k] / c->n[k];
    }
    if (total > CELLS_MAX) {
        carom_error_set(err, CAROM_NO_MEMORY, "a lattice of %.3g cells, at most %d are kept", total,
                        CELLS_MAX);
        return carom_error_fix(err, "use larger cells");
    }
    free(s->kind);
    free(s->facing);
    s->kind = calloc(grid_size(c) + 1, 1);
    s->facing = calloc(3 * grid_size(c) + 1, sizeof *s->facing);
    if (!s->kind || !s->facing)
        return carom_error_no_memory(err, "%zu cells", grid_size(c));
    for (int t = 0; t < s->surface->triangle_count; ++t)
        mark(s, t);
    return fill(s, err);
}

// Nodes of all cells that are not out.
static double count_unknowns(const sorter *s)
{
    const carom_modal_cells *c = s->cells;
    double count = 0;
    // a node belongs to its highest active cell: count those whose higher neighbours are all out
    for (int z = -1; z < c->n[2]; ++z)
        for (int y = -1; y < c->n[1]; ++y)
            for (int x = -1; x < c->n[0]; ++x) {
                bool in[8];
                for (int k = 0; k < 8; ++k) {
                    int i = x + (k & 1), j = y + (k >> 1 & 1), l = z + (k >> 2);
                    in[k] =
                        i >= 0 && j >= 0 && l >= 0 && i < c->n[0] && j < c->n[1] && l < c->n[2] &&
                        s->kind[(size_t)i +
                                (size_t)c->n[0] * ((size_t)j + (size_t)c->n[1] * (size_t)l)] != OUT;
                }
                // corner between eight cells, edges and faces in the +x +y +z direction of it, and
                // the middle of cell 7
                count += in[0] || in[1] || in[2] || in[3] || in[4] || in[5] || in[6] || in[7];
                count += (in[1] || in[3] || in[5] || in[7]) + (in[2] || in[3] || in[6] || in[7]) +
                         (in[4] || in[5] || in[6] || in[7]);
                count += (in[3] || in[7]) + (in[5] || in[7]) + (in[6] || in[7]) + in[7];
            }
    return 3 * count;
}

// The wave number (times the longest side) up to which a body has about m modes: Weyl's volume
// term with two shear waves and one faster pressure wave, three times the surface term of free
// scalar waves, and the four waves of a thin rod.
static double wave_number(double volume, double area, int m)
{
    double low = 0, high = 1;
    for (int i = 0; i < 200; ++i) {
        double k = i < 60 ? high : 0.5 * (low + high);
        double count = 0.0372 * volume * k * k * k + 0.0597 * area * k * k + 1.27 * k;
        if (count >= m)
            high = k;
        else
            low = k;
        if (i < 60 && count < m)
            high *= 2;
    }
    return high;
}

static void measure_size(const sorter *s, double *volume, double *area)
{
    *volume = *area = 0;
    for (int t = 0; t < s->surface->triangle_count; ++t) {
        const int *corner = s->surface->triangles + 3 * (size_t)t;
        vec3 p[3];
        for (int k = 0; k < 3; ++k)
            p[k] = vec3_from(s->surface->vertices + 3 * (size_t)corner[k]);
        vec3 normal = vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0]));
        *volume += vec3_dot(normal, p[0]) / 6;
        *area += 0.5 * vec3_length(normal);
    }
}

// No finer cells can keep to the allowed unknowns: a cell brings at least 24 (eight nodes), there
// are at least volume / edge^3 of them, and a cell holds at most two walls of 1.8 edge^2.
static double least_edge(const sorter *s, double volume, double area, double unknowns)
{
    double full = carom_power(24 * volume / unknowns, 1. / 3);
    double thin = sqrt(24 * area / (3.6 * unknowns));
    double grid =
        carom_power(s->extent[0] * s->extent[1] * s->extent[2] / (0.5 * CELLS_MAX), 1. / 3);
    return fmax(full, fmax(thin, grid));
}

static carom_status too_thin(double thickness, double edge, double unknowns, carom_error *err)
{
    carom_error_set(err, CAROM_BAD_INPUT,
                    "walls %.3g m thick in cells of %.3g m: too thin to be resolved", thickness,
                    edge);
    double need = unknowns * (edge / thickness) * (edge / thickness) * (edge / thickness);
    return carom_error_fix(err, "allow about %.2g unknowns (cells of %.3g m), or thicken the body",
                           need, thickness);
}

static carom_status choose(sorter *s, const carom_modal_options *options, double unit,
                           carom_error *err)
{
    carom_modal_cells *c = s->cells;
    carom_modal_thickness found;
    double volume, area, edge = options->cell / unit;
    TRY(carom_modal_thickness_measure(s->surface, s->extent, &found, err));
    if (found.broken > CROSSINGS) {
        carom_error_set(err, CAROM_BAD_INPUT,
                        "%.2g %% of lines through the surface do not end outside",
                        100 * found.broken);
        return carom_error_fix(err, "close the surface: every edge needs exactly two triangles");
    }
    c->thickness = found.wall;
    c->gap = found.gap;
    c->overlapping = found.overlapping;
    if (options->cell > 0) {
        TRY(sort_cells(s, edge, err));
    } else {
        measure_size(s, &volume, &area);
        edge = fmin(found.wall / options->across, 1 / wave_number(volume, area, options->modes));
        edge = fmax(edge, least_edge(s, volume, area, options->unknowns_max));
        for (int i = 0;; ++i) {
            TRY(sort_cells(s, edge, err));
            double unknowns = count_unknowns(s);
            if (unknowns <= options->unknowns_max || i == TRIES)
                break;
            edge *= fmax(1.03, 0.9 * carom_power(unknowns / options->unknowns_max, 1. / 3));
        }
    }
    edge = carom_power(c->edge[0] * c->edge[1] * c->edge[2], 1. / 3);
    if (found.wall < 0.5 * edge)
        return too_thin(found.wall * unit, edge * unit, count_unknowns(s), err);
    return CAROM_OK;
}

// -- integration --------------------------------------------------------------------------------

// The places of the lines in one cell and their weights, in the reference cell.
static void line_rule(double at[LINES], double weight[LINES])
{
    static const double GAUSS = 0.77459666924148337704; // sqrt(3/5)
    for (int i = 0; i < STRIPS; ++i)
        for (int k = 0; k < 3; ++k) {
            at[3 * i + k] = (2 * i + 1 + (k - 1) * GAUSS) / STRIPS - 1;
            weight[3 * i + k] = (k == 1 ? 8. / 9 : 5. / 9) / STRIPS;
        }
}

// Adds one line: integral[p] along its axis, P_q and P_r of its place (weighted) across.
static void add_line(double *moments, int axis, const double *integral, const double *pu,
                     const double *pv)
{
    static const int STEP[3] = { 25, 5, 1 };
    int along = STEP[axis], u = STEP[(axis + 1) % 3], v = STEP[(axis + 2) % 3];
    for (int p = 0; p < 5; ++p)
        for (int q = 0; q < 5; ++q)
            for (int r = 0; r < 5; ++r)
                moments[p * along + q * u + r * v] += integral[p] * pu[q] * pv[r];
}

static void integrate_cell(const carom_modal_cells *c, int cell, const carom_modal_lines *l,
                           double *moments)
{
    int at[3] = { cell % c->n[0], cell / c->n[0] % c->n[1], cell / c->n[0] / c->n[1] };
    int u = (l->axis + 1) % 3, v = (l->axis + 2) % 3;
    double place[LINES], weight[LINES], edge = c->edge[l->axis], start = at[l->axis] * edge;
    line_rule(place, weight);
    for (int i = 0; i < LINES; ++i)
        for (int j = 0; j < LINES; ++j) {
            size_t line = (size_t)(at[u] * LINES + i) * (size_t)l->nv + (size_t)(at[v] * LINES + j);
            carom_modal_walk walk = carom_modal_walk_make(l, line);
            double sum[5] = { 0 }, pu[5], pv[5];
            bool any = false;
            while (carom_modal_lines_next(&walk)) {
                double a = fmax(-1, 2 * (walk.in->at - start) / edge - 1), one[5];
                double b = fmin(1, 2 * (walk.out->at - start) / edge - 1);
                if (b <= a)
                    continue;
                carom_modal_hex_integrals(a, b, one);
                for (int p = 0; p < 5; ++p)
                    sum[p] += one[p];
                any = true;
            }
            if (!any)
                continue;
            carom_modal_hex_legendre(place[i], pu);
            carom_modal_hex_legendre(place[j], pv);
            for (int q = 0; q < 5; ++q) {
                pu[q] *= weight[i];
                pv[q] *= weight[j];
            }
            add_line(moments, l->axis, sum, pu, pv);
        }
}

static int main_axis(const sorter *s, int cell)
{
    const float *f = s->facing + 3 * (size_t)cell;
    return f[0] >= f[1] && f[0] >= f[2] ? 0 : f[1] >= f[2] ? 1 : 2;
}

static double *line_places(const carom_modal_cells *c, int axis)
{
    double at[LINES], weight[LINES];
    double *place = malloc((size_t)c->n[axis] * LINES * sizeof *place);
    line_rule(at, weight);
    for (int i = 0; place && i < c->n[axis] * LINES; ++i)
        place[i] = (i / LINES + 0.5 * (at[i % LINES] + 1)) * c->edge[axis];
    return place;
}

// Cells differ: whole ones take none of the lines.
static void integrate_some(const sorter *s, const carom_modal_lines *l, atomic_int *next)
{
    carom_modal_cells *c = s->cells;
    for (int i; (i = carom_team_next(next, c->count)) >= 0;)
        if (c->cut[i] >= 0 && main_axis(s, c->grid[i]) == l->axis)
            integrate_cell(c, c->grid[i], l,
                           c->moments + (size_t)c->cut[i] * CAROM_MODAL_HEX_MOMENTS);
}
CAROM_TEAM_SHARE3(integrate_some, const sorter *, const carom_modal_lines *, atomic_int *)

// All cut cells whose surface faces this axis most.
static carom_status integrate_axis(sorter *s, int axis, carom_error *err)
{
    carom_modal_cells *c = s->cells;
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    double *pu = line_places(c, u), *pv = line_places(c, v);
    unsigned char *wanted = calloc((size_t)c->n[u] * (size_t)c->n[v] + 1, 1);
    carom_modal_lines l = { .axis = axis,
                            .nu = c->n[u] * LINES,
                            .nv = c->n[v] * LINES,
                            .u = pu,
                            .v = pv,
                            .wanted = wanted,
                            .group = LINES };
    carom_status status = CAROM_NO_MEMORY;
    if (pu && pv && wanted) {
        for (int i = 0; i < c->count; ++i)
            if (c->cut[i] >= 0 && main_axis(s, c->grid[i]) == axis) {
                int cell = c->grid[i];
                int at[3] = { cell % c->n[0], cell / c->n[0] % c->n[1], cell / c->n[0] / c->n[1] };
                wanted[(size_t)at[u] * (size_t)c->n[v] + (size_t)at[v]] = 1;
            }
        status = carom_modal_lines_cast(s->surface, &l, err);
    } else {
        carom_error_set(err, status, "no memory for the lines through cut cells");
    }
    atomic_int next = 0;
    if (status == CAROM_OK)
        CAROM_TEAM(s->threads, integrate_some(s, &l, &next));
    carom_modal_lines_free(&l);
    free(pu);
    free(pv);
    free(wanted);
    return status;
}

static carom_status integrate(sorter *s, carom_error *err)
{
    carom_modal_cells *c = s->cells;
    size_t all = grid_size(c);
    for (size_t i = 0; i < all; ++i) {
        c->count += s->kind[i] != OUT;
        c->cut_count += s->kind[i] == CUT;
    }
    c->grid = malloc(((size_t)c->count + 1) * sizeof *c->grid);
    c->cut = malloc(((size_t)c->count + 1) * sizeof *c->cut);
    c->moments = calloc((size_t)c->cut_count * CAROM_MODAL_HEX_MOMENTS + 1, sizeof *c->moments);
    if (!c->grid || !c->cut || !c->moments)
        return carom_error_no_memory(err, "%d cells", c->count);
    int count = 0, cut = 0;
    for (size_t i = 0; i < all; ++i)
        if (s->kind[i] != OUT) {
            c->grid[count] = (int)i;
            c->cut[count++] = s->kind[i] == CUT ? cut++ : -1;
        }
    for (int axis = 0; axis < 3; ++axis)
        TRY(integrate_axis(s, axis, err));
    return CAROM_OK;
}

// -- what is not worth a cell -------------------------------------------------------------------

// Takes the cells out for which keep is false.
static void filter(carom_modal_cells *c, const unsigned char *keep)
{
    int count = 0;
    double cell = c->edge[0] * c->edge[1] * c->edge[2];
    for (int i = 0; i < c->count; ++i) {
        double part =
            c->cut[i] < 0 ? 1 : c->moments[(size_t)c->cut[i] * CAROM_MODAL_HEX_MOMENTS] / 8;
        if (!keep[i]) {
            c->lost += cell * part;
            continue;
        }
        c->grid[count] = c->grid[i];
        c->cut[count++] = c->cut[i];
    }
    c->count = count;
}

static carom_status drop_slivers(sorter *s, carom_error *err)
{
    carom_modal_cells *c = s->cells;
    unsigned char *keep = malloc((size_t)c->count + 1);
    if (!keep)
        return carom_error_no_memory(err, "%d cells", c->count);
    for (int i = 0; i < c->count; ++i) {
        double part =
            c->cut[i] < 0 ? 1 : c->moments[(size_t)c->cut[i] * CAROM_MODAL_HEX_MOMENTS] / 8;
        keep[i] = part >= SLIVER;
        if (part >= 1 - 1e-12)
            c->cut[i] = -1; // marked by a triangle that only touches it
    }
    filter(c, keep);
    c->cut_count = 0;
    for (int i = 0; i < c->count; ++i)
        c->cut_count += c->cut[i] >= 0;
    free(keep);
    return CAROM_OK;
}

// Numbers the face-connected pieces; piece[i] of active cell i, sizes in volume.
static int find_pieces(const carom_modal_cells *c, const int *slot, int *piece, int *queue)
{
    int pieces = 0, step[3] = { 1, c->n[0], c->n[0] * c->n[1] };
    for (int i = 0; i < c->count; ++i)
        piece[i] = -1;
    for (int i = 0; i < c->count; ++i) {
        if (piece[i] >= 0)
            continue;
        int head = 0, tail = 0;
        queue[tail++] = i;
        piece[i] = pieces;
        while (head < tail) {
            int cell = c->grid[queue[head++]];
            int at[3] = { cell % c->n[0], cell / c->n[0] % c->n[1], cell / c->n[0] / c->n[1] };
            for (int side = 0; side < 6; ++side) {
                int axis = side / 2, way = side % 2 ? 1 : -1;
                if (at[axis] + way < 0 || at[axis] + way >= c->n[axis])
                    continue;
                int next = slot[cell + way * step[axis]];
                if (next < 0 || piece[next] >= 0)
                    continue;
                piece[next] = pieces;
                queue[tail++] = next;
            }
        }
        ++pieces;
    }
    return pieces;
}

// Crumbs that hang on nothing would move freely: they go. A body of two real pieces is refused.
static carom_status keep_largest(sorter *s, carom_error *err)
{
    carom_modal_cells *c = s->cells;
    size_t all = grid_size(c);
    int *slot = malloc((all + 1) * sizeof *slot);
    int *piece = malloc(2 * ((size_t)c->count + 1) * sizeof *piece);
    double *volume = calloc((size_t)c->count + 1, sizeof *volume), total = 0;
    unsigned char *keep = malloc((size_t)c->count + 1);
    carom_status status = CAROM_OK;
    if (slot && piece && volume && keep) {
        for (size_t i = 0; i < all; ++i)
            slot[i] = -1;
        for (int i = 0; i < c->count; ++i)
            slot[c->grid[i]] = i;
        int pieces = find_pieces(c, slot, piece, piece + c->count + 1), largest = 0;
        for (int i = 0; i < c->count; ++i) {
            double part =
                c->cut[i] < 0 ? 8 : c->moments[(size_t)c->cut[i] * CAROM_MODAL_HEX_MOMENTS];
            volume[piece[i]] += part;
            total += part;
        }
        for (int i = 1; i < pieces; ++i)
            largest = volume[i] > volume[largest] ? i : largest;
        c->pieces = pieces - 1;
        if (c->count == 0 || volume[largest] < 0.999 * total) {
            carom_error_set(err, CAROM_BAD_INPUT,
                            "the body falls into %d pieces; the largest holds %.3g %% of it",
                            pieces, c->count ? 100 * volume[largest] / total : 0);
            status = carom_error_fix(err, "join the pieces, or use smaller cells if they are "
                                          "joined by thin parts");
        }
        for (int i = 0; i < c->count; ++i)
            keep[i] = piece[i] == largest;
        if (status == CAROM_OK && pieces > 1)
            filter(c, keep);
    } else {
        status = carom_error_no_memory(err, "%d cells", c->count);
    }
    free(slot);
    free(piece);
    free(volume);
    free(keep);
    return status;
}
